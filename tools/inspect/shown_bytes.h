// Bytes of a buffer as rows: sixteen of them in hexadecimal, or one element of a type.
#ifndef GV_SHOWN_BYTES_H
#define GV_SHOWN_BYTES_H

#include "tools/inspect/inspect_sheet.h"

#define GV_SHOWN_ROWS 4096u // at most; what is behind them goes to a file
#define GV_SHOWN_HEX 16u    // rows, of bytes that no pick asks for

struct gv_shown_bytes {
    const struct gv_path *path;
    uint64_t command;
    const struct gv_bytes *bytes; // what the path's pick left of them
};

// Each row has the path of its own bytes as its name.
bool gv_shown_bytes_put(const struct gv_shown_bytes *shown, struct gv_sheet *sheet,
                        struct gv_error *err);

#endif
