/* SPDX-License-Identifier: Apache-2.0 */

/* Compares PFC and credits.  Needs no daemon and no chip. */

#include <config.h>

#include "orchctl/credits_verb.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/credits_need.h"
#include "base/ethernet.h"
#include "base/text.h"
#include "command/grid.h"
#include "orchctl/headroom_parse.h"
#include "orchctl/headroom_plot.h"
#include "orchctl/picture.h"
#include "orchd/control/protocol.h"
#include "orchd/derive/platform.h"

enum {
    DEFAULT_FRAME_BYTES = 1518, /* With FCS. */
    DEFAULT_CELL_BYTES = 256,
    MAX_CELL_BYTES = 65536,
    SHORTEST_AXIS = 100, /* In metres. */
    FASTEST_NAMED_MBPS = 800000,
    QUANTUM_BYTES = 64, /* 512 bit times. */
};

/* The request. */
struct comparison {
    struct credits_link links[PLAN_GROUPS_MAX];
    size_t n;
};

/* Returns the response of a sender by IEEE 802.3 annex 31B.3.7 for
 * 'speed_mbps'.  Where that says nothing, as above 800 Gb/s, the time of the
 * fastest speed that it names. */
static uint32_t
response_bytes(uint32_t speed_mbps)
{
    const uint32_t quanta = platform_pause_quanta(speed_mbps);

    return quanta ? quanta * QUANTUM_BYTES
                  : (uint32_t)((uint64_t)speed_mbps * QUANTUM_BYTES *
                               platform_pause_quanta(FASTEST_NAMED_MBPS) /
                               FASTEST_NAMED_MBPS);
}

/* Reads operand 'i' of 'invocation', a speed and a cable. */
static enum st
read_link(const struct invocation *invocation, size_t i,
          struct credits_link *link, struct err *err)
{
    struct plan_group group = {0};
    enum st st = headroom_parse_group(invocation->operands[i], &group, err);

    if (st) {
        return st;
    }
    if (group.n_ports != 1 || group.port.lanes) {
        return err_set(err, ST_INVALID, "usage",
                       "%s: write a speed and a cable like 400G@300m; the "
                       "numbers are those of one class of one port",
                       invocation->operands[i]);
    }
    *link = (struct credits_link){
        .speed_mbps = group.port.speed_mbps,
        .cable_m = group.port.cable_m,
        .frame_bytes =
            (uint32_t)verb_number(invocation, "frame", DEFAULT_FRAME_BYTES) -
            ETHERNET_FCS_BYTES,
        .cell_bytes =
            (uint32_t)verb_number(invocation, "cell", DEFAULT_CELL_BYTES),
        .spacing_bytes = (uint32_t)verb_number(invocation, "spacing",
                                               CREDITS_DEFAULT_SPACING_BYTES),
        .response_bytes = (uint32_t)verb_number(
            invocation, "peer-response",
            response_bytes(group.port.speed_mbps)),
    };
    return ST_OK;
}

static enum st
read_links(const struct invocation *invocation, struct comparison *comparison,
           struct err *err)
{
    enum st st = ST_OK;

    for (; !st && comparison->n < invocation->n_operands; comparison->n++) {
        st = read_link(invocation, comparison->n,
                       &comparison->links[comparison->n], err);
    }
    return st;
}

static void
print_json(const struct comparison *comparison)
{
    json_t *list = json_array();

    for (size_t i = 0; i < comparison->n; i++) {
        const struct credits_link *link = &comparison->links[i];
        struct credits_need need;

        credits_need(link, &need);
        json_array_append_new(
            list,
            json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "speed_mbps",
                      (json_int_t)link->speed_mbps, "cable_m",
                      (json_int_t)link->cable_m, "peer_response_bytes",
                      (json_int_t)link->response_bytes, "pfc_headroom_bytes",
                      (json_int_t)need.headroom_bytes, "pfc_full_rate_bytes",
                      (json_int_t)(need.headroom_bytes + need.left_bytes),
                      "frame_cell_bytes",
                      (json_int_t)(need.credit_bytes / need.credit_frames),
                      "credit_frames", (json_int_t)need.credit_frames,
                      "credit_bytes", (json_int_t)need.credit_bytes));
    }
    verb_print_json(list);
    json_decref(list);
}

static void
print_table(const struct comparison *comparison)
{
    static const struct grid_column columns[] = {
        {"SPEED Mb/s", true},        {"CABLE m", true},
        {"PFC: HEADROOM", true},     {"AND AT FULL RATE", true},
        {"CREDITS: LOSSLESS", true}, {"AND AT FULL RATE", true},
    };
    struct grid *grid =
        grid_create(columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; i < comparison->n; i++) {
        const struct credits_link *link = &comparison->links[i];
        struct credits_need need;

        credits_need(link, &need);
        grid_line(grid);
        grid_number(grid, link->speed_mbps);
        grid_number(grid, link->cable_m);
        grid_number(grid, (int64_t)need.headroom_bytes);
        grid_number(grid, (int64_t)(need.headroom_bytes + need.left_bytes));
        grid_number(grid, (int64_t)(need.credit_bytes / need.credit_frames));
        grid_number(grid, (int64_t)need.credit_bytes);
    }
    printf("Bytes of buffer of a lossless class, frames of %" PRIu32
           " bytes with FCS, cells of %" PRIu32 ":\n",
           comparison->links[0].frame_bytes + ETHERNET_FCS_BYTES,
           comparison->links[0].cell_bytes);
    grid_print(grid, 2);
    puts(
        "PFC loses frames below its headroom.  By credits nothing is lost with "
        "room for\none frame; with less than a full rate takes, the link is "
        "slower.");
}

/* Return what the link 'context' needs with a cable of 'cable_m':
 * headroom_curve functions. */
static uint64_t
pfc_at(const void *context, uint32_t cable_m)
{
    struct credits_link link = *(const struct credits_link *)context;
    struct credits_need need;

    link.cable_m = cable_m;
    credits_need(&link, &need);
    return need.headroom_bytes;
}

static uint64_t
pfc_full_at(const void *context, uint32_t cable_m)
{
    struct credits_link link = *(const struct credits_link *)context;
    struct credits_need need;

    link.cable_m = cable_m;
    credits_need(&link, &need);
    return need.headroom_bytes + need.left_bytes;
}

static uint64_t
credits_at(const void *context, uint32_t cable_m)
{
    struct credits_link link = *(const struct credits_link *)context;
    struct credits_need need;

    link.cable_m = cable_m;
    credits_need(&link, &need);
    return need.credit_bytes;
}

/* Draws three curves per speed of 'comparison'. */
static enum st
draw(const struct invocation *invocation, const struct comparison *comparison,
     const char *picture, struct err *err)
{
    static const struct {
        const char *name;
        headroom_curve_fn *bytes;
    } kinds[] = {
        {"PFC: headroom", pfc_at},
        {"PFC at full rate", pfc_full_at},
        {"credits at full rate", credits_at},
    };
    enum { N_KINDS = sizeof kinds / sizeof kinds[0] };
    struct headroom_curve curves[PLAN_GROUPS_MAX * N_KINDS];
    struct text names[PLAN_GROUPS_MAX * N_KINDS] = {0};
    struct headroom_picture what = {
        .curves = curves,
        .caption = "buffer of a lossless class by PFC and by credits",
        .unit = "buffer of a class, bytes",
        .end_m = SHORTEST_AXIS,
    };
    enum st st;

    for (size_t i = 0; i < comparison->n; i++) {
        const struct credits_link *link = &comparison->links[i];

        what.end_m = link->cable_m > what.end_m ? link->cable_m : what.end_m;
        for (size_t k = 0; k < N_KINDS; k++) {
            struct text *name = &names[what.n_curves];

            text_addf(name, "%g Gb/s, %s", link->speed_mbps / 1000.0,
                      kinds[k].name);
            curves[what.n_curves++] = (struct headroom_curve){
                text_string(name), kinds[k].bytes, link};
        }
    }
    st = headroom_plot_curves(invocation, &what, picture, err);
    for (size_t i = 0; i < what.n_curves; i++) {
        text_fini(&names[i]);
    }
    return st;
}

int
credits_run(struct invocation *invocation)
{
    const char *picture = verb_option(invocation, "plot", NULL);
    struct comparison comparison = {.n = 0};
    struct err err = {0};

    if ((picture && picture_check(picture, &err)) ||
        read_links(invocation, &comparison, &err)) {
        verb_complain(&err);
        return CONTROL_USAGE;
    }
    if (invocation->json) {
        print_json(&comparison);
    } else {
        print_table(&comparison);
    }
    if (picture && draw(invocation, &comparison, picture, &err)) {
        fflush(stdout);
        verb_complain(&err);
        return CONTROL_NO;
    }
    return CONTROL_DONE;
}

const struct option credits_options[] = {
    {"frame", OPTION_NUMBER, "BYTES", 64, 9216,
     "length of all frames, with FCS (1518)"},
    {"cell", OPTION_NUMBER, "BYTES", 1, MAX_CELL_BYTES,
     "cell of the receiver's buffer (256)"},
    {"peer-response", OPTION_NUMBER, "BYTES", 1, HEADROOM_PEER_MAX_BYTES,
     "bytes that a peer sends until it pauses (IEEE 802.3)"},
    {"spacing", OPTION_NUMBER, "BYTES", CREDITS_MIN_SPACING_BYTES,
     CREDITS_MAX_SPACING_BYTES,
     "distance of two updates of credits on the wire (6400)"},
    {"plot", OPTION_TEXT, "PICTURE", 0, 0,
     "draw the buffer against the length of the cable, as .svg, .png or .pdf"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};
