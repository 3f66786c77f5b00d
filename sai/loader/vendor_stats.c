/* SPDX-License-Identifier: Apache-2.0 */

/* Reads counters of one object, or of several objects in one call. */

#include <config.h>

#include "sai/loader/vendor_stats.h"

#include <stdbool.h>
#include <string.h>

#include "base/digest.h"
#include "base/text.h"
#include "sai/core/entry.h"
#include "sai/core/metadata.h"
#include "sai/core/status.h"
#include "sai/loader/function_table.h"
#include "sai/loader/vendor_library.h"

/* The functions of all types that have counters. */
typedef sai_get_port_stats_fn get_stats_fn;
typedef sai_get_port_stats_ext_fn get_stats_ext_fn;

/* A status that no library returns: the library stored none. */
#define UNTOUCHED ((sai_status_t)0x7fffffff)

/* Returns whether one of 'n' counters is newer than the library. */
static bool
is_too_young(const struct vendor *vendor, sai_object_type_t type, uint32_t n,
             const sai_stat_id_t *ids)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct metadata_stat *stat = metadata_stat(type, ids[i]);

        if (stat && stat->since > vendor->version) {
            return true;
        }
    }
    return false;
}

/* Reads without clearing by the plain function, which every library has, and
 * clears by the extended function. */
sai_status_t
vendor_get_stats(struct sai_backend *backend, sai_object_type_t type,
                 sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
                 sai_stats_mode_t mode, uint64_t *values)
{
    struct vendor *vendor = (struct vendor *)backend;
    const struct function_table_row *row =
        entry_is_key(type) ? NULL : function_table_find(type);
    get_stats_fn plain;
    get_stats_ext_fn extended;

    if (!row || !row->get_stats || is_too_young(vendor, type, n, ids)) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    plain = (get_stats_fn)vendor_library_find(vendor, row->api, row->get_stats);
    extended = (get_stats_ext_fn)vendor_library_find(vendor, row->api,
                                                     row->get_stats_ext);
    if (mode == SAI_STATS_MODE_READ && plain) {
        return plain(oid, n, ids, values);
    }
    return extended ? extended(oid, n, ids, mode, values)
                    : SAI_STATUS_NOT_IMPLEMENTED;
}

/* A library that has the function but not the mode returns
 * INVALID_PARAMETER. */
static bool
is_unsupported(sai_status_t status)
{
    return status == SAI_STATUS_NOT_SUPPORTED ||
           status == SAI_STATUS_NOT_IMPLEMENTED ||
           status == SAI_STATUS_INVALID_PARAMETER;
}

/* Returns whether 'result' means that the library does not support the call and
 * has read no object. */
static bool
is_refused(const struct backend_stats *call, sai_status_t result)
{
    bool answered = false;

    for (uint32_t i = 0; i < call->n; i++) {
        if (call->statuses[i] != UNTOUCHED) {
            answered = true;
            if (!is_unsupported(call->statuses[i])) {
                return false;
            }
        }
    }
    return answered || is_unsupported(result);
}

/* Reads each object by a call of its own.  Returns whether any succeeded. */
static bool
read_singly(struct sai_backend *backend, const struct backend_stats *call)
{
    bool any = false;

    (void)backend_get_stats_singly(backend, call);
    for (uint32_t i = 0; i < call->n; i++) {
        any |= call->statuses[i] == SAI_STATUS_SUCCESS;
    }
    return any;
}

/* Completes a call that failed: reads the objects without a status again, or
 * all objects if no status shows a failure. */
static void
complete(struct sai_backend *backend, const struct backend_stats *call)
{
    bool blamed = false;

    for (uint32_t i = 0; i < call->n; i++) {
        blamed |= call->statuses[i] != SAI_STATUS_SUCCESS &&
                  call->statuses[i] != UNTOUCHED;
    }
    for (uint32_t i = 0; i < call->n; i++) {
        if (!blamed || call->statuses[i] == UNTOUCHED) {
            call->statuses[i] = vendor_get_stats(
                backend, call->type, call->keys[i].key.object_id, call->n_ids,
                call->ids, call->mode, call->values + (size_t)i * call->n_ids);
        }
    }
}

static sai_status_t
sum(const struct backend_stats *call)
{
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->statuses[i] != SAI_STATUS_SUCCESS) {
            return SAI_STATUS_FAILURE;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Returns the bulk mode for a mode, or SAI_STATS_MODE_NONE if there is none. */
static sai_stats_mode_t
bulk_mode(sai_stats_mode_t mode)
{
    return mode == SAI_STATS_MODE_READ ? SAI_STATS_MODE_BULK_READ
           : mode == SAI_STATS_MODE_READ_AND_CLEAR
               ? SAI_STATS_MODE_BULK_READ_AND_CLEAR
               : SAI_STATS_MODE_NONE;
}

/* Returns the key under which the refusal of a call is remembered.  It has a
 * digest of the list of ids instead of the list. */
static struct vendor_refusal
refusal_of(const struct backend_stats *call)
{
    return (struct vendor_refusal){
        .type = call->type,
        .mode = call->mode,
        .n_ids = call->n_ids,
        .digest = digest_bytes(DIGEST_START, call->ids,
                               call->n_ids * sizeof call->ids[0]),
    };
}

/* Returns whether the library has refused such a call before. */
static bool
was_refused(const struct vendor *vendor, const struct backend_stats *call)
{
    const struct vendor_refusal refusal = refusal_of(call);
    const size_t n = vendor->n_refusals < VENDOR_MAX_REFUSALS
                         ? vendor->n_refusals
                         : VENDOR_MAX_REFUSALS;

    for (size_t i = 0; i < n; i++) {
        const struct vendor_refusal *known = &vendor->refusals[i];

        if (known->type == refusal.type && known->mode == refusal.mode &&
            known->n_ids == refusal.n_ids && known->digest == refusal.digest) {
            return true;
        }
    }
    return false;
}

/* Stores that the library refused 'call' with 'result', and reports it. */
static void
remember_refusal(struct vendor *vendor, const struct backend_stats *call,
                 sai_status_t result)
{
    const uint32_t shown = call->n_ids > 3 ? 3 : call->n_ids;
    char status[STATUS_NAME_SIZE];
    struct text text = {0};

    vendor->refusals[vendor->n_refusals++ % VENDOR_MAX_REFUSALS] =
        refusal_of(call);
    if (!vendor->note) {
        return;
    }
    text_addf(&text, "the library does not %s ",
              call->mode == SAI_STATS_MODE_READ ? "read" : "read and clear");
    for (uint32_t i = 0; i < shown; i++) {
        const struct metadata_stat *stat =
            metadata_stat(call->type, call->ids[i]);

        text_addf(&text, "%s%s", i ? ", " : "", stat ? stat->name : "?");
    }
    if (call->n_ids > shown) {
        text_addf(&text, " and %u more", call->n_ids - shown);
    }
    text_addf(&text,
              " of several objects in one call (%s): from now on orchd reads "
              "them by one call per object",
              status_name(result, status, sizeof status));
    vendor->note(vendor->note_context, "bulk-refused", text_string(&text));
    text_fini(&text);
}

/* Returns whether the library may read all of 'call' at once. */
static bool
is_offered(const struct vendor *vendor, const struct backend_stats *call)
{
    return vendor->get_stats_many && call->n > 1 &&
           bulk_mode(call->mode) != SAI_STATS_MODE_NONE &&
           (uint32_t)call->type < VENDOR_MAX_TYPE &&
           !entry_is_key(call->type) &&
           !is_too_young(vendor, call->type, call->n_ids, call->ids) &&
           !was_refused(vendor, call);
}

sai_status_t
vendor_get_stats_many(struct sai_backend *backend,
                      const struct backend_stats *call)
{
    struct vendor *vendor = (struct vendor *)backend;
    sai_status_t result;

    if (!is_offered(vendor, call)) {
        return backend_get_stats_singly(backend, call);
    }
    for (uint32_t i = 0; i < call->n; i++) {
        call->statuses[i] = UNTOUCHED;
    }
    result = vendor->get_stats_many(
        backend->switch_id, call->type, call->n, call->keys, call->n_ids,
        call->ids, bulk_mode(call->mode), call->statuses, call->values);
    if (result == SAI_STATUS_SUCCESS) {
        /* On success the statuses are undefined. */
        memset(call->statuses, 0, call->n * sizeof *call->statuses);
    } else if (is_refused(call, result)) {
        if (read_singly(backend, call)) {
            remember_refusal(vendor, call, result);
        }
    } else {
        complete(backend, call);
    }
    return sum(call);
}
