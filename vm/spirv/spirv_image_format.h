// How shader image types and texel formats go together.
#ifndef GV_SPIRV_IMAGE_FORMAT_H
#define GV_SPIRV_IMAGE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

// What a shader reads from an aspect of a format: enum gv_spirv_numeric.
uint32_t gv_storage_numeric(uint32_t format, uint32_t aspect);

// Whether a view of `format` may stand behind a storage image declared with that
// SpvImageFormat ("Compatibility Between SPIR-V Image Formats And Vulkan Formats").
// Unknown fits all.
bool gv_storage_format_fits(uint32_t spirv_format, uint32_t format);

// A format that fits, or 0 for Unknown.
uint32_t gv_storage_format(uint32_t spirv_format);

#endif
