#include "tests/gl_random/gl_random.h"

#include "compiler/gl/base/gl_enums.h"

static bool is_color(const struct random_format *f)
{
    return f && f->kind >= RANDOM_FLOAT && f->kind <= RANDOM_UINT;
}

void random_bind_target(struct gl_random *r, unsigned draw, unsigned read)
{
    const struct random_target *to = &r->targets[draw];
    if (r->api == RANDOM_ES2)
        read = draw;
    if (draw == read) {
        CALL("glBindFramebuffer", "ii", GL_FRAMEBUFFER, to->name);
    } else {
        CALL("glBindFramebuffer", "ii", GL_DRAW_FRAMEBUFFER, to->name);
        CALL("glBindFramebuffer", "ii", GL_READ_FRAMEBUFFER, r->targets[read].name);
    }
    r->draw = draw;
    r->read = read;
    CALL("glViewport", "iiii", 0, 0, to->width, to->height);
}

// ---- clears ----

static void clear_color(struct gl_random *r)
{
    CALL("glClearColor", "ffff", random_real(r, 0, 1), random_real(r, 0, 1),
         random_real(r, 0, 1), random_real(r, 0, 1));
}

static void clear_integers(struct gl_random *r, int attachment, int kind)
{
    const int values[] = { random_between(r, 0, 100), random_between(r, 0, 100),
                           random_between(r, 0, 100), 1 };
    if (kind == RANDOM_INT)
        CALL("glClearBufferiv", "iia", GL_COLOR, attachment, 4u, values);
    else
        CALL("glClearBufferuiv", "iia", GL_COLOR, attachment, 4u, values);
}

static void clear_buffer(struct gl_random *r, int attachment)
{
    const struct random_format *f = r->targets[r->draw].formats[attachment];
    const float values[] = { (float)random_real(r, 0, 1), (float)random_real(r, 0, 1),
                             (float)random_real(r, 0, 1), 1 };
    if (f->kind == RANDOM_FLOAT)
        CALL("glClearBufferfv", "iiv", GL_COLOR, attachment, 4u, values);
    else
        clear_integers(r, attachment, f->kind);
}

static bool all_floats(const struct random_target *t)
{
    for (int i = 0; i < t->colors; i++)
        if (t->formats[i]->kind != RANDOM_FLOAT)
            return false;
    return true;
}

static void clear_planes(struct gl_random *r, int bits)
{
    const struct random_target *t = &r->targets[r->draw];
    if (bits & GL_COLOR_BUFFER_BIT && all_floats(t))
        clear_color(r);
    if (bits & GL_DEPTH_BUFFER_BIT) {
        if (random_has(r, RANDOM_GL))
            CALL("glClearDepth", "f", random_chance(r, 70) ? 1 : random_real(r, 0, 1));
        else
            CALL("glClearDepthf", "f", random_chance(r, 70) ? 1 : random_real(r, 0, 1));
    }
    if (bits & GL_STENCIL_BUFFER_BIT)
        CALL("glClearStencil", "i", random_between(r, 0, 255));
    CALL("glClear", "i", bits);
}

void random_clear_all(struct gl_random *r)
{
    const struct random_target *t = &r->targets[r->draw];
    if (all_floats(t)) {
        clear_planes(r,
                     GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        return;
    }
    for (int i = 0; i < t->colors; i++)
        clear_buffer(r, i);
    clear_planes(r, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void clear(struct gl_random *r)
{
    const struct random_target *t = &r->targets[r->draw];
    int bits = PICK(GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT, GL_STENCIL_BUFFER_BIT,
                    GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT,
                    GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    if (!all_floats(t))
        bits &= ~GL_COLOR_BUFFER_BIT;
    if (bits)
        clear_planes(r, bits);
}

static void clear_one(struct gl_random *r)
{
    const struct random_target *t = &r->targets[r->draw];
    if (random_chance(r, 70) && t->colors)
        clear_buffer(r, random_between(r, 0, t->colors - 1));
    else if (random_chance(r, 50))
        CALL("glClearBufferfi", "iifi", GL_DEPTH_STENCIL, 0, random_real(r, 0, 1),
             random_between(r, 0, 255));
    else
        CALL("glClearBufferiv", "iia", GL_STENCIL, 0, 1u,
             &(int){ random_between(r, 0, 255) });
}

// ---- framebuffer objects ----

static bool attachable(const struct random_texture *t)
{
    return is_color(t->format) && t->format->rendered && !t->based &&
           (t->target == GL_TEXTURE_2D || t->target == GL_TEXTURE_CUBE_MAP ||
            t->target == GL_TEXTURE_2D_ARRAY || t->target == GL_TEXTURE_3D ||
            t->target == GL_TEXTURE_RECTANGLE);
}

static void attach_texture(struct gl_random *r, int attachment,
                           struct random_texture *t)
{
    const int point = GL_COLOR_ATTACHMENT0 + attachment;
    if (random_layered(t))
        CALL("glFramebufferTextureLayer", "iiiii", GL_FRAMEBUFFER, point, t->name, 0,
             random_between(r, 0, t->depth - 1));
    else
        CALL("glFramebufferTexture2D", "iiiii", GL_FRAMEBUFFER, point,
             t->target == GL_TEXTURE_CUBE_MAP
                 ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + random_between(r, 0, 5)
                 : t->target,
             t->name, 0);
}

static void renderbuffer(struct gl_random *r, const struct random_target *to,
                         int internal, int point)
{
    const int name = random_name(r);
    CALL("glGenRenderbuffers", "ia", 1, 1u, &name);
    CALL("glBindRenderbuffer", "ii", GL_RENDERBUFFER, name);
    if (to->samples)
        CALL("glRenderbufferStorageMultisample", "iiiii", GL_RENDERBUFFER, to->samples,
             internal, to->width, to->height);
    else
        CALL("glRenderbufferStorage", "iiii", GL_RENDERBUFFER, internal, to->width,
             to->height);
    CALL("glFramebufferRenderbuffer", "iiii", GL_FRAMEBUFFER, point, GL_RENDERBUFFER,
         name);
}

// A texture that is as large as the target, or makes the target as large as it is.
static struct random_texture *find_texture(struct gl_random *r,
                                           const struct random_target *to, bool first)
{
    for (unsigned tries = 0; tries < 6 && r->texture_count; tries++) {
        struct random_texture *t = &r->textures[random_below(r, r->texture_count)];
        if (attachable(t) && !t->attached &&
            (first || (t->width == to->width && t->height == to->height)))
            return t;
    }
    return NULL;
}

static int es2_renderable(struct gl_random *r)
{
    return PICK(GL_RGBA4, GL_RGB5_A1, GL_RGB565);
}

static void attach_color(struct gl_random *r, struct random_target *to, int i)
{
    static const struct random_format plain = { .internal = GL_RGBA4,
                                                .kind = RANDOM_FLOAT,
                                                .rendered = true };
    struct random_texture *t =
        to->samples || random_chance(r, 20) ? NULL : find_texture(r, to, i == 0);
    if (t) {
        if (i == 0)
            to->width = t->width, to->height = t->height;
        attach_texture(r, i, t);
        to->formats[i] = t->format;
        to->textures[i] = t;
        t->attached |= 1u << (to - r->targets);
        return;
    }
    if (r->api == RANDOM_ES2) {
        to->formats[i] = &plain;
        renderbuffer(r, to, es2_renderable(r), GL_COLOR_ATTACHMENT0 + i);
        return;
    }
    do
        to->formats[i] = random_format(r, true);
    while (!is_color(to->formats[i]) || !to->formats[i]->sized);
    renderbuffer(r, to, to->formats[i]->internal, GL_COLOR_ATTACHMENT0 + i);
}

static void attach_depth(struct gl_random *r, struct random_target *to)
{
    if (r->api == RANDOM_ES2) {
        to->depth = true;
        renderbuffer(r, to, GL_DEPTH_COMPONENT16, GL_DEPTH_ATTACHMENT);
        return;
    }
    const int format =
        PICK(GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24, GL_DEPTH24_STENCIL8,
             GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8, GL_DEPTH_COMPONENT32F);
    to->depth = true;
    to->stencil = format == GL_DEPTH24_STENCIL8 || format == GL_DEPTH32F_STENCIL8;
    renderbuffer(r, to, format,
                 to->stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT);
}

static void draw_buffers(struct gl_random *r, const struct random_target *to)
{
    static const int points[] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
    if (r->api != RANDOM_ES2)
        CALL("glDrawBuffers", "ia", to->colors, (unsigned)to->colors, points);
}

void random_make_target(struct gl_random *r)
{
    if (r->target_count == RANDOM_TARGETS)
        return;
    struct random_target *to = &r->targets[r->target_count];
    *to = (struct random_target){ .name = random_name(r),
                                  .width = random_between(r, 8, 48),
                                  .height = random_between(r, 8, 48) };
    to->samples = r->api != RANDOM_ES2 && random_chance(r, 20) ? 4 : 0;
    CALL("glGenFramebuffers", "ia", 1, 1u, &to->name);
    CALL("glBindFramebuffer", "ii", GL_FRAMEBUFFER, to->name);
    const int colors = r->api != RANDOM_ES2 && random_chance(r, 25) ? 2 : 1;
    for (; to->colors < colors; to->colors++)
        attach_color(r, to, to->colors);
    if (random_chance(r, 60))
        attach_depth(r, to);
    draw_buffers(r, to);
    CALL("glCheckFramebufferStatus", "i=i", GL_FRAMEBUFFER, GL_FRAMEBUFFER_COMPLETE);
    random_bind_target(r, r->target_count, r->target_count);
    r->target_count++;
    random_reset_states(r);
    random_clear_all(r);
    random_bind_target(r, 0, random_below(r, r->target_count));
}

// ---- blits ----

static void rectangle(struct gl_random *r, const struct random_target *t, bool beyond,
                      int out[4])
{
    const int more = beyond ? 8 : 0;
    out[0] = random_between(r, -more, t->width / 2);
    out[1] = random_between(r, -more, t->height / 2);
    out[2] = random_between(r, out[0] + 1, t->width + more);
    out[3] = random_between(r, out[1] + 1, t->height + more);
}

static void mirror(struct gl_random *r, int rect[4])
{
    for (int i = 0; i < 2; i++)
        if (random_chance(r, 20)) {
            const int low = rect[i];
            rect[i] = rect[i + 2];
            rect[i + 2] = low;
        }
}

static bool suits(const struct random_target *from, const struct random_target *to)
{
    if (!from->colors || !to->colors)
        return false;
    for (int i = 0; i < to->colors; i++)
        if (from->formats[0]->kind != to->formats[i]->kind)
            return false;
    return true;
}

int random_untied(int texels)
{
    return (texels - 1) | 1;
}

static void blit(struct gl_random *r)
{
    if (r->draw == r->read)
        random_bind_target(r, random_below(r, r->target_count),
                           random_below(r, r->target_count));
    const struct random_target *from = &r->targets[r->read], *to = &r->targets[r->draw];
    if (from == to || to->samples || !suits(from, to))
        return;
    if (!random_has(r, RANDOM_GL) && from->samples)
        return;
    int s[4], d[4];
    // Outside of what is read from nothing is defined, but what is not drawn to.
    rectangle(r, from, false, s);
    rectangle(r, to, r->draw != 0, d);
    if (from->samples) {
        d[0] = random_between(r, 0, 4), d[1] = random_between(r, 0, 4);
        d[2] = d[0] + s[2] - s[0], d[3] = d[1] + s[3] - s[1];
        if (r->draw == 0 && (d[2] > RANDOM_SIDE || d[3] > RANDOM_SIDE))
            return;
    } else {
        mirror(r, s);
        mirror(r, d);
    }
    const bool linear = from->formats[0]->kind == RANDOM_FLOAT && random_chance(r, 50);
    for (int i = 0; i < 2 && !linear && !from->samples; i++) {
        const int side = s[i + 2] - s[i];
        s[i + 2] = s[i] + (side < 0 ? -random_untied(-side) : random_untied(side));
    }
    CALL("glBlitFramebuffer", "iiiiiiiiii", s[0], s[1], s[2], s[3], d[0], d[1], d[2],
         d[3], GL_COLOR_BUFFER_BIT, linear ? GL_LINEAR : GL_NEAREST);
}

static void bind(struct gl_random *r)
{
    random_bind_target(r, random_below(r, r->target_count),
                       random_below(r, r->target_count));
}

static void invalidate(struct gl_random *r)
{
    const struct random_target *to = &r->targets[r->draw];
    if (!to->name || !to->depth)
        return;
    CALL("glInvalidateFramebuffer", "iia", GL_FRAMEBUFFER, 1, 1u,
         &(int){ GL_DEPTH_ATTACHMENT });
    clear_planes(r, GL_DEPTH_BUFFER_BIT);
}

void random_target_deed(struct gl_random *r)
{
    static const struct random_deed deeds[] = {
        { bind, 8, RANDOM_ALL },     { clear, 4, RANDOM_ALL },
        { clear_one, 4, RANDOM_3 },  { blit, 12, RANDOM_3 },
        { invalidate, 1, RANDOM_3 }, { random_make_target, 2, RANDOM_ALL },
    };
    random_do(r, deeds, COUNT(deeds));
}
