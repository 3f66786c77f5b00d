/* SPDX-License-Identifier: Apache-2.0 */

/* The exported table of the connection of the process. */

#include <config.h>

#include "sai/remote/testers_table.h"

#include <stddef.h>

#include "sai/remote/client.h"
#include "vendors/remote/connection.h"

static void
watch(notification_testers_fn *fn)
{
    struct client *client = connection_client();

    if (client) {
        client_watch_testers(client, fn);
    }
}

static sai_status_t
report(struct wire_out *out)
{
    struct client *client = connection_client();

    return client ? client_testers(client, out) : SAI_STATUS_NOT_SUPPORTED;
}

const struct testers_table *
sai_remote_testers(uint32_t version)
{
    static const struct testers_table table = {watch, report};

    return version == TESTERS_TABLE_VERSION ? &table : NULL;
}
