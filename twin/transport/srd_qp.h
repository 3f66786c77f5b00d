/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_SRD_QP_H
#define ORCHD_TWIN_TRANSPORT_SRD_QP_H

/* Queue pairs over SRD contexts (srd.h), with the semantics of EFA.
 *
 * One queue pair sends to any number of peers: each send request names the
 * context of the peer and the queue pair there.  So p processes of a node need
 * p queue pairs, where RC needs N p p for N nodes; contexts are one per pair of
 * adapters.  A message is one datagram, of at most the MTU.
 *
 * Errors concern one request only: neither the context nor the queue pair at
 * either end changes.  A datagram for a queue pair that does not exist, is in
 * the error state, has no receive request or a shorter one is dropped and
 * acknowledged with that status, and the sender completes it with the same.  It
 * does not retry, also not for a missing receive request (RNR).
 *
 * Source: SRD.txt of the EFA driver, sections 1, 3.2 and 3.3.  Left out: memory
 * regions and their errors, gather lists, address handles apart from contexts,
 * asynchronous events. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/transport/srd.h"

enum { SRD_QP_MAX_DEPTH = 32768, SRD_QP_UNLIMITED = 0 };

/* A queue pair.  Zeroed: none. */
struct srd_qp {
    uint32_t number;        /* At its adapter. */
    uint32_t send_depth;    /* Requests outstanding at most. */
    uint32_t n_sends;       /* Outstanding. */
    uint32_t receive_depth; /* SRD_QP_UNLIMITED: needs no receive requests. */
    uint32_t *lengths;      /* Of receive requests: a ring.  Owned. */
    uint32_t first_receive;
    uint32_t n_receives;
    bool is_in_error;
};

/* Fills '*qp'.  ST_INVALID: 'send_depth' is 0, or a depth is above
 * SRD_QP_MAX_DEPTH.  End with srd_qp_fini(). */
enum st srd_qp_init(struct srd_qp *qp, uint32_t number, uint32_t send_depth,
                    uint32_t receive_depth) ST_WARN_UNUSED;
void srd_qp_fini(struct srd_qp *qp);

/* Posts 'request' to 'context', with the MTU 'mtu_bytes', from 'qp'; its
 * 'source_qp' is set.  ST_NO_RESOURCE: the send queue is full.  ST_OK: posted;
 * or '*status' says with which error it has ended at once, SRD_OK: it has
 * not. */
enum st srd_qp_post(struct srd_qp *qp, struct srd *context, uint32_t mtu_bytes,
                    struct srd_request *request,
                    enum srd_status *status) ST_WARN_UNUSED;

/* Notes that srd_poll() has returned a completion of 'qp'. */
void srd_qp_completed(struct srd_qp *qp);

/* Posts a receive request.  ST_NO_RESOURCE: the queue is full, or needs none.
 * ST_INVALID: the queue pair is in the error state. */
enum st srd_qp_post_receive(struct srd_qp *qp,
                            uint32_t length_bytes) ST_WARN_UNUSED;

/* Returns what 'qp' (NULL: there is none) says to a datagram of 'length_bytes'.
 * With SRD_OK it has taken a receive request for it. */
enum srd_status srd_qp_admit(struct srd_qp *qp, uint32_t length_bytes);

/* Puts 'qp' into the error state, or back into operation.  The receive requests
 * are gone; the caller flushes the contexts (srd_flush()). */
void srd_qp_set_error(struct srd_qp *qp, bool is_in_error);

/* Returns the words for 'status', such as "receiver not ready". */
const char *srd_status_name(enum srd_status status);

#endif /* twin/transport/srd_qp.h */
