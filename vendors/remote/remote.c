/* SPDX-License-Identifier: Apache-2.0 */

/* The exported functions of SAI as calls to the host. */

#include <config.h>

#include "vendors/remote/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "sai/remote/client.h"
#include "vendors/remote/connection.h"
#include "vendors/remote/verbs.h"

static sai_status_t
initialize(uint64_t flags, const sai_service_method_table_t *services)
{
    const char *socket;

    if (flags != 0 || !services) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (connection_client()) {
        return SAI_STATUS_FAILURE;
    }
    socket = services->profile_get_value
                 ? services->profile_get_value(0, REMOTE_KEY_SOCKET)
                 : NULL;
    if (!socket) {
        (void)fprintf(stderr, "sai-remote: the profile lacks " REMOTE_KEY_SOCKET
                              ", the socket of the host\n");
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return connection_open(services, socket);
}

static sai_status_t
uninitialize(void)
{
    if (!connection_client()) {
        return SAI_STATUS_UNINITIALIZED;
    }
    connection_close();
    return SAI_STATUS_SUCCESS;
}

static bool
is_initialized(void)
{
    return connection_client() != NULL;
}

/* Asking ------------------------------------------------------------------ */

/* Sends a query without a list. */
static sai_status_t
ask(const struct query *query, uint32_t n, const sai_attribute_t *attributes,
    uint64_t *number)
{
    struct client *client = connection_client();
    struct query_answer answer = {0};
    sai_status_t status;

    if (!client) {
        return SAI_STATUS_UNINITIALIZED;
    }
    status = client_ask(client, query, n, attributes, &answer);
    if (status == SAI_STATUS_SUCCESS && number) {
        *number = answer.number;
    }
    return status;
}

/* Queries a list; there is room for '*count' elements at 'list'. */
static sai_status_t
ask_list(struct query *query, uint32_t *count, void *list)
{
    struct client *client = connection_client();
    struct query_answer answer = {.list = list};
    sai_status_t status;

    if (!client) {
        return SAI_STATUS_UNINITIALIZED;
    }
    query->room = !list ? 0 : *count > QUERY_ROOM_MAX ? QUERY_ROOM_MAX : *count;
    status = client_ask(client, query, 0, NULL, &answer);
    if (status == SAI_STATUS_SUCCESS || status == SAI_STATUS_BUFFER_OVERFLOW) {
        *count = answer.count;
    }
    return status;
}

static sai_status_t
log_set(sai_api_t api, sai_log_level_t level)
{
    const struct query query = {
        .kind = QUERY_LOG, .id = (uint32_t)api, .room = (uint32_t)level};

    if (api <= SAI_API_UNSPECIFIED || api >= SAI_API_MAX ||
        level > SAI_LOG_LEVEL_CRITICAL) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    /* SAI allows it before initialisation: then there is no host to set it. */
    return connection_client() ? ask(&query, 0, NULL, NULL)
                               : SAI_STATUS_SUCCESS;
}

static sai_status_t
dump(const char *path)
{
    const uint32_t room = QUERY_ROOM_MAX;
    struct query query = {.kind = QUERY_DUMP};
    uint32_t n = room;
    char *bytes;
    FILE *file;
    sai_status_t status;

    if (!connection_client()) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!path) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    bytes = check_malloc(room);
    status = ask_list(&query, &n, bytes);
    if (status == SAI_STATUS_SUCCESS) {
        file = fopen(path, "we");
        status = !file                            ? SAI_STATUS_INVALID_PARAMETER
                 : fwrite(bytes, 1, n, file) == n ? SAI_STATUS_SUCCESS
                                                  : SAI_STATUS_FAILURE;
        if (file && fclose(file)) {
            status = SAI_STATUS_FAILURE;
        }
    }
    free(bytes);
    return status;
}

static sai_object_type_t
object_type(sai_object_id_t oid)
{
    const struct query query = {.kind = QUERY_TYPE_OF, .oid = oid};
    uint64_t type;

    return ask(&query, 0, NULL, &type) == SAI_STATUS_SUCCESS
               ? (sai_object_type_t)type
               : SAI_OBJECT_TYPE_NULL;
}

static sai_object_id_t
switch_id_of(sai_object_id_t oid)
{
    const struct query query = {.kind = QUERY_SWITCH_OF, .oid = oid};
    uint64_t switch_id;

    return ask(&query, 0, NULL, &switch_id) == SAI_STATUS_SUCCESS
               ? switch_id
               : SAI_NULL_OBJECT_ID;
}

/* Queries a number of 32 bits about 'type'. */
static sai_status_t
ask_count(enum query_kind kind, sai_object_id_t switch_id,
          sai_object_type_t type, uint32_t *count)
{
    const struct query query = {.kind = kind, .oid = switch_id, .type = type};
    uint64_t number = 0;
    sai_status_t status;

    if (!count) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = ask(&query, 0, NULL, &number);
    if (status == SAI_STATUS_SUCCESS) {
        *count = (uint32_t)number;
    }
    return status;
}

static sai_status_t
max_attributes(sai_object_id_t switch_id, sai_object_type_t type,
               uint32_t *count)
{
    return ask_count(QUERY_MAX_ATTRIBUTES, switch_id, type, count);
}

static sai_status_t
object_count(sai_object_id_t switch_id, sai_object_type_t type, uint32_t *count)
{
    return ask_count(QUERY_COUNT, switch_id, type, count);
}

static sai_status_t
object_keys(sai_object_id_t switch_id, sai_object_type_t type, uint32_t *count,
            sai_object_key_t *keys)
{
    struct query query = {.kind = QUERY_KEYS, .oid = switch_id, .type = type};

    return count ? ask_list(&query, count, keys) : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
availability(sai_object_id_t switch_id, sai_object_type_t type, uint32_t n,
             const sai_attribute_t *attributes, uint64_t *count)
{
    const struct query query = {
        .kind = QUERY_AVAILABILITY, .oid = switch_id, .type = type};

    return count && (!n || attributes) ? ask(&query, n, attributes, count)
                                       : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
attribute_capability(sai_object_id_t switch_id, sai_object_type_t type,
                     sai_attr_id_t id, sai_attr_capability_t *capability)
{
    const struct query query = {.kind = QUERY_ATTRIBUTE_CAPABILITY,
                                .oid = switch_id,
                                .type = type,
                                .id = id};
    uint64_t bits = 0;
    sai_status_t status;

    if (!capability) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = ask(&query, 0, NULL, &bits);
    if (status == SAI_STATUS_SUCCESS) {
        memset(capability, 0, sizeof *capability);
        capability->create_implemented = (bits & QUERY_CREATE) != 0;
        capability->set_implemented = (bits & QUERY_SET) != 0;
        capability->get_implemented = (bits & QUERY_GET) != 0;
    }
    return status;
}

static sai_status_t
enum_values(sai_object_id_t switch_id, sai_object_type_t type, sai_attr_id_t id,
            sai_s32_list_t *values)
{
    struct query query = {
        .kind = QUERY_ENUM_VALUES, .oid = switch_id, .type = type, .id = id};

    return values ? ask_list(&query, &values->count, values->list)
                  : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
stats_capability(sai_object_id_t switch_id, sai_object_type_t type,
                 sai_stat_capability_list_t *list)
{
    struct query query = {
        .kind = QUERY_STATS_CAPABILITY, .oid = switch_id, .type = type};

    return list ? ask_list(&query, &list->count, list->list)
                : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
stats_st_capability(sai_object_id_t switch_id, sai_object_type_t type,
                    sai_stat_st_capability_list_t *list)
{
    (void)switch_id;
    (void)type;
    (void)list;
    return SAI_STATUS_NOT_SUPPORTED; /* No streaming telemetry. */
}

static sai_status_t
object_stage(sai_object_id_t switch_id, sai_object_type_t type, uint32_t n,
             const sai_attribute_t *attributes, sai_object_stage_t *stage)
{
    const struct query query = {
        .kind = QUERY_OBJECT_STAGE, .oid = switch_id, .type = type};
    uint64_t number;
    sai_status_t status;

    if (!stage || (n && !attributes)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = ask(&query, n, attributes, &number);
    if (status == SAI_STATUS_SUCCESS) {
        *stage = (sai_object_stage_t)number;
    }
    return status;
}

static sai_status_t
clear_port(sai_object_id_t oid)
{
    const struct query query = {.kind = QUERY_CLEAR_PORT, .oid = oid};

    return ask(&query, 0, NULL, NULL);
}

static sai_status_t
remove_all_neighbors(sai_object_id_t switch_id)
{
    const struct query query = {.kind = QUERY_REMOVE_NEIGHBORS,
                                .oid = switch_id};

    return ask(&query, 0, NULL, NULL);
}

static sai_status_t
flush_fdb_entries(sai_object_id_t switch_id, uint32_t n,
                  const sai_attribute_t *attributes)
{
    const struct query query = {.kind = QUERY_FLUSH_FDB,
                                .oid = switch_id,
                                .type = SAI_OBJECT_TYPE_FDB_FLUSH};

    return n && !attributes ? SAI_STATUS_INVALID_PARAMETER
                            : ask(&query, n, attributes, NULL);
}

const struct libsai *
remote_provider(void)
{
    static const struct libsai provider = {
        .initialize = initialize,
        .uninitialize = uninitialize,
        .log_set = log_set,
        .dump = dump,
        .object_type = object_type,
        .switch_id = switch_id_of,
        .max_attributes = max_attributes,
        .object_count = object_count,
        .object_keys = object_keys,
        .availability = availability,
        .attribute_capability = attribute_capability,
        .enum_values = enum_values,
        .stats_capability = stats_capability,
        .stats_st_capability = stats_st_capability,
        .object_stage = object_stage,
        .is_initialized = is_initialized,
        .clear_port = clear_port,
        .remove_all_neighbors = remove_all_neighbors,
        .flush_fdb_entries = flush_fdb_entries,
#define X(member) .member = verbs_##member,
        VERBS_LIST(X)
#undef X
    };

    return &provider;
}
