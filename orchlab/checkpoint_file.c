/* SPDX-License-Identifier: Apache-2.0 */

/* Writes and reads checkpoints. */

#include <config.h>

#include "orchlab/checkpoint_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/text.h"
#include "process/process_image.h"

#define NEW ".new"
#define OLD ".old"

static const char magic[8] = "orchckp3";

enum { COPY_SIZE = 1 << 16 };

/* The file begins with this; the image and the results follow. */
struct header {
    char magic[8];
    int64_t length;  /* Of the whole file. */
    uint64_t digest; /* Of this header without digest, and of the rest. */
    uint32_t n_ranks, rank;
    struct checkpoint_id id;
    int64_t results; /* Size of the results, which are at the end. */
};

static enum st
fail(const char *what, const char *path, struct err *err)
{
    return err_set(err, ST_IO, "checkpoint", "cannot %s %s: %s", what, path,
                   strerror(errno));
}

/* Copies 'n' bytes, or up to the end if it is negative; returns how many,
 * negative: it failed. */
static int64_t
copy(FILE *from, FILE *to, int64_t n)
{
    char buffer[COPY_SIZE];
    int64_t done = 0;

    while (n < 0 || done < n) {
        const size_t most =
            n < 0 || n - done > COPY_SIZE ? COPY_SIZE : (size_t)(n - done);
        const size_t got = fread(buffer, 1, most, from);

        if (got == 0) {
            break;
        }
        if (fwrite(buffer, 1, got, to) != got) {
            return -1;
        }
        done += (int64_t)got;
    }
    return ferror(from) || (n >= 0 && done < n) ? -1 : done;
}

/* Stores the digest of 'header' and of the rest of 'file', which is read to its
 * end.  Returns whether that worked. */
static bool
digest_rest(const struct header *header, FILE *file, uint64_t *digest)
{
    struct header plain = *header;
    char buffer[COPY_SIZE];
    size_t n;

    plain.digest = 0;
    *digest = digest_bytes(DIGEST_START, &plain, sizeof plain);
    if (fseek(file, sizeof plain, SEEK_SET)) {
        return false;
    }
    while ((n = fread(buffer, 1, sizeof buffer, file))) {
        *digest = digest_bytes(*digest, buffer, n);
    }
    return !ferror(file);
}

/* Checks that no connection has the results open: that would leave a part of
 * them in another file. */
static enum st
check_results(const struct checkpoint_file *file, struct err *err)
{
    struct text log = {0};
    bool is_there;

    text_addf(&log, "%s-wal", file->results);
    is_there = access(text_string(&log), F_OK) == 0;
    text_fini(&log);
    return is_there ? err_set(err, ST_BUSY, "checkpoint",
                              "another process reads %s", file->results)
                    : ST_OK;
}

/* Saving ------------------------------------------------------------------- */

/* Appends the results, if there are any; stores how many bytes. */
static enum st
save_results(const struct checkpoint_file *file, FILE *to, int64_t *size,
             struct err *err)
{
    FILE *from;
    enum st st = file->results ? check_results(file, err) : ST_OK;

    if (st || !file->results) {
        return st;
    }
    from = fopen(file->results, "re");
    if (!from) {
        return fail("read", file->results, err);
    }
    *size = copy(from, to, -1);
    st = *size < 0 ? fail("copy", file->results, err) : ST_OK;
    (void)fclose(from);
    return st;
}

/* Writes the header over the empty one, and everything to the disk. */
static enum st
complete(struct header *header, FILE *to, const char *path, struct err *err)
{
    if (fflush(to) || fseek(to, 0, SEEK_END)) {
        return fail("write", path, err);
    }
    header->length = ftell(to);
    if (!digest_rest(header, to, &header->digest) || fseek(to, 0, SEEK_SET) ||
        fwrite(header, sizeof *header, 1, to) != 1 || fflush(to) ||
        fsync(fileno(to))) {
        return fail("write", path, err);
    }
    return ST_OK;
}

/* Writes the checkpoint to 'path'. */
static enum st
write_file(const struct checkpoint_file *file, const char *path, pid_t child,
           const struct checkpoint_id *id, struct err *err)
{
    struct header header = {
        .n_ranks = file->n_ranks, .rank = file->rank, .id = *id};
    FILE *to = fopen(path, "w+e");
    enum st st;

    if (!to) {
        return fail("write", path, err);
    }
    st = fwrite(&header, sizeof header, 1, to) == 1 ? ST_OK
                                                    : fail("write", path, err);
    memcpy(header.magic, magic, sizeof magic);
    st = st ? st : process_image_save(child, to, err);
    st = st ? st : save_results(file, to, &header.results, err);
    st = st ? st : complete(&header, to, path, err);
    if (fclose(to) && !st) {
        st = fail("write", path, err);
    }
    return st;
}

enum st
checkpoint_file_check(const struct checkpoint_file *file, struct err *err)
{
    struct text path = {0};
    FILE *to;
    enum st st = ST_OK;

    text_addf(&path, "%s" NEW, file->path);
    to = fopen(text_string(&path), "we");
    if (!to || fclose(to)) {
        st = fail("write", text_string(&path), err);
    }
    (void)unlink(text_string(&path));
    text_fini(&path);
    return st;
}

enum st
checkpoint_file_write(const struct checkpoint_file *file, pid_t child,
                      const struct checkpoint_id *id, struct err *err)
{
    struct text new = {0};
    enum st st;

    text_addf(&new, "%s" NEW, file->path);
    st = write_file(file, text_string(&new), child, id, err);
    text_fini(&new);
    if (st) {
        checkpoint_file_discard(file);
    }
    return st;
}

enum st
checkpoint_file_commit(const struct checkpoint_file *file, bool *is_kept,
                       struct err *err)
{
    struct text new = {0}, old = {0};
    enum st st = ST_OK;

    text_addf(&new, "%s" NEW, file->path);
    text_addf(&old, "%s" OLD, file->path);
    if (*is_kept && rename(file->path, text_string(&old)) && errno != ENOENT) {
        st = fail("rename", file->path, err);
    }
    *is_kept = *is_kept && st;
    if (!st && rename(text_string(&new), file->path)) {
        st = fail("write", file->path, err);
    }
    text_fini(&new);
    text_fini(&old);
    return st;
}

void
checkpoint_file_discard(const struct checkpoint_file *file)
{
    struct text new = {0};

    text_addf(&new, "%s" NEW, file->path);
    (void)unlink(text_string(&new));
    text_fini(&new);
}

/* Loading ------------------------------------------------------------------ */

/* Checks that the file is of this rank, of as many ranks. */
static enum st
check_rank(const struct checkpoint_file *file, const char *path,
           const struct header *header, struct err *err)
{
    if (header->n_ranks != file->n_ranks) {
        return err_set(err, ST_INVALID, CHECKPOINT_RANKS,
                       "%s is of a run on %u rank%s, and this one has %u", path,
                       (unsigned int)header->n_ranks,
                       header->n_ranks == 1 ? "" : "s",
                       (unsigned int)file->n_ranks);
    }
    return header->rank == file->rank
               ? ST_OK
               : err_set(err, ST_INVALID, "checkpoint", "%s is of rank %u",
                         path, (unsigned int)header->rank);
}

/* Reads the header, and checks that the file is what it says. */
static enum st
read_header(const struct checkpoint_file *file, FILE *from, const char *path,
            struct header *header, struct err *err)
{
    struct stat found;
    uint64_t digest;

    if (fstat(fileno(from), &found)) {
        return fail("read", path, err);
    }
    if (fread(header, sizeof *header, 1, from) != 1 ||
        memcmp(header->magic, magic, sizeof magic) != 0) {
        return err_set(err, ST_INVALID, "checkpoint",
                       "%s is no checkpoint of this orchlab", path);
    }
    if (found.st_size != header->length) {
        return err_set(err, ST_INVALID, "checkpoint",
                       "%s is cut: it has %lld bytes of %" PRId64, path,
                       (long long)found.st_size, header->length);
    }
    if (!digest_rest(header, from, &digest)) {
        return fail("read", path, err);
    }
    return digest == header->digest
               ? check_rank(file, path, header, err)
               : err_set(err, ST_INVALID, "checkpoint",
                         "%s is damaged: its digest is another one", path);
}

/* Opens the file, and reads its header; it is at the image then.  '*from' is
 * NULL if it cannot be opened. */
static enum st
open_file(const struct checkpoint_file *file, bool old, FILE **from,
          struct header *header, struct err *err)
{
    struct text path = {0};
    enum st st;

    text_addf(&path, "%s%s", file->path, old ? OLD : "");
    *from = fopen(text_string(&path), "re");
    if (!*from) {
        st = errno == ENOENT ? ST_NOT_FOUND : ST_INVALID;
        (void)fail("read", text_string(&path), err);
    } else {
        st = read_header(file, *from, text_string(&path), header, err);
        if (!st && fseek(*from, sizeof *header, SEEK_SET)) {
            st = fail("read", text_string(&path), err);
        }
    }
    text_fini(&path);
    return st;
}

static void
close_file(FILE *from)
{
    if (from) {
        (void)fclose(from);
    }
}

enum st
checkpoint_file_examine(const struct checkpoint_file *file, bool old,
                        pid_t child, struct checkpoint_id *id, struct err *err)
{
    struct header header;
    FILE *from;
    enum st st = open_file(file, old, &from, &header, err);

    st = st ? st : process_image_fits(child, from, err);
    close_file(from);
    if (!st) {
        *id = header.id;
    }
    return st;
}

/* Puts the results back. */
static enum st
load_results(const struct checkpoint_file *file, FILE *from, int64_t size,
             struct err *err)
{
    FILE *to = fopen(file->results, "we");
    bool failed = !to || copy(from, to, size) != size;

    if (to) {
        failed = fclose(to) || failed;
    }
    return failed ? fail("write", file->results, err) : ST_OK;
}

enum st
checkpoint_file_load(const struct checkpoint_file *file, bool old, pid_t child,
                     struct err *err)
{
    struct header header;
    FILE *from;
    enum st st = open_file(file, old, &from, &header, err);

    if (file->results) {
        st = st ? st : check_results(file, err);
    }
    st = st ? st : process_image_load(child, from, err);
    if (file->results) {
        st = st ? st : load_results(file, from, header.results, err);
    }
    close_file(from);
    return st;
}

/* Removing ----------------------------------------------------------------- */

/* Returns whether 'name' is "BASE", "BASE.RANK", or one of these with NEW or
 * OLD. */
static bool
belongs(const char *name, const char *base)
{
    const size_t n = strlen(base);

    if (strncmp(name, base, n) != 0) {
        return false;
    }
    name += n;
    if (name[0] == '.' && isdigit((unsigned char)name[1])) {
        name += 1 + strspn(name + 1, "0123456789");
    }
    return !*name || !strcmp(name, NEW) || !strcmp(name, OLD);
}

void
checkpoint_file_remove(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    struct text folder = {0};
    const struct dirent *entry;
    DIR *directory;

    text_addf(&folder, "%.*s", slash ? (int)(slash - path) + 1 : 2,
              slash ? path : "./");
    directory = opendir(text_string(&folder));
    while (directory && (entry = readdir(directory))) {
        if (belongs(entry->d_name, base)) {
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
        }
    }
    if (directory) {
        (void)closedir(directory);
    }
    text_fini(&folder);
}
