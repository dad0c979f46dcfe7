#include "compiler/shader/spirv/spirv_memory.h"

#include <string.h>

static _Thread_local const struct gv_keeper *keeper;

void gv_spirv_memory_use(const struct gv_keeper *k)
{
    keeper = k;
}

static bool recall(const struct gv_bytes *key, struct gv_bytes *out)
{
    if (!keeper || key->failed)
        return false;
    const struct gv_hash hash = gv_hash_bytes(key->data, key->size);
    return keeper->recall(keeper->context, &hash, out) && !out->failed;
}

static void keep(const struct gv_bytes *key, const struct gv_bytes *value)
{
    if (!keeper || key->failed || value->failed)
        return;
    const struct gv_hash hash = gv_hash_bytes(key->data, key->size);
    keeper->keep(keeper->context, &hash, (struct gv_span){ value->data, value->size });
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

bool gv_spirv_recall(const struct gv_bytes *key, struct gv_arena *arena,
                     struct gv_shader_stage *out, size_t count)
{
    struct gv_bytes kept = { 0 };
    bool ok = recall(key, &kept);
    size_t at = 0;
    for (size_t i = 0; ok && i < count; i++)
        ok = take_stage(&kept, &at, arena, &out[i]);
    ok = ok && at == kept.size;
    gv_bytes_finish(&kept);
    return ok;
}

void gv_spirv_keep(const struct gv_bytes *key, const struct gv_shader_stage *out,
                   size_t count)
{
    struct gv_bytes value = { 0 };
    for (size_t i = 0; i < count; i++) {
        gv_bytes_u32(&value, (uint32_t)out[i].word_count);
        gv_bytes_put(&value, out[i].words, out[i].word_count * sizeof *out[i].words);
    }
    keep(key, &value);
    gv_bytes_finish(&value);
}

// ---- verdicts ----

static const char valid_word[] = "valid";

bool gv_spirv_recall_valid(const struct gv_bytes *key)
{
    struct gv_bytes kept = { 0 };
    const bool ok = recall(key, &kept) && kept.size == sizeof valid_word &&
                    memcmp(kept.data, valid_word, sizeof valid_word) == 0;
    gv_bytes_finish(&kept);
    return ok;
}

void gv_spirv_keep_valid(const struct gv_bytes *key)
{
    struct gv_bytes value = { 0 };
    gv_bytes_put(&value, valid_word, sizeof valid_word);
    keep(key, &value);
    gv_bytes_finish(&value);
}
