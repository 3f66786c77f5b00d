/* SPDX-License-Identifier: Apache-2.0 */

/* Reference: unix(7), cmsg(3). */

#include <config.h>

#include "tests/support/descriptor_message.h"

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

bool
descriptor_message_send(int socket, const void *bytes, size_t size, int fd,
                        size_t n)
{
    struct iovec part = {(void *)(uintptr_t)bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union {
        char bytes[CMSG_SPACE(DESCRIPTOR_MESSAGE_MAX * sizeof(int))];
        struct cmsghdr aligned;
    } control;

    if (n > DESCRIPTOR_MESSAGE_MAX) {
        return false;
    }
    if (n) {
        struct cmsghdr *header;

        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(n * sizeof(int));
        header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(n * sizeof(int));
        for (size_t i = 0; i < n; i++) {
            memcpy(CMSG_DATA(header) + i * sizeof(int), &fd, sizeof fd);
        }
    }
    return sendmsg(socket, &message, 0) == (ssize_t)size;
}
