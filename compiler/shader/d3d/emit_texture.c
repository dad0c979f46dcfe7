// Operations on textures: samples, gathers, loads, and what they are asked about.
#include "compiler/shader/d3d/emit_internal.h"

#include <string.h>

// How GLSL addresses each texture shape.
struct shape {
    const char *name;   // in sampler<name>
    const char *coords; // components of a coordinate
    const char *offset; // components of a texel offset, "" where there is none
    const char *size;   // components of textureSize, layers last
};
static const struct shape shapes[] = {
    [GV_DXBC_TEXTURE_1D] = { "1D", "x", "x", "x" },
    [GV_DXBC_TEXTURE_1D_ARRAY] = { "1DArray", "xy", "x", "xy" },
    [GV_DXBC_TEXTURE_2D] = { "2D", "xy", "xy", "xy" },
    [GV_DXBC_TEXTURE_2D_ARRAY] = { "2DArray", "xyz", "xy", "xyz" },
    [GV_DXBC_TEXTURE_2DMS] = { "2DMS", "xy", "", "xy" },
    [GV_DXBC_TEXTURE_2DMS_ARRAY] = { "2DMSArray", "xyz", "", "xyz" },
    [GV_DXBC_TEXTURE_3D] = { "3D", "xyz", "xyz", "xyz" },
    [GV_DXBC_TEXTURE_CUBE] = { "Cube", "xyz", "", "xy" },
    [GV_DXBC_TEXTURE_CUBE_ARRAY] = { "CubeArray", "xyzw", "", "xyz" },
};

enum gv_dxbc_dimension emit_dimension(const struct emitter *e, uint32_t slot)
{
    uint8_t declared = e->shader->textures[slot].dimension;
    uint8_t bound = e->shader->options ? e->shader->options->dimensions[slot] : 0;
    // Hand-made declarations are not reliable: what is bound decides.
    if (e->shader->model == GV_DXBC_AERO && bound)
        return (enum gv_dxbc_dimension)bound;
    if (declared)
        return (enum gv_dxbc_dimension)declared;
    return bound && bound <= GV_DXBC_TEXTURE_CUBE_ARRAY ? (enum gv_dxbc_dimension)bound
                                                        : GV_DXBC_TEXTURE_2D;
}

// The sources of a texture instruction by meaning.
struct parts {
    const struct ir_operand *dst, *coordinate, *texture, *sampler;
    const struct ir_operand *extra[2]; // after the sampler (or texture, without one)
    uint32_t slot;
    enum gv_dxbc_dimension dimension;
    const struct shape *shape;
};

static struct parts take_apart(const struct emitter *e, const struct ir_instruction *i)
{
    const struct ir_op_info *info = &ir_ops[i->op];
    // Every texture operation has all three; the analyser does not know.
    struct parts p = { .dst = i->operands,
                       .texture = i->operands,
                       .sampler = i->operands };
    int extras = 0;
    for (uint32_t k = 0; k < info->srcs; k++) {
        const struct ir_operand *o = &i->operands[info->dsts + k];
        if (info->args[k] == 't' || info->args[k] == 'b' || info->args[k] == 'm')
            p.texture = o;
        else if (info->args[k] == 's')
            p.sampler = o;
        else if (k == 0)
            p.coordinate = o;
        else if (extras < 2)
            p.extra[extras++] = o;
    }
    p.slot = p.texture->index[0].base;
    p.dimension = emit_dimension(e, p.slot);
    p.shape = &shapes[p.dimension];
    return p;
}

static char result_type(const struct emitter *e, uint32_t slot)
{
    uint8_t component = e->shader->textures[slot].component;
    if (component == GV_DXBC_UINT)
        return 'U';
    if (component == GV_DXBC_SINT)
        return 'I';
    return 'F';
}

static const char *type_prefix(char type)
{
    return type == 'U' ? "u" : type == 'I' ? "i" : "";
}

static void combined(struct emitter *e, const struct parts *p, bool compare)
{
    if (!compare)
        emit_text(e, "%s", type_prefix(result_type(e, p->slot)));
    emit_text(e, "sampler%s%s(t%u, s%u%s)", p->shape->name, compare ? "Shadow" : "",
              p->slot, p->sampler->index[0].base, compare ? "_compare" : "");
}

static void coordinate(struct emitter *e, const struct parts *p)
{
    emit_source(e, p->coordinate, 'F');
    emit_text(e, ".%s", p->shape->coords);
}

static bool has_offset(const struct ir_instruction *i)
{
    return i->offsets[0] || i->offsets[1] || i->offsets[2];
}

static bool offset_allowed(struct emitter *e, const struct ir_instruction *i,
                           const struct parts *p)
{
    return !has_offset(i) || *p->shape->offset ||
           gv_fail(e->err, GV_ERR_FORMAT, i->offset,
                   "texel offset on a texture that takes none");
}

static void offset(struct emitter *e, const struct ir_instruction *i,
                   const struct parts *p)
{
    size_t n = strlen(p->shape->offset);
    if (!has_offset(i))
        return;
    if (n == 1)
        emit_text(e, ", %d", i->offsets[0]);
    else if (n == 2)
        emit_text(e, ", ivec2(%d, %d)", i->offsets[0], i->offsets[1]);
    else
        emit_text(e, ", ivec3(%d, %d, %d)", i->offsets[0], i->offsets[1],
                  i->offsets[2]);
}

static bool multisampled(const struct parts *p)
{
    return p->dimension == GV_DXBC_TEXTURE_2DMS ||
           p->dimension == GV_DXBC_TEXTURE_2DMS_ARRAY;
}

static bool wrong_shape(struct emitter *e, const struct ir_instruction *i)
{
    return gv_fail(e->err, GV_ERR_FORMAT, i->offset,
                   "%s of a texture of the wrong shape", ir_ops[i->op].name);
}

// ---- sampling ----

static void gradient(struct emitter *e, const struct parts *p, int n)
{
    // Array layers have no gradient.
    static const char *const parts[] = { "", "x", "xy", "xyz" };
    size_t k = strlen(p->shape->coords);
    if (p->dimension == GV_DXBC_TEXTURE_1D_ARRAY ||
        p->dimension == GV_DXBC_TEXTURE_2D_ARRAY ||
        p->dimension == GV_DXBC_TEXTURE_CUBE_ARRAY)
        k--;
    emit_text(e, ", ");
    emit_source(e, p->extra[n], 'F');
    emit_text(e, ".%s", parts[k]);
}

static bool sample(struct emitter *e, const struct ir_instruction *i)
{
    struct parts p = take_apart(e, i);
    char type = result_type(e, p.slot);
    if (multisampled(&p))
        return wrong_shape(e, i);
    if (!offset_allowed(e, i, &p))
        return false;
    if (!emit_begin_write(e, i, p.dst, type))
        return true;
    const char *function = i->op == IR_SAMPLE_L   ? "textureLod"
                           : i->op == IR_SAMPLE_D ? "textureGrad"
                                                  : "texture";
    emit_text(e, "%s%s(", function, has_offset(i) ? "Offset" : "");
    combined(e, &p, false);
    emit_text(e, ", ");
    coordinate(e, &p);
    if (i->op == IR_SAMPLE_L) {
        emit_text(e, ", ");
        emit_scalar(e, p.extra[0], 0, 'F');
    }
    if (i->op == IR_SAMPLE_D) {
        gradient(e, &p, 0);
        gradient(e, &p, 1);
    }
    offset(e, i, &p);
    // Other stages than pixel shaders have no derivatives to bias.
    if (i->op == IR_SAMPLE_B && e->shader->stage == GV_DXBC_PIXEL) {
        emit_text(e, ", ");
        emit_scalar(e, p.extra[0], 0, 'F');
    }
    emit_text(e, ")");
    emit_swizzle(e, p.texture);
    emit_end_write(e, i, p.dst, type);
    return true;
}

// Shadow coordinates: GLSL puts the reference behind the coordinate, except for cube
// arrays, which have no room left.
static void shadow_coordinate(struct emitter *e, const struct parts *p)
{
    bool alone = p->dimension == GV_DXBC_TEXTURE_CUBE_ARRAY;
    size_t k = strlen(p->shape->coords);
    if (!alone)
        emit_text(e, k < 3 ? "vec3(" : "vec4(");
    coordinate(e, p);
    if (k == 1)
        emit_text(e, ", 0.0"); // an unused component
    emit_text(e, ", ");
    emit_scalar(e, p->extra[0], 0, 'F');
    emit_text(e, alone ? "" : ")");
}

static bool sample_compare(struct emitter *e, const struct ir_instruction *i)
{
    struct parts p = take_apart(e, i);
    enum gv_dxbc_dimension d = p.dimension;
    if (multisampled(&p) || d == GV_DXBC_TEXTURE_3D)
        return wrong_shape(e, i);
    if (!offset_allowed(e, i, &p))
        return false;
    bool zero = i->op == IR_SAMPLE_C_LZ && e->shader->stage == GV_DXBC_PIXEL;
    // textureLod lacks these shapes; a zero gradient selects level 0 as well. GLSL has
    // neither for cube arrays, SPIR-V does.
    bool by_gradient = d == GV_DXBC_TEXTURE_2D_ARRAY || d == GV_DXBC_TEXTURE_CUBE;
    bool by_intrinsic = zero && d == GV_DXBC_TEXTURE_CUBE_ARRAY;
    if (!emit_begin_write(e, i, p.dst, 'F'))
        return true;
    emit_text(e, "vec4(%s%s(",
              by_intrinsic  ? EMIT_CUBE_ARRAY_LEVEL_0
              : !zero       ? "texture"
              : by_gradient ? "textureGrad"
                            : "textureLod",
              has_offset(i) ? "Offset" : "");
    combined(e, &p, true);
    emit_text(e, ", ");
    shadow_coordinate(e, &p);
    if (zero)
        emit_text(e, by_intrinsic                ? ", 2, 0.0" // image operand Lod
                     : !by_gradient              ? ", 0.0"
                     : d == GV_DXBC_TEXTURE_CUBE ? ", vec3(0.0), vec3(0.0)"
                                                 : ", vec2(0.0), vec2(0.0)");
    offset(e, i, &p);
    emit_text(e, "))");
    emit_swizzle(e, p.texture);
    emit_end_write(e, i, p.dst, 'F');
    return true;
}

// ---- D3D9 ----

static bool sample_9(struct emitter *e, const struct ir_instruction *i)
{
    struct parts p = take_apart(e, i);
    bool pixel = e->shader->stage == GV_DXBC_PIXEL;
    if (!emit_begin_write(e, i, p.dst, 'F'))
        return true;
    // Vertex shaders have no derivatives: level 0 unless they state one.
    emit_text(e, i->op == IR_SAMPLE_LOD_9 || !pixel ? "textureLod(" : "texture(");
    combined(e, &p, false);
    emit_text(e, ", ");
    coordinate(e, &p);
    if (i->op == IR_SAMPLE_PROJ_9) {
        emit_text(e, " / ");
        emit_scalar(e, p.coordinate, 3, 'F');
    }
    if (i->op == IR_SAMPLE_LOD_9 || (i->op == IR_SAMPLE_BIAS_9 && pixel)) {
        emit_text(e, ", ");
        emit_scalar(e, p.coordinate, 3, 'F');
    } else if (!pixel) {
        emit_text(e, ", 0.0");
    }
    emit_text(e, ")");
    emit_end_write(e, i, p.dst, 'F');
    return true;
}

// ---- gathering ----

// Offsets that are not constants need shaderImageGatherExtended: the corner that the
// four texels meet in is moved instead.
static void gather_moved(struct emitter *e, const struct parts *p, bool compare)
{
    bool array = p->dimension == GV_DXBC_TEXTURE_2D_ARRAY;
    emit_text(e, "%sd3d_gather_at(", array ? "vec3(" : "");
    emit_source(e, p->coordinate, 'F');
    emit_text(e, ".xy, ");
    emit_source(e, p->extra[0], 'I');
    emit_text(e, ".xy, textureSize(");
    combined(e, p, compare);
    emit_text(e, ", 0).xy)");
    if (!array)
        return;
    emit_text(e, ", ");
    emit_scalar(e, p->coordinate, 2, 'F');
    emit_text(e, ")");
}

static bool gather(struct emitter *e, const struct ir_instruction *i)
{
    struct parts p = take_apart(e, i);
    bool compare = i->op == IR_GATHER4_C || i->op == IR_GATHER4_PO_C;
    bool programmable = i->op == IR_GATHER4_PO || i->op == IR_GATHER4_PO_C;
    enum gv_dxbc_dimension d = p.dimension;
    if (d != GV_DXBC_TEXTURE_2D && d != GV_DXBC_TEXTURE_2D_ARRAY &&
        d != GV_DXBC_TEXTURE_CUBE && d != GV_DXBC_TEXTURE_CUBE_ARRAY)
        return wrong_shape(e, i);
    if (programmable && !*p.shape->offset)
        return wrong_shape(e, i);
    if (!offset_allowed(e, i, &p))
        return false;
    char type = result_type(e, p.slot);
    if (compare)
        type = 'F';
    if (!emit_begin_write(e, i, p.dst, type))
        return true;
    bool constant = !programmable && has_offset(i);
    emit_text(e, "textureGather%s(", constant ? "Offset" : "");
    combined(e, &p, compare);
    emit_text(e, ", ");
    if (programmable)
        gather_moved(e, &p, compare);
    else
        coordinate(e, &p);
    if (compare) {
        emit_text(e, ", ");
        emit_scalar(e, p.extra[programmable ? 1 : 0], 0, 'F');
    }
    if (constant)
        offset(e, i, &p);
    if (!compare)
        emit_text(e, ", %u", p.sampler->swizzle[0]);
    emit_text(e, ")");
    emit_swizzle(e, p.texture);
    emit_end_write(e, i, p.dst, type);
    return true;
}

static bool level_of_detail(struct emitter *e, const struct ir_instruction *i)
{
    struct parts p = take_apart(e, i);
    static const char *const parts[] = { "", "x", "xy", "xyz" };
    size_t k = strlen(p.shape->coords);
    if (p.dimension == GV_DXBC_TEXTURE_1D_ARRAY ||
        p.dimension == GV_DXBC_TEXTURE_2D_ARRAY ||
        p.dimension == GV_DXBC_TEXTURE_CUBE_ARRAY)
        k--;
    if (multisampled(&p))
        return wrong_shape(e, i);
    if (!emit_begin_write(e, i, p.dst, 'F'))
        return true;
    emit_text(e, "vec4(textureQueryLod(");
    combined(e, &p, false);
    emit_text(e, ", ");
    emit_source(e, p.coordinate, 'F');
    emit_text(e, ".%s), 0.0, 0.0)", parts[k]);
    emit_swizzle(e, p.texture);
    emit_end_write(e, i, p.dst, 'F');
    return true;
}

// ---- fetching and asking; the functions t#_ld and so on come from emit_resources.c
// ----

static bool load(struct emitter *e, const struct ir_instruction *i)
{
    struct parts p = take_apart(e, i);
    char type = result_type(e, p.slot);
    bool buffer = e->shader->textures[p.slot].kind == IR_RESOURCE_TYPED_BUFFER;
    if (!offset_allowed(e, i, &p))
        return false;
    if (i->op == IR_LD_MS && !multisampled(&p) && !buffer)
        return wrong_shape(e, i);
    if (!emit_begin_write(e, i, p.dst, type))
        return true;
    emit_text(e, "t%u_ld(", p.slot);
    emit_source(e, p.coordinate, 'I');
    if (has_offset(i))
        emit_text(e, " + ivec4(%d, %d, %d, 0)", i->offsets[0], i->offsets[1],
                  i->offsets[2]);
    emit_text(e, ", ");
    if (i->op == IR_LD)
        emit_scalar(e, p.coordinate, e->shader->model == GV_DXBC_AERO ? 2 : 3, 'I');
    else
        emit_scalar(e, p.extra[0], 0, 'I');
    emit_text(e, ")");
    emit_swizzle(e, p.texture);
    emit_end_write(e, i, p.dst, type);
    return true;
}

// What an unbound view says of itself.
static bool no_info(struct emitter *e, const struct ir_instruction *i)
{
    if (!emit_begin_write(e, i, &i->operands[0], 'U'))
        return true;
    emit_text(e, "uvec4(0u)");
    emit_end_write(e, i, &i->operands[0], 'U');
    return true;
}

static bool resource_info(struct emitter *e, const struct ir_instruction *i)
{
    struct parts p = take_apart(e, i);
    bool floats = i->flags != IR_INFO_UINT;
    char type = floats ? 'F' : 'U';
    if (p.texture->file != IR_FILE_RESOURCE) // no source binds textures for access
        return no_info(e, i);
    if (!emit_begin_write(e, i, p.dst, type))
        return true;
    bool reciprocal = i->flags == IR_INFO_RECIPROCAL;
    emit_text(e, reciprocal ? "d3d_reciprocal_size(" : "");
    emit_text(e, floats ? "vec4(t%u_info(int(" : "t%u_info(int(", p.slot);
    emit_scalar(e, p.coordinate, 0, 'U');
    emit_text(e, floats ? ")))" : "))");
    emit_text(e, reciprocal ? ")" : "");
    emit_swizzle(e, p.texture);
    emit_end_write(e, i, p.dst, type);
    return true;
}

// Targets have one sample each, in the middle of the pixel.
static bool sample_info(struct emitter *e, const struct ir_instruction *i)
{
    const struct ir_operand *of = &i->operands[1];
    char type = i->flags == IR_INFO_UINT ? 'U' : 'F';
    struct parts p = take_apart(e, i);
    bool rasterizer = of->file == IR_FILE_RASTERIZER;
    if (!rasterizer && !multisampled(&p))
        return wrong_shape(e, i);
    if (!emit_begin_write(e, i, p.dst, type))
        return true;
    emit_text(e, type == 'U' ? "uvec4(" : "vec4(");
    if (rasterizer)
        emit_text(e, "1, 0, 0, 0)");
    else
        emit_text(e, "textureSamples(t%u), 0, 0, 0)", p.slot);
    emit_swizzle(e, of);
    emit_end_write(e, i, p.dst, type);
    return true;
}

// Where a sample lies from the middle of its pixel: there, or unbound, which is 0 too.
static bool sample_position(struct emitter *e, const struct ir_instruction *i)
{
    const struct parts p = take_apart(e, i);
    if (i->operands[1].file == IR_FILE_RESOURCE && !multisampled(&p))
        return wrong_shape(e, i);
    return no_info(e, i);
}

// ---- inputs evaluated elsewhere ----

static bool evaluate(struct emitter *e, const struct ir_instruction *i)
{
    static const char *const functions[] = { "Centroid", "Sample", "Offset" };
    const struct ir_operand *in = &i->operands[1];
    const struct gv_dxbc_options *options = e->shader->options;
    bool missing = options && options->missing_inputs >> in->index[0].base & 1;
    bool found = missing;
    for (uint32_t k = 0; k < e->out->input_count; k++)
        found |= e->out->inputs[k].location == in->index[0].base;
    if (e->shader->stage != GV_DXBC_PIXEL || !found || in->index[0].relative)
        return gv_fail(e->err, GV_ERR_FORMAT, i->offset, "%s of no interpolated input",
                       ir_ops[i->op].name);
    if (!emit_begin_write(e, i, &i->operands[0], 'F'))
        return true;
    if (missing) { // the same everywhere
        emit_source(e, in, 'F');
        emit_end_write(e, i, &i->operands[0], 'F');
        return true;
    }
    emit_text(e, "interpolateAt%s(in%u",
              functions[i->op == IR_EVAL_CENTROID ? 0
                        : i->op == IR_EVAL_SAMPLE ? 1
                                                  : 2],
              in->index[0].base);
    if (i->op == IR_EVAL_SAMPLE) {
        emit_text(e, ", ");
        emit_scalar(e, &i->operands[2], 0, 'I');
    } else if (i->op == IR_EVAL_SNAPPED) { // sixteenths of a pixel
        emit_text(e, ", vec2(");
        emit_source(e, &i->operands[2], 'I');
        emit_text(e, ".xy) / 16.0");
    }
    emit_text(e, ")");
    emit_swizzle(e, in);
    emit_end_write(e, i, &i->operands[0], 'F');
    return true;
}

bool emit_texture(struct emitter *e, const struct ir_instruction *i, bool *ok)
{
    switch ((enum ir_op)i->op) {
    case IR_SAMPLE:
    case IR_SAMPLE_B:
    case IR_SAMPLE_L:
    case IR_SAMPLE_D:
        *ok = sample(e, i);
        return true;
    case IR_SAMPLE_C:
    case IR_SAMPLE_C_LZ:
        *ok = sample_compare(e, i);
        return true;
    case IR_SAMPLE_9:
    case IR_SAMPLE_PROJ_9:
    case IR_SAMPLE_BIAS_9:
    case IR_SAMPLE_LOD_9:
        *ok = sample_9(e, i);
        return true;
    case IR_GATHER4:
    case IR_GATHER4_C:
    case IR_GATHER4_PO:
    case IR_GATHER4_PO_C:
        *ok = gather(e, i);
        return true;
    case IR_LOD:
        *ok = level_of_detail(e, i);
        return true;
    case IR_LD:
    case IR_LD_LOD:
    case IR_LD_MS:
        *ok = load(e, i);
        return true;
    case IR_RESINFO:
        *ok = resource_info(e, i);
        return true;
    case IR_SAMPLEINFO:
        *ok = sample_info(e, i);
        return true;
    case IR_SAMPLEPOS:
        *ok = sample_position(e, i);
        return true;
    case IR_EVAL_CENTROID:
    case IR_EVAL_SAMPLE:
    case IR_EVAL_SNAPPED:
        *ok = evaluate(e, i);
        return true;
    default:
        return false;
    }
}
