/* SPDX-License-Identifier: Apache-2.0 */

/* The step that checks the frames that left a port: "expect_rx". */

#include <config.h>

#include <libfyaml.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "breakpoint/ranges.h"
#include "breakpoint/steps.h"

#define FRAMES_MAX INT64_C(100000000)

/* The keys by which a scenario selects frames. */
static const struct map_key match_keys[] = {
#define X(member, key, low, high)                                              \
    {key, MAP_KEY_NUMBER, false, FRAME_##member * sizeof(int64_t),             \
     low, high,           NULL},
    FRAME_KEY_LIST(X)
#undef X
};

/* The keys that are known without a trace. */
#define MATCH_COUNTED                                                          \
    (UINT32_C(1) << FRAME_DSCP | UINT32_C(1) << FRAME_QUEUE |                  \
     UINT32_C(1) << FRAME_CE)

/* Reads which frames to match; NULL: all. */
static enum st
load_match(struct loader *loader, struct fy_node *node, const char *what,
           struct frame_match *match)
{
    uint64_t seen = 0;
    enum st st = ST_OK;

    if (node) {
        st = loader_map(loader, node, what, match_keys, N_MAP_KEYS(match_keys),
                        match->values, &seen);
    }
    match->has = (uint32_t)seen;
    return st;
}

/* Appends the selection to 'words': " dscp 3 queue 3". */
static void
match_words(const struct frame_match *match, struct text *words)
{
    for (unsigned int i = 0; i < N_FRAME_KEYS; i++) {
        if (match->has >> i & 1) {
            text_addf(words, " %s %lld", match_keys[i].key,
                      (long long)match->values[i]);
        }
    }
}

/* "expect_rx" as written in a scenario. */
struct rx_yaml {
    struct range_yaml range;
    int64_t n, permille, first, last;
    const char *port, *since;
    struct fy_node *where, *of, *order;
};

/* "n" and "permille" are synonyms of "==". */
static const struct map_key rx_keys[] = {
    RANGES_KEYS(struct rx_yaml, range),
    {"n", MAP_KEY_NUMBER, false, offsetof(struct rx_yaml, n), 0,
     RANGES_VALUE_MAX, NULL},
    {"permille", MAP_KEY_NUMBER, false, offsetof(struct rx_yaml, permille), 0,
     1000, NULL},
    {"port", MAP_KEY_TEXT, true, offsetof(struct rx_yaml, port), 0, 0, NULL},
    {"vs", MAP_KEY_TEXT, false, offsetof(struct rx_yaml, since), 0, 0, NULL},
    {"first", MAP_KEY_NUMBER, false, offsetof(struct rx_yaml, first), 1,
     FRAMES_MAX, NULL},
    {"last", MAP_KEY_NUMBER, false, offsetof(struct rx_yaml, last), 1,
     FRAMES_MAX, NULL},
    {"where", MAP_KEY_NODE, false, offsetof(struct rx_yaml, where), 0, 0, NULL},
    {"of", MAP_KEY_NODE, false, offsetof(struct rx_yaml, of), 0, 0, NULL},
    {"order", MAP_KEY_NODE, false, offsetof(struct rx_yaml, order), 0, 0, NULL},
};

enum {
    SEEN_N = RANGES_N_KEYS,
    SEEN_PERMILLE,
};

/* A loader_item_fn: reads one item of "order". */
static enum st
take_order(struct loader *loader, struct fy_node *node, void *list)
{
    struct frame_match match = {0};
    enum st st = load_match(loader, node, "order", &match);

    if (!st) {
        *(struct frame_match *)list_add(list, sizeof match) = match;
    }
    return st;
}

/* Expands the short forms "n", "permille" and "order". */
static enum st
load_measure(struct loader *loader, struct fy_node *node, struct rx_yaml *form,
             uint64_t *seen, struct rx_claim *claim)
{
    const bool n = *seen >> SEEN_N & 1, permille = *seen >> SEEN_PERMILLE & 1;
    struct list list = {0};
    enum st st = ST_OK;

    claim->is_share = permille || form->of;
    if ((n && claim->is_share) || (form->order && (*seen & 0x7f)) ||
        (form->order && (n || claim->is_share || form->where)) ||
        ((n || permille) && (*seen & 1)) || (form->first && form->last)) {
        return document_fail(
            loader->document, node, loader->err,
            "expect_rx checks either n, or permille, or the order of frames; "
            "of either the first, the last or all frames");
    }
    if (n || permille) {
        *seen |= 1;
        form->range.equal = n ? form->n : form->permille;
    }
    if (form->order) {
        *seen |= 1; /* == 0 */
        st = loader_each(loader, form->order, take_order, &list);
    }
    claim->n_order = list.n;
    claim->order = form->order ? list_take(&list, sizeof(struct frame_match),
                                           loader->arena)
                               : NULL;
    list_fini(&list);
    return st;
}

/* Returns a description of the claim. */
static const char *
claim_words(struct loader *loader, const struct rx_claim *claim)
{
    struct text words = {0};
    const char *text;

    if (claim->is_share) {
        text_add(&words, "permille of ");
    }
    if (claim->first || claim->last) {
        text_addf(
            &words, "%s %llu ", claim->first ? "first" : "last",
            (unsigned long long)(claim->first ? claim->first : claim->last));
    }
    text_addf(&words, "frames out of %sport %s",
              claim->order ? "order at " : "", claim->port);
    match_words(&claim->where, &words);
    if (claim->of.has) {
        text_add(&words, " among");
        match_words(&claim->of, &words);
    }
    text = arena_strdup(loader->arena, text_string(&words));
    text_fini(&words);
    return text;
}

/* Returns whether checking 'claim' needs a trace. */
static bool
needs_trace(const struct rx_claim *claim)
{
    return claim->first || claim->last || claim->order ||
           ((claim->where.has | claim->of.has) & ~MATCH_COUNTED);
}

/* A loader_item_fn: reads one map of "expect_rx". */
static enum st
take_rx(struct loader *loader, struct fy_node *node, void *list)
{
    struct rx_yaml form = {.range = RANGES_NONE};
    struct rx_claim claim = {0};
    uint64_t seen;
    enum st st = loader_map(loader, node, "expect_rx", rx_keys,
                            N_MAP_KEYS(rx_keys), &form, &seen);

    st = st ? st : loader_check_snap(loader, node, form.since);
    st = st ? st : load_match(loader, form.where, "where", &claim.where);
    st = st ? st : load_match(loader, form.of, "of", &claim.of);
    st = st ? st : load_measure(loader, node, &form, &seen, &claim);
    if (!st && !(seen & RANGES_COMPARISONS)) {
        st = document_fail(loader->document, node, loader->err,
                           "expect_rx needs n, permille or order, or one of: "
                           "==, >, >=, <, <=, in");
    }
    st = st ? st : ranges_load(loader, node, &form.range, seen, &claim.range);
    if (st) {
        return st;
    }
    claim.port = form.port;
    claim.since = form.since;
    claim.first = (uint64_t)form.first;
    claim.last = (uint64_t)form.last;
    claim.rx_port = loader_add_rx_port(loader, form.port, needs_trace(&claim));
    claim.text = claim_words(loader, &claim);
    loader_position(loader, node, &claim.place);
    *(struct rx_claim *)list_add(list, sizeof claim) = claim;
    return ST_OK;
}

enum st
step_expect_rx_load(struct loader *loader, struct fy_node *node,
                    struct step *step)
{
    struct list list = {0};
    enum st st = loader_each(loader, node, take_rx, &list);

    step->rx.n = list.n;
    step->rx.claims = list_take(&list, sizeof(struct rx_claim), loader->arena);
    return st;
}
