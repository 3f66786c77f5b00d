/* SPDX-License-Identifier: Apache-2.0 */

/* Sums over what the ASIC holds. */

#include <config.h>

#include "orchd/reconcile/reserved.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/check.h"
#include "orchd/reconcile/graph.h"

struct reserved_profile {
    const struct object *profile; /* Key. */
    size_t n; /* Groups and queues that it is attached to. */
    UT_hash_handle hh;
};

/* Returns whether 'slot' of 'object' attaches a profile to a group or queue. */
static bool
attaches(const struct object *object, const struct slot *slot)
{
    return (object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP &&
            slot->meta->id == SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE) ||
           (object->type == SAI_OBJECT_TYPE_QUEUE &&
            slot->meta->id == SAI_QUEUE_ATTR_BUFFER_PROFILE_ID);
}

/* Returns the shared headroom that 'slot' of 'object' makes. */
static uint64_t
shared_headroom(const struct object *object, const struct slot *slot)
{
    return object->type == SAI_OBJECT_TYPE_BUFFER_POOL &&
                   slot->meta->id == SAI_BUFFER_POOL_ATTR_XOFF_SIZE
               ? slot->value.u64
               : 0;
}

static struct reserved_profile *
find(const struct reserved *reserved, const struct object *profile)
{
    struct reserved_profile *found;

    HASH_FIND_PTR(reserved->profiles, &profile, found);
    return found;
}

void
reserved_add(struct reserved *reserved, const struct object *object,
             const struct slot *slot)
{
    reserved->shared_headroom_bytes += shared_headroom(object, slot);
    for (size_t i = 0; attaches(object, slot) && i < slot->n_targets; i++) {
        struct reserved_profile *profile = find(reserved, slot->targets[i]);

        if (!profile) {
            profile = check_calloc(1, sizeof *profile);
            profile->profile = slot->targets[i];
            HASH_ADD_PTR(reserved->profiles, profile, profile);
        }
        profile->n++;
    }
}

void
reserved_subtract(struct reserved *reserved, const struct object *object,
                  const struct slot *slot)
{
    reserved->shared_headroom_bytes -= shared_headroom(object, slot);
    for (size_t i = 0; attaches(object, slot) && i < slot->n_targets; i++) {
        struct reserved_profile *profile = find(reserved, slot->targets[i]);

        orch_assert(profile);
        if (--profile->n == 0) {
            HASH_DEL(reserved->profiles, profile);
            free(profile);
        }
    }
}

uint64_t
reserved_bytes(const struct reserved *reserved)
{
    uint64_t bytes = reserved->shared_headroom_bytes;

    for (const struct reserved_profile *profile = reserved->profiles; profile;
         profile = profile->hh.next) {
        const sai_attribute_value_t *size = object_value(
            profile->profile, SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE);

        bytes += size ? profile->n * size->u64 : 0;
    }
    return bytes;
}
