#include "runtime/vk/handles.h"

#include "resources/base/checked.h"

#include <stdlib.h>
#include <string.h>

#define NO_SLOT UINT32_MAX

struct gv_handle_slot {
    void *object;
    uint32_t generation; // of the live handle, or of the next one
    uint32_t next_free;  // while free
    enum gv_kind kind;   // GV_KIND_NONE while free
};

// A handle is kind (8 bits), generation (24), index + 1 (32).
#define GENERATION_MASK 0xffffffu

static uint64_t pack(enum gv_kind kind, uint32_t generation, uint32_t index)
{
    return (uint64_t)kind << 56 | (uint64_t)(generation & GENERATION_MASK) << 32 |
           ((uint64_t)index + 1);
}

void gv_handles_finish(struct gv_handles *handles)
{
    free(handles->slots);
    *handles = (struct gv_handles){ 0 };
}

static bool grow(struct gv_handles *handles)
{
    uint32_t capacity = handles->capacity ? handles->capacity * 2 : 256;
    struct gv_handle_slot *slots =
        realloc(handles->slots, capacity * sizeof(*handles->slots));
    if (!slots)
        return false;
    handles->slots = slots;
    handles->capacity = capacity;
    return true;
}

uint64_t gv_handles_add(struct gv_handles *handles, enum gv_kind kind, void *object,
                        struct gv_error *err)
{
    uint32_t index;
    if (handles->live >= GV_MAX_OBJECTS) {
        gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %u live objects",
                GV_MAX_OBJECTS);
        return 0;
    }
    if (handles->most && handles->live >= handles->most) {
        gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                "more live objects than the %u that are declared", handles->most);
        return 0;
    }
    if (handles->free_head) { // index + 1; 0 = none
        index = handles->free_head - 1;
        handles->free_head = handles->slots[index].next_free;
    } else {
        if (handles->count == handles->capacity && !grow(handles)) {
            gv_fail(err, GV_ERR_MEMORY, GV_NO_OFFSET, "out of memory for handles");
            return 0;
        }
        index = handles->count++;
        handles->slots[index].generation = 0;
    }
    struct gv_handle_slot *slot = &handles->slots[index];
    slot->object = object;
    slot->kind = kind;
    handles->live++;
    return pack(kind, slot->generation, index);
}

static struct gv_handle_slot *slot_of(const struct gv_handles *handles,
                                      enum gv_kind kind, uint64_t handle)
{
    uint64_t index = (handle & UINT32_MAX) - 1; // of 0: too large
    if (kind == GV_KIND_NONE || index >= handles->count)
        return NULL;
    struct gv_handle_slot *slot = &handles->slots[index];
    if (slot->kind != kind || handle != pack(kind, slot->generation, (uint32_t)index))
        return NULL;
    return slot;
}

void *gv_handles_get(const struct gv_handles *handles, enum gv_kind kind,
                     uint64_t handle)
{
    const struct gv_handle_slot *slot = slot_of(handles, kind, handle);
    return slot ? slot->object : NULL;
}

static const char *const kind_names[GV_KIND_COUNT] = {
    [GV_KIND_NONE] = "nothing",  [GV_KIND_BUFFER] = "buffer",
    [GV_KIND_IMAGE] = "image",   [GV_KIND_SAMPLER] = "sampler",
    [GV_KIND_SHADER] = "shader", [GV_KIND_PIPELINE] = "pipeline",
    [GV_KIND_QUERY] = "query",   [GV_KIND_MAP] = "map",
};

void *gv_handles_find(const struct gv_handles *handles, enum gv_kind kind,
                      uint64_t handle, const char *argument, struct gv_error *err)
{
    void *object = gv_handles_get(handles, kind, handle);
    if (!object)
        gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s: no live %s has this handle",
                argument, kind_names[kind]);
    return object;
}

void *gv_handles_remove(struct gv_handles *handles, enum gv_kind kind, uint64_t handle)
{
    struct gv_handle_slot *slot = slot_of(handles, kind, handle);
    if (!slot)
        return NULL;
    void *object = slot->object;
    slot->object = NULL;
    slot->kind = GV_KIND_NONE;
    slot->generation++;
    slot->next_free = handles->free_head;
    handles->free_head = (uint32_t)(slot - handles->slots) + 1;
    handles->live--;
    return object;
}

void *gv_handles_next(const struct gv_handles *handles, uint32_t *index,
                      enum gv_kind *kind, uint64_t *handle)
{
    while (*index < handles->count) {
        uint32_t at = (*index)++;
        const struct gv_handle_slot *slot = &handles->slots[at];
        if (slot->kind == GV_KIND_NONE)
            continue;
        *kind = slot->kind;
        *handle = pack(slot->kind, slot->generation, at);
        return slot->object;
    }
    return NULL;
}
