#include "compiler/lower/lower_state.h"

#include <math.h>
#include <string.h>

#define VIEWPORT_BOUND 32768.0f // of its edges; require.c tells devices with less
#define VIEWPORT_SIDE 16384.0f  // of its sides

// ---- viewport and scissor ----

struct gv_requirement gv_lower_fine_grid(struct gv_builder *b)
{
    const struct gv_requirement row = {
        .kind = GV_REQUIRE_LIMIT,
        .strength = GV_PREFERRED,
        .name = "subPixelPrecisionBits",
        .value = 8, // GV_LOWER_FINE_GRID
        .fallback = "edges are moved by steps of a coarser grid",
    };
    gv_builder_require(b, &row);
    return row;
}

bool gv_lower_scissor(const struct gv_lower_scissor *s, uint32_t width, uint32_t height,
                      struct gv_lower_rectangle *out)
{
    int64_t x0 = 0, y0 = 0, x1 = width, y1 = height;
    if (s) {
        int64_t right = (int64_t)s->x + s->width, bottom = (int64_t)s->y + s->height;
        x0 = s->x > 0 ? s->x : 0;
        y0 = s->y > 0 ? s->y : 0;
        x1 = right < x1 ? right : x1;
        y1 = bottom < y1 ? bottom : y1;
    }
    if (x0 >= x1 || y0 >= y1)
        return false;
    *out = (struct gv_lower_rectangle){ (uint32_t)x0, (uint32_t)y0, (uint32_t)(x1 - x0),
                                        (uint32_t)(y1 - y0) };
    return true;
}

static void clip(float *begin, float *size, float limit)
{
    float end = fminf(*begin + *size, limit);
    *begin = fmaxf(*begin, 0);
    *size = end - *begin;
}

// Beyond what devices take, one direction of the rectangle is clamped to the targets.
static void fit(float *begin, float *size, float limit)
{
    if (*begin < -VIEWPORT_BOUND || *begin + *size >= VIEWPORT_BOUND ||
        *size > VIEWPORT_SIDE)
        clip(begin, size, limit);
}

bool gv_lower_set_viewport(struct gv_builder *b, const struct gv_lower_viewport *v,
                           const struct gv_lower_scissor *s, uint32_t width,
                           uint32_t height)
{
    float w = (float)width, h = (float)height;
    struct gv_lower_viewport r = { .width = w, .height = h, .max_depth = 1 };
    struct gv_lower_rectangle visible;
    if (v)
        r = *v;
    if (r.x >= w || r.y >= h || r.x + r.width <= 0 || r.y + r.height <= 0)
        return false;
    if (!gv_lower_scissor(s, width, height, &visible))
        return false;
    fit(&r.x, &r.width, w);
    fit(&r.y, &r.height, h);
    gv_emit(b, set_viewport, .index = 0, .x = r.x, .y = r.y_down ? r.y : r.y + r.height,
            .width = r.width, .height = r.y_down ? r.height : -r.height,
            .min_depth = r.min_depth, .max_depth = r.max_depth);
    gv_emit(b, set_scissor, .index = 0, .x = visible.x, .y = visible.y,
            .width = visible.width, .height = visible.height);
    return true;
}

// ---- stencil and depth ----

void gv_lower_set_stencil(struct gv_builder *b, uint32_t reference, uint32_t read_mask,
                          uint32_t write_mask)
{
    const uint32_t both = GV_FACE_FRONT | GV_FACE_BACK;
    gv_emit(b, set_stencil_reference, .faces = both, .reference = reference);
    gv_emit(b, set_stencil_masks, .faces = both, .compare = read_mask,
            .write = write_mask);
}

void gv_lower_set_stencil_faces(struct gv_builder *b,
                                const struct gv_lower_stencil faces[2])
{
    if (!memcmp(&faces[0], &faces[1], sizeof faces[0])) {
        gv_lower_set_stencil(b, faces[0].reference, faces[0].read_mask,
                             faces[0].write_mask);
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t face = i ? GV_FACE_BACK : GV_FACE_FRONT;
        gv_emit(b, set_stencil_reference, .faces = face,
                .reference = faces[i].reference);
        gv_emit(b, set_stencil_masks, .faces = face, .compare = faces[i].read_mask,
                .write = faces[i].write_mask);
    }
}

// A unit is 2^-24 in 24 bits of depth, which are floats here: their unit halves with
// every halving of the depth. So much is asked for that it is always clamped, to what
// it shall be (dynamic_state.c asks for as much): save at a depth of 0, whose unit is
// next to nothing, or nothing. Devices that do not clamp have the unit of floats.
static void bias_24_bits(struct gv_builder *b, float units)
{
    const struct gv_requirement row = {
        .kind = GV_REQUIRE_FEATURE,
        .strength = GV_PREFERRED,
        .name = "depthBiasClamp",
        .fallback = "depth biases of 24 bits in units of floats",
    };
    gv_builder_require(b, &row);
    gv_builder_either_begin(b, &row, 1);
    gv_emit(b, set_depth_bias, .constant = copysignf(0x1p120f, units),
            .clamp = ldexpf(units, -24), .slope = 0);
    gv_builder_either_else(b);
    gv_emit(b, set_depth_bias, .constant = units, .clamp = 0, .slope = 0);
    gv_builder_either_end(b);
}

static void limited_bias(struct gv_builder *b, const struct gv_lower_depth_bias *bias)
{
    const struct gv_requirement row = {
        .kind = GV_REQUIRE_FEATURE,
        .strength = GV_PREFERRED,
        .name = "depthBiasClamp",
        .fallback = "depth biases without a limit",
    };
    gv_builder_require(b, &row);
    gv_builder_either_begin(b, &row, 1);
    gv_emit(b, set_depth_bias, .constant = bias->units, .clamp = bias->clamp,
            .slope = bias->slope);
    gv_builder_either_else(b);
    gv_emit(b, set_depth_bias, .constant = bias->units, .clamp = 0,
            .slope = bias->slope);
    gv_builder_either_end(b);
}

void gv_lower_set_depth_bias(struct gv_builder *b,
                             const struct gv_lower_depth_bias *bias)
{
    if (bias->clamp != 0) {
        limited_bias(b, bias);
        return;
    }
    // With a slope the sum is no constant that could be clamped to.
    if (bias->units != 0 && bias->in_24_bits && bias->slope == 0)
        bias_24_bits(b, bias->units);
    else
        gv_emit(b, set_depth_bias, .constant = bias->units, .clamp = 0,
                .slope = bias->slope);
}
