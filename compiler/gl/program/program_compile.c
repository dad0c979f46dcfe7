// Texts of programs to SPIR-V: once for equal texts, bindings and options.
#include <stdio.h>
#include <string.h>

#include "compiler/gl/program/gl_stages.h"
#include "compiler/gl/program/program_object.h"

#define MOST_STORAGE_BYTES (1u << 30) // up to a member of a storage block

static void key_names(struct gv_bytes *key, const struct gv_gl_numbers_by_name *n)
{
    gv_bytes_u32(key, n->count);
    for (uint32_t i = 0; i < n->count; i++) {
        gv_bytes_put(key, n->list[i].name, strlen(n->list[i].name) + 1);
        gv_bytes_u32(key, (uint32_t)n->list[i].number);
        gv_bytes_u32(key, n->list[i].index);
    }
}

static void key_options(struct gv_bytes *key, const struct gv_upgrade_options *o)
{
    struct gv_upgrade_options plain;
    memcpy(&plain, o, sizeof plain); // padding too: it is compared as bytes
    plain.captures = NULL;
    plain.parts = NULL;
    gv_bytes_put(key, &plain, sizeof plain);
    gv_bytes_u8(key, o->captures != NULL);
    for (size_t i = 0; o->captures && i < o->captures->count; i++)
        gv_bytes_put(key, o->captures->names[i], strlen(o->captures->names[i]) + 1);
    gv_bytes_u8(key, o->captures && o->captures->separate);
}

static bool key_of(const struct gv_gl_compile_input *in, struct gv_hash *out)
{
    struct gv_bytes key = { 0 };
    for (size_t i = 0; i < in->text_count; i++) {
        gv_bytes_u32(&key, in->texts[i].stage);
        gv_bytes_u32(&key, in->options.parts ? in->options.parts[i] : 0);
        gv_bytes_put(&key, in->texts[i].text, strlen(in->texts[i].text) + 1);
    }
    key_names(&key, in->attributes);
    key_names(&key, in->outputs);
    key_options(&key, &in->options);
    gv_bytes_u8(&key, in->separable);
    const bool ok = !key.failed;
    if (ok)
        *out = gv_hash_bytes(key.data, key.size);
    gv_bytes_finish(&key);
    return ok;
}

static struct gv_glsl_attribute *named(const struct gv_gl_numbers_by_name *n,
                                       struct gv_arena *arena)
{
    struct gv_glsl_attribute *out = gv_arena_array(arena, n->count, sizeof *out);
    for (uint32_t i = 0; out && i < n->count; i++)
        out[i] = (struct gv_glsl_attribute){ .name = n->list[i].name,
                                             .location = (uint32_t)n->list[i].number,
                                             .index = n->list[i].index };
    return out;
}

// Values that are kept for a program, and places in storage that a device can be told.
static bool within_limits(const struct gv_glsl_reflection *r, struct gv_error *err)
{
    const struct gv_glsl_block *own = r->block_count ? &r->blocks[0] : NULL;
    uint64_t elements = 0;
    for (uint32_t i = 0; own && !*own->name && i < own->count; i++)
        elements += r->uniforms[own->first + i].array_size;
    for (size_t i = 0; i < r->sampler_count; i++)
        elements += r->samplers[i].array_size;
    if (elements > GV_GL_UNIFORM_BYTES / 4)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "uniforms of more than %u bytes", GV_GL_UNIFORM_BYTES);
    for (size_t i = 0; i < r->block_count; i++)
        for (uint32_t k = 0; r->blocks[i].storage && k < r->blocks[i].count; k++) {
            const uint32_t offset = r->uniforms[r->blocks[i].first + k].offset;
            if (offset % 4 || offset >= MOST_STORAGE_BYTES)
                return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                               "storage at byte %u of its block", offset);
        }
    return true;
}

// False: memory. What the text does wrong is kept with it.
static bool compile(struct gv_gl_sink *sink, struct gv_gl_compiled *c,
                    const struct gv_gl_compile_input *in, struct gv_error *err)
{
    struct gv_error told = GV_ERROR_INIT;
    struct gv_glsl_attribute *attributes = named(in->attributes, &c->arena);
    struct gv_glsl_attribute *outputs = named(in->outputs, &c->arena);
    if (!attributes || !outputs)
        return gv_out_of_memory(err);
    const struct gv_glsl_program_params params = {
        .texts = in->texts,
        .count = in->text_count,
        .upgrade = in->options,
        .attributes = attributes,
        .attribute_count = in->attributes->count,
        .outputs = outputs,
        .output_count = in->outputs->count,
        .gl_rules = true,
        .separable = in->separable,
    };
    c->failed = !gv_glsl_program(&params, &c->arena, &c->program, &told) ||
                !within_limits(&c->program.reflection, &told);
    if (c->failed && (told.status == GV_ERR_SYSTEM || told.status == GV_ERR_MEMORY))
        return gv_out_of_memory(err);
    snprintf(c->error, sizeof c->error, "%s", c->failed ? told.message : "");
    for (size_t i = 0; !c->failed && i < c->program.count; i++) {
        const struct gv_shader_stage *s = &c->program.stages[i];
        c->modules[i] = gv_builder_shader(sink->b, s->words, s->word_count);
        c->serials[i] = ++sink->serials;
    }
    c->serial = ++sink->serials;
    return true;
}

struct gv_gl_compiled *gv_gl_compile_program(struct gv_gl_programs *all,
                                             struct gv_gl_sink *sink,
                                             const struct gv_gl_compile_input *in,
                                             struct gv_error *err)
{
    struct gv_hash key;
    if (!key_of(in, &key)) {
        gv_out_of_memory(err);
        return NULL;
    }
    struct gv_gl_compiled **bucket =
        &all->buckets[key.bytes[0] % GV_GL_PROGRAM_BUCKETS];
    for (struct gv_gl_compiled *c = *bucket; c; c = c->next)
        if (!memcmp(&c->key, &key, sizeof key))
            return c;
    if (all->compiled_count == GV_GL_MAX_COMPILED) {
        gv_fail(err, GV_ERR_LIMIT, gv_builder_offset(sink->b),
                "over %u variants of programs", GV_GL_MAX_COMPILED);
        return NULL;
    }
    uint64_t bytes = 0;
    for (size_t i = 0; i < in->text_count; i++)
        bytes += strlen(in->texts[i].text);
    if (!gv_gl_work(&sink->work, GV_GL_COMPILE_WORK + bytes, err))
        return NULL;
    struct gv_gl_compiled *c = gv_arena_alloc(sink->arena, sizeof *c);
    if (!c) {
        gv_out_of_memory(err);
        return NULL;
    }
    c->key = key;
    c->next = *bucket;
    *bucket = c;
    all->compiled_count++;
    return compile(sink, c, in, err) ? c : NULL;
}
