// What is kept of shaders' texts: whole or not known, and one thread's own.
#include "compiler/shader/spirv/spirv_memory.h"
#include "tests/test.h"

#include <pthread.h>
#include <string.h>

// Keeps what was last kept, whatever it is called.
static struct gv_bytes kept;

static bool recall(void *context, const struct gv_hash *key, struct gv_bytes *out)
{
    (void)context;
    (void)key;
    gv_bytes_put(out, kept.data, kept.size);
    return kept.size > 0;
}

static void keep(void *context, const struct gv_hash *key, struct gv_span bytes)
{
    (void)context;
    (void)key;
    kept.size = 0;
    gv_bytes_put(&kept, bytes.data, bytes.size);
}

static const struct gv_keeper keeper = { recall, keep, NULL };
static const struct gv_bytes key;
static const uint32_t words[3] = { 1, 2, 3 };
static const struct gv_shader_stage stages[2] = { { .words = words, .word_count = 3 },
                                                  { .words = words, .word_count = 1 } };

static bool knows(size_t count)
{
    struct gv_arena arena = { 0 };
    struct gv_shader_stage out[3] = { { 0 } };
    bool ok = gv_spirv_recall(&key, &arena, out, count);
    for (size_t i = 0; ok && i < count && i < 2; i++)
        ok = out[i].word_count == stages[i].word_count &&
             !memcmp(out[i].words, words, out[i].word_count * sizeof *words);
    gv_arena_finish(&arena);
    return ok;
}

// As many stages as there were, of as many bytes as are there.
static void test_stages(void)
{
    gv_spirv_keep(&key, stages, 2);
    CHECK(knows(2) && !knows(1) && !knows(3));
    for (kept.size--; kept.size > 0; kept.size--)
        CHECK(!knows(2));
    gv_bytes_u32(&kept, UINT32_MAX);
    CHECK(!knows(1));
}

static void test_verdicts(void)
{
    gv_spirv_keep_valid(&key);
    CHECK(gv_spirv_recall_valid(&key));
    kept.data[0]++;
    CHECK(!gv_spirv_recall_valid(&key));
    kept.data[0]--;
    kept.size--;
    CHECK(!gv_spirv_recall_valid(&key));
}

static void *forget(void *known)
{
    gv_spirv_keep(&key, stages, 1); // nowhere
    *(bool *)known = knows(2);
    gv_spirv_memory_use(NULL);
    return NULL;
}

// Who compiles beside has a keeper of his own, and ends with it when he will.
static void test_threads(void)
{
    pthread_t other;
    bool known = true;
    gv_spirv_keep(&key, stages, 2);
    CHECK(pthread_create(&other, NULL, forget, &known) == 0);
    CHECK(pthread_join(other, NULL) == 0);
    CHECK(!known && knows(2));
}

int main(void)
{
    CHECK(!knows(2));
    gv_spirv_keep(&key, stages, 2); // nobody keeps it
    CHECK(!kept.size);
    gv_spirv_memory_use(&keeper);
    test_stages();
    test_verdicts();
    test_threads();
    gv_spirv_memory_use(NULL);
    CHECK(!knows(2));
    gv_bytes_finish(&kept);
    return TEST_RESULT();
}
