/* SPDX-License-Identifier: Apache-2.0 */

/* Maps names to the flows and peers of softasic. */

#include <config.h>

#include "orchd/testbench/flows.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/picoseconds.h"
#include "base/text.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "vendors/softasic/softasic.h"

/* The largest number of nanoseconds that fits when converted to picoseconds. */
#define NS_MAX (UINT64_C(1) << 50)

#define CABLE_MAX_M 100000

/* SONiC allows 128 characters. */
enum { PORT_NAME_SIZE = 129 };

/* Returns the index of 'name' in a list, or 'n' if it is not there. */
static size_t
find_name(char *const *names, size_t n, const char *name)
{
    size_t i = 0;

    while (i < n && strcmp(names[i], name)) {
        i++;
    }
    return i;
}

static void
add_name(char ***names, size_t *n, const char *name)
{
    *names = check_realloc(*names, (*n + 1) * sizeof **names);
    (*names)[(*n)++] = check_strdup(name);
}

enum st
flows_peer(struct flows *flows, const struct flows_switch *sw,
           const struct target_peer *peer, struct err *err)
{
    const struct softasic_peer config = {
        .cable_m = peer->cable_m,
        .obeys_priorities = peer->obeys,
        .obeys_all = peer->obeys_global,
        .response_ps = (int64_t)peer->response_ns * PS_PER_NS,
        .n_hosts = peer->n_hosts,
    };
    sai_object_id_t port;
    enum st st = switch_query_check_soft(sw->query, err);

    st = st ? st : switch_query_port(sw->query, peer->port, &port, err);

    st = st ? st
            : switch_query_status(sw->softasic->peer(port, &config),
                                  "connect a peer", err);
    if (!st &&
        find_name(flows->peers, flows->n_peers, peer->port) == flows->n_peers) {
        add_name(&flows->peers, &flows->n_peers, peer->port);
    }
    return st;
}

/* Returns the cable length of port 'name' according to CABLE_LENGTH ("40m"), or
 * 0 if there is none. */
static uint32_t
cable_of(const struct flows_switch *sw, const char *name)
{
    const struct row *row = agent_row(sw->agent, TABLE_CABLE_LENGTH, "AZURE");
    const char *text = row ? row_field(row, name) : NULL;
    char digits[16] = "";
    uint64_t length = 0;

    if (text && text_copy(digits, sizeof digits, text)) {
        digits[strcspn(digits, "m")] = '\0';
    }
    return parse_u64(digits, 0, CABLE_MAX_M, &length) ? 0 : (uint32_t)length;
}

/* Splits 'name', "PORT.NUMBER", into '*host' and 'port', which has 'size'
 * bytes.  Returns false if it has no number. */
static bool
split_host(const char *name, char *port, size_t size, uint32_t *host)
{
    const char *dot = strrchr(name, '.');
    uint64_t number;

    if (!dot || parse_u64(dot + 1, 1, TARGET_HOSTS_MAX, &number) ||
        !text_copy(port, size, name)) {
        return false;
    }
    port[dot - name] = '\0';
    *host = (uint32_t)number;
    return true;
}

/* Stores the port called 'name'; connects a peer to it if it has none. */
static enum st
need_peer(struct flows *flows, const struct flows_switch *sw, const char *name,
          sai_object_id_t *port, struct err *err)
{
    const struct target_peer peer = {.port = name,
                                     .cable_m = cable_of(sw, name)};
    enum st st = switch_query_check_soft(sw->query, err);

    st = st ? st : switch_query_port(sw->query, name, port, err);
    if (!st &&
        find_name(flows->peers, flows->n_peers, name) == flows->n_peers) {
        st = flows_peer(flows, sw, &peer, err);
    }
    return st;
}

/* Finds an endpoint of a flow: the peer of a port, or a host ("PORT.NUMBER")
 * behind a peer that is a switch. */
static enum st
find_end(struct flows *flows, const struct flows_switch *sw, const char *name,
         sai_object_id_t *port, uint32_t *host, struct err *err)
{
    char of_port[PORT_NAME_SIZE];
    struct err no_port;

    *host = 0;
    if (switch_query_port(sw->query, name, port, &no_port) == ST_OK ||
        !split_host(name, of_port, sizeof of_port, host)) {
        return need_peer(flows, sw, name, port, err);
    }
    if (find_name(flows->peers, flows->n_peers, of_port) == flows->n_peers) {
        return err_set(err, ST_INVALID, "usage",
                       "there is no host %s: port %s has no peer with hosts",
                       name, of_port);
    }
    return switch_query_port(sw->query, of_port, port, err);
}

/* Stores the rate of 'flow' in bits per second; 0 for line rate. */
static enum st
find_rate(const struct flows_switch *sw, const struct target_flow *flow,
          sai_object_id_t from, uint64_t *bits_per_s, struct err *err)
{
    sai_attribute_value_t speed = {.u32 = 0};

    *bits_per_s = flow->rate_bps;
    if (!flow->rate_ppm) {
        return ST_OK;
    }
    if (!switch_query_get(sw->query, SAI_OBJECT_TYPE_PORT, from,
                          SAI_PORT_ATTR_SPEED, &speed)) {
        return err_set(err, ST_DEVICE, "no-speed",
                       "the speed of port %s is unknown", flow->from);
    }
    *bits_per_s = (uint64_t)speed.u32 * flow->rate_ppm; /* Mb/s times ppm */
    return ST_OK;
}

enum st
flows_start(struct flows *flows, const struct flows_switch *sw,
            const struct target_flow *flow, struct err *err)
{
    static const enum softasic_pace paces[N_TARGET_PATTERNS] = {
        [TARGET_PATTERN_CONSTANT] = SOFTASIC_PACE_CONSTANT,
        [TARGET_PATTERN_BURST] = SOFTASIC_PACE_BURST,
        [TARGET_PATTERN_ON_OFF] = SOFTASIC_PACE_ON_OFF,
        [TARGET_PATTERN_POISSON] = SOFTASIC_PACE_POISSON,
    };
    struct softasic_flow config = {
        .number = (uint32_t)flows->n_names,
        .look = {.frame_bytes = flow->size_bytes,
                 .dscp = flow->dscp,
                 .ecn = flow->ecn,
                 .has_tag = flow->header.has_tag,
                 .vlan = flow->header.vlan,
                 .pcp = flow->header.pcp,
                 .is_not_ip = flow->header.is_not_ip,
                 .ip_id = flow->header.ip_id},
        .pace = paces[flow->pattern],
        .n_frames = flow->count,
        .delay_ps = (int64_t)(flow->delay_ns % NS_MAX) * PS_PER_NS,
        .n_burst = flow->burst,
        .on_ps = (int64_t)(flow->on_ns % NS_MAX) * PS_PER_NS,
        .off_ps = (int64_t)(flow->off_ns % NS_MAX) * PS_PER_NS,
        .priority = flow->priority,
    };
    enum st st;

    if (find_name(flows->names, flows->n_names, flow->name) < flows->n_names) {
        return err_set(err, ST_INVALID, "usage", "flow %s exists already",
                       flow->name);
    }
    st = find_end(flows, sw, flow->from, &config.look.from, &config.from_host,
                  err);
    st = st ? st
            : find_end(flows, sw, flow->to, &config.look.to, &config.to_host,
                       err);
    st = st ? st
            : find_rate(sw, flow, config.look.from, &config.bits_per_s, err);
    st = st ? st
            : switch_query_status(sw->softasic->flow(&config), "start a flow",
                                  err);
    if (!st) {
        add_name(&flows->names, &flows->n_names, flow->name);
    }
    return st;
}

enum st
flows_stop(struct flows *flows, const struct flows_switch *sw, const char *name,
           struct err *err)
{
    size_t i = find_name(flows->names, flows->n_names, name);

    if (i == flows->n_names) {
        struct choices choices;

        choices_init(&choices, name);
        for (i = 0; i < flows->n_names; i++) {
            choices_add(&choices, flows->names[i]);
        }
        err_set(err, ST_INVALID, "usage", "there is no flow %s", name);
        return choices_explain(&choices, "flow", err);
    }
    return switch_query_status(sw->softasic->flow_stop((uint32_t)i),
                               "stop a flow", err);
}

enum st
flows_storm(struct flows *flows, const struct flows_switch *sw,
            const struct target_storm *storm, struct err *err)
{
    const struct softasic_storm config = {
        .pause = {.all = storm->is_global,
                  .priorities = storm->priorities,
                  .quanta = storm->quanta},
        .zero_source = storm->zero_source,
        .interval_ps = (int64_t)(storm->interval_ns % NS_MAX) * PS_PER_NS,
        .n_frames = storm->count,
    };
    sai_object_id_t port;
    enum st st = need_peer(flows, sw, storm->port, &port, err);

    return st ? st
              : switch_query_status(sw->softasic->storm(port, &config),
                                    "start a storm", err);
}

enum st
flows_storm_stop(struct flows *flows, const struct flows_switch *sw,
                 const char *name, struct err *err)
{
    sai_object_id_t port;
    enum st st = need_peer(flows, sw, name, &port, err);

    return st ? st
              : switch_query_status(sw->softasic->storm_stop(port),
                                    "stop a storm", err);
}

/* Fills '*reading' with 'n' counters. */
static void
fill(struct arena *arena, const struct target_stat *stats, size_t n,
     struct target_reading *reading)
{
    struct target_stat *list = arena_alloc(arena, n, sizeof *list);

    memcpy(list, stats, n * sizeof *list);
    *reading = (struct target_reading){n, list};
}

static enum st
read_flow(const struct flows *flows, const struct flows_switch *sw,
          const char *name, struct arena *arena, struct target_reading *reading,
          struct err *err)
{
    size_t number = find_name(flows->names, flows->n_names, name);
    struct softasic_flow_state state = {0};
    enum st st = ST_OK;

    if (number < flows->n_names) {
        st = switch_query_status(
            sw->softasic->flow_state((uint32_t)number, &state), "read a flow",
            err);
    }
    if (!st) {
        const struct target_stat stats[] = {
            {"sent", state.n_sent},
            {"received", state.n_received},
            {"lost", state.n_sent - state.n_received},
            {"received_bytes", state.n_received_bytes},
            {"ce", state.n_marked},
            {"late", state.n_late},
            {"duplicates", state.n_duplicates},
            {"min_latency_ps", (uint64_t)state.min_ps},
            {"mean_latency_ps", (uint64_t)state.mean_ps},
            {"max_latency_ps", (uint64_t)state.max_ps},
            {"p50_latency_ps", (uint64_t)state.p50_ps},
            {"p99_latency_ps", (uint64_t)state.p99_ps},
            {"first_ps", (uint64_t)state.first_ps},
            {"last_ps", (uint64_t)state.last_ps},
        };

        fill(arena, stats, sizeof stats / sizeof *stats, reading);
    }
    return st;
}

static enum st
read_peer(const struct flows *flows, const struct flows_switch *sw,
          const char *name, struct arena *arena, struct target_reading *reading,
          struct err *err)
{
    struct softasic_peer_state state = {0};
    sai_object_id_t port;
    enum st st = switch_query_port(sw->query, name, &port, err);

    if (!st && find_name(flows->peers, flows->n_peers, name) < flows->n_peers) {
        st = switch_query_status(sw->softasic->peer_state(port, &state),
                                 "read a peer", err);
    }
    if (!st) {
        const struct target_stat stats[] = {
            {"sent", state.n_sent},
            {"received", state.n_received},
            {"pauses_sent", state.n_pauses_sent},
            {"pauses_received", state.n_pauses_received},
            {"paused", state.paused},
            {"all_paused", state.all_paused},
        };

        fill(arena, stats, sizeof stats / sizeof *stats, reading);
    }
    return st;
}

enum st
flows_read(const struct flows *flows, const struct flows_switch *sw,
           const struct target_object *object, struct arena *arena,
           struct target_reading *reading, struct err *err)
{
    enum st st = switch_query_check_soft(sw->query, err);

    if (st) {
        return st;
    }
    return object->kind == TARGET_FLOW
               ? read_flow(flows, sw, object->name, arena, reading, err)
               : read_peer(flows, sw, object->name, arena, reading, err);
}

enum st
flows_end(struct flows *flows, struct switch_query *query,
          const struct softasic_ops *softasic, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; i < flows->n_peers; i++) {
        struct err another = {0};
        sai_object_id_t port;
        enum st now =
            switch_query_port(query, flows->peers[i], &port, &another);

        /* The peer of a removed port was removed with it. */
        now = now ? ST_OK
                  : switch_query_status(softasic->peer_remove(port),
                                        "remove a peer", &another);
        if (now && !st) {
            *err = another;
            st = now;
        }
    }
    flows_fini(flows);
    return st;
}

void
flows_fini(struct flows *flows)
{
    for (size_t i = 0; i < flows->n_names; i++) {
        free(flows->names[i]);
    }
    for (size_t i = 0; i < flows->n_peers; i++) {
        free(flows->peers[i]);
    }
    free(flows->names);
    free(flows->peers);
    memset(flows, 0, sizeof *flows);
}
