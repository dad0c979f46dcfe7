// Every internal format of textures, each used in every way: mips that GL makes, blits
// to another size, copies, linear filters, targets that are drawn and blended to.
#ifndef INTERNAL_SCENES_H
#define INTERNAL_SCENES_H

void scene_internals(int frame); // mips of powers of two, linear filters, targets
void scene_odd_mips(int frame);  // mips of other sizes, blits, copies
void scene_es_depths(
    int frame); // OpenGL ES: depth without a size and with one, sampled
// Coordinates beyond a texture's edges, as programs of GLSL look them up.
void scene_beyond(int frame);

#endif
