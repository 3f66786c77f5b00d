/* SPDX-License-Identifier: Apache-2.0 */

/* Finds what a CNP does: the gaps of the rate limiter, the time until the rate
 * grows, the window of the reaction point, and a FIFO before all limiters.
 *
 * The adapter sends small messages to a receiver whose queue other frames fill
 * for a moment.  What is marked then causes one CNP. */

#include <config.h>

#include <stddef.h>

#include "lab/probe/nic_probe.h"
#include "lab/probe/nic_probe_state.h"

enum {
    FILL_BYTES = 128,
    FILL_PS = 2960, /* A frame of 128 bytes and 20 on the wire, at 400 Gb/s. */
    N_WARM_FRAMES = 30,
    N_SPAN_GAPS = 12,
};

#define WARM_PS   (5 * PROBE_US)
#define REACT_PS  (2 * PROBE_US) /* From a mark until its effect arrives. */
#define SETTLE_PS (300 * PROBE_NS)
#define FIFO_PS   (4 * PROBE_MS)
#define LONG_PS   (2 * PROBE_MS)

/* The packets of a group, and when it and the next began. */
struct group {
    uint32_t n;
    int64_t start_ps, next_ps;
};

/* Returns the time between two packets that follow each other on the wire: the
 * shortest. */
static int64_t
closest_ps(const struct probe_record *record)
{
    int64_t closest = INT64_MAX;

    for (size_t i = 1; i < record->n_arrivals; i++) {
        const int64_t ps =
            record->arrivals[i].at_ps - record->arrivals[i - 1].at_ps;

        closest = ps > 0 && ps < closest ? ps : closest;
    }
    return closest;
}

/* Finds the next group that begins at arrival '*i' or later: the packets
 * between two gaps.  Moves '*i' to the start of the one after it.  Returns
 * false if there is none. */
static bool
next_group(const struct probe_record *record, int64_t closest, size_t *i,
           struct group *group)
{
    size_t first = *i, end;

    while (first < record->n_arrivals &&
           (!first ||
            record->arrivals[first].at_ps - record->arrivals[first - 1].at_ps <=
                closest + closest / 4)) {
        first++;
    }
    end = first + 1;
    while (end < record->n_arrivals &&
           record->arrivals[end].at_ps - record->arrivals[end - 1].at_ps <=
               closest + closest / 4) {
        end++;
    }
    if (end >= record->n_arrivals) {
        return false;
    }
    *group =
        (struct group){(uint32_t)(end - first), record->arrivals[first].at_ps,
                       record->arrivals[end].at_ps};
    *i = end;
    return true;
}

/* Returns the index of the first arrival at 'at_ps' or later; 'marked': of one
 * that is marked. */
static size_t
find_arrival(const struct probe_record *record, int64_t at_ps, bool marked)
{
    size_t i = 0;

    while (i < record->n_arrivals &&
           (record->arrivals[i].at_ps < at_ps ||
            (marked && !record->arrivals[i].is_marked))) {
        i++;
    }
    return i;
}

/* Runs the stream of the adapter, with marks after WARM_PS, and again
 * 'again_ps' later unless that is 0, for 'fill_ps'.  The receiver sends at most
 * one CNP per 'np_gap_ps'. */
static enum st
stream(struct probe *probe, int64_t again_ps, int64_t fill_ps,
       int64_t np_gap_ps, int64_t stop_ps, struct probe_record *record)
{
    struct text traffic = {0}, peers = {0};
    struct probe_setup setup = {
        .tested = "h-0-0", .keys = "", .stop_ps = stop_ps};
    const int64_t starts_ps[] = {WARM_PS, WARM_PS + again_ps};
    enum st st;

    text_addf(&traffic,
              "  - {priority: 3, rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
              "size: 64B, repeat: inf, depth: 4096}}\n");
    for (int i = 0; i < 1 + (again_ps > 0); i++) {
        text_addf(
            &traffic,
            "  - {priority: 3, start: %lldps, raw: {pattern: pairs, from: "
            "h-0-2, to: h-0-1, frame: %dB, frames: %lld}}\n",
            (long long)starts_ps[i], FILL_BYTES,
            (long long)(i ? fill_ps / FILL_PS + 1 : N_WARM_FRAMES));
    }
    text_addf(&peers,
              "dcqcn: {profile: paper, np_mode: window, np_gap: %lldps}",
              (long long)np_gap_ps);
    setup.traffic = text_string(&traffic);
    setup.peers = text_string(&peers);
    st = probe_try__(probe, &setup, record);
    text_fini(&traffic);
    text_fini(&peers);
    return st;
}

/* Gaps --------------------------------------------------------------------- */

/* Stores what the first groups after a CNP say, and when gaps get shorter. */
static void
read_groups(const struct probe_record *record, struct nic_probe *found)
{
    const int64_t closest = closest_ps(record);
    const size_t mark = find_arrival(record, 0, true);
    struct group group = {0};
    int64_t cut_ps;
    size_t i;

    if (mark == record->n_arrivals) {
        return;
    }
    /* The cut is where its effect would arrive: the CNP and a packet take as
     * long as a message and its acknowledgement. */
    cut_ps = record->arrivals[mark].at_ps + record->messages[0].end_ps -
             record->messages[0].start_ps;
    /* Behind what waited in the queue.  The first group may be a half. */
    i = find_arrival(record, cut_ps + SETTLE_PS, false);
    for (int n = 0; n < 2; n++) {
        if (!next_group(record, closest, &i, &group)) {
            return;
        }
    }
    found->reacts = true;
    found->burst = group.n;
    found->burst_gap_ps = group.next_ps - group.start_ps;
    found->wire_bytes = (uint32_t)((closest + 10) / 20);
    while (next_group(record, closest, &i, &group)) {
        if (group.next_ps - group.start_ps <
            found->burst_gap_ps - found->burst_gap_ps / 50) {
            found->increase_ps = group.start_ps - cut_ps;
            return;
        }
    }
}

static enum st
probe_gaps(struct probe *probe)
{
    struct probe_record record;
    const enum st st =
        stream(probe, 0, 0, INT64_C(1000000000000), LONG_PS, &record);

    if (!st) {
        read_groups(&record, probe->found);
    }
    probe_record_fini(&record);
    return st;
}

/* Cuts --------------------------------------------------------------------- */

/* Returns how many packets arrived in 'span_ps' from 'from_ps' on. */
static size_t
count_arrivals(const struct probe_record *record, int64_t from_ps,
               int64_t span_ps)
{
    return find_arrival(record, from_ps + span_ps, false) -
           find_arrival(record, from_ps, false);
}

/* How long marks last so that a packet of the adapter is among them. */
static int64_t
fill_of(const struct nic_probe *found)
{
    return 2 * found->burst_gap_ps + 20 * PROBE_NS;
}

/* Notes that a CNP 'after_ps' another one has cut, or not.  Packets of bursts
 * are marked when a burst passes, so this is not quite what was asked for. */
static void
note_cut(struct probe *probe, int64_t after_ps, bool cuts)
{
    if (cuts && (!probe->hit_ps || after_ps < probe->hit_ps)) {
        probe->hit_ps = after_ps;
    }
    if (!cuts && after_ps > probe->missed_ps) {
        probe->missed_ps = after_ps;
    }
}

/* A probe_question_fn: whether a CNP 'after_ps' another one cuts again.  The
 * rate may have grown meanwhile, so gaps right before and after are compared.
 */
static enum st
cuts_again(struct probe *probe, int64_t after_ps, bool *reaches)
{
    struct probe_record record;
    const struct nic_probe *found = probe->found;
    const int64_t span_ps = N_SPAN_GAPS * found->burst_gap_ps;
    size_t first, second;
    enum st st = stream(probe, after_ps, fill_of(found), after_ps * 3 / 5,
                        WARM_PS + after_ps + REACT_PS +
                            20 * found->burst_gap_ps + PROBE_US,
                        &record);

    *reaches = false;
    if (!st) {
        first = find_arrival(&record, 0, true);
        second =
            first == record.n_arrivals
                ? first
                : find_arrival(&record,
                               record.arrivals[first].at_ps + after_ps * 3 / 5,
                               true);
        if (second < record.n_arrivals) {
            const int64_t at_ps = record.arrivals[second].at_ps;
            const size_t before =
                count_arrivals(&record, at_ps - span_ps, span_ps);
            const size_t behind =
                count_arrivals(&record, at_ps + REACT_PS, span_ps);

            *reaches = (double)behind < 0.85 * (double)before;
            note_cut(probe, at_ps - record.arrivals[first].at_ps, *reaches);
        }
    }
    probe_record_fini(&record);
    return st;
}

static enum st
probe_cuts(struct probe *probe)
{
    struct nic_probe *found = probe->found;
    bool reaches = false;
    int64_t high_ps;
    enum st st;

    /* The second marks come when the first CNP has had its effect. */
    found->least_cut_ps =
        REACT_PS + SETTLE_PS + (N_SPAN_GAPS + 1) * found->burst_gap_ps;
    high_ps = found->least_cut_ps;
    st = cuts_again(probe, high_ps, &reaches);
    if (st || reaches) {
        return st;
    }
    while (!st && !reaches && high_ps < LONG_PS) {
        high_ps *= 2;
        st = cuts_again(probe, high_ps, &reaches);
    }
    if (!st && reaches) {
        st = probe_bisect__(probe, cuts_again, high_ps / 2, high_ps, false,
                            &high_ps);
        found->cut_window_ps = (probe->missed_ps + probe->hit_ps) / 2;
    }
    return st;
}

/* FIFO --------------------------------------------------------------------- */

/* Sends to two hosts in two priorities, one of which is paused most of the
 * time: two others send to that host as well, and nobody sends CNPs.  With a
 * FIFO before all limiters both get the same, without it the other one the
 * rest. */
static enum st
probe_fifo(struct probe *probe)
{
    static const char traffic[] =
        "  - {priority: 3, rc: {pattern: pairs, from: h-0-0, to: h-0-1, "
        "size: inf}}\n"
        "  - {priority: 4, rc: {pattern: pairs, from: h-0-0, to: h-0-3, "
        "size: inf}}\n"
        "  - {priority: 3, raw: {pattern: incast, from: [h-0-2, h-0-3], "
        "to: h-0-1, frame: 1086B}}\n";
    const struct probe_setup setup = {.tested = "h-0-0",
                                      .keys = "",
                                      .peers = "dcqcn: off",
                                      .traffic = traffic,
                                      .stop_ps = FIFO_PS};
    struct probe_record record;
    const enum st st = probe_try__(probe, &setup, &record);
    size_t paused = 0, open = 0;

    for (size_t i = 0; i < record.n_arrivals; i++) {
        paused += record.arrivals[i].at_ps > FIFO_PS / 2;
    }
    for (size_t i = 0; i < record.n_others; i++) {
        open += record.others[i].at_ps > FIFO_PS / 2;
    }
    probe->found->shares_fifo = 2 * open < 3 * paused;
    probe_record_fini(&record);
    return st;
}

enum st
probe_rate__(struct probe *probe)
{
    enum st st = probe_gaps(probe);

    if (!st && probe->found->reacts) {
        st = probe_cuts(probe);
    }
    return st ? st : probe_fifo(probe);
}
