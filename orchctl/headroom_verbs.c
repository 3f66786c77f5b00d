/* SPDX-License-Identifier: Apache-2.0 */

/* "orchctl headroom ...": what ports and cables need of a chip.  Needs no
 * daemon. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "orchctl/credits_verb.h"
#include "orchctl/headroom_json.h"
#include "orchctl/headroom_lookup.h"
#include "orchctl/headroom_parse.h"
#include "orchctl/headroom_plan.h"
#include "orchctl/headroom_plot.h"
#include "orchctl/headroom_print.h"
#include "orchctl/headroom_rows.h"
#include "orchctl/json_file.h"
#include "orchctl/picture.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "orchd/derive/port_state.h"
#include "orchd/derive/shipped_lookups.h"
#include "orchd/files/lookup_file.h"
#include "twin/chip/yaml/chip_file.h"

#define DEFAULT_CHIPS PKGDATADIR "/chips"

enum { DEFAULT_LOSSLESS_MTU = 1024, ALPHA_MAX = 7 };

/* The request and the data needed to answer it. */
struct request {
    struct plan_question question;
    struct plan_answer answer;
    struct chip *chip;              /* Owned. */
    struct pg_profile_lookup given; /* Of --lookup. */
    struct shipped_lookups shipped;
    const struct pg_profile_lookup *lookup; /* One of these; NULL: none. */
    char lookup_hwsku[64];                  /* Of a shipped one. */
    uint32_t priorities; /* Mask of lossless priorities per port. */
    int dynamic_th;      /* As given, before the chip's map. */
};

/* Converts --alpha by the chip's encoding of dynamic_th. */
static enum st
read_alpha(const struct invocation *invocation, struct request *request,
           struct err *err)
{
    int exponent;

    request->dynamic_th = (int)verb_number(invocation, "alpha", 0);
    exponent = chip_alpha_exponent(request->chip, request->dynamic_th);
    if (exponent < -ALPHA_MAX - 1 || exponent > ALPHA_MAX) {
        return err_set(err, ST_INVALID, "usage",
                       "--alpha %d is not a dynamic threshold of %s",
                       request->dynamic_th, request->chip->name);
    }
    request->question.alpha_exponent = exponent;
    return ST_OK;
}

/* Parses the operands, "32x100G@300m" each, and applies the options for all
 * ports. */
static enum st
read_groups(const struct invocation *invocation, struct request *request,
            struct err *err)
{
    struct plan_question *question = &request->question;

    for (size_t i = 0; i < invocation->n_operands; i++) {
        struct plan_group *group = &question->groups[question->n_groups++];
        enum st st;

        group->port.mtu =
            (uint32_t)verb_number(invocation, "mtu", PORT_DEFAULT_MTU);
        group->port.gearbox_ns =
            (uint32_t)verb_number(invocation, "gearbox", 0);
        group->port.peer_bytes =
            (uint32_t)verb_number(invocation, "peer-response", 0);
        group->port.llr_bytes = (uint32_t)verb_number(invocation, "llr", 0);
        st = headroom_parse_group(invocation->operands[i], group, err);
        if (st) {
            return st;
        }
    }
    return ST_OK;
}

/* Completes the groups with the chip's port parameters. */
static enum st
fit_groups(struct request *request, struct err *err)
{
    uint64_t n_ports = 0;

    for (size_t i = 0; i < request->question.n_groups; i++) {
        struct plan_group *group = &request->question.groups[i];

        if (!group->port.lanes) {
            group->port.lanes = request->chip->lanes_per_port;
        }
        n_ports += group->n_ports;
    }
    if (n_ports > request->chip->ports) {
        return err_set(err, ST_INVALID, "usage",
                       "%s has at most %" PRIu32 " ports, not %" PRIu64,
                       request->chip->name, request->chip->ports, n_ports);
    }
    return ST_OK;
}

/* Selects the platform's rules: the given ones, or those of the chip. */
static enum st
read_platform(const struct invocation *invocation, struct request *request,
              struct err *err)
{
    const char *name = verb_option(invocation, "platform", NULL);

    request->question.platform =
        platform_find(name ? name : request->chip->platform);
    if (name && strcmp(name, request->question.platform->name) != 0) {
        struct choices choices;

        choices_init(&choices, name);
        choices_add_list(&choices, "mellanox, barefoot, vs, generic");
        err_set(err, ST_INVALID, "usage", "unknown platform %s", name);
        return choices_explain(&choices, "platform", err);
    }
    return ST_OK;
}

static bool
matches_chip(const void *chip, const char *hwsku)
{
    return chip_matches(chip, hwsku);
}

/* Reads the vendor's table: the one that the user gives, else the shipped one
 * of a switch with this chip. */
static enum st
read_lookup(const struct invocation *invocation, struct request *request,
            struct err *err)
{
    const char *file = verb_option(invocation, "lookup", NULL);
    enum st st;

    if (file) {
        request->lookup = &request->given;
        return lookup_file_read(file, &request->given, err);
    }
    st = lookup_file_read_shipped(
        verb_option(invocation, "chips", DEFAULT_CHIPS), &request->shipped,
        err);
    request->lookup = shipped_lookups_search(
        &request->shipped, matches_chip, request->chip, request->lookup_hwsku,
        sizeof request->lookup_hwsku);
    return st;
}

/* Parses the command line and then reads the chip file, so that mistakes that
 * do not depend on the chip are reported first. */
static enum st
read_request(const struct invocation *invocation, struct request *request,
             struct err *err)
{
    struct plan_question *question = &request->question;
    enum st st =
        headroom_parse_priorities(verb_option(invocation, "priorities", "3,4"),
                                  &request->priorities, err);

    st = st ? st : read_groups(invocation, request, err);
    st = st ? st
            : chip_file_load(verb_option(invocation, "chips", DEFAULT_CHIPS),
                             verb_option(invocation, "model", "generic"),
                             &request->chip, err);
    st = st ? st : read_lookup(invocation, request, err);
    st = st ? st : read_alpha(invocation, request, err);
    st = st ? st : fit_groups(request, err);
    st = st ? st : read_platform(invocation, request, err);
    if (st) {
        return st;
    }
    question->chip = request->chip;
    question->traffic = (struct headroom_traffic){
        (uint32_t)verb_number(invocation, "lossless-mtu", DEFAULT_LOSSLESS_MTU),
        (uint32_t)verb_number(invocation, "small-packets", 100)};
    for (uint32_t bits = request->priorities; bits; bits &= bits - 1) {
        question->n_priorities++;
    }
    question->ratio = (uint32_t)verb_number(invocation, "ratio", 0);
    question->n_congested = (uint32_t)verb_number(invocation, "congested", 1);
    question->fan_out = (uint32_t)verb_number(invocation, "fan-out", 1);
    question->reserved_bytes = (uint64_t)verb_number(invocation, "reserved", 0);
    return ST_OK;
}

/* Writes the rows of the plan to the file of --emit, if given. */
static enum st
write_rows(const struct invocation *invocation, const struct request *request,
           struct err *err)
{
    const char *file = verb_option(invocation, "emit", NULL);
    json_t *rows;
    enum st st = ST_OK;

    if (!file) {
        return ST_OK;
    }
    if (!request->answer.fits) {
        return err_set(err, ST_NO_RESOURCE, "no-resource",
                       "the plan does not fit, so %s was not written", file);
    }
    rows = headroom_rows(&request->question, &request->answer,
                         request->dynamic_th, request->priorities);
    st = json_file_write(file, rows, 4, err);
    json_decref(rows);
    return st;
}

/* Adds the xoff of the vendor's table to the groups that it covers. */
static void
add_lookup(const struct request *request, json_t *groups)
{
    size_t i;
    json_t *group;

    if (!request->lookup) {
        return;
    }
    json_array_foreach(groups, i, group)
    {
        struct lookup_comparison comparison;

        headroom_lookup_compare(&request->question, i, &request->answer,
                                request->lookup, &comparison);
        if (comparison.entry) {
            if (*request->lookup_hwsku) {
                json_object_set_new(group, "vendor_hwsku",
                                    json_string(request->lookup_hwsku));
            }
            json_object_set_new(
                group, "vendor_xoff_bytes",
                json_integer((json_int_t)comparison.entry->xoff));
            json_object_set_new(
                group, "over_vendor_percent",
                json_integer(headroom_lookup_percent(&comparison)));
        }
    }
}

/* Draws what --plot asks for, if given. */
static enum st
plot(const struct invocation *invocation, const struct request *request,
     const char *picture, struct err *err)
{
    if (picture) {
        return headroom_plot_draw(invocation, &request->question, picture, err);
    }
    if (verb_flag(invocation, "plot") && !invocation->json) {
        putchar('\n');
        headroom_plot_print(&request->question);
    }
    return ST_OK;
}

static int
headroom_plan(struct invocation *invocation)
{
    const char *picture = verb_option(invocation, "plot", NULL);
    struct request *request = check_calloc(1, sizeof *request);
    struct err err = {0};
    int code = CONTROL_USAGE;

    if (picture && picture_check(picture, &err)) {
        verb_complain(&err);
        goto out;
    }
    if (read_request(invocation, request, &err)) {
        verb_complain(&err);
        goto out;
    }
    plan_answer(&request->question, &request->answer);
    if (invocation->json) {
        json_t *object = headroom_json(&request->question, &request->answer);

        add_lookup(request, json_object_get(object, "groups"));
        verb_print_json(object);
        json_decref(object);
    } else {
        headroom_print(&(struct plan_report){&request->question,
                                             &request->answer, request->lookup,
                                             request->lookup_hwsku});
    }
    code = request->answer.fits ? CONTROL_DONE : CONTROL_NO;
    if (write_rows(invocation, request, &err) ||
        plot(invocation, request, picture, &err)) {
        fflush(stdout);
        verb_complain(&err);
        code = CONTROL_NO;
    }
out:
    pg_profile_lookup_fini(&request->given);
    shipped_lookups_fini(&request->shipped);
    chip_file_destroy(request->chip);
    free(request);
    return code;
}

static const struct option plan_options[] = {
    {"model", OPTION_TEXT, "NAME", 0, 0, "chip (generic)"},
    {"chips", OPTION_TEXT, "DIR", 0, 0, "directory of chip files"},
    {"platform", OPTION_TEXT, "NAME", 0, 0,
     "formula: mellanox, barefoot, vs or generic (that of the chip)"},
    {"priorities", OPTION_TEXT, "LIST", 0, 0, "lossless priorities (3,4)"},
    {"mtu", OPTION_NUMBER, "BYTES", 68, 9216, "MTU of the ports (9100)"},
    {"lossless-mtu", OPTION_NUMBER, "BYTES", 1, 9216,
     "MTU of lossless packets (1024)"},
    {"small-packets", OPTION_NUMBER, "PERCENT", 0, 100,
     "share of packets of 64 bytes (100)"},
    {"peer-response", OPTION_NUMBER, "BYTES", 1, HEADROOM_PEER_MAX_BYTES,
     "bytes that a peer sends until it stops (IEEE 802.3)"},
    {"llr", OPTION_NUMBER, "BYTES", 1, HEADROOM_LLR_MAX_BYTES,
     "window of a peer with link-level retry (max_outstanding_bytes)"},
    {"gearbox", OPTION_NUMBER, "NS", 0, HEADROOM_GEARBOX_MAX_NS,
     "delay of a gearbox (0)"},
    {"ratio", OPTION_NUMBER, "N", 0, 65535,
     "over-subscription of a shared headroom pool (0: private)"},
    {"alpha", OPTION_NUMBER, "N", -8, ALPHA_MAX, "dynamic_th of the PGs (0)"},
    {"congested", OPTION_NUMBER, "N", 1, 65535,
     "PGs that are congested at the same time (1)"},
    {"fan-out", OPTION_NUMBER, "N", 1, 65535, "queues that a PG fills (1)"},
    {"reserved", OPTION_NUMBER, "BYTES", 0, INT64_C(1) << 44,
     "memory reserved for lossy traffic and queues (0)"},
    {"lookup", OPTION_TEXT, "FILE", 0, 0,
     "compare with this table of the vendor (pg_profile_lookup.ini or JSON; "
     "that "
     "of a switch with the chip)"},
    {"emit", OPTION_TEXT, "FILE", 0, 0,
     "write the plan as rows for config load"},
    {"plot", OPTION_FILE, "[PICTURE]", 0, 0,
     "draw headroom against the length of the cable, as .svg, .png or .pdf; "
     "without PICTURE, bars of characters"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

const struct verb headroom_verbs[] = {
    {"headroom", "credits", "SPEED@LENGTH...", 1, PLAN_GROUPS_MAX,
     credits_options, "Compare the buffer behind cables by PFC and by credits",
     "Says what a lossless class needs of the receiver's buffer with PFC, and "
     "with\ncredit-based flow control (CBFC).  Needs no orchd.  " DOCDIR
     "/explanation/credits.md\nexplains the numbers.\n"
     "Example: orchctl headroom credits 400G@3m 400G@2km 1600G@10km\n",
     NULL, NULL, credits_run},
    {"headroom", "plan", "[Nx]SPEED[/LANES]@LENGTH...", 1, PLAN_GROUPS_MAX,
     plan_options, "Compute whether a chip can be lossless over cables",
     "An operand is a group of equal ports.  Needs no orchd.  Exits with 1 if "
     "the plan\n"
     "does not fit.  " DOCDIR "/explanation/headroom.md explains the "
     "numbers.\nExample: orchctl headroom plan 32x100G@300m 4x400G/8@40km "
     "--model th3\n",
     NULL, NULL, headroom_plan},
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
};
