/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_ENV_VERB_H
#define ORCHD_ORCHCTL_ENV_VERB_H

/* "orchctl env": how SONiC's tools run on the Redis that orchd started.
 *
 * Their libraries read /var/run/redis/sonic-db/database_config.json, which is a
 * constant there, and connect to its socket or to its TCP port.  So a tool runs
 * in a user and mount namespace, where the directory of that Redis is mounted
 * on /var/run/redis, and in a network namespace, where socat forwards the TCP
 * port to the socket.  None of this needs privileges or changes the system, and
 * no tool can reach another Redis by mistake. */

struct invocation;

/* Prints text for eval of a POSIX shell, or with --json the same for programs:
 * "run" is a list of words to put before a command.  Returns the exit code. */
int env_verb_run(struct invocation *invocation);

#endif /* orchctl/env_verb.h */
