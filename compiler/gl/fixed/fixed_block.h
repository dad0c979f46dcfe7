// The uniform block of one generated stage: it holds what the text reads, in the order
// in which the text came to need it, and nothing else.
#ifndef GV_FIXED_BLOCK_H
#define GV_FIXED_BLOCK_H

#include "compiler/gl/base/gl_state.h"
#include "compiler/shader/arb/arb.h"
#include "resources/base/bytes.h"

enum gv_fixed_source {
#define GV_FIXED_UNIFORM(name, rows, declaration, meaning) GV_FIXED_##name,
#include "compiler/gl/fixed/fixed_uniforms.def"
#undef GV_FIXED_UNIFORM
    GV_FIXED_SOURCES,
};

struct gv_fixed_member {
    uint8_t source; // enum gv_fixed_source
    uint8_t index;  // of a light, unit, plane, side or slot
    uint16_t row;   // where it begins, in 16 bytes
};

#define GV_FIXED_MAX_MEMBERS 192u // over 8 lights with 11 each, 8 units with 4 each
struct gv_fixed_block {
    struct gv_fixed_member members[GV_FIXED_MAX_MEMBERS];
    uint32_t count, rows;
    bool fragment; // it is the fragment stage's
    // Whose rows stand first, as p[N]; NULL: no program of assembly has rows here.
    const struct gv_arb_program *assembly;
};

// "position", "normal", "color" ...: what generated text calls a slot.
const char *gv_fixed_slot_name(uint32_t slot);

uint32_t gv_fixed_rows(enum gv_fixed_source source);

// The text reads this: once or many times.
void gv_fixed_use(struct gv_fixed_block *b, enum gv_fixed_source source,
                  uint32_t index);

// The rows of a program of assembly: before all others.
void gv_fixed_use_assembly(struct gv_fixed_block *b, const struct gv_arb_program *p);

// Appends the block's declaration, if it has members.
void gv_fixed_block_declare(const struct gv_fixed_block *b, uint32_t set,
                            struct gv_bytes *out);

#endif
