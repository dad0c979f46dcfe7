#include "tests/apitrace/trace_tour.h"

#include "tests/helpers.h"

#include <math.h>
#include <string.h>

static const struct trace_function
    create_context = { 1, "glXCreateContext", "dpy vis shareList direct" },
    make_current = { 2, "glXMakeCurrent", "dpy drawable ctx" },
    swap_buffers = { 3, "glXSwapBuffers", "dpy drawable" },
    clear = { 4, "glClear", "mask" },
    clear_color = { 5, "glClearColor", "red green blue alpha" },
    begin = { 6, "glBegin", "mode" }, end = { 7, "glEnd", "" },
    vertex = { 8, "glVertex3f", "x y z" },
    gen_textures = { 9, "glGenTextures", "n textures" },
    tex_image = { 10, "glTexImage2D",
                  "target level internalformat width "
                  "height border format type pixels" },
    shader_source = { 11, "glShaderSource", "shader count string length" },
    vertex_double = { 12, "glVertex2d", "x y" }, odd = { 13, "oddities", "a b c" },
    get_error = { 14, "glGetError", "" };

static const struct trace_record visual = { 1, "XVisualInfo", "visual visualid depth" },
                                 nameless = { 2, "", "first second" };

static const struct trace_entry targets[] = {
    { "GL_TEXTURE_2D", 0x0DE1 }, { "GL_RGBA", 0x1908 }, { "GL_UNSIGNED_BYTE", 0x1401 },
    { "GL_TRIANGLES", 4 },       { "GL_NO_ERROR", 0 },  { "GL_ZERO", 0 },
    { "GL_LEAST", INT64_MIN }
};
static const struct trace_table gl_enum = { 1, 7, targets };
static const struct trace_entry bits[] = { { "GL_NONE_BIT", 0 },
                                           { "GL_DEPTH_BUFFER_BIT", 0x100 },
                                           { "GL_COLOR_BUFFER_BIT", 0x4000 } };
static const struct trace_table clear_mask = { 1, 3, bits };

#define DISPLAY UINT64_C(0x5649db38cbd0)

static void write_context(struct trace_writer *w)
{
    uint64_t call = trace_enter(w, 0, &create_context);
    trace_argument(w, 0);
    trace_pointer(w, DISPLAY);
    trace_argument(w, 1);
    trace_array(w, 1);
    trace_struct(w, &visual);
    trace_pointer(w, 0x1000);
    trace_int(w, 975);
    trace_int(w, 24);
    trace_argument(w, 2);
    trace_null(w);
    trace_argument(w, 3);
    trace_bool(w, true);
    trace_backtrace(w);
    trace_end(w);
    trace_leave(w, call);
    trace_result(w);
    trace_pointer(w, 0x5649db3ab730);
    trace_end(w);
    trace_call(w, &make_current, "pip", DISPLAY, 7, UINT64_C(0x5649db3ab730));
}

static void write_texture(struct trace_writer *w, unsigned width, unsigned height,
                          const void *texels)
{
    uint64_t call = trace_enter(w, 0, &tex_image);
    trace_argument(w, 0);
    trace_enum(w, &gl_enum, 0);
    trace_argument(w, 1);
    trace_int(w, 0);
    trace_argument(w, 2);
    trace_enum(w, &gl_enum, 1);
    trace_argument(w, 3);
    trace_int(w, (int)width);
    trace_argument(w, 4);
    trace_int(w, (int)height);
    trace_argument(w, 5);
    trace_int(w, 0);
    trace_argument(w, 6);
    trace_enum(w, &gl_enum, 1);
    trace_argument(w, 7);
    trace_enum(w, &gl_enum, 2);
    trace_argument(w, 8);
    trace_blob(w, texels, (size_t)width * height * 4);
    trace_end(w);
    trace_leave(w, call);
    trace_end(w);
}

// Every kind of value, as arguments of calls of no meaning.
static void write_values(struct trace_writer *w)
{
    static const uint32_t wide[] = { 'w', 0xe9, 0x1f600 };
    uint64_t call = trace_enter(w, 0, &odd);
    trace_argument(w, 0);
    trace_array(w, 6);
    trace_bool(w, false);
    trace_int(w, -1);
    trace_int(w, INT64_MIN);
    trace_uint(w, UINT64_MAX);
    trace_double(w, 0.1);
    trace_array(w, 0);
    trace_argument(w, 1);
    trace_struct(w, &nameless);
    trace_string(w, "a \"quoted\"\ttext\nof two lines \\ \x01\xc3\xa9");
    trace_enum(w, &gl_enum, 6);
    trace_argument(w, 4); // more than the signature has, and none in between
    trace_pair(w);
    trace_string(w, "for people");
    trace_blob(w, "for machines", 12);
    trace_fake(w);
    trace_backtrace(w);
    trace_end(w);
    trace_leave(w, call);
    trace_argument(w, 1); // the later one wins
    trace_mask(w, &clear_mask, 0x4100);
    trace_result(w);
    if (w->version >= 6)
        trace_wide(w, wide, 3);
    else
        trace_null(w);
    trace_end(w);
    call = trace_enter(w, 0, &odd);
    trace_argument(w, 0);
    trace_float(w, INFINITY);
    trace_argument(w, 1);
    trace_float(w, -NAN);
    trace_argument(w, 2);
    trace_mask(w, &clear_mask, 0x10001);
    trace_end(w);
    trace_leave(w, call);
    trace_result(w);
    trace_mask(w, &clear_mask, 0);
    trace_end(w);
}

static void write_source(struct trace_writer *w)
{
    uint64_t call = trace_enter(w, 1, &shader_source);
    trace_argument(w, 0);
    trace_int(w, 3);
    trace_argument(w, 1);
    trace_int(w, 2);
    trace_argument(w, 2);
    trace_array(w, 2);
    trace_string(w, "#version 110\n");
    trace_string(w, "void main() {}");
    trace_argument(w, 3);
    trace_null(w);
    trace_end(w);
    trace_leave(w, call);
    trace_end(w);
}

// Threads 0 and 1 at once: calls leave in another order than they are entered.
static void write_threads(struct trace_writer *w)
{
    static const uint8_t texels[TRACE_TOUR_BLOB_BYTES] = { 1, 2, 3 };
    uint64_t outer = trace_enter(w, 0, &gen_textures);
    trace_argument(w, 0);
    trace_int(w, 2);
    trace_end(w);
    uint64_t inner = trace_enter(w, 1, &tex_image);
    trace_argument(w, 8);
    trace_blob(w, texels, sizeof texels);
    trace_end(w);
    write_source(w);
    trace_leave(w, outer);
    trace_argument(w, 1);
    trace_array(w, 2);
    trace_int(w, 1);
    trace_int(w, 2);
    trace_end(w);
    trace_leave(w, 12345); // of no call
    trace_argument(w, 0);
    trace_int(w, 1);
    trace_end(w);
    trace_leave(w, inner);
    trace_end(w);
}

static void write_drawing(struct trace_writer *w)
{
    trace_call(w, &clear_color, "ffff", 0.1, 0.25, 1.0, -8.742278e-08);
    trace_call(w, &clear, "m", &clear_mask, 0x4100u);
    trace_call(w, &begin, "e", &gl_enum, 3u);
    for (int i = 0; i < 3; i++)
        trace_call(w, &vertex, "fff", 0.1 * i, 1e10 / (i + 1), -1.5);
    uint64_t call = trace_enter(w, 0, &vertex_double);
    trace_argument(w, 1);
    trace_double(w, 1.0 / 3);
    trace_end(w);
    trace_leave(w, call);
    trace_end(w);
    trace_call(w, &end, "");
    call = trace_enter(w, 0, &get_error);
    trace_end(w);
    trace_leave(w, call);
    trace_result(w);
    trace_enum(w, &gl_enum, 4);
    trace_end(w);
    trace_call(w, &swap_buffers, "pi", DISPLAY, 7);
}

void trace_write_tour(struct trace_writer *w, unsigned version)
{
    static const char *const properties[] = { "process.name", "tour",
                                              "process.commandLine", "tour \"--all\"",
                                              NULL };
    trace_begin(w, version, properties);
    write_context(w);
    write_drawing(w);
    write_values(w);
    write_threads(w);
    write_texture(w, 2, 2, "0123456789abcdef");
    write_drawing(w);
    uint64_t call = trace_enter(w, 1, &swap_buffers);
    (void)call; // which never leaves
    trace_argument(w, 0);
    trace_pointer(w, DISPLAY);
    trace_end(w);
}

void trace_write_frame(struct trace_writer *w, unsigned triangles, unsigned texels,
                       uint32_t *random)
{
    uint8_t row[4 * 4096];
    unsigned width = texels < 4096 ? texels : 4096;
    if (w->calls == 0)
        write_context(w);
    for (unsigned i = 0; i < 4 * width; i++)
        row[i] = (uint8_t)(gv_test_random(random) & 0x1f);
    if (width)
        write_texture(w, width, 1, row);
    trace_call(w, &clear, "m", &clear_mask, 0x4100u);
    trace_call(w, &begin, "e", &gl_enum, 3u);
    for (unsigned i = 0; i < 3 * triangles; i++)
        trace_call(w, &vertex, "fff", gv_test_random(random) * 0x1p-24,
                   gv_test_random(random) * 0x1p-24, 0.5);
    trace_call(w, &end, "");
    trace_call(w, &swap_buffers, "pi", DISPLAY, 7);
}
