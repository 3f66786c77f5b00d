/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_UNIT_FAKE_SAI_H
#define ORCHD_TESTS_UNIT_FAKE_SAI_H

/* A SAI library that does nothing but note what it is asked, for tests of the
 * loader.  It is built several times, as libraries of different releases.
 *
 * Keys of the profile steer it: FAKE_REFUSE makes it fail to initialise,
 * FAKE_NO_PORT leaves the port functions out. */

#include <stdint.h>

#include <sai.h>

/* The ids that the fake gives to what it creates. */
#define FAKE_SWITCH 0x2100000000000001u
#define FAKE_POOL   0x1800000000000002u

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
};

/* The library exports this. */
#define FAKE_LOG_SYMBOL "fake_log"
struct fake_log *fake_log(void);

#endif /* tests/unit/fake_sai.h */
