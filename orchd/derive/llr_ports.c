/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and profiles in hashes, changed ports in lists.
 *
 * A port that is derived again takes its new profile before it drops the old
 * one, so that a profile that it needs in both cases stays. */

#include <config.h>

#include "orchd/derive/llr_ports.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>
#include <utlist.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/derive/derived_rows.h"
#include "orchd/derive/dynamic.h"
#include "orchd/derive/port_inputs.h"
#include "orchd/intent/content.h"
#include "orchd/intent/intent.h"

enum { NAME_SIZE = 64 };

static const char profile_field[] = "llr_profile";

struct llr_port {
    char *name;              /* Owned. */
    struct content *content; /* Of its row, in force. */

    /* What was derived: the profile, what the row is instead, why there is no
     * profile, and a warning about the one that the row names.  Each NULL if it
     * does not apply, and owned. */
    struct derived_row *profile;
    struct content *completed;
    struct err *err;
    char *warning;

    bool changed;
    struct llr_port *prev_changed, *next_changed;
    bool due;
    struct llr_port *prev_due, *next_due;
    UT_hash_handle hh;
};

struct llr_profile {
    char *name; /* Owned. */
    UT_hash_handle hh;
};

void
llr_ports_init(struct llr_ports *ports, const struct port_inputs *inputs,
               struct derived_rows *derived_rows)
{
    *ports = (struct llr_ports){.inputs = inputs, .derived_rows = derived_rows};
}

/* Forgets what was derived for 'port'. */
static void
clear_outcome(struct llr_ports *ports, struct llr_port *port)
{
    if (port->profile) {
        derived_row_unref(ports->derived_rows, port->profile);
    }
    content_unref(port->completed);
    free(port->err);
    free(port->warning);
    port->profile = NULL;
    port->completed = NULL;
    port->err = NULL;
    port->warning = NULL;
}

static void
free_port(struct llr_ports *ports, struct llr_port *port)
{
    if (port->changed) {
        DL_DELETE2(ports->changed, port, prev_changed, next_changed);
    }
    if (port->due) {
        DL_DELETE2(ports->due, port, prev_due, next_due);
    }
    HASH_DEL(ports->ports, port);
    clear_outcome(ports, port);
    content_unref(port->content);
    free(port->name);
    free(port);
}

static void
free_profile(struct llr_ports *ports, struct llr_profile *profile)
{
    HASH_DEL(ports->profiles, profile);
    free(profile->name);
    free(profile);
}

void
llr_ports_fini(struct llr_ports *ports)
{
    struct llr_port *port, *next_port;
    struct llr_profile *profile, *next_profile;

    HASH_ITER(hh, ports->ports, port, next_port)
    {
        free_port(ports, port);
    }
    HASH_ITER(hh, ports->profiles, profile, next_profile)
    {
        free_profile(ports, profile);
    }
    llr_lookup_fini(&ports->lookup);
    *ports = (struct llr_ports){0};
}

static void
mark(struct llr_ports *ports, struct llr_port *port)
{
    if (!port->changed) {
        port->changed = true;
        DL_APPEND2(ports->changed, port, prev_changed, next_changed);
    }
}

static void
mark_due(struct llr_ports *ports, struct llr_port *port)
{
    if (!port->due) {
        port->due = true;
        DL_APPEND2(ports->due, port, prev_due, next_due);
    }
}

void
llr_ports_set_lookup(struct llr_ports *ports, struct llr_lookup *lookup)
{
    llr_lookup_fini(&ports->lookup);
    ports->lookup = *lookup;
    *lookup = (struct llr_lookup){0};
    for (struct llr_port *port = ports->ports; port; port = port->hh.next) {
        mark(ports, port);
    }
}

static const char *
field_of(const struct llr_port *port, const char *name)
{
    return content_find(port->content->fields, port->content->n, name);
}

static bool
field_is(const struct llr_port *port, const char *name, const char *value)
{
    return content_is(port->content->fields, port->content->n, name, value);
}

void
llr_ports_put_profile(struct llr_ports *ports, const struct row *row)
{
    const bool has = row->present && row->effective;
    struct llr_profile *profile;

    HASH_FIND_STR(ports->profiles, row->key, profile);
    if (has == (profile != NULL)) {
        return;
    }
    if (has) {
        profile = check_calloc(1, sizeof *profile);
        profile->name = check_strdup(row->key);
        HASH_ADD_KEYPTR(hh, ports->profiles, profile->name,
                        strlen(profile->name), profile);
    } else {
        free_profile(ports, profile);
    }
    for (struct llr_port *port = ports->ports; port; port = port->hh.next) {
        if (field_is(port, profile_field, row->key)) {
            mark(ports, port);
        }
    }
}

static struct llr_port *
find_port(const struct llr_ports *ports, const char *name)
{
    struct llr_port *port;

    HASH_FIND_STR(ports->ports, name, port);
    return port;
}

bool
llr_ports_put_port(struct llr_ports *ports, const struct row *row)
{
    struct llr_port *port = find_port(ports, row->key);

    if (!row->present || !row->effective) {
        if (port) {
            free_port(ports, port);
        }
        return false;
    }
    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->name = check_strdup(row->key);
        HASH_ADD_KEYPTR(hh, ports->ports, port->name, strlen(port->name), port);
    }
    content_unref(port->content);
    port->content = content_create(row->fields, row->n_fields);
    mark(ports, port);
    mark_due(ports, port);
    return true;
}

void
llr_ports_note(struct llr_ports *ports, const char *name)
{
    struct llr_port *port = find_port(ports, name);

    if (port) {
        mark(ports, port);
    }
}

/* Returns whether the row needs a profile that it does not have. */
static bool
lacks_profile(const struct llr_ports *ports, const struct llr_port *port)
{
    const char *named = field_of(port, profile_field);
    struct llr_profile *profile = NULL;

    if (named) {
        HASH_FIND_STR(ports->profiles, named, profile);
    }
    return !profile && ports->lookup.n > 0 &&
           !field_is(port, "llr_mode", "dynamic") &&
           (field_is(port, "llr_local", "enabled") ||
            field_is(port, "llr_remote", "enabled"));
}

/* Finds the entry for 'port'; NULL: there is none, and 'err' says why. */
static const struct llr_lookup_entry *
find_entry(const struct llr_ports *ports, const struct llr_port *port,
           struct err *err)
{
    const struct port_input *input =
        port_inputs_find_port(ports->inputs, port->name);
    const struct port_input unknown = {.name = port->name};
    const struct llr_lookup_entry *entry = NULL;
    const struct row_value *other = NULL;
    struct lookup_pair pair = {0};
    bool has_cable;

    input = input ? input : &unknown;
    has_cable = port_input_cable(input, &pair.cable_m, &other);
    pair.speed_mbps = port_input_speed(input);
    if (other) {
        port_input_contradict(input, other, err);
    } else if (!port_input_check(input, has_cable && pair.cable_m, err)) {
        entry = llr_lookup_find(&ports->lookup, pair);
        if (!entry) {
            llr_lookup_explain_missing(&ports->lookup, pair, err);
        }
    }
    return entry;
}

/* Returns the row of 'port' with 'profile'; NULL: without its directions, so
 * that nothing is on. */
static struct content *
row_with(const struct llr_port *port, const char *profile)
{
    const size_t n = port->content->n;
    struct field *fields = check_calloc(n + 1, sizeof *fields);
    struct content *content;

    for (size_t i = 0; i < n; i++) {
        const struct field *field = &port->content->fields[i];
        const bool replaced = profile ? !strcmp(field->name, profile_field)
                                      : !strcmp(field->name, "llr_local") ||
                                            !strcmp(field->name, "llr_remote");

        if (!replaced) {
            fields[i] = *field;
        }
    }
    fields[n] = (struct field){profile_field, profile};
    content = content_create(fields, n + 1);
    free(fields);
    return content;
}

/* Gives 'port' the profile of 'entry'. */
static void
complete(struct llr_ports *ports, struct llr_port *port,
         const struct llr_lookup_entry *entry)
{
    const char *named = field_of(port, profile_field);
    struct field fields[LLR_LOOKUP_FIELDS];
    char name[NAME_SIZE];

    text_format(name, sizeof name, "llr_%u_%um_profile", entry->pair.speed_mbps,
                entry->pair.cable_m);
    port->profile =
        derived_row_ref(ports->derived_rows, TABLE_LLR_PROFILE, name);
    derived_row_set(ports->derived_rows, port->profile, fields,
                    llr_lookup_fields(entry, fields));
    port->completed = row_with(port, name);
    if (named && strcmp(named, name) != 0) {
        struct text warning = {0};

        text_addf(&warning, "llr-profile-replaced %s", named);
        port->warning = text_take(&warning);
    }
}

/* Returns whether both are NULL or the same text. */
static bool
same_text(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool
same_outcome(const struct llr_port *a, const struct llr_port *b)
{
    return same_text(a->err ? a->err->reason : NULL,
                     b->err ? b->err->reason : NULL) &&
           same_text(a->warning, b->warning) &&
           (a->completed && b->completed
                ? content_equal(a->completed, b->completed)
                : a->completed == b->completed);
}

static void
derive(struct llr_ports *ports, struct llr_port *port)
{
    struct llr_port old = *port;
    struct err err = {0};

    port->profile = NULL;
    port->completed = NULL;
    port->err = NULL;
    port->warning = NULL;
    if (lacks_profile(ports, port)) {
        const struct llr_lookup_entry *entry = find_entry(ports, port, &err);

        if (entry) {
            complete(ports, port, entry);
        } else if (!field_of(port, profile_field)) {
            port->err = check_malloc(sizeof err);
            *port->err = err;
            port->completed = row_with(port, NULL);
        }
    }
    if (!same_outcome(&old, port)) {
        mark_due(ports, port);
    }
    clear_outcome(ports, &old);
}

void
llr_ports_settle(struct llr_ports *ports)
{
    struct llr_port *port;

    while ((port = ports->changed)) {
        DL_DELETE2(ports->changed, port, prev_changed, next_changed);
        port->changed = false;
        derive(ports, port);
    }
}

bool
llr_ports_take(struct llr_ports *ports, struct completion *completion)
{
    struct llr_port *port = ports->due;

    if (!port) {
        return false;
    }
    DL_DELETE2(ports->due, port, prev_due, next_due);
    port->due = false;
    *completion =
        (struct completion){.table = TABLE_LLR_PORT, .key = port->name};
    if (port->completed) {
        completion->kind = COMPLETION_FIELDS;
        completion->fields = port->completed->fields;
        completion->n_fields = port->completed->n;
        completion->warning = port->warning;
        completion->err = port->err;
    }
    return true;
}
