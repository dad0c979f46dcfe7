// What the driver alone takes for a draw between which nothing, the texture or the
// pipeline changes: the objects that the runtime makes for such draws, and then
// Vulkan's commands in a bare loop. draws.sh measures the same through payloads; what
// is below these numbers no runtime can save.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/commands.h"
#include "tests/bench/bench.h"
#include "tests/runtime/runtime_fixture.h"
#include "vm/descs.h"

#include "tests/shaders/bench_fragment.spv.h"
#include "tests/shaders/bench_vertex.spv.h"

#include <sys/resource.h>

#define DRAWS 200000
#define TEXTURES 4

// What the runtime bound, in turn.
static VkDescriptorSet sets[TEXTURES];
static VkPipeline pipelines[2];
static VkPipelineLayout layout;
static uint32_t set_count, pipeline_count;

static PFN_vkCmdBindDescriptorSets real_sets;
static PFN_vkCmdBindPipeline real_pipeline;

static VKAPI_ATTR void VKAPI_CALL
watch_sets(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipelineLayout with,
           uint32_t first, uint32_t count, const VkDescriptorSet *what,
           uint32_t offset_count, const uint32_t *offsets)
{
    if (first == 2 && set_count < TEXTURES) {
        sets[set_count++] = what[0];
        layout = with;
    }
    real_sets(commands, point, with, first, count, what, offset_count, offsets);
}

static VKAPI_ATTR void VKAPI_CALL watch_pipeline(VkCommandBuffer commands,
                                                 VkPipelineBindPoint point,
                                                 VkPipeline what)
{
    if (pipeline_count < 2)
        pipelines[pipeline_count++] = what;
    real_pipeline(commands, point, what);
}

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

static uint64_t make_pipeline(bool blends, uint64_t vertex, uint64_t fragment)
{
    static struct gv_graphics_desc desc;
    struct gv_bytes encoded = { 0 };
    uint64_t pipeline;
    gv_graphics_desc_default(&desc);
    desc.color_formats[0] = GV_FORMAT_R8G8B8A8_UNORM;
    desc.color_count = 1;
    desc.blend[0].enable = blends;
    desc.blend[0].src_color = desc.blend[0].dst_color = GV_BLEND_FACTOR_ONE;
    desc.interface.binding_count = 1;
    desc.interface.bindings[0] =
        (struct gv_binding_desc){ 2, 0, GV_BINDING_COMBINED_IMAGE_SAMPLER, 1,
                                  GV_STAGE_FRAGMENT };
    gv_graphics_desc_encode(&desc, &encoded);
    MAKE(pipeline, pipeline_create_graphics, bytes(encoded.data), num(encoded.size),
         num(vertex), num(0), num(0), num(0), num(fragment));
    gv_bytes_finish(&encoded);
    return pipeline;
}

static void bind_texture(uint64_t image, uint64_t sampler)
{
    DO(bind_texture, num(2), num(0), num(0), num(image), num(GV_VIEW_TYPE_2D), num(0),
       num(GV_ASPECT_COLOR), num(0), num(0), num(1), num(0), num(1), num(sampler));
}

// Draws with each texture and each pipeline once.
static void draw_all(void)
{
    static const struct gv_sampler_desc desc = { .max_lod = 1000 };
    struct gv_bytes encoded = { 0 };
    uint64_t vertex, fragment, sampler, pipe[2];
    uint64_t target =
        make_image(GV_FORMAT_R8G8B8A8_UNORM, 64, 64, GV_IMAGE_USAGE_COLOR_ATTACHMENT);
    gv_sampler_desc_encode(&desc, &encoded);
    MAKE(vertex, shader_create, bytes(bench_vertex), num(sizeof bench_vertex));
    MAKE(fragment, shader_create, bytes(bench_fragment), num(sizeof bench_fragment));
    MAKE(sampler, sampler_create, bytes(encoded.data), num(encoded.size));
    for (int i = 0; i < 2; i++)
        pipe[i] = make_pipeline(i != 0, vertex, fragment);
    DO(pass_color, num(0), num(target), num(0), num(0), num(0), num(1),
       num(GV_LOAD_OP_CLEAR), num(GV_STORE_OP_STORE), num(0), num(0), num(0), num(0));
    DO(pass_begin, num(64), num(64), num(1));
    for (int i = 0; i < TEXTURES; i++) {
        uint64_t image =
            make_image(GV_FORMAT_R8G8B8A8_UNORM, 4, 4, GV_IMAGE_USAGE_SAMPLED);
        bind_texture(image, sampler);
        DO(bind_pipeline, num(pipe[i % 2]));
        DO(draw, num(3), num(1), num(0), num(0));
    }
    gv_bytes_finish(&encoded);
}

static void measure(const char *name, bool textures, bool pipes)
{
    VkCommandBuffer commands = fixture->commands->buffer;
    double start = cpu_seconds();
    for (uint32_t i = 0; i < DRAWS; i++) {
        if (textures)
            real_sets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 2, 1,
                      &sets[i % TEXTURES], 0, NULL);
        if (pipes)
            real_pipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i % 2]);
        vkCmdDraw(commands, 3, 1, 0, 0);
    }
    DO(pass_end, num(0));
    CHECK(gv_runtime_finish(fixture, &fixture_error));
    bench_print(name, (cpu_seconds() - start) / DRAWS * 1e9, "ns/draw");
}

int main(void)
{
    static const struct {
        const char *name;
        bool textures, pipes;
    } rows[] = {
        { "driver_draw_nothing", false, false },
        { "driver_draw_texture", true, false },
        { "driver_draw_pipeline", false, true },
    };
    setenv("GV_TEST_NO_VALIDATION", "1", 1);
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    real_sets = vkCmdBindDescriptorSets;
    real_pipeline = vkCmdBindPipeline;
    vkCmdBindDescriptorSets = watch_sets;
    vkCmdBindPipeline = watch_pipeline;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_count = pipeline_count = 0;
        draw_all();
        CHECK(set_count == TEXTURES && pipeline_count == 2);
        measure(rows[i].name, rows[i].textures, rows[i].pipes);
    }
    fixture_close();
    return TEST_RESULT();
}
