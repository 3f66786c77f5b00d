/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REMOTE_VERBS_H
#define ORCHD_REMOTE_VERBS_H

/* The verbs of SAI on a switch in another process: those members of
 * vendors/libsai/libsai.h that are calls on objects. */

#include <sai.h>

#include "vendors/libsai/libsai.h"

/* X(member). */
#define VERBS_LIST(X)                                                          \
    LIBSAI_VERBS(X)                                                            \
    X(bulk_get_stats)                                                          \
    X(bulk_clear_stats)                                                        \
    X(bulk_get_attribute)

/* Each is a function of the type of its member: verbs_create() and so on. */
#define X(member) __typeof__(*((struct libsai *)NULL)->member) verbs_##member;
VERBS_LIST(X)
#undef X

#endif /* vendors/remote/verbs.h */
