// Whether a texel of an image exists, as code in front of what uses it.
#include "runtime/spirv/spirv_guard.h"

// The size as the coordinate counts: a cube has six faces.
static uint32_t put_size(struct gv_spirv_guard *g, const uint32_t *image,
                         uint32_t loaded, uint32_t n)
{
    struct gv_spirv_edit *e = &g->r->edit;
    bool cube = image[3] == SpvDimCube, arrayed = image[5] != 0;
    uint32_t uint = gv_spirv_edit_uint(e), id = e->next_id++, part[3], all;
    uint32_t six = gv_spirv_edit_constant(e, uint, 6);
    GV_SPIRV_PUT(&e->helpers, SpvOpImageQuerySize,
                 gv_spirv_edit_uints(e, cube && !arrayed ? 2 : n), id, loaded);
    if (!cube)
        return id;
    for (uint32_t i = 0; i < (arrayed ? 3u : 2u); i++) {
        part[i] = e->next_id++;
        GV_SPIRV_PUT(&e->helpers, SpvOpCompositeExtract, uint, part[i], id, i);
    }
    uint32_t faces =
        arrayed ? gv_spirv_guard_put(g, SpvOpIMul, uint, part[2], six) : six;
    all = e->next_id++;
    GV_SPIRV_PUT(&e->helpers, SpvOpCompositeConstruct, gv_spirv_edit_uints(e, 3), all,
                 part[0], part[1], faces);
    return all;
}

static uint32_t put_inside(struct gv_spirv_guard *g, const uint32_t *image,
                           uint32_t loaded, uint32_t coordinate, uint32_t sample)
{
    struct gv_spirv_edit *e = &g->r->edit;
    const uint32_t *type = gv_spirv_def(
        g->r->ids, gv_spirv_value_of(&g->r->values, g->place.texel[4])->type);
    uint32_t n = gv_spirv_op(type) == SpvOpTypeVector ? type[3] : 1;
    uint32_t uints = gv_spirv_edit_uints(e, n), boolean = gv_spirv_edit_bool(e, 1);
    if (type[1] != uints)
        coordinate = gv_spirv_guard_put(g, SpvOpBitcast, uints, coordinate, 0);
    uint32_t in = gv_spirv_guard_put(g, SpvOpULessThan, gv_spirv_edit_bool(e, n),
                                     coordinate, put_size(g, image, loaded, n));
    if (n > 1)
        in = gv_spirv_guard_put(g, SpvOpAll, boolean, in, 0);
    if (!image[6])
        return in;
    uint32_t samples =
        gv_spirv_guard_put(g, SpvOpImageQuerySamples, gv_spirv_edit_uint(e), loaded, 0);
    uint32_t known = gv_spirv_guard_put(g, SpvOpULessThan, boolean, sample, samples);
    return gv_spirv_guard_put(g, SpvOpLogicalAnd, boolean, in, known);
}

bool gv_spirv_guard_image(struct gv_spirv_guard *g)
{
    struct gv_spirv_rewriting *r = g->r;
    struct gv_spirv_edit *e = &r->edit;
    const uint32_t *w = g->place.texel;
    uint32_t root = gv_spirv_value_of(&r->values, g->place.root)->type, index = 0;
    uint32_t type = gv_spirv_def(r->ids, root)[3], values[2];
    const uint32_t *image = gv_spirv_def(r->ids, type);
    if (gv_spirv_op(image) == SpvOpTypeArray) {
        index = g->place.count == 1
                    ? gv_spirv_guard_which(g, image, g->place.indices[0])
                    : 0;
        type = image[2];
        image = gv_spirv_def(r->ids, type);
        if (!index)
            return gv_spirv_cannot(r, "atomic on an array of images");
    }
    uint32_t coordinate = gv_spirv_guard_inside(g, w[4]),
             sample = gv_spirv_guard_inside(g, w[5]);
    gv_spirv_guard_values(g, values);
    struct gv_spirv_branch b = gv_spirv_guard_begin(g);
    uint32_t pointer = gv_spirv_guard_chain(
        g, gv_spirv_edit_pointer(e, SpvStorageClassUniformConstant, type),
        g->place.root, &index, index != 0);
    uint32_t loaded = gv_spirv_guard_put(g, SpvOpLoad, type, pointer, 0);
    gv_spirv_guard_if(g, &b, put_inside(g, image, loaded, coordinate, sample));
    uint32_t texel = e->next_id++;
    GV_SPIRV_PUT(&e->helpers, SpvOpImageTexelPointer, w[1], texel, pointer, coordinate,
                 sample);
    gv_spirv_guard_finish(g, &b, texel, values);
    return true;
}
