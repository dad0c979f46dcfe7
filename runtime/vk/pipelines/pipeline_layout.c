#include "runtime/vk/pipelines/pipeline_layout.h"

#include "runtime/spirv/spirv_rewrite.h"
#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/device_memory.h"

#include <stdlib.h>
#include <string.h>

#define COST 4096 // of a layout (object_costs.h)

// ---- device limits ----

// Limits on descriptors are counted by what they are, in a stage and in all stages.
enum resource {
    SAMPLERS,
    UNIFORM_BUFFERS,
    STORAGE_BUFFERS,
    SAMPLED_IMAGES,
    STORAGE_IMAGES,
    RESOURCE_KINDS,
};

static void count_row(const struct gv_binding_desc *b, uint64_t n[RESOURCE_KINDS])
{
    switch (b->type) {
    case GV_BINDING_SAMPLER:
        n[SAMPLERS] += b->count;
        break;
    case GV_BINDING_COMBINED_IMAGE_SAMPLER:
        n[SAMPLERS] += b->count;
        n[SAMPLED_IMAGES] += b->count;
        break;
    case GV_BINDING_SAMPLED_IMAGE:
    case GV_BINDING_UNIFORM_TEXEL_BUFFER:
        n[SAMPLED_IMAGES] += b->count;
        break;
    case GV_BINDING_STORAGE_IMAGE:
    case GV_BINDING_STORAGE_TEXEL_BUFFER:
        n[STORAGE_IMAGES] += b->count;
        break;
    case GV_BINDING_UNIFORM_BUFFER:
    case GV_BINDING_UNIFORM_BUFFER_DYNAMIC:
        n[UNIFORM_BUFFERS] += b->count;
        break;
    case GV_BINDING_STORAGE_BUFFER:
        n[STORAGE_BUFFERS] += b->count;
        break;
    default:
        break;
    }
}

static bool check_counts(const uint64_t n[RESOURCE_KINDS],
                         const uint32_t limits[RESOURCE_KINDS], const char *where,
                         struct gv_error *err)
{
    static const char *const names[RESOURCE_KINDS] = {
        "samplers",       "uniform buffers", "storage buffers",
        "sampled images", "storage images",
    };
    for (int i = 0; i < RESOURCE_KINDS; i++)
        if (n[i] > limits[i])
            return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                           "%llu %s in %s, the device allows %u",
                           (unsigned long long)n[i], names[i], where, limits[i]);
    return true;
}

static bool check_limits(const VkPhysicalDeviceLimits *l,
                         const struct gv_interface_desc *desc, struct gv_error *err)
{
    const uint32_t stage_limits[RESOURCE_KINDS] = {
        l->maxPerStageDescriptorSamplers,       l->maxPerStageDescriptorUniformBuffers,
        l->maxPerStageDescriptorStorageBuffers, l->maxPerStageDescriptorSampledImages,
        l->maxPerStageDescriptorStorageImages,
    };
    const uint32_t all_limits[RESOURCE_KINDS] = {
        l->maxDescriptorSetSamplers,       l->maxDescriptorSetUniformBuffers,
        l->maxDescriptorSetStorageBuffers, l->maxDescriptorSetSampledImages,
        l->maxDescriptorSetStorageImages,
    };
    uint64_t all[RESOURCE_KINDS] = { 0 };
    for (uint32_t i = 0; i < desc->binding_count; i++)
        count_row(&desc->bindings[i], all);
    if (!check_counts(all, all_limits, "a pipeline", err))
        return false;
    for (uint32_t stage = GV_STAGE_VERTEX; stage <= GV_STAGE_COMPUTE; stage <<= 1) {
        uint64_t n[RESOURCE_KINDS] = { 0 }, total = 0;
        for (uint32_t i = 0; i < desc->binding_count; i++)
            if (desc->bindings[i].stages & stage)
                count_row(&desc->bindings[i], n);
        if (!check_counts(n, stage_limits, "a stage", err))
            return false;
        for (int i = 0; i < RESOURCE_KINDS; i++)
            total += i == SAMPLERS ? 0 : n[i];
        if (total > l->maxPerStageResources)
            return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET,
                           "%llu resources in a stage, the device allows %u",
                           (unsigned long long)total, l->maxPerStageResources);
    }
    return true;
}

// ---- set layouts ----

static VkShaderStageFlags vk_stages(uint32_t stages)
{
    return (VkShaderStageFlags)stages; // equal bits; spirv_match knows all of them
}

static VkDescriptorType vk_type(const struct gv_vk_row *row)
{
    if (row->type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC && !row->dynamic)
        return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    return (VkDescriptorType)row->type;
}

static bool same_rows(const struct gv_vk_set_layout *set, const struct gv_vk_row *rows,
                      uint32_t count)
{
    if (set->row_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct gv_vk_row *a = &set->rows[i], *b = &rows[i];
        if (a->binding != b->binding || a->type != b->type || a->count != b->count ||
            a->stages != b->stages || a->dynamic != b->dynamic)
            return false;
    }
    return true;
}

static bool make_set(const struct gv_vk_device *device, struct gv_vk_set_layout *set,
                     struct gv_error *err)
{
    VkDescriptorSetLayoutBinding bindings[GV_MAX_BINDINGS];
    for (uint32_t i = 0; i < set->row_count; i++) {
        const struct gv_vk_row *row = &set->rows[i];
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = row->binding,
            .descriptorType = vk_type(row),
            .descriptorCount = row->count,
            .stageFlags = vk_stages(row->stages),
        };
        set->descriptor_count += row->count;
        set->bytes_count += row->type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC;
    }
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = set->row_count,
        .pBindings = bindings,
    };
    return gv_vk_ok(
        vkCreateDescriptorSetLayout(device->handle, &info, NULL, &set->handle),
        "vkCreateDescriptorSetLayout", err);
}

static struct gv_vk_set_layout *get_set(struct gv_vk_heaps *heaps,
                                        struct gv_vk_layouts *layouts,
                                        const struct gv_vk_row *rows, uint32_t count,
                                        struct gv_error *err)
{
    struct gv_vk_set_layout *set = layouts->sets;
    while (set && !same_rows(set, rows, count))
        set = set->next;
    if (set)
        return set;
    if (!gv_vk_heaps_charge(heaps, COST + count * GV_VK_DESCRIPTOR_COST, err))
        return NULL;
    set = calloc(1, sizeof *set);
    if (set)
        set->rows = malloc(count ? count * sizeof *rows : 1);
    if (!set || !set->rows) {
        free(set);
        gv_out_of_memory(err);
        return NULL;
    }
    if (count)
        memcpy(set->rows, rows, count * sizeof *rows);
    set->row_count = count;
    set->id = ++heaps->next_id;
    if (!make_set(heaps->device, set, err)) {
        free(set->rows);
        free(set);
        return NULL;
    }
    set->next = layouts->sets;
    layouts->sets = set;
    return set;
}

const struct gv_vk_needs *gv_vk_needs_get(struct gv_vk_set_layout *layout,
                                          const struct gv_vk_need *rows,
                                          struct gv_error *err)
{
    size_t size = layout->row_count * sizeof *rows;
    struct gv_vk_needs *needs = layout->needs;
    while (needs && memcmp(needs->rows, rows, size) != 0)
        needs = needs->next;
    if (needs)
        return needs;
    needs = malloc(sizeof *needs + size);
    if (!needs) {
        gv_out_of_memory(err);
        return NULL;
    }
    memcpy(needs->rows, rows, size);
    needs->next = layout->needs;
    layout->needs = needs;
    return needs;
}

static void free_set(const struct gv_vk_device *device, struct gv_vk_set_layout *set)
{
    while (set->needs) {
        struct gv_vk_needs *needs = set->needs;
        set->needs = needs->next;
        free(needs);
    }
    vkDestroyDescriptorUpdateTemplate(device->handle, set->updates, NULL);
    vkDestroyDescriptorSetLayout(device->handle, set->handle, NULL);
    free(set->rows);
    free(set);
}

// ---- pipeline layouts ----

// Past the device's number of dynamic buffers all of them become plain descriptors.
static bool use_dynamic(const VkPhysicalDeviceLimits *limits,
                        const struct gv_interface_desc *desc)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < desc->binding_count; i++)
        if (desc->bindings[i].type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC)
            n++;
    return n <= limits->maxDescriptorSetUniformBuffersDynamic && n <= GV_VK_MAX_DYNAMIC;
}

static bool get_sets(struct gv_vk_heaps *heaps, struct gv_vk_layouts *layouts,
                     const struct gv_interface_desc *desc, struct gv_vk_layout *out,
                     struct gv_error *err)
{
    bool dynamic = use_dynamic(GV_VK_LIMITS(heaps->device), desc);
    struct gv_vk_row rows[GV_MAX_BINDINGS];
    uint32_t next = 0;
    out->set_count =
        desc->binding_count ? desc->bindings[desc->binding_count - 1].set + 1 : 0;
    for (uint32_t set = 0; set < out->set_count; set++) {
        uint32_t count = 0;
        for (; next < desc->binding_count && desc->bindings[next].set == set; next++) {
            const struct gv_binding_desc *b = &desc->bindings[next];
            bool bytes = b->type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC;
            if (bytes && b->count != 1)
                return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                               "unsupported: array of uniform byte bindings");
            rows[count++] = (struct gv_vk_row){ b->binding, b->type, b->count,
                                                b->stages, bytes && dynamic };
        }
        out->sets[set] = get_set(heaps, layouts, rows, count, err);
        if (!out->sets[set])
            return false;
    }
    return true;
}

static struct gv_vk_layout *make_layout(struct gv_vk_heaps *heaps,
                                        const struct gv_vk_layout *like,
                                        struct gv_error *err)
{
    VkDescriptorSetLayout sets[GV_MAX_SETS] = { VK_NULL_HANDLE };
    for (uint32_t i = 0; i < like->set_count && like->sets[i]; i++)
        sets[i] = like->sets[i]->handle;
    const VkPushConstantRange parameters = { VK_SHADER_STAGE_VERTEX_BIT, 0,
                                             sizeof(struct gv_draw_parameters) };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = like->set_count,
        .pSetLayouts = sets,
        // One range for all, so that layouts stay compatible.
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &parameters,
    };
    if (!gv_vk_heaps_charge(heaps, COST, err))
        return NULL;
    struct gv_vk_layout *layout = malloc(sizeof *layout);
    if (!layout) {
        gv_out_of_memory(err);
        return NULL;
    }
    *layout = *like;
    if (!gv_vk_ok(
            vkCreatePipelineLayout(heaps->device->handle, &info, NULL, &layout->handle),
            "vkCreatePipelineLayout", err)) {
        free(layout);
        return NULL;
    }
    return layout;
}

struct gv_vk_layout *gv_vk_layout_get(struct gv_vk_heaps *heaps,
                                      struct gv_vk_layouts *layouts,
                                      const struct gv_interface_desc *desc,
                                      struct gv_error *err)
{
    struct gv_vk_layout wanted = { 0 };
    if (!check_limits(GV_VK_LIMITS(heaps->device), desc, err) ||
        !get_sets(heaps, layouts, desc, &wanted, err))
        return NULL;
    for (struct gv_vk_layout *l = layouts->layouts; l; l = l->next)
        if (l->set_count == wanted.set_count &&
            memcmp(l->sets, wanted.sets, sizeof l->sets) == 0)
            return l;
    struct gv_vk_layout *layout = make_layout(heaps, &wanted, err);
    if (!layout)
        return NULL;
    layout->next = layouts->layouts;
    layouts->layouts = layout;
    return layout;
}

void gv_vk_layouts_finish(const struct gv_vk_device *device,
                          struct gv_vk_layouts *layouts)
{
    while (layouts->layouts) {
        struct gv_vk_layout *l = layouts->layouts;
        layouts->layouts = l->next;
        vkDestroyPipelineLayout(device->handle, l->handle, NULL);
        free(l);
    }
    while (layouts->sets) {
        struct gv_vk_set_layout *s = layouts->sets;
        layouts->sets = s->next;
        free_set(device, s);
    }
}
