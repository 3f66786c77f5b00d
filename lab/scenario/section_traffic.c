/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'traffic:'. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "lab/scenario/sections.h"

static const char *const patterns[] = {
#define X(member, name) name,
    TRAFFIC_PATTERNS(X)
#undef X
        NULL,
};

static const char *const transports[] = {
#define X(member, name) name,
    TRAFFIC_TRANSPORTS(X)
#undef X
        NULL,
};

static const char *const verbs[] = {
#define X(member, name) name,
    TRAFFIC_VERBS(X)
#undef X
        NULL,
};

static const char *const su_modes[] = {
#define X(member, name) name,
    TRAFFIC_SU_MODES(X)
#undef X
        NULL,
};

static const char *const barriers[] = {
#define X(member, name) name,
    TRAFFIC_BARRIERS(X)
#undef X
        NULL,
};

#define X(member, name) +1
enum { N_KINDS = 0 TRAFFIC_KINDS(X) };
#undef X

/* An item, whose kind reads its keys into 'item', and what is read by others.
 */
struct item_values {
    struct traffic_spec item; /* The first member. */
    struct fy_node *kinds[N_KINDS];
    struct fy_node *failover, *flips;
};

#define AT(member) offsetof(struct traffic_spec, member)
#define PATTERN_FIELDS                                                         \
    {"pattern", FIELD_WORD, AT(pattern), NULL, field_required, patterns},      \
        {"from", FIELD_SELECTOR, AT(from), NULL, NULL, NULL},                  \
        {"to", FIELD_SELECTOR, AT(to), NULL, NULL, NULL},                      \
        {"n", FIELD_COUNT, AT(n), "1..inf", "inf", NULL},                      \
    {                                                                          \
        "both_ways", FIELD_BOOL, AT(both_ways), NULL, "false", NULL            \
    }

#define REPEAT_FIELDS                                                          \
    {"repeat", FIELD_COUNT, AT(repeat), "1..inf", "1", NULL},                  \
        {"every", FIELD_TIME, AT(every_ps), "0..1000s", "0", NULL},            \
    {                                                                          \
        "depth", FIELD_COUNT, AT(depth), "1..4096", "1", NULL                  \
    }

static const struct field rc_fields[] = {
    PATTERN_FIELDS,
    {"qps", FIELD_COUNT, AT(qps), "1..65536", "1", NULL},
    {"verb", FIELD_WORD, AT(verb), NULL, "write", verbs},
    {"size", FIELD_BYTES, AT(size_bytes), "1..inf", field_required, NULL},
    REPEAT_FIELDS,
    {"registers", FIELD_BOOL, AT(registers), NULL, "false", NULL},
};

static const struct field tcp_fields[] = {
    PATTERN_FIELDS,
    {"connections", FIELD_COUNT, AT(qps), "1..65536", "1", NULL},
    {"size", FIELD_BYTES, AT(size_bytes), "1..inf", field_required, NULL},
    REPEAT_FIELDS,
    {"compute", FIELD_TIME, AT(compute_ps), "0..inf", "inf", NULL},
    {"barrier", FIELD_WORD, AT(barrier), NULL, "free", barriers},
};

static const struct field srd_fields[] = {
    PATTERN_FIELDS,
    {"qps", FIELD_COUNT, AT(qps), "1..65536", "1", NULL},
    {"size", FIELD_BYTES, AT(size_bytes), "1..inf", field_required, NULL},
    REPEAT_FIELDS,
    {"compute", FIELD_TIME, AT(compute_ps), "0..inf", "inf", NULL},
    {"barrier", FIELD_WORD, AT(barrier), NULL, "free", barriers},
};

static const struct field su_rdma_fields[] = {
    PATTERN_FIELDS,
    {"connections", FIELD_COUNT, AT(qps), "1..65536", "1", NULL},
    {"size", FIELD_BYTES, AT(size_bytes), "1..inf", field_required, NULL},
    REPEAT_FIELDS,
    {"mode", FIELD_WORD, AT(su.mode), NULL, "auto", su_modes},
    {"small", FIELD_BYTES, AT(su.small_bytes), "1..1MiB", "4KiB", NULL},
    {"medium", FIELD_BYTES, AT(su.medium_bytes), "1..1GiB", "64KiB", NULL},
    {"chunk", FIELD_BYTES, AT(su.chunk_bytes), "0..1GiB", "0", NULL},
    {"credits", FIELD_COUNT, AT(su.credits), "3..4096", "64", NULL},
    {"slots", FIELD_COUNT, AT(su.slots), "1..1024", "8", NULL},
    {"failover", FIELD_NODE, offsetof(struct item_values, failover), NULL, NULL,
     NULL},
};

static const struct field sk_rdma_fields[] = {
    PATTERN_FIELDS,
    {"connections", FIELD_COUNT, AT(qps), "1..65536", "1", NULL},
    {"size", FIELD_BYTES, AT(size_bytes), "1..1GiB", field_required, NULL},
    REPEAT_FIELDS,
    {"reads", FIELD_RATIO, AT(sk.reads), "0..1", "0", NULL},
    {"credits", FIELD_COUNT, AT(sk.credits), "1..4096", "64", NULL},
    {"disk", FIELD_TIME, AT(sk.disk_ps), "0..10s", "0", NULL},
    {"crc", FIELD_BOOL, AT(sk.crc), NULL, "true", NULL},
    {"flips", FIELD_NODE, offsetof(struct item_values, flips), NULL, NULL,
     NULL},
};

static const struct field ping_fields[] = {
    PATTERN_FIELDS,
    {"transport", FIELD_WORD, AT(transport), NULL, "rdma", transports},
    {"verb", FIELD_WORD, AT(verb), NULL, "send", verbs},
    {"size", FIELD_BYTES, AT(size_bytes), "1..1MiB", "512B", NULL},
    {"repeat", FIELD_COUNT, AT(repeat), "1..inf", "inf", NULL},
    {"every", FIELD_TIME, AT(every_ps), "1us..1000s", "1ms", NULL},
    {"timeout", FIELD_TIME, AT(timeout_ps), "1us..inf", "1s", NULL},
};

/* The bit of 'verb' in what fields_read() has seen of it. */
#define SEEN_PING_VERB (UINT64_C(1) << (N_FIELDS(ping_fields) - 5))

static const struct field raw_fields[] = {
    PATTERN_FIELDS,
    {"frame", FIELD_BYTES, AT(frame_bytes), "64..9216", "1086B", NULL},
    {"rate", FIELD_RATE, AT(rate_bps), "1K..3.2T", NULL, NULL},
    {"frames", FIELD_COUNT, AT(frames), "1..inf", "inf", NULL},
};

static const struct kind {
    const struct field *fields;
    size_t n;
} kinds[] = {
    [TRAFFIC_RC] = {rc_fields, N_FIELDS(rc_fields)},
    [TRAFFIC_PING] = {ping_fields, N_FIELDS(ping_fields)},
    [TRAFFIC_RAW] = {raw_fields, N_FIELDS(raw_fields)},
    [TRAFFIC_TCP] = {tcp_fields, N_FIELDS(tcp_fields)},
    [TRAFFIC_SRD] = {srd_fields, N_FIELDS(srd_fields)},
    [TRAFFIC_SU_RDMA] = {su_rdma_fields, N_FIELDS(su_rdma_fields)},
    [TRAFFIC_SK_RDMA] = {sk_rdma_fields, N_FIELDS(sk_rdma_fields)},
    [TRAFFIC_PINGMESH] = {NULL, 0}, /* section_pingmesh.c. */
    [TRAFFIC_DISK] = {NULL, 0},     /* section_disk.c. */
};

_Static_assert(sizeof kinds / sizeof kinds[0] == N_KINDS,
               "all kinds are there");

#undef AT

#define AT(member) offsetof(struct item_values, member)

static const struct field item_fields[] = {
    {"rc", FIELD_NODE, AT(kinds[TRAFFIC_RC]), NULL, NULL, NULL},
    {"ping", FIELD_NODE, AT(kinds[TRAFFIC_PING]), NULL, NULL, NULL},
    {"raw", FIELD_NODE, AT(kinds[TRAFFIC_RAW]), NULL, NULL, NULL},
    {"tcp", FIELD_NODE, AT(kinds[TRAFFIC_TCP]), NULL, NULL, NULL},
    {"srd", FIELD_NODE, AT(kinds[TRAFFIC_SRD]), NULL, NULL, NULL},
    {"su_rdma", FIELD_NODE, AT(kinds[TRAFFIC_SU_RDMA]), NULL, NULL, NULL},
    {"sk_rdma", FIELD_NODE, AT(kinds[TRAFFIC_SK_RDMA]), NULL, NULL, NULL},
    {"pingmesh", FIELD_NODE, AT(kinds[TRAFFIC_PINGMESH]), NULL, NULL, NULL},
    {"disk", FIELD_NODE, AT(kinds[TRAFFIC_DISK]), NULL, NULL, NULL},
    {"name", FIELD_NAME, AT(item.name), NULL, NULL, NULL},
    {"start", FIELD_TIME, AT(item.start_ps), "0..inf", "0", NULL},
    {"stop", FIELD_TIME, AT(item.stop_ps), "0..inf", "inf", NULL},
    {"jitter", FIELD_TIME, AT(item.jitter_ps), "0..10s", "0", NULL},
    {"dscp", FIELD_COUNT, AT(item.dscp), "0..63", NULL, NULL},
    {"priority", FIELD_COUNT, AT(item.priority), "0..7", "3", NULL},
};

/* Their bits in what fields_read() has seen. */
#define SEEN_DSCP     (UINT64_C(1) << (N_FIELDS(item_fields) - 2))
#define SEEN_PRIORITY (UINT64_C(1) << (N_FIELDS(item_fields) - 1))

#undef AT

static const char *const kind_names[] = {
#define X(member, name) name,
    TRAFFIC_KINDS(X)
#undef X
        NULL,
};

/* Checks that 'from' and 'to' are what the pattern of an item needs. */
static enum st
check_pattern(struct reader *reader, struct fy_node *node,
              const struct traffic_spec *item)
{
    if (item->pattern != TRAFFIC_PATTERN_PERMUTATION &&
        item->pattern != TRAFFIC_PATTERN_ALL_TO_ALL &&
        item->pattern != TRAFFIC_PATTERN_LOOPBACK &&
        item->pattern != TRAFFIC_PATTERN_FAN_IN &&
        (!item->from.n || !item->to.n)) {
        return document_fail(reader->document, node, reader->err,
                             "pattern '%s' needs 'from' and 'to'",
                             patterns[item->pattern]);
    }
    if ((item->pattern == TRAFFIC_PATTERN_PERMUTATION ||
         item->pattern == TRAFFIC_PATTERN_LOOPBACK) &&
        item->to.n) {
        return document_fail(reader->document, node, reader->err,
                             "pattern '%s' is within 'from'; it has no 'to'",
                             patterns[item->pattern]);
    }
    return ST_OK;
}

/* Checks how the messages of an item follow each other. */
static enum st
check_messages(struct reader *reader, struct fy_node *node,
               const struct traffic_spec *item)
{
    if (item->compute_ps != QUANTITY_INFINITE &&
        (item->every_ps || item->depth > 1 ||
         item->size_bytes == QUANTITY_INFINITE)) {
        return document_fail(reader->document, node, reader->err,
                             "with 'compute' each flow has one message at a "
                             "time: leave out 'every', 'depth' and 'inf'");
    }
    if (item->barrier && (item->compute_ps == QUANTITY_INFINITE ||
                          item->repeat == QUANTITY_INFINITE)) {
        return document_fail(reader->document, node, reader->err,
                             "a 'barrier' is that of a job with 'compute' and "
                             "a number of steps, 'repeat'");
    }
    if (item->every_ps && item->depth > 1) {
        return document_fail(reader->document, node, reader->err,
                             "'depth' limits messages that follow each other; "
                             "with 'every' they are posted by time");
    }
    if (item->size_bytes == QUANTITY_INFINITE &&
        (item->repeat != 1 || item->every_ps || item->depth != 1)) {
        return document_fail(reader->document, node, reader->err,
                             "a message of size 'inf' never ends: leave out "
                             "'repeat', 'every' and 'depth'");
    }
    return ST_OK;
}

/* Checks what the keys of an item mean together. */
static enum st
check_item(struct reader *reader, struct fy_node *node,
           const struct traffic_spec *item)
{
    const enum st st = check_pattern(reader, node, item);

    if (st) {
        return st;
    }
    if (item->kind == TRAFFIC_PING && item->verb != TRAFFIC_VERB_SEND &&
        item->verb != TRAFFIC_VERB_WRITE_IMM) {
        return document_fail(reader->document, node, reader->err,
                             "the receiver of a '%s' does not notice it, so "
                             "it cannot answer; allowed are send, write_imm",
                             verbs[item->verb]);
    }
    if (item->stop_ps <= item->start_ps) {
        return document_fail(reader->document, node, reader->err,
                             "'%s' stops before it starts", item->name);
    }
    if (item->kind == TRAFFIC_SU_RDMA &&
        item->su.medium_bytes < item->su.small_bytes) {
        return document_fail(reader->document, node, reader->err,
                             "'medium' has to be 'small' or more");
    }
    return check_messages(reader, node, item);
}

/* The state of reading the list. */
struct traffic_reading {
    struct traffic_spec *items;
    size_t n, size;
};

enum { FIRST_ITEMS = 16 };

/* Gives an item without a name that of its kind and number. */
static void
name_item(struct reader *reader, const struct traffic_reading *reading,
          struct traffic_spec *item)
{
    char name[32];

    if (!item->name) {
        text_format(name, sizeof name, "%s-%zu", kind_names[item->kind],
                    reading->n);
        item->name = arena_strdup(reader->arena, name);
    }
}

/* Implements section_item_fn: adds 'item', whose name has to be unique. */
static enum st
add_item(struct reader *reader, struct fy_node *node,
         const struct traffic_spec *item, void *context)
{
    struct traffic_reading *reading = context;

    for (size_t i = 0; i < reading->n; i++) {
        if (!strcmp(reading->items[i].name, item->name)) {
            return document_fail(reader->document, node, reader->err,
                                 "two items of 'traffic' are called '%s'; the "
                                 "first is in line %u",
                                 item->name, reading->items[i].place.line);
        }
    }
    if (reading->n == reading->size) {
        const size_t size = reading->size ? 2 * reading->size : FIRST_ITEMS;
        struct traffic_spec *items =
            arena_alloc(reader->arena, size, sizeof *items);

        if (reading->n) {
            memcpy(items, reading->items, reading->n * sizeof *items);
        }
        reading->items = items;
        reading->size = size;
    }
    reading->items[reading->n++] = *item;
    return ST_OK;
}

/* Finds the kind of an item; there has to be exactly one. */
static enum st
find_kind(struct reader *reader, struct fy_node *node,
          const struct item_values *values, enum traffic_kind *found)
{
    size_t n = 0;

    for (size_t i = 0; i < N_KINDS; i++) {
        if (values->kinds[i]) {
            *found = (enum traffic_kind)i;
            n++;
        }
    }
    return n == 1 ? ST_OK
                  : document_fail(reader->document, node, reader->err,
                                  "an item of 'traffic' has one kind, not "
                                  "%zu: rc, tcp, srd, su_rdma, sk_rdma, "
                                  "ping, raw, pingmesh or disk",
                                  n);
}

/* Reads the maps that an item has among its keys. */
static enum st
read_maps(struct reader *reader, struct item_values *values)
{
    struct traffic_spec *item = &values->item;
    enum st st = ST_OK;

    for (int i = 0; i < TRAFFIC_N_FLIP_PLACES; i++) {
        item->sk.flips[i].denominator = 1;
    }
    if (values->failover) {
        st = section_failover(reader, values->failover, &item->su.failover);
    }
    if (!st && values->flips) {
        st = section_flips(reader, values->flips, item->sk.flips);
    }
    return st || !values->flips || item->sk.crc
               ? st
               : document_fail(reader->document, values->flips, reader->err,
                               "'flips' are in data, which I/Os have with "
                               "'crc' only; set 'crc' to true, or remove "
                               "'flips'");
}

/* Reads an item that stands for several. */
static enum st
read_items(struct reader *reader, struct item_values *values,
           struct traffic_reading *reading)
{
    struct traffic_spec *item = &values->item;
    struct fy_node *node = values->kinds[item->kind];

    name_item(reader, reading, item);
    if (item->kind == TRAFFIC_PINGMESH) {
        return section_pingmesh(reader, node, item, add_item, reading);
    }
    fields_init(reader, su_rdma_fields, N_FIELDS(su_rdma_fields), values);
    return section_disk(reader, node, item, add_item, reading);
}

/* Gives 'item', of whose keys those of 'seen' are there, the transport of its
 * kind, and the priority and DSCP that it does not name. */
static void
set_class(struct traffic_spec *item, uint64_t seen)
{
    if (item->kind == TRAFFIC_TCP) {
        item->transport = TRAFFIC_TRANSPORT_TCP;
    }
    if ((item->transport == TRAFFIC_TRANSPORT_TCP ||
         item->kind == TRAFFIC_SRD) &&
        !(seen & SEEN_PRIORITY)) {
        item->priority = 0; /* Best effort. */
    }
    if (!(seen & SEEN_DSCP)) {
        item->dscp = item->priority;
    }
}

/* Implements fields_item_fn. */
static enum st
read_item(struct reader *reader, struct fy_node *node, void *context)
{
    struct traffic_reading *reading = context;
    struct item_values values = {.failover = NULL};
    struct traffic_spec *item = &values.item;
    uint64_t seen = 0, seen_of_kind = 0;
    enum st st;

    fields_init(reader, item_fields, N_FIELDS(item_fields), &values);
    st = fields_read(reader, node, "an item of 'traffic'", item_fields,
                     N_FIELDS(item_fields), &values, &seen);
    if (!st) {
        st = find_kind(reader, node, &values, &item->kind);
    }
    item->place = fields_place(reader, node);
    item->n = item->frames = QUANTITY_INFINITE;
    item->qps = item->repeat = item->depth = 1;
    item->compute_ps = QUANTITY_INFINITE;
    if (!st && !kinds[item->kind].fields) {
        if (!(seen & SEEN_DSCP)) {
            item->dscp = item->priority;
        }
        return read_items(reader, &values, reading);
    }
    if (!st) {
        const struct kind *kind = &kinds[item->kind];

        fields_init(reader, kind->fields, kind->n, &values);
        st = fields_read(reader, values.kinds[item->kind],
                         kind_names[item->kind], kind->fields, kind->n, &values,
                         &seen_of_kind);
    }
    if (!st) {
        st = read_maps(reader, &values);
    }
    if (!st && item->kind == TRAFFIC_PING &&
        item->transport == TRAFFIC_TRANSPORT_TCP &&
        seen_of_kind & SEEN_PING_VERB) {
        st = document_fail(reader->document, values.kinds[item->kind],
                           reader->err,
                           "'verb' is of pings over RDMA: remove it, or "
                           "'transport: tcp'");
    }
    if (!st) {
        set_class(item, seen);
        name_item(reader, reading, item);
    }
    if (!st) {
        st = check_item(reader, values.kinds[item->kind], item);
    }
    return st ? st : add_item(reader, node, item, reading);
}

enum st
section_traffic(struct reader *reader, struct fy_node *node,
                struct scenario *scenario)
{
    struct traffic_reading reading = {NULL, 0, 0};
    enum st st = ST_OK;

    if (node) {
        st = fields_each_item(reader, node, read_item, &reading);
    }
    scenario->traffic = reading.items;
    scenario->n_traffic = reading.n;
    return st;
}
