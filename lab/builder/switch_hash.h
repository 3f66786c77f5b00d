/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_HASH_H
#define ORCHD_LAB_BUILDER_SWITCH_HASH_H

/* The hash by which one switch chooses among equal-cost paths, set through SAI:
 * algorithm and offset of the switch, fields of its hash object. */

#include <stdint.h>

#include "base/status.h"
#include "lab/scenario/fabric_spec.h"

struct switch_instance;

/* Sets what 'ecmp' says; its seed is an option of the instance.  Fails with
 * what the switch refuses. */
enum st switch_hash_set(struct switch_instance *instance,
                        const struct ecmp_spec *ecmp,
                        struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/switch_hash.h */
