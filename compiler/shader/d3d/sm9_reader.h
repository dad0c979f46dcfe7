// Registers and parameters of Direct3D 9 tokens.
#ifndef GV_SM9_READER_H
#define GV_SM9_READER_H

#include "compiler/shader/d3d/dxbc_container.h"
#include "compiler/shader/d3d/dxbc_ir.h"

#define SM9_MAX_PARAMETERS 8
#define SM9_SCRATCH 64      // temporaries from here on are the translator's own
#define SM9_TEXTURE_TEMP 32 // t0..t7 of pixel shaders 1.x as registers
#define SM9_POSITION 31     // output registers: varyings below, these two above
#define SM9_POINT_SIZE 30
#define SM9_FOG 10

// Register types (D3DSHADER_PARAM_REGISTER_TYPE).
enum {
    SM9_TEMP = 0,
    SM9_INPUT = 1,
    SM9_CONST = 2,
    SM9_ADDRESS = 3, // pixel shaders: texture coordinate
    SM9_RASTER_OUT = 4,
    SM9_ATTRIBUTE_OUT = 5,
    SM9_TEXCOORD_OUT = 6, // model 3: output
    SM9_CONST_INT = 7,
    SM9_COLOR_OUT = 8,
    SM9_DEPTH_OUT = 9,
    SM9_SAMPLER = 10,
    SM9_CONST2 = 11,
    SM9_CONST3 = 12,
    SM9_CONST4 = 13,
    SM9_CONST_BOOL = 14,
    SM9_LOOP = 15,
    SM9_HALF_TEMP = 16,
    SM9_MISC = 17,
    SM9_LABEL = 18,
    SM9_PREDICATE = 19,
};

struct sm9_reader {
    const struct dxbc_tokens *tokens;
    size_t at, end; // parameters of the instruction still to be read
    uint64_t offset;
    struct ir_shader *shader;
    bool sdk; // lengths count parameters; bit 31 marks them
    bool vertex;
    uint32_t scratch;       // next own temporary
    uint32_t texm3_pads;    // rows of a 3x3 texture matrix so far
    bool paired, holding;   // pixel shaders 1.x: see sm9.c
    struct ir_operand held; // where the first result of a pair goes
    uint32_t held_in;       // and where it waits
    // Register -> location: of varyings of model 3, of declared inputs of vertices.
    uint32_t input_map[16], output_map[16];
    bool output_array; // this instruction writes o#[...]: see sm9_register_array
    // The signatures in the container, for registers without dcl.
    const struct gv_dxbc_element *hints;
    uint32_t hint_count;
    struct gv_error *err;
};

// An instruction's parameters, decoded.
struct sm9_parameters {
    struct ir_operand dst, srcs[6];
    uint32_t count; // sources
    bool has_dst, inverted;
    uint32_t dst_token;
    bool predicated, predicate_not;
    uint8_t predicate_swizzle[4];
    bool saturate;
    int shift; // pixel shaders 1.x: the result is multiplied by 2^shift
};

bool sm9_malformed(struct sm9_reader *r, const char *what);
bool sm9_unsupported(struct sm9_reader *r, const char *what);
bool sm9_take(struct sm9_reader *r, uint32_t *out);
// Whether one more own temporary may be taken.
bool sm9_has_scratch(struct sm9_reader *r);

// Type and number of the register in a parameter token.
uint32_t sm9_register_type(uint32_t token);
uint32_t sm9_register_number(uint32_t token);

// A destination: register and mask. `modifiers` and `shift` are the token's own.
bool sm9_destination(struct sm9_reader *r, struct ir_operand *out, uint32_t *token);
// A source. Modifiers that the IR lacks cost instructions, appended here. `inverted`
// (may be NULL) takes "not".
bool sm9_source(struct sm9_reader *r, struct ir_operand *out, bool *inverted);
// Register `type` `number` without modifiers, as source or destination.
bool sm9_register(struct sm9_reader *r, uint32_t type, uint32_t number,
                  struct ir_operand *out);

// ---- sm9_array.c ----

// The element `number` of the inputs (`output` false) or outputs of model 3 as an
// array, for an index that a register adds to. Meaning alone places varyings, so that
// the registers do not stand side by side: declared ones are copied to an array first.
bool sm9_register_array(struct sm9_reader *r, bool output, uint32_t number,
                        struct ir_operand *out);
// Behind an instruction that wrote such an element: copies the array to the outputs.
bool sm9_store_array(struct sm9_reader *r);

// ---- sm9.c ----

// Appends `op` with these operands (`dst` may be NULL) and the parameters' modifiers.
struct ir_instruction *sm9_append(struct sm9_reader *r, const struct sm9_parameters *p,
                                  enum ir_op op, const struct ir_operand *dst,
                                  const struct ir_operand *srcs, uint32_t count);
// Appends `op` as the parameters stand, the result scaled where they say so.
bool sm9_plain(struct sm9_reader *r, struct sm9_parameters *p, enum ir_op op);

// ---- sm9_texture.c: one function for each form of sm9.def ----

// The coordinate of a texture stage of pixel shaders 1.x.
struct ir_operand sm9_coordinate(uint32_t stage);
bool sm9_texld(struct sm9_reader *r, struct sm9_parameters *p, enum ir_op op);
bool sm9_tex(struct sm9_reader *r, struct sm9_parameters *p, uint32_t token);
bool sm9_texcoord(struct sm9_reader *r, struct sm9_parameters *p);
bool sm9_texkill(struct sm9_reader *r, struct sm9_parameters *p);
bool sm9_texreg(struct sm9_reader *r, struct sm9_parameters *p, uint32_t opcode);
bool sm9_texm3(struct sm9_reader *r, struct sm9_parameters *p, uint32_t opcode);
bool sm9_texdepth(struct sm9_reader *r, struct sm9_parameters *p);

// ---- sm9_declare.c ----

// Location that links a varying by its meaning, UINT32_MAX: there is none.
uint32_t sm9_varying(uint32_t usage, uint32_t index);
// Gives register and meaning an element of the shader's inputs or outputs, once.
bool sm9_add_input(struct sm9_reader *r, uint32_t reg, uint32_t usage, uint32_t index);
bool sm9_add_output(struct sm9_reader *r, uint32_t reg, uint32_t usage, uint32_t index,
                    uint32_t system_value);
// `dcl`, `def`, `defi`, `defb`.
bool sm9_declare(struct sm9_reader *r, uint32_t token);
bool sm9_define(struct sm9_reader *r, uint32_t slot, uint32_t words);
// Inputs used without dcl, by the container's signature.
uint32_t sm9_undeclared_input(struct sm9_reader *r, uint32_t reg);

// D3DDECLUSAGE.
enum {
    SM9_USAGE_POSITION = 0,
    SM9_USAGE_PSIZE = 4,
    SM9_USAGE_TEXCOORD = 5,
    SM9_USAGE_POSITIONT = 9,
    SM9_USAGE_COLOR = 10,
    SM9_USAGE_FOG = 11,
    SM9_USAGE_COUNT = 14,
};

#endif
