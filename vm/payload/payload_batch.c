#include "vm/payload/payload_batch.h"

#include "vm/payload/payload_segments.h"

#include <stdlib.h>
#include <string.h>

// ---- packs ----

// Saves less than this part: not worth that a second group has to be fetched.
#define DICTIONARY_WORTH 20
// Of the raw bytes. Groups end with frames that fill more, so what is smaller is a
// capture's last one or stands between large resources: to digest a dictionary for it
// takes as long as all else that a small capture needs compressed.
#define DICTIONARY_LEAST 4096

// With a dictionary, if there is one that is worth it. What goes to a store is stored
// without, and says what the payload would have.
static void compress_with(struct gv_pack *pack, struct gv_codec_state *codec)
{
    const struct gv_span raw = { pack->raw.data, pack->raw.size };
    size_t plain = pack->exact ? raw.size : pack->stored.size;
    struct gv_dictionary_trial trial = { .offers = pack->offers,
                                         .first = pack->offers_first,
                                         .end = pack->offers_end };
    if (plain > raw.size)
        plain = raw.size;
    trial.least = pack->exact ? 0 : plain / DICTIONARY_WORTH;
    if (!gv_dictionary_try(&trial, codec, raw, plain, &pack->error) ||
        !gv_codec_worth(raw.size, trial.frame.size) || !trial.frame.size) {
        gv_bytes_finish(&trial.frame);
        return;
    }
    pack->dictionary = trial.number + 1;
    if (pack->thin) {
        gv_bytes_finish(&trial.frame);
        return;
    }
    gv_bytes_finish(&pack->stored);
    pack->stored = trial.frame;
}

static void compress(struct gv_work *work, struct gv_codec_state *codec)
{
    struct gv_pack *pack = (struct gv_pack *)work;
    if (pack->raw.failed || !codec) {
        gv_out_of_memory(&pack->error);
        return;
    }
    if (pack->hashed)
        pack->hash = gv_hash_bytes(pack->raw.data, pack->raw.size);
    const struct gv_span raw = { pack->raw.data, pack->raw.size };
    if (!gv_codec_compress(codec, pack->level, raw, &pack->stored, &pack->error))
        return;
    if (pack->offers_end > pack->offers_first &&
        (pack->exact ||
         (raw.size >= DICTIONARY_LEAST && raw.size <= GV_DICTIONARY_BYTES)))
        compress_with(pack, codec);
    if (pack->thin)
        return;
    if (gv_codec_worth(pack->raw.size, pack->stored.size))
        gv_bytes_finish(&pack->raw);
    else
        gv_bytes_finish(&pack->stored);
}

struct gv_pack *gv_pack_create(int level, bool hashed, bool thin)
{
    struct gv_pack *pack = calloc(1, sizeof *pack);
    if (!pack)
        return NULL;
    pack->work.run = compress;
    pack->level = level;
    pack->hashed = hashed;
    pack->thin = thin;
    gv_error_clear(&pack->error);
    return pack;
}

void gv_pack_list_add(struct gv_pack_list *list, struct gv_pack *pack)
{
    if (list->last)
        list->last->next = pack;
    else
        list->first = pack;
    list->last = pack;
    list->count++;
}

static const struct gv_bytes *stored_bytes(const struct gv_pack *pack)
{
    return pack->stored.size ? &pack->stored : &pack->raw;
}

static void finish_packs(struct gv_pack_list *list, struct gv_pool *pool)
{
    for (struct gv_pack *pack = list->first, *next; pack; pack = next) {
        next = pack->next;
        gv_pool_wait(pool, &pack->work);
        gv_bytes_finish(&pack->raw);
        gv_bytes_finish(&pack->stored);
        gv_bytes_finish(&pack->rows);
        free(pack);
    }
    *list = (struct gv_pack_list){ 0 };
}

static bool await_packs(const struct gv_pack_list *list, struct gv_pool *pool,
                        struct gv_error *err)
{
    for (struct gv_pack *pack = list->first; pack; pack = pack->next) {
        gv_pool_wait(pool, &pack->work);
        if (pack->error.status != GV_OK)
            return gv_fail(err, pack->error.status, GV_NO_OFFSET, "%s",
                           pack->error.message);
        if (pack->rows.failed)
            return gv_out_of_memory(err);
    }
    return true;
}

struct gv_batch *gv_batch_create(void)
{
    return calloc(1, sizeof(struct gv_batch));
}

void gv_batch_destroy(struct gv_batch *batch, struct gv_pool *pool)
{
    if (!batch)
        return;
    for (size_t i = 0; i < GV_SEGMENT_COUNT; i++)
        gv_bytes_finish(&batch->tables[i]);
    finish_packs(&batch->constants, pool);
    finish_packs(&batch->groups, pool);
    finish_packs(&batch->code, pool);
    free(batch);
}

// ---- segments ----

bool gv_sink_put(struct gv_segment_sink *sink, const void *data, size_t size,
                 struct gv_error *err)
{
    if (size == 0)
        return true;
    sink->offset += size;
    return sink->write(sink->context, data, size, err);
}

bool gv_sink_pad(struct gv_segment_sink *sink, size_t alignment, struct gv_error *err)
{
    static const uint8_t zeros[GV_SEGMENT_ALIGNMENT];
    size_t past = (size_t)(sink->offset & (alignment - 1));
    return gv_sink_put(sink, zeros, past ? alignment - past : 0, err);
}

static void put_segment_header(struct gv_bytes *out, const struct gv_segment_info *s)
{
    gv_bytes_u16(out, s->kind);
    gv_bytes_u16(out, s->flags);
    gv_bytes_u32(out, s->raw_size);
    gv_bytes_u64(out, s->size);
    gv_bytes_put(out, s->hash.bytes, sizeof s->hash.bytes);
}

bool gv_sink_begin(struct gv_segment_sink *sink, struct gv_segment_info *s,
                   struct gv_error *err)
{
    if (!gv_sink_pad(sink, GV_SEGMENT_ALIGNMENT, err))
        return false;
    s->offset = sink->offset;
    struct gv_bytes header = { 0 };
    put_segment_header(&header, s);
    bool ok = !header.failed && gv_sink_put(sink, header.data, header.size, err);
    gv_bytes_finish(&header);
    if (s->kind == GV_SEGMENT_DIRECTORY)
        return ok;
    gv_bytes_u16(&sink->directory, s->kind);
    gv_bytes_u16(&sink->directory, s->flags);
    gv_bytes_u32(&sink->directory, s->raw_size);
    gv_bytes_u64(&sink->directory, s->offset);
    gv_bytes_u64(&sink->directory, s->size);
    gv_bytes_put(&sink->directory, s->hash.bytes, sizeof s->hash.bytes);
    if (++sink->segment_count > GV_MAX_SEGMENTS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "over %zu segments",
                       GV_MAX_SEGMENTS);
    return ok;
}

static bool put_segment(struct gv_segment_sink *sink, enum gv_segment kind,
                        uint16_t flags, uint32_t raw_size, const struct gv_bytes *b,
                        struct gv_error *err)
{
    struct gv_segment_info s = {
        .kind = (uint16_t)kind,
        .flags = flags,
        .raw_size = raw_size,
        .size = b->size,
        .hash = gv_hash_bytes(b->data, b->size),
    };
    return gv_sink_begin(sink, &s, err) && gv_sink_put(sink, b->data, b->size, err);
}

// Those that who does not know them may pass over.
static const bool spare[GV_SEGMENT_COUNT] = {
#define SPARE_TABLE false
#define SPARE_SPARE true
#define SPARE_BULK false
#define GV_SEGMENT(name, number, listed, form, ...) [number] = SPARE_##form,
#include "vm/segments.def"
};

bool gv_sink_rows(struct gv_segment_sink *sink, enum gv_segment kind,
                  const struct gv_bytes *table, struct gv_error *err)
{
    if (table->failed)
        return gv_out_of_memory(err);
    if (table->size == 0)
        return true;
    if (table->size > GV_MAX_TABLE_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "a table is over %u bytes",
                       GV_MAX_TABLE_BYTES);
    struct gv_bytes frame = { 0 };
    const struct gv_span raw = { table->data, table->size };
    bool ok = gv_codec_compress(sink->codec, sink->level, raw, &frame, err);
    const uint16_t flags = spare[kind] ? GV_SEGMENT_OPTIONAL : 0;
    if (ok && gv_codec_worth(table->size, frame.size))
        ok = put_segment(sink, kind, flags | GV_SEGMENT_ZSTD, (uint32_t)table->size,
                         &frame, err);
    else if (ok)
        ok = put_segment(sink, kind, flags, 0, table, err);
    gv_bytes_finish(&frame);
    return ok;
}

// Code and constants: u32 block count, { u32 stored, u32 raw } per block, the blocks.
static bool put_blocks(struct gv_segment_sink *sink, enum gv_segment kind,
                       const struct gv_pack_list *packs, struct gv_error *err)
{
    if (!packs->count)
        return true;
    struct gv_bytes content = { 0 };
    gv_bytes_u32(&content, packs->count);
    for (const struct gv_pack *pack = packs->first; pack; pack = pack->next) {
        gv_bytes_u32(&content, (uint32_t)stored_bytes(pack)->size);
        gv_bytes_u32(&content, (uint32_t)pack->raw_size);
    }
    for (const struct gv_pack *pack = packs->first; pack; pack = pack->next)
        gv_bytes_put(&content, stored_bytes(pack)->data, stored_bytes(pack)->size);
    bool ok = content.failed ? gv_out_of_memory(err)
                             : put_segment(sink, kind, 0, 0, &content, err);
    gv_bytes_finish(&content);
    return ok;
}

// ---- what a batch has of each segment ----

static bool put_table(struct gv_segment_sink *sink, const struct gv_batch *batch,
                      enum gv_segment kind, struct gv_error *err)
{
    return gv_sink_rows(sink, kind, &batch->tables[kind], err);
}

static bool put_constants(struct gv_segment_sink *sink, const struct gv_batch *batch,
                          enum gv_segment kind, struct gv_error *err)
{
    return put_blocks(sink, kind, &batch->constants, err);
}

static bool put_code(struct gv_segment_sink *sink, const struct gv_batch *batch,
                     enum gv_segment kind, struct gv_error *err)
{
    return put_blocks(sink, kind, &batch->code, err);
}

static bool put_chunks(struct gv_segment_sink *sink, const struct gv_batch *batch,
                       enum gv_segment kind, struct gv_error *err)
{
    struct gv_bytes table = { 0 };
    for (const struct gv_pack *pack = batch->code.first; pack; pack = pack->next) {
        gv_bytes_uleb(&table, pack->row_count);
        gv_bytes_put(&table, pack->rows.data, pack->rows.size);
    }
    bool ok = gv_sink_rows(sink, kind, &table, err);
    gv_bytes_finish(&table);
    return ok;
}

static bool put_resources(struct gv_segment_sink *sink, const struct gv_batch *batch,
                          enum gv_segment kind, struct gv_error *err)
{
    struct gv_bytes table = { 0 };
    for (const struct gv_pack *pack = batch->groups.first; pack; pack = pack->next) {
        bool frame = pack->stored.size != 0 && !sink->thin;
        gv_bytes_u8(&table, pack->dictionary ? GV_CODEC_DICTIONARY
                            : frame          ? GV_CODEC_ZSTD
                                             : GV_CODEC_RAW);
        if (pack->dictionary)
            gv_bytes_uleb(&table, pack->dictionary - 1);
        gv_bytes_uleb(&table, sink->thin ? 0 : stored_bytes(pack)->size);
        gv_bytes_put(&table, pack->hash.bytes, sizeof pack->hash.bytes);
        gv_bytes_uleb(&table, pack->row_count);
        gv_bytes_put(&table, pack->rows.data, pack->rows.size);
    }
    bool ok = gv_sink_rows(sink, kind, &table, err);
    gv_bytes_finish(&table);
    return ok;
}

uint64_t gv_sink_group_bytes(uint64_t size)
{
    return (size + GV_GROUP_ALIGNMENT - 1) & ~(uint64_t)(GV_GROUP_ALIGNMENT - 1);
}

static bool store_groups(struct gv_segment_sink *sink,
                         const struct gv_pack_list *groups, struct gv_error *err)
{
    for (const struct gv_pack *pack = groups->first; sink->store && pack;
         pack = pack->next) {
        const struct gv_span raw = { pack->raw.data, pack->raw.size };
        const struct gv_span frame = { pack->stored.data, pack->stored.size };
        if (!gv_store_put_frame(sink->store, &pack->hash, raw, frame, err))
            return false;
    }
    return true;
}

static bool put_resource_bytes(struct gv_segment_sink *sink,
                               const struct gv_batch *batch, enum gv_segment kind,
                               struct gv_error *err)
{
    const struct gv_pack_list *groups = &batch->groups;
    struct gv_segment_info s = { .kind = (uint16_t)kind };
    if (sink->thin)
        return store_groups(sink, groups, err);
    for (const struct gv_pack *pack = groups->first; pack; pack = pack->next)
        s.size += gv_sink_group_bytes(stored_bytes(pack)->size);
    bool ok = s.size == 0 || gv_sink_begin(sink, &s, err);
    for (const struct gv_pack *pack = groups->first; ok && pack; pack = pack->next) {
        const struct gv_bytes *stored = stored_bytes(pack);
        ok = gv_sink_put(sink, stored->data, stored->size, err) &&
             gv_sink_pad(sink, GV_GROUP_ALIGNMENT, err);
    }
    return ok;
}

bool gv_batch_write(struct gv_batch *batch, struct gv_pool *pool,
                    struct gv_segment_sink *sink, struct gv_error *err)
{
    if (!await_packs(&batch->constants, pool, err) ||
        !await_packs(&batch->groups, pool, err) ||
        !await_packs(&batch->code, pool, err))
        return false;
    return true
#define GV_SEGMENT(name, number, listed, form, reader, writer, ...) \
    &&put_##writer(sink, batch, GV_SEGMENT_##name, err)
#include "vm/segments.def"
        ;
}

// ---- the ends ----

bool gv_sink_header(struct gv_segment_sink *sink, struct gv_error *err)
{
    struct gv_bytes header = { 0 };
    gv_bytes_put(&header, GV_PAYLOAD_MAGIC, GV_PAYLOAD_MAGIC_BYTES);
    gv_bytes_u16(&header, sink->major);
    gv_bytes_u16(&header, sink->minor);
    gv_bytes_u32(&header, sink->thin ? GV_HEADER_THIN : 0);
    gv_bytes_u32(&header, (uint32_t)sink->level);
    while (header.size < GV_HEADER_BYTES - sizeof(struct gv_hash) && !header.failed)
        gv_bytes_u8(&header, 0);
    struct gv_hash hash = gv_hash_bytes(header.data, header.size);
    gv_bytes_put(&header, hash.bytes, sizeof hash.bytes);
    bool ok = header.failed ? gv_out_of_memory(err)
                            : gv_sink_put(sink, header.data, header.size, err);
    gv_bytes_finish(&header);
    return ok;
}

static bool put_trailer(struct gv_segment_sink *sink, uint32_t flags,
                        uint64_t command_count, uint64_t directory,
                        struct gv_error *err)
{
    struct gv_bytes trailer = { 0 };
    gv_bytes_u64(&trailer, directory);
    gv_bytes_u64(&trailer, sink->offset + GV_TRAILER_BYTES);
    gv_bytes_u32(&trailer, flags);
    gv_bytes_u32(&trailer, sink->segment_count);
    gv_bytes_u64(&trailer, command_count);
    gv_bytes_u64(&trailer, 0);
    struct gv_hash hash = gv_hash_bytes(trailer.data, trailer.size);
    gv_bytes_put(&trailer, hash.bytes, sizeof hash.bytes);
    gv_bytes_put(&trailer, GV_TRAILER_MAGIC, 8);
    bool ok = trailer.failed ? gv_out_of_memory(err)
                             : gv_sink_put(sink, trailer.data, trailer.size, err);
    gv_bytes_finish(&trailer);
    return ok;
}

bool gv_sink_close(struct gv_segment_sink *sink, uint32_t flags, uint64_t command_count,
                   struct gv_error *err)
{
    if (!gv_sink_pad(sink, GV_SEGMENT_ALIGNMENT, err))
        return false;
    if (sink->directory.failed)
        return gv_out_of_memory(err);
    uint64_t at = sink->offset;
    return put_segment(sink, GV_SEGMENT_DIRECTORY, 0, 0, &sink->directory, err) &&
           gv_sink_pad(sink, GV_SEGMENT_ALIGNMENT, err) &&
           put_trailer(sink, flags, command_count, at, err);
}
