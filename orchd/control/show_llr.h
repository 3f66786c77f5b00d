/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_SHOW_LLR_H
#define ORCHD_CONTROL_SHOW_LLR_H

/* "show llr": the ports that have a row of LLR_PORT, with the answer to the
 * row, and what the ASIC reports of link-level retry: profile, directions,
 * their states, and counters.  A switch that says that it has none is not
 * asked. */

struct call;

void show_llr(struct call *call);

#endif /* orchd/control/show_llr.h */
