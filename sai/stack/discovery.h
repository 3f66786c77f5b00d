/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_DISCOVERY_H
#define ORCHD_SAI_STACK_DISCOVERY_H

/* Learns from the results of get which objects exist.
 *
 * Objects that the switch creates itself (ports, their queues and priority
 * groups, the default VLAN) become known when a get returns their ids.  Callers
 * have no other way to find them; an id from elsewhere is most likely from a
 * previous run. */

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/stack/registry.h"

/* The registry of the objects, and the backend that knows their types.  Both
 * are borrowed. */
struct discovery {
    struct registry *registry;
    struct sai_backend *inner;
};

/* Adds the objects in 'attribute', which a get of 'item' returned, to the
 * registry, with the references to them.  The metadata know the attribute. */
void discovery_learn(const struct discovery *discovery,
                     struct registry_item *item,
                     const sai_attribute_t *attribute);

#endif /* sai/stack/discovery.h */
