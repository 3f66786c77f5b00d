/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'hosts:': adapters, transport, DCQCN, PCIe, PFC. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/text.h"
#include "lab/scenario/sections.h"

enum {
    NUMBER_SIZE = 24,
    VALUE_MAX = 100,
    CHANGE_SIZE = 256,
};

/* The name of a change where messages have that of a file. */
static const char change_name[] = "change";

static const char *const recoveries[] = {
#define X(member, name) name,
    RECOVERY_LIST(X)
#undef X
        NULL,
};

static const char *const reactions[] = {
#define X(member, name) name,
    TRIMMED_REACTION_LIST(X)
#undef X
        NULL,
};

static const char *const entropies[] = {
#define X(member, name) name,
    ENTROPY_LIST(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct rc_spec, member)

static const struct field rc_fields[] = {
    {"recovery", FIELD_WORD, AT(recovery), NULL, "go_back_n", recoveries},
    {"recovery_delay", FIELD_TIME, AT(recovery_delay_ps), "0..100ms", "0",
     NULL},
    {"chunk", FIELD_BYTES, AT(chunk_bytes), "0..1GiB", "0", NULL},
    {"reorder", FIELD_COUNT, AT(reorder_packets), "64..65536", "1024", NULL},
    {"ack_every", FIELD_COUNT, AT(ack_every), "1..65535", "1", NULL},
    {"window", FIELD_BYTES, AT(window_bytes), "64..inf", "inf", NULL},
    {"timeout", FIELD_COUNT, AT(timeout), "0..31", "14", NULL},
    {"retries", FIELD_COUNT, AT(retries), "0..7", "7", NULL},
    {"rnr_retries", FIELD_COUNT, AT(rnr_retries), "0..7", "7", NULL},
    {"rnr_timer", FIELD_COUNT, AT(rnr_timer), "0..31", "12", NULL},
    {"reads", FIELD_COUNT, AT(reads), "0..16", "16", NULL},
    {"receives", FIELD_COUNT, AT(receives), "0..32768", "0", NULL},
    {"trimmed", FIELD_WORD, AT(trimmed), NULL, "ignore", reactions},
};

#undef AT

static const char *const profile_names[] = {
#define X(name) name,
    DCQCN_PROFILE_NAMES(X)
#undef X
        NULL,
};

static const char *const alpha_modes[] = {"on_cnp", "per_period", NULL};
static const char *const cuts[] = {"at_once", "per_window", NULL};
static const char *const np_modes[] = {"window", "per_packet", "on_ack", NULL};

struct dcqcn_values {
    struct dcqcn_spec spec;
    int profile;
};

#define AT(member) offsetof(struct dcqcn_values, spec.member)

/* In the order of enum dcqcn_knob. */
static const struct field dcqcn_fields[] = {
    {"g", FIELD_RATIO, AT(g), "1/65536..1/2", NULL, NULL},
    {"alpha_mode", FIELD_WORD, AT(alpha_mode), NULL, NULL, alpha_modes},
    {"alpha_period", FIELD_TIME, AT(alpha_period_ps), "100ns..1s", NULL, NULL},
    {"initial_alpha", FIELD_RATIO, AT(initial_alpha), "1/1000..1", NULL, NULL},
    {"cut", FIELD_WORD, AT(cut), NULL, NULL, cuts},
    {"cut_window", FIELD_TIME, AT(cut_window_ps), "0..1s", NULL, NULL},
    {"cut_offset", FIELD_TIME, AT(cut_offset_ps), "0..1s", NULL, NULL},
    {"min_decrease", FIELD_RATIO, AT(min_decrease), "0..1", NULL, NULL},
    {"first_rate", FIELD_RATIO, AT(first_rate), "1/100..1", NULL, NULL},
    {"clamp_target", FIELD_BOOL, AT(clamp_target), NULL, NULL, NULL},
    {"clamp_after_time", FIELD_BOOL, AT(clamp_after_time), NULL, NULL, NULL},
    {"timer", FIELD_TIME, AT(timer_ps), "100ns..1s", NULL, NULL},
    {"byte_reset", FIELD_BYTES, AT(byte_reset_bytes), "0..2GiB", NULL, NULL},
    {"stages", FIELD_COUNT, AT(stages), "1..250", NULL, NULL},
    {"stage_before", FIELD_BOOL, AT(stage_before), NULL, NULL, NULL},
    {"ai", FIELD_RATE, AT(ai_bps), "0..3.2T", NULL, NULL},
    {"hai", FIELD_RATE, AT(hai_bps), "0..3.2T", NULL, NULL},
    {"min_rate", FIELD_RATE, AT(min_rate_bps), "1K..3.2T", NULL, NULL},
    {"np_mode", FIELD_WORD, AT(np_mode), NULL, NULL, np_modes},
    {"np_gap", FIELD_TIME, AT(np_gap_ps), "0..1s", NULL, NULL},
    {"profile", FIELD_WORD, offsetof(struct dcqcn_values, profile), NULL, NULL,
     profile_names},
};

#undef AT

_Static_assert(N_FIELDS(dcqcn_fields) == DCQCN_N_KNOBS + 1,
               "a row for each knob, and the profile");

#define AT(member) offsetof(struct rx_fifo_spec, member)

static const struct field rx_fifo_fields[] = {
    {"size", FIELD_BYTES, AT(size_bytes), "16KiB..1GiB", field_required, NULL},
    {"xoff", FIELD_BYTES, AT(xoff_bytes), "1..1GiB", field_required, NULL},
    {"xon", FIELD_BYTES, AT(xon_bytes), "0..1GiB", field_required, NULL},
};

#undef AT
#define AT(member) offsetof(struct host_pfc_spec, member)

static const struct field pfc_fields[] = {
    {"obeys", FIELD_BITS, AT(obeys), "0..7", "3, 4", NULL},
    {"sends", FIELD_BITS, AT(sends), "0..7", "3, 4", NULL},
    {"response", FIELD_TIME, AT(response_ps), "0..1ms", "0", NULL},
    {"watchdog", FIELD_TIME, AT(watchdog_ps), "0..10s", "0", NULL},
};

#undef AT

struct host_values {
    struct host_spec host;
    struct fy_node *nic, *rc, *tcp, *srd, *cpu, *dcqcn, *pcie, *caches,
        *rx_fifo, *pfc, *card;
};

#define AT(member) offsetof(struct host_values, member)

static const struct field host_fields[] = {
    {"of", FIELD_SELECTOR, AT(host.of), NULL, NULL, NULL},
    {"nic", FIELD_NODE, AT(nic), NULL, NULL, NULL},
    {"mtu", FIELD_BYTES, AT(host.mtu_bytes), "64..9000", "1024", NULL},
    {"header", FIELD_BYTES, AT(host.header_bytes), "0..256", "62", NULL},
    {"ack_size", FIELD_BYTES, AT(host.ack_bytes), "0..256", "0", NULL},
    {"min_frame", FIELD_BYTES, AT(host.min_frame_bytes), "0..256", "64", NULL},
    {"pad", FIELD_BYTES, AT(host.pad_bytes), "1..64", "4", NULL},
    {"extended_headers", FIELD_BOOL, AT(host.extended_headers), NULL, "true",
     NULL},
    {"ack_priority", FIELD_COUNT, AT(host.ack_priority), "0..7", "0", NULL},
    {"ack_dscp", FIELD_COUNT, AT(host.ack_dscp), "0..63", "0", NULL},
    {"cnp_priority", FIELD_COUNT, AT(host.cnp_priority), "0..7", "6", NULL},
    {"cnp_dscp", FIELD_COUNT, AT(host.cnp_dscp), "0..63", "48", NULL},
    {"strict", FIELD_BITS, AT(host.strict), "0..7", "6", NULL},
    {"burst", FIELD_COUNT, AT(host.burst), "1..256", "1", NULL},
    {"shared_fifo", FIELD_BOOL, AT(host.shared_fifo), NULL, "false", NULL},
    {"entropy", FIELD_WORD, AT(host.entropy), NULL, "qp", entropies},
    {"entropy_ports", FIELD_COUNT, AT(host.entropy_ports), "1..16384", "16384",
     NULL},
    {"rc", FIELD_NODE, AT(rc), NULL, NULL, NULL},
    {"tcp", FIELD_NODE, AT(tcp), NULL, NULL, NULL},
    {"srd", FIELD_NODE, AT(srd), NULL, NULL, NULL},
    {"cpu", FIELD_NODE, AT(cpu), NULL, NULL, NULL},
    {"dcqcn", FIELD_NODE, AT(dcqcn), NULL, NULL, NULL},
    {"pcie", FIELD_NODE, AT(pcie), NULL, NULL, NULL},
    {"caches", FIELD_NODE, AT(caches), NULL, NULL, NULL},
    {"rx_fifo", FIELD_NODE, AT(rx_fifo), NULL, NULL, NULL},
    {"pfc", FIELD_NODE, AT(pfc), NULL, NULL, NULL},
    {"card", FIELD_NODE, AT(card), NULL, NULL, NULL},
};

#undef AT

/* The profiles: what differs from the defaults of the tables above, as keys of
 * a host.  The generations are those of LAB 2.4; values without a public figure
 * are assumptions (docs/explanation/fabric.md). */
static const struct {
    const char *name, *text;
} nic_profiles[] = {
    {"plain", "{}"},
    {"gen1", "burst: 16\n"
             "dcqcn: paper\n"
             "rc: {recovery_delay: 300us, ack_every: 16}\n"},
    {"gen2", "dcqcn: {profile: firmware, np_mode: per_packet, np_gap: 0}\n"
             "rc: {recovery_delay: 2us, ack_every: 16}\n"},
    {"gen3", "dcqcn: {profile: firmware, np_mode: per_packet, np_gap: 0}\n"
             "rc: {recovery: selective, ack_every: 16}\n"},
    {"fixed", "burst: 16\n"
              "dcqcn: {profile: firmware, np_mode: window, np_gap: 50us,\n"
              "        cut: at_once, cut_window: 0}\n"
              "rc: {recovery_delay: 2us, ack_every: 16}\n"},
    /* The ns-3 RDMA simulator of HPCC: 1,000 bytes in frames of 1,048 without
     * preamble and gap, which are 20 bytes less than a frame with them;
     * acknowledgements of 60 bytes carry the congestion notification. */
    {"hpcc", "{mtu: 1000, header: 28, ack_size: 40, min_frame: 0, pad: 1,\n"
             " extended_headers: false, ack_priority: 6, ack_dscp: 48,\n"
             " dcqcn: fork-dcqcn}\n"},
};

enum { N_NIC_PROFILES = sizeof nic_profiles / sizeof nic_profiles[0] };

/* Reads the name of a profile, "off", or a map of what differs from the profile
 * that it names or that is there already. */
static enum st
read_dcqcn(struct reader *reader, struct fy_node *node,
           struct dcqcn_spec *dcqcn)
{
    static const char *const words[] = {
        "off",
#define X(name) name,
        DCQCN_PROFILE_NAMES(X)
#undef X
            NULL,
    };
    const struct field word = {"dcqcn", FIELD_WORD, 0, NULL, NULL, words};
    struct dcqcn_values values = {*dcqcn, 0};
    uint64_t seen = 0;
    int position = 0;
    enum st st;

    if (!fy_node_is_mapping(node)) {
        st = fields_read_value(reader, node, &word, &position);
        *dcqcn =
            (struct dcqcn_spec){.profile = position ? words[position] : NULL};
        return st;
    }
    st = fields_read(reader, node, "'dcqcn'", dcqcn_fields,
                     N_FIELDS(dcqcn_fields), &values, &seen);
    if (!st && seen & UINT64_C(1) << DCQCN_N_KNOBS) {
        values.spec.profile = profile_names[values.profile];
        values.spec.replaced = 0;
    }
    if (!st && !values.spec.profile) {
        return document_fail(reader->document, node, reader->err,
                             "'dcqcn' is off here: it needs the key 'profile'");
    }
    values.spec.replaced |= seen & ((1U << DCQCN_N_KNOBS) - 1);
    *dcqcn = values.spec;
    return st;
}

static enum st
read_rx_fifo(struct reader *reader, struct fy_node *node,
             struct host_spec *host)
{
    struct rx_fifo_spec *fifo = &host->rx_fifo;
    enum st st = fields_read(reader, node, "'rx_fifo'", rx_fifo_fields,
                             N_FIELDS(rx_fifo_fields), fifo, NULL);

    if (!st && (fifo->xon_bytes > fifo->xoff_bytes ||
                fifo->xoff_bytes > fifo->size_bytes)) {
        return document_fail(reader->document, node, reader->err,
                             "'rx_fifo' needs xon <= xoff <= size");
    }
    if (!st && !host->pcie.enabled) {
        return document_fail(reader->document, node, reader->err,
                             "'rx_fifo' without 'pcie' is always empty: set "
                             "'pcie', for example to gen3x8");
    }
    return st;
}

/* Reads the values that are maps of their own. */
static enum st
read_parts(struct reader *reader, const struct host_values *values,
           struct host_spec *host)
{
    enum st st = ST_OK;

    if (values->rc) {
        st = fields_read(reader, values->rc, "'rc'", rc_fields,
                         N_FIELDS(rc_fields), &host->rc, NULL);
    }
    if (!st && values->tcp) {
        st = section_tcp(reader, values->tcp, &host->tcp);
    }
    if (!st && values->srd) {
        st = section_srd(reader, values->srd, &host->srd);
    }
    if (!st && values->cpu) {
        st = section_cpu(reader, values->cpu, &host->cpu);
    }
    if (!st && values->dcqcn) {
        st = read_dcqcn(reader, values->dcqcn, &host->dcqcn);
    }
    if (!st && values->pcie) {
        st = section_pcie(reader, values->pcie, &host->pcie);
    }
    if (!st && values->caches) {
        st = section_caches(reader, values->caches, host);
    }
    if (!st && values->rx_fifo) {
        st = read_rx_fifo(reader, values->rx_fifo, host);
    }
    if (!st && values->pfc) {
        st = fields_read(reader, values->pfc, "'pfc'", pfc_fields,
                         N_FIELDS(pfc_fields), &host->pfc, NULL);
    }
    if (!st && values->card) {
        st = section_watchdog(reader, values->card, true, &host->card);
    }
    return st;
}

static bool
is_power_of_2(int64_t n)
{
    return n > 0 && !(n & (n - 1));
}

/* Checks what the values of a host mean together. */
static enum st
check_host(struct reader *reader, struct fy_node *node,
           const struct host_spec *host)
{
    const struct rc_spec *rc = &host->rc;
    const char *wrong = NULL;

    if (!is_power_of_2(rc->reorder_packets)) {
        wrong = "'reorder' has to be a power of 2";
    } else if (rc->receives && !is_power_of_2(rc->receives)) {
        wrong = "'receives' has to be 0 or a power of 2";
    } else if (rc->chunk_bytes % host->mtu_bytes) {
        wrong = "'chunk' has to be a multiple of 'mtu'";
    } else if (rc->window_bytes < host->mtu_bytes) {
        wrong = "'window' has to be 'mtu' or more";
    }
    return wrong
               ? document_fail(reader->document, node, reader->err, "%s", wrong)
               : ST_OK;
}

/* Checks that a host which switches PCIe off has nothing in front of it, from
 * 'default' for example, that would have no effect then. */
static enum st
check_without_pcie(struct reader *reader, struct fy_node *node,
                   const struct host_spec *host)
{
    const char *wrong = NULL;

    if (host->pcie.enabled) {
        return ST_OK;
    }
    if (host->caches.translations || host->caches.contexts) {
        wrong = "'pcie: off' leaves 'caches' without effect: keep 'pcie' on, "
                "or give 'caches' to groups only";
    } else if (host->rx_fifo.size_bytes != QUANTITY_INFINITE) {
        wrong = "'pcie: off' leaves 'rx_fifo' always empty: keep 'pcie' on, or "
                "give 'rx_fifo' to groups only";
    }
    return wrong
               ? document_fail(reader->document, node, reader->err, "%s", wrong)
               : ST_OK;
}

/* Fills '*host' with the defaults of the tables. */
static void
init_host(struct reader *reader, struct host_spec *host)
{
    struct host_values values = {0};

    fields_init(reader, host_fields, N_FIELDS(host_fields), &values);
    *host = values.host;
    fields_init(reader, rc_fields, N_FIELDS(rc_fields), &host->rc);
    section_caches_init(reader, &host->caches);
    fields_init(reader, pfc_fields, N_FIELDS(pfc_fields), &host->pfc);
    section_tcp_init(reader, &host->tcp);
    section_srd_init(reader, &host->srd);
    section_watchdog_init(reader, &host->card);
    host->rx_fifo.size_bytes = QUANTITY_INFINITE;
}

enum st
section_nic_profile(struct reader *reader, struct fy_node *node,
                    const char *name, struct host_spec *host)
{
    const char *words[N_NIC_PROFILES + 1] = {NULL};

    for (size_t i = 0; i < N_NIC_PROFILES; i++) {
        if (!strcmp(nic_profiles[i].name, name)) {
            struct reader inner = {document_create(reader->arena),
                                   reader->arena, reader->err, NULL, NULL};
            struct fy_node *root = NULL;
            enum st st;

            init_host(reader, host);
            st = document_add(inner.document, name, nic_profiles[i].text,
                              strlen(nic_profiles[i].text), &root, inner.err);
            if (!st) {
                st = section_host_keys(&inner, root, name, host);
            }
            document_destroy(inner.document);
            host->nic = nic_profiles[i].name;
            return st;
        }
        words[i] = nic_profiles[i].name;
    }
    return fields_fail_word(reader, node, "nic", name, words);
}

enum st
section_host_keys(struct reader *reader, struct fy_node *node, const char *what,
                  struct host_spec *host)
{
    struct host_values values = {0}, again = {0};
    const char *name = NULL;
    enum st st = fields_read(reader, node, what, host_fields,
                             N_FIELDS(host_fields), &values, NULL);

    /* The profile comes first, wherever it is in the map. */
    if (!st && values.nic) {
        st = fields_text(reader, values.nic, "nic", &name);
        if (!st) {
            st = section_nic_profile(reader, values.nic, name, host);
        }
    }
    if (!st) {
        again.host = *host;
        st = fields_read(reader, node, what, host_fields, N_FIELDS(host_fields),
                         &again, NULL);
        *host = again.host;
    }
    if (!st) {
        st = read_parts(reader, &again, host);
    }
    st = st ? st : check_host(reader, again.rc ? again.rc : node, host);
    return st ? st
              : check_without_pcie(reader, again.pcie ? again.pcie : node,
                                   host);
}

/* Changes ------------------------------------------------------------------ */

static const char *const changes[] = {
#define X(key) key,
    HOST_CHANGES(X)
#undef X
};

/* Returns ST_OK if 'key' can be changed; else the error names the nearest. */
static enum st
find_change(const char *key, struct err *err)
{
    struct choices choices;

    for (size_t i = 0; i < N_FIELDS(changes); i++) {
        if (!strcmp(changes[i], key)) {
            return ST_OK;
        }
    }
    choices_init(&choices, key);
    for (size_t i = 0; i < N_FIELDS(changes); i++) {
        choices_add(&choices, changes[i]);
    }
    err_set(err, ST_INVALID, "usage",
            "'%.40s' of a host cannot be changed during a run", key);
    return choices_explain(&choices, "key", err);
}

/* Returns what has to be there if 'key' shall be changed, NULL if 'host' has
 * it. */
static const char *
find_lack(const struct host_spec *host, const char *key)
{
    static const char fifo[] = "rx_fifo.", pcie[] = "pcie.", cc[] = "dcqcn.";

    if (!strncmp(key, cc, sizeof cc - 1) && !host->dcqcn.profile) {
        return "dcqcn";
    }
    if (!strncmp(key, pcie, sizeof pcie - 1) && !host->pcie.enabled) {
        return "pcie";
    }
    return !strncmp(key, fifo, sizeof fifo - 1) &&
                   host->rx_fifo.size_bytes == QUANTITY_INFINITE
               ? "rx_fifo"
               : NULL;
}

/* Writes "part: {name: value}" for 'key', "part.name", into 'text'. */
static void
write_change(const struct host_spec *host, const char *key, const char *value,
             char *text, size_t size)
{
    const struct rx_fifo_spec *fifo = &host->rx_fifo;
    const char *dot = strchr(key, '.');

    if (!dot) {
        text_format(text, size, "%s: %s\n", key, value);
    } else if (strncmp(key, "rx_fifo", (size_t)(dot - key)) != 0) {
        text_format(text, size, "%.*s: {%s: %s}\n", (int)(dot - key), key,
                    dot + 1, value);
    } else {
        char numbers[3][NUMBER_SIZE];

        /* All of its keys are required. */
        text_format(numbers[0], NUMBER_SIZE, "%lld",
                    (long long)fifo->size_bytes);
        text_format(numbers[1], NUMBER_SIZE, "%lld",
                    (long long)fifo->xoff_bytes);
        text_format(numbers[2], NUMBER_SIZE, "%lld",
                    (long long)fifo->xon_bytes);
        text_format(text, size, "rx_fifo: {size: %s, xoff: %s, xon: %s}\n",
                    strcmp(dot, ".size") != 0 ? numbers[0] : value,
                    strcmp(dot, ".xoff") != 0 ? numbers[1] : value,
                    strcmp(dot, ".xon") != 0 ? numbers[2] : value);
    }
}

/* Removes the position from the reason of 'err', that of a line which the user
 * has not written. */
static void
remove_place(struct err *err)
{
    const char *at = err->reason + strlen(change_name);
    size_t n;

    if (strncmp(err->reason, change_name, strlen(change_name)) != 0) {
        return;
    }
    at += strspn(at, ":0123456789");
    at += strspn(at, " ");
    n = strlen(at) + 1;
    memmove(err->reason, at, n);
}

enum st
scenario_set_host(struct host_spec *host, const char *key, const char *value,
                  struct arena *arena, struct err *err)
{
    struct reader reader = {document_create(arena), arena, err, NULL, NULL};
    const char *lack = find_lack(host, key);
    char text[CHANGE_SIZE];
    struct fy_node *root = NULL;
    enum st st = find_change(key, err);

    if (!st && lack) {
        st = err_set(err, ST_INVALID, "usage",
                     "the host has no '%s', so '%s' cannot be changed", lack,
                     key);
    } else if (!st && (strpbrk(value, "{}:#'\"&*!|>\n") ||
                       strlen(value) > VALUE_MAX)) {
        st = err_set(err, ST_INVALID, "usage", "'%.40s' is no value of '%s'",
                     value, key);
    }
    if (!st) {
        write_change(host, key, value, text, sizeof text);
        st = document_add(reader.document, change_name, text, strlen(text),
                          &root, err);
        st = st ? st : section_host_keys(&reader, root, "a host", host);
        if (st) {
            remove_place(err);
        }
    }
    document_destroy(reader.document);
    return st;
}

/* Groups ------------------------------------------------------------------- */

/* The state of reading the groups. */
struct groups_reading {
    struct host_spec *hosts;
    size_t n;
};

/* Implements fields_pair_fn. */
static enum st
read_group(struct reader *reader, struct fy_node *key, const char *name,
           struct fy_node *value, void *context)
{
    struct groups_reading *reading = context;
    struct host_spec host = reading->hosts[0];
    enum st st = fields_name(reader, key, "a group of hosts", &name);

    if (!st && (!strcmp(name, "default") || !strcmp(name, "all"))) {
        st = document_fail(reader->document, key, reader->err,
                           "'%s' is no name for a group", name);
    }
    if (!st) {
        st = section_host_keys(reader, value, name, &host);
    }
    if (!st && !host.of.n) {
        st = document_fail(reader->document, key, reader->err,
                           "group '%s' needs the key 'of': its hosts", name);
    }
    host.name = name;
    host.place = fields_place(reader, key);
    reading->hosts[reading->n++] = host;
    return st;
}

struct hosts_values {
    struct fy_node *defaults, *groups, *pcie_switches;
};

static const struct field hosts_fields[] = {
    {"default", FIELD_NODE, offsetof(struct hosts_values, defaults), NULL, NULL,
     NULL},
    {"groups", FIELD_NODE, offsetof(struct hosts_values, groups), NULL, NULL,
     NULL},
    {"pcie_switches", FIELD_NODE, offsetof(struct hosts_values, pcie_switches),
     NULL, NULL, NULL},
};

enum st
section_hosts(struct reader *reader, struct fy_node *node,
              struct scenario *scenario)
{
    struct hosts_values values = {NULL, NULL, NULL};
    struct groups_reading reading = {NULL, 1};
    enum st st = ST_OK;

    if (node) {
        st = fields_read(reader, node, "'hosts'", hosts_fields,
                         N_FIELDS(hosts_fields), &values, NULL);
    }
    reading.hosts =
        arena_alloc(reader->arena, fields_n_items(values.groups) + 1,
                    sizeof *reading.hosts);
    if (!st) {
        st = section_nic_profile(reader, node, "plain", &reading.hosts[0]);
        reading.hosts[0].name = "default";
        reading.hosts[0].place = fields_place(reader, node);
    }
    if (!st && values.defaults) {
        st = section_host_keys(reader, values.defaults, "'default'",
                               &reading.hosts[0]);
        if (!st && reading.hosts[0].of.n) {
            st = document_fail(reader->document, values.defaults, reader->err,
                               "'default' holds for all hosts: 'of' is a key "
                               "of groups");
        }
        reading.hosts[0].name = "default";
    }
    if (!st && values.groups) {
        st = fields_each_pair(reader, values.groups, "'groups'", read_group,
                              &reading);
    }
    scenario->hosts = reading.hosts;
    scenario->n_hosts = reading.n;
    return st ? st
              : section_pcie_switches(reader, values.pcie_switches, scenario);
}
