/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_UNIX_CLIENT_H
#define ORCHD_TESTS_SUPPORT_UNIX_CLIENT_H

/* Clients of a server that runs in the loop of the test, and its clock. */

#include <stdbool.h>
#include <stdint.h>

struct loop;

/* Lets the servers in 'loop' do all that they can do now. */
void unix_client_turn(struct loop *loop);

/* Has the clock of the process stand still, but for unix_client_pass(), or go
 * on: for tests of intervals, which a machine that is busy would lengthen. Call
 * it before the loop is created. */
void unix_client_stop_clock(bool stops);

/* Lets the clock of 'loop' advance by 'ns' nanoseconds at once, and does what
 * is due then. */
void unix_client_pass(struct loop *loop, int64_t ns);

/* Connects to the Unix socket at 'path', and fails the test if that cannot be
 * done.  Returns a descriptor that does not block; the caller closes it. */
int unix_client_dial(const char *path);

/* The same as a user who owns nothing and is in no group.  Needs root; the test
 * is skipped without. */
int unix_client_dial_as_other(const char *path);

#endif /* tests/support/unix_client.h */
