// Between those who add to a folder store and those who collect from it.
#ifndef GV_STORE_LOCK_H
#define GV_STORE_LOCK_H

#include <stdbool.h>

// Waits for the store in `folder`: many at once may hold it, or one that is `alone`. A
// process that dies lets go. What is returned goes to gv_store_unlock; where the folder
// cannot be written, or its file system has no locks, nobody waits.
int gv_store_lock(const char *folder, bool alone);
void gv_store_unlock(int lock);

#endif
