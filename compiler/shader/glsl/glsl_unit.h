// A program while it is upgraded, for the files that do it: its objects (one text each)
// and its stages (one or more objects).
#ifndef GV_GLSL_UNIT_H
#define GV_GLSL_UNIT_H

#include "compiler/shader/glsl/glsl.h"
#include "compiler/shader/glsl/text/glsl_declare.h"
#include "compiler/shader/glsl/text/glsl_dialect.h"
#include "compiler/shader/glsl/upgrade_options.h"

// Rows of glsl_variables.def.
enum glsl_variable {
#define GLSL_VARIABLE(id, kind, name, type, array) GLSL_VARIABLE_##id,
#include "compiler/shader/glsl/glsl_variables.def"
#undef GLSL_VARIABLE
    GLSL_VARIABLE_COUNT
};

#define GLSL_MAX_NOTES 16384u // of one stage; a stage has as many uniform components
#define GLSL_MAX_HELPERS 96
// Of a structure that has nothing but samplers: no member of the program's.
#define GLSL_NO_MEMBER "gv_no_member"
// In front of a varying's own name: what the stages before have written of it.
#define GLSL_INPUT GV_UPGRADE_PREFIX "in_"
#define GLSL_MAX_OUTPUTS 8 // Mesa's gl_MaxDrawBuffers
#define GLSL_TEX_COORDS 8  // gl_MaxTextureCoords

// A variable or block of an interface as the text declares it, which SPIR-V does not
// tell: numbers are -1 where the text has none.
struct glsl_note {
    const char *name; // the program's own; of a block, the block's
    const char *type;
    unsigned qualifiers; // enum glsl_qualifier
    int location, binding, index, offset;
    const int *placed; // [placed_count]: locations of a block's members
    size_t placed_count;
    struct glsl_unit *unit;
    struct glsl_declaration declaration; // in unit's code
    const char *value_text;              // of its initialiser, NULL: none
    const uint32_t *value;               // [value_words]
    size_t value_words;
};

#define GLSL_MAX_CAPTURES 1024u

// Something that transform feedback captures, in order.
struct glsl_capture {
    const char *own_name; // as OpenGL has it; NULL: nothing, what follows is
    bool next;            // the next buffer
    unsigned skipped;     // components
    unsigned buffer;
    int offset; // bytes; -1: behind the one before
    unsigned stream;
    bool copied;                          // to a variable of its own
    const char *variable;                 // in the upgraded text
    const char *expression, *type, *dims; // of what is copied
};

// A subroutine, or a uniform that chooses among them.
struct glsl_subroutine {
    const char *name;
    bool uniform;
    int number;        // index or location of the text's own; -1: none
    unsigned elements; // of a uniform; 0: not an array
};

// An output that begins as what its target holds (`inout`): tokens of `unit`.
struct glsl_fetched {
    const struct glsl_unit *unit;
    size_t name, type;
    unsigned elements; // 0: not an array
};

// What a stage uses that its text does not declare.
struct glsl_stage {
    uint32_t stage;
    const struct gv_upgrade_options *options;
    bool variables[GLSL_VARIABLE_COUNT];
    bool inputs[GLSL_VARIABLE_COUNT]; // varyings that are members of gl_in
    bool helpers[GLSL_MAX_HELPERS];   // by their order in glsl_legacy.def
    unsigned tex_coords;              // elements of gl_TexCoord, 0: not used
    unsigned clip_distances;          // elements of gl_ClipDistance, 0: not used
    bool clip_sized;                  // as the text says it
    bool clip_read;                   // by a fragment stage
    unsigned clip_shown; // elements of the array of our own that hands them on; 0: none
    bool first_data;     // an element of gl_FragData that is the first or may be
    bool frag_color, frag_data, second_color, second_data;
    struct glsl_fetched fetched[GLSL_MAX_OUTPUTS];
    unsigned fetched_count;
    unsigned last;          // what of the target is read: bits 1 << enum gv_glsl_fetch
    unsigned blend_support; // bits 1 << enum gv_glsl_blend
    bool at_offset;         // interpolateAtOffset, whose offset has y of its own
    bool frag_coord, coord_integer, coord_upper; // a gl_FragCoord of our own
    bool subgroups;                              // looks at its neighbours
    bool places;             // writes gl_Layer or gl_ViewportIndex, or reads them
    bool layered, viewports; // gl_Layer, gl_ViewportIndex
    bool clip_vertex, emits, emits_streams;
    bool blocks; // of uniforms
    bool zeros;  // variables that are `{}` at first
    struct glsl_subroutine *subroutines;
    size_t subroutine_count;
    struct glsl_opaque *opaque; // samplers of structures (glsl_opaque.h)
    struct glsl_opaque_member *opaque_members;
    unsigned chosen; // arrays of buffer textures that functions choose from
    struct glsl_note *notes;
    size_t note_count, note_capacity;
    const char *whole_text;               // of a stage that no object has; else NULL
    struct glsl_capture *layout_captures; // by layouts of the text
    size_t layout_capture_count;
    unsigned capture_strides[GV_MAX_GLSL_CAPTURE_BUFFERS]; // likewise; 0: none
    const struct glsl_capture *captures;                   // that count
    size_t capture_count;
    const struct glsl_stage *before; // in the pipeline; NULL: none that is known
    bool last_vertex;                // what it writes is what is rasterised
};

// As what a text declares a name.
#define GLSL_AS_VARIABLE 1u
#define GLSL_AS_FUNCTION 2u

struct glsl_unit {
    struct glsl_tokens code; // preprocessed; what changes is in `replacement`
    struct gv_glsl_dialect dialect;
    struct glsl_declarations declared;
    struct glsl_stage *stage;
    const char *extensions;                    // lines for the head
    const char *asked;                         // glsl_source
    uint8_t *declared_words, *declared_legacy; // GLSL_AS_*
    size_t *first_words;               // tokens that first declare a word as a function
    int capture_buffer;                // of layouts without a number
    struct glsl_declarations **bodies; // of `declared`, as far as captures are of them
    struct gv_arena *arena;
    struct gv_error *err;
};

// glsl_unit.c
struct glsl_token *glsl_unit_token(struct glsl_unit *u, size_t i);
void glsl_unit_erase(struct glsl_unit *u, size_t first, size_t last); // keeps lines
bool glsl_unit_unsupported(struct glsl_unit *u, const char *name);
// `prefix` and the token, or NULL (memory).
const char *glsl_unit_prefixed(struct glsl_unit *u, const char *prefix,
                               const struct glsl_token *t);
// A copy of the token's text, or NULL (memory).
const char *glsl_unit_text(struct glsl_unit *u, size_t token);

// upgrade_statements.c: what stands at global scope; and a layout without `word`, its
// number and the comma behind, erased whole if nothing is left.
void glsl_unit_drop_word(struct glsl_unit *u, const struct glsl_declaration *d,
                         const char *word);
bool glsl_upgrade_statements(struct glsl_unit *u);
// upgrade_names.c: every name.
bool glsl_upgrade_names(struct glsl_unit *u);
// upgrade_variables.c: a built-in variable; whether it is one.
bool glsl_upgrade_variable(struct glsl_unit *u, size_t i);
// upgrade_subroutines.c: preprocessed text without subroutines; `u` has no tokens yet.
bool glsl_lower_subroutines(struct glsl_unit *u, const char **text);
// upgrade_fetch.c: outputs that are `inout`, layouts with blend_support_*, and what
// these and gl_LastFragData mean around a stage's main.
bool glsl_take_fetched(struct glsl_unit *u, struct glsl_declaration *d);
void glsl_take_blend_support(struct glsl_unit *u, const struct glsl_declaration *d);
bool glsl_fetches(const struct glsl_stage *s);
// The output of colour buffer 0, as the upgraded text has it; false: it has none that
// is a vec4.
struct gv_bytes;
bool glsl_first_output(const struct glsl_stage *s, struct gv_bytes *out);
// The alpha of colour buffer 0, of outputs without one 0 as in Mesa; false: no floats
// go there.
bool glsl_first_alpha(const struct glsl_stage *s, struct gv_bytes *out);
void glsl_declare_fetched(const struct glsl_stage *s, struct gv_bytes *out);
void glsl_begin_fetched(const struct glsl_stage *s, struct gv_bytes *out);
void glsl_finish_blend(const struct glsl_stage *s, struct gv_bytes *out);

// upgrade_prelude.c: declarations in front of a stage's text; what runs around its
// main.
void glsl_write_prelude(const struct glsl_stage *s, struct gv_bytes *out);
void glsl_write_helpers(const struct glsl_stage *s, struct gv_bytes *out);
// Whether the stage in front of rasterisation asks where pixels are.
bool glsl_needs_grid(const struct glsl_stage *s);
bool glsl_wraps_main(const struct glsl_stage *s);
void glsl_write_main(const struct glsl_stage *s, struct gv_bytes *out);

struct glsl_variable_row {
    const char *name, *type, *array;
    enum {
        GLSL_KIND_TYPE,
        GLSL_KIND_STATE,
        GLSL_KIND_ATTRIBUTE,
        GLSL_KIND_VARYING,
        GLSL_KIND_COLOR
    } kind;
};
extern const struct glsl_variable_row glsl_variables[GLSL_VARIABLE_COUNT];

// The row a name has in a stage, GLSL_VARIABLE_COUNT without.
size_t glsl_find_variable(const struct glsl_token *t, uint32_t stage);

#endif
