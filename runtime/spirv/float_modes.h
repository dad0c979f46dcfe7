// Float controls: modes that shaders ask for and that a device may lack. They are
// wishes (requirements are `preferred`), so a module goes to the driver without those
// that the device does not offer.
#ifndef GV_FLOAT_MODES_H
#define GV_FLOAT_MODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

// Bits, by row of float_modes.def, of what a device offers. Where the widths of a
// family cannot be told apart none of it counts: shaders speak of single widths.
uint32_t gv_vk_float_modes(const VkPhysicalDeviceVulkan12Properties *properties);

// Whether a module, which has passed the validator, asks for a mode beyond `offered`.
bool gv_spirv_lacks_float_modes(const uint32_t *words, size_t count, uint32_t offered);

// Copies a module to `out` (room for `count` words) without those modes and without the
// capabilities that only they need. Returns the words copied.
size_t gv_spirv_strip_float_modes(const uint32_t *words, size_t count, uint32_t offered,
                                  uint32_t *out);

#endif
