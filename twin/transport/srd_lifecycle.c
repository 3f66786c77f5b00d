/* SPDX-License-Identifier: Apache-2.0 */

/* An SRD context as a whole: settings, creation, completions, invariants. */

#include <config.h>

#include "twin/transport/srd.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/transport/bounds.h"
#include "twin/transport/srd_state.h"

#define US_PS      INT64_C(1000000)
#define S_PS       INT64_C(1000000000000)
#define GBPS       INT64_C(1000000000)
#define MAX_BPS    (INT64_C(1) << 42)
#define FIRST_BASE (UINT64_C(1) << 32)

const struct srd_config srd_config_default = {
    .mtu_bytes = SRD_MAX_MTU,
    .n_paths = 64,
    .n_entropies = 128,
    .choice = SRD_STEERED,
    .order = SRD_DELIVER,
    .window_packets = 1024,
    .line_bps = 100 * GBPS,
    .min_bps = GBPS / 10,
    .initial_packets = 10,
    .increase_packets = 1,
    .decrease_shift = 4,
    .queue_ps = 1 * US_PS,
    .avoid_percent = 150,
    .return_percent = 120,
    .probe_packets = 64,
    .dead_ps = 100000 * US_PS,
    .min_rto_ps = 100 * US_PS,
    .first_rto_ps = 1000 * US_PS,
};

enum st
srd_config_check(const struct srd_config *config, struct err *err)
{
    const struct bound bounds[] = {
        {"mtu_bytes", config->mtu_bytes, SRD_MIN_MTU, SRD_MAX_MTU},
        {"n_paths", config->n_paths, 1, SRD_MAX_PATHS},
        {"n_entropies", config->n_entropies, config->n_paths,
         SRD_MAX_ENTROPIES},
        {"choice", (int64_t)config->choice, SRD_STEERED, SRD_SINGLE},
        {"order", (int64_t)config->order, SRD_DELIVER, SRD_DROP},
        {"window_packets", config->window_packets, 16, SRD_MAX_WINDOW},
        {"line_bps", config->line_bps, GBPS / 1000, MAX_BPS},
        {"min_bps", config->min_bps, 1, config->line_bps},
        {"initial_packets", config->initial_packets, 1, 1024},
        {"increase_packets", config->increase_packets, 0, 1024},
        {"decrease_shift", config->decrease_shift, 1, 16},
        {"queue_ps", config->queue_ps, 0, S_PS},
        {"avoid_percent", config->avoid_percent, 101, 10000},
        {"return_percent", config->return_percent, 100, config->avoid_percent},
        {"probe_packets", config->probe_packets, 1, 65536},
        {"dead_ps", config->dead_ps, 1000, S_PS},
        {"min_rto_ps", config->min_rto_ps, 1000, S_PS},
        {"first_rto_ps", config->first_rto_ps, config->min_rto_ps, S_PS},
    };
    const enum st st =
        bounds_check(bounds, sizeof bounds / sizeof bounds[0], err);

    if (!st && config->window_packets & (config->window_packets - 1)) {
        return err_set(err, ST_INVALID, "power-of-2",
                       "window_packets must be a power of 2, not %u",
                       config->window_packets);
    }
    return st;
}

struct srd *
srd_create(struct line_pool *memory, const struct srd_config *config,
           uint64_t seed, uint32_t first)
{
    struct srd *srd = memory ? line_pool_take(memory, sizeof *srd)
                             : check_malloc(sizeof *srd);
    const uint64_t begin = FIRST_BASE + first;

    *srd = (struct srd){
        .config = config,
        .memory = memory,
        .sender = {.una = begin,
                   .next = begin,
                   .lost = {SRD_NONE, SRD_NONE, 0},
                   .deadline_ps = INT64_MAX},
    };
    random_init(&srd->random, seed);
    srd_paths_init__(srd);
    srd_rate_init__(srd);
    srd_receiver_init__(srd, begin);
    return srd;
}

void
srd_destroy(struct srd *srd)
{
    if (!srd) {
        return;
    }
    srd_paths_fini__(srd);
    srd_receiver_fini__(srd);
    free(srd->sender.records);
    free(srd->sender.waiting);
    free(srd->sender.completions);
    if (srd->memory) {
        line_pool_give(srd->memory, srd, sizeof *srd);
    } else {
        free(srd);
    }
}

bool
srd_poll(struct srd *srd, struct srd_completion *completion)
{
    struct srd_sender *sender = &srd->sender;

    if (sender->completions_first == sender->completions_end) {
        return false;
    }
    *completion = sender->completions[sender->completions_first++ &
                                      (sender->completions_room - 1)];
    return true;
}

int64_t
srd_rate_bps(const struct srd *srd)
{
    return srd->rate.rate_bps;
}

int64_t
srd_delivery_bps(const struct srd *srd)
{
    return srd->rate.delivery_bps;
}

uint64_t
srd_flight_limit_bytes(const struct srd *srd)
{
    return srd->rate.limit_bytes;
}

uint64_t
srd_flight_bytes(const struct srd *srd)
{
    return srd->sender.flight_bytes;
}

uint64_t
srd_outstanding(const struct srd *srd)
{
    const struct srd_sender *sender = &srd->sender;

    return sender->waiting_end - sender->waiting_first + sender->n_flight +
           sender->lost.n;
}

int64_t
srd_srtt_ps(const struct srd *srd)
{
    return srd->srtt_ps;
}

int64_t
srd_min_rtt_ps(const struct srd *srd)
{
    return srd->least_ps[0];
}

const struct srd_counters *
srd_counters(const struct srd *srd)
{
    return &srd->counters;
}

struct srd_path_info
srd_path(const struct srd *srd, uint32_t number)
{
    const struct srd_path *path = &srd->paths[number];

    return (struct srd_path_info){.state = (enum srd_path_state)path->state,
                                  .entropy = path->entropy,
                                  .srtt_ps = path->srtt_ps,
                                  .sent = path->sent};
}

/* Returns whether 'list' has only records of 'state' (and of 'path', unless it
 * is SRD_MAX_PATHS), as many as it says; adds their bytes. */
static bool
is_list_sound(const struct srd *srd, const struct srd_list *list,
              enum srd_record_state state, uint32_t path, uint64_t *bytes)
{
    uint32_t n = 0;

    for (uint64_t i = list->n ? list->first : SRD_NONE; i != SRD_NONE;) {
        const struct srd_record *record = srd_record_at__(&srd->sender, i);

        if (i < srd->sender.una || i >= srd->sender.next || n++ > list->n ||
            record->state != state ||
            (path != SRD_MAX_PATHS && record->path != path)) {
            return false;
        }
        *bytes += srd_wire_bytes__(record->request.length_bytes);
        i = record->next;
    }
    return n == list->n;
}

/* Returns what is wrong with the paths, or NULL. */
static const char *
check_paths(const struct srd *srd)
{
    uint64_t bytes = 0;
    uint32_t n = 0, n_ok = 0, n_avoided = 0;

    for (uint32_t i = 0; i < srd->config->n_paths; i++) {
        const struct srd_path *path = &srd->paths[i];

        if (!is_list_sound(srd, &path->list, SRD_RECORD_IN_FLIGHT, i, &bytes)) {
            return "a path has packets that are not in flight on it";
        }
        n += path->list.n;
        n_ok += path->state == SRD_PATH_OK;
        n_avoided += path->state == SRD_PATH_AVOID;
        if (path->state == SRD_PATH_OK &&
            srd->ok.paths[path->ok_place] != (uint16_t)i) {
            return "a path that is ok cannot be chosen";
        }
    }
    if (n_ok != srd->ok.n || n_avoided != srd->avoided.n) {
        return "the sets of paths and their states differ";
    }
    return n == srd->sender.n_flight && bytes == srd->sender.flight_bytes
               ? NULL
               : "the flight and the packets on paths differ";
}

const char *
srd_check(const struct srd *srd)
{
    const struct srd_sender *sender = &srd->sender;
    uint64_t bytes = 0;
    uint64_t open = 0;

    if (!is_list_sound(srd, &sender->lost, SRD_RECORD_LOST, SRD_MAX_PATHS,
                       &bytes)) {
        return "a packet waits to be repeated and is not lost";
    }
    for (uint64_t i = sender->una; i < sender->next; i++) {
        open += srd_record_at__(sender, i)->state != SRD_RECORD_ENDED;
    }
    if (open != sender->n_flight + sender->lost.n) {
        return "a packet is neither in flight, nor lost, nor acknowledged";
    }
    if (sender->next - sender->una > srd->config->window_packets) {
        return "the window is exceeded";
    }
    if (sender->n_flight && sender->deadline_ps == INT64_MAX) {
        return "packets are in flight without a timer";
    }
    if (srd->rate.rate_bps > srd->config->line_bps ||
        srd->rate.rate_bps < srd->config->min_bps) {
        return "the rate is out of its range";
    }
    return check_paths(srd);
}
