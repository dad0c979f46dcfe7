// SPIR-V of payloads as text that people read.
#ifndef GV_SHADER_TEXT_H
#define GV_SHADER_TEXT_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

enum gv_shader_form {
    GV_SHADER_WORDS, // as it is
    GV_SHADER_ASSEMBLY,
    GV_SHADER_GLSL,
};

// By the end of a file's name: ".spvasm", ".glsl"; all others are words.
enum gv_shader_form gv_shader_form_of(const char *path);
const char *gv_shader_form_ending(enum gv_shader_form form); // without the dot

// Appends it, without a zero behind. The bytes may be anything: GV_ERR_FORMAT is what
// SPIRV-Tools says of them, GV_ERR_UNSUPPORTED what SPIRV-Cross has no GLSL for.
bool gv_shader_text(enum gv_shader_form form, const struct gv_bytes *spirv,
                    struct gv_bytes *out, struct gv_error *err);

#endif
