// What a translated Direct3D shader is: its stage, registers, bindings and the choices
// it was made with. Of decoders, emitter and users alike; dxbc.h translates.
//
// Where things are bound (sets as in vm/descs.h), k being the stage's index:
//   constant buffer b   set 0, binding k * 16 + b; fragment: set 1, binding b
//   texture t           set 2, binding k * 160 + t
//   sampler s           set 2, binding k * 160 + 128 + s
//   buffer resource t   set 3, binding k * 160 + t          (raw and structured)
//   unordered access u  set 3, binding k * 160 + 128 + u; its counter 8 further
// D3D9 constants use the same scheme: b0 = float (256 vec4), b1 = int (256 ivec4), b2 =
// bool (256 uvec4, x is the value), b3 = the translator's own values (gv_dxbc_extra).
//
// Interfaces are linked by register: what one stage writes to output register n the
// next reads as location n. Vertex inputs: location = register. Fragment outputs:
// location = target number.
#ifndef GV_DXBC_TYPES_H
#define GV_DXBC_TYPES_H

#include "compiler/shader/shader.h"

#define GV_DXBC_MAX_CHUNKS 4096
#define GV_DXBC_MAX_REGISTERS 32    // of a signature
#define GV_DXBC_MAX_CBUFFERS 14     // b0..b13
#define GV_DXBC_MAX_TEXTURES 128    // t0..t127
#define GV_DXBC_MAX_SAMPLERS 16     // s0..s15
#define GV_DXBC_MAX_UAVS 8          // u0..u7
#define GV_DXBC_MAX_CONSTANTS 4096  // vec4s of a constant buffer
#define GV_DXBC_CBUFFER_BINDINGS 16 // per stage in sets 0 and 1
#define GV_DXBC_RESOURCE_BINDINGS 160

enum gv_dxbc_stage {
    GV_DXBC_VERTEX,
    GV_DXBC_PIXEL,
    GV_DXBC_GEOMETRY,
    GV_DXBC_HULL,
    GV_DXBC_DOMAIN,
    GV_DXBC_COMPUTE,
    GV_DXBC_STAGE_COUNT,
};

enum gv_dxbc_model {
    GV_DXBC_AERO, // the hand-made SM4/SM5 dialect
    GV_DXBC_SM4,  // official SM4/SM5 tokens
    GV_DXBC_D3D9, // SM1 to SM3
};

// System values; numbers as in signature chunks (D3D_NAME).
enum gv_dxbc_system_value {
    GV_DXBC_SV_NONE = 0,
    GV_DXBC_SV_POSITION = 1,
    GV_DXBC_SV_CLIP_DISTANCE = 2,
    GV_DXBC_SV_CULL_DISTANCE = 3,
    GV_DXBC_SV_LAYER = 4,
    GV_DXBC_SV_VIEWPORT = 5,
    GV_DXBC_SV_VERTEX_ID = 6,
    GV_DXBC_SV_PRIMITIVE_ID = 7,
    GV_DXBC_SV_INSTANCE_ID = 8,
    GV_DXBC_SV_FRONT_FACE = 9,
    GV_DXBC_SV_SAMPLE_INDEX = 10,
    GV_DXBC_SV_QUAD_EDGE = 11,
    GV_DXBC_SV_QUAD_INSIDE = 12,
    GV_DXBC_SV_TRI_EDGE = 13,
    GV_DXBC_SV_TRI_INSIDE = 14,
    GV_DXBC_SV_LINE_DETAIL = 15,
    GV_DXBC_SV_LINE_DENSITY = 16,
    GV_DXBC_SV_TARGET = 64,
    GV_DXBC_SV_DEPTH = 65,
    GV_DXBC_SV_COVERAGE = 66,
    GV_DXBC_SV_DEPTH_GREATER = 67,
    GV_DXBC_SV_DEPTH_LESS = 68,
    GV_DXBC_SV_STENCIL_REF = 69,
    GV_DXBC_SV_CONTROL_POINT_ID = 97, // the last two: by name only
    GV_DXBC_SV_DOMAIN_LOCATION = 98,
    GV_DXBC_SV_POINT_SIZE = 99, // D3D9
};

// Shapes of a texture, from declarations where they can be trusted, else from options.
enum gv_dxbc_dimension {
    GV_DXBC_TEXTURE_UNKNOWN,
    GV_DXBC_TEXTURE_1D,
    GV_DXBC_TEXTURE_1D_ARRAY,
    GV_DXBC_TEXTURE_2D,
    GV_DXBC_TEXTURE_2D_ARRAY,
    GV_DXBC_TEXTURE_2DMS,
    GV_DXBC_TEXTURE_2DMS_ARRAY,
    GV_DXBC_TEXTURE_3D,
    GV_DXBC_TEXTURE_CUBE,
    GV_DXBC_TEXTURE_CUBE_ARRAY,
};

// Component types.
enum gv_dxbc_component { GV_DXBC_FLOAT, GV_DXBC_UINT, GV_DXBC_SINT };

// Choices that are not in the blob. Zeroed is right for Direct3D 10/11.
struct gv_dxbc_options {
    // What is really bound at t#, where the shader does not say (Aero, and SM1 without
    // dcl). UNKNOWN means 2D.
    uint8_t dimensions[GV_DXBC_MAX_TEXTURES]; // enum gv_dxbc_dimension
    // D3D9 vertex shaders: move positions half a pixel up and left (pos.x -= w / width,
    // pos.y += w / height; the viewport's size comes from gv_dxbc_extra).
    bool half_pixel;
    // D3D9 pixel shaders: GV_COMPARE_* + 1 of output alpha against the reference in
    // gv_dxbc_extra; failing pixels are discarded. 0 = no test.
    uint32_t alpha_test;
    // D3D9 constants as one buffer b0 of both stages instead: vertex float registers at
    // 0..255, pixel ones at 256..511. Off by default.
    bool merged_constants;
    // Locations that neither a vertex attribute nor the stage before provides: such
    // input registers read zero instead of being declared, COLOR0 of D3D9 pixel shaders
    // ones. Domain shaders: patch constants by register, likewise.
    uint32_t missing_inputs, missing_patch;
    // vec4s that are bound at b#, of which indices may reach those behind the
    // declaration; 0 = as declared.
    uint16_t constants[GV_DXBC_MAX_CBUFFERS];
    // Domain shaders: what the hull shader in front declares (fields of the same name
    // in gv_dxbc_shader); zeros: what the blob says, else integer, clockwise triangles.
    uint32_t partitioning, output_primitive;
    // Hull shaders whose input patch is not declared: its control points; 0 = 3.
    uint32_t control_points;
};

// The bytes of D3D9's b3, std140, for shaders with `uses_extra`.
struct gv_dxbc_extra {
    float viewport_size[2];
    float alpha_reference; // 0..1
    float unused;
};
#define GV_DXBC_EXTRA_SLOT 3

// One register of a signature, or one declared D3D9 register.
struct gv_dxbc_element {
    uint32_t reg;           // register number; UINT32_MAX: none (oDepth and such)
    uint32_t location;      // of the SPIR-V variable; UINT32_MAX: a built-in
    uint32_t semantic_hash; // FNV-1a 32 of the name in upper case
    uint32_t semantic_index;
    uint32_t usage;        // D3DDECLUSAGE of D3D9 registers, else 0
    const char *name;      // as in the blob, at most 63 bytes kept
    uint32_t system_value; // enum gv_dxbc_system_value, hand-made forms resolved
    uint32_t component;    // enum gv_dxbc_component: the attribute format's class
    uint8_t mask;          // components, x = 1
    uint32_t stream;       // of geometry outputs
};

struct gv_dxbc_cbuffer {
    uint32_t slot;
    uint32_t size; // vec4s declared in SPIR-V; binding less reads zero only if padded
    bool indexed;  // by a register: what is bound behind `size` can be meant
    uint32_t set, binding, type; // GV_BINDING_*
};

struct gv_dxbc_texture {
    uint32_t slot;
    uint32_t dimension; // enum gv_dxbc_dimension
    uint32_t component; // what its texels must be: float, uint or sint
    bool compare;       // sampled by comparison somewhere
    bool undeclared;    // options.dimensions decides
    uint32_t set, binding, type;
};

struct gv_dxbc_sampler {
    uint32_t slot;
    bool compare;
    uint32_t set, binding, type;
};

// A buffer: raw or structured resource (t#), or unordered access (u#), which may be
// typed too where its elements are 32-bit words. STORAGE_BUFFERs of words in SPIR-V.
struct gv_dxbc_buffer {
    uint32_t slot;
    bool uav;        // u# rather than t#
    bool written;    // stored to, or used by atomics
    bool counter;    // not u# itself but its hidden counter, one word
    uint32_t stride; // bytes of a structure; 0 = raw
    uint32_t set, binding, type;
};

struct gv_dxbc_shader {
    enum gv_dxbc_stage stage;
    enum gv_dxbc_model model;
    uint32_t major, minor; // shader model
    struct gv_shader_stage spirv;
    const char *glsl; // the text it was made from, for dumps and tests

    struct gv_dxbc_element *inputs, *outputs;
    uint32_t input_count, output_count;
    struct gv_dxbc_cbuffer *cbuffers;
    uint32_t cbuffer_count;
    struct gv_dxbc_texture *textures;
    uint32_t texture_count;
    struct gv_dxbc_sampler *samplers;
    uint32_t sampler_count;
    struct gv_dxbc_buffer *buffers;
    uint32_t buffer_count;

    // Bit per u# that takes typed elements whose format nobody tells: translated as
    // if nothing were bound there, which is wrong of a buffer.
    uint8_t open_uavs;
    bool writes_position, writes_depth;
    bool uses_extra;          // binds gv_dxbc_extra at GV_DXBC_EXTRA_SLOT
    uint32_t targets;         // bit per colour target written
    uint32_t group_size[3];   // compute
    uint32_t control_points;  // hull: input patch; domain: what it reads; else 0
    uint32_t input_primitive; // geometry: vertices per primitive (1, 2, 3, 4, 6)
    uint32_t domain;       // hull and domain: 1 isoline, 2 triangle, 3 quad; 0 unknown
    uint32_t partitioning; // hull: 1 integer, 2 pow2, 3 odd, 4 even; 0 unknown
    uint32_t patch_registers;  // hull, domain: bit per patch constant with a location
    uint32_t output_primitive; // hull: 1 point, 2 line, 3 cw, 4 ccw; 0 unknown
};

#endif
