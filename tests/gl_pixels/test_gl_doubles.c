// Attributes of doubles: in arrays, by instance, one by one, in display lists.
#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define BIG 1e9 // a float does not tell it from BIG + 1

enum { YELLOW = 0xFFFF00 };

// Columns of 8 in colours that a float does not tell from each other: current ones of
// attribute 0, of a buffer by vertex and by instance.
static void doubles(struct scene *s)
{
    static const double colors[][3] = { { 1e9 + 1, 1e9, 1e9 },
                                        { 1e9, 1e9 + 1, 1e9 },
                                        { 1e9, 1e9, 1e9 + 1 } };
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, 5);
    call(s, "glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)sizeof colors, sizeof colors,
         (const uint8_t *)colors, GL_STATIC_DRAW);
    attach_program(s, 10,
                   "#version 410\nin dvec3 wide; in float at; flat out vec3 color;\n"
                   "void main() { color = vec3(wide - 1.0e9lf);\n"
                   "vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 8.0;\n"
                   "corner.x += at + 8.0 * gl_InstanceID;\n"
                   "gl_Position = vec4(corner / 16.0 - 1.0, 0.0, 1.0); }",
                   "#version 410\nflat in vec3 color; out vec4 o;\n"
                   "void main() { o = vec4(color, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", 10, 0, TEXT("wide"));
    call(s, "glBindAttribLocation", "iiB", 10, 1, TEXT("at"));
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glVertexAttrib1f", "if", 1, 0.0);
    call(s, "glVertexAttribL3d", "ifff", 0, 1e9 + 1, 1e9 + 1, 1e9);
    call(s, "glDrawArrays", "eii", GL_TRIANGLE_STRIP, 0, 4);
    call(s, "glVertexAttribLPointer", "iieip", 0, 3, GL_DOUBLE, 0, UINT64_C(0));
    call(s, "glEnableVertexAttribArray", "i", 0);
    call(s, "glVertexAttrib1f", "if", 1, 8.0);
    call(s, "glVertexAttribDivisor", "ii", 0, 1);
    call(s, "glDrawArraysInstancedBaseInstance", "eiiii", GL_TRIANGLE_STRIP, 0, 4, 2,
         1);
    call(s, "glVertexAttribDivisor", "ii", 0, 0);
    call(s, "glVertexAttrib1f", "if", 1, 24.0);
    call(s, "glDrawArrays", "eii", GL_TRIANGLE_STRIP, 0, 3); // the last one provokes
}

// The colour that comes: BIG + 1 where a component is 1.
static void wide(struct scene *s, double r, double g, double b)
{
    call(s, "glVertexAttribL3d", "ifff", 3, BIG + r, BIG + g, BIG + b);
}

static void corner(struct scene *s, int i)
{
    const int x = i / 4 + (i % 4 == 1 || i % 4 == 2), y = i % 4 / 2;
    call(s, "glVertex2f", "ff", 8.0 * x, 8.0 * y);
}

// A column for each way: two quads of one glBegin, one of a list that knows no colour
// before its third vertex, one by glArrayElement.
static void one_by_one(struct scene *s)
{
    static const double colors[][3] = { { BIG, BIG, BIG }, { BIG, BIG + 1, BIG } };
    attach_program(
        s, 10,
        "#version 410 compatibility\n"
        "in dvec3 wide; flat out vec3 color;\n"
        "void main() { color = vec3(wide - 1.0e9lf);\n"
        "gl_Position = ftransform(); }",
        "#version 410 compatibility\n"
        "flat in vec3 color; void main() { gl_FragColor = vec4(color, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", 10, 3, TEXT("wide"));
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    wide(s, 1, 0, 0);
    call(s, "glNewList", "ie", 1, GL_COMPILE);
    call(s, "glBegin", "e", GL_QUADS);
    for (int i = 8; i < 12; i++) {
        if (i == 10)
            wide(s, 0, 0, 1);
        corner(s, i);
    }
    call(s, "glEnd", "");
    call(s, "glEndList", "");
    call(s, "glBegin", "e", GL_QUADS);
    for (int i = 0; i < 8; i++) {
        if (i == 5)
            wide(s, 0, 1, 0);
        corner(s, i);
    }
    call(s, "glEnd", "");
    call(s, "glCallList", "i", 1);
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, 5);
    call(s, "glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)sizeof colors, sizeof colors,
         (const uint8_t *)colors, GL_STATIC_DRAW);
    call(s, "glVertexAttribLPointer", "iieip", 3, 3, GL_DOUBLE, 0, UINT64_C(0));
    call(s, "glEnableVertexAttribArray", "i", 3);
    call(s, "glBegin", "e", GL_QUADS);
    for (int i = 12; i < 16; i++) {
        call(s, "glArrayElement", "i", i == 15);
        corner(s, i);
    }
    call(s, "glEnd", "");
}

// Attribute 0 of doubles is a vertex, and comes as doubles.
static void positions(struct scene *s)
{
    attach_program(s, 10,
                   "#version 410 compatibility\n"
                   "in dvec4 at; void main() { gl_Position =\n"
                   "gl_ModelViewProjectionMatrix * vec4(at - dvec4(1.0e9lf)); }",
                   "#version 410 compatibility\n"
                   "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", 10, 0, TEXT("at"));
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glBegin", "e", GL_TRIANGLE_STRIP);
    for (int i = 0; i < 4; i++)
        call(s, "glVertexAttribL4d", "iffff", 0, BIG + 8.0 * (i % 2),
             BIG + (i < 2 ? 0.0 : 8.0), BIG, BIG + 1);
    call(s, "glEnd", "");
}

static const struct draw_row rows[] = {
    { "doubles",
      doubles,
      SIDE,
      { { 4, 4, YELLOW }, { 12, 4, GREEN }, { 20, 4, BLUE }, { 26, 2, BLUE } },
      1,
      3 },
    { "one_by_one",
      one_by_one,
      SIDE,
      { { 4, 4, RED }, { 12, 4, GREEN }, { 20, 4, BLUE }, { 28, 4, GREEN } },
      1,
      1 },
    { "positions",
      positions,
      SIDE,
      { { 0, 0, GREEN }, { 7, 7, GREEN }, { 8, 0, BLACK }, { 0, 8, BLACK } },
      1,
      1 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
