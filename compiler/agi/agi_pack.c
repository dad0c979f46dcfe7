#include "compiler/agi/agi_pack.h"

#include <string.h>

#define MAGIC_BYTES (sizeof GV_AGI_MAGIC - 1)
#define HEAD_BYTES 16u // of the file

static bool bad(const struct gv_agi_chunk *chunk, struct gv_error *err,
                const char *what)
{
    gv_fail(err, GV_ERR_FORMAT, chunk->offset, "chunk %llu: %s",
            (unsigned long long)chunk->number, what);
    return gv_error_at_command(err, chunk->number);
}

static int64_t zigzag(uint64_t n)
{
    return (int64_t)((n >> 1) ^ (0 - (n & 1)));
}

bool gv_agi_pack_open(struct gv_agi_pack *pack, struct gv_cursor bytes,
                      struct gv_arena *arena, struct gv_error *err)
{
    *pack = (struct gv_agi_pack){ .bytes = bytes };
    gv_agi_types_init(&pack->types, arena);
    const uint8_t *head = gv_cursor_take(&pack->bytes, HEAD_BYTES);
    if (!head)
        return gv_fail(err, GV_ERR_FORMAT, 0, "the file ends in its head");
    if (!memcmp(head, "protopack", 9))
        return gv_fail(err, GV_ERR_UNSUPPORTED, 0,
                       "unsupported: AGI capture of version 1");
    if (memcmp(head, GV_AGI_MAGIC, MAGIC_BYTES) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "no AGI capture");
    const uint8_t *version = head + MAGIC_BYTES;
    if (version[0] < '0' || version[0] > '9' || version[1] != '.' || version[2] < '0' ||
        version[2] > '9' || version[3] != '\n' || version[4] != 0)
        return gv_fail(err, GV_ERR_FORMAT, MAGIC_BYTES, "a version that is no number");
    pack->major = version[0] - '0';
    pack->minor = version[2] - '0';
    return pack->major == 2 || gv_fail(err, GV_ERR_UNSUPPORTED, MAGIC_BYTES,
                                       "unsupported: AGI capture of version %u.%u",
                                       pack->major, pack->minor);
}

void gv_agi_pack_finish(struct gv_agi_pack *pack)
{
    gv_agi_types_finish(&pack->types);
}

static bool read_definition(struct gv_agi_pack *pack, struct gv_cursor *body,
                            struct gv_agi_chunk *out, struct gv_error *err)
{
    const uint64_t length = gv_cursor_uleb(body);
    const uint8_t *text = body->bad || length > gv_cursor_left(body)
                              ? NULL
                              : gv_cursor_take(body, (size_t)length);
    if (!text || !length || memchr(text, 0, (size_t)length))
        return bad(out, err, "a type without its name");
    const char *name = gv_arena_copy(pack->types.arena, text, (size_t)length);
    if (!name)
        return gv_out_of_memory(err);
    const size_t left = gv_cursor_left(body);
    const struct gv_agi_message descriptor = {
        .data = body->data + body->pos,
        .size = left,
        .offset = pack->bytes.pos - left,
    };
    out->kind = GV_AGI_DEFINITION;
    if (!gv_agi_types_add(&pack->types, name, &descriptor, err))
        return gv_error_at_command(err, out->number);
    out->message.type = pack->types.list[pack->types.count - 1];
    return true;
}

static bool read_object(struct gv_agi_pack *pack, struct gv_cursor *body,
                        struct gv_agi_chunk *out, struct gv_error *err)
{
    const int64_t parent = zigzag(gv_cursor_uleb(body));
    const int64_t type = gv_cursor_left(body) ? zigzag(gv_cursor_uleb(body)) : 0;
    if (body->bad)
        return bad(out, err, "a parent or type that ends early or is over 10 bytes");
    if (parent < 0) {
        const uint64_t back = 0 - (uint64_t)parent;
        if (back >= out->number)
            return bad(out, err, "its parent lies ahead of the first chunk");
        out->parent = out->number - back;
    }
    out->kind = type > 0   ? GV_AGI_OBJECT
                : type < 0 ? GV_AGI_GROUP_BEGIN
                           : GV_AGI_GROUP_END;
    if (!type)
        return out->parent || bad(out, err, "ends a group and names none");
    const uint64_t number = type > 0 ? (uint64_t)type : 0 - (uint64_t)type;
    if (number > pack->types.count)
        return bad(out, err, "a type that is not defined before it");
    const size_t left = gv_cursor_left(body);
    out->message = (struct gv_agi_message){
        .type = pack->types.list[number - 1],
        .data = body->data + body->pos,
        .size = left,
        .offset = pack->bytes.pos - left,
    };
    return gv_agi_check(&pack->types, &out->message, err) ||
           gv_error_at_command(err, out->number);
}

// A chunk that is not all there; `*ended` where that is allowed.
static bool cut(struct gv_agi_pack *pack, const struct gv_agi_chunk *chunk, bool *ended,
                struct gv_error *err)
{
    pack->was_cut = *ended = pack->allow_truncated;
    return *ended || bad(chunk, err, "the file ends in it");
}

bool gv_agi_pack_next(struct gv_agi_pack *pack, struct gv_agi_chunk *out, bool *ended,
                      struct gv_error *err)
{
    struct gv_cursor *c = &pack->bytes;
    *out = (struct gv_agi_chunk){ .number = pack->chunks + 1, .offset = c->pos };
    *ended = !gv_cursor_left(c);
    if (*ended)
        return true;
    const int64_t size = zigzag(gv_cursor_uleb(c));
    if (c->bad && c->size - out->offset < 10)
        return cut(pack, out, ended, err);
    if (c->bad)
        return bad(out, err, "a size over 10 bytes");
    *ended = size == 0;
    if (*ended)
        return true;
    const uint64_t bytes = size > 0 ? (uint64_t)size : 0 - (uint64_t)size;
    if (bytes > gv_cursor_left(c))
        return cut(pack, out, ended, err);
    struct gv_cursor body =
        gv_cursor_make(gv_cursor_take(c, (size_t)bytes), (size_t)bytes);
    pack->chunks++;
    return size < 0 ? read_definition(pack, &body, out, err)
                    : read_object(pack, &body, out, err);
}
