// A program of many small draws, for recording: each has its own matrix and colour and
// one of eight textures.
//   small_draws WAY DRAWS FRAMES     a way of ways[]
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 320
#define HEIGHT 240
#define TEXTURES 8
#define SIDE 16

static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
static const float texels_at[] = { 0, 0, 1, 0, 0, 1, 1, 1 };

struct part {
    float matrix[16];
    float color[4];
};

// Where draw `i` of `count` stands in a frame.
static void place(int i, int count, int frame, struct part *part)
{
    float turn = (float)(i * 7 + frame * 3) * 0.05f, size = 0.02f;
    float x = 1.9f * (float)(i % 80) / 80 - 0.95f;
    float y = 1.9f * (float)i / (float)count - 0.95f;
    memset(part, 0, sizeof *part);
    part->matrix[0] = part->matrix[5] = size * cosf(turn);
    part->matrix[1] = size * sinf(turn);
    part->matrix[4] = -part->matrix[1];
    part->matrix[10] = part->matrix[15] = 1;
    part->matrix[12] = x;
    part->matrix[13] = y;
    part->color[0] = (float)(i % 11) / 10;
    part->color[1] = (float)(i % 17) / 16;
    part->color[2] = (float)(frame % 5) / 4;
    part->color[3] = 1;
}

// ---- ways ----

static void immediate(const struct part *part)
{
    glLoadMatrixf(part->matrix);
    glColor4fv(part->color);
    glBegin(GL_TRIANGLE_STRIP);
    for (int i = 0; i < 4; i++) {
        glTexCoord2fv(texels_at + 2 * i);
        glVertex2fv(corners + 2 * i);
    }
    glEnd();
}

static void begin_arrays(void)
{
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    glTexCoordPointer(2, GL_FLOAT, 0, texels_at);
}

static void arrays(const struct part *part)
{
    glLoadMatrixf(part->matrix);
    glColor4fv(part->color);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static GLint matrix_at, color_at;

static void begin_program(void)
{
    static const char *const texts[] = {
        "uniform mat4 matrix; attribute vec2 corner; varying vec2 at;\n"
        "void main() { at = corner * 0.5 + 0.5;\n"
        "  gl_Position = matrix * vec4(corner, 0.0, 1.0); }\n",
        "uniform vec4 color; uniform sampler2D texels; varying vec2 at;\n"
        "void main() { gl_FragColor = color * texture2D(texels, at); }\n",
    };
    static const GLenum stages[] = { GL_VERTEX_SHADER, GL_FRAGMENT_SHADER };
    GLuint program = glCreateProgram(), buffer;
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(stages[i]);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    glUseProgram(program);
    matrix_at = glGetUniformLocation(program, "matrix");
    color_at = glGetUniformLocation(program, "color");
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
}

static void program(const struct part *part)
{
    glUniformMatrix4fv(matrix_at, 1, GL_FALSE, part->matrix);
    glUniform4fv(color_at, 1, part->color);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static const struct {
    const char *name;
    void (*begin)(void);
    void (*draw)(const struct part *part);
} ways[] = {
    { "immediate", NULL, immediate },
    { "arrays", begin_arrays, arrays },
    { "program", begin_program, program },
};

// ---- the window ----

static void make_textures(GLuint *textures)
{
    static unsigned char texels[SIDE * SIDE * 4];
    glGenTextures(TEXTURES, textures);
    for (int t = 0; t < TEXTURES; t++) {
        for (int i = 0; i < SIDE * SIDE * 4; i++)
            texels[i] = (unsigned char)(i * (t + 3) % 256);
        glBindTexture(GL_TEXTURE_2D, textures[t]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, texels);
    }
    glEnable(GL_TEXTURE_2D);
}

int main(int argc, char **argv)
{
    int attributes[] = { GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE, 24, None };
    size_t way = 0, count = sizeof ways / sizeof *ways;
    Display *display = XOpenDisplay(NULL);
    XVisualInfo *visual = display ? glXChooseVisual(display, 0, attributes) : NULL;
    while (argc == 4 && way < count && strcmp(ways[way].name, argv[1]))
        way++;
    if (argc != 4 || way == count || !visual)
        return 2;
    Window root = DefaultRootWindow(display);
    XSetWindowAttributes set = { 0 };
    set.colormap = XCreateColormap(display, root, visual->visual, AllocNone);
    Window window = XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth,
                                  InputOutput, visual->visual, CWColormap, &set);
    XMapWindow(display, window);
    glXMakeCurrent(display, window, glXCreateContext(display, visual, NULL, True));
    GLuint textures[TEXTURES];
    make_textures(textures);
    if (ways[way].begin)
        ways[way].begin();
    int draws = atoi(argv[2]), frames = atoi(argv[3]);
    for (int frame = 0; frame < frames; frame++) {
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < draws; i++) {
            struct part part;
            place(i, draws, frame, &part);
            glBindTexture(GL_TEXTURE_2D, textures[i % TEXTURES]);
            ways[way].draw(&part);
        }
        glXSwapBuffers(display, window);
    }
    XCloseDisplay(display);
    return 0;
}
