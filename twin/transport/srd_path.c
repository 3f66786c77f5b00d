/* SPDX-License-Identifier: Apache-2.0 */

/* The paths of an SRD context: which one is chosen, and what it is known for.
 */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "twin/transport/srd_state.h"

enum { STREAK = 3, MAX_BACKOFF = 6 };

static void
set_add(struct srd_set *set, uint32_t path, uint32_t *place)
{
    *place = set->n;
    set->paths[set->n++] = (uint16_t)path;
}

/* Moves 'path' to 'state'. */
static void
enter(struct srd *srd, uint32_t path, enum srd_path_state state)
{
    struct srd_path *at = &srd->paths[path];
    uint16_t last;

    if (at->state == SRD_PATH_OK) {
        last = srd->ok.paths[--srd->ok.n];
        srd->ok.paths[at->ok_place] = last;
        srd->paths[last].ok_place = at->ok_place;
    } else if (at->state == SRD_PATH_AVOID) {
        last = srd->avoided.paths[--srd->avoided.n];
        srd->avoided.paths[at->avoid_place] = last;
        srd->paths[last].avoid_place = at->avoid_place;
    }
    if (state == SRD_PATH_OK) {
        set_add(&srd->ok, path, &at->ok_place);
    } else if (state == SRD_PATH_AVOID) {
        set_add(&srd->avoided, path, &at->avoid_place);
    }
    at->state = (uint8_t)state;
    at->streak = 0;
    at->probe = 0;
}

void
srd_paths_init__(struct srd *srd)
{
    const uint32_t n = srd->config->n_paths;

    srd->paths = check_calloc(n, sizeof *srd->paths);
    srd->ok.paths = check_calloc(n, sizeof *srd->ok.paths);
    srd->avoided.paths = check_calloc(n, sizeof *srd->avoided.paths);
    for (uint32_t i = 0; i < n; i++) {
        srd->paths[i].list = (struct srd_list){SRD_NONE, SRD_NONE, 0};
        srd->paths[i].entropy = (uint16_t)i;
        set_add(&srd->ok, i, &srd->paths[i].ok_place);
    }
    srd->sender.next_entropy = n;
    srd->sender.probe_ps = INT64_MAX;
}

void
srd_paths_fini__(struct srd *srd)
{
    free(srd->paths);
    free(srd->ok.paths);
    free(srd->avoided.paths);
}

/* Returns whether 'path' is better than 'other'; both are avoided or dead. */
static bool
is_better(const struct srd_path *path, const struct srd_path *other)
{
    if (path->state != other->state) {
        return path->state < other->state;
    }
    return path->state == SRD_PATH_AVOID ? path->srtt_ps < other->srtt_ps
                                         : path->probe_ps < other->probe_ps;
}

/* Returns the fastest path that is avoided, else the one that died first. */
static uint32_t
least_bad(const struct srd *srd)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < srd->config->n_paths; i++) {
        best = is_better(&srd->paths[i], &srd->paths[best]) ? i : best;
    }
    return best;
}

uint32_t
srd_choose__(struct srd *srd, uint32_t not )
{
    const struct srd_set *ok = &srd->ok;
    uint32_t first, second;

    if (srd->config->choice == SRD_SINGLE) {
        return 0;
    }
    if (!ok->n) {
        return least_bad(srd);
    }
    first = ok->paths[random_below(&srd->random, ok->n)];
    second = ok->paths[random_below(&srd->random, ok->n)];
    if (first == not ) {
        first = second;
    }
    if (first == not &&ok->n > 1) {
        return ok->paths[(srd->paths[not ].ok_place + 1) % ok->n];
    }
    return srd->config->choice == SRD_STEERED &&
                   second != not &&srd->paths[second].srtt_ps <
                                 srd->paths[first].srtt_ps
               ? second
               : first;
}

static void
smooth(int64_t *srtt_ps, int64_t *rttvar_ps, int64_t rtt_ps)
{
    if (*srtt_ps) {
        const int64_t error_ps = rtt_ps - *srtt_ps;

        *rttvar_ps += ((error_ps < 0 ? -error_ps : error_ps) - *rttvar_ps) / 4;
        *srtt_ps += error_ps / 8;
    } else {
        *srtt_ps = rtt_ps;
        *rttvar_ps = rtt_ps / 2;
    }
}

/* Returns whether 'path' has had STREAK samples in a row for which 'holds'. */
static bool
has_streak(struct srd_path *path, bool holds)
{
    path->streak = holds ? (uint8_t)(path->streak + 1) : 0;
    return path->streak >= STREAK;
}

/* Moves 'path' between ok and avoid after a sample. */
static void
steer(struct srd *srd, uint32_t number, int64_t rtt_ps)
{
    const struct srd_config *config = srd->config;
    struct srd_path *path = &srd->paths[number];
    const int64_t hundredth = srd->median_ps / 100;

    if (config->choice != SRD_STEERED || !srd->median_ps) {
        return;
    }
    if (path->state == SRD_PATH_OK && srd->ok.n > 1 &&
        has_streak(path, rtt_ps > hundredth * config->avoid_percent)) {
        enter(srd, number, SRD_PATH_AVOID);
        srd->counters.avoided++;
    } else if (path->state == SRD_PATH_AVOID &&
               has_streak(path, rtt_ps < hundredth * config->return_percent)) {
        enter(srd, number, SRD_PATH_OK);
        srd->counters.revived++;
    }
}

/* Notes a round-trip time of a packet of 'length_bytes', and returns the least
 * of its size.  A shorter packet would not have taken longer. */
static int64_t
note_least(struct srd *srd, uint32_t length_bytes, int64_t rtt_ps)
{
    const uint32_t size =
        length_bytes * SRD_N_SIZES / (srd->config->mtu_bytes + 1);

    for (uint32_t i = 0; i <= size; i++) {
        if (!srd->least_ps[i] || rtt_ps < srd->least_ps[i]) {
            srd->least_ps[i] = rtt_ps;
        }
    }
    return srd->least_ps[size];
}

void
srd_path_sample__(struct srd *srd, uint32_t number, uint32_t length_bytes,
                  int64_t rtt_ps)
{
    struct srd_path *path = &srd->paths[number];
    struct srd_rate *rate = &srd->rate;
    const int64_t least_ps = note_least(srd, length_bytes, rtt_ps);
    bool is_high;

    smooth(&path->srtt_ps, &path->rttvar_ps, rtt_ps);
    smooth(&srd->srtt_ps, &srd->rttvar_ps, rtt_ps);
    steer(srd, number, rtt_ps);
    if (path->round != rate->number) {
        path->round = rate->number;
        path->was_high = false;
        rate->n_sampled++;
    }
    is_high = rtt_ps - least_ps > srd->config->queue_ps;
    rate->n_high += is_high;
    rate->n_high -= path->was_high;
    path->was_high = is_high;
}

void
srd_path_lives__(struct srd *srd, uint32_t number, uint32_t entropy,
                 bool is_probe)
{
    struct srd_path *path = &srd->paths[number];

    if (path->state == SRD_PATH_DEAD && path->entropy == entropy) {
        enter(srd, number,
              is_probe || srd->config->choice != SRD_STEERED ? SRD_PATH_OK
                                                             : SRD_PATH_AVOID);
        srd->counters.revived++;
    }
}

void
srd_path_dies__(struct srd *srd, uint32_t number, int64_t now_ps)
{
    struct srd_path *path = &srd->paths[number];

    if (path->state != SRD_PATH_DEAD) {
        enter(srd, number, SRD_PATH_DEAD);
        srd->counters.died++;
    }
    path->probe = 0;
    path->probe_ps = now_ps + srd->config->dead_ps;
    if (path->probe_ps < srd->sender.probe_ps) {
        srd->sender.probe_ps = path->probe_ps;
    }
}

/* Returns the item of 'times' at place 'k' of their order: Hoare's selection.
 */
static int64_t
select_ps(int64_t *times, uint32_t n, uint32_t k)
{
    uint32_t low = 0, high = n - 1;

    while (low < high) {
        const int64_t pivot = times[(low + high) / 2];
        uint32_t i = low, j = high;

        while (i <= j) {
            while (times[i] < pivot) {
                i++;
            }
            while (times[j] > pivot) {
                j--;
            }
            if (i <= j) {
                const int64_t swapped = times[i];

                times[i++] = times[j];
                times[j] = swapped;
                if (!j--) {
                    break;
                }
            }
        }
        if (j != UINT32_MAX && k <= j) {
            high = j;
        } else if (k >= i) {
            low = i;
        } else {
            break;
        }
    }
    return times[k];
}

void
srd_paths_compare__(struct srd *srd)
{
    int64_t times[SRD_MAX_PATHS];
    uint32_t n = 0;

    for (uint32_t i = 0; i < srd->config->n_paths; i++) {
        if (srd->paths[i].srtt_ps) {
            times[n++] = srd->paths[i].srtt_ps;
        }
    }
    srd->median_ps = n ? select_ps(times, n, n / 2) : 0;
}

int64_t
srd_path_rto__(const struct srd *srd, uint32_t number)
{
    const struct srd_path *path = &srd->paths[number];
    const uint32_t backoff =
        srd->sender.backoff > MAX_BACKOFF ? MAX_BACKOFF : srd->sender.backoff;
    int64_t rto_ps = path->srtt_ps  ? path->srtt_ps + 4 * path->rttvar_ps
                     : srd->srtt_ps ? srd->srtt_ps + 4 * srd->rttvar_ps
                                    : srd->config->first_rto_ps;

    if (rto_ps < srd->config->min_rto_ps) {
        rto_ps = srd->config->min_rto_ps;
    }
    return rto_ps << backoff;
}

/* Fills '*packet' with a probe of 'path'. */
static void
fill_probe(struct srd *srd, uint32_t number, int64_t now_ps,
           struct srd_packet *packet)
{
    struct srd_path *path = &srd->paths[number];

    path->probe = ++srd->sender.n_probes;
    path->probe_ps = now_ps;
    path->probe_bytes = srd->sender.last_bytes;
    *packet = (struct srd_packet){
        .kind = SRD_PROBE,
        .path = (uint16_t)number,
        .entropy = path->entropy,
        .sequence = path->probe,
        .request = {.length_bytes = srd->sender.last_bytes}};
    srd->counters.probes++;
}

/* Returns the dead path whose probe is due, or SRD_MAX_PATHS; notes when the
 * next one is. */
static uint32_t
find_due(struct srd *srd, int64_t now_ps)
{
    uint32_t found = SRD_MAX_PATHS;

    srd->sender.probe_ps = INT64_MAX;
    for (uint32_t i = 0; i < srd->config->n_paths; i++) {
        const struct srd_path *path = &srd->paths[i];
        const int64_t due_ps = path->probe
                                   ? path->probe_ps + srd->config->dead_ps
                                   : path->probe_ps;

        if (path->state != SRD_PATH_DEAD) {
            continue;
        }
        if (found == SRD_MAX_PATHS && due_ps <= now_ps) {
            found = i;
        } else if (due_ps < srd->sender.probe_ps) {
            srd->sender.probe_ps = due_ps;
        }
    }
    return found;
}

/* Gives 'path' the next entropy that no path has. */
static void
renew(struct srd *srd, uint32_t number)
{
    const uint32_t n = srd->config->n_entropies;

    if (n > srd->config->n_paths) {
        struct srd_sender *sender = &srd->sender;
        bool is_used;

        do {
            sender->next_entropy = (sender->next_entropy + 1) % n;
            is_used = false;
            for (uint32_t i = 0; i < srd->config->n_paths; i++) {
                is_used |= srd->paths[i].entropy == sender->next_entropy;
            }
        } while (is_used);
        srd->paths[number].entropy = (uint16_t)sender->next_entropy;
        srd->paths[number].srtt_ps = 0; /* It is unknown. */
    }
}

bool
srd_probe__(struct srd *srd, int64_t now_ps, struct srd_packet *packet)
{
    struct srd_sender *sender = &srd->sender;
    uint32_t number = SRD_MAX_PATHS;

    if (sender->probe_ps <= now_ps) {
        number = find_due(srd, now_ps);
        if (number != SRD_MAX_PATHS) {
            const int64_t next_ps = now_ps + srd->config->dead_ps;

            renew(srd, number);
            if (next_ps < sender->probe_ps) {
                sender->probe_ps = next_ps;
            }
        }
    }
    if (number == SRD_MAX_PATHS && srd->avoided.n &&
        sender->since_probe >= srd->config->probe_packets) {
        number = srd->avoided.paths[sender->next_avoided++ % srd->avoided.n];
        sender->since_probe = 0;
    }
    if (number == SRD_MAX_PATHS) {
        return false;
    }
    fill_probe(srd, number, now_ps, packet);
    return true;
}
