/* SPDX-License-Identifier: Apache-2.0 */

/* Requests by libnl. */

#include <config.h>

#include "netdev/netlink.h"

#include <linux/net_namespace.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/handlers.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <stdint.h>

#include "base/check.h"

struct nl_sock *
netlink_socket(int fd)
{
    struct nl_sock *opened = nl_socket_alloc();

    orch_assert(opened && nl_socket_set_fd(opened, NETLINK_ROUTE, fd) == 0);
    return opened;
}

enum st
netlink_refused(struct err *err, int error, const char *what)
{
    enum st status = ST_IO;

    switch (-error) {
    case NLE_NODEV:
    case NLE_OBJ_NOTFOUND:
        status = ST_NOT_FOUND;
        break;
    case NLE_INVAL:
    case NLE_RANGE:
        status = ST_INVALID;
        break;
    default:
        break;
    }
    err_set(err, status, "link", "%s: %s", what, nl_geterror(error));
    if (-error == NLE_PERM) {
        err_set_remedy(err, "run it with CAP_NET_ADMIN");
    }
    return status;
}

/* Sends 'message', which is freed, and hands the answer to 'take'. */
static int
ask(struct nl_sock *requests, struct nl_msg *message, nl_recvmsg_msg_cb_t take,
    void *context)
{
    struct nl_cb *callbacks = nl_cb_alloc(NL_CB_DEFAULT);
    int error = nl_send_auto(requests, message);

    orch_assert(callbacks);
    nlmsg_free(message);
    nl_cb_set(callbacks, NL_CB_VALID, NL_CB_CUSTOM, take, context);
    if (error >= 0) {
        error = nl_recvmsgs(requests, callbacks);
    }
    if (error >= 0) {
        error = nl_wait_for_ack(requests);
    }
    nl_cb_put(callbacks);
    return error < 0 ? error : 0;
}

/* Reads the number of a namespace.  A nl_recvmsg_msg_cb_t. */
static int
take_number(struct nl_msg *message, void *number)
{
    const struct nlattr *found = nlmsg_find_attr(
        nlmsg_hdr(message), sizeof(struct rtgenmsg), NETNSA_NSID);

    if (found) {
        *(int *)number = nla_get_s32(found);
    }
    return NL_OK;
}

/* Builds a message of 'type' about the namespace of 'fd'. */
static struct nl_msg *
about_namespace(int type, int fd)
{
    const struct rtgenmsg family = {AF_UNSPEC};
    struct nl_msg *message = nlmsg_alloc_simple(type, 0);

    orch_assert(message && nlmsg_append(message, (void *)(uintptr_t)&family,
                                        sizeof family, NLMSG_ALIGNTO) == 0);
    orch_assert(nla_put_u32(message, NETNSA_FD, (uint32_t)fd) == 0);
    return message;
}

int
namespace_number_get(struct nl_sock *requests, int fd, int *number)
{
    *number = NAMESPACE_NUMBER_NONE;
    return ask(requests, about_namespace(RTM_GETNSID, fd), take_number, number);
}

int
namespace_number_assign(struct nl_sock *requests, int fd, int *number)
{
    int error = namespace_number_get(requests, fd, number);

    if (!error && *number < 0) {
        struct nl_msg *message = about_namespace(RTM_NEWNSID, fd);

        orch_assert(nla_put_s32(message, NETNSA_NSID, -1) == 0);
        error = nl_send_sync(requests, message); /* Frees the message. */
        if (!error) {
            error = namespace_number_get(requests, fd, number);
        }
    }
    return error;
}
