// --calls SET of `dump`: sets of calls in apitrace's grammar, of which each may be in a
// file.
#ifndef GV_CALLS_TEXT_H
#define GV_CALLS_TEXT_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "tools/options.h"

// All of them as one SET, terminated, in `out`; "@FILE" is what the file holds. NULL:
// GV_ERR_NOT_FOUND, GV_ERR_LIMIT, GV_ERR_MEMORY.
const char *gv_calls_text(const struct gv_option_list *calls, struct gv_bytes *out,
                          struct gv_error *err);

#endif
