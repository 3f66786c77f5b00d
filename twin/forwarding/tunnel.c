/* SPDX-License-Identifier: Apache-2.0 */

/* The ends of tunnels: a sorted array of terminations, and the removal of the
 * outer header. */

#include <config.h>

#include "twin/forwarding/tunnel.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "twin/forwarding/packet.h"

/* The values of the ECN field (RFC 3168 section 5). */
enum { NOT_ECT = 0, ECT_1 = 1, ECT_0 = 2, CE = 3 };

enum { TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86dd, TYPE_BYTES = 2 };

/* Precedence ----------------------------------------------------------- */

/* Returns how many bits of an address 'mask' compares. */
static int
count_bits(const struct address *mask)
{
    int n = 0;

    for (int i = 0; i < ADDRESS_BYTES; i++) {
        n += __builtin_popcount(mask->bytes[i]);
    }
    return n;
}

/* Returns whether 'a' precedes 'b'; if neither does, the older one comes
 * first. */
static bool
precedes(const struct tunnel_end *a, const struct tunnel_end *b)
{
    const int more_dst = count_bits(&a->dst_mask) - count_bits(&b->dst_mask);
    const int more_src = count_bits(&a->src_mask) - count_bits(&b->src_mask);

    if (a->priority != b->priority) {
        return a->priority > b->priority;
    }
    return more_dst ? more_dst > 0 : more_src > 0;
}

/* The table ------------------------------------------------------------ */

void
tunnel_table_fini(struct tunnel_table *table)
{
    free(table->ends);
    *table = (struct tunnel_table){0};
}

void
tunnel_table_remove(struct tunnel_table *table, uint64_t key)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < table->n; i++) {
        if (table->ends[i].key != key) {
            table->ends[kept++] = table->ends[i];
        }
    }
    table->n = kept;
}

void
tunnel_table_set(struct tunnel_table *table, const struct tunnel_end *end)
{
    uint32_t at;

    tunnel_table_remove(table, end->key);
    table->ends =
        check_realloc(table->ends, (table->n + 1) * sizeof *table->ends);
    for (at = table->n; at > 0 && precedes(end, &table->ends[at - 1]); at--) {
        table->ends[at] = table->ends[at - 1];
    }
    table->ends[at] = *end;
    table->n++;
}

const struct tunnel_end *
tunnel_table_twin(const struct tunnel_table *table,
                  const struct tunnel_end *end)
{
    for (uint32_t i = 0; i < table->n; i++) {
        const struct tunnel_end *other = &table->ends[i];

        if (other->key != end->key && other->domain == end->domain &&
            other->priority == end->priority &&
            address_equal(&other->dst, &end->dst) &&
            address_equal(&other->src, &end->src) &&
            address_equal(&other->dst_mask, &end->dst_mask) &&
            address_equal(&other->src_mask, &end->src_mask)) {
            return other;
        }
    }
    return NULL;
}

/* Returns whether 'address' has the bits of 'wanted' that 'mask' compares. */
static bool
matches(const struct address *address, const struct address *wanted,
        const struct address *mask)
{
    const int n = address->family == ADDRESS_V4 ? 4 : ADDRESS_BYTES;
    uint8_t differs = 0;

    if (wanted->family == ADDRESS_NONE) {
        return true;
    }
    for (int i = 0; i < n; i++) {
        differs |=
            (uint8_t)((address->bytes[i] & mask->bytes[i]) ^ wanted->bytes[i]);
    }
    return wanted->family == address->family && differs == 0;
}

/* Returns whether 'packet' can be decapsulated. */
static bool
is_tunneled(const struct packet *packet)
{
    return (packet->protocol == PACKET_IPIP ||
            packet->protocol == PACKET_IPV6_IN_IP) &&
           (packet->kind == PACKET_IPV4 || packet->kind == PACKET_IPV6) &&
           packet->fault == PACKET_SOUND && !packet->is_fragment;
}

struct tunnel *
tunnel_table_find(const struct tunnel_table *table, uint32_t domain,
                  const struct packet *packet)
{
    if (!is_tunneled(packet)) {
        return NULL;
    }
    for (uint32_t i = 0; i < table->n; i++) {
        const struct tunnel_end *end = &table->ends[i];

        if (end->domain == domain &&
            matches(&packet->dst, &end->dst, &end->dst_mask) &&
            matches(&packet->src, &end->src, &end->src_mask)) {
            return end->tunnel;
        }
    }
    return NULL;
}

/* The headers ---------------------------------------------------------- */

struct sim_payload *
tunnel_open(const struct sim_payload *outer)
{
    const struct packet *packet = &outer->packet;
    const uint16_t type =
        packet->protocol == PACKET_IPIP ? TYPE_IPV4 : TYPE_IPV6;
    struct sim_payload *inner;
    uint8_t *bytes;
    uint32_t from;
    uint32_t n;
    uint32_t length;

    if (outer->length == 0 || !is_tunneled(packet)) {
        return NULL;
    }
    from = packet_transport(packet, outer->bytes);
    n = packet->offset + packet->ip_bytes - from;
    length = packet->offset + n < ETHERNET_MIN_BYTES ? ETHERNET_MIN_BYTES
                                                     : packet->offset + n;
    bytes = check_calloc(1, length);
    memcpy(bytes, outer->bytes, packet->offset);
    bytes[packet->offset - TYPE_BYTES] = (uint8_t)(type >> 8);
    bytes[packet->offset - TYPE_BYTES + 1] = (uint8_t)type;
    memcpy(bytes + packet->offset, outer->bytes + from, n);
    inner = sim_payload_create(length, bytes);
    free(bytes);
    /* The padding must not make up for what is missing. */
    if (inner->packet.fault != PACKET_SOUND || inner->packet.ip_bytes > n) {
        sim_payload_unref(inner);
        return NULL;
    }
    return inner;
}

bool
tunnel_combine_ecn(uint8_t outer, uint8_t inner, uint8_t *ecn)
{
    /* RFC 6040 figure 4: the rows are the inner field. */
    static const uint8_t combined[4][4] = {
        [NOT_ECT] = {NOT_ECT, NOT_ECT, NOT_ECT, CE}, /* CE: dropped. */
        [ECT_1] = {ECT_1, ECT_1, ECT_1, CE},
        [ECT_0] = {ECT_0, ECT_1, ECT_0, CE},
        [CE] = {CE, CE, CE, CE},
    };

    if (inner == NOT_ECT && outer == CE) {
        return false;
    }
    *ecn = combined[inner & 3][outer & 3];
    return true;
}
