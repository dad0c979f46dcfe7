// Programs of ARB assembly: objects and their lives, parameters, state, each half with
// the fixed function's other one, what draws reject.
#include <string.h>

#include "compiler/gl/base/gl_enums.h"
#include "compiler/gl/base/gl_machine.h"
#include "tests/gl_pixels/draw_scene.h"
#include "tests/test.h"

#define PLACE                                         \
    "!!ARBvp1.0\n"                                    \
    "PARAM m[4] = { state.matrix.mvp };\n"            \
    "DP4 result.position.x, m[0], vertex.position;\n" \
    "DP4 result.position.y, m[1], vertex.position;\n" \
    "DP4 result.position.z, m[2], vertex.position;\n" \
    "DP4 result.position.w, m[3], vertex.position;\n"

enum { YELLOW = 0xFFFF00, CYAN = 0x00FFFF, MAGENTA = 0xFF00FF };

static void give(struct scene *s, uint32_t target, int name, const char *text)
{
    const size_t size = strlen(text);
    call(s, "glBindProgramARB", "ei", target, name);
    call(s, "glProgramStringARB", "eeiB", target, GL_PROGRAM_FORMAT_ASCII_ARB,
         (int)size, size, (const uint8_t *)text);
    call(s, "glEnable", "e", target);
}

static void vertices(struct scene *s, int name, const char *text)
{
    give(s, GL_VERTEX_PROGRAM_ARB, name, text);
}

static void fragments(struct scene *s, int name, const char *text)
{
    give(s, GL_FRAGMENT_PROGRAM_ARB, name, text);
}

// A fragment program with the fixed function's vertices, parameters of both kinds.
static void parameters(struct scene *s)
{
    fragments(s, 1,
              "!!ARBfp1.0\nADD result.color, program.env[3], program.local[70];\nEND");
    call(s, "glProgramEnvParameter4fARB", "eeffff", GL_FRAGMENT_PROGRAM_ARB, 3, 1.0,
         0.0, 0.0, 1.0);
    quad(s, 0, 0, 16, 16); // no local so far: red
    call(s, "glProgramLocalParameter4fvARB", "eeF", GL_FRAGMENT_PROGRAM_ARB, 70,
         FLOATS(0, 1, 0, 0));
    quad(s, 16, 0, 32, 16); // yellow
    call(s, "glProgramEnvParameters4fvEXT", "eeiF", GL_FRAGMENT_PROGRAM_ARB, 2, 2,
         FLOATS(0, 0, 0, 0, 0, 0, 1, 1));
    quad(s, 0, 16, 16, 32); // cyan
    // Past the last one, and of the other half: nothing changes.
    call(s, "glProgramEnvParameter4fARB", "eeffff", GL_FRAGMENT_PROGRAM_ARB, 256, 1.0,
         1.0, 1.0, 1.0);
    call(s, "glProgramLocalParameters4fvEXT", "eeiF", GL_FRAGMENT_PROGRAM_ARB, 4095, 2,
         FLOATS(1, 1, 1, 1, 1, 1, 1, 1));
    call(s, "glProgramLocalParameters4fvEXT", "eeiF", GL_FRAGMENT_PROGRAM_ARB, 70, -1,
         FLOATS(1, 1, 1, 1));
    call(s, "glProgramEnvParameter4dARB", "eeffff", GL_VERTEX_PROGRAM_ARB, 3, 1.0, 1.0,
         1.0, 1.0);
    quad(s, 16, 16, 32, 32); // cyan
}

// Each stage that is made of a long text is work; one that is there is not made again.
static void counted(struct scene *s)
{
    char text[4096] = "!!ARBfp1.0\nTEMP t;\n";
    while (strlen(text) < sizeof text - 64)
        strcat(text, "MOV t, fragment.color;\n");
    strcat(text, "MOV result.color, t;\nEND");
    color(s, RED);
    fragments(s, 1, text);
    const uint64_t before = s->gl->sink.work.done;
    quad(s, 0, 0, 16, 32);
    call(s, "glPointSize", "f", 2.0); // what was gathered is drawn
    const uint64_t made = s->gl->sink.work.done - before;
    quad(s, 16, 0, 32, 32);
    call(s, "glPointSize", "f", 1.0);
    CHECK(made > GV_GL_COMPILE_WORK + strlen(text) / 2);
    CHECK(s->gl->sink.work.done - before - made < 1000);
}

// A vertex program with the fixed function's fragments: generic attributes, state.
static void halves(struct scene *s)
{
    vertices(s, 1, PLACE "MOV result.color, vertex.attrib[11];\nEND");
    call(s, "glVertexAttrib4fARB", "effff", 11, 1.0, 0.0, 0.0, 1.0);
    quad(s, 0, 0, 16, 16); // red
    vertices(s, 2,
             "!!ARBvp1.0\nOPTION ARB_position_invariant;\n"
             "MOV result.color, state.light[2].diffuse;\nEND");
    call(s, "glLightfv", "eeF", GL_LIGHT2, GL_DIFFUSE, FLOATS(0, 1, 0, 1));
    quad(s, 16, 0, 32, 16); // green
    vertices(s, 3, PLACE "MOV result.texcoord[2], vertex.color;\nEND");
    fragments(s, 4, "!!ARBfp1.0\nMOV result.color, fragment.texcoord[2];\nEND");
    color(s, BLUE);
    quad(s, 0, 16, 16, 32); // blue
    call(s, "glDisable", "e", GL_VERTEX_PROGRAM_ARB);
    call(s, "glMultiTexCoord4f", "effff", GL_TEXTURE2, 1.0, 0.0, 1.0, 1.0);
    quad(s, 16, 16, 32, 32); // magenta
}

// Textures by the target that an instruction names, whatever is enabled.
static void images(struct scene *s)
{
    texels(s, 1, GREEN, false);
    fragments(
        s, 1,
        "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], 2D;\nEND");
    quad(s, 0, 0, 16, 16); // green
    fragments(
        s, 2,
        "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[9], 3D;\nEND");
    quad(s, 16, 0, 32, 16); // nothing there: black
    fragments(s, 3,
              "!!ARBfp1.0\nTEMP t; SUB t, fragment.position, 16;\nKIL t.y;\n"
              "TXP result.color, fragment.texcoord[0], texture[0], 2D;\nEND");
    quad(s, 0, 0, 32, 32); // green, above the middle alone
}

// What is no program is not drawn with; one that was there stays.
static void failures(struct scene *s)
{
    color(s, GREEN);
    fragments(s, 1, "!!ARBfp1.0\nMOV result.color, nobody;\nEND");
    quad(s, 0, 0, 32, 32); // none
    fragments(s, 2, "!!ARBfp1.0\nMOV result.color, { 1, 0, 0, 1 };\nEND");
    fragments(s, 2, "");
    quad(s, 0, 0, 16, 16);                                       // red still
    call(s, "glBindProgramARB", "ei", GL_VERTEX_PROGRAM_ARB, 2); // another half's
    fragments(s, 3, "!!ARBvp1.0\nEND");                          // likewise
    quad(s, 16, 0, 32, 16);                                      // none
    call(s, "glProgramStringARB", "eein", GL_FRAGMENT_PROGRAM_ARB,
         GL_PROGRAM_FORMAT_ASCII_ARB, 1 << 30);
    call(s, "glBindProgramARB", "ei", 0x1234, 2);
    call(s, "glBindProgramARB", "ei", GL_FRAGMENT_PROGRAM_ARB, 0);
    quad(s, 16, 16, 32, 32); // none
    call(s, "glDisable", "e", GL_FRAGMENT_PROGRAM_ARB);
    quad(s, 0, 16, 16, 32); // green
}

// Deleted while bound: name 0 is bound; the name is free again, for either half.
static void lives(struct scene *s)
{
    call(s, "glGenProgramsARB", "iI", 2, INTEGERS(1, 2));
    fragments(s, 1, "!!ARBfp1.0\nMOV result.color, program.local[0];\nEND");
    call(s, "glProgramLocalParameter4dARB", "eeffff", GL_FRAGMENT_PROGRAM_ARB, 0, 1.0,
         0.0, 0.0, 1.0);
    quad(s, 0, 0, 16, 16); // red
    call(s, "glDeleteProgramsARB", "iI", 2, INTEGERS(1, 99));
    quad(s, 0, 0, 32, 32); // none
    call(s, "glDisable", "e", GL_FRAGMENT_PROGRAM_ARB);
    vertices(s, 1, PLACE "MOV result.color, { 0, 0, 1, 1 };\nEND");
    quad(s, 16, 0, 32, 16); // blue
    call(s, "glPushAttrib", "e", GL_ENABLE_BIT);
    call(s, "glDisable", "e", GL_VERTEX_PROGRAM_ARB);
    color(s, GREEN);
    quad(s, 0, 16, 16, 32); // green
    call(s, "glPopAttrib", "");
    quad(s, 16, 16, 32, 32); // blue
}

#define FOUR(a, b, c, d)                                        \
    {                                                           \
        { 8, 8, a }, { 24, 8, b }, { 8, 24, c }, { 24, 24, d }, \
    }

static const struct draw_row rows[] = {
    { "parameters", parameters, SIDE, FOUR(RED, YELLOW, CYAN, CYAN), 1, 3 },
    { "counted", counted, SIDE, FOUR(RED, RED, RED, RED), 1, 1 },
    { "halves", halves, SIDE, FOUR(RED, GREEN, BLUE, MAGENTA), 1, 4 },
    { "images", images, SIDE, FOUR(GREEN, BLACK, GREEN, GREEN), 2, 3 },
    { "failures", failures, SIDE, FOUR(RED, BLACK, GREEN, BLACK), 1, 2 },
    { "lives", lives, SIDE, FOUR(RED, BLUE, GREEN, BLUE), 1, 4 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}
