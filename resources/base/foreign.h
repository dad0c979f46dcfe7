// Text that somebody else wrote: names in files, drivers' words, compilers' messages.
// What of it may be shown to people is decided here alone.
#ifndef GV_FOREIGN_H
#define GV_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The length in bytes of the UTF-8 sequence at `text` (Unicode 15, table 3-7), whose
// character is stored in `*code`; 0 if it is none. Of a NUL the length is 1.
size_t gv_utf8_next(const char *text, uint32_t *code);

// Whether all `size` bytes are UTF-8 without NUL.
bool gv_utf8_valid(const void *text, size_t size);

// Whether a character does something to a terminal instead of standing in it: controls
// (C0, DEL, C1), separators of lines and paragraphs, marks that turn the direction of
// what follows, and such as are not seen at all.
bool gv_is_control(uint32_t code);

// Makes a text fit to be shown, in place: each control character and each byte that is
// not UTF-8 becomes '?'; white space becomes a blank.
void gv_foreign_mask(char *text);

// The same for `*size` bytes of many lines, with a NUL behind them: newlines and tabs
// stay.
void gv_foreign_mask_lines(char *text, size_t *size);

#endif
