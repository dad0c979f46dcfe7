// Scenes of live_scenes.c that need more of a window than colours and depth, and what
// they ask for.
#ifndef GV_VISUAL_SCENES_H
#define GV_VISUAL_SCENES_H

void scene_accum(int frame);    // every operation of glAccum
void scene_samples(int frame);  // several samples a pixel
void scene_resolves(int frame); // likewise of renderbuffers, to a plain window

// Puts the window's pixels in their own place as the program has them: what replays of
// the recording show, whatever windows they have.
void scene_show_read(int width, int height);

#endif
