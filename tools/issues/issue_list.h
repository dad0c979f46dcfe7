// Issues: what is wrong, or done for nothing, in a capture or its replay, each at its
// command.
#ifndef GV_ISSUE_LIST_H
#define GV_ISSUE_LIST_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

struct gv_payload;

enum gv_issue_severity { GV_ISSUE_NOTE, GV_ISSUE_WARNING, GV_ISSUE_ERROR };

#define GV_ISSUE_TEXT 200 // bytes
#define GV_ISSUE_PLACE 48

struct gv_issue {
    enum gv_issue_severity severity;
    const char *code;           // stable word: "read-unwritten"
    char place[GV_ISSUE_PLACE]; // a path, or "-"
    uint64_t command;           // of the source; GV_NO_COMMAND: none
    uint64_t offset;            // byte of the capture; GV_NO_OFFSET: unknown
    char text[GV_ISSUE_TEXT];
};

// Zero-initialise.
struct gv_issues {
    struct gv_bytes items; // struct gv_issue each
};

// `place` NULL: the command's own. The offset is looked up where it is GV_NO_OFFSET.
void gv_issues_add(struct gv_issues *issues, const struct gv_payload *payload,
                   struct gv_issue *issue);
size_t gv_issues_count(const struct gv_issues *issues);
struct gv_issue *gv_issues_at(const struct gv_issues *issues, size_t i);
// By command, those of none first.
void gv_issues_sort(struct gv_issues *issues);
void gv_issues_finish(struct gv_issues *issues);

const char *gv_issue_severity_word(enum gv_issue_severity severity);
// False: it is no such word.
bool gv_issue_severity_find(const char *word, enum gv_issue_severity *severity);

#endif
