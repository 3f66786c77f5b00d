/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_FAILOVER_H
#define ORCHD_LAB_STORAGE_FAILOVER_H

/* A connection of storage servers that changes between RDMA and TCP, and the
 * pace at which many of them do.
 *
 * Connection.  A program posts messages, which are numbered in this order and
 * executed in it at the other end.  They go over one transport at a time:
 *
 *     OPEN      messages are given to the transport;
 *     DRAINING  none are, until those that were given are done;
 *     CLOSED    the transport is closed, and the wanted one is being opened.
 *
 * A conversion drains.  A failure of the transport does not: what was given to
 * it and is not done is given to the next one again, whether the other end has
 * executed it or not.  So the other end executes a number once: it knows the
 * next one, and drops lower ones (struct failover_server).  What a closed
 * transport still delivers must not reach it.
 *
 * Hold.  An adapter that is being repaired (lab/storage/repair.h) keeps its
 * connections from RDMA; each end counts.  RDMA that is open stays so until it
 * is converted, but none is opened.
 *
 * Pace.  Conversions of many connections are spread over time: each period
 * converts a share of them, as closing all at once would cost the cores more
 * than they have.  A period in which the cores are busier than a limit converts
 * none.  After a failure nothing is converted back to RDMA until none has
 * happened for a time (struct failover_pace).
 *
 * Source: "Empowering Azure Storage with RDMA" (NSDI 2023), sections 4.1 and
 * 8.1: small parts of the connections are closed periodically, and opened over
 * the other transport.  Draining, numbers, and limits are ours. */

#include <stdbool.h>
#include <stdint.h>

enum failover_transport { FAILOVER_RDMA, FAILOVER_TCP, FAILOVER_N_TRANSPORTS };

enum failover_state { FAILOVER_OPEN, FAILOVER_DRAINING, FAILOVER_CLOSED };

struct failover {
    enum failover_state state;
    enum failover_transport transport;
    enum failover_transport wanted; /* Else the same. */
    uint64_t n_posted;              /* By the program. */
    uint64_t n_given;               /* To the transport: the next number. */
    uint64_t n_done;                /* Executed, and known to be. */
    uint64_t n_conversions, n_failures;
    uint64_t n_again; /* Messages that were given again. */
    uint32_t n_holds; /* Adapters that have no RDMA for it. */
};

/* The other end. */
struct failover_server {
    uint64_t n_executed;   /* The next number. */
    uint64_t n_duplicates; /* That it has dropped. */
};

/* Begins over 'transport'. */
void failover_init(struct failover *failover,
                   enum failover_transport transport);

/* Posts a message. */
void failover_post(struct failover *failover);

/* Takes the number of the next message for the transport, which is
 * '->transport'.  Returns false if there is none. */
bool failover_next(struct failover *failover, uint64_t *number);

/* Notes that the oldest message given to the transport is done.  The connection
 * may be CLOSED afterwards: then the caller opens '->wanted'. */
void failover_done(struct failover *failover);

/* Converts the connection, unless it has or gets that transport already, or it
 * is RDMA and the connection is held.  It may be CLOSED afterwards. */
void failover_convert(struct failover *failover,
                      enum failover_transport transport);

/* Notes that the transport has failed: the connection is CLOSED, and TCP is
 * wanted. */
void failover_fail(struct failover *failover);

/* Holds the connection once more, or once less.  One that is not open over RDMA
 * wants TCP from now on, and may be CLOSED afterwards. */
void failover_hold(struct failover *failover);
void failover_release(struct failover *failover);

/* Notes that '->wanted' is open. */
void failover_opened(struct failover *failover);

/* Returns whether message 'number', at most the next one, shall be executed. */
bool failover_server_execute(struct failover_server *server, uint64_t number);

/* How fast connections are converted. */
struct failover_pace_config {
    uint32_t per_period; /* Converted in each; not 0. */
    uint32_t most;       /* Over TCP by conversion. */
    int64_t heal_ps;     /* Without a failure, before any goes back; INT64_MAX:
                          * none does by itself. */
    uint32_t busy_permille; /* Of cores, above which a period is left out. */
};

struct failover_pace {
    struct failover_pace_config config;
    enum failover_transport target; /* Of conversions. */
    int64_t failed_ps;              /* The last failure; -1: none yet. */
    uint64_t n_held;                /* Periods that were left out. */
};

void failover_pace_init(struct failover_pace *pace,
                        const struct failover_pace_config *config);

/* Notes that the transport of a connection has failed, or that something else
 * than its program, such as a watchdog, wants all of them over TCP. */
void failover_pace_fail(struct failover_pace *pace, int64_t now_ps);

/* Sets the transport to which connections are converted from now on. */
void failover_pace_target(struct failover_pace *pace,
                          enum failover_transport target);

/* Returns how many connections shall be converted to '->target' in the period
 * that begins at 'now_ps', of which 'n_over_tcp' have TCP or will, and how busy
 * the cores were in the last one. */
uint32_t failover_pace_period(struct failover_pace *pace, int64_t now_ps,
                              uint32_t n_over_tcp, uint32_t busy_permille);

#endif /* lab/storage/failover.h */
