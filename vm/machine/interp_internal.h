// What the files of the interpreter share. Not for others.
#ifndef GV_INTERP_INTERNAL_H
#define GV_INTERP_INTERNAL_H

#include "resources/cache.h"
#include "vm/machine.h"
#include "vm/machine/vm.h"

enum micro {
#define GV_MICRO(name, words, ...) MICRO_##name,
#include "vm/machine/micro_ops.def"
#undef GV_MICRO
};

// A word of translated code.
union word {
    uint64_t u;
    union gv_arg arg;
};

// First words: instruction, `a`, code offset in the chunk.
static inline union word gv_head(enum micro op, uint32_t a, uint32_t offset)
{
    return (union word){ .u =
                             (uint64_t)offset << 32 | (uint64_t)a << 8 | (uint64_t)op };
}
#define HEAD_OP(w) ((w).u & 0xff)
#define HEAD_A(w) ((uint32_t)((w).u >> 8) & 0xffffff)
#define HEAD_OFFSET(w) ((uint32_t)((w).u >> 32))

// The second word of CALL_READY.
static inline union word gv_counts(uint32_t args, uint32_t fixups,
                                   uint32_t instructions)
{
    return (union word){ .u = (uint64_t)instructions << 32 | fixups << 16 | args };
}
#define COUNTS_ARGS(w) ((uint32_t)(w).u & 0xffff)
#define COUNTS_FIXUPS(w) ((uint32_t)((w).u >> 16) & 0xffff)
#define COUNTS_INSTRUCTIONS(w) ((uint32_t)((w).u >> 32))

// A fixup: one word, which argument and how, then the slot or the address cell.
enum fixup { FIXUP_SLOT, FIXUP_ADDRESS };

// Cells that are addresses: space, index (of slot or resource), offset. Programs cannot
// see the bits: the verifier lets addresses into nothing but accesses and BYTES.
enum space { SPACE_CONST = 1, SPACE_VOLATILE, SPACE_MAPPED, SPACE_RESOURCE };
#define CELL_OFFSET_BITS 37 // an offset may be 2^36, the end of the largest space
#define CELL_INDEX_BITS 24
static inline uint64_t gv_address(enum space space, uint32_t index, uint64_t offset)
{
    return ((uint64_t)space << (CELL_OFFSET_BITS + CELL_INDEX_BITS)) +
           ((uint64_t)index << CELL_OFFSET_BITS) + offset;
}
#define CELL_SPACE(c) ((enum space)((c) >> (CELL_OFFSET_BITS + CELL_INDEX_BITS)))
#define CELL_INDEX(c) \
    ((uint32_t)((c) >> CELL_OFFSET_BITS) & ((1u << CELL_INDEX_BITS) - 1))
#define CELL_OFFSET(c) ((c) & ((UINT64_C(1) << CELL_OFFSET_BITS) - 1))

// How an argument gets from its cell to the host.
enum pass { PASS_PLAIN, PASS_U32, PASS_I32, PASS_BOOL, PASS_BYTES, PASS_MAP };

struct callee {
    gv_host_call_fn call;
    const struct gv_call_info *info;
    uint8_t arg_count, result;
    bool frame_end;
    bool checked;              // some argument is not PASS_PLAIN
    uint8_t pass[GV_MAX_ARGS]; // enum pass
};

struct loop {
    union word *body;
    uint64_t left;
};

struct gv_vm {
    struct gv_vm_params params;
    struct gv_payload *payload;   // borrowed
    const struct gv_host *host;   // borrowed
    struct callee *callees;       // owned [import_count]
    uint64_t *slots;              // owned
    uint64_t *stack;              // owned
    uint8_t *memory;              // owned; volatile, NULL until the first run
    struct gv_source **sources;   // owned array; [0] is owned: the payload's own
    uint32_t *uses;               // owned: group per use
    uint64_t *frame_cursor;       // owned: uses before each frame; NULL: the payload's
    size_t chunk_end;             // of what runs
    struct gv_cache_item *items;  // owned: per group
    struct gv_cache *cache;       // owned
    uint64_t cache_budget, claim; // bytes: of the cache, of all
    // How many there is room for: of a streamed payload more come.
    size_t import_count, slot_count, stack_cells, item_count, item_capacity;
    uint64_t memory_bytes;

    // Translated code of the chunk at hand.
    union word *words; // owned
    size_t word_count, word_capacity;
    union word *code; // what runs of it: `words`, or what was kept
    // Translated code that is kept from the second pass on: by chunk, NULL where none
    // is.
    union word **kept; // owned, and they are; [kept_count]
    size_t kept_count;
    uint64_t kept_bytes, kept_most;
    bool again;     // a pass has gone before
    size_t chunk;   // the next to translate; the one at hand is the one before
    union word *ip; // NULL: translate the next chunk
    uint64_t *sp;
    struct loop loops[GV_MAX_NESTING];
    size_t loop_depth;

    uint64_t command;
    uint32_t frame;
    size_t next_stop;      // of stop_commands
    uint64_t stop_command; // the only one, of gv_vm_stop_at
    bool announced;        // `command` has been told
    bool ended_frame;      // the last stop was GV_STOP_FRAME
    bool failed;
    struct gv_vm_stats stats;
};

// vm/machine/interp_decode.c: translates the next chunk into `words`.
bool gv_vm_translate(struct gv_vm *vm, struct gv_error *err);
// What the words of so many bytes of code take.
uint64_t gv_vm_translated_bytes(uint64_t code_bytes);
// What is kept of a payload's code for later passes takes no more than this.
uint64_t gv_vm_kept_most(const struct gv_payload *payload);
void gv_vm_drop_kept(struct gv_vm *vm);

// vm/machine/interp_memory.c
// What the cache may have beside `used` bytes.
uint64_t gv_vm_cache_budget(const struct gv_vm *vm, uint64_t used);
bool gv_vm_open_cache(struct gv_vm *vm, struct gv_error *err);
// Of a streamed payload that has more groups, and other uses.
bool gv_vm_extend_cache(struct gv_vm *vm, struct gv_error *err);
// Of a payload that has other uses of the same groups.
bool gv_vm_renew_cache(struct gv_vm *vm, struct gv_error *err);
const uint8_t *gv_vm_resource(struct gv_vm *vm, uint32_t resource,
                              struct gv_error *err);
// The bytes an address cell stands for, valid until the next gv_cache_release.
const uint8_t *gv_vm_read(struct gv_vm *vm, uint64_t cell, struct gv_error *err);
// The same of a cell in volatile or mapped memory.
uint8_t *gv_vm_write(struct gv_vm *vm, uint64_t cell, struct gv_error *err);

// vm/machine/interp_run.c: runs the translated chunk to a stop or to its end (`*stop`
// false).
bool gv_vm_dispatch(struct gv_vm *vm, bool *stopped, enum gv_stop *stop,
                    struct gv_error *err);

#endif
