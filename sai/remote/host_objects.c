/* SPDX-License-Identifier: Apache-2.0 */

/* A hash of ids. */

#include <config.h>

#include "sai/remote/host_objects.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "sai/core/entry.h"
#include "sai/remote/call.h"

struct host_object {
    sai_object_id_t oid; /* Key. */
    sai_object_type_t type;
    UT_hash_handle hh;
};

struct host_objects {
    struct host_object *all;
};

struct host_objects *
host_objects_create(void)
{
    return check_calloc(1, sizeof(struct host_objects));
}

static void
forget(struct host_objects *objects, struct host_object *object)
{
    HASH_DEL(objects->all, object);
    free(object);
}

static void
forget_all(struct host_objects *objects)
{
    struct host_object *object, *next;

    HASH_ITER(hh, objects->all, object, next)
    {
        forget(objects, object);
    }
}

void
host_objects_destroy(struct host_objects *objects)
{
    if (objects) {
        forget_all(objects);
        free(objects);
    }
}

static struct host_object *
find(const struct host_objects *objects, sai_object_id_t oid)
{
    struct host_object *object;

    HASH_FIND(hh, objects->all, &oid, sizeof oid, object);
    return object;
}

static void
add(struct host_objects *objects, sai_object_type_t type, sai_object_id_t oid)
{
    struct host_object *object = find(objects, oid);

    if (!object) {
        object = check_calloc(1, sizeof *object);
        object->oid = oid;
        HASH_ADD(hh, objects->all, oid, sizeof object->oid, object);
    }
    object->type = type;
}

void
host_objects_forget(struct host_objects *objects, sai_object_id_t oid)
{
    struct host_object *object = find(objects, oid);

    if (object) {
        forget(objects, object);
    }
}

void
host_objects_follow(struct host_objects *objects, const struct call *call,
                    const struct call_answer *answer)
{
    const enum op op = op_single(call->op);

    if ((op != OP_CREATE && op != OP_REMOVE) || entry_is_key(call->type)) {
        return;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (answer->statuses[i] != SAI_STATUS_SUCCESS) {
            continue;
        }
        if (call->type == SAI_OBJECT_TYPE_SWITCH) {
            if (op == OP_REMOVE) {
                forget_all(objects);
            }
        } else if (op == OP_CREATE) {
            add(objects, call->type, call->keys[i].key.object_id);
        } else {
            host_objects_forget(objects, call->keys[i].key.object_id);
        }
    }
}

sai_status_t
host_objects_list(const struct host_objects *objects, sai_object_type_t type,
                  uint32_t *n, sai_object_key_t *keys)
{
    const uint32_t room = *n;
    const struct host_object *object;
    uint32_t at = 0;

    *n = 0;
    for (object = objects->all; object; object = object->hh.next) {
        *n += object->type == type;
    }
    if (*n > room) {
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    for (object = objects->all; object; object = object->hh.next) {
        if (object->type == type) {
            keys[at++] = (sai_object_key_t){.key.object_id = object->oid};
        }
    }
    return SAI_STATUS_SUCCESS;
}
