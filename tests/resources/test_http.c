// What answers of web servers are read by, and what is shown of URLs. The rest speaks
// to a server: tests/cli/http.sh.
#include "resources/http/http_client.h"
#include "tests/test.h"

#include <inttypes.h>

static const struct {
    const char *text;
    bool ok;
    uint64_t first, last, total;
} ranges[] = {
    { "bytes 0-0/1", true, 0, 0, 1 },
    { "Bytes 5-9/100", true, 5, 9, 100 },
    { "bytes 5-9/100 \r", true, 5, 9, 100 },
    { "bytes 18446744073709551613-18446744073709551614/18446744073709551615", true,
      UINT64_MAX - 2, UINT64_MAX - 1, UINT64_MAX },
    { "", false, 0, 0, 0 },
    { "bytes", false, 0, 0, 0 },
    { "bytes */100", false, 0, 0, 0 },
    { "bytes 5-9/*", false, 0, 0, 0 },
    { "bytes 9-5/100", false, 0, 0, 0 },
    { "bytes 5-100/100", false, 0, 0, 0 },
    { "bytes -5-9/100", false, 0, 0, 0 },
    { "bytes 5-9/100x", false, 0, 0, 0 },
    { "bytes 5-9,11-12/100", false, 0, 0, 0 },
    { "bytes 5-9/99999999999999999999999", false, 0, 0, 0 },
    { "lines 5-9/100", false, 0, 0, 0 },
};

static const struct {
    const char *url, *shown;
} urls[] = {
    { "http://host/a/b", "http://host/a/b" },
    { "https://user:secret@host:80/a", "https://host:80/a" },
    { "https://user:se@cret@host/a@b", "https://host/a@b" },
    { "https://host/a?X-Amz-Signature=secret", "https://host/a" },
    { "https://user:secret@host?q", "https://host" },
    { "https://host/#secret", "https://host/" },
    { "user:secret@host", "host" },
    { "", "" },
};

// What lies between two ranges comes along where it is small, or little beside both.
static const struct {
    const char *name;
    uint64_t gap, gaps, wanted;
    bool joins;
} joins[] = {
    { "nothing", 0, 0, 2, true },
    { "headers", 512, 0, 2, true },
    { "more_than_headers", 513, 0, 8000, false },
    { "a_sixteenth", 1000, 0, 16000, true },
    { "more_than_a_sixteenth", 1001, 0, 16000, false },
    { "with_those_before", 600, 500, 16000, false },
    { "large", 16384, 0, 1 << 30, true },
    { "too_large", 16385, 0, 1 << 30, false },
};

int main(void)
{
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++)
        CHECK_ROW(joins[i].name, gv_http_joins(joins[i].gap, joins[i].gaps,
                                               joins[i].wanted) == joins[i].joins);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        uint64_t first = 0, last = 0, total = 0;
        bool ok = gv_http_read_range(ranges[i].text, &first, &last, &total);
        CHECK_ROW(ranges[i].text, ok == ranges[i].ok);
        CHECK_ROW(ranges[i].text,
                  !ok || (first == ranges[i].first && last == ranges[i].last &&
                          total == ranges[i].total));
    }
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        char shown[64], few[8];
        gv_http_show_url(urls[i].url, shown, sizeof shown);
        CHECK_ROW(urls[i].url, strcmp(shown, urls[i].shown) == 0);
        gv_http_show_url(urls[i].url, few, sizeof few);
        CHECK_ROW(urls[i].url, strncmp(few, urls[i].shown, sizeof few - 1) == 0);
    }
    return TEST_RESULT();
}
