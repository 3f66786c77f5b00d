/* SPDX-License-Identifier: Apache-2.0 */

/* A build without GSL. */

#include <config.h>

#include "lab/fluid/dcqcn_fluid.h"

bool
dcqcn_fluid_is_built(void)
{
    return false;
}

enum st
dcqcn_fluid_run(const struct dcqcn_loop *loop, double time_s,
                struct dcqcn_course *course, struct err *err)
{
    (void)loop;
    (void)time_s;
    (void)course;
    err_set(err, ST_UNSUPPORTED, "fluid",
            "this orchlab was built without GSL, so that it has no fluid "
            "model");
    err_set_remedy(err, "configure it with --with-gsl (libgsl-dev)");
    return ST_UNSUPPORTED;
}
