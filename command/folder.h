/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_FOLDER_H
#define ORCHD_COMMAND_FOLDER_H

/* Folders that options name, for what a command writes. */

#include "base/status.h"

/* Creates the folder 'path', if there is none, and checks that files can be
 * written there.  ST_IO: that fails, or 'path' is a file; 'err' names 'option'
 * ("--keep") as the remedy. */
enum st folder_make(const char *path, const char *option,
                    struct err *err) ST_WARN_UNUSED;

#endif /* command/folder.h */
