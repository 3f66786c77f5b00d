/* SPDX-License-Identifier: Apache-2.0 */

/* output=orchagent in virtual time: whatever is late, lost, refused, changed by
 * others or restarted, no row is said to be applied that is not, none waits
 * forever, and the end is that of a switch on which nothing went wrong.
 *
 *     test_orchagent [FIRST [NUMBER]]
 *
 * runs NUMBER seeds from FIRST on. */

#include <config.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/intent/field.h"
#include "orchd/intent/intent.h"
#include "orchd/intent/schema.h"
#include "orchd/orchagent/delivery.h"
#include "orchd/orchagent/evidence.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/row_status.h"
#include "tests/support/delivery_harness.h"
#include "tests/support/memory_redis.h"
#include "tests/support/orchagent_model.h"
#include "tests/support/seed.h"

enum { N_PORTS = 3, N_STEPS = 60, MAX_ROWS = 64, MAX_TEXT = 160 };

#define MS_NS (INT64_C(1000) * 1000)
#define S_NS  (INT64_C(1000) * 1000 * 1000)

/* Within this time everything has to be applied once nothing goes wrong. */
#define END_NS (200 * S_NS)

/* A row of CONFIG_DB. */
struct config_row {
    enum table table;
    char key[64];
    char fields[MAX_TEXT]; /* "size=1;xoff=2"; "": there is none. */
    char first[MAX_TEXT];  /* What it was first. */
};

/* One run: orchd, Redis and orchagent. */
struct world {
    uint64_t seed, dice;
    int step;
    struct delivery_harness orchd;
    struct orchagent_model *model;
    struct config_row rows[MAX_ROWS];
    size_t n_rows;

    /* While rows are visited. */
    size_t n_applied, n_other;
    size_t n_queues; /* Rows of QUEUE that are applied. */
    struct text trouble;
};

static uint64_t first_seed = 1, n_seeds = 250;
static struct orchagent_model_figures total;

static size_t
chance(struct world *world, size_t n)
{
    return seed_below(&world->dice, n);
}

/* --- The configuration -------------------------------------------------- */

/* Splits "a=1;b=2" in place. */
static size_t
split(char *text, struct field *fields)
{
    char *save = NULL;
    size_t n = 0;

    for (char *item = strtok_r(text, ";", &save); item;
         item = strtok_r(NULL, ";", &save)) {
        char *equals = strchr(item, '=');

        *equals = '\0';
        fields[n++] = (struct field){item, equals + 1};
    }
    return n;
}

static struct config_row *
find_row(struct world *world, enum table table, const char *key)
{
    for (size_t i = 0; i < world->n_rows; i++) {
        if (world->rows[i].table == table && !strcmp(world->rows[i].key, key)) {
            return &world->rows[i];
        }
    }
    return NULL;
}

/* Passes a row to orchd. */
static void
feed(struct world *world, const struct config_row *row)
{
    struct intent *intent = agent_intent(world->orchd.agent);
    struct field fields[16];
    char text[MAX_TEXT];
    size_t n;

    text_copy(text, sizeof text, row->fields);
    n = split(text, fields);
    if (n == 0) {
        if (row->table == TABLE_PORT) {
            evidence_set_lanes(delivery_evidence(world->orchd.delivery),
                               row->key, NULL);
        }
        intent_remove(intent, row->table, row->key, world->orchd.now);
        return;
    }
    for (size_t i = 0; row->table == TABLE_PORT && i < n; i++) {
        if (!strcmp(fields[i].name, "lanes")) {
            evidence_set_lanes(delivery_evidence(world->orchd.delivery),
                               row->key, fields[i].value);
        }
    }
    intent_put(intent, row->table, row->key, fields, n, world->orchd.now);
}

static void
write_row(struct world *world, const char *key, const struct field *fields,
          size_t n)
{
    memory_redis_remove(world->orchd.redis, CONFIG_DB, key);
    for (size_t i = 0; i < n; i++) {
        memory_redis_put(world->orchd.redis, CONFIG_DB, key, fields[i].name,
                         fields[i].value);
    }
}

/* Sets a row of CONFIG_DB; "": removes it. */
static void
set_row(struct world *world, enum table table, const char *key,
        const char *text)
{
    struct config_row *row = find_row(world, table, key);
    struct field fields[16];
    char copy[MAX_TEXT], whole[96];
    size_t n;

    if (!row) {
        orch_assert(world->n_rows < MAX_ROWS);
        row = &world->rows[world->n_rows++];
        row->table = table;
        text_copy(row->key, sizeof row->key, key);
        text_copy(row->first, sizeof row->first, text);
    }
    text_copy(row->fields, sizeof row->fields, text);
    text_copy(copy, sizeof copy, text);
    n = split(copy, fields);
    text_format(whole, sizeof whole, "last %s|%s", table_name(table), key);
    write_row(world, whole + strlen("last "), fields, n);
    if (n) {
        write_row(world, whole, fields, n);
    }
    if (world->orchd.agent) {
        feed(world, row);
    }
}

static void
set_port_rows(struct world *world, int port)
{
    char key[64], text[MAX_TEXT];

#define ROW(table, suffix, fields)                                             \
    text_format(key, sizeof key, "Ethernet%d" suffix, 4 * port);               \
    set_row(world, table, key, fields)
    text_format(text, sizeof text,
                "lanes=%d,%d,%d,%d;speed=100000;admin_status=up", 4 * port + 1,
                4 * port + 2, 4 * port + 3, 4 * port + 4);
    ROW(TABLE_PORT, "", text);
    ROW(TABLE_BUFFER_PG, "|0", "profile=lossy");
    ROW(TABLE_BUFFER_PG, "|3-4", "profile=lossless");
    ROW(TABLE_BUFFER_QUEUE, "|0-2", "profile=q");
    ROW(TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, "",
        "profile_list=lossless,lossy");
    ROW(TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST, "", "profile_list=q");
    ROW(TABLE_PORT_QOS_MAP, "", "dscp_to_tc_map=AZURE;pfc_enable=3,4");
    ROW(TABLE_QUEUE, "|3", "scheduler=s");
#undef ROW
}

static void
set_first_rows(struct world *world)
{
    set_row(world, TABLE_BUFFER_POOL, "in",
            "type=ingress;mode=dynamic;size=10000000");
    set_row(world, TABLE_BUFFER_POOL, "out",
            "type=egress;mode=dynamic;size=10000000");
    set_row(world, TABLE_BUFFER_PROFILE, "lossless",
            "pool=in;size=1248;xon=2288;xoff=35776;dynamic_th=0");
    set_row(world, TABLE_BUFFER_PROFILE, "lossy",
            "pool=in;size=0;dynamic_th=3");
    set_row(world, TABLE_BUFFER_PROFILE, "q",
            "pool=out;size=1518;dynamic_th=3");
    set_row(world, TABLE_DSCP_TO_TC_MAP, "AZURE", "3=3;4=4;8=0");
    set_row(world, TABLE_SCHEDULER, "s", "type=DWRR;weight=14");
    for (int port = 0; port < N_PORTS; port++) {
        set_port_rows(world, port);
    }
}

/* Adds a row, or removes it. */
static void
toggle(struct world *world, enum table table, const char *key, const char *text)
{
    const struct config_row *row = find_row(world, table, key);

    set_row(world, table, key, row && *row->fields ? "" : text);
}

/* Removes a row of the buffer tables, even if other rows refer to it, or writes
 * it again. */
static void
toggle_any(struct world *world)
{
    const struct config_row *row;

    do {
        row = &world->rows[chance(world, world->n_rows)];
    } while (strncmp(table_name(row->table), "BUFFER_", 7) != 0);
    toggle(world, row->table, row->key, row->first);
}

/* Removes a port with all its rows, or writes them again. */
static void
toggle_port(struct world *world, int port)
{
    char name[32];
    const struct config_row *row;
    const size_t length =
        (text_format(name, sizeof name, "Ethernet%d", port), strlen(name));
    bool there;

    row = find_row(world, TABLE_PORT, name);
    there = *row->fields != '\0';
    for (size_t i = 0; i < world->n_rows; i++) {
        row = &world->rows[i];
        if (!strncmp(row->key, name, length) &&
            (!row->key[length] || row->key[length] == '|')) {
            set_row(world, row->table, row->key, there ? "" : row->first);
        }
    }
}

/* Changes one row at random. */
static void
change(struct world *world)
{
    char key[64], text[MAX_TEXT];
    const int port = 4 * (int)chance(world, N_PORTS);
    const int number = (int)chance(world, 1000);

    switch (chance(world, 14)) {
    case 0:
        /* With odd numbers it reserves its headroom, which orders changes where
         * orchd makes them. */
        text_format(text, sizeof text,
                    "pool=in;size=%d;xon=%d;xoff=%d;dynamic_th=0",
                    number % 2 ? 40000 + 3 * number : 1248, 2288 + number,
                    35000 + number);
        set_row(world, TABLE_BUFFER_PROFILE, "lossless", text);
        break;
    case 1:
        text_format(text, sizeof text, "type=ingress;mode=dynamic;size=%d%s",
                    9000000 + number, number % 2 ? ";xoff=100000" : "");
        set_row(world, TABLE_BUFFER_POOL, "in", text);
        break;
    case 2:
        text_format(key, sizeof key, "Ethernet%d|3-4", port);
        set_row(world, TABLE_BUFFER_PG, key,
                number % 2 ? "profile=lossless" : "profile=lossy");
        break;
    case 3:
        text_format(key, sizeof key, "Ethernet%d|6", port);
        toggle(world, TABLE_BUFFER_PG, key, "profile=lossy");
        break;
    case 4:
        text_format(key, sizeof key, "Ethernet%d|6", port);
        toggle(world, TABLE_BUFFER_QUEUE, key, "profile=q");
        break;
    case 5:
        text_format(text, sizeof text, "pool=out;size=1518;dynamic_th=%d",
                    number % 8 - 4);
        set_row(world, TABLE_BUFFER_PROFILE, "q", text);
        break;
    case 6:
        text_format(text, sizeof text, "3=3;4=4;8=%d", number % 8);
        set_row(world, TABLE_DSCP_TO_TC_MAP, "AZURE", text);
        break;
    case 7:
        text_format(text, sizeof text, "type=DWRR;weight=%d", 1 + number % 50);
        set_row(world, TABLE_SCHEDULER, "s", text);
        break;
    case 8:
        toggle(world, TABLE_BUFFER_PROFILE, "spare",
               "pool=in;size=77;dynamic_th=1");
        break;
    case 9:
    case 10:
    case 11:
        toggle_any(world);
        break;
    case 12:
        toggle_port(world, port);
        break;
    default:
        text_format(key, sizeof key, "Ethernet%d", port);
        set_row(world, TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, key,
                number % 2 ? "profile_list=lossy"
                           : "profile_list=lossless,lossy");
    }
}

/* --- orchd -------------------------------------------------------------- */

/* Starts orchd, which reads CONFIG_DB. */
static void
start(struct world *world)
{
    delivery_harness_start(&world->orchd);
    for (size_t i = 0; i < world->n_rows; i++) {
        feed(world, &world->rows[i]);
    }
    delivery_note_reading(world->orchd.delivery);
}

/* --- The truth, row by row ---------------------------------------------- */

static const char *
asic(const struct world *world, const char *type, const char *vid,
     const char *attribute)
{
    char key[160], name[96];

    text_format(key, sizeof key, "ASIC_STATE:SAI_OBJECT_TYPE_%s:%s", type,
                vid ? vid : "");
    text_format(name, sizeof name, "SAI_%s_ATTR_%s", type, attribute);
    return memory_redis_get(world->orchd.redis, ASIC_DB, key, name);
}

/* Returns whether both are the same, "0" if NULL. */
static bool
same(const char *a, const char *b)
{
    return !strcmp(a ? a : "0", b ? b : "0");
}

/* Returns a field of a row as it was last: a profile that others refer to
 * stays. */
static const char *
field_of(const struct world *world, const char *table, const char *key,
         const char *field)
{
    char whole[96];

    text_format(whole, sizeof whole, "last %s|%s", table, key);
    return memory_redis_get(world->orchd.redis, CONFIG_DB, whole, field);
}

static const char *
named(const struct world *world, const char *map, const char *name)
{
    return name ? memory_redis_get(world->orchd.redis, COUNTERS_DB, map, name)
                : NULL;
}

/* Returns whether the profile 'vid' is what the row 'name' says. */
static bool
profile_is(const struct world *world, const char *vid, const char *name)
{
    static const char *const pairs[][2] = {{"size", "RESERVED_BUFFER_SIZE"},
                                           {"xon", "XON_TH"},
                                           {"xoff", "XOFF_TH"},
                                           {"dynamic_th", "SHARED_DYNAMIC_TH"}};
    const char *pool = named(world, "COUNTERS_BUFFER_POOL_NAME_MAP",
                             field_of(world, "BUFFER_PROFILE", name, "pool"));
    const char *found = asic(world, "BUFFER_PROFILE", vid, "POOL_ID");
    bool is = pool && found && !strcmp(pool, found);

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        is = is && same(field_of(world, "BUFFER_PROFILE", name, pairs[i][0]),
                        asic(world, "BUFFER_PROFILE", vid, pairs[i][1]));
    }
    return is;
}

/* Returns whether the map 'vid' is AZURE. */
static bool
map_is(const struct world *world, const char *vid, const char *name)
{
    const char *list = asic(world, "QOS_MAP", vid, "MAP_TO_VALUE_LIST");
    const char *type = asic(world, "QOS_MAP", vid, "TYPE");
    char text[96];
    bool is = list && type && !strcmp(type, "SAI_QOS_MAP_TYPE_DSCP_TO_TC") &&
              !strncmp(list, "{\"count\":3,", 11);

    for (int dscp = 3; is && dscp <= 8; dscp += dscp == 3 ? 1 : 4) {
        char digits[4];
        const char *entry;

        text_format(digits, sizeof digits, "%d", dscp);
        text_format(text, sizeof text, "\"dscp\":%s,", digits);
        entry = strstr(list, text);
        text_format(text, sizeof text, "\"tc\":%s}",
                    field_of(world, "DSCP_TO_TC_MAP", name, digits));
        entry = entry ? strstr(entry, "\"value\":") : NULL;
        entry = entry ? strstr(entry, "\"tc\":") : NULL;
        is = entry && !strncmp(entry, text, strlen(text));
    }
    return is;
}

static bool
scheduler_is(const struct world *world, const char *vid, const char *name)
{
    const char *type = asic(world, "SCHEDULER", vid, "SCHEDULING_TYPE");
    const char *weight = asic(world, "SCHEDULER", vid, "SCHEDULING_WEIGHT");

    /* SAI's default of the weight is 1. */
    return type && !strcmp(type, "SAI_SCHEDULING_TYPE_DWRR") &&
           same(weight ? weight : "1",
                field_of(world, "SCHEDULER", name, "weight"));
}

/* A search for rows of ASIC_DB. */
struct search {
    const struct world *world;
    const char *name;
    bool (*is)(const struct world *world, const char *vid, const char *name);
    size_t n; /* Found. */
};

static void
look(void *search_, const char *key)
{
    struct search *search = search_;

    search->n += search->is(search->world, strstr(key, "oid:"), search->name);
}

/* Returns how many rows of 'type' are as the row 'name' says. */
static size_t
count(const struct world *world, const char *type, const char *name,
      bool (*is)(const struct world *world, const char *vid, const char *name))
{
    struct search search = {world, name, is, 0};
    char prefix[96];

    text_format(prefix, sizeof prefix, "ASIC_STATE:SAI_OBJECT_TYPE_%s:", type);
    memory_redis_each(world->orchd.redis, ASIC_DB, prefix, look, &search);
    return search.n;
}

static bool
pool_is_true(const struct world *world, const char *key)
{
    const char *vid = named(world, "COUNTERS_BUFFER_POOL_NAME_MAP", key);

    return same(field_of(world, "BUFFER_POOL", key, "size"),
                asic(world, "BUFFER_POOL", vid, "SIZE")) &&
           same(field_of(world, "BUFFER_POOL", key, "xoff"),
                asic(world, "BUFFER_POOL", vid, "XOFF_SIZE"));
}

/* Returns whether the groups or queues of a row have its profile. */
static bool
binding_is_true(const struct world *world, bool pg, const char *key)
{
    const char *profile =
        field_of(world, pg ? "BUFFER_PG" : "BUFFER_QUEUE", key, "profile");
    const char *separator = strchr(key, '|');
    const char *dash = strchr(separator, '-');
    const int first = atoi(separator + 1);
    const int last = dash ? atoi(dash + 1) : first;
    bool is = true;

    for (int i = first; i <= last; i++) {
        char name[64];
        const char *vid;

        text_format(name, sizeof name, "%.*s:%d", (int)(separator - key), key,
                    i);
        vid = named(world,
                    pg ? "COUNTERS_PG_NAME_MAP" : "COUNTERS_QUEUE_NAME_MAP",
                    name);
        vid = asic(world, pg ? "INGRESS_PRIORITY_GROUP" : "QUEUE", vid,
                   pg ? "BUFFER_PROFILE" : "BUFFER_PROFILE_ID");
        is = is && vid && profile && profile_is(world, vid, profile);
    }
    return is;
}

static bool
list_is_true(const struct world *world, bool ingress, const char *key)
{
    const char *table = ingress ? "BUFFER_PORT_INGRESS_PROFILE_LIST"
                                : "BUFFER_PORT_EGRESS_PROFILE_LIST";
    const char *seen =
        asic(world, "PORT", named(world, "COUNTERS_PORT_NAME_MAP", key),
             ingress ? "QOS_INGRESS_BUFFER_PROFILE_LIST"
                     : "QOS_EGRESS_BUFFER_PROFILE_LIST");
    const char *colon = seen ? strchr(seen, ':') : NULL;
    char *vids = check_strdup(colon ? colon + 1 : ""), *save_vid = NULL;
    char *names = check_strdup(field_of(world, table, key, "profile_list"));
    char *save = NULL;
    const char *vid = strtok_r(vids, ",", &save_vid);
    bool is = true;

    for (const char *name = strtok_r(names, ",", &save); name;
         name = strtok_r(NULL, ",", &save)) {
        is = is && vid && profile_is(world, vid, name);
        vid = vid ? strtok_r(NULL, ",", &save_vid) : NULL;
    }
    free(vids);
    free(names);
    return is && !vid;
}

static bool
port_is_true(const struct world *world, const char *key)
{
    const char *vid = named(world, "COUNTERS_PORT_NAME_MAP", key);

    return same(asic(world, "PORT", vid, "SPEED"), "100000") &&
           same(asic(world, "PORT", vid, "ADMIN_STATE"), "true");
}

static bool
port_qos_is_true(const struct world *world, const char *key)
{
    const char *vid = named(world, "COUNTERS_PORT_NAME_MAP", key);
    const char *map = asic(world, "PORT", vid, "QOS_DSCP_TO_TC_MAP");

    return map && map_is(world, map, "AZURE") &&
           same(asic(world, "PORT", vid, "PRIORITY_FLOW_CONTROL"), "24");
}

static bool
group_is(const struct world *world, const char *vid, const char *name)
{
    const char *scheduler =
        asic(world, "SCHEDULER_GROUP", vid, "SCHEDULER_PROFILE_ID");

    return scheduler && scheduler_is(world, scheduler, name);
}

/* Works out from a row alone whether ASIC_DB has what it says. */
static bool
row_is_true(const struct world *world, enum table table, const char *key)
{
    switch (table) {
    case TABLE_BUFFER_POOL:
        return pool_is_true(world, key);
    case TABLE_BUFFER_PROFILE:
        return count(world, "BUFFER_PROFILE", key, profile_is) > 0;
    case TABLE_BUFFER_PG:
    case TABLE_BUFFER_QUEUE:
        return binding_is_true(world, table == TABLE_BUFFER_PG, key);
    case TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST:
    case TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST:
        return list_is_true(
            world, table == TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST, key);
    case TABLE_PORT:
        return port_is_true(world, key);
    case TABLE_PORT_QOS_MAP:
        return port_qos_is_true(world, key);
    case TABLE_DSCP_TO_TC_MAP:
        return count(world, "QOS_MAP", key, map_is) > 0;
    case TABLE_SCHEDULER:
        return count(world, "SCHEDULER", key, scheduler_is) > 0;
    case TABLE_QUEUE:
        /* ASIC_DB does not say which queue a group serves. */
        return count(world, "SCHEDULER_GROUP", "s", group_is) >=
               world->n_queues;
    default:
        fail_msg("no truth about %s", table_name(table));
        return false;
    }
}

static void
note_trouble(struct world *world, const char *what,
             const struct row_status *status)
{
    text_addf(&world->trouble, "\n  %s: %s|%s is %s%s%s", what,
              table_name(status->table), status->key,
              row_state_name(status->state), status->err.status ? ": " : "",
              status->err.status ? status->err.reason : "");
}

static void
count_queue(void *world_, const struct row_status *status)
{
    struct world *world = world_;

    world->n_queues += status->state == ROW_STATE_APPLIED;
}

/* Visits a row that orchd answers. */
static void
check_row(void *world_, const struct row_status *status)
{
    struct world *world = world_;
    const struct config_row *row = find_row(world, status->table, status->key);
    const bool wanted = row && *row->fields;

    if (!wanted) {
        /* It is being removed, or waits to be. */
        world->n_other += status->state != ROW_STATE_APPLIED;
    } else if (status->state != ROW_STATE_APPLIED) {
        world->n_other++;
    } else if (row_is_true(world, status->table, status->key)) {
        world->n_applied++;
    } else {
        note_trouble(world, "false", status);
    }
}

/* Visits a row that has to be applied. */
static void
check_end(void *world_, const struct row_status *status)
{
    struct world *world = world_;
    const struct config_row *row = find_row(world, status->table, status->key);

    if (!row || !*row->fields) {
        note_trouble(world, "not wanted", status);
    } else if (status->state != ROW_STATE_APPLIED) {
        note_trouble(world, "still not applied", status);
    }
}

/* Fails the test if what 'visit' has noted is not nothing. */
static void
check(struct world *world,
      void (*visit)(void *context, const struct row_status *status))
{
    const enum table queues = TABLE_QUEUE;

    world->n_applied = world->n_other = world->n_queues = 0;
    agent_each_row_of(world->orchd.agent, &queues, 1, count_queue, world);
    text_clear(&world->trouble);
    agent_each_row(world->orchd.agent, visit, world);
    if (*text_string(&world->trouble)) {
        fail_msg("seed %" PRIu64 ", step %d, %" PRId64 " ms:%s", world->seed,
                 world->step, world->orchd.now / MS_NS,
                 text_string(&world->trouble));
    }
}

/* --- The picture of a switch -------------------------------------------- */

struct picture {
    const struct world *world;
    char **lines;
    size_t n;
};

static void describe(const struct world *world, const char *key,
                     struct text *text);

/* Adds a value, with objects by their content. */
static void
add_value(const struct world *world, const char *value, struct text *text)
{
    static const struct {
        const char *prefix, *type;
    } types[] = {{"oid:0x18", "BUFFER_POOL"},
                 {"oid:0x19", "BUFFER_PROFILE"},
                 {"oid:0x14", "QOS_MAP"},
                 {"oid:0x16", "SCHEDULER"}};

    while (*value) {
        const size_t length = strcspn(value, ",");

        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            const char *oid = strstr(value, types[i].prefix);
            char key[160];

            if (oid && oid < value + length) {
                text_format(key, sizeof key,
                            "ASIC_STATE:SAI_OBJECT_TYPE_%s:%.*s", types[i].type,
                            (int)(value + length - oid), oid);
                describe(world, key, text);
            }
        }
        if (!strstr(value, "oid:")) {
            text_add_bytes(text, value, length);
        }
        value += length + (value[length] == ',');
    }
}

static int
compare_fields(const void *a_, const void *b_)
{
    const struct field *a = a_, *b = b_;

    return strcmp(a->name, b->name);
}

/* Describes a row by its content; bindings to nothing, which a row may have or
 * lack, are left out. */
static void
describe(const struct world *world, const char *key, struct text *text)
{
    size_t n;
    const struct field *fields =
        memory_redis_fields(world->orchd.redis, ASIC_DB, key, &n);
    struct field *sorted = check_calloc(n + 1, sizeof *sorted);

    if (n) {
        memcpy(sorted, fields, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, compare_fields);
    }
    text_addf(text, "%.*s{", (int)(strstr(key, ":oid") - key), key);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(sorted[i].name, "NULL") != 0 &&
            strcmp(sorted[i].value, "oid:0x0") != 0 &&
            strcmp(sorted[i].value, "0:null") != 0 &&
            strcmp(sorted[i].value, "0") != 0) {
            text_addf(text, "%s=", sorted[i].name);
            add_value(world, sorted[i].value, text);
            text_add(text, " ");
        }
    }
    text_add(text, "}");
    free(sorted);
}

static void
add_line(void *picture_, const char *key)
{
    struct picture *picture = picture_;
    struct text text = {0};

    describe(picture->world, key, &text);
    picture->lines = check_realloc(picture->lines,
                                   (picture->n + 1) * sizeof *picture->lines);
    picture->lines[picture->n++] = text_take(&text);
}

static void
add_appl_row(void *picture_, const char *key)
{
    struct picture *picture = picture_;
    struct text text = {0};
    size_t n;
    const struct field *fields =
        memory_redis_fields(picture->world->orchd.redis, APPL_DB, key, &n);
    struct field *sorted = check_calloc(n + 1, sizeof *sorted);

    memcpy(sorted, fields, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_fields);
    text_addf(&text, "%s{", key);
    for (size_t i = 0; i < n; i++) {
        /* A headroom that was given up may be there as 0. */
        if (strcmp(sorted[i].value, "0") != 0) {
            text_addf(&text, "%s=%s ", sorted[i].name, sorted[i].value);
        }
    }
    text_add(&text, "}");
    free(sorted);
    picture->lines = check_realloc(picture->lines,
                                   (picture->n + 1) * sizeof *picture->lines);
    picture->lines[picture->n++] = text_take(&text);
}

static int
compare_lines(const void *a_, const void *b_)
{
    return strcmp(*(const char *const *)a_, *(const char *const *)b_);
}

/* Returns the sorted lines of all rows of ASIC_DB and of the buffer tables of
 * APPL_DB.  The caller frees it. */
static char *
draw(const struct world *world)
{
    struct picture picture = {.world = world};
    struct text text = {0};

    memory_redis_each(world->orchd.redis, ASIC_DB, "ASIC_STATE:", add_line,
                      &picture);
    memory_redis_each(world->orchd.redis, APPL_DB, "BUFFER_", add_appl_row,
                      &picture);
    qsort(picture.lines, picture.n, sizeof *picture.lines, compare_lines);
    for (size_t i = 0; i < picture.n; i++) {
        text_addf(&text, "%s\n", picture.lines[i]);
        free(picture.lines[i]);
    }
    free(picture.lines);
    return text_take(&text);
}

/* Adds the lines that only one of two sorted pictures has. */
static void
add_difference(const char *a, const char *b, struct text *text)
{
    while (*a || *b) {
        const size_t n_a = strcspn(a, "\n"), n_b = strcspn(b, "\n");
        const size_t least = n_a < n_b ? n_a : n_b;
        int order = *a && *b ? strncmp(a, b, least) : *a ? -1 : 1;

        if (order == 0 && n_a != n_b && *a && *b) {
            order = n_a < n_b ? -1 : 1;
        }
        if (order != 0) {
            text_addf(text, "\n%c %.*s", order < 0 ? '+' : '-',
                      (int)(order < 0 ? n_a : n_b), order < 0 ? a : b);
        }
        a += order <= 0 ? n_a + 1 : 0;
        b += order >= 0 ? n_b + 1 : 0;
    }
}

/* --- Runs --------------------------------------------------------------- */

/* Sets up a world whose orchagent has 'seed' (0: nothing goes wrong). */
static void
world_init(struct world *world, struct schema *schema, uint64_t seed)
{
    memset(world, 0, sizeof *world);
    world->seed = seed;
    world->dice = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    delivery_harness_init(&world->orchd, schema, S_NS);
    world->model = orchagent_model_create(world->orchd.redis, N_PORTS,
                                          seed ? seed_next(&world->dice) : 0);
    orchagent_model_boot(world->model);
}

static void
world_fini(struct world *world)
{
    orchagent_model_destroy(world->model);
    delivery_harness_fini(&world->orchd);
    text_fini(&world->trouble);
}

/* Lets parts of what is under way arrive, in some order. */
static void
arrive(struct world *world)
{
    for (size_t n = chance(world, 12); n > 0; n--) {
        bool (*const some[])(struct redis * redis) = {
            memory_redis_execute, memory_redis_answer, memory_redis_notify};
        bool (*fn)(struct redis * redis) = some[chance(world, 3)];

        for (size_t k = chance(world, 40); k > 0; k--) {
            (void)fn(world->orchd.redis);
        }
        delivery_harness_turns(&world->orchd);
    }
}

static void
step(struct world *world)
{
    static const int64_t times[] = {0,           MS_NS,    20 * MS_NS,
                                    150 * MS_NS, 2 * S_NS, 40 * S_NS};
    const size_t event = chance(world, 100);

    if (event < 25) {
        change(world);
    } else if (event < 28) {
        memory_redis_break(world->orchd.redis);
    } else if (event < 30) {
        delivery_harness_stop(&world->orchd);
        for (size_t n = chance(world, 4); n > 0; n--) {
            change(world);
        }
        start(world);
    }
    orchagent_model_step(world->model);
    if (!memory_redis_is_connected(world->orchd.redis) &&
        chance(world, 3) == 0) {
        memory_redis_connect(world->orchd.redis);
    }
    arrive(world);
    delivery_harness_pass(&world->orchd,
                          times[chance(world, sizeof times / sizeof *times)]);
    if (memory_redis_is_connected(world->orchd.redis) && chance(world, 3)) {
        /* The removal of a field takes effect after a while. */
        delivery_harness_pass(&world->orchd, INTENT_QUIET_NS);
        delivery_harness_drain(&world->orchd);
        check(world, check_row);
    }
}

/* Lets everything be applied now that nothing goes wrong. */
static void
settle(struct world *world)
{
    const int64_t end = world->orchd.now + END_NS;
    size_t n_wanted = 0;

    if (!memory_redis_is_connected(world->orchd.redis)) {
        memory_redis_connect(world->orchd.redis);
    }
    for (size_t i = 0; i < world->n_rows; i++) {
        n_wanted += *world->rows[i].fields != '\0';
    }
    do {
        orchagent_model_step(world->model);
        delivery_harness_drain(&world->orchd);
        delivery_harness_pass(&world->orchd, 100 * MS_NS);
        delivery_harness_drain(&world->orchd);
        check(world, check_row);
    } while ((world->n_applied != n_wanted || world->n_other) &&
             world->orchd.now < end);
    /* What is published last is taken last. */
    orchagent_model_step(world->model);
    delivery_harness_drain(&world->orchd);
    /* No row is missing, and none is still on its way. */
    check(world, check_row);
    assert_int_equal(world->n_applied, n_wanted);
    assert_int_equal(world->n_other, 0);
    check(world, check_end);
}

/* Runs one seed; then a switch on which nothing goes wrong, with the same
 * configuration. */
static void
run(struct schema *schema, uint64_t seed)
{
    static struct world world, calm;
    struct orchagent_model_figures figures;
    char *picture, *expected;

    world_init(&world, schema, seed);
    set_first_rows(&world);
    start(&world);
    for (world.step = 1; world.step <= N_STEPS; world.step++) {
        step(&world);
    }
    orchagent_model_calm(world.model);
    for (size_t i = 0; i < world.n_rows; i++) {
        const struct config_row *row = &world.rows[i];

        /* Others may refer to it. */
        if (!*row->fields) {
            set_row(&world, row->table, row->key, row->first);
        }
    }
    settle(&world);
    world_init(&calm, schema, 0);
    for (size_t i = 0; i < world.n_rows; i++) {
        const struct config_row *row = &world.rows[i];

        if (*row->fields) {
            set_row(&calm, row->table, row->key, row->fields);
        }
    }
    start(&calm);
    settle(&calm);
    picture = draw(&world);
    expected = draw(&calm);
    add_difference(picture, expected, &world.trouble);
    if (*text_string(&world.trouble)) {
        fail_msg("seed %" PRIu64 " has at the end more (+) or less (-):%s",
                 seed, text_string(&world.trouble));
    }
    free(picture);
    free(expected);
    figures = orchagent_model_figures(world.model);
    total.n_restarts += figures.n_restarts;
    total.n_views += figures.n_views;
    total.n_colds += figures.n_colds;
    total.n_refused += figures.n_refused;
    total.n_forgotten += figures.n_forgotten;
    total.n_tampered += figures.n_tampered;
    world_fini(&world);
    world_fini(&calm);
}

static void
test_seeds(void **state)
{
    struct schema *schema;
    struct err err = {0};

    (void)state;
    if (schema_create(SCHEMA_DIR, &schema, &err)) {
        fail_msg("schema: %s", err.reason);
    }
    for (uint64_t i = 0; i < n_seeds; i++) {
        run(schema, first_seed + i);
    }
    schema_destroy(schema);
    print_message("%" PRIu64 " seeds: %u restarts, %u with a new view, %u of "
                  "everything, %u refusals (%u forgotten), %u changes by "
                  "others\n",
                  n_seeds, total.n_restarts, total.n_views, total.n_colds,
                  total.n_refused, total.n_forgotten, total.n_tampered);
    /* The seeds would prove nothing without trouble in them. */
    if (n_seeds >= 100) {
        assert_true(total.n_restarts && total.n_views && total.n_colds &&
                    total.n_forgotten && total.n_tampered);
    }
}

int
main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds),
    };

    if (argc > 1) {
        first_seed = strtoull(argv[1], NULL, 10);
    }
    if (argc > 2) {
        n_seeds = strtoull(argv[2], NULL, 10);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
