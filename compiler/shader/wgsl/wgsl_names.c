// Names in the GLSL: the text's own, unless GLSL or we have taken them.
#include "compiler/shader/wgsl/wgsl_internal.h"

#include <stdio.h>
#include <string.h>

// Words of GLSL 4.60 and names of its functions, with blanks around each.
static const char reserved[] =
    " active all any abs acos acosh asin asinh asm atan atanh atomic_uint atomicAdd "
    "atomicAnd atomicCompSwap atomicExchange atomicMax atomicMin atomicOr atomicXor "
    "attribute barrier bitCount bitfieldExtract bitfieldInsert bitfieldReverse bool "
    "break buffer bvec2 bvec3 bvec4 case cast ceil centroid clamp class coherent "
    "common "
    "const continue cos cosh cross dFdx dFdxCoarse dFdxFine dFdy dFdyCoarse dFdyFine "
    "default degrees demote determinant discard distance dmat2 dmat2x2 dmat2x3 dmat2x4 "
    "dmat3 dmat3x2 dmat3x3 dmat3x4 dmat4 dmat4x2 dmat4x3 dmat4x4 do dot double dvec2 "
    "dvec3 dvec4 else enum equal exp exp2 extern external faceforward false filter "
    "findLSB findMSB fixed flat float floatBitsToInt floatBitsToUint floor fma for "
    "fract "
    "frexp fvec2 fvec3 fvec4 fwidth fwidthCoarse fwidthFine goto greaterThan "
    "greaterThanEqual groupMemoryBarrier half highp hvec2 hvec3 hvec4 if imulExtended "
    "in inline inout input int intBitsToFloat interface interpolateAtCentroid "
    "interpolateAtOffset interpolateAtSample invariant inverse inversesqrt isinf isnan "
    "ivec2 ivec3 ivec4 layout ldexp length lessThan lessThanEqual log log2 long lowp "
    "main mat2 mat2x2 mat2x3 mat2x4 mat3 mat3x2 mat3x3 mat3x4 mat4 mat4x2 mat4x3 "
    "mat4x4 "
    "matrixCompMult max mediump memoryBarrier memoryBarrierBuffer memoryBarrierImage "
    "memoryBarrierShared min mix mod modf namespace noinline nonuniformEXT noise1 "
    "noise2 "
    "noise3 noise4 noperspective normalize not notEqual ftransform out outerProduct "
    "output packDouble2x32 packHalf2x16 packSnorm2x16 packSnorm4x8 packUnorm2x16 "
    "packUnorm4x8 partition patch pow precise precision public radians readonly "
    "reflect "
    "refract resource restrict return round roundEven sample sampler samplerShadow "
    "shared short sign sin sinh sizeof smooth smoothstep sqrt static step struct "
    "subpassInput subpassLoad subroutine superp switch tan tanh template texelFetch "
    "texelFetchOffset texture textureGather textureGatherOffset textureGatherOffsets "
    "textureGrad textureGradOffset textureLod textureLodOffset textureOffset "
    "textureProj "
    "textureProjGrad textureProjGradOffset textureProjLod textureProjLodOffset "
    "textureProjOffset textureQueryLevels textureQueryLod textureSamples textureSize "
    "this transpose true trunc typedef uaddCarry uint uintBitsToFloat umulExtended "
    "uniform union unpackDouble2x32 unpackHalf2x16 unpackSnorm2x16 unpackSnorm4x8 "
    "unpackUnorm2x16 unpackUnorm4x8 unsigned using usubBorrow uvec2 uvec3 uvec4 "
    "varying "
    "vec2 vec3 vec4 void volatile while writeonly float16_t int64_t uint64_t int8_t "
    "uint8_t int16_t uint16_t int32_t uint32_t float32_t float64_t texture2D "
    "texture2DLod texture2DProj texture2DProjLod texture1D texture3D textureCube "
    "textureBuffer texture2DArray textureCubeArray texture1DArray texture2DMS "
    "texture2DMSArray texture2DRect texture1DLod texture1DProj texture1DProjLod "
    "texture3DLod texture3DProj texture3DProjLod textureCubeLod shadow1D shadow2D "
    "shadow1DLod shadow2DLod shadow1DProj shadow2DProj accelerationStructureEXT "
    "rayQueryEXT hitObjectNV anyInvocation allInvocations allInvocationsEqual "
    "countLeadingZeros countTrailingZeros debugPrintfEXT devicecoherent nonprivate "
    "perprimitiveNV pervertexEXT pervertexNV perviewNV queuefamilycoherent "
    "readFirstInvocationARB shadercallcoherent subpassInputMS taskNV "
    "taskPayloadSharedEXT workgroupcoherent ";

// Families of names: iimage2D, usampler2DArrayShadow, i16vec2, f64mat2x3, gl_Position.
static bool in_family(const char *n)
{
    static const char *const prefixes[] = { "gl_",
                                            "gv_",
                                            "image",
                                            "iimage",
                                            "uimage",
                                            "sampler",
                                            "isampler",
                                            "usampler",
                                            "itexture",
                                            "utexture",
                                            "i8vec",
                                            "u8vec",
                                            "i16vec",
                                            "u16vec",
                                            "i32vec",
                                            "u32vec",
                                            "i64vec",
                                            "u64vec",
                                            "f16vec",
                                            "f32vec",
                                            "f64vec",
                                            "f16mat",
                                            "f32mat",
                                            "f64mat",
                                            "isubpass",
                                            "usubpass",
                                            "f16",
                                            "i64image",
                                            "u64image",
                                            "subgroup",
                                            "atomicCounter",
                                            "fcoopmat",
                                            "coopmat",
                                            "icoopmat",
                                            "ucoopmat",
                                            "addInvocations",
                                            "maxInvocations",
                                            "minInvocations",
                                            "pack",
                                            "unpack" };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(n, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

// The form that this file makes: w12_name.
static bool like_ours(const char *n)
{
    size_t digits = n[0] == 'w' ? strspn(n + 1, "0123456789") : 0;
    return digits && n[1 + digits] == '_';
}

static bool is_reserved(const char *name, size_t size)
{
    const char *at = reserved;
    while ((at = strstr(at, name)) != NULL) {
        if (at[-1] == ' ' && at[size] == ' ')
            return true;
        at++;
    }
    return false;
}

const char *wgsl_pick_name(struct wgsl *w, const struct wgsl_symbol *name, bool taken)
{
    if (!taken && name->size < 100 && !strstr(name->name, "__") &&
        !in_family(name->name) && !like_ours(name->name) &&
        !is_reserved(name->name, name->size))
        return name->name;
    char text[64];
    int n = snprintf(text, sizeof text, "w%u_%.40s", w->names++, name->name);
    for (char *p = strstr(text, "__"); p; p = strstr(text, "__")) {
        memmove(p, p + 1, strlen(p));
        n--;
    }
    const char *copy = gv_arena_copy(w->arena, text, (size_t)n);
    if (!copy)
        wgsl_no_memory(w);
    return copy;
}
