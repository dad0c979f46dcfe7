// Rules of GLSL (glsl_rules.def), a cell of the window each.
#ifndef GV_RULE_SCENES_H
#define GV_RULE_SCENES_H

void scene_rules(int frame);

#endif
