// The descendants of a process and the memory they hold together. File-backed pages do
// not count: the kernel takes those back.
#ifndef GV_TESTS_FAMILY_H
#define GV_TESTS_FAMILY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct family {
    pid_t *pids; // of the last sample; owned
    size_t count, room;
    uint64_t peak_kib; // of anonymous and shared memory, all together
    uint64_t file_kib; // the most file-backed memory that one of them had
};

// Looks at all descendants of `root` (which is none of them). Returns how many there
// are.
size_t family_sample(struct family *family, pid_t root);

// The most that one process ever had, as the kernel counted it: what samples missed.
void family_rusage(struct family *family, uint64_t maxrss_kib);

// Kills those of the last sample.
void family_kill(struct family *family);
void family_finish(struct family *family);

#endif
