// Devices: none, requirements, the pipeline cache file, time-outs of nothing.
#include "runtime/vk/device/pipeline_cache.h"
#include "tests/runtime/runtime_fixture.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

// In a process without drivers: the message names the variable that left none.
static int without_driver(void)
{
    const struct gv_runtime_params params = { 0 };
    struct gv_device_info *list;
    size_t count;
    setenv("VK_DRIVER_FILES", "/nonexistent.json", 1);
    setenv("VK_ICD_FILENAMES", "/nonexistent.json", 1);
    CHECK(!gv_runtime_create(&params, &fixture_error));
    CHECK(fixture_error.status == GV_ERR_DEVICE);
    bool names =
        strstr(fixture_error.message, "VK_DRIVER_FILES is /nonexistent.json") ||
        strstr(fixture_error.message, "libvulkan1");
    CHECK(names);
    gv_error_clear(&fixture_error);
    CHECK(!gv_runtime_devices(NULL, &list, &count, &fixture_error));
    CHECK(fixture_error.status == GV_ERR_DEVICE && list == NULL && count == 0);
    return TEST_RESULT();
}

static void unknown_device(void)
{
    static const char *const names[] = { "999", "no such adapter" };
    for (size_t i = 0; i < 2; i++) {
        const struct gv_runtime_params params = { .device = names[i] };
        gv_error_clear(&fixture_error);
        CHECK_ROW(names[i], !gv_runtime_create(&params, &fixture_error));
        CHECK_ROW(names[i], fixture_error.status == GV_ERR_USAGE);
        CHECK_ROW(names[i], strstr(fixture_error.message, names[i]));
    }
}

static bool open_with(const char *folder)
{
    const struct gv_runtime_params params = { .device = "0", .cache_folder = folder };
    gv_error_clear(&fixture_error);
    struct gv_runtime *rt = gv_runtime_create(&params, &fixture_error);
    gv_runtime_destroy(rt);
    return rt != NULL;
}

// The path of the only file in `folder`.
static bool only_file(const char *folder, char *path, size_t size)
{
    int count = 0;
    DIR *dir = opendir(folder);
    if (!dir)
        return false;
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        if (e->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, size, "%s/%.200s", folder, e->d_name);
    }
    closedir(dir);
    return count == 1;
}

static void cache_file(void)
{
    char folder[] = "/tmp/gv-cache-XXXXXX", path[300];
    CHECK(mkdtemp(folder) != NULL);
    CHECK(open_with(folder));
    CHECK(only_file(folder, path, sizeof(path)));
    CHECK(strlen(path) > 36 && strcmp(path + strlen(path) - 4, ".bin") == 0);
    CHECK(open_with(folder)); // reads it
    FILE *file = fopen(path, "r+b");
    CHECK(file && fseek(file, 20, SEEK_SET) == 0 && fputc(0xee, file) != EOF);
    if (file)
        fclose(file);
    CHECK(open_with(folder)); // damaged: ignored, replaced
    CHECK(truncate(path, 3) == 0 && open_with(folder));
    CHECK(remove(path) == 0 && rmdir(folder) == 0);
    CHECK(open_with("/proc/no/such/folder")); // cannot be kept: no failure
}

static void keep_loudest(void *context, enum gv_log_level level, const char *text)
{
    enum gv_log_level *loudest = context;
    (void)text;
    if (level > *loudest)
        *loudest = level;
}

static void preferred(void)
{
    // One with another way to the same pixels is told, but is no loss.
    struct gv_requirement needs[] = {
        { GV_REQUIRE_FEATURE, GV_ALTERNATIVE, "noSuchFeature", 0, "draws twice" },
        { GV_REQUIRE_FEATURE, GV_PREFERRED, "noSuchFeature", 0, "does without" },
    };
    struct gv_payload payload = { .requirements = needs };
    enum gv_log_level loudest = GV_LOG_DEBUG;
    const struct gv_log log = { keep_loudest, &loudest };
    const struct gv_runtime_params params = { .payload = &payload, .log = &log };
    for (size_t i = 0; i < 3; i++) {
        payload.requirement_count = i;
        loudest = GV_LOG_DEBUG;
        struct gv_runtime *rt = gv_runtime_create(&params, &fixture_error);
        CHECK(rt && gv_runtime_exact(rt) == (i < 2));
        CHECK(loudest == (enum gv_log_level)i);
        gv_runtime_destroy(rt);
    }
}

// Two runtimes live side by side.
static void two_runtimes(void)
{
    const struct gv_runtime_params params = { 0 };
    struct gv_runtime *a = gv_runtime_create(&params, &fixture_error);
    struct gv_runtime *b = gv_runtime_create(&params, &fixture_error);
    CHECK(a && b);
    gv_runtime_destroy(a);
    fixture = b;
    uint64_t image = make_image(GV_FORMAT_R8G8B8A8_UNORM, 1, 1, GV_IMAGE_USAGE_SAMPLED);
    uint8_t rgba[4] = { 1, 1, 1, 1 };
    read_picture(image, 0, 0, 1, 1, 0, rgba);
    CHECK(rgba[0] == 0 && rgba[3] == 0);
    gv_runtime_destroy(b);
}

static void memory_limit(void)
{
    const struct gv_runtime_params params = { .memory_limit = 16u << 20 };
    uint64_t buffer, map;
    fixture = gv_runtime_create(&params, &fixture_error);
    CHECK(fixture != NULL);
    REFUSE("pass the limit", buffer_create, num(64u << 20),
           num(GV_BUFFER_USAGE_VERTEX));
    CHECK(fixture_error.status == GV_ERR_LIMIT);
    MAKE(buffer, buffer_create, num(9u << 20), num(GV_BUFFER_USAGE_VERTEX));
    MAKE(map, buffer_map, num(buffer), num(0), num(2u << 20));
    REFUSE("pass the limit", buffer_map, num(buffer), num(0), num(2u << 20));
    REFUSE("pass the limit", image_create, num(GV_IMAGE_TYPE_2D),
           num(GV_FORMAT_R8G8B8A8_UNORM), num(4096), num(4096), num(1), num(1), num(1),
           num(1), num(GV_IMAGE_USAGE_SAMPLED), num(0));
    gv_runtime_destroy(fixture);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return without_driver();
    fixture_keep_libraries();
    if (!open_with(NULL))
        return gv_test_skip("no Vulkan device");
    unknown_device();
    cache_file();
    preferred();
    two_runtimes();
    memory_limit();
    return TEST_RESULT();
}
