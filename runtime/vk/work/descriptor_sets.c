// From what sets hold to what the command buffer has: sets are looked up and bound only
// where something has changed.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"
#include "runtime/vk/work/draw_state.h"
#include "runtime/vk/work/pass.h"

#include <stdlib.h>
#include <string.h>

// ---- what is kept of each set ----

static struct gv_vk_contents *contents_of(struct gv_vk_draw_state *state,
                                          const struct gv_vk_point *point, uint32_t set)
{
    return &state->contents[point == &state->compute][set];
}

struct gv_vk_uses gv_vk_uses_of(const struct gv_vk_draw_state *state,
                                const struct gv_vk_point *point, uint32_t set)
{
    const struct gv_vk_content *now =
        state->contents[point == &state->compute][set].now;
    if (!now || !now->layout)
        return (struct gv_vk_uses){ NULL, 0 };
    return (struct gv_vk_uses){ now->uses, now->layout->descriptor_count };
}

void gv_vk_contents_forget(struct gv_vk_draw_state *state)
{
    for (uint32_t i = 0; i < 2 * GV_MAX_SETS; i++) {
        struct gv_vk_contents *c = &state->contents[i / GV_MAX_SETS][i % GV_MAX_SETS];
        c->now = NULL;
        for (uint32_t k = 0; k < GV_VK_CONTENTS; k++)
            c->items[k].layout = NULL;
    }
}

void gv_vk_contents_finish(struct gv_vk_draw_state *state)
{
    gv_vk_contents_forget(state);
    for (uint32_t i = 0; i < 2 * GV_MAX_SETS; i++)
        for (uint32_t k = 0; k < GV_VK_CONTENTS; k++) {
            struct gv_vk_content *c =
                &state->contents[i / GV_MAX_SETS][i % GV_MAX_SETS].items[k];
            free(c->items);
            free(c->uses);
        }
}

static bool reserve(struct gv_vk_content *c, uint32_t count, struct gv_error *err)
{
    if (c->capacity >= count && c->items)
        return true;
    free(c->items);
    free(c->uses);
    c->capacity = count ? count : 1;
    c->items = calloc(c->capacity, sizeof *c->items);
    c->uses = calloc(c->capacity, sizeof *c->uses);
    if (c->items && c->uses)
        return true;
    free(c->items);
    free(c->uses);
    *c = (struct gv_vk_content){ 0 };
    return gv_out_of_memory(err);
}

// What is kept for the layout and these needs, or room for it.
static struct gv_vk_content *find_content(struct gv_vk_contents *contents,
                                          struct gv_vk_set_layout *layout,
                                          const struct gv_vk_needs *needs,
                                          struct gv_error *err)
{
    for (uint32_t i = 0; i < GV_VK_CONTENTS; i++)
        if (contents->items[i].layout == layout && contents->items[i].needs == needs)
            return &contents->items[i];
    struct gv_vk_content *c = &contents->items[contents->next];
    contents->next = (contents->next + 1) % GV_VK_CONTENTS;
    contents->now = NULL;
    if (!reserve(c, layout->descriptor_count, err))
        return NULL;
    c->layout = layout;
    c->needs = needs;
    c->built = c->hash = 0;
    c->handle = VK_NULL_HANDLE;
    return c;
}

// ---- uniform bytes ----

// The dynamic offsets of a set whose bytes are staged. Returns how many.
static uint32_t list_offsets(const struct gv_vk_draw_state *state, uint32_t set,
                             const struct gv_vk_content *content,
                             uint32_t offsets[GV_VK_MAX_DYNAMIC])
{
    const struct gv_vk_set_layout *layout = content->layout;
    const struct gv_vk_elements *bindings = state->sets[set].bindings;
    uint32_t n = 0;
    if (!layout->bytes_count)
        return 0;
    for (uint32_t r = 0; r < layout->row_count; r++) {
        const struct gv_vk_row *row = &layout->rows[r];
        const struct gv_vk_elements *e = bindings ? &bindings[row->binding] : NULL;
        bool bytes = content->needs->rows[r].used && e && e->count &&
                     e->items[0].kind == GV_VK_BOUND_BYTES;
        if (row->dynamic)
            offsets[n++] = bytes ? (uint32_t)e->items[0].slice.offset : 0;
    }
    return n;
}

// ---- emission ----

// Whether the command buffer has the set as it is bound now.
static bool is_clean(const struct gv_vk_draw_state *state,
                     const struct gv_vk_emitted_set *was,
                     const struct gv_vk_set_layout *layout,
                     const struct gv_vk_needs *needs, const struct gv_vk_set_state *now)
{
    return was->layout == layout && was->needs == needs &&
           was->version == now->version && was->bytes_version == now->bytes_version &&
           was->generation == state->descriptors.generation;
}

// Brings the content up to date and looks up its set.
static struct gv_vk_content *settle(struct gv_runtime *rt,
                                    const struct gv_vk_point *point, uint32_t set,
                                    struct gv_error *err)
{
    struct gv_vk_draw_state *state = rt->draw_state;
    struct gv_vk_contents *contents = contents_of(state, point, set);
    struct gv_vk_set_layout *layout = point->pipeline->layout->sets[set];
    struct gv_vk_content *c =
        find_content(contents, layout, point->pipeline->set_needs[set], err);
    if (!c)
        return NULL;
    bool stale = !c->built || c->built < state->sets[set].version;
    if ((stale || layout->bytes_count) && !gv_vk_content_update(rt, set, c, err))
        return NULL;
    contents->now = c;
    if (c->handle && c->generation == state->descriptors.generation)
        return c;
    c->handle =
        gv_vk_descriptors_get(rt, &state->descriptors, layout, c->items, c->hash, err);
    c->generation = state->descriptors.generation;
    return c->handle ? c : NULL;
}

// Sets that follow one another are bound by one command: drivers take memory for each.
struct run_of_sets {
    uint32_t first, count, offset_count;
    VkDescriptorSet handles[GV_MAX_SETS];
    uint32_t offsets[GV_VK_MAX_DYNAMIC]; // of all sets of a pipeline no more
};

static void bind_run(const struct gv_vk_commands *commands,
                     const struct gv_vk_point *point, struct run_of_sets *sets)
{
    if (sets->count)
        vkCmdBindDescriptorSets(commands->buffer, point->pipeline->bind_point,
                                point->pipeline->layout->handle, sets->first,
                                sets->count, sets->handles, sets->offset_count,
                                sets->offsets);
    sets->count = sets->offset_count = 0;
}

static void add_to_run(struct run_of_sets *sets, uint32_t set,
                       const struct gv_vk_emitted_set *emitted)
{
    if (!sets->count)
        sets->first = set;
    sets->handles[sets->count++] = emitted->handle;
    memcpy(sets->offsets + sets->offset_count, emitted->offsets,
           emitted->offset_count * sizeof emitted->offsets[0]);
    sets->offset_count += emitted->offset_count;
}

// `*changed`: the command buffer lacks the set as it is now.
static bool emit_set(struct gv_runtime *rt, struct gv_vk_point *point, uint32_t set,
                     bool *changed, struct gv_error *err)
{
    struct gv_vk_draw_state *state = rt->draw_state;
    const struct gv_vk_layout *layout = point->pipeline->layout;
    const struct gv_vk_set_state *now = &state->sets[set];
    struct gv_vk_emitted_set *was = &point->sets[set];
    *changed = false;
    if (is_clean(state, was, layout->sets[set], point->pipeline->set_needs[set], now))
        return true;
    const struct gv_vk_content *c = settle(rt, point, set, err);
    uint32_t offsets[GV_VK_MAX_DYNAMIC];
    if (!c)
        return false;
    uint32_t count = list_offsets(state, set, c, offsets);
    bool same = was->layout == c->layout && was->handle == c->handle &&
                was->offset_count == count &&
                memcmp(was->offsets, offsets, count * sizeof offsets[0]) == 0;
    // A set bound with another layout disturbs those after it.
    for (uint32_t later = set + 1; was->layout != c->layout && later < GV_MAX_SETS;
         later++)
        point->sets[later] = (struct gv_vk_emitted_set){ 0 };
    was->layout = c->layout;
    was->needs = c->needs;
    was->handle = c->handle;
    was->version = now->version;
    was->bytes_version = now->bytes_version;
    was->generation = state->descriptors.generation;
    was->noted = 0;
    was->offset_count = count;
    memcpy(was->offsets, offsets, count * sizeof offsets[0]);
    *changed = !same && layout->sets[set]->row_count;
    return true;
}

static bool emit_changed(struct gv_runtime *rt, struct gv_vk_point *point,
                         struct gv_error *err)
{
    uint32_t count = point->pipeline->layout->set_count;
    struct run_of_sets sets = { 0 };
    bool ok = true, changed;
    for (uint32_t set = 0; ok && set < count; set++) {
        ok = emit_set(rt, point, set, &changed, err);
        if (ok && changed)
            add_to_run(&sets, set, &point->sets[set]);
        else
            bind_run(rt->commands, point, &sets);
    }
    bind_run(rt->commands, point, &sets);
    return ok;
}

// ---- what the sets use ----

static bool refuse_loop(const struct gv_vk_set_layout *layout, uint32_t set,
                        uint32_t index, struct gv_error *err)
{
    uint32_t r = 0;
    for (; index >= layout->rows[r].count; r++)
        index -= layout->rows[r].count;
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "set %u binding %u element %u: feedback loop: the image is an "
                   "attachment of the pass",
                   set, layout->rows[r].binding, index);
}

// Once per pass instance, and whenever the set changes.
static bool note_uses(struct gv_runtime *rt, const struct gv_vk_point *point,
                      uint32_t set, struct gv_error *err)
{
    struct gv_vk_uses uses = gv_vk_uses_of(rt->draw_state, point, set);
    for (uint32_t i = 0; i < uses.count; i++) {
        const struct gv_vk_use *u = &uses.items[i];
        if (u->image && u->image->attached &&
            gv_vk_pass_attached(rt->pass, u->image, u->mip, u->mips, u->layer,
                                u->layers))
            return refuse_loop(point->pipeline->layout->sets[set], set, i, err);
    }
    gv_vk_uses_before(rt->barriers, uses);
    gv_vk_uses_note(rt->barriers, uses);
    return true;
}

bool gv_vk_emit_sets(struct gv_runtime *rt, struct gv_vk_point *point,
                     struct gv_error *err)
{
    uint32_t count = point->pipeline->layout->set_count;
    if (!emit_changed(rt, point, err))
        return false;
    // Making a stand-in may have begun another instance of the pass: ask for it now.
    for (uint32_t set = 0; rt->in_pass && set < count; set++) {
        if (point->sets[set].noted == rt->pass->instance)
            continue;
        if (!note_uses(rt, point, set, err))
            return false;
        point->sets[set].noted = rt->pass->instance;
    }
    return true;
}
