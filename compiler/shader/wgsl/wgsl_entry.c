// An entry point's inputs and outputs: GLSL's main, which calls it.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <stdio.h>
#include <string.h>

static const struct builtin {
    const char *name;
    uint32_t stages;
    bool output;
    enum wgsl_kind scalar;
    uint32_t rows;
    const char *glsl;
} builtins[] = {
    { "vertex_index", GV_STAGE_VERTEX, false, WGSL_U32, 1, "uint(gl_VertexIndex)" },
    { "instance_index", GV_STAGE_VERTEX, false, WGSL_U32, 1, "uint(gl_InstanceIndex)" },
    { "position", GV_STAGE_VERTEX, true, WGSL_F32, 4, "gl_Position" },
    { "position", GV_STAGE_FRAGMENT, false, WGSL_F32, 4, "gl_FragCoord" },
    { "front_facing", GV_STAGE_FRAGMENT, false, WGSL_BOOL, 1, "gl_FrontFacing" },
    { "sample_index", GV_STAGE_FRAGMENT, false, WGSL_U32, 1, "uint(gl_SampleID)" },
    { "sample_mask", GV_STAGE_FRAGMENT, false, WGSL_U32, 1,
      "uint(gl_SampleMaskIn[0])" },
    { "sample_mask", GV_STAGE_FRAGMENT, true, WGSL_U32, 1, "gl_SampleMask[0]" },
    { "frag_depth", GV_STAGE_FRAGMENT, true, WGSL_F32, 1, "gl_FragDepth" },
    { "local_invocation_id", GV_STAGE_COMPUTE, false, WGSL_U32, 3,
      "gl_LocalInvocationID" },
    { "local_invocation_index", GV_STAGE_COMPUTE, false, WGSL_U32, 1,
      "gl_LocalInvocationIndex" },
    { "global_invocation_id", GV_STAGE_COMPUTE, false, WGSL_U32, 3,
      "gl_GlobalInvocationID" },
    { "workgroup_id", GV_STAGE_COMPUTE, false, WGSL_U32, 3, "gl_WorkGroupID" },
    { "num_workgroups", GV_STAGE_COMPUTE, false, WGSL_U32, 3, "gl_NumWorkGroups" },
};

// One input or output: a parameter, the result, or a member of either.
struct port {
    const struct wgsl_attributes *attributes;
    const struct wgsl_type *type;
    uint32_t at;
    bool output;
};

static const char *const refused[] = { "clip_distances", "subgroup_invocation_id",
                                       "subgroup_size", "primitive_index" };

// NULL: there is none, and `err` says so.
static const struct builtin *find_builtin(struct wgsl *w, const struct port *p)
{
    const char *name = p->attributes->builtin->name;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(name, refused[i])) {
            wgsl_unsupported(w, p->at, "@builtin(%s)", refused[i]);
            return NULL;
        }
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        const struct builtin *b = &builtins[i];
        if (strcmp(name, b->name) != 0 || !(b->stages & w->params->stage) ||
            b->output != p->output)
            continue;
        if (wgsl_base(p->type) == b->scalar && p->type->kind <= WGSL_VECTOR &&
            (p->type->rows ? p->type->rows : 1) == b->rows)
            return b;
        wgsl_fail(w, p->at, "@builtin(%s) is of another type", b->name);
        return NULL;
    }
    wgsl_fail(w, p->at, "no @builtin(%.40s) here", name);
    return NULL;
}

// ---- locations ----

static bool put_interpolation(struct wgsl *w, const struct port *p,
                              struct gv_bytes *out)
{
    const struct wgsl_symbol *how = p->attributes->interpolation;
    const struct wgsl_symbol *where = p->attributes->sampling;
    bool between = (w->params->stage == GV_STAGE_VERTEX && p->output) ||
                   (w->params->stage == GV_STAGE_FRAGMENT && !p->output);
    if (how && !wgsl_is(how, "flat") && !wgsl_is(how, "linear") &&
        !wgsl_is(how, "perspective"))
        return wgsl_fail(w, p->at, "unknown interpolation '%.40s'", how->name);
    if (!between)
        return true;
    bool integer = wgsl_base(p->type) != WGSL_F32;
    if (integer || wgsl_is(how, "flat"))
        wgsl_put(out, "flat ");
    else if (wgsl_is(how, "linear"))
        wgsl_put(out, "noperspective ");
    if (wgsl_is(where, "centroid") || wgsl_is(where, "sample"))
        gv_bytes_printf(out, "%s ", where->name);
    return true;
}

static bool record_location(struct wgsl *w, const struct port *p, uint32_t location)
{
    struct gv_wgsl_location *l =
        p->output ? &w->out->outputs[location] : &w->out->inputs[location];
    enum wgsl_kind kind = p->type->kind <= WGSL_VECTOR ? wgsl_base(p->type) : WGSL_VOID;
    if (kind != WGSL_F32 && kind != WGSL_I32 && kind != WGSL_U32)
        return wgsl_fail(w, p->at, "a location holds numbers and vectors of them");
    if (l->scalar)
        return wgsl_fail(w, p->at, "location %u is taken", location);
    l->scalar = kind == WGSL_F32   ? GV_WGSL_F32
                : kind == WGSL_I32 ? GV_WGSL_I32
                                   : GV_WGSL_U32;
    l->components = (uint8_t)(p->type->rows ? p->type->rows : 1);
    return true;
}

static bool put_location(struct wgsl *w, const struct port *p,
                         struct gv_bytes *interface, struct gv_bytes *use)
{
    bool target = p->output && w->params->stage == GV_STAGE_FRAGMENT;
    uint32_t most = target ? GV_MAX_COLOR_ATTACHMENTS : GV_WGSL_MAX_LOCATIONS, location;
    char name[32];
    if (w->params->stage == GV_STAGE_COMPUTE)
        return wgsl_fail(w, p->at, "a compute shader has no locations");
    if (!wgsl_constant(w, p->attributes->location, 0, most - 1, &location) ||
        !record_location(w, p, location))
        return false;
    snprintf(name, sizeof name, "gv_%s_%u", p->output ? "out" : "in", location);
    gv_bytes_printf(interface, "layout(location = %u) ", location);
    if (!put_interpolation(w, p, interface))
        return false;
    wgsl_put(interface, p->output ? "out " : "in ");
    wgsl_put_declarator(interface, p->type, name);
    wgsl_put(interface, ";\n");
    wgsl_put(use, name);
    return true;
}

// Declares a port and writes what it is called.
static bool put_port(struct wgsl *w, const struct port *p, struct gv_bytes *interface,
                     struct gv_bytes *use)
{
    bool is_builtin = p->attributes->builtin != NULL;
    if (is_builtin == (p->attributes->location != NULL))
        return wgsl_fail(w, p->at, "neither or both of @location and @builtin");
    if (!is_builtin)
        return put_location(w, p, interface, use);
    const struct builtin *b = find_builtin(w, p);
    if (!b)
        return false;
    if (p->attributes->invariant && p->output && !strcmp(b->glsl, "gl_Position"))
        wgsl_put(interface, "invariant gl_Position;\n");
    w->has_position |= p->output && !strcmp(b->glsl, "gl_Position");
    wgsl_put(use, b->glsl);
    return true;
}

// ---- main ----

static bool put_input(struct wgsl *w, const struct wgsl_decl *d,
                      struct gv_bytes *interface, struct gv_bytes *body)
{
    if (d->type->kind != WGSL_STRUCT) {
        struct port p = { &d->attributes, d->type, d->at, false };
        return put_port(w, &p, interface, body);
    }
    gv_bytes_printf(body, "%s(", d->type->decl->glsl);
    for (const struct wgsl_decl *m = d->type->decl->members; m; m = m->next) {
        struct port p = { &m->attributes, m->type, m->at, false };
        if (!put_port(w, &p, interface, body))
            return false;
        wgsl_put(body, m->next ? ", " : "");
    }
    wgsl_put(body, ")");
    return true;
}

static bool put_output(struct wgsl *w, const struct port *p,
                       const struct wgsl_decl *member, struct gv_bytes *interface,
                       struct gv_bytes *body)
{
    wgsl_put(body, "    ");
    if (!put_port(w, p, interface, body))
        return false;
    bool mask = wgsl_is(p->attributes->builtin, "sample_mask");
    gv_bytes_printf(body, " = %sgv_result%s%s%s;\n", mask ? "int(" : "",
                    member ? "." : "", member ? member->glsl : "", mask ? ")" : "");
    return true;
}

static bool put_outputs(struct wgsl *w, const struct wgsl_decl *d,
                        struct gv_bytes *interface, struct gv_bytes *body)
{
    struct port whole = { &d->result, d->type, d->at, true };
    if (d->type->kind == WGSL_VOID)
        return true;
    if (d->type->kind != WGSL_STRUCT)
        return put_output(w, &whole, NULL, interface, body);
    for (const struct wgsl_decl *m = d->type->decl->members; m; m = m->next) {
        struct port p = { &m->attributes, m->type, m->at, true };
        if (!put_output(w, &p, m, interface, body))
            return false;
    }
    return true;
}

static bool put_workgroup_size(struct wgsl *w, const struct wgsl_decl *d,
                               struct gv_bytes *interface)
{
    uint32_t size[3] = { 1, 1, 1 };
    struct wgsl_expr *e = d->attributes.workgroup;
    if (!e)
        return wgsl_fail(w, d->at, "'%.60s' has no workgroup size", d->name->name);
    for (uint32_t i = 0; e; e = e->next, i++)
        if (!wgsl_constant(w, e, 1, GV_WGSL_MAX_INVOCATIONS, &size[i]))
            return false;
    if (size[2] > GV_WGSL_MAX_WORKGROUP_Z)
        return wgsl_limit(w, d->at, "workgroup over %d deep", GV_WGSL_MAX_WORKGROUP_Z);
    if (size[0] * size[1] * size[2] > GV_WGSL_MAX_INVOCATIONS) // at most 2^30
        return wgsl_limit(w, d->at, "workgroup of more than %d invocations",
                          GV_WGSL_MAX_INVOCATIONS);
    gv_bytes_printf(
        interface,
        "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n",
        size[0], size[1], size[2]);
    return true;
}

static bool put_call(struct wgsl *w, const struct wgsl_decl *d,
                     struct gv_bytes *interface, struct gv_bytes *body)
{
    wgsl_put(body, "    ");
    if (d->type->kind != WGSL_VOID) {
        wgsl_put_declarator(body, d->type, "gv_result");
        wgsl_put(body, " = ");
    }
    gv_bytes_printf(body, "%s(", d->glsl);
    for (const struct wgsl_decl *p = d->members; p; p = p->next) {
        if (!put_input(w, p, interface, body))
            return false;
        wgsl_put(body, p->next ? ", " : "");
    }
    wgsl_put(body, ");\n");
    return true;
}

bool wgsl_put_entry(struct wgsl *w, struct wgsl_decl *d, struct gv_bytes *interface,
                    struct gv_bytes *body)
{
    w->module_scope = 1; // attributes see the module's constants
    if (w->params->stage == GV_STAGE_COMPUTE && !put_workgroup_size(w, d, interface))
        return false;
    wgsl_put(body, "void main()\n{\n");
    if (w->zeroing.size) {
        wgsl_put(body, "    if (gl_LocalInvocationIndex == 0u) {\n");
        gv_bytes_put(body, w->zeroing.data, w->zeroing.size);
        wgsl_put(body, "    }\n    memoryBarrierShared();\n    barrier();\n");
    }
    if (!put_call(w, d, interface, body) || !put_outputs(w, d, interface, body))
        return false;
    if (w->discards && !w->writes_storage)
        wgsl_put(body, "    if (gv_discarded)\n        discard;\n");
    wgsl_put(body, "}\n");
    if (w->params->stage == GV_STAGE_VERTEX && !w->has_position)
        return wgsl_fail(w, d->at, "'%.60s' gives no position", d->name->name);
    return true;
}
