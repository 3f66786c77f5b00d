/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'disk', an item of 'traffic' that stands for several: the messages of
 * I/Os, an item for each kind of them. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/scenario/sections.h"

enum { NAME_SIZE = 256, MAX_NAME = 63, MESSAGES_OUTSTANDING = 16 };

static const char *const verbs[] = {"read", "write", NULL};

static const char *const transports[] = {
#define X(member, name) name,
    TRAFFIC_TRANSPORTS(X)
#undef X
        NULL,
};

#define AT(member) offsetof(struct disk_spec, member)

static const struct field disk_fields[] = {
    {"verb", FIELD_WORD, AT(verb), NULL, field_required, verbs},
    {"clients", FIELD_SELECTOR, AT(clients), NULL, field_required, NULL},
    {"servers", FIELD_SELECTOR, AT(servers), NULL, field_required, NULL},
    {"nodes", FIELD_SELECTOR, AT(nodes), NULL, field_required, NULL},
    {"size", FIELD_BYTES, AT(size_bytes), "1..256MiB", field_required, NULL},
    {"header", FIELD_BYTES, AT(header_bytes), "1..64KiB", "512B", NULL},
    {"copies", FIELD_COUNT, AT(copies), "1..6", "3", NULL},
    {"repeat", FIELD_COUNT, AT(repeat), "1..inf", "1", NULL},
    {"every", FIELD_TIME, AT(every_ps), "0..1000s", "0", NULL},
    {"depth", FIELD_COUNT, AT(depth), "1..4096", "1", NULL},
    {"front", FIELD_WORD, AT(front), NULL, "rdma", transports},
    {"back", FIELD_WORD, AT(back), NULL, "rdma", transports},
    {"back_priority", FIELD_COUNT, AT(back_priority), "0..7", "3", NULL},
    {"tcp_priority", FIELD_COUNT, AT(tcp_priority), "0..7", "0", NULL},
    {"client_work", FIELD_TIME, AT(client_work_ps), "0..10ms", "0", NULL},
    {"server_work", FIELD_TIME, AT(server_work_ps), "0..10ms", "0", NULL},
    {"node_work", FIELD_TIME, AT(node_work_ps), "0..10ms", "0", NULL},
};

#undef AT

/* The bit of 'copies' in what fields_read() has seen: its place. */
#define SEEN_COPIES (UINT64_C(1) << 6)

enum group { CLIENTS, SERVERS, NODES };

/* Which hosts send messages of a kind to which, and over what. */
static const struct message {
    const char *name;
    enum group from, to;
    bool of_read, of_write; /* Has the data. */
    bool is_of_writes;
} messages[] = {
    [DISK_REQUEST] = {"request", CLIENTS, SERVERS, false, true, false},
    [DISK_COMMAND] = {"command", SERVERS, NODES, false, true, false},
    [DISK_COPY] = {"copy", NODES, NODES, false, true, true},
    [DISK_STORED] = {"stored", NODES, NODES, false, false, true},
    [DISK_ANSWER] = {"answer", NODES, SERVERS, true, false, false},
    [DISK_REPLY] = {"reply", SERVERS, CLIENTS, true, false, false},
};

static const struct selector *
hosts_of(const struct disk_spec *disk, enum group place)
{
    return place == CLIENTS   ? &disk->clients
           : place == SERVERS ? &disk->servers
                              : &disk->nodes;
}

/* Makes the item for 'kind' of the messages of 'disk'. */
static enum st
make_item(struct reader *reader, struct fy_node *node,
          const struct traffic_spec *base, const struct disk_spec *disk,
          enum disk_message kind, struct traffic_spec *item)
{
    const struct message *message = &messages[kind];
    const bool is_front = message->from == CLIENTS || message->to == CLIENTS;
    const bool is_tcp =
        (is_front ? disk->front : disk->back) == TRAFFIC_TRANSPORT_TCP;
    const bool has_data =
        disk->verb == DISK_READ ? message->of_read : message->of_write;
    char name[NAME_SIZE];

    text_format(name, sizeof name, "%s-%s", base->name, message->name);
    if (strlen(name) > MAX_NAME) {
        return document_fail(reader->document, node, reader->err,
                             "the name '%s' is longer than %d characters", name,
                             MAX_NAME);
    }
    *item = *base;
    item->name = arena_strdup(reader->arena, name);
    item->disk = disk;
    item->message = kind;
    item->kind = is_tcp ? TRAFFIC_TCP : TRAFFIC_SU_RDMA;
    item->transport = is_tcp ? TRAFFIC_TRANSPORT_TCP : TRAFFIC_TRANSPORT_RDMA;
    item->pattern = TRAFFIC_PATTERN_ALL_TO_ALL;
    item->from = *hosts_of(disk, message->from);
    item->to = *hosts_of(disk, message->to);
    item->size_bytes = disk->header_bytes + (has_data ? disk->size_bytes : 0);
    item->repeat = item->n = item->frames = QUANTITY_INFINITE;
    item->compute_ps = item->stop_ps = QUANTITY_INFINITE;
    item->start_ps = item->jitter_ps = item->every_ps = 0;
    item->qps = 1;
    item->depth = MESSAGES_OUTSTANDING;
    item->priority = is_tcp     ? disk->tcp_priority
                     : is_front ? base->priority
                                : disk->back_priority;
    item->dscp = is_front && !is_tcp ? base->dscp : item->priority;
    return ST_OK;
}

/* Checks what the keys mean together. */
static enum st
check(struct reader *reader, struct fy_node *node, const struct disk_spec *disk,
      uint64_t seen)
{
    const char *why = NULL;

    if (disk->every_ps && disk->depth > 1) {
        why = "'depth' limits I/Os that follow each other; with 'every' they "
              "start by time";
    } else if (disk->verb == DISK_READ && seen & SEEN_COPIES) {
        why = "'copies' are of writes: a read is from one of them";
    } else if (disk->stop_ps <= disk->start_ps) {
        why = "it stops before it starts";
    }
    return why ? document_fail(reader->document, node, reader->err, "%s", why)
               : ST_OK;
}

enum st
section_disk(struct reader *reader, struct fy_node *node,
             const struct traffic_spec *base, section_item_fn *add,
             void *context)
{
    struct disk_spec *disk = arena_alloc(reader->arena, 1, sizeof *disk);
    uint64_t seen = 0;
    enum st st;

    *disk = (struct disk_spec){.name = base->name,
                               .start_ps = base->start_ps,
                               .stop_ps = base->stop_ps,
                               .jitter_ps = base->jitter_ps,
                               .place = base->place};
    fields_init(reader, disk_fields, N_FIELDS(disk_fields), disk);
    st = fields_read(reader, node, "'disk'", disk_fields, N_FIELDS(disk_fields),
                     disk, &seen);
    st = st ? st : check(reader, node, disk, seen);
    for (int kind = 0; !st && kind < DISK_N_MESSAGES; kind++) {
        struct traffic_spec item;

        if (messages[kind].is_of_writes &&
            (disk->verb == DISK_READ || disk->copies == 1)) {
            continue;
        }
        st =
            make_item(reader, node, base, disk, (enum disk_message)kind, &item);
        st = st ? st : add(reader, node, &item, context);
    }
    return st;
}
