#include "tests/hostile/hostile_rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/helpers.h"

#define CALL(name, types, ...)                     \
    {                                              \
        "gl" name, types, { __VA_ARGS__ }, NULL, 0 \
    }
#define TEXT(name, types, text, ...)               \
    {                                              \
        "gl" name, types, { __VA_ARGS__ }, text, 0 \
    }
#define TIMES(times, name, types, ...)                 \
    {                                                  \
        "gl" name, types, { __VA_ARGS__ }, NULL, times \
    }

// What many rows begin with.
#define SHADER(stage, number, source)                    \
    CALL("CreateShader", "i=i", stage, number),          \
        TEXT("ShaderSource", "iisn", source, number, 1), \
        CALL("CompileShader", "i", number)
#define LINK                                                           \
    CALL("CreateProgram", "=i", 3), CALL("AttachShader", "ii", 3, 1),  \
        CALL("AttachShader", "ii", 3, 2), CALL("LinkProgram", "i", 3), \
        CALL("UseProgram", "i", 3)
#define PROGRAM(vertex, fragment) \
    SHADER(GL_VERTEX_SHADER, 1, vertex), SHADER(GL_FRAGMENT_SHADER, 2, fragment), LINK
// The fragments' text has a part that is repeated.
#define REPEATED(times, fragment)                            \
    SHADER(GL_VERTEX_SHADER, 1, VERTEX),                     \
        CALL("CreateShader", "i=i", GL_FRAGMENT_SHADER, 2),  \
        TEXT("ShaderSource", "iirn", fragment, 2, 1, times), \
        CALL("CompileShader", "i", 2), LINK
#define VERTEX "attribute vec4 p; void main() { gl_Position = p; }"
#define FRAGMENT "void main() { gl_FragColor = vec4(1.0); }"
#define POSITIONS                                                    \
    CALL("VertexAttribPointer", "iiiiiv", 0, 4, GL_FLOAT, 0, 0, 48), \
        CALL("EnableVertexAttribArray", "i", 0)
#define DRAW POSITIONS, CALL("DrawArrays", "iii", GL_TRIANGLES, 0, 12)
#define BUFFER(target, name, floats)        \
    CALL("BindBuffer", "ii", target, name), \
        CALL("BufferData", "iivi", target, 4.0 * (floats), floats, GL_STATIC_DRAW)
#define STORED                                                          \
    BUFFER(GL_ARRAY_BUFFER, 1, 48),                                     \
        CALL("VertexAttribPointer", "iiiiip", 0, 4, GL_FLOAT, 0, 0, 0), \
        CALL("EnableVertexAttribArray", "i", 0)
#define TEXTURE                                                                        \
    CALL("BindTexture", "ii", GL_TEXTURE_2D, 1),                                       \
        CALL("TexImage2D", "iiiiiiiib", GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA,  \
             GL_UNSIGNED_BYTE, 256),                                                   \
        CALL("TexParameteri", "iii", GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR), \
        CALL("Enable", "i", GL_TEXTURE_2D)
#define FRAMEBUFFER                                                                 \
    TEXTURE, CALL("BindFramebuffer", "ii", GL_FRAMEBUFFER, 1),                      \
        CALL("FramebufferTexture2D", "iiiii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, \
             GL_TEXTURE_2D, 1, 0)
#define SHAPE                                                          \
    CALL("Begin", "i", GL_TRIANGLES), CALL("TexCoord2f", "ff", 1, 0),  \
        CALL("Vertex2f", "ff", -1, -1), CALL("Vertex2f", "ff", 1, -1), \
        CALL("TexCoord2f", "ff", 0, 1), CALL("Vertex2f", "ff", 0, 1),  \
        CALL("End", "", 0)

#define P31 2147483648.0
#define P32 4294967296.0
#define P62 0x1p62
#define P63 0x1p63 // less than a kilobyte below it there is no double

const struct hostile_row hostile_rows[] = {
#define ROW(name, says, ...) \
    { #name, says, (const struct hostile_call[]){ __VA_ARGS__, { 0 } } },
#include "tests/hostile/hostile_draws.def"
#include "tests/hostile/hostile_objects.def"
#include "tests/hostile/hostile_programs.def"
#include "tests/hostile/hostile_textures.def"
#undef ROW
};
const size_t hostile_row_count = sizeof hostile_rows / sizeof *hostile_rows;

// ---- values ----

static void put_number(struct trace_writer *w, double n)
{
    if (n >= P63)
        trace_uint(w, (uint64_t)n);
    else
        trace_int(w, (int64_t)n);
}

// Of `count` bytes: floats of -1 to 1, or anything.
static void put_blob(struct trace_writer *w, size_t count, bool floats)
{
    struct gv_bytes bytes = { 0 };
    uint32_t random = (uint32_t)count;
    while (bytes.size < count && !bytes.failed) {
        const uint32_t next = gv_test_random(&random);
        if (floats)
            gv_bytes_f32(&bytes, (float)next * 0x1p-23f - 1);
        else
            gv_bytes_u8(&bytes, (uint8_t)(next >> 16));
    }
    trace_blob(w, bytes.data, bytes.size);
    gv_bytes_finish(&bytes);
}

static const double *put_words(struct trace_writer *w, const double *n)
{
    struct gv_bytes bytes = { 0 };
    const double *end = n + 1 + (size_t)*n;
    for (n++; n < end; n++)
        gv_bytes_u32(&bytes, (uint32_t)(int64_t)*n);
    trace_blob(w, bytes.data, bytes.size);
    gv_bytes_finish(&bytes);
    return end;
}

static const double *put_array(struct trace_writer *w, const double *n)
{
    const double *end = n + 1 + (size_t)*n;
    trace_array(w, (uint64_t)*n);
    for (n++; n < end; n++)
        put_number(w, *n);
    return end;
}

static void put_repeated(struct trace_writer *w, const char *text, unsigned times)
{
    struct gv_bytes bytes = { 0 };
    const char *part = strchr(text, 1), *rest = strchr(part + 1, 1);
    gv_bytes_put(&bytes, text, (size_t)(part - text));
    for (; times; times--)
        gv_bytes_put(&bytes, part + 1, (size_t)(rest - part - 1));
    gv_bytes_put(&bytes, rest + 1, strlen(rest + 1) + 1);
    trace_array(w, 1);
    trace_string(w, bytes.failed ? "" : (const char *)bytes.data);
    gv_bytes_finish(&bytes);
}

// Writes one value, returns the numbers behind those it took.
static const double *put_value(struct trace_writer *w, char type, const double *n,
                               const char *text)
{
    switch (type) {
    case 'f':
        trace_float(w, (float)*n);
        return n + 1;
    case 'p':
        trace_pointer(w, (uint64_t)*n);
        return n + 1;
    case 'b':
    case 'v':
        put_blob(w, (size_t)*n * (type == 'v' ? 4 : 1), type == 'v');
        return n + 1;
    case 'd':
        return put_words(w, n);
    case 'a':
        return put_array(w, n);
    case 'r':
        put_repeated(w, text, (unsigned)*n);
        return n + 1;
    case 'n':
        trace_null(w);
        return n;
    case 's':
        trace_array(w, 1);
        trace_string(w, text);
        return n;
    case 't':
        trace_string(w, text);
        return n;
    default:
        put_number(w, *n);
        return n + 1;
    }
}

// ---- traces ----

static void put_call(struct trace_gl *t, const struct hostile_call *c)
{
    const uint64_t call = trace_gl_enter(t, c->name, c->types);
    const char *type = c->types;
    const double *n = c->n;
    for (unsigned i = 0; *type && *type != '='; type++, i++) {
        trace_argument(&t->w, i);
        n = put_value(&t->w, *type, n, c->text);
    }
    trace_end(&t->w);
    trace_leave(&t->w, call);
    if (*type) {
        trace_result(&t->w);
        put_value(&t->w, type[1], n, c->text);
    }
    trace_end(&t->w);
}

void hostile_write(struct trace_gl *t, const struct hostile_row *row)
{
    trace_gl_begin(t);
    for (const struct hostile_call *c = row->calls; c->name; c++)
        for (unsigned i = 0; i < (c->times ? c->times : 1); i++)
            put_call(t, c);
    trace_gl_shape(t, GL_TRIANGLES, 3);
    trace_gl_swap(t);
}
