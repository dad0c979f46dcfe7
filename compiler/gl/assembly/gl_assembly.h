// Programs of ARB assembly (GL_ARB_vertex_program, GL_ARB_fragment_program): names,
// texts, parameters, and what the rows of a translated program's block hold. Whoever
// generates stages writes the rest around their statements (fixed/fixed_assembly.c).
#ifndef GV_GL_ASSEMBLY_H
#define GV_GL_ASSEMBLY_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/lower/id_map.h"
#include "compiler/shader/arb/arb.h"

#define GV_GL_MAX_ASSEMBLY 65536u       // objects
#define GV_GL_MAX_ASSEMBLY_TEXTS 16384u // different ones, that are programs

enum gv_gl_half { GV_GL_VERTEX_HALF, GV_GL_FRAGMENT_HALF, GV_GL_HALVES };

// A translated text: one for all objects that were given it, as long as the machine
// lives, so that its address stands for what it says.
struct gv_gl_assembly_text;
const struct gv_arb_program *
gv_gl_assembled_program(const struct gv_gl_assembly_text *t);

// A program object.
struct gv_gl_assembly_object {
    struct gv_named named;
    enum gv_gl_half half;
    const struct gv_gl_assembly_text *text; // NULL: no program yet
    float (*locals)[4];                     // those behind them are 0
    uint32_t local_count;
};

// A context's: what is bound, and parameters of the environment.
struct gv_gl_assembled {
    struct gv_gl_assembly_object *bound[GV_GL_HALVES]; // NULL: that of name 0
    float environment[GV_GL_HALVES][GV_ARB_MAX_ENVIRONMENT][4];
};

bool gv_gl_assembly_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           struct gv_error *err);
void gv_gl_assembly_destroy(struct gv_gl_objects *objects);

// Programs of name 0 are those of gl->group from now on.
bool gv_gl_assembly_enter_group(struct gv_gl_objects *objects, struct gv_arena *arena,
                                struct gv_error *err);
// Frees the names of the group gl->group, which no context has any more.
void gv_gl_assembly_end_group(struct gv_gl_objects *objects);

// The context's part, made when it is first asked for. NULL: `err`.
struct gv_gl_assembled *gv_gl_assembled(struct gv_gl_context *c, struct gv_arena *arena,
                                        struct gv_error *err);

// What is bound to a target; never NULL.
struct gv_gl_assembly_object *
gv_gl_assembly_bound(const struct gv_gl_context *c,
                     const struct gv_gl_assembly *assembly, enum gv_gl_half half);

// GL_VERTEX_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_ARB; others are rejected or unsupported,
// which is said.
bool gv_gl_assembly_half(struct gv_gl_sink *sink, uint32_t target,
                         enum gv_gl_half *out);

// What a half runs: the text of what is bound if programs of that half are enabled.
// NULL: the fixed function. False: enabled, and there is none: GL_INVALID_OPERATION.
bool gv_gl_assembly_used(const struct gv_gl_context *c,
                         const struct gv_gl_assembly *assembly, enum gv_gl_half half,
                         const struct gv_gl_assembly_text **out);

// Writes all rows of a program's block, 16 bytes each: state, environment, locals of
// what is bound.
struct gv_gl_assembly_source {
    const struct gv_gl_context *context;
    const struct gv_gl_assembly_object *object;
};
void gv_gl_assembly_values(const struct gv_gl_assembly_source *from,
                           const struct gv_arb_program *program, uint8_t *out);

extern const struct gv_gl_row gv_gl_assembly_rows[];
extern const struct gv_gl_row gv_gl_assembly_parameter_rows[];

#endif
