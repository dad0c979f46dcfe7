// Counts the work of a program whose code calls __sanitizer_cov_trace_pc once per basic
// block (-fsanitize-coverage=trace-pc), and the bytes it has the C library move. At
// exit the sum is added as a line to the file that GV_STEPS names. Linked with
// -Wl,--wrap=memcpy and so on (tools/build/steps.ninja).
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES_PER_STEP 64

static _Atomic uint64_t steps;

// The compiler and the linker chose these names.
// NOLINTBEGIN(bugprone-reserved-identifier)

static void count(uint64_t n)
{
    atomic_fetch_add_explicit(&steps, n, memory_order_relaxed);
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    count(1);
}

// Of a function NAME, --wrap makes calls __wrap_NAME; __real_NAME is the library's.
void *__real_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    count(size / BYTES_PER_STEP);
    return __real_memcpy(to, from, size);
}

void *__real_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size)
{
    count(size / BYTES_PER_STEP);
    return __real_memmove(to, from, size);
}

void *__real_memset(void *to, int value, size_t size);
void *__wrap_memset(void *to, int value, size_t size);
void *__wrap_memset(void *to, int value, size_t size)
{
    count(size / BYTES_PER_STEP);
    return __real_memset(to, value, size);
}

int __real_memcmp(const void *a, const void *b, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size)
{
    count(size / BYTES_PER_STEP);
    return __real_memcmp(a, b, size);
}

size_t __real_strlen(const char *text);
size_t __wrap_strlen(const char *text);
size_t __wrap_strlen(const char *text)
{
    size_t size = __real_strlen(text);
    count(size / BYTES_PER_STEP);
    return size;
}

// All of it may have to move.
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    count(size / BYTES_PER_STEP);
    return __real_realloc(old, size);
}

// NOLINTEND(bugprone-reserved-identifier)

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("GV_STEPS");
    FILE *out = path ? fopen(path, "a") : NULL;
    if (!out)
        return;
    fprintf(out, "%llu\n", (unsigned long long)steps);
    fclose(out);
}
