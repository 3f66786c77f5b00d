/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_DESCRIPTOR_MESSAGE_H
#define ORCHD_TESTS_SUPPORT_DESCRIPTOR_MESSAGE_H

/* Messages with descriptors on a Unix socket, as a hostile peer sends them: any
 * bytes, and more descriptors than the protocol has. */

#include <stdbool.h>
#include <stddef.h>

enum { DESCRIPTOR_MESSAGE_MAX = 100 };

/* Sends 'size' bytes with 'n' copies, at most DESCRIPTOR_MESSAGE_MAX, of 'fd'.
 * Returns whether all were sent. */
bool descriptor_message_send(int socket, const void *bytes, size_t size, int fd,
                             size_t n);

#endif /* tests/support/descriptor_message.h */
