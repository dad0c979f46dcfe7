// Whether text from a file may stand in our JSON as it is.
#ifndef GV_JSON_CHECK_H
#define GV_JSON_CHECK_H

#include <stdbool.h>

// Whether `text` is one object of JSON (RFC 8259), of UTF-8 without control characters,
// and nested no deeper than readers bear.
bool gv_json_is_object(const char *text);

#endif
