// Calls that a run would refuse: left out, with what depends on them, or the end.
#include "compiler/builder/builder_private.h"

#include <stdarg.h>
#include <stdio.h>

void gv_builder_forgive(struct gv_builder *b)
{
    b->refused.forgives = true;
}

void gv_builder_binds_anew(struct gv_builder *b)
{
    b->refused.reads_lost = false;
}

bool gv_builder_refuse(struct gv_builder *b, const char *format, ...)
{
    char text[sizeof b->error.message];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!b->refused.forgives)
        return gv_builder_fail(b, GV_ERR_FORMAT, "%s", text);
    gv_builder_diagnose(b, GV_UNSUPPORTED, "unsupported", "%s: %s", b->command_name,
                        text);
    return false;
}

// ---- what depends on a call that was left out ----

static bool draws(enum gv_call call)
{
    return call == GV_CALL_draw || call == GV_CALL_draw_indexed ||
           call == GV_CALL_draw_indirect || call == GV_CALL_draw_indexed_indirect ||
           call == GV_CALL_draw_transform_feedback;
}

static bool dispatches(enum gv_call call)
{
    return call == GV_CALL_dispatch || call == GV_CALL_dispatch_indirect;
}

static bool needs_pass(enum gv_call call)
{
    return draws(call) || call == GV_CALL_clear_color ||
           call == GV_CALL_clear_depth_stencil || call == GV_CALL_feedback_begin ||
           call == GV_CALL_feedback_end;
}

uint32_t gv_builder_leave_out(struct gv_builder *b, enum gv_call call)
{
    const uint32_t bound =
        GV_STATE_RESOURCE | GV_STATE_VERTEX_BUFFER | GV_STATE_INDEX_BUFFER;
    struct gv_refused *r = &b->refused;
    if (call == GV_CALL_pass_color || call == GV_CALL_pass_resolve ||
        call == GV_CALL_pass_depth_stencil)
        r->targets_lost = true;
    else if (call == GV_CALL_pass_begin)
        r->pass_lost = true;
    else if (call == GV_CALL_bind_pipeline) // of which kind, nobody knows
        r->graphics_lost = r->compute_lost = true;
    else if (gv_call_infos[call].sets & bound)
        r->reads_lost = true;
    return b->failed || !gv_call_infos[call].result ? 0 : GV_REFUSED_OBJECT;
}

bool gv_builder_is_left_out(struct gv_builder *b, enum gv_call call)
{
    struct gv_refused *r = &b->refused;
    if (call == GV_CALL_pass_begin && r->targets_lost) {
        *r = (struct gv_refused){ .forgives = r->forgives,
                                  .pass_lost = true,
                                  .graphics_lost = r->graphics_lost,
                                  .compute_lost = r->compute_lost };
        return true;
    }
    if (r->pass_lost && call == GV_CALL_pass_end) {
        r->pass_lost = false;
        return true;
    }
    if (r->pass_lost && needs_pass(call))
        return !gv_builder_refuse(b, "%s: its pass was refused",
                                  gv_call_infos[call].name);
    if ((r->graphics_lost && draws(call)) || (r->compute_lost && dispatches(call)))
        return !gv_builder_refuse(b, "%s: its pipeline was refused",
                                  gv_call_infos[call].name);
    if (r->reads_lost && (draws(call) || dispatches(call)))
        return !gv_builder_refuse(b, "%s: what it reads was refused",
                                  gv_call_infos[call].name);
    return false;
}

// ---- rules ----

static bool read_module(struct gv_builder *b, const struct gv_values_shader_create *a,
                        struct gv_error *err)
{
    struct gv_spirv_module *module = &b->refused.module;
    return gv_spirv_module_read((const uint32_t *)a->spirv.data, (size_t)a->size / 4,
                                NULL, 0, &gv_spirv_boundless, module, err);
}

bool gv_builder_keeps_rules(struct gv_builder *b, enum gv_call call, const void *values)
{
    struct gv_refused *r = &b->refused;
    struct gv_error err = GV_ERROR_INIT;
    if (!r->forgives)
        return true;
    const struct gv_call_view view = { &b->slots, &b->modules, &r->targets };
    if (call == GV_CALL_bind_pipeline) {
        const struct gv_values_bind_pipeline *a = values;
        const struct gv_live_object *live = gv_slots_find(&b->slots, a->pipeline.id);
        *(live && live->call == GV_CALL_pipeline_create_compute ? &r->compute_lost
                                                                : &r->graphics_lost) =
            false;
    }
    const bool ok = call == GV_CALL_shader_create
                        ? read_module(b, values, &err)
                        : gv_call_rules(&view, call, values, &err);
    if (ok)
        return true;
    if (err.status == GV_ERR_MEMORY)
        return gv_builder_no_memory(b);
    return gv_builder_refuse(b, "%s: %s", gv_call_infos[call].name, err.message);
}

bool gv_builder_made_shader(struct gv_builder *b, uint32_t object)
{
    struct gv_spirv_module *module = &b->refused.module;
    if (!b->refused.forgives)
        return true;
    // One that stands for two, of branches, is made twice.
    if (!object || gv_modules_find(&b->modules, object)) {
        gv_modules_forget(&b->modules, object);
        gv_spirv_module_finish(module);
        return true;
    }
    return gv_modules_add(&b->modules, object, module) || gv_builder_no_memory(b);
}
