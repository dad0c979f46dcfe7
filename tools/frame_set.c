#include "tools/frame_set.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "resources/base/decimal.h"
#include "resources/base/file.h"
#include "vm/payload/payload.h"

#define MAX_FILE_DEPTH 4 // @FILE naming @FILE

static bool parse_list(struct gv_set *set, const char *text, size_t size, int depth,
                       struct gv_error *err);

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
        return bad_word(word, "expected N, N-N, N-, *, all, last, end, a kind or @FILE",
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
        { "rendertarget", GV_COMMAND_TARGET },
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

// It is not what the command is about, which would be another exit code.
static bool is_fault_of_file(enum gv_status status)
{
    return status == GV_ERR_SYSTEM || status == GV_ERR_LIMIT;
}

static bool parse_file(struct gv_set *set, const char *path, int depth,
                       struct gv_error *err)
{
    if (depth == MAX_FILE_DEPTH)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "@%.64s: files nest too deep",
                       path);
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    struct stat st;
    if (set->named && (stat(path, &st) != 0 || !S_ISREG(st.st_mode)))
        return true;
    if (set->named)
        set->named(set->context, path);
    if (!gv_file_load(&file, path, GV_FILE_TEXT_MAX, &mine))
        return gv_fail(err, is_fault_of_file(mine.status) ? GV_ERR_USAGE : mine.status,
                       GV_NO_OFFSET, "@%.64s: %.80s", path, mine.message);
    bool ok = parse_list(set, (const char *)file.data, file.size, depth + 1, err);
    gv_file_close(&file);
    return ok;
}

// Words are separated by commas and white space; in files `#` starts a comment.
static bool parse_list(struct gv_set *set, const char *text, size_t size, int depth,
                       struct gv_error *err)
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
        bool ok = word[0] == '@' ? parse_file(set, word + 1, depth, err)
                                 : parse_word(set, word, err);
        if (!ok)
            return false;
    }
    return true;
}

bool gv_set_parse(struct gv_set *set, const char *text, struct gv_error *err)
{
    *set = (struct gv_set){ 0 };
    if (!parse_list(set, text, strlen(text), 0, err)) {
        gv_set_finish(set);
        return false;
    }
    if (set->count == 0)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "an empty SET");
    return true;
}

void gv_set_files(const char *text, void (*named)(void *context, const char *path),
                  void *context)
{
    struct gv_set set = { .named = named, .context = context };
    parse_list(&set, text, strlen(text), 0, NULL);
    gv_set_finish(&set);
}

void gv_set_finish(struct gv_set *set)
{
    free(set->items);
    *set = (struct gv_set){ 0 };
}

struct entry {
    uint64_t number;
    bool named;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

// The numbers of an item: [*first, *last] in steps; false if it has none.
static bool item_range(const struct gv_set_item *item, uint64_t total, uint64_t *first,
                       uint64_t *last)
{
    *first = item->kind == GV_SET_RANGE || item->kind == GV_SET_OPEN ? item->first : 0;
    *last = item->kind == GV_SET_RANGE ? item->last : total - 1;
    if (item->kind == GV_SET_LAST)
        *first = *last;
    if (item->kind == GV_SET_END || (item->kind == GV_SET_ALL && total == 0))
        return false;
    return true;
}

static bool check_range(const struct gv_set_item *item, uint64_t total,
                        const char *what, struct gv_error *err)
{
    uint64_t first, last;
    if (!item_range(item, total, &first, &last))
        return true;
    if (total > 0 && first < total && last < total)
        return true;
    if (item->kind == GV_SET_LAST)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "there is no last %s", what);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "%s %" PRIu64 " is out of range: there are %" PRIu64, what,
                   first < total ? last : first, total);
}

// The members that an item of a kind selects are added to `entries`, unless NULL.
static uint64_t fill_members(const struct gv_set *set, const struct gv_set_item *item,
                             uint64_t total, struct entry *entries)
{
    uint64_t first, last, count = 0, met = 0;
    if (!item_range(item, total, &first, &last))
        return 0;
    for (size_t i = 0; i < set->member_count; i++) {
        const struct gv_set_member *m = &set->members[i];
        if (!(m->kinds & item->kinds) || m->number < first || m->number > last ||
            met++ % item->step)
            continue;
        if (entries)
            entries[count] = (struct entry){ m->number, false };
        count++;
    }
    return count;
}

static uint64_t count_item(const struct gv_set *set, const struct gv_set_item *item,
                           uint64_t total)
{
    uint64_t first, last;
    if (item->kinds)
        return fill_members(set, item, total, NULL);
    return item_range(item, total, &first, &last) ? (last - first) / item->step + 1 : 0;
}

static bool count_numbers(const struct gv_set *set, uint64_t total, const char *what,
                          size_t *count, struct gv_error *err)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_set_item any = { .kind = GV_SET_ALL,
                                         .step = 1,
                                         .kinds = set->items[i].kinds };
        if (any.kinds && !fill_members(set, &any, total, NULL))
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "no %s is known to be of a kind that the SET names", what);
        if (!check_range(&set->items[i], total, what, err))
            return false;
        uint64_t numbers = count_item(set, &set->items[i], total);
        if (numbers > GV_SET_MAX_NUMBERS || sum + numbers > GV_SET_MAX_NUMBERS)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "a SET of over %zu %ss",
                           GV_SET_MAX_NUMBERS, what);
        sum += numbers;
    }
    *count = (size_t)sum;
    return true;
}

static size_t fill_entries(const struct gv_set *set, uint64_t total,
                           struct entry *entries, bool *end)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_set_item *item = &set->items[i];
        uint64_t first, last;
        *end |= item->kind == GV_SET_END;
        if (item->kinds) {
            count += (size_t)fill_members(set, item, total, entries + count);
            continue;
        }
        if (!item_range(item, total, &first, &last))
            continue;
        bool named = item->kind == GV_SET_RANGE || item->kind == GV_SET_LAST;
        uint64_t numbers = (last - first) / item->step + 1;
        for (uint64_t n = 0; n < numbers; n++)
            entries[count++] = (struct entry){ first + n * item->step, named };
    }
    return count;
}

bool gv_set_resolve(const struct gv_set *set, uint64_t total, const char *what,
                    struct gv_selection *out, struct gv_error *err)
{
    *out = (struct gv_selection){ 0 };
    size_t count = 0;
    if (!count_numbers(set, total, what, &count, err))
        return false;
    struct entry *entries = malloc((count + 1) * sizeof *entries);
    out->numbers = malloc((count + 1) * sizeof *out->numbers);
    out->named = malloc((count + 1) * sizeof *out->named);
    if (!entries || !out->numbers || !out->named) {
        free(entries);
        gv_selection_finish(out);
        return gv_out_of_memory(err);
    }
    count = fill_entries(set, total, entries, &out->end);
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++) {
        if (out->count && out->numbers[out->count - 1] == entries[i].number) {
            out->named[out->count - 1] |= entries[i].named;
            continue;
        }
        out->numbers[out->count] = entries[i].number;
        out->named[out->count++] = entries[i].named;
    }
    free(entries);
    return true;
}

bool gv_set_has(const struct gv_set *set, uint64_t number, bool *named)
{
    bool found = false;
    *named = false;
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_set_item *item = &set->items[i];
        uint64_t first, last;
        if (item->kind == GV_SET_LAST || item->kinds ||
            !item_range(item, UINT64_MAX, &first, &last) || number < first ||
            number > last || (number - first) % item->step)
            continue;
        found = true;
        *named = *named || item->kind == GV_SET_RANGE;
    }
    return found;
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

void gv_selection_finish(struct gv_selection *selection)
{
    free(selection->numbers);
    free(selection->named);
    *selection = (struct gv_selection){ 0 };
}

ptrdiff_t gv_selection_find(const struct gv_selection *selection, uint64_t number)
{
    size_t low = 0, high = selection->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (selection->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool here = low < selection->count && selection->numbers[low] == number;
    return here ? (ptrdiff_t)low : -1;
}

bool gv_set_needs_all(const char *text)
{
    struct gv_set set;
    bool found = false;
    if (strchr(text, '@'))
        return true;
    if (!gv_set_parse(&set, text, NULL)) // which is told of later
        return false;
    for (size_t i = 0; i < set.count; i++)
        found = found || set.items[i].kind == GV_SET_LAST;
    gv_set_finish(&set);
    return found;
}
