// Members of JSON that gv_json_is_object has taken: nothing here checks it again.
#ifndef GV_JSON_READ_H
#define GV_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A value is where it begins in the text; NULL is one that is not there, and every
// function here takes it.

// The member of an object, or NULL: there is none, or it is no object.
const char *gv_json_member(const char *object, const char *key);

// The first element of an array and the one behind an element; NULL at the end.
const char *gv_json_first(const char *array);
const char *gv_json_after(const char *element);

// Copies a text as UTF-8. False: it is no text, holds a NUL, or has no room.
bool gv_json_copy(const char *value, char *out, size_t size);

// A number that is whole and not negative; else `otherwise`.
uint64_t gv_json_whole(const char *value, uint64_t otherwise);
double gv_json_double(const char *value, double otherwise);
bool gv_json_true(const char *value);

#endif
