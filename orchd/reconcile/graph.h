/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_GRAPH_H
#define ORCHD_RECONCILE_GRAPH_H

/* The dependency graph: what the rows of CONFIG_DB want, of which objects, and
 * what the ASIC holds.
 *
 * Terms, used with these meanings in all of reconcile/:
 *
 *   source   a row of CONFIG_DB, translated: the attributes that it wants
 *   object   a SAI object, on the ASIC or wanted there
 *   slot     one attribute of one object: the wanted value, and the value that
 *            SAI last accepted
 *   claim    source -> object: "this row wants its attributes on that object"
 *   edge     source -> object: "this row refers to that object"
 *   state    what one claim has come to (claim_state.h); row_answer.h makes the
 *            answer to a row from the states of its claims
 *
 * A plan is the list of all differences between the wanted and the accepted
 * values (plan.h).  So neither the order in which rows arrive nor the point at
 * which an earlier plan was interrupted matters.
 *
 * If several rows of one table claim the same object, the most specific one
 * wins (fewest indexes, then fewest ports, then the smallest key); the others
 * are shadowed.  A winner is ready once everything that it refers to is
 * available.  Until then the object keeps what it holds for that table.
 *
 * This file keeps the nodes and edges.  source.h creates them from rows,
 * evaluate.h computes what is wanted, plan.h what to change, execute.h makes
 * the changes, row_answer.h reports the outcome to each row.  Pure: no clock,
 * no I/O, no SAI call. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/arena.h"
#include "base/hash_index.h"
#include "base/status.h"
#include "base/timeline.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/reserved_bytes.h"
#include "orchd/reconcile/row_status.h"
#include "orchd/reconcile/trimming_limits.h"
#include "orchd/translate/name.h"
#include "orchd/translate/translate.h"
#include "sai/core/metadata.h"

struct confirmation;
struct ports;

enum { DIRECTION_UNKNOWN = -1 };

/* How an object gets onto the ASIC. */
enum object_class {
    OBJECT_SWITCH,  /* Always there: the switch, and its CPU port. */
    OBJECT_OWNED,   /* Created and removed by orchd. */
    OBJECT_CLAIMED, /* A port: matched by its lanes, or created. */
    OBJECT_CHILD,   /* A priority group, a queue, or the scheduler group of a
                     * queue: comes with its port. */
};

/* What a slot asks SAI for. */
enum slot_request {
    SLOT_VALUE,   /* What its row wants. */
    SLOT_FROZEN,  /* What it holds, in the current version: its row is not
                   * ready. */
    SLOT_DEFAULT, /* Nothing wants it. */
};

/* What SAI refused.  Kept until something that matters changes (refusal.h). */
struct refusal {
    sai_status_t status;        /* SAI_STATUS_SUCCESS: nothing was refused. */
    unsigned int attempts : 29; /* Consecutive ones. */
    bool due : 1;               /* The next plan may try again. */
    enum slot_request request : 2; /* Of a slot: what was asked for. */
    uint64_t at;                   /* The graph's 'n_accepted' at that time. */
};

/* One attribute of one object. */
struct slot {
    const struct metadata_attribute *meta;

    /* The wanted value; NULL: none, so the attribute goes back to its default.
     * Borrowed from the source of the winning claim. */
    const struct want *want;
    const struct source *source;

    /* The table whose claim last wanted this attribute.  'frozen': that claim
     * is not ready, so the slot keeps what it holds. */
    enum table owner : 8;
    bool frozen : 1;

    /* 'conditional': the attribute exists only while the condition of 'meta'
     * holds; when the condition fails, the attribute and its value are gone.
     * 'dormant': a value is wanted, but the condition is about to fail. */
    bool conditional : 1;
    bool dormant : 1;

    bool held : 1; /* What SAI accepted: see below. */

    /* The device failed in the middle of a change, so the value on the ASIC is
     * unknown.  The slot then differs from every wanted value. */
    bool uncertain : 1;

    /* It refers to an object that must be removed first ('torn'), and the ASIC
     * refused what its row wants instead: it is to refer to nothing
     * meanwhile. */
    bool unbound : 1;

    /* What SAI accepted: the value, with object ids for references, and the
     * 'n_targets' objects that have these ids (slot_targets()).  Owned; valid
     * only if 'held'. */
    uint32_t n_targets;
    union {
        struct object *one;      /* If there is one, the usual case. */
        struct object **several; /* If there are more. */

        /* Of a number, if 'uncertain': the range of possible values; for
         * paired_bounds.h and headroom_order.h. */
        struct {
            uint64_t least, most;
        };
    };
    sai_attribute_value_t value;

    struct refusal refusal;
};

/* What orchd knows about a port: its children, the ids of its priority groups,
 * queues and scheduler groups on the ASIC, and its limits. */
struct port_children {
    struct object *first; /* Those with an object here, linked by 'sibling'. */

    sai_object_id_t *pg_oids, *queue_oids;
    sai_object_id_t *group_oids; /* The scheduler group of each queue; NULL
                                  * until read (scheduler_groups.h). */
    uint32_t n_pgs, n_queues;
    uint32_t max_headroom_bytes; /* 0: the device does not report it. */
    uint32_t *speeds_mbps;       /* The speeds that it can have, ... */
    uint32_t n_speeds;           /* ... 0: not reported. */
    uint32_t supported_mbps;     /* The highest of them; 0: not reported. */
    bool is_up;                  /* Its admin state is up, as far as known. */

    bool is_changed; /* In the graph's list of changed ports. */
    struct object *next_changed;

    /* For lane_claims.h: the port that uses lanes that the row names, or has
     * precedence for them; a port with which it shares one lane; the port with
     * the new lanes is to be created before this one is released. */
    struct object *lanes_blocker;
    struct object *lanes_partner;
    bool unprepared;
    bool move_refused; /* SAI refused the port with the new lanes. */
    bool was_refused;  /* SAI refused to create the port, and its row has not
                        * changed since: kept while another port has the lanes,
                        * or both would go on forever. */

    /* The attributes of the port that was released because the row names other
     * lanes; for a return if SAI refuses these.  Owned; NULL: none. */
    struct slot *former;
    uint32_t n_former;

    /* For lane_claims.h: the lanes in the graph's set, a copy; in the graph's
     * list of ports whose lanes may have changed. */
    uint32_t *noted_lanes;
    uint32_t n_noted_lanes;
    bool is_relaned;
    struct port_children *next_relaned;
    struct object *port; /* Whose children these are. */

    struct object *next_port, *previous_port; /* In the graph's list. */
};

/* Belongs to an object of which something is, or was recently, refused; for
 * refusal.h. */
struct retry {
    struct object *object;
    struct timer timer; /* Pending while a refusal waits for its back-off. */
    struct retry *previous, *next; /* In the graph's list. */
};

/* A version of an object that was replaced and is still on the ASIC, because of
 * users that did not move yet, or cannot.  It still uses the objects that its
 * slots refer to. */
struct former_version {
    sai_object_id_t oid;
    struct slot *slots; /* Those that it holds. */
    uint32_t n_slots;
    uint32_t n_users;            /* Slots of objects on the ASIC that hold
                                  * 'oid'. */
    bool removal_uncertain;      /* It may be gone. */
    struct former_version *next; /* The one that it had replaced. */
};

/* An object.  Code outside reconcile/ only reads it.  There are about 40 for
 * each port, so members that few objects need are allocated separately. */
struct object {
    struct object_name name; /* Its text is part of 'id', or of the parent's. */
    struct graph *graph;
    sai_object_type_t type;
    int32_t direction; /* Of a pool, or of a profile's pool, as wanted; or
                        * DIRECTION_UNKNOWN. */

    /* The id on the ASIC; SAI_NULL_OBJECT_ID: it is not there. */
    sai_object_id_t oid;

    struct slot *slots; /* Ordered by attribute id. */
    uint32_t n_slots;
    uint32_t n_users; /* Slots of objects on the ASIC that hold 'oid'. */

    /* The versions that were replaced and not removed yet, the latest first.
     * Owned. */
    struct former_version *former_versions;

    struct refusal refusal; /* The refused creation, removal or replacement. */
    const struct metadata_attribute
        *refused;         /* The attribute at fault, or NULL. */
    struct retry *retry;  /* Owned; NULL: nothing is refused. */
    uint64_t accepted_at; /* The graph's 'n_accepted' when SAI last accepted a
                           * change of it. */

    /* Edges. */
    struct claim *claims;   /* Linked by 'next_on_object'. */
    struct edge *referrers; /* Linked by 'next' and 'previous'. */

    /* The port of a child, and the next child of it; the children of a port. */
    struct object *parent;
    struct object *sibling;
    struct port_children *port_children; /* Owned; NULL unless a port. */

    struct object *next_dirty; /* In the graph's list, if 'dirty'. */
    uint32_t n_mentions;       /* By claims, edges, slots, children. */

    /* Valid only while planning. */
    uint32_t n_left;     /* Users left after the plan, ... */
    uint64_t left_round; /* ... valid if this equals the graph's round. */
    uint64_t pin_round;  /* The last round in which a port, priority group or
                          * queue was found bound to it that its replacement
                          * would not fit. */

    sai_object_type_t
        blocking; /* Of a port: it was not created because an object of this
                   * type, which uses its lanes, could not be removed;
                   * SAI_OBJECT_TYPE_NULL: another refusal. */
    enum object_class class : 8;
    bool recreate : 1; /* The plan replaces it. */

    /* It would have to be replaced, but must not be: see 'pin_round', and
     * object_awaited_pool() in slot_diff.h. */
    bool pinned : 1;

    /* Work lists. */
    bool dirty : 1;
    bool touched : 1;

    /* The results of evaluate.h. */
    bool wanted : 1;    /* It is to be on the ASIC. */
    bool available : 1; /* Others may refer to it. */
    bool trims : 1;     /* A profile that trims packets, or is about to. */

    /* It must be replaced, and the ASIC has no room for two: the plan unbinds
     * its users, removes it and creates it again (disruptive). */
    bool torn : 1;

    /* The device no longer knows 'oid' although orchd did not remove it
     * (drift.h), or may not know it because it failed while removing it in
     * favour of a former version: the next plan replaces it. */
    bool lost : 1;

    bool fresh : 1; /* Created by orchd: attributes that were never set have
                     * their defaults. */

    /* The device failed while removing it, so 'oid' may be invalid: the next
     * plan removes it even if it is wanted, and then creates it again. */
    bool removal_uncertain : 1;

    bool restore : 1; /* The plan removes it in favour of its latest former
                       * version; valid only while planning. */

    struct object *previous, *next; /* In the graph's list. */
    char id[]; /* The name as text: "BUFFER_PG|Ethernet0|3". */
};

/* Returns the first child of 'object'; NULL: none, or it is not a port. */
static inline struct object *
object_children(const struct object *object)
{
    return object->port_children ? object->port_children->first : NULL;
}

/* A row wants its attributes on an object. */
struct claim {
    struct source *source;
    struct object *object;
    struct claim *next_on_object; /* Valid only while attached. */
    struct object *conflict; /* What it must not be combined with, or NULL. */
    struct object *missing;  /* The first object that it needs and that is not
                              * available, or NULL. */
    int index;               /* The index that the row's key names. */
    bool attached : 1;
    bool wins : 1;         /* No more specific row of its table claims it. */
    bool ready : 1;        /* Everything that it needs is available. */
    bool out_of_range : 1; /* The port has no priority group or queue with this
                            * index. */
    bool no_group : 1;     /* The queue belongs to no scheduler group. */
    bool overruled : 1; /* Its scheduler group is shared with a claim that wants
                         * another scheduler and decides. */
};

/* A row refers to an object. */
struct edge {
    struct source *source;
    struct object *object;
    struct edge *next, *previous; /* In the object's list of referrers. */
};

/* What is wrong with a row.  All owned; NULL: nothing. */
struct source_trouble {
    struct err *err;        /* Why the row was not accepted. */
    char *warnings;         /* The warnings about the row, and the following: */
    char *content_warnings; /* from the translation of the content in force. */
};

/* A row, translated. */
struct source {
    enum table table : 8;
    enum row_verdict verdict : 8;
    enum row_state reported_state : 8; /* The last answer, if 'reported'. */

    bool present : 1;   /* In CONFIG_DB.  Otherwise kept, with detached claims,
                         * until the ASIC no longer holds anything of it. */
    bool generated : 1; /* Derived from other rows, not user-owned. */
    bool partial : 1;   /* User-owned, completed from a derived row. */
    bool in_force : 1;  /* Some content of it is in force. */
    bool is_own : 1;    /* See struct row. */

    /* For row_answer.h. */
    bool reported : 1;   /* An answer was published. */
    bool unanswered : 1; /* In the list of rows to answer. */
    bool rewritten : 1;  /* The content has changed since the last answer. */
    bool reported_unconfirmed : 1; /* As row_status.unconfirmed. */

    uint32_t n_edges; /* See source_first_edge(). */
    uint32_t n_claims;
    uint32_t key_at; /* Where the key begins in 'id'. */
    struct graph *graph;

    /* What is wrong with the row.  Owned; NULL: nothing. */
    struct source_trouble *trouble;

    struct content *content;  /* In force; shared with the row. */
    struct content *accepted; /* The last one that the ASIC held completely,
                               * while it holds something of the row; NULL:
                               * none. */
    uint64_t content_digest;

    /* What the content wants.  The object names in the demand became claims and
     * edges, so its 'objects' and 'refs' are NULL. */
    struct demand demand;

    /* One for each object of the demand.  They depend on the key alone, so they
     * survive a change of content.  'only_claim', or owned; NULL: none yet. */
    struct claim *claims;
    struct claim only_claim;

    /* For row_answer.h. */
    struct source *next_unanswered;
    uint64_t reported_digest; /* Digest of the last answer. */
    uint64_t generation;      /* The plan that last changed the answer. */
    uint64_t changed_in;      /* The one since when its content and state are
                               * what they are. */
    int64_t changed_at;       /* When its content last changed. */

    struct source *previous, *next; /* In the graph's list. */
    char id[];                      /* "TABLE|key". */
};

/* Returns the key of the row: what follows the table in its id. */
static inline const char *
source_key(const struct source *source)
{
    return source->id + source->key_at;
}

/* Returns the 'n_edges' references of the row, in the order of the wants and
 * their references.  They are allocated together with the wants, behind them.
 */
static inline struct edge *
source_first_edge(const struct source *source)
{
    return (struct edge *)(uintptr_t)(source->demand.wants +
                                      source->demand.n_wants);
}

/* Called when the content of a row that is in force has changed: 'fields',
 * sorted by name, is what the row, or what is derived, wants of the ASIC,
 * whether or not the ASIC has it.  No fields: the row wants nothing. */
typedef void graph_in_force_fn(void *context, enum table table, const char *key,
                               const struct field *fields, size_t n);

struct graph {
    /* The packet buffer; 0: unknown.  'pools_reserve': see chip.h. */
    uint64_t memory_bytes;
    bool pools_reserve;
    bool lacks_llr; /* It is known to have no link-level retry. */
    struct trimming_limits trimming;

    struct arena *scratch; /* For a row that is being translated. */
    struct object *objects;
    struct source *sources;
    bool objects_sorted; /* Whether the lists are in the order of iteration; */
    bool sources_sorted; /* only additions change that. */
    struct hash_index objects_by_name, sources_by_key;

    /* Objects whose claims, references or parent changed, in FIFO order; for
     * evaluate.h. */
    struct object *dirty_first, *dirty_last;

    /* Objects evaluated since the last plan; for plan.h. */
    struct object **touched;
    size_t n_touched, touched_size;

    /* Rows whose answer may have changed, in FIFO order. */
    struct source *unanswered_first, *unanswered_last;

    struct retry *refused; /* Objects of which something may be refused. */

    struct overlaid *overlaid;       /* Overlays by object; for overlay.h. */
    size_t n_reported[N_ROW_STATES]; /* Rows by reported state. */
    size_t n_unconfirmed;            /* Rows reported as such. */
    uint64_t n_answers;              /* Number of answers reported. */
    struct err *absence; /* Why there is no ASIC; NULL: it is there, or is about
                          * to be. */
    char *
        hwsku_made; /* The hwsku that the switch was created with; NULL: any. */
    char *hwsku_wanted; /* The hwsku in DEVICE_METADATA, or NULL. */
    char *chip_warning; /* About the chip that it gets, or NULL. */
    struct object
        *changed_ports;         /* Ports about which the agent has yet to learn
                                 * something; linked by 'port_children'. */
    struct object *ports_first; /* All ports but the CPU port. */
    struct chassis_ports *chassis_ports; /* NULL: the ASIC has none. */
    const struct ports *ports; /* The ports of the ASIC; borrowed; or NULL. */

    graph_in_force_fn *in_force;     /* NULL: nobody listens. */
    void (*taken_in)(void *context); /* NULL, or called after each round. */
    void *in_force_context;
    const struct confirmation *confirmation; /* NULL: SAI is called. */

    /* For lane_claims.h: ports whose lanes, or those that their row names, may
     * have changed; the lanes of all others, if no two have one in common and
     * none moves, else NULL. */
    struct port_children *relaned;
    struct lane_set *lane_set;

    bool schedules_queues; /* Schedulers are set at queues, not at scheduler
                            * groups. */
    bool allow_disruptive; /* Objects may be 'torn'. */
    uint64_t round;        /* Number of plans made. */
    uint64_t n_accepted;   /* Number of changes that SAI accepted. */
    uint64_t n_port_reads; /* How often the ids of children of a port have
                            * changed. */
    struct reserved_bytes
        reserved; /* Buffer memory that the ASIC has reserved. */
};

/* Returns a graph that contains only the switch and its CPU port, neither on
 * the ASIC yet.  The caller frees it with graph_destroy(), which accepts NULL;
 * there must be no sources left. */
struct graph *graph_create(void);
void graph_destroy(struct graph *graph);

/* Finds an object by name, or NULL. */
struct object *graph_find_object(const struct graph *graph,
                                 const struct object_name *name);

/* Finds an object by its 'id', or NULL. */
struct object *graph_find_id(const struct graph *graph, const char *id);

/* As graph_find_object(), but creates the object, and the port of a child, if
 * it does not exist yet. */
struct object *graph_make_object(struct graph *graph,
                                 const struct object_name *name);

/* Records what 'port' holds, without references, in its 'former'.  The second
 * function forgets that. */
void port_save_former(struct object *port);
void port_drop_former(struct object *port);

/* Returns the switch. */
struct object *graph_switch(const struct graph *graph);

/* Returns the CPU port, PORT|CPU.  No row defines it, and orchd manages only
 * its queues.  It exists if the switch lists queues for it. */
struct object *graph_cpu_port(const struct graph *graph);

/* Notes that the lanes of 'object', or those that its row names, may have
 * changed, if it is a port other than the CPU port. */
void graph_note_lanes(const struct object *object);

/* Takes the noted lanes of 'port' out of the graph's set, if there is one. */
void port_unnote_lanes(const struct object *port);

/* Returns whether 'object' is the CPU port. */
bool object_is_cpu_port(const struct object *object);

/* Returns the hash of a row in 'sources_by_key'. */
uint32_t source_hash(enum table table, const char *key);

/* Finds the source of a row, or NULL. */
struct source *graph_find_source(const struct graph *graph, enum table table,
                                 const char *key);

/* Marks 'object' as changed, so that it is evaluated again.
 * graph_mark_referrers() marks all objects whose rows refer to it, and the
 * answers to rows that claim no object. */
void graph_mark(struct object *object);
void graph_mark_referrers(struct object *object);

/* Adds 'object' to the list of touched objects. */
void graph_touch(struct object *object);

/* Marks the answer to 'source', or to each row that claims 'object', as one
 * that may have changed. */
void graph_mark_answer(struct source *source);
void graph_mark_answers(struct object *object);

/* Frees the touched objects that nothing mentions and that are not on the ASIC,
 * and empties the list. */
void graph_sweep(struct graph *graph);

/* Returns the slot of 'object' for attribute 'id', or NULL. */
struct slot *object_slot(const struct object *object, sai_attr_id_t id);

/* Returns the slot for 'meta', creating it if needed.  Pointers to other slots
 * of the object become invalid. */
struct slot *object_slot_make(struct object *object,
                              const struct metadata_attribute *meta);

/* Records that SAI accepted 'value' for 'slot' of 'object'.  The object ids in
 * it are those of the 'n' 'targets'.  Both are copied. */
void object_hold(const struct object *object, struct slot *slot,
                 const sai_attribute_value_t *value,
                 struct object *const *targets, size_t n);

/* Records that 'slot' of 'object' is back to its default, or was removed with
 * the object. */
void object_release(const struct object *object, struct slot *slot);

/* Records that a new version of 'object' replaces the current one on the ASIC:
 * its slots and users now belong to a former version, and the new one has
 * neither an id nor users yet.  object_bury() records that the former
 * version 'version' was removed. */
void object_retire(struct object *object);
void object_bury(struct object *object, struct former_version *version);

/* Records that the current version, which must have no users, was removed
 * instead: the latest former one, with its slots and users, is the current one
 * again. */
void object_restore(struct object *object);

/* Returns the former version of 'object' with this id, or NULL. */
struct former_version *object_former_version(const struct object *object,
                                             sai_object_id_t oid);

/* Takes 'object' out of the list of objects with refusals, if it is in it.  Its
 * timer must not be pending. */
void object_drop_retry(struct object *object);

/* Returns the 'n_targets' objects that the value of 'slot' refers to.  Valid
 * until a slot is added to the object. */
struct object *const *slot_targets(const struct slot *slot);

/* Returns what 'slot' asks for. */
enum slot_request slot_request(const struct slot *slot);

/* Returns the id of the 'i'th target in the value of 'slot'. */
sai_object_id_t slot_target_oid(const struct slot *slot, size_t i);

/* Returns whether 'object' refers to others on the ASIC, or may do so. */
bool object_refers(const struct object *object);

/* Gives a child its id from its port; SAI_NULL_OBJECT_ID if the port is not on
 * the ASIC or has no such child. */
void object_locate(struct object *child);

/* Returns the id of the scheduler group of queue 'index' of 'port';
 * SAI_NULL_OBJECT_ID if the queue is in none, or the groups were not read
 * yet. */
sai_object_id_t port_group_oid(const struct object *port, int index);

/* Returns the edges of 'want' of the content of 'source', one for each of its
 * references. */
const struct edge *source_edges(const struct source *source,
                                const struct want *want);

/* Returns whether 'object' is on the ASIC. */
bool object_exists(const struct object *object);

/* Returns whether another program changes 'object' (confirmation.h): it may
 * make all changes at once, and is confirmed only once it has.  So none of them
 * may wait until another one was accepted. */
bool object_is_made_elsewhere(const struct object *object);

/* Returns the value that SAI accepted for attribute 'id' of 'object'; NULL if
 * orchd has set none. */
const sai_attribute_value_t *object_value(const struct object *object,
                                          sai_attr_id_t id);

/* The same of the version of 'object' with the id 'oid': a former one, or else
 * the current one. */
const sai_attribute_value_t *object_version_value(const struct object *object,
                                                  sai_object_id_t oid,
                                                  sai_attr_id_t id);

/* Returns the object on the ASIC that attribute 'id' of 'object', an object id,
 * refers to; NULL if none. */
const struct object *object_target(const struct object *object,
                                   sai_attr_id_t id);

/* As above, but the wanted value or target, whether or not SAI has accepted it.
 * If no row wants anything, the value held. */
const sai_attribute_value_t *object_wanted_value(const struct object *object,
                                                 sai_attr_id_t id);
const struct object *object_wanted_target(const struct object *object,
                                          sai_attr_id_t id);

#endif /* orchd/reconcile/graph.h */
