// Passes of several views: walked once for each view, which renders to a layer of its
// own. The commands between begin and end are those of one list, so going back is a
// matter of its index and of the state that the pass began with.
#include "compiler/vulkan/walk.h"

#include <string.h>

static uint32_t lowest(uint32_t mask)
{
    uint32_t bit = 0;
    while (!(mask >> bit & 1))
        bit++;
    return bit;
}

bool gv_walk_begin_views(struct gv_walk *w, uint32_t mask, struct gv_error *err)
{
    struct gv_walk_state *state = w->views.state;
    w->views = (struct gv_walk_views){ .left = mask, .state = state };
    if (!mask)
        return true;
    if (!state)
        w->views.state = gv_arena_alloc(w->arena, sizeof *state);
    if (!w->views.state)
        return gv_cap_no_memory(w->cap, err);
    w->views.many = true;
    w->views.view = lowest(mask);
    w->views.list = w->list;
    w->views.first = w->at;
    *w->views.state = *w->state;
    return true;
}

bool gv_walk_next_view(struct gv_walk *w, bool *again, struct gv_error *err)
{
    struct gv_walk_views *v = &w->views;
    *again = false;
    if (!v->many)
        return true;
    v->left &= v->left - 1;
    v->many = v->left;
    if (!v->left)
        return true;
    if (v->list != w->list)
        return gv_cap_fail(w->cap, err, "a pass of views began in another list");
    v->view = lowest(v->left);
    v->ordinal++;
    *w->state = *v->state;
    w->jump = true;
    *again = true;
    return gv_walk_charge(w, GV_WALK_RESET_WORK, err);
}
