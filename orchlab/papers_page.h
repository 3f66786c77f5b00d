/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_PAPERS_PAGE_H
#define ORCHD_ORCHLAB_PAPERS_PAGE_H

/* The published experiments as one page that needs no other file: of each row
 * its scenarios, with verdict, expectations, assumptions and figures; a row
 * without a scenario is "not built". */

#include <jansson.h>

#include "base/status.h"

/* Writes the page 'path' from 'rows', the JSON of "orchlab papers"; scenarios
 * have their pictures in "figures".  ST_INVALID: the page would be larger than
 * 5 MB; ST_IO. */
enum st papers_page_write(const json_t *rows, const char *path,
                          struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/papers_page.h */
