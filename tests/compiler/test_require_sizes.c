// Points and lines of other sizes than one pixel: which the device must draw itself,
// and for which the runtime has another way.
#include "compiler/builder/require.h"
#include "tests/test.h"
#include "vm/descs.h"
#include "vm/spirv/point_size.h"

#define SIZED GV_POINTS_SIZED
#define CAPTURED GV_POINTS_CAPTURED
#define MADE GV_POINTS_MADE

static const struct {
    const char *name;
    uint32_t topology, polygon_mode, line_mode, viewports, traits;
    bool stipple, stages;
    uint32_t before, after; // seen beside the pipeline
    const char *rows;       // `~` before an alternative
} rows[] = {
    { "thin_points", 0, 0, 0, 1, 0, false, false, 0, 0, "" },
    { "points", 0, 0, 0, 1, SIZED, false, false, 0, 0, "~largePoints" },
    { "points_captured", 0, 0, 0, 1, SIZED | CAPTURED, false, false, 0, 0,
      "largePoints" },
    { "points_of_stages", 0, 0, 0, 1, SIZED | MADE, false, true, 0, 0, "largePoints" },
    { "viewports", 0, 0, 0, 2, SIZED, false, false, 0, 0, "largePoints" },
    { "points_of_polygons", 3, 2, 0, 1, SIZED, false, false, 0, 0, "largePoints" },
    { "lines_of_points", 1, 2, 0, 1, SIZED, false, false, 0, 0, "" },
    { "filled", 3, 0, 0, 1, SIZED, false, false, 0, 0, "" },
    { "points_counted", 0, 0, 0, 1, SIZED, false, false, 0, GV_SIZES_COUNTED,
      "~largePoints largePoints" },
    { "counted_points", 0, 0, 0, 1, SIZED, false, false, GV_SIZES_COUNTED, 0,
      "~largePoints largePoints" },
    { "thin_lines", 1, 0, 2, 1, 0, true, false, 0, 0, "" },
    { "wide", 1, 0, 0, 1, 0, false, false, GV_WIDE_LINES, 0, "~wideLines" },
    { "wide_strip", 2, 0, 1, 1, 0, false, false, 0, GV_WIDE_LINES, "~wideLines" },
    { "wide_bresenham", 1, 0, 2, 1, 0, false, false, 0, GV_WIDE_LINES,
      "~wideLines wideLines" },
    { "wide_smooth", 1, 0, 3, 1, 0, false, false, GV_WIDE_LINES, 0, "~wideLines" },
    { "wide_stipple", 1, 0, 1, 1, 0, true, false, 0, GV_WIDE_LINES,
      "~wideLines wideLines" },
    { "wide_edges", 3, 1, 0, 1, 0, false, false, 0, GV_WIDE_LINES,
      "~wideLines wideLines" },
    { "wide_beside_triangles", 3, 0, 0, 1, 0, false, false, GV_WIDE_LINES, 0,
      "~wideLines" },
    { "wide_of_stages", 3, 0, 0, 1, 0, false, true, GV_WIDE_LINES, 0,
      "~wideLines wideLines" },
    { "wide_adjacency", 6, 0, 0, 1, 0, false, false, GV_WIDE_LINES, 0,
      "~wideLines wideLines" },
    { "wide_captured", 2, 0, 0, 1, CAPTURED, false, false, GV_WIDE_LINES, 0,
      "~wideLines wideLines" },
    { "wide_viewports", 2, 0, 0, 3, 0, false, false, GV_WIDE_LINES, 0,
      "~wideLines wideLines" },
    { "wide_counted", 2, 0, 0, 1, 0, false, false, GV_WIDE_LINES, GV_SIZES_COUNTED,
      "~wideLines wideLines" },
};

static void check(size_t i)
{
    static struct gv_graphics_desc desc;
    struct gv_requirements r = { 0 };
    char text[128] = "";
    gv_graphics_desc_default(&desc);
    desc.topology = rows[i].topology;
    desc.polygon_mode = rows[i].polygon_mode;
    desc.line_mode = rows[i].line_mode;
    desc.viewport_count = rows[i].viewports;
    desc.line_stipple = rows[i].stipple;
    CHECK(gv_require_sizes(&r, rows[i].before));
    CHECK(gv_require_pipeline_sizes(&r, &desc, rows[i].stages, rows[i].traits));
    CHECK(gv_require_sizes(&r, rows[i].after));
    for (size_t k = 0; k < r.count; k++) {
        const struct gv_requirement *row = &r.rows[k].requirement;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s%s", k ? " " : "",
                 row->strength == GV_ALTERNATIVE ? "~" : "", row->name);
    }
    if (strcmp(text, rows[i].rows) != 0)
        fprintf(stderr, "%s: %s\n", rows[i].name, text);
    CHECK_ROW(rows[i].name, strcmp(text, rows[i].rows) == 0);
    gv_requirements_finish(&r);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(i);
    return TEST_RESULT();
}
