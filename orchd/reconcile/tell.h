/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_TELL_H
#define ORCHD_RECONCILE_TELL_H

/* Tells an observer (observer.h) what has become of an object on the ASIC. */

#include <sai.h>

struct metadata_attribute;
struct object;
struct observer;

/* 'object' is on the ASIC now. */
void tell_appeared(const struct observer *observer,
                   const struct object *object);

/* What was 'object' there, under the id 'oid', is no more, or not ours. */
void tell_gone(const struct observer *observer, const struct object *object,
               sai_object_id_t oid);

/* Attribute 'meta' of 'object' has 'value' now. */
void tell_attribute(const struct observer *observer,
                    const struct object *object,
                    const struct metadata_attribute *meta,
                    const sai_attribute_value_t *value);

#endif /* orchd/reconcile/tell.h */
