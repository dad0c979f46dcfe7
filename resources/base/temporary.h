// Files that are not whole yet, by name: what has to go when a signal ends the process.
#ifndef GV_TEMPORARY_H
#define GV_TEMPORARY_H

// Notes a file just made. `path` is borrowed until gv_temporary_forget. There is room
// for as many as are ever written at once; beyond that they are not noted.
void gv_temporary_note(const char *path);

// To be called once it has its final name, or is removed, and before `path` is freed.
void gv_temporary_forget(const char *path);

// Removes all that are noted. For signal handlers.
void gv_temporary_remove_all(void);

#endif
