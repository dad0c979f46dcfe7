// Public face of the compiler: a capture goes in, a payload comes out.
#ifndef GV_COMPILER_H
#define GV_COMPILER_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/base/log.h"
#include "resources/inflow.h"
#include "resources/keeper.h"
#include "vm/payload/payload_writer.h"

#define GV_COMPILE_MEMORY ((uint64_t)4 << 30) // bytes, where no limit is named

#define GV_COMPILE_GROUP_KB 16 // what group_kb is for who has no reason for another

// Which calls of a capture are wanted.
struct gv_call_filter {
    // Whether one is that has such a number and is of such kinds (GV_COMMAND_*).
    bool (*wants)(void *context, uint64_t number, uint8_t kinds);
    void *context;
    uint64_t last; // no call above this one is
};

struct gv_compile_params {
    const char *target;   // "desktop" (default when NULL), "baseline", or a file's path
    int level;            // zstd 1..19; 0 = 3
    int jobs;             // 0 = one per core
    bool strict;          // unsupported or unknown commands are errors
    bool allow_truncated; // compile a cut-off capture up to its last whole record; cut
                          // in itself or in its outer layer
    bool strip;           // no debug map
    // KiB of a group of resources that the end of a frame ends, so that who wants some
    // frames needs no more than theirs; 0: groups are as large as they can be.
    uint32_t group_kb;
    // Every command's work stands at its own place, for who looks at single ones: draws
    // that could be one are not joined.
    bool apart;
    // A batch of the payload ends with every frame, so that who reads it from a pipe
    // has what a frame needs, and no more, before the next.
    bool live;
    const struct gv_keeper *shaders; // what was made of their texts before; may be NULL
    struct gv_store *store; // thin payload: resource groups go here; NULL = embedded
    uint64_t memory_limit;  // private bytes; 0 = GV_COMPILE_MEMORY
    const char *const
        *options; // front-end options "key=value", NULL-terminated; may be NULL
    const struct gv_log *log;
    // The frames wanted, ascending, or NULL = all. Frames after the last are not
    // compiled.
    const uint32_t *frames;
    size_t frame_count;
    // Told once, at the end, what there is to say that is no error, also when the
    // compile fails. `list` is borrowed for the call. May be NULL.
    void (*diagnosed)(void *context, const struct gv_diagnostic *list, size_t count);
    void *diagnosed_context;
    // The capture is a mapped file: what was read forward need not stay in memory.
    bool mapped;
    // The capture comes through a pipe; NULL: it is all there. Front-ends that can read
    // it as it comes, for others it is waited for.
    struct gv_inflow *inflow;
    struct gv_input_read *read;         // set by the compiler itself, for front-ends
    const struct gv_call_filter *calls; // of a dump: only these calls; NULL = all
    bool verbose;                       // of a dump: calls too that only ask
    // Called now and then with bytes done and total; may be NULL.
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

struct gv_compile_stats {
    uint64_t input_bytes, output_bytes, commands, frames, instructions, resources,
        resource_bytes;
    uint64_t unsupported; // calls skipped (only where the front-end may skip)
    bool complete;
};

// Refuses options that no front-end knows (GV_ERR_USAGE). Those of others than the
// capture's are allowed, so that one command line serves captures of all kinds; they
// have no effect. gv_compile asks this too.
bool gv_compile_options_check(const struct gv_compile_params *params,
                              struct gv_error *err);

// Recognises, decompresses one outer layer if there is one (gzip, zstd, xz; front-ends
// that read forward unpack by themselves), and compiles. With params->inflow that is
// the capture, and `capture` and `size` are nothing. `write` receives the payload bytes
// strictly forward. Errors: GV_ERR_FORMAT with the byte offset in the (decompressed)
// capture, GV_ERR_UNSUPPORTED by name, GV_ERR_LIMIT, GV_ERR_OUTPUT.
bool gv_compile(const void *capture, size_t size,
                const struct gv_compile_params *params, gv_write_fn write,
                void *context, struct gv_compile_stats *stats, struct gv_error *err);

// Whether some front-end knows these bytes; `name` and `what` (may be NULL) tell which.
bool gv_capture_probe(const void *capture, size_t size, const char **name,
                      const char **what, struct gv_error *err);

// Whether what payloads of this front-end (its name, as provenance has it) make on one
// device is the same in every bit on each: false where nobody knows the name.
bool gv_contents_are_exact(const char *front_end);

// Of what still comes: false if no front-end knows what begins so, however it goes on.
// From GV_CAPTURE_HEAD bytes on some beginnings tell, all do from GV_CAPTURE_HEAD_MOST
// on.
#define GV_CAPTURE_HEAD ((size_t)64 << 10)
#define GV_CAPTURE_HEAD_MOST ((size_t)4 << 20)
bool gv_capture_may_be(const void *head, size_t size, struct gv_error *err);

// Facts for `gpuvm info`: ordered keys with a number, a text, or yes or no.
enum gv_fact_kind { GV_FACT_NUMBER, GV_FACT_TEXT, GV_FACT_BOOL };
struct gv_fact {
    const char *key;
    enum gv_fact_kind kind;
    char *text;      // owned; of a text
    uint64_t number; // of a number; 0 or 1
};
struct gv_describe {
    struct gv_fact *facts; // owned
    size_t count, capacity;
};
void gv_describe_number(struct gv_describe *d, const char *key, uint64_t number);
void gv_describe_bool(struct gv_describe *d, const char *key, bool value);
void gv_describe_text(struct gv_describe *d, const char *key, const char *text);
void gv_describe_finish(struct gv_describe *d);

bool gv_capture_info(const void *capture, size_t size,
                     const struct gv_compile_params *params, struct gv_describe *out,
                     struct gv_error *err);
// Text, in pieces that end with a line; what was made of a capture that is broken
// further on may have come before the error.
bool gv_capture_dump(const void *capture, size_t size,
                     const struct gv_compile_params *params, gv_write_fn write,
                     void *context, struct gv_error *err);

// Whether the capture is read forward, no further than it is wanted: then nobody should
// ask how many frames it has in all.
bool gv_capture_reads_forward(const void *capture, size_t size);

// GLSL of one stage (a GV_STAGE_* bit), `#version 460` first, as SPIR-V, for who puts a
// shader of his own into a payload. GV_ERR_FORMAT with the first line of the log.
bool gv_compile_shader(uint32_t stage, const char *text, struct gv_bytes *spirv,
                       struct gv_error *err);

#endif
