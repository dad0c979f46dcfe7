// Verdicts as members of JSON objects.
#include "tools/verdict/verdict.h"

#include <math.h>

#include "tools/base/json.h"

static void put_size(struct gv_json *json, const char *key, uint32_t width,
                     uint32_t height)
{
    gv_json_array(json, key);
    gv_json_number(json, NULL, width);
    gv_json_number(json, NULL, height);
    gv_json_array_end(json);
}

// How many pixels are off by more than so many levels, and their share in per cent.
static void put_off(struct gv_json *json, const struct gv_verdict *v)
{
    gv_json_array(json, "off");
    for (int i = 0; i < GV_VERDICT_STEPS; i++) {
        gv_json_begin(json, NULL);
        gv_json_number(json, "over", gv_verdict_steps[i]);
        gv_json_number(json, "pixels", v->off[i]);
        gv_json_real(json, "percent", gv_verdict_share(v, v->off[i]));
        gv_json_end(json);
    }
    gv_json_array_end(json);
}

static void put_where(struct gv_json *json, const struct gv_verdict *v)
{
    gv_json_array(json, "largest_at");
    gv_json_number(json, NULL, v->largest_x);
    gv_json_number(json, NULL, v->largest_y);
    gv_json_array_end(json);
    gv_json_array(json, "box");
    gv_json_number(json, NULL, v->left);
    gv_json_number(json, NULL, v->top);
    gv_json_number(json, NULL, v->right);
    gv_json_number(json, NULL, v->bottom);
    gv_json_array_end(json);
}

void gv_verdict_json(const struct gv_verdict *v, struct gv_json *json)
{
    put_size(json, "expected_size", v->width, v->height);
    put_size(json, "actual_size", v->actual_width, v->actual_height);
    if (!gv_verdict_same_size(v))
        return;
    gv_json_number(json, "pixels", v->pixels);
    put_off(json, v);
    gv_json_number(json, "largest", v->largest);
    if (v->off[0])
        put_where(json, v);
    if (isfinite(v->psnr))
        gv_json_real(json, "psnr", v->psnr);
    if (v->perceptual) {
        gv_json_real(json, "flip_mean", v->flip_mean);
        gv_json_real(json, "flip_p99", v->flip_p99);
    }
}
