/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/daemon/daemon_service.h"

#include <stdbool.h>

#include "base/text.h"
#include "orchd/control/state.h"
#include "orchd/daemon/daemon_state.h"
#include "orchd/daemon/feed.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_status.h"
#include "process/notify.h"

/* Adds the numbers of rows in each state. */
static void
add_rows(struct text *line, const struct agent *agent)
{
    struct agent_figures figures;
    bool any = false;

    agent_figures(agent, &figures);
    text_add(line, "Rows: ");
    for (size_t i = 0; i < N_ROW_STATES; i++) {
        if (figures.n_rows[i]) {
            text_addf(line, "%s%zu %s", any ? ", " : "", figures.n_rows[i],
                      row_state_name((enum row_state)i));
            any = true;
        }
    }
    text_add(line, any ? "" : "none");
}

void
daemon_service_describe(void *daemon_, char *buffer, size_t size)
{
    const struct daemon *daemon = daemon_;
    const struct err *absence =
        daemon->provider->ops->absence(daemon->provider);
    struct text line = {0};
    struct redis_status redis;

    redis_status(daemon->redis, &redis);
    add_rows(&line, daemon->agent);
    if (!redis.up) {
        text_addf(&line, "; Redis %s is not connected: %s", redis.endpoint,
                  redis.reason);
    } else if (!daemon->read) {
        text_add(&line, "; reading CONFIG_DB");
    }
    if (absence) {
        text_addf(&line, "; no switch: %s", absence->reason);
    }
    if (*feed_hold(daemon->feed)) {
        text_addf(&line, "; removals are held back: %s",
                  feed_hold(daemon->feed));
    }
    text_copy(buffer, size, text_string(&line));
    text_fini(&line);
}

void
daemon_service_turn(const struct daemon *daemon,
                    const struct control_state *state, int64_t now)
{
    if (daemon->read && !state->coming && agent_settled(daemon->agent)) {
        notify_ready(daemon->notify, now);
    }
    notify_changed(daemon->notify, now);
}
