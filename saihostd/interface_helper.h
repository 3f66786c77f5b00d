/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_INTERFACE_HELPER_H
#define ORCHD_SAIHOSTD_INTERFACE_HELPER_H

/* Privilege separation of softasicd: a helper process keeps the capabilities,
 * and does nothing but the requests of netdev/privileged.h.
 *
 *   - softasicd parses frames and calls.  After interface_helper_drop() it has
 *     no capability, and cannot get one; its filter of system calls has no
 *     TUNSETIFF, no setns() and no packet sockets.
 *   - The helper, at the other end of a pair of sockets, parses requests of 64
 *     bytes.  It has CAP_NET_ADMIN, _NET_RAW, _NET_BROADCAST and _SYS_ADMIN, as
 *     far as softasicd was started with them; its filter allows what these are
 *     for, and no other files and programs.
 *
 * It is forked before softasicd has read anything but its options, and called
 * softasicd-priv.  It ignores SIGINT, SIGTERM and SIGHUP, which a terminal and
 * systemd send to both, and ends when the other end of its channel is closed,
 * so also when softasicd was killed.  Nobody can debug it but root.
 *
 * If the helper ends first, softasicd says so and ends, too: its supervisor
 * starts both again.  A switch that can neither create interfaces nor set them
 * would only look healthy.  The same holds if the helper does not answer within
 * PRIVILEGED_PATIENCE_S. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct interface_helper;
struct log;
struct loop;
struct ports_options;
struct privileged;

/* Returns the capabilities that the helper for 'options' may need, which this
 * process has to keep until it has started it; 0: none. */
uint64_t interface_helper_needs(const struct ports_options *options);

/* Opens the namespaces of 'options', and starts a helper if it has interfaces
 * and 'privileged' may be needed: *helper is NULL if it has none.  With
 * 'confined' the helper limits its system calls.  Call it before there is a
 * second thread, and before the caller confines itself.  Outcomes as of
 * privileged_create(); ST_IO: no process could be started. */
enum st interface_helper_start(const struct ports_options *options,
                               bool confined, struct interface_helper **helper,
                               struct err *err) ST_WARN_UNUSED;

/* Ends the helper, however it is, and waits for that.  Accepts NULL. */
void interface_helper_destroy(struct interface_helper *helper);

/* Returns what carries out requests about interfaces; borrowed.  NULL for
 * NULL. */
struct privileged *interface_helper_privileged(struct interface_helper *helper);

/* Watches the helper (which may be NULL), and stops 'loop' when it ends. */
void interface_helper_watch(struct interface_helper *helper, struct loop *loop,
                            struct log *log);

/* Returns whether the helper has ended before it was asked to. */
bool interface_helper_failed(const struct interface_helper *helper);

/* Gives up all capabilities of this process, and writes to the log who has
 * which.  ST_IO: some are left. */
enum st interface_helper_drop(const struct interface_helper *helper,
                              struct log *log, struct err *err) ST_WARN_UNUSED;

#endif /* saihostd/interface_helper.h */
