/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_LINK_LINK_H
#define ORCHD_TWIN_LINK_LINK_H

/* A cable: full duplex, keeps the order of frames, has a delay.
 *
 * A frame arrives at the other end CABLE_PS_PER_METRE (base/cable.h) per metre
 * after its last bit has left.  Serialisation is up to the sender.  The link
 * loses frames above the MTU, those in flight when it goes down, and those sent
 * while it is down.
 *
 * There are two kinds of ends.
 *   - A place of the simulation, a port or a host, is at the end of a wire
 *     (twin/forwarding/wire.h).  The other end hands a frame to the wire when
 *     its transmission starts, and each frame on it is an event.
 *   - A function is for what is outside the simulation, or wants to see every
 *     frame.  The other end hands a frame over by link_transmit() when the last
 *     bit has left; only the first frame in flight is an event.
 *
 * Between two places a link may have bit errors (bit_errors.h) and link-level
 * retry (llr.h). */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/engine.h"
#include "twin/forwarding/frame.h"
#include "twin/forwarding/wire.h"
#include "twin/link/bit_errors.h"
#include "twin/link/llr.h"

/* Called at the time when 'frame' has arrived at the end with 'context' and
 * 'port'.  Returns whether the end accepted it; if not, it counts as lost. */
typedef bool link_deliver_fn(void *context, uint32_t port,
                             const struct sim_frame *frame);

/* One end of a link. */
struct link_end {
    link_deliver_fn *deliver; /* NULL: the end is a place of the simulation,
                               * which takes frames from link_wire(). */
    void *context;
    uint32_t port; /* For 'deliver'. */

    /* The place of the end in the order of events (twin/event/event.h), and
     * the class of arrivals there. */
    uint32_t entity;
    enum event_class class;
};

struct link_config {
    uint32_t length_m;
    uint32_t length_mm; /* On top of the metres; below 1000. */
    uint32_t mtu_bytes; /* The longest frame, without FCS. */
    struct link_end ends[2];
};

struct link;

/* One direction, from its sender's point of view. */
struct link_sender;

/* Returns a new link that is up.  End with link_destroy(). */
struct link *link_create(struct engine *engine,
                         const struct link_config *config);

/* Frees 'link' with all frames in flight.  Accepts NULL. */
void link_destroy(struct link *link);

/* Returns the sender of end 'end' (0 or 1). */
struct link_sender *link_sender(struct link *link, unsigned int end);

/* Returns the wire on which 'sender' sends, NULL if the other end is a
 * function. */
struct wire *link_wire(struct link_sender *sender);

/* Sends 'frame', whose last bit leaves now.  'sender' is a struct link_sender.
 * A sim_wire_fn. */
void link_transmit(void *sender, const struct sim_frame *frame);

/* Puts frame 'index' of the pool, which end 'end' has sent in another
 * simulation that has the rest of the fabric, onto 'link': it arrives at
 * 'arrives_ps'. It counts as sent there only (struct link_tap), and in flight
 * here. */
void link_import(struct link *link, unsigned int end, uint32_t index,
                 int64_t arrives_ps);

/* Takes 'link' up or down; down loses the frames in flight. */
void link_set_up(struct link *link, bool up);

/* Why a link has lost a frame. */
enum link_loss {
    LINK_LOSS_DOWN,   /* The link, or the port at one end, is down. */
    LINK_LOSS_MTU,    /* It is longer than the MTU. */
    LINK_LOSS_FAULT,  /* By link_set_fault(). */
    LINK_LOSS_MACSEC, /* A pause frame in a form that the receiver refuses. */
    LINK_LOSS_FCS,    /* By link_set_fault() or bit errors: it arrives with a
                       * wrong FCS, which the receiver counts as an error. */
    LINK_LOSS_LLR,    /* Link-level retry has dropped it, or given it up. */
};

/* Called for each frame that is lost on its way from end 'end', at the time of
 * the loss: for frames in flight when the link goes down, in the order of their
 * arrival.  Must not send, or change the link. */
typedef void link_lost_fn(void *context, unsigned int end, enum link_loss why,
                          const struct sim_frame *frame);

/* Replaces the listener of losses; NULL: none. */
void link_set_listener(struct link *link, link_lost_fn *fn, void *context);

/* What is wrong with a direction of a link.  Not of an end with a function
 * 'deliver'. */
struct link_fault {
    uint64_t loss; /* Of 2^64: the probability that a frame is lost. */
    uint64_t seed; /* Of the random numbers, with the entity of the receiver. */
    uint32_t every; /* IP packet n, 2n, 3n, ... is lost; 0: none. */
    bool corrupts;  /* These frames are not lost without a trace, but arrive
                     * with a wrong FCS (LINK_LOSS_FCS). */
    bool poisons;   /* They had a wrong FCS before, as behind a switch that cuts
                     * through: LINK_LOSS_FCS, and LLR does not resend them. */
    bool clears_ce; /* IP packets marked with CE become ECT(0) (RFC 3168). */
    int64_t delay_ps; /* Frames arrive this much later. */
    /* With a delay: what a byte takes on the wire.  After the fault no frame
     * overtakes an earlier one, nor comes closer to it than that. */
    int64_t byte_ps;
};

/* Applies 'fault', which is copied, to what end 'end' sends from now on; NULL:
 * nothing is wrong any more. */
void link_set_fault(struct link *link, unsigned int end,
                    const struct link_fault *fault);

/* Lets bits of what end 'end' sends be wrong from now on, as 'rate', which is
 * copied, says: a damaged frame arrives with a wrong FCS.  'seed' is that of
 * the random numbers, with the entity of the receiver.  Not of an end with a
 * function 'deliver'. */
void link_set_bit_errors(struct link *link, unsigned int end,
                         const struct bit_error_rate *rate, uint64_t seed);

/* Keeps the end with 'context' and 'port' from starting frames other than MAC
 * control, or lets it. */
typedef void link_hold_fn(void *context, uint32_t port, bool is_held);

/* Says how end 'end' can be held, which link-level retry needs. */
void link_set_hold(struct link *link, unsigned int end, link_hold_fn *fn,
                   void *context, uint32_t port);

/* Called when end 'end' has given up link-level retry (LLR_TX_FLUSH). */
typedef void link_flushed_fn(void *context, unsigned int end);

/* Returns the link-level retry of 'link', neither end of which has a function
 * 'deliver': for llr_set_port() of an end that can be held, and to see what it
 * does.  Both ends have to be in this simulation.  The first call creates it;
 * without one a link costs nothing more.
 * Ordered sets are damaged like frames, and a delay by link_set_fault() does
 * not delay them. */
struct llr *link_llr(struct link *link);

/* Returns whether link_llr() was called. */
bool link_has_llr(const struct link *link);

/* Replaces the listener of FLUSH; NULL: none.  It must not change the link. */
void link_set_flushed(struct link *link, link_flushed_fn *fn, void *context);

/* MACsec (IEEE 802.1AE) at both ends of a link, as far as pause frames are
 * concerned: an end sends them clear, before protection, or protected like all
 * other frames, and accepts the forms that it is set to.  A pause in another
 * form is an error at the receiver, which ignores it: it is lost.  The bytes
 * that MACsec adds are up to the sender (sim_port_set_macsec_bytes()). */
enum link_pause_form {
    LINK_PAUSE_CLEAR,
    LINK_PAUSE_PROTECTED,
};

struct link_macsec {
    struct {
        enum link_pause_form sends;
        uint8_t accepts; /* A bit per form. */
    } ends[2];
};

enum {
    /* SecTAG with an explicit SCI, and ICV: IEEE 802.1AE-2018, 9.3 and 14.5. */
    LINK_MACSEC_BYTES = 16 + 16,
};

/* Sets what the ends of 'link', neither of which has a function 'deliver', do
 * with pauses from now on.  'macsec' is copied; NULL: there is no MACsec. */
void link_set_macsec(struct link *link, const struct link_macsec *macsec);

/* Sees the frames of one direction of a link.  Not of an end with a function
 * 'deliver'. */
struct link_tap {
    /* The transmission of 'frame', which is borrowed, starts; its last bit
     * leaves at 'end_ps', and arrives 'delay_ps' after that if nothing happens
     * to the link.  'is_lost': a fault loses it. */
    void (*sent)(void *context, const struct sim_frame *frame, int64_t end_ps,
                 int64_t delay_ps, bool is_lost);
    void *context;
    bool takes; /* It takes the frames that are not lost to the simulation that
                 * has the other end: here they count as delivered, and do not
                 * arrive.  Not of a link with link-level retry. */
};

/* Lets 'tap', which is copied, see what end 'end' sends from now on; NULL: none
 * any more. */
void link_set_tap(struct link *link, unsigned int end,
                  const struct link_tap *tap);

/* Statistics of one direction.  sent = delivered + lost + in_flight.  With
 * link-level retry each time that a frame is sent counts. */
struct link_stats {
    uint64_t sent;
    uint64_t delivered;
    uint64_t lost;
    uint64_t replayed; /* Of 'sent': not for the first time. */
    uint32_t in_flight;
    uint32_t most_in_flight;
};

/* Stores the statistics of what end 'end' has sent in '*stats'. */
void link_get_stats(const struct link *link, unsigned int end,
                    struct link_stats *stats);

#endif /* twin/link/link.h */
