// What is bound, by place; and the places of each object, which lose it when it dies.
#include "runtime/vk/context.h"
#include "runtime/vk/work/draw_state.h"

#include <stdlib.h>

// ---- places ----

// Elements for at least `count`; what is there moves along with its links.
static bool grow(struct gv_vk_elements *e, uint32_t set, uint32_t binding,
                 uint32_t count)
{
    struct gv_vk_bound *grown = calloc(count, sizeof *grown);
    if (!grown)
        return false;
    for (uint32_t i = 0; i < e->count; i++) {
        grown[i] = e->items[i];
        gv_link_moved(&grown[i].of_object);
        gv_link_moved(&grown[i].of_sampler);
    }
    for (uint32_t i = e->count; i < count; i++) {
        grown[i].set = set;
        grown[i].binding = binding;
    }
    free(e->items);
    e->items = grown;
    e->count = count;
    return true;
}

struct gv_vk_bound *gv_vk_bound_at(struct gv_vk_draw_state *state, uint32_t set,
                                   uint32_t binding, uint32_t element, bool create)
{
    struct gv_vk_set_state *s = &state->sets[set];
    if (!s->bindings && create)
        s->bindings = calloc(GV_MAX_BINDING_NUMBER, sizeof *s->bindings);
    if (!s->bindings)
        return NULL;
    struct gv_vk_elements *e = &s->bindings[binding];
    if (element < e->count)
        return &e->items[element];
    uint32_t count = e->count ? e->count : 1;
    while (count <= element)
        count *= 2;
    return create && grow(e, set, binding, count) ? &e->items[element] : NULL;
}

void gv_vk_bound_changed(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *draw_state,
                         struct gv_vk_bound *bound, bool bytes)
{
    struct gv_vk_set_state *s = &draw_state->sets[bound->set];
    uint64_t now = ++heaps->next_id;
    bound->version = s->bindings[bound->binding].version = now;
    if (bytes)
        s->bytes_version = now;
    else
        s->version = now;
}

// ---- contents ----

void gv_vk_bound_replace(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *draw_state,
                         struct gv_vk_bound *bound, const struct gv_vk_bound *wanted)
{
    uint32_t set = bound->set, binding = bound->binding;
    gv_link_remove(&bound->of_object);
    gv_link_remove(&bound->of_sampler);
    free(bound->bytes);
    *bound = *wanted;
    bound->set = set;
    bound->binding = binding;
    if (bound->buffer)
        gv_link_add(&bound->buffer->bound, &bound->of_object);
    if (bound->image)
        gv_link_add(&bound->image->bound, &bound->of_object);
    if (bound->sampler)
        gv_link_add(&bound->sampler->bound, &bound->of_sampler);
    gv_vk_bound_changed(heaps, draw_state, bound, false);
}

void gv_vk_bound_forget(struct gv_vk_heaps *heaps, struct gv_vk_draw_state *draw_state,
                        struct gv_link **places)
{
    const struct gv_vk_bound nothing = { .kind = GV_VK_BOUND_NONE };
    while (*places)
        gv_vk_bound_replace(heaps, draw_state,
                            GV_LINK_HOLDER(*places, struct gv_vk_bound, of_object),
                            &nothing);
}

void gv_vk_bound_forget_sampler(struct gv_vk_heaps *heaps,
                                struct gv_vk_draw_state *draw_state,
                                struct gv_vk_sampler *sampler)
{
    const struct gv_vk_bound nothing = { .kind = GV_VK_BOUND_NONE };
    while (sampler->bound) {
        struct gv_vk_bound *b =
            GV_LINK_HOLDER(sampler->bound, struct gv_vk_bound, of_sampler);
        if (!b->image) {
            gv_vk_bound_replace(heaps, draw_state, b, &nothing);
            continue;
        }
        gv_link_remove(&b->of_sampler);
        b->sampler = NULL;
        b->sampler_handle = 0;
        gv_vk_bound_changed(heaps, draw_state, b, false);
    }
}

void gv_vk_bound_free(struct gv_vk_draw_state *state)
{
    for (uint32_t s = 0; s < GV_MAX_SETS; s++) {
        struct gv_vk_elements *bindings = state->sets[s].bindings;
        for (uint32_t b = 0; bindings && b < GV_MAX_BINDING_NUMBER; b++) {
            for (uint32_t i = 0; i < bindings[b].count; i++)
                free(bindings[b].items[i].bytes);
            free(bindings[b].items);
        }
        free(bindings);
        state->sets[s].bindings = NULL;
    }
}
