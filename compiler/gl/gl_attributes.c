// Saved state: a copy of all of it per level, of which the groups that were asked for
// come back (OpenGL 1.5 specification, section 6.1.14 and the last column of 6.2).
#include "compiler/gl/gl_attributes.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/texture/texture_saved.h"

struct saved {
    uint32_t mask;
    struct gv_gl_state state;
    // Mesa: what changes inside of an inner level is no change of this one.
    uint32_t changed;         // groups that have changed at this level
    struct gv_gl_state since; // as it was when changes were last looked for
    uint32_t draw_buffers[GV_GL_DRAW_BUFFERS], draw_buffer_count, read_buffer;
    struct gv_gl_saved_textures *textures; // owned; NULL: not saved
};

struct saved_client {
    uint32_t mask;
    struct gv_gl_client client;
    struct gv_gl_vertex_array arrays; // what client.vertex_array pointed to
};

struct gv_gl_attribute_stack {
    struct saved *levels[GV_GL_ATTRIBUTE_DEPTH]; // owned, kept once made
    struct saved_client *client_levels[GV_GL_ATTRIBUTE_DEPTH];
    uint32_t depth, client_depth;
};

static void forget_textures(struct saved *s)
{
    if (!s)
        return;
    free(s->textures);
    s->textures = NULL;
}

void gv_gl_attributes_free(struct gv_gl_context *c)
{
    struct gv_gl_attribute_stack *a = c->attributes;
    for (uint32_t i = 0; a && i < GV_GL_ATTRIBUTE_DEPTH; i++) {
        forget_textures(a->levels[i]);
        free(a->levels[i]);
        free(a->client_levels[i]);
    }
    free(a);
    c->attributes = NULL;
}

static struct gv_gl_attribute_stack *stack_of(struct gv_gl_context *c)
{
    if (!c->attributes)
        c->attributes = calloc(1, sizeof(*c->attributes));
    return c->attributes;
}

// ---- groups ----

// Whole groups: a mask bit, and which bytes of the state it stands for.
#define GROUP(bit, member)                            \
    {                                                 \
        bit, offsetof(struct gv_gl_state, member),    \
            sizeof(((struct gv_gl_state *)0)->member) \
    }
static const struct {
    uint32_t bit;
    size_t offset, size;
} groups[] = {
    GROUP(GL_CURRENT_BIT, current),
    GROUP(GL_POINT_BIT, point),
    GROUP(GL_LINE_BIT, line),
    GROUP(GL_POLYGON_STIPPLE_BIT, polygon.pattern),
    GROUP(GL_LIGHTING_BIT, lighting),
    GROUP(GL_FOG_BIT, fog),
    GROUP(GL_DEPTH_BUFFER_BIT, depth),
    GROUP(GL_STENCIL_BUFFER_BIT, stencil),
    GROUP(GL_VIEWPORT_BIT, viewport),
    GROUP(GL_VIEWPORT_BIT, viewports),
    GROUP(GL_TRANSFORM_BIT, transform),
    GROUP(GL_COLOR_BUFFER_BIT, color),
    GROUP(GL_EVAL_BIT, evaluation),
    GROUP(GL_LIST_BIT, list_base),
    GROUP(GL_TEXTURE_BIT, texture),
    GROUP(GL_SCISSOR_BIT, scissor),
    GROUP(GL_SCISSOR_BIT, scissors),
    GROUP(GL_MULTISAMPLE_BIT, multisample),
    GROUP(GL_ACCUM_BUFFER_BIT, accumulation),
};

static void restore_groups(struct gv_gl_state *to, const struct saved *from,
                           uint32_t mask)
{
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (mask & groups[i].bit)
            memcpy((uint8_t *)to + groups[i].offset,
                   (const uint8_t *)&from->state + groups[i].offset, groups[i].size);
}

// All of the polygon but its pattern.
static void restore_polygon(struct gv_gl_polygon *to, const struct gv_gl_polygon *from)
{
    struct gv_gl_polygon p = *from;
    memcpy(p.pattern, to->pattern, sizeof(p.pattern));
    *to = p;
}

// All of pixel transfers but the maps.
static void restore_pixel_mode(struct gv_gl_context *c, const struct saved *from)
{
    memcpy(&c->state.pixel, &from->state.pixel, offsetof(struct gv_gl_pixel, maps));
    c->read_buffer = from->read_buffer;
}

static void restore_draw_buffers(struct gv_gl_context *c, const struct saved *from)
{
    memcpy(c->draw_buffers, from->draw_buffers, sizeof(c->draw_buffers));
    c->draw_buffer_count = from->draw_buffer_count;
}

// Whether coordinates of points are replaced belongs to points, per unit.
static void restore_sprites(struct gv_gl_state *to, const struct gv_gl_state *from)
{
    for (uint32_t i = 0; i < GV_GL_UNITS; i++)
        to->texture.units[i].coord_replace = from->texture.units[i].coord_replace;
}

// ---- GL_ENABLE_BIT ----

static void restore_vertex_enables(struct gv_gl_state *to,
                                   const struct gv_gl_state *from)
{
    to->lighting.enabled = from->lighting.enabled;
    to->lighting.by_program = from->lighting.by_program;
    to->lighting.color_material = from->lighting.color_material;
    memcpy(to->assembly, from->assembly, sizeof to->assembly);
    for (uint32_t i = 0; i < GV_GL_LIGHTS; i++)
        to->lighting.lights[i].enabled = from->lighting.lights[i].enabled;
    to->transform.normalize = from->transform.normalize;
    to->transform.rescale_normal = from->transform.rescale_normal;
    to->transform.depth_clamp = from->transform.depth_clamp;
    to->transform.clip_enabled = from->transform.clip_enabled;
    to->evaluation.map1 = from->evaluation.map1;
    to->evaluation.map2 = from->evaluation.map2;
    to->evaluation.auto_normal = from->evaluation.auto_normal;
}

static void restore_unit_enables(struct gv_gl_state *to, const struct gv_gl_state *from)
{
    for (uint32_t i = 0; i < GV_GL_UNITS; i++) {
        struct gv_gl_unit *unit = &to->texture.units[i];
        unit->enabled = from->texture.units[i].enabled;
        for (uint32_t k = 0; k < 4; k++)
            unit->texgen[k].enabled = from->texture.units[i].texgen[k].enabled;
    }
    to->texture.seamless = from->texture.seamless;
}

static void restore_rasterization_enables(struct gv_gl_state *to,
                                          const struct gv_gl_state *from)
{
    to->polygon.cull = from->polygon.cull;
    to->polygon.smooth = from->polygon.smooth;
    to->polygon.stipple = from->polygon.stipple;
    to->polygon.offset_fill = from->polygon.offset_fill;
    to->polygon.offset_line = from->polygon.offset_line;
    to->polygon.offset_point = from->polygon.offset_point;
    to->line.smooth = from->line.smooth;
    to->line.stipple = from->line.stipple;
    to->point.smooth = from->point.smooth;
    to->point.sprite = from->point.sprite;
    to->point.by_program = from->point.by_program;
    const struct gv_gl_multisample own = to->multisample;
    to->multisample = from->multisample;
    to->multisample.value = own.value;
    to->multisample.invert = own.invert;
    to->multisample.min_shading = own.min_shading;
    to->multisample.mask_off = own.mask_off;
}

static void restore_fragment_enables(struct gv_gl_state *to,
                                     const struct gv_gl_state *from)
{
    to->fog.enabled = from->fog.enabled;
    to->fog.color_sum = from->fog.color_sum;
    to->scissor.enabled = from->scissor.enabled;
    for (uint32_t i = 0; i < GV_GL_VIEWPORTS - 1; i++)
        to->scissors[i].enabled = from->scissors[i].enabled;
    to->depth.test = from->depth.test;
    to->stencil.test = from->stencil.test;
    to->stencil.two_side = from->stencil.two_side;
    to->color.logic_op = from->color.logic_op;
    to->color.alpha_test = from->color.alpha_test;
    to->color.dither = from->color.dither;
    to->color.srgb = from->color.srgb;
    for (uint32_t i = 0; i < GV_GL_DRAW_BUFFERS; i++)
        to->color.blend[i].enabled = from->color.blend[i].enabled;
}

static void restore_enables(struct gv_gl_state *to, const struct gv_gl_state *from)
{
    restore_vertex_enables(to, from);
    restore_unit_enables(to, from);
    restore_rasterization_enables(to, from);
    restore_fragment_enables(to, from);
}

// ---- what has changed ----

// Groups whose changes are looked for; all others always come back.
#define WATCHED                                                               \
    (uint32_t)(GL_CURRENT_BIT | GL_POINT_BIT | GL_LINE_BIT | GL_POLYGON_BIT | \
               GL_LIGHTING_BIT | GL_FOG_BIT | GL_DEPTH_BUFFER_BIT |           \
               GL_STENCIL_BUFFER_BIT | GL_VIEWPORT_BIT | GL_TRANSFORM_BIT |   \
               GL_COLOR_BUFFER_BIT | GL_SCISSOR_BIT | GL_ENABLE_BIT)

static bool enables_differ(struct gv_gl_state *now, const struct gv_gl_state *then)
{
    struct gv_gl_state with = *now;
    restore_enables(&with, then);
    // Bytes between members may differ as well: then more comes back.
    return memcmp((const uint8_t *)&with, (const uint8_t *)now, sizeof with) != 0;
}

static uint32_t differing(struct gv_gl_state *now, const struct gv_gl_state *then)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (memcmp((const uint8_t *)now + groups[i].offset,
                   (const uint8_t *)then + groups[i].offset, groups[i].size) != 0)
            bits |= groups[i].bit;
    if (memcmp((const uint8_t *)&now->polygon, (const uint8_t *)&then->polygon,
               offsetof(struct gv_gl_polygon, pattern)) != 0)
        bits |= GL_POLYGON_BIT;
    // Halves that run programs of assembly are of no group.
    if (memcmp(now->assembly, then->assembly, sizeof now->assembly) != 0 ||
        (bits & ~(uint32_t)GL_CURRENT_BIT && enables_differ(now, then)))
        bits |= GL_ENABLE_BIT;
    return bits | ~WATCHED;
}

// Looks for changes at the innermost level.
static void look(struct gv_gl_context *c)
{
    const struct gv_gl_attribute_stack *a = c->attributes;
    if (a->depth == 0)
        return;
    struct saved *level = a->levels[a->depth - 1];
    level->changed |= differing(&c->state, &level->since);
}

// ---- server ----

static bool gl_PushAttrib(struct gv_gl *gl, const struct gv_trace_call *call,
                          struct gv_error *err)
{
    struct gv_gl_context *c = gl->context;
    struct gv_gl_attribute_stack *a = stack_of(c);
    if (!a)
        return gv_out_of_memory(err);
    if (a->depth == GV_GL_ATTRIBUTE_DEPTH)
        return gv_gl_reject(&gl->sink, GL_STACK_OVERFLOW);
    struct saved **level = &a->levels[a->depth];
    if (!*level)
        *level = calloc(1, sizeof(**level));
    if (!*level)
        return gv_out_of_memory(err);
    look(c);
    (*level)->mask = gv_gl_uint(call, 0);
    (*level)->state = (*level)->since = c->state;
    (*level)->changed = 0;
    memcpy((*level)->draw_buffers, c->draw_buffers, sizeof(c->draw_buffers));
    (*level)->draw_buffer_count = c->draw_buffer_count;
    (*level)->read_buffer = c->read_buffer;
    if ((*level)->mask & GL_TEXTURE_BIT) {
        (*level)->textures = gv_gl_textures_save(gl->context, &gl->objects);
        if (!(*level)->textures)
            return gv_out_of_memory(err);
    }
    a->depth++;
    return true;
}

static bool gl_PopAttrib(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    (void)call;
    struct gv_gl_context *c = gl->context;
    struct gv_gl_attribute_stack *a = c->attributes;
    if (!a || a->depth == 0)
        return gv_gl_reject(&gl->sink, GL_STACK_UNDERFLOW);
    look(c);
    struct saved *from = a->levels[--a->depth];
    const uint32_t mask = from->mask & from->changed;
    restore_groups(&c->state, from, mask);
    // Restored colours are not heard of.
    if (mask & GL_CURRENT_BIT)
        memcpy(c->given.color, c->state.current.slots[GV_GL_COLOR],
               sizeof(c->given.color));
    if (mask & GL_LIGHTING_BIT)
        c->given.parts[0] = c->given.parts[1] = 0;
    if (mask & GL_POLYGON_BIT)
        restore_polygon(&c->state.polygon, &from->state.polygon);
    if (mask & GL_PIXEL_MODE_BIT)
        restore_pixel_mode(c, from);
    if (from->mask & GL_COLOR_BUFFER_BIT)
        restore_draw_buffers(c, from);
    if (from->mask & GL_POINT_BIT)
        restore_sprites(&c->state, &from->state);
    if (mask & GL_ENABLE_BIT)
        restore_enables(&c->state, &from->state);
    gv_gl_settle_stencil(&c->state.stencil);
    const bool ok = !from->textures || gv_gl_textures_restore(gl, from->textures, err);
    forget_textures(from);
    if (a->depth > 0)
        a->levels[a->depth - 1]->since = c->state;
    return ok;
}

// ---- client ----

static bool gl_PushClientAttrib(struct gv_gl *gl, const struct gv_trace_call *call,
                                struct gv_error *err)
{
    struct gv_gl_context *c = gl->context;
    struct gv_gl_attribute_stack *a = stack_of(c);
    if (!a)
        return gv_out_of_memory(err);
    if (a->client_depth == GV_GL_ATTRIBUTE_DEPTH)
        return gv_gl_reject(&gl->sink, GL_STACK_OVERFLOW);
    struct saved_client **level = &a->client_levels[a->client_depth];
    if (!*level)
        *level = malloc(sizeof(**level));
    if (!*level)
        return gv_out_of_memory(err);
    (*level)->mask = gv_gl_uint(call, 0);
    (*level)->client = c->client;
    (*level)->arrays = *c->client.vertex_array;
    a->client_depth++;
    return true;
}

// The bytes of an array stay those that were recorded last: their owner keeps no
// others, and each draw brings its own.
static void restore_binding(struct gv_gl_binding *to, const struct gv_gl_binding *from)
{
    const uint64_t copy = to->copy;
    *to = *from;
    to->copy = copy;
}

static bool restore_arrays(struct gv_gl_context *c, struct gv_gl_sink *sink,
                           const struct saved_client *from)
{
    struct gv_gl_client *to = &c->client;
    struct gv_gl_vertex_array *bound = to->vertex_array;
    to->active = from->client.active;
    to->array_buffer = from->client.array_buffer;
    to->primitive_restart = from->client.primitive_restart;
    to->primitive_restart_fixed = from->client.primitive_restart_fixed;
    to->primitive_restart_index = from->client.primitive_restart_index;
    if (bound != from->client.vertex_array)
        return gv_gl_unsupported(sink, GV_GL_LACK(OTHER_VERTEX_ARRAY));
    memcpy(bound->arrays, from->arrays.arrays, sizeof(bound->arrays));
    for (uint32_t i = 0; i <= GV_GL_SLOTS; i++)
        restore_binding(&bound->bindings[i], &from->arrays.bindings[i]);
    bound->elements = from->arrays.elements;
    return true;
}

static bool set_PopClientAttrib(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                const struct gv_trace_call *call)
{
    (void)call;
    struct gv_gl_attribute_stack *a = c->attributes;
    if (!a || a->client_depth == 0)
        return gv_gl_reject(sink, GL_STACK_UNDERFLOW);
    const struct saved_client *from = a->client_levels[--a->client_depth];
    if (from->mask & GL_CLIENT_PIXEL_STORE_BIT) {
        c->client.pack = from->client.pack;
        c->client.unpack = from->client.unpack;
    }
    return !(from->mask & GL_CLIENT_VERTEX_ARRAY_BIT) || restore_arrays(c, sink, from);
}
GV_GL_SETTER(PopClientAttrib)

const struct gv_gl_row gv_gl_attribute_rows[] = {
    { "glPushAttrib", gl_PushAttrib, GV_GL_LISTED | GV_GL_QUIET },
    { "glPopAttrib", gl_PopAttrib, GV_GL_LISTED },
    { "glPushClientAttrib", gl_PushClientAttrib, GV_GL_QUIET },
    { "glPopClientAttrib", gl_PopClientAttrib, 0 },
    { 0 },
};
