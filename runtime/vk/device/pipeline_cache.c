#include "runtime/vk/device/pipeline_cache.h"

#include "resources/base/bytes.h"
#include "resources/base/file.h"
#include "resources/hash.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CACHE (256u << 20) // bytes; a larger file is not ours
#define HASH_SIZE sizeof(((struct gv_hash *)0)->bytes)

// FOLDER/<device UUID>.bin: the hash of what follows, then the driver's bytes. Drivers
// check their own header, few check the rest.
static void cache_path(const struct gv_vk_device *device, const char *folder,
                       struct gv_bytes *path)
{
    gv_bytes_printf(path, "%s/", folder);
    for (size_t i = 0; i < VK_UUID_SIZE; i++)
        gv_bytes_printf(path, "%02x", device->properties11.deviceUUID[i]);
    gv_bytes_printf(path, ".bin");
    gv_bytes_u8(path, 0);
}

static bool sound(const struct gv_file *file)
{
    if (file->size < HASH_SIZE || file->size > MAX_CACHE)
        return false;
    struct gv_hash hash = gv_hash_bytes(file->data + HASH_SIZE, file->size - HASH_SIZE);
    return memcmp(hash.bytes, file->data, HASH_SIZE) == 0;
}

void gv_vk_pipeline_cache_load(struct gv_vk_device *device, const char *folder)
{
    struct gv_file file = { 0 };
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
    };
    if (folder) {
        struct gv_bytes path = { 0 };
        cache_path(device, folder, &path);
        if (!path.failed &&
            gv_file_load_regular(&file, (const char *)path.data, MAX_CACHE, NULL) &&
            sound(&file)) {
            info.initialDataSize = file.size - HASH_SIZE;
            info.pInitialData = file.data + HASH_SIZE;
        }
        gv_bytes_finish(&path);
    }
    if (vkCreatePipelineCache(device->handle, &info, NULL, &device->pipeline_cache) !=
        VK_SUCCESS)
        device->pipeline_cache = VK_NULL_HANDLE;
    gv_file_close(&file);
}

static bool read_cache(const struct gv_vk_device *device, struct gv_bytes *out)
{
    VkPipelineCache cache = device->pipeline_cache;
    size_t size = 0;
    if (vkGetPipelineCacheData(device->handle, cache, &size, NULL) != VK_SUCCESS ||
        !size || size > MAX_CACHE)
        return false;
    gv_bytes_grow(out, HASH_SIZE);
    uint8_t *data = gv_bytes_grow(out, size);
    if (!data ||
        vkGetPipelineCacheData(device->handle, cache, &size, data) != VK_SUCCESS)
        return false;
    struct gv_hash hash = gv_hash_bytes(data, size);
    memcpy(out->data, hash.bytes, HASH_SIZE);
    out->size = HASH_SIZE + size;
    return true;
}

// Whether the file holds these bytes: most runs add nothing to the cache.
static bool is_kept(const char *path, const struct gv_bytes *bytes)
{
    struct gv_file file = { 0 };
    bool same = gv_file_load_regular(&file, path, bytes->size, NULL) &&
                file.size == bytes->size &&
                memcmp(file.data, bytes->data, bytes->size) == 0;
    gv_file_close(&file);
    return same;
}

void gv_vk_pipeline_cache_save(const struct gv_vk_device *device, const char *folder)
{
    struct gv_bytes path = { 0 }, bytes = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    if (folder && device->pipeline_cache && read_cache(device, &bytes)) {
        cache_path(device, folder, &path);
        if (!path.failed && !is_kept((const char *)path.data, &bytes) &&
            !(gv_make_folders(folder, &err) &&
              gv_file_keep((const char *)path.data, bytes.data, bytes.size, &err)))
            gv_log(device->log, GV_LOG_INFO, "pipeline cache not kept: %s",
                   err.message);
    }
    gv_bytes_finish(&path);
    gv_bytes_finish(&bytes);
}
