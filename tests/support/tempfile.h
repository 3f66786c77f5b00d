/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_TEMPFILE_H
#define ORCHD_TESTS_SUPPORT_TEMPFILE_H

/* Files that a test needs for a moment, or that must not exist. */

enum { TEMPFILE_SIZE = 64 };

/* Makes a file of 'text' and writes its path into 'path'.  The test fails if
 * that cannot be done.  The caller ends it with tempfile_remove(). */
void tempfile_make(char path[TEMPFILE_SIZE], const char *text);

void tempfile_remove(const char *path);

/* Writes into 'path' the path of 'name' (short) in a folder that does not
 * exist, below one that only this process uses, until its end. */
void tempfile_missing(char path[TEMPFILE_SIZE], const char *name);

/* A folder of this process, for cmocka_run_group_tests(), which the tests leave
 * empty: its path is there once tempfile_folder_make() has returned 0. */
extern char tempfile_folder[TEMPFILE_SIZE];
int tempfile_folder_make(void **state);
int tempfile_folder_remove(void **state);

#endif /* tests/support/tempfile.h */
