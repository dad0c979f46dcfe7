// Facts of a dump, without drawing it.
#ifndef GV_PSX_DESCRIBE_DUMP_H
#define GV_PSX_DESCRIBE_DUMP_H

#include "compiler/compiler.h"
#include "compiler/psx/gpu.h"
#include "resources/base/cursor.h"

// The GPU version that a dump asks for: its version packet, else v2 with 1 MB.
bool gv_psx_dump_version(struct gv_cursor input, enum gv_psx_version *version,
                         struct gv_error *err);

bool gv_psx_describe(struct gv_cursor input, const struct gv_compile_params *params,
                     struct gv_describe *out, struct gv_error *err);

#endif
