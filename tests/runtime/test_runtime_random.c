// Calls at random, with handles and numbers that are mostly plausible: each is done or
// refused, and whatever is done leaves nothing for the validation layer to say.
//   test_runtime_random SHADERS [FIRST_SEED [SEEDS [CALLS]]]
#include "resources/base/file.h"
#include "tests/runtime/runtime_fixture.h"
#include "vm/descs.h"

#define POOL 12 // objects kept of each kind

static const char *const shader_names[] = {
    "cover.vert",      "cover_depth.vert", "color.vert",
    "plain.vert",      "capture.vert",     "patch.vert",
    "patch.tesc",      "patch.tese",       "points.geom",
    "solid.frag",      "solid.frag",       "color.frag",
    "texture_2d.frag", "counter.frag",     "four_targets.frag",
    "texture_ms.frag", "solid_uint.frag",  "increment.comp",
    "images.comp",     "blocks.comp",      "attribute_uint.vert",
    "flat_uint.frag",  "fill.comp",        "texture_at_shadow.frag",
};
#define SHADERS (sizeof shader_names / sizeof *shader_names)

static struct gv_file shaders[SHADERS];
static uint64_t modules[SHADERS];
static uint64_t pools[GV_KIND_COUNT][POOL];
static uint32_t state;
static bool verbose, step_by_step;
static unsigned done, refused;

static uint32_t roll(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * below) >> 32);
}

static bool rarely(void)
{
    return roll(40) == 0;
}

// ---- arguments ----

static uint64_t pick_handle(enum gv_kind kind, bool optional)
{
    if (rarely())
        return roll(1000);
    if (optional && roll(4) == 0)
        return 0;
    return pools[kind][roll(POOL)];
}

static uint64_t pick_number(void)
{
    static const uint64_t odd[] = { 5,   7,    8,     16,         64,
                                    256, 4096, 65536, UINT32_MAX, 1u << 31 };
    return roll(5) ? roll(4) : odd[roll(rarely() ? 10 : 5)];
}

static uint64_t pick_enum(enum gv_enum_id id)
{
    if (!gv_enum_is_flags(id)) {
        for (int n = 0; n < 100; n++) {
            uint64_t value = rarely() ? 1000000000u + roll(400000) : roll(24);
            if (gv_enum_valid(id, value))
                return value;
        }
        return 0;
    }
    uint64_t value = 0;
    for (uint64_t bit = 1; bit < 0x1000; bit <<= 1)
        if (gv_enum_valid(id, bit) && roll(2))
            value |= bit;
    return value;
}

static uint32_t pick_format(void)
{
    static const uint32_t formats[] = {
        GV_FORMAT_R8G8B8A8_UNORM,     GV_FORMAT_R8G8B8A8_UNORM,
        GV_FORMAT_R8G8B8A8_UNORM,     GV_FORMAT_R8G8B8A8_UINT,
        GV_FORMAT_R32_UINT,           GV_FORMAT_R32G32B32A32_SFLOAT,
        GV_FORMAT_D32_SFLOAT_S8_UINT, GV_FORMAT_D32_SFLOAT,
        GV_FORMAT_R32G32B32A32_UINT,  GV_FORMAT_BC1_RGB_UNORM_BLOCK,
        GV_FORMAT_R16G16_UINT,
    };
    return formats[roll(sizeof formats / sizeof *formats)];
}

static float pick_float(void)
{
    static const float values[] = { 0, 0, 1, 1, 0.5f, 4, 8, -1, -4, 1e9f, 1e30f };
    return values[roll(rarely() ? 11 : 7)];
}

// ---- descriptions ----

static uint32_t stages; // of the bindings being made

static void add_binding(struct gv_interface_desc *d, uint32_t set, uint32_t binding,
                        uint32_t type, uint32_t count)
{
    d->bindings[d->binding_count++] =
        (struct gv_binding_desc){ set, binding, type, count, stages };
}

static void make_interface(struct gv_interface_desc *d, bool compute)
{
    d->binding_count = 0;
    stages = compute ? GV_STAGE_COMPUTE : 0x1f;
    uint32_t uniform =
        roll(3) ? GV_BINDING_UNIFORM_BUFFER_DYNAMIC : GV_BINDING_UNIFORM_BUFFER;
    add_binding(d, 0, 0, uniform, 1);
    if (compute && roll(2))
        add_binding(d, 0, 1, GV_BINDING_UNIFORM_BUFFER, 1);
    if (!compute)
        add_binding(d, 1, 0, uniform, 1);
    add_binding(d, 2, 0,
                compute ? GV_BINDING_UNIFORM_TEXEL_BUFFER
                        : GV_BINDING_COMBINED_IMAGE_SAMPLER,
                1);
    if (compute && roll(2)) {
        add_binding(d, 3, 0, GV_BINDING_STORAGE_IMAGE, 1);
        add_binding(d, 3, 1, GV_BINDING_STORAGE_TEXEL_BUFFER, 1);
        add_binding(d, 3, 2, GV_BINDING_STORAGE_IMAGE, 1);
        add_binding(d, 3, 3, GV_BINDING_STORAGE_IMAGE, 1);
    } else {
        add_binding(d, 3, 0, GV_BINDING_STORAGE_BUFFER, 1 + roll(2));
        add_binding(d, 3, 2, GV_BINDING_STORAGE_BUFFER, 1);
    }
    if (compute && roll(2)) {
        d->spec_constants[0] =
            (struct gv_spec_constant){ GV_STAGE_COMPUTE, 0, roll(9) };
        d->spec_constant_count = 1;
    }
}

static void make_raster(struct gv_graphics_desc *d)
{
    d->topology = roll(11);
    d->primitive_restart = roll(4) == 0;
    d->patch_control_points = d->topology == GV_TOPOLOGY_PATCH_LIST ? 3 : 0;
    d->viewport_count = 1 + roll(2);
    d->rasterizer_discard = roll(8) == 0;
    d->depth_clamp = roll(4) == 0;
    d->depth_clip = roll(4) != 0;
    d->negative_one_to_one = roll(4) == 0;
    d->polygon_mode = roll(6) == 0 ? roll(3) : 0;
    d->cull = roll(4) == 0 ? roll(4) : 0;
    d->provoking_vertex = roll(2);
    d->line_mode = roll(4);
    d->line_stipple = roll(4) == 0;
    d->samples = roll(3) ? 1 : 4;
    d->sample_shading = roll(8) == 0;
    d->sample_mask = roll(4) == 0 ? roll(16) : UINT32_MAX;
    d->alpha_to_coverage = roll(8) == 0;
    d->alpha_to_one = roll(8) == 0;
    d->depth_test = roll(2) == 0;
    d->depth_write = roll(2) == 0;
    d->depth_compare = roll(8);
    d->stencil_test = roll(2) == 0;
    d->front.pass_op = roll(8);
    d->front.compare = roll(8);
}

static void make_graphics(struct gv_bytes *out)
{
    static struct gv_graphics_desc d;
    gv_graphics_desc_default(&d);
    make_raster(&d);
    d.color_count = roll(8) ? 1 : roll(3);
    for (uint32_t i = 0; i < d.color_count; i++) {
        d.color_formats[i] =
            roll(6) ? GV_FORMAT_R8G8B8A8_UNORM : GV_FORMAT_R32G32B32A32_SFLOAT;
        d.blend[i].write_mask = roll(16);
        d.blend[i].enable = roll(4) == 0;
        d.blend[i].src_color = roll(19);
        d.blend[i].dst_color = roll(15);
    }
    d.depth_stencil_format = roll(3) ? 0 : GV_FORMAT_D32_SFLOAT_S8_UINT;
    d.vertex_binding_count = d.vertex_attribute_count = roll(3);
    for (uint32_t i = 0; i < d.vertex_attribute_count; i++) {
        d.vertex_bindings[i].slot = i;
        d.vertex_bindings[i].rate = roll(2);
        d.vertex_bindings[i].divisor = d.vertex_bindings[i].rate ? roll(3) : 1;
        d.vertex_attributes[i].location = 2 * i + roll(2);
        d.vertex_attributes[i].slot = i;
        d.vertex_attributes[i].format =
            roll(3) ? GV_FORMAT_R32G32B32A32_SFLOAT : GV_FORMAT_R8G8B8A8_UINT;
        d.vertex_attributes[i].offset = roll(3) * 4;
    }
    make_interface(&d.interface, false);
    if (verbose)
        fprintf(
            stderr,
            "top %u samples %u a2c %d a2o %d shade %d mask %x colors %u fmt %u ds %u "
            "blend %d %u %u wm %x line %u %d poly %u\n",
            d.topology, d.samples, d.alpha_to_coverage, d.alpha_to_one,
            d.sample_shading, d.sample_mask, d.color_count, d.color_formats[0],
            d.depth_stencil_format, d.blend[0].enable, d.blend[0].src_color,
            d.blend[0].dst_color, d.blend[0].write_mask, d.line_mode, d.line_stipple,
            d.polygon_mode);
    gv_graphics_desc_encode(&d, out);
}

static void make_compute(struct gv_bytes *out)
{
    static struct gv_compute_desc d;
    d = (struct gv_compute_desc){ .interface = { .binding_count = 0 } };
    make_interface(&d.interface, true);
    gv_compute_desc_encode(&d, out);
}

static void make_sampler(struct gv_bytes *out)
{
    const struct gv_sampler_desc d = {
        .mag_filter = roll(2),
        .min_filter = roll(2),
        .mip_filter = roll(2),
        .address_u = roll(5),
        .address_v = roll(5),
        .max_lod = roll(2) ? 1000 : 0,
        .max_anisotropy = roll(4) ? 0 : 4,
        .compare_enable = roll(4) == 0,
        .compare = roll(8),
        .border = roll(6),
        .unnormalized = roll(6) == 0,
    };
    gv_sampler_desc_encode(&d, out);
}

// ---- calls ----

// The arguments a BYTES and its SIZE stand for.
static void pick_bytes(const struct gv_arg_info *info, struct gv_bytes *storage,
                       union gv_arg *data, union gv_arg *size)
{
    static uint32_t small[16384]; // numbers that are harmless as counts
    for (uint32_t i = 0; i < 64; i++)
        small[roll(16384)] = roll(4);
    data->data = (const uint8_t *)small;
    size->u = roll(2) ? 64 : pick_number() * 4 % sizeof small;
    switch (info->of) {
    case GV_ENUM_ID_GRAPHICS_DESC:
        make_graphics(storage);
        break;
    case GV_ENUM_ID_COMPUTE_DESC:
        make_compute(storage);
        break;
    case GV_ENUM_ID_SAMPLER_DESC:
        make_sampler(storage);
        break;
    case GV_ENUM_ID_DISPATCH_RANGES:
        size->u = 0;
        return;
    default:
        return;
    }
    data->data = storage->data;
    size->u = storage->size;
}

static uint64_t pick_argument(const struct gv_arg_info *info)
{
    bool optional = false;
    enum gv_kind kind = gv_arg_object_kind((enum gv_arg_kind)info->kind, &optional);
    if (kind != GV_KIND_NONE)
        return pick_handle(kind, optional);
    switch ((enum gv_arg_kind)info->kind) {
    case GV_ARG_F32:
        return bits(pick_float()).u;
    case GV_ARG_BOOL:
        return roll(2);
    case GV_ARG_ENUM:
    case GV_ARG_FLAGS:
        return pick_enum((enum gv_enum_id)info->of);
    case GV_ARG_FORMAT:
        return pick_format();
    case GV_ARG_FORMAT_OPT:
        return roll(4) ? 0 : pick_format();
    default:
        return pick_number();
    }
}

static void keep(enum gv_kind kind, uint64_t handle)
{
    pools[kind][roll(POOL)] = handle;
}

// A module of the stage, by the ending of its name; or once in a while any.
static uint64_t pick_module(const char *ending)
{
    for (int n = 0; n < 100; n++) {
        uint32_t i = roll(SHADERS);
        if (strstr(shader_names[i], ending) || roll(200) == 0)
            return modules[i];
    }
    return 0;
}

static void sensible(enum gv_call call, union gv_arg *args)
{
    // What would otherwise hardly ever fit together.
    if (call == GV_CALL_image_create) {
        struct gv_args_image_create *a = (struct gv_args_image_create *)args;
        uint32_t side = 1u << roll(4);
        a->type.u = roll(6) ? GV_IMAGE_TYPE_2D : a->type.u;
        a->width.u = a->height.u = side;
        a->depth.u = a->layers.u = 1;
        a->mips.u = 1 + roll(2) * (side > 1);
        a->samples.u = roll(5) ? 1 : 4;
    } else if (call == GV_CALL_buffer_create) {
        struct gv_args_buffer_create *a = (struct gv_args_buffer_create *)args;
        a->size.u = 64u << roll(8);
    } else if (call == GV_CALL_pass_begin) {
        struct gv_args_pass_begin *a = (struct gv_args_pass_begin *)args;
        a->width.u = a->height.u = 1;
        a->layers.u = 1;
    } else if (call == GV_CALL_pass_color) {
        struct gv_args_pass_color *a = (struct gv_args_pass_color *)args;
        a->index.u = roll(6) == 0;
        a->mip.u = a->layer.u = 0;
        a->layers.u = 1;
    } else if (call == GV_CALL_bind_texture) {
        struct gv_args_bind_texture *a = (struct gv_args_bind_texture *)args;
        a->set.u = 2;
        a->binding.u = a->element.u = 0;
        a->type.u = roll(6) ? GV_VIEW_TYPE_2D : a->type.u;
        a->mip.u = a->layer.u = a->swizzle.u = 0;
        a->mips.u = a->layers.u = 1;
    } else if (call == GV_CALL_pipeline_create_graphics) {
        struct gv_args_pipeline_create_graphics *a =
            (struct gv_args_pipeline_create_graphics *)args;
        bool tessellate = roll(8) == 0;
        a->vertex.u = pick_module(".vert");
        a->tessellation_control.u = tessellate ? pick_module(".tesc") : 0;
        a->tessellation_evaluation.u = tessellate ? pick_module(".tese") : 0;
        a->geometry.u = roll(8) ? 0 : pick_module(".geom");
        a->fragment.u = roll(8) ? pick_module(".frag") : 0;
    } else if (call == GV_CALL_pipeline_create_compute) {
        args[2].u = pick_module(".comp");
    } else if (call == GV_CALL_bind_buffer || call == GV_CALL_bind_uniform_bytes) {
        args[1].u = args[0].u == 0 ? 0 : args[1].u;
    } else if (call == GV_CALL_shader_create) {
        struct gv_args_shader_create *a = (struct gv_args_shader_create *)args;
        const struct gv_file *f = &shaders[roll(SHADERS)];
        a->spirv.data = f->data;
        a->size.u = f->size;
    } else if (call == GV_CALL_draw || call == GV_CALL_draw_indexed) {
        args[0].u %= 64;
        args[1].u %= 8;
    } else if (call == GV_CALL_dispatch) {
        args[0].u %= 8, args[1].u %= 8, args[2].u %= 8;
    } else if (call == GV_CALL_query_create || call == GV_CALL_image_mipmaps) {
        args[1].u %= 8;
    }
}

// A call that is worth a try.
static const struct gv_call_info *pick_call(enum gv_call *call)
{
    // The calls that tend to be refused get more tries.
    static const enum gv_call often[] = {
        GV_CALL_draw,
        GV_CALL_draw,
        GV_CALL_pipeline_create_graphics,
        GV_CALL_bind_pipeline,
        GV_CALL_bind_pipeline,
        GV_CALL_bind_texture,
        GV_CALL_pass_begin,
        GV_CALL_pass_color,
        GV_CALL_dispatch,
        GV_CALL_draw_indexed,
        GV_CALL_pipeline_create_compute,
    };
    *call = (enum gv_call)roll(GV_CALL_LIMIT);
    if (roll(2) == 0)
        *call = often[roll(sizeof often / sizeof *often)];
    const struct gv_call_info *info = &gv_call_infos[*call];
    if (!info->name || (strstr(info->name, "_destroy") && roll(4)))
        return NULL;
    return *call == GV_CALL_shader_destroy ? NULL : info;
}

static void say_call(const struct gv_call_info *info, const union gv_arg *args)
{
    if (!verbose)
        return;
    fprintf(stderr, "%s", info->name);
    for (uint32_t i = 0; i < info->arg_count; i++)
        fprintf(stderr, " %s=%llx", info->args[i].name, (unsigned long long)args[i].u);
    fprintf(stderr, "\n");
}

static void random_call(void)
{
    enum gv_call call;
    const struct gv_call_info *info = pick_call(&call);
    if (!info)
        return;
    union gv_arg args[GV_MAX_ARGS] = { { 0 } };
    struct gv_bytes storage = { 0 };
    for (uint32_t i = 0; i < info->arg_count; i++) {
        if (info->args[i].kind == GV_ARG_BYTES) {
            pick_bytes(&info->args[i], &storage, &args[i], &args[i + 1]);
            i++;
        } else {
            args[i].u = pick_argument(&info->args[i]);
        }
    }
    sensible(call, args);
    uint64_t result = 0;
    say_call(info, args);
    bool ok = try_call(call, &result, args);
    if (verbose)
        fprintf(stderr, "  %s %llx\n", ok ? "done" : fixture_error.message,
                (unsigned long long)result);
    if (step_by_step) {
        struct gv_error err = GV_ERROR_INIT;
        CHECK(
            gv_runtime_finish(fixture, &err)); // a driver's crash belongs to this call
    }
    if (ok)
        done++;
    else
        refused++;
    CHECK_ROW(info->name, ok || fixture_error.status != GV_OK);
    CHECK_ROW(info->name, ok || fixture_error.status != GV_ERR_LOST);
    if (ok && info->result)
        keep((enum gv_kind)info->result, result);
    gv_bytes_finish(&storage);
}

static void make_objects(void)
{
    for (uint32_t i = 0; i < SHADERS; i++)
        MAKE(modules[i], shader_create, bytes(shaders[i].data), num(shaders[i].size));
    for (uint32_t i = 0; i < POOL; i++) {
        MAKE(pools[GV_KIND_BUFFER][i], buffer_create, num(64u << roll(8)), num(0xbfc));
        pools[GV_KIND_IMAGE][i] =
            make_image(roll(4) ? GV_FORMAT_R8G8B8A8_UNORM : GV_FORMAT_R32_UINT, 8, 8,
                       GV_IMAGE_USAGE_SAMPLED | GV_IMAGE_USAGE_STORAGE |
                           GV_IMAGE_USAGE_COLOR_ATTACHMENT);
        MAKE(pools[GV_KIND_QUERY][i], query_create, num(roll(3)), num(4));
    }
}

static void run(uint32_t seed, uint32_t calls)
{
    state = seed;
    memset(pools, 0, sizeof pools);
    make_objects();
    for (uint32_t i = 0; i < calls; i++)
        random_call();
    uint64_t messages = gv_runtime_validation_messages(fixture);
    if (!gv_runtime_finish(fixture, &fixture_error))
        fprintf(stderr, "seed %u: %s\n", seed, fixture_error.message);
    CHECK(gv_runtime_reset(fixture, &fixture_error));
    if (messages)
        fprintf(stderr, "seed %u: %llu validation messages\n", seed,
                (unsigned long long)messages);
}

int main(int argc, char **argv)
{
    uint32_t first = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    uint32_t seeds = argc > 3 ? (uint32_t)atoi(argv[3]) : 8;
    uint32_t calls = argc > 4 ? (uint32_t)atoi(argv[4]) : 3000;
    verbose = getenv("GV_TEST_VERBOSE") != NULL;
    step_by_step = getenv("GV_TEST_STEP") != NULL;
    for (size_t i = 0; i < SHADERS; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.spv", argc > 1 ? argv[1] : ".",
                 shader_names[i]);
        if (!gv_file_open(&shaders[i], path, &fixture_error)) {
            fprintf(stderr, "%s\n", fixture_error.message);
            return EXIT_FAILURE;
        }
    }
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    for (uint32_t i = 0; i < seeds; i++)
        run(first + i, calls);
    printf("%u calls done, %u refused\n", done, refused);
    fixture_close();
    for (size_t i = 0; i < SHADERS; i++)
        gv_file_close(&shaders[i]);
    return TEST_RESULT();
}
