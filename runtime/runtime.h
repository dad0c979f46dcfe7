// The Vulkan back-end: a device, the host it offers to the VM, and pictures out of it.
#ifndef GV_RUNTIME_H
#define GV_RUNTIME_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/base/log.h"
#include "runtime/vk/host_vulkan.h"
#include "vm/machine/vm.h"
#include "vm/payload/payload.h"

#include <stdatomic.h>

struct gv_runtime;

struct gv_runtime_params {
    const char
        *device; // index or part of a name; NULL = the best (discrete first, CPU last)
    bool validate;      // Khronos validation layer with synchronisation checks
    bool check_effects; // run dispatches on noise too, against what they declare
    // Bytes of Vulkan allocations, and of what is kept for objects; 0 = no limit.
    uint64_t memory_limit;
    uint64_t timeout_ns;      // per submission, then GV_ERR_LOST; 0 = for ever
    const char *cache_folder; // persisted pipeline cache; NULL = none
    const struct gv_log *log;
    struct gv_progress *progress; // completed positions; may be NULL
    const struct gv_payload
        *payload; // requirements to check and features to enable; NULL = none
    const struct gv_runtime_vulkan *vulkan; // a host's; NULL = a device of our own
    const atomic_bool *cancel; // set by any thread: calls fail soon; may be NULL
    // What a host around this one makes for itself, beside what the payload declares.
    struct gv_runtime_budget {
        uint32_t objects; // live at once
        uint64_t bytes;   // of buffers and images
    } beside;
};

// Has the loader leave out drivers of hardware where there is none, unless the user
// chose drivers: changes the environment, so a program calls it before it has threads.
void gv_runtime_skip_drivers(const struct gv_log *log);

// Loads Vulkan, picks a device, checks the payload's requirements (all misses in one
// message). NULL: GV_ERR_DEVICE; where there is no driver, with a sentence that names
// the environment variable that chose none, or the Debian package that has one.
struct gv_runtime *gv_runtime_create(const struct gv_runtime_params *params,
                                     struct gv_error *err);
// Waits for the device. NULL is fine.
void gv_runtime_destroy(struct gv_runtime *runtime);

// The payload, which is streamed, has more requirements (all misses in one message:
// GV_ERR_DEVICE) and higher limits.
bool gv_runtime_go_on(struct gv_runtime *runtime, const struct gv_payload *payload,
                      struct gv_error *err);

// Counts memory that the caller holds for the run towards the limit. GV_ERR_LIMIT.
bool gv_runtime_charge(struct gv_runtime *runtime, uint64_t bytes,
                       struct gv_error *err);

// The calls, for gv_vm_params.host. Valid until destroy.
const struct gv_host *gv_runtime_host(struct gv_runtime *runtime);

// A picture: 8-bit RGBA, rows top to bottom, tight.
struct gv_picture {
    uint32_t width, height;
    uint8_t *rgba; // owned; width * height * 4 bytes
};
void gv_picture_finish(struct gv_picture *picture);

// Whether later frames' pictures are wanted; without, present() costs nothing. Default
// on.
void gv_runtime_want_pictures(struct gv_runtime *runtime, bool wanted);

// After GV_STOP_FRAME: the frame's picture, if present() was called in it. Waits for
// the device. `picture->width == 0` after success: the frame has none.
bool gv_runtime_frame_picture(struct gv_runtime *runtime, struct gv_picture *picture,
                              struct gv_error *err);

// After any stop: what show() has named, else what is now in colour attachment 0 of the
// current or last pass.
bool gv_runtime_target_picture(struct gv_runtime *runtime, struct gv_picture *picture,
                               struct gv_error *err);

// Which exports to keep, by index (a NULL set keeps none), and their last posted bytes.
void gv_runtime_want_exports(struct gv_runtime *runtime, const bool *wanted,
                             size_t count);
bool gv_runtime_export(struct gv_runtime *runtime, uint32_t export,
                       struct gv_bytes *out, uint32_t *format, uint32_t *width,
                       uint32_t *height, struct gv_error *err);

// Appends what a live buffer or image holds: bytes, or texels as exports have them,
// plane by plane (stencil last), mip by mip, slice by slice. Of a multisampled image
// the samples of each layer, one after the other: of colour, or of depth unless that is
// of 24 bits; nothing else.
bool gv_runtime_contents(struct gv_runtime *runtime, enum gv_kind kind, uint64_t handle,
                         struct gv_bytes *out, struct gv_error *err);

// Appends what one sample of a layer of a multisampled image holds, colour or depth,
// tight rows. Outside of passes. GV_ERR_UNSUPPORTED: stencil.
struct gv_runtime_sample {
    uint32_t aspect, layer, number;
};
bool gv_runtime_sample(struct gv_runtime *runtime, uint64_t image,
                       const struct gv_runtime_sample *sample, struct gv_bytes *out,
                       struct gv_error *err);

// Appends bytes of a live buffer, as they stand between the calls done so far. May be
// called within a pass, which goes on. GV_ERR_FORMAT: outside of it.
bool gv_runtime_read_bytes(struct gv_runtime *runtime, uint64_t buffer, uint64_t offset,
                           uint64_t size, struct gv_bytes *out, struct gv_error *err);

// The same of texels of a live image: tight rows of one aspect, mip and layer (or, of
// 3D images, z from `z` on) as exports have them; of a multisampled image of one
// sample. GV_ERR_UNSUPPORTED: as gv_runtime_sample.
struct gv_runtime_box {
    uint32_t aspect, mip, layer, sample;
    uint32_t x, y, z, width, height, depth; // texels; of blocks whole ones
};
bool gv_runtime_read_box(struct gv_runtime *runtime, uint64_t image,
                         const struct gv_runtime_box *box, struct gv_bytes *out,
                         struct gv_error *err);

// Submits what is recorded and waits for everything.
bool gv_runtime_finish(struct gv_runtime *runtime, struct gv_error *err);

// Destroys every object of the payload, for a new pass over it (--loop).
bool gv_runtime_reset(struct gv_runtime *runtime, struct gv_error *err);

// Whether every preferred requirement of the payload is met; if not, its fallbacks make
// the pictures differ a little.
bool gv_runtime_exact(const struct gv_runtime *runtime);

// Dispatches so far that touched what they do not declare, by the buffer (0 without
// `check_effects`).
uint64_t gv_runtime_effect_violations(const struct gv_runtime *runtime);

// Validation messages seen so far (0 without `validate`).
uint64_t gv_runtime_validation_messages(const struct gv_runtime *runtime);

// What a host that makes its own device may enable for a payload. Valid until destroy.
struct gv_runtime_wishes {
    const void *features; // a chain that begins with VkPhysicalDeviceFeatures2
    const char *const *extensions;
    uint32_t extension_count;
};
// Of `vulkan`, `instance`, `physical` and `entry` are read. NULL: GV_ERR_DEVICE, where
// the device cannot run the payload (NULL: any).
struct gv_runtime_wishes *
gv_runtime_wishes_create(const struct gv_runtime_vulkan *vulkan,
                         const struct gv_payload *payload, struct gv_error *err);
void gv_runtime_wishes_destroy(struct gv_runtime_wishes *wishes); // NULL is fine

// Whether later frames' pictures are kept as images too. Default off.
void gv_runtime_want_images(struct gv_runtime *runtime, bool wanted);
// After GV_STOP_FRAME. The image lives and stays as it is until the runtime runs on;
// who reads it on another queue has done so by then.
bool gv_runtime_frame_image(struct gv_runtime *runtime, struct gv_runtime_image *image,
                            struct gv_error *err);

struct gv_runtime_stats {
    uint64_t submissions, draws, dispatches, passes, barriers, uploads, upload_bytes,
        uniform_bytes, pipelines, descriptor_sets, allocated_bytes,
        peak_allocated_bytes;
    uint64_t record_ns, wait_ns, submit_ns, pipeline_ns;
};
void gv_runtime_get_stats(const struct gv_runtime *runtime,
                          struct gv_runtime_stats *stats);

// For `gpuvm devices`: one row per device, and what a payload would miss on it.
struct gv_device_info {
    char name[256];
    const char *type; // "discrete-gpu", "integrated-gpu", "virtual-gpu", "cpu", "other"
    uint32_t api_version, driver_version, vendor_id, device_id;
    uint8_t uuid[16]; // of the device: the same in every program, as Vulkan promises
    char driver[256];
    uint64_t memory_bytes;
    float timestamp_ns; // nanoseconds of a tick of its timestamps
    char *missing;      // owned; newline-separated requirements missed, "" = none
    // Requirements that are missed and have a fallback, in the payload's order.
    struct gv_device_fallback {
        char *missed;   // owned: "limit maxTexelBufferElements 540672"
        char *fallback; // owned: what happens instead
        const char
            *strength; // "preferred": pictures differ; "alternative": they do not
    } * fallbacks;     // owned
    size_t fallback_count;
};
// The device of a runtime: what it is, not what it misses.
void gv_runtime_device(const struct gv_runtime *runtime, struct gv_device_info *info);

bool gv_runtime_devices(const struct gv_payload *payload,
                        struct gv_device_info **devices, size_t *count,
                        struct gv_error *err);
void gv_device_infos_free(struct gv_device_info *devices, size_t count);

#endif
