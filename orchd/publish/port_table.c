/* SPDX-License-Identifier: Apache-2.0 */

/* APPL_DB PORT_TABLE. */

#include <config.h>

#include "orchd/publish/port_table.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/intent/content.h"
#include "orchd/reconcile/row_status.h"

enum { KEY_SIZE = 128, OWN_FIELDS = 3 };

#define PREFIX "PORT_TABLE:"

static const struct field mark = {"written_by", "orchd"};

struct port {
    char *name;
    struct content *content; /* Of its row; NULL: none that counts. */
    bool up;                 /* Its link; it may have one without a row. */
    bool found;              /* Of the present look: it has a row. */
    UT_hash_handle hh;
};

struct port_table {
    struct redis *redis;
    struct port *ports;
    bool is_ours; /* Known, and nobody else writes. */
    bool foreign; /* Of the present look: it has a row of others. */
};

struct port_table *
port_table_create(struct redis *redis)
{
    struct port_table *table = check_calloc(1, sizeof *table);

    table->redis = redis;
    return table;
}

static void
forget(struct port_table *table, struct port *port)
{
    HASH_DEL(table->ports, port);
    content_unref(port->content);
    free(port->name);
    free(port);
}

static void
forget_all(struct port_table *table)
{
    struct port *port, *next;

    HASH_ITER(hh, table->ports, port, next)
    {
        forget(table, port);
    }
}

void
port_table_destroy(struct port_table *table)
{
    if (table) {
        forget_all(table);
        free(table);
    }
}

static struct port *
find(const struct port_table *table, const char *name)
{
    struct port *port;

    HASH_FIND_STR(table->ports, name, port);
    return port;
}

/* Returns the port, a new one if there is none. */
static struct port *
find_or_add(struct port_table *table, const char *name)
{
    struct port *port = find(table, name);

    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->name = check_strdup(name);
        HASH_ADD_KEYPTR(hh, table->ports, port->name, strlen(port->name), port);
    }
    return port;
}

/* Stores the key of 'port' in 'key', and returns whether it has room. */
static bool
key_of(const struct port *port, char key[KEY_SIZE])
{
    return text_format(key, KEY_SIZE, PREFIX "%s", port->name);
}

/* Returns the field for the link of 'port'. */
static struct field
oper_status(const struct port *port)
{
    return (struct field){"oper_status", port->up ? "up" : "down"};
}

/* Writes the row of 'port'. */
static void
write_row(const struct port_table *table, const struct port *port)
{
    const struct content *content = port->content;
    char key[KEY_SIZE];
    struct field *fields;
    size_t n = OWN_FIELDS;

    if (!table->is_ours || !content || !key_of(port, key)) {
        return;
    }
    fields = check_calloc(OWN_FIELDS + content->n, sizeof *fields);
    fields[0] = mark;
    fields[1] = oper_status(port);
    fields[2] = (struct field){"admin_status", "down"};
    for (size_t i = 0; i < content->n; i++) {
        if (!strcmp(content->fields[i].name, fields[2].name)) {
            fields[2] = content->fields[i];
        } else {
            fields[n++] = content->fields[i];
        }
    }
    redis_replace(table->redis, APPL_DB, key, fields, n);
    free(fields);
}

/* A redis_fetch_fn: looks whose a row is. */
static void
on_fetched(void *table_, const char *key, const struct field *fields, size_t n)
{
    struct port_table *table = table_;
    struct port *port = find(table, key + strlen(PREFIX));
    bool is_ours = n == 0; /* It was removed meanwhile. */

    for (size_t i = 0; i < n; i++) {
        is_ours |= !strcmp(fields[i].name, mark.name) &&
                   !strcmp(fields[i].value, mark.value);
    }
    table->foreign |= !is_ours;
    if (port && port->content) {
        port->found = n > 0;
    } else if (is_ours && n && table->is_ours) {
        redis_del(table->redis, APPL_DB, key); /* Of a port that is gone. */
    }
}

/* A redis_found_fn. */
static void
on_found(void *table_, const char *key)
{
    struct port_table *table = table_;

    redis_fetch(table->redis, APPL_DB, key, on_fetched, table);
}

/* Removes the mark from the rows. */
static void
leave(const struct port_table *table)
{
    for (const struct port *port = table->ports; port; port = port->hh.next) {
        char key[KEY_SIZE];

        if (port->content && key_of(port, key)) {
            redis_hdel(table->redis, APPL_DB, key, mark.name);
        }
    }
}

/* A redis_fetch_fn: all rows were looked at, and this is the last one. */
static void
on_looked(void *table_, const char *key, const struct field *fields, size_t n)
{
    struct port_table *table = table_;
    const bool was_ours = table->is_ours;

    (void)key;
    (void)fields;
    table->is_ours = !table->foreign && n == 0;
    if (was_ours && !table->is_ours) {
        leave(table);
    }
    for (const struct port *port = table->ports; port; port = port->hh.next) {
        if (!was_ours || !port->found) {
            write_row(table, port);
        }
    }
}

/* All rows were found.  The answers about them come before the next one. */
static void
on_found_all(void *table_, enum st status)
{
    struct port_table *table = table_;

    if (!status) {
        redis_fetch(table->redis, APPL_DB, PREFIX "PortInitDone", on_looked,
                    table);
    }
}

void
port_table_audit(struct port_table *table)
{
    table->foreign = false;
    for (struct port *port = table->ports; port; port = port->hh.next) {
        port->found = false;
    }
    redis_find(table->redis, APPL_DB, PREFIX "*", on_found, on_found_all,
               table);
}

void
port_table_restart(struct port_table *table)
{
    forget_all(table);
    table->is_ours = false;
    port_table_audit(table);
}

/* Forgets 'port' if it has neither a row nor a link. */
static void
tidy(struct port_table *table, struct port *port)
{
    if (!port->content && !port->up) {
        forget(table, port);
    }
}

/* Removes the row of 'port'. */
static void
remove_row(const struct port_table *table, const struct port *port)
{
    char key[KEY_SIZE];

    if (table->is_ours && port->content && key_of(port, key)) {
        redis_del(table->redis, APPL_DB, key);
    }
}

void
port_table_row(struct port_table *table, const struct row_status *status)
{
    struct content *content;
    struct port *port;

    if (status->table != TABLE_PORT) {
        return;
    }
    if (!status->fields) {
        port_table_gone(table, status);
        return;
    }
    port = find_or_add(table, status->key);
    content = content_create(status->fields, status->n_fields);
    if (port->content && content_equal(port->content, content)) {
        content_unref(content);
        return;
    }
    content_unref(port->content);
    port->content = content;
    write_row(table, port);
}

void
port_table_gone(struct port_table *table, const struct row_status *status)
{
    struct port *port =
        status->table == TABLE_PORT ? find(table, status->key) : NULL;

    if (port) {
        remove_row(table, port);
        content_unref(port->content);
        port->content = NULL;
        tidy(table, port);
    }
}

/* Sets the link of 'port', and its row if that changes it. */
static void
set_link(struct port_table *table, struct port *port, bool up)
{
    const bool changed = port->up != up;
    char key[KEY_SIZE];

    port->up = up;
    if (changed && table->is_ours && port->content && key_of(port, key)) {
        const struct field field = oper_status(port);

        redis_hset(table->redis, APPL_DB, key, &field, 1);
    }
    tidy(table, port);
}

void
port_table_link(struct port_table *table, const char *name, bool up)
{
    struct port *port = up ? find_or_add(table, name) : find(table, name);

    if (port) {
        set_link(table, port, up);
    }
}

void
port_table_no_links(struct port_table *table)
{
    struct port *port, *next;

    HASH_ITER(hh, table->ports, port, next)
    {
        set_link(table, port, false);
    }
}
