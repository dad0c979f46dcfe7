// Programs of EGL and GLES for recording: contexts that share nothing, renderbuffers of
// EGL images, windows of sRGB.
//   live_egl SCENE [read]     read: and put back what they read of it
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 240
#define HEIGHT 180
#define FRAMES 4
#define SIDE 16

static struct {
    EGLDisplay display;
    EGLConfig config;
    EGLSurface surface;
    EGLContext first, second; // share nothing
    bool read;
} x;

static void enter(EGLContext context)
{
    eglMakeCurrent(x.display, x.surface, x.surface, context);
    glViewport(0, 0, WIDTH, HEIGHT);
}

static GLuint make_program(const char *order)
{
    static const char vertices[] = "attribute vec2 place;\n"
                                   "varying vec2 at;\n"
                                   "void main() {\n"
                                   "    at = place * 0.5 + 0.5;\n"
                                   "    gl_Position = vec4(place, 0.0, 1.0);\n"
                                   "}\n";
    char fragments[200];
    const char *const texts[2] = { vertices, fragments };
    const GLuint p = glCreateProgram();
    snprintf(fragments, sizeof fragments,
             "precision mediump float;\n"
             "uniform sampler2D texels;\n"
             "varying vec2 at;\n"
             "void main() { gl_FragColor = texture2D(texels, at).%s; }\n",
             order);
    for (int i = 0; i < 2; i++) {
        const GLuint s = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(s, 1, &texts[i], NULL);
        glCompileShader(s);
        glAttachShader(p, s);
        glDeleteShader(s);
    }
    glBindAttribLocation(p, 0, "place");
    glLinkProgram(p);
    return p;
}

static GLuint make_texture(int red, int green, int blue)
{
    static unsigned char texels[SIDE * SIDE][4];
    GLuint name;
    for (int i = 0; i < SIDE * SIDE; i++) {
        texels[i][0] = (unsigned char)((i / SIDE / 4 + i % SIDE / 4) % 2 ? red : 20);
        texels[i][1] = (unsigned char)green;
        texels[i][2] = (unsigned char)(blue * (i % SIDE) / SIDE);
        texels[i][3] = 255;
    }
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return name;
}

static void square(float left, float low, float width, float height)
{
    const float data[] = { left, low,          left + width, low,
                           left, low + height, left + width, low + height };
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, data);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void begin_frame(void)
{
    glClearColor(0.1f, 0.2f, 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

// In whichever context is current.
static void end_frame(void)
{
    static unsigned char pixels[WIDTH * HEIGHT * 4];
    if (x.read) {
        glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        const GLuint p = make_program("rgba"), texture = make_texture(0, 0, 0);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, WIDTH, HEIGHT, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, pixels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glUseProgram(p);
        square(-1, -1, 2, 2);
        glDeleteTextures(1, &texture);
        glDeleteProgram(p);
    }
    eglSwapBuffers(x.display, x.surface);
}

// ---- scenes ----

static void scene_apart(void)
{
    enter(x.first);
    const GLuint p = make_program("rgba"), a = make_texture(250, 120, 200);
    enter(x.second);
    const GLuint q = make_program("bgra"), b = make_texture(90, 40, 250);
    for (int frame = 0; frame < FRAMES; frame++) {
        enter(x.first);
        begin_frame();
        glUseProgram(p);
        glBindTexture(GL_TEXTURE_2D, a);
        square(-0.9f + 0.05f * (float)frame, -0.9f, 0.8f, 0.8f);
        enter(x.second);
        glUseProgram(q);
        glBindTexture(GL_TEXTURE_2D, b);
        square(0.1f, 0.1f, 0.8f, 0.8f);
        end_frame();
    }
}

// One context draws to the other's texture.
static void scene_renderbuffers(void)
{
    PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC become =
        (PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC)eglGetProcAddress(
            "glEGLImageTargetRenderbufferStorageOES");
    PFNEGLCREATEIMAGEKHRPROC make =
        (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
    GLuint renderbuffer, object;
    enter(x.first);
    const GLuint p = make_program("rgba"), texture = make_texture(250, 120, 200);
    EGLImageKHR image = make(x.display, x.first, EGL_GL_TEXTURE_2D_KHR,
                             (EGLClientBuffer)(size_t)texture, NULL);
    enter(x.second);
    const GLuint q = make_program("bgra"), own = make_texture(30, 250, 60);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    become(GL_RENDERBUFFER, image);
    glGenFramebuffers(1, &object);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              renderbuffer);
    for (int frame = 0; frame < FRAMES; frame++) {
        enter(x.second);
        glViewport(0, 0, SIDE, SIDE);
        glEnable(GL_SCISSOR_TEST);
        glScissor(2 * frame, 4, 6, 8);
        glClearColor(0.9f, 0.1f * (float)frame, 0.2f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        glUseProgram(q);
        glBindTexture(GL_TEXTURE_2D, own);
        square(-1, -1, 0.5f, 0.5f);
        glFinish();
        enter(x.first);
        begin_frame();
        glUseProgram(p);
        glBindTexture(GL_TEXTURE_2D, texture);
        square(-0.9f, -0.9f, 1.6f, 1.6f);
        end_frame();
    }
}

// Blending, clears and what is copied, in light.
static void scene_light(void)
{
    enter(x.first);
    const GLuint p = make_program("rgba"), q = make_program("bgra"),
                 texture = make_texture(250, 120, 200);
    for (int frame = 0; frame < FRAMES; frame++) {
        enter(x.first);
        begin_frame();
        glBindTexture(GL_TEXTURE_2D, texture);
        glUseProgram(p);
        square(-0.9f, -0.9f, 1.2f, 1.2f);
        glEnable(GL_BLEND);
        glBlendColor(0, 0, 0, 0.3f + 0.1f * (float)frame);
        glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
        glUseProgram(q);
        square(-0.5f, -0.5f, 1.2f, 1.2f);
        glDisable(GL_BLEND);
        end_frame();
    }
}

static const struct {
    const char *name;
    void (*run)(void);
    bool light; // the window is
} scenes[] = {
    { "eglapart", scene_apart, false },
    { "eglrenderbuffers", scene_renderbuffers, false },
    { "egllight", scene_light, true },
};

static bool open_window(Display *display, bool light)
{
    static const EGLint wanted[] = { EGL_RENDERABLE_TYPE,
                                     EGL_OPENGL_ES2_BIT,
                                     EGL_SURFACE_TYPE,
                                     EGL_WINDOW_BIT,
                                     EGL_RED_SIZE,
                                     8,
                                     EGL_GREEN_SIZE,
                                     8,
                                     EGL_BLUE_SIZE,
                                     8,
                                     EGL_ALPHA_SIZE,
                                     8,
                                     EGL_NONE };
    static const EGLint version[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
    const EGLint space[] = { light ? EGL_GL_COLORSPACE : EGL_NONE,
                             EGL_GL_COLORSPACE_SRGB, EGL_NONE };
    EGLint count = 0, id = 0;
    int found = 0;
    x.display = eglGetDisplay((EGLNativeDisplayType)display);
    if (!eglInitialize(x.display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(x.display, wanted, &x.config, 1, &count) || !count)
        return false;
    eglGetConfigAttrib(x.display, x.config, EGL_NATIVE_VISUAL_ID, &id);
    XVisualInfo like = { .visualid = (VisualID)id };
    XVisualInfo *visual = XGetVisualInfo(display, VisualIDMask, &like, &found);
    if (!found)
        return false;
    const Window root = DefaultRootWindow(display);
    XSetWindowAttributes attributes = { .colormap = XCreateColormap(
                                            display, root, visual->visual, AllocNone) };
    const Window window =
        XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth, InputOutput,
                      visual->visual, CWColormap | CWBorderPixel, &attributes);
    XMapWindow(display, window);
    x.surface =
        eglCreateWindowSurface(x.display, x.config, (EGLNativeWindowType)window, space);
    x.first = eglCreateContext(x.display, x.config, EGL_NO_CONTEXT, version);
    x.second = eglCreateContext(x.display, x.config, EGL_NO_CONTEXT, version);
    return x.surface && x.first && x.second;
}

int main(int argc, char **argv)
{
    Display *display = XOpenDisplay(NULL);
    size_t i = 0;
    while (argc > 1 && i < sizeof scenes / sizeof scenes[0] &&
           strcmp(argv[1], scenes[i].name) != 0)
        i++;
    if (argc < 2 || i == sizeof scenes / sizeof scenes[0] || !display ||
        !open_window(display, scenes[i].light)) {
        fprintf(stderr, "live_egl: no scene, display or configuration\n");
        return 1;
    }
    x.read = argc > 2 && !strcmp(argv[2], "read");
    scenes[i].run();
    return 0;
}
