#include "runtime/shader_fit.h"

#include "runtime/fit_bytes.h"
#include "runtime/host.h"
#include "runtime/spirv/spirv_check.h"
#include "vm/spirv/spirv_match.h"

#include <stdlib.h>

// A call of the payload, in the order of where its bytes lie: calls of one kind with
// the same of everything stand side by side, the first of the code first.
struct call {
    const struct gv_fit_bytes *bytes;
    struct gv_payload_bytes place;
    bool compute;        // of a pipeline
    uint32_t shaders[5]; // likewise; each the first of its equals
    uint32_t number;     // in its list
    uint64_t at;
};

struct fit {
    struct gv_fit_bytes bytes;
    const struct gv_pipeline_list *list;
    struct gv_spirv_checker *checker;
    uint64_t held; // of the payload's memory
    // By shader of the list, of `first[i]` alone.
    const struct gv_spirv_checked **checked;
    uint32_t *first;
    struct call *calls;    // being sorted; of shaders, then of pipelines
    struct gv_error fault; // of the first call at fault
    uint64_t fault_at;
    struct gv_graphics_desc graphics;
};

// ---- memory ----

static bool hold(struct fit *f, uint64_t bytes, struct gv_error *err)
{
    if (!gv_payload_hold(f->bytes.payload, bytes, err))
        return false;
    f->held += bytes;
    return true;
}

// Of the list, which the verifier made beside the account, and of what stands here by
// shader of it.
static uint64_t list_bytes(const struct gv_pipeline_list *list)
{
    return list->shader_capacity * sizeof *list->shaders +
           list->pipeline_capacity * sizeof *list->pipelines +
           list->shader_count * (sizeof(void *) + sizeof(uint32_t));
}

// ---- calls ----

static int compare_calls(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    int order = gv_fit_bytes_compare(x->bytes, &x->place, &y->place);
    order = order ? order : x->compute - y->compute;
    for (int i = 0; !order && i < 5; i++)
        order = (x->shaders[i] > y->shaders[i]) - (x->shaders[i] < y->shaders[i]);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool same_call(const struct call *a, const struct call *b)
{
    struct call other = *b;
    other.at = a->at;
    return compare_calls(a, &other) == 0;
}

// As the host refuses a call. What a run meets first is what is said.
static void note_fault(struct fit *f, uint32_t call, const struct gv_error *why,
                       uint64_t at)
{
    if (at >= f->fault_at)
        return;
    f->fault = *why;
    gv_host_name_call(gv_call_infos[call].name, &f->fault);
    f->fault_at = at;
}

// ---- shaders ----

// False: nothing more can be checked.
static bool check_shader(struct fit *f, const struct call *c, struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    uint64_t before = gv_spirv_checker_bytes(f->checker);
    const uint8_t *bytes = gv_fit_bytes_of(&f->bytes, &c->place, err);
    if (!bytes || !gv_fit_bytes_work(&f->bytes, c->place.size, err))
        return false;
    f->checked[c->number] =
        gv_spirv_check(f->checker, bytes, (size_t)c->place.size, &why);
    if (!f->checked[c->number])
        note_fault(f, GV_CALL_shader_create, &why, c->at);
    uint64_t more = gv_spirv_checker_bytes(f->checker) - before;
    return hold(f, more, err);
}

static bool check_shaders(struct fit *f, struct gv_error *err)
{
    size_t count = f->list->shader_count;
    for (size_t i = 0; i < count; i++)
        f->calls[i] = (struct call){ .bytes = &f->bytes,
                                     .place = f->list->shaders[i].spirv,
                                     .number = (uint32_t)i,
                                     .at = f->list->shaders[i].at };
    qsort(f->calls, count, sizeof *f->calls, compare_calls);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (!same_call(&f->calls[i], &f->calls[first]))
            first = i;
        f->first[f->calls[i].number] = f->calls[first].number;
        if (first == i && !check_shader(f, &f->calls[i], err))
            return false;
    }
    return true;
}

// ---- pipelines ----

// As a run: first whether each module is of its stage.
static bool match_stages(const struct gv_spirv_checked *const checked[5],
                         uint32_t first_stage, struct gv_error *err)
{
    for (uint32_t i = 0; i < 5; i++)
        if (checked[i] &&
            !gv_spirv_match_stage(&checked[i]->module, first_stage << i, err))
            return false;
    return true;
}

// Then, when the stages are known to go together, each as it is specialised.
static bool match_interfaces(const struct gv_spirv_checked *const checked[5],
                             const struct gv_interface_desc *desc, struct gv_error *err)
{
    for (uint32_t i = 0; i < 5; i++) {
        struct gv_spirv_module module;
        if (!checked[i])
            continue;
        const struct gv_spirv_code code = { checked[i]->words, checked[i]->count,
                                            &checked[i]->module };
        if (!gv_spirv_match_specialized(&code, desc, &gv_spirv_boundless, &module, err))
            return false;
    }
    return true;
}

// What matching them looks at.
static bool count_work(struct fit *f, const struct gv_spirv_checked *const checked[5],
                       const struct gv_interface_desc *desc, struct gv_error *err)
{
    uint64_t work = 0;
    for (int i = 0; i < 5; i++) {
        if (!checked[i])
            continue;
        work += checked[i]->module.binding_count * sizeof *checked[i]->module.bindings;
        if (gv_spirv_rereads(&checked[i]->module, desc))
            work += checked[i]->count * sizeof *checked[i]->words;
    }
    return gv_fit_bytes_work(&f->bytes, work, err);
}

static bool match_graphics(const struct gv_graphics_desc *desc,
                           const struct gv_spirv_checked *const checked[5],
                           struct gv_error *err)
{
    const struct gv_spirv_module *modules[5];
    for (int i = 0; i < 5; i++)
        modules[i] = checked[i] ? &checked[i]->module : NULL;
    return match_stages(checked, GV_STAGE_VERTEX, err) &&
           gv_spirv_match_graphics(desc, modules, err) &&
           gv_spirv_match_point_size(desc, modules, false, err) &&
           match_interfaces(checked, &desc->interface, err);
}

static bool match_compute(const struct gv_compute_desc *desc,
                          const struct gv_spirv_checked *const checked[5],
                          struct gv_error *err)
{
    return match_stages(checked, GV_STAGE_COMPUTE, err) &&
           match_interfaces(checked, &desc->interface, err);
}

static bool check_graphics(struct fit *f, struct gv_cursor c, uint64_t at,
                           const struct gv_spirv_checked *const checked[5],
                           struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    if (!gv_graphics_desc_decode(&c, &f->graphics, &why)) {
        note_fault(f, GV_CALL_pipeline_create_graphics, &why, at);
        return true;
    }
    if (!count_work(f, checked, &f->graphics.interface, err))
        return false;
    if (!match_graphics(&f->graphics, checked, &why))
        note_fault(f, GV_CALL_pipeline_create_graphics, &why, at);
    return true;
}

static bool check_compute(struct fit *f, struct gv_cursor c, uint64_t at,
                          const struct gv_spirv_checked *const checked[5],
                          struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    struct gv_compute_desc desc;
    if (!gv_compute_desc_decode(&c, &desc, &why)) {
        note_fault(f, GV_CALL_pipeline_create_compute, &why, at);
        return true;
    }
    if (!count_work(f, checked, &desc.interface, err))
        return false;
    if (!match_compute(&desc, checked, &why))
        note_fault(f, GV_CALL_pipeline_create_compute, &why, at);
    return true;
}

static bool check_pipeline(struct fit *f, const struct call *c, struct gv_error *err)
{
    const struct gv_spirv_checked *checked[5] = { NULL };
    if (c->at > f->fault_at)
        return true;
    for (int i = 0; i < 5; i++) {
        if (c->shaders[i] == GV_STAGE_EMPTY)
            continue;
        checked[i] = f->checked[c->shaders[i]];
        if (!checked[i])
            return true; // which is a fault before this one
    }
    const uint8_t *desc = gv_fit_bytes_of(&f->bytes, &c->place, err);
    if (!desc || !gv_fit_bytes_work(&f->bytes, c->place.size, err))
        return false;
    struct gv_cursor cursor = gv_cursor_make(desc, (size_t)c->place.size);
    return c->compute ? check_compute(f, cursor, c->at, checked, err)
                      : check_graphics(f, cursor, c->at, checked, err);
}

static bool check_pipelines(struct fit *f, struct gv_error *err)
{
    size_t count = f->list->pipeline_count;
    for (size_t i = 0; i < count; i++) {
        const struct gv_made_pipeline *p = &f->list->pipelines[i];
        struct call *c = &f->calls[i];
        *c = (struct call){
            .bytes = &f->bytes,
            .place = p->desc,
            .compute = p->compute,
            .number = (uint32_t)i,
            .at = p->at,
        };
        for (int s = 0; s < 5; s++)
            c->shaders[s] = p->shaders[s] == GV_STAGE_EMPTY ? GV_STAGE_EMPTY
                                                            : f->first[p->shaders[s]];
    }
    qsort(f->calls, count, sizeof *f->calls, compare_calls);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (!same_call(&f->calls[i], &f->calls[first]))
            first = i;
        if (first == i && !check_pipeline(f, &f->calls[i], err))
            return false;
    }
    return true;
}

static bool check_all(struct fit *f, struct gv_error *err)
{
    size_t shaders = f->list->shader_count, pipelines = f->list->pipeline_count;
    size_t calls = shaders > pipelines ? shaders : pipelines;
    if (!f->checker || !hold(f, list_bytes(f->list) + calls * sizeof *f->calls, err))
        return false;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    f->checked = calloc(shaders + 1, sizeof *f->checked);
    f->first = calloc(shaders + 1, sizeof *f->first);
    f->calls = calloc(calls + 1, sizeof *f->calls);
    if (!f->checked || !f->first || !f->calls)
        return gv_out_of_memory(err);
    struct gv_error limit = GV_ERROR_INIT;
    bool all = check_shaders(f, &limit) && check_pipelines(f, &limit);
    // A fault that was found stands, whatever kept the rest from being looked at.
    if (f->fault.status != GV_OK)
        return gv_fail(err, f->fault.status, f->fault_at, "%s", f->fault.message);
    return all || gv_fail(err, limit.status, limit.offset, "%s", limit.message);
}

bool gv_shaders_fit(const struct gv_payload *payload,
                    const struct gv_pipeline_list *list,
                    struct gv_source *const *sources, size_t source_count,
                    struct gv_error *err)
{
    struct fit *f = calloc(1, sizeof *f);
    if (!f)
        return gv_out_of_memory(err);
    gv_fit_bytes_init(&f->bytes, payload, sources, source_count);
    f->list = list;
    f->fault = (struct gv_error)GV_ERROR_INIT;
    f->fault_at = UINT64_MAX;
    f->checker = gv_spirv_checker_create(&gv_spirv_boundless, true, err);
    bool ok = check_all(f, err);
    gv_fit_bytes_finish(&f->bytes);
    gv_payload_release(payload, f->held);
    gv_spirv_checker_destroy(f->checker);
    free(f->checked);
    free(f->first);
    free(f->calls);
    free(f);
    return ok;
}
