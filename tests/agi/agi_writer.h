// Writes captures as AGI's recorder does: the pack with its types, calls as groups with
// the memory that their arguments point to, in any ABI. Handles are small numbers that
// are used again at once, those of two types among them; mappings begin in the middle
// of a page, and observations of what was written there overhang them.
#ifndef AGI_WRITER_H
#define AGI_WRITER_H

#include "compiler/agi/agi_layout.h"
#include "resources/base/bytes.h"

enum agi_writer_abi { AGI_LP64, AGI_ARM32, AGI_X86 };

struct agi_writer {
    struct gv_bytes out;
    struct gv_arena arena;
    const struct gv_agi_layout *layout;
    uint64_t chunks, resources, address, mapped;
    bool interleaved; // other threads' commands begin and end within each command
    // A name for each type that was defined.
    const char *types[2048];
    uint32_t type_count;
    // Handles: the ids that have each number now, by type.
    struct agi_handle {
        enum gv_vk_type type;
        uint64_t id; // 0: free
        uint64_t number;
    } handles[4096];
    uint32_t handle_count;
    struct agi_memory_of {
        uint64_t id, size, address, begin, length; // mapped there, from `begin` on
    } memories[512];
    uint32_t memory_count;
    // Observations that wait for the command that they are of.
    struct agi_piece {
        uint64_t address;
        struct gv_bytes bytes;
        bool written;
    } pieces[4096];
    uint32_t piece_count;
    bool failed; // a table was full, or a call is of a kind that it does not write
};

void agi_begin(struct agi_writer *w, enum agi_writer_abi abi, uint32_t version);
void agi_finish(struct agi_writer *w);

// One command; 0 is the first thread.
void agi_put_call(struct agi_writer *w, const struct gv_vk_call *call, uint64_t thread);
// The program wrote to mapped memory: observed by the next command.
void agi_put_fill(struct agi_writer *w, uint64_t memory, uint64_t offset,
                  const void *bytes, size_t size);
// A command without effect.
void agi_put_aborted(struct agi_writer *w);

// ---- parts, for what is out of order ----

struct agi_field {
    const char *name;
    uint32_t number, kind; // enum gv_agi_kind
    bool repeated;
    const char *message;
};
// Returns the number of the type.
uint32_t agi_define(struct agi_writer *w, const char *name,
                    const struct agi_field *fields, uint32_t count);
// An object of a group (the number of its chunk; 0: of none), or the beginning of one.
// Returns the number of its chunk.
uint64_t agi_put_object(struct agi_writer *w, uint64_t group, int64_t type,
                        const struct gv_bytes *message);
void agi_put_end(struct agi_writer *w, uint64_t group);
void agi_put_chunk(struct agi_writer *w, int64_t size, const struct gv_bytes *body);

void agi_varint(struct gv_bytes *out, uint64_t n);
void agi_zigzag(struct gv_bytes *out, int64_t n);
// A field of kind sint64, bytes.
void agi_field_number(struct gv_bytes *out, uint32_t field, uint64_t number);
void agi_field_bytes(struct gv_bytes *out, uint32_t field, const void *bytes,
                     size_t size);

#endif
