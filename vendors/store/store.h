/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_STORE_STORE_H
#define ORCHD_STORE_STORE_H

/* A switch that remembers what it was told and does nothing.
 *
 * Motivation: whoever plans and executes SAI calls is tested against a second,
 * deliberately different backend: no library, no packets, answers by the
 * metadata alone, faults on demand, and a state that can be compared.
 *
 * What it does: create, remove, set and get of every modelled object type,
 * validated as sai/core/validate.h says; keys, references and defaults as
 * vendors/objects/objects.h says.  It does not judge numbers, so a pool may be
 * larger than the memory and a threshold nonsense.
 *
 * The switch must be created like any other object before all else (and once),
 * unless 'with_switch' is set; its ports appear with it and go with it.
 * Computed are the attributes of vendors/objects/port_family.h,
 * TOTAL_BUFFER_SIZE of the switch, and OPER_STATUS of a port, which follows
 * ADMIN_STATE.  All counters are zero. */

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
    const struct store_port *ports; /* That exist from the start. */
    uint32_t n_ports;
    uint32_t n_queues;           /* Per port; 0: 8. */
    const uint8_t *queue_types;  /* Of each queue of a port; NULL: ALL. */
    uint32_t n_pgs;              /* Per port; 0: 8. */
    uint64_t memory_kb;          /* TOTAL_BUFFER_SIZE; 0: 16384. */
    uint32_t max_headroom_bytes; /* QOS_MAXIMUM_HEADROOM_SIZE of each port, 0:
                                  * it is not implemented. */
    bool has_groups;             /* Ports have scheduler groups:
                                    vendors/objects/port_family.h. */
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

/* A call that is about to be carried out. */
struct store_call {
    uint64_t number; /* Of this call, counted from 1, all kinds together. */
    enum store_op op;
    sai_object_type_t type;
    sai_object_id_t oid; /* SAI_NULL_OBJECT_ID for create. */

    /* The attributes of a create, the one of a set, those asked by a get;
     * NULL for the others. */
    uint32_t n;
    const sai_attribute_t *attributes;
};

/* Further answers of a hook, besides SAI's statuses.  The store "crashes":
 * from then on every call fails with SAI_STATUS_FAILURE and does nothing,
 * until store_resume().  This very call is not carried out, or is carried out
 * although its caller is told that it failed. */
#define STORE_STOP_BEFORE ((sai_status_t)1)
#define STORE_STOP_AFTER  ((sai_status_t)2)

/* Decides on a call: SAI_STATUS_SUCCESS lets it happen, another status makes
 * it fail with that.  Must not call into the store, except to dump it. */
typedef sai_status_t store_hook_fn(void *context,
                                   const struct store_call *call);

/* Installs 'hook' (NULL: none) for all calls from now on. */
void store_set_hook(struct store *store, store_hook_fn *hook, void *context);

/* Ends a stop.  Objects are as the last call that was carried out left them. */
void store_resume(struct store *store);

/* Returns whether a hook has stopped the store. */
bool store_stopped(const struct store *store);

/* Looking ------------------------------------------------------------- */

/* Returns how many calls of one kind were made, failed ones included. */
uint64_t store_calls(const struct store *store, enum store_op op);

/* Returns how many calls were about several objects at once.  Each object of
 * them is counted as a call above, and is one to the hook. */
uint64_t store_bulk_calls(const struct store *store);

/* Returns how many objects of 'type' exist. */
uint32_t store_count(const struct store *store, sai_object_type_t type);

/* Returns the type of object 'oid', SAI_OBJECT_TYPE_NULL if there is none. */
sai_object_type_t store_type_of(const struct store *store, sai_object_id_t oid);

/* Returns the state in the form of vendors/objects/dump.h.  Two stores with
 * equal texts hold the same, whatever happened before.  The caller frees it. */
char *store_dump(const struct store *store);

#endif /* vendors/store/store.h */
