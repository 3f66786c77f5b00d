/* SPDX-License-Identifier: Apache-2.0 */

/* Sums up increments of counters. */

#include <config.h>

#include "orchd/watchdog/detection/storm_account.h"

#include <stddef.h>

void
storm_account_begin(struct storm_account *account)
{
    if (account->is_open) {
        return;
    }
    account->is_open = true;
    account->has_base = false;
    /* One that was detected but not restored is a storm of a previous run. */
    if (account->detected <= account->restored) {
        account->detected++;
        account->last = (struct storm_counts){0};
    }
}

/* Returns the increment of a counter.  If it decreased, it was cleared, and its
 * value is the increment since then. */
static uint64_t
growth(uint64_t before, uint64_t now)
{
    return now >= before ? now - before : now;
}

static void
add(struct storm_counts *sum, const struct storm_counts *counts)
{
    sum->tx_packets += counts->tx_packets;
    sum->tx_dropped += counts->tx_dropped;
    sum->rx_packets += counts->rx_packets;
    sum->rx_dropped += counts->rx_dropped;
}

void
storm_account_resume(struct storm_account *account,
                     const struct storm_account *earlier)
{
    const bool same =
        account->detected && earlier->detected > earlier->restored;

    if (!account->detected || (same && account->detected == 1)) {
        add(&account->last, &earlier->last);
    }
    add(&account->total, &earlier->total);
    account->detected += earlier->detected - (same ? 1 : 0);
    account->restored += earlier->restored;
}

void
storm_account_update(struct storm_account *account,
                     const struct storm_counts *counts)
{
    const struct storm_counts *base = &account->base;
    struct storm_counts more;

    if (!account->is_open) {
        return;
    }
    if (account->has_base) {
        more.tx_packets = growth(base->tx_packets, counts->tx_packets);
        more.tx_dropped = growth(base->tx_dropped, counts->tx_dropped);
        more.rx_packets = growth(base->rx_packets, counts->rx_packets);
        more.rx_dropped = growth(base->rx_dropped, counts->rx_dropped);
        add(&account->total, &more);
        add(&account->last, &more);
    }
    account->base = *counts;
    account->has_base = true;
}

void
storm_account_end(struct storm_account *account,
                  const struct storm_counts *counts)
{
    if (!account->is_open) {
        return;
    }
    if (counts) {
        storm_account_update(account, counts);
    }
    account->is_open = false;
    account->restored++;
}
