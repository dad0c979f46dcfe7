#include "compiler/builder/builder_private.h"
#include "resources/hash.h"

void gv_object_cache_finish(struct gv_object_cache *cache)
{
    gv_dedup_finish(&cache->keys);
    gv_bytes_finish(&cache->key);
}

#define KEY_BRANCH 1 // where it stands in a key
#define KEY_HEAD 5

// Starts a key: the call that makes such objects, and the branch they exist in.
static struct gv_bytes *begin_key(struct gv_builder *b, enum gv_call call)
{
    struct gv_bytes *key = &b->objects.key;
    key->size = 0;
    gv_bytes_u8(key, (uint8_t)call);
    gv_bytes_u32(key, 0);
    return key;
}

// The object known by the key, as made here or around here; 0: none. `hash` is that of
// the key for here.
static uint32_t find_known(struct gv_builder *b, uint64_t *hash)
{
    struct gv_object_cache *cache = &b->objects;
    uint32_t object = 0;
    for (uint32_t i = 0; i <= b->either_depth; i++) {
        uint32_t branch = i ? b->eithers[i - 1].branch : 0;
        memcpy(cache->key.data + KEY_BRANCH, &branch, sizeof branch);
        *hash = gv_dedup_hash(cache->key.data, cache->key.size);
        if (gv_dedup_find(&cache->keys, *hash, 0, cache->key.data, cache->key.size,
                          &object) == GV_DEDUP_KNOWN)
            return object;
    }
    return 0;
}

// The object known by the key, or the one that `values` make. One that is another form
// of an object has that one's number, and is not found by its own description.
static uint32_t find_or_make(struct gv_builder *b, enum gv_call call,
                             const void *values)
{
    struct gv_object_cache *cache = &b->objects;
    if (cache->key.failed)
        return gv_builder_no_memory(b);
    if (b->either_depth && b->eithers[b->either_depth - 1].same)
        return gv_builder_call(b, call, values);
    uint64_t hash;
    uint32_t object = find_known(b, &hash);
    if (object)
        return object;
    object = gv_builder_call(b, call, values);
    if (object &&
        !gv_dedup_add(&cache->keys, hash, 0, cache->key.data, cache->key.size, object))
        gv_builder_no_memory(b);
    return object;
}

struct gv_sampler gv_builder_sampler(struct gv_builder *b,
                                     const struct gv_sampler_desc *desc)
{
    if (b->failed)
        return GV_NO_SAMPLER;
    struct gv_bytes *key = begin_key(b, GV_CALL_sampler_create);
    gv_sampler_desc_encode(desc, key);
    const struct gv_values_sampler_create *values =
        GV_VALUES(sampler_create, .desc = gv_data(key->data + KEY_HEAD),
                  .size = key->size - KEY_HEAD);
    return (struct gv_sampler){ find_or_make(b, GV_CALL_sampler_create, values) };
}

struct gv_shader gv_builder_shader(struct gv_builder *b, const uint32_t *words,
                                   size_t count)
{
    if (b->failed)
        return GV_NO_SHADER;
    // Words may be long: their content id stands for them. Equal ids of different
    // words are found when they become a resource.
    struct gv_hash hash = gv_hash_bytes(words, count * sizeof *words);
    struct gv_bytes *key = begin_key(b, GV_CALL_shader_create);
    gv_bytes_put(key, hash.bytes, sizeof hash.bytes);
    gv_bytes_uleb(key, count);
    const struct gv_values_shader_create *values = GV_VALUES(
        shader_create, .spirv = gv_data(words), .size = count * sizeof *words);
    return (struct gv_shader){ find_or_make(b, GV_CALL_shader_create, values) };
}

struct gv_pipeline gv_builder_graphics(struct gv_builder *b,
                                       const struct gv_graphics_desc *desc,
                                       const struct gv_stage_shaders *shaders)
{
    if (b->failed)
        return GV_NO_PIPELINE;
    const struct gv_shader stages[] = {
        shaders->vertex,
        shaders->tessellation_control,
        shaders->tessellation_evaluation,
        shaders->geometry,
        shaders->fragment,
    };
    struct gv_bytes *key = begin_key(b, GV_CALL_pipeline_create_graphics);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        gv_bytes_u32(key, stages[i].id);
    size_t start = key->size;
    gv_graphics_desc_encode(desc, key);
    const struct gv_values_pipeline_create_graphics *values =
        GV_VALUES(pipeline_create_graphics, .desc = gv_data(key->data + start),
                  .size = key->size - start, .vertex = shaders->vertex,
                  .tessellation_control = shaders->tessellation_control,
                  .tessellation_evaluation = shaders->tessellation_evaluation,
                  .geometry = shaders->geometry, .fragment = shaders->fragment);
    return (struct gv_pipeline){ find_or_make(b, GV_CALL_pipeline_create_graphics,
                                              values) };
}

struct gv_pipeline gv_builder_compute(struct gv_builder *b,
                                      const struct gv_compute_desc *desc,
                                      struct gv_shader shader)
{
    if (b->failed)
        return GV_NO_PIPELINE;
    struct gv_bytes *key = begin_key(b, GV_CALL_pipeline_create_compute);
    gv_bytes_u32(key, shader.id);
    size_t start = key->size;
    gv_compute_desc_encode(desc, key);
    const struct gv_values_pipeline_create_compute *values =
        GV_VALUES(pipeline_create_compute, .desc = gv_data(key->data + start),
                  .size = key->size - start, .compute = shader);
    return (
        struct gv_pipeline){ find_or_make(b, GV_CALL_pipeline_create_compute, values) };
}
