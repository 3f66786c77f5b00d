/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/failover.h"

#include "base/check.h"

void
failover_init(struct failover *failover, enum failover_transport transport)
{
    *failover = (struct failover){.transport = transport, .wanted = transport};
}

void
failover_post(struct failover *failover)
{
    failover->n_posted++;
}

bool
failover_next(struct failover *failover, uint64_t *number)
{
    if (failover->state != FAILOVER_OPEN ||
        failover->n_given == failover->n_posted) {
        return false;
    }
    *number = failover->n_given++;
    return true;
}

/* Closes the transport when nothing is left to wait for. */
static void
try_close(struct failover *failover)
{
    if (failover->state == FAILOVER_DRAINING &&
        failover->n_done == failover->n_given) {
        failover->state = FAILOVER_CLOSED;
    }
}

void
failover_done(struct failover *failover)
{
    orch_assert(failover->n_done < failover->n_given);
    failover->n_done++;
    try_close(failover);
}

void
failover_convert(struct failover *failover, enum failover_transport transport)
{
    if (failover->wanted == transport ||
        (transport == FAILOVER_RDMA && failover->n_holds)) {
        return;
    }
    failover->wanted = transport;
    if (failover->state == FAILOVER_OPEN) {
        failover->state = FAILOVER_DRAINING;
        try_close(failover);
    } else if (failover->state == FAILOVER_DRAINING) {
        /* Back to what it has. */
        failover->state = FAILOVER_OPEN;
    }
}

void
failover_hold(struct failover *failover)
{
    failover->n_holds++;
    if (failover->transport != FAILOVER_RDMA ||
        failover->state == FAILOVER_CLOSED) {
        failover_convert(failover, FAILOVER_TCP);
    }
}

void
failover_release(struct failover *failover)
{
    orch_assert(failover->n_holds);
    failover->n_holds--;
}

void
failover_fail(struct failover *failover)
{
    failover->state = FAILOVER_CLOSED;
    failover->wanted = FAILOVER_TCP;
    failover->n_failures++;
}

void
failover_opened(struct failover *failover)
{
    orch_assert(failover->wanted == FAILOVER_TCP || !failover->n_holds);
    failover->n_conversions += failover->transport != failover->wanted;
    failover->n_again += failover->n_given - failover->n_done;
    failover->transport = failover->wanted;
    failover->n_given = failover->n_done;
    failover->state = FAILOVER_OPEN;
}

bool
failover_server_execute(struct failover_server *server, uint64_t number)
{
    orch_assert(number <= server->n_executed);
    if (number < server->n_executed) {
        server->n_duplicates++;
        return false;
    }
    server->n_executed++;
    return true;
}

void
failover_pace_init(struct failover_pace *pace,
                   const struct failover_pace_config *config)
{
    *pace = (struct failover_pace){
        .config = *config, .target = FAILOVER_RDMA, .failed_ps = -1};
}

void
failover_pace_fail(struct failover_pace *pace, int64_t now_ps)
{
    pace->failed_ps = now_ps;
}

void
failover_pace_target(struct failover_pace *pace, enum failover_transport target)
{
    pace->target = target;
}

/* Returns how many connections are left to convert. */
static uint32_t
left(const struct failover_pace *pace, int64_t now_ps, uint32_t n_over_tcp)
{
    if (pace->target == FAILOVER_TCP) {
        return n_over_tcp < pace->config.most ? pace->config.most - n_over_tcp
                                              : 0;
    }
    if (pace->failed_ps >= 0 &&
        (pace->config.heal_ps == INT64_MAX ||
         now_ps - pace->failed_ps < pace->config.heal_ps)) {
        return 0;
    }
    return n_over_tcp;
}

uint32_t
failover_pace_period(struct failover_pace *pace, int64_t now_ps,
                     uint32_t n_over_tcp, uint32_t busy_permille)
{
    const uint32_t n = left(pace, now_ps, n_over_tcp);

    if (n && busy_permille > pace->config.busy_permille) {
        pace->n_held++;
        return 0;
    }
    return n < pace->config.per_period ? n : pace->config.per_period;
}
