/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_THRIFTD_RPC_H
#define ORCHD_THRIFTD_RPC_H

/* The calls of the service switch_sai_rpc (switch_sai.thrift): what suites that
 * test QoS on a switch ask its SAI for.
 *
 * A call is answered with its result, or with an application exception that
 * says what is wrong: an argument is missing, the host of the switch cannot be
 * reached, SAI refuses to read a counter, or the call is one of the interface
 * that this server does not serve.  There are no made-up results: a counter
 * that cannot be read is an exception and not zero.
 *
 * Calls that only change something return SAI's status, as the interface says;
 * one that a tester may not make (sai/remote/tester_rule.h) is an exception
 * that names the role, since callers of such suites do not look at statuses. */

#include <stdbool.h>

#include "thriftd/tbinary.h"

struct log;
struct rpc_switch;
struct text;

/* Appends the answer to 'call' to 'out'; nothing for a one-way call.  'log'
 * gets a line for a call that has failed; 'peer' is for people. */
void rpc_answer(struct rpc_switch *rpc, struct log *log, const char *peer,
                const struct tbinary_message *call, struct text *out);

/* Returns the name of call 'i' that is served, NULL after the last. */
const char *rpc_name(size_t i);

#endif /* thriftd/rpc.h */
