// Host memory the device reads once: bytes to upload, and uniform bytes. Taken from
// chunks that come back when the submission they were used in completes.
#ifndef GV_VK_STAGING_H
#define GV_VK_STAGING_H

#include "runtime/vk/memory/device_memory.h"

struct gv_runtime;
struct gv_vk_chunk;

#define GV_VK_UPLOAD_CHUNK (4u << 20)  // bytes; larger pieces get a chunk of their own
#define GV_VK_UNIFORM_CHUNK (1u << 20) // bytes

struct gv_vk_slice {
    VkBuffer buffer;
    uint64_t id; // of the buffer; never reused, as its handle may be
    VkDeviceSize offset;
    uint8_t *data; // write here before the submission
};

struct gv_vk_staging {
    struct gv_vk_heaps *heaps;            // borrowed
    struct gv_vk_chunk *upload, *uniform; // being filled; owned
    struct gv_vk_chunk *busy, *idle;      // owned
    uint64_t bytes;                       // taken for the submission being recorded
    // Of the payload so far, for statistics.
    uint64_t uploads, upload_bytes, uniform_bytes;
};

// Room for `size` bytes of the submission being recorded. Contents are undefined.
bool gv_vk_staging_upload(struct gv_runtime *rt, uint64_t size, uint64_t alignment,
                          struct gv_vk_slice *slice, struct gv_error *err);

// The same for uniform data: aligned to minUniformBufferOffsetAlignment, usage
// UNIFORM_BUFFER. Slices share few VkBuffers, so that descriptor sets written for one
// last long. `size` at most maxUniformBufferRange.
bool gv_vk_staging_uniform(struct gv_runtime *rt, uint64_t size,
                           struct gv_vk_slice *slice, struct gv_error *err);

// Called by commands.c: flushes and retires the chunks in use; recycles completed ones.
bool gv_vk_staging_submitted(struct gv_vk_staging *staging, uint64_t serial,
                             struct gv_error *err);
void gv_vk_staging_completed(struct gv_vk_staging *s, uint64_t serial);
void gv_vk_staging_finish(struct gv_vk_staging *s);

// Counts an upload of the payload's.
static inline void gv_vk_staging_uploaded(struct gv_vk_staging *staging, uint64_t bytes)
{
    staging->uploads++;
    staging->upload_bytes += bytes;
}

#endif
