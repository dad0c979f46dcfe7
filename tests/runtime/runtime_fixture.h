// A runtime under validation, and calls without a VM.
#ifndef GV_RUNTIME_FIXTURE_H
#define GV_RUNTIME_FIXTURE_H

#include "runtime/runtime.h"
#include "tests/test.h"
#include "vm/formats.h"

#include <dlfcn.h>

// The validation layer and lavapipe leak a little. Drivers and layers are kept loaded,
// so that the leak checker can still name their frames, and ours.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libVkLayer_\nleak:libvulkan_lvp\n";
}

static inline void fixture_keep_libraries(void)
{
    static const char *const names[] = {
        "libvulkan_lvp.so",
        "libVkLayer_khronos_validation.so",
        "libVkLayer_MESA_device_select.so",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        dlopen(names[i], RTLD_NOW); // never closed; where there is none, all the better
}

static struct gv_runtime *fixture;
static struct gv_error fixture_error = GV_ERROR_INIT;

static void fixture_print(void *context, enum gv_log_level level, const char *text)
{
    (void)context;
    if (level == GV_LOG_WARNING)
        fprintf(stderr, "%s\n", text);
}

static const struct gv_log fixture_log = { fixture_print, NULL };

// False where there is no device (the test is skipped then).
static inline bool fixture_open(void)
{
    const struct gv_runtime_params params = {
        .validate = !getenv("GV_TEST_NO_VALIDATION"),
        .memory_limit = (uint64_t)1 << 30,
        .timeout_ns = 60000000000u,
        .log = &fixture_log,
    };
    fixture_keep_libraries();
    fixture = gv_runtime_create(&params, &fixture_error);
    if (!fixture)
        fprintf(stderr, "no device: %s\n", fixture_error.message);
    return fixture != NULL;
}

static inline void fixture_close(void)
{
    CHECK(gv_runtime_finish(fixture, &fixture_error));
    CHECK(gv_runtime_validation_messages(fixture) == 0);
    gv_runtime_destroy(fixture);
    fixture = NULL;
}

struct fixture_case {
    const char *name;
    void (*run)(void);
};

// Runs each; says by name which failed, or made the validation layer speak.
static inline void fixture_run(const struct fixture_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int before = gv_test_failures;
        uint64_t messages = gv_runtime_validation_messages(fixture);
        cases[i].run();
        CHECK_ROW(cases[i].name, gv_test_failures == before);
        CHECK_ROW(cases[i].name, gv_runtime_validation_messages(fixture) == messages);
    }
}

static inline union gv_arg num(uint64_t u)
{
    return (union gv_arg){ .u = u };
}

static inline union gv_arg bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof(u));
    return (union gv_arg){ .u = u };
}

static inline union gv_arg bytes(const void *data)
{
    return (union gv_arg){ .data = data };
}

// One call; fixture_error tells why it failed. `result` may be NULL.
static inline bool try_call(enum gv_call call, uint64_t *result,
                            const union gv_arg *args)
{
    const struct gv_host *host = gv_runtime_host(fixture);
    uint64_t handle = 0;
    gv_error_clear(&fixture_error);
    bool ok = host->calls[call](host->context, args, &handle, &fixture_error);
    if (result)
        *result = handle;
    return ok;
}

#define ARGS(...) ((const union gv_arg[]){ __VA_ARGS__ })

// A call that must succeed.
#define DO(name, ...)                                                                  \
    do {                                                                               \
        bool ok_ = try_call(GV_CALL_##name, NULL, ARGS(__VA_ARGS__));                  \
        if (!ok_)                                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, fixture_error.message); \
        CHECK(ok_);                                                                    \
    } while (0)

// A call that must succeed with a handle.
#define MAKE(handle, name, ...)                                                        \
    do {                                                                               \
        bool ok_ = try_call(GV_CALL_##name, &(handle), ARGS(__VA_ARGS__));             \
        if (!ok_)                                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, fixture_error.message); \
        CHECK(ok_ && (handle) != 0);                                                   \
    } while (0)

// A call that must fail, its message holding `text`.
#define REFUSE(text, name, ...)                                                 \
    do {                                                                        \
        CHECK(!try_call(GV_CALL_##name, NULL, ARGS(__VA_ARGS__)));              \
        bool says_ =                                                            \
            strstr(fixture_error.message, text) != NULL &&                      \
            strncmp(fixture_error.message, #name ": ", strlen(#name) + 2) == 0; \
        if (!says_)                                                             \
            fprintf(stderr, "%s:%d: said \"%s\"\n", __FILE__, __LINE__,         \
                    fixture_error.message);                                     \
        CHECK(says_);                                                           \
    } while (0)

// A 2D image of one mip and layer.
static inline uint64_t make_image(uint32_t format, uint32_t width, uint32_t height,
                                  uint32_t usage)
{
    uint64_t image = 0;
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(format), num(width),
         num(height), num(1), num(1), num(1), num(1), num(usage), num(0));
    return image;
}

// The picture of an image's rectangle, by present and frame_end. `rgba` must hold it.
static inline void read_picture(uint64_t image, uint32_t mip, uint32_t layer,
                                uint32_t width, uint32_t height, uint32_t flags,
                                uint8_t *rgba)
{
    struct gv_picture picture = { 0 };
    DO(present, num(image), num(mip), num(layer), num(0), num(0), num(width),
       num(height), num(flags));
    DO(frame_end, num(0));
    CHECK(gv_runtime_frame_picture(fixture, &picture, &fixture_error));
    CHECK(picture.width == width && picture.height == height);
    if (picture.rgba && picture.width == width && picture.height == height)
        memcpy(rgba, picture.rgba, (size_t)width * height * 4);
    gv_picture_finish(&picture);
}

// Bytes of a buffer, through export 0.
static inline void read_buffer(uint64_t buffer, uint64_t offset, uint64_t size,
                               uint8_t *out)
{
    const bool wanted[1] = { true };
    struct gv_bytes got = { 0 };
    uint32_t format, width, height;
    gv_runtime_want_exports(fixture, wanted, 1);
    DO(post_buffer, num(0), num(buffer), num(offset), num(size), num(0));
    CHECK(
        gv_runtime_export(fixture, 0, &got, &format, &width, &height, &fixture_error));
    CHECK(got.size == size);
    if (got.size == size)
        memcpy(out, got.data, size);
    gv_bytes_finish(&got);
}

#endif
