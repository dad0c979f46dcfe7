// Results as comma-separated values, in deqp-runner's columns.
#ifndef GV_RESULT_TABLE_H
#define GV_RESULT_TABLE_H

#include "resources/base/bytes.h"
#include "tools/results/results.h"

// "NAME,WORD,SECONDS" a line, without a head; with `failures` those that are not
// expected alone, as "NAME,WORD". Fields are quoted where RFC 4180 asks for it.
void gv_result_table(const struct gv_results *results, bool failures,
                     struct gv_bytes *out);

// The first two fields of a line, in place: quotes are taken away. False: a quote is
// left open. `*word` is NULL if there is one field.
bool gv_result_table_fields(char *line, char **name, char **word);

#endif
