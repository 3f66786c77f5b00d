/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_VERSION_H
#define ORCHD_PROCESS_VERSION_H

/* What a program is made of: its version, the commit it was built from, the
 * release of SAI, and the versions of the libraries that it has loaded. */

#include <stdbool.h>

struct text;

/* The commit, "31b3f98208af", with "+" if there were other changes; "unknown"
 * if neither Git nor the file .commit of a release has it. */
const char *version_commit(void);

/* Appends a JSON object to 'text': {"program", "version", "commit", "sai",
 * "libraries": [{"name", "built", "running"}]}, where "built" is the version
 * whose headers were used, and "running" the one that is loaded. */
void version_add_json(struct text *text, const char *program);

/* Prints the same to standard output: as JSON, or a line each. */
void version_print(const char *program, bool json);

#endif /* process/version.h */
