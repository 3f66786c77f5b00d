/* SPDX-License-Identifier: Apache-2.0 */

/* The switch between its interfaces and a clock. */

#include <config.h>

#include "saihostd/ports.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "netdev/netdev.h"
#include "process/log.h"
#include "saihostd/clock.h"
#include "saihostd/hostifs.h"
#include "saihostd/names.h"
#include "saihostd/ports_trial.h"
#include "vendors/softasic/front_panel.h"

#define NS_PER_S INT64_C(1000000000)

/* How long before a call, in the time of the switch, the last frame arrives:
 * 10 us, less than a call of SAI takes on hardware, and enough for the frame to
 * leave. */
#define TRANSIT_PS INT64_C(10000000)

enum {
    /* Reading from an interface pauses when so many frames are on the wire to
     * its port, and resumes when so few are. */
    WIRE_FULL = NETDEV_BATCH,
    WIRE_LOW = NETDEV_BATCH / 4,
};

/* A port of the switch. */
struct port {
    struct ports *ports;
    uint32_t slot;
    uint32_t lane; /* Its first. */
    char name[NETDEV_NAME_MAX + 1];
    struct netdev *netdev; /* NULL: it has none. */
    bool is_held;
    bool is_busy;           /* It has received since the last check_missed(). */
    uint64_t missed;        /* Frames that its interface has lost, ... */
    uint64_t missed_logged; /* ... and those in the log. */
};

struct ports {
    struct log *log;
    const struct softasic_front *front;
    struct ports_options options;
    struct object_names *names;
    struct netdevs *netdevs;
    struct hostifs *hostifs;
    struct clock clock;
    int64_t switch_ps; /* The time of the switch after the last run. */
    struct port **slots;
    uint32_t n_slots;
    uint32_t n_held;
    int timer_fd;
    int64_t timer_ns; /* When the timer fires; INT64_MAX: never. */
    struct event *frames_event;
    struct event *hostifs_event;
    struct event *timer_event;
    struct event *missed_event; /* Pending while a port is busy. */
};

/* Time ---------------------------------------------------------------- */

static int64_t
now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Resumes reading from interfaces whose wire has room. */
static void
release(struct ports *ports)
{
    for (uint32_t i = 0; i < ports->n_slots && ports->n_held; i++) {
        struct port *port = ports->slots[i];

        if (port && port->is_held && ports->front->waiting(i) <= WIRE_LOW) {
            port->is_held = false;
            ports->n_held--;
            netdev_hold(port->netdev, false);
        }
    }
}

/* Runs the switch up to the present.  If another caller has advanced its time,
 * or if it is another switch, time continues from there. */
static void
advance(struct ports *ports)
{
    const int64_t ahead_ns = now_ns() + PORTS_LEAD_NS;
    const int64_t now_ps = ports->front->now_ps();
    const int64_t until_ps = clock_switch_ps(&ports->clock, ahead_ns);

    if (now_ps > until_ps || now_ps < ports->switch_ps) {
        clock_set(&ports->clock, ahead_ns, now_ps);
    } else {
        ports->front->run(until_ps);
    }
    ports->switch_ps = ports->front->now_ps();
    release(ports);
    netdevs_flush(ports->netdevs);
}

/* Sets the timer to the next event of the switch. */
static void
arm(struct ports *ports)
{
    const int64_t next_ns =
        clock_real_ns(&ports->clock, ports->front->next_ps());
    struct itimerspec when = {0};

    if (next_ns == ports->timer_ns) {
        return;
    }
    ports->timer_ns = next_ns;
    if (next_ns != INT64_MAX) {
        when.it_value.tv_sec = (time_t)(next_ns / NS_PER_S);
        when.it_value.tv_nsec = (long)(next_ns % NS_PER_S);
    }
    (void)timerfd_settime(ports->timer_fd, TFD_TIMER_ABSTIME, &when, NULL);
}

void
ports_turn(struct ports *ports)
{
    advance(ports);
    arm(ports);
}

void
ports_enter(struct ports *ports)
{
    int64_t arrived_ps;

    advance(ports);
    netdevs_drain(ports->netdevs);
    hostifs_drain(ports->hostifs);
    if (ports->front->next_ps() == INT64_MAX) {
        return; /* Nothing is on a wire; the usual case, and cheap. */
    }
    arrived_ps = ports->front->arrived_ps();
    if (arrived_ps > ports->front->now_ps()) {
        ports->front->run(arrived_ps + TRANSIT_PS);
        advance(ports);
    }
}

/* The end of the turn does what is due. */
static void
on_timer(evutil_socket_t fd, short what, void *ports_)
{
    struct ports *ports = ports_;
    uint64_t times;

    (void)what;
    (void)!read(fd, &times, sizeof times);
    ports->timer_ns = INT64_MAX;
}

static void
on_frames(evutil_socket_t fd, short what, void *ports_)
{
    struct ports *ports = ports_;

    (void)fd;
    (void)what;
    advance(ports); /* Frames arrive now, not at the time of the last turn. */
    netdevs_poll(ports->netdevs);
}

static void
on_hostifs(evutil_socket_t fd, short what, void *ports_)
{
    struct ports *ports = ports_;

    (void)fd;
    (void)what;
    advance(ports);
    hostifs_poll(ports->hostifs);
}

/* From interfaces ----------------------------------------------------- */

/* Counts what the kernel has dropped at the interface of 'port'.  The log gets
 * the first of them, and the number whenever it has doubled. */
static void
check_missed(const struct ports *ports, struct port *port)
{
    const uint64_t missed = netdev_get_stats(port->netdev).missed;

    ports->front->missed(port->slot, missed - port->missed);
    port->missed = missed;
    port->is_busy = false;
    if (missed && missed >= 2 * port->missed_logged) {
        port->missed_logged = missed;
        log_write(ports->log, LOG_WARN, "port-missed", port->name,
                  "the kernel dropped %llu frames at %s: its queue was full",
                  (unsigned long long)missed, netdev_name(port->netdev));
    }
}

static void
on_missed(evutil_socket_t fd, short what, void *ports_)
{
    struct ports *ports = ports_;

    (void)fd;
    (void)what;
    for (uint32_t i = 0; i < ports->n_slots; i++) {
        if (ports->slots[i] && ports->slots[i]->is_busy) {
            check_missed(ports, ports->slots[i]);
        }
    }
}

/* Asks the kernel for its drops soon.  An interface that delivers nothing has
 * room. */
static void
note_busy(const struct ports *ports, struct port *port)
{
    static const struct timeval soon = {.tv_sec = 1};

    if (!port->is_busy) {
        port->is_busy = true;
        if (!event_pending(ports->missed_event, EV_TIMEOUT, NULL)) {
            event_add(ports->missed_event, &soon);
        }
    }
}

static void
on_frame(void *context, void *port_, const uint8_t *bytes, uint32_t n)
{
    struct ports *ports = context;
    struct port *port = port_;

    ports->front->send(port->slot, bytes, n);
    note_busy(ports, port);
    if (!port->is_held && ports->front->waiting(port->slot) >= WIRE_FULL) {
        port->is_held = true;
        ports->n_held++;
        netdev_hold(port->netdev, true);
    }
}

static void
on_link(void *context, void *port_, bool up)
{
    struct ports *ports = context;
    struct port *port = port_;

    log_write(ports->log, LOG_INFO, up ? "link-up" : "link-down", port->name,
              "the link of %s is %s", netdev_name(port->netdev),
              up ? "up" : "down");
    ports->front->link(port->slot, up);
}

static void
on_note(void *context, void *port_, bool wrong, const char *text)
{
    struct ports *ports = context;
    const struct port *port = port_;

    log_write(ports->log, wrong ? LOG_WARN : LOG_INFO, "port-interface",
              port->name, "%s", text);
}

/* From the switch ----------------------------------------------------- */

/* Opens the interface of 'port', if there is one for it. */
static void
open_port(struct ports *ports, struct port *port)
{
    const char *bound =
        ports_options_interface(&ports->options, port->name, port->lane);
    const struct netdev_request place = {.name = bound ? bound : port->name,
                                         .namespace = ports->options.namespace,
                                         .can_wait = true,
                                         .number = port->slot,
                                         .queue = ports->options.tap_queue,
                                         .owner = port};
    struct err err = {0};
    enum st status;

    if (bound) {
        status = netdev_bind(ports->netdevs, &place, &port->netdev, &err);
    } else if (ports->options.tap_prefix) {
        status = netdev_make_tap(ports->netdevs, &place, &port->netdev, &err);
    } else {
        if (ports->options.lanemap) {
            log_write(ports->log, LOG_WARN, "port-interface", port->name,
                      "the port has no interface: %s has no line for lane %u",
                      ports->options.lanemap, port->lane);
        }
        return;
    }
    if (status) {
        port->netdev = NULL;
        log_write(ports->log, LOG_ERROR, "port-failed", port->name,
                  "the port has no interface: %s%s%s", err.reason,
                  *err.remedy ? "; " : "", err.remedy);
    } else if (*err.reason) {
        log_write(ports->log, LOG_WARN, "port-interface", port->name,
                  "the port has no link until there is %s: %s", place.name,
                  err.reason);
    }
}

/* Returns the port in slot 'wire->slot'; creates it if there is none. */
static struct port *
port_of(struct ports *ports, const struct softasic_front_port *wire)
{
    struct port *port;

    if (wire->slot >= ports->n_slots) {
        const uint32_t n = wire->slot + 1;

        ports->slots = check_realloc(ports->slots, n * sizeof *ports->slots);
        memset(ports->slots + ports->n_slots, 0,
               (n - ports->n_slots) * sizeof *ports->slots);
        ports->n_slots = n;
    }
    port = ports->slots[wire->slot];
    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->ports = ports;
        port->slot = wire->slot;
        port->lane = wire->lanes[0];
        names_find(ports->names, wire->lanes[0], wire->first_lane,
                   ports->options.tap_prefix, port->name, sizeof port->name);
        ports->slots[wire->slot] = port;
    }
    return port;
}

static void
on_changed(void *context, const struct softasic_front_port *wire)
{
    struct ports *ports = context;
    struct port *port = port_of(ports, wire);
    const struct netdev_config config = {
        .admin_up = wire->admin_up,
        .mtu_bytes = wire->mtu_bytes > ETHERNET_FRAME_OVERHEAD_BYTES
                         ? wire->mtu_bytes - ETHERNET_FRAME_OVERHEAD_BYTES
                         : 0,
        .speed_mbps = wire->speed_mbps,
    };
    struct err err = {0};

    if (!port->netdev) {
        open_port(ports, port);
    }
    if (port->netdev && netdev_set(port->netdev, &config, &err)) {
        log_write(ports->log, LOG_WARN, "port-interface", port->name,
                  "%s: admin state %s, MTU %u: %s", netdev_name(port->netdev),
                  config.admin_up ? "up" : "down", config.mtu_bytes,
                  err.reason);
    }
}

static void
close_port(struct ports *ports, uint32_t slot)
{
    struct port *port = ports->slots[slot];

    if (port->netdev) {
        const struct netdev_stats stats = netdev_get_stats(port->netdev);

        log_write(ports->log, LOG_INFO, "port-closed", port->name,
                  "%llu frames received, %llu sent; %llu were too long, %llu "
                  "could not be sent, %llu were missed for lack of room",
                  (unsigned long long)stats.received,
                  (unsigned long long)stats.sent,
                  (unsigned long long)stats.too_long,
                  (unsigned long long)stats.not_sent,
                  (unsigned long long)stats.missed);
        netdev_close(port->netdev);
    }
    ports->n_held -= port->is_held;
    free(port);
    ports->slots[slot] = NULL;
}

static void
on_removed(void *context, uint32_t slot)
{
    struct ports *ports = context;

    if (slot < ports->n_slots && ports->slots[slot]) {
        close_port(ports, slot);
    }
}

static void
on_left(void *context, uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    const struct ports *ports = context;

    if (slot < ports->n_slots && ports->slots[slot] &&
        ports->slots[slot]->netdev) {
        netdev_send(ports->slots[slot]->netdev, bytes, n);
    }
}

static void
on_hostif(void *context, const struct softasic_hostif *host)
{
    const struct ports *ports = context;

    hostifs_changed(ports->hostifs, host);
}

static void
on_hostif_removed(void *context, uint32_t slot)
{
    const struct ports *ports = context;

    hostifs_removed(ports->hostifs, slot);
}

static void
on_to_hostif(void *context, uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    const struct ports *ports = context;

    hostifs_deliver(ports->hostifs, slot, bytes, n);
}

/* Lifecycle ----------------------------------------------------------- */

/* Opens the system resources of 'ports'. */
static enum st
start(struct ports *ports, struct event_base *base,
      struct privileged *privileged, struct err *err)
{
    const struct netdev_listener interfaces = {ports, on_frame, on_link,
                                               on_note};
    enum st status = names_read(ports->options.names, &ports->names, err);

    if (status == ST_OK) {
        status = ports_options_check(&ports->options, ports->names, err);
    }
    if (status == ST_OK) {
        status = netdevs_create(&interfaces, privileged, &ports->netdevs, err);
    }
    if (status == ST_OK) {
        status =
            ports_trial(&ports->options, ports->names, ports->netdevs, err);
    }
    if (status == ST_OK) {
        status =
            hostifs_create(ports->log, ports->front, privileged,
                           ports->options.host_namespace, &ports->hostifs, err);
    }
    if (status == ST_OK) {
        ports->timer_fd =
            timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        if (ports->timer_fd < 0) {
            status =
                err_set(err, ST_IO, "timer", "no timer: %s", strerror(errno));
        }
    }
    if (status) {
        return status;
    }
    ports->frames_event = event_new(base, netdevs_fd(ports->netdevs),
                                    EV_READ | EV_PERSIST, on_frames, ports);
    ports->timer_event =
        event_new(base, ports->timer_fd, EV_READ | EV_PERSIST, on_timer, ports);
    ports->hostifs_event = event_new(base, hostifs_fd(ports->hostifs),
                                     EV_READ | EV_PERSIST, on_hostifs, ports);
    ports->missed_event = evtimer_new(base, on_missed, ports);
    orch_assert(ports->frames_event && ports->timer_event &&
                ports->hostifs_event && ports->missed_event);
    event_add(ports->frames_event, NULL);
    event_add(ports->hostifs_event, NULL);
    event_add(ports->timer_event, NULL);
    return ST_OK;
}

enum st
ports_create(struct event_base *base, struct log *log,
             const struct softasic_front *front,
             const struct ports_options *options, struct privileged *privileged,
             struct ports **ports, struct err *err)
{
    struct ports *made;
    enum st status;

    if (!front) {
        return err_set(err, ST_UNSUPPORTED, "ports",
                       "the library of --sai has no ports for interfaces: it "
                       "is not softasic, or of another release");
    }
    made = check_calloc(1, sizeof *made);
    made->log = log;
    made->front = front;
    made->options = *options;
    made->timer_fd = -1;
    made->timer_ns = INT64_MAX;
    made->clock = (struct clock){options->dilation, now_ns(), 0};
    status = start(made, base, privileged, err);
    if (status) {
        ports_destroy(made);
        return status;
    }
    if (options->tap_prefix || options->n_bound) {
        front->listen(&(struct softasic_listener){
            made, on_changed, on_removed, on_left, on_hostif, on_hostif_removed,
            on_to_hostif});
    }
    *ports = made;
    return ST_OK;
}

void
ports_destroy(struct ports *ports)
{
    if (!ports) {
        return;
    }
    ports->front->listen(NULL);
    for (uint32_t i = 0; i < ports->n_slots; i++) {
        if (ports->slots[i]) {
            close_port(ports, i);
        }
    }
    if (ports->frames_event) {
        event_free(ports->frames_event);
        event_free(ports->hostifs_event);
        event_free(ports->timer_event);
        event_free(ports->missed_event);
    }
    if (ports->timer_fd >= 0) {
        (void)close(ports->timer_fd);
    }
    hostifs_destroy(ports->hostifs);
    netdevs_destroy(ports->netdevs);
    object_names_destroy(ports->names);
    free(ports->slots);
    free(ports);
}
