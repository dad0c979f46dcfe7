// Branches of the builder: what stands in the code, what runs where the device meets a
// requirement and where it does not, and what must not stand in a branch.
#include "compiler/builder/builder.h"
#include "tests/compiler/builder_probe.h"
#include "tests/test.h"
#include "tests/vm/record_host.h"
#include "vm/formats.h"
#include "vm/text/text.h"

static const struct gv_requirement wide = { GV_REQUIRE_FEATURE, GV_ALTERNATIVE,
                                            "wideLines", 0, "quads" };
static const struct gv_requirement texels[2] = {
    { GV_REQUIRE_LIMIT, GV_ALTERNATIVE, "maxTexelBufferElements", 100000, "buffers" },
    { GV_REQUIRE_FEATURE, GV_ALTERNATIVE, "wideLines", 0, "quads" },
};

static struct gv_buffer make_buffer(struct gv_builder *b, uint64_t size)
{
    return gv_emit(b, buffer_create, .size = size, .usage = GV_BUFFER_USAGE_VERTEX);
}

static void draw(struct gv_builder *b, uint32_t count)
{
    gv_emit(b, draw, .vertex_count = count, .instance_count = 1, .first_vertex = 0,
            .first_instance = 0);
}

static void draw_each(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    draw(b, 3);
    gv_builder_either_else(b);
    draw(b, 6);
    gv_builder_either_end(b);
}

static void two_ways(struct gv_builder *b)
{
    gv_builder_command(b, 0, 0, "a");
    draw(b, 1);
    gv_builder_command(b, 1, 9, "b");
    draw_each(b);
    draw(b, 2);
}

static void empty_branches(struct gv_builder *b)
{
    for (int empty = 0; empty < 4; empty++) {
        gv_builder_either_begin(b, texels, 2);
        if (!(empty & 1))
            draw(b, 3);
        gv_builder_either_else(b);
        if (!(empty & 2))
            draw(b, 6);
        gv_builder_either_end(b);
    }
}

static void nested(struct gv_builder *b)
{
    gv_builder_either_begin(b, &texels[0], 1);
    draw_each(b);
    gv_builder_either_else(b);
    draw(b, 7);
    draw_each(b);
    gv_builder_either_end(b);
}

static void upload(struct gv_builder *b, struct gv_buffer buffer, uint8_t first)
{
    uint8_t bytes[GV_INLINE_BYTES + 1] = { first };
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = gv_data(bytes),
            .size = sizeof bytes);
}

// Resources of branches, in order and out of it, with one in front and one behind.
static void resources(struct gv_builder *b)
{
    struct gv_buffer buffer = make_buffer(b, 100);
    upload(b, buffer, 0);
    gv_builder_either_begin(b, &wide, 1);
    upload(b, buffer, 1);
    upload(b, buffer, 2);
    gv_builder_either_else(b);
    upload(b, buffer, 3);
    gv_builder_either_begin(b, &texels[0], 1);
    upload(b, buffer, 1);
    gv_builder_either_else(b);
    gv_builder_either_end(b);
    gv_builder_either_end(b);
    upload(b, buffer, 4);
}

// What was set before is repeated in both branches, and unknown behind them.
static void states(struct gv_builder *b)
{
    struct gv_buffer one = make_buffer(b, 16), two = make_buffer(b, 32);
#define BIND(n, object)                                                      \
    gv_emit(b, bind_vertex_buffer, .slot = n, .buffer = object, .offset = 0, \
            .size = 0, .stride = 4)
    BIND(0, one);
    BIND(1, one);
    gv_builder_either_begin(b, &wide, 1);
    BIND(0, one); // as it is: dropped
    BIND(0, two);
    BIND(0, two); // dropped
    gv_builder_either_else(b);
    BIND(0, two); // not known here from the other branch
    BIND(1, one); // dropped
    gv_builder_either_end(b);
    BIND(0, two); // set in both, but that is not followed up
    BIND(1, one); // dropped
#undef BIND
}

// An object of both branches in one slot, others in their own branch.
static void objects(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    struct gv_buffer both = make_buffer(b, 16);
    struct gv_buffer mine = make_buffer(b, 17);
    gv_builder_either_else(b);
    struct gv_buffer gone = make_buffer(b, 18);
    CHECK(gv_builder_either_same(b, both));
    CHECK(make_buffer(b, 64).id == both.id);
    gv_emit(b, buffer_destroy, .buffer = gone);
    gv_builder_either_end(b);
    upload(b, both, 0);
    gv_builder_either_begin(b, &wide, 1);
    upload(b, mine, 0);
    gv_builder_either_else(b);
    gv_builder_either_end(b);
    gv_emit(b, buffer_destroy, .buffer = both);
}

// Objects by description are known where they exist, and there alone.
static void descriptions(struct gv_builder *b)
{
    static const struct gv_sampler_desc desc = { .max_lod = 1 },
                                        other = { .max_lod = 2 };
    struct gv_sampler outside = gv_builder_sampler(b, &desc);
    gv_builder_either_begin(b, &wide, 1);
    CHECK(gv_builder_sampler(b, &desc).id == outside.id);
    struct gv_sampler inside = gv_builder_sampler(b, &other);
    CHECK(gv_builder_sampler(b, &other).id == inside.id);
    gv_builder_either_else(b);
    struct gv_sampler missed = gv_builder_sampler(b, &other);
    CHECK(missed.id != inside.id);
    gv_builder_either_end(b);
    CHECK(gv_builder_sampler(b, &other).id != inside.id);
    gv_builder_either_begin(b, &wide, 1); // made before it was known everywhere
    gv_builder_sampler(b, &other);
    gv_builder_either_else(b);
    gv_builder_either_end(b);
}

static void pipelines(struct gv_builder *b)
{
    static const uint32_t one[] = { 0x07230203, 0x00010300, 0, 1, 0 };
    static const uint32_t two[] = { 0x07230203, 0x00010300, 0, 2, 0 };
    static const struct gv_compute_desc desc[2];
    const struct gv_compute_form met = { &desc[0], one, 5 },
                                 missed = { &desc[1], two, 5 };
    struct gv_pipeline first = GV_NO_PIPELINE;
    for (int i = 0; i < 2; i++) { // the second time it is known
        struct gv_pipeline pipeline =
            gv_builder_compute_either(b, texels, 2, &met, &missed);
        CHECK(pipeline.id && (i == 0 || pipeline.id == first.id));
        first = pipeline;
        gv_emit(b, bind_pipeline, .pipeline = pipeline);
    }
}

// What observed memory lacks is fetched in front of the branches that use it.
static void observed(struct gv_builder *b)
{
    static const uint8_t bytes[100] = { 1 };
    struct gv_buffer buffer = make_buffer(b, 100);
    struct gv_contents seen = gv_builder_observe(b, 0, 0, bytes, 100);
    gv_builder_either_begin(b, &wide, 1);
    gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0, .data = seen, .size = 100);
    gv_builder_either_else(b);
    upload(b, buffer, 9);
    gv_builder_either_end(b);
}

#define MET "meets0 "
#define MISSED "meets0 1 less "

// `runs[i]`: the calls with arguments that matter, where requirement bits `i` are met.
static const struct {
    const char *name;
    void (*build)(struct gv_builder *b);
    const char *code;
    uint64_t met[2];
    const char *runs[2]; // counts of "draw", or sizes of uploads, in order
} programs[] = {
    { "two_ways",
      two_ways,
      "@0 r0: 1 1 0 0 draw cmd+1 " MET "skip5 3 1 0 0 draw " MISSED
      "skip5 6 1 0 0 draw 2 1 0 0 draw frame_end end\n",
      { 1, 0 },
      { "1 3 2 ", "1 6 2 " } },
    { "empty_branches",
      empty_branches,
      "@0 r0: meets0 meets1 and skip5 3 1 0 0 draw meets0 meets1 and 1 less skip5 "
      "6 1 0 0 draw meets0 meets1 and 1 less skip5 6 1 0 0 draw "
      "meets0 meets1 and skip5 3 1 0 0 draw frame_end end\n",
      { 3, 1 },
      { "3 3 ", "6 6 " } },
    { "nested",
      nested,
      "@0 r0: meets0 skip20 meets1 skip5 3 1 0 0 draw meets1 1 less skip5 "
      "6 1 0 0 draw meets0 1 less skip25 7 1 0 0 draw meets1 skip5 3 1 0 0 draw "
      "meets1 1 less skip5 6 1 0 0 draw frame_end end\n",
      { 1, 2 },
      { "6 ", "7 3 " } },
    { "resources",
      resources,
      "@0 r0: 100 128 buffer_create =s0 s0 0 r+ 65 buffer_upload "
      "r2 drop " MET "skip13 s0 0 r1 65 buffer_upload s0 0 r+ 65 buffer_upload "
      "r1 drop " MISSED "skip21 s0 0 r3 65 buffer_upload r1 drop meets1 skip7 "
      "s0 0 r1 65 buffer_upload s0 0 r4 65 buffer_upload frame_end end\n",
      { 1, 2 },
      { "0 1 2 4 ", "0 3 1 4 " } },
    { "states",
      states,
      "@0 r0: 16 128 buffer_create =s0 32 128 buffer_create =s1 "
      "0 s0 0 0 4 bind_vertex_buffer 1 s0 0 0 4 bind_vertex_buffer " MET
      "skip7 0 s1 0 0 4 bind_vertex_buffer " MISSED
      "skip7 0 s1 0 0 4 bind_vertex_buffer 0 s1 0 0 4 bind_vertex_buffer "
      "frame_end end\n",
      { 1, 0 },
      { "", "" } },
    { "objects",
      objects,
      "@0 r0: " MET "skip14 16 128 buffer_create =s0 17 128 buffer_create =s1 " MISSED
      "skip17 18 128 buffer_create =s2 64 128 buffer_create =s0 s2 buffer_destroy "
      "s0 0 r+ 65 buffer_upload r0 drop " MET "skip7 s1 0 r0 65 buffer_upload "
      "s0 buffer_destroy frame_end end\n",
      { 1, 0 },
      { "0 0 ", "0 " } },
    { "descriptions", descriptions, NULL, { 1, 0 }, { "", "" } },
    { "pipelines",
      pipelines,
      "@0 r0: r+ drop meets0 meets1 and skip14 r0 20 shader_create =s0 c0 2 s0 "
      "pipeline_create_compute =s1 r+ drop meets0 meets1 and 1 less skip14 r1 20 "
      "shader_create =s2 c0 2 s2 pipeline_create_compute =s1 s1 bind_pipeline "
      "frame_end end\n",
      { 3, 2 },
      { "", "" } },
    { "observed",
      observed,
      "@0 r1: 100 128 buffer_create =s0 v0 fetch+ " MET
      "skip7 s0 0 v0 100 buffer_upload r0 drop " MISSED
      "skip7 s0 0 r0 65 buffer_upload frame_end end\n",
      { 1, 0 },
      { "1 ", "9 " } },
};

// Draws and uploads that the recording host wrote down: vertices, first bytes.
static void summarize(const char *text, struct gv_bytes *out)
{
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        unsigned value;
        if (sscanf(line, "draw vertex_count=%u", &value) == 1)
            gv_bytes_printf(out, "%u ", value);
        const char *data =
            strncmp(line, "buffer_upload", 13) ? NULL : strchr(line, ':');
        if (data && sscanf(data, ":%2x", &value) == 1)
            gv_bytes_printf(out, "%u ", value);
    }
    gv_bytes_u8(out, 0);
}

// Runs on a host that refuses handles which are none.
static void check_run(struct probe *probe, size_t row, size_t way)
{
    struct record_host host;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes summary = { 0 };
    enum gv_stop stop = GV_STOP_FRAME;
    record_host_init(&host, true);
    host.met = programs[row].met[way];
    const struct gv_vm_params params = { .payload = &probe->payload,
                                         .host = &host.host };
    struct gv_vm *vm = gv_vm_create(&params, &err);
    while (vm && stop != GV_STOP_END && gv_vm_run(vm, &stop, &err)) {
    }
    CHECK_ROW(programs[row].name, err.status == GV_OK && stop == GV_STOP_END);
    const char *text = record_host_text(&host);
    CHECK_ROW(programs[row].name, !strstr(text, "#0")); // each object exists
    summarize(text, &summary);
    CHECK_ROW(programs[row].name,
              strcmp((const char *)summary.data, programs[row].runs[way]) == 0);
    if (strcmp((const char *)summary.data, programs[row].runs[way]) != 0)
        fprintf(stderr, "  got %s\n", (const char *)summary.data);
    gv_bytes_finish(&summary);
    gv_vm_destroy(vm);
    record_host_finish(&host);
}

// What the builder writes is what the assembler would.
static void check_text(const char *name, struct probe *probe)
{
    struct gv_bytes text = { 0 }, again = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_assemble_params params = { .resources = &probe->payload };
    bool same =
        gv_text_disassemble(&probe->payload, &text, &err) &&
        gv_text_assemble((const char *)text.data, text.size, &params, &again, &err) &&
        again.size == probe->bytes.size &&
        memcmp(again.data, probe->bytes.data, again.size) == 0;
    CHECK_ROW(name, same);
    gv_bytes_finish(&text);
    gv_bytes_finish(&again);
}

static void test_programs(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        struct probe probe;
        probe_begin(&probe, true, 1);
        programs[i].build(probe.builder);
        gv_builder_frame_end(probe.builder, 0, 0);
        bool ended = probe_end(&probe);
        CHECK_ROW(programs[i].name, ended);
        if (!ended)
            fprintf(stderr, "  %s\n", probe.err.message);
        if (ended) {
            CHECK_ROW(programs[i].name,
                      !programs[i].code ||
                          probe_code_is(&probe, programs[i].name, programs[i].code));
            check_text(programs[i].name, &probe);
            check_run(&probe, i, 0);
            check_run(&probe, i, 1);
        }
        probe_finish(&probe);
    }
}

// ---- requirements ----

static void make_image(struct gv_builder *b, uint32_t format, uint32_t side,
                       uint32_t samples)
{
    gv_emit(b, image_create, .type = GV_IMAGE_TYPE_2D, .format = format, .width = side,
            .height = 4, .depth = 1, .mips = 1, .layers = 1, .samples = samples,
            .usage = GV_IMAGE_USAGE_COLOR_ATTACHMENT, .flags = 0);
}

static void print_requirements(const struct gv_payload *p, struct gv_bytes *out)
{
    for (size_t i = 0; i < p->requirement_count; i++)
        if (p->requirements[i].kind != GV_REQUIRE_MEMORY)
            gv_bytes_printf(out, "%s %s %u\n",
                            gv_requirement_strength_name(p->requirements[i].strength),
                            p->requirements[i].name,
                            (unsigned)p->requirements[i].value);
    gv_bytes_u8(out, 0);
}

// What both branches need is needed, as far as both do; what one needs is not, nor is
// it refused that the target lacks it. A condition asked for again is no new row.
static void test_requirements(void)
{
    struct probe probe;
    struct gv_bytes rows = { 0 };
    probe_begin(&probe, true, 1);
    struct gv_builder *b = probe.builder;
    for (int i = 0; i < 2; i++) {
        gv_builder_either_begin(b, texels, 2);
        make_image(b, GV_FORMAT_R8G8B8A8_UNORM, 16384, 8);
        make_image(b, GV_FORMAT_R8G8B8_UNORM, 4, 2);
        gv_emit(b, set_line_width, .width = 2);
        gv_builder_either_else(b);
        make_image(b, GV_FORMAT_R8G8B8A8_UNORM, 8192, 2);
        make_image(b, GV_FORMAT_R8G8B8A8_UNORM, 4, 8);
        gv_emit(b, set_depth_bias, .constant = 1, .clamp = 1, .slope = 1);
        gv_builder_either_end(b);
    }
    gv_builder_frame_end(b, 0, 0);
    CHECK(probe_end(&probe));
    print_requirements(&probe.payload, &rows);
    static const char wanted[] = "alternative maxTexelBufferElements 100000\n"
                                 "alternative wideLines 0\n"
                                 "needed R8G8B8A8_UNORM 128\n"
                                 "needed framebufferColorSampleCounts 10\n"
                                 "needed maxImageDimension2D 8192\n";
    CHECK(strcmp((const char *)rows.data, wanted) == 0);
    if (strcmp((const char *)rows.data, wanted) != 0)
        fprintf(stderr, "%s", (const char *)rows.data);
    gv_bytes_finish(&rows);
    probe_finish(&probe);
}

// ---- what must not be ----

static void command_inside(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    gv_builder_command(b, 4, 80, "x");
}

static void frame_inside(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    gv_builder_frame_end(b, 0, 0);
}

static void open_at_the_end(struct gv_builder *b)
{
    draw_each(b);
    gv_builder_either_begin(b, &wide, 1);
    gv_builder_either_else(b);
    struct gv_error err = GV_ERROR_INIT;
    CHECK(!gv_builder_finish(b, NULL, &err));
}

static void observes(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    gv_builder_observe(b, 0, 0, "1", 1);
}

static void destroys(struct gv_builder *b)
{
    struct gv_buffer buffer = make_buffer(b, 4);
    gv_builder_either_begin(b, &wide, 1);
    gv_emit(b, buffer_destroy, .buffer = buffer);
}

static void uses_of_other(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    struct gv_buffer buffer = make_buffer(b, 4);
    gv_builder_either_else(b);
    upload(b, buffer, 0);
}

static void uses_behind(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    struct gv_buffer buffer = make_buffer(b, 4);
    gv_builder_either_else(b);
    gv_builder_either_end(b);
    upload(b, buffer, 0);
}

static void other_kind(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    struct gv_buffer buffer = make_buffer(b, 4);
    gv_builder_either_else(b);
    gv_builder_either_same(b, buffer);
    gv_builder_sampler(b, &(struct gv_sampler_desc){ .max_lod = 1 });
}

static void never_made(struct gv_builder *b)
{
    gv_builder_either_begin(b, &wide, 1);
    struct gv_buffer buffer = make_buffer(b, 4);
    gv_builder_either_else(b);
    gv_builder_either_same(b, buffer);
    gv_builder_either_end(b);
}

static void too_deep(struct gv_builder *b)
{
    for (int i = 0; i < 5; i++)
        gv_builder_either_begin(b, &wide, 1);
}

static void ends_twice(struct gv_builder *b)
{
    draw_each(b);
    gv_builder_either_end(b);
}

static const struct probe_failure failures[] = {
    { "command_inside", command_inside, GV_ERR_USAGE,
      "a command begins inside a branch" },
    { "frame_inside", frame_inside, GV_ERR_USAGE, "a frame ends inside a branch" },
    { "open_at_the_end", open_at_the_end, GV_ERR_USAGE,
      "the capture ends inside a branch" },
    { "observes", observes, GV_ERR_USAGE, "memory is observed inside a branch" },
    { "destroys", destroys, GV_ERR_FORMAT,
      "buffer_destroy: argument buffer is destroyed in one branch alone" },
    { "uses_of_other", uses_of_other, GV_ERR_FORMAT,
      "buffer_upload: argument buffer is an object of another branch" },
    { "uses_behind", uses_behind, GV_ERR_FORMAT,
      "buffer_upload: argument buffer is an object of another branch" },
    { "other_kind", other_kind, GV_ERR_USAGE,
      "two branches make different kinds of object" },
    { "never_made", never_made, GV_ERR_USAGE, "no object was made the same" },
    { "too_deep", too_deep, GV_ERR_USAGE,
      "branches too deep, or of too many conditions" },
    { "ends_twice", ends_twice, GV_ERR_USAGE, "no second branch ends here" },
};

static void draw_once(struct gv_builder *b)
{
    draw(b, 1);
}

static void test_failures(void)
{
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        CHECK_ROW(failures[i].name, probe_fails(&failures[i], draw_once));
}

int main(void)
{
    test_programs();
    test_requirements();
    test_failures();
    return TEST_RESULT();
}
