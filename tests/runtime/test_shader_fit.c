// Shaders that do not fit their pipelines, told without a device: in the words that a
// run has for them (`# expect error` of tests/runtime/programs, which test_runtime_gvt
// holds runs against), and where the verifier cannot know what a slot holds, not at
// all.
#define _GNU_SOURCE // memmem
#include "runtime/shader_fit.h"

#include <glob.h>

#include "tests/test.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

// Who refuses each program that expects an error.
static const struct {
    const char *name;
    bool deep; // false: a run alone knows, by its device, its objects or its state
} refused[] = {
    { "hostile_groups", false },
    { "hostile_loop", false },
    { "limit_maps", false },
    { "limit_object_bytes", false },
    { "limit_objects", false },
    { "refuse_attribute_kind", true },
    { "refuse_binding_not_listed", true },
    { "refuse_binding_stage", true },
    { "refuse_binding_type", true },
    { "refuse_both_stages", true },
    { "refuse_both_ways", true },
    { "refuse_copy_range", false },
    { "refuse_dead_handle", false },
    { "refuse_dead_pipeline", false },
    { "refuse_feature", false },
    { "refuse_format", false },
    { "refuse_group_count", false },
    { "refuse_groups", false },
    { "refuse_indices", false },
    { "refuse_indirect_range", false },
    { "refuse_inside_pass", false },
    { "refuse_interface", true },
    { "refuse_loop", false },
    { "refuse_no_compute", false },
    { "refuse_no_indices", false },
    { "refuse_no_pipeline", false },
    { "refuse_not_spirv", true },
    { "refuse_outside_pass", false },
    { "refuse_pass_open", false },
    { "refuse_pass_samples", false },
    { "refuse_pass_size", false },
    { "refuse_pass_twice", false },
    { "refuse_patches", true },
    { "refuse_query_begin", false },
    { "refuse_query_copy", false },
    { "refuse_stage", true },
    { "refuse_stride", false },
    { "refuse_target_kind", true },
    { "refuse_texel_kind", false },
    { "refuse_two_faults", true },
    { "refuse_uniform_bytes", false },
    { "refuse_unnamed_write", false },
    { "refuse_usage", false },
    { "refuse_vertex_doubles", false },
    { "refuse_view_type", false },
    { "refuse_viewport", false },
};
static bool met[sizeof refused / sizeof refused[0]];

#define EXPECT "\n# expect error "

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

// Two faults: the first of the code is told, whichever is looked at first.
static const struct {
    const char *name, *text, *says;
} faults[] = {
    { "shader_first",
      ".resource junk u32 ( 1 2 )\n" HEAD "j = shader_create(junk)\n" SPOIL MAKE TAIL,
      "not a SPIR-V module" },
    { "pipeline_first",
      ".resource junk u32 ( 1 2 )\n" HEAD SPOIL MAKE "j = shader_create(junk)\n" TAIL,
      "is not written by the vertex shader" },
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

static void judge_program(const char *name, const char *path, const char *folder)
{
    char wanted[256] = "";
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    struct verdict verdict;
    if (!gv_file_open(&file, path, &err)) {
        CHECK_ROW(name, false);
        return;
    }
    const char *line = memmem(file.data, file.size, EXPECT, strlen(EXPECT));
    if (line)
        sscanf(line + strlen(EXPECT), "%255[^\n]", wanted);
    size_t row = 0;
    while (row < sizeof refused / sizeof refused[0] &&
           strcmp(refused[row].name, name) != 0)
        row++;
    bool listed = row < sizeof refused / sizeof refused[0];
    CHECK_ROW(name, listed == (*wanted != '\0'));
    if (listed && *wanted) {
        met[row] = true;
        judge(name, (const char *)file.data, file.size, folder, &verdict);
        CHECK_ROW(name, verdict.fits == !refused[row].deep);
        if (refused[row].deep && !strstr(verdict.error.message, wanted))
            fprintf(stderr, "%s: %s\n", name, verdict.error.message);
        CHECK_ROW(name, verdict.fits || strstr(verdict.error.message, wanted));
        CHECK_ROW(name, verdict.fits || verdict.error.offset != GV_NO_OFFSET);
    }
    gv_file_close(&file);
}

// All that expect an error are in the table, and all in the table are there.
static void judge_programs(const char *folder)
{
    glob_t found;
    CHECK(glob("tests/runtime/programs/*.gvt", 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s", strrchr(found.gl_pathv[i], '/') + 1);
        name[strlen(name) - strlen(".gvt")] = '\0';
        judge_program(name, found.gl_pathv[i], folder);
    }
    globfree(&found);
    for (size_t i = 0; i < sizeof met / sizeof met[0]; i++)
        CHECK_ROW(refused[i].name, met[i]);
}

int main(int argc, char **argv)
{
    struct verdict verdict;
    if (argc != 2)
        return 2;
    judge_programs(argv[1]);
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        judge(slots[i].name, slots[i].text, strlen(slots[i].text), argv[1], &verdict);
        CHECK_ROW(slots[i].name, verdict.pipelines == slots[i].pipelines);
        CHECK_ROW(slots[i].name, verdict.fits == slots[i].fits);
    }
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        judge(faults[i].name, faults[i].text, strlen(faults[i].text), argv[1],
              &verdict);
        CHECK_ROW(faults[i].name, !verdict.fits);
        CHECK_ROW(verdict.error.message,
                  strstr(verdict.error.message, faults[i].says) != NULL);
    }
    return TEST_RESULT();
}
