// Direct3D 9 shader tokens as the SDK writes them, for tests.
#ifndef GV_TESTS_SM9_TOKENS_H
#define GV_TESTS_SM9_TOKENS_H

// Register types split over two fields of a parameter.
#define REG(type) (0x80000000u | ((type)&7u) << 28 | ((type)&0x18u) << 8)
#define DST(type, n) (REG(type) | (n) | 0xfu << 16)
#define DSTM(type, n, mask) (REG(type) | (n) | (uint32_t)(mask) << 16)
#define SAT (1u << 20)
#define SRC(type, n) (REG(type) | (n) | 0xe4u << 16)
#define SRCX(type, n) (REG(type) | (n))
#define SRCY(type, n) (REG(type) | (n) | 0x55u << 16)
#define SRCM(type, n, modifier) (SRC(type, n) | (uint32_t)(modifier) << 24)
#define OP(code, parameters) ((code) | (uint32_t)(parameters) << 24)
#define RELATIVE (1u << 13)
#define PREDICATED (1u << 28)
#define COMPARE(kind) ((uint32_t)(kind) << 16)
#define END 0x0000ffffu
enum { R, V, C, A, RAST, OD, OT, I, OC, ODEPTH, S, B = 14, AL = 15, MISC = 17, L, P };

// Further bits of a parameter: source modifiers, result shifts, selectors.
enum { NEG = 1, BIAS, BIAS_NEG, BX2, BX2_NEG, ONE_MINUS, X2, X2_NEG, DZ, DW };
#define SHIFT(n) ((uint32_t)((n)&15) << 24)
#define ALPHA(type, n) (REG(type) | (n) | 0xffu << 16)
#define BLUE(type, n) (REG(type) | (n) | 0xaau << 16)
#define PAIR (1u << 30)
#define RGB 7
#define A_ONLY 8
#define R0 DST(R, 0)
#define T(n) SRC(A, n)
#define DT(n) DST(A, n)

#endif
