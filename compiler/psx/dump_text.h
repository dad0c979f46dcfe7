// A dump as text: packets, and the commands their words belong to.
#ifndef GV_PSX_DUMP_TEXT_H
#define GV_PSX_DUMP_TEXT_H

#include "compiler/compiler.h"
#include "compiler/text_sink.h"
#include "resources/base/cursor.h"

// Appends a line for each packet, indented lines for what is in it: one for each
// command, with the words of it that lie in the packet. docs/psx.md describes the form.
bool gv_psx_dump_text(struct gv_cursor input, const struct gv_compile_params *params,
                      struct gv_text_sink *out, struct gv_error *err);

#endif
