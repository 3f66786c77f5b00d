/* SPDX-License-Identifier: Apache-2.0 */

/* Finds how an adapter notifies, recovers, caches and registers. */

#include <config.h>

#include "lab/probe/nic_probe.h"

#include <stddef.h>

#include "lab/probe/nic_probe_state.h"

enum {
    N_MARKS = 12,     /* Packets of an experiment about CNPs. */
    FILL_LEAST = 128, /* Bytes of frames that keep a queue busy. */
    FILL_MOST = 5000, /* Larger ones exceed the MTU of the switch. */
    N_KIND_BYTES = 2000000,
    N_ROUNDS = 6,
    N_FENCE_TRIPS = 40,
};

enum st
probe_try__(struct probe *probe, const struct probe_setup *setup,
            struct probe_record *record)
{
    struct probe_setup complete = *setup;
    enum st st;

    complete.mtu_bytes = probe->mtu_bytes;
    st = probe_bench_run(probe->file, probe->options, &complete, record,
                         probe->err);
    probe->found->n_experiments++;
    if (!st && probe->progress) {
        probe->progress(probe->context, probe->found->n_experiments);
    }
    return st;
}

enum st
probe_bisect__(struct probe *probe, probe_question_fn *question, int64_t low,
               int64_t high, bool exact, int64_t *limit)
{
    enum st st = ST_OK;

    while (
        !st && high - low > 1 &&
        (exact || (double)(high - low) > NIC_PROBE_RESOLUTION * (double)high)) {
        /* Far apart, the geometric mean is nearer; halving does as well. */
        const int64_t middle = high > 4 * low ? (low > 0 ? 2 * low : high / 2)
                                              : low + (high - low) / 2;
        bool reaches = false;

        st = question(probe, middle, &reaches);
        *(reaches ? &high : &low) = middle;
    }
    *limit = high;
    return st;
}

/* CNPs --------------------------------------------------------------------- */

/* Sends N_MARKS marked packets 'gap_ps' apart, over each of 'n_qps' queue
 * pairs, and stores the number of CNPs. */
static enum st
count_cnps(struct probe *probe, int64_t gap_ps, int n_qps, uint64_t *cnps)
{
    /* The distance of frames is the error of the gap: less than 1/500. */
    const int64_t fill = gap_ps / (10 * PROBE_NS);
    struct probe_record record;
    struct text traffic = {0};
    struct probe_setup setup = {.tested = "h-0-1",
                                .keys = "",
                                .peers = PROBE_STEADY,
                                .stop_ps = PROBE_US + (N_MARKS + 2) * gap_ps +
                                           5 * PROBE_US};
    enum st st;

    text_addf(&traffic,
              "  - {priority: 3, raw: {pattern: pairs, from: h-0-2, to: h-0-1, "
              "frame: %lldB}}\n"
              "  - {priority: 3, start: 1us, rc: {pattern: pairs, from: h-0-0, "
              "to: h-0-1, qps: %d, size: 64B, repeat: %d, every: %lldps}}\n",
              (long long)(fill < FILL_LEAST  ? FILL_LEAST
                          : fill > FILL_MOST ? FILL_MOST
                                             : fill),
              n_qps, N_MARKS, (long long)gap_ps);
    setup.traffic = text_string(&traffic);
    st = probe_try__(probe, &setup, &record);
    *cnps = record.cnps;
    probe_record_fini(&record);
    text_fini(&traffic);
    return st;
}

/* A probe_question_fn: whether each packet causes a CNP. */
static enum st
notifies_all(struct probe *probe, int64_t gap_ps, bool *reaches)
{
    uint64_t cnps = 0;
    const enum st st = count_cnps(probe, gap_ps, 1, &cnps);

    /* That of the last packet may come when the flow has ended. */
    *reaches = cnps >= N_MARKS - 1;
    return st;
}

static enum st
probe_notification(struct probe *probe)
{
    struct nic_probe *found = probe->found;
    uint64_t cnps = 0;
    bool all = false;
    int64_t high_ps = PROBE_US;
    enum st st = count_cnps(probe, PROBE_US, 1, &cnps);

    found->notifies = cnps > 0;
    if (st || !found->notifies) {
        return st;
    }
    st = notifies_all(probe, PROBE_LEAST_PS, &all);
    if (!all) {
        while (!st && !all && high_ps < 10 * PROBE_MS) {
            high_ps *= 4;
            st = notifies_all(probe, high_ps, &all);
        }
        st = st ? st
                : probe_bisect__(probe, notifies_all, PROBE_LEAST_PS, high_ps,
                                 false, &found->cnp_gap_ps);
        st = st ? st : count_cnps(probe, found->cnp_gap_ps * 5 / 4, 2, &cnps);
        found->gap_is_of_qp = cnps >= 2 * (N_MARKS - 1);
    }
    return st;
}

/* Recovery ----------------------------------------------------------------- */

/* Returns the longest time between two arrivals. */
static int64_t
longest_silence_ps(const struct probe_record *record)
{
    int64_t longest_ps = 0;

    for (size_t i = 1; i < record->n_arrivals; i++) {
        const int64_t ps =
            record->arrivals[i].at_ps - record->arrivals[i - 1].at_ps;

        longest_ps = ps > longest_ps ? ps : longest_ps;
    }
    return longest_ps;
}

/* Sends between two hosts with the adapter, since sender and receiver have to
 * agree about what is sent again: without loss, or losing each packet whose
 * number is a multiple of 'loss'. */
static enum st
lose(struct probe *probe, const char *message, size_t loss, int64_t stop_ps,
     struct probe_record *record)
{
    struct text traffic = {0}, faults = {0};
    struct probe_setup setup = {.tested = "'h-0-[0..1]'",
                                .keys = "",
                                .peers = PROBE_STEADY,
                                .stop_ps = stop_ps};
    enum st st;

    text_addf(&traffic,
              "  - {priority: 3, rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
              "%s}}\n",
              message);
    text_addf(&faults,
              "[{drop_every: %zu, link: h-0-0.t0-0, direction: forward}]",
              loss);
    setup.traffic = text_string(&traffic);
    setup.faults = loss ? text_string(&faults) : NULL;
    st = probe_try__(probe, &setup, record);
    text_fini(&traffic);
    text_fini(&faults);
    return st;
}

/* Small messages, so that what is on the wire takes no time. */
static const char stream[] = "size: 64B, repeat: inf, depth: 4096";

static enum st
probe_delay(struct probe *probe)
{
    enum { LOSS = 12000 };
    struct probe_record record;
    int64_t stop_ps = 100 * PROBE_US, usual_ps;
    bool is_over = false;
    enum st st = lose(probe, stream, 0, stop_ps, &record);

    usual_ps = longest_silence_ps(&record);
    probe_record_fini(&record);
    while (!st && !is_over && stop_ps < 50 * PROBE_MS) {
        st = lose(probe, stream, LOSS, stop_ps, &record);
        is_over = record.n_arrivals > LOSS + 4096;
        probe->found->recovery_ps = longest_silence_ps(&record) - usual_ps;
        probe_record_fini(&record);
        stop_ps *= 4;
    }
    if (probe->found->recovery_ps < PROBE_LEAST_PS) {
        probe->found->recovery_ps = 0;
    }
    return st;
}

/* Loses a packet in the second half of a message. */
static enum st
probe_recovery(struct probe *probe)
{
    static const char message[] = "size: 2MB";
    struct probe_record record;
    size_t n, n_again;
    enum st st = lose(probe, message, 0, PROBE_MS, &record);

    n = record.n_arrivals;
    probe_record_fini(&record);
    if (st || n < 10) {
        return st ? st
                  : err_set(probe->err, ST_DEVICE, "probe",
                            "the adapter sends no packets");
    }
    st = lose(probe, message, n * 3 / 5, 100 * PROBE_MS, &record);
    n_again = record.n_arrivals > n ? record.n_arrivals - n : 0;
    probe->found->recovery = n_again >= n / 2 ? NIC_PROBE_GO_BACK_0
                             : n_again > 1    ? NIC_PROBE_GO_BACK_N
                                              : NIC_PROBE_SELECTIVE;
    probe_record_fini(&record);
    return st ? st : probe_delay(probe);
}

/* Contexts ----------------------------------------------------------------- */

/* A probe_question_fn: whether 'n_qps' that take turns miss. */
static enum st
contexts_miss(struct probe *probe, int64_t n_qps, bool *reaches)
{
    struct probe_record record;
    struct text traffic = {0};
    struct probe_setup setup = {.tested = "h-0-1",
                                .keys = "pcie: gen6x16, caches: {mtt: 0}",
                                .peers = "dcqcn: off",
                                .stop_ps = 20 * PROBE_MS};
    enum st st;

    text_addf(&traffic,
              "  - {priority: 3, rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
              "qps: %lld, size: 64B, repeat: %d}}\n",
              (long long)n_qps, N_ROUNDS);
    setup.traffic = text_string(&traffic);
    st = probe_try__(probe, &setup, &record);
    *reaches = true;
    if (!st && record.n_arrivals >= (size_t)(N_ROUNDS * n_qps)) {
        /* The last two rounds; a miss is a read of memory over PCIe.  A round
         * of few is as long as a round trip. */
        const size_t n = record.n_arrivals, from = n - 2 * (size_t)n_qps;
        const int64_t each_ps =
            (record.arrivals[n - 1].at_ps - record.arrivals[from].at_ps) /
            (2 * n_qps - 1);

        *reaches = each_ps > 30 * PROBE_NS + 3 * PROBE_US / n_qps;
    }
    probe_record_fini(&record);
    text_fini(&traffic);
    return st;
}

static enum st
probe_contexts(struct probe *probe)
{
    enum { FEW = 128 };
    bool misses = false;
    int64_t limit = 0;
    enum st st = contexts_miss(probe, NIC_PROBE_MAX_CONTEXTS, &misses);

    if (!st && misses) {
        st = probe_bisect__(probe, contexts_miss, FEW, NIC_PROBE_MAX_CONTEXTS,
                            true, &limit);
        probe->found->contexts = (uint32_t)limit - 1;
    }
    return st;
}

/* Registration ------------------------------------------------------------- */

/* Sends messages over 1 km, 'depth' at a time, and stores how many have
 * completed and the latency of the first. */
static enum st
send_requests(struct probe *probe, bool registers, int depth, size_t *n,
              int64_t *latency_ps)
{
    struct probe_record record;
    struct text traffic = {0};
    struct probe_setup setup = {.tested = "h-0-0",
                                .keys = "",
                                .peers = PROBE_STEADY,
                                .length_m = 1000,
                                .stop_ps = N_FENCE_TRIPS * 20 * PROBE_US};
    enum st st;

    text_addf(
        &traffic,
        "  - {priority: 3, rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
        "verb: send, size: 64B, repeat: inf, depth: %d, registers: %s}}\n",
        depth, registers ? "true" : "false");
    setup.traffic = text_string(&traffic);
    st = probe_try__(probe, &setup, &record);
    *n = record.n_messages;
    *latency_ps = record.n_messages
                      ? record.messages[0].end_ps - record.messages[0].start_ps
                      : 0;
    probe_record_fini(&record);
    text_fini(&traffic);
    return st;
}

static enum st
probe_registration(struct probe *probe)
{
    size_t n, one = 0, many = 0;
    int64_t without_ps = 0, with_ps = 0, ps;
    enum st st = send_requests(probe, false, 1, &n, &without_ps);

    st = st ? st : send_requests(probe, true, 1, &one, &with_ps);
    st = st ? st : send_requests(probe, true, 8, &many, &ps);
    probe->found->registration_ps = with_ps - without_ps;
    probe->found->registration_fence = many < one * 3 / 2;
    return st;
}

/* -------------------------------------------------------------------------- */

enum st
nic_probe(const struct nic_file *file, const struct run_options *options,
          nic_probe_progress_fn *progress, void *context,
          struct nic_probe *found, struct err *err)
{
    struct probe probe = {.file = file,
                          .options = options,
                          .progress = progress,
                          .context = context,
                          .found = found,
                          .err = err};
    enum st st;

    *found = (struct nic_probe){0};
    st = probe_bench_mtu(file, &probe.mtu_bytes, err);
    st = st ? st : probe_notification(&probe);
    st = st ? st : probe_rate__(&probe);
    st = st ? st : probe_recovery(&probe);
    st = st ? st : probe_contexts(&probe);
    return st ? st : probe_registration(&probe);
}

const char *
nic_probe_recovery_name(enum nic_probe_recovery recovery)
{
    static const char *const names[] = {"go_back_n", "go_back_0", "selective"};

    return names[recovery];
}
