/* SPDX-License-Identifier: Apache-2.0 */

/* A table of calls.  A handler writes the result as field 0 of a structure, or
 * returns an error. */

#include <config.h>

#include "thriftd/rpc.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "process/log.h"
#include "sai/core/metadata.h"
#include "sai/core/status.h"
#include "sai/remote/client.h"
#include "sai/remote/tester_rule.h"
#include "thriftd/rpc_switch.h"
#include "thriftd/rpc_values.h"

/* The most counters of one call, and attributes of one object. */
enum { STATS_MAX = 256, ATTRIBUTES_MAX = 16 };

struct request {
    struct rpc_switch *rpc;
    sai_object_type_t type; /* Whose counters; as the table has it. */
    const struct tbinary_value *arguments;
    struct text *out;
};

typedef enum st handler_fn(const struct request *request, struct err *err);

/* Arguments ---------------------------------------------------------------- */

static enum st
get_oid(const struct request *request, int16_t field, sai_object_id_t *oid,
        struct err *err)
{
    const struct tbinary_value *found =
        tbinary_field(request->arguments, field, TBINARY_I64);

    if (!found) {
        return err_set(err, ST_INVALID, "argument",
                       "argument %d, the id of an object (i64), is missing",
                       field);
    }
    *oid = (sai_object_id_t)found->number;
    return ST_OK;
}

/* Reads the ids of counters in field 'field'.  The number in the field after
 * it, if there is one, may not exceed that of the list. */
static enum st
get_ids(const struct request *request, int16_t field, uint32_t *n,
        sai_stat_id_t ids[STATS_MAX], struct err *err)
{
    const struct tbinary_value *list =
        tbinary_field(request->arguments, field, TBINARY_LIST);
    const struct tbinary_value *number =
        tbinary_field(request->arguments, (int16_t)(field + 1), TBINARY_I32);

    if (!list || list->n > STATS_MAX ||
        (list->n && list->items[0].type != TBINARY_I32)) {
        return err_set(err, ST_INVALID, "argument",
                       "argument %d should be a list of at most %d ids of "
                       "counters (i32)",
                       field, STATS_MAX);
    }
    if (number && (number->number < 0 || number->number > list->n)) {
        return err_set(err, ST_INVALID, "argument",
                       "argument %d is %lld, and the list of ids has %u",
                       field + 1, (long long)number->number, list->n);
    }
    *n = number ? (uint32_t)number->number : list->n;
    for (uint32_t i = 0; i < *n; i++) {
        ids[i] = (sai_stat_id_t)list->items[i].number;
    }
    return ST_OK;
}

/* Reports that SAI refuses 'what'. */
static enum st
refused(const char *what, sai_object_id_t oid, sai_status_t status,
        struct err *err)
{
    char name[STATUS_NAME_SIZE];

    return err_set(err, ST_DEVICE, "sai", "%s of oid:0x%llx: %s", what,
                   (unsigned long long)oid,
                   status_name(status, name, sizeof name));
}

/* Results ------------------------------------------------------------------ */

static void
put_i32_result(const struct request *request, int32_t value)
{
    tbinary_put_field(request->out, TBINARY_I32, 0);
    tbinary_put_i32(request->out, value);
    tbinary_put_stop(request->out);
}

static void
put_i64_result(const struct request *request, uint64_t value)
{
    tbinary_put_field(request->out, TBINARY_I64, 0);
    tbinary_put_i64(request->out, (int64_t)value);
    tbinary_put_stop(request->out);
}

/* Begins a sai_thrift_attribute_list_t of 'n' attributes, and ends it. */
static void
begin_list_result(const struct request *request, uint32_t n)
{
    tbinary_put_field(request->out, TBINARY_STRUCT, 0);
    tbinary_put_field(request->out, TBINARY_LIST, 1);
    tbinary_put_list(request->out, TBINARY_STRUCT, n);
}

static void
end_list_result(const struct request *request, uint32_t n)
{
    tbinary_put_field(request->out, TBINARY_I32, 2);
    tbinary_put_i32(request->out, (int32_t)n);
    tbinary_put_stop(request->out);
    tbinary_put_stop(request->out);
}

/* Changes ------------------------------------------------------------------ */

/* Refuses what a tester may not do before the host is asked, to say why. */
static enum st
check_rule(enum op op, sai_object_type_t type, sai_attr_id_t attribute,
           struct err *err)
{
    const struct metadata_attribute *meta =
        op == OP_SET ? metadata_attribute(type, attribute) : NULL;

    return tester_rule_allows(op, type, attribute)
               ? ST_OK
               : err_set(err, ST_UNSUPPORTED, "role", "%s %s is refused: %s",
                         op_name(op),
                         meta ? meta->name : metadata_type_name(type),
                         tester_rule_text());
}

/* Sets the attribute of field 'field' on 'oid'; the result is the status. */
static enum st
set_attribute(const struct request *request, sai_object_type_t type,
              sai_object_id_t oid, int16_t field, struct err *err)
{
    struct sai_backend *backend = rpc_switch_backend(request->rpc);
    sai_attribute_t attribute;
    enum st st =
        rpc_values_get(tbinary_field(request->arguments, field, TBINARY_STRUCT),
                       type, &attribute, err);

    st = st ? st : check_rule(OP_SET, type, attribute.id, err);
    if (!st) {
        put_i32_result(request,
                       backend->ops->set(backend, type, oid, &attribute));
    }
    return st;
}

static enum st
set_port_attribute(const struct request *request, struct err *err)
{
    sai_object_id_t oid;
    const enum st st = get_oid(request, 1, &oid, err);

    return st ? st : set_attribute(request, SAI_OBJECT_TYPE_PORT, oid, 2, err);
}

static enum st
set_switch_attribute(const struct request *request, struct err *err)
{
    return set_attribute(request, SAI_OBJECT_TYPE_SWITCH,
                         rpc_switch_backend(request->rpc)->switch_id, 1, err);
}

static enum st
create_scheduler(const struct request *request, struct err *err)
{
    struct sai_backend *backend = rpc_switch_backend(request->rpc);
    const struct tbinary_value *list =
        tbinary_field(request->arguments, 1, TBINARY_LIST);
    sai_attribute_t attributes[ATTRIBUTES_MAX];
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    sai_status_t status;
    enum st st = ST_OK;

    if (!list || list->n > ATTRIBUTES_MAX) {
        return err_set(err, ST_INVALID, "argument",
                       "argument 1 should be a list of at most %d attributes",
                       ATTRIBUTES_MAX);
    }
    for (uint32_t i = 0; !st && i < list->n; i++) {
        st = rpc_values_get(&list->items[i], SAI_OBJECT_TYPE_SCHEDULER,
                            &attributes[i], err);
    }
    if (st) {
        return st;
    }
    status = backend->ops->create(backend, SAI_OBJECT_TYPE_SCHEDULER, list->n,
                                  attributes, &oid);
    if (status != SAI_STATUS_SUCCESS) {
        return refused("create SAI_OBJECT_TYPE_SCHEDULER", backend->switch_id,
                       status, err);
    }
    put_i64_result(request, oid);
    return ST_OK;
}

/* Reading ------------------------------------------------------------------ */

/* Reads the ports. */
static enum st
read_ports(const struct request *request, uint32_t *n, struct rpc_port **ports,
           struct err *err)
{
    const sai_status_t status = rpc_switch_ports(request->rpc, n, ports);

    return status == SAI_STATUS_SUCCESS
               ? ST_OK
               : refused("read the ports",
                         rpc_switch_backend(request->rpc)->switch_id, status,
                         err);
}

/* Appends the attribute PORT_LIST of the switch. */
static void
put_ports(struct text *out, uint32_t n, const struct rpc_port *ports)
{
    sai_object_id_t *oids = check_calloc(n + 1, sizeof *oids);

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = ports[i].oid;
    }
    rpc_values_put_list(
        out,
        metadata_attribute(SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PORT_LIST),
        n, oids);
    free(oids);
}

static enum st
get_switch_attribute(const struct request *request, struct err *err)
{
    struct rpc_port *ports;
    uint32_t n;
    const enum st st = read_ports(request, &n, &ports, err);

    if (!st) {
        begin_list_result(request, 2);
        rpc_values_put_u32(request->out, SAI_SWITCH_ATTR_PORT_NUMBER, n);
        put_ports(request->out, n, ports);
        end_list_result(request, 2);
        free(ports);
    }
    return st;
}

static enum st
get_port_list(const struct request *request, struct err *err)
{
    struct rpc_port *ports;
    uint32_t n;
    const enum st st = read_ports(request, &n, &ports, err);

    if (!st) {
        tbinary_put_field(request->out, TBINARY_STRUCT, 0);
        put_ports(request->out, n, ports);
        tbinary_put_stop(request->out);
        free(ports);
    }
    return st;
}

/* The result is 0 for an unknown name, as the interface has it. */
static enum st
get_port_id(const struct request *request, struct err *err)
{
    const struct tbinary_value *name =
        tbinary_field(request->arguments, 1, TBINARY_STRING);
    sai_object_id_t oid = SAI_NULL_OBJECT_ID;
    struct rpc_port *ports;
    uint32_t n;
    enum st st;

    if (!name) {
        return err_set(err, ST_INVALID, "argument",
                       "argument 1, the name of a port, is missing");
    }
    st = read_ports(request, &n, &ports, err);
    if (!st) {
        for (uint32_t i = 0; i < n; i++) {
            if (strlen(ports[i].name) == name->n &&
                !memcmp(ports[i].name, name->string, name->n)) {
                oid = ports[i].oid;
            }
        }
        put_i64_result(request, oid);
        free(ports);
    }
    return st;
}

/* Appends list 'id' of port 'oid'. */
static enum st
put_port_list(const struct request *request, sai_object_id_t oid,
              sai_attr_id_t id, struct err *err)
{
    const struct metadata_attribute *meta =
        metadata_attribute(SAI_OBJECT_TYPE_PORT, id);
    uint32_t n;
    void *list;
    const sai_status_t status =
        rpc_switch_list(request->rpc, SAI_OBJECT_TYPE_PORT, oid, id, &n, &list);

    if (status != SAI_STATUS_SUCCESS) {
        return refused(meta->name, oid, status, err);
    }
    rpc_values_put_list(request->out, meta, n, list);
    free(list);
    return ST_OK;
}

static enum st
get_port_attribute(const struct request *request, struct err *err)
{
    static const sai_attr_id_t lists[] = {
        SAI_PORT_ATTR_QOS_QUEUE_LIST, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
        SAI_PORT_ATTR_HW_LANE_LIST};
    struct sai_backend *backend = rpc_switch_backend(request->rpc);
    sai_attribute_t others[2] = {{.id = SAI_PORT_ATTR_OPER_STATUS},
                                 {.id = SAI_PORT_ATTR_MTU}};
    sai_object_id_t oid;
    sai_status_t status;
    enum st st = get_oid(request, 1, &oid, err);

    if (st) {
        return st;
    }
    status = backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, oid, 2, others);
    if (status != SAI_STATUS_SUCCESS) {
        return refused("read the port", oid, status, err);
    }
    begin_list_result(request, 5);
    for (size_t i = 0; !st && i < sizeof lists / sizeof lists[0]; i++) {
        st = put_port_list(request, oid, lists[i], err);
    }
    rpc_values_put_s32(request->out, others[0].id, others[0].value.s32);
    rpc_values_put_u32(request->out, others[1].id, others[1].value.u32);
    end_list_result(request, 5);
    return st;
}

/* Names the first of the counters that cannot be read. */
static enum st
explain_stats(const struct request *request, sai_object_type_t type,
              sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
              struct err *err)
{
    struct sai_backend *backend = rpc_switch_backend(request->rpc);
    sai_status_t status = SAI_STATUS_FAILURE;

    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_stat *meta = metadata_stat(type, ids[i]);
        uint64_t value;

        status = backend->ops->get_stats(backend, type, oid, 1, &ids[i],
                                         SAI_STATS_MODE_READ, &value);
        if (status != SAI_STATUS_SUCCESS) {
            char number[32];

            (void)text_format(number, sizeof number, "counter %u", ids[i]);
            return refused(meta ? meta->name : number, oid, status, err);
        }
    }
    return refused("read counters", oid, status, err);
}

static enum st
get_stats(const struct request *request, struct err *err)
{
    struct sai_backend *backend = rpc_switch_backend(request->rpc);
    sai_stat_id_t ids[STATS_MAX];
    uint64_t values[STATS_MAX];
    sai_object_id_t oid;
    uint32_t n = 0;
    enum st st = get_oid(request, 1, &oid, err);

    st = st ? st : get_ids(request, 2, &n, ids, err);
    if (st) {
        return st;
    }
    if (n && backend->ops->get_stats(backend, request->type, oid, n, ids,
                                     SAI_STATS_MODE_READ,
                                     values) != SAI_STATUS_SUCCESS) {
        return explain_stats(request, request->type, oid, n, ids, err);
    }
    tbinary_put_field(request->out, TBINARY_LIST, 0);
    tbinary_put_list(request->out, TBINARY_I64, n);
    for (uint32_t i = 0; i < n; i++) {
        tbinary_put_i64(request->out, (int64_t)values[i]);
    }
    tbinary_put_stop(request->out);
    return ST_OK;
}

/* Clears counters; the result is the status. */
static enum st
clear_stats(const struct request *request, struct err *err)
{
    struct sai_backend *backend = rpc_switch_backend(request->rpc);
    sai_stat_id_t ids[STATS_MAX];
    uint64_t values[STATS_MAX];
    sai_object_id_t oid;
    uint32_t n = 0;
    enum st st = get_oid(request, 1, &oid, err);

    st = st ? st : get_ids(request, 2, &n, ids, err);
    if (!st) {
        put_i32_result(request, n ? backend->ops->get_stats(
                                        backend, request->type, oid, n, ids,
                                        SAI_STATS_MODE_READ_AND_CLEAR, values)
                                  : SAI_STATUS_SUCCESS);
    }
    return st;
}

static enum st
clear_port_stats(const struct request *request, struct err *err)
{
    struct query query = {.kind = QUERY_CLEAR_PORT};
    struct query_answer answer = {0};
    const enum st st = get_oid(request, 1, &query.oid, err);

    if (!st) {
        put_i32_result(request, client_ask(rpc_switch_client(request->rpc),
                                           &query, 0, NULL, &answer));
    }
    return st;
}

/* System ports exist on switches with virtual output queues across a fabric.
 * The result for others is 0, as the interface has it. */
static enum st
get_system_port_id(const struct request *request, struct err *err)
{
    (void)err;
    put_i64_result(request, SAI_NULL_OBJECT_ID);
    return ST_OK;
}

static enum st
get_system_port_attribute(const struct request *request, struct err *err)
{
    (void)request;
    return err_set(err, ST_UNSUPPORTED, "voq",
                   "this switch has no system ports: it is no VOQ switch");
}

/* The table ---------------------------------------------------------------- */

static const struct method {
    const char *name;
    handler_fn *handle;
    sai_object_type_t type; /* Of calls about counters. */
} methods[] = {
    {"sai_thrift_clear_buffer_pool_stats", clear_stats,
     SAI_OBJECT_TYPE_BUFFER_POOL},
    {"sai_thrift_clear_port_all_stats", clear_port_stats, SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_clear_queue_stats", clear_stats, SAI_OBJECT_TYPE_QUEUE},
    {"sai_thrift_create_scheduler_profile", create_scheduler,
     SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_get_buffer_pool_stats", get_stats,
     SAI_OBJECT_TYPE_BUFFER_POOL},
    {"sai_thrift_get_pg_stats", get_stats,
     SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP},
    {"sai_thrift_get_port_attribute", get_port_attribute, SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_get_port_id_by_front_port", get_port_id, SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_get_port_list_by_front_port", get_port_list,
     SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_get_port_stats", get_stats, SAI_OBJECT_TYPE_PORT},
    {"sai_thrift_get_queue_stats", get_stats, SAI_OBJECT_TYPE_QUEUE},
    {"sai_thrift_get_switch_attribute", get_switch_attribute,
     SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_get_sys_port_obj_id_by_port_id", get_system_port_id,
     SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_get_system_port_attribute", get_system_port_attribute,
     SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_set_port_attribute", set_port_attribute, SAI_OBJECT_TYPE_NULL},
    {"sai_thrift_set_switch_attribute", set_switch_attribute,
     SAI_OBJECT_TYPE_NULL},
};

const char *
rpc_name(size_t i)
{
    return i < sizeof methods / sizeof methods[0] ? methods[i].name : NULL;
}

/* Describes that there is no such call. */
static void
explain_name(const char *name, struct err *err)
{
    struct choices choices;

    (void)err_set(err, ST_UNSUPPORTED, "method",
                  "%.*s is not served by softasic-thriftd, which has the calls "
                  "of QoS suites only",
                  (int)text_plain_length(name, strlen(name)), name);
    choices_init(&choices, name);
    for (size_t i = 0; rpc_name(i); i++) {
        choices_add(&choices, rpc_name(i));
    }
    (void)choices_explain(&choices, "call", err);
}

/* Appends an exception, and writes it to the log. */
static void
fail(struct log *log, const char *peer, const struct tbinary_message *call,
     bool is_known, enum tbinary_exception type, const struct err *err,
     struct text *out)
{
    struct text why = {0};

    text_add(&why, err->reason);
    if (*err->allowed) {
        text_addf(&why, "; allowed: %s", err->allowed);
    }
    if (*err->remedy) {
        text_addf(&why, "; %s", err->remedy);
    }
    tbinary_put_exception(out, call, type, text_string(&why));
    log_write(log, LOG_WARN, "rpc-failed", peer, "%s: %s",
              is_known ? call->name : "a call", text_string(&why));
    text_fini(&why);
}

/* Returns the exception for an error of a handler. */
static enum tbinary_exception
exception_of(enum st st)
{
    return st == ST_INVALID ? TBINARY_PROTOCOL_ERROR : TBINARY_INTERNAL_ERROR;
}

void
rpc_answer(struct rpc_switch *rpc, struct log *log, const char *peer,
           const struct tbinary_message *call, struct text *out)
{
    struct text result = {0};
    const struct method *method = NULL;
    struct err err = {0};
    enum st st;

    for (size_t i = 0; rpc_name(i); i++) {
        method = strcmp(methods[i].name, call->name) ? method : &methods[i];
    }
    if (call->kind == TBINARY_ONEWAY) {
        return;
    }
    if (call->kind != TBINARY_CALL) {
        (void)err_set(&err, ST_INVALID, "kind", "the message is no call");
        fail(log, peer, call, method != NULL, TBINARY_INVALID_MESSAGE_TYPE,
             &err, out);
        return;
    }
    if (!method) {
        explain_name(call->name, &err);
        fail(log, peer, call, false, TBINARY_UNKNOWN_METHOD, &err, out);
        return;
    }
    st = rpc_switch_connect(rpc, &err);
    if (!st) {
        const struct request request = {rpc, method->type, &call->body,
                                        &result};

        st = method->handle(&request, &err);
    }
    if (st) {
        fail(log, peer, call, true, exception_of(st), &err, out);
    } else {
        tbinary_put_answer(out, call, TBINARY_REPLY);
        text_add_bytes(out, result.bytes, result.length);
    }
    text_fini(&result);
}
