// What `gpuvm inspect` prints of paths: rows of values, as text or JSON, gathered until
// all are known.
#ifndef GV_INSPECT_SHEET_H
#define GV_INSPECT_SHEET_H

#include "tools/base/json.h"
#include "tools/inspect/uniform_bytes.h"
#include "tools/nearest.h"
#include "vm/inspect/inspect.h"

// What a path is about, and where its rows go. Set `json` and `path`; finish it.
struct gv_sheet {
    struct gv_json *json; // NULL: `text`
    struct gv_bytes text, values;
    struct gv_path path;
    char place[GV_PATH_TEXT];
    const char *wanted; // the one row of the state; NULL: all
    bool names_alone;   // rows are listed
    struct gv_nearest nearest;
    char near[GV_STATE_NAME]; // what it found
    uint64_t rows;
    // Uniform bytes that are computed: found when first wanted.
    struct gv_payload *payload; // borrowed
    uint64_t limit;             // bytes
    struct gv_uniforms uniforms;
    bool sought;
};

struct gv_sheet_row {
    const char *name, *call; // `call` may be NULL
    uint64_t command;
    bool maybe;
};

// All of one path without a device: a list, objects, or state of a verified payload.
// `limit`: private bytes. GV_ERR_USAGE: it leads nowhere.
bool gv_sheet_state(struct gv_sheet *sheet, struct gv_payload *payload, uint64_t limit,
                    struct gv_error *err);

// The same by hand: open, rows (begin, values, end), close.
void gv_sheet_open(struct gv_sheet *sheet);
void gv_sheet_begin(struct gv_sheet *sheet, const struct gv_sheet_row *row);
void gv_sheet_value(struct gv_sheet *sheet, const char *name, const char *value);
void gv_sheet_number(struct gv_sheet *sheet, const char *name, uint64_t number);
bool gv_sheet_end(struct gv_sheet *sheet, const struct gv_sheet_row *row,
                  struct gv_error *err);
void gv_sheet_close(struct gv_sheet *sheet);
void gv_sheet_finish(struct gv_sheet *sheet);

#endif
