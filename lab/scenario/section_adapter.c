/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the keys of a host, and the files of adapters, which have some of them:
 * adapter, transport, DCQCN, PCIe, PFC. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "lab/scenario/nic_files.h"
#include "lab/scenario/sections.h"

static const char plain[] = "plain";

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
#define AT(member) offsetof(struct fmr_spec, member)

static const struct field fmr_fields[] = {
    {"time", FIELD_TIME, AT(time_ps), "0..1ms", "2us", NULL},
    {"fence", FIELD_BOOL, AT(fence), NULL, "false", NULL},
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
    struct fy_node *nic, *rc, *fmr, *tcp, *srd, *cpu, *memory, *ssd, *dcqcn,
        *pcie, *caches, *rx_fifo, *pfc, *card;
};

#define AT(member) offsetof(struct host_values, member)

/* The keys of an adapter, which its file has, too. */
#define ADAPTER_FIELDS                                                         \
    {"mtu", FIELD_BYTES, AT(host.mtu_bytes), "64..9000", "1024", NULL},        \
        {"header", FIELD_BYTES, AT(host.header_bytes), "0..256", "62", NULL},  \
        {"ack_size", FIELD_BYTES, AT(host.ack_bytes), "0..256", "0", NULL},    \
        {"min_frame", FIELD_BYTES, AT(host.min_frame_bytes), "0..256", "64",   \
         NULL},                                                                \
        {"pad", FIELD_BYTES, AT(host.pad_bytes), "1..64", "4", NULL},          \
        {"extended_headers", FIELD_BOOL, AT(host.extended_headers), NULL,      \
         "true", NULL},                                                        \
        {"ack_priority", FIELD_COUNT, AT(host.ack_priority), "0..7", "0",      \
         NULL},                                                                \
        {"ack_dscp", FIELD_COUNT, AT(host.ack_dscp), "0..63", "0", NULL},      \
        {"cnp_priority", FIELD_COUNT, AT(host.cnp_priority), "0..7", "6",      \
         NULL},                                                                \
        {"cnp_dscp", FIELD_COUNT, AT(host.cnp_dscp), "0..63", "48", NULL},     \
        {"strict", FIELD_BITS, AT(host.strict), "0..7", "6", NULL},            \
        {"burst", FIELD_COUNT, AT(host.burst), "1..256", "1", NULL},           \
        {"pacer_credit", FIELD_TIME, AT(host.pacer_credit_ps), "0..1ms", "0",  \
         NULL},                                                                \
        {"shared_fifo", FIELD_BOOL, AT(host.shared_fifo), NULL, "false",       \
         NULL},                                                                \
        {"rc", FIELD_NODE, AT(rc), NULL, NULL, NULL},                          \
        {"fmr", FIELD_NODE, AT(fmr), NULL, NULL, NULL},                        \
        {"dcqcn", FIELD_NODE, AT(dcqcn), NULL, NULL, NULL},                    \
        {"pcie", FIELD_NODE, AT(pcie), NULL, NULL, NULL},                      \
        {"caches", FIELD_NODE, AT(caches), NULL, NULL, NULL},                  \
        {"rx_fifo", FIELD_NODE, AT(rx_fifo), NULL, NULL, NULL},                \
    {                                                                          \
        "pfc", FIELD_NODE, AT(pfc), NULL, NULL, NULL                           \
    }

static const struct field host_fields[] = {
    {"of", FIELD_SELECTOR, AT(host.of), NULL, NULL, NULL},
    {"nic", FIELD_NODE, AT(nic), NULL, NULL, NULL},
    ADAPTER_FIELDS,
    {"entropy", FIELD_WORD, AT(host.entropy), NULL, "qp", entropies},
    {"entropy_ports", FIELD_COUNT, AT(host.entropy_ports), "1..16384", "16384",
     NULL},
    {"tcp", FIELD_NODE, AT(tcp), NULL, NULL, NULL},
    {"srd", FIELD_NODE, AT(srd), NULL, NULL, NULL},
    {"cpu", FIELD_NODE, AT(cpu), NULL, NULL, NULL},
    {"memory", FIELD_NODE, AT(memory), NULL, NULL, NULL},
    {"ssd", FIELD_NODE, AT(ssd), NULL, NULL, NULL},
    {"card", FIELD_NODE, AT(card), NULL, NULL, NULL},
};

#undef AT

/* The file of an adapter. */
struct nic_values {
    struct host_values values; /* First: the keys are those of a host. */
    const char *name, *about;
    struct fy_node *assumptions;
};

_Static_assert(offsetof(struct nic_values, values) == 0,
               "both tables have the same offsets");

#define AT(member)     offsetof(struct host_values, member)
#define AT_NIC(member) offsetof(struct nic_values, member)

static const struct field nic_fields[] = {
    {"name", FIELD_NAME, AT_NIC(name), NULL, field_required, NULL},
    {"about", FIELD_TEXT, AT_NIC(about), NULL, field_required, NULL},
    {"assumptions", FIELD_NODE, AT_NIC(assumptions), NULL, NULL, NULL},
    ADAPTER_FIELDS,
};

#undef AT
#undef AT_NIC

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

/* Reads the values of an adapter that are maps of their own; 'is_file': those
 * of its file. */
static enum st
read_adapter_parts(struct reader *reader, const struct host_values *values,
                   bool is_file, struct host_spec *host)
{
    enum st st = ST_OK;

    if (values->rc) {
        st = fields_read(reader, values->rc, "'rc'", rc_fields,
                         N_FIELDS(rc_fields), &host->rc, NULL);
    }
    if (!st && values->fmr) {
        st = fields_read(reader, values->fmr, "'fmr'", fmr_fields,
                         N_FIELDS(fmr_fields), &host->fmr, NULL);
    }
    if (!st && values->dcqcn) {
        st = read_dcqcn(reader, values->dcqcn, &host->dcqcn);
    }
    if (!st && values->pcie) {
        st = section_pcie(reader, values->pcie, &host->pcie);
    }
    if (!st && values->caches) {
        st = section_caches(reader, values->caches, is_file, host);
    }
    if (!st && values->rx_fifo) {
        st = read_rx_fifo(reader, values->rx_fifo, host);
    }
    if (!st && values->pfc) {
        st = fields_read(reader, values->pfc, "'pfc'", pfc_fields,
                         N_FIELDS(pfc_fields), &host->pfc, NULL);
    }
    return st;
}

/* Reads the values of a host that are maps of their own. */
static enum st
read_parts(struct reader *reader, const struct host_values *values,
           struct host_spec *host)
{
    enum st st = read_adapter_parts(reader, values, false, host);

    if (!st && values->tcp) {
        st = section_tcp(reader, values->tcp, &host->tcp);
    }
    if (!st && values->srd) {
        st = section_srd(reader, values->srd, &host->srd);
    }
    if (!st && values->cpu) {
        st = section_cpu(reader, values->cpu, &host->cpu);
    }
    if (!st && values->memory) {
        st = section_memory(reader, values->memory, &host->memory);
    }
    if (!st && values->ssd) {
        st = section_ssd(reader, values->ssd, &host->ssd);
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
    if (!host->caches.is_of_nic &&
        (host->caches.translations || host->caches.contexts)) {
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
    fields_init(reader, fmr_fields, N_FIELDS(fmr_fields), &host->fmr);
    section_caches_init(reader, &host->caches);
    fields_init(reader, pfc_fields, N_FIELDS(pfc_fields), &host->pfc);
    section_tcp_init(reader, &host->tcp);
    section_srd_init(reader, &host->srd);
    section_watchdog_init(reader, &host->card);
    host->rx_fifo.size_bytes = QUANTITY_INFINITE;
}

/* Implements fields_item_fn. */
static enum st
read_assumption(struct reader *reader, struct fy_node *node, void *context)
{
    const struct field text = {"assumptions", FIELD_TEXT, 0, NULL, NULL, NULL};

    return fields_read_value(reader, node, &text, context);
}

/* Reads 'root' of 'file' over '*host', which has the defaults. */
static enum st
read_nic(struct reader *reader, struct fy_node *root,
         const struct nic_file *file, struct host_spec *host)
{
    struct nic_values nic = {0};
    struct fields_list list = {NULL, 0};
    enum st st;

    nic.values.host = *host;
    st = fields_read(reader, root, "an adapter", nic_fields,
                     N_FIELDS(nic_fields), &nic, NULL);
    *host = nic.values.host;
    if (!st && strcmp(nic.name, file->name) != 0) {
        st = document_fail(reader->document, document_member(root, "name"),
                           reader->err,
                           "the adapter of this file has to have its name, "
                           "'%s'",
                           file->name);
    }
    if (!st && nic.assumptions) {
        st = fields_read_list(reader, nic.assumptions, sizeof(const char *),
                              read_assumption, &list);
    }
    st = st ? st : read_adapter_parts(reader, &nic.values, true, host);
    host->nic = file->name;
    host->nic_assumptions = list.items;
    host->n_nic_assumptions = list.n;
    return st ? st
              : check_host(reader, nic.values.rc ? nic.values.rc : root, host);
}

/* Reports that there is no adapter 'name', the value of 'node'. */
static enum st
fail_nic(struct reader *reader, struct fy_node *node, const char *name)
{
    const struct nic_files *nics = reader->nics;
    const size_t n = nics ? nics->n : 0;
    const char **words = arena_alloc(reader->arena, n + 2, sizeof *words);

    words[0] = plain;
    for (size_t i = 0; i < n; i++) {
        words[i + 1] = nics->files[i].name;
    }
    words[n + 1] = NULL;
    return fields_fail_word(reader, node, "nic", name, words);
}

enum st
section_nic(struct reader *reader, struct fy_node *node, const char *name,
            struct host_spec *host)
{
    const struct nic_file *file =
        reader->nics ? nic_files_find(reader->nics, name) : NULL;
    struct reader inner = {.arena = reader->arena, .err = reader->err};
    struct fy_node *root = NULL;
    enum st st;

    init_host(reader, host);
    host->nic = plain;
    if (!strcmp(name, plain)) {
        return ST_OK;
    }
    if (!file) {
        return fail_nic(reader, node, name);
    }
    inner.document = document_create(reader->arena);
    st = document_add(inner.document, file->path, file->text, file->length,
                      &root, inner.err);
    st = st ? st : read_nic(&inner, root, file, host);
    document_destroy(inner.document);
    return st;
}

enum st
section_host_keys(struct reader *reader, struct fy_node *node, const char *what,
                  struct host_spec *host)
{
    struct host_values values = {0}, again = {0};
    const char *name = NULL;
    enum st st = fields_read(reader, node, what, host_fields,
                             N_FIELDS(host_fields), &values, NULL);

    /* The adapter comes first, wherever it is in the map. */
    if (!st && values.nic) {
        st = fields_text(reader, values.nic, "nic", &name);
        st = st ? st : section_nic(reader, values.nic, name, host);
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
