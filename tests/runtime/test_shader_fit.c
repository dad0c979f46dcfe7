// Shaders that do not fit their pipelines, told without a device: in the words that a
// run has for them (`# expect error` of tests/runtime/programs, which test_runtime_gvt
// holds runs against), and where the verifier cannot know what a slot holds, not at
// all.
#include "runtime/shader_fit.h"

#include "tests/test.h"
#include "vm/text/text.h"
#include "vm/verify.h"

// The others with that name are refused by what only a run knows.
static const char *const unfit[] = {
    "refuse_attribute_kind", "refuse_binding_not_listed",
    "refuse_binding_stage",  "refuse_binding_type",
    "refuse_interface",      "refuse_not_spirv",
    "refuse_patches",        "refuse_stage",
    "refuse_target_kind",
};
static const char *const fit[] = {
    "refuse_texel_kind", "refuse_view_type",     "refuse_feature",
    "refuse_groups",     "refuse_unnamed_write", "refuse_vertex_doubles",
};

// Loops and skips leave the next resource as it was: behind the last.
#define HEAD                                                                          \
    ".resource plain file \"plain.vert.spv\"\n.resource vs file \"cover.vert.spv\"\n" \
    ".resource fs file \"texture_2d.frag.spv\"\n"                                     \
    ".graphics d {\ncolor 0 R8G8B8A8_UNORM\n"                                         \
    "binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT\n}\n"                                \
    ".require alternative feature \"wideLines\" 0 fallback \"none\"\n"                \
    "w = shader_create(plain)\nv = shader_create(vs)\nf = shader_create(fs)\n"
#define MAKE "p = pipeline_create_graphics(desc=d, vertex=v, fragment=f)\n"
#define SPOIL "shader_destroy(v)\nv = shader_create(plain)\nres fs\ndrop\n"
#define TAIL "frame_end()\nend\n"

// What slots hold: `plain` writes nothing that the fragment shader reads.
static const struct {
    const char *name, *text;
    size_t pipelines; // whose shaders are known
    bool fits;
} slots[] = {
    { "straight", HEAD MAKE TAIL, 1, true },
    { "stored_again", HEAD SPOIL MAKE TAIL, 1, false },
    { "behind_a_skip", HEAD "meets 0\nskip_zero on\n" SPOIL "on:\n" MAKE TAIL, 0,
      true },
    { "inside_a_skip", HEAD "meets 0\nskip_zero on\n" SPOIL MAKE "on:\n" TAIL, 1,
      false },
    { "in_another_skip",
      HEAD "meets 0\nskip_zero on\n" SPOIL "on:\nmeets 0\nskip_zero off\n" MAKE
           "off:\n" TAIL,
      0, true },
    { "from_before_the_skip", HEAD "meets 0\nskip_zero on\n" MAKE "on:\n" TAIL, 1,
      true },
    { "known_again",
      HEAD "meets 0\nskip_zero on\n" SPOIL "on:\nv = shader_create(vs)\n" MAKE TAIL, 1,
      true },
    { "inside_a_loop",
      HEAD "loop 2\n" SPOIL MAKE "pipeline_destroy(p)\nloop_end\n" TAIL, 1, false },
    { "behind_a_loop", HEAD "loop 2\n" SPOIL "loop_end\n" MAKE TAIL, 0, true },
};

struct verdict {
    struct gv_error error;
    size_t pipelines;
    bool fits;
};

// What is not of shaders is good in all of these.
static void judge(const char *name, const char *text, size_t size, const char *folder,
                  struct verdict *out)
{
    const struct gv_assemble_params assemble = { .include_folder = folder };
    struct gv_pipeline_list list = { 0 };
    const struct gv_verify_params verify = { .pipelines = &list };
    struct gv_payload payload = { 0 };
    struct gv_bytes bytes = { 0 };
    *out = (struct verdict){ .error = GV_ERROR_INIT };
    bool good =
        gv_text_assemble(text, size, &assemble, &bytes, &out->error) &&
        gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &out->error) &&
        gv_verify(&payload, &verify, &out->error);
    if (!good)
        fprintf(stderr, "%s: %s\n", name, out->error.message);
    CHECK_ROW(name, good);
    out->fits = good && gv_shaders_fit(&payload, &list, NULL, 0, &out->error);
    out->pipelines = list.pipeline_count;
    gv_pipeline_list_finish(&list);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
}

static void judge_program(const char *name, const char *folder, bool refused)
{
    char path[512], wanted[256] = "";
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    struct verdict verdict;
    snprintf(path, sizeof path, "tests/runtime/programs/%s.gvt", name);
    if (!gv_file_open(&file, path, &err)) {
        CHECK_ROW(name, false);
        return;
    }
    sscanf((const char *)file.data, "%*[^\n]\n# expect error %255[^\n]", wanted);
    judge(name, (const char *)file.data, file.size, folder, &verdict);
    CHECK_ROW(name, verdict.fits == !refused);
    if (refused && !strstr(verdict.error.message, wanted))
        fprintf(stderr, "%s: %s\n", name, verdict.error.message);
    CHECK_ROW(name, *wanted && (!refused || strstr(verdict.error.message, wanted)));
    CHECK_ROW(name, !refused || verdict.error.offset != GV_NO_OFFSET);
    gv_file_close(&file);
}

int main(int argc, char **argv)
{
    struct verdict verdict;
    if (argc != 2)
        return 2;
    for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++)
        judge_program(unfit[i], argv[1], true);
    for (size_t i = 0; i < sizeof fit / sizeof fit[0]; i++)
        judge_program(fit[i], argv[1], false);
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        judge(slots[i].name, slots[i].text, strlen(slots[i].text), argv[1], &verdict);
        CHECK_ROW(slots[i].name, verdict.pipelines == slots[i].pipelines);
        CHECK_ROW(slots[i].name, verdict.fits == slots[i].fits);
    }
    return TEST_RESULT();
}
