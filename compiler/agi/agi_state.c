#include "compiler/agi/agi_state.h"

#include "compiler/agi/agi_contents.h"

#include <string.h>

static const struct row {
    const char *type, *map;
    enum gv_vk_function function;
    enum gv_vk_type handle;
} rows[] = {
#define GV_AGI_OBJECT(type, map, function, handle) \
    { "vulkan." #type, #map, GV_VK_##function, GV_VK_TYPE_##handle },
#include "compiler/agi/agi_state.def"
};

static const struct row *row_of(const struct gv_agi_type *type)
{
    for (size_t i = 0; type && i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].type, type->name))
            return &rows[i];
    return NULL;
}

// Images of swapchains come from these.
static bool is_given(const struct gv_agi_message *object)
{
    return gv_agi_number(object, "IsSwapchainImage") != 0;
}

// What the model has elsewhere than in the object that is made.
static bool complete(struct gv_agi_model *m, const struct row *row,
                     const struct gv_agi_message *object, void *args)
{
    struct gv_vk_args_vkAllocateDescriptorSets *sets = args;
    struct gv_vk_args_vkAllocateCommandBuffers *commands = args;
    if (row->function == GV_VK_vkAllocateCommandBuffers)
        ((VkCommandBufferAllocateInfo *)commands->pAllocateInfo)->commandBufferCount =
            1;
    if (row->function != GV_VK_vkAllocateDescriptorSets)
        return true;
    VkDescriptorSetAllocateInfo *info =
        (VkDescriptorSetAllocateInfo *)sets->pAllocateInfo;
    VkDescriptorSetLayout *layout = gv_arena_alloc(m->arena, sizeof(uint64_t));
    uint64_t id;
    if (!layout)
        return gv_agi_model_no_memory(m);
    if (!gv_agi_referred_id(m, object, "Layout", GV_VK_TYPE_VkDescriptorSetLayout, &id))
        return false;
    memcpy(layout, &id, sizeof id);
    info->descriptorSetCount = 1;
    info->pSetLayouts = layout;
    return true;
}

static bool make(struct gv_agi_model *m, struct gv_agi_reference *reference)
{
    struct gv_agi_restored *r = m->context;
    const struct gv_agi_message *object = &reference->value;
    const struct row *row = row_of(object->type);
    const uint64_t id = gv_agi_handle_none(&gv_agi_world_of(m->capture)->handles);
    if (!row || is_given(object)) {
        reference->id = id;
        return true;
    }
    void *args = gv_agi_fill_call(m, row->function, object, id);
    if (!args || !complete(m, row, object, args) ||
        !gv_agi_call(r, row->function, args))
        return false;
    reference->id = id;
    return gv_agi_fill_contents(r, row->handle, object, id);
}

// Objects of one map, each under its handle.
static bool restore_map(struct gv_agi_restored *r, const struct gv_agi_message *state,
                        const struct row *row)
{
    const struct gv_agi_entry *entries;
    uint64_t count, id;
    struct gv_agi_handles *handles = &gv_agi_world_of(r->model.capture)->handles;
    if (!gv_agi_entries(&r->model, state, row->map, &entries, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!gv_agi_reference_id(&r->model, entries[i].reference, &id))
            return false;
        if (id && !gv_agi_handle_give(handles, row->handle, entries[i].key, id))
            return gv_agi_model_no_memory(&r->model);
    }
    return true;
}

static bool record_all(struct gv_agi_restored *r, const struct gv_agi_message *state)
{
    const struct gv_agi_entry *entries;
    uint64_t count, id;
    if (!gv_agi_entries(&r->model, state, "CommandBuffers", &entries, &count))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!gv_agi_reference_id(&r->model, entries[i].reference, &id) ||
            !gv_agi_record_commands(r, &entries[i].value, id))
            return false;
    return true;
}

bool gv_agi_restore(struct gv_agi_capture *capture, struct gv_vulkan *vulkan,
                    struct gv_agi_mapped *mapped, const struct gv_agi_event *event,
                    struct gv_error *err)
{
    struct gv_agi_restored r = { .model = { .capture = capture,
                                            .arena = event->arena,
                                            .err = err,
                                            .place = event->place,
                                            .make = make,
                                            .limit = gv_agi_limit(capture) },
                                 .vulkan = vulkan,
                                 .mapped = mapped };
    r.model.context = &r;
    if (!event->state.type)
        return gv_fail(err, GV_ERR_FORMAT, event->place.offset,
                       "chunk %llu: a snapshot without its state",
                       (unsigned long long)event->place.block);
    if (!gv_agi_model_read(&r.model, &event->state))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!restore_map(&r, &event->state, &rows[i]))
            return false;
    return record_all(&r, &event->state);
}
