// Texture objects: images of all targets and formats, their parameters, what draws and
// framebuffers see of them.
#ifndef GV_GL_TEXTURE_H
#define GV_GL_TEXTURE_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/fixed/fixed_program.h"
#include "compiler/lower/id_map.h"
#include "compiler/lower/lower_bindings.h"

// The device's image that is sampled, at the first mip that is.
struct gv_gl_sampled_size {
    uint32_t format; // GV_FORMAT_*
    uint32_t width, height, depth, samples;
};

// What a draw binds for a unit.
struct gv_gl_sampled {
    struct gv_gl_unit_image image;   // for the fixed function
    struct gv_lower_texture texture; // image, view, swizzle, sampler
    uint32_t texels;                 // GV_LOWER_TEXELS_FLOAT, _UINT or _SINT
    bool depth;                      // of a depth texture: may be compared
    bool slices; // the layer that a flat view has is a slice of a 3D image
    struct gv_gl_sampled_size size;
};

// What is sampled becomes a copy of it, as it is now: for who draws to it at the same
// time. Closes the pass.
void gv_gl_texture_apart(struct gv_gl_textures *textures, struct gv_lower_pass *pass,
                         struct gv_gl_sampled *s);

// What unit `unit` samples by the fixed function's enables (strongest target that is
// enabled and complete); image.there is false where nothing. Makes or completes the
// device's image, so it may close the pass.
bool gv_gl_texture_sampled(struct gv_gl *gl, uint32_t unit, struct gv_gl_sampled *out,
                           struct gv_error *err);

// A sampler as a program declares it.
struct gv_gl_texture_use {
    uint8_t target;  // enum gv_gl_target
    bool shadow;     // compares
    bool modern;     // of a program of GLSL 1.30 or later
    bool four;       // the program filters it: gv_gl_filters_four
    uint32_t texels; // GV_LOWER_TEXELS_FLOAT, _UINT or _SINT
};

// What a sampler of a program sees in unit `unit` (any number): the texture bound to
// its target, or where that is incomplete or of another kind, an image of 0, 0, 0, 1
// (image.there is false then); either can be bound. GL_CLAMP is in image.clamp, as for
// the fixed function; image.scale is 1 / size of a rectangle. Of GV_GL_TARGET_BUFFER
// it is nothing. May close the pass.
bool gv_gl_texture_of_unit(struct gv_gl *gl, uint32_t unit,
                           const struct gv_gl_texture_use *use,
                           struct gv_gl_sampled *out, struct gv_error *err);

// What becomes of coordinates of what is bound in unit `unit` (any number), before they
// are sampled: GV_GL_CLAMP_*.
uint8_t gv_gl_clamp_of_unit(const struct gv_gl_context *c,
                            const struct gv_gl_objects *objects, uint32_t unit,
                            uint32_t target);

// Whether what is bound in unit `unit` (any number) are depths that are filtered
// linearly, in two dimensions and without mips: programs do it, as not every device
// does.
bool gv_gl_filters_four(const struct gv_gl_context *c,
                        const struct gv_gl_objects *objects, uint32_t unit,
                        uint32_t target);

// Whether what is bound in unit `unit` (any number) has depths that GL has as fractions
// and the device as floats: only with the former is what is compared clamped.
bool gv_gl_has_fractions(const struct gv_gl_context *c,
                         const struct gv_gl_objects *objects, uint32_t unit,
                         uint32_t target);

// GL_DEPTH_TEXTURE_MODE of what is bound in unit `unit` (any number).
uint32_t gv_gl_depth_mode_of_unit(const struct gv_gl_context *c,
                                  const struct gv_gl_objects *objects, uint32_t unit,
                                  uint32_t target);

// What a samplerBuffer of a program sees in unit `unit`; no buffer: nothing, or texels
// of another kind than GV_LOWER_TEXELS_FLOAT, _UINT or _SINT: all reads are 0. What the
// program writes to the buffer later is in the next call's answer. May close the pass.
struct gv_gl_texels {
    struct gv_buffer buffer;
    uint32_t format; // GV_FORMAT_*, one that every device reads
    uint64_t size;   // bytes, from the buffer's first one on
};
bool gv_gl_texels_of_unit(struct gv_gl *gl, uint32_t unit, uint32_t kind,
                          struct gv_gl_texels *out, struct gv_error *err);

// One level of a texture as a target of passes, copies and blits.
struct gv_gl_level {
    struct gv_image image;
    uint32_t format; // GV_FORMAT_*, of a view its own
    uint32_t made;   // the format of the image
    uint32_t mip, layer, width, height, samples;
    uint32_t layers;      // of gv_gl_texture_layers; 0: it has none
    uint32_t base_format; // GL_RGB: alpha is 1 whatever is written ...
    bool volume;          // layers are slices
    bool line;            // of a 1D image
};

// Level `level`, layer or face `layer`, of the texture `name`. False: there is none.
// The content may be written through it: what was known is not any more.
bool gv_gl_texture_level(struct gv_gl *gl, uint32_t name, uint32_t level,
                         uint32_t layer, struct gv_gl_level *out);

// The same of all its layers, slices or faces, from `layer` on.
bool gv_gl_texture_layers(struct gv_gl *gl, uint32_t name, uint32_t level,
                          struct gv_gl_level *out);

// A level of a texture with all its layers (faces, slices), for copies of bits.
struct gv_gl_image_slice {
    struct gv_image image;
    uint32_t format;                                    // GV_FORMAT_*, of the device
    uint32_t mip, layer, width, height, depth, samples; // depth: layers or slices
    bool volume;                                        // slices, not layers
    bool line;                                          // of a 1D image
    bool incomplete; // the texture, as its own filter has it
};

// False: there is none. What is there may be read and written through it.
bool gv_gl_texture_slice(struct gv_gl *gl, uint32_t name, uint32_t target,
                         uint32_t level, struct gv_gl_image_slice *out);

bool gv_gl_textures_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           struct gv_error *err);
void gv_gl_textures_destroy(struct gv_gl_objects *objects);

// Textures without a name are those of gl->group from now on.
bool gv_gl_textures_enter_group(struct gv_gl_objects *objects, struct gv_error *err);
// Frees all textures and samplers of the group gl->group, which no context has any
// more.
void gv_gl_textures_end_group(struct gv_gl_objects *objects,
                              struct gv_lower_pass *pass);
void gv_gl_samplers_end_group(struct gv_gl_objects *objects);

extern const struct gv_gl_row gv_gl_texture_rows[], gv_gl_texture_image_rows[],
    gv_gl_texture_sub_image_rows[], gv_gl_texture_named_rows[],
    gv_gl_texture_samples_rows[], gv_gl_texture_view_rows[],
    gv_gl_texture_content_rows[], gv_gl_texture_buffer_rows[],
    gv_gl_buffer_clear_rows[], gv_gl_texture_parameter_rows[],
    gv_gl_texture_mipmap_rows[], gv_gl_texture_compressed_rows[],
    gv_gl_texture_storage_rows[], gv_gl_sampler_rows[];

#endif
