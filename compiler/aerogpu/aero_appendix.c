// The minimal packets of appendix A: one per Packet record, drawing coloured triangles
// with GLSL ES, DXBC or WGSL shaders into the default framebuffer.
#include "compiler/aerogpu/aero_appendix.h"

#include <string.h>

#include "compiler/shader/glsl/glsl_program.h"
#include "resources/base/checked.h"

//   OPCODE(name, code, dwords, what the reference calls it)
#define OPCODES(OPCODE)             \
    OPCODE(create_buffer, 1, 5)     \
    OPCODE(upload_buffer, 2, 7)     \
    OPCODE(create_shader, 3, 10)    \
    OPCODE(create_pipeline, 4, 5)   \
    OPCODE(set_pipeline, 5, 3)      \
    OPCODE(set_vertex_buffer, 6, 6) \
    OPCODE(set_viewport, 7, 4)      \
    OPCODE(clear, 8, 6)             \
    OPCODE(draw, 9, 4)              \
    OPCODE(present, 10, 2)

struct packet {
    const uint8_t *p; // whole packet
    uint64_t offset;  // in the file
};

static uint32_t operand(const struct packet *k, uint32_t i)
{
    return gv_load_u32(k->p + 8 + 4 * (size_t)i);
}

static uint64_t operand64(const struct packet *k, uint32_t i)
{
    return operand(k, i) | (uint64_t)operand(k, i + 1) << 32;
}

static bool fail(const struct packet *k, struct gv_error *err, const char *what,
                 uint32_t id)
{
    return gv_fail(err, GV_ERR_FORMAT, k->offset, "AppendixA: %s %u", what, id);
}

// Room for one more element of an array that grows in the arena.
static void *grown(struct gv_aero *a, void *array, uint32_t count, uint32_t *capacity,
                   size_t size, struct gv_error *err)
{
    if (count < *capacity)
        return array;
    if (count >= GV_AERO_APPENDIX_OBJECTS) {
        gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %u minimal objects",
                GV_AERO_APPENDIX_OBJECTS);
        return NULL;
    }
    // All at once: pointers into the array are kept.
    void *larger = gv_arena_array(a->arena, GV_AERO_APPENDIX_OBJECTS, size);
    if (!larger)
        gv_out_of_memory(err);
    *capacity = GV_AERO_APPENDIX_OBJECTS;
    return larger;
}

#define FINDER(kind)                                                                  \
    static struct gv_aero_minimal_##kind *find_##kind(struct gv_aero *a, uint32_t id) \
    {                                                                                 \
        for (uint32_t i = 0; i < a->appendix->kind##_count; i++)                      \
            if (a->appendix->kind##s[i].id == id)                                     \
                return &a->appendix->kind##s[i];                                      \
        return NULL;                                                                  \
    }
FINDER(buffer)
FINDER(shader)
FINDER(pipeline)

static bool create_buffer(struct gv_aero *a, const struct packet *k,
                          struct gv_error *err)
{
    struct gv_aero_appendix *m = a->appendix;
    uint32_t id = operand(k, 0), size = operand(k, 1);
    if (find_buffer(a, id))
        return fail(k, err, "buffer exists:", id);
    if (!size || size > GV_AERO_MAX_RESOURCE_BYTES)
        return fail(k, err, "buffer size", size);
    m->buffers = grown(a, m->buffers, m->buffer_count, &m->buffer_capacity,
                       sizeof *m->buffers, err);
    if (!m->buffers)
        return false;
    struct gv_buffer gpu = gv_emit(gv_lower_transfer(&a->pass), buffer_create,
                                   .size = size, .usage = GV_BUFFER_USAGE_VERTEX);
    m->buffers[m->buffer_count++] = (struct gv_aero_minimal_buffer){ id, gpu, size };
    return true;
}

static bool upload_buffer(struct gv_aero *a, const struct packet *k,
                          struct gv_error *err)
{
    const struct gv_aero_minimal_buffer *b = find_buffer(a, operand(k, 0));
    uint32_t offset = operand(k, 1), length = operand(k, 2);
    if (!b)
        return fail(k, err, "unknown buffer", operand(k, 0));
    const struct gv_aero_blob *blob =
        gv_aero_blob_get(&a->blobs, operand64(k, 3), GV_BLOB_BUFFER, k->offset, err);
    if (!blob)
        return false;
    if (blob->size != length)
        return fail(k, err, "upload differs from its blob: length", length);
    if (!gv_range_inside(offset, length, b->size))
        return fail(k, err, "upload passes buffer", b->id);
    if (!length)
        return true;
    gv_emit(gv_lower_transfer(&a->pass), buffer_upload, .buffer = b->gpu,
            .offset = offset, .data = gv_data(blob->data), .size = length);
    return true;
}

static bool load_wgsl(struct gv_aero *a, const struct packet *k, uint64_t id,
                      struct gv_aero_minimal_shader *s, struct gv_error *err)
{
    const struct gv_aero_blob *blob =
        gv_aero_blob_get(&a->blobs, id, GV_BLOB_WGSL, k->offset, err);
    if (!blob)
        return false;
    s->wgsl = gv_arena_alloc(a->arena, sizeof *s->wgsl);
    if (!s->wgsl)
        return gv_out_of_memory(err);
    const struct gv_wgsl_params params = {
        .text = (const char *)blob->data,
        .size = blob->size,
        .offset = blob->offset,
        .stage = s->fragment ? GV_STAGE_FRAGMENT : GV_STAGE_VERTEX,
        .entry = s->fragment ? "fs_main" : "vs_main",
    };
    if (!gv_wgsl_translate(&params, a->arena, &s->wgsl->shader, err))
        return false;
    const struct gv_glsl_text text = { params.stage, s->wgsl->shader.glsl };
    struct gv_error local = GV_ERROR_INIT;
    return gv_glsl_compile(&text, 1, 0, a->arena, &s->wgsl->spirv, &local) ||
           gv_fail(err, local.status, blob->offset, "%s", local.message);
}

// A shader comes as GLSL ES, as DXBC or as WGSL; the first that is there and real.
static bool load_shader(struct gv_aero *a, const struct packet *k,
                        struct gv_aero_minimal_shader *s, struct gv_error *err)
{
    static const uint8_t stub[8] = { 'D', 'X', 'B', 'C', 'S', 'T', 'U', 'B' };
    uint64_t glsl = operand64(k, 2), wgsl = operand64(k, 4), dxbc = operand64(k, 6);
    const struct gv_aero_blob *blob;
    if (glsl) {
        blob = gv_aero_blob_get(&a->blobs, glsl, GV_BLOB_GLSL, k->offset, err);
        s->glsl = blob ? gv_arena_copy(a->arena, blob->data, blob->size) : NULL;
        s->glsl_offset = blob ? blob->offset : 0;
        return s->glsl || gv_out_of_memory(err);
    }
    blob =
        dxbc ? gv_aero_blob_get(&a->blobs, dxbc, GV_BLOB_DXBC, k->offset, err) : NULL;
    if (dxbc && !blob)
        return false;
    if (blob &&
        (blob->size != sizeof stub || memcmp(blob->data, stub, sizeof stub) != 0)) {
        s->dxbc = gv_arena_alloc(a->arena, sizeof *s->dxbc);
        return s->dxbc ? gv_dxbc_translate(blob->data, blob->size, blob->offset, NULL,
                                           a->arena, s->dxbc, err)
                       : gv_out_of_memory(err);
    }
    if (wgsl)
        return load_wgsl(a, k, wgsl, s, err);
    return gv_fail(err, GV_ERR_UNSUPPORTED, k->offset,
                   "unsupported: a shader without source");
}

static bool create_shader(struct gv_aero *a, const struct packet *k,
                          struct gv_error *err)
{
    struct gv_aero_appendix *m = a->appendix;
    struct gv_aero_minimal_shader s = { .id = operand(k, 0),
                                        .fragment = operand(k, 1) == 1 };
    if (find_shader(a, s.id))
        return fail(k, err, "shader exists:", s.id);
    if (operand(k, 1) > 1)
        return fail(k, err, "unknown stage", operand(k, 1));
    m->shaders = grown(a, m->shaders, m->shader_count, &m->shader_capacity,
                       sizeof *m->shaders, err);
    if (!m->shaders || !load_shader(a, k, &s, err))
        return false;
    m->shaders[m->shader_count++] = s;
    return true;
}

static bool link_glsl(struct gv_aero *a, const struct gv_aero_minimal_shader *vs,
                      const struct gv_aero_minimal_shader *fs,
                      struct gv_aero_minimal_pipeline *p, struct gv_error *err)
{
    const struct gv_glsl_text texts[2] = { { GV_STAGE_VERTEX, vs->glsl },
                                           { GV_STAGE_FRAGMENT, fs->glsl } };
    const struct gv_glsl_program_params params = { .texts = texts,
                                                   .count = 2,
                                                   .upgrade = { .es = true } };
    struct gv_glsl_program *program = gv_arena_alloc(a->arena, sizeof *program);
    if (!program)
        return gv_out_of_memory(err);
    struct gv_error local = GV_ERROR_INIT;
    if (!gv_glsl_program(&params, a->arena, program, &local)) // offsets are of no text
        return gv_fail(err, local.status, vs->glsl_offset, "%s", local.message);
    p->stages[0] = program->stages[0];
    p->stages[1] = program->stages[1];
    return true;
}

// Position and colour are what the packets feed; what the fragment stage reads, the
// vertex stage must write; the framebuffer holds floats.
static bool check_wgsl(const struct packet *k, const struct gv_wgsl_shader *vs,
                       const struct gv_wgsl_shader *fs, struct gv_error *err)
{
    for (uint32_t i = 0; i < GV_WGSL_MAX_LOCATIONS; i++) {
        const struct gv_wgsl_location *in = &vs->inputs[i], *from = &vs->outputs[i];
        const struct gv_wgsl_location *to = &fs->inputs[i], *target = &fs->outputs[i];
        if (in->scalar && (i > 1 || in->scalar != GV_WGSL_F32))
            return fail(k, err, "no vertex attribute for location", i);
        if (to->scalar &&
            (to->scalar != from->scalar || to->components != from->components))
            return fail(k, err, "vertex and fragment shader differ in location", i);
        if (target->scalar && (i || target->scalar != GV_WGSL_F32))
            return fail(k, err, "no target for location", i);
    }
    return true;
}

static const char *language(const struct gv_aero_minimal_shader *s)
{
    return s->glsl ? "GLSL" : s->dxbc ? "DXBC" : "WGSL";
}

// Both stages in one language: each has its own way of fitting them together.
static bool link_stages(struct gv_aero *a, const struct packet *k,
                        const struct gv_aero_minimal_shader *vs,
                        const struct gv_aero_minimal_shader *fs,
                        struct gv_aero_minimal_pipeline *p, struct gv_error *err)
{
    if (!vs->glsl != !fs->glsl || !vs->dxbc != !fs->dxbc)
        return gv_fail(err, GV_ERR_UNSUPPORTED, k->offset,
                       "unsupported: a pipeline of %s and %s", language(vs),
                       language(fs));
    p->gl_clip = vs->glsl;
    if (vs->glsl)
        return link_glsl(a, vs, fs, p, err);
    p->stages[0] = vs->dxbc ? vs->dxbc->spirv : vs->wgsl->spirv;
    p->stages[1] = fs->dxbc ? fs->dxbc->spirv : fs->wgsl->spirv;
    return !vs->wgsl || check_wgsl(k, &vs->wgsl->shader, &fs->wgsl->shader, err);
}

static bool create_pipeline(struct gv_aero *a, const struct packet *k,
                            struct gv_error *err)
{
    struct gv_aero_appendix *m = a->appendix;
    const struct gv_aero_minimal_shader *vs = find_shader(a, operand(k, 1));
    const struct gv_aero_minimal_shader *fs = find_shader(a, operand(k, 2));
    struct gv_aero_minimal_pipeline p = { .id = operand(k, 0) };
    if (find_pipeline(a, p.id))
        return fail(k, err, "pipeline exists:", p.id);
    if (!vs || vs->fragment)
        return fail(k, err, "no vertex shader", operand(k, 1));
    if (!fs || !fs->fragment)
        return fail(k, err, "no fragment shader", operand(k, 2));
    m->pipelines = grown(a, m->pipelines, m->pipeline_count, &m->pipeline_capacity,
                         sizeof *m->pipelines, err);
    if (!m->pipelines || !link_stages(a, k, vs, fs, &p, err))
        return false;
    if (p.stages[0].binding_count || p.stages[1].binding_count)
        return gv_fail(err, GV_ERR_UNSUPPORTED, k->offset,
                       "unsupported: uniforms in a minimal shader");
    gv_lower_transfer(&a->pass);
    for (size_t i = 0; i < 2; i++)
        p.modules[i] =
            gv_builder_shader(a->b, p.stages[i].words, p.stages[i].word_count);
    m->pipelines[m->pipeline_count++] = p;
    return true;
}

static bool set_pipeline(struct gv_aero *a, const struct packet *k,
                         struct gv_error *err)
{
    a->appendix->pipeline = find_pipeline(a, operand(k, 0));
    return a->appendix->pipeline || fail(k, err, "unknown pipeline", operand(k, 0));
}

static bool set_vertex_buffer(struct gv_aero *a, const struct packet *k,
                              struct gv_error *err)
{
    struct gv_aero_appendix *m = a->appendix;
    m->vertices = find_buffer(a, operand(k, 0));
    m->stride = operand(k, 1);
    m->position_offset = operand(k, 2);
    m->color_offset = operand(k, 3);
    if (m->position_offset > GV_MAX_ATTRIBUTE_OFFSET - 8 ||
        m->color_offset > GV_MAX_ATTRIBUTE_OFFSET - 16)
        return fail(k, err, "vertex stride", m->stride);
    return m->vertices || fail(k, err, "unknown buffer", operand(k, 0));
}

static bool set_viewport(struct gv_aero *a, const struct packet *k,
                         struct gv_error *err)
{
    a->appendix->width = operand(k, 0);
    a->appendix->height = operand(k, 1);
    return (a->appendix->width <= GV_AERO_MAX_DIMENSION &&
            a->appendix->height <= GV_AERO_MAX_DIMENSION) ||
           fail(k, err, "viewport of width", operand(k, 0));
}

// A pass on the default framebuffer, as a context without targets has it.
static struct gv_aero_context *framebuffer_context(struct gv_aero *a,
                                                   struct gv_error *err)
{
    if (!a->appendix->context)
        a->appendix->context = gv_aero_context(a, 0, err);
    return a->appendix->context;
}

static bool clear(struct gv_aero *a, const struct packet *k, struct gv_error *err)
{
    struct gv_aero_context *x = framebuffer_context(a, err);
    if (!x)
        return false;
    gv_aero_pass_begin(a, x);
    gv_emit(a->b, clear_color, .index = 0, .x = 0, .y = 0,
            .width = a->pass.targets.width, .height = a->pass.targets.height,
            .layer = 0, .layers = 1, .c0 = operand(k, 0), .c1 = operand(k, 1),
            .c2 = operand(k, 2), .c3 = operand(k, 3));
    return true;
}

static struct gv_pipeline pipeline_object(struct gv_aero *a, uint32_t format)
{
    const struct gv_aero_appendix *m = a->appendix;
    struct gv_graphics_desc *d = &a->appendix->graphics;
    gv_graphics_desc_default(d);
    d->vertex_binding_count = 1;
    d->vertex_bindings[0].slot = 0;
    d->vertex_bindings[0].rate = GV_INPUT_RATE_VERTEX;
    d->vertex_bindings[0].divisor = 1;
    const uint32_t formats[2] = { GV_FORMAT_R32G32_SFLOAT,
                                  GV_FORMAT_R32G32B32A32_SFLOAT };
    const uint32_t offsets[2] = { m->position_offset, m->color_offset };
    for (uint32_t i = 0; i < 2; i++)
        if (m->pipeline->stages[0].input_locations >> i & 1) {
            uint32_t n = d->vertex_attribute_count++;
            d->vertex_attributes[n].location = i;
            d->vertex_attributes[n].slot = 0;
            d->vertex_attributes[n].format = formats[i];
            d->vertex_attributes[n].offset = offsets[i];
        }
    d->negative_one_to_one = m->pipeline->gl_clip;
    d->color_count = 1;
    d->color_formats[0] = format;
    d->blend[0].write_mask = 0xF;
    return gv_builder_graphics(
        a->b, d,
        &(struct gv_stage_shaders){ .vertex = m->pipeline->modules[0],
                                    .fragment = m->pipeline->modules[1] });
}

static bool draw(struct gv_aero *a, const struct packet *k, struct gv_error *err)
{
    struct gv_aero_appendix *m = a->appendix;
    struct gv_aero_context *x = framebuffer_context(a, err);
    uint32_t count = operand(k, 0), first = operand(k, 1);
    if (!x)
        return false;
    if (!m->pipeline || !m->vertices)
        return fail(k, err, "draw without a pipeline or vertices:", count);
    if (m->stride < m->position_offset + 8 || m->stride < m->color_offset + 16)
        return fail(k, err, "vertex stride", m->stride);
    if (count > GV_AERO_MAX_DRAW_VERTICES)
        return gv_fail(err, GV_ERR_LIMIT, k->offset, "AppendixA: draw of %u vertices",
                       count);
    if (!count)
        return true;
    gv_aero_use_context(a, NULL);
    const struct gv_lower_targets *set = gv_aero_current_targets(a, x);
    struct gv_builder *b = gv_lower_transfer(&a->pass);
    gv_emit(b, bind_pipeline, .pipeline = pipeline_object(a, set->colors[0].format));
    gv_aero_pass_begin(a, x);
    // GL's window origin is at the bottom: the viewport stands on the last row.
    uint32_t w = m->width ? m->width : set->width;
    uint32_t h = m->height ? m->height : set->height;
    gv_emit(a->b, set_viewport, .index = 0, .x = 0, .y = (float)set->height,
            .width = (float)w, .height = -(float)h, .min_depth = 0, .max_depth = 1);
    gv_emit(a->b, set_scissor, .index = 0, .x = 0, .y = 0, .width = set->width,
            .height = set->height);
    gv_emit(a->b, bind_vertex_buffer, .slot = 0, .buffer = m->vertices->gpu,
            .offset = 0, .size = 0, .stride = m->stride);
    gv_emit(a->b, draw, .vertex_count = count, .instance_count = 1,
            .first_vertex = first, .first_instance = 0);
    return true;
}

static bool present(struct gv_aero *a, const struct packet *k, struct gv_error *err)
{
    struct gv_aero_context *x = framebuffer_context(a, err);
    const struct gv_cmd c = { .p = k->p, .offset = k->offset };
    return x && gv_aero_present(a, x, &c, err);
}

bool gv_aero_appendix_packet(struct gv_aero *a, const uint8_t *data, uint32_t size,
                             uint64_t offset, struct gv_error *err)
{
    static const struct {
        const char *name;
        uint32_t dwords;
        bool (*run)(struct gv_aero *a, const struct packet *k, struct gv_error *err);
    } opcodes[] = {
#define OPCODE(name, code, dwords) [code] = { #name, dwords, name },
        OPCODES(OPCODE)
#undef OPCODE
    };
    const struct packet k = { data, offset };
    uint32_t opcode = size >= 8 ? gv_load_u32(data) : 0;
    uint32_t dwords = size >= 8 ? gv_load_u32(data + 4) : 0;
    if (size < 8 || (uint64_t)dwords * 4 != size)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "AppendixA:LengthMismatch: packet of %u bytes says %u dwords",
                       size, dwords);
    if (opcode >= sizeof opcodes / sizeof opcodes[0] || !opcodes[opcode].run)
        return gv_fail(err, GV_ERR_FORMAT, offset, "AppendixA:UnknownOpcode(%u)",
                       opcode);
    if (dwords < opcodes[opcode].dwords)
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "AppendixA:LengthMismatch: %s of %u dwords",
                       opcodes[opcode].name, dwords);
    if (!a->appendix)
        a->appendix = gv_arena_alloc(a->arena, sizeof *a->appendix);
    if (!a->appendix)
        return gv_out_of_memory(err);
    gv_builder_command(a->b, a->command++, offset, opcodes[opcode].name);
    return opcodes[opcode].run(a, &k, err) || gv_error_at_command(err, a->command - 1);
}
