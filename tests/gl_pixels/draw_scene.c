#include "tests/gl_pixels/draw_scene.h"

#include <stdarg.h>
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "compiler/gl/gl.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "tools/leak_check.h"

// ---- calls ----

void call(struct scene *s, const char *name, const char *kinds, ...)
{
    struct made_call *m = calloc(1, sizeof *m);
    va_list list;
    va_start(list, kinds);
    make_call(m, name, kinds, list);
    va_end(list);
    // As in a trace, what a function is stays: lists refer to it.
    struct gv_trace_function *function = gv_arena_array(&s->arena, 1, sizeof *function);
    *function = m->function;
    m->call.function = function;
    m->call.number = s->number++;
    s->ok = s->ok && gv_gl_call(s->gl, &m->call, &s->probe.err);
    free(m);
}

void color(struct scene *s, uint32_t rgb)
{
    call(s, "glColor3f", "fff", (double)(rgb >> 16 & 0xFF) / 255,
         (double)(rgb >> 8 & 0xFF) / 255, (double)(rgb & 0xFF) / 255);
}

void clear_to(struct scene *s, uint32_t rgb)
{
    call(s, "glClearColor", "ffff", (double)(rgb >> 16 & 0xFF) / 255,
         (double)(rgb >> 8 & 0xFF) / 255, (double)(rgb & 0xFF) / 255, 1.0);
    call(s, "glClear", "e", GL_COLOR_BUFFER_BIT);
}

void begin(struct scene *s)
{
    call(s, "glXMakeCurrent", "ppp=i", P(1), P(7), P(0x100), 1);
    call(s, "glViewport", "iiii", 0, 0, SIDE, SIDE);
    call(s, "glMatrixMode", "e", GL_PROJECTION);
    call(s, "glOrtho", "ffffff", 0.0, (double)SIDE, 0.0, (double)SIDE, -1.0, 1.0);
    call(s, "glMatrixMode", "e", GL_MODELVIEW);
    clear_to(s, BLACK);
}

void show(struct scene *s)
{
    call(s, "glXSwapBuffers", "pp", P(1), P(7));
    s->frames++;
}

void quad(struct scene *s, double x0, double y0, double x1, double y1)
{
    call(s, "glBegin", "e", GL_QUADS);
    call(s, "glVertex2f", "ff", x0, y0);
    call(s, "glVertex2f", "ff", x1, y0);
    call(s, "glVertex2f", "ff", x1, y1);
    call(s, "glVertex2f", "ff", x0, y1);
    call(s, "glEnd", "");
}

void texels(struct scene *s, uint32_t name, uint32_t rgb, bool again)
{
    uint8_t rgba[16];
    for (size_t i = 0; i < sizeof rgba; i++)
        rgba[i] = (uint8_t)(i % 4 == 3 ? 255 : rgb >> (16 - 8 * (i % 4)));
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, name);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
    if (again)
        call(s, "glTexSubImage2D", "eiiiiieeB", GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_RGBA,
             GL_UNSIGNED_BYTE, sizeof rgba, rgba);
    else
        call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0,
             GL_RGBA, GL_UNSIGNED_BYTE, sizeof rgba, rgba);
}

// ---- what they make ----

void attach_shader(struct scene *s, int program, int shader, uint32_t type,
                   const char *text)
{
    call(s, "glCreateShader", "e=i", type, shader);
    call(s, "glShaderSource", "iiBn", shader, 1, TEXT(text));
    call(s, "glCompileShader", "i", shader);
    call(s, "glAttachShader", "ii", program, shader);
}

void attach_program(struct scene *s, int program, const char *vertex,
                    const char *fragment)
{
    const char *const texts[] = { vertex, fragment };
    call(s, "glCreateProgram", "=i", program);
    for (int i = 0; i < 2 && texts[i]; i++) {
        call(s, "glCreateShader", "e=i", i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER,
             program + 1 + i);
        call(s, "glShaderSource", "iiBn", program + 1 + i, 1, TEXT(texts[i]));
        call(s, "glCompileShader", "i", program + 1 + i);
        call(s, "glAttachShader", "ii", program, program + 1 + i);
    }
}

void use_program(struct scene *s, int program, const char *vertex, const char *fragment)
{
    attach_program(s, program, vertex, fragment);
    call(s, "glLinkProgram", "i", program);
    call(s, "glUseProgram", "i", program);
}

void locate(struct scene *s, int program, const char *name, int location)
{
    call(s, "glGetUniformLocation", "iB=i", program, TEXT(name), location);
}

uint32_t count_of(struct probe *probe, const char *call_name)
{
    struct gv_bytes code = { 0 };
    uint32_t count = 0;
    size_t length = strlen(call_name);
    probe_code(probe, &code);
    gv_bytes_u8(&code, 0);
    for (const char *at = (const char *)code.data; (at = strstr(at, call_name)); at++)
        count += at[length] == ' ' || at[length] == '\n' || at[length] == 0;
    gv_bytes_finish(&code);
    return count;
}

static uint32_t pixel(const struct gv_picture *p, uint32_t x, uint32_t y)
{
    const uint8_t *at = p->rgba + 4 * ((size_t)(p->height - 1 - y) * p->width + x);
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

static void check_pixels(const struct draw_row *row, const struct gv_bytes *payload,
                         uint32_t frames)
{
    struct gv_replay_result result;
    struct gv_error err = GV_ERROR_INIT;
    bool ok = gv_replay_payload(payload->data, payload->size, true, &result, &err);
    if (!ok)
        fprintf(stderr, "%s: %s\n", row->name, err.message);
    ok = ok && result.frame_count == frames;
    CHECK_ROW(row->name, ok);
    CHECK_ROW(row->name, result.validation_messages == 0);
    const struct gv_picture *p = ok ? &result.pictures[frames - 1] : NULL;
    CHECK_ROW(row->name, !p || (p->width == SIDE && p->height == row->height));
    for (size_t i = 0; p && i < MOST_CHECKS; i++) {
        uint32_t x = row->checks[i].x, y = row->checks[i].y;
        if (i && !x && !y && !row->checks[i].rgb)
            break;
        uint32_t is = pixel(p, x, y);
        if (is != row->checks[i].rgb)
            fprintf(stderr, "%s: (%u, %u) is %06x\n", row->name, x, y, is);
        CHECK_ROW(row->name, is == row->checks[i].rgb);
    }
    gv_replay_result_finish(&result);
}

static bool compile(const struct draw_row *row, struct scene *s)
{
    const struct gv_compile_params params = { .level = 1 };
    const struct gv_gl_params to = { .compile = &params,
                                     .arena = &s->arena,
                                     .builder = s->probe.builder };
    s->gl = gv_gl_create(&to, &s->probe.err);
    s->ok = s->gl != NULL;
    begin(s);
    row->make(s);
    show(s);
    s->ok = s->ok && gv_gl_finish(s->gl, &s->probe.err);
    gv_gl_destroy(s->gl);
    return s->ok && probe_end(&s->probe);
}

static void check_counts(const struct draw_row *row, struct scene *s)
{
    struct probe *probe = &s->probe;
    uint64_t unsupported = probe->totals.unsupported;
    uint32_t passes = count_of(probe, "pass_begin");
    uint32_t draws = count_of(probe, "draw") + count_of(probe, "draw_indexed");
    if (passes != row->passes || draws != row->draws || unsupported != s->unsupported)
        fprintf(stderr, "%s: %u passes, %u draws, %u unsupported\n", row->name, passes,
                draws, (uint32_t)unsupported);
    CHECK_ROW(row->name, passes == row->passes && draws == row->draws);
    CHECK_ROW(row->name, unsupported == s->unsupported);
    if (count_of(probe, "product1") != s->products)
        fprintf(stderr, "%s: %u products\n", row->name, count_of(probe, "product1"));
    CHECK_ROW(row->name, count_of(probe, "product1") == s->products);
}

void check_draw(const struct draw_row *row, bool device)
{
    struct scene s = { 0 };
    probe_begin(&s.probe, false, 1);
    bool ok = compile(row, &s);
    if (!ok)
        fprintf(stderr, "%s: %s\n", row->name, s.probe.err.message);
    CHECK_ROW(row->name, ok);
    if (ok)
        check_counts(row, &s);
    if (ok && device)
        check_pixels(row, &s.probe.bytes, s.frames);
    probe_finish(&s.probe);
    gv_arena_finish(&s.arena);
}

int check_draws(const struct draw_row *rows, size_t count)
{
    gv_leak_check_keep_libraries();
    bool device = gv_replay_device_present();
    for (size_t i = 0; i < count; i++)
        check_draw(&rows[i], device);
    if (TEST_RESULT() == EXIT_SUCCESS && !device)
        return gv_test_skip("no Vulkan device");
    return TEST_RESULT();
}
