// The one intermediate form of Direct3D shaders: instructions over untyped registers of
// four 32-bit components, with structured control flow. Token decoders make it,
// dxbc_emit.h turns it into GLSL.
#ifndef GV_DXBC_IR_H
#define GV_DXBC_IR_H

#include "compiler/shader/d3d/dxbc_types.h"
#include "resources/base/arena.h"

#define IR_MAX_INSTRUCTIONS 65536
#define IR_MAX_OPERANDS 8
#define IR_MAX_TEMPS 4096      // r0..r4095 (D3D11 limit)
#define IR_MAX_INDEXABLE 4096  // registers of all x# arrays together
#define IR_MAX_IMMEDIATES 4096 // vec4s of the immediate constant buffer
#define IR_MAX_NESTING 64      // of flow control (D3D limit)
#define IR_MAX_SHARED 32768    // bytes of all g# together (D3D11 limit)
#define IR_MAX_LABELS 2048
#define IR_MAX_CONTROL_POINTS 32
#define IR_MAX_UAVS 64 // u0..u63 (D3D11.1 limit), of which GV_DXBC_MAX_UAVS are bound

// Operations. Columns: see ir_ops.def.
enum ir_op {
#define IR_OP(name, dsts, srcs, result, args, text) IR_##name,
#include "compiler/shader/d3d/ir_ops.def"
#undef IR_OP
    IR_OP_COUNT,
};

struct ir_op_info {
    const char *name;
    uint8_t dsts, srcs;
    char result;      // type of `text`; - for special forms
    const char *args; // one type per source
    const char *text; // GLSL, $0.. for sources; NULL: special form
};
extern const struct ir_op_info ir_ops[IR_OP_COUNT];

enum ir_file {
    IR_FILE_NULL,
    IR_FILE_TEMP,
    IR_FILE_INDEXABLE,   // x[index0][index1]
    IR_FILE_INPUT,       // v[index0], or v[index0] of vertex index1
    IR_FILE_OUTPUT,      // o
    IR_FILE_CBUFFER,     // cb[index0][index1]
    IR_FILE_ICB,         // immediate constant buffer [index0]
    IR_FILE_IMMEDIATE,   // values[]
    IR_FILE_PREDICATE,   // p
    IR_FILE_ADDRESS,     // D3D9: a0 (index 0), aL (index 1); integers
    IR_FILE_DEPTH,       // oDepth and its conservative forms
    IR_FILE_COVERAGE,    // oMask
    IR_FILE_COVERAGE_IN, // vCoverage
    IR_FILE_STENCIL,     // oStencilRef
    IR_FILE_PATCH, // vpc[index0]: patch constants, read by domain and hull shaders
    IR_FILE_CONTROL_OUT, // vocp[index0] of point index1: hull outputs read back
    IR_FILE_DOMAIN_POINT,
    IR_FILE_PRIMITIVE_ID,
    IR_FILE_POINT_ID, // vOutputControlPointID
    IR_FILE_FORK_ID,  // vForkInstanceID
    IR_FILE_JOIN_ID,  // vJoinInstanceID
    IR_FILE_GS_INSTANCE_ID,
    IR_FILE_THREAD_ID,
    IR_FILE_GROUP_ID,
    IR_FILE_LOCAL_ID,
    IR_FILE_LOCAL_INDEX,
    IR_FILE_RESOURCE, // t
    IR_FILE_SAMPLER,  // s
    IR_FILE_UAV,      // u
    IR_FILE_SHARED,   // g
    IR_FILE_LABEL,
    IR_FILE_POSITION_9, // D3D9 pixel shaders: vPos
    IR_FILE_FACE_9,     // D3D9 pixel shaders: vFace, +1 or -1
    IR_FILE_RASTERIZER, // what the pixel shader draws to
    IR_FILE_COUNT,
};

// One dimension of a register index: `base`, plus a register's component if relative.
struct ir_index {
    uint32_t base;
    bool relative;
    uint8_t file;      // enum ir_file of the addend
    uint8_t component; // of the addend
    uint32_t reg, element;
};

enum ir_modifier { IR_NEGATE = 1, IR_ABS = 2 }; // |x| is taken first

struct ir_operand {
    uint8_t file;       // enum ir_file
    uint8_t mask;       // components, as a destination
    uint8_t swizzle[4]; // as a source
    uint8_t modifiers;  // enum ir_modifier bits
    uint8_t dims;       // indices in use
    struct ir_index index[2];
    uint32_t values[4]; // IMMEDIATE
};

// Comparisons of IFC, BREAKC, CONTINUEC and SETP.
enum ir_compare {
    IR_COMPARE_EQ,
    IR_COMPARE_NE,
    IR_COMPARE_LT,
    IR_COMPARE_GE,
    IR_COMPARE_LE,
    IR_COMPARE_GT,
    IR_COMPARE_UNORDERED = 8, // added: true where an operand is a NaN
};

struct ir_instruction {
    uint16_t op;     // enum ir_op
    uint8_t compare; // enum ir_compare, of ops with a comparison
    bool nonzero;    // tests pass where the bits are not zero
    bool saturate;
    bool predicated;
    bool predicate_not;
    uint8_t predicate_swizzle[4];
    uint32_t predicate; // p#
    int8_t offsets[3];  // texel offsets
    uint8_t stream;     // emit and cut
    uint8_t flags;      // SYNC: IR_SYNC_*; RESINFO: enum ir_info; atomics: none
    uint8_t operand_count;
    struct ir_operand *operands; // destinations first
    uint64_t offset;             // byte in the capture
};

enum { IR_SYNC_THREADS = 1, IR_SYNC_SHARED = 2, IR_SYNC_UAV = 4 };
enum ir_info { IR_INFO_FLOAT, IR_INFO_RECIPROCAL, IR_INFO_UINT };

enum ir_resource_kind {
    IR_RESOURCE_NONE, // not declared
    IR_RESOURCE_TEXTURE,
    IR_RESOURCE_TYPED_BUFFER,
    IR_RESOURCE_RAW,
    IR_RESOURCE_STRUCTURED,
};

struct ir_resource {
    uint8_t kind;      // enum ir_resource_kind
    uint8_t dimension; // enum gv_dxbc_dimension
    uint8_t component; // enum gv_dxbc_component
    bool counter;      // has a hidden counter
    uint32_t stride;   // bytes, STRUCTURED
    uint64_t offset;   // of the declaration, for errors
};

struct ir_shared {
    bool declared;
    uint32_t bytes, stride; // stride 0 = raw
};

// D3D9 `def`, `defi`, `defb`: constants that win over the bound ones.
struct ir_definition {
    uint32_t slot, index; // constant buffer slot (gv_dxbc scheme) and register
    uint32_t values[4];
};

// A run of instructions: the main program, or one hull shader phase.
enum ir_phase_kind {
    IR_PHASE_MAIN,
    IR_PHASE_CONTROL_POINT,
    IR_PHASE_FORK,
    IR_PHASE_JOIN
};
struct ir_phase {
    uint8_t kind;
    uint32_t instances; // of fork and join phases, >= 1
    size_t first, count;
};
#define IR_MAX_PHASES 64

struct ir_shader {
    enum gv_dxbc_stage stage;
    enum gv_dxbc_model model;
    uint32_t major, minor;
    uint64_t offset; // of the tokens in the capture
    const struct gv_dxbc_options *options;
    struct gv_arena *arena;

    struct ir_instruction *instructions;
    size_t instruction_count, instruction_capacity;
    struct ir_phase phases[IR_MAX_PHASES];
    size_t phase_count;

    // Signatures; `patch` = patch constants.
    struct gv_dxbc_element *inputs, *outputs, *patch;
    uint32_t input_count, output_count, patch_count;

    // Declarations where a dialect has reliable ones, else zero.
    uint32_t cbuffer_size[GV_DXBC_MAX_CBUFFERS + 2]; // vec4s
    struct ir_resource textures[GV_DXBC_MAX_TEXTURES];
    struct ir_resource uavs[IR_MAX_UAVS];
    bool compare_sampler[GV_DXBC_MAX_SAMPLERS];
    uint32_t indexable_size[64]; // registers of x#
    struct ir_shared shared[32];
    uint32_t (*icb)[4];
    uint32_t icb_count;
    uint8_t
        interpolation[GV_DXBC_MAX_REGISTERS]; // D3D10_SB_INTERPOLATION_MODE, 0 unknown
    struct ir_definition *definitions;
    size_t definition_count;
    uint32_t group_size[3];
    uint32_t input_primitive; // D3D primitive number, of geometry shaders
    uint32_t topology;        // D3D output topology
    uint32_t max_vertices, gs_instances;
    uint32_t input_control_points, output_control_points;
    uint32_t domain, partitioning, output_primitive; // as declared: 1..
    bool early_depth;
    bool precise; // floats are computed as written: nothing reordered or fused
};

// ---- making ----

// Appends an instruction with room for `operands` operands (zeroed, identity swizzle,
// full mask). NULL and `err` when a limit or memory ends.
struct ir_instruction *ir_append(struct ir_shader *s, enum ir_op op, size_t operands,
                                 uint64_t offset, struct gv_error *err);

struct ir_operand ir_reg(enum ir_file file, uint32_t index);
struct ir_operand ir_immediate(uint32_t x, uint32_t y, uint32_t z, uint32_t w);
struct ir_operand ir_immediate_float(float value);
// The components an SM4 operand token selects, as both a mask and a swizzle: mode 0 has
// a mask in `bits`, 1 a swizzle, others one component.
void ir_select(struct ir_operand *operand, uint32_t mode, uint32_t bits);

// ---- checking: ir_check.c ----

// Structure: every block closed, `else` and `case` in place, nesting within limits,
// registers within their files' limits. Errors carry the instruction's offset.
bool ir_check(const struct ir_shader *s, struct gv_error *err);

// ---- hull shaders ----

// Whether a phase computes control points; without one they pass through.
bool ir_has_control_phase(const struct ir_shader *s);
// Control points of the patch that a hull shader reads and writes.
uint32_t ir_input_points(const struct ir_shader *s);
uint32_t ir_output_points(const struct ir_shader *s);

// ---- what is used ----

struct ir_usage {
    bool temps[IR_MAX_TEMPS];
    uint32_t temp_count; // highest + 1
    bool inputs[GV_DXBC_MAX_REGISTERS], outputs[GV_DXBC_MAX_REGISTERS];
    bool inputs_relative, outputs_relative;
    bool input_arrayed[GV_DXBC_MAX_REGISTERS]; // read with a vertex index
    bool input_plain[GV_DXBC_MAX_REGISTERS];   // read without
    bool patch[GV_DXBC_MAX_REGISTERS];         // patch constants read
    bool patch_outputs[GV_DXBC_MAX_REGISTERS]; // written by fork and join phases
    bool patch_outputs_relative;
    bool control_outputs[GV_DXBC_MAX_REGISTERS];      // hull outputs read back
    uint32_t vertex_count;                            // highest vertex index + 1
    uint32_t cbuffer_count[GV_DXBC_MAX_CBUFFERS + 2]; // vec4s by static use
    bool cbuffer_relative[GV_DXBC_MAX_CBUFFERS + 2];
    uint32_t indexable[64]; // registers by static use
    bool predicates[16];
    struct {
        bool used, sampled, compared, fetched, raw, structured, typed_buffer;
    } textures[GV_DXBC_MAX_TEXTURES];
    struct {
        bool used, normal, compare;
    } samplers[GV_DXBC_MAX_SAMPLERS];
    struct {
        bool used, raw, structured, typed, typed_load, stored, loaded, atomic, counted,
            asked;
    } uavs[IR_MAX_UAVS];
    bool shared[32];
    bool files[IR_FILE_COUNT];
    bool derivatives; // implicit levels of detail included
    bool discards;
};

void ir_scan(const struct ir_shader *s, struct ir_usage *out);

// Whether u# is no register of Direct3D 11.1 that the bindings have no room for.
bool ir_uav_bindable(uint32_t n);

// Whether u# is a buffer of words: raw, structured, or typed and read, which Direct3D
// 11 allows for single 32-bit components only (a store alone leaves the format open).
bool ir_uav_is_words(const struct ir_shader *s, const struct ir_usage *usage,
                     uint32_t n);

#endif
