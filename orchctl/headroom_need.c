/* SPDX-License-Identifier: Apache-2.0 */

/* Estimates the cells that frames in flight fill. */

#include <config.h>

#include "orchctl/headroom_need.h"

#include "base/check.h"
#include "base/ethernet.h"
#include "orchd/derive/terms.h"

enum {
    SHORTEST = 60, /* Without FCS. */
    PAUSE_BYTES = SHORTEST + ETHERNET_WIRE_OVERHEAD_BYTES,
};

/* Returns a term of the headroom of group 'i' according to 'formula', in bytes,
 * rounded up. */
static uint64_t
term_of(const struct plan_question *question, size_t i,
        const struct platform_headroom *formula, const char *name)
{
    struct headroom_rules rules = plan_rules(question);
    struct headroom headroom;
    struct terms terms = {.n = 0};
    const struct term *term;

    rules.formula = formula;
    headroom_compute(&rules, &question->groups[i].port, false, &headroom,
                     &terms);
    term = terms_find(&terms, name);
    orch_assert(term != NULL);
    return (uint64_t)(term->value_milli + 999) / 1000;
}

/* Returns the bytes in flight when the switch decides to pause.  Formulas
 * differ in how they count the cable; "generic" counts it correctly. */
static uint64_t
under_way(const struct plan_question *question, size_t i)
{
    const struct platform_headroom *own = question->platform->headroom;
    const struct platform_headroom *right = platform_find(NULL)->headroom;

    /* The frame that delays the pause frame is longer than its MTU, and sending
     * the pause frame takes time, too. */
    return term_of(question, i, own, "prop") -
           term_of(question, i, own, "cable") +
           term_of(question, i, right, "cable") + ETHERNET_HEADER_BYTES +
           ETHERNET_WIRE_OVERHEAD_BYTES + PAUSE_BYTES;
}

/* Returns what 'bytes' on a wire fill, in packets of 'size': the first packet
 * is already in flight, and the last one, which has started when the pause
 * takes effect, may have size 'last' instead. */
static uint64_t
filled(const struct chip *chip, uint64_t bytes, uint32_t size, uint32_t last)
{
    uint64_t packets = bytes / (size + ETHERNET_WIRE_OVERHEAD_BYTES) + 1;

    return chip_cells_to_bytes(chip, packets * chip_packet_cells(chip, size) +
                                         chip_packet_cells(chip, last));
}

void
headroom_need(const struct plan_question *question, size_t i,
              struct headroom_need *need)
{
    const struct chip *chip = question->chip;
    const struct headroom_rules rules = plan_rules(question);
    const uint32_t sizes[] = {SHORTEST, rules.asic.cell_size_bytes + 1};
    const struct headroom_port *port = &question->groups[i].port;
    const uint32_t mtu = question->traffic.mtu;
    uint64_t bytes = under_way(question, i);
    struct headroom headroom;

    headroom_compute(&rules, port, question->ratio > 0, &headroom, NULL);
    *need = (struct headroom_need){.any_size = mtu};
    if (!question->ratio && !rules.formula->always_shared) {
        need->taken = chip_cells_to_bytes(
            chip, chip_at_speed(&chip->headroom_overhead, port->speed_mbps));
    }
    need->has = headroom.xoff > need->taken ? headroom.xoff - need->taken : 0;
    need->large = need->any = filled(chip, bytes, mtu, mtu);
    for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
        uint64_t all = filled(chip, bytes, sizes[j], mtu);

        if (sizes[j] < mtu && all > need->any) {
            need->any = all;
            need->any_size = sizes[j];
        }
    }
}
