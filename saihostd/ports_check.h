/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_PORTS_CHECK_H
#define ORCHD_SAIHOSTD_PORTS_CHECK_H

/* Whether what was asked for can be ports: before there is a switch, so that
 * who starts softasicd is told, and not the log of some port later. */

#include "base/status.h"

struct names;
struct ports_options;

/* Looks at prefix, names of ports and bound interfaces.  ST_INVALID: 'err' says
 * what is wrong and what may be there. */
enum st ports_check(const struct ports_options *options,
                    const struct names *names, struct err *err) ST_WARN_UNUSED;

#endif /* saihostd/ports_check.h */
