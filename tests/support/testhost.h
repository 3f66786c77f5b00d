/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_TESTHOST_H
#define ORCHD_TESTS_SUPPORT_TESTHOST_H

/* A saihostd for a test, of this build. */

#include <stdbool.h>

struct testhost;

/* Returns whether $ORCHD_TEST_REMOTE says "yes": tests of the switch are then
 * to be run on one in another process. */
bool testhost_wanted(void);

/* Starts one with softasic as 'model', and waits until it listens. */
struct testhost *testhost_start(const char *model);

/* Starts one with library 'name' ("libsai-store.so") and the 'options' (words,
 * ended by NULL; NULL: none). */
struct testhost *testhost_start_library(const char *name,
                                        const char *const *options);

/* Returns the path of its socket. */
const char *testhost_path(const struct testhost *host);

/* Returns whether it is still running, waiting at most some seconds for its end
 * if 'ending'. */
bool testhost_is_running(struct testhost *host, bool ending);

/* Returns the exit status of one that has ended, -1 if it was by a signal. */
int testhost_exit_code(const struct testhost *host);

/* Ends it politely, which must work unless it has ended, and removes its
 * directory.  Accepts NULL. */
void testhost_stop(struct testhost *host);

#endif /* tests/support/testhost.h */
