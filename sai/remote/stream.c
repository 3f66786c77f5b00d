/* SPDX-License-Identifier: Apache-2.0 */

/* A non-blocking socket with poll(). */

#include <config.h>

#include "sai/remote/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/view_path.h"

enum { READ_BYTES = 65536 };

struct stream {
    int fd;
    const char *trouble; /* Static; NULL: none. */
    struct wire_out out;
    struct wire_out in; /* What came and was not taken. */
    size_t taken;       /* Bytes of it that the last message had. */
};

/* Opening --------------------------------------------------------------- */

static enum st
fail_open(int fd, enum st status, const char *path, const char *why,
          struct err *err)
{
    (void)err_set(err, status, "sai-host",
                  "cannot reach the host of the "
                  "switch at %s: %s",
                  path, why);
    err_set_remedy(err, "start saihostd or softasicd with --socket %s", path);
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

/* Connects 'fd' to the socket for viewers beside 'path'. */
static bool
connect_as_viewer(int fd, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    return !view_path(path, address.sun_path, sizeof address.sun_path) &&
           !connect(fd, (const struct sockaddr *)&address, sizeof address);
}

enum st
stream_open(const char *path, bool views, struct stream **stream,
            struct err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd;

    if (!*path || !text_copy(address.sun_path, sizeof address.sun_path, path)) {
        return fail_open(-1, ST_INVALID, path, "the path is too long or empty",
                         err);
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return fail_open(fd, ST_IO, path, strerror(errno), err);
    }
    if (connect(fd, (const struct sockaddr *)&address, sizeof address)) {
        const int cause = errno;

        if (cause != EACCES || !views || !connect_as_viewer(fd, path)) {
            return fail_open(
                fd,
                cause == ENOENT || cause == ECONNREFUSED ? ST_NOT_FOUND : ST_IO,
                path, strerror(cause), err);
        }
    }
    if (fcntl(fd, F_SETFL, O_NONBLOCK)) {
        return fail_open(fd, ST_IO, path, strerror(errno), err);
    }
    *stream = check_calloc(1, sizeof **stream);
    (*stream)->fd = fd;
    return ST_OK;
}

void
stream_close(struct stream *stream)
{
    if (stream) {
        close(stream->fd);
        wire_out_fini(&stream->out);
        wire_out_fini(&stream->in);
        free(stream);
    }
}

struct wire_out *
stream_out(struct stream *stream)
{
    return &stream->out;
}

const char *
stream_trouble(const struct stream *stream)
{
    return stream->trouble;
}

void
stream_fail(struct stream *stream, const char *why)
{
    if (!stream->trouble) {
        stream->trouble = why;
        (void)shutdown(stream->fd, SHUT_RDWR);
    }
}

void
stream_interrupt(struct stream *stream)
{
    (void)shutdown(stream->fd, SHUT_RDWR);
}

/* Moving bytes ------------------------------------------------------------ */

static bool
is_transient(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

static void
send_some(struct stream *stream)
{
    const ssize_t n =
        send(stream->fd, stream->out.bytes, stream->out.length, MSG_NOSIGNAL);

    if (n > 0) {
        wire_drop(&stream->out, (size_t)n);
    } else if (!is_transient(errno)) {
        stream_fail(stream, "the host has closed the connection");
    }
}

static void
receive_some(struct stream *stream)
{
    uint8_t bytes[READ_BYTES];
    const ssize_t n = recv(stream->fd, bytes, sizeof bytes, 0);

    if (n > 0) {
        wire_put_bytes(&stream->in, bytes, (size_t)n);
    } else if (n == 0 || !is_transient(errno)) {
        stream_fail(stream, "the host has closed the connection");
    }
}

static int64_t
now_ms(void)
{
    struct timespec time;

    orch_assert(!clock_gettime(CLOCK_MONOTONIC, &time));
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits until the socket is ready, at most until 'deadline_ms' if there is one,
 * then sends and receives as much as possible. */
static void
move(struct stream *stream, int64_t deadline_ms)
{
    struct pollfd poller = {.fd = stream->fd, .events = POLLIN};
    int64_t left = -1;
    int n;

    if (stream->out.length) {
        poller.events |= POLLOUT;
    }
    if (deadline_ms >= 0) {
        left = deadline_ms - now_ms();
        left = left > 0 ? left : 0;
    }
    n = poll(&poller, 1, (int)left);
    if (n == 0) {
        stream_fail(stream, "the host has not answered in time");
    } else if (n > 0 && poller.revents & POLLOUT) {
        send_some(stream);
    }
    if (n > 0 && poller.revents & (POLLIN | POLLHUP | POLLERR)) {
        receive_some(stream);
    }
}

/* Removes a complete message from the input, if there is one. */
static bool
take(struct stream *stream, struct message_header *header, const uint8_t **body)
{
    if (stream->in.length < MESSAGE_HEADER_BYTES) {
        return false;
    }
    if (!message_header(stream->in.bytes, header)) {
        stream_fail(stream, "the host has sent a malformed message");
        return false;
    }
    if (stream->in.length - MESSAGE_HEADER_BYTES < header->n_bytes) {
        return false;
    }
    *body = stream->in.bytes + MESSAGE_HEADER_BYTES;
    stream->taken = MESSAGE_HEADER_BYTES + header->n_bytes;
    return true;
}

bool
stream_receive(struct stream *stream, int timeout_ms,
               struct message_header *header, const uint8_t **body)
{
    int64_t deadline_ms = -1;

    wire_drop(&stream->in, stream->taken);
    stream->taken = 0;
    /* The usual case: the request can be sent at once. */
    if (!stream->trouble && stream->out.length) {
        send_some(stream);
    }
    while (!stream->trouble) {
        if (take(stream, header, body)) {
            return true;
        }
        if (deadline_ms < 0 && timeout_ms >= 0) {
            deadline_ms = now_ms() + timeout_ms;
        }
        if (!stream->trouble) {
            move(stream, deadline_ms);
        }
    }
    return false;
}
