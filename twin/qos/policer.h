/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_QOS_POLICER_H
#define ORCHD_TWIN_QOS_POLICER_H

/* A policer: meters packets against rates, gives each a color, and says what
 * happens to packets of that color.
 *
 * Two buckets of tokens, C and P, start full.
 *
 * srTCM (RFC 2697, also storm control): C holds CBS, P holds PBS, which that
 * RFC calls E and EBS.  Tokens arrive at CIR; they fill C, and what C cannot
 * hold fills P.  A packet is green if C has tokens for it, else yellow if P
 * has, else red; it takes its tokens from that bucket only.
 *
 * trTCM (RFC 2698): C holds CBS and fills at CIR, P holds PBS and fills at PIR.
 * A packet is red if P has too few tokens, else yellow if C has too few; a
 * green one takes its tokens from both, a yellow one from P.
 *
 * A policer that is color-aware never gives a packet a better color than it
 * arrived with: a packet that arrives yellow is not metered against C, one that
 * arrives red takes no tokens.
 *
 * Arithmetic: an arrival adds rate * (time since the last one) / 10^12 tokens.
 * The remainder of this division is carried, so over any time the tokens are
 * exact to the integer; it is dropped only with the tokens that a full bucket
 * cannot hold, as a fraction of a token never fits then either.  A rate of 0
 * adds none, and a bucket of size 0 never has any.
 *
 * Unit: a byte or a packet.  Bytes are those of the frame as in counters of
 * octets: with its Ethernet header, without FCS.
 *
 * References: RFC 2697, RFC 2698. */

#include <stdbool.h>
#include <stdint.h>

/* As in the descriptors of frames. */
enum policer_color {
    POLICER_GREEN,
    POLICER_YELLOW,
    POLICER_RED,
    POLICER_N_COLORS,
};

/* What happens to a packet. */
enum policer_action {
    POLICER_DROP = 0,
    POLICER_FORWARD = 1 << 0,
    POLICER_COPY = 1 << 1, /* To the CPU. */
};

/* How a policer meters. */
struct policer_config {
    bool has_two_rates;  /* trTCM; else srTCM. */
    bool by_packets;     /* Else by bytes. */
    bool is_color_aware; /* Else all packets count as green. */

    /* Rates per second and sizes of the buckets.  PIR only counts with two
     * rates. */
    uint64_t cir, cbs;
    uint64_t pir, pbs;
    uint8_t actions[POLICER_N_COLORS]; /* enum policer_action, combined. */
};

/* Packets and bytes of one color. */
struct policer_count {
    uint64_t packets;
    uint64_t bytes;
};

/* One policer.  The members but 'counts' are private. */
struct policer {
    struct policer_config config;
    int64_t updated_ps; /* The tokens are those of this time ... */
    uint64_t tokens_c;
    uint64_t tokens_p;
    uint64_t remainder_c; /* ... without fractions of 1/10^12 token. */
    uint64_t remainder_p;
    struct policer_count counts[POLICER_N_COLORS];
};

/* Makes 'policer' meter by '*config' from 'now_ps' on, with full buckets and
 * counts of 0. */
void policer_init(struct policer *policer, const struct policer_config *config,
                  int64_t now_ps);

/* Changes rates, sizes and actions of 'policer', which meters on: tokens stay,
 * up to the new sizes. */
void policer_set(struct policer *policer, const struct policer_config *config,
                 int64_t now_ps);

/* Meters a packet of 'length_bytes' that arrives at 'now_ps', not before the
 * previous one, with 'color', and counts it.  Returns its new color; what
 * happens to it is in the actions of the configuration. */
enum policer_color policer_meter(struct policer *policer, uint32_t length_bytes,
                                 enum policer_color color, int64_t now_ps);

/* Returns the action for packets of 'color'. */
static inline uint8_t
policer_action(const struct policer *policer, enum policer_color color)
{
    return policer->config.actions[color];
}

#endif /* twin/qos/policer.h */
