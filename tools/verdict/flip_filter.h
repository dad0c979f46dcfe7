// The filters of FLIP, as weights of one direction: all of them are products of one
// across and one down, or sums of two such.
#ifndef GV_FLIP_FILTER_H
#define GV_FLIP_FILTER_H

#define GV_FLIP_PIXELS_PER_DEGREE \
    67.020643             // 3840 pixels of a width as far away as wide
#define GV_FLIP_RADIUS 10 // of the widest filter
#define GV_FLIP_TAPS (2 * GV_FLIP_RADIUS + 1)

enum gv_flip_plane {
    GV_FLIP_A,  // how the eye blurs what is bright and dark,
    GV_FLIP_RG, // red and green,
    GV_FLIP_BY, // blue and yellow: a sum of two
    GV_FLIP_BY_WIDE,
    GV_FLIP_SMOOTH, // across what edges and points are looked for
    GV_FLIP_EDGE,   // first derivative
    GV_FLIP_POINT,  // second
    GV_FLIP_PLANES
};

struct gv_flip_filters {
    float weights[GV_FLIP_PLANES][GV_FLIP_TAPS];
    float share_by, share_by_wide; // of both in the sum
};

void gv_flip_filters_init(struct gv_flip_filters *filters);

#endif
