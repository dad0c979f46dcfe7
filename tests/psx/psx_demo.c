// The PlayStation demo: a little scene that uses most commands.
#include "tests/psx/psx_writer.h"

#include <stddef.h>

// Everything is in whole numbers, so that the dump is the same everywhere. Angles are
// 1/256 of a turn, sines 1/4096.
#define FRAMES 60
#define WIDTH 320
#define HEIGHT 240
#define HORIZON 132

// In VRAM: two pictures one above the other, textures to the right, palettes below.
#define BACK_Y 256
#define CRATE_X 640 // 4 bit
#define WATER_X 704 // 15 bit
#define SUN_X 768   // 8 bit
#define BALL_X 832  // 4 bit
#define CLUT_Y 500
#define CRATE_CLUT (CLUT_Y << 6)
#define BALL_CLUT(n) (CLUT_Y << 6 | (1u + (n)))
#define SUN_CLUT ((CLUT_Y + 1) << 6)

#define PAGE(x, depth, blend) \
    ((x) / 64u | (uint32_t)(blend) << 5 | (uint32_t)(depth) << 7)
#define RGB(r, g, b) ((uint32_t)(r) | (uint32_t)(g) << 8 | (uint32_t)(b) << 16)
#define CELL(r, g, b) ((uint16_t)((r) | (g) << 5 | (b) << 10))

struct point {
    int x, y, z;
};

// Bhaskara's parabola: sin is near 16 p (pi - p) / (5 pi^2 - 4 p (pi - p)).
static int sine(int angle)
{
    int a = angle & 127, p = a * (128 - a);
    int s = 4096 * 4 * p / (5 * 4096 - p);
    return angle & 128 ? -s : s;
}

static int cosine(int angle)
{
    return sine(angle + 64);
}

static uint32_t at(int x, int y)
{
    return ((uint32_t)x & 0xffff) | (uint32_t)y << 16;
}

// ---- textures ----

static void begin_upload(struct gv_psx_writer *w, int x, int y, int width, int height)
{
    gv_psx_write_gp0(w, 0xa0000000);
    gv_psx_write_gp0(w, at(x, y));
    gv_psx_write_gp0(w, at(width, height));
}

// 64 x 64 texels of `bits` bits each from `texel(u, v)`.
static void upload_texture(struct gv_psx_writer *w, int x, unsigned bits,
                           uint32_t (*texel)(int u, int v))
{
    begin_upload(w, x, 0, (int)(64 * bits / 16), 64);
    for (int v = 0; v < 64; v++)
        for (int u = 0; u < 64;) {
            uint32_t word = 0;
            for (unsigned shift = 0; shift < 32; shift += bits)
                word |= texel(u++, v) << shift;
            gv_psx_write_gp0(w, word);
        }
}

static uint32_t crate_texel(int u, int v)
{
    int edge = u < v ? u : v, far = 63 - (u > v ? u : v);
    int rim = edge < far ? edge : far, across = u - v;
    if (rim < 8) // a frame of boards with nails
        return rim == 0 || rim == 7 ? 2u
               : (u % 24 == 4 && v % 24 == 4)
                   ? 1u
                   : 9u + (uint32_t)((u * 3 + v * 5) >> 2 & 3);
    if (across > -7 && across < 7)
        return across == -6 || across == 6 ? 2u : 8u + (uint32_t)((u + v) >> 2 & 3);
    return v % 8 == 0 ? 2u : 4u + (uint32_t)((u * 7 + (v >> 3) * 11) >> 3 & 3);
}

static uint32_t water_texel(int u, int v)
{
    int wave = sine(8 * u + sine(4 * v) / 32) + sine(4 * v + sine(8 * u) / 64);
    int light = 10 + wave / 900;
    return 0x8000u | CELL(light / 3, light * 2 / 3 + 3, light / 2 + 12);
}

static int distance(int x, int y)
{
    int d = 0;
    while ((d + 1) * (d + 1) <= x * x + y * y)
        d++;
    return d;
}

static uint32_t sun_texel(int u, int v)
{
    int d = distance(2 * u - 63, 2 * v - 63) * 2;
    return d > 125 ? 0 : (uint32_t)(126 - d);
}

static uint32_t ball_texel(int u, int v)
{
    int d = distance(u % 16 * 2 - 15, v % 16 * 2 - 15);
    int shine = distance(u % 16 * 2 - 11, v % 16 * 2 - 10);
    return d > 15 ? 0 : shine > 18 ? 1u : 1u + (uint32_t)(18 - shine) * 14 / 18;
}

static void upload_palettes(struct gv_psx_writer *w)
{
    static const uint16_t crate[16] = {
        0,
        CELL(22, 22, 24),
        CELL(6, 4, 2),
        CELL(8, 5, 3),
        CELL(17, 11, 5),
        CELL(18, 12, 6),
        CELL(19, 12, 6),
        CELL(16, 10, 5),
        CELL(23, 16, 8),
        CELL(24, 17, 9),
        CELL(25, 18, 9),
        CELL(24, 16, 8),
        CELL(26, 18, 10),
        CELL(31, 31, 31),
        CELL(31, 31, 31),
        CELL(31, 31, 31),
    };
    begin_upload(w, 0, CLUT_Y, 16, 1);
    for (int i = 0; i < 16; i += 2)
        gv_psx_write_gp0(w, 0x80008000 | crate[i] | (uint32_t)crate[i + 1] << 16);
    for (unsigned n = 0; n < 3; n++) { // balls: red, green, blue, up to white
        uint32_t even = 0;
        begin_upload(w, (int)(16 * (n + 1)), CLUT_Y, 16, 1);
        for (int i = 0; i < 16; i++) {
            int high = 8 + i * 23 / 15, low = i > 7 ? (i - 7) * 31 / 8 : 0;
            uint32_t cell =
                CELL(n == 0 ? high : low, n == 1 ? high : low, n == 2 ? high : low);
            if (i % 2)
                gv_psx_write_gp0(w, even | cell << 16);
            even = i ? cell : 0; // cell 0 is see-through
        }
    }
    begin_upload(w, 0, CLUT_Y + 1, 256, 1); // the sun: a glow to be added
    for (int i = 0; i < 256; i += 2) {
        uint32_t word = 0;
        for (int k = 0; k < 2; k++) {
            int l = i + k > 126 ? 126 : i + k;
            int r = l * 31 / 90, g = l * 26 / 110, b = l > 70 ? (l - 70) * 18 / 56 : 0;
            uint32_t cell = l ? 0x8000u | CELL(r > 31 ? 31 : r, g > 28 ? 28 : g, b) : 0;
            word |= cell << 16 * k;
        }
        gv_psx_write_gp0(w, word);
    }
}

// ---- the scene ----

static void draw_sky(struct gv_psx_writer *w)
{
    static const uint32_t colors[4] = { RGB(20, 24, 80), RGB(96, 60, 120),
                                        RGB(230, 120, 70), RGB(255, 190, 110) };
    static const int rows[4] = { 0, 70, 110, HORIZON };
    for (int i = 0; i < 3; i++) {
        gv_psx_write_gp0(w, 0x38000000 | colors[i]);
        gv_psx_write_gp0(w, at(0, rows[i]));
        gv_psx_write_gp0(w, colors[i]);
        gv_psx_write_gp0(w, at(WIDTH, rows[i]));
        gv_psx_write_gp0(w, colors[i + 1]);
        gv_psx_write_gp0(w, at(0, rows[i + 1]));
        gv_psx_write_gp0(w, colors[i + 1]);
        gv_psx_write_gp0(w, at(WIDTH, rows[i + 1]));
    }
    for (int i = 0; i < 40; i++) { // stars
        gv_psx_write_gp0(w, 0x68000000 | RGB(200 - i * 2, 200 - i * 2, 220));
        gv_psx_write_gp0(w, at(i * 97 % WIDTH, i * 31 % 60));
    }
}

static void draw_sun(struct gv_psx_writer *w, int frame)
{
    int y = 62 + sine(frame * 2) / 400;
    gv_psx_write_gp0(w, 0xe1000600 | PAGE(SUN_X, 1, 1));
    gv_psx_write_gp0(w, 0x66808080);
    gv_psx_write_gp0(w, at(206, y));
    gv_psx_write_gp0(w, (uint32_t)SUN_CLUT << 16);
    gv_psx_write_gp0(w, at(64, 64));
}

static void draw_hills(struct gv_psx_writer *w)
{
    static const int peaks[] = { -40, 100, 30,  84,  90, 108, 140,
                                 92,  215, 112, 270, 88, 350, 104 };
    for (size_t i = 0; i + 3 < sizeof peaks / sizeof peaks[0]; i += 2) {
        gv_psx_write_gp0(w, 0x30000000 | RGB(60, 40, 70));
        gv_psx_write_gp0(w, at(peaks[i], peaks[i + 1]));
        gv_psx_write_gp0(w, RGB(30, 30, 50));
        gv_psx_write_gp0(w, at(peaks[i] - 70, HORIZON));
        gv_psx_write_gp0(w, RGB(90, 55, 70));
        gv_psx_write_gp0(w, at(peaks[i] + 80, HORIZON));
    }
}

// Strips of the water's texture, wider and taller as they come near.
static void draw_water(struct gv_psx_writer *w, int frame)
{
    static const int rows[] = { HORIZON, 136, 142, 150, 161, 176, 198, HEIGHT };
    gv_psx_write_gp0(w, 0xe1000600 | PAGE(WATER_X, 2, 0));
    gv_psx_write_gp0(w, 0xe2000000 | 0x18 | 0x18 << 5); // the texture repeats
    for (int i = 0; i < 7; i++) {
        int near = 48 + 208 * i / 7, step = 24 + 12 * i;
        for (int x = WIDTH / 2 - 8 * step; x < WIDTH; x += step) {
            int v = (frame + i * 24) & 127;
            uint32_t c = RGB(near, near, near),
                     d = RGB(near + 29, near + 29, near + 29);
            int slant = 12 * (x - WIDTH / 2) / step, slant2 = slant + 12;
            gv_psx_write_gp0(w, 0x3c000000 | c);
            gv_psx_write_gp0(w, at(x, rows[i]));
            gv_psx_write_gp0(w, (uint32_t)(v << 8));
            gv_psx_write_gp0(w, c);
            gv_psx_write_gp0(w, at(x + step, rows[i]));
            gv_psx_write_gp0(w, (uint32_t)(63 | v << 8) | PAGE(WATER_X, 2, 0) << 16);
            gv_psx_write_gp0(w, d);
            gv_psx_write_gp0(w, at(x + slant, rows[i + 1]));
            gv_psx_write_gp0(w, (uint32_t)((v + 24) << 8));
            gv_psx_write_gp0(w, d);
            gv_psx_write_gp0(w, at(x + step + slant2, rows[i + 1]));
            gv_psx_write_gp0(w, (uint32_t)(63 | (v + 24) << 8));
        }
    }
    gv_psx_write_gp0(w, 0xe2000000);
}

static struct point turn(struct point p, int yaw, int pitch)
{
    struct point q = { (p.x * cosine(yaw) + p.z * sine(yaw)) / 4096, p.y,
                       (p.z * cosine(yaw) - p.x * sine(yaw)) / 4096 };
    return (struct point){ q.x, (q.y * cosine(pitch) - q.z * sine(pitch)) / 4096,
                           (q.z * cosine(pitch) + q.y * sine(pitch)) / 4096 };
}

static void draw_face(struct gv_psx_writer *w, const struct point v[4], int light,
                      bool mirrored)
{
    static const uint32_t uv[4] = { 0x0000, 0x003f, 0x3f00, 0x3f3f };
    int sx[4], sy[4];
    for (int i = 0; i < 4; i++) {
        int z = v[i].z + 300;
        sx[i] = 118 + v[i].x * 260 / z;
        sy[i] = v[i].y * 260 / z;
        sy[i] = mirrored ? 236 - sy[i] : 112 + sy[i];
    }
    for (int i = 0; i < 4; i++) {
        int l = light + (mirrored ? -40 : 0) - v[i].y / 3;
        l = l < 20 ? 20 : l > 200 ? 200 : l;
        uint32_t color = RGB(l, l * 15 / 16, l * 7 / 8);
        uint32_t head = mirrored ? 0x3e000000 : 0x3c000000;
        gv_psx_write_gp0(w, i ? color : head | color);
        gv_psx_write_gp0(w, at(sx[i], sy[i]));
        gv_psx_write_gp0(w, uv[i] | (i == 0   ? (uint32_t)CRATE_CLUT << 16
                                     : i == 1 ? PAGE(CRATE_X, 0, 0) << 16
                                              : 0));
    }
}

// The crate, or what the water shows of it. Faces turned away are left out.
static void draw_crate(struct gv_psx_writer *w, int frame, bool mirrored)
{
    static const struct point corners[8] = { { -50, -50, -50 }, { 50, -50, -50 },
                                             { -50, 50, -50 },  { 50, 50, -50 },
                                             { -50, -50, 50 },  { 50, -50, 50 },
                                             { -50, 50, 50 },   { 50, 50, 50 } };
    static const uint8_t faces[6][4] = {
        { 0, 1, 2, 3 }, { 5, 4, 7, 6 }, { 4, 0, 6, 2 },
        { 1, 5, 3, 7 }, { 4, 5, 0, 1 }, { 2, 3, 6, 7 }
    };
    int yaw = frame * 256 / FRAMES, pitch = 20 + sine(frame * 256 / FRAMES) / 400;
    for (int f = 0; f < 6; f++) {
        struct point v[4], n = { 0, 0, 0 };
        for (int i = 0; i < 4; i++) {
            v[i] = turn(corners[faces[f][i]], yaw, pitch);
            n = (struct point){ n.x + v[i].x, n.y + v[i].y, n.z + v[i].z };
        }
        // Seen from (0, 0, -300): the side of the plane the eye is on.
        if (n.x / 4 * n.x / 4 + n.y / 4 * n.y / 4 + n.z / 4 * (n.z / 4 + 300) < 0)
            draw_face(w, v, 96 + n.x / 4 - n.y / 4 - n.z / 8, mirrored);
    }
}

static void draw_balls(struct gv_psx_writer *w, int frame, bool behind)
{
    gv_psx_write_gp0(w, 0xe1000600 | PAGE(BALL_X, 0, 0));
    for (int i = 0; i < 9; i++) {
        int a = frame * 256 / FRAMES + i * 28;
        int x = 112 + cosine(a) * 92 / 4096, y = 100 + sine(a) * 18 / 4096;
        if (behind != (sine(a) < 0))
            continue;
        gv_psx_write_gp0(w, i % 3 == 2 ? 0x7f808080u : 0x7c909090u);
        gv_psx_write_gp0(w, at(x, y));
        gv_psx_write_gp0(w, (uint32_t)(i % 4 * 16) | BALL_CLUT((uint32_t)i % 3) << 16);
    }
}

// Rings that spread where the crate's shadow is.
static void draw_ripples(struct gv_psx_writer *w, int frame)
{
    for (int ring = 0; ring < 3; ring++) {
        int r = (frame + ring * 20) % 60, fade = 120 - r * 2;
        gv_psx_write_gp0(w, 0xe1000600 | PAGE(0, 0, 1));
        gv_psx_write_gp0(w, 0x4a000000 | RGB(fade, fade, fade));
        for (int i = 0; i <= 32; i++)
            gv_psx_write_gp0(w, at(118 + cosine(i * 8) * (16 + r) / 4096,
                                   190 + sine(i * 8) * (16 + r) / 4096 / 4));
        gv_psx_write_gp0(w, 0x55555555);
    }
}

static void draw_frame(struct gv_psx_writer *w, int frame)
{
    int y = frame & 1 ? 0 : BACK_Y; // while the other one is shown
    gv_psx_write_gp0(w, 0xe3000000 | (uint32_t)y << 10);
    gv_psx_write_gp0(w, 0xe4000000 | (WIDTH - 1) | (uint32_t)(y + HEIGHT - 1) << 10);
    gv_psx_write_gp0(w, 0xe5000000 | (uint32_t)y << 11);
    gv_psx_write_gp0(w, 0xe1000600);
    draw_sky(w);
    draw_sun(w, frame);
    draw_hills(w);
    draw_water(w, frame);
    draw_crate(w, frame, true);
    draw_ripples(w, frame);
    draw_balls(w, frame, true);
    draw_crate(w, frame, false);
    draw_balls(w, frame, false);
    gv_psx_write_gp1(w, 0x05000000 | (uint32_t)y << 10);
    gv_psx_write_packet(w, 0x02, (const uint32_t[2]){ (uint32_t)frame * 564480, 0 }, 2);
}

void gv_psx_write_demo(struct gv_psx_writer *w)
{
    gv_psx_write_long_demo(w, FRAMES);
}

void gv_psx_write_long_demo(struct gv_psx_writer *w, int frames)
{
    gv_psx_write_header(w, false);
    gv_psx_write_packet(w, 0x06, (const uint32_t[1]){ 2 }, 1);
    gv_psx_write_text(w, 0x11, "NTSC");
    gv_psx_write_text(w, 0x12, "gpuvm's demo");
    gv_psx_write_defaults(w);
    upload_texture(w, CRATE_X, 4, crate_texel);
    upload_texture(w, WATER_X, 16, water_texel);
    upload_texture(w, SUN_X, 8, sun_texel);
    upload_texture(w, BALL_X, 4, ball_texel);
    upload_palettes(w);
    gv_psx_write_packet(w, 0x05, NULL, 0);
    for (int frame = 0; frame < frames; frame++)
        draw_frame(w, frame);
    gv_psx_write_end(w);
}
