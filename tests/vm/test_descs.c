// Formats and descriptions: round trips, canonical bytes, and each kind of fault.
#include "vm/descs.h"
#include "vm/formats.h"

#include "tests/test.h"

static void fill(struct gv_graphics_desc *d)
{
    gv_graphics_desc_default(d);
    d->vertex_binding_count = 2;
    d->vertex_bindings[1].slot = 3;
    d->vertex_bindings[1].rate = GV_INPUT_RATE_INSTANCE;
    d->vertex_bindings[1].divisor = 7;
    d->vertex_attribute_count = 2;
    d->vertex_attributes[0].format = GV_FORMAT_R32G32B32_SFLOAT;
    d->vertex_attributes[1].location = 5;
    d->vertex_attributes[1].slot = 3;
    d->vertex_attributes[1].format = GV_FORMAT_R8G8B8A8_UNORM;
    d->vertex_attributes[1].offset = 300;
    d->color_count = 2;
    memset(&d->blend[2], 0, sizeof d->blend - 2 * sizeof d->blend[0]);
    d->color_formats[1] = GV_FORMAT_B8G8R8A8_UNORM; // 0 is a gap
    d->blend[1].enable = true;
    d->depth_stencil_format = GV_FORMAT_D24_UNORM_S8_UINT;
    d->min_sample_shading = 0.5f;
    d->interface.binding_count = 2;
    d->interface.bindings[0] =
        (struct gv_binding_desc){ 0, 1, GV_BINDING_UNIFORM_BUFFER_DYNAMIC, 1,
                                  GV_STAGE_VERTEX };
    d->interface.bindings[1] =
        (struct gv_binding_desc){ 2, 0, GV_BINDING_COMBINED_IMAGE_SAMPLER, 4,
                                  GV_STAGE_FRAGMENT };
    d->interface.spec_constant_count = 1;
    d->interface.spec_constants[0] =
        (struct gv_spec_constant){ GV_STAGE_FRAGMENT, 2, 0x3f800000 };
}

static void graphics_round_trip(void)
{
    static struct gv_graphics_desc in, out;
    struct gv_bytes bytes = { 0 }, again = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    fill(&in);
    gv_graphics_desc_encode(&in, &bytes);
    struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
    CHECK(gv_graphics_desc_decode(&c, &out, &err));
    CHECK(memcmp(&in, &out, sizeof in) == 0);
    gv_graphics_desc_encode(&out, &again);
    CHECK(bytes.size == again.size && memcmp(bytes.data, again.data, bytes.size) == 0);
    for (size_t n = 0; n < bytes.size; n++) { // every cut is refused
        c = gv_cursor_make(bytes.data, n);
        CHECK(!gv_graphics_desc_decode(&c, &out, NULL));
    }
    gv_bytes_u8(&bytes, 0);
    c = gv_cursor_make(bytes.data, bytes.size);
    CHECK(!gv_graphics_desc_decode(&c, &out, &err));
    CHECK(err.offset == again.size && strstr(err.message, "further bytes"));
    gv_bytes_finish(&bytes);
    gv_bytes_finish(&again);
}

// Each row breaks one field of a good description; decoding names that field.
#define GRAPHICS_FAULTS(F)                                                           \
    F("slot not ascending", vertex_bindings[1].slot = 0, "vertex_bindings[1].slot")  \
    F("slot too high", vertex_bindings[1].slot = 32, "vertex_bindings[1].slot")      \
    F("rate", vertex_bindings[0].rate = 2, "vertex_bindings[0].rate")                \
    F("location twice", vertex_attributes[1].location = 0,                           \
      "vertex_attributes[1].location")                                               \
    F("attribute of no binding", vertex_attributes[1].slot = 2,                      \
      "vertex_attributes[1].slot")                                                   \
    F("format unknown", vertex_attributes[0].format = 999,                           \
      "vertex_attributes[0].format")                                                 \
    F("format compressed", vertex_attributes[0].format = 131,                        \
      "vertex_attributes[0].format")                                                 \
    F("offset", vertex_attributes[0].offset = 65536, "vertex_attributes[0].offset")  \
    F("topology", topology = 11, "topology")                                         \
    F("patches of triangles", patch_control_points = 3, "patch_control_points")      \
    F("no patch points", topology = GV_TOPOLOGY_PATCH_LIST, "patch_control_points")  \
    F("origin", tessellation_origin = 2, "tessellation_origin")                      \
    F("no viewport", viewport_count = 0, "viewport_count")                           \
    F("viewports", viewport_count = 17, "viewport_count")                            \
    F("polygon mode", polygon_mode = 3, "polygon_mode")                              \
    F("cull", cull = 4, "cull")                                                      \
    F("front face", front_face = 2, "front_face")                                    \
    F("provoking", provoking_vertex = 2, "provoking_vertex")                         \
    F("line mode", line_mode = 4, "line_mode")                                       \
    F("stream", rasterization_stream = 4, "rasterization_stream")                    \
    F("no samples", samples = 0, "samples")                                          \
    F("three samples", samples = 3, "samples")                                       \
    F("sample shading", min_sample_shading = 1.5f, "min_sample_shading")             \
    F("sample shading nan", min_sample_shading = 0.0f / zero, "min_sample_shading")  \
    F("compare", depth_compare = 8, "depth_compare")                                 \
    F("stencil op", back.pass_op = 8, "back[0].pass_op")                             \
    F("blend factor", blend[1].src_color = 19, "color[1].src_color")                 \
    F("blend op", blend[1].alpha_op = 5, "color[1].alpha_op")                        \
    F("write mask", blend[0].write_mask = 16, "color[0].write_mask")                 \
    F("depth as colour", color_formats[1] = 126, "color[1].format")                  \
    F("colour as depth", depth_stencil_format = 37, "depth_stencil_format")          \
    F("logic op", logic_op = 16, "logic_op")                                         \
    F("set", interface.bindings[1].set = 4, "bindings[1].set")                       \
    F("binding order", interface.bindings[1].set = 0, "bindings[1].binding")         \
    F("binding number", interface.bindings[1].binding = 1024, "bindings[1].binding") \
    F("binding type", interface.bindings[1].type = 9, "bindings[1].type")            \
    F("no element", interface.bindings[1].count = 0, "bindings[1].count")            \
    F("dynamic array", interface.bindings[0].count = 2, "bindings[0].count")         \
    F("no stage", interface.bindings[0].stages = 0, "bindings[0].stages")            \
    F("compute stage", interface.bindings[0].stages = 32, "bindings[0].stages")      \
    F("two stages", interface.spec_constants[0].stage = 17, "spec_constants[0].stage")

static void graphics_faults(void)
{
    static struct gv_graphics_desc d, out;
    static volatile float zero;
#define F(row, change, field)                                                    \
    do {                                                                         \
        struct gv_bytes bytes = { 0 };                                           \
        struct gv_error err = GV_ERROR_INIT;                                     \
        fill(&d);                                                                \
        d.change;                                                                \
        gv_graphics_desc_encode(&d, &bytes);                                     \
        struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);             \
        CHECK_ROW(row, !gv_graphics_desc_decode(&c, &out, &err));                \
        CHECK_ROW(row, strstr(err.message, "description: " field " "));          \
        CHECK_ROW(row, err.status == GV_ERR_FORMAT && err.offset <= bytes.size); \
        gv_bytes_finish(&bytes);                                                 \
    } while (0);
    GRAPHICS_FAULTS(F)
#undef F
}

static void compute_and_sampler(void)
{
    static struct gv_compute_desc in, out;
    struct gv_bytes bytes = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    in.interface.binding_count = 1;
    in.interface.bindings[0] =
        (struct gv_binding_desc){ 3, 0, GV_BINDING_STORAGE_BUFFER, 1,
                                  GV_STAGE_COMPUTE };
    gv_compute_desc_encode(&in, &bytes);
    struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
    CHECK(gv_compute_desc_decode(&c, &out, &err) && !memcmp(&in, &out, sizeof in));
    gv_bytes_finish(&bytes);

    in.interface.bindings[0].stages = GV_STAGE_VERTEX;
    gv_compute_desc_encode(&in, &bytes);
    c = gv_cursor_make(bytes.data, bytes.size);
    CHECK(!gv_compute_desc_decode(&c, &out, &err));
    CHECK(strstr(err.message, "bindings[0].stages"));
    gv_bytes_finish(&bytes);

    static const struct {
        const char *name, *field; // NULL: good
        struct gv_sampler_desc desc;
    } rows[] = {
        { "zero", NULL, { 0 } },
        { "trilinear", NULL, { 1, 1, 1, .max_lod = 1000, .max_anisotropy = 16 } },
        { "custom", NULL, { .border = 1000287003, .border_values = { 1, 2, 3, 4 } } },
        { "unnormalised", NULL, { .address_u = 2, .address_v = 3, .unnormalized = 1 } },
        { "filter", "mag_filter", { .mag_filter = 2 } },
        { "address", "address_w", { .address_w = 5 } },
        { "lod order", "max_lod", { .min_lod = 2, .max_lod = 1 } },
        { "anisotropy", "max_anisotropy", { .max_anisotropy = 17 } },
        { "half anisotropy", "max_anisotropy", { .max_anisotropy = 0.5f } },
        { "compare", "compare", { .compare = 8 } },
        { "border", "border", { .border = 6 } },
        { "values of no border", "border_values", { .border_values = { 1 } } },
        { "unnormalised repeat", "unnormalized", { .unnormalized = 1 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_sampler_desc got;
        gv_error_clear(&err);
        gv_sampler_desc_encode(&rows[i].desc, &bytes);
        c = gv_cursor_make(bytes.data, bytes.size);
        bool good = gv_sampler_desc_decode(&c, &got, &err);
        CHECK_ROW(rows[i].name, good == !rows[i].field);
        if (rows[i].field)
            CHECK_ROW(rows[i].name, strstr(err.message, rows[i].field));
        else
            CHECK_ROW(rows[i].name, !memcmp(&got, &rows[i].desc, sizeof got));
        gv_bytes_finish(&bytes);
    }
}

// What payloads carry: a new enumeration in enums.def would change it.
static void signature(void)
{
    CHECK(gv_call_signature(GV_CALL_dispatch) == UINT64_C(0x984b81187f999632));
}

static void dispatch_ranges(void)
{
    static const struct gv_dispatch_range in[] = {
        { 3, 0, 0, GV_RANGE_WRITE, 4096, 64, 2048, 16 },
        { 3, 1, 0, GV_RANGE_READ, 0, 128, 0, 1 },
        { 3, 2, 5, GV_RANGE_WRITE, 0, 0, 0, 1 }, // a whole image
        { 3, 1, 0, GV_RANGE_OVERWRITE, 8, 4, 0, 1 },
        { 3, 0, 0, GV_RANGE_UNUSED, 0, 0, 0, 1 },
    };
    const size_t count = sizeof in / sizeof in[0];
    struct gv_bytes bytes = { 0 };
    struct gv_dispatch_range out;
    gv_dispatch_ranges_encode(in, count, &bytes);
    struct gv_cursor c = gv_cursor_make(bytes.data, bytes.size);
    for (size_t i = 0; i < count; i++)
        CHECK(gv_dispatch_range_next(&c, &out) && out.offset == in[i].offset &&
              out.rows == in[i].rows && out.stride == in[i].stride &&
              out.element == in[i].element && out.access == in[i].access);
    CHECK(!gv_dispatch_range_next(&c, &out) && !c.bad);

    static const struct {
        const char *name, *bytes;
        size_t size;
    } bad[] = {
        { "cut", "\3\0\0\1", 4 },
        { "set", "\4\0\0\1\0", 5 },
        { "access", "\3\0\0\4\1\0\1", 7 },
        { "a whole image overwritten", "\3\0\0\2\0", 5 },
        { "no rows", "\3\0\0\1\1\0\0", 7 },
        { "wraps", "\3\0\0\1\1\377\377\377\377\377\377\377\377\377\1\1", 16 },
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        c = gv_cursor_make(bad[i].bytes, bad[i].size);
        CHECK_ROW(bad[i].name, !gv_dispatch_range_next(&c, &out) && c.bad);
    }
    gv_bytes_finish(&bytes);
}

static void formats(void)
{
    for (size_t i = 0; i < gv_format_count; i++) {
        const struct gv_format_info *f = &gv_formats[i];
        CHECK_ROW(f->name, gv_format_info(f->value) == f);
        CHECK_ROW(f->name, gv_format_find(f->name) == f->value);
        unsigned bits = 0u + f->bits[0] + f->bits[1] + f->bits[2] + f->bits[3];
        CHECK_ROW(f->name, bits <= 8u * f->block_bytes);
    }
    CHECK(!gv_format_info(0) && !gv_format_info(185) && !gv_format_info(UINT64_MAX));
    CHECK(!gv_format_info(1000156002)); // G8_B8_R8_3PLANE_420_UNORM
    CHECK(GV_FORMAT_R8G8B8A8_UNORM == 37 && gv_format_find("nonsense") == 0);
    CHECK(gv_mip_size(5, 1) == 2 && gv_mip_size(5, 40) == 1);

    static const struct {
        const char *name;
        uint32_t format, aspect;
        struct gv_texel_box box;
        uint64_t bytes; // 0: refused
    } rows[] = {
        { "tight", 37, 1, { 3, 2, 1, 0, 0 }, 24 },
        { "last row tight", 37, 1, { 3, 2, 1, 256, 0 }, 268 },
        { "slices", 37, 1, { 1, 1, 3, 8, 4 }, 68 },
        { "bc1 rounds up", 131, 1, { 5, 5, 1, 0, 0 }, 32 },
        { "depth 24", 129, 2, { 2, 2, 1, 0, 0 }, 16 },
        { "stencil", 129, 4, { 2, 2, 1, 0, 0 }, 4 },
        { "no such aspect", 37, 2, { 2, 2, 1, 0, 0 }, 0 },
        { "two aspects", 129, 6, { 2, 2, 1, 0, 0 }, 0 },
        { "empty", 37, 1, { 0, 2, 1, 0, 0 }, 0 },
        { "row too short", 37, 1, { 3, 2, 1, 11, 0 }, 0 },
        { "too few rows", 37, 1, { 3, 3, 1, 0, 2 }, 0 },
        { "wraps", 37, 1, { 3, 3, UINT32_MAX, UINT32_MAX, UINT32_MAX }, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t bytes = 0;
        bool good = gv_format_box_bytes(gv_format_info(rows[i].format), rows[i].aspect,
                                        &rows[i].box, &bytes);
        CHECK_ROW(rows[i].name, good == (rows[i].bytes != 0));
        CHECK_ROW(rows[i].name, !good || bytes == rows[i].bytes);
    }
}

int main(void)
{
    formats();
    graphics_round_trip();
    graphics_faults();
    compute_and_sampler();
    dispatch_ranges();
    signature();
    return TEST_RESULT();
}
