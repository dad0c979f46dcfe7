#include "tools/select/set.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/decimal.h"
#include "vm/capture_kinds.h"

#define MAX_FILE_DEPTH 4 // @FILE naming @FILE

static bool parse_list(struct gv_set *set, const char *text, size_t size, int depth,
                       const struct gv_set_reader *reader, struct gv_error *err);

static bool add_item(struct gv_set *set, struct gv_set_item item, struct gv_error *err)
{
    if (set->count == GV_SET_MAX_ITEMS)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a SET of over %zu words",
                       GV_SET_MAX_ITEMS);
    if (set->count == set->capacity) {
        size_t capacity = set->capacity ? 2 * set->capacity : 16;
        void *grown = realloc(set->items, capacity * sizeof *set->items);
        if (!grown)
            return gv_out_of_memory(err);
        set->items = grown;
        set->capacity = capacity;
    }
    set->items[set->count++] = item;
    return true;
}

static bool bad_word(const char *word, const char *why, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "SET word '%.64s': %s", word, why);
}

static bool take_word(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): all were equal
    if (isalnum((unsigned char)(*at)[length]))
        return false;
    *at += length;
    return true;
}

// N-M behind which nothing is wrong but its order, or how it is written.
static bool tell_range(const char *word, struct gv_error *err)
{
    uint64_t first, last;
    const char *at = word;
    if (!gv_take_decimal(&at, &first))
        return bad_word(
            word, "expected a number N, N-N, N-, *, all, last, end, a kind or @FILE",
            err);
    const size_t divider = strspn(at, ".:-");
    const bool dash = divider == 1 && *at == '-';
    at += divider;
    if (divider && gv_take_decimal(&at, &last) && !*at) {
        const char *why = dash ? "the lower end comes first" : "a range is written";
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "SET word '%.64s': %s: %" PRIu64 "-%" PRIu64, word, why,
                       first < last ? first : last, first < last ? last : first);
    }
    return bad_word(word, "trailing characters", err);
}

static bool read_range(const char **at, struct gv_set_item *item)
{
    if (!gv_take_decimal(at, &item->first))
        return false;
    item->last = item->first;
    if (**at != '-')
        return true;
    ++*at;
    if (isdigit((unsigned char)**at))
        return gv_take_decimal(at, &item->last) && item->last >= item->first;
    item->kind = GV_SET_OPEN;
    return true;
}

// A kind of command, as apitrace calls them.
static bool take_kind(const char **at, uint8_t *kinds)
{
    static const struct {
        const char *word;
        uint8_t kinds;
    } rows[] = {
        { "draw", GV_COMMAND_DRAW },           { "render", GV_COMMAND_DRAW },
        { "frame", GV_COMMAND_FRAME },         { "fbo", GV_COMMAND_TARGET },
        { "rendertarget", GV_COMMAND_TARGET }, { "submit", GV_CAPTURE_SUBMIT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (take_word(at, rows[i].word)) {
            *kinds = rows[i].kinds;
            return true;
        }
    return false;
}

// "/STEP" or "/KIND".
static bool read_step(const char *word, const char **at, struct gv_set_item *item,
                      struct gv_error *err)
{
    if (**at != '/')
        return true;
    ++*at;
    if (take_kind(at, &item->kinds))
        return true;
    if (!gv_take_decimal(at, &item->step) || item->step == 0)
        return bad_word(word, "a step is a number from 1, or a kind of command", err);
    return true;
}

static bool parse_word(struct gv_set *set, const char *word, struct gv_error *err)
{
    struct gv_set_item item = { .kind = GV_SET_RANGE, .step = 1 };
    const char *at = word;
    if (*at == '*') {
        item.kind = GV_SET_ALL;
        at++;
    } else if (take_word(&at, "all") || take_kind(&at, &item.kinds)) {
        item.kind = GV_SET_ALL;
    } else if (take_word(&at, "last")) {
        item.kind = GV_SET_LAST;
    } else if (take_word(&at, "end")) {
        item.kind = GV_SET_END;
    } else if (!read_range(&at, &item)) {
        return tell_range(word, err);
    }
    if (!read_step(word, &at, &item, err))
        return false;
    if (*at)
        return isdigit((unsigned char)*word)
                   ? tell_range(word, err)
                   : bad_word(word, "trailing characters", err);
    return add_item(set, item, err);
}

static bool parse_file(struct gv_set *set, const char *path, int depth,
                       const struct gv_set_reader *reader, struct gv_error *err)
{
    struct gv_bytes text = { 0 };
    if (depth == MAX_FILE_DEPTH)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "@%.64s: files nest too deep",
                       path);
    bool ok =
        reader->read(reader->context, path, &text, err) &&
        parse_list(set, (const char *)text.data, text.size, depth + 1, reader, err);
    gv_bytes_finish(&text);
    return ok;
}

// Words are separated by commas and white space; in files `#` starts a comment.
static bool parse_list(struct gv_set *set, const char *text, size_t size, int depth,
                       const struct gv_set_reader *reader, struct gv_error *err)
{
    size_t at = 0;
    while (at < size) {
        if (text[at] == ',' || isspace((unsigned char)text[at])) {
            at++;
            continue;
        }
        if (depth > 0 && text[at] == '#') {
            while (at < size && text[at] != '\n')
                at++;
            continue;
        }
        char word[4096];
        size_t length = 0;
        while (at < size && text[at] != ',' && !isspace((unsigned char)text[at])) {
            if (length == sizeof word - 1)
                return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "SET word too long");
            word[length++] = text[at++];
        }
        word[length] = '\0';
        bool ok = word[0] == '@' ? parse_file(set, word + 1, depth, reader, err)
                                 : parse_word(set, word, err);
        if (!ok)
            return false;
    }
    return true;
}

bool gv_set_parse(struct gv_set *set, const char *text,
                  const struct gv_set_reader *reader, struct gv_error *err)
{
    *set = (struct gv_set){ 0 };
    if (!parse_list(set, text, strlen(text), 0, reader, err)) {
        gv_set_finish(set);
        return false;
    }
    if (set->count == 0)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "an empty SET");
    return true;
}

void gv_set_finish(struct gv_set *set)
{
    free(set->items);
    *set = (struct gv_set){ 0 };
}

bool gv_set_has(const struct gv_set *set, uint64_t number, uint8_t kinds, bool *named)
{
    bool found = false;
    *named = false;
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_set_item *item = &set->items[i];
        const uint64_t first = item->kind == GV_SET_ALL ? 0 : item->first;
        const uint64_t last = item->kind == GV_SET_RANGE ? item->last : UINT64_MAX;
        if (item->kind == GV_SET_LAST || item->kind == GV_SET_END || number < first ||
            number > last || (number - first) % item->step ||
            (item->kinds && !(item->kinds & kinds)))
            continue;
        found = true;
        *named = *named || item->kind == GV_SET_RANGE;
    }
    return found;
}

bool gv_set_is_told_singly(const struct gv_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].kinds && set->items[i].step != 1)
            return false;
    return !gv_set_uses(set, GV_SET_LAST) && !gv_set_uses(set, GV_SET_END);
}

bool gv_set_bound(const struct gv_set *set, uint64_t *total)
{
    *total = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_set_item *item = &set->items[i];
        if (item->kind != GV_SET_RANGE || item->last == UINT64_MAX)
            return false;
        if (item->last >= *total)
            *total = item->last + 1;
    }
    return true;
}

bool gv_set_uses(const struct gv_set *set, enum gv_set_word word)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].kind == word)
            return true;
    return false;
}
