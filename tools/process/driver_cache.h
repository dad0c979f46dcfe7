// Where GPU drivers keep what they have compiled between runs.
#ifndef GV_DRIVER_CACHE_H
#define GV_DRIVER_CACHE_H

#include "resources/base/log.h"

#include <stddef.h>

// To be called before a driver is loaded; sets environment variables. Drivers get a
// folder below `folder` (NULL: their own), so that what a payload makes of them is in
// nobody else's cache, unless the user has chosen one by a driver's own variable. Where
// there is no room they run without: they map files with holes, and a hole that cannot
// be filled is a bus error.
void gv_driver_cache_prepare(const char *folder, const struct gv_log *log);

#define GV_DRIVER_CACHE_PATHS 5
// Folders that drivers may want to write, NULL where there is none. Good until the
// environment is changed.
void gv_driver_cache_paths(const char *paths[GV_DRIVER_CACHE_PATHS]);

#endif
