// brotli streams. The only user of libbrotli.
#ifndef GV_TRACE_BROTLI_H
#define GV_TRACE_BROTLI_H

#include "resources/base/step.h"

struct gv_brotli;

struct gv_brotli *gv_brotli_create(void); // NULL when memory runs out
void gv_brotli_destroy(struct gv_brotli *brotli);
enum gv_step gv_brotli_step(struct gv_brotli *brotli, struct gv_step_io *io);

#endif
