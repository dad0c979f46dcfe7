#include "compiler/gl/fixed/fixed_block.h"

#include <assert.h>
#include <stdio.h>

static const struct {
    uint32_t rows;
    const char *declaration;
} sources[GV_FIXED_SOURCES] = {
#define GV_FIXED_UNIFORM(name, rows, declaration, meaning) \
    [GV_FIXED_##name] = { rows, declaration },
#include "compiler/gl/fixed/fixed_uniforms.def"
#undef GV_FIXED_UNIFORM
};

static const char *const slot_names[GV_GL_SLOTS] = {
    [GV_GL_POSITION] = "position",
    [GV_GL_NORMAL] = "normal",
    [GV_GL_COLOR] = "color",
    [GV_GL_SECONDARY] = "secondary",
    [GV_GL_FOG_COORD] = "fog_coord",
    [GV_GL_INDEX] = "color_index",
    [GV_GL_POINT_SIZE] = "own_size",
    [GV_GL_WEIGHT] = "weight",
    [GV_GL_TEXCOORD] = "texcoord0",
    [GV_GL_TEXCOORD + 1] = "texcoord1",
    [GV_GL_TEXCOORD + 2] = "texcoord2",
    [GV_GL_TEXCOORD + 3] = "texcoord3",
    [GV_GL_TEXCOORD + 4] = "texcoord4",
    [GV_GL_TEXCOORD + 5] = "texcoord5",
    [GV_GL_TEXCOORD + 6] = "texcoord6",
    [GV_GL_TEXCOORD + 7] = "texcoord7",
    [GV_GL_GENERIC] = "generic0",
    [GV_GL_GENERIC + 1] = "generic1",
    [GV_GL_GENERIC + 2] = "generic2",
    [GV_GL_GENERIC + 3] = "generic3",
    [GV_GL_GENERIC + 4] = "generic4",
    [GV_GL_GENERIC + 5] = "generic5",
    [GV_GL_GENERIC + 6] = "generic6",
    [GV_GL_GENERIC + 7] = "generic7",
    [GV_GL_GENERIC + 8] = "generic8",
    [GV_GL_GENERIC + 9] = "generic9",
    [GV_GL_GENERIC + 10] = "generic10",
    [GV_GL_GENERIC + 11] = "generic11",
    [GV_GL_GENERIC + 12] = "generic12",
    [GV_GL_GENERIC + 13] = "generic13",
    [GV_GL_GENERIC + 14] = "generic14",
    [GV_GL_GENERIC + 15] = "generic15",
};

const char *gv_fixed_slot_name(uint32_t slot)
{
    assert(slot < GV_GL_SLOTS);
    return slot_names[slot];
}

uint32_t gv_fixed_rows(enum gv_fixed_source source)
{
    return sources[source].rows;
}

void gv_fixed_use(struct gv_fixed_block *b, enum gv_fixed_source source, uint32_t index)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (b->members[i].source == source && b->members[i].index == index)
            return;
    assert(b->count < GV_FIXED_MAX_MEMBERS);
    b->members[b->count++] = (struct gv_fixed_member){
        .source = (uint8_t)source,
        .index = (uint8_t)index,
        .row = (uint16_t)b->rows,
    };
    b->rows += sources[source].rows;
}

void gv_fixed_use_assembly(struct gv_fixed_block *b, const struct gv_arb_program *p)
{
    assert(!b->rows);
    if (p->parameter_count)
        b->assembly = p;
    b->rows = p->parameter_count;
}

// "vec4 light3_position": the table's declaration with its index.
static void declare(const struct gv_fixed_member *m, struct gv_bytes *out)
{
    const char *declaration = sources[m->source].declaration;
    gv_bytes_printf(out, "    ");
    for (const char *c = declaration; *c; c++) {
        if (c[0] == '%' && c[1] == 'u')
            gv_bytes_printf(out, "%u", m->index);
        else if (c[0] == '%')
            gv_bytes_printf(out, "%s", gv_fixed_slot_name(m->index));
        else
            gv_bytes_printf(out, "%c", *c);
        c += c[0] == '%';
    }
    gv_bytes_printf(out, ";\n");
}

void gv_fixed_block_declare(const struct gv_fixed_block *b, uint32_t set,
                            struct gv_bytes *out)
{
    if (!b->rows)
        return;
    gv_bytes_printf(out, "layout(set = %u, binding = 0, std140) uniform State {\n",
                    set);
    if (b->assembly)
        gv_bytes_printf(out, "    vec4 p[%u];\n", b->assembly->parameter_count);
    for (uint32_t i = 0; i < b->count; i++)
        declare(&b->members[i], out);
    gv_bytes_printf(out, "};\n");
}
