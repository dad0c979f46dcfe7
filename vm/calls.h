// The waist as C: the rows of calls.def and enums.def as enums, tables and argument
// structs.
#ifndef GV_CALLS_H
#define GV_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gv_call {
#define GV_CALL(name, code, result, sets, reads, doc) GV_CALL_##name = (code),
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
};

#define GV_CALL_LIMIT 0x100 // codes are below
#define GV_MAX_ARGS 24      // of one call

// Kinds of live objects, and of slots.
enum gv_kind {
    GV_KIND_NONE,
    GV_KIND_BUFFER,
    GV_KIND_IMAGE,
    GV_KIND_SAMPLER,
    GV_KIND_SHADER,
    GV_KIND_PIPELINE,
    GV_KIND_QUERY,
    GV_KIND_MAP,
    GV_KIND_COUNT,
};

enum gv_arg_kind {
    GV_ARG_U32,
    GV_ARG_I32,
    GV_ARG_U64,
    GV_ARG_F32,
    GV_ARG_BOOL,
    GV_ARG_ENUM,
    GV_ARG_FLAGS,
    GV_ARG_FORMAT,
    GV_ARG_FORMAT_OPT,
    GV_ARG_BYTES,
    GV_ARG_SIZE,
    GV_ARG_BUFFER,
    GV_ARG_IMAGE,
    GV_ARG_SAMPLER,
    GV_ARG_SHADER,
    GV_ARG_PIPELINE,
    GV_ARG_QUERY,
    GV_ARG_MAP,
    GV_ARG_BUFFER_OPT,
    GV_ARG_IMAGE_OPT,
    GV_ARG_SAMPLER_OPT,
    GV_ARG_SHADER_OPT,
};

// What an argument means for slicing and hazards; see the head of calls.def.
enum gv_role {
    GV_ROLE_VALUE,
    GV_ROLE_READ,
    GV_ROLE_WRITE,
    GV_ROLE_UPDATE,
    GV_ROLE_DESTROY,
    GV_ROLE_BIND,
    GV_ROLE_TARGET,
    GV_ROLE_OFFSET,
    GV_ROLE_BYTES,
    GV_ROLE_ASPECT,
    GV_ROLE_MIP,
    GV_ROLE_MIPS,
    GV_ROLE_LAYER,
    GV_ROLE_LAYERS,
    GV_ROLE_X,
    GV_ROLE_Y,
    GV_ROLE_Z,
    GV_ROLE_W,
    GV_ROLE_H,
    GV_ROLE_D,
    GV_ROLE_ROW_BYTES,
    GV_ROLE_ROWS,
    GV_ROLE_STRIDE,
    GV_ROLE_INDEX,
};

// State classes that calls set and read.
enum {
    GV_STATE_PIPELINE = 1 << 0,
    GV_STATE_VERTEX_BUFFER = 1 << 1,
    GV_STATE_INDEX_BUFFER = 1 << 2,
    GV_STATE_RESOURCE = 1 << 3,
    GV_STATE_VIEWPORT = 1 << 4,
    GV_STATE_SCISSOR = 1 << 5,
    GV_STATE_BLEND_CONSTANTS = 1 << 6,
    GV_STATE_STENCIL_REFERENCE = 1 << 7,
    GV_STATE_STENCIL_MASKS = 1 << 8,
    GV_STATE_DEPTH_BIAS = 1 << 9,
    GV_STATE_LINE_WIDTH = 1 << 10,
    GV_STATE_LINE_STIPPLE = 1 << 11,
    GV_STATE_DEPTH_BOUNDS = 1 << 12,
    GV_STATE_TARGETS = 1 << 13,
    GV_STATE_PASS = 1 << 14,
    GV_STATE_FEEDBACK = 1 << 15,
    GV_STATE_QUERY = 1 << 16,
    GV_STATE_CONDITION = 1 << 17,
    GV_STATE_WORK = 1 << 18,   // draws and dispatches
    GV_STATE_OUTPUT = 1 << 19, // pictures, posts, frame ends
    GV_STATE_ALL_COMPUTE = GV_STATE_PIPELINE | GV_STATE_RESOURCE | GV_STATE_CONDITION,
    GV_STATE_ALL_DRAW = (1 << 18) - 1,
};

// The enumerations of enums.def: enum gv_of_<ENUM> with its GV_<ENUM>_<NAME> constants.
#define GV_ENUM(name) \
    enum gv_of_##name \
    {
#define GV_FLAGS(name) \
    enum gv_of_##name  \
    {
#define GV_VALUE(of, name, value) GV_##of##_##name = (value),
#define GV_ENUM_END(name) \
    }                     \
    ;
#include "vm/enums.def"
#undef GV_ENUM
#undef GV_FLAGS
#undef GV_ENUM_END
#undef GV_VALUE

// Which enumeration an argument or field belongs to: GV_ENUM_ID_TOPOLOGY, ...
enum gv_enum_id {
    GV_ENUM_ID_NONE,
#define GV_ENUM(name) GV_ENUM_ID_##name,
#define GV_FLAGS(name) GV_ENUM_ID_##name,
#define GV_ENUM_END(name)
#define GV_VALUE(of, name, value)
#include "vm/enums.def"
#undef GV_ENUM
#undef GV_FLAGS
#undef GV_ENUM_END
#undef GV_VALUE
    // What the bytes of a BYTES argument are.
    GV_ENUM_ID_DATA,
    GV_ENUM_ID_GRAPHICS_DESC,
    GV_ENUM_ID_COMPUTE_DESC,
    GV_ENUM_ID_SAMPLER_DESC,
    GV_ENUM_ID_DISPATCH_RANGES,
};

struct gv_arg_info {
    const char *name;
    uint8_t kind; // enum gv_arg_kind
    uint8_t of;   // enum gv_enum_id
    uint8_t role; // enum gv_role
};

struct gv_call_info {
    const char *name; // NULL where no such call exists
    uint8_t result;   // enum gv_kind
    uint8_t arg_count;
    uint32_t sets, reads;
    const char *doc;
    const struct gv_arg_info *args; // [arg_count]
};

extern const struct gv_call_info gv_call_infos[GV_CALL_LIMIT];

// The call of that name, or -1.
int gv_call_find(const char *name);

// A hash of name, result, argument names, kinds and enumerations, so that a payload
// made for another signature is refused by name at load.
uint64_t gv_call_signature(enum gv_call call);

// The object kind an argument kind takes, or GV_KIND_NONE; `*optional` if 0 is allowed.
enum gv_kind gv_arg_object_kind(enum gv_arg_kind kind, bool *optional);

// Enumeration values by name and back. For flags, gv_enum_valid accepts any union of
// bits.
const char *gv_enum_name(enum gv_enum_id id);
bool gv_enum_is_flags(enum gv_enum_id id);
bool gv_enum_valid(enum gv_enum_id id, uint64_t value);
const char *gv_enum_value_name(enum gv_enum_id id, uint64_t value); // NULL if none
bool gv_enum_value_find(enum gv_enum_id id, const char *name, uint64_t *value);

// One argument as a host call receives it.
union gv_arg {
    uint64_t u; // U32 U64 BOOL ENUM FLAGS FORMAT SIZE; handles; F32 as its bits
    int64_t i;  // I32
    const uint8_t
        *data; // BYTES: as many as the next argument says, readable for the call
};

// The arguments of each call by name: struct gv_args_draw { union gv_arg vertex_count;
// ... }. A host call casts its `args` to this. `end_` keeps calls without arguments
// legal C.
#define GV_CALL(name, code, result, sets, reads, doc) struct gv_args_##name {
#define GV_ARG(name, kind, of, role) union gv_arg name;
#define GV_CALL_END    \
    union gv_arg end_; \
    }                  \
    ;
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

// The float whose bits an F32 argument carries.
float gv_arg_f32(union gv_arg arg);

#endif
