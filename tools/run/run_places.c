#define _DEFAULT_SOURCE // lstat
#include "tools/run/run_places.h"

#include <string.h>
#include <sys/stat.h>

#include "resources/base/file.h"
#include "tools/run/run_exports.h"

// A name for all of them, under which nothing is written.
static bool can_make(const char *path, struct gv_error *err)
{
    struct stat st;
    bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    return folder || gv_file_can_write(path, err);
}

// What is there already, unless it is a file, which will be replaced.
static bool check_there(void *context, const char *path, struct gv_error *err)
{
    struct stat st;
    (void)context;
    return lstat(path, &st) != 0 || S_ISREG(st.st_mode) || gv_file_can_write(path, err);
}

static bool has_shots(const struct gv_run_plan *plan)
{
    return plan->folder && (plan->shots.count || plan->shots.end);
}

bool gv_run_places_check(const struct gv_run_plan *plan,
                         const struct gv_run_options *options, struct gv_error *err)
{
    char path[GV_RUN_PATH];
    bool ok = true;
    for (size_t i = 0; ok && i < plan->export_count; i++)
        ok = !plan->exports[i].each ||
             (gv_run_export_path(&plan->exports[i], 0, path, err) &&
              can_make(path, err));
    // Prefixes may name a folder in it.
    if (ok && has_shots(plan))
        ok = gv_run_plan_frame_path(plan, options, GV_RUN_END, path, err) &&
             can_make(path, err);
    if (ok && plan->calls.own.count)
        ok = gv_run_plan_call_path(plan, 0, path, err) && can_make(path, err);
    return ok && gv_run_plan_each_picture(plan, options, check_there, NULL, err);
}

const char *gv_run_places_prefix(const struct gv_run_plan *plan,
                                 const struct gv_run_options *options,
                                 char path[GV_RUN_PATH])
{
    if (!strchr(options->screenshot_prefix, '/') || !has_shots(plan) ||
        !gv_run_plan_frame_path(plan, options, GV_RUN_END, path, NULL))
        return NULL;
    *strrchr(path, '/') = '\0';
    return path;
}
