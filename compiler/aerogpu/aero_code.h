// Shaders: blobs, what they were translated to, and what a draw asks of a translation.
#ifndef GV_AERO_CODE_H
#define GV_AERO_CODE_H

#include "compiler/aerogpu/aero_object.h"
#include "compiler/lower/lower_input.h"
#include "compiler/shader/d3d/dxbc.h"
#include "resources/hash.h"

#define GV_AERO_CODE_BUCKETS 256u

// What a draw asks of a shader beside its blob (aero_need.c).
struct gv_aero_need {
    uint32_t alpha_test, control_points;
    bool half_pixel;
    uint32_t missing_inputs; // locations that the stage in front does not write
    // Domain shaders: patch registers that the hull shader does not write, and what it
    // declares.
    uint32_t missing_patch, partitioning, output_primitive;
    uint32_t cubes;     // bit per bound cube that no declaration tells of
    uint64_t constants; // 4 bits per slot: log2 of vec4s bound beyond what is declared
};

// A shader blob and what it was translated to; equal blobs share it.
struct gv_aero_code {
    struct gv_aero_code *next; // same hash bucket
    struct gv_hash hash;
    const uint8_t *blob; // in the capture
    size_t size;
    uint64_t offset; // in the capture
    bool d3d9;
    struct gv_aero_variant *variants; // translations made so far
    uint32_t variant_count;
    uint64_t constants; // the largest of the variants' needs, per slot
    // Why there is none, where the creation told: the first draw that uses it ends
    // there.
    struct gv_error *refusal;
};

// One translation of a shader, for the options it needed.
struct gv_aero_variant {
    struct gv_aero_variant *next;
    uint64_t serial; // unique among all variants
    struct gv_aero_need need;
    const struct gv_aero_variant *plain; // by state alone; itself. NULL: of no blob
    struct gv_dxbc_shader code;
    struct gv_shader module;
    struct gv_pipeline compute; // of a compute shader
    uint16_t compute_dynamic;
};

struct gv_aero_shaders {
    struct gv_aero_code *codes[GV_AERO_CODE_BUCKETS];
    struct gv_aero_variant *fixed[8]; // by enum gv_aero_fixed
    bool half_pixel;                  // option
};

// ---- aero_shader.c, aero_fixed.c ----

// The translation of a shader that a draw of this context needs. `front`: of the stage
// before it; NULL: there is none.
struct gv_aero_variant *gv_aero_shader_variant(struct gv_aero *a,
                                               const struct gv_aero_context *x,
                                               struct gv_aero_shader *shader,
                                               const struct gv_aero_variant *front,
                                               struct gv_error *err);
struct gv_shader gv_aero_variant_module(struct gv_aero *a, struct gv_aero_variant *v);
enum gv_aero_fixed { // shaders for draws without any
    GV_AERO_FIXED_NONE,
    GV_AERO_FIXED_POS3_COLOR,
    GV_AERO_FIXED_POS2_COLOR,
    GV_AERO_FIXED_POS3_UV,
    GV_AERO_FIXED_FS_COLOR, // fragment shaders
    GV_AERO_FIXED_FS_TEXTURE,
};
struct gv_aero_variant *gv_aero_fixed_variant(struct gv_aero *a,
                                              enum gv_aero_fixed which,
                                              struct gv_error *err);
// What the stride of slot 0 means; NONE: nothing.
enum gv_aero_fixed gv_aero_fixed_for(const struct gv_aero_context *x);
void gv_aero_fixed_input(enum gv_aero_fixed which, struct gv_graphics_desc *desc,
                         struct gv_lower_slots *slots);

// ---- aero_need.c ----

// What the context's state asks of a shader.
void gv_aero_need_of_state(const struct gv_aero *a, const struct gv_aero_context *x,
                           const struct gv_aero_shader *s, struct gv_aero_need *n);
// Adds what follows from the translation `plain`, the stage in front (NULL: none) and
// the bindings.
void gv_aero_need_refine(const struct gv_aero_context *x,
                         const struct gv_aero_variant *plain,
                         const struct gv_aero_variant *front, struct gv_aero_need *n);
// Whether the bindings ask for another variant by now.
bool gv_aero_need_moved(const struct gv_aero_context *x,
                        const struct gv_aero_variant *v);
bool gv_aero_need_equal(const struct gv_aero_need *a, const struct gv_aero_need *b);
// Whether what was translated for `a` serves `b` too: it reads as many constants.
bool gv_aero_need_covers(const struct gv_aero_need *a, const struct gv_aero_need *b);
// The larger of the sizes of each slot.
uint64_t gv_aero_need_larger(uint64_t constants, uint64_t others);
void gv_aero_need_options(const struct gv_aero_need *n, struct gv_dxbc_options *out);

#endif
