#include "tools/check/check_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"
#include "resources/base/foreign.h"
#include "tools/base/json.h"
#include "tools/results/result_against.h"
#include "tools/results/result_folder.h"
#include "tools/version.h"

// Bytes that JSON cannot hold, and the sign itself, stand as %XX.
static void put_bytes(struct gv_bytes *about, const char *text)
{
    while (*text) {
        uint32_t code;
        const size_t length = gv_utf8_next(text, &code);
        if (length == 0 || code == '%')
            gv_bytes_printf(about, "%%%02X", (unsigned char)*text);
        else
            gv_bytes_put(about, text, length);
        text += length ? length : 1;
    }
}

// How it was checked: what is resumed has to have been checked so too.
static void put_about(const struct gv_check_params *p, struct gv_bytes *about)
{
    gv_bytes_printf(about, "golden ");
    put_bytes(about, p->golden);
    gv_bytes_printf(about, "%s", p->strict ? ", strict" : "");
    for (const char *const *arg = p->run_args; *arg; arg++) {
        gv_bytes_printf(about, ", ");
        put_bytes(about, *arg);
    }
    gv_bytes_u8(about, 0);
}

bool gv_check_report_open(struct gv_check_report *report, size_t item_count,
                          struct gv_error *err)
{
    const struct gv_check_params *p = report->params;
    report->item_count = item_count;
    report->lines.fd = -1;
    report->results.title = p->golden;
    report->results.device = "";
    report->results.version = GV_VERSION;
    report->places = calloc(item_count + 1, sizeof *report->places);
    if (!report->places)
        return gv_out_of_memory(err);
    if (p->against && !gv_result_lines_read(&report->earlier, p->against, err))
        return false;
    if (!p->output)
        return true;
    if (!p->resume)
        gv_result_pictures_forget(p->output);
    struct gv_bytes about = { 0 };
    put_about(p, &about);
    const bool ok =
        (!about.failed || gv_out_of_memory(err)) && gv_make_folders(p->output, err) &&
        gv_result_lines_open(&report->lines, p->output, (const char *)about.data,
                             p->resume, &report->results, err);
    gv_bytes_finish(&about);
    report->kept = report->results.count;
    report->dropped = calloc(report->kept + 1, sizeof *report->dropped);
    return ok && (report->dropped || gv_out_of_memory(err));
}

void gv_check_report_take(struct gv_check_report *report, size_t item, const char *name,
                          const char *golden)
{
    for (size_t i = 0; i < report->kept; i++) {
        const struct gv_result *r = &report->results.items[i];
        if (strcmp(r->name, name) != 0)
            continue;
        const bool same = strcmp(r->golden, golden) == 0;
        report->dropped[i] = !same;
        report->taken += same;
        report->stale += !same;
        if (same)
            report->places[item] = i + 1;
    }
}

bool gv_check_report_taken(struct gv_check_report *report, struct gv_error *err)
{
    struct gv_bytes about = { 0 };
    if (!report->stale)
        return true;
    put_about(report->params, &about);
    const bool ok = (!about.failed || gv_out_of_memory(err)) &&
                    gv_result_lines_drop(&report->lines, (const char *)about.data,
                                         &report->results, report->dropped, err);
    gv_bytes_finish(&about);
    return ok;
}

bool gv_check_report_has(const struct gv_check_report *report, size_t item)
{
    return report->places[item] != 0;
}

static void print_line(const struct gv_check_params *p, const struct gv_result *r)
{
    char label[64];
    if (p->json || (p->quiet && gv_word_is_expected(r->word)))
        return;
    gv_result_label(r, label, sizeof label);
    printf("%s\t", label);
    gv_print_foreign(stdout, r->name);
    if (r->why[0]) {
        putchar('\t');
        gv_print_foreign(stdout, r->why);
    }
    putchar('\n');
}

static void print_due(struct gv_check_report *report, bool all)
{
    for (; report->printed < report->item_count; report->printed++) {
        const size_t place = report->places[report->printed];
        if (place)
            print_line(report->params, &report->results.items[place - 1]);
        else if (!all)
            break;
    }
    fflush(stdout);
}

bool gv_check_report_put(struct gv_check_report *report, size_t item,
                         struct gv_error *err)
{
    const struct gv_result *r = &report->results.items[report->results.count - 1];
    report->places[item] = report->results.count;
    print_due(report, false);
    return report->lines.fd < 0 || gv_result_lines_put(&report->lines, r, err);
}

// ---- the end ----

// Results in the order of the input, and no others.
static bool sort(struct gv_check_report *report, struct gv_error *err)
{
    struct gv_results *all = &report->results;
    struct gv_result *items = malloc((report->item_count + 1) * sizeof *items);
    if (!items)
        return gv_out_of_memory(err);
    size_t count = 0;
    for (size_t i = 0; i < report->item_count; i++)
        if (report->places[i])
            items[count++] = all->items[report->places[i] - 1];
    free(all->items);
    all->items = items;
    all->count = all->capacity = count;
    return true;
}

static bool compare(struct gv_check_report *report, struct gv_error *err)
{
    return !report->params->against ||
           gv_result_against(&report->results, &report->earlier, err);
}

static void print_changes(const struct gv_check_report *report)
{
    for (size_t i = 0; i < report->results.count; i++) {
        const struct gv_result *r = &report->results.items[i];
        if (!r->change || report->params->json)
            continue;
        printf("%s\t", gv_change_name(r->change));
        gv_print_foreign(stdout, r->name);
        putchar('\n');
    }
}

static void put_device(const struct gv_check_device *device, struct gv_json *j)
{
    gv_json_begin(j, "device");
    gv_json_text(j, "name", device->name);
    gv_json_text(j, "type", device->type);
    gv_json_text(j, "api", device->api);
    gv_json_text(j, "driver", device->driver);
    gv_json_number(j, "driver_version", device->driver_version);
    gv_json_number(j, "vendor", device->vendor);
    gv_json_number(j, "device", device->device);
    gv_json_text(j, "uuid", device->uuid);
    gv_json_number(j, "memory_bytes", device->memory_bytes);
    gv_json_end(j);
}

static void print_json(const struct gv_check_report *report)
{
    const struct gv_results *results = &report->results;
    struct gv_json j = { 0 };
    char label[64];
    gv_json_result(&j);
    gv_json_text(&j, "status", gv_results_unexpected(results) ? "differ" : "ok");
    gv_json_begin(&j, "counts");
    for (size_t i = 0; i < GV_WORD_COUNT; i++)
        gv_json_number(&j, gv_word_name((enum gv_word)i),
                       gv_results_count(results, (enum gv_word)i));
    gv_json_end(&j);
    gv_json_text(&j, "golden", report->params->golden);
    put_device(report->device, &j);
    gv_json_array(&j, "results");
    for (size_t i = 0; i < results->count; i++) {
        const struct gv_result *r = &results->items[i];
        gv_result_label(r, label, sizeof label);
        gv_json_begin(&j, NULL);
        gv_json_text(&j, "name", r->name);
        gv_json_text(&j, "result", label);
        if (r->why[0])
            gv_json_text(&j, "why", r->why);
        if (r->change)
            gv_json_text(&j, "change", gv_change_name(r->change));
        gv_json_end(&j);
    }
    gv_json_array_end(&j);
    gv_json_end(&j);
    gv_json_print(&j);
}

static void say_summary(const struct gv_check_report *report)
{
    const struct gv_results *results = &report->results;
    struct gv_bytes line = { 0 };
    const size_t left = report->item_count - results->count;
    gv_bytes_printf(&line, "%zu checked", results->count);
    for (size_t i = 0; i < GV_WORD_COUNT; i++) {
        const size_t count = gv_results_count(results, (enum gv_word)i);
        if (count)
            gv_bytes_printf(&line, ", %zu %s", count, gv_word_name((enum gv_word)i));
    }
    if (left)
        gv_bytes_printf(&line, ", %zu not begun", left);
    if (report->taken || report->stale)
        gv_bytes_printf(&line, "; %zu kept of the check before, not run again",
                        report->taken);
    if (report->stale)
        gv_bytes_printf(&line, "; %zu run again: what is expected has changed",
                        report->stale);
    if (report->params->output)
        gv_bytes_printf(&line, "; %s/index.html", report->params->output);
    gv_bytes_u8(&line, 0);
    if (!line.failed)
        gv_say("check: %s", (const char *)line.data);
    gv_bytes_finish(&line);
}

bool gv_check_report_end(struct gv_check_report *report, struct gv_error *err)
{
    print_due(report, true);
    if (!sort(report, err) || !compare(report, err))
        return false;
    print_changes(report);
    if (report->params->json)
        print_json(report);
    if (report->params->output &&
        !gv_result_folder_write(&report->results, report->params->output, err))
        return false;
    if (!report->params->quiet)
        say_summary(report);
    return true;
}

void gv_check_report_close(struct gv_check_report *report)
{
    gv_result_lines_close(&report->lines);
    gv_results_finish(&report->results);
    gv_results_finish(&report->earlier);
    free(report->places);
    free(report->dropped);
    *report = (struct gv_check_report){ 0 };
}
