// Files that are not whole yet: what has to go when a signal ends the process.
#ifndef GV_TEMPORARY_H
#define GV_TEMPORARY_H

#include <sys/types.h>

// Makes a file for writing that was not there, and notes it. `path` is borrowed until
// gv_temporary_forget. The descriptor, or -1 with `errno`. There is room to note as
// many as are ever written at once; beyond that they are not noted.
int gv_temporary_make(const char *path, mode_t mode);

#define GV_TEMPORARY_ROOM \
    64 // bytes that a temporary's name needs beyond those of `path`

// gv_temporary_make of a file beside `path`, under a name that is free (a process that
// was killed may have left its own, and its number comes again), shorter where names
// may be no longer than that of `path`. `name` has room for the path and
// GV_TEMPORARY_ROOM bytes; it is what is borrowed. `mode` is what open takes: mkstemp's
// would shut others out, whatever the umask.
int gv_temporary_beside(const char *path, char *name, mode_t mode);

// To be called once it has its final name, and before `path` is freed.
void gv_temporary_forget(const char *path);

// Removes it and forgets it: from the folder where it was made, wherever that is now.
void gv_temporary_remove(const char *path);

// Removes all that are noted; from now on none is made, who tries sleeps. For signal
// handlers after which the process ends.
void gv_temporary_remove_all(void);

#endif
