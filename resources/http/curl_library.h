// libcurl, loaded when the first URL is opened: programs that never see one do not need
// it. Its functions under their names without "curl_".
#ifndef GV_CURL_LIBRARY_H
#define GV_CURL_LIBRARY_H

#define CURL_DISABLE_DEPRECATION // what is deprecated also older libraries know
#define CURL_DISABLE_TYPECHECK   // its macros are for calls by name
#include <curl/curl.h>

#include "resources/base/error.h"

#define GV_CURL_FUNCTIONS(X) \
    X(easy_cleanup)          \
    X(easy_getinfo)          \
    X(easy_init)             \
    X(easy_setopt)           \
    X(easy_strerror)         \
    X(global_init)           \
    X(multi_add_handle)      \
    X(multi_cleanup)         \
    X(multi_info_read)       \
    X(multi_init)            \
    X(multi_perform)         \
    X(multi_remove_handle)   \
    X(multi_setopt)          \
    X(multi_strerror)        \
    X(multi_wait)

struct gv_curl {
#define GV_CURL_MEMBER(name) __typeof__(&curl_##name) name;
    GV_CURL_FUNCTIONS(GV_CURL_MEMBER)
#undef GV_CURL_MEMBER
};

// False: GV_ERR_UNSUPPORTED, naming the library.
bool gv_curl_load(struct gv_curl *curl, struct gv_error *err);

#endif
