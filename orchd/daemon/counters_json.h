/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_COUNTERS_JSON_H
#define ORCHD_DAEMON_COUNTERS_JSON_H

/* Counters as JSON for "orchctl show".
 *
 * drops, empty if the libsai does not report reasons:
 *   [{"port": "Ethernet0", "reason": "headroom", "packets": 3}, ...]
 * pauses:
 *   [{"port": "Ethernet0", "priority": 3, "direction": "received",
 *     "frames": 12, "paused_us": 4020, "pauses": 3, "longest_us": 2000,
 *     "recent_us": 900, "recent_at": "2026-01-02T03:04:05.678Z",
 *     "share_ppm": 1200, "estimated": false,
 *     "histogram": [1, 0, 2, 0, 0, 0, 0]}, ...]
 * watermarks:
 *   [{"name": "Ethernet0", "kind": "pg", "index": 3, "class": "shared",
 *     "last": 0, "user": 2560, "persistent": 2560, "periodic": 0}, ...]
 *
 * Drops, frames and, where the switch counts them, durations and ends of pauses
 * are read from the switch when asked for.  The other numbers about pauses are
 * computed from polling, and the watermarks are those of the last poll.  If
 * their group is not polled, an item also has "not_polled": "PORT", "last" is
 * read from the switch without clearing it, and what only polling can know is
 * null, as is what the switch does not count. */

#include <jansson.h>

struct publisher;

/* Return a new list about the port or pool 'name'; NULL: about all of them. */
json_t *counters_json_drops(const struct publisher *publisher,
                            const char *name);
json_t *counters_json_pauses(const struct publisher *publisher,
                             const char *name);
json_t *counters_json_watermarks(const struct publisher *publisher,
                                 const char *name);

#endif /* orchd/daemon/counters_json.h */
