#include "runtime/vk/pipelines/sampler.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/feature_query.h"
#include "runtime/vk/device/result.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/memory/device_memory.h"
#include "runtime/vk/memory/object_costs.h"
#include "vm/descs.h"

#include <math.h>
#include <stdlib.h>

#define COST 512 // object_costs.h

// One that compares is two of Vulkan's.
static uint64_t cost_of(bool compares)
{
    return compares ? 2 * COST : COST;
}

static bool to_border(const struct gv_sampler_desc *d)
{
    return d->address_u == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
           d->address_v == GV_ADDRESS_MODE_CLAMP_TO_BORDER ||
           d->address_w == GV_ADDRESS_MODE_CLAMP_TO_BORDER;
}

static bool custom_border(const struct gv_sampler_desc *d)
{
    return d->border == GV_BORDER_COLOR_FLOAT_CUSTOM ||
           d->border == GV_BORDER_COLOR_INT_CUSTOM;
}

static bool edge_or_border(uint32_t mode)
{
    return mode == GV_ADDRESS_MODE_CLAMP_TO_EDGE ||
           mode == GV_ADDRESS_MODE_CLAMP_TO_BORDER;
}

// "VkSamplerCreateInfo": what unnormalised coordinates allow.
static bool check_unnormalized(const struct gv_sampler_desc *d, struct gv_error *err)
{
    const char *fault = NULL;
    if (!d->unnormalized)
        return true;
    if (d->mag_filter != d->min_filter || d->mip_filter != GV_FILTER_NEAREST)
        fault = "filters differ";
    else if (d->min_lod != 0 || d->max_lod != 0)
        fault = "level of detail is not 0";
    else if (!edge_or_border(d->address_u) || !edge_or_border(d->address_v))
        fault = "address modes repeat";
    else if (d->max_anisotropy != 0 || d->compare_enable)
        fault = "anisotropy or comparison";
    if (fault)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "unnormalised coordinates, but %s", fault);
    return true;
}

static bool check_lods(const struct gv_sampler_desc *d,
                       const VkPhysicalDeviceLimits *limits, struct gv_error *err)
{
    float bias = d->lod_bias < 0 ? -d->lod_bias : d->lod_bias;
    if (isnan(bias))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "level of detail bias is no number");
    if (bias > limits->maxSamplerLodBias)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "level of detail bias %g",
                       (double)d->lod_bias);
    if (!(d->min_lod <= d->max_lod))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "smallest level of detail %g is above the largest",
                       (double)d->min_lod);
    if (d->max_anisotropy != 0 && !(d->max_anisotropy >= 1))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "anisotropy %g",
                       (double)d->max_anisotropy);
    return true;
}

static bool check_features(const struct gv_vk_device *device,
                           const struct gv_sampler_desc *d, struct gv_error *err)
{
    bool mirror = d->address_u == GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE ||
                  d->address_v == GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE ||
                  d->address_w == GV_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    if (mirror && !gv_vk_require(device, "samplerMirrorClampToEdge", err))
        return false;
    if (d->max_anisotropy != 0 && !gv_vk_require(device, "samplerAnisotropy", err))
        return false;
    if (d->non_seamless_cube && !gv_vk_require(device, "nonSeamlessCubeMap", err))
        return false;
    if (d->lod_bias != 0 && !gv_vk_require(device, "samplerMipLodBias", err))
        return false;
    if (d->compare_enable && !gv_vk_require(device, "mutableComparisonSamplers", err))
        return false;
    // The format is the image's affair, which a sampler does not know.
    return !custom_border(d) || !to_border(d) ||
           gv_vk_require(device, "customBorderColorWithoutFormat", err);
}

static VkBorderColor border_of(const struct gv_sampler_desc *d)
{
    if (custom_border(d) && !to_border(d))
        return VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK; // not looked at
    return (VkBorderColor)d->border;
}

static bool make(const struct gv_vk_device *device, VkSampler *out,
                 const struct gv_sampler_desc *d, bool compare, struct gv_error *err)
{
    const VkPhysicalDeviceLimits *limits = GV_VK_LIMITS(device);
    VkSamplerCustomBorderColorCreateInfoEXT border = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
    };
    for (int i = 0; i < 4; i++)
        border.customBorderColor.uint32[i] = d->border_values[i];
    float anisotropy = d->max_anisotropy < limits->maxSamplerAnisotropy
                           ? d->max_anisotropy
                           : limits->maxSamplerAnisotropy;
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .pNext = custom_border(d) && to_border(d) ? &border : NULL,
        .flags =
            d->non_seamless_cube ? VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT : 0,
        .magFilter = (VkFilter)d->mag_filter,
        .minFilter = (VkFilter)d->min_filter,
        .mipmapMode = (VkSamplerMipmapMode)d->mip_filter,
        .addressModeU = (VkSamplerAddressMode)d->address_u,
        .addressModeV = (VkSamplerAddressMode)d->address_v,
        .addressModeW = (VkSamplerAddressMode)d->address_w,
        .mipLodBias = d->lod_bias,
        .anisotropyEnable = d->max_anisotropy != 0,
        .maxAnisotropy = anisotropy,
        .compareEnable = compare,
        .compareOp = (VkCompareOp)d->compare,
        .minLod = d->min_lod,
        .maxLod = d->max_lod,
        .borderColor = border_of(d),
        .unnormalizedCoordinates = d->unnormalized,
    };
    return gv_vk_ok(vkCreateSampler(device->handle, &info, NULL, out),
                    "vkCreateSampler", err);
}

bool gv_do_sampler_create(struct gv_runtime *rt, const struct gv_args_sampler_create *a,
                          uint64_t *result, struct gv_error *err)
{
    struct gv_cursor c = gv_cursor_make(a->desc.data, a->size.u);
    struct gv_sampler_desc d;
    if (!gv_sampler_desc_decode(&c, &d, err) || !check_unnormalized(&d, err) ||
        !check_lods(&d, GV_VK_LIMITS(rt->device), err) ||
        !check_features(rt->device, &d, err))
        return false;
    struct gv_vk_sampler *sampler =
        gv_vk_object_create(rt, sizeof *sampler, cost_of(d.compare_enable), 0, err);
    if (!sampler)
        return false;
    sampler->id = ++rt->heaps->next_id;
    sampler->texels_id = d.compare_enable ? ++rt->heaps->next_id : sampler->id;
    sampler->compare = d.compare_enable;
    sampler->unnormalized = d.unnormalized;
    sampler->linear = d.mag_filter == GV_FILTER_LINEAR ||
                      d.min_filter == GV_FILTER_LINEAR ||
                      d.mip_filter == GV_FILTER_LINEAR || d.max_anisotropy != 0;
    if (!make(rt->device, &sampler->handle, &d, d.compare_enable, err) ||
        (d.compare_enable && !make(rt->device, &sampler->texels, &d, false, err))) {
        gv_vk_sampler_free(rt, sampler);
        return false;
    }
    *result = gv_handles_add(&rt->handles, GV_KIND_SAMPLER, sampler, err);
    if (!*result)
        gv_vk_sampler_free(rt, sampler);
    return *result != 0;
}

bool gv_do_sampler_destroy(struct gv_runtime *rt,
                           const struct gv_args_sampler_destroy *a, uint64_t *result,
                           struct gv_error *err)
{
    (void)result;
    struct gv_vk_sampler *sampler =
        gv_handles_find(&rt->handles, GV_KIND_SAMPLER, a->sampler.u, "sampler", err);
    if (!sampler)
        return false;
    rt->above.forget(rt, GV_KIND_SAMPLER, a->sampler.u);
    gv_handles_remove(&rt->handles, GV_KIND_SAMPLER, a->sampler.u);
    gv_vk_commands_defer(rt, gv_vk_sampler_free, sampler);
    return true;
}

void gv_vk_sampler_free(struct gv_runtime *rt, void *object)
{
    struct gv_vk_sampler *sampler = object;
    vkDestroySampler(rt->device->handle, sampler->handle, NULL);
    vkDestroySampler(rt->device->handle, sampler->texels, NULL);
    gv_vk_object_free(rt->heaps, sampler, cost_of(sampler->compare));
}
