/* SPDX-License-Identifier: Apache-2.0 */

/* Attaches the profiles of queues and VOQs. */

#include <config.h>

#include "vendors/softasic/program/queue_profiles.h"

#include "twin/switch/sim.h"
#include "vendors/softasic/program/system_port_lookup.h"
#include "vendors/softasic/program/trimming.h"
#include "vendors/softasic/program/wred_profiles.h"

/* Checks that the profile of 'item' is one for queues, also if it has no effect
 * now. */
static enum st
check_direction(const struct asic *asic, const struct objects_item *item,
                struct err *err)
{
    const struct objects_item *profile = objects_referent(
        asic->objects, item, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);
    const struct objects_item *pool =
        profile ? objects_referent(asic->objects, profile,
                                   SAI_BUFFER_PROFILE_ATTR_POOL_ID)
                : NULL;

    return pool && objects_number(pool, SAI_BUFFER_POOL_ATTR_TYPE) !=
                       SAI_BUFFER_POOL_TYPE_EGRESS
               ? err_set(err, ST_INVALID, "direction",
                         "a queue takes a profile of an egress pool")
               : ST_OK;
}

/* Returns the profile in the MMU that applies to 'queue', MMU_NONE if there is
 * none. */
static uint32_t
wanted(const struct asic *asic, const struct objects_item *queue)
{
    const struct objects_item *profile = system_port_lookup_profile(
        asic, queue, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);

    return profile ? profile->handle : MMU_NONE;
}

enum st
queue_profiles_attach(struct asic *asic, const struct objects_item *item,
                      struct err *err)
{
    const struct objects_item *queue = system_port_lookup_filled(asic, item);
    enum st status = check_direction(asic, item, err);

    if (status == ST_OK && queue) {
        status = mmu_queue_attach(asic->mmu, queue->handle, wanted(asic, queue),
                                  err);
        if (status == ST_OK) {
            trimming_set_queue(asic, queue);
        }
    }
    return status;
}

/* Detaches 'queue' from a profile that does not apply to it any more. */
static void
detach_old(struct asic *asic, const struct objects_item *queue)
{
    if (mmu_queue_profile(asic->mmu, queue->handle) != wanted(asic, queue) &&
        mmu_queue_attach(asic->mmu, queue->handle, MMU_NONE, NULL) == ST_OK) {
        trimming_set_queue(asic, queue);
    }
}

/* Programs the profiles that apply to 'queue' now, where they are others. */
static void
attach_new(struct asic *asic, const struct objects_item *queue)
{
    const struct objects_item *wred =
        system_port_lookup_profile(asic, queue, SAI_QUEUE_ATTR_WRED_PROFILE_ID);
    const uint32_t profile = wanted(asic, queue);

    if (mmu_queue_profile(asic->mmu, queue->handle) != profile &&
        mmu_queue_attach(asic->mmu, queue->handle, profile, NULL) == ST_OK) {
        trimming_set_queue(asic, queue);
    }
    if (sim_queue_get_wred(asic->sim, queue->parent->handle, queue->index) !=
        (wred ? wred->data : NULL)) {
        wred_profiles_attach(asic, queue);
    }
}

/* Calls 'visit' for all queues of the ports of the front panel. */
static void
each_queue(struct asic *asic,
           void (*visit)(struct asic *asic, const struct objects_item *queue))
{
    for (uint32_t i = 0; i < asic->n_ports; i++) {
        const struct objects_item *port = asic->ports[i].item;
        const uint32_t n =
            port ? objects_n_children(port, SAI_OBJECT_TYPE_QUEUE) : 0;

        for (uint32_t k = 0; k < n; k++) {
            visit(asic, objects_child(port, SAI_OBJECT_TYPE_QUEUE, k));
        }
    }
}

void
queue_profiles_attach_all(struct asic *asic)
{
    /* All profiles that leave make room for those that come. */
    each_queue(asic, detach_old);
    each_queue(asic, attach_new);
}
