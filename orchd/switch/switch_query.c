/* SPDX-License-Identifier: Apache-2.0 */

/* Objects by name, and their counters as JSON. */

#include <config.h>

#include "orchd/switch/switch_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/pfc.h"
#include "base/text.h"
#include "orchd/reconcile/agent.h"
#include "sai/core/backend.h"
#include "sai/core/metadata.h"
#include "sai/core/status.h"
#include "vendors/softasic/softasic.h"

static const struct {
    const char *word;
    sai_object_type_t type;
    bool indexed;
} kinds[] = {
#define X(member, word, type, indexed) {word, type, indexed},
    SWITCH_QUERY_KIND_LIST(X)
#undef X
};

/* The counters that a vendor supports for one object type. */
struct supported_stats {
    bool known;
    sai_stat_id_t *ids;
    char (*names)[SWITCH_QUERY_STAT_SIZE]; /* "shared_watermark_bytes" */
    uint32_t n;
};

struct switch_query {
    const struct agent *agent;
    struct sai_backend *backend;
    const struct softasic_ops *softasic;
    struct supported_stats supported[N_SWITCH_QUERY_KINDS];
};

struct switch_query *
switch_query_create(const struct agent *agent, struct sai_backend *backend,
                    const struct softasic_ops *softasic)
{
    struct switch_query *query = check_calloc(1, sizeof *query);

    query->agent = agent;
    query->backend = backend;
    query->softasic = softasic;
    return query;
}

void
switch_query_destroy(struct switch_query *query)
{
    for (size_t i = 0; query && i < N_SWITCH_QUERY_KINDS; i++) {
        free(query->supported[i].ids);
        free(query->supported[i].names);
    }
    free(query);
}

sai_object_type_t
switch_query_type(enum switch_query_kind kind)
{
    return kinds[kind].type;
}

enum st
switch_query_check(struct switch_query *query, struct err *err)
{
    enum st st;

    if (query->backend) {
        return ST_OK;
    }
    st = err_set(err, ST_NOT_FOUND, "no-asic",
                 "the ASIC is not initialized yet");
    err_set_remedy(err, "load a configuration with DEVICE_METADATA or PORT "
                        "rows: orchctl config load FILE");
    return st;
}

enum st
switch_query_check_soft(struct switch_query *query, struct err *err)
{
    enum st st = switch_query_check(query, err);

    if (!st && !query->softasic) {
        st = err_set(err, ST_UNSUPPORTED, "not-softasic",
                     "the libsai behind orchd is not softasic, or is that of "
                     "another build: it cannot send packets or stop time");
    }
    return st;
}

enum st
switch_query_status(sai_status_t status, const char *what, struct err *err)
{
    char name[STATUS_NAME_SIZE];
    char code[STATUS_NAME_SIZE + 4];
    enum st st = st_from_sai(status);

    if (st) {
        status_name(status, name, sizeof name);
        text_format(code, sizeof code, "sai:%s", name);
        /* A request that SAI rejects was valid for orchd. */
        st = err_set(err, st == ST_INVALID ? ST_DEVICE : st, code,
                     "the ASIC did not %s: %s", what, name);
    }
    return st;
}

/* Names of objects of a table. */
struct known {
    struct choices choices;
    enum table table;
};

/* Adds the name of 'object' if it is on the ASIC and of the table. */
static void
add_name(void *known_, const struct object *object)
{
    struct known *known = known_;

    if (object->name.table == known->table && object->name.index <= 0 &&
        object->oid != SAI_NULL_OBJECT_ID) {
        choices_add(&known->choices, object->name.name);
    }
}

/* Completes 'err', whose reason says that the ASIC has no object 'name' of
 * 'table', with the names there are. */
static void
explain(const struct switch_query *query, enum table table, const char *field,
        const char *name, struct err *err)
{
    struct known known = {.table = table};

    choices_init(&known.choices, name);
    agent_each_object(query->agent, add_name, &known);
    (void)choices_explain(&known.choices, field, err);
}

/* Reports that there is no such port, and lists the ports. */
static enum st
fail_no_port(const struct switch_query *query, const char *name,
             struct err *err)
{
    err_set(err, ST_NOT_FOUND, "no-port", "there is no port %s on the ASIC",
            name);
    explain(query, TABLE_PORT, "port", name, err);
    return ST_NOT_FOUND;
}

enum st
switch_query_port(struct switch_query *query, const char *name,
                  sai_object_id_t *oid, struct err *err)
{
    const struct object *object =
        agent_object(query->agent, TABLE_PORT, name, -1);
    enum st st = switch_query_check(query, err);

    if (!st && (!object || object->oid == SAI_NULL_OBJECT_ID)) {
        st = fail_no_port(query, name, err);
    }
    if (!st) {
        *oid = object->oid;
    }
    return st;
}

bool
switch_query_get(struct switch_query *query, sai_object_type_t type,
                 sai_object_id_t oid, sai_attr_id_t id,
                 sai_attribute_value_t *value)
{
    sai_attribute_t attribute = {.id = id, .value = *value};

    if (query->backend->ops->get(query->backend, type, oid, 1, &attribute) !=
        SAI_STATUS_SUCCESS) {
        return false;
    }
    *value = attribute.value;
    return true;
}

uint32_t
switch_query_children(struct switch_query *query, sai_object_id_t port,
                      enum switch_query_kind kind, sai_object_id_t *oids)
{
    sai_attr_id_t id = kind == SWITCH_QUERY_PG
                           ? SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST
                           : SAI_PORT_ATTR_QOS_QUEUE_LIST;
    sai_attribute_value_t value = {
        .objlist = {.count = SWITCH_QUERY_CHILDREN_MAX, .list = oids}};

    return switch_query_get(query, SAI_OBJECT_TYPE_PORT, port, id, &value)
               ? value.objlist.count
               : 0;
}

/* Finds a priority group or queue of a port. */
static enum st
find_child(struct switch_query *query, struct switch_query_object *object,
           struct err *err)
{
    sai_object_id_t oids[SWITCH_QUERY_CHILDREN_MAX];
    sai_object_id_t port;
    uint32_t n;
    enum st st = switch_query_port(query, object->name, &port, err);

    if (st) {
        return st;
    }
    n = switch_query_children(query, port, object->kind, oids);
    if (object->index >= n) {
        return err_set(err, ST_NOT_FOUND, "no-place",
                       "there is no %s %s|%u: port %s has %u, numbered from 0",
                       kinds[object->kind].word, object->name, object->index,
                       object->name, n);
    }
    object->oid = oids[object->index];
    return ST_OK;
}

/* Finds a pool by its name in CONFIG_DB. */
static enum st
find_pool(struct switch_query *query, struct switch_query_object *object,
          struct err *err)
{
    const struct object *pool =
        agent_object(query->agent, TABLE_BUFFER_POOL, object->name, -1);
    enum st st = switch_query_check(query, err);

    if (!st && (!pool || pool->oid == SAI_NULL_OBJECT_ID)) {
        st = err_set(err, ST_NOT_FOUND, "no-pool",
                     "there is no pool %s on the ASIC", object->name);
        explain(query, TABLE_BUFFER_POOL, "pool", object->name, err);
        err_set_remedy(err, "list the pools with: orchctl show pools");
    }
    if (!st) {
        object->oid = pool->oid;
    }
    return st;
}

enum st
switch_query_find(struct switch_query *query, const char *word,
                  const char *name, unsigned int index,
                  struct switch_query_object *object, struct err *err)
{
    size_t kind = 0;

    while (kind < N_SWITCH_QUERY_KINDS && strcmp(kinds[kind].word, word)) {
        kind++;
    }
    if (kind == N_SWITCH_QUERY_KINDS) {
        struct choices choices;

        choices_init(&choices, word);
        choices_add_list(&choices, "port, pg, queue, pool");
        err_set(err, ST_INVALID, "usage", "there is no kind of object '%s'",
                word);
        return choices_explain(&choices, "kind", err);
    }
    *object = (struct switch_query_object){(enum switch_query_kind)kind, name,
                                           index, SAI_NULL_OBJECT_ID};
    if (kinds[kind].indexed) {
        return find_child(query, object, err);
    }
    if (kind == SWITCH_QUERY_POOL) {
        return find_pool(query, object, err);
    }
    return switch_query_port(query, name, &object->oid, err);
}

void
switch_query_stat_name(const char *counter,
                       char name[SWITCH_QUERY_STAT_SIZE])
{
    const char *tail = strstr(counter, "_STAT_");

    text_copy(name, SWITCH_QUERY_STAT_SIZE, tail ? tail + 6 : counter);
    for (char *p = name; *p; p++) {
        if (*p >= 'A' && *p <= 'Z') {
            *p = (char)(*p - 'A' + 'a');
        }
    }
}

/* Tries each counter of an object type on 'oid'. */
static void
probe_stats(struct switch_query *query, enum switch_query_kind kind,
            sai_object_id_t oid, struct supported_stats *supported)
{
    const struct metadata_object *object = metadata_object(kinds[kind].type);

    supported->known = true;
    supported->ids = check_calloc(object->n_stats, sizeof *supported->ids);
    supported->names = check_calloc(object->n_stats, sizeof *supported->names);
    for (size_t i = 0; i < object->n_stats; i++) {
        const struct metadata_stat *stat = &object->stats[i];
        uint64_t value;

        if (query->backend->ops->get_stats(query->backend, object->type, oid, 1,
                                           &stat->id, SAI_STATS_MODE_READ,
                                           &value) == SAI_STATUS_SUCCESS) {
            supported->ids[supported->n] = stat->id;
            switch_query_stat_name(stat->name, supported->names[supported->n]);
            supported->n++;
        }
    }
}

/* JSON has signed numbers of 64 bits; no counter exceeds them. */
static void
put(json_t *stats, const char *name, uint64_t value)
{
    json_int_t number = value > INT64_MAX ? INT64_MAX : (json_int_t)value;

    json_object_set_new(stats, name, json_integer(number));
}

/* Like put(), but skips a limit that does not exist. */
static void
put_limit(json_t *stats, const struct softasic_amount *limit)
{
    if (limit->bytes != SOFTASIC_NO_LIMIT) {
        put(stats, "limit_bytes", limit->bytes);
    }
}

/* Returns the supported counters of the type of 'object'; the first call for a
 * type tries them on 'object'. */
static const struct supported_stats *
stats_supported_by(struct switch_query *query,
                   const struct switch_query_object *object)
{
    struct supported_stats *supported = &query->supported[object->kind];

    if (!supported->known) {
        probe_stats(query, object->kind, object->oid, supported);
    }
    return supported;
}

enum st
switch_query_clear(struct switch_query *query,
                   const struct switch_query_object *object, struct err *err)
{
    const struct supported_stats *supported = stats_supported_by(query, object);
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && i < supported->n; i++) {
        uint64_t value;

        if (strstr(supported->names[i], "watermark")) {
            st = switch_query_status(
                query->backend->ops->get_stats(
                    query->backend, kinds[object->kind].type, object->oid, 1,
                    &supported->ids[i], SAI_STATS_MODE_READ_AND_CLEAR, &value),
                "clear a watermark", err);
        }
    }
    return st;
}

/* Adds the counters of SAI, in one call. */
static void
put_sai(struct switch_query *query, const struct switch_query_object *object,
        json_t *stats)
{
    const struct supported_stats *supported = stats_supported_by(query, object);
    uint64_t *values;

    values = check_calloc(supported->n + 1, sizeof *values);
    if (supported->n &&
        query->backend->ops->get_stats(query->backend, kinds[object->kind].type,
                                       object->oid, supported->n,
                                       supported->ids, SAI_STATS_MODE_READ,
                                       values) == SAI_STATUS_SUCCESS) {
        for (uint32_t i = 0; i < supported->n; i++) {
            put(stats, supported->names[i], values[i]);
        }
    }
    free(values);
}

/* Adds what SAI has no counter for: which priorities are paused, and whether
 * the port may transmit. */
static void
put_soft_port(const struct softasic_ops *softasic, sai_object_id_t oid,
              json_t *stats)
{
    struct softasic_port_state state;

    if (softasic->port_state(oid, &state) != SAI_STATUS_SUCCESS) {
        return;
    }
    put(stats, "tx_enabled", state.tx_enabled);
    put(stats, "rx_frames", state.n_rx_frames);
    put(stats, "tx_frames", state.n_tx_frames);
    put(stats, "rx_dropped", state.n_rx_dropped);
    put(stats, "tx_dropped", state.n_tx_dropped);
    put(stats, "queued", state.n_queued);
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        char name[24];

        text_format(name, sizeof name, "pfc_%u_xoff", i);
        put(stats, name, (uint64_t)(state.xoff_mask >> i) & 1);
    }
}

/* Adds the components of the occupancy, which SAI reports only in part, and
 * whether the sender is paused. */
static void
put_soft_pg(const struct softasic_ops *softasic, sai_object_id_t oid,
            json_t *stats)
{
    struct softasic_pg_state state;

    if (softasic->pg_state(oid, &state) != SAI_STATUS_SUCCESS) {
        return;
    }
    put(stats, "xoff", state.xoff);
    put(stats, "lossless", state.lossless);
    put(stats, "reserved_bytes", state.reserved.bytes);
    put(stats, "shared_bytes", state.shared.bytes);
    put(stats, "headroom_bytes", state.headroom.bytes);
    put_limit(stats, &state.limit);
    put(stats, "dropped", state.n_dropped);
}

/* The same for a queue, which has no headroom. */
static void
put_soft_queue(const struct softasic_ops *softasic, sai_object_id_t oid,
               json_t *stats)
{
    struct softasic_queue_state state;

    if (softasic->queue_state(oid, &state) != SAI_STATUS_SUCCESS) {
        return;
    }
    put(stats, "reserved_bytes", state.reserved.bytes);
    put(stats, "shared_bytes", state.shared.bytes);
    put_limit(stats, &state.limit);
    put(stats, "frames", state.n_frames);
    put(stats, "dropped", state.n_dropped);
    put(stats, "wred_dropped", state.n_wred_dropped);
    if (state.has_delays) {
        put(stats, "p50_delay_ps", (uint64_t)state.p50_delay_ps);
        put(stats, "p99_delay_ps", (uint64_t)state.p99_delay_ps);
        put(stats, "max_delay_ps", (uint64_t)state.max_delay_ps);
    }
}

/* Adds the size that thresholds are computed from. */
static void
put_soft_pool(const struct softasic_ops *softasic, sai_object_id_t oid,
              json_t *stats)
{
    struct softasic_pool_state state;

    if (softasic->pool_state(oid, &state) != SAI_STATUS_SUCCESS) {
        return;
    }
    put(stats, "size_bytes", state.size.bytes);
    put(stats, "headroom_size_bytes", state.headroom_size.bytes);
    put(stats, "shared_size_bytes", state.shared_size.bytes);
    put(stats, "partitions", state.n_partitions);
    put(stats, "used_bytes",
        state.reserved.bytes + state.shared.bytes + state.headroom.bytes);
    put(stats, "shared_bytes", state.shared.bytes);
    put(stats, "headroom_bytes", state.headroom.bytes);
}

typedef void put_soft_fn(const struct softasic_ops *softasic,
                         sai_object_id_t oid, json_t *stats);

static put_soft_fn *const put_soft[N_SWITCH_QUERY_KINDS] = {
    [SWITCH_QUERY_PORT] = put_soft_port,
    [SWITCH_QUERY_PG] = put_soft_pg,
    [SWITCH_QUERY_QUEUE] = put_soft_queue,
    [SWITCH_QUERY_POOL] = put_soft_pool,
};

json_t *
switch_query_stats(struct switch_query *query,
                   const struct switch_query_object *object)
{
    json_t *stats = json_object();

    put_sai(query, object, stats);
    if (query->softasic) {
        put_soft[object->kind](query->softasic, object->oid, stats);
    }
    return stats;
}

bool
switch_query_counts(const char *name)
{
    static const char *const parts[] = {"watermark", "occupancy", "qlen",
                                        "_delay_ps", "_xoff"};
    static const char *const words[] = {
        "frames",
        "headroom_bytes",
        "headroom_size_bytes",
        "limit_bytes",
        "lossless",
        "partitions",
        "queued",
        "reserved_bytes",
        "shared_bytes",
        "size_bytes",
        "shared_size_bytes",
        "tx_enabled",
        "used_bytes",
        "xoff",
    };
    bool counts = true;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        counts = counts && !strstr(name, parts[i]);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        counts = counts && strcmp(name, words[i]) != 0;
    }
    return counts;
}

json_t *
switch_query_snapshot(struct switch_query *query,
                      const struct switch_query_object *object)
{
    json_t *snapshot = json_object();

    json_object_set_new(snapshot, "kind",
                        json_string(kinds[object->kind].word));
    json_object_set_new(snapshot, "name", json_string(object->name));
    if (kinds[object->kind].indexed) {
        json_object_set_new(snapshot, "index", json_integer(object->index));
    }
    json_object_set_new(snapshot, "stats", switch_query_stats(query, object));
    return snapshot;
}
