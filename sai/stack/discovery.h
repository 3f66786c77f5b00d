/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_DISCOVERY_H
#define ORCHD_SAI_STACK_DISCOVERY_H

/* Learning from answers which objects there are.
 *
 * Objects that nobody created (ports, their queues and priority groups, the
 * default VLAN) become known when an answer to get names them.  Callers find
 * them in no other way, and an id from elsewhere is most likely one of a former
 * life. */

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/stack/registry.h"

/* Where it is written down, and whom to ask what an object is.  Both are
 * borrowed. */
struct discovery {
    struct registry *registry;
    struct sai_backend *inner;
};

/* Learns what the answer 'attribute' of 'item' tells: of objects, and who
 * refers to them.  Metadata know the attribute. */
void discovery_learn(const struct discovery *discovery,
                     struct registry_item *item,
                     const sai_attribute_t *attribute);

#endif /* sai/stack/discovery.h */
