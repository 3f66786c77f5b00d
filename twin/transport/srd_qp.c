/* SPDX-License-Identifier: Apache-2.0 */

/* Queue pairs over SRD contexts. */

#include <config.h>

#include "twin/transport/srd_qp.h"

#include <stdlib.h>

#include "base/check.h"

enum st
srd_qp_init(struct srd_qp *qp, uint32_t number, uint32_t send_depth,
            uint32_t receive_depth)
{
    if (!send_depth || send_depth > SRD_QP_MAX_DEPTH ||
        receive_depth > SRD_QP_MAX_DEPTH) {
        return ST_INVALID;
    }
    *qp = (struct srd_qp){.number = number,
                          .send_depth = send_depth,
                          .receive_depth = receive_depth};
    if (receive_depth) {
        qp->lengths = check_calloc(receive_depth, sizeof *qp->lengths);
    }
    return ST_OK;
}

void
srd_qp_fini(struct srd_qp *qp)
{
    free(qp->lengths);
    qp->lengths = NULL;
}

enum st
srd_qp_post(struct srd_qp *qp, struct srd *context, uint32_t mtu_bytes,
            struct srd_request *request, enum srd_status *status)
{
    if (qp->n_sends == qp->send_depth) {
        return ST_NO_RESOURCE;
    }
    request->source_qp = qp->number;
    *status = qp->is_in_error                     ? SRD_FLUSHED
              : request->length_bytes > mtu_bytes ? SRD_LOCAL_LENGTH
                                                  : SRD_OK;
    if (*status == SRD_OK) {
        qp->n_sends++;
        srd_post(context, request);
    }
    return ST_OK;
}

void
srd_qp_completed(struct srd_qp *qp)
{
    orch_assert(qp->n_sends);
    qp->n_sends--;
}

enum st
srd_qp_post_receive(struct srd_qp *qp, uint32_t length_bytes)
{
    if (qp->is_in_error) {
        return ST_INVALID;
    }
    if (qp->n_receives == qp->receive_depth) {
        return ST_NO_RESOURCE;
    }
    qp->lengths[(qp->first_receive + qp->n_receives++) % qp->receive_depth] =
        length_bytes;
    return ST_OK;
}

enum srd_status
srd_qp_admit(struct srd_qp *qp, uint32_t length_bytes)
{
    if (!qp || qp->is_in_error) {
        return SRD_BAD_DEST_QP;
    }
    if (qp->receive_depth == SRD_QP_UNLIMITED) {
        return SRD_OK;
    }
    if (!qp->n_receives) {
        return SRD_RNR;
    }
    if (qp->lengths[qp->first_receive] < length_bytes) {
        return SRD_REMOTE_LENGTH;
    }
    qp->first_receive = (qp->first_receive + 1) % qp->receive_depth;
    qp->n_receives--;
    return SRD_OK;
}

void
srd_qp_set_error(struct srd_qp *qp, bool is_in_error)
{
    qp->is_in_error = is_in_error;
    qp->n_receives = 0;
}

const char *
srd_status_name(enum srd_status status)
{
    static const char *const names[] = {
        [SRD_OK] = "success",
        [SRD_FLUSHED] = "flushed",
        [SRD_LOCAL_LENGTH] = "longer than the MTU",
        [SRD_BAD_DEST_QP] = "bad destination queue pair",
        [SRD_RNR] = "receiver not ready",
        [SRD_REMOTE_LENGTH] = "longer than the receive request",
    };

    return status < SRD_N_STATUSES ? names[status] : "unknown";
}
