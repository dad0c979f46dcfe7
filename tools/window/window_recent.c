#include "tools/window/window_recent.h"

#include <stdlib.h>
#include <string.h>

static size_t size_of(const struct gv_window_picture *p)
{
    return (size_t)p->width * p->height * 4;
}

static void drop(struct gv_recent *r, size_t index)
{
    r->bytes -= size_of(&r->items[index]);
    free(r->items[index].rgba);
    r->count--;
    memmove(r->items + index, r->items + index + 1,
            (r->count - index) * sizeof *r->items);
}

static ptrdiff_t index_of(const struct gv_recent *r, uint64_t frame)
{
    for (size_t i = r->count; i-- > 0;)
        if (r->items[i].frame == frame)
            return (ptrdiff_t)i;
    return -1;
}

bool gv_recent_add(struct gv_recent *r, const struct gv_window_picture *picture)
{
    const size_t size = size_of(picture);
    const ptrdiff_t old = index_of(r, picture->frame);
    if (old >= 0)
        drop(r, (size_t)old);
    while (r->count == GV_RECENT_MOST ||
           (r->count >= GV_RECENT_LEAST && r->bytes + size > GV_RECENT_BYTES))
        drop(r, 0);
    struct gv_window_picture *added = &r->items[r->count];
    *added = *picture;
    added->rgba = malloc(size + 1);
    if (!added->rgba)
        return false;
    if (size)
        memcpy(added->rgba, picture->rgba, size);
    r->count++;
    r->bytes += size;
    return true;
}

const struct gv_window_picture *gv_recent_find(const struct gv_recent *r,
                                               uint64_t frame)
{
    const ptrdiff_t index = index_of(r, frame);
    return index >= 0 ? &r->items[index] : NULL;
}

void gv_recent_clear(struct gv_recent *r)
{
    while (r->count)
        drop(r, r->count - 1);
}
