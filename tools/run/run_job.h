// What a replay may be for beside its pictures. The command that asks for it brings the
// functions along, so that a program without the command is without them.
#ifndef GV_RUN_JOB_H
#define GV_RUN_JOB_H

#include "resources/base/error.h"
#include "runtime/runtime.h"
#include "tools/base/json.h"

struct gv_payload;
struct gv_replay;
struct gv_run_walk;

struct gv_run_job {
    const char *output; // path; "-" is standard output; NULL: none
    const char *set;    // SET that it reads, of a file perhaps; NULL: none
    // Before the child is made, and once it has succeeded; `finish` is due either way.
    bool (*open)(struct gv_run_job *job, struct gv_error *err);
    bool (*keep)(struct gv_run_job *job, struct gv_error *err);
    void (*finish)(struct gv_run_job *job);
    // In the child: what can be told before there is a device.
    bool (*plan)(struct gv_run_job *job, const struct gv_payload *payload,
                 struct gv_error *err);
    // Of a host that it has around the runtime's (NULL function: none): what that
    // makes beside the payload's objects, and the host, which lives as long as the job.
    struct gv_runtime_budget beside;
    const struct gv_host *(*watch)(struct gv_run_job *job, struct gv_runtime *runtime,
                                   struct gv_error *err);
    // Where the replay begins and what of the code runs, once there is a device
    // (replay_core.h); NULL: all of it.
    bool (*begin)(struct gv_run_job *job, struct gv_replay *replay,
                  struct gv_error *err);
    const struct gv_log *log; // of the runtime; NULL: the run's
    // In place of the passes.
    bool (*run)(struct gv_run_job *job, struct gv_run_walk *walk, struct gv_error *err);
    // What was made: members of `json` or, where that is NULL, lines.
    void (*report)(const struct gv_run_job *job, struct gv_json *json);
    // How a run ends that has not failed; NULL: well, unless checks of the run failed.
    enum gv_exit (*code)(const struct gv_run_job *job);
};

#endif
