// The fields of descriptions by name, as the text form, edits and differences call
// them.
#ifndef GV_DESC_FIELDS_H
#define GV_DESC_FIELDS_H

#include "vm/descs.h"

// A field; its type is told as that of an argument: BOOL, U32, F32 (a float), ENUM,
// FLAGS or FORMAT.
struct gv_desc_field {
    struct gv_arg_info info;
    size_t offset; // in the struct
};

// Those that stand alone; each table ends with a name NULL.
extern const struct gv_desc_field gv_graphics_fields[], gv_blend_fields[],
    gv_sampler_fields[];

// NULL: none has that name.
const struct gv_desc_field *gv_desc_field_named(const struct gv_desc_field *fields,
                                                const char *name);

// What BYTES arguments describe, decoded. `kind` is GV_ENUM_ID_GRAPHICS_DESC,
// COMPUTE_DESC or SAMPLER_DESC.
struct gv_desc {
    enum gv_enum_id kind;
    union {
        struct gv_graphics_desc graphics;
        struct gv_compute_desc compute;
        struct gv_sampler_desc sampler;
    } as;
};
// GV_ERR_FORMAT as the decoders of descs.h.
bool gv_desc_decode(struct gv_desc *desc, enum gv_enum_id kind, struct gv_span bytes,
                    struct gv_error *err);
void gv_desc_encode(const struct gv_desc *desc, struct gv_bytes *out);

#define GV_DESC_FIELD_NAME 48 // bytes

// One field of a description with where it stands: "cull", "blend0.src_color",
// "front.compare", "attribute3.format", "binding0.type", "spec1.value".
struct gv_desc_place {
    char name[GV_DESC_FIELD_NAME];
    const struct gv_desc_field *field;
    size_t offset; // in gv_desc.as
};

// Walks through all of a kind, also those of elements that are not there;
// zero-initialise `walk`. False at the end.
struct gv_desc_walk {
    size_t part, element, field;
};
bool gv_desc_next(enum gv_enum_id kind, struct gv_desc_walk *walk,
                  struct gv_desc_place *out);
bool gv_desc_find(enum gv_enum_id kind, const char *name, struct gv_desc_place *out);

// The value of a field as a cell holds it, and back.
uint64_t gv_desc_value(const struct gv_desc *desc, const struct gv_desc_place *place);
void gv_desc_set(struct gv_desc *desc, const struct gv_desc_place *place,
                 uint64_t value);

#endif
