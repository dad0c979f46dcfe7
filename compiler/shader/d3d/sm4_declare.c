// Declarations of SM4 and SM5 as the IR has them.
#include "compiler/shader/d3d/sm4_reader.h"

// Opcodes of declarations (D3D10_SB_OPCODE_TYPE).
enum {
    DCL_RESOURCE = 88,
    DCL_CONSTANT_BUFFER = 89,
    DCL_SAMPLER = 90,
    DCL_INDEX_RANGE = 91,
    DCL_GS_OUTPUT_TOPOLOGY = 92,
    DCL_GS_INPUT_PRIMITIVE = 93,
    DCL_MAX_OUTPUT_VERTICES = 94,
    DCL_INPUT = 95,
    DCL_INPUT_PS = 98,
    DCL_INPUT_PS_SGV = 99,
    DCL_INPUT_PS_SIV = 100,
    DCL_OUTPUT_SIV = 103,
    DCL_TEMPS = 104,
    DCL_INDEXABLE_TEMP = 105,
    DCL_GLOBAL_FLAGS = 106,
    DCL_STREAM = 143,
    DCL_FUNCTION_BODY = 144,
    DCL_FUNCTION_TABLE = 145,
    DCL_INTERFACE = 146,
    DCL_INPUT_CONTROL_POINTS = 147,
    DCL_OUTPUT_CONTROL_POINTS = 148,
    DCL_TESS_DOMAIN = 149,
    DCL_TESS_PARTITIONING = 150,
    DCL_TESS_OUTPUT_PRIMITIVE = 151,
    DCL_MAX_TESS_FACTOR = 152,
    DCL_FORK_INSTANCES = 153,
    DCL_JOIN_INSTANCES = 154,
    DCL_THREAD_GROUP = 155,
    DCL_UAV_TYPED = 156,
    DCL_UAV_RAW = 157,
    DCL_UAV_STRUCTURED = 158,
    DCL_SHARED_RAW = 159,
    DCL_SHARED_STRUCTURED = 160,
    DCL_RESOURCE_RAW = 161,
    DCL_RESOURCE_STRUCTURED = 162,
    DCL_GS_INSTANCES = 206,
};

#define MAX_STRIDE 2048 // bytes of a structure (D3D11 limit)

bool sm4_is_declaration(uint32_t opcode)
{
    return (opcode >= DCL_RESOURCE && opcode <= DCL_GLOBAL_FLAGS) ||
           (opcode >= DCL_STREAM && opcode <= DCL_RESOURCE_STRUCTURED) ||
           opcode == DCL_GS_INSTANCES;
}

// D3D10_SB_RESOURCE_DIMENSION.
static uint8_t dimension_of(uint32_t value)
{
    static const uint8_t dimensions[] = {
        [2] = GV_DXBC_TEXTURE_1D,          [3] = GV_DXBC_TEXTURE_2D,
        [4] = GV_DXBC_TEXTURE_2DMS,        [5] = GV_DXBC_TEXTURE_3D,
        [6] = GV_DXBC_TEXTURE_CUBE,        [7] = GV_DXBC_TEXTURE_1D_ARRAY,
        [8] = GV_DXBC_TEXTURE_2D_ARRAY,    [9] = GV_DXBC_TEXTURE_2DMS_ARRAY,
        [10] = GV_DXBC_TEXTURE_CUBE_ARRAY,
    };
    return value < sizeof dimensions ? dimensions[value] : 0;
}

// D3D10_SB_RESOURCE_RETURN_TYPE of the first component: 3 sint, 4 uint, else floats.
static uint8_t component_of(uint32_t token)
{
    uint32_t type = token & 0xf;
    return type == 4 ? GV_DXBC_UINT : type == 3 ? GV_DXBC_SINT : GV_DXBC_FLOAT;
}

// Where a declared t# or u# is kept.
static struct ir_resource *slot(struct sm4_reader *r, const struct ir_operand *o)
{
    uint32_t n = o->index[0].base;
    if (o->file == IR_FILE_RESOURCE && n < GV_DXBC_MAX_TEXTURES)
        return &r->shader->textures[n];
    if (o->file == IR_FILE_UAV && n < GV_DXBC_MAX_UAVS)
        return &r->shader->uavs[n];
    if (o->file == IR_FILE_UAV && !ir_uav_bindable(n)) {
        gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset, "unsupported: register u%u", n);
        return NULL;
    }
    sm4_malformed(r, "resource register is out of range");
    return NULL;
}

static bool typed_resource(struct sm4_reader *r)
{
    struct ir_operand o;
    uint32_t types = 0, dimension = sm4_control(r, 11, 0x1f);
    if (!sm4_operand(r, &o, NULL) || !sm4_take(r, &types))
        return false;
    struct ir_resource *out = slot(r, &o);
    if (!out)
        return false;
    *out = (struct ir_resource){
        .kind = dimension == 1 ? IR_RESOURCE_TYPED_BUFFER : IR_RESOURCE_TEXTURE,
        .dimension = dimension_of(dimension),
        .component = component_of(types),
        .offset = r->offset,
    };
    return dimension == 1 || out->dimension ||
           sm4_malformed(r, "resource of an unknown dimension");
}

static bool buffer_resource(struct sm4_reader *r, bool structured)
{
    struct ir_operand o;
    uint32_t stride = 0;
    if (!sm4_operand(r, &o, NULL) || (structured && !sm4_take(r, &stride)))
        return false;
    struct ir_resource *out = slot(r, &o);
    if (!out)
        return false;
    if (structured && (stride == 0 || stride > MAX_STRIDE || stride % 4))
        return sm4_malformed(r, "structure stride is not 4..2048 in fours");
    *out = (struct ir_resource){
        .kind = structured ? IR_RESOURCE_STRUCTURED : IR_RESOURCE_RAW,
        .counter = structured && sm4_control(r, 23, 1),
        .stride = stride,
        .offset = r->offset,
    };
    return true;
}

static bool shared_memory(struct sm4_reader *r, bool structured)
{
    struct ir_operand o;
    uint32_t stride = 0, count = 0;
    if (!sm4_operand(r, &o, NULL) || (structured && !sm4_take(r, &stride)) ||
        !sm4_take(r, &count))
        return false;
    uint64_t bytes = structured ? (uint64_t)stride * count : count;
    if (o.file != IR_FILE_SHARED || o.index[0].base >= 32 || bytes == 0 || bytes % 4 ||
        bytes > IR_MAX_SHARED || stride % 4 || (structured && !stride))
        return sm4_malformed(r, "shared memory of a wrong size");
    r->shader->shared[o.index[0].base] =
        (struct ir_shared){ true, (uint32_t)bytes, stride };
    return true;
}

static bool constant_buffer(struct sm4_reader *r)
{
    struct ir_operand o;
    if (!sm4_operand(r, &o, NULL))
        return false;
    if (o.file != IR_FILE_CBUFFER || o.dims != 2 ||
        o.index[0].base >= GV_DXBC_MAX_CBUFFERS ||
        o.index[1].base > GV_DXBC_MAX_CONSTANTS)
        return sm4_malformed(r, "constant buffer is out of range");
    uint32_t size = o.index[1].base;
    r->shader->cbuffer_size[o.index[0].base] = size ? size : GV_DXBC_MAX_CONSTANTS;
    return true;
}

static bool sampler(struct sm4_reader *r)
{
    struct ir_operand o;
    if (!sm4_operand(r, &o, NULL))
        return false;
    if (o.file != IR_FILE_SAMPLER || o.index[0].base >= GV_DXBC_MAX_SAMPLERS)
        return sm4_malformed(r, "sampler is out of range");
    r->shader->compare_sampler[o.index[0].base] = sm4_control(r, 11, 0xf) == 1;
    return true;
}

static bool pixel_input(struct sm4_reader *r)
{
    struct ir_operand o;
    if (!sm4_operand(r, &o, NULL))
        return false;
    if (o.file == IR_FILE_INPUT && o.index[0].base < GV_DXBC_MAX_REGISTERS)
        r->shader->interpolation[o.index[0].base] = (uint8_t)sm4_control(r, 11, 0xf);
    return true;
}

static bool indexable(struct sm4_reader *r)
{
    uint32_t reg = 0, count = 0;
    if (!sm4_take(r, &reg) || !sm4_take(r, &count))
        return false;
    if (reg >= 64 || count == 0 || count > IR_MAX_INDEXABLE)
        return sm4_malformed(r, "indexable register is out of range");
    r->shader->indexable_size[reg] = count;
    return true;
}

static bool stream(struct sm4_reader *r)
{
    struct ir_operand o;
    uint32_t number = 0;
    if (!sm4_operand(r, &o, &number))
        return false;
    return number == 0 || gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                                  "unsupported: geometry stream %u", number);
}

static bool thread_group(struct sm4_reader *r)
{
    for (int i = 0; i < 3; i++)
        if (!sm4_take(r, &r->shader->group_size[i]))
            return false;
    return true;
}

static bool phase_instances(struct sm4_reader *r)
{
    uint32_t count = 0;
    if (!sm4_take(r, &count))
        return false;
    if (count == 0 || count > 1024)
        return sm4_malformed(r, "phase instance count is out of range");
    r->shader->phases[r->shader->phase_count - 1].instances = count;
    return true;
}

// What is a number of a stage in the declaration's first token; others say nothing
// here: of index ranges, temporaries, inputs and outputs use and signatures tell.
static bool stage_number(struct sm4_reader *r, uint32_t opcode)
{
    struct ir_shader *s = r->shader;
    switch (opcode) {
    case DCL_GS_OUTPUT_TOPOLOGY:
        s->topology = sm4_control(r, 11, 0x7f);
        break;
    case DCL_GS_INPUT_PRIMITIVE:
        s->input_primitive = sm4_control(r, 11, 0x3f);
        break;
    case DCL_GLOBAL_FLAGS:
        s->early_depth = sm4_control(r, 13, 1);
        s->precise |= !sm4_control(r, 11, 1); // REFACTORING_ALLOWED
        break;
    case DCL_INPUT_CONTROL_POINTS:
        s->input_control_points = sm4_control(r, 11, 0x3f);
        break;
    case DCL_OUTPUT_CONTROL_POINTS:
        s->output_control_points = sm4_control(r, 11, 0x3f);
        break;
    case DCL_TESS_DOMAIN:
        s->domain = sm4_control(r, 11, 3);
        break;
    case DCL_TESS_PARTITIONING:
        s->partitioning = sm4_control(r, 11, 7);
        break;
    case DCL_TESS_OUTPUT_PRIMITIVE:
        s->output_primitive = sm4_control(r, 11, 7);
        break;
    default:
        break;
    }
    return true;
}

bool sm4_declare(struct sm4_reader *r, uint32_t opcode)
{
    switch (opcode) {
    case DCL_RESOURCE:
    case DCL_UAV_TYPED:
        return typed_resource(r);
    case DCL_CONSTANT_BUFFER:
        return constant_buffer(r);
    case DCL_SAMPLER:
        return sampler(r);
    case DCL_MAX_OUTPUT_VERTICES:
        return sm4_take(r, &r->shader->max_vertices);
    case DCL_GS_INSTANCES:
        return sm4_take(r, &r->shader->gs_instances);
    case DCL_INPUT_PS:
    case DCL_INPUT_PS_SGV:
    case DCL_INPUT_PS_SIV:
        return pixel_input(r);
    case DCL_INDEXABLE_TEMP:
        return indexable(r);
    case DCL_STREAM:
        return stream(r);
    case DCL_FORK_INSTANCES:
    case DCL_JOIN_INSTANCES:
        return phase_instances(r);
    case DCL_THREAD_GROUP:
        return thread_group(r);
    case DCL_UAV_RAW:
    case DCL_RESOURCE_RAW:
        return buffer_resource(r, false);
    case DCL_UAV_STRUCTURED:
    case DCL_RESOURCE_STRUCTURED:
        return buffer_resource(r, true);
    case DCL_SHARED_RAW:
        return shared_memory(r, false);
    case DCL_SHARED_STRUCTURED:
        return shared_memory(r, true);
    case DCL_FUNCTION_BODY:
    case DCL_FUNCTION_TABLE:
    case DCL_INTERFACE:
        return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                       "unsupported: sm4 interfaces");
    default:
        return stage_number(r, opcode);
    }
}
