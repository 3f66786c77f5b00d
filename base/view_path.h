/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_VIEW_PATH_H
#define ORCHD_BASE_VIEW_PATH_H

/* The name of the socket for viewers, beside that for operators. */

#include <stddef.h>

#include "base/status.h"

/* Writes the path of the socket for viewers beside 'socket' to 'buffer':
 * ".../view.sock" beside ".../control.sock", ".../NAME-view.sock" beside
 * ".../NAME.sock" or ".../NAME".  Returns ST_OK, or ST_INVALID if it does not
 * fit. */
enum st view_path(const char *socket, char *buffer, size_t size) ST_WARN_UNUSED;

#endif /* base/view_path.h */
