/* SPDX-License-Identifier: Apache-2.0 */

/* The attribute store behind SAI's verbs.
 *
 * The store's own object ids contain their type.  A client gets these
 * multiplied by an odd constant, so that they reveal nothing and use all 64
 * bits, as the ids of many vendors do.  Every id is converted on its way in and
 * out, also those in values and lists. */

#include <config.h>

#include "vendors/store/library.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/parse.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"

/* Multiplying by an odd number is a bijection of 64 bits; the other constant
 * reverses it.  Zero stays zero. */
#define OID_FACTOR  UINT64_C(0x9e3779b97f4a7c15)
#define OID_INVERSE UINT64_C(0xf1de83e19937733d)
_Static_assert(OID_FACTOR *OID_INVERSE == 1, "one reverses the other");

enum { MAX_PORTS = 64 };

static struct library the_library; /* The exception; see library.h. */

struct library *
library_get(void)
{
    return &the_library;
}

sai_object_id_t
library_in(sai_object_id_t oid)
{
    return oid * OID_INVERSE;
}

sai_object_id_t
library_out(sai_object_id_t oid)
{
    return oid * OID_FACTOR;
}

/* The profile --------------------------------------------------------- */

static const char *
value_of(const sai_service_method_table_t *services, const char *key)
{
    return services->profile_get_value ? services->profile_get_value(0, key)
                                       : NULL;
}

/* Reads a number at '*text' and moves '*text' behind it. */
static bool
take_number(const char **text, uint64_t *number)
{
    char *end;

    if (**text < '0' || **text > '9') {
        return false;
    }
    *number = strtoull(*text, &end, 10);
    *text = end;
    return true;
}

/* Reads "1.10.0". */
static bool
parse_version(const char *text, sai_api_version_t *version)
{
    uint64_t part[3] = {0};

    for (int i = 0; i < 3; i++) {
        if (!take_number(&text, &part[i]) || part[i] > 99 ||
            *text != (i < 2 ? '.' : '\0')) {
            return false;
        }
        text += i < 2;
    }
    *version = part[0] * 10000 + part[1] * 100 + part[2];
    return true;
}

/* Reads "1,2,3,4;5,6,7,8" into at most MAX_PORTS 'ports'. */
static bool
parse_ports(const char *text, struct store_port *ports, uint32_t *n)
{
    *n = 0;
    while (*text) {
        struct store_port *port = &ports[*n];
        uint64_t lane;

        if (*n == MAX_PORTS) {
            return false;
        }
        do {
            if (port->n_lanes == STORE_MAX_LANES ||
                !take_number(&text, &lane) || lane > UINT32_MAX) {
                return false;
            }
            port->lanes[port->n_lanes++] = (uint32_t)lane;
        } while (*text == ',' && *++text);
        ++*n;
        if (*text && *text++ != ';') {
            return false;
        }
    }
    return true;
}

/* Records the missing attributes named in 'text'. */
static bool
parse_lacks(struct library *library, const char *text)
{
    const char *name;
    size_t length;

    while (parse_list_next(&text, &name, &length)) {
        struct library_lack *lack = &library->lacks[library->n_lacks];
        char *copy = check_calloc(length + 1, 1);
        const struct metadata_attribute *attribute = NULL;

        memcpy(copy, name, length);
        if (library->n_lacks < LIBRARY_MAX_LACKS) {
            attribute = metadata_attribute_by_name(copy, &lack->type);
        }
        free(copy);
        if (!attribute) {
            return false;
        }
        lack->id = attribute->id;
        lack->status = library->n_lacks % 2 ? SAI_STATUS_ATTR_NOT_IMPLEMENTED_0
                                            : SAI_STATUS_ATTR_NOT_SUPPORTED_0;
        library->n_lacks++;
    }
    return true;
}

/* Reads a number of children into '*n', which is unchanged if 'text' is
 * NULL. */
static bool
parse_children(const char *text, uint32_t *n)
{
    uint64_t number;

    if (!text) {
        return true;
    }
    if (parse_u64(text, 1, STORE_MAX_QUEUES, &number)) {
        return false;
    }
    *n = (uint32_t)number;
    return true;
}

/* Reads "1,1,3,3" into 'types' and '*n', which are unchanged if 'text' is
 * NULL. */
static bool
parse_types(const char *text, uint8_t types[STORE_MAX_QUEUES], uint32_t *n)
{
    uint32_t count = 0;
    uint64_t type;

    if (!text) {
        return true;
    }
    do {
        if (count == STORE_MAX_QUEUES || !take_number(&text, &type) ||
            type > UINT8_MAX) {
            return false;
        }
        types[count++] = (uint8_t)type;
    } while (*text == ',' && *++text);
    *n = count;
    return *text == '\0';
}

/* Reads the name of an object type into '*type', which is unchanged if 'text'
 * is NULL. */
static bool
parse_type(const char *text, sai_object_type_t *type)
{
    if (text) {
        *type = metadata_type_by_name(text);
    }
    return !text || *type != SAI_OBJECT_TYPE_NULL;
}

bool
library_version(sai_api_version_t *version)
{
    const char *text = getenv("STORE_VERSION");

    return parse_version(text ? text : "1.10.0", version);
}

sai_status_t
library_open(const sai_service_method_table_t *services)
{
    struct library library = {0};
    struct store_port ports[MAX_PORTS] = {0};
    uint8_t types[STORE_MAX_QUEUES];
    struct store_config config = {.ports = ports};
    const char *queue_types = value_of(services, "STORE_QUEUE_TYPES");
    const char *lanes = value_of(services, "STORE_PORTS");
    const char *lacks = value_of(services, "STORE_LACKS");
    const char *bulk = value_of(services, "STORE_BULK");

    if (!library_version(&library.version) ||
        (lanes && !parse_ports(lanes, ports, &config.n_ports)) ||
        (lacks && !parse_lacks(&library, lacks)) ||
        !parse_children(value_of(services, "STORE_QUEUES"), &config.n_queues) ||
        !parse_types(queue_types, types, &config.n_queues) ||
        !parse_children(value_of(services, "STORE_PGS"), &config.n_pgs) ||
        !parse_type(value_of(services, "STORE_CRASH"), &library.crash) ||
        !parse_type(value_of(services, "STORE_HANG"), &library.hang)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    library.bulk_absent = bulk && !strcmp(bulk, "absent");
    library.answers_capabilities =
        value_of(services, "STORE_CAPABILITY") != NULL;
    config.queue_types = queue_types ? types : NULL;
    config.has_bridge = value_of(services, "STORE_BRIDGE") != NULL;
    config.counts_ids = value_of(services, "STORE_COUNTERS") != NULL;
    library.store = store_create(&config);
    the_library = library;
    return SAI_STATUS_SUCCESS;
}

void
library_close(void)
{
    store_destroy(the_library.store);
    memset(&the_library, 0, sizeof the_library);
}

/* Checking ------------------------------------------------------------ */

sai_status_t
library_check_attribute(sai_object_type_t type, sai_attr_id_t id)
{
    const struct metadata_attribute *attribute = metadata_attribute(type, id);

    if (attribute && attribute->since > the_library.version) {
        return SAI_STATUS_UNKNOWN_ATTRIBUTE_0;
    }
    for (uint32_t i = 0; i < the_library.n_lacks; i++) {
        if (the_library.lacks[i].type == type &&
            the_library.lacks[i].id == id) {
            return the_library.lacks[i].status;
        }
    }
    return SAI_STATUS_SUCCESS;
}

bool
library_is_unreadable(sai_object_type_t type, sai_attr_id_t id)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t id;
    } unreadable[] = {
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_NUMBER_OF_QUEUES},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_OPER_STATUS},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_NUMBER_OF_QUEUES},
    };

    for (size_t i = 0; i < sizeof unreadable / sizeof unreadable[0]; i++) {
        if (unreadable[i].type == type && unreadable[i].id == id) {
            return true;
        }
    }
    return false;
}

/* Checks all attributes of a call. */
static sai_status_t
check_list(sai_object_type_t type, uint32_t n,
           const sai_attribute_t *attributes, bool reading)
{
    for (uint32_t i = 0; i < n; i++) {
        sai_status_t status = library_check_attribute(type, attributes[i].id);

        if (status == SAI_STATUS_SUCCESS && reading &&
            library_is_unreadable(type, attributes[i].id)) {
            status = SAI_STATUS_ATTR_NOT_SUPPORTED_0;
        }
        if (status != SAI_STATUS_SUCCESS) {
            return status - (sai_status_t)i;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Returns whether a list of 'n' attributes is longer than any valid one; such a
 * list is not read. */
static bool
is_absurd(sai_object_type_t type, uint32_t n)
{
    const struct metadata_object *object = metadata_object(type);

    return object && n > object->n_attributes;
}

/* Object ids in values ------------------------------------------------ */

typedef sai_object_id_t translate_fn(sai_object_id_t oid);

/* Replaces the ids in 'value' in place. */
static void
translate_value(sai_object_type_t type, sai_attribute_t *attribute,
                translate_fn *translate)
{
    const struct metadata_attribute *meta =
        metadata_attribute(type, attribute->id);

    if (meta && meta->kind == KIND_OID) {
        attribute->value.oid = translate(attribute->value.oid);
    } else if (meta && meta->kind == KIND_OBJLIST) {
        sai_object_list_t *list = &attribute->value.objlist;

        for (uint32_t i = 0; list->list && i < list->count; i++) {
            list->list[i] = translate(list->list[i]);
        }
    }
}

/* Copies 'n' attributes of a client with the ids of the store; a list that the
 * store will refuse is not copied.  The caller frees the copy with
 * free_copy(). */
static sai_attribute_t *
copy_in(sai_object_type_t type, uint32_t n, const sai_attribute_t *attributes)
{
    sai_attribute_t *copy = check_calloc((size_t)n + 1, sizeof *copy);

    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(type, attributes[i].id);

        copy[i] = attributes[i];
        if (meta && meta->kind == KIND_OBJLIST) {
            sai_object_list_t *list = &copy[i].value.objlist;
            const sai_object_id_t *source = list->list;

            if (!source || list->count > KIND_LIST_MAX) {
                list->list = NULL; /* Refused by its count, or empty. */
                continue;
            }
            list->list = check_calloc((size_t)list->count + 1, sizeof *source);
            if (list->count) {
                memcpy(list->list, source, list->count * sizeof *source);
            }
        }
        translate_value(type, &copy[i], library_in);
    }
    return copy;
}

static void
free_copy(sai_object_type_t type, uint32_t n, sai_attribute_t *copy)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(type, copy[i].id);

        if (meta && meta->kind == KIND_OBJLIST) {
            free(copy[i].value.objlist.list);
        }
    }
    free(copy);
}

/* The verbs ----------------------------------------------------------- */

/* Crashes or hangs, if the profile asks for it. */
static void
misbehave(sai_object_type_t type)
{
    if (type != SAI_OBJECT_TYPE_NULL && type == the_library.crash) {
        abort();
    }
    while (type != SAI_OBJECT_TYPE_NULL && type == the_library.hang) {
        (void)pause();
    }
}

/* Returns the store if it has a switch, else NULL. */
static struct sai_backend *
switch_backend(void)
{
    struct sai_backend *backend =
        the_library.store ? store_backend(the_library.store) : NULL;

    return backend && backend->switch_id != SAI_NULL_OBJECT_ID ? backend : NULL;
}

sai_status_t
library_create(sai_object_type_t type, sai_object_id_t *oid,
               sai_object_id_t switch_id, uint32_t n,
               const sai_attribute_t *attributes)
{
    struct sai_backend *backend = switch_backend();
    sai_object_id_t made;
    sai_attribute_t *copy;
    sai_status_t status;

    if (type == SAI_OBJECT_TYPE_SWITCH && the_library.store) {
        backend = store_backend(the_library.store);
        switch_id = library_out(backend->switch_id);
    }
    if (!backend) {
        return SAI_STATUS_UNINITIALIZED;
    }
    misbehave(type);
    if (!oid || (n && !attributes) || is_absurd(type, n)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (library_in(switch_id) != backend->switch_id) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    status = check_list(type, n, attributes, false);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    copy = copy_in(type, n, attributes);
    status = backend->ops->create(backend, type, n, copy, &made);
    free_copy(type, n, copy);
    if (status == SAI_STATUS_SUCCESS) {
        *oid = library_out(made);
    }
    return status;
}

/* Returns the status of a call on an object while there is no switch: its id is
 * that of a removed one. */
static sai_status_t
no_object(void)
{
    return the_library.store ? SAI_STATUS_INVALID_OBJECT_ID
                             : SAI_STATUS_UNINITIALIZED;
}

sai_status_t
library_remove(sai_object_type_t type, sai_object_id_t oid)
{
    struct sai_backend *backend = switch_backend();

    return backend ? backend->ops->remove(backend, type, library_in(oid))
                   : no_object();
}

sai_status_t
library_set(sai_object_type_t type, sai_object_id_t oid,
            const sai_attribute_t *attribute)
{
    struct sai_backend *backend = switch_backend();
    sai_attribute_t *copy;
    sai_status_t status;

    if (!backend) {
        return no_object();
    }
    if (!attribute) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = check_list(type, 1, attribute, false);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    copy = copy_in(type, 1, attribute);
    status = backend->ops->set(backend, type, library_in(oid), copy);
    free_copy(type, 1, copy);
    return status;
}

sai_status_t
library_get_attributes(sai_object_type_t type, sai_object_id_t oid, uint32_t n,
                       sai_attribute_t *attributes)
{
    struct sai_backend *backend = switch_backend();
    sai_status_t status;

    if (!backend) {
        return no_object();
    }
    if (n == 0 || !attributes || is_absurd(type, n)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = check_list(type, n, attributes, true);
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    status = backend->ops->get(backend, type, library_in(oid), n, attributes);
    for (uint32_t i = 0; i < n && status == SAI_STATUS_SUCCESS; i++) {
        translate_value(type, &attributes[i], library_out);
    }
    return status;
}

sai_status_t
library_stats(sai_object_type_t type, sai_object_id_t oid, uint32_t n,
              const sai_stat_id_t *ids, sai_stats_mode_t mode, uint64_t *values)
{
    struct sai_backend *backend = switch_backend();

    if (!backend) {
        return no_object();
    }
    if (n == 0 || !ids || !values || n > metadata_object(type)->n_stats) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_stat *stat = metadata_stat(type, ids[i]);

        if (!stat || stat->since > the_library.version) {
            return SAI_STATUS_NOT_SUPPORTED;
        }
    }
    return backend->ops->get_stats(backend, type, library_in(oid), n, ids, mode,
                                   values);
}
