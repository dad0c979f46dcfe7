// Draws with shader stages of any origin and reads every target and the depth back:
// for tests of what translated shaders compute. Clip space as Direct3D's: y is up.
#ifndef GV_TESTS_SHADER_DRAW_H
#define GV_TESTS_SHADER_DRAW_H

#include "compiler/shader/shader.h"
#include "tests/runtime/runtime_fixture.h"

#define DRAW_MAX_SIDE 16u
#define DRAW_TARGETS 3u
#define DRAW_TEXTURES 4u
#define DRAW_TEXTURE_SIDE 4u
#define DRAW_CONSTANTS 256u // vec4s of every constant buffer
#define DRAW_NOTHING 99.0f  // what targets are cleared to
#define DRAW_FORMAT GV_FORMAT_R32G32B32A32_SFLOAT

enum { DRAW_VERTEX, DRAW_HULL, DRAW_DOMAIN, DRAW_GEOMETRY, DRAW_PIXEL, DRAW_STAGES };

struct draw_vertex {
    float a[2][4]; // attributes 0 and 1
};

struct draw {
    const struct gv_shader_stage *stages[DRAW_STAGES]; // NULL: none
    uint32_t topology;                                 // GV_TOPOLOGY_*
    uint32_t patch_points;                             // of patch lists
    const struct draw_vertex *vertices;
    uint32_t vertex_count, instances;
    uint32_t side;    // of the targets
    uint32_t targets; // bit per target written
    // Contents, or NULL: constants[slot] of DRAW_CONSTANTS vec4s; texels of textures
    // t0 to t3, [DRAW_TEXTURE_SIDE][DRAW_TEXTURE_SIDE][4].
    const void *constants[4];
    const float *textures[DRAW_TEXTURES];
    bool depth_less; // against 0.5; else depth is written without a test
    bool cube;       // textures are cubes of 1x1, texels[6][4]
};

struct draw_result {
    float targets[DRAW_TARGETS][DRAW_MAX_SIDE][DRAW_MAX_SIDE][4];
    float depth[DRAW_MAX_SIDE][DRAW_MAX_SIDE];
};

static inline void draw_describe(const struct draw *d, struct gv_bytes *out)
{
    static struct gv_graphics_desc desc;
    gv_graphics_desc_default(&desc);
    const struct gv_shader_stage *vs = d->stages[DRAW_VERTEX];
    desc.vertex_binding_count = 1;
    for (uint32_t i = 0; i < 2; i++) {
        if (!vs || !(vs->input_locations >> i & 1))
            continue;
        uint32_t n = desc.vertex_attribute_count++;
        desc.vertex_attributes[n].location = i;
        desc.vertex_attributes[n].format = DRAW_FORMAT;
        desc.vertex_attributes[n].offset = 16 * i;
    }
    desc.topology = d->topology;
    desc.patch_control_points = d->patch_points;
    desc.front_face = GV_FRONT_FACE_CLOCKWISE;
    desc.depth_test = desc.depth_write = true;
    desc.depth_compare = d->depth_less ? GV_COMPARE_LESS : GV_COMPARE_ALWAYS;
    desc.depth_stencil_format = GV_FORMAT_D32_SFLOAT;
    desc.color_count = DRAW_TARGETS;
    for (uint32_t i = 0; i < DRAW_TARGETS; i++) {
        desc.color_formats[i] = DRAW_FORMAT;
        desc.blend[i].write_mask = d->targets >> i & 1 ? 0xf : 0;
    }
    struct gv_interface_desc *all = &desc.interface;
    all->binding_count = 0;
    for (uint32_t s = 0; s < DRAW_STAGES; s++)
        for (uint32_t i = 0; d->stages[s] && i < d->stages[s]->binding_count; i++) {
            struct gv_binding_desc b = d->stages[s]->bindings[i];
            uint32_t at = all->binding_count++;
            for (; at > 0 && (all->bindings[at - 1].set > b.set ||
                              (all->bindings[at - 1].set == b.set &&
                               all->bindings[at - 1].binding > b.binding));
                 at--)
                all->bindings[at] = all->bindings[at - 1];
            all->bindings[at] = b;
        }
    gv_graphics_desc_encode(&desc, out);
}

struct draw_objects {
    uint64_t vertices, constants[4], textures[DRAW_TEXTURES], sampler;
    uint64_t targets[DRAW_TARGETS], depth, shaders[DRAW_STAGES], pipeline, result;
};

static inline void draw_upload(uint64_t *buffer, uint32_t usage, const void *data,
                               size_t size)
{
    MAKE(*buffer, buffer_create, num(size), num(usage));
    DO(buffer_upload, num(*buffer), num(0), bytes(data), num(size));
}

static inline uint64_t draw_texture(const struct draw *d, const float *texels)
{
    uint32_t side = d->cube ? 1 : DRAW_TEXTURE_SIDE, layers = d->cube ? 6 : 1;
    uint64_t image;
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(DRAW_FORMAT), num(side),
         num(side), num(1), num(1), num(layers), num(1), num(GV_IMAGE_USAGE_SAMPLED),
         num(d->cube ? GV_IMAGE_FLAG_CUBE_COMPATIBLE : 0));
    DO(image_upload, num(image), num(GV_ASPECT_COLOR), num(0), num(0), num(layers),
       num(0), num(0), num(0), num(side), num(side), num(1), num(0), num(0),
       bytes(texels), num(16 * side * side * layers));
    return image;
}

static inline void draw_make(const struct draw *d, struct draw_objects *o)
{
    struct gv_bytes encoded = { 0 };
    const struct gv_sampler_desc nearest = { .max_lod = 1000,
                                             .address_u = GV_ADDRESS_MODE_REPEAT,
                                             .address_v = GV_ADDRESS_MODE_REPEAT };
    draw_upload(&o->vertices, GV_BUFFER_USAGE_VERTEX, d->vertices,
                sizeof *d->vertices * d->vertex_count);
    for (int i = 0; i < 4; i++)
        if (d->constants[i])
            draw_upload(&o->constants[i], GV_BUFFER_USAGE_UNIFORM, d->constants[i],
                        16 * DRAW_CONSTANTS);
    for (uint32_t i = 0; i < DRAW_TEXTURES; i++)
        if (d->textures[i])
            o->textures[i] = draw_texture(d, d->textures[i]);
    gv_sampler_desc_encode(&nearest, &encoded);
    MAKE(o->sampler, sampler_create, bytes(encoded.data), num(encoded.size));
    encoded.size = 0;
    for (uint32_t i = 0; i < DRAW_TARGETS; i++)
        o->targets[i] =
            make_image(DRAW_FORMAT, d->side, d->side, GV_IMAGE_USAGE_COLOR_ATTACHMENT);
    o->depth = make_image(GV_FORMAT_D32_SFLOAT, d->side, d->side,
                          GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT);
    MAKE(o->result, buffer_create, num(16 * d->side * d->side),
         num(GV_BUFFER_USAGE_STORAGE));
    gv_bytes_finish(&encoded);
}

// Shaders and pipeline. False: fixture_error tells what was refused.
static inline bool draw_pipeline(const struct draw *d, struct draw_objects *o)
{
    struct gv_bytes encoded = { 0 };
    bool ok = true;
    for (uint32_t s = 0; s < DRAW_STAGES && ok; s++)
        if (d->stages[s])
            ok = try_call(
                GV_CALL_shader_create, &o->shaders[s],
                ARGS(bytes(d->stages[s]->words), num(d->stages[s]->word_count * 4)));
    draw_describe(d, &encoded);
    ok = ok &&
         try_call(GV_CALL_pipeline_create_graphics, &o->pipeline,
                  ARGS(bytes(encoded.data), num(encoded.size),
                       num(o->shaders[DRAW_VERTEX]), num(o->shaders[DRAW_HULL]),
                       num(o->shaders[DRAW_DOMAIN]), num(o->shaders[DRAW_GEOMETRY]),
                       num(o->shaders[DRAW_PIXEL])));
    gv_bytes_finish(&encoded);
    return ok;
}

static inline void draw_bind(const struct draw *d, const struct draw_objects *o,
                             const struct gv_binding_desc *b)
{
    uint32_t slot = b->set == 2 ? b->binding % 160 : b->binding % 16;
    if (b->type == GV_BINDING_UNIFORM_BUFFER)
        DO(bind_buffer, num(b->set), num(b->binding), num(0),
           num(o->constants[slot % 4]), num(0), num(0));
    else if (b->type == GV_BINDING_SAMPLER)
        DO(bind_sampler, num(b->set), num(b->binding), num(0), num(o->sampler));
    else if (b->type == GV_BINDING_SAMPLED_IMAGE)
        DO(bind_texture, num(b->set), num(b->binding), num(0),
           num(o->textures[slot % DRAW_TEXTURES]),
           num(d->cube ? GV_VIEW_TYPE_CUBE : GV_VIEW_TYPE_2D), num(0),
           num(GV_ASPECT_COLOR), num(0), num(0), num(0), num(0), num(0), num(0));
}

static inline void draw_pass(const struct draw *d, const struct draw_objects *o)
{
    float side = (float)d->side;
    for (uint32_t i = 0; i < DRAW_TARGETS; i++)
        DO(pass_color, num(i), num(o->targets[i]), num(0), num(0), num(0), num(1),
           num(GV_LOAD_OP_CLEAR), num(GV_STORE_OP_STORE), bits(DRAW_NOTHING),
           bits(DRAW_NOTHING), bits(DRAW_NOTHING), bits(DRAW_NOTHING));
    DO(pass_depth_stencil, num(o->depth), num(0), num(0), num(1), num(GV_LOAD_OP_CLEAR),
       num(GV_STORE_OP_STORE), bits(0.5f), num(GV_LOAD_OP_DONT_CARE),
       num(GV_STORE_OP_DONT_CARE), num(0));
    DO(pass_begin, num(d->side), num(d->side), num(1));
    DO(set_viewport, num(0), bits(0), bits(side), bits(side), bits(-side), bits(0),
       bits(1));
    DO(set_scissor, num(0), num(0), num(0), num(d->side), num(d->side));
    DO(bind_pipeline, num(o->pipeline));
    DO(bind_vertex_buffer, num(0), num(o->vertices), num(0), num(0),
       num(sizeof *d->vertices));
    for (uint32_t s = 0; s < DRAW_STAGES; s++)
        for (uint32_t i = 0; d->stages[s] && i < d->stages[s]->binding_count; i++)
            draw_bind(d, o, &d->stages[s]->bindings[i]);
    DO(draw, num(d->vertex_count), num(d->instances ? d->instances : 1), num(0),
       num(0));
    DO(pass_end, num(0));
}

static inline void draw_read(const struct draw *d, const struct draw_objects *o,
                             uint64_t image, uint32_t aspect, uint32_t texel,
                             uint8_t *out)
{
    DO(image_to_buffer, num(o->result), num(0), num(0), num(0), num(image), num(aspect),
       num(0), num(0), num(1), num(0), num(0), num(0), num(d->side), num(d->side),
       num(1));
    read_buffer(o->result, 0, (uint64_t)texel * d->side * d->side, out);
}

static inline void draw_read_all(const struct draw *d, const struct draw_objects *o,
                                 struct draw_result *out)
{
    static float texels[DRAW_MAX_SIDE * DRAW_MAX_SIDE][4];
    for (uint32_t i = 0; i < DRAW_TARGETS; i++) {
        draw_read(d, o, o->targets[i], GV_ASPECT_COLOR, 16, (uint8_t *)texels);
        for (uint32_t y = 0; y < d->side; y++)
            memcpy(out->targets[i][y], texels[y * d->side], 16 * (size_t)d->side);
    }
    float *depths = texels[0];
    draw_read(d, o, o->depth, GV_ASPECT_DEPTH, 4, (uint8_t *)depths);
    for (uint32_t y = 0; y < d->side; y++)
        memcpy(out->depth[y], depths + (size_t)y * d->side, 4 * (size_t)d->side);
}

static inline void draw_destroy(struct draw_objects *o)
{
    uint64_t *const buffers[] = { &o->vertices,     &o->constants[0], &o->constants[1],
                                  &o->constants[2], &o->constants[3], &o->result };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (*buffers[i])
            DO(buffer_destroy, num(*buffers[i]));
    for (uint32_t i = 0; i < DRAW_TEXTURES; i++)
        if (o->textures[i])
            DO(image_destroy, num(o->textures[i]));
    for (uint32_t i = 0; i < DRAW_TARGETS; i++)
        DO(image_destroy, num(o->targets[i]));
    DO(image_destroy, num(o->depth));
    DO(sampler_destroy, num(o->sampler));
    for (uint32_t s = 0; s < DRAW_STAGES; s++)
        if (o->shaders[s])
            DO(shader_destroy, num(o->shaders[s]));
    if (o->pipeline)
        DO(pipeline_destroy, num(o->pipeline));
}

// False: the device refuses the pipeline; fixture_error says why.
static inline bool draw_run(const struct draw *d, struct draw_result *out)
{
    struct draw_objects o = { 0 };
    draw_make(d, &o);
    bool ok = draw_pipeline(d, &o);
    if (ok) {
        draw_pass(d, &o);
        draw_read_all(d, &o, out);
    }
    struct gv_error why = fixture_error;
    draw_destroy(&o);
    if (!ok)
        fixture_error = why;
    return ok;
}

#endif
