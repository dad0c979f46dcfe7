// Passes: opened when the first draw or clear needs them, and open until the targets
// change or something happens that no pass may contain. That is nobody's to remember:
// whoever transfers, makes or destroys asks gv_lower_transfer for the builder, and the
// pass is closed.
#ifndef GV_LOWER_PASS_H
#define GV_LOWER_PASS_H

#include "compiler/builder/builder.h"

// An attachment as calls name it.
struct gv_lower_attachment {
    struct gv_image image; // or none
    uint32_t format, mip, layer;
    uint32_t width, height;
    uint32_t opaque; // 1: its alpha is 1 and stays so, whatever is written
    uint32_t layers; // from `layer` on, that stages choose from; 0: one
    uint32_t made;   // the format of the image; `format` may be a view's. 0: the same
    uint32_t volume; // 1: of a 3D image, whose slices passes count as layers
    uint32_t line;   // 1: of a 1D image
};

static inline uint32_t gv_lower_made(const struct gv_lower_attachment *a)
{
    return a->made ? a->made : a->format;
}

// Copies have z where passes have layers of 3D images.
static inline uint32_t gv_lower_layer(const struct gv_lower_attachment *a)
{
    return a->volume ? 0 : a->layer;
}
static inline uint32_t gv_lower_z(const struct gv_lower_attachment *a)
{
    return a->volume ? a->layer : 0;
}

// Compared as bytes: zero one before it is filled.
struct gv_lower_targets {
    struct gv_lower_attachment colors[GV_MAX_COLOR_ATTACHMENTS], depth;
    uint32_t depth_aspects; // GV_ASPECT_* of the depth format
    // From here on by gv_lower_targets_fit.
    uint32_t color_count;   // last used + 1
    uint32_t width, height; // what fits all of them
    uint32_t uniform;       // 1: all attachments have that size
    uint32_t layers;        // that all of them have; 0: there are none
};

// Counts and measures the attachments.
void gv_lower_targets_fit(struct gv_lower_targets *t);

struct gv_lower_rectangle {
    uint32_t x, y, width, height;
};

struct gv_lower_clear {
    uint32_t aspects;  // GV_ASPECT_*; what the targets lack is not cleared
    uint32_t color[4]; // of all colours, as their format reads them
    float depth;       // 0 to 1
    uint32_t stencil;
};

// Set `b`, and `streams` if draws read streams (lower_stream.h), `ends` if they are
// held back; zero the rest.
struct gv_lower_pass {
    struct gv_builder *b;
    bool streams; // each pass has a place ahead of it
    // Told before the open pass ends or is cleared in: whoever holds draws back emits
    // them then. NULL: nobody.
    void (*ends)(void *owner);
    void *owner;
    bool open;
    struct gv_lower_targets targets; // of the open pass
    uint64_t frame;                  // counted by gv_lower_pass_end_frame
};

// The builder, for what must stand outside of passes: transfers, new and dead images,
// pictures, dispatches, frame ends. Closes the open pass.
struct gv_builder *gv_lower_transfer(struct gv_lower_pass *p);

// The builder ahead of all passes of the frame so far, where there is such a place: for
// work on an image that nothing in this frame has used yet, which then ends no pass.
// Calls that set no state and destroy nothing, up to gv_lower_ahead_end; all that they
// use was made there or before the frame's first pass. NULL: there is none.
struct gv_builder *gv_lower_ahead(struct gv_lower_pass *p);
void gv_lower_ahead_end(struct gv_lower_pass *p);

// The frame is over: closes the pass. Draws that were held back are emitted.
void gv_lower_pass_end_frame(struct gv_lower_pass *p);

// Opens a pass on the targets unless that is the one that is open.
void gv_lower_pass_begin(struct gv_lower_pass *p, const struct gv_lower_targets *t);

// Clears the targets, or of each the rectangle `part`: as the beginning of a pass where
// it can be, else within the open one. Without a part, targets of several sizes are
// cleared wholly, each in a pass of its own.
void gv_lower_pass_clear(struct gv_lower_pass *p, const struct gv_lower_targets *t,
                         const struct gv_lower_clear *clear,
                         const struct gv_lower_rectangle *part);

#endif
