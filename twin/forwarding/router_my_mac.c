/* SPDX-License-Identifier: Apache-2.0 */

/* Addresses beyond those of interfaces and routers for which the router takes
 * frames.  There are few, so a list is searched, and only for frames that no
 * address of an interface takes. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "twin/forwarding/router.h"
#include "twin/forwarding/router_state.h"

void
router_my_mac_remove(struct router *router, uint64_t key)
{
    uint32_t kept = 0;

    router_changed__(router);
    for (uint32_t i = 0; i < router->n_my_macs; i++) {
        if (router->my_macs[i].key != key) {
            router->my_macs[kept++] = router->my_macs[i];
        }
    }
    router->n_my_macs = kept;
}

void
router_my_mac_set(struct router *router, const struct router_my_mac *entry)
{
    router_my_mac_remove(router, entry->key);
    router->my_macs = check_realloc(
        router->my_macs, (router->n_my_macs + 1) * sizeof *router->my_macs);
    router->my_macs[router->n_my_macs++] = *entry;
}

uint32_t
router_my_mac_for(const struct router *router, uint32_t port, uint16_t tag,
                  uint16_t vlan, uint64_t mac)
{
    const uint16_t number = vlan ? vlan : tag;

    for (uint32_t i = 0; i < router->n_my_macs; i++) {
        const struct router_my_mac *entry = &router->my_macs[i];

        if ((mac & entry->mask) == (entry->mac & entry->mask) &&
            (entry->port == ROUTER_NONE || entry->port == port) &&
            (entry->vlan == 0 || entry->vlan == number)) {
            return router_attached__(router, port, tag, vlan);
        }
    }
    return ROUTER_NONE;
}
