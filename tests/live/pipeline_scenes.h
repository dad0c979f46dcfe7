// Scenes of program pipelines.
#ifndef GV_PIPELINE_SCENES_H
#define GV_PIPELINE_SCENES_H

void scene_pipelines(int frame);

#endif
