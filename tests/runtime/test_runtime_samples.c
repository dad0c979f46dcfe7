// Single samples of multisampled images, in and out, in formats of every size and kind.
#include <stdio.h>
#include <string.h>

#include "resources/base/bytes.h"
#include "tests/runtime/runtime_fixture.h"

enum { MANY = 4, WIDTH = 5, HEIGHT = 3, TEXELS = WIDTH * HEIGHT, MOST = TEXELS * 16 };

#define COLOR GV_ASPECT_COLOR
#define DEPTH GV_ASPECT_DEPTH
#define TARGET GV_IMAGE_USAGE_COLOR_ATTACHMENT
#define DEPTHS GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT

static const struct row {
    const char *name;
    uint32_t format, aspect, usage;
    size_t size;  // of a texel
    uint8_t mask; // of its last byte
} rows[] = {
    { "r8", GV_FORMAT_R8_UNORM, COLOR, TARGET, 1, 255 },
    { "rg8", GV_FORMAT_R8G8_UNORM, COLOR, TARGET, 2, 255 },
    { "rgba8", GV_FORMAT_R8G8B8A8_UNORM, COLOR, TARGET, 4, 255 },
    { "srgb", GV_FORMAT_R8G8B8A8_SRGB, COLOR, TARGET, 4, 255 },
    { "uint", GV_FORMAT_R8G8B8A8_UINT, COLOR, TARGET, 4, 255 },
    { "half", GV_FORMAT_R16G16B16A16_SFLOAT, COLOR, TARGET, 8, 255 },
    { "float", GV_FORMAT_R32G32B32A32_SFLOAT, COLOR, TARGET, 16, 255 },
    { "d16", GV_FORMAT_D16_UNORM, DEPTH, DEPTHS, 2, 255 },
    { "d24", GV_FORMAT_D24_UNORM_S8_UINT, DEPTH, DEPTHS, 4, 0 },
    { "d32", GV_FORMAT_D32_SFLOAT, DEPTH, DEPTHS, 4, 0x3e }, // below 1
};

struct samples {
    uint64_t image;
    uint8_t texels[MANY][MOST];
};

static void upload(const struct row *row, const struct samples *s, uint32_t number)
{
    DO(image_upload_sample, num(s->image), num(row->aspect), num(1), num(number),
       num(0), num(0), num(WIDTH), num(HEIGHT), bytes(s->texels[number]),
       num(TEXELS * row->size));
}

// A box of two by two at 3, 1 of one of them, of its own first texels.
static void upload_box(const struct row *row, struct samples *s, uint32_t number)
{
    uint8_t box[4 * 16];
    memcpy(box, s->texels[number], 4 * row->size);
    DO(image_upload_sample, num(s->image), num(row->aspect), num(1), num(number),
       num(3), num(1), num(2), num(2), bytes(box), num(4 * row->size));
    for (size_t y = 0; y < 2; y++)
        memcpy(s->texels[number] + ((y + 1) * WIDTH + 3) * row->size,
               box + y * 2 * row->size, 2 * row->size);
}

static void check(const struct row *row, const struct samples *s, uint32_t layer,
                  uint32_t number)
{
    const struct gv_runtime_sample sample = { row->aspect, layer, number };
    struct gv_bytes got = { 0 };
    CHECK_ROW(row->name,
              gv_runtime_sample(fixture, s->image, &sample, &got, &fixture_error));
    CHECK_ROW(row->name, got.size == TEXELS * row->size);
    size_t differ = 0;
    for (size_t i = 0; i < got.size; i++)
        differ += got.data[i] != (layer ? s->texels[number][i] : 0);
    CHECK_ROW(row->name, differ == 0);
    gv_bytes_finish(&got);
}

// Depths of 24 bits: where a device has no floats instead.
static bool is_refused(const struct row *row, uint64_t image)
{
    const struct gv_runtime_sample sample = { row->aspect, 0, 0 };
    struct gv_bytes got = { 0 };
    gv_error_clear(&fixture_error);
    bool ok = gv_runtime_sample(fixture, image, &sample, &got, &fixture_error);
    gv_bytes_finish(&got);
    if (ok)
        return false;
    CHECK_ROW(row->name, strstr(fixture_error.message, "in 24 bits") && !row->mask);
    DO(image_destroy, num(image));
    return true;
}

static void in_and_out(const struct row *row)
{
    struct samples s;
    const union gv_arg *create =
        ARGS(num(GV_IMAGE_TYPE_2D), num(row->format), num(WIDTH), num(HEIGHT), num(1),
             num(1), num(2), num(MANY), num(row->usage), num(0));
    if (!try_call(GV_CALL_image_create, &s.image, create)) {
        CHECK_ROW(row->name, fixture_error.status == GV_ERR_DEVICE);
        return;
    }
    if (is_refused(row, s.image))
        return;
    for (uint32_t n = 0; n < MANY; n++) {
        for (size_t i = 0; i < TEXELS * row->size; i++)
            s.texels[n][i] = (uint8_t)(((i + n * MOST) * 2654435761u) >> 24);
        for (size_t i = row->size - 1; i < TEXELS * row->size; i += row->size)
            s.texels[n][i] &= row->mask;
        upload(row, &s, n);
    }
    upload_box(row, &s, 2);
    for (uint32_t layer = 0; layer < 2; layer++)
        for (uint32_t n = 0; n < MANY; n++)
            check(row, &s, layer, n);
    struct gv_bytes all = { 0 };
    CHECK_ROW(row->name, gv_runtime_contents(fixture, GV_KIND_IMAGE, s.image, &all,
                                             &fixture_error));
    CHECK_ROW(row->name, all.size == 2 * MANY * TEXELS * row->size &&
                             memcmp(all.data + all.size / 2, s.texels[0],
                                    TEXELS * row->size) == 0);
    gv_bytes_finish(&all);
    DO(image_destroy, num(s.image));
}

static void all_formats(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        in_and_out(&rows[i]);
}

static const uint8_t dark[4], bright[4] = { 255, 255, 255, 255 };

static uint64_t make_many(uint32_t format, uint32_t usage)
{
    uint64_t image;
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(format), num(1), num(1),
         num(1), num(1), num(1), num(MANY), num(usage), num(0));
    return image;
}

// They are the samples that a resolve averages.
static void resolved(void)
{
    uint8_t rgba[4];
    uint64_t one = make_image(GV_FORMAT_R8G8B8A8_UNORM, 1, 1, TARGET);
    uint64_t many = make_many(GV_FORMAT_R8G8B8A8_UNORM, TARGET);
    for (uint32_t n = 0; n < MANY; n++)
        DO(image_upload_sample, num(many), num(COLOR), num(0), num(n), num(0), num(0),
           num(1), num(1), bytes(n == 1 ? bright : dark), num(4));
    DO(image_resolve, num(one), num(0), num(0), num(0), num(0), num(many), num(0),
       num(0), num(0), num(1), num(1), num(1));
    read_picture(one, 0, 0, 1, 1, 0, rgba);
    CHECK(rgba[0] >= 63 && rgba[0] <= 64 && rgba[3] == rgba[0]);
    DO(image_destroy, num(many));
    DO(image_destroy, num(one));
}

#define REFUSE_SAMPLE(text, image, aspect, layer, sample, x, size)         \
    REFUSE(text, image_upload_sample, num(image), num(aspect), num(layer), \
           num(sample), num(x), num(0), num(1), num(1), bytes(dark), num(size))

static void refused(void)
{
    uint64_t one = make_image(GV_FORMAT_R8G8B8A8_UNORM, 1, 1, TARGET);
    uint64_t many = make_many(GV_FORMAT_R8G8B8A8_UNORM, TARGET);
    uint64_t both = make_many(GV_FORMAT_D32_SFLOAT_S8_UINT, DEPTHS);
    REFUSE_SAMPLE("sample: 4 of 4", many, COLOR, 0, 4, 0, 4);
    REFUSE_SAMPLE("one sample", one, COLOR, 0, 0, 0, 4);
    REFUSE_SAMPLE("layer", many, COLOR, 1, 0, 0, 4);
    REFUSE_SAMPLE("x: ", many, COLOR, 0, 0, 1, 4);
    REFUSE_SAMPLE("size: ", many, COLOR, 0, 0, 0, 3);
    REFUSE_SAMPLE("aspect", many, DEPTH, 0, 0, 0, 4);
    REFUSE_SAMPLE("the stencil of single samples", both, GV_ASPECT_STENCIL, 0, 0, 0, 1);
    DO(image_destroy, num(both));
    DO(image_destroy, num(many));
    DO(image_destroy, num(one));
}

int main(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    static const struct fixture_case cases[] = {
        { "all_formats", all_formats },
        { "resolved", resolved },
        { "refused", refused },
    };
    fixture_run(cases, sizeof(cases) / sizeof(cases[0]));
    fixture_close();
    return TEST_RESULT();
}
