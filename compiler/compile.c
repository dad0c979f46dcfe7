// From a capture to a payload: outer layer, probe, front-end, builder, writer.
#include "compiler/compiler.h"

#include "compiler/builder/builder.h"
#include "compiler/builder/diagnostics.h"
#include "compiler/builder/targets.h"
#include "compiler/decompress.h"
#include "compiler/foreign_capture.h"
#include "compiler/frontend.h"
#include "resources/base/release.h"
#include "resources/codec.h"
#include "resources/hash.h"

#include <string.h>
#include <unistd.h>

#define PROBE_BYTES 4096u
#define MAX_JOBS 64

// A capture without its outer layer.
struct input {
    const uint8_t *data;
    size_t size;
    enum gv_layer layer;
    struct gv_decompressed peeled; // owns the bytes if there was a layer
    const struct gv_frontend *frontend;
};

static void close_input(struct input *in)
{
    gv_bytes_finish(&in->peeled.bytes);
}

// ---- recognition ----

static void fail_unknown(const uint8_t *data, size_t size, struct gv_error *err)
{
    struct gv_bytes names = { 0 };
    const char *foreign = gv_foreign_capture(data, size);
    if (foreign) {
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                "unsupported: %s; gpuvm does not read those yet", foreign);
        return;
    }
    for (size_t i = 0; i < gv_frontend_count; i++)
        gv_bytes_printf(&names, "%s%s", i ? ", " : "", gv_frontends[i]->what);
    gv_fail(err, GV_ERR_FORMAT, 0, "not a capture gpuvm knows (%.*s)", (int)names.size,
            (const char *)names.data);
    gv_bytes_finish(&names);
}

// The surest front-end for these bytes, or NULL.
static const struct gv_frontend *pick(const uint8_t *data, size_t size,
                                      struct gv_error *err)
{
    const struct gv_frontend *best = NULL, *rival = NULL;
    enum gv_match sureness = GV_MATCH_NO;
    struct gv_cursor head =
        gv_cursor_make(data, size < PROBE_BYTES ? size : PROBE_BYTES);
    for (size_t i = 0; i < gv_frontend_count; i++) {
        enum gv_match match = gv_frontends[i]->probe(head);
        if (match == GV_MATCH_NO || match < sureness)
            continue;
        rival = match == sureness ? best : NULL;
        best = gv_frontends[i];
        sureness = match;
    }
    if (sureness == GV_MATCH_NO)
        fail_unknown(data, size, err);
    if (!rival)
        return best;
    gv_fail(err, GV_ERR_FORMAT, 0, "could be both %s (%s) and %s (%s)", rival->what,
            rival->name, best->what, best->name);
    return NULL;
}

// What nobody knows is not unpacked to its end.
static bool check_head(const struct input *in, struct gv_error *err)
{
    const struct gv_decompress_params params = { .limit = PROBE_BYTES,
                                                 .head_only = true,
                                                 .allow_cut = true };
    const struct gv_span stored = { in->data, in->size };
    struct gv_decompressed head = { 0 };
    bool known = true;
    if (gv_decompress(in->layer, stored, &params, &head, NULL))
        known = pick(head.bytes.data, head.bytes.size, err) != NULL;
    gv_bytes_finish(&head.bytes);
    return known; // a damaged layer is told by who needs it whole
}

static bool open_input(struct input *in, const void *capture, size_t size,
                       const struct gv_decompress_params *params, struct gv_error *err)
{
    *in = (struct input){ .data = capture,
                          .size = size,
                          .layer = gv_layer_detect(capture, size) };
    if (in->layer != GV_LAYER_NONE && !params->head_only && !check_head(in, err))
        return false;
    if (in->layer != GV_LAYER_NONE) {
        const struct gv_bytes *peeled = &in->peeled.bytes;
        if (!gv_decompress(in->layer, (struct gv_span){ capture, size }, params,
                           &in->peeled, err)) {
            close_input(in);
            return false;
        }
        in->data = peeled->data ? peeled->data : (const uint8_t *)"";
        in->size = peeled->size;
    }
    in->frontend = pick(in->data, in->size, err);
    if (in->frontend)
        return true;
    close_input(in);
    return false;
}

bool gv_capture_probe(const void *capture, size_t size, const char **name,
                      const char **what, struct gv_error *err)
{
    const struct gv_decompress_params head = { .limit = PROBE_BYTES,
                                               .head_only = true,
                                               .allow_cut = true };
    struct input in;
    if (!open_input(&in, capture, size, &head, err))
        return false;
    if (name)
        *name = in.frontend->name;
    if (what)
        *what = in.frontend->what;
    close_input(&in);
    return true;
}

static bool open_whole(struct input *in, const void *capture, size_t size,
                       const struct gv_compile_params *params, struct gv_error *err)
{
    const struct gv_decompress_params layer = {
        .limit = params->memory_limit ? params->memory_limit : GV_COMPILE_MEMORY,
        .allow_cut = params->allow_truncated,
    };
    return open_input(in, capture, size, &layer, err);
}

// ---- compiling ----

// Counts what goes out.
struct output {
    gv_write_fn write;
    void *context;
    uint64_t bytes;
};

static bool write_output(void *context, const void *data, size_t size,
                         struct gv_error *err)
{
    struct output *out = context;
    out->bytes += size;
    return out->write(out->context, data, size, err);
}

static int job_count(const struct gv_compile_params *params)
{
    if (params->jobs > 0)
        return params->jobs < MAX_JOBS ? params->jobs : MAX_JOBS;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_JOBS ? MAX_JOBS : (int)cores;
}

static void put_hash(struct gv_bytes *out, const void *data, size_t size)
{
    char hex[GV_HASH_HEX];
    struct gv_hash hash = gv_hash_bytes(data, size);
    gv_hash_to_hex(&hash, hex);
    gv_bytes_printf(out, "\"%s\"", hex);
}

// A JSON string. Options are the user's own bytes.
static void put_string(struct gv_bytes *out, const char *s)
{
    gv_bytes_u8(out, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            gv_bytes_printf(out, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            gv_bytes_printf(out, "\\u%04x", (unsigned)*s);
        else
            gv_bytes_u8(out, (uint8_t)*s);
    }
    gv_bytes_u8(out, '"');
}

// Only those that this front-end reads: the others change nothing.
static void put_frontend_options(struct gv_bytes *out,
                                 const struct gv_compile_params *params,
                                 const struct gv_frontend *frontend)
{
    size_t count = 0;
    for (const char *const *o = params->options; o && *o; o++) {
        if (!gv_frontend_has_option(frontend, *o))
            continue;
        gv_bytes_printf(out, "%s", count++ ? "," : ",\"front_end\":[");
        put_string(out, *o);
    }
    if (count)
        gv_bytes_u8(out, ']');
}

static int level_of(const struct gv_compile_params *params)
{
    return params->level ? params->level : GV_CODEC_DEFAULT_LEVEL;
}

static void put_options(struct gv_bytes *out, const struct gv_compile_params *params,
                        const struct gv_frontend *frontend)
{
    const char *target = params->target ? params->target : "desktop";
    bool named = !strcmp(target, "desktop") || !strcmp(target, "baseline");
    // A path is not for others to see; what the file says is in the requirements.
    gv_bytes_printf(out, "{\"level\":%d,\"target\":\"%s\"", level_of(params),
                    named ? target : "file");
    gv_bytes_printf(out, ",\"strict\":%s,\"allow_truncated\":%s",
                    params->strict ? "true" : "false",
                    params->allow_truncated ? "true" : "false");
    gv_bytes_printf(out, ",\"strip\":%s,\"thin\":%s", params->strip ? "true" : "false",
                    params->store ? "true" : "false");
    if (params->frames) {
        gv_bytes_printf(out,
                        ",\"frames\":{\"count\":%zu,\"xxh3\":", params->frame_count);
        put_hash(out, params->frames, params->frame_count * sizeof *params->frames);
        gv_bytes_u8(out, '}');
    }
    put_frontend_options(out, params, frontend);
    gv_bytes_u8(out, '}');
}

// What the payload was made from and by: all that its bytes depend on, no time, no
// path.
static bool write_provenance(struct gv_payload_writer *writer, const struct input *in,
                             const struct gv_compile_params *params,
                             struct gv_error *err)
{
    struct gv_bytes json = { 0 };
    gv_bytes_printf(&json, "{\"program\":\"gpuvm %s\",\"zstd\":\"%s\"", GV_RELEASE,
                    gv_codec_version());
    gv_bytes_printf(&json, ",\"front_end\":\"%s\",\"capture\":{\"bytes\":%zu",
                    in->frontend->name, in->size);
    gv_bytes_printf(&json, ",\"layer\":\"%s\",\"xxh3\":", gv_layer_name(in->layer));
    put_hash(&json, in->data, in->size);
    gv_bytes_printf(&json, "},\"options\":");
    put_options(&json, params, in->frontend);
    gv_bytes_put(&json, "}", 2);
    bool made = !json.failed;
    if (made)
        gv_writer_provenance(writer, (const char *)json.data);
    gv_bytes_finish(&json);
    return made || gv_out_of_memory(err);
}

static bool run_frontend(const struct input *in, const struct gv_compile_params *params,
                         struct gv_builder *builder, struct gv_builder_totals *totals,
                         struct gv_error *err)
{
    struct gv_arena arena = { 0 };
    gv_builder_set_stable(builder, in->data, in->size);
    if (in->peeled.cut)
        gv_builder_diagnose(builder, GV_WARNING, "truncated",
                            "the %s layer ends early, after %zu bytes of the capture",
                            gv_layer_name(in->layer), in->size);
    bool compiled = in->frontend->compile(gv_cursor_make(in->data, in->size), params,
                                          &arena, builder, err);
    // Some front-ends look at the builder now and then only.
    compiled = !gv_builder_failed(builder, err) && compiled;
    compiled = compiled && gv_builder_finish(builder, totals, err);
    gv_arena_finish(&arena);
    return compiled;
}

// With the writer made: provenance, front-end, last segments.
static bool compile_into(struct gv_payload_writer *writer, const struct input *in,
                         const struct gv_compile_params *params,
                         struct gv_builder_totals *totals, struct gv_error *err)
{
    struct gv_target target;
    struct gv_builder *builder = NULL;
    bool compiled = gv_target_init(&target, params->target, err) &&
                    write_provenance(writer, in, params, err);
    if (compiled) {
        const struct gv_builder_params builder_params = { .writer = writer,
                                                          .target = &target,
                                                          .strict = params->strict };
        builder = gv_builder_create(&builder_params, err);
    }
    compiled = builder && run_frontend(in, params, builder, totals, err) &&
               gv_writer_close(writer, totals->unsupported == 0, err);
    if (builder && params->diagnosed) {
        const struct gv_diagnostics *said = gv_builder_diagnostics(builder);
        params->diagnosed(params->diagnosed_context, said->list, said->count);
    }
    gv_builder_destroy(builder);
    gv_target_finish(&target);
    return compiled;
}

bool gv_compile(const void *capture, size_t size,
                const struct gv_compile_params *params, gv_write_fn write,
                void *context, struct gv_compile_stats *stats, struct gv_error *err)
{
    struct input in;
    struct output out = { write, context, 0 };
    struct gv_builder_totals totals = { 0 };
    if (!gv_frontend_options_check(params, err) ||
        !open_whole(&in, capture, size, params, err))
        return false;
    const struct gv_writer_params writer_params = {
        .write = write_output,
        .context = &out,
        .level = level_of(params),
        .jobs = job_count(params),
        .strip = params->strip,
        .store = params->store,
    };
    struct gv_payload_writer *writer = gv_payload_writer_create(&writer_params, err);
    bool compiled = writer && compile_into(writer, &in, params, &totals, err);
    gv_payload_writer_destroy(writer);
    if (stats)
        *stats = (struct gv_compile_stats){
            .input_bytes = in.size,
            .output_bytes = out.bytes,
            .commands = totals.commands,
            .frames = totals.frames,
            .instructions = totals.instructions,
            .resources = totals.resources,
            .resource_bytes = totals.resource_bytes,
            .unsupported = totals.unsupported,
            .complete = compiled && totals.unsupported == 0,
        };
    close_input(&in);
    return compiled;
}

// ---- looking without compiling ----

// The layer, if there is one, before what the front-end knows.
static void describe_layer(const struct input *in, struct gv_describe *out)
{
    if (in->layer == GV_LAYER_NONE)
        return;
    gv_describe_text(out, "layer", gv_layer_name(in->layer));
    gv_describe_bool(out, "layer_cut", in->peeled.cut);
    gv_describe_number(out, "capture_bytes", in->size);
}

bool gv_capture_info(const void *capture, size_t size,
                     const struct gv_compile_params *params, struct gv_describe *out,
                     struct gv_error *err)
{
    struct input in;
    if (!open_whole(&in, capture, size, params, err))
        return false;
    describe_layer(&in, out);
    bool told = in.frontend->info(gv_cursor_make(in.data, in.size), params, out, err);
    close_input(&in);
    return told;
}

bool gv_capture_dump(const void *capture, size_t size,
                     const struct gv_compile_params *params, struct gv_bytes *out,
                     struct gv_error *err)
{
    struct input in;
    if (!open_whole(&in, capture, size, params, err))
        return false;
    bool told = in.frontend->dump(gv_cursor_make(in.data, in.size), params, out, err);
    close_input(&in);
    return told;
}
