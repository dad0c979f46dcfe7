// Stages whose interfaces may lie to each other: bytes choose what each declares
// (varyings, blocks, uniforms, samplers, built-ins; few names, many types) and what the
// API binds. What links must be valid (gv_glsl_program has every module validated), and
// its places must not collide.
#include "compiler/shader/glsl/glsl_program.h"
#include "compiler/shader/spirv/spirv_scan.h"
#include "resources/base/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STAGES 3
#define DECLARATIONS 12u // of a stage, below

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What is left of the input; behind its end there are zeros.
struct source {
    const uint8_t *data;
    size_t size;
};

static uint32_t pick(struct source *s, uint32_t count)
{
    if (!s->size)
        return 0;
    s->size--;
    return *s->data++ % count;
}

#define PICK(s, list) (list)[pick(s, sizeof(list) / sizeof *(list))]

static void wrong(const char *what, const char *name)
{
    fprintf(stderr, "fuzz_link: %s: %s\n", what, name);
    abort();
}

// ---- texts ----

struct maker {
    struct source *source;
    struct gv_bytes declared, body;
    uint32_t stage;
    uint32_t names; // that are taken: bits
    bool placed;    // the text itself says where something is
};

static const char *const types[] = {
    "float", "vec2",   "vec3", "vec4", "int",  "uvec2",
    "mat2",  "mat4x3", "mat3", "S",    "bool", "dvec3"
};
static const char *const arrays[] = { "", "", "", "[1]", "[3]", "[17]", "[2][2]" };

static void layout(struct maker *m, const char *const keys[3])
{
    const uint32_t how = pick(m->source, 8);
    if (how < 6)
        return;
    m->placed = true;
    gv_bytes_printf(&m->declared, "layout(%s = %u", keys[pick(m->source, 3)],
                    pick(m->source, 40));
    if (how == 7)
        gv_bytes_printf(&m->declared, ", %s = %u", keys[pick(m->source, 3)],
                        pick(m->source, 4));
    gv_bytes_printf(&m->declared, ") ");
}

// Copies what a declaration holds, so that it is used; now and then not.
static void copy(struct maker *m, const char *type, const char *array, const char *name)
{
    if (pick(m->source, 8) < 7)
        gv_bytes_printf(&m->body,
                        "  { %s copy%s = %s; seen += copy == %s ? 1. : 2.; }\n", type,
                        array, name, name);
}

// Now and then a name that something else has is declared again.
static bool take_name(struct maker *m, char kind, uint32_t count, char out[8])
{
    const uint32_t number = pick(m->source, count);
    const uint32_t bit = 1u << (number + (kind == 'u'   ? 6
                                          : kind == 't' ? 12
                                          : kind == 'B' ? 18
                                                        : 0));
    snprintf(out, 8, "%c%u", kind, number);
    if (m->names & bit && pick(m->source, 16) < 15)
        return false;
    m->names |= bit;
    return true;
}

static bool is_integer(const char *type)
{
    return *type == 'i' || *type == 'u' || *type == 'd';
}

static void varying(struct maker *m, bool out)
{
    static const char *const modes[] = { "", "", "flat ", "noperspective ",
                                         "centroid " };
    static const char *const keys[3] = { "location", "component", "index" };
    const bool fragment = m->stage == GV_STAGE_FRAGMENT;
    const bool between = out ? !fragment : m->stage != GV_STAGE_VERTEX;
    const char *type = PICK(m->source, types), *array = PICK(m->source, arrays);
    const char *mode = between ? PICK(m->source, modes) : "";
    const char *per_vertex = m->stage == GV_STAGE_GEOMETRY && !out ? "[3]" : "";
    char name[8], read[12];
    if (!take_name(m, 'v', 6, name))
        return;
    layout(m, keys);
    if (between && is_integer(type))
        mode = "flat ";
    gv_bytes_printf(&m->declared, "%s%s %s %s%s%s;\n", mode, out ? "out" : "in", type,
                    name, per_vertex, array);
    snprintf(read, sizeof read, "%s%s", name, *per_vertex ? "[1]" : "");
    if (out)
        gv_bytes_printf(&m->body, "  { %s copy%s; %s = copy; }\n", type, array, name);
    else
        copy(m, type, array, read);
}

static void block(struct maker *m, const char *kind)
{
    static const char *const keys[3] = { "binding", "location", "align" };
    static const char *const packings[] = { "", "layout(std140) ", "layout(shared) ",
                                            "layout(packed, row_major) " };
    const bool varyings = *kind == 'i' || *kind == 'o';
    const uint32_t members = 1 + pick(m->source, 4);
    const uint32_t form = pick(m->source, 4); // 0: no instance; 3: two of them
    const bool array = form == 3 || (m->stage == GV_STAGE_GEOMETRY && *kind == 'i');
    char name[8], member[16];
    if (!take_name(m, 'B', 4, name))
        return;
    gv_bytes_printf(&m->declared, "%s", varyings ? "" : PICK(m->source, packings));
    layout(m, keys);
    gv_bytes_printf(&m->declared, "%s %s {\n", kind, name);
    for (uint32_t i = 0; i < members; i++) {
        const char *type = PICK(m->source, types), *dims = PICK(m->source, arrays);
        snprintf(member, sizeof member, form || array ? "i%s%s.%s_%u" : "%.0s%.0s%s_%u",
                 name, array ? "[1]" : "", name, i);
        gv_bytes_printf(&m->declared, "  %s%s %s_%u%s;\n",
                        varyings && is_integer(type) ? "flat " : "", type, name, i,
                        dims);
        if (*kind != 'o')
            copy(m, type, dims, member);
    }
    if (form || array)
        gv_bytes_printf(&m->declared, "} i%s%s;\n", name, array ? "[3]" : "");
    else
        gv_bytes_printf(&m->declared, "};\n");
}

static void uniform(struct maker *m)
{
    static const char *const keys[3] = { "location", "binding", "offset" };
    const char *type = PICK(m->source, types), *array = PICK(m->source, arrays);
    char name[8];
    if (!take_name(m, 'u', 6, name))
        return;
    layout(m, keys);
    gv_bytes_printf(&m->declared, "uniform %s %s%s", type, name, array);
    if (!*array && *type != 'S' && pick(m->source, 3) == 2)
        gv_bytes_printf(&m->declared, " = %s(1)", type);
    gv_bytes_printf(&m->declared, ";\n");
    copy(m, type, array, name);
}

static void opaque(struct maker *m)
{
    static const struct {
        const char *type, *call, *rest;
    } kinds[] = {
        { "sampler2D", "textureSize(", ", 0).x" },
        { "samplerCube", "textureSize(", ", 0).x" },
        { "sampler2DRect", "textureSize(", ").x" },
        { "usampler3D", "textureSize(", ", 0).x" },
        { "sampler2DShadow", "textureSize(", ", 0).x" },
        { "isamplerBuffer", "textureSize(", ")" },
        { "atomic_uint", "atomicCounter(", ")" },
        { "H", "textureSize(", ".t, 0).x" },
    };
    static const char *const keys[3] = { "binding", "location", "offset" };
    const uint32_t kind = pick(m->source, sizeof kinds / sizeof *kinds);
    const bool array = pick(m->source, 3) == 2;
    char name[8];
    if (!take_name(m, 't', 6, name))
        return;
    layout(m, keys);
    gv_bytes_printf(&m->declared, "uniform %s %s%s;\n", kinds[kind].type, name,
                    array ? "[3]" : "");
    gv_bytes_printf(&m->body, "  seen += float(%s%s%s%s);\n", kinds[kind].call, name,
                    array ? "[1]" : "", kinds[kind].rest);
}

static void builtin(struct maker *m)
{
    static const char *const names[] = {
        "gl_FrontColor",     "gl_Color",     "gl_TexCoord[1]",
        "gl_TexCoord[7]",    "gl_BackColor", "gl_LightSource[2].position",
        "gl_FragData[1]",    "gl_Vertex",    "gl_MultiTexCoord3",
        "gl_SecondaryColor",
    };
    const char *name = PICK(m->source, names);
    if (pick(m->source, 2))
        gv_bytes_printf(&m->body, "  %s = vec4(seen);\n", name);
    else
        gv_bytes_printf(&m->body, "  seen += length(%s);\n", name);
}

static void declare(struct maker *m)
{
    static const char *const blocks[4] = { "uniform", "in", "out", "buffer" };
    switch (pick(m->source, 6)) {
    case 0:
        varying(m, true);
        break;
    case 1:
        varying(m, false);
        break;
    case 2:
        block(m, blocks[pick(m->source, 4) & (m->stage == GV_STAGE_VERTEX ? 2 : 3)]);
        break;
    case 3:
        uniform(m);
        break;
    case 4:
        opaque(m);
        break;
    default:
        builtin(m);
        break;
    }
}

// `entry`: "main", or the function of a further object of the stage.
static char *make_text(struct source *source, uint32_t stage, const char *entry,
                       bool *placed)
{
    static const char *const versions[] = { "460 compatibility", "430 compatibility",
                                            "460 compatibility", "330 compatibility",
                                            "460" };
    struct maker m = { .source = source, .stage = stage };
    gv_bytes_printf(&m.declared,
                    "#version %s\nstruct S { vec3 a; float b[2]; };\n"
                    "struct H { sampler2D t; vec4 c; };\n",
                    PICK(source, versions));
    if (stage == GV_STAGE_GEOMETRY)
        gv_bytes_printf(&m.declared, "layout(triangles) in;\n"
                                     "layout(triangle_strip, max_vertices = 3) out;\n");
    for (uint32_t i = pick(source, DECLARATIONS); i; i--)
        declare(&m);
    gv_bytes_printf(&m.declared, "void %s() {\n  float seen = 0.;\n", entry);
    gv_bytes_put(&m.declared, m.body.data, m.body.size);
    gv_bytes_printf(&m.declared, "%s}\n",
                    stage == GV_STAGE_FRAGMENT   ? "  gl_FragDepth = seen;\n"
                    : stage == GV_STAGE_GEOMETRY ? "  EmitVertex();\n"
                                                 : "  gl_Position = vec4(seen);\n");
    gv_bytes_u8(&m.declared, 0);
    gv_bytes_finish(&m.body);
    if (m.declared.failed)
        abort();
    *placed |= m.placed;
    return (char *)m.declared.data;
}

// ---- what comes out ----

// Each location of an interface has one owner.
static void check_locations(const struct gv_spirv_variables *module,
                            SpvStorageClass storage)
{
    uint64_t taken = 0;
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct gv_spirv_variable *v = &module->variables[i];
        if (v->storage != storage || v->builtin)
            continue;
        if (taken & v->locations)
            wrong("two variables at one location", v->name);
        taken |= v->locations;
    }
}

static void check_stage(const struct gv_shader_stage *s, bool outputs,
                        struct gv_arena *arena)
{
    struct gv_spirv_variables module;
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_spirv_scan(s->words, s->word_count, s->stage, arena, &module, &err))
        wrong("a linked module cannot be read", err.message);
    check_locations(&module, SpvStorageClassInput);
    if (outputs)
        check_locations(&module, SpvStorageClassOutput);
}

static void check_resources(const struct gv_glsl_program *p)
{
    for (size_t i = 0; i < p->resource_count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct gv_glsl_resource *a = &p->resources[i], *b = &p->resources[k];
            bool same =
                (a->set_vertex != GV_SPIRV_UNSET && a->set_vertex == b->set_vertex) ||
                (a->set_fragment != GV_SPIRV_UNSET &&
                 a->set_fragment == b->set_fragment);
            if (same && a->binding == b->binding)
                wrong("two resources at one binding", a->name);
        }
}

static uint32_t bytes_of(const struct gv_glsl_uniform *u)
{
    const uint32_t scalar = u->type.scalar == GV_GLSL_DOUBLE ? 8 : 4;
    const uint32_t lines = u->row_major ? u->type.rows : u->type.columns;
    const uint32_t line = u->row_major ? u->type.columns : u->type.rows;
    const uint32_t element = (lines - 1) * u->matrix_stride + line * scalar;
    return element + (u->array_size > 1 ? (u->array_size - 1) * u->array_stride : 0);
}

// Members lie in their blocks, and are found by their own names.
static void check_reflection(const struct gv_glsl_reflection *r)
{
    for (size_t i = 0; i < r->block_count; i++)
        for (uint32_t k = 0; k < r->blocks[i].count; k++) {
            const struct gv_glsl_uniform *u = &r->uniforms[r->blocks[i].first + k];
            uint32_t element;
            if (!u->runtime_array && u->offset + bytes_of(u) > r->blocks[i].size)
                wrong("a uniform leaves its block", u->name);
            if (i == 0 && !*r->blocks[0].name &&
                gv_glsl_find_uniform(r, u->name, &element) != u)
                wrong("a uniform is not found by its name", u->name);
        }
}

static void check(const struct gv_glsl_program *p, bool placed, struct gv_arena *arena)
{
    for (size_t i = 0; i < p->count && !placed; i++)
        check_stage(&p->stages[i], p->stages[i].stage != GV_STAGE_FRAGMENT, arena);
    check_resources(p);
    check_reflection(&p->reflection);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t stages[MAX_STAGES] = { GV_STAGE_VERTEX, GV_STAGE_FRAGMENT,
                                                 GV_STAGE_GEOMETRY };
    struct source source = { data, size };
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_program out;
    struct gv_glsl_text texts[MAX_STAGES + 1];
    char *made[MAX_STAGES + 1];
    const uint32_t kind = pick(&source, 16);
    const size_t first = pick(&source, 4) ? 0 : 1;
    size_t count = kind & 8 ? 3 : 2;
    bool placed = false;
    for (size_t i = 0; i < count; i++) {
        made[i] = make_text(&source, stages[i], "main", &placed);
        texts[i] = (struct gv_glsl_text){ stages[i], made[i] };
    }
    if (pick(&source, 4) == 1) { // two objects of one stage
        const uint32_t stage = stages[1 + pick(&source, (uint32_t)count - 1)];
        made[count] = make_text(&source, stage, "part", &placed);
        texts[count] = (struct gv_glsl_text){ stage, made[count] };
        count++;
    }
    const struct gv_glsl_attribute bound[] = {
        { .name = "v0", .location = pick(&source, 36) },
        { .name = "v1", .location = pick(&source, 4), .index = pick(&source, 3) },
    };
    const struct gv_glsl_program_params params = {
        .texts = texts + first,
        .count = count - first,
        .attributes = bound,
        .attribute_count = pick(&source, 3),
        .outputs = bound,
        .output_count = pick(&source, 3),
        .gl_rules = kind & 1,
        .separable = kind & 2,
        .upgrade = { .two_sided = kind & 4, .target = GV_GLSL_TARGET_TOP_DOWN },
    };
    if (getenv("FUZZ_LINK_SHOW")) // to read a finding
        for (size_t i = 0; i < count; i++)
            fprintf(stderr, "---- stage %x\n%s", texts[i].stage, made[i]);
    const bool ok = gv_glsl_program(&params, &arena, &out, &err);
    if (getenv("FUZZ_LINK_SHOW")) // to read a finding
        fprintf(stderr, "---- %s\n", ok ? "links" : err.message);
    if (ok)
        check(&out, placed, &arena);
    else if (err.status == GV_OK)
        wrong("refused in silence", "");
    for (size_t i = 0; i < count; i++)
        free(made[i]);
    gv_arena_finish(&arena);
    return 0;
}
