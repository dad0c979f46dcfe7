// What the files of the verifier share. Not for others.
#ifndef GV_VERIFY_INTERNAL_H
#define GV_VERIFY_INTERNAL_H

#include "vm/decode.h"
#include "vm/descs.h"
#include "vm/machine.h"
#include "vm/verify/verify.h"

enum gv_rule_id {
#define GV_RULE(id, name, what) GV_RULE_##id,
#include "vm/rules.def"
#undef GV_RULE
};

// What is known of a stack cell.
enum cell_type {
    CELL_UNKNOWN,  // an integer (or a float's bits) that depends on memory
    CELL_KNOWN,    // the integer `value`
    CELL_HANDLE,   // a live or dead object of `kind`, out of a slot
    CELL_RESULT,   // the same, fresh from its call; of a map, `value` is its size
    CELL_CONST,    // the address `value` of the constants
    CELL_VOLATILE, // of volatile memory
    CELL_MAPPED,   // of the map in slot `index`; at 0 also its handle
    CELL_RESOURCE, // of resource `index`
};

struct cell {
    uint64_t value;
    uint32_t
        index; // of a slot or resource; of a fresh shader as verify_pipelines.c counts
    uint8_t type; // enum cell_type
    uint8_t kind; // enum gv_kind
};

// An open loop or skip.
struct control {
    size_t target; // of a skip: where it lands; SIZE_MAX for a loop
    size_t depth, floor;
    uint64_t command;
    uint64_t next_resource;
    uint64_t multiplier; // of the code around it
    uint64_t serial;     // from 1, over the whole payload
};

// What an argument must be, made once per import.
enum check {
    CHECK_NUMBER, // a known one lies between 0 and `max`
    CHECK_SIGNED, // a known one fits 32 bits, signed
    CHECK_BITS,   // known, and no bit outside `max`
    CHECK_ENUM,   // known, and a bit of `max` or, from 64, a value of `of`
    CHECK_FORMAT, // known, and a format
    CHECK_FORMAT_OPT,
    CHECK_SIZE,   // known
    CHECK_EXPORT, // known, and an export of `object`
    CHECK_BYTES,  // an address with as many bytes as the next argument says
    CHECK_DESC,   // the same, of a description `of`
    CHECK_OBJECT, // a handle of `object`
    CHECK_OBJECT_OPT,
};

struct arg_row {
    uint64_t max;
    uint8_t check;  // enum check
    uint8_t object; // enum gv_kind
    uint8_t of;     // enum gv_enum_id
};

struct import_row {
    const struct gv_call_info *info; // borrowed
    const struct arg_row *args;
    uint32_t call;
    uint8_t arg_count, result;
    uint8_t size_arg; // of buffer_map: where its size stands
};

// Descriptions already found good: an open-addressed set of (offset, size, of).
struct desc_key {
    uint64_t offset, size; // size 0 = free place
    uint32_t of;
};

struct verifier {
    struct gv_payload *payload; // borrowed
    uint64_t memory_limit;
    const atomic_bool *cancel; // borrowed; may be NULL
    struct gv_error *err;
    struct import_row *imports; // owned
    struct arg_row *arg_rows;   // owned
    struct desc_key *descs;     // owned
    size_t desc_capacity, desc_count;
    uint64_t desc_work;
    struct gv_graphics_desc *graphics; // owned; scratch, too large for a stack
    struct gv_compute_desc *compute;   // owned; likewise

    struct gv_pipeline_list *pipelines; // borrowed; NULL: nobody asks
    struct held_shader *held;           // owned: [slot_count], if somebody does

    // Of a stream tables grow: what of them has been judged. A whole one has all.
    bool stream;
    size_t slots_seen, resources_seen, exports_seen, imports_seen;
    uint64_t code_seen;    // bytes
    uint64_t command_seen; // of the last chunk's start

    // The whole payload.
    uint64_t controls; // loops and skips so far
    uint64_t executed;
    uint64_t instructions; // in the code, loops not counted out
    size_t max_depth;
    size_t uses; // of the schedule
    uint32_t frame;

    // The chunk at hand.
    const uint8_t *code;
    size_t size, pc, at; // `at`: the instruction being judged
    uint64_t code_offset;
    uint32_t stack_cells; // declared
    bool keyframe;        // whose uses are in no schedule
    size_t depth, floor;
    size_t landing; // the target of the innermost skip, or SIZE_MAX
    uint64_t command;
    uint64_t first_command; // that the chunk's CMDs name, or GV_NO_COMMAND
    uint64_t next_resource;
    uint64_t multiplier;
    uint64_t pending; // instructions since `executed` was last brought up to date
    uint32_t frame_ends;
    size_t control_depth;
    struct control control[GV_MAX_NESTING];
    struct cell stack[GV_MAX_STACK_CELLS];
};

// Refuses: status, rule name, ": ", text. `refuse_at` with the code offset of the
// instruction at hand, `refuse_table` without.
bool gv_verify_refuse_at(struct verifier *v, enum gv_rule_id rule, const char *format,
                         ...) GV_PRINTF(3, 4);
bool gv_verify_refuse_table(struct verifier *v, enum gv_status status,
                            enum gv_rule_id rule, const char *format, ...)
    GV_PRINTF(4, 5);

// vm/verify/verify.c. NULL: GV_ERR_LIMIT.
struct verifier *gv_verifier_create(struct gv_payload *payload,
                                    const struct gv_verify_params *params,
                                    struct gv_error *err);
void gv_verifier_destroy(struct verifier *v); // NULL is fine
// The stack that is declared is the stack that was needed.
bool gv_verify_stack(struct verifier *v);

// vm/verify/verify_tables.c: those that have come since the last time.
bool gv_verify_tables(struct verifier *v);
bool gv_verify_imports(struct verifier *v); // fills `imports`

// vm/verify/verify_code.c: one chunk.
bool gv_verify_chunk(struct verifier *v, size_t chunk);
// The code of one keyframe, behind all chunks.
bool gv_verify_keyframe(struct verifier *v, const struct gv_keyframe *k);

// vm/verify/verify_call.c: the call of an import whose arguments are on the stack; pops
// them and pushes the result.
bool gv_verify_call(struct verifier *v, uint64_t import);

// vm/verify/verify_pipelines.c: what is told of shaders and pipelines, if somebody
// asks. A call whose arguments are good (`one_more`: for the cell of its result), and a
// store.
bool gv_verify_watch_pipelines(struct verifier *v);
bool gv_verify_note_call(struct verifier *v, uint32_t call, const struct cell *args,
                         uint32_t *one_more);
void gv_verify_note_store(struct verifier *v, uint64_t slot, const struct cell *c);

// Whether `size` bytes at an address cell lie inside its space.
bool gv_verify_access(const struct verifier *v, const struct cell *address,
                      uint64_t size);

#endif
