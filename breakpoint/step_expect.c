/* SPDX-License-Identifier: Apache-2.0 */

/* The steps that check counters: "expect", "expect_pfc", "wait_until". */

#include <config.h>

#include <libfyaml.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/pfc.h"
#include "breakpoint/ranges.h"
#include "breakpoint/steps.h"

#define HOUR_US INT64_C(3600000000)

/* --- expect -------------------------------------------------------------- */

/* A claim as written in a scenario. */
struct claim_yaml {
    struct range_yaml range;
    struct fy_node *object;
    const char *stat;
    const char *since;
    const char *at;
    int64_t limit_us, step_us; /* Only in "wait_until". */
};

#define CLAIM(key, kind, required, member)                                     \
    {                                                                          \
        key, MAP_KEY_##kind, required, offsetof(struct claim_yaml, member), 0, \
            0, NULL                                                            \
    }
#define CLAIM_KEYS                                                             \
    RANGES_KEYS(struct claim_yaml, range), CLAIM("obj", NODE, true, object),   \
        CLAIM("stat", TEXT, true, stat), CLAIM("vs", TEXT, false, since)

static const struct map_key expect_keys[] = {
    CLAIM_KEYS,
    {"at", MAP_KEY_TEXT, false, offsetof(struct claim_yaml, at), 0, 0, NULL},
};

static const struct map_key wait_keys[] = {
    CLAIM_KEYS,
    {"limit_us", MAP_KEY_NUMBER, true, offsetof(struct claim_yaml, limit_us), 1,
     HOUR_US, NULL},
    {"step_us", MAP_KEY_NUMBER, false, offsetof(struct claim_yaml, step_us), 1,
     HOUR_US, NULL},
};

/* Makes '*claim' from the keys that were read.  Checks the object and the
 * snapshot before the range, so that the first mistake in the file is the first
 * one reported. */
static enum st
make_claim(struct loader *loader, struct fy_node *node,
           const struct claim_yaml *form, uint64_t seen, struct claim *claim)
{
    struct target_object object;
    char name[160];
    enum st st = loader_object(loader, form->object, &object);

    st = st ? st : loader_check_snap(loader, node, form->since);
    st = st ? st : loader_check_snap(loader, node, form->at);
    if (!st && form->range.trend >= 0 && !form->since) {
        st = document_fail(loader->document, node, loader->err,
                           "trend needs vs, the snap to compare with");
    }
    st = st ? st : ranges_load(loader, node, &form->range, seen, &claim->range);
    if (st) {
        return st;
    }
    target_object_text(&object, name, sizeof name);
    claim->object = loader_add_object(loader, &object);
    claim->stat = form->stat;
    claim->since = form->since;
    claim->at = form->at;
    claim->text =
        loader_format(loader, "%s %s%s%s", name, form->stat,
                      form->at ? " at " : "", form->at ? form->at : "");
    loader_position(loader, node, &claim->place);
    return ST_OK;
}

/* A loader_item_fn: reads one map of "expect". */
static enum st
take_claim(struct loader *loader, struct fy_node *node, void *list)
{
    struct claim_yaml form = {.range = RANGES_NONE};
    struct claim claim = {0};
    uint64_t seen;
    enum st st = loader_map(loader, node, "expect", expect_keys,
                            N_MAP_KEYS(expect_keys), &form, &seen);

    st = st ? st : make_claim(loader, node, &form, seen, &claim);
    if (!st) {
        *(struct claim *)list_add(list, sizeof claim) = claim;
    }
    return st;
}

/* Moves the claims in 'list' to 'step'. */
static void
take_claims(struct loader *loader, struct list *list, struct step *step)
{
    step->expect.n = list->n;
    step->expect.claims = list_take(list, sizeof(struct claim), loader->arena);
}

enum st
step_expect_load(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct list list = {0};
    enum st st = loader_each(loader, node, take_claim, &list);

    take_claims(loader, &list, step);
    return st;
}

/* Reads "wait_until": a claim that has to become true within a time limit. */
enum st
step_expect_load_wait_until(struct loader *loader, struct fy_node *node,
                            struct step *step)
{
    struct claim_yaml form = {.range = RANGES_NONE, .step_us = 10};
    struct claim *claim = arena_alloc(loader->arena, 1, sizeof *claim);
    uint64_t seen;
    enum st st = loader_map(loader, node, "wait_until", wait_keys,
                            N_MAP_KEYS(wait_keys), &form, &seen);

    if (!st && form.limit_us / form.step_us > 1000000) {
        st = document_fail(loader->document, node, loader->err,
                           "limit_us is more than 1000000 steps of step_us");
    }
    st = st ? st : make_claim(loader, node, &form, seen, claim);
    step->until.claim = claim;
    step->until.limit_ns = (uint64_t)form.limit_us * 1000;
    step->until.step_ns = (uint64_t)form.step_us * 1000;
    return st;
}

/* --- expect_pfc ---------------------------------------------------------- */

/* "expect_pfc" as written in a scenario. */
struct pfc_yaml {
    const char *port;
    struct fy_node *priorities;
    int state;
    int frames;
    const char *since, *at;
};

static const char *const pfc_states[] = {"xon", "xoff", NULL};
static const char *const pfc_frames[] = {"stable", "increasing", NULL};

static const struct map_key pfc_keys[] = {
    {"port", MAP_KEY_TEXT, true, offsetof(struct pfc_yaml, port), 0, 0, NULL},
    {"prio", MAP_KEY_NODE, true, offsetof(struct pfc_yaml, priorities), 0, 0,
     NULL},
    {"state", MAP_KEY_WORD, false, offsetof(struct pfc_yaml, state), 0, 0,
     pfc_states},
    {"frames", MAP_KEY_WORD, false, offsetof(struct pfc_yaml, frames), 0, 0,
     pfc_frames},
    {"vs", MAP_KEY_TEXT, false, offsetof(struct pfc_yaml, since), 0, 0, NULL},
    {"at", MAP_KEY_TEXT, false, offsetof(struct pfc_yaml, at), 0, 0, NULL},
};

/* Adds the claims about one priority.  A port has two PFC counters per
 * priority: its state, and the number of PFC frames sent. */
static void
add_pfc(struct loader *loader, const struct pfc_yaml *form, int priority,
        struct claim *claim, struct list *list)
{
    if (form->state >= 0) {
        claim->stat = loader_format(loader, "pfc_%d_xoff", priority);
        claim->since = NULL;
        claim->text =
            loader_format(loader, "port %s PFC %d", form->port, priority);
        claim->range =
            (struct range){form->state, form->state,
                           form->state ? "== XOFF (1)" : "== XON (0)"};
        *(struct claim *)list_add(list, sizeof *claim) = *claim;
    }
    if (form->frames >= 0) {
        claim->stat = loader_format(loader, "pfc_%d_tx_pkts", priority);
        claim->text = loader_format(loader, "port %s pfc_%d_tx_pkts",
                                    form->port, priority);
        claim->since = form->since;
        claim->range = form->frames ? (struct range){1, INT64_MAX, "> 0"}
                                    : (struct range){0, 0, "== 0"};
        *(struct claim *)list_add(list, sizeof *claim) = *claim;
    }
}

/* A loader_item_fn: reads one map of "expect_pfc". */
static enum st
take_pfc(struct loader *loader, struct fy_node *node, void *list)
{
    struct pfc_yaml form = {.state = -1, .frames = -1};
    struct target_object port = {TARGET_PORT, NULL, 0};
    struct claim claim = {0};
    uint32_t priorities = 0;
    uint64_t seen;
    enum st st = loader_map(loader, node, "expect_pfc", pfc_keys,
                            N_MAP_KEYS(pfc_keys), &form, &seen);

    st = st ? st : loader_check_snap(loader, node, form.since);
    st = st ? st : loader_check_snap(loader, node, form.at);
    if (!st && ((form.state < 0 && form.frames < 0) ||
                (form.frames >= 0) != (form.since != NULL))) {
        st =
            document_fail(loader->document, node, loader->err,
                          "expect_pfc needs state, or frames together with vs");
    }
    st = st ? st
            : loader_bits(loader, form.priorities, "prio", PFC_N_PRIORITIES,
                          &priorities);
    if (st) {
        return st;
    }
    port.name = form.port;
    claim.object = loader_add_object(loader, &port);
    claim.at = form.at;
    loader_position(loader, node, &claim.place);
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (priorities >> i & 1) {
            add_pfc(loader, &form, i, &claim, list);
        }
    }
    return ST_OK;
}

enum st
step_expect_load_pfc(struct loader *loader, struct fy_node *node,
                     struct step *step)
{
    struct list list = {0};
    enum st st = loader_each(loader, node, take_pfc, &list);

    take_claims(loader, &list, step);
    return st;
}
