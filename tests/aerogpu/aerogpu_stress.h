// Large generated captures for benches, and the demo picture.
#ifndef GV_AEROGPU_STRESS_H
#define GV_AEROGPU_STRESS_H

#include "tests/aerogpu/aerogpu_scene.h"

// About `megabytes` of uploads, mostly textures and vertices, at most 20 % of whose
// bytes cannot be compressed. Seeded: the same bytes each time.
void aero_stress_uploads(struct aero_file *f, uint32_t megabytes);
// The same amount of noise, none of which can be compressed, in one frame.
void aero_stress_noise(struct aero_file *f, uint32_t megabytes);
// About `megabytes` of small packets: state, constants and draws.
void aero_stress_commands(struct aero_file *f, uint32_t megabytes);
// `frames` frames of `draws` draws of mixed state.
void aero_stress_frames(struct aero_file *f, uint32_t frames, uint32_t draws);
// `frames` frames of 2,000 draws, before each of which 64 of the `bytes` (64 to 65536)
// that their shader may read are replaced.
void aero_stress_constants(struct aero_file *f, uint32_t frames, uint32_t bytes);
// A picture worth looking at: 256x256, 24 frames of turning, blended, textured shapes.
void aero_demo(struct aero_file *f);

#endif
