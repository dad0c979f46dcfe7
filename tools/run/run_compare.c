#include "tools/run/run_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gv_run_status_word(enum gv_run_status status)
{
    static const char *const words[] = { [GV_RUN_NOT_COMPARED] = "",
                                         [GV_RUN_PASS] = "pass",
                                         [GV_RUN_FAIL] = "fail",
                                         [GV_RUN_EXTRA] = "extra" };
    return words[status];
}

void gv_run_compare_init(struct gv_run_compare *c, const struct gv_run_options *options,
                         struct gv_run_plan *plan)
{
    *c = (struct gv_run_compare){ .options = options, .plan = plan };
    gv_json_array(&c->differing, NULL);
}

void gv_run_compare_finish(struct gv_run_compare *c)
{
    gv_json_finish(&c->differing);
}

// The frame's hash in a form, made once; NULL when memory runs out.
static const char *hash_as(struct gv_run_compare *c, enum gv_hash_form form)
{
    const struct gv_picture *p = c->picture;
    char *text = c->hashes[form];
    if (text[0])
        return text;
    if (p->width == 0)
        snprintf(text, GV_HASH_FRAME_TEXT, "none");
    else if (!gv_hash_frame(text, form, p->rgba, p->width, p->height))
        return NULL;
    return text;
}

// ---- what is told ----

static void put_frame(struct gv_json *json, const char *frame)
{
    if (frame[0] >= '0' && frame[0] <= '9')
        gv_json_raw(json, "frame", frame); // digits
    else
        gv_json_text(json, "frame", frame);
}

// `size` NULL: there is nothing on that side.
static void put_side(struct gv_json *json, const char *key, const char *size,
                     const char *what, const char *value)
{
    if (!size) {
        gv_json_raw(json, key, "null");
        return;
    }
    gv_json_begin(json, key);
    gv_json_text(json, "size", size);
    gv_json_text(json, what, value);
    gv_json_end(json);
}

static void print_difference(const char *const *fields, size_t count)
{
    printf("differ");
    for (size_t i = 0; i < count; i++) {
        putchar('\t');
        gv_print_foreign(stdout, fields[i]);
    }
    putchar('\n');
}

// A frame that differs. `line` or `size` is NULL: it is missing on that side. `why`: of
// a picture that was looked at; or NULL.
static void differ(struct gv_run_compare *c, const char *frame,
                   const struct gv_expect_line *line, const char *size,
                   const char *hash, const char *why)
{
    const bool picture = line && line->picture;
    const char *wanted = picture ? line->picture : line ? line->hash : "missing";
    struct gv_json *json = &c->differing;
    c->differences++;
    if (!c->options->json) {
        const char *const fields[] = { frame,
                                       line ? line->size : "missing",
                                       wanted,
                                       size ? size : "missing",
                                       size ? hash : "missing",
                                       why };
        print_difference(fields, why ? 6 : 5);
        return;
    }
    gv_json_begin(json, NULL);
    put_frame(json, frame);
    put_side(json, "expected", line ? line->size : NULL, picture ? "picture" : "hash",
             wanted);
    put_side(json, "actual", size, "hash", hash);
    if (why)
        gv_json_text(json, "why", why);
    gv_json_end(json);
}

// ---- comparison ----

static const char *digits_of(const char *hash)
{
    const char *colon = strchr(hash, ':');
    return colon ? colon + 1 : hash;
}

// Whether the frame has a hash that the line takes. `had` is the one to be shown.
static bool meets_hash(struct gv_run_compare *c, const struct gv_expect_line *line,
                       const char **had, bool *meets, struct gv_error *err)
{
    const bool sized = strcmp(line->size, "-") == 0 || strcmp(line->size, c->size) == 0;
    if (!line->forms) // a frame without a picture
        *meets = c->picture->width == 0;
    for (int form = 0; form < GV_HASH_FORM_COUNT; form++) {
        if (!(line->forms >> form & 1))
            continue;
        const char *hash = hash_as(c, (enum gv_hash_form)form);
        if (!hash)
            return gv_out_of_memory(err);
        if (!*had)
            *had = hash;
        *meets =
            *meets || (sized && strcmp(digits_of(hash), digits_of(line->hash)) == 0);
    }
    return true;
}

static bool meets_picture(struct gv_run_compare *c, const struct gv_expect_line *line,
                          char why[GV_EXPECT_WHY], bool *meets, struct gv_error *err)
{
    const struct gv_picture *p = c->picture;
    const struct gv_run_options *o = c->options;
    return p->width == 0 ||
           o->pictures->judge(line, o->tolerance ? o->tolerance : "exact", p->rgba,
                              p->width, p->height, meets, why, err);
}

static bool compare(struct gv_run_compare *c, const char *shown,
                    enum gv_run_status *status, struct gv_error *err)
{
    size_t count = 0;
    struct gv_expect_line *lines = gv_expect_lines(&c->plan->expect, c->frame, &count);
    const char *had = NULL;
    char why[GV_EXPECT_WHY] = "";
    bool meets = false;
    for (size_t i = 0; i < count; i++) {
        lines[i].met = true;
        if (lines[i].picture ? !meets_picture(c, &lines[i], why, &meets, err)
                             : !meets_hash(c, &lines[i], &had, &meets, err))
            return false;
    }
    *status = meets ? GV_RUN_PASS : count ? GV_RUN_FAIL : GV_RUN_EXTRA;
    if (!meets)
        differ(c, c->frame, lines, c->size, had ? had : shown, why[0] ? why : NULL);
    return true;
}

bool gv_run_compare_frame(struct gv_run_compare *c, const char *frame,
                          const struct gv_picture *picture, char **hashes,
                          enum gv_run_status *status, struct gv_error *err)
{
    const struct gv_run_plan *plan = c->plan;
    struct gv_bytes all = { 0 };
    c->picture = picture;
    c->frame = frame;
    snprintf(c->size, sizeof c->size, "none");
    if (picture->width)
        snprintf(c->size, sizeof c->size, "%ux%u", picture->width, picture->height);
    for (int i = 0; i < GV_HASH_FORM_COUNT; i++)
        c->hashes[i][0] = '\0';
    c->hashed++;
    for (size_t i = 0; i < plan->form_count; i++) {
        const char *hash = hash_as(c, plan->forms[i]);
        if (!hash)
            return gv_out_of_memory(err);
        gv_bytes_printf(&all, "%s%s", i ? " " : "", hash);
        if (c->options->hashes.count && !c->options->json)
            printf("frame\t%s\t%s\t%s\n", frame, c->size, hash);
    }
    gv_bytes_u8(&all, 0);
    *hashes = (char *)all.data;
    if (all.failed)
        return gv_out_of_memory(err);
    const bool ok =
        !c->options->expect || compare(c, c->hashes[plan->forms[0]], status, err);
    fflush(stdout); // what is known is known, whatever becomes of the next frame
    return ok;
}

void gv_run_compare_end(struct gv_run_compare *c)
{
    const struct gv_expect *expect = &c->plan->expect;
    for (size_t i = 0; c->plan->check_all && i < expect->count; i++) {
        const struct gv_expect_line *line = &expect->lines[i];
        if (!line->met)
            differ(c, line->frame, line, NULL, NULL, NULL);
    }
}

void gv_run_compare_json(struct gv_run_compare *c, struct gv_json *to)
{
    if (!c->options->expect)
        return;
    gv_json_number(to, "differences", c->differences);
    gv_json_array_end(&c->differing);
    gv_bytes_u8(&c->differing.out, 0);
    if (!c->differing.out.failed)
        gv_json_raw(to, "differing", (const char *)c->differing.out.data);
}
