// What test_growth repeats. In a statement `@` is the number of the object, `%` and `$`
// its rest and quotient by 1000.
#ifndef GV_GROWTH_ROWS_H
#define GV_GROWTH_ROWS_H

#define MAX_USES 16

// In front of every program.
static const char head[] =
    ".resource vs file \"cover.vert.spv\"\n"
    ".resource fs file \"solid.frag.spv\"\n"
    ".resource ts file \"texture_2d.frag.spv\"\n"
    ".resource cs file \"increment.comp.spv\"\n"
    ".const red f32 ( 1 0 0 1 )\n"
    ".const four u32 ( 1 2 3 4 )\n"
    ".const three u32 ( 3 1 0 0 )\n"
    ".graphics solid {\n color 0 R8G8B8A8_UNORM\n"
    " binding 1 0 UNIFORM_BUFFER_DYNAMIC FRAGMENT\n}\n"
    ".graphics textured {\n color 0 R8G8B8A8_UNORM\n"
    " binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT\n}\n"
    ".compute count { binding 3 0 STORAGE_BUFFER COMPUTE }\n"
    ".sampler near { mag_filter = NEAREST }\n"
    ".ranges touched { write 3 0 bytes=16 }\n"
    ".export out buffer\n"
    ".export picture image R8G8B8A8_UNORM 4 4\n"
    "v = shader_create(vs)\nf = shader_create(fs)\nt = shader_create(ts)\n"
    "c = shader_create(cs)\n"
    "p = pipeline_create_graphics(desc=solid, vertex=v, fragment=f)\n"
    "pt = pipeline_create_graphics(desc=textured, vertex=v, fragment=t)\n"
    "pc = pipeline_create_compute(desc=count, compute=c)\n"
    "one = buffer_create(65536, STORAGE|UNIFORM|VERTEX|INDEX|UNIFORM_TEXEL)\n"
    "args = buffer_create(16, INDIRECT)\n"
    "buffer_upload(args, 0, three)\n"
    "rt = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, "
    "usage=SAMPLED|COLOR_ATTACHMENT)\n"
    "tall = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, layers=2048, "
    "usage=SAMPLED|COLOR_ATTACHMENT)\n"
    "smp = sampler_create(near)\n"
    "bind_uniform_bytes(1, 0, red)\nbind_pipeline(p)\nbind_pipeline(pc)\n"
    "bind_buffer(3, 0, 0, one)\n";

// Behind every program: what slices are of.
static const char tail[] = "post_buffer(out, one, size=65536)\n"
                           "post_image(picture, rt, COLOR)\nframe_end()\n";

#define BUFFER "b@ = buffer_create(64, STORAGE|UNIFORM|VERTEX|INDEX|UNIFORM_TEXEL)"
#define IMAGE                                                          \
    "i@ = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, mips=2," \
    " usage=SAMPLED|COLOR_ATTACHMENT|STORAGE)"
#define PASS(image, load) \
    "pass_color(image=" image ", load=" load ")\npass_begin(4, 4, 1)\n"
#define QUERY "q@ = query_create(OCCLUSION, 2)\nquery_reset(q@, 0, 2)"
#define DONE "buffer_fill(one, 0, 4, 1)\nframe_end()\n"
#define LAYER                                                               \
    "bind_texture(2, 0, 0, tall, 2D, layer=%, swizzle=0x1$, aspect=COLOR, " \
    "sampler=smp)"
#define BIND_IMAGE "bind_texture(2, $, %, i@, 2D, aspect=COLOR, sampler=smp)"
#define DRAW_IMAGE                                                     \
    "bind_texture(2, 0, 0, i@, 2D, aspect=COLOR, sampler=smp)\n" PASS( \
        "rt", "LOAD") "bind_pipeline(pt)\ndraw(3)\npass_end()"

static const struct kind {
    const char *name, *make, *give_up;
    const char *uses[MAX_USES];
} kinds[] = {
    { "buffer",
      BUFFER,
      "buffer_destroy(b@)",
      { "buffer_upload(b@, 0, four)", "buffer_upload(b@, 0, four+4, 8)",
        "buffer_fill(b@, 0, 64, 7)", "buffer_copy(b@, 0, one, 0, 64)",
        "buffer_copy(one, 0, b@, 0, 64)", "buffer_upload_rows(b@, 0, 4, 8, 2, four)",
        "buffer_copy_rows(b@, 0, 8, one, 0, 4, 4, 3)", "bind_buffer(3, $, %, b@)",
        "bind_texel_buffer(2, $, %, b@, format=R32_UINT)",
        "bind_vertex_buffer(0, b@, stride=8)", "bind_index_buffer(b@, 0, UINT32)",
        "m = buffer_map(b@, 0, 64)\nbuffer_unmap(m)",
        "post_buffer(out, b@, size=16, append=true)",
        "bind_buffer(3, 0, 0, b@)\ndispatch(1, 1, 1)",
        "bind_buffer(3, 0, 0, b@)\ndispatch(1, 1, 1, touched)" } },
    { "image",
      IMAGE,
      "image_destroy(i@)",
      { "image_upload(i@, width=2, height=2, data=four)",
        "image_upload(i@, mip=1, width=2, height=2, data=four)",
        "image_clear_color(i@, c0=1.0)", "image_mipmaps(i@, mips=2)",
        "image_copy(i@, src=rt, width=2, height=2)",
        "image_copy(rt, src=i@, width=4, height=4)",
        "image_blit(i@, dst_x1=4, dst_y1=4, dst_z1=1, src=rt, src_x1=2, src_y1=2, "
        "src_z1=1, aspect=COLOR)",
        "image_to_buffer(one, image=i@, width=4, height=4)",
        "buffer_to_image(i@, buffer=one, width=4, height=4)", BIND_IMAGE,
        "bind_storage_image(3, $, %, i@, 2D)", PASS("i@", "CLEAR") "pass_end()",
        PASS("i@", "LOAD") "draw(3)\npass_end()", DRAW_IMAGE,
        "post_image(picture, i@)" } },
    { "layer", LAYER, LAYER, { PASS("tall, layer=%", "LOAD") "pass_end()", LAYER } },
    { "sampler",
      "k@ = sampler_create(near)",
      "sampler_destroy(k@)",
      { "bind_sampler(2, $, %, k@)",
        "bind_texture(2, $, %, rt, 2D, aspect=COLOR, sampler=k@)" } },
    { "query",
      QUERY,
      "query_destroy(q@)",
      { "query_reset(q@, 0, 2)\nquery_begin(q@, 0)\nquery_end(q@, 0)",
        "query_reset(q@, 1, 1)\n" PASS(
            "rt",
            "LOAD") "query_begin(q@, 1)\n"
                    "draw_indirect(args, 0, 1, 16)\nquery_end(q@, 1)\npass_end()\n"
                    "query_copy(q@, 1, 1, one, 0, 8)" } },
};

static const struct row rows[] = {
    { "buffers_uploaded", { { UP, BUFFER }, { UP, "buffer_fill(b@, 0, 64, 1)" } } },
    { "buffers_uploaded_backwards",
      { { UP, BUFFER }, { DOWN, "buffer_fill(b@, 0, 64, 1)" } } },
    { "buffers_given_up", { { UP, BUFFER }, { UP, "buffer_destroy(b@)" } } },
    { "buffers_bound_given_up",
      { { UP, BUFFER },
        { UP, "bind_buffer(3, $, %, b@)" },
        { MIXED, "buffer_destroy(b@)" } } },
    { "buffers_fragmented",
      { { UP, BUFFER "\nx@ = buffer_create(64, VERTEX)" },
        { UP, "buffer_destroy(b@)" },
        { ONCE, DONE DONE DONE DONE },
        { UP, "y@ = buffer_create(256, VERTEX)" } } },
    { "images_cleared", { { UP, IMAGE }, { UP, "image_clear_color(i@, mips=2)" } } },
    { "images_given_up", { { UP, IMAGE }, { UP, "image_destroy(i@)" } } },
    { "images_away_given_up",
      { { UP, IMAGE },
        { UP, "image_clear_color(i@, mips=2)" },
        { UP, "image_destroy(i@)" } } },
    { "images_bound_given_up",
      { { UP, IMAGE }, { UP, BIND_IMAGE }, { MIXED, "image_destroy(i@)" } } },
    { "images_parked", { { UP, IMAGE }, { UP, PASS("i@", "CLEAR") "pass_end()" } } },
    { "images_drawn", { { UP, IMAGE }, { UP, DRAW_IMAGE }, { DOWN, DRAW_IMAGE } } },
    { "samplers_bound_given_up",
      { { UP, "k@ = sampler_create(near)" },
        { UP, "bind_sampler(2, $, %, k@)" },
        { UP, "sampler_destroy(k@)" } } },
    { "views_of_one_image", { { UP, LAYER }, { UP, LAYER } } },
    { "texel_views_of_one_buffer",
      { { UP, "bind_texel_buffer(2, 0, 0, one, offset=@, size=4, format=R8_UINT)" } } },
    { "queries_interrupted",
      { { ONCE, "q = query_create(OCCLUSION, 1)" },
        { UP, "query_reset(q, 0, 1)\n" PASS(
                  "rt", "LOAD") "query_begin(q, 0)\n"
                                "draw_indirect(args, 0, 1, 16)\nquery_end(q, "
                                "0)\npass_end()" } } },
    { "query_in_parts",
      { { ONCE, "q = query_create(OCCLUSION, 1)\nquery_reset(q, 0, 1)\n" PASS(
                    "rt", "LOAD") "query_begin(q, 0)" },
        { UP, "draw_indirect(args, 0, 1, 16)" },
        { ONCE, "query_end(q, 0)\npass_end()\nquery_copy(q, 0, 1, one, 0, 8)" } } },
    { "queries_given_up", { { UP, QUERY }, { UP, "query_destroy(q@)" } } },
    { "buffers_captured",
      { { ONCE, ".require feature \"transformFeedback\"\n"
                ".resource xs file \"capture.vert.spv\"\n"
                ".graphics captured {\n vertex_binding 0\n"
                " attribute 0 format=R32G32_SFLOAT\n topology = POINT_LIST\n"
                " rasterizer_discard = true\n}\n"
                "xv = shader_create(xs)\n"
                "xp = pipeline_create_graphics(desc=captured, vertex=xv)\n"
                "bind_vertex_buffer(buffer=one, stride=8)\nbind_pipeline(xp)" },
        { UP, "w@ = buffer_create(64, TRANSFORM_FEEDBACK)\n"
              "z@ = buffer_create(64, TRANSFORM_FEEDBACK)" },
        { ONCE, "pass_begin(4, 4, 1)" },
        { UP, "feedback_bind(0, w@)\nfeedback_bind(1, z@)\nfeedback_begin()\n"
              "draw(2)\nfeedback_end()" },
        { ONCE, "pass_end()" } } },
    { "maps", { { UP, "m@ = buffer_map(one, 0, 16)" }, { UP, "buffer_unmap(m@)" } } },
    { "shaders", { { UP, "s@ = shader_create(vs)" }, { UP, "shader_destroy(s@)" } } },
    { "pipelines",
      { { UP, "l@ = pipeline_create_compute(desc=count, compute=c)" },
        { UP, "bind_pipeline(l@)\ndispatch(1, 1, 1)" },
        { UP, "pipeline_destroy(l@)" } } },
    { "samplers_given_up_in_a_pass",
      { { UP, "k@ = sampler_create(near)" },
        { ONCE, "rw = buffer_create(64, STORAGE)\n" PASS("rt", "LOAD") },
        { UP, "draw(3)" },
        { UP, "sampler_destroy(k@)" },
        { ONCE, "pass_end()" } } },
    { "dispatches_with_ranges", { { UP, "dispatch(1, 1, 1, touched)" } } },
    { "dispatches", { { UP, "dispatch(1, 1, 1)" } } },
    { "draws_with_bytes",
      { { UP, ".const n@ u32 ( @ 1 2 3 )" },
        { ONCE, PASS("rt", "LOAD") },
        { UP, "bind_uniform_bytes(1, 0, n@)\ndraw(3)" },
        { ONCE, "pass_end()" } } },
    { "state",
      { { UP, "set_viewport(0, 0, 0, 4, 4, 0, 1)\nset_scissor(0, 0, 0, 4, @)\n"
              "set_blend_constants(0, 0, 0, 1)\nset_stencil_reference(FRONT, @)\n"
              "set_stencil_masks(FRONT, @, @)\nset_depth_bias(0, 0, 0)\n"
              "set_line_width(1.0)\nset_depth_bounds(0, 1)" } } },
    { "frames",
      { { UP, PASS("rt", "CLEAR") "pass_end()\npresent(rt, width=4, "
                                  "height=4)\nframe_end()" } } },
    { "posts", { { UP, "post_buffer(out, one, size=16, append=true)" } } },
    { "constants", { { UP, ".const n@ u32 @" } } },
    { "resources",
      { { UP, ".resource r@ u32 @ 1 2 3" }, { MIXED, "buffer_upload(one, 0, r@)" } } },
    { "volatile_memory",
      { { UP, ".volatile w@ 64" }, { UP, "volatile w@\nconst four\ncopy 16" } } },
    { "values", { { UP, ".value n@ @" }, { UP, "buffer_fill(one, 0, 4, n@)" } } },
    { "commands", { { UP, "command\nbuffer_fill(one, 0, 4, @)" } } },
    { "diagnostics", { { UP, ".diagnostic note \"c\" \"text @\"" } } },
    { "descriptions",
      { { UP, ".sampler d@ { max_lod = 0.@ }" }, { UP, "k@ = sampler_create(d@)" } } },
};

// Captures for compile: what the maker is asked for, at the smaller and the larger
// size.
static const struct capture_row {
    const char *name, *maker;
    const char *small[3], *large[3];
} captures[] = {
    { "aerogpu_uploads",
      "aerogpu/make_aerogpu",
      { "stress-uploads", "4" },
      { NULL, "16" } },
    { "aerogpu_noise",
      "aerogpu/make_aerogpu",
      { "stress-noise", "4" },
      { NULL, "16" } },
    { "aerogpu_commands",
      "aerogpu/make_aerogpu",
      { "stress-commands", "5" },
      { NULL, "17" } },
    { "aerogpu_frames",
      "aerogpu/make_aerogpu",
      { "stress-frames", "50", "100" },
      { NULL, "200", "100" } },
    { "aerogpu_draws",
      "aerogpu/make_aerogpu",
      { "stress-frames", "2", "2000" },
      { NULL, "2", "8000" } },
    { "aerogpu_constants",
      "aerogpu/make_aerogpu",
      { "stress-constants", "5", "4096" },
      { NULL, "20", "4096" } },
    { "psx_commands",
      "psx/make_psx",
      { "random", "1", "2000" },
      { NULL, "1", "8000" } },
    { "psx_frames", "psx/make_psx", { "still", "500" }, { NULL, "2000" } },
};

#endif
