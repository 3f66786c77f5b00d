/* SPDX-License-Identifier: Apache-2.0 */

/* Starts the server of a switch and an orchd, and waits until it has read
 * everything. */

#include <config.h>

#include "lab/publish/publication.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/publish/child.h"
#include "lab/publish/snapshot_db.h"
#include "lab/publish/switch_server.h"
#include "orchd/db/endpoint.h"
#include "process/socket.h"

/* How long orchd may take for each step, and how often to look. */
enum { PATIENCE_MS = 60000, LOOK_MS = 10, NAME_SIZE = 64 };

/* Files of the directory that the longest path has to have room for. */
enum { FILE_ROOM = 16 };

struct publication {
    struct publication_options options;
    struct endpoint redis; /* Not SPAWN: the private one by its socket. */
    bool is_private;       /* orchd starts and ends that Redis. */
    char directory[108];
    bool own_directory; /* Created here, so also removed here. */
    bool keeps_logs;    /* A message refers to them. */
    struct child server, orchd;
    struct snapshot_db *db;
    char name[NAME_SIZE]; /* Of the switch; "": none. */
    int64_t t_ps;
};

/* The directory ------------------------------------------------------------ */

/* Writes the path of 'file' in the directory into 'path'. */
static const char *
path_of(const struct publication *publication, const char *file,
        char path[PATH_MAX])
{
    text_format(path, PATH_MAX, "%s/%s", publication->directory, file);
    return path;
}

/* Creates the directory, that of a private Redis or a temporary one. */
static enum st
make_directory(struct publication *publication, struct err *err)
{
    const char *parent = getenv("XDG_RUNTIME_DIR");
    const size_t room = sizeof publication->directory - FILE_ROOM;
    char absolute[PATH_MAX];
    bool made;

    if (publication->is_private && *publication->redis.path) {
        const char *given = publication->redis.path;

        text_copy(absolute, sizeof absolute, given);
        made = (!mkdir(given, 0700) || errno == EEXIST) &&
               realpath(given, absolute);
    } else {
        parent = parent && !access(parent, W_OK) ? parent : "/tmp";
        text_format(absolute, sizeof absolute, "%s/orchlab-XXXXXX", parent);
        made = mkdtemp(absolute) != NULL;
        publication->own_directory = made;
    }
    if (!made || !text_copy(publication->directory, room, absolute)) {
        return err_set(err, ST_IO, "directory",
                       "cannot use the directory %s: %s", absolute,
                       strerror(made ? ENAMETOOLONG : errno));
    }
    return ST_OK;
}

enum st
publication_check_redis(const char *address, struct err *err)
{
    struct endpoint ignored;

    return endpoint_parse(address, &ignored, err);
}

enum st
publication_create(const struct publication_options *options,
                   struct publication **publication, struct err *err)
{
    struct publication *made = check_calloc(1, sizeof *made);
    enum st st = endpoint_parse(options->redis, &made->redis, err);

    made->options = *options;
    made->is_private = made->redis.kind == ENDPOINT_SPAWN;
    st = st ? st : make_directory(made, err);
    if (st) {
        free(made);
        return st;
    }
    if (made->is_private) {
        made->redis.kind = ENDPOINT_UNIX;
        text_format(made->redis.path, sizeof made->redis.path, "%s/redis.sock",
                    made->directory);
    }
    *publication = made;
    return ST_OK;
}

/* Ends what is published. */
static void
withdraw(struct publication *publication)
{
    snapshot_db_close(publication->db);
    publication->db = NULL;
    publication->name[0] = '\0';
    child_end(&publication->orchd);
    child_end(&publication->server);
}

void
publication_destroy(struct publication *publication)
{
    static const char *const files[] = {"orchd.log", "sync.log"};
    char path[PATH_MAX];

    if (!publication) {
        return;
    }
    withdraw(publication);
    if (!publication->keeps_logs) {
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            unlink(path_of(publication, files[i], path));
        }
        if (publication->own_directory) {
            rmdir(publication->directory);
        }
    }
    free(publication);
}

/* Steps -------------------------------------------------------------------- */

/* Waits until 'question' answers yes. */
static enum st
wait_for(struct publication *publication,
         enum st (*question)(struct publication *publication, bool *yes,
                             struct err *err),
         const char *what, struct err *err)
{
    char path[PATH_MAX];
    int waited_ms = 0, code = 0;
    bool yes = false;
    enum st st = question(publication, &yes, err);

    while (!st && !yes) {
        if (child_wait(&publication->orchd, LOOK_MS, &code)) {
            st = err_set(err, ST_IO, "orchd-ended",
                         "orchd ended with status %d before %s", code, what);
        } else if ((waited_ms += LOOK_MS) > PATIENCE_MS) {
            st = err_set(err, ST_IO, "orchd-slow",
                         "orchd runs, but after %d s it is not true that %s",
                         PATIENCE_MS / 1000, what);
        } else {
            st = question(publication, &yes, err);
        }
        if (st) {
            publication->keeps_logs = true;
            err_set_remedy(err, "read %s",
                           path_of(publication, "orchd.log", path));
        }
    }
    return st;
}

static enum st
start_orchd(struct publication *publication, struct err *err)
{
    const struct publication_options *options = &publication->options;
    char redis[ENDPOINT_TEXT_SIZE + 8], control[PATH_MAX], log[PATH_MAX];
    char asic[PATH_MAX], socket[PATH_MAX + 32], chips[PATH_MAX];
    const char *const argv[] = {options->orchd,
                                "--redis",
                                redis,
                                "--control",
                                control,
                                "--sai",
                                options->library,
                                "--profile",
                                socket,
                                "--profile",
                                chips,
                                "--yang-dir",
                                options->yang_dir,
                                "--set",
                                "audit_seconds=86400",
                                NULL};
    enum st st;

    if (publication->is_private) {
        text_format(redis, sizeof redis, "spawn:%s", publication->directory);
    } else {
        endpoint_format(&publication->redis, redis);
    }
    path_of(publication, "control.sock", control);
    path_of(publication, "orchd.log", log);
    text_format(socket, sizeof socket, "SOFTASIC_SOCKET=%s",
                path_of(publication, "asic.sock", asic));
    text_format(chips, sizeof chips, "SOFTASIC_MODEL_DIR=%s",
                options->chips_dir);
    st = child_start(argv, log, &publication->orchd, err);
    if (st) {
        err_set_remedy(err, "build or install orchd; 'publish' runs it");
    }
    return st;
}

/* Whether the private Redis and orchd listen. */
static enum st
is_up(struct publication *publication, bool *yes, struct err *err)
{
    char path[PATH_MAX];

    (void)err;
    *yes =
        socket_is_served(path_of(publication, "control.sock", path)) &&
        (!publication->is_private || socket_is_served(publication->redis.path));
    return ST_OK;
}

/* Waits until orchd has handled all rows. */
static enum st
synchronize(struct publication *publication, struct err *err)
{
    char control[PATH_MAX], log[PATH_MAX];
    const char *const argv[] = {publication->options.orchctl,
                                "--control",
                                path_of(publication, "control.sock", control),
                                "config",
                                "sync",
                                NULL};
    struct child sync;
    int code = 0;
    enum st st =
        child_start(argv, path_of(publication, "sync.log", log), &sync, err);

    if (st) {
        err_set_remedy(err, "build or install orchctl; 'publish' runs it");
        return st;
    }
    if (!child_wait(&sync, PATIENCE_MS, &code)) {
        child_end(&sync);
        code = -1;
    }
    /* 1: a row is refused.  orchctl config status says why, as on a box. */
    if (code != 0 && code != 1) {
        st = err_set(err, ST_IO, "orchd-sync",
                     "orchctl config sync ended with status %d", code);
        publication->keeps_logs = true;
        err_set_remedy(err, "read %s", log);
    }
    return st;
}

static enum st
is_counted(struct publication *publication, bool *yes, struct err *err)
{
    return snapshot_db_look(publication->db, yes, err);
}

static enum st
connect_redis(struct publication *publication, struct err *err)
{
    return snapshot_db_open(&publication->redis, &publication->db, err);
}

/* Publishes a switch.  The rows come before orchd where that is possible: an
 * orchd that has seen ports, but no hwsku for some time creates the switch
 * without one, and could not adopt what the switch has. */
static enum st
show(struct publication *publication, const struct publication_subject *subject,
     struct err *err)
{
    const struct snapshot_about about = {subject->name, subject->scenario,
                                         subject->t_ps, subject->config};
    char path[PATH_MAX];
    enum st st = ST_OK;

    if (!publication->is_private) {
        st = connect_redis(publication, err);
        st = st ? st : snapshot_db_clear(publication->db, err);
        st = st ? st : snapshot_db_write(publication->db, &about, err);
    }
    st = st ? st
            : switch_server_start(subject->asic,
                                  path_of(publication, "asic.sock", path),
                                  &publication->server, err);
    st = st ? st : start_orchd(publication, err);
    st = st ? st : wait_for(publication, is_up, "it listens", err);
    if (!st && publication->is_private) {
        st = connect_redis(publication, err);
        st = st ? st : snapshot_db_write(publication->db, &about, err);
    }
    st = st ? st : synchronize(publication, err);
    return st ? st
              : wait_for(publication, is_counted,
                         "all counters are in COUNTERS_DB", err);
}

enum st
publication_show(struct publication *publication,
                 const struct publication_subject *subject, struct err *err)
{
    enum st st;

    withdraw(publication);
    st = show(publication, subject, err);
    if (st) {
        withdraw(publication);
        return st;
    }
    text_copy(publication->name, sizeof publication->name, subject->name);
    publication->t_ps = subject->t_ps;
    return ST_OK;
}

void
publication_print(const struct publication *publication, FILE *stream)
{
    const struct endpoint *redis = &publication->redis;

    if (!*publication->name) {
        fputs("Nothing is published.\n", stream);
        return;
    }
    fprintf(stream, "Published %s as it is at %.6f us; read it with\n",
            publication->name, (double)publication->t_ps / 1e6);
    if (redis->kind == ENDPOINT_UNIX) {
        fprintf(stream, "  redis-cli -s %s\n", redis->path);
    } else {
        fprintf(stream, "  redis-cli -h %s -p %d\n", redis->host, redis->port);
    }
    fprintf(stream, "  orchctl --control %s/control.sock show queues\n",
            publication->directory);
}
