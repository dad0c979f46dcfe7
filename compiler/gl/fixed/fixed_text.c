#include "compiler/gl/fixed/fixed_text.h"

#include "compiler/gl/fixed/fixed_program.h"
#include "compiler/shader/glsl/glsl.h"

#include <stdio.h>

void gv_fixed_text_finish(struct gv_fixed_text *t)
{
    gv_bytes_finish(&t->declared);
    gv_bytes_finish(&t->body);
}

// A low version, since glslang reads the declarations of all built-in functions before
// it reads the first text: those of 4.60 take a tenth of a second, these a fifth of
// that. Locations, bindings and gathering are what the texts need beyond them.
void gv_fixed_version(struct gv_bytes *out, uint32_t version)
{
    gv_bytes_printf(out,
                    "#version %u\n"
                    "#extension GL_ARB_separate_shader_objects : enable\n"
                    "#extension GL_ARB_shading_language_420pack : enable\n"
                    "#extension GL_ARB_gpu_shader5 : enable\n",
                    version);
}

void gv_fixed_transform(struct gv_bytes *out, const char *matrix, const char *vector)
{
    gv_bytes_printf(out,
                    "((%s[0] * %s.x + %s[1] * %s.y) + %s[2] * %s.z) + %s[3] * %s.w",
                    matrix, vector, matrix, vector, matrix, vector, matrix, vector);
}

static const char *const varying_names[GV_FIXED_COORD] = {
    [GV_FIXED_FRONT_COLOR] = "front_color",
    [GV_FIXED_FRONT_SECONDARY] = "front_secondary",
    [GV_FIXED_BACK_COLOR] = "back_color",
    [GV_FIXED_BACK_SECONDARY] = "back_secondary",
    [GV_FIXED_FOG] = "fog_distance",
};

void gv_fixed_varying_name(uint32_t varying, char name[24])
{
    if (varying < GV_FIXED_COORD)
        snprintf(name, 24, "%s", varying_names[varying]);
    else
        snprintf(name, 24, "coord%u", varying - GV_FIXED_COORD);
}

// Where stages of GLSL have a varying.
static uint32_t location_beside(uint32_t varying)
{
    static const uint8_t colors[GV_FIXED_COORD] = {
        [GV_FIXED_FRONT_COLOR] = GV_GLSL_COLOR_LOCATION,
        [GV_FIXED_BACK_COLOR] = GV_GLSL_COLOR_LOCATION + 1,
        [GV_FIXED_FRONT_SECONDARY] = GV_GLSL_COLOR_LOCATION + 2,
        [GV_FIXED_BACK_SECONDARY] = GV_GLSL_COLOR_LOCATION + 3,
        [GV_FIXED_FOG] = GV_GLSL_COLOR_LOCATION + 4,
    };
    return varying < GV_FIXED_COORD ? colors[varying]
                                    : GV_GLSL_COORD_LOCATION + varying - GV_FIXED_COORD;
}

uint32_t gv_fixed_varyings_at(uint64_t locations)
{
    uint32_t bits = 0;
    for (uint32_t v = 0; v < GV_FIXED_VARYINGS; v++)
        bits |= (uint32_t)(locations >> location_beside(v) & 1) << v;
    return bits;
}

void gv_fixed_varying_declare(const struct gv_fixed_varyings *varyings,
                              const char *direction, struct gv_bytes *out)
{
    const bool flat = varyings->flat;
    for (uint32_t v = 0; v < GV_FIXED_VARYINGS; v++) {
        if (!(varyings->bits >> v & 1))
            continue;
        char name[24];
        gv_fixed_varying_name(v, name);
        bool color = v < GV_FIXED_FOG, vector = color || v >= GV_FIXED_COORD;
        gv_bytes_printf(out, "layout(location = %u) %s%s %s %s;\n",
                        varyings->beside ? location_beside(v) : v,
                        flat && color ? "flat " : "", direction,
                        vector ? "vec4" : "float", name);
    }
}
