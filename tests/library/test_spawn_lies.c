// Children that lie: this program is also what it starts, and says over the line what
// no player would. Whoever asked gets an error, believes no number and touches nothing
// that is not there.
//   test_spawn_lies
#define _GNU_SOURCE // memfd_create, F_ADD_SEALS
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/hash.h"
#include "tests/test.h"
#include "tools/base/child_line.h"
#include "tools/library/gpuvm.h"
#include "tools/library/spawn_line.h"
#include "tools/version.h"

#define LINE STDIN_FILENO
#define PAGE 4096

static struct gv_spawn_message m;

// ---- the child ----

static void take(enum gv_spawn_word until)
{
    int passed;
    do {
        passed = -1;
        if (gv_spawn_line_take(LINE, &m, &passed, -1) != GV_SPAWN_HEARD)
            _exit(0);
        if (passed >= 0)
            close(passed);
    } while (m.word != until);
}

static void say(enum gv_spawn_word word, int passed)
{
    m.word = word;
    if (!gv_spawn_line_send(LINE, &m, passed))
        _exit(0);
}

static void say_hello(const char *version)
{
    m = (struct gv_spawn_message){ .number = GV_SPAWN_PROTOCOL };
    gv_spawn_put_text(&m, version);
    say(GV_SPAWN_HELLO, -1);
}

static int memory(size_t size, int seals)
{
    static const char letters[PAGE] = { 'a', 'b', 'c', 0, 'd' };
    int fd = memfd_create("lie", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || (size && write(fd, letters, size) != (ptrdiff_t)size) ||
        fcntl(fd, F_ADD_SEALS, seals) != 0)
        _exit(9);
    return fd;
}

// Greets, and is opened with `frames` and `exports` of which memory of `size` tells.
static void open_with(uint64_t frames, uint64_t exports, uint64_t name_bytes,
                      size_t size)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = size };
    m.facts = (struct gv_spawn_facts){
        .frames = frames, .commands = 1, .exports = exports, .name_bytes = name_bytes
    };
    gv_spawn_put_text(&m, "liar\033[2J");
    say(GV_SPAWN_ANSWER, size ? memory(size, F_SEAL_SHRINK) : -1);
}

static void old_version(void)
{
    say_hello("0.0.0");
}

static void no_message(void)
{
    if (write(LINE, "hello", 5) != 5)
        _exit(9);
}

static void half_a_message(void)
{
    m = (struct gv_spawn_message){ .word = GV_SPAWN_HELLO, .size = 5 };
    if (write(LINE, &m, offsetof(struct gv_spawn_message, data)) < 0)
        _exit(9);
}

static void size_wraps(void)
{
    m = (struct gv_spawn_message){ .word = GV_SPAWN_HELLO, .size = UINT32_MAX };
    if (write(LINE, &m, sizeof m) < 0)
        _exit(9);
}

static void no_facts(void)
{
    open_with(UINT64_MAX, 0, 0, 0);
}

static void many_frames(void)
{
    open_with(UINT64_MAX / sizeof(struct gpuvm_frame) + 1, 0, 0, PAGE);
}

static void long_names(void)
{
    open_with(1, 1, PAGE, PAGE);
}

static void many_names(void)
{
    open_with(0, PAGE + 1, PAGE, PAGE);
}

static void unsealed(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = PAGE };
    say(GV_SPAWN_ANSWER, memory(PAGE, 0));
}

static void short_memory(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = (uint64_t)PAGE << 20 };
    say(GV_SPAWN_ANSWER, memory(PAGE, F_SEAL_SHRINK));
}

static void no_memory_at_all(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = UINT64_MAX };
    say(GV_SPAWN_ANSWER, memory(PAGE, F_SEAL_SHRINK));
}

static void unknown_status(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .error = { .status = 77 } };
    say(GV_SPAWN_ANSWER, -1);
}

static void raw_words(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_REJECTED } };
    memset(m.error.message, '\033', sizeof m.error.message);
    say(GV_SPAWN_ANSWER, -1);
}

static void answer_picture(uint32_t width, uint32_t height)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    m = (struct gv_spawn_message){ .size = 0 };
    say(GV_SPAWN_ANSWER, -1);
    take(GV_SPAWN_PICTURE);
    m = (struct gv_spawn_message){ .width = width, .height = height };
    say(GV_SPAWN_ANSWER, -1);
}

static void large_picture(void)
{
    answer_picture(33, 32);
}

static void huge_picture(void)
{
    answer_picture(UINT32_MAX, UINT32_MAX);
}

static void long_export(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    m = (struct gv_spawn_message){ .size = 0 };
    say(GV_SPAWN_ANSWER, -1);
    take(GV_SPAWN_EXPORT);
    m = (struct gv_spawn_message){ .count = PAGE + 1 };
    say(GV_SPAWN_ANSWER, -1);
}

static void unknown_word(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    say(99, -1);
    take(GV_SPAWN_TO_END); // for ever
}

static void want(const char *name, uint64_t begin, uint64_t size, uint64_t outcome)
{
    m = (struct gv_spawn_message){ .number = begin, .count = size };
    gv_spawn_put_text(&m, name);
    say(GV_SPAWN_WANT, -1);
    take(GV_SPAWN_PIECE);
    if (m.number != outcome || (outcome != 1 && m.size))
        _exit(9);
}

// Of the object that there is: eight ones.
static const char *object(void)
{
    static char name[GV_HASH_HEX];
    const uint8_t ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    const struct gv_hash hash = gv_hash_bytes(ones, sizeof ones);
    gv_hash_to_hex(&hash, name);
    return name;
}

// Of what there is not, and beyond what there is; logs without end and frames of none.
static void odd_wishes(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    want("no name", 0, 8, 2);
    want("", 0, 0, 2);
    want(object(), 0, UINT64_MAX, 2);
    want(object(), 0, 8, 1);
    if (m.size != 8 || m.data[7] != 1)
        _exit(9);
    want(object(), 0, 16, 2); // damaged: it is no object of so many
    want(object(), 0, 8, 1);
    want(object(), 8, 8, 1);
    want(object(), UINT64_MAX, 8, 1);
    if (m.size)
        _exit(9);
    for (int i = 0; i < 1000; i++) {
        m = (struct gv_spawn_message){ .level = 99, .size = GV_SPAWN_DATA };
        memset(m.data, '\a', sizeof m.data);
        say(GV_SPAWN_LOG, -1);
    }
    m = (struct gv_spawn_message){ .number = UINT64_MAX, .count = 1 };
    say(GV_SPAWN_FRAME, -1);
    take(GV_SPAWN_GO_ON);
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_OK } };
    say(GV_SPAWN_ANSWER, -1);
    take(GV_SPAWN_PICTURE);
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_USAGE } };
    say(GV_SPAWN_ANSWER, -1);
}

// Asks and asks, and reads nothing.
static void deaf(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    for (;;) {
        m = (struct gv_spawn_message){ .count = 8 };
        gv_spawn_put_text(&m, object());
        say(GV_SPAWN_WANT, -1);
    }
}

// ---- who asked ----

enum step { AT_OPEN, AT_RUN, AT_PICTURE, AT_EXPORT };

static const struct {
    const char *name;
    void (*lie)(void);
    enum step step; // where it comes out
    int status;
    const char *said;
} rows[] = {
    { "old version", old_version, AT_OPEN, GPUVM_USAGE, "is of version 0.0.0" },
    { "no message", no_message, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player" },
    { "half a message", half_a_message, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player" },
    { "size wraps", size_wraps, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player" },
    { "no facts", no_facts, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "many frames", many_frames, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "long names", long_names, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "many names", many_names, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "unsealed", unsealed, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "short memory", short_memory, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "no memory", no_memory_at_all, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "unknown status", unknown_status, AT_OPEN, GPUVM_LOST, "makes no sense" },
    { "raw words", raw_words, AT_OPEN, GPUVM_REJECTED, "" },
    { "large picture", large_picture, AT_PICTURE, GPUVM_LOST, "makes no sense" },
    { "huge picture", huge_picture, AT_PICTURE, GPUVM_LOST, "makes no sense" },
    { "long export", long_export, AT_EXPORT, GPUVM_LOST, "makes no sense" },
    { "unknown word", unknown_word, AT_RUN, GPUVM_LOST, "lost: " },
    { "odd wishes", odd_wishes, AT_PICTURE, GPUVM_USAGE, "" },
    { "deaf", deaf, AT_RUN, GPUVM_LOST, "lost: " },
};

static int give_anything(void *context, const char *name, void *data, uint64_t size)
{
    (void)context;
    CHECK(strlen(name) == GV_HASH_HEX - 1);
    memset(data, 1, (size_t)size);
    return 1;
}

static void note_line(void *context, int level, const char *text)
{
    (void)context;
    (void)level;
    CHECK(!strchr(text, '\a'));
}

static int no_stop(void *context, uint64_t frame, uint64_t count)
{
    (void)context;
    CHECK(frame < count);
    return 0;
}

// The status, where it comes out.
static int ask(gpuvm_replay *replay, enum step step, struct gpuvm_error *error)
{
    struct gpuvm_picture picture = { 0 };
    struct gpuvm_export bytes = { 0 };
    int status = gpuvm_run_to_end(replay, error);
    if (status == GPUVM_OK && step == AT_PICTURE)
        status = gpuvm_get_picture(replay, &picture, error);
    if (status == GPUVM_OK && step == AT_EXPORT)
        status = gpuvm_get_export(replay, "x", &bytes, error);
    CHECK(picture.width == 0 && !picture.rgba && bytes.size == 0 && !bytes.data);
    return status;
}

static void check_row(size_t i, gpuvm_source *source)
{
    char number[16];
    struct gpuvm_error error = { 0 };
    const struct gpuvm_spawn_params params = {
        .size = sizeof params,
        .player = "/proc/self/exe",
        .data = "none",
        .data_size = 4,
    };
    const struct gpuvm_settings settings = {
        .size = sizeof settings,
        .memory = 1 << 20,
        .timeout_ms = 60000,
        .sources = &source,
        .source_count = 1,
        .log = note_line,
        .progress = no_stop,
    };
    snprintf(number, sizeof number, "%zu", i);
    setenv("TEST_LIE", number, 1);
    gpuvm_replay *replay = gpuvm_spawn(&params, &settings, &error);
    CHECK_ROW(rows[i].name, !replay == (rows[i].step == AT_OPEN));
    if (replay) {
        CHECK_ROW(rows[i].name, !strchr(gpuvm_device_name(replay), '\033'));
        CHECK_ROW(rows[i].name, ask(replay, rows[i].step, &error) == rows[i].status);
    }
    CHECK_ROW(rows[i].name, error.status == rows[i].status);
    CHECK_ROW(rows[i].name, strstr(error.message, rows[i].said));
    CHECK_ROW(rows[i].name, !strchr(error.message, '\033'));
    gpuvm_replay_close(replay);
    CHECK_ROW(rows[i].name, waitpid(-1, NULL, WNOHANG) < 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], GV_SERVE_ARGUMENT) == 0) {
        rows[strtoul(getenv("TEST_LIE"), NULL, 10)].lie();
        for (;;)
            take(GV_SPAWN_OPEN);
    }
    gpuvm_source *source = gpuvm_source_callback(give_anything, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(i, source);
    gpuvm_source_destroy(source);
    return TEST_RESULT();
}
