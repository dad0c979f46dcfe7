#include "tools/issues/issue_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/base/report.h"
#include "tools/issues/issues_job.h"

static void print_all(const struct gv_issues *issues)
{
    for (size_t i = 0; i < gv_issues_count(issues); i++) {
        const struct gv_issue *one = gv_issues_at(issues, i);
        printf("%s\t%s\t%s\t", gv_issue_severity_word(one->severity), one->code,
               one->place);
        if (one->offset == GV_NO_OFFSET)
            printf("-\t");
        else
            printf("%" PRIu64 "\t", one->offset);
        gv_print_foreign(stdout, one->text);
        printf("\n");
    }
}

static void put_all(const struct gv_issues *issues, struct gv_json *out)
{
    gv_json_array(out, "issues");
    for (size_t i = 0; i < gv_issues_count(issues); i++) {
        const struct gv_issue *one = gv_issues_at(issues, i);
        gv_json_begin(out, NULL);
        gv_json_text(out, "severity", gv_issue_severity_word(one->severity));
        gv_json_text(out, "code", one->code);
        gv_json_text(out, "place", one->place);
        if (one->command != GV_NO_COMMAND)
            gv_json_number(out, "command", one->command);
        if (one->offset != GV_NO_OFFSET)
            gv_json_number(out, "offset", one->offset);
        gv_json_text(out, "text", one->text);
        gv_json_end(out);
    }
    gv_json_array_end(out);
}

void gv_issues_report(const struct gv_run_job *job, struct gv_json *json)
{
    const struct gv_issues_job *j = (const struct gv_issues_job *)job;
    if (json)
        put_all(&j->issues, json);
    else
        print_all(&j->issues);
}
