/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_CLEAR_REQUEST_H
#define ORCHD_TELEMETRY_CLEAR_REQUEST_H

/* A request to clear watermarks, as it arrives on the channel: the JSON array
 * ["USER", "PG_SHARED"]. */

#include "base/status.h"
#include "orchd/telemetry/polling/watermarks.h"

/* Parses 'payload'.  ST_INVALID stores nothing, and fills 'err' with the code
 * "watermark-request" and what is allowed. */
enum st clear_request_parse(const char *payload, enum watermark_table *table,
                            enum watermark_class *class,
                            struct err *err) ST_WARN_UNUSED;

#endif /* orchd/telemetry/clear_request.h */
