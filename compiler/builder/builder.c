// The builder's life, positions, frames, chunks and windows.
#include "compiler/builder/builder_private.h"

#include "resources/base/checked.h"
#include "resources/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// What is remembered for deduplication, per generation (dedup.h): two of each.
#define CONSTANT_ENTRIES ((size_t)1 << 17)
#define CONSTANT_MEMORY ((uint64_t)8 << 20)
#define RESOURCE_ENTRIES ((size_t)1 << 18)
#define RESOURCE_MEMORY ((uint64_t)32 << 20)
// All constants are in memory while a payload runs; beyond this, small contents become
// resources, which are not.
#define MAX_CONSTANTS ((uint64_t)64 << 20)

bool gv_builder_fail(struct gv_builder *b, enum gv_status status, const char *format,
                     ...)
{
    char message[sizeof b->error.message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    b->failed = true;
    gv_fail(&b->error, status, b->offset, "%s", message);
    return gv_error_at_command(&b->error, b->command);
}

bool gv_builder_no_memory(struct gv_builder *b)
{
    return gv_builder_fail(b, GV_ERR_MEMORY, "out of memory");
}

bool gv_builder_failed(const struct gv_builder *b, struct gv_error *err)
{
    if (b->failed && err && err->status == GV_OK)
        *err = b->error;
    return b->failed;
}

// Where the arguments stand in the structs of values.
static void plan_values(struct gv_call_plan plans[GV_CALL_LIMIT])
{
#define GV_CALL(name, code, result, sets, reads, doc) \
    {                                                 \
        typedef struct gv_values_##name row;          \
        uint16_t *at = plans[code].at;
#define GV_ARG(name, kind, of, role) *at++ = (uint16_t)offsetof(row, name);
#define GV_CALL_END                      \
    *at = (uint16_t)offsetof(row, end_); \
    }
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
}

static void make_plan(struct gv_call_plan *plan, enum gv_call call)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    const uint32_t cached =
        GV_STATE_TARGETS - 1; // classes below: bindings, dynamic state
    *plan = (struct gv_call_plan){ .info = info->name ? info : NULL,
                                   .count = info->arg_count,
                                   .destroys = GV_NOWHERE,
                                   .state_class = GV_NOWHERE,
                                   .index_flags = GV_NOWHERE,
                                   .large = call == GV_CALL_shader_create,
                                   .watched = gv_requirements_watch(call) };
    uint8_t values = 0;
    for (uint8_t i = 0; i < info->arg_count; i++) {
        const struct gv_arg_info *arg = &info->args[i];
        plan->object_kind[i] =
            (uint8_t)gv_arg_object_kind(arg->kind, &plan->optional[i]);
        if (arg->role == GV_ROLE_DESTROY)
            plan->destroys = i;
        if (arg->role != GV_ROLE_INDEX)
            values++;
        else if (arg->kind == GV_ARG_FLAGS)
            plan->index_flags = i;
        else if (plan->index_count < 3)
            plan->indices[plan->index_count++] = i;
    }
    if (info->sets && !(info->sets & ~cached) && values <= GV_STATE_VALUES)
        plan->state_class = (uint8_t)__builtin_ctz(info->sets);
}

struct gv_builder *gv_builder_create(const struct gv_builder_params *params,
                                     struct gv_error *err)
{
    struct gv_builder *b = calloc(1, sizeof *b);
    if (!b) {
        gv_out_of_memory(err);
        return NULL;
    }
    b->params = *params;
    gv_error_clear(&b->error);
    b->offset = GV_NO_OFFSET;
    b->command_name = "";
    b->constants.max_entries = CONSTANT_ENTRIES;
    b->constants.max_bytes = CONSTANT_MEMORY;
    b->resources.max_entries = RESOURCE_ENTRIES;
    b->resources.max_bytes = RESOURCE_MEMORY;
    b->objects.keys.max_entries = SIZE_MAX; // kept for the whole compile
    b->objects.keys.max_bytes = UINT64_MAX;
    for (int call = 0; call < GV_CALL_LIMIT; call++)
        make_plan(&b->plans[call], (enum gv_call)call);
    plan_values(b->plans);
    if (!params->target) {
        b->params.target = &b->target;
        if (!gv_target_init(&b->target, NULL, err)) {
            gv_builder_destroy(b);
            return NULL;
        }
    }
    return b;
}

void gv_builder_destroy(struct gv_builder *b)
{
    if (!b)
        return;
    gv_target_finish(&b->target);
    gv_code_finish(&b->code);
    gv_code_finish(&b->place.inner);
    gv_bytes_finish(&b->resolved);
    gv_dedup_finish(&b->constants);
    gv_dedup_finish(&b->resources);
    gv_observations_finish(&b->observations);
    gv_blocks_finish(&b->blocks);
    gv_matrices_finish(&b->matrices);
    gv_state_cache_finish(&b->state);
    gv_slots_finish(&b->slots);
    gv_object_cache_finish(&b->objects);
    gv_modules_finish(&b->modules);
    gv_requirements_finish(&b->requirements);
    gv_builder_finish_branches(b);
    gv_diagnostics_finish(&b->diagnostics);
    for (uint32_t i = 0; i < b->export_count; i++)
        free((char *)b->exports[i].name);
    free(b->exports);
    free(b);
}

void gv_builder_set_stable(struct gv_builder *b, const void *base, size_t size)
{
    b->resources.stable = base;
    b->resources.stable_size = size;
}

// ---- contents ----

bool gv_builder_constant(struct gv_builder *b, const void *data, size_t size,
                         uint32_t *address)
{
    uint64_t hash = gv_dedup_hash(data, size);
    if (gv_dedup_find(&b->constants, hash, 0, data, size, address) == GV_DEDUP_KNOWN)
        return true;
    *address = gv_writer_constant(b->params.writer, data, size, size % 4 ? 1 : 4);
    b->constant_bytes += size;
    return gv_dedup_add(&b->constants, hash, 0, data, size, *address) ||
           gv_builder_no_memory(b);
}

struct content {
    uint64_t hash, check;
};

static struct content content_of(const void *data, uint64_t size)
{
    const struct gv_hash id = gv_hash_bytes(data, (size_t)size);
    const uint64_t check = gv_load_u64(id.bytes + 8);
    // 0 would mean that `hash` is no content id.
    return (struct content){ gv_load_u64(id.bytes), check + (check == 0) };
}

bool gv_builder_resource(struct gv_builder *b, const void *data, uint64_t size,
                         uint32_t *number)
{
    const struct content content = content_of(data, size);
    switch (
        gv_dedup_find(&b->resources, content.hash, content.check, data, size, number)) {
    case GV_DEDUP_KNOWN:
        return true;
    case GV_DEDUP_COLLISION:
        return gv_builder_fail(b, GV_ERR_FORMAT,
                               "content id collision: different bytes, equal XXH3-128");
    case GV_DEDUP_NEW:
        break;
    }
    *number = gv_writer_resource(b->params.writer, data, (size_t)size);
    b->resource_count++;
    b->resource_bytes += size;
    if (!gv_writer_relieve(b->params.writer, &b->error))
        b->failed = true;
    return gv_dedup_add(&b->resources, content.hash, content.check, data, size,
                        *number) ||
           gv_builder_no_memory(b);
}

bool gv_builder_inline(const struct gv_builder *b, uint64_t size)
{
    return size <= GV_INLINE_BYTES && b->constant_bytes < MAX_CONSTANTS;
}

bool gv_builder_knows(struct gv_builder *b, const void *data, uint64_t size)
{
    uint32_t number;
    if (gv_builder_inline(b, size))
        return gv_dedup_find(&b->constants, gv_dedup_hash(data, (size_t)size), 0, data,
                             size, &number) == GV_DEDUP_KNOWN;
    const struct content content = content_of(data, size);
    return gv_dedup_find(&b->resources, content.hash, content.check, data, size,
                         &number) == GV_DEDUP_KNOWN;
}

// ---- chunks and windows ----

// Features that the target lacks: the payload runs where they are, but not on what it
// was meant for. Formats are refused when an image is made.
static void warn_beyond_target(struct gv_builder *b)
{
    for (size_t i = 0; i < b->requirements.count; i++) {
        const struct gv_requirement_row *row = &b->requirements.rows[i];
        if (!row->written && row->requirement.kind == GV_REQUIRE_FEATURE &&
            row->requirement.strength == GV_NEEDED &&
            !gv_target_has_feature(b->params.target, row->requirement.name))
            gv_builder_diagnose(b, GV_WARNING, "beyond-target",
                                "needs %s, which the target lacks",
                                row->requirement.name);
    }
}

// What stands before or beside the code in the file, and the file itself.
static bool write_tables(struct gv_builder *b)
{
    const struct gv_limits limits = {
        .volatile_bytes = b->observations.memory_size,
        .map_bytes = b->most_map_bytes,
        .stack_cells = b->code.stack,
        .objects = b->slots.most_live,
        .instructions = b->code.instructions,
        .object_bytes = b->slots.most_live_bytes,
    };
    gv_writer_limits(b->params.writer, &limits);
    warn_beyond_target(b);
    gv_requirements_write(&b->requirements, b->params.writer);
    if (!gv_writer_flush(b->params.writer, false, &b->error))
        b->failed = true;
    return !b->failed;
}

// One chunk in its final form, less its END.
static bool write_chunk(struct gv_builder *b, struct gv_bytes *bytes)
{
    struct gv_code *code = &b->code;
    gv_bytes_u8(bytes, GV_OP_END);
    code->instructions++;
    if (bytes->failed)
        return gv_builder_no_memory(b);
    gv_writer_chunk(b->params.writer, bytes->data, bytes->size, code->first_command,
                    code->first_resource);
    b->chunks++;
    code->resource_named = false;
    code->first_resource = 0;
    bytes->size = 0;
    return write_tables(b);
}

uint8_t *gv_builder_put_final_resource(struct gv_builder *b, uint8_t *p, enum gv_op op,
                                       uint32_t resource)
{
    gv_writer_use(b->params.writer, resource);
    b->uses++;
    return gv_put_resource(&b->code, p, op, resource);
}

// Brings what memory lacks of an observation there.
static bool fetch_observation(struct gv_builder *b, uint32_t index)
{
    struct gv_change change;
    for (uint64_t cursor = 0;
         gv_observations_change(&b->observations, index, &cursor, &change);) {
        bool small = gv_builder_inline(b, change.size);
        uint32_t number;
        if (small ? !gv_builder_constant(b, change.data, (size_t)change.size, &number)
                  : !gv_builder_resource(b, change.data, change.size, &number))
            return false;
        uint8_t *p = gv_code_room(&b->resolved, GV_CALL_BYTES);
        if (!p)
            return gv_builder_no_memory(b);
        p = gv_put_op(p, GV_OP_VOLATILE, change.place);
        if (small) {
            p = gv_put_op(p, GV_OP_CONST, number);
            p = gv_put_op(p, GV_OP_COPY, change.size);
        } else {
            p = gv_builder_put_final_resource(b, p, GV_OP_FETCH, number);
        }
        b->code.instructions += small ? 3 : 2;
        if (b->code.stack < (small ? 2 : 1))
            b->code.stack = small ? 2 : 1;
        gv_code_advance(&b->resolved, p);
    }
    return true;
}

static bool resolve_patch(struct gv_builder *b, const struct gv_code *code,
                          size_t index)
{
    const struct gv_patch *patch = &code->patches[index];
    if (patch->kind == GV_PATCH_OBSERVATION)
        return fetch_observation(b, patch->index);
    if (patch->kind == GV_PATCH_PLACE)
        return gv_builder_resolve_place(b);
    if (patch->kind == GV_PATCH_SKIP)
        return gv_builder_resolve_skip(b, index);
    if (patch->kind == GV_PATCH_SKIP_END)
        return gv_builder_resolve_skip_end(b);
    if (patch->kind == GV_PATCH_CUT) {
        bool written = write_chunk(b, &b->resolved);
        b->code.first_command = patch->offset;
        return written;
    }
    uint8_t *p = gv_code_room(&b->resolved, GV_CALL_BYTES);
    if (!p)
        return gv_builder_no_memory(b);
    if (patch->kind == GV_PATCH_OBSERVED)
        p = gv_put_op(p, GV_OP_VOLATILE,
                      gv_observations_place(&b->observations, patch->index) +
                          patch->offset);
    else
        p = gv_builder_put_final_resource(
            b, p, patch->kind == GV_PATCH_RESOURCE ? GV_OP_RES : GV_OP_FETCH,
            patch->index);
    gv_code_advance(&b->resolved, p);
    return true;
}

bool gv_builder_resolve_code(struct gv_builder *b, const struct gv_code *code)
{
    size_t from = 0;
    if (code->bytes.size == 0) // and no data to point into
        return true;
    for (size_t i = 0; i < code->patch_count; i++) {
        const struct gv_patch *patch = &code->patches[i];
        gv_bytes_put(&b->resolved, code->bytes.data + from, patch->at - from);
        from = patch->at;
        if (!resolve_patch(b, code, i))
            return false;
    }
    gv_bytes_put(&b->resolved, code->bytes.data + from, code->bytes.size - from);
    return true;
}

static bool resolve_window(struct gv_builder *b)
{
    struct gv_code *code = &b->code;
    if (b->observations.count && !gv_observations_layout(&b->observations))
        return gv_builder_fail(b, GV_ERR_LIMIT, "observed memory is too large");
    if (!gv_builder_resolve_code(b, code))
        return false;
    b->observation_base += b->observations.count;
    gv_observations_reset(&b->observations);
    code->patch_count = 0;
    code->deferred = false;
    b->place.marked = false;
    code->bytes.size = 0;
    return write_chunk(b, &b->resolved);
}

bool gv_builder_close_window(struct gv_builder *b)
{
    struct gv_code *code = &b->code;
    if (b->failed)
        return false;
    bool written = true;
    if (code->deferred)
        written = resolve_window(b);
    else if (code->open)
        written = write_chunk(b, &code->bytes);
    code->chunk_start = 0;
    code->open = false;
    return written;
}

// Ends a chunk that has become long.
static bool cut(struct gv_builder *b)
{
    struct gv_code *code = &b->code;
    if (!code->deferred)
        return gv_builder_close_window(b);
    const struct gv_patch patch = { code->bytes.size, GV_PATCH_CUT, 0, 0 };
    code->chunk_start = code->bytes.size;
    code->open = false;
    return gv_code_patch(code, patch) || gv_builder_no_memory(b);
}

static void open_chunk(struct gv_builder *b)
{
    struct gv_code *code = &b->code;
    code->open = true;
    code->command = b->command;
    if (code->chunk_start) // the cut that is the last patch
        code->patches[code->patch_count - 1].offset = b->command;
    else
        code->first_command = b->command;
}

// The debug row of the current command, once.
static void put_source(struct gv_builder *b)
{
    const struct gv_source_row row = { b->command, b->offset, b->command_name,
                                       b->number, b->kinds };
    if (b->command < b->sourced)
        return;
    gv_writer_source(b->params.writer, &row);
    b->sourced = b->command + 1;
}

uint8_t *gv_builder_begin_call(struct gv_builder *b)
{
    struct gv_code *code = &b->code;
    if (code->bytes.size - code->chunk_start >= GV_CHUNK_BYTES && !b->either_depth &&
        !b->place.here && !cut(b))
        return NULL;
    uint8_t *p = gv_code_room(&code->bytes, GV_CALL_BYTES);
    if (!p) {
        gv_builder_no_memory(b);
        return NULL;
    }
    put_source(b);
    if (!code->open) {
        open_chunk(b);
    } else if (code->command != b->command) {
        uint64_t step = b->command - code->command;
        code->command = b->command;
        code->instructions++;
        if (step == 1)
            *p++ = GV_OP_CMD_NEXT;
        else
            p = gv_put_op(p, GV_OP_CMD, step);
    }
    return p;
}

uint8_t *gv_builder_put_resource(struct gv_builder *b, uint8_t *p, enum gv_op op,
                                 uint32_t resource)
{
    struct gv_code *code = &b->code;
    if (!code->deferred)
        return gv_builder_put_final_resource(b, p, op, resource);
    const struct gv_patch patch = {
        .at = (size_t)(p - code->bytes.data),
        .kind = op == GV_OP_RES ? GV_PATCH_RESOURCE : GV_PATCH_FETCH,
        .index = resource,
    };
    if (!gv_code_patch(code, patch))
        gv_builder_no_memory(b);
    return p;
}

// ---- positions ----

void gv_builder_command(struct gv_builder *b, uint64_t command, uint64_t offset,
                        const char *name)
{
    if (b->failed || !gv_builder_outside_branch(b, "a command begins"))
        return;
    if (command < b->commands || command == UINT64_MAX) {
        gv_builder_fail(b, GV_ERR_USAGE, "command numbers do not ascend");
        return;
    }
    // A window closes between commands: what they observed is used by themselves.
    if (b->code.deferred && !b->place.open &&
        (b->observations.bytes >= GV_WINDOW_BYTES ||
         b->observations.count >= GV_WINDOW_OBSERVATIONS ||
         b->code.bytes.size >= GV_WINDOW_CODE))
        gv_builder_close_window(b);
    b->command = command;
    b->commands = command + 1;
    b->offset = offset;
    b->command_name = name ? name : "";
    b->number = command;
    b->kinds = 0;
    b->refused.reads_lost = false; // who draws again binds again
    b->command_observed = b->observation_base + b->observations.count;
}

void gv_builder_command_is(struct gv_builder *b, uint64_t number, uint8_t kinds)
{
    b->number = number;
    b->kinds = kinds;
    if (!b->failed)
        put_source(b);
}

void gv_builder_joins(struct gv_builder *b)
{
    if (!b->failed)
        gv_writer_joined(b->params.writer);
}

uint64_t gv_builder_offset(const struct gv_builder *b)
{
    return b->offset;
}

uint64_t gv_builder_current_command(const struct gv_builder *b)
{
    return b->number;
}

void gv_builder_pace(struct gv_builder *b, const struct gv_pace *pace)
{
    struct gv_pace from = *pace;
    from.frame = b->frames;
    if (!b->failed)
        gv_writer_pace(b->params.writer, &from);
}

void gv_builder_frame_end(struct gv_builder *b, uint32_t width, uint32_t height)
{
    if (!gv_builder_outside_branch(b, "a frame ends") ||
        !gv_builder_without_place(b, "a frame ends"))
        return;
    gv_emit0(b, frame_end);
    if (!gv_builder_close_window(b))
        return;
    b->frame.chunk_end = b->chunks;
    b->frame.command_end = b->commands;
    b->frame.width = width;
    b->frame.height = height;
    gv_writer_frame(b->params.writer, &b->frame);
    if (b->params.live && !gv_writer_flush(b->params.writer, true, &b->error))
        b->failed = true;
    gv_matrices_relieve(&b->matrices);
    b->frames++;
    b->frame = (struct gv_frame){ .chunk_begin = b->chunks,
                                  .command_begin = b->commands,
                                  .schedule = b->uses };
}

bool gv_builder_finish(struct gv_builder *b, struct gv_builder_totals *totals,
                       struct gv_error *err)
{
    if (gv_builder_outside_branch(b, "the capture ends"))
        gv_builder_without_place(b, "the capture ends");
    gv_builder_close_window(b);
    // The last command counts also if it made no call.
    if (!b->failed && b->commands > b->sourced)
        put_source(b);
    const struct gv_requirement memory = { .kind = GV_REQUIRE_MEMORY,
                                           .value = b->slots.most_live_bytes };
    if (!b->failed && memory.value && !gv_requirements_add(&b->requirements, &memory))
        gv_builder_no_memory(b);
    for (size_t i = 0; !b->failed && i < b->diagnostics.count; i++)
        gv_writer_diagnostic(b->params.writer, &b->diagnostics.list[i]);
    if (!b->failed)
        write_tables(b);
    if (totals)
        *totals = (struct gv_builder_totals){
            .commands = b->commands,
            .frames = b->frames,
            .instructions = b->code.instructions,
            .resources = b->resource_count,
            .resource_bytes = b->resource_bytes,
            .unsupported = b->diagnostics.unsupported,
        };
    return !gv_builder_failed(b, err);
}
