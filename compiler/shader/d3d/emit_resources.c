// What a shader declares as GLSL: constants, buffers, textures, samplers, registers.
#include "compiler/shader/d3d/emit_internal.h"

// GLSL needs what is bound before what uses it: declarations go to e->interface, the
// functions over them too.
#define OUT(...) gv_bytes_printf(&e->interface, __VA_ARGS__)

// Order of stages in the binding scheme of dxbc_types.h.
static uint32_t stage_index(const struct emitter *e)
{
    static const uint8_t order[GV_DXBC_STAGE_COUNT] = {
        [GV_DXBC_VERTEX] = 0, [GV_DXBC_PIXEL] = 1,  [GV_DXBC_GEOMETRY] = 2,
        [GV_DXBC_HULL] = 3,   [GV_DXBC_DOMAIN] = 4, [GV_DXBC_COMPUTE] = 5,
    };
    return order[e->shader->stage];
}

static void *table(struct emitter *e, size_t count, size_t size)
{
    void *p = gv_arena_array(e->shader->arena, count, size);
    if (!p)
        gv_out_of_memory(e->err);
    return p;
}

// ---- constants ----

static void constant_lookup(struct emitter *e, uint32_t slot, uint32_t size)
{
    const struct ir_shader *s = e->shader;
    OUT("uvec4 cb%u_at(int i)\n{\n", slot);
    for (size_t k = s->definition_count; k-- > 0;) {
        const struct ir_definition *d = &s->definitions[k];
        if (d->slot == slot)
            OUT("  if (i == %u)\n    return uvec4(0x%xu, 0x%xu, 0x%xu, 0x%xu);\n",
                d->index, d->values[0], d->values[1], d->values[2], d->values[3]);
    }
    OUT("  return uint(i) < %uu ? cb%u[i] : uvec4(0u);\n}\n", size, slot);
}

static bool cbuffers(struct emitter *e)
{
    struct gv_dxbc_shader *out = e->out;
    bool pixel = e->shader->stage == GV_DXBC_PIXEL;
    uint32_t base = pixel ? 0 : stage_index(e) * GV_DXBC_CBUFFER_BINDINGS;
    out->cbuffers = table(e, GV_DXBC_CBUFFER_BINDINGS, sizeof *out->cbuffers);
    if (!out->cbuffers)
        return false;
    for (uint32_t slot = 0; slot < GV_DXBC_MAX_CBUFFERS + 2; slot++) {
        uint32_t size = emit_cbuffer_size(e, slot);
        if (!e->usage->cbuffer_count[slot])
            continue;
        struct gv_dxbc_cbuffer *b = &out->cbuffers[out->cbuffer_count++];
        *b = (struct gv_dxbc_cbuffer){ .slot = slot,
                                       .size = size,
                                       .indexed = e->usage->cbuffer_relative[slot],
                                       .set = pixel,
                                       .binding = base + slot,
                                       .type = GV_BINDING_UNIFORM_BUFFER };
        OUT("layout(std140, set = %u, binding = %u) uniform CB%u { uvec4 cb%u[%u]; "
            "};\n",
            b->set, b->binding, slot, slot, size);
        if (e->usage->cbuffer_relative[slot])
            constant_lookup(e, slot, size);
    }
    return true;
}

static void immediate_constants(struct emitter *e)
{
    const struct ir_shader *s = e->shader;
    if (!e->usage->files[IR_FILE_ICB])
        return;
    uint32_t count = s->icb_count ? s->icb_count : 1;
    OUT("const uvec4 icb[%u] = uvec4[](\n", count);
    for (uint32_t i = 0; i < s->icb_count; i++)
        OUT("  uvec4(0x%xu, 0x%xu, 0x%xu, 0x%xu)%s", s->icb[i][0], s->icb[i][1],
            s->icb[i][2], s->icb[i][3], i + 1 < count ? ",\n" : "");
    OUT("%s);\n", s->icb_count ? "" : "  uvec4(0u)");
    OUT("uvec4 icb_at(int i)\n{\n  return uint(i) < %uu ? icb[i] : uvec4(0u);\n}\n",
        count);
}

// ---- buffers ----

static uint32_t buffer_binding(const struct emitter *e, bool uav, uint32_t slot)
{
    return stage_index(e) * GV_DXBC_RESOURCE_BINDINGS + (uav ? 128 : 0) + slot;
}

// `length` is what X.length() gives; words past it read zero and are not written.
static void buffer_functions(struct emitter *e, char x, uint32_t n, uint32_t stride,
                             bool loaded, bool written)
{
    if (loaded)
        OUT("uvec4 %c%u_load(uint word)\n{\n  uint n = uint(%c%u.length());\n"
            "  return uvec4(word < n ? %c%u[word] : 0u, word + 1u < n ? %c%u[word + "
            "1u] : "
            "0u,\n"
            "               word + 2u < n ? %c%u[word + 2u] : 0u,\n"
            "               word + 3u < n ? %c%u[word + 3u] : 0u);\n}\n",
            x, n, x, n, x, n, x, n, x, n, x, n);
    if (written)
        OUT("void %c%u_store(uint word, uint value)\n{\n"
            "  if (word < uint(%c%u.length()))\n    %c%u[word] = value;\n}\n",
            x, n, x, n, x, n);
    if (stride) // outside: a word that no buffer reaches, far from wrapping
        OUT("uint %c%u_at(uint index, uint byte)\n{\n"
            "  bool inside = index < uint(%c%u.length()) / %uu && byte < %uu;\n"
            "  return inside ? index * %uu + (byte >> 2) : 0x3fffffffu;\n}\n",
            x, n, x, n, stride / 4, stride, stride / 4);
}

static void buffer(struct emitter *e, bool uav, uint32_t n, bool loaded, bool written,
                   uint32_t stride)
{
    char x = uav ? 'u' : 't';
    struct gv_dxbc_buffer *b = &e->out->buffers[e->out->buffer_count++];
    *b = (struct gv_dxbc_buffer){
        .slot = n,
        .uav = uav,
        .written = written,
        .stride = stride,
        .set = 3,
        .binding = buffer_binding(e, uav, n),
        .type = GV_BINDING_STORAGE_BUFFER,
    };
    OUT("layout(std430, set = 3, binding = %u) %sbuffer %c%u_block { uint %c%u[]; };\n",
        b->binding, written ? "" : "readonly ", uav ? 'U' : 'T', n, x, n);
    buffer_functions(e, x, n, stride, loaded, written);
}

// The hidden counter of an append or consume buffer: a word of its own.
static void counter(struct emitter *e, uint32_t n)
{
    struct gv_dxbc_buffer *b = &e->out->buffers[e->out->buffer_count++];
    *b = (struct gv_dxbc_buffer){
        .slot = n,
        .uav = true,
        .counter = true,
        .written = true,
        .set = 3,
        .binding = buffer_binding(e, true, n) + GV_DXBC_MAX_UAVS,
        .type = GV_BINDING_STORAGE_BUFFER,
    };
    OUT("layout(std430, set = 3, binding = %u) buffer C%u_block { uint c%u[]; };\n",
        b->binding, n, n);
}

static bool texture_is_buffer(const struct emitter *e, uint32_t n)
{
    uint8_t kind = e->shader->textures[n].kind;
    bool by_use = e->usage->textures[n].raw || e->usage->textures[n].structured;
    return kind == IR_RESOURCE_RAW || kind == IR_RESOURCE_STRUCTURED || by_use;
}

static bool buffers(struct emitter *e)
{
    struct gv_dxbc_shader *out = e->out;
    out->buffers =
        table(e, GV_DXBC_MAX_TEXTURES + 2 * GV_DXBC_MAX_UAVS, sizeof *out->buffers);
    if (!out->buffers)
        return false;
    for (uint32_t n = 0; n < GV_DXBC_MAX_TEXTURES; n++)
        if (e->usage->textures[n].used && texture_is_buffer(e, n))
            buffer(e, false, n, true, false, e->shader->textures[n].stride);
    for (uint32_t n = 0; n < GV_DXBC_MAX_UAVS; n++) {
        if (e->usage->uavs[n].used && ir_uav_is_words(e->shader, e->usage, n))
            buffer(e, true, n, e->usage->uavs[n].loaded,
                   e->usage->uavs[n].stored || e->usage->uavs[n].atomic,
                   e->shader->uavs[n].stride);
        if (e->usage->uavs[n].counted)
            counter(e, n);
    }
    return true;
}

static bool shared_memory(struct emitter *e)
{
    uint64_t total = 0;
    for (uint32_t n = 0; n < 32; n++) {
        const struct ir_shared *g = &e->shader->shared[n];
        if (!e->usage->shared[n])
            continue;
        if (!g->declared || e->shader->stage != GV_DXBC_COMPUTE)
            return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset,
                           "shared memory g%u is not declared", n);
        total += g->bytes;
        OUT("shared uint g%u[%u];\n", n, g->bytes / 4);
        buffer_functions(e, 'g', n, g->stride, true, true);
    }
    return total <= IR_MAX_SHARED ||
           gv_fail(e->err, GV_ERR_LIMIT, e->shader->offset,
                   "shared memory over %d bytes", IR_MAX_SHARED);
}

// ---- textures ----

static const char *const texture_names[] = {
    [GV_DXBC_TEXTURE_1D] = "1D",
    [GV_DXBC_TEXTURE_1D_ARRAY] = "1DArray",
    [GV_DXBC_TEXTURE_2D] = "2D",
    [GV_DXBC_TEXTURE_2D_ARRAY] = "2DArray",
    [GV_DXBC_TEXTURE_2DMS] = "2DMS",
    [GV_DXBC_TEXTURE_2DMS_ARRAY] = "2DMSArray",
    [GV_DXBC_TEXTURE_3D] = "3D",
    [GV_DXBC_TEXTURE_CUBE] = "Cube",
    [GV_DXBC_TEXTURE_CUBE_ARRAY] = "CubeArray",
};
// Components of the texel position and of textureSize().
static const uint8_t size_components[] = {
    [GV_DXBC_TEXTURE_1D] = 1,         [GV_DXBC_TEXTURE_1D_ARRAY] = 2,
    [GV_DXBC_TEXTURE_2D] = 2,         [GV_DXBC_TEXTURE_2D_ARRAY] = 3,
    [GV_DXBC_TEXTURE_2DMS] = 2,       [GV_DXBC_TEXTURE_2DMS_ARRAY] = 3,
    [GV_DXBC_TEXTURE_3D] = 3,         [GV_DXBC_TEXTURE_CUBE] = 2,
    [GV_DXBC_TEXTURE_CUBE_ARRAY] = 3,
};

static bool is_multisampled(enum gv_dxbc_dimension d)
{
    return d == GV_DXBC_TEXTURE_2DMS || d == GV_DXBC_TEXTURE_2DMS_ARRAY;
}

// t#_ld: a texel by integer position, zero outside, as Direct3D's `ld` wants it.
static bool fetch_function(struct emitter *e, uint32_t n, enum gv_dxbc_dimension d,
                           const char *prefix)
{
    static const char *const parts[] = { "", "x", "xy", "xyz" };
    static const char *const types[] = { "", "int", "ivec2", "ivec3" };
    uint8_t k = size_components[d];
    if (d == GV_DXBC_TEXTURE_CUBE || d == GV_DXBC_TEXTURE_CUBE_ARRAY)
        return gv_fail(e->err, GV_ERR_FORMAT, e->shader->offset,
                       "texel load from cube texture t%u", n);
    OUT("%svec4 t%u_ld(ivec4 at, int level)\n{\n", prefix, n);
    if (!is_multisampled(d))
        OUT("  if (uint(level) >= uint(textureQueryLevels(t%u)))\n"
            "    return %svec4(0);\n",
            n, prefix);
    OUT("  %s size = textureSize(t%u%s);\n", types[k], n,
        is_multisampled(d) ? "" : ", level");
    if (k == 1)
        OUT("  if (uint(at.x) >= uint(size))\n");
    else
        OUT("  if (any(greaterThanEqual(uvec%u(at.%s), uvec%u(size))))\n", k, parts[k],
            k);
    OUT("    return %svec4(0);\n", prefix);
    OUT("  return texelFetch(t%u, at.%s, level);\n}\n", n, parts[k]);
    return true;
}

// t#_info: width, height, depth or layers, levels.
static void info_function(struct emitter *e, uint32_t n, enum gv_dxbc_dimension d)
{
    uint8_t k = size_components[d];
    OUT("uvec4 t%u_info(int level)\n{\n", n);
    if (is_multisampled(d))
        OUT("  return uvec4(textureSize(t%u)%s, 1u);\n}\n", n, k == 2 ? ", 0u" : "");
    else
        OUT("  uint levels = uint(textureQueryLevels(t%u));\n"
            "  if (uint(level) >= levels)\n    return uvec4(0u, 0u, 0u, levels);\n"
            "  return uvec4(textureSize(t%u, level)%s, levels);\n}\n",
            n, n,
            k == 1   ? ", 0u, 0u"
            : k == 2 ? ", 0u"
                     : "");
}

static bool uses_info(const struct emitter *e, uint32_t n)
{
    for (size_t k = 0; k < e->shader->instruction_count; k++) {
        const struct ir_instruction *i = &e->shader->instructions[k];
        if (i->op == IR_RESINFO && i->operands[2].file == IR_FILE_RESOURCE &&
            i->operands[2].index[0].base == n)
            return true;
    }
    return false;
}

static bool uses_load(const struct emitter *e, uint32_t n)
{
    for (size_t k = 0; k < e->shader->instruction_count; k++) {
        const struct ir_instruction *i = &e->shader->instructions[k];
        if ((i->op == IR_LD || i->op == IR_LD_LOD || i->op == IR_LD_MS) &&
            i->operands[2].index[0].base == n)
            return true;
    }
    return false;
}

static bool typed_buffer(struct emitter *e, uint32_t n, const char *prefix,
                         struct gv_dxbc_texture *t)
{
    t->type = GV_BINDING_UNIFORM_TEXEL_BUFFER;
    t->dimension = GV_DXBC_TEXTURE_UNKNOWN;
    OUT("layout(set = 2, binding = %u) uniform %stextureBuffer t%u;\n", t->binding,
        prefix, n);
    OUT("%svec4 t%u_ld(ivec4 at, int unused)\n{\n"
        "  return uint(at.x) < uint(textureSize(t%u)) ? texelFetch(t%u, at.x)\n"
        "                                             : %svec4(0);\n}\n",
        prefix, n, n, n, prefix);
    return true;
}

static bool texture(struct emitter *e, uint32_t n)
{
    const struct ir_resource *declared = &e->shader->textures[n];
    const char *prefix = declared->component == GV_DXBC_UINT   ? "u"
                         : declared->component == GV_DXBC_SINT ? "i"
                                                               : "";
    enum gv_dxbc_dimension d = emit_dimension(e, n);
    struct gv_dxbc_texture *t = &e->out->textures[e->out->texture_count++];
    *t = (struct gv_dxbc_texture){
        .slot = n,
        .dimension = d,
        .component = declared->component,
        .compare = e->usage->textures[n].compared,
        .undeclared = !declared->dimension,
        .set = 2,
        .binding = stage_index(e) * GV_DXBC_RESOURCE_BINDINGS + n,
        .type = GV_BINDING_SAMPLED_IMAGE,
    };
    if (declared->kind == IR_RESOURCE_TYPED_BUFFER)
        return typed_buffer(e, n, prefix, t);
    OUT("layout(set = 2, binding = %u) uniform %stexture%s t%u;\n", t->binding, prefix,
        texture_names[d], n);
    if (uses_load(e, n) && !fetch_function(e, n, d, prefix))
        return false;
    if (uses_info(e, n))
        info_function(e, n, d);
    return true;
}

static bool textures(struct emitter *e)
{
    struct gv_dxbc_shader *out = e->out;
    out->textures = table(e, GV_DXBC_MAX_TEXTURES, sizeof *out->textures);
    if (!out->textures)
        return false;
    for (uint32_t n = 0; n < GV_DXBC_MAX_TEXTURES; n++)
        if (e->usage->textures[n].used && !texture_is_buffer(e, n) && !texture(e, n))
            return false;
    return true;
}

// One that is used in both forms is declared in both on one descriptor, which a run
// refuses (vm/spirv/spirv_match.h).
static bool samplers(struct emitter *e)
{
    struct gv_dxbc_shader *out = e->out;
    out->samplers = table(e, GV_DXBC_MAX_SAMPLERS, sizeof *out->samplers);
    if (!out->samplers)
        return false;
    for (uint32_t n = 0; n < GV_DXBC_MAX_SAMPLERS; n++) {
        if (!e->usage->samplers[n].normal && !e->usage->samplers[n].compare)
            continue;
        struct gv_dxbc_sampler *s = &out->samplers[out->sampler_count++];
        *s = (struct gv_dxbc_sampler){
            .slot = n,
            .compare = e->usage->samplers[n].compare,
            .set = 2,
            .binding = stage_index(e) * GV_DXBC_RESOURCE_BINDINGS + 128 + n,
            .type = GV_BINDING_SAMPLER,
        };
        if (e->usage->samplers[n].normal)
            OUT("layout(set = 2, binding = %u) uniform sampler s%u;\n", s->binding, n);
        if (e->usage->samplers[n].compare)
            OUT("layout(set = 2, binding = %u) uniform samplerShadow s%u_compare;\n",
                s->binding, n);
    }
    return true;
}

// ---- registers ----

// Some drivers make a store of each element of an initializer: beyond this many, a loop
// clears the array.
#define MAX_INITIALIZED 32

static uint32_t array_size(const struct emitter *e, uint32_t n)
{
    uint32_t declared = e->shader->indexable_size[n], used = e->usage->indexable[n];
    return !used ? 0 : declared > used ? declared : used;
}

static void register_arrays(struct emitter *e)
{
    for (uint32_t n = 0; n < 64; n++) {
        uint32_t size = array_size(e, n);
        if (size)
            OUT("uvec4 x%u[%u]%s;\n", n, size, size > MAX_INITIALIZED ? "" : " = {}");
    }
}

void emit_clear_arrays(struct emitter *e)
{
    for (uint32_t n = 0; n < 64; n++) {
        uint32_t size = array_size(e, n);
        if (size > MAX_INITIALIZED)
            emit_line(e, "for (int i = 0; i < %u; i++)\n    x%u[i] = uvec4(0u);", size,
                      n);
    }
}

static void registers(struct emitter *e)
{
    for (uint32_t n = 0; n < e->usage->temp_count; n++)
        if (e->usage->temps[n])
            OUT("uvec4 r%u = uvec4(0u);\n", n);
    for (uint32_t n = 0; n < 16; n++)
        if (e->usage->predicates[n])
            OUT("uvec4 p%u = uvec4(0u);\n", n);
    register_arrays(e);
    if (e->usage->files[IR_FILE_ADDRESS])
        OUT("uvec4 a0 = uvec4(0u), aL = uvec4(0u);\n");
    if (e->usage->files[IR_FILE_FORK_ID] || e->usage->files[IR_FILE_JOIN_ID])
        OUT("uint instance_id = 0u;\n");
    if (e->deferred_discard)
        OUT("bool dead = false;\n");
}

bool emit_resources(struct emitter *e)
{
    if (!cbuffers(e))
        return false;
    immediate_constants(e);
    if (!buffers(e) || !shared_memory(e) || !textures(e) || !samplers(e))
        return false;
    registers(e);
    return true;
}
