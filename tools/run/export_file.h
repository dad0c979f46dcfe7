// Files of --export, which a child may not write: it passes their bytes to its parent.
#ifndef GV_EXPORT_FILE_H
#define GV_EXPORT_FILE_H

#include "tools/child/child.h"

// "-": bytes go to standard output.
bool gv_export_is_stdout(const char *path);
bool gv_export_write(const char *path, const void *data, size_t size,
                     struct gv_error *err);

// In the child: has the parent write them as file `number`.
bool gv_export_pass(struct gv_child_line *line, unsigned number, const void *data,
                    size_t size, struct gv_error *err);

// In the parent: writes what came with the request. The child may be in strangers'
// hands, so what it passed is only taken if nobody can change it any more.
bool gv_export_keep(const char *path, int passed, struct gv_error *err);

#endif
