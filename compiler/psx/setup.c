#include "compiler/psx/setup.h"

#include "compiler/psx/psx_math.h"

// Sorts indices by y, stable: a later vertex moves up only if strictly smaller.
static void sort_by_y(const struct gv_psx_vertex v[3], int order[3])
{
    for (int i = 0; i < 3; i++)
        order[i] = i;
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && v[order[j]].y < v[order[j - 1]].y; j--) {
            int t = order[j];
            order[j] = order[j - 1];
            order[j - 1] = t;
        }
}

static int32_t attribute(const struct gv_psx_vertex *v, int which)
{
    const uint8_t values[GV_PSX_ATTRIBUTES] = { v->r, v->g, v->b, v->u, v->v };
    return values[which];
}

// Rows of [begin, end) that a walk reaches: it stops at the first row beyond the area.
static void cut_walk(int32_t *begin, int32_t *end, bool up, int32_t area_y0,
                     int32_t area_y1)
{
    if (up) {
        for (int32_t y = *end - 1; y >= *begin; y--)
            if (gv_psx_wrap_11(y) < area_y0) {
                *begin = y + 1;
                return;
            }
    } else {
        for (int32_t y = *begin; y < *end; y++)
            if (gv_psx_wrap_11(y) > area_y1) {
                *end = y;
                return;
            }
    }
}

static void gradients(const struct gv_psx_vertex v[3], const int order[3], int core,
                      int32_t den, struct gv_psx_setup *s)
{
    for (int a = 0; a < GV_PSX_ATTRIBUTES; a++) {
        int32_t p0 = attribute(&v[order[0]], a), p1 = attribute(&v[order[1]], a),
                p2 = attribute(&v[order[2]], a);
        s->dx[a] = psx_gradient(p0, p1, p2, s->y[1] - s->y[0], s->y[2] - s->y[1], den);
        s->dy[a] =
            0u - psx_gradient(p0, p1, p2, s->x[1] - s->x[0], s->x[2] - s->x[1], den);
        s->base[a] = ((uint32_t)attribute(&v[core], a) << 24) + (1u << 23);
    }
}

bool gv_psx_triangle_setup(const struct gv_psx_vertex v[3], int32_t area_y0,
                           int32_t area_y1, struct gv_psx_setup *s)
{
    int order[3];
    sort_by_y(v, order);
    for (int i = 0; i < 3; i++) {
        s->x[i] = v[order[i]].x;
        s->y[i] = v[order[i]].y;
    }
    int32_t den = psx_area(s->x[0], s->y[0], s->x[1], s->y[1], s->x[2], s->y[2]);
    if (s->y[0] == s->y[2] || den == 0)
        return false;
    int core = psx_core_vertex(v[0].x, v[1].x, v[2].x);
    s->long_left = den > 0;
    s->core_x = v[core].x;
    s->core_y = v[core].y;
    gradients(v, order, core, den, s);
    s->top_begin = s->y[0];
    s->top_end = s->bottom_begin = s->y[1];
    s->bottom_end = s->y[2];
    s->top_up = core != order[0];
    s->bottom_up = core == order[2];
    s->bottom_first = core != order[0];
    cut_walk(&s->top_begin, &s->top_end, s->top_up, area_y0, area_y1);
    cut_walk(&s->bottom_begin, &s->bottom_end, s->bottom_up, area_y0, area_y1);
    return true;
}

// ceil(xa + (xb - xa) * (y - ya) / (yb - ya)); yb > ya.
static int32_t edge(const struct gv_psx_setup *s, int a, int b, int32_t y)
{
    return s->x[a] +
           psx_div_ceil((s->x[b] - s->x[a]) * (y - s->y[a]), s->y[b] - s->y[a]);
}

void gv_psx_triangle_row(const struct gv_psx_setup *s, int32_t y, int32_t *left,
                         int32_t *right)
{
    int32_t along = edge(s, 0, 2, y);
    int32_t other = y < s->y[1] ? edge(s, 0, 1, y) : edge(s, 1, 2, y);
    *left = s->long_left ? along : other;
    *right = s->long_left ? other : along;
}
