// The builder: canonical code, constants and resources by content, redundant state,
// objects by description, chunks and frames, requirements, diagnostics, determinism.
#include "compiler/builder/builder.h"
#include "tests/compiler/builder_probe.h"
#include "tests/test.h"
#include "vm/formats.h"
#include "vm/payload/payload_writer.h"
#include "vm/text/text.h"

static struct gv_buffer make_buffer(struct gv_builder *b, uint64_t size)
{
    return gv_emit(b, buffer_create, .size = size, .usage = GV_BUFFER_USAGE_VERTEX);
}

static void draw(struct gv_builder *b)
{
    gv_emit(b, draw, .vertex_count = 3, .instance_count = 1, .first_vertex = 0,
            .first_instance = 0);
}

// ---- code ----

static void code_values(struct gv_builder *b)
{
    gv_builder_command(b, 0, 64, "first");
    gv_emit(b, set_viewport, .index = 0, .x = 0.0f, .y = -0.0f, .width = 640.0f,
            .height = 127e-45f, .min_depth = 0, .max_depth = 1);
    gv_builder_command(b, 1, 80, "second");
    gv_emit(b, draw_indexed, .index_count = 127, .instance_count = 128,
            .first_index = UINT32_MAX, .base_vertex = -1, .first_instance = 0);
    gv_builder_command(b, 5, 96, "third");
    gv_builder_frame_end(b, 640, 480);
}

static void code_contents(struct gv_builder *b)
{
    static const uint8_t small[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    static uint8_t large[GV_INLINE_BYTES + 1];
    struct gv_buffer buffer = make_buffer(b, 256);
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = gv_data(small),
            .size = 8);
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 8, .data = gv_data(small),
            .size = 4);
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 9, .data = gv_data(small),
            .size = 8);
    for (uint8_t i = 0; i < 3; i++) {
        large[0] = i;
        gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = gv_data(large),
                .size = sizeof large);
    }
    large[0] = 1;
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = gv_data(large),
            .size = sizeof large);
    gv_emit(b, dispatch, .x = 1, .y = 1, .z = 1, .ranges = gv_data(NULL), .size = 0);
    gv_builder_frame_end(b, 0, 0);
}

static void code_maps(struct gv_builder *b)
{
    static const uint8_t bytes[100];
    struct gv_buffer buffer = make_buffer(b, 256);
    struct gv_map map =
        gv_emit(b, buffer_map, .buffer = buffer, .offset = 0, .size = 128);
    gv_builder_map_write(b, map, 0, bytes, 4);
    gv_builder_map_write(b, map, 28, bytes, 100);
    gv_emit(b, buffer_unmap, .map = map);
    gv_builder_frame_end(b, 0, 0);
}

static void code_redundant(struct gv_builder *b)
{
    struct gv_buffer a = make_buffer(b, 16), c = make_buffer(b, 32);
#define BIND(n, object)                                                      \
    gv_emit(b, bind_vertex_buffer, .slot = n, .buffer = object, .offset = 0, \
            .size = 0, .stride = 4)
    BIND(0, a);
    BIND(0, a); // again
    BIND(1, a); // another slot
    BIND(0, c);
    BIND(0, a);
    gv_emit(b, buffer_destroy, .buffer = a);
    struct gv_buffer d = make_buffer(b, 16); // takes the slot of `a`
    BIND(0, d);
    BIND(0, d);
#undef BIND
    gv_builder_frame_end(b, 0, 0);
}

static void code_faces(struct gv_builder *b)
{
#define REFERENCE(which, value) \
    gv_emit(b, set_stencil_reference, .faces = which, .reference = value)
    REFERENCE(GV_FACE_FRONT | GV_FACE_BACK, 1);
    REFERENCE(GV_FACE_FRONT, 1); // so already
    REFERENCE(GV_FACE_BACK, 2);
    REFERENCE(GV_FACE_FRONT | GV_FACE_BACK, 1); // the back changes
    REFERENCE(GV_FACE_BACK, 1);
#undef REFERENCE
    gv_builder_frame_end(b, 0, 0);
}

static void code_bindings(struct gv_builder *b)
{
    static const uint8_t first[4] = { 1 }, second[4] = { 2 };
    struct gv_buffer buffer = make_buffer(b, 64);
#define BYTES(bytes)                                                               \
    gv_emit(b, bind_uniform_bytes, .set = 0, .binding = 1, .data = gv_data(bytes), \
            .size = 4)
    BYTES(first);
    BYTES(first);
    BYTES(second);
    // Another kind of binding at the same place takes it over.
    gv_emit(b, bind_buffer, .set = 0, .binding = 1, .element = 0, .buffer = buffer,
            .offset = 0, .size = 0);
    BYTES(second);
#undef BYTES
    gv_builder_frame_end(b, 0, 0);
}

// Work after the last frame is the tail; a command may go on over a frame's end.
static void code_tail(struct gv_builder *b)
{
    gv_builder_command(b, 0, 0, "a");
    draw(b);
    gv_builder_frame_end(b, 1, 1);
    draw(b);
    gv_builder_command(b, 1, 9, "b");
    draw(b);
    gv_builder_frame_end(b, 2, 2);
    gv_builder_command(b, 2, 18, "c");
    draw(b);
}

static const struct probe_program programs[] = {
    { "values", code_values,
      "@0 r0: 0 0 f80000000 f44200000 f0000005b 0 f3f800000 set_viewport "
      "cmd+1 127 128 4294967295 -1 0 draw_indexed cmd+4 frame_end end\n" },
    { "contents", code_contents,
      "@0 r0: 256 128 buffer_create =s0 "
      "s0 0 c0 8 buffer_upload s0 8 c8 4 buffer_upload s0 9 c0 8 buffer_upload "
      "s0 0 r+ 65 buffer_upload s0 0 r+ 65 buffer_upload s0 0 r+ 65 buffer_upload "
      "s0 0 r1 65 buffer_upload 1 1 1 c0 0 dispatch frame_end end\n" },
    { "maps", code_maps,
      "@0 r0: 256 128 buffer_create =s0 s0 0 128 buffer_map =s1 "
      "s1 c0 copy4 s1 +28 fetch+ s1 buffer_unmap frame_end end\n" },
    { "redundant", code_redundant,
      "@0 r0: 16 128 buffer_create =s0 32 128 buffer_create =s1 "
      "0 s0 0 0 4 bind_vertex_buffer 1 s0 0 0 4 bind_vertex_buffer "
      "0 s1 0 0 4 bind_vertex_buffer 0 s0 0 0 4 bind_vertex_buffer "
      "s0 buffer_destroy 16 128 buffer_create =s0 0 s0 0 0 4 bind_vertex_buffer "
      "frame_end end\n" },
    { "faces", code_faces,
      "@0 r0: 3 1 set_stencil_reference 2 2 set_stencil_reference "
      "3 1 set_stencil_reference frame_end end\n" },
    { "bindings", code_bindings,
      "@0 r0: 64 128 buffer_create =s0 0 1 c0 4 bind_uniform_bytes "
      "0 1 c4 4 bind_uniform_bytes 0 1 0 s0 0 0 bind_buffer "
      "0 1 c4 4 bind_uniform_bytes frame_end end\n" },
    { "tail", code_tail,
      "@0 r0: 3 1 0 0 draw frame_end end\n"
      "@0 r0: 3 1 0 0 draw cmd+1 3 1 0 0 draw frame_end end\n"
      "@2 r0: 3 1 0 0 draw end\n" },
};

static void test_code(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        CHECK_ROW(programs[i].name, probe_writes(&programs[i]));
}

// ---- tables ----

static void test_frames(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    code_tail(probe.builder);
    CHECK(probe_end(&probe));
    const struct gv_payload *p = &probe.payload;
    CHECK(p->frame_count == 2 && p->chunk_count == 3 && p->tail_begin == 2);
    CHECK(p->frames[0].command_begin == 0 && p->frames[0].command_end == 1);
    CHECK(p->frames[1].command_begin == 1 && p->frames[1].command_end == 2);
    CHECK(p->frames[1].width == 2 && p->frames[1].chunk_begin == 1);
    const char *name = NULL;
    CHECK(gv_payload_source(p, 1, &name) == 9 && name && strcmp(name, "b") == 0);
    CHECK(probe.totals.frames == 2 && probe.totals.commands == 3);
    CHECK(p->instruction_count == probe.totals.instructions);
    probe_finish(&probe);
}

static void test_limits(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    for (int i = 0; i < 100; i++) {
        struct gv_buffer buffer = make_buffer(b, 1000);
        struct gv_image image =
            gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D,
                    .format = GV_FORMAT_R8G8B8A8_UNORM, .width = 16, .height = 16,
                    .depth = 1, .mips = 5, .layers = 2, .samples = 1,
                    .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
        struct gv_map map =
            gv_emit(b, buffer_map, .buffer = buffer, .offset = 0, .size = 64);
        gv_emit(b, buffer_unmap, .map = map);
        gv_emit(b, image_destroy, .image = image);
        gv_emit(b, buffer_destroy, .buffer = buffer);
    }
    gv_builder_frame_end(b, 0, 0);
    CHECK(probe_end(&probe));
    const struct gv_limits *limits = &probe.payload.limits;
    CHECK(probe.payload.slot_count == 3);
    CHECK(limits->objects == 3);
    CHECK(limits->object_bytes == 1000 + 2 * 4 * (256 + 64 + 16 + 4 + 1));
    CHECK(limits->map_bytes == 64);
    CHECK(limits->stack_cells == 10);
    CHECK(limits->volatile_bytes == 0);
    probe_finish(&probe);
}

static void test_chunks(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    for (uint32_t i = 0; i < 200000; i++) {
        gv_builder_command(probe.builder, i, i, "draw");
        gv_emit(probe.builder, draw, .vertex_count = 3 + i, .instance_count = 1,
                .first_vertex = 0, .first_instance = i);
    }
    gv_builder_frame_end(probe.builder, 1, 1);
    CHECK(probe_end(&probe));
    CHECK(probe.payload.chunk_count > 3);
    CHECK(probe.payload.frames[0].chunk_end == probe.payload.chunk_count);
    probe_finish(&probe);
}

static void test_descriptions(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    struct gv_sampler_desc sampler = { .max_lod = 1000.0f };
    struct gv_sampler first = gv_builder_sampler(b, &sampler);
    sampler.mag_filter = GV_FILTER_LINEAR;
    struct gv_sampler second = gv_builder_sampler(b, &sampler);
    sampler.mag_filter = GV_FILTER_NEAREST;
    CHECK(first.id && second.id && first.id != second.id);
    CHECK(gv_builder_sampler(b, &sampler).id == first.id);
    static const uint32_t words[] = {
        0x07230203, 0x00010300, 0, 8, 0, 2u << 16 | 17, 2
    };
    struct gv_shader shader = gv_builder_shader(b, words, 7);
    CHECK(shader.id && gv_builder_shader(b, words, 7).id == shader.id);
    CHECK(gv_builder_shader(b, words, 5).id != shader.id);
    static struct gv_graphics_desc desc;
    gv_graphics_desc_default(&desc);
    desc.color_count = 1;
    desc.color_formats[0] = GV_FORMAT_R8G8B8A8_UNORM;
    const struct gv_stage_shaders stages = { .vertex = shader };
    struct gv_pipeline pipeline = gv_builder_graphics(b, &desc, &stages);
    CHECK(pipeline.id && gv_builder_graphics(b, &desc, &stages).id == pipeline.id);
    desc.cull = GV_CULL_BACK;
    CHECK(gv_builder_graphics(b, &desc, &stages).id != pipeline.id);
    static struct gv_compute_desc compute;
    struct gv_pipeline kernel = gv_builder_compute(b, &compute, shader);
    CHECK(kernel.id && gv_builder_compute(b, &compute, shader).id == kernel.id);
    // Graphics and compute pipelines are bound side by side.
    uint64_t before = 0;
    for (int i = 0; i < 3; i++) {
        gv_emit(b, bind_pipeline, .pipeline = pipeline);
        gv_emit(b, bind_pipeline, .pipeline = kernel);
    }
    gv_builder_frame_end(b, 0, 0);
    CHECK(probe_end(&probe));
    struct gv_bytes code = { 0 };
    probe_code(&probe, &code);
    for (const char *at = (const char *)code.data; (at = strstr(at, "bind_pipeline"));
         at++)
        before++;
    CHECK(before == 2);
    gv_bytes_finish(&code);
    probe_finish(&probe);
}

static const struct gv_requirement *find_requirement(const struct gv_payload *p,
                                                     uint8_t kind, const char *name)
{
    for (size_t i = 0; i < p->requirement_count; i++)
        if (p->requirements[i].kind == kind &&
            strcmp(p->requirements[i].name, name) == 0)
            return &p->requirements[i];
    return NULL;
}

static void require_much(struct gv_builder *b)
{
    static const uint32_t words[] = { 0x07230203, 0x00010300,    0, 8, 0, 2u << 16 | 17,
                                      1,          2u << 16 | 17, 55 };
    struct gv_shader shader = gv_builder_shader(b, words, 9);
    static struct gv_graphics_desc desc;
    gv_graphics_desc_default(&desc);
    desc.polygon_mode = GV_POLYGON_MODE_LINE;
    desc.line_mode = GV_LINE_MODE_BRESENHAM;
    desc.color_count = 2;
    desc.color_formats[0] = desc.color_formats[1] = GV_FORMAT_R8G8B8A8_UNORM;
    desc.blend[0].enable = true;
    const struct gv_stage_shaders stages = { .vertex = shader, .geometry = shader };
    gv_builder_graphics(b, &desc, &stages);
    for (uint32_t side = 4096; side <= 16384; side *= 2)
        gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D,
                .format = GV_FORMAT_BC1_RGBA_UNORM_BLOCK, .width = side, .height = 4,
                .depth = 1, .mips = 1, .layers = 1, .samples = 1,
                .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
    static const uint8_t constants[32768];
    for (uint32_t size = 8192; size <= sizeof constants; size *= 2)
        gv_emit(b, bind_uniform_bytes, .set = 0, .binding = 1,
                .data = gv_data(constants), .size = size);
    gv_emit(b, pass_begin, .width = 4096, .height = 5000, .layers = 1);
    gv_emit0(b, pass_end);
    gv_builder_require(b, &(struct gv_requirement){ .kind = GV_REQUIRE_LIMIT,
                                                    .name = "maxImageDimension2D",
                                                    .value = 5 });
    gv_builder_frame_end(b, 0, 0);
}

static void test_requirements(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    require_much(probe.builder);
    CHECK(probe_end(&probe));
    static const char *const features[] = {
        "shaderStorageImageReadWithoutFormat",
        "fillModeNonSolid",
        "bresenhamLines",
        "independentBlend",
        "geometryShader",
        "textureCompressionBC",
    };
    const struct gv_payload *p = &probe.payload;
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        CHECK_ROW(features[i], find_requirement(p, GV_REQUIRE_FEATURE, features[i]));
    CHECK(find_requirement(p, GV_REQUIRE_EXTENSION, "VK_EXT_line_rasterization"));
    CHECK(!find_requirement(p, GV_REQUIRE_FEATURE, "depthClipEnable"));
    const struct gv_requirement *r =
        find_requirement(p, GV_REQUIRE_LIMIT, "maxImageDimension2D");
    CHECK(r && r->value == 16384);
    r = find_requirement(p, GV_REQUIRE_LIMIT, "maxUniformBufferRange");
    CHECK(r && r->value == 32768);
    CHECK(!find_requirement(p, GV_REQUIRE_LIMIT, "maxFramebufferWidth"));
    r = find_requirement(p, GV_REQUIRE_LIMIT, "maxFramebufferHeight");
    CHECK(r && r->value == 5000);
    r = find_requirement(p, GV_REQUIRE_FORMAT, "R8G8B8A8_UNORM");
    CHECK(r && r->value == 0x180); // colour attachment, blended
    r = find_requirement(p, GV_REQUIRE_FORMAT, "BC1_RGBA_UNORM_BLOCK");
    CHECK(r && r->value == 0x1);
    CHECK(find_requirement(p, GV_REQUIRE_MEMORY, ""));
    probe_finish(&probe);
}

// Shaders of points: which stage sizes them, and whether it or the topology makes them.
#define POINTS(mode, to)                                                              \
    {                                                                                 \
        0x07230203, 0x00010300, 0, 10, 0, 3u << 16 | 16, 1, (mode), 4u << 16 | 71, 3, \
            11, 1, 3u << 16 | 62, (to), 6                                             \
    }
static const uint32_t plain[] = POINTS(27, 4), sized[] = POINTS(27, 3),
                      lines[] = POINTS(28, 3), domain[] = POINTS(10, 3);

static const struct {
    const char *name;
    const uint32_t *vertex, *domain, *geometry;
    uint32_t topology;
    int strength; // of the row of largePoints, -1: none
} sizers[] = {
    { "vertex", sized, NULL, NULL, GV_TOPOLOGY_POINT_LIST, GV_ALTERNATIVE },
    { "vertex_plain", plain, NULL, NULL, GV_TOPOLOGY_POINT_LIST, -1 },
    { "vertex_of_triangles", sized, NULL, NULL, GV_TOPOLOGY_TRIANGLE_LIST, -1 },
    { "geometry", plain, NULL, sized, GV_TOPOLOGY_TRIANGLE_LIST, GV_NEEDED },
    { "geometry_lines", sized, NULL, lines, GV_TOPOLOGY_POINT_LIST, -1 },
    { "geometry_plain", sized, NULL, plain, GV_TOPOLOGY_POINT_LIST, -1 },
    { "domain", plain, domain, NULL, GV_TOPOLOGY_PATCH_LIST, GV_NEEDED },
    { "domain_behind", plain, domain, plain, GV_TOPOLOGY_PATCH_LIST, -1 },
};

static struct gv_shader sizer(struct gv_builder *b, const uint32_t *words)
{
    return words ? gv_builder_shader(b, words, sizeof plain / sizeof plain[0])
                 : GV_NO_SHADER;
}

static void test_points(void)
{
    static struct gv_graphics_desc desc;
    for (size_t i = 0; i < sizeof sizers / sizeof sizers[0]; i++) {
        struct probe probe;
        probe_begin(&probe, false, 1);
        struct gv_builder *b = probe.builder;
        gv_graphics_desc_default(&desc);
        desc.topology = sizers[i].topology;
        desc.patch_control_points = sizers[i].domain ? 3 : 0;
        const struct gv_stage_shaders stages = {
            .vertex = sizer(b, sizers[i].vertex),
            .tessellation_control = sizer(b, sizers[i].domain ? plain : NULL),
            .tessellation_evaluation = sizer(b, sizers[i].domain),
            .geometry = sizer(b, sizers[i].geometry),
        };
        gv_builder_graphics(b, &desc, &stages);
        gv_builder_frame_end(b, 0, 0);
        CHECK_ROW(sizers[i].name, probe_end(&probe));
        const struct gv_requirement *row =
            find_requirement(&probe.payload, GV_REQUIRE_FEATURE, "largePoints");
        CHECK_ROW(sizers[i].name,
                  sizers[i].strength == (row ? (int)row->strength : -1));
        probe_finish(&probe);
    }
}

// One of two shaders sizes its points: so may what is made of both.
static void test_points_joined(void)
{
    static const struct gv_requirement way = { GV_REQUIRE_FEATURE, GV_ALTERNATIVE,
                                               "wideLines", 0, "thin" };
    static struct gv_graphics_desc desc;
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    gv_builder_either_begin(b, &way, 1);
    struct gv_shader shader = sizer(b, sized);
    gv_builder_either_else(b);
    if (gv_builder_either_same(b, shader))
        sizer(b, plain);
    gv_builder_either_end(b);
    gv_graphics_desc_default(&desc);
    desc.topology = GV_TOPOLOGY_POINT_LIST;
    gv_builder_graphics(b, &desc, &(struct gv_stage_shaders){ .vertex = shader });
    gv_builder_frame_end(b, 0, 0);
    CHECK(probe_end(&probe));
    CHECK(find_requirement(&probe.payload, GV_REQUIRE_FEATURE, "largePoints"));
    probe_finish(&probe);
}

static const struct {
    const char *name;
    uint32_t format, samples, usage;
    uint64_t integers; // of the row; 0 = none
} sampled[] = {
    { "floats", GV_FORMAT_R8G8B8A8_UNORM, 4, GV_IMAGE_USAGE_SAMPLED, 0 },
    { "one", GV_FORMAT_R8G8B8A8_UINT, 1, GV_IMAGE_USAGE_SAMPLED, 0 },
    { "unsigned", GV_FORMAT_R8G8B8A8_UINT, 4, GV_IMAGE_USAGE_SAMPLED, 4 },
    { "signed", GV_FORMAT_R8G8B8A8_SINT, 8, GV_IMAGE_USAGE_SAMPLED, 8 },
    { "drawn", GV_FORMAT_R8G8B8A8_UINT, 4, GV_IMAGE_USAGE_COLOR_ATTACHMENT, 0 },
};

static void test_samples(void)
{
    for (size_t i = 0; i < sizeof sampled / sizeof sampled[0]; i++) {
        struct probe probe;
        probe_begin(&probe, false, 1);
        gv_emit(probe.builder, image_create, .type = GV_IMAGE_TYPE_2D,
                .format = sampled[i].format, .width = 4, .height = 4, .depth = 1,
                .mips = 1, .layers = 1, .samples = sampled[i].samples,
                .usage = sampled[i].usage, .flags = 0);
        gv_builder_frame_end(probe.builder, 0, 0);
        CHECK_ROW(sampled[i].name, probe_end(&probe));
        const struct gv_requirement *r = find_requirement(
            &probe.payload, GV_REQUIRE_LIMIT, "sampledImageIntegerSampleCounts");
        CHECK_ROW(sampled[i].name, (r ? r->value : 0) == sampled[i].integers);
        probe_finish(&probe);
    }
}

static void test_diagnostics(void)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    struct gv_builder *b = probe.builder;
    for (uint32_t i = 0; i < 3; i++) {
        gv_builder_command(b, i, UINT64_C(10) * i, "c");
        gv_builder_diagnose(b, GV_WARNING, "odd", "stride %d is odd", 7);
        if (i > 0)
            gv_builder_diagnose(b, GV_UNSUPPORTED, "unsupported", "glFoo");
    }
    gv_builder_frame_end(b, 0, 0);
    CHECK(gv_builder_export(
              b, &(struct gv_export){ "color0", GV_KIND_IMAGE, 37, 1, 1 }) == 0);
    CHECK(gv_builder_export(
              b, &(struct gv_export){ "depth", GV_KIND_IMAGE, 124, 1, 1 }) == 1);
    CHECK(gv_builder_export(
              b, &(struct gv_export){ "color0", GV_KIND_IMAGE, 37, 1, 1 }) == 0);
    CHECK(probe_end(&probe));
    const struct gv_payload *p = &probe.payload;
    CHECK(p->export_count == 2);
    CHECK(p->diagnostic_count == 2);
    if (p->diagnostic_count == 2) {
        CHECK(p->diagnostics[0].count == 3 && p->diagnostics[0].command == 0);
        CHECK(strcmp(p->diagnostics[0].text, "stride 7 is odd") == 0);
        CHECK(p->diagnostics[1].count == 2 && p->diagnostics[1].offset == 10);
    }
    CHECK(probe.totals.unsupported == 2);
    probe_finish(&probe);
}

// ---- failures ----

static void use_destroyed(struct gv_builder *b)
{
    struct gv_buffer buffer = make_buffer(b, 4);
    gv_emit(b, buffer_destroy, .buffer = buffer);
    gv_emit(b, buffer_destroy, .buffer = buffer);
}
static void use_unknown(struct gv_builder *b)
{
    gv_emit(b, buffer_destroy, .buffer = (struct gv_buffer){ 77 });
}
static void use_none(struct gv_builder *b)
{
    gv_emit(b, buffer_destroy, .buffer = GV_NO_BUFFER);
}
static void use_other_kind(struct gv_builder *b)
{
    gv_emit(b, image_destroy, .image = (struct gv_image){ make_buffer(b, 4).id });
}
static void use_no_bytes(struct gv_builder *b)
{
    gv_emit(b, buffer_upload, .buffer = make_buffer(b, 4), .offset = 0,
            .data = gv_data(NULL), .size = 4);
}
static void go_back(struct gv_builder *b)
{
    gv_builder_command(b, 3, 30, "again");
}
static void write_outside_map(struct gv_builder *b)
{
    struct gv_map map =
        gv_emit(b, buffer_map, .buffer = make_buffer(b, 64), .offset = 0, .size = 8);
    gv_builder_map_write(b, map, 4, "12345", 5);
}
static void not_a_description(struct gv_builder *b)
{
    gv_emit(b, sampler_create, .desc = gv_data("\xff\xff"), .size = 2);
}
static void beyond_target(struct gv_builder *b)
{
    gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = GV_FORMAT_R8G8B8_UNORM,
            .width = 4, .height = 4, .depth = 1, .mips = 1, .layers = 1, .samples = 1,
            .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
}
static void meet_unsupported(struct gv_builder *b)
{
    gv_builder_diagnose(b, GV_UNSUPPORTED, "unsupported", "glFoo");
}

static const struct probe_failure failures[] = {
    { "use_destroyed", use_destroyed, GV_ERR_FORMAT,
      "buffer_destroy: argument buffer is an object that was destroyed" },
    { "use_unknown", use_unknown, GV_ERR_FORMAT,
      "buffer_destroy: argument buffer is an object that was destroyed" },
    { "use_none", use_none, GV_ERR_FORMAT,
      "buffer_destroy: argument buffer is no object" },
    { "use_other_kind", use_other_kind, GV_ERR_FORMAT,
      "image_destroy: argument image is an object of another kind" },
    { "use_no_bytes", use_no_bytes, GV_ERR_FORMAT,
      "buffer_upload: argument data has no bytes" },
    { "go_back", go_back, GV_ERR_USAGE, "command numbers do not ascend" },
    { "write_outside_map", write_outside_map, GV_ERR_FORMAT,
      "write outside a mapped range" },
    { "not_a_description", not_a_description, GV_ERR_FORMAT,
      "sampler_create: a description does not decode" },
    { "beyond_target", beyond_target, GV_ERR_UNSUPPORTED,
      "unsupported: R8G8B8_UNORM on this target" },
    { "meet_unsupported", meet_unsupported, GV_ERR_UNSUPPORTED, "unsupported: glFoo" },
};

static void test_failures(void)
{
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        CHECK_ROW(failures[i].name, probe_fails(&failures[i], draw));
}

// ---- determinism ----

static void build_much(struct gv_builder *b)
{
    uint32_t seed = 1;
    static uint8_t bytes[70000];
    memset(bytes, 0, sizeof bytes);
    struct gv_buffer buffer = make_buffer(b, sizeof bytes);
    for (uint32_t i = 0; i < 3000; i++) {
        gv_builder_command(b, i, UINT64_C(16) * i, i % 3 ? "odd" : "even");
        seed = seed * 1664525u + 1013904223u;
        bytes[seed % sizeof bytes] = (uint8_t)(seed >> 24);
        gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = gv_data(bytes),
                .size = 1 + seed % 3000);
        gv_observed_at(gv_builder_observe(b, 0, 4096 + seed % 100, bytes, 5000), 1);
        draw(b);
        if (i % 100 == 99)
            gv_builder_frame_end(b, 4, 4);
    }
}

// What the builder writes is what the assembler would.
static void check_text(struct probe *probe)
{
    struct gv_bytes text = { 0 }, again = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_assemble_params params = { .resources = &probe->payload };
    CHECK(probe->open && gv_text_disassemble(&probe->payload, &text, &err));
    CHECK(gv_text_assemble((const char *)text.data, text.size, &params, &again, &err));
    CHECK(again.size == probe->bytes.size &&
          memcmp(again.data, probe->bytes.data, again.size) == 0);
    if (err.status != GV_OK)
        fprintf(stderr, "%s\n", err.message);
    gv_bytes_finish(&text);
    gv_bytes_finish(&again);
}

static void test_determinism(void)
{
    struct probe probes[2];
    for (int i = 0; i < 2; i++) {
        probe_begin(&probes[i], false, i + 1); // jobs
        build_much(probes[i].builder);
        CHECK(probe_end(&probes[i]));
    }
    CHECK(probes[0].bytes.size == probes[1].bytes.size &&
          memcmp(probes[0].bytes.data, probes[1].bytes.data, probes[0].bytes.size) ==
              0);
    check_text(&probes[0]);
    for (int i = 0; i < 2; i++)
        probe_finish(&probes[i]);
}

// ---- memory ----

// Bytes that cannot be compressed, in one chunk: what is not written yet stays bounded.
static void test_relief(void)
{
    enum { SIZE = 1 << 20, COUNT = 100 };
    const uint64_t most = 2 * GV_RELIEF_BYTES + 2 * GV_GROUP_BYTES;
    static uint64_t noise[SIZE / 8];
    uint64_t state = 1;
    for (int jobs = 1; jobs <= 2; jobs++) {
        struct probe probe;
        probe_begin(&probe, false, jobs);
        struct gv_buffer buffer = make_buffer(probe.builder, SIZE);
        for (uint64_t i = 1; i <= COUNT; i++) {
            for (size_t k = 0; k < SIZE / 8; k++) {
                state ^= state << 13;
                state ^= state >> 7;
                noise[k] = state ^= state << 17;
            }
            gv_emit(probe.builder, buffer_upload, .buffer = buffer, .offset = 0,
                    .data = gv_data(noise), .size = SIZE);
            CHECK(i * SIZE <= probe.bytes.size + most);
        }
        gv_builder_frame_end(probe.builder, 0, 0);
        CHECK(probe_end(&probe));
        CHECK(probe.payload.chunk_count == 1 && probe.payload.resource_count == COUNT);
        probe_finish(&probe);
    }
}

int main(void)
{
    test_code();
    test_frames();
    test_limits();
    test_chunks();
    test_descriptions();
    test_requirements();
    test_points();
    test_points_joined();
    test_samples();
    test_diagnostics();
    test_failures();
    test_determinism();
    test_relief();
    return TEST_RESULT();
}
