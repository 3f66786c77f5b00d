/* SPDX-License-Identifier: Apache-2.0 */

/* Selective repeat, at the requester: what the peer holds, and what it misses.
 *
 * Holes are sent in one pass from hole_psn to hole_end_psn.  A NAK that reports
 * a packet behind hole_end_psn extends the pass; only a timeout starts it
 * again. */

#include <config.h>

#include "twin/transport/rc_state.h"

#include <string.h>

static uint32_t
bit_mask(const struct rc *rc)
{
    return rc->sender.config->reorder_packets - 1;
}

static void
set_bit(struct rc *rc, uint32_t psn, bool on)
{
    uint64_t *word = &rc->cold.sacked[(psn & bit_mask(rc)) / 64];
    const uint64_t bit = UINT64_C(1) << (psn % 64);

    *word = on ? *word | bit : *word & ~bit;
}

bool
rc_acked__(struct rc *rc, uint32_t psn)
{
    const uint32_t size = bit_mask(rc) + 1;
    const int32_t n = psn_minus(psn, rc->cold.acked_psn);

    if (n <= 0) {
        return false;
    }
    if ((uint32_t)n >= size) {
        memset(rc->cold.sacked, 0, size / 8);
    } else {
        for (uint32_t p = rc->cold.acked_psn; p != psn; p++) {
            set_bit(rc, p, false);
        }
    }
    rc->cold.acked_psn = psn;
    return true;
}

bool
rc_sacked__(struct rc *rc, uint32_t base, uint64_t bits)
{
    struct rc_sender *sender = &rc->sender;
    uint32_t end_psn = sender->hole_end_psn;

    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t psn = base + i;

        if ((bits >> i & 1) && psn_minus(psn, rc->cold.acked_psn) > 0 &&
            psn - rc->cold.acked_psn <= bit_mask(rc) &&
            psn_minus(psn, sender->high_psn) < 0) {
            set_bit(rc, psn, true);
            if (psn_minus(psn, end_psn) > 0) {
                end_psn = psn;
            }
        }
    }
    if (end_psn == sender->hole_end_psn) {
        return false;
    }
    sender->hole_end_psn = end_psn;
    return true;
}

void
rc_unsacked__(struct rc *rc, uint32_t psn)
{
    set_bit(rc, psn, false);
}

void
rc_refused__(struct rc *rc, uint32_t psn)
{
    struct rc_sender *sender = &rc->sender;

    set_bit(rc, psn, false);
    sender->hole_psn = psn;
    if (psn_minus(psn + 1, sender->hole_end_psn) > 0) {
        sender->hole_end_psn = psn + 1;
    }
}

bool
rc_trimmed__(struct rc *rc, uint32_t psn, uint64_t bits)
{
    struct rc_sender *sender = &rc->sender;
    bool any = false;

    for (uint32_t i = 64; i-- > 0;) {
        const uint32_t lost = psn + i;

        if (!(bits >> i & 1) || psn_minus(lost, rc->cold.acked_psn) < 0 ||
            psn_minus(lost, sender->high_psn) >= 0) {
            continue;
        }
        if (psn_minus(lost, sender->hole_psn) < 0 ||
            psn_minus(sender->hole_end_psn, sender->hole_psn) <= 0) {
            sender->hole_psn = lost;
        }
        if (psn_minus(lost + 1, sender->hole_end_psn) > 0) {
            sender->hole_end_psn = lost + 1;
        }
        any = true;
    }
    return any;
}

/* Whether the peer has not received the packet at 'psn'. */
static bool
is_missing(const struct rc *rc, uint32_t psn)
{
    if (psn_minus(psn, rc->cold.acked_psn) < 0) {
        return false;
    }
    return psn - rc->cold.acked_psn > bit_mask(rc) ||
           !rc_bit(rc->cold.sacked, bit_mask(rc), psn);
}

bool
rc_next_hole__(struct rc *rc, const struct rc_wqe **wqe, uint32_t *psn)
{
    struct rc_sender *sender = &rc->sender;
    uint32_t index = sender->una;

    if (psn_minus(sender->hole_psn, sender->una_psn) < 0) {
        sender->hole_psn = sender->una_psn;
    }
    while (psn_minus(sender->hole_end_psn, sender->hole_psn) > 0) {
        uint32_t first = sender->hole_psn;

        *wqe = rc_wqe(sender, index);
        if (psn_minus(first, (*wqe)->last_psn) > 0) {
            index++;
            continue;
        }
        if (rc_is_read(*wqe)) {
            first = psn_minus((*wqe)->first_psn, sender->una_psn) > 0
                        ? (*wqe)->first_psn
                        : sender->una_psn;
        }
        if (is_missing(rc, first) || (rc_is_read(*wqe) && sender->hole_reads)) {
            *psn = first;
            return true;
        }
        sender->hole_psn = rc_is_read(*wqe) ? (*wqe)->last_psn + 1 : first + 1;
    }
    sender->hole_psn = sender->hole_end_psn;
    sender->hole_reads = false;
    return false;
}
