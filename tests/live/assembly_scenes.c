#define GL_GLEXT_PROTOTYPES
#include "tests/live/assembly_scenes.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <string.h>

#define COLUMNS 4
#define CELL 54.0f // pixels
#define INVARIANT "!!ARBvp1.0\nOPTION ARB_position_invariant;\n"

static const struct {
    const char *vertex, *fragment; // NULL: the fixed function
} cells[] = {
    { INVARIANT "MUL result.color, vertex.color, state.light[1].diffuse;\nEND", NULL },
    { NULL, "!!ARBfp1.0\nMUL result.color, fragment.color.bgra, program.env[1];\nEND" },
    { NULL, "!!ARBfp1.0\nOPTION ARB_fog_linear;\n"
            "MOV result.color, fragment.color;\nEND" },
    { NULL, "!!ARBfp1.0\nTEMP t;\nTEX t, fragment.texcoord[0], texture[0], 2D;\n"
            "LRP result.color, 0.5, t, fragment.color;\nEND" },
    { INVARIANT "PARAM m[4] = { state.matrix.texture[0] };\n"
                "DP4 result.texcoord[0].x, m[0], vertex.texcoord[0];\n"
                "DP4 result.texcoord[0].y, m[1], vertex.texcoord[0];\n"
                "MOV result.texcoord[0].zw, vertex.texcoord[0];\n"
                "MOV result.color, vertex.attrib[9];\nEND",
      "!!ARBfp1.0\nTEMP t;\nTXP t, fragment.texcoord[0], texture[0], 2D;\n"
      "MUL result.color, t, fragment.color;\nEND" },
    { NULL, "!!ARBfp1.0\nPARAM k = program.local[0];\n"
            "MUL result.color, fragment.color, k;\nEND" },
    { "!!ARBvp1.0\nPARAM m[4] = { state.matrix.mvp };\nTEMP p;\n"
      "MAD p, vertex.normal, { 5, 5, 0, 0 }, vertex.position;\nMOV p.w, 1;\n"
      "DP4 result.position.x, m[0], p;\nDP4 result.position.y, m[1], p;\n"
      "DP4 result.position.z, m[2], p;\nDP4 result.position.w, m[3], p;\n"
      "MOV result.color, state.material.diffuse;\n"
      "MOV result.color.r, vertex.color.g;\nEND",
      NULL },
    { INVARIANT "MOV result.color, vertex.color;\n"
                "MOV result.fogcoord, vertex.texcoord[0];\nEND",
      "!!ARBfp1.0\nOPTION ARB_fog_exp2;\nTEMP t;\n"
      "DP3 t, fragment.color, state.fog.color;\n"
      "CMP result.color, -t, fragment.color, t;\nEND" },
    { NULL, "!!ARBfp1.0\nTEMP t;\nMOV t, fragment.texcoord[0];\nMOV t.w, 1;\n"
            "TXB result.color, t, texture[0], 2D;\nEND" },
};

static void texels(int frame)
{
    static unsigned char rgba[16 * 16][4];
    for (int i = 0; i < 16 * 16; i++)
        for (int c = 0; c < 4; c++)
            rgba[i][c] =
                (unsigned char)((i / 32 + i % 16 / 2) % 2 ? 230 - 50 * c + 5 * frame
                                                          : i * (c + 2) % 120);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void use(GLenum target, GLuint name, const char *text)
{
    if (!text)
        return;
    glBindProgramARB(target, name);
    glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text),
                       text);
    glEnable(target);
}

static void state(int frame)
{
    static const float fog[] = { 0.2f, 0.6f, 0.4f, 1 };
    static const float light[] = { 0.9f, 0.5f, 0.7f, 1 };
    texels(frame);
    glLightfv(GL_LIGHT1, GL_DIFFUSE, light);
    glMaterialfv(GL_FRONT, GL_DIFFUSE, fog);
    glFogfv(GL_FOG_COLOR, fog);
    glFogf(GL_FOG_START, 0.25f);
    glFogf(GL_FOG_END, 0.75f);
    glFogf(GL_FOG_DENSITY, 1.5f);
    glFogi(GL_FOG_COORDINATE_SOURCE, GL_FOG_COORDINATE);
    glMatrixMode(GL_TEXTURE);
    glLoadIdentity();
    glTranslatef(0.25f, 0.125f, 0);
    glScalef(2, 1, 1);
    glMatrixMode(GL_MODELVIEW);
    glProgramEnvParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, 1, 1, 0.5f,
                               0.25f * (float)(frame % 4), 1);
    glVertexAttrib4fARB(9, 0.8f, 0.9f, 1, 1);
}

static void cell(int i)
{
    const float x = 6 + (CELL + 4) * (float)(i % COLUMNS);
    const int row = i / COLUMNS;
    const float y = 4 + (CELL + 4) * (float)row;
    glBegin(GL_QUADS);
    for (int k = 0; k < 4; k++) {
        const int right = k == 1 || k == 2, top = k > 1;
        glColor4f(right ? 0.9f : 0.1f, top ? 0.8f : 0.2f, 0.5f, 1);
        glFogCoordf((float)right);
        glNormal3f(top ? 0.5f : 0, right ? -0.5f : 0, 1);
        glTexCoord2f((float)right, (float)top);
        glVertex2f(right ? x + CELL : x, top ? y + CELL : y);
    }
    glEnd();
}

// GL_CLAMP past the edges: half of the border is mixed in, by each way to look up.
static void clamped(int frame)
{
    static const char *const lookups[] = {
        "!!ARBfp1.0\nTEX result.color, fragment.texcoord[0], texture[0], 2D;\nEND",
        "!!ARBfp1.0\nTEMP t;\nMOV t, fragment.texcoord[0];\nMOV t.w, 1.5;\n"
        "TXP result.color, t, texture[0], 2D;\nEND",
        "!!ARBfp1.0\nTEMP t;\nMOV t, fragment.texcoord[0];\nMOV t.w, 0.5;\n"
        "TXB result.color, t, texture[0], 2D;\nEND",
    };
    static const float border[] = { 0.9f, 0.2f, 0.1f, 1 };
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    frame % 2 ? GL_LINEAR : GL_NEAREST);
    glMatrixMode(GL_MODELVIEW);
    for (GLuint i = 0; i < 3; i++) {
        const float x = 64 + (CELL + 4) * (float)i;
        use(GL_FRAGMENT_PROGRAM_ARB, 100 + i, lookups[i]);
        glBegin(GL_QUADS);
        for (int k = 0; k < 4; k++) {
            const int right = k == 1 || k == 2, top = k > 1;
            glTexCoord2f(right ? 1.5f : -0.5f, top ? 1.25f : -0.25f);
            glVertex2f(right ? x + CELL : x, top ? 174.0f : 120.0f);
        }
        glEnd();
    }
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
}

void scene_assembly(int frame)
{
    state(frame);
    for (int i = 0; i < (int)(sizeof cells / sizeof cells[0]); i++) {
        use(GL_VERTEX_PROGRAM_ARB, 1 + 2 * (GLuint)i, cells[i].vertex);
        use(GL_FRAGMENT_PROGRAM_ARB, 2 + 2 * (GLuint)i, cells[i].fragment);
        glProgramLocalParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, 0, 0.75f, 0.5f, 1, 1);
        cell(i);
        glDisable(GL_VERTEX_PROGRAM_ARB);
        glDisable(GL_FRAGMENT_PROGRAM_ARB);
    }
    clamped(frame);
    glMatrixMode(GL_TEXTURE);
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
}
