/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_DCQCN_H
#define ORCHD_TWIN_TRANSPORT_DCQCN_H

/* DCQCN: the rate of a queue pair follows congestion notifications.
 *
 * A switch marks packets (CP, in twin/qos/wred.h).  The receiver of a marked
 * packet sends a congestion notification packet (NP).  The sender cuts its rate
 * by a factor that depends on how frequent notifications are (alpha), and
 * raises it again by a timer and by a counter of sent bytes (RP).  Everything
 * that differs between adapters is data, 'struct dcqcn_profile'.
 *
 * The reaction point.  A notification that is accepted (see enum dcqcn_cut)
 * sets target <- rate unless the clamp rules forbid it, rate <- max(minimum,
 * rate * max(1 - alpha / 2, min_decrease)), restarts the timer and the byte
 * counter and clears their stages T and B.  An expiry of the timer increases T,
 * 'byte_reset' sent bytes increase B.  Each such event moves the rate:
 *
 *     max(T, B) < F        fast recovery: target unchanged
 *     min(T, B) > F        hyper increase: target += hai
 *     otherwise            additive increase: target += ai
 *     target <= line rate; rate <- (rate + target) / 2
 *
 * With 'stage_before' the stages are compared before the event has increased
 * its own.  Without a byte counter only T counts.  Before the first
 * notification the rate is the line rate, and no timer runs.
 *
 * Lazy evaluation.  No event of an engine belongs to these timers: functions
 * with 'now_ps' first bring the state up to date, in constant time however much
 * time has passed.  The result is, bit for bit, that of an evaluation with one
 * event per period; the following choices of rounding make it so.
 *   - The distance d = target - rate is halved by rounding down.  So n events
 * of fast recovery give d >> n, since floor(floor(x / 2) / 2) = floor(x / 4).
 *     An increase by a gives floor((d + a) / 2); with e = d - a this is
 *     floor(e / 2), so that n of them give a + (e >> n), an arithmetic shift.
 *     At the line rate one event has a smaller increase, the later ones none.
 *   - Alpha is a number and an age: the value is base * (1 - g)^age.  A period
 *     without a notification adds 1 to the age and rounds nothing; a period
 *     with one makes a new base.  (1 - g)^age comes from a table of three
 *     levels of 64 powers and is 0 from 2^18 periods on.  With the definition
 * of alpha_value() in dcqcn.c, bases and powers are rounded down.
 *   - At equal times the order is: alpha, timer, cut, then the caller's event.
 *     A period ends at its last picosecond: an event of the caller at the very
 *     end belongs to the next one.
 *
 * Rates are integers in bit/s, alpha has 30 fractional bits, times are in
 * picoseconds.  Each new base of alpha is less than 2^-28 too small, an error
 * that decays as alpha does.
 *
 * Times given to one reaction or notification point must not go back.
 *
 * Reference: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments",
 * SIGCOMM 2015; parameters of adapters: vendor documentation of ConnectX;
 * "fork": the public ns-3 RDMA simulator of HPCC. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum dcqcn_alpha_mode {
    /* A notification adds g at once, after the cut, and restarts the period;
     * a period without one decays alpha. */
    DCQCN_ALPHA_ON_CNP,
    /* Periods run freely from the first notification; at the end of each alpha
     * decays, and grows by g if a notification arrived in it. */
    DCQCN_ALPHA_PER_PERIOD,
};

enum dcqcn_cut {
    /* At each notification, but only 'cut_window_ps' after the cut before; a
     * notification before that is not accepted. */
    DCQCN_CUT_AT_ONCE,
    /* At the end of free-running windows, from the first notification plus
     * 'cut_offset_ps' on, if a notification arrived in the window. */
    DCQCN_CUT_PER_WINDOW,
};

enum dcqcn_np_mode {
    DCQCN_NP_WINDOW,     /* At most one CNP per queue pair and gap. */
    DCQCN_NP_PER_PACKET, /* One per marked packet, but of the whole adapter at
                          * most one per gap (0: no limit). */
    DCQCN_NP_ON_ACK,     /* A bit in the ACK of each marked packet; no CNP. */
};

/* Bounds of a profile: 4.4 Tb/s, and 1,000 s. */
#define DCQCN_MAX_BPS (INT64_C(1) << 42)
#define DCQCN_MAX_PS  INT64_C(1000000000000000)
enum { DCQCN_MAX_STAGES = 250 };

/* The parameters of an adapter.  Times are at most DCQCN_MAX_PS, rates at most
 * DCQCN_MAX_BPS. */
struct dcqcn_profile {
    const char *name;
    const char *source; /* Where the values are from. */

    uint32_t g_numerator; /* g = numerator / denominator, in (0, 1). */
    uint32_t g_denominator;
    enum dcqcn_alpha_mode alpha_mode;
    int64_t alpha_period_ps;         /* Tau'; not 0. */
    uint32_t initial_alpha_permille; /* At the first notification; 1..1000. */

    enum dcqcn_cut cut;
    int64_t cut_window_ps; /* 0 with DCQCN_CUT_AT_ONCE: each one cuts. */
    int64_t cut_offset_ps;
    uint32_t min_decrease_percent; /* Of the rate, that a cut leaves; 0..100. */
    uint32_t first_rate_percent;   /* Rate set at the first notification, of the
                                    * present one; 1..100.  100: unchanged. */
    bool clamp_target;             /* Always target <- rate at a cut; else only
                                    * if B > 0, or ... */
    bool clamp_after_time;         /* ... if T > 0 with this. */

    int64_t timer_ps;          /* Not 0. */
    uint32_t byte_reset_bytes; /* 0: no byte counter.  At most 2^31. */
    uint8_t stages;            /* F: 1..DCQCN_MAX_STAGES. */
    bool stage_before;
    int64_t ai_bps;
    int64_t hai_bps;
    int64_t min_bps; /* Not 0. */

    enum dcqcn_np_mode np_mode;
    int64_t np_gap_ps;
};

/* Returns the profile of 'name', or NULL: paper, firmware, fork-dcqcn,
 * fork-dcqcn-paper.  Static. */
const struct dcqcn_profile *dcqcn_profile_get(const char *name);

/* Returns the 'i'th profile, NULL behind the last one.  Static. */
const struct dcqcn_profile *dcqcn_profile_at(size_t i);

/* Returns ST_OK, or ST_INVALID and the reason in '*err' (may be NULL) if a
 * member of 'profile' is out of the range given above. */
enum st dcqcn_profile_check(const struct dcqcn_profile *profile,
                            struct err *err) ST_WARN_UNUSED;

enum {
    DCQCN_POWER_LEVELS = 3,
    DCQCN_POWERS = 64,
    DCQCN_ALPHA_BITS = 30,
    DCQCN_POWER_BITS = 31
};

/* A profile made ready for one line rate.  Shared by the queue pairs that use
 * it, and read-only for them. */
struct dcqcn {
    struct dcqcn_profile profile;
    int64_t line_bps;
    uint32_t g;             /* With DCQCN_ALPHA_BITS fractional bits. */
    uint32_t initial_alpha; /* The same. */
    uint32_t min_factor;    /* That a cut leaves, with 31 fractional bits. */
    /* (1 - g)^(i * 64^level), with DCQCN_POWER_BITS fractional bits. */
    uint32_t powers[DCQCN_POWER_LEVELS][DCQCN_POWERS];
};

/* Initialises '*dcqcn' from 'profile', which is copied, and the line rate (not
 * below the minimum rate, at most
 * DCQCN_MAX_BPS).  Fails like dcqcn_profile_check(). */
enum st dcqcn_init(struct dcqcn *dcqcn, const struct dcqcn_profile *profile,
                   int64_t line_bps, struct err *err) ST_WARN_UNUSED;

/* The reaction point of a queue pair.  The members are private. */
struct dcqcn_rp {
    int64_t next_ps; /* Before this the rate does not change by itself. */
    int64_t target_bps;
    int64_t deficit_bps; /* Target - rate; not negative. */
    int64_t timer_at_ps; /* Next expiry; INT64_MAX before the first
                          * notification or cut. */
    int64_t cut_at_ps;   /* Per window: the end of a window, the present one if
                          * a cut is pending.  At once: when the next
                          * notification is accepted. */
    int64_t alpha_at_ps; /* The last period that is included ended here. */
    uint32_t alpha_base;
    uint32_t alpha_age;
    uint32_t bytes;     /* Sent since the last byte stage. */
    uint8_t time_stage; /* Both stages stop at 255. */
    uint8_t byte_stage;
    bool started;        /* After the first notification. */
    bool alpha_seen : 1; /* A notification in the present period. */
    bool cut_pending : 1;
};

/* The notification point of a queue pair (or of an adapter, see
 * DCQCN_NP_PER_PACKET).  Zero-initialised. */
struct dcqcn_np {
    int64_t next_ps; /* When the next notification may be sent. */
};

/* Initialises '*rp' at the line rate. */
void dcqcn_rp_init(struct dcqcn_rp *rp, const struct dcqcn *dcqcn);

/* Brings '*rp' up to 'now_ps'; called by the functions below. */
void dcqcn_rp_advance(struct dcqcn_rp *rp, const struct dcqcn *dcqcn,
                      int64_t now_ps);

/* Returns the rate at 'now_ps' in bit/s. */
static inline int64_t
dcqcn_rp_rate(struct dcqcn_rp *rp, const struct dcqcn *dcqcn, int64_t now_ps)
{
    if (now_ps >= rp->next_ps) {
        dcqcn_rp_advance(rp, dcqcn, now_ps);
    }
    return rp->target_bps - rp->deficit_bps;
}

/* Counts 'bytes' (at most 2^31) sent at 'now_ps'.  The byte counter runs from
 * the first cut on. */
void dcqcn_rp_sent(struct dcqcn_rp *rp, const struct dcqcn *dcqcn,
                   uint32_t bytes, int64_t now_ps);

/* Handles a congestion notification that arrives at 'now_ps'. */
void dcqcn_rp_cnp(struct dcqcn_rp *rp, const struct dcqcn *dcqcn,
                  int64_t now_ps);

/* Replaces the parameters 'from' of '*rp' by 'to', with the same line rate, at
 * 'now_ps'.  Its rate (if not below the new minimum) and alpha stay; a period
 * that has begun ends as it was to end. */
void dcqcn_rp_tune(struct dcqcn_rp *rp, const struct dcqcn *from,
                   const struct dcqcn *to, int64_t now_ps);

/* Returns alpha at 'now_ps' with DCQCN_ALPHA_BITS fractional bits; the initial
 * value before the first notification. */
uint32_t dcqcn_rp_alpha(struct dcqcn_rp *rp, const struct dcqcn *dcqcn,
                        int64_t now_ps);

/* Returns whether the marked packet received at 'now_ps' causes a notification:
 * a CNP, or with DCQCN_NP_ON_ACK the bit in the packet's ACK. */
bool dcqcn_np_marked(struct dcqcn_np *np, const struct dcqcn *dcqcn,
                     int64_t now_ps);

#endif /* twin/transport/dcqcn.h */
