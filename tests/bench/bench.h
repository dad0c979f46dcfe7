// JSON lines for benches: {"bench":"NAME","value":N,"unit":"U"}.
#ifndef GV_BENCH_H
#define GV_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

static inline double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void bench_print(const char *name, double value, const char *unit)
{
    printf("{\"bench\":\"%s\",\"value\":%.4g,\"unit\":\"%s\"}\n", name, value, unit);
    fflush(stdout);
}

// Fills with what neither compresses to nothing nor not at all: runs and noise by
// turns. The same seed gives the same bytes.
static inline void bench_fill(uint8_t *data, size_t size, uint64_t seed)
{
    uint64_t state = seed * 2654435769u + 1;
    for (size_t i = 0; i < size; i++) {
        state ^= state << 13; // xorshift64 (Marsaglia)
        state ^= state >> 7;
        state ^= state << 17;
        data[i] = i % 64 < 16 ? (uint8_t)state : (uint8_t)(i >> 6);
    }
}

#endif
