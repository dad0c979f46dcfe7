#include "tools/results/result_junit.h"

#include <inttypes.h>
#include <string.h>

#include "resources/base/foreign.h"

// What a word is to JUnit; NULL: nothing, it has passed.
static const char *const elements[GV_WORD_COUNT] = {
    [GV_WORD_FAIL] = "failure",
    [GV_WORD_CRASH] = "error",
    [GV_WORD_TIMEOUT] = "error",
    [GV_WORD_SKIP] = "skipped",
    [GV_WORD_MISSING] = "error",
    [GV_WORD_EXPECTED_FAIL] = "skipped",
    [GV_WORD_UNEXPECTED_PASS] = "failure",
};

// Text and attributes: what XML 1.0 cannot hold at all is a question mark.
static void put_text(struct gv_bytes *out, const char *text)
{
    while (*text) {
        uint32_t code = 0;
        const size_t length = gv_utf8_next(text, &code);
        if (length == 0 || gv_is_control(code) || (code & 0xfffe) == 0xfffe)
            gv_bytes_u8(out, code == '\n' ? '\n' : '?');
        else if (strchr("<>&\"'", *text))
            gv_bytes_printf(out, "&#%d;", *text);
        else
            gv_bytes_put(out, text, length);
        text += length ? length : 1;
    }
}

static void put_attribute(struct gv_bytes *out, const char *name, const char *text)
{
    gv_bytes_printf(out, " %s=\"", name);
    put_text(out, text);
    gv_bytes_u8(out, '"');
}

static void put_seconds(struct gv_bytes *out, uint64_t ns)
{
    gv_bytes_printf(out, " time=\"%" PRIu64 ".%03u\"", ns / 1000000000u,
                    (unsigned)(ns / 1000000u % 1000u));
}

static size_t count(const struct gv_results *results, const char *element)
{
    size_t found = 0;
    for (size_t i = 0; i < results->count; i++) {
        const char *of = elements[results->items[i].word];
        found += of && strcmp(of, element) == 0;
    }
    return found;
}

static void put_counts(struct gv_bytes *out, const struct gv_results *results)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < results->count; i++)
        ns += results->items[i].ns;
    gv_bytes_printf(
        out, " name=\"gpuvm check\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"",
        results->count, count(results, "failure"), count(results, "error"));
    put_seconds(out, ns);
}

static void put_frames(struct gv_bytes *out, const struct gv_result *r)
{
    for (size_t i = 0; i < r->differing_count; i++) {
        const struct gv_result_frame *f = &r->differing[i];
        const char *const texts[] = {
            "\nframe ",    f->frame,    ": ",        f->why,
            "\nexpected ", f->expected, "\nactual ", f->actual
        };
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            put_text(out, texts[k]);
    }
}

static void put_case(struct gv_bytes *out, const struct gv_result *r)
{
    const char *element = elements[r->word];
    char label[64];
    gv_bytes_printf(out, "    <testcase classname=\"gpuvm.check\"");
    put_attribute(out, "name", r->name);
    put_seconds(out, r->ns);
    if (!element && !r->note[0]) {
        gv_bytes_printf(out, "/>\n");
        return;
    }
    gv_bytes_printf(out, ">\n");
    gv_result_label(r, label, sizeof label);
    if (element) {
        gv_bytes_printf(out, "      <%s", element);
        if (strcmp(element, "skipped") != 0)
            put_attribute(out, "type", label);
        put_attribute(out, "message", r->why[0] ? r->why : label);
        gv_bytes_u8(out, '>');
        put_frames(out, r);
        gv_bytes_printf(out, "</%s>\n", element);
    }
    gv_bytes_printf(out, "      <system-out>");
    put_text(out, element ? r->command : label);
    gv_bytes_printf(out, "</system-out>\n    </testcase>\n");
}

void gv_result_junit(const struct gv_results *results, struct gv_bytes *out)
{
    gv_bytes_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    put_counts(out, results);
    gv_bytes_printf(out, ">\n  <testsuite");
    put_counts(out, results);
    gv_bytes_printf(out, " skipped=\"%zu\">\n", count(results, "skipped"));
    for (size_t i = 0; i < results->count; i++)
        put_case(out, &results->items[i]);
    gv_bytes_printf(out, "  </testsuite>\n</testsuites>\n");
}
