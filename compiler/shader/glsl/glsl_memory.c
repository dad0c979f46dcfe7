#include "compiler/shader/glsl/glsl_memory.h"

#include <string.h>

static const struct gv_keeper *keeper;

void gv_glsl_memory_use(const struct gv_keeper *k)
{
    keeper = k;
}

// ---- keys: all that a result depends on ----

static void put_text(struct gv_bytes *b, const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0; // none is not an empty one
    gv_bytes_u64(b, size);
    gv_bytes_put(b, text, size);
}

static void put_texts(struct gv_bytes *b, const struct gv_glsl_text *texts,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        gv_bytes_u32(b, texts[i].stage);
        put_text(b, texts[i].text);
    }
}

// False without memory.
static bool key_of(struct gv_bytes *b, struct gv_hash *key)
{
    const bool ok = !b->failed;
    if (ok)
        *key = gv_hash_bytes(b->data, b->size);
    gv_bytes_finish(b);
    return ok;
}

static bool key_of_stages(const struct gv_glsl_text *texts, size_t count,
                          unsigned flags, struct gv_hash *key)
{
    struct gv_bytes b = { 0 };
    gv_bytes_u8(&b, 's');
    gv_bytes_u32(&b, flags);
    put_texts(&b, texts, count);
    return key_of(&b, key);
}

static bool key_of_text(const struct gv_glsl_text *text,
                        const struct gv_glsl_dialect_input *input, struct gv_hash *key)
{
    struct gv_bytes b = { 0 };
    gv_bytes_u8(&b, 't');
    gv_bytes_u32(&b, (uint32_t)input->version);
    gv_bytes_u8(&b, (uint8_t)(input->es | input->compatibility << 1));
    put_text(&b, input->preamble);
    put_texts(&b, text, 1);
    return key_of(&b, key);
}

// ---- stages: of each the number of its words, and those ----

// The words of one stage at `*at`; false: there is none.
static bool take_stage(const struct gv_bytes *from, size_t *at, struct gv_arena *arena,
                       struct gv_shader_stage *out)
{
    uint32_t count;
    if (from->size - *at < sizeof count)
        return false;
    memcpy(&count, from->data + *at, sizeof count);
    *at += sizeof count;
    const size_t size = (size_t)count * sizeof *out->words;
    if (!count || from->size - *at < size)
        return false;
    out->words = gv_arena_copy(arena, from->data + *at, size);
    out->word_count = count;
    *at += size;
    return out->words != NULL;
}

bool gv_glsl_recall_stages(const struct gv_glsl_text *texts, size_t count,
                           unsigned flags, struct gv_arena *arena,
                           struct gv_shader_stage *out)
{
    struct gv_hash key;
    struct gv_bytes kept = { 0 };
    if (!keeper || !key_of_stages(texts, count, flags, &key))
        return false;
    bool ok = keeper->recall(keeper->context, &key, &kept) && !kept.failed;
    size_t at = 0;
    for (size_t i = 0; ok && i < count; i++) {
        out[i] = (struct gv_shader_stage){ .stage = texts[i].stage };
        ok = take_stage(&kept, &at, arena, &out[i]);
    }
    ok = ok && at == kept.size;
    gv_bytes_finish(&kept);
    return ok;
}

static void keep(const struct gv_hash *key, struct gv_bytes *value)
{
    if (!value->failed)
        keeper->keep(keeper->context, key,
                     (struct gv_span){ value->data, value->size });
    gv_bytes_finish(value);
}

void gv_glsl_keep_stages(const struct gv_glsl_text *texts, size_t count, unsigned flags,
                         const struct gv_shader_stage *out)
{
    struct gv_hash key;
    struct gv_bytes value = { 0 };
    if (!keeper || !key_of_stages(texts, count, flags, &key))
        return;
    for (size_t i = 0; i < count; i++) {
        gv_bytes_u32(&value, (uint32_t)out[i].word_count);
        gv_bytes_put(&value, out[i].words, out[i].word_count * sizeof *out[i].words);
    }
    keep(&key, &value);
}

// ---- texts, with their NUL ----

const char *gv_glsl_recall_text(const struct gv_glsl_text *text,
                                const struct gv_glsl_dialect_input *input,
                                struct gv_arena *arena)
{
    struct gv_hash key;
    struct gv_bytes kept = { 0 };
    if (!keeper || !key_of_text(text, input, &key))
        return NULL;
    const bool ok = keeper->recall(keeper->context, &key, &kept) && !kept.failed &&
                    kept.size && !kept.data[kept.size - 1];
    const char *out = ok ? gv_arena_copy(arena, kept.data, kept.size) : NULL;
    gv_bytes_finish(&kept);
    return out;
}

void gv_glsl_keep_text(const struct gv_glsl_text *text,
                       const struct gv_glsl_dialect_input *input, const char *out)
{
    struct gv_hash key;
    struct gv_bytes value = { 0 };
    if (!keeper || !key_of_text(text, input, &key))
        return;
    gv_bytes_put(&value, out, strlen(out) + 1);
    keep(&key, &value);
}
