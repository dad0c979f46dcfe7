// Messages of a pack (protobuf), read by the names of their fields: a pack holds the
// descriptions of all of its types.
#ifndef GV_AGI_PROTO_H
#define GV_AGI_PROTO_H

#include "compiler/agi/agi_map.h"
#include "resources/base/arena.h"
#include "resources/base/bytes.h"
#include "resources/base/error.h"

#include <stdbool.h>
#include <stdint.h>

// "FieldDescriptorProto.Type", as far as packs use it.
enum gv_agi_kind {
    GV_AGI_DOUBLE = 1,
    GV_AGI_FLOAT = 2,
    GV_AGI_INT64 = 3,
    GV_AGI_UINT64 = 4,
    GV_AGI_INT32 = 5,
    GV_AGI_FIXED64 = 6,
    GV_AGI_FIXED32 = 7,
    GV_AGI_BOOL = 8,
    GV_AGI_STRING = 9,
    GV_AGI_GROUP = 10, // of old; no pack has it
    GV_AGI_MESSAGE = 11,
    GV_AGI_BYTES = 12,
    GV_AGI_UINT32 = 13,
    GV_AGI_ENUM = 14,
    GV_AGI_SFIXED32 = 15,
    GV_AGI_SFIXED64 = 16,
    GV_AGI_SINT32 = 17,
    GV_AGI_SINT64 = 18,
};

struct gv_agi_field {
    const char *name;
    uint32_t number;
    enum gv_agi_kind kind;
    bool repeated;
    const char *message; // full name of a message's type, without the leading dot
    const struct gv_agi_type *type; // of a message, once it is known
};

struct gv_agi_type {
    const char *name;            // "vulkan.vkCmdDraw"
    struct gv_agi_field *fields; // by number
    uint32_t count;
    uint32_t number; // in its pack, from 1 on
};

// Zeroed but for the arena: no types.
struct gv_agi_types {
    struct gv_arena *arena;
    struct gv_agi_type **list; // by number - 1; owned
    uint32_t count, capacity;
    struct gv_agi_map names; // hashes
};

// A message that has been checked. Absent: no type.
struct gv_agi_message {
    const struct gv_agi_type *type; // NULL: of a type that nobody knows
    const uint8_t *data;
    size_t size;
    uint64_t offset; // in the pack
};

void gv_agi_types_init(struct gv_agi_types *types, struct gv_arena *arena);
void gv_agi_types_finish(struct gv_agi_types *types);
// Adds a type from its google.protobuf.DescriptorProto. Errors name the byte.
bool gv_agi_types_add(struct gv_agi_types *types, const char *name,
                      const struct gv_agi_message *descriptor, struct gv_error *err);
const struct gv_agi_type *gv_agi_types_find(const struct gv_agi_types *types,
                                            const char *name);

// Checks all of a message, those in it too, so that what follows cannot fail.
bool gv_agi_check(const struct gv_agi_types *types,
                  const struct gv_agi_message *message, struct gv_error *err);

// ---- fields of a checked message: absent ones are 0 or empty ----

// An integer, as its kind says; a float's bits.
uint64_t gv_agi_number(const struct gv_agi_message *m, const char *field);
bool gv_agi_has(const struct gv_agi_message *m, const char *field);
// Bytes, or text without its end.
struct gv_span gv_agi_bytes(const struct gv_agi_message *m, const char *field);
// Absent: an empty message of the field's type.
struct gv_agi_message gv_agi_inner(const struct gv_agi_message *m, const char *field);
// The type's field of this name; NULL: it has none.
const struct gv_agi_field *gv_agi_field_of(const struct gv_agi_type *type,
                                           const char *name);

// All values of a repeated field, packed or not.
struct gv_agi_values {
    const struct gv_agi_message *of;
    const struct gv_agi_field *field;
    size_t at, packed_end;       // in `of`
    uint64_t number;             // of the value
    struct gv_agi_message inner; // of messages; of bytes and text their place
};
struct gv_agi_values gv_agi_repeated(const struct gv_agi_message *m, const char *field);
bool gv_agi_next_value(struct gv_agi_values *values);
// The next message in it, of any field; begin with `of` alone.
bool gv_agi_next_message(struct gv_agi_values *values);
uint64_t gv_agi_count(const struct gv_agi_message *m, const char *field);

#endif
