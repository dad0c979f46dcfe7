// libcurl without a network, in the place of gv_curl_load: each request is answered at
// once, by whoever serves. Link with -Wl,--wrap=gv_curl_load.
#ifndef GV_FAKE_CURL_H
#define GV_FAKE_CURL_H

#include <stddef.h>

struct fake_request {
    const char *url;
    const char *range; // as in the header, without "bytes="; NULL: none
};

struct fake_answer {
    long status;
    char headers[512]; // lines, each with its newline
    const void *body;  // borrowed until the next answer
    size_t size;
    size_t piece; // bytes handed over at once, > 0
    int result;   // CURLcode of the transfer, if all of it was taken
};

typedef void (*fake_serve_fn)(void *context, const struct fake_request *request,
                              struct fake_answer *answer);

// Who answers from now on. libcurl's functions have no place for it, so that there is
// one at a time.
void fake_curl_serve(fake_serve_fn serve, void *context);

#endif
