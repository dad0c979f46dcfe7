// A driver's devices that outlive the runtimes which make them. Loading a driver and
// making its device is what most of a short replay takes; here vkDestroyDevice hands
// the device to the next vkCreateDevice that asks for the same, a few hundred times,
// then it dies as it should. So does what it is made of: nothing of a runtime survives.
//
// Linked with -Wl,--wrap=dlsym: it stands between volk and the loader.
#ifndef GV_TESTS_KEPT_DEVICE_H
#define GV_TESTS_KEPT_DEVICE_H

#include <stdint.h>

// How many runtimes a device serves; 1: each has its own.
void kept_device_serves(uint64_t runtimes);

#endif
