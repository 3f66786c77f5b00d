/* SPDX-License-Identifier: Apache-2.0 */

/* Scenarios from YAML: one function per verb, each with a table of its keys. */

#include <config.h>

#include "breakpoint/parser.h"

#include <errno.h>
#include <libfyaml.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/document.h"
#include "breakpoint/loader.h"
#include "breakpoint/scenario.h"

#define FRAMES_MAX INT64_C(100000000)

#define N_FORMS(forms) (sizeof(forms) / sizeof(forms)[0])

static const char *const until_words[] = {
#define X(member, word) word,
    TARGET_UNTIL_LIST(X)
#undef X
        NULL,
};

/* Reads "block" and "unblock": a port, a list of ports, or the map {ports} of
 * the catalogues that scenarios are taken from. */
static enum st
load_ports(struct loader *loader, struct fy_node *node, struct step *step)
{
    static const struct form forms[] = {
        {"ports", FORM_NODE, true, 0, 0, 0, NULL},
    };
    struct fy_node *list = node;
    struct items items;
    const char **names;
    uint32_t seen;
    enum st st = ST_OK;

    if (node && fy_node_is_mapping(node)) {
        st = document_map(loader->document, node, step_verb(step->kind), forms,
                          N_FORMS(forms), &list, &seen, loader->err);
    }
    items = items_of(list);
    names = arena_alloc(loader->arena, items.n + 1, sizeof *names);
    for (size_t i = 0; !st && i < items.n; i++) {
        st = document_text(loader->document, items_get(&items, i), "a port",
                           &names[i], loader->err);
    }
    step->ports.names = names;
    step->ports.n = items.n;
    return st;
}

/* "send" as a scenario has it. */
struct send_form {
    const char *from, *to;
    int until;
    int64_t n, limit, size, dscp, ecn;
};

static const struct form send_forms[] = {
    {"n", FORM_NUMBER, false, offsetof(struct send_form, n), 0, FRAMES_MAX,
     NULL},
    {"until", FORM_WORD, false, offsetof(struct send_form, until), 0, 0,
     until_words},
    {"limit", FORM_NUMBER, false, offsetof(struct send_form, limit), 1,
     FRAMES_MAX, NULL},
    {"from", FORM_TEXT, true, offsetof(struct send_form, from), 0, 0, NULL},
    {"to", FORM_TEXT, true, offsetof(struct send_form, to), 0, 0, NULL},
    {"size", FORM_NUMBER, false, offsetof(struct send_form, size), 64, 16383,
     NULL},
    {"dscp", FORM_NUMBER, false, offsetof(struct send_form, dscp), 0, 63, NULL},
    {"ecn", FORM_NUMBER, false, offsetof(struct send_form, ecn), 0, 3, NULL},
};

/* Reads "send".  A count and a condition exclude each other, because a reader
 * could not tell which one ends it; the first two forms are these. */
static enum st
load_send(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct send_form form = {.size = 64, .limit = 1000000};
    uint32_t seen;
    enum st st = document_map(loader->document, node, "send", send_forms,
                              N_FORMS(send_forms), &form, &seen, loader->err);

    if (st) {
        return st;
    }
    if (!(seen & 1) == !(seen & 2)) {
        return document_fail(loader->document, node, loader->err,
                             "send needs either n or until");
    }
    step->send.from = form.from;
    step->send.to = form.to;
    step->send.until = (enum target_until)form.until;
    step->send.count = (uint64_t)(seen & 1 ? form.n : form.limit);
    step->send.size_bytes = (uint32_t)form.size;
    step->send.dscp = (uint8_t)form.dscp;
    step->send.ecn = (uint8_t)form.ecn;
    return ST_OK;
}

/* Reads "run".  Both units may be given and add up. */
static enum st
load_run(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct run_form {
        int64_t ms, us;
    } form = {0, 0};
    static const struct form forms[] = {
        {"ms", FORM_NUMBER, false, offsetof(struct run_form, ms), 1, 3600000,
         NULL},
        {"us", FORM_NUMBER, false, offsetof(struct run_form, us), 1,
         INT64_C(3600000000), NULL},
    };
    uint32_t seen;
    enum st st = document_map(loader->document, node, "run", forms,
                              N_FORMS(forms), &form, &seen, loader->err);

    if (!st && !seen) {
        st = document_fail(loader->document, node, loader->err,
                           "run needs ms or us");
    }
    step->run_ns = (uint64_t)(form.ms * 1000000 + form.us * 1000);
    return st;
}

/* Takes "settle:" with nothing behind it for the bare word. */
static enum st
load_settle(struct loader *loader, struct fy_node *node, struct step *step)
{
    (void)step;
    if (node && !fy_node_is_null(node)) {
        return document_fail(loader->document, node, loader->err,
                             "expected nothing after settle");
    }
    return ST_OK;
}

/* Text for the reader of the run; parameters in it are replaced, so that it can
 * name the numbers that were computed. */
static enum st
load_say(struct loader *loader, struct fy_node *node, struct step *step)
{
    return document_text(loader->document, node, "say", &step->say,
                         loader->err);
}

/* These objects need not be read in other steps, so they do not enter the
 * scenario's list. */
static enum st
load_clear(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct items items = items_of(node);
    struct target_object *objects =
        arena_alloc(loader->arena, items.n + 1, sizeof *objects);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < items.n; i++) {
        st = loader_object(loader, items_get(&items, i), &objects[i]);
    }
    step->clear.objects = objects;
    step->clear.n = items.n;
    return st;
}

/* Reads "snap".  A name can be used once only: with two of them "vs" would not
 * say which is meant. */
static enum st
load_snap(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct snap_form {
        const char *name;
        struct fy_node *show;
    } form = {NULL, NULL};
    static const struct form forms[] = {
        {"name", FORM_TEXT, false, offsetof(struct snap_form, name), 0, 0,
         NULL},
        {"show", FORM_NODE, false, offsetof(struct snap_form, show), 0, 0,
         NULL},
    };
    struct items items;
    size_t *objects;
    uint32_t seen;
    enum st st = document_map(loader->document, node, "snap", forms,
                              N_FORMS(forms), &form, &seen, loader->err);

    if (st) {
        return st;
    }
    if (form.name && loader_has_snap(loader, form.name)) {
        return document_fail(loader->document, node, loader->err,
                             "there is a snap '%s' above already", form.name);
    }
    items = items_of(form.show);
    items.n = form.show ? items.n : 0;
    objects = arena_alloc(loader->arena, items.n + 1, sizeof *objects);
    for (size_t i = 0; i < items.n; i++) {
        struct target_object object;

        st = loader_object(loader, items_get(&items, i), &object);
        if (st) {
            return st;
        }
        objects[i] = loader_add_object(loader, &object);
    }
    if (form.name) {
        loader_add_snap(loader, form.name);
    }
    step->snap.name = form.name;
    step->snap.objects = objects;
    step->snap.n_objects = items.n;
    return ST_OK;
}

static step_load_fn *const step_loaders[N_STEP_KINDS] = {
    [STEP_SAY] = load_say,
    [STEP_BLOCK] = load_ports,
    [STEP_UNBLOCK] = load_ports,
    [STEP_SEND] = load_send,
    [STEP_SETTLE] = load_settle,
    [STEP_RUN] = load_run,
    [STEP_CLEAR_WM] = load_clear,
    [STEP_SNAP] = load_snap,
    [STEP_EXPECT] = claims_load_expect,
    [STEP_EXPECT_PFC] = claims_load_expect_pfc,
    [STEP_EXPECT_RX] = claims_load_expect_rx,
};

/* The forms of a step: a key for each verb, stored in an array of nodes in the
 * order of the verbs. */
static const struct form step_forms[] = {
#define X(member, verb)                                                        \
    {verb, FORM_NODE, false, STEP_##member * sizeof(struct fy_node *),         \
     0,    0,         NULL},
    STEP_LIST(X)
#undef X
};

/* Reads a step: a map of one verb, and "say" besides if there is something to
 * say.  A step may also be the bare word "settle". */
static enum st
load_step(struct loader *loader, struct fy_node *node, struct step *step)
{
    struct fy_node *values[N_STEP_KINDS] = {NULL};
    uint32_t seen;
    enum st st;

    document_place(loader->document, node, &step->line, &step->column);
    if (node && fy_node_is_scalar(node) &&
        fy_node_compare_text(node, step_verb(STEP_SETTLE), FY_NT)) {
        step->kind = STEP_SETTLE;
        return ST_OK;
    }
    st = document_map(loader->document, node, "a step", step_forms,
                      N_STEP_KINDS, values, &seen, loader->err);
    if (!st && (seen & 1)) {
        st = load_say(loader, values[STEP_SAY], step);
    }
    if (st || seen == 1) {
        return st;
    }
    seen &= ~UINT32_C(1);
    if (!seen || (seen & (seen - 1))) {
        return document_fail(loader->document, node, loader->err,
                             "expected one verb in a step, found %d",
                             __builtin_popcount(seen));
    }
    step->kind = (enum step_kind)__builtin_ctz(seen);
    return step_loaders[step->kind](loader, values[step->kind], step);
}

/* The top of the file. */
struct top_form {
    const char *name;
    const char *about;
    struct fy_node *params;
    struct fy_node *steps;
};

/* Reads the steps in order, for names of snapshots must come before their use.
 */
static enum st
load_steps(struct loader *loader, struct fy_node *node,
           struct scenario *scenario)
{
    struct items items = items_of(node);
    struct step *steps = arena_alloc(loader->arena, items.n + 1, sizeof *steps);
    enum st st = ST_OK;

    if (!fy_node_is_sequence(node) || !items.n) {
        return document_fail(loader->document, node, loader->err,
                             "expected steps to be a list");
    }
    for (size_t i = 0; !st && i < items.n; i++) {
        st = load_step(loader, items_get(&items, i), &steps[i]);
    }
    scenario->steps = steps;
    scenario->n_steps = items.n;
    return st;
}

/* Moves the lists of 'loader' into 'scenario'. */
static void
take_lists(const struct loader *loader, struct scenario *scenario)
{
    struct target_object *objects =
        arena_alloc(loader->arena, loader->n_objects + 1, sizeof *objects);
    const char **ports =
        arena_alloc(loader->arena, loader->n_rx_ports + 1, sizeof *ports);

    if (loader->n_objects) {
        memcpy(objects, loader->objects, loader->n_objects * sizeof *objects);
    }
    if (loader->n_rx_ports) {
        memcpy(ports, loader->rx_ports, loader->n_rx_ports * sizeof *ports);
    }
    scenario->objects = objects;
    scenario->n_objects = loader->n_objects;
    scenario->rx_ports = ports;
    scenario->n_rx_ports = loader->n_rx_ports;
}

/* Parameters come before everything that may use them, wherever they stand in
 * the file; so the top is read in two goes. */
static enum st
load_top(struct loader *loader, struct scenario *scenario)
{
    static const struct form forms[] = {
        {"name", FORM_TEXT, false, offsetof(struct top_form, name), 0, 0, NULL},
        {"about", FORM_TEXT, false, offsetof(struct top_form, about), 0, 0,
         NULL},
        {"params", FORM_NODE, false, offsetof(struct top_form, params), 0, 0,
         NULL},
        {"steps", FORM_NODE, true, offsetof(struct top_form, steps), 0, 0,
         NULL},
    };
    struct fy_node *root = document_root(loader->document);
    struct top_form top = {NULL, NULL, NULL, NULL};
    uint32_t seen;
    enum st st = document_map(loader->document, root, "a scenario", forms,
                              N_FORMS(forms), &top, &seen, loader->err);

    if (!st && top.params) {
        st = document_params(loader->document, top.params, loader->err);
    }
    if (st) {
        return st;
    }
    scenario->name = top.name ? top.name : scenario->name;
    scenario->about = top.about;
    return load_steps(loader, top.steps, scenario);
}

/* Returns what of 'file' is its name: "xoff" of "examples/xoff.yaml". */
static const char *
base_name(struct arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');

    return dot && dot != base ? arena_strndup(arena, base, (size_t)(dot - base))
                              : arena_strdup(arena, base);
}

enum st
parser_parse(const char *file, const char *text, size_t length,
             struct scenario **scenario, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct scenario *made = arena_alloc(arena, 1, sizeof *made);
    struct loader loader = {.arena = arena, .err = err};
    enum st st;

    made->arena = arena;
    made->file = arena_strdup(arena, file);
    made->name = base_name(arena, file);
    st = document_open(made->file, text, length, arena, &loader.document, err);
    if (!st) {
        st = load_top(&loader, made);
        take_lists(&loader, made);
    }
    document_close(loader.document);
    loader_fini(&loader);
    if (st) {
        arena_destroy(arena);
        return st;
    }
    *scenario = made;
    return ST_OK;
}

enum st
parser_load(const char *file, struct scenario **scenario, struct err *err)
{
    FILE *stream = fopen(file, "re");
    char *text;
    size_t n;
    enum st st;

    if (!stream) {
        return err_set(err, ST_NOT_FOUND, "file", "cannot read %s: %s", file,
                       strerror(errno));
    }
    text = check_malloc(PARSER_BYTES_MAX + 1);
    n = fread(text, 1, PARSER_BYTES_MAX + 1, stream);
    if (ferror(stream)) {
        st = err_set(err, ST_NOT_FOUND, "file", "cannot read %s: %s", file,
                     strerror(errno));
    } else if (n > PARSER_BYTES_MAX) {
        st = err_set(err, ST_INVALID, "scenario",
                     "%s:1:1: longer than %zu bytes", file, PARSER_BYTES_MAX);
    } else {
        st = parser_parse(file, text, n, scenario, err);
    }
    free(text);
    fclose(stream);
    return st;
}
