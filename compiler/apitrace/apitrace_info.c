// `gpuvm info` of a trace.
#include "compiler/apitrace/apitrace.h"
#include "compiler/apitrace/call_kinds.h"
#include "compiler/apitrace/contexts.h"
#include "compiler/gl/gl.h"

#include <string.h>

#define COUNTED_THREADS 4096u

struct counts {
    uint64_t calls, frames, draws, fake, incomplete, functions, threads;
    struct gv_contexts contexts;
    uint64_t unlowered;              // functions
    struct gv_bytes unlowered_names; // owned
    bool api_known, gl, direct3d;
    uint8_t seen[COUNTED_THREADS / 8];
};

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

// apitrace's own guess: by the first function that says it.
static void guess_api(struct counts *c, const char *name)
{
    if (c->api_known)
        return;
    c->gl = begins(name, "gl") || begins(name, "egl") || begins(name, "wgl") ||
            begins(name, "CGL");
    c->direct3d = begins(name, "Direct") || begins(name, "D3D") ||
                  begins(name, "Create") || begins(name, "IDirect");
    c->api_known = c->gl || c->direct3d;
}

// Threads from COUNTED_THREADS on are one.
static void count_thread(struct counts *c, uint32_t thread)
{
    uint32_t n = thread < COUNTED_THREADS ? thread : COUNTED_THREADS - 1;
    uint8_t bit = (uint8_t)(1u << (n % 8));
    c->threads += !(c->seen[n / 8] & bit);
    c->seen[n / 8] |= bit;
}

static void count_call(struct counts *c, const struct gv_trace_call *call)
{
    struct gv_trace_function *f = call->function;
    unsigned kind = gv_call_kind(f);
    if (gv_call_first(f)) {
        c->functions++;
        if (gv_gl_lowering(f->name) == GV_GL_UNKNOWN)
            gv_bytes_printf(&c->unlowered_names, "%s%s", c->unlowered++ ? ", " : "",
                            f->name);
        guess_api(c, f->name);
    }
    c->calls++;
    c->fake += call->fake;
    c->incomplete += call->incomplete;
    c->frames += (kind & GV_CALL_FRAME) != 0;
    c->draws += (kind & GV_CALL_DRAW) != 0;
    count_thread(c, call->thread);
    gv_contexts_note(&c->contexts, call);
}

static void describe_header(const struct gv_trace_reader *reader,
                            struct gv_describe *out)
{
    const struct gv_trace_header *h = gv_trace_header(reader);
    const char *process = gv_trace_property(reader, "process.name");
    const char *command = gv_trace_property(reader, "process.commandLine");
    gv_describe_text(out, "container", gv_trace_container_name(h->container));
    gv_describe_number(out, "container_version", h->version);
    gv_describe_number(out, "semantic_version", h->semantic_version);
    gv_describe_number(out, "properties", h->property_count);
    if (process)
        gv_describe_text(out, "process", process);
    if (command)
        gv_describe_text(out, "command_line", command);
}

static void describe_bytes(struct gv_describe *out, const char *key,
                           void (*put)(const struct gv_contexts *c,
                                       struct gv_bytes *out),
                           const struct gv_contexts *contexts)
{
    struct gv_bytes text = { 0 };
    put(contexts, &text);
    gv_describe_text(out, key, text.failed ? "" : (const char *)text.data);
    gv_bytes_finish(&text);
}

static void describe_counts(const struct counts *c, struct gv_describe *out)
{
    gv_describe_text(out, "api",
                     c->gl         ? "OpenGL"
                     : c->direct3d ? "Direct3D"
                                   : "unknown");
    describe_bytes(out, "window_systems", gv_contexts_put_systems, &c->contexts);
    describe_bytes(out, "contexts", gv_contexts_put, &c->contexts);
    gv_describe_number(out, "frames", c->frames);
    gv_describe_number(out, "calls", c->calls);
    gv_describe_number(out, "draws", c->draws);
    gv_describe_number(out, "fake_calls", c->fake);
    gv_describe_number(out, "incomplete_calls", c->incomplete);
    gv_describe_number(out, "functions", c->functions);
    gv_describe_number(out, "threads", c->threads);
    gv_describe_number(out, "not_lowered", c->unlowered);
    if (gv_contexts_lack_system(&c->contexts))
        gv_describe_text(out, "advice", GV_CONTEXTS_ADVICE);
}

// Functions that `compile` leaves out.
static void describe_unlowered(struct counts *c, struct gv_describe *out)
{
    gv_bytes_u8(&c->unlowered_names, 0);
    if (c->unlowered && !c->unlowered_names.failed)
        gv_describe_text(out, "not_lowered_functions",
                         (const char *)c->unlowered_names.data);
}

bool gv_apitrace_info(struct gv_cursor input, const struct gv_compile_params *params,
                      struct gv_describe *out, struct gv_error *err)
{
    struct counts c = { 0 };
    struct gv_trace_reader *reader = gv_apitrace_open(input, params, false, err);
    const struct gv_trace_call *call = NULL;
    bool ok = reader != NULL;
    while (ok && (ok = gv_apitrace_next(reader, params, &call, err)) && call)
        count_call(&c, call);
    if (ok) {
        describe_header(reader, out);
        describe_counts(&c, out);
        describe_unlowered(&c, out);
        gv_describe_number(out, "stream_bytes", gv_trace_position(reader).stream);
        gv_describe_bool(out, "cut", gv_trace_was_cut(reader));
    }
    gv_trace_close(reader);
    gv_bytes_finish(&c.unlowered_names);
    return ok;
}
