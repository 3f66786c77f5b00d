/* SPDX-License-Identifier: Apache-2.0 */

/* Sums of differences. */

#include <config.h>

#include "orchd/watchdog/account.h"

#include <stddef.h>

void
account_begin(struct account *account)
{
    if (account->is_open) {
        return;
    }
    account->is_open = true;
    account->has_base = false;
    /* One that was detected and not restored is the storm of an earlier run. */
    if (account->detected <= account->restored) {
        account->detected++;
        account->last = (struct storm_counts){0};
    }
}

/* Returns how much a counter grew; one that runs backwards was cleared, and has
 * counted what it shows since. */
static uint64_t
growth(uint64_t before, uint64_t now)
{
    return now >= before ? now - before : now;
}

void
account_update(struct account *account, const struct storm_counts *counts)
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
        account->total.tx_packets += more.tx_packets;
        account->total.tx_dropped += more.tx_dropped;
        account->total.rx_packets += more.rx_packets;
        account->total.rx_dropped += more.rx_dropped;
        account->last.tx_packets += more.tx_packets;
        account->last.tx_dropped += more.tx_dropped;
        account->last.rx_packets += more.rx_packets;
        account->last.rx_dropped += more.rx_dropped;
    }
    account->base = *counts;
    account->has_base = true;
}

void
account_end(struct account *account, const struct storm_counts *counts)
{
    if (!account->is_open) {
        return;
    }
    if (counts) {
        account_update(account, counts);
    }
    account->is_open = false;
    account->restored++;
}
