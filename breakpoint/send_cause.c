/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the group and the queue that the packets used. */

#include <config.h>

#include "breakpoint/send_cause.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"
#include "breakpoint/target.h"

/* Reads the counters 'names' of 'object' into 'values', which keep their values
 * where the target does not know the counter.  Returns whether it knows all. */
static bool
read_stats(struct target *target, const struct target_object *object,
           const char *const *names, uint64_t *values, size_t n)
{
    struct arena *arena = arena_create(0);
    struct target_reading reading;
    struct err ignored;
    bool known =
        !target->ops->read(target, object, 1, arena, &reading, &ignored);

    for (size_t i = 0; known && i < n; i++) {
        const struct target_stat *stat =
            target_reading_find(&reading, names[i]);

        known = stat != NULL;
        values[i] = known ? stat->value : values[i];
    }
    arena_destroy(arena);
    return known;
}

/* Says which of the drops of a queue are WRED's.  Its counters are older than
 * the packets in question, so only all and none are certain. */
static void
add_queue(struct target *target, const struct target_send *send,
          const struct target_sent *sent, struct text *text)
{
    static const char *const names[] = {"dropped", "wred_dropped"};
    const struct target_object queue = {TARGET_QUEUE, send->to, sent->queue};
    uint64_t values[2] = {0, 0};
    const bool known = read_stats(target, &queue, names, values, 2);

    text_addf(text, "; queue %s|%u dropped %" PRIu64 " packet%s", send->to,
              sent->queue, sent->dropped_egress,
              text_plural(sent->dropped_egress));
    if (known && values[1]) {
        text_addf(text, ", %s by WRED%s",
                  values[0] == values[1] ? "all" : "some",
                  send->ecn ? "" : " (they are not ECN-capable: ecn 2 is)");
    } else if (known) {
        text_add(text, ", over its limit");
    }
}

void
send_cause_add(struct target *target, const struct target_send *send,
               const struct target_sent *sent, struct text *text)
{
    static const char *const names[] = {"lossless"};
    const struct target_object pg = {TARGET_PG, send->from, sent->pg};
    uint64_t lossless = 0;

    text_addf(text, "DSCP %u -> TC %u -> PG %s|%u", send->dscp, sent->tc,
              send->from, sent->pg);
    if (read_stats(target, &pg, names, &lossless, 1)) {
        text_add(text, lossless ? ", lossless" : ", lossy");
    }
    if (sent->dropped_ingress) {
        text_addf(text, "; %" PRIu64 " packet%s dropped at ingress",
                  sent->dropped_ingress, text_plural(sent->dropped_ingress));
    }
    if (sent->dropped_egress) {
        add_queue(target, send, sent, text);
    }
}

uint64_t
send_cause_wred(struct target *target, const char *port, unsigned int index)
{
    static const char *const names[] = {"wred_dropped"};
    const struct target_object queue = {TARGET_QUEUE, port, index};
    uint64_t dropped = 0;

    (void)read_stats(target, &queue, names, &dropped, 1);
    return dropped;
}
