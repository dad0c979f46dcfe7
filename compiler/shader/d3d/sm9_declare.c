// Declarations of Direct3D 9 shaders, written or implied, as the IR has them.
#include "compiler/shader/d3d/sm9_reader.h"

#include <string.h>

#define MAX_ELEMENTS 64
#define MAX_DEFINITIONS 1024

static const char *const usage_names[SM9_USAGE_COUNT] = {
    "POSITION", "BLENDWEIGHT", "BLENDINDICES", "NORMAL", "PSIZE", "TEXCOORD", "TANGENT",
    "BINORMAL", "TESSFACTOR",  "POSITIONT",    "COLOR",  "FOG",   "DEPTH",    "SAMPLE"
};

// Both sides of a varying are translated apart, so its meaning alone decides. There are
// more meanings than locations: rare ones share RARE of them, and a shader that
// declares two of one location is refused (declared_apart).
#define RARE_FIRST 16
#define RARE 14

uint32_t sm9_varying(uint32_t usage, uint32_t index)
{
    static const struct {
        uint8_t usage, first, count, location;
    } map[] = {
        { SM9_USAGE_COLOR, 0, 2, 0 },
        { SM9_USAGE_TEXCOORD, 0, 8, 2 },
        { SM9_USAGE_FOG, 0, 1, SM9_FOG },
        { 3, 0, 1, 11 }, // normal
        { 6, 0, 1, 12 },
        { 7, 0, 1, 13 }, // tangent, binormal
        { 1, 0, 1, 14 },
        { 2, 0, 1, 15 }, // blend weights and indices
        { SM9_USAGE_TEXCOORD, 8, 8, 16 },
        { SM9_USAGE_COLOR, 2, 2, 24 },
        { 12, 0, 1, 26 },
        { 8, 0, 1, 27 }, // depth, tessellation factor
        { 13, 0, 1, 28 },
        { SM9_USAGE_POSITION, 1, 1, 29 },
    };
    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (map[i].usage == usage && index >= map[i].first &&
            index - map[i].first < map[i].count)
            return map[i].location + index - map[i].first;
    bool special =
        usage == SM9_USAGE_PSIZE ||
        ((usage == SM9_USAGE_POSITION || usage == SM9_USAGE_POSITIONT) && index == 0);
    if (special || usage >= SM9_USAGE_COUNT || index > 15)
        return UINT32_MAX;
    return RARE_FIRST + (usage * 5 + index) % RARE;
}

// Whether no other meaning has this one's location in `list`.
static bool declared_apart(struct sm9_reader *r, const struct gv_dxbc_element *list,
                           uint32_t count, uint32_t location, uint32_t usage,
                           uint32_t index)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].reg == location &&
            (list[i].usage != usage || list[i].semantic_index != index))
            return gv_fail(r->err, GV_ERR_UNSUPPORTED, r->offset,
                           "unsupported: d3d9 varyings %s%u and %s%u in one shader",
                           list[i].name, list[i].semantic_index, usage_names[usage],
                           index);
    return true;
}

static bool add(struct sm9_reader *r, struct gv_dxbc_element **list, uint32_t *count,
                const struct gv_dxbc_element *element)
{
    for (uint32_t i = 0; i < *count; i++)
        if ((*list)[i].reg == element->reg)
            return true;
    if (!*list)
        *list = gv_arena_array(r->shader->arena, MAX_ELEMENTS, sizeof **list);
    if (!*list)
        return gv_out_of_memory(r->err);
    if (*count == MAX_ELEMENTS)
        return sm9_malformed(r, "too many registers");
    (*list)[(*count)++] = *element;
    return true;
}

static struct gv_dxbc_element describe(uint32_t reg, uint32_t usage, uint32_t index,
                                       uint32_t system_value)
{
    const char *name = usage < SM9_USAGE_COUNT ? usage_names[usage] : "";
    return (struct gv_dxbc_element){
        .reg = reg,
        .location = UINT32_MAX,
        .semantic_hash = gv_dxbc_semantic_hash(name),
        .semantic_index = index,
        .usage = usage,
        .name = name,
        .system_value = system_value,
        .mask = 0xf,
    };
}

bool sm9_add_input(struct sm9_reader *r, uint32_t reg, uint32_t usage, uint32_t index)
{
    struct gv_dxbc_element e = describe(reg, usage, index, GV_DXBC_SV_NONE);
    return add(r, &r->shader->inputs, &r->shader->input_count, &e);
}

bool sm9_add_output(struct sm9_reader *r, uint32_t reg, uint32_t usage, uint32_t index,
                    uint32_t system_value)
{
    struct gv_dxbc_element e = describe(reg, usage, index, system_value);
    return add(r, &r->shader->outputs, &r->shader->output_count, &e);
}

static uint32_t usage_of(const char *name)
{
    for (uint32_t i = 0; i < SM9_USAGE_COUNT; i++)
        if (gv_dxbc_semantic_hash(usage_names[i]) == gv_dxbc_semantic_hash(name))
            return i;
    return SM9_USAGE_TEXCOORD;
}

uint32_t sm9_undeclared_input(struct sm9_reader *r, uint32_t reg)
{
    uint32_t usage = r->vertex && reg == 0 ? SM9_USAGE_POSITION : SM9_USAGE_TEXCOORD;
    uint32_t index = reg;
    for (uint32_t i = 0; i < r->hint_count; i++)
        if (r->hints[i].reg == reg) {
            usage = usage_of(r->hints[i].name);
            index = r->hints[i].semantic_index;
        }
    uint32_t location = r->vertex ? reg : sm9_varying(usage, index);
    if (location != UINT32_MAX)
        sm9_add_input(r, location, usage, index);
    return location;
}

// ---- dcl ----

static bool declare_sampler(struct sm9_reader *r, uint32_t number, uint32_t type)
{
    struct ir_resource *t = &r->shader->textures[number & 15];
    t->kind = IR_RESOURCE_TEXTURE;
    t->dimension = type == 3   ? GV_DXBC_TEXTURE_CUBE
                   : type == 4 ? GV_DXBC_TEXTURE_3D
                   : type == 2 ? GV_DXBC_TEXTURE_2D
                               : GV_DXBC_TEXTURE_UNKNOWN;
    return number < 16 || sm9_malformed(r, "sampler is out of range");
}

static bool declare_output(struct sm9_reader *r, uint32_t number, uint32_t usage,
                           uint32_t index)
{
    uint32_t location = sm9_varying(usage, index), value = GV_DXBC_SV_NONE;
    if ((usage == SM9_USAGE_POSITION || usage == SM9_USAGE_POSITIONT) && index == 0) {
        location = SM9_POSITION;
        value = GV_DXBC_SV_POSITION;
    } else if (usage == SM9_USAGE_PSIZE) {
        location = SM9_POINT_SIZE;
        value = GV_DXBC_SV_POINT_SIZE;
    }
    if (number > 15)
        return sm9_malformed(r, "output register is out of range");
    if (location == UINT32_MAX)
        return sm9_unsupported(r, "varying of this usage");
    r->output_map[number] = location;
    return declared_apart(r, r->shader->outputs, r->shader->output_count, location,
                          usage, index) &&
           sm9_add_output(r, location, usage, index, value);
}

static bool declare_input(struct sm9_reader *r, uint32_t number, uint32_t usage,
                          uint32_t index, bool centroid)
{
    if (number > 15)
        return sm9_malformed(r, "input register is out of range");
    if (r->vertex) {
        r->input_map[number] = number;
        return sm9_add_input(r, number, usage, index);
    }
    if (r->shader->major < 3) // the register says it all
        return true;
    uint32_t location = sm9_varying(usage, index);
    if (location == UINT32_MAX)
        return sm9_unsupported(r, "varying of this usage");
    r->input_map[number] = location;
    r->shader->interpolation[location] = centroid ? 3 : 0;
    return declared_apart(r, r->shader->inputs, r->shader->input_count, location, usage,
                          index) &&
           sm9_add_input(r, location, usage, index);
}

bool sm9_declare(struct sm9_reader *r, uint32_t token)
{
    // The short form packs usage and index into the opcode token.
    uint32_t info = token >> 16 & 0xf, reg = 0;
    info |= (token >> 20 & 0xf) << 16;
    bool long_form = r->end - r->at >= 2;
    if ((long_form && !sm9_take(r, &info)) || !sm9_take(r, &reg))
        return false;
    uint32_t usage = info & 0x1f, index = info >> 16 & 0xf;
    uint32_t number = sm9_register_number(reg);
    switch (sm9_register_type(reg)) {
    case SM9_SAMPLER:
        return declare_sampler(r, number, long_form ? info >> 27 & 0xf : 2);
    case SM9_INPUT:
        return declare_input(r, number, usage, index, reg >> 22 & 1);
    case SM9_TEXCOORD_OUT:
        return r->shader->major < 3 || declare_output(r, number, usage, index);
    default: // t#, vPos, vFace: the register says it all
        return true;
    }
}

// ---- def ----

bool sm9_define(struct sm9_reader *r, uint32_t slot, uint32_t words)
{
    struct ir_shader *s = r->shader;
    struct ir_operand reg;
    uint32_t token = 0;
    if (!sm9_take(r, &token) ||
        !sm9_register(r, sm9_register_type(token), sm9_register_number(token), &reg))
        return false;
    if (reg.file != IR_FILE_CBUFFER || reg.index[0].base != slot)
        return sm9_malformed(r, "definition of no constant");
    if (!s->definitions)
        s->definitions =
            gv_arena_array(s->arena, MAX_DEFINITIONS, sizeof *s->definitions);
    if (!s->definitions)
        return gv_out_of_memory(r->err);
    if (s->definition_count == MAX_DEFINITIONS)
        return sm9_malformed(r, "too many definitions");
    struct ir_definition *d = &s->definitions[s->definition_count++];
    *d = (struct ir_definition){ .slot = slot, .index = reg.index[1].base };
    for (uint32_t i = 0; i < words; i++)
        if (!sm9_take(r, &d->values[i]))
            return false;
    return true;
}
