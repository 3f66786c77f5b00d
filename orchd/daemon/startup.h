/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_STARTUP_H
#define ORCHD_DAEMON_STARTUP_H

/* What the daemon finds out before it makes any part: whether the files that
 * were named are of use, and where Redis is.  All of it is judged while whoever
 * named it is still looking. */

#include "base/status.h"

struct dbconfig;
struct endpoint;
struct log;
struct loop;
struct options;
struct spawn;

/* Judges the files that are needed only later: the libsai, the file of faults,
 * and where a record is to be written. */
enum st startup_check_files(const struct options *options,
                            struct err *err) ST_WARN_UNUSED;

/* Reads the database config into 'config': the one that was named, or the usual
 * one if it is there; else 'config' has SONiC's numbers and addresses. */
enum st startup_dbconfig(const struct options *options, struct dbconfig *config,
                         struct err *err) ST_WARN_UNUSED;

/* Finds the 'endpoint' to connect to: what the options say, else the Unix
 * socket of 'config' if it is there, else its TCP address.  If it is to be a
 * Redis of our own, starts that into '*spawn', which is the caller's, unless it
 * is there. */
enum st startup_redis(const struct options *options,
                      const struct dbconfig *config, struct loop *loop,
                      struct log *log, struct endpoint *endpoint,
                      struct spawn **spawn, struct err *err) ST_WARN_UNUSED;

/* Makes the directory of the usual control socket, if 'socket' is in it;
 * whatever is wrong with it shows when the socket is made. */
void startup_run_directory(const char *socket);

#endif /* orchd/daemon/startup.h */
