// From a capture to a payload: outer layer, probe, front-end, builder, writer.
#include "compiler/compiler.h"

#include "compiler/builder/builder.h"
#include "compiler/builder/diagnostics.h"
#include "compiler/builder/targets.h"
#include "compiler/capture_input.h"
#include "compiler/shader/spirv/spirv_memory.h"
#include "resources/base/release.h"
#include "resources/codec.h"
#include "resources/hash.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define MAX_JOBS 64

bool gv_capture_may_be(const void *head, size_t size, struct gv_error *err)
{
    return gv_capture_input_may_be(head, size, err);
}

bool gv_contents_are_exact(const char *front_end)
{
    for (size_t i = 0; i < gv_frontend_count; i++)
        if (strcmp(gv_frontends[i]->name, front_end) == 0)
            return gv_frontends[i]->contents_exact;
    return false;
}

bool gv_capture_probe(const void *capture, size_t size, const char **name,
                      const char **what, struct gv_error *err)
{
    struct gv_capture_input in;
    if (!gv_capture_input_peek(&in, capture, size, err))
        return false;
    if (name)
        *name = in.frontend->name;
    if (what)
        *what = in.frontend->what;
    gv_capture_input_close(&in);
    return true;
}

bool gv_capture_reads_forward(const void *capture, size_t size)
{
    struct gv_capture_input in;
    if (!gv_capture_input_peek(&in, capture, size, NULL))
        return false;
    bool forward = in.forward;
    gv_capture_input_close(&in);
    return forward;
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

static void put_hash(struct gv_bytes *out, const struct gv_hash *hash)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
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
    if (params->apart)
        gv_bytes_printf(out, ",\"apart\":true");
    if (params->live)
        gv_bytes_printf(out, ",\"live\":true");
    if (params->group_kb != GV_COMPILE_GROUP_KB)
        gv_bytes_printf(out, ",\"group_kb\":%" PRIu32, params->group_kb);
    if (params->frames) {
        gv_bytes_printf(out,
                        ",\"frames\":{\"count\":%zu,\"xxh3\":", params->frame_count);
        struct gv_hash hash =
            gv_hash_bytes(params->frames, params->frame_count * sizeof *params->frames);
        put_hash(out, &hash);
        gv_bytes_u8(out, '}');
    }
    put_frontend_options(out, params, frontend);
    gv_bytes_u8(out, '}');
}

// The capture, or what of it was read.
static void put_capture(struct gv_bytes *out, const struct gv_capture_input *in)
{
    struct gv_hash hash = in->forward ? gv_hash_stream_result(in->read.hash)
                                      : gv_hash_bytes(in->data, in->size);
    // How much of a pipe had come by then is chance.
    gv_bytes_printf(out, "{\"bytes\":%zu", in->read.inflow ? in->read.done : in->size);
    if (in->forward && !in->read.inflow && in->read.done < in->size)
        gv_bytes_printf(out, ",\"read\":%zu", in->read.done);
    gv_bytes_printf(out, ",\"layer\":\"%s\",\"xxh3\":", gv_layer_name(in->layer));
    put_hash(out, &hash);
    gv_bytes_u8(out, '}');
}

// What the payload was made from and by: all that its bytes depend on, no time, no
// path.
static bool write_provenance(struct gv_payload_writer *writer,
                             const struct gv_capture_input *in,
                             const struct gv_compile_params *params,
                             struct gv_error *err)
{
    struct gv_bytes json = { 0 };
    gv_bytes_printf(&json, "{\"program\":\"gpuvm %s\",\"zstd\":\"%s\"", GV_RELEASE,
                    gv_codec_version());
    gv_bytes_printf(&json, ",\"front_end\":\"%s\",\"capture\":", in->frontend->name);
    put_capture(&json, in);
    gv_bytes_printf(&json, ",\"options\":");
    put_options(&json, params, in->frontend);
    gv_bytes_put(&json, "}", 2);
    bool made = !json.failed;
    if (made)
        gv_writer_provenance(writer, (const char *)json.data);
    gv_bytes_finish(&json);
    return made || gv_out_of_memory(err);
}

// A payload on its way.
struct product {
    struct gv_payload_writer *writer;
    struct gv_builder *builder;
    struct gv_builder_totals *totals; // at the end
};

static bool run_frontend(const struct gv_capture_input *in,
                         const struct gv_compile_params *params,
                         const struct product *out, struct gv_error *err)
{
    struct gv_builder *builder = out->builder;
    struct gv_arena arena = { 0 };
    if (!in->read.inflow)
        gv_builder_set_stable(builder, in->data, in->size);
    else if (in->read.again)
        gv_builder_set_stable(builder, in->data, in->read.inflow->reserved);
    if (in->peeled.cut)
        gv_builder_diagnose(builder, GV_WARNING, "truncated",
                            "the %s layer ends early, after %zu bytes of the capture",
                            gv_layer_name(in->layer), in->size);
    bool compiled = in->frontend->compile(gv_cursor_make(in->data, in->size), params,
                                          &arena, builder, err);
    // Some front-ends look at the builder now and then only.
    compiled = !gv_builder_failed(builder, err) && compiled;
    compiled = compiled && gv_builder_finish(builder, out->totals, err);
    gv_arena_finish(&arena);
    return compiled;
}

// What stopped coming for a reason was cut off by that.
static bool check_inflow(const struct gv_inflow *inflow, struct gv_error *err)
{
    if (inflow->error.status != GV_OK && err)
        *err = inflow->error;
    return inflow->error.status == GV_OK;
}

// What is read forward is known when it has been read; of all else the payload says
// what it is before anything else.
static bool compile_capture(struct gv_capture_input *in,
                            const struct gv_compile_params *params,
                            const struct product *out, struct gv_error *err)
{
    if (!in->forward)
        return write_provenance(out->writer, in, params, err) &&
               run_frontend(in, params, out, err);
    struct gv_compile_params reading = *params;
    reading.read = &in->read;
    in->read.hash = gv_hash_stream_create();
    bool compiled = in->read.hash || gv_out_of_memory(err);
    compiled = compiled && run_frontend(in, &reading, out, err);
    gv_input_read_end(&in->read);
    if (in->read.inflow)
        compiled = check_inflow(in->read.inflow, err) && compiled;
    compiled = compiled && write_provenance(out->writer, in, params, err);
    gv_hash_stream_destroy(in->read.hash);
    return compiled;
}

static uint64_t memory_of(const struct gv_compile_params *params)
{
    return params->memory_limit ? params->memory_limit : GV_COMPILE_MEMORY;
}

// With the writer made: provenance, front-end, last segments.
static bool compile_into(struct gv_payload_writer *writer, struct gv_capture_input *in,
                         const struct gv_compile_params *params,
                         struct gv_builder_totals *totals, struct gv_error *err)
{
    struct gv_target target;
    struct gv_builder *builder = NULL;
    bool compiled = gv_target_init(&target, params->target, err);
    if (compiled) {
        const struct gv_builder_params builder_params = { .writer = writer,
                                                          .target = &target,
                                                          .strict = params->strict,
                                                          .live = params->live,
                                                          .memory_limit =
                                                              memory_of(params) };
        builder = gv_builder_create(&builder_params, err);
    }
    const struct product product = { writer, builder, totals };
    compiled = builder && compile_capture(in, params, &product, err) &&
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
    struct gv_capture_input in;
    struct output out = { write, context, 0 };
    struct gv_builder_totals totals = { 0 };
    if (!gv_compile_options_check(params, err) ||
        !(params->inflow ? gv_capture_input_await(&in, params->inflow, params, err)
                         : gv_capture_input_open(&in, capture, size, params, err)))
        return false;
    const struct gv_writer_params writer_params = {
        .write = write_output,
        .context = &out,
        .level = level_of(params),
        .jobs = job_count(params),
        .strip = params->strip,
        .frame_group_bytes = (size_t)params->group_kb << 10,
        .store = params->store,
    };
    struct gv_payload_writer *writer = gv_payload_writer_create(&writer_params, err);
    gv_spirv_memory_use(params->shaders);
    bool compiled = writer && compile_into(writer, &in, params, &totals, err);
    gv_spirv_memory_use(NULL);
    gv_payload_writer_destroy(writer);
    if (stats)
        *stats = (struct gv_compile_stats){
            .input_bytes = in.read.inflow ? in.read.done : in.size,
            .output_bytes = out.bytes,
            .commands = totals.commands,
            .frames = totals.frames,
            .instructions = totals.instructions,
            .resources = totals.resources,
            .resource_bytes = totals.resource_bytes,
            .unsupported = totals.unsupported,
            .complete = compiled && totals.unsupported == 0,
        };
    gv_capture_input_close(&in);
    return compiled;
}

// ---- looking without compiling ----

// The layer, if there is one, before what the front-end knows.
static void describe_layer(const struct gv_capture_input *in, struct gv_describe *out)
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
    struct gv_capture_input in;
    if (!gv_capture_input_open(&in, capture, size, params, err))
        return false;
    struct gv_compile_params reading = *params;
    reading.read = in.forward ? &in.read : NULL;
    describe_layer(&in, out);
    bool told = in.frontend->info(gv_cursor_make(in.data, in.size), &reading, out, err);
    gv_capture_input_close(&in);
    return told;
}

static bool dump_into(struct gv_capture_input *in,
                      const struct gv_compile_params *params, struct gv_text_sink *sink,
                      struct gv_error *err)
{
    struct gv_compile_params reading = *params;
    reading.read = in->forward ? &in->read : NULL;
    if ((params->calls || params->verbose) && !in->frontend->dumps_calls)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %s for this format",
                       params->calls ? "--calls" : "--verbose");
    return in->frontend->dump(gv_cursor_make(in->data, in->size), &reading, sink,
                              err) &&
           gv_text_sink_flush(sink, err);
}

bool gv_capture_dump(const void *capture, size_t size,
                     const struct gv_compile_params *params, gv_write_fn write,
                     void *context, struct gv_error *err)
{
    struct gv_capture_input in;
    struct gv_text_sink sink = { .write = write, .context = context };
    if (!gv_capture_input_open(&in, capture, size, params, err))
        return false;
    bool told = dump_into(&in, params, &sink, err);
    gv_text_sink_finish(&sink);
    gv_capture_input_close(&in);
    return told;
}
