/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_PROPERTY_DCQCN_EAGER_H
#define ORCHD_TESTS_PROPERTY_DCQCN_EAGER_H

/* The reaction point of DCQCN with one event per period: a reference for the
 * lazy one of twin/transport/dcqcn.h, and obviously the rules of its header.
 * Slow: use it in tests only. */

#include "twin/transport/dcqcn.h"

struct dcqcn_eager {
    const struct dcqcn *dcqcn; /* Borrowed. */
    bool started;
    bool timer_runs;
    int64_t rate_bps;
    int64_t target_bps;
    uint32_t alpha_base;
    uint32_t alpha_age;
    bool alpha_seen;
    bool cut_seen;
    int64_t alpha_at_ps; /* Next end of a period. */
    int64_t timer_at_ps;
    int64_t cut_at_ps; /* Next end of a window. */
    int64_t last_cut_ps;
    bool has_cut;
    uint64_t bytes;
    uint64_t time_stage;
    uint64_t byte_stage;
};

/* Like the functions of dcqcn.h. */
void dcqcn_eager_init(struct dcqcn_eager *eager, const struct dcqcn *dcqcn);
void dcqcn_eager_advance(struct dcqcn_eager *eager, int64_t now_ps);
void dcqcn_eager_sent(struct dcqcn_eager *eager, uint32_t bytes,
                      int64_t now_ps);
void dcqcn_eager_cnp(struct dcqcn_eager *eager, int64_t now_ps);
uint32_t dcqcn_eager_alpha(const struct dcqcn_eager *eager);

#endif /* tests/property/dcqcn_eager.h */
