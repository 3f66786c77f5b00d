/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SHOW_WALK_H
#define ORCHD_CONTROL_SHOW_WALK_H

/* The walk of a "show ..." command over objects of the ASIC.
 *
 * A switch of 512 ports has 8,000 priority groups and queues, and reading them
 * takes longer than rows should wait.  So a command first notes the names of
 * what it shows, and then reads a few objects in each turn of the loop; one
 * that was deleted meanwhile is left out.  The arguments of the call own what
 * was noted and read, because calls end with their arguments. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/table.h"
#include "orchd/switch/switch_query.h"

struct call;
struct command_context;
struct object;
struct shown;
struct value_names;

/* Makes a list about a port or pool; see struct control_services. */
typedef json_t *list_fn(void *context, const char *name);

/* A walk over the objects of some tables. */
struct show {
    const struct command_context *context;
    const char *only; /* Name of the object or port to show; NULL: all. */
    bool has_index;   /* Only the priority group or queue 'index' of it. */
    unsigned int index;
    const enum table *tables;
    size_t n_tables;
    const struct shown *shown; /* Attributes; of the command. */
    bool stats;                /* With counters: ports and pools. */
    enum switch_query_kind kind;
    bool everything; /* Also PGs and queues without a profile. */
    bool pauses;     /* With the pauses of ports. */
    json_t *list;    /* Borrowed. */

    /* Owned by the call. */
    struct value_names *names;

    /* Of a walk in slices. */
    list_fn *counters;  /* Makes the list of an object; NULL: no counters. */
    const char *member; /* The name of the list in the answer. */
    void (*visit)(void *context, const struct object *object);
    enum table own_tables[N_TABLES]; /* What 'tables' points to. */
    size_t done;                     /* Of the objects that were noted. */
};

/* Returns whether to show 'object', which must be on the ASIC: rows that are
 * not applied are only counted. */
bool show_wants(const struct show *show, const struct object *object);

/* Returns whether to show the priority groups or queues of 'object': a port, or
 * a system port, which has queues only, and is on the ASIC. */
bool show_has_places(const struct show *show, const struct object *object);

/* Reads counter 'id' of 'oid' into '*value'.  Returns false if the switch does
 * not count it. */
bool show_counter(const struct show *show, sai_object_type_t type,
                  sai_object_id_t oid, sai_stat_id_t id, uint64_t *value);

/* Returns a counter as JSON: null if it is not known. */
json_t *show_count(bool known, uint64_t value);

/* Completes 'err', whose reason says that there is no 'show->only', with the
 * names there are.  Returns false, and leaves 'err' alone, if there is one. */
bool show_explain(const struct show *show, const struct call *call,
                  struct err *err);

/* Walks as 'options' says, with 'visit', which adds to the list of the walk (a
 * copy of 'options', its context), and ends 'call' with that, as 'member'. */
void show_run(struct call *call, const struct show *options, const char *member,
              void (*visit)(void *context, const struct object *object));

#endif /* orchd/control/show_walk.h */
