// Scenes of live_scenes.c that are about where vertices come from.
#ifndef GV_LIVE_GEOMETRY_H
#define GV_LIVE_GEOMETRY_H

// The projection is WIDTH by HEIGHT units, the lower left corner 0, 0.
void live_quads(int frame);
void live_materials(int frame);
void live_surfaces(int frame);
void live_types(int frame);
void live_calls(int frame);

#endif
