// What calls of a payload must read when it runs, in order: what blocks and observed
// memory hold then is what the front-end had.
#ifndef GV_EXPECTED_READS_H
#define GV_EXPECTED_READS_H

#include "tests/compiler/builder_probe.h"

#define EXPECTED_READS_MAX 16384

// Zero-initialise before use.
struct expected_reads {
    struct {
        size_t start, size; // in `bytes`
    } reads[EXPECTED_READS_MAX];
    size_t count, seen, wrong;
    struct gv_bytes bytes;
};

// The data of the next bind_uniform_bytes or buffer_upload.
void expected_reads_add(struct expected_reads *e, const uint8_t *data, size_t size);

// Runs a finished probe, twice, as --loop does: memory is zero again at the start of
// the second. Whether all reads were as expected.
bool expected_reads_run(struct expected_reads *e, struct probe *probe);

void expected_reads_finish(struct expected_reads *e);

#endif
