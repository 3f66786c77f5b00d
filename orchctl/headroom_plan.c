/* SPDX-License-Identifier: Apache-2.0 */

/* Adds up groups of ports, in cells of one partition. */

#include <config.h>

#include "orchctl/headroom_plan.h"

#include <string.h>

#include "base/cable.h"
#include "base/check.h"

/* What the PGs of the fullest partition take, in cells. */
struct demand_cells {
    uint64_t guarantee;
    uint64_t headroom; /* If all of it is private. */
    uint64_t largest;  /* The largest xoff of a PG. */
    uint64_t extra;    /* Reserved for other use in this partition. */
};

struct headroom_rules
plan_rules(const struct plan_question *question)
{
    const struct platform *platform = question->platform;

    return (struct headroom_rules){
        .formula = platform->headroom,
        .asic = platform_headroom_params(platform, question->chip),
        .traffic = question->traffic,
    };
}

static uint64_t
divide_up(uint64_t dividend, uint64_t divisor)
{
    return (dividend + divisor - 1) / divisor;
}

/* Computes the headroom of each PG of group 'i', and adds what the group takes
 * of a partition to 'cells'. */
static void
add_group(const struct plan_question *question, size_t i,
          struct plan_group_answer *answer, struct demand_cells *cells)
{
    const struct plan_group *group = &question->groups[i];
    const struct chip *chip = question->chip;
    struct headroom_rules rules = plan_rules(question);
    struct headroom *headroom = &answer->headroom;
    uint64_t guarantee, xoff, own, n;

    headroom_compute(&rules, &group->port, false, headroom, NULL);
    guarantee = chip->pg_guarantee == CHIP_GUARANTEE_NONE
                    ? 0
                    : chip_bytes_to_cells_up(chip, headroom->xon);
    xoff = chip_bytes_to_cells_up(chip, headroom->xoff);
    /* Ports that span two pipes reserve another frame if headroom is
     * private. */
    own = chip_bytes_to_cells_up(chip, headroom->size);
    own = own > guarantee + xoff && guarantee ? own - guarantee : xoff;
    n = divide_up(group->n_ports, chip->partitions) * question->n_priorities;
    cells->guarantee += n * guarantee;
    cells->headroom += n * own;
    cells->largest = xoff > cells->largest ? xoff : cells->largest;
    answer->n_pgs = (uint64_t)group->n_ports * question->n_priorities;
    answer->guarantee_bytes = chip_cells_to_bytes(chip, guarantee);
    answer->xoff_bytes = chip_cells_to_bytes(chip, xoff);
    answer->private_bytes =
        answer->n_pgs * chip_cells_to_bytes(chip, guarantee + own);
}

static struct demand_cells
add_groups(const struct plan_question *question, struct plan_answer *answer)
{
    const struct chip *chip = question->chip;
    struct demand_cells cells = {0};

    for (size_t i = 0; i < question->n_groups; i++) {
        add_group(question, i, &answer->groups[i], &cells);
    }
    cells.extra =
        divide_up(chip_bytes_to_cells_up(chip, question->reserved_bytes),
                  chip->partitions);
    return cells;
}

/* Returns the cells of a partition that headroom takes at 'ratio' (0:
 * private). */
static uint64_t
headroom_cells(const struct demand_cells *cells, uint32_t ratio)
{
    uint64_t pool = ratio ? divide_up(cells->headroom, ratio) : cells->headroom;

    return pool > cells->largest ? pool : cells->largest;
}

static uint64_t
partition_cells(const struct chip *chip)
{
    return chip_memory_cells(chip) / chip->partitions;
}

/* Returns the ingress pool size for which the chip shares 'shared' cells in
 * each partition: 'shared' plus what the chip carves out of the pool. */
static uint64_t
pool_cells(const struct chip *chip, const struct demand_cells *cells,
           uint64_t headroom, uint64_t shared)
{
    const struct chip_shared_limit *limit = &chip->shared_limit;
    uint64_t n = chip->partitions;
    uint64_t total = shared * (limit->divided ? n : 1);

    total += limit->minus_shp ? headroom * n : 0;
    total += limit->minus_pg_min ? cells->guarantee * n : 0;
    total += limit->minus_pg_size ? (cells->guarantee + headroom) * n : 0;
    total += (uint64_t)limit->per_port_cells * chip->default_ports;
    return total + (limit->minus_extra ? chip->extra_cells : 0);
}

/* Returns the cells of a partition that are not shared.  Where the pool itself
 * takes its size from the memory, what the chip carves out of the pool is
 * missing as well. */
static uint64_t
needed_cells(const struct chip *chip, const struct demand_cells *cells,
             uint64_t headroom)
{
    return cells->guarantee + headroom + cells->extra +
           (chip->pools_reserve
                ? divide_up(pool_cells(chip, cells, headroom, 0),
                            chip->partitions)
                : 0);
}

static struct plan_room
judge_room(const struct chip *chip, const struct demand_cells *cells,
           uint32_t ratio)
{
    uint64_t headroom = headroom_cells(cells, ratio);
    uint64_t needed = needed_cells(chip, cells, headroom);
    uint64_t n = chip->partitions;
    int64_t left = (int64_t)partition_cells(chip) - (int64_t)needed;

    return (struct plan_room){
        .headroom_bytes = n * chip_cells_to_bytes(chip, headroom),
        .needed_bytes = n * chip_cells_to_bytes(chip, needed),
        .left_bytes = left * (int64_t)n * (int64_t)chip_cells_to_bytes(chip, 1),
        .fits = left > 0, /* Without shared memory nothing is forwarded. */
    };
}

/* Finds the smallest ratio that fits.  A higher ratio never needs more
 * memory. */
static uint32_t
find_min_ratio(const struct chip *chip, const struct demand_cells *cells,
               uint64_t n_pgs)
{
    uint32_t low = 1, high = (uint32_t)n_pgs;

    if (!judge_room(chip, cells, high).fits) {
        return 0;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (judge_room(chip, cells, middle).fits) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Returns whether 'question' fits, without computing anything else. */
static bool
question_fits(const struct plan_question *question)
{
    struct plan_answer scratch;
    struct demand_cells cells = add_groups(question, &scratch);

    return judge_room(question->chip, &cells, question->ratio).fits;
}

struct cable_search {
    struct plan_question question;
    size_t group;
};

static bool
cable_fits(void *context, uint32_t cable_m)
{
    struct cable_search *search = context;

    search->question.groups[search->group].port.cable_m = cable_m;
    return question_fits(&search->question);
}

static void
find_longest_cables(const struct plan_question *question,
                    struct plan_answer *answer)
{
    for (size_t i = 0; i < question->n_groups; i++) {
        struct cable_search search = {*question, i};

        answer->groups[i].some_cable_fits =
            headroom_longest_cable(cable_fits, &search, HEADROOM_CABLE_MAX_M,
                                   &answer->groups[i].longest_cable_m);
    }
}

/* Returns the cells of S that each of 'n' equal PGs holds when all are at their
 * threshold: S / (1/alpha + n). */
static uint64_t
fair_share(uint64_t shared, int exponent, uint64_t n)
{
    return exponent >= 0 ? (shared << exponent) / (1 + (n << exponent))
                         : shared / ((UINT64_C(1) << -exponent) + n);
}

/* Computes the thresholds and the values to configure. */
static void
find_thresholds(const struct plan_question *question,
                const struct demand_cells *cells, struct plan_answer *answer)
{
    const struct chip *chip = question->chip;
    uint64_t headroom = headroom_cells(cells, question->ratio);
    uint64_t shared =
        partition_cells(chip) - needed_cells(chip, cells, headroom);
    uint64_t guarantee = UINT64_MAX, pause;

    if (chip->shared_limit.fixed_bytes &&
        chip_bytes_to_cells(chip, chip->shared_limit.fixed_bytes) < shared) {
        shared = chip_bytes_to_cells(chip, chip->shared_limit.fixed_bytes);
    }
    for (size_t i = 0; i < question->n_groups; i++) {
        uint64_t cell = chip_cells_to_bytes(chip, 1);
        uint64_t own = answer->groups[i].guarantee_bytes / cell;

        guarantee = own < guarantee ? own : guarantee;
        answer->groups[i].n_at_once =
            headroom / (answer->groups[i].xoff_bytes / cell);
    }
    pause = guarantee +
            fair_share(shared, question->alpha_exponent, question->n_congested);
    answer->shared_limit_bytes = chip_cells_to_bytes(chip, shared);
    answer->pfc_bytes = chip_cells_to_bytes(chip, pause);
    /* One cell less, because chips differ in whether the cell that reaches the
     * threshold counts. */
    answer->kmin_bytes =
        chip_cells_to_bytes(chip, (pause - 1) / question->fan_out);
    answer->pool_size_bytes =
        chip_cells_to_bytes(chip, pool_cells(chip, cells, headroom, shared));
    answer->pool_xoff_bytes =
        chip->pg_guarantee == CHIP_GUARANTEE_SIZE_MINUS_XOFF
            ? 0
            : chip->partitions * chip_cells_to_bytes(chip, headroom);
}

void
plan_answer(const struct plan_question *question, struct plan_answer *answer)
{
    const struct chip *chip = question->chip;
    struct demand_cells cells;

    orch_assert(question->n_groups > 0 && question->n_congested > 0 &&
                question->fan_out > 0);
    memset(answer, 0, sizeof *answer);
    cells = add_groups(question, answer);
    answer->memory_bytes = chip->memory_bytes;
    answer->cell_bytes = chip->cell_bytes;
    answer->n_partitions = chip->partitions;
    for (size_t i = 0; i < question->n_groups; i++) {
        answer->n_pgs += answer->groups[i].n_pgs;
    }
    answer->can_share = chip->pg_guarantee != CHIP_GUARANTEE_SIZE_MINUS_XOFF;
    answer->private_room = judge_room(chip, &cells, 0);
    if (question->ratio) {
        answer->shared_room = judge_room(chip, &cells, question->ratio);
    }
    if (answer->can_share) {
        answer->min_ratio = find_min_ratio(chip, &cells, answer->n_pgs);
    }
    answer->fits = question->ratio
                       ? answer->can_share && answer->shared_room.fits
                       : answer->private_room.fits;
    answer->enough_bytes =
        (question->ratio ? answer->shared_room : answer->private_room)
            .needed_bytes +
        chip->partitions * chip_cells_to_bytes(chip, 1);
    find_longest_cables(question, answer);
    if (answer->fits) {
        find_thresholds(question, &cells, answer);
    }
}

int64_t
plan_round_trip_ns(uint32_t cable_m)
{
    return (int64_t)cable_m * 2 * 1000000 / CABLE_FORMULA_KM_PER_S;
}
