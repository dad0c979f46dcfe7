// A scene of what is drawn only if an occlusion query counted something.
#ifndef GV_CONDITION_SCENES_H
#define GV_CONDITION_SCENES_H

void scene_conditions(int frame);
// Results of queries in buffers.
void scene_counts(int frame);

#endif
