// Vertex shaders that make a corner of a point or of a line instead of a vertex, and
// the fragment shaders behind them: for devices whose points and lines are one pixel
// wide. Each point or line is an instance of four vertices, a triangle strip; inputs
// are its own, and builtins of the draw come in two inputs more.
#ifndef GV_SPIRV_QUADS_H
#define GV_SPIRV_QUADS_H

#include "vm/spirv/spirv_module.h"

#define GV_MAX_QUAD_SIZE 255 // pixels, of points and lines

// What a draw tells its quads, in up to four inputs of 16 bytes.
struct gv_quad_record {
    float width, height; // of a pixel, as a share of the viewport
    float line, unused;  // pixels
    int32_t vertex[2];   // of the first quad's ends
    int32_t instance;
    int32_t step; // vertices from one quad to the next
    int32_t base_vertex, base_instance, more[2];
    float view[4]; // the viewport's place and size in pixels
};
#define GV_QUAD_INPUTS 4
#define GV_QUAD_VIEW 3 // which of them is `view`
#define GV_MAX_QUAD_BINDINGS (2 * (GV_MAX_VERTEX_BINDINGS + 1) + 1)

struct gv_spirv_quads {
    uint32_t ends; // vertices of a primitive: 1 point, 2 line; 0: none
    uint32_t record[GV_QUAD_INPUTS]; // locations, or GV_SPIRV_UNSET where none reads it
    uint32_t second;      // lines: what is added to locations for the last vertex
    uint32_t point_coord; // location where PointCoord goes on, or GV_SPIRV_UNSET
    uint32_t flat;        // lines: bits of the locations that are one end's alone,
    bool flat_last;       // the last one's
    // Smooth lines: locations where the ends in pixels go on, and half the width with
    // the ratio of the ends' w; `smooth_ends` is GV_SPIRV_UNSET of others.
    uint32_t smooth_ends, smooth_width;
};

static inline bool gv_spirv_quads_smooth(const struct gv_spirv_quads *q)
{
    return q->ends == 2 && q->smooth_ends != GV_SPIRV_UNSET;
}

// What shaders read that quads must be told: a vertex shader which vertex and instance
// it is at, and where the draw begins; a fragment shader PointCoord, flat inputs, and
// whether its first colour is a variable whose alpha can be scaled.
struct gv_spirv_sprite {
    bool numbers, bases;
    bool point_coord;
    bool primitive; // its number, which a quad does not have
    bool alpha;
    uint32_t flat; // bits of locations
};
bool gv_spirv_sprite(const uint32_t *words, size_t count, struct gv_spirv_sprite *out,
                     struct gv_error *err);

// Rewritten modules of words that have passed the checker; the new ones must pass it
// too. GV_ERR_UNSUPPORTED where the interface is of a form that is not rewritten. The
// caller frees `*out`.
bool gv_spirv_quad_vertex(const uint32_t *words, size_t count,
                          const struct gv_spirv_quads *quads, uint32_t **out,
                          size_t *out_count, struct gv_error *err);

// PointCoord becomes the input `point_coord`; of points, all others become flat.
bool gv_spirv_quad_fragment(const uint32_t *words, size_t count,
                            const struct gv_spirv_quads *quads, uint32_t **out,
                            size_t *out_count, struct gv_error *err);

// Alpha of the first colour falls off at the edges of a smooth line, as Mesa's software
// rasteriser has it. It is computed from the line's ends and not interpolated: devices
// place vertices with fewer bits than that takes.
bool gv_spirv_smooth_fragment(const uint32_t *words, size_t count,
                              const struct gv_spirv_quads *quads, uint32_t **out,
                              size_t *out_count, struct gv_error *err);

#endif
