#include "tools/results/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool expected;
} words[GV_WORD_COUNT] = {
    [GV_WORD_PASS] = { "Pass", true },
    [GV_WORD_FAIL] = { "Fail", false },
    [GV_WORD_CRASH] = { "Crash", false },
    [GV_WORD_TIMEOUT] = { "Timeout", false },
    [GV_WORD_SKIP] = { "Skip", true },
    [GV_WORD_MISSING] = { "Missing", false },
    [GV_WORD_EXPECTED_FAIL] = { "ExpectedFail", true },
    [GV_WORD_UNEXPECTED_PASS] = { "UnexpectedPass", false },
};

const char *gv_word_name(enum gv_word word)
{
    return words[word].name;
}

bool gv_word_find(const char *name, size_t length, enum gv_word *word)
{
    const char *bracket = memchr(name, '(', length);
    if (bracket)
        length = (size_t)(bracket - name);
    while (length && name[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < GV_WORD_COUNT; i++)
        if (strlen(words[i].name) == length &&
            memcmp(words[i].name, name, length) == 0) {
            *word = (enum gv_word)i;
            return true;
        }
    return false;
}

bool gv_word_is_expected(enum gv_word word)
{
    return words[word].expected;
}

const char *gv_change_name(enum gv_change change)
{
    static const char *const names[GV_CHANGE_COUNT] = {
        [GV_CHANGE_NONE] = "",
        [GV_CHANGE_FAILS] = "newly-failing",
        [GV_CHANGE_PASSES] = "newly-passing",
        [GV_CHANGE_SLOWER] = "slower",
        [GV_CHANGE_NEW] = "new",
    };
    return names[change];
}

void gv_result_label(const struct gv_result *r, char *text, size_t size)
{
    snprintf(text, size, r->note[0] ? "%s (%s)" : "%s", gv_word_name(r->word), r->note);
}

void gv_results_finish(struct gv_results *results)
{
    free(results->items);
    gv_arena_finish(&results->arena);
    *results = (struct gv_results){ 0 };
}

// Most texts of most results are empty.
static bool keep(struct gv_arena *arena, const char **text)
{
    if (!**text)
        *text = "";
    else
        *text = gv_arena_copy(arena, *text, strlen(*text));
    return *text;
}

static bool keep_frames(struct gv_arena *arena, struct gv_result *r)
{
    struct gv_result_frame *kept =
        gv_arena_array(arena, r->differing_count, sizeof *kept);
    for (size_t i = 0; kept && i < r->differing_count; i++) {
        kept[i] = r->differing[i];
        if (!keep(arena, &kept[i].frame) || !keep(arena, &kept[i].why) ||
            !keep(arena, &kept[i].expected) || !keep(arena, &kept[i].actual))
            return false;
    }
    r->differing = kept;
    return kept;
}

struct gv_result *gv_results_add(struct gv_results *results, const struct gv_result *r)
{
    if (results->count == results->capacity) {
        const size_t capacity = results->capacity ? 2 * results->capacity : 64;
        void *grown = realloc(results->items, capacity * sizeof *results->items);
        if (!grown)
            return NULL;
        results->items = grown;
        results->capacity = capacity;
    }
    struct gv_result *added = &results->items[results->count];
    *added = *r;
    struct gv_arena *arena = &results->arena;
    if (!keep(arena, &added->name) || !keep(arena, &added->file) ||
        !keep(arena, &added->note) || !keep(arena, &added->why) ||
        !keep(arena, &added->command) || !keep(arena, &added->golden) ||
        !keep_frames(arena, added))
        return NULL;
    results->count++;
    return added;
}

size_t gv_results_count(const struct gv_results *results, enum gv_word word)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += results->items[i].word == word;
    return count;
}

size_t gv_results_unexpected(const struct gv_results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += !gv_word_is_expected(results->items[i].word);
    return count;
}

bool gv_result_picture_base(char *path, size_t size, const char *name,
                            const char *frame)
{
    const char *digits = "000000";
    const size_t length = strlen(frame), zeros = strlen(digits);
    const bool number = frame[0] >= '0' && frame[0] <= '9';
    return (size_t)snprintf(path, size, "pictures/%s/frame_%s%s", name,
                            number && length < zeros ? digits + length : "",
                            frame) < size;
}

const char *gv_result_picture_ending(enum gv_result_picture picture)
{
    return picture == GV_RESULT_ACTUAL     ? "actual.png"
           : picture == GV_RESULT_EXPECTED ? "expected.png"
                                           : "diff.png";
}
