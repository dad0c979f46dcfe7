// Runs every program of a folder (tests/runtime/programs/*.gvt) under validation and
// compares what it draws with what its comments expect:
//
//   # expect pixel X Y R G B A [TOLERANCE]       of the last frame's picture
//   # expect rect X Y W H R G B A [TOLERANCE]    every pixel of the rectangle
//   # expect count R G B A N [SLACK]             pixels of exactly that colour
//   # expect size W H
//   # expect export NAME hex|u32|i32|f32|u64 VALUE ...   bytes from its start
//   # expect error TEXT                          the run, or loading, fails saying so
//   # expect told TEXT                           the only message of validation says so
//   # option timeout MILLISECONDS | memory MIB | no-messages-check
//   # hide RULES       the same must come out of a device that lacks this
//                      (tests/layers/hide), in a process of its own
#include "runtime/runtime.h"
#include "tests/test.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

#include <dirent.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_FILES 512

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libVkLayer_\n";
}

struct run {
    const char *name, *text;
    size_t size;
    const char *shaders; // folder of compiled shaders
    struct gv_payload payload;
    struct gv_runtime *runtime;
    struct gv_picture picture;
    struct gv_error error;
    struct gv_log log; // the runtime's, as long as it lives
    unsigned checks, messages;
    bool told; // a message said what was expected
};

static bool no_device;
static bool covered[GV_CALL_LIMIT]; // calls that some program makes

// What follows `prefix` in the program, up to the end of its line.
static bool find_line(const struct run *run, const char *prefix, char out[256])
{
    const char *line = run->text ? strstr(run->text, prefix) : NULL;
    if (line)
        snprintf(out, 256, "%.*s", (int)strcspn(line + strlen(prefix), "\n"),
                 line + strlen(prefix));
    return line != NULL;
}

static void print(void *context, enum gv_log_level level, const char *text)
{
    struct run *run = context;
    char wanted[256];
    if (level == GV_LOG_WARNING && find_line(run, "# expect told ", wanted) &&
        strstr(text, wanted)) {
        run->told = true;
        return;
    }
    if (level == GV_LOG_WARNING && run->messages++ < 3)
        fprintf(stderr, "[%s] %.700s\n", run->name, text);
}

// ---- running ----

static bool keep_picture(struct run *run)
{
    struct gv_picture picture = { 0 };
    if (!gv_runtime_frame_picture(run->runtime, &picture, &run->error))
        return false;
    if (!picture.width)
        return true;
    gv_picture_finish(&run->picture);
    run->picture = picture;
    return true;
}

static bool run_code(struct run *run)
{
    const struct gv_vm_params params = {
        .payload = &run->payload,
        .host = gv_runtime_host(run->runtime),
        .memory_limit = 1u << 30,
    };
    struct gv_vm *vm = gv_vm_create(&params, &run->error);
    enum gv_stop stop = GV_STOP_FRAME;
    bool ok = vm != NULL;
    while (ok && stop != GV_STOP_END) {
        ok = gv_vm_run(vm, &stop, &run->error);
        if (ok && stop == GV_STOP_FRAME)
            ok = keep_picture(run);
    }
    gv_vm_destroy(vm);
    return ok && gv_runtime_finish(run->runtime, &run->error);
}

// What stands behind `# option NAME`, or `other`.
static uint64_t option_of(const char *text, const char *name, uint64_t other)
{
    char line[64];
    snprintf(line, sizeof line, "# option %s ", name);
    const char *option = strstr(text, line);
    return option ? strtoull(option + strlen(line), NULL, 10) : other;
}

static bool open_runtime(struct run *run)
{
    run->log = (struct gv_log){ print, run };
    struct gv_runtime_params params = {
        .validate = !getenv("GV_TEST_NO_VALIDATION"),
        .memory_limit = option_of(run->text, "memory", 1024) << 20,
        .timeout_ns = option_of(run->text, "timeout", 120000) * 1000000u,
        .log = &run->log,
        .payload = &run->payload,
    };
    run->runtime = gv_runtime_create(&params, &run->error);
    if (!run->runtime)
        return false;
    size_t count = run->payload.export_count;
    bool *wanted = calloc(count ? count : 1, sizeof *wanted);
    for (size_t i = 0; wanted && i < count; i++)
        wanted[i] = true;
    gv_runtime_want_exports(run->runtime, wanted, count);
    free(wanted);
    return true;
}

// Everything up to the end of the run; false with run->error.
static bool execute(struct run *run, struct gv_bytes *payload)
{
    const struct gv_assemble_params assemble = { .include_folder = run->shaders };
    const struct gv_verify_params verify = { .memory_limit = 1u << 30 };
    if (!gv_text_assemble(run->text, run->size, &assemble, payload, &run->error) ||
        !gv_payload_open_memory(&run->payload, payload->data, payload->size, 1u << 30,
                                &run->error))
        return false;
    if (!gv_verify(&run->payload, &verify, &run->error) || !open_runtime(run))
        return false;
    return run_code(run);
}

// ---- expectations ----

static void complain(struct run *run, const char *line, const char *format, ...)
    GV_PRINTF(3, 4);

static void complain(struct run *run, const char *line, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "[%s] %.*s: %s\n", run->name, (int)strcspn(line, "\n"), line, text);
    gv_test_failures++;
}

static bool near(const uint8_t *a, const long rgba[4], long tolerance)
{
    for (int i = 0; i < 4; i++)
        if (labs(a[i] - rgba[i]) > tolerance)
            return false;
    return true;
}

static void expect_rect(struct run *run, const char *line, const long v[9])
{
    const struct gv_picture *p = &run->picture;
    if (v[0] < 0 || v[1] < 0 || v[0] + v[2] > (long)p->width ||
        v[1] + v[3] > (long)p->height) {
        complain(run, line, "outside the %ux%u picture", p->width, p->height);
        return;
    }
    for (long y = v[1]; y < v[1] + v[3]; y++)
        for (long x = v[0]; x < v[0] + v[2]; x++) {
            const uint8_t *at = p->rgba + ((size_t)y * p->width + (size_t)x) * 4;
            if (near(at, v + 4, v[8]))
                continue;
            complain(run, line, "%ld,%ld is %u %u %u %u", x, y, at[0], at[1], at[2],
                     at[3]);
            return;
        }
}

static void expect_count(struct run *run, const char *line, const long v[6])
{
    const struct gv_picture *p = &run->picture;
    long n = 0;
    for (size_t i = 0; i < (size_t)p->width * p->height; i++)
        n += near(p->rgba + i * 4, v, 0);
    if (labs(n - v[4]) > v[5])
        complain(run, line, "%ld pixels", n);
}

static size_t numbers(const char *text, long *out, size_t most)
{
    size_t n = 0;
    while (n < most) {
        while (*text == ' ')
            text++;
        char *end;
        long value = strtol(text, &end, 0);
        if (end == text || *text == '\n')
            break;
        out[n++] = value;
        text = end;
    }
    return n;
}

// One value of an export: its width in bytes, 0 at the end of the line.
static size_t parse_value(const char *type, const char **text, uint8_t out[8])
{
    while (**text == ' ')
        (*text)++;
    if (**text == '\n' || !**text)
        return 0;
    char *end;
    uint64_t u = 0;
    float f = 0;
    size_t width = strcmp(type, "hex") == 0 ? 1 : strcmp(type, "u64") == 0 ? 8 : 4;
    if (width == 1)
        u = strtoull(*text, &end, 16);
    else if (strcmp(type, "f32") == 0)
        f = strtof(*text, &end);
    else if (strcmp(type, "i32") == 0)
        u = (uint64_t)strtoll(*text, &end, 0);
    else
        u = strtoull(*text, &end, 0);
    if (end == *text)
        return 0;
    *text = end;
    memcpy(out, &u, 8);
    if (strcmp(type, "f32") == 0)
        memcpy(out, &f, 4);
    return width;
}

static bool same_value(const char *type, const uint8_t *a, const uint8_t *b, size_t n)
{
    float x, y;
    if (strcmp(type, "f32") != 0)
        return memcmp(a, b, n) == 0;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    return fabsf(x - y) <= 1e-5f * (1 + fabsf(y));
}

static void expect_export(struct run *run, const char *line, const char *text)
{
    char name[64], type[8];
    int used;
    if (sscanf(text, " %63s %7s%n", name, type, &used) != 2) {
        complain(run, line, "malformed");
        return;
    }
    uint32_t index = 0;
    while (index < run->payload.export_count &&
           strcmp(run->payload.exports[index].name, name) != 0)
        index++;
    struct gv_bytes bytes = { 0 };
    uint32_t format, width, height;
    struct gv_error err = GV_ERROR_INIT;
    if (index == run->payload.export_count ||
        !gv_runtime_export(run->runtime, index, &bytes, &format, &width, &height,
                           &err)) {
        complain(run, line, "no such export: %s", err.message);
        return;
    }
    text += used;
    uint8_t value[8];
    size_t at = 0, n;
    while ((n = parse_value(type, &text, value)) != 0) {
        if (at + n > bytes.size) {
            complain(run, line, "the export has %zu bytes", bytes.size);
            break;
        }
        if (!same_value(type, bytes.data + at, value, n)) {
            uint64_t got = 0;
            memcpy(&got, bytes.data + at, n);
            float f;
            memcpy(&f, bytes.data + at, n < 4 ? 0 : 4);
            if (n < 4)
                f = 0;
            complain(run, line, "byte %zu: %" PRIu64 " = 0x%" PRIx64 " = %g", at, got,
                     got, (double)f);
            break;
        }
        at += n;
    }
    if (at == 0)
        complain(run, line, "expects nothing");
    gv_bytes_finish(&bytes);
}

static void expect(struct run *run, const char *line, const char *what)
{
    long v[9] = { 0 };
    run->checks++;
    if (strncmp(what, "pixel ", 6) == 0) {
        long p[7] = { 0 };
        if (numbers(what + 6, p, 7) < 6)
            complain(run, line, "malformed");
        const long rect[9] = { p[0], p[1], 1, 1, p[2], p[3], p[4], p[5], p[6] };
        expect_rect(run, line, rect);
    } else if (strncmp(what, "rect ", 5) == 0) {
        if (numbers(what + 5, v, 9) < 8)
            complain(run, line, "malformed");
        expect_rect(run, line, v);
    } else if (strncmp(what, "count ", 6) == 0) {
        if (numbers(what + 6, v, 6) < 5)
            complain(run, line, "malformed");
        expect_count(run, line, v);
    } else if (strncmp(what, "size ", 5) == 0) {
        numbers(what + 5, v, 2);
        if (v[0] != run->picture.width || v[1] != run->picture.height)
            complain(run, line, "%ux%u", run->picture.width, run->picture.height);
    } else if (strncmp(what, "export ", 7) == 0) {
        expect_export(run, line, what + 7);
    } else {
        complain(run, line, "unknown expectation");
    }
}

static const char *find_error(const struct run *run)
{
    const char *line = strstr(run->text, "# expect error ");
    return line ? line + 15 : NULL;
}

static void judge(struct run *run, bool ok)
{
    const char *wanted = find_error(run);
    if (wanted) {
        char text[128];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(wanted, "\n"), wanted);
        run->checks++;
        if (ok || !strstr(run->error.message, text))
            complain(run, wanted, "said \"%s\"", ok ? "ok" : run->error.message);
    } else if (!ok) {
        complain(run, "", "%s: %s (offset %" PRIu64 ", command %" PRIu64 ")",
                 gv_status_name(run->error.status), run->error.message,
                 run->error.offset, run->error.command);
        return;
    }
    for (const char *line = run->text; line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, "# expect ", 9) == 0 && strncmp(line + 9, "error ", 6) != 0 &&
            strncmp(line + 9, "told ", 5) != 0)
            expect(run, line, line + 9);
    if (!run->checks)
        complain(run, "", "expects nothing");
}

static void judge_messages(struct run *run)
{
    char wanted[256];
    uint64_t count = run->runtime ? gv_runtime_validation_messages(run->runtime) : 0;
    bool expected =
        find_line(run, "# expect told ", wanted) && !getenv("GV_TEST_NO_VALIDATION");
    if (expected && !run->told)
        complain(run, "", "nobody told \"%s\"", wanted);
    if (count != expected)
        complain(run, "", "%" PRIu64 " validation messages", count);
}

static void cover(const char *text)
{
    for (int i = 0; i < GV_CALL_LIMIT; i++) {
        const char *name = gv_call_infos[i].name;
        size_t length = name ? strlen(name) : 0;
        for (const char *at = text; name && (at = strstr(at, name)) != NULL; at++)
            covered[i] = covered[i] ||
                         ((at == text || strchr(" \n", at[-1])) && at[length] == '(');
    }
}

static void check_coverage(void)
{
    for (int i = 0; i < GV_CALL_LIMIT; i++)
        if (gv_call_infos[i].name)
            CHECK_ROW(gv_call_infos[i].name, covered[i]);
}

static void run_file(const char *folder, const char *shaders, const char *name)
{
    char path[512];
    struct gv_file file;
    struct run run = { .name = name, .shaders = shaders, .error = GV_ERROR_INIT };
    struct gv_bytes payload = { 0 };
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!gv_file_open(&file, path, &run.error)) {
        complain(&run, "", "%s", run.error.message);
        return;
    }
    char *text = malloc(file.size + 1);
    if (text) {
        memcpy(text, file.data, file.size);
        text[file.size] = 0;
        run.text = text;
        cover(text);
        run.size = file.size;
        judge(&run, execute(&run, &payload));
        judge_messages(&run);
        no_device = no_device ||
                    (!run.runtime && strstr(run.error.message, "no Vulkan driver"));
    }
    gv_picture_finish(&run.picture);
    gv_runtime_destroy(run.runtime);
    gv_payload_finish(&run.payload);
    gv_bytes_finish(&payload);
    free(text);
    gv_file_close(&file);
}

// A program that is meant to lose the device runs in a process of its own: the driver's
// threads never come back from it.
static void run_child(const char *folder, const char *shaders, const char *name)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        gv_test_failures = 0; // the child's own
        run_file(folder, shaders, name);
        _exit(no_device ? TEST_SKIP : gv_test_failures != 0);
    }
    CHECK_ROW(name, child > 0 && waitpid(child, &status, 0) == child);
    CHECK_ROW(name, WIFEXITED(status) &&
                        (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == TEST_SKIP));
}

// ---- poorer devices ----

// Whether the layer is there: the loader passes over one it does not find.
static bool all_hidden(void)
{
    static const char suffix[] = "(hidden in part)";
    struct gv_device_info *devices;
    struct gv_error err = GV_ERROR_INIT;
    size_t count;
    if (!gv_runtime_devices(NULL, &devices, &count, &err))
        return false;
    bool all = count > 0;
    for (size_t i = 0; i < count; i++)
        all = all && strstr(devices[i].name, suffix);
    gv_device_infos_free(devices, count);
    return all;
}

static void hide(const char *shaders, const char *rules)
{
    char layers[512];
    snprintf(layers, sizeof layers, "%s/../../layers", shaders);
    setenv("VK_ADD_LAYER_PATH", layers, 1);
    // Validation looks at what the hiding layer leaves.
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation:VK_LAYER_GPUVM_hide", 1);
    setenv("GV_HIDE", rules, 1);
}

static void run_hidden(const char *folder, const char *shaders, const char *name,
                       const char *rules)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        gv_test_failures = 0; // the child's own
        hide(shaders, rules);
        CHECK_ROW(rules, all_hidden());
        run_file(folder, shaders, name);
        if (gv_test_failures)
            fprintf(stderr, "[%s] hide %s: FAIL\n", name, rules);
        _exit(gv_test_failures != 0);
    }
    CHECK_ROW(name, child > 0 && waitpid(child, &status, 0) == child);
    CHECK_ROW(name, WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void run_all_hidden(const char *folder, const char *shaders, const char *name)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "# hide ", 7) == 0)
            run_hidden(folder, shaders, name, line + 7);
    }
    if (file)
        fclose(file);
}

// ---- the folder ----

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t list(const char *folder, const char *filter, char *names[MAX_FILES])
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir)) && count < MAX_FILES;) {
        size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".gvt") == 0 &&
            (!filter || strstr(e->d_name, filter)))
            names[count++] = strdup(e->d_name);
    }
    if (dir)
        closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

// What may take the process with it. By name, since children are forked before there
// are threads.
static bool needs_child(const char *name)
{
    return strncmp(name, "hostile_", 8) == 0 || strncmp(name, "index_", 6) == 0 ||
           strncmp(name, "divide", 6) == 0;
}

int main(int argc, char **argv)
{
    static const char *const libraries[] = {
        "libvulkan_lvp.so",
        "libVkLayer_khronos_validation.so",
        "libVkLayer_MESA_device_select.so",
    };
    char *names[MAX_FILES];
    if (argc < 3) {
        fprintf(stderr, "usage: %s PROGRAMS SHADERS [FILTER]\n", argv[0]);
        return 2;
    }
    // Kept loaded, so that the leak checker can name frames in them.
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        dlopen(libraries[i], RTLD_NOW);
    size_t count = list(argv[1], argc > 3 ? argv[3] : NULL, names);
    CHECK(count > 0);
    for (size_t n = 0; n < 2 * count && !no_device; n++) {
        size_t i = n % count, pass = n / count;
        int before = gv_test_failures;
        // Children are forked before there are threads.
        if (pass == 0)
            run_all_hidden(argv[1], argv[2], names[i]);
        if (needs_child(names[i]) != (pass == 0))
            continue;
        if (pass == 0)
            run_child(argv[1], argv[2], names[i]);
        else
            run_file(argv[1], argv[2], names[i]);
        printf("%s %s\n", gv_test_failures == before ? "ok  " : "FAIL", names[i]);
    }
    if (argc == 3 && !no_device)
        check_coverage();
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    printf("%zu programs, %d failures\n", count, gv_test_failures);
    return no_device ? gv_test_skip("no Vulkan device") : TEST_RESULT();
}
