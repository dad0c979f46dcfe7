#include "tools/check/check_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gv_check_differing *add(struct gv_check_difference *d, const char *frame)
{
    if (d->count == d->capacity) {
        const size_t capacity = d->capacity ? 2 * d->capacity : 16;
        void *grown = realloc(d->items, capacity * sizeof *d->items);
        if (!grown)
            return NULL;
        d->items = grown;
        d->capacity = capacity;
    }
    struct gv_check_differing *added = &d->items[d->count++];
    *added = (struct gv_check_differing){ .frame = frame };
    return added;
}

static bool accepts(const struct gv_golden_line *line,
                    const struct gv_check_frame *frame)
{
    for (int form = 0; form < GV_HASH_FORM_COUNT; form++)
        if (frame->hash[form][0] &&
            gv_golden_accepts(line, frame->size, (enum gv_hash_form)form,
                              frame->hash[form]))
            return true;
    return false;
}

static const char *why_not(const struct gv_golden_line *line,
                           const struct gv_check_frame *frame)
{
    return !line                              ? "no line expects it"
           : strcmp(frame->size, "none") == 0 ? "it has no picture"
           : strcmp(line->size, "none") == 0  ? "it has a picture"
           : strcmp(line->size, "-") != 0 && strcmp(line->size, frame->size) != 0
               ? "the size differs"
               : "the hash differs";
}

static bool compare_frame(struct gv_check_difference *d, struct gv_golden *golden,
                          const struct gv_check_frame *frame)
{
    size_t count;
    bool accepted = false;
    struct gv_golden_line *lines = gv_golden_find(golden, frame->frame, &count);
    for (size_t i = 0; i < count; i++) {
        lines[i].met = true;
        accepted = accepted || accepts(&lines[i], frame);
    }
    if (accepted)
        return true;
    struct gv_check_differing *added = add(d, frame->frame);
    if (!added)
        return false;
    added->actual = frame;
    added->expected = lines;
    snprintf(added->why, sizeof added->why, "%s", why_not(lines, frame));
    return true;
}

static bool add_missing(struct gv_check_difference *d, const struct gv_golden *golden)
{
    for (size_t i = 0; i < golden->count; i++) {
        const struct gv_golden_line *line = &golden->lines[i];
        if (line->met || (i && strcmp(line[-1].frame, line->frame) == 0))
            continue;
        struct gv_check_differing *added = add(d, line->frame);
        if (!added)
            return false;
        added->expected = line;
        snprintf(added->why, sizeof added->why, "it was not shown");
    }
    return true;
}

static int by_frame(const void *a, const void *b)
{
    const struct gv_check_differing *x = a, *y = b;
    return gv_golden_order(x->frame, y->frame);
}

bool gv_check_compare(struct gv_check_difference *difference, struct gv_golden *golden,
                      const struct gv_check_seen *seen)
{
    difference->count = 0;
    for (size_t i = 0; i < golden->count; i++)
        golden->lines[i].met = false;
    for (size_t i = 0; i < seen->count; i++)
        if (!compare_frame(difference, golden, &seen->frames[i]))
            return false;
    if (!add_missing(difference, golden))
        return false;
    if (difference->count)
        qsort(difference->items, difference->count, sizeof *difference->items,
              by_frame);
    return true;
}

void gv_check_difference_finish(struct gv_check_difference *difference)
{
    free(difference->items);
    *difference = (struct gv_check_difference){ 0 };
}

unsigned gv_check_forms_wanted(const struct gv_golden *golden,
                               const struct gv_check_difference *difference)
{
    unsigned forms = 0;
    for (size_t i = 0; i < difference->count; i++) {
        size_t count;
        const struct gv_golden_line *lines =
            gv_golden_find(golden, difference->items[i].frame, &count);
        for (size_t k = 0; k < count; k++)
            forms |= lines[k].forms;
    }
    return forms;
}

const char *gv_check_any_hash(const struct gv_check_frame *frame)
{
    for (int form = 0; form < GV_HASH_FORM_COUNT; form++)
        if (frame->hash[form][0])
            return frame->hash[form];
    return "none";
}

void gv_check_expected_text(const struct gv_check_differing *d, char *text, size_t size)
{
    if (d->expected)
        snprintf(text, size, "%s %s", d->expected->size, d->expected->hash);
    else
        snprintf(text, size, "missing");
}

// With a hash of the form that is expected, if there is one.
void gv_check_actual_text(const struct gv_check_differing *d, char *text, size_t size)
{
    if (!d->actual) {
        snprintf(text, size, "missing");
        return;
    }
    const char *hash = gv_check_any_hash(d->actual);
    for (int form = 0; d->expected && form < GV_HASH_FORM_COUNT; form++)
        if (d->expected->forms & 1u << form && d->actual->hash[form][0])
            hash = d->actual->hash[form];
    snprintf(text, size, "%s %s", d->actual->size, hash);
}
