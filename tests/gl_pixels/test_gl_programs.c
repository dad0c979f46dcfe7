// Programs of GLSL: objects and their lives, locations, uniforms, what is in their way.
#include <stdio.h>
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define PLAIN "void main() { gl_Position = ftransform(); gl_FrontColor = gl_Color; }"

static void set(struct scene *s, int location, double r, double g, double b)
{
    call(s, "glUniform4f", "iffff", location, r, g, b, 1.0);
}

// Numbers are the recorded driver's. What fits nothing changes nothing.
static void uniforms(struct scene *s)
{
    use_program(s, 10, PLAIN,
                "uniform vec4 a[2]; uniform vec4 b; uniform mat2 m; uniform bool on;\n"
                "void main() { gl_FragColor = on ? a[1] + b * m[0].y : a[0]; }");
    locate(s, 10, "b", 7);
    locate(s, 10, "a[1]", 41);
    set(s, 40, 1, 0, 0); // a[0] is in front of it
    set(s, 41, 0, 1, 0);
    quad(s, 0, 0, 8, 8);
    set(s, 39, 0, 0, 1);
    set(s, 42, 0, 0, 1);
    set(s, -2, 0, 0, 1);
    set(s, 65535, 0, 0, 1);
    set(s, 65536, 0, 0, 1);
    set(s, INT32_MAX, 0, 0, 1);
    call(s, "glUniform3f", "ifff", 40, 0.0, 0.0, 1.0);
    call(s, "glUniform4i", "iiiii", 40, 0, 0, 1, 1);
    call(s, "glUniform4fv", "iiF", 40, -1, FLOATS(0, 0, 1, 1));
    quad(s, 8, 0, 16, 8);
    locate(s, 10, "on", 3);
    locate(s, 10, "m", 5);
    call(s, "glUniform1i", "ii", 3, 5);
    call(s, "glUniformMatrix2fv", "iieF", 5, 1, 1u, FLOATS(0, 0, 1, 0)); // transposed
    set(s, 7, 0, 0, 1);
    quad(s, 16, 0, 24, 8);                                                 // a[1] + b
    call(s, "glUniform4fv", "iiF", 40, 9, FLOATS(1, 1, 1, 1, 1, 0, 0, 1)); // too many
    quad(s, 24, 0, 32, 8);
}

// Nobody asked: one behind the other, around those with a number of their own.
static void placed(struct scene *s)
{
    use_program(
        s, 10, PLAIN,
        "#version 330 compatibility\n#extension GL_ARB_explicit_uniform_location : "
        "require\n"
        "layout(location = 1) uniform vec4 held; uniform vec4 first, pair[2];\n"
        "void main() { gl_FragColor = held + first + pair[0] + pair[1]; }");
    set(s, 1, 1, 0, 0);
    quad(s, 0, 0, 8, 8);
    set(s, 0, 0, 1, 0);
    quad(s, 8, 0, 16, 8);
    set(s, 3, 0, 0, 1); // pair[1]
    quad(s, 16, 0, 24, 8);
    set(s, 4, 1, 1, 1);
    quad(s, 24, 0, 32, 8);
}

// Numbers of 64 bits, which only a function of their kind sets.
static void wide_uniforms(struct scene *s)
{
    use_program(
        s, 10, PLAIN,
        "#version 400 compatibility\n#extension GL_ARB_gpu_shader_int64 : require\n"
        "uniform i64vec2 i; uniform uint64_t u[2]; uniform double d;\n"
        "void main() { gl_FragColor = vec4(i.y == -(1l << 40), u[1] >> 63,\n"
        "d == 0.1lf, 1.0); }");
    locate(s, 10, "i", 4);
    locate(s, 10, "u", 5);
    locate(s, 10, "d", 7);
    call(s, "glUniform2i64vARB", "iiI", 4, 1, INTEGERS(5, -(INT64_C(1) << 40)));
    quad(s, 0, 0, 8, 8);
    call(s, "glUniform1ui64ARB", "ip", 6, UINT64_C(1) << 63);
    quad(s, 8, 0, 16, 8);
    call(s, "glProgramUniform1d", "iif", 10, 7, 0.1);
    quad(s, 16, 0, 24, 8);
    call(s, "glUniform2i", "iii", 4, 5, 6);
    call(s, "glUniform1i64ARB", "ii", 6, 0);
    call(s, "glUniform1f", "if", 7, 0.0);
    quad(s, 24, 0, 32, 8);
}

// The fixed function goes on where a program cannot be used.
static void failures(struct scene *s)
{
    color(s, GREEN);
    use_program(s, 10, PLAIN, "void main() { gl_FragColor = nothing; }");
    quad(s, 0, 0, 8, 8);
    attach_program(s, 20, PLAIN, "void main() { gl_FragColor = undeclared; }");
    call(s, "glLinkProgram", "i", 20);
    call(s, "glGetProgramiv", "ieI", 20, GL_LINK_STATUS, INTEGERS(0));
    call(s, "glUseProgram", "i", 20); // as it was recorded
    quad(s, 8, 0, 16, 8);
    call(s, "glUseProgram", "i", 11); // a shader
    call(s, "glUseProgram", "i", 99);
    call(s, "glCreateProgram", "=i", 30);
    call(s, "glLinkProgram", "i", 30);
    call(s, "glUseProgram", "i", 30); // nothing in it
    quad(s, 16, 0, 24, 8);
    use_program(s, 40, PLAIN, NULL);
    call(s, "glGetProgramiv", "ieI", 40, GL_LINK_STATUS, INTEGERS(1));
    quad(s, 24, 0, 32, 8); // half a program
    static const char red[] =
        "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }";
    attach_program(s, 50, PLAIN, red);
    call(s, "glGetShaderiv", "ieI", 52, GL_COMPILE_STATUS, INTEGERS(0));
    call(s, "glLinkProgram", "i", 50);
    call(s, "glUseProgram", "i", 50); // of a shader that the recorded driver refused
    quad(s, 0, 8, 8, 16);
    s->unsupported = 1; // a text
}

// What is in use lives on; a link begins anew.
static void lives(struct scene *s)
{
    use_program(s, 10, PLAIN, "uniform vec4 c; void main() { gl_FragColor = c; }");
    set(s, 0, 1, 0, 0);
    call(s, "glDeleteShader", "i", 11);
    call(s, "glDeleteProgram", "i", 10);
    quad(s, 0, 0, 8, 8);
    call(s, "glUseProgram", "i", 0);
    call(s, "glUseProgram", "i", 10); // gone
    color(s, GREEN);
    quad(s, 8, 0, 16, 8);
    use_program(s, 20, PLAIN,
                "#version 120\nuniform vec4 c = vec4(0.0, 0.0, 1.0, 1.0);\n"
                "void main() { gl_FragColor = c; }");
    set(s, 0, 1, 0, 0);
    call(s, "glLinkProgram", "i", 20);
    call(s, "glUseProgram", "i", 20);
    quad(s, 16, 0, 24, 8);
    call(s, "glDetachShader", "ii", 20, 22);
    call(s, "glDetachShader", "ii", 20, 22);
    quad(s, 24, 0, 32, 8); // as it was linked
}

// Attaches another text for fragments and links anew.
static void relink(struct scene *s, int program, int shader, const char *fragment)
{
    call(s, "glCreateShader", "e=i", GL_FRAGMENT_SHADER, shader);
    call(s, "glShaderSource", "iiBn", shader, 1, TEXT(fragment));
    call(s, "glCompileShader", "i", shader);
    call(s, "glDetachShader", "ii", program, program + 2);
    call(s, "glAttachShader", "ii", program, shader);
    call(s, "glLinkProgram", "i", program);
    call(s, "glDetachShader", "ii", program, shader);
    call(s, "glAttachShader", "ii", program, program + 2);
}

// A link that fails: what is in use goes on as it was, until another one is used.
static void relinked(struct scene *s)
{
    static const char bad[] = "void main() { gl_FragColor = nothing; }";
    color(s, GREEN);
    use_program(s, 10, PLAIN, "uniform vec4 c; void main() { gl_FragColor = c; }");
    locate(s, 10, "c", 3);
    set(s, 3, 1, 0, 0);
    relink(s, 10, 14, bad);
    call(s, "glGetProgramiv", "ieI", 10, GL_LINK_STATUS, INTEGERS(0));
    set(s, 3, 0, 0, 1);               // rejected
    call(s, "glUseProgram", "i", 10); // likewise: it stays
    quad(s, 0, 0, 8, 8);
    relink(s, 10, 15, "");
    relink(s, 10, 16, bad); // nobody asks
    quad(s, 8, 0, 16, 8);
    relink(s, 10, 17, "void main() { gl_FragColor = vec4(0.0, 0.0, 1.0, 1.0); }");
    quad(s, 16, 0, 24, 8);
    relink(s, 10, 18, bad);
    call(s, "glUseProgram", "i", 0);
    call(s, "glUseProgram", "i", 10); // rejected
    quad(s, 24, 0, 32, 8);
    s->unsupported = 3; // what nobody asked about
}

// What a program writes must be of the target's kind: else nothing is written.
static void kinds(struct scene *s)
{
    static const uint8_t none[4 * SIDE * SIDE] = { 0 };
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D, 3);
    call(s, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_RGBA8UI, SIDE, SIDE, 0,
         GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, sizeof none, none);
    call(s, "glBindFramebuffer", "ei", GL_FRAMEBUFFER, 6);
    call(s, "glFramebufferTexture", "eeii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, 3, 0);
    use_program(s, 10, PLAIN,
                "#version 130\nout ivec4 c; void main() { c = ivec4(1); }"); // signed
    quad(s, 0, 0, 32, 8);
    use_program(s, 20, PLAIN, "void main() { gl_FragColor = vec4(1.0); }");
    quad(s, 0, 0, 32, 8);
    use_program(s, 30, PLAIN,
                "#version 130\nout uvec4 c; void main() { c = uvec4(255u); }");
    quad(s, 0, 0, 32, 8);
    call(s, "glBindFramebuffer", "ei", GL_FRAMEBUFFER, 0);
    quad(s, 0, 0, 16, 8); // not of integers
    use_program(s, 40, PLAIN,
                "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }");
    quad(s, 16, 0, 32, 8);
}

static void sides(struct scene *s)
{
    use_program(s, 10,
                "void main() { gl_Position = ftransform();\n"
                "gl_FrontColor = vec4(1.0, 0.0, 0.0, 1.0);\n"
                "gl_BackColor = vec4(0.0, 0.0, 1.0, 1.0); }",
                "void main() { gl_FragColor = gl_Color; }");
    quad(s, 0, 0, 8, 8);
    quad(s, 16, 0, 8, 8); // away from the viewer
    call(s, "glEnable", "e", GL_VERTEX_PROGRAM_TWO_SIDE);
    quad(s, 16, 0, 24, 8);
    quad(s, 32, 0, 24, 8);
}

static void dot(struct scene *s, double x, double y)
{
    call(s, "glBegin", "e", GL_POINTS);
    call(s, "glVertex2f", "ff", x, y);
    call(s, "glEnd", "");
}

// The state's size, whatever the program writes or does not, unless it is to.
static void points(struct scene *s)
{
    call(s, "glPointSize", "f", 6.0);
    use_program(s, 10,
                "void main() { gl_Position = ftransform(); gl_PointSize = 2.0; }",
                "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }");
    dot(s, 8, 8);
    call(s, "glEnable", "e", GL_PROGRAM_POINT_SIZE);
    dot(s, 24, 8);
    call(s, "glDisable", "e", GL_PROGRAM_POINT_SIZE);
    use_program(s, 20, PLAIN,
                "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }");
    dot(s, 8, 24);
    call(s, "glPointSize", "f", 1.0);
    dot(s, 20, 24); // between four pixels: the one above and to the right
}

// A quad of which one diagonal is red, one green: what fragments take of one vertex
// alone decides which.
static void flat_quads(struct scene *s)
{
    static const char *const texts[2][2] = {
        { "#version 130\nout float r, f; void main() { gl_Position = ftransform();\n"
          "r = gl_Color.r; f = 0.0; }",
          "#version 130\nin float r, f; void main() {\n"
          "gl_FragColor = vec4(r + f > 0.5, r + f <= 0.5, 0.0, 1.0); }" },
        { "#version 130\nout float r; flat out float f;\n"
          "void main() { gl_Position = ftransform(); r = gl_Color.r; f = 0.0; }",
          "#version 130\nin float r; flat in float f; void main() {\n"
          "gl_FragColor = vec4(r + f > 0.5, r + f <= 0.5, 0.0, 1.0); }" },
    };
    for (int i = 0; i < 2; i++) {
        use_program(s, 10 * i + 10, texts[i][0], texts[i][1]);
        call(s, "glBegin", "e", GL_QUADS);
        for (int k = 0; k < 4; k++) {
            call(s, "glColor3f", "fff", k & 1 ? 0.0 : 1.0, 0.0, 0.0);
            call(s, "glVertex2f", "ff", 16.0 * i + (k == 1 || k == 2 ? 16 : 0),
                 k > 1 ? 16.0 : 0.0);
        }
        call(s, "glEnd", "");
    }
}

// Fronts as lines, backs filled: of triangles the device tells which is which; of quads
// nobody does.
static void sided(struct scene *s)
{
    static const uint32_t modes[] = { GL_TRIANGLES, GL_QUADS };
    use_program(s, 10, PLAIN,
                "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }");
    call(s, "glPolygonMode", "ee", GL_FRONT, GL_LINE);
    for (int i = 0; i < 2; i++)
        for (int turned = 0; turned < 2; turned++) {
            const double x = 16.0 * turned, y = 16.0 * i;
            call(s, "glBegin", "e", modes[i]);
            call(s, "glVertex2f", "ff", x, y);
            call(s, "glVertex2f", "ff", turned ? x : x + 15, turned ? y + 15 : y);
            call(s, "glVertex2f", "ff", x + 15, y + 15);
            if (i)
                call(s, "glVertex2f", "ff", turned ? x + 15 : x, turned ? y : y + 15);
            call(s, "glEnd", "");
        }
    call(s, "glPolygonMode", "ee", GL_FRONT, GL_FILL);
    s->unsupported = 1;
}

static void blocks(struct scene *s)
{
    static const float bytes[68] = { [0] = 1, [3] = 1, [65] = 1, [67] = 1 };
    use_program(s, 10,
                "#version 140\nin vec4 gl_Vertex; void main() {\n"
                "gl_Position = vec4(gl_Vertex.xy / 16.0 - 1.0, 0.0, 1.0); }",
                "#version 140\nlayout(std140) uniform Block { vec4 a; vec4 b; };\n"
                "out vec4 o; void main() { o = a + b; }");
    call(s, "glBindBuffer", "ei", GL_UNIFORM_BUFFER, 4);
    call(s, "glBufferData", "eiBe", GL_UNIFORM_BUFFER, (int)sizeof bytes, sizeof bytes,
         (const uint8_t *)bytes, GL_STATIC_DRAW);
    call(s, "glGetUniformBlockIndex", "iB=i", 10, TEXT("Block"), 0);
    call(s, "glUniformBlockBinding", "iii", 10, 0, 9);
    call(s, "glUniformBlockBinding", "iii", 10, 0, 4000);
    call(s, "glUniformBlockBinding", "iii", 10, 77, 2);
    quad(s, 0, 0, 8, 8); // nothing is bound: black
    call(s, "glBindBufferRange", "eiiii", GL_UNIFORM_BUFFER, 9, 4, 0, 16);
    quad(s, 8, 0, 16, 8);
    call(s, "glBindBufferRange", "eiiii", GL_UNIFORM_BUFFER, 9, 4, 256, 16);
    quad(s, 16, 0, 24, 8);
    call(s, "glBindBufferBase", "eii", GL_UNIFORM_BUFFER, 9, 4);
    call(s, "glBufferSubData", "eiiB", GL_UNIFORM_BUFFER, 16, 16, (size_t)16,
         (const uint8_t *)&bytes[64]);
    quad(s, 24, 0, 32, 8);
}

// Units by number, incomplete ones black.
static void samplers(struct scene *s)
{
    call(s, "glActiveTexture", "e", GL_TEXTURE0 + 20);
    texels(s, 3, RED, false);
    call(s, "glActiveTexture", "e", GL_TEXTURE0);
    texels(s, 4, GREEN, false);
    use_program(
        s, 10, PLAIN,
        "uniform sampler2D t; void main() { gl_FragColor = texture2D(t, vec2(0.5)); }");
    quad(s, 0, 0, 8, 8);
    call(s, "glUniform1i", "ii", 0, 20);
    quad(s, 8, 0, 16, 8);
    call(s, "glUniform1i", "ii", 0, 21);
    quad(s, 16, 0, 24, 8);
    call(s, "glUniform1i", "ii", 0, 20);
    call(s, "glUniform1i", "ii", 0, 100000);
    call(s, "glUniform1i", "ii", 0, -1);
    quad(s, 24, 0, 32, 8);
}

// Beyond a texture's edges: one texel, mirrored at 0, then the border. What of an array
// of textures clamps otherwise than the first one is refused by name.
static void beyond(struct scene *s)
{
    texels(s, 3, RED, false);
    call(s, "glTexParameterfv", "eeF", GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR,
         FLOATS(0, 0, 1, 1));
    for (uint32_t i = 0; i < 2; i++)
        call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_WRAP_S + i,
             GL_MIRROR_CLAMP_TO_BORDER_EXT);
    use_program(s, 10, PLAIN,
                "#version 130\nuniform float x; uniform sampler2D t;\n"
                "vec4 look(sampler2D s) { return texture(s, vec2(x, 0.5)); }\n"
                "void main() { gl_FragColor = look(t); }");
    locate(s, 10, "x", 5);
    call(s, "glUniform1f", "if", 5, -0.5);
    quad(s, 0, 0, 8, 8);
    call(s, "glUniform1f", "if", 5, -1.5);
    quad(s, 8, 0, 16, 8);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    quad(s, 16, 0, 24, 8);
    call(s, "glActiveTexture", "e", GL_TEXTURE0 + 1);
    texels(s, 4, GREEN, false);
    call(s, "glActiveTexture", "e", GL_TEXTURE0);
    use_program(s, 20, PLAIN,
                "#version 400 compatibility\nuniform sampler2D t[2];\n"
                "void main() { gl_FragColor = texture(t[1], vec2(0.5)); }");
    locate(s, 20, "t[1]", 8);
    call(s, "glUniform1i", "ii", 8, 1);
    quad(s, 24, 0, 32, 8);
    s->unsupported = 1;
}

// A texel each: of a buffer, of what it became, of another range, of three components.
static void texel_buffers(struct scene *s)
{
    static const uint8_t bytes[40] = {
        [0] = 255, [3] = 255, [17] = 255, [19] = 255, [34] = 0x80, [35] = 0x3F
    };
    static const uint8_t blue[4] = { 0, 0, 255, 255 };
    use_program(s, 10, PLAIN,
                "#version 140\nuniform samplerBuffer t; uniform int at; void main() {\n"
                "  gl_FragColor = texelFetch(t, at); }");
    call(s, "glBindBuffer", "ei", GL_TEXTURE_BUFFER, 4);
    call(s, "glBufferData", "eiBe", GL_TEXTURE_BUFFER, (int)sizeof bytes, sizeof bytes,
         bytes, GL_STATIC_DRAW);
    call(s, "glBindTexture", "ei", GL_TEXTURE_BUFFER, 5);
    call(s, "glTexBuffer", "eei", GL_TEXTURE_BUFFER, GL_RGBA8, 4);
    quad(s, 0, 0, 8, 8);
    call(s, "glBufferSubData", "eiiB", GL_TEXTURE_BUFFER, 0, 4, (size_t)4, blue);
    quad(s, 8, 0, 16, 8);
    call(s, "glTexBufferRange", "eeiii", GL_TEXTURE_BUFFER, GL_RGBA8, 4, 16, 8);
    quad(s, 16, 0, 24, 8);
    call(s, "glTexBuffer", "eei", GL_TEXTURE_BUFFER, GL_RGB32F, 4);
    locate(s, 10, "at", 1);
    call(s, "glUniform1i", "ii", 1, 2);
    quad(s, 24, 0, 32, 8);
}

static void array(struct scene *s, int index, int size, int offset, int divisor)
{
    call(s, "glVertexAttribPointer", "iieeip", index, size, GL_FLOAT, 0u, 0, P(offset));
    call(s, "glEnableVertexAttribArray", "i", index);
    call(s, "glVertexAttribDivisor", "ii", index, divisor);
}

// Columns of 8: of a corner and a step of each instance, of numbers of both.
// Arrays of arrays: each inner array of textures has a location, each block a number.
static void arrays_of_arrays(struct scene *s)
{
    static const float blocks[2][4] = { { 0, 1, 0, 1 }, { 1, 0, 0, 1 } };
    static const uint32_t rgb[] = { RED, BLUE };
    use_program(
        s, 10,
        "#version 430 compatibility\n"
        "void main() { gl_Position = ftransform(); gl_FrontColor = gl_Color; }",
        "#version 430 compatibility\n"
        "uniform sampler2D t[2][3]; uniform B { vec4 c; } b[2][2];\n"
        "uniform int one; void main() {\n"
        "vec4 v = texture(t[1][2], vec2(0.5)) + texture(t[one][0], vec2(0.5));\n"
        "gl_FragColor = gl_FragCoord.x < 8.0 ? v : gl_FragCoord.x < 16.0 ? \n"
        "b[1][0].c : b[one][1].c; }");
    locate(s, 10, "t[1]", 1);
    locate(s, 10, "one", 8);
    call(s, "glUniform1i", "ii", 8, 1);
    for (int i = 0; i < 2; i++) {
        call(s, "glActiveTexture", "e", GL_TEXTURE0 + 4 + i);
        texels(s, 5 + (uint32_t)i, rgb[i], false);
        call(s, "glUniform1i", "ii", 1 + 2 * i, 4 + i);
        call(s, "glBindBufferBase", "eii", GL_UNIFORM_BUFFER, 6 + i, 20 + i);
        call(s, "glBufferData", "eiBe", GL_UNIFORM_BUFFER, 16, sizeof blocks[i],
             (const uint8_t *)blocks[i], GL_STATIC_DRAW);
        call(s, "glUniformBlockBinding", "iii", 10, 2 + i, 6 + i);
    }
    quad(s, 0, 0, 24, 8);
}

// Attributes of one number, of which a vertex reads one: as three components, or as
// two.
static void aliased(struct scene *s)
{
    attach_program(
        s, 10,
        "#version 120\nattribute vec2 corner, other; attribute vec3 one;\n"
        "varying vec3 color; void main() { color = corner.x < 16.0 ? one :\n"
        "vec3(other, 0.0); gl_Position = vec4(corner / 16.0 - 1.0, 0.0, 1.0); }",
        "#version 120\nvarying vec3 color;\n"
        "void main() { gl_FragColor = vec4(color, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", 10, 0, TEXT("corner"));
    call(s, "glBindAttribLocation", "iiB", 10, 3, TEXT("one"));
    call(s, "glBindAttribLocation", "iiB", 10, 3, TEXT("other"));
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    call(s, "glVertexAttrib3f", "ifff", 3, 1.0, 0.0, 1.0);
    quad(s, 0, 0, 8, 8);
    quad(s, 20, 0, 28, 8);
}

static void instances(struct scene *s)
{
    static const float numbers[] = { 0, 0, 8, 0, 0, 8, 8, 8, -50, 0, 8 };
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, 5);
    call(s, "glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)sizeof numbers,
         sizeof numbers, (const uint8_t *)numbers, GL_STATIC_DRAW);
    attach_program(
        s, 10,
        "#version 120\nattribute vec2 corner; attribute float at; void main() {\n"
        "gl_Position = vec4((corner + vec2(at, 0.0)) / 16.0 - 1.0, 0.0, 1.0); }",
        "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", 10, 1, TEXT("corner"));
    call(s, "glBindAttribLocation", "iiB", 10, 2, TEXT("at"));
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    array(s, 1, 2, 0, 0);
    array(s, 2, 1, 32, 1);
    call(s, "glDrawArraysInstancedBaseInstance", "eiiii", GL_TRIANGLE_STRIP, 0, 4, 2,
         1);
    call(s, "glDisableVertexAttribArray", "i", 1);
    call(s, "glDisableVertexAttribArray", "i", 2);
    use_program(
        s, 20,
        "#version 130\n#extension GL_ARB_shader_draw_parameters : require\n"
        "void main() { int at = gl_InstanceID + gl_BaseInstanceARB;\n"
        "gl_Position = vec4(vec2(at + gl_VertexID % 2, gl_VertexID / 2 - 2) / 2.0\n"
        "  - 1.0 + vec2(0.0, 0.25), 0.0, 1.0); }",
        "void main() { gl_FragColor = vec4(0.0, 0.0, 1.0, 1.0); }");
    call(s, "glDrawArraysInstancedBaseInstance", "eiiii", GL_TRIANGLE_STRIP, 4, 4, 2,
         2);
}

// Columns of 8: steps of arrays beside numbers of instances, those of vertices, too.
static void steps(struct scene *s)
{
    static const float numbers[] = { 0, 0, 8, 0, 0, 8, 8, 8, -50, 8, -8, 8, -8 };
    call(s, "glBindBuffer", "ei", GL_ARRAY_BUFFER, 5);
    call(s, "glBufferData", "eiBe", GL_ARRAY_BUFFER, (int)sizeof numbers,
         sizeof numbers, (const uint8_t *)numbers, GL_STATIC_DRAW);
    s->unsupported = 1;
    attach_program(
        s, 10,
        "#version 140\nin vec2 corner; in float at; flat out int number; void main() "
        "{\n"
        "float x = at + 8.0 * float(gl_InstanceID); number = gl_InstanceID;\n"
        "gl_Position = vec4((corner + vec2(x, 0.0)) / 16.0 - 1.0, 0.0, 1.0); }",
        "#version 140\nflat in int number; out vec4 o;\n"
        "void main() { o = vec4(1 - number, number, 0.0, 1.0); }");
    call(s, "glBindAttribLocation", "iiB", 10, 1, TEXT("corner"));
    call(s, "glBindAttribLocation", "iiB", 10, 2, TEXT("at"));
    call(s, "glLinkProgram", "i", 10);
    call(s, "glUseProgram", "i", 10);
    array(s, 1, 2, 0, 0);
    array(s, 2, 1, 32, 1);
    call(s, "glDrawArraysInstancedBaseInstance", "eiiii", GL_TRIANGLE_STRIP, 0, 4, 2,
         1);
    call(s, "glDisableVertexAttribArray", "i", 1);
    call(s, "glDisableVertexAttribArray", "i", 2);
    use_program(
        s, 20,
        "#version 140\n#extension GL_ARB_shader_draw_parameters : require\n"
        "in float at; flat out int number; void main() { int v = gl_VertexID - 4;\n"
        "float x = at + 8.0 * float(gl_InstanceID + gl_BaseInstanceARB - 1);\n"
        "vec2 corner = vec2(v % 2, v / 2) * 8.0; number = gl_InstanceID;\n"
        "gl_Position = vec4((corner + vec2(x, 0.0)) / 16.0 - 1.0, 0.0, 1.0); }",
        "#version 140\nflat in int number; out vec4 o;\n"
        "void main() { o = vec4(number, number, 1 - number, 1.0); }");
    array(s, 0, 1, 32, 1);
    call(s, "glDrawArraysInstancedBaseInstance", "eiiii", GL_TRIANGLE_STRIP, 4, 4, 2,
         3);
    call(s, "glDrawArraysInstancedBaseInstance", "eiiii", GL_TRIANGLE_STRIP, 4, 4, 2,
         65537); // refused by name
}

// More varyings than there are locations: scalars and vectors share them.
static void many_varyings(struct scene *s)
{
    char vertex[4096], fragment[4096];
    int v = snprintf(vertex, sizeof vertex, "#version 150 compatibility\n");
    int f = snprintf(fragment, sizeof fragment,
                     "#version 150 compatibility\nin vec4 whole;\n");
    for (int i = 0; i < 36; i++) {
        const char *const types[] = { "float", "vec2", "flat int", "vec3" };
        const char *type = types[i % 4];
        v += snprintf(vertex + v, sizeof vertex - (size_t)v, "%s out %s a%d;\n",
                      i % 4 == 2 ? "flat" : "", type + (i % 4 == 2 ? 5 : 0), i);
        f += snprintf(fragment + f, sizeof fragment - (size_t)f, "%s in %s a%d;\n",
                      i % 4 == 2 ? "flat" : "", type + (i % 4 == 2 ? 5 : 0), i);
    }
    v += snprintf(vertex + v, sizeof vertex - (size_t)v,
                  "out vec4 whole; void main() { gl_Position = ftransform();\n"
                  "whole = gl_Vertex;\n");
    f += snprintf(fragment + f, sizeof fragment - (size_t)f,
                  "void main() { bool good = true;\n");
    for (int i = 0; i < 36; i++) {
        static const char *const sums[] = { "a%d", "a%d.x + a%d.y", "a%d",
                                            "a%d.x + a%d.y + a%d.z" };
        char sum[64];
        snprintf(sum, sizeof sum, sums[i % 4], i, i, i);
        v += snprintf(vertex + v, sizeof vertex - (size_t)v, "a%d = %s(%d);\n", i,
                      i % 4 == 0   ? "float"
                      : i % 4 == 1 ? "vec2"
                      : i % 4 == 2 ? "int"
                                   : "vec3",
                      i);
        f += snprintf(fragment + f, sizeof fragment - (size_t)f,
                      "good = good && abs(float(%s) - %d.0) < 0.01;\n", sum,
                      i * (i % 4 == 1   ? 2
                           : i % 4 == 3 ? 3
                                        : 1));
    }
    snprintf(vertex + v, sizeof vertex - (size_t)v, "}");
    snprintf(fragment + f, sizeof fragment - (size_t)f,
             "gl_FragColor = good ? vec4(0.0, whole.w, 0.0, 1.0) : vec4(1.0); }");
    use_program(s, 10, vertex, fragment);
    quad(s, 0, 0, 32, 8);
}

// Columns of 8 by the number of a draw among several, and by what is added to indices.
static void draw_numbers(struct scene *s)
{
    static const int64_t firsts[] = { 0, 0 }, counts[] = { 4, 4 };
    static const uint8_t indices[] = { 0, 1, 2, 3 };
    call(s, "glBindBuffer", "ei", GL_ELEMENT_ARRAY_BUFFER, 6);
    call(s, "glBufferData", "eiBe", GL_ELEMENT_ARRAY_BUFFER, 4, sizeof indices, indices,
         GL_STATIC_DRAW);
    use_program(s, 10,
                "#version 150 compatibility\n"
                "#extension GL_ARB_shader_draw_parameters : require\n"
                "flat out vec3 color; void main() {\n"
                "int v = gl_VertexID - gl_BaseVertexARB;\n"
                "vec2 at = vec2(v % 2 + gl_DrawIDARB, v / 2);\n"
                "at.x += gl_BaseVertexARB == 0 ? 0 : gl_BaseVertexARB == 7 ? 2 : 3;\n"
                "color = vec3(gl_DrawIDARB, 1 - gl_DrawIDARB, gl_BaseVertexARB);\n"
                "gl_Position = vec4(at / 2.0 - 1.0, 0.0, 1.0); }",
                "#version 150 compatibility\nflat in vec3 color;\n"
                "void main() { gl_FragColor = vec4(color, 1.0); }");
    call(s, "glMultiDrawArrays", "eIIi", GL_TRIANGLE_STRIP, (size_t)2, firsts,
         (size_t)2, counts, 2);
    call(s, "glDrawElementsBaseVertex", "eiepi", GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE,
         UINT64_C(0), 7);
    call(s, "glDrawElementsBaseVertex", "eiepi", GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE,
         UINT64_C(0), 9);
}

#define CHOOSES                                                    \
    "#version 150 compatibility\n"                                 \
    "#extension GL_ARB_shader_viewport_layer_array : require\n"    \
    "flat out int number; void main() { number = gl_InstanceID;\n" \
    "vec2 at = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;\n"
#define NUMBERED                                        \
    "#version 150 compatibility\nflat in int number;\n" \
    "void main() { gl_FragColor = vec4(1 - number, number, 0.0, 1.0); }"

// Each instance goes to a viewport of its own, the third one's scissor is elsewhere.
static void viewports(struct scene *s)
{
    static const float places[] = { 0, 0, 8, 8, 8, 0, 8, 8, 16, 0, 8, 8 };
    use_program(s, 10,
                CHOOSES "gl_ViewportIndex = number; gl_Position = vec4(at, 0, 1); }",
                NUMBERED);
    call(s, "glScissorIndexed", "iiiii", 2, 0, 0, 8, 8);
    call(s, "glEnablei", "ei", GL_SCISSOR_TEST, 2);
    call(s, "glViewportArrayv", "iiF", 0, 3, (size_t)12, places);
    call(s, "glPushAttrib", "e", GL_VIEWPORT_BIT | GL_SCISSOR_BIT);
    call(s, "glViewport", "iiii", 0, 0, 32, 32); // of all
    call(s, "glEnable", "e", GL_SCISSOR_TEST);   // likewise
    call(s, "glPopAttrib", "");
    call(s, "glDrawArraysInstanced", "eiii", GL_TRIANGLE_STRIP, 0, 4, 3);
    call(s, "glViewport", "iiii", 24, 0, 8, 8);
    call(s, "glScissor", "iiii", 24, 0, 8, 4);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glDrawArraysInstanced", "eiii", GL_TRIANGLE_STRIP, 0, 4, 2);
}

// OpenGL draws instance by instance; fronts and backs that are drawn apart do not.
static void sided_instances(struct scene *s)
{
    use_program(s, 10, CHOOSES "gl_Position = vec4(at, 0, 1); }", NUMBERED);
    call(s, "glPolygonMode", "ee", GL_FRONT, GL_LINE);
    call(s, "glDrawArraysInstanced", "eiii", GL_TRIANGLES, 0, 3, 2);
    call(s, "glPolygonMode", "ee", GL_FRONT, GL_FILL);
    s->unsupported = 1;
}

// Each instance goes to a layer of its own; a target of one takes all of them.
static void layers(struct scene *s)
{
    call(s, "glBindTexture", "ei", GL_TEXTURE_2D_ARRAY, 3);
    call(s, "glTexImage3D", "eieiiiieen", GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 2, 0,
         GL_RGBA, GL_UNSIGNED_BYTE);
    call(s, "glTexParameteri", "eee", GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER,
         GL_NEAREST);
    call(s, "glBindFramebuffer", "ei", GL_FRAMEBUFFER, 6);
    call(s, "glFramebufferTexture", "eeii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, 3, 0);
    call(s, "glViewport", "iiii", 0, 0, 4, 4);
    clear_to(s, BLUE);
    use_program(
        s, 10,
        CHOOSES
        "gl_Layer = number; gl_Position = vec4(at.x * 0.5 - 0.5, at.y, 0, 1); }",
        NUMBERED);
    call(s, "glDrawArraysInstanced", "eiii", GL_TRIANGLE_STRIP, 0, 4, 2);
    call(s, "glFramebufferTextureLayer", "eeiii", GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1,
         3, 0, 1);
    clear_to(s, WHITE); // incomplete: one has all layers, the other does not
    call(s, "glBindFramebuffer", "ei", GL_FRAMEBUFFER, 0);
    call(s, "glViewport", "iiii", 0, 8, 32, 8);
    call(s, "glDrawArraysInstanced", "eiii", GL_TRIANGLE_STRIP, 0, 4, 2);
    use_program(s, 20,
                "#version 150 compatibility\nvoid main() {\n"
                "vec2 at = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;\n"
                "gl_Position = vec4(at, 0.0, 1.0); }",
                "#version 150 compatibility\nuniform sampler2DArray t; void main() {\n"
                "int at = int(gl_FragCoord.x) / 8; gl_FragColor = texture(t,\n"
                "vec3(at % 2 == 0 ? 0.25 : 0.75, 0.5, float(at / 2))); }");
    call(s, "glViewport", "iiii", 0, 0, 32, 8);
    call(s, "glDrawArrays", "eii", GL_TRIANGLE_STRIP, 0, 4);
}

#define FOUR(a, b, c, d)                         \
    {                                            \
        { 4, 4, a }, { 12, 4, b }, { 20, 4, c }, \
        {                                        \
            28, 4, d                             \
        }                                        \
    }
enum { YELLOW = 0xFFFF00, CYAN = 0x00FFFF, MAGENTA = 0xFF00FF };

// Unseamed, what lies beyond the edge of a face is the face's own edge, in arrays too.
static void unseamed(struct scene *s)
{
    uint8_t faces[12][2 * 2 * 4];
    for (uint32_t face = 0; face < 12; face++)
        for (uint32_t i = 0; i < sizeof faces[0]; i++)
            faces[face][i] = i % 4 == 3 || i % 4 == (face == 6 ? 1u : 2u) ? 255 : 0;
    use_program(s, 10, "#version 130\nvoid main() { gl_Position = ftransform(); }",
                "#version 130\n#extension GL_ARB_texture_cube_map_array : require\n"
                "uniform samplerCubeArray t; void main() {\n"
                "  gl_FragColor = texture(t, vec4(1.0, 0.98, 0.5, 1.0)); }");
    call(s, "glTexParameteri", "eee", GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_MIN_FILTER,
         GL_LINEAR);
    call(s, "glTexImage3D", "eieiiiieeB", GL_TEXTURE_CUBE_MAP_ARRAY, 0, GL_RGBA8, 2, 2,
         12, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof faces, &faces[0][0]);
    quad(s, 0, 0, 8, 8);
}

static const struct draw_row rows[] = {
    { "unseamed", unseamed, SIDE, { { 4, 4, GREEN } }, 1, 1 },
    { "uniforms", uniforms, SIDE, FOUR(RED, RED, CYAN, MAGENTA), 1, 3 },
    { "placed", placed, SIDE, FOUR(RED, YELLOW, WHITE, WHITE), 1, 3 },
    { "wide_uniforms", wide_uniforms, SIDE, FOUR(RED, YELLOW, WHITE, WHITE), 1, 3 },
    { "failures",
      failures,
      SIDE,
      { { 4, 4, GREEN },
        { 12, 4, GREEN },
        { 20, 4, GREEN },
        { 28, 4, GREEN },
        { 4, 12, GREEN } },
      1,
      2 },
    { "lives", lives, SIDE, FOUR(RED, GREEN, BLUE, BLUE), 1, 3 },
    { "relinked", relinked, SIDE, FOUR(RED, RED, BLUE, GREEN), 1, 3 },
    { "kinds", kinds, SIDE, FOUR(BLACK, BLACK, RED, RED), 4, 3 },
    { "sides", sides, SIDE, FOUR(RED, RED, RED, BLUE), 1, 2 },
    { "points",
      points,
      SIDE,
      { { 8, 8, RED },
        { 5, 5, RED },
        { 23, 7, RED },
        { 24, 8, RED },
        { 26, 8, BLACK },
        { 5, 21, GREEN },
        { 20, 24, GREEN },
        { 19, 24, BLACK } },
      1,
      4 },
    { "flat_quads", flat_quads, SIDE, { { 8, 8, RED }, { 24, 8, GREEN } }, 1, 2 },
    { "sided", sided, SIDE, { { 10, 4, BLACK }, { 20, 10, RED } }, 1, 8 },
    { "sided_instances", sided_instances, SIDE, { { 4, 4, BLACK } }, 1, 2 },
    { "blocks", blocks, SIDE, FOUR(BLACK, RED, GREEN, YELLOW), 1, 4 },
    { "arrays_of_arrays", arrays_of_arrays, SIDE, FOUR(MAGENTA, GREEN, RED, BLACK), 2,
      1 },
    { "aliased", aliased, SIDE, { { 4, 4, MAGENTA }, { 24, 4, RED } }, 1, 1 },
    { "instances",
      instances,
      SIDE,
      { { 4, 4, RED },
        { 12, 4, RED },
        { 20, 4, BLUE },
        { 28, 4, BLUE },
        { 22, 10, BLUE },
        { 20, 2, BLACK } },
      1,
      2 },
    { "texel_buffers", texel_buffers, SIDE, FOUR(RED, BLUE, GREEN, BLUE), 5, 4 },
    { "steps", steps, SIDE, FOUR(GREEN, RED, YELLOW, BLUE), 1, 2 },
    { "many_varyings", many_varyings, SIDE, FOUR(GREEN, GREEN, GREEN, GREEN), 1, 1 },
    { "draw_numbers", draw_numbers, SIDE, FOUR(GREEN, RED, CYAN, CYAN), 1, 4 },
    { "viewports",
      viewports,
      SIDE,
      { { 4, 4, RED },
        { 12, 4, GREEN },
        { 20, 4, BLACK },
        { 28, 2, GREEN },
        { 28, 6, BLACK } },
      1,
      2 },
    { "layers",
      layers,
      SIDE,
      { { 4, 4, RED },
        { 12, 4, BLUE },
        { 20, 4, GREEN },
        { 28, 4, BLUE },
        { 4, 12, GREEN },
        { 28, 12, BLACK } },
      3,
      3 },
    { "beyond", beyond, SIDE, FOUR(RED, BLUE, RED, BLACK), 1, 3 },
    { "samplers", samplers, SIDE, FOUR(GREEN, RED, BLACK, RED), 2, 4 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
