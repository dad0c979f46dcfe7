// Where the text of `gpuvm dump` goes: gathered, and handed on in pieces where a
// front-end says so.
#ifndef GV_TEXT_SINK_H
#define GV_TEXT_SINK_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "vm/payload/payload_writer.h"

struct gv_text_sink {
    struct gv_bytes text; // what has gathered; append to it
    gv_write_fn write;
    void *context;
};

// At the end of a line: hands on what has gathered, once it is worth it.
bool gv_text_sink_line(struct gv_text_sink *sink, struct gv_error *err);
// Hands on all of it.
bool gv_text_sink_flush(struct gv_text_sink *sink, struct gv_error *err);
void gv_text_sink_finish(struct gv_text_sink *sink);

#endif
