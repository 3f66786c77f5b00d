/* SPDX-License-Identifier: Apache-2.0 */

/* PFC points, what fires first, and headroom. */

#include <config.h>

#include "lab/oracle/buffer.h"

#include "base/check.h"
#include "base/picoseconds.h"
#include "lab/oracle/delay.h"

uint64_t
buffer_pg_point(uint64_t shared, uint32_t n, struct buffer_alpha alpha)
{
    /* alpha S / (1 + N alpha), multiplied by the denominator of alpha. */
    const unsigned __int128 above = (unsigned __int128)shared * alpha.numerator;
    const unsigned __int128 below =
        (unsigned __int128)n * alpha.numerator + alpha.denominator;

    orch_assert(n && alpha.numerator && alpha.denominator);
    return (uint64_t)(above / below);
}

uint64_t
buffer_pfc_point(uint64_t shared, uint32_t n, struct buffer_alpha alpha)
{
    const unsigned __int128 weight = (unsigned __int128)n * alpha.numerator;

    orch_assert(n && alpha.numerator && alpha.denominator);
    return (uint64_t)(weight * shared / (weight + alpha.denominator));
}

enum buffer_first
buffer_first(uint64_t shared, uint32_t n, struct buffer_alpha alpha,
             uint64_t kmin, uint64_t kmax)
{
    const uint64_t point = buffer_pfc_point(shared, n, alpha);

    return kmax < point   ? BUFFER_ECN_FULLY_FIRST
           : kmin < point ? BUFFER_ECN_FIRST
                          : BUFFER_PFC_FIRST;
}

/* Returns the bytes that 'rate_bps' sends in 'ps', rounded up. */
static uint64_t
bytes_in(int64_t ps, uint64_t rate_bps)
{
    const unsigned __int128 product = (unsigned __int128)ps * rate_bps;
    const unsigned __int128 unit = (unsigned __int128)PS_PER_S * 8;

    return (uint64_t)((product + unit - 1) / unit);
}

uint64_t
buffer_in_flight_bytes(uint64_t rate_bps, uint64_t length_mm)
{
    return bytes_in((int64_t)(2 * length_mm * DELAY_PS_PER_MM), rate_bps);
}

uint64_t
buffer_headroom_bytes(const struct buffer_link *link)
{
    const int64_t waiting_ps =
        (int64_t)(2 * link->length_mm * DELAY_PS_PER_MM) + link->response_ps;

    return bytes_in(waiting_ps, link->rate_bps) + link->own_bytes +
           link->pause_bytes + link->peer_bytes;
}
