#define _GNU_SOURCE // fallocate, MAP_NORESERVE
#include "resources/inflow.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/base/nameless.h"
#include "resources/base/read_some.h"

#define STEP_BYTES ((size_t)64 << 10)  // read at once
#define MAP_BYTES ((size_t)16 << 20)   // mapped at once
#define DROP_BYTES ((size_t)4 << 20)   // worth a system call
#define MOST_BYTES ((uint64_t)1 << 42) // of addresses, where there are so many
#define LEAST_BYTES ((size_t)64 << 20)

static bool fail(struct gv_inflow *f, enum gv_status status, const char *what,
                 const char *why)
{
    f->ended = true;
    return gv_fail(&f->error, status, GV_NO_OFFSET, "%s: %s", what, why);
}

// As many addresses as there are to have: they cost nothing.
static bool reserve(struct gv_inflow *f)
{
    size_t size = MOST_BYTES < SIZE_MAX / 4 ? (size_t)MOST_BYTES : (size_t)1 << 30;
    void *at = MAP_FAILED;
    for (; at == MAP_FAILED && size >= LEAST_BYTES; size /= 2) {
        at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0);
        f->reserved = size;
    }
    f->data = at == MAP_FAILED ? NULL : at;
    return f->data;
}

bool gv_inflow_init(struct gv_inflow *f, const struct gv_inflow_params *params,
                    struct gv_error *err)
{
    *f = (struct gv_inflow){ .params = *params, .error = GV_ERROR_INIT };
    f->spill = gv_nameless_open(err);
    const bool ok = f->spill >= 0 && (reserve(f) || gv_out_of_memory(err));
    if (!ok)
        gv_inflow_finish(f);
    return ok;
}

void gv_inflow_finish(struct gv_inflow *f)
{
    if (!f)
        return;
    if (f->data)
        munmap((void *)(uintptr_t)f->data, f->reserved);
    if (f->spill >= 0)
        close(f->spill);
    *f = (struct gv_inflow){ .spill = -1 };
}

static uint8_t *address(const struct gv_inflow *f, size_t at)
{
    return (uint8_t *)(uintptr_t)f->data + at;
}

// Room for another step behind what has come.
static bool make_room(struct gv_inflow *f)
{
    if (f->size + STEP_BYTES <= f->mapped)
        return true;
    if (f->reserved - f->mapped < MAP_BYTES)
        return fail(f, GV_ERR_LIMIT, "what comes through a pipe",
                    "it is longer than there are addresses");
    if (ftruncate(f->spill, (off_t)(f->mapped + MAP_BYTES)) != 0 ||
        mmap(address(f, f->mapped), MAP_BYTES, PROT_READ, MAP_SHARED | MAP_FIXED,
             f->spill, (off_t)f->mapped) == MAP_FAILED)
        return fail(f, GV_ERR_SYSTEM, "cannot keep what comes through a pipe",
                    strerror(errno));
    f->mapped += MAP_BYTES;
    return true;
}

static bool put(struct gv_inflow *f, const uint8_t *bytes, size_t size)
{
    if (f->size - f->given_back + size > f->params.limit) {
        f->ended = true;
        return gv_fail(&f->error, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "over %" PRIu64 " MiB wait in a file: %s", f->params.limit >> 20,
                       f->params.option);
    }
    if (!make_room(f))
        return false;
    for (size_t done = 0; done < size;) {
        const ssize_t n =
            pwrite(f->spill, bytes + done, size - done, (off_t)(f->size + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(f, GV_ERR_SYSTEM, "cannot keep what comes through a pipe",
                        strerror(n ? errno : ENOSPC));
        done += (size_t)n;
    }
    f->size += size;
    return true;
}

static bool read_more(struct gv_inflow *f)
{
    uint8_t bytes[STEP_BYTES];
    const struct gv_span head = f->params.head;
    if (head.size) {
        f->params.head.size = 0;
        return put(f, head.data, head.size);
    }
    const size_t step =
        f->params.step && f->params.step < sizeof bytes ? f->params.step : sizeof bytes;
    const ssize_t n = gv_read_some(f->params.fd, bytes, step);
    if (n < 0)
        return fail(f, GV_ERR_SYSTEM, "cannot read the input", strerror(errno));
    f->ended = n == 0;
    return n == 0 || put(f, bytes, (size_t)n);
}

bool gv_inflow_want(struct gv_inflow *f, uint64_t upto)
{
    while (f->size < upto && !f->ended)
        if (!read_more(f))
            break;
    return f->size >= upto;
}

static size_t whole_steps(const struct gv_inflow *f, uint64_t upto)
{
    const size_t end = upto < f->size ? (size_t)upto : f->size;
    return end / DROP_BYTES * DROP_BYTES;
}

void gv_inflow_forget(struct gv_inflow *f, uint64_t upto)
{
    const size_t end = whole_steps(f, upto);
    if (end <= f->forgotten)
        return;
    madvise(address(f, f->forgotten), end - f->forgotten, MADV_DONTNEED);
    f->forgotten = end;
}

void gv_inflow_drop(struct gv_inflow *f, uint64_t upto)
{
    const size_t end = whole_steps(f, upto), size = end - f->dropped;
    if (end <= f->dropped)
        return;
    // Whoever looks there all the same finds out at once; a refusal costs addresses
    // alone.
    (void)mmap(address(f, f->dropped), size, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (fallocate(f->spill, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  (off_t)f->dropped, (off_t)size) == 0)
        f->given_back += size; // else it counts as waiting
    f->dropped = f->forgotten = end;
}
