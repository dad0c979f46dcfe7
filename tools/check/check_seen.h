// What a run showed: its frames with their hashes, and what it said of itself.
#ifndef GV_CHECK_SEEN_H
#define GV_CHECK_SEEN_H

#include "tools/check/golden_devices.h"
#include "tools/verdict/hash_frame.h"

#include <stddef.h>

struct gv_check_frame {
    char frame[12]; // "12", "end"
    char size[24];  // "64x64", "none"
    char hash[GV_HASH_FORM_COUNT]
             [GV_HASH_FRAME_TEXT]; // "FORM:hex", "none"; "": not made
};

// Zero-initialise.
struct gv_check_seen {
    struct gv_check_frame *frames; // owned; as they came
    size_t count, capacity;
    bool told; // there was an object of JSON; without it nothing below is known
    bool complete, exact;
    char error[256]; // what went wrong, or ""
    struct gv_check_device device;
};

// Takes in what `run --json --hash FORM` printed; of several runs the frames come
// together, each with its forms. What is no such object changes nothing: a process may
// die before its last word. False when memory runs out.
bool gv_check_seen_take(struct gv_check_seen *seen, const char *text,
                        enum gv_hash_form form);
// The same without the frames. False: no such object.
bool gv_check_seen_take_words(struct gv_check_seen *seen, const char *text);
void gv_check_seen_finish(struct gv_check_seen *seen);

// The device of an object of `run` or `devices`, which begins at `json`.
void gv_check_device_take(struct gv_check_device *device, const char *json);

#endif
