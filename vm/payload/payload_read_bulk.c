// The bulk of a payload: constants, resource groups, chunks and their code blocks.
#include "resources/base/checked.h"
#include "vm/payload/payload_segments.h"

#include <stdlib.h>
#include <string.h>

// ---- blocks: constants and code ----

// u32 count, { u32 stored, u32 raw } per block, then the blocks without gaps.
struct blocks {
    uint32_t count;
    const uint8_t *sizes;
};

static bool read_block_header(struct gv_reader *r, struct blocks *blocks)
{
    blocks->count = gv_cursor_count(&r->c, 8);
    blocks->sizes = gv_cursor_take(&r->c, (size_t)blocks->count * 8);
    if (r->c.bad || blocks->count == 0)
        return gv_reader_fail(r, GV_ERR_FORMAT, "a block table is empty or cut off");
    return true;
}

static bool next_block(struct gv_reader *r, const struct blocks *blocks, uint32_t i,
                       struct gv_block *block)
{
    *block = (struct gv_block){
        .file_offset = r->segment->offset + GV_SEGMENT_HEADER_BYTES + r->c.pos,
        .stored_size = gv_load_u32(blocks->sizes + (size_t)i * 8),
        .raw_size = gv_load_u32(blocks->sizes + (size_t)i * 8 + 4),
    };
    if (block->raw_size == 0 || block->raw_size > GV_MAX_BLOCK_BYTES ||
        block->stored_size > block->raw_size || block->stored_size == 0)
        return gv_reader_fail(r, GV_ERR_FORMAT, "a block has an impossible size");
    block->code = gv_cursor_take(&r->c, block->stored_size);
    if (!block->code)
        return gv_reader_fail(r, GV_ERR_FORMAT,
                              "a block passes the end of its segment");
    return true;
}

static bool no_rest(struct gv_reader *r)
{
    return gv_cursor_left(&r->c) == 0 ||
           gv_reader_fail(r, GV_ERR_FORMAT, "bytes after the last block");
}

// Decompresses a block into `out`, which has room for its raw size.
static bool expand(const struct gv_payload *p, const struct gv_block *block,
                   uint8_t *out, struct gv_error *err)
{
    const struct gv_span stored = { block->code, block->stored_size };
    struct gv_error mine = GV_ERROR_INIT;
    if (block->stored_size == block->raw_size) {
        memcpy(out, stored.data, block->raw_size);
        return true;
    }
    if (gv_codec_decompress(p->private->codec, stored, out, block->raw_size, &mine))
        return true;
    return gv_fail(err, mine.status, block->file_offset, "block: %s", mine.message);
}

static bool append_constants(struct gv_reader *r, const struct gv_block *block)
{
    struct gv_payload *p = r->payload;
    size_t size = p->constant_size + block->raw_size;
    if (size > GV_MAX_CONSTANT_BYTES)
        return gv_reader_fail(r, GV_ERR_FORMAT, "too many constants");
    if (!gv_payload_charge(r->private, block->raw_size, r->err))
        return false;
    uint8_t *constants = realloc(p->constants, size);
    if (!constants)
        return gv_out_of_memory(r->err);
    p->constants = constants;
    if (!expand(p, block, constants + p->constant_size, r->err))
        return false;
    p->constant_size = size;
    return true;
}

bool gv_read_constants(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    struct blocks blocks;
    if (!read_block_header(r, &blocks))
        return false;
    for (uint32_t i = 0; i < blocks.count; i++) {
        struct gv_block block;
        if (!next_block(r, &blocks, i, &block) || !append_constants(r, &block))
            return false;
        struct gv_block *rows =
            gv_reader_grow(r, p->constant_blocks, p->constant_block_count, 1,
                           &r->private->constant_block_capacity, sizeof *rows);
        if (!rows)
            return false;
        p->constant_blocks = rows;
        block.code = NULL; // expanded, and no block of code
        rows[p->constant_block_count++] = block;
    }
    return no_rest(r);
}

// A chunk row. The block it is in comes with the CODE segment that follows.
static bool read_chunk(struct gv_reader *r, uint64_t *block_offset, uint64_t block)
{
    struct gv_payload *p = r->payload;
    const struct gv_chunk last = r->private->last_chunk;
    uint64_t size = gv_cursor_uleb(&r->c);
    uint64_t step = gv_cursor_uleb(&r->c);
    int64_t resource = gv_cursor_sleb(&r->c);
    uint64_t command = 0;
    bool near = resource >= -(int64_t)UINT32_MAX && resource <= (int64_t)UINT32_MAX;
    resource = near ? resource + last.first_resource : -1;
    if (r->c.bad || size == 0 || size > GV_MAX_BLOCK_BYTES - *block_offset ||
        !gv_add_u64(last.first_command, step, &command) || resource < 0 ||
        resource > (int64_t)UINT32_MAX)
        return gv_reader_fail(r, GV_ERR_FORMAT, "chunk row is malformed");
    struct gv_chunk *rows = gv_reader_grow(r, p->chunks, p->chunk_count, 1,
                                           &r->private->chunk_capacity, sizeof *rows);
    if (!rows)
        return false;
    p->chunks = rows;
    r->private->last_chunk = (struct gv_chunk){
        .block = block,
        .offset = (uint32_t)*block_offset,
        .size = (uint32_t)size,
        .first_command = command,
        .code_offset = p->code_size,
        .first_resource = (uint32_t)resource,
    };
    rows[p->chunk_count++] = r->private->last_chunk;
    *block_offset += size;
    p->code_size += size;
    return true;
}

bool gv_read_chunks(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    if (r->private->chunks_placed != p->chunk_count)
        return gv_reader_fail(r, GV_ERR_FORMAT, "chunks without their code");
    for (uint64_t block = p->code_block_count; gv_cursor_left(&r->c) > 0; block++) {
        uint64_t count = gv_cursor_uleb(&r->c);
        uint64_t offset = 0;
        if (r->c.bad || count == 0)
            return gv_reader_fail(r, GV_ERR_FORMAT, "a code block has no chunks");
        for (uint64_t i = 0; i < count; i++)
            if (!read_chunk(r, &offset, block))
                return false;
    }
    return true;
}

// The raw sizes of the blocks must be what the chunks placed in them need.
static bool place_chunks(struct gv_reader *r, const struct gv_block *block)
{
    struct gv_payload *p = r->payload;
    uint64_t size = 0;
    size_t at = r->private->chunks_placed;
    for (; at < p->chunk_count && p->chunks[at].block == p->code_block_count; at++)
        size += p->chunks[at].size;
    if (size != block->raw_size)
        return gv_reader_fail(r, GV_ERR_FORMAT,
                              "a code block is not as large as its chunks");
    r->private->chunks_placed = at;
    return true;
}

// Code is read twice, to be verified and to be run. A mapped file can change in
// between, so that the bytes are taken out of it once, compressed as they are.
static bool keep_code(struct gv_reader *r, struct gv_block *block)
{
    if (!gv_payload_charge(r->private, block->stored_size, r->err))
        return false;
    r->private->code_held += block->stored_size;
    block->code = gv_arena_copy(&r->private->code, block->code, block->stored_size);
    return block->code || gv_out_of_memory(r->err);
}

bool gv_read_code(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    struct blocks blocks;
    if (!read_block_header(r, &blocks))
        return false;
    for (uint32_t i = 0; i < blocks.count; i++) {
        struct gv_block block;
        if (!next_block(r, &blocks, i, &block) || !place_chunks(r, &block) ||
            !keep_code(r, &block))
            return false;
        struct gv_block *rows =
            gv_reader_grow(r, p->code_blocks, p->code_block_count, 1,
                           &r->private->code_block_capacity, sizeof *rows);
        if (!rows)
            return false;
        p->code_blocks = rows;
        rows[p->code_block_count++] = block;
    }
    if (r->private->chunks_placed != p->chunk_count)
        return gv_reader_fail(r, GV_ERR_FORMAT, "chunks without their code");
    return no_rest(r);
}

const uint8_t *gv_payload_chunk(struct gv_payload *payload, size_t chunk,
                                struct gv_error *err)
{
    struct gv_payload_private *private = payload->private;
    if (chunk >= payload->chunk_count) {
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no chunk %zu", chunk);
        return NULL;
    }
    const struct gv_chunk *c = &payload->chunks[chunk];
    const struct gv_block *block = &payload->code_blocks[c->block];
    if (block->stored_size == block->raw_size)
        return block->code + c->offset;
    if (private->block && private->block_index == c->block)
        return private->block + c->offset;
    if (block->raw_size > private->block_capacity) {
        if (!gv_payload_charge(private, block->raw_size - private->block_capacity, err))
            return NULL;
        free(private->block);
        private->block_capacity = 0;
        private->block = malloc(block->raw_size);
        if (!private->block) {
            gv_out_of_memory(err);
            return NULL;
        }
        private->block_capacity = block->raw_size;
    }
    private->block_index = UINT64_MAX;
    if (!expand(payload, block, private->block, err))
        return NULL;
    private->block_index = c->block;
    return private->block + c->offset;
}

// ---- resources ----

static bool read_resource(struct gv_reader *r, struct gv_group *group)
{
    struct gv_payload *p = r->payload;
    uint64_t size = gv_cursor_uleb(&r->c);
    uint64_t offset = 0;
    if (!gv_align_u64(group->raw_size, GV_RESOURCE_ALIGNMENT, &offset) || size == 0 ||
        !gv_range_inside(offset, size, GV_MAX_GROUP_BYTES))
        r->c.bad = true;
    if (r->c.bad || p->resource_count >= GV_MAX_RESOURCES)
        return gv_reader_fail(r, GV_ERR_FORMAT, "resource row is malformed");
    struct gv_resource *rows =
        gv_reader_grow(r, p->resources, p->resource_count, 1,
                       &r->private->resource_capacity, sizeof *rows);
    if (!rows)
        return false;
    p->resources = rows;
    rows[p->resource_count++] = (struct gv_resource){ .group = (uint32_t)p->group_count,
                                                      .offset = offset,
                                                      .size = size };
    group->raw_size = offset + size;
    return true;
}

static bool group_is_sound(const struct gv_reader *r, const struct gv_group *group)
{
    if (r->payload->thin)
        return group->codec != GV_CODEC_ZSTD && group->stored_size == 0;
    if (group->codec == GV_CODEC_RAW)
        return group->stored_size == group->raw_size;
    return group->stored_size > 0 && group->stored_size < group->raw_size;
}

// What whoever fetches the group has to have: it is known before that it can be had,
// by one more object and in bounded memory.
static bool read_dictionary(struct gv_reader *r, struct gv_group *group)
{
    struct gv_payload *p = r->payload;
    struct gv_payload_private *private = r->private;
    uint64_t number = gv_cursor_uleb(&r->c);
    size_t known = 0;
    if (p->major < 2)
        return gv_reader_fail(r, GV_ERR_FORMAT,
                              "a dictionary in a payload of version %u", p->major);
    if (r->c.bad || number >= p->group_count)
        return gv_reader_fail(r, GV_ERR_FORMAT,
                              "a group's dictionary is not a group before it");
    if (p->groups[number].codec == GV_CODEC_DICTIONARY)
        return gv_reader_fail(r, GV_ERR_FORMAT,
                              "a group's dictionary has a dictionary itself");
    if (p->groups[number].raw_size > GV_DICTIONARY_OBJECT)
        return gv_reader_fail(r, GV_ERR_FORMAT, "a group's dictionary is too large");
    group->dictionary = (uint32_t)number;
    while (known < p->dictionary_count && private->dictionary_groups[known] != number)
        known++;
    if (known < p->dictionary_count)
        return true;
    if (known == GV_DICTIONARY_MOST)
        return gv_reader_fail(r, GV_ERR_FORMAT, "more than %u dictionaries",
                              GV_DICTIONARY_MOST);
    private->dictionary_groups[p->dictionary_count++] = group->dictionary;
    // Kept here and by the payload's source, and for a moment the object.
    return gv_payload_charge(private, 2 * GV_DICTIONARY_BYTES, r->err);
}

static bool read_group(struct gv_reader *r, struct gv_group *group)
{
    group->codec = gv_cursor_u8(&r->c);
    if (group->codec > GV_CODEC_DICTIONARY)
        return gv_reader_fail(r, GV_ERR_FORMAT, "a group has an unknown codec");
    if (group->codec == GV_CODEC_DICTIONARY && !read_dictionary(r, group))
        return false;
    group->stored_size = gv_cursor_uleb(&r->c);
    const uint8_t *hash = gv_cursor_take(&r->c, sizeof group->hash.bytes);
    uint64_t count = gv_cursor_uleb(&r->c);
    if (r->c.bad || count == 0 || !hash)
        return gv_reader_fail(r, GV_ERR_FORMAT, "group row is malformed");
    memcpy(group->hash.bytes, hash, sizeof group->hash.bytes);
    for (uint64_t i = 0; i < count; i++)
        if (!read_resource(r, group))
            return false;
    return group_is_sound(r, group) ||
           gv_reader_fail(r, GV_ERR_FORMAT, "a group has an impossible stored size");
}

bool gv_read_resources(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    if (!p->thin && r->private->groups_placed != p->group_count)
        return gv_reader_fail(r, GV_ERR_FORMAT, "resources without their bytes");
    while (gv_cursor_left(&r->c) > 0) {
        struct gv_group group = { 0 };
        if (!read_group(r, &group))
            return false;
        struct gv_group *rows = gv_reader_grow(
            r, p->groups, p->group_count, 1, &r->private->group_capacity, sizeof group);
        if (!rows)
            return false;
        p->groups = rows;
        rows[p->group_count++] = group;
    }
    return true;
}

// The stored groups of the RESOURCES segment before, each padded to 16 with zeros.
// Their bytes are not read here: a group is hashed when it is first used.
bool gv_read_resource_bytes(struct gv_reader *r)
{
    struct gv_payload *p = r->payload;
    static const uint8_t zeros[GV_GROUP_ALIGNMENT];
    if (p->thin || r->private->groups_placed == p->group_count)
        return gv_reader_fail(r, GV_ERR_FORMAT, "resource bytes that no table names");
    for (size_t i = r->private->groups_placed; i < p->group_count; i++) {
        struct gv_group *group = &p->groups[i];
        group->file_offset = r->segment->offset + GV_SEGMENT_HEADER_BYTES + r->c.pos;
        size_t padding =
            (size_t)(-group->stored_size & (uint64_t)(GV_GROUP_ALIGNMENT - 1));
        if (group->stored_size > gv_cursor_left(&r->c))
            r->c.bad = true;
        gv_cursor_take(&r->c, (size_t)group->stored_size);
        const uint8_t *pad = gv_cursor_take(&r->c, padding);
        if (!pad || memcmp(pad, zeros, padding) != 0)
            return gv_reader_fail(r, GV_ERR_FORMAT,
                                  "group %zu does not fit the resource bytes", i);
    }
    r->private->groups_placed = p->group_count;
    return no_rest(r);
}
