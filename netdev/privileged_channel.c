/* SPDX-License-Identifier: Apache-2.0 */

/* Messages with descriptors.  Reference: unix(7), cmsg(3). */

#include <config.h>

#include "netdev/privileged_channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "netdev/privileged.h"

/* More descriptors than either side sends, so that a message with too many
 * is received whole. */
enum { FDS_ROOM = 8 };

/* The kernel copies both as they are: the layout has no gaps to leak. */
_Static_assert(sizeof(struct privileged_change) ==
                   3 * sizeof(uint32_t) + 3 + 6 + 3,
               "no padding");
_Static_assert(sizeof(struct privileged_request) ==
                   2 * sizeof(uint32_t) + NETDEV_NAME_MAX + 1 +
                       sizeof(struct privileged_change),
               "no padding");

/* An answer as it is sent. */
struct reply {
    int32_t number;
    uint32_t n_fds;
    struct err err; /* Its status is that of the answer. */
};

/* A received message. */
struct received {
    ssize_t n; /* Bytes, with those that there was no room for; 0: the end. */
    int fds[FDS_ROOM];
    size_t n_fds;
    bool is_cut; /* There were more descriptors. */
};

enum st
privileged_channel_create(int *requester, int *helper, struct err *err)
{
    const struct timeval patience = {.tv_sec = PRIVILEGED_PATIENCE_S};
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
        return err_set(err, ST_IO, "helper", "no sockets for a helper: %s",
                       strerror(errno));
    }
    (void)setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience,
                     sizeof patience);
    (void)setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience,
                     sizeof patience);
    *requester = ends[0];
    *helper = ends[1];
    return ST_OK;
}

/* Messages ------------------------------------------------------------- */

/* Room for descriptors, aligned for the header before them. */
union control {
    char bytes[CMSG_SPACE(FDS_ROOM * sizeof(int))];
    struct cmsghdr aligned;
};

/* Sends 'size' bytes and descriptors.  Returns whether that succeeded. */
static bool
send_message(int channel, const void *bytes, size_t size, const int *fds,
             size_t n_fds)
{
    struct iovec part = {(void *)(uintptr_t)bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    ssize_t sent;

    if (n_fds > 0) {
        struct cmsghdr *header;

        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
        header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(n_fds * sizeof(int));
        memcpy(CMSG_DATA(header), fds, n_fds * sizeof(int));
    }
    do {
        sent = sendmsg(channel, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

/* Takes the descriptors of a message; closes those for which there is no
 * room. */
static void
take_fds(struct msghdr *message, struct received *received)
{
    for (struct cmsghdr *i = CMSG_FIRSTHDR(message); i;
         i = CMSG_NXTHDR(message, i)) {
        size_t n;

        if (i->cmsg_level != SOL_SOCKET || i->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        n = (i->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t k = 0; k < n; k++) {
            int fd;

            memcpy(&fd, CMSG_DATA(i) + k * sizeof fd, sizeof fd);
            if (received->n_fds < FDS_ROOM) {
                received->fds[received->n_fds++] = fd;
            } else {
                received->is_cut = true;
                (void)close(fd);
            }
        }
    }
}

/* Receives a message of at most 'size' bytes. */
static void
receive_message(int channel, void *bytes, size_t size,
                struct received *received)
{
    struct iovec part = {bytes, size};
    union control control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};

    memset(received, 0, sizeof *received);
    memset(&control, 0, sizeof control);
    do {
        received->n = recvmsg(channel, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC);
    } while (received->n < 0 && errno == EINTR);
    if (received->n >= 0) {
        take_fds(&message, received);
        received->is_cut |= (message.msg_flags & MSG_CTRUNC) != 0;
    }
}

static void
close_fds(const struct received *received)
{
    for (size_t i = 0; i < received->n_fds; i++) {
        (void)close(received->fds[i]);
    }
}

/* The requester -------------------------------------------------------- */

/* Gives the helper up. */
static enum st
give_up(int channel, const char *what, struct err *err)
{
    (void)shutdown(channel, SHUT_RDWR);
    err_set(err, ST_IO, "helper", "the helper process for interfaces %s", what);
    err_set_remedy(err, "restart this program; its log says why the helper "
                        "has ended");
    return ST_IO;
}

/* Takes the answer out of what was received, a message of the right size. */
static enum st
take_answer(const struct received *received, const struct reply *reply,
            struct privileged_answer *answer, struct err *err)
{
    if (reply->err.status) {
        close_fds(received);
        *err = reply->err;
        return reply->err.status;
    }
    if (received->n_fds != reply->n_fds || reply->n_fds > PRIVILEGED_FDS_MAX) {
        close_fds(received);
        return err_set(err, ST_IO, "interface",
                       "cannot open an interface: too many open files");
    }
    answer->number = reply->number;
    answer->n_fds = reply->n_fds;
    memcpy(answer->fds, received->fds, reply->n_fds * sizeof(int));
    return ST_OK;
}

enum st
privileged_channel_ask(int channel, const struct privileged_request *request,
                       int tap, struct privileged_answer *answer,
                       struct err *err)
{
    struct received received;
    struct reply reply;

    memset(answer, 0, sizeof *answer);
    if (!send_message(channel, request, sizeof *request, &tap, tap >= 0)) {
        return give_up(channel, "has ended", err);
    }
    receive_message(channel, &reply, sizeof reply, &received);
    if (received.n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        return give_up(channel, "does not answer", err);
    }
    if (received.n <= 0) {
        return give_up(channel, "has ended", err);
    }
    if (received.n != (ssize_t)sizeof reply) {
        close_fds(&received);
        return give_up(channel, "sends nonsense", err);
    }
    return take_answer(&received, &reply, answer, err);
}

/* The helper ----------------------------------------------------------- */

/* Performs a received request, if it is one. */
static void
perform(struct privileged *privileged, const struct received *received,
        const struct privileged_request *request, struct reply *reply,
        struct privileged_answer *answer)
{
    if (received->n != (ssize_t)sizeof *request || received->is_cut ||
        received->n_fds > 1) {
        err_set(&reply->err, ST_INVALID, "request",
                "a request for an interface was refused: %s",
                received->n_fds > 1 ? "it has too many descriptors"
                                    : "it has a wrong size");
        return;
    }
    reply->err.status = privileged_perform(
        privileged, request, received->n_fds ? received->fds[0] : -1, answer,
        &reply->err);
    reply->number = answer->number;
    reply->n_fds = answer->n_fds;
}

bool
privileged_channel_serve(struct privileged *privileged, int channel)
{
    struct privileged_request request;
    struct privileged_answer answer = {0};
    struct reply reply = {0};
    struct received received;
    bool sent;

    receive_message(channel, &request, sizeof request, &received);
    if (received.n <= 0 && received.n_fds == 0) {
        return false; /* A message of no bytes is of a requester gone mad. */
    }
    perform(privileged, &received, &request, &reply, &answer);
    close_fds(&received);
    sent =
        send_message(channel, &reply, sizeof reply, answer.fds, answer.n_fds);
    privileged_answer_close(&answer);
    return sent;
}
