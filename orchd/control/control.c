/* SPDX-License-Identifier: Apache-2.0 */

/* Connects the server, the commands and the session. */

#include <config.h>

#include "orchd/control/control.h"

#include <stdlib.h>

#include "base/check.h"
#include "orchd/control/command.h"
#include "orchd/control/protocol.h"
#include "orchd/control/server.h"
#include "orchd/control/session.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "process/loop.h"
#include "sai/stack/chain.h"

struct control {
    struct command_context context;
    struct server *server;
};

static const struct server_texts texts = {
    command_text_too_long,
    command_text_too_many,
};

/* Implements server_gone_fn. */
static void
control_gone(void *context, const struct request *request)
{
    struct control *control = context;

    session_leave(control->context.session, request);
}

/* Implements server_line_fn. */
static void
control_line(void *context, struct request *request, const char *line,
             size_t length)
{
    struct control *control = context;

    command_run(&control->context, request, line, length);
}

enum st
control_create(struct loop *loop, const char *path,
               const struct control_services *services,
               struct control **control, struct err *err)
{
    struct control *made = check_calloc(1, sizeof *made);
    enum st st;

    made->context.loop = loop;
    made->context.state.hold = "";
    made->context.services = *services;
    made->context.query = switch_query_create(services->agent, NULL, NULL);
    st = server_create(loop_base(loop), path, CONTROL_REQUEST_MAX, &texts,
                       control_line, made, &made->server, err);
    if (st) {
        switch_query_destroy(made->context.query);
        free(made);
        return st;
    }
    made->context.session = session_create(&made->context);
    server_on_gone(made->server, control_gone);
    *control = made;
    return ST_OK;
}

void
control_stop(struct control *control)
{
    if (control) {
        session_stop(control->context.session);
    }
}

void
control_destroy(struct control *control)
{
    if (control) {
        command_abandon(&control->context);
        server_destroy(control->server);
        session_destroy(control->context.session);
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
