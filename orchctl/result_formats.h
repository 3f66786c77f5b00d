/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_RESULT_FORMATS_H
#define ORCHD_ORCHCTL_RESULT_FORMATS_H

/* The results of many cases (cases.h) for people and for programs that gather
 * tests. */

#include <jansson.h>

/* Prints a case in one line, after its whole text if it has failed. */
void result_formats_line(void *context, const json_t *result);

/* Prints how many passed, failed and were skipped, and how fast that went,
 * which took 'milliseconds' in all. */
void result_formats_summary(const json_t *results, double milliseconds);

/* Prints the results in the Test Anything Protocol, version 13; as the XML that
 * JUnit began; as JSON, without the texts. */
void result_formats_tap(const json_t *results);
void result_formats_junit(const json_t *results);
void result_formats_json(const json_t *results);

#endif /* orchctl/result_formats.h */
