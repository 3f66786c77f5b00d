/* SPDX-License-Identifier: Apache-2.0 */

/* Formats a count of nanoseconds as RFC 3339. */

#include <config.h>

#include "process/wallclock.h"

#include <string.h>
#include <time.h>

#include "base/text.h"

#define NS_PER_S  (INT64_C(1000) * 1000 * 1000)
#define NS_PER_MS (INT64_C(1000) * 1000)

void
wallclock_format(int64_t wall_ns, char *buffer)
{
    time_t seconds = (time_t)(wall_ns / NS_PER_S);
    int64_t rest = wall_ns % NS_PER_S;
    struct tm tm;
    char date[WALLCLOCK_SIZE];

    if (rest < 0) {
        rest += NS_PER_S;
        seconds--;
    }
    memset(&tm, 0, sizeof tm);
    gmtime_r(&seconds, &tm);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
    text_format(buffer, WALLCLOCK_SIZE, "%s.%03dZ", date,
                (int)(rest / NS_PER_MS));
}
