// A host without a GPU: it writes down every call, hands out handles and keeps maps, so
// that everything but pixels can be tested anywhere. It trusts nothing it is passed.
#ifndef GV_RECORD_HOST_H
#define GV_RECORD_HOST_H

#include "resources/base/bytes.h"
#include "vm/machine/vm.h"

struct record_map {
    uint64_t handle, size;
    uint8_t *data; // owned; NULL once unmapped
};

struct record_host {
    struct gv_host host; // to give to the VM; `context` is this object
    // One line per call: "name arg=value ...", handles as "#n", floats as such, bytes
    // as
    // "[size]" with up to 16 of them in hexadecimal, a result as " -> #n"; and
    // "command n". Kept only if `text` is true; counted anyway.
    bool keep_text;
    struct gv_bytes text;
    uint64_t calls, commands, handles;
    uint64_t count[GV_CALL_LIMIT];
    uint64_t byte_sum; // of all bytes passed: they are read
    // The call to refuse, with GV_ERR_DEVICE "refused by the test", or -1.
    int refuse;
    uint64_t met;        // bit n: the device meets requirement n
    uint64_t map_budget; // bytes of all maps together; more is GV_ERR_LIMIT
    uint64_t map_bytes;
    struct record_map *maps; // owned
    size_t map_count;
};

// All calls implemented. `keep_text`: else only counters, for speed and fuzzing.
void record_host_init(struct record_host *host, bool keep_text);
void record_host_finish(struct record_host *host);

// The text so far, NUL-terminated, borrowed until the next call.
const char *record_host_text(struct record_host *host);

// Does nothing at all, for measuring: results are 1.
void null_host_init(struct gv_host *host);

#endif
