/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_NETDEV_PRIVILEGED_CHANNEL_H
#define ORCHD_NETDEV_PRIVILEGED_CHANNEL_H

/* The requests of privileged.h between two processes of the same program, on a
 * pair of sockets (AF_UNIX, SOCK_SEQPACKET).
 *
 * One message is one request or one answer; descriptors travel with it
 * (SCM_RIGHTS).  The requester waits for each answer, but no longer than
 * PRIVILEGED_PATIENCE_S.  A helper that does not answer in time, or not in this
 * form, is given up: the requester shuts the channel down, every later request
 * fails at once, and the helper ends.
 *
 * A helper trusts nothing that it receives.  It answers a message of the wrong
 * size, or with more than one descriptor, with ST_INVALID, and closes all
 * descriptors. */

#include <stdbool.h>

#include "base/status.h"

struct privileged;
struct privileged_answer;
struct privileged_request;

/* Less than a client of the switch waits (sai/remote/client.h). */
enum { PRIVILEGED_PATIENCE_S = 5 };

/* Stores both ends of a new channel, closed on exec.  ST_IO. */
enum st privileged_channel_create(int *requester, int *helper,
                                  struct err *err) ST_WARN_UNUSED;

/* Like privileged_call(), by the helper at the other end of 'channel'. */
enum st privileged_channel_ask(int channel,
                               const struct privileged_request *request,
                               int tap, struct privileged_answer *answer,
                               struct err *err) ST_WARN_UNUSED;

/* Waits for one request and answers it.  Returns false when the requester has
 * ended. */
bool privileged_channel_serve(struct privileged *privileged, int channel);

#endif /* netdev/privileged_channel.h */
