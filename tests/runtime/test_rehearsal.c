// What a run refuses for the payload's sake, a run on no device refuses in the same
// words; what a run accepts, it accepts. The programs say what a run does.
//   test_rehearsal PROGRAMS SHADERS
#include "runtime/rehearsal.h"

#include <dirent.h>
#include <inttypes.h>

#include "resources/base/file.h"
#include "tests/test.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

#define MEMORY ((uint64_t)1 << 30)

// Refused for the device alone: by these words.
static const char *const of_devices[] = {
    "no completed submission",
    "lacks depthBounds",
    "vertex format R64G64B64_SFLOAT",
    "workgroups, the device allows",
};

static bool is_of_devices(const char *refusal)
{
    for (size_t i = 0; i < sizeof of_devices / sizeof *of_devices; i++)
        if (strcmp(refusal, of_devices[i]) == 0)
            return true;
    return false;
}

static bool rehearse(const char *text, size_t size, const char *shaders,
                     struct gv_error *err)
{
    const struct gv_assemble_params assemble = { .include_folder = shaders };
    const struct gv_verify_params verify = { .memory_limit = MEMORY };
    struct gv_payload payload = { 0 };
    struct gv_bytes bytes = { 0 };
    bool ok = gv_text_assemble(text, size, &assemble, &bytes, err) &&
              gv_payload_open_memory(&payload, bytes.data, bytes.size, MEMORY, err) &&
              gv_verify(&payload, &verify, err) && gv_rehearse(&payload, NULL, 0, err);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    return ok;
}

// What the text says a run is refused with; "" for nothing.
static void read_refusal(const char *text, char refusal[128])
{
    static const char begin[] = "# expect error ";
    const char *line = strstr(text, begin);
    refusal[0] = 0;
    if (line)
        snprintf(refusal, 128, "%.*s", (int)strcspn(line + sizeof begin - 1, "\n"),
                 line + sizeof begin - 1);
}

static void judge(const char *name, const char *text, size_t size, const char *shaders)
{
    struct gv_error err = GV_ERROR_INIT;
    char refusal[128];
    read_refusal(text, refusal);
    bool ok = rehearse(text, size, shaders, &err);
    bool expected = !refusal[0] || is_of_devices(refusal)
                        ? ok
                        : !ok && strstr(err.message, refusal) != NULL;
    if (!expected)
        fprintf(stderr, "[%s] wanted \"%s\", said \"%s\" (%s, code byte %" PRIu64 ")\n",
                name, refusal, err.message, gv_status_name(err.status), err.offset);
    CHECK_ROW(name, expected);
}

static void try_file(const char *folder, const char *shaders, const char *name)
{
    char path[512];
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK_ROW(name, gv_file_open(&file, path, &err));
    char *text = calloc(1, file.size + 1);
    if (text) {
        memcpy(text, file.data, file.size);
        judge(name, text, file.size, shaders);
    }
    free(text);
    gv_file_close(&file);
}

int main(int argc, char **argv)
{
    size_t count = 0;
    DIR *folder = argc > 2 ? opendir(argv[1]) : NULL;
    CHECK(folder);
    for (struct dirent *e; folder && (e = readdir(folder));) {
        size_t length = strlen(e->d_name);
        if (length <= 4 || strcmp(e->d_name + length - 4, ".gvt") != 0)
            continue;
        try_file(argv[1], argv[2], e->d_name);
        count++;
    }
    if (folder)
        closedir(folder);
    CHECK(count > 0);
    printf("%zu programs\n", count);
    return TEST_RESULT();
}
