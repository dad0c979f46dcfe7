#include "tools/check/golden_devices.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"

static bool is_name(const char *text)
{
    const size_t length = strlen(text);
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return false;
    return length > 0 && length < GV_GOLDEN_DEVICE;
}

// Four hexadecimal digits or fewer, or "*".
static bool fits_id(const char *text, size_t length, uint64_t id, bool *fits)
{
    uint64_t number = 0;
    if (length == 1 && text[0] == '*')
        return true;
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
        length -= 2;
    }
    if (!length || length > 8)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!isxdigit((unsigned char)text[i]))
            return false;
        const char digit[2] = { text[i] };
        number = number << 4 | strtoull(digit, NULL, 16);
    }
    *fits = *fits && number == id;
    return true;
}

// "VENDOR:DEVICE" or "*".
static bool fits_ids(const char *text, const struct gv_check_device *device, bool *fits)
{
    const char *colon = strchr(text, ':');
    if (!colon)
        return strcmp(text, "*") == 0;
    return fits_id(text, (size_t)(colon - text), device->vendor, fits) &&
           fits_id(colon + 1, strlen(colon + 1), device->device, fits);
}

// What is looked for: the first line of a device, or any of that name.
struct wanted {
    const struct gv_check_device *device; // NULL: `name` is there, and wanted
    char name[GV_GOLDEN_DEVICE];
    bool found;
};

// NULL, or what is wrong. `*fits` says whether it is the device's line.
static const char *read_line(char *line, const struct gv_check_device *device,
                             bool *fits)
{
    char *driver = strchr(line, '\t'), *ids = driver ? strchr(driver + 1, '\t') : NULL;
    if (!ids || strchr(ids + 1, '\t'))
        return "not NAME, DRIVER and VENDOR:DEVICE with tabs between";
    *driver++ = *ids++ = '\0';
    if (!is_name(line))
        return "a name has letters, digits, - and _, at most 63";
    *fits = strcmp(driver, "*") == 0 ||
            (*driver && strncmp(device->driver, driver, strlen(driver)) == 0);
    return fits_ids(ids, device, fits) ? NULL
                                       : "no VENDOR:DEVICE in hexadecimal, and no *";
}

static void take_line(struct wanted *w, const char *name, bool fits)
{
    if (!w->device)
        w->found = w->found || strcmp(w->name, name) == 0;
    else if (fits && !w->found)
        w->found = snprintf(w->name, sizeof w->name, "%s", name) > 0;
}

static bool read_lines(struct wanted *w, const char *path, const struct gv_file *file,
                       struct gv_error *err)
{
    const struct gv_check_device any = { .name = "" };
    const char *at = (const char *)file->data, *stop = at + file->size;
    for (size_t number = 1; at < stop; number++) {
        char line[512];
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        size_t length = (size_t)((newline ? newline : stop) - at);
        const char *text = at;
        at += length + (newline != NULL);
        while (length && strchr(" \t\r", text[length - 1]))
            length--;
        if (!length || text[0] == '#')
            continue;
        bool fits = false;
        const char *wrong = "too long, or with a NUL";
        if (length < sizeof line && !memchr(text, '\0', length)) {
            memcpy(line, text, length);
            line[length] = '\0';
            wrong = read_line(line, w->device ? w->device : &any, &fits);
        }
        if (wrong)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.100s: line %zu: %s",
                           path, number, wrong);
        take_line(w, line, fits);
    }
    return true;
}

static bool look(struct wanted *w, const char *folder, struct gv_error *err)
{
    char path[4096];
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    if (snprintf(path, sizeof path, "%s/devices.tsv", folder) >= (int)sizeof path)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "the folder's name is too long");
    if (!gv_file_load_regular(&file, path, GV_FILE_TEXT_MAX, &mine))
        return mine.status == GV_ERR_NOT_FOUND || gv_file_fail(&mine, path, err);
    const bool ok = read_lines(w, path, &file, err);
    gv_file_close(&file);
    return ok;
}

bool gv_golden_device(char name[GV_GOLDEN_DEVICE], const char *folder,
                      const struct gv_check_device *device, struct gv_error *err)
{
    struct wanted w = { .device = device };
    const bool ok = look(&w, folder, err);
    memcpy(name, w.name, sizeof w.name);
    return ok;
}

bool gv_golden_device_known(bool *known, const char *name, const char *folder,
                            struct gv_error *err)
{
    struct wanted w = { .device = NULL };
    *known = false;
    if (snprintf(w.name, sizeof w.name, "%s", name) >= (int)sizeof w.name)
        return true; // no short name is so long
    if (!look(&w, folder, err))
        return false;
    *known = w.found;
    return true;
}
