// SETs of options, with the files that they name.
#ifndef GV_SET_FILE_H
#define GV_SET_FILE_H

#include "tools/options.h"
#include "tools/select/set.h"

// gv_set_parse with files. GV_ERR_USAGE also for an @FILE that cannot be read or is
// over GV_FILE_TEXT_MAX bytes; GV_ERR_NOT_FOUND for one that is not there.
bool gv_set_read(struct gv_set *set, const char *text, struct gv_error *err);
// The same of several that add up.
bool gv_set_read_list(struct gv_set *set, const struct gv_option_list *texts,
                      struct gv_error *err);

// Names the files that a SET names, also by files that it names. Pipes are left out,
// and not read: that can be done only once. Nothing is told of mistakes in the SET.
void gv_set_files(const char *text, void (*named)(void *context, const char *path),
                  void *context);

// Whether a SET can only be understood when the number of frames is known. One with a
// file is taken for such: it may be a pipe, and those can be read once.
bool gv_set_needs_all(const char *text);

#endif
