// A capture on its way to a front-end: recognised, and without its outer layer if the
// front-end does not unpack by itself.
#ifndef GV_CAPTURE_INPUT_H
#define GV_CAPTURE_INPUT_H

#include "compiler/decompress.h"
#include "compiler/frontend.h"

struct gv_capture_input {
    const uint8_t *data;
    size_t size;
    enum gv_layer layer;
    struct gv_decompressed peeled; // owns the bytes if there was a layer
    const struct gv_frontend *frontend;
    bool forward;              // the front-end reads it forward
    struct gv_input_read read; // then: how far
};

// Recognises and unpacks. GV_ERR_FORMAT, GV_ERR_UNSUPPORTED, GV_ERR_LIMIT.
bool gv_capture_input_open(struct gv_capture_input *in, const void *capture,
                           size_t size, const struct gv_compile_params *params,
                           struct gv_error *err);
// The same of what comes through a pipe, of which no more is read than that takes; all
// of it, if no front-end that knows it reads it as it comes.
bool gv_capture_input_await(struct gv_capture_input *in, struct gv_inflow *inflow,
                            const struct gv_compile_params *params,
                            struct gv_error *err);
// gv_capture_may_be: GV_ERR_FORMAT, GV_ERR_UNSUPPORTED.
bool gv_capture_input_may_be(const void *head, size_t size, struct gv_error *err);
// Only recognises: what it holds may be no more than the beginning.
bool gv_capture_input_peek(struct gv_capture_input *in, const void *capture,
                           size_t size, struct gv_error *err);
void gv_capture_input_close(struct gv_capture_input *in);

#endif
