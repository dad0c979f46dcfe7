// The text form of a payload. dump -> asm gives the same bytes; resource bytes stay in
// the payload (or files) and are taken from there by content id. docs/text.md has the
// grammar.
#ifndef GV_TEXT_H
#define GV_TEXT_H

#include "resources/base/bytes.h"
#include "vm/payload/payload.h"

// Appends the whole payload as text.
bool gv_text_disassemble(struct gv_payload *payload, struct gv_bytes *out,
                         struct gv_error *err);

struct gv_assemble_params {
    struct gv_payload
        *resources; // where resource bytes named by id come from; may be NULL
    const char *include_folder; // for `file "name"` contents; NULL = current folder
    // Told of each such file before it is read; may be NULL.
    void (*included)(void *context, const char *path);
    void *context; // for `included`
    // What no constant and no resource of the text may exceed, in bytes; 0 = 2 GiB.
    size_t data_max;
};

// Assembles text into payload bytes. Errors: GV_ERR_FORMAT, `offset` = byte in the
// text, message begins with "line N: ".
bool gv_text_assemble(const char *text, size_t size,
                      const struct gv_assemble_params *params, struct gv_bytes *out,
                      struct gv_error *err);

#endif
