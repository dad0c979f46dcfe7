// The container of AGI's and GAPID's captures, a "proto pack": chunks that define types
// of messages, hold objects, and open and end groups. Knows no API.
#ifndef GV_AGI_PACK_H
#define GV_AGI_PACK_H

#include "compiler/agi/agi_proto.h"
#include "resources/base/cursor.h"

#define GV_AGI_MAGIC "ProtoPack\r\n"

struct gv_agi_pack {
    struct gv_cursor bytes; // of the whole file
    struct gv_agi_types types;
    uint64_t chunks; // read so far
    bool allow_truncated, was_cut;
    unsigned major, minor;
};

enum gv_agi_chunk_kind {
    GV_AGI_DEFINITION,
    GV_AGI_OBJECT,
    GV_AGI_GROUP_BEGIN,
    GV_AGI_GROUP_END,
};

struct gv_agi_chunk {
    enum gv_agi_chunk_kind kind;
    uint64_t number; // from 1 on
    uint64_t offset; // bytes of the file
    uint64_t parent; // number of the chunk that it is part of or ends; 0: none
    // Of objects and groups: checked, with its type. Of a definition: its type alone.
    struct gv_agi_message message;
};

// Reads the head. Versions other than 2 are GV_ERR_UNSUPPORTED by name. `bytes` are
// borrowed; what is allocated is of the arena, but for what gv_agi_pack_finish frees.
bool gv_agi_pack_open(struct gv_agi_pack *pack, struct gv_cursor bytes,
                      struct gv_arena *arena, struct gv_error *err);
void gv_agi_pack_finish(struct gv_agi_pack *pack);
// The next chunk, or `*ended`. Errors: GV_ERR_FORMAT with the byte and the chunk.
bool gv_agi_pack_next(struct gv_agi_pack *pack, struct gv_agi_chunk *out, bool *ended,
                      struct gv_error *err);

#endif
