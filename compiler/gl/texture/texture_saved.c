#include "compiler/gl/texture/texture_saved.h"

#include <stdlib.h>

#include "compiler/gl/texture/texture_object.h"

struct saved {
    uint32_t target, name;
    struct gv_gl_texture_params params;
};

struct gv_gl_saved_textures {
    size_t count;
    struct saved saved[];
};

static bool has(const struct gv_gl_saved_textures *s, uint32_t target, uint32_t name)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->saved[i].target == target && s->saved[i].name == name)
            return true;
    return false;
}

// Bindings that are not 0, and one default texture per target.
static size_t most(const struct gv_gl_texture_state *t)
{
    size_t count = GV_GL_TARGETS;
    for (uint32_t unit = 0; unit < GV_GL_IMAGE_UNITS; unit++)
        for (uint32_t target = 0; target < GV_GL_TARGETS; target++)
            count += t->bound[unit][target] != 0;
    return count;
}

struct gv_gl_saved_textures *gv_gl_textures_save(const struct gv_gl_context *c,
                                                 const struct gv_gl_objects *objects)
{
    const struct gv_gl_texture_state *state = &c->state.texture;
    struct gv_gl_saved_textures *s =
        malloc(sizeof(*s) + most(state) * sizeof(s->saved[0]));
    if (!s)
        return NULL;
    s->count = 0;
    for (uint32_t unit = 0; unit < GV_GL_IMAGE_UNITS; unit++)
        for (uint32_t target = 0; target < GV_GL_TARGETS; target++) {
            const uint32_t name = state->bound[unit][target];
            const struct gv_gl_texture *t = gv_gl_texture_find(objects, target, name);
            if (!t || has(s, target, name))
                continue;
            const struct saved one = { target, name, t->params };
            s->saved[s->count++] = one;
        }
    return s;
}

bool gv_gl_textures_restore(struct gv_gl *gl, const struct gv_gl_saved_textures *s,
                            struct gv_error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct saved *from = &s->saved[i];
        struct gv_gl_texture *t =
            gv_gl_texture_find(&gl->objects, from->target, from->name);
        if (!t)
            continue;
        const bool levels = t->params.base_level != from->params.base_level ||
                            t->params.max_level != from->params.max_level;
        if (levels && !gv_gl_texture_settle(gl, t, err))
            return false;
        t->params = from->params;
        t->settled = false;
    }
    return true;
}
