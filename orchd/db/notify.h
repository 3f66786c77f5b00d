/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_NOTIFY_H
#define ORCHD_DB_NOTIFY_H

/* The flags of Redis's option notify-keyspace-events. */

#include <stdbool.h>
#include <stddef.h>

/* orchd needs keyspace events (K) of hashes (h), of keys that are deleted or
 * expire by command (g), of strings ($, for CONFIG_DB_INITIALIZED), and of
 * lists, sets, sorted sets and streams (l, s, z, t), which a client may write
 * by mistake instead of a row.  If 'present' lacks any of these, writes
 * 'present' with the missing ones into 'wanted' of 'size' bytes and returns
 * true. */
bool notify_lacks(const char *present, char *wanted, size_t size);

#endif /* orchd/db/notify.h */
