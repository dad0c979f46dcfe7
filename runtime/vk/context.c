#include "runtime/vk/context.h"

bool gv_runtime_outside_pass(const struct gv_runtime *rt, struct gv_error *err)
{
    return !rt->in_pass ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "not allowed inside a pass");
}

bool gv_runtime_inside_pass(const struct gv_runtime *rt, struct gv_error *err)
{
    return rt->in_pass ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "not allowed outside a pass");
}

bool gv_runtime_suspend(struct gv_runtime *rt, struct gv_error *err)
{
    return rt->above.suspend(rt, err);
}

bool gv_runtime_resume(struct gv_runtime *rt, struct gv_error *err)
{
    return rt->above.resume(rt, err);
}
