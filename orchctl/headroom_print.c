/* SPDX-License-Identifier: Apache-2.0 */

/* Prints the answer of "headroom plan" for people. */

#include <config.h>

#include "orchctl/headroom_print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "command/grid.h"
#include "orchctl/headroom_lookup.h"
#include "orchctl/headroom_need.h"
#include "orchctl/headroom_plan.h"

static const char *
yes_no(bool yes)
{
    return yes ? "yes" : "no";
}

static void
print_groups(const struct plan_report *report)
{
    static const struct grid_column columns[] = {
        {"PORTS", true},
        {"SPEED Mb/s", true},
        {"CABLE m", true},
        {"RTT ns", true},
        {"PGS", true},
        {"XON BYTES", true},
        {"XOFF BYTES", true},
        {"PRIVATE BYTES", true},
        {"PAUSED AT ONCE", true},
        {"LONGEST CABLE m", true},
    };
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; i < report->question->n_groups; i++) {
        const struct plan_group *group = &report->question->groups[i];
        const struct plan_group_answer *answer = &report->answer->groups[i];

        grid_line(grid);
        grid_number(grid, group->n_ports);
        grid_number(grid, group->port.speed_mbps);
        grid_number(grid, group->port.cable_m);
        grid_number(grid, plan_round_trip_ns(group->port.cable_m));
        grid_number(grid, (int64_t)answer->n_pgs);
        grid_number(grid, (int64_t)answer->guarantee_bytes);
        grid_number(grid, (int64_t)answer->xoff_bytes);
        grid_number(grid, (int64_t)answer->private_bytes);
        if (report->answer->fits) {
            grid_number(grid, (int64_t)answer->n_at_once);
        } else {
            grid_text(grid, NULL);
        }
        if (answer->some_cable_fits) {
            grid_number(grid, answer->longest_cable_m);
        } else {
            grid_text(grid, NULL);
        }
    }
    grid_print(grid, 0);
}

/* Adds a line to the comparison of private and shared headroom. */
static void
add_room(struct grid *grid, const char *kind, const struct plan_room *room)
{
    grid_line(grid);
    grid_text(grid, kind);
    grid_number(grid, (int64_t)room->headroom_bytes);
    grid_number(grid, (int64_t)room->needed_bytes);
    grid_number(grid, room->left_bytes);
    grid_text(grid, yes_no(room->fits));
}

static void
print_rooms(const struct plan_report *report)
{
    static const struct grid_column columns[] = {
        {"HEADROOM", false},      {"BYTES", true},
        {"WITH XON BYTES", true}, {"LEFT TO SHARE BYTES", true},
        {"FITS", false},
    };
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);
    char kind[48];

    add_room(grid, "private", &report->answer->private_room);
    if (report->question->ratio) {
        text_format(kind, sizeof kind, "shared, %" PRIu32 ":1",
                    report->question->ratio);
        add_room(grid, kind, &report->answer->shared_room);
    }
    grid_print(grid, 0);
}

static void
print_line(const char *label, uint64_t bytes, const char *note)
{
    char number[GRID_NUMBER_SIZE];

    printf("%-34s %s bytes%s\n", label, grid_group((int64_t)bytes, number),
           note);
}

/* Prints what a shared headroom pool could change. */
static void
print_sharing(const struct plan_report *report)
{
    const struct plan_answer *answer = report->answer;
    char number[GRID_NUMBER_SIZE];

    if (!answer->can_share) {
        printf("%s has no shared headroom pool.\n",
               report->question->chip->name);
    } else if (answer->min_ratio > 1) {
        printf("The smallest over-subscription that fits is %" PRIu32 ":1.\n",
               answer->min_ratio);
    } else if (!answer->min_ratio) {
        printf("A shared headroom pool does not fit either: it has to hold the "
               "xoff of at least one PG.\n");
    }
    if (!answer->fits) {
        printf("A chip with %s bytes of buffer would be enough.\n",
               grid_group((int64_t)answer->enough_bytes, number));
    }
}

static void
print_thresholds(const struct plan_report *report)
{
    const struct plan_answer *answer = report->answer;
    char label[64];

    print_line("To share, per partition:", answer->shared_limit_bytes, "");
    text_format(label, sizeof label, "PFC at %" PRIu32 " congested PG%s:",
                report->question->n_congested,
                text_plural(report->question->n_congested));
    print_line(label, answer->pfc_bytes, " in each");
    if (answer->kmin_bytes) {
        print_line("ECN marks before, with Kmin up to:", answer->kmin_bytes,
                   "");
    } else {
        printf("PFC fires before a queue is long enough for ECN to mark.\n");
    }
    print_line("Ingress pool, size:", answer->pool_size_bytes, "");
    print_line("Ingress pool, xoff:", answer->pool_xoff_bytes, "");
}

/* Prints why the formula and the table differ at the speed of 'port'. */
static void
print_lookup_reason(const struct headroom_port *port, uint32_t small_percent,
                    const struct lookup_comparison *comparison)
{
    const struct lookup_line *vendor = &comparison->vendor;
    const struct lookup_line *formula = &comparison->formula;
    const int64_t wire = comparison->wire_per_km;
    char a[GRID_NUMBER_SIZE], b[GRID_NUMBER_SIZE];

    if (!comparison->has_lines) {
        printf("  The table has one length at %u Mb/s, which does not show how "
               "it grows.\n",
               port->speed_mbps);
        return;
    }
    printf("  Per metre of cable, which holds %lld bytes in both directions, "
           "the formula\n  reserves %lld bytes and the table %lld: %lld.%lld "
           "and %lld.%lld bytes of buffer for each.\n",
           (long long)(wire / 1000), (long long)(formula->per_km / 1000),
           (long long)(vendor->per_km / 1000),
           (long long)(formula->per_km / wire),
           (long long)(formula->per_km * 10 / wire % 10),
           (long long)(vendor->per_km / wire),
           (long long)(vendor->per_km * 10 / wire % 10));
    printf("  The formula counts %u %% packets of 64 bytes in whole cells "
           "(--small-packets);\n  the table does not say what it counts.\n",
           small_percent);
    printf("  At 0 m the formula reserves %s bytes and the table %s: what the "
           "peer, MAC\n  and pipeline hold, which the formula takes from IEEE "
           "802.3 and the chip file.\n",
           grid_group(formula->base, a), grid_group(vendor->base, b));
}

/* Prints the xoff of the vendor's table beside that of the formula. */
static void
print_lookup(const struct plan_report *report)
{
    const struct plan_question *question = report->question;
    uint32_t explained = 0; /* The speed of the last reason. */

    for (size_t i = 0; report->lookup && i < question->n_groups; i++) {
        const struct headroom_port *port = &question->groups[i].port;
        char a[GRID_NUMBER_SIZE], b[GRID_NUMBER_SIZE];
        struct lookup_comparison comparison;
        struct err err;

        headroom_lookup_compare(question, i, report->answer, report->lookup,
                                &comparison);
        if (!comparison.entry) {
            (void)pg_profile_lookup_explain_missing(
                report->lookup, port->speed_mbps, port->cable_m, &err);
            printf("\nVendor: %s.\n", err.reason);
            continue;
        }
        printf("\nVendor: at %u Mb/s and %u m the formula has xoff %s, and the "
               "lookup table%s%s %s (%+lld %%).\n",
               port->speed_mbps, port->cable_m,
               grid_group((int64_t)comparison.xoff_bytes, a),
               *report->lookup_hwsku ? " of " : "", report->lookup_hwsku,
               grid_group((int64_t)comparison.entry->xoff, b),
               (long long)headroom_lookup_percent(&comparison));
        if (port->speed_mbps != explained) {
            print_lookup_reason(port, question->traffic.small_percent,
                                &comparison);
            explained = port->speed_mbps;
        }
    }
}

/* Warns where the formula grants less than may be needed. */
static void
print_warnings(const struct plan_report *report)
{
    for (size_t i = 0; i < report->question->n_groups; i++) {
        const struct headroom_port *port = &report->question->groups[i].port;
        struct headroom_need need;

        headroom_need(report->question, i, &need);
        if (need.has >= need.any) {
            continue;
        }
        printf("\nWarning: at %u Mb/s and %u m the formula grants %llu bytes",
               port->speed_mbps, port->cable_m,
               (unsigned long long)(need.has + need.taken));
        if (need.taken) {
            printf(", of which the chip takes %llu for itself",
                   (unsigned long long)need.taken);
        }
        printf(".\n");
        if (need.has < need.large) {
            printf("  Packets of %u bytes may need %llu bytes: packets will be "
                   "lost.\n",
                   report->question->traffic.mtu,
                   (unsigned long long)need.large);
        }
        if (need.any > need.large) {
            printf("  A burst of packets of %u bytes may need %llu bytes.\n",
                   need.any_size, (unsigned long long)need.any);
        }
        printf("  %s; see " DOCDIR "/explanation/headroom.md.\n",
               need.taken
                   ? "Share the headroom (--ratio), or configure more xoff"
                   : "Configure more xoff, or use --small-packets 100");
    }
}

void
headroom_print(const struct plan_report *report)
{
    const struct plan_answer *answer = report->answer;
    char memory[GRID_NUMBER_SIZE];

    printf("%s: %s bytes in cells of %" PRIu32 ", %" PRIu32
           " partition%s; headroom by the formula of %s.\n\n",
           report->question->chip->name,
           grid_group((int64_t)answer->memory_bytes, memory),
           answer->cell_bytes, answer->n_partitions,
           text_plural(answer->n_partitions), report->question->platform->name);
    print_groups(report);
    printf("\n");
    print_rooms(report);
    printf("\n");
    if (answer->fits) {
        print_thresholds(report);
    }
    print_sharing(report);
    print_lookup(report);
    print_warnings(report);
    printf("\nThe plan %s.\n", answer->fits ? "fits" : "does not fit");
}
