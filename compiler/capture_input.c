#include "compiler/capture_input.h"

#include "compiler/foreign_capture.h"

#define PROBE_BYTES GV_CAPTURE_HEAD // brotli may need 9 KB before a byte comes out

// Of a layer, no more than recognition takes.
static const struct gv_decompress_params head_of_layer = { .limit = PROBE_BYTES,
                                                           .head_only = true,
                                                           .allow_cut = true };

void gv_capture_input_close(struct gv_capture_input *in)
{
    gv_bytes_finish(&in->peeled.bytes);
}

// ---- recognition ----

static void fail_unknown(const uint8_t *data, size_t size, struct gv_error *err)
{
    struct gv_bytes names = { 0 };
    const char *foreign = gv_foreign_capture(data, size);
    if (foreign) {
        gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                "unsupported: %s; gpuvm does not read those yet", foreign);
        return;
    }
    for (size_t i = 0; i < gv_frontend_count; i++)
        gv_bytes_printf(&names, "%s%s", i ? ", " : "", gv_frontends[i]->what);
    gv_fail(err, GV_ERR_FORMAT, 0, "not a capture gpuvm knows (%.*s)", (int)names.size,
            (const char *)names.data);
    gv_bytes_finish(&names);
}

static struct gv_cursor head_of(const uint8_t *data, size_t size)
{
    return gv_cursor_make(data, size < PROBE_BYTES ? size : PROBE_BYTES);
}

// The surest front-end for these bytes, or NULL.
static const struct gv_frontend *pick(const uint8_t *data, size_t size,
                                      struct gv_error *err)
{
    const struct gv_frontend *best = NULL, *rival = NULL;
    enum gv_match sureness = GV_MATCH_NO;
    struct gv_cursor head = head_of(data, size);
    for (size_t i = 0; i < gv_frontend_count; i++) {
        enum gv_match match = gv_frontends[i]->probe(head);
        if (match == GV_MATCH_NO || match < sureness)
            continue;
        rival = match == sureness ? best : NULL;
        best = gv_frontends[i];
        sureness = match;
    }
    if (sureness == GV_MATCH_NO)
        fail_unknown(data, size, err);
    if (!rival)
        return best;
    gv_fail(err, GV_ERR_FORMAT, 0, "could be both %s (%s) and %s (%s)", rival->what,
            rival->name, best->what, best->name);
    return NULL;
}

// Sets `frontend` if it reads the layer too. False: nobody knows it, which need not be
// unpacked to its end.
static bool check_head(struct gv_capture_input *in, struct gv_error *err)
{
    const struct gv_span stored = { in->data, in->size };
    struct gv_decompressed head = { 0 };
    bool known = true; // a damaged layer is told by who needs it whole
    if (gv_decompress(in->layer, stored, &head_of_layer, &head, NULL)) {
        const struct gv_frontend *f = pick(head.bytes.data, head.bytes.size, err);
        known = f != NULL;
        if (f && f->reads_forward && in->layer != GV_LAYER_XZ &&
            f->reads_forward(head_of(head.bytes.data, head.bytes.size)))
            in->frontend = f;
    }
    gv_bytes_finish(&head.bytes);
    return known;
}

static void read_forward(struct gv_capture_input *in,
                         const struct gv_compile_params *params)
{
    in->forward = true;
    in->read = (struct gv_input_read){ .data = in->data,
                                       .size = in->size,
                                       .mapped = params->mapped &&
                                                 in->layer == GV_LAYER_NONE };
}

static bool peel(struct gv_capture_input *in, const struct gv_decompress_params *params,
                 struct gv_error *err)
{
    const struct gv_span stored = { in->data, in->size };
    const struct gv_bytes *peeled = &in->peeled.bytes;
    if (!gv_decompress(in->layer, stored, params, &in->peeled, err))
        return false;
    in->data = peeled->data ? peeled->data : (const uint8_t *)"";
    in->size = peeled->size;
    return true;
}

static bool recognise(struct gv_capture_input *in,
                      const struct gv_decompress_params *layer, struct gv_error *err)
{
    if (in->layer != GV_LAYER_NONE && !check_head(in, err))
        return false;
    if (in->frontend) {
        in->layer = GV_LAYER_NONE;
        return true;
    }
    if (in->layer != GV_LAYER_NONE && !peel(in, layer, err))
        return false;
    in->frontend = pick(in->data, in->size, err);
    return in->frontend != NULL;
}

// Who reads these first bytes as they come, and is sure that they are its own.
static const struct gv_frontend *find_streaming(struct gv_capture_input *in)
{
    const struct gv_cursor head = head_of(in->data, in->size);
    in->frontend = NULL;
    if (in->layer != GV_LAYER_NONE)
        check_head(in, NULL); // traces unpack by themselves
    for (size_t i = 0; !in->frontend && i < gv_frontend_count; i++)
        if (gv_frontends[i]->probe(head) == GV_MATCH_SURE)
            in->frontend = gv_frontends[i];
    return in->frontend && in->frontend->streams ? in->frontend : NULL;
}

// A layer may bring nothing for a while.
bool gv_capture_input_may_be(const void *head, size_t size, struct gv_error *err)
{
    struct gv_capture_input in = { .data = head,
                                   .size = size,
                                   .layer = gv_layer_detect(head, size) };
    struct gv_error mine = GV_ERROR_INIT;
    const bool peeled = in.layer == GV_LAYER_NONE || peel(&in, &head_of_layer, &mine);
    const bool tells =
        size >= GV_CAPTURE_HEAD_MOST || (peeled && in.size >= PROBE_BYTES);
    const bool known = !tells || (peeled && pick(in.data, in.size, &mine));
    gv_capture_input_close(&in);
    return known || gv_fail(err, mine.status, mine.offset, "%s", mine.message);
}

// Waits for so much that it tells whether some front-end knows it.
static bool await_head(struct gv_inflow *inflow, struct gv_error *err)
{
    static const size_t enough[] = { PROBE_BYTES, GV_CAPTURE_HEAD_MOST };
    for (size_t i = 0; i < sizeof enough / sizeof *enough; i++)
        if (gv_inflow_want(inflow, enough[i]) &&
            !gv_capture_input_may_be(inflow->data, inflow->size, err))
            return false;
    return true;
}

bool gv_capture_input_await(struct gv_capture_input *in, struct gv_inflow *inflow,
                            const struct gv_compile_params *params,
                            struct gv_error *err)
{
    static const size_t enough[] = { 64, 1024, 8192, PROBE_BYTES };
    for (size_t i = 0; i < sizeof enough / sizeof *enough; i++) {
        gv_inflow_want(inflow, enough[i]);
        *in = (struct gv_capture_input){ .data = inflow->data,
                                         .size = inflow->size,
                                         .layer = gv_layer_detect(inflow->data,
                                                                  inflow->size) };
        if (!find_streaming(in))
            continue;
        in->layer = GV_LAYER_NONE;
        in->forward = true;
        in->read = (struct gv_input_read){ .data = in->data,
                                           .size = in->size,
                                           .inflow = inflow,
                                           .again = in->frontend->streams ==
                                                    GV_STREAMS_AGAIN };
        return true;
    }
    if (!await_head(inflow, err))
        return false;
    gv_inflow_want(inflow, UINT64_MAX);
    if (inflow->error.status != GV_OK)
        return gv_fail(err, inflow->error.status, inflow->error.offset, "%s",
                       inflow->error.message);
    return gv_capture_input_open(in, inflow->data, inflow->size, params, err);
}

bool gv_capture_input_peek(struct gv_capture_input *in, const void *capture,
                           size_t size, struct gv_error *err)
{
    *in = (struct gv_capture_input){ .data = capture,
                                     .size = size,
                                     .layer = gv_layer_detect(capture, size) };
    if (in->layer != GV_LAYER_NONE) {
        if (!peel(in, &head_of_layer, err)) {
            gv_capture_input_close(in);
            return false;
        }
    }
    in->frontend = pick(in->data, in->size, err);
    if (in->frontend) {
        in->forward = in->frontend->reads_forward != NULL;
        return true;
    }
    gv_capture_input_close(in);
    return false;
}

bool gv_capture_input_open(struct gv_capture_input *in, const void *capture,
                           size_t size, const struct gv_compile_params *params,
                           struct gv_error *err)
{
    const struct gv_decompress_params layer = {
        .limit = params->memory_limit ? params->memory_limit : GV_COMPILE_MEMORY,
        .allow_cut = params->allow_truncated,
    };
    *in = (struct gv_capture_input){ .data = capture,
                                     .size = size,
                                     .layer = gv_layer_detect(capture, size) };
    if (!recognise(in, &layer, err)) {
        gv_capture_input_close(in);
        return false;
    }
    if (in->frontend->reads_forward)
        read_forward(in, params);
    return true;
}
