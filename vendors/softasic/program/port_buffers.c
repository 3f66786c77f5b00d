/* SPDX-License-Identifier: Apache-2.0 */

/* Converts lists of profiles to at most one profile per pool and port. */

#include <config.h>

#include "vendors/softasic/program/port_buffers.h"

#include <stdlib.h>

#include "base/check.h"

bool
port_buffers_concern(sai_attr_id_t id)
{
    return id == SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST ||
           id == SAI_PORT_ATTR_QOS_EGRESS_BUFFER_PROFILE_LIST;
}

/* Returns whether 'pool' is an ingress pool. */
static bool
is_ingress(const struct objects_item *pool)
{
    return objects_number(pool, SAI_BUFFER_POOL_ATTR_TYPE) ==
           SAI_BUFFER_POOL_TYPE_INGRESS;
}

/* Enters the profile 'oid' of a list for ingress or egress into 'wanted', by
 * pool. */
static sai_status_t
want(const struct asic *asic, sai_object_id_t oid, bool ingress,
     uint32_t *wanted, struct err *err)
{
    struct objects_item *profile;
    const struct objects_item *pool;

    if (objects_locate(asic->objects, SAI_OBJECT_TYPE_BUFFER_PROFILE, oid,
                       &profile) != SAI_STATUS_SUCCESS) {
        err_set(err, ST_INVALID, "no-profile", "the list names no profile");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    pool = objects_referent(asic->objects, profile,
                            SAI_BUFFER_PROFILE_ATTR_POOL_ID);
    if (!pool) {
        return SAI_STATUS_SUCCESS;
    }
    if (is_ingress(pool) != ingress) {
        err_set(err, ST_INVALID, "direction",
                "the list takes profiles of %s pools",
                ingress ? "ingress" : "egress");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    if (wanted[pool->handle] != MMU_NONE) {
        err_set(err, ST_INVALID, "two-of-a-pool",
                "the list has two profiles of one pool");
        return SAI_STATUS_INVALID_ATTR_VALUE_0;
    }
    wanted[pool->handle] = profile->handle;
    return SAI_STATUS_SUCCESS;
}

/* Returns whether 'pool' of the MMU has the direction of the list. */
static bool
has_direction(const struct asic *asic, uint32_t pool, bool ingress)
{
    for (const struct objects_item *i =
             objects_first(asic->objects, SAI_OBJECT_TYPE_BUFFER_POOL);
         i; i = objects_next(asic->objects, i)) {
        if (i->handle == pool) {
            return is_ingress(i) == ingress;
        }
    }
    return false;
}

/* Programs the profiles 'wanted' of 'port', and stores the previous ones in
 * 'had'. */
static enum st
attach_all(struct asic *asic, uint32_t port, bool ingress,
           const uint32_t *wanted, uint32_t *had, struct err *err)
{
    for (uint32_t i = 0; i < asic->chip->pools; i++) {
        enum st status;

        had[i] = mmu_port_profile(asic->mmu, port, i);
        if (had[i] == wanted[i] || !has_direction(asic, i, ingress)) {
            had[i] = wanted[i];
            continue;
        }
        status = mmu_port_attach(asic->mmu, port, i, wanted[i], err);
        if (status != ST_OK) {
            /* Restore the previous profiles, which fitted. */
            while (i-- > 0) {
                if (had[i] != wanted[i]) {
                    enum st back =
                        mmu_port_attach(asic->mmu, port, i, had[i], NULL);

                    orch_assert(back == ST_OK);
                }
            }
            return status;
        }
    }
    return ST_OK;
}

sai_status_t
port_buffers_set(struct asic *asic, const struct objects_item *port,
                 sai_attr_id_t id, struct err *err)
{
    const sai_attribute_value_t *list = objects_value(port, id);
    const bool ingress = id == SAI_PORT_ATTR_QOS_INGRESS_BUFFER_PROFILE_LIST;
    uint32_t n = asic->chip->pools;
    uint32_t *wanted = check_calloc(2 * n, sizeof *wanted);
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < n; i++) {
        wanted[i] = MMU_NONE;
    }
    for (uint32_t i = 0;
         list && i < list->objlist.count && status == SAI_STATUS_SUCCESS; i++) {
        status = want(asic, list->objlist.list[i], ingress, wanted, err);
    }
    if (status == SAI_STATUS_SUCCESS && port->handle != MMU_NONE &&
        attach_all(asic, port->handle, ingress, wanted, wanted + n, err) !=
            ST_OK) {
        status = SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    free(wanted);
    return status;
}
