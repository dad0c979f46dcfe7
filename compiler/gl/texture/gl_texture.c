#include "compiler/gl/texture/gl_texture.h"
#include "compiler/gl/base/gl_names.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/texture/texture_object.h"

// ---- life ----

void gv_gl_texture_init(struct gv_gl_texture *t, uint32_t target)
{
    bool rectangle =
        target == GV_GL_TARGET_RECTANGLE || target == GV_GL_TARGET_EXTERNAL;
    uint32_t wrap = rectangle ? GL_CLAMP_TO_EDGE : GL_REPEAT;
    t->typed = true;
    t->target = (uint8_t)target;
    t->params = (struct gv_gl_texture_params){
        .min_filter = rectangle ? GL_LINEAR : GL_NEAREST_MIPMAP_LINEAR,
        .mag_filter = GL_LINEAR,
        .wrap = { wrap, wrap, wrap },
        .min_lod = -1000,
        .max_lod = 1000,
        .priority = 1,
        .anisotropy = 1,
        .max_level = 1000,
        .compare_mode = GL_NONE,
        .compare_func = GL_LEQUAL,
        .depth_mode = GL_LUMINANCE,
        .stencil_mode = GL_DEPTH_COMPONENT,
        .swizzle = { GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA },
        .srgb_decode = GL_DECODE_EXT,
    };
}

bool gv_gl_textures_create(struct gv_gl_objects *objects, struct gv_gl_sink *sink,
                           struct gv_error *err)
{
    struct gv_gl_textures *all = calloc(1, sizeof *all);
    if (!all)
        return gv_out_of_memory(err);
    all->names = (struct gv_id_map){ .arena = sink->arena,
                                     .object_bytes = sizeof(struct gv_gl_texture),
                                     .serials = &sink->serials,
                                     .limit = GV_GL_MAX_TEXTURES };
    all->samplers = (struct gv_id_map){ .arena = sink->arena,
                                        .object_bytes = sizeof(struct gv_gl_sampler),
                                        .serials = &sink->serials,
                                        .limit = GV_GL_MAX_TEXTURES };
    all->stand_ins.pass = &sink->pass;
    objects->textures = all;
    return true;
}

bool gv_gl_textures_enter_group(struct gv_gl_objects *objects, struct gv_error *err)
{
    struct gv_gl_textures *all = objects->textures;
    struct gv_gl_default_textures *d = all->sets;
    while (d && d->group != objects->group)
        d = d->next;
    if (!d) {
        d = calloc(1, sizeof *d);
        if (!d)
            return gv_out_of_memory(err);
        d->group = objects->group;
        d->next = all->sets;
        all->sets = d;
        for (uint32_t target = 0; target < GV_GL_TARGETS; target++)
            gv_gl_texture_init(&d->textures[target], target);
    }
    all->defaults = d->textures;
    return true;
}

// Frees what is on this side; the device's images end with the payload.
static void finish(struct gv_gl_textures *textures, struct gv_gl_texture *t)
{
    for (uint32_t face = 0; face < GV_GL_FACES; face++)
        for (uint32_t level = 0; level < GV_GL_LEVELS; level++) {
            struct gv_gl_texture_image *i = t->images[face][level];
            if (!i)
                continue;
            gv_gl_pending_drop(textures, i);
            if (i->store && !--i->store->references)
                free(i->store);
            free(i);
        }
}

void gv_gl_textures_destroy(struct gv_gl_objects *objects)
{
    struct gv_gl_textures *all = objects->textures;
    if (!all)
        return;
    for (struct gv_named *o = gv_id_first(&all->names); o; o = gv_id_next(o))
        finish(objects->textures, (struct gv_gl_texture *)o);
    while (all->sets) {
        struct gv_gl_default_textures *d = all->sets;
        all->sets = d->next;
        for (uint32_t target = 0; target < GV_GL_TARGETS; target++)
            finish(objects->textures, &d->textures[target]);
        free(d);
    }
    free(all);
    objects->textures = NULL;
}

// ---- finding ----

struct gv_gl_texture *gv_gl_texture_find(const struct gv_gl_objects *objects,
                                         uint32_t target, uint32_t name)
{
    return name ? (struct gv_gl_texture *)gv_id_find(&objects->textures->names,
                                                     gv_gl_key(objects->group, name))
                : &objects->textures->defaults[target];
}

struct gv_gl_texture *gv_gl_texture_bound(const struct gv_gl_context *c,
                                          const struct gv_gl_objects *objects,
                                          uint32_t unit, uint32_t target)
{
    struct gv_gl_texture *t = objects->textures->named;
    if (!t)
        t = gv_gl_texture_find(objects, target, c->state.texture.bound[unit][target]);
    return t && t->typed && t->target == target ? t : NULL;
}

static const uint32_t target_names[GV_GL_TARGETS] = {
    [GV_GL_TARGET_1D] = GL_TEXTURE_1D,
    [GV_GL_TARGET_2D] = GL_TEXTURE_2D,
    [GV_GL_TARGET_RECTANGLE] = GL_TEXTURE_RECTANGLE,
    [GV_GL_TARGET_3D] = GL_TEXTURE_3D,
    [GV_GL_TARGET_CUBE] = GL_TEXTURE_CUBE_MAP,
    [GV_GL_TARGET_1D_ARRAY] = GL_TEXTURE_1D_ARRAY,
    [GV_GL_TARGET_2D_ARRAY] = GL_TEXTURE_2D_ARRAY,
    [GV_GL_TARGET_EXTERNAL] = GV_GL_TEXTURE_EXTERNAL_OES,
    [GV_GL_TARGET_2D_SAMPLES] = GL_TEXTURE_2D_MULTISAMPLE,
    [GV_GL_TARGET_BUFFER] = GL_TEXTURE_BUFFER,
    [GV_GL_TARGET_CUBE_ARRAY] = GL_TEXTURE_CUBE_MAP_ARRAY,
    [GV_GL_TARGET_2D_SAMPLES_ARRAY] = GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
};

uint32_t gv_gl_texture_target_name(uint32_t target)
{
    return target_names[target];
}

bool gv_gl_texture_target(uint32_t name, uint32_t *target)
{
    for (uint32_t i = 0; i < GV_GL_TARGETS; i++)
        if (target_names[i] == name) {
            *target = i;
            return true;
        }
    return false;
}

bool gv_gl_image_target(uint32_t name, uint32_t dimensions,
                        struct gv_gl_image_target *out)
{
    static const struct {
        uint32_t name, proxy, dimensions, target;
    } targets[] = {
        { GL_TEXTURE_1D, GL_PROXY_TEXTURE_1D, 1, GV_GL_TARGET_1D },
        { GL_TEXTURE_2D, GL_PROXY_TEXTURE_2D, 2, GV_GL_TARGET_2D },
        { GL_TEXTURE_RECTANGLE, GL_PROXY_TEXTURE_RECTANGLE, 2, GV_GL_TARGET_RECTANGLE },
        { GL_TEXTURE_1D_ARRAY, GL_PROXY_TEXTURE_1D_ARRAY, 2, GV_GL_TARGET_1D_ARRAY },
        { 0, GL_PROXY_TEXTURE_CUBE_MAP, 2, GV_GL_TARGET_CUBE },
        { GV_GL_TEXTURE_EXTERNAL_OES, 0, 2, GV_GL_TARGET_EXTERNAL },
        { GL_TEXTURE_3D, GL_PROXY_TEXTURE_3D, 3, GV_GL_TARGET_3D },
        { GL_TEXTURE_2D_ARRAY, GL_PROXY_TEXTURE_2D_ARRAY, 3, GV_GL_TARGET_2D_ARRAY },
        { GL_TEXTURE_CUBE_MAP_ARRAY, GL_PROXY_TEXTURE_CUBE_MAP_ARRAY, 3,
          GV_GL_TARGET_CUBE_ARRAY },
    };
    if (dimensions == 2 && name >= GL_TEXTURE_CUBE_MAP_POSITIVE_X &&
        name <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z) {
        *out = (struct gv_gl_image_target){ .target = GV_GL_TARGET_CUBE,
                                            .face =
                                                name - GL_TEXTURE_CUBE_MAP_POSITIVE_X };
        return true;
    }
    for (size_t i = 0; name && i < sizeof targets / sizeof *targets; i++)
        if (targets[i].dimensions == dimensions &&
            (targets[i].name == name || targets[i].proxy == name)) {
            *out = (struct gv_gl_image_target){ .target = targets[i].target,
                                                .proxy = targets[i].proxy == name };
            return true;
        }
    return false;
}

// ---- binding ----

uint32_t gv_gl_texture_make(struct gv_gl *gl, uint32_t target, uint32_t name,
                            struct gv_gl_texture **out, struct gv_error *err)
{
    *out = gv_gl_texture_find(&gl->objects, target, name);
    if (*out)
        return (*out)->target == target ? GL_NO_ERROR : GL_INVALID_OPERATION;
    *out = (struct gv_gl_texture *)gv_gl_name_make(&gl->objects.textures->names,
                                                   gv_gl_key(gl->objects.group, name),
                                                   "textures", err);
    if (!*out)
        return GL_OUT_OF_MEMORY;
    gv_gl_texture_init(*out, target);
    if (gl->context->core)
        (*out)->params.depth_mode = GL_RED;
    if (gl->context->family == GV_GL_ES)
        (*out)->params.depth_mode = GL_NONE; // as the format says
    return GL_NO_ERROR;
}

static bool gl_BindTexture(struct gv_gl *gl, const struct gv_trace_call *call,
                           struct gv_error *err)
{
    struct gv_gl_texture_state *s = &gl->context->state.texture;
    uint32_t target, name = gv_gl_uint(call, 1);
    struct gv_gl_texture *t;
    if (!gv_gl_texture_target(gv_gl_uint(call, 0), &target))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    uint32_t error = gv_gl_texture_make(gl, target, name, &t, err);
    if (error == GL_OUT_OF_MEMORY)
        return false;
    if (error)
        return gv_gl_reject(&gl->sink, error);
    if (s->active < GV_GL_IMAGE_UNITS)
        s->bound[s->active][target] = name;
    return true;
}

static void drop(struct gv_gl_objects *objects, struct gv_lower_pass *pass,
                 uint32_t name)
{
    struct gv_named *named =
        gv_id_remove(&objects->textures->names, gv_gl_key(objects->group, name));
    if (!named)
        return;
    gv_gl_texture_empty(objects->textures, pass, (struct gv_gl_texture *)named);
    gv_gl_texels_drop(pass, (struct gv_gl_texture *)named);
    if (gv_id_release(named))
        gv_id_reuse(&objects->textures->names, named);
}

// Those without a name, too.
void gv_gl_textures_end_group(struct gv_gl_objects *objects, struct gv_lower_pass *pass)
{
    struct gv_gl_textures *all = objects->textures;
    struct gv_gl_default_textures **at = &all->sets, *d;
    for (uint32_t i = 0; i < all->names.capacity; i++)
        if (gv_gl_name_at(objects->group, &all->names, i))
            drop(objects, pass, gv_gl_name_at(objects->group, &all->names, i));
    while (*at && (*at)->group != objects->group)
        at = &(*at)->next;
    d = *at;
    if (!d)
        return;
    for (uint32_t target = 0; target < GV_GL_TARGETS; target++) {
        gv_gl_texture_empty(objects->textures, pass, &d->textures[target]);
        gv_gl_texels_drop(pass, &d->textures[target]);
    }
    *at = d->next;
    free(d);
}

static void delete_one(struct gv_gl_context *c, struct gv_gl_objects *objects,
                       struct gv_lower_pass *pass, uint32_t name)
{
    const struct gv_gl_texture *t =
        name ? gv_gl_texture_find(objects, GV_GL_TARGET_2D, name) : NULL;
    struct gv_gl_texture_state *s = &c->state.texture;
    if (!t)
        return;
    for (uint32_t unit = 0; unit < GV_GL_IMAGE_UNITS; unit++)
        if (s->bound[unit][t->target] == name)
            s->bound[unit][t->target] = 0;
    for (uint32_t unit = 0; unit < GV_GL_STORAGE_UNITS; unit++)
        if (c->image_units[unit].texture == name)
            c->image_units[unit] = (struct gv_gl_image_unit){ 0 };
    drop(objects, pass, name);
}

static bool gl_DeleteTextures(struct gv_gl *gl, const struct gv_trace_call *call,
                              struct gv_error *err)
{
    (void)err;
    int32_t count = gv_gl_int(call, 0);
    const struct gv_trace_value *names = gv_trace_argument(call, 1);
    if (count < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    uint64_t there = names->kind == GV_TRACE_ARRAY ? names->count : 1;
    for (uint64_t i = 0; i < (uint64_t)count && i < there; i++)
        delete_one(gl->context, &gl->objects, &gl->sink.pass,
                   (uint32_t)gv_trace_uint(gv_trace_item(names, i)));
    return true;
}

// What glGenTextures gives out needs no memory: objects are made when they are bound.
static bool set_GenTextures(struct gv_gl_context *c, struct gv_gl_sink *sink,
                            const struct gv_trace_call *call)
{
    (void)c;
    return gv_gl_int(call, 0) < 0 ? gv_gl_reject(sink, GL_INVALID_VALUE) : true;
}
GV_GL_SETTER(GenTextures)

static bool set_PrioritizeTextures(struct gv_gl_context *c, struct gv_gl_sink *sink,
                                   const struct gv_trace_call *call)
{
    (void)c;
    return gv_gl_int(call, 0) < 0 ? gv_gl_reject(sink, GL_INVALID_VALUE) : true;
}
GV_GL_SETTER(PrioritizeTextures)

const struct gv_gl_row gv_gl_texture_rows[] = {
    { "glAreTexturesResident", NULL, 0 },
    { "glBindTexture", gl_BindTexture, GV_GL_LISTED },
    { "glDeleteTextures", gl_DeleteTextures, 0 },
    { "glGenTextures", gl_GenTextures, 0 },
    { "glIsTexture", NULL, 0 },
    { "glPrioritizeTextures", gl_PrioritizeTextures, GV_GL_LISTED },
    { "glGetTexLevelParameterfv", NULL, 0 },
    { "glGetTexLevelParameteriv", NULL, 0 },
    { "glGetTexParameterfv", NULL, 0 },
    { "glGetTexParameteriv", NULL, 0 },
    { NULL, NULL, 0 },
};
