/* SPDX-License-Identifier: Apache-2.0 */

/* The scope, and the requests in it. */

#include <config.h>

#include "netdev/privileged.h"

#include <errno.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "netdev/privileged_link.h"
#include "netdev/privileged_open.h"
#include "netdev/refused.h"

/* An interface that may be bound. */
struct bound {
    const char *name;
    uint32_t space; /* Where it was bound last, ... */
    int index;      /* ... and its index there; 0: it was not. */
};

struct privileged {
    const char *names[PRIVILEGED_SPACES_MAX];
    struct namespace spaces[PRIVILEGED_SPACES_MAX];
    uint32_t n_spaces;
    struct bound *bound;
    size_t n_bound;
    privileged_ask_fn *ask; /* NULL: there is no helper. */
    int channel;            /* To the helper. */
};

/* The form of the requests. */
static const struct form {
    bool has_tap, has_name;
    uint32_t n_fds;
} forms[N_PRIVILEGED] = {
#define X(member, tap, name, fds) {tap, name, fds},
    PRIVILEGED_LIST(X)
#undef X
};

/* The scope ------------------------------------------------------------ */

/* Returns whether two names, which may be NULL, are the same. */
static bool
is_same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

enum st
privileged_space(const struct privileged *privileged, const char *name,
                 uint32_t *space, struct err *err)
{
    for (uint32_t i = 0; i < privileged->n_spaces; i++) {
        if (is_same(privileged->names[i], name)) {
            *space = i;
            return ST_OK;
        }
    }
    return err_set(err, ST_INVALID, "namespace",
                   "no interfaces can be opened in network namespace %s",
                   name ? name : "of the process");
}

/* Opens namespace 'name', unless that was done. */
static enum st
add_space(struct privileged *privileged, const char *name, struct err *err)
{
    uint32_t n = privileged->n_spaces;
    enum st status;

    if (privileged_space(privileged, name, &n, NULL) == ST_OK) {
        return ST_OK;
    }
    if (n == PRIVILEGED_SPACES_MAX) {
        return err_set(err, ST_INVALID, "namespace",
                       "too many network namespaces");
    }
    status = namespace_open(name, &privileged->spaces[n], err);
    if (status == ST_OK) {
        privileged->names[n] = name;
        privileged->n_spaces++;
    }
    return status;
}

enum st
privileged_create(const char *const *spaces, size_t n_spaces,
                  const char *const *bound, size_t n_bound,
                  struct privileged **privileged, struct err *err)
{
    struct privileged *made = check_calloc(1, sizeof *made);
    enum st status = ST_OK;

    made->n_bound = n_bound;
    made->bound = check_calloc(n_bound + 1, sizeof *made->bound);
    for (size_t i = 0; i < n_bound; i++) {
        made->bound[i].name = bound[i];
    }
    for (size_t i = 0; i < n_spaces && status == ST_OK; i++) {
        status = add_space(made, spaces[i], err);
    }
    if (status) {
        privileged_destroy(made);
        return status;
    }
    *privileged = made;
    return ST_OK;
}

void
privileged_destroy(struct privileged *privileged)
{
    if (privileged) {
        for (uint32_t i = 0; i < privileged->n_spaces; i++) {
            namespace_close(&privileged->spaces[i]);
        }
        free(privileged->bound);
        free(privileged);
    }
}

void
privileged_delegate(struct privileged *privileged, privileged_ask_fn *ask,
                    int channel)
{
    privileged->ask = ask;
    privileged->channel = channel;
}

const struct namespace *
privileged_namespace(const struct privileged *privileged, uint32_t space)
{
    orch_assert(space < privileged->n_spaces);
    return &privileged->spaces[space];
}

void
privileged_answer_close(struct privileged_answer *answer)
{
    for (uint32_t i = 0; i < answer->n_fds; i++) {
        (void)close(answer->fds[i]);
    }
    answer->n_fds = 0;
}

enum st
privileged_call(struct privileged *privileged,
                const struct privileged_request *request, int tap,
                struct privileged_answer *answer, struct err *err)
{
    const enum st status =
        privileged->ask
            ? privileged->ask(privileged->channel, request, tap, answer, err)
            : privileged_perform(privileged, request, tap, answer, err);

    /* The helper is of this program. */
    orch_assert(status || answer->n_fds == forms[request->verb].n_fds ||
                request->verb == PRIVILEGED_FIND);
    return status;
}

/* Checks --------------------------------------------------------------- */

static enum st
refuse(struct err *err, const char *what)
{
    return err_set(err, ST_INVALID, "request",
                   "a request for an interface was refused: %s", what);
}

/* Checks a name, which need not end. */
static enum st
check_name(const char *name, bool wanted, struct err *err)
{
    static const char none[NETDEV_NAME_MAX + 1];

    if (!wanted) {
        return memcmp(name, none, sizeof none)
                   ? refuse(err, "it has no use for a name")
                   : ST_OK;
    }
    if (name[NETDEV_NAME_MAX]) {
        return refuse(err, "its name is too long");
    }
    return netdev_check_name(name, err);
}

/* Returns whether 'value' says yes, no, or nothing. */
static bool
is_choice(int8_t value)
{
    return value >= -1 && value <= 1;
}

/* Checks a change. */
static enum st
check_change(enum privileged_verb verb, const struct privileged_change *change,
             struct err *err)
{
    static const struct privileged_change none;
    static const uint8_t zeros[6];

    if (verb != PRIVILEGED_CHANGE && verb != PRIVILEGED_CHANGE_BOUND) {
        return memcmp(change, &none, sizeof none)
                   ? refuse(err, "it has no use for values")
                   : ST_OK;
    }
    if (!is_choice(change->up) || !is_choice(change->carrier) ||
        change->has_mac > 1 || memcmp(change->unused, zeros, 3) ||
        (!change->has_mac && memcmp(change->mac, zeros, sizeof zeros))) {
        return refuse(err, "its values are wrong");
    }
    if (verb == PRIVILEGED_CHANGE_BOUND &&
        (change->has_mac || change->queue || change->carrier >= 0)) {
        return refuse(err, "a bound interface keeps its address, queue and "
                           "carrier");
    }
    return ST_OK;
}

/* Checks the form of '*request', whatever its bytes are. */
static enum st
check_request(const struct privileged *privileged,
              const struct privileged_request *request, int tap,
              struct err *err)
{
    const struct form *form;
    enum st status;

    if (request->verb >= N_PRIVILEGED) {
        return refuse(err, "there is none of this kind");
    }
    form = &forms[request->verb];
    if (request->space >= privileged->n_spaces) {
        return refuse(err, "its namespace was not named at the start");
    }
    if (form->has_tap != (tap >= 0)) {
        return refuse(err, form->has_tap ? "it lacks a descriptor"
                                         : "it has no use for a descriptor");
    }
    status = check_name(request->name, form->has_name, err);
    return status ? status
                  : check_change((enum privileged_verb)request->verb,
                                 &request->change, err);
}

/* Requests ------------------------------------------------------------- */

/* Returns the interface that may be bound as 'name'; NULL: there is none. */
static struct bound *
find_bound(const struct privileged *privileged, const char *name)
{
    for (size_t i = 0; i < privileged->n_bound; i++) {
        if (!strcmp(privileged->bound[i].name, name)) {
            return &privileged->bound[i];
        }
    }
    return NULL;
}

static enum st
open_packet(struct privileged *privileged,
            const struct privileged_request *request,
            struct privileged_answer *answer, struct err *err)
{
    struct bound *bound = find_bound(privileged, request->name);
    enum st status;

    if (!bound) {
        return refuse(err, "its interface was not named at the start");
    }
    status = privileged_open_packet(&privileged->spaces[request->space],
                                    request->name, &answer->fds[0],
                                    &bound->index, err);
    if (status == ST_OK) {
        bound->space = request->space;
        answer->n_fds = 1;
    }
    return status;
}

static enum st
open_links(const struct namespace *namespace, struct privileged_answer *answer,
           struct err *err)
{
    enum st status = privileged_open_events(namespace, &answer->fds[0], err);

    if (status) {
        return status;
    }
    answer->n_fds = 1;
    status = privileged_open_requests(namespace, &answer->fds[1], err);
    if (status) {
        privileged_answer_close(answer);
    } else {
        answer->n_fds = 2;
    }
    return status;
}

/* Finds the name and the namespace of the TAP of 'fd', which may be a
 * descriptor of anything; the caller closes the namespace. */
static enum st
locate(int fd, struct ifreq *link, struct namespace *namespace, struct err *err)
{
    int found;

    if (ioctl(fd, TUNGETIFF, link) || !(link->ifr_flags & IFF_TAP)) {
        return refuse(err, "its descriptor is not of a TAP");
    }
    found = ioctl(fd, TUNGETDEVNETNS);
    if (found < 0) {
        return netdev_refused(err, errno, "locate", link->ifr_name);
    }
    return namespace_of(found, namespace, err);
}

/* Performs a request about a TAP. */
static enum st
perform_tap(const struct namespace *home,
            const struct privileged_request *request, int tap,
            struct privileged_answer *answer, struct err *err)
{
    struct ifreq link = {0};
    struct namespace current;
    int number = 0;
    enum st status = locate(tap, &link, &current, err);

    if (status) {
        return status;
    }
    if (request->verb == PRIVILEGED_CHANGE) {
        status = privileged_link_change(&current, 0, link.ifr_name,
                                        &request->change, err);
    } else if (request->verb == PRIVILEGED_NUMBER) {
        status = privileged_link_number(home, &current, &number, err);
    } else if (!namespace_equals(home, &current)) {
        number = 1;
        answer->n_fds =
            privileged_open_requests(&current, &answer->fds[0], err) == ST_OK;
    }
    answer->number = number;
    namespace_close(&current);
    return status;
}

static enum st
change_bound(const struct privileged *privileged,
             const struct privileged_request *request, struct err *err)
{
    const struct bound *bound = find_bound(privileged, request->name);

    if (!bound || bound->index == 0 || bound->space != request->space) {
        return refuse(err, "its interface is not bound");
    }
    return privileged_link_change(&privileged->spaces[bound->space],
                                  bound->index, bound->name, &request->change,
                                  err);
}

enum st
privileged_perform(struct privileged *privileged,
                   const struct privileged_request *request, int tap,
                   struct privileged_answer *answer, struct err *err)
{
    const struct namespace *space;
    enum st status = check_request(privileged, request, tap, err);

    memset(answer, 0, sizeof *answer);
    if (status) {
        return status;
    }
    space = &privileged->spaces[request->space];
    switch ((enum privileged_verb)request->verb) {
    case PRIVILEGED_TAP:
        status =
            privileged_open_tap(space, request->name, &answer->fds[0], err);
        answer->n_fds = status == ST_OK;
        return status;
    case PRIVILEGED_PACKET:
        return open_packet(privileged, request, answer, err);
    case PRIVILEGED_LINKS:
        return open_links(space, answer, err);
    case PRIVILEGED_FIND:
    case PRIVILEGED_NUMBER:
    case PRIVILEGED_CHANGE:
        return perform_tap(space, request, tap, answer, err);
    case PRIVILEGED_CHANGE_BOUND:
        return change_bound(privileged, request, err);
    case N_PRIVILEGED:
    default:
        return refuse(err, "there is none of this kind");
    }
}
