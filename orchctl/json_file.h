/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_JSON_FILE_H
#define ORCHD_ORCHCTL_JSON_FILE_H

/* Files that orchctl writes for the user. */

#include <jansson.h>

#include "base/status.h"

/* Replaces the file 'path' by 'value' as JSON, indented by 'indent' blanks.
 * ST_IO: it cannot be written; 'err' says which file and why. */
enum st json_file_write(const char *path, const json_t *value,
                        unsigned int indent, struct err *err) ST_WARN_UNUSED;

/* Checks, before a long run, whether files can be created in 'directory'.
 * ST_IO: they cannot; 'err' says why. */
enum st json_file_check(const char *directory, struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/json_file.h */
