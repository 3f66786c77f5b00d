/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_STORE_STORE_H
#define ORCHD_STORE_STORE_H

/* A switch that stores objects and does nothing.
 *
 * Motivation: code that plans and executes SAI calls is tested with a second,
 * deliberately different backend: no library, no packets, outcomes by the
 * metadata alone, faults on demand, and a state that can be compared.
 *
 * What it does: create, remove, set and get of every modelled object type,
 * validated as sai/core/validate.h says; keys, references and defaults as
 * vendors/objects/objects.h says.  It does not check numbers, so a pool may be
 * larger than the memory, and any threshold is accepted.
 *
 * The switch must be created before any other object, and once, unless
 * 'with_switch' is set; its ports are created and removed with it.  The store
 * computes the attributes of vendors/objects/port_family.h, TOTAL_BUFFER_SIZE
 * of the switch, and OPER_STATUS of a port, which follows ADMIN_STATE.  All
 * counters are zero.  A port that a bridge port or VLAN member uses cannot be
 * removed. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"

struct store;

enum {
    STORE_MAX_QUEUES = 64, /* And priority groups, per port. */
    STORE_MAX_LANES = 16,  /* Per port that exists from the start. */
};

struct store_port {
    uint32_t n_lanes; /* 1..STORE_MAX_LANES */
    uint32_t lanes[STORE_MAX_LANES];
};

struct store_config {
    const struct store_port *ports; /* Initial ports. */
    uint32_t n_ports;
    uint32_t n_queues;           /* Per port; 0: 8. */
    const uint8_t *queue_types;  /* Of each queue of a port; NULL: ALL. */
    uint32_t n_pgs;              /* Per port; 0: 8. */
    uint64_t memory_kb;          /* TOTAL_BUFFER_SIZE; 0: 16384. */
    uint32_t max_headroom_bytes; /* QOS_MAXIMUM_HEADROOM_SIZE of each port, 0:
                                  * it is not implemented. */
    bool has_groups;             /* Ports have scheduler groups:
                                    vendors/objects/port_family.h. */
    bool has_bridge;             /* There are the default VLAN and bridge, and
                                  * each initial port is a member of both.
                                  * Created ports are not. */
    bool counts_ids;             /* Each counter is its own id, not 0. */
    bool with_switch;            /* The switch exists from the start. */
};

/* Returns a new store; 'config' (NULL: all zeros) is copied.  End with
 * store_destroy(). */
struct store *store_create(const struct store_config *config);

/* Frees 'store'.  Accepts NULL. */
void store_destroy(struct store *store);

/* The store as a backend.  Borrowed; lives as long as the store. */
struct sai_backend *store_backend(struct store *store);

/* Faults -------------------------------------------------------------- */

enum store_op {
    STORE_CREATE,
    STORE_REMOVE,
    STORE_SET,
    STORE_GET,
    STORE_GET_STATS,
};

/* A call before it is carried out. */
struct store_call {
    uint64_t number; /* Of this call, counted from 1, all kinds together. */
    enum store_op op;
    sai_object_type_t type;
    sai_object_id_t oid; /* SAI_NULL_OBJECT_ID for create. */

    /* The attributes of a create, that of a set, those of a get; NULL for other
     * calls. */
    uint32_t n;
    const sai_attribute_t *attributes;
};

/* Further results of a hook, besides SAI's statuses.  The store "crashes":
 * until store_resume() every call fails with SAI_STATUS_FAILURE and does
 * nothing.  With STOP_BEFORE the current call is not carried out; with
 * STOP_AFTER it is, but returns a failure to its caller. */
#define STORE_STOP_BEFORE ((sai_status_t)1)
#define STORE_STOP_AFTER  ((sai_status_t)2)

/* Decides on a call: SAI_STATUS_SUCCESS carries it out; with another status it
 * fails.  The hook must not call the store, except to dump it. */
typedef sai_status_t store_hook_fn(void *context,
                                   const struct store_call *call);

/* Installs 'hook' (NULL: none) for all calls from now on. */
void store_set_hook(struct store *store, store_hook_fn *hook, void *context);

/* Ends a crash.  Objects are as the last call that was carried out left
 * them. */
void store_resume(struct store *store);

/* Returns whether a hook has crashed the store. */
bool store_stopped(const struct store *store);

/* State --------------------------------------------------------------- */

/* Returns how many calls of one kind were made, failed ones included. */
uint64_t store_calls(const struct store *store, enum store_op op);

/* Returns how many bulk calls were made.  Each of their objects counts as a
 * call above, and the hook is called for each. */
uint64_t store_bulk_calls(const struct store *store);

/* Returns how many objects of 'type' exist. */
uint32_t store_count(const struct store *store, sai_object_type_t type);

/* Returns the type of object 'oid', SAI_OBJECT_TYPE_NULL if there is none. */
sai_object_type_t store_type_of(const struct store *store, sai_object_id_t oid);

/* Returns the state in the form of vendors/objects/dump.h.  Two stores with
 * equal texts have the same contents, however they got them.  The caller frees
 * it. */
char *store_dump(const struct store *store);

#endif /* vendors/store/store.h */
