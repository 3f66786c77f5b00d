/* SPDX-License-Identifier: Apache-2.0 */

/* Collects files in a temporary directory, and packs it. */

#include <config.h>

#include "orchctl/techsupport_verb.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/secret.h"
#include "base/text.h"
#include "orchctl/client.h"
#include "orchctl/member.h"
#include "orchctl/verb.h"
#include "orchd/control/protocol.h"
#include "process/version.h"

/* The directory in the archive. */
#define NAME "orchd-techsupport"

/* Of a file that is copied, the last so many bytes. */
#define COPY_BYTES_MAX (32L * 1024 * 1024)

/* Lines of the journal. */
#define JOURNAL_LINES "20000"

/* What to ask orchd. */
static const struct request {
    const char *file, *noun, *verb, *flag; /* A flag argument, or NULL. */
} requests[] = {
    {"status.json", "show", "status", NULL},
    {"settings.json", "show", "settings", NULL},
    {"config_db.json", "config", "save", "all"},
    {"config-status.json", "config", "status", NULL},
    {"config-history.json", "config", "history", NULL},
    {"config-lint.json", "config", "lint", NULL},
    {"asic-differences.json", "config", "diff", NULL},
    {"asic-snapshot.json", "asic", "snapshot", NULL},
    {"ports.json", "show", "ports", "stats"},
    {"pools.json", "show", "pools", NULL},
    {"profiles.json", "show", "profiles", NULL},
    {"pgs.json", "show", "pgs", "all"},
    {"queues.json", "show", "queues", "all"},
    {"schedulers.json", "show", "schedulers", NULL},
    {"wred.json", "show", "wred", NULL},
    {"maps.json", "show", "maps", NULL},
    {"pfc.json", "show", "pfc", NULL},
    {"waiting.json", "show", "waiting", NULL},
    {"watchdog.json", "show", "watchdog", NULL},
    {"watermarks.json", "show", "watermarks", NULL},
    {"drops.json", "show", "drops", NULL},
    {"pauses.json", "show", "pauses", NULL},
    {"sai-calls.json", "show", "sai-stats", NULL},
    {"sai-gaps.json", "show", "sai-gaps", NULL},
    {"log-levels.json", "log", "level", NULL},
};

struct collection {
    const struct invocation *invocation;
    char *directory; /* Of the files. */
    json_t *items;   /* [{"file", "missing": reason or null}] */
    size_t n_missing;
    struct err dead; /* Why orchd does not answer; ST_OK: it does. */
    json_t *status;  /* The answers about status and settings, or NULL. */
    json_t *settings;
};

/* Notes an item; 'reason' is NULL if it is there. */
static void
note(struct collection *collection, const char *file, const char *reason)
{
    json_array_append_new(
        collection->items,
        json_pack("{s:s, s:s?}", "file", file, "missing", reason));
    collection->n_missing += reason != NULL;
}

/* Opens the file 'name' of the collection for writing. */
static FILE *
open_item(const struct collection *collection, const char *name)
{
    struct text path = {0};
    FILE *file;

    text_addf(&path, "%s/%s", collection->directory, name);
    file = fopen(text_string(&path), "we");
    text_fini(&path);
    return file;
}

/* Writes 'bytes' as the file 'name'. */
static void
write_item(struct collection *collection, const char *name, const char *bytes)
{
    FILE *file = open_item(collection, name);
    bool good = file && fputs(bytes, file) >= 0;

    if (file && fclose(file)) {
        good = false;
    }
    note(collection, name, good ? NULL : strerror(errno));
}

/* Masking ----------------------------------------------------------------- */

/* Returns a copy of 'value' without secrets. */
static json_t *
mask(const json_t *value)
{
    struct text text = {0};
    json_t *masked, *item;
    const char *key;
    size_t i;

    if (json_is_string(value)) {
        secret_add_masked(&text, json_string_value(value));
        masked = json_string(text_string(&text));
        text_fini(&text);
        return masked;
    }
    if (json_is_array(value)) {
        masked = json_array();
        json_array_foreach(value, i, item)
        {
            json_array_append_new(masked, mask(item));
        }
        return masked;
    }
    if (!json_is_object(value)) {
        return json_deep_copy(value);
    }
    masked = json_object();
    json_object_foreach((json_t *)(uintptr_t)value, key, item)
    {
        /* Keys of rows may be secrets themselves. */
        text_clear(&text);
        secret_add_masked(&text, key);
        json_object_set_new(masked, text_string(&text),
                            secret_is_name(key) ? json_string(SECRET_MASK)
                                                : mask(item));
    }
    text_fini(&text);
    return masked;
}

/* Answers of orchd -------------------------------------------------------- */

/* Sends one request.  Returns the data of the reply, or NULL with the reason in
 * 'err'. */
static json_t *
ask(struct client *client, const struct request *request, struct err *err)
{
    struct reply reply = {0};
    json_t *arguments =
        request->flag ? json_pack("{s:b}", request->flag, 1) : NULL;
    json_t *data = NULL;

    if (!client_call(client, request->noun, request->verb, arguments, &reply,
                     err)) {
        data = json_incref(reply.data);
        if (!data && !reply_error(&reply, err)) {
            err_set(err, ST_NOT_FOUND, "empty", "the answer is empty");
        }
        reply_fini(&reply);
    }
    return data;
}

/* Stores the answer to one request. */
static void
collect_answer(struct collection *collection, const struct request *request)
{
    const struct invocation *invocation = collection->invocation;
    struct client *client = NULL;
    struct err err = collection->dead;
    json_t *data = NULL, *masked;
    char *bytes;

    if (!err.status) {
        if (!client_connect(invocation->control, invocation->timeout_seconds,
                            &client, &err)) {
            data = ask(client, request, &err);
        }
        client_close(client);
    }
    if (!data) {
        /* One that does not answer is not asked again. */
        if (err.status == ST_IO) {
            collection->dead = err;
        }
        note(collection, request->file, err.reason);
        return;
    }
    if (!strcmp(request->verb, "status") && !strcmp(request->noun, "show")) {
        collection->status = json_incref(data);
    } else if (!strcmp(request->verb, "settings")) {
        collection->settings = json_incref(data);
    }
    masked = mask(strcmp(request->verb, "save") != 0
                      ? data
                      : json_object_get(data, "tables"));
    bytes = json_dumps(masked, JSON_INDENT(1));
    write_item(collection, request->file, bytes ? bytes : "{}");
    free(bytes);
    json_decref(masked);
    json_decref(data);
}

/* Files ------------------------------------------------------------------- */

/* Copies lines from 'from' to 'to' without secrets; the last COPY_BYTES_MAX
 * bytes of a long file. */
static bool
copy_lines(FILE *from, FILE *to)
{
    struct text masked = {0};
    char *line = NULL;
    size_t size = 0;
    struct stat found;

    if (!fstat(fileno(from), &found) && S_ISREG(found.st_mode) &&
        found.st_size > COPY_BYTES_MAX &&
        !fseek(from, -COPY_BYTES_MAX, SEEK_END)) {
        fprintf(to, "(the end of %lld bytes)\n", (long long)found.st_size);
    }
    while (getline(&line, &size, from) > 0) {
        text_clear(&masked);
        secret_add_masked(&masked, line);
        fputs(text_string(&masked), to);
    }
    free(line);
    text_fini(&masked);
    return !ferror(from) && !ferror(to);
}

/* Copies the file 'path' as 'name'. */
static void
collect_file(struct collection *collection, const char *path, const char *name)
{
    FILE *from = fopen(path, "re");
    FILE *to = from ? open_item(collection, name) : NULL;
    bool good = to && copy_lines(from, to);
    struct text reason = {0};

    if (!good) {
        text_addf(&reason, "%s: %s", path, strerror(errno));
    }
    if (from) {
        fclose(from);
    }
    if (to) {
        fclose(to);
    }
    note(collection, name, good ? NULL : text_string(&reason));
    text_fini(&reason);
}

/* Returns the value of a setting of orchd, or NULL. */
static const char *
find_setting(const struct collection *collection, const char *key)
{
    json_t *setting;
    size_t i;

    json_array_foreach(json_object_get(collection->settings, "settings"), i,
                       setting)
    {
        if (!strcmp(member_text(setting, "key"), key)) {
            return json_string_value(json_object_get(setting, "value"));
        }
    }
    return NULL;
}

/* Runs a program with its output in the file 'name'.  Returns its exit status,
 * or -1 with errno. */
static int
run_program(const char *const *argv, const char *output)
{
    posix_spawn_file_actions_t actions;
    int error, status = 0;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    if (output) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO,
                                         STDERR_FILENO);
    }
    error = posix_spawnp(&child, argv[0], &actions, NULL,
                         (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        errno = error;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* Stores the journal of the units, and the files of --log. */
static void
collect_logs(struct collection *collection)
{
    static const char *const argv[] = {"journalctl",
                                       "--no-pager",
                                       "--unit=orchd",
                                       "--unit=softasicd@*",
                                       "--unit=saihostd@*",
                                       "--lines=" JOURNAL_LINES,
                                       NULL};
    const json_t *logs =
        json_object_get(collection->invocation->arguments, "log");
    struct text raw = {0};
    json_t *path;
    size_t i;
    int status;

    text_addf(&raw, "%s/journal.raw", collection->directory);
    status = run_program(argv, text_string(&raw));
    if (status) {
        note(collection, "journal.txt",
             status < 0
                 ? "journalctl cannot be run: give the log of orchd "
                   "with --log FILE"
                 : "journalctl failed: give the log of orchd with --log FILE");
    } else {
        collect_file(collection, text_string(&raw), "journal.txt");
    }
    unlink(text_string(&raw));
    text_fini(&raw);
    json_array_foreach(logs, i, path)
    {
        char name[64];

        text_format(name, sizeof name, "log-%zu.txt", i + 1);
        collect_file(collection, json_string_value(path), name);
    }
}

/* Stores what this machine and the process of orchd are. */
static void
collect_machine(struct collection *collection)
{
    const json_int_t pid = member_number(collection->status, "pid");
    struct text text = {0};
    struct utsname name;
    char path[64];

    version_add_json(&text, "orchctl");
    write_item(collection, "version.json", text_string(&text));
    text_clear(&text);
    if (!uname(&name)) {
        text_addf(&text, "%s %s %s %s\n", name.sysname, name.release,
                  name.version, name.machine);
    }
    write_item(collection, "uname.txt", text_string(&text));
    text_fini(&text);
    collect_file(collection, "/etc/os-release", "os-release.txt");
    collect_file(collection, "/proc/meminfo", "meminfo.txt");
    if (pid) {
        text_format(path, sizeof path, "/proc/%lld/status", (long long)pid);
        collect_file(collection, path, "process-status.txt");
        text_format(path, sizeof path, "/proc/%lld/limits", (long long)pid);
        collect_file(collection, path, "process-limits.txt");
    }
}

/* Stores the files that the settings of orchd name. */
static void
collect_files(struct collection *collection)
{
    const char *conf = member_text(collection->settings, "file");
    const char *record = find_setting(collection, "record");
    const char *state = find_setting(collection, "state_dir");
    struct text path = {0};

    if (!collection->settings) {
        conf = SYSCONFDIR "/orchd/orchd.conf";
    }
    if (*conf) {
        collect_file(collection, conf, "orchd.conf");
    }
    if (record) {
        collect_file(collection, record, "sai-record.txt");
    }
    if (state) {
        text_addf(&path, "%s/history.jsonl", state);
        collect_file(collection, text_string(&path), "history.jsonl");
    }
    text_fini(&path);
}

/* The archive ------------------------------------------------------------- */

/* Appends what is missing to 'text', a line for items in a row that have the
 * same reason. */
static void
list_missing(const struct collection *collection, struct text *text)
{
    const size_t n = json_array_size(collection->items);

    for (size_t i = 0, end; i < n; i = end) {
        const json_t *item = json_array_get(collection->items, i);
        const char *reason = member_text(item, "missing");

        for (end = i + 1; end < n; end++) {
            if (strcmp(member_text(json_array_get(collection->items, end),
                                   "missing"),
                       reason) != 0) {
                break;
            }
        }
        if (!*reason) {
            continue;
        }
        text_addf(text, "%s", member_text(item, "file"));
        if (end > i + 1) {
            text_addf(
                text, " to %s (%zu items)",
                member_text(json_array_get(collection->items, end - 1), "file"),
                end - i);
        }
        text_addf(text, ": %s\n", reason);
    }
}

/* Writes the list of what is missing as a file. */
static void
write_missing(const struct collection *collection)
{
    struct text text = {0};
    FILE *file;

    list_missing(collection, &text);
    file = text.length ? open_item(collection, "MISSING") : NULL;
    if (file) {
        fputs(text_string(&text), file);
        fclose(file);
    }
    text_fini(&text);
}

/* Packs the collection into 'path'. */
static enum st
pack(const struct collection *collection, const char *path, struct err *err)
{
    char *parent = check_strdup(collection->directory);
    const char *const argv[] = {"tar",         "--create", "--auto-compress",
                                "--directory", parent,     "--file",
                                path,          NAME,       NULL};
    int status;

    *strrchr(parent, '/') = '\0';
    status = run_program(argv, NULL);
    if (status < 0) {
        err_set(err, ST_IO, "tar", "tar cannot be run: %s", strerror(errno));
    } else if (status) {
        err_set(err, ST_IO, "tar", "tar cannot write '%s'", path);
    }
    free(parent);
    return status ? ST_IO : ST_OK;
}

/* Removes the collection. */
static void
remove_directory(const struct collection *collection)
{
    DIR *directory = opendir(collection->directory);
    char *slash = strrchr(collection->directory, '/');
    struct dirent *entry;

    while (directory && (entry = readdir(directory))) {
        (void)unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory) {
        closedir(directory);
    }
    (void)rmdir(collection->directory);
    *slash = '\0';
    (void)rmdir(collection->directory);
    *slash = '/';
}

/* Creates the directory of the collection in a temporary one. */
static enum st
make_directory(struct collection *collection, struct err *err)
{
    const char *parent = getenv("TMPDIR");
    struct text path = {0};
    bool good;

    text_addf(&path, "%s/orchctl.XXXXXX", parent && *parent ? parent : "/tmp");
    collection->directory = text_take(&path);
    good = mkdtemp(collection->directory) != NULL;
    text_addf(&path, "%s/" NAME, collection->directory);
    if (!good || mkdir(text_string(&path), 0700)) {
        err_set(err, ST_IO, "unwritable", "cannot make a directory in %s: %s",
                parent && *parent ? parent : "/tmp", strerror(errno));
        err_set_remedy(err, "set TMPDIR to a directory that can be written");
        text_fini(&path);
        return ST_IO;
    }
    free(collection->directory);
    collection->directory = text_take(&path);
    return ST_OK;
}

/* Writes the usual name of an archive to 'buffer'. */
static void
name_archive(char *buffer, size_t size)
{
    const time_t now = time(NULL);
    char when[32] = "";
    struct utsname name = {0};
    struct tm parts;

    if (gmtime_r(&now, &parts)) {
        (void)strftime(when, sizeof when, "%Y%m%dT%H%M%SZ", &parts);
    }
    (void)uname(&name);
    text_format(buffer, size, "orchd-techsupport-%.64s-%s.tar.xz",
                name.nodename, when);
}

/* Checks that tar finds out by the name of the archive what it is to be. */
static enum st
check_name(const char *path, struct err *err)
{
    static const char *const endings[] = {".tar", ".tar.gz", ".tgz", ".tar.xz",
                                          ".tar.zst"};
    const size_t length = strlen(path);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t n = strlen(endings[i]);

        if (length > n && !strcmp(path + length - n, endings[i])) {
            return ST_OK;
        }
    }
    err_set(err, ST_INVALID, "usage", "'%s' is not the name of an archive",
            path);
    err_set_remedy(err,
                   "let it end in .tar.xz, .tar.gz, .tgz, .tar.zst or .tar");
    return ST_INVALID;
}

/* Creates the archive empty and unreadable for others, so that a file that is
 * there stays, and tar keeps the mode. */
static enum st
reserve(const char *path, struct err *err)
{
    const int fd =
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0) {
        const bool exists = errno == EEXIST;

        err_set(err, ST_IO, "unwritable", "cannot write '%s': %s", path,
                strerror(errno));
        err_set_remedy(err, exists ? "name another FILE, or remove it first"
                                   : "name a FILE that can be written");
        return ST_IO;
    }
    close(fd);
    return ST_OK;
}

/* Says what was written, and what is missing. */
static void
report(const struct collection *collection, const char *path)
{
    const size_t n = json_array_size(collection->items);
    struct text missing = {0};

    if (collection->invocation->json) {
        json_t *data =
            json_pack("{s:s, s:O}", "file", path, "items", collection->items);

        verb_print_json(data);
        json_decref(data);
        return;
    }
    printf("%s: %zu items\n", path, n - collection->n_missing);
    if (collection->n_missing) {
        list_missing(collection, &missing);
        printf("\nMissing:\n%s", text_string(&missing));
        text_fini(&missing);
    }
    printf("\nIt has the configuration of this switch; values whose names look "
           "like secrets are\nmasked.  Look at it before you send it: tar -xf "
           "%s\n",
           path);
}

int
techsupport_verb(struct invocation *invocation)
{
    struct collection collection = {.invocation = invocation,
                                    .items = json_array()};
    char usual[160];
    const char *path = invocation->n_operands ? invocation->operands[0] : usual;
    struct err err;
    enum st status;

    name_archive(usual, sizeof usual);
    status = check_name(path, &err);
    status = status ? status : reserve(path, &err);
    if (!status) {
        status = make_directory(&collection, &err);
        if (status) {
            (void)unlink(path);
        }
    }
    if (!status) {
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
            collect_answer(&collection, &requests[i]);
        }
        collect_machine(&collection);
        collect_files(&collection);
        collect_logs(&collection);
        write_missing(&collection);
        status = pack(&collection, path, &err);
        remove_directory(&collection);
        if (status) {
            (void)unlink(path);
        }
    }
    if (status) {
        verb_complain(&err);
    } else {
        report(&collection, path);
    }
    json_decref(collection.items);
    json_decref(collection.status);
    json_decref(collection.settings);
    free(collection.directory);
    return status == ST_INVALID ? CONTROL_USAGE
           : status             ? CONTROL_NO
                                : CONTROL_DONE;
}
