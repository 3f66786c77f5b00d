/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REHEARSE_STAND_H
#define ORCHD_REHEARSE_STAND_H

/* What one scenario runs on: a flow of its own with a PFC watchdog, and a rig
 * on its switch.  Private to this folder. */

#include "breakpoint/target.h"
#include "orchd/rehearse/answers.h"
#include "orchd/rehearse/watch.h"
#include "orchd/rig/rig.h"

struct local;

struct stand {
    struct rig rig;        /* First: what the runner holds.  It has no switch
                            * before the first configuration. */
    struct target_ops ops; /* Those of the rig, with the watchdog. */
    struct watch watch;
    struct local *local;
    struct answers_book answers;
    const char *sai; /* Path of the library, for messages. */
};

/* Makes 'stand', which is zeroed but for 'local', 'sai' and 'answers', a
 * target. */
void stand_init(struct stand *stand);

/* Ends what 'stand' holds, so that it can begin anew. */
void stand_fini(struct stand *stand);

#endif /* orchd/rehearse/stand.h */
