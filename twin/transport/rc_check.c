/* SPDX-License-Identifier: Apache-2.0 */

/* The invariants of a queue pair. */

#include <config.h>

#include "twin/transport/rc_state.h"

#include <stddef.h>

/* Whether 'psn' is in the request at 'index', or at the end of all. */
static bool
is_inside(const struct rc_sender *sender, uint32_t index, uint32_t psn)
{
    const struct rc_wqe *wqe = rc_wqe(sender, index);

    if (index == sender->tail) {
        return psn == sender->end_psn;
    }
    return psn_minus(psn, wqe->first_psn) >= 0 &&
           psn_minus(psn, wqe->last_psn) <= 0;
}

/* Returns the payload before 'psn', which is in the request at 'index'. */
static uint64_t
bytes_before(const struct rc_sender *sender, uint32_t index, uint32_t psn)
{
    const struct rc_wqe *last = rc_wqe(sender, sender->tail - 1);

    return index == sender->tail
               ? last->start_bytes + last->length_bytes
               : rc_bytes_before__(sender, rc_wqe(sender, index), psn);
}

static const char *
check_order(const struct rc_sender *sender)
{
    const uint32_t n = sender->tail - sender->head;

    if (n > sender->config->send_depth || sender->una - sender->head > n ||
        sender->next - sender->head > n ||
        sender->next - sender->una > sender->tail - sender->una) {
        return "the send ring is not ordered";
    }
    if (psn_minus(sender->next_psn, sender->una_psn) < 0 ||
        psn_minus(sender->high_psn, sender->next_psn) < 0 ||
        psn_minus(sender->end_psn, sender->high_psn) < 0) {
        return "una <= next <= high <= end does not hold";
    }
    if (!is_inside(sender, sender->una, sender->una_psn) ||
        !is_inside(sender, sender->next, sender->next_psn)) {
        return "a PSN is not in its request";
    }
    return NULL;
}

static const char *
check_copies(const struct rc_sender *sender)
{
    const struct rc_wqe *wqe = rc_wqe(sender, sender->next);

    if (sender->next != sender->tail &&
        (sender->next_first_psn != wqe->first_psn ||
         sender->next_last_psn != wqe->last_psn ||
         sender->next_operation != wqe->operation)) {
        return "the copies of the next request are wrong";
    }
    wqe = rc_wqe(sender, sender->una);
    if (sender->una_is_read !=
        (sender->una != sender->tail && rc_is_read(wqe))) {
        return "una_is_read is wrong";
    }
    if (sender->una != sender->tail && sender->una_last_psn != wqe->last_psn) {
        return "una_last_psn is wrong";
    }
    return NULL;
}

static const char *
check_amounts(const struct rc *rc)
{
    const struct rc_sender *sender = &rc->sender;
    const uint64_t window_bytes = sender->config->window_bytes;
    uint32_t reads = 0;

    if (sender->una_bytes !=
            bytes_before(sender, sender->una, sender->una_psn) ||
        sender->next_bytes !=
            bytes_before(sender, sender->next, sender->next_psn)) {
        return "the bytes do not agree with the PSNs";
    }
    for (uint32_t i = sender->una; i != sender->next; i++) {
        reads += rc_is_read(rc_wqe(sender, i));
    }
    if (reads != sender->reads || reads > sender->config->max_reads) {
        return "the count of READs is wrong";
    }
    /* A message that has been withdrawn in part is in flight again. */
    if (window_bytes > 0 && sender->config->recovery != RC_GO_BACK_0 &&
        sender->next - sender->una > 1 &&
        sender->next_bytes > rc->cold.configured_bytes &&
        sender->next_bytes - sender->una_bytes > window_bytes) {
        return "more bytes are in flight than the window allows";
    }
    return NULL;
}

static const char *
check_timers(const struct rc_sender *sender)
{
    const bool is_error = sender->state == RC_ERROR;

    if (is_error &&
        (sender->una != sender->tail || sender->deadline_ps != INT64_MAX)) {
        return "a queue pair in the error state still has work";
    }
    if (!is_error && sender->config->timeout_exponent > 0 &&
        sender->una_psn != sender->next_psn &&
        sender->deadline_ps == INT64_MAX) {
        return "packets are outstanding without a timeout";
    }
    return NULL;
}

static const char *
check_receiver(const struct rc *rc)
{
    const struct rc_receiver *receiver = &rc->receiver;
    const struct rc_config *config = rc->sender.config;
    uint32_t n_held = 0;

    if (receiver->n_reads > config->max_reads) {
        return "too many READs are queued";
    }
    for (int i = 0; i < receiver->n_reads; i++) {
        const struct rc_read *read = &rc->cold.reads[i];

        if (psn_minus(read->last_psn, read->psn) < 0 ||
            psn_minus(receiver->expected_psn, read->last_psn) <= 0) {
            return "a queued READ has an impossible range";
        }
    }
    if (rc->receives.next - rc->receives.head >
            rc->receives.tail - rc->receives.head ||
        rc->receives.tail - rc->receives.head > config->receive_depth) {
        return "the receive ring is not ordered";
    }
    if (config->recovery == RC_SELECTIVE) {
        for (uint32_t i = 0; i < config->reorder_packets; i++) {
            n_held += rc_bit(rc->cold.held, config->reorder_packets - 1, i);
        }
        if (n_held != rc->cold.n_held) {
            return "the count of held packets is wrong";
        }
        if (n_held > 0 &&
            psn_minus(rc->cold.held_end_psn, receiver->expected_psn) <= 0) {
            return "a packet is held although its PSN is past";
        }
    }
    return NULL;
}

const char *
rc_check(const struct rc *rc)
{
    const struct rc_sender *sender = &rc->sender;
    const char *problem = check_order(sender);

    if (!problem) {
        problem = check_copies(sender);
    }
    if (!problem) {
        problem = check_amounts(rc);
    }
    if (!problem) {
        problem = check_timers(sender);
    }
    return problem ? problem : check_receiver(rc);
}
