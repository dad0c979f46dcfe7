// libgpuvm: replays payloads of gpuvm inside a program of your own. C11 and C++17;
// needs no other header. docs/embedding.md tells the life of a replay; here are names
// and shapes.
//
// Objects are made and used by one thread at a time; several replays may run in several
// threads, each with a payload of its own. Only gpuvm_cancel_now may be called from any
// thread while another works. What a function hands out is freed by the function named
// with it; texts and bytes that are borrowed say for how long.
#ifndef GPUVM_H
#define GPUVM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUVM_API __attribute__((visibility("default")))

// "0.1.0"
GPUVM_API const char *gpuvm_version(void);

// ---- errors ----

// Numbers and words are those of the command line's exit codes (docs/cli.md).
enum gpuvm_status {
    GPUVM_OK = 0,
    GPUVM_USAGE = 2,    // a frame, name or file that does not exist
    GPUVM_REJECTED = 3, // the payload: damaged, fails verification, asks for too much
    GPUVM_FETCH = 4,    // a resource could not be had, or arrived damaged
    GPUVM_DEVICE = 5,   // no device, a requirement it misses, memory exhausted
    GPUVM_LOST = 6,     // the device was lost, hung or timed out
    GPUVM_CANCELLED = 8 // gpuvm_cancel_now
};

// "ok", "usage", "rejected", "fetch", "device", "lost", "cancelled"; lives for ever.
GPUVM_API const char *gpuvm_status_word(int status);

#define GPUVM_NONE UINT64_MAX

struct gpuvm_error {
    int32_t status; // enum gpuvm_status
    int32_t reserved;
    uint64_t offset;   // byte of the payload, or of its code; GPUVM_NONE
    uint64_t command;  // number of the source command; GPUVM_NONE
    char message[256]; // "frame N: what is wrong (byte N, command N)"; fit to be shown
};

// Functions that can fail return an enum gpuvm_status, or NULL, and fill `error`, which
// may be NULL. Other pointers may be so only where that is said; one without which an
// object cannot be made is GPUVM_USAGE.

// ---- cancelling ----

// A flag that any thread may raise. What was given it fails with GPUVM_CANCELLED before
// it begins the next call or chunk of code; a driver that compiles a shader is waited
// for.
typedef struct gpuvm_cancel gpuvm_cancel;

GPUVM_API gpuvm_cancel *gpuvm_cancel_create(void); // NULL: out of memory
GPUVM_API void gpuvm_cancel_now(gpuvm_cancel *cancel);
// Lowers it, while nothing that was given it works. Until then it stays raised.
GPUVM_API void gpuvm_cancel_reset(gpuvm_cancel *cancel);
GPUVM_API void gpuvm_cancel_destroy(gpuvm_cancel *cancel); // of nobody's use any more

// ---- payloads ----

// A payload, verified when it is opened.
typedef struct gpuvm_payload gpuvm_payload;

// `memory`: bytes that it may take and declare (0: 4 GiB). `cancel` may be NULL.
// A file is mapped: whoever cuts it short ends the process (SIGBUS). Of a descriptor
// the bytes are read, to the payload's end; it stays open. Memory must outlive the
// payload.
GPUVM_API gpuvm_payload *gpuvm_open_file(const char *path, uint64_t memory,
                                         gpuvm_cancel *cancel,
                                         struct gpuvm_error *error);
GPUVM_API gpuvm_payload *gpuvm_open_fd(int fd, uint64_t memory, gpuvm_cancel *cancel,
                                       struct gpuvm_error *error);
GPUVM_API gpuvm_payload *gpuvm_open_memory(const void *data, size_t size,
                                           uint64_t memory, gpuvm_cancel *cancel,
                                           struct gpuvm_error *error);
// From a web server, whole and into memory: http: or https:, with libcurl, which is
// loaded then. `token_file` (may be NULL): its first line goes along as a bearer token.
GPUVM_API gpuvm_payload *gpuvm_open_url(const char *url, const char *token_file,
                                        uint64_t memory, gpuvm_cancel *cancel,
                                        struct gpuvm_error *error);
GPUVM_API void gpuvm_payload_close(gpuvm_payload *payload); // NULL is fine

struct gpuvm_frame {
    uint64_t command_begin, command_end; // its source commands: [begin, end)
    uint32_t width, height;              // 0: it has no picture
};

GPUVM_API uint64_t gpuvm_frame_count(const gpuvm_payload *payload);
GPUVM_API uint64_t gpuvm_command_count(const gpuvm_payload *payload);
// Whether its resources are elsewhere (struct gpuvm_settings, sources).
GPUVM_API int gpuvm_is_thin(const gpuvm_payload *payload);
// GPUVM_USAGE: there is no such frame.
GPUVM_API int gpuvm_frame_info(const gpuvm_payload *payload, uint64_t frame,
                               struct gpuvm_frame *info);
GPUVM_API uint64_t gpuvm_export_count(const gpuvm_payload *payload);
// Lives as long as the payload; NULL: there is no such export.
GPUVM_API const char *gpuvm_export_name(const gpuvm_payload *payload, uint64_t number);

// ---- sources of thin payloads ----

typedef struct gpuvm_source gpuvm_source;

// Writes the object's `size` raw bytes into `data`: 1. It has none of that name: 0. It
// failed: -1. `name` is the XXH3-128 of the bytes, 32 digits in lower case; what
// arrives damaged is refused (GPUVM_FETCH). Called in the thread that runs.
typedef int (*gpuvm_fetch)(void *context, const char *name, void *data, uint64_t size);

GPUVM_API gpuvm_source *gpuvm_source_folder(const char *path,
                                            struct gpuvm_error *error);
// Whatever --store of the command line takes: a folder, a pack (pack:FILE), the same on
// a web server (its address; pack: before that of a pack), whose objects are asked for
// one after the other in the thread that runs. `token_file` and `cancel`, which is also
// looked at while the web is waited for, are of the web alone and may be NULL.
GPUVM_API gpuvm_source *gpuvm_source_store(const char *location, const char *token_file,
                                           gpuvm_cancel *cancel,
                                           struct gpuvm_error *error);
GPUVM_API gpuvm_source *gpuvm_source_callback(gpuvm_fetch fetch, void *context,
                                              struct gpuvm_error *error);
// After the replays that use it.
GPUVM_API void gpuvm_source_destroy(gpuvm_source *source);

// ---- a device of the host's ----

// Vulkan's handles, as void pointers (they are such on every platform), of an instance
// and a device of Vulkan 1.3. `queue` does graphics and compute and is used only while
// a function of a replay runs, in its thread. `device_info` is the VkDeviceCreateInfo
// the device was made with: what it enables is used, and nothing else.
struct gpuvm_vulkan {
    void *instance, *physical_device, *device, *queue;
    uint32_t queue_family, reserved;
    const void *device_info;
    // vkGetInstanceProcAddr, cast to this type, where it is not libvulkan's: NULL. All
    // replays of a process use the same one.
    void (*(*get_instance_proc_addr)(void *instance, const char *name))(void);
};

// What to enable when making that device.
typedef struct gpuvm_wishes gpuvm_wishes;

// Reads `instance`, `physical_device` and `get_instance_proc_addr`. GPUVM_DEVICE: that
// device cannot run the payload (NULL: any payload).
GPUVM_API gpuvm_wishes *gpuvm_wishes_create(const gpuvm_payload *payload,
                                            const struct gpuvm_vulkan *vulkan,
                                            struct gpuvm_error *error);
// For VkDeviceCreateInfo.pNext: a chain that begins with VkPhysicalDeviceFeatures2; and
// the extensions. Both live as long as the wishes.
GPUVM_API const void *gpuvm_wishes_features(const gpuvm_wishes *wishes);
GPUVM_API const char *const *gpuvm_wishes_extensions(const gpuvm_wishes *wishes,
                                                     uint32_t *count);
GPUVM_API void gpuvm_wishes_destroy(gpuvm_wishes *wishes); // NULL is fine

// ---- replays ----

typedef struct gpuvm_replay gpuvm_replay;

enum gpuvm_flags {
    GPUVM_VALIDATE = 1,   // with Khronos' validation layer (a device of our own)
    GPUVM_EXPORTS = 2,    // keep what is posted, for gpuvm_get_export
    GPUVM_IMAGES = 4,     // keep pictures as images, for gpuvm_get_image
    GPUVM_NO_PICTURES = 8 // keep none as bytes: gpuvm_get_picture has nothing
};

enum gpuvm_level { GPUVM_DEBUG, GPUVM_INFO, GPUVM_WARNING };

// Zero-initialise, then set `size` and what is wanted: GPUVM_USAGE where `size` is not
// set, and where what is set is of a newer version. Borrowed members outlive the
// replay, but for `device`, `cache_folder` and `vulkan`, which are copied.
struct gpuvm_settings {
    size_t size;         // sizeof (struct gpuvm_settings)
    uint32_t flags;      // enum gpuvm_flags
    uint32_t timeout_ms; // without a completed submission: GPUVM_LOST; 0 = for ever
    uint64_t memory;     // bytes, Vulkan's included; 0 = 4 GiB
    const char *device;  // index or part of a name; NULL = the best
    const char *cache_folder;          // for compiled pipelines; NULL = none
    const struct gpuvm_vulkan *vulkan; // NULL = a device of our own
    gpuvm_source *const *sources;      // tried in order, behind the payload itself
    size_t source_count;
    gpuvm_cancel *cancel; // may be NULL
    // After each frame that was run, of so many; a result other than 0 cancels, and
    // raises `cancel`. NULL.
    int (*progress)(void *context, uint64_t frame, uint64_t frame_count);
    // Warnings and notes, a line each; borrowed for the call. NULL.
    void (*log)(void *context, int level, const char *text);
    void *context; // of both
};

// The payload must outlive the replay and has one replay at a time.
GPUVM_API gpuvm_replay *gpuvm_replay_create(gpuvm_payload *payload,
                                            const struct gpuvm_settings *settings,
                                            struct gpuvm_error *error);
// Waits for the device (or its child), unless it was lost: then what the driver may
// still use is left to the end of the process. NULL is fine.
GPUVM_API void gpuvm_replay_close(gpuvm_replay *replay);

// Run on to the end of a frame, of a source command, or of everything (the tail after
// the last frame included). What lies behind is run again from the beginning. Unless
// exports are kept, a jump to a frame runs what its picture needs, from the payload's
// nearest keyframe on. After a failure other than GPUVM_LOST the next of them begins
// anew.
GPUVM_API int gpuvm_run_to_frame(gpuvm_replay *replay, uint64_t frame,
                                 struct gpuvm_error *error);
GPUVM_API int gpuvm_run_to_command(gpuvm_replay *replay, uint64_t command,
                                   struct gpuvm_error *error);
GPUVM_API int gpuvm_run_to_end(gpuvm_replay *replay, struct gpuvm_error *error);

struct gpuvm_picture {
    uint32_t width, height; // 0: there is none
    const uint8_t *rgba;    // rows top to bottom, 4 * width bytes each; of the replay,
                            // until its next function
};

// Of the frame that was run to; of what is drawn to, after a command.
GPUVM_API int gpuvm_get_picture(gpuvm_replay *replay, struct gpuvm_picture *picture,
                                struct gpuvm_error *error);

struct gpuvm_image {
    uint64_t image; // VkImage: 2D, one mip and layer, in SHADER_READ_ONLY_OPTIMAL, made
                    // for sampling and copies from it
    uint32_t format;        // VkFormat
    uint32_t width, height; // 0: there is none
    uint32_t flipped;       // 1: its rows are bottom to top
    uint32_t opaque;        // 1: take its alpha for 1
    uint32_t reserved;
    uint64_t
        semaphore;  // a timeline VkSemaphore: the image is complete at `value`; work
    uint64_t value; // on the same queue need not wait
};

// Of the frame that was run to (GPUVM_IMAGES). It stays until the replay runs on;
// reading on another queue must have ended by then.
GPUVM_API int gpuvm_get_image(gpuvm_replay *replay, struct gpuvm_image *image,
                              struct gpuvm_error *error);

struct gpuvm_export {
    const void *data; // as stored; of the replay, until its next function
    size_t size;
    uint32_t format;        // VkFormat, or 0
    uint32_t width, height; // 0: no picture
    uint32_t reserved;
};

// Its last posted bytes (GPUVM_EXPORTS). GPUVM_USAGE: the payload has no such name, or
// has posted none by now.
GPUVM_API int gpuvm_get_export(gpuvm_replay *replay, const char *name,
                               struct gpuvm_export *out, struct gpuvm_error *error);

// Counted since the replay was made; times in nanoseconds, memory in bytes.
struct gpuvm_stats {
    uint64_t frames, instructions, calls, commands;
    uint64_t fetched_items, fetched_bytes;
    uint64_t submissions, draws, dispatches, passes, barriers, uploads, upload_bytes,
        pipelines;
    uint64_t allocated_bytes, peak_allocated_bytes, record_ns, wait_ns;
    uint64_t validation_messages;
    uint64_t exact; // 1: the device has all that the payload prefers
};

// Fills the first `size` bytes: sizeof (struct gpuvm_stats) of the caller's header.
GPUVM_API void gpuvm_get_stats(const gpuvm_replay *replay, struct gpuvm_stats *stats,
                               size_t size);
// The device's name; lives as long as the replay.
GPUVM_API const char *gpuvm_device_name(const gpuvm_replay *replay);
// What it replays, which belongs to the replay where a child has it: then good for its
// frames, commands and exports only.
GPUVM_API const gpuvm_payload *gpuvm_replay_payload(const gpuvm_replay *replay);

// ---- replays in a child ----

// The program that replays, and where the payload is: the first of `path`, `url` (with
// `token_file`, as for gpuvm_open_url), `data` that is there, or else `fd`.
// Zero-initialise, then set `size` and what is wanted.
struct gpuvm_spawn_params {
    size_t size;        // sizeof (struct gpuvm_spawn_params)
    const char *player; // gpuvm-player of this version, by its path. NULL: what the
                        // variable GPUVM_PLAYER names, or else the one in PATH
    const char *path;
    const char *url, *token_file;
    const void *data; // copied
    size_t data_size;
    int fd; // its bytes are read, to the payload's end; it stays open. The child has a
            // regular file read-only, from the position on, which stays where it is;
            // of all else (and where /proc is missing) it has this very descriptor
    uint32_t reserved;
};

// A replay whose work a process of its own does, without the rights of this one: it
// opens the payload, verifies it and has the device; pictures and exports come over
// shared memory. All functions of replays but gpuvm_get_image take it, with the same
// errors; a child that dies, or is silent for `timeout_ms` and five seconds, is
// GPUVM_LOST, and takes nothing else along. With `timeout_ms` 0 only one that does not
// even say who it is counts as silent, for 30 seconds. `settings` are those of any
// replay, without `vulkan` and GPUVM_IMAGES; sources are asked in this process.
GPUVM_API gpuvm_replay *gpuvm_spawn(const struct gpuvm_spawn_params *params,
                                    const struct gpuvm_settings *settings,
                                    struct gpuvm_error *error);

#ifdef __cplusplus
}
#endif

#endif
