/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_SCENARIO_FILES_H
#define ORCHD_BREAKPOINT_SCENARIO_FILES_H

/* The files that a scenario consists of, read by name.
 *
 * A relative name is looked up beside the file that names it. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct document;
struct fy_node;

/* The longest file that is read. */
#define SCENARIO_FILES_BYTES_MAX ((size_t)16 * 1024 * 1024)

struct scenario_files {
    struct document *document; /* Borrowed. */
    bool closed;               /* Nothing is to be included. */
};

/* Reads and parses 'file' into the document.  ST_NOT_FOUND if it cannot be
 * read, ST_INVALID; 'err' has the reason. */
enum st scenario_files_read(struct scenario_files *files, const char *file,
                            struct fy_node **root,
                            struct err *err) ST_WARN_UNUSED;

/* The same for a file that 'node' names; a failure is told with the place of
 * 'node', as ST_INVALID. */
enum st scenario_files_include(struct scenario_files *files,
                               struct fy_node *node, const char *file,
                               struct fy_node **root,
                               struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/scenario_files.h */
