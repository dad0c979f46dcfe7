// Vertices that are drawn again and again are kept by the compiler: whatever changes
// them, or the way they are read, must show.
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define AGAIN 4 // frames: what is drawn in all of them is kept by then

// A square of 8 as two triangles, at x.
#define SQUARE(x) (x), 0, (x) + 8, 0, (x) + 8, 8, (x), 0, (x) + 8, 8, (x), 8
static const float left[] = { SQUARE(0) }, right[] = { SQUARE(16) };
static const float both[] = { SQUARE(0), SQUARE(16) };

#define BYTES(array) sizeof(array), (const uint8_t *)(array)

static void store(struct scene *s, int name, size_t size, const uint8_t *bytes)
{
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, name);
    call(s, "glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)size, size, bytes,
         GL_STATIC_DRAW);
}

static void positions(struct scene *s, int name, int stride, int offset)
{
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, name);
    call(s, "glVertexPointer", "ieip", 2, GL_FLOAT, stride, P(offset));
    call(s, "glEnableClientState", "e", GL_VERTEX_ARRAY);
}

static void draw(struct scene *s, int first, int count)
{
    call(s, "glDrawArrays", "eii", GL_TRIANGLES, first, count);
}

// Frames that show the left square, which is in buffer 4.
static void keep_left(struct scene *s)
{
    store(s, 4, BYTES(left));
    positions(s, 4, 0, 0);
    for (int i = 0; i < AGAIN; i++) {
        clear_to(s, BLACK);
        draw(s, 0, 6);
        show(s);
    }
    clear_to(s, BLACK);
}

// ---- writes ----

static void part(struct scene *s)
{
    keep_left(s);
    call(s, "glBufferSubData", "eiiB", GL_ARRAY_BUFFER, 0, (int)sizeof right,
         BYTES(right));
    draw(s, 0, 6);
}

static void store_anew(struct scene *s)
{
    keep_left(s);
    store(s, 4, BYTES(right));
    draw(s, 0, 6);
}

static void copied(struct scene *s)
{
    store(s, 5, BYTES(right));
    keep_left(s);
    call(s, "glBindBuffer", "ei", GL_COPY_READ_BUFFER, 5);
    call(s, "glCopyBufferSubData", "eeiii", GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 0,
         (int)sizeof right);
    draw(s, 0, 6);
}

static void mapped(struct scene *s)
{
    keep_left(s);
    call(s, "glMapBuffer", "ee=p", GL_ARRAY_BUFFER, GL_WRITE_ONLY, P(0x7000));
    call(s, "memcpy", "pBi", P(0x7000), BYTES(right), (int)sizeof right);
    call(s, "glUnmapBuffer", "e=i", GL_ARRAY_BUFFER, 1);
    draw(s, 0, 6);
}

// Mapped all the time, written between two draws of a frame.
static void persistent(struct scene *s)
{
    store(s, 4, BYTES(left));
    positions(s, 4, 0, 0);
    call(s, "glMapBufferRange", "eiie=p", GL_ARRAY_BUFFER, 0, (int)sizeof left,
         GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT, P(0x7000));
    for (int i = 0; i < AGAIN; i++) {
        clear_to(s, BLACK);
        call(s, "memcpy", "pBi", P(0x7000), BYTES(left), (int)sizeof left);
        draw(s, 0, 6);
        call(s, "memcpy", "pBi", P(0x7000), BYTES(right), (int)sizeof right);
        draw(s, 0, 6);
        if (i + 1 < AGAIN)
            show(s);
    }
}

// The name of a buffer that is gone, with as many writes.
static void name_again(struct scene *s)
{
    keep_left(s);
    call(s, "glDeleteBuffers", "iI", 1, INTEGERS(4));
    store(s, 4, BYTES(right));
    positions(s, 4, 0, 0);
    draw(s, 0, 6);
}

static void captured(struct scene *s)
{
    keep_left(s);
    attach_program(s, 10,
                   "#version 150 compatibility\nout vec2 o;\n"
                   "void main() { o = gl_Vertex.xy + vec2(16, 0);\n"
                   "  gl_Position = vec4(0); }",
                   NULL);
    call(s, "glTransformFeedbackVaryings", "iiBe", 10, 1, TEXT("o"),
         GL_INTERLEAVED_ATTRIBS);
    call(s, "glLinkProgram", "i", 10);
    use_program(s, 20,
                "#version 150 compatibility\n"
                "void main() { gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; "
                "}",
                "#version 150 compatibility\n"
                "void main() { gl_FragColor = vec4(1); }");
    for (int i = 0; i < AGAIN; i++) {
        draw(s, 0, 6);
        show(s);
        clear_to(s, BLACK);
    }
    store(s, 5, BYTES(left));
    positions(s, 5, 0, 0);
    call(s, "glUseProgram", "i", 10);
    call(s, "glBindBufferBase", "eii", GL_TRANSFORM_FEEDBACK_BUFFER, 0, 4);
    call(s, "glEnable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glBeginTransformFeedback", "e", GL_TRIANGLES);
    draw(s, 0, 6);
    call(s, "glEndTransformFeedback", "");
    call(s, "glDisable", "e", GL_RASTERIZER_DISCARD);
    call(s, "glUseProgram", "i", 20);
    positions(s, 4, 0, 0);
    draw(s, 0, 6);
    call(s, "glUseProgram", "i", 0);
}

// ---- the program's memory ----

static void memory(struct scene *s)
{
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        call(s, "glVertexPointer", "ieiB", 2, GL_FLOAT, 0, sizeof left,
             (const uint8_t *)(i < AGAIN ? left : right));
        call(s, "glEnableClientState", "e", GL_VERTEX_ARRAY);
        draw(s, 0, 6);
        if (i < AGAIN)
            show(s);
    }
}

// All use vertices 0 to 11: a square, and a triangle of no area.
static void memory_indices(struct scene *s)
{
    static const uint8_t indices[] = { 0, 1, 2, 3, 4,  5,  11, 11, 11,
                                       6, 7, 8, 9, 10, 11, 0,  0,  0 };
    store(s, 4, BYTES(both));
    positions(s, 4, 0, 0);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        call(s, "glDrawElements", "eieB", GL_TRIANGLES, 9, GL_UNSIGNED_BYTE, (size_t)9,
             indices + (i < AGAIN ? 0 : 9));
        if (i < AGAIN)
            show(s);
    }
}

// ---- layouts ----

static void offset(struct scene *s)
{
    store(s, 4, BYTES(both));
    positions(s, 4, 0, 0);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        if (i == AGAIN)
            positions(s, 4, 0, (int)sizeof left);
        draw(s, 0, 6);
        if (i < AGAIN)
            show(s);
    }
}

static void first(struct scene *s)
{
    store(s, 4, BYTES(both));
    positions(s, 4, 0, 0);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        draw(s, i < AGAIN ? 0 : 6, 6);
        if (i < AGAIN)
            show(s);
    }
}

// Every second vertex is of the right square.
static void stride(struct scene *s)
{
    float mixed[24];
    for (int i = 0; i < 6; i++) {
        memcpy(mixed + 4 * i, left + 2 * i, 8);
        memcpy(mixed + 4 * i + 2, right + 2 * i, 8);
    }
    // Eight bytes apart, the first six are a triangle between both.
    store(s, 4, BYTES(mixed));
    positions(s, 4, 8, 8);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        if (i == AGAIN)
            positions(s, 4, 16, 8);
        draw(s, 0, 6);
        if (i < AGAIN)
            show(s);
    }
}

static void colors(struct scene *s, int size, unsigned type)
{
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, 5);
    call(s, "glColorPointer", "ieip", size, type, 4, P(0));
    call(s, "glEnableClientState", "e", GL_COLOR_ARRAY);
}

// The same bytes: red, or as signed ones less than nothing.
static void type(struct scene *s)
{
    uint8_t red[24];
    for (size_t i = 0; i < sizeof red; i++)
        red[i] = i % 4 ? 0 : 255;
    store(s, 4, BYTES(right));
    store(s, 5, sizeof red, red);
    positions(s, 4, 0, 0);
    colors(s, 3, GL_UNSIGNED_BYTE);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLUE);
        if (i == AGAIN)
            colors(s, 3, GL_BYTE);
        draw(s, 0, 6);
        if (i < AGAIN)
            show(s);
    }
    call(s, "glDisableClientState", "e", GL_COLOR_ARRAY);
}

// Flat: the colour of another vertex.
static void provoking(struct scene *s)
{
    static const uint8_t mixed[] = { 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0,
                                     255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0 };
    store(s, 4, BYTES(right));
    store(s, 5, BYTES(mixed));
    positions(s, 4, 0, 0);
    colors(s, 3, GL_UNSIGNED_BYTE);
    call(s, "glShadeModel", "e", GL_FLAT);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        if (i == AGAIN)
            call(s, "glProvokingVertex", "e", GL_FIRST_VERTEX_CONVENTION);
        draw(s, 0, 6);
        if (i < AGAIN)
            show(s);
    }
    call(s, "glDisableClientState", "e", GL_COLOR_ARRAY);
}

// What an attribute without an array is.
static void current(struct scene *s)
{
    attach_program(s, 20,
                   "#version 150 compatibility\nin vec3 a; out vec3 c;\n"
                   "void main() { gl_Position = gl_ModelViewProjectionMatrix *\n"
                   "  gl_Vertex; c = a; }",
                   "#version 150 compatibility\nin vec3 c;\n"
                   "void main() { gl_FragColor = vec4(c, 1); }");
    call(s, "glBindAttribLocation", "iiB", 20, 3, TEXT("a"));
    call(s, "glLinkProgram", "i", 20);
    call(s, "glUseProgram", "i", 20);
    store(s, 4, BYTES(right));
    positions(s, 4, 0, 0);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        call(s, "glVertexAttrib3f", "ifff", 3, i < AGAIN ? 1.0 : 0.0,
             i < AGAIN ? 0.0 : 1.0, 0.0);
        draw(s, 0, 6);
        if (i < AGAIN)
            show(s);
    }
    call(s, "glUseProgram", "i", 0);
}

// ---- indices ----

static void elements(struct scene *s, int count, int from)
{
    call(s, "glDrawElements", "eiep", GL_TRIANGLES, count, GL_UNSIGNED_SHORT, P(from));
}

static void store_elements(struct scene *s)
{
    static const uint16_t indices[] = { 0, 1, 2, 3, 4,  5,  11, 11, 11,
                                        6, 7, 8, 9, 10, 11, 0,  0,  0 };
    store(s, 4, BYTES(both));
    positions(s, 4, 0, 0);
    call(s, "glBindBuffer", "ei", GL_ELEMENT_ARRAY_BUFFER, 6);
    call(s, "glBufferData", "eiBe", GL_ELEMENT_ARRAY_BUFFER, (int)sizeof indices,
         BYTES(indices), GL_STATIC_DRAW);
}

static void indices_written(struct scene *s)
{
    static const uint16_t other[] = { 6, 7, 8, 9, 10, 11, 0, 0, 0 };
    store_elements(s);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        if (i == AGAIN)
            call(s, "glBufferSubData", "eiiB", GL_ELEMENT_ARRAY_BUFFER, 0, 18,
                 BYTES(other));
        elements(s, 9, 0);
        if (i < AGAIN)
            show(s);
    }
}

// Other vertices than the indices named before.
static void range_written(struct scene *s)
{
    static const uint16_t other[] = { 6, 7, 8, 9, 10, 11 };
    store_elements(s);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        if (i == AGAIN)
            call(s, "glBufferSubData", "eiiB", GL_ELEMENT_ARRAY_BUFFER, 0, 12,
                 BYTES(other));
        elements(s, 6, 0);
        if (i < AGAIN)
            show(s);
    }
}

static void indices_elsewhere(struct scene *s)
{
    store_elements(s);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        elements(s, 9, i < AGAIN ? 0 : 18);
        if (i < AGAIN)
            show(s);
    }
}

static void based(struct scene *s)
{
    store_elements(s);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        call(s, "glDrawElementsBaseVertex", "eiepi", GL_TRIANGLES, 6, GL_UNSIGNED_SHORT,
             P(0), i < AGAIN ? 0 : 6);
        if (i < AGAIN)
            show(s);
    }
}

// As lines of triangles: the middle of a square is not drawn.
static void outlined(struct scene *s)
{
    store_elements(s);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        if (i == AGAIN)
            call(s, "glPolygonMode", "ee", GL_FRONT_AND_BACK, GL_POINT);
        elements(s, 9, 0);
        if (i < AGAIN)
            show(s);
    }
    call(s, "glPolygonMode", "ee", GL_FRONT_AND_BACK, GL_FILL);
}

// ---- several draws that are drawn as one ----

// In another order, then with what is not kept between them.
static void gathered(struct scene *s)
{
    store_elements(s);
    for (int i = 0; i < AGAIN; i++) {
        clear_to(s, BLACK);
        draw(s, 0, 6);
        elements(s, 9, 18);
        show(s);
    }
    for (int i = 0; i < AGAIN; i++) {
        clear_to(s, BLACK);
        elements(s, 9, 18);
        draw(s, 0, 6);
        show(s);
    }
    clear_to(s, BLACK);
    draw(s, 0, 6);
    call(s, "glBegin", "e", GL_TRIANGLES);
    for (int i = 0; i < 6; i++)
        call(s, "glVertex2f", "ff", (double)left[2 * i],
             (double)left[2 * i + 1] + 16.0);
    call(s, "glEnd", "");
    elements(s, 9, 18);
}

// More than a batch holds back; the last one changes.
static void many(struct scene *s)
{
    store_elements(s);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        for (int k = 0; k < 100; k++)
            draw(s, 0, 6);
        draw(s, i < AGAIN ? 0 : 6, 6);
        if (i < AGAIN)
            show(s);
    }
}

// A write between two draws that are drawn as one.
static void between(struct scene *s)
{
    store(s, 4, BYTES(left));
    positions(s, 4, 0, 0);
    for (int i = 0; i < 2 * AGAIN; i++) {
        clear_to(s, BLACK);
        draw(s, 0, 6);
        if (i >= AGAIN) {
            call(s, "glBufferSubData", "eiiB", GL_ARRAY_BUFFER, 0, (int)sizeof right,
                 BYTES(right));
            draw(s, 0, 6);
            call(s, "glBufferSubData", "eiiB", GL_ARRAY_BUFFER, 0, (int)sizeof left,
                 BYTES(left));
        }
        if (i + 1 < 2 * AGAIN)
            show(s);
    }
}

// ---- lists ----

static void list(struct scene *s, double x)
{
    call(s, "glNewList", "ie", 1, GL_COMPILE);
    quad(s, x, 0, x + 8, 8);
    call(s, "glEndList", "");
}

static void list_again(struct scene *s)
{
    list(s, 0);
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        if (i == AGAIN) {
            call(s, "glDeleteLists", "ii", 1, 1);
            list(s, 16);
        }
        call(s, "glCallList", "i", 1);
        if (i < AGAIN)
            show(s);
    }
}

// Vertices that have what is current where the list runs.
static void list_open(struct scene *s)
{
    call(s, "glNewList", "ie", 1, GL_COMPILE);
    call(s, "glBegin", "e", GL_QUADS);
    call(s, "glVertex2f", "ff", 16.0, 0.0);
    call(s, "glVertex2f", "ff", 24.0, 0.0);
    call(s, "glVertex2f", "ff", 24.0, 8.0);
    call(s, "glVertex2f", "ff", 16.0, 8.0);
    call(s, "glColor3f", "fff", 0.0, 0.0, 1.0);
    call(s, "glVertex2f", "ff", 0.0, 16.0);
    call(s, "glVertex2f", "ff", 8.0, 16.0);
    call(s, "glVertex2f", "ff", 8.0, 24.0);
    call(s, "glVertex2f", "ff", 0.0, 24.0);
    call(s, "glEnd", "");
    call(s, "glEndList", "");
    for (int i = 0; i <= AGAIN; i++) {
        clear_to(s, BLACK);
        color(s, i < AGAIN ? RED : GREEN);
        call(s, "glCallList", "i", 1);
        if (i < AGAIN)
            show(s);
    }
}

#define SHOWN(l, r)  \
    {                \
        { 4, 2, l }, \
        {            \
            20, 2, r \
        }            \
    }

static const struct draw_row rows[] = {
    { "part", part, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "store anew", store_anew, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "copied", copied, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "mapped", mapped, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "persistent", persistent, SIDE, SHOWN(WHITE, WHITE), 4, 4 },
    { "name again", name_again, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "captured", captured, SIDE, SHOWN(BLACK, WHITE), 10, 10 },
    { "memory", memory, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "memory indices", memory_indices, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "offset", offset, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "first", first, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "stride", stride, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "type", type, SIDE, SHOWN(BLUE, BLACK), 5, 5 },
    { "provoking", provoking, SIDE, SHOWN(BLACK, RED), 5, 5 },
    { "current", current, SIDE, SHOWN(BLACK, GREEN), 5, 5 },
    { "indices written", indices_written, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "range written", range_written, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "indices elsewhere", indices_elsewhere, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "based", based, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "outlined", outlined, SIDE, SHOWN(BLACK, BLACK), 5, 5 },
    { "gathered",
      gathered,
      SIDE,
      { { 4, 2, WHITE }, { 20, 2, WHITE }, { 4, 18, WHITE } },
      9,
      9 },
    { "many", many, SIDE, SHOWN(WHITE, WHITE), 5, 5 },
    { "between", between, SIDE, SHOWN(WHITE, WHITE), 8, 8 },
    { "list again", list_again, SIDE, SHOWN(BLACK, WHITE), 5, 5 },
    { "list open", list_open, SIDE, { { 20, 2, GREEN }, { 4, 18, BLUE } }, 5, 5 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
