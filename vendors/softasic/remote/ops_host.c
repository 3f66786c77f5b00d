/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the parameters of each operation, calls its function in the table of
 * the library, and writes the reply (marshal.h). */

#include <config.h>

#include "vendors/softasic/remote/ops_host.h"

#include "vendors/softasic/remote/marshal.h"

static uint64_t
number(const union marshal_value *value)
{
    return value->number;
}

static void *
pointer(const union marshal_value *value)
{
    return value->out;
}

/* A parameter as the argument of a call: "(uint8_t)number(&values[2])". */
#define ARGUMENT(i, parameter)        ARGUMENT_ parameter(&values[i])
#define ARGUMENT_(kind, ...)          ARGUMENT_##kind(__VA_ARGS__)
#define ARGUMENT_NUMBER(type, name)   (type) number
#define ARGUMENT_COUNT(name)          (uint32_t) number
#define ARGUMENT_LENGTH(name)         (uint32_t) number
#define ARGUMENT_BYTES(name)          pointer
#define ARGUMENT_MAC(name)            pointer
#define ARGUMENT_IN(name)             pointer
#define ARGUMENT_OUT(name)            pointer
#define ARGUMENT_RESULT(type, name)   pointer
#define ARGUMENT_OPTIONAL(type, name) pointer
#define ARGUMENT_TEXT(name)           pointer
#define ARGUMENT_CAPACITY(name)       pointer
#define ARGUMENT_ROWS(name)           pointer
#define ARGUMENT_BUFFER(name)         pointer

/* Calls the function of one operation with 'values'. */
typedef sai_status_t call_fn(const struct softasic_ops *ops,
                             const union marshal_value values[]);

#define OP(member, effect, function, ...)                                      \
    static sai_status_t call_##member(const struct softasic_ops *ops,          \
                                      const union marshal_value values[])      \
    {                                                                          \
        return ops->member(MARSHAL_EACH(ARGUMENT, __VA_ARGS__));               \
    }
#define OP0(member, effect, function)                                          \
    static sai_status_t call_##member(const struct softasic_ops *ops,          \
                                      const union marshal_value values[])      \
    {                                                                          \
        (void)values;                                                          \
        return ops->member();                                                  \
    }
#include "vendors/softasic/remote/ops.def"
#undef OP

static call_fn *const calls[MARSHAL_N_OPS] = {
#define OP(member, ...) call_##member,
#include "vendors/softasic/remote/ops.def"
#undef OP
};

/* Returns whether the call may take long, so that the host refuses it, to serve
 * others: the library of the client divides it (ops_remote.c). */
static bool
is_long(enum marshal_op op, const union marshal_value values[])
{
    const struct softasic_send *send = values[0].in;

    switch (op) {
    case MARSHAL_OP_run:
    case MARSHAL_OP_settle:
        return true;
    case MARSHAL_OP_step:
        return values[0].number > SOFTASIC_EVENTS_MAX;
    case MARSHAL_OP_send:
    case MARSHAL_OP_send_ip:
        return send->n_frames > SOFTASIC_FRAMES_MAX;
    default:
        return false;
    }
}

static bool
host_writes(const void *context, uint32_t number)
{
    (void)context;
    return number >= MARSHAL_N_OPS ||
           marshal_effect((enum marshal_op)number) != MARSHAL_READS;
}

/* Storms: the control plane does not know of them, and cannot start any. */
static bool
host_is_of_testers(const void *context, uint32_t number)
{
    (void)context;
    switch ((enum marshal_op)number) {
    case MARSHAL_OP_storm:
    case MARSHAL_OP_storm_stop:
    case MARSHAL_OP_storm_sent:
        return true;
    default:
        return false;
    }
}

static bool
host_call(const void *context, uint32_t number, struct wire_in *in,
          struct wire_out *out)
{
    const enum marshal_op op = (enum marshal_op)number;
    union marshal_value values[MARSHAL_PARAMETERS_MAX];
    bool good;

    if (number >= MARSHAL_N_OPS) {
        return false;
    }
    good = marshal_get_request(in, op, values);
    if (good) {
        marshal_put_reply(out, op,
                          is_long(op, values) ? SAI_STATUS_NOT_SUPPORTED
                                              : calls[op](context, values),
                          values);
    }
    marshal_free(op, values);
    return good;
}

void
ops_host_init(struct host_extras *extras, const struct softasic_ops *ops)
{
    *extras = (struct host_extras){.context = ops,
                                   .writes = host_writes,
                                   .is_of_testers = host_is_of_testers,
                                   .call = host_call};
    forms_name(extras->name);
}
