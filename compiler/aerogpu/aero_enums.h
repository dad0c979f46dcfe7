// Checked translation of the ABI's enumerations to the waist's.
#ifndef GV_AERO_ENUMS_H
#define GV_AERO_ENUMS_H

#include <stdbool.h>
#include <stdint.h>

enum gv_aero_enum {
    GV_AERO_ENUM_blend_factor,
    GV_AERO_ENUM_blend_op,
    GV_AERO_ENUM_compare,
    GV_AERO_ENUM_cull,
    GV_AERO_ENUM_filter,
    GV_AERO_ENUM_address,
    GV_AERO_ENUM_topology,
    GV_AERO_ENUM_COUNT,
};

#define GV_AERO_TOPOLOGY_TRIANGLE_LIST 4u
#define GV_AERO_TOPOLOGY_FIRST_ADJACENCY 10u
#define GV_AERO_TOPOLOGY_FIRST_PATCH 33u // one control point
#define GV_AERO_TOPOLOGY_LAST_PATCH 64u  // 32 control points

// The waist's value of an ABI number; false if there is none. Patch topologies 33 to
// 64 are all GV_TOPOLOGY_PATCH_LIST.
bool gv_aero_enum(enum gv_aero_enum which, uint32_t number, uint8_t *value);
const char *gv_aero_enum_name(enum gv_aero_enum which);

#endif
