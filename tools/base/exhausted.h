// C++ libraries throw where memory is exhausted, and nobody here can catch.
#ifndef GV_EXHAUSTED_H
#define GV_EXHAUSTED_H

#include <stdbool.h>

// From now on a library that finds no memory ends the process like any other failure:
// with a sentence and an exit code. Other exceptions abort it, without the C++
// runtime's own words. `path`, which is copied, is what the sentence is about: the
// first that is given, since other inputs come along with it; NULL where there is none
// yet. `json`: the sentence is a JSON object too.
void gv_exhausted_catch(const char *path, bool json);

// The file that was named is done with: the next one that is given is named.
void gv_exhausted_forget(void);

#endif
