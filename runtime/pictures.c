// What comes out of a runtime, for who made it: pictures and exports.
#include "runtime/runtime.h"
#include "runtime/vk/context.h"
#include "runtime/vk/work/export.h"

#include <stdlib.h>

void gv_picture_finish(struct gv_picture *picture)
{
    free(picture->rgba);
    *picture = (struct gv_picture){ 0 };
}

static struct gv_picture handed(const struct gv_vk_picture *p)
{
    return (struct gv_picture){ p->width, p->height, p->rgba };
}

void gv_runtime_want_pictures(struct gv_runtime *rt, bool wanted)
{
    gv_vk_outputs_want_pictures(rt->outputs, wanted);
}

bool gv_runtime_frame_picture(struct gv_runtime *rt, struct gv_picture *picture,
                              struct gv_error *err)
{
    struct gv_vk_picture own = { 0 };
    bool ok = gv_vk_outputs_frame(rt, &own, err);
    *picture = handed(&own);
    return ok;
}

void gv_runtime_want_images(struct gv_runtime *rt, bool wanted)
{
    gv_vk_outputs_want_images(rt->outputs, wanted);
}

bool gv_runtime_frame_image(struct gv_runtime *rt, struct gv_runtime_image *image,
                            struct gv_error *err)
{
    return gv_vk_outputs_image(rt, image, err);
}

bool gv_runtime_target_picture(struct gv_runtime *rt, struct gv_picture *picture,
                               struct gv_error *err)
{
    struct gv_vk_picture own = { 0 };
    bool ok = gv_vk_outputs_target(rt, &own, err);
    *picture = handed(&own);
    return ok;
}

void gv_runtime_want_exports(struct gv_runtime *rt, const bool *wanted, size_t count)
{
    gv_vk_outputs_want_exports(rt->outputs, wanted, count);
}

bool gv_runtime_export(struct gv_runtime *rt, uint32_t export, struct gv_bytes *out,
                       uint32_t *format, uint32_t *width, uint32_t *height,
                       struct gv_error *err)
{
    struct gv_vk_export about = { 0 };
    if (!gv_vk_outputs_export(rt, export, out, &about, err))
        return false;
    *format = about.format;
    *width = about.width;
    *height = about.height;
    return true;
}
