#include "tools/issues/issue_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/payload/payload.h"

static const char *const words[] = { "note", "warning", "error" };

const char *gv_issue_severity_word(enum gv_issue_severity severity)
{
    return words[severity];
}

bool gv_issue_severity_find(const char *word, enum gv_issue_severity *severity)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0) {
            *severity = (enum gv_issue_severity)i;
            return true;
        }
    return false;
}

void gv_issues_add(struct gv_issues *issues, const struct gv_payload *payload,
                   struct gv_issue *issue)
{
    if (issue->command != GV_NO_COMMAND && issue->offset == GV_NO_OFFSET)
        issue->offset = gv_payload_source(payload, issue->command, NULL);
    if (!issue->place[0] && issue->command == GV_NO_COMMAND)
        snprintf(issue->place, sizeof issue->place, "-");
    else if (!issue->place[0])
        snprintf(issue->place, sizeof issue->place, "c%" PRIu64, issue->command);
    gv_bytes_put(&issues->items, issue, sizeof *issue);
}

size_t gv_issues_count(const struct gv_issues *issues)
{
    return issues->items.size / sizeof(struct gv_issue);
}

struct gv_issue *gv_issues_at(const struct gv_issues *issues, size_t i)
{
    return (struct gv_issue *)(void *)issues->items.data + i;
}

static int by_command(const void *a, const void *b)
{
    const struct gv_issue *x = a, *y = b;
    const uint64_t i = x->command + 1, k = y->command + 1; // GV_NO_COMMAND wraps to 0
    if (i != k)
        return i < k ? -1 : 1;
    const int order = strcmp(x->code, y->code);
    return order ? order : strcmp(x->text, y->text);
}

void gv_issues_sort(struct gv_issues *issues)
{
    if (issues->items.size)
        qsort(issues->items.data, gv_issues_count(issues), sizeof(struct gv_issue),
              by_command);
}

void gv_issues_finish(struct gv_issues *issues)
{
    gv_bytes_finish(&issues->items);
}
