// Texture instructions of Direct3D 9, those of pixel shaders 1.x among them.
#include "compiler/shader/d3d/sm9_reader.h"

#include <string.h>

static struct ir_operand texture_of(const struct ir_operand *sampler)
{
    return ir_reg(IR_FILE_RESOURCE, sampler->index[0].base);
}

static bool sample(struct sm9_reader *r, struct sm9_parameters *p, enum ir_op op,
                   struct ir_operand coordinate, uint32_t sampler)
{
    struct ir_operand srcs[3] = { coordinate, ir_reg(IR_FILE_RESOURCE, sampler),
                                  ir_reg(IR_FILE_SAMPLER, sampler) };
    p->count = 3;
    memcpy(p->srcs, srcs, sizeof srcs);
    return sm9_plain(r, p, op);
}

bool sm9_texld(struct sm9_reader *r, struct sm9_parameters *p, enum ir_op op)
{
    if (p->count < 2 || p->srcs[1].file != IR_FILE_SAMPLER)
        return sm9_malformed(r, "texture instruction without a sampler");
    uint32_t sampler = p->srcs[1].index[0].base;
    if (op != IR_SAMPLE_D)
        return sample(r, p, op, p->srcs[0], sampler);
    if (p->count != 4)
        return sm9_malformed(r, "texldd without gradients");
    struct ir_operand srcs[5] = { p->srcs[0], texture_of(&p->srcs[1]), p->srcs[1],
                                  p->srcs[2], p->srcs[3] };
    memcpy(p->srcs, srcs, sizeof srcs);
    p->count = 5;
    return sm9_plain(r, p, op);
}

// Number of a t# or r# destination: in pixel shaders 1.x it names the sampler too.
static uint32_t stage_of(const struct sm9_parameters *p)
{
    uint32_t n = p->dst.index[0].base;
    return n >= SM9_TEXTURE_TEMP ? n - SM9_TEXTURE_TEMP : n;
}

struct ir_operand sm9_coordinate(uint32_t stage)
{
    return ir_reg(IR_FILE_INPUT, sm9_varying(SM9_USAGE_TEXCOORD, stage));
}

bool sm9_tex(struct sm9_reader *r, struct sm9_parameters *p, uint32_t token)
{
    static const uint16_t ops[] = { IR_SAMPLE_9, IR_SAMPLE_PROJ_9, IR_SAMPLE_BIAS_9 };
    if (r->shader->major >= 2) {
        uint32_t kind = r->sdk ? token >> 16 & 0xf : token >> 16 & 3;
        if (kind > 2)
            return sm9_malformed(r, "texld of an unknown kind");
        return sm9_texld(r, p, (enum ir_op)ops[kind]);
    }
    uint32_t stage = stage_of(p);
    if (stage > 7 || p->dst.file != IR_FILE_TEMP)
        return sm9_malformed(r, "texture stage is out of range");
    return sample(r, p, IR_SAMPLE_9, p->count ? p->srcs[0] : sm9_coordinate(stage),
                  stage);
}

// 1.4: texcrd r#, t#; before: the coordinate itself, clamped.
bool sm9_texcoord(struct sm9_reader *r, struct sm9_parameters *p)
{
    if (p->count == 0) {
        p->srcs[0] = sm9_coordinate(stage_of(p) & 7);
        p->count = 1;
        p->saturate = true;
    }
    return sm9_plain(r, p, IR_MOV);
}

bool sm9_texkill(struct sm9_reader *r, struct sm9_parameters *p)
{
    if (p->count != 1)
        return sm9_malformed(r, "texkill without a register");
    // Before 1.4 it looks at the coordinate, not at what was sampled.
    if (p->srcs[0].file == IR_FILE_TEMP &&
        p->srcs[0].index[0].base >= SM9_TEXTURE_TEMP &&
        p->srcs[0].index[0].base < SM9_SCRATCH)
        p->srcs[0] = sm9_coordinate((p->srcs[0].index[0].base - SM9_TEXTURE_TEMP) & 7);
    memcpy(p->srcs[0].swizzle, (uint8_t[]){ 0, 1, 2, 3 },
           4); // SDK: it is a destination
    // Whatever its mask, from 2.0 on all components count, before the first three.
    return sm9_plain(r, p, r->shader->major < 2 ? IR_TEXKILL_XYZ_9 : IR_TEXKILL_9);
}

// texreg2ar (.wx), texreg2gb (.yz), texreg2rgb: sample where another result points.
bool sm9_texreg(struct sm9_reader *r, struct sm9_parameters *p, uint32_t opcode)
{
    static const uint8_t swizzles[][4] = { { 3, 0, 0, 0 },
                                           { 1, 2, 2, 2 },
                                           { 0, 1, 2, 2 } };
    if (p->count != 1)
        return sm9_malformed(r, "texture instruction without a source");
    memcpy(p->srcs[0].swizzle, swizzles[opcode == 69 ? 0 : opcode == 70 ? 1 : 2], 4);
    return sample(r, p, IR_SAMPLE_9, p->srcs[0], stage_of(p) & 7);
}

// ---- texture matrices ----

// `op` of `srcs` into a new register of our own; a null file: that ran out.
static struct ir_operand computed(struct sm9_reader *r, enum ir_op op,
                                  const struct ir_operand *srcs, uint32_t count)
{
    const struct sm9_parameters bare = { .predicate_swizzle = { 0, 1, 2, 3 } };
    struct ir_operand none = ir_reg(IR_FILE_NULL, 0), dst = none;
    for (uint32_t i = 0; i < count; i++)
        if (srcs[i].file == IR_FILE_NULL)
            return none;
    if (!sm9_has_scratch(r))
        return none;
    dst = ir_reg(IR_FILE_TEMP, r->scratch++);
    return sm9_append(r, &bare, op, &dst, srcs, count) ? dst : none;
}
#define COMPUTED(op, ...)                                            \
    computed(r, IR_##op, (const struct ir_operand[]){ __VA_ARGS__ }, \
             sizeof((const struct ir_operand[]){ __VA_ARGS__ }) /    \
                 sizeof(struct ir_operand))

// The eye vector of texm3x3vspec: w of the three rows' coordinates.
static struct ir_operand eye_of(struct sm9_reader *r, uint32_t last_stage)
{
    const struct sm9_parameters bare = { .predicate_swizzle = { 0, 1, 2, 3 } };
    struct ir_operand eye = ir_reg(IR_FILE_NULL, 0);
    if (!sm9_has_scratch(r))
        return eye;
    eye = ir_reg(IR_FILE_TEMP, r->scratch++);
    for (uint32_t k = 0; k < 3; k++) {
        struct ir_operand w = sm9_coordinate(last_stage - 2 + k);
        memset(w.swizzle, 3, 4);
        eye.mask = (uint8_t)(1u << k);
        if (!sm9_append(r, &bare, IR_MOV, &eye, &w, 1))
            return ir_reg(IR_FILE_NULL, 0);
    }
    eye.mask = 0xf;
    return eye;
}

// Samples where the eye vector, reflected at the normal, points:
// 2 (N . E) / (N . N) N - E.
static bool reflect(struct sm9_reader *r, struct sm9_parameters *p,
                    struct ir_operand normal, struct ir_operand eye, uint32_t stage)
{
    struct ir_operand ratio =
        COMPUTED(DIV, COMPUTED(DP3, normal, eye), COMPUTED(DP3, normal, normal));
    struct ir_operand twice = COMPUTED(ADD, ratio, ratio);
    eye.modifiers ^= IR_NEGATE;
    struct ir_operand reflected = COMPUTED(MAD, twice, normal, eye);
    return reflected.file != IR_FILE_NULL &&
           sample(r, p, IR_SAMPLE_9, reflected, stage);
}

// oDepth = x / y within 0 to 1; 1 where y is zero.
static bool depth_of(struct sm9_reader *r, struct ir_operand x, struct ir_operand y)
{
    const struct sm9_parameters bare = { .predicate_swizzle = { 0, 1, 2, 3 } };
    struct sm9_parameters clamped = bare;
    struct ir_operand depth, one = ir_immediate_float(1.0f);
    clamped.saturate = true;
    if (!sm9_register(r, SM9_DEPTH_OUT, 0, &depth))
        return false;
    depth.mask = 1;
    struct ir_operand zero = COMPUTED(EQ, y, ir_immediate_float(0.0f));
    struct ir_operand ratio = COMPUTED(DIV, x, y);
    const struct ir_operand srcs[3] = { zero, one, ratio };
    return ratio.file != IR_FILE_NULL && zero.file != IR_FILE_NULL &&
           sm9_append(r, &clamped, IR_MOVC, &depth, srcs, 3) != NULL;
}

bool sm9_texdepth(struct sm9_reader *r, struct sm9_parameters *p)
{
    struct ir_operand x = ir_reg(IR_FILE_TEMP, p->dst.index[0].base), y = x;
    memset(x.swizzle, 0, 4);
    memset(y.swizzle, 1, 4);
    return depth_of(r, x, COMPUTED(MIN, y, ir_immediate_float(1.0f)));
}

enum texm3_end { PAD, SAMPLE, SPEC, VSPEC, DEPTH, VALUE, SPLAT };

static bool end_matrix(struct sm9_reader *r, struct sm9_parameters *p,
                       enum texm3_end end, uint32_t stage)
{
    struct ir_operand rows = ir_reg(IR_FILE_TEMP, SM9_SCRATCH - 1), y = rows;
    switch (end) {
    case PAD:
        return true;
    case SAMPLE:
        return sample(r, p, IR_SAMPLE_9, rows, stage);
    case SPEC:
        return reflect(r, p, rows, p->srcs[1], stage);
    case VSPEC:
        return stage >= 2 ? reflect(r, p, rows, eye_of(r, stage), stage)
                          : sm9_malformed(r, "matrix without its first rows");
    case DEPTH:
        memset(rows.swizzle, 0, 4);
        memset(y.swizzle, 1, 4);
        return depth_of(r, rows, y);
    case SPLAT:
        memset(rows.swizzle, 0, 4);
        break;
    case VALUE:
        break;
    }
    p->srcs[0] = rows;
    p->count = 1;
    return sm9_plain(r, p, IR_MOV);
}

// Rows of a matrix by which a sampled normal is turned: each is the coordinate of its
// stage. They gather in one own register, the row being the distance to the last stage.
bool sm9_texm3(struct sm9_reader *r, struct sm9_parameters *p, uint32_t opcode)
{
    static const struct {
        uint8_t row; // 3: follows from the number of pads before
        uint8_t end; // enum texm3_end
    } kinds[] = { [71] = { 0, PAD },    [72] = { 1, SAMPLE }, [73] = { 3, PAD },
                  [74] = { 2, SAMPLE }, [76] = { 2, SPEC },   [77] = { 2, VSPEC },
                  [83] = { 0, SAMPLE }, [84] = { 1, DEPTH },  [85] = { 0, SPLAT },
                  [86] = { 2, VALUE } };
    const struct sm9_parameters bare = { .predicate_swizzle = { 0, 1, 2, 3 } };
    struct ir_operand rows = ir_reg(IR_FILE_TEMP, SM9_SCRATCH - 1);
    uint32_t stage = stage_of(p) & 7, row = kinds[opcode].row;
    if (p->count != (kinds[opcode].end == SPEC ? 2 : 1))
        return sm9_malformed(r, "texture instruction without its sources");
    struct ir_operand srcs[2] = { sm9_coordinate(stage), p->srcs[0] };
    if (row == 3) // the first pad of two starts a matrix
        row = r->texm3_pads++ & 1;
    if (!sm9_add_input(r, sm9_varying(SM9_USAGE_TEXCOORD, stage), SM9_USAGE_TEXCOORD,
                       stage))
        return false;
    rows.mask = (uint8_t)(1u << row);
    return sm9_append(r, &bare, IR_DP3, &rows, srcs, 2) &&
           end_matrix(r, p, (enum texm3_end)kinds[opcode].end, stage);
}
