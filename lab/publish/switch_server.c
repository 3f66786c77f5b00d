/* SPDX-License-Identifier: Apache-2.0 */

/* A copy of the process that serves one of its switches. */

#include <config.h>

#include "lab/publish/switch_server.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/check.h"
#include "process/log.h"
#include "process/loop.h"
#include "sai/remote/sai_host.h"
#include "saihostd/clients.h"
#include "vendors/softasic/remote/asic_host.h"

/* What the copy is to do. */
struct order {
    struct asic *asic;
    const char *path;
    int report; /* Gets a 'struct err' when the socket listens, or not. */
};

static int
serve(void *order_)
{
    static const struct sai_host_watcher watcher;
    const struct order *order = order_;
    const struct clients_sockets sockets = {.path = order->path};
    struct loop *loop = loop_create();
    struct log *log = log_create(stderr, LOG_WARN, false);
    struct clients *clients = NULL;
    struct asic_host switch_host;
    struct sai_host *host;
    struct err err = {0};

    orch_assert(loop);
    log_follow(log, loop);
    asic_host_init(&switch_host, order->asic);
    host = sai_host_create(&switch_host.library, &watcher);
    orch_assert(host);
    if (clients_create(loop, log, host, &sockets, &clients, &err) == ST_OK) {
        err.status = ST_OK;
    }
    if (write(order->report, &err, sizeof err) == sizeof err && !err.status) {
        close(order->report);
        loop_run(loop);
    }
    clients_destroy(clients);
    sai_host_destroy(host);
    log_destroy(log);
    loop_destroy(loop);
    return 0;
}

enum st
switch_server_start(struct asic *asic, const char *path, struct child *server,
                    struct err *err)
{
    struct order order = {.asic = asic, .path = path};
    struct err answer = {0};
    int report[2];
    enum st st;

    if (pipe2(report, O_CLOEXEC)) {
        return err_set(err, ST_IO, "child-start", "cannot create a pipe");
    }
    order.report = report[1];
    st = child_copy(serve, &order, server, err);
    close(report[1]);
    if (!st && read(report[0], &answer, sizeof answer) != sizeof answer) {
        st = err_set(err, ST_IO, "child-start",
                     "the server of the switch ended at once");
    } else if (!st && answer.status) {
        *err = answer;
        st = answer.status;
    }
    close(report[0]);
    if (st && server->pid) {
        child_end(server);
    }
    return st;
}
