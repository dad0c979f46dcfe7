// C++ libraries throw where memory is exhausted, and nobody here can catch.
#ifndef GV_EXHAUSTED_H
#define GV_EXHAUSTED_H

#include <stdbool.h>

// From now on a library that finds no memory ends the process like any other failure:
// with a sentence and an exit code. Other exceptions abort it, without the C++
// runtime's own words.
void gv_exhausted_catch(bool json);

#endif
