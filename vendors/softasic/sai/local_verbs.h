/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_LOCAL_VERBS_H
#define ORCHD_SOFTASIC_SAI_LOCAL_VERBS_H

/* The verbs of SAI on the switch of this process, for any object type: the
 * common part of the functions in SAI's tables.
 *
 * They return SAI_STATUS_UNINITIALIZED without a switch, and
 * SAI_STATUS_INVALID_PARAMETER for missing memory.  A refusal that has an
 * explanation is logged at level INFO.
 *
 * Entries are objects with a key rather than an id: routes and neighbors
 * (vendors/softasic/program/routes.h) and addresses of the forwarding database
 * (vendors/softasic/program/fdb_entries.h). */

#include <sai.h>

#include "vendors/libsai/libsai.h"

/* X(member): those members of struct libsai that are verbs. */
#define LOCAL_VERBS(X)                                                         \
    LIBSAI_VERBS(X)                                                            \
    X(clear_port)                                                              \
    X(remove_all_neighbors)                                                    \
    X(flush_fdb_entries)

/* Each is a function of the type of its member: local_verbs_create() and so
 * on.  local_verbs_flush_fdb_entries() does what fdb_entries_flush() says. */
#define X(member)                                                              \
    __typeof__(*((struct libsai *)NULL)->member) local_verbs_##member;
LOCAL_VERBS(X)
#undef X

#endif /* vendors/softasic/sai/local_verbs.h */
