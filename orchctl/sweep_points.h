/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SWEEP_POINTS_H
#define ORCHD_ORCHCTL_SWEEP_POINTS_H

/* The points of a sweep: cases with each combination of the values of some
 * parameters.
 *
 * A parameter is written NAME=VALUES, where VALUES are separated by commas and
 * each is a number, a text or an expression of the scenario, or a range
 * LOW..HIGH or LOW..HIGH..STEP of integers, both ends included:
 *
 *     alpha=-4..3    frame=64,300,1500,9100    chip.cell_bytes=208
 */

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"

struct arena;
struct case_list;

enum {
    SWEEP_POINTS_PARAMS_MAX = 8,
    SWEEP_POINTS_MAX = 100000,
};

/* Replaces each case of 'cases' by one for each combination of the values of
 * 'params' (an array of texts, NULL: none), 'repeat' times each; the last
 * parameter changes fastest.  ST_INVALID: a text is wrong, or there are too
 * many points. */
enum st sweep_points_expand(struct case_list *cases, const json_t *params,
                            unsigned int repeat, struct arena *arena,
                            struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/sweep_points.h */
