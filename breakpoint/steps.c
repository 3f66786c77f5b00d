/* SPDX-License-Identifier: Apache-2.0 */

/* The table of all steps, and the steps that act on the switch. */

#include <config.h>

#include "breakpoint/steps.h"

#include <libfyaml.h>
#include <string.h>

#include "base/arena.h"
#include "base/pfc.h"

#define HOUR_NS (INT64_C(3600) * 1000 * 1000 * 1000)

static const char *const block_words[] = {
#define X(member, word) word,
    TARGET_BLOCK_LIST(X)
#undef X
        NULL,
};

/* "block" as written in a scenario. */
struct block_yaml {
    struct fy_node *ports, *queues;
    int way;
};

static const struct map_key block_keys[] = {
    {"ports", MAP_KEY_NODE, true, offsetof(struct block_yaml, ports), 0, 0,
     NULL},
    {"by", MAP_KEY_WORD, false, offsetof(struct block_yaml, way), 0, 0,
     block_words},
    {"queues", MAP_KEY_NODE, false, offsetof(struct block_yaml, queues), 0, 0,
     NULL},
};

/* Reads "block" and "unblock": a port, a list of ports, or a map with the ports
 * and the way to block them. */
static enum st
load_block(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct block_yaml form = {.ports = node, .way = TARGET_BLOCK_TX_ENABLE};
    struct target_block *blocks;
    const char *const *names = NULL;
    uint32_t queues = 0xff;
    uint64_t seen;
    size_t n = 0;
    bool by_queue;
    enum st st = ST_OK;

    if (node && fy_node_is_mapping(node)) {
        st = loader_map(loader, node, step_verb(step->kind), block_keys,
                        N_MAP_KEYS(block_keys), &form, &seen);
    }
    by_queue = form.way == TARGET_BLOCK_QUEUE_SCHEDULER ||
               form.way == TARGET_BLOCK_QUEUE_PIR;
    if (!st && form.queues && !by_queue) {
        st = document_fail(loader->document, form.queues, loader->err,
                           "queues needs by: queue_scheduler or by: queue_pir");
    }
    if (!st && form.queues) {
        st = loader_bits(loader, form.queues, "queues", 32, &queues);
    }
    st = st ? st : loader_names(loader, form.ports, &names, &n);
    blocks = arena_alloc(loader->arena, n + 1, sizeof *blocks);
    for (size_t i = 0; !st && i < n; i++) {
        blocks[i] = (struct target_block){
            names[i], (enum target_block_way)form.way, by_queue ? queues : 0,
            step->kind == STEP_BLOCK};
    }
    step->block.blocks = blocks;
    step->block.n = n;
    return st;
}

/* An amount of time as written in a scenario: the sum of all units. */
struct time_yaml {
    int64_t s, ms, us, ns;
};

/* One key of a time, and all keys, for a struct that has a struct time_yaml
 * 'time'. */
#define TIME(type, key, member, max)                                           \
    {                                                                          \
        key, MAP_KEY_NUMBER, false, offsetof(type, member), 0, max, NULL       \
    }
#define TIME_KEYS(type, time)                                                  \
    TIME(type, "s", time.s, 3600), TIME(type, "ms", time.ms, 3600000),         \
        TIME(type, "us", time.us, HOUR_NS / 1000),                             \
        TIME(type, "ns", time.ns, HOUR_NS)

/* Reads "run" and "wait". */
static enum st
load_run(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct run_yaml {
        struct time_yaml time;
    } form = {{0, 0, 0, 0}};
    static const struct map_key keys[] = {TIME_KEYS(struct run_yaml, time)};
    uint64_t seen;
    enum st st = loader_map(loader, node, step_verb(step->kind), keys,
                            N_MAP_KEYS(keys), &form, &seen);

    if (!st && !seen) {
        st = document_fail(loader->document, node, loader->err,
                           "%s needs s, ms, us or ns", step_verb(step->kind));
    }
    step->run_ns =
        (uint64_t)(form.time.s * 1000000000 + form.time.ms * 1000000 +
                   form.time.us * 1000 + form.time.ns);
    return st;
}

/* Accepts "settle:" without a value as the bare word. */
static enum st
load_word(struct loader *loader, struct fy_node *node, struct step *step)
{
    if (node && !fy_node_is_null(node)) {
        return document_fail(loader->document, node, loader->err,
                             "expected nothing after %s",
                             step_verb(step->kind));
    }
    return ST_OK;
}

/* Reads "say", a text to print.  Parameters in it are replaced, so that it can
 * show computed numbers. */
static enum st
load_say(struct loader *loader, struct fy_node *node, struct step *step)
{
    return loader_text(loader, node, "say", &step->say);
}

/* A loader_item_fn: adds an object to 'list'. */
static enum st
take_object(struct loader *loader, struct fy_node *node, void *list)
{
    struct target_object object;
    enum st st = loader_object(loader, node, &object);

    if (!st) {
        *(struct target_object *)list_add(list, sizeof object) = object;
    }
    return st;
}

/* Reads "clear_wm".  The objects are not added to the scenario's list, because
 * other steps need not read them. */
static enum st
load_clear(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct list list = {0};
    enum st st = loader_each(loader, node, take_object, &list);

    step->clear.n = list.n;
    step->clear.objects =
        list_take(&list, sizeof(struct target_object), loader->arena);
    return st;
}

/* A loader_item_fn: adds an object to show. */
static enum st
take_shown(struct loader *loader, struct fy_node *node, void *list)
{
    struct target_object object;
    enum st st = loader_object(loader, node, &object);

    if (!st) {
        *(size_t *)list_add(list, sizeof(size_t)) =
            loader_add_object(loader, &object);
    }
    return st;
}

/* Reads "snap".  A name can be used only once, otherwise "vs" would be
 * ambiguous. */
static enum st
load_snap(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct snap_yaml {
        const char *name, *since;
        struct fy_node *show;
    } form = {NULL, NULL, NULL};
    static const struct map_key keys[] = {
        {"name", MAP_KEY_TEXT, false, offsetof(struct snap_yaml, name), 0, 0,
         NULL},
        {"show", MAP_KEY_NODE, false, offsetof(struct snap_yaml, show), 0, 0,
         NULL},
        {"vs", MAP_KEY_TEXT, false, offsetof(struct snap_yaml, since), 0, 0,
         NULL},
    };
    struct list list = {0};
    uint64_t seen;
    enum st st = ST_OK;

    if (node && fy_node_is_scalar(node)) {
        st = loader_text(loader, node, "snap", &form.name);
    } else {
        st = loader_map(loader, node, "snap", keys, N_MAP_KEYS(keys), &form,
                        &seen);
    }
    if (!st && form.show) {
        st = loader_each(loader, form.show, take_shown, &list);
    }
    st = st ? st : loader_check_snap(loader, node, form.since);
    if (!st && form.name) {
        st = loader_add_snap(loader, node, form.name);
    }
    step->snap.name = form.name;
    step->snap.since = form.since;
    step->snap.n_objects = list.n;
    step->snap.objects = list_take(&list, sizeof(size_t), loader->arena);
    return st;
}

/* Reads "cfg": rows to write in the middle of the scenario. */
static enum st
load_cfg(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct step_loader *steps_loader = (struct step_loader *)loader;
    enum st st = config_rows_load(loader, &steps_loader->rows, node);

    if (!st) {
        config_rows_changes(loader, &steps_loader->rows, &step->cfg.rows,
                            &step->cfg.n);
    }
    return st;
}

/* Reads "sai". */
static enum st
load_sai(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct sai_yaml {
        struct fy_node *object, *value;
        const char *attribute;
    } form = {0};
    static const struct map_key keys[] = {
        {"obj", MAP_KEY_NODE, true, offsetof(struct sai_yaml, object), 0, 0,
         NULL},
        {"attr", MAP_KEY_TEXT, true, offsetof(struct sai_yaml, attribute), 0, 0,
         NULL},
        {"value", MAP_KEY_NODE, true, offsetof(struct sai_yaml, value), 0, 0,
         NULL},
    };
    uint64_t seen;
    enum st st =
        loader_map(loader, node, "sai", keys, N_MAP_KEYS(keys), &form, &seen);

    st = st ? st : loader_object(loader, form.object, &step->set.object);
    step->set.attribute = form.attribute;
    return st ? st
              : values_any(loader->values, form.value, "value",
                           &step->set.value, loader->err);
}

/* Reads "acl". */
static enum st
load_acl(struct loader *loader, struct fy_node *node, struct step *step)
{
    static const struct map_key keys[] = {
        {"port", MAP_KEY_TEXT, true, offsetof(struct target_acl, port), 0, 0,
         NULL},
        {"match", MAP_KEY_TEXT, false, offsetof(struct target_acl, match), 0, 0,
         NULL},
        {"action", MAP_KEY_TEXT, true, offsetof(struct target_acl, action), 0,
         0, NULL},
    };
    uint64_t seen;

    step->acl.match = "any";
    return loader_map(loader, node, "acl", keys, N_MAP_KEYS(keys), &step->acl,
                      &seen);
}

/* Reads "peer". */
static enum st
load_peer(struct loader *loader, struct fy_node *node, struct step *step)
{
    const struct step_loader *steps_loader = (const struct step_loader *)loader;
    struct peer_yaml {
        const char *port;
        struct fy_node *obeys;
        int64_t global, cable, response, hosts;
    } form = {.cable = -1};
    static const struct map_key keys[] = {
        {"port", MAP_KEY_TEXT, true, offsetof(struct peer_yaml, port), 0, 0,
         NULL},
        {"obeys", MAP_KEY_NODE, false, offsetof(struct peer_yaml, obeys), 0, 0,
         NULL},
        {"obeys_global", MAP_KEY_NUMBER, false,
         offsetof(struct peer_yaml, global), 0, 1, NULL},
        {"cable", MAP_KEY_NUMBER, false, offsetof(struct peer_yaml, cable), 0,
         100000, NULL},
        {"response_ns", MAP_KEY_NUMBER, false,
         offsetof(struct peer_yaml, response), 0, INT64_C(1000000000), NULL},
        {"hosts", MAP_KEY_NUMBER, false, offsetof(struct peer_yaml, hosts), 1,
         TARGET_HOSTS_MAX, NULL},
    };
    uint64_t seen;
    uint32_t obeys = 0;
    enum st st =
        loader_map(loader, node, "peer", keys, N_MAP_KEYS(keys), &form, &seen);

    if (!st && form.obeys) {
        st = loader_bits(loader, form.obeys, "obeys", PFC_N_PRIORITIES, &obeys);
    }
    if (st) {
        return st;
    }
    step->peer.port = form.port;
    step->peer.cable_m =
        form.cable >= 0 ? (uint32_t)form.cable
                        : topology_cable(&steps_loader->topology, form.port);
    step->peer.obeys = (uint8_t)obeys;
    step->peer.obeys_global = form.global != 0;
    step->peer.response_ns = (uint64_t)form.response;
    step->peer.n_hosts = (uint32_t)form.hosts;
    return ST_OK;
}

/* --- The table of steps -------------------------------------------------- */

static step_load_fn *const step_loaders[N_STEP_KINDS] = {
    [STEP_SAY] = load_say,
    [STEP_BLOCK] = load_block,
    [STEP_UNBLOCK] = load_block,
    [STEP_SEND] = step_traffic_load_send,
    [STEP_SETTLE] = load_word,
    [STEP_RESTART] = load_word,
    [STEP_RUN] = load_run,
    [STEP_WAIT] = load_run,
    [STEP_WAIT_UNTIL] = step_expect_load_wait_until,
    [STEP_CLEAR_WM] = load_clear,
    [STEP_SNAP] = load_snap,
    [STEP_CFG] = load_cfg,
    [STEP_SAI] = load_sai,
    [STEP_ACL] = load_acl,
    [STEP_PEER] = load_peer,
    [STEP_FLOW] = step_traffic_load_flow,
    [STEP_STOP] = step_traffic_load_stop,
    [STEP_STORM] = step_traffic_load_storm,
    [STEP_EXPECT] = step_expect_load,
    [STEP_EXPECT_PFC] = step_expect_load_pfc,
    [STEP_EXPECT_RX] = step_expect_rx_load,
};

/* The keys of a step: a key per verb, stored in an array of nodes in the order
 * of the verbs, and the condition "when". */
static const struct map_key step_keys[] = {
#define X(member, verb)                                                        \
    {verb, MAP_KEY_NODE, false, STEP_##member * sizeof(struct fy_node *), 0,   \
     0,    NULL},
    STEP_LIST(X)
#undef X
#define X(member, operation, name, verb)                                       \
    {verb, MAP_KEY_NODE, false, STEP_##member * sizeof(struct fy_node *), 0,   \
     0,    NULL},
        TARGET_STEP_LIST(X)
#undef X
            {"when", MAP_KEY_NODE, false,
             N_STEP_KINDS * sizeof(struct fy_node *), 0, 0, NULL},
};

/* Reads the verb of a step: "say", another verb, or both. */
static enum st
load_verb(struct loader *loader, struct fy_node *node,
          struct fy_node *const *values, uint64_t seen, struct step *step)
{
    enum st st = ST_OK;

    if (seen & 1) {
        st = load_say(loader, values[STEP_SAY], step);
    }
    if (st || seen == 1) {
        return st;
    }
    seen &= ~UINT64_C(1);
    if (!seen || (seen & (seen - 1))) {
        return document_fail(loader->document, node, loader->err,
                             "expected one verb in a step, found %d",
                             __builtin_popcountll(seen));
    }
    step->kind = (enum step_kind)__builtin_ctzll(seen);
    return step_loaders[step->kind](loader, values[step->kind], step);
}

/* Recognizes a step that is a single word without a value. */
static bool
is_bare(struct fy_node *node, struct step *step)
{
    static const enum step_kind bare[] = {STEP_SETTLE, STEP_RESTART};

    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        if (node && fy_node_is_scalar(node) &&
            fy_node_compare_text(node, step_verb(bare[i]), FY_NT)) {
            step->kind = bare[i];
            return true;
        }
    }
    return false;
}

/* Refuses a single word whose verb needs a value: "- block". */
static enum st
check_bare(struct loader *loader, struct fy_node *node)
{
    for (size_t i = 0; i < N_STEP_KINDS; i++) {
        const char *verb = step_verb((enum step_kind)i);

        if (node && fy_node_is_scalar(node) &&
            fy_node_compare_text(node, verb, FY_NT)) {
            return document_fail(loader->document, node, loader->err,
                                 "%s needs a value: '%s: ...'", verb, verb);
        }
    }
    return ST_OK;
}

/* A loader_item_fn: reads a step, which may be the single word "settle" or
 * "restart". */
static enum st
take_step(struct loader *loader, struct fy_node *node, void *context)
{
    const uint64_t when = UINT64_C(1) << N_STEP_KINDS;
    struct fy_node *values[N_STEP_KINDS + 1] = {NULL};
    struct step_loader *steps_loader = context;
    struct step step = {0};
    int64_t holds = 1;
    uint64_t seen = 0;
    enum st st = ST_OK;

    loader_position(loader, node, &step.place);
    if (!is_bare(node, &step)) {
        st = check_bare(loader, node);
        st = st ? st
                : loader_map(loader, node, "a step", step_keys,
                             N_MAP_KEYS(step_keys), values, &seen);
        if (!st && (seen & when)) {
            st = values_number(loader->values, values[N_STEP_KINDS], "when",
                               INT64_MIN, INT64_MAX, &holds, loader->err);
        }
        if (!st && holds) {
            st = load_verb(loader, node, values, seen & ~when, &step);
        }
    }
    if (!st && holds) {
        *(struct step *)list_add(&steps_loader->steps, sizeof step) = step;
    }
    return st;
}

enum st
steps_load(struct step_loader *steps_loader, struct fy_node *node)
{
    struct loader *loader = &steps_loader->loader;
    enum st st;

    if (!node || !fy_node_is_sequence(node) ||
        !fy_node_sequence_item_count(node)) {
        return document_fail(loader->document, node, loader->err,
                             "expected steps to be a list");
    }
    st = loader_each(loader, node, take_step, steps_loader);
    if (!st && !steps_loader->steps.n) {
        st = document_fail(loader->document, node, loader->err,
                           "no steps are left: all are in empty loops or under "
                           "a 'when' that does not hold");
    }
    return st;
}
