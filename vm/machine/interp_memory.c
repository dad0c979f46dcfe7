// Where addresses lead: constants, volatile memory, maps, and resources through a
// cache.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/checked.h"
#include "vm/machine/interp_internal.h"
#include "vm/machine/progress.h"

// Enough to keep the neighbourhood of a frame; more only where one group is larger, and
// less where that is a large part of all memory, or all there is to fetch.
#define CACHE_BYTES (UINT64_C(256) << 20)
#define PART_OF_MEMORY 8

uint64_t gv_vm_cache_budget(const struct gv_vm *vm, uint64_t used)
{
    const struct gv_payload *p = vm->payload;
    uint64_t limit = vm->params.memory_limit, budget = CACHE_BYTES;
    // Of a stream nobody knows how much there is, and old groups have been looked at.
    uint64_t largest = vm->cache_budget, all = p->streamed ? UINT64_MAX : 0;
    for (size_t i = vm->item_count; i < p->group_count; i++) {
        uint64_t size = p->groups[i].raw_size;
        largest = size > largest ? size : largest;
        if (!gv_add_u64(all, size, &all))
            all = UINT64_MAX;
    }
    if (limit && budget > limit / PART_OF_MEMORY)
        budget = limit / PART_OF_MEMORY;
    if (vm->params.cache_limit)
        budget = vm->params.cache_limit;
    budget = budget < all ? budget : all;
    budget = budget > largest ? budget : largest;
    uint64_t left = limit > used ? limit - used : 0; // create has checked the sum
    return !limit || budget < left ? budget : left;
}

// The payload's own, in place of the one of another view.
static bool renew_own_source(struct gv_vm *vm, struct gv_error *err)
{
    gv_source_destroy(vm->sources[0]);
    vm->sources[0] = gv_payload_open_source(vm->payload, err);
    return vm->sources[0] != NULL;
}

static bool collect_sources(struct gv_vm *vm, struct gv_error *err)
{
    size_t count = vm->params.source_count;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    vm->sources = calloc(count + 1, sizeof *vm->sources);
    if (!vm->sources)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        vm->sources[i + 1] = vm->params.sources[i];
    return renew_own_source(vm, err);
}

// How far the schedule is that of frames that may be fetched ahead. Of a stream it is
// that of the code at hand, whose first frame is the one that comes next.
static size_t uses_ahead(const struct gv_vm *vm)
{
    const struct gv_payload *p = vm->payload;
    const uint64_t done = p->streamed ? vm->frame + (uint64_t)vm->ended_frame : 0;
    const uint64_t frames =
        vm->params.frames_ahead > done ? vm->params.frames_ahead - done : 0;
    return frames < p->frame_count ? (size_t)(p->frames[frames].schedule - p->uses_run)
                                   : p->schedule_count;
}

// The groups that are used, in order.
static bool collect_uses(struct gv_vm *vm, size_t *count, struct gv_error *err)
{
    const struct gv_payload *p = vm->payload;
    struct gv_kept_uses kept = { 0 };
    if (vm->params.kept &&
        !gv_kept_uses_make(vm->params.kept, vm->payload, &kept, err)) {
        gv_kept_uses_finish(&kept);
        return false;
    }
    const uint32_t *schedule = vm->params.kept ? kept.resources : p->schedule;
    *count = vm->params.kept ? kept.count : p->schedule_count;
    free(vm->frame_cursor);
    vm->frame_cursor = kept.frame_cursor;
    kept.frame_cursor = NULL;
    vm->uses = calloc(*count + 1, sizeof *vm->uses);
    for (size_t i = 0; vm->uses && i < *count; i++)
        vm->uses[i] = p->resources[schedule[i]].group;
    gv_kept_uses_finish(&kept);
    return vm->uses || gv_out_of_memory(err);
}

// The old array becomes `*old`, for the caller to free: who fetches ahead reads it.
static bool more_items(struct gv_vm *vm, struct gv_cache_item **old,
                       struct gv_error *err)
{
    const struct gv_payload *p = vm->payload;
    *old = NULL;
    if (!vm->items || p->group_count > vm->item_capacity) {
        const size_t more = p->streamed ? p->group_count / 4 : 0; // for what is to come
        const size_t capacity = p->group_count + more + 1;
        struct gv_cache_item *items = malloc(capacity * sizeof *items);
        if (!items)
            return gv_out_of_memory(err);
        if (vm->item_count)
            memcpy(items, vm->items, vm->item_count * sizeof *items);
        *old = vm->items;
        vm->items = items;
        vm->item_capacity = capacity;
    }
    for (; vm->item_count < p->group_count; vm->item_count++) {
        const struct gv_group *g = &p->groups[vm->item_count];
        vm->items[vm->item_count] = (struct gv_cache_item){ g->hash, g->raw_size };
    }
    return true;
}

bool gv_vm_extend_cache(struct gv_vm *vm, struct gv_error *err)
{
    uint32_t *old = vm->uses;
    struct gv_cache_item *old_items = NULL;
    size_t use_count = 0;
    bool ok =
        collect_uses(vm, &use_count, err) && more_items(vm, &old_items, err) &&
        gv_cache_extend(vm->cache,
                        &(struct gv_cache_params){
                            .items = vm->items,
                            .item_count = vm->payload->group_count,
                            .uses = vm->uses,
                            .use_count = use_count,
                            .budget = vm->cache_budget,
                            .ahead_uses = vm->params.kept ? use_count : uses_ahead(vm),
                        },
                        err);
    if (!ok && vm->uses != old) { // the cache still goes by the old ones
        free(vm->uses);
        vm->uses = old;
    } else if (ok) {
        free(old);
    }
    if (!ok && old_items) {
        free(vm->items);
        vm->items = old_items;
    } else {
        free(old_items);
    }
    return ok;
}

static void on_waited(void *context)
{
    gv_progress_alive(context);
}

static bool fetches_ahead(const struct gv_vm *vm)
{
    const struct gv_payload *p = vm->payload;
    return (p->thin || p->remote) && vm->params.frames_ahead;
}

bool gv_vm_open_cache(struct gv_vm *vm, struct gv_error *err)
{
    const struct gv_payload *p = vm->payload;
    struct gv_cache_item *none = NULL;
    size_t use_count = 0;
    if (!more_items(vm, &none, err) || !collect_uses(vm, &use_count, err) ||
        !collect_sources(vm, err))
        return false;
    const struct gv_vm_params *params = &vm->params;
    struct gv_cache_params cache = {
        .items = vm->items,
        .item_count = p->group_count,
        .uses = vm->uses,
        .use_count = use_count,
        .sources = vm->sources,
        .source_count = params->source_count + 1,
        .budget = vm->cache_budget,
        .ahead = fetches_ahead(vm),
        .ahead_uses = params->kept ? use_count : uses_ahead(vm),
        .once = params->once,
        .waited = params->progress ? on_waited : NULL,
        .waited_context = params->progress,
    };
    if (cache.ahead) { // a thin payload has none itself
        cache.sources++;
        cache.source_count--;
    }
    vm->cache = gv_cache_create(&cache, err);
    return vm->cache != NULL;
}

bool gv_vm_renew_cache(struct gv_vm *vm, struct gv_error *err)
{
    if (!fetches_ahead(vm)) // what has been fetched stays
        return renew_own_source(vm, err) && gv_vm_extend_cache(vm, err);
    gv_cache_destroy(vm->cache);
    gv_source_destroy(vm->sources[0]);
    free(vm->sources);
    free(vm->uses);
    vm->cache = NULL;
    vm->sources = NULL;
    vm->uses = NULL;
    return gv_vm_open_cache(vm, err);
}

const uint8_t *gv_vm_resource(struct gv_vm *vm, uint32_t resource, struct gv_error *err)
{
    const struct gv_resource *r = &vm->payload->resources[resource];
    const uint8_t *group = gv_cache_use(vm->cache, r->group, err);
    return group ? group + r->offset : NULL;
}

const uint8_t *gv_vm_resource_bytes(struct gv_vm *vm, uint32_t resource,
                                    struct gv_error *err)
{
    gv_cache_release(vm->cache);
    return gv_vm_resource(vm, resource, err);
}

static uint8_t *mapped(struct gv_vm *vm, uint32_t slot, struct gv_error *err)
{
    const uint64_t wanted = vm->payload->slots[slot].map_size;
    uint64_t size = 0;
    uint8_t *base = vm->host->map_memory(vm->host->context, vm->slots[slot], &size);
    if (base && size >= wanted)
        return base; // cppcheck-suppress returnDanglingLifetime; it is the host's
    gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
            "map-live: slot %" PRIu32 " holds no open map of %" PRIu64 " bytes", slot,
            wanted);
    return NULL;
}

uint8_t *gv_vm_write(struct gv_vm *vm, uint64_t cell, struct gv_error *err)
{
    if (CELL_SPACE(cell) == SPACE_VOLATILE)
        return vm->memory + CELL_OFFSET(cell);
    uint8_t *base = mapped(vm, CELL_INDEX(cell), err);
    return base ? base + CELL_OFFSET(cell) : NULL;
}

const uint8_t *gv_vm_read(struct gv_vm *vm, uint64_t cell, struct gv_error *err)
{
    static const uint8_t nothing[1]; // where there are no constants: NULL is a failure
    switch (CELL_SPACE(cell)) {
    case SPACE_CONST:
        return vm->payload->constants ? vm->payload->constants + CELL_OFFSET(cell)
                                      : nothing;
    case SPACE_RESOURCE: {
        const uint8_t *base = gv_vm_resource(vm, CELL_INDEX(cell), err);
        return base ? base + CELL_OFFSET(cell) : NULL;
    }
    case SPACE_VOLATILE:
    case SPACE_MAPPED:
        break;
    }
    return gv_vm_write(vm, cell, err);
}
