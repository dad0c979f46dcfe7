#define GL_GLEXT_PROTOTYPES
#include "tests/live/memory_scene.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stddef.h>
#include <string.h>

#include "tests/live/scene_shapes.h"

#define BARS 40 // of four vertices

static GLuint textures[2], buffer;

static void checkered(GLuint name, int side)
{
    static unsigned char texels[16 * 16];
    for (int i = 0; i < side * side; i++)
        texels[i] = (i + i / side) % 2 ? 240 : 60;
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, side, side, 0, GL_LUMINANCE,
                 GL_UNSIGNED_BYTE, texels);
}

// Two textures; in frame 1 another takes the first one's place.
static void name_textures(int frame)
{
    if (frame == 0) {
        glGenTextures(2, textures);
        checkered(textures[0], 4);
        checkered(textures[1], 8);
    } else if (frame == 1) {
        glDeleteTextures(1, textures);
        glGenTextures(1, textures);
        checkered(textures[0], 16);
    }
}

static void show_textures(void)
{
    glEnable(GL_TEXTURE_2D);
    for (int i = 0; i < 2; i++) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        draw_rectangle(10.3f + 110 * (float)i, 120.4f, 90, 50);
    }
    glDisable(GL_TEXTURE_2D);
}

static void set_bar(float *to, int bar, float height)
{
    const float x = 10.2f + 5 * (float)bar;
    const float corners[8] = { x, 70.3f, x + 4, 70.3f, x + 4, height, x, height };
    memcpy(to, corners, sizeof corners);
}

// An array in the program's memory, of which each frame changes one bar.
static void show_array(int frame)
{
    static float bars[BARS][8];
    for (int i = 0; frame == 0 && i < BARS; i++)
        set_bar(bars[i], i, 80 + (float)(i % 7) * 4);
    set_bar(bars[frame], frame, 112);
    glVertexPointer(2, GL_FLOAT, 0, bars);
    glDrawArrays(GL_QUADS, 0, BARS * 4);
}

// A buffer that is mapped in each frame, of which one bar is written.
static void show_mapped(int frame)
{
    if (frame == 0) {
        float none[BARS][8];
        memset(none, 0, sizeof none);
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, sizeof none, none, GL_DYNAMIC_DRAW);
    }
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    float *to = glMapBufferRange(GL_ARRAY_BUFFER, frame * 32, 32, GL_MAP_WRITE_BIT);
    set_bar(to, frame, 95);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glDrawArrays(GL_QUADS, 0, BARS * 4);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void scene_memory(int frame)
{
    const GLfloat along[4] = { 0.3f + 0.2f * (float)frame, 0.5f, 1, 0 };
    name_textures(frame);
    show_textures();
    glEnableClientState(GL_VERTEX_ARRAY);
    glColor3f(0.4f, 0.7f, 0.9f);
    show_array(frame);
    glTranslatef(0, -60, 0);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_POSITION, along);
    glNormal3f(0, 0, 1);
    show_mapped(frame);
    glDisable(GL_LIGHTING);
    glDisableClientState(GL_VERTEX_ARRAY);
}
