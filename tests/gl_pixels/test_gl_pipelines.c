// Separate programs in pipelines: whose uniforms count, which stages meet.
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

#define PLACED                                                 \
    "#version 150 compatibility\n"                             \
    "out gl_PerVertex { vec4 gl_Position; };\n"                \
    "void main() { gl_Position = gl_ModelViewProjectionMatrix" \
    " * gl_Vertex; }"
#define TINTED                                                     \
    "#version 150 compatibility\nuniform vec4 tint; out vec4 o;\n" \
    "void main() { o = tint; }"

static void stage(struct scene *s, uint32_t type, int program, const char *text)
{
    call(s, "glCreateShaderProgramv", "eiB=i", type, 1, TEXT(text), program);
}

static void join(struct scene *s, int pipeline, int vertex, int fragment)
{
    call(s, "glUseProgramStages", "iii", pipeline, GL_VERTEX_SHADER_BIT, vertex);
    call(s, "glUseProgramStages", "iii", pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
}

static void set(struct scene *s, int program, double r, double g, double b)
{
    call(s, "glProgramUniform4f", "iiffff", program, 0, r, g, b, 1.0);
}

// Uniforms of one name are each program's own; glUniform's is the active one's.
static void uniforms(struct scene *s)
{
    stage(s, GL_VERTEX_SHADER, 10,
          "#version 150 compatibility\nuniform vec4 tint; out vec4 from;\n"
          "out gl_PerVertex { vec4 gl_Position; };\n"
          "void main() { from = tint;\n"
          "gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }");
    stage(s, GL_FRAGMENT_SHADER, 11,
          "#version 150 compatibility\nuniform vec4 tint; in vec4 from; out vec4 o;\n"
          "struct S { vec4 tint; }; void main() { S s = S(tint);\n"
          "o = vec4(from.rg, s.tint.b, 1.0); }");
    stage(s, GL_FRAGMENT_SHADER, 12,
          "#version 150 compatibility\nuniform vec4 tint; in vec4 from; out vec4 o;\n"
          "void main() { o = vec4(from.r, tint.gb, 1.0); }");
    call(s, "glGenProgramPipelines", "iI", 1, INTEGERS(5));
    join(s, 5, 10, 11);
    call(s, "glBindProgramPipeline", "i", 5);
    set(s, 10, 1, 0, 1);
    set(s, 11, 0, 1, 0);
    quad(s, 0, 0, 8, 8); // red alone
    call(s, "glActiveShaderProgram", "ii", 5, 11);
    call(s, "glUniform4f", "iffff", 0, 0.0, 1.0, 1.0, 1.0);
    quad(s, 8, 0, 16, 8); // red, blue
    set(s, 12, 0, 1, 0);
    call(s, "glUseProgramStages", "iii", 5, GL_FRAGMENT_SHADER_BIT, 12);
    quad(s, 16, 0, 24, 8); // red, green
    call(s, "glActiveShaderProgram", "ii", 5, 10);
    call(s, "glUniform4f", "iffff", 0, 0.0, 0.0, 1.0, 1.0);
    quad(s, 24, 0, 32, 8); // green
}

// What is in use comes before what is bound; links of stages count at once.
static void order(struct scene *s)
{
    stage(s, GL_VERTEX_SHADER, 10, PLACED);
    stage(s, GL_FRAGMENT_SHADER, 11, TINTED);
    set(s, 11, 1, 0, 0);
    join(s, 5, 10, 11);
    call(s, "glBindProgramPipeline", "i", 5);
    quad(s, 0, 0, 8, 8);
    call(s, "glCreateProgram", "=i", 20);
    call(s, "glCreateShader", "e=i", GL_FRAGMENT_SHADER, 21);
    call(s, "glShaderSource", "iiBn", 21, 1,
         TEXT("#version 150 compatibility\nout vec4 o;\n"
              "void main() { o = vec4(0.0, 1.0, 0.0, 1.0); }"));
    call(s, "glCompileShader", "i", 21);
    call(s, "glAttachShader", "ii", 20, 21);
    call(s, "glProgramParameteri", "iei", 20, GL_PROGRAM_SEPARABLE, 1);
    call(s, "glLinkProgram", "i", 20);
    call(s, "glUseProgramStages", "iii", 5, GL_FRAGMENT_SHADER_BIT, 20);
    quad(s, 8, 0, 16, 8);
    call(s, "glShaderSource", "iiBn", 21, 1,
         TEXT("#version 150 compatibility\nout vec4 o;\n"
              "void main() { o = vec4(0.0, 0.0, 1.0, 1.0); }"));
    call(s, "glCompileShader", "i", 21);
    call(s, "glLinkProgram", "i", 20);
    call(s, "glDeleteProgram", "i", 20); // lives on in the pipeline
    quad(s, 16, 0, 24, 8);
    call(s, "glDeleteProgramPipelines", "iI", 1, INTEGERS(5));
    color(s, WHITE);
    quad(s, 24, 0, 32, 8); // the fixed function again
}

// Blocks of one name have points of their own; variables meet by location.
static void blocks(struct scene *s)
{
    static const float bytes[] = { 1, 0, 0, 0, 0, 1, 0, 0 };
    stage(s, GL_VERTEX_SHADER, 10,
          "#version 410 compatibility\nlayout(std140) uniform Block { vec4 a; };\n"
          "layout(location = 2) out vec4 one; layout(location = 1) out vec4 two;\n"
          "out gl_PerVertex { vec4 gl_Position; };\n"
          "void main() { one = a; two = vec4(0.5);\n"
          "gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex; }");
    stage(s, GL_FRAGMENT_SHADER, 11,
          "#version 410 compatibility\nlayout(std140) uniform Block { vec4 a; };\n"
          "layout(location = 2) in vec4 other; out vec4 o;\n"
          "void main() { o = other + a; }");
    call(s, "glBindBuffer", "ei", GL_UNIFORM_BUFFER, 4);
    call(s, "glBufferData", "eiBe", GL_UNIFORM_BUFFER, (int)sizeof bytes, sizeof bytes,
         (const uint8_t *)bytes, GL_STATIC_DRAW);
    call(s, "glBindBufferRange", "eiiii", GL_UNIFORM_BUFFER, 1, 4, 0, 16);
    call(s, "glBindBufferRange", "eiiii", GL_UNIFORM_BUFFER, 2, 4, 16, 16);
    call(s, "glUniformBlockBinding", "iii", 10, 0, 1);
    call(s, "glUniformBlockBinding", "iii", 11, 0, 2);
    join(s, 5, 10, 11);
    call(s, "glBindProgramPipeline", "i", 5);
    quad(s, 0, 0, 8, 8);
    call(s, "glUniformBlockBinding", "iii", 11, 0, 1);
    quad(s, 8, 0, 16, 8);
    call(s, "glUniformBlockBinding", "iii", 10, 0, 2);
    call(s, "glUniformBlockBinding", "iii", 11, 0, 2);
    quad(s, 16, 0, 24, 8);
}

// What GL refuses draws nothing.
static void refused(struct scene *s)
{
    stage(s, GL_VERTEX_SHADER, 10, PLACED);
    stage(s, GL_FRAGMENT_SHADER, 11, TINTED);
    set(s, 11, 1, 0, 0);
    call(s, "glCreateProgram", "=i", 20); // both stages, inseparable at first
    call(s, "glCreateShader", "e=i", GL_VERTEX_SHADER, 21);
    call(s, "glShaderSource", "iiBn", 21, 1, TEXT(PLACED));
    call(s, "glCompileShader", "i", 21);
    call(s, "glAttachShader", "ii", 20, 21);
    call(s, "glCreateShader", "e=i", GL_FRAGMENT_SHADER, 22);
    call(s, "glShaderSource", "iiBn", 22, 1, TEXT(TINTED));
    call(s, "glCompileShader", "i", 22);
    call(s, "glAttachShader", "ii", 20, 22);
    call(s, "glLinkProgram", "i", 20);
    join(s, 5, 10, 11);
    call(s, "glBindProgramPipeline", "i", 5);
    call(s, "glUseProgramStages", "iii", 5, GL_FRAGMENT_SHADER_BIT, 20);
    call(s, "glUseProgramStages", "iii", 5, 64, 0);
    call(s, "glUseProgramStages", "iii", 0, GL_FRAGMENT_SHADER_BIT, 0);
    quad(s, 0, 0, 8, 8); // as before
    call(s, "glProgramParameteri", "iei", 20, GL_PROGRAM_SEPARABLE, 2);
    call(s, "glProgramParameteri", "iei", 20, GL_PROGRAM_SEPARABLE, 1);
    call(s, "glLinkProgram", "i", 20);
    call(s, "glUseProgramStages", "iii", 5, GL_FRAGMENT_SHADER_BIT, 20);
    quad(s, 8, 0, 16, 8); // one of its two stages
    call(s, "glUseProgramStages", "iii", 5, GL_ALL_SHADER_BITS, 20);
    set(s, 20, 0, 1, 0);
    quad(s, 16, 0, 24, 8);
    call(s, "glUseProgramStages", "iii", 6, GL_FRAGMENT_SHADER_BIT, 11);
    call(s, "glBindProgramPipeline", "i", 6);
    quad(s, 24, 0, 32, 8); // one stage
}

// A name that is given again stands for the new object; who holds the old one keeps it,
// up to the end of the recording.
static void replaced(struct scene *s)
{
    stage(s, GL_VERTEX_SHADER, 10, PLACED);
    stage(s, GL_FRAGMENT_SHADER, 11, TINTED);
    set(s, 11, 1, 0, 0);
    join(s, 5, 10, 11);
    call(s, "glBindProgramPipeline", "i", 5);
    quad(s, 0, 0, 8, 8);
    stage(s, GL_FRAGMENT_SHADER, 11, TINTED);
    set(s, 11, 0, 1, 0);
    quad(s, 8, 0, 16, 8);
    call(s, "glUseProgramStages", "iii", 5, GL_FRAGMENT_SHADER_BIT, 11);
    quad(s, 16, 0, 24, 8);
    call(s, "glCreateProgram", "=i", 11);
    call(s, "glCreateShader", "e=i", GL_FRAGMENT_SHADER, 21);
    call(s, "glShaderSource", "iiBn", 21, 1, TEXT(TINTED));
    call(s, "glAttachShader", "ii", 11, 21);
    call(s, "glCreateShader", "e=i", GL_FRAGMENT_SHADER, 21);
    call(s, "glCreateProgram", "=i", 21);
    call(s, "glCreateProgram", "=i", 11);
    stage(s, GL_FRAGMENT_SHADER, 10, TINTED); // what was the vertex stage
    quad(s, 24, 0, 32, 8);
}

#define FOUR(a, b, c, d)                         \
    {                                            \
        { 4, 4, a }, { 12, 4, b }, { 20, 4, c }, \
        {                                        \
            28, 4, d                             \
        }                                        \
    }
enum { YELLOW = 0xFFFF00, MAGENTA = 0xFF00FF };

static const struct draw_row rows[] = {
    { "uniforms", uniforms, SIDE, FOUR(RED, MAGENTA, YELLOW, GREEN), 1, 4 },
    { "order", order, SIDE, FOUR(RED, GREEN, BLUE, WHITE), 1, 4 },
    { "blocks", blocks, SIDE, FOUR(YELLOW, RED, GREEN, BLACK), 1, 3 },
    { "replaced", replaced, SIDE, FOUR(RED, RED, GREEN, GREEN), 1, 2 },
    { "refused", refused, SIDE, FOUR(RED, BLACK, GREEN, RED), 1, 3 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
