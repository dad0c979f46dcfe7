// libvkd3d-shader as a second opinion on official SM5 compute shaders, in a child
// process, since it asserts on what it does not know.
#ifndef GV_TESTS_VKD3D_ORACLE_H
#define GV_TESTS_VKD3D_ORACLE_H

#include "resources/base/bytes.h"

// Whether headers were there when this was built and the library is there now.
bool vkd3d_oracle_present(void);

// DXBC -> SPIR-V with the bindings of compiler/shader/d3d/dxbc_types.h: u0, u1, b0 of
// compute shaders; u0 and u1 are storage texel buffers (R32_UINT), since two storage
// buffers become invalid SPIR-V in version 1.2 (an array type decorated twice). False:
// `error` (160 bytes) says why. Call before threads are started.
bool vkd3d_oracle_compile(const struct gv_bytes *dxbc, struct gv_bytes *spirv,
                          char *error);

#endif
