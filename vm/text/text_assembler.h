// The assembler's state, shared by its parts (vm/text/text_*.c); nobody else includes
// this.
#ifndef GV_TEXT_ASSEMBLER_H
#define GV_TEXT_ASSEMBLER_H

#include "resources/codec.h"
#include "vm/payload/payload_writer.h"
#include "vm/text/text.h"
#include "vm/text/text_lexer.h"

enum gv_symbol_kind {
    GV_SYMBOL_SLOT,     // value = slot number
    GV_SYMBOL_CONSTANT, // value = address
    GV_SYMBOL_RESOURCE, // value = index
    GV_SYMBOL_VOLATILE, // value = address
    GV_SYMBOL_VALUE,    // value
    GV_SYMBOL_EXPORT,   // value = number
};

struct gv_symbol {
    const char *name; // the arena's
    enum gv_symbol_kind kind;
    uint64_t value;
    uint64_t size; // bytes, of what has bytes
};

struct gv_label {
    const char *name; // the arena's
    size_t at;        // where it stands in the code, or SIZE_MAX
};

// A skip whose target is not known yet.
struct gv_skip {
    size_t at; // of its instruction in the code
    struct gv_token target;
};

#define GV_TEXT_MAX_LABELS 256 // of one chunk
#define GV_TEXT_MAX_NESTING 64

// A group of exact text, as another one may name it as its dictionary.
struct gv_text_group {
    struct gv_hash hash;
    uint64_t size;
};

struct gv_assembler {
    struct gv_lexer lex;
    struct gv_arena arena;
    const struct gv_assemble_params *params;
    struct gv_error *err;
    struct gv_bytes *out;
    struct gv_payload_writer *writer;
    struct gv_source *source; // of params->resources, once asked for
    bool exact, thin, incomplete, joined;
    int level;
    uint64_t stated_commands; // of exact text
    struct gv_symbol **table; // by name, open addressing; owned
    size_t table_size, symbol_count;
    // What has been declared.
    struct gv_bytes slots;   // struct gv_slot_info each
    uint64_t numbered_slots; // up to the last of .slot: by hand sN means no other
    struct gv_bytes resource_sizes; // uint64_t each
    struct gv_bytes groups;         // struct gv_text_group each, of exact text
    uint32_t export_count, chunk_count;
    uint64_t volatile_used; // by .volatile and by what is written to vol+N
    // The chunk being assembled.
    struct gv_bytes code;
    bool chunk_open, resource_named, ended; // ended: `end` stands last
    uint64_t command, chunk_command;        // the current one, and the one at its start
    uint64_t next_command;                  // the lowest that can begin
    uint32_t next_resource, chunk_resource;
    bool in_keyframe; // it is that of `keyframe`
    struct gv_keyframe keyframe;
    struct gv_label labels[GV_TEXT_MAX_LABELS];
    struct gv_skip skips[GV_TEXT_MAX_LABELS];
    size_t label_count, skip_count;
    // The frame being assembled.
    uint32_t frame_chunk, frame_width, frame_height;
    uint64_t frame_command, frame_schedule, uses;
    struct gv_frame last_frame; // of exact text
    // Limits: stated ones win over the computed.
    struct gv_limits computed, stated;
    uint64_t stack, objects;
    uint64_t repeat[GV_TEXT_MAX_NESTING]; // product of the loop counts around
    size_t nesting;
    // Addresses pushed last, the last one first: of volatile memory the place plus 1,
    // of others 0.
    uint64_t pushed[3];
    uint64_t last_map_size; // of a buffer_map
};

// ---- text_assemble.c: tokens, symbols, numbers ----

#define GV_TEXT_FAIL(a, ...) gv_token_fail(&(a)->lex.token, (a)->err, __VA_ARGS__)

bool gv_asm_next(struct gv_assembler *a);
bool gv_asm_is_mark(const struct gv_assembler *a, char mark);
bool gv_asm_is_word(const struct gv_assembler *a, const char *word); // NULL = any
bool gv_asm_at_end(const struct gv_assembler *a);                    // of the line
bool gv_asm_expect_mark(struct gv_assembler *a, char mark);
bool gv_asm_expect_end(struct gv_assembler *a);
// A word or string, stepped over; NULL on failure.
const char *gv_asm_take_word(struct gv_assembler *a, const char *what);
const char *gv_asm_take_string(struct gv_assembler *a, const char *what);
// If the token is `word` (followed by `=` for _key), steps over it and tells.
bool gv_asm_skip_word(struct gv_assembler *a, const char *word, bool *found);

// A number in an integer place: a float with a point stands for its bits.
bool gv_asm_integer(struct gv_assembler *a, uint64_t *value);
bool gv_asm_u32(struct gv_assembler *a, uint32_t *value);
// A number in a float place, as bits: a hexadecimal integer stands for bits.
bool gv_asm_f32_bits(struct gv_assembler *a, uint32_t *bits);
// An enumerator, several joined by `|` for flags, or a number.
bool gv_asm_enum(struct gv_assembler *a, enum gv_enum_id id, uint64_t *value);
bool gv_asm_format(struct gv_assembler *a, uint64_t *value);

// Defines a name; fails where it is taken.
bool gv_asm_define(struct gv_assembler *a, const struct gv_token *name,
                   struct gv_symbol symbol);
const struct gv_symbol *gv_asm_find(const struct gv_assembler *a, const char *name);

// ---- text_data.c ----

// DATA up to the end of the line, appended to `out`.
bool gv_asm_data(struct gv_assembler *a, struct gv_bytes *out);
bool gv_asm_directive_const(struct gv_assembler *a);
bool gv_asm_directive_resource(struct gv_assembler *a);
bool gv_asm_directive_volatile(struct gv_assembler *a);
bool gv_asm_directive_value(struct gv_assembler *a);
// Adds bytes to the payload under a name.
bool gv_asm_add_constant(struct gv_assembler *a, const struct gv_token *name,
                         const struct gv_bytes *bytes, size_t alignment);

// ---- text_desc.c ----

bool gv_asm_directive_graphics(struct gv_assembler *a);
bool gv_asm_directive_compute(struct gv_assembler *a);
bool gv_asm_directive_sampler(struct gv_assembler *a);
bool gv_asm_directive_ranges(struct gv_assembler *a);

// ---- text_tables.c ----

// Whether `name` is a directive of that file; it is then performed into `*ok`.
bool gv_asm_directive_table(struct gv_assembler *a, const char *name, bool *ok);
bool gv_asm_add_slot(struct gv_assembler *a, struct gv_slot_info slot,
                     uint32_t *number);
bool gv_asm_resource_size(const struct gv_assembler *a, uint64_t resource,
                          uint64_t *size);

// ---- text_code.c ----

void gv_asm_op(struct gv_assembler *a, uint8_t op); // and its effect on the limits
void gv_asm_op_uleb(struct gv_assembler *a, uint8_t op, uint64_t operand);
void gv_asm_push(struct gv_assembler *a, uint64_t value);
void gv_asm_push_f32(struct gv_assembler *a, uint32_t bits);
void gv_asm_resource(struct gv_assembler *a, uint8_t op, uint32_t resource);
void gv_asm_call(struct gv_assembler *a, enum gv_call call);
void gv_asm_touch_volatile(struct gv_assembler *a, uint64_t address, uint64_t size);
bool gv_asm_open_chunk(struct gv_assembler *a);
bool gv_asm_close_chunk(struct gv_assembler *a);
bool gv_asm_end_frame(struct gv_assembler *a);
// A slot's number by its name, or by sN: any in exact text, by hand
// those that the text states.
bool gv_asm_find_slot(const struct gv_assembler *a, const char *name, uint64_t *slot);
// The same for the token at hand, stepped over; an error where there is none.
bool gv_asm_slot(struct gv_assembler *a, uint64_t *slot);
// An instruction whose mnemonic has been stepped over.
bool gv_asm_instruction(struct gv_assembler *a, const struct gv_token *mnemonic);

// ---- text_call.c ----

// A call whose name has been stepped over, up to `)`; `slot` is where the result goes:
// a name token, or NULL; `kind` the object kind that was remarked, or GV_KIND_NONE.
bool gv_asm_call_statement(struct gv_assembler *a, const struct gv_token *name,
                           const struct gv_token *slot, enum gv_kind kind);

// The text form's word for an object kind ("buffer"), and back.
const char *gv_text_kind_name(enum gv_kind kind);
enum gv_kind gv_text_kind_find(const char *word);

#endif
