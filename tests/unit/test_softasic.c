/* SPDX-License-Identifier: Apache-2.0 */

/* The software switch through SAI's tables: objects, codes, and whole
 * breakpoint tests with the numbers of real chips. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <sai.h>

#include "tests/support/asic_setup.h"
#include "tests/support/tempfile.h"
#include "twin/mmu/mmu.h"
#include "vendors/libsai/stubs.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/softasic.h"
#include "vendors/softasic/watch.h"

enum { MAX_PORTS = 600, MAX_CHILDREN = 32 };

/* The profile that the library asks for. */
static const char *profile_keys[8][2];

static const char *
profile_get(sai_switch_profile_id_t id, const char *name)
{
    (void)id;
    for (uint32_t i = 0; i < N(profile_keys) && profile_keys[i][0]; i++) {
        if (strcmp(profile_keys[i][0], name) == 0) {
            return profile_keys[i][1];
        }
    }
    return NULL;
}

static void
set_profile(const char *model)
{
    memset(profile_keys, 0, sizeof profile_keys);
    profile_keys[0][0] = "SOFTASIC_MODEL_DIR";
    profile_keys[0][1] = TOP_SRCDIR "/chips";
    profile_keys[1][0] = "SOFTASIC_MODEL";
    profile_keys[1][1] = model;
}

struct fixture {
    const sai_switch_api_t *switch_api;
    const sai_port_api_t *port_api;
    const sai_buffer_api_t *buffer_api;
    const sai_queue_api_t *queue_api;
    const sai_qos_map_api_t *map_api;
    const struct softasic_ops *ops;
    sai_object_id_t sw;
    sai_object_id_t ports[MAX_PORTS];
    uint32_t n_ports;
};

static void
query(sai_api_t api, const void *table)
{
    void *found = NULL;

    assert_int_equal(sai_api_query(api, &found), SAI_STATUS_SUCCESS);
    assert_non_null(found);
    memcpy((void *)(uintptr_t)table, &found, sizeof found);
}

static void
initialize(struct fixture *f)
{
    static const sai_service_method_table_t services = {.profile_get_value =
                                                            profile_get};

    assert_int_equal(sai_api_initialize(0, &services), SAI_STATUS_SUCCESS);
    query(SAI_API_SWITCH, &f->switch_api);
    query(SAI_API_PORT, &f->port_api);
    query(SAI_API_BUFFER, &f->buffer_api);
    query(SAI_API_QUEUE, &f->queue_api);
    query(SAI_API_QOS_MAP, &f->map_api);
    f->ops = softasic_ops(SOFTASIC_OPS_VERSION);
    assert_non_null(f->ops);
}

static sai_status_t
create_switch(struct fixture *f)
{
    const sai_attribute_t init = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                  {.booldata = true}};

    return f->switch_api->create_switch(&f->sw, 1, &init);
}

static void
list_ports(struct fixture *f)
{
    sai_attribute_t attribute = {SAI_SWITCH_ATTR_PORT_LIST,
                                 {.objlist = {MAX_PORTS, f->ports}}};

    assert_int_equal(f->switch_api->get_switch_attribute(f->sw, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    f->n_ports = attribute.value.objlist.count;
}

/* Makes the switch of the profile as it is. */
static int
setup_profile(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    initialize(f);
    assert_int_equal(create_switch(f), SAI_STATUS_SUCCESS);
    list_ports(f);
    *state = f;
    return 0;
}

static int
setup(void **state, const char *model)
{
    set_profile(model);
    return setup_profile(state);
}

static int
setup_td2_leaking(void **state)
{
    set_profile("td2");
    profile_keys[2][0] = "SOFTASIC_LEAK_OUT";
    profile_keys[2][1] = "on";
    return setup_profile(state);
}

static int
setup_td2(void **state)
{
    return setup(state, "td2");
}

static int
setup_generic(void **state)
{
    return setup(state, "generic");
}

static int
teardown(void **state)
{
    assert_int_equal(sai_api_uninitialize(), SAI_STATUS_SUCCESS);
    free(*state);
    return 0;
}

/* Short forms --------------------------------------------------------- */

static sai_status_t
set_port(struct fixture *f, sai_object_id_t port, sai_attr_id_t id,
         sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    return f->port_api->set_port_attribute(port, &attribute);
}

static void
port_bool(struct fixture *f, sai_object_id_t port, sai_attr_id_t id, bool on)
{
    assert_int_equal(
        set_port(f, port, id, (sai_attribute_value_t){.booldata = on}),
        SAI_STATUS_SUCCESS);
}

static void
block(struct fixture *f, sai_object_id_t port)
{
    port_bool(f, port, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
}

static void
unblock(struct fixture *f, sai_object_id_t port)
{
    port_bool(f, port, SAI_PORT_ATTR_PKT_TX_ENABLE, true);
}

static sai_object_id_t
child(struct fixture *f, sai_object_id_t port, sai_attr_id_t list,
      uint32_t index)
{
    sai_object_id_t oids[MAX_CHILDREN];
    sai_attribute_t attribute = {list, {.objlist = {MAX_CHILDREN, oids}}};

    assert_int_equal(f->port_api->get_port_attribute(port, 1, &attribute),
                     SAI_STATUS_SUCCESS);
    assert_true(index < attribute.value.objlist.count);
    return oids[index];
}

static sai_object_id_t
pg_of(struct fixture *f, sai_object_id_t port, uint32_t index)
{
    return child(f, port, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, index);
}

static sai_object_id_t
queue_of(struct fixture *f, sai_object_id_t port, uint32_t index)
{
    return child(f, port, SAI_PORT_ATTR_QOS_QUEUE_LIST, index);
}

static sai_status_t
try_pool(struct fixture *f, sai_int32_t type, uint64_t size, uint64_t xoff,
         sai_object_id_t *oid)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = size}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = type}},
        {SAI_BUFFER_POOL_ATTR_XOFF_SIZE, {.u64 = xoff}},
    };

    return f->buffer_api->create_buffer_pool(oid, f->sw, xoff ? 3 : 2,
                                             attributes);
}

static sai_object_id_t
make_pool(struct fixture *f, sai_int32_t type, uint64_t size)
{
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    assert_int_equal(try_pool(f, type, size, 0, &oid), SAI_STATUS_SUCCESS);
    return oid;
}

/* Sizes and thresholds of a profile; unused ones are 0. */
struct profile {
    sai_object_id_t pool;
    uint64_t size;
    bool is_static;
    int8_t dynamic_th;
    uint64_t static_th;
    uint64_t xoff;
    uint64_t xon;
    uint64_t xon_offset;
};

static sai_object_id_t
make_profile(struct fixture *f, const struct profile *p)
{
    sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = p->pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = p->size}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = p->is_static ? SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC
                              : SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = p->dynamic_th}},
        {SAI_BUFFER_PROFILE_ATTR_XOFF_TH, {.u64 = p->xoff}},
        {SAI_BUFFER_PROFILE_ATTR_XON_TH, {.u64 = p->xon}},
        {SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH, {.u64 = p->xon_offset}},
    };
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;

    if (p->is_static) {
        attributes[3] = (sai_attribute_t){
            SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH, {.u64 = p->static_th}};
    }
    assert_int_equal(f->buffer_api->create_buffer_profile(
                         &oid, f->sw, p->xoff ? 7 : 4, attributes),
                     SAI_STATUS_SUCCESS);
    return oid;
}

static sai_status_t
bind_pg(struct fixture *f, sai_object_id_t pg, sai_object_id_t profile)
{
    const sai_attribute_t attribute = {
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, {.oid = profile}};

    return f->buffer_api->set_ingress_priority_group_attribute(pg, &attribute);
}

static sai_status_t
bind_queue(struct fixture *f, sai_object_id_t queue, sai_object_id_t profile)
{
    const sai_attribute_t attribute = {SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                                       {.oid = profile}};

    return f->queue_api->set_queue_attribute(queue, &attribute);
}

static sai_status_t
try_map(struct fixture *f, sai_int32_t type, uint32_t n,
        const sai_qos_map_t *pairs, sai_object_id_t *oid)
{
    const sai_attribute_t attributes[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = type}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
         {.qosmap = {n, (sai_qos_map_t *)(uintptr_t)pairs}}},
    };

    return f->map_api->create_qos_map(oid, f->sw, 2, attributes);
}

/* Gives 'port' maps by which DSCP, TC, PG and queue 0..7 are the same. */
struct name_maps {
    sai_object_id_t dscp_to_tc;
    sai_object_id_t tc_to_pg;
    sai_object_id_t tc_to_queue;
};

static struct name_maps
make_maps(struct fixture *f)
{
    sai_qos_map_t dscp[8] = {0};
    sai_qos_map_t pg[8] = {0};
    sai_qos_map_t queue[8] = {0};
    struct name_maps maps = {0};

    for (uint8_t i = 0; i < 8; i++) {
        dscp[i].key.dscp = i;
        dscp[i].value.tc = pg[i].key.tc = queue[i].key.tc = i;
        pg[i].value.pg = i;
        queue[i].value.queue_index = i;
    }
    assert_int_equal(
        try_map(f, SAI_QOS_MAP_TYPE_DSCP_TO_TC, 8, dscp, &maps.dscp_to_tc),
        SAI_STATUS_SUCCESS);
    assert_int_equal(try_map(f, SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, 8, pg,
                             &maps.tc_to_pg),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        try_map(f, SAI_QOS_MAP_TYPE_TC_TO_QUEUE, 8, queue, &maps.tc_to_queue),
        SAI_STATUS_SUCCESS);
    return maps;
}

static void
use_maps(struct fixture *f, sai_object_id_t port, const struct name_maps *maps)
{
    const struct {
        sai_attr_id_t id;
        sai_object_id_t map;
    } rows[] = {
        {SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP, maps->dscp_to_tc},
        {SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP, maps->tc_to_pg},
        {SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP, maps->tc_to_queue},
    };

    for (uint32_t i = 0; i < N(rows); i++) {
        assert_int_equal(set_port(f, port, rows[i].id,
                                  (sai_attribute_value_t){.oid = rows[i].map}),
                         SAI_STATUS_SUCCESS);
    }
}

static uint64_t
pg_stat(struct fixture *f, sai_object_id_t pg, sai_stat_id_t id,
        sai_stats_mode_t mode)
{
    uint64_t value = 0;

    assert_int_equal(f->buffer_api->get_ingress_priority_group_stats_ext(
                         pg, 1, &id, mode, &value),
                     SAI_STATUS_SUCCESS);
    return value;
}

static uint64_t
port_stat(struct fixture *f, sai_object_id_t port, sai_stat_id_t id)
{
    uint64_t value = 0;

    assert_int_equal(f->port_api->get_port_stats(port, 1, &id, &value),
                     SAI_STATUS_SUCCESS);
    return value;
}

static struct softasic_sent
send(struct fixture *f, sai_object_id_t from, sai_object_id_t to, uint64_t n,
     uint8_t dscp, enum softasic_until until)
{
    const struct softasic_send order = {.from = from,
                                        .to = to,
                                        .n_frames = n,
                                        .frame_bytes = 64,
                                        .dscp = dscp,
                                        .until = until};
    struct softasic_sent sent;

    assert_int_equal(f->ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    return sent;
}

static bool
is_xoff(struct fixture *f, sai_object_id_t pg)
{
    struct softasic_pg_state state;

    assert_int_equal(f->ops->pg_state(pg, &state), SAI_STATUS_SUCCESS);
    return state.xoff;
}

/* A Trident 2 as SONiC configures it: 32 ports, PG 3 and 4 lossless. */
struct td2 {
    struct name_maps maps;
    sai_object_id_t ingress_pool;
    sai_object_id_t egress_lossless_pool;
    sai_object_id_t egress_lossy_pool;
    sai_object_id_t pg_lossless;
    sai_object_id_t pg_lossy;
    sai_object_id_t queue_lossless;
    sai_object_id_t queue_lossy;
};

static struct td2
configure_td2(struct fixture *f)
{
    struct td2 t = {.maps = make_maps(f)};

    t.ingress_pool = make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 12766208);
    t.egress_lossless_pool =
        make_pool(f, SAI_BUFFER_POOL_TYPE_EGRESS, 12766208);
    t.egress_lossy_pool = make_pool(f, SAI_BUFFER_POOL_TYPE_EGRESS, 7326924);
    t.pg_lossless = make_profile(f, &(struct profile){.pool = t.ingress_pool,
                                                      .size = 56368,
                                                      .dynamic_th = -3,
                                                      .xoff = 55120,
                                                      .xon = 18432,
                                                      .xon_offset = 2496});
    t.pg_lossy = make_profile(f, &(struct profile){.pool = t.ingress_pool,
                                                   .is_static = true,
                                                   .static_th = 12766208});
    t.queue_lossless =
        make_profile(f, &(struct profile){.pool = t.egress_lossless_pool,
                                          .is_static = true,
                                          .static_th = 12766208});
    t.queue_lossy = make_profile(
        f, &(struct profile){
               .pool = t.egress_lossy_pool, .size = 1518, .dynamic_th = 3});
    for (uint32_t p = 0; p < f->n_ports; p++) {
        port_bool(f, f->ports[p], SAI_PORT_ATTR_ADMIN_STATE, true);
        use_maps(f, f->ports[p], &t.maps);
        assert_int_equal(set_port(f, f->ports[p],
                                  SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                                  (sai_attribute_value_t){.u8 = 0x18}),
                         SAI_STATUS_SUCCESS);
        for (uint32_t i = 0; i < 8; i++) {
            const bool lossless = i == 3 || i == 4;

            assert_int_equal(bind_pg(f, pg_of(f, f->ports[p], i),
                                     lossless ? t.pg_lossless : t.pg_lossy),
                             SAI_STATUS_SUCCESS);
            assert_int_equal(
                bind_queue(f, queue_of(f, f->ports[p], i),
                           lossless ? t.queue_lossless : t.queue_lossy),
                SAI_STATUS_SUCCESS);
        }
    }
    return t;
}

/* Breakpoints --------------------------------------------------------- */

static void
test_td2_pauses_and_drops_where_hardware_does(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t b = f->ports[1];
    const sai_object_id_t pg = pg_of(f, a, 3);
    struct softasic_received row;
    struct softasic_pg_state pg_state;
    struct softasic_sent sent;
    uint64_t paused;
    uint64_t n_sent;
    uint32_t n = 1;

    (void)configure_td2(f);
    assert_int_equal(f->n_ports, 32);
    block(f, b);

    sent = send(f, a, b, 10000, 3, SOFTASIC_UNTIL_XOFF);
    assert_int_equal(sent.event, SOFTASIC_UNTIL_XOFF);
    assert_int_equal(sent.n_frames, 4898);
    assert_int_equal(sent.pg, pg);
    assert_int_equal(sent.queue, queue_of(f, b, 3));
    assert_true(sent.xoff);
    assert_int_equal(sent.n_dropped_ingress, 0);
    paused = port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PKTS);
    assert_true(paused > 0);
    assert_int_equal(send(f, a, b, 10, 3, SOFTASIC_UNTIL_XOFF).n_frames, 0);

    sent = send(f, a, b, 10000, 3, SOFTASIC_UNTIL_DROP);
    assert_int_equal(sent.event, SOFTASIC_UNTIL_DROP);
    assert_int_equal(4898 + sent.n_frames, 5164);
    assert_int_equal(sent.n_dropped_ingress, 1);
    assert_int_equal(sent.n_dropped_egress, 0);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_IF_IN_DISCARDS), 1);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_IN_DROPPED_PKTS), 1);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_IF_IN_UCAST_PKTS), 5164);
    assert_int_equal(port_stat(f, b, SAI_PORT_STAT_IF_OUT_DISCARDS), 0);
    assert_int_equal(port_stat(f, b, SAI_PORT_STAT_IF_OUT_QLEN), 5163);

    assert_int_equal(f->ops->pg_state(pg, &pg_state), SAI_STATUS_SUCCESS);
    assert_int_equal(pg_state.reserved.cells, 6);
    assert_int_equal(pg_state.shared.cells, 4892);
    assert_int_equal(pg_state.headroom.cells, 265);
    assert_int_equal(pg_state.headroom.bytes, 265 * 208);

    /* Pause is refreshed while it holds, and not afterwards. */
    assert_int_equal(f->ops->run(5 * INT64_C(1000000000)), SAI_STATUS_SUCCESS);
    assert_true(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PKTS) > paused);
    unblock(f, b);
    assert_int_equal(f->ops->settle(&n_sent), SAI_STATUS_SUCCESS);
    assert_int_equal(n_sent, 5163);
    assert_false(is_xoff(f, pg));
    paused = port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PKTS);
    assert_int_equal(f->ops->run(5 * INT64_C(1000000000)), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PKTS), paused);

    assert_int_equal(f->ops->received(b, &n, &row), SAI_STATUS_SUCCESS);
    assert_int_equal(n, 1);
    assert_int_equal(row.dscp, 3);
    assert_int_equal(row.queue_index, 3);
    assert_int_equal(row.n_frames, 5163);
    assert_int_equal(row.n_bytes, 5163 * 64);
    assert_false(row.ce);
    n = 1;
    assert_int_equal(f->ops->received(b, &n, &row), SAI_STATUS_SUCCESS);
    assert_int_equal(n, 0);
}

/* What a watcher has seen of one PG, and of all objects. */
struct watched {
    sai_object_id_t port;
    uint64_t n_levels, n_drops, n_frames;
    uint64_t peak_bytes, last_bytes, limit_bytes;
    uint64_t xoff_bytes;       /* When XOFF came. */
    uint64_t xoff_limit_bytes; /* The threshold then. */
    int balance;               /* XOFF without XON, and so pauses. */
    int64_t last_ps;
};

static void
on_change(void *context, const struct softasic_change *change)
{
    struct watched *seen = context;
    const bool is_pg = change->object == seen->port && change->index == 3;

    assert_true(change->now_ps >= seen->last_ps);
    seen->last_ps = change->now_ps;
    if (change->kind == SOFTASIC_CHANGE_PG && is_pg) {
        seen->n_levels++;
        seen->limit_bytes = change->limit_bytes;
        seen->last_bytes = change->shared_bytes;
        if (change->shared_bytes > seen->peak_bytes) {
            seen->peak_bytes = change->shared_bytes;
        }
    } else if (change->kind == SOFTASIC_CHANGE_XOFF && is_pg) {
        seen->balance += change->begins ? 1 : -1;
        if (change->begins) {
            seen->xoff_bytes = seen->last_bytes;
            seen->xoff_limit_bytes = seen->limit_bytes;
        }
    } else if (change->kind == SOFTASIC_CHANGE_PAUSE_SENT) {
        assert_int_equal(change->begins, seen->balance);
    } else if (change->kind == SOFTASIC_CHANGE_DROP) {
        assert_true(is_pg);
        assert_int_equal(change->why, SOFTASIC_DROP_HEADROOM);
        assert_int_equal(change->frame_bytes, 64);
        seen->n_drops++;
    }
}

static void
on_frame(void *context, const struct softasic_frame *frame)
{
    struct watched *seen = context;

    seen->n_frames += frame->dscp == 3;
}

static void
test_td2_watcher_sees_the_pause_at_the_threshold(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t b = f->ports[1];
    struct watched seen = {.port = a};
    const struct softasic_watcher watcher = {on_change, on_frame, &seen};
    uint64_t n_levels;

    (void)configure_td2(f);
    assert_int_equal(softasic_watch(&watcher), SAI_STATUS_SUCCESS);
    block(f, b);
    assert_int_equal(send(f, a, b, 10000, 3, SOFTASIC_UNTIL_XOFF).n_frames,
                     4898);
    assert_int_equal(seen.n_levels, 4898);
    assert_int_equal(seen.balance, 1);
    assert_int_equal(seen.xoff_bytes, 4892 * 208);
    assert_true(seen.xoff_bytes >= seen.xoff_limit_bytes);
    assert_true(seen.xoff_bytes - 208 < seen.xoff_limit_bytes);
    assert_int_equal(send(f, a, b, 10000, 3, SOFTASIC_UNTIL_DROP).event,
                     SOFTASIC_UNTIL_DROP);
    assert_int_equal(seen.n_drops, 1);
    unblock(f, b);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(seen.balance, 0);
    assert_int_equal(seen.last_bytes, 0);
    assert_int_equal(seen.n_frames, 5163);
    assert_int_equal(seen.n_levels, 2 * 5163);
    assert_int_equal(seen.peak_bytes, 4892 * 208);

    /* The end of it changes nothing but that. */
    n_levels = seen.n_levels;
    assert_int_equal(softasic_watch(NULL), SAI_STATUS_SUCCESS);
    block(f, b);
    assert_int_equal(send(f, a, b, 10000, 3, SOFTASIC_UNTIL_XOFF).n_frames,
                     4898);
    assert_int_equal(seen.n_levels, n_levels);
}

/* A suite that compensates sees the same breakpoint later by what the transmit
 * counters of the blocked port have moved. */
static void
test_td2_leaks_as_many_as_its_counters_say(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t b = f->ports[1];
    const sai_stat_id_t packets = SAI_QUEUE_STAT_PACKETS;
    uint64_t leaked = 0;
    uint64_t n_sent;

    (void)configure_td2(f);
    block(f, b);
    assert_int_equal(send(f, a, b, 10000, 3, SOFTASIC_UNTIL_XOFF).n_frames,
                     4898 + 48);
    assert_int_equal(port_stat(f, b, SAI_PORT_STAT_IF_OUT_UCAST_PKTS), 48);
    assert_int_equal(port_stat(f, b, SAI_PORT_STAT_IF_OUT_QLEN), 4898);
    assert_int_equal(
        f->queue_api->get_queue_stats(queue_of(f, b, 3), 1, &packets, &leaked),
        SAI_STATUS_SUCCESS);
    assert_int_equal(leaked, 48);
    unblock(f, b);
    assert_int_equal(f->ops->settle(&n_sent), SAI_STATUS_SUCCESS);
    assert_int_equal(n_sent, 4898 + 48);
}

static void
test_td2_resumes_after_twelve_frames(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t pg = pg_of(f, a, 3);

    /* One PG spread over three egress ports, so that its share can be drained
     * piece by piece. */
    (void)configure_td2(f);
    for (uint32_t p = 1; p <= 3; p++) {
        block(f, f->ports[p]);
    }
    (void)send(f, a, f->ports[2], 11, 3, SOFTASIC_UNTIL_COUNT);
    (void)send(f, a, f->ports[3], 1, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(
        send(f, a, f->ports[1], 10000, 3, SOFTASIC_UNTIL_XOFF).n_frames,
        4898 - 12);
    unblock(f, f->ports[2]);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_true(is_xoff(f, pg));
    unblock(f, f->ports[3]);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_false(is_xoff(f, pg));
}

static void
test_td2_drops_lossy_at_egress(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t b = f->ports[1];
    struct softasic_sent sent;
    sai_stat_id_t id = SAI_QUEUE_STAT_DROPPED_PACKETS;
    uint64_t dropped;

    (void)configure_td2(f);
    block(f, b);
    sent = send(f, a, b, 100000, 1, SOFTASIC_UNTIL_DROP);
    assert_int_equal(sent.n_frames, 31322);
    assert_int_equal(sent.n_dropped_egress, 1);
    assert_int_equal(sent.n_dropped_ingress, 0);
    assert_int_equal(port_stat(f, b, SAI_PORT_STAT_IF_OUT_DISCARDS), 1);
    assert_int_equal(port_stat(f, b, SAI_PORT_STAT_OUT_DROPPED_PKTS), 1);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_IF_IN_DISCARDS), 0);
    assert_int_equal(
        f->queue_api->get_queue_stats(queue_of(f, b, 1), 1, &id, &dropped),
        SAI_STATUS_SUCCESS);
    assert_int_equal(dropped, 1);
    for (sai_stat_id_t i = 0; i < 8; i++) {
        assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_0_TX_PKTS + 2 * i),
                         0);
    }
}

static void
test_pause_needs_pfc_to_be_enabled(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t b = f->ports[1];
    struct softasic_sent sent;
    struct softasic_port_state port;

    (void)configure_td2(f);
    block(f, b);
    assert_int_equal(set_port(f, a, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                              (sai_attribute_value_t){.u8 = 0x10}),
                     SAI_STATUS_SUCCESS);
    sent = send(f, a, b, 5000, 3, SOFTASIC_UNTIL_XOFF);
    assert_int_equal(sent.event, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(sent.n_frames, 5000);
    assert_true(sent.xoff);
    assert_int_equal(f->ops->port_state(a, &port), SAI_STATUS_SUCCESS);
    assert_int_equal(port.xoff_mask, 0);
    assert_int_equal(port.n_pfc_tx[3], 0);
    assert_int_equal(set_port(f, a, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                              (sai_attribute_value_t){.u8 = 0x18}),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->port_state(a, &port), SAI_STATUS_SUCCESS);
    assert_int_equal(port.xoff_mask, 0x08);
    assert_true(port.n_pfc_tx[3] > 0);
    assert_true(port.up && port.tx_enabled);
    assert_int_equal(port.n_rx_frames, 5000);
    assert_int_equal(f->ops->port_state(b, &port), SAI_STATUS_SUCCESS);
    assert_false(port.tx_enabled);
    assert_int_equal(port.n_queued, 5000);
}

static void
test_separate_pfc_uses_the_mask_for_transmission(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const struct {
        sai_attr_id_t id;
        sai_attribute_value_t value;
        uint64_t frames; /* To the pause after this change. */
    } rows[] = {
        {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE,
         {.s32 = SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_SEPARATE},
         6000},
        {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX, {.u8 = 0xff}, 6000},
        {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX, {.u8 = 0x08}, 4898},
    };

    (void)configure_td2(f);
    for (uint32_t i = 0; i < N(rows); i++) {
        block(f, f->ports[1]);
        assert_int_equal(set_port(f, a, rows[i].id, rows[i].value),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(
            send(f, a, f->ports[1], 6000, 3, SOFTASIC_UNTIL_XOFF).n_frames,
            rows[i].frames);
        unblock(f, f->ports[1]);
        assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    }
}

static void
test_profile_changes_under_load(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t b = f->ports[1];
    const struct td2 t = configure_td2(f);
    const sai_object_id_t pg = pg_of(f, a, 3);
    sai_attribute_t threshold = {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
                                 {.s8 = 0}};
    struct softasic_pg_state before;
    struct softasic_pg_state after;

    block(f, b);
    (void)send(f, a, b, 10000, 3, SOFTASIC_UNTIL_XOFF);
    assert_int_equal(f->ops->pg_state(pg, &before), SAI_STATUS_SUCCESS);
    assert_int_equal(
        f->buffer_api->set_buffer_profile_attribute(t.pg_lossless, &threshold),
        SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->pg_state(pg, &after), SAI_STATUS_SUCCESS);
    assert_true(after.limit.cells > 7 * before.limit.cells);
    assert_int_equal(after.shared.cells, before.shared.cells);
    assert_int_equal(f->buffer_api->get_buffer_profile_attribute(t.pg_lossless,
                                                                 1, &threshold),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(threshold.value.s8, 0);
}

/* A threshold that is lowered below what a PG holds takes nothing away: what is
 * there drains, what comes meanwhile finds headroom, and then the new one
 * counts, to the frame. */
static void
test_shrinking_below_the_occupancy_drains(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_object_id_t b = f->ports[1];
    const struct td2 t = configure_td2(f);
    const sai_object_id_t pg = pg_of(f, a, 3);
    const sai_attribute_t threshold = {
        SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, {.s8 = -7}};
    struct softasic_pg_state now;
    uint64_t n_sent;

    block(f, b);
    assert_int_equal(send(f, a, b, 10000, 3, SOFTASIC_UNTIL_XOFF).n_frames,
                     4898);
    assert_int_equal(
        f->buffer_api->set_buffer_profile_attribute(t.pg_lossless, &threshold),
        SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->pg_state(pg, &now), SAI_STATUS_SUCCESS);
    assert_int_equal(now.shared.cells, 4892);
    assert_int_equal(now.limit.cells, (44032 - 4892) / 128);
    assert_int_equal(
        send(f, a, b, 3, 3, SOFTASIC_UNTIL_COUNT).n_dropped_ingress, 0);
    assert_int_equal(f->ops->pg_state(pg, &now), SAI_STATUS_SUCCESS);
    assert_int_equal(now.headroom.cells, 3);
    assert_true(now.xoff);
    unblock(f, b);
    assert_int_equal(f->ops->settle(&n_sent), SAI_STATUS_SUCCESS);
    assert_int_equal(n_sent, 4901);
    assert_false(is_xoff(f, pg));
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_IF_IN_DISCARDS), 0);
    /* 341 is the first u with u >= (44032 - u) / 128. */
    block(f, b);
    assert_int_equal(send(f, a, b, 10000, 3, SOFTASIC_UNTIL_XOFF).n_frames,
                     6 + 341);
}

static void
test_maps_classify(void **state)
{
    struct fixture *f = *state;
    const struct td2 t = configure_td2(f);
    sai_qos_map_t pairs[] = {{.key.dscp = 46, .value.tc = 5}};
    sai_attribute_t list = {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
                            {.qosmap = {1, pairs}}};
    struct softasic_class class;

    assert_int_equal(f->ops->classify(f->ports[0], f->ports[1], 46, &class),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(class.tc, 0);
    assert_int_equal(class.queue, queue_of(f, f->ports[1], 0));
    assert_int_equal(
        f->map_api->set_qos_map_attribute(t.maps.dscp_to_tc, &list),
        SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->classify(f->ports[0], f->ports[1], 46, &class),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(class.tc, 5);
    assert_int_equal(class.pg_index, 5);
    assert_int_equal(class.queue_index, 5);
    assert_int_equal(class.pg, pg_of(f, f->ports[0], 5));

    /* The port's map gone, that of the switch holds; then none. */
    assert_int_equal(set_port(f, f->ports[0], SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP,
                              (sai_attribute_value_t){.oid = 0}),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->classify(f->ports[0], f->ports[1], 46, &class),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(class.tc, 0);
    assert_int_equal(
        f->switch_api->set_switch_attribute(
            f->sw, &(sai_attribute_t){SAI_SWITCH_ATTR_QOS_DSCP_TO_TC_MAP,
                                      {.oid = t.maps.dscp_to_tc}}),
        SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->classify(f->ports[0], 0, 46, &class),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(class.tc, 5);
    assert_int_equal(class.queue, SAI_NULL_OBJECT_ID);
}

static void
test_received_frames_keep_their_queue_when_maps_change(void **state)
{
    struct fixture *f = *state;
    struct softasic_received rows[4];
    uint32_t n = 1;

    (void)configure_td2(f);
    block(f, f->ports[1]);
    (void)send(f, f->ports[0], f->ports[1], 3, 5, SOFTASIC_UNTIL_COUNT);
    (void)send(f, f->ports[0], f->ports[1], 4, 6, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(set_port(f, f->ports[1], SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP,
                              (sai_attribute_value_t){.oid = 0}),
                     SAI_STATUS_SUCCESS);
    (void)send(f, f->ports[0], f->ports[1], 2, 6, SOFTASIC_UNTIL_COUNT);
    unblock(f, f->ports[1]);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->received(f->ports[1], &n, rows),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(n, 3);
    n = N(rows);
    assert_int_equal(f->ops->received(f->ports[1], &n, rows),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(n, 3);
    assert_int_equal(rows[0].queue_index, 5);
    assert_int_equal(rows[0].n_frames, 3);
    assert_int_equal(rows[1].queue_index, 0);
    assert_int_equal(rows[1].n_frames, 2);
    assert_int_equal(rows[2].queue_index, 6);
    assert_int_equal(rows[2].n_frames, 4);
}

static void
test_frames_follow_addresses(void **state)
{
    struct fixture *f = *state;
    struct softasic_send order = {.from = f->ports[0],
                                  .destination = {0, 0, 0, 0, 0, 9},
                                  .n_frames = 10,
                                  .frame_bytes = 200};
    const sai_mac_t group = {1, 0, 0, 0, 0, 0};
    struct softasic_sent sent;

    for (uint32_t p = 0; p < 4; p++) {
        port_bool(f, f->ports[p], SAI_PORT_ATTR_ADMIN_STATE, true);
    }
    assert_int_equal(f->ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    for (uint32_t p = 1; p < 4; p++) { /* Unknown: flooded. */
        assert_int_equal(
            port_stat(f, f->ports[p], SAI_PORT_STAT_IF_OUT_UCAST_PKTS), 10);
    }
    assert_int_equal(f->ops->l2_set(order.destination, f->ports[2]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, f->ports[2], SAI_PORT_STAT_IF_OUT_UCAST_PKTS),
                     20);
    assert_int_equal(port_stat(f, f->ports[1], SAI_PORT_STAT_IF_OUT_UCAST_PKTS),
                     10);
    assert_int_equal(f->ops->l2_clear(), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, f->ports[1], SAI_PORT_STAT_IF_OUT_UCAST_PKTS),
                     20);

    assert_int_equal(f->ops->l2_set(group, f->ports[2]),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(f->ops->l2_set(order.destination, f->sw),
                     SAI_STATUS_INVALID_OBJECT_TYPE);

    /* A known port needs no entry. */
    order.to = f->ports[3];
    assert_int_equal(f->ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, f->ports[3], SAI_PORT_STAT_IF_OUT_UCAST_PKTS),
                     30);
}

static void
test_bad_orders_are_refused(void **state)
{
    struct fixture *f = *state;
    const struct softasic_send good = {.from = f->ports[0],
                                       .to = f->ports[1],
                                       .n_frames = 1,
                                       .frame_bytes = 64};
    struct softasic_send bad;
    struct softasic_sent sent = {.n_frames = 42};

    port_bool(f, f->ports[0], SAI_PORT_ATTR_ADMIN_STATE, true);
#define REFUSED(change, status)                                                \
    do {                                                                       \
        bad = good;                                                            \
        bad.change;                                                            \
        assert_int_equal(f->ops->send(&bad, &sent), status);                   \
    } while (0)
    REFUSED(from = f->ports[1], SAI_STATUS_INVALID_PARAMETER); /* to itself */
    REFUSED(from = f->ports[2], SAI_STATUS_INVALID_PARAMETER); /* down */
    REFUSED(from = 12345, SAI_STATUS_INVALID_OBJECT_ID);
    REFUSED(to = f->sw, SAI_STATUS_INVALID_OBJECT_TYPE);
    REFUSED(frame_bytes = 59, SAI_STATUS_INVALID_PARAMETER);
    REFUSED(frame_bytes = 20000, SAI_STATUS_INVALID_PARAMETER);
    REFUSED(dscp = 64, SAI_STATUS_INVALID_PARAMETER);
    REFUSED(ecn = 4, SAI_STATUS_INVALID_PARAMETER);
    REFUSED(until = 3, SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(sent.n_frames, 42);
    assert_int_equal(f->ops->run(-1), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(f->ops->send(&good, &sent), SAI_STATUS_SUCCESS);
}

/* Counters ------------------------------------------------------------ */

static void
test_clearing_one_counter_leaves_the_others(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pg = pg_of(f, f->ports[0], 3);
    const sai_stat_id_t packets = SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS;
    const sai_stat_id_t bytes = SAI_INGRESS_PRIORITY_GROUP_STAT_BYTES;

    (void)configure_td2(f);
    (void)send(f, f->ports[0], f->ports[1], 7, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(pg_stat(f, pg, packets, SAI_STATS_MODE_READ_AND_CLEAR), 7);
    assert_int_equal(pg_stat(f, pg, packets, SAI_STATS_MODE_READ), 0);
    assert_int_equal(pg_stat(f, pg, bytes, SAI_STATS_MODE_READ), 7 * 64);
    (void)send(f, f->ports[0], f->ports[1], 2, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(pg_stat(f, pg, packets, SAI_STATS_MODE_READ), 2);
    assert_int_equal(
        f->buffer_api->clear_ingress_priority_group_stats(pg, 1, &bytes),
        SAI_STATUS_SUCCESS);
    assert_int_equal(pg_stat(f, pg, bytes, SAI_STATS_MODE_READ), 0);
    assert_int_equal(pg_stat(f, pg, packets, SAI_STATS_MODE_READ), 2);

    assert_int_equal(port_stat(f, f->ports[0], SAI_PORT_STAT_IF_IN_UCAST_PKTS),
                     9);
    assert_int_equal(f->port_api->clear_port_all_stats(f->ports[0]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, f->ports[0], SAI_PORT_STAT_IF_IN_UCAST_PKTS),
                     0);
    assert_int_equal(
        port_stat(f, f->ports[1], SAI_PORT_STAT_IF_OUT_UCAST_PKTS) > 0, true);
}

static void
test_cleared_watermark_restarts_at_the_occupancy(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pg = pg_of(f, f->ports[0], 3);
    const sai_stat_id_t wm =
        SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES;
    const sai_stat_id_t now =
        SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_CURR_OCCUPANCY_BYTES;

    (void)configure_td2(f);
    block(f, f->ports[1]);
    (void)send(f, f->ports[0], f->ports[1], 106, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(pg_stat(f, pg, wm, SAI_STATS_MODE_READ_AND_CLEAR),
                     100 * 208);
    assert_int_equal(pg_stat(f, pg, wm, SAI_STATS_MODE_READ), 100 * 208);
    unblock(f, f->ports[1]);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(pg_stat(f, pg, now, SAI_STATS_MODE_READ), 0);
    assert_int_equal(pg_stat(f, pg, wm, SAI_STATS_MODE_READ_AND_CLEAR),
                     100 * 208);
    assert_int_equal(pg_stat(f, pg, wm, SAI_STATS_MODE_READ), 0);
}

/* Reads a counter of an object in 'mode'. */
static uint64_t
queue_stat(struct fixture *f, sai_object_id_t queue, sai_stat_id_t id,
           sai_stats_mode_t mode)
{
    uint64_t value = 0;

    assert_int_equal(
        f->queue_api->get_queue_stats_ext(queue, 1, &id, mode, &value),
        SAI_STATUS_SUCCESS);
    return value;
}

static uint64_t
pool_stat(struct fixture *f, sai_object_id_t pool, sai_stat_id_t id,
          sai_stats_mode_t mode)
{
    uint64_t value = 0;

    assert_int_equal(
        f->buffer_api->get_buffer_pool_stats_ext(pool, 1, &id, mode, &value),
        SAI_STATUS_SUCCESS);
    return value;
}

/* The total watermark of 'pg' in one call, read, then read and cleared. */
static void
check_bulk_watermarks(struct fixture *f, sai_object_id_t pg, uint64_t was,
                      uint64_t is)
{
    const sai_object_key_t key = {.key.object_id = pg};
    const sai_stat_id_t id = SAI_INGRESS_PRIORITY_GROUP_STAT_WATERMARK_BYTES;
    static const sai_stats_mode_t modes[] = {SAI_STATS_MODE_BULK_READ,
                                             SAI_STATS_MODE_BULK_READ_AND_CLEAR,
                                             SAI_STATS_MODE_BULK_READ};
    const uint64_t expected[] = {was, was, is};

    for (int i = 0; i < 3; i++) {
        sai_status_t status = SAI_STATUS_FAILURE;
        uint64_t value = 1;

        assert_int_equal(sai_bulk_object_get_stats(
                             f->sw, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, 1,
                             &key, 1, &id, modes[i], &status, &value),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(value, expected[i]);
    }
}

/* The watermarks of a PG that is full to the last cell of its headroom, of its
 * pool and of the queue: in cells and bytes, and again when some have left. */
static void
test_watermarks_of_all_levels_restart(void **state)
{
    struct fixture *f = *state;
    const struct td2 t = configure_td2(f);
    const sai_object_id_t pg = pg_of(f, f->ports[0], 3);
    const sai_object_id_t queue = queue_of(f, f->ports[1], 3);
    uint64_t done = 0;
    uint64_t rest, total;

    block(f, f->ports[1]);
    (void)send(f, f->ports[0], f->ports[1], 10000, 3, SOFTASIC_UNTIL_DROP);
#define PG_WM(NAME, MODE)                                                      \
    pg_stat(f, pg, SAI_INGRESS_PRIORITY_GROUP_STAT_##NAME,                     \
            SAI_STATS_MODE_##MODE)
#define QUEUE_WM(NAME, MODE)                                                   \
    queue_stat(f, queue, SAI_QUEUE_STAT_##NAME, SAI_STATS_MODE_##MODE)
#define POOL_WM(NAME, MODE)                                                    \
    pool_stat(f, t.ingress_pool, SAI_BUFFER_POOL_STAT_##NAME,                  \
              SAI_STATS_MODE_##MODE)
    assert_int_equal(PG_WM(SHARED_WATERMARK_CELLS, READ), 4892);
    assert_int_equal(PG_WM(XOFF_ROOM_WATERMARK_CELLS, READ), 265);
    assert_int_equal(POOL_WM(WATERMARK_CELLS, READ), 4892);
    assert_int_equal(POOL_WM(XOFF_ROOM_WATERMARK_CELLS, READ), 265);
    assert_int_equal(QUEUE_WM(SHARED_WATERMARK_CELLS, READ), 5163);
    /* All levels together, guarantees included. */
    total = PG_WM(CURR_OCCUPANCY_CELLS, READ);
    assert_true(total > 4892 + 265);
    assert_int_equal(PG_WM(WATERMARK_CELLS, READ), total);
    assert_int_equal(PG_WM(WATERMARK_BYTES, READ), total * 208);
    assert_int_equal(QUEUE_WM(WATERMARK_CELLS, READ), 5163);
    assert_int_equal(QUEUE_WM(WATERMARK_BYTES, READ), 5163 * 208);
    assert_int_equal(QUEUE_WM(DELAY_WATERMARK_NS, READ), 0);
    unblock(f, f->ports[1]);
    assert_int_equal(f->ops->step(100, &done), SAI_STATUS_SUCCESS);
    block(f, f->ports[1]);
    /* The last of these has waited for the others. */
    assert_in_range(QUEUE_WM(DELAY_WATERMARK_NS, READ), 1, UINT32_MAX);
    assert_in_range(QUEUE_WM(DELAY_WATERMARK_NS, READ_AND_CLEAR), 1,
                    UINT32_MAX);
    assert_int_equal(QUEUE_WM(DELAY_WATERMARK_NS, READ), 0);
    rest = PG_WM(XOFF_ROOM_CURR_OCCUPANCY_CELLS, READ);
    assert_in_range(rest, 100, 200);
    /* What was, once; then what is. */
    assert_int_equal(PG_WM(XOFF_ROOM_WATERMARK_BYTES, READ_AND_CLEAR),
                     265 * 208);
    assert_int_equal(PG_WM(XOFF_ROOM_WATERMARK_BYTES, READ), rest * 208);
    assert_int_equal(POOL_WM(XOFF_ROOM_WATERMARK_BYTES, READ_AND_CLEAR),
                     265 * 208);
    assert_int_equal(POOL_WM(XOFF_ROOM_WATERMARK_BYTES, READ), rest * 208);
    assert_int_equal(POOL_WM(XOFF_ROOM_CURR_OCCUPANCY_CELLS, READ), rest);
    assert_int_equal(QUEUE_WM(SHARED_WATERMARK_BYTES, READ_AND_CLEAR),
                     5163 * 208);
    assert_int_equal(QUEUE_WM(SHARED_WATERMARK_BYTES, READ),
                     (4898 + rest) * 208);
    assert_int_equal(QUEUE_WM(CURR_OCCUPANCY_BYTES, READ), (4898 + rest) * 208);
    check_bulk_watermarks(f, pg, total * 208,
                          PG_WM(CURR_OCCUPANCY_BYTES, READ));
    assert_int_equal(QUEUE_WM(WATERMARK_BYTES, READ_AND_CLEAR), 5163 * 208);
    assert_int_equal(QUEUE_WM(WATERMARK_BYTES, READ), (4898 + rest) * 208);
    unblock(f, f->ports[1]);
    assert_int_equal(f->ops->step(1000, &done), SAI_STATUS_SUCCESS);
    block(f, f->ports[1]);
    /* One kind does not clear the other. */
    assert_int_equal(PG_WM(XOFF_ROOM_WATERMARK_BYTES, READ_AND_CLEAR),
                     rest * 208);
    assert_int_equal(PG_WM(SHARED_WATERMARK_BYTES, READ), 4892 * 208);
    rest = POOL_WM(CURR_OCCUPANCY_CELLS, READ);
    assert_in_range(rest, 3000, 4800);
    assert_int_equal(POOL_WM(WATERMARK_BYTES, READ_AND_CLEAR), 4892 * 208);
    assert_int_equal(POOL_WM(WATERMARK_BYTES, READ), rest * 208);
#undef PG_WM
#undef QUEUE_WM
#undef POOL_WM
}

/* With 802.3x, a port pauses its link for any of its PGs, by frames of its own
 * kind: repeated after half of their time, 419 us, and ended by one of 0. */
static void
test_links_are_paused_by_8023x(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    const sai_attribute_t both = {
        SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_MODE,
        {.s32 = SAI_PORT_FLOW_CONTROL_MODE_BOTH_ENABLE}};
    uint64_t n;

    (void)configure_td2(f);
    assert_int_equal(f->port_api->set_port_attribute(a, &both),
                     SAI_STATUS_SUCCESS);
    block(f, f->ports[1]);
    (void)send(f, a, f->ports[1], 4897, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PAUSE_TX_PKTS), 0);
    (void)send(f, a, f->ports[1], 1, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(f->ops->run(INT64_C(1000000)), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PAUSE_TX_PKTS), 1);
    assert_int_equal(f->ops->run(INT64_C(5000000000)), SAI_STATUS_SUCCESS);
    n = port_stat(f, a, SAI_PORT_STAT_PAUSE_TX_PKTS);
    assert_int_equal(n, 1 + 11);
    unblock(f, f->ports[1]);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PAUSE_TX_PKTS), n + 1);
    assert_int_equal(f->ops->run(INT64_C(5000000000)), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PAUSE_TX_PKTS), n + 1);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PKTS), 0);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION), 0);
}

/* The time for which the sender is paused grows while the PG is XOFF, in quanta
 * and in microseconds, and stays when it is not. */
static void
test_time_of_pauses_sent_is_reported(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t a = f->ports[0];
    sai_attribute_t speed = {.id = SAI_PORT_ATTR_SPEED};
    uint64_t quanta;
    uint64_t us;

    (void)configure_td2(f);
    block(f, f->ports[1]);
    assert_int_equal(f->port_api->get_port_attribute(a, 1, &speed),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION), 0);
    (void)send(f, a, f->ports[1], 10000, 3, SOFTASIC_UNTIL_XOFF);
    quanta = port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION);
    us = port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION_US);
    assert_true(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PKTS) > 0);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PAUSE_TX_PKTS), 0);
    /* A quantum is 512 bits: in 512 us there are as many as Mb/s. */
    assert_int_equal(f->ops->run(INT64_C(512000000)), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION),
                     quanta + speed.value.u32);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION_US),
                     us + 512);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_4_TX_PAUSE_DURATION), 0);
    unblock(f, f->ports[1]);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    us = port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION_US);
    assert_int_equal(f->ops->run(INT64_C(512000000)), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, a, SAI_PORT_STAT_PFC_3_TX_PAUSE_DURATION_US),
                     us);
}

static void
test_pool_counts_all_its_users(void **state)
{
    struct fixture *f = *state;
    const struct td2 t = configure_td2(f);
    const sai_stat_id_t ids[] = {SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_CELLS,
                                 SAI_BUFFER_POOL_STAT_WATERMARK_CELLS};
    struct softasic_pool_state pool;
    uint64_t values[2];

    block(f, f->ports[1]);
    (void)send(f, f->ports[0], f->ports[1], 10, 3, SOFTASIC_UNTIL_COUNT);
    (void)send(f, f->ports[2], f->ports[1], 20, 1, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(
        f->buffer_api->get_buffer_pool_stats(t.ingress_pool, 2, ids, values),
        SAI_STATUS_SUCCESS);
    /* Guarantees are not shared: 6 cells of the lossless PG. */
    assert_int_equal(values[0], 24);
    assert_int_equal(values[1], 24);
    assert_int_equal(f->ops->pool_state(t.ingress_pool, &pool),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(pool.reserved.cells + pool.shared.cells, 30);
    assert_int_equal(pool.used.cells, 30);
    assert_int_equal(pool.size.bytes, 12766208);
    assert_int_equal(pool.shared_size.cells, 61376 - 64 * 271);
    assert_int_equal(pool.n_partitions, 1);
    assert_int_equal(f->buffer_api->get_buffer_pool_stats(
                         t.egress_lossless_pool, 1, ids, values),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(values[0], 10);
}

static void
test_bad_counters_write_nothing(void **state)
{
    struct fixture *f = *state;
    const sai_stat_id_t ids[] = {SAI_QUEUE_STAT_PACKETS,
                                 SAI_QUEUE_STAT_WATERMARK_LEVEL, 0x0fffffff};
    const sai_object_id_t queue = queue_of(f, f->ports[0], 0);
    uint64_t values[3] = {1, 2, 3};

    assert_int_equal(f->queue_api->get_queue_stats(queue, 2, ids, values),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(f->queue_api->get_queue_stats(queue, 1, &ids[2], values),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(
        f->queue_api->get_queue_stats_ext(queue, 1, ids, 0, values),
        SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(f->queue_api->get_queue_stats(f->ports[0], 1, ids, values),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    assert_int_equal(values[0], 1);
    assert_int_equal(f->switch_api->get_switch_stats(f->sw, 1, &ids[2], values),
                     SAI_STATUS_INVALID_PARAMETER);
}

/* Every counter that is said to exist can be read and cleared. */
static void
test_capabilities_are_true(void **state)
{
    struct fixture *f = *state;
    const struct td2 t = configure_td2(f);
    const struct {
        sai_object_type_t type;
        sai_object_id_t oid;
    } objects[] = {
        {SAI_OBJECT_TYPE_PORT, f->ports[0]},
        {SAI_OBJECT_TYPE_QUEUE, queue_of(f, f->ports[0], 0)},
        {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, pg_of(f, f->ports[0], 0)},
        {SAI_OBJECT_TYPE_BUFFER_POOL, t.ingress_pool},
    };
    sai_stat_capability_t list[256];
    sai_stat_capability_list_t none = {0, NULL};

    for (uint32_t i = 0; i < N(objects); i++) {
        sai_stat_capability_list_t all = {N(list), list};
        const sai_object_key_t key = {{.object_id = objects[i].oid}};

        assert_int_equal(
            sai_query_stats_capability(f->sw, objects[i].type, &all),
            SAI_STATUS_SUCCESS);
        assert_true(all.count > 3);
        for (uint32_t s = 0; s < all.count; s++) {
            sai_status_t status;
            uint64_t value = 99;

            assert_int_equal(
                sai_bulk_object_get_stats(
                    f->sw, objects[i].type, 1, &key, 1, &list[s].stat_enum,
                    SAI_STATS_MODE_BULK_READ_AND_CLEAR, &status, &value),
                SAI_STATUS_SUCCESS);
            assert_int_equal(value, 0);
        }
        none.count = 0;
        assert_int_equal(
            sai_query_stats_capability(f->sw, objects[i].type, &none),
            SAI_STATUS_BUFFER_OVERFLOW);
        assert_int_equal(none.count, all.count);
    }
    assert_int_equal(sai_query_stats_capability(
                         f->sw, SAI_OBJECT_TYPE_BUFFER_PROFILE, &none),
                     SAI_STATUS_NOT_SUPPORTED);
}

/* Objects ------------------------------------------------------------- */

static void
test_exact_codes(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t ingress =
        make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 1000000);
    const sai_object_id_t egress =
        make_pool(f, SAI_BUFFER_POOL_TYPE_EGRESS, 1000000);
    const sai_object_id_t in_profile =
        make_profile(f, &(struct profile){.pool = ingress, .size = 208});
    const sai_object_id_t out_profile =
        make_profile(f, &(struct profile){.pool = egress, .size = 208});
    const sai_object_id_t no_pool =
        make_profile(f, &(struct profile){.size = 208});
    const sai_object_id_t pg = pg_of(f, f->ports[0], 0);
    const sai_object_id_t queue = queue_of(f, f->ports[0], 0);
    const sai_attribute_t shell = {SAI_SWITCH_ATTR_SWITCH_SHELL_ENABLE,
                                   {.booldata = true}};
    sai_qos_map_t pairs[] = {{.key.dscp = 3, .value.tc = 16}};
    sai_object_id_t oid = 7;

    /* The library says which attribute it is. */
    assert_int_equal(try_pool(f, SAI_BUFFER_POOL_TYPE_BOTH, 1000, 0, &oid),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    assert_int_equal(try_pool(f, SAI_BUFFER_POOL_TYPE_EGRESS, 1000, 100, &oid),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 2);
    assert_int_equal(try_map(f, SAI_QOS_MAP_TYPE_DSCP_TO_TC, 1, pairs, &oid),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    assert_int_equal(oid, 7);

    /* Directions. */
    assert_int_equal(bind_pg(f, pg, out_profile),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(bind_queue(f, queue, in_profile),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(bind_pg(f, pg, no_pool), SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(bind_pg(f, pg, in_profile), SAI_STATUS_SUCCESS);
    assert_int_equal(bind_queue(f, queue, out_profile), SAI_STATUS_SUCCESS);

    /* Maps of the wrong type. */
    pairs[0].value.tc = 3;
    assert_int_equal(try_map(f, SAI_QOS_MAP_TYPE_DSCP_TO_TC, 1, pairs, &oid),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(set_port(f, f->ports[0], SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP,
                              (sai_attribute_value_t){.oid = oid}),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(f->map_api->remove_qos_map(oid), SAI_STATUS_SUCCESS);
    assert_int_equal(f->map_api->remove_qos_map(oid),
                     SAI_STATUS_INVALID_OBJECT_ID);

    assert_int_equal(f->switch_api->set_switch_attribute(f->sw, &shell),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_int_equal(set_port(f, f->ports[0], SAI_PORT_ATTR_SPEED,
                              (sai_attribute_value_t){.u32 = 0}),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(set_port(f, f->ports[0], SAI_PORT_ATTR_OPER_STATUS,
                              (sai_attribute_value_t){.s32 = 1}),
                     SAI_STATUS_INVALID_ATTRIBUTE_0);
    assert_int_equal(
        set_port(f, f->ports[0], 60000, (sai_attribute_value_t){.s32 = 1}),
        SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
}

static void
test_refused_change_leaves_no_trace(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool =
        make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 12000000);
    const sai_object_id_t profile =
        make_profile(f, &(struct profile){.pool = pool, .size = 208});
    const sai_object_id_t pg = pg_of(f, f->ports[0], 3);
    sai_attribute_t size = {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE,
                            {.u64 = UINT64_C(1) << 40}};
    sai_attribute_t xoff = {SAI_BUFFER_POOL_ATTR_XOFF_SIZE,
                            {.u64 = UINT64_C(1) << 40}};
    struct softasic_pg_state state_of_pg;

    assert_int_equal(bind_pg(f, pg, profile), SAI_STATUS_SUCCESS);
    assert_int_equal(
        f->buffer_api->set_buffer_profile_attribute(profile, &size),
        SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(
        f->buffer_api->get_buffer_profile_attribute(profile, 1, &size),
        SAI_STATUS_SUCCESS);
    assert_int_equal(size.value.u64, 208);
    assert_int_equal(f->ops->pg_state(pg, &state_of_pg), SAI_STATUS_SUCCESS);
    assert_int_equal(state_of_pg.guarantee.cells, 1);

    assert_int_equal(f->buffer_api->set_buffer_pool_attribute(pool, &xoff),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(f->buffer_api->get_buffer_pool_attribute(pool, 1, &xoff),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(xoff.value.u64, 0); /* Its default again. */
}

static void
test_objects_in_use_stay(void **state)
{
    struct fixture *f = *state;
    const struct td2 t = configure_td2(f);

    assert_int_equal(f->buffer_api->remove_buffer_profile(t.pg_lossless),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(f->buffer_api->remove_buffer_pool(t.ingress_pool),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(f->map_api->remove_qos_map(t.maps.tc_to_pg),
                     SAI_STATUS_OBJECT_IN_USE);
    for (uint32_t p = 0; p < f->n_ports; p++) {
        assert_int_equal(asic_setup_remove_port(f->sw, f->ports[p]),
                         SAI_STATUS_SUCCESS);
    }
    list_ports(f);
    assert_int_equal(f->n_ports, 0);
    assert_int_equal(f->map_api->remove_qos_map(t.maps.tc_to_pg),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->buffer_api->remove_buffer_pool(t.ingress_pool),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(f->buffer_api->remove_buffer_profile(t.pg_lossless),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->buffer_api->remove_buffer_profile(t.pg_lossy),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->buffer_api->remove_buffer_pool(t.ingress_pool),
                     SAI_STATUS_SUCCESS);
}

static void
test_port_goes_away_under_load(void **state)
{
    struct fixture *f = *state;
    struct softasic_port_state port;

    (void)configure_td2(f);
    block(f, f->ports[1]);
    (void)send(f, f->ports[0], f->ports[1], 5000, 3, SOFTASIC_UNTIL_COUNT);
    (void)send(f, f->ports[1], f->ports[2], 10, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(asic_setup_remove_port(f->sw, f->ports[1]),
                     SAI_STATUS_SUCCESS);
    assert_false(is_xoff(f, pg_of(f, f->ports[0], 3)));
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->port_state(f->ports[1], &port),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(port_stat(f, f->ports[2], SAI_PORT_STAT_IF_OUT_UCAST_PKTS),
                     10);
}

static sai_status_t
try_port(struct fixture *f, uint32_t n_lanes, uint32_t *lanes,
         sai_object_id_t *oid)
{
    const sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {n_lanes, lanes}}},
        {SAI_PORT_ATTR_SPEED, {.u32 = n_lanes == 1 ? 10000 : 100000}},
        {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
    };

    return f->port_api->create_port(oid, f->sw, 3, attributes);
}

static void
test_ports_may_share_one_lane(void **state)
{
    struct fixture *f = *state;
    uint32_t lanes[] = {11, 12, 13, 14, 15, 16, 17};
    uint32_t twice[] = {21, 21, 22, 23};
    sai_object_id_t a;
    sai_object_id_t b;
    sai_object_id_t c = 5;
    uint32_t room[4] = {0};
    sai_attribute_t list = {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {2, room}}};

    assert_int_equal(f->n_ports, 0);
    assert_int_equal(try_port(f, 4, lanes, &a), SAI_STATUS_SUCCESS);
    assert_int_equal(try_port(f, 1, &lanes[3], &b), SAI_STATUS_SUCCESS);
    assert_int_equal(try_port(f, 4, lanes, &c), SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(try_port(f, 2, &lanes[2], &c), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(try_port(f, 3, &lanes[3], &c), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(try_port(f, 4, &lanes[2], &c), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(try_port(f, 4, twice, &c),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(try_port(f, 0, lanes, &c),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(c, 5);
    assert_int_equal(send(f, a, b, 10, 0, SOFTASIC_UNTIL_COUNT).n_frames, 10);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, b, SAI_PORT_STAT_IF_OUT_UCAST_PKTS), 10);

    assert_int_equal(f->port_api->get_port_attribute(a, 1, &list),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(list.value.u32list.count, 4);
    assert_int_equal(room[0], 0);
    assert_int_equal(f->port_api->get_port_attribute(a, 1, &list),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(room[3], 14);

    /* The same lanes again, once they are free. */
    assert_int_equal(asic_setup_remove_port(f->sw, a), SAI_STATUS_SUCCESS);
    assert_int_equal(try_port(f, 4, lanes, &c), SAI_STATUS_SUCCESS);
    assert_int_not_equal(a, c);
}

static void
test_generic_carries_514_ports(void **state)
{
    struct fixture *f = *state;
    struct name_maps maps = make_maps(f);
    sai_object_id_t oids[514];
    const sai_attribute_t *lists[514];
    sai_attribute_t attributes[514][2];
    uint32_t lanes[514];
    uint32_t counts[514];
    sai_status_t statuses[514];
    uint32_t n;

    for (uint32_t i = 0; i < 514; i++) {
        lanes[i] = 1000 + i;
        counts[i] = 2;
        attributes[i][0] = (sai_attribute_t){SAI_PORT_ATTR_HW_LANE_LIST,
                                             {.u32list = {1, &lanes[i]}}};
        attributes[i][1] =
            (sai_attribute_t){SAI_PORT_ATTR_SPEED, {.u32 = 100000}};
        lists[i] = attributes[i];
    }
    assert_int_equal(f->port_api->create_ports(
                         f->sw, 514, counts, lists,
                         SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, oids, statuses),
                     SAI_STATUS_SUCCESS);
    list_ports(f);
    assert_int_equal(f->n_ports, 514);
    assert_int_equal(sai_get_object_count(f->sw, SAI_OBJECT_TYPE_QUEUE, &n),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(n, 514 * 20 + 8); /* Those of the CPU port. */
    for (uint32_t i = 0; i < 514; i++) {
        port_bool(f, oids[i], SAI_PORT_ATTR_ADMIN_STATE, true);
        use_maps(f, oids[i], &maps);
    }
    (void)send(f, oids[0], oids[513], 100, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(port_stat(f, oids[513], SAI_PORT_STAT_IF_OUT_UCAST_PKTS),
                     100);
}

static void
test_ports_run_out(void **state)
{
    struct fixture *f = *state; /* td2: 128 at most, 32 exist. */
    uint64_t left;
    uint32_t lane;
    sai_object_id_t oid;

    assert_int_equal(sai_object_type_get_availability(
                         f->sw, SAI_OBJECT_TYPE_PORT, 0, NULL, &left),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(left, 96);
    lane = 129;
    assert_int_equal(try_port(f, 1, &lane, &oid),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    for (lane = 1; lane < 1 + 96; lane++) {
        assert_int_equal(try_port(f, 1, &lane, &oid), SAI_STATUS_SUCCESS);
    }
    assert_int_equal(try_port(f, 1, &lane, &oid),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(asic_setup_remove_port(f->sw, f->ports[5]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(try_port(f, 1, &lane, &oid), SAI_STATUS_SUCCESS);
}

static void
test_port_has_the_speeds_of_its_lanes(void **state)
{
    struct fixture *f = *state; /* td2: lanes of 10 Gb/s. */
    static const uint32_t expected[] = {1000, 10000, 25000, 40000};
    uint32_t room[16];
    sai_attribute_t speeds = {SAI_PORT_ATTR_SUPPORTED_SPEED,
                              {.u32list = {N(room), room}}};
    sai_attribute_t speed = {SAI_PORT_ATTR_SPEED, {.u32 = 123}};

    assert_int_equal(f->port_api->get_port_attribute(f->ports[0], 1, &speeds),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(speeds.value.u32list.count, N(expected));
    assert_memory_equal(room, expected, sizeof expected);
    assert_int_equal(f->port_api->set_port_attribute(f->ports[0], &speed),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    speed.value.u32 = 50000;
    assert_int_equal(f->port_api->set_port_attribute(f->ports[0], &speed),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    speed.value.u32 = 10000;
    assert_int_equal(f->port_api->set_port_attribute(f->ports[0], &speed),
                     SAI_STATUS_SUCCESS);
}

static void
test_bulk_stops_or_goes_on(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool =
        make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 1000000);
    const sai_object_id_t profile =
        make_profile(f, &(struct profile){.pool = pool});
    const sai_object_id_t pgs[] = {pg_of(f, f->ports[0], 0), 4711,
                                   pg_of(f, f->ports[0], 1)};
    const sai_attribute_t bind = {
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, {.oid = profile}};
    const sai_attribute_t attributes[] = {bind, bind, bind};
    sai_status_t statuses[3];

    assert_int_equal(
        f->buffer_api->set_ingress_priority_groups_attribute(
            3, pgs, attributes, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(
        f->buffer_api->set_ingress_priority_groups_attribute(
            3, pgs, attributes, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[2], SAI_STATUS_SUCCESS);
}

static void
test_switch_tells_what_it_is(void **state)
{
    struct fixture *f = *state;
    sai_attribute_t a[] = {
        {.id = SAI_SWITCH_ATTR_PORT_NUMBER},
        {.id = SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE},
        {.id = SAI_SWITCH_ATTR_NUMBER_OF_QUEUES},
        {.id = SAI_SWITCH_ATTR_NUMBER_OF_UNICAST_QUEUES},
        {.id = SAI_SWITCH_ATTR_MAX_NUMBER_OF_SUPPORTED_PORTS},
        {.id = SAI_SWITCH_ATTR_CPU_PORT},
        {.id = SAI_SWITCH_ATTR_DEFAULT_VLAN_ID},
        {.id = SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID},
        {.id = SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID},
        {.id = SAI_SWITCH_ATTR_TYPE},
        {.id = SAI_SWITCH_ATTR_INIT_SWITCH},
        {.id = SAI_SWITCH_ATTR_AVAILABLE_IPV4_ROUTE_ENTRY},
    };
    sai_attribute_t type = {.id = SAI_PORT_ATTR_TYPE};

    memset(&a[0].value, 0xff, sizeof a[0].value);
    assert_int_equal(f->switch_api->get_switch_attribute(f->sw, N(a), a),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(a[0].value.u32, 32);
    assert_int_equal(a[1].value.u64, 12779520 / 1024);
    assert_int_equal(a[2].value.u32, 20);
    assert_int_equal(a[3].value.u32, 10);
    assert_int_equal(a[4].value.u32, 128);
    assert_int_equal(sai_object_type_query(a[5].value.oid),
                     SAI_OBJECT_TYPE_PORT);
    assert_int_equal(sai_object_type_query(a[6].value.oid),
                     SAI_OBJECT_TYPE_VLAN);
    assert_int_equal(sai_object_type_query(a[7].value.oid),
                     SAI_OBJECT_TYPE_VIRTUAL_ROUTER);
    assert_int_equal(sai_object_type_query(a[8].value.oid),
                     SAI_OBJECT_TYPE_BRIDGE);
    assert_int_equal(a[9].value.s32, SAI_SWITCH_TYPE_NPU);
    assert_true(a[10].value.booldata);
    assert_int_equal(f->port_api->get_port_attribute(a[5].value.oid, 1, &type),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(type.value.s32, SAI_PORT_TYPE_CPU);
    assert_int_equal(asic_setup_remove_port(f->sw, a[5].value.oid),
                     SAI_STATUS_NOT_SUPPORTED);
    for (uint32_t p = 0; p < f->n_ports; p++) {
        assert_int_not_equal(f->ports[p], a[5].value.oid);
    }
    assert_int_equal(sai_switch_id_query(f->ports[0]), f->sw);
    assert_int_equal(sai_switch_id_query(f->sw), f->sw);
    assert_int_equal(sai_switch_id_query(0), SAI_NULL_OBJECT_ID);
    assert_int_equal(sai_object_type_query(0), SAI_OBJECT_TYPE_NULL);
}

static void
test_port_children_know_where_they_belong(void **state)
{
    struct fixture *f = *state;

    for (uint32_t i = 0; i < 20; i++) {
        sai_attribute_t a[] = {{.id = SAI_QUEUE_ATTR_TYPE},
                               {.id = SAI_QUEUE_ATTR_PORT},
                               {.id = SAI_QUEUE_ATTR_INDEX},
                               {.id = SAI_QUEUE_ATTR_PAUSE_STATUS}};

        assert_int_equal(f->queue_api->get_queue_attribute(
                             queue_of(f, f->ports[7], i), N(a), a),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(a[0].value.s32, i < 10 ? SAI_QUEUE_TYPE_UNICAST
                                                : SAI_QUEUE_TYPE_MULTICAST);
        assert_int_equal(a[1].value.oid, f->ports[7]);
        assert_int_equal(a[2].value.u8, i);
    }
    for (uint32_t i = 0; i < 8; i++) {
        sai_attribute_t a[] = {{.id = SAI_INGRESS_PRIORITY_GROUP_ATTR_PORT},
                               {.id = SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX}};

        assert_int_equal(f->buffer_api->get_ingress_priority_group_attribute(
                             pg_of(f, f->ports[7], i), 2, a),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(a[0].value.oid, f->ports[7]);
        assert_int_equal(a[1].value.u8, i);
    }
}

static void
test_shared_size_moves_with_attachments(void **state)
{
    struct fixture *f = *state;
    const sai_object_id_t pool =
        make_pool(f, SAI_BUFFER_POOL_TYPE_EGRESS, 208 * 1000);
    const sai_object_id_t profile =
        make_profile(f, &(struct profile){.pool = pool, .size = 208 * 10});
    sai_attribute_t a = {.id = SAI_BUFFER_POOL_ATTR_SHARED_SIZE};

    assert_int_equal(f->buffer_api->get_buffer_pool_attribute(pool, 1, &a),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(a.value.u64, 208 * 1000);
    assert_int_equal(bind_queue(f, queue_of(f, f->ports[0], 0), profile),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->buffer_api->get_buffer_pool_attribute(pool, 1, &a),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(a.value.u64, 208 * 990);
}

/* Library ------------------------------------------------------------- */

static void
test_unknown_model_is_an_error(void **state)
{
    struct fixture f = {0};
    struct softasic_chip chip;
    char nowhere[TEMPFILE_SIZE];
    const struct {
        const char *key;
        const char *value;
        sai_status_t status;
    } rows[] = {
        {"SOFTASIC_MODEL", "no-such-chip", SAI_STATUS_ITEM_NOT_FOUND},
        {"SOFTASIC_MODEL", "../chips/td2", SAI_STATUS_INVALID_PARAMETER},
        {"SOFTASIC_CLOCK", "real", SAI_STATUS_NOT_SUPPORTED},
        {"SOFTASIC_CLOCK", "wrong", SAI_STATUS_INVALID_PARAMETER},
        {"SOFTASIC_LEAK_OUT", "perhaps", SAI_STATUS_INVALID_PARAMETER},
        {"SOFTASIC_FCS", "some", SAI_STATUS_INVALID_PARAMETER},
        {"SOFTASIC_FCS", "0,,4", SAI_STATUS_INVALID_PARAMETER},
        {"SOFTASIC_FCS", "0,65536", SAI_STATUS_INVALID_PARAMETER},
        {"SOFTASIC_FCS", "0000000000000000000001",
         SAI_STATUS_INVALID_PARAMETER},
        {"SOFTASIC_MODEL_DIR", nowhere, SAI_STATUS_ITEM_NOT_FOUND},
    };

    (void)state;
    tempfile_missing(nowhere, "chips");
    set_profile(NULL);
    initialize(&f);
    assert_int_equal(sai_log_set(SAI_API_SWITCH, SAI_LOG_LEVEL_CRITICAL),
                     SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < N(rows); i++) {
        set_profile(NULL);
        profile_keys[1][0] = rows[i].key;
        profile_keys[1][1] = rows[i].value;
        if (strcmp(rows[i].key, "SOFTASIC_MODEL_DIR") == 0) {
            profile_keys[0][1] = rows[i].value;
        }
        assert_int_equal(create_switch(&f), rows[i].status);
        assert_int_equal(f.sw, SAI_NULL_OBJECT_ID);
        assert_int_equal(f.ops->chip(&chip), SAI_STATUS_UNINITIALIZED);
    }

    /* By the hardware, and without anything. */
    set_profile(NULL);
    profile_keys[1][0] = "SONIC_HWSKU";
    profile_keys[1][1] = "Force10-S6000-Q32";
    assert_int_equal(create_switch(&f), SAI_STATUS_SUCCESS);
    assert_int_equal(f.ops->chip(&chip), SAI_STATUS_SUCCESS);
    assert_string_equal(chip.name, "td2");
    assert_int_equal(chip.cell_bytes, 208);
    assert_int_equal(create_switch(&f), SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(f.switch_api->remove_switch(f.sw), SAI_STATUS_SUCCESS);
    set_profile(NULL);
    assert_int_equal(create_switch(&f), SAI_STATUS_SUCCESS);
    assert_int_equal(f.ops->chip(&chip), SAI_STATUS_SUCCESS);
    assert_string_equal(chip.name, "generic");
    assert_int_equal(sai_api_uninitialize(), SAI_STATUS_SUCCESS);
}

static void
test_library_before_and_after(void **state)
{
    static const sai_service_method_table_t services = {NULL, NULL};
    struct fixture f = {0};
    sai_attribute_t attribute = {.id = SAI_PORT_ATTR_SPEED};
    sai_api_version_t version = 0;
    void *table;

    (void)state;
    assert_int_equal(sai_query_api_version(&version), SAI_STATUS_SUCCESS);
    assert_int_equal(version, 11801);
    assert_int_equal(sai_api_query(SAI_API_PORT, &table),
                     SAI_STATUS_UNINITIALIZED);
    assert_int_equal(sai_api_uninitialize(), SAI_STATUS_UNINITIALIZED);
    assert_int_equal(sai_api_initialize(1, &services),
                     SAI_STATUS_INVALID_PARAMETER);
    set_profile("td2");
    initialize(&f);
    assert_int_equal(sai_api_initialize(0, &services), SAI_STATUS_FAILURE);
    assert_int_equal(f.port_api->get_port_attribute(1, 1, &attribute),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(f.ops->run(1), SAI_STATUS_UNINITIALIZED);
    assert_int_equal(softasic_watch(NULL), SAI_STATUS_UNINITIALIZED);
    assert_null(softasic_ops(SOFTASIC_OPS_VERSION + 1));
    assert_int_equal(sai_log_set(SAI_API_MAX, SAI_LOG_LEVEL_INFO),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(sai_api_uninitialize(), SAI_STATUS_SUCCESS);
}

static void
test_no_table_has_an_empty_slot(void **state)
{
    static const struct {
        sai_api_t api;
        size_t size;
    } modelled[] = {
        {SAI_API_SWITCH, sizeof(sai_switch_api_t)},
        {SAI_API_PORT, sizeof(sai_port_api_t)},
        {SAI_API_BUFFER, sizeof(sai_buffer_api_t)},
        {SAI_API_QUEUE, sizeof(sai_queue_api_t)},
        {SAI_API_QOS_MAP, sizeof(sai_qos_map_api_t)},
        {SAI_API_SCHEDULER, sizeof(sai_scheduler_api_t)},
        {SAI_API_SCHEDULER_GROUP, sizeof(sai_scheduler_group_api_t)},
        {SAI_API_WRED, sizeof(sai_wred_api_t)},
        {SAI_API_VLAN, sizeof(sai_vlan_api_t)},
        {SAI_API_BRIDGE, sizeof(sai_bridge_api_t)},
        {SAI_API_FDB, sizeof(sai_fdb_api_t)},
        {SAI_API_VIRTUAL_ROUTER, sizeof(sai_virtual_router_api_t)},
        {SAI_API_ROUTER_INTERFACE, sizeof(sai_router_interface_api_t)},
        {SAI_API_NEIGHBOR, sizeof(sai_neighbor_api_t)},
        {SAI_API_NEXT_HOP, sizeof(sai_next_hop_api_t)},
        {SAI_API_NEXT_HOP_GROUP, sizeof(sai_next_hop_group_api_t)},
        {SAI_API_ROUTE, sizeof(sai_route_api_t)},
        {SAI_API_LAG, sizeof(sai_lag_api_t)},
        {SAI_API_HASH, sizeof(sai_hash_api_t)},
        {SAI_API_ACL, sizeof(sai_acl_api_t)},
        {SAI_API_MIRROR, sizeof(sai_mirror_api_t)},
        {SAI_API_SAMPLEPACKET, sizeof(sai_samplepacket_api_t)},
        {SAI_API_POLICER, sizeof(sai_policer_api_t)},
        {SAI_API_TUNNEL, sizeof(sai_tunnel_api_t)},
        {SAI_API_DEBUG_COUNTER, sizeof(sai_debug_counter_api_t)},
        {SAI_API_MY_MAC, sizeof(sai_my_mac_api_t)},
        {SAI_API_SYSTEM_PORT, sizeof(sai_system_port_api_t)},
        {SAI_API_HOSTIF, sizeof(sai_hostif_api_t)},
    };

    (void)state;
    for (int api = SAI_API_UNSPECIFIED + 1; api < SAI_API_MAX; api++) {
        size_t size = 64 * sizeof(void *); /* Of what is not known. */
        sai_status_t (*const *slots)(void);
        void *table = NULL;
        uint32_t n;

        if (stubs_table((sai_api_t)api, &n) && n) {
            size = (n + 8) * sizeof(void *);
        }
        for (uint32_t i = 0; i < N(modelled); i++) {
            if (modelled[i].api == (sai_api_t)api) {
                size = modelled[i].size + 8 * sizeof(void *);
            }
        }
        assert_int_equal(sai_api_query((sai_api_t)api, &table),
                         SAI_STATUS_SUCCESS);
        slots = table;
        for (size_t i = 0; i < size / sizeof *slots; i++) {
            assert_non_null(slots[i]);
        }
    }
    assert_int_equal(sai_api_query(SAI_API_MAX, (void *[]){NULL}),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(sai_api_query(SAI_API_UNSPECIFIED, (void *[]){NULL}),
                     SAI_STATUS_INVALID_PARAMETER);
}

static void
test_dump_is_written(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    struct fixture *f = *state;
    char path[] = "/tmp/softasic-dump-XXXXXX";
    const int fd = mkstemp(path);
    char line[256] = "";
    bool has_port = false;
    FILE *file;

    (void)f;
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(sai_dbg_generate_dump(path), SAI_STATUS_SUCCESS);
    file = fopen(path, "r");
    assert_non_null(file);
    while (!has_port && fgets(line, sizeof line, file)) {
        has_port = !strncmp(line, "PORT{", 5);
    }
    assert_true(has_port);
    fclose(file);
    unlink(path);
    tempfile_missing(nowhere, "dump");
    assert_int_equal(sai_dbg_generate_dump(nowhere),
                     SAI_STATUS_INVALID_PARAMETER);
}

static void
test_time_advances_only_on_request(void **state)
{
    struct fixture *f = *state;
    int64_t before;
    int64_t after;
    uint64_t n = 0;

    (void)configure_td2(f);
    assert_int_equal(f->ops->now(&before), SAI_STATUS_SUCCESS);
    assert_int_equal(before, 0);
    assert_int_equal(f->ops->run(1000), SAI_STATUS_SUCCESS);
    assert_int_equal(f->ops->now(&after), SAI_STATUS_SUCCESS);
    assert_int_equal(after, 1000);

    /* 64 + 24 bytes at 40 Gbit/s are 17.6 ns. */
    after =
        send(f, f->ports[0], f->ports[1], 1, 3, SOFTASIC_UNTIL_COUNT).now_ps;
    assert_int_equal(after, 1000 + 17600);
    assert_int_equal(f->ops->step(10, &n), SAI_STATUS_SUCCESS);
    assert_int_equal(n, 1); /* It has left. */
    assert_int_equal(f->ops->now(&after), SAI_STATUS_SUCCESS);
    assert_int_equal(after, 1000 + 2 * 17600);
}

/* Random calls under load.  Whatever they do and however they end, the buffer
 * adds up, and what can be read is what holds. */
struct chaos {
    struct fixture *f;
    uint32_t seed;
    sai_object_id_t pools[4];
    sai_object_id_t profiles[6];
    sai_object_id_t ports[6];
    struct name_maps maps;
};

static uint32_t
roll(struct chaos *c, uint32_t n)
{
    c->seed = c->seed * 1664525 + 1013904223;
    return (c->seed >> 8) % n;
}

static void
chaos_pool(struct chaos *c)
{
    const uint32_t i = roll(c, N(c->pools));
    const bool is_ingress = i < 2;
    const uint64_t size = roll(c, 2) ? 208 * roll(c, 70000) : 12766208;
    const sai_attribute_t attribute = {SAI_BUFFER_POOL_ATTR_SIZE,
                                       {.u64 = size}};
    const sai_attribute_t xoff = {SAI_BUFFER_POOL_ATTR_XOFF_SIZE,
                                  {.u64 = 208 * roll(c, 5000)}};

    if (!c->pools[i]) {
        (void)try_pool(c->f,
                       is_ingress ? SAI_BUFFER_POOL_TYPE_INGRESS
                                  : SAI_BUFFER_POOL_TYPE_EGRESS,
                       size, 0, &c->pools[i]);
    } else if (roll(c, 4) == 0) {
        if (c->f->buffer_api->remove_buffer_pool(c->pools[i]) ==
            SAI_STATUS_SUCCESS) {
            c->pools[i] = SAI_NULL_OBJECT_ID;
        }
    } else {
        (void)c->f->buffer_api->set_buffer_pool_attribute(
            c->pools[i], roll(c, 3) ? &attribute : &xoff);
    }
}

static void
chaos_profile(struct chaos *c)
{
    const uint32_t i = roll(c, N(c->profiles));
    const sai_object_id_t pool = c->pools[roll(c, N(c->pools))];
    const sai_attribute_t changes[] = {
        {SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
         {.s8 = (sai_int8_t)((int)roll(c, 8) - 4)}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE,
         {.u64 = 208 * roll(c, 500)}},
        {SAI_BUFFER_PROFILE_ATTR_XOFF_TH, {.u64 = 208 * roll(c, 300)}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH, {.u64 = roll(c, 1000000)}},
    };

    if (!c->profiles[i] && pool) {
        c->profiles[i] = make_profile(
            c->f,
            &(struct profile){.pool = pool,
                              .size = 208 * roll(c, 400),
                              .is_static = roll(c, 3) == 0,
                              .static_th = 208 * roll(c, 30000),
                              .dynamic_th = (int8_t)((int)roll(c, 8) - 4)});
    } else if (roll(c, 4) == 0) {
        if (c->f->buffer_api->remove_buffer_profile(c->profiles[i]) ==
            SAI_STATUS_SUCCESS) {
            c->profiles[i] = SAI_NULL_OBJECT_ID;
        }
    } else {
        (void)c->f->buffer_api->set_buffer_profile_attribute(
            c->profiles[i], &changes[roll(c, N(changes))]);
    }
}

static void
chaos_port(struct chaos *c)
{
    const uint32_t i = roll(c, N(c->ports));
    uint32_t lane = 1 + i; /* One that a default port has as well. */

    if (!c->ports[i]) {
        assert_int_equal(try_port(c->f, 1, &lane, &c->ports[i]),
                         SAI_STATUS_SUCCESS);
        use_maps(c->f, c->ports[i], &c->maps);
        assert_int_equal(set_port(c->f, c->ports[i],
                                  SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                                  (sai_attribute_value_t){.u8 = 0xff}),
                         SAI_STATUS_SUCCESS);
    } else if (roll(c, 8) == 0) {
        assert_int_equal(asic_setup_remove_port(c->f->sw, c->ports[i]),
                         SAI_STATUS_SUCCESS);
        c->ports[i] = SAI_NULL_OBJECT_ID;
    } else {
        port_bool(c->f, c->ports[i],
                  roll(c, 4) ? SAI_PORT_ATTR_PKT_TX_ENABLE
                             : SAI_PORT_ATTR_ADMIN_STATE,
                  roll(c, 3) != 0);
    }
}

static void
chaos_bind(struct chaos *c)
{
    const sai_object_id_t port = c->ports[roll(c, N(c->ports))];
    const sai_object_id_t profile = c->profiles[roll(c, N(c->profiles))];
    const uint32_t index = roll(c, 8);

    if (port && roll(c, 2)) {
        (void)bind_pg(c->f, pg_of(c->f, port, index), profile);
    } else if (port) {
        (void)bind_queue(c->f, queue_of(c->f, port, index), profile);
    }
}

static void
chaos_send(struct chaos *c)
{
    const struct softasic_send order = {.from = c->ports[roll(c, 6)],
                                        .to = c->ports[roll(c, 6)],
                                        .destination = {2, 2, 2, 2, 2, 2},
                                        .n_frames = roll(c, 4000),
                                        .frame_bytes = 60 + roll(c, 1500),
                                        .dscp = (uint8_t)roll(c, 8),
                                        .until = roll(c, 3)};
    struct softasic_sent sent;
    struct softasic_pg_state pg;

    if (c->f->ops->send(&order, &sent) == SAI_STATUS_SUCCESS) {
        assert_true(sent.n_frames <= order.n_frames);
        assert_int_equal(c->f->ops->pg_state(sent.pg, &pg), SAI_STATUS_SUCCESS);
        assert_int_equal(pg.xoff, sent.xoff);
    }
    if (roll(c, 4) == 0) {
        assert_int_equal(c->f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    }
}

/* Sums in the buffer, watermarks above occupancies. */
static void
check_invariants(struct chaos *c)
{
    const sai_stat_id_t ids[] = {
        SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_CURR_OCCUPANCY_CELLS,
        SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_CELLS};
    const char *wrong = mmu_check(library_get()->asic->mmu);
    uint64_t values[2];

    if (wrong) {
        fail_msg("seed %u: %s", c->seed, wrong);
    }
    for (uint32_t p = 0; p < N(c->ports); p++) {
        for (uint32_t i = 0; c->ports[p] && i < 8; i++) {
            assert_int_equal(c->f->buffer_api->get_ingress_priority_group_stats(
                                 pg_of(c->f, c->ports[p], i), 2, ids, values),
                             SAI_STATUS_SUCCESS);
            assert_true(values[1] >= values[0]);
        }
    }
}

static void
test_random_calls_under_load_keep_the_books(void **state)
{
    static void (*const actions[])(struct chaos *) = {
        chaos_pool, chaos_profile, chaos_port, chaos_bind,
        chaos_bind, chaos_send,    chaos_send, chaos_send,
    };
    struct chaos c = {.f = *state, .seed = 4711};

    c.maps = make_maps(c.f);
    for (int i = 0; i < 6000; i++) {
        actions[roll(&c, N(actions))](&c);
        if (i % 40 == 0) {
            check_invariants(&c);
        }
    }

    /* Everything drains once nothing is blocked. */
    for (uint32_t p = 0; p < N(c.ports); p++) {
        if (c.ports[p]) {
            port_bool(c.f, c.ports[p], SAI_PORT_ATTR_ADMIN_STATE, true);
            unblock(c.f, c.ports[p]);
        }
    }
    assert_int_equal(c.f->ops->settle(NULL), SAI_STATUS_SUCCESS);
    check_invariants(&c);
    assert_int_equal(mmu_used_cells(library_get()->asic->mmu), 0);
}

int
main(void)
{
#define TD2(name) cmocka_unit_test_setup_teardown(name, setup_td2, teardown)
#define GENERIC(name)                                                          \
    cmocka_unit_test_setup_teardown(name, setup_generic, teardown)
    const struct CMUnitTest tests[] = {
        TD2(test_td2_pauses_and_drops_where_hardware_does),
        cmocka_unit_test_setup_teardown(
            test_td2_leaks_as_many_as_its_counters_say, setup_td2_leaking,
            teardown),
        TD2(test_td2_resumes_after_twelve_frames),
        TD2(test_td2_drops_lossy_at_egress),
        TD2(test_pause_needs_pfc_to_be_enabled),
        TD2(test_separate_pfc_uses_the_mask_for_transmission),
        TD2(test_profile_changes_under_load),
        TD2(test_shrinking_below_the_occupancy_drains),
        TD2(test_maps_classify),
        TD2(test_received_frames_keep_their_queue_when_maps_change),
        TD2(test_frames_follow_addresses),
        TD2(test_bad_orders_are_refused),
        TD2(test_clearing_one_counter_leaves_the_others),
        TD2(test_cleared_watermark_restarts_at_the_occupancy),
        TD2(test_watermarks_of_all_levels_restart),
        TD2(test_time_of_pauses_sent_is_reported),
        TD2(test_links_are_paused_by_8023x),
        TD2(test_pool_counts_all_its_users),
        TD2(test_bad_counters_write_nothing),
        TD2(test_capabilities_are_true),
        TD2(test_exact_codes),
        TD2(test_refused_change_leaves_no_trace),
        TD2(test_objects_in_use_stay),
        TD2(test_port_goes_away_under_load),
        GENERIC(test_ports_may_share_one_lane),
        GENERIC(test_generic_carries_514_ports),
        TD2(test_ports_run_out),
        TD2(test_port_has_the_speeds_of_its_lanes),
        TD2(test_bulk_stops_or_goes_on),
        TD2(test_switch_tells_what_it_is),
        TD2(test_port_children_know_where_they_belong),
        TD2(test_shared_size_moves_with_attachments),
        cmocka_unit_test(test_unknown_model_is_an_error),
        TD2(test_td2_watcher_sees_the_pause_at_the_threshold),
        cmocka_unit_test(test_library_before_and_after),
        TD2(test_no_table_has_an_empty_slot),
        TD2(test_dump_is_written),
        TD2(test_time_advances_only_on_request),
        TD2(test_random_calls_under_load_keep_the_books),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
