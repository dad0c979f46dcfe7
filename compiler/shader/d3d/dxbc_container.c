#include "compiler/shader/d3d/dxbc_container.h"

#include "resources/base/cursor.h"

#include <ctype.h>
#include <string.h>

#define FOURCC(a, b, c, d) \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define MAX_NAME 63
#define MAX_ELEMENTS 128 // 32 registers of 4 components

uint32_t dxbc_token(const struct dxbc_tokens *t, size_t i)
{
    return gv_load_u32(t->data + i * 4);
}

uint64_t dxbc_token_offset(const struct dxbc_tokens *t, size_t i)
{
    return t->offset + i * 4;
}

bool dxbc_is_container(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, "DXBC", 4) == 0;
}

uint32_t gv_dxbc_semantic_hash(const char *name)
{
    uint32_t hash = 2166136261u; // FNV-1a 32
    for (; *name; name++) {
        uint32_t c = (uint8_t)*name;
        hash = (hash ^ (c >= 'a' && c <= 'z' ? c - 32 : c)) * 16777619u;
    }
    return hash;
}

// The three layouts of signature entries.
struct layout {
    uint32_t fourcc;
    uint8_t entry_size;
    uint8_t before; // bytes before the name offset: the stream, where there is one
    uint8_t which;  // 0 inputs, 1 outputs, 2 patch constants
};
static const struct layout layouts[] = {
    { FOURCC('I', 'S', 'G', 'N'), 24, 0, 0 }, { FOURCC('O', 'S', 'G', 'N'), 24, 0, 1 },
    { FOURCC('P', 'C', 'S', 'G'), 24, 0, 2 }, { FOURCC('P', 'S', 'G', 'N'), 24, 0, 2 },
    { FOURCC('O', 'S', 'G', '5'), 28, 4, 1 }, { FOURCC('I', 'S', 'G', '1'), 32, 4, 0 },
    { FOURCC('O', 'S', 'G', '1'), 32, 4, 1 }, { FOURCC('P', 'S', 'G', '1'), 32, 4, 2 },
};

static const struct layout *find_layout(uint32_t fourcc)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].fourcc == fourcc)
            return &layouts[i];
    return NULL;
}

struct chunk {
    struct gv_cursor data;
    uint64_t offset; // of the data in the capture
};

static const char *read_name(const struct chunk *chunk, uint32_t at,
                             struct gv_arena *arena)
{
    if (at >= chunk->data.size)
        return NULL;
    const uint8_t *start = chunk->data.data + at;
    const uint8_t *end = memchr(start, 0, chunk->data.size - at);
    if (!end)
        return NULL;
    size_t n = (size_t)(end - start);
    return gv_arena_copy(arena, start, n > MAX_NAME ? MAX_NAME : n);
}

static uint32_t component_class(uint32_t type)
{
    return type == 1 ? GV_DXBC_UINT : type == 2 ? GV_DXBC_SINT : GV_DXBC_FLOAT;
}

static bool read_element(struct chunk *chunk, const struct layout *layout,
                         struct gv_arena *arena, struct gv_dxbc_element *out,
                         bool *hand_made, struct gv_error *err)
{
    struct gv_cursor *c = &chunk->data;
    size_t at = c->pos;
    out->stream = layout->before ? gv_cursor_u32(c) : 0;
    uint32_t name = gv_cursor_u32(c);
    out->semantic_index = gv_cursor_u32(c);
    out->system_value = gv_cursor_u32(c);
    uint32_t type = gv_cursor_u32(c);
    out->reg = gv_cursor_u32(c);
    out->mask = gv_cursor_u8(c) & 0xf;
    gv_cursor_seek(c, at + layout->entry_size);
    if (c->bad)
        return gv_fail(err, GV_ERR_FORMAT, chunk->offset + at,
                       "signature entry passes the end of its chunk");
    out->component = component_class(type);
    out->location = UINT32_MAX;
    *hand_made = type == 0;
    out->name = read_name(chunk, name, arena);
    if (!out->name)
        return gv_fail(err, GV_ERR_FORMAT, chunk->offset + at,
                       "semantic name passes the end of its chunk");
    out->semantic_hash = gv_dxbc_semantic_hash(out->name);
    if (out->reg != UINT32_MAX && out->reg >= GV_DXBC_MAX_REGISTERS)
        return gv_fail(err, GV_ERR_FORMAT, chunk->offset + at,
                       "signature register %u is out of range", out->reg);
    return true;
}

static bool read_signature(struct chunk *chunk, const struct layout *layout,
                           struct gv_arena *arena, struct dxbc_signature *out,
                           struct gv_error *err)
{
    struct gv_cursor *c = &chunk->data;
    uint32_t count = gv_cursor_u32(c);
    gv_cursor_u32(c); // always 8: where the entries start
    if (c->bad || count > gv_cursor_left(c) / layout->entry_size)
        return gv_fail(err, GV_ERR_FORMAT, chunk->offset,
                       "signature of %u entries passes the end of its chunk", count);
    if (count > MAX_ELEMENTS)
        return gv_fail(err, GV_ERR_LIMIT, chunk->offset,
                       "signature of more than %d entries", MAX_ELEMENTS);
    out->present = true;
    out->count = count;
    out->elements = gv_arena_array(arena, count, sizeof *out->elements);
    if (!out->elements)
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        bool hand_made = false;
        if (!read_element(chunk, layout, arena, &out->elements[i], &hand_made, err))
            return false;
        // Kept in `usage` until dxbc_resolve_signatures: 1 = the name decides.
        out->elements[i].usage = hand_made;
    }
    return true;
}

static bool take_tokens(const struct chunk *chunk, struct dxbc_container *out,
                        struct gv_error *err)
{
    if (chunk->data.size < 8)
        return gv_fail(err, GV_ERR_FORMAT, chunk->offset, "token chunk under 8 bytes");
    out->tokens =
        (struct dxbc_tokens){ chunk->data.data, chunk->data.size / 4, chunk->offset };
    return true;
}

static bool read_chunk(const struct gv_cursor *blob, uint32_t at, uint64_t offset,
                       struct gv_arena *arena, bool *has_shex,
                       struct dxbc_container *out, struct gv_error *err)
{
    struct gv_cursor head = gv_cursor_slice(blob, at, 8);
    uint32_t fourcc = gv_cursor_u32(&head);
    uint32_t size = gv_cursor_u32(&head);
    if (head.bad || size > blob->size - at - 8)
        return gv_fail(err, GV_ERR_FORMAT, offset + at,
                       "dxbc chunk passes the end of the container");
    struct chunk chunk = { gv_cursor_slice(blob, (size_t)at + 8, size),
                           offset + at + 8 };
    if (fourcc == FOURCC('S', 'H', 'E', 'X')) {
        *has_shex = true;
        return take_tokens(&chunk, out, err);
    }
    if (fourcc == FOURCC('S', 'H', 'D', 'R'))
        return *has_shex || take_tokens(&chunk, out, err);
    out->dxil |= fourcc == FOURCC('D', 'X', 'I', 'L');
    const struct layout *layout = find_layout(fourcc);
    if (!layout)
        return true; // resource descriptions, statistics, debug data
    struct dxbc_signature *signatures[] = { &out->inputs, &out->outputs, &out->patch };
    return read_signature(&chunk, layout, arena, signatures[layout->which], err);
}

bool dxbc_container_read(const uint8_t *data, size_t size, uint64_t offset,
                         struct gv_arena *arena, struct dxbc_container *out,
                         struct gv_error *err)
{
    *out = (struct dxbc_container){ 0 };
    struct gv_cursor c = gv_cursor_make(data, size);
    gv_cursor_seek(&c, 24); // magic, checksum (zero in hand-made blobs), version
    uint32_t total = gv_cursor_u32(&c);
    uint32_t count = gv_cursor_u32(&c);
    if (c.bad || !dxbc_is_container(data, size))
        return gv_fail(err, GV_ERR_FORMAT, offset, "no dxbc header");
    if (total > size || total < 32)
        return gv_fail(err, GV_ERR_FORMAT, offset + 24,
                       "dxbc size %u in a blob of %zu bytes", total, size);
    if (count > GV_DXBC_MAX_CHUNKS || count > (total - 32) / 4)
        return gv_fail(err, GV_ERR_FORMAT, offset + 28, "dxbc with %u chunks", count);
    struct gv_cursor blob = gv_cursor_make(data, total);
    bool has_shex = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = gv_cursor_u32(&c);
        if (at < 32 + (size_t)count * 4 || at > total - 8)
            return gv_fail(err, GV_ERR_FORMAT, offset + 32 + (uint64_t)i * 4,
                           "dxbc chunk offset %u is out of range", at);
        if (!read_chunk(&blob, at, offset, arena, &has_shex, out, err))
            return false;
    }
    if (!out->tokens.data && out->dxil)
        return gv_fail(err, GV_ERR_UNSUPPORTED, offset, "unsupported: dxil");
    if (!out->tokens.data)
        return gv_fail(err, GV_ERR_FORMAT, offset, "dxbc without a token chunk");
    return true;
}

// ---- hand-made entries ----

enum { AS_INPUT = 1, AS_OUTPUT = 2, AS_PATCH = 4 };

// Names (compared without case) that mean a system value where none is stated.
static const struct {
    const char *name;
    uint32_t value;
    int where;
    int stage; // -1: any
    bool any_index;
} named_values[] = {
    { "SV_POSITION", GV_DXBC_SV_POSITION, AS_INPUT | AS_OUTPUT, -1, false },
    { "SV_VERTEXID", GV_DXBC_SV_VERTEX_ID, AS_INPUT, -1, false },
    { "SV_INSTANCEID", GV_DXBC_SV_INSTANCE_ID, AS_INPUT, -1, false },
    { "SV_PRIMITIVEID", GV_DXBC_SV_PRIMITIVE_ID, AS_INPUT | AS_OUTPUT, -1, false },
    { "SV_ISFRONTFACE", GV_DXBC_SV_FRONT_FACE, AS_INPUT, -1, false },
    { "SV_SAMPLEINDEX", GV_DXBC_SV_SAMPLE_INDEX, AS_INPUT, -1, false },
    { "SV_CLIPDISTANCE", GV_DXBC_SV_CLIP_DISTANCE, AS_INPUT | AS_OUTPUT, -1, true },
    { "SV_CULLDISTANCE", GV_DXBC_SV_CULL_DISTANCE, AS_INPUT | AS_OUTPUT, -1, true },
    { "SV_RENDERTARGETARRAYINDEX", GV_DXBC_SV_LAYER, AS_INPUT | AS_OUTPUT, -1, false },
    { "SV_VIEWPORTARRAYINDEX", GV_DXBC_SV_VIEWPORT, AS_INPUT | AS_OUTPUT, -1, false },
    { "SV_TESSFACTOR", GV_DXBC_SV_QUAD_EDGE, AS_PATCH, -1, true },
    { "SV_INSIDETESSFACTOR", GV_DXBC_SV_QUAD_INSIDE, AS_PATCH, -1, true },
    { "SV_OUTPUTCONTROLPOINTID", GV_DXBC_SV_CONTROL_POINT_ID, AS_INPUT, GV_DXBC_HULL,
      false },
    { "SV_DOMAINLOCATION", GV_DXBC_SV_DOMAIN_LOCATION, AS_INPUT, GV_DXBC_DOMAIN,
      false },
    { "POSITION", GV_DXBC_SV_POSITION, AS_OUTPUT, GV_DXBC_VERTEX, false },
    { "POSITION", GV_DXBC_SV_POSITION, AS_OUTPUT, GV_DXBC_GEOMETRY, false },
    { "POSITION", GV_DXBC_SV_POSITION, AS_OUTPUT, GV_DXBC_DOMAIN, false },
    { "POSITION", GV_DXBC_SV_POSITION, AS_INPUT, GV_DXBC_PIXEL, false },
    { "POSITION", GV_DXBC_SV_POSITION, AS_INPUT, GV_DXBC_GEOMETRY, false },
};

static bool same_name(const char *a, const char *upper)
{
    for (; *a && *upper; a++, upper++)
        if (toupper((unsigned char)*a) != *upper)
            return false;
    return *a == *upper;
}

static void name_value(struct gv_dxbc_element *e, int where, enum gv_dxbc_stage stage)
{
    for (size_t i = 0; i < sizeof named_values / sizeof *named_values; i++) {
        if (!(named_values[i].where & where) ||
            (named_values[i].stage >= 0 && named_values[i].stage != (int)stage) ||
            (e->semantic_index && !named_values[i].any_index))
            continue;
        if (same_name(e->name, named_values[i].name)) {
            e->system_value = named_values[i].value;
            return;
        }
    }
}

// Pixel outputs carry no system value even in official blobs: the name decides.
static void name_pixel_output(struct gv_dxbc_element *e)
{
    if (same_name(e->name, "SV_TARGET") || same_name(e->name, "COLOR"))
        e->system_value = GV_DXBC_SV_TARGET;
    else if (same_name(e->name, "SV_DEPTH") || same_name(e->name, "DEPTH"))
        e->system_value = GV_DXBC_SV_DEPTH;
    else if (same_name(e->name, "SV_DEPTHGREATEREQUAL"))
        e->system_value = GV_DXBC_SV_DEPTH_GREATER;
    else if (same_name(e->name, "SV_DEPTHLESSEQUAL"))
        e->system_value = GV_DXBC_SV_DEPTH_LESS;
    else if (same_name(e->name, "SV_COVERAGE"))
        e->system_value = GV_DXBC_SV_COVERAGE;
    else if (same_name(e->name, "SV_STENCILREF"))
        e->system_value = GV_DXBC_SV_STENCIL_REF;
}

static void resolve(struct dxbc_signature *s, int where, enum gv_dxbc_stage stage)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct gv_dxbc_element *e = &s->elements[i];
        if (stage == GV_DXBC_PIXEL && where == AS_OUTPUT)
            name_pixel_output(e);
        else if (e->usage)
            name_value(e, where, stage);
        e->usage = 0;
    }
}

void dxbc_resolve_signatures(struct dxbc_container *c, enum gv_dxbc_stage stage)
{
    resolve(&c->inputs, AS_INPUT, stage);
    resolve(&c->outputs, AS_OUTPUT, stage);
    resolve(&c->patch, AS_PATCH, stage);
}
