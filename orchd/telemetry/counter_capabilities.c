/* SPDX-License-Identifier: Apache-2.0 */

/* Reads each counter of a table once. */

#include <config.h>

#include "orchd/telemetry/counter_capabilities.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "sai/core/backend.h"

#define QUEUE(name, stat)                                                      \
    {                                                                          \
        SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_STAT_##stat,                          \
            "QUEUE_COUNTER_CAPABILITIES|WRED_ECN_QUEUE_" name                  \
    }
#define PORT(name, stat)                                                       \
    {                                                                          \
        SAI_OBJECT_TYPE_PORT, SAI_PORT_STAT_##stat,                            \
            "PORT_COUNTER_CAPABILITIES|WRED_ECN_PORT_WRED_" name               \
    }

static const struct {
    sai_object_type_t type;
    sai_stat_id_t id;
    const char *key;
} rows[] = {
    QUEUE("ECN_MARKED_PKT_COUNTER", WRED_ECN_MARKED_PACKETS),
    QUEUE("ECN_MARKED_BYTE_COUNTER", WRED_ECN_MARKED_BYTES),
    QUEUE("WRED_DROPPED_PKT_COUNTER", WRED_DROPPED_PACKETS),
    QUEUE("WRED_DROPPED_BYTE_COUNTER", WRED_DROPPED_BYTES),
    PORT("GREEN_DROP_COUNTER", GREEN_WRED_DROPPED_PACKETS),
    PORT("YELLOW_DROP_COUNTER", YELLOW_WRED_DROPPED_PACKETS),
    PORT("RED_DROP_COUNTER", RED_WRED_DROPPED_PACKETS),
    PORT("TOTAL_DROP_COUNTER", WRED_DROPPED_PACKETS),
};

enum { N_ROWS = sizeof rows / sizeof *rows };

struct counter_capabilities {
    struct redis *redis;
    struct sai_backend
        *backend; /* NULL before counter_capabilities_attach(). */
    bool asked[N_ROWS];
    bool has[N_ROWS];
};

struct counter_capabilities *
counter_capabilities_create(struct redis *redis)
{
    struct counter_capabilities *capabilities =
        check_calloc(1, sizeof *capabilities);

    capabilities->redis = redis;
    return capabilities;
}

void
counter_capabilities_destroy(struct counter_capabilities *capabilities)
{
    free(capabilities);
}

void
counter_capabilities_attach(struct counter_capabilities *capabilities,
                            struct sai_backend *backend)
{
    *capabilities =
        (struct counter_capabilities){capabilities->redis, backend, {0}, {0}};
}

static void
publish(const struct counter_capabilities *capabilities, int i)
{
    const struct field field = {"isSupported",
                                capabilities->has[i] ? "true" : "false"};

    redis_hset(capabilities->redis, STATE_DB, rows[i].key, &field, 1);
}

void
counter_capabilities_object(struct counter_capabilities *capabilities,
                            sai_object_type_t type, sai_object_id_t oid)
{
    struct sai_backend *backend = capabilities->backend;
    uint64_t value;

    for (int i = 0; backend && i < N_ROWS; i++) {
        if (rows[i].type == type && !capabilities->asked[i]) {
            capabilities->asked[i] = true;
            capabilities->has[i] =
                backend->ops->get_stats(backend, type, oid, 1, &rows[i].id,
                                        SAI_STATS_MODE_READ,
                                        &value) == SAI_STATUS_SUCCESS;
            publish(capabilities, i);
        }
    }
}

void
counter_capabilities_restart(const struct counter_capabilities *capabilities)
{
    for (int i = 0; i < N_ROWS; i++) {
        if (capabilities->asked[i]) {
            publish(capabilities, i);
        }
    }
}
