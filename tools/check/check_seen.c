#include "tools/check/check_seen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/json_check.h"
#include "tools/base/json_read.h"

#define FRAMES_MOST ((size_t)1 << 20)

void gv_check_device_take(struct gv_check_device *device, const char *json)
{
    *device = (struct gv_check_device){
        .vendor = gv_json_whole(gv_json_member(json, "vendor"), 0),
        .device = gv_json_whole(gv_json_member(json, "device"), 0),
        .driver_version = gv_json_whole(gv_json_member(json, "driver_version"), 0),
        .memory_bytes = gv_json_whole(gv_json_member(json, "memory_bytes"), 0),
    };
    gv_json_copy(gv_json_member(json, "name"), device->name, sizeof device->name);
    gv_json_copy(gv_json_member(json, "driver"), device->driver, sizeof device->driver);
    gv_json_copy(gv_json_member(json, "type"), device->type, sizeof device->type);
    gv_json_copy(gv_json_member(json, "api"), device->api, sizeof device->api);
    gv_json_copy(gv_json_member(json, "uuid"), device->uuid, sizeof device->uuid);
}

// The frame that is there already as the `at`th or behind it, or a new one.
static struct gv_check_frame *find_or_add(struct gv_check_seen *seen, size_t at,
                                          const char *frame)
{
    for (size_t i = at; i < seen->count; i++)
        if (strcmp(seen->frames[i].frame, frame) == 0)
            return &seen->frames[i];
    if (seen->count == seen->capacity) {
        const size_t capacity = seen->capacity ? 2 * seen->capacity : 16;
        void *grown = capacity > FRAMES_MOST
                          ? NULL
                          : realloc(seen->frames, capacity * sizeof *seen->frames);
        if (!grown)
            return NULL;
        seen->frames = grown;
        seen->capacity = capacity;
    }
    struct gv_check_frame *added = &seen->frames[seen->count++];
    *added = (struct gv_check_frame){ 0 };
    snprintf(added->frame, sizeof added->frame, "%s", frame);
    return added;
}

static bool take_frame(struct gv_check_seen *seen, size_t at, const char *json,
                       enum gv_hash_form form)
{
    char name[sizeof seen->frames->frame], hash[GV_HASH_FRAME_TEXT];
    const char *number = gv_json_member(json, "frame");
    const uint64_t width = gv_json_whole(gv_json_member(json, "width"), 0);
    if (!gv_json_copy(number, name, sizeof name))
        snprintf(name, sizeof name, "%" PRIu32,
                 (uint32_t)gv_json_whole(number, UINT32_MAX));
    if (!gv_json_copy(gv_json_member(json, "hash"), hash, sizeof hash))
        return true; // a picture alone
    struct gv_check_frame *frame = find_or_add(seen, at, name);
    if (!frame)
        return false;
    snprintf(frame->size, sizeof frame->size, width ? "%ux%u" : "none",
             (unsigned)width & 0xffffff,
             (unsigned)gv_json_whole(gv_json_member(json, "height"), 0) & 0xffffff);
    memcpy(frame->hash[form], hash, sizeof hash);
    return true;
}

bool gv_check_seen_take_words(struct gv_check_seen *seen, const char *text)
{
    if (text[0] != '{' || !gv_json_is_object(text))
        return false;
    seen->told = true;
    seen->complete = gv_json_true(gv_json_member(text, "complete"));
    seen->exact = gv_json_true(gv_json_member(text, "exact"));
    seen->error[0] = '\0';
    if (!gv_json_copy(gv_json_member(text, "error"), seen->error, sizeof seen->error))
        seen->error[0] = '\0';
    const char *device = gv_json_member(text, "device");
    if (device)
        gv_check_device_take(&seen->device, device);
    return true;
}

bool gv_check_seen_take(struct gv_check_seen *seen, const char *text,
                        enum gv_hash_form form)
{
    if (!gv_check_seen_take_words(seen, text))
        return true;
    const char *at = gv_json_first(gv_json_member(text, "frames"));
    for (size_t i = 0; at; at = gv_json_after(at), i++)
        if (!take_frame(seen, i, at, form))
            return false;
    return true;
}

void gv_check_seen_finish(struct gv_check_seen *seen)
{
    free(seen->frames);
    *seen = (struct gv_check_seen){ 0 };
}
