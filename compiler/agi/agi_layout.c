#include "compiler/agi/agi_layout.h"

// Handles that are pointers; others have 64 bits everywhere.
static bool is_dispatchable(enum gv_vk_type type)
{
    switch ((int)type) {
    case GV_VK_TYPE_VkInstance:
    case GV_VK_TYPE_VkPhysicalDevice:
    case GV_VK_TYPE_VkDevice:
    case GV_VK_TYPE_VkQueue:
    case GV_VK_TYPE_VkCommandBuffer:
        return true;
    default:
        return false;
    }
}

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

static struct gv_agi_extent extent_of(struct gv_agi_layout *l, enum gv_vk_type type);

static struct gv_agi_extent field_extent(const struct gv_agi_layout *l,
                                         const struct gv_vk_field *f)
{
    const struct gv_agi_extent of = l->types[f->type];
    switch ((enum gv_vk_form)f->form) {
    case GV_VK_FORM_VALUE:
        return of;
    case GV_VK_FORM_INLINE:
    case GV_VK_FORM_TEXT: {
        const uint32_t here = gv_vk_types[f->type].size;
        return (struct gv_agi_extent){ here ? f->size / here * of.size : 0, of.align };
    }
    default:
        return (struct gv_agi_extent){ l->abi.pointer, l->abi.pointer };
    }
}

static struct gv_agi_extent struct_extent(struct gv_agi_layout *l,
                                          const struct gv_vk_type_info *info)
{
    struct gv_agi_extent whole = { 0, 1 };
    for (uint32_t i = info->first; i < info->first + info->count; i++) {
        const struct gv_vk_field *f = &gv_vk_fields[i];
        if (f->form == GV_VK_FORM_VALUE || f->form == GV_VK_FORM_INLINE ||
            f->form == GV_VK_FORM_TEXT)
            extent_of(l, (enum gv_vk_type)f->type);
        const struct gv_agi_extent e = field_extent(l, f);
        l->offsets[i] = round_up(whole.size, e.align);
        whole.size = l->offsets[i] + e.size;
        whole.align = e.align > whole.align ? e.align : whole.align;
    }
    whole.size = round_up(whole.size, whole.align);
    return whole;
}

static struct gv_agi_extent scalar_extent(const struct gv_agi_layout *l,
                                          enum gv_vk_type type)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    if (info->class == GV_VK_CLASS_ADDRESS || type == GV_VK_TYPE_size_t ||
        is_dispatchable(type))
        return (struct gv_agi_extent){ l->abi.pointer, l->abi.pointer };
    const uint8_t align = info->class == GV_VK_CLASS_F64 ? l->abi.double_align
                          : info->size == 8              ? l->abi.wide_align
                                                         : (uint8_t)info->size;
    return (struct gv_agi_extent){ info->size, align ? align : 1 };
}

static struct gv_agi_extent union_extent(struct gv_agi_layout *l, enum gv_vk_type type)
{
    switch ((int)type) {
    case GV_VK_TYPE_VkClearColorValue:
    case GV_VK_TYPE_VkClearValue:
        return (struct gv_agi_extent){ 16, 4 };
    case GV_VK_TYPE_VkDescriptorDataEXT: // an address of a device is its widest
    case GV_VK_TYPE_VkDeviceOrHostAddressKHR:
    case GV_VK_TYPE_VkDeviceOrHostAddressConstKHR:
    case GV_VK_TYPE_VkPerformanceValueDataINTEL:
        return (struct gv_agi_extent){ 8, l->abi.wide_align };
    case GV_VK_TYPE_VkPipelineExecutableStatisticValueKHR: {
        const uint8_t a = l->abi.wide_align, b = l->abi.double_align;
        return (struct gv_agi_extent){ 8, a > b ? a : b };
    }
    default: // geometries of acceleration structures: triangles are the largest
        return extent_of(l, GV_VK_TYPE_VkAccelerationStructureGeometryTrianglesDataKHR);
    }
}

// Structs hold others by value, none of them itself.
static struct gv_agi_extent extent_of(struct gv_agi_layout *l, enum gv_vk_type type)
{
    struct gv_agi_extent *known = &l->types[type];
    if (known->align)
        return *known;
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    switch ((enum gv_vk_class)info->class) {
    case GV_VK_CLASS_STRUCT:
        *known = struct_extent(l, info);
        break;
    case GV_VK_CLASS_UNION:
        *known = union_extent(l, type);
        break;
    case GV_VK_CLASS_REFUSED:
        *known = (struct gv_agi_extent){ 0, 1 };
        break;
    default:
        *known = scalar_extent(l, type);
        break;
    }
    return *known;
}

struct gv_agi_layout *gv_agi_layout_make(const struct gv_agi_abi *abi,
                                         struct gv_arena *arena)
{
    struct gv_agi_layout *l = gv_arena_alloc(arena, sizeof *l);
    uint32_t fields = 0;
    for (uint32_t i = 0; i < GV_VK_TYPE_COUNT; i++) {
        const struct gv_vk_type_info *t = &gv_vk_types[i];
        if (t->class == GV_VK_CLASS_STRUCT && t->first + t->count > fields)
            fields = t->first + t->count;
    }
    if (!l || !(l->offsets = gv_arena_array(arena, fields, sizeof *l->offsets)))
        return NULL;
    l->abi = *abi;
    for (uint32_t i = 0; i < GV_VK_TYPE_COUNT; i++)
        extent_of(l, (enum gv_vk_type)i);
    return l;
}

struct gv_agi_extent gv_agi_layout_field(const struct gv_agi_layout *layout,
                                         const struct gv_vk_field *field)
{
    return field_extent(layout, field);
}

bool gv_agi_layout_same(const struct gv_agi_layout *layout, enum gv_vk_type type)
{
    const struct gv_vk_type_info *info = &gv_vk_types[type];
    return info->class < GV_VK_CLASS_STRUCT && info->class != GV_VK_CLASS_HANDLE &&
           info->class != GV_VK_CLASS_ADDRESS && layout->types[type].size == info->size;
}
