#include "tools/device_text.h"

#include <stdio.h>

void gv_device_api_text(char *text, size_t size, uint32_t version)
{
    // VK_API_VERSION_MAJOR and its like.
    snprintf(text, size, "%u.%u.%u", version >> 22 & 0x7f, version >> 12 & 0x3ff,
             version & 0xfff);
}

void gv_device_json(struct gv_json *out, const struct gv_device_info *device)
{
    char version[32], uuid[2 * sizeof device->uuid + 1];
    for (size_t i = 0; i < sizeof device->uuid; i++)
        snprintf(uuid + 2 * i, 3, "%02x", device->uuid[i]);
    gv_device_api_text(version, sizeof version, device->api_version);
    gv_json_text(out, "name", device->name);
    gv_json_text(out, "type", device->type);
    gv_json_text(out, "api", version);
    gv_json_text(out, "driver", device->driver);
    gv_json_number(out, "driver_version", device->driver_version);
    gv_json_number(out, "vendor", device->vendor_id);
    gv_json_number(out, "device", device->device_id);
    gv_json_text(out, "uuid", uuid);
    gv_json_number(out, "memory_bytes", device->memory_bytes);
}
