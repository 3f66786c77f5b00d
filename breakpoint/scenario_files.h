/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_SCENARIO_FILES_H
#define ORCHD_BREAKPOINT_SCENARIO_FILES_H

/* Reads the files of a scenario by name.
 *
 * A relative name is relative to the directory of the file that names it. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct document;
struct fy_node;

/* The maximum size of a file. */
#define SCENARIO_FILES_BYTES_MAX ((size_t)16 * 1024 * 1024)

struct scenario_files {
    struct document *document; /* Borrowed. */
    bool closed;               /* Includes are not allowed. */
};

/* Reads and parses 'file' into the document.  ST_NOT_FOUND: it cannot be read.
 * ST_INVALID: it cannot be parsed.  Both fill 'err'. */
enum st scenario_files_read(struct scenario_files *files, const char *file,
                            struct fy_node **root,
                            struct err *err) ST_WARN_UNUSED;

/* The same for a file that 'node' names.  Reports a failure at the position of
 * 'node', as ST_INVALID. */
enum st scenario_files_include(struct scenario_files *files,
                               struct fy_node *node, const char *file,
                               struct fy_node **root,
                               struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/scenario_files.h */
