// Captures of other programs that no front-end reads: known, so that the refusal can
// name them.
#ifndef GV_FOREIGN_CAPTURE_H
#define GV_FOREIGN_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

// What these bytes begin ("RenderDoc capture"), or NULL. `data` has lost its outer
// layer.
const char *gv_foreign_capture(const uint8_t *data, size_t size);

#endif
