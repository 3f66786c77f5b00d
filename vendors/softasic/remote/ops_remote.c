/* SPDX-License-Identifier: Apache-2.0 */

/* Sends the parameters of each operation to the host and reads the reply
 * (marshal.h); ops_host.c is the other end. */

#include <config.h>

#include "vendors/softasic/remote/ops_remote.h"

#include <string.h>

#include "sai/remote/client.h"
#include "vendors/remote/connection.h"
#include "vendors/softasic/remote/marshal.h"
#include "vendors/softasic/sai/library.h"

/* Calls 'op' on the host.  A reply that makes no sense ends the connection. */
static sai_status_t
remote_call(enum marshal_op op, const union marshal_value values[])
{
    struct client *client = connection_client();
    struct wire_out request = {0};
    struct wire_in reply = {0};
    sai_status_t status;

    if (!marshal_is_complete(op, values)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (!marshal_put_request(&request, op, values)) {
        status = SAI_STATUS_INVALID_PARAMETER;
    } else if (!client) {
        status = SAI_STATUS_UNINITIALIZED;
    } else {
        status = client_extra(client, (uint32_t)op, &request, &reply);
        if (!marshal_get_reply(&reply, op, status, values) &&
            status == SAI_STATUS_SUCCESS) {
            client_fail(client);
            status = SAI_STATUS_FAILURE;
        }
    }
    wire_out_fini(&request);
    return status;
}

#define OP(member, effect, function, ...)                                      \
    static sai_status_t remote_##member(                                       \
        MARSHAL_EACH(MARSHAL_DECLARE, __VA_ARGS__))                            \
    {                                                                          \
        const union marshal_value values[] = {                                 \
            MARSHAL_EACH(MARSHAL_VALUE, __VA_ARGS__)};                         \
                                                                               \
        return remote_call(MARSHAL_OP_##member, values);                       \
    }
#include "vendors/softasic/remote/ops.def"
#undef OP

const struct softasic_ops *
ops_remote(void)
{
    static const struct softasic_ops ops = {
        .version = SOFTASIC_OPS_VERSION,
#define OP(member, ...) .member = remote_##member,
#include "vendors/softasic/remote/ops.def"
#undef OP
    };
    static bool logged;
    struct client *client = connection_client();
    char name[FORMS_NAME_BYTES];

    if (!client) {
        return NULL;
    }
    forms_name(name);
    if (strcmp(client_extras(client), name) != 0) {
        if (!logged) {
            library_log(
                SAI_API_SWITCH, SAI_LOG_LEVEL_WARN,
                "the host of the switch is from another build (%s, this is "
                "%s): SAI works; the operations beside SAI, which orchctl asic "
                "uses, do not until softasicd is restarted",
                *client_extras(client) ? client_extras(client) : "not softasic",
                name);
        }
        logged = true;
        return NULL;
    }
    return &ops;
}
