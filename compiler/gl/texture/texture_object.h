// Texture objects from the inside: for the files of this folder.
#ifndef GV_TEXTURE_OBJECT_H
#define GV_TEXTURE_OBJECT_H

#include "compiler/gl/texture/gl_pixels.h"
#include "compiler/gl/texture/gl_texture.h"
#include "compiler/gl/texture/gl_texture_format.h"
#include "resources/hash.h"

// OES_EGL_image_external.
#define GV_GL_TEXTURE_EXTERNAL_OES 0x8D65u
// OES_compressed_paletted_texture: the first and the last one.
#define GV_GL_PALETTE4_RGB8_OES 0x8B90u
#define GV_GL_PALETTE8_RGB5_A1_OES 0x8B99u
// OES_draw_texture.
#define GV_GL_TEXTURE_CROP_RECT_OES 0x8B9Du
#define GV_GL_MAX_TEXTURE_SIDE 16384u
#define GV_GL_MAX_TEXTURE_BYTES (UINT64_C(1) << 31) // of an image
#define GV_GL_MAX_3D_SIDE 2048u                     // and layers of arrays
#define GV_GL_LEVELS 15u                            // of the largest side
#define GV_GL_FACES 6u
#define GV_GL_MAX_TEXTURES (1u << 20)
#define GV_GL_MAX_AHEAD 4096u // images that are made ahead of passes: each has its slot
// Texels of the whole compile that wait for their upload, bytes: more go to the device
// before they are needed.
#define GV_GL_MAX_PENDING ((uint64_t)256 << 20)

struct gv_gl_texture_params {
    uint32_t min_filter, mag_filter, wrap[3]; // s, t, r
    float border[4];                          // of integer textures: bits of integers
    float min_lod, max_lod, lod_bias, priority, anisotropy;
    int32_t base_level, max_level;
    uint32_t compare_mode, compare_func, depth_mode;
    uint32_t stencil_mode; // GL_DEPTH_STENCIL_TEXTURE_MODE
    uint32_t swizzle[4];   // GL_RED ... GL_ONE
    uint32_t srgb_decode;
    bool generate_mipmap, seamless;
    int32_t crop[4]; // GL_TEXTURE_CROP_RECT_OES
};

// Texels of a box that the device does not have yet.
struct gv_gl_pending {
    struct gv_gl_pending *next;
    uint32_t x, y, z, width, height, depth;
    uint32_t aspects;       // that it has
    uint64_t size, stencil; // bytes; where the stencil plane begins, or 0
    uint8_t data[];
};

// An image of the device, of levels `first` and on.
struct gv_gl_store {
    struct gv_image image;
    uint32_t format; // GV_FORMAT_*
    uint32_t first, mips, layers;
    uint32_t width, height, depth; // of `first`
    uint32_t samples;
    uint32_t references; // images that live in it
    uint64_t used;       // the last frame that did, plus one; 0: none
    bool target;         // may be an attachment
    bool viewed;         // may be seen in other formats and as cubes
    bool stored;         // programs may load from it and store to it
};

// "Texture image": one level of one face.
struct gv_gl_texture_image {
    uint32_t internal; // as given
    const struct gv_gl_texture_format *format;
    uint32_t device;               // GV_FORMAT_* of device images
    uint32_t width, height, depth; // without borders; 1D arrays: layers are in `depth`
    uint32_t samples;              // 0, 1: one
    struct gv_gl_store *store;     // NULL: none yet
    struct gv_gl_pending *first, *last;
    uint64_t pending; // bytes
    bool hashed;      // `whole` is what the store holds
    struct gv_hash whole;
};

// All that changes what a texture looks like but its own state.
struct gv_gl_seen_by {
    float unit_bias;
    uint64_t sampler; // version of the sampler object, 0: none
    bool seamless;
    bool program, shadow; // else the fixed function; the program's sampler compares
    bool modern, four;    // gv_gl_texture_use
};

// The bytes of a buffer as texels (glTexBufferRange).
struct gv_gl_texel_range {
    uint32_t buffer;                           // its name, 0: none
    uint64_t serial;                           // of that buffer
    const struct gv_gl_texture_format *format; // of its texels
    uint64_t offset, size;                     // bytes; size 0: all
    // What the device reads: a copy of the buffer, none: not made yet.
    struct gv_buffer copy;
    uint64_t copy_size, version; // bytes, and of which version they are
    bool changed;                // it is of another range or format
};

struct gv_gl_texture {
    struct gv_named named;
    bool typed;     // `target` is known
    uint8_t target; // enum gv_gl_target
    bool immutable, attached;
    bool stored; // programs load from it or store to it
    bool stale;  // mips behind the base level are to be generated
    uint32_t immutable_levels;
    // Its images are another's too (glTextureView): of a view, where it begins in the
    // levels and layers of those.
    bool viewed;
    uint32_t view_level, view_layer;
    struct gv_gl_texel_range texels; // of a buffer texture
    struct gv_gl_texture_params params;
    struct gv_gl_texture_image *images[GV_GL_FACES][GV_GL_LEVELS];

    // What draws see, while nothing changes.
    bool settled, complete;
    struct gv_gl_seen_by by;
    struct gv_gl_sampled seen;
};

struct gv_gl_texture_part; // texture_image.h

// Of its parameters those count that are about sampling.
struct gv_gl_sampler {
    struct gv_named named;
    uint64_t version; // another one after each change
    struct gv_gl_texture_params params;
};

// A copy of a part of an image (texture_apart.c).
#define GV_GL_APART 16u
struct gv_gl_apart {
    struct gv_image from, copy;
    uint32_t type, mip, mips, layer, layers;
    struct gv_gl_sampled_size size;
};

// The textures without a name of a share group.
struct gv_gl_default_textures {
    uint32_t group;
    struct gv_gl_default_textures *next;
    struct gv_gl_texture textures[GV_GL_TARGETS];
};

struct gv_gl_textures {
    struct gv_gl_texture *named; // whom the call on its way names, whatever is bound
    struct gv_id_map names, samplers;
    struct gv_gl_default_textures *sets; // owned
    struct gv_gl_texture *defaults;      // [GV_GL_TARGETS], of the current group
    uint32_t made_ahead;                 // stores
    uint64_t pending;                    // bytes, of all
    struct gv_lower_stand_ins stand_ins;
    struct gv_gl_apart apart[GV_GL_APART];
    uint32_t next_apart;
    // draw/gl_copy_texture.h
    const struct gv_gl_row *copy_rows;
    bool (*copy_packed)(struct gv_gl *gl, struct gv_gl_texture_part *to,
                        const struct gv_gl_pixels *p, struct gv_error *err);
};

// ---- objects (gl_texture.c) ----

void gv_gl_texture_init(struct gv_gl_texture *t, uint32_t target);
// The object of a name, made if there is none. GL_NO_ERROR; GL_INVALID_OPERATION: it is
// of another target; GL_OUT_OF_MEMORY: `err`.
uint32_t gv_gl_texture_make(struct gv_gl *gl, uint32_t target, uint32_t name,
                            struct gv_gl_texture **out, struct gv_error *err);
// NULL: never bound, deleted.
struct gv_gl_texture *gv_gl_texture_find(const struct gv_gl_objects *objects,
                                         uint32_t target, uint32_t name);
struct gv_gl_texture *gv_gl_texture_bound(const struct gv_gl_context *c,
                                          const struct gv_gl_objects *objects,
                                          uint32_t unit, uint32_t target);

static inline uint32_t gv_gl_texture_faces(const struct gv_gl_texture *t)
{
    return t->target == GV_GL_TARGET_CUBE ? GV_GL_FACES : 1;
}

// ---- targets as GL names them ----

struct gv_gl_image_target {
    uint32_t target; // enum gv_gl_target
    uint32_t face;
    bool proxy;
    bool layered; // all faces, as layers
};
// Of glTexImage and the like (faces, proxies); false: none that takes that many
// dimensions.
bool gv_gl_image_target(uint32_t name, uint32_t dimensions,
                        struct gv_gl_image_target *out);
// Of glBindTexture and glTexParameter.
bool gv_gl_texture_target(uint32_t name, uint32_t *target);
uint32_t gv_gl_texture_target_name(uint32_t target);

// ---- images and their texels (texture_image.c, texture_upload.c) ----

struct gv_gl_box {
    uint32_t x, y, z, width, height, depth;
};

// Makes level `level` anew; its texels are undefined. NULL: no memory.
struct gv_gl_texture_image *gv_gl_texture_define(struct gv_gl *gl,
                                                 struct gv_gl_texture *t, uint32_t face,
                                                 uint32_t level,
                                                 const struct gv_gl_texture_image *as);
void gv_gl_texture_undefine(struct gv_gl_textures *textures, struct gv_lower_pass *pass,
                            struct gv_gl_texture *t, uint32_t face, uint32_t level);
void gv_gl_texture_empty(struct gv_gl_textures *textures, struct gv_lower_pass *pass,
                         struct gv_gl_texture *t); // all images

// Texels of a box, zeros, that wait for nobody yet. NULL: no memory.
struct gv_gl_pending *gv_gl_pending_new(const struct gv_gl_box *box, uint64_t size);

// Whether texels are all that the image has.
bool gv_gl_pending_covers(const struct gv_gl_texture_image *i,
                          const struct gv_gl_pending *p);
// Forgets texels that wait.
void gv_gl_pending_drop(struct gv_gl_textures *textures, struct gv_gl_texture_image *i);

// Takes pixels (may be without bytes: nothing happens) for a box inside the image.
bool gv_gl_texture_write(struct gv_gl *gl, struct gv_gl_texture_image *i,
                         const struct gv_gl_box *box, const struct gv_gl_pixels *p,
                         struct gv_error *err);
// The same for pixels of gv_block_source_format of the image's format, tightly packed,
// which become blocks.
bool gv_gl_texture_encode(struct gv_gl *gl, struct gv_gl_texture_image *i,
                          const struct gv_gl_box *box, const uint8_t *pixels,
                          struct gv_error *err);
// The same for blocks of a compressed format, tightly packed.
bool gv_gl_texture_write_blocks(struct gv_gl *gl, struct gv_gl_texture_image *i,
                                const struct gv_gl_box *box, const uint8_t *bytes,
                                uint64_t size, struct gv_error *err);

// ---- images of the device (texture_store.c) ----

// GV_IMAGE_TYPE_* of a texture's images.
uint32_t gv_gl_texture_image_type(const struct gv_gl_texture *t);

struct gv_gl_levels {
    uint32_t first, last;
};
// Brings levels, which must be mips of the first one, into one image of the device,
// with all texels that wait. Of a cube at least `face` must be there. False: out of
// memory.
bool gv_gl_texture_gather(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                          struct gv_gl_levels r, struct gv_error *err);
// Where a level of a texture is in its image of the device.
static inline uint32_t gv_gl_store_mip(const struct gv_gl_texture *t,
                                       const struct gv_gl_store *s, uint32_t level)
{
    return level + t->view_level - s->first;
}
// Draws, copies or passes use it in this frame: what is done with it from now on stays
// behind them.
void gv_gl_store_use(const struct gv_lower_pass *pass, struct gv_gl_store *s);
// The builder for work that fills it: ahead of the frame's passes if none has used it.
struct gv_builder *gv_gl_store_fill(struct gv_gl_sink *sink,
                                    const struct gv_gl_store *s);
void gv_gl_store_filled(struct gv_gl_sink *sink, const struct gv_gl_store *s);
void gv_gl_store_release(struct gv_lower_pass *pass, struct gv_gl_texture_image *i);

// Uploads what waits, where too much does.
bool gv_gl_pending_bound(struct gv_gl *gl, struct gv_gl_texture *t, uint32_t face,
                         uint32_t level, struct gv_error *err);

// Whether buffers may be seen as texels of a format (NULL: no), and the bytes of one
// there (gl_texture_buffer.c).
bool gv_gl_is_texel_format(const struct gv_gl_context *c,
                           const struct gv_gl_texture_format *f);
uint32_t gv_gl_texel_bytes(const struct gv_gl_texture_format *f);
// Gives up what a buffer texture has (gl_texture_buffer.c).
void gv_gl_texels_drop(struct gv_lower_pass *pass, struct gv_gl_texture *t);

// ---- mips (gl_texture_mipmap.c) ----

// Makes mips that GL_GENERATE_MIPMAP asked for.
bool gv_gl_texture_settle(struct gv_gl *gl, struct gv_gl_texture *t,
                          struct gv_error *err);
// After a change of the base level.
void gv_gl_texture_changed(struct gv_gl_texture *t, uint32_t level);

// The level that a texture begins with, within those of an immutable one. It may have
// no image, and be none of GV_GL_LEVELS, where the texture is not complete.
uint32_t gv_gl_texture_base_level(const struct gv_gl_texture *t);

// Whether levels base to max have the sizes and formats of mips; `last` is the highest
// that counts.
bool gv_gl_texture_base_complete(const struct gv_gl_texture *t, uint32_t *last);
bool gv_gl_texture_mips_complete(const struct gv_gl_texture *t, uint32_t last);

// ---- sampling (texture_sampling.c, texture_sampler.c) ----

// The sampler object of a unit, or NULL (gl_sampler.c).
const struct gv_gl_sampler *gv_gl_unit_sampler(const struct gv_gl_context *c,
                                               const struct gv_gl_objects *objects,
                                               uint32_t unit);

// The image of the base level, where textures are complete.
const struct gv_gl_texture_image *gv_gl_texture_base(const struct gv_gl_texture *t);

// Whether cubes are filtered across their edges.
bool gv_gl_seamless(const struct gv_gl_context *c);

// The sampler of a complete texture; what of it the program must do goes to `image`.
struct gv_sampler gv_gl_texture_sampler(struct gv_gl_context *c, struct gv_builder *b,
                                        const struct gv_gl_texture *t,
                                        struct gv_gl_unit_image *image,
                                        const struct gv_gl_seen_by *by);

// The GV_VIEW_TYPE_* of an enum gv_gl_target.
uint32_t gv_gl_view_type(uint32_t target);

// The GV_LOWER_TEXELS_* of a GV_FORMAT_* of colours.
uint32_t gv_gl_texels_of(uint32_t format);

// Whether a filter mixes texels of a level.
bool gv_gl_uses_mips(uint32_t min_filter);
bool gv_gl_filters_linearly(const struct gv_gl_texture_params *p);

// Whether the base level is of stencil as it is sampled.
bool gv_gl_samples_stencil(const struct gv_gl_texture *t);

static inline bool gv_gl_is_depth(const struct gv_gl_texture_format *f)
{
    return f->base == GL_DEPTH_COMPONENT || f->base == GL_DEPTH_STENCIL;
}

#endif
