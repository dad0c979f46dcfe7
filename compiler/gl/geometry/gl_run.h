// Vertices as they come one by one: of a glBegin, of several that draw the same kind of
// independent primitives, of a display list. What does not change between them is kept
// once.
#ifndef GV_GL_RUN_H
#define GV_GL_RUN_H

#include <string.h>

#include "compiler/gl/base/gl_geometry.h"
#include "resources/base/error.h"

#define GV_GL_MAX_RUN_VERTICES (1u << 22)
#define GV_GL_MAX_RUN_FLOATS (UINT64_C(1) << 26) // of all slots together
#define GV_GL_LONG_RUN (1u << 16) // vertices; from there on no more gather

// The edge flag is carried like a slot, as 0 or 1.
#define GV_GL_EDGE GV_GL_SLOTS
#define GV_GL_ARRAY_SLOTS (GV_GL_SLOTS + 1)
// So are the third and fourth number of each generic attribute of doubles.
#define GV_GL_BEHIND GV_GL_ARRAY_SLOTS
#define GV_GL_RUN_SLOTS (GV_GL_BEHIND + GV_GL_GENERICS)
#define GV_GL_BIT(slot) (UINT64_C(1) << (slot))

// Whether values are the same to the bit: NaNs are, zeroes of other signs are not.
static inline bool gv_gl_same(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

// What a value of a slot was given as.
struct gv_gl_shape {
    uint8_t size; // components; others are 0, 0, 0, 1
    uint8_t kind; // enum gv_gl_kind
};

static inline struct gv_gl_shape gv_gl_real(uint32_t size)
{
    return (struct gv_gl_shape){ (uint8_t)size, GV_GL_FLOATS };
}

struct gv_gl_run {
    uint32_t mode;
    uint32_t count, capacity;         // vertices
    uint64_t known;                   // bit per slot: `base` and `values` are set
    uint64_t varying;                 // bit per slot: `slots` has it for each vertex
    uint64_t touched;                 // bit per slot: set since the last vertex
    float base[GV_GL_RUN_SLOTS][4];   // of slots that do not vary: of all vertices
    float values[GV_GL_RUN_SLOTS][4]; // the next vertex's
    float *slots[GV_GL_RUN_SLOTS];    // owned; 4 floats a vertex
    uint8_t sizes[GV_GL_RUN_SLOTS];   // components given
    uint8_t kinds[GV_GL_RUN_SLOTS];   // as it was given last
    // The first vertices of a slot that varies which came before it was known: they
    // take the value that is current when the run is drawn.
    uint32_t open[GV_GL_RUN_SLOTS];
    uint8_t *edges; // owned: GV_GL_EDGE as bytes, for geometry
};

void gv_gl_run_finish(struct gv_gl_run *run);

// No vertices, nothing known; memory is kept.
void gv_gl_run_clear(struct gv_gl_run *run);

// What is current before the first vertex.
void gv_gl_run_begin(struct gv_gl_run *run, const struct gv_gl_current *current);

// The next vertices' value of a slot, all 4 words of it.
void gv_gl_run_set(struct gv_gl_run *run, uint32_t slot, struct gv_gl_shape shape,
                   const float value[4]);

// Makes a value of a slot the current one.
void gv_gl_run_make_current(struct gv_gl_current *current, uint32_t slot,
                            struct gv_gl_shape shape, const float value[4]);

// One more vertex at the position that was set. False: too many, or no memory.
bool gv_gl_run_vertex(struct gv_gl_run *run, struct gv_error *err);

// How many bits are set.
uint32_t gv_gl_bits(uint64_t set);

// How many of `count` vertices make whole primitives; all of GL_PATCHES, whose size is
// the context's.
uint32_t gv_gl_whole(uint32_t mode, uint32_t count);

// Forgets the last vertices, those of no whole primitive.
void gv_gl_run_cut(struct gv_gl_run *run);

// Vertices of one independent primitive; 0: primitives of this mode share vertices.
uint32_t gv_gl_independent(uint32_t mode);

// The vertices as geometry, which borrows them.
bool gv_gl_run_geometry(struct gv_gl_run *run, struct gv_gl_geometry *out,
                        struct gv_error *err);

#endif
