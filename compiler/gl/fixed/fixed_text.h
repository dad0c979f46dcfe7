// The text of one stage while it is generated.
#ifndef GV_FIXED_TEXT_H
#define GV_FIXED_TEXT_H

#include "compiler/gl/fixed/fixed_block.h"
#include "compiler/gl/fixed/fixed_key.h"

struct gv_fixed_text {
    struct gv_fixed_block block;
    struct gv_bytes declared; // in front of main
    struct gv_bytes body;     // statements of main
};

// Statements of main.
#define gv_fixed_say(t, ...) gv_bytes_printf(&(t)->body, __VA_ARGS__)

// The whole of a stage's text, terminated.
void gv_fixed_vertex_text(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                          struct gv_bytes *out);
void gv_fixed_fragment_text(const struct gv_fixed_fragment_key *k,
                            struct gv_fixed_text *t, struct gv_bytes *out);
void gv_fixed_text_finish(struct gv_fixed_text *t);

// Statements of programs of assembly, and what stands around them: attributes and
// varyings of the vertex stage, but no position; of the fragment stage, up to `result`
// and the depth.
void gv_fixed_assembly_vertex(const struct gv_fixed_vertex_key *k,
                              struct gv_fixed_text *t);
void gv_fixed_assembly_fragment(const struct gv_fixed_fragment_key *k,
                                struct gv_fixed_text *t);

// What the text says of a slot: an attribute, or else the current value.
const char *gv_fixed_slot(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t,
                          uint32_t number);
// The colour of the side that is seen, or the current one.
void gv_fixed_color_of(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t,
                       uint32_t front);
// What stands before and behind a comparison to make a colour of it, by enum
// gv_fixed_depth_mode.
extern const char *const gv_fixed_compared[][2];

// Parts. Of the vertex stage: `eye` (eye coordinates) and `unit_normal` are there when
// they are called.
void gv_fixed_lighting(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t);
void gv_fixed_coordinates(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t);
// Smooth lines whose coverage the alpha test sees: hands on where they end; declares
// `covered`, the fragment's share.
void gv_fixed_line_ends(const struct gv_fixed_vertex_key *k, struct gv_fixed_text *t);
void gv_fixed_line_coverage(const struct gv_fixed_fragment_key *k,
                            struct gv_fixed_text *t);
// Makes `result` a texel of integers.
void gv_fixed_integers(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t);
// Changes `result` by the units' textures.
void gv_fixed_combiners(const struct gv_fixed_fragment_key *k, struct gv_fixed_text *t);

// The version's line and what the text needs beyond that version.
#define GV_FIXED_VERSION 140u
#define GV_FIXED_VERSION_SAMPLES 150u // that has textures of several samples
#define GV_FIXED_VERSION_LEVELS 430u  // has textureQueryLod and textureQueryLevels
void gv_fixed_version(struct gv_bytes *out, uint32_t version);

// Expands a matrix times a vector in the order in which Mesa adds.
void gv_fixed_transform(struct gv_bytes *out, const char *matrix, const char *vector);

// "front_color", "coord3" ...
void gv_fixed_varying_name(uint32_t varying, char name[24]);
struct gv_fixed_varyings {
    uint32_t bits;     // by enum gv_fixed_varying
    bool flat, beside; // as keys have them
};
void gv_fixed_varying_declare(const struct gv_fixed_varyings *varyings,
                              const char *direction, struct gv_bytes *out);

#endif
