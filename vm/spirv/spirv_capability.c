#include "vm/spirv/spirv_capability.h"

const struct gv_spirv_capability gv_spirv_capabilities[] = {
#define GV_CAPABILITY(name, code, feature, extension) \
    { code, #name, feature, extension, "", 0 },
#define GV_SUBGROUP_CAPABILITY(name, code, operations, bit) \
    { code, #name, "", "", operations, bit },
#include "vm/spirv/spirv_capabilities.def"
};

const size_t gv_spirv_capability_count =
    sizeof gv_spirv_capabilities / sizeof gv_spirv_capabilities[0];

const char *gv_spirv_capability_needs(const struct gv_spirv_capability *row)
{
    if (row->subgroup_bit)
        return row->operations;
    return *row->feature ? row->feature : row->extension;
}
