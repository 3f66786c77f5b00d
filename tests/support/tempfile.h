/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_TEMPFILE_H
#define ORCHD_TESTS_SUPPORT_TEMPFILE_H

/* Files that a test needs for a moment. */

enum { TEMPFILE_SIZE = 64 };

/* Makes a file of 'text' and writes its path into 'path'.  The test fails if
 * that cannot be done.  The caller ends it with tempfile_remove(). */
void tempfile_make(char path[TEMPFILE_SIZE], const char *text);

void tempfile_remove(const char *path);

#endif /* tests/support/tempfile.h */
