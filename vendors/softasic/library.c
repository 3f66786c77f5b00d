/* SPDX-License-Identifier: Apache-2.0 */

/* The state of the library between two calls. */

#include <config.h>

#include "vendors/softasic/library.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/text.h"
#include "vendors/softasic/asic.h"

static struct library *the_library; /* The exception; see the header. */

struct library *
library_get(void)
{
    if (!the_library) {
        the_library = check_calloc(1, sizeof *the_library);
        for (int i = 0; i < SAI_API_MAX; i++) {
            the_library->levels[i] = SAI_LOG_LEVEL_WARN;
        }
    }
    return the_library;
}

void
library_forget(void)
{
    if (the_library) {
        asic_destroy(the_library->asic);
        free(the_library);
        the_library = NULL;
    }
}

void
library_log(sai_api_t api, sai_log_level_t level, const char *format, ...)
{
    static const char *const names[] = {
        [SAI_LOG_LEVEL_DEBUG] = "DEBUG",   [SAI_LOG_LEVEL_INFO] = "INFO",
        [SAI_LOG_LEVEL_NOTICE] = "NOTICE", [SAI_LOG_LEVEL_WARN] = "WARN",
        [SAI_LOG_LEVEL_ERROR] = "ERROR",   [SAI_LOG_LEVEL_CRITICAL] = "CRIT",
    };
    char message[1024];
    va_list args;

    if (level < library_get()->levels[api]) {
        return;
    }
    va_start(args, format);
    (void)text_vformat(message, sizeof message, format, args);
    va_end(args);
    (void)fprintf(stderr, "softasic: %s: %s\n", names[level], message);
}
