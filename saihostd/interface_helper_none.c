/* SPDX-License-Identifier: Apache-2.0 */

/* saihostd has no interfaces, and the library of a vendor keeps the privileges
 * of its process. */

#include <config.h>

#include "base/check.h"
#include "saihostd/interface_helper.h"

enum st
interface_helper_start(const struct ports_options *options, bool confined,
                       struct interface_helper **helper, struct err *err)
{
    (void)options;
    (void)confined;
    (void)err;
    *helper = NULL;
    return ST_OK;
}

uint64_t
interface_helper_needs(const struct ports_options *options)
{
    (void)options;
    return 0;
}

void
interface_helper_destroy(struct interface_helper *helper)
{
    orch_assert(!helper);
}

struct privileged *
interface_helper_privileged(struct interface_helper *helper)
{
    (void)helper;
    return NULL;
}

void
interface_helper_watch(struct interface_helper *helper, struct loop *loop,
                       struct log *log)
{
    (void)helper;
    (void)loop;
    (void)log;
}

bool
interface_helper_failed(const struct interface_helper *helper)
{
    (void)helper;
    return false;
}

enum st
interface_helper_drop(const struct interface_helper *helper, struct log *log,
                      struct err *err)
{
    (void)helper;
    (void)log;
    (void)err;
    return ST_OK;
}
