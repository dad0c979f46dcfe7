// What programs load from and store to: storage blocks, atomic counters, images.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/program/program_joined.h"

uint32_t gv_gl_block_of(const struct gv_glsl_program *g,
                        const struct gv_binding_desc *b)
{
    for (uint32_t i = 0; i < g->reflection.block_count; i++) {
        const struct gv_glsl_resource *r =
            &g->resources[g->reflection.blocks[i].resource];
        if (r->binding == b->binding &&
            (r->set_vertex == b->set || r->set_fragment == b->set))
            return i;
    }
    return GV_GLSL_NONE;
}

static uint32_t point_named(const struct gv_gl_program *owner, const char *name,
                            uint32_t said)
{
    const struct gv_gl_numbered *n =
        gv_gl_numbered(&owner->executable->block_points, name);
    return n ? (uint32_t)n->number : said;
}

uint32_t gv_gl_block_point(const struct gv_gl_program *p, const char *name,
                           uint32_t said)
{
    const struct gv_gl_program *owner = gv_gl_owner_of_block(p, &name);
    return point_named(owner, name, said);
}

// ---- storage blocks ----

// The binding of a block of counters: its name says it (glsl_reflect.h). False: it is
// none.
static bool counts(const struct gv_glsl_block *b, uint32_t *binding)
{
    static const char prefix[] = "gl_AtomicCounterBlock_";
    if (strncmp(b->name, prefix, sizeof prefix - 1) != 0)
        return false;
    *binding = (uint32_t)strtoul(b->name + sizeof prefix - 1, NULL, 10);
    return true;
}

static bool is_there(const struct gv_gl_stages *s, const struct gv_binding_desc *b)
{
    for (uint32_t i = 0; i < s->storage_count; i++)
        if (s->storage[i].place.set == b->set &&
            s->storage[i].place.binding == b->binding)
            return true;
    return false;
}

void gv_gl_block_element(const struct gv_glsl_block *b, const char *name,
                         uint32_t element, char out[GV_GL_MAX_NAME_BYTES])
{
    const uint32_t one = b->array_size, count = b->flat ? b->flat->size_count : one > 0;
    const uint32_t *sizes = b->flat ? b->flat->sizes : &one;
    uint32_t below = b->array_size;
    snprintf(out, GV_GL_MAX_NAME_BYTES, "%s", name);
    for (uint32_t i = 0; i < count; i++) {
        const size_t n = strlen(out);
        const uint32_t size = sizes[i] ? sizes[i] : 1;
        below = below > size ? below / size : 1; // elements of one that is counted here
        snprintf(out + n, GV_GL_MAX_NAME_BYTES - n, "[%u]", element / below % size);
    }
}

// Of an array each element has a name and a point of its own.
static uint32_t point_of(const struct gv_gl_program *p, const struct gv_glsl_block *b,
                         uint32_t element)
{
    const uint32_t said = b->binding > 0 ? (uint32_t)b->binding : 0;
    const char *name = b->name;
    char of_element[GV_GL_MAX_NAME_BYTES];
    if (!b->array_size)
        return gv_gl_block_point(p, name, said);
    const struct gv_gl_program *owner = gv_gl_owner_of_block(p, &name);
    gv_gl_block_element(b, name, element, of_element);
    return point_named(owner, of_element, b->binding < 0 ? 0 : said + element);
}

static uint32_t target_of(const struct gv_glsl_block *b, uint32_t *binding)
{
    if (counts(b, binding))
        return GL_ATOMIC_COUNTER_BUFFER;
    return b->storage ? GL_SHADER_STORAGE_BUFFER : GL_UNIFORM_BUFFER;
}

const struct gv_gl_lack *gv_gl_add_storage(const struct gv_gl_program *p,
                                           const struct gv_gl_compiled *c,
                                           uint32_t block,
                                           const struct gv_binding_desc *b,
                                           struct gv_gl_stages *out)
{
    if (block == GV_GLSL_NONE)
        return GV_GL_LACK(NAMELESS_STORAGE);
    if (is_there(out, b))
        return NULL;
    const struct gv_glsl_block *r = &c->program.reflection.blocks[block];
    for (uint32_t e = 0; e < b->count; e++) {
        if (out->storage_count == GV_GL_STORAGE)
            return GV_GL_LACK(STORAGE_BLOCKS);
        struct gv_gl_stage_storage *s = &out->storage[out->storage_count++];
        *s = (struct gv_gl_stage_storage){ .place = { b->set, b->binding, e },
                                           .written = r->written };
        s->target = target_of(r, &s->point);
        if (s->target != GL_ATOMIC_COUNTER_BUFFER)
            s->point = point_of(p, r, e);
    }
    return NULL;
}

bool gv_gl_is_device_block(const struct gv_gl_context *c,
                           const struct gv_gl_objects *objects,
                           const struct gv_gl_program *p,
                           const struct gv_glsl_block *block)
{
    struct gv_gl_buffer_part part;
    return *block->name && !block->array_size &&
           gv_gl_buffer_point(c, objects, GL_UNIFORM_BUFFER, point_of(p, block, 0),
                              &part) &&
           part.buffer->unknown && part.buffer->on_device;
}

// ---- images ----

const struct gv_gl_lack *gv_gl_add_image(const struct gv_gl_variant *v,
                                         const struct gv_glsl_sampler *s,
                                         uint32_t element, uint32_t unit,
                                         struct gv_gl_stages *out)
{
    const struct gv_glsl_resource *r = &v->compiled->program.resources[s->resource];
    const uint32_t set = s->dimension == GV_GLSL_BUFFER ? 2 : 3; // glsl_program.h
    if (out->image_count == GV_GL_IMAGES)
        return GV_GL_LACK(IMAGES);
    out->images[out->image_count++] = (struct gv_gl_stage_image){
        .place = { set, r->binding, s->element + element },
        .unit = unit,
        .format = s->format,
        .target = (uint8_t)gv_gl_sampler_target(s),
        .scalar = (uint8_t)s->scalar,
        .written = s->written,
    };
    return NULL;
}
