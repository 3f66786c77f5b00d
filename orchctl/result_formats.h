/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_RESULT_FORMATS_H
#define ORCHD_ORCHCTL_RESULT_FORMATS_H

/* Prints the results of many cases (case_runner.h) for people and for programs
 * that collect test results. */

#include <jansson.h>

/* Prints a case in one line, after its whole output if it has failed. */
void result_formats_line(void *context, const json_t *result);

/* Prints a case that has failed in one line: of a sweep there can be many. */
void result_formats_failure(void *context, const json_t *result);

/* Prints how many cases passed, failed and were skipped, and the speed, for a
 * total duration of 'milliseconds'. */
void result_formats_summary(const json_t *results, double milliseconds);

/* Print the results in the Test Anything Protocol, version 13; as JUnit XML; as
 * JSON, without the output. */
void result_formats_tap(const json_t *results);
void result_formats_junit(const json_t *results);
void result_formats_json(const json_t *results);

#endif /* orchctl/result_formats.h */
