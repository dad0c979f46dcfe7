#include "vm/payload/payload_writer.h"

#include "resources/base/foreign.h"
#include "resources/density.h"
#include "vm/payload/debug_map.h"
#include "vm/payload/payload_batch.h"
#include "vm/payload/payload_segments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gv_payload_writer {
    struct gv_writer_params params;
    struct gv_error error; // the first one; all calls are no-ops after it
    struct gv_pool *pool;
    struct gv_segment_sink sink;
    struct gv_batch *batch;  // being gathered
    struct gv_batch *sealed; // being compressed; written at the next flush
    struct gv_pack *group;   // open group of small resources, or NULL
    struct gv_dictionary_offers offers;
    uint32_t group_count;  // without the open one
    struct gv_pack *block; // open block of code, or NULL
    struct gv_pack *constants;
    struct gv_debug_encoder *debug;
    bool joined;
    uint32_t import_numbers[GV_CALL_LIMIT]; // number + 1, or 0
    uint32_t requirement_count, import_count, slot_count, export_count, resource_count,
        chunk_count;
    uint64_t constant_size, schedule_count, command_count;
    uint64_t next_source;    // the lowest command number of the next debug row
    uint32_t next_use;       // the resource that a schedule delta of 0 names
    uint64_t chunk_command;  // first_command of the last chunk
    uint32_t chunk_resource; // likewise
    struct gv_limits limits;
    bool limits_new, provenance_written;
    struct gv_frame frame; // the last one
    struct gv_pace pace;   // likewise
    bool paced;            // there is one
    uint64_t keyframe;     // of the last one
};

// ---- life ----

static bool fail(struct gv_payload_writer *w, enum gv_status status, const char *what)
{
    return gv_fail(&w->error, status, GV_NO_OFFSET, "payload writer: %s", what);
}

static bool failed(const struct gv_payload_writer *w)
{
    return w->error.status != GV_OK;
}

struct gv_payload_writer *
gv_payload_writer_create(const struct gv_writer_params *params, struct gv_error *err)
{
    if (params->level < GV_CODEC_MIN_LEVEL || params->level > GV_CODEC_MAX_LEVEL) {
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "compression level %d is not in 1..19",
                params->level);
        return NULL;
    }
    struct gv_payload_writer *w = calloc(1, sizeof *w);
    if (!w) {
        gv_out_of_memory(err);
        return NULL;
    }
    w->params = *params;
    w->offers.level = params->level;
    gv_error_clear(&w->error);
    w->sink = (struct gv_segment_sink){
        .write = params->write,
        .context = params->context,
        .level = params->level,
        .major = GV_PAYLOAD_MAJOR,
        .minor = GV_PAYLOAD_MINOR,
        .thin = params->thin || params->store != NULL,
        .store = params->store,
        .codec = gv_codec_create(),
    };
    w->batch = gv_batch_create();
    w->debug = gv_debug_encoder_create();
    w->pool = gv_pool_create(params->jobs, w->sink.codec, err);
    if (w->batch && w->debug && w->sink.codec && w->pool)
        return w;
    gv_payload_writer_destroy(w);
    gv_out_of_memory(err);
    return NULL;
}

static void free_pack(struct gv_pack *pack)
{
    if (!pack)
        return;
    gv_bytes_finish(&pack->raw);
    gv_bytes_finish(&pack->rows);
    free(pack);
}

void gv_payload_writer_destroy(struct gv_payload_writer *writer)
{
    if (!writer)
        return;
    free_pack(writer->group);
    free_pack(writer->block);
    free_pack(writer->constants);
    gv_batch_destroy(writer->sealed, writer->pool);
    gv_batch_destroy(writer->batch, writer->pool);
    gv_pool_destroy(writer->pool);
    gv_dictionary_offers_finish(&writer->offers); // nobody compresses any more
    gv_debug_encoder_destroy(writer->debug);
    gv_codec_destroy(writer->sink.codec);
    gv_bytes_finish(&writer->sink.directory);
    free(writer);
}

// ---- small tables ----

static struct gv_bytes *table(struct gv_payload_writer *w, enum gv_segment kind)
{
    return &w->batch->tables[kind];
}

static void put_string(struct gv_payload_writer *w, struct gv_bytes *out,
                       const char *text, size_t limit)
{
    size_t length = text ? strlen(text) : 0;
    if (length > limit)
        fail(w, GV_ERR_LIMIT, "a name or text is too long");
    if (!gv_utf8_valid(text, length))
        fail(w, GV_ERR_FORMAT, "a name or text is no UTF-8");
    gv_bytes_uleb(out, length);
    gv_bytes_put(out, text, length);
}

void gv_writer_provenance(struct gv_payload_writer *w, const char *json)
{
    if (w->provenance_written || strlen(json) > GV_MAX_PROVENANCE_BYTES ||
        !gv_utf8_valid(json, strlen(json)))
        fail(w, GV_ERR_FORMAT, "provenance is too long, no UTF-8 or given twice");
    if (failed(w))
        return;
    w->provenance_written = true;
    gv_bytes_put(table(w, GV_SEGMENT_PROVENANCE), json, strlen(json));
}

uint32_t gv_writer_require(struct gv_payload_writer *w, const struct gv_requirement *r)
{
    struct gv_bytes *out = table(w, GV_SEGMENT_REQUIREMENTS);
    if (failed(w))
        return 0;
    gv_bytes_u8(out, r->kind);
    gv_bytes_u8(out, r->strength);
    put_string(w, out, r->name, GV_MAX_NAME_BYTES);
    gv_bytes_uleb(out, r->value);
    put_string(w, out, r->fallback, GV_MAX_NAME_BYTES);
    return w->requirement_count++;
}

uint32_t gv_writer_import(struct gv_payload_writer *w, enum gv_call call)
{
    if ((size_t)call >= GV_CALL_LIMIT || !gv_call_infos[call].name)
        fail(w, GV_ERR_FORMAT, "import of a call that does not exist");
    if (failed(w))
        return 0;
    if (w->import_numbers[call])
        return w->import_numbers[call] - 1;
    struct gv_bytes *out = table(w, GV_SEGMENT_IMPORTS);
    gv_bytes_uleb(out, (uint64_t)call);
    gv_bytes_u64(out, gv_call_signature(call));
    w->import_numbers[call] = ++w->import_count;
    return w->import_count - 1;
}

uint32_t gv_writer_slot(struct gv_payload_writer *w, struct gv_slot_info slot)
{
    struct gv_bytes *out = table(w, GV_SEGMENT_SLOTS);
    if (slot.kind == GV_KIND_NONE || slot.kind >= GV_KIND_COUNT)
        fail(w, GV_ERR_FORMAT, "a slot of no kind");
    if (w->slot_count >= GV_MAX_SLOTS)
        fail(w, GV_ERR_LIMIT, "too many slots");
    if (failed(w))
        return 0;
    gv_bytes_u8(out, slot.kind);
    if (slot.kind == GV_KIND_MAP)
        gv_bytes_uleb(out, slot.map_size);
    return w->slot_count++;
}

#define RAISE(field)                      \
    do {                                  \
        if (limits->field > all->field) { \
            all->field = limits->field;   \
            w->limits_new = true;         \
        }                                 \
    } while (0)

void gv_writer_limits(struct gv_payload_writer *w, const struct gv_limits *limits)
{
    struct gv_limits *all = &w->limits;
    RAISE(volatile_bytes);
    RAISE(map_bytes);
    RAISE(stack_cells);
    RAISE(objects);
    RAISE(instructions);
    RAISE(object_bytes);
}

static void put_limits(struct gv_payload_writer *w)
{
    struct gv_bytes *out = table(w, GV_SEGMENT_LIMITS);
    if (!w->limits_new)
        return;
    gv_bytes_uleb(out, w->limits.volatile_bytes);
    gv_bytes_uleb(out, w->limits.map_bytes);
    gv_bytes_uleb(out, w->limits.stack_cells);
    gv_bytes_uleb(out, w->limits.objects);
    gv_bytes_uleb(out, w->limits.instructions);
    gv_bytes_uleb(out, w->limits.object_bytes);
    w->limits_new = false;
}

uint32_t gv_writer_export(struct gv_payload_writer *w, const struct gv_export *e)
{
    struct gv_bytes *out = table(w, GV_SEGMENT_EXPORTS);
    if (w->export_count >= GV_MAX_EXPORTS)
        fail(w, GV_ERR_LIMIT, "too many exports");
    if (failed(w))
        return 0;
    put_string(w, out, e->name, GV_MAX_NAME_BYTES);
    gv_bytes_u8(out, e->kind);
    gv_bytes_uleb(out, e->format);
    gv_bytes_uleb(out, e->width);
    gv_bytes_uleb(out, e->height);
    return w->export_count++;
}

void gv_writer_use(struct gv_payload_writer *w, uint32_t resource)
{
    if (resource >= w->resource_count)
        fail(w, GV_ERR_FORMAT, "use of a resource that does not exist");
    if (failed(w))
        return;
    gv_bytes_sleb(table(w, GV_SEGMENT_SCHEDULE), (int64_t)resource - w->next_use);
    w->next_use = resource + 1;
    w->schedule_count++;
}

static void count_commands(struct gv_payload_writer *w, uint64_t end)
{
    if (end > w->command_count)
        w->command_count = end;
}

// Hands a finished pack to the pool.
static void close_pack(struct gv_payload_writer *w, struct gv_pack **open,
                       struct gv_pack_list *list)
{
    struct gv_pack *pack = *open;
    if (!pack)
        return;
    *open = NULL;
    pack->raw_size = pack->raw.size;
    pack->work.bytes = pack->raw.size;
    w->batch->raw_bytes += pack->raw.size;
    gv_pack_list_add(list, pack);
    gv_pool_submit(w->pool, &pack->work);
}

static void close_group(struct gv_payload_writer *w, bool with_dictionary)
{
    if (!w->group)
        return;
    if (with_dictionary && w->params.frame_group_bytes) {
        w->group->offers = &w->offers;
        w->group->offers_end = w->offers.count;
    }
    close_pack(w, &w->group, &w->batch->groups);
    w->group_count++;
}

// Such groups become dictionaries: where a frame ends is like where others do.
void gv_writer_end_group(struct gv_payload_writer *w)
{
    struct gv_pack *group = w->group;
    size_t least = w->params.frame_group_bytes;
    size_t want = gv_dictionary_offers_want(&w->offers);
    bool offered = false;
    if (!group || !least || group->raw.size < (want > least ? want : least))
        return;
    if (!gv_dictionary_offers_look(&w->offers, w->group_count,
                                   (struct gv_span){ group->raw.data, group->raw.size },
                                   w->sink.codec, &offered, &w->error))
        return;
    close_group(w, !offered);
}

void gv_writer_frame(struct gv_payload_writer *w, const struct gv_frame *frame)
{
    struct gv_bytes *out = table(w, GV_SEGMENT_FRAMES);
    const struct gv_frame *last = &w->frame;
    if (frame->chunk_begin != last->chunk_end ||
        frame->chunk_end < frame->chunk_begin ||
        frame->command_begin < last->command_end ||
        frame->command_end < frame->command_begin || frame->schedule < last->schedule)
        fail(w, GV_ERR_FORMAT, "a frame does not follow the one before");
    if (failed(w))
        return;
    gv_writer_end_group(w);
    gv_bytes_uleb(out, frame->chunk_end - frame->chunk_begin);
    gv_bytes_uleb(out, frame->command_begin - last->command_end);
    gv_bytes_uleb(out, frame->command_end - frame->command_begin);
    gv_bytes_uleb(out, frame->width);
    gv_bytes_uleb(out, frame->height);
    gv_bytes_uleb(out, frame->schedule - last->schedule);
    w->frame = *frame;
    count_commands(w, frame->command_end);
}

void gv_writer_pace(struct gv_payload_writer *w, const struct gv_pace *pace)
{
    struct gv_bytes *out = table(w, GV_SEGMENT_PACES);
    if (failed(w) || !gv_pace_valid(pace, w->paced ? &w->pace : NULL))
        return;
    gv_bytes_uleb(out, pace->frame - w->pace.frame);
    gv_bytes_uleb(out, pace->rate);
    gv_bytes_uleb(out, pace->per);
    gv_bytes_uleb(out, pace->width);
    gv_bytes_uleb(out, pace->height);
    w->pace = *pace;
    w->paced = true;
}

void gv_writer_source(struct gv_payload_writer *w, const struct gv_source_row *row)
{
    uint64_t command = row->command;
    const char *name = row->name;
    if (command < w->next_source || command == UINT64_MAX)
        fail(w, GV_ERR_FORMAT, "debug rows do not ascend");
    if (!gv_utf8_valid(name, strlen(name)))
        fail(w, GV_ERR_FORMAT, "a name or text is no UTF-8");
    if (failed(w))
        return;
    w->next_source = command + 1;
    count_commands(w, command + 1);
    if (w->params.strip)
        return;
    if (strlen(name) > GV_MAX_NAME_BYTES ||
        !gv_debug_encode(w->debug, row, table(w, GV_SEGMENT_DEBUG)))
        fail(w, GV_ERR_LIMIT, "too many or too long command names");
}

void gv_writer_joined(struct gv_payload_writer *w)
{
    w->joined = true;
}

void gv_writer_commands(struct gv_payload_writer *w, uint64_t count)
{
    count_commands(w, count);
}

void gv_writer_diagnostic(struct gv_payload_writer *w, const struct gv_diagnostic *d)
{
    struct gv_bytes *out = table(w, GV_SEGMENT_DIAGNOSTICS);
    if (failed(w))
        return;
    gv_bytes_u8(out, d->severity);
    put_string(w, out, d->code, GV_MAX_NAME_BYTES);
    put_string(w, out, d->text, GV_MAX_TEXT_BYTES);
    gv_bytes_uleb(out, d->command + 1); // GV_NO_COMMAND becomes 0
    gv_bytes_uleb(out, d->offset + 1);  // GV_NO_OFFSET likewise
    gv_bytes_uleb(out, d->count);
}

void gv_writer_keyframe(struct gv_payload_writer *w, const struct gv_keyframe *k)
{
    if (k->frame <= w->keyframe)
        fail(w, GV_ERR_FORMAT, "keyframes do not ascend");
    if (failed(w))
        return;
    gv_keyframe_put(table(w, GV_SEGMENT_KEYFRAMES), k, w->keyframe);
    w->keyframe = k->frame;
}

// ---- packs ----

static size_t pack_bytes(const struct gv_payload_writer *w)
{
    return w->params.level > GV_LEVEL_HIGH ? GV_GROUP_BYTES_HIGH : GV_GROUP_BYTES;
}

static struct gv_pack *open_pack(struct gv_payload_writer *w, bool group)
{
    struct gv_pack *pack =
        gv_pack_create(w->params.level, group, group && w->sink.thin);
    if (!pack)
        fail(w, GV_ERR_MEMORY, "out of memory");
    return pack;
}

// Bytes to be compressed as they stand: reserve once, so that large ones move once.
static void add_raw(struct gv_payload_writer *w, struct gv_pack *pack, const void *data,
                    size_t size, size_t alignment)
{
    gv_bytes_zero_to(&pack->raw, alignment);
    gv_bytes_put(&pack->raw, data, size);
    if (pack->raw.failed)
        fail(w, GV_ERR_MEMORY, "out of memory");
}

static void add_resource(struct gv_payload_writer *w, struct gv_pack *pack,
                         const void *data, size_t size)
{
    add_raw(w, pack, data, size, GV_RESOURCE_ALIGNMENT);
    gv_bytes_uleb(&pack->rows, size);
    pack->row_count++;
}

// What does not compress costs nothing to cut, and whoever wants its neighbours fetches
// less.
static bool stands_apart(struct gv_payload_writer *w, const void *data, size_t size)
{
    bool dense = false;
    return w->params.frame_group_bytes &&
           gv_density_look(w->sink.codec, (struct gv_span){ data, size }, &dense,
                           &w->error) &&
           dense;
}

uint32_t gv_writer_resource(struct gv_payload_writer *w, const void *data, size_t size)
{
    if (w->sink.thin && !w->sink.store)
        fail(w, GV_ERR_FORMAT, "a resource for a store that is not there");
    if (size == 0 || size > GV_MAX_GROUP_BYTES)
        fail(w, GV_ERR_FORMAT, "an empty or too large resource");
    if (w->resource_count >= GV_MAX_RESOURCES)
        fail(w, GV_ERR_LIMIT, "too many resources");
    if (failed(w))
        return 0;
    if (size >= pack_bytes(w)) {
        struct gv_pack *alone = open_pack(w, true);
        if (!alone)
            return 0;
        // Groups stand in the order of their resources.
        close_group(w, true);
        add_resource(w, alone, data, size);
        close_pack(w, &alone, &w->batch->groups);
        w->group_count++;
        return w->resource_count++;
    }
    const bool apart = stands_apart(w, data, size);
    if (apart)
        gv_writer_end_group(w);
    if (!w->group)
        w->group = open_pack(w, true);
    if (!w->group)
        return 0;
    add_resource(w, w->group, data, size);
    if (apart)
        gv_writer_end_group(
            w); // others may be like it, which makes it their dictionary
    if (apart || (w->group && w->group->raw.size >= pack_bytes(w)))
        close_group(w, true);
    return w->resource_count++;
}

// The place among what is offered of the dictionary that a group had.
static size_t offer_of(struct gv_payload_writer *w, const struct gv_writer_group *group)
{
    size_t i = 0;
    while (i < w->offers.count && w->offers.items[i].number != group->dictionary)
        i++;
    if (i == w->offers.count)
        gv_dictionary_offers_add(&w->offers, group->dictionary, group->dictionary_raw,
                                 &w->error);
    return i;
}

static void add_exact(struct gv_payload_writer *w, struct gv_pack *pack,
                      const struct gv_writer_group *group)
{
    add_raw(w, pack, group->raw.data, group->raw.size, 1);
    if (group->has_dictionary) {
        pack->offers = &w->offers;
        pack->offers_first = offer_of(w, group);
        pack->offers_end = pack->offers_first + 1;
        pack->exact = true;
    }
    if (failed(w))
        free_pack(pack);
    else
        close_pack(w, &pack, &w->batch->groups);
}

void gv_writer_group(struct gv_payload_writer *w, const struct gv_writer_group *group)
{
    bool bytes = !w->sink.thin || w->sink.store;
    if (bytes != (group->raw.size > 0))
        fail(w, GV_ERR_FORMAT, "a group without bytes in a payload that has them");
    if (group->count > GV_MAX_RESOURCES - w->resource_count)
        fail(w, GV_ERR_LIMIT, "too many resources");
    if (group->has_dictionary && group->dictionary >= w->group_count)
        fail(w, GV_ERR_FORMAT, "a group's dictionary is not a group before it");
    struct gv_pack *pack = failed(w) ? NULL : open_pack(w, true);
    if (!pack)
        return;
    close_group(w, true);
    for (size_t i = 0; i < group->count; i++)
        gv_bytes_uleb(&pack->rows, group->sizes[i]);
    pack->row_count = (uint32_t)group->count;
    w->resource_count += pack->row_count;
    w->group_count++;
    if (bytes) {
        add_exact(w, pack, group);
        return;
    }
    pack->hash = group->hash;
    pack->dictionary = group->has_dictionary ? group->dictionary + 1 : 0;
    pack->work.done = true; // there is nothing to compress
    gv_pack_list_add(&w->batch->groups, pack);
}

uint32_t gv_writer_constant(struct gv_payload_writer *w, const void *data, size_t size,
                            size_t alignment)
{
    if (!w->constants && !failed(w))
        w->constants = open_pack(w, false);
    if (w->constant_size + size + alignment > GV_MAX_CONSTANT_BYTES)
        fail(w, GV_ERR_LIMIT, "too many constants");
    if (failed(w))
        return 0;
    for (; w->constant_size & (alignment - 1); w->constant_size++)
        gv_bytes_u8(&w->constants->raw, 0);
    uint32_t address = (uint32_t)w->constant_size;
    add_raw(w, w->constants, data, size, 1);
    w->constant_size += size;
    if (w->constants->raw.size >= pack_bytes(w))
        close_pack(w, &w->constants, &w->batch->constants);
    return address;
}

static void put_chunk_row(struct gv_payload_writer *w, size_t size,
                          uint64_t first_command, uint32_t first_resource)
{
    struct gv_bytes *rows = &w->block->rows;
    gv_bytes_uleb(rows, size);
    gv_bytes_uleb(rows, first_command - w->chunk_command);
    gv_bytes_sleb(rows, (int64_t)first_resource - w->chunk_resource);
    w->block->row_count++;
    w->chunk_command = first_command;
    w->chunk_resource = first_resource;
}

uint32_t gv_writer_chunk(struct gv_payload_writer *w, const void *code, size_t size,
                         uint64_t first_command, uint32_t first_resource)
{
    if (size == 0 || size > GV_MAX_CHUNK_BYTES || first_command < w->chunk_command ||
        first_command == UINT64_MAX || w->chunk_count == UINT32_MAX)
        fail(w, GV_ERR_FORMAT, "a chunk is empty, too large or out of order");
    if (!w->block && !failed(w))
        w->block = open_pack(w, false);
    if (failed(w))
        return 0;
    put_chunk_row(w, size, first_command, first_resource);
    count_commands(w, first_command + 1);
    add_raw(w, w->block, code, size, 1);
    if (w->block->raw.size >= pack_bytes(w))
        close_pack(w, &w->block, &w->batch->code);
    return w->chunk_count++;
}

// ---- flushing ----

static bool report(const struct gv_payload_writer *w, struct gv_error *err)
{
    if (err && err->status == GV_OK)
        *err = w->error;
    return !failed(w);
}

static bool begin(struct gv_payload_writer *w)
{
    return w->sink.offset > 0 || gv_sink_header(&w->sink, &w->error);
}

static bool write_sealed(struct gv_payload_writer *w)
{
    if (!w->sealed)
        return !failed(w);
    if (!failed(w) && begin(w))
        gv_batch_write(w->sealed, w->pool, &w->sink, &w->error);
    gv_batch_destroy(w->sealed, w->pool);
    w->sealed = NULL;
    return !failed(w);
}

// Closes what is open, lets the batch before this one go out, and starts a new one.
static bool seal(struct gv_payload_writer *w)
{
    close_pack(w, &w->constants, &w->batch->constants);
    close_group(w, true);
    close_pack(w, &w->block, &w->batch->code);
    put_limits(w);
    if (!write_sealed(w))
        return false;
    w->sealed = w->batch;
    w->batch = gv_batch_create();
    if (!w->batch) {
        w->batch = w->sealed; // keeps every later call safe
        w->sealed = NULL;
        return fail(w, GV_ERR_MEMORY, "out of memory");
    }
    return true;
}

static size_t gathered(const struct gv_payload_writer *w)
{
    size_t bytes = w->batch->raw_bytes + w->batch->tables[GV_SEGMENT_DEBUG].size;
    bytes += w->group ? w->group->raw.size : 0;
    bytes += w->block ? w->block->raw.size : 0;
    bytes += w->constants ? w->constants->raw.size : 0;
    return bytes;
}

static bool flush_from(struct gv_payload_writer *w, size_t bytes, struct gv_error *err)
{
    if (!failed(w) && gathered(w) >= bytes) {
        seal(w);
        if (w->params.jobs <= 1 || bytes == 0)
            write_sealed(w); // nothing is left to wait for, or somebody waits
    }
    return report(w, err);
}

bool gv_writer_flush(struct gv_payload_writer *w, bool force, struct gv_error *err)
{
    return flush_from(w, force ? 0 : GV_FLUSH_BYTES, err);
}

bool gv_writer_relieve(struct gv_payload_writer *w, struct gv_error *err)
{
    return flush_from(w, GV_RELIEF_BYTES, err);
}

bool gv_writer_close(struct gv_payload_writer *w, bool complete, struct gv_error *err)
{
    if (w->frame.chunk_end > w->chunk_count || w->frame.schedule > w->schedule_count)
        fail(w, GV_ERR_FORMAT, "a frame passes the last chunk or use");
    if (!failed(w) && seal(w) && write_sealed(w) && !w->sink.segment_count)
        fail(w, GV_ERR_FORMAT, "there is nothing to write");
    if (!failed(w) && begin(w))
        gv_sink_close(&w->sink,
                      (complete ? GV_TRAILER_COMPLETE : 0) |
                          (w->joined ? GV_TRAILER_JOINED : 0),
                      w->command_count, &w->error);
    return report(w, err);
}
