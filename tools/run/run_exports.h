// What a run exports: --export and --hash-export met with what the payload has.
#ifndef GV_RUN_EXPORTS_H
#define GV_RUN_EXPORTS_H

#include "tools/run/run_plan.h"

// Of the plan's frames, which are known. GV_ERR_USAGE, GV_ERR_UNSUPPORTED: no picture
// can be made of it.
bool gv_run_exports_plan(struct gv_run_plan *plan, const struct gv_run_options *o,
                         const struct gv_payload *payload, struct gv_error *err);
void gv_run_exports_finish(struct gv_run_plan *plan);

// Whether the text of an --export is NAME@SET=DIR.
bool gv_run_export_has_set(const char *text);

// The file of an export that is written for each frame. GV_ERR_OUTPUT: the name is too
// long.
bool gv_run_export_path(const struct gv_run_export *wish, uint64_t frame,
                        char path[GV_RUN_PATH], struct gv_error *err);

#endif
