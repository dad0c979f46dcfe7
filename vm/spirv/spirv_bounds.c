#include "vm/spirv/spirv_bounds.h"

bool gv_spirv_within(enum gv_spirv_bounded bound, uint64_t count, uint64_t offset,
                     struct gv_error *err)
{
    static const struct {
        uint32_t most;
        const char *before, *behind;
    } rows[] = {
#define GV_SPIRV_BOUND(name, most, before, behind) { most, before, behind },
#include "vm/spirv/spirv_bounds.def"
#undef GV_SPIRV_BOUND
    };
    return count <= rows[bound].most ||
           gv_fail(err, GV_ERR_UNSUPPORTED, offset, "SPIR-V %s %u%s%s",
                   rows[bound].before, rows[bound].most, *rows[bound].behind ? " " : "",
                   rows[bound].behind);
}
