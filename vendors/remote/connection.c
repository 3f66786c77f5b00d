/* SPDX-License-Identifier: Apache-2.0 */

/* The connection of the process. */

#include <config.h>

#include "vendors/remote/connection.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/text.h"
#include "sai/remote/client.h"

#define KEY_ROLE    "SAI_REMOTE_ROLE"
#define KEY_TIMEOUT "SAI_REMOTE_TIMEOUT_MS"

/* An hour: longer than any call should take. */
#define TIMEOUT_MAX_MS 3600000

static struct {
    struct client *client;
    bool reported; /* That the connection is lost was reported. */
} the_connection;

/* Connecting ------------------------------------------------------------ */

static const char *
value_of(const sai_service_method_table_t *services, const char *key)
{
    return services->profile_get_value ? services->profile_get_value(0, key)
                                       : NULL;
}

/* Reads the role and the timeout; false if they are invalid. */
static bool
read_profile(const sai_service_method_table_t *services,
             struct client_options *options)
{
    const char *role = value_of(services, KEY_ROLE);
    const char *timeout = value_of(services, KEY_TIMEOUT);
    uint64_t ms;

    options->role = MESSAGE_WRITER;
    if (role && !strcmp(role, "reader")) {
        options->role = MESSAGE_READER;
    } else if (role && !strcmp(role, "rescue")) {
        options->role = MESSAGE_RESCUE;
    } else if (role && !strcmp(role, "tester")) {
        options->role = MESSAGE_TESTER;
    } else if (role && strcmp(role, "writer") != 0) {
        (void)fprintf(stderr,
                      "sai-remote: " KEY_ROLE "=%s: writer, reader, tester or "
                      "rescue\n",
                      role);
        return false;
    }
    if (timeout) {
        if (parse_u64(timeout, 1, TIMEOUT_MAX_MS, &ms)) {
            (void)fprintf(stderr, "sai-remote: " KEY_TIMEOUT "=%s: 1 to %d\n",
                          timeout, TIMEOUT_MAX_MS);
            return false;
        }
        options->timeout_ms = (int)ms;
    }
    return true;
}

sai_status_t
connection_open(const sai_service_method_table_t *services, const char *socket)
{
    char name[MESSAGE_TEXT_BYTES];
    struct client_options options = {.path = socket, .name = name};
    struct err err = {0};
    enum st status;

    if (!read_profile(services, &options)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    (void)text_format(name, sizeof name, "process %ld", (long)getpid());
    status = client_open(&options, &the_connection.client, &err);
    if (status) {
        (void)fprintf(stderr, "sai-remote: %s%s%s\n", err.reason,
                      *err.remedy ? "; " : "", err.remedy);
        return status == ST_BUSY      ? SAI_STATUS_OBJECT_IN_USE
               : status == ST_INVALID ? SAI_STATUS_INVALID_PARAMETER
                                      : SAI_STATUS_FAILURE;
    }
    return SAI_STATUS_SUCCESS;
}

struct client *
connection_client(void)
{
    const char *trouble =
        the_connection.client ? client_trouble(the_connection.client) : NULL;

    if (trouble && !the_connection.reported) {
        the_connection.reported = true;
        (void)fprintf(stderr, "sai-remote: %s; calls fail from now on\n",
                      trouble);
    }
    return the_connection.client;
}

void
connection_close(void)
{
    client_close(the_connection.client);
    the_connection.client = NULL;
    the_connection.reported = false;
}
