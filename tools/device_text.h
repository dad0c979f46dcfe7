// What a device is, for people and for JSON.
#ifndef GV_DEVICE_TEXT_H
#define GV_DEVICE_TEXT_H

#include "runtime/runtime.h"
#include "tools/base/json.h"

// "1.3.230", from Vulkan's packed number.
void gv_device_api_text(char *text, size_t size, uint32_t version);
// The members that tell which device it is: "name" to "memory_bytes".
void gv_device_json(struct gv_json *out, const struct gv_device_info *device);

#endif
