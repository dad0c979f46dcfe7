#include "compiler/aerogpu/trace/cmd_stream.h"

#include <string.h>

static const struct gv_cmd_info infos[] = {
#define GV_CMD(name, opcode, min, count_at, element, handler) \
    { #name, opcode, min, count_at, element },
#define GV_FIELD(name, field, offset, kind)
#define GV_CMD_END
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
};

const struct gv_cmd_field gv_cmd_fields[] = {
#define GV_CMD(name, opcode, min, count_at, element, handler)
#define GV_FIELD(name, field, offset, kind) \
    { #field, GV_CMD_##name, offset, GV_CMD_FIELD_##kind },
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
};
const size_t gv_cmd_field_count = sizeof gv_cmd_fields / sizeof gv_cmd_fields[0];

// Row numbers of `infos`, and row + 1 by opcode.
enum row {
#define GV_CMD(name, opcode, min, count_at, element, handler) ROW_##name,
#define GV_FIELD(name, field, offset, kind)
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
};
static const uint8_t rows[GV_CMD_OPCODE_LIMIT] = {
#define GV_CMD(name, opcode, min, count_at, element, handler) [opcode] = ROW_##name + 1,
#define GV_FIELD(name, field, offset, kind)
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
#undef GV_CMD_END
};

const struct gv_cmd_info *gv_cmd_find(uint32_t opcode)
{
    return opcode < GV_CMD_OPCODE_LIMIT && rows[opcode] ? &infos[rows[opcode] - 1]
                                                        : NULL;
}

float gv_cmd_f32(const struct gv_cmd *c, size_t at)
{
    uint32_t bits = gv_load_u32(c->p + at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool gv_cmd_stream_open(struct gv_cmd_stream *s, const uint8_t *data, size_t size,
                        uint64_t offset, struct gv_error *err)
{
    *s = (struct gv_cmd_stream){ .data = data,
                                 .offset = offset,
                                 .pos = GV_CMD_STREAM_HEADER };
    if (size < GV_CMD_STREAM_HEADER)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "CommandStream:BufferTooSmall: %zu bytes hold no header", size);
    if (gv_load_u32(data) != GV_CMD_STREAM_MAGIC)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "CommandStream:BadMagic: stream magic is not ACMD");
    s->abi = gv_load_u32(data + 4);
    if (s->abi >> 16 != 1)
        return gv_fail(err, GV_ERR_FORMAT, offset + 4,
                       "CommandStream:Abi: major version %u is not 1", s->abi >> 16);
    s->size = gv_load_u32(data + 8);
    s->flags = gv_load_u32(data + 12);
    if (s->size < GV_CMD_STREAM_HEADER || s->size > size)
        return gv_fail(err, GV_ERR_FORMAT, offset + 8,
                       "CommandStream:BadSizeBytes: stream of %zu bytes says %zu", size,
                       s->size);
    if (s->size % 4)
        return gv_fail(err, GV_ERR_FORMAT, offset + 8,
                       "CommandStream:SizeNotAligned: stream of %zu bytes", s->size);
    if (s->size > GV_MAX_CMD_STREAM_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, offset + 8,
                       "command stream of %zu bytes is over the limit of 64 MiB",
                       s->size);
    return true;
}

static bool check_size(const struct gv_cmd *c, struct gv_error *err)
{
    const struct gv_cmd_info *info = c->info;
    if (c->size < info->min)
        return gv_fail(err, GV_ERR_FORMAT, c->offset,
                       "CommandStream:PayloadTooSmall(0x%x): %s of %u bytes, not %u",
                       c->opcode, info->name, c->size, info->min);
    if (!info->element)
        return true;
    uint64_t count = gv_cmd_u32(c, info->count_at);
    if (count * info->element > c->size - info->min)
        return gv_fail(err, GV_ERR_FORMAT, c->offset,
                       "CommandStream:PayloadTooSmall(0x%x): %s of %u bytes declares "
                       "%llu elements",
                       c->opcode, info->name, c->size, (unsigned long long)count);
    return true;
}

bool gv_cmd_stream_next(struct gv_cmd_stream *s, struct gv_cmd *out,
                        struct gv_error *err)
{
    size_t left = s->size - s->pos;
    if (!left)
        return false;
    out->offset = s->offset + s->pos;
    if (left < GV_CMD_HEADER)
        return gv_fail(err, GV_ERR_FORMAT, out->offset,
                       "CommandStream:BufferTooSmall: %zu bytes hold no packet header",
                       left);
    out->p = s->data + s->pos;
    out->opcode = gv_load_u32(out->p);
    out->size = gv_load_u32(out->p + 4);
    if (out->size < GV_CMD_HEADER)
        return gv_fail(err, GV_ERR_FORMAT, out->offset,
                       "CommandStream:BadSizeBytes: packet of %u bytes", out->size);
    if (out->size % 4)
        return gv_fail(err, GV_ERR_FORMAT, out->offset,
                       "CommandStream:SizeNotAligned: packet of %u bytes", out->size);
    if (out->size > left)
        return gv_fail(
            err, GV_ERR_FORMAT, out->offset,
            "CommandStream:PacketOverrunsStream: packet of %u bytes with %zu "
            "left",
            out->size, left);
    out->info = gv_cmd_find(out->opcode);
    s->pos += out->size;
    return !out->info || check_size(out, err);
}

static void print_field(const struct gv_cmd *c, const struct gv_cmd_field *f,
                        struct gv_bytes *out)
{
    switch ((enum gv_cmd_field_kind)f->kind) {
    case GV_CMD_FIELD_U8:
        gv_bytes_printf(out, " %s=%u", f->name, c->p[f->offset]);
        break;
    case GV_CMD_FIELD_U32:
        gv_bytes_printf(out, " %s=%u", f->name, gv_cmd_u32(c, f->offset));
        break;
    case GV_CMD_FIELD_I32:
        gv_bytes_printf(out, " %s=%d", f->name, (int32_t)gv_cmd_u32(c, f->offset));
        break;
    case GV_CMD_FIELD_F32:
        gv_bytes_printf(out, " %s=%g", f->name, (double)gv_cmd_f32(c, f->offset));
        break;
    case GV_CMD_FIELD_U64:
        gv_bytes_printf(out, " %s=%llu", f->name,
                        (unsigned long long)gv_cmd_u64(c, f->offset));
        break;
    }
}

static size_t field_bytes(uint8_t kind)
{
    return kind == GV_CMD_FIELD_U8 ? 1 : kind == GV_CMD_FIELD_U64 ? 8 : 4;
}

// Text of a debug marker: what is printable, the rest as dots.
static void print_marker(const struct gv_cmd *c, struct gv_bytes *out)
{
    gv_bytes_printf(out, " text=\"");
    for (uint32_t i = GV_CMD_HEADER; i < c->size && c->p[i]; i++) {
        uint8_t b = c->p[i];
        gv_bytes_u8(out, b < 0x20 || b == 0x7f || b == '"' || b == '\\' ? '.' : b);
    }
    gv_bytes_u8(out, '"');
}

// Trailing elements as hexadecimal dwords, the first few.
static void print_tail(const struct gv_cmd *c, struct gv_bytes *out)
{
    enum { SHOWN = 16 };
    size_t count = gv_cmd_u32(c, c->info->count_at);
    size_t dwords = (count * c->info->element + 3) / 4;
    gv_bytes_printf(out, " [");
    for (size_t i = 0; i < dwords && i < SHOWN; i++) {
        size_t at = c->info->min + 4 * i;
        if (at + 4 <= c->size)
            gv_bytes_printf(out, "%s%08x", i ? " " : "", gv_cmd_u32(c, at));
    }
    gv_bytes_printf(out, dwords > SHOWN ? " ...]" : "]");
}

void gv_cmd_print(const struct gv_cmd *c, struct gv_bytes *out)
{
    if (!c->info) {
        gv_bytes_printf(out, "Unknown(0x%x)", c->opcode);
        return;
    }
    gv_bytes_printf(out, "%s", c->info->name);
    for (size_t i = 0; i < gv_cmd_field_count; i++) {
        const struct gv_cmd_field *f = &gv_cmd_fields[i];
        if (f->opcode == c->opcode && f->offset + field_bytes(f->kind) <= c->size)
            print_field(c, f, out);
    }
    if (c->opcode == GV_CMD_DEBUG_MARKER)
        print_marker(c, out);
    if (c->info->element)
        print_tail(c, out);
}
