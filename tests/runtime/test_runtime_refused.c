// Every call with wrong arguments: each argument in turn takes values that no payload
// should give it, inside and outside of passes. What is refused is refused as the
// payload's fault or the device's, never the user's, and says which argument it was.
// What is the payload's fault is refused by the device that does nothing too
// (null_device.h), in the same words.
//   test_runtime_refused SHADERS
#include "resources/base/file.h"
#include "runtime/null/null_device.h"
#include "runtime/vk/device/loader.h"
#include "tests/runtime/runtime_fixture.h"
#include "tools/base/report.h"
#include "vm/descs.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

static struct gv_file vertex_file, fragment_file, compute_file;
static uint64_t good[GV_KIND_COUNT]; // a live object of each kind
static uint64_t color;               // an image that passes draw into
static struct gv_bytes descriptions[GV_ENUM_ID_DISPATCH_RANGES + 1];
static bool rejected[GV_CALL_LIMIT]; // calls that some argument made exit 3
static unsigned tries;

// What the null device has said to each try, in order: written by a process of its own,
// read by the one with the device at hand.
struct said {
    bool ok;
    struct gv_error err;
};
static FILE *said_by_null;
static bool is_null;

// ---- what is there ----

static uint64_t make_shader(const struct gv_file *file)
{
    uint64_t shader = 0;
    MAKE(shader, shader_create, bytes(file->data), num(file->size));
    return shader;
}

static void encode_descriptions(void)
{
    static struct gv_graphics_desc g;
    static struct gv_compute_desc c;
    const struct gv_sampler_desc s = { .max_lod = 1000 };
    gv_graphics_desc_default(&g);
    g.color_count = 1;
    g.color_formats[0] = GV_FORMAT_R8G8B8A8_UNORM;
    g.interface.binding_count = 1;
    g.interface.bindings[0] =
        (struct gv_binding_desc){ 1, 0, GV_BINDING_UNIFORM_BUFFER_DYNAMIC, 1,
                                  GV_STAGE_FRAGMENT };
    c.interface.binding_count = 1;
    c.interface.bindings[0] = (struct gv_binding_desc){ 3, 0, GV_BINDING_STORAGE_BUFFER,
                                                        1, GV_STAGE_COMPUTE };
    gv_graphics_desc_encode(&g, &descriptions[GV_ENUM_ID_GRAPHICS_DESC]);
    gv_compute_desc_encode(&c, &descriptions[GV_ENUM_ID_COMPUTE_DESC]);
    gv_sampler_desc_encode(&s, &descriptions[GV_ENUM_ID_SAMPLER_DESC]);
}

// The two arguments that a description is.
#define DESCRIPTION(id) bytes(descriptions[id].data), num(descriptions[id].size)

static void make_objects(bool pass)
{
    uint64_t fragment = make_shader(&fragment_file), compute = 0;
    uint64_t compute_shader = make_shader(&compute_file);
    MAKE(good[GV_KIND_BUFFER], buffer_create, num(4096), num(0x1ff));
    good[GV_KIND_IMAGE] =
        make_image(GV_FORMAT_R8G8B8A8_UNORM, 8, 8,
                   GV_IMAGE_USAGE_SAMPLED | GV_IMAGE_USAGE_COLOR_ATTACHMENT);
    color = make_image(GV_FORMAT_R8G8B8A8_UNORM, 8, 8, GV_IMAGE_USAGE_COLOR_ATTACHMENT);
    MAKE(good[GV_KIND_SAMPLER], sampler_create, DESCRIPTION(GV_ENUM_ID_SAMPLER_DESC));
    good[GV_KIND_SHADER] = make_shader(&vertex_file);
    MAKE(good[GV_KIND_PIPELINE], pipeline_create_graphics,
         DESCRIPTION(GV_ENUM_ID_GRAPHICS_DESC), num(good[GV_KIND_SHADER]), num(0),
         num(0), num(0), num(fragment));
    MAKE(compute, pipeline_create_compute, DESCRIPTION(GV_ENUM_ID_COMPUTE_DESC),
         num(compute_shader));
    MAKE(good[GV_KIND_QUERY], query_create, num(GV_QUERY_TYPE_OCCLUSION), num(4));
    MAKE(good[GV_KIND_MAP], buffer_map, num(good[GV_KIND_BUFFER]), num(0), num(64));
    DO(bind_pipeline, num(compute));
    DO(bind_pipeline, num(good[GV_KIND_PIPELINE]));
    DO(bind_index_buffer, num(good[GV_KIND_BUFFER]), num(0), num(GV_INDEX_TYPE_UINT16));
    if (!pass)
        return;
    DO(pass_color, num(0), num(color), num(0), num(0), num(0), num(1),
       num(GV_LOAD_OP_CLEAR), num(GV_STORE_OP_STORE), num(0), num(0), num(0), num(0));
    DO(pass_begin, num(8), num(8), num(1));
}

// ---- arguments ----

static union gv_arg plausible(const struct gv_arg_info *info)
{
    static const uint8_t zeros[4096];
    bool optional = false;
    enum gv_kind kind = gv_arg_object_kind((enum gv_arg_kind)info->kind, &optional);
    if (kind != GV_KIND_NONE)
        return num(good[kind]);
    switch ((enum gv_arg_kind)info->kind) {
    case GV_ARG_BYTES:
        return bytes(descriptions[info->of].size ? descriptions[info->of].data : zeros);
    case GV_ARG_SIZE: // of the bytes before it
        return num(descriptions[info[-1].of].size ? descriptions[info[-1].of].size
                                                  : 256);
    case GV_ARG_F32:
        return bits(1);
    case GV_ARG_FORMAT:
        return num(GV_FORMAT_R8G8B8A8_UNORM);
    case GV_ARG_FLAGS:
        return num(gv_enum_valid((enum gv_enum_id)info->of, 1));
    case GV_ARG_ENUM:
    case GV_ARG_FORMAT_OPT:
    case GV_ARG_BOOL:
        return num(0);
    default:
        break;
    }
    switch ((enum gv_role)info->role) {
    case GV_ROLE_BYTES:
        return num(64);
    case GV_ROLE_VALUE:
    case GV_ROLE_MIPS:
    case GV_ROLE_LAYERS:
    case GV_ROLE_W:
    case GV_ROLE_H:
    case GV_ROLE_D:
        return num(1);
    default: // places, and the far corners of boxes
        return num(info->name[strlen(info->name) - 1] == '1');
    }
}

// Work that would be done, and take years.
static bool endless(const struct gv_call_info *call, const struct gv_arg_info *arg,
                    uint64_t value)
{
    return value > 100 &&
           (strstr(call->name, "draw") || strstr(call->name, "dispatch")) &&
           (strstr(arg->name, "_count") || strlen(arg->name) == 1);
}

// The n-th wrong value, false at the end of the list.
static bool wrong_value(const struct gv_arg_info *info, unsigned n, union gv_arg *out)
{
    static const uint64_t numbers[] = { 0,          1,          2,         3,
                                        5,          16,         17,        1000,
                                        UINT16_MAX, 1u << 24,   INT32_MAX, 1u << 31,
                                        UINT32_MAX, UINT64_MAX, 1ull << 40 };
    static const float floats[] = { NAN, INFINITY, -INFINITY, -1, 1e30f, 2, 0 };
    bool optional = false;
    enum gv_kind kind = gv_arg_object_kind((enum gv_arg_kind)info->kind, &optional);
    bool wide = kind != GV_KIND_NONE || info->kind == GV_ARG_U64;
    if (info->kind == GV_ARG_BYTES || info->kind == GV_ARG_BOOL)
        return false;
    if (info->kind == GV_ARG_F32) {
        *out = bits(floats[n % 7]);
        return n < 7;
    }
    *out = num(numbers[n % 15]);
    // The VM has checked numbers against their kind and enumeration.
    if (info->kind == GV_ARG_I32)
        *out = num((uint64_t)(int64_t)(int32_t)numbers[n % 15]);
    else if (info->kind == GV_ARG_SIZE)
        out->u %= 4097;
    else if (info->kind == GV_ARG_ENUM || info->kind == GV_ARG_FLAGS)
        *out = gv_enum_valid((enum gv_enum_id)info->of, n) ? num(n) : num(0);
    else if (info->kind == GV_ARG_FORMAT || info->kind == GV_ARG_FORMAT_OPT)
        *out = gv_format_info(n * 7) ? num(n * 7) : num(GV_FORMAT_D32_SFLOAT);
    else if (!wide)
        out->u = (uint32_t)out->u;
    return n < 15;
}

// ---- judging ----

// "call: rest", and if the rest begins with one word and a colon, that is an argument.
static bool well_said(const struct gv_call_info *call, const char *message)
{
    size_t length = strlen(call->name);
    if (strncmp(message, call->name, length) != 0 ||
        strncmp(message + length, ": ", 2) != 0)
        return false;
    const char *word = message + length + 2;
    size_t n = strcspn(word, " :");
    if (n == 0 || word[n] != ':' || strncmp(word, "unsupported", n) == 0 ||
        strncmp(word, "vk", 2) == 0)
        return n != 0;
    for (uint32_t i = 0; i < call->arg_count; i++)
        if (strlen(call->args[i].name) == n &&
            strncmp(word, call->args[i].name, n) == 0)
            return true;
    return false;
}

// Of formats and limits the two differ, and of what is done after such a difference.
static void compare(const struct gv_call_info *info, bool ok)
{
    struct said said = { ok, fixture_error };
    if (is_null) {
        CHECK_ROW(info->name, fwrite(&said, sizeof said, 1, said_by_null) == 1);
        return;
    }
    CHECK_ROW(info->name, fread(&said, sizeof said, 1, said_by_null) == 1);
    if (ok || gv_exit_of(fixture_error.status, GV_PHASE_RUN) != GV_EXIT_REJECTED)
        return;
    bool same = !said.ok && strcmp(said.err.message, fixture_error.message) == 0;
    if (!same)
        fprintf(stderr, "%s, by null: %s\n", fixture_error.message,
                said.ok ? "ok" : said.err.message);
    CHECK_ROW(info->name, same);
}

static void judge(enum gv_call call, const char *argument)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    enum gv_exit code = gv_exit_of(fixture_error.status, GV_PHASE_RUN);
    bool ok = code == GV_EXIT_REJECTED || code == GV_EXIT_DEVICE;
    rejected[call] |= code == GV_EXIT_REJECTED;
    if (ok && well_said(info, fixture_error.message))
        return;
    fprintf(stderr, "%s of %s: exit %s: %s\n", argument, info->name, gv_exit_word(code),
            fixture_error.message);
    CHECK_ROW(info->name, ok);
    CHECK_ROW(info->name, well_said(info, fixture_error.message));
}

static void try_one(enum gv_call call, uint32_t argument, union gv_arg value)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    union gv_arg args[GV_MAX_ARGS] = { { 0 } };
    for (uint32_t i = 0; i < info->arg_count; i++)
        args[i] = plausible(&info->args[i]);
    if (info->arg_count)
        args[argument] = value;
    tries++;
    const bool ok = try_call(call, NULL, args);
    compare(info, ok);
    if (!ok)
        judge(call, info->arg_count ? info->args[argument].name : "no argument");
}

static void begin(bool pass)
{
    CHECK(gv_runtime_reset(fixture, &fixture_error));
    make_objects(pass);
}

static void try_call_in(enum gv_call call, bool pass)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    begin(pass);
    if (!info->arg_count)
        try_one(call, 0, num(0));
    for (uint32_t i = 0; i < info->arg_count; i++) {
        union gv_arg value;
        for (unsigned n = 0; wrong_value(&info->args[i], n, &value); n++)
            if (!endless(info, &info->args[i], value.u))
                try_one(call, i, value);
        begin(pass);
    }
}

// Nothing that these may be given is wrong.
static bool takes_anything(enum gv_call call)
{
    return call == GV_CALL_set_blend_constants || call == GV_CALL_set_depth_bias;
}

static bool open_shaders(const char *folder)
{
    static const struct {
        struct gv_file *file;
        const char *name;
    } rows[] = { { &vertex_file, "plain.vert" },
                 { &fragment_file, "solid.frag" },
                 { &compute_file, "increment.comp" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.spv", folder, rows[i].name);
        if (gv_file_open(rows[i].file, path, &fixture_error))
            continue;
        fprintf(stderr, "%s\n", fixture_error.message);
        return false;
    }
    return true;
}

static void try_all(void)
{
    for (int call = 0; call < GV_CALL_LIMIT; call++) {
        if (!gv_call_infos[call].name)
            continue;
        try_call_in((enum gv_call)call, false);
        try_call_in((enum gv_call)call, true);
        CHECK_ROW(gv_call_infos[call].name,
                  rejected[call] || takes_anything((enum gv_call)call));
    }
    CHECK(gv_runtime_reset(fixture, &fixture_error));
    fixture_close();
}

// A process has one loader of Vulkan.
static void try_null(void)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        is_null = true;
        setenv("GV_TEST_NO_VALIDATION", "1", 1);
        if (gv_vk_loader_open(gv_null_entry, &fixture_error) && fixture_open())
            try_all();
        fclose(said_by_null);
        _exit(gv_test_failures != 0);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    rewind(said_by_null);
}

int main(int argc, char **argv)
{
    if (!open_shaders(argc > 1 ? argv[1] : "."))
        return EXIT_FAILURE;
    encode_descriptions();
    said_by_null = tmpfile();
    CHECK(said_by_null);
    if (!said_by_null)
        return TEST_RESULT();
    try_null();
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    try_all();
    printf("%u tries\n", tries);
    fclose(said_by_null);
    for (int i = 0; i <= GV_ENUM_ID_DISPATCH_RANGES; i++)
        gv_bytes_finish(&descriptions[i]);
    gv_file_close(&vertex_file);
    gv_file_close(&fragment_file);
    gv_file_close(&compute_file);
    return TEST_RESULT();
}
