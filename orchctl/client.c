/* SPDX-License-Identifier: Apache-2.0 */

/* Uses blocking I/O: orchctl has nothing else to do. */

#include <config.h>

#include "orchctl/client.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/view_path.h"
#include "orchd/control/protocol.h"

struct client {
    int fd;
    unsigned int timeout_seconds;
    char *path;
    struct text input; /* Received after the last reply. */
};

/* Reports which socket was tried, why it failed, and how to start orchd on
 * it. */
static enum st
fail_connect(const char *path, const char *cause, struct err *err)
{
    err_set(err, ST_IO, "unreachable", "cannot reach orchd at %s: %s", path,
            cause);
    err_set_remedy(err,
                   "start orchd: orchd --redis spawn --control %s; or give its "
                   "socket: orchctl --control SOCKET ...",
                   path);
    return ST_IO;
}

/* Reports that this user may not connect, and which may.  An orchd listens
 * there, or did, so the remedy must not be to start another one. */
static enum st
fail_denied(const char *path, struct err *err)
{
    const struct passwd *user;
    const struct group *group;
    struct stat found;
    char owner[64], members[64];

    if (stat(path, &found)) {
        err_set(err, ST_IO, "denied",
                "cannot reach orchd at %s: %s: user %ld may not look into its "
                "directory",
                path, strerror(EACCES), (long)geteuid());
        err_set_remedy(err, "run orchctl as the user that runs orchd, for "
                            "example with sudo");
        return ST_IO;
    }
    user = getpwuid(found.st_uid);
    if (!user || !text_copy(owner, sizeof owner, user->pw_name)) {
        text_format(owner, sizeof owner, "%ld", (long)found.st_uid);
    }
    group = getgrgid(found.st_gid);
    if (!group || !text_copy(members, sizeof members, group->gr_name)) {
        text_format(members, sizeof members, "%ld", (long)found.st_gid);
    }
    err_set(err, ST_IO, "denied",
            "cannot reach orchd at %s: %s: only user %s and group %s may "
            "connect (mode %04o)",
            path, strerror(EACCES), owner, members,
            (unsigned int)found.st_mode & 07777);
    if (!found.st_gid) { /* Nobody should join this group for orchctl. */
        err_set_remedy(err,
                       "run orchctl as user %s, for example with sudo, or let "
                       "orchd use another group: control_group = GROUP",
                       owner);
        return ST_IO;
    }
    err_set_remedy(
        err,
        "run orchctl as user %s, for example with sudo -u %s, or "
        "join the group: sudo usermod -aG %s USER, then log in again",
        owner, owner, members);
    return ST_IO;
}

/* Connects 'fd' to the socket for viewers beside 'path'. */
static bool
connect_as_viewer(int fd, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    return !view_path(path, address.sun_path, sizeof address.sun_path) &&
           !connect(fd, (struct sockaddr *)&address, sizeof address);
}

enum st
client_connect(const char *path, unsigned int timeout_seconds,
               struct client **client, struct err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {.tv_sec = timeout_seconds};
    int fd;

    if (!text_copy(address.sun_path, sizeof address.sun_path, path)) {
        return fail_connect(path, "the path is too long for a socket", err);
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return fail_connect(path, strerror(errno), err);
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&address, sizeof address)) {
        const int cause = errno;
        const bool denied = cause == EACCES || cause == EPERM;

        if (!denied || !connect_as_viewer(fd, path)) {
            close(fd);
            return denied ? fail_denied(path, err)
                          : fail_connect(path, strerror(cause), err);
        }
    }
    *client = check_calloc(1, sizeof **client);
    (*client)->fd = fd;
    (*client)->timeout_seconds = timeout_seconds;
    (*client)->path = check_strdup(path);
    return ST_OK;
}

void
client_close(struct client *client)
{
    if (client) {
        close(client->fd);
        free(client->path);
        text_fini(&client->input);
        free(client);
    }
}

/* Reports why the connection failed; 'n' is the return value of the system
 * call. */
static enum st
fail_talk(const struct client *client, ssize_t n, struct err *err)
{
    if (n == 0) {
        return err_set(err, ST_IO, "unreachable",
                       "orchd at %s closed the connection: see its log",
                       client->path);
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        err_set(err, ST_IO, "timeout", "orchd at %s did not answer in %u s",
                client->path, client->timeout_seconds);
        err_set_remedy(err, "allow more time with --timeout SECONDS");
        return ST_IO;
    }
    return err_set(err, ST_IO, "unreachable",
                   "lost the connection to orchd at %s: %s", client->path,
                   strerror(errno));
}

/* Sends all of 'text'.  The socket may take only a part at a time, and orchd
 * may close the connection in the middle. */
static enum st
client_send(struct client *client, const char *text, struct err *err)
{
    size_t length = strlen(text);

    while (length) {
        ssize_t n = send(client->fd, text, length, MSG_NOSIGNAL);

        if (n > 0) {
            text += n;
            length -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            return fail_talk(client, n ? n : -1, err);
        }
    }
    return ST_OK;
}

/* Reads one line; the caller frees '*line'. */
static enum st
client_receive(struct client *client, char **line, struct err *err)
{
    struct text *input = &client->input;
    size_t scanned = 0;
    char *end = NULL;

    while (!input->length || !(end = memchr(input->bytes + scanned, '\n',
                                            input->length - scanned))) {
        char bytes[65536];
        ssize_t n = recv(client->fd, bytes, sizeof bytes, 0);

        scanned = input->length;
        if (n > 0) {
            text_add_bytes(input, bytes, (size_t)n);
        } else if (n == 0 || errno != EINTR) {
            return fail_talk(client, n, err);
        }
    }
    *end = '\0';
    *line = check_strdup(input->bytes);
    text_clear(input);
    return ST_OK;
}

/* Parses a reply.  Another program may listen on a socket that the user gave,
 * so every part of the reply is checked. */
static enum st
parse_reply(const struct client *client, const char *line, struct reply *reply,
            struct err *err)
{
    json_error_t cause;
    json_t *root = json_loads(line, 0, &cause);
    json_t *exit_code = json_object_get(root, "exit");

    if (!json_is_integer(exit_code)) {
        json_decref(root);
        return err_set(err, ST_IO, "protocol",
                       "the process that listens at %s is not orchd",
                       client->path);
    }
    reply->exit = (int)json_integer_value(exit_code);
    reply->error = json_incref(json_object_get(root, "error"));
    reply->data = json_incref(json_object_get(root, "data"));
    json_decref(root);
    return ST_OK;
}

/* Sends 'text' and reads the line that answers it.  orchd may refuse a client
 * and close the connection before it has read the request; its reason can be
 * read nevertheless. */
static enum st
client_exchange(struct client *client, const char *text, char **line,
                struct err *err)
{
    struct err unread = {0};
    enum st st = client_send(client, text, err);

    if (!st) {
        return client_receive(client, line, err);
    }
    return strcmp(err->code, "timeout") &&
                   !client_receive(client, line, &unread)
               ? ST_OK
               : st;
}

enum st
client_call(struct client *client, const char *noun, const char *verb,
            json_t *arguments, struct reply *reply, struct err *err)
{
    json_t *request = json_pack("{s:s, s:s, s:o}", "noun", noun, "verb", verb,
                                "args", arguments ? arguments : json_object());
    struct text text = {0};
    char *dump = json_dumps(request, JSON_COMPACT);
    char *line = NULL;
    enum st st;

    orch_assert(dump);
    text_add(&text, dump);
    text_add_char(&text, '\n');
    if (text.length > CONTROL_REQUEST_MAX) {
        st = err_set(err, ST_INVALID, "too-long",
                     "the request has %zu bytes, more than the %zu that orchd "
                     "takes",
                     text.length, CONTROL_REQUEST_MAX);
    } else {
        st = client_exchange(client, text.bytes, &line, err);
    }
    st = st ? st : parse_reply(client, line, reply, err);
    free(line);
    free(dump);
    text_fini(&text);
    json_decref(request);
    return st;
}

void
reply_fini(struct reply *reply)
{
    json_decref(reply->error);
    json_decref(reply->data);
    memset(reply, 0, sizeof *reply);
}

/* Copies a string member into 'buffer', or "" if there is none. */
static void
copy_member(const json_t *object, const char *name, char *buffer, size_t size)
{
    const char *value = json_string_value(json_object_get(object, name));

    text_copy(buffer, size, value ? value : "");
}

enum st
reply_error(const struct reply *reply, struct err *err)
{
    memset(err, 0, sizeof *err);
    if (reply->exit == CONTROL_DONE) {
        return ST_OK;
    }
    err->status = reply->exit == CONTROL_USAGE ? ST_INVALID : ST_DEVICE;
    copy_member(reply->error, "code", err->code, sizeof err->code);
    copy_member(reply->error, "field", err->field, sizeof err->field);
    copy_member(reply->error, "value", err->value, sizeof err->value);
    copy_member(reply->error, "allowed", err->allowed, sizeof err->allowed);
    copy_member(reply->error, "reason", err->reason, sizeof err->reason);
    copy_member(reply->error, "remedy", err->remedy, sizeof err->remedy);
    return err->status;
}
