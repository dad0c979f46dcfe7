// What a draw takes of its arrays: the vertices that it uses, as geometry has them.
#ifndef GV_GL_TAKING_H
#define GV_GL_TAKING_H

#include "compiler/gl/geometry/gl_elements.h"
#include "compiler/gl/geometry/gl_indices.h"

// The arrays that are on.
struct gv_gl_open_arrays {
    uint32_t count;
    uint32_t slots[GV_GL_ARRAY_SLOTS];
    struct gv_gl_elements elements[GV_GL_ARRAY_SLOTS];
    uint64_t vertices;  // that the positions have; 0: nothing is drawn
    bool aliased;       // generic attribute 0 is the position
    uint32_t instanced; // how many step by instance
    uint32_t devices;   // how many only the device has; not among those
    uint32_t vertex_floats, instance_floats; // of all but those
};

// Which vertices a draw takes: `count` from `first` on, or those of `list`.
struct gv_gl_wanted {
    uint64_t first, count;
    const uint32_t *list;
};

// All that a draw takes of its arrays.
struct gv_gl_taking {
    const struct gv_gl_array_draw *draw;
    const struct gv_gl_open_arrays *arrays;
    struct gv_gl_wanted wanted;
    const struct gv_gl_indices *indices; // NULL: without
    // Where the indices go as numbers of the wanted vertices; NULL: they are there.
    uint32_t *places;
};

// Opens all that are on of the bound vertex array.
void gv_gl_arrays_open(struct gv_gl_context *c, struct gv_gl_objects *objects,
                       struct gv_gl_sink *sink, struct gv_gl_open_arrays *out);

// How many floats gv_gl_take makes; an upper bound.
uint64_t gv_gl_taking_floats(const struct gv_gl_taking *t);

// Names what gv_gl_take makes and the indices: equal names, equal content. False:
// nothing does, since the program's memory or the device has vertices.
bool gv_gl_taking_source(const struct gv_gl_taking *t, struct gv_hash *out);

// Makes `places`, which is not NULL.
void gv_gl_places_make(const struct gv_gl_taking *t);

// A geometry's, of which a taking is made when it is read.
struct gv_gl_untaken {
    struct gv_gl_unmade unmade;
    const struct gv_gl_taking *taking;
    const struct gv_gl_geometry *geometry;
};
void gv_gl_untaken_init(struct gv_gl_untaken *u, const struct gv_gl_taking *t,
                        struct gv_gl_geometry *g);

// Fills vertices and slots of a draw, but for what is left unmade. Those of the last
// one end.
bool gv_gl_take(struct gv_gl_context *context, struct gv_gl_sink *sink,
                const struct gv_gl_taking *t, struct gv_gl_geometry *g,
                struct gv_error *err);

// Room for `count` elements of `size` bytes in an array that is kept.
bool gv_gl_room(void *array, uint64_t *capacity, uint64_t count, size_t size,
                struct gv_error *err);

void gv_gl_converted_finish(struct gv_gl_converted *c);

#endif
