/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "process/descriptors.h"

#include <sys/resource.h>

uint64_t
descriptors_raise(uint64_t wanted)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit)) {
        return 0;
    }
    if (limit.rlim_cur < wanted && limit.rlim_cur < limit.rlim_max) {
        const rlim_t before = limit.rlim_cur;

        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &limit)) {
            limit.rlim_cur = before;
        }
    }
    return limit.rlim_cur;
}
