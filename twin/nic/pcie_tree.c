/* SPDX-License-Identifier: Apache-2.0 */

/* PCIe switches between the adapters of a host and its memory.
 *
 * A packet is in one place at a time: it is sent over a link, flies on it, or
 * waits in the buffer at its upper end.  There it stays, for the credits of
 * that link, while the link above sends it. */

#include <config.h>

#include "twin/nic/pcie_tree.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/picoseconds.h"
#include "twin/event/engine.h"

enum { FIRST_ROOM = 8, NO_LINK = UINT32_MAX };

/* A packet, or credits, on the way. */
struct item {
    int64_t when_ps; /* Of its arrival. */
    uint32_t packet;
    uint32_t bytes;
    uint32_t adapter; /* The link of the adapter that has received it. */
};

/* A FIFO: a ring. */
struct ring {
    struct item *items;
    uint32_t first, n;
    uint32_t room; /* 0, or a power of two. */
    uint64_t bytes;
};

struct pcie_link {
    struct pcie_tree *tree;
    struct pcie_link_config config;
    struct pcie_adapter adapter; /* 'left' NULL: of a switch. */
    uint32_t number;
    uint32_t last; /* Of a switch: the link from below that was served last. */

    bool is_sending;
    struct item sending;
    uint32_t from; /* Of a switch: the link from below that it came over. */
    uint64_t rest; /* Of the end, in ps * bit/s. */
    int64_t start_ps;
    struct event end;

    uint64_t credits;
    struct ring flying; /* To the upper end. */
    struct event arrival;
    struct ring waiting;   /* At the upper end, in a switch. */
    struct ring returning; /* Credits. */
    struct event credit;

    struct pcie_link_stats stats;
    uint64_t delivered_packets, delivered_bytes; /* Of an adapter. */
};

struct pcie_tree {
    struct engine *engine;
    uint32_t entity;
    struct pcie_link **links;
    uint32_t n_links;
};

/* Rings ------------------------------------------------------------------- */

static struct item *
ring_at(const struct ring *ring, uint32_t i)
{
    return &ring->items[(ring->first + i) & (ring->room - 1)];
}

static void
ring_add(struct ring *ring, const struct item *item)
{
    if (ring->n == ring->room) {
        const uint32_t room = ring->room ? 2 * ring->room : FIRST_ROOM;
        struct item *items = check_malloc(room * sizeof *items);

        for (uint32_t i = 0; i < ring->n; i++) {
            items[i] = *ring_at(ring, i);
        }
        free(ring->items);
        ring->items = items;
        ring->room = room;
        ring->first = 0;
    }
    ring->bytes += item->bytes;
    *ring_at(ring, ring->n++) = *item;
}

static struct item
ring_take(struct ring *ring)
{
    const struct item item = *ring_at(ring, 0);

    ring->first = (ring->first + 1) & (ring->room - 1);
    ring->n--;
    ring->bytes -= item.bytes;
    return item;
}

/* Creation ---------------------------------------------------------------- */

struct pcie_tree *
pcie_tree_create(struct engine *engine, uint32_t entity)
{
    struct pcie_tree *tree = check_calloc(1, sizeof *tree);

    tree->engine = engine;
    tree->entity = entity;
    return tree;
}

void
pcie_tree_destroy(struct pcie_tree *tree)
{
    if (!tree) {
        return;
    }
    for (uint32_t i = 0; i < tree->n_links; i++) {
        struct pcie_link *link = tree->links[i];

        engine_cancel(tree->engine, &link->end);
        engine_cancel(tree->engine, &link->arrival);
        engine_cancel(tree->engine, &link->credit);
        free(link->flying.items);
        free(link->waiting.items);
        free(link->returning.items);
        free(link);
    }
    free(tree->links);
    free(tree);
}

static void on_end(struct event *event, int64_t now_ps);
static void on_arrival(struct event *event, int64_t now_ps);
static void on_credit(struct event *event, int64_t now_ps);

static enum st
add_link(struct pcie_tree *tree, const struct pcie_link_config *config,
         const struct pcie_adapter *adapter, uint32_t *number)
{
    enum { END, ARRIVAL, CREDIT, N_TIMERS };
    const enum event_class class = EVENT_TIMER_SEND;
    const uint32_t arg = tree->n_links * N_TIMERS;
    struct pcie_link *link;

    if (!config->bits_per_s || config->latency_ps < 0 ||
        (config->above != PCIE_MEMORY &&
         (config->above >= tree->n_links ||
          tree->links[config->above]->adapter.left))) {
        return ST_INVALID;
    }
    if (tree->n_links == PCIE_MAX_LINKS) {
        return ST_NO_RESOURCE;
    }
    link = check_calloc(1, sizeof *link);
    link->tree = tree;
    link->config = *config;
    link->adapter = *adapter;
    link->number = tree->n_links;
    link->from = NO_LINK;
    link->credits = config->credit_bytes;
    link->end = event_make(class, tree->entity, arg + END, on_end);
    link->arrival = event_make(class, tree->entity, arg + ARRIVAL, on_arrival);
    link->credit = event_make(class, tree->entity, arg + CREDIT, on_credit);
    tree->links =
        check_realloc(tree->links, (tree->n_links + 1) * sizeof *tree->links);
    tree->links[tree->n_links] = link;
    *number = tree->n_links++;
    return ST_OK;
}

enum st
pcie_tree_add_switch(struct pcie_tree *tree,
                     const struct pcie_link_config *config, uint32_t *link)
{
    return add_link(tree, config, &(struct pcie_adapter){0}, link);
}

enum st
pcie_tree_add_adapter(struct pcie_tree *tree,
                      const struct pcie_link_config *config,
                      const struct pcie_adapter *adapter, uint32_t *link)
{
    return add_link(tree, config, adapter, link);
}

/* Sending ----------------------------------------------------------------- */

/* Starts to send 'item' over 'link'. */
static void
start(struct pcie_link *link, const struct item *item)
{
    const unsigned __int128 work =
        (unsigned __int128)item->bytes * 8 * (uint64_t)PS_PER_S + link->rest;
    const int64_t time_ps = (int64_t)(uint64_t)(work / link->config.bits_per_s);

    link->rest = (uint64_t)(work % link->config.bits_per_s);
    link->credits -= item->bytes;
    link->sending = *item;
    link->is_sending = true;
    link->start_ps = engine_now_ps(link->tree->engine);
    engine_schedule(link->tree->engine, &link->end, link->start_ps + time_ps);
}

bool
pcie_tree_can_send(const struct pcie_tree *tree, uint32_t link, uint32_t bytes)
{
    return !tree->links[link]->is_sending &&
           tree->links[link]->credits >= bytes;
}

void
pcie_tree_send(struct pcie_tree *tree, uint32_t link, uint32_t packet,
               uint32_t bytes)
{
    start(tree->links[link],
          &(struct item){.packet = packet, .bytes = bytes, .adapter = link});
}

/* Returns the link from below to switch 'number' that is next, NULL if nothing
 * waits there. */
static struct pcie_link *
next_from_below(const struct pcie_tree *tree, uint32_t number)
{
    const uint32_t last = tree->links[number]->last;

    for (uint32_t i = 1; i <= tree->n_links; i++) {
        struct pcie_link *link = tree->links[(last + i) % tree->n_links];

        if (link->config.above == number && link->waiting.n) {
            return link;
        }
    }
    return NULL;
}

/* Lets switch 'number' send what is next, if it can. */
static void
forward(struct pcie_tree *tree, uint32_t number)
{
    struct pcie_link *link = tree->links[number];
    struct pcie_link *below;
    struct item item;

    if (link->is_sending) {
        return;
    }
    below = next_from_below(tree, number);
    if (below && ring_at(&below->waiting, 0)->bytes <= link->credits) {
        item = ring_take(&below->waiting);
        link->last = below->number;
        link->from = below->number;
        start(link, &item);
    }
}

/* Gives 'bytes' of credits back to 'link'. */
static void
give_back(struct pcie_link *link, uint32_t bytes, int64_t now_ps)
{
    ring_add(&link->returning,
             &(struct item){.when_ps = now_ps + link->config.latency_ps,
                            .bytes = bytes});
    if (link->returning.n == 1) {
        engine_schedule(link->tree->engine, &link->credit,
                        ring_at(&link->returning, 0)->when_ps);
    }
}

/* A packet has been sent completely. */
static void
on_end(struct event *event, int64_t now_ps)
{
    struct pcie_link *link = EVENT_OWNER(event, struct pcie_link, end);
    struct pcie_tree *tree = link->tree;

    link->is_sending = false;
    link->stats.packets++;
    link->stats.bytes += link->sending.bytes;
    link->stats.busy_ps += now_ps - link->start_ps;
    link->sending.when_ps = now_ps + link->config.latency_ps;
    ring_add(&link->flying, &link->sending);
    if (link->flying.n == 1) {
        engine_schedule(tree->engine, &link->arrival, link->sending.when_ps);
    }
    if (link->adapter.left) {
        link->adapter.left(link->adapter.context, now_ps);
    } else {
        give_back(tree->links[link->from], link->sending.bytes, now_ps);
        link->from = NO_LINK;
        forward(tree, link->number);
    }
}

/* The first packet that flies has arrived. */
static void
on_arrival(struct event *event, int64_t now_ps)
{
    struct pcie_link *link = EVENT_OWNER(event, struct pcie_link, arrival);
    struct pcie_tree *tree = link->tree;
    const struct item item = ring_take(&link->flying);
    struct pcie_link *source = tree->links[item.adapter];

    if (link->flying.n) {
        engine_schedule(tree->engine, event,
                        ring_at(&link->flying, 0)->when_ps);
    }
    if (link->config.above != PCIE_MEMORY) {
        ring_add(&link->waiting, &item);
        forward(tree, link->config.above);
        return;
    }
    give_back(link, item.bytes, now_ps);
    source->delivered_packets++;
    source->delivered_bytes += item.bytes;
    source->adapter.delivered(source->adapter.context, item.packet, now_ps);
}

/* Credits have come back. */
static void
on_credit(struct event *event, int64_t now_ps)
{
    struct pcie_link *link = EVENT_OWNER(event, struct pcie_link, credit);

    link->credits += ring_take(&link->returning).bytes;
    if (link->returning.n) {
        engine_schedule(link->tree->engine, event,
                        ring_at(&link->returning, 0)->when_ps);
    }
    if (link->adapter.ready) {
        link->adapter.ready(link->adapter.context, now_ps);
    } else {
        forward(link->tree, link->number);
    }
}

/* What is where ----------------------------------------------------------- */

bool
pcie_tree_take(struct pcie_tree *tree, uint32_t *packet)
{
    for (uint32_t i = 0; i < tree->n_links; i++) {
        struct pcie_link *link = tree->links[i];

        if (link->flying.n || link->waiting.n) {
            *packet = ring_take(link->flying.n ? &link->flying : &link->waiting)
                          .packet;
            return true;
        }
        if (link->is_sending && !link->adapter.left) {
            link->is_sending = false;
            *packet = link->sending.packet;
            return true;
        }
    }
    return false;
}

void
pcie_tree_get_link(const struct pcie_tree *tree, uint32_t link,
                   struct pcie_link_stats *stats)
{
    *stats = tree->links[link]->stats;
}

uint32_t
pcie_tree_above(const struct pcie_tree *tree, uint32_t link)
{
    return tree->links[link]->config.above;
}

void
pcie_tree_held(const struct pcie_tree *tree, uint32_t number, uint64_t *packets,
               uint64_t *bytes)
{
    const struct pcie_link *link = tree->links[number];

    *packets = link->stats.packets - link->delivered_packets;
    *bytes = link->stats.bytes - link->delivered_bytes;
}

/* Returns the bytes at the upper end of 'link', those included that the switch
 * there sends on. */
static uint64_t
bytes_above(const struct pcie_link *link)
{
    const struct pcie_tree *tree = link->tree;
    const uint32_t above = link->config.above;
    const struct pcie_link *next =
        above == PCIE_MEMORY ? NULL : tree->links[above];

    return link->waiting.bytes +
           (next && next->is_sending && next->from == link->number
                ? next->sending.bytes
                : 0);
}

/* Returns the bytes of the packets of adapter 'number' in all links. */
static uint64_t
bytes_of(const struct pcie_tree *tree, uint32_t number)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < tree->n_links; i++) {
        const struct pcie_link *link = tree->links[i];
        const struct ring *const rings[] = {&link->flying, &link->waiting};

        for (int k = 0; k < 2; k++) {
            for (uint32_t n = 0; n < rings[k]->n; n++) {
                const struct item *item = ring_at(rings[k], n);

                bytes += item->adapter == number ? item->bytes : 0;
            }
        }
        if (link->is_sending && !link->adapter.left &&
            link->sending.adapter == number) {
            bytes += link->sending.bytes;
        }
    }
    return bytes;
}

const char *
pcie_tree_check(const struct pcie_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_links; i++) {
        const struct pcie_link *link = tree->links[i];
        uint64_t packets, bytes;

        if (link->credits + (link->is_sending ? link->sending.bytes : 0) +
                link->flying.bytes + bytes_above(link) +
                link->returning.bytes !=
            link->config.credit_bytes) {
            return "the credits of a PCIe link are not its buffer";
        }
        if (link->adapter.left) {
            pcie_tree_held(tree, i, &packets, &bytes);
            if (bytes != bytes_of(tree, i)) {
                return "bytes of an adapter are missing in its PCIe switches";
            }
        }
    }
    return NULL;
}
