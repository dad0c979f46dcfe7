#include "tools/prof/prof_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/base/report.h"
#include "tools/prof/prof_job.h"

static const char *const cost_names[GV_COST_COUNT] = {
    [GV_COST_WALL] = "wall",
    [GV_COST_VM] = "vm",
    [GV_COST_RECORDING] = "recording",
    [GV_COST_DRIVER] = "driver",
    [GV_COST_WAITING] = "waiting",
    [GV_COST_UPLOADS] = "uploads",
    [GV_COST_UPLOAD_BYTES] = "upload_bytes",
};

static double ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

// "yes", or "no" and what kept the device waiting.
static void put_fed(const struct gv_prof_figures *f, char text[160])
{
    const char *by = gv_prof_starved_by(f);
    const double wall = ms(f->cost.of[GV_COST_WALL]);
    if (by)
        snprintf(text, 160, "no: the GPU had to wait for %s", by);
    else
        snprintf(text, 160, "yes: the CPU waited for it, %.3f of %.3f ms",
                 ms(f->cost.of[GV_COST_WAITING]), wall);
}

static double ratio_of(const struct gv_prof_figures *f)
{
    return f->plain.median ? (double)f->stamped.median / (double)f->plain.median : 0;
}

// ---- lines ----

// Columns of a table are as wide as their widest usual value.
static void cell(bool table, int width, const char *text)
{
    if (table)
        printf("%*s ", width, text);
    else
        printf("\t%s", text);
}

static void time_cell(bool table, uint64_t ns)
{
    char text[32];
    snprintf(text, sizeof text, table ? "%.3f" : "%.6f", ms(ns));
    cell(table, 10, text);
}

static void number_cell(bool table, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    cell(table, 10, text);
}

static void spread_cells(bool table, const struct gv_spread *s)
{
    time_cell(table, s->median);
    time_cell(table, s->least);
    time_cell(table, s->most);
}

static void first_cell(bool table, const char *kind, const char *name)
{
    if (table)
        printf("%-14s ", name);
    else
        printf("%s\t%s", kind, name);
}

static void print_runs(const struct gv_prof_figures *f, bool table)
{
    char text[160];
    if (table)
        printf("%-14s %10s %10s %10s\n", "ms of a pass", "median", "least", "most");
    first_cell(table, "pass", "plain");
    spread_cells(table, &f->plain);
    printf("\n");
    first_cell(table, "pass", "stamped");
    spread_cells(table, &f->stamped);
    printf("\n");
    first_cell(table, "ratio", "stamped/plain");
    snprintf(text, sizeof text, "%.3f", ratio_of(f));
    cell(table, 10, text);
    printf("\n");
    put_fed(f, text);
    if (table)
        printf("%-14s %s\n", "GPU fed", text);
    else
        printf("fed\t%s\n", text);
    if (f->joined)
        printf(table ? "%-14s %" PRIu64 " parts are told with the next\n"
                     : "joined\t%s\t%" PRIu64 "\n",
               "joined", f->joined);
}

static void print_frames(const struct gv_prof_figures *f, bool table)
{
    if (table)
        printf("\n%-14s %10s %10s %10s %10s %10s %10s %10s %10s\n", "frame, ms", "GPU",
               "CPU", "bytecode", "recording", "driver", "waiting", "uploads", "bytes");
    for (size_t i = 0; i < f->frame_count; i++) {
        char name[24];
        const struct gv_prof_frame *one = &f->frames[i];
        snprintf(name, sizeof name, "f%" PRIu64, one->frame);
        first_cell(table, "frame", name);
        time_cell(table, one->gpu.median);
        for (int k = 0; k < GV_COST_UPLOAD_BYTES; k++)
            time_cell(table, one->cost.of[k]);
        number_cell(table, one->cost.of[GV_COST_UPLOAD_BYTES]);
        printf("\n");
    }
}

static void print_parts(const struct gv_prof_figures *f, bool table)
{
    if (table)
        printf("\n%-14s %10s %10s %10s %10s %10s source\n", "part, ms", "GPU", "least",
               "most", "% of all", "command");
    for (size_t i = 0; i < f->part_count; i++) {
        char text[GV_PROF_NAME];
        const struct gv_prof_part *part = &f->parts[i];
        gv_prof_name(&part->stamp, text);
        first_cell(table, "part", text);
        spread_cells(table, &part->gpu);
        snprintf(text, sizeof text, "%.2f", share_of(part->gpu.median, f->gpu_ns));
        cell(table, 10, text);
        number_cell(table, part->stamp.command);
        if (!table)
            printf("\t");
        gv_print_foreign(stdout, *part->source ? part->source : "-");
        printf("\n");
    }
}

static void print_all(const struct gv_prof_figures *f, bool table)
{
    print_runs(f, table);
    print_frames(f, table);
    print_parts(f, table);
}

// ---- JSON ----

// A spread as an object.
static const char *spread_text(const struct gv_spread *s, char text[160])
{
    snprintf(text, 160,
             "{\"median\":%" PRIu64 ",\"least\":%" PRIu64 ",\"most\":%" PRIu64 "}",
             s->median, s->least, s->most);
    return text;
}

static void put_all(const struct gv_prof_figures *f, struct gv_json *j)
{
    char text[160];
    gv_json_raw(j, "plain", spread_text(&f->plain, text));
    gv_json_raw(j, "stamped", spread_text(&f->stamped, text));
    gv_json_real(j, "ratio", ratio_of(f));
    gv_json_bool(j, "fed", !gv_prof_starved_by(f));
    put_fed(f, text);
    gv_json_text(j, "fed_text", text);
    gv_json_number(j, "joined", f->joined);
    gv_json_array(j, "frames");
    for (size_t i = 0; i < f->frame_count; i++) {
        gv_json_begin(j, NULL);
        gv_json_number(j, "frame", f->frames[i].frame);
        gv_json_raw(j, "gpu", spread_text(&f->frames[i].gpu, text));
        for (int k = 0; k < GV_COST_COUNT; k++)
            gv_json_number(j, cost_names[k], f->frames[i].cost.of[k]);
        gv_json_end(j);
    }
    gv_json_array_end(j);
    gv_json_array(j, "parts");
    for (size_t i = 0; i < f->part_count; i++) {
        const struct gv_prof_part *part = &f->parts[i];
        char name[GV_PROF_NAME];
        gv_prof_name(&part->stamp, name);
        gv_json_begin(j, NULL);
        gv_json_text(j, "place", name);
        gv_json_raw(j, "gpu", spread_text(&part->gpu, text));
        gv_json_number(j, "command", part->stamp.command);
        gv_json_text(j, "source", part->source);
        gv_json_end(j);
    }
    gv_json_array_end(j);
}

void gv_prof_report(const struct gv_run_job *job, struct gv_json *json)
{
    const struct gv_prof *p = (const struct gv_prof *)job;
    if (json)
        put_all(&p->figures, json);
    else
        print_all(&p->figures, p->table);
}
