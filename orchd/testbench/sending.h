/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_SENDING_H
#define ORCHD_TESTBENCH_SENDING_H

/* The send of a scenario on softasic, as a whole or in parts. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/target.h"
#include "vendors/softasic/softasic.h"

struct switch_query;

struct sending {
    const struct softasic_ops *softasic;
    struct softasic_send send;
    struct softasic_ip ip;
    enum target_until until;
    uint64_t count;  /* Of all flows. */
    uint64_t flows;  /* At least 1. */
    uint64_t flow;   /* The one that is being sent, */
    uint64_t n_flow; /* and how many of its frames have been. */
    bool asked;      /* Whether the PG was in XOFF at first, for XON. */
    struct target_sent sent;
};

/* Finds the ports, and the PG and queue of the frames. */
enum st sending_begin(struct sending *sending,
                      const struct softasic_ops *softasic,
                      struct switch_query *query,
                      const struct target_send *wanted, struct err *err);

/* Sends about 'n' (not 0) more frames.  '*is_done': nothing is left to send,
 * and 'sending->sent' is the result. */
enum st sending_continue(struct sending *sending, uint64_t n, bool *is_done,
                         struct err *err);

#endif /* orchd/testbench/sending.h */
