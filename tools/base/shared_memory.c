#define _GNU_SOURCE // memfd_create, F_ADD_SEALS
#include "tools/base/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

static bool map(struct gv_shared_memory *memory, bool writable)
{
    const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void *bytes = mmap(NULL, memory->size, protection, MAP_SHARED, memory->fd, 0);
    memory->bytes = bytes == MAP_FAILED ? NULL : bytes;
    return memory->bytes;
}

bool gv_shared_memory_make(struct gv_shared_memory *memory, size_t size,
                           struct gv_error *err)
{
    *memory = (struct gv_shared_memory){
        .fd = memfd_create("gpuvm-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING),
        .size = size,
    };
    if (memory->fd >= 0 && ftruncate(memory->fd, (off_t)size) == 0 &&
        fcntl(memory->fd, F_ADD_SEALS, SEALS) == 0 && map(memory, true))
        return true;
    gv_shared_memory_finish(memory);
    return gv_out_of_memory(err);
}

bool gv_shared_memory_map(struct gv_shared_memory *memory, int fd, size_t size,
                          bool writable)
{
    struct stat st;
    const int seals = fcntl(fd, F_GET_SEALS); // -1: no memory, but a file or so
    *memory = (struct gv_shared_memory){ .fd = fd, .size = size };
    if (size > 0 && fstat(fd, &st) == 0 && seals >= 0 && seals & F_SEAL_SHRINK &&
        st.st_size >= 0 && (uint64_t)st.st_size >= size && map(memory, writable))
        return true;
    gv_shared_memory_finish(memory);
    return false;
}

void gv_shared_memory_finish(struct gv_shared_memory *memory)
{
    if (memory->bytes)
        munmap(memory->bytes, memory->size);
    if (memory->fd >= 0)
        close(memory->fd);
    *memory = GV_SHARED_MEMORY_NONE;
}
