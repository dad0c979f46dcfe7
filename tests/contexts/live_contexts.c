// Programs of several contexts for recording: who shares objects with whom, contexts
// that end while others go on, contexts of two threads.
//   live_contexts SCENE
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 240
#define HEIGHT 180
#define FRAMES 4

static struct {
    Display *display;
    GLXFBConfig config;
    Window window;
} x;

static GLXContext make(GLXContext with)
{
    return glXCreateNewContext(x.display, x.config, GLX_RGBA_TYPE, with, True);
}

static void enter(GLXContext context)
{
    glXMakeCurrent(x.display, x.window, context);
    glViewport(0, 0, WIDTH, HEIGHT);
}

// ---- what a context makes ----

struct objects {
    GLuint texture, buffer, list, program, assembly, sampler, target, renderbuffer;
};

// Texels of one colour and its half.
static void upload(int red, int green, int blue)
{
    unsigned char texels[4][4];
    for (int i = 0; i < 4; i++) {
        const int half = i % 3 ? 2 : 1;
        texels[i][0] = (unsigned char)(red / half);
        texels[i][1] = (unsigned char)(green / half);
        texels[i][2] = (unsigned char)(blue / half);
        texels[i][3] = 255;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static GLuint make_program(const char *color)
{
    char text[160];
    const char *of[1] = { text };
    snprintf(text, sizeof text, "void main() { gl_FragColor = vec4(%s, 1.0); }", color);
    const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER), p = glCreateProgram();
    glShaderSource(shader, 1, of, NULL);
    glCompileShader(shader);
    glAttachShader(p, shader);
    glLinkProgram(p);
    glDeleteShader(shader);
    return p;
}

static GLuint make_assembly(const char *color)
{
    char text[120];
    GLuint name;
    snprintf(text, sizeof text, "!!ARBfp1.0\nMOV result.color, {%s, 1};\nEND\n", color);
    glGenProgramsARB(1, &name);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, name);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB,
                       (GLsizei)strlen(text), text);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, 0);
    return name;
}

// Vertices with colours, `size` a side.
static void make_vertices(float size, int red, int green, int blue)
{
    float data[4][5];
    for (int i = 0; i < 4; i++) {
        data[i][0] = i == 1 || i == 2 ? size : 0;
        data[i][1] = i > 1 ? size : 0;
        data[i][2] = (float)red / 255;
        data[i][3] = (float)green / 255;
        data[i][4] = (float)blue / 255;
    }
    glBufferData(GL_ARRAY_BUFFER, sizeof data, data, GL_STATIC_DRAW);
}

static void make_target(struct objects *o, int red, int green, int blue)
{
    glGenRenderbuffers(1, &o->renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, o->renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    glGenFramebuffers(1, &o->target);
    glBindFramebuffer(GL_FRAMEBUFFER, o->target);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              o->renderbuffer);
    glClearColor((float)red / 255, (float)green / 255, (float)blue / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static struct objects make_objects(int red, int green, int blue)
{
    struct objects o = { 0 };
    char color[60];
    snprintf(color, sizeof color, "%d.0 / 255.0, %d.0 / 255.0, %d.0 / 255.0", red,
             green, blue);
    upload(blue, red, green); // of the texture without a name
    glGenTextures(1, &o.texture);
    glBindTexture(GL_TEXTURE_2D, o.texture);
    upload(red, green, blue);
    glBindTexture(GL_TEXTURE_2D, 0);
    glGenBuffers(1, &o.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, o.buffer);
    make_vertices(10 + (float)red / 20, green, blue, red);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    o.list = glGenLists(1);
    glNewList(o.list, GL_COMPILE);
    glColor3ub((GLubyte)red, (GLubyte)green, (GLubyte)blue);
    glRecti(0, 0, 10 + green / 20, 20);
    glEndList();
    o.program = make_program(color);
    snprintf(color, sizeof color, "%g, %g, %g", (double)green / 255, (double)red / 255,
             (double)blue / 255);
    o.assembly = make_assembly(color);
    glGenSamplers(1, &o.sampler);
    glSamplerParameteri(o.sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(o.sampler, GL_TEXTURE_MAG_FILTER,
                        red > green ? GL_NEAREST : GL_LINEAR);
    make_target(&o, red, green, blue);
    return o;
}

// ---- what is drawn with it ----

static void at(float left, float bottom)
{
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(left, bottom, 0);
}

static void square(float side)
{
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0);
    glVertex2f(0, 0);
    glTexCoord2f(1, 0);
    glVertex2f(side, 0);
    glTexCoord2f(1, 1);
    glVertex2f(side, side);
    glTexCoord2f(0, 1);
    glVertex2f(0, side);
    glEnd();
}

static void draw_textures(const struct objects *o, float left, float bottom)
{
    glEnable(GL_TEXTURE_2D);
    glColor3f(1, 1, 1);
    at(left, bottom);
    square(22);
    at(left + 25, bottom);
    glBindTexture(GL_TEXTURE_2D, o->texture);
    square(22);
    at(left + 50, bottom);
    glBindSampler(0, o->sampler);
    square(22);
    glBindSampler(0, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glDisable(GL_TEXTURE_2D);
}

static void draw_buffer(const struct objects *o, float left, float bottom)
{
    at(left, bottom);
    glBindBuffer(GL_ARRAY_BUFFER, o->buffer);
    glVertexPointer(2, GL_FLOAT, 20, NULL);
    glColorPointer(3, GL_FLOAT, 20, (const void *)8);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glDrawArrays(GL_QUADS, 0, 4);
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
}

static void draw_programs(const struct objects *o, float left, float bottom)
{
    at(left, bottom);
    glUseProgram(o->program);
    square(20);
    glUseProgram(0);
    at(left + 25, bottom);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, o->assembly);
    square(20);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, 0);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
}

// Framebuffer objects are the context's own, what is attached the group's.
static void draw_renderbuffer(const struct objects *o, int left, int bottom)
{
    GLuint object;
    glGenFramebuffers(1, &object);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, object);
    glFramebufferRenderbuffer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                              GL_RENDERBUFFER, o->renderbuffer);
    glBlitFramebuffer(0, 0, 16, 16, left, bottom, left + 16, bottom + 16,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &object);
}

static void draw(const struct objects *o, float left, float bottom)
{
    draw_textures(o, left, bottom);
    draw_buffer(o, left, bottom + 28);
    at(left + 28, bottom + 28);
    glCallList(o->list);
    draw_programs(o, left + 55, bottom + 28);
    draw_renderbuffer(o, (int)left + 90, (int)bottom + 4);
}

static void begin_frame(void)
{
    glClearColor(0.1f, 0.15f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

// ---- scenes ----

// Two groups, one of two contexts.
static void scene_alone(void)
{
    GLXContext first = make(NULL), second = make(NULL), third = make(first);
    enter(first);
    const struct objects a = make_objects(250, 60, 40);
    enter(second);
    const struct objects b = make_objects(40, 220, 120);
    for (int frame = 0; frame < FRAMES; frame++) {
        enter(first);
        begin_frame();
        draw(&a, 4, 4 + (float)frame);
        enter(second);
        draw(&b, 120, 4);
        enter(third); // the first one's names
        draw(&a, 4, 90);
        enter(frame % 2 ? second : third); // changes what one of the groups has
        glBindTexture(GL_TEXTURE_2D, a.texture);
        upload(60 * frame, 240 - 60 * frame, 200);
        glBindTexture(GL_TEXTURE_2D, 0);
        enter(second);
        draw(&b, 120, 90);
        glXSwapBuffers(x.display, x.window);
    }
}

// What a context made stays while its group has another one; a group that ended takes
// its names with it.
static void scene_ended(void)
{
    GLXContext maker = make(NULL), user = make(maker);
    enter(maker);
    const struct objects a = make_objects(230, 200, 40);
    enter(user);
    glXDestroyContext(x.display, maker);
    for (int frame = 0; frame < FRAMES; frame++) {
        begin_frame();
        draw(&a, 4 + 5 * (float)frame, 4);
        GLXContext other = make(NULL), late = make(user);
        enter(other);
        glEnable(GL_TEXTURE_2D); // none of this name is here
        at(150, 10);
        glColor3f(0.4f, 0.5f, 0.9f);
        glBindTexture(GL_TEXTURE_2D, a.texture);
        square(30);
        glDisable(GL_TEXTURE_2D);
        const struct objects b = make_objects(30 * frame, 90, 240 - 40 * frame);
        draw(&b, 120, 100);
        enter(late);
        glXDestroyContext(x.display, other);
        draw(&a, 4, 100);
        if (frame == 1) { // the last one of those that were there
            glXDestroyContext(x.display, user);
            user = late;
        } else {
            enter(user);
            glXDestroyContext(x.display, late);
        }
        glXSwapBuffers(x.display, x.window);
    }
}

// ---- two threads, one at a time ----

static struct {
    pthread_barrier_t turn;
    GLXContext contexts[2];
    struct objects objects[2];
} threads;

static void *other_thread(void *argument)
{
    (void)argument;
    for (int frame = 0; frame < FRAMES; frame++) {
        pthread_barrier_wait(&threads.turn);
        // Its own, and in every other frame the first thread's, which let it go.
        enter(threads.contexts[1]);
        if (!frame)
            threads.objects[1] = make_objects(60, 90, 250);
        draw(&threads.objects[1], 120, 4);
        if (frame % 2) {
            enter(threads.contexts[0]);
            draw(&threads.objects[0], 4, 90);
        }
        glFlush();
        glXMakeCurrent(x.display, None, NULL);
        pthread_barrier_wait(&threads.turn);
    }
    return NULL;
}

static void scene_threads(void)
{
    pthread_t other;
    pthread_barrier_init(&threads.turn, NULL, 2);
    for (int i = 0; i < 2; i++)
        threads.contexts[i] = make(NULL);
    enter(threads.contexts[0]);
    threads.objects[0] = make_objects(250, 160, 90);
    pthread_create(&other, NULL, other_thread, NULL);
    for (int frame = 0; frame < FRAMES; frame++) {
        enter(threads.contexts[0]);
        begin_frame();
        draw(&threads.objects[0], 4, 4 + (float)frame);
        glFlush();
        if (frame % 2)
            glXMakeCurrent(x.display, None, NULL);
        pthread_barrier_wait(&threads.turn);
        pthread_barrier_wait(&threads.turn);
        enter(threads.contexts[0]);
        glXSwapBuffers(x.display, x.window);
    }
    pthread_join(other, NULL);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    { "alone", scene_alone },
    { "ended", scene_ended },
    { "threads", scene_threads },
};

static bool open_window(void)
{
    static const int wanted[] = { GLX_DOUBLEBUFFER, True, GLX_RED_SIZE, 8, None };
    int count = 0;
    XInitThreads();
    x.display = XOpenDisplay(NULL);
    GLXFBConfig *all =
        x.display
            ? glXChooseFBConfig(x.display, DefaultScreen(x.display), wanted, &count)
            : NULL;
    if (!count)
        return false;
    x.config = all[0];
    XVisualInfo *visual = glXGetVisualFromFBConfig(x.display, x.config);
    const Window root = DefaultRootWindow(x.display);
    XSetWindowAttributes attributes = {
        .colormap = XCreateColormap(x.display, root, visual->visual, AllocNone)
    };
    x.window = XCreateWindow(x.display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth,
                             InputOutput, visual->visual, CWColormap, &attributes);
    XMapWindow(x.display, x.window);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 2 || !open_window()) {
        fprintf(stderr, "live_contexts: no scene or display\n");
        return 1;
    }
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (!strcmp(argv[1], scenes[i].name)) {
            scenes[i].run();
            return 0;
        }
    fprintf(stderr, "live_contexts: no scene %s\n", argv[1]);
    return 1;
}
