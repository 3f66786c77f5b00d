/* SPDX-License-Identifier: Apache-2.0 */

/* A TAP for each host interface. */

#include <config.h>

#include "saihostd/hostifs.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "netdev/namespace.h"
#include "netdev/netdev.h"
#include "process/log.h"
#include "vendors/softasic/front_panel.h"

/* The host interface of a port. */
struct hostif {
    uint32_t slot;
    struct netdev *netdev;
};

struct hostifs {
    struct log *log;
    const struct softasic_front *front;
    const char *namespace;
    struct netdevs *netdevs;
    struct hostif **slots; /* NULL: that port has none. */
    uint32_t n_slots;
};

/* From interfaces ----------------------------------------------------- */

static void
on_frame(void *hostifs_, void *hostif_, const uint8_t *bytes, uint32_t n)
{
    const struct hostifs *hostifs = hostifs_;
    const struct hostif *hostif = hostif_;

    hostifs->front->from_hostif(hostif->slot, bytes, n);
}

/* The administrative state of the TAP does not concern the switch. */
static void
on_link(void *hostifs, void *hostif, bool up)
{
    (void)hostifs;
    (void)hostif;
    (void)up;
}

static void
on_note(void *hostifs_, void *hostif_, bool wrong, const char *text)
{
    const struct hostifs *hostifs = hostifs_;
    const struct hostif *hostif = hostif_;

    log_write(hostifs->log, wrong ? LOG_WARN : LOG_INFO, "host-interface",
              netdev_name(hostif->netdev), "%s", text);
}

/* From the switch ----------------------------------------------------- */

/* Creates the interface '*wanted'; NULL if that fails. */
static struct hostif *
open_hostif(struct hostifs *hostifs, const struct softasic_hostif *wanted)
{
    struct hostif *hostif = check_calloc(1, sizeof *hostif);
    const struct netdev_request place = {.name = wanted->name,
                                         .namespace = hostifs->namespace,
                                         .can_wait = true,
                                         .mac = wanted->mac,
                                         .owner = hostif};
    struct err err = {0};

    hostif->slot = wanted->slot;
    if (netdev_make_tap(hostifs->netdevs, &place, &hostif->netdev, &err)) {
        log_write(hostifs->log, LOG_ERROR, "host-failed", wanted->name,
                  "cannot create the host interface: %s%s%s", err.reason,
                  *err.remedy ? "; " : "", err.remedy);
        free(hostif);
        return NULL;
    }
    if (*err.reason) {
        log_write(hostifs->log, LOG_WARN, "host-interface", wanted->name,
                  "the host interface will be created when possible: %s",
                  err.reason);
    }
    return hostif;
}

void
hostifs_changed(struct hostifs *hostifs, const struct softasic_hostif *wanted)
{
    const struct netdev_config config = {.admin_up = wanted->up};
    const uint32_t n = wanted->slot + 1;
    struct hostif **hostif;
    struct err err = {0};

    if (n > hostifs->n_slots) {
        hostifs->slots =
            check_realloc(hostifs->slots, n * sizeof(struct hostif *));
        memset(hostifs->slots + hostifs->n_slots, 0,
               (n - hostifs->n_slots) * sizeof(struct hostif *));
        hostifs->n_slots = n;
    }
    hostif = &hostifs->slots[wanted->slot];
    if (!*hostif) {
        *hostif = open_hostif(hostifs, wanted);
    }
    if (*hostif && netdev_set((*hostif)->netdev, &config, &err)) {
        log_write(hostifs->log, LOG_WARN, "host-interface", wanted->name,
                  "cannot set the carrier: %s", err.reason);
    }
}

void
hostifs_removed(struct hostifs *hostifs, uint32_t slot)
{
    if (slot < hostifs->n_slots && hostifs->slots[slot]) {
        netdev_close(hostifs->slots[slot]->netdev);
        free(hostifs->slots[slot]);
        hostifs->slots[slot] = NULL;
    }
}

void
hostifs_deliver(struct hostifs *hostifs, uint32_t slot, const uint8_t *bytes,
                uint32_t n)
{
    if (slot < hostifs->n_slots && hostifs->slots[slot]) {
        netdev_send(hostifs->slots[slot]->netdev, bytes, n);
    }
}

/* Lifecycle ----------------------------------------------------------- */

enum st
hostifs_create(struct log *log, const struct softasic_front *front,
               struct privileged *privileged, const char *name,
               struct hostifs **hostifs, struct err *err)
{
    struct namespace namespace;
    struct hostifs *made;
    enum st status = namespace_open(name, &namespace, err);

    if (status) {
        return status;
    }
    namespace_close(&namespace);
    made = check_calloc(1, sizeof *made);
    status = netdevs_create(
        &(struct netdev_listener){made, on_frame, on_link, on_note}, privileged,
        &made->netdevs, err);
    if (status) {
        free(made);
        return status;
    }
    made->log = log;
    made->front = front;
    made->namespace = name;
    *hostifs = made;
    return ST_OK;
}

void
hostifs_destroy(struct hostifs *hostifs)
{
    if (hostifs) {
        for (uint32_t i = 0; i < hostifs->n_slots; i++) {
            hostifs_removed(hostifs, i);
        }
        netdevs_destroy(hostifs->netdevs);
        free(hostifs->slots);
        free(hostifs);
    }
}

int
hostifs_fd(const struct hostifs *hostifs)
{
    return netdevs_fd(hostifs->netdevs);
}

void
hostifs_poll(struct hostifs *hostifs)
{
    netdevs_poll(hostifs->netdevs);
}

void
hostifs_drain(struct hostifs *hostifs)
{
    netdevs_drain(hostifs->netdevs);
}
