#include "tests/lower/small_source.h"

#include <string.h>

#include "compiler/aerogpu/image_pieces.h"
#include "compiler/lower/id_map.h"
#include "compiler/lower/lower_assembly.h"
#include "compiler/lower/lower_pipeline.h"
#include "compiler/lower/lower_state.h"
#include "compiler/shader/glsl/glsl.h"
#include "vm/formats.h"

#define MAX_WORDS 4096u    // of a packet
#define MAX_VERTICES 1024u // of a draw
#define TRACKED 256u       // bytes of buffers whose content is tracked

static const struct gv_linear_format formats[] = {
    [SMALL_RGBA8] = { "RGBA8", 4, 1, GV_FORMAT_R8G8B8A8_UNORM, GV_FORMAT_NONE, 0 },
    [SMALL_BC1] = { "BC1", 8, 4, GV_FORMAT_BC1_RGBA_UNORM_BLOCK,
                    GV_FORMAT_BC1_RGBA_SRGB_BLOCK, 0 },
};

static const char vertex_text[] =
    "#version 460\n"
    "layout(location = 0) in vec2 position;\n"
    "layout(location = 1) in vec4 color;\n"
    "layout(location = 2) in vec4 absent;\n" // reads zeros
    "layout(set = 0, binding = 0) uniform Moved { vec2 by; };\n"
    "layout(location = 0) out vec4 shade;\n"
    "void main() {\n"
    "    gl_Position = vec4(position + by, 0, 1);\n"
    "    shade = color + absent;\n"
    "}\n";
static const char fragment_text[] =
    "#version 460\n"
    "layout(location = 0) in vec4 shade;\n"
    "layout(set = 2, binding = 0) uniform sampler2D image;\n"
    "layout(location = 0) out vec4 target;\n"
    "void main() { target = shade * texture(image, vec2(0.5)); }\n";

struct object {
    struct gv_named named;
    enum small_kind kind;
    union {
        struct gv_lower_buffer buffer;
        struct gv_aero_image image;
    };
};

// What a context is set to; names are looked up when used.
struct state {
    uint64_t vertices, constants, texture;
    uint32_t offset, stride;
};

#define MOST_CONTEXTS 64u
#define NO_CONTEXT UINT32_MAX

// Names of textures belong to the context that began a group, names of buffers to each.
struct context {
    uint32_t id, group;
    struct gv_id_map names[SMALL_KIND_TEXTURE + 1];
};

struct small {
    struct gv_builder *b;
    struct gv_arena *arena;
    struct gv_lower_pass pass;
    struct gv_lower_buffers buffers;
    struct gv_aero_images images;
    struct gv_lower_stand_ins stand_ins;
    struct gv_lower_pipelines pipelines;
    struct context contexts[MOST_CONTEXTS];
    struct state states[MOST_CONTEXTS];
    uint32_t context_count;
    uint64_t serials;

    struct gv_lower_targets targets;
    struct gv_shader_stage stages[2];
    struct gv_shader modules[2];
    struct gv_sampler sampler;
    struct gv_lower_buffer index_buffer;
    struct gv_lower_indices indices;
    uint32_t assembled[3], index_count; // the words of the draw that indices are of
    struct gv_lower_copy constants_copy;

    uint64_t command;
};

struct packet {
    uint32_t code, context, count;
    const uint8_t *words;
    uint64_t offset;
};

static uint32_t word(const struct packet *p, uint32_t i)
{
    return i < p->count ? gv_load_u32(p->words + 4 * (size_t)i) : 0;
}

static bool refuse(const struct packet *p, struct gv_error *err, const char *what)
{
    return gv_fail(err, GV_ERR_FORMAT, p->offset, "packet %u: %s", p->code, what);
}

// ---- names ----

static struct gv_id_map *names(struct small *s, uint32_t context, enum small_kind kind)
{
    struct context *c = &s->contexts[context];
    return &(kind == SMALL_KIND_TEXTURE ? &s->contexts[c->group] : c)->names[kind];
}

// The youngest context of an id.
static uint32_t find_context(const struct small *s, uint32_t id)
{
    uint32_t i = s->context_count;
    while (i && s->contexts[i - 1].id != id)
        i--;
    return i ? i - 1 : NO_CONTEXT;
}

static bool make_context(struct small *s, const struct packet *p, struct gv_error *err)
{
    const struct gv_id_map map = { .arena = s->arena,
                                   .serials = &s->serials,
                                   .object_bytes = sizeof(struct object),
                                   .limit = 1000 };
    const uint32_t with = find_context(s, word(p, 0)), at = s->context_count;
    if (at == MOST_CONTEXTS)
        return refuse(p, err, "too many contexts");
    s->contexts[at] = (struct context){
        .id = p->context,
        .group = with == NO_CONTEXT ? at : s->contexts[with].group,
        .names = { map, map },
    };
    s->context_count++;
    return true;
}

static struct object *find(struct small *s, uint32_t context, enum small_kind kind,
                           uint64_t name)
{
    return (struct object *)gv_id_find(names(s, context, kind), name);
}

static struct object *make(struct small *s, const struct packet *p, uint32_t context,
                           enum small_kind kind, struct gv_error *err)
{
    struct gv_named *o = NULL;
    if (gv_id_create(names(s, context, kind), word(p, 0), &o) != GV_ID_OK) {
        refuse(p, err, "the name is taken");
        return NULL;
    }
    ((struct object *)o)->kind = kind;
    return (struct object *)o;
}

static bool forget(struct small *s, const struct packet *p, uint32_t context,
                   struct gv_error *err)
{
    if (word(p, 0) > SMALL_KIND_TEXTURE)
        return refuse(p, err, "no such kind");
    struct gv_id_map *m = names(s, context, (enum small_kind)word(p, 0));
    struct object *o = (struct object *)gv_id_remove(m, word(p, 1));
    if (!o)
        return refuse(p, err, "no such name");
    if (!gv_id_release(&o->named))
        return true;
    if (o->kind == SMALL_KIND_BUFFER)
        gv_lower_buffer_finish(&s->buffers, &o->buffer);
    else
        gv_emit(gv_lower_transfer(&s->pass), image_destroy, .image = o->image.gpu);
    gv_id_reuse(m, &o->named);
    return true;
}

// ---- content ----

static bool make_buffer(struct small *s, const struct packet *p, uint32_t context,
                        struct gv_error *err)
{
    uint32_t size = word(p, 1);
    struct object *o = make(s, p, context, SMALL_KIND_BUFFER, err);
    return o && (size || refuse(p, err, "size 0")) &&
           gv_lower_buffer_init(&s->buffers, &o->buffer, size, o->named.serial,
                                size <= TRACKED, err);
}

static bool make_texture(struct small *s, const struct packet *p, uint32_t context,
                         struct gv_error *err)
{
    if (word(p, 1) > SMALL_BC1 || !word(p, 2) || !word(p, 3) || word(p, 2) > 64 ||
        word(p, 3) > 64)
        return refuse(p, err, "no such texture");
    struct object *o = make(s, p, context, SMALL_KIND_TEXTURE, err);
    if (!o)
        return false;
    o->image = (struct gv_aero_image){ .format = &formats[word(p, 1)],
                                       .extent = { word(p, 2), word(p, 3), 1, 1, 0 } };
    o->image.linear_size = gv_linear_size(o->image.format, &o->image.extent);
    return gv_aero_image_init(&s->images, &o->image, err);
}

static bool write_data(struct small *s, const struct packet *p, uint32_t context,
                       struct gv_error *err)
{
    bool texture = p->code == SMALL_TEXTURE_DATA;
    struct object *o =
        find(s, context, texture ? SMALL_KIND_TEXTURE : SMALL_KIND_BUFFER, word(p, 0));
    uint64_t offset = word(p, 1), size = word(p, 2);
    if (!o)
        return refuse(p, err, "no such name");
    uint64_t total = texture ? o->image.linear_size : o->buffer.size;
    if (!size || offset > total || size > total - offset ||
        size > 4 * (uint64_t)(p->count - 3))
        return refuse(p, err, "data passes an end");
    const uint8_t *data = p->words + 12;
    const struct gv_lower_source source = { data, gv_data(data) };
    if (texture)
        return gv_aero_image_write(&s->images, &o->image, offset, size, &source, err);
    gv_lower_buffer_write(&s->buffers, &o->buffer, offset, size, &source);
    return true;
}

// ---- draws ----

static bool make_pipeline(struct small *s, const struct gv_lower_pipeline_key *k,
                          const struct gv_lower_part *parts,
                          struct gv_lower_pipeline **out, struct gv_error *err)
{
    const struct gv_lower_attribute attributes[] = {
        { .location = 0,
          .component = GV_LOWER_FLOAT,
          .name = "position",
          .there = true,
          .format = GV_FORMAT_R32G32_SFLOAT },
        { .location = 1,
          .component = GV_LOWER_FLOAT,
          .name = "color",
          .there = true,
          .format = GV_FORMAT_R8G8B8A8_UNORM,
          .offset = 8 },
        { .location = 2, .component = GV_LOWER_FLOAT, .name = "absent" },
    };
    struct gv_lower_pipeline *p = gv_arena_alloc(s->arena, sizeof *p);
    if (!p)
        return gv_out_of_memory(err);
    struct gv_graphics_desc *d = gv_lower_pipeline_begin(&s->pipelines, k);
    *out = p;
    return gv_lower_input(attributes, 3, 1, d, &p->slots, err) &&
           gv_lower_pipeline_add(&s->pipelines, p, k, parts, err);
}

static struct gv_lower_pipeline *
pipeline(struct small *s, bool known, enum gv_assembly_form form, struct gv_error *err)
{
    static const uint8_t topologies[] = {
        [GV_ASSEMBLY_POINTS] = GV_TOPOLOGY_POINT_LIST,
        [GV_ASSEMBLY_LINES] = GV_TOPOLOGY_LINE_LIST,
        [GV_ASSEMBLY_TRIANGLES] = GV_TOPOLOGY_TRIANGLE_LIST,
    };
    static const struct gv_lower_place constants = { 0, 0, 0 };
    struct gv_lower_pipeline_key k;
    gv_lower_key_targets(&k, &s->targets);
    k.stages[GV_LOWER_VERTEX] = 1;
    k.stages[GV_LOWER_FRAGMENT] = 2;
    k.dynamic[GV_LOWER_VERTEX] = known;
    k.blend[0].write_mask = 0xF;
    k.topology = topologies[form];
    struct gv_lower_pipeline *p = gv_lower_pipeline_find(&s->pipelines, &k);
    const struct gv_lower_part parts[GV_LOWER_STAGES] = {
        [GV_LOWER_VERTEX] = { &s->stages[0], s->modules[0], &constants, known },
        [GV_LOWER_FRAGMENT] = { &s->stages[1], s->modules[1], NULL, 0 },
    };
    return p || make_pipeline(s, &k, parts, &p, err) ? p : NULL;
}

static void bind_constants(struct small *s, struct object *o)
{
    static const struct gv_lower_place at = { 0, 0, 0 };
    const struct gv_lower_bound r = { o ? &o->buffer : NULL, 0,
                                      o ? o->buffer.size : 0 };
    uint8_t bytes[16];
    if (o && o->buffer.known)
        gv_lower_bind_bytes(s->b, &at, o->named.serial,
                            gv_lower_known_bytes(&r, sizeof bytes, bytes),
                            sizeof bytes);
    else
        gv_lower_bind_uniform(&s->buffers, &at, &r, sizeof bytes, &s->constants_copy);
}

static void bind_texture(struct small *s, const struct object *o)
{
    struct gv_lower_texture t = { .type = GV_VIEW_TYPE_2D,
                                  .aspect = GV_ASPECT_COLOR,
                                  .swizzle = o ? 0 : GV_LOWER_SWIZZLE_OPAQUE,
                                  .mips = 1,
                                  .layers = 1,
                                  .sampler = s->sampler };
    t.image =
        o ? o->image.gpu
          : gv_lower_stand_in(&s->stand_ins, GV_LOWER_SHAPE_2D, GV_LOWER_TEXELS_FLOAT);
    gv_lower_bind_texture(s->b, &(struct gv_lower_place){ 2, 0, 0 }, &t);
}

// The draw's vertices as indices of what devices have: once for draws that are alike,
// so that the pass can stay open between them.
static bool assemble(struct small *s, const struct packet *p, struct gv_error *err)
{
    const struct gv_assembly a = { .primitive = (enum gv_primitive)word(p, 0) };
    const struct gv_assembly_vertices v = { .first = word(p, 1), .count = word(p, 2) };
    const uint32_t words[3] = { word(p, 0), v.first, v.count };
    if (!memcmp(s->assembled, words, sizeof words))
        return true;
    uint64_t bound = gv_assembly_bound(a.primitive, v.count);
    uint32_t *numbers = gv_arena_array(s->arena, (size_t)bound, sizeof *numbers);
    if (!numbers)
        return gv_out_of_memory(err);
    const uint8_t *data = (const uint8_t *)numbers;
    const struct gv_lower_source source = { data, gv_data(data) };
    s->index_count = (uint32_t)gv_assemble(&a, &v, numbers);
    memcpy(s->assembled, words, sizeof words);
    if (s->index_count)
        gv_lower_buffer_write(&s->buffers, &s->index_buffer, 0,
                              s->index_count * sizeof *numbers, &source);
    return true;
}

static bool draw(struct small *s, const struct packet *p, uint32_t context,
                 struct gv_error *err)
{
    const struct state *x = &s->states[context];
    struct object *vertices = find(s, context, SMALL_KIND_BUFFER, x->vertices);
    struct object *constants = find(s, context, SMALL_KIND_BUFFER, x->constants);
    const struct object *texture = find(s, context, SMALL_KIND_TEXTURE, x->texture);
    uint32_t first = 0, dirty = UINT32_MAX;
    if (word(p, 0) >= GV_PRIMITIVE_COUNT || word(p, 2) > MAX_VERTICES)
        return refuse(p, err, "no such draw");
    if (!assemble(s, p, err))
        return false;
    if (!s->index_count)
        return true;
    struct gv_lower_pipeline *pipe =
        pipeline(s, constants && constants->buffer.known,
                 gv_assembly_form((enum gv_primitive)word(p, 0)), err);
    struct gv_lower_vertices streams[GV_MAX_VERTEX_BINDINGS] = { 0 };
    if (vertices)
        streams[0] =
            (struct gv_lower_vertices){ &vertices->buffer, x->stride, x->offset };
    if (!pipe)
        return false;
    bind_constants(s, constants);
    bind_texture(s, texture);
    if (!gv_lower_bind_streams(&s->buffers, streams, &pipe->slots, &dirty, err))
        return false;
    gv_lower_bind_indices(&s->buffers, &s->indices, &first, s->index_count);
    gv_lower_pass_begin(&s->pass, &s->targets);
    gv_emit(s->b, bind_pipeline, .pipeline = pipe->object);
    gv_lower_set_viewport(s->b, NULL, NULL, SMALL_SIDE, SMALL_SIDE);
    gv_emit(s->b, draw_indexed, .index_count = s->index_count, .instance_count = 1,
            .first_index = first, .base_vertex = 0, .first_instance = 0);
    return true;
}

static bool clear(struct small *s, const struct packet *p)
{
    struct gv_lower_clear c = { .aspects = GV_ASPECT_COLOR };
    for (uint32_t i = 0; i < 4; i++)
        c.color[i] = word(p, i);
    gv_lower_pass_clear(&s->pass, &s->targets, &c, NULL);
    return true;
}

static bool show(struct small *s)
{
    gv_emit(gv_lower_transfer(&s->pass), present, .image = s->targets.colors[0].image,
            .mip = 0, .layer = 0, .x = 0, .y = 0, .width = SMALL_SIDE,
            .height = SMALL_SIDE, .flags = 0);
    gv_builder_frame_end(s->b, SMALL_SIDE, SMALL_SIDE);
    return true;
}

// ---- packets ----

static bool run(struct small *s, const struct packet *p, struct gv_error *err)
{
    const uint32_t context = find_context(s, p->context);
    if (p->code == SMALL_CONTEXT)
        return make_context(s, p, err);
    if (context == NO_CONTEXT)
        return refuse(p, err, "no such context");
    struct state *x = &s->states[context];
    switch ((enum small_code)p->code) {
    case SMALL_BUFFER:
        return make_buffer(s, p, context, err);
    case SMALL_TEXTURE:
        return make_texture(s, p, context, err);
    case SMALL_BUFFER_DATA:
    case SMALL_TEXTURE_DATA:
        return write_data(s, p, context, err);
    case SMALL_USE_VERTICES:
        x->vertices = word(p, 0);
        x->offset = word(p, 1);
        x->stride = word(p, 2);
        return true;
    case SMALL_USE_CONSTANTS:
        x->constants = word(p, 0);
        return true;
    case SMALL_USE_TEXTURE:
        x->texture = word(p, 0);
        return true;
    case SMALL_CLEAR:
        return clear(s, p);
    case SMALL_DRAW:
        return draw(s, p, context, err);
    case SMALL_FORGET:
        return forget(s, p, context, err);
    case SMALL_SHOW:
        return show(s);
    case SMALL_CONTEXT:
        break;
    }
    return refuse(p, err, "unknown");
}

static bool set_up(struct small *s, struct gv_arena *arena, struct gv_builder *out,
                   struct gv_error *err)
{
    const struct gv_glsl_text texts[] = { { GV_STAGE_VERTEX, vertex_text },
                                          { GV_STAGE_FRAGMENT, fragment_text } };
    const struct gv_sampler_desc nearest = { .max_lod = 1000 };
    s->b = s->pass.b = out;
    s->arena = arena;
    s->stand_ins.pass = &s->pass;
    s->buffers = (struct gv_lower_buffers){ .pass = &s->pass, .arena = arena };
    s->images = (struct gv_aero_images){ .pass = &s->pass,
                                         .arena = arena,
                                         .upload = "texture data" };
    if (!gv_lower_pipelines_init(&s->pipelines, out, arena, err) ||
        !gv_glsl_compile(texts, 2, 0, arena, s->stages, err) ||
        !gv_lower_buffer_init(&s->buffers, &s->index_buffer,
                              (uint64_t)3 * MAX_VERTICES * 4, UINT64_MAX, false, err))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        s->modules[i] =
            gv_builder_shader(out, s->stages[i].words, s->stages[i].word_count);
    s->sampler = gv_builder_sampler(out, &nearest);
    s->indices = (struct gv_lower_indices){ .buffer = &s->index_buffer,
                                            .wide = true,
                                            .dirty = true };
    s->targets.colors[0] = (struct gv_lower_attachment){
        .image =
            gv_emit(out, image_create, .type = GV_IMAGE_TYPE_2D,
                    .format = GV_FORMAT_R8G8B8A8_UNORM, .width = SMALL_SIDE,
                    .height = SMALL_SIDE, .depth = 1, .mips = 1, .layers = 1,
                    .samples = 1, .usage = GV_IMAGE_USAGE_COLOR_ATTACHMENT, .flags = 0),
        .format = GV_FORMAT_R8G8B8A8_UNORM,
        .width = SMALL_SIDE,
        .height = SMALL_SIDE,
    };
    gv_lower_targets_fit(&s->targets);
    return true;
}

bool small_compile(struct gv_cursor input, struct gv_arena *arena,
                   struct gv_builder *out, struct gv_error *err)
{
    struct small *s = gv_arena_alloc(arena, sizeof *s);
    if (!s)
        return gv_out_of_memory(err);
    gv_builder_command(out, s->command++, 0, "begin");
    bool ok = set_up(s, arena, out, err);
    while (ok && input.pos < input.size) {
        struct packet p = { .offset = input.pos };
        p.code = gv_cursor_u32(&input);
        p.context = gv_cursor_u32(&input);
        p.count = gv_cursor_u32(&input);
        ok = p.count <= MAX_WORDS;
        p.words = ok ? gv_cursor_take(&input, 4 * (size_t)p.count) : NULL;
        gv_builder_command(out, s->command++, p.offset, "packet");
        ok = (ok && !input.bad) || refuse(&p, err, "it passes the end");
        ok = ok && run(s, &p, err);
    }
    gv_lower_transfer(&s->pass);
    gv_bytes_finish(&s->images.scratch);
    return ok && !gv_builder_failed(out, err);
}
