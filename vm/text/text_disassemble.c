// A payload as exact text: batch by batch, every table stated.
#include "vm/formats.h"
#include "vm/text/text.h"
#include "vm/text/text_assembler.h"
#include "vm/text/text_print.h"

#include <inttypes.h>

// How far the tables have been printed.
struct progress {
    struct gv_payload *payload;
    struct gv_bytes *out;
    struct gv_error *err;
    size_t requirement, import, slot, constant_block, constant, group, resource, export,
        use, frame, pace, chunk, diagnostic, keyframe;
    struct gv_limits limits;
    struct gv_text_sources sources;
};

// ---- rows ----

static void print_requirement(struct progress *p, const struct gv_requirement *r)
{
    static const char *const kinds[] = { "feature", "extension", "limit", "format",
                                         "memory" };
    const char *strength = gv_requirement_strength_name(r->strength);
    gv_bytes_printf(p->out, ".require %s%s%s", r->strength ? strength : "",
                    r->strength ? " " : "", kinds[r->kind]);
    if (r->kind != GV_REQUIRE_MEMORY) {
        gv_bytes_printf(p->out, " ");
        gv_text_print_string(p->out, r->name);
    }
    gv_bytes_printf(p->out, " %" PRIu64, r->value);
    if (r->fallback[0]) {
        gv_bytes_printf(p->out, " fallback ");
        gv_text_print_string(p->out, r->fallback);
    }
    gv_bytes_printf(p->out, "\n");
}

static bool print_import(struct progress *p, const struct gv_import *import)
{
    const char *name = gv_call_infos[import->call].name;
    if (!name)
        return gv_fail(p->err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: call 0x%02x", import->call);
    gv_bytes_printf(p->out, ".import %s 0x%016" PRIx64 "\n", name, import->signature);
    return true;
}

static void print_limits(struct progress *p, const struct gv_limits *l)
{
    gv_bytes_printf(p->out,
                    ".limits volatile=%" PRIu64 " maps=%" PRIu64 " stack=%" PRIu32
                    " objects=%" PRIu32 " instructions=%" PRIu64
                    " object_bytes=%" PRIu64 "\n",
                    l->volatile_bytes, l->map_bytes, l->stack_cells, l->objects,
                    l->instructions, l->object_bytes);
}

static void print_slot(struct progress *p, const struct gv_slot_info *slot)
{
    gv_bytes_printf(p->out, ".slot %s", gv_text_kind_name((enum gv_kind)slot->kind));
    if (slot->kind == GV_KIND_MAP)
        gv_bytes_printf(p->out, " size=%" PRIu64, slot->map_size);
    gv_bytes_printf(p->out, "\n");
}

static void print_constants(struct progress *p, const struct gv_block *block)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = p->payload->constants + p->constant;
    gv_bytes_printf(p->out, ".constants hex (");
    for (size_t i = 0; i < block->raw_size; i++) {
        char text[3] = { digits[bytes[i] >> 4], digits[bytes[i] & 15], ' ' };
        if (i % 32 == 0)
            gv_bytes_printf(p->out, "\n    ");
        gv_bytes_put(p->out, text, i % 4 == 3 ? 3 : 2);
    }
    if (block->raw_size % 4 == 1 || block->raw_size % 4 == 3)
        gv_bytes_printf(p->out, "\n");
    gv_bytes_printf(p->out, ")\n");
    p->constant += block->raw_size;
}

static void print_group(struct progress *p, const struct gv_group *group)
{
    const struct gv_payload *payload = p->payload;
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(&group->hash, hex);
    gv_bytes_printf(p->out, ".group %s", hex);
    if (group->codec == GV_CODEC_DICTIONARY)
        gv_bytes_printf(p->out, " dictionary=%" PRIu32, group->dictionary);
    for (; p->resource < payload->resource_count &&
           payload->resources[p->resource].group == p->group;
         p->resource++)
        gv_bytes_printf(p->out, " %" PRIu64, payload->resources[p->resource].size);
    gv_bytes_printf(p->out, "\n");
}

static void print_export(struct progress *p, const struct gv_export *e)
{
    const struct gv_format_info *format = gv_export_format_info(e->format);
    gv_bytes_printf(p->out, ".export ");
    gv_text_print_string(p->out, e->name);
    gv_bytes_printf(p->out, " %s ", gv_text_kind_name((enum gv_kind)e->kind));
    if (format)
        gv_bytes_printf(p->out, "%s", format->name);
    else
        gv_bytes_printf(p->out, "%" PRIu32, e->format);
    gv_bytes_printf(p->out, " %" PRIu32 " %" PRIu32 "\n", e->width, e->height);
}

static void print_uses(struct progress *p, size_t count)
{
    const uint32_t *uses = p->payload->schedule;
    size_t end = p->use + count;
    for (unsigned column = 0; p->use < end; column++) {
        size_t first = p->use++;
        while (p->use < end && uses[p->use] == uses[p->use - 1] + 1)
            p->use++;
        gv_bytes_printf(p->out, column % 16 ? " " : column ? "\n.use " : ".use ");
        gv_bytes_printf(p->out, "%" PRIu32, uses[first]);
        if (p->use - first > 1)
            gv_bytes_printf(p->out, "-%" PRIu32, uses[p->use - 1]);
    }
    gv_bytes_printf(p->out, "\n");
}

static void print_frame(struct progress *p, const struct gv_frame *f)
{
    gv_bytes_printf(p->out,
                    ".frame chunks=%" PRIu32 " commands=%" PRIu64 "-%" PRIu64
                    " size=%" PRIu32 "x%" PRIu32 " schedule=%" PRIu64 "\n",
                    f->chunk_end - f->chunk_begin, f->command_begin, f->command_end,
                    f->width, f->height, f->schedule);
}

static void print_pace(struct progress *p, const struct gv_pace *pace)
{
    gv_bytes_printf(p->out,
                    ".pace frame=%" PRIu64 " rate=%" PRIu32 " per=%" PRIu32
                    " width=%" PRIu32 " height=%" PRIu32 "\n",
                    pace->frame, pace->rate, pace->per, pace->width, pace->height);
}

static void print_diagnostic(struct progress *p, const struct gv_diagnostic *d)
{
    static const char *const severities[] = { "note", "warning", "unsupported" };
    gv_bytes_printf(p->out, ".diagnostic %s ", severities[d->severity]);
    gv_text_print_string(p->out, d->code);
    if (d->command != GV_NO_COMMAND)
        gv_bytes_printf(p->out, " command=%" PRIu64, d->command);
    if (d->offset != GV_NO_OFFSET)
        gv_bytes_printf(p->out, " offset=%" PRIu64, d->offset);
    gv_bytes_printf(p->out, " count=%" PRIu64 " ", d->count);
    gv_text_print_string(p->out, d->text);
    gv_bytes_printf(p->out, "\n");
}

static bool print_chunk(struct progress *p)
{
    const struct gv_chunk *chunk = &p->payload->chunks[p->chunk];
    const uint8_t *code = gv_payload_chunk(p->payload, p->chunk, p->err);
    if (!code)
        return false;
    gv_bytes_printf(p->out, "\n# chunk %zu at code byte %" PRIu64 "\n", p->chunk,
                    chunk->code_offset);
    gv_bytes_printf(p->out, ".chunk command=%" PRIu64 " resource=%" PRIu32 "\n",
                    chunk->first_command, chunk->first_resource);
    gv_text_print_sources(&p->sources, chunk->first_command, p->out);
    gv_text_print_chunk(p->payload, chunk, code, &p->sources, p->out);
    p->chunk++;
    return true;
}

// Its code looks like a chunk's, at the command that its frame begins with.
static void print_keyframe(struct progress *p, const struct gv_keyframe *k)
{
    const struct gv_payload *payload = p->payload;
    const struct gv_chunk chunk = { .size = k->size,
                                    .first_command =
                                        payload->frames[k->frame].command_begin };
    struct gv_text_sources none = { .payload = payload };
    gv_bytes_printf(p->out, "\n# keyframe at code byte %" PRIu64 "\n", k->code_offset);
    gv_bytes_printf(p->out, ".keyframe frame=%" PRIu64 " stack=%" PRIu32 "%s%s device ",
                    k->frame, k->stack_cells, k->exact ? " exact" : "",
                    k->exports ? " exports" : "");
    gv_text_print_string(p->out, k->device);
    gv_bytes_printf(p->out, " driver ");
    gv_text_print_string(p->out, k->driver);
    gv_bytes_printf(p->out, "\n");
    gv_text_print_chunk(payload, &chunk, k->code, &none, p->out);
}

static void print_keyframes(struct progress *p, size_t rows)
{
    for (size_t end = p->keyframe + rows; p->keyframe < end;)
        print_keyframe(p, &p->payload->keyframes[p->keyframe++]);
}

// ---- debug rows ----

static void print_source(struct gv_bytes *out, const struct gv_source_row *row)
{
    gv_bytes_printf(out, ".source %" PRIu64 " %" PRIu64 " ", row->command, row->offset);
    gv_text_print_string(out, row->name);
    if (row->number != row->command)
        gv_bytes_printf(out, " number=%" PRIu64, row->number);
    for (unsigned i = 0; i < GV_COMMAND_KINDS; i++)
        if (row->kinds >> i & 1)
            gv_bytes_printf(out, " %s", gv_command_kind_name(i));
    gv_bytes_printf(out, "\n");
}

void gv_text_print_sources(struct gv_text_sources *s, uint64_t command,
                           struct gv_bytes *out)
{
    // `position` counts rows taken: the pending one is number position - 1.
    for (;;) {
        if (!s->pending)
            s->pending = s->position < s->end &&
                         gv_payload_source_next(s->payload, &s->position, &s->row);
        if (!s->pending || s->row.command > command)
            return;
        print_source(out, &s->row);
        s->pending = false;
    }
}

// ---- batches ----

static void print_provenance(struct progress *p)
{
    gv_bytes_printf(p->out, ".provenance ");
    gv_text_print_string(p->out, p->payload->provenance);
    gv_bytes_printf(p->out, "\n");
}

static bool print_imports(struct progress *p, size_t rows)
{
    bool ok = true;
    for (size_t end = p->import + rows; ok && p->import < end;)
        ok = print_import(p, &p->payload->imports[p->import++]);
    return ok;
}

static bool print_chunks(struct progress *p, size_t rows)
{
    bool ok = true;
    for (size_t end = p->chunk + rows; ok && p->chunk < end;)
        ok = print_chunk(p);
    return ok;
}

static void print_diagnostics(struct progress *p, size_t rows)
{
    for (size_t end = p->diagnostic + rows; p->diagnostic < end;)
        print_diagnostic(p, &p->payload->diagnostics[p->diagnostic++]);
}

static void print_frames(struct progress *p, size_t rows)
{
    for (size_t end = p->frame + rows; p->frame < end;)
        print_frame(p, &p->payload->frames[p->frame++]);
}

static void print_exports(struct progress *p, size_t rows)
{
    for (size_t end = p->export + rows; p->export < end;)
        print_export(p, &p->payload->exports[p->export ++]);
}

static void print_slots(struct progress *p, size_t rows)
{
    for (size_t end = p->slot + rows; p->slot < end;)
        print_slot(p, &p->payload->slots[p->slot++]);
}

// The rows that one segment added.
static bool print_segment(struct progress *p, const struct gv_segment_info *s)
{
    const struct gv_payload *payload = p->payload;
    switch ((enum gv_segment)s->kind) {
    case GV_SEGMENT_PROVENANCE:
        print_provenance(p);
        break;
    case GV_SEGMENT_REQUIREMENTS:
        for (size_t end = p->requirement + s->rows; p->requirement < end;)
            print_requirement(p, &payload->requirements[p->requirement++]);
        break;
    case GV_SEGMENT_IMPORTS:
        return print_imports(p, s->rows);
    case GV_SEGMENT_LIMITS:
        print_limits(p, &s->limits);
        break;
    case GV_SEGMENT_SLOTS:
        print_slots(p, s->rows);
        break;
    case GV_SEGMENT_CONSTANTS:
        for (size_t end = p->constant_block + s->rows; p->constant_block < end;)
            print_constants(p, &payload->constant_blocks[p->constant_block++]);
        break;
    case GV_SEGMENT_RESOURCES:
        for (size_t end = p->group + s->rows; p->group < end; p->group++)
            print_group(p, &payload->groups[p->group]);
        break;
    case GV_SEGMENT_EXPORTS:
        print_exports(p, s->rows);
        break;
    case GV_SEGMENT_SCHEDULE:
        print_uses(p, s->rows);
        break;
    case GV_SEGMENT_FRAMES:
        print_frames(p, s->rows);
        break;
    case GV_SEGMENT_PACES:
        for (size_t end = p->pace + s->rows; p->pace < end;)
            print_pace(p, &payload->paces[p->pace++]);
        break;
    case GV_SEGMENT_CHUNKS:
        return print_chunks(p, s->rows);
    case GV_SEGMENT_DEBUG:
        gv_text_print_sources(&p->sources, UINT64_MAX, p->out);
        break;
    case GV_SEGMENT_DIAGNOSTICS:
        print_diagnostics(p, s->rows);
        break;
    case GV_SEGMENT_KEYFRAMES:
        print_keyframes(p, s->rows);
        break;
    case GV_SEGMENT_RESOURCE_BYTES:
    case GV_SEGMENT_CODE:
    case GV_SEGMENT_DIRECTORY:
    case GV_SEGMENT_COUNT:
        break;
    }
    return true;
}

// Debug rows of a batch are printed with its code, so their end must be known before.
static size_t batch_end(const struct gv_payload *payload, size_t first,
                        uint64_t *sources)
{
    size_t i = first;
    do {
        if (payload->segments[i].kind == GV_SEGMENT_DEBUG)
            *sources += payload->segments[i].rows;
        i++;
    } while (i < payload->segment_count &&
             gv_segment_place(payload->segments[i].kind) >
                 gv_segment_place(payload->segments[i - 1].kind));
    return i;
}

bool gv_text_disassemble(struct gv_payload *payload, struct gv_bytes *out,
                         struct gv_error *err)
{
    struct progress p = { .payload = payload, .out = out, .err = err };
    p.sources.payload = payload;
    gv_bytes_printf(
        out, ".payload exact level=%d commands=%" PRIu64 "%s%s%s\n", payload->level,
        payload->command_count, payload->thin ? " thin" : "",
        payload->complete ? "" : " incomplete", payload->joined ? " joined" : "");
    for (size_t i = 0; i < payload->segment_count;) {
        size_t end = batch_end(payload, i, &p.sources.end);
        for (; i < end; i++)
            if (!print_segment(&p, &payload->segments[i]))
                return false;
        if (i < payload->segment_count)
            gv_bytes_printf(out, "\n.flush\n\n");
    }
    return !out->failed || gv_out_of_memory(err);
}
