// What the files of this folder share: the machine's part for drawing, framebuffer
// objects and renderbuffers.
#ifndef GV_GL_DRAWING_H
#define GV_GL_DRAWING_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/draw/gl_batch.h"
#include "compiler/gl/draw/gl_framebuffer.h"
#include "compiler/lower/id_map.h"
#include "compiler/lower/lower_bindings.h"
#include "compiler/lower/lower_pieces.h"
#include "compiler/lower/lower_pipeline.h"
#include "compiler/lower/lower_stream.h"

#define GV_GL_MAX_SIDE 16384u // of surfaces and renderbuffers
#define GV_GL_MAX_FRAMEBUFFERS (1u << 16)

enum gv_gl_attachment_kind {
    GV_GL_ATTACHED_NONE,
    GV_GL_ATTACHED_TEXTURE,
    GV_GL_ATTACHED_RENDERBUFFER,
};

struct gv_gl_attachment {
    enum gv_gl_attachment_kind kind;
    uint32_t name, level, layer; // layer: slice of arrays and 3D, face of cubes
    bool whole;                  // all layers that a texture has, where it has layers
};

// What an EGL image was made of.
struct gv_gl_image_source {
    struct gv_gl_attachment of; // a texture or a renderbuffer
    uint32_t group;             // whose object it is
    uint64_t serial;            // of the object; 0: there is none
};

struct gv_gl_framebuffer {
    struct gv_named named;
    struct gv_gl_attachment colors[GV_GL_DRAW_BUFFERS], depth, stencil;
    uint32_t draw_buffers[GV_GL_DRAW_BUFFERS], draw_buffer_count, read_buffer;
    uint32_t width, height,
        samples; // of one without attachments: glFramebufferParameteri
};

struct gv_gl_renderbuffer {
    struct gv_named named;
    uint32_t internal_format; // GL's; 0: no storage
    uint32_t format;          // GV_FORMAT_*
    uint32_t width, height, samples;
    bool opaque;                      // no alpha in the format: it is 1
    struct gv_image image;            // none until drawn to
    struct gv_gl_image_source source; // it is an EGL image; serial 0: of its own
};

// Names of framebuffer objects belong to a context.
struct gv_gl_framebuffer_names {
    const struct gv_gl_context *context;
    struct gv_id_map map;
    struct gv_gl_framebuffer_names *next;
};

// Pixels that were drawn, by their content.
#define GV_GL_DRAWN_IMAGES 16u
struct gv_gl_drawn_image {
    struct gv_hash hash;
    uint32_t width, format;
    struct gv_image image;
};

// An image that holds what is copied.
struct gv_gl_held_image {
    uint32_t format, width, height, layers, samples;
    struct gv_image image;
};

// What the bytes of a plane of depth or stencil are: gl_plain_depth.c.
enum gv_gl_plane_encoding {
    GV_GL_PLANE_D16,
    GV_GL_PLANE_D24,
    GV_GL_PLANE_D32,
    GV_GL_PLANE_S8,
    GV_GL_PLANE_ENCODINGS,
};

// What pictures after single calls show: no image, no picture.
struct gv_gl_viewed {
    struct gv_lower_attachment shown;
    uint32_t flags; // GV_PRESENT_*
};

struct gv_gl_accumulator { // gl_accum.c
    struct gv_pipeline pipeline;
    uint64_t block;         // of its uniforms
    struct gv_buffer light; // of the bytes of sRGB, and back
};

struct gv_gl_capture; // base/gl_capturing.h

// Of which the builder was told what they make together.
struct gv_gl_said_matrices {
    struct gv_gl_matrix projection, modelview;
};

struct gv_gl_drawing {
    struct gv_lower_pipelines pipelines;
    struct gv_lower_stream stream;
    struct gv_lower_pieces pieces;
    struct gv_gl_framebuffer_names *framebuffers;
    struct gv_id_map renderbuffers;
    struct gv_id_map egl_images; // by handle: gl_egl_image.c
    struct gv_gl_batch batch;
    // Of the target: z from -1 on, flat values from the last vertex. Without them
    // shaders shift z and primitives begin elsewhere.
    bool has_depth_control, has_last_vertex;
    struct gv_gl_said_matrices said;
    // Of the draw on its way.
    struct gv_gl_draw_state state;
    uint8_t *uniforms; // [GV_GL_UNIFORM_BYTES]
    struct gv_gl_storage *storage;
    struct gv_bytes numbers, vertices, steps, listed, outlined, sided;
    struct gv_gl_context *window;         // gl_window_draw.h
    const struct gv_gl_capture *captured; // the last one: compared, nothing else
    // Of pixels on their way.
    struct gv_bytes texels;
    struct gv_gl_drawn_image drawn[GV_GL_DRAWN_IMAGES];
    uint32_t next_drawn;
    // Where calls stand apart.
    bool has_view; // `view` was said
    struct gv_gl_viewed view;
    struct gv_gl_surface *swapped;              // its front is to get what its back has
    struct gv_gl_held_image held[2];            // colours, depth with stencil
    struct gv_gl_held_image resolved, plain[2]; // gl_blit.c
    struct gv_gl_held_image between;            // gl_copy_image.c
    struct gv_gl_held_image read;               // gl_copy_texture.c
    struct gv_gl_held_image drawn_from;         // gl_blit_draw.c
    struct gv_gl_held_image plain_depth[2];     // gl_plain_depth.c
    struct gv_gl_held_image cleared_to;         // gl_clear.c
    struct gv_pipeline planes[2][2][GV_GL_PLANE_ENCODINGS];
    struct gv_gl_accumulator accumulator;
    struct gv_pipeline first_sample;    // gl_surface.c
    struct gv_pipeline any_passed;      // gl_query_buffer.c
    struct gv_pipeline count_draws[2];  // geometry/gl_draw_counts.c
    struct gv_pipeline depth_colors[2]; // pixels/gl_depth_color.c
};

// The framebuffer object of a name in the current context, or NULL.
struct gv_gl_framebuffer *gv_gl_framebuffer_find(struct gv_gl_context *c,
                                                 struct gv_gl_drawing *d,
                                                 struct gv_gl_sink *sink,
                                                 uint32_t name);
struct gv_gl_renderbuffer *gv_gl_renderbuffer_find(struct gv_gl_drawing *d,
                                                   uint32_t group, uint32_t name);

// Its storage is an EGL image from now on.
void gv_gl_renderbuffer_become(struct gv_lower_pass *pass, struct gv_gl_renderbuffer *r,
                               const struct gv_gl_image_source *source);
// Makes the group of an image's object the current one, where the caller finds it and
// then goes back. False: the object is gone.
bool gv_gl_enter_image_source(struct gv_gl_drawing *d, struct gv_gl_objects *objects,
                              const struct gv_gl_image_source *s);

// An attachment as calls name it, its image made; false: there is no such image.
struct gv_gl_attached {
    struct gv_lower_attachment lower;
    uint32_t aspects, samples;
};
bool gv_gl_attachment_image(struct gv_gl *gl, const struct gv_gl_attachment *a,
                            struct gv_gl_attached *out);

// The object of a name in the current context, made if there is none. NULL: `err`.
struct gv_gl_framebuffer *gv_gl_framebuffer_make(struct gv_gl_context *c,
                                                 struct gv_gl_drawing *d,
                                                 struct gv_gl_sink *sink, uint32_t name,
                                                 struct gv_error *err);

// How an attachment of a format is written and read: sRGB counts where
// GL_FRAMEBUFFER_SRGB is on, as it always is in GLES.
uint32_t gv_gl_written_format(const struct gv_gl_context *c, uint32_t format);

// GL_FRAMEBUFFER_COMPLETE, or what it lacks.
uint32_t gv_gl_framebuffer_status(struct gv_gl *gl, const struct gv_gl_framebuffer *f);

// Whether colours of integers are attached, be they drawn to or not.
bool gv_gl_framebuffer_has_integers(struct gv_gl *gl,
                                    const struct gv_gl_framebuffer *f);

// The images of a renderbuffer and of a surface, made or grown if need be. May close
// the pass.
void gv_gl_renderbuffer_image(struct gv_lower_pass *pass, struct gv_gl_renderbuffer *r);
enum gv_gl_surface_part { GV_GL_SURFACE_BACK, GV_GL_SURFACE_FRONT };
// Which image of a surface a buffer's name (GL_BACK ...) means; false: none.
bool gv_gl_surface_part(uint32_t buffer, enum gv_gl_surface_part *part);
struct gv_lower_attachment gv_gl_surface_color(struct gv_gl_sink *sink,
                                               struct gv_gl_surface *s,
                                               enum gv_gl_surface_part part);
// The same with one sample a pixel: a copy where there are several.
struct gv_lower_attachment gv_gl_surface_read(struct gv_gl_sink *sink,
                                              struct gv_gl_surface *s,
                                              enum gv_gl_surface_part part);
struct gv_lower_attachment gv_gl_surface_depth(struct gv_gl_sink *sink,
                                               struct gv_gl_surface *s);

// The part of the targets, in their rows, that the scissor leaves. False: nothing.
bool gv_gl_scissored(const struct gv_gl_context *c, const struct gv_gl_targets *t,
                     struct gv_lower_rectangle *out);

// Sample counts that devices have, for one that was asked for.
uint32_t gv_gl_samples(int32_t asked);

// Averages samples of a part of `from` into a part of as many pixels of `to`.
void gv_gl_resolve(struct gv_lower_pass *pass, const struct gv_lower_attachment *to,
                   const struct gv_lower_rectangle *at,
                   const struct gv_lower_attachment *from,
                   const struct gv_lower_rectangle *part);

// The image of `h` if it is as `wanted` says, or a new one in its place.
struct gv_image gv_gl_hold(struct gv_lower_pass *pass, struct gv_gl_held_image *h,
                           const struct gv_gl_held_image *wanted);
// Bits of a part of one attachment to another, whose texels have as many.
struct gv_gl_texel_copy {
    const struct gv_lower_attachment *from, *to;
    struct gv_lower_rectangle part; // of `from`
    uint32_t x, y;                  // where it goes
    uint32_t aspects;               // GV_ASPECT_*: one copy each
};
void gv_gl_copy_texels(struct gv_lower_pass *pass, const struct gv_gl_texel_copy *c);
// A flat image of the size of `like`, which `h` holds.
struct gv_lower_attachment gv_gl_held_like(struct gv_lower_pass *pass,
                                           struct gv_gl_held_image *h,
                                           const struct gv_lower_attachment *like,
                                           uint32_t format, uint32_t samples);
// The same with all that `from` has, as bits of `format`.
struct gv_lower_attachment gv_gl_held_copy(struct gv_lower_pass *pass,
                                           struct gv_gl_held_image *h,
                                           const struct gv_lower_attachment *from,
                                           uint32_t format, uint32_t samples);
// A compute program of the front-end's own; its uniform blocks are fed as bytes.
bool gv_gl_make_compute(struct gv_gl_sink *sink, const char *text,
                        struct gv_pipeline *out, struct gv_error *err);

enum gv_gl_plane_encoding gv_gl_plane_encoding(uint32_t format, uint32_t aspect);

// Makes of an attachment of depth or stencil with so many samples one with one sample
// in another format, its highest row first: the same attachment, or a copy that lasts
// until the next call.
struct gv_gl_plain_depth {
    uint32_t samples, format;
    bool turned;
};
bool gv_gl_plain_depth(struct gv_gl_drawing *d, struct gv_gl_sink *sink,
                       struct gv_lower_attachment *a,
                       const struct gv_gl_plain_depth *wanted, struct gv_error *err);
// One plane of the same part of an attachment of the same format, by way of a buffer.
void gv_gl_move_plane(struct gv_lower_pass *pass,
                      const struct gv_lower_attachment *from,
                      const struct gv_lower_attachment *to,
                      const struct gv_lower_rectangle *part, uint32_t aspect);

// Formats of windows: depth with stencil, as the target has it.
uint32_t gv_gl_depth_stencil_format(struct gv_builder *b);
// GV_ASPECT_* of a format.
uint32_t gv_gl_format_aspects(uint32_t format);

#endif
