/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_TCP_STATE_H
#define ORCHD_TWIN_TRANSPORT_TCP_STATE_H

/* The state of a TCP connection, for the files that implement it.
 *
 *   tcp_lifecycle.c  creation, messages, completions, invariants;
 *   tcp_sender.c     the next segment, timers;
 *   tcp_ack.c        acknowledgements: RTT, recovery, marks;
 *   tcp_loss.c       which segments are lost: SACK, RACK, TLP;
 *   tcp_receiver.c   arrival of data, and when to acknowledge.
 *
 * Outstanding segments are records in a ring, from 'head' to 'tail', by
 * position; a segment that is sent again keeps its record.  Indices run freely
 * modulo 2^32. */

#include "twin/transport/tcp.h"

/* Bits of a record. */
enum {
    TCP_SACKED = 1 << 0,
    TCP_LOST = 1 << 1,
    TCP_AGAIN = 1 << 2,      /* Lost, sent again, and that is in the network. */
    TCP_EVER_AGAIN = 1 << 3, /* Sent more than once (Karn). */
    TCP_PUSH = 1 << 4,
};

struct tcp_record {
    uint64_t begin; /* Position of its first byte. */
    int64_t sent_ps;
    uint16_t bytes;
    uint8_t flags;
};

struct tcp_message {
    uint64_t id;
    uint64_t begin;
    uint64_t end;
};

/* A range of what has arrived out of order. */
struct tcp_island {
    uint64_t begin;
    uint64_t end;
    uint64_t stamp; /* The higher, the more recent. */
};

enum tcp_probe { TCP_NO_PROBE, TCP_PROBE_NEW, TCP_PROBE_AGAIN };

struct tcp_sender {
    uint64_t una;
    uint64_t next;
    uint64_t posted; /* End of the last message. */

    struct tcp_record *records;
    uint32_t head;
    uint32_t tail;
    uint32_t room;      /* A power of two. */
    uint32_t lost_hint; /* No record before it is lost and not sent again. */
    uint64_t lost_end;  /* Up to here all that is not there is lost (SACK). */
    struct tcp_range seen[TCP_MAX_SACKS]; /* The blocks of the last ACK. */

    uint64_t sacked_bytes;
    uint64_t lost_bytes;
    uint64_t again_bytes;

    uint8_t state;   /* enum tcp_state. */
    uint8_t backoff; /* Number of doublings. */
    uint8_t probe;   /* enum tcp_probe: is due. */
    bool force;      /* The first lost segment is sent whatever the window. */
    bool cwr;        /* The next new segment says so. */
    uint32_t duplicate_acks;
    uint64_t recover;  /* End of the recovery; of the last one. */
    uint64_t mark_end; /* Marks are ignored until 'una' is beyond it. */
    int64_t sent_ps;   /* Last time. */

    /* Messages from 'message_head' (oldest not complete) to 'message_tail'. */
    struct tcp_message *messages;
    uint32_t message_head;
    uint32_t message_next; /* That of 'next'. */
    uint32_t message_tail;
    uint32_t message_polled;

    /* RFC 6298. */
    int64_t srtt_ps; /* 0: no sample. */
    int64_t rttvar_ps;
    int64_t rto_ps;
    int64_t rto_deadline_ps;
};

/* RFC 8985. */
struct tcp_rack {
    int64_t sent_ps; /* Of the most recently sent segment that arrived. */
    uint64_t end;    /* Of that one. */
    int64_t rtt_ps;  /* Of that one. */
    int64_t min_rtt_ps;
    uint64_t fack;       /* The highest end that has arrived. */
    uint64_t prior_fack; /* Before the present ACK. */
    bool reordering;
    bool dsack; /* The present ACK has a D-SACK. */
    uint32_t multiplier;
    uint32_t persist;
    uint64_t dsack_round; /* 0: none. */
    int64_t reorder_deadline_ps;
    int64_t probe_deadline_ps;
    uint64_t tlp_end; /* 0: no probe is outstanding. */
    bool tlp_again;
};

struct tcp_receiver {
    uint64_t next;
    struct tcp_island *islands; /* Sorted, disjoint, not adjacent. */
    uint32_t n_islands;
    uint32_t room;
    uint64_t stamp;

    uint64_t *ends; /* Of messages behind 'next', sorted. */
    uint32_t n_ends;
    uint32_t ends_room;
    uint64_t delivered_end; /* Of the last message. */
    uint64_t n_delivered;
    uint64_t *completed; /* Lengths of messages, from 'n_polled' on. */
    uint32_t n_polled;
    uint32_t n_completed;
    uint32_t completed_room;

    uint32_t pending; /* Segments that are not acknowledged. */
    uint32_t quick;   /* Acknowledgements that are not delayed. */
    int64_t last_ps;  /* When the last segment with data arrived; long ago if
                       * none has. */
    bool ack_due;
    bool ece;         /* What acknowledgements echo. */
    bool earlier_due; /* An ACK of what came before the marks changed... */
    bool earlier_ece;
    uint64_t earlier_next;
    bool duplicate; /* The next ACK reports this range. */
    struct tcp_range duplicate_range;
    int64_t deadline_ps; /* Of the delayed ACK. */
};

struct tcp {
    const struct tcp_config *config; /* Borrowed. */
    struct tcp_sender sender;
    struct tcp_congestion congestion;
    struct tcp_rack rack;
    struct tcp_receiver receiver;
    struct tcp_counters counters;
    struct line_pool *memory;
};

static inline struct tcp_record *
tcp_record_at__(const struct tcp_sender *sender, uint32_t index)
{
    return &sender->records[index & (sender->room - 1)];
}

static inline uint64_t
tcp_record_end__(const struct tcp_record *record)
{
    return record->begin + record->bytes;
}

/* Returns the position near 'near' whose low 32 bits are 'sequence'. */
static inline uint64_t
tcp_expand__(uint32_t sequence, uint64_t near)
{
    return near + (uint64_t)(int64_t)(int32_t)(sequence - (uint32_t)near);
}

/* tcp_sender.c */

/* Starts the RTO again at 'now_ps', or stops it if nothing is outstanding. */
void tcp_restart_rto__(struct tcp *tcp, int64_t now_ps);

/* Returns whether there is new data that the peer has room for. */
bool tcp_has_new__(const struct tcp *tcp);

/* tcp_loss.c */

/* Marks 'record', at 'index', as lost. */
void tcp_mark_lost__(struct tcp_sender *sender, uint32_t index);

/* Marks all that is outstanding and not selectively acknowledged as lost. */
void tcp_lose_all__(struct tcp_sender *sender);

/* Takes over the SACK blocks of 'segment', whose ACK is 'ack'. */
void tcp_take_sacks__(struct tcp *tcp, const struct tcp_segment *segment,
                      uint64_t ack, int64_t now_ps);

/* The segment of 'record' has arrived. */
void tcp_rack_arrived__(struct tcp *tcp, const struct tcp_record *record,
                        int64_t now_ps);

/* Marks segments as lost by SACK or RACK.  Returns whether any is lost. */
bool tcp_detect__(struct tcp *tcp, int64_t now_ps);

/* Follows D-SACKs and ends of recoveries: RACK_update_reo_wnd(). */
void tcp_rack_follow__(struct tcp *tcp, bool recovery_ends);

/* Plans the tail loss probe. */
void tcp_plan_probe__(struct tcp *tcp, int64_t now_ps);

/* The probe is due. */
void tcp_probe__(struct tcp *tcp);

/* Follows an ACK up to 'ack'.  Returns whether a probe has repaired a loss. */
bool tcp_probe_acked__(struct tcp *tcp, uint64_t ack, bool is_plain_duplicate);

/* tcp_ack.c */

/* Takes a sample of the round-trip time. */
void tcp_sample_rtt__(struct tcp *tcp, int64_t rtt_ps);

/* Starts fast recovery. */
void tcp_recover__(struct tcp *tcp);

/* Handles the acknowledgement of 'segment'. */
void tcp_acknowledge__(struct tcp *tcp, const struct tcp_segment *segment,
                       int64_t now_ps, struct tcp_actions *actions);

/* tcp_receiver.c */

/* Handles the data of 'segment'. */
void tcp_receive_data__(struct tcp *tcp, const struct tcp_segment *segment,
                        int64_t now_ps, struct tcp_actions *actions);

/* Fills the acknowledgement of 'segment', which carries data; it replaces a
 * delayed one. */
void tcp_piggyback__(struct tcp *tcp, struct tcp_segment *segment);

#endif /* twin/transport/tcp_state.h */
