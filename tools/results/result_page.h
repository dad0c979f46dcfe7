// Results as a page: one file that asks nobody for anything but the pictures beside it.
#ifndef GV_RESULT_PAGE_H
#define GV_RESULT_PAGE_H

#include "resources/base/bytes.h"
#include "tools/results/results.h"

// Names and messages come from files and drivers: they are data of the page's program,
// which makes text of them and never HTML.
void gv_result_page(const struct gv_results *results, struct gv_bytes *out);

#endif
