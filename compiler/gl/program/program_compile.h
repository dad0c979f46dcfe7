// Texts of shaders, numbers by name, and what compiling them made.
#ifndef GV_PROGRAM_COMPILE_H
#define GV_PROGRAM_COMPILE_H

#include "compiler/builder/builder.h"
#include "compiler/gl/program/gl_program.h"
#include "compiler/shader/glsl/glsl_program.h"
#include "resources/hash.h"

#define GV_GL_MAX_NAMES 65536u   // that are told of one program
#define GV_GL_MAX_COMPILED 4096u // variants in one compile

// A shader's source, terminated; what was linked of it holds it.
struct gv_gl_text {
    uint32_t references;
    size_t size;
    char text[];
};

// Numbers by name: what the program binds, what the recorded driver answered.
struct gv_gl_numbered {
    char *name; // owned
    int32_t number;
    uint32_t index; // of glBindFragDataLocationIndexed
};
struct gv_gl_numbers_by_name {
    struct gv_gl_numbered *list; // owned
    uint32_t count, capacity;
};

// ---- texts and numbers (program_objects.c) ----

struct gv_gl_text *gv_gl_text_new(size_t size);
void gv_gl_text_drop(struct gv_gl_text *t);

// The entry of a name; NULL: none.
const struct gv_gl_numbered *gv_gl_numbered(const struct gv_gl_numbers_by_name *n,
                                            const char *name);
// Sets the number of a name of `length` bytes. False: memory. What is too much or too
// long is left out.
bool gv_gl_number_name(struct gv_gl_numbers_by_name *n, const char *name, size_t length,
                       struct gv_gl_numbered value);
bool gv_gl_numbers_copy(struct gv_gl_numbers_by_name *to,
                        const struct gv_gl_numbers_by_name *from);
void gv_gl_numbers_finish(struct gv_gl_numbers_by_name *n);

// ---- compiled texts (program_compile.c) ----

// Texts as they were compiled for one set of options: shared by all programs of the
// same texts.
struct gv_gl_compiled {
    struct gv_gl_compiled *next; // in its bucket
    struct gv_hash key;
    struct gv_arena arena;
    bool failed;
    char error[192];
    struct gv_glsl_program program;
    struct gv_shader modules[GV_MAX_GLSL_STAGES];
    uint64_t serials[GV_MAX_GLSL_STAGES];
    uint64_t serial;            // of its blocks
    struct gv_pipeline compute; // of a compute stage; none: not made yet
    uint64_t compute_blocks;    // bit per binding of uniforms that it is fed as bytes
};

struct gv_gl_compile_input {
    const struct gv_glsl_text *texts;
    size_t text_count;
    const struct gv_gl_numbers_by_name *attributes, *outputs;
    struct gv_upgrade_options options;
    bool separable;
};
// NULL: `err`. A failure of the text is remembered as such.
struct gv_gl_compiled *gv_gl_compile_program(struct gv_gl_programs *all,
                                             struct gv_gl_sink *sink,
                                             const struct gv_gl_compile_input *in,
                                             struct gv_error *err);

// Names of what transform feedback is to capture.
struct gv_gl_varyings {
    char **names;                   // owned, each of them too
    struct gv_glsl_captures listed; // the same, for compiling
};

#endif
