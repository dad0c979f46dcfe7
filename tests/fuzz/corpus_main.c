// Gives a fuzz target a main that runs files: every file of the folders (and every
// file) named. Under libFuzzer, which has its own main, this file holds nothing.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef GV_LIBFUZZER

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"

#define SKIPPED 77 // tools/run-test.sh

static size_t replayed;

static void replay_file(const char *path)
{
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_file_open(&file, path, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(EXIT_FAILURE);
    }
    // A copy of the exact size: reads past the end are seen.
    uint8_t *copy = malloc(file.size ? file.size : 1);
    if (!copy)
        exit(EXIT_FAILURE);
    memcpy(copy, file.data, file.size);
    fprintf(stderr, "%s\n", path); // the last one is the culprit
    LLVMFuzzerTestOneInput(copy, file.size);
    replayed++;
    free(copy);
    gv_file_close(&file);
}

static void replay(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        replay_file(path);
        return;
    }
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        replay_file(name);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%zu inputs replayed\n", replayed);
    return replayed ? EXIT_SUCCESS : SKIPPED;
}

#endif
