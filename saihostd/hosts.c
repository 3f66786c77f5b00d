/* SPDX-License-Identifier: Apache-2.0 */

/* A TAP for each host interface. */

#include <config.h>

#include "saihostd/hosts.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "netdev/namespace.h"
#include "netdev/netdev.h"
#include "process/log.h"
#include "vendors/softasic/front_panel.h"

/* The host interface of a port. */
struct sai_host {
    uint32_t slot;
    struct netdev *netdev;
};

struct hosts {
    struct log *log;
    const struct softasic_front *front;
    const char *namespace;
    struct netdevs *netdevs;
    struct sai_host **slots; /* NULL: that port has none. */
    uint32_t n_slots;
};

/* From interfaces ----------------------------------------------------- */

static void
on_frame(void *hosts_, void *host_, const uint8_t *bytes, uint32_t n)
{
    const struct hosts *hosts = hosts_;
    const struct sai_host *host = host_;

    hosts->front->from_hostif(host->slot, bytes, n);
}

/* Whether the host has its interface up is its own affair. */
static void
on_link(void *hosts, void *host, bool up)
{
    (void)hosts;
    (void)host;
    (void)up;
}

static void
on_note(void *hosts_, void *host_, bool wrong, const char *text)
{
    const struct hosts *hosts = hosts_;
    const struct sai_host *host = host_;

    log_write(hosts->log, wrong ? LOG_WARN : LOG_INFO, "host-interface",
              netdev_name(host->netdev), "%s", text);
}

/* From the switch ----------------------------------------------------- */

/* Makes the interface that '*wanted' says; NULL: it cannot be. */
static struct sai_host *
open_host(struct hosts *hosts, const struct softasic_hostif *wanted)
{
    struct sai_host *host = check_calloc(1, sizeof *host);
    const struct netdev_place place = {.name = wanted->name,
                                       .namespace = hosts->namespace,
                                       .can_wait = true,
                                       .mac = wanted->mac,
                                       .owner = host};
    struct err err = {0};

    host->slot = wanted->slot;
    if (netdev_make_tap(hosts->netdevs, &place, &host->netdev, &err)) {
        log_write(hosts->log, LOG_ERROR, "host-failed", wanted->name,
                  "there is no such host interface: %s%s%s", err.reason,
                  *err.remedy ? "; " : "", err.remedy);
        free(host);
        return NULL;
    }
    if (*err.reason) {
        log_write(hosts->log, LOG_WARN, "host-interface", wanted->name,
                  "it is made as soon as that can be: %s", err.reason);
    }
    return host;
}

void
hostif_frames_changed(struct hosts *hosts, const struct softasic_hostif *wanted)
{
    const struct netdev_config config = {.admin_up = wanted->up};
    const uint32_t n = wanted->slot + 1;
    struct sai_host **host;
    struct err err = {0};

    if (n > hosts->n_slots) {
        hosts->slots =
            check_realloc(hosts->slots, n * sizeof(struct sai_host *));
        memset(hosts->slots + hosts->n_slots, 0,
               (n - hosts->n_slots) * sizeof(struct sai_host *));
        hosts->n_slots = n;
    }
    host = &hosts->slots[wanted->slot];
    if (!*host) {
        *host = open_host(hosts, wanted);
    }
    if (*host && netdev_set((*host)->netdev, &config, &err)) {
        log_write(hosts->log, LOG_WARN, "host-interface", wanted->name,
                  "its carrier cannot be set: %s", err.reason);
    }
}

void
hosts_removed(struct hosts *hosts, uint32_t slot)
{
    if (slot < hosts->n_slots && hosts->slots[slot]) {
        netdev_close(hosts->slots[slot]->netdev);
        free(hosts->slots[slot]);
        hosts->slots[slot] = NULL;
    }
}

void
hosts_deliver(struct hosts *hosts, uint32_t slot, const uint8_t *bytes,
              uint32_t n)
{
    if (slot < hosts->n_slots && hosts->slots[slot]) {
        netdev_send(hosts->slots[slot]->netdev, bytes, n);
    }
}

/* Life ---------------------------------------------------------------- */

enum st
hosts_create(struct log *log, const struct softasic_front *front,
             const char *name, struct hosts **hosts, struct err *err)
{
    struct namespace namespace;
    struct hosts *made;
    enum st status = namespace_open(name, &namespace, err);

    if (status) {
        return status;
    }
    namespace_close(&namespace);
    made = check_calloc(1, sizeof *made);
    status = netdevs_create(
        &(struct netdev_listener){made, on_frame, on_link, on_note},
        &made->netdevs, err);
    if (status) {
        free(made);
        return status;
    }
    made->log = log;
    made->front = front;
    made->namespace = name;
    *hosts = made;
    return ST_OK;
}

void
hosts_destroy(struct hosts *hosts)
{
    if (hosts) {
        for (uint32_t i = 0; i < hosts->n_slots; i++) {
            hosts_removed(hosts, i);
        }
        netdevs_destroy(hosts->netdevs);
        free(hosts->slots);
        free(hosts);
    }
}

int
hosts_fd(const struct hosts *hosts)
{
    return netdevs_fd(hosts->netdevs);
}

void
hosts_poll(struct hosts *hosts)
{
    netdevs_poll(hosts->netdevs);
}

void
hosts_drain(struct hosts *hosts)
{
    netdevs_drain(hosts->netdevs);
}
