// Small OpenGL programs for recording: each scene draws a few frames into a window.
//   live_scenes SCENE [read]     read: and put back what they read of it
// Recorded by apitrace, replayed by its own glretrace and by gpuvm: live.sh.
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/live/assembly_scenes.h"
#include "tests/live/blit_scenes.h"
#include "tests/live/condition_scenes.h"
#include "tests/live/driver_scenes.h"
#include "tests/live/edge_scenes.h"
#include "tests/live/extension_scenes.h"
#include "tests/live/fetch_scenes.h"
#include "tests/live/fixed_scenes.h"
#include "tests/live/fragment_scenes.h"
#include "tests/live/half_scenes.h"
#include "tests/live/internal_scenes.h"
#include "tests/live/layer_scenes.h"
#include "tests/live/live_geometry.h"
#include "tests/live/medium_scenes.h"
#include "tests/live/memory_scene.h"
#include "tests/live/module_scenes.h"
#include "tests/live/object_scenes.h"
#include "tests/live/pipeline_scenes.h"
#include "tests/live/primitive_scenes.h"
#include "tests/live/program_scenes.h"
#include "tests/live/rule_scenes.h"
#include "tests/live/sampler_scenes.h"
#include "tests/live/scene_shapes.h"
#include "tests/live/stage_scenes.h"
#include "tests/live/state_scenes.h"
#include "tests/live/step_scenes.h"
#include "tests/live/storage_scenes.h"
#include "tests/live/texture_scenes.h"
#include "tests/live/transfer_scenes.h"
#include "tests/live/visual_scenes.h"
#include "tests/live/width_scenes.h"

#define WIDTH 240
#define HEIGHT 180
#define FRAMES 4
#define PI 3.14159265358979f

// ---- things to draw ----

static void sphere(float radius, int slices, int stacks)
{
    for (int i = 0; i < stacks; i++) {
        glBegin(GL_QUAD_STRIP);
        for (int k = 0; k <= slices; k++)
            for (int j = 0; j < 2; j++) {
                float a = PI * (float)(i + j) / (float)stacks;
                float b = 2 * PI * (float)k / (float)slices;
                float x = sinf(a) * cosf(b), y = cosf(a), z = sinf(a) * sinf(b);
                glNormal3f(x, y, z);
                glTexCoord2f((float)k / (float)slices, (float)(i + j) / (float)stacks);
                glVertex3f(radius * x, radius * y, radius * z);
            }
        glEnd();
    }
}

static void perspective(void)
{
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-0.66, 0.66, -0.5, 0.5, 1, 20);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(0, 0, -4);
}

static void flat(void)
{
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
}

static void checkers(GLenum format, int side)
{
    static unsigned char texels[64 * 64 * 4];
    int parts = format == GL_RGBA ? 4 : format == GL_LUMINANCE_ALPHA ? 2 : 1;
    for (int i = 0; i < side * side; i++)
        for (int c = 0; c < parts; c++)
            texels[i * parts + c] =
                (unsigned char)(((i / side / 4 + i % side / 4) % 2 ? 230 : 40) +
                                (c == 1 ? i % 20 : 0));
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, side, side, 0, format,
                 GL_UNSIGNED_BYTE, texels);
}

// ---- scenes ----

static void lights(int frame)
{
    const float red[] = { 0.9f, 0.2f, 0.1f, 1 }, blue[] = { 0.1f, 0.2f, 0.9f, 1 };
    const float white[] = { 1, 1, 1, 1 }, sun[] = { 1, 2, 3, 0 };
    const float lamp[] = { -2, 1, 1.5f, 1 }, down[] = { 1, -0.5f, -1 };
    perspective();
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_LIGHT1);
    glLightfv(GL_LIGHT0, GL_POSITION, sun);
    glLightfv(GL_LIGHT1, GL_POSITION, lamp);
    glLightfv(GL_LIGHT1, GL_DIFFUSE, blue);
    glLightfv(GL_LIGHT1, GL_SPECULAR, white);
    glLightfv(GL_LIGHT1, GL_SPOT_DIRECTION, down);
    glLightf(GL_LIGHT1, GL_SPOT_CUTOFF, 40);
    glLightf(GL_LIGHT1, GL_SPOT_EXPONENT, 3);
    glLightf(GL_LIGHT1, GL_LINEAR_ATTENUATION, 0.1f);
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, red);
    glMaterialfv(GL_FRONT, GL_SPECULAR, white);
    glMaterialf(GL_FRONT, GL_SHININESS, 25);
    glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, frame % 2);
    glRotatef(20.0f * (float)frame, 0, 1, 0);
    sphere(1.2f, 24, 16);
}

static void lists(int frame)
{
    static GLuint list;
    if (!list) {
        list = glGenLists(2);
        glNewList(list, GL_COMPILE);
        glColor3f(0.3f, 0.8f, 0.4f);
        draw_rectangle(-0.5f, -0.5f, 1, 1);
        glEndList();
        glNewList(list + 1, GL_COMPILE);
        for (int i = 0; i < 5; i++) {
            glPushMatrix();
            glRotatef(72.0f * (float)i, 0, 0, 1);
            glTranslatef(1.2f, 0, 0);
            glScalef(0.5f, 0.5f, 1);
            glCallList(list);
            glPopMatrix();
        }
        glEndList();
    }
    perspective();
    glShadeModel(GL_FLAT);
    glRotatef(10.0f * (float)frame, 0, 0, 1);
    glCallList(list + 1);
}

static void textures(int frame)
{
    static const GLenum modes[] = { GL_MODULATE, GL_DECAL, GL_BLEND, GL_REPLACE };
    static const GLenum formats[] = { GL_RGBA, GL_LUMINANCE, GL_ALPHA,
                                      GL_LUMINANCE_ALPHA };
    const float tint[] = { 0.2f, 0.9f, 0.5f, 0.7f };
    flat();
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, tint);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                    frame % 2 ? GL_LINEAR : GL_NEAREST);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            if (formats[k] == GL_ALPHA && modes[i] == GL_DECAL)
                continue; // undefined
            if (formats[k] != GL_RGBA && modes[i] == GL_DECAL)
                continue; // likewise
            checkers(formats[k], 16);
            glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (GLint)modes[i]);
            glColor4f(0.9f, 0.7f, 0.2f, 0.8f);
            draw_rectangle(10 + 55 * (float)i, 5 + 43 * (float)k, 38, 38);
        }
}

static void raster(int frame)
{
    static const unsigned char glyph[] = { 0x81, 0x42, 0x24, 0x18,
                                           0x18, 0x24, 0x42, 0x81 };
    unsigned char block[20 * 20 * 3];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (unsigned char)(i * 7);
    flat();
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glColor3f(1, 1, 0);
    for (int i = 0; i < 10; i++) {
        glRasterPos2i(10 + 12 * i, 150 + frame);
        glBitmap(8, 8, 0, 0, 0, 0, glyph);
    }
    glRasterPos2i(20, 100);
    glDrawPixels(20, 20, GL_RGB, GL_UNSIGNED_BYTE, block);
    glPixelZoom(2, -1.5f);
    glRasterPos2i(60, 130);
    glDrawPixels(20, 20, GL_RGB, GL_UNSIGNED_BYTE, block);
    glPixelZoom(1, 1);
    glRasterPos2i(120, 90);
    glCopyPixels(20, 100, 20, 20, GL_COLOR);
    glEnable(GL_LINE_STIPPLE);
    glLineStipple(2, 0x3C5F);
    glBegin(GL_LINE_STRIP);
    for (int i = 0; i < 30; i++)
        glVertex2f(10 + 7.5f * (float)i, 50 + 30 * sinf((float)(i + frame)));
    glEnd();
    glDisable(GL_LINE_STIPPLE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    draw_rectangle(170.3f, 20.4f, 50, 50);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glScissor(30, 10, 40, 20);
    glEnable(GL_SCISSOR_TEST);
    glClearColor(0.7f, 0.2f, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

static void arrays(int frame)
{
    static short positions[200][2];
    static unsigned char colors[200][4];
    static unsigned short order[200];
    for (int i = 0; i < 200; i++) {
        float a = 0.2f * (float)i + (float)frame, r = 5 + 0.4f * (float)i;
        positions[i][0] = (short)(WIDTH / 2.0f + r * cosf(a));
        positions[i][1] = (short)(HEIGHT / 2.0f + r * sinf(a));
        memcpy(colors[i],
               (unsigned char[]){ (unsigned char)(i * 3), (unsigned char)(255 - i), 90,
                                  255 },
               4);
        order[i] = (unsigned short)((i * 37) % 200);
    }
    flat();
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_COLOR_ARRAY);
    glVertexPointer(2, GL_SHORT, 0, positions);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, colors);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 100);
    glDrawElements(GL_LINES, 60, GL_UNSIGNED_SHORT, order);
    glPointSize(5);
    glDrawArrays(GL_POINTS, 100, 100);
}

static const struct {
    const char *name;
    void (*draw)(int frame);
    bool flat; // in pixels
    // Of GLX: what the window has, or the context's profile; 0: nothing more.
    int attribute, amount;
} scenes[] = {
    { "lights", lights, false, 0, 0 },
    { "lists", lists, false, 0, 0 },
    { "textures", textures, false, 0, 0 },
    { "raster", raster, false, 0, 0 },
    { "arrays", arrays, false, 0, 0 },
    { "quads", live_quads, true, 0, 0 },
    { "materials", live_materials, true, 0, 0 },
    { "surfaces", live_surfaces, true, 0, 0 },
    { "types", live_types, true, 0, 0 },
    { "calls", live_calls, true, 0, 0 },
    { "formats", scene_formats, true, 0, 0 },
    { "pixels", scene_pixels, true, 0, 0 },
    { "wraps", scene_wraps, true, 0, 0 },
    { "mips", scene_mips, true, 0, 0 },
    { "copies", scene_copies, true, 0, 0 },
    { "packs", scene_packs, true, 0, 0 },
    { "depths", scene_planes_drawn, true, 0, 0 },
    { "lightcopied", scene_light_copied, true, 0, 0 },
    { "shadows", scene_shadows, true, 0, 0 },
    { "compressed", scene_compressed, true, 0, 0 },
    { "encoded", scene_encoded, true, 0, 0 },
    { "encoded_targets", scene_encoded_targets, true, 0, 0 },
    { "astc", scene_astc, true, 0, 0 },
    { "attributes", scene_attributes, true, 0, 0 },
    { "nesting", scene_nesting, true, 0, 0 },
    { "tracking", scene_tracking, true, 0, 0 },
    { "givens", scene_givens, true, 0, 0 },
    { "stencils", scene_stencils, true, 0, 0 },
    { "blends", scene_blends, true, 0, 0 },
    { "fogs", scene_fogs, true, 0, 0 },
    { "units", scene_units, true, 0, 0 },
    { "planes", scene_planes, true, 0, 0 },
    { "lighting", scene_lighting, true, 0, 0 },
    { "combiners", scene_combiners, true, 0, 0 },
    { "fragments", scene_fragments, true, 0, 0 },
    { "memory", scene_memory, true, 0, 0 },
    { "samplers", scene_samplers, true, 0, 0 },
    { "clears", scene_clears, true, 0, 0 },
    { "fetches", scene_fetches, true, 0, 0 },
    { "internals", scene_internals, true, 0, 0 },
    { "oddmips", scene_odd_mips, true, 0, 0 },
    { "equations", scene_equations, true, 0, 0 },
    { "subroutines", scene_subroutines, true, 0, 0 },
    { "members", scene_members, true, 0, 0 },
    { "steps", scene_steps, false, 0, 0 },
    { "medium", scene_medium, false, 0, 0 },
    { "includes", scene_includes, true, 0, 0 },
    { "distances", scene_distances, true, 0, 0 },
    { "buffers", scene_buffers, true, 0, 0 },
    { "accum", scene_accum, true, GLX_ACCUM_RED_SIZE, 8 },
    { "restarts", scene_restarts, true, 0, 0 },
    { "attenuation", scene_attenuation, true, 0, 0 },
    { "assembly", scene_assembly, true, 0, 0 },
    { "resolves", scene_resolves, true, 0, 0 },
    { "named", scene_named, true, 0, 0 },
    { "targets", scene_targets, true, 0, 0 },
    { "clips", scene_clips, true, 0, 0 },
    { "programs", scene_programs, true, 0, 0 },
    { "relinks", scene_relinks, true, 0, 0 },
    { "differences", scene_differences, true, 0, 0 },
    { "inputs", scene_inputs, true, 0, 0 },
    { "stages", scene_stages, true, 0, 0 },
    { "sides", scene_sides, true, 0, 0 },
    { "pipelines", scene_pipelines, true, 0, 0 },
    { "conditions", scene_conditions, true, 0, 0 },
    { "counts", scene_counts, true, 0, 0 },
    { "layers", scene_layers, true, 0, 0 },
    { "cuts", scene_cuts, true, 0, 0 },
    { "slices", scene_slices, true, 0, 0 },
    { "views", scene_views, true, 0, 0 },
    { "kinds", scene_kinds, true, 0, 0 },
    { "onto", scene_onto, true, 0, 0 },
    { "encodings", scene_encodings, true, 0, 0 },
    { "modules", scene_modules, false, 0, 0 },
    { "computes", scene_computes, true, 0, 0 },
    { "blocks", scene_blocks, true, 0, 0 },
    { "images", scene_images, true, 0, 0 },
    { "verticesalone", scene_vertices_alone, true, 0, 0 },
    { "fragmentsalone", scene_fragments_alone, true, 0, 0 },
    { "drives", scene_drives, true, 0, 0 },
    { "viewports", scene_viewports, true, 0, 0 },
    { "captures", scene_captures, true, 0, 0 },
    { "ruled", scene_ruled, true, 0, 0 },
    { "sizes", scene_sizes, true, 0, 0 },
    { "beyond", scene_beyond, false, 0, 0 },
    { "widths", scene_widths, false, 0, 0 },
    { "flats", scene_flats, true, 0, 0 },
    { "biases", scene_biases, true, 0, 0 },
    { "outside", scene_outside, true, 0, 0 },
    { "stipples", scene_stipples, true, 0, 0 },
    { "wires", scene_wires, true, 0, 0 },
    { "mixed", scene_mixed, true, 0, 0 },
    { "smooths", scene_smooths, true, 0, 0 },
    { "texels", scene_texels, false, 0, 0 },
    { "chosenbuffers", scene_chosen_buffers, false, 0, 0 },
    { "tenbits", scene_ten_bits, false, 0, 0 },
    { "zooms", scene_zooms, false, 0, 0 },
    { "compares", scene_compares, false, 0, 0 },
    { "depthfilters", scene_depth_filters, false, 0, 0 },
    { "wholedistances", scene_whole_distances, true, 0, 0 },
    { "offsets", scene_offsets, true, 0, 0 },
    { "alphas", scene_alphas, true, 0, 0 },
    { "tested", scene_tested, true, 0, 0 },
    { "openlevels", scene_open_levels, true, 0, 0 },
    { "openweights", scene_open_weights, true, 0, 0 },
    { "openties", scene_open_ties, true, 0, 0 },
    { "tieddraws", scene_tied_draws, true, 0, 0 },
    { "openslants", scene_open_slants, true, 0, 0 },
    { "openlines", scene_open_lines, true, 0, 0 },
    { "clearvalues", scene_clear_values, true, 0, 0 },
    { "opendepths", scene_open_depths, true, 0, 0 },
    { "openoutlines", scene_open_outlines, true, 0, 0 },
    { "opendigits", scene_open_digits, true, 0, 0 },
    { "openbits", scene_open_bits, true, 0, 0 },
    { "openseams", scene_open_seams, true, 0, 0 },
    { "opencoverage", scene_open_coverage, true, GLX_SAMPLES, 4 },
    { "edges", scene_edges, true, 0, 0 },
    { "edgestages", scene_edge_stages, true, 0, 0 },
    { "edgesamples", scene_edges, true, GLX_SAMPLES, 4 },
    { "edgecore", scene_edge_core, false, GLX_CONTEXT_PROFILE_MASK_ARB,
      GLX_CONTEXT_CORE_PROFILE_BIT_ARB },
    { "edgees", scene_edge_core, false, GLX_CONTEXT_PROFILE_MASK_ARB,
      GLX_CONTEXT_ES2_PROFILE_BIT_EXT },
    { "esdepths", scene_es_depths, false, GLX_CONTEXT_PROFILE_MASK_ARB,
      GLX_CONTEXT_ES2_PROFILE_BIT_EXT },
    { "rules", scene_rules, false, 0, 0 },
    { "samples", scene_samples, true, GLX_SAMPLES, 4 },
    { "chosen", scene_samples, true, GLX_SAMPLE_BUFFERS, 1 },
};

static void show(Display *display, Window window, size_t scene, bool read)
{
    for (int frame = 0; frame < FRAMES; frame++) {
        glViewport(0, 0, WIDTH, HEIGHT);
        glClearColor(0.1f, 0.15f, 0.2f, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (scenes[scene].flat)
            flat();
        scenes[scene].draw(frame);
        if (read)
            scene_show_read(WIDTH, HEIGHT);
        glXSwapBuffers(display, window);
    }
}

// A configuration with so much of an attribute, whose colours are plain numbers: with
// sRGB ones Mesa accumulates light.
static GLXFBConfig configured(Display *display, int attribute, int amount)
{
    const bool chosen = attribute == GLX_SAMPLE_BUFFERS; // by samples, not looked up
    const int wanted[] = {
        attribute, amount, GLX_DEPTH_SIZE, 24, chosen ? GLX_SAMPLES : None, 4, None
    };
    int count = 0, srgb = 1;
    GLXFBConfig *all =
        glXChooseFBConfig(display, DefaultScreen(display), wanted, &count);
    for (int i = 0; i < count; i++)
        if (!glXGetFBConfigAttrib(display, all[i], GLX_FRAMEBUFFER_SRGB_CAPABLE_ARB,
                                  &srgb) &&
            !srgb &&
            (chosen || !glXGetFBConfigAttrib(display, all[i], GLX_SAMPLES, &srgb)))
            return all[i];
    return NULL;
}

static GLXContext profiled(Display *display, XVisualInfo *visual, int profile)
{
    typedef GLXContext create(Display *, GLXFBConfig, GLXContext, Bool, const int *);
    const bool es = profile == GLX_CONTEXT_ES2_PROFILE_BIT_EXT;
    const int wanted[] = { GLX_CONTEXT_MAJOR_VERSION_ARB,
                           3,
                           GLX_CONTEXT_MINOR_VERSION_ARB,
                           es ? 0 : 2,
                           GLX_CONTEXT_PROFILE_MASK_ARB,
                           profile,
                           None };
    create *make =
        (create *)glXGetProcAddress((const GLubyte *)"glXCreateContextAttribsARB");
    int count = 0, id = 0;
    GLXFBConfig *all = glXGetFBConfigs(display, visual->screen, &count);
    for (int i = 0; i < count; i++)
        if (!glXGetFBConfigAttrib(display, all[i], GLX_VISUAL_ID, &id) &&
            (VisualID)id == visual->visualid)
            return make(display, all[i], NULL, True, wanted);
    return NULL;
}

static bool run(Display *display, size_t scene, bool read)
{
    static int plain[] = { GLX_RGBA, GLX_DOUBLEBUFFER, GLX_DEPTH_SIZE,
                           24,       GLX_STENCIL_SIZE, 8,
                           None };
    const bool profile = scenes[scene].attribute == GLX_CONTEXT_PROFILE_MASK_ARB;
    GLXFBConfig config =
        scenes[scene].attribute && !profile
            ? configured(display, scenes[scene].attribute, scenes[scene].amount)
            : NULL;
    XVisualInfo *visual = config
                              ? glXGetVisualFromFBConfig(display, config)
                              : glXChooseVisual(display, DefaultScreen(display), plain);
    if (!visual || (scenes[scene].attribute && !profile && !config)) {
        fprintf(stderr, "live_scenes: no visual\n");
        return false;
    }
    Window root = RootWindow(display, visual->screen);
    XSetWindowAttributes attributes = { .colormap = XCreateColormap(
                                            display, root, visual->visual, AllocNone) };
    Window window = XCreateWindow(display, root, 0, 0, WIDTH, HEIGHT, 0, visual->depth,
                                  InputOutput, visual->visual, CWColormap, &attributes);
    XMapWindow(display, window);
    glXMakeCurrent(display, window,
                   profile ? profiled(display, visual, scenes[scene].amount)
                   : config
                       ? glXCreateNewContext(display, config, GLX_RGBA_TYPE, NULL, True)
                       : glXCreateContext(display, visual, NULL, True));
    show(display, window, scene, read);
    return true;
}

int main(int argc, char **argv)
{
    Display *display = XOpenDisplay(NULL);
    if (!display || argc < 2) {
        fprintf(stderr, "live_scenes: no display or scene\n");
        return 1;
    }
    bool read = argc > 2 && !strcmp(argv[2], "read");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (!strcmp(argv[1], scenes[i].name))
            return !run(display, i, read);
    fprintf(stderr, "live_scenes: no scene %s\n", argv[1]);
    return 1;
}
