#include "compiler/foreign_capture.h"

#include <string.h>

static const struct {
    const char *magic, *name;
} magics[] = {
    { "RDOC", "RenderDoc capture" },
};

const char *gv_foreign_capture(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        size_t length = strlen(magics[i].magic);
        if (size >= length && memcmp(data, magics[i].magic, length) == 0)
            return magics[i].name;
    }
    return NULL;
}
