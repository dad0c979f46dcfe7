// What every shader of the PlayStation front-end includes first.
#include "../psx_layout.h"

layout(set = PSX_SET_UNIFORM, binding = PSX_BIND_PARAMS, std140) uniform Params
{
    uvec4 params[PSX_PARAM_WORDS / 4];
};
