#include "vm/spirv/spirv_match.h"

#include <stdlib.h>

static int compare_place(const void *key, const void *row)
{
    const struct gv_spirv_binding *k = key;
    const struct gv_binding_desc *r = row;
    if (k->set != r->set)
        return k->set < r->set ? -1 : 1;
    return k->binding < r->binding ? -1 : k->binding > r->binding;
}

static bool type_fits(uint32_t declared, uint32_t listed)
{
    return declared == listed || (declared == GV_BINDING_UNIFORM_BUFFER &&
                                  listed == GV_BINDING_UNIFORM_BUFFER_DYNAMIC);
}

bool gv_spirv_match_uses(const struct gv_spirv_binding *a,
                         const struct gv_spirv_binding *b, struct gv_error *err)
{
    bool sampler =
        a->type == GV_BINDING_SAMPLER || a->type == GV_BINDING_COMBINED_IMAGE_SAMPLER;
    bool both = (a->compares || b->compares) && (a->samples || b->samples);
    return !sampler || !both ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "set %u binding %u is sampled with a depth reference and without",
                   a->set, a->binding);
}

bool gv_spirv_match_bindings(const struct gv_spirv_module *module,
                             const struct gv_interface_desc *desc, struct gv_error *err)
{
    for (size_t i = 0; i < module->binding_count; i++) {
        const struct gv_spirv_binding *b = &module->bindings[i];
        const struct gv_binding_desc *row =
            bsearch(b, desc->bindings, desc->binding_count, sizeof *desc->bindings,
                    compare_place);
        const char *fault = NULL;
        if (!row)
            fault = "is not in the pipeline's list";
        else if (!type_fits(b->type, row->type))
            fault = "has another type in the pipeline's list";
        else if (b->count > row->count)
            fault = "has fewer elements in the pipeline's list";
        else if (!(row->stages & module->stage))
            fault = "is not listed for this stage";
        if (fault)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "%s shader: descriptor at set %u binding %u %s",
                           gv_stage_name(module->stage), b->set, b->binding, fault);
        if (!gv_spirv_match_uses(b, b, err))
            return false;
    }
    return true;
}

static bool slots_match(const struct gv_spirv_slot *out, const struct gv_spirv_slot *in,
                        const struct gv_spirv_module *earlier,
                        const struct gv_spirv_module *later, struct gv_error *err)
{
    for (int i = 0; i < GV_MAX_LOCATIONS; i++) {
        if (!in[i].mask)
            continue;
        const char *fault = NULL;
        if (in[i].mask & ~out[i].mask)
            fault = "is not written by";
        else if (in[i].numeric != out[i].numeric || in[i].bits != out[i].bits)
            fault = "has another type in";
        if (fault)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "%s shader: input location %d %s the %s shader",
                           gv_stage_name(later->stage), i, fault,
                           gv_stage_name(earlier->stage));
    }
    return true;
}

bool gv_spirv_match_stages(const struct gv_spirv_module *earlier,
                           const struct gv_spirv_module *later, struct gv_error *err)
{
    return slots_match(earlier->outputs.slots, later->inputs.slots, earlier, later,
                       err) &&
           slots_match(earlier->outputs.patch, later->inputs.patch, earlier, later,
                       err);
}

bool gv_spirv_match_stage(const struct gv_spirv_module *module, uint32_t stage,
                          struct gv_error *err)
{
    return module->stage == stage ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s: the module is of the %s stage", gv_stage_name(stage),
                   gv_stage_name(module->stage));
}

bool gv_spirv_rereads(const struct gv_spirv_module *plain,
                      const struct gv_interface_desc *desc)
{
    return plain->has_spec_constants && desc->spec_constant_count;
}

bool gv_spirv_match_specialized(const struct gv_spirv_code *code,
                                const struct gv_interface_desc *desc,
                                const struct gv_spirv_limits *limits,
                                struct gv_spirv_module *out, struct gv_error *err)
{
    bool plain = !gv_spirv_rereads(code->plain, desc);
    struct gv_spirv_module module = *code->plain;
    if (!plain &&
        !gv_spirv_module_read(code->words, code->count, desc->spec_constants,
                              desc->spec_constant_count, limits, &module, err))
        return false;
    bool ok = gv_spirv_match_bindings(&module, desc, err);
    *out = module;
    out->bindings = NULL;
    out->binding_count = 0;
    if (!plain)
        gv_spirv_module_finish(&module);
    return ok;
}
