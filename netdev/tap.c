/* SPDX-License-Identifier: Apache-2.0 */

/* TAP devices: the network adapter of a host, driven by this process.
 *
 * Closing the descriptor deletes the device, even in another namespace.  A read
 * returns one frame and a write sends one; there is no call for several.
 *
 * Reference: Linux, Documentation/networking/tuntap.rst. */

#include <config.h>

#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "netdev/interface_location.h"
#include "netdev/links.h"
#include "netdev/netdev-provider.h"

static void
tap_opened(struct netdev *netdev)
{
    (void)netdev; /* It has no data. */
}

static uint32_t
tap_receive(struct netdev *netdev)
{
    uint8_t *bytes = netdev_buffers(netdev);
    uint32_t n = 0;

    while (n < NETDEV_BATCH) {
        const ssize_t got = read(netdev->fd, bytes, NETDEV_BUFFER);

        if (got <= 0) {
            break;
        }
        n++;
        if (got > NETDEV_FRAME_MAX) {
            netdev->stats.too_long++;
        } else {
            netdev_deliver(netdev, bytes, (uint32_t)got);
        }
    }
    return n;
}

/* The queue of a TAP is its transmit queue. */
static uint32_t
tap_waiting(const struct netdev *netdev)
{
    return netdev->queue;
}

static void
tap_send(struct netdev *netdev, const uint8_t *bytes, uint32_t n)
{
    if (write(netdev->fd, bytes, n) == (ssize_t)n) {
        netdev->stats.sent++;
    } else {
        netdev->stats.not_sent++;
    }
}

static void
tap_flush(struct netdev *netdev)
{
    (void)netdev; /* Nothing is batched. */
}

/* The kernel drops what a full queue has no room for. */
static uint64_t
tap_missed(struct netdev *netdev)
{
    const uint64_t before = netdev->dropped;
    struct links_news found;

    if (interface_location_find(netdev, &found)) {
        netdev->dropped = found.dropped;
    }
    return netdev->dropped - before;
}

static void
tap_close(struct netdev *netdev)
{
    (void)close(netdev->fd);
}

static void
tap_update_name(struct netdev *netdev)
{
    struct ifreq request = {0};

    if (ioctl(netdev->fd, TUNGETIFF, &request) == 0) {
        (void)text_copy(netdev->name, sizeof netdev->name, request.ifr_name);
    }
}

const struct netdev_class netdev_tap_class = {
    .opened = tap_opened,
    .receive = tap_receive,
    .waiting = tap_waiting,
    .send = tap_send,
    .flush = tap_flush,
    .missed = tap_missed,
    .close = tap_close,
    .link_flag = IFF_UP,
    .has_carrier_of_ours = true,
    .is_made = true,
    .update_name = tap_update_name,
};
