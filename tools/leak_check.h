// Peace with the leak checker of sanitizer builds; nothing in others.
#ifndef GV_LEAK_CHECK_H
#define GV_LEAK_CHECK_H

#include <stdbool.h>

// To be called before Vulkan is loaded. Drivers and layers keep memory in static
// objects; once they are unloaded the checker can no longer see that, nor name the
// library.
void gv_leak_check_keep_libraries(void);

// Whether memory is lost by now, which the checker tells on standard error; never where
// there is none, or where it is switched off.
bool gv_leak_check_finds(void);

#endif
