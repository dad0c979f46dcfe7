// Draws of equal state that follow each other are one draw: vertices and indices are
// gathered until something else is to be done.
#ifndef GV_GL_BATCH_H
#define GV_GL_BATCH_H

#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/program/gl_storage.h"
#include "compiler/lower/lower_bindings.h"
#include "compiler/lower/lower_pieces.h"
#include "compiler/lower/lower_state.h"
#include "compiler/lower/lower_stream.h"

// A block of uniforms that is bound.
struct gv_gl_bound_block {
    struct gv_lower_place place;
    uint32_t bytes, offset; // among the draw's uniforms
    uint64_t id;
};

// A buffer that is read as texels.
struct gv_gl_bound_texels {
    struct gv_lower_place place;
    uint32_t format; // GV_FORMAT_*
    struct gv_buffer buffer;
    uint64_t size; // bytes
};

// All that a draw depends on but its vertices. Compared as bytes: zero one before it is
// filled, and leave what does not matter zero.
struct gv_gl_draw_state {
    struct gv_lower_targets targets;
    struct gv_pipeline pipeline;
    uint32_t stride; // bytes of a vertex; 0: no attributes
    struct gv_lower_viewport viewport;
    float coarse_x, coarse_y; // its further way where vertices lie on a coarse grid
    struct gv_lower_rectangle scissor;
    float blend_color[4];
    struct gv_lower_stencil stencil[2];
    struct gv_lower_depth_bias bias;
    float line_width;
    uint32_t stipple_factor, stipple_pattern; // factor 0: none
    struct gv_lower_texture textures[GV_GL_SAMPLED];
    struct gv_lower_place places[GV_GL_SAMPLED];
    uint32_t texture_count, texels_count;
    struct gv_gl_bound_texels texels[GV_GL_SAMPLED_BUFFERS];
    struct gv_gl_bound_block blocks[GV_GL_BLOCKS];
    uint32_t block_count, uniform_bytes;        // bytes of all of them
    uint32_t stenciled, blended, biased, lined; // which of the above count
};

#define GV_GL_BATCH_PIECES 64u

struct gv_gl_batch {
    bool open;
    struct gv_gl_draw_state state;
    uint8_t *uniforms;        // [GV_GL_UNIFORM_BYTES]
    struct gv_bytes vertices; // and, when it is emitted, the indices
    struct gv_bytes indices;  // uint32_t
    uint32_t written;         // vertices that these two have
    // Behind them, what is put there only if it is needed.
    struct gv_lower_piece *pieces[GV_GL_BATCH_PIECES];
    uint32_t piece_count;
    bool keyed; // `key` names all that was added
    struct gv_hash key;
    bool indexed;  // else vertices are drawn as they come
    bool numbered; // vertices are counted from 0 on
    uint32_t vertex_count, index_count, instances, first_instance;
    uint64_t vertex_bytes;
    const struct gv_gl_batch_draw *single; // of one that stands alone, as it is added
    struct gv_error error;                 // of what was emitted in between
    uint64_t draws, emitted;               // for figures
};

// Where transform feedback of a draw goes, by the numbers of its buffers.
struct gv_gl_batch_capture {
    bool used[GV_MAX_GLSL_CAPTURE_BUFFERS];
    bool goes_on; // behind what was captured before, as counters say
    struct gv_buffer buffers[GV_MAX_GLSL_CAPTURE_BUFFERS], counters;
    uint64_t offsets[GV_MAX_GLSL_CAPTURE_BUFFERS]; // bytes
    uint64_t sizes[GV_MAX_GLSL_CAPTURE_BUFFERS];
};

// Vertices that the device has: a binding of the pipeline's input.
struct gv_gl_batch_array {
    uint32_t slot, stride;
    struct gv_buffer buffer;
    uint64_t offset; // bytes
};

// What steps by instance: bytes that are written with the vertices, and their binding.
struct gv_gl_batch_steps {
    const void *bytes;
    size_t size;
    uint32_t slot, stride;
};

// The viewports behind the first one, and what their scissors leave.
struct gv_gl_batch_view {
    struct gv_lower_viewport viewport;
    struct gv_lower_rectangle scissor;
};

// Vertices of one draw, and how they are drawn.
struct gv_gl_batch_draw {
    const struct gv_gl_draw_state *state;
    const uint8_t *uniforms;
    const struct gv_lower_piece *vertices; // lasts until the call ends
    struct gv_lower_piece *piece;          // the same, to be held; NULL: none
    const struct gv_hash *key;             // names them; NULL: nothing does
    uint32_t instances;
    uint32_t first_instance; // 0 unless alone
    bool alone;              // nothing is appended to it
    bool numbered;           // stages see the numbers of its vertices, from 0 on
    // NULL, 0: none. They stand alone, and are numbered.
    const struct gv_gl_batch_capture *capture;
    const struct gv_gl_batch_array *arrays;
    uint32_t array_count;
    const struct gv_gl_batch_steps *steps;
    const struct gv_gl_batch_view *views; // [GV_GL_VIEWPORTS - 1]
    const struct gv_gl_counted *counted;
    const struct gv_gl_storage *storage;
};

// Binds blocks, textures and texels of a state.
void gv_gl_bind_state(struct gv_builder *b, const struct gv_gl_draw_state *s,
                      const uint8_t *uniforms);

// Adds a draw; opens the pass. False: memory.
bool gv_gl_batch_add(struct gv_gl *gl, const struct gv_gl_batch_draw *d,
                     struct gv_error *err);

// Emits what is gathered. The pass tells it before it ends.
void gv_gl_batch_flush(void *gl);

bool gv_gl_batch_init(struct gv_gl *gl, struct gv_error *err);
void gv_gl_batch_finish(struct gv_gl_drawing *d);

#endif
