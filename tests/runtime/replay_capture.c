#include "tests/runtime/replay_capture.h"

#include "tests/helpers.h"
#include "tests/runtime/range_audit.h"
#include "vm/machine/vm.h"
#include "vm/verify/verify.h"

#include <stdlib.h>

static bool keep_picture(struct gv_runtime *runtime, uint32_t frame,
                         struct gv_replay_result *out, struct gv_error *err)
{
    struct gv_picture *more =
        realloc(out->pictures, (out->frame_count + 1) * sizeof *out->pictures);
    if (!more)
        return gv_out_of_memory(err);
    out->pictures = more;
    out->pictures[out->frame_count] = (struct gv_picture){ 0 };
    if (!gv_runtime_frame_picture(runtime, &out->pictures[out->frame_count], err))
        return false;
    out->frame_count = frame + 1;
    return true;
}

static bool run(struct gv_vm *vm, struct gv_runtime *runtime, bool pictures,
                const struct gv_payload *payload, struct gv_replay_result *out,
                struct gv_error *err)
{
    enum gv_stop stop = GV_STOP_FRAME;
    while (stop != GV_STOP_END) {
        if (!gv_vm_run(vm, &stop, err))
            return false;
        if (stop == GV_STOP_FRAME && pictures &&
            !keep_picture(runtime, (uint32_t)out->frame_count, out, err))
            return false;
    }
    if (!gv_runtime_finish(runtime, err))
        return false;
    for (uint32_t i = 0; i < payload->export_count && i < 4; i++) {
        uint32_t format, width, height;
        if (!gv_runtime_export(runtime, i, &out->exports[i], &format, &width, &height,
                               err))
            return false;
    }
    return true;
}

// How to run; zeroed: no more than exports.
struct how {
    bool pictures, validate, audit;
};

static bool run_on(struct gv_runtime *runtime, struct gv_payload *payload,
                   const struct how *how, struct gv_replay_result *out,
                   struct gv_error *err)
{
    struct gv_range_audit *audit = NULL;
    struct gv_vm_params params = { .payload = payload,
                                   .host = gv_runtime_host(runtime) };
    if (how->audit) {
        audit = gv_range_audit_create(params.host);
        if (!audit)
            return gv_out_of_memory(err);
        params.host = gv_range_audit_host(audit);
    }
    struct gv_vm *vm = gv_vm_create(&params, err);
    bool ok = vm && run(vm, runtime, how->pictures, payload, out, err);
    gv_vm_destroy(vm);
    if (audit)
        out->audited = gv_range_audit_count(audit);
    gv_range_audit_destroy(audit);
    return ok;
}

static bool run_payload(struct gv_payload *payload, const struct how *how,
                        struct gv_replay_result *out, struct gv_error *err)
{
    const struct gv_runtime_params params = {
        .validate = how->validate && !getenv("GV_TEST_NO_VALIDATION"),
        .timeout_ns = 60000000000u,
        .payload = payload
    };
    static const bool wanted[4] = { true, true, true, true };
    if (how->audit) // with buffers of its own, which no payload declares
        payload->limits.objects = UINT32_MAX, payload->limits.object_bytes = UINT64_MAX;
    struct gv_runtime *runtime = gv_runtime_create(&params, err);
    if (!runtime)
        return false;
    gv_runtime_want_pictures(runtime, how->pictures);
    gv_runtime_want_exports(runtime, wanted,
                            payload->export_count < 4 ? payload->export_count : 4);
    bool ok = run_on(runtime, payload, how, out, err);
    out->validation_messages = gv_runtime_validation_messages(runtime);
    gv_runtime_destroy(runtime);
    return ok;
}

static bool verify_and_run(const void *data, size_t size, const struct how *how,
                           struct gv_replay_result *out, struct gv_error *err)
{
    const struct gv_verify_params verify = { 0 };
    struct gv_payload payload;
    if (!gv_payload_open_memory(&payload, data, size, 0, err))
        return false;
    bool ok = gv_verify(&payload, &verify, err) && run_payload(&payload, how, out, err);
    gv_payload_finish(&payload);
    return ok;
}

bool gv_replay_payload(const void *data, size_t size, bool validate,
                       struct gv_replay_result *out, struct gv_error *err)
{
    *out = (struct gv_replay_result){ 0 };
    return verify_and_run(
        data, size, &(struct how){ .pictures = true, .validate = validate }, out, err);
}

static bool replay(const void *capture, size_t size, const char *target,
                   const char *const *options, const struct how *how,
                   struct gv_replay_result *out, struct gv_error *err)
{
    *out = (struct gv_replay_result){ 0 };
    const struct gv_compile_params params = { .target = target,
                                              .options = options,
                                              .jobs = 2 };
    return gv_compile(capture, size, &params, gv_test_append, &out->payload, NULL,
                      err) &&
           verify_and_run(out->payload.data, out->payload.size, how, out, err);
}

bool gv_replay_capture_for(const char *target, const void *capture, size_t size,
                           const char *const *options, bool pictures, bool validate,
                           struct gv_replay_result *out, struct gv_error *err)
{
    const struct how how = { .pictures = pictures, .validate = validate };
    return replay(capture, size, target, options, &how, out, err);
}

bool gv_replay_capture(const void *capture, size_t size, const char *const *options,
                       bool pictures, bool validate, struct gv_replay_result *out,
                       struct gv_error *err)
{
    return gv_replay_capture_for(NULL, capture, size, options, pictures, validate, out,
                                 err);
}

bool gv_replay_capture_audited(const void *capture, size_t size,
                               const char *const *options, struct gv_replay_result *out,
                               struct gv_error *err)
{
    const struct how how = { .pictures = true, .audit = true };
    return replay(capture, size, NULL, options, &how, out, err);
}

void gv_replay_result_finish(struct gv_replay_result *result)
{
    for (size_t i = 0; i < result->frame_count; i++)
        gv_picture_finish(&result->pictures[i]);
    free(result->pictures);
    for (int i = 0; i < 4; i++)
        gv_bytes_finish(&result->exports[i]);
    gv_bytes_finish(&result->payload);
    *result = (struct gv_replay_result){ 0 };
}

bool gv_replay_device_present(void)
{
    struct gv_device_info *devices;
    size_t count;
    if (!gv_runtime_devices(NULL, &devices, &count, NULL))
        return false;
    gv_device_infos_free(devices, count);
    return count > 0;
}
