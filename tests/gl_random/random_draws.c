#include "tests/gl_random/gl_random.h"

#include <math.h>
#include <string.h>

#include "compiler/gl/base/gl_enums.h"

#define MOST_VERTICES 12
#define MOST_INDICES 24

struct vertex {
    float position[4], color[4], texture[4], normal[3];
    uint8_t bytes[4]; // the color again
};

static struct vertex vertices[MOST_VERTICES];

static void fill(struct gl_random *r)
{
    const bool deep = random_chance(r, 15);
    const double depth = random_real(r, -0.9, 0.9),
                 slope = random_chance(r, 30) ? 0.1 : 0;
    for (int i = 0; i < MOST_VERTICES; i++) {
        struct vertex *v = &vertices[i];
        *v = (struct vertex){ .normal = { (float)random_real(r, -0.7, 0.7),
                                          (float)random_real(r, -0.7, 0.7), 1 } };
        const double w = deep ? random_real(r, 0.7, 1.6) : 1;
        v->position[0] = (float)random_real(r, -1.1, 1.1);
        v->position[1] = (float)random_real(r, -1.1, 1.1);
        v->position[2] = (float)(depth + random_real(r, -slope, slope));
        v->position[3] = (float)w;
        for (int c = 0; c < 4; c++) {
            v->color[c] = (float)random_real(r, 0, 1);
            v->bytes[c] = (uint8_t)random_below(r, 256);
            v->texture[c] = c == 3 ? 1 : (float)random_real(r, -0.2, 1.4);
        }
    }
}

static bool is_polygon(int mode)
{
    return mode == GL_QUADS || mode == GL_QUAD_STRIP || mode == GL_POLYGON;
}

// Polygons are convex, without which they are not defined, and stay within the clip
// volume: how they are cut into triangles shows.
static void shape(struct gl_random *r, int mode)
{
    const double turn = random_chance(r, 50) ? 1 : -1;
    double x = 0, y = 0, a = 0, b = 0;
    for (int i = 0; i < MOST_VERTICES; i++) {
        float *p = vertices[i].position;
        const double angle = 6.283 * i / MOST_VERTICES;
        if (i % 4 == 0 && mode == GL_QUADS) {
            x = random_real(r, -0.3, 0.3), y = random_real(r, -0.3, 0.3);
            a = random_real(r, 0.05, 0.5), b = random_real(r, -0.2, 0.2);
        }
        if (mode == GL_QUADS) {
            const double s = ((i + 1) & 2) - 1, t = (i & 2) - 1;
            p[0] = (float)(x + turn * a * s + b * t);
            p[1] = (float)(y - b * s + a * t);
        } else if (mode == GL_QUAD_STRIP) {
            p[0] = (float)(-0.6 + 0.1 * i);
            p[0] -= i & 1 ? 0.1F : 0;
            p[1] = (float)((i & 1 ? turn : -turn) * random_real(r, 0.05, 0.6));
        } else {
            p[0] = (float)(turn * 0.6 * cos(angle));
            p[1] = (float)(0.5 * sin(angle));
        }
        p[3] = 1;
    }
}

// Two triangles' corners over a part of the window.
static void fill_cell(float x, float y, float side)
{
    for (int i = 0; i < 4; i++) {
        struct vertex *v = &vertices[i];
        const float s = (float)(i & 1), t = (float)(i >> 1);
        *v = (struct vertex){ .position = { x + side * s, y + side * t, 0, 1 },
                              .color = { 1, 1, 1, 1 },
                              .texture = { s, t, 0.4f, 1 },
                              .normal = { 0, 0, 1 },
                              .bytes = { 255, 255, 255, 255 } };
    }
}

static int mode_of(struct gl_random *r)
{
    if (random_has(r, RANDOM_OLD) && random_chance(r, 30))
        return PICK(GL_QUADS, GL_QUAD_STRIP, GL_POLYGON);
    return PICK(GL_TRIANGLES, GL_TRIANGLES, GL_TRIANGLES, GL_TRIANGLE_STRIP,
                GL_TRIANGLE_FAN, GL_POINTS, GL_LINES, GL_LINE_STRIP, GL_LINE_LOOP);
}

// ---- where vertices come from ----

// `all`: every value of it is set.
static void one_vertex(struct gl_random *r, const struct vertex *v, bool all)
{
    const float *c = v->color, *t = v->texture, *p = v->position;
    if (all || random_chance(r, 60))
        CALL("glColor4f", "ffff", (double)c[0], (double)c[1], (double)c[2],
             (double)c[3]);
    else if (random_chance(r, 50))
        CALL("glColor4ub", "iiii", v->bytes[0], v->bytes[1], v->bytes[2], v->bytes[3]);
    CALL("glTexCoord3f", "fff", (double)t[0], (double)t[1], (double)t[2]);
    if (all || random_chance(r, 30))
        CALL("glNormal3fv", "v", 3u, v->normal);
    if (all || random_chance(r, 20))
        CALL("glMultiTexCoord2f", "iff", GL_TEXTURE1, (double)t[1], (double)t[0]);
    CALL("glVertex4f", "ffff", (double)p[0], (double)p[1], (double)p[2], (double)p[3]);
}

// Mesa loses lines of a loop within which a value is set for the first time.
static void immediate(struct gl_random *r, int mode, int count, bool all)
{
    CALL("glBegin", "i", mode);
    for (int i = 0; i < count; i++)
        one_vertex(r, &vertices[i], all && i == 0);
    CALL("glEnd", "");
}

// Mesa gives vertices of a list the first value that the list sets, where GL gives them
// the current one, and draws the rest of quads that lack vertices.
static void listed(struct gl_random *r, int mode, int count)
{
    if (mode == GL_QUADS && !r->wild)
        count = (count + 3) / 4 * 4;
    if (mode == GL_QUAD_STRIP && !r->wild)
        count += count & 1;
    const int list = random_name(r);
    CALL("glNewList", "ii", list,
         random_chance(r, 30) ? GL_COMPILE_AND_EXECUTE : GL_COMPILE);
    immediate(r, mode, count, !r->wild);
    if (random_chance(r, 30))
        CALL("glTranslatef", "fff", 0.05, 0.05, 0.0);
    CALL("glEndList", "");
    CALL("glCallList", "i", list);
    if (random_chance(r, 30))
        CALL("glCallList", "i", list);
    if (random_chance(r, 50))
        CALL("glDeleteLists", "ii", list, 1);
}

static int buffer(struct gl_random *r, int *name, int target, unsigned size,
                  const void *bytes)
{
    const bool made = *name != 0;
    if (!made) {
        *name = random_name(r);
        CALL("glGenBuffers", "ia", 1, 1u, name);
    }
    CALL("glBindBuffer", "ii", target, *name);
    if (made && random_chance(r, 40) && target == GL_ARRAY_BUFFER)
        CALL("glBufferSubData", "iiib", target, 0, (int)size, size, bytes);
    else
        CALL("glBufferData", "iibi", target, (int)size, size, bytes,
             PICK(GL_STATIC_DRAW, GL_DYNAMIC_DRAW, GL_STREAM_DRAW));
    return *name;
}

#define POINTER(name, types, ...)                                                \
    do {                                                                         \
        if (stored)                                                              \
            CALL(name, types "p", __VA_ARGS__, (uint64_t)at);                    \
        else                                                                     \
            CALL(name, types "b", __VA_ARGS__, (unsigned)(sizeof vertices - at), \
                 (const uint8_t *)vertices + at);                                \
    } while (0)

static void old_arrays(struct gl_random *r, bool stored)
{
    const int stride = sizeof *vertices;
    size_t at = offsetof(struct vertex, position);
    POINTER("glVertexPointer", "iii", random_between(r, 3, 4), GL_FLOAT, stride);
    CALL("glEnableClientState", "i", GL_VERTEX_ARRAY);
    if (random_chance(r, 50)) {
        at = offsetof(struct vertex, color);
        POINTER("glColorPointer", "iii", 4, GL_FLOAT, stride);
    } else {
        at = offsetof(struct vertex, bytes);
        POINTER("glColorPointer", "iii", 4, GL_UNSIGNED_BYTE, stride);
    }
    CALL(random_chance(r, 80) ? "glEnableClientState" : "glDisableClientState", "i",
         GL_COLOR_ARRAY);
    at = offsetof(struct vertex, texture);
    POINTER("glTexCoordPointer", "iii", random_between(r, 2, 4), GL_FLOAT, stride);
    CALL("glEnableClientState", "i", GL_TEXTURE_COORD_ARRAY);
    at = offsetof(struct vertex, normal);
    POINTER("glNormalPointer", "ii", GL_FLOAT, stride);
    CALL(random_chance(r, 50) ? "glEnableClientState" : "glDisableClientState", "i",
         GL_NORMAL_ARRAY);
}

static void new_arrays(struct gl_random *r, bool stored)
{
    const int stride = sizeof *vertices;
    size_t at = offsetof(struct vertex, position);
    POINTER("glVertexAttribPointer", "iiiii", 0, random_between(r, 3, 4), GL_FLOAT, 0,
            stride);
    if (random_chance(r, 50)) {
        at = offsetof(struct vertex, color);
        POINTER("glVertexAttribPointer", "iiiii", 1, 4, GL_FLOAT, 0, stride);
    } else {
        at = offsetof(struct vertex, bytes);
        POINTER("glVertexAttribPointer", "iiiii", 1, 4,
                PICK(GL_UNSIGNED_BYTE, GL_UNSIGNED_BYTE, GL_BYTE), 1, stride);
    }
    at = offsetof(struct vertex, texture);
    POINTER("glVertexAttribPointer", "iiiii", 2, random_between(r, 3, 4), GL_FLOAT, 0,
            stride);
    CALL("glEnableVertexAttribArray", "i", 0);
    CALL("glEnableVertexAttribArray", "i", 2);
    if (random_chance(r, 80)) {
        CALL("glEnableVertexAttribArray", "i", 1);
    } else {
        CALL("glDisableVertexAttribArray", "i", 1);
        CALL("glVertexAttrib4f", "iffff", 1, 0.25, random_real(r, 0, 1), 0.5, 1.0);
    }
}

// ---- draws of arrays ----

static void draw_arrays(struct gl_random *r, int mode, int count)
{
    const bool parts = !is_polygon(mode) || r->wild;
    const int first = count > 4 && parts ? random_between(r, 0, 2) : 0;
    const int firsts[] = { 0, 3 }, counts[] = { 3, count - 3 };
    if (random_has(r, RANDOM_GL) && count > 5 && parts && random_chance(r, 15))
        CALL("glMultiDrawArrays", "iaai", mode, 2u, firsts, 2u, counts, 2);
    else if (random_has(r, RANDOM_3) && random_chance(r, 15))
        CALL("glDrawArraysInstanced", "iiii", mode, first, count - first,
             random_between(r, 1, 3));
    else
        CALL("glDrawArrays", "iii", mode, first, count - first);
}

static unsigned fill_indices(struct gl_random *r, int type, int count, int most,
                             bool ordered, uint8_t *to)
{
    const unsigned bytes = type == GL_UNSIGNED_BYTE    ? 1
                           : type == GL_UNSIGNED_SHORT ? 2
                                                       : 4;
    for (int i = 0; i < count; i++) {
        const uint32_t index = ordered ? (unsigned)i : random_below(r, (unsigned)most);
        memcpy(to + (unsigned)i * bytes, &index, bytes);
    }
    return bytes * (unsigned)count;
}

static void draw_elements(struct gl_random *r, int mode, int count, bool stored)
{
    uint8_t indices[MOST_INDICES * 4];
    const int type = r->api == RANDOM_ES2
                         ? PICK(GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT)
                         : PICK(GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_UNSIGNED_INT);
    const bool ordered = is_polygon(mode) && !r->wild;
    const int number = ordered ? count : random_between(r, 3, MOST_INDICES);
    const int base =
        !ordered && random_has(r, RANDOM_GL) && random_chance(r, 20) ? 2 : 0;
    const unsigned size = fill_indices(r, type, number, count - base, ordered, indices);
    if (stored)
        buffer(r, &r->indices, GL_ELEMENT_ARRAY_BUFFER, size, indices);
    else
        CALL("glBindBuffer", "ii", GL_ELEMENT_ARRAY_BUFFER, 0);
#define INDICES(name, types, ...)                              \
    do {                                                       \
        if (stored)                                            \
            CALL(name, types "p", __VA_ARGS__, UINT64_C(0));   \
        else                                                   \
            CALL(name, types "b", __VA_ARGS__, size, indices); \
    } while (0)
    if (base && stored)
        CALL("glDrawElementsBaseVertex", "iiipi", mode, number, type, UINT64_C(0),
             base);
    else if (random_has(r, RANDOM_3) && random_chance(r, 20))
        INDICES("glDrawRangeElements", "iiiii", mode, 0, count - 1, number, type);
    else
        INDICES("glDrawElements", "iii", mode, number, type);
#undef INDICES
}

static void with_arrays(struct gl_random *r, int mode, int count, bool old)
{
    const bool client = random_has(r, RANDOM_OLD | RANDOM_FOR(RANDOM_ES2));
    const bool stored = !client || random_chance(r, 60);
    if (stored)
        buffer(r, &r->vertices, GL_ARRAY_BUFFER, sizeof vertices, vertices);
    else
        CALL("glBindBuffer", "ii", GL_ARRAY_BUFFER, 0);
    (old ? old_arrays : new_arrays)(r, stored);
    if (random_chance(r, 50))
        draw_arrays(r, mode, count);
    else
        draw_elements(r, mode, count, stored);
    for (int i = 0; !old && i < 3; i++)
        CALL("glDisableVertexAttribArray", "i", i);
    static const int states[] = { GL_VERTEX_ARRAY, GL_COLOR_ARRAY,
                                  GL_TEXTURE_COORD_ARRAY, GL_NORMAL_ARRAY };
    for (unsigned i = 0; old && i < COUNT(states); i++)
        CALL("glDisableClientState", "i", states[i]);
}

static void primitives(struct gl_random *r, int mode, int count, bool old)
{
    if (!old || random_chance(r, 40))
        with_arrays(r, mode, count, old);
    else if (random_chance(r, 20))
        listed(r, mode, count);
    else if (random_chance(r, 10))
        CALL("glRectf", "ffff", random_real(r, -1, 0), random_real(r, -1, 0),
             random_real(r, 0, 1), random_real(r, 0, 1));
    else
        immediate(r, mode, count, mode == GL_LINE_LOOP && !r->wild);
}

// ---- textures, programs ----

static void bind_textures(struct gl_random *r, struct random_texture *const *textures)
{
    for (int i = RANDOM_UNITS - 1; i >= 0; i--) {
        CALL("glActiveTexture", "i", GL_TEXTURE0 + i);
        if (textures[i])
            CALL("glBindTexture", "ii", textures[i]->target, textures[i]->name);
    }
}

static void use_fixed_function(struct gl_random *r,
                               struct random_texture *const *textures)
{
    static const int targets[] = { GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_3D,
                                   GL_TEXTURE_CUBE_MAP, GL_TEXTURE_RECTANGLE };
    CALL("glUseProgram", "i", 0);
    r->using = 0;
    for (int unit = RANDOM_UNITS - 1; unit >= 0; unit--) {
        CALL("glActiveTexture", "i", GL_TEXTURE0 + unit);
        for (unsigned i = 0; i < COUNT(targets); i++)
            CALL(textures[unit] && textures[unit]->target == targets[i] ? "glEnable"
                                                                        : "glDisable",
                 "i", targets[i]);
        if (textures[unit])
            CALL("glBindTexture", "ii", textures[unit]->target, textures[unit]->name);
    }
}

static bool plain(const struct random_target *t)
{
    for (int i = 0; i < t->colors; i++)
        if (t->formats[i]->kind != RANDOM_FLOAT)
            return false;
    return true;
}

// Two units that look at one texture do so by one type of sampler.
static void choose_textures(struct gl_random *r, bool fixed_function,
                            struct random_texture **textures)
{
    for (int i = 0; i < RANDOM_UNITS; i++)
        textures[i] =
            random_chance(r, i ? 25 : 70) ? random_sampled(r, fixed_function) : NULL;
}

void random_draw_deed(struct gl_random *r)
{
    struct random_texture *textures[RANDOM_UNITS];
    const bool fixed = random_has(r, RANDOM_OLD) && plain(&r->targets[r->draw]) &&
                       random_chance(r, 60);
    const bool old = random_has(r, RANDOM_OLD) && (fixed || random_chance(r, 40));
    choose_textures(r, fixed, textures);
    if (fixed) {
        use_fixed_function(r, textures);
    } else {
        bind_textures(r, textures);
        if (!random_use_program(r, textures, old))
            return;
    }
    const int mode = mode_of(r);
    fill(r);
    if (is_polygon(mode) && !r->wild)
        shape(r, mode);
    primitives(r, mode, random_between(r, 3, MOST_VERTICES), old);
}

// ---- what there is ----

static void show_texture(struct gl_random *r, struct random_texture *t)
{
    struct random_texture *textures[RANDOM_UNITS] = { t };
    const bool fixed =
        random_has(r, RANDOM_OLD) && random_chance(r, 50) &&
        t->format->kind != RANDOM_INT && t->format->kind != RANDOM_UINT &&
        t->target != GL_TEXTURE_1D_ARRAY && t->target != GL_TEXTURE_2D_ARRAY;
    if (fixed) {
        use_fixed_function(r, textures);
    } else {
        bind_textures(r, textures);
        if (!random_use_program(r, textures, false))
            return;
    }
    with_arrays(r, GL_TRIANGLE_STRIP, 4, fixed);
}

static void show_target(struct gl_random *r, unsigned i)
{
    const struct random_target *t = &r->targets[i];
    if (!t->colors || t->formats[0]->kind != RANDOM_FLOAT ||
        (t->samples && !random_has(r, RANDOM_GL)))
        return;
    const int x = 16 * (int)i, side = 15;
    random_bind_target(r, 0, i);
    if (t->samples)
        CALL("glBlitFramebuffer", "iiiiiiiiii", 0, 0, 8, 8, x, 48, x + 8, 56,
             GL_COLOR_BUFFER_BIT, GL_NEAREST);
    else
        CALL("glBlitFramebuffer", "iiiiiiiiii", 0, 0, random_untied(t->width),
             random_untied(t->height), x, 48, x + side, 48 + side, GL_COLOR_BUFFER_BIT,
             GL_NEAREST);
}

void random_show(struct gl_random *r)
{
    for (unsigned i = 1; i < r->target_count && random_has(r, RANDOM_3); i++)
        show_target(r, i);
    random_bind_target(r, 0, 0);
    for (unsigned i = 0; i < r->texture_count; i++) {
        fill_cell((float)i * 0.33f - 0.99f, -0.99f, 0.3f);
        show_texture(r, &r->textures[i]);
    }
}
