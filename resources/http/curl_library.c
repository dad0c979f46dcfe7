#include "resources/http/curl_library.h"

#include <dlfcn.h>
#include <string.h>

// The header's macros that check arguments would stand in the way of the names.
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

static void *open_library(void)
{
    static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL); // never closed
    return library;
}

bool gv_curl_load(struct gv_curl *curl, struct gv_error *err)
{
    void *library = open_library(), *found;
    if (!library)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: http without libcurl.so.4");
#define GV_CURL_FIND(name)                                                         \
    found = dlsym(library, "curl_" #name);                                         \
    if (!found)                                                                    \
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,                      \
                       "unsupported: http with a libcurl without curl_%s", #name); \
    memcpy(&curl->name, &found, sizeof found);
    GV_CURL_FUNCTIONS(GV_CURL_FIND)
#undef GV_CURL_FIND
    if (curl->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET, "libcurl does not start");
    return true;
}
