// Points and lines of other sizes than one pixel. The runtime has another way for them
// where the device lacks them, but not for all.
#include "compiler/builder/require.h"

#include "compiler/builder/builder.h"
#include "vm/spirv/point_size.h"

static bool alternative(struct gv_requirements *r, const char *feature,
                        const char *fallback)
{
    const struct gv_requirement row = { .kind = GV_REQUIRE_FEATURE,
                                        .strength = GV_ALTERNATIVE,
                                        .name = feature,
                                        .fallback = fallback };
    return gv_requirements_add(r, &row);
}

static bool needed(struct gv_requirements *r, const char *feature)
{
    const struct gv_requirement row = { .kind = GV_REQUIRE_FEATURE, .name = feature };
    return gv_requirements_add(r, &row);
}

// What is seen late may make needed what was an alternative until then.
bool gv_require_sizes(struct gv_requirements *r, uint32_t seen)
{
    uint32_t all = r->sizes |= seen;
    bool points = all & (GV_SIZED_POINTS | GV_STIFF_POINTS),
         lines = all & GV_WIDE_LINES;
    bool all_points = all & (GV_STIFF_POINTS | GV_SIZES_COUNTED);
    bool all_lines = all & (GV_STIFF_LINES | GV_SIZES_COUNTED);
    return (!(all & GV_SIZED_POINTS) ||
            alternative(r, "largePoints", "points are drawn as quads")) &&
           (!lines || alternative(r, "wideLines", "wide lines are drawn as quads")) &&
           (!points || !all_points || needed(r, "largePoints")) &&
           (!lines || !all_lines || needed(r, "wideLines"));
}

static bool makes_lines(const struct gv_graphics_desc *d)
{
    return gv_topology_is_line(d->topology) ||
           (d->topology != GV_TOPOLOGY_POINT_LIST &&
            d->polygon_mode == GV_POLYGON_MODE_LINE);
}

static bool makes_points(const struct gv_graphics_desc *d)
{
    return d->topology == GV_TOPOLOGY_POINT_LIST ||
           (!gv_topology_is_line(d->topology) &&
            d->polygon_mode == GV_POLYGON_MODE_POINT);
}

// Lines that the runtime has no other way for.
static bool stiff_lines(const struct gv_graphics_desc *d, bool fixed)
{
    bool plain =
        d->topology == GV_TOPOLOGY_LINE_LIST || d->topology == GV_TOPOLOGY_LINE_STRIP;
    bool rectangles = d->line_mode != GV_LINE_MODE_BRESENHAM;
    return fixed || !plain || !rectangles || d->line_stipple;
}

bool gv_require_pipeline_sizes(struct gv_requirements *r,
                               const struct gv_graphics_desc *d, bool stages,
                               uint32_t traits)
{
    uint32_t seen = 0;
    bool fixed = stages || d->viewport_count > 1 || (traits & GV_POINTS_CAPTURED);
    bool list = d->topology == GV_TOPOLOGY_POINT_LIST;
    bool points = stages ? traits & GV_POINTS_MADE : makes_points(d);
    if (points && (traits & GV_POINTS_SIZED))
        seen |= list && !fixed ? GV_SIZED_POINTS : GV_STIFF_POINTS;
    if ((stages || makes_lines(d)) && stiff_lines(d, fixed))
        seen |= GV_STIFF_LINES;
    return !seen || gv_require_sizes(r, seen);
}
