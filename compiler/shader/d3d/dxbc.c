#include "compiler/shader/d3d/dxbc.h"

#include <string.h>

#include "compiler/shader/d3d/aero_sm4.h"
#include "compiler/shader/d3d/dxbc_container.h"
#include "compiler/shader/d3d/dxbc_emit.h"
#include "compiler/shader/d3d/sm4.h"
#include "compiler/shader/d3d/sm9.h"
#include "compiler/shader/glsl/glsl.h"
#include "resources/base/cursor.h"

static const uint32_t native_stages[GV_DXBC_STAGE_COUNT] = {
    [GV_DXBC_VERTEX] = GV_STAGE_VERTEX,
    [GV_DXBC_PIXEL] = GV_STAGE_FRAGMENT,
    [GV_DXBC_GEOMETRY] = GV_STAGE_GEOMETRY,
    [GV_DXBC_HULL] = GV_STAGE_TESSELLATION_CONTROL,
    [GV_DXBC_DOMAIN] = GV_STAGE_TESSELLATION_EVALUATION,
    [GV_DXBC_COMPUTE] = GV_STAGE_COMPUTE,
};

// "Version token": program type in the high half, model below.
static bool read_version(const struct dxbc_tokens *tokens, struct ir_shader *out,
                         struct gv_error *err)
{
    static const uint8_t stages[] = { GV_DXBC_PIXEL, GV_DXBC_VERTEX, GV_DXBC_GEOMETRY,
                                      GV_DXBC_HULL,  GV_DXBC_DOMAIN, GV_DXBC_COMPUTE };
    uint32_t version = dxbc_token(tokens, 0);
    uint32_t type = version >> 16;
    if (type == 0xfffe || type == 0xffff) {
        out->model = GV_DXBC_D3D9;
        out->stage = type == 0xfffe ? GV_DXBC_VERTEX : GV_DXBC_PIXEL;
        out->major = version >> 8 & 0xff;
        out->minor = version & 0xff;
        return true;
    }
    if (type >= sizeof stages)
        return gv_fail(err, GV_ERR_FORMAT, tokens->offset,
                       "shader of unknown type 0x%x", type);
    out->stage = (enum gv_dxbc_stage)stages[type];
    out->major = version >> 4 & 0xf;
    out->minor = version & 0xf;
    if (out->major > 5 || (out->major == 5 && out->minor > 0))
        return gv_fail(err, GV_ERR_UNSUPPORTED, tokens->offset,
                       "unsupported: shader model %u.%u", out->major, out->minor);
    out->model = aero_sm4_recognise(tokens) ? GV_DXBC_AERO : GV_DXBC_SM4;
    return true;
}

static bool decode(const struct dxbc_tokens *tokens, struct ir_shader *s,
                   struct gv_error *err)
{
    switch (s->model) {
    case GV_DXBC_AERO:
        return aero_sm4_decode(tokens, s, err);
    case GV_DXBC_SM4:
        return sm4_decode(tokens, s, err);
    case GV_DXBC_D3D9:
        return sm9_decode(tokens, s, err);
    }
    return false;
}

static bool read_blob(const uint8_t *data, size_t size, uint64_t offset,
                      struct dxbc_container *out, struct ir_shader *s,
                      struct gv_error *err)
{
    if (dxbc_is_container(data, size)) {
        if (!dxbc_container_read(data, size, offset, s->arena, out, err))
            return false;
    } else {
        *out = (struct dxbc_container){ .tokens = { data, size / 4, offset } };
        if (!gv_dxbc_is_d3d9(data, size))
            return gv_fail(err, GV_ERR_FORMAT, offset,
                           "neither a dxbc container nor direct3d 9 tokens");
    }
    if (!read_version(&out->tokens, s, err))
        return false;
    dxbc_resolve_signatures(out, s->stage);
    s->offset = out->tokens.offset;
    s->inputs = out->inputs.elements;
    s->input_count = out->inputs.count;
    s->outputs = out->outputs.elements;
    s->output_count = out->outputs.count;
    s->patch = out->patch.elements;
    s->patch_count = out->patch.count;
    return true;
}

// ---- how floats behave ----

// SPIR-V specification, 3.32, 3.6 and 3.31.
enum {
    SPV_HEADER_WORDS = 5,
    SPV_OP_ENTRY_POINT = 15,
    SPV_OP_EXECUTION_MODE = 16,
    SPV_OP_CAPABILITY = 17,
    SPV_MODE_DENORM_FLUSH_TO_ZERO = 4460,
    SPV_MODE_SIGNED_ZERO_INF_NAN_PRESERVE = 4461,
    SPV_CAPABILITY_DENORM_FLUSH_TO_ZERO = 4465,
    SPV_CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE = 4466,
    SPV_OP_DECORATE = 71,
    SPV_OP_TYPE_VOID = 19, // what follows the decorations is a type
    SPV_OP_TYPE_FORWARD_POINTER = 39,
    SPV_OP_FNEGATE = 127,
    SPV_OP_FADD = 129,
    SPV_OP_FSUB = 131,
    SPV_OP_FMUL = 133,
    SPV_OP_FDIV = 136,
    SPV_OP_DOT = 148,
    SPV_DECORATION_NO_CONTRACTION = 42,
};

static bool is_float_arithmetic(uint32_t op)
{
    return op == SPV_OP_FNEGATE || op == SPV_OP_FADD || op == SPV_OP_FSUB ||
           op == SPV_OP_FMUL || op == SPV_OP_FDIV || op == SPV_OP_DOT;
}

static size_t length_at(const uint32_t *words, size_t at, size_t count)
{
    size_t length = words[at] >> 16;
    return length && length <= count - at ? length : count - at;
}

// Where the module's first type stands, behind its decorations.
static size_t first_type(const uint32_t *words, size_t count)
{
    size_t at = SPV_HEADER_WORDS;
    for (; at < count; at += length_at(words, at, count)) {
        uint32_t op = words[at] & 0xffff;
        if (op >= SPV_OP_TYPE_VOID && op <= SPV_OP_TYPE_FORWARD_POINTER)
            break;
    }
    return at;
}

// Decorates all float arithmetic, so that no driver reorders or fuses it. glslang's own
// `precise` makes modules of globals that do not validate (definitions that do not
// dominate their uses), hence here.
static bool forbid_contraction(struct ir_shader *s, struct gv_shader_stage *stage,
                               struct gv_error *err)
{
    const uint32_t *words = stage->words;
    size_t count = stage->word_count, types = first_type(words, count), n = 0;
    for (size_t at = types; at < count; at += length_at(words, at, count))
        n += is_float_arithmetic(words[at] & 0xffff);
    uint32_t *out = gv_arena_array(s->arena, count + 3 * n, sizeof *out);
    if (!out)
        return gv_out_of_memory(err);
    memcpy(out, words, types * sizeof *out);
    memcpy(out + types + 3 * n, words + types, (count - types) * sizeof *out);
    uint32_t *put = out + types;
    for (size_t at = types; at < count; at += length_at(words, at, count)) {
        if (!is_float_arithmetic(words[at] & 0xffff) || count - at < 3)
            continue;
        *put++ = 3u << 16 | SPV_OP_DECORATE;
        *put++ = words[at + 2]; // the result's id
        *put++ = SPV_DECORATION_NO_CONTRACTION;
    }
    stage->words = out;
    stage->word_count = count + 3 * n;
    return true;
}

// Direct3D flushes subnormal floats and knows infinities and NaN. The module says so;
// devices that offer no such mode are given it without (runtime/spirv/float_modes.h).
static bool set_float_modes(struct ir_shader *s, struct gv_shader_stage *stage,
                            struct gv_error *err)
{
    static const uint32_t modes[] = { SPV_MODE_DENORM_FLUSH_TO_ZERO,
                                      SPV_MODE_SIGNED_ZERO_INF_NAN_PRESERVE };
    const uint32_t capabilities[] = { 2u << 16 | SPV_OP_CAPABILITY,
                                      SPV_CAPABILITY_DENORM_FLUSH_TO_ZERO,
                                      2u << 16 | SPV_OP_CAPABILITY,
                                      SPV_CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE };
    const uint32_t *words = stage->words;
    size_t count = stage->word_count, added = 4 + 2 * 4, entry = SPV_HEADER_WORDS;
    while (entry < count && (words[entry] & 0xffff) != SPV_OP_ENTRY_POINT)
        entry += length_at(words, entry, count);
    uint32_t *out = gv_arena_array(s->arena, count + added, sizeof *out), *put = out;
    if (!out)
        return gv_out_of_memory(err);
    if (entry >= count || count - entry < 3)
        return true; // no module of ours
    size_t behind = entry + length_at(words, entry, count);
    memcpy(put, words, SPV_HEADER_WORDS * sizeof *out);
    put += SPV_HEADER_WORDS;
    memcpy(put, capabilities, sizeof capabilities);
    put += 4;
    memcpy(put, words + SPV_HEADER_WORDS, (behind - SPV_HEADER_WORDS) * sizeof *out);
    put += behind - SPV_HEADER_WORDS;
    for (size_t i = 0; i < 2; i++) {
        *put++ = 4u << 16 | SPV_OP_EXECUTION_MODE;
        *put++ = words[entry + 2]; // the function's id
        *put++ = modes[i];
        *put++ = 32;
    }
    memcpy(put, words + behind, (count - behind) * sizeof *out);
    stage->words = out;
    stage->word_count = count + added;
    return true;
}

// GLSL that we made ourselves should compile: an error is a limit of ours, told with
// the place of the shader.
static bool compile(struct ir_shader *s, struct gv_dxbc_shader *out,
                    struct gv_error *err)
{
    struct gv_glsl_text text = { native_stages[s->stage], out->glsl };
    struct gv_error inner = GV_ERROR_INIT;
    if (gv_glsl_compile(&text, 1, 0, s->arena, &out->spirv, &inner))
        return set_float_modes(s, &out->spirv, err) &&
               (!s->precise || forbid_contraction(s, &out->spirv, err));
    return gv_fail(err, inner.status, s->offset, "%s", inner.message);
}

bool gv_dxbc_translate(const void *blob, size_t size, uint64_t offset,
                       const struct gv_dxbc_options *options, struct gv_arena *arena,
                       struct gv_dxbc_shader *out, struct gv_error *err)
{
    struct dxbc_container container;
    struct ir_shader *s = gv_arena_alloc(arena, sizeof *s);
    *out = (struct gv_dxbc_shader){ 0 };
    if (!s)
        return gv_out_of_memory(err);
    if (size > GV_DXBC_MAX_BLOB)
        return gv_fail(err, GV_ERR_LIMIT, offset, "shader blob over %u bytes",
                       GV_DXBC_MAX_BLOB);
    s->arena = arena;
    s->options = options;
    if (!read_blob(blob, size, offset, &container, s, err) ||
        !decode(&container.tokens, s, err) || !ir_check(s, err))
        return false;
    out->stage = s->stage;
    out->model = s->model;
    out->major = s->major;
    out->minor = s->minor;
    return dxbc_emit(s, out, err) && compile(s, out, err);
}

bool gv_dxbc_is_d3d9(const void *blob, size_t size)
{
    struct gv_arena arena = { 0 };
    struct dxbc_container container;
    uint32_t version = 0;
    if (!dxbc_is_container(blob, size))
        version = size >= 4 ? gv_load_u32(blob) : 0;
    else if (dxbc_container_read(blob, size, 0, &arena, &container, NULL))
        version = dxbc_token(&container.tokens, 0);
    gv_arena_finish(&arena);
    return version >> 16 == 0xfffe || version >> 16 == 0xffff;
}
