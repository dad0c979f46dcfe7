#include "tools/verdict/flip_color.h"

#include <math.h>

// Linear sRGB to XYZ and back.
static const float to_xyz[3][3] = {
    { 0.41238656f, 0.35759149f, 0.18045049f },
    { 0.21263682f, 0.71518298f, 0.07218020f },
    { 0.01933062f, 0.11919716f, 0.95037259f },
};
static const float from_xyz[3][3] = {
    { 3.24100326f, -1.53739899f, -0.49861587f },
    { -0.96922425f, 1.87592999f, 0.04155422f },
    { 0.05563942f, -0.20401120f, 1.05714897f },
};
static const float white[3] = { 0.95042854f, 1.0f, 1.08890037f };

// Exponent of color differences; those up to KNEE of the largest span 0 to KNEE_AT.
#define EXPONENT 0.7f
#define KNEE 0.4f
#define KNEE_AT 0.95f

static void multiply(const float m[3][3], const float in[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2];
}

void gv_flip_opponent(const struct gv_flip_colors *colors, const uint8_t *rgb,
                      float opponent[3])
{
    const float linear[3] = { colors->linear[rgb[0]], colors->linear[rgb[1]],
                              colors->linear[rgb[2]] };
    float xyz[3];
    multiply(to_xyz, linear, xyz);
    const float x = xyz[0] / white[0], y = xyz[1] / white[1], z = xyz[2] / white[2];
    opponent[0] = 116 * y - 16;
    opponent[1] = 500 * (x - y);
    opponent[2] = 200 * (y - z);
}

static float compress(float t)
{
    const float delta = 6.0f / 29;
    return t > delta * delta * delta ? cbrtf(t) : t / (3 * delta * delta) + 4.0f / 29;
}

// L*a*b* of a linear color, with the Hunt effect.
static void lab_of(const float linear[3], float lab[3])
{
    float xyz[3];
    multiply(to_xyz, linear, xyz);
    const float x = compress(xyz[0] / white[0]), y = compress(xyz[1] / white[1]);
    const float z = compress(xyz[2] / white[2]);
    lab[0] = 116 * y - 16;
    lab[1] = 0.01f * lab[0] * 500 * (x - y);
    lab[2] = 0.01f * lab[0] * 200 * (y - z);
}

void gv_flip_lab(const float opponent[3], float lab[3])
{
    const float y = (opponent[0] + 16) / 116;
    const float xyz[3] = { (y + opponent[1] / 500) * white[0], y * white[1],
                           (y - opponent[2] / 200) * white[2] };
    float linear[3];
    multiply(from_xyz, xyz, linear);
    for (int i = 0; i < 3; i++)
        linear[i] = fminf(fmaxf(linear[i], 0), 1);
    lab_of(linear, lab);
}

// HyAB, to the exponent.
static float distance(const float a[3], const float b[3])
{
    return powf(fabsf(a[0] - b[0]) + hypotf(a[1] - b[1], a[2] - b[2]), EXPONENT);
}

void gv_flip_colors_init(struct gv_flip_colors *colors)
{
    for (int i = 0; i < 256; i++) {
        const double c = i / 255.0;
        colors->linear[i] =
            (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    float green[3], blue[3];
    lab_of((const float[]){ 0, 1, 0 }, green);
    lab_of((const float[]){ 0, 0, 1 }, blue);
    colors->most = distance(green, blue);
}

float gv_flip_color_difference(const struct gv_flip_colors *colors, const float a[3],
                               const float b[3])
{
    const float d = distance(a, b), knee = KNEE * colors->most;
    const float seen =
        d < knee ? KNEE_AT / knee * d
                 : KNEE_AT + (d - knee) / (colors->most - knee) * (1 - KNEE_AT);
    return fminf(seen, 1);
}
