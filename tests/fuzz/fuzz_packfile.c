// Any bytes as a pack: opened, every object read; opened again to be added to, where it
// then has what it had. Its hashes are made right in the second half of the runs, so
// that mutants reach what is behind them.
#define _GNU_SOURCE // memfd_create
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/base/write_all.h"
#include "resources/packfile.h"

#define MOST_BYTES ((uint64_t)1 << 16) // of one object

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Headers of records and trailers get their checks; what else there is stays.
static void mend(uint8_t *data, size_t size)
{
    struct gv_bytes header = { 0 };
    const unsigned version = size > 8 && data[8] == GV_PACKFILE_PLAIN
                                 ? GV_PACKFILE_PLAIN
                                 : GV_PACKFILE_MAJOR;
    gv_pack_put_header(&header, version);
    if (size >= header.size && !header.failed)
        memcpy(data, header.data, header.size);
    gv_bytes_finish(&header);
    for (size_t at = GV_PACKFILE_HEADER_BYTES; at + GV_PACKFILE_RECORD_BYTES <= size;
         at += GV_PACKFILE_ALIGNMENT) {
        const bool object =
            data[at] == GV_RECORD_OBJECT || data[at] == GV_RECORD_DEPENDENT;
        if (!object || data[at + 1] || data[at + 2])
            continue;
        struct gv_hash hash = gv_hash_bytes(data + at, GV_PACKFILE_RECORD_BYTES - 8);
        memcpy(data + at + GV_PACKFILE_RECORD_BYTES - 8, hash.bytes, 8);
    }
    if (size < GV_PACKFILE_HEADER_BYTES + GV_PACKFILE_TRAILER_BYTES)
        return;
    uint8_t *trailer = data + size - GV_PACKFILE_TRAILER_BYTES;
    struct gv_pack_trailer told = { .version = version };
    memcpy(&told.index, trailer, 8);
    memcpy(&told.rows, trailer + 16, 8);
    uint64_t from = told.index + GV_PACKFILE_RECORD_BYTES;
    if (told.index < size && told.rows < size && from < size &&
        gv_pack_rows_size(&told) <= size - from) {
        struct gv_hash hash =
            gv_hash_bytes(data + from, (size_t)gv_pack_rows_size(&told));
        memcpy(trailer + 24, hash.bytes, sizeof hash.bytes);
    }
    uint64_t file_size = size;
    memcpy(trailer + 8, &file_size, 8);
    struct gv_hash check = gv_hash_bytes(trailer, GV_PACKFILE_TRAILER_BYTES - 16);
    memcpy(trailer + GV_PACKFILE_TRAILER_BYTES - 16, check.bytes, 8);
    memcpy(trailer + GV_PACKFILE_TRAILER_BYTES - 8, GV_PACKFILE_END_MAGIC, 8);
}

static size_t read_all(struct gv_packfile *pack)
{
    size_t count, whole = 0;
    const struct gv_pack_row *rows = gv_packfile_rows(pack, &count);
    for (size_t i = 0; i < count; i++) {
        struct gv_fetch item = { rows[i].hash, rows[i].raw_size, NULL, false };
        item.data = rows[i].raw_size <= MOST_BYTES ? malloc(MOST_BYTES) : NULL;
        whole += item.data && gv_packfile_get(pack, &item, NULL) && item.found;
        free(item.data);
    }
    return whole;
}

static void look(const char *path)
{
    struct gv_packfile *pack = gv_packfile_open(path, NULL);
    if (!pack)
        return;
    size_t whole = read_all(pack);
    gv_packfile_destroy(pack);
    pack = gv_packfile_append(path, NULL);
    if (!pack || !gv_packfile_close(pack, NULL))
        abort();
    gv_packfile_destroy(pack);
    pack = gv_packfile_open(path, NULL);
    if (!pack || read_all(pack) != whole)
        abort();
    gv_packfile_destroy(pack);
}

static void try_bytes(const uint8_t *data, size_t size)
{
    char path[48];
    int fd = memfd_create("pack", MFD_CLOEXEC);
    if (fd < 0 || !gv_write_all(fd, data, size))
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    look(path);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    try_bytes(copy, size);
    mend(copy, size);
    try_bytes(copy, size);
    free(copy);
    return 0;
}
