/* SPDX-License-Identifier: Apache-2.0 */

/* Functions that return SAI_STATUS_NOT_IMPLEMENTED, and tables of them.
 *
 * A client may call any function of SAI.  A NULL slot would crash it.  One
 * function for all slots would do so, too, on a machine where the callee takes
 * arguments off the stack, or under control flow checks.  So there is one
 * function for each signature, and the tables name the right one in every slot.
 * The functions write through none of the pointers they get. */

#include <config.h>

#include "vendors/libsai/stubs.h"

#include <stddef.h>

sai_status_t
stubs_any(void)
{
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_create(sai_object_id_t *oid, sai_object_id_t switch_id, uint32_t n,
             const sai_attribute_t *attributes)
{
    (void)oid;
    (void)switch_id;
    (void)n;
    (void)attributes;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_remove(sai_object_id_t oid)
{
    (void)oid;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_set(sai_object_id_t oid, const sai_attribute_t *attribute)
{
    (void)oid;
    (void)attribute;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_get(sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)
{
    (void)oid;
    (void)n;
    (void)attributes;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_stats(sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
            uint64_t *values)
{
    (void)oid;
    (void)n;
    (void)ids;
    (void)values;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_stats_ext(sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                sai_stats_mode_t mode, uint64_t *values)
{
    (void)oid;
    (void)n;
    (void)ids;
    (void)mode;
    (void)values;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_clear_stats(sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids)
{
    (void)oid;
    (void)n;
    (void)ids;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_mdio_read(sai_object_id_t switch_id, uint32_t device, uint32_t start,
                uint32_t n, uint32_t *values)
{
    (void)switch_id;
    (void)device;
    (void)start;
    (void)n;
    (void)values;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_mdio_write(sai_object_id_t switch_id, uint32_t device, uint32_t start,
                 uint32_t n, const uint32_t *values)
{
    (void)switch_id;
    (void)device;
    (void)start;
    (void)n;
    (void)values;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_bulk_create(sai_object_id_t switch_id, uint32_t n_objects,
                  const uint32_t *n, const sai_attribute_t **attributes,
                  sai_bulk_op_error_mode_t mode, sai_object_id_t *oids,
                  sai_status_t *statuses)
{
    (void)switch_id;
    (void)n_objects;
    (void)n;
    (void)attributes;
    (void)mode;
    (void)oids;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_bulk_remove(uint32_t n_objects, const sai_object_id_t *oids,
                  sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    (void)n_objects;
    (void)oids;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_bulk_set(uint32_t n_objects, const sai_object_id_t *oids,
               const sai_attribute_t *attributes, sai_bulk_op_error_mode_t mode,
               sai_status_t *statuses)
{
    (void)n_objects;
    (void)oids;
    (void)attributes;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_bulk_get(uint32_t n_objects, const sai_object_id_t *oids,
               const uint32_t *n, sai_attribute_t **attributes,
               sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    (void)n_objects;
    (void)oids;
    (void)n;
    (void)attributes;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_recv_packet(sai_object_id_t hostif, sai_size_t *size, void *buffer,
                  uint32_t *n, sai_attribute_t *attributes)
{
    (void)hostif;
    (void)size;
    (void)buffer;
    (void)n;
    (void)attributes;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_send_packet(sai_object_id_t hostif, sai_size_t size, const void *buffer,
                  uint32_t n, const sai_attribute_t *attributes)
{
    (void)hostif;
    (void)size;
    (void)buffer;
    (void)n;
    (void)attributes;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_allocate_packet(sai_object_id_t hostif, sai_size_t size, void **buffer,
                      uint32_t n, const sai_attribute_t *attributes)
{
    (void)hostif;
    (void)size;
    (void)buffer;
    (void)n;
    (void)attributes;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

sai_status_t
stubs_free_packet(sai_object_id_t hostif, void *buffer)
{
    (void)hostif;
    (void)buffer;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
entry_create(const void *entry, uint32_t n, const sai_attribute_t *attributes)
{
    (void)entry;
    (void)n;
    (void)attributes;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
entry_remove(const void *entry)
{
    (void)entry;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
entry_set(const void *entry, const sai_attribute_t *attribute)
{
    (void)entry;
    (void)attribute;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
entry_get(const void *entry, uint32_t n, sai_attribute_t *attributes)
{
    (void)entry;
    (void)n;
    (void)attributes;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
bulk_entry_create(uint32_t n_entries, const void *entries, const uint32_t *n,
                  const sai_attribute_t **attributes,
                  sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    (void)n_entries;
    (void)entries;
    (void)n;
    (void)attributes;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
bulk_entry_remove(uint32_t n_entries, const void *entries,
                  sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    (void)n_entries;
    (void)entries;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
bulk_entry_set(uint32_t n_entries, const void *entries,
               const sai_attribute_t *attributes, sai_bulk_op_error_mode_t mode,
               sai_status_t *statuses)
{
    (void)n_entries;
    (void)entries;
    (void)attributes;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

static sai_status_t
bulk_entry_get(uint32_t n_entries, const void *entries, const uint32_t *n,
               sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,
               sai_status_t *statuses)
{
    (void)n_entries;
    (void)entries;
    (void)n;
    (void)attributes;
    (void)mode;
    (void)statuses;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

/* Tables -------------------------------------------------------------- */

#define SLOT(function) (stubs_fn *)function

/* Groups of slots: the verbs on one object or on several, and counters. */
#define OBJECT                                                                 \
    SLOT(stubs_create), SLOT(stubs_remove), SLOT(stubs_set), SLOT(stubs_get)
#define ENTRY                                                                  \
    SLOT(entry_create), SLOT(entry_remove), SLOT(entry_set), SLOT(entry_get)
#define STATS SLOT(stubs_stats), SLOT(stubs_stats_ext), SLOT(stubs_clear_stats)

#define BULK_LIFE SLOT(stubs_bulk_create), SLOT(stubs_bulk_remove)
#define BULK      BULK_LIFE, SLOT(stubs_bulk_set), SLOT(stubs_bulk_get)

#define BULK_ENTRY_LIFE SLOT(bulk_entry_create), SLOT(bulk_entry_remove)

#define BULK_ENTRY BULK_ENTRY_LIFE, SLOT(bulk_entry_set), SLOT(bulk_entry_get)

#define OBJECTS_4 OBJECT, OBJECT, OBJECT, OBJECT

/* X(API, slots...) in the order of release 1.18.1. */
#define STUBBED(X)                                                             \
    X(ARS, OBJECT)                                                             \
    X(ARS_PROFILE, OBJECT)                                                     \
    X(BFD, OBJECT, STATS)                                                      \
    X(COUNTER, OBJECT, STATS)                                                  \
    X(DTEL, OBJECTS_4, OBJECT)                                                 \
    X(GENERIC_PROGRAMMABLE, OBJECT)                                            \
    X(HASH, OBJECT, OBJECT)                                                    \
    X(ICMP_ECHO, OBJECT, STATS)                                                \
    X(IPMC, ENTRY)                                                             \
    X(IPMC_GROUP, OBJECT, OBJECT, BULK)                                        \
    X(IPSEC, OBJECT, OBJECT, STATS, OBJECT, STATS)                             \
    X(ISOLATION_GROUP, OBJECT, OBJECT)                                         \
    X(L2MC, ENTRY)                                                             \
    X(L2MC_GROUP, OBJECT, OBJECT)                                              \
    X(MACSEC, OBJECT, OBJECT, STATS, OBJECT, STATS, OBJECT, STATS, OBJECT,     \
      STATS)                                                                   \
    X(MCAST_FDB, ENTRY)                                                        \
    X(MPLS, ENTRY, BULK_ENTRY)                                                 \
    X(NAT, ENTRY, BULK_ENTRY, OBJECT)                                          \
    X(POE, OBJECT, OBJECT, OBJECT)                                             \
    X(PREFIX_COMPRESSION, OBJECT, ENTRY, BULK_ENTRY_LIFE)                      \
    X(RPF_GROUP, OBJECT, OBJECT)                                               \
    X(SRV6, OBJECT, BULK_LIFE, STATS, ENTRY, BULK_ENTRY)                       \
    X(STP, OBJECT, OBJECT, BULK_LIFE)                                          \
    X(SYNCE, OBJECT)                                                           \
    X(TAM, OBJECTS_4, OBJECTS_4, OBJECTS_4, BULK_LIFE)                         \
    X(TWAMP, OBJECT, STATS)                                                    \
    X(UDF, OBJECT, OBJECT, OBJECT)

#define ANY_8                                                                  \
    SLOT(stubs_any), SLOT(stubs_any), SLOT(stubs_any), SLOT(stubs_any),        \
        SLOT(stubs_any), SLOT(stubs_any), SLOT(stubs_any), SLOT(stubs_any)

/* Stubs follow every table, see function_tables.h. */
#define X(API, ...) static stubs_fn *const table_##API[] = {__VA_ARGS__, ANY_8};
STUBBED(X)
#undef X

/* The table of APIs whose slots are not known here. */
static stubs_fn *const any_table[STUBS_N_ANY] = {ANY_8, ANY_8, ANY_8, ANY_8,
                                                 ANY_8, ANY_8, ANY_8, ANY_8};

static const struct {
    sai_api_t api;
    uint32_t n; /* Slots of the newest release, without the guards. */
    stubs_fn *const *slots;
} stubbed[] = {
#define X(API, ...)                                                            \
    {SAI_API_##API,                                                            \
     sizeof table_##API / sizeof table_##API[0] - STUBS_N_GUARDS,              \
     table_##API},
    STUBBED(X)
#undef X
};

const void *
stubs_table(sai_api_t api, uint32_t *n)
{
    for (size_t i = 0; i < sizeof stubbed / sizeof stubbed[0]; i++) {
        if (stubbed[i].api == api) {
            if (n) {
                *n = stubbed[i].n;
            }
            return stubbed[i].slots;
        }
    }
    if (n) {
        *n = 0;
    }
    return api > SAI_API_UNSPECIFIED && api < SAI_API_MAX ? any_table : NULL;
}
