// Scenes of shaders that are SPIR-V (modules/, GL_ARB_gl_spirv).
#ifndef GV_MODULE_SCENES_H
#define GV_MODULE_SCENES_H

void scene_modules(int frame);

#endif
