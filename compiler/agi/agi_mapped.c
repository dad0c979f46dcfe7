#include "compiler/agi/agi_mapped.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MAPPINGS 65536u

void gv_agi_mapped_finish(struct gv_agi_mapped *m)
{
    free(m->list);
    *m = (struct gv_agi_mapped){ 0 };
}

// The first mapping that ends behind an address.
static size_t find(const struct gv_agi_mapped *m, uint64_t address)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (m->list[middle].address + m->list[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void take_away(struct gv_agi_mapped *m, size_t first, size_t end)
{
    memmove(&m->list[first], &m->list[end], (m->count - end) * sizeof *m->list);
    m->count -= end - first;
}

bool gv_agi_mapped_add(struct gv_agi_mapped *m, const struct gv_agi_mapping *mapping,
                       struct gv_error *err)
{
    const uint64_t end = mapping->address + mapping->size;
    if (!mapping->address || !mapping->size || end < mapping->address)
        return true; // nothing is observed there
    const size_t at = find(m, mapping->address);
    size_t last = at;
    while (last < m->count && m->list[last].address < end)
        last++;
    if (last > at) // they were unmapped, and nobody said so
        take_away(m, at, last);
    if (m->count >= MOST_MAPPINGS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %u mappings",
                       MOST_MAPPINGS);
    if (m->count == m->capacity) {
        const size_t capacity = m->capacity ? 2 * m->capacity : 16;
        struct gv_agi_mapping *more = realloc(m->list, capacity * sizeof *more);
        if (!more)
            return gv_out_of_memory(err);
        m->list = more;
        m->capacity = capacity;
    }
    memmove(&m->list[at + 1], &m->list[at], (m->count - at) * sizeof *m->list);
    m->list[at] = *mapping;
    m->count++;
    return true;
}

static void unmap(struct gv_agi_mapped *m, uint64_t memory)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->list[i].memory == memory) {
            take_away(m, i, i + 1);
            return;
        }
}

bool gv_agi_mapped_call(struct gv_agi_mapped *m, const struct gv_vulkan *vulkan,
                        const struct gv_vk_call *call, struct gv_error *err)
{
    const struct gv_vk_args_vkMapMemory *map = GV_VK_ARGS(vkMapMemory, call);
    switch ((int)call->function) {
    case GV_VK_vkMapMemory:
        if (call->result < 0)
            return true;
        unmap(m, GV_VK_ID(map->memory));
        return gv_agi_mapped_add(
            m,
            &(struct gv_agi_mapping){
                .address = GV_VK_ID(*map->ppData),
                .size = gv_vulkan_mapped_bytes(vulkan, GV_VK_ID(map->memory)),
                .memory = GV_VK_ID(map->memory) },
            err);
    case GV_VK_vkUnmapMemory:
        unmap(m, GV_VK_ID(GV_VK_ARGS(vkUnmapMemory, call)->memory));
        return true;
    case GV_VK_vkFreeMemory:
        unmap(m, GV_VK_ID(GV_VK_ARGS(vkFreeMemory, call)->memory));
        return true;
    default:
        return true;
    }
}

static bool fill(const struct gv_agi_mapping *mapping, struct gv_vulkan *vulkan,
                 const struct gv_agi_observation *o, const struct gv_vk_place *place,
                 struct gv_error *err)
{
    const uint64_t begin =
        o->address > mapping->address ? o->address : mapping->address;
    const uint64_t o_end = o->address + o->size,
                   m_end = mapping->address + mapping->size;
    const uint64_t end = o_end < m_end ? o_end : m_end;
    return gv_vulkan_fill(
        vulkan,
        &(struct gv_vulkan_fill){
            .memory = mapping->memory,
            .offset = begin - mapping->address,
            .bytes = { o->bytes + (begin - o->address), (size_t)(end - begin) },
            .place = *place },
        err);
}

bool gv_agi_mapped_fill(const struct gv_agi_mapped *m, struct gv_vulkan *vulkan,
                        const struct gv_agi_event *event, struct gv_error *err)
{
    // A number of its own, between those of the commands.
    struct gv_vk_place place = event->place;
    place.block--;
    for (const struct gv_agi_observation *o = event->observations; o; o = o->next) {
        if (o->written || o->pool || !o->size)
            continue;
        for (size_t i = find(m, o->address);
             i < m->count && m->list[i].address < o->address + o->size; i++)
            if (!fill(&m->list[i], vulkan, o, &place, err))
                return false;
    }
    return true;
}
