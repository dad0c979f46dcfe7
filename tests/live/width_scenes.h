// A scene of numbers of 64 bits in programs of GLSL: attributes, uniforms, literals.
#ifndef GV_WIDTH_SCENES_H
#define GV_WIDTH_SCENES_H

void scene_widths(int frame);

#endif
