/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CONFIRMATION_H
#define ORCHD_RECONCILE_CONFIRMATION_H

/* Changes that another program makes.
 *
 * Behind some backends no call changes the ASIC: another program does, some
 * time later, and the backend only compares what was asked for with what it
 * sees.  A call that it cannot confirm yet returns SAI_STATUS_NOT_EXECUTED, or
 * SAI_STATUS_FAILURE after a bounded time.  To the executor that is a device
 * that failed: the value is uncertain, and the change is tried again.  To the
 * author of a row it is not, so the backend explains it. */

#include <stdbool.h>

#include <sai.h>

struct err;

/* What was refused. */
struct confirmation_request {
    sai_object_type_t type;
    sai_object_id_t oid; /* SAI_NULL_OBJECT_ID: it is to be created. */
    const char *name;    /* Of the object: "BUFFER_POOL|x". */
    sai_attr_id_t attribute;
    bool whole; /* 'attribute' does not matter: the object as a whole. */
    sai_status_t status;
};

struct confirmation {
    /* Fills 'err' with what is missing or differs, and returns true; false if
     * the refusal was not for lack of a confirmation. */
    bool (*explain)(void *context, const struct confirmation_request *request,
                    struct err *err);
    void *context;
};

#endif /* orchd/reconcile/confirmation.h */
