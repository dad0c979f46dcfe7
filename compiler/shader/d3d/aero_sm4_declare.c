// Declarations of the Aero dialect, known by opcode or by what they declare.
#include "compiler/shader/d3d/aero_sm4_reader.h"

static bool begin_phase(struct aero_reader *r, enum ir_phase_kind kind)
{
    struct ir_shader *s = r->shader;
    struct ir_phase *last = &s->phases[s->phase_count - 1];
    last->count = s->instruction_count - last->first;
    bool first = last->count == 0 && s->phase_count == 1;
    if (kind == IR_PHASE_CONTROL_POINT && (!first || last->kind != IR_PHASE_MAIN))
        return aero_malformed(r, "control point phase is not the first");
    if (first)
        last->kind = (uint8_t)kind;
    else if (s->phase_count < IR_MAX_PHASES)
        s->phases[s->phase_count++] =
            (struct ir_phase){ (uint8_t)kind, 1, s->instruction_count, 0 };
    else
        return gv_fail(r->err, GV_ERR_LIMIT, r->offset,
                       "hull shader of more than %d phases", IR_MAX_PHASES);
    return true;
}

static void set_system_value(struct gv_dxbc_element *elements, uint32_t count,
                             uint32_t reg, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (elements[i].reg == reg && elements[i].system_value == GV_DXBC_SV_NONE &&
            value <= GV_DXBC_SV_LINE_DENSITY)
            elements[i].system_value = value;
}

static bool declare_buffer(struct aero_reader *r, uint32_t opcode)
{
    struct ir_operand o;
    if (!aero_read_operand(r, &o))
        return false;
    bool structured = opcode == 0x206 || opcode == 0x208;
    struct ir_resource resource = {
        .kind = structured ? IR_RESOURCE_STRUCTURED : IR_RESOURCE_RAW,
        .stride = structured ? aero_word_at(r, r->at) : 0,
        .offset = r->offset,
    };
    uint32_t n = o.index[0].base;
    if (structured &&
        (resource.stride == 0 || resource.stride > 2048 || resource.stride % 4))
        return aero_malformed(r, "structure stride is not 4..2048 in fours");
    if (o.file == IR_FILE_RESOURCE && n < GV_DXBC_MAX_TEXTURES)
        r->shader->textures[n] = resource;
    else if (o.file == IR_FILE_UAV && n < GV_DXBC_MAX_UAVS)
        r->shader->uavs[n] = resource;
    else
        return aero_malformed(r, "buffer declaration without a buffer register");
    return true;
}

// Declarations known by what they declare rather than by their opcode.
static bool declare_operand(struct aero_reader *r)
{
    struct ir_shader *s = r->shader;
    struct ir_operand o;
    uint32_t type = aero_word_at(r, r->at) >> 4 & 0xff;
    if (r->at >= r->end || aero_register_file(type) == IR_FILE_COUNT)
        return true;
    if (!aero_read_operand(r, &o))
        return false;
    uint32_t n = o.index[0].base;
    if (o.file == IR_FILE_INPUT && r->at < r->end)
        set_system_value(s->inputs, s->input_count, n, aero_word_at(r, r->at));
    else if (o.file == IR_FILE_OUTPUT && r->at < r->end)
        set_system_value(s->outputs, s->output_count, n, aero_word_at(r, r->at));
    else if (o.file == IR_FILE_CBUFFER && o.dims == 2 && n < GV_DXBC_MAX_CBUFFERS &&
             o.index[1].base <= GV_DXBC_MAX_CONSTANTS)
        s->cbuffer_size[n] = o.index[1].base;
    else if (o.file == IR_FILE_RESOURCE && n < GV_DXBC_MAX_TEXTURES &&
             aero_word_at(r, r->at) == 2)
        s->textures[n] = (struct ir_resource){ .kind = IR_RESOURCE_TEXTURE,
                                               .dimension = GV_DXBC_TEXTURE_2D,
                                               .offset = r->offset };
    else if (o.file == IR_FILE_UAV && n < GV_DXBC_MAX_UAVS &&
             aero_word_at(r, r->at) == 2)
        s->uavs[n] = (struct ir_resource){ .kind = IR_RESOURCE_TEXTURE,
                                           .dimension = GV_DXBC_TEXTURE_2D,
                                           .offset = r->offset };
    return true;
}

bool aero_declare(struct aero_reader *r, uint32_t opcode)
{
    struct ir_shader *s = r->shader;
    uint32_t value = aero_word_at(r, r->at);
    bool hull = s->stage == GV_DXBC_HULL, geometry = s->stage == GV_DXBC_GEOMETRY;
    bool tessellation = hull || s->stage == GV_DXBC_DOMAIN;
    switch (opcode) {
    case 0x10c:
        s->input_primitive = geometry ? value : s->input_primitive;
        return geometry || declare_operand(r);
    case 0x10d:
        s->topology = geometry ? value : s->topology;
        return geometry || declare_operand(r);
    case 0x10e:
        s->max_vertices = geometry ? value : s->max_vertices;
        return geometry || declare_operand(r);
    case 0x10f:
        s->gs_instances = geometry ? value : s->gs_instances;
        return geometry || declare_operand(r);
    case 0x112:
        s->input_control_points = tessellation ? value : s->input_control_points;
        return tessellation || declare_operand(r);
    case 0x113:
    case 0x119:
        s->domain = tessellation ? value : s->domain;
        return tessellation || declare_operand(r);
    case 0x114:
        s->partitioning = tessellation ? value : s->partitioning;
        return tessellation || declare_operand(r);
    case 0x115:
        s->output_primitive = tessellation ? value : s->output_primitive;
        return tessellation || declare_operand(r);
    case 0x116:
        s->output_control_points = tessellation ? value : s->output_control_points;
        return tessellation || declare_operand(r);
    case 0x11a:
        return hull ? begin_phase(r, IR_PHASE_CONTROL_POINT) : declare_operand(r);
    case 0x11b:
        return hull ? begin_phase(r, IR_PHASE_FORK) : declare_operand(r);
    case 0x11c:
        return hull ? begin_phase(r, IR_PHASE_JOIN) : declare_operand(r);
    case 0x11f:
        for (size_t i = 0; i < 3; i++)
            s->group_size[i] = aero_word_at(r, r->at + i);
        return true;
    case 0x205:
    case 0x206:
    case 0x207:
    case 0x208:
        return declare_buffer(r, opcode);
    default:
        return declare_operand(r);
    }
}
