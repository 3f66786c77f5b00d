/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_GRAPH_H
#define ORCHD_RECONCILE_GRAPH_H

/* The dependency graph: what rows want, of which objects, and what the ASIC
 * holds.
 *
 * Two kinds of node and two kinds of edge:
 *
 *   source   a row of CONFIG_DB, translated: the attributes that it wants
 *   object   something on the ASIC, or wished to be there
 *   claim    source -> object: "this row wants its attributes of that"
 *   edge     source -> object: "this row refers to that"
 *
 * Each object has one slot per attribute: what is wanted of it now, and what
 * SAI last accepted.  The difference of the two is all that a plan consists of
 * (plan.h), so it does not matter in what order rows came, or where an earlier
 * plan was interrupted.
 *
 * Where several rows of one table claim the same object, the most specific one
 * wins (fewer indexes, then fewer ports, then the smaller key) and the others
 * are shadowed.  A winner whose references are not all there is not ready:
 * until they are, what the object holds for that table stays as it is.
 *
 * This file keeps the nodes and edges; source.h makes them of rows, evaluate.h
 * works out what is wanted, plan.h what to do about it, execute.h does it,
 * row_answer.h tells each row what came of it.  Pure: no clock, no I/O, no SAI
 * call. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>
#include <uthash.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/timeline.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/reserved_bytes.h"
#include "orchd/reconcile/row_status.h"
#include "orchd/translate/name.h"
#include "orchd/translate/translate.h"
#include "sai/core/metadata.h"

enum { DIRECTION_UNKNOWN = -1 };

/* How an object comes to be on the ASIC. */
enum object_class {
    OBJECT_SWITCH,  /* There from the start: the switch, and its CPU port. */
    OBJECT_OWNED,   /* Created and removed by orchd. */
    OBJECT_CLAIMED, /* A port: adopted by its lanes, or created. */
    OBJECT_CHILD,   /* A priority group, a queue, or the scheduler group of
                     * a queue: there with its port. */
};

/* What SAI refused, kept until something that matters changes. */
struct refusal {
    sai_status_t status;   /* SAI_STATUS_SUCCESS: nothing. */
    unsigned int attempts; /* In a row. */
    bool due;              /* To be tried again. */
    uint64_t at;           /* The graph's 'n_accepted' then. */
};

/* One attribute of one object. */
struct slot {
    const struct metadata_attribute *meta;

    /* What is wanted; NULL: nothing, so back to the default.  Borrowed from
     * the source of the claim that wins. */
    const struct want *want;
    const struct source *source;

    /* The table whose claim wanted it last, and whether that claim is not
     * ready, so that the slot is to be left alone. */
    enum table owner;
    bool frozen;

    /* What was wanted last depends on the condition of 'meta': when that no
     * longer holds, the attribute is gone, and what it held with it.  It is
     * dormant while something is wanted, but the condition is about to fail. */
    bool conditional;
    bool dormant;

    /* The device failed in the middle of a change: what it holds is anybody's
     * guess, so the slot differs from whatever is wanted. */
    bool uncertain;
    uint64_t least, most; /* What it may then hold, of paired_bounds.h. */

    /* What SAI accepted: the value, with ids in the place of references, and
     * the objects that these ids are (slot_targets()).  Owned; valid only if
     * 'held'. */
    bool held;
    uint32_t n_targets;
    union {
        struct object *one;      /* If there is one, as mostly. */
        struct object **several; /* If there are more. */
    };
    sai_attribute_value_t value;

    struct refusal refusal;
};

/* What is known of a port that is on the ASIC: the ids of the places that it
 * has, and its limits. */
struct port_children {
    sai_object_id_t *pg_oids, *queue_oids;
    sai_object_id_t
        *group_oids; /* Of the scheduler group of each queue; NULL
                      * while that was not asked: scheduler_groups.h. */
    uint32_t n_pgs, n_queues;
    uint32_t max_headroom_bytes; /* 0: the device does not tell. */
    uint32_t supported_mbps;     /* The highest speed; 0: the same. */
    bool is_up;                  /* It is not known to be shut. */

    bool is_changed; /* In the list of the graph. */
    struct object *next_changed;
};

/* Something of an object was refused, or a moment ago it was; for refusal.h. */
struct retry {
    struct object *object;
    struct timer timer;            /* Pending while a refusal waits for time. */
    struct retry *previous, *next; /* In the list of the graph. */
};

/* An object.  Users outside reconcile/ only read it.  There are some 40 for
 * each port, so what few have stands beside them. */
struct object {
    struct object_name name; /* Its text is in 'id', or its parent's. */
    sai_object_type_t type;
    enum object_class class;
    struct graph *graph;

    /* On the ASIC: the object, and one that it replaces but that is not
     * removed yet.  SAI_NULL_OBJECT_ID where there is none. */
    sai_object_id_t oid;
    sai_object_id_t old_oid;

    struct slot *slots; /* Ordered by attribute id. */

    /* What the replaced object holds until it is removed: it is a user of
     * others like any object. */
    struct slot *old_slots;
    uint32_t n_slots;
    uint32_t n_old_slots;
    uint32_t n_users;     /* Slots of objects on the ASIC that hold 'oid'. */
    uint32_t n_old_users; /* The same for 'old_oid'. */

    struct refusal refusal; /* Of its creation, removal or replacement. */
    const struct metadata_attribute *refused; /* The attribute at fault, or
                                               * NULL. */
    struct retry *retry;  /* Owned; NULL: nothing of it is refused. */
    uint64_t accepted_at; /* The graph's 'n_accepted' when SAI last accepted a
                           * change of it. */

    /* Edges. */
    struct claim *claims;   /* Linked by 'next_on_object'. */
    struct edge *referrers; /* Linked by 'next' and 'previous'. */

    /* Places: the port of a child; the children of a port, and its places. */
    struct object *parent;
    struct object *children; /* Linked by 'sibling'. */
    struct object *sibling;
    struct port_children *port_children; /* Owned; NULL: it is no port. */

    struct object *next_dirty; /* In the list of the graph, if 'dirty'. */
    uint32_t n_mentions;       /* Claims and edges, kept ones included. */

    /* Valid only while planning. */
    uint32_t n_left;     /* Users after the plan, ... */
    uint64_t left_round; /* ... if this is the round of the graph. */
    uint64_t pin_round;  /* The last one in which a place that its replacement
                          * would not fit was bound to it. */
    bool recreate;       /* It is to be replaced. */

    /* It is not replaced although it would have to be, for that reason. */
    bool pinned;

    /* Work lists. */
    bool dirty;
    bool touched;

    /* Of a pool and its profiles: its type, as it is wanted, or
     * DIRECTION_UNKNOWN. */
    int32_t direction;

    /* The answers of evaluate.h. */
    bool wanted;    /* It should be on the ASIC. */
    bool available; /* Others may refer to it. */
    bool trims;     /* Of a profile: it trims packets, or is about to. */

    /* It is to be replaced, and there is no room for two of it: it goes first,
     * its users being unbound meanwhile. */
    bool torn;

    /* The device does not know 'oid' any more, and nobody of us removed it: it
     * is to be replaced (drift.h). */
    bool lost;

    bool fresh; /* Created by us: what was never set has its default. */

    /* The device failed in the middle of its removal, so that 'oid' may mean
     * nothing any more: it is to be removed for good, even if it is wanted. */
    bool removal_uncertain;

    UT_hash_handle hh;
    char id[]; /* The name as text: "BUFFER_PG|Ethernet0|3". */
};

/* A row wants its attributes of an object. */
struct claim {
    struct source *source;
    struct object *object;
    struct claim *next_on_object; /* Valid only while attached. */
    struct object *conflict; /* What it must not be combined with, or NULL. */
    struct object *missing;  /* The first thing that is not there, or NULL. */
    int index;               /* Of the object that the row names. */
    bool attached : 1;
    bool wins : 1;         /* No more specific row of its table claims it. */
    bool ready : 1;        /* All that it needs is there. */
    bool out_of_range : 1; /* The port has fewer places than the index says. */
    bool no_group : 1;     /* The queue is in no scheduler group. */
    bool overruled : 1;    /* It shares a group with one that wants another
                            * scheduler. */
};

/* A row refers to an object. */
struct edge {
    struct source *source;
    struct object *object;
    struct edge *next, *previous; /* Among the referrers of the object. */
};

/* A row, translated. */
struct source {
    enum table table;
    bool present;    /* In CONFIG_DB.  Otherwise it lives on until the ASIC is
                      * clean of it, with claims that are no longer attached. */
    bool generated;  /* Derived from other rows, not the user's. */
    bool in_force;   /* A content is, ... */
    bool rewritten;  /* ... and changed since it was told. */
    const char *key; /* In 'id'. */
    struct graph *graph;

    /* The verdict on the row. */
    struct err *err; /* Why it was not accepted, else NULL.  Owned. */
    char *warnings;  /* Owned, as are those of the translation of the content
                      * in force; NULL: none. */
    char *content_warnings;
    enum row_verdict verdict;

    uint32_t n_edges;
    struct content *content; /* In force; shared with the row. */
    uint64_t content_digest;

    /* What the content wants.  The names in a demand became claims and edges,
     * so that 'objects' and 'refs' are NULL. */
    struct demand demand;
    struct edge *edges; /* In the order of the wants and their references; in
                         * one piece of memory with them. */

    /* One for each object of the demand.  The key alone says which these are,
     * so they outlive a change of content.  Owned. */
    struct claim *claims;
    uint32_t n_claims;

    /* For row_answer.h. */
    enum row_state reported_state; /* Which, if told. */
    bool reported;                 /* Somebody was told something. */
    bool unanswered;               /* In the list of rows to answer. */
    struct source *next_unanswered;
    uint64_t reported_digest; /* Of all that was said. */
    uint64_t generation;      /* Of the plan that last changed the answer. */
    int64_t changed_at;       /* When its content last changed. */

    UT_hash_handle hh;
    char id[]; /* "TABLE|key". */
};

struct graph {
    struct arena *scratch;  /* For a row that is being translated. */
    struct object *objects; /* By name. */
    struct source *sources; /* By table and key. */

    /* Objects whose claims, references or place changed, first in first out;
     * for evaluate.h. */
    struct object *dirty_first, *dirty_last;

    /* Objects that were evaluated since the last plan; for plan.h. */
    struct object **touched;
    size_t n_touched, touched_size;

    /* Rows whose answer may have changed, the same way. */
    struct source *unanswered_first, *unanswered_last;

    struct retry *refused; /* Objects of which something may stand refused. */

    struct overlaid *overlaid; /* What is laid over objects; for overlay.h. */
    size_t
        n_reported[N_ROW_STATES]; /* Rows that were told so, by row_answer.h. */
    struct err *absence;          /* Why there is no ASIC; NULL: it is there, or
                                   * about to be. */
    char *hwsku_made;             /* That the ASIC was made for; NULL: any. */
    char *hwsku_wanted;           /* That DEVICE_METADATA names, or NULL. */
    struct object
        *changed_ports;    /* Ports of which something was learnt that the
                            * agent is yet to be told; by 'places'. */
    bool schedules_queues; /* Schedulers are set at queues, not at the
                            * groups that these are in. */
    bool allow_disruptive; /* Objects may be torn. */
    uint64_t round;        /* Number of plans made. */
    uint64_t n_accepted;   /* Number of changes that SAI accepted. */
    struct reserved_bytes reserved; /* What the ASIC holds of the buffer. */
};

/* Returns a graph that knows only the switch, which is not there yet.  The
 * caller ends it with graph_destroy(), which accepts NULL; there must be no
 * sources left. */
struct graph *graph_create(void);
void graph_destroy(struct graph *graph);

/* Finds an object by name, or NULL. */
struct object *graph_find_object(const struct graph *graph,
                                 const struct object_name *name);

/* Finds an object by its 'id', or NULL. */
struct object *graph_find_id(const struct graph *graph, const char *id);

/* As graph_find_object(), but makes it, with the port of a child, if nobody
 * spoke of it yet. */
struct object *graph_make_object(struct graph *graph,
                                 const struct object_name *name);

/* Returns the switch. */
struct object *graph_switch(const struct graph *graph);

/* Returns the port of the switch's own processor, PORT|CPU.  No row stands for
 * it, and of what is below it only the queues are managed.  It exists where the
 * switch shows queues of it. */
struct object *graph_cpu_port(const struct graph *graph);

/* Returns whether 'object' is that port. */
bool object_is_cpu_port(const struct object *object);

/* Finds the source of a row, or NULL. */
struct source *graph_find_source(const struct graph *graph, enum table table,
                                 const char *key);

/* Says that something about 'object' changed, so that it is evaluated again;
 * graph_mark_referrers() says so of all objects whose rows refer to it, and of
 * the answers to rows that speak of no object. */
void graph_mark(struct object *object);
void graph_mark_referrers(struct object *object);

/* Puts 'object' into the list of touched ones. */
void graph_touch(struct object *object);

/* Says that the answer to 'source', or to each row that claims 'object', may
 * have changed. */
void graph_mark_answer(struct source *source);
void graph_mark_answers(struct object *object);

/* Frees those of the touched objects that nobody mentions and that are not on
 * the ASIC, and empties the list. */
void graph_sweep(struct graph *graph);

/* Returns the slot of 'object' for attribute 'id', or NULL. */
struct slot *object_slot(const struct object *object, sai_attr_id_t id);

/* Returns the slot for 'meta', made if there was none.  Pointers to other
 * slots of the object become invalid. */
struct slot *object_slot_make(struct object *object,
                              const struct metadata_attribute *meta);

/* Records that SAI accepted 'value' for 'slot' of 'object', whose ids are those
 * of the 'n' 'targets'.  Both are copied. */
void object_hold(const struct object *object, struct slot *slot,
                 const sai_attribute_value_t *value,
                 struct object *const *targets, size_t n);

/* Records that 'slot' of 'object' is back to its default, or gone with it. */
void object_release(const struct object *object, struct slot *slot);

/* Records that another object takes the place of 'object' on the ASIC: what it
 * holds and who uses it is from now on its old self's, and it has neither id
 * nor users.  object_bury() records that the old self was removed. */
void object_retire(struct object *object);
void object_bury(struct object *object);

/* Takes 'object' out of the list of refused ones, if it is in it; its timer is
 * not pending. */
void object_drop_retry(struct object *object);

/* Returns the 'n_targets' objects that what 'slot' holds refers to.  Valid
 * until the object has another slot. */
struct object *const *slot_targets(const struct slot *slot);

/* Returns the id that is behind the 'i'th target of what 'slot' holds. */
sai_object_id_t slot_target_oid(const struct slot *slot, size_t i);

/* Returns whether 'object' refers to others on the ASIC, or may do so. */
bool object_refers(const struct object *object);

/* Gives a child the id of its place on its port, or SAI_NULL_OBJECT_ID if the
 * port is not on the ASIC or has fewer places. */
void object_locate(struct object *child);

/* Returns the id of the scheduler group with the 'index'th queue of 'port';
 * SAI_NULL_OBJECT_ID if it has none, or was not asked yet. */
sai_object_id_t port_group_oid(const struct object *port, int index);

/* Returns the objects that 'want' of the content of 'source' refers to, one
 * edge for each of its references. */
const struct edge *source_edges(const struct source *source,
                                const struct want *want);

/* Returns whether 'object' is on the ASIC. */
bool object_exists(const struct object *object);

/* Returns the value that SAI accepted for attribute 'id' of 'object', or NULL
 * if orchd has set none. */
const sai_attribute_value_t *object_value(const struct object *object,
                                          sai_attr_id_t id);

/* Returns the object that attribute 'id' of 'object', an object id, refers to
 * on the ASIC; NULL if none. */
const struct object *object_target(const struct object *object,
                                   sai_attr_id_t id);

/* The same for what is wanted of the attribute, whether or not SAI took it;
 * what nobody wants is as it is held. */
const sai_attribute_value_t *object_wanted_value(const struct object *object,
                                                 sai_attr_id_t id);
const struct object *object_wanted_target(const struct object *object,
                                          sai_attr_id_t id);

#endif /* orchd/reconcile/graph.h */
