#include "tools/results/result_page.h"

#include <string.h>

#include "tools/base/json.h"

static const char *const head[] = {
#include "tools/results/page_head.def"
};
static const char *const body[] = {
#include "tools/results/page_body.def"
};
static const char *const script[] = {
#include "tools/results/page_script.def"
};

static void put_lines(struct gv_bytes *out, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gv_bytes_put(out, lines[i], strlen(lines[i]));
}

static void put_frame(struct gv_json *j, const struct gv_result_frame *f)
{
    gv_json_array(j, NULL);
    gv_json_text(j, NULL, f->frame);
    gv_json_text(j, NULL, f->why);
    gv_json_text(j, NULL, f->expected);
    gv_json_text(j, NULL, f->actual);
    gv_json_number(j, NULL, f->pictures);
    gv_json_array_end(j);
}

// A list and no object: a thousand results are to stay small. What a mere pass has not
// is left out.
static void put_item(struct gv_json *j, const struct gv_result *r)
{
    gv_json_array(j, NULL);
    gv_json_text(j, NULL, r->name);
    gv_json_number(j, NULL, r->word);
    gv_json_number(j, NULL, r->ns / 1000000u);
    if (r->word != GV_WORD_PASS || r->note[0] || r->why[0] || r->change) {
        gv_json_text(j, NULL, r->note);
        gv_json_text(j, NULL, r->why);
        gv_json_number(j, NULL, r->change);
        gv_json_text(j, NULL, r->command);
        gv_json_array(j, NULL);
        for (size_t i = 0; i < r->differing_count; i++)
            put_frame(j, &r->differing[i]);
        gv_json_array_end(j);
        gv_json_number(j, NULL, r->differing_total);
    }
    gv_json_array_end(j);
}

static void put_names(struct gv_json *j)
{
    gv_json_array(j, "words");
    for (size_t i = 0; i < GV_WORD_COUNT; i++)
        gv_json_text(j, NULL, gv_word_name((enum gv_word)i));
    gv_json_array_end(j);
    gv_json_array(j, "expected");
    for (size_t i = 0; i < GV_WORD_COUNT; i++)
        gv_json_bool(j, NULL, gv_word_is_expected((enum gv_word)i));
    gv_json_array_end(j);
    gv_json_array(j, "changes");
    for (size_t i = 0; i < GV_CHANGE_COUNT; i++)
        gv_json_text(j, NULL, gv_change_name((enum gv_change)i));
    gv_json_array_end(j);
}

// JSON in which no element of HTML can begin or end.
static void put_inert(struct gv_bytes *out, const struct gv_json *j)
{
    for (size_t i = 0; i < j->out.size; i++)
        if (j->out.data[i] == '<')
            gv_bytes_printf(out, "\\u003c");
        else
            gv_bytes_u8(out, j->out.data[i]);
    out->failed = out->failed || j->out.failed;
}

void gv_result_page(const struct gv_results *results, struct gv_bytes *out)
{
    struct gv_json j = { 0 };
    gv_json_begin(&j, NULL);
    gv_json_text(&j, "title", results->title);
    gv_json_text(&j, "device", results->device);
    gv_json_text(&j, "version", results->version);
    put_names(&j);
    gv_json_array(&j, "items");
    for (size_t i = 0; i < results->count; i++)
        put_item(&j, &results->items[i]);
    gv_json_array_end(&j);
    gv_json_end(&j);
    put_lines(out, head, sizeof head / sizeof *head);
    put_lines(out, body, sizeof body / sizeof *body);
    put_inert(out, &j);
    put_lines(out, script, sizeof script / sizeof *script);
    gv_json_finish(&j);
}
