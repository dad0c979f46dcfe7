// What a run would refuse is left out when it is emitted, by name, and what is left a
// run takes.
//   test_refused_calls SHADERS
#include "resources/base/file.h"
#include "runtime/rehearsal.h"
#include "tests/compiler/builder_probe.h"
#include "tests/test.h"
#include "vm/formats.h"

static struct gv_file vertex_file, fragment_file;

// ---- what there is ----

static struct gv_buffer make_buffer(struct gv_builder *b)
{
    return gv_emit(b, buffer_create, .size = 64, .usage = GV_BUFFER_USAGE_VERTEX);
}

static struct gv_image make_image(struct gv_builder *b, uint32_t format,
                                  uint32_t samples)
{
    return gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = format,
                   .width = 8, .height = 8, .depth = 1, .mips = samples > 1 ? 1 : 2,
                   .layers = 2, .samples = samples,
                   .usage = format == GV_FORMAT_D32_SFLOAT
                                ? GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT
                                : GV_IMAGE_USAGE_COLOR_ATTACHMENT,
                   .flags = 0);
}

static struct gv_image make_color(struct gv_builder *b)
{
    return make_image(b, GV_FORMAT_R8G8B8A8_UNORM, 1);
}

static void begin_pass(struct gv_builder *b, struct gv_image image, uint32_t mip,
                       uint32_t side)
{
    gv_emit(b, pass_color, .index = 0, .image = image, .format = 0, .mip = mip,
            .layer = 0, .layers = 1, .load = GV_LOAD_OP_CLEAR,
            .store = GV_STORE_OP_STORE, .c0 = 0, .c1 = 0, .c2 = 0, .c3 = 0);
    gv_emit(b, pass_begin, .width = side, .height = side, .layers = 1);
}

static struct gv_shader shader_of(struct gv_builder *b, const struct gv_file *file)
{
    return gv_builder_shader(b, (const uint32_t *)file->data, file->size / 4);
}

static struct gv_pipeline make_pipeline(struct gv_builder *b, uint32_t format)
{
    static struct gv_graphics_desc desc;
    gv_graphics_desc_default(&desc);
    desc.color_count = 1;
    desc.color_formats[0] = format;
    desc.interface.binding_count = 1;
    desc.interface.bindings[0] =
        (struct gv_binding_desc){ 1, 0, GV_BINDING_UNIFORM_BUFFER_DYNAMIC, 1,
                                  GV_STAGE_FRAGMENT };
    return gv_builder_graphics(
        b, &desc,
        &(const struct gv_stage_shaders){ .vertex = shader_of(b, &vertex_file),
                                          .fragment = shader_of(b, &fragment_file) });
}

static void draw(struct gv_builder *b)
{
    gv_emit(b, draw, .vertex_count = 3, .instance_count = 1, .first_vertex = 0,
            .first_instance = 0);
}

static void blit_by(struct gv_builder *b, struct gv_image dst, struct gv_image src,
                    uint32_t src_layer, int32_t side, uint32_t filter)
{
    gv_emit(b, image_blit, .dst = dst, .dst_mip = 0, .dst_layer = 0, .dst_x0 = 0,
            .dst_y0 = 0, .dst_z0 = 0, .dst_x1 = 8, .dst_y1 = 8, .dst_z1 = 1, .src = src,
            .src_mip = 0, .src_layer = src_layer, .src_x0 = 0, .src_y0 = 0, .src_z0 = 0,
            .src_x1 = side, .src_y1 = 8, .src_z1 = 1, .layers = 1,
            .aspect = GV_ASPECT_COLOR, .filter = filter);
}

static void blit(struct gv_builder *b, struct gv_image dst, struct gv_image src,
                 uint32_t src_layer, int32_t side)
{
    blit_by(b, dst, src, src_layer, side, GV_FILTER_NEAREST);
}

// ---- calls that a run would refuse ----

static void destroyed(struct gv_builder *b)
{
    struct gv_image image = make_color(b), other = make_color(b);
    gv_emit(b, image_destroy, .image = image);
    blit(b, other, image, 0, 8);
}

static void blit_layer(struct gv_builder *b)
{
    blit(b, make_color(b), make_color(b), 2, 8);
}

static void blit_outside(struct gv_builder *b)
{
    blit(b, make_color(b), make_color(b), 0, 9);
}

static void blit_negative(struct gv_builder *b)
{
    blit(b, make_color(b), make_color(b), 0, -1);
}

static void blit_kinds(struct gv_builder *b)
{
    blit(b, make_color(b), make_image(b, GV_FORMAT_R8G8B8A8_UINT, 1), 0, 8);
}

static void blit_onto_itself(struct gv_builder *b)
{
    struct gv_image image = make_color(b);
    blit(b, image, image, 0, 8);
}

static void blit_samples(struct gv_builder *b)
{
    blit(b, make_color(b), make_image(b, GV_FORMAT_R8G8B8A8_UNORM, 4), 0, 8);
}

static void blit_box(struct gv_builder *b)
{
    blit_by(b, make_color(b), make_color(b), 0, 8, GV_FILTER_BOX);
}

static void copy(struct gv_builder *b, struct gv_image dst, struct gv_image src,
                 uint32_t depth)
{
    gv_emit(b, image_copy, .dst = dst, .dst_aspect = GV_ASPECT_COLOR, .dst_mip = 0,
            .dst_layer = 0, .dst_x = 0, .dst_y = 0, .dst_z = 0, .src = src,
            .src_aspect = GV_ASPECT_COLOR, .src_mip = 0, .src_layer = 0, .src_x = 0,
            .src_y = 0, .src_z = 0, .width = 8, .height = 8, .depth = depth,
            .layers = 2);
}

static void copy_classes(struct gv_builder *b)
{
    copy(b, make_color(b), make_image(b, GV_FORMAT_R8_UNORM, 1), 1);
}

static void copy_slices(struct gv_builder *b)
{
    copy(b, make_color(b), make_color(b), 2);
}

static void resolve_single(struct gv_builder *b)
{
    gv_emit(b, image_resolve, .dst = make_color(b), .dst_mip = 0, .dst_layer = 0,
            .dst_x = 0, .dst_y = 0, .src = make_color(b), .src_layer = 0, .src_x = 0,
            .src_y = 0, .width = 8, .height = 8, .layers = 1);
}

static void mips_beyond(struct gv_builder *b)
{
    gv_emit(b, image_mipmaps, .image = make_color(b), .base = 0, .mips = 3, .layer = 0,
            .layers = 1, .filter = GV_FILTER_LINEAR);
}

static void clear_aspect(struct gv_builder *b)
{
    gv_emit(b, image_clear_color, .image = make_image(b, GV_FORMAT_D32_SFLOAT, 1),
            .mip = 0, .mips = 1, .layer = 0, .layers = 1, .c0 = 0, .c1 = 0, .c2 = 0,
            .c3 = 0);
}

static void clear_depth_range(struct gv_builder *b)
{
    gv_emit(b, image_clear_depth_stencil,
            .image = make_image(b, GV_FORMAT_D32_SFLOAT, 1), .aspect = GV_ASPECT_DEPTH,
            .mip = 2, .mips = 1, .layer = 0, .layers = 1, .depth = 0, .stencil = 0);
}

static void upload_texels(struct gv_builder *b, struct gv_image image, uint32_t aspect,
                          uint32_t row_bytes)
{
    static const uint8_t bytes[100];
    gv_emit(b, image_upload, .image = image, .aspect = aspect, .mip = 0, .layer = 0,
            .layers = 1, .x = 0, .y = 0, .z = 0, .width = 8, .height = 8, .depth = 1,
            .row_bytes = row_bytes, .rows = 0, .data = gv_data(bytes),
            .size = sizeof bytes);
}

static void upload_short(struct gv_builder *b)
{
    upload_texels(b, make_color(b), GV_ASPECT_COLOR, 0);
}

static void upload_narrow(struct gv_builder *b)
{
    upload_texels(b, make_color(b), GV_ASPECT_COLOR, 4);
}

static void upload_aspects(struct gv_builder *b)
{
    upload_texels(b, make_color(b), GV_ASPECT_COLOR | GV_ASPECT_DEPTH, 0);
}

static void read_beyond(struct gv_builder *b)
{
    gv_emit(b, image_to_buffer, .buffer = make_buffer(b), .offset = 0, .row_bytes = 0,
            .rows = 0, .image = make_color(b), .aspect = GV_ASPECT_COLOR, .mip = 0,
            .layer = 0, .layers = 1, .x = 0, .y = 0, .z = 0, .width = 8, .height = 8,
            .depth = 1);
}

static void bytes_beyond(struct gv_builder *b)
{
    static const uint8_t bytes[8];
    gv_emit(b, buffer_upload, .buffer = make_buffer(b), .offset = 60,
            .data = gv_data(bytes), .size = 8);
}

static void bytes_overlap(struct gv_builder *b)
{
    struct gv_buffer buffer = make_buffer(b);
    gv_emit(b, buffer_copy, .dst = buffer, .dst_offset = 4, .src = buffer,
            .src_offset = 0, .size = 8);
}

static void fill_odd(struct gv_builder *b)
{
    gv_emit(b, buffer_fill, .buffer = make_buffer(b), .offset = 2, .size = 4,
            .value = 0);
}

// Of a pass that is refused all is left out; the next one is there.
static void pass_of(struct gv_builder *b, struct gv_image image, uint32_t mip,
                    uint32_t side)
{
    begin_pass(b, image, mip, side);
    draw(b);
    gv_emit0(b, pass_end);
    begin_pass(b, make_color(b), 0, 8);
    gv_emit0(b, pass_end);
}

static void target_mip(struct gv_builder *b)
{
    pass_of(b, make_color(b), 2, 2);
}

static void target_small(struct gv_builder *b)
{
    pass_of(b, make_color(b), 1, 8);
}

static void target_usage(struct gv_builder *b)
{
    pass_of(b, make_image(b, GV_FORMAT_D32_SFLOAT, 1), 0, 8);
}

static void begin_drawing(struct gv_builder *b)
{
    static const float color[4];
    begin_pass(b, make_color(b), 0, 8);
    gv_emit(b, bind_pipeline, .pipeline = make_pipeline(b, GV_FORMAT_R8G8B8A8_UNORM));
    gv_emit(b, bind_uniform_bytes, .set = 1, .binding = 0, .data = gv_data(color),
            .size = sizeof color);
    gv_emit(b, set_viewport, .index = 0, .x = 0, .y = 0, .width = 8, .height = 8,
            .min_depth = 0, .max_depth = 1);
    gv_emit(b, set_scissor, .index = 0, .x = 0, .y = 0, .width = 8, .height = 8);
}

// A pipeline that is refused: what is drawn with it is left out, not drawn with
// another; where it is drawn with another, that is there.
static void output_kind(struct gv_builder *b)
{
    begin_pass(b, make_image(b, GV_FORMAT_R8G8B8A8_UINT, 1), 0, 8);
    gv_emit(b, bind_pipeline, .pipeline = make_pipeline(b, GV_FORMAT_R8G8B8A8_UINT));
    draw(b);
    gv_emit0(b, pass_end);
    begin_drawing(b);
    draw(b);
    gv_emit0(b, pass_end);
}
static void bind_view(struct gv_builder *b, struct gv_image image, uint32_t type,
                      uint32_t format, uint32_t mip)
{
    gv_emit(b, bind_texture, .set = 2, .binding = 0, .element = 0, .image = image,
            .type = type, .format = format, .aspect = GV_ASPECT_COLOR, .swizzle = 0,
            .mip = mip, .mips = 0, .layer = 0, .layers = 0, .sampler = GV_NO_SAMPLER);
}

// What cannot be bound: the draws of the command are left out, not the next one's.
static void draw_with(struct gv_builder *b, struct gv_image image, uint32_t type,
                      uint32_t format, uint32_t mip)
{
    begin_drawing(b);
    bind_view(b, image, type, format, mip);
    draw(b);
    gv_builder_command(b, 1, 1, "glBar");
    draw(b);
    gv_emit0(b, pass_end);
}

static struct gv_image make_texture(struct gv_builder *b)
{
    return gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D,
                   .format = GV_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 8,
                   .depth = 1, .mips = 1, .layers = 1, .samples = 1,
                   .usage = GV_IMAGE_USAGE_SAMPLED, .flags = 0);
}

static void view_type(struct gv_builder *b)
{
    draw_with(b, make_texture(b), GV_VIEW_TYPE_CUBE, 0, 0);
}

static void view_format(struct gv_builder *b)
{
    draw_with(b, make_texture(b), GV_VIEW_TYPE_2D, GV_FORMAT_R8G8B8A8_UINT, 0);
}

static void view_mip(struct gv_builder *b)
{
    draw_with(b, make_texture(b), GV_VIEW_TYPE_2D, 0, 1);
}

static void view_usage(struct gv_builder *b)
{
    draw_with(b, make_color(b), GV_VIEW_TYPE_2D, 0, 0);
}

// The next draw of the command binds something else.
static void view_anew(struct gv_builder *b)
{
    begin_drawing(b);
    bind_view(b, make_color(b), GV_VIEW_TYPE_2D, 0, 0);
    draw(b);
    gv_builder_binds_anew(b);
    draw(b);
    gv_emit0(b, pass_end);
}

static void view_destroyed(struct gv_builder *b)
{
    struct gv_image image = make_texture(b);
    gv_emit(b, image_destroy, .image = image);
    draw_with(b, image, GV_VIEW_TYPE_2D, 0, 0);
}

static void no_shader(struct gv_builder *b)
{
    static const uint32_t words[] = { 0x07230203, 0x10000, 0, 1, 0 };
    struct gv_shader shader = gv_builder_shader(b, words, 5);
    gv_emit(b, shader_destroy, .shader = shader); // nothing more is said
}

static const struct row {
    const char *name;
    void (*build)(struct gv_builder *b);
    const char *text;  // of the first diagnostic, behind the command's name
    unsigned left_out; // calls
} rows[] = {
    { "destroyed", destroyed,
      "image_blit: argument src is an object that was destroyed", 1 },
    { "blit_layer", blit_layer,
      "image_blit: src_layer: 1 layers from 2 of an image of 2", 1 },
    { "blit_outside", blit_outside, "image_blit: src_x0: 9x8x1 at 0,0,0 does not fit",
      1 },
    { "blit_negative", blit_negative, "image_blit: a corner is negative", 1 },
    { "blit_kinds", blit_kinds, "image_blit: src: a blit cannot turn", 1 },
    { "blit_onto_itself", blit_onto_itself,
      "image_blit: dst: source and destination overlap", 1 },
    { "blit_box", blit_box, "image_blit: filter: BOX is of mips", 1 },
    { "blit_samples", blit_samples, "image_blit: src: multisampled images", 1 },
    { "copy_classes", copy_classes, "image_copy: src: R8_UNORM cannot be copied", 1 },
    { "copy_slices", copy_slices, "image_copy: layers: 2 of depth 2", 1 },
    { "resolve_single", resolve_single, "image_resolve: src: a resolve goes from", 1 },
    { "mips_beyond", mips_beyond, "image_mipmaps: base: 3 mips from 0 of an image of 2",
      1 },
    { "clear_aspect", clear_aspect, "image_clear_color: image: aspects 0x1", 1 },
    { "clear_depth_range", clear_depth_range,
      "image_clear_depth_stencil: mip: 1 mips from 2", 1 },
    { "upload_short", upload_short, "image_upload: size: 100 bytes of data, 256", 1 },
    { "upload_narrow", upload_narrow, "image_upload: row_bytes: 4 bytes", 1 },
    { "upload_aspects", upload_aspects, "image_upload: aspect: one at a time", 1 },
    { "read_beyond", read_beyond, "image_to_buffer: offset: 256 bytes at 0", 1 },
    { "bytes_beyond", bytes_beyond, "buffer_upload: offset: 8 bytes at 60", 1 },
    { "bytes_overlap", bytes_overlap, "buffer_copy: dst_offset: source and", 1 },
    { "fill_odd", fill_odd, "buffer_fill: offset: offset and size", 1 },
    { "target_mip", target_mip, "pass_color: image: mip 2 of 2", 2 },
    { "target_small", target_small, "pass_begin: 8x8 is larger than", 2 },
    { "target_usage", target_usage, "pass_color: image: made without", 2 },
    { "output_kind", output_kind,
      "pipeline_create_graphics: the fragment shader's output 0 does not suit", 3 },
    { "view_type", view_type, "bind_texture: type: the image allows no view", 2 },
    { "view_format", view_format, "bind_texture: format: an image of", 2 },
    { "view_mip", view_mip, "bind_texture: mip: 0 mips from 1", 2 },
    { "view_usage", view_usage, "bind_texture: image: it was created without usage",
      2 },
    { "view_anew", view_anew, "bind_texture: image: it was created without usage", 2 },
    { "view_destroyed", view_destroyed, "bind_texture: argument image is an object",
      2 },
    { "no_shader", no_shader, "shader_create: ", 1 },
};

static void judge(const struct row *row, const struct probe *probe)
{
    char text[256];
    const struct gv_payload *p = &probe->payload;
    snprintf(text, sizeof text, "glFoo: %s", row->text);
    bool said =
        p->diagnostic_count && strncmp(p->diagnostics[0].text, text, strlen(text)) == 0;
    if (!said || probe->totals.unsupported != row->left_out)
        fprintf(stderr, "[%s] %s (%u left out)\n", row->name,
                p->diagnostic_count ? p->diagnostics[0].text : "nothing said",
                (unsigned)probe->totals.unsupported);
    CHECK_ROW(row->name, said);
    CHECK_ROW(row->name, probe->totals.unsupported == row->left_out);
}

static void try_row(const struct row *row)
{
    struct probe probe;
    struct gv_error err = GV_ERROR_INIT;
    probe_begin(&probe, false, 1);
    gv_builder_forgive(probe.builder);
    gv_builder_command(probe.builder, 0, 0, "glFoo");
    row->build(probe.builder);
    gv_builder_frame_end(probe.builder, 0, 0);
    bool ended = probe_end(&probe);
    if (!ended)
        fprintf(stderr, "[%s] %s\n", row->name, probe.err.message);
    CHECK_ROW(row->name, ended);
    if (ended) {
        judge(row, &probe);
        bool runs = gv_rehearse(&probe.payload, NULL, 0, &err);
        if (!runs)
            fprintf(stderr, "[%s] %s\n", row->name, err.message);
        CHECK_ROW(row->name, runs);
    }
    probe_finish(&probe);
}

// With `strict` the first is the end, by name.
static void test_strict(void)
{
    struct probe probe;
    struct gv_error err = GV_ERROR_INIT;
    probe_begin(&probe, true, 1);
    gv_builder_forgive(probe.builder);
    gv_builder_command(probe.builder, 0, 0, "glFoo");
    blit_layer(probe.builder);
    CHECK(gv_builder_failed(probe.builder, &err));
    CHECK(err.status == GV_ERR_UNSUPPORTED &&
          strstr(err.message, "unsupported: glFoo: image_blit: src_layer"));
    probe_finish(&probe);
}

static bool open_shader(struct gv_file *file, const char *folder, const char *name)
{
    char path[512];
    struct gv_error err = GV_ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    return gv_file_open(file, path, &err);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    CHECK(open_shader(&vertex_file, folder, "plain.vert"));
    CHECK(open_shader(&fragment_file, folder, "solid.frag"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        try_row(&rows[i]);
    test_strict();
    gv_file_close(&vertex_file);
    gv_file_close(&fragment_file);
    return TEST_RESULT();
}
