// Single SPIR-V instructions: what can be told from their first word.
#ifndef GV_SPIRV_WORDS_H
#define GV_SPIRV_WORDS_H

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gv_bytes;
struct gv_error;

uint32_t gv_spirv_op(const uint32_t *instruction);
uint32_t gv_spirv_length(const uint32_t *instruction); // words

bool gv_spirv_is_type(uint32_t op); // defines a type, its id in the second word

bool gv_spirv_is_atomic(uint32_t op);

// Whether the second word is the result's type, the third the result's id.
bool gv_spirv_has_type(uint32_t op);

// Appends words, or an instruction with these operands.
void gv_spirv_put(struct gv_bytes *to, const uint32_t *words, size_t count);
void gv_spirv_put_op(struct gv_bytes *to, uint32_t op, const uint32_t *operands,
                     size_t count);
#define GV_SPIRV_PUT(to, op, ...)                        \
    gv_spirv_put_op(to, op, (uint32_t[]){ __VA_ARGS__ }, \
                    sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

// Changes a word that was appended, counted from the end: 1 is the last one.
void gv_spirv_put_over(struct gv_bytes *in, size_t from_end, uint32_t word);

// Words of a module before its first instruction; the one that bounds ids; the version
// from which on interfaces list every global variable.
#define GV_SPIRV_HEADER_WORDS 5
#define GV_SPIRV_BOUND_WORD 3
#define GV_SPIRV_1_4 0x00010400u

// A module that was written, as words of its own with its ids' bound. The caller frees
// them. False if memory ran out.
bool gv_spirv_take(const struct gv_bytes *module, uint32_t bound, uint32_t **out,
                   size_t *out_count, struct gv_error *err);

// The word behind the name in an OpEntryPoint: where its interface begins.
uint32_t gv_spirv_interface_at(const uint32_t *entry_point);

#endif
