// The index of the view that a pass renders, as a specialisation constant: payloads
// have a pass for each view, and its pipelines say which one it is.
#include "compiler/shader/recorded/recorded_internal.h"

#include "compiler/shader/spirv/spirv_types.h"
#include "vm/spirv/spirv_edit.h"

#include <string.h>

struct viewing {
    struct gv_spirv_types types;
    bool declared;     // the capability
    uint32_t variable; // id, 0: none; it becomes the constant's
    uint32_t spec_id;
    struct gv_spirv_edit edit;
};

static void read_head(struct viewing *v)
{
    const struct gv_spirv_types *t = &v->types;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_op(w) == SpvOpCapability && w[1] == SpvCapabilityMultiView)
            v->declared = true;
        if (gv_spirv_op(w) == SpvOpDecorate && w[2] == SpvDecorationBuiltIn &&
            w[3] == SpvBuiltInViewIndex)
            v->variable = w[1];
    }
}

// One that neither the module nor the program's values have.
static bool find_spec_id(struct viewing *v, const struct gv_recorded_source *source,
                         struct gv_error *err)
{
    const struct gv_spirv_types *t = &v->types;
    uint32_t most = 0;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (gv_spirv_op(w) == SpvOpDecorate && w[2] == SpvDecorationSpecId &&
            w[3] > most)
            most = w[3];
    }
    for (size_t i = 0; i < source->spec_count; i++)
        if (source->specs[i].id > most)
            most = source->specs[i].id;
    v->spec_id = most + 1;
    return most < GV_RECORDED_NO_VIEW - 1 ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: SPIR-V specialisation constant %u", most);
}

static void put_entry(struct viewing *v, const uint32_t *w)
{
    const uint32_t from = gv_spirv_interface_at(w), length = gv_spirv_length(w);
    uint32_t left = 0;
    for (uint32_t i = 0; i < length; i++)
        left += i < from || w[i] != v->variable;
    const uint32_t first = left << 16 | SpvOpEntryPoint;
    gv_spirv_put(&v->edit.head, &first, 1);
    for (uint32_t i = 1; i < length; i++)
        if (i < from || w[i] != v->variable)
            gv_spirv_put(&v->edit.head, w + i, 1);
}

static bool is_dropped(const struct viewing *v, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpCapability:
        return w[1] == SpvCapabilityMultiView;
    case SpvOpExtension:
        return strcmp((const char *)(w + 1), "SPV_KHR_multiview") == 0;
    case SpvOpDecorate:
        return v->variable && w[1] == v->variable && w[2] != SpvDecorationBuiltIn;
    default:
        return false;
    }
}

static void put_head(struct viewing *v, const uint32_t *w)
{
    struct gv_bytes *to = &v->edit.head;
    const uint32_t op = gv_spirv_op(w);
    if (is_dropped(v, w))
        return;
    if (v->variable && op == SpvOpEntryPoint)
        put_entry(v, w);
    else if (v->variable && op == SpvOpDecorate && w[1] == v->variable)
        GV_SPIRV_PUT(to, op, w[1], SpvDecorationSpecId, v->spec_id);
    else if (v->variable && op == SpvOpVariable && w[2] == v->variable)
        GV_SPIRV_PUT(to, SpvOpSpecConstant, gv_spirv_type(&v->types, w[1])[3], w[2], 0);
    else
        gv_spirv_put(to, w, gv_spirv_length(w));
}

// Whether an instruction uses the variable as a pointer.
static bool points(const struct viewing *v, const uint32_t *w)
{
    switch (gv_spirv_op(w)) {
    case SpvOpFunctionCall:
    case SpvOpCopyObject:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCopyMemory:
    case SpvOpSelect:
    case SpvOpPhi:
        for (uint32_t i = 1; i < gv_spirv_length(w); i++)
            if (w[i] == v->variable)
                return true;
        return false;
    default:
        return false;
    }
}

static bool put_module(struct viewing *v, struct gv_error *err)
{
    const struct gv_spirv_types *t = &v->types;
    gv_spirv_put(&v->edit.head, t->words, GV_SPIRV_HEADER_WORDS);
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < t->functions;
         at += gv_spirv_length(t->words + at))
        put_head(v, t->words + at);
    for (size_t at = t->functions; at < t->count;
         at += gv_spirv_length(t->words + at)) {
        const uint32_t *w = t->words + at;
        if (v->variable && gv_spirv_op(w) == SpvOpLoad && w[3] == v->variable)
            GV_SPIRV_PUT(&v->edit.body, SpvOpCopyObject, w[1], w[2], w[3]);
        else if (v->variable && points(v, w))
            return gv_fail(err, GV_ERR_UNSUPPORTED, at * 4,
                           "unsupported: SPIR-V pointers to the view index");
        else
            gv_spirv_put(&v->edit.body, w, gv_spirv_length(w));
    }
    return true;
}

bool gv_recorded_view(struct gv_recorded_words *module,
                      const struct gv_recorded_source *source, struct gv_arena *arena,
                      uint32_t *spec_id, struct gv_error *err)
{
    struct viewing v = { 0 };
    uint32_t *words = NULL;
    *spec_id = GV_RECORDED_NO_VIEW;
    if (!gv_spirv_types_read(module->words, module->count, arena, &v.types, err))
        return false;
    read_head(&v);
    if (!v.declared)
        return true;
    if (v.variable) {
        if (!find_spec_id(&v, source, err))
            return false;
        *spec_id = v.spec_id;
    }
    gv_spirv_edit_init(&v.edit, module->words, v.types.functions);
    const bool ok = put_module(&v, err) &&
                    gv_spirv_edit_copy(&v.edit, arena, &words, &module->count, err);
    gv_spirv_edit_finish(&v.edit);
    module->words = words;
    return ok;
}
