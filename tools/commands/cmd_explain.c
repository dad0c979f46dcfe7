// `gpuvm explain`: where the bytes of a payload go, and what a run will fetch when.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/json.h"
#include "tools/code_census.h"
#include "tools/input.h"
#include "tools/payload_json.h"
#include "tools/process/memory_bound.h"
#include "vm/verify/verify.h"

struct explain_options {
    uint64_t mem_mb, top;
    bool json;
};

// A table printed as text rows or as a JSON array.
struct sheet {
    struct gv_json *json; // NULL: text
};

static void begin(struct sheet *s, const char *title)
{
    if (s->json)
        gv_json_array(s->json, title);
    else
        printf("%s\n", title);
}

static void end(struct sheet *s)
{
    if (s->json)
        gv_json_array_end(s->json);
}

static void row(struct sheet *s, const char *name, uint64_t count, uint64_t bytes)
{
    if (!s->json) {
        printf("  %-26s %12" PRIu64 " %16" PRIu64 "\n", name, count, bytes);
        return;
    }
    gv_json_begin(s->json, NULL);
    gv_json_text(s->json, "name", name);
    gv_json_number(s->json, "count", count);
    gv_json_number(s->json, "bytes", bytes);
    gv_json_end(s->json);
}

static void put_segments(struct sheet *s, const struct gv_payload *p)
{
    begin(s, "segments");
    for (int kind = 1; kind < GV_SEGMENT_COUNT; kind++) {
        uint64_t count = 0, bytes = 0;
        for (size_t i = 0; i < p->segment_count; i++) {
            if (p->segments[i].kind != kind)
                continue;
            count++;
            bytes += p->segments[i].size;
        }
        if (count)
            row(s, gv_segment_name((uint32_t)kind), count, bytes);
    }
    end(s);
}

static void put_census(struct sheet *s, const struct gv_census *census)
{
    begin(s, "opcodes");
    for (size_t i = 0; i < census->opcode_count; i++)
        row(s, census->opcodes[i].name, census->opcodes[i].count,
            census->opcodes[i].bytes);
    end(s);
    begin(s, "calls");
    for (size_t i = 0; i < census->call_count; i++)
        row(s, census->calls[i].name, census->calls[i].count, census->calls[i].bytes);
    end(s);
}

struct ranked {
    uint32_t resource;
    uint64_t size, uses;
};

static int larger(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->resource < y->resource ? -1 : x->resource > y->resource;
}

static bool put_largest(struct sheet *s, const struct gv_payload *p, uint64_t top,
                        struct gv_error *err)
{
    struct ranked *all = calloc(p->resource_count + 1, sizeof *all);
    if (!all)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < p->resource_count; i++)
        all[i] = (struct ranked){ (uint32_t)i, p->resources[i].size, 0 };
    for (size_t i = 0; i < p->schedule_count; i++)
        if (p->schedule[i] < p->resource_count)
            all[p->schedule[i]].uses++;
    qsort(all, p->resource_count, sizeof *all, larger);
    begin(s, "largest_resources");
    for (size_t i = 0; i < p->resource_count && i < top; i++) {
        char name[32];
        snprintf(name, sizeof name, "r%" PRIu32, all[i].resource);
        if (!s->json) {
            row(s, name, all[i].uses, all[i].size);
            continue;
        }
        gv_json_begin(s->json, NULL);
        gv_json_number(s->json, "resource", all[i].resource);
        gv_json_number(s->json, "uses", all[i].uses);
        gv_json_number(s->json, "bytes", all[i].size);
        gv_json_end(s->json);
    }
    end(s);
    free(all);
    return true;
}

// A group that is fetched for a frame, and with which one's bytes as its dictionary.
static void put_fetch(struct sheet *s, const struct gv_payload *p, uint32_t group,
                      size_t frame)
{
    const struct gv_group *g = &p->groups[group];
    const bool with = g->codec == GV_CODEC_DICTIONARY;
    char hex[GV_HASH_HEX], with_hex[GV_HASH_HEX] = "", name[96];
    gv_hash_to_hex(&g->hash, hex);
    if (with)
        gv_hash_to_hex(&p->groups[g->dictionary].hash, with_hex);
    if (!s->json) {
        snprintf(name, sizeof name, "%.12s frame %zu%s%.12s", hex, frame,
                 with ? " with " : "", with_hex);
        row(s, name, g->raw_size, g->stored_size);
        return;
    }
    gv_json_begin(s->json, NULL);
    gv_json_text(s->json, "id", hex);
    gv_json_number(s->json, "frame", frame);
    if (with)
        gv_json_text(s->json, "dictionary", with_hex);
    gv_json_number(s->json, "bytes", g->raw_size);
    gv_json_number(s->json, "stored", g->stored_size);
    gv_json_end(s->json);
}

// Groups in the order of first use, with what each costs to fetch.
static bool put_plan(struct sheet *s, const struct gv_payload *p, uint64_t top,
                     struct gv_error *err)
{
    bool *seen = calloc(p->group_count + 1, sizeof *seen);
    if (!seen)
        return gv_out_of_memory(err);
    begin(s, "fetch_plan");
    uint64_t fetched = 0;
    size_t frame = 0;
    for (size_t i = 0; i < p->schedule_count && fetched < top; i++) {
        while (frame + 1 < p->frame_count && p->frames[frame + 1].schedule <= i)
            frame++;
        if (p->schedule[i] >= p->resource_count)
            continue;
        uint32_t group = p->resources[p->schedule[i]].group;
        if (group >= p->group_count || seen[group])
            continue;
        seen[group] = true;
        fetched++;
        put_fetch(s, p, group, frame);
    }
    end(s);
    free(seen);
    return true;
}

static bool put_tables(struct sheet *s, const struct gv_payload *p,
                       const struct gv_census *census, uint64_t top,
                       struct gv_error *err)
{
    if (!s->json)
        printf("  %-26s %12s %16s\n", "name", "count", "bytes");
    put_segments(s, p);
    put_census(s, census);
    if (!s->json)
        printf("(uses, bytes)\n");
    if (!put_largest(s, p, top, err))
        return false;
    if (!s->json)
        printf("(raw bytes, stored bytes)\n");
    return put_plan(s, p, top, err);
}

// Verifies first: the census trusts the code.
static bool explain(struct sheet *s, struct gv_payload *payload,
                    const struct explain_options *o, enum gv_phase *phase,
                    struct gv_error *err)
{
    const struct gv_verify_params params = { .memory_limit =
                                                 gv_declared_bytes(o->mem_mb) };
    struct gv_census *census = calloc(1, sizeof *census);
    if (!census)
        return gv_out_of_memory(err);
    *phase = GV_PHASE_CODE;
    bool ok = gv_verify(payload, &params, err) &&
              gv_census_take(census, payload, err) &&
              put_tables(s, payload, census, o->top, err);
    free(census);
    return ok;
}

static enum gv_exit explain_file(const struct gv_program *program,
                                 const struct gv_input *input,
                                 const struct explain_options *o)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_loaded loaded;
    struct gv_json json = { 0 };
    struct sheet sheet = { .json = o->json ? &json : NULL };
    enum gv_phase phase = GV_PHASE_LOAD;
    if (o->json) {
        gv_json_result(&json);
        gv_json_text(&json, "status", "ok");
        gv_json_text(&json, "file", input->path);
    }
    bool ok =
        gv_loaded_init(&loaded, program, input, gv_look_bytes(o->mem_mb), NULL, &err);
    if (ok && o->json)
        gv_payload_json(&json, &loaded.payload);
    ok = ok && explain(&sheet, &loaded.payload, o, &phase, &err);
    if (ok && o->json) {
        gv_json_end(&json);
        gv_json_print(&json);
    }
    gv_json_finish(&json);
    gv_loaded_finish(&loaded);
    return ok ? GV_EXIT_OK : gv_report_error(input->path, &err, phase, o->json);
}

static const struct gv_option options[] = {
    { .name = "top",
      .kind = GV_OPTION_NUMBER,
      .argument = "N",
      .minimum = 1,
      .maximum = 1000000000,
      .offset = GV_OPTION_AT(explain_options, top),
      .help = "rows of resources and of the fetch plan (20)" },
    GV_OPTION_MEM_MB(explain_options, "private", "1024"),
    GV_OPTION_JSON(explain_options, "print JSON"),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct explain_options o = { .top = 20 };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_explain, argc, argv, &o, &operands, &code))
        return code;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input input;
    uint64_t limit = gv_look_bytes(o.mem_mb);
    gv_bound_memory(limit >> 20);
    if (!gv_input_open(&input, operands.items[0], limit, o.json, &err))
        return gv_report_error(operands.items[0], &err, GV_PHASE_OPEN, o.json);
    code = explain_file(program, &input, &o);
    gv_input_close(&input);
    return code;
}

const struct gv_command gv_cmd_explain = {
    .name = "explain",
    .operands = "FILE",
    .operand_min = 1,
    .operand_max = 1,
    .what = "show where the bytes go and what is fetched when",
    .run = run,
    .options = options,
    .examples = "explain game.gvp\n"
                "explain game.gvp --top 5\n"
                "explain game.trace --json\n",
};
