// What a linked GLSL program is from outside, by the names that OpenGL gives: uniforms,
// blocks, samplers, attributes, outputs. Everything lives in the arena of the program.
//
// Names are GL's: members behind dots, elements of arrays of structures and of arrays
// of arrays in brackets; an array's name ends with [0] ("a[0]", "s.m[2].x", "Block.m").
#ifndef GV_GLSL_REFLECT_H
#define GV_GLSL_REFLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/shader/spirv/spirv_flat.h" // IWYU pragma: export

#define GV_MAX_GLSL_UNIFORMS 65536u // of one program, elements of structures counted
#define GV_GLSL_NONE UINT32_MAX     // an index or number that there is not

enum gv_glsl_scalar {
    GV_GLSL_FLOAT,
    GV_GLSL_INT,
    GV_GLSL_UINT,
    GV_GLSL_BOOL, // stands as a uint: 0 or 1
    GV_GLSL_DOUBLE,
    GV_GLSL_INT64,
    GV_GLSL_UINT64,
};

struct gv_glsl_type {
    enum gv_glsl_scalar scalar;
    uint32_t rows;    // components of a vector or of a column, 1 of a scalar
    uint32_t columns; // 1 of what is no matrix
};

// Words of one number: 2 of 64 bits, else 1.
uint32_t gv_glsl_scalar_words(enum gv_glsl_scalar scalar);

// A uniform outside blocks, or a member of a block: a basic type or an array of one.
struct gv_glsl_uniform {
    const char *name;
    struct gv_glsl_type type;
    uint32_t array_size;    // elements, 0: not an array; 0 of a runtime array too
    bool runtime_array;     // as long as the buffer
    uint32_t offset;        // bytes from the beginning of its block
    uint32_t array_stride;  // bytes, 0: not an array
    uint32_t matrix_stride; // bytes from column to column (row to row), 0: no matrix
    bool row_major;
    bool state;      // a built-in: its value is GL's state (glsl_variables.def)
    int location;    // the text's own, of the first element; -1: it says none
    uint32_t stages; // GV_STAGE_* that use it
    // Its default, tightly packed as glUniform* takes it (64 bits are two words, low
    // first); NULL: zeros.
    const uint32_t *value;
};

// An atomic counter is a member of a block `gl_AtomicCounterBlock_N`, N its binding.
struct gv_glsl_block {
    const char *name;    // "" of the uniforms outside blocks; else the block's
    uint32_t resource;   // index of the program's resources
    uint32_t array_size; // elements "Block[0]", ..., one descriptor each; 0: none
    const struct gv_spirv_flat *flat; // what elements' names are of; NULL: one array
    uint32_t size;                    // bytes, of a runtime array without it
    bool storage;                     // a storage block
    bool written;                     // and some stage writes it
    int binding;                      // the text's own, -1: none
    uint32_t first, count;            // of its members in the program's uniforms
    uint32_t stages;                  // GV_STAGE_* that use it
};

enum gv_glsl_dimension {
    GV_GLSL_1D,
    GV_GLSL_2D,
    GV_GLSL_3D,
    GV_GLSL_CUBE,
    GV_GLSL_BUFFER,
};

struct gv_glsl_sampler {
    const char *name;    // "t", "t[0]" of an array
    uint32_t resource;   // index of the program's resources
    uint32_t element;    // of the resource, where it begins: structures share one
    uint32_t array_size; // 0: not an array
    bool image;          // imageLoad and imageStore
    bool written;        // one that some stage writes
    uint32_t format;     // of images: SpvImageFormat, 0: the text says none
    enum gv_glsl_scalar scalar;
    enum gv_glsl_dimension dimension;
    bool arrayed, multisampled, shadow, rectangle;
    uint8_t fetch; // enum gv_glsl_fetch: of an array, its first element's. All that are
                   // NONE stand in front of the others
    int location, binding; // the text's own, -1: none
    uint32_t stages;       // GV_STAGE_* that use it
};

struct gv_glsl_output {
    const char *name; // "gl_FragColor" and "gl_FragData[0]" too
    struct gv_glsl_type type;
    uint32_t array_size;
    uint32_t location, index;
};

// A block that is active for OpenGL, in the order of its indices: uniform blocks and
// storage blocks count each for themselves.
struct gv_glsl_block_name {
    const char *name;
    uint32_t count; // of the indices that it takes, those of an array's elements
    bool storage;
    const struct gv_glsl_block *block; // NULL: no stage uses it
};

struct gv_glsl_reflection {
    struct gv_glsl_uniform *uniforms;
    size_t uniform_count;
    struct gv_glsl_block *blocks; // that of uniforms outside blocks first, if there is
    size_t block_count;
    struct gv_glsl_block_name *block_names; // in Mesa's order
    size_t block_name_count;
    struct gv_glsl_sampler *samplers;
    size_t sampler_count;
    struct gv_glsl_output *outputs;
    size_t output_count;
};

// The uniform of a name as glGetUniformLocation takes it: "a" and "a[3]" find "a[0]".
// `*element` becomes the element. NULL: none.
const struct gv_glsl_uniform *gv_glsl_find_uniform(const struct gv_glsl_reflection *r,
                                                   const char *name, uint32_t *element);

// The same of samplers and images.
const struct gv_glsl_sampler *gv_glsl_find_sampler(const struct gv_glsl_reflection *r,
                                                   const char *name, uint32_t *element);

#endif
