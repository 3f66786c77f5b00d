/* SPDX-License-Identifier: Apache-2.0 */

/* The adapters of a run, from the 'hosts' of its scenario. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lab/exec/run_queue_pairs.h"
#include "lab/exec/run_state.h"

enum {
    MBPS = 1000000,
    RETRIES_ENDLESS = 7, /* Of the verbs. */
    QUEUE_DEPTH = 16,    /* Work requests, unless traffic needs more. */
    PERMILLE = 1000,
    PERCENT = 100,
    MIN_RATE_SHARE = 1000, /* Of SRD: of the line rate. */
};

/* DCQCN -------------------------------------------------------------------- */

/* How a knob of a scenario becomes a member of a profile. */
enum knob_kind {
    KNOB_INT64,    /* The same. */
    KNOB_UINT32,   /* From int64_t. */
    KNOB_UINT8,    /* From int64_t. */
    KNOB_FLAG,     /* bool. */
    KNOB_WORD,     /* From int, to an enumeration with equal values. */
    KNOB_FRACTION, /* From struct ratio, to two uint32_t. */
    KNOB_PERMILLE, /* From struct ratio, to uint32_t. */
    KNOB_PERCENT,  /* Likewise. */
};

struct knob {
    enum knob_kind kind;
    size_t from, to; /* Offsets in dcqcn_spec and dcqcn_profile. */
};

static const char *const knob_keys[] = {
#define X(member, key) [DCQCN_KNOB_##member] = key,
    DCQCN_KNOBS(X)
#undef X
};

#define KNOB(member, kind, from_member, to_member)                             \
    [DCQCN_KNOB_##member] = {KNOB_##kind,                                      \
                             offsetof(struct dcqcn_spec, from_member),         \
                             offsetof(struct dcqcn_profile, to_member)}

static const struct knob knobs[DCQCN_N_KNOBS] = {
    KNOB(G, FRACTION, g, g_numerator),
    KNOB(ALPHA_MODE, WORD, alpha_mode, alpha_mode),
    KNOB(ALPHA_PERIOD, INT64, alpha_period_ps, alpha_period_ps),
    KNOB(INITIAL_ALPHA, PERMILLE, initial_alpha, initial_alpha_permille),
    KNOB(CUT, WORD, cut, cut),
    KNOB(CUT_WINDOW, INT64, cut_window_ps, cut_window_ps),
    KNOB(CUT_OFFSET, INT64, cut_offset_ps, cut_offset_ps),
    KNOB(MIN_DECREASE, PERCENT, min_decrease, min_decrease_percent),
    KNOB(FIRST_RATE, PERCENT, first_rate, first_rate_percent),
    KNOB(CLAMP_TARGET, FLAG, clamp_target, clamp_target),
    KNOB(CLAMP_AFTER_TIME, FLAG, clamp_after_time, clamp_after_time),
    KNOB(TIMER, INT64, timer_ps, timer_ps),
    KNOB(BYTE_RESET, UINT32, byte_reset_bytes, byte_reset_bytes),
    KNOB(STAGES, UINT8, stages, stages),
    KNOB(STAGE_BEFORE, FLAG, stage_before, stage_before),
    KNOB(AI, INT64, ai_bps, ai_bps),
    KNOB(HAI, INT64, hai_bps, hai_bps),
    KNOB(MIN_RATE, INT64, min_rate_bps, min_bps),
    KNOB(NP_MODE, WORD, np_mode, np_mode),
    KNOB(NP_GAP, INT64, np_gap_ps, np_gap_ps),
};

_Static_assert(offsetof(struct dcqcn_profile, g_denominator) ==
                   offsetof(struct dcqcn_profile, g_numerator) +
                       sizeof(uint32_t),
               "a fraction is two members in a row");
_Static_assert(sizeof(enum dcqcn_np_mode) == sizeof(int),
               "an enumeration is copied as an int");

/* Stores a whole number of 'scale' parts of 'ratio' at 'to'.  Returns false if
 * it is none. */
static bool
store_scaled(const struct ratio *ratio, int64_t scale, void *to)
{
    const int64_t product = ratio->numerator * scale;
    const uint32_t value = (uint32_t)(product / ratio->denominator);

    memcpy(to, &value, sizeof value);
    return product % ratio->denominator == 0;
}

/* Replaces the member of 'profile' that 'knob' is by that of 'spec'.  Returns
 * false if the profile cannot hold it. */
static bool
replace_knob(struct dcqcn_profile *profile, const struct dcqcn_spec *spec,
             const struct knob *knob)
{
    const void *from = (const char *)spec + knob->from;
    void *to = (char *)profile + knob->to;
    int64_t number;

    switch (knob->kind) {
    case KNOB_INT64:
        memcpy(to, from, sizeof number);
        return true;
    case KNOB_UINT32:
        memcpy(&number, from, sizeof number);
        memcpy(to, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        return true;
    case KNOB_UINT8:
        memcpy(&number, from, sizeof number);
        memcpy(to, &(uint8_t){(uint8_t)number}, sizeof(uint8_t));
        return true;
    case KNOB_FLAG:
        memcpy(to, from, sizeof(bool));
        return true;
    case KNOB_WORD:
        memcpy(to, from, sizeof(int));
        return true;
    case KNOB_FRACTION: {
        const struct ratio *ratio = from;
        const uint32_t parts[] = {(uint32_t)ratio->numerator,
                                  (uint32_t)ratio->denominator};

        memcpy(to, parts, sizeof parts);
        return true;
    }
    case KNOB_PERMILLE:
        return store_scaled(from, PERMILLE, to);
    case KNOB_PERCENT:
        return store_scaled(from, PERCENT, to);
    }
    return false;
}

/* Fills the DCQCN of 'made' from its specification. */
static enum st
fill_dcqcn(struct run *run, struct run_profile *made, struct err *err)
{
    const struct dcqcn_spec *spec = &made->spec->dcqcn;
    const struct dcqcn_profile *base =
        spec->profile ? dcqcn_profile_get(spec->profile) : NULL;
    struct dcqcn_profile profile;
    struct err why = {0};

    if (!spec->profile) {
        return ST_OK;
    }
    if (!base) {
        return scenario_fail(run->scenario, &made->spec->place, err,
                             "there is no DCQCN profile '%s'", spec->profile);
    }
    profile = *base;
    for (int k = 0; k < DCQCN_N_KNOBS; k++) {
        if (spec->replaced >> k & 1 &&
            !replace_knob(&profile, spec, &knobs[k])) {
            return scenario_fail(
                run->scenario, &made->spec->place, err,
                "dcqcn: '%s' has to be a whole number of %s", knob_keys[k],
                knobs[k].kind == KNOB_PERMILLE ? "thousandths" : "percent");
        }
    }
    made->rc.echo_ce = profile.np_mode == DCQCN_NP_ON_ACK;
    return dcqcn_init(&made->dcqcn, &profile, (int64_t)made->speed_mbps * MBPS,
                      &why)
               ? scenario_fail(run->scenario, &made->spec->place, err,
                               "dcqcn: %s", why.reason)
               : ST_OK;
}

/* Adapters ----------------------------------------------------------------- */

static uint32_t
limited(int64_t value, uint32_t none)
{
    return value == QUANTITY_INFINITE ? none : (uint32_t)value;
}

static void
fill_rc(struct rc_config *rc, const struct host_spec *spec)
{
    const struct rc_spec *from = &spec->rc;

    *rc = rc_config_default;
    rc->mtu_bytes = (uint32_t)spec->mtu_bytes;
    rc->recovery = (enum rc_recovery)from->recovery;
    rc->go_back_chunk_bytes = (uint32_t)from->chunk_bytes;
    rc->reorder_packets = (uint32_t)from->reorder_packets;
    rc->recovery_delay_ps = from->recovery_delay_ps;
    rc->timeout_exponent = (uint8_t)from->timeout;
    rc->retry_limit = (uint8_t)from->retries;
    rc->rnr_retry_limit = from->rnr_retries == RETRIES_ENDLESS
                              ? RC_UNLIMITED_RETRIES
                              : (uint8_t)from->rnr_retries;
    rc->rnr_timer = (uint8_t)from->rnr_timer;
    rc->ack_every = (uint16_t)from->ack_every;
    rc->max_reads = (uint8_t)from->reads;
    rc->registration_ps = spec->fmr.time_ps;
    rc->registration_fence = spec->fmr.fence;
    rc->naks_trimmed = from->trimmed == TRIMMED_NAK;
    rc->window_bytes = limited(from->window_bytes, 0);
    rc->send_depth = QUEUE_DEPTH;
    rc->receive_depth = 0;
}

_Static_assert((int)TCP_CONTROL_DCTCP == (int)TCP_DCTCP,
               "controls have the order of the transport");

static void
fill_tcp(struct tcp_config *tcp, const struct tcp_spec *from)
{
    *tcp = tcp_config_default;
    tcp->mss_bytes = (uint32_t)from->mss_bytes;
    tcp->window_bytes = (uint32_t)from->window_bytes;
    tcp->initial_segments = (uint32_t)from->initial_segments;
    tcp->abc_segments = (uint32_t)from->abc_segments;
    tcp->algorithm = (enum tcp_algorithm)from->control;
    tcp->detection = (enum tcp_loss_detection)from->detection;
    tcp->ecn = tcp->algorithm == TCP_DCTCP ? TCP_ECN_DCTCP
               : from->ecn                 ? TCP_ECN_CLASSIC
                                           : TCP_ECN_OFF;
    tcp->min_rto_ps = from->min_rto_ps;
    tcp->max_rto_ps = from->max_rto_ps;
    tcp->first_rto_ps = from->first_rto_ps;
    tcp->ack_every = (uint16_t)from->ack_every;
    tcp->ack_delay_ps = from->ack_delay_ps;
    tcp->handshake_ps = from->handshake_ps;
    tcp->quick_acks = (uint16_t)from->quick_acks;
}

static void
fill_framing(struct transport_framing *framing, const struct host_spec *spec)
{
    *framing = (struct transport_framing){
        .base_bytes = (uint16_t)spec->header_bytes,
        .ack_bytes = (uint16_t)spec->ack_bytes,
        .minimum_bytes = (uint16_t)spec->min_frame_bytes,
        .extended_headers = spec->extended_headers,
        .pad_bytes = (uint8_t)spec->pad_bytes};
}

struct nic_pcie_config
run_pcie_of(const struct pcie_spec *spec)
{
    /* Mega-transfers per second of a lane, by generation. */
    static const uint32_t rates[] = {0, 2500, 5000, 8000, 16000, 32000, 64000};

    return spec->enabled
               ? (struct nic_pcie_config){.lanes = (uint32_t)spec->lanes,
                                          .mega_transfers_per_s =
                                              rates[spec->generation],
                                          .max_payload_bytes =
                                              (uint32_t)spec->max_payload_bytes,
                                          .reads_outstanding =
                                              (uint32_t)spec->reads,
                                          .read_latency_ps =
                                              spec->read_latency_ps}
               : (struct nic_pcie_config){0};
}

static void
fill_lookups(const struct run *run, struct nic_config *nic,
             const struct caches_spec *spec)
{
    nic->lookups = (struct lookups_config){
        .contexts = (uint32_t)spec->contexts,
        .translations = (uint32_t)spec->translations,
        .page_bytes = (uint32_t)spec->page_bytes,
        .region_bytes = (uint64_t)spec->region_bytes,
        .is_sequential = spec->access == ACCESS_SEQUENTIAL,
        .seed = run->seed};
    nic->lookups_outstanding = (uint32_t)spec->overlap;
}

/* Fills the priorities of what arrives: as the scenario sends it; else SONiC's
 * DSCP 0 to 7, and classes above. */
static void
fill_rx_priorities(const struct run *run, const struct host_spec *spec,
                   uint8_t priorities[NIC_N_DSCPS])
{
    for (int dscp = 0; dscp < NIC_N_DSCPS; dscp++) {
        priorities[dscp] = (uint8_t)(dscp < PFC_N_PRIORITIES ? dscp : dscp / 8);
    }
    priorities[spec->ack_dscp] = (uint8_t)spec->ack_priority;
    priorities[spec->cnp_dscp] = (uint8_t)spec->cnp_priority;
    for (size_t i = 0; i < run->scenario->n_traffic; i++) {
        const struct traffic_spec *traffic = &run->scenario->traffic[i];

        priorities[traffic->dscp] = (uint8_t)traffic->priority;
    }
}

static void
fill_nic(const struct run *run, struct run_profile *made)
{
    const struct host_spec *spec = made->spec;
    struct nic_config *nic = &made->nic;

    nic_config_init(nic, made->speed_mbps);
    fill_framing(&made->framing, spec);
    nic->framing = &made->framing;
    nic->ack_priority = (uint8_t)spec->ack_priority;
    nic->ack_dscp = (uint8_t)spec->ack_dscp;
    nic->cnp_priority = (uint8_t)spec->cnp_priority;
    nic->cnp_dscp = (uint8_t)spec->cnp_dscp;
    fill_rx_priorities(run, spec, nic->rx_priorities);
    nic->strict_priorities = (uint8_t)spec->strict;
    nic->shared_fifo = spec->shared_fifo;
    nic->pfc_rx = (uint8_t)spec->pfc.obeys;
    nic->pfc_tx = (uint8_t)spec->pfc.sends;
    nic->pause_all = run->scenario->fabric.flow_control == FLOW_CONTROL_LINK;
    nic->pause_response_ps = spec->pfc.response_ps;
    nic->watchdog_ps = spec->pfc.watchdog_ps;
    nic->rx.size_bytes = limited(spec->rx_fifo.size_bytes, 0);
    for (uint32_t p = 0; p < PFC_N_PRIORITIES; p++) {
        nic->rx.xoff_bytes[p] = limited(spec->rx_fifo.xoff_bytes, UINT32_MAX);
        nic->rx.xon_bytes[p] = limited(spec->rx_fifo.xon_bytes, UINT32_MAX);
    }
    nic->pcie = run_pcie_of(&spec->pcie);
    fill_lookups(run, nic, &spec->caches);
}

/* Stores a new profile of 'spec' at 'speed_mbps' in '*profile'. */
_Static_assert((int)SRD_CHOICE_SINGLE == (int)SRD_SINGLE &&
                   (int)SRD_ORDER_DROP == (int)SRD_DROP,
               "choices and orders have the order of the transport");

static void
fill_srd(struct run_profile *profile, const struct srd_spec *from)
{
    struct srd_config *srd = &profile->srd;

    *srd = srd_config_default;
    srd->mtu_bytes = (uint32_t)from->mtu_bytes;
    srd->n_paths = (uint32_t)from->paths;
    srd->n_entropies = (uint32_t)from->entropies;
    srd->choice = (enum srd_choice)from->choice;
    srd->order = (enum srd_order)from->order;
    srd->line_bps = (int64_t)profile->speed_mbps * MBPS;
    srd->min_bps = srd->line_bps / MIN_RATE_SHARE;
    srd->initial_packets = (uint32_t)from->initial_packets;
    srd->increase_packets = (uint32_t)from->increase_packets;
    srd->decrease_shift = (uint32_t)from->decrease_shift;
    srd->queue_ps = from->queue_ps;
    srd->avoid_percent = (uint32_t)from->avoid_percent;
    srd->return_percent = (uint32_t)from->return_percent;
    srd->probe_packets = (uint32_t)from->probe_packets;
    srd->dead_ps = from->dead_ps;
    srd->min_rto_ps = from->min_rto_ps;
    srd->first_rto_ps = from->first_rto_ps;
    profile->messages = (struct message_config){.segment_bytes = srd->mtu_bytes,
                                                .copy_bps =
                                                    profile->spec->cpu.enabled
                                                        ? 0
                                                        : from->copy_bps};
}

static enum st
make_profile(struct run *run, const struct host_spec *spec, uint32_t speed_mbps,
             struct run_profile **profile, struct err *err)
{
    struct run_profile *made = arena_alloc(run->arena, 1, sizeof *made);

    made->spec = spec;
    made->speed_mbps = speed_mbps;
    fill_rc(&made->rc, spec);
    fill_tcp(&made->tcp, &spec->tcp);
    fill_srd(made, &spec->srd);
    fill_nic(run, made);
    *profile = made;
    return fill_dcqcn(run, made, err);
}

/* Stores the profile of 'spec' at 'speed_mbps', which hosts share, in
 * '*found'. */
static enum st
get_profile(struct run *run, const struct host_spec *spec, uint32_t speed_mbps,
            const struct run_profile **found, struct err *err)
{
    struct run_profile *made;
    enum st st;

    for (size_t i = 0; i < run->n_profiles; i++) {
        if (run->profiles[i]->spec == spec &&
            run->profiles[i]->speed_mbps == speed_mbps) {
            *found = run->profiles[i];
            return ST_OK;
        }
    }
    st = make_profile(run, spec, speed_mbps, &made, err);
    if (!st) {
        run->profiles[run->n_profiles++] = made;
        *found = made;
    }
    return st;
}

/* Returns the settings of the adapter of 'host' with 'profile'. */
static struct nic_config
config_of(const struct run_host *host, const struct run_profile *profile)
{
    struct nic_config config = profile->nic;

    config.mac = host->run->topology->nodes[host->node].mac;
    return config;
}

enum st
run_hosts_create(struct run *run, struct err *err)
{
    const struct topology *topology = run->topology;
    const struct host_spec *const *specs = run->experiment->hosts;
    enum st st = ST_OK;

    run->hosts = arena_alloc(run->arena, topology->n_hosts, sizeof *run->hosts);
    run->profiles = arena_alloc(run->arena, (size_t)topology->n_hosts + 1,
                                sizeof(struct run_profile *));
    for (uint32_t i = 0; !st && i < topology->n_hosts; i++) {
        const uint32_t node = topology->n_switches + i;
        struct run_host *host = &run->hosts[i];
        struct nic_config config;

        *host = (struct run_host){.run = run, .node = node};
        st = get_profile(run, specs[i],
                         (uint32_t)(run_link_at(run, node, 0)->rate_bps / MBPS),
                         &host->profile, err);
        if (st) {
            break;
        }
        if (!run_owns(run, node)) {
            continue;
        }
        config = config_of(host, host->profile);
        if (fabric_add_nic(run->fabric, &config, topology->nodes[node].entity,
                           &host->nic)) {
            st = scenario_fail(run->scenario, &specs[i]->place, err,
                               "no adapter can have these values together "
                               "(xon above xoff, or a speed of 0)");
            break;
        }
        run_software_add_processor(host);
        run_observe_host(host);
    }
    return st;
}

/* Changes ------------------------------------------------------------------ */

/* Stores a profile for 'host' with 'value' of 'key' in '*profile'; whatever can
 * be wrong with it is found here. */
static enum st
prepare_change(const struct run_host *host, const char *key, const char *value,
               struct run_profile **profile, struct err *err)
{
    struct run *run = host->run;
    struct host_spec *spec = arena_alloc(run->arena, 1, sizeof *spec);
    struct err why = {0};
    enum st st;

    *spec = *host->profile->spec;
    spec->place = (struct scenario_place){0};
    st = scenario_set_host(spec, key, value, run->arena, err);
    st = st ? st
            : make_profile(run, spec, host->profile->speed_mbps, profile, err);
    if (!st && rc_config_check(&(*profile)->rc, &why)) {
        st = err_set(err, ST_INVALID, "rc", "rc: %s", why.reason);
    }
    return st;
}

enum st
run_hosts_set(struct run *run, const char *hosts, const char *key,
              const char *value, struct err *err)
{
    const struct selector selector = {.items = &hosts, .n = 1};
    struct reference_list list;
    struct run_profile **profiles;
    enum st st = references_hosts(run->scenario, run->topology, &selector,
                                  run->arena, &list, err);

    if (st) {
        return st;
    }
    profiles = arena_alloc(run->arena, list.n, sizeof(struct run_profile *));
    for (size_t i = 0; !st && i < list.n; i++) {
        st = prepare_change(run_host(run, list.numbers[i]), key, value,
                            &profiles[i], err);
    }
    for (size_t i = 0; !st && i < list.n; i++) {
        struct run_host *host = run_host(run, list.numbers[i]);
        const struct nic_config config = config_of(host, profiles[i]);

        host->profile = profiles[i];
        orch_assert(nic_configure(host->nic, &config) == ST_OK);
        run_traffic_tune(host);
        if (host->loop) {
            host->loop->profile = profiles[i];
            run_traffic_tune(host->loop);
        }
    }
    return st;
}

enum st
run_host_loop(struct run_host *host)
{
    struct run *run = host->run;
    const struct topology *topology = run->topology;
    struct run_host *loop;

    if (host->loop) {
        return ST_OK;
    }
    loop = arena_alloc(run->arena, 1, sizeof *loop);
    *loop = (struct run_host){.run = run,
                              .node = host->node,
                              .profile = host->profile,
                              .processor = host->processor};
    host->loop = loop;
    run->has_loops = true;
    /* Behind the entities of all nodes, in their order. */
    return fabric_add_loop(run->fabric, host->nic,
                           topology->n_entities + host->node, &loop->nic)
               ? ST_NO_RESOURCE
               : ST_OK;
}

void
run_host_note_qp(struct run_host *host, uint32_t qp, uint32_t flow,
                 bool is_source)
{
    if (qp >= host->qps_size) {
        const uint32_t size = qp < 8 ? 8 : 2 * qp;
        struct run_qp *qps =
            arena_alloc(host->run->arena, size, sizeof *host->qps);

        if (host->n_qps) {
            memcpy(qps, host->qps, host->n_qps * sizeof *qps);
        }
        host->qps = qps;
        host->qps_size = size;
    }
    host->qps[qp] = (struct run_qp){.flow = flow, .is_source = is_source};
    host->n_qps = qp + 1;
}
