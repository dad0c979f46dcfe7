// glAccum: a buffer of four signed 16-bit numbers a pixel, as Mesa keeps them, and one
// compute program for all operations. Colours pass through a buffer of bytes. Windows
// of desktop GL can be sRGB in Mesa, for which glAccum sums light, not the numbers in
// bytes, whether GL_FRAMEBUFFER_SRGB is on or not.
#include "compiler/gl/draw/gl_accum.h"

#include <math.h>
#include <string.h>

#include "compiler/gl/draw/gl_draw.h"

#define GROUP 64u                       // pixels of a row that a workgroup has
#define MOST_BYTES ((uint64_t)1 << 27)  // of the numbers: what all devices bind
#define OPAQUE 16u                      // of the mask: alpha that is read is 1
#define SUM_BYTES (4 * sizeof(int16_t)) // of a pixel
#define LARGEST 32767.0f                // stands for 1

enum operation { LOAD, ACCUMULATE, ADD, MULTIPLY, RETURN, CLEAR };

// The program's uniform block, and its text.
struct work {
    uint32_t operation, x, y, width, height, stride, mask;
    float value;
    float clear[4];
};

static const char text[] =
    "#version 460\n"
    "layout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0) uniform Work {\n"
    "    uint operation, x, y, width, height, stride, mask;\n"
    "    float value;\n"
    "    vec4 clear;\n"
    "};\n"
    "layout(set = 1, binding = 0) buffer Sums { uint sums[]; };\n"
    "layout(set = 1, binding = 1) buffer Pixels { uint pixels[]; };\n"
    "layout(set = 1, binding = 2) readonly buffer Light {\n"
    "    float light[256], least[256];\n" // of a byte; that becomes at least that byte
    "};\n"
    "vec4 lit(uvec4 v) {\n"
    "    return vec4(light[v.x], light[v.y], light[v.z], float(v.w) * (1.0 / 255.0));\n"
    "}\n"
    "uint dark(float v) {\n"
    "    uint n = 0;\n"
    "    for (uint step = 128; step > 0; step /= 2)\n"
    "        n += v >= least[n + step] ? step : 0;\n"
    "    return n;\n"
    "}\n"
    "ivec4 low(ivec4 v) { return v << 16 >> 16; }\n" // of a number, its 16 bits
    "void main() {\n"
    "    uvec2 at = gl_GlobalInvocationID.xy;\n"
    "    if (at.x >= width || at.y >= height)\n"
    "        return;\n"
    "    uint i = 2 * ((y + at.y) * stride + x + at.x), p = at.y * width + at.x;\n"
    "    ivec4 sum = low(ivec4(sums[i], sums[i] >> 16, sums[i + 1], sums[i + 1] >> "
    "16));\n"
    "    uvec4 bytes = uvec4(pixels[p], pixels[p] >> 8, pixels[p] >> 16,\n"
    "                        pixels[p] >> 24) & 255u;\n"
    "    if (operation < 2 && (mask & 16) != 0)\n"
    "        bytes.w = 255;\n"
    "    vec4 color = lit(bytes);\n"
    "    if (operation == 0)\n"
    "        sum = ivec4(color * value);\n"
    "    else if (operation == 1)\n"
    "        sum += ivec4(color * value);\n"
    "    else if (operation == 2)\n"
    "        sum += ivec4(int(value));\n"
    "    else if (operation == 3)\n"
    "        sum = ivec4(vec4(sum) * value);\n"
    "    else if (operation == 5)\n"
    "        sum = ivec4(clear);\n"
    "    if (operation == 4) {\n"
    "        vec4 all = vec4(sum) * value;\n"
    "        uvec4 shown = uvec4(dark(all.x), dark(all.y), dark(all.z),\n"
    "                            roundEven(clamp(all.w, 0.0, 1.0) * 255.0));\n"
    "        bvec4 written = notEqual(uvec4(mask) & uvec4(1, 2, 4, 8), uvec4(0));\n"
    "        bytes = mix(bytes, shown, written);\n"
    "        pixels[p] = bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24;\n"
    "        return;\n"
    "    }\n"
    "    uvec4 u = uvec4(sum) & 0xFFFFu;\n"
    "    sums[i] = u.x | u.y << 16;\n"
    "    sums[i + 1] = u.z | u.w << 16;\n"
    "}\n";

// ---- buffers ----

// The light that a byte of sRGB stands for (IEC 61966-2-1).
static float light_of(double byte)
{
    double v = byte / 255;
    return (float)(v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

static bool make_light(struct gv_builder *b, struct gv_gl_accumulator *a,
                       struct gv_error *err)
{
    struct gv_bytes table = { 0 };
    for (int i = 0; i < 256; i++)
        gv_bytes_f32(&table, light_of(i));
    for (int i = 0; i < 256; i++)
        gv_bytes_f32(&table, i ? light_of(i - 0.5) : -INFINITY);
    if (table.failed)
        return gv_out_of_memory(err);
    a->light =
        gv_emit(b, buffer_create, .size = table.size, .usage = GV_BUFFER_USAGE_STORAGE);
    gv_emit(b, buffer_upload, .buffer = a->light, .offset = 0,
            .data = gv_data(table.data), .size = table.size);
    gv_bytes_finish(&table);
    return true;
}

static struct gv_buffer make_buffer(struct gv_builder *b, uint64_t bytes)
{
    return gv_emit(b, buffer_create, .size = bytes, .usage = GV_BUFFER_USAGE_STORAGE);
}

// Those of a surface, of its size. What a smaller one had is lost, as in Mesa.
static bool make_buffers(struct gv_gl_sink *sink, struct gv_gl_surface *s)
{
    const uint64_t pixels = (uint64_t)s->width * s->height;
    if (s->sums.id && s->sums_width == s->width && s->sums_height == s->height)
        return true;
    if (pixels * SUM_BYTES > MOST_BYTES) {
        gv_gl_unsupported_over(sink, GV_GL_LACK(ACCUM_BYTES), pixels * SUM_BYTES,
                               MOST_BYTES);
        return false;
    }
    gv_lower_transfer(&sink->pass);
    if (s->sums.id) {
        gv_emit(sink->b, buffer_destroy, .buffer = s->sums);
        gv_emit(sink->b, buffer_destroy, .buffer = s->bytes);
    }
    s->sums = make_buffer(sink->b, pixels * SUM_BYTES);
    s->bytes = make_buffer(sink->b, pixels * 4);
    s->sums_width = s->width;
    s->sums_height = s->height;
    return true;
}

// ---- work ----

static void copy_out(struct gv_lower_pass *pass, const struct gv_gl_surface *s,
                     const struct gv_lower_attachment *from, const struct work *w)
{
    gv_emit(gv_lower_transfer(pass), image_to_buffer, .buffer = s->bytes, .offset = 0,
            .row_bytes = 0, .rows = 0, .image = from->image, .aspect = GV_ASPECT_COLOR,
            .mip = 0, .layer = 0, .layers = 1, .x = w->x, .y = w->y, .z = 0,
            .width = w->width, .height = w->height, .depth = 1);
}

static void copy_in(struct gv_lower_pass *pass, const struct gv_gl_surface *s,
                    const struct gv_lower_attachment *to, const struct work *w)
{
    gv_emit(gv_lower_transfer(pass), buffer_to_image, .image = to->image,
            .aspect = GV_ASPECT_COLOR, .mip = 0, .layer = 0, .layers = 1, .x = w->x,
            .y = w->y, .z = 0, .width = w->width, .height = w->height, .depth = 1,
            .buffer = s->bytes, .offset = 0, .row_bytes = 0, .rows = 0);
}

static void bind(struct gv_builder *b, uint32_t binding, struct gv_buffer buffer)
{
    gv_emit(b, bind_buffer, .set = 1, .binding = binding, .element = 0,
            .buffer = buffer, .offset = 0, .size = 0);
}

static bool dispatch(struct gv_gl *gl, const struct gv_gl_surface *s,
                     const struct work *w, struct gv_error *err)
{
    struct gv_gl_accumulator *a = &gl->drawing->accumulator;
    uint8_t block[sizeof *w];
    memcpy(block, w, sizeof block);
    gv_lower_transfer(&gl->sink.pass);
    if (!a->pipeline.id) {
        if (!gv_gl_make_compute(&gl->sink, text, &a->pipeline, err) ||
            !make_light(gl->sink.b, a, err))
            return false;
        a->block = ++gl->sink.serials;
    }
    gv_emit(gl->sink.b, bind_pipeline, .pipeline = a->pipeline);
    gv_lower_bind_bytes(gl->sink.b, &(struct gv_lower_place){ 0, 0, 0 }, a->block,
                        block, sizeof block);
    bind(gl->sink.b, 0, s->sums);
    bind(gl->sink.b, 1, s->bytes);
    bind(gl->sink.b, 2, a->light);
    gv_emit(gl->sink.b, dispatch, .x = (w->width + GROUP - 1) / GROUP, .y = w->height,
            .z = 1, .ranges = gv_data(""), .size = 0);
    return !gv_builder_failed(gl->sink.b, err);
}

static bool give_back(struct gv_gl *gl, const struct gv_gl_targets *t, struct work *w,
                      struct gv_error *err)
{
    const struct gv_gl_color *c = &gl->context->state.color;
    const struct gv_gl_surface *s = gl->context->draw_surface;
    for (uint32_t i = 0; i < t->lower.color_count; i++) {
        const struct gv_lower_attachment *to = &t->lower.colors[i];
        if (!to->image.id)
            continue;
        w->mask = 0;
        for (uint32_t k = 0; k < 4; k++)
            w->mask |= (uint32_t)(c->mask[i][k] && !(k == 3 && to->opaque)) << k;
        copy_out(&gl->sink.pass, s, to, w);
        if (!dispatch(gl, s, w, err))
            return false;
        copy_in(&gl->sink.pass, s, to, w);
    }
    return true;
}

static struct work work_on(const struct gv_lower_rectangle *part, uint32_t stride)
{
    return (struct work){ .x = part->x,
                          .y = part->y,
                          .width = part->width,
                          .height = part->height,
                          .stride = stride };
}

// ---- calls ----

static bool run(struct gv_gl *gl, enum operation operation, float value,
                struct gv_error *err)
{
    static const float scales[] = { [LOAD] = LARGEST,
                                    [ACCUMULATE] = LARGEST,
                                    [ADD] = LARGEST,
                                    [MULTIPLY] = 1,
                                    [RETURN] = 1 / LARGEST };
    struct gv_gl_surface *s = gl->context->draw_surface;
    struct gv_gl_targets t;
    struct gv_gl_read_source from;
    struct gv_lower_rectangle part;
    if (!gv_gl_draw_targets(gl, &t, err) || !gv_gl_read_targets(gl, &from, err))
        return false;
    if (!t.complete || !gv_gl_scissored(gl->context, &t, &part))
        return true;
    if (t.samples > 1)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(ACCUM_SAMPLES));
    if (!make_buffers(&gl->sink, s))
        return true;
    struct work w = work_on(&part, s->width);
    w.operation = operation;
    w.value = value * scales[operation];
    if (operation == RETURN)
        return give_back(gl, &t, &w, err);
    if (operation == LOAD || operation == ACCUMULATE) {
        if (!from.color.image.id)
            return true; // GL_NONE is read
        w.mask = from.color.opaque ? OPAQUE : 0;
        copy_out(&gl->sink.pass, s, &from.color, &w);
    }
    return dispatch(gl, s, &w, err);
}

// glAccumxOES has fixed point.
static float value_of(const struct gv_trace_call *call)
{
    double value = gv_trace_real(gv_trace_argument(call, 1));
    bool fixed = strcmp(call->function->name, "glAccumxOES") == 0;
    return (float)(fixed ? value / 65536 : value);
}

static bool accumulate(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    static const enum operation operations[] = {
        [GL_ACCUM - GL_ACCUM] = ACCUMULATE, [GL_LOAD - GL_ACCUM] = LOAD,
        [GL_RETURN - GL_ACCUM] = RETURN,    [GL_MULT - GL_ACCUM] = MULTIPLY,
        [GL_ADD - GL_ACCUM] = ADD,
    };
    const struct gv_gl_context *c = gl->context;
    const uint32_t which = gv_gl_uint(call, 0) - GL_ACCUM;
    if (which >= sizeof operations / sizeof operations[0])
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!c->visual.accumulates || c->draw_framebuffer || c->read_framebuffer ||
        c->draw_surface != c->read_surface)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    return gv_gl_draws_nothing(c) || run(gl, operations[which], value_of(call), err);
}

bool gv_gl_accum_clear(struct gv_gl *gl, const struct gv_lower_rectangle *part,
                       struct gv_error *err)
{
    const struct gv_gl_context *c = gl->context;
    if (!c->visual.accumulates || c->draw_framebuffer ||
        !make_buffers(&gl->sink, c->draw_surface))
        return true;
    struct work w = work_on(part, c->draw_surface->width);
    w.operation = CLEAR;
    for (uint32_t i = 0; i < 4; i++)
        w.clear[i] = c->state.accumulation.clear[i] * LARGEST;
    return dispatch(gl, c->draw_surface, &w, err);
}

const struct gv_gl_row gv_gl_accum_rows[] = {
    { "glAccum", accumulate, GV_GL_LISTED },
    { "glAccumxOES", accumulate, GV_GL_LISTED },
    { NULL, NULL, 0 },
};
