/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_HTTP_H
#define ORCHD_DAEMON_DAEMON_HTTP_H

/* The pages that orchd serves by HTTP: /metrics for Prometheus, /healthz for
 * supervisors, and an index.  They answer from memory: no request reaches the
 * switch. */

#include "base/status.h"

struct daemon;

/* Listens where the settings say, if they do, and sets 'daemon->http'. */
enum st daemon_http_create(struct daemon *daemon,
                           struct err *err) ST_WARN_UNUSED;

#endif /* orchd/daemon/daemon_http.h */
