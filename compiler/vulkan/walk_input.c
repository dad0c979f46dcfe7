// Descriptions of vertex input: each once.
#include "compiler/vulkan/walk_pipeline.h"

#include <string.h>

#define MOST_INPUTS 4096u

struct gv_walk_input_entry {
    struct gv_walk_input input;
    struct gv_walk_input_entry *next;
};

const struct gv_walk_input *gv_walk_find_input(struct gv_walk *w,
                                               const struct gv_walk_input *like)
{
    struct gv_walk_inputs *all = &w->inputs;
    for (struct gv_walk_input_entry *e = all->first; e; e = e->next)
        if (!memcmp(&e->input, like, sizeof *like))
            return &e->input;
    struct gv_walk_input_entry *e =
        all->count < MOST_INPUTS ? gv_arena_alloc(w->arena, sizeof *e) : NULL;
    if (!e)
        return NULL;
    all->count++;
    e->input = *like;
    e->next = all->first;
    all->first = e;
    return &e->input;
}

bool gv_walk_vkCmdSetVertexInputEXT(struct gv_walk *w,
                                    const struct gv_vk_args_vkCmdSetVertexInputEXT *a,
                                    struct gv_error *err)
{
    struct gv_walk_input in;
    memset(&in, 0, sizeof in);
    if (a->vertexBindingDescriptionCount > GV_MAX_VERTEX_BINDINGS ||
        a->vertexAttributeDescriptionCount > GV_MAX_VERTEX_ATTRIBUTES)
        return gv_fail(err, GV_ERR_LIMIT, w->cap->place.offset,
                       "vkCmdSetVertexInputEXT: more than %u vertex attributes",
                       GV_MAX_VERTEX_ATTRIBUTES);
    in.binding_count = a->vertexBindingDescriptionCount;
    in.attribute_count = a->vertexAttributeDescriptionCount;
    for (uint32_t i = 0; i < in.binding_count; i++) {
        const VkVertexInputBindingDescription2EXT *b =
            &a->pVertexBindingDescriptions[i];
        in.bindings[i] =
            (struct gv_walk_input_binding){ b->binding, b->stride,
                                            (uint32_t)b->inputRate, b->divisor };
    }
    for (uint32_t i = 0; i < in.attribute_count; i++) {
        const VkVertexInputAttributeDescription2EXT *x =
            &a->pVertexAttributeDescriptions[i];
        in.attributes[i] = (VkVertexInputAttributeDescription){ x->location, x->binding,
                                                                x->format, x->offset };
    }
    w->state->dynamic.input = gv_walk_find_input(w, &in);
    return w->state->dynamic.input ||
           gv_fail(err, GV_ERR_LIMIT, w->cap->place.offset,
                   "more than %u kinds of vertex input", MOST_INPUTS);
}
