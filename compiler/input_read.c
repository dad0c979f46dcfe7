#include "compiler/input_read.h"

#include "resources/base/file.h"

#define STEP_BYTES ((size_t)4 << 20) // worth a system call

// Exactly so far, or not at all yet.
static void advance(struct gv_input_read *read, size_t end)
{
    if (read->hash)
        gv_hash_stream_add(read->hash, read->data + read->done, end - read->done);
    if (read->mapped)
        gv_file_forget(read->data, read->done, end);
    if (read->inflow && read->again)
        gv_inflow_forget(read->inflow, end);
    else if (read->inflow)
        gv_inflow_drop(read->inflow, end);
    read->done = end;
}

bool gv_input_read_want(struct gv_input_read *read, struct gv_cursor *c, uint64_t upto)
{
    if (read && read->inflow) {
        gv_inflow_want(read->inflow, upto);
        read->size = c->size = read->inflow->size;
    }
    return upto <= c->size;
}

void gv_input_read_to(struct gv_input_read *read, uint64_t upto)
{
    // A reader may have waited for more by itself.
    if (read && read->inflow)
        read->size = read->inflow->size;
    if (read && upto > read->upto)
        read->upto = upto < read->size ? (size_t)upto : read->size;
    if (read && read->upto - read->done >= STEP_BYTES)
        advance(read, read->upto);
}

void gv_input_read_end(struct gv_input_read *read)
{
    if (read->upto > read->done)
        advance(read, read->upto);
}
