/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_WHOLE_FILE_H
#define ORCHD_RESULTS_WHOLE_FILE_H

/* Writes pages and pictures: the whole file, or none. */

#include <stddef.h>

#include "base/status.h"

/* Writes 'length' bytes into the file 'path', which is replaced if it exists.
 * ST_IO: it cannot be written; what there is of it is removed then, so that
 * nobody takes a part for the whole. */
enum st whole_file_write(const char *path, const char *bytes, size_t length,
                         struct err *err) ST_WARN_UNUSED;

#endif /* results/whole_file.h */
