// Small traces that between them use what OpenGL 1.5 and its extensions have: good
// inputs for those who change them.
#ifndef TRACE_SCENES_H
#define TRACE_SCENES_H

#include "tests/apitrace/trace_gl.h"

extern const struct trace_scene {
    const char *name;
    void (*write)(struct trace_gl *t); // between trace_gl_begin and the last swap
} trace_scenes[];
extern const size_t trace_scene_count;

// One of them, whole.
void trace_write_scene(struct trace_gl *t, const struct trace_scene *scene);

// A list of `vertices`, called `calls` times.
void trace_write_lists(struct trace_gl *t, unsigned vertices, unsigned calls);

#endif
