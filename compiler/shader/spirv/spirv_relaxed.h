// Which results of a SPIR-V module are of medium precision (RelaxedPrecision), and what
// they are made of.
#ifndef GV_SPIRV_RELAXED_H
#define GV_SPIRV_RELAXED_H

#include "resources/base/arena.h"
#include "resources/base/error.h"
#include "vm/spirv/spirv_words.h"

// What is known of an id.
struct gv_relaxed_id {
    uint32_t part, parts; // a type: what a vector or matrix is of; a 32-bit float: 0, 1
    bool real;            // a type: 32-bit float or a vector of such
    uint32_t type;        // of a result
    size_t at;            // word of the instruction that makes it
    bool relaxed;         // decorated so
    bool precise;         // decorated NoContraction
    bool constant;        // a result
    uint32_t uses;        // how often it is an operand, at most
    uint32_t kept_in;     // the variable that it was stored to; 0: none
    uint32_t source;      // what was read of a variable that has one value; 0: unknown
    // Products of matrices: nothing but vectors are multiplied with them, once.
    bool applied;
    // A result that a half float can hold: of variables that halves alone go to; of
    // others spirv_half.c knows.
    bool halved;
    bool local;    // a pointer: to what a function or its module keep
    uint32_t base; // a pointer into a variable: which; 0: it is one
    // A value from outside of medium precision, constants aside: read, or computed in
    // high precision.
    bool direct;
    bool alone; // computed in one step, of nothing but direct values
    // A value that was read of a variable that always has the same one: that; 0:
    // others.
    uint32_t stored, component; // component: from 1 on; 0: all of it
};

struct gv_relaxed {
    const uint32_t *words; // borrowed
    size_t count;
    struct gv_relaxed_id *ids; // [bound]
    uint32_t bound;
    uint32_t functions_of_glsl; // the set of GLSL.std.450; 0: not there
    size_t types, functions;    // words: where annotations end, where code begins
    bool whole;                 // a module as a front end makes it
    bool any;                   // something is relaxed
};

// Everything lives in `arena`. Takes what a front end has made; a module that is cut
// is not whole and has nothing relaxed. GV_ERR_SYSTEM without memory.
bool gv_spirv_relaxed(const uint32_t *words, size_t count, struct gv_arena *arena,
                      struct gv_relaxed *out, struct gv_error *err);

// Whether an id has 32-bit floats, one or several.
bool gv_relaxed_is_real(const struct gv_relaxed *r, uint32_t id);

// Whether a pointer is to a relaxed variable that not always has the same value: halves
// alone are to go there.
bool gv_relaxed_is_mixed(const struct gv_relaxed *r, uint32_t pointer);

// What a variable that was read has kept, or the id itself.
uint32_t gv_relaxed_source(const struct gv_relaxed *r, uint32_t id);

// Whether a value, and what it was read of, is used once and no more.
bool gv_relaxed_is_used_once(const struct gv_relaxed *r, uint32_t id);

// Where operands of arithmetic begin in an instruction, in words; 0: it is none.
uint32_t gv_relaxed_arithmetic(uint32_t op);

// Where operands begin, and end, whose values an instruction but moves; 0: it does not.
uint32_t gv_relaxed_moves(const uint32_t *instruction, uint32_t *end);

#endif
