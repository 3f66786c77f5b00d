/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_CONF_FILE_H
#define ORCHD_PROCESS_CONF_FILE_H

/* Reads configuration files: a line "key = value" each.
 *
 * Blanks around key and value are ignored, as are empty lines and those that
 * begin with '#'; a value has no quotes. */

#include <stddef.h>

#include "base/status.h"

/* Called for each line that has content; 'line' counts from 1.  'key' is NULL
 * if the line is not "key = value", and 'value' is then the line, or NULL if it
 * is not text. */
typedef void conf_file_fn(void *context, unsigned int line, const char *key,
                          const char *value);

/* Splits 'length' bytes of a file into lines. */
void conf_file_parse(const char *text, size_t length, conf_file_fn *visit,
                     void *context);

/* Reads the file 'path'.  ST_NOT_FOUND, ST_IO: it cannot be read; ST_INVALID:
 * it is larger than any sensible one.  Errors of lines are for 'visit'. */
enum st conf_file_read(const char *path, conf_file_fn *visit, void *context,
                       struct err *err) ST_WARN_UNUSED;

#endif /* process/conf_file.h */
