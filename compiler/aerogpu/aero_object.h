// Objects that handles name: buffers, textures and views of them, shaders, input
// layouts, samplers; and the tokens of shared surfaces.
#ifndef GV_AERO_OBJECT_H
#define GV_AERO_OBJECT_H

#include "compiler/aerogpu/aero_format.h"
#include "compiler/aerogpu/image_pieces.h"
#include "compiler/lower/id_map.h"
#include "compiler/lower/lower_buffer.h"

#define GV_AERO_MAX_OBJECTS 65536u // live at once
#define GV_AERO_MAX_ELEMENTS 32u   // of an input layout

struct gv_aero;
struct gv_aero_context;
struct gv_cmd;

// Resource usage bits.
enum {
    GV_AERO_USAGE_VERTEX = 0x01,
    GV_AERO_USAGE_INDEX = 0x02,
    GV_AERO_USAGE_CONSTANT = 0x04,
    GV_AERO_USAGE_TEXTURE = 0x08,
    GV_AERO_USAGE_RENDER_TARGET = 0x10,
    GV_AERO_USAGE_DEPTH_STENCIL = 0x20,
    GV_AERO_USAGE_SCANOUT = 0x40,
    GV_AERO_USAGE_STORAGE = 0x80,
};

enum gv_aero_kind {
    GV_AERO_BUFFER = 1,
    GV_AERO_TEXTURE,
    GV_AERO_VIEW,
    GV_AERO_SHADER,
    GV_AERO_LAYOUT,
    GV_AERO_SAMPLER,
};

// Guest memory a resource mirrors.
struct gv_aero_backing {
    uint32_t alloc_id; // 0 = none
    uint32_t offset;
};

struct gv_aero_buffer {
    struct gv_lower_buffer base; // of constant buffers the content is tracked
    uint32_t usage;
    struct gv_aero_backing backing;
    // The hidden counter of append and consume views, made when first needed.
    struct gv_buffer counter;
    uint32_t counter_start; // what a binding wants it to be
    bool counter_pending;   // and it is not yet
};

struct gv_aero_texture {
    struct gv_aero_image base;
    uint32_t usage;
    struct gv_aero_backing backing;
    bool opaque; // X8: alpha reads as 1
};

// A part of a texture, possibly in another format.
struct gv_aero_view {
    struct gv_aero_object *texture;
    const struct gv_linear_format *format;
    uint32_t mip, mips, layer, layers;
};

struct gv_aero_shader {
    struct gv_aero_code *code; // aero_code.h
    uint32_t stage;            // enum gv_dxbc_stage
};

struct gv_aero_element {
    uint32_t semantic_hash, semantic_index; // D3D10/11 layouts
    uint32_t usage, usage_index;            // D3D9 declarations
    uint32_t format;                        // GV_FORMAT_*
    uint32_t slot, offset;
    bool instance;
    uint32_t step;
};

struct gv_aero_layout {
    struct gv_aero_element *elements;
    uint32_t count;
    bool d3d9;
};

struct gv_aero_object {
    struct gv_named named;
    uint8_t kind; // enum gv_aero_kind
    bool bound;   // some context may hold it
    union {
        struct gv_aero_buffer buffer;
        struct gv_aero_texture texture;
        struct gv_aero_view view;
        struct gv_aero_shader shader;
        struct gv_aero_layout layout;
        struct gv_sampler sampler;
    };
};

struct gv_aero_token {
    uint64_t token;
    struct gv_aero_object *object; // NULL: retired
};

struct gv_aero_tokens {
    struct gv_aero_token *items;
    uint32_t count, capacity;
};

// ---- aero_objects.c ----

// The live object of a handle, or NULL (0, unknown, destroyed, dead original).
struct gv_aero_object *gv_aero_find(struct gv_aero *a, uint32_t handle);
// An original that was destroyed while aliases of it live: its use is an error.
bool gv_aero_is_dead(struct gv_aero *a, uint32_t handle);
// Makes an object of `kind` under a handle that must be free and not 0.
struct gv_aero_object *gv_aero_create(struct gv_aero *a, uint32_t handle,
                                      enum gv_aero_kind kind, struct gv_error *err);
// Makes a free handle another name of `o`.
bool gv_aero_alias(struct gv_aero *a, uint32_t handle, struct gv_aero_object *o,
                   struct gv_error *err);
// Drops one handle. Unknown handles are no error.
void gv_aero_destroy(struct gv_aero *a, uint32_t handle);
void gv_aero_release(struct gv_aero *a, struct gv_aero_object *o);
// Takes `o` out of every binding of every context.
void gv_aero_unbind(struct gv_aero *a, struct gv_aero_object *o);
// The texture behind a texture or view, else NULL.
struct gv_aero_object *gv_aero_texture_of(struct gv_aero_object *o);

// ---- aero_shared.c ----

// No token stands for an object that is gone.
void gv_aero_tokens_retire(struct gv_aero_tokens *tokens,
                           const struct gv_aero_object *o);

// ---- aero_texture.c ----

// Writes [offset, offset + size) of the linear image; the range must be inside.
bool gv_aero_texture_write(struct gv_aero *a, struct gv_aero_texture *t,
                           uint64_t offset, uint64_t size,
                           const struct gv_lower_source *source, struct gv_error *err);
// Refreshes the subresources that a byte range touches from guest memory.
bool gv_aero_texture_fetch(struct gv_aero *a, struct gv_aero_texture *t,
                           uint64_t offset, uint64_t size, struct gv_error *err);

#endif
