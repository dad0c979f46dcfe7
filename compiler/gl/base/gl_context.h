// A context: server and client state, matrices, what it is current with. Contexts are
// made by the window systems' calls (gl_window.c); one is current per thread.
#ifndef GV_GL_CONTEXT_H
#define GV_GL_CONTEXT_H

#include "compiler/gl/base/gl_client.h"

#define GV_GL_MODELVIEW_DEPTH 32u
#define GV_GL_PROGRAM_MATRICES 8u // GL_MATRIX0_ARB and those behind it
#define GV_GL_ATTRIBUTE_DEPTH 16u
#define GV_GL_BUFFER_TARGETS 16u
#define GV_GL_POINT_TARGETS 4u   // that have indexed points: gl_buffer_points.c
#define GV_GL_POINTS 96u         // of one, at most
#define GV_GL_STORAGE_UNITS 192u // image units: texture/gl_image_unit.h

// What glBindImageTexture binds.
struct gv_gl_image_unit {
    uint32_t texture; // name, 0: none
    int32_t level, layer;
    uint32_t format; // GL_RGBA8 ...
    bool layered;    // all layers; else one
};

// Column after column, as GL has them.
struct gv_gl_matrix {
    float m[16];
};

struct gv_gl_matrix_stack {
    struct gv_gl_matrix entries[GV_GL_MODELVIEW_DEPTH];
    uint32_t top;
};
static inline struct gv_gl_matrix *gv_gl_top(struct gv_gl_matrix_stack *s)
{
    return &s->entries[s->top];
}

// Of what a context's visual has, what glretrace does not settle (gl_visual.c).
struct gv_gl_visual {
    uint32_t samples; // 0, 1: not several
    bool accumulates; // a buffer for glAccum
    bool opaque;      // no alpha: it is 1
    bool plain;       // no sRGB, whatever GL_FRAMEBUFFER_SRGB says
};

// What is bound to an indexed point of buffers.
struct gv_gl_buffer_point {
    uint32_t buffer;       // name; 0: none
    uint64_t offset, size; // size 0: all behind, as long as the buffer is
};

struct gv_gl_surface;     // draw/gl_framebuffer.h
struct gv_gl_framebuffer; // likewise
struct gv_gl_program;     // program/gl_program.h
struct gv_gl_assembled;   // assembly/gl_assembly.h
struct gv_gl_pipelined;   // likewise
struct gv_gl_querying;    // base/gl_conditions.c
struct gv_gl_capturing;   // base/gl_capturing.h

// On its way to the material: gl_material.h.
struct gv_gl_given {
    uint32_t parts[2]; // by glMaterial, per face
    struct gv_gl_material values[2];
    float color[4]; // the last one heard of
    bool fresh; // something was given outside of primitives that nothing asked for yet
    bool waits; // for a change of state, that flushes
};

enum gv_gl_family { GV_GL_DESKTOP, GV_GL_ES };

struct gv_gl_context {
    uint64_t handle; // as recorded
    enum gv_gl_family family;
    uint32_t version; // asked for: 10 * major + minor
    bool core;
    struct gv_gl_visual visual;

    struct gv_gl_state state;
    struct gv_gl_client client;
    struct gv_gl_matrix_stack modelview, projection, texture[GV_GL_UNITS], color;
    struct gv_gl_matrix_stack matrices[GV_GL_PROGRAM_MATRICES];

    struct gv_gl_surface *draw_surface, *read_surface; // NULL: none
    // Bound framebuffer objects; NULL: the surface.
    struct gv_gl_framebuffer *draw_framebuffer, *read_framebuffer;
    uint32_t renderbuffer; // name
    // What draws run: what is in use, else what the bound pipeline's stages are joined
    // to; NULL: the fixed function.
    struct gv_gl_program *program;
    struct gv_gl_program *used;             // glUseProgram; NULL: none
    struct gv_gl_assembled *assembled;      // programs of assembly; NULL: none so far
    struct gv_gl_pipelined *pipelined;      // program pipelines; NULL: none so far
    struct gv_gl_capturing *capturing;      // NULL: no transform feedback so far
    struct gv_gl_querying *querying;        // NULL: no occlusion queries so far
    uint32_t samplers[GV_GL_IMAGE_UNITS];   // names of sampler objects, of each unit
    uint32_t buffers[GV_GL_BUFFER_TARGETS]; // bound to targets that struct gv_gl_client
                                            // does not have: gl_buffer_calls.c
    struct gv_gl_buffer_point points[GV_GL_POINT_TARGETS][GV_GL_POINTS];
    struct gv_gl_image_unit image_units[GV_GL_STORAGE_UNITS];
    struct {
        uint32_t vertices;        // of one; 3 at first
        float outer[4], inner[2]; // levels where no program controls them
    } patches;
    // Of window framebuffers: glDrawBuffer(s), glReadBuffer.
    uint32_t draw_buffers[GV_GL_DRAW_BUFFERS], draw_buffer_count, read_buffer;

    // Attribute stacks (state/gl_attributes.c), vertex array objects, lists being made,
    // glBegin, glRenderMode: each room's own, by its file.
    struct gv_gl_attribute_stack *attributes;
    struct gv_gl_vertex_array default_array;
    struct gv_gl_feeding *feeding; // geometry/: selection and feedback
    bool inside_begin;
    uint32_t begun; // what the last glBegin was of
    struct gv_gl_given given;
    bool no_pixels;   // glRenderMode: selection or feedback, nothing is drawn
    bool discards;    // GL_RASTERIZER_DISCARD: vertices alone, no fragments, no clears
    bool was_current; // once: viewport and scissor are set
};

// Whether no pixel can come of anything but copies.
static inline bool gv_gl_draws_nothing(const struct gv_gl_context *c)
{
    return c->no_pixels || c->discards;
}

// Whether a program places vertices.
static inline bool gv_gl_is_placed(const struct gv_gl_context *c)
{
    return c->program || c->state.assembly[0];
}

// Whether points that are drawn now are squares of whole pixels: as OpenGL had them
// before there were sprites. `multisampled`: the target has several samples, which are
// on.
static inline bool gv_gl_snaps_points(const struct gv_gl_context *c, bool multisampled)
{
    const bool old = c->family == GV_GL_DESKTOP ? !c->core : c->version < 20;
    return !multisampled && !c->state.point.smooth && !c->state.point.sprite && old;
}

// A vertex array as it is made: nothing is on.
void gv_gl_vertex_array_init(struct gv_gl_vertex_array *v);

// A context as it is made: GL's initial values throughout. `family`, `version` and
// `core` are the caller's.
void gv_gl_context_init(struct gv_gl_context *c);

#endif
