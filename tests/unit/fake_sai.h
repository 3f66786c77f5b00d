/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_UNIT_FAKE_SAI_H
#define ORCHD_TESTS_UNIT_FAKE_SAI_H

/* A SAI library that does nothing but note what it is asked, for tests of the
 * loader.  It is built several times, as libraries of different releases.
 *
 * Keys of the profile steer it: FAKE_REFUSE makes it fail to initialise,
 * FAKE_NO_PORT leaves the port functions out.  What the bulk function of queues
 * and the capability queries answer is set in the log. */

#include <stdint.h>

#include <sai.h>

/* The ids that the fake gives to what it creates. */
#define FAKE_SWITCH 0x2100000000000001u
#define FAKE_POOL   0x1800000000000002u

enum { FAKE_MAX = 8 }; /* Objects of a bulk call. */

struct fake_log {
    int n_initialize;
    int n_uninitialize;
    char profile_value[32]; /* Of the key FAKE_KEY. */
    int n_profile_pairs;    /* Seen while enumerating. */

    /* Of the last call to an object function. */
    const char *function;
    sai_object_id_t switch_id;
    sai_object_id_t oid;
    uint32_t n;
    sai_attr_id_t first_id;
    sai_stats_mode_t mode;
    int n_set, n_bulk, n_capability; /* Calls of these functions. */

    /* Set by the test.  A bulk call answers 'bulk_result'; it fills in the
     * statuses that are not FAKE_UNTOUCHED.  Setting an object singly answers
     * 'set_status'. */
    sai_status_t set_status;
    sai_status_t bulk_result;
    sai_status_t bulk_statuses[FAKE_MAX];
    sai_status_t capability_status;
    sai_attr_capability_t capability;
};

#define FAKE_UNTOUCHED ((sai_status_t)1)

/* The library exports this. */
#define FAKE_LOG_SYMBOL "fake_log"
struct fake_log *fake_log(void);

#endif /* tests/unit/fake_sai.h */
