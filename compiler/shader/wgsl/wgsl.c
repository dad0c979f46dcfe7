#include "compiler/shader/wgsl/wgsl_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool fail_at(struct wgsl *w, enum gv_status status, uint32_t at,
                    const char *before, const char *format, va_list args)
{
    char text[128];
    vsnprintf(text, sizeof text, format, args);
    return gv_fail(w->err, status, w->params->offset + at, "%s%s", before, text);
}

bool wgsl_fail(struct wgsl *w, uint32_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(w, GV_ERR_FORMAT, at, "wgsl: ", format, args);
    va_end(args);
    return false;
}

bool wgsl_limit(struct wgsl *w, uint32_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(w, GV_ERR_LIMIT, at, "wgsl: ", format, args);
    va_end(args);
    return false;
}

bool wgsl_unsupported(struct wgsl *w, uint32_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(w, GV_ERR_UNSUPPORTED, at, "unsupported: WGSL ", format, args);
    va_end(args);
    return false;
}

bool wgsl_no_memory(struct wgsl *w)
{
    return gv_out_of_memory(w->err);
}

// The entry point of the stage: the one called as asked, else the first.
static struct wgsl_decl *find_entry(struct wgsl *w)
{
    struct wgsl_decl *first = NULL;
    for (struct wgsl_decl *d = w->globals; d; d = d->next) {
        if (d->kind != WGSL_DECL_FUNCTION || d->attributes.stage != w->params->stage)
            continue;
        if (w->params->entry && wgsl_is(d->name, w->params->entry))
            return d;
        first = first ? first : d;
    }
    if (!first)
        wgsl_fail(w, 0, "no entry point of the stage");
    return first;
}

// Functions become known while others are written: a queue.
static bool put_functions(struct wgsl *w, struct wgsl_decl *entry)
{
    if (!wgsl_resolve_decl(w, entry))
        return false;
    for (struct wgsl_decl *d = w->pending; d; d = d->pending)
        if (!wgsl_put_function(w, d))
            return false;
    return wgsl_check_calls(w, entry);
}

static void put_discard(const struct wgsl *w, struct gv_bytes *out)
{
    // Discarded invocations go on as helpers, for derivatives, unless they could still
    // write.
    if (w->discards && w->writes_storage)
        wgsl_put(out, "void gv_discard() { discard; }\n");
    else if (w->discards)
        wgsl_put(out, "bool gv_discarded = false;\n"
                      "void gv_discard() { gv_discarded = true; }\n");
}

static void put_section(struct gv_bytes *out, const struct gv_bytes *section)
{
    if (!section->size)
        return;
    gv_bytes_put(out, section->data, section->size);
    wgsl_put(out, "\n");
}

static bool assemble(struct wgsl *w, struct wgsl_decl *entry, struct gv_bytes *out)
{
    struct gv_bytes interface = { 0 }, body = { 0 };
    bool ok = wgsl_put_entry(w, entry, &interface, &body);
    if (ok) {
        wgsl_put(out, "#version 460\n"
                      "#extension GL_EXT_null_initializer : require\n"
                      "#extension GL_EXT_samplerless_texture_functions : require\n\n");
        put_section(out, &w->types);
        put_section(out, &interface);
        put_section(out, &w->variables);
        wgsl_put_helpers(w, out);
        wgsl_put_loads(w, out);
        put_discard(w, out);
        put_section(out, &w->prototypes);
        put_section(out, &w->functions);
        put_section(out, &body);
        gv_bytes_u8(out, 0);
        ok = wgsl_check_size(w, out, 0);
    }
    gv_bytes_finish(&interface);
    gv_bytes_finish(&body);
    return ok;
}

static bool translate(struct wgsl *w)
{
    struct gv_bytes glsl = { 0 };
    if (!wgsl_parse_module(w))
        return false;
    struct wgsl_decl *entry = find_entry(w);
    bool ok = entry && put_functions(w, entry) && assemble(w, entry, &glsl);
    if (ok) {
        w->out->entry = entry->name->name;
        w->out->glsl = gv_arena_copy(w->arena, glsl.data, glsl.size);
        ok = w->out->glsl || wgsl_no_memory(w);
    }
    gv_bytes_finish(&glsl);
    return ok;
}

static void finish(struct wgsl *w)
{
    gv_bytes_finish(&w->types);
    gv_bytes_finish(&w->variables);
    gv_bytes_finish(&w->prototypes);
    gv_bytes_finish(&w->functions);
    gv_bytes_finish(&w->zeroing);
}

bool gv_wgsl_translate(const struct gv_wgsl_params *params, struct gv_arena *arena,
                       struct gv_wgsl_shader *out, struct gv_error *err)
{
    *out = (struct gv_wgsl_shader){ 0 };
    if (params->size > GV_WGSL_MAX_BYTES)
        return gv_fail(err, GV_ERR_LIMIT, params->offset, "wgsl text over %u bytes",
                       GV_WGSL_MAX_BYTES);
    struct wgsl *w = gv_arena_alloc(arena, sizeof *w);
    if (!w)
        return gv_out_of_memory(err);
    w->arena = arena;
    w->err = err;
    w->params = params;
    w->out = out;
    w->size = (uint32_t)params->size;
    w->text = gv_arena_copy(arena, params->text, params->size);
    bool ok = w->text ? translate(w) : wgsl_no_memory(w);
    finish(w);
    return ok;
}
