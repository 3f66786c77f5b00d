/* SPDX-License-Identifier: Apache-2.0 */

/* The fixed point of the fluid model of DCQCN. */

#include <config.h>

#include "lab/oracle/dcqcn_point.h"

#include <math.h>

void
dcqcn_point_solve(const struct dcqcn_link *link, struct dcqcn_point *point)
{
    const double packet_bits = link->packet_bytes * 8;
    const double n = link->n;
    const double c = link->rate_bps / packet_bits;
    const double increase = link->additive_bps / packet_bits;
    const double by_bytes = link->packet_bytes / link->byte_counter;
    const double stages = by_bytes + n / (link->timer_s * c);
    const double cube =
        increase * n * n / (link->alpha_period_s * c * c) * stages * stages;

    point->p = cbrt(cube);
    point->at_kmax = point->p > link->pmax;
    point->rate_bps = link->rate_bps / n;
    point->queue_bytes =
        point->at_kmax
            ? link->kmax_bytes
            : link->kmin_bytes +
                  point->p / link->pmax * (link->kmax_bytes - link->kmin_bytes);
}
