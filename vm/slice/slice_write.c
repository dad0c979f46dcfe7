#include "vm/slice/slice_write.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"
#include "vm/slice/slice_code.h"
#include "vm/track/unit_walk.h"

// Bytes of the old constants that are used, and where they have gone.
struct kept_bytes {
    uint64_t begin, end;
    uint64_t address; // new
};

struct slice_writer {
    const struct gv_slice_write_params *params;
    struct gv_payload *payload;
    const struct gv_kept *kept;
    struct gv_payload_writer *writer;
    struct gv_error *err;
    struct gv_kept_uses uses;
    uint32_t *resources;          // owned: new numbers; UINT32_MAX: not used
    struct kept_bytes *constants; // owned; ascending, apart
    size_t constant_count, constant_capacity;
    bool all_constants;
    size_t next_frame; // of those wanted
    struct gv_slice_patches patches;
    uint32_t *data;   // owned: addresses of what patches name
    uint32_t *groups; // owned: new numbers; UINT32_MAX: left out
    uint32_t group_count;
    struct gv_unit_walk *walk; // owned
    struct gv_unit unit;
};

// ---- tables ----

// The rows of a segment that a slice has as they are. The compiler names the one that
// is forgotten here.
static void copy_table(struct slice_writer *w, enum gv_segment segment)
{
    const struct gv_payload *p = w->payload;
    switch (segment) {
    case GV_SEGMENT_PROVENANCE:
        gv_writer_provenance(w->writer, w->params->provenance ? w->params->provenance
                                                              : p->provenance);
        break;
    case GV_SEGMENT_REQUIREMENTS:
        for (size_t i = 0; i < p->requirement_count; i++)
            gv_writer_require(w->writer, &p->requirements[i]);
        break;
    case GV_SEGMENT_SLOTS:
        for (size_t i = 0; i < p->slot_count; i++)
            gv_writer_slot(w->writer, p->slots[i]);
        break;
    case GV_SEGMENT_EXPORTS:
        for (size_t i = 0; i < p->export_count; i++)
            gv_writer_export(w->writer, &p->exports[i]);
        break;
    case GV_SEGMENT_DIAGNOSTICS:
        for (size_t i = 0; i < p->diagnostic_count; i++)
            gv_writer_diagnostic(w->writer, &p->diagnostics[i]);
        break;
    case GV_SEGMENT_PACES:
        for (size_t i = 0; i < p->pace_count; i++)
            gv_writer_pace(w->writer, &p->paces[i]);
        break;
    case GV_SEGMENT_IMPORTS: // what follows is written with the code that is kept
    case GV_SEGMENT_LIMITS:
    case GV_SEGMENT_CONSTANTS:
    case GV_SEGMENT_RESOURCES:
    case GV_SEGMENT_RESOURCE_BYTES:
    case GV_SEGMENT_SCHEDULE:
    case GV_SEGMENT_FRAMES:
    case GV_SEGMENT_CHUNKS:
    case GV_SEGMENT_CODE:
    case GV_SEGMENT_DEBUG:
    case GV_SEGMENT_KEYFRAMES: // a slice has none: they stand for code that it lacks
    case GV_SEGMENT_DIRECTORY:
    case GV_SEGMENT_COUNT:
        break;
    }
}

static void copy_tables(struct slice_writer *w)
{
#define GV_SEGMENT(name, ...) copy_table(w, GV_SEGMENT_##name);
#include "vm/segments.def"
    if (w->payload->joined)
        gv_writer_joined(w->writer);
    gv_writer_commands(w->writer, w->payload->command_count);
}

// Rows of the debug map up to the last command that can run.
static void copy_sources(struct slice_writer *w, uint64_t end)
{
    uint64_t position = 0;
    struct gv_source_row row;
    while (gv_payload_source_next(w->payload, &position, &row) && row.command < end)
        gv_writer_source(w->writer, &row);
}

// ---- resources ----

static bool is_used(const struct slice_writer *w, size_t resource)
{
    return w->resources[resource] != UINT32_MAX;
}

// Of a group that travels with the payload the resources that are used.
static bool copy_resources(struct slice_writer *w, size_t first, size_t end)
{
    const struct gv_payload *p = w->payload;
    const struct gv_group *group = &p->groups[p->resources[first].group];
    uint8_t *raw = gv_payload_read_group(p, group, w->params->sources,
                                         w->params->source_count, w->err);
    if (!raw)
        return false;
    for (size_t i = first; i < end; i++)
        if (is_used(w, i))
            w->resources[i] = gv_writer_resource(
                w->writer, raw + p->resources[i].offset, (size_t)p->resources[i].size);
    gv_payload_drop_group(p, group, raw);
    gv_writer_end_group(w->writer); // what was apart stays so
    return gv_writer_relieve(w->writer, w->err);
}

static bool read_group(struct slice_writer *w, uint32_t group, struct gv_span *raw)
{
    const struct gv_group *g = &w->payload->groups[group];
    raw->data = gv_payload_read_group(w->payload, g, w->params->sources,
                                      w->params->source_count, w->err);
    raw->size = raw->data ? (size_t)g->raw_size : 0;
    return raw->data;
}

// The bytes of a group and, if that is there, of the one that is its dictionary.
static bool read_whole(struct slice_writer *w, uint32_t group,
                       struct gv_writer_group *out)
{
    const struct gv_group *g = &w->payload->groups[group];
    if (!read_group(w, group, &out->raw))
        return false;
    out->has_dictionary =
        g->codec == GV_CODEC_DICTIONARY && w->groups[g->dictionary] != UINT32_MAX;
    if (!out->has_dictionary)
        return true;
    out->dictionary = w->groups[g->dictionary];
    return read_group(w, g->dictionary, &out->dictionary_raw);
}

static void drop_span(const struct slice_writer *w, uint32_t group,
                      const struct gv_span *raw)
{
    if (raw->data)
        gv_payload_drop_group(w->payload, &w->payload->groups[group],
                              (uint8_t *)(uintptr_t)raw->data);
}

static void drop_whole(const struct slice_writer *w, uint32_t group,
                       const struct gv_writer_group *out)
{
    drop_span(w, group, &out->raw);
    drop_span(w, w->payload->groups[group].dictionary, &out->dictionary_raw);
}

// Groups of a thin payload are known by id alone, and stay whole. `next`: the new
// number.
static bool name_group(struct slice_writer *w, size_t first, size_t end, uint32_t *next)
{
    const struct gv_payload *p = w->payload;
    uint64_t *sizes = malloc((end - first) * sizeof *sizes);
    if (!sizes)
        return gv_out_of_memory(w->err);
    for (size_t i = first; i < end; i++) {
        sizes[i - first] = p->resources[i].size;
        w->resources[i] = (*next)++;
    }
    struct gv_writer_group group = {
        .sizes = sizes,
        .count = end - first,
        .hash = p->groups[p->resources[first].group].hash,
    };
    bool ok = p->thin || read_whole(w, p->resources[first].group, &group);
    if (ok) {
        gv_writer_group(w->writer, &group);
        w->groups[p->resources[first].group] = w->group_count++;
    }
    drop_whole(w, p->resources[first].group, &group);
    free(sizes);
    return ok && gv_writer_relieve(w->writer, w->err);
}

static void use_of_patches(struct slice_writer *w)
{
    for (size_t i = 0; i < w->patches.count; i++)
        for (size_t k = 0; k < w->patches.items[i].count; k++)
            if (w->patches.items[i].ops[k].kind == GV_PATCH_RESOURCE)
                w->resources[w->patches.items[i].ops[k].value] = 0;
}

static bool write_resources(struct slice_writer *w)
{
    const struct gv_payload *p = w->payload;
    uint32_t next = 0;
    struct gv_slice_written written = { 0 };
    for (size_t i = 0; i < w->uses.count; i++)
        w->resources[w->uses.resources[i]] = 0;
    use_of_patches(w);
    const bool whole = p->thin || w->params->whole_groups;
    for (size_t first = 0, end; first < p->resource_count; first = end) {
        bool used = false;
        for (end = first; end < p->resource_count &&
                          p->resources[end].group == p->resources[first].group;
             end++)
            used |= is_used(w, end);
        if (used &&
            !(whole ? name_group(w, first, end, &next) : copy_resources(w, first, end)))
            return false;
        for (size_t i = first; i < end; i++) {
            written.resources += is_used(w, i);
            written.resource_bytes += is_used(w, i) ? p->resources[i].size : 0;
        }
    }
    if (w->params->written)
        *w->params->written = written;
    return true;
}

// ---- constants ----

static bool note_constant(struct slice_writer *w, uint64_t begin, uint64_t size)
{
    if (!size || w->all_constants)
        return true;
    if (w->constant_count == w->constant_capacity) {
        size_t capacity = w->constant_capacity ? w->constant_capacity * 2 : 256;
        struct kept_bytes *grown = realloc(w->constants, capacity * sizeof *grown);
        if (!grown)
            return gv_out_of_memory(w->err);
        w->constants = grown;
        w->constant_capacity = capacity;
    }
    w->constants[w->constant_count++] = (struct kept_bytes){ begin, begin + size, 0 };
    return true;
}

static bool note_unit(struct slice_writer *w)
{
    const struct gv_unit *u = &w->unit;
    w->all_constants |= u->overflow || u->moved_constant;
    for (size_t i = 0; i < u->op_count; i++) {
        const struct gv_unit_op *op = &u->ops[i];
        size_t count = op->kind == GV_UNIT_CALL ? gv_call_infos[op->call].arg_count
                                                : gv_unit_addresses(op);
        for (size_t k = 0; k < count; k++) {
            const struct gv_unit_cell *cell = &op->args[k];
            uint64_t size = op->kind != GV_UNIT_CALL ? gv_unit_touched(op, k)
                            : k + 1 < count          ? op->args[k + 1].value
                                                     : 0;
            if (cell->type == GV_UNIT_CONST && !note_constant(w, cell->value, size))
                return false;
        }
    }
    return true;
}

static bool note_constants(struct slice_writer *w)
{
    for (size_t chunk = 0; chunk < w->kept->chunk_count; chunk++) {
        uint32_t run = w->kept->chunk_runs[chunk];
        uint32_t end = w->kept->chunk_runs[chunk + 1];
        if (run < end && !gv_unit_walk_chunk(w->walk, chunk, w->err))
            return false;
        for (; run < end; run++) {
            w->walk->pc = w->kept->runs[run].begin;
            w->walk->next_resource = w->kept->runs[run].next_resource;
            while (w->walk->pc < w->kept->runs[run].end &&
                   gv_unit_next(w->walk, &w->unit))
                if (!note_unit(w))
                    return false;
        }
    }
    return true;
}

static bool note_patches(struct slice_writer *w)
{
    for (size_t i = 0; i < w->patches.count; i++)
        for (size_t k = 0; k < w->patches.items[i].count; k++) {
            const struct gv_patch_op *op = &w->patches.items[i].ops[k];
            if (op->kind == GV_PATCH_CONST && !note_constant(w, op->value, op->size))
                return false;
        }
    return true;
}

// What patches bring along.
static bool write_data(struct slice_writer *w)
{
    w->data = malloc((w->patches.data_count + 1) * sizeof *w->data);
    if (!w->data)
        return gv_out_of_memory(w->err);
    for (size_t i = 0; i < w->patches.data_count; i++)
        w->data[i] = gv_writer_constant(w->writer, w->patches.data[i].data,
                                        w->patches.data[i].size, 16);
    return true;
}

static int compare_bytes(const void *a, const void *b)
{
    const struct kept_bytes *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void join_constants(struct slice_writer *w)
{
    size_t n = 0;
    if (w->constant_count)
        qsort(w->constants, w->constant_count, sizeof *w->constants, compare_bytes);
    for (size_t i = 0; i < w->constant_count; i++) {
        struct kept_bytes *last = n ? &w->constants[n - 1] : NULL;
        const struct kept_bytes *b = &w->constants[i];
        if (last && b->begin <= last->end)
            last->end = b->end > last->end ? b->end : last->end;
        else
            w->constants[n++] = *b;
    }
    w->constant_count = n;
}

static size_t alignment_of(uint64_t address)
{
    size_t alignment = 1;
    while (alignment < 16 && address % (alignment * 2) == 0)
        alignment *= 2;
    return alignment;
}

static bool write_constants(struct slice_writer *w)
{
    const struct gv_payload *p = w->payload;
    if (!note_constants(w) || !note_patches(w))
        return false;
    if (w->all_constants) {
        w->all_constants = false;
        w->constant_count = 0;
        if (!note_constant(w, 0, p->constant_size))
            return false;
    }
    join_constants(w);
    for (size_t i = 0; i < w->constant_count; i++) {
        struct kept_bytes *b = &w->constants[i];
        b->address =
            gv_writer_constant(w->writer, p->constants + b->begin,
                               (size_t)(b->end - b->begin), alignment_of(b->begin));
    }
    return write_data(w);
}

// Where an old address has gone; one of which no byte is used may lead anywhere.
static uint64_t constant_at(const void *context, uint64_t address)
{
    const struct slice_writer *w = context;
    size_t low = 0, high = w->constant_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->constants[middle].end < address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < w->constant_count && w->constants[low].end == address &&
        low + 1 < w->constant_count && w->constants[low + 1].begin == address)
        low++;
    const struct kept_bytes *b = &w->constants[low];
    return low < w->constant_count && b->begin <= address
               ? b->address + (address - b->begin)
               : 0;
}

// ---- code ----

// Whether the picture of a frame is wanted; frames ascend from call to call.
static bool is_wanted(struct slice_writer *w, uint64_t frame)
{
    const struct gv_slice_params *p = w->params->wanted;
    while (w->next_frame < p->frame_count && p->frames[w->next_frame] < frame)
        w->next_frame++;
    return w->next_frame < p->frame_count && p->frames[w->next_frame] == frame;
}

static void write_limits(struct slice_writer *w, const struct gv_recode *recode)
{
    struct gv_limits limits = w->payload->limits;
    limits.stack_cells = recode->stack;
    // At most two instructions more in front of each loop and skip.
    if (recode->more && !gv_mul_u64(limits.instructions, 3, &limits.instructions))
        limits.instructions = UINT64_MAX;
    if (!gv_add_u64(limits.instructions, recode->added, &limits.instructions))
        limits.instructions = UINT64_MAX;
    limits.objects += w->patches.objects;
    gv_writer_limits(w->writer, &limits);
}

static bool write_chunks(struct slice_writer *w, struct gv_recode *recode, size_t begin,
                         size_t end, uint32_t *count)
{
    for (size_t i = begin; i < end && i < w->kept->chunk_count; i++) {
        const bool patched = recode->patch_count && recode->patches->chunk == i;
        if (w->kept->chunk_runs[i] == w->kept->chunk_runs[i + 1] && !patched)
            continue;
        if (!gv_recode_chunk(recode, w->kept, i, w->err))
            return false;
        (*count)++;
    }
    return true;
}

static bool write_code(struct slice_writer *w, struct gv_recode *recode)
{
    const struct gv_payload *p = w->payload;
    uint32_t chunks = 0;
    size_t frame = 0;
    for (; frame < p->frame_count && p->frames[frame].chunk_end <= w->kept->chunk_count;
         frame++) {
        struct gv_frame f = p->frames[frame];
        bool wanted = is_wanted(w, frame);
        const struct gv_frame old = f;
        f.chunk_begin = chunks;
        f.schedule = recode->uses;
        f.width = wanted ? f.width : 0;
        f.height = wanted ? f.height : 0;
        if (!write_chunks(w, recode, old.chunk_begin, old.chunk_end, &chunks))
            return false;
        f.chunk_end = chunks;
        gv_writer_frame(w->writer, &f);
        write_limits(w, recode);
        if (!gv_writer_flush(w->writer, false, w->err))
            return false;
    }
    return !w->params->wanted->tail ||
           write_chunks(w, recode, p->tail_begin, p->chunk_count, &chunks);
}

static uint64_t command_end(const struct slice_writer *w)
{
    const struct gv_slice_params *p = w->params->wanted;
    return p->tail ? UINT64_MAX : w->payload->frames[p->last_frame].command_end;
}

static bool write_all(struct slice_writer *w)
{
    struct gv_recode recode = { .payload = w->payload,
                                .writer = w->writer,
                                .resources = w->resources,
                                .constant = constant_at,
                                .context = w,
                                .patches = w->patches.items,
                                .patch_count = w->patches.count };
    copy_tables(w);
    for (size_t i = 0; i < w->patches.slot_count; i++)
        gv_writer_slot(w->writer, w->patches.slots[i]);
    if (!write_resources(w) || !write_constants(w))
        return false;
    recode.data = w->data;
    if (!write_code(w, &recode))
        return false;
    write_limits(w, &recode);
    copy_sources(w, command_end(w));
    return gv_writer_close(w->writer, w->payload->complete, w->err);
}

static bool open_parts(struct slice_writer *w)
{
    size_t count = w->payload->resource_count + 1;
    w->resources = malloc(count * sizeof *w->resources);
    w->walk = calloc(1, sizeof *w->walk);
    w->groups = malloc((w->payload->group_count + 1) * sizeof *w->groups);
    if (!w->resources || !w->walk || !w->groups)
        return gv_out_of_memory(w->err);
    memset(w->resources, 0xff, count * sizeof *w->resources);
    memset(w->groups, 0xff, (w->payload->group_count + 1) * sizeof *w->groups);
    if (w->params->patches)
        w->patches = *w->params->patches;
    w->walk->payload = w->payload;
    w->writer = gv_payload_writer_create(w->params->writer, w->err);
    return w->writer && gv_kept_uses_make(w->kept, w->payload, &w->uses, w->err);
}

bool gv_slice_write(const struct gv_slice_write_params *params, struct gv_error *err)
{
    struct slice_writer w = { .params = params,
                              .payload = params->payload,
                              .kept = &params->slice->kept,
                              .err = err };
    bool ok = open_parts(&w) && write_all(&w);
    gv_payload_writer_destroy(w.writer);
    gv_kept_uses_finish(&w.uses);
    free(w.resources);
    free(w.constants);
    free(w.data);
    free(w.groups);
    free(w.walk);
    return ok;
}
