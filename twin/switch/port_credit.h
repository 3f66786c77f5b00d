/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_PORT_CREDIT_H
#define ORCHD_TWIN_SWITCH_PORT_CREDIT_H

/* Credit-based flow control (twin/qos/credit.h) at the ports of a switch.
 *
 * A port that sends by credits takes a frame out of a queue only while the
 * virtual channel (VC) of that queue, its pool and the port have credits for
 * the whole frame.  The other queues go on.  A port that receives by credits
 * counts each frame by the VC of its traffic class, and frees its credits when
 * the last copy has left the buffer of the switch, at once if there was none.
 * What the buffer has for the frames is up to its configuration: credits are
 * not cells, and a sender with a limit above the buffer of its peer loses
 * frames.
 *
 * Both ends need the same unit, VCs and maps, and start from zero together,
 * while nothing is on the link.
 *
 * CF updates leave at once, even inside a frame, whose next one then takes
 * CREDIT_CF_BYTES longer; they keep a distance of 'cf_min_bytes' of the wire,
 * and are repeated after 'cf_max_bytes'.  CC updates are MAC control frames,
 * every 'cc_timer_us'.  Not paused and not credited are MAC control and what
 * the processor sends (sim_emit()); but the latter is charged, because the
 * receiver counts it.
 *
 * A port of a chassis cannot do this: its frames wait at other line cards. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "twin/qos/credit.h"

struct sim;

enum {
    SIM_CREDIT_QUEUES = 64,
    SIM_CREDIT_TCS = 16,

    SIM_CREDIT_MIN_CC_US = 1,
    SIM_CREDIT_MAX_CC_US = 250000,
    SIM_CREDIT_DEFAULT_CC_US = 256,
    SIM_CREDIT_MIN_CF_MIN = 800, /* Of 'cf_min_bytes'. */
    SIM_CREDIT_MAX_CF_MIN = 65535,
    SIM_CREDIT_DEFAULT_CF_MIN = 6400,
    SIM_CREDIT_MIN_CF_MAX = 16384, /* Of 'cf_max_bytes'. */
    SIM_CREDIT_MAX_CF_MAX = 1048576,
    SIM_CREDIT_DEFAULT_CF_MAX = 262144,
};

/* The members that SAI proposes for a port have its ranges and defaults. */
struct sim_credit_config {
    struct credit_unit unit;
    uint32_t limit; /* Of what is sent, over all VCs; 0: none. */
    uint32_t pool_size[CREDIT_MAX_POOLS];
    struct {
        bool sends;                    /* By this profile; else best effort. */
        struct credit_profile profile; /* Valid if it 'sends'. */
        bool receives; /* Else what arrives on it is not counted. */
    } vcs[CREDIT_MAX_VCS];
    uint8_t queue_vc[SIM_CREDIT_QUEUES]; /* By queue of the port. */
    uint8_t tc_vc[SIM_CREDIT_TCS];
    uint32_t cc_timer_us; /* 0: no CC updates, so losses do not heal. */
    uint32_t cf_min_bytes;
    uint32_t cf_max_bytes;
};

/* Returns a configuration without profiles and with the defaults of the rest;
 * queue i and traffic class i are on VC i modulo 32, and no VC has a pool. */
struct sim_credit_config sim_credit_defaults(void);

/* Makes 'port' send and receive by 'config', which is copied, from counters of
 * zero; NULL: without credits.
 * ST_NOT_FOUND; ST_UNSUPPORTED: of a chassis; ST_INVALID: a member is out of
 * range, or the pools have not what is reserved; then nothing changes. */
enum st
sim_port_set_credits(struct sim *sim, uint32_t port,
                     const struct sim_credit_config *config) ST_WARN_UNUSED;

/* What a port has done by credits. */
struct sim_credit_stats {
    struct credit_sender sender;
    struct credit_receiver receiver;
    uint64_t cc_tx, cf_tx, cc_rx, cf_rx;
};

/* ST_NOT_FOUND: there is no such port, or it has no credits. */
enum st sim_port_get_credits(const struct sim *sim, uint32_t port,
                             struct sim_credit_stats *stats) ST_WARN_UNUSED;

/* 'port' receives a CF update from a peer outside the simulation, which says
 * that 'freed' credits of 'vc' are free (modulo CREDIT_MODULUS).
 * ST_NOT_FOUND: there is no such port, or it has no credits; ST_INVALID: there
 * is no such VC, or it has not consumed so much. */
enum st sim_port_credit_update(struct sim *sim, uint32_t port, unsigned int vc,
                               uint32_t freed) ST_WARN_UNUSED;

#endif /* twin/switch/port_credit.h */
