// Writing a payload: segments appended as the compile goes, to a file or a pipe alike.
#ifndef GV_PAYLOAD_WRITER_H
#define GV_PAYLOAD_WRITER_H

#include "resources/store.h"
#include "vm/payload/payload.h"

// Resources share a group, in order of adding, until it has GV_GROUP_BYTES: zstd's
// window at the default level, so that cutting costs next to nothing against one stream
// (GV_GROUP_BYTES_HIGH above level GV_LEVEL_HIGH, where the window is larger). One of
// that many bytes or more is a group of its own. The same sizes cut code and constants
// into blocks.
#define GV_GROUP_BYTES ((size_t)2 * 1024 * 1024)
#define GV_GROUP_BYTES_HIGH ((size_t)4 * 1024 * 1024)
#define GV_LEVEL_HIGH 9
// gv_writer_flush without `force` writes once this many raw bytes have gathered.
#define GV_FLUSH_BYTES ((size_t)16 * 1024 * 1024)
// gv_writer_relieve writes at this many: more only gathers between two ends of chunks.
#define GV_RELIEF_BYTES ((size_t)32 * 1024 * 1024)

struct gv_payload_writer;

// Where the bytes go, strictly forward. False: the write failed (GV_ERR_OUTPUT in
// `err`).
typedef bool (*gv_write_fn)(void *context, const void *data, size_t size,
                            struct gv_error *err);

struct gv_writer_params {
    gv_write_fn write;
    void *context;
    int level;  // zstd, 1..19
    int jobs;   // compression threads, >= 1; never changes the bytes
    bool strip; // leave out the debug map
    // The end of a frame ends a group that has so many bytes, and groups may have
    // others as their dictionary; 0: no frame does, and none has.
    size_t frame_group_bytes;
    // Thin: groups go here instead of into the payload; NULL = embedded.
    struct gv_store *store;
    bool
        thin; // thin without a store: groups are known by id alone (implied by `store`)
};

struct gv_payload_writer *
gv_payload_writer_create(const struct gv_writer_params *params, struct gv_error *err);
void gv_payload_writer_destroy(struct gv_payload_writer *writer);

// Table rows; numbers are positions in the order of adding. Strings are copied.
void gv_writer_provenance(struct gv_payload_writer *w, const char *json);
uint32_t gv_writer_require(struct gv_payload_writer *w, const struct gv_requirement *r);
uint32_t gv_writer_import(struct gv_payload_writer *w,
                          enum gv_call call); // same call, same number
uint32_t gv_writer_slot(struct gv_payload_writer *w, struct gv_slot_info slot);
void gv_writer_limits(struct gv_payload_writer *w, const struct gv_limits *limits);
uint32_t gv_writer_export(struct gv_payload_writer *w, const struct gv_export *e);
uint32_t gv_writer_constant(struct gv_payload_writer *w, const void *data, size_t size,
                            size_t alignment); // address; no dedup here
uint32_t gv_writer_resource(struct gv_payload_writer *w, const void *data,
                            size_t size); // size > 0; copied; no dedup
// The resources of one group as it stands in another payload.
struct gv_writer_group {
    const uint64_t *sizes; // [count], of its resources
    size_t count;
    struct gv_span raw;  // its bytes; of a thin payload without a store none, and
    struct gv_hash hash; // only then their content id
    // Whether it had a dictionary; which group, and the bytes of that (not if thin).
    bool has_dictionary;
    uint32_t dictionary;
    struct gv_span dictionary_raw;
};
// Adds such a group. Of a thin payload without a store nothing else adds resources.
void gv_writer_group(struct gv_payload_writer *w, const struct gv_writer_group *group);
void gv_writer_use(struct gv_payload_writer *w, uint32_t resource); // schedule
// One chunk of finished code (ends with END), compressed in blocks of about
// GV_GROUP_BYTES. `first_command` is the command at its start (which may have begun
// before), `first_resource` the RES_NEXT state there.
uint32_t gv_writer_chunk(struct gv_payload_writer *w, const void *code, size_t size,
                         uint64_t first_command, uint32_t first_resource);
// Ends the group of resources at hand, if it has gathered enough: what follows belongs
// apart. Frames do so by themselves.
void gv_writer_end_group(struct gv_payload_writer *w);
// Frames follow each other without gaps in chunks; commands and schedule never fall.
void gv_writer_frame(struct gv_payload_writer *w, const struct gv_frame *frame);
// The pace from its frame on; frames ascend. What says nothing new is left out.
void gv_writer_pace(struct gv_payload_writer *w, const struct gv_pace *pace);
// A row of the debug map: commands ascend, names stay.
void gv_writer_source(struct gv_payload_writer *w, const struct gv_source_row *row);
// Says that work of several commands may stand with the last of them.
void gv_writer_joined(struct gv_payload_writer *w);
// Says that source commands are numbered below `count`, where no row shows it.
void gv_writer_commands(struct gv_payload_writer *w, uint64_t count);
void gv_writer_diagnostic(struct gv_payload_writer *w, const struct gv_diagnostic *d);
// Keyframes ascend.
void gv_writer_keyframe(struct gv_payload_writer *w, const struct gv_keyframe *k);

// Everything since the last flush, written as segments in the order of need, once
// enough has gathered (or `force`). Errors of any earlier call surface here. With
// several jobs the writing itself may, without `force`, happen one flush later; the
// bytes are the same.
bool gv_writer_flush(struct gv_payload_writer *w, bool force, struct gv_error *err);

// The same in the middle of a chunk, whose resources may well come in an earlier batch:
// what is not written yet stays bounded, however few calls name however many bytes.
bool gv_writer_relieve(struct gv_payload_writer *w, struct gv_error *err);

// Last segments, directory, trailer.
bool gv_writer_close(struct gv_payload_writer *w, bool complete, struct gv_error *err);

#endif
