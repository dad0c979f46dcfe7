// Framebuffers: surfaces of the window system and framebuffer objects.
//
// A surface's images stand with row 0 at the top (draws flip y); those of framebuffer
// objects have GL's rows: row 0 is the lowest.
#ifndef GV_GL_FRAMEBUFFER_H
#define GV_GL_FRAMEBUFFER_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/lower/lower_pass.h"

// What EGL was told that the colours of a surface are.
enum gv_gl_color_space {
    GV_GL_SPACE_ANY, // as the visual and GL_FRAMEBUFFER_SRGB say
    GV_GL_SPACE_LINEAR,
    GV_GL_SPACE_SRGB,
};

// A window, pbuffer or pixmap. Its size only grows (sheet: inferred from viewports);
// content is kept over swaps.
struct gv_gl_surface {
    uint64_t handle;
    bool pbuffer;
    enum gv_gl_color_space space;
    uint32_t width, height;
    uint32_t samples;                   // 0, 1: one
    struct gv_image front, back, depth; // none until drawn to
    uint32_t made_width, made_height;   // of the images
    struct gv_image resolved;           // of several samples: what was read last
    // gl_accum.c: four numbers a pixel, a colour a pixel; none until accumulated.
    struct gv_buffer sums, bytes;
    uint32_t sums_width, sums_height;
    struct gv_gl_surface *next;
};

// Gives up a surface's images; the pass on them ends.
void gv_gl_surface_finish(struct gv_gl_sink *sink, struct gv_gl_surface *s);

// The targets that draws and clears of the current context go to, made or grown if need
// be; `flipped` as in gv_gl_fixed_inputs. Not complete: nothing is drawn.
struct gv_gl_targets {
    struct gv_lower_targets lower;
    bool flipped, complete;
    uint32_t width, height, samples;
    bool stencil; // its depth attachment has a stencil aspect that counts
};
bool gv_gl_draw_targets(struct gv_gl *gl, struct gv_gl_targets *out,
                        struct gv_error *err);

// What reads take: the colour buffer of glReadBuffer (none: no image), depth and
// stencil, and their rows' order.
struct gv_gl_read_source {
    struct gv_lower_attachment color, depth;
    uint32_t depth_aspects;
    uint32_t samples, depth_samples;    // of windows colours come with one
    struct gv_lower_attachment several; // of windows: colours as they are
    uint32_t seen; // what blits see colours as: windows of the desktop can be sRGB
    bool flipped, complete;
    uint32_t width, height;
};
bool gv_gl_read_targets(struct gv_gl *gl, struct gv_gl_read_source *out,
                        struct gv_error *err);

// The rule of sizes: glViewport (and the far corner of blits) while the surface is
// bound. After a growth the scissor is the whole surface.
void gv_gl_surface_reach(struct gv_gl_context *c, int64_t right, int64_t top);

// The frame's end: shows the surface that is swapped (NULL: the current one).
bool gv_gl_show(struct gv_gl *gl, struct gv_gl_surface *s, struct gv_error *err);

// The front of what was swapped gets what the back has, where that waits for the next
// call.
void gv_gl_finish_swap(struct gv_gl_drawing *d, struct gv_lower_pass *pass);

// A context that is destroyed: its framebuffer objects go.
void gv_gl_framebuffers_forget(struct gv_gl_drawing *d,
                               const struct gv_gl_context *context);

// Frees all renderbuffers of the group gl->group, which no context has any more.
void gv_gl_renderbuffers_end_group(struct gv_gl_drawing *d, uint32_t group,
                                   struct gv_lower_pass *pass);

extern const struct gv_gl_row gv_gl_framebuffer_rows[], gv_gl_framebuffer_named_rows[],
    gv_gl_renderbuffer_rows[], gv_gl_blit_rows[], gv_gl_copy_image_rows[];

#endif
