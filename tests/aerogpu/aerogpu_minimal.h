// Captures of the minimal packets of appendix A, for tests.
#ifndef GV_AEROGPU_MINIMAL_H
#define GV_AEROGPU_MINIMAL_H

#include "tests/aerogpu/aerogpu_scene.h"

// The texts of a stage, NULL: absent.
struct aero_minimal_stage {
    const char *glsl, *wgsl;
    bool stub; // a DXBC blob that is no shader
};

// Begins a file, its first frame, and a cleared framebuffer (black, alpha 0) with the
// pipeline of both stages bound.
void aero_minimal_begin(struct aero_scene *f, const struct aero_minimal_stage *vs,
                        const struct aero_minimal_stage *fs);
// Two triangles over all, of float2 positions and one colour.
void aero_minimal_fill(struct aero_scene *f, float r, float g, float b, float a);
void aero_minimal_draw(struct aero_scene *f, uint32_t vertices, uint32_t first);
// Presents and ends the file.
void aero_minimal_end(struct aero_scene *f);

#endif
