// What transform feedback takes of a program: by the names of the API and by layouts
// (xfb_buffer, xfb_offset, xfb_stride) of the text, which no stage that is compiled has
// any more.
#ifndef GV_UPGRADE_CAPTURES_H
#define GV_UPGRADE_CAPTURES_H

#include "compiler/shader/glsl/upgrade_program.h"

// A layout's xfb_ words of an output statement, noted and erased.
bool glsl_take_captured(struct glsl_unit *u, const struct glsl_declaration *d);

// Finds in the last stage before rasterization what is captured: p->captures. What has
// no variable of its own (members, elements, built-ins) gets one, written in front of
// what Vulkan does to a vertex.
bool glsl_find_captures(struct glsl_upgraded *p, struct gv_arena *arena,
                        struct gv_error *err);

// Declarations and assignments of those variables.
void glsl_declare_captures(const struct glsl_stage *s, struct gv_bytes *out);
void glsl_write_captures(const struct glsl_stage *s, struct gv_bytes *out);

#endif
