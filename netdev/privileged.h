/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_PRIVILEGED_H
#define ORCHD_NETDEV_PRIVILEGED_H

/* What needs privileges about network interfaces: a closed list of requests.
 *
 * One function, privileged_perform(), carries out all of them.  It runs in this
 * process, or, after privileged_delegate(), in a helper process, so that the
 * process that parses frames needs no capability (privileged_channel.h;
 * saihostd/interface_helper.h starts the helper).
 *
 * The scope is fixed by privileged_create(), before anything from outside is
 * read: the namespaces, which are opened there once, and the interfaces that
 * may be bound.  Requests name a namespace by its number in that list.  So
 * an attacker in the requesting process can only
 *   - create TAPs with new names in these namespaces, never open an interface
 *     that exists;
 *   - change a TAP of which it passes the descriptor, wherever it is now;
 *   - bind to interfaces in the list, and set their state, MTU and speed (the
 *     kernel lets the owner of a packet socket bind it to another interface of
 *     its namespace, however);
 *   - read links of these namespaces, and of those that its TAPs were moved to,
 *     which needs no privilege within them.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "netdev/namespace.h"
#include "netdev/privileged_request.h"

struct privileged;

/* Opens the namespaces 'spaces' (names as of namespace_open(); NULL: that of
 * the process), and stores the scope in '*privileged'; the strings are
 * borrowed. A name may be there twice.  'bound' are the interfaces that may be
 * bound. ST_NOT_FOUND, ST_IO: of a namespace; ST_INVALID: too many. */
enum { PRIVILEGED_SPACES_MAX = 4 };
enum st privileged_create(const char *const *spaces, size_t n_spaces,
                          const char *const *bound, size_t n_bound,
                          struct privileged **privileged,
                          struct err *err) ST_WARN_UNUSED;

/* Accepts NULL.  Does not close the channel. */
void privileged_destroy(struct privileged *privileged);

/* Lets a helper at the other end of 'channel' carry out all later requests,
 * which 'ask' sends (privileged_channel_ask()). */
typedef enum st privileged_ask_fn(int channel,
                                  const struct privileged_request *request,
                                  int tap, struct privileged_answer *answer,
                                  struct err *err);
void privileged_delegate(struct privileged *privileged, privileged_ask_fn *ask,
                         int channel);

/* Stores the number of namespace 'name' in '*space'.  ST_INVALID: it is not in
 * the scope. */
enum st privileged_space(const struct privileged *privileged, const char *name,
                         uint32_t *space, struct err *err) ST_WARN_UNUSED;

/* Returns a namespace of the scope; borrowed. */
const struct namespace *
privileged_namespace(const struct privileged *privileged, uint32_t space);

/* Has '*request' carried out, here or by the helper.  'tap' is the descriptor
 * of the TAP that it is about, negative if it is about none; it stays the
 * caller's.  Sets '*answer' if the outcome is ST_OK.  ST_EXISTS, ST_NOT_FOUND,
 * ST_INVALID, ST_IO: see netdev_make_tap(). */
enum st privileged_call(struct privileged *privileged,
                        const struct privileged_request *request, int tap,
                        struct privileged_answer *answer,
                        struct err *err) ST_WARN_UNUSED;

/* Carries out '*request' in this process.  Nothing in it is trusted: a request
 * that is not of the list or of the scope ends in ST_INVALID. */
enum st privileged_perform(struct privileged *privileged,
                           const struct privileged_request *request, int tap,
                           struct privileged_answer *answer,
                           struct err *err) ST_WARN_UNUSED;

/* Closes the descriptors of an answer that nobody wants. */
void privileged_answer_close(struct privileged_answer *answer);

#endif /* netdev/privileged.h */
