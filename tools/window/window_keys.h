// What keys do in a window, and what `h` says of them.
#ifndef GV_WINDOW_KEYS_H
#define GV_WINDOW_KEYS_H

#include <stddef.h>

enum gv_window_action {
    GV_WINDOW_NONE,
    GV_WINDOW_PAUSE,
    GV_WINDOW_STEP,  // so many frames
    GV_WINDOW_SEEK,  // to so many tenths; 10 is the last frame
    GV_WINDOW_SPEED, // so many steps
    GV_WINDOW_LOOP,
    GV_WINDOW_SAVE,
    GV_WINDOW_INFO,
    GV_WINDOW_HELP,
    GV_WINDOW_FULL_SCREEN,
    GV_WINDOW_FILE, // so many on
    GV_WINDOW_QUIT,
};

struct gv_window_key {
    const char *key; // as SDL names it: "Space", "Keypad +"
    enum gv_window_action action;
    int number;
    const char *keys, *what; // a line of help, or NULL
};

extern const struct gv_window_key gv_window_keys[];
extern const size_t gv_window_key_count;

// The row of a key; NULL: it does nothing.
const struct gv_window_key *gv_window_key_find(const char *key);

#endif
