// Textures by name or by unit (ARB_direct_state_access, EXT_direct_state_access): each
// call is one of the bound texture's, run on another texture.
#include <string.h>

#include "compiler/gl/texture/texture_object.h"

#define MOST_ARGUMENTS 16u // of such a call

// ---- the call that it is ----

static const struct gv_gl_row *row_in(const struct gv_gl_row *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0)
        rows++;
    return rows->name ? rows : NULL;
}

static gv_gl_handler *handler_of(const struct gv_gl_textures *textures,
                                 const char *name)
{
    const struct gv_gl_row *const tables[] = {
        gv_gl_texture_rows,
        gv_gl_texture_image_rows,
        gv_gl_texture_sub_image_rows,
        gv_gl_texture_compressed_rows,
        gv_gl_texture_storage_rows,
        gv_gl_texture_samples_rows,
        gv_gl_texture_mipmap_rows,
        gv_gl_texture_parameter_rows,
        gv_gl_texture_buffer_rows,
        textures->copy_rows,
        NULL,
    };
    const struct gv_gl_row *row = NULL;
    for (size_t i = 0; !row && tables[i]; i++)
        row = row_in(tables[i], name);
    return row ? row->run : NULL;
}

// "glCopyTextureSubImage2DEXT": "glCopyTexSubImage2D".
static bool bound_name(const char *name, char *out, size_t size)
{
    const char *multi = strstr(name, "MultiTex");
    const char *at = multi ? multi : strstr(name, "Texture");
    size_t length = strlen(name), skipped = multi ? 8 : 7;
    if (!at || length >= size)
        return false;
    size_t front = (size_t)(at - name);
    bool mips = strstr(name, "Mipmap") != NULL;
    size_t end = length > 3 && !strcmp(name + length - 3, "EXT") ? length - 3 : length;
    memcpy(out, name, front);
    if (!mips) {
        memcpy(out + front, "Tex", 3);
        front += 3;
    }
    size_t rest = (size_t)(name + end - at) - skipped;
    memcpy(out + front, at + skipped, rest);
    out[front + rest] = 0;
    return true;
}

static bool run(struct gv_gl *gl, const struct gv_trace_call *call,
                const struct gv_trace_call *as, struct gv_error *err)
{
    char name[64];
    gv_gl_handler *handler = bound_name(call->function->name, name, sizeof name)
                                 ? handler_of(gl->objects.textures, name)
                                 : NULL;
    if (!handler)
        return gv_gl_unsupported(&gl->sink, GV_GL_LACK(COMMAND));
    const struct gv_trace_call *outer = gl->sink.call;
    gl->sink.call = as;
    bool ok = handler(gl, as, err);
    gl->sink.call = outer;
    return ok;
}

// ---- by name ----

// texture, ... : the target is the texture's own.
static bool by_name(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    struct gv_trace_value arguments[MOST_ARGUMENTS];
    struct gv_trace_call as = *call;
    uint32_t name = gv_gl_uint(call, 0);
    struct gv_gl_texture *t = name ? gv_gl_texture_find(&gl->objects, 0, name) : NULL;
    if (!t || !t->typed || call->argument_count > MOST_ARGUMENTS ||
        !call->argument_count)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    memcpy(arguments, call->arguments, call->argument_count * sizeof *arguments);
    arguments[0] =
        (struct gv_trace_value){ .kind = GV_TRACE_UINT,
                                 .uint = gv_gl_texture_target_name(t->target) };
    as.arguments = arguments;
    gl->objects.textures->named = t;
    bool ok = run(gl, call, &as, err);
    gl->objects.textures->named = NULL;
    return ok;
}

static struct gv_trace_call without_first(const struct gv_trace_call *call)
{
    struct gv_trace_call as = *call;
    as.arguments++;
    as.argument_count--;
    return as;
}

// What a target's name stands for: faces are of cubes.
static bool target_of(uint32_t name, uint32_t *target)
{
    if (name - GL_TEXTURE_CUBE_MAP_POSITIVE_X < GV_GL_FACES)
        name = GL_TEXTURE_CUBE_MAP;
    return gv_gl_texture_target(name, target);
}

// texture, target, ... : made by being named.
static bool by_name_and_target(struct gv_gl *gl, const struct gv_trace_call *call,
                               struct gv_error *err)
{
    uint32_t target, name = gv_gl_uint(call, 0);
    struct gv_gl_texture *t;
    if (call->argument_count < 2 || !target_of(gv_gl_uint(call, 1), &target))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    uint32_t error = gv_gl_texture_make(gl, target, name, &t, err);
    if (error)
        return error != GL_OUT_OF_MEMORY && gv_gl_reject(&gl->sink, error);
    const struct gv_trace_call as = without_first(call);
    gl->objects.textures->named = t;
    bool ok = run(gl, call, &as, err);
    gl->objects.textures->named = NULL;
    return ok;
}

// unit, target, ...
static bool by_unit(struct gv_gl *gl, const struct gv_trace_call *call,
                    struct gv_error *err)
{
    struct gv_gl_texture_state *s = &gl->context->state.texture;
    uint32_t unit = gv_gl_uint(call, 0) - GL_TEXTURE0, active = s->active;
    if (unit >= GV_GL_IMAGE_UNITS || call->argument_count < 2)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    const struct gv_trace_call as = without_first(call);
    s->active = unit;
    bool ok = run(gl, call, &as, err);
    s->active = active;
    return ok;
}

// ---- names and units ----

// Makes objects of a target: glCreateTextures.
static bool create(struct gv_gl *gl, const struct gv_trace_call *call,
                   struct gv_error *err)
{
    uint32_t target;
    const struct gv_trace_value *names = gv_trace_argument(call, 2);
    int32_t count = gv_gl_int(call, 1);
    struct gv_gl_texture *t;
    if (!gv_gl_texture_target(gv_gl_uint(call, 0), &target))
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (count < 0)
        return gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
    uint64_t there = names->kind == GV_TRACE_ARRAY ? names->count : 1;
    for (uint64_t i = 0; i < (uint64_t)count && i < there; i++) {
        uint32_t name = (uint32_t)gv_trace_uint(gv_trace_item(names, i));
        if (name && gv_gl_texture_make(gl, target, name, &t, err) == GL_OUT_OF_MEMORY)
            return false;
    }
    return true;
}

static bool bind_to(struct gv_gl_context *c, struct gv_gl_objects *objects,
                    struct gv_gl_sink *sink, uint32_t unit, uint32_t name)
{
    struct gv_gl_texture_state *s = &c->state.texture;
    const struct gv_gl_texture *t = name ? gv_gl_texture_find(objects, 0, name) : NULL;
    if (name && (!t || !t->typed))
        return gv_gl_reject(sink, GL_INVALID_OPERATION);
    for (uint32_t target = 0; target < GV_GL_TARGETS; target++)
        if (!name || target == t->target)
            s->bound[unit][target] = name;
    return true;
}

static bool bind_unit(struct gv_gl *gl, const struct gv_trace_call *call,
                      struct gv_error *err)
{
    uint32_t unit = gv_gl_uint(call, 0);
    (void)err;
    return unit < GV_GL_IMAGE_UNITS ? bind_to(gl->context, &gl->objects, &gl->sink,
                                              unit, gv_gl_uint(call, 1))
                                    : gv_gl_reject(&gl->sink, GL_INVALID_VALUE);
}

// first, count, names; none: unbinds.
static bool bind_several(struct gv_gl *gl, const struct gv_trace_call *call,
                         struct gv_error *err)
{
    uint32_t first = gv_gl_uint(call, 0);
    int64_t count = gv_gl_int(call, 1);
    const struct gv_trace_value *names = gv_trace_argument(call, 2);
    (void)err;
    if (count < 0 || first + (uint64_t)count > GV_GL_IMAGE_UNITS)
        return gv_gl_reject(&gl->sink,
                            count < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION);
    for (uint32_t i = 0; i < (uint32_t)count; i++)
        bind_to(gl->context, &gl->objects, &gl->sink, first + i,
                (uint32_t)gv_trace_uint(gv_trace_item(names, i)));
    return true;
}

// unit, target, texture (EXT_direct_state_access).
static bool bind_multi(struct gv_gl *gl, const struct gv_trace_call *call,
                       struct gv_error *err)
{
    const struct gv_trace_call as = without_first(call);
    struct gv_gl_texture_state *s = &gl->context->state.texture;
    uint32_t unit = gv_gl_uint(call, 0) - GL_TEXTURE0, active = s->active;
    if (unit >= GV_GL_IMAGE_UNITS || call->argument_count < 3)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    s->active = unit;
    bool ok = row_in(gv_gl_texture_rows, "glBindTexture")->run(gl, &as, err);
    s->active = active;
    return ok;
}

const struct gv_gl_row gv_gl_texture_named_rows[] = {
    { "glCreateTextures", create, 0 },
    { "glBindTextureUnit", bind_unit, GV_GL_LISTED },
    { "glBindTextures", bind_several, GV_GL_LISTED },
    { "glBindMultiTextureEXT", bind_multi, GV_GL_LISTED },
#define NAMED(name) { "gl" name, by_name, GV_GL_LISTED },
#define NAMED_TOO(name) { "gl" name "EXT", by_name_and_target, GV_GL_LISTED },
#define UNIT(name) { "gl" name "EXT", by_unit, GV_GL_LISTED },
#include "compiler/gl/texture/gl_texture_named.def"
    { NULL, NULL, 0 },
};
