#include "compiler/text_sink.h"

#define PIECE_BYTES ((size_t)256 * 1024)

bool gv_text_sink_flush(struct gv_text_sink *sink, struct gv_error *err)
{
    struct gv_bytes *text = &sink->text;
    if (text->failed)
        return gv_out_of_memory(err);
    bool ok =
        text->size == 0 || sink->write(sink->context, text->data, text->size, err);
    text->size = 0;
    return ok;
}

bool gv_text_sink_line(struct gv_text_sink *sink, struct gv_error *err)
{
    if (sink->text.size < PIECE_BYTES && !sink->text.failed)
        return true;
    return gv_text_sink_flush(sink, err);
}

void gv_text_sink_finish(struct gv_text_sink *sink)
{
    gv_bytes_finish(&sink->text);
}
