/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_NIC_H
#define ORCHD_TWIN_NIC_NIC_H

/* The network adapter of a host: queue pairs that send and react.
 *
 * A host of twin/host is a traffic generator: it sends at the times of a list
 * and counts what arrives.  An adapter runs transports.  What it sends next
 * depends on what it has received: acknowledgements open windows, congestion
 * notifications lower rates, losses make it send again.
 *
 * Transports.  A queue pair (QP) has a kind.  NIC_RC is reliable connected
 * transport of RoCEv2 (twin/transport/rc.h), with or without DCQCN
 * (twin/transport/dcqcn.h).  NIC_TCP is an end of a TCP connection
 * (twin/transport/tcp.h): the QP stands for a socket.  Its acknowledgements
 * have the DSCP of its data, and the priority that 'rx_priorities' says.
 * NIC_SRD is an SRD context to another adapter (twin/transport/srd.h), which
 * SRD queue pairs share; these have numbers of their own, and are called
 * endpoints here: nic_add_endpoint(). NIC_RAW sends frames of one size at a
 * given rate and counts the ones that arrive; nothing answers.  A kind is a
 * provider of four operations: a packet has arrived, a timer has expired, what
 * to send next, and whether the window allows it.  The adapter selects it by a
 * switch, because the choice is made for each packet.
 *
 * Sending.  When the wire is free, these are served in order:
 *   1. pause frames that are due;
 *   2. acknowledgements and congestion notification packets (CNP), which wait
 *      in FIFOs of their own priority, then acknowledgements of TCP;
 *   3. the QPs, by priority: those in 'strict_priorities' first, the highest
 *      first; the others take turns.
 * Within a priority, the QPs whose pacer allows it take turns, one burst each.
 * A QP whose pacer does not allow it yet waits in a heap, ordered by (eligible
 * time, number of the QP).  A priority that the peer has paused is skipped.  A
 * frame on the wire always finishes.
 *
 * With 'shared_fifo' all QPs that have something to send pass one FIFO before
 * their pacers, whatever their priority: the first of it, or its burst, is sent
 * when its pacer and the pauses of its priority allow, and no other one before.
 * So a slow QP slows down all of them.  Answers do not pass it.
 *
 * Pacing.  After a packet of L bytes on the wire at rate R, a QP becomes
 * eligible L * 8 / R later than before.  The fraction of a picosecond is
 * carried to the next packet (twin/transport/pacer.h).  With bursts of b
 * packets it sends b packets back to back; the next burst may start b * L * 8 /
 * R after this one has started.  The rate is read when a packet is sent, of a
 * burst when its last one is: a change affects the next packet only.
 *
 * Pauses.  The adapter obeys PFC frames for 'pfc_rx' priorities; each takes
 * effect 'pause_response_ps' after its last bit has arrived (twin/qos/pause.h).
 *
 * Receiving.  Packets enter the RX FIFO, which the PCIe server drains.  Above
 * 'xoff_bytes' of one priority, the adapter sends a PFC frame with 65,535
 * quanta for it, and repeats it every half of that time until the FIFO holds at
 * most 'xon_bytes' of the priority; then it sends one with 0 quanta.  A packet
 * that does not fit is dropped; one of a priority without PFC is dropped above
 * its 'xoff_bytes'.  Without PCIe limits the FIFO is always empty, and packets
 * reach their QP when they arrive.
 *
 * Loop.  What processes of one host send to each other does not leave it: the
 * adapter sends it back to itself, at the speed of its wire.  This is its loop
 * (nic_create_loop()), an adapter without a wire to the outside, whose QPs come
 * in pairs.  What it sends enters the RX FIFO of its adapter, behind which it
 * shares lookups and PCIe with what arrives from the wire.  Priorities that the
 * FIFO pauses stand still in the loop as well, at once.  Nothing marks packets
 * there: congestion control does not see it.
 *
 * Stall.  An adapter whose receive pipeline is dead (nic_set_stalled()) takes
 * nothing out of its FIFO.  So the FIFO fills, and the adapter pauses its peer
 * permanently: a pause storm.  Its own watchdog, if 'watchdog_ps' is not 0,
 * notices that it has paused a priority for that time without a packet having
 * left the FIFO; it then sends no pauses until a packet leaves the FIFO again,
 * and what does not fit is dropped.
 *
 * Card.  A card between the adapter and its peer (a bump in the wire) can block
 * priorities: it drops their pauses, and the packets that arrive for them
 * (nic_set_blocked()).
 *
 * PCIe.  The server transfers a packet in (payload + overhead) * 8 / rate,
 * where rate = lanes * transfer rate * 128/130 * MPS / (MPS + 26) (PCI Express
 * Base Specification: 128b/130b encoding; 26 bytes are the header, framing,
 * sequence number and LCRC of a transaction layer packet).  It is done
 * 'read_latency_ps' later, with at most 'reads_outstanding' packets in flight.
 *
 * PCIe switches.  With nic_attach(), the adapter transfers to a PCIe switch,
 * which it may share with others (twin/nic/pcie_tree.h).  A packet leaves the
 * FIFO when it has been transferred to the first switch, and reaches its QP
 * when it is in memory.  'read_latency_ps' then holds for lookups only, and
 * 'reads_outstanding' not at all: credits limit what is on its way.
 *
 * Lookups.  Before the transfer, a packet needs the context of its QP and the
 * translations of the pages that it is written to (twin/nic/lookups.h).  What
 * the caches of the adapter lack is read from the host's memory, which takes
 * 'read_latency_ps' each time, for 'lookups_outstanding' packets at a time
 * (twin/nic/rx_fifo.h).
 *
 * Frames.  The lengths of frames are data, 'framing' (twin/transport/opcode.h);
 * without FCS, as in twin/forwarding/frame.h, they are 4 bytes shorter.  A CNP
 * and an acknowledgement have the addresses of their QP.
 *
 * Entity.  An adapter has one entity number, that of its port (engine.h); all
 * its events bear it.  It must be fixed by the place of the host.
 *
 * Ownership.  The adapter owns its QPs.  Header descriptors and profiles are
 * borrowed and must outlive it.
 *
 * Not simulated: lookups for what is sent, doorbells, the processor of the
 * host. */

#include <stdbool.h>
#include <stdint.h>

#include "base/pfc.h"
#include "base/status.h"
#include "twin/nic/lookups.h"
#include "twin/nic/pcie_tree.h"
#include "twin/nic/rx_fifo.h"
#include "twin/transport/pacer.h"

struct dcqcn;
struct engine;
struct frame_pool;
struct message_config;
struct nic;
struct rc;
struct rc_completion;
struct rc_config;
struct rc_request;
struct sim_frame;
struct sim_payload;
struct srd;
struct srd_config;
struct srd_packet;
struct tcp;
struct tcp_config;
struct tcp_segment;
struct transport_packet; /* twin/transport/opcode.h */
struct transport_framing;
struct wire;

/* No QP. */
#define NIC_NONE UINT32_MAX

enum {
    /* A QP number has 24 bits (InfiniBand Architecture, BTH). */
    NIC_MAX_QPS = 1 << 24,
    NIC_N_DSCPS = 64,
};

/* The RX FIFO.  0 bytes: no limit. */
struct nic_rx_config {
    uint32_t size_bytes;
    uint32_t xoff_bytes[PFC_N_PRIORITIES];
    uint32_t xon_bytes[PFC_N_PRIORITIES]; /* At most 'xoff_bytes'. */
};

struct nic_pcie_config {
    uint32_t lanes;                /* 0: no limit; the FIFO is not used. */
    uint32_t mega_transfers_per_s; /* Per lane: 8,000 for generation 3. */
    uint32_t max_payload_bytes;    /* MPS; 128..4096. */
    uint32_t reads_outstanding;    /* 1.. */
    int64_t read_latency_ps;
};

struct nic_config {
    uint64_t mac;        /* 48 bits; the source of pause frames. */
    uint32_t speed_mbps; /* 1..3,200,000 */

    /* The times of frames and the gaps of pacers are rounded down to multiples
     * of this, as by a simulator whose clock counts in such steps: only to
     * compare results with it.  0: exact. */
    uint32_t time_step_ps;

    /* Lengths of frames.  Borrowed; NULL: those of RoCEv2. */
    const struct transport_framing *framing;

    /* Where answers wait, and what the switches see. */
    uint8_t ack_priority; /* 0..7 */
    uint8_t ack_dscp;
    uint8_t cnp_priority;
    uint8_t cnp_dscp;

    uint8_t strict_priorities; /* A bit per priority. */
    bool shared_fifo;          /* One FIFO before all pacers. */

    /* The priority of what arrives, by DSCP; nic_config_init(): DSCP / 8. */
    uint8_t rx_priorities[NIC_N_DSCPS]; /* 0..7 */

    uint8_t pfc_rx; /* Priorities whose pauses are obeyed. */
    uint8_t pfc_tx; /* Priorities for which the RX FIFO pauses the peer. */
    bool pause_all; /* It obeys 802.3x, and sends it instead of PFC: all
                     * priorities are paused as one. */
    int64_t pause_response_ps;
    int64_t watchdog_ps; /* Of its watchdog; 0: it has none. */

    struct nic_rx_config rx;
    struct nic_pcie_config pcie;

    /* The caches behind the RX FIFO, and for how many packets in the FIFO the
     * adapter reads at a time what they lack; not 0 if there is a cache.  A
     * read takes 'pcie.read_latency_ps'.  Without PCIe there are none. */
    struct lookups_config lookups;
    uint32_t lookups_outstanding;
};

/* Fills '*config' with RoCEv2 over an adapter of 'speed_mbps': acknowledgements
 * in priority 0 (DSCP 0), CNPs strict in priority 6 (DSCP 48), PFC for
 * priorities 3 and 4, no limit behind the wire. */
void nic_config_init(struct nic_config *config, uint32_t speed_mbps);

enum nic_kind {
    NIC_RC,
    NIC_RAW,
    NIC_TCP,
    NIC_SRD,
    NIC_MESSAGES,
};

/* How a NIC_RAW QP sends. */
struct nic_raw_config {
    uint32_t frame_bytes; /* Without FCS. */
    uint64_t bits_per_s;  /* Of the wire, preamble and gap included; 0: the
                           * speed of the adapter. */
    int64_t start_ps;
    uint64_t n_frames; /* 0: without end. */
};

struct nic_stats {
    uint64_t sent_packets;     /* Whose transmission has started; no pauses. */
    uint64_t sent_bytes;       /* Without FCS. */
    uint64_t received_packets; /* Delivered to a QP. */
    uint64_t received_bytes;
    uint64_t dropped_packets; /* By the RX FIFO. */
    uint64_t dropped_bytes;
    uint64_t unknown_packets; /* For another MAC address, which switches flood,
                               * or a QP that does not exist; counted in
                               * 'received_packets'. */
    uint64_t trimmed_packets; /* Which a switch has cut (sim_set_trimming());
                               * no QP reacts to them.  Counted in
                               * 'received_packets'. */
    uint64_t fifo_packets;    /* In the RX FIFO or on PCIe now. */
    uint64_t fifo_bytes;
    uint64_t fifo_peak_bytes;
    struct rx_fifo_work work; /* Of bus and lookups, for what has left it. */
    int64_t switch_busy_ps;   /* How long the busiest link of the PCIe switches
                               * above has been sending. */
    struct lookups_stats lookups;
    uint64_t waiting_answers; /* Acknowledgements and CNPs that wait now. */
    uint64_t acks_sent;       /* Queued for sending, as are 'cnps_sent'. */
    uint64_t cnps_sent;       /* Frames, or bits of acknowledgements. */
    uint64_t cnps_received;
    uint64_t pauses_sent; /* Frames, releases included. */
    uint64_t pauses_received;
    uint8_t paused;  /* A bit per priority that the peer holds now. */
    uint8_t pausing; /* A bit per priority that is paused on the wire now. */
    uint8_t xoff;    /* A bit per priority that the adapter pauses now, whether
                      * a card blocks it or not. */
};

/* What one QP has done in one direction. */
struct nic_flow {
    uint64_t packets;
    uint64_t bytes;   /* Of payload.  Received over RC: new, in order. */
    uint64_t marked;  /* Packets with CE. */
    uint64_t again;   /* Sent: packets that were sent before.  Received:
                       * duplicates and packets out of order. */
    int64_t first_ps; /* -1: none yet. */
    int64_t last_ps;
};
_Static_assert(sizeof(struct nic_flow) <= 64, "a record per flow is small");

struct nic_qp_config {
    enum nic_kind kind;
    uint32_t peer_qp; /* The number of the QP at the other adapter. */

    /* The headers of all its frames: addresses and ports.  The DSCP of data
     * frames is 'dscp', that of answers in the adapter's configuration. */
    struct sim_payload *headers;
    uint8_t priority; /* 0..7 */
    uint8_t dscp;     /* 0..63 */
    struct pacer_config pacer;

    const struct rc_config *rc;   /* NIC_RC: not NULL, valid. */
    const struct dcqcn *dcqcn;    /* NULL: at the speed of the wire. */
    struct nic_raw_config raw;    /* NIC_RAW. */
    const struct tcp_config *tcp; /* NIC_TCP: not NULL, valid.  The burst of the
                                   * pacer is that of segmentation in the
                                   * adapter (TSO). */

    /* NIC_SRD: not NULL; 'srd' is valid, and has the speed of the adapter.
     * 'entropies' are as many headers as it has entropies, the first of them
     * 'headers'; borrowed. */
    const struct srd_config *srd;
    struct sim_payload **entropies;
    uint64_t seed; /* Of its choices. */

    /* NIC_MESSAGES: the QP of the context, the endpoint, and that of the peer,
     * which exist; 'peer_qp' is the QP of the flow there. */
    uint32_t context;
    uint32_t endpoint;
    uint32_t peer_endpoint;
};

/* Called when 'completion' of QP 'qp' enters the completion queue. */
typedef void nic_completion_fn(void *context, uint32_t qp,
                               const struct rc_completion *completion,
                               int64_t now_ps);

/* Called for each packet that the RX FIFO drops. */
typedef void nic_drop_fn(void *context, uint8_t priority,
                         const struct sim_frame *frame, int64_t now_ps);

/* Called for every priority of every pause frame that starts; 'quanta' is 0 for
 * a release. */
typedef void nic_pfc_fn(void *context, unsigned int priority,
                        unsigned int quanta, int64_t now_ps);

/* Called when the watchdog of the adapter stops its pauses ('trips'), and when
 * it allows them again. */
typedef void nic_watchdog_fn(void *context, bool trips, int64_t now_ps);

/* Called when 'xoff', the priorities that the adapter pauses (a bit each),
 * changes; those that a card blocks count. */
typedef void nic_xoff_fn(void *context, uint8_t xoff, int64_t now_ps);

/* What is called for events of the port.  Each function may be NULL; none may
 * change the adapter. */
struct nic_listener {
    nic_drop_fn *drop;
    nic_pfc_fn *pfc;
    nic_watchdog_fn *watchdog;
    nic_xoff_fn *xoff;
    void *context;
};

/* Stores a new adapter with entity 'entity' on 'engine' in '*nic'.  ST_INVALID:
 * a member of 'config' is out of its range.  End with nic_destroy(). */
enum st nic_create(struct engine *engine, const struct nic_config *config,
                   uint32_t entity, struct nic **nic) ST_WARN_UNUSED;

/* Stores the loop of 'nic', which has none yet, with entity 'entity' in
 * '*loop'.  It has the MAC address, the speed, the priorities and the framing
 * that 'nic' has now.  Frames that enter the FIFO count at 'nic', which also
 * reports their drops; those that are sent and delivered count at the loop.
 * Both its wires have to be joined (nic_join()), and it must be destroyed when
 * 'nic' is.  ST_INVALID: 'entity' is out of its range. */
enum st nic_create_loop(struct nic *nic, uint32_t entity,
                        struct nic **loop) ST_WARN_UNUSED;

/* Puts switch 'above' of 'tree', and what is above it, between 'nic' and the
 * memory; the link to it has the rate of the adapter's PCIe.  The packets that
 * 'tree' still holds at its end are frames of the pool.  ST_EXISTS: it is
 * behind one already.  ST_INVALID: 'nic' has no PCIe, is a loop, or has
 * received something; or there is no such switch. */
enum st nic_attach(struct nic *nic, struct pcie_tree *tree, uint32_t above,
                   int64_t latency_ps, uint32_t credit_bytes) ST_WARN_UNUSED;

/* Frees 'nic' with its QPs and packets.  Accepts NULL. */
void nic_destroy(struct nic *nic);

const struct nic_config *nic_get_config(const struct nic *nic);
uint32_t nic_entity(const struct nic *nic);

/* Replaces the settings of 'nic', which is no loop, while it runs; those of its
 * loop stay.  These may differ from the
 * present ones: strict priorities, 'shared_fifo', which priorities pauses stop
 * or ask for, their response time (of frames that arrive from now on), the time
 * of the watchdog (from the next pause on), the marks and the size of the RX
 * FIFO, rate and latency of PCIe (for packets that arrive from now on; not
 * behind PCIe switches), and 'framing'.  ST_INVALID: something else differs, or
 * is out of its range; nothing has changed. */
enum st nic_configure(struct nic *nic,
                      const struct nic_config *config) ST_WARN_UNUSED;

/* Replaces the settings of 'qp' while it runs: how many packets its bursts
 * have, and, of NIC_RC, 'rc' as rc_configure() and 'dcqcn', which is NULL if
 * and only if the QP has none; both are borrowed.  A burst that is being sent
 * ends. ST_INVALID: 'rc' is refused, or the line rate of 'dcqcn' is another;
 * nothing has changed. */
enum st nic_tune_qp(struct nic *nic, uint32_t qp, uint32_t burst,
                    const struct rc_config *rc,
                    const struct dcqcn *dcqcn) ST_WARN_UNUSED;

/* Stops the receive pipeline of 'nic', or starts it again.  Has no effect
 * without an RX FIFO. */
void nic_set_stalled(struct nic *nic, bool stalled);

/* Blocks 'priorities' (a bit each): neither their pauses get to the wire nor
 * their packets from it.  Priorities that are not among them are no longer
 * blocked.  Has no effect without an RX FIFO. */
void nic_set_blocked(struct nic *nic, uint8_t priorities);

/* Replaces the listener of completions; NULL: none.  'fn' may post work, but
 * must not add or remove QPs. */
void nic_set_listener(struct nic *nic, nic_completion_fn *fn, void *context);

/* Of a datagram of SRD for QP 'qp', of kind NIC_MESSAGES: it has arrived, for
 * the first time, or what was sent has ended. */
typedef void nic_datagram_fn(void *context, uint32_t qp, uint32_t bytes,
                             bool is_receive, int64_t now_ps);

/* Replaces the listener of datagrams, which hears of each before a message ends
 * with it; NULL: none.  'fn' must not post work. */
void nic_set_datagram_listener(struct nic *nic, nic_datagram_fn *fn,
                               void *context);

/* Replaces the listener of the port, which is copied; initially none. */
void nic_set_port_listener(struct nic *nic,
                           const struct nic_listener *listener);

/* Adds a QP and stores its number in '*qp'.  Numbers count from 0, so two QPs
 * that name each other have the numbers nic_n_qps() before they are added.
 * ST_INVALID: a member of 'config' is out of its range.  ST_NO_RESOURCE:
 * NIC_MAX_QPS. */
enum st nic_add_qp(struct nic *nic, const struct nic_qp_config *config,
                   uint32_t *qp) ST_WARN_UNUSED;

/* Posts a send, write or read to 'qp', which is NIC_RC, or room for what
 * arrives.  Fail as rc_post_send() and rc_post_receive().  NIC_TCP has sends of
 * at least a byte only, and needs no room; it fails as tcp_post(), and for
 * others with ST_INVALID.  NIC_MESSAGES has sends with an id of 32 bits. */
enum st nic_post(struct nic *nic, uint32_t qp,
                 const struct rc_request *request) ST_WARN_UNUSED;

enum st nic_post_receive(struct nic *nic, uint32_t qp, uint64_t id,
                         uint32_t length_bytes) ST_WARN_UNUSED;

/* Puts 'qp', which is NIC_RC, into the error state: it sends nothing more,
 * takes nothing, and all that is posted completes flushed. */
void nic_fail_qp(struct nic *nic, uint32_t qp);

/* An SRD queue pair with the message layer above it
 * (twin/transport/message.h). */
struct nic_endpoint_config {
    uint32_t send_depth;    /* Segments outstanding, see srd_qp.h. */
    uint32_t receive_depth; /* SRD_QP_UNLIMITED. */
    const struct message_config *messages; /* Borrowed. */
};

/* Adds an endpoint and stores its number in '*number'; they count from 0.
 * ST_INVALID: a member of 'config' is out of its range. */
enum st nic_add_endpoint(struct nic *nic,
                         const struct nic_endpoint_config *config,
                         uint32_t *number) ST_WARN_UNUSED;
uint32_t nic_n_endpoints(const struct nic *nic);

/* Ends the sending of 'qp', which is NIC_RAW.  Frames on the way arrive. */
void nic_stop(struct nic *nic, uint32_t qp);

/* Called after a packet with data for 'qp' was counted in nic_received(), which
 * it made grow by 'bytes'. */
typedef void nic_counted_fn(void *context, uint32_t qp, uint32_t bytes,
                            bool is_marked, int64_t now_ps);

/* Lets 'fn' follow what nic_received() counts, for example to know a count at
 * an earlier time; NULL: nothing does. */
void nic_set_counted(struct nic *nic, nic_counted_fn *fn, void *context);

/* Of a packet of NIC_RC for, or of, QP 'qp': a request that starts to be sent,
 * or a response that has arrived, before it enters the RX FIFO. */
typedef void nic_traced_fn(void *context, uint32_t qp,
                           const struct transport_packet *packet, bool is_sent,
                           int64_t now_ps);

/* Lets 'fn', which must not change the adapter, follow these packets; NULL:
 * nothing does.  Those of a loop count at the loop when they are sent, and do
 * not count when they arrive. */
void nic_set_traced(struct nic *nic, nic_traced_fn *fn, void *context);

/* Return the records of what 'qp' has sent and received. */
const struct nic_flow *nic_sent(const struct nic *nic, uint32_t qp);
const struct nic_flow *nic_received(const struct nic *nic, uint32_t qp);

/* Returns how many congestion notifications 'qp' has received. */
uint64_t nic_cnps(const struct nic *nic, uint32_t qp);

/* Returns the present rate of 'qp' in bits per second, on the wire. */
uint64_t nic_rate(const struct nic *nic, uint32_t qp);

uint32_t nic_n_qps(const struct nic *nic);
void nic_get_stats(const struct nic *nic, struct nic_stats *stats);

/* Joins 'nic' to the wire on which it sends and the one that ends there.  Must
 * not be called while it is sending. */
void nic_join(struct nic *nic, struct wire *out, struct wire *in);

/* Keeps 'nic' from starting frames other than pauses, or lets it: its link
 * takes none (twin/link/llr.h). */
void nic_hold(struct nic *nic, bool is_held);

/* For the loop of the fabric (engine.h): handle the events of the adapter at
 * 'entity', if it still exists.  An arrival hands over frame 'index'. */
void nic_handle_tx_end(struct frame_pool *pool, uint32_t entity);
void nic_handle_wake(struct frame_pool *pool, uint32_t entity);
void nic_handle_drain(struct frame_pool *pool, uint32_t entity);
void nic_handle_arrive(struct frame_pool *pool, uint32_t entity,
                       uint32_t index);
void nic_handle_retry(struct frame_pool *pool, uint32_t entity, uint32_t qp);

/* Fetch into the cache what the adapter at 'entity' will need for events of the
 * near future; steps like those of ports (twin/switch/sim.h). */
void nic_foresee(const struct frame_pool *pool, uint32_t entity);
void nic_foresee_arrival(const struct frame_pool *pool, uint32_t entity,
                         uint32_t index);
void nic_foresee_transport(const struct frame_pool *pool, uint32_t entity,
                           uint32_t index);
void nic_foresee_sending(const struct frame_pool *pool, uint32_t entity);

/* Returns the state machine of 'qp', which is NIC_RC.  Borrowed, to be read. */
const struct rc *nic_rc(const struct nic *nic, uint32_t qp);

/* Returns the connection of 'qp', which is NIC_TCP.  Borrowed, to be read. */
const struct tcp *nic_tcp(const struct nic *nic, uint32_t qp);

/* Returns the context of 'qp', which is NIC_SRD.  Borrowed, to be read. */
const struct srd *nic_srd(const struct nic *nic, uint32_t qp);

/* Returns NULL if all invariants hold, else a sentence about one that does not.
 * For tests. */
const char *nic_check(const struct nic *nic);

enum { NIC_EXTENSION_BYTES = 40 };

/* Returns the NIC_EXTENSION_BYTES that 'frame', which an adapter has made,
 * carries beyond its record, NULL if it carries none; borrowed. */
const uint8_t *nic_extension(const struct sim_frame *frame);

/* Returns 'headers' with an extension of 'n' bytes (at most
 * NIC_EXTENSION_BYTES), as the payload of one frame.  The caller owns the only
 * reference. */
struct sim_payload *nic_extend(const struct sim_payload *headers,
                               const void *bytes, size_t n);

/* Reads the packet of RoCEv2 that 'frame' carries: its 'opcode' is not 0, and
 * it has no segment of TCP.  Everything that the other end reads is in it. */
void nic_read_packet(const struct sim_frame *frame,
                     struct transport_packet *packet);

/* Returns whether 'frame' carries a packet of SRD, and reads it. */
bool nic_has_datagram(const struct sim_frame *frame);
void nic_read_datagram(const struct sim_frame *frame,
                       struct srd_packet *packet);

/* Returns the QP of the flow of such a 'frame' at its receiver; of the context,
 * if it carries no data. */
uint32_t nic_datagram_flow(const struct sim_frame *frame);

/* Returns whether 'frame' carries a segment of TCP. */
bool nic_has_segment(const struct sim_frame *frame);

/* Reads that segment. */
void nic_read_segment(const struct sim_frame *frame,
                      struct tcp_segment *segment);

#endif /* twin/nic/nic.h */
