// Folders that programs keep things in from run to run, for one user alone.
#ifndef GV_OWN_FOLDER_H
#define GV_OWN_FOLDER_H

#include <stdbool.h>

// Makes the folder for this user alone, whatever the umask would leave to others, with
// its parents. False: there is none, it is a link, or others may write there: then they
// could put there what this user would take for his own.
bool gv_own_folder(const char *folder);

#endif
