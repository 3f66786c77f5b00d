/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "process/event_log.h"

#include <event2/event.h>

#include "process/log.h"

/* Where the messages go; libevent's callback has no context. */
static struct log *the_log;

static void
on_message(int severity, const char *message)
{
    log_write(the_log,
              severity >= EVENT_LOG_ERR    ? LOG_ERROR
              : severity >= EVENT_LOG_WARN ? LOG_WARN
                                           : LOG_DEBUG,
              "libevent", "", "%s", message);
}

void
event_log_follow(struct log *log)
{
    the_log = log;
    event_set_log_callback(on_message);
}
