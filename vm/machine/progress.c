#include "vm/machine/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resources/base/cursor.h"

// The file: the magic, then six little-endian numbers, in older files five. The map is
// shared, so the last stores reach the file even when the process is killed.
#define MAGIC "GPUVMPRG" // 8 bytes, without the NUL
enum field {
    RECORDED_FRAME,
    RECORDED_COMMAND,
    COMPLETED_FRAME,
    COMPLETED_COMMAND,
    FINISHED,
    COMPLETIONS,
    FIELD_COUNT,
};
#define FILE_BYTES (8 + 8 * FIELD_COUNT)
#define OLD_FILE_BYTES (8 + 8 * COMPLETIONS)

struct image {
    char magic[8];
    _Atomic uint64_t fields[FIELD_COUNT];
};
_Static_assert(sizeof(struct image) == FILE_BYTES, "the file is the image");

struct gv_progress {
    struct image *image; // the mapping
    uint64_t completions;
};

static bool is_size(uint64_t size)
{
    return size == FILE_BYTES || size == OLD_FILE_BYTES;
}

// Whether the file may be written over: its bytes are nobody else's.
static bool is_ours(int fd)
{
    char magic[8];
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    return st.st_size == 0 || (is_size((uint64_t)st.st_size) &&
                               pread(fd, magic, sizeof magic, 0) == sizeof magic &&
                               memcmp(magic, MAGIC, sizeof magic) == 0);
}

// Written before it is mapped: a full disk is an error here, and a fault there.
static struct image *map_file(int fd)
{
    const struct image fresh = { .magic = MAGIC };
    ssize_t written = pwrite(fd, &fresh, FILE_BYTES, 0);
    if (written >= 0 && written != FILE_BYTES)
        errno = ENOSPC;
    if (written != FILE_BYTES)
        return NULL;
    void *map = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

static struct image *open_image(const char *path, struct gv_error *err)
{
    // Not blocking: a pipe without a reader is refused like any other.
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    struct image *image = NULL;
    if (fd >= 0 && !is_ours(fd))
        gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                "%.96s is no progress file: it is not replaced by one", path);
    else if (fd < 0 || !(image = map_file(fd)))
        gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "cannot map progress file %s: %s",
                path, strerror(errno));
    if (fd >= 0)
        close(fd); // the mapping stays
    return image;
}

// Files are little-endian whatever the machine.
static uint64_t in_file_order(uint64_t value)
{
    uint8_t bytes[8];
    uint64_t stored;
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    memcpy(&stored, bytes, sizeof stored);
    return stored;
}

static void set(struct gv_progress *progress, enum field field, uint64_t value)
{
    atomic_store_explicit(&progress->image->fields[field], in_file_order(value),
                          memory_order_relaxed);
}

struct gv_progress *gv_progress_create(const char *path, struct gv_error *err)
{
    struct gv_progress *progress = calloc(1, sizeof *progress);
    if (!progress) {
        gv_out_of_memory(err);
        return NULL;
    }
    progress->image = open_image(path, err);
    if (!progress->image) {
        free(progress);
        return NULL;
    }
    for (int i = RECORDED_FRAME; i <= COMPLETED_COMMAND; i++)
        set(progress, (enum field)i, GV_PROGRESS_NONE);
    return progress;
}

void gv_progress_destroy(struct gv_progress *progress)
{
    if (!progress)
        return;
    munmap(progress->image, FILE_BYTES);
    free(progress);
}

const void *gv_progress_mapping(const struct gv_progress *progress, size_t *size)
{
    *size = FILE_BYTES;
    return progress->image;
}

void gv_progress_recorded(struct gv_progress *progress, uint64_t frame,
                          uint64_t command)
{
    if (!progress)
        return;
    set(progress, RECORDED_FRAME, frame);
    set(progress, RECORDED_COMMAND, command);
}

void gv_progress_completed(struct gv_progress *progress, uint64_t frame,
                           uint64_t command)
{
    if (!progress)
        return;
    set(progress, COMPLETED_FRAME, frame);
    set(progress, COMPLETED_COMMAND, command);
    set(progress, COMPLETIONS, ++progress->completions);
}

void gv_progress_alive(struct gv_progress *progress)
{
    if (progress)
        set(progress, COMPLETIONS, ++progress->completions);
}

void gv_progress_finished(struct gv_progress *progress)
{
    if (progress)
        set(progress, FINISHED, 1);
}

static uint64_t get(const struct gv_file *file, enum field field)
{
    return gv_load_u64(file->data + 8 + 8 * (size_t)field);
}

bool gv_progress_parse(const struct gv_file *file, struct gv_progress_state *state)
{
    if (!is_size(file->size) || memcmp(file->data, MAGIC, 8) != 0)
        return false;
    *state = (struct gv_progress_state){
        .recorded_frame = get(file, RECORDED_FRAME),
        .recorded_command = get(file, RECORDED_COMMAND),
        .completed_frame = get(file, COMPLETED_FRAME),
        .completed_command = get(file, COMPLETED_COMMAND),
        .completions = file->size == FILE_BYTES ? get(file, COMPLETIONS) : 0,
        .finished = get(file, FINISHED) != 0,
    };
    return true;
}

bool gv_progress_read(const char *path, struct gv_progress_state *state,
                      struct gv_error *err)
{
    struct gv_file file = { 0 };
    if (!gv_file_load_regular(&file, path, FILE_BYTES, err))
        return false;
    bool good = gv_progress_parse(&file, state);
    gv_file_close(&file);
    return good || gv_fail(err, GV_ERR_FORMAT, 0, "not a progress file");
}
