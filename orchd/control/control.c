/* SPDX-License-Identifier: Apache-2.0 */

/* Connects the servers, the commands and the session. */

#include <config.h>

#include "orchd/control/control.h"

#include <stdlib.h>

#include "base/check.h"
#include "orchd/control/access.h"
#include "orchd/control/audit.h"
#include "orchd/control/command.h"
#include "orchd/control/live.h"
#include "orchd/control/protocol.h"
#include "orchd/control/server.h"
#include "orchd/control/session.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "process/loop.h"
#include "sai/stack/chain.h"

/* A socket, and what its clients may do. */
struct door {
    struct control *control;
    struct server *server; /* NULL: there is none. */
    struct access access;
};

struct control {
    struct command_context context;
    struct door operators, viewers;
};

static const struct server_texts texts = {
    command_text_too_long,
    command_text_too_many,
};

void
control_leave(struct control *control, const struct request *request)
{
    session_leave(control->context.session, request);
    audit_leave(control->context.audit, request);
}

/* Implements server_gone_fn. */
static void
control_gone(void *context, const struct request *request)
{
    const struct door *door = context;

    control_leave(door->control, request);
}

void
control_run(struct control *control, bool views_only, struct request *request,
            const struct command_texts *command)
{
    struct access access = control->operators.access;

    access.views_only = views_only;
    command_run_texts(&control->context, &access, request, command);
}

/* Implements server_line_fn. */
static void
control_line(void *context, struct request *request, const char *line,
             size_t length)
{
    struct door *door = context;

    command_run(&door->control->context, &door->access, request, line, length);
}

bool
control_may_write(const struct control *control, const struct peer *peer)
{
    struct err err;

    return !access_check(&control->operators.access, peer, "", "", &err);
}

/* Listens on one of the sockets. */
static enum st
door_open(struct door *door, struct control *control,
          struct server_options *options, const char *operators,
          struct err *err)
{
    enum st st;

    options->limit = CONTROL_REQUEST_MAX;
    options->texts = &texts;
    options->line = control_line;
    options->context = door;
    door->control = control;
    st = server_create(control->context.loop, control->context.services.log,
                       options, &door->server, err);
    if (!st) {
        access_init(&door->access, operators, options->path != operators);
        server_on_gone(door->server, control_gone);
    }
    return st;
}

enum st
control_create(struct loop *loop, const struct control_sockets *sockets,
               const struct control_services *services,
               struct control **control, struct err *err)
{
    struct control *made = check_calloc(1, sizeof *made);
    struct server_options operators = {
        .name = "control",
        .option = "--control",
        .path = sockets->operators,
        .group = sockets->operators_group,
    };
    struct server_options viewers = {
        .name = "view",
        .option = "--set view_socket",
        .path = sockets->viewers,
        .group = sockets->viewers_group,
    };
    enum st st;

    made->context.loop = loop;
    made->context.state.hold = "";
    made->context.services = *services;
    made->context.audit = audit_create(services->log);
    made->context.query = switch_query_create(services->agent, NULL, NULL);
    made->context.live = live_create(&made->context);
    made->context.session = session_create(&made->context);
    st = door_open(&made->operators, made, &operators, operators.path, err);
    if (!st && sockets->viewers) {
        st = door_open(&made->viewers, made, &viewers, operators.path, err);
    }
    if (st) {
        control_destroy(made);
        return st;
    }
    *control = made;
    return ST_OK;
}

/* Accepts NULL. */
static void
finish(struct server *server)
{
    if (server) {
        server_finish(server);
    }
}

void
control_stop(struct control *control)
{
    if (control) {
        finish(control->operators.server);
        finish(control->viewers.server);
        session_stop(control->context.session);
        control->context.ending = true;
    }
}

void
control_destroy(struct control *control)
{
    if (control) {
        command_abandon(&control->context);
        server_destroy(control->operators.server);
        server_destroy(control->viewers.server);
        session_destroy(control->context.session);
        audit_destroy(control->context.audit);
        live_destroy(control->context.live);
        switch_query_destroy(control->context.query);
        free(control);
    }
}

void
control_attach(struct control *control, struct chain *chain,
               const struct softasic_ops *softasic, const struct chip *chip)
{
    control->context.chain = chain;
    control->context.backend = chain ? chain_backend(chain) : NULL;
    control->context.softasic = chain ? softasic : NULL;
    control->context.chip = chip;
    /* Another library may have other counters. */
    live_reset(control->context.live);
    control->context.live_resets++;
    switch_query_destroy(control->context.query);
    control->context.query = switch_query_create(
        control->context.services.agent, control->context.backend,
        control->context.softasic);
}

bool
control_turn(struct control *control, const struct control_state *state)
{
    control->context.state = *state;
    /* A client that waited may read Redis next: all output must be there. */
    return command_turn(&control->context,
                        !state->coming &&
                            agent_settled(control->context.services.agent) &&
                            redis_idle(control->context.services.redis));
}
