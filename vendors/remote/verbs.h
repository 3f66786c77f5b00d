/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REMOTE_VERBS_H
#define ORCHD_REMOTE_VERBS_H

/* The verbs of SAI on a switch in another process: those members of
 * vendors/libsai/libsai.h that are about objects. */

#include <sai.h>

#include "vendors/libsai/libsai.h"

/* X(member). */
#define VERBS_LIST(X)                                                          \
    X(create_switch)                                                           \
    X(remove_switch)                                                           \
    X(create)                                                                  \
    X(remove)                                                                  \
    X(set)                                                                     \
    X(get)                                                                     \
    X(stats)                                                                   \
    X(bulk_get_stats)                                                          \
    X(bulk_clear_stats)                                                        \
    X(bulk_get_attribute)                                                      \
    X(bulk_create)                                                             \
    X(bulk_remove)                                                             \
    X(bulk_set)                                                                \
    X(bulk_get)                                                                \
    X(entry_create)                                                            \
    X(entry_remove)                                                            \
    X(entry_set)                                                               \
    X(entry_get)                                                               \
    X(entries_create)                                                          \
    X(entries_remove)                                                          \
    X(entries_set)                                                             \
    X(entries_get)

/* Each is a function of the type of its member: verbs_create() and so on. */
#define X(member) __typeof__(*((struct libsai *)NULL)->member) verbs_##member;
VERBS_LIST(X)
#undef X

#endif /* vendors/remote/verbs.h */
