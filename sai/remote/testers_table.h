/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_TESTERS_TABLE_H
#define ORCHD_SAI_REMOTE_TESTERS_TABLE_H

/* How a client of a libsai whose switch is in another process learns of
 * testers: libsai-remote.so and libsai-softasic.so export the function
 * sai_remote_testers, which is no part of SAI. */

#include <stdint.h>

#include <sai.h>

#include "sai/remote/notification.h"
#include "sai/remote/wire.h"

#define TESTERS_TABLE_SYMBOL  "sai_remote_testers"
#define TESTERS_TABLE_VERSION UINT32_C(1)

struct testers_table {
    /* See client_watch_testers() and client_testers() of sai/remote/client.h;
     * without a connection to a host they do nothing and return
     * NOT_SUPPORTED. */
    void (*watch)(notification_testers_fn *fn);
    sai_status_t (*report)(struct wire_out *report);
};

/* Returns the table of 'version', NULL if the library has another; static. */
typedef const struct testers_table *testers_table_fn(uint32_t version);
testers_table_fn sai_remote_testers;

#endif /* sai/remote/testers_table.h */
