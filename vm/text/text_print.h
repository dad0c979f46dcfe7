// Printing code in the text form; vm/text/text_disassemble.c alone includes this.
#ifndef GV_TEXT_PRINT_H
#define GV_TEXT_PRINT_H

#include "resources/base/bytes.h"
#include "vm/payload/payload.h"

// Told before a command's marker is printed, so that its debug rows stand before it.
struct gv_text_sources {
    const struct gv_payload *payload;
    uint64_t position;        // for gv_payload_source_next
    struct gv_source_row row; // the next one to print, if `pending`
    bool pending;
    uint64_t end; // rows of this batch: those with a smaller number
};

// Prints the rows of commands up to `command` that belong to the batch.
void gv_text_print_sources(struct gv_text_sources *sources, uint64_t command,
                           struct gv_bytes *out);

// A chunk's code, folded into calls where it has the canonical form.
void gv_text_print_chunk(const struct gv_payload *payload, const struct gv_chunk *chunk,
                         const uint8_t *code, struct gv_text_sources *sources,
                         struct gv_bytes *out);

void gv_text_print_string(struct gv_bytes *out, const char *text);

#endif
