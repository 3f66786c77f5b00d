/* SPDX-License-Identifier: Apache-2.0 */

/* The sender of an SRD context: the next packet, losses, timers. */

#include <config.h>

#include "twin/transport/ring.h"
#include "twin/transport/srd_state.h"

/* Lists -------------------------------------------------------------------- */

static void
list_add(struct srd_sender *sender, struct srd_list *list, uint64_t sequence)
{
    struct srd_record *record = srd_record_at__(sender, sequence);

    record->previous = list->last;
    record->next = SRD_NONE;
    if (list->n++) {
        srd_record_at__(sender, list->last)->next = sequence;
    } else {
        list->first = sequence;
    }
    list->last = sequence;
}

static void
list_remove(struct srd_sender *sender, struct srd_list *list,
            const struct srd_record *record)
{
    if (record->previous == SRD_NONE) {
        list->first = record->next;
    } else {
        srd_record_at__(sender, record->previous)->next = record->next;
    }
    if (record->next == SRD_NONE) {
        list->last = record->previous;
    } else {
        srd_record_at__(sender, record->next)->previous = record->previous;
    }
    list->n--;
}

void
srd_unlink__(struct srd *srd, uint64_t sequence)
{
    struct srd_sender *sender = &srd->sender;
    const struct srd_record *record = srd_record_at__(sender, sequence);

    if (record->state == SRD_RECORD_LOST) {
        list_remove(sender, &sender->lost, record);
    } else {
        list_remove(sender, &srd->paths[record->path].list, record);
        sender->flight_bytes -= srd_wire_bytes__(record->request.length_bytes);
        sender->n_flight--;
    }
}

void
srd_lose__(struct srd *srd, uint64_t sequence)
{
    srd_unlink__(srd, sequence);
    srd_record_at__(&srd->sender, sequence)->state = SRD_RECORD_LOST;
    list_add(&srd->sender, &srd->sender.lost, sequence);
}

/* Requests ----------------------------------------------------------------- */

void
srd_post(struct srd *srd, const struct srd_request *request)
{
    struct srd_sender *sender = &srd->sender;

    sender->waiting =
        ring_grow(sender->waiting, &sender->waiting_room, sender->waiting_first,
                  sender->waiting_end, sizeof *sender->waiting);
    sender->waiting[sender->waiting_end++ & (sender->waiting_room - 1)] =
        *request;
}

/* Queues a completion of 'request'. */
static void
report(struct srd *srd, const struct srd_request *request, uint8_t attempts,
       enum srd_status status)
{
    struct srd_sender *sender = &srd->sender;

    sender->completions =
        ring_grow(sender->completions, &sender->completions_room,
                  sender->completions_first, sender->completions_end,
                  sizeof *sender->completions);
    sender->completions[sender->completions_end++ &
                        (sender->completions_room - 1)] =
        (struct srd_completion){.id = request->id,
                                .source_qp = request->source_qp,
                                .length_bytes = request->length_bytes,
                                .status = (uint8_t)status,
                                .attempts = attempts};
}

void
srd_complete__(struct srd *srd, struct srd_record *record,
               enum srd_status status)
{
    if (!record->is_silent) {
        report(srd, &record->request, record->attempts, status);
    }
    record->is_silent = true;
}

void
srd_flush(struct srd *srd, uint32_t source_qp)
{
    struct srd_sender *sender = &srd->sender;
    const uint64_t mask = (uint64_t)sender->waiting_room - 1;
    uint64_t kept = sender->waiting_first;

    for (uint64_t i = sender->una; i < sender->next; i++) {
        struct srd_record *record = srd_record_at__(sender, i);

        if (record->state != SRD_RECORD_ENDED &&
            record->request.source_qp == source_qp) {
            srd_complete__(srd, record, SRD_FLUSHED);
        }
    }
    for (uint64_t i = sender->waiting_first; i < sender->waiting_end; i++) {
        const struct srd_request request = sender->waiting[i & mask];

        if (request.source_qp == source_qp) {
            report(srd, &request, 0, SRD_FLUSHED);
        } else {
            sender->waiting[kept++ & mask] = request;
        }
    }
    sender->waiting_end = kept;
}

/* Sending ------------------------------------------------------------------ */

static bool
has_waiting(const struct srd_sender *sender)
{
    return sender->waiting_first < sender->waiting_end;
}

bool
srd_has_waiting__(const struct srd *srd)
{
    return srd->sender.lost.n || has_waiting(&srd->sender);
}

/* Returns whether the context may send something new: there is some, and the
 * window has room. */
static bool
has_new(const struct srd *srd)
{
    const struct srd_sender *sender = &srd->sender;

    return has_waiting(sender) &&
           sender->next - sender->una < srd->config->window_packets;
}

/* Returns whether the flight has room for another packet. */
static bool
has_room(const struct srd *srd)
{
    return !srd->sender.n_flight ||
           srd->sender.flight_bytes +
                   srd_wire_bytes__(srd->config->mtu_bytes) <=
               srd->rate.limit_bytes;
}

static bool
is_probe_due(const struct srd *srd, int64_t now_ps)
{
    const struct srd_sender *sender = &srd->sender;

    return sender->probe_ps <= now_ps ||
           (srd->avoided.n &&
            sender->since_probe >= srd->config->probe_packets);
}

bool
srd_peek(const struct srd *srd, int64_t now_ps)
{
    const struct srd_sender *sender = &srd->sender;

    if (!sender->lost.n && !has_new(srd)) {
        return false;
    }
    return has_room(srd) || is_probe_due(srd, now_ps);
}

/* Makes a record of the first request that waits, and returns its number. */
static uint64_t
take_new(struct srd *srd)
{
    struct srd_sender *sender = &srd->sender;
    struct srd_record *record;

    sender->records = ring_grow(sender->records, &sender->room, sender->una,
                                sender->next, sizeof *sender->records);
    record = srd_record_at__(sender, sender->next);
    *record = (struct srd_record){
        .request = sender->waiting[sender->waiting_first++ &
                                   (sender->waiting_room - 1)]};
    return sender->next++;
}

/* Puts the record of 'sequence', which is in no list, on a path. */
static void
launch(struct srd *srd, uint64_t sequence, int64_t now_ps)
{
    struct srd_sender *sender = &srd->sender;
    struct srd_record *record = srd_record_at__(sender, sequence);
    const uint32_t number =
        srd_choose__(srd, record->attempts ? record->path : SRD_MAX_PATHS);
    int64_t deadline_ps;

    record->state = SRD_RECORD_IN_FLIGHT;
    record->sent_ps = now_ps;
    record->path = (uint16_t)number;
    record->passed = 0;
    record->attempts = record->attempts == UINT8_MAX
                           ? UINT8_MAX
                           : (uint8_t)(record->attempts + 1);
    list_add(sender, &srd->paths[number].list, sequence);
    srd->paths[number].sent++;
    sender->flight_bytes += srd_wire_bytes__(record->request.length_bytes);
    sender->n_flight++;
    sender->since_probe++;
    sender->has_probed = false;
    sender->last_bytes = record->request.length_bytes;
    srd->counters.sent++;
    srd->counters.retransmitted += record->attempts > 1;
    deadline_ps = now_ps + srd_path_rto__(srd, number);
    if (sender->n_flight == 1 || deadline_ps < sender->deadline_ps) {
        sender->deadline_ps = deadline_ps;
    }
}

bool
srd_next(struct srd *srd, int64_t now_ps, struct srd_packet *packet)
{
    struct srd_sender *sender = &srd->sender;
    const struct srd_record *record;
    uint64_t sequence;

    if (!srd_peek(srd, now_ps)) {
        return false;
    }
    /* Where paths die as fast as probes leave, probes would be all it sends. */
    if (is_probe_due(srd, now_ps) && !(sender->has_probed && has_room(srd)) &&
        srd_probe__(srd, now_ps, packet)) {
        sender->has_probed = true;
        return true;
    }
    if (!has_room(srd)) {
        return false;
    }
    if (sender->lost.n) {
        sequence = sender->lost.first;
        srd_unlink__(srd, sequence);
    } else {
        sequence = take_new(srd);
    }
    launch(srd, sequence, now_ps);
    srd->rate.is_idle |= !srd_has_waiting__(srd);
    record = srd_record_at__(sender, sequence);
    *packet = (struct srd_packet){.kind = SRD_DATA,
                                  .attempt = record->attempts,
                                  .path = record->path,
                                  .entropy = srd->paths[record->path].entropy,
                                  .sequence = (uint32_t)sequence,
                                  .request = record->request};
    packet->request.id = 0;
    return true;
}

/* Timers ------------------------------------------------------------------- */

int64_t
srd_deadline_ps(const struct srd *srd)
{
    return srd->sender.n_flight ? srd->sender.deadline_ps : INT64_MAX;
}

/* All on 'path', whose oldest packet is overdue, is lost, and the path dead. */
static void
expire(struct srd *srd, uint32_t number, int64_t now_ps)
{
    while (srd->paths[number].list.n) {
        srd_lose__(srd, srd->paths[number].list.first);
    }
    srd->counters.timeouts++;
    srd_path_dies__(srd, number, now_ps);
}

void
srd_timeout(struct srd *srd, int64_t now_ps, struct srd_actions *actions)
{
    struct srd_sender *sender = &srd->sender;
    int64_t next_ps = INT64_MAX;
    bool has_expired = false;

    *actions = (struct srd_actions){0};
    for (uint32_t i = 0; i < srd->config->n_paths; i++) {
        const struct srd_list *list = &srd->paths[i].list;
        int64_t deadline_ps;

        if (!list->n) {
            continue;
        }
        deadline_ps = srd_record_at__(sender, list->first)->sent_ps +
                      srd_path_rto__(srd, i);
        if (deadline_ps <= now_ps) {
            expire(srd, i, now_ps);
            has_expired = true;
        } else if (deadline_ps < next_ps) {
            next_ps = deadline_ps;
        }
    }
    sender->deadline_ps = next_ps;
    sender->backoff += has_expired;
    actions->send = has_expired && srd_peek(srd, now_ps);
}
