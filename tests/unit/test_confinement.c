/* SPDX-License-Identifier: Apache-2.0 */

/* What a confined process may do, in children that confine themselves. */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/call_filter.h"
#include "process/capabilities.h"
#include "process/confinement.h"

/* A child ends with one of these, or with an errno. */
enum { DONE = 0, NO_FILTER = 250, WRONG = 251 };

typedef int attempt_fn(void);

static char library[64] = "/tmp/orchd-test-XXXXXX";
static char ours[96];

static int
setup(void **state)
{
    int fd;

    (void)state;
    assert_non_null(mkdtemp(library));
    snprintf(ours, sizeof ours, "%s/libsai-softasic.so", library);
    fd = open(ours, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    unlink(ours);
    rmdir(library);
    return 0;
}

/* Returns how a child ends that makes 'attempt' after it has confined itself:
 * its exit status, or minus the signal. */
static int
try(unsigned int needs, attempt_fn *attempt)
{
    int status;
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        struct confinement confinement;

        setrlimit(RLIMIT_CORE, &none);
        confinement_start(false);
        confinement_enter(true, needs, ours, &confinement);
        _exit(confinement.on ? attempt() : NO_FILTER);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* Leaves the test out where there is no filter: in a build without, or in an
 * emulator. */
static void
need_filter(void)
{
    struct confinement confinement;
    const pid_t child = fork();
    int status;

    if (child == 0) {
        confinement_enter(true, 0, ours, &confinement);
        _exit(confinement.on ? DONE : NO_FILTER);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WEXITSTATUS(status) == NO_FILTER) {
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), DONE);
}

/* What a process does in years --------------------------------------------- */

static void *
run_thread(void *context)
{
    *(int *)context = 1;
    return NULL;
}

static int
start_thread(void)
{
    pthread_t thread;
    int ran = 0;
    const int error = pthread_create(&thread, NULL, run_thread, &ran);

    return error ? error : pthread_join(thread, NULL) || !ran ? WRONG : DONE;
}

/* Memory grows, moves and shrinks. */
static int
use_memory(void)
{
    char *memory = NULL;

    for (size_t size = 1; size < (size_t)64 << 20; size *= 4) {
        char *moved = realloc(memory, size);

        if (!moved) {
            return errno;
        }
        memory = moved;
        memory[size - 1] = 1;
    }
    free(memory);
    return DONE;
}

static int
look_up_user(void)
{
    const struct passwd *user = getpwuid(0);

    return user && !strcmp(user->pw_name, "root") ? DONE : WRONG;
}

static int
use_files(void)
{
    char name[] = "/tmp/orchd-test-file-XXXXXX";
    struct stat status;
    FILE *file;
    int fd = mkstemp(name);

    if (fd < 0 || fchmod(fd, 0600) || fstat(fd, &status) ||
        ftruncate(fd, 100) || fsync(fd)) {
        return errno;
    }
    file = fdopen(fd, "w");
    if (!file || fprintf(file, "text\n") < 0 || fclose(file) || unlink(name)) {
        return errno;
    }
    return isatty(STDIN_FILENO) ? DONE : errno == ENOTTY ? DONE : errno;
}

static int
use_sockets(void)
{
    static const int families[] = {AF_UNIX, AF_INET, AF_INET6};

    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const int fd = socket(families[i], SOCK_STREAM | SOCK_CLOEXEC, 0);

        /* A machine may have no IPv6. */
        if (fd < 0 && errno != EAFNOSUPPORT) {
            return errno;
        }
        close(fd);
    }
    return socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) < 0 ? errno : DONE;
}

static int
abort_itself(void)
{
    abort();
}

static void
test_what_a_daemon_does_is_allowed(void **state)
{
    static attempt_fn *const attempts[] = {
        start_thread, use_memory, look_up_user, use_files, use_sockets};

    (void)state;
    need_filter();
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        assert_int_equal(try(0, attempts[i]), DONE);
    }
    assert_int_equal(try(0, abort_itself), -SIGABRT);
}

/* What is refused ---------------------------------------------------------- */

static int
make_child(void)
{
    const pid_t child = fork();

    if (child == 0) {
        _exit(DONE);
    }
    return child < 0 ? errno : DONE;
}

static int
open_packet_socket(void)
{
    return socket(AF_PACKET, SOCK_RAW, 0) < 0 ? errno : DONE;
}

static int
open_bluetooth(void)
{
    return socket(AF_BLUETOOTH, SOCK_RAW, 0) < 0 ? errno : DONE;
}

static int
open_audit(void)
{
    return socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT) < 0 ? errno : DONE;
}

static int
map_code(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
               ? errno
               : DONE;
}

static int
make_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return mprotect(page, 4096, PROT_READ | PROT_EXEC) ? errno : DONE;
}

static int
type_for_the_user(void)
{
    return ioctl(STDIN_FILENO, TIOCSTI, "x") ? errno : DONE;
}

static int
limit_parent(void)
{
    struct rlimit limit;

    return prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) ? errno : DONE;
}

static int
read_parent(void)
{
    return syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0) ? errno
                                                                         : DONE;
}

/* A call that no kernel has yet. */
static int
call_the_future(void)
{
    return syscall(100000) < 0 ? errno : DONE;
}

static void
test_what_it_has_no_use_for_is_refused(void **state)
{
    (void)state;
    need_filter();
    assert_int_equal(try(0, make_child), EPERM);
    assert_int_equal(try(0, open_packet_socket), EAFNOSUPPORT);
    assert_int_equal(try(0, open_bluetooth), EAFNOSUPPORT);
    assert_int_equal(try(0, open_audit), EPROTONOSUPPORT);
    assert_int_equal(try(0, map_code), EACCES);
    assert_int_equal(try(0, make_code), EACCES);
    assert_int_equal(try(0, type_for_the_user), ENOSYS);
    assert_int_equal(try(0, limit_parent), ENOSYS);
    assert_int_equal(try(0, read_parent), ENOSYS);
    assert_int_equal(try(0, call_the_future), ENOSYS);
}

/* What only an attacker does ----------------------------------------------- */

static int
run_program(void)
{
    execl("/bin/true", "true", (char *)NULL);
    return errno;
}

static int
trace(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? errno : DONE;
}

static int
make_user_namespace(void)
{
    return unshare(CLONE_NEWUSER) ? errno : DONE;
}

static int
clone_user_namespace(void)
{
    return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL) <
                   0
               ? errno
               : DONE;
}

static int
enter_network(void)
{
    return setns(-1, CLONE_NEWNET) ? errno : DONE;
}

static int
enter_mounts(void)
{
    return setns(-1, CLONE_NEWNS) ? errno : DONE;
}

static int
load_module(void)
{
    return syscall(SYS_finit_module, -1, "", 0) ? errno : DONE;
}

static int
load_bpf(void)
{
    return syscall(SYS_bpf, 0, NULL, 0) ? errno : DONE;
}

#ifdef __x86_64__
/* getpid() by the numbers of x32. */
static int
call_by_other_numbers(void)
{
    return syscall(0x40000000 | SYS_getpid) < 0 ? errno : DONE;
}
#endif

static void
test_an_attack_ends_the_process(void **state)
{
    static attempt_fn *const attempts[] = {
        run_program,   trace,        make_user_namespace, clone_user_namespace,
        enter_network, enter_mounts, load_module,         load_bpf};

    (void)state;
    need_filter();
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        assert_int_equal(try(0, attempts[i]), -SIGSYS);
    }
#ifdef __x86_64__
    assert_int_equal(try(0, call_by_other_numbers), -SIGSYS);
#endif
}

/* Needs -------------------------------------------------------------------- */

static int
ask_name_of_tap(void)
{
    struct ifreq request = {0};

    return ioctl(-1, TUNGETIFF, &request) ? errno : DONE;
}

static int
make_tap(void)
{
    struct ifreq request = {0};

    return ioctl(-1, TUNSETIFF, &request) ? errno : DONE;
}

static int
create_file(void)
{
    return open("/tmp/orchd-test-file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600) <
                   0
               ? errno
               : DONE;
}

static int
read_file(void)
{
    return open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC) < 0 ? errno : DONE;
}

static int
connect_somewhere(void)
{
    return connect(-1, NULL, 0) ? errno : DONE;
}

static int
signal_another(void)
{
    return kill(getppid(), 0) ? errno : DONE;
}

static int
open_internet(void)
{
    return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) < 0 ? errno : DONE;
}

/* Like try(), for a helper. */
static int
try_helper(attempt_fn *attempt)
{
    int status;
    const pid_t child = fork();

    if (child == 0) {
        const struct rlimit none = {0, 0};
        struct err err;

        setrlimit(RLIMIT_CORE, &none);
        _exit(call_filter_load_helper(&err) ? NO_FILTER : attempt());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static void
test_a_helper_opens_interfaces_and_nothing_else(void **state)
{
    (void)state;
    need_filter();
    assert_int_equal(try_helper(enter_network), EBADF);
    assert_int_equal(try_helper(make_tap), EBADF);
    assert_int_not_equal(try_helper(open_packet_socket), EAFNOSUPPORT);
    assert_int_equal(try_helper(read_file), DONE);
    assert_int_equal(try_helper(abort_itself), -SIGABRT);
    assert_int_equal(try_helper(enter_mounts), -SIGSYS);
    assert_int_equal(try_helper(run_program), -SIGSYS);
    assert_int_equal(try_helper(trace), -SIGSYS);
    assert_int_equal(try_helper(open_bluetooth), EAFNOSUPPORT);
    assert_int_equal(try_helper(open_internet), EAFNOSUPPORT);
    assert_int_equal(try_helper(create_file), ENOSYS);
    assert_int_equal(try_helper(connect_somewhere), ENOSYS);
    assert_int_equal(try_helper(signal_another), ENOSYS);
    assert_int_equal(try_helper(make_child), ENOSYS);
}

/* Capabilities ------------------------------------------------------------- */

static int
keep_and_look(void)
{
    const uint64_t before = capabilities_permitted();
    struct err err;

    if (capabilities_keep(CAPABILITY(CAP_NET_RAW), &err) ||
        capabilities_permitted() != (before & CAPABILITY(CAP_NET_RAW))) {
        return WRONG;
    }
    if ((before & CAPABILITY(CAP_SETPCAP)) &&
        prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 0) {
        return WRONG; /* Root could take it out. */
    }
    return capabilities_keep(0, &err) || capabilities_permitted() ? WRONG
                                                                  : DONE;
}

static void
test_capabilities_are_given_up(void **state)
{
    char text[CAPABILITIES_TEXT_SIZE];

    (void)state;
    need_filter();
    assert_int_equal(try(0, keep_and_look), DONE);
    capabilities_describe(0, text);
    assert_string_equal(text, "none");
    capabilities_describe(CAPABILITY(CAP_NET_RAW) | CAPABILITY(CAP_NET_ADMIN),
                          text);
    assert_string_equal(text, "CAP_NET_ADMIN CAP_NET_RAW");
    capabilities_describe(CAPABILITY(CAP_SYS_ADMIN) | CAPABILITY(CAP_CHOWN),
                          text);
    assert_string_equal(text, "CAP_SYS_ADMIN and others (0x1)");
}

static void
test_needs_widen_the_filter(void **state)
{
    (void)state;
    need_filter();
    assert_int_equal(try(CALLS_OF_PROGRAMS, make_child), DONE);
    assert_int_equal(try(CALLS_OF_PROGRAMS, start_thread), DONE);
    assert_int_equal(try(CALLS_OF_PROGRAMS, run_program), DONE);
    assert_int_equal(try(CALLS_OF_PROGRAMS, clone_user_namespace), -SIGSYS);
    assert_int_equal(try(CALLS_OF_PROGRAMS, trace), -SIGSYS);
    assert_int_equal(try(0, ask_name_of_tap), ENOSYS);
    assert_int_equal(try(CALLS_OF_INTERFACES, ask_name_of_tap), EBADF);
    /* Its helper does these. */
    assert_int_equal(try(CALLS_OF_INTERFACES, enter_network), -SIGSYS);
    assert_int_equal(try(CALLS_OF_INTERFACES, make_tap), ENOSYS);
    assert_int_equal(try(CALLS_OF_INTERFACES, open_packet_socket),
                     EAFNOSUPPORT);
    assert_int_equal(try(CALLS_OF_INTERFACES, run_program), -SIGSYS);
}

/* When there is none ------------------------------------------------------- */

static void
expect_off(bool wanted, const char *path, const char *words)
{
    /* A container may have one for all its processes. */
    const int before = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
    struct confinement confinement;

    confinement_enter(wanted, 0, path, &confinement);
    assert_false(confinement.on);
    assert_false(confinement.failed);
    assert_non_null(strstr(confinement.text, words));
    assert_int_equal(prctl(PR_GET_SECCOMP, 0, 0, 0, 0), before);
}

static void
test_a_vendor_has_no_filter(void **state)
{
    char vendor[96], link[96];

    (void)state;
    expect_off(false, ours, "off: by the setting seccomp");
    expect_off(true, "/usr/lib/libsai.so", "off: /usr/lib/libsai.so is in");
    expect_off(true, "libsai-softasic.so", "off: libsai-softasic.so is in");

    /* The file counts, not the name of a link to it. */
    snprintf(vendor, sizeof vendor, "%s/libsai.so", library);
    snprintf(link, sizeof link, "%s/libsai-remote.so", library);
    assert_int_equal(rename(ours, vendor), 0);
    assert_int_equal(symlink(vendor, link), 0);
    expect_off(true, link, "is in this process");
    unlink(link);
    assert_int_equal(rename(vendor, ours), 0);
}

/* Returns the file creation mask, "dumpable" and "no new privileges" of a
 * process that started with 'mask'. */
static int
start_with(mode_t mask, bool secret)
{
    int status;
    const pid_t child = fork();

    if (child == 0) {
        mode_t found;

        umask(mask);
        confinement_start(secret);
        found = umask(0);
        _exit(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1    ? WRONG
              : prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == secret ? WRONG
                                                             : (int)found);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void
test_the_start_takes_rights(void **state)
{
    (void)state;
    assert_int_equal(start_with(0, false), 0007);
    assert_int_equal(start_with(0022, false), 0027);
    assert_int_equal(start_with(0077, true), 0077);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_daemon_does_is_allowed),
        cmocka_unit_test(test_what_it_has_no_use_for_is_refused),
        cmocka_unit_test(test_an_attack_ends_the_process),
        cmocka_unit_test(test_needs_widen_the_filter),
        cmocka_unit_test(test_a_helper_opens_interfaces_and_nothing_else),
        cmocka_unit_test(test_capabilities_are_given_up),
        cmocka_unit_test(test_a_vendor_has_no_filter),
        cmocka_unit_test(test_the_start_takes_rights),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
