/* SPDX-License-Identifier: Apache-2.0 */

/* Acknowledgements that arrive at an SRD context. */

#include <config.h>

#include "twin/transport/srd_state.h"

enum { PASSED_LIMIT = 3 };

/* Counts for the packets that were sent before 'record' on its path that it has
 * arrived, and gives up those that three have passed. */
static void
pass(struct srd *srd, const struct srd_record *record)
{
    struct srd_sender *sender = &srd->sender;
    uint64_t sequence = srd->paths[record->path].list.first;

    while (srd_record_at__(sender, sequence) != record) {
        struct srd_record *earlier = srd_record_at__(sender, sequence);
        const uint64_t next = earlier->next;

        if (++earlier->passed == PASSED_LIMIT) {
            srd->counters.reordered++;
            srd_lose__(srd, sequence);
        }
        sequence = next;
    }
}

/* Moves 'una' behind the packets that have ended. */
static void
advance(struct srd_sender *sender)
{
    while (sender->una < sender->next &&
           srd_record_at__(sender, sender->una)->state == SRD_RECORD_ENDED) {
        sender->una++;
    }
}

/* Returns the record that 'packet' acknowledges, or NULL; its number in
 * '*sequence'. */
static struct srd_record *
find(struct srd *srd, const struct srd_packet *packet, uint64_t *sequence)
{
    struct srd_sender *sender = &srd->sender;
    struct srd_record *record;

    *sequence = srd_expand__(packet->sequence, sender->una);
    if (*sequence < sender->una || *sequence >= sender->next ||
        packet->path >= srd->config->n_paths ||
        packet->status > SRD_OUT_OF_ORDER) {
        return NULL;
    }
    record = srd_record_at__(sender, *sequence);
    return record->state == SRD_RECORD_ENDED || !record->attempts ? NULL
                                                                  : record;
}

void
srd_take_ack__(struct srd *srd, const struct srd_packet *packet, int64_t now_ps,
               struct srd_actions *actions)
{
    struct srd_sender *sender = &srd->sender;
    uint64_t sequence;
    struct srd_record *record = find(srd, packet, &sequence);
    bool is_present;

    if (packet->path < srd->config->n_paths) {
        srd_path_lives__(srd, packet->path, packet->entropy, false);
    }
    if (!record) {
        return;
    }
    is_present = record->state == SRD_RECORD_IN_FLIGHT &&
                 record->attempts == packet->attempt &&
                 record->path == packet->path;
    sender->backoff = 0;
    if (is_present) {
        srd_path_sample__(srd, record->path, record->request.length_bytes,
                          now_ps - record->sent_ps);
        pass(srd, record);
    }
    if (packet->status == SRD_OUT_OF_ORDER) {
        if (is_present) {
            srd->counters.refused++;
            srd_lose__(srd, sequence);
        }
    } else {
        srd_unlink__(srd, sequence);
        record->state = SRD_RECORD_ENDED;
        srd_complete__(srd, record, (enum srd_status)packet->status);
        srd_rate_acked__(srd, srd_wire_bytes__(record->request.length_bytes),
                         is_present ? record->sent_ps : -1, now_ps);
        advance(sender);
    }
    actions->completion = sender->completions_first < sender->completions_end;
    actions->send = srd_peek(srd, now_ps);
}

void
srd_take_probe_ack__(struct srd *srd, const struct srd_packet *packet,
                     int64_t now_ps, struct srd_actions *actions)
{
    struct srd_path *path;

    if (packet->path >= srd->config->n_paths) {
        return;
    }
    path = &srd->paths[packet->path];
    if (!path->probe || path->probe != packet->sequence) {
        return;
    }
    path->probe = 0;
    srd_path_lives__(srd, packet->path, packet->entropy, true);
    srd_path_sample__(srd, packet->path, path->probe_bytes,
                      now_ps - path->probe_ps);
    actions->send = srd_peek(srd, now_ps);
}
