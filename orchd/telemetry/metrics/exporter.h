/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_METRICS_EXPORTER_H
#define ORCHD_TELEMETRY_METRICS_EXPORTER_H

/* HTTP on loopback: GET /metrics, for Prometheus.
 *
 * It has neither authentication nor encryption, so it listens on 127.0.0.1
 * only; for access from elsewhere use a proxy.  It answers from memory; no
 * request reaches the switch. */

#include <stdint.h>

#include "base/status.h"

struct exporter;
struct loop;
struct text;

/* Appends the answer to 'text'. */
typedef void exporter_fn(void *context, struct text *text);

/* Listens on 'port' of 127.0.0.1 and serves in 'loop', which is borrowed.
 * ST_EXISTS or ST_IO, with a reason in 'err', if it cannot.  Free '*exporter'
 * with exporter_destroy(). */
enum st exporter_create(struct loop *loop, uint16_t port, exporter_fn *answer,
                        void *context, struct exporter **exporter,
                        struct err *err) ST_WARN_UNUSED;

/* Stops listening, and frees 'exporter'.  Accepts NULL. */
void exporter_destroy(struct exporter *exporter);

#endif /* orchd/telemetry/metrics/exporter.h */
