/* SPDX-License-Identifier: Apache-2.0 */

/* Reads 'hosts:', its groups, and changes of hosts during a run. */

#include <config.h>

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/text.h"
#include "lab/scenario/sections.h"

enum {
    NUMBER_SIZE = 24,
    VALUE_MAX = 100,
    CHANGE_SIZE = 256,
};

/* The name of a change where messages have that of a file. */
static const char change_name[] = "change";

/* Changes ------------------------------------------------------------------ */

static const char *const changes[] = {
#define X(key) key,
    HOST_CHANGES(X)
#undef X
};

/* Returns ST_OK if 'key' can be changed; else the error names the nearest. */
static enum st
find_change(const char *key, struct err *err)
{
    struct choices choices;

    for (size_t i = 0; i < N_FIELDS(changes); i++) {
        if (!strcmp(changes[i], key)) {
            return ST_OK;
        }
    }
    choices_init(&choices, key);
    for (size_t i = 0; i < N_FIELDS(changes); i++) {
        choices_add(&choices, changes[i]);
    }
    err_set(err, ST_INVALID, "usage",
            "'%.40s' of a host cannot be changed during a run", key);
    return choices_explain(&choices, "key", err);
}

/* Returns what has to be there if 'key' shall be changed, NULL if 'host' has
 * it. */
static const char *
find_lack(const struct host_spec *host, const char *key)
{
    static const char fifo[] = "rx_fifo.", pcie[] = "pcie.", cc[] = "dcqcn.";

    if (!strncmp(key, cc, sizeof cc - 1) && !host->dcqcn.profile) {
        return "dcqcn";
    }
    if (!strncmp(key, pcie, sizeof pcie - 1) && !host->pcie.enabled) {
        return "pcie";
    }
    return !strncmp(key, fifo, sizeof fifo - 1) &&
                   host->rx_fifo.size_bytes == QUANTITY_INFINITE
               ? "rx_fifo"
               : NULL;
}

/* Writes "part: {name: value}" for 'key', "part.name", into 'text'. */
static void
write_change(const struct host_spec *host, const char *key, const char *value,
             char *text, size_t size)
{
    const struct rx_fifo_spec *fifo = &host->rx_fifo;
    const char *dot = strchr(key, '.');

    if (!dot) {
        text_format(text, size, "%s: %s\n", key, value);
    } else if (strncmp(key, "rx_fifo", (size_t)(dot - key)) != 0) {
        text_format(text, size, "%.*s: {%s: %s}\n", (int)(dot - key), key,
                    dot + 1, value);
    } else {
        char numbers[3][NUMBER_SIZE];

        /* All of its keys are required. */
        text_format(numbers[0], NUMBER_SIZE, "%lld",
                    (long long)fifo->size_bytes);
        text_format(numbers[1], NUMBER_SIZE, "%lld",
                    (long long)fifo->xoff_bytes);
        text_format(numbers[2], NUMBER_SIZE, "%lld",
                    (long long)fifo->xon_bytes);
        text_format(text, size, "rx_fifo: {size: %s, xoff: %s, xon: %s}\n",
                    strcmp(dot, ".size") != 0 ? numbers[0] : value,
                    strcmp(dot, ".xoff") != 0 ? numbers[1] : value,
                    strcmp(dot, ".xon") != 0 ? numbers[2] : value);
    }
}

/* Removes the position from the reason of 'err', that of a line which the user
 * has not written. */
static void
remove_place(struct err *err)
{
    const char *at = err->reason + strlen(change_name);
    size_t n;

    if (strncmp(err->reason, change_name, strlen(change_name)) != 0) {
        return;
    }
    at += strspn(at, ":0123456789");
    at += strspn(at, " ");
    n = strlen(at) + 1;
    memmove(err->reason, at, n);
}

enum st
scenario_set_host(struct host_spec *host, const char *key, const char *value,
                  struct arena *arena, struct err *err)
{
    struct reader reader = {
        .document = document_create(arena), .arena = arena, .err = err};
    const char *lack = find_lack(host, key);
    char text[CHANGE_SIZE];
    struct fy_node *root = NULL;
    enum st st = find_change(key, err);

    if (!st && lack) {
        st = err_set(err, ST_INVALID, "usage",
                     "the host has no '%s', so '%s' cannot be changed", lack,
                     key);
    } else if (!st && (strpbrk(value, "{}:#'\"&*!|>\n") ||
                       strlen(value) > VALUE_MAX)) {
        st = err_set(err, ST_INVALID, "usage", "'%.40s' is no value of '%s'",
                     value, key);
    }
    if (!st) {
        write_change(host, key, value, text, sizeof text);
        st = document_add(reader.document, change_name, text, strlen(text),
                          &root, err);
        st = st ? st : section_host_keys(&reader, root, "a host", host);
        if (st) {
            remove_place(err);
        }
    }
    document_destroy(reader.document);
    return st;
}

/* Groups ------------------------------------------------------------------- */

/* The state of reading the groups. */
struct groups_reading {
    struct host_spec *hosts;
    size_t n;
};

/* Implements fields_pair_fn. */
static enum st
read_group(struct reader *reader, struct fy_node *key, const char *name,
           struct fy_node *value, void *context)
{
    struct groups_reading *reading = context;
    struct host_spec host = reading->hosts[0];
    enum st st = fields_name(reader, key, "a group of hosts", &name);

    if (!st && (!strcmp(name, "default") || !strcmp(name, "all"))) {
        st = document_fail(reader->document, key, reader->err,
                           "'%s' is no name for a group", name);
    }
    if (!st) {
        st = section_host_keys(reader, value, name, &host);
    }
    if (!st && !host.of.n) {
        st = document_fail(reader->document, key, reader->err,
                           "group '%s' needs the key 'of': its hosts", name);
    }
    host.name = name;
    host.place = fields_place(reader, key);
    reading->hosts[reading->n++] = host;
    return st;
}

struct hosts_values {
    struct fy_node *defaults, *groups, *pcie_switches;
};

static const struct field hosts_fields[] = {
    {"default", FIELD_NODE, offsetof(struct hosts_values, defaults), NULL, NULL,
     NULL},
    {"groups", FIELD_NODE, offsetof(struct hosts_values, groups), NULL, NULL,
     NULL},
    {"pcie_switches", FIELD_NODE, offsetof(struct hosts_values, pcie_switches),
     NULL, NULL, NULL},
};

enum st
section_hosts(struct reader *reader, struct fy_node *node,
              struct scenario *scenario)
{
    struct hosts_values values = {NULL, NULL, NULL};
    struct groups_reading reading = {NULL, 1};
    enum st st = ST_OK;

    if (node) {
        st = fields_read(reader, node, "'hosts'", hosts_fields,
                         N_FIELDS(hosts_fields), &values, NULL);
    }
    reading.hosts =
        arena_alloc(reader->arena, fields_n_items(values.groups) + 1,
                    sizeof *reading.hosts);
    if (!st) {
        st = section_nic(reader, node, "plain", &reading.hosts[0]);
        reading.hosts[0].name = "default";
        reading.hosts[0].place = fields_place(reader, node);
    }
    if (!st && values.defaults) {
        st = section_host_keys(reader, values.defaults, "'default'",
                               &reading.hosts[0]);
        if (!st && reading.hosts[0].of.n) {
            st = document_fail(reader->document, values.defaults, reader->err,
                               "'default' holds for all hosts: 'of' is a key "
                               "of groups");
        }
        reading.hosts[0].name = "default";
    }
    if (!st && values.groups) {
        st = fields_each_pair(reader, values.groups, "'groups'", read_group,
                              &reading);
    }
    scenario->hosts = reading.hosts;
    scenario->n_hosts = reading.n;
    return st ? st
              : section_pcie_switches(reader, values.pcie_switches, scenario);
}
