// The rules over the tables of a payload.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"
#include "vm/formats.h"
#include "vm/verify/verify_internal.h"

#define REFUSE(rule, ...) \
    gv_verify_refuse_table(v, GV_ERR_FORMAT, GV_RULE_##rule, __VA_ARGS__)

// The largest value of a number kind, for CHECK_NUMBER.
static uint64_t number_max(enum gv_arg_kind kind)
{
    if (kind == GV_ARG_U64)
        return UINT64_MAX;
    return kind == GV_ARG_BOOL ? 1 : UINT32_MAX; // U32, and F32 as its bits
}

// The union of the bits of a set, or the values below 64 of an enumeration as bits.
static uint64_t enum_mask(enum gv_enum_id id)
{
    uint64_t mask = 0;
    bool flags = gv_enum_is_flags(id);
    for (unsigned i = 0; i < 64; i++)
        if (gv_enum_valid(id, flags ? UINT64_C(1) << i : i))
            mask |= UINT64_C(1) << i;
    return mask;
}

static void object_row(struct arg_row *row, enum gv_arg_kind kind)
{
    bool optional;
    row->object = (uint8_t)gv_arg_object_kind(kind, &optional);
    row->check = optional ? CHECK_OBJECT_OPT : CHECK_OBJECT;
}

static bool is_post(enum gv_call call)
{
    return call == GV_CALL_post_buffer || call == GV_CALL_post_image;
}

static struct arg_row make_row(enum gv_call call, const struct gv_arg_info *arg)
{
    struct arg_row row = { .of = arg->of };
    switch ((enum gv_arg_kind)arg->kind) {
    case GV_ARG_U32:
    case GV_ARG_U64:
    case GV_ARG_F32:
    case GV_ARG_BOOL:
        row.check = CHECK_NUMBER;
        row.max = number_max(arg->kind);
        if (is_post(call) && strcmp(arg->name, "export") == 0) {
            row.check = CHECK_EXPORT;
            row.object = call == GV_CALL_post_buffer ? GV_KIND_BUFFER : GV_KIND_IMAGE;
        }
        break;
    case GV_ARG_I32:
        row.check = CHECK_SIGNED;
        break;
    case GV_ARG_ENUM:
    case GV_ARG_FLAGS:
        row.check = gv_enum_is_flags(arg->of) ? CHECK_BITS : CHECK_ENUM;
        row.max = enum_mask(arg->of);
        break;
    case GV_ARG_FORMAT:
        row.check = CHECK_FORMAT;
        break;
    case GV_ARG_FORMAT_OPT:
        row.check = CHECK_FORMAT_OPT;
        break;
    case GV_ARG_BYTES:
        row.check = arg->of == GV_ENUM_ID_DATA ? CHECK_BYTES : CHECK_DESC;
        break;
    case GV_ARG_SIZE:
        row.check = CHECK_SIZE;
        break;
    case GV_ARG_BUFFER:
    case GV_ARG_IMAGE:
    case GV_ARG_SAMPLER:
    case GV_ARG_SHADER:
    case GV_ARG_PIPELINE:
    case GV_ARG_QUERY:
    case GV_ARG_MAP:
    case GV_ARG_BUFFER_OPT:
    case GV_ARG_IMAGE_OPT:
    case GV_ARG_SAMPLER_OPT:
    case GV_ARG_SHADER_OPT:
        object_row(&row, arg->kind);
        break;
    }
    return row;
}

static void make_import(struct import_row *row, struct arg_row *args, uint32_t call)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    *row = (struct import_row){
        .info = info,
        .args = args,
        .call = call,
        .arg_count = info->arg_count,
        .result = info->result,
    };
    for (uint8_t i = 0; i < info->arg_count; i++) {
        args[i] = make_row((enum gv_call)call, &info->args[i]);
        if (call == GV_CALL_buffer_map && strcmp(info->args[i].name, "size") == 0)
            row->size_arg = i;
    }
}

static bool check_import(struct verifier *v, const struct gv_import *import,
                         bool seen[GV_CALL_LIMIT])
{
    const struct gv_call_info *info =
        import->call < GV_CALL_LIMIT ? &gv_call_infos[import->call] : NULL;
    if (!info || !info->name)
        return gv_verify_refuse_table(v, GV_ERR_UNSUPPORTED, GV_RULE_IMPORT_UNKNOWN,
                                      "call 0x%02" PRIx32 " is not known here",
                                      import->call);
    if (gv_call_signature((enum gv_call)import->call) != import->signature)
        return gv_verify_refuse_table(v, GV_ERR_UNSUPPORTED, GV_RULE_IMPORT_SIGNATURE,
                                      "%s has another signature here", info->name);
    if (seen[import->call])
        return REFUSE(IMPORT_TWICE, "%s", info->name);
    seen[import->call] = true;
    return true;
}

bool gv_verify_imports(struct verifier *v)
{
    const struct gv_payload *p = v->payload;
    bool seen[GV_CALL_LIMIT] = { false }; // bounds the number of rows below
    for (size_t i = 0; i < p->import_count; i++)
        if (!check_import(v, &p->imports[i], seen))
            return false;
    if (v->imports && v->imports_seen == p->import_count)
        return true;
    free(v->imports);
    free(v->arg_rows);
    v->imports = calloc(p->import_count + 1, sizeof *v->imports);
    v->arg_rows = calloc((p->import_count + 1) * GV_MAX_ARGS, sizeof *v->arg_rows);
    v->graphics = v->graphics ? v->graphics : malloc(sizeof *v->graphics);
    v->compute = v->compute ? v->compute : malloc(sizeof *v->compute);
    v->imports_seen = p->import_count;
    if (!v->imports || !v->arg_rows || !v->graphics || !v->compute)
        return gv_fail(v->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "no memory for the verifier");
    for (size_t i = 0; i < p->import_count; i++)
        make_import(&v->imports[i], v->arg_rows + i * GV_MAX_ARGS, p->imports[i].call);
    return true;
}

static bool verify_memory(struct verifier *v)
{
    const struct gv_limits *l = &v->payload->limits;
    uint64_t total = 0;
    bool fits = gv_add_u64(l->volatile_bytes, l->map_bytes, &total) &&
                gv_add_u64(total, l->object_bytes, &total);
    if (!fits)
        total = UINT64_MAX;
    if (v->memory_limit && total > v->memory_limit)
        return gv_verify_refuse_table(v, GV_ERR_LIMIT, GV_RULE_LIMIT_MEMORY,
                                      "declares %" PRIu64
                                      " bytes, over the limit of %" PRIu64,
                                      total, v->memory_limit);
    if (l->volatile_bytes > GV_MAX_SPACE_BYTES)
        return REFUSE(LIMIT_VOLATILE, "%" PRIu64 " bytes", l->volatile_bytes);
    if (l->stack_cells > GV_MAX_STACK_CELLS)
        return REFUSE(LIMIT_STACK, "%" PRIu32 " cells declared", l->stack_cells);
    return true;
}

static bool verify_slots(struct verifier *v)
{
    const struct gv_payload *p = v->payload;
    if (p->slot_count > GV_MAX_SLOTS)
        return REFUSE(SLOT_COUNT, "%zu slots", p->slot_count);
    for (size_t i = v->slots_seen; i < p->slot_count; i++) {
        const struct gv_slot_info *slot = &p->slots[i];
        if (slot->kind == GV_KIND_NONE || slot->kind >= GV_KIND_COUNT)
            return REFUSE(SLOT_KIND, "slot %zu has kind %u", i, slot->kind);
        bool map = slot->kind == GV_KIND_MAP;
        if (map != (slot->map_size != 0) || slot->map_size > GV_MAX_SPACE_BYTES)
            return REFUSE(SLOT_MAP_SIZE, "slot %zu maps %" PRIu64 " bytes", i,
                          slot->map_size);
        if (slot->map_size > p->limits.map_bytes)
            return REFUSE(LIMIT_MAPS, "slot %zu maps %" PRIu64 " bytes of %" PRIu64, i,
                          slot->map_size, p->limits.map_bytes);
    }
    v->slots_seen = p->slot_count;
    return true;
}

static bool verify_resources(struct verifier *v)
{
    const struct gv_payload *p = v->payload;
    if (p->resource_count > GV_MAX_RESOURCES)
        return REFUSE(RESOURCE_COUNT, "%zu resources", p->resource_count);
    for (size_t i = v->resources_seen; i < p->resource_count; i++) {
        const struct gv_resource *r = &p->resources[i];
        if (r->group >= p->group_count)
            return REFUSE(RESOURCE_GROUP, "resource %zu names group %" PRIu32, i,
                          r->group);
        if (r->size > GV_MAX_SPACE_BYTES ||
            !gv_range_inside(r->offset, r->size, p->groups[r->group].raw_size))
            return REFUSE(RESOURCE_RANGE, "resource %zu leaves its group", i);
    }
    v->resources_seen = p->resource_count;
    return true;
}

static bool verify_exports(struct verifier *v)
{
    const struct gv_payload *p = v->payload;
    for (size_t i = v->exports_seen; i < p->export_count; i++) {
        const struct gv_export *e = &p->exports[i];
        if (e->kind != GV_KIND_BUFFER && e->kind != GV_KIND_IMAGE)
            return REFUSE(EXPORT_KIND, "export %zu has kind %u", i, e->kind);
        bool none = e->format == 0 && e->kind == GV_KIND_BUFFER;
        const struct gv_format_info *format = e->kind == GV_KIND_BUFFER
                                                  ? gv_export_format_info(e->format)
                                                  : gv_format_info(e->format);
        if (!none && !format)
            return REFUSE(EXPORT_FORMAT, "export %zu has format %" PRIu32, i,
                          e->format);
    }
    v->exports_seen = p->export_count;
    return true;
}

static bool verify_frames(struct verifier *v)
{
    const struct gv_payload *p = v->payload;
    size_t chunk = 0;
    uint64_t command = 0;
    for (size_t i = 0; i < p->frame_count; i++) {
        const struct gv_frame *f = &p->frames[i];
        if (f->chunk_begin != chunk || f->chunk_end <= f->chunk_begin ||
            f->chunk_end > p->chunk_count)
            return REFUSE(FRAME_CHUNKS, "frame %zu has chunks %" PRIu32 " to %" PRIu32,
                          i, f->chunk_begin, f->chunk_end);
        if (f->command_begin < command || f->command_end < f->command_begin)
            return REFUSE(FRAME_COMMANDS,
                          "frame %zu has commands %" PRIu64 " to %" PRIu64, i,
                          f->command_begin, f->command_end);
        chunk = f->chunk_end;
        command = f->command_end;
    }
    if (p->tail_begin != chunk)
        return REFUSE(FRAME_CHUNKS, "the tail begins at chunk %" PRIu32 ", not %zu",
                      p->tail_begin, chunk);
    return true;
}

static bool verify_chunks(struct verifier *v)
{
    const struct gv_payload *p = v->payload;
    uint64_t offset = v->code_seen, command = v->command_seen;
    for (size_t i = 0; i < p->chunk_count; i++) {
        const struct gv_chunk *c = &p->chunks[i];
        if (c->size == 0 || c->size > GV_MAX_CHUNK_BYTES)
            return REFUSE(CHUNK_SIZE, "chunk %zu has %" PRIu32 " bytes", i, c->size);
        if (c->code_offset != offset)
            return REFUSE(CHUNK_OFFSET,
                          "chunk %zu is at %" PRIu64 ", said to be at %" PRIu64, i,
                          offset, c->code_offset);
        if (c->first_command < command)
            return REFUSE(CHUNK_COMMAND, "chunk %zu goes back to command %" PRIu64, i,
                          c->first_command);
        offset += c->size; // a count of u32s cannot pass 64 bits
        command = c->first_command;
    }
    v->code_seen = offset;
    v->command_seen = command;
    return true;
}

bool gv_verify_tables(struct verifier *v)
{
    return verify_memory(v) && verify_slots(v) && verify_resources(v) &&
           verify_exports(v) && (v->stream || verify_frames(v)) && verify_chunks(v);
}
