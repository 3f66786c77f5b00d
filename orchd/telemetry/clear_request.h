/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_CLEAR_REQUEST_H
#define ORCHD_TELEMETRY_CLEAR_REQUEST_H

/* A wish to have watermarks cleared, as it comes over the channel: the JSON
 * array ["USER", "PG_SHARED"]. */

#include "base/status.h"
#include "orchd/telemetry/polling/watermarks.h"

/* Reads 'payload'.  ST_INVALID, with the code "watermark-request" and what
 * would be right in 'err', stores nothing. */
enum st clear_request_parse(const char *payload, enum watermark_keeper *keeper,
                            enum watermark_class *class,
                            struct err *err) ST_WARN_UNUSED;

#endif /* orchd/telemetry/clear_request.h */
