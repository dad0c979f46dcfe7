// An A3A0 command stream ("ACMD"): its header, the framing of its packets, and where
// the fields of each packet are.
#ifndef GV_CMD_STREAM_H
#define GV_CMD_STREAM_H

#include "resources/base/bytes.h"
#include "resources/base/cursor.h"
#include "resources/base/error.h"

#define GV_CMD_STREAM_MAGIC 0x444D4341u // "ACMD"
#define GV_CMD_STREAM_HEADER 24u
#define GV_CMD_HEADER 8u
#define GV_CMD_OPCODE_LIMIT 0x800u // every opcode of the ABI is below
#define GV_MAX_CMD_STREAM_BYTES (64u << 20)

// Opcodes: GV_CMD_CLEAR, ...
enum gv_cmd_opcode {
#define GV_CMD(name, opcode, min, count_at, element, handler) GV_CMD_##name = opcode,
#define GV_FIELD(name, field, offset, kind)
#define GV_CMD_END
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
};

// Field offsets: GV_AT_CLEAR_flags, ...
enum gv_cmd_field_offset {
#define GV_CMD(name, opcode, min, count_at, element, handler) \
    GV_AT_##name##_header = 0, GV_AT_##name##_tail = min,
#define GV_FIELD(name, field, offset, kind) GV_AT_##name##_##field = offset,
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
#undef GV_CMD_END
};

enum gv_cmd_field_kind {
    GV_CMD_FIELD_U8,
    GV_CMD_FIELD_U32,
    GV_CMD_FIELD_I32,
    GV_CMD_FIELD_F32,
    GV_CMD_FIELD_U64,
};

struct gv_cmd_field {
    const char *name;
    uint16_t opcode, offset;
    uint8_t kind; // enum gv_cmd_field_kind
};

struct gv_cmd_info {
    const char *name;
    uint16_t opcode, min;
    uint16_t count_at, element; // trailing elements, see cmds.def
};

// The fields of every packet, grouped by opcode in the order of cmds.def.
extern const struct gv_cmd_field gv_cmd_fields[];
extern const size_t gv_cmd_field_count;

// What an opcode means, or NULL if the ABI has none.
const struct gv_cmd_info *gv_cmd_find(uint32_t opcode);

struct gv_cmd_stream {
    const uint8_t *data;
    size_t size;     // as the header says; bytes behind it are ignored
    uint64_t offset; // of `data` in the file
    uint32_t abi;    // major << 16 | minor
    uint32_t flags;
    size_t pos;
};

struct gv_cmd {
    const uint8_t *p;               // the packet's first byte
    uint32_t opcode, size;          // header included
    uint64_t offset;                // of `p` in the file
    const struct gv_cmd_info *info; // NULL: unknown opcode
};

// Checks the stream header; `offset` is where `data` starts in the file.
bool gv_cmd_stream_open(struct gv_cmd_stream *s, const uint8_t *data, size_t size,
                        uint64_t offset, struct gv_error *err);

// Reads the next packet: framing, then the minimum size of known opcodes and the room
// for their trailing elements. False at the end of the stream (nothing in `err`) or on
// an error.
bool gv_cmd_stream_next(struct gv_cmd_stream *s, struct gv_cmd *out,
                        struct gv_error *err);

static inline uint32_t gv_cmd_u32(const struct gv_cmd *c, size_t at)
{
    return gv_load_u32(c->p + at);
}
static inline uint64_t gv_cmd_u64(const struct gv_cmd *c, size_t at)
{
    return gv_load_u64(c->p + at);
}
float gv_cmd_f32(const struct gv_cmd *c, size_t at);

// GV_CMD_U32(c, CLEAR, flags): a field by name.
#define GV_CMD_U32(c, name, field) gv_cmd_u32((c), GV_AT_##name##_##field)
#define GV_CMD_U64(c, name, field) gv_cmd_u64((c), GV_AT_##name##_##field)
#define GV_CMD_F32(c, name, field) gv_cmd_f32((c), GV_AT_##name##_##field)

// Appends "NAME field=value ..." for `gpuvm dump`.
void gv_cmd_print(const struct gv_cmd *c, struct gv_bytes *out);

#endif
