// The runtime's calls outside drawing, on whatever device there is, under validation.
#include "runtime/vk/context.h"
#include "runtime/vk/memory/device_memory.h"
#include "tests/runtime/runtime_fixture.h"

#define RGBA GV_FORMAT_R8G8B8A8_UNORM
#define TARGET GV_IMAGE_USAGE_COLOR_ATTACHMENT
#define SAMPLED GV_IMAGE_USAGE_SAMPLED

static bool is_pixel(const uint8_t *p, int r, int g, int b, int a)
{
    return p[0] == r && p[1] == g && p[2] == b && p[3] == a;
}

static void clear_and_present(void)
{
    uint8_t rgba[8 * 4 * 4];
    uint64_t image = make_image(RGBA, 8, 4, TARGET | SAMPLED);
    DO(image_clear_color, num(image), num(0), num(1), num(0), num(1), bits(1), bits(0),
       bits(0.5f), bits(0.2f));
    read_picture(image, 0, 0, 8, 4, 0, rgba);
    for (int i = 0; i < 32; i++)
        CHECK(is_pixel(rgba + 4 * i, 255, 0, 128, 51));
    read_picture(image, 0, 0, 8, 4, GV_PRESENT_OPAQUE, rgba);
    CHECK(is_pixel(rgba, 255, 0, 128, 255));
    DO(image_destroy, num(image));
}

static void new_objects_are_zero(void)
{
    uint8_t rgba[4 * 4 * 4], data[20];
    uint64_t image = make_image(RGBA, 4, 4, SAMPLED), buffer;
    memset(rgba, 7, sizeof(rgba));
    read_picture(image, 0, 0, 4, 4, 0, rgba);
    for (size_t i = 0; i < sizeof(rgba); i++)
        CHECK(rgba[i] == 0);
    // Fresh memory is mostly zero anyway: dirty a block, give it back, take it again.
    for (int round = 0; round < 2; round++) {
        MAKE(buffer, buffer_create, num(19), num(GV_BUFFER_USAGE_VERTEX));
        memset(data, 7, sizeof(data));
        read_buffer(buffer, 0, 19, data);
        for (int i = 0; i < 19; i++)
            CHECK(data[i] == 0);
        memset(data, 9, sizeof(data));
        DO(buffer_upload, num(buffer), num(0), bytes(data), num(19));
        DO(buffer_destroy, num(buffer));
        CHECK(gv_runtime_finish(fixture, &fixture_error));
    }
    DO(image_destroy, num(image));
}

static void buffers(void)
{
    uint64_t a, b;
    uint8_t data[64], out[64];
    for (int i = 0; i < 64; i++)
        data[i] = (uint8_t)i;
    MAKE(a, buffer_create, num(64), num(GV_BUFFER_USAGE_STORAGE));
    MAKE(b, buffer_create, num(64), num(GV_BUFFER_USAGE_VERTEX));
    DO(buffer_upload, num(a), num(0), bytes(data), num(32));
    DO(buffer_upload, num(a), num(32), bytes(data + 32), num(32));
    DO(buffer_upload, num(a), num(1), bytes("xy"), num(2));
    DO(buffer_fill, num(b), num(8), num(8), num(0x04030201));
    DO(buffer_copy, num(b), num(16), num(a), num(0), num(8));
    DO(buffer_copy, num(b), num(0), num(b), num(16), num(4));
    read_buffer(b, 0, 24, out);
    CHECK(memcmp(out, "\0xy\3\0\0\0\0\1\2\3\4\1\2\3\4\0xy\3\4\5\6\7", 24) == 0);
    read_buffer(a, 0, 64, out);
    CHECK(out[1] == 'x' && out[3] == 3 && out[33] == 33);
    REFUSE("overlap", buffer_copy, num(a), num(4), num(a), num(0), num(8));
    REFUSE("offset", buffer_upload, num(a), num(60), bytes(data), num(5));
    REFUSE("offset", buffer_upload, num(a), num(UINT64_MAX), bytes(data), num(5));
    REFUSE("multiples of 4", buffer_fill, num(a), num(2), num(4), num(0));
    REFUSE("size", buffer_create, num(0), num(0));
    REFUSE("size", buffer_create, num(UINT64_MAX - 8), num(0));
    REFUSE("buffer", buffer_fill, num(a + (1ull << 32)), num(0), num(4), num(0));
    DO(buffer_destroy, num(a));
    REFUSE("buffer", buffer_destroy, num(a));
    REFUSE("image", image_destroy, num(b));
    DO(buffer_destroy, num(b));
}

static void buffer_rows(void)
{
    uint64_t a;
    uint8_t out[64];
    MAKE(a, buffer_create, num(64), num(GV_BUFFER_USAGE_STORAGE));
    DO(buffer_upload_rows, num(a), num(1), num(2), num(16), num(3), bytes("abcdef"),
       num(6));
    DO(buffer_copy_rows, num(a), num(8), num(16), num(a), num(1), num(16), num(2),
       num(3));
    read_buffer(a, 0, 64, out);
    CHECK(memcmp(out, "\0ab\0\0\0\0\0ab", 10) == 0);
    CHECK(memcmp(out + 32, "\0ef\0\0\0\0\0ef", 10) == 0 && out[48] == 0);
    REFUSE("overlap", buffer_copy_rows, num(a), num(2), num(16), num(a), num(1),
           num(16), num(2), num(3));
    REFUSE("offset", buffer_upload_rows, num(a), num(1), num(2), num(16), num(5),
           bytes("abcdefghij"), num(10));
    REFUSE("stride", buffer_upload_rows, num(a), num(1), num(2), num(1), num(3),
           bytes("abcdef"), num(6));
    REFUSE("size", buffer_upload_rows, num(a), num(1), num(2), num(16), num(3),
           bytes("abcdef"), num(5));
    REFUSE("offset", buffer_upload_rows, num(a), num(1), num(UINT32_MAX),
           num(UINT32_MAX), num(UINT32_MAX), bytes("abcdef"), num(6));
    DO(buffer_destroy, num(a));
}

static void maps(void)
{
    uint64_t buffer, map, size = 0;
    uint8_t out[32];
    const struct gv_host *host = gv_runtime_host(fixture);
    MAKE(buffer, buffer_create, num(32), num(GV_BUFFER_USAGE_VERTEX));
    MAKE(map, buffer_map, num(buffer), num(8), num(16));
    uint8_t *shadow = host->map_memory(host->context, map, &size);
    CHECK(shadow && size == 16);
    if (!shadow)
        return;
    memset(shadow, 1, 16);
    DO(map_flush, num(map), num(4), num(4));
    memset(shadow, 2, 16);
    read_buffer(buffer, 0, 32, out);
    CHECK(out[8] == 0 && out[12] == 1 && out[15] == 1 && out[16] == 0);
    REFUSE("offset", map_flush, num(map), num(12), num(5));
    REFUSE("offset", buffer_map, num(buffer), num(20), num(16));
    DO(buffer_unmap, num(map));
    CHECK(host->map_memory(host->context, map, &size) == NULL);
    read_buffer(buffer, 0, 32, out);
    CHECK(out[7] == 0 && out[8] == 2 && out[23] == 2 && out[24] == 0);
    MAKE(map, buffer_map, num(buffer), num(0), num(32));
    DO(buffer_destroy, num(buffer));
    REFUSE("map", buffer_unmap, num(map));
    DO(map_close, num(map)); // what is left of it goes
    REFUSE("map", map_close, num(map));
}

static void uploads(void)
{
    uint8_t rgba[4 * 4 * 4], texels[6 * 3 * 4];
    uint64_t image = make_image(RGBA, 4, 4, SAMPLED);
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)i;
    // A 2x2 box out of rows of 24 bytes.
    DO(image_upload, num(image), num(GV_ASPECT_COLOR), num(0), num(0), num(1), num(1),
       num(2), num(0), num(2), num(2), num(1), num(24), num(0), bytes(texels), num(32));
    read_picture(image, 0, 0, 4, 4, GV_PRESENT_FLIP_Y, rgba);
    CHECK(is_pixel(rgba + 16 + 4, 0, 1, 2, 3)); // image row 2 is picture row 1
    CHECK(is_pixel(rgba + 8, 28, 29, 30, 31));
    CHECK(is_pixel(rgba, 0, 0, 0, 0));
    REFUSE("x: ", image_upload, num(image), num(1), num(0), num(0), num(1), num(3),
           num(2), num(0), num(2), num(2), num(1), num(0), num(0), bytes(texels),
           num(32));
    REFUSE("mips", image_upload, num(image), num(1), num(1), num(0), num(1), num(0),
           num(0), num(0), num(1), num(1), num(1), num(0), num(0), bytes(texels),
           num(32));
    REFUSE("size", image_upload, num(image), num(1), num(0), num(0), num(1), num(0),
           num(0), num(0), num(2), num(2), num(1), num(24), num(0), bytes(texels),
           num(31));
    REFUSE("aspect", image_upload, num(image), num(2), num(0), num(0), num(1), num(0),
           num(0), num(0), num(2), num(2), num(1), num(0), num(0), bytes(texels),
           num(31));
    REFUSE("row_bytes", image_upload, num(image), num(1), num(0), num(0), num(1),
           num(0), num(0), num(0), num(2), num(2), num(1), num(7), num(0),
           bytes(texels), num(32));
    DO(image_destroy, num(image));
}

static void layers_and_slices(void)
{
    uint8_t rgba[2 * 2 * 4], texels[3 * 16];
    uint64_t array, volume;
    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = (uint8_t)(100 + i);
    MAKE(array, image_create, num(GV_IMAGE_TYPE_2D), num(RGBA), num(2), num(2), num(1),
         num(2), num(3), num(1), num(SAMPLED), num(0));
    MAKE(volume, image_create, num(GV_IMAGE_TYPE_3D), num(RGBA), num(2), num(2), num(3),
         num(1), num(1), num(1), num(SAMPLED), num(0));
    DO(image_upload, num(volume), num(1), num(0), num(0), num(1), num(0), num(0),
       num(0), num(2), num(2), num(3), num(0), num(0), bytes(texels), num(48));
    // Slices become layers.
    DO(image_copy, num(array), num(1), num(0), num(1), num(0), num(0), num(0),
       num(volume), num(1), num(0), num(0), num(0), num(0), num(1), num(2), num(2),
       num(2), num(1));
    read_picture(array, 0, 2, 2, 2, 0, rgba);
    CHECK(memcmp(rgba, texels + 32, 16) == 0);
    read_picture(array, 0, 1, 2, 2, 0, rgba);
    CHECK(memcmp(rgba, texels + 16, 16) == 0);
    read_picture(array, 0, 0, 2, 2, 0, rgba);
    CHECK(rgba[0] == 0 && rgba[15] == 0);
    REFUSE("layers", image_copy, num(array), num(1), num(0), num(2), num(0), num(0),
           num(0), num(volume), num(1), num(0), num(0), num(0), num(0), num(0), num(2),
           num(2), num(2), num(1));
    DO(image_destroy, num(array));
    DO(image_destroy, num(volume));
}

static void copies_in_one_image(void)
{
    uint8_t rgba[4 * 2 * 4], texels[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    uint64_t image = make_image(RGBA, 4, 2, SAMPLED);
    DO(image_upload, num(image), num(1), num(0), num(0), num(1), num(0), num(0), num(0),
       num(2), num(1), num(1), num(0), num(0), bytes(texels), num(8));
    DO(image_copy, num(image), num(1), num(0), num(0), num(2), num(1), num(0),
       num(image), num(1), num(0), num(0), num(0), num(0), num(0), num(2), num(1),
       num(1), num(1));
    read_picture(image, 0, 0, 4, 2, 0, rgba);
    CHECK(memcmp(rgba + 24, texels, 8) == 0 && memcmp(rgba, texels, 8) == 0);
    REFUSE("overlap", image_copy, num(image), num(1), num(0), num(0), num(1), num(0),
           num(0), num(image), num(1), num(0), num(0), num(0), num(0), num(0), num(2),
           num(1), num(1), num(1));
    DO(image_destroy, num(image));
}

static void blits(void)
{
    uint8_t rgba[4 * 4 * 4];
    const uint8_t texels[16] = { 10, 0, 0, 1, 20, 0, 0, 2, 30, 0, 0, 3, 40, 0, 0, 4 };
    uint64_t src = make_image(RGBA, 2, 2, SAMPLED);
    uint64_t dst = make_image(GV_FORMAT_B8G8R8A8_UNORM, 4, 4, SAMPLED);
    uint64_t whole = make_image(GV_FORMAT_R8G8B8A8_UINT, 4, 4, SAMPLED);
    DO(image_upload, num(src), num(1), num(0), num(0), num(1), num(0), num(0), num(0),
       num(2), num(2), num(1), num(0), num(0), bytes(texels), num(16));
    // Twice as large, mirrored in x.
    DO(image_blit, num(dst), num(0), num(0), num(4), num(0), num(0), num(0), num(4),
       num(1), num(src), num(0), num(0), num(0), num(0), num(0), num(2), num(2), num(1),
       num(1), num(GV_ASPECT_COLOR), num(GV_FILTER_NEAREST));
    read_picture(dst, 0, 0, 4, 4, 0, rgba);
    CHECK(is_pixel(rgba, 20, 0, 0, 2) && is_pixel(rgba + 12, 10, 0, 0, 1));
    CHECK(is_pixel(rgba + 48, 40, 0, 0, 4) && is_pixel(rgba + 60, 30, 0, 0, 3));
    REFUSE("turn", image_blit, num(whole), num(0), num(0), num(4), num(0), num(0),
           num(0), num(4), num(1), num(src), num(0), num(0), num(0), num(0), num(0),
           num(2), num(2), num(1), num(1), num(1), num(0));
    REFUSE("src_x", image_blit, num(dst), num(0), num(0), num(4), num(0), num(0),
           num(0), num(4), num(1), num(src), num(0), num(0), num(0), num(0), num(0),
           num(3), num(2), num(1), num(1), num(1), num(0));
    REFUSE("negative", image_blit, num(dst), num(0), num(0), (union gv_arg){ .i = -1 },
           num(0), num(0), num(0), num(4), num(1), num(src), num(0), num(0), num(0),
           num(0), num(0), num(2), num(2), num(1), num(1), num(1), num(0));
    DO(image_destroy, num(src));
    DO(image_destroy, num(dst));
    DO(image_destroy, num(whole));
}

static void mipmaps(void)
{
    uint8_t rgba[4], texels[64];
    uint64_t image;
    for (int i = 0; i < 16; i++)
        memcpy(texels + 4 * i, i % 2 ? "\310\0\0\377" : "\144\0\0\377", 4);
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(RGBA), num(4), num(4), num(1),
         num(3), num(1), num(1), num(SAMPLED), num(0));
    DO(image_upload, num(image), num(1), num(0), num(0), num(1), num(0), num(0), num(0),
       num(4), num(4), num(1), num(0), num(0), bytes(texels), num(64));
    DO(image_mipmaps, num(image), num(0), num(3), num(0), num(1),
       num(GV_FILTER_LINEAR));
    read_picture(image, 2, 0, 1, 1, 0, rgba);
    CHECK(is_pixel(rgba, 150, 0, 0, 255));
    REFUSE("mips", image_mipmaps, num(image), num(1), num(3), num(0), num(1), num(1));
    REFUSE("mips", image_mipmaps, num(image), num(1), num(UINT32_MAX), num(0), num(1),
           num(1));
    DO(image_destroy, num(image));
}

static uint32_t level_side(uint32_t side, uint32_t mip)
{
    return side >> mip ? side >> mip : 1;
}

// However a device makes mips, they are those that blits from level to level make:
// sizes that halve and do not, texels that are rounded in more than eight bits.
static void mipmaps_as_blits(void)
{
    enum { WIDTH = 100, HEIGHT = 5, MIPS = 7 };
    static const uint32_t formats[] = { RGBA, GV_FORMAT_R8G8B8A8_SRGB };
    static uint8_t texels[WIDTH * HEIGHT * 4], ours[sizeof texels],
        theirs[sizeof texels];
    for (uint32_t i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)((i * 2654435761u) >> 24);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        uint64_t images[2];
        for (int i = 0; i < 2; i++) {
            MAKE(images[i], image_create, num(GV_IMAGE_TYPE_2D), num(formats[f]),
                 num(WIDTH), num(HEIGHT), num(1), num(MIPS), num(1), num(1),
                 num(SAMPLED), num(0));
            DO(image_upload, num(images[i]), num(1), num(0), num(0), num(1), num(0),
               num(0), num(0), num(WIDTH), num(HEIGHT), num(1), num(0), num(0),
               bytes(texels), num(sizeof texels));
        }
        DO(image_mipmaps, num(images[0]), num(0), num(MIPS), num(0), num(1),
           num(GV_FILTER_LINEAR));
        for (uint32_t mip = 1; mip < MIPS; mip++) {
            const uint32_t width = level_side(WIDTH, mip);
            const uint32_t height = level_side(HEIGHT, mip);
            DO(image_blit, num(images[1]), num(mip), num(0), num(0), num(0), num(0),
               num(width), num(height), num(1), num(images[1]), num(mip - 1), num(0),
               num(0), num(0), num(0), num(level_side(WIDTH, mip - 1)),
               num(level_side(HEIGHT, mip - 1)), num(1), num(1), num(GV_ASPECT_COLOR),
               num(GV_FILTER_LINEAR));
            read_picture(images[0], mip, 0, width, height, 0, ours);
            read_picture(images[1], mip, 0, width, height, 0, theirs);
            CHECK(memcmp(ours, theirs, (size_t)width * height * 4) == 0);
        }
        for (int i = 0; i < 2; i++)
            DO(image_destroy, num(images[i]));
    }
}

static void resolves(void)
{
    uint8_t rgba[16];
    uint64_t many, one = make_image(RGBA, 2, 2, TARGET);
    MAKE(many, image_create, num(GV_IMAGE_TYPE_2D), num(RGBA), num(2), num(2), num(1),
         num(1), num(1), num(4), num(TARGET), num(0));
    DO(image_clear_color, num(many), num(0), num(1), num(0), num(1), bits(1), bits(0),
       bits(1), bits(0));
    DO(image_resolve, num(one), num(0), num(0), num(0), num(0), num(many), num(0),
       num(0), num(0), num(2), num(2), num(1));
    read_picture(one, 0, 0, 2, 2, 0, rgba);
    CHECK(is_pixel(rgba + 12, 255, 0, 255, 0));
    REFUSE("multisampled", present, num(many), num(0), num(0), num(0), num(0), num(2),
           num(2), num(0));
    REFUSE("several samples", image_resolve, num(many), num(0), num(0), num(0), num(0),
           num(one), num(0), num(0), num(0), num(2), num(2), num(1));
    DO(image_destroy, num(one));
    DO(image_destroy, num(many));
}

static void depth_and_stencil(void)
{
    const uint32_t formats[] = { GV_FORMAT_D24_UNORM_S8_UINT,
                                 GV_FORMAT_D32_SFLOAT_S8_UINT };
    const uint32_t depth_bytes[] = { 4, 4 };
    uint8_t out[64], stencil[4] = { 1, 2, 3, 4 };
    uint64_t buffer;
    MAKE(buffer, buffer_create, num(64), num(GV_BUFFER_USAGE_VERTEX));
    for (int i = 0; i < 2; i++) {
        uint64_t image =
            make_image(formats[i], 2, 2, GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT);
        DO(image_clear_depth_stencil, num(image), num(GV_ASPECT_DEPTH), num(0), num(1),
           num(0), num(1), bits(1), num(0));
        DO(image_upload, num(image), num(GV_ASPECT_STENCIL), num(0), num(0), num(1),
           num(0), num(0), num(0), num(2), num(2), num(1), num(0), num(0),
           bytes(stencil), num(4));
        DO(image_to_buffer, num(buffer), num(0), num(0), num(0), num(image),
           num(GV_ASPECT_DEPTH), num(0), num(0), num(1), num(0), num(0), num(0), num(2),
           num(2), num(1));
        DO(image_to_buffer, num(buffer), num(32), num(0), num(0), num(image),
           num(GV_ASPECT_STENCIL), num(0), num(0), num(1), num(0), num(0), num(0),
           num(2), num(2), num(1));
        read_buffer(buffer, 0, 64, out);
        const uint8_t *want =
            i ? (const uint8_t *)"\0\0\x80\x3f" : (const uint8_t *)"\xff\xff\xff";
        CHECK(memcmp(out, want, i ? 4 : 3) == 0);
        CHECK(memcmp(out + 3 * depth_bytes[i], want, i ? 4 : 3) == 0);
        CHECK(memcmp(out + 32, stencil, 4) == 0);
        REFUSE("one at a time", image_to_buffer, num(buffer), num(0), num(0), num(0),
               num(image), num(6), num(0), num(0), num(1), num(0), num(0), num(0),
               num(2), num(2), num(1));
        REFUSE("0..1", image_clear_depth_stencil, num(image), num(GV_ASPECT_DEPTH),
               num(0), num(1), num(0), num(1), bits(2), num(0));
        DO(image_destroy, num(image));
    }
    DO(buffer_destroy, num(buffer));
}

static void compressed(void)
{
    // BC1: one block of solid red (565 0xf800 twice, all indices 0).
    const uint8_t block[8] = { 0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0 };
    uint8_t out[32];
    uint64_t image, buffer;
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D),
         num(GV_FORMAT_BC1_RGBA_UNORM_BLOCK), num(6), num(6), num(1), num(2), num(1),
         num(1), num(SAMPLED), num(0));
    MAKE(buffer, buffer_create, num(32), num(GV_BUFFER_USAGE_VERTEX));
    DO(image_upload, num(image), num(1), num(0), num(0), num(1), num(4), num(4), num(0),
       num(2), num(2), num(1), num(0), num(0), bytes(block), num(8));
    DO(image_to_buffer, num(buffer), num(0), num(0), num(0), num(image), num(1), num(0),
       num(0), num(1), num(0), num(0), num(0), num(6), num(6), num(1));
    read_buffer(buffer, 0, 32, out);
    CHECK(memcmp(out + 24, block, 8) == 0 && out[0] == 0 && out[1] == 0);
    REFUSE("x: ", image_upload, num(image), num(1), num(0), num(0), num(1), num(2),
           num(4), num(0), num(2), num(2), num(1), num(0), num(0), bytes(block),
           num(8));
    REFUSE("BC1", present, num(image), num(0), num(0), num(0), num(0), num(4), num(4),
           num(0));
    DO(buffer_to_image, num(image), num(1), num(1), num(0), num(1), num(0), num(0),
       num(0), num(3), num(3), num(1), num(buffer), num(24), num(0), num(0));
    DO(image_destroy, num(image));
    DO(buffer_destroy, num(buffer));
}

static void posts(void)
{
    const bool wanted[3] = { false, true, true };
    struct gv_bytes out = { 0 };
    uint32_t format, width, height;
    uint64_t buffer, image = make_image(RGBA, 2, 1, TARGET);
    MAKE(buffer, buffer_create, num(8), num(GV_BUFFER_USAGE_VERTEX));
    gv_runtime_want_exports(fixture, wanted, 3);
    DO(buffer_upload, num(buffer), num(0), bytes("abcdefgh"), num(8));
    DO(post_buffer, num(1), num(buffer), num(0), num(4), num(1));
    DO(buffer_upload, num(buffer), num(0), bytes("ABCDEFGH"), num(8));
    DO(post_buffer, num(1), num(buffer), num(0), num(4), num(1));
    DO(post_buffer, num(0), num(buffer), num(0), num(4), num(1));
    DO(post_buffer, num(4000000000u), num(buffer), num(0), num(4), num(1));
    DO(image_clear_color, num(image), num(0), num(1), num(0), num(1), bits(1), bits(0),
       bits(1), bits(0));
    DO(post_image, num(2), num(image), num(1), num(0), num(0));
    CHECK(
        gv_runtime_export(fixture, 1, &out, &format, &width, &height, &fixture_error));
    CHECK(out.size == 8 && memcmp(out.data, "abcdABCD", 8) == 0);
    gv_bytes_finish(&out);
    CHECK(
        gv_runtime_export(fixture, 2, &out, &format, &width, &height, &fixture_error));
    CHECK(out.size == 8 && format == RGBA && width == 2 && height == 1);
    CHECK(out.size == 8 && memcmp(out.data, "\377\0\377\0", 4) == 0);
    gv_bytes_finish(&out);
    gv_error_clear(&fixture_error);
    CHECK(
        !gv_runtime_export(fixture, 0, &out, &format, &width, &height, &fixture_error));
    CHECK(fixture_error.status == GV_ERR_FORMAT);
    DO(image_destroy, num(image));
    DO(buffer_destroy, num(buffer));
}

// What exports hold counts against the limit, twice: it is kept and handed out. Only
// what they hold now: a post that replaces another frees its bytes.
static void posts_within_limit(void)
{
    const bool wanted[1] = { true };
    struct gv_bytes out = { 0 };
    uint32_t format, width, height;
    uint64_t buffer, limit = fixture->heaps->limit;
    CHECK(gv_runtime_reset(fixture, &fixture_error)); // nothing is held
    MAKE(buffer, buffer_create, num(8), num(GV_BUFFER_USAGE_VERTEX));
    gv_runtime_want_exports(fixture, wanted, 1);
    DO(buffer_upload, num(buffer), num(0), bytes("abcdefgh"), num(8));
    for (int i = 0; i < 3; i++)
        DO(post_buffer, num(0), num(buffer), num(0), num(8), num(i > 0));
    fixture->heaps->limit = fixture->heaps->allocated + fixture->heaps->charged + 40;
    gv_error_clear(&fixture_error);
    CHECK(
        !gv_runtime_export(fixture, 0, &out, &format, &width, &height, &fixture_error));
    CHECK(fixture_error.status == GV_ERR_LIMIT && out.size == 0);
    fixture->heaps->limit = fixture->heaps->allocated + fixture->heaps->charged + 48;
    CHECK(
        gv_runtime_export(fixture, 0, &out, &format, &width, &height, &fixture_error));
    CHECK(out.size == 24);
    gv_bytes_finish(&out);
    fixture->heaps->limit = limit;
    for (int i = 0; i < 3; i++) {
        DO(post_buffer, num(0), num(buffer), num(0), num(8), num(0));
        fixture->heaps->limit =
            fixture->heaps->allocated + fixture->heaps->charged + 16;
        CHECK(gv_runtime_export(fixture, 0, &out, &format, &width, &height,
                                &fixture_error));
        CHECK(out.size == 8);
        gv_bytes_finish(&out);
        fixture->heaps->limit = limit;
    }
    DO(buffer_destroy, num(buffer));
}

static void hostile_images(void)
{
    static const struct {
        const char *says;
        uint32_t type, format, width, height, depth, mips, layers, samples, usage,
            flags;
    } rows[] = {
        { "may be 0", 1, RGBA, 0, 1, 1, 1, 1, 1, SAMPLED, 0 },
        { "size", 1, RGBA, 1u << 31, 1, 1, 1, 1, 1, SAMPLED, 0 },
        { "height 1", 0, RGBA, 4, 4, 1, 1, 1, 1, SAMPLED, 0 },
        { "depth", 1, RGBA, 4, 4, 4, 1, 1, 1, SAMPLED, 0 },
        { "mips", 1, RGBA, 4, 4, 1, 4, 1, 1, SAMPLED, 0 },
        { "mips", 1, RGBA, 4, 4, 1, UINT32_MAX, UINT32_MAX, 1, SAMPLED, 0 },
        { "layers", 1, RGBA, 4, 4, 1, 1, 0, 1, SAMPLED, 0 },
        { "layers", 1, RGBA, 4, 4, 1, 1, UINT32_MAX, 1, SAMPLED, 0 },
        { "layers", 2, RGBA, 4, 4, 4, 1, 2, 1, SAMPLED, 0 },
        { "samples", 1, RGBA, 4, 4, 1, 1, 1, 3, SAMPLED, 0 },
        { "samples", 1, RGBA, 4, 4, 1, 1, 1, 64, TARGET, 0 },
        { "samples", 1, RGBA, 4, 4, 1, 2, 1, 4, TARGET, 0 },
        { "cube", 1, RGBA, 4, 4, 1, 1, 5, 1, SAMPLED, GV_IMAGE_FLAG_CUBE_COMPATIBLE },
        { "usage", 1, RGBA, 4, 4, 1, 1, 1, 1, GV_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT,
          0 },
        { "usage", 1, GV_FORMAT_D16_UNORM, 4, 4, 1, 1, 1, 1, TARGET, 0 },
        { "usage", 1, GV_FORMAT_BC1_RGBA_UNORM_BLOCK, 4, 4, 1, 1, 1, 1, TARGET,
          GV_IMAGE_FLAG_MUTABLE_FORMAT },
        { "format", 1, 999999, 4, 4, 1, 1, 1, 1, SAMPLED, 0 },
        { "", 1, GV_FORMAT_R8G8B8_UNORM, 4, 4, 1, 1, 1, 1, TARGET, 0 },
        { "", 1, RGBA, 16384, 16384, 1, 1, 64, 1, SAMPLED, 0 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        REFUSE(rows[i].says, image_create, num(rows[i].type), num(rows[i].format),
               num(rows[i].width), num(rows[i].height), num(rows[i].depth),
               num(rows[i].mips), num(rows[i].layers), num(rows[i].samples),
               num(rows[i].usage), num(rows[i].flags));
}

// More staging than one submission may hold, and objects that die while in use.
static void long_frames(void)
{
    enum { SIZE = 1 << 20 };
    uint8_t *data = calloc(1, SIZE), out[4];
    uint64_t buffer;
    for (int i = 0; i < 80; i++) {
        MAKE(buffer, buffer_create, num(SIZE), num(GV_BUFFER_USAGE_VERTEX));
        data[0] = (uint8_t)i;
        DO(buffer_upload, num(buffer), num(0), bytes(data), num(SIZE));
        if (i < 79)
            DO(buffer_destroy, num(buffer));
    }
    read_buffer(buffer, 0, 4, out);
    CHECK(out[0] == 79);
    DO(buffer_destroy, num(buffer));
    free(data);
    struct gv_runtime_stats stats;
    gv_runtime_get_stats(fixture, &stats);
    CHECK(stats.submissions >= 2 && stats.uploads >= 80);
    CHECK(stats.peak_allocated_bytes < (uint64_t)400 << 20);
}

static void reset(void)
{
    uint8_t rgba[4];
    uint64_t image = make_image(RGBA, 1, 1, TARGET);
    DO(image_clear_color, num(image), num(0), num(1), num(0), num(1), bits(1), bits(1),
       bits(1), bits(1));
    CHECK(gv_runtime_reset(fixture, &fixture_error));
    REFUSE("image", image_destroy, num(image));
    image = make_image(RGBA, 1, 1, TARGET);
    read_picture(image, 0, 0, 1, 1, 0, rgba);
    CHECK(is_pixel(rgba, 0, 0, 0, 0));
}

static uint64_t uploads_so_far(void)
{
    struct gv_runtime_stats stats;
    gv_runtime_get_stats(fixture, &stats);
    return stats.uploads;
}

// An image of two mips, of which the first gets texels that are all `value`.
static uint64_t filled(uint8_t value)
{
    uint8_t texels[64];
    uint64_t image;
    memset(texels, value, sizeof texels);
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(RGBA), num(4), num(4), num(1),
         num(2), num(1), num(1), num(SAMPLED), num(0));
    DO(image_upload, num(image), num(1), num(0), num(0), num(1), num(0), num(0), num(0),
       num(4), num(4), num(1), num(0), num(0), bytes(texels), num(64));
    return image;
}

static void check_mip(uint64_t image, uint32_t mip, uint8_t value)
{
    uint8_t rgba[64];
    const uint32_t side = 4u >> mip;
    read_picture(image, mip, 0, side, side, 0, rgba);
    CHECK(is_pixel(rgba, value, value, value, value));
    CHECK(is_pixel(rgba + 4 * side * side - 4, value, value, value, value));
}

// A frame that a dispatch or a pass comes before: images go back to rest. Then the pass
// over the payload begins anew.
static void next_pass(void)
{
    const uint64_t target = make_image(RGBA, 1, 1, TARGET);
    DO(pass_color, num(0), num(target), num(0), num(0), num(0), num(1),
       num(GV_LOAD_OP_CLEAR), num(GV_STORE_OP_STORE), bits(0), bits(0), bits(0),
       bits(0));
    DO(pass_begin, num(1), num(1), num(1));
    DO(pass_end, num(0));
    DO(frame_end, num(0));
    CHECK(gv_runtime_reset(fixture, &fixture_error));
}

// Images of a pass are kept for the next with what uploads have left there, and an
// upload of the same is left out; whatever else was done to them is not seen.
static void kept_images(void)
{
    uint64_t image, before;
    for (int i = 0; i < 3; i++) {
        check_mip(filled(7), 0, 7);
        next_pass();
    }
    before = uploads_so_far();
    image = filled(7);
    CHECK(uploads_so_far() == before);
    check_mip(image, 0, 7);
    check_mip(image, 1, 0);
    next_pass();
    // Nothing uploaded: zeros, and then the texels again.
    MAKE(image, image_create, num(GV_IMAGE_TYPE_2D), num(RGBA), num(4), num(4), num(1),
         num(2), num(1), num(1), num(SAMPLED), num(0));
    check_mip(image, 0, 0);
    next_pass();
    check_mip(filled(7), 0, 7);
    next_pass();
    check_mip(filled(8), 0, 8);
    next_pass();
    // Two of one description, and one that is written otherwise before and after.
    image = filled(8);
    check_mip(filled(9), 0, 9);
    check_mip(image, 0, 8);
    DO(image_clear_color, num(image), num(0), num(2), num(0), num(1), bits(1), bits(1),
       bits(1), bits(1));
    check_mip(image, 0, 255);
    next_pass();
    image = filled(8);
    check_mip(image, 0, 8);
    check_mip(image, 1, 0);
    DO(image_clear_color, num(image), num(0), num(1), num(0), num(1), bits(1), bits(1),
       bits(1), bits(1));
    next_pass();
    check_mip(filled(8), 0, 8);
    CHECK(gv_runtime_reset(fixture, &fixture_error));
}

static void devices(void)
{
    struct gv_requirement needs[] = {
        { GV_REQUIRE_FEATURE, GV_NEEDED, "geometryShader", 0, "" },
        { GV_REQUIRE_FEATURE, GV_NEEDED, "noSuchFeature", 0, "" },
        { GV_REQUIRE_EXTENSION, GV_NEEDED, "VK_EXT_no_such", 0, "" },
        { GV_REQUIRE_LIMIT, GV_NEEDED, "maxImageDimension2D", 1u << 30, "" },
        { GV_REQUIRE_LIMIT, GV_NEEDED, "maxImageDimension2D", 1024, "" },
        { GV_REQUIRE_LIMIT, GV_NEEDED, "maxComputeWorkGroupCount[0]", 1, "" },
        { GV_REQUIRE_LIMIT, GV_NEEDED, "subgroupSupportedOperations", 1, "" }, // basic
        { GV_REQUIRE_LIMIT, GV_NEEDED, "subgroupSupportedOperations", 1u << 30, "" },
        { GV_REQUIRE_LIMIT, GV_NEEDED, "maxSubgroupSize", 128, "" }, // at most
        { GV_REQUIRE_LIMIT, GV_NEEDED, "maxSubgroupSize", 0, "" },
        { GV_REQUIRE_FORMAT, GV_NEEDED, "R8G8B8A8_UNORM", 1, "" },
        { GV_REQUIRE_FORMAT, GV_NEEDED, "NO_SUCH_FORMAT", 1, "" },
        { GV_REQUIRE_MEMORY, GV_NEEDED, "", (uint64_t)1 << 60, "" },
        { GV_REQUIRE_FEATURE, GV_PREFERRED, "preferredOnly", 0, "does without" },
        { GV_REQUIRE_FEATURE, GV_ALTERNATIVE, "robustBufferAccess", 0, "never" },
        { GV_REQUIRE_FEATURE, GV_ALTERNATIVE, "otherWay", 0, "draws twice" },
    };
    const struct gv_payload payload = {
        .requirements = needs,
        .requirement_count = sizeof(needs) / sizeof(needs[0]),
    };
    struct gv_device_info *list;
    size_t count;
    struct gv_error err = GV_ERROR_INIT;
    CHECK(gv_runtime_devices(&payload, &list, &count, &err) && count > 0);
    for (size_t i = 0; i < count; i++) {
        CHECK(strstr(list[i].missing, "feature noSuchFeature\n"));
        CHECK(strstr(list[i].missing, "extension VK_EXT_no_such\n"));
        CHECK(strstr(list[i].missing, "limit maxImageDimension2D 1073741824\n"));
        CHECK(strstr(list[i].missing, "format NO_SUCH_FORMAT"));
        CHECK(strstr(list[i].missing, "bytes of device memory"));
        CHECK(!strstr(list[i].missing, "R8G8B8A8") && !strstr(list[i].missing, "1024"));
        CHECK(!strstr(list[i].missing, "WorkGroup"));
        CHECK(
            strstr(list[i].missing, "limit subgroupSupportedOperations 1073741824\n"));
        CHECK(!strstr(list[i].missing, "limit subgroupSupportedOperations 1\n"));
        CHECK(strstr(list[i].missing, "limit maxSubgroupSize 0\n"));
        CHECK(!strstr(list[i].missing, "limit maxSubgroupSize 128"));
        CHECK(!strstr(list[i].missing, "preferredOnly") && list[i].name[0]);
        CHECK(!strstr(list[i].missing, "otherWay") && list[i].fallback_count == 2);
        const struct gv_device_fallback *missed = list[i].fallbacks;
        CHECK(strcmp(missed[0].strength, "preferred") == 0);
        CHECK(strcmp(missed[0].missed, "feature preferredOnly") == 0);
        CHECK(strcmp(missed[0].fallback, "does without") == 0);
        CHECK(strcmp(missed[1].strength, "alternative") == 0);
        CHECK(strcmp(missed[1].missed, "feature otherWay") == 0);
    }
    gv_device_infos_free(list, count);
    const struct gv_runtime_params params = { .payload = &payload };
    CHECK(!gv_runtime_create(&params, &err));
    CHECK(err.status == GV_ERR_DEVICE && strstr(err.message, "noSuchFeature"));
}

int main(void)
{
    if (!fixture_open())
        return gv_test_skip("no Vulkan device");
    static const struct fixture_case cases[] = {
        { "clear_and_present", clear_and_present },
        { "new_objects_are_zero", new_objects_are_zero },
        { "buffers", buffers },
        { "buffer_rows", buffer_rows },
        { "maps", maps },
        { "uploads", uploads },
        { "layers_and_slices", layers_and_slices },
        { "copies_in_one_image", copies_in_one_image },
        { "blits", blits },
        { "mipmaps", mipmaps },
        { "mipmaps_as_blits", mipmaps_as_blits },
        { "resolves", resolves },
        { "depth_and_stencil", depth_and_stencil },
        { "compressed", compressed },
        { "posts", posts },
        { "posts_within_limit", posts_within_limit },
        { "hostile_images", hostile_images },
        { "long_frames", long_frames },
        { "reset", reset },
        { "kept_images", kept_images },
    };
    fixture_run(cases, sizeof(cases) / sizeof(cases[0]));
    fixture_close();
    devices();
    return TEST_RESULT();
}
