/* SPDX-License-Identifier: Apache-2.0 */

/* Bound interfaces, by packet sockets.
 *
 * Each frame comes with a header that names the work left to the hardware:
 * completing its checksum, or splitting it, since TCP passes on up to 64 kB at
 * a time.  Its outer tag is separate if the kernel has removed it.  This module
 * does that work before it delivers the frame.
 *
 * Reference: packet(7); struct virtio_net_hdr of <linux/virtio_net.h>. */

#include <config.h>

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sock_diag.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "netdev/netdev-provider.h"
#include "netdev/privileged_open.h"
#include "netdev/segment.h"

#ifndef VIRTIO_NET_HDR_GSO_UDP_L4 /* Linux 6.2 */
#define VIRTIO_NET_HDR_GSO_UDP_L4 5
#endif

enum {
    MAC_BYTES = 12, /* Both addresses; the tag follows them. */
    TAG_BYTES = 4,
    FRAME_MEMORY_MIN = 256, /* Less than the kernel uses for any frame. */
};

/* Frames to send. */
struct batch {
    uint32_t n;
    struct mmsghdr messages[NETDEV_BATCH];
    struct iovec parts[NETDEV_BATCH][2];
    uint8_t *bytes[NETDEV_BATCH];
    uint32_t sizes[NETDEV_BATCH];
};

/* The header of all sent frames: no work is left. */
static const struct virtio_net_hdr no_offload;

static void
packet_opened(struct netdev *netdev)
{
    if (!netdev->data) {
        netdev->data = check_calloc(1, sizeof(struct batch));
    }
}

/* Receiving ----------------------------------------------------------- */

/* Returns the tag that the kernel removed from a frame, in wire format; 0:
 * none. */
static uint32_t
tag_of(struct msghdr *message)
{
    for (struct cmsghdr *i = CMSG_FIRSTHDR(message); i;
         i = CMSG_NXTHDR(message, i)) {
        struct tpacket_auxdata auxiliary;

        if (i->cmsg_level != SOL_PACKET || i->cmsg_type != PACKET_AUXDATA) {
            continue;
        }
        memcpy(&auxiliary, CMSG_DATA(i), sizeof auxiliary);
        if (auxiliary.tp_status & TP_STATUS_VLAN_VALID) {
            const uint32_t type =
                auxiliary.tp_status & TP_STATUS_VLAN_TPID_VALID
                    ? auxiliary.tp_vlan_tpid
                    : ETH_P_8021Q;

            return type << 16 | auxiliary.tp_vlan_tci;
        }
    }
    return 0;
}

/* Splits and delivers the frame; counts it if it cannot be split. */
static void
deliver_pieces(struct netdev *netdev, const struct virtio_net_hdr *header,
               const uint8_t *frame, uint32_t n)
{
    const uint8_t kind = header->gso_type & (uint8_t)~VIRTIO_NET_HDR_GSO_ECN;
    const bool is_udp = kind == VIRTIO_NET_HDR_GSO_UDP_L4;
    uint8_t piece[NETDEV_FRAME_MAX];
    struct segment_plan plan;

    if ((kind != VIRTIO_NET_HDR_GSO_TCPV4 && kind != VIRTIO_NET_HDR_GSO_TCPV6 &&
         !is_udp) ||
        !segment_plan(frame, n, is_udp, header->gso_size, &plan) ||
        segment_longest(&plan) > sizeof piece) {
        netdev->stats.too_long++;
        return;
    }
    for (uint32_t i = 0; i < plan.n_pieces; i++) {
        netdev_deliver(netdev, piece, segment_write(&plan, frame, i, piece));
    }
}

/* Delivers the frame in 'buffer', which has room for a tag, the header, and the
 * frame. */
static void
take(struct netdev *netdev, struct mmsghdr *message, uint8_t *buffer)
{
    const uint32_t tag = htonl(tag_of(&message->msg_hdr));
    struct virtio_net_hdr header;
    uint8_t *frame = buffer + TAG_BYTES + sizeof header;
    uint32_t n;

    if (message->msg_len < sizeof header ||
        (message->msg_hdr.msg_flags & MSG_TRUNC)) {
        netdev->stats.too_long++;
        return;
    }
    n = message->msg_len - (uint32_t)sizeof header;
    memcpy(&header, buffer + TAG_BYTES, sizeof header);
    if (header.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM &&
        header.gso_type == VIRTIO_NET_HDR_GSO_NONE) {
        segment_complete(frame, n, header.csum_start, header.csum_offset);
    }
    if (tag && n >= MAC_BYTES) {
        frame -= TAG_BYTES;
        memmove(frame, frame + TAG_BYTES, MAC_BYTES);
        memcpy(frame + MAC_BYTES, &tag, sizeof tag);
        n += TAG_BYTES;
    }
    if (header.gso_type != VIRTIO_NET_HDR_GSO_NONE) {
        deliver_pieces(netdev, &header, frame, n);
    } else if (n > NETDEV_FRAME_MAX) {
        netdev->stats.too_long++;
    } else {
        netdev_deliver(netdev, frame, n);
    }
}

static uint32_t
packet_receive(struct netdev *netdev)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
        struct cmsghdr aligned;
    } controls[NETDEV_BATCH];
    uint8_t *buffers = netdev_buffers(netdev);
    struct mmsghdr messages[NETDEV_BATCH];
    struct iovec parts[NETDEV_BATCH];
    int n;

    memset(messages, 0, sizeof messages);
    for (int i = 0; i < NETDEV_BATCH; i++) {
        parts[i].iov_base = buffers + (size_t)i * NETDEV_BUFFER + TAG_BYTES;
        parts[i].iov_len = NETDEV_BUFFER - TAG_BYTES;
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        messages[i].msg_hdr.msg_control = &controls[i];
        messages[i].msg_hdr.msg_controllen = sizeof controls[i];
    }
    n = recvmmsg(netdev->fd, messages, NETDEV_BATCH, MSG_DONTWAIT, NULL);
    for (int i = 0; i < n; i++) {
        take(netdev, &messages[i], buffers + (size_t)i * NETDEV_BUFFER);
    }
    if (n < 0 && errno == EINVAL) { /* A frame of a kind that the header cannot
                                     * describe. */
        netdev->stats.too_long++;
        return 1;
    }
    return n > 0 ? (uint32_t)n : 0;
}

/* The kernel does not count the frames, but their memory. */
static uint32_t
packet_waiting(const struct netdev *netdev)
{
    uint32_t memory[SK_MEMINFO_VARS] = {[SK_MEMINFO_RMEM_ALLOC] =
                                            2 * PRIVILEGED_PACKET_BUFFER};
    socklen_t size = sizeof memory;

    (void)getsockopt(netdev->fd, SOL_SOCKET, SO_MEMINFO, memory, &size);
    return memory[SK_MEMINFO_RMEM_ALLOC] / FRAME_MEMORY_MIN;
}

/* Sending ------------------------------------------------------------- */

static void
packet_flush(struct netdev *netdev)
{
    struct batch *batch = netdev->data;
    uint32_t at = 0;

    while (at < batch->n) {
        const int sent = sendmmsg(netdev->fd, batch->messages + at,
                                  batch->n - at, MSG_DONTWAIT);

        if (sent > 0) {
            at += (uint32_t)sent;
            netdev->stats.sent += (uint64_t)sent;
        } else {
            at++; /* The kernel refuses this frame; it is lost, as on a wire. */
            netdev->stats.not_sent++;
        }
    }
    batch->n = 0;
}

static void
packet_send(struct netdev *netdev, const uint8_t *bytes, uint32_t n)
{
    struct batch *batch = netdev->data;
    const uint32_t i = batch->n;

    if (batch->sizes[i] < n) {
        batch->bytes[i] = check_realloc(batch->bytes[i], n);
        batch->sizes[i] = n;
    }
    memcpy(batch->bytes[i], bytes, n);
    batch->parts[i][0].iov_base = (void *)(uintptr_t)&no_offload;
    batch->parts[i][0].iov_len = sizeof no_offload;
    batch->parts[i][1].iov_base = batch->bytes[i];
    batch->parts[i][1].iov_len = n;
    batch->messages[i].msg_hdr.msg_iov = batch->parts[i];
    batch->messages[i].msg_hdr.msg_iovlen = 2;
    batch->n++;
    if (batch->n == NETDEV_BATCH) {
        packet_flush(netdev);
    }
}

static uint64_t
packet_missed(struct netdev *netdev)
{
    struct tpacket_stats stats = {0}; /* Reading resets the kernel's
                                       * counters. */
    socklen_t size = sizeof stats;

    (void)getsockopt(netdev->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &size);
    return stats.tp_drops;
}

static void
packet_close(struct netdev *netdev)
{
    struct batch *batch = netdev->data;

    (void)close(netdev->fd);
    for (uint32_t i = 0; i < NETDEV_BATCH; i++) {
        free(batch->bytes[i]);
    }
    free(batch);
    netdev->data = NULL;
}

const struct netdev_class netdev_packet_class = {
    .opened = packet_opened,
    .receive = packet_receive,
    .waiting = packet_waiting,
    .send = packet_send,
    .flush = packet_flush,
    .missed = packet_missed,
    .close = packet_close,
    .link_flag = IFF_RUNNING,
};
