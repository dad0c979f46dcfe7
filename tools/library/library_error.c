// Errors of the library, its version, and the flag that cancels.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/foreign.h"
#include "tools/library/library.h"
#include "tools/version.h"

const char *gpuvm_version(void)
{
    return GV_VERSION;
}

const char *gpuvm_status_word(int status)
{
    return status == GPUVM_CANCELLED ? "cancelled" : gv_exit_word((enum gv_exit)status);
}

int gv_library_ok(struct gpuvm_error *error)
{
    if (error)
        *error = (struct gpuvm_error){ .offset = GPUVM_NONE, .command = GPUVM_NONE };
    return GPUVM_OK;
}

int gv_library_fail_in(struct gpuvm_error *error, const struct gv_error *err,
                       enum gv_phase phase, const struct gpuvm_cancel *cancel,
                       uint64_t frame)
{
    char place[32] = "";
    int status = (int)gv_exit_of(err->status, phase);
    bool cancelled = cancel && atomic_load(&cancel->flag) && status != GPUVM_LOST;
    if (cancelled)
        status = GPUVM_CANCELLED;
    if (!error)
        return status;
    *error = (struct gpuvm_error){
        .status = status,
        .offset = err->offset,
        .command = err->command,
    };
    const struct gv_error told = {
        .status = err->status,
        .offset = cancelled ? GV_NO_OFFSET : err->offset,
        .command = err->command,
    };
    struct gv_error text = told;
    memcpy(text.message, cancelled ? "cancelled" : err->message,
           cancelled ? sizeof "cancelled" : sizeof text.message);
    if (frame != GPUVM_NONE && !cancelled)
        snprintf(place, sizeof place, "frame %" PRIu64, frame);
    gv_error_describe(error->message, sizeof error->message, place[0] ? place : NULL,
                      &text, phase);
    gv_foreign_mask(error->message);
    return status;
}

int gv_library_fail(struct gpuvm_error *error, const struct gv_error *err,
                    enum gv_phase phase, const struct gpuvm_cancel *cancel)
{
    return gv_library_fail_in(error, err, phase, cancel, GPUVM_NONE);
}

int gv_library_misuse(struct gpuvm_error *error, const char *what)
{
    struct gv_error err = GV_ERROR_INIT;
    gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "the caller gave %s", what);
    return gv_library_fail(error, &err, GV_PHASE_OPEN, NULL);
}

gpuvm_cancel *gpuvm_cancel_create(void)
{
    return calloc(1, sizeof(struct gpuvm_cancel));
}

void gpuvm_cancel_now(gpuvm_cancel *cancel)
{
    atomic_store(&cancel->flag, true);
}

void gpuvm_cancel_reset(gpuvm_cancel *cancel)
{
    atomic_store(&cancel->flag, false);
}

void gpuvm_cancel_destroy(gpuvm_cancel *cancel)
{
    free(cancel);
}

const atomic_bool *gv_library_flag(const struct gpuvm_cancel *cancel)
{
    return cancel ? &cancel->flag : NULL;
}
