#include "compiler/psx/stamps.h"

void gv_psx_stamp(struct gv_psx_stamps *s, const struct gv_psx_area *area)
{
    s->last++;
    for (uint32_t i = 0; i < area->count; i++) {
        const struct gv_psx_rect *r = &area->rects[i];
        for (int32_t y = r->y0 / GV_PSX_BLOCK; y <= r->y1 / GV_PSX_BLOCK; y++)
            for (int32_t x = r->x0 / GV_PSX_BLOCK; x <= r->x1 / GV_PSX_BLOCK; x++)
                s->blocks[y][x] = s->last;
    }
}

bool gv_psx_stamped_since(const struct gv_psx_stamps *s, const struct gv_psx_area *area,
                          uint64_t when)
{
    for (uint32_t i = 0; i < area->count; i++) {
        const struct gv_psx_rect *r = &area->rects[i];
        for (int32_t y = r->y0 / GV_PSX_BLOCK; y <= r->y1 / GV_PSX_BLOCK; y++)
            for (int32_t x = r->x0 / GV_PSX_BLOCK; x <= r->x1 / GV_PSX_BLOCK; x++)
                if (s->blocks[y][x] > when)
                    return true;
    }
    return false;
}
