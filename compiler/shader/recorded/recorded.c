#include "compiler/shader/recorded/recorded.h"

#include <stdlib.h>

#include "compiler/shader/recorded/recorded_internal.h"
#include "compiler/shader/spirv/spirv_parse.h"
#include "vm/spirv/spirv_capability.h"
#include "vm/spirv/spirv_gate.h"
#include "vm/spirv/spirv_module.h"
#include "vm/spirv/spirv_words.h"

// ---- reading ----

static bool is_known(uint32_t capability)
{
    for (size_t i = 0; i < gv_spirv_capability_count; i++)
        if (gv_spirv_capabilities[i].code == capability)
            return true;
    return false;
}

// Capabilities stand first in a module.
static bool check_capabilities(const struct gv_recorded_words *m, struct gv_error *err)
{
    char name[GV_SPIRV_CAPABILITY_NAME];
    for (size_t at = GV_SPIRV_HEADER_WORDS;
         at < m->count && gv_spirv_op(m->words + at) == SpvOpCapability; at += 2) {
        const uint32_t capability = m->words[at + 1];
        if (is_known(capability))
            continue;
        gv_spirv_capability_name(capability, name);
        return gv_fail(err, GV_ERR_UNSUPPORTED, at * 4,
                       "unsupported: SPIR-V capability %s", name);
    }
    return true;
}

static uint64_t locations(const struct gv_spirv_interface *io)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < GV_MAX_LOCATIONS; i++)
        bits |= (uint64_t)(io->slots[i].mask != 0) << i;
    return bits;
}

// Programs may name one descriptor several times, as long as it is of one kind.
static bool add_binding(const struct gv_spirv_binding *b, struct gv_recorded *out,
                        struct gv_recorded_binding *to, struct gv_error *err)
{
    struct gv_recorded_binding *last = to + out->binding_count - 1;
    if (!out->binding_count || last->set != b->set || last->binding != b->binding) {
        to[out->binding_count++] =
            (struct gv_recorded_binding){ b->set, b->binding, b->type, b->count,
                                          b->writable };
        return true;
    }
    last->writable |= b->writable;
    last->count = b->count > last->count ? b->count : last->count;
    return last->type == b->type ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: SPIR-V resources of two kinds at binding %u of set %u",
                   b->binding, b->set);
}

static bool describe(const struct gv_spirv_module *m, struct gv_arena *arena,
                     struct gv_recorded *out, struct gv_error *err)
{
    struct gv_recorded_binding *to =
        gv_arena_array(arena, m->binding_count + 1, sizeof *to);
    if (!to)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < m->binding_count; i++)
        if (m->bindings[i].set != GV_RECORDED_PUSH_SET &&
            !add_binding(&m->bindings[i], out, to, err))
            return false;
    out->bindings = to;
    out->input_locations = locations(&m->inputs);
    out->output_locations = locations(&m->outputs);
    return true;
}

bool gv_recorded_read(const struct gv_recorded_source *source, struct gv_arena *arena,
                      struct gv_recorded *out, struct gv_error *err)
{
    struct gv_recorded_words m;
    struct gv_spirv_module module;
    const char *feature;
    *out = (struct gv_recorded){ .stage = source->stage };
    if (!gv_spirv_validate_recorded(source->words, source->count, &feature, err) ||
        !gv_recorded_strip(source, arena, &m, err) ||
        !gv_recorded_view(&m, source, arena, &out->view_spec, err) ||
        !gv_recorded_input(&m, arena, err) || !check_capabilities(&m, err) ||
        !gv_recorded_push(&m, arena, &out->push_bytes, err) ||
        !gv_spirv_module_read(m.words, m.count, source->specs, source->spec_count,
                              &gv_spirv_boundless, &module, err))
        return false;
    out->words = m.words;
    out->count = m.count;
    const bool ok = describe(&module, arena, out, err);
    gv_spirv_module_finish(&module);
    return ok;
}

// ---- writing ----

struct numbering {
    const struct gv_recorded_map *map;
    uint32_t *sets, *bindings; // [bound]: as recorded
};

// Where a descriptor goes; false: nowhere.
static bool place_of(const struct gv_recorded_map *map, uint32_t set, uint32_t binding,
                     struct gv_recorded_place *out)
{
    *out = (struct gv_recorded_place){ set, binding, map->push_set, map->push_binding };
    if (set == GV_RECORDED_PUSH_SET)
        return true;
    for (uint32_t i = 0; i < map->count; i++) {
        *out = map->places[i];
        if (out->set == set && out->binding == binding)
            return true;
    }
    return false;
}

static bool fits(const struct gv_recorded_place *p, struct gv_error *err)
{
    return (p->to_set < GV_MAX_SETS && p->to_binding < GV_MAX_BINDING_NUMBER) ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: binding %u of set %u in place %u of set %u (limits "
                   "%d, %d)",
                   p->binding, p->set, p->to_binding, p->to_set, GV_MAX_BINDING_NUMBER,
                   GV_MAX_SETS);
}

// Ids of the module are below its bound: it was valid.
static void read_numbers(const struct gv_recorded_words *m, struct numbering *n)
{
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < m->count;
         at += gv_spirv_length(m->words + at)) {
        const uint32_t *w = m->words + at;
        if (gv_spirv_op(w) != SpvOpDecorate)
            continue;
        if (w[2] == SpvDecorationDescriptorSet)
            n->sets[w[1]] = w[3];
        if (w[2] == SpvDecorationBinding)
            n->bindings[w[1]] = w[3];
    }
}

static bool renumber(const struct numbering *n, uint32_t *words, size_t count,
                     struct gv_error *err)
{
    struct gv_recorded_place place;
    for (size_t at = GV_SPIRV_HEADER_WORDS; at < count;
         at += gv_spirv_length(words + at)) {
        uint32_t *w = words + at;
        if (gv_spirv_op(w) != SpvOpDecorate ||
            (w[2] != SpvDecorationDescriptorSet && w[2] != SpvDecorationBinding))
            continue;
        const uint32_t set = n->sets[w[1]], binding = n->bindings[w[1]];
        if (!place_of(n->map, set, binding, &place))
            return gv_fail(err, GV_ERR_FORMAT, at * 4,
                           "SPIR-V uses binding %u of set %u, which has no place",
                           binding, set);
        if (!fits(&place, err))
            return false;
        w[3] = w[2] == SpvDecorationBinding ? place.to_binding : place.to_set;
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct gv_binding_desc *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

static bool list_bindings(const struct gv_recorded *r,
                          const struct gv_recorded_map *map, struct gv_arena *arena,
                          struct gv_shader_stage *out, struct gv_error *err)
{
    struct gv_recorded_place place;
    out->bindings = gv_arena_array(arena, r->binding_count + 1, sizeof *out->bindings);
    if (!out->bindings)
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < r->binding_count; i++) {
        const struct gv_recorded_binding *b = &r->bindings[i];
        place_of(map, b->set, b->binding, &place);
        out->bindings[out->binding_count++] =
            (struct gv_binding_desc){ place.to_set, place.to_binding, b->type, b->count,
                                      r->stage };
    }
    if (r->push_bytes)
        out->bindings[out->binding_count++] =
            (struct gv_binding_desc){ map->push_set, map->push_binding,
                                      GV_BINDING_UNIFORM_BUFFER_DYNAMIC, 1, r->stage };
    qsort(out->bindings, out->binding_count, sizeof *out->bindings, by_place);
    for (uint32_t i = 1; i < out->binding_count; i++)
        if (by_place(&out->bindings[i - 1], &out->bindings[i]) == 0)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "two descriptors of a shader have one place");
    return true;
}

bool gv_recorded_write(const struct gv_recorded *r, const struct gv_recorded_map *map,
                       struct gv_arena *arena, struct gv_recorded_stage *out,
                       struct gv_error *err)
{
    const struct gv_recorded_words m = { r->words, r->count };
    const uint32_t bound = r->words[GV_SPIRV_BOUND_WORD];
    uint32_t *words = gv_arena_copy(arena, r->words, r->count * sizeof *words);
    struct numbering n = {
        .map = map,
        .sets = gv_arena_array(arena, bound, sizeof *n.sets),
        .bindings = gv_arena_array(arena, bound, sizeof *n.bindings),
    };
    *out = (struct gv_recorded_stage){
        .stage = { .stage = r->stage,
                   .words = words,
                   .word_count = r->count,
                   .input_locations = r->input_locations,
                   .output_locations = r->output_locations },
    };
    if (!words || !n.sets || !n.bindings)
        return gv_out_of_memory(err);
    read_numbers(&m, &n);
    return renumber(&n, words, r->count, err) &&
           list_bindings(r, map, arena, &out->stage, err) &&
           gv_spirv_validate_recorded(words, r->count, &out->feature, err);
}
