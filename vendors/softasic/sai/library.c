/* SPDX-License-Identifier: Apache-2.0 */

/* The state of the library between two calls. */

#include <config.h>

#include "vendors/softasic/sai/library.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "vendors/softasic/sai/asic.h"

/* The initial state.  Notices are logged unless the client sets another level:
 * SAI does not define the default. */
#define AT_FIRST                                                               \
    {                                                                          \
        .levels = { [0 ... SAI_API_MAX - 1] = SAI_LOG_LEVEL_NOTICE }           \
    }

static struct library the_library = AT_FIRST; /* The exception; see above. */

struct library *
library_get(void)
{
    return &the_library;
}

void
library_reset(void)
{
    asic_destroy(the_library.asic);
    asic_destroy(the_library.left);
    the_library = (struct library)AT_FIRST;
}

void
library_log(sai_api_t api, sai_log_level_t level, const char *format, ...)
{
    static const char *const names[] = {
        [SAI_LOG_LEVEL_DEBUG] = "DEBUG",   [SAI_LOG_LEVEL_INFO] = "INFO",
        [SAI_LOG_LEVEL_NOTICE] = "NOTICE", [SAI_LOG_LEVEL_WARN] = "WARN",
        [SAI_LOG_LEVEL_ERROR] = "ERROR",   [SAI_LOG_LEVEL_CRITICAL] = "CRIT",
    };
    char message[1024]; /* Truncated if too long: it is for people. */
    va_list args;

    if (level < library_get()->levels[api]) {
        return;
    }
    va_start(args, format);
    (void)text_vformat(message, sizeof message, format, args);
    va_end(args);
    (void)fprintf(stderr, "softasic: %s: %s\n", names[level], message);
}
