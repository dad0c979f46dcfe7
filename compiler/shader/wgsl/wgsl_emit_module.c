// What stands outside functions: structures, constants, variables, resources.
#include "compiler/shader/wgsl/wgsl_internal.h"

bool wgsl_put_struct(struct wgsl *w, struct wgsl_decl *d)
{
    if (wgsl_runtime_sized(d->type)) // only as a block, with the variable
        return true;
    gv_bytes_printf(&w->types, "struct %s\n{\n", d->glsl);
    for (const struct wgsl_decl *m = d->members; m; m = m->next) {
        wgsl_put(&w->types, "    ");
        wgsl_put_declarator(&w->types, m->type, m->glsl);
        wgsl_put(&w->types, ";\n");
    }
    wgsl_put(&w->types, "};\n\n");
    return wgsl_check_size(w, &w->types, d->at);
}

// ---- resources ----

static bool take_binding(struct wgsl *w, const struct wgsl_decl *d, uint32_t *binding)
{
    uint32_t group, number;
    if (!d->attributes.group || !d->attributes.binding)
        return wgsl_fail(w, d->at, "'%.60s' has no group or binding", d->name->name);
    if (!wgsl_constant(w, d->attributes.group, 0, INT32_MAX, &group) ||
        !wgsl_constant(w, d->attributes.binding, 0, INT32_MAX, &number))
        return false;
    if (group >= GV_WGSL_GROUPS || number >= GV_WGSL_GROUP_BINDINGS)
        return wgsl_limit(w, d->at, "group %u binding %u beyond %d groups of %d", group,
                          number, GV_WGSL_GROUPS, GV_WGSL_GROUP_BINDINGS);
    *binding = GV_WGSL_BINDING(group, number);
    for (uint32_t i = 0; i < w->bound_count; i++)
        if (w->bound[i].binding == *binding)
            return wgsl_fail(w, d->at, "'%.40s' is bound where '%.40s' is",
                             d->name->name, w->bound[i].decl->name->name);
    if (w->bound_count == WGSL_MAX_RESOURCES)
        return wgsl_limit(w, d->at, "more than %u resources", w->bound_count);
    w->bound[w->bound_count++] = (struct wgsl_bound){ d, *binding };
    return true;
}

// A block of the structure's members under the variable's name, where the structure
// ends with an array that is sized at run time; else a block of the variable.
static void put_block(struct wgsl *w, const struct wgsl_decl *d)
{
    struct gv_bytes *out = &w->variables;
    bool open = d->type->kind == WGSL_STRUCT && wgsl_runtime_sized(d->type);
    gv_bytes_printf(out, "gv_block_%u\n{\n", w->blocks++);
    for (const struct wgsl_decl *m = open ? d->type->decl->members : NULL; m;
         m = m->next) {
        wgsl_put(out, "    ");
        wgsl_put_declarator(out, m->type, m->glsl);
        wgsl_put(out, ";\n");
    }
    if (!open) {
        wgsl_put(out, "    ");
        wgsl_put_declarator(out, d->type, d->glsl);
        wgsl_put(out, ";\n");
    }
    gv_bytes_printf(out, "}%s%s;\n", open ? " " : "", open ? d->glsl : "");
}

static bool put_buffer(struct wgsl *w, struct wgsl_decl *d, uint32_t binding)
{
    bool uniform = d->space == WGSL_UNIFORM_SPACE;
    uint32_t set = !uniform ? 3 : w->params->stage == GV_STAGE_FRAGMENT ? 1 : 0;
    if (wgsl_is_opaque(d->type) || (uniform && wgsl_runtime_sized(d->type)))
        return wgsl_fail(w, d->at, "'%.60s' is of a type no buffer holds",
                         d->name->name);
    if (!wgsl_check_layout(w, d->type, d->at, uniform))
        return false;
    w->writes_storage |= d->writable;
    gv_bytes_printf(&w->variables, "layout(set = %u, binding = %u, %s) ", set, binding,
                    uniform ? "std140" : "std430");
    bool shared = d->writable && w->params->stage == GV_STAGE_COMPUTE;
    wgsl_put(&w->variables, uniform       ? "uniform "
                            : shared      ? "coherent buffer "
                            : d->writable ? "buffer "
                                          : "readonly buffer ");
    put_block(w, d);
    return true;
}

static bool put_handle(struct wgsl *w, struct wgsl_decl *d, uint32_t binding)
{
    if (!wgsl_is_opaque(d->type))
        return wgsl_fail(w, d->at, "'%.60s' has no address space", d->name->name);
    gv_bytes_printf(&w->variables, "layout(set = 2, binding = %u) uniform ", binding);
    wgsl_put_declarator(&w->variables, d->type, d->glsl);
    wgsl_put(&w->variables, ";\n");
    return true;
}

static bool put_resource(struct wgsl *w, struct wgsl_decl *d)
{
    uint32_t binding = 0;
    if (!d->type_expr || d->init)
        return wgsl_fail(w, d->at, "a resource has a type and no value");
    d->type = wgsl_resolve_type(w, d->type_expr);
    if (!d->type || !take_binding(w, d, &binding))
        return false;
    return d->space == WGSL_HANDLE_SPACE ? put_handle(w, d, binding)
                                         : put_buffer(w, d, binding);
}

// ---- variables ----

// Workgroup memory starts as zero. One invocation writes it, from a zeroed variable.
static bool put_workgroup(struct wgsl *w, struct wgsl_decl *d)
{
    if (w->params->stage != GV_STAGE_COMPUTE)
        return wgsl_fail(w, d->at, "workgroup memory outside compute shaders");
    if (!d->type_expr || d->init)
        return wgsl_fail(w, d->at, "workgroup memory has a type and no value");
    d->type = wgsl_resolve_type(w, d->type_expr);
    if (!d->type)
        return false;
    if (wgsl_is_opaque(d->type) || d->type->kind == WGSL_POINTER ||
        wgsl_runtime_sized(d->type))
        return wgsl_fail(w, d->at, "'%.60s' cannot hold that", d->name->name);
    if (wgsl_scalars(d->type) > GV_WGSL_MAX_SCALARS)
        return wgsl_limit(w, d->at, "variable of more than %d scalars",
                          GV_WGSL_MAX_SCALARS);
    wgsl_put(&w->variables, "shared ");
    wgsl_put_declarator(&w->variables, d->type, d->glsl);
    wgsl_put(&w->variables, ";\n");
    bool composite = d->type->kind == WGSL_ARRAY || d->type->kind == WGSL_STRUCT;
    wgsl_put(&w->zeroing, "        {\n            ");
    wgsl_put_declarator(&w->zeroing, d->type, "gv_zero");
    wgsl_put(&w->zeroing, " = ");
    if (composite)
        wgsl_put(&w->zeroing, "{}");
    else if (!wgsl_put_zero(w, &w->zeroing,
                            d->type->kind == WGSL_ATOMIC ? d->type->element : d->type,
                            d->at))
        return false;
    gv_bytes_printf(&w->zeroing, ";\n            %s = gv_zero;\n        }\n", d->glsl);
    return true;
}

static bool put_private(struct wgsl *w, struct wgsl_decl *d)
{
    if (!wgsl_declare(w, d))
        return false;
    if (d->init && !wgsl_is_constant(d->init))
        return wgsl_fail(w, d->init->at, "'%.60s' is not constant", d->name->name);
    return wgsl_put_variable(w, &w->variables, d);
}

static bool put_constant(struct wgsl *w, struct wgsl_decl *d)
{
    if (!wgsl_declare(w, d))
        return false;
    return wgsl_is_abstract(d->type) || d->value.known ||
           wgsl_put_variable(w, &w->variables, d);
}

bool wgsl_put_global(struct wgsl *w, struct wgsl_decl *d)
{
    bool ok = d->kind == WGSL_DECL_CONST         ? put_constant(w, d)
              : d->space == WGSL_PRIVATE_SPACE   ? put_private(w, d)
              : d->space == WGSL_WORKGROUP_SPACE ? put_workgroup(w, d)
                                                 : put_resource(w, d);
    return ok && wgsl_check_size(w, &w->variables, d->at);
}
