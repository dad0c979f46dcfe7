// The life of a running payload.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/cancel.h"
#include "resources/base/checked.h"
#include "vm/machine/interp_internal.h"

static uint8_t pass_of(enum gv_arg_kind kind)
{
    switch (kind) {
    case GV_ARG_U32:
    case GV_ARG_F32:
        return PASS_U32;
    case GV_ARG_I32:
        return PASS_I32;
    case GV_ARG_BOOL:
        return PASS_BOOL;
    case GV_ARG_BYTES:
        return PASS_BYTES;
    case GV_ARG_MAP:
        return PASS_MAP;
    case GV_ARG_U64:
    case GV_ARG_ENUM: // these five are known to the verifier
    case GV_ARG_FLAGS:
    case GV_ARG_FORMAT:
    case GV_ARG_FORMAT_OPT:
    case GV_ARG_SIZE:
    case GV_ARG_BUFFER:
    case GV_ARG_IMAGE:
    case GV_ARG_SAMPLER:
    case GV_ARG_SHADER:
    case GV_ARG_PIPELINE:
    case GV_ARG_QUERY:
    case GV_ARG_BUFFER_OPT:
    case GV_ARG_IMAGE_OPT:
    case GV_ARG_SAMPLER_OPT:
    case GV_ARG_SHADER_OPT:
        break;
    }
    return PASS_PLAIN;
}

static bool open_callees(struct gv_vm *vm, struct gv_error *err)
{
    const struct gv_payload *p = vm->payload;
    vm->callees = calloc(p->import_count + 1, sizeof *vm->callees);
    if (!vm->callees)
        return gv_out_of_memory(err);
    vm->import_count = p->import_count;
    for (size_t i = 0; i < p->import_count; i++) {
        struct callee *callee = &vm->callees[i];
        callee->info = &gv_call_infos[p->imports[i].call];
        callee->call = vm->host->calls[p->imports[i].call];
        if (!callee->call)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: %s",
                           callee->info->name);
        callee->arg_count = callee->info->arg_count;
        callee->result = callee->info->result;
        callee->frame_end = p->imports[i].call == GV_CALL_frame_end;
        for (size_t k = 0; k < callee->arg_count; k++)
            callee->pass[k] = pass_of(callee->info->args[k].kind);
    }
    return true;
}

static bool check_maps(const struct gv_vm *vm, struct gv_error *err)
{
    for (size_t i = vm->slot_count; i < vm->payload->slot_count; i++)
        if (vm->payload->slots[i].kind == GV_KIND_MAP && !vm->host->map_memory)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "unsupported: map_memory");
    return true;
}

// Code is translated a chunk at a time.
static uint64_t code_bytes(const struct gv_payload *p)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < p->chunk_count; i++)
        largest = p->chunks[i].size > largest ? p->chunks[i].size : largest;
    return gv_vm_translated_bytes(largest);
}

static bool check_memory(struct gv_vm *vm, struct gv_error *err)
{
    const struct gv_payload *p = vm->payload;
    uint64_t limit = vm->params.memory_limit, total = p->limits.volatile_bytes;
    vm->kept_most = gv_vm_kept_most(p);
    // Tables: their counts are bounded by the payload's size.
    uint64_t tables = (p->slot_count + p->limits.stack_cells) * sizeof(uint64_t) +
                      p->schedule_count * 3 * sizeof(uint32_t) +
                      p->group_count * (sizeof(struct gv_cache_item) + 128) +
                      code_bytes(p) + vm->kept_most;
    if (!gv_add_u64(total, tables, &total))
        total = UINT64_MAX;
    if ((limit && total > limit) || p->limits.volatile_bytes > SIZE_MAX - 1)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "running needs %" PRIu64 " bytes, over the limit of %" PRIu64,
                       total, limit);
    vm->cache_budget = gv_vm_cache_budget(vm, total);
    if (vm->claim < total + vm->cache_budget)
        vm->claim = total + vm->cache_budget;
    return true;
}

uint64_t gv_vm_memory(const struct gv_vm *vm)
{
    return vm->claim;
}

static bool open_state(struct gv_vm *vm, struct gv_error *err)
{
    vm->slots = calloc(vm->payload->slot_count + 1, sizeof *vm->slots);
    vm->stack = calloc((size_t)vm->payload->limits.stack_cells + 1, sizeof *vm->stack);
    if (!vm->slots || !vm->stack)
        return gv_out_of_memory(err);
    vm->slot_count = vm->payload->slot_count;
    vm->stack_cells = vm->payload->limits.stack_cells;
    vm->sp = vm->stack;
    vm->frame = (uint32_t)vm->payload->first_frame;
    return true;
}

struct gv_vm *gv_vm_create(const struct gv_vm_params *params, struct gv_error *err)
{
    struct gv_vm *vm = calloc(1, sizeof *vm);
    if (!vm) {
        gv_out_of_memory(err);
        return NULL;
    }
    vm->params = *params;
    vm->payload = params->payload;
    vm->host = params->host;
    vm->chunk_end =
        params->kept ? params->kept->chunk_count : params->payload->chunk_count;
    if (check_memory(vm, err) && open_callees(vm, err) && check_maps(vm, err) &&
        open_state(vm, err) && gv_vm_open_cache(vm, err))
        return vm;
    gv_vm_destroy(vm);
    return NULL;
}

void gv_vm_destroy(struct gv_vm *vm)
{
    if (!vm)
        return;
    gv_cache_destroy(vm->cache);
    if (vm->sources)
        gv_source_destroy(vm->sources[0]);
    free(vm->sources);
    free(vm->items);
    free(vm->uses);
    free(vm->frame_cursor);
    gv_vm_drop_kept(vm);
    free(vm->words);
    free(vm->memory);
    free(vm->stack);
    free(vm->slots);
    free(vm->callees);
    free(vm);
}

// Volatile memory is untouched zero pages until the program writes to it.
static bool open_memory(struct gv_vm *vm, struct gv_error *err)
{
    if (vm->memory)
        return true;
    vm->memory_bytes = vm->payload->limits.volatile_bytes;
    vm->memory = calloc(1, (size_t)vm->memory_bytes + 1);
    return vm->memory || gv_out_of_memory(err);
}

// ---- going on with a stream ----

static bool more_slots(struct gv_vm *vm, struct gv_error *err)
{
    size_t count = vm->payload->slot_count;
    if (count == vm->slot_count)
        return true;
    uint64_t *slots = realloc(vm->slots, (count + 1) * sizeof *slots);
    if (!slots)
        return gv_out_of_memory(err);
    for (size_t i = vm->slot_count; i < count; i++)
        slots[i] = 0;
    vm->slots = slots;
    vm->slot_count = count;
    return true;
}

// Between chunks it is empty.
static bool more_stack(struct gv_vm *vm, struct gv_error *err)
{
    size_t cells = vm->payload->limits.stack_cells;
    if (cells == vm->stack_cells)
        return true;
    uint64_t *stack = realloc(vm->stack, (cells + 1) * sizeof *stack);
    if (!stack)
        return gv_out_of_memory(err);
    vm->stack = vm->sp = stack;
    vm->stack_cells = cells;
    return true;
}

// Between chunks nothing points there.
static bool more_memory(struct gv_vm *vm, struct gv_error *err)
{
    uint64_t bytes = vm->payload->limits.volatile_bytes;
    if (!vm->memory || bytes == vm->memory_bytes)
        return true;
    uint8_t *memory = realloc(vm->memory, (size_t)bytes + 1);
    if (!memory)
        return gv_out_of_memory(err);
    memset(memory + vm->memory_bytes, 0, (size_t)(bytes - vm->memory_bytes) + 1);
    vm->memory = memory;
    vm->memory_bytes = bytes;
    return true;
}

static bool more_callees(struct gv_vm *vm, struct gv_error *err)
{
    if (vm->import_count == vm->payload->import_count)
        return true;
    free(vm->callees);
    return open_callees(vm, err);
}

bool gv_vm_go_on(struct gv_vm *vm, struct gv_error *err)
{
    vm->chunk = 0;
    vm->chunk_end = vm->payload->chunk_count;
    gv_vm_drop_kept(vm);
    return check_memory(vm, err) && more_callees(vm, err) && check_maps(vm, err) &&
           more_slots(vm, err) && more_stack(vm, err) && more_memory(vm, err) &&
           gv_vm_extend_cache(vm, err);
}

static void resume(struct gv_vm *vm)
{
    if (vm->ended_frame)
        vm->frame++;
    vm->ended_frame = false;
}

// The schedule is exact from here on, whatever loops and skips did to it before.
static void align_schedule(struct gv_vm *vm)
{
    const struct gv_payload *p = vm->payload;
    if (p->streamed || vm->frame >= p->frame_count ||
        p->frames[vm->frame].chunk_begin != vm->chunk)
        return;
    gv_cache_seek(vm->cache,
                  (size_t)(vm->frame_cursor ? vm->frame_cursor[vm->frame]
                                            : p->frames[vm->frame].schedule));
}

// The last command has no successor that would show it complete, and commands after it
// may have left no code.
static bool last_stop_due(struct gv_vm *vm)
{
    if (vm->next_stop >= vm->params.stop_command_count)
        return false;
    vm->next_stop++;
    return true;
}

static bool run(struct gv_vm *vm, enum gv_stop *stop, struct gv_error *err)
{
    bool stopped = false;
    while (vm->ip || vm->chunk < vm->chunk_end) {
        if (gv_is_cancelled(vm->params.cancel))
            return gv_fail_cancelled(err);
        if (!vm->ip) {
            align_schedule(vm);
            if (!gv_vm_translate(vm, err))
                return false;
        }
        if (!gv_vm_dispatch(vm, &stopped, stop, err))
            return false;
        if (stopped)
            return true;
    }
    *stop = last_stop_due(vm) ? GV_STOP_COMMAND : GV_STOP_END;
    return true;
}

bool gv_vm_run(struct gv_vm *vm, enum gv_stop *stop, struct gv_error *err)
{
    if (vm->failed)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "the run has already failed");
    resume(vm);
    if (!open_memory(vm, err) || !run(vm, stop, err))
        vm->failed = true;
    return !vm->failed;
}

void gv_vm_stop_at(struct gv_vm *vm, uint64_t command)
{
    vm->stop_command = command;
    vm->params.stop_commands = &vm->stop_command;
    vm->params.stop_command_count = 1;
    vm->next_stop = 0;
}

uint32_t gv_vm_frame(const struct gv_vm *vm)
{
    return vm->frame;
}

uint64_t gv_vm_command(const struct gv_vm *vm)
{
    return vm->command;
}

void gv_vm_restart(struct gv_vm *vm)
{
    if (vm->kept) {
        memset(vm->memory, 0, (size_t)vm->memory_bytes); // kept code points there
    } else {
        free(vm->memory);
        vm->memory = NULL; // a zeroed one comes with the next run
    }
    vm->again = true;
    for (size_t i = 0; i < vm->payload->slot_count; i++)
        vm->slots[i] = 0;
    vm->ip = NULL;
    vm->sp = vm->stack;
    vm->chunk = vm->loop_depth = vm->next_stop = 0;
    vm->command = 0;
    vm->frame = (uint32_t)vm->payload->first_frame;
    vm->announced = vm->ended_frame = vm->failed = false;
    gv_cache_seek(vm->cache, 0);
}

bool gv_vm_enter(struct gv_vm *vm, struct gv_payload *payload,
                 const struct gv_kept *kept, struct gv_error *err)
{
    gv_vm_drop_kept(vm);
    vm->kept_most = gv_vm_kept_most(payload);
    vm->payload = payload;
    vm->params.kept = kept;
    vm->chunk_end = kept ? kept->chunk_count : payload->chunk_count;
    vm->sp = vm->stack;
    if (!more_stack(vm, err) || !gv_vm_renew_cache(vm, err))
        return false;
    gv_vm_restart(vm);
    vm->again = false;
    return true;
}

uint64_t gv_vm_slot(const struct gv_vm *vm, uint32_t slot)
{
    return vm->slots[slot];
}

const uint8_t *gv_vm_volatile(const struct gv_vm *vm)
{
    return vm->memory;
}

void gv_vm_get_stats(const struct gv_vm *vm, struct gv_vm_stats *stats)
{
    struct gv_cache_counters c;
    gv_cache_get_counters(vm->cache, &c);
    *stats = vm->stats;
    stats->fetched_items = c.items;
    stats->fetched_bytes = c.bytes;
    stats->cache_hits = c.hits;
    stats->requests = c.requests;
    stats->kept_items = c.kept;
    stats->stalls = c.stalls;
    stats->stall_ns = c.stall_ns;
}
