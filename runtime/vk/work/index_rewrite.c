#include "runtime/vk/work/index_rewrite.h"

#include "runtime/vk/context.h"
#include "runtime/vk/memory/buffer.h"
#include "runtime/vk/transfer/readback.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/one_draw.h"

#include <stdlib.h>
#include <string.h>

#define CUT UINT32_MAX

// ---- numbers ----

static uint32_t load(const uint8_t *indices, uint32_t index_bytes, uint32_t i)
{
    uint32_t value = 0;
    if (!indices)
        return i;
    memcpy(&value, indices + (size_t)i * index_bytes, index_bytes);
    return value;
}

static bool cuts(uint32_t value, uint32_t index_bytes)
{
    return value == CUT >> (32 - 8 * index_bytes);
}

// As Vulkan provokes: by the second vertex of the fan's triangle, or by the third. Both
// turn the same way.
static void put_triangle(enum gv_vk_assembly assembly, uint32_t first, uint32_t second,
                         uint32_t third, uint32_t out[3])
{
    bool by_last = assembly == GV_VK_ASSEMBLY_FAN_LAST;
    out[0] = by_last ? first : second;
    out[1] = by_last ? second : third;
    out[2] = by_last ? third : first;
}

static uint32_t put_line(uint32_t held, uint32_t first, uint32_t second,
                         uint32_t out[2])
{
    if (!held)
        return 0;
    out[0] = first;
    out[1] = second;
    return 2;
}

uint32_t gv_vk_rewrite_indices(enum gv_vk_assembly assembly, uint32_t vertices,
                               bool restart, const uint8_t *indices,
                               uint32_t index_bytes, uint32_t count, uint32_t *out)
{
    uint32_t made = 0, held = 0; // of the primitive, or of the fan
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = load(indices, index_bytes, i);
        if (restart && indices && cuts(value, index_bytes)) {
            if (assembly == GV_VK_ASSEMBLY_AS_IS)
                out[made++] = CUT;
            made -= assembly == GV_VK_ASSEMBLY_LIST ? held : 0;
            held = 0;
            continue;
        }
        if (assembly == GV_VK_ASSEMBLY_LINES) {
            made += put_line(held, last, value, out + made);
        } else if (!gv_vk_assembles_fan(assembly)) {
            out[made++] = value;
            held = held + 1 == vertices ? 0 : held + 1;
            continue;
        } else if (held >= 2) {
            put_triangle(assembly, first, last, value, out + made);
            made += 3;
        }
        first = held == 0 ? value : first;
        last = value;
        held++;
    }
    return made;
}

// ---- draws ----

static bool needs_wide(const struct gv_vk_device *device,
                       const struct gv_vk_draw_state *draw_state)
{
    return draw_state->index.index_bytes == 1 &&
           !device->features.index_type_uint8.indexTypeUint8;
}

bool gv_vk_index_rewrite_wanted(const struct gv_vk_device *device,
                                const struct gv_vk_draw_state *draw_state, bool indexed)
{
    const struct gv_vk_pipeline *p = draw_state->graphics.pipeline;
    if (!p)
        return false;
    return gv_vk_assembles_fan((enum gv_vk_assembly)p->assembly) ||
           (indexed &&
            (p->assembly == GV_VK_ASSEMBLY_LIST || needs_wide(device, draw_state)));
}

static bool check_size(const struct gv_vk_draw *draw, struct gv_error *err)
{
    return (uint64_t)draw->count * 12 <= GV_VK_MAX_REWRITTEN_BYTES ||
           gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                   "%u indices to be rewritten for this device", draw->count);
}

static bool rewrite(const struct gv_vk_draw_state *state, const struct gv_vk_draw *draw,
                    const struct gv_vk_pipeline *p, const uint8_t *indices,
                    uint32_t **list, uint32_t *count, struct gv_error *err)
{
    *list = malloc((size_t)draw->count * 12 + 4);
    if (!*list)
        return gv_out_of_memory(err);
    *count = gv_vk_rewrite_indices((enum gv_vk_assembly)p->assembly,
                                   p->assembly_vertices, p->primitive_restart, indices,
                                   state->index.index_bytes, draw->count, *list);
    return true;
}

bool gv_vk_index_list(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                      const struct gv_vk_pipeline *p, uint32_t **list, uint32_t *count,
                      struct gv_error *err)
{
    const struct gv_vk_index_buffer *index = &rt->draw_state->index;
    if (!gv_runtime_inside_pass(rt, err) || !check_size(draw, err))
        return false;
    if (!draw->indexed || !draw->count)
        return rewrite(rt->draw_state, draw, p, NULL, list, count, err);
    struct gv_vk_readback readback = { 0 };
    const uint8_t *indices = NULL;
    uint64_t offset = index->offset + (uint64_t)draw->first * index->index_bytes;
    uint64_t bytes = (uint64_t)draw->count * index->index_bytes;
    if (gv_vk_buffer_check_range(index->buffer, offset, bytes, "indices", err) &&
        gv_runtime_suspend(rt, err) &&
        gv_vk_readback_buffer(
            rt, &readback, (struct gv_vk_bytes){ index->buffer, offset, bytes }, err))
        indices = gv_vk_readback_wait(rt, &readback, err);
    bool ok = indices && rewrite(rt->draw_state, draw, p, indices, list, count, err);
    gv_vk_readback_drop(rt, &readback);
    return ok;
}

bool gv_vk_index_rewrite(struct gv_runtime *rt, const struct gv_vk_draw *draw,
                         struct gv_vk_slice *slice, uint32_t *count,
                         struct gv_error *err)
{
    uint32_t *list;
    if (!gv_vk_index_list(rt, draw, rt->draw_state->graphics.pipeline, &list, count,
                          err))
        return false;
    uint64_t bytes = (uint64_t)*count * sizeof *list;
    bool ok = gv_vk_staging_upload(rt, bytes + 4, 4, slice, err);
    if (ok)
        memcpy(slice->data, list, bytes);
    free(list);
    return ok;
}
