/* SPDX-License-Identifier: Apache-2.0 */

/* Names the side that makes a connection slow. */

#include <config.h>

#include "lab/estats/side.h"

#include <string.h>

#define US INT64_C(1000000)

/* What the programs at both ends of a healthy connection may need. */
#define HEALTHY_HOST_PS (5 * US)

/* A byte at 1 bit per second. */
#define BYTE_PS_AT_1_BPS UINT64_C(8000000000000)

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

enum { PERMILLE = 1000, ASKED_PERMILLE = 10, FULL_PERMILLE = 900 };

/* How much each reason takes of an operation. */
struct ledger {
    int64_t by_reason[ESTATS_N_REASONS];
    int64_t left_ps; /* Of the excess. */
};

const char *
estats_side_name(enum estats_side side)
{
    static const char *const names[] = {
#define X(member, name) name,
        ESTATS_SIDES(X)
#undef X
    };

    return names[side];
}

const char *
estats_reason_text(enum estats_reason reason)
{
    static const char *const texts[] = {
#define X(member, text) text,
        ESTATS_REASONS(X)
#undef X
    };

    return texts[reason];
}

/* The side of each reason; of the first three that of the requester. */
static enum estats_side
side_of(enum estats_reason reason, enum estats_side requester)
{
    switch (reason) {
    case ESTATS_REASON_NONE:
        return ESTATS_SIDE_NONE;
    case ESTATS_REASON_POST:
    case ESTATS_REASON_POLL:
        return requester;
    case ESTATS_REASON_IDLE_LINK:
    case ESTATS_REASON_FULL_LINK:
    case ESTATS_REASON_OWN_PCIE:
        return ESTATS_SIDE_SENDER;
    case ESTATS_REASON_CONGESTION:
    case ESTATS_REASON_LOSS:
    case ESTATS_REASON_DELAY:
        return ESTATS_SIDE_NETWORK;
    default:
        return ESTATS_SIDE_RECEIVER;
    }
}

/* Returns 'part_ps' of the interval in permille, 0..1000. */
static int64_t
share(const struct estats_evidence *evidence, int64_t part_ps)
{
    return part_ps <= 0 ? 0
           : part_ps >= evidence->interval_ps
               ? PERMILLE
               : part_ps / (evidence->interval_ps / PERMILLE + 1);
}

/* Returns n * ps, but at most 'most_ps'. */
static int64_t
times(uint64_t n, int64_t ps, int64_t most_ps)
{
    return ps > 0 && n > (uint64_t)(most_ps / ps) ? most_ps : (int64_t)n * ps;
}

/* Gives 'permille' of what is left to 'reason'. */
static void
take(struct ledger *ledger, enum estats_reason reason, int64_t permille)
{
    const int64_t ps = ledger->left_ps / PERMILLE *
                       (permille < PERMILLE ? permille : PERMILLE);

    ledger->by_reason[reason] += ps;
    ledger->left_ps -= ps;
}

/* Returns whether the adapter of 'host' gets more than it can pass on. */
static bool
is_busy(const struct estats_evidence *evidence, const struct estats_host *host)
{
    return share(evidence, host->asked_ps) >= ASKED_PERMILLE ||
           (share(evidence, host->bus_ps) >= FULL_PERMILLE &&
            share(evidence, host->received_ps) < FULL_PERMILLE);
}

const struct estats_host *
estats_sender(const struct estats_evidence *evidence)
{
    return evidence->is_read ? &evidence->responder : &evidence->requester;
}

const struct estats_host *
estats_receiver(const struct estats_evidence *evidence)
{
    return evidence->is_read ? &evidence->requester : &evidence->responder;
}

void
estats_explain_cnps(struct estats_cnps *cnps, struct estats_evidence *evidence)
{
    const int64_t all_ps = evidence->interval_ps;
    const int64_t old_ps = cnps->left_ps < all_ps ? cnps->left_ps : all_ps;
    const int64_t new_ps = times(evidence->cnps, ESTATS_CNP_PS, all_ps);

    evidence->cnp_ps = old_ps + new_ps < all_ps ? old_ps + new_ps : all_ps;
    cnps->left_ps -= old_ps;
    if (evidence->cnps) {
        cnps->left_ps = ESTATS_CNP_PS;
        cnps->are_of_receiver = is_busy(evidence, estats_receiver(evidence));
    }
    evidence->cnps_are_of_receiver = cnps->are_of_receiver;
}

/* Returns how many timeouts show a loss: not those of a sender so slow that
 * nothing was acknowledged in time, which repeat what has arrived. */
static uint64_t
lost(const struct estats_evidence *evidence)
{
    return !evidence->naks && evidence->duplicates >= evidence->timeouts
               ? 0
               : evidence->timeouts;
}

/* Divides what is left by what a receiver and the network have counted. */
static void
take_counters(const struct estats_evidence *evidence,
              const struct estats_host *sender,
              const struct estats_host *receiver, struct ledger *ledger)
{
    const int64_t all_ps = evidence->interval_ps;
    const int64_t round_ps =
        evidence->base_ps == INT64_MAX ? 0 : evidence->base_ps;
    const int64_t lost_ps =
        times(lost(evidence), evidence->timeout_ps, all_ps) +
        times(evidence->naks, evidence->recovery_ps + round_ps, all_ps);
    const int64_t pauses = share(evidence, receiver->asked_ps);

    take(ledger, ESTATS_REASON_PAUSES, pauses);
    take(ledger, ESTATS_REASON_RECEIVES,
         share(evidence, times(evidence->rnr_naks, evidence->rnr_ps, all_ps)));
    take(ledger,
         receiver->fifo_drops ? ESTATS_REASON_DROPS : ESTATS_REASON_LOSS,
         share(evidence, lost_ps));
    take(ledger, ESTATS_REASON_CONGESTION,
         share(evidence, sender->obeyed_ps) - pauses > 0
             ? share(evidence, sender->obeyed_ps) - pauses
             : 0);
    take(ledger,
         evidence->cnps_are_of_receiver ? ESTATS_REASON_RECOVERY
                                        : ESTATS_REASON_CONGESTION,
         share(evidence, evidence->cnp_ps));
}

/* Returns what the core of 'host' needed to post an operation, at most
 * 'most_ps': the jobs of 'n_posts' for each 'n'. */
static int64_t
posting_ps(const struct estats_host *host, uint64_t n_posts, uint64_t n,
           int64_t most_ps)
{
    const int64_t job_ps =
        host->jobs_ps / (int64_t)(host->jobs ? host->jobs : 1);
    const int64_t ps = (int64_t)((u128)job_ps * n_posts / n);

    return ps < most_ps ? ps : most_ps < 0 ? 0 : most_ps;
}

/* Returns the round trip that the probes of both directions have seen, -1 if
 * there were none. */
static int64_t
path_ps(const struct estats_evidence *evidence)
{
    const struct estats_host *hosts[] = {&evidence->requester,
                                         &evidence->responder};
    int64_t least_ps = -1;

    for (int i = 0; i < 2; i++) {
        const int64_t probe_ps =
            hosts[i]->probe_ps - posting_ps(hosts[i], 1, 1, hosts[i]->probe_ps);

        if (hosts[i]->probe_ps >= 0 && (least_ps < 0 || probe_ps < least_ps)) {
            least_ps = probe_ps;
        }
    }
    return least_ps;
}

/* Divides what is left by what probes have seen. */
static void
take_delay(const struct estats_evidence *evidence,
           const struct estats_host *sender, const struct estats_host *receiver,
           int64_t ideal_ps, struct ledger *ledger)
{
    const int64_t path = path_ps(evidence);
    const int64_t longer_ps = path - evidence->base_ps - 2 * evidence->clock_ps;
    int64_t explained_ps;

    if (path <= 0 || longer_ps <= 0 || ledger->left_ps <= 0) {
        return;
    }
    explained_ps = (int64_t)((i128)longer_ps * ideal_ps /
                             (evidence->base_ps ? evidence->base_ps : 1));
    take(ledger,
         is_busy(evidence, receiver) ? ESTATS_REASON_PCIE
         : is_busy(evidence, sender) ? ESTATS_REASON_OWN_PCIE
                                     : ESTATS_REASON_DELAY,
         explained_ps / (ledger->left_ps / PERMILLE + 1));
}

/* Returns the reason of what nothing else explains. */
static enum estats_reason
find_rest(const struct estats_evidence *evidence,
          const struct estats_host *sender, const struct estats_host *receiver)
{
    return is_busy(evidence, receiver) ? ESTATS_REASON_PCIE
           : is_busy(evidence, sender) ? ESTATS_REASON_OWN_PCIE
           : share(evidence, sender->sent_ps) >= FULL_PERMILLE
               ? ESTATS_REASON_FULL_LINK
           : share(evidence, receiver->received_ps) >= FULL_PERMILLE
               ? ESTATS_REASON_CONGESTION
               : ESTATS_REASON_IDLE_LINK;
}

/* Adds up the sides of 'ledger', and names the largest with its largest
 * reason. */
static void
name(const struct ledger *ledger, enum estats_side requester,
     struct estats_finding *finding)
{
    enum estats_side side = ESTATS_SIDE_SENDER;

    for (int i = 1; i < ESTATS_N_REASONS; i++) {
        finding->parts_ps[side_of((enum estats_reason)i, requester)] +=
            ledger->by_reason[i];
    }
    for (int i = ESTATS_SIDE_NETWORK; i < ESTATS_N_SIDES; i++) {
        if (finding->parts_ps[i] > finding->parts_ps[side]) {
            side = (enum estats_side)i;
        }
    }
    finding->side = side;
    for (int i = 1; i < ESTATS_N_REASONS; i++) {
        if (side_of((enum estats_reason)i, requester) == side &&
            ledger->by_reason[i] > ledger->by_reason[finding->reason]) {
            finding->reason = (enum estats_reason)i;
        }
    }
}

void
estats_find(const struct estats_evidence *evidence,
            struct estats_finding *finding)
{
    const struct estats_host *sender = estats_sender(evidence);
    const struct estats_host *receiver = estats_receiver(evidence);
    const int64_t n = (int64_t)evidence->n;
    struct ledger ledger = {0};
    int64_t nic_ps, total_ps, ideal_ps;

    memset(finding, 0, sizeof *finding);
    if (!n || evidence->base_ps == INT64_MAX) {
        return;
    }
    nic_ps = evidence->nic_ps / n;
    ideal_ps = evidence->base_ps +
               (int64_t)((u128)(evidence->backlog_bytes / evidence->n) *
                         BYTE_PS_AT_1_BPS / evidence->line_bps);
    finding->parts_ps[ESTATS_SIDE_NONE] = ideal_ps;
    ledger.by_reason[ESTATS_REASON_POLL] = evidence->poll_ps / n;
    ledger.by_reason[ESTATS_REASON_POST] = posting_ps(
        &evidence->requester, evidence->n_posts, evidence->n, nic_ps);
    ledger.by_reason[ESTATS_REASON_DELIVER] =
        evidence->n_received
            ? evidence->deliver_ps / (int64_t)evidence->n_received
            : 0;
    ledger.left_ps = nic_ps - ledger.by_reason[ESTATS_REASON_POST] - ideal_ps;
    ledger.left_ps = ledger.left_ps < 0 ? 0 : ledger.left_ps;
    total_ps = evidence->total_ps / n + ledger.by_reason[ESTATS_REASON_DELIVER];
    take_counters(evidence, sender, receiver, &ledger);
    take_delay(evidence, sender, receiver, ideal_ps, &ledger);
    take(&ledger, find_rest(evidence, sender, receiver), PERMILLE);
    name(&ledger, evidence->is_read ? ESTATS_SIDE_RECEIVER : ESTATS_SIDE_SENDER,
         finding);
    if (total_ps <= ideal_ps + ideal_ps / 4 + HEALTHY_HOST_PS) {
        finding->side = ESTATS_SIDE_NONE;
        finding->reason = ESTATS_REASON_NONE;
    }
}

void
estats_summary_add(struct estats_summary *summary,
                   const struct estats_finding *finding, uint64_t n)
{
    const int64_t part_ps = finding->parts_ps[finding->side] * (int64_t)n;

    summary->n += n;
    for (int i = 0; i < ESTATS_N_SIDES; i++) {
        summary->parts_ps[i] += finding->parts_ps[i] * (int64_t)n;
    }
    if (finding->side == ESTATS_SIDE_NONE) {
        return;
    }
    summary->named_ps[finding->side] += part_ps;
    if (part_ps > summary->largest_ps[finding->side]) {
        summary->largest_ps[finding->side] = part_ps;
        summary->reasons[finding->side] = finding->reason;
    }
}

void
estats_summary_get(const struct estats_summary *summary,
                   struct estats_finding *finding)
{
    memset(finding, 0, sizeof *finding);
    for (int i = 0; i < ESTATS_N_SIDES; i++) {
        finding->parts_ps[i] =
            summary->n ? summary->parts_ps[i] / (int64_t)summary->n : 0;
        if (summary->named_ps[i] > summary->named_ps[finding->side]) {
            finding->side = (enum estats_side)i;
        }
    }
    finding->reason = summary->reasons[finding->side];
}
