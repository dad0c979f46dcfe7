#include "tools/diff/diff_pictures.h"

#include "tools/replay/replay_core.h"

static bool add_picture(struct gv_replay *r, struct gv_bytes *out, struct gv_error *err)
{
    struct gv_picture picture = { 0 };
    struct gv_hash hash = { 0 };
    bool ok = gv_replay_picture(r, GV_REPLAY_AT_FRAME, &picture, err);
    if (ok && picture.width) {
        const uint32_t size[2] = { picture.width, picture.height };
        const struct gv_hash shape = gv_hash_bytes(size, sizeof size);
        hash = gv_hash_bytes(picture.rgba, (size_t)size[0] * size[1] * 4);
        gv_hash_chain(&hash, &shape);
    }
    gv_picture_finish(&picture);
    gv_bytes_put(out, &hash, sizeof hash);
    return ok && (!out->failed || gv_out_of_memory(err));
}

bool gv_diff_pictures(struct gv_payload *payload,
                      const struct gv_runtime_params *device, struct gv_bytes *out,
                      struct gv_error *err)
{
    struct gv_replay replay = { 0 };
    enum gv_stop stop = GV_STOP_FRAME;
    const struct gv_vm_params machine = { .once = true };
    bool ok = gv_replay_open_device(&replay, payload, device, NULL, err) &&
              gv_replay_open_machine(&replay, &machine, err);
    while (ok && stop != GV_STOP_END) {
        ok = gv_replay_run(&replay, &stop, err);
        if (ok && stop == GV_STOP_FRAME)
            ok = add_picture(&replay, out, err);
    }
    gv_replay_close(&replay);
    return ok;
}
