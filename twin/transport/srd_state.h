/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_SRD_STATE_H
#define ORCHD_TWIN_TRANSPORT_SRD_STATE_H

/* The state of an SRD context, for the files that implement it.
 *
 *   srd_lifecycle.c  settings, creation, completions, invariants;
 *   srd_path.c       which path is chosen, and what it is known for;
 *   srd_rate.c       rounds, rate and flight;
 *   srd_sender.c     the next packet, losses, timers;
 *   srd_ack.c        acknowledgements;
 *   srd_receiver.c   arrival of datagrams.
 *
 * Packets from 'una' to 'next' are records in a ring, by sequence number. Those
 * in flight are in a list per path, in the order of sending; those that are
 * lost wait in a list of the same kind. */

#include "base/random.h"
#include "twin/transport/srd.h"

enum srd_record_state {
    SRD_RECORD_IN_FLIGHT,
    SRD_RECORD_LOST,  /* Waits to be sent again. */
    SRD_RECORD_ENDED, /* Acknowledged. */
};

/* Of a list: no packet. */
#define SRD_NONE UINT64_MAX

/* Packets of 1/8 of the MTU, of 2/8, ... */
enum { SRD_N_SIZES = 8 };

/* A list of records, linked by sequence number. */
struct srd_list {
    uint64_t first; /* SRD_NONE: empty. */
    uint64_t last;
    uint32_t n;
};

struct srd_record {
    struct srd_request request;
    int64_t sent_ps;
    uint64_t previous, next; /* In its list. */
    uint16_t path;
    uint8_t attempts;
    uint8_t passed; /* Later packets of the path that have arrived. */
    uint8_t state;  /* enum srd_record_state */
    bool is_silent; /* Its request has ended already: flushed. */
};

struct srd_path {
    struct srd_list list;
    int64_t srtt_ps; /* 0: no sample. */
    int64_t rttvar_ps;
    int64_t probe_ps; /* DEAD: when it is probed; of a probe: sent at. */
    uint64_t round;   /* In which it was sampled last, and whether that ... */
    uint32_t probe;   /* Number of its probe; 0: none is outstanding. */
    uint32_t probe_bytes; /* Its length. */
    uint32_t ok_place;    /* In 'ok'. */
    uint32_t avoid_place; /* In 'avoided'. */
    uint16_t entropy;
    uint8_t state;  /* enum srd_path_state */
    uint8_t streak; /* Samples in a row that speak for another state. */
    bool was_high;  /* ... was above the queue limit. */
    uint64_t sent;
};

/* Where paths of one state are. */
struct srd_set {
    uint16_t *paths;
    uint32_t n;
};

struct srd_rate {
    int64_t rate_bps;
    int64_t delivery_bps; /* 0: not yet. */
    int64_t previous_bps; /* Measured in the round before. */
    uint64_t limit_bytes; /* In flight. */
    bool is_starting;
    bool is_full; /* The limit was what the line needs in this round. */
    bool is_idle; /* There was nothing to send in this round. */

    /* The round. */
    uint64_t number;  /* From 1. */
    int64_t begin_ps; /* Of its first acknowledgement; -1: none yet. */
    int64_t last_ps;
    int64_t first_sent_ps;
    int64_t last_sent_ps;
    uint64_t bytes; /* Acknowledged, on the wire. */
    uint32_t packets;
    uint32_t n_sampled; /* Paths; and those that are high. */
    uint32_t n_high;
};

struct srd_sender {
    struct srd_record *records;
    uint32_t room; /* A power of two. */
    uint64_t una;
    uint64_t next;
    struct srd_list lost;
    uint64_t flight_bytes; /* On the wire. */
    uint32_t n_flight;

    /* Requests that wait: a ring. */
    struct srd_request *waiting;
    uint64_t waiting_first, waiting_end;
    uint32_t waiting_room;

    struct srd_completion *completions; /* A ring likewise. */
    uint64_t completions_first, completions_end;
    uint32_t completions_room;

    uint32_t backoff;     /* Doublings of the RTO. */
    int64_t deadline_ps;  /* Not after any RTO. */
    uint32_t since_probe; /* Packets. */
    bool has_probed;      /* The last thing that it sent was a probe. */
    uint32_t n_probes;
    int64_t probe_ps; /* When the next dead path is probed. */
    uint32_t next_avoided;
    uint32_t next_entropy;
    uint32_t last_bytes; /* Payload of the last packet: that of probes. */
};

struct srd_receiver {
    uint8_t *statuses; /* By sequence, of twice the window: 0: not there, else
                        * the status and 1. */
    uint64_t base;     /* The first that is missing. */
    uint64_t taken;    /* HOLD: the next to be delivered. */
    struct srd_request *held; /* By sequence; of the last ones. */
    uint64_t held_bytes;
    struct srd_request *ready; /* A ring. */
    uint64_t ready_first, ready_end;
    uint32_t ready_room;
};

struct srd {
    const struct srd_config *config; /* Borrowed. */
    struct line_pool *memory;
    struct random random;
    struct srd_path *paths;
    struct srd_set ok, avoided;
    int64_t median_ps; /* Of all sampled paths; 0: none yet. */
    int64_t srtt_ps;
    int64_t rttvar_ps;
    /* The least round-trip time of packets of each size or longer ones; 0: no
     * sample.  It does not fall from size to size. */
    int64_t least_ps[SRD_N_SIZES];
    struct srd_sender sender;
    struct srd_rate rate;
    struct srd_receiver receiver;
    struct srd_counters counters;
};

static inline struct srd_record *
srd_record_at__(const struct srd_sender *sender, uint64_t sequence)
{
    return &sender->records[sequence & (sender->room - 1)];
}

static inline uint32_t
srd_wire_bytes__(uint32_t length_bytes)
{
    return length_bytes + SRD_OVERHEAD_BYTES + 20; /* Preamble and gap. */
}

/* Returns the number near 'near' whose low 32 bits are 'sequence'. */
static inline uint64_t
srd_expand__(uint32_t sequence, uint64_t near)
{
    return near + (uint64_t)(int64_t)(int32_t)(sequence - (uint32_t)near);
}

/* srd_path.c */

void srd_paths_init__(struct srd *srd);
void srd_paths_fini__(struct srd *srd);

/* Returns the path of the next packet; 'not' is avoided if there is another
 * one, SRD_MAX_PATHS: none. */
uint32_t srd_choose__(struct srd *srd, uint32_t not );

/* 'path' has a sample of 'rtt_ps' in the present round, from a packet of
 * 'length_bytes'. */
void srd_path_sample__(struct srd *srd, uint32_t path, uint32_t length_bytes,
                       int64_t rtt_ps);

/* A probe of 'path', or a packet, that was sent with 'entropy' has arrived. */
void srd_path_lives__(struct srd *srd, uint32_t path, uint32_t entropy,
                      bool is_probe);

/* A packet on 'path' was not acknowledged in time. */
void srd_path_dies__(struct srd *srd, uint32_t path, int64_t now_ps);

/* Sets the median of all paths. */
void srd_paths_compare__(struct srd *srd);

/* Returns the time after which a packet on 'path' counts as lost. */
int64_t srd_path_rto__(const struct srd *srd, uint32_t path);

/* Fills '*packet' with a probe if one is due.  Returns false if none is. */
bool srd_probe__(struct srd *srd, int64_t now_ps, struct srd_packet *packet);

/* srd_rate.c */

void srd_rate_init__(struct srd *srd);

/* A packet of 'bytes' on the wire, sent at 'sent_ps' (-1: unknown), was
 * acknowledged. */
void srd_rate_acked__(struct srd *srd, uint32_t bytes, int64_t sent_ps,
                      int64_t now_ps);

/* srd_sender.c */

/* Returns whether there is something to send, now or when it may. */
bool srd_has_waiting__(const struct srd *srd);

/* Takes 'record', with 'sequence', out of its list and out of flight. */
void srd_unlink__(struct srd *srd, uint64_t sequence);

/* The packet 'sequence', which is in flight, is lost. */
void srd_lose__(struct srd *srd, uint64_t sequence);

/* Ends the request of 'record'. */
void srd_complete__(struct srd *srd, struct srd_record *record,
                    enum srd_status status);

/* srd_ack.c */

/* Handle an acknowledgement. */
void srd_take_ack__(struct srd *srd, const struct srd_packet *packet,
                    int64_t now_ps, struct srd_actions *actions);
void srd_take_probe_ack__(struct srd *srd, const struct srd_packet *packet,
                          int64_t now_ps, struct srd_actions *actions);

/* srd_receiver.c */

void srd_receiver_init__(struct srd *srd, uint64_t first);
void srd_receiver_fini__(struct srd *srd);

#endif /* twin/transport/srd_state.h */
