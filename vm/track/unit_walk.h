// Verified code cut into units: the shortest runs of instructions between two places
// where the stack is empty and no loop or skip is open. A unit is kept or left out
// whole.
#ifndef GV_UNIT_WALK_H
#define GV_UNIT_WALK_H

#include "vm/calls.h"
#include "vm/decode.h"
#include "vm/machine.h"
#include "vm/payload/payload.h"

// What is known of a cell.
enum gv_unit_cell_type {
    GV_UNIT_UNKNOWN, // a number out of memory
    GV_UNIT_KNOWN,   // `value`
    GV_UNIT_HANDLE,  // out of slot `index`; 0 of `value` none
    GV_UNIT_RESULT,  // of operation `index` of this unit
    GV_UNIT_CONST,   // addresses: `value` bytes into the space
    GV_UNIT_VOLATILE,
    GV_UNIT_MAPPED,   // of the map in slot `index`; at 0 also its handle
    GV_UNIT_RESOURCE, // of resource `index`
};

struct gv_unit_cell {
    uint64_t value;
    uint32_t index;
    uint8_t type; // enum gv_unit_cell_type
};

enum gv_unit_op_kind {
    GV_UNIT_CALL,
    GV_UNIT_STORE_SLOT, // the result args[0] into slot `number`
    GV_UNIT_FETCH,      // to args[0]; `size` bytes
    GV_UNIT_COPY,       // to args[0] from args[1]
    GV_UNIT_PRODUCT,    // to args[0] from args[1], times those at args[2]
    GV_UNIT_INVERSE,    // to args[0] from args[1]
    GV_UNIT_LOAD,       // from args[0]
    GV_UNIT_STORE,      // to args[0]
};

struct gv_unit_op {
    uint8_t kind;    // enum gv_unit_op_kind
    uint8_t call;    // enum gv_call
    uint32_t number; // slot
    uint64_t size;   // bytes, of what touches memory: gv_unit_touched
    struct gv_unit_cell args[GV_MAX_ARGS];
};

#define GV_UNIT_MAX_OPS 32

struct gv_unit {
    uint32_t begin, end;    // bytes of the chunk
    uint64_t command;       // at its start
    uint32_t next_resource; // at its start
    bool control;           // has a loop or a skip
    bool skips;             // has a skip
    bool overflow;          // has more operations than `ops` holds
    bool moved_constant;    // adds to the address of a constant
    size_t op_count;
    struct gv_unit_op ops[GV_UNIT_MAX_OPS];
};

struct gv_unit_walk {
    struct gv_payload *payload; // borrowed
    const uint8_t *code;        // of the chunk at hand; borrowed
    uint32_t size, pc;
    uint64_t command;
    uint32_t next_resource;
    size_t depth;
    struct gv_unit_cell stack[GV_MAX_STACK_CELLS];
};

// Goes to the start of a chunk, or to a unit in the middle of one.
bool gv_unit_walk_chunk(struct gv_unit_walk *walk, size_t chunk, struct gv_error *err);

// The unit at `walk->pc`, stepped over. False at the end of the chunk.
bool gv_unit_next(struct gv_unit_walk *walk, struct gv_unit *unit);

// What is neither a call nor STORE_SLOT: how many addresses it has, and how many bytes
// it touches at one. The first is written, unless it is a LOAD; all others are read.
size_t gv_unit_addresses(const struct gv_unit_op *op);
uint64_t gv_unit_touched(const struct gv_unit_op *op, size_t address);

// Where a slot's handle, a known number or an address stands for the argument.
bool gv_unit_is_address(const struct gv_unit_cell *cell);

#endif
