/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_DAEMON_HTTP_H
#define ORCHD_DAEMON_DAEMON_HTTP_H

/* What orchd serves by HTTP: the live page with the verbs that it calls
 * (orchd/page/page.h), /metrics for Prometheus and /healthz for supervisors.
 * The last two answer from memory: they do not reach the switch. */

#include "base/status.h"

struct daemon;

/* Listens where the settings say, if they do, and sets 'daemon->http'. */
enum st daemon_http_create(struct daemon *daemon,
                           struct err *err) ST_WARN_UNUSED;

#endif /* orchd/daemon/daemon_http.h */
