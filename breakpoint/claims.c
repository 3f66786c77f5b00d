/* SPDX-License-Identifier: Apache-2.0 */

/* The steps of a scenario that expect something. */

#include <config.h>

#include <libfyaml.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "breakpoint/document.h"
#include "breakpoint/loader.h"

/* Values and margins stay far enough from the ends of 64 bits that adding
 * them cannot overflow. */
#define VALUE_MAX  (INT64_C(1) << 61)
#define MARGIN_MAX (INT64_C(1) << 60)

#define N_PRIORITIES 8

/* "expect" as a scenario has it. */
struct expect_form {
    struct fy_node *object;
    const char *stat;
    const char *since;
    int64_t equal, above, least, below, most, margin;
    struct fy_node *in;
};

/* X(key, member, low, high).  The comparisons of one value, and what they add
 * to it for the lowest and highest value that passes, if they bound it. */
#define BOUND_LIST(X)                                                          \
    X("==", equal, 0, 0)                                                       \
    X(">", above, 1, NO_BOUND)                                                 \
    X(">=", least, 0, NO_BOUND)                                                \
    X("<", below, NO_BOUND, -1)                                                \
    X("<=", most, NO_BOUND, 0)
#define NO_BOUND INT64_MAX

static const struct form expect_forms[] = {
#define X(key, member, low, high)                                              \
    {key,        FORM_NUMBER, false, offsetof(struct expect_form, member),     \
     -VALUE_MAX, VALUE_MAX,   NULL},
    BOUND_LIST(X)
#undef X
        {"in", FORM_NODE, false, offsetof(struct expect_form, in), 0, 0, NULL},
    {"obj", FORM_NODE, true, offsetof(struct expect_form, object), 0, 0, NULL},
    {"stat", FORM_TEXT, true, offsetof(struct expect_form, stat), 0, 0, NULL},
    {"vs", FORM_TEXT, false, offsetof(struct expect_form, since), 0, 0, NULL},
    {"margin", FORM_NUMBER, false, offsetof(struct expect_form, margin), 0,
     MARGIN_MAX, NULL},
};

/* Where in expect_forms a bound's key is. */
static const struct bound {
    const char *key;
    size_t offset;
    int64_t low, high;
} bounds[] = {
#define X(key, member, low, high)                                              \
    {key, offsetof(struct expect_form, member), low, high},
    BOUND_LIST(X)
#undef X
};

#define N_BOUNDS       (sizeof bounds / sizeof bounds[0])
#define N_FORMS(forms) (sizeof(forms) / sizeof(forms)[0])

/* Narrows 'range' to 'low'..'high' widened by 'margin'. */
static void
range_narrow(struct range *range, int64_t low, int64_t high, int64_t margin)
{
    if (low != INT64_MIN && low - margin > range->low) {
        range->low = low - margin;
    }
    if (high != INT64_MAX && high + margin < range->high) {
        range->high = high + margin;
    }
}

/* Takes "in: [a, b]" into 'range' and 'words'. */
static enum st
load_interval(struct loader *loader, struct fy_node *node, int64_t margin,
              struct range *range, struct text *words)
{
    struct items items = items_of(node);
    int64_t ends[2];
    enum st st;

    if (!node || !fy_node_is_sequence(node) || items.n != 2) {
        return document_fail(loader->document, node, loader->err,
                             "expected in to be [lowest, highest]");
    }
    for (size_t i = 0; i < 2; i++) {
        st = document_number(loader->document, items_get(&items, i), "in",
                             -VALUE_MAX, VALUE_MAX, &ends[i], loader->err);
        if (st) {
            return st;
        }
    }
    if (ends[0] > ends[1]) {
        return document_fail(loader->document, node, loader->err,
                             "expected in to be [lowest, highest], it is "
                             "[%lld, %lld]",
                             (long long)ends[0], (long long)ends[1]);
    }
    range_narrow(range, ends[0], ends[1], margin);
    text_addf(words, "%sin [%lld, %lld]", words->length ? " and " : "",
              (long long)ends[0], (long long)ends[1]);
    return ST_OK;
}

/* Turns the comparisons in 'form', of which 'seen' were given, into a range. */
static enum st
load_range(struct loader *loader, struct fy_node *node,
           const struct expect_form *form, uint32_t seen, struct range *range)
{
    struct text words = {0};
    enum st st = ST_OK;

    range->low = INT64_MIN;
    range->high = INT64_MAX;
    for (size_t i = 0; i < N_BOUNDS; i++) {
        const struct bound *bound = &bounds[i];
        int64_t value;

        if (!(seen & (UINT32_C(1) << i))) {
            continue;
        }
        memcpy(&value, (const char *)form + bound->offset, sizeof value);
        range_narrow(range,
                     bound->low == NO_BOUND ? INT64_MIN : value + bound->low,
                     bound->high == NO_BOUND ? INT64_MAX : value + bound->high,
                     form->margin);
        text_addf(&words, "%s%s %lld", words.length ? " and " : "", bound->key,
                  (long long)value);
    }
    if (seen & (UINT32_C(1) << N_BOUNDS)) {
        st = load_interval(loader, form->in, form->margin, range, &words);
    }
    if (!st && !words.length) {
        st = document_fail(loader->document, node, loader->err,
                           "expect needs one of: ==, >, >=, <, <=, in");
    }
    if (form->margin) {
        text_addf(&words, " +-%lld", (long long)form->margin);
    }
    range->text = arena_strdup(loader->arena, text_string(&words));
    text_fini(&words);
    return st;
}

/* Checks that a claim's 'since' names a snapshot taken above it. */
static enum st
check_since(struct loader *loader, struct fy_node *node, const char *since)
{
    if (since && !loader_has_snap(loader, since)) {
        return document_fail(loader->document, node, loader->err,
                             "no snap above this has the name '%s'", since);
    }
    return ST_OK;
}

/* Reads one map of "expect".  The object and the snapshot are checked before
 * the range, so that the first thing wrong in the file is the first that is
 * reported. */
static enum st
load_claim(struct loader *loader, struct fy_node *node, struct claim *claim)
{
    struct expect_form form = {0};
    struct target_object object;
    char name[160];
    uint32_t seen;
    enum st st = document_map(loader->document, node, "expect", expect_forms,
                              N_FORMS(expect_forms), &form, &seen, loader->err);

    st = st ? st : loader_object(loader, form.object, &object);
    st = st ? st : check_since(loader, node, form.since);
    st = st ? st : load_range(loader, node, &form, seen, &claim->range);
    if (st) {
        return st;
    }
    target_object_text(&object, name, sizeof name);
    claim->object = loader_add_object(loader, &object);
    claim->stat = form.stat;
    claim->since = form.since;
    claim->text = loader_format(loader, "%s %s", name, form.stat);
    document_place(loader->document, node, &claim->line, &claim->column);
    return ST_OK;
}

enum st
claims_load_expect(struct loader *loader, struct fy_node *node,
                   struct step *step)
{
    struct items items = items_of(node);
    struct claim *claims =
        arena_alloc(loader->arena, items.n + 1, sizeof *claims);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < items.n; i++) {
        st = load_claim(loader, items_get(&items, i), &claims[i]);
    }
    step->expect.claims = claims;
    step->expect.n = items.n;
    return st;
}

/* "expect_pfc" as a scenario has it. */
struct pfc_form {
    const char *port;
    int64_t priority;
    int state;
    int frames;
    const char *since;
};

static const char *const pfc_states[] = {"xon", "xoff", NULL};
static const char *const pfc_frames[] = {"stable", "increasing", NULL};

static const struct form pfc_forms[] = {
    {"port", FORM_TEXT, true, offsetof(struct pfc_form, port), 0, 0, NULL},
    {"prio", FORM_NUMBER, true, offsetof(struct pfc_form, priority), 0,
     N_PRIORITIES - 1, NULL},
    {"state", FORM_WORD, false, offsetof(struct pfc_form, state), 0, 0,
     pfc_states},
    {"frames", FORM_WORD, false, offsetof(struct pfc_form, frames), 0, 0,
     pfc_frames},
    {"vs", FORM_TEXT, false, offsetof(struct pfc_form, since), 0, 0, NULL},
};

/* PFC is two counters of a port: its state, and the frames that announce it.
 * So is a claim about it. */
enum st
claims_load_expect_pfc(struct loader *loader, struct fy_node *node,
                       struct step *step)
{
    struct pfc_form form = {.state = -1, .frames = -1};
    struct claim *claims = arena_alloc(loader->arena, 2, sizeof *claims);
    struct target_object port = {TARGET_PORT, NULL, 0};
    struct claim claim = {0};
    uint32_t seen;
    size_t n = 0;
    enum st st = document_map(loader->document, node, "expect_pfc", pfc_forms,
                              N_FORMS(pfc_forms), &form, &seen, loader->err);

    st = st ? st : check_since(loader, node, form.since);
    if (!st && ((form.state < 0 && form.frames < 0) ||
                (form.frames >= 0) != (form.since != NULL))) {
        st = document_fail(loader->document, node, loader->err,
                           "expect_pfc needs state, or frames with vs");
    }
    if (st) {
        return st;
    }
    port.name = form.port;
    claim.object = loader_add_object(loader, &port);
    document_place(loader->document, node, &claim.line, &claim.column);
    if (form.state >= 0) {
        claim.stat = loader_format(loader, "pfc_%d_xoff", (int)form.priority);
        claim.text = loader_format(loader, "port %s PFC %d", form.port,
                                   (int)form.priority);
        claim.range = (struct range){form.state, form.state,
                                     form.state ? "== XOFF (1)" : "== XON (0)"};
        claims[n++] = claim;
    }
    if (form.frames >= 0) {
        claim.stat =
            loader_format(loader, "pfc_%d_tx_pkts", (int)form.priority);
        claim.text = loader_format(loader, "port %s pfc_%d_tx_pkts", form.port,
                                   (int)form.priority);
        claim.since = form.since;
        claim.range = form.frames ? (struct range){1, INT64_MAX, "> 0"}
                                  : (struct range){0, 0, "== 0"};
        claims[n++] = claim;
    }
    step->expect.claims = claims;
    step->expect.n = n;
    return ST_OK;
}

/* "expect_rx" as a scenario has it. */
struct rx_form {
    const char *port;
    int64_t n;
    int64_t margin;
    struct fy_node *where;
};

struct where_form {
    int64_t dscp, queue, ce;
};

static const struct form rx_forms[] = {
    {"port", FORM_TEXT, true, offsetof(struct rx_form, port), 0, 0, NULL},
    {"n", FORM_NUMBER, true, offsetof(struct rx_form, n), 0, VALUE_MAX, NULL},
    {"margin", FORM_NUMBER, false, offsetof(struct rx_form, margin), 0,
     MARGIN_MAX, NULL},
    {"where", FORM_NODE, false, offsetof(struct rx_form, where), 0, 0, NULL},
};

static const struct form where_forms[] = {
    {"dscp", FORM_NUMBER, false, offsetof(struct where_form, dscp), 0, 63,
     NULL},
    {"queue", FORM_NUMBER, false, offsetof(struct where_form, queue), 0, 255,
     NULL},
    {"ce", FORM_NUMBER, false, offsetof(struct where_form, ce), 0, 1, NULL},
};

/* Says which frames: " dscp 3 queue 3". */
static void
where_words(const struct where_form *where, struct text *words)
{
    if (where->dscp >= 0) {
        text_addf(words, " dscp %d", (int)where->dscp);
    }
    if (where->queue >= 0) {
        text_addf(words, " queue %d", (int)where->queue);
    }
    if (where->ce >= 0) {
        text_addf(words, " ce %d", (int)where->ce);
    }
}

/* Reads one map of "expect_rx".  What is not said about the frames matches all
 * of them. */
static enum st
load_rx_claim(struct loader *loader, struct fy_node *node,
              struct rx_claim *claim)
{
    struct where_form where = {-1, -1, -1};
    struct rx_form form = {0};
    struct text words = {0};
    uint32_t seen;
    enum st st = document_map(loader->document, node, "expect_rx", rx_forms,
                              N_FORMS(rx_forms), &form, &seen, loader->err);

    if (!st && form.where) {
        st = document_map(loader->document, form.where, "where", where_forms,
                          N_FORMS(where_forms), &where, &seen, loader->err);
    }
    if (st) {
        return st;
    }
    claim->port = form.port;
    claim->rx_port = loader_add_rx_port(loader, form.port);
    claim->dscp = (int)where.dscp;
    claim->queue = (int)where.queue;
    claim->ce = (int)where.ce;
    claim->range.low = form.n - form.margin;
    claim->range.high = form.n + form.margin;
    claim->range.text =
        form.margin ? loader_format(loader, "== %lld +-%lld", (long long)form.n,
                                    (long long)form.margin)
                    : loader_format(loader, "== %lld", (long long)form.n);
    text_addf(&words, "frames out of port %s", form.port);
    where_words(&where, &words);
    claim->text = arena_strdup(loader->arena, text_string(&words));
    text_fini(&words);
    document_place(loader->document, node, &claim->line, &claim->column);
    return ST_OK;
}

enum st
claims_load_expect_rx(struct loader *loader, struct fy_node *node,
                      struct step *step)
{
    struct items items = items_of(node);
    struct rx_claim *claims =
        arena_alloc(loader->arena, items.n + 1, sizeof *claims);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < items.n; i++) {
        st = load_rx_claim(loader, items_get(&items, i), &claims[i]);
    }
    step->rx.claims = claims;
    step->rx.n = items.n;
    return st;
}
