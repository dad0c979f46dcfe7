#include "tests/vm/keyframe_check.h"

#include <stdlib.h>

#include "tests/helpers.h"
#include "tests/vm/model_parts.h"
#include "vm/keyframe/keyframe_make.h"
#include "vm/slice/slice_start.h"
#include "vm/verify/verify.h"

// The model at a stop.
struct scene {
    bool exports;
    struct model_host *model;
    struct gv_vm *vm;
    struct gv_bytes piece;
};

static bool run_to(struct gv_vm *vm, uint64_t frame, struct gv_error *err)
{
    enum gv_stop stop = GV_STOP_FRAME;
    for (uint64_t i = 0; i < frame && stop != GV_STOP_END; i++)
        if (!gv_vm_run(vm, &stop, err))
            return false;
    return true;
}

static struct gv_vm *start(struct gv_payload *payload, bool met,
                           struct model_host *model, struct gv_error *err)
{
    model_host_init(model, met);
    model->frame = (uint32_t)payload->first_frame;
    return gv_vm_create(
        &(struct gv_vm_params){ .payload = payload, .host = &model->host }, err);
}

// ---- contents ----

// One byte a texel, as the model has them.
static void read_texels(struct scene *s, const struct gv_cut_piece *p)
{
    const struct model_box b = { .image = gv_vm_slot(s->vm, p->slot),
                                 .plane = model_plane_of(p->aspect),
                                 .mip = p->mip,
                                 .layer = p->layer + p->z,
                                 .layers = p->depth,
                                 .x = p->x,
                                 .y = p->y,
                                 .width = p->width,
                                 .height = p->height };
    FOR_BOX(b, n)
    gv_bytes_u8(&s->piece, *model_texel_of(s->model, &b, n));
}

static const struct gv_bytes *read_piece(void *context, const struct gv_cut_piece *p,
                                         struct gv_error *err)
{
    struct scene *s = context;
    s->piece.size = 0;
    if (p->slot == GV_CUT_VOLATILE) {
        gv_bytes_put(&s->piece, gv_vm_volatile(s->vm) + p->offset, (size_t)p->size);
    } else if (p->kind == GV_KIND_IMAGE) {
        read_texels(s, p);
    } else {
        const struct model_object *o = model_get(s->model, gv_vm_slot(s->vm, p->slot));
        uint64_t end = p->offset + (p->rows - 1) * p->stride + p->size;
        if (o->kind != p->kind || end > o->size) {
            gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "a piece of another object");
            return NULL;
        }
        for (uint32_t i = 0; i < p->rows; i++)
            gv_bytes_put(&s->piece, o->bytes + p->offset + i * p->stride,
                         (size_t)p->size);
    }
    return s->piece.failed ? NULL : &s->piece;
}

static bool write(struct gv_payload *payload, struct gv_cut *cut, struct scene *scene,
                  struct gv_bytes *out, struct gv_error *err)
{
    const struct gv_append_params append = { .write = gv_test_append, .context = out };
    struct gv_keyframe_params params = { .payload = payload,
                                         .append =
                                             gv_append_create(payload, &append, err),
                                         .read = read_piece,
                                         .context = scene,
                                         .device = "model",
                                         .driver = "1",
                                         .exports = scene->exports };
    bool ok = params.append && gv_append_know(params.append, NULL, 0, err) &&
              gv_keyframe_make(&params, cut, err) &&
              gv_append_close(params.append, err);
    gv_append_destroy(params.append);
    return ok;
}

static bool bake(struct gv_payload *payload, struct gv_cut *cut,
                 const struct keyframe_wish *wish, struct gv_bytes *out,
                 struct gv_error *err)
{
    struct model_host model;
    struct scene scene = { .exports = wish->exports,
                           .model = &model,
                           .vm = start(payload, wish->outputs.met, &model, err) };
    bool ok = scene.vm && run_to(scene.vm, cut->frame, err) &&
              write(payload, cut, &scene, out, err);
    gv_vm_destroy(scene.vm);
    model_host_finish(&model);
    gv_bytes_finish(&scene.piece);
    return ok;
}

// ---- comparison ----

static bool pictures(struct gv_payload *payload, bool met, uint64_t out[MODEL_FRAMES],
                     struct gv_error *err)
{
    struct model_host model;
    struct gv_vm *vm = start(payload, met, &model, err);
    bool ok = vm && run_to(vm, UINT64_MAX, err);
    for (size_t i = 0; i < MODEL_FRAMES; i++)
        out[i] = model.pictures[i];
    gv_vm_destroy(vm);
    model_host_finish(&model);
    return ok;
}

// Of the payload itself, where a view was to run that has gone.
static bool pictures_after(struct gv_payload *payload, bool met,
                           uint64_t out[MODEL_FRAMES], struct gv_error *err)
{
    struct model_host model;
    struct gv_payload view;
    if (!gv_payload_view(&view, payload, 0, err))
        return false;
    struct gv_vm *vm = start(&view, met, &model, err);
    gv_payload_view_finish(&view);
    model.frame = 0;
    bool ok = vm && gv_vm_enter(vm, payload, NULL, err) && run_to(vm, UINT64_MAX, err);
    for (size_t i = 0; i < MODEL_FRAMES; i++)
        out[i] = model.pictures[i];
    gv_vm_destroy(vm);
    model_host_finish(&model);
    return ok;
}

static bool compare(struct gv_payload *payload, const struct gv_bytes *bytes, bool met,
                    struct gv_error *err)
{
    struct gv_payload with, view = { 0 };
    uint64_t want[MODEL_FRAMES], all[MODEL_FRAMES], late[MODEL_FRAMES];
    uint64_t after[MODEL_FRAMES];
    if (!gv_payload_open_memory(&with, bytes->data, bytes->size, 0, err))
        return false;
    bool ok = gv_verify(&with, &(struct gv_verify_params){ 0 }, err) &&
              gv_payload_view(&view, &with, 0, err) &&
              pictures(payload, met, want, err) && pictures(&with, met, all, err) &&
              pictures(&view, met, late, err) && pictures_after(&with, met, after, err);
    for (size_t i = 0; i < MODEL_FRAMES && ok; i++)
        ok = want[i] == all[i] && want[i] == after[i];
    for (size_t i = view.first_frame; i < MODEL_FRAMES && ok; i++)
        ok = want[i] == late[i];
    gv_payload_view_finish(&view);
    gv_payload_finish(&with);
    return ok;
}

static bool run_slice(struct gv_payload *payload, const struct slice_wish *wish,
                      struct model_host *out, struct gv_error *err)
{
    struct gv_slice slice;
    bool ok = gv_slice_make(&slice, payload, wish->wanted, err) &&
              slice_wish_run(payload, &slice.kept, wish, out, err);
    gv_slice_finish(&slice);
    return ok;
}

// Outputs of what begins with the keyframe.
static bool compare_outputs(struct gv_payload *with, const struct slice_wish *wish,
                            struct gv_error *err)
{
    struct model_host whole = { 0 }, late = { 0 };
    struct gv_payload view = { 0 };
    bool ok = run_slice(with, wish, &whole, err) &&
              gv_payload_view(&view, with, 0, err) &&
              run_slice(&view, wish, &late, err) &&
              slice_wish_same(&whole, &late, wish->wanted);
    model_host_finish(&whole);
    model_host_finish(&late);
    gv_payload_view_finish(&view);
    return ok;
}

static bool check_outputs(const struct gv_bytes *bytes,
                          const struct keyframe_wish *wish, bool *served,
                          struct gv_error *err)
{
    struct gv_payload with;
    size_t keyframe = 1;
    if (!gv_payload_open_memory(&with, bytes->data, bytes->size, 0, err))
        return false;
    bool ok = gv_verify(&with, &(struct gv_verify_params){ 0 }, err) &&
              gv_slice_start(&with, wish->outputs.wanted, wish->frame, &keyframe, err);
    *served = keyframe == 0;
    ok = ok && (keyframe || compare_outputs(&with, &wish->outputs, err));
    gv_payload_finish(&with);
    return ok;
}

bool keyframe_check(struct gv_payload *payload, const struct keyframe_wish *wish,
                    bool *made, bool *served, struct gv_error *err)
{
    struct gv_cut *cut = calloc(1, sizeof *cut);
    const struct gv_cut_params params = { .frames = &wish->frame,
                                          .frame_count = 1,
                                          .exports = wish->exports };
    struct gv_bytes bytes = { 0 };
    bool ok = cut && gv_cuts_make(cut, payload, &params, err) &&
              (cut->refused || gv_cutter_keep(wish->cutter, cut, err));
    *made = ok && !cut->refused;
    *served = false;
    ok = ok && (cut->refused || (bake(payload, cut, wish, &bytes, err) &&
                                 compare(payload, &bytes, wish->outputs.met, err) &&
                                 check_outputs(&bytes, wish, served, err)));
    gv_bytes_finish(&bytes);
    gv_cuts_finish(cut, 1);
    return ok;
}
