// Nothing but the table: a test that brings its own front-ends replaces this file.
#include "compiler/frontend.h"

const struct gv_frontend *const gv_frontends[] = {
#define GV_FRONTEND(name, what) &gv_frontend_##name,
#include "compiler/frontends.def"
#undef GV_FRONTEND
};
const size_t gv_frontend_count = sizeof gv_frontends / sizeof gv_frontends[0];
