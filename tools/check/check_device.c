#define _GNU_SOURCE // sched_getaffinity
#include "tools/check/check_device.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/json_check.h"
#include "tools/base/json_read.h"
#include "tools/check/check_child.h"
#include "tools/check/check_params.h"
#include "tools/check/check_seen.h"

#define DEVICES_S 60 // that a driver may take to say what it is

// By its place in the list or a part of its name; the first one if none is wanted.
static bool is_wanted(const struct gv_check_device *device, size_t index,
                      const char *wanted)
{
    if (!wanted)
        return true;
    if (wanted[0] && strspn(wanted, "0123456789") == strlen(wanted))
        return strtoul(wanted, NULL, 10) == index;
    return strcasestr(device->name, wanted) != NULL;
}

// What a run makes of a device that is not in the list, it says itself.
static bool choose(struct gv_check_device *device, const char *text, const char *wanted)
{
    const char *at = text[0] == '{' && gv_json_is_object(text)
                         ? gv_json_first(gv_json_member(text, "devices"))
                         : NULL;
    for (size_t i = 0; at; at = gv_json_after(at), i++) {
        gv_check_device_take(device, at);
        if (is_wanted(device, i, wanted))
            return true;
    }
    return false;
}

bool gv_check_device_find(struct gv_check_device *device, const char *program,
                          const char *wanted, struct gv_error *err)
{
    struct gv_check_child child = { 0 };
    char *const argv[] = { (char *)program, (char *)"devices", (char *)"--json", NULL };
    if (!gv_check_child_start(&child, argv, DEVICES_S, err))
        return false;
    gv_check_child_wait(&child, 1);
    const bool ok = child.end == GV_CHECK_ENDED && !child.output.failed &&
                    choose(device, (const char *)child.output.data, wanted);
    char *newline = strchr(child.last_words, '\n');
    if (newline)
        *newline = '\0';
    if (!ok)
        gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "no device to check with%s%.120s",
                child.last_words[0] ? ": " : "", child.last_words);
    gv_check_child_finish(&child);
    return ok;
}

size_t gv_check_device_jobs(const struct gv_check_device *device)
{
    cpu_set_t cores;
    if (strcmp(device->type, "cpu") != 0 ||
        sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 1;
    const size_t count = (size_t)CPU_COUNT(&cores);
    return count < GV_CHECK_JOBS ? count : GV_CHECK_JOBS;
}
