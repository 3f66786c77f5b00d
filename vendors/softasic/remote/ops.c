/* SPDX-License-Identifier: Apache-2.0 */

/* What libsai-softasic.so can do besides SAI: the table of functions.
 *
 * Each function finds the switch of the process, judges what only the table
 * can (missing memory), and hands on to the module that does it. */

#include <config.h>

#include "vendors/softasic/softasic.h"

#include <stddef.h>

#include "vendors/remote/connection.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/remote/ops_remote.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/traffic/frames.h"
#include "vendors/softasic/traffic/inspect.h"
#include "vendors/softasic/traffic/peers.h"
#include "vendors/softasic/traffic/traffic.h"

/* Returns from the function unless there is a switch and all is well. */
#define REQUIRE(asic, condition)                                               \
    do {                                                                       \
        if (!(asic)) {                                                         \
            return SAI_STATUS_UNINITIALIZED;                                   \
        }                                                                      \
        if (!(condition)) {                                                    \
            return SAI_STATUS_INVALID_PARAMETER;                               \
        }                                                                      \
    } while (0)

/* Tells what happened, at the end of a call with outcome 'status'. */
static sai_status_t
told(struct daemon_switch *asic, sai_status_t status)
{
    notify_deliver(asic);
    return status;
}

static sai_status_t
ops_chip(struct softasic_chip *chip)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, chip);
    inspect_chip(asic, chip);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
ops_send(const struct softasic_send *send, struct softasic_sent *sent)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, send && sent);
    return told(asic, traffic_send_ip(asic, send, NULL, sent));
}

static sai_status_t
ops_run(int64_t duration_ps)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, duration_ps >= 0 &&
                      duration_ps <= INT64_MAX - sim_now_ps(asic->sim));
    sim_run_until(asic->sim, sim_now_ps(asic->sim) + duration_ps);
    return told(asic, SAI_STATUS_SUCCESS);
}

static sai_status_t
ops_settle(uint64_t *n_sent)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, true);
    return told(asic, peers_settle(asic, n_sent));
}

static sai_status_t
ops_now(int64_t *now_ps)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, now_ps);
    *now_ps = sim_now_ps(asic->sim);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
ops_step(uint64_t n_instants, uint64_t *n_done)
{
    struct daemon_switch *asic = library_get()->asic;
    uint64_t n = 0;

    REQUIRE(asic, true);
    while (n < n_instants && sim_next_ps(asic->sim) != EVENT_NEVER) {
        sim_run_until(asic->sim, sim_next_ps(asic->sim));
        n++;
    }
    if (n_done) {
        *n_done = n;
    }
    return told(asic, SAI_STATUS_SUCCESS);
}

static sai_status_t
ops_pg_state(sai_object_id_t pg, struct softasic_pg_state *state)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, state);
    return inspect_pg(asic, pg, state);
}

static sai_status_t
ops_queue_state(sai_object_id_t queue, struct softasic_queue_state *state)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, state);
    return inspect_queue(asic, queue, state);
}

static sai_status_t
ops_pool_state(sai_object_id_t pool, struct softasic_pool_state *state)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, state);
    return inspect_pool(asic, pool, state);
}

static sai_status_t
ops_port_state(sai_object_id_t port, struct softasic_port_state *state)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, state);
    return inspect_port(asic, port, state);
}

static sai_status_t
ops_classify(sai_object_id_t from, sai_object_id_t to, uint8_t dscp,
             struct softasic_class *class)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, class);
    return traffic_where(asic, from, to, dscp, class);
}

static sai_status_t
ops_received(sai_object_id_t port, uint32_t *n, struct softasic_received *rows)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, n && (*n == 0 || rows));
    return traffic_received(asic, port, n, rows);
}

static sai_status_t
ops_l2_set(const sai_mac_t mac, sai_object_id_t port)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, mac);
    return traffic_l2_set(asic, mac, port);
}

static sai_status_t
ops_l2_clear(void)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, true);
    return traffic_l2_clear(asic);
}

static sai_status_t
ops_inject(sai_object_id_t port, uint32_t n_bytes, const uint8_t *bytes)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, bytes);
    return told(asic, frames_inject(asic, port, n_bytes, bytes));
}

static sai_status_t
ops_capture(sai_object_id_t port, bool on)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, true);
    return frames_capture(asic, port, on);
}

static sai_status_t
ops_captured(sai_object_id_t port, uint32_t *n_bytes, uint8_t *bytes)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, n_bytes && (*n_bytes == 0 || bytes));
    return frames_take(asic, port, n_bytes, bytes);
}

static sai_status_t
ops_send_ip(const struct softasic_send *send, const struct softasic_ip *ip,
            struct softasic_sent *sent)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, send && ip && sent);
    return told(asic, traffic_send_ip(asic, send, ip, sent));
}

static sai_status_t
ops_routed(uint32_t reason, const char **text, uint64_t *n_packets)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, text && n_packets && reason < ROUTER_N_REASONS);
    *text = router_reason_text((enum router_reason)reason);
    *n_packets =
        router_count(sim_router(asic->sim), (enum router_reason)reason);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
ops_pause(sai_object_id_t port, const struct softasic_pause *pause)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, pause);
    return told(asic, traffic_pause(asic, port, pause));
}

static sai_status_t
ops_trace(sai_object_id_t port, uint32_t n_frames)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, true);
    return traffic_trace(asic, port, n_frames);
}

static sai_status_t
ops_traced(sai_object_id_t port, uint32_t *n,
           struct softasic_departure *departures)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, n && (*n == 0 || departures));
    return traffic_traced(asic, port, n, departures);
}

static sai_status_t
ops_queue_deadlock(sai_object_id_t queue, bool dead)
{
    struct daemon_switch *asic = library_get()->asic;
    struct objects_item *item;
    sai_status_t status;

    REQUIRE(asic, true);
    status = objects_locate(asic->objects, SAI_OBJECT_TYPE_QUEUE, queue, &item);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    REQUIRE(asic, objects_number(item, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR));
    notify_deadlock(asic, queue, dead);
    return told(asic, SAI_STATUS_SUCCESS);
}

static sai_status_t
ops_peer(sai_object_id_t port, const struct softasic_peer *peer)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, peer);
    return peers_connect(asic, port, peer);
}

static sai_status_t
ops_peer_state(sai_object_id_t port, struct softasic_peer_state *state)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, state);
    return peers_state(asic, port, state);
}

static sai_status_t
ops_flow(const struct softasic_flow *flow)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, flow);
    return peers_flow(asic, flow);
}

static sai_status_t
ops_flow_stop(uint32_t number)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, true);
    return peers_flow_stop(asic, number);
}

static sai_status_t
ops_flow_state(uint32_t number, struct softasic_flow_state *state)
{
    const struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, state);
    return peers_flow_state(asic, number, state);
}

static sai_status_t
ops_storm(sai_object_id_t port, const struct softasic_storm *storm)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, storm);
    return peers_storm(asic, port, storm);
}

static sai_status_t
ops_storm_stop(sai_object_id_t port)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, true);
    return peers_storm_stop(asic, port);
}

static sai_status_t
ops_peer_remove(sai_object_id_t port)
{
    struct daemon_switch *asic = library_get()->asic;

    REQUIRE(asic, true);
    return peers_remove(asic, port);
}

const struct softasic_ops *
softasic_ops(uint32_t version)
{
    static const struct softasic_ops ops = {
        .version = SOFTASIC_OPS_VERSION,
        .chip = ops_chip,
        .send = ops_send,
        .run = ops_run,
        .settle = ops_settle,
        .now = ops_now,
        .step = ops_step,
        .pg_state = ops_pg_state,
        .queue_state = ops_queue_state,
        .pool_state = ops_pool_state,
        .port_state = ops_port_state,
        .classify = ops_classify,
        .received = ops_received,
        .l2_set = ops_l2_set,
        .l2_clear = ops_l2_clear,
        .inject = ops_inject,
        .capture = ops_capture,
        .captured = ops_captured,
        .send_ip = ops_send_ip,
        .routed = ops_routed,
        .pause = ops_pause,
        .trace = ops_trace,
        .traced = ops_traced,
        .queue_deadlock = ops_queue_deadlock,
        .peer = ops_peer,
        .peer_state = ops_peer_state,
        .flow = ops_flow,
        .flow_stop = ops_flow_stop,
        .flow_state = ops_flow_state,
        .storm = ops_storm,
        .storm_stop = ops_storm_stop,
        .peer_remove = ops_peer_remove,
    };

    if (version != SOFTASIC_OPS_VERSION) {
        return NULL;
    }
    return connection_client() ? ops_remote() : &ops;
}
