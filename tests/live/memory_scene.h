// A scene of live_scenes.c about what stays and what changes: names, uniforms, the
// program's memory and mapped memory. docs/apitrace.md shows its payload.
#ifndef GV_MEMORY_SCENE_H
#define GV_MEMORY_SCENE_H

// The projection is 240 by 180 units, the lower left corner 0, 0.
void scene_memory(int frame);

#endif
