#include "compiler/apitrace/call_set.h"

#include "compiler/apitrace/call_kinds.h"
#include "resources/base/decimal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned kind;
} kinds[] = {
    { "frame", GV_CALL_FRAME }, { "draw", GV_CALL_DRAW },
    { "render", GV_CALL_DRAW }, { "rendertarget", GV_CALL_FBO },
    { "fbo", GV_CALL_FBO },
};

static bool refuse(const char *at, const char *wanted, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "--calls: expected %s at '%.32s'",
                   wanted, at);
}

static bool read_kind(const char **at, unsigned *kind)
{
    size_t length = 0;
    while (isalpha((unsigned char)(*at)[length]))
        length++;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].name) == length &&
            strncmp(*at, kinds[i].name, length) == 0) {
            *kind = kinds[i].kind;
            *at += length;
            return true;
        }
    return false;
}

// "*", "N", "N-N" or "N-".
static bool read_interval(const char **at, struct gv_call_set_item *item,
                          struct gv_error *err)
{
    if (**at == '*') {
        ++*at;
        return true;
    }
    if (!gv_take_decimal(at, &item->first))
        return refuse(*at, "a number, '*' or a kind", err);
    item->last = item->first;
    if (**at != '-')
        return true;
    ++*at;
    item->last = UINT64_MAX;
    return !isdigit((unsigned char)**at) || gv_take_decimal(at, &item->last) ||
           refuse(*at, "a number", err);
}

static bool read_item(const char **at, struct gv_call_set_item *item,
                      struct gv_error *err)
{
    *item = (struct gv_call_set_item){ .last = UINT64_MAX, .step = 1 };
    if (read_kind(at, &item->kind))
        return true;
    if (!read_interval(at, item, err))
        return false;
    if (**at != '/')
        return true;
    ++*at;
    if (read_kind(at, &item->kind))
        return true;
    if (!gv_take_decimal(at, &item->step) || item->step == 0)
        return refuse(*at, "a kind or a step from 1", err);
    return true;
}

static bool add(struct gv_call_set *set, const struct gv_call_set_item *item,
                struct gv_error *err)
{
    if (set->count == GV_CALL_SET_MAX_ITEMS)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "--calls: over %zu items",
                       GV_CALL_SET_MAX_ITEMS);
    if (set->count == set->capacity) {
        size_t capacity = set->capacity ? 2 * set->capacity : 16;
        void *grown = realloc(set->items, capacity * sizeof *set->items);
        if (!grown)
            return gv_out_of_memory(err);
        set->items = grown;
        set->capacity = capacity;
    }
    set->items[set->count++] = *item;
    return true;
}

static bool is_separator(char c)
{
    return c == ',' || isspace((unsigned char)c);
}

bool gv_call_set_parse(struct gv_call_set *set, const char *text, struct gv_error *err)
{
    *set = (struct gv_call_set){ 0 };
    bool ok = true;
    while (ok) {
        struct gv_call_set_item item;
        while (is_separator(*text))
            text++;
        if (!*text)
            break;
        ok = read_item(&text, &item, err) && add(set, &item, err);
        if (ok && *text && !is_separator(*text))
            ok = refuse(text, "a comma or a blank", err);
    }
    if (ok && set->count == 0)
        ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "--calls: an empty SET");
    if (!ok)
        gv_call_set_finish(set);
    return ok;
}

void gv_call_set_finish(struct gv_call_set *set)
{
    free(set->items);
    *set = (struct gv_call_set){ 0 };
}

bool gv_call_set_has(const struct gv_call_set *set, uint64_t number, unsigned of)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct gv_call_set_item *item = &set->items[i];
        if (number >= item->first && number <= item->last &&
            (number - item->first) % item->step == 0 &&
            (item->kind == 0 || (item->kind & of)))
            return true;
    }
    return false;
}

uint64_t gv_call_set_last(const struct gv_call_set *set)
{
    uint64_t last = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].last > last)
            last = set->items[i].last;
    return last;
}
