#include "compiler/psx/cover.h"

static int64_t cells_of(const struct gv_psx_rect *r)
{
    return gv_psx_rect_empty(r) ? 0
                                : (int64_t)(r->x1 - r->x0 + 1) * (r->y1 - r->y0 + 1);
}

static bool inside(const struct gv_psx_rect *r, const struct gv_psx_rect *of)
{
    return r->x0 >= of->x0 && r->x1 <= of->x1 && r->y0 >= of->y0 && r->y1 <= of->y1;
}

// Cells that the rectangle around both has beyond them.
static int64_t waste_of(const struct gv_psx_rect *a, const struct gv_psx_rect *b)
{
    const struct gv_psx_rect both = { gv_psx_most(a->x0, b->x0),
                                      gv_psx_most(a->y0, b->y0),
                                      gv_psx_least(a->x1, b->x1),
                                      gv_psx_least(a->y1, b->y1) };
    const struct gv_psx_rect around = gv_psx_rect_join(a, b);
    return cells_of(&around) - cells_of(a) - cells_of(b) + cells_of(&both);
}

// Which rectangle is best joined with `rect`: one that hardly grows, else, where there
// is no room, the one that wastes least. -1: none.
static int partner_of(const struct gv_psx_cover *cover, const struct gv_psx_rect *rect)
{
    int best = -1;
    int64_t least = 0;
    for (uint32_t i = 0; i < cover->count; i++) {
        const struct gv_psx_rect *r = &cover->rects[i];
        int64_t waste = waste_of(r, rect);
        bool hardly = waste * 8 <= cells_of(r) + cells_of(rect);
        if ((hardly || cover->count == GV_PSX_COVER) && (best < 0 || waste < least)) {
            best = (int)i;
            least = waste;
        }
    }
    return best;
}

void gv_psx_cover_add(struct gv_psx_cover *cover, const struct gv_psx_rect *rect)
{
    struct gv_psx_rect all = *rect;
    int partner;
    for (uint32_t i = 0; i < cover->count; i++)
        if (inside(rect, &cover->rects[i]))
            return;
    while ((partner = partner_of(cover, &all)) >= 0) { // what has grown may join more
        all = gv_psx_rect_join(&all, &cover->rects[partner]);
        cover->rects[partner] = cover->rects[--cover->count];
    }
    cover->rects[cover->count++] = all;
}

void gv_psx_cover_add_area(struct gv_psx_cover *cover, const struct gv_psx_area *area)
{
    for (uint32_t i = 0; i < area->count; i++)
        gv_psx_cover_add(cover, &area->rects[i]);
}
