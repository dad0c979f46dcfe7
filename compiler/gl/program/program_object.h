// Program objects from the inside: for the files of this folder.
#ifndef GV_PROGRAM_OBJECT_H
#define GV_PROGRAM_OBJECT_H

#include "compiler/gl/program/gl_program.h"
#include "compiler/gl/program/program_compile.h"
#include "compiler/lower/id_map.h"
#include "compiler/shader/glsl/glsl_program.h"
#include "resources/hash.h"

#define GV_GL_MAX_PROGRAMS 65536u   // and shaders, alive at once
#define GV_GL_MAX_ATTACHED 64u      // shaders of a program
#define GV_GL_MODULE_WORDS 1048576u // of SPIR-V
#define GV_GL_MAX_NAME_BYTES 1024u
#define GV_GL_MAX_LOCATION 65535u // of uniforms
#define GV_GL_PROGRAM_BUCKETS 256u

// ---- what a link makes (program_link.c) ----

// A uniform of the program's own, or a sampler.
struct gv_gl_uniform {
    const char *name; // of the compiled program
    size_t name_size; // without the [0] of an array
    bool sampler;
    bool image; // of samplers: one for loads and stores
    bool array;
    bool hidden; // no location leads to it
    struct gv_glsl_type type;
    uint32_t elements; // at least 1
    uint32_t words;    // of an element, as glUniform takes it
    uint32_t *values;  // elements * words
    int32_t text_location;
    uint32_t location; // of its first element
};

struct gv_gl_variant {
    struct gv_gl_variant *next;
    struct gv_upgrade_options options;
    struct gv_gl_compiled *compiled;
    struct gv_gl_executable *executable;
    struct gv_gl_uniform **uniforms; // of each reflected one; NULL: none has values
    struct gv_gl_uniform **samplers; // likewise
};

enum gv_gl_link_status {
    GV_GL_LINK_OPEN, // nobody asked yet
    GV_GL_LINKED,
    GV_GL_LINK_FAILED,
};

// What glLinkProgram makes: all that was attached and bound at that moment, compiled
// when it is first needed.
struct gv_gl_executable {
    struct gv_gl_text *texts[GV_GL_MAX_ATTACHED];
    uint32_t stages[GV_GL_MAX_ATTACHED]; // GV_STAGE_*
    uint32_t text_count;
    struct gv_gl_numbers_by_name attributes, outputs; // bound before it
    struct gv_gl_varyings varyings;                   // likewise
    struct gv_gl_numbers_by_name told_attributes;     // since then
    struct gv_gl_numbers_by_name block_points;        // glUniformBlockBinding, by name
    uint32_t words; // enum gv_gl_word bits of its texts
    uint64_t serial;
    bool es;
    bool separable;       // its stages may be mixed with those of others
    uint32_t *parts;      // owned; of each text of a pipeline's, its program; else NULL
    bool impossible;      // a shader without text, none at all
    bool passed, refused; // the recorded link
    enum gv_gl_link_status status;
    struct gv_gl_variant *variants;                // owned
    struct gv_gl_uniform *uniforms;                // owned
    struct gv_gl_uniform **by_name, **by_location; // owned; the same, in order
    uint32_t uniform_count;
    uint32_t *values; // owned
    bool placed;      // locations are up to date
};

// What of a text its variants depend on.
enum gv_gl_word {
    GV_GL_WORD_ROWS = 1,      // rows of the target
    GV_GL_WORD_POINT = 2,     // coordinates of points
    GV_GL_WORD_COLOR = 4,     // the built-in colours
    GV_GL_WORD_VERTEX = 8,    // numbers of vertices
    GV_GL_WORD_FRAGMENT = 16, // gl_FragColor
    GV_GL_WORD_COORD = 32,    // gl_TexCoord
    GV_GL_WORD_INSTANCE = 64,
    GV_GL_WORD_SIZE = 128, // of points
    GV_GL_WORD_DRAW = 256, // gl_BaseVertex, gl_DrawID
    GV_GL_WORD_PRIMITIVE = 512,
    GV_GL_WORD_CAPTURE = 1024, // layouts of transform feedback
    GV_GL_WORD_BASE = 2048,    // gl_BaseInstance
    GV_GL_WORD_LAYER = 4096,
    GV_GL_WORD_VIEWPORT = 8192,
    GV_GL_WORD_SHADOW = 16384, // functions that compare and return vectors
    GV_GL_WORD_MODERN = 32768, // GLSL 1.30 and on
};

struct gv_gl_shader {
    uint32_t type;                        // GL_VERTEX_SHADER ...
    struct gv_gl_text *source, *compiled; // held
    struct gv_gl_text *module;            // held; of SPIR-V instead of a source
    bool refused;                         // the recorded compilation
};

struct gv_gl_program {
    struct gv_named named;
    bool is_program;
    bool separable;              // GL_PROGRAM_SEPARABLE, for the next link
    struct gv_gl_joined *joined; // what a pipeline's is made of; of all others NULL
    bool deleted;                // lives on until nothing refers to it
    struct gv_gl_shader shader;
    // Of programs:
    struct gv_gl_program *attached[GV_GL_MAX_ATTACHED]; // held
    uint32_t attached_count;
    struct gv_gl_numbers_by_name attributes, outputs; // for the next link
    struct gv_gl_varyings varyings;                   // likewise
    struct gv_gl_numbers_by_name told_uniforms, told_blocks, told_storage;
    struct gv_gl_numbers_by_name told_subroutines; // gl_subroutines.c
    struct gv_gl_executable *executable;           // owned; NULL: never linked
    struct gv_gl_executable
        *before;   // owned; of what was in use when it was linked anew
    bool unlinked; // that link failed: `executable` is the one before, to go on with
};

struct gv_gl_programs {
    struct gv_id_map names;
    struct gv_gl_compiled *buckets[GV_GL_PROGRAM_BUCKETS];
    uint32_t compiled_count;
    struct gv_gl_pipelined *pipelined;  // of all contexts
    struct gv_gl_named_string *strings; // owned: gl_shader_include.c
    uint32_t string_count;
};

// ---- objects (program_objects.c) ----

// An object of a name; NULL: none of this kind, which was rejected.
struct gv_gl_program *gv_gl_need_program(struct gv_gl_objects *objects,
                                         struct gv_gl_sink *sink, uint32_t name);
struct gv_gl_program *gv_gl_need_shader(struct gv_gl_objects *objects,
                                        struct gv_gl_sink *sink, uint32_t name);
struct gv_gl_program *gv_gl_find_object(const struct gv_gl_objects *objects,
                                        uint32_t name);
struct gv_gl_program *gv_gl_make_object(struct gv_gl_objects *objects, uint32_t name,
                                        bool is_program, struct gv_error *err);
void gv_gl_hold_object(struct gv_gl_program *p);
// One reference less; the last one frees it.
void gv_gl_drop_object(struct gv_gl_programs *programs, struct gv_gl_program *p);
// glDeleteProgram and the like.
void gv_gl_delete_object(struct gv_gl_programs *programs, struct gv_gl_program *p);

// Forgets what a shader was given and compiled from.
void gv_gl_shader_clear(struct gv_gl_shader *s);
// The stage (GV_STAGE_*) of a type, 0: there is none such.
uint32_t gv_gl_shader_stage(uint32_t type);

// A string argument as a terminated copy in `out`; false: none, or too long.
bool gv_gl_name_argument(const struct gv_trace_value *v,
                         char out[GV_GL_MAX_NAME_BYTES]);

// ---- what is captured (program_varyings.c) ----

void gv_gl_varyings_finish(struct gv_gl_varyings *v);
bool gv_gl_varyings_copy(struct gv_gl_varyings *to, const struct gv_gl_varyings *from);
// Whether transform feedback finds anything to capture in a linked program.
bool gv_gl_executable_captures(const struct gv_gl_executable *x);

// ---- links (program_link.c) ----

bool gv_gl_link_program(struct gv_gl *gl, struct gv_gl_program *p,
                        struct gv_error *err);
// Adds a text of a stage of `part`: the executable holds it.
void gv_gl_executable_take(struct gv_gl_executable *x, struct gv_gl_text *text,
                           uint32_t stage, uint32_t part);
// Counts that its texts are looked through: a few bytes of a trace ask for it again.
bool gv_gl_executable_read(struct gv_gl_work *work, const struct gv_gl_executable *x,
                           struct gv_error *err);
void gv_gl_executable_free(struct gv_gl_executable *x);

// Links for real if nobody did (program_stages.c). False only with `err`; look at the
// status.
bool gv_gl_link_now(struct gv_gl *gl, struct gv_gl_program *p, struct gv_error *err);
// Whether it was linked, and not in vain since.
bool gv_gl_is_linked(const struct gv_gl_program *p);
// NULL and true in `*ok`: the variant does not compile, which was said.
struct gv_gl_variant *gv_gl_find_variant(struct gv_gl *gl, struct gv_gl_program *p,
                                         const struct gv_upgrade_options *options,
                                         bool *ok, struct gv_error *err);

// The name of the uniform block (or storage block) of a number, elements of arrays
// counted; false: there is none.
bool gv_gl_block_name(const struct gv_gl_program *p, bool storage, int64_t number,
                      char out[GV_GL_MAX_NAME_BYTES]);

// "Block[1][0]": the name of an element of a block that is an array (of arrays), which
// the program calls `name`; of one that is no array just that.
void gv_gl_block_element(const struct gv_glsl_block *b, const char *name,
                         uint32_t element, char out[GV_GL_MAX_NAME_BYTES]);

// ---- uniforms (program_uniforms.c) ----

// The table of uniforms, with their defaults.
bool gv_gl_list_uniforms(struct gv_gl_executable *x, const struct gv_glsl_reflection *r,
                         struct gv_error *err);

// Finds a uniform by the name that GL takes ("a", "a[2]").
struct gv_gl_uniform *gv_gl_uniform_named(const struct gv_gl_executable *x,
                                          const char *name, uint32_t *element);

// What is at a location: an element of a uniform, or none (NULL). False: `err`.
struct gv_gl_place {
    struct gv_gl_uniform *uniform;
    uint32_t element;
};
bool gv_gl_uniform_at(struct gv_gl_work *work, struct gv_gl_program *p,
                      uint32_t location, struct gv_gl_place *out, struct gv_error *err);

// ---- subroutines (gl_subroutines.c) ----

// What is drawn with from now on: each uniform chooses the first one that suits it.
void gv_gl_reset_subroutines(const struct gv_gl_program *p);

// ---- storage (program_storage.c) ----

// Adds what a buffer of a stage's interface is that the device reads, once: block
// `block` of the program. NULL, or what is missing.
const struct gv_gl_lack *gv_gl_add_storage(const struct gv_gl_program *p,
                                           const struct gv_gl_compiled *c,
                                           uint32_t block,
                                           const struct gv_binding_desc *b,
                                           struct gv_gl_stages *out);
// Whether a block of uniforms has bytes that the device alone knows.
bool gv_gl_is_device_block(const struct gv_gl_context *c,
                           const struct gv_gl_objects *objects,
                           const struct gv_gl_program *p,
                           const struct gv_glsl_block *block);
// The same of one element of an image.
const struct gv_gl_lack *gv_gl_add_image(const struct gv_gl_variant *v,
                                         const struct gv_glsl_sampler *s,
                                         uint32_t element, uint32_t unit,
                                         struct gv_gl_stages *out);

// The binding point of a uniform block or storage block: as the program set it, as the
// text says, 0.
uint32_t gv_gl_block_point(const struct gv_gl_program *p, const char *name,
                           uint32_t said);

// Which block of a program a binding is of, GV_GLSL_NONE: none.
uint32_t gv_gl_block_of(const struct gv_glsl_program *g,
                        const struct gv_binding_desc *b);

// ---- samplers (program_samplers.c) ----

uint32_t gv_gl_sampler_target(const struct gv_glsl_sampler *s); // enum gv_gl_target
// What becomes of texture coordinates, by samplers of reflection, of arrays' first
// textures; zeros until a variant is known.
void gv_gl_executable_clamps(const struct gv_gl_context *c,
                             const struct gv_gl_objects *objects,
                             const struct gv_gl_executable *x,
                             uint16_t out[GV_MAX_GLSL_CLAMPED]);
// What shadow functions that return vectors give: by what the first shadow sampler
// sees.
enum gv_glsl_depth gv_gl_executable_depth_mode(const struct gv_gl_context *c,
                                               const struct gv_gl_objects *objects,
                                               const struct gv_gl_executable *x);

// ---- values (program_values.c, program_state.c) ----

// Whether points have the size that a program gives them.
bool gv_gl_program_sizes_points(const struct gv_gl_context *c);

// The value of element `element` of a state uniform, packed as glUniform takes it.
void gv_gl_state_value(const struct gv_gl_program_inputs *in, const char *name,
                       uint32_t element, float out[16]);

#endif
