/* SPDX-License-Identifier: Apache-2.0 */

/* Prints results as lines, TAP, JUnit or JSON. */

#include <config.h>

#include "orchctl/result_formats.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "breakpoint/runner.h"
#include "command/grid.h"
#include "orchctl/member.h"
#include "orchctl/run_report.h"
#include "orchctl/verb.h"

static double
milliseconds_of(const json_t *result)
{
    return json_real_value(json_object_get(result, "milliseconds"));
}

static bool
has_passed(const json_t *result)
{
    return run_report_outcome_of(result) == RUN_PASSED &&
           !run_report_is_skipped(result);
}

/* Returns whether a result was not as expected. */
static bool
has_failed(const json_t *result)
{
    return run_report_outcome_of(result) == RUN_FAILED;
}

void
result_formats_line(void *context, const json_t *result)
{
    (void)context;
    if (has_passed(result)) {
        const size_t n = json_array_size(json_object_get(result, "steps"));

        printf("PASS %s (%zu step%s, %.1f ms)\n", member_text(result, "name"),
               n, text_plural(n), milliseconds_of(result));
    } else if (run_report_is_skipped(result)) {
        printf("SKIP %s: %s\n", member_text(result, "name"),
               member_text(result, "reason"));
    } else if (*member_text(result, "reason")) {
        printf("FAIL %s: %s\n     %s\n", member_text(result, "name"),
               member_text(result, "outcome"), member_text(result, "reason"));
    } else {
        printf("\n%s\n", member_text(result, "text"));
    }
    fflush(stdout);
}

/* Returns the claim of 'result' that does not hold, and stores the step's
 * reason; NULL if no claim fails. */
static const json_t *
failed_claim(const json_t *result, const char **reason)
{
    const json_t *found = NULL;
    json_t *step, *claim;
    size_t i, k;

    *reason = member_text(result, "reason");
    json_array_foreach(json_object_get(result, "steps"), i, step)
    {
        *reason = **reason ? *reason : member_text(step, "reason");
        json_array_foreach(json_object_get(step, "claims"), k, claim)
        {
            if (!found && !json_is_true(json_object_get(claim, "passed"))) {
                found = claim;
            }
        }
    }
    return found;
}

void
result_formats_failure(void *context, const json_t *result)
{
    const char *reason = "";
    const json_t *claim = failed_claim(result, &reason);

    if (has_passed(result) || run_report_is_skipped(result)) {
        return;
    }
    (void)context;
    printf("FAIL %s: ", member_text(result, "name"));
    if (claim && !*reason) {
        printf("%s: expected %s, got %lld\n", member_text(claim, "claim"),
               member_text(claim, "expected"), member_number(claim, "seen"));
    } else {
        printf("%s\n", *reason ? reason : member_text(result, "outcome"));
    }
}

void
result_formats_summary(const json_t *results, double milliseconds)
{
    size_t n_passed = 0, n_skipped = 0, i;
    char packets[GRID_NUMBER_SIZE], rate[GRID_NUMBER_SIZE];
    json_int_t n_packets = 0;
    json_t *result;

    json_array_foreach(results, i, result)
    {
        n_passed += has_passed(result);
        n_skipped += run_report_is_skipped(result);
        n_packets += member_number(result, "packets");
    }
    printf("%zu case%s: %zu passed, %zu failed, %zu skipped; %.1f s",
           json_array_size(results), text_plural(json_array_size(results)),
           n_passed, json_array_size(results) - n_passed - n_skipped, n_skipped,
           milliseconds / 1e3);
    if (n_packets && milliseconds > 0) {
        printf(", %s packets, %s per second", grid_group(n_packets, packets),
               grid_group((int64_t)((double)n_packets * 1e3 / milliseconds),
                          rate));
    }
    printf(".\n");
}

/* --- TAP ----------------------------------------------------------------- */

/* Prints 'text' as comments. */
static void
print_comments(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        printf("# %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void
result_formats_tap(const json_t *results)
{
    json_t *result;
    size_t i;

    printf("TAP version 13\n1..%zu\n", json_array_size(results));
    json_array_foreach(results, i, result)
    {
        printf(
            "%sok %zu - %s%s%s\n",
            has_passed(result) || run_report_is_skipped(result) ? "" : "not ",
            i + 1, member_text(result, "name"),
            run_report_is_skipped(result) ? " # SKIP " : "",
            run_report_is_skipped(result) ? member_text(result, "reason") : "");
        if (!has_passed(result) && !run_report_is_skipped(result)) {
            print_comments(member_text(result, "reason"));
            print_comments(member_text(result, "text"));
        }
    }
}

/* --- JUnit --------------------------------------------------------------- */

/* Prints 'text' escaped for XML, also in attributes. */
static void
print_xml(const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            printf("&amp;");
            break;
        case '<':
            printf("&lt;");
            break;
        case '>':
            printf("&gt;");
            break;
        case '"':
            printf("&quot;");
            break;
        case '\n':
        case '\t':
            putchar(*text);
            break;
        default:
            /* XML does not allow other control characters at all. */
            putchar((unsigned char)*text < ' ' ? '?' : *text);
            break;
        }
    }
}

/* Prints why a case has not passed.  An "error" is a case that could not be
 * tested. */
static void
print_trouble(const json_t *result, const char *element)
{
    printf("    <%s type=\"", element);
    print_xml(member_text(result, "outcome"));
    printf("\" message=\"");
    print_xml(*member_text(result, "reason") ? member_text(result, "reason")
                                             : member_text(result, "outcome"));
    printf("\">");
    print_xml(member_text(result, "text"));
    printf("</%s>\n", element);
}

/* Prints one case. */
static void
print_testcase(const json_t *result)
{
    printf("  <testcase classname=\"");
    print_xml(member_text(result, "file"));
    printf("\" name=\"");
    print_xml(member_text(result, "name"));
    printf("\" time=\"%.6f\">\n", milliseconds_of(result) / 1e3);
    if (run_report_is_skipped(result)) {
        printf("    <skipped message=\"");
        print_xml(member_text(result, "reason"));
        printf("\"/>\n");
    } else if (!has_passed(result)) {
        print_trouble(result, has_failed(result) ? "failure" : "error");
    }
    printf("  </testcase>\n");
}

void
result_formats_junit(const json_t *results)
{
    size_t n_failed = 0, n_skipped = 0, n_passed = 0, i;
    double sum_ms = 0;
    json_t *result;

    json_array_foreach(results, i, result)
    {
        n_failed += has_failed(result);
        n_passed += has_passed(result);
        n_skipped += run_report_is_skipped(result);
        sum_ms += milliseconds_of(result);
    }
    printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<testsuite name=\"breakpoint\" tests=\"%zu\" failures=\"%zu\" "
           "errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\">\n",
           json_array_size(results), n_failed,
           json_array_size(results) - n_passed - n_failed - n_skipped,
           n_skipped, sum_ms / 1e3);
    json_array_foreach(results, i, result)
    {
        print_testcase(result);
    }
    printf("</testsuite>\n");
}

void
result_formats_json(const json_t *results)
{
    json_t *copy = json_deep_copy(results);
    json_t *result;
    size_t i;

    json_array_foreach(copy, i, result)
    {
        json_object_del(result, "text");
    }
    verb_print_json(copy);
    json_decref(copy);
}
