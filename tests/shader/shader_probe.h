// What tests of every shader language ask of a translated stage.
#ifndef GV_TESTS_SHADER_PROBE_H
#define GV_TESTS_SHADER_PROBE_H

#include "compiler/shader/shader.h"

#include <stdbool.h>

// The stage's module is one that Vulkan 1.3 takes; what is wrong goes to stderr.
bool gv_test_valid(const struct gv_shader_stage *stage);

// Every line of `lines` occurs in `text`, in order: NULL, or the first that does not,
// which lives until the next call.
const char *gv_test_missing_line(const char *text, const char *lines);

#endif
