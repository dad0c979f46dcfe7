// Hash and store in GB/s:  bench_resources FOLDER
#include <stdlib.h>

#include "resources/hash.h"
#include "resources/store.h"
#include "tests/bench/bench.h"

#define OBJECT_BYTES ((size_t)1 << 20)
#define OBJECTS 128

static double gigabytes(size_t bytes, double seconds)
{
    return (double)bytes / seconds * 1e-9;
}

static void bench_hash(const uint8_t *data, size_t size, struct gv_hash *hashes)
{
    double best = 0;
    for (int pass = 0; pass < 5; pass++) {
        double start = bench_seconds();
        for (size_t i = 0; i < OBJECTS; i++)
            hashes[i] = gv_hash_bytes(data + i * OBJECT_BYTES, OBJECT_BYTES);
        double rate = gigabytes(size, bench_seconds() - start);
        best = rate > best ? rate : best;
    }
    bench_print("hash", best, "GB/s");
}

static bool bench_store(const char *folder, const uint8_t *data, size_t size,
                        const struct gv_hash *hashes, struct gv_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/store.%ld", folder, (long)time(NULL));
    struct gv_store *store = gv_store_create(path, err);
    uint8_t *back = malloc(OBJECT_BYTES);
    bool ok = store && back;
    double start = bench_seconds();
    for (size_t i = 0; ok && i < OBJECTS; i++)
        ok = gv_store_put(store, &hashes[i],
                          (struct gv_span){ data + i * OBJECT_BYTES, OBJECT_BYTES }, 3,
                          err);
    double put = gigabytes(size, bench_seconds() - start);
    start = bench_seconds();
    for (size_t i = 0; ok && i < OBJECTS; i++) {
        struct gv_fetch item = { hashes[i], OBJECT_BYTES, back, false };
        ok = gv_store_get(store, &item, err) && item.found;
    }
    double get = gigabytes(size, bench_seconds() - start);
    if (ok) {
        bench_print("store_put", put, "GB/s");
        bench_print("store_get", get, "GB/s");
    }
    free(back);
    gv_store_destroy(store);
    return ok;
}

int main(int argc, char **argv)
{
    struct gv_error err = GV_ERROR_INIT;
    size_t size = OBJECTS * OBJECT_BYTES;
    static struct gv_hash hashes[OBJECTS];
    if (argc != 2)
        return EXIT_FAILURE;
    uint8_t *data = malloc(size);
    if (!data)
        return EXIT_FAILURE;
    bench_fill(data, size, 1);
    bench_hash(data, size, hashes);
    bool ok = bench_store(argv[1], data, size, hashes, &err);
    if (!ok)
        fprintf(stderr, "bench_resources: %s\n", err.message);
    free(data);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
