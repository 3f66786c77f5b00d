/* SPDX-License-Identifier: Apache-2.0 */

/* The steps that send: packets one after another ("send"), flows while time
 * passes ("flow", "stop"), and pause frames from a peer ("storm"). */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/pfc.h"
#include "breakpoint/steps.h"

#define FRAMES_MAX INT64_C(100000000)
#define HOUR_NS    (INT64_C(3600) * 1000 * 1000 * 1000)
#define NS_PER_US  1000

/* The properties of frames as written in a scenario. */
struct look_yaml {
    int64_t size, dscp, ecn, pcp, vlan, ttl, ip_id, not_ip;
};

#define LOOK_DEFAULT                                                           \
    {                                                                          \
        .size = 64, .pcp = -1, .ttl = 64                                       \
    }

/* One of these keys, and all of them, for a struct that has a struct look_yaml
 * 'look'. */
#define LOOK(type, key, member, min, max)                                      \
    {                                                                          \
        key, MAP_KEY_NUMBER, false, offsetof(type, look.member), min, max,     \
            NULL                                                               \
    }
#define LOOK_KEYS(type)                                                        \
    LOOK(type, "size", size, 60, 16379), LOOK(type, "dscp", dscp, 0, 63),      \
        LOOK(type, "ecn", ecn, 0, 3), LOOK(type, "pcp", pcp, 0, 7),            \
        LOOK(type, "vlan", vlan, 0, 4094), LOOK(type, "ttl", ttl, 1, 255),     \
        LOOK(type, "ip_id", ip_id, 0, 65535),                                  \
        LOOK(type, "not_ip", not_ip, 0, 1)

static struct target_header
header_of(const struct look_yaml *look)
{
    return (struct target_header){.has_tag = look->pcp >= 0 || look->vlan > 0,
                                  .vlan = (uint16_t)look->vlan,
                                  .pcp =
                                      (uint8_t)(look->pcp >= 0 ? look->pcp : 0),
                                  .ttl = (uint8_t)look->ttl,
                                  .ip_id = (uint16_t)look->ip_id,
                                  .is_not_ip = look->not_ip != 0};
}

/* --- send ---------------------------------------------------------------- */

static const char *const until_words[] = {
#define X(member, word) word,
    TARGET_UNTIL_LIST(X)
#undef X
        NULL,
};

/* "send" as written in a scenario. */
struct send_yaml {
    const char *from, *to;
    int until;
    int64_t n, limit, flows;
    struct look_yaml look;
};

/* The first two keys exclude each other. */
static const struct map_key send_keys[] = {
    {"n", MAP_KEY_NUMBER, false, offsetof(struct send_yaml, n), 0, FRAMES_MAX,
     NULL},
    {"until", MAP_KEY_WORD, false, offsetof(struct send_yaml, until), 0, 0,
     until_words},
    {"limit", MAP_KEY_NUMBER, false, offsetof(struct send_yaml, limit), 1,
     FRAMES_MAX, NULL},
    {"from", MAP_KEY_TEXT, true, offsetof(struct send_yaml, from), 0, 0, NULL},
    {"to", MAP_KEY_TEXT, true, offsetof(struct send_yaml, to), 0, 0, NULL},
    {"flows", MAP_KEY_NUMBER, false, offsetof(struct send_yaml, flows), 1, 1000,
     NULL},
    LOOK_KEYS(struct send_yaml),
};

/* Reads "send".  A count and a condition exclude each other: with both it would
 * not be clear which one ends the send. */
enum st
step_traffic_load_send(struct loader *loader, struct fy_node *node,
                       struct step *step)
{
    struct send_yaml form = {
        .limit = 1000000, .flows = 1, .look = LOOK_DEFAULT};
    uint64_t seen;
    enum st st = loader_map(loader, node, "send", send_keys,
                            N_MAP_KEYS(send_keys), &form, &seen);

    if (st) {
        return st;
    }
    if (!(seen & 1) == !(seen & 2)) {
        return document_fail(loader->document, node, loader->err,
                             seen & 1
                                 ? "send has both n and until: give only one"
                                 : "send needs either n or until");
    }
    if (form.flows > 1 && !(seen & 1)) {
        return document_fail(loader->document, node, loader->err,
                             "several flows need n, not until");
    }
    step->send.from = form.from;
    step->send.to = form.to;
    step->send.until = (enum target_until)form.until;
    step->send.count = (uint64_t)(seen & 1 ? form.n : form.limit);
    step->send.size_bytes = (uint32_t)form.look.size;
    step->send.dscp = (uint8_t)form.look.dscp;
    step->send.ecn = (uint8_t)form.look.ecn;
    step->send.header = header_of(&form.look);
    step->send.flows = (uint32_t)form.flows;
    return ST_OK;
}

/* --- flow, stop ---------------------------------------------------------- */

static const char *const pattern_words[] = {
#define X(member, word) word,
    TARGET_PATTERN_LIST(X)
#undef X
        NULL,
};

/* "flow" as written in a scenario. */
struct flow_yaml {
    const char *name, *from, *to;
    int pattern;
    int64_t percent, permille, rate_mbps, n, burst, prio;
    int64_t delay_us, delay_ns, on_us, off_us;
    struct look_yaml look;
};

static const struct map_key flow_keys[] = {
    {"percent", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, percent), 1,
     100, NULL},
    {"permille", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, permille), 1,
     1000, NULL},
    {"mbps", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, rate_mbps), 1,
     3200000, NULL},
    {"name", MAP_KEY_TEXT, true, offsetof(struct flow_yaml, name), 0, 0, NULL},
    {"from", MAP_KEY_TEXT, true, offsetof(struct flow_yaml, from), 0, 0, NULL},
    {"to", MAP_KEY_TEXT, true, offsetof(struct flow_yaml, to), 0, 0, NULL},
    {"n", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, n), 1,
     INT64_C(10000000000), NULL},
    {"prio", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, prio), 0,
     PFC_N_PRIORITIES - 1, NULL},
    {"pattern", MAP_KEY_WORD, false, offsetof(struct flow_yaml, pattern), 0, 0,
     pattern_words},
    {"burst", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, burst), 1,
     FRAMES_MAX, NULL},
    {"delay_us", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, delay_us), 0,
     HOUR_NS / NS_PER_US, NULL},
    {"delay_ns", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, delay_ns), 0,
     HOUR_NS, NULL},
    {"on_us", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, on_us), 1,
     HOUR_NS / NS_PER_US, NULL},
    {"off_us", MAP_KEY_NUMBER, false, offsetof(struct flow_yaml, off_us), 1,
     HOUR_NS / NS_PER_US, NULL},
    LOOK_KEYS(struct flow_yaml),
};

/* Checks which keys are given together. */
static enum st
check_flow(struct loader *loader, struct fy_node *node,
           const struct flow_yaml *form, uint64_t seen)
{
    const bool bursts = form->pattern == TARGET_PATTERN_BURST;
    const bool on_off = form->pattern == TARGET_PATTERN_ON_OFF;

    if (__builtin_popcountll(seen & 7) > 1) {
        return document_fail(
            loader->document, node, loader->err,
            "a flow takes only one of percent, permille and mbps");
    }
    if (bursts != (form->burst > 0) ||
        (bursts && (!form->off_us || seen & 7)) ||
        (on_off && (!form->on_us || !form->off_us)) ||
        (form->pattern == TARGET_PATTERN_POISSON && !(seen & 7))) {
        return document_fail(
            loader->document, node, loader->err,
            "pattern burst needs burst and off_us and has no rate; on_off "
            "needs on_us and off_us; poisson needs a rate");
    }
    return ST_OK;
}

enum st
step_traffic_load_flow(struct loader *loader, struct fy_node *node,
                       struct step *step)
{
    struct flow_yaml form = {.prio = -1, .look = LOOK_DEFAULT};
    struct target_flow *flow = &step->flow;
    uint64_t seen;
    enum st st = loader_map(loader, node, "flow", flow_keys,
                            N_MAP_KEYS(flow_keys), &form, &seen);

    st = st ? st : check_flow(loader, node, &form, seen);
    if (st) {
        return st;
    }
    loader_add_flow(loader, form.name);
    flow->name = form.name;
    flow->from = form.from;
    flow->to = form.to;
    flow->pattern = (enum target_pattern)form.pattern;
    flow->rate_ppm = (uint64_t)(form.percent * 10000 + form.permille * 1000);
    flow->rate_bps = (uint64_t)form.rate_mbps * 1000000;
    flow->count = (uint64_t)form.n;
    flow->delay_ns = (uint64_t)(form.delay_us * NS_PER_US + form.delay_ns);
    flow->burst = (uint64_t)form.burst;
    flow->on_ns = (uint64_t)form.on_us * NS_PER_US;
    flow->off_ns = (uint64_t)form.off_us * NS_PER_US;
    flow->size_bytes = (uint32_t)form.look.size;
    flow->dscp = (uint8_t)form.look.dscp;
    flow->ecn = (uint8_t)form.look.ecn;
    flow->header = header_of(&form.look);
    /* The default is the usual DSCP map. */
    flow->priority = (uint8_t)(form.prio >= 0                  ? form.prio
                               : flow->dscp < PFC_N_PRIORITIES ? flow->dscp
                                                               : 0);
    return ST_OK;
}

/* Reads "stop": names of flows, or {flows, storms}. */
enum st
step_traffic_load_stop(struct loader *loader, struct fy_node *node,
                       struct step *step)
{
    struct stop_yaml {
        struct fy_node *flows, *storms;
    } form = {node, NULL};
    static const struct map_key keys[] = {
        {"flows", MAP_KEY_NODE, false, offsetof(struct stop_yaml, flows), 0, 0,
         NULL},
        {"storms", MAP_KEY_NODE, false, offsetof(struct stop_yaml, storms), 0,
         0, NULL},
    };
    uint64_t seen;
    enum st st = ST_OK;

    if (node && fy_node_is_mapping(node)) {
        form.flows = NULL;
        st = loader_map(loader, node, "stop", keys, N_MAP_KEYS(keys), &form,
                        &seen);
    }
    if (!st && form.flows) {
        st = loader_names(loader, form.flows, &step->stop.flows,
                          &step->stop.n_flows);
    }
    if (!st && form.storms) {
        st = loader_names(loader, form.storms, &step->stop.storms,
                          &step->stop.n_storms);
    }
    if (!st && !step->stop.n_flows && !step->stop.n_storms) {
        st = document_fail(
            loader->document, node, loader->err,
            "expected names of flows, or a map with flows and storms");
    }
    return st;
}

/* --- storm --------------------------------------------------------------- */

/* "storm" as written in a scenario. */
struct storm_yaml {
    const char *port;
    struct fy_node *priorities;
    int64_t cev, quanta, interval_us, interval_ns, n, duration_us, zero, global;
};

static const struct map_key storm_keys[] = {
    {"prios", MAP_KEY_NODE, false, offsetof(struct storm_yaml, priorities), 0,
     0, NULL},
    {"cev", MAP_KEY_NUMBER, false, offsetof(struct storm_yaml, cev), 0, 255,
     NULL},
    {"global", MAP_KEY_NUMBER, false, offsetof(struct storm_yaml, global), 0, 1,
     NULL},
    {"n", MAP_KEY_NUMBER, false, offsetof(struct storm_yaml, n), 1, FRAMES_MAX,
     NULL},
    {"duration_us", MAP_KEY_NUMBER, false,
     offsetof(struct storm_yaml, duration_us), 1, HOUR_NS / NS_PER_US, NULL},
    {"port", MAP_KEY_TEXT, true, offsetof(struct storm_yaml, port), 0, 0, NULL},
    {"quanta", MAP_KEY_NUMBER, false, offsetof(struct storm_yaml, quanta), 0,
     65535, NULL},
    {"interval_us", MAP_KEY_NUMBER, false,
     offsetof(struct storm_yaml, interval_us), 1, HOUR_NS / NS_PER_US, NULL},
    {"interval_ns", MAP_KEY_NUMBER, false,
     offsetof(struct storm_yaml, interval_ns), 1, HOUR_NS, NULL},
    {"zero_src_mac", MAP_KEY_NUMBER, false, offsetof(struct storm_yaml, zero),
     0, 1, NULL},
};

/* The first three keys select what to pause, the next two the duration. */
static enum st
check_storm(struct loader *loader, struct fy_node *node,
            const struct storm_yaml *form, uint64_t seen)
{
    if (__builtin_popcountll(seen & 7) != 1 || ((seen & 4) && !form->global)) {
        return document_fail(loader->document, node, loader->err,
                             "storm needs one of prios, cev and global: 1");
    }
    if ((seen & 8) && (seen & 16)) {
        return document_fail(loader->document, node, loader->err,
                             "storm takes n or duration_us, not both");
    }
    return ST_OK;
}

/* Reads "storm".  Frames have to follow within the pause time, which depends on
 * the port speed; the default interval is short enough for any speed. */
enum st
step_traffic_load_storm(struct loader *loader, struct fy_node *node,
                        struct step *step)
{
    struct storm_yaml form = {.quanta = 65535};
    struct target_storm *storm = &step->storm;
    uint64_t seen;
    uint32_t bits = 0;
    enum st st = loader_map(loader, node, "storm", storm_keys,
                            N_MAP_KEYS(storm_keys), &form, &seen);

    st = st ? st : check_storm(loader, node, &form, seen);
    if (!st && form.priorities) {
        st = loader_bits(loader, form.priorities, "prios", PFC_N_PRIORITIES,
                         &bits);
    }
    if (st) {
        return st;
    }
    storm->port = form.port;
    storm->is_global = form.global != 0;
    storm->priorities = (uint8_t)(form.priorities ? bits : (uint32_t)form.cev);
    storm->quanta = (uint16_t)form.quanta;
    storm->interval_ns =
        (uint64_t)(form.interval_us * NS_PER_US + form.interval_ns);
    if (!storm->interval_ns) {
        storm->interval_ns = 10 * NS_PER_US;
    }
    storm->count = (uint64_t)form.n;
    if (form.duration_us) {
        storm->count =
            ((uint64_t)form.duration_us * NS_PER_US - 1) / storm->interval_ns +
            1;
    }
    storm->zero_source = form.zero != 0;
    return ST_OK;
}
