#include "tools/prof/prof_trace.h"

#include <stdio.h>

#include "tools/base/json.h"
#include "vm/payload/payload.h"

enum track { CPU = 1, GPU = 2 };

struct trace {
    const struct gv_prof_figures *figures;
    const struct gv_payload *payload;
    uint64_t first_ns; // of the CPU
    double gpu_us;     // of tick 0, on the CPU's clock
    struct gv_json json;
};

static double cpu_us(const struct trace *t, uint64_t ns)
{
    return ns > t->first_ns ? (double)(ns - t->first_ns) / 1e3 : 0;
}

static double ticks_us(const struct trace *t, uint64_t ticks)
{
    return (double)(ticks - t->figures->stamps[0].ticks) * t->figures->tick_ns / 1e3;
}

static void begin(struct trace *t, const char *name, const char *phase, int track)
{
    gv_json_begin(&t->json, NULL);
    gv_json_text(&t->json, "name", name);
    gv_json_text(&t->json, "ph", phase);
    gv_json_number(&t->json, "pid", 1);
    gv_json_number(&t->json, "tid", (uint64_t)track);
}

// To the nanosecond, in however long a trace.
static void put_us(struct trace *t, const char *key, double us)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", us);
    gv_json_raw(&t->json, key, text);
}

static void put_track(struct trace *t, int track, const char *name)
{
    begin(t, "thread_name", "M", track);
    gv_json_begin(&t->json, "args");
    gv_json_text(&t->json, "name", name);
    gv_json_end(&t->json);
    gv_json_end(&t->json);
}

struct span {
    double us, length_us;
    int track;
};

static void put_part(struct trace *t, const struct gv_stamp *s, const struct span *span)
{
    char name[GV_PROF_NAME];
    const char *source = "";
    gv_prof_name(s, name);
    begin(t, name, "X", span->track);
    gv_json_text(&t->json, "cat", span->track == CPU ? "recording" : "gpu");
    put_us(t, "ts", span->us);
    put_us(t, "dur", span->length_us > 0 ? span->length_us : 0);
    gv_json_begin(&t->json, "args");
    gv_json_number(&t->json, "command", s->command);
    gv_payload_source(t->payload, s->command, &source);
    gv_json_text(&t->json, "source", source);
    gv_json_end(&t->json);
    gv_json_end(&t->json);
}

static void put_flow(struct trace *t, uint64_t id, const char *phase,
                     const struct span *at)
{
    begin(t, "runs", phase, at->track);
    gv_json_text(&t->json, "cat", "flow");
    gv_json_number(&t->json, "id", id);
    put_us(t, "ts", at->us);
    if (*phase == 'f')
        gv_json_text(&t->json, "bp", "e");
    gv_json_end(&t->json);
}

// The least that the GPU's clock may be put behind the CPU's.
static void tie_clocks(struct trace *t)
{
    const struct gv_prof_figures *f = t->figures;
    t->first_ns = f->stamps[0].cpu_ns;
    for (size_t i = 0; i < f->stamp_count; i++) {
        const double late =
            cpu_us(t, f->stamps[i].cpu_ns) - ticks_us(t, f->stamps[i].ticks);
        if (i == 0 || late > t->gpu_us)
            t->gpu_us = late;
    }
}

static void put_parts(struct trace *t)
{
    const struct gv_stamp *s = t->figures->stamps;
    for (size_t i = 1; i < t->figures->stamp_count; i++) {
        if (s[i].kind == GV_STAMP_BEGIN)
            continue;
        const double recorded = cpu_us(t, s[i - 1].cpu_ns);
        const double ran = t->gpu_us + ticks_us(t, s[i - 1].ticks);
        const struct span cpu = { recorded, cpu_us(t, s[i].cpu_ns) - recorded, CPU };
        const struct span gpu = { ran, t->gpu_us + ticks_us(t, s[i].ticks) - ran, GPU };
        put_part(t, &s[i], &cpu);
        put_flow(t, i, "s", &cpu);
        put_part(t, &s[i], &gpu);
        put_flow(t, i, "f", &gpu);
    }
}

bool gv_prof_trace(const struct gv_prof_figures *figures,
                   const struct gv_payload *payload, struct gv_bytes *out,
                   struct gv_error *err)
{
    struct trace t = { .figures = figures, .payload = payload };
    gv_json_begin(&t.json, NULL);
    gv_json_text(&t.json, "displayTimeUnit", "ms");
    gv_json_array(&t.json, "traceEvents");
    put_track(&t, CPU, "CPU: recording");
    put_track(&t, GPU, "GPU");
    if (figures->stamp_count) {
        tie_clocks(&t);
        put_parts(&t);
    }
    gv_json_array_end(&t.json);
    gv_json_end(&t.json);
    gv_bytes_put(out, t.json.out.data, t.json.out.size);
    const bool ok = !t.json.out.failed && !out->failed;
    gv_json_finish(&t.json);
    return ok || gv_out_of_memory(err);
}
