// What a device must have, derived from the calls that a payload makes.
#ifndef GV_REQUIRE_H
#define GV_REQUIRE_H

#include "compiler/builder/targets.h" // GV_TARGET_FORMATS
#include "resources/base/arena.h"
#include "vm/payload/payload.h"

struct gv_graphics_desc;
struct gv_payload_writer;
struct gv_sampler_desc;
struct gv_slots;

struct gv_requirement_row {
    struct gv_requirement requirement;
    bool written;    // as it stands
    uint32_t number; // in the payload, of a row that was written
};

// Zero-initialise before use.
struct gv_requirements {
    struct gv_requirement_row *rows; // owned, in order of first need
    size_t count, capacity;
    struct gv_arena strings;
    uint64_t formats[GV_TARGET_FORMATS]; // bits required so far, by row of gv_formats
    uint32_t sizes;                      // bits seen so far, below
};

void gv_requirements_finish(struct gv_requirements *r);

// Each (kind, strength, name) stands once, with the value that meets all that were
// asked for: the union of the bits of a format, of a limit as vm/device_limits.h
// compares it. Alternative rows never change, since code names them by number. False:
// out of memory.
bool gv_requirements_add(struct gv_requirements *r, const struct gv_requirement *need);

// The number that an alternative row has in the payload, written at once if it is new.
// False: out of memory.
bool gv_requirements_number(struct gv_requirements *r, struct gv_payload_writer *writer,
                            const struct gv_requirement *need, uint32_t *number);

// Adds to `to` what both `a` and `b` need.
bool gv_requirements_common(struct gv_requirements *to, const struct gv_requirements *a,
                            const struct gv_requirements *b);

// Hands rows that are new, or have grown, to the writer.
void gv_requirements_write(struct gv_requirements *r, struct gv_payload_writer *writer);

// Whether gv_requirements_of_call has something to say about a call.
bool gv_requirements_watch(enum gv_call call);

// Adds what one call needs. `values` as in gv_builder_call; their objects live in
// `slots`. False: out of memory, or a description that does not decode.
bool gv_requirements_of_call(struct gv_requirements *r, const struct gv_slots *slots,
                             enum gv_call call, const void *values);

// For the files behind it: a feature by name, with its extension; either may be NULL.
// One that the runtime has another way for is an alternative.
bool gv_require_feature(struct gv_requirements *r, const char *feature,
                        const char *extension);
bool gv_require_limit(struct gv_requirements *r, const char *name, uint64_t value,
                      uint64_t guaranteed);
// `bits`: VkFormatFeatureFlags, buffer features shifted left by 32.
bool gv_require_format(struct gv_requirements *r, uint64_t format, uint64_t bits);
bool gv_require_vertex_format(struct gv_requirements *r, uint64_t format);

// require_sizes.c: what of points and lines a payload has, as bits.
enum {
    GV_SIZED_POINTS = 1,  // of other sizes than one pixel
    GV_STIFF_POINTS = 2,  // such that only the device can draw
    GV_WIDE_LINES = 4,    // a width other than 1 is set
    GV_STIFF_LINES = 8,   // lines that only the device could draw so
    GV_SIZES_COUNTED = 16 // primitives are counted, or tell how much is drawn
};
bool gv_require_sizes(struct gv_requirements *r, uint32_t seen);
// `stages`: there are some between vertices and rasterization; `traits`: GV_POINTS_* of
// the last.
bool gv_require_pipeline_sizes(struct gv_requirements *r,
                               const struct gv_graphics_desc *desc, bool stages,
                               uint32_t traits);

// Pipelines, samplers and shader modules.
bool gv_require_graphics(struct gv_requirements *r,
                         const struct gv_graphics_desc *desc);
bool gv_require_sampler(struct gv_requirements *r, const struct gv_sampler_desc *desc);
bool gv_require_spirv(struct gv_requirements *r, const void *words, size_t size);

// VkFormatFeatureFlagBits that calls imply.
#define GV_NEED_SAMPLED 0x1u
#define GV_NEED_STORAGE 0x2u
#define GV_NEED_UNIFORM_TEXEL (UINT64_C(0x8) << 32)
#define GV_NEED_STORAGE_TEXEL (UINT64_C(0x10) << 32)
#define GV_NEED_VERTEX (UINT64_C(0x40) << 32)
#define GV_NEED_COLOR 0x80u
#define GV_NEED_BLEND 0x100u
#define GV_NEED_DEPTH_STENCIL 0x200u
#define GV_NEED_BLIT_SRC 0x400u
#define GV_NEED_BLIT_DST 0x800u
#define GV_NEED_LINEAR 0x1000u

#endif
