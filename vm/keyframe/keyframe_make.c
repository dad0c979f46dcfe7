#include "vm/keyframe/keyframe_make.h"

#include <stdlib.h>

#include "vm/slice/slice_cut_code.h"

// New objects hold zeros; memory may have been written by what is kept of the code.
static bool is_new(const struct gv_cut_piece *p, const struct gv_bytes *bytes)
{
    bool same = p->kind == GV_KIND_IMAGE ||
                (p->kind == GV_KIND_BUFFER && p->slot != GV_CUT_VOLATILE);
    for (size_t i = 0; same && i < bytes->size; i++)
        same = bytes->data[i] == 0;
    return same;
}

static bool add_pieces(const struct gv_keyframe_params *params, struct gv_cut *cut,
                       uint32_t *resources, uint32_t *sizes, struct gv_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < cut->piece_count; i++) {
        const struct gv_cut_piece piece = cut->pieces[i];
        const struct gv_bytes *bytes = params->read(params->context, &piece, err);
        if (!bytes)
            return false;
        if (bytes->size > UINT32_MAX)
            return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                           "contents of over 4 GiB in one piece");
        if (is_new(&piece, bytes))
            continue;
        if (!gv_append_resource(params->append, bytes->data, bytes->size, &resources[n],
                                err))
            return false;
        sizes[n] = (uint32_t)bytes->size;
        cut->pieces[n++] = piece;
    }
    cut->piece_count = n;
    return true;
}

static uint32_t import(void *context, enum gv_call call)
{
    return gv_append_import(context, call);
}

static bool add_code(const struct gv_keyframe_params *params,
                     const struct gv_cut_code_params *code_params, struct gv_error *err)
{
    struct gv_cut_code code;
    bool ok = gv_cut_code_make(&code, code_params, err);
    const struct gv_keyframe keyframe = { .frame = code_params->cut->frame,
                                          .stack_cells = code.stack_cells,
                                          .size = (uint32_t)code.bytes.size,
                                          .code = code.bytes.data,
                                          .device = params->device,
                                          .driver = params->driver,
                                          .exact = params->exact,
                                          .exports = params->exports };
    ok = ok && gv_append_keyframe(params->append, &keyframe, code.instructions, err);
    gv_cut_code_finish(&code);
    return ok;
}

bool gv_keyframe_make(const struct gv_keyframe_params *params, struct gv_cut *cut,
                      struct gv_error *err)
{
    uint32_t *resources = calloc(cut->piece_count + 1, sizeof *resources);
    uint32_t *sizes = calloc(cut->piece_count + 1, sizeof *sizes);
    const struct gv_cut_code_params code = { .payload = params->payload,
                                             .cut = cut,
                                             .resources = resources,
                                             .sizes = sizes,
                                             .import = import,
                                             .context = params->append };
    bool ok = (resources && sizes) || gv_out_of_memory(err);
    ok = ok && add_pieces(params, cut, resources, sizes, err) &&
         add_code(params, &code, err);
    free(resources);
    free(sizes);
    return ok;
}
