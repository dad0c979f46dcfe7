#include "tests/gl_random/gl_random.h"

#include "compiler/gl/base/gl_enums.h"

bool random_layered(const struct random_texture *t)
{
    return t->target == GL_TEXTURE_3D || t->target == GL_TEXTURE_2D_ARRAY ||
           t->target == GL_TEXTURE_1D_ARRAY;
}

static bool flat(const struct random_texture *t)
{
    return t->target == GL_TEXTURE_2D || t->target == GL_TEXTURE_RECTANGLE ||
           t->target == GL_TEXTURE_CUBE_MAP || t->target == GL_TEXTURE_1D_ARRAY;
}

static int faces(const struct random_texture *t)
{
    return t->target == GL_TEXTURE_CUBE_MAP ? 6 : 1;
}

static int face_target(const struct random_texture *t, int face)
{
    return t->target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face
                                            : t->target;
}

static int at_level(int size, int level)
{
    return size >> level > 0 ? size >> level : 1;
}

static int height_at(const struct random_texture *t, int level)
{
    return t->target == GL_TEXTURE_1D_ARRAY ? t->height : at_level(t->height, level);
}

static int depth_at(const struct random_texture *t, int level)
{
    return t->target == GL_TEXTURE_3D ? at_level(t->depth, level) : t->depth;
}

static struct random_texture *any(struct gl_random *r)
{
    return r->texture_count ? &r->textures[random_below(r, r->texture_count)] : NULL;
}

// ---- texels ----

static void put_level(struct gl_random *r, const struct random_texture *t, int level,
                      int face, bool filled)
{
    static uint8_t bytes[RANDOM_MOST_BYTES];
    const struct random_format *f = t->format;
    const int w = at_level(t->width, level), h = height_at(t, level),
              d = depth_at(t, level), target = face_target(t, face);
    const unsigned size = filled ? random_image(r, f, w, h, d, bytes) : 0;
#define TEXELS filled ? "b" : "n"
    if (t->target == GL_TEXTURE_1D)
        CALL("glTexImage1D", filled ? "iiiiiiib" : "iiiiiiin", target, level,
             f->internal, w, 0, f->format, f->type, size, bytes);
    else if (flat(t))
        CALL("glTexImage2D", filled ? "iiiiiiiib" : "iiiiiiiin", target, level,
             f->internal, w, h, 0, f->format, f->type, size, bytes);
    else
        CALL("glTexImage3D", filled ? "iiiiiiiiib" : "iiiiiiiiin", target, level,
             f->internal, w, h, d, 0, f->format, f->type, size, bytes);
#undef TEXELS
}

static void put_part(struct gl_random *r, const struct random_texture *t, int level,
                     int face, bool whole)
{
    static uint8_t bytes[RANDOM_MOST_BYTES];
    const struct random_format *f = t->format;
    int w = at_level(t->width, level), h = height_at(t, level), d = depth_at(t, level);
    int x = 0, y = 0, z = 0;
    if (!whole) {
        x = random_between(r, 0, w - 1), w = random_between(r, 1, w - x);
        y = random_between(r, 0, h - 1), h = random_between(r, 1, h - y);
        z = random_between(r, 0, d - 1), d = random_between(r, 1, d - z);
    }
    const int target = face_target(t, face);
    const unsigned size = random_image(r, f, w, h, d, bytes);
    if (t->target == GL_TEXTURE_1D)
        CALL("glTexSubImage1D", "iiiiiib", target, level, x, w, f->format, f->type,
             size, bytes);
    else if (flat(t))
        CALL("glTexSubImage2D", "iiiiiiiib", target, level, x, y, w, h, f->format,
             f->type, size, bytes);
    else
        CALL("glTexSubImage3D", "iiiiiiiiiib", target, level, x, y, z, w, h, d,
             f->format, f->type, size, bytes);
}

static void storage(struct gl_random *r, const struct random_texture *t)
{
    if (t->target == GL_TEXTURE_1D)
        CALL("glTexStorage1D", "iiii", t->target, t->levels, t->format->internal,
             t->width);
    else if (flat(t))
        CALL("glTexStorage2D", "iiiii", t->target, t->levels, t->format->internal,
             t->width, t->height);
    else
        CALL("glTexStorage3D", "iiiiii", t->target, t->levels, t->format->internal,
             t->width, t->height, t->depth);
}

void random_allocate(struct gl_random *r, struct random_texture *t, bool filled)
{
    if (t->fixed)
        storage(r, t);
    for (int level = 0; level < t->levels; level++)
        for (int face = 0; face < faces(t); face++) {
            if (!t->fixed)
                put_level(r, t, level, face, filled);
            else if (filled)
                put_part(r, t, level, face, true);
        }
}

// ---- parameters ----

static void parameter(struct gl_random *r, const struct random_texture *t, int name,
                      int value)
{
    CALL("glTexParameteri", "iii", t->target, name, value);
}

static int wrap(struct gl_random *r, const struct random_texture *t)
{
    if (t->target == GL_TEXTURE_RECTANGLE)
        return GL_CLAMP_TO_EDGE;
    if (!random_has(r, RANDOM_GL))
        return PICK(GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT);
    return random_has(r, RANDOM_OLD)
               ? PICK(GL_REPEAT, GL_CLAMP, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT,
                      GL_CLAMP_TO_BORDER, GL_MIRROR_CLAMP_TO_EDGE)
               : PICK(GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT,
                      GL_CLAMP_TO_BORDER, GL_MIRROR_CLAMP_TO_EDGE);
}

static void filters(struct gl_random *r, const struct random_texture *t)
{
    const bool smooth = t->format->filtered && random_chance(r, 60);
    int min = smooth ? GL_LINEAR : GL_NEAREST;
    // Mesa takes integers from the nearest level whatever the filter is.
    const bool integers =
        t->format->kind == RANDOM_INT || t->format->kind == RANDOM_UINT;
    if (t->levels > 1 && (random_chance(r, 80) || (integers && !r->wild)))
        min = smooth ? PICK(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR_MIPMAP_NEAREST,
                            GL_NEAREST_MIPMAP_LINEAR)
                     : GL_NEAREST_MIPMAP_NEAREST;
    parameter(r, t, GL_TEXTURE_MIN_FILTER, min);
    parameter(r, t, GL_TEXTURE_MAG_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
    if (random_has(r, RANDOM_3) && t->target != GL_TEXTURE_RECTANGLE)
        parameter(r, t, GL_TEXTURE_MAX_LEVEL, t->levels - 1);
}

static void swizzle(struct gl_random *r, const struct random_texture *t)
{
    for (int i = 0; i < 4; i++)
        parameter(r, t, GL_TEXTURE_SWIZZLE_R + i,
                  PICK(GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ONE, GL_ZERO));
}

static void parameters(struct gl_random *r, struct random_texture *t)
{
    filters(r, t);
    parameter(r, t, GL_TEXTURE_WRAP_S, wrap(r, t));
    parameter(r, t, GL_TEXTURE_WRAP_T, wrap(r, t));
    if (random_has(r, RANDOM_3))
        parameter(r, t, GL_TEXTURE_WRAP_R, wrap(r, t));
    if (random_has(r, RANDOM_GL) && random_chance(r, 40)) {
        const float color[] = { (float)random_real(r, 0, 1),
                                (float)random_real(r, 0, 1), 0.25f, 1 };
        CALL("glTexParameterfv", "iiv", t->target, GL_TEXTURE_BORDER_COLOR, 4u, color);
    }
    if (random_has(r, RANDOM_3) && random_chance(r, 15))
        swizzle(r, t);
    if (random_has(r, RANDOM_GL) && t->levels > 1 && random_chance(r, 20))
        CALL("glTexParameterf", "iif", t->target, GL_TEXTURE_LOD_BIAS,
             random_real(r, -1, 1));
    if (random_has(r, RANDOM_3) && t->levels > 1 && random_chance(r, 20)) {
        // An attachment of a level before the first is not complete.
        const int first = t->attached ? 0 : random_between(r, 0, t->levels - 1);
        t->based = first != 0;
        parameter(r, t, GL_TEXTURE_BASE_LEVEL, first);
        parameter(r, t, GL_TEXTURE_MIN_LOD, random_between(r, 0, 1));
    }
    if (t->format->kind == RANDOM_DEPTH && t->target != GL_TEXTURE_3D) {
        t->compared = random_chance(r, 30);
        parameter(r, t, GL_TEXTURE_COMPARE_MODE,
                  t->compared ? GL_COMPARE_REF_TO_TEXTURE : GL_NONE);
        parameter(r, t, GL_TEXTURE_COMPARE_FUNC,
                  PICK(GL_LEQUAL, GL_GREATER, GL_LESS, GL_GEQUAL));
    }
}

// ---- making them ----

static int choose_target(struct gl_random *r)
{
    if (r->api == RANDOM_ES2)
        return PICK(GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP);
    if (r->api == RANDOM_ES3)
        return PICK(GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP,
                    GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY);
    return PICK(GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_2D, GL_TEXTURE_2D,
                GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_1D,
                GL_TEXTURE_1D_ARRAY, GL_TEXTURE_RECTANGLE);
}

static void shape(struct gl_random *r, struct random_texture *t)
{
    const bool powers = r->api == RANDOM_ES2 || random_chance(r, 50);
    t->width = powers ? 1 << random_between(r, 2, 5) : random_between(r, 3, 40);
    t->height = powers ? 1 << random_between(r, 2, 5) : random_between(r, 3, 40);
    t->depth = 1;
    if (t->target == GL_TEXTURE_1D)
        t->height = 1;
    if (t->target == GL_TEXTURE_1D_ARRAY)
        t->height = random_between(r, 1, 6);
    if (t->target == GL_TEXTURE_CUBE_MAP)
        t->height = t->width;
    if (t->target == GL_TEXTURE_3D || t->target == GL_TEXTURE_2D_ARRAY) {
        t->depth = random_between(r, 1, 5);
        t->width = at_level(t->width, 1);
        t->height = at_level(t->height, 1);
    }
    int most = 1;
    const int longest =
        t->target == GL_TEXTURE_1D_ARRAY || t->width > t->height ? t->width : t->height;
    while (longest >> most)
        most++;
    const bool all = random_chance(r, 40) && t->target != GL_TEXTURE_RECTANGLE;
    t->levels = all ? r->api == RANDOM_ES2 ? most : random_between(r, 1, most) : 1;
}

void random_make_texture(struct gl_random *r)
{
    if (r->texture_count == RANDOM_TEXTURES)
        return;
    struct random_texture *t = &r->textures[r->texture_count++];
    *t = (struct random_texture){ .name = random_name(r), .target = choose_target(r) };
    do
        t->format = random_format(r, false);
    while (t->target == GL_TEXTURE_3D && t->format->kind >= RANDOM_DEPTH);
    shape(r, t);
    t->fixed = t->format->sized && random_chance(r, 40);
    CALL("glGenTextures", "ia", 1, 1u, &t->name);
    CALL("glBindTexture", "ii", t->target, t->name);
    random_allocate(r, t, true);
    parameters(r, t);
}

// ---- what is done to them ----

static void update(struct gl_random *r)
{
    struct random_texture *t = any(r);
    if (!t)
        return;
    CALL("glBindTexture", "ii", t->target, t->name);
    put_part(r, t, random_between(r, 0, t->levels - 1),
             random_between(r, 0, faces(t) - 1), random_chance(r, 20));
}

static void again(struct gl_random *r)
{
    struct random_texture *t = any(r);
    if (!t || t->fixed || t->attached)
        return;
    CALL("glBindTexture", "ii", t->target, t->name);
    t->format = random_format_of(r, t->format->kind, false);
    random_allocate(r, t, true);
    parameters(r, t);
}

static void set(struct gl_random *r)
{
    struct random_texture *t = any(r);
    if (!t)
        return;
    CALL("glBindTexture", "ii", t->target, t->name);
    parameters(r, t);
}

static void mips(struct gl_random *r)
{
    struct random_texture *t = any(r);
    if (!t || t->format->kind != RANDOM_FLOAT || t->levels == 1 ||
        t->target == GL_TEXTURE_RECTANGLE)
        return;
    if (r->api == RANDOM_ES3 && !(t->format->rendered && t->format->filtered))
        return;
    CALL("glBindTexture", "ii", t->target, t->name);
    CALL("glGenerateMipmap", "i", t->target);
}

// A part of what is read, into a part of a texture of the same kind.
static void copy(struct gl_random *r)
{
    struct random_texture *t = any(r);
    const struct random_target *from = &r->targets[r->read];
    const struct random_format *f = from->formats[0];
    if (!t || from->samples || !f || f->kind != t->format->kind ||
        !t->format->rendered || t->attached & 1u << r->read ||
        t->target == GL_TEXTURE_1D || t->format->internal == GL_RGB9_E5)
        return;
    if (!random_has(r, RANDOM_GL) && f->internal != t->format->internal)
        return;
    const int level = random_between(r, 0, t->levels - 1);
    const int w = at_level(t->width, level), h = height_at(t, level);
    const int x = random_between(r, 0, w - 1), y = random_between(r, 0, h - 1);
    const int cw = random_between(r, 1, w - x), ch = random_between(r, 1, h - y);
    if (cw > from->width || ch > from->height)
        return;
    const int fx = random_between(r, 0, from->width - cw),
              fy = random_between(r, 0, from->height - ch);
    CALL("glBindTexture", "ii", t->target, t->name);
    if (flat(t))
        CALL("glCopyTexSubImage2D", "iiiiiiii",
             face_target(t, random_between(r, 0, faces(t) - 1)), level, x, y, fx, fy,
             cw, ch);
    else
        CALL("glCopyTexSubImage3D", "iiiiiiiii", t->target, level, x, y,
             random_between(r, 0, depth_at(t, level) - 1), fx, fy, cw, ch);
}

static void copy_image(struct gl_random *r)
{
    const struct random_texture *a = any(r), *b = any(r);
    if (!a || !b || a == b || a->format->internal != b->format->internal ||
        !a->format->sized || a->target == GL_TEXTURE_1D || b->target == GL_TEXTURE_1D ||
        a->target == GL_TEXTURE_1D_ARRAY || b->target == GL_TEXTURE_1D_ARRAY)
        return;
    const int w = a->width < b->width ? a->width : b->width,
              h = a->height < b->height ? a->height : b->height;
    const int cw = random_between(r, 1, w), ch = random_between(r, 1, h);
    CALL("glCopyImageSubData", "iiiiiiiiiiiiiii", a->name, a->target, 0,
         random_between(r, 0, a->width - cw), random_between(r, 0, a->height - ch), 0,
         b->name, b->target, 0, random_between(r, 0, b->width - cw),
         random_between(r, 0, b->height - ch), 0, cw, ch, 1);
}

static void clear_image(struct gl_random *r)
{
    static uint8_t bytes[16];
    const struct random_texture *t = any(r);
    if (!t)
        return;
    random_texels(r, t->format->type, t->format->bytes, bytes);
    CALL("glFinish", ""); // llvmpipe clears what earlier draws are yet to read
    CALL("glClearTexImage", "iiiib", t->name, random_between(r, 0, t->levels - 1),
         t->format->format, t->format->type, (unsigned)t->format->bytes, bytes);
}

static void forget(struct gl_random *r)
{
    if (r->texture_count < 3)
        return;
    struct random_texture *t = &r->textures[r->texture_count - 1];
    if (t->attached)
        return;
    CALL("glDeleteTextures", "ia", 1, 1u, &t->name);
    r->texture_count--;
    random_make_texture(r);
}

void random_texture_deed(struct gl_random *r)
{
    static const struct random_deed deeds[] = {
        { update, 6, RANDOM_ALL },
        { again, 3, RANDOM_ALL },
        { set, 5, RANDOM_ALL },
        { mips, 5, RANDOM_ALL },
        { copy, 10, RANDOM_ALL },
        { copy_image, 4, RANDOM_GL },
        { clear_image, 3, RANDOM_GL },
        { forget, 2, RANDOM_ALL },
        { random_make_texture, 2, RANDOM_ALL },
    };
    random_do(r, deeds, COUNT(deeds));
}

struct random_texture *random_sampled(struct gl_random *r, bool fixed_function)
{
    struct random_texture *t = any(r);
    if (!t || t->attached & 1u << r->draw)
        return NULL;
    if (fixed_function &&
        (t->format->kind == RANDOM_INT || t->format->kind == RANDOM_UINT ||
         (random_layered(t) && t->target != GL_TEXTURE_3D)))
        return NULL;
    return t;
}
