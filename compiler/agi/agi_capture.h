// A capture as commands, one by one: groups of the pack with what they observed, in the
// order in which they end, and each decoded to a call of Vulkan.
#ifndef GV_AGI_CAPTURE_H
#define GV_AGI_CAPTURE_H

#include "compiler/agi/agi_decode.h"
#include "compiler/agi/agi_pack.h"
#include "compiler/compiler.h"

// Bytes of memory, as a command saw it.
struct gv_agi_observation {
    uint64_t address, size;
    const uint8_t *bytes; // borrowed from the capture
    uint64_t offset;      // of its chunk
    uint32_t pool;        // 0: memory of the program
    bool written;         // by the call, else before it
    struct gv_agi_observation *next;
};

// What else the recorder has to say of a command.
struct gv_agi_extra {
    struct gv_agi_message message;
    struct gv_agi_extra *next;
};

enum gv_agi_event_kind {
    GV_AGI_CALL,
    GV_AGI_STATE, // what was there when the capture began
};

struct gv_agi_event {
    enum gv_agi_event_kind kind;
    struct gv_vk_place place; // block: the chunk that ends it; offset: where it begins
    const struct gv_agi_observation *observations; // in their order
    const struct gv_agi_extra *extras;
    struct gv_arena *arena; // until the next event

    struct gv_agi_command command; // of a call
    struct gv_vk_call call;
    bool aborted; // it has no effect, and `call` no arguments

    struct gv_agi_message state; // vulkan.State
};

// What the head says.
struct gv_agi_header {
    bool known;
    uint64_t version;
    struct gv_agi_abi abi;
    char abi_name[32], device[256];
    uint32_t device_api;
};

struct gv_agi_counts {
    uint64_t observations, observed_bytes, resources, groups, objects;
};

struct gv_agi_capture;

// `bytes` are borrowed.
struct gv_agi_capture *gv_agi_open(struct gv_cursor bytes,
                                   const struct gv_compile_params *params,
                                   struct gv_error *err);
void gv_agi_close(struct gv_agi_capture *capture); // NULL is fine
// Errors name the byte and the chunk, or the parameter of a command.
bool gv_agi_next(struct gv_agi_capture *capture, struct gv_agi_event *out, bool *ended,
                 struct gv_error *err);

const struct gv_agi_header *gv_agi_header(const struct gv_agi_capture *capture);
const struct gv_agi_counts *gv_agi_counts(const struct gv_agi_capture *capture);
const struct gv_agi_pack *gv_agi_pack_of(const struct gv_agi_capture *capture);
struct gv_agi_world *gv_agi_world_of(struct gv_agi_capture *capture);
// Bytes that may be kept of it.
uint64_t gv_agi_limit(const struct gv_agi_capture *capture);
// The memory of a pool; NULL: it was not observed.
const struct gv_agi_memory *gv_agi_pool(const struct gv_agi_capture *capture,
                                        uint32_t pool);

#endif
