#include "compiler/aerogpu/aero_enums.h"

#include "vm/calls.h"

#define MAX_NUMBERS 16 // every number of the tables is below

// value + 1 by number; 0 = no such number.
static const uint8_t values[GV_AERO_ENUM_COUNT][MAX_NUMBERS] = {
#define GV_AERO_VALUE(which, number, value) \
    [GV_AERO_ENUM_##which][number] = (uint8_t)((value) + 1),
#include "compiler/aerogpu/aero_enums.def"
#undef GV_AERO_VALUE
};

static const char *const names[GV_AERO_ENUM_COUNT] = {
    "blend factor", "blend operation", "comparison", "cull mode",
    "filter",       "address mode",    "topology",
};

bool gv_aero_enum(enum gv_aero_enum which, uint32_t number, uint8_t *value)
{
    if (which == GV_AERO_ENUM_topology && number >= GV_AERO_TOPOLOGY_FIRST_PATCH &&
        number <= GV_AERO_TOPOLOGY_LAST_PATCH) {
        *value = GV_TOPOLOGY_PATCH_LIST;
        return true;
    }
    if (number >= MAX_NUMBERS || !values[which][number])
        return false;
    *value = (uint8_t)(values[which][number] - 1);
    return true;
}

const char *gv_aero_enum_name(enum gv_aero_enum which)
{
    return names[which];
}
