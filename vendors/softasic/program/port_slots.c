/* SPDX-License-Identifier: Apache-2.0 */

/* The slots of ports and LAGs. */

#include <config.h>

#include "vendors/softasic/program/port_slots.h"

#include <string.h>

#include "base/check.h"
#include "twin/chip/chip.h"

/* Allocates the first 'n' slots. */
static void
grow(struct asic *asic, uint32_t n)
{
    if (asic->n_slots < n) {
        asic->ports = check_realloc(asic->ports, n * sizeof *asic->ports);
        memset(&asic->ports[asic->n_slots], 0,
               (n - asic->n_slots) * sizeof *asic->ports);
        asic->n_slots = n;
    }
}

void
port_slots_reserve(struct asic *asic, uint32_t n)
{
    grow(asic, n);
    asic->n_ports = asic->n_ports < n ? n : asic->n_ports;
}

void
port_slots_reserve_lags(struct asic *asic)
{
    port_slots_reserve(asic, asic->chip->ports);
    grow(asic, asic->chip->ports + SIM_MAX_LAGS);
}

uint32_t
port_slots_find_free(struct asic *asic)
{
    uint32_t slot = 0;

    while (slot < asic->n_ports && asic->ports[slot].item) {
        slot++;
    }
    if (slot == asic->chip->ports) {
        return MMU_NONE;
    }
    port_slots_reserve(asic, slot + 1);
    return slot;
}
