/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_LIVE_H
#define ORCHD_CONTROL_LIVE_H

/* The state of the buffer in numbers, for "show live", many times a second.
 *
 * The objects are those that orchd manages: ports, pools, and the priority
 * groups and queues that have a profile.  Their list, the layout, is made again
 * when a plan was carried out; if it differs, its number is the generation of
 * that plan.
 *
 * A reading reads the counters of all ports, in one call for many if the switch
 * has such a call.  It then reads the priority groups and queues of the ports
 * that are busy: a counter of theirs, or their number of queued packets, has
 * changed, or something of them was in use before.  Of the other ports it reads
 * a tenth each time, so that nothing is older than ten readings on a switch
 * that does not count what would show that a port is busy.
 *
 * A reading works in slices, because rows wait meanwhile. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

struct columns;
struct command_context;
struct live;

/* Creates a reader without objects; 'context' is borrowed. */
struct live *live_create(const struct command_context *context);

/* Frees 'live'.  Accepts NULL. */
void live_destroy(struct live *live);

/* Forgets the objects: there is another switch, or none. */
void live_reset(struct live *live);

/* Shows only the port 'name', which is copied, and all pools.  To be called
 * before the first reading; may be repeated. */
void live_add_port(struct live *live, const char *name);

/* Makes the list of objects, if there is none or it is old, without reading
 * anything; not while a reading is in progress, which keeps its list. */
void live_update_layout(struct live *live);

/* Begins a reading; false if one is in progress. */
bool live_begin(struct live *live);

/* Continues it.  Returns whether more is to be read.  There has to be a
 * switch. */
bool live_continue(struct live *live);

/* Ends a reading before its end. */
void live_stop(struct live *live);

/* Fills in counters from elsewhere, in place of a reading; not while one is in
 * progress.  'fn' stores counter 'id' of the object of 'type' with 'name', and
 * 'index' if it belongs to a port, else -1; it returns false if it does not
 * know it.  What SAI has no counter for stays unknown. */
typedef bool live_counter_fn(void *context, sai_object_type_t type,
                             const char *name, int index, sai_stat_id_t id,
                             uint64_t *value);
void live_fill(struct live *live, live_counter_fn *fn, void *context);

/* Return what was read last; the names of the objects, as an object, once there
 * is a list.  Both are borrowed until the next list is made. */
const struct columns *live_values(const struct live *live);
json_t *live_names(const struct live *live);

#endif /* orchd/control/live.h */
