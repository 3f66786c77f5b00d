/* SPDX-License-Identifier: Apache-2.0 */

/* Copies the memory of a process by ptrace. */

#include <config.h>

#include "process/process_image.h"

/* The shadow memory of AddressSanitizer is too large for an image. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HAS_SANITIZER 1
#endif

#if defined __x86_64__ && defined __linux__ && !defined HAS_SANITIZER

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"

enum {
    REGIONS_MAX = 65536,
    NAME_SIZE = 232,
    FLOATS_SIZE = 16384, /* Of XSAVE, with AMX. */
    CHUNK = 1 << 20,
    TRIES = 2000,
    SYSCALL_BYTES = 2, /* Of the instruction "syscall". */
};

#define TRY_NS 1000000

#define UNWRITABLE "cannot write the image"

/* A mapping of the process. */
struct region {
    uint64_t from, to;
    char perms[8]; /* "rw-p" */
    char name[NAME_SIZE];
};

/* The image begins with this. */
struct header {
    char magic[8];
    uint64_t n_regions;
    struct user_regs_struct registers;
    uint64_t floats_size;
    char floats[FLOATS_SIZE];
};

static const char magic[8] = "orchimg1";

/* A stopped process. */
struct traced {
    pid_t pid;
    int memory; /* /proc/PID/mem */
    struct user_regs_struct registers;
    struct region *regions;
    size_t n_regions;
    struct err *err;
};

bool
process_image_is_built(void)
{
    return true;
}

bool
process_image_prepare(void)
{
    const int persona = personality(0xffffffff);

    return persona >= 0 &&
           personality((unsigned long)persona | ADDR_NO_RANDOMIZE) >= 0 &&
           prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
}

static enum st
fail(struct err *err, const char *what)
{
    return err_set(err, ST_IO, "image", "%s: %s", what, strerror(errno));
}

/* Reads a line of /proc/PID/maps, "FROM-TO PERMS OFFSET DEVICE INODE NAME",
 * with hexadecimal numbers.  Returns whether it is one. */
static bool
read_region(const char *line, struct region *region)
{
    char *rest;

    memset(region, 0, sizeof *region);
    region->from = strtoull(line, &rest, 16);
    if (rest == line || *rest != '-') {
        return false;
    }
    line = rest + 1;
    region->to = strtoull(line, &rest, 16);
    /* A mapping without a file has no name. */
    return rest != line && sscanf(rest, " %4s %*s %*s %*s %231[^\n]",
                                  region->perms, region->name) >= 1;
}

/* Reads the mappings of the process. */
static enum st
read_regions(struct traced *traced)
{
    char path[64], line[4096];
    FILE *file;

    (void)text_format(path, sizeof path, "/proc/%ld/maps", (long)traced->pid);
    file = fopen(path, "re");
    if (!file) {
        return fail(traced->err, path);
    }
    traced->n_regions = 0;
    while (traced->n_regions < REGIONS_MAX && fgets(line, sizeof line, file)) {
        traced->n_regions +=
            read_region(line, &traced->regions[traced->n_regions]);
    }
    (void)fclose(file);
    return ST_OK;
}

/* Returns whether the contents of 'region' are in the image: memory of its own
 * that the process can write. */
static bool
has_contents(const struct region *region)
{
    return region->perms[1] == 'w' && region->perms[3] == 'p';
}

/* Stops the process; it has to wait in read(2) of standard input. */
static enum st
stop(struct traced *traced)
{
    const struct timespec pause = {0, TRY_NS};
    int status;

    for (int i = 0; i < TRIES; i++) {
        if (ptrace(PTRACE_ATTACH, traced->pid, NULL, NULL) ||
            waitpid(traced->pid, &status, __WALL) != traced->pid ||
            !WIFSTOPPED(status) ||
            ptrace(PTRACE_GETREGS, traced->pid, NULL, &traced->registers)) {
            return fail(traced->err, "ptrace");
        }
        if (traced->registers.orig_rax == SYS_read &&
            traced->registers.rdi == STDIN_FILENO) {
            return ST_OK;
        }
        (void)ptrace(PTRACE_DETACH, traced->pid, NULL, NULL);
        (void)nanosleep(&pause, NULL);
    }
    return err_set(traced->err, ST_BUSY, "image",
                   "the process does not wait for input");
}

/* Stops the process and looks at it. */
static enum st
begin(struct traced *traced, pid_t pid, struct err *err)
{
    char path[64];
    enum st st;

    *traced = (struct traced){.pid = pid, .memory = -1, .err = err};
    st = stop(traced);
    if (st) {
        return st;
    }
    traced->regions = check_calloc(REGIONS_MAX, sizeof *traced->regions);
    (void)text_format(path, sizeof path, "/proc/%ld/mem", (long)pid);
    traced->memory = open(path, O_RDWR | O_CLOEXEC);
    return traced->memory < 0 ? fail(err, path) : read_regions(traced);
}

/* Lets the process go on. */
static void
end(struct traced *traced)
{
    if (traced->regions) {
        (void)ptrace(PTRACE_DETACH, traced->pid, NULL, NULL);
    }
    if (traced->memory >= 0) {
        (void)close(traced->memory);
    }
    free(traced->regions);
}

enum st
process_image_check(pid_t child, struct err *err)
{
    struct traced traced;
    const enum st st = begin(&traced, child, err);

    end(&traced);
    return st;
}

/* Saving ------------------------------------------------------------------- */

/* Writes the contents of 'region': chunks, each with a byte before it that says
 * whether it has anything but zeros. */
static enum st
write_contents(const struct traced *traced, const struct region *region,
               char *chunk, FILE *file)
{
    for (uint64_t at = region->from; at < region->to; at += CHUNK) {
        const size_t n =
            region->to - at < CHUNK ? (size_t)(region->to - at) : CHUNK;
        bool is_zero = true;

        memset(chunk, 0, n);
        if (pread(traced->memory, chunk, n, (off_t)at) != (ssize_t)n) {
            return fail(traced->err, region->name);
        }
        for (size_t i = 0; is_zero && i < n; i++) {
            is_zero = chunk[i] == 0;
        }
        if (fputc(!is_zero, file) == EOF ||
            (!is_zero && fwrite(chunk, n, 1, file) != 1)) {
            return fail(traced->err, UNWRITABLE);
        }
    }
    return ST_OK;
}

enum st
process_image_save(pid_t child, FILE *file, struct err *err)
{
    struct header *header = check_calloc(1, sizeof *header);
    char *chunk = check_malloc(CHUNK);
    struct iovec floats = {header->floats, FLOATS_SIZE};
    struct traced traced;
    enum st st = begin(&traced, child, err);

    if (!st && ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &floats)) {
        st = fail(err, "ptrace");
    }
    if (!st) {
        memcpy(header->magic, magic, sizeof magic);
        header->n_regions = traced.n_regions;
        header->registers = traced.registers;
        header->floats_size = floats.iov_len;
        if (fwrite(header, sizeof *header, 1, file) != 1 ||
            fwrite(traced.regions, sizeof *traced.regions, traced.n_regions,
                   file) != traced.n_regions) {
            st = fail(err, UNWRITABLE);
        }
    }
    for (size_t i = 0; !st && i < traced.n_regions; i++) {
        if (has_contents(&traced.regions[i])) {
            st = write_contents(&traced, &traced.regions[i], chunk, file);
        }
    }
    end(&traced);
    free(header);
    free(chunk);
    return st;
}

/* Loading ------------------------------------------------------------------ */

/* Has the process carry out a system call. */
static long
call(const struct traced *traced, long number, uint64_t a, uint64_t b,
     uint64_t c, uint64_t d)
{
    struct user_regs_struct registers = traced->registers;
    int status;

    registers.rip -= SYSCALL_BYTES;
    registers.rax = (uint64_t)number;
    registers.orig_rax = UINT64_MAX;
    registers.rdi = a;
    registers.rsi = b;
    registers.rdx = c;
    registers.r10 = d;
    registers.r8 = UINT64_MAX; /* No file. */
    registers.r9 = 0;
    if (ptrace(PTRACE_SETREGS, traced->pid, NULL, &registers) ||
        ptrace(PTRACE_SINGLESTEP, traced->pid, NULL, NULL) ||
        waitpid(traced->pid, &status, __WALL) != traced->pid ||
        ptrace(PTRACE_GETREGS, traced->pid, NULL, &registers)) {
        return -1;
    }
    return (long)registers.rax;
}

/* Returns the region of the process that has all of 'wanted'. */
static const struct region *
find(const struct traced *traced, const struct region *wanted)
{
    for (size_t i = 0; i < traced->n_regions; i++) {
        if (traced->regions[i].from <= wanted->from &&
            traced->regions[i].to >= wanted->to) {
            return &traced->regions[i];
        }
    }
    return NULL;
}

/* Checks that the process is of the same program: code and files are where the
 * image has them. */
static enum st
check_program(const struct traced *traced, const struct header *header,
              const struct region *regions)
{
    bool is_same = header->registers.rip == traced->registers.rip &&
                   header->registers.fs_base == traced->registers.fs_base;

    for (size_t i = 0; is_same && i < header->n_regions; i++) {
        const struct region *region = find(traced, &regions[i]);

        if (regions[i].name[0] && regions[i].name[0] != '[') {
            is_same = region && strcmp(region->name, regions[i].name) == 0 &&
                      strcmp(region->perms, regions[i].perms) == 0;
        }
    }
    return is_same ? ST_OK
                   : err_set(traced->err, ST_INVALID, "image",
                             "the image is of another program, library or "
                             "kernel");
}

/* Makes the memory of 'region' where the process has none. */
static enum st
make_region(struct traced *traced, const struct region *region)
{
    const struct region *there = find(traced, region);
    uint64_t to = region->to;
    long made;

    if (there && has_contents(there)) {
        return ST_OK;
    }
    if (strcmp(region->name, "[heap]") == 0) {
        made = call(traced, SYS_brk, to, 0, 0, 0);
        return (uint64_t)made == to ? ST_OK : fail(traced->err, "brk");
    }
    for (size_t i = 0; i < traced->n_regions; i++) {
        /* The stack grows downwards: what is there stays. */
        if (strcmp(region->name, "[stack]") == 0 &&
            strcmp(traced->regions[i].name, "[stack]") == 0) {
            to = traced->regions[i].from;
        }
    }
    made =
        call(traced, SYS_mmap, region->from, to - region->from,
             PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS);
    return (uint64_t)made == region->from ? ST_OK : fail(traced->err, "mmap");
}

/* Reads the contents of 'region' into the process. */
static enum st
read_contents(const struct traced *traced, const struct region *region,
              char *chunk, FILE *file)
{
    for (uint64_t at = region->from; at < region->to; at += CHUNK) {
        const size_t n =
            region->to - at < CHUNK ? (size_t)(region->to - at) : CHUNK;
        const int has_data = fgetc(file);

        memset(chunk, 0, n);
        if (has_data == EOF || (has_data && fread(chunk, n, 1, file) != 1) ||
            pwrite(traced->memory, chunk, n, (off_t)at) != (ssize_t)n) {
            return fail(traced->err, "the image cannot be read");
        }
    }
    return ST_OK;
}

/* Sets the registers; the process waits in read(2) again. */
static enum st
set_registers(const struct traced *traced, struct header *header)
{
    struct user_regs_struct registers = header->registers;
    struct iovec floats = {header->floats, header->floats_size};

    registers.rip -= SYSCALL_BYTES;
    registers.rax = SYS_read;
    registers.orig_rax = UINT64_MAX;
    return ptrace(PTRACE_SETREGS, traced->pid, NULL, &registers) ||
                   ptrace(PTRACE_SETREGSET, traced->pid, NT_X86_XSTATE, &floats)
               ? fail(traced->err, "ptrace")
               : ST_OK;
}

/* Reads what the image begins with, and checks that it fits the process. */
static enum st
read_start(const struct traced *traced, FILE *file, struct header *header,
           struct region *regions)
{
    if (fread(header, sizeof *header, 1, file) != 1 ||
        memcmp(header->magic, magic, sizeof magic) != 0 ||
        header->n_regions > REGIONS_MAX || header->floats_size > FLOATS_SIZE ||
        fread(regions, sizeof *regions, header->n_regions, file) !=
            header->n_regions) {
        return err_set(traced->err, ST_INVALID, "image",
                       "there is no image in the file");
    }
    return check_program(traced, header, regions);
}

/* Puts the contents of the regions into the process. */
static enum st
read_memory(struct traced *traced, FILE *file, const struct header *header,
                const struct region *regions)
{
    char *chunk = check_malloc(CHUNK);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < header->n_regions; i++) {
        if (has_contents(&regions[i])) {
            st = make_region(traced, &regions[i]);
            st = st ? st : read_contents(traced, &regions[i], chunk, file);
        }
    }
    free(chunk);
    return st;
}

/* Puts the image into the process, unless that is only to be checked. */
static enum st
load(pid_t child, FILE *file, bool is_checked_only, struct err *err)
{
    struct header *header = check_calloc(1, sizeof *header);
    struct region *regions = check_calloc(REGIONS_MAX, sizeof *regions);
    struct traced traced;
    enum st st = begin(&traced, child, err);

    st = st ? st : read_start(&traced, file, header, regions);
    if (!st && !is_checked_only) {
        st = read_memory(&traced, file, header, regions);
        st = st ? st : set_registers(&traced, header);
    }
    end(&traced);
    free(header);
    free(regions);
    return st;
}

enum st
process_image_fits(pid_t child, FILE *file, struct err *err)
{
    return load(child, file, true, err);
}

enum st
process_image_load(pid_t child, FILE *file, struct err *err)
{
    return load(child, file, false, err);
}

#else

static enum st
fail(struct err *err)
{
    return err_set(err, ST_UNSUPPORTED, "image",
                   "images of processes need Linux on x86-64, and a program "
                   "without sanitizers");
}

bool
process_image_is_built(void)
{
    return false;
}

bool
process_image_prepare(void)
{
    return false;
}

enum st
process_image_check(pid_t child, struct err *err)
{
    (void)child;
    return fail(err);
}

enum st
process_image_save(pid_t child, FILE *file, struct err *err)
{
    (void)child;
    (void)file;
    return fail(err);
}

enum st
process_image_fits(pid_t child, FILE *file, struct err *err)
{
    (void)child;
    (void)file;
    return fail(err);
}

enum st
process_image_load(pid_t child, FILE *file, struct err *err)
{
    (void)child;
    (void)file;
    return fail(err);
}

#endif
