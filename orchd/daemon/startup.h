/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_STARTUP_H
#define ORCHD_DAEMON_STARTUP_H

/* Gives up rights, and checks at startup, before the daemon creates any part:
 * whether the files that the options name can be used, and where Redis is.  A
 * mistake is reported at once, while the user who started orchd is watching. */

#include "base/status.h"
#include "process/socket.h"

struct confinement;
struct control_sockets;
struct dbconfig;
struct endpoint;
struct history;
struct log;
struct loop;
struct settings;
struct spawn;

/* Checks the files that orchd needs only later: the libsai, the file of fault
 * rules, and the directory of the record. */
enum st startup_check_files(const struct settings *settings,
                            struct err *err) ST_WARN_UNUSED;

/* Raises the limit of descriptors (process/descriptors.h).  ST_NO_RESOURCE: it
 * stays below STARTUP_DESCRIPTORS, with which Redis or the switch would fail
 * later, for reasons that are hard to see. */
#define STARTUP_DESCRIPTORS 128
enum st startup_raise_descriptors(struct err *err) ST_WARN_UNUSED;

/* Gives up the rights that orchd does not need with these settings
 * (process/confinement.h), and logs which filter of system calls is in
 * force. */
void startup_confine(const struct settings *settings, struct log *log,
                     struct confinement *confinement);

/* Reads the database config into 'config': the file that the options name, else
 * the usual one if it exists; else sets SONiC's numbers and addresses. */
enum st startup_dbconfig(const struct settings *settings,
                         struct dbconfig *config,
                         struct err *err) ST_WARN_UNUSED;

/* Finds the 'endpoint' to connect to: that of the options, else the Unix socket
 * of 'config' if it exists, else the TCP address of 'config'.  If the options
 * ask for a private Redis, starts it (without a login) unless '*spawn' has it
 * already; the caller owns '*spawn'. */
enum st startup_redis(const struct settings *settings,
                      const struct dbconfig *config, struct loop *loop,
                      struct log *log, struct endpoint *endpoint,
                      struct spawn **spawn, struct err *err) ST_WARN_UNUSED;

/* Chooses the group of a socket: 'name', which the setting 'key' has, or else
 * (if that is NULL) the 'usual' one, which need not exist.  ST_INVALID: 'name'
 * does not exist, or this process may not give files to it. */
enum st startup_group(const char *key, const char *name, const char *usual,
                      const char **chosen, struct err *err) ST_WARN_UNUSED;

/* Fills 'sockets' with the paths and groups of the control sockets; 'view'
 * holds the path of the one for viewers.  ST_INVALID: a path is too long, or a
 * group that the settings name does not exist or cannot be used. */
enum st startup_sockets(const struct settings *settings,
                        char view[SOCKET_PATH_SIZE],
                        struct control_sockets *sockets,
                        struct err *err) ST_WARN_UNUSED;

/* Opens the history in 'directory'.  A file that cannot be used is set aside,
 * and a new history begins; if that does not help either, '*history' stays
 * NULL. Either is logged, and 'trouble' says it; it is left alone if all is
 * well. orchd starts anyway: rows are more important than their history. */
void startup_history(const char *directory, struct log *log,
                     struct history **history, struct err *trouble);

#endif /* orchd/daemon/startup.h */
