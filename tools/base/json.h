// A small JSON writer: one object, keys in the order of calls, one line.
#ifndef GV_JSON_H
#define GV_JSON_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "tools/base/report.h"

// Zero-initialise; finished by gv_json_print or gv_json_finish. `key` is NULL inside
// arrays and for the outermost object.
struct gv_json {
    struct gv_bytes out;
    bool comma; // something stands before the next member
};

// The number of docs/schema/: raised when a member goes, or means something else.
#define GV_JSON_SCHEMA 1

// Whose results these are from now on, beside gv_who: both texts stay. `command` NULL:
// none is known yet.
void gv_json_about(const char *version, const char *command);

// The object of a result, with the members that all of them begin with: {"schema":1,
// "program":"gpuvm", "version":"0.1.0", "subcommand":"store add"
void gv_json_result(struct gv_json *j);

void gv_json_begin(struct gv_json *j, const char *key); // {
void gv_json_end(struct gv_json *j);                    // }
void gv_json_array(struct gv_json *j, const char *key); // [
void gv_json_array_end(struct gv_json *j);              // ]
// Control characters are escaped and bytes that are not UTF-8 replaced: text may come
// from a hostile file.
void gv_json_text(struct gv_json *j, const char *key, const char *text);
void gv_json_number(struct gv_json *j, const char *key, uint64_t number);
void gv_json_real(struct gv_json *j, const char *key, double number);
void gv_json_bool(struct gv_json *j, const char *key, bool value);
// Text that is JSON already. The caller vouches for it.
void gv_json_raw(struct gv_json *j, const char *key, const char *json);
// The members of a failure: "status", "file", "error", "offset", "command".
void gv_json_error(struct gv_json *j, const char *subject, const struct gv_error *err,
                   enum gv_exit code);

// Writes the text and a newline to stdout and frees it.
void gv_json_print(struct gv_json *j);
void gv_json_finish(struct gv_json *j);

#endif
