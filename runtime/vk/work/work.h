// The life of all that work keeps: passes, what is bound, what goes out.
#ifndef GV_VK_WORK_H
#define GV_VK_WORK_H

#include "resources/base/error.h"

struct gv_runtime;

// Makes rt->work and all that it has, and sets rt->above. False: call destroy.
bool gv_vk_work_create(struct gv_runtime *rt, struct gv_error *err);
void gv_vk_work_destroy(struct gv_runtime *rt);

// Ends an open pass and all that runs, so that nothing begins anew after a submission.
void gv_vk_work_abandon(struct gv_runtime *rt);
// Forgets everything the payload set, all objects being about to die. The device is
// idle.
void gv_vk_work_reset(struct gv_runtime *rt);

#endif
