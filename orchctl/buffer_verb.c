/* SPDX-License-Identifier: Apache-2.0 */

/* Asks for "show live" and draws bars of it. */

#include <config.h>

#include "orchctl/buffer_verb.h"

#include <stdio.h>

#include "orchctl/buffer_plot.h"
#include "orchctl/buffer_view.h"
#include "orchctl/picture.h"
#include "orchd/control/protocol.h"

const struct option buffer_verb_options[] = {
    {"plot", OPTION_FILE, "[PICTURE]", 0, 0,
     "draw this .svg, .png or .pdf; without PICTURE, bars of characters"},
    {"figures", OPTION_TEXT, "FOLDER", 0, 0, "folder of templates"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* What to do with the reply, and how that ended. */
struct wish {
    const struct invocation *invocation; /* Of "show buffer". */
    const char *picture;                 /* NULL: print. */
    struct err *err;
    enum st *st;
};

/* Shows the data of the reply to "show live". */
static void
show(const struct invocation *invocation, json_t *data)
{
    const struct wish *wish = invocation->context;
    struct buffer_view view;

    buffer_view_make(data, &view);
    if (invocation->json) {
        verb_print_json(data);
    }
    if (wish->picture) {
        *wish->st =
            buffer_plot_draw(wish->invocation, &view, wish->picture, wish->err);
    } else if (!invocation->json) {
        buffer_view_print(&view);
    }
    buffer_view_fini(&view);
}

int
buffer_verb_run(struct invocation *invocation)
{
    /* The request has the arguments of that verb. */
    static const struct verb live = {.noun = "show", .verb = "live"};
    const char *picture = verb_option(invocation, "plot", NULL);
    struct err err = {0};
    enum st st = picture ? picture_check(picture, &err) : ST_OK;
    const struct wish wish = {invocation, picture, &err, &st};
    struct invocation request = *invocation;
    int code = CONTROL_USAGE;

    if (!st) {
        request.verb = &live;
        request.context = &wish;
        request.arguments = json_object();
        (void)verb_operand_ports(&request, &err);
        code = verb_ask(&request, show);
        json_decref(request.arguments);
    }
    if (st) {
        fflush(stdout);
        verb_complain(&err);
        code = st == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
    }
    return code;
}
