/* SPDX-License-Identifier: Apache-2.0 */

/* Readings in slices of ports. */

#include <config.h>

#include "orchd/control/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/control/columns.h"
#include "orchd/control/command.h"
#include "orchd/control/live_layout.h"
#include "orchd/control/live_stats.h"
#include "orchd/reconcile/agent.h"
#include "process/loop.h"
#include "sai/core/backend.h"
#include "vendors/softasic/softasic.h"

#define PS_PER_NS 1000
#define NS_PER_S  INT64_C(1000000000)

/* Ports whose counters are read in one turn, and ports of which priority groups
 * and queues are: about a millisecond. */
#define PORTS_PER_TURN 256
#define BUSY_PER_TURN  64

/* Of the ports that are not busy, one in so many is read. */
#define ROUND 10

enum { TABLE_PORTS, TABLE_POOLS, TABLE_PGS, TABLE_QUEUES };
enum { PORT_RX_BYTES, PORT_TX_BYTES, PORT_DROPS, PORT_XOFF };
enum {
    POOL_SIZE,
    POOL_SHARED_SIZE,
    POOL_HEADROOM_SIZE,
    POOL_GUARANTEED,
    POOL_SHARED,
    POOL_HEADROOM,
    POOL_PEAK
};
enum { PG_USED, PG_SHARED, PG_HEADROOM, PG_DROPS, PG_THRESHOLD, PG_XOFF };
enum {
    QUEUE_USED,
    QUEUE_PACKETS,
    QUEUE_DROPS,
    QUEUE_MARKS,
    QUEUE_THRESHOLD,
    QUEUE_PAUSED
};

/* The names of the columns, in this order. */
static const char *const port_columns[] = {"rx_bytes", "tx_bytes", "drops",
                                           "xoff"};
static const char *const pool_columns[] = {
    "size",   "shared_size", "headroom_size", "guaranteed",
    "shared", "headroom",    "peak"};
static const char *const pg_columns[] = {"used",  "shared",    "headroom",
                                         "drops", "threshold", "xoff"};
static const char *const queue_columns[] = {"used",  "packets",   "drops",
                                            "marks", "threshold", "paused"};

#define N(array) (sizeof(array) / sizeof *(array))

/* The columns of the counters of pools. */
static const int pool_counted[] = {POOL_SHARED, POOL_HEADROOM, POOL_PEAK};

/* Counters from elsewhere, of one object at a time. */
struct live_filling {
    live_counter_fn *fn;
    void *context;
    const char *name;
    int index;
};

struct live {
    const struct command_context *context;
    char **only; /* Ports to show; none: all. */
    size_t n_only;
    struct live_stats counters;

    /* The objects, and the plan after which they were found. */
    bool has_layout;
    struct live_layout layout;
    uint64_t number, generation;
    int64_t made; /* When. */
    json_t *names;
    struct columns values;
    bool has_pauses; /* Queues have an attribute that says so. */

    /* The reading in progress. */
    bool reading;
    size_t done_ports, done_busy; /* Ports. */
    size_t turn;                  /* Of the ports that are not busy. */
};

struct live *
live_create(const struct command_context *context)
{
    struct live *live = check_calloc(1, sizeof *live);

    live_stats_init(&live->counters);
    live->context = context;
    return live;
}

/* Frees what depends on the objects. */
static void
forget_layout(struct live *live)
{
    live_layout_fini(&live->layout);
    columns_fini(&live->values);
    json_decref(live->names);
    live->names = NULL;
    live->has_layout = false;
    live->reading = false;
}

void
live_reset(struct live *live)
{
    forget_layout(live);
    live_stats_forget(&live->counters);
}

void
live_destroy(struct live *live)
{
    if (live) {
        forget_layout(live);
        for (size_t i = 0; i < live->n_only; i++) {
            free(live->only[i]);
        }
        free(live->only);
        live_stats_fini(&live->counters);
        free(live);
    }
}

void
live_add_port(struct live *live, const char *name)
{
    live->only =
        check_realloc(live->only, (live->n_only + 1) * sizeof *live->only);
    live->only[live->n_only++] = check_strdup(name);
}

/* Makes the list of objects. */
static void
make_layout(struct live *live, uint64_t generation)
{
    struct live_layout *layout = &live->layout;
    struct columns *values = &live->values;
    json_t *old = json_incref(live->names);

    forget_layout(live);
    live_layout_make(layout, live->context->services.agent, live->only,
                     live->n_only);
    live->has_layout = true;
    live->generation = generation;
    live->made = loop_now(live->context->loop);
    live->has_pauses = true;
    live->names = live_layout_names(layout, live->number);
    if (!json_equal(live->names, old)) {
        live->number = generation;
        json_object_set_new(live->names, "layout",
                            json_integer((json_int_t)generation));
    }
    json_decref(old);
    values->n_numbers = 2;
    values->numbers[0].name = "layout";
    values->numbers[0].value = (int64_t)live->number;
    values->numbers[1].name = "time_ns";
    values->numbers[1].value = COLUMNS_NULL;
    (void)columns_add_table(values, "ports", port_columns, N(port_columns),
                            layout->n_ports);
    (void)columns_add_table(values, "pools", pool_columns, N(pool_columns),
                            layout->n_pools);
    (void)columns_add_table(values, "pgs", pg_columns, N(pg_columns),
                            layout->n_pgs);
    (void)columns_add_table(values, "queues", queue_columns, N(queue_columns),
                            layout->n_queues);
}

void
live_update_layout(struct live *live)
{
    struct agent_figures figures;

    if (live->reading) {
        return;
    }
    agent_figures(live->context->services.agent, &figures);
    /* While rows come all the time, the old list is good enough for a while. */
    if (!live->has_layout ||
        (live->generation != figures.applied_generation &&
         loop_now(live->context->loop) - live->made >= NS_PER_S)) {
        make_layout(live, figures.applied_generation);
    }
}

bool
live_begin(struct live *live)
{
    if (live->reading) {
        return false;
    }
    live_update_layout(live);
    live->reading = true;
    live->done_ports = live->done_busy = 0;
    live->turn = (live->turn + 1) % ROUND;
    return true;
}

/* Stores the counters of a port, and finds out whether it is busy. */
static void
take_port(struct live *live, const struct live_type *type, size_t i)
{
    struct live_port *port = &live->layout.ports[live->counters.rows[i]];
    struct columns_table *table = &live->values.tables[TABLE_PORTS];
    const size_t row = live->counters.rows[i];
    bool known[LIVE_N_PORT_COUNTERS];

    port->paused = false;
    for (size_t c = 0; c < LIVE_N_PORT_COUNTERS; c++) {
        uint64_t value = 0;

        known[c] = live_stats_take(&live->counters, type, i, c, &value);
        if (known[c] && value != port->counters[c]) {
            port->busy = true;
            port->paused |= c >= LIVE_PFC_RX;
            port->counters[c] = value;
        }
    }
    port->busy |= row % ROUND == live->turn;
    table->values[PORT_RX_BYTES][row] =
        known[LIVE_RX_BYTES] ? live_stats_value(port->counters[LIVE_RX_BYTES])
                             : COLUMNS_NULL;
    table->values[PORT_TX_BYTES][row] =
        known[LIVE_TX_BYTES] ? live_stats_value(port->counters[LIVE_TX_BYTES])
                             : COLUMNS_NULL;
    table->values[PORT_DROPS][row] =
        known[LIVE_RX_DROPS] && known[LIVE_TX_DROPS]
            ? live_stats_value(port->counters[LIVE_RX_DROPS] +
                               port->counters[LIVE_TX_DROPS])
            : COLUMNS_NULL;
}

/* Reads the counters of some ports. */
static void
read_ports(struct live *live)
{
    const struct live_layout *layout = &live->layout;
    const struct live_type *type;
    size_t n = 0;

    while (n < PORTS_PER_TURN && live->done_ports < layout->n_ports) {
        live_stats_add(&live->counters, n++,
                       layout->ports[live->done_ports].oid, live->done_ports);
        live->done_ports++;
    }
    type = live_stats_read(&live->counters, live->context->backend, n,
                           LIVE_OF_PORT);
    for (size_t i = 0; i < n; i++) {
        take_port(live, type, i);
    }
}

/* Stores the first counters of the rows that were read as the first columns. */
static void
take_columns(struct live *live, const struct live_type *type, size_t n,
             struct columns_table *table)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < type->n_wanted; c++) {
            uint64_t value;

            table->values[c][live->counters.rows[i]] =
                live_stats_take(&live->counters, type, i, c, &value)
                    ? live_stats_value(value)
                    : COLUMNS_NULL;
        }
    }
}

/* Returns an amount as a value; a limit that there is not is null. */
static int64_t
bytes_of(const struct softasic_amount *amount)
{
    return amount->bytes == SOFTASIC_NO_LIMIT ? COLUMNS_NULL
                                              : live_stats_value(amount->bytes);
}

/* Adds what SAI has no counter for to a priority group.  One that holds nothing
 * has no threshold of interest: that changes with each packet of others. */
static void
inspect_pg(struct live *live, size_t row)
{
    const struct softasic_ops *softasic = live->context->softasic;
    int64_t *const *values = live->values.tables[TABLE_PGS].values;
    struct softasic_pg_state state;

    if (!softasic || (values[PG_USED][row] == 0 && values[PG_XOFF][row] == 0)) {
        values[PG_THRESHOLD][row] = COLUMNS_NULL;
        return;
    }
    if (softasic->pg_state(live->layout.pgs[row].oid, &state) !=
        SAI_STATUS_SUCCESS) {
        values[PG_THRESHOLD][row] = values[PG_XOFF][row] = COLUMNS_NULL;
        return;
    }
    values[PG_THRESHOLD][row] =
        values[PG_USED][row] ? bytes_of(&state.limit) : COLUMNS_NULL;
    values[PG_XOFF][row] = state.xoff;
}

/* Reads whether a queue is paused.  A switch that cannot tell is not asked
 * again. */
static int64_t
read_paused(struct live *live, sai_object_id_t oid)
{
    struct sai_backend *backend = live->context->backend;
    sai_attribute_t attribute = {.id = SAI_QUEUE_ATTR_PAUSE_STATUS};

    if (!live->has_pauses ||
        backend->ops->get(backend, SAI_OBJECT_TYPE_QUEUE, oid, 1, &attribute)) {
        live->has_pauses = false;
        return COLUMNS_NULL;
    }
    return attribute.value.booldata;
}

/* Adds the same to a queue. */
static void
inspect_queue(struct live *live, size_t row, bool paused)
{
    const struct softasic_ops *softasic = live->context->softasic;
    int64_t *const *values = live->values.tables[TABLE_QUEUES].values;
    const sai_object_id_t oid = live->layout.queues[row].oid;
    struct softasic_queue_state state;

    if (!paused && values[QUEUE_USED][row] == 0 &&
        values[QUEUE_PAUSED][row] == 0) {
        values[QUEUE_THRESHOLD][row] = COLUMNS_NULL;
        return;
    }
    if (!softasic) {
        values[QUEUE_PAUSED][row] = read_paused(live, oid);
        return;
    }
    if (softasic->queue_state(oid, &state) != SAI_STATUS_SUCCESS) {
        values[QUEUE_THRESHOLD][row] = values[QUEUE_PAUSED][row] = COLUMNS_NULL;
        return;
    }
    values[QUEUE_THRESHOLD][row] =
        values[QUEUE_USED][row] ? bytes_of(&state.limit) : COLUMNS_NULL;
    values[QUEUE_PAUSED][row] = state.is_paused;
}

/* Returns whether a value is known, and not 0. */
static bool
in_use(int64_t value)
{
    return value > 0;
}

/* Adds what SAI does not have to a port and what belongs to it, and finds out
 * whether it stays busy. */
static void
inspect_port(struct live *live, size_t row)
{
    const struct softasic_ops *softasic = live->context->softasic;
    struct live_port *port = &live->layout.ports[row];
    int64_t *xoff = &live->values.tables[TABLE_PORTS].values[PORT_XOFF][row];
    int64_t *const *pgs = live->values.tables[TABLE_PGS].values;
    int64_t *const *queues = live->values.tables[TABLE_QUEUES].values;
    struct softasic_port_state state;

    port->busy = false;
    for (size_t i = port->pg; i < port->pg + port->n_pgs; i++) {
        inspect_pg(live, i);
        port->busy |= in_use(pgs[PG_USED][i]) || in_use(pgs[PG_XOFF][i]);
    }
    if (softasic && (port->busy || *xoff)) {
        *xoff = softasic->port_state(port->oid, &state) == SAI_STATUS_SUCCESS
                    ? state.xoff_mask
                    : COLUMNS_NULL;
    }
    for (size_t i = port->queue; i < port->queue + port->n_queues; i++) {
        inspect_queue(live, i, port->paused);
        port->busy |=
            in_use(queues[QUEUE_USED][i]) || in_use(queues[QUEUE_PAUSED][i]);
    }
}

/* Reads the priority groups and queues of the busy ones among 'n' ports. */
static void
read_places(struct live *live, size_t first, size_t end, bool are_pgs)
{
    const struct live_layout *layout = &live->layout;
    const struct live_place *places = are_pgs ? layout->pgs : layout->queues;
    size_t n = 0;

    for (size_t p = first; p < end; p++) {
        const struct live_port *port = &layout->ports[p];
        const size_t begin = are_pgs ? port->pg : port->queue;
        const size_t count = are_pgs ? port->n_pgs : port->n_queues;

        for (size_t i = begin; port->busy && i < begin + count; i++) {
            live_stats_add(&live->counters, n++, places[i].oid, i);
        }
    }
    take_columns(live,
                 live_stats_read(&live->counters, live->context->backend, n,
                                 are_pgs ? LIVE_OF_PG : LIVE_OF_QUEUE),
                 n, &live->values.tables[are_pgs ? TABLE_PGS : TABLE_QUEUES]);
}

/* Reads what belongs to some busy ports. */
static void
read_busy(struct live *live)
{
    const struct live_layout *layout = &live->layout;
    const size_t first = live->done_busy;
    size_t end = first;

    for (size_t n = 0; n < BUSY_PER_TURN && end < layout->n_ports; end++) {
        n += layout->ports[end].busy;
    }
    read_places(live, first, end, true);
    read_places(live, first, end, false);
    for (size_t p = first; p < end; p++) {
        if (layout->ports[p].busy) {
            inspect_port(live, p);
        }
    }
    live->done_busy = end;
}

/* Reads all pools. */
static void
read_pools(struct live *live)
{
    const struct softasic_ops *softasic = live->context->softasic;
    const struct live_layout *layout = &live->layout;
    int64_t *const *values = live->values.tables[TABLE_POOLS].values;
    const struct live_type *type;
    struct softasic_pool_state state;

    for (size_t i = 0; i < layout->n_pools; i++) {
        live_stats_add(&live->counters, i, layout->pools[i].oid, i);
    }
    type = live_stats_read(&live->counters, live->context->backend,
                           layout->n_pools, LIVE_OF_POOL);
    for (size_t i = 0; i < layout->n_pools; i++) {
        for (size_t c = 0; c < N(pool_counted); c++) {
            uint64_t value;

            values[pool_counted[c]][i] =
                live_stats_take(&live->counters, type, i, c, &value)
                    ? live_stats_value(value)
                    : COLUMNS_NULL;
        }
        if (softasic && softasic->pool_state(layout->pools[i].oid, &state) ==
                            SAI_STATUS_SUCCESS) {
            values[POOL_SIZE][i] = bytes_of(&state.size);
            values[POOL_SHARED_SIZE][i] = bytes_of(&state.shared_size);
            values[POOL_HEADROOM_SIZE][i] = bytes_of(&state.headroom_size);
            values[POOL_GUARANTEED][i] = bytes_of(&state.reserved);
        }
    }
}

bool
live_continue(struct live *live)
{
    const struct softasic_ops *softasic = live->context->softasic;
    int64_t now_ps;

    if (live->done_ports < live->layout.n_ports) {
        read_ports(live);
        return true;
    }
    if (live->done_busy < live->layout.n_ports) {
        read_busy(live);
        return true;
    }
    read_pools(live);
    if (softasic && softasic->now(&now_ps) == SAI_STATUS_SUCCESS) {
        live->values.numbers[1].value = now_ps / PS_PER_NS;
    }
    live->reading = false;
    return false;
}

/* Returns what 'fn' knows of counter number 'counter' of type 'which'. */
static int64_t
known_of(const struct live *live, const struct live_filling *filling,
         enum live_type_index which, size_t counter)
{
    const struct live_type *type = &live->counters.types[which];
    uint64_t value;

    return filling->fn(filling->context, type->type, filling->name,
                       filling->index, type->wanted[counter], &value)
               ? live_stats_value(value)
               : COLUMNS_NULL;
}

/* Fills in the counters of a port. */
static void
fill_port(struct live *live, const struct live_filling *filling, size_t row)
{
    int64_t *const *values = live->values.tables[TABLE_PORTS].values;
    const int64_t in = known_of(live, filling, LIVE_OF_PORT, LIVE_RX_DROPS);
    const int64_t out = known_of(live, filling, LIVE_OF_PORT, LIVE_TX_DROPS);

    values[PORT_RX_BYTES][row] =
        known_of(live, filling, LIVE_OF_PORT, LIVE_RX_BYTES);
    values[PORT_TX_BYTES][row] =
        known_of(live, filling, LIVE_OF_PORT, LIVE_TX_BYTES);
    values[PORT_DROPS][row] =
        in == COLUMNS_NULL || out == COLUMNS_NULL
            ? COLUMNS_NULL
            : live_stats_value((uint64_t)in + (uint64_t)out);
}

/* Fills in the counters of priority groups or queues, which are the first
 * columns. */
static void
fill_places(struct live *live, struct live_filling *filling, bool are_pgs)
{
    const struct live_layout *layout = &live->layout;
    const struct live_place *places = are_pgs ? layout->pgs : layout->queues;
    const enum live_type_index which = are_pgs ? LIVE_OF_PG : LIVE_OF_QUEUE;
    int64_t *const *values =
        live->values.tables[are_pgs ? TABLE_PGS : TABLE_QUEUES].values;

    for (size_t i = 0; i < (are_pgs ? layout->n_pgs : layout->n_queues); i++) {
        filling->name = layout->ports[places[i].port].name;
        filling->index = (int)places[i].index;
        for (size_t c = 0; c < live->counters.types[which].n_wanted; c++) {
            values[c][i] = known_of(live, filling, which, c);
        }
    }
}

void
live_fill(struct live *live, live_counter_fn *fn, void *context)
{
    const struct live_layout *layout = &live->layout;
    struct live_filling filling = {fn, context, "", -1};

    for (size_t i = 0; i < layout->n_ports; i++) {
        filling.name = layout->ports[i].name;
        fill_port(live, &filling, i);
    }
    for (size_t i = 0; i < layout->n_pools; i++) {
        filling.name = layout->pools[i].name;
        for (size_t c = 0; c < N(pool_counted); c++) {
            live->values.tables[TABLE_POOLS].values[pool_counted[c]][i] =
                known_of(live, &filling, LIVE_OF_POOL, c);
        }
    }
    fill_places(live, &filling, true);
    fill_places(live, &filling, false);
}

void
live_stop(struct live *live)
{
    live->reading = false;
}

const struct columns *
live_values(const struct live *live)
{
    return &live->values;
}

json_t *
live_names(const struct live *live)
{
    return live->names;
}
