/* SPDX-License-Identifier: Apache-2.0 */

/* What the daemon is started with: its command line, and a
 * database_config.json.
 *
 * An input is both: its lines are the words of a command line, and the whole
 * is the file. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "orchd/daemon/options.h"
#include "orchd/db/dbconfig.h"
#include "orchd/db/endpoint.h"
#include "orchd/db/notify.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_WORDS = 32 };

/* Each setting of the command line is accepted, or reported. */
static void
try_settings(const struct options *options)
{
    struct settings settings;
    struct err err = {0};

    if (options_settings(options, &settings, &err)) {
        FUZZ_CHECK(err.status == ST_INVALID && err.reason[0]);
    }
    FUZZ_CHECK(settings.audit_seconds >= 1);
    FUZZ_CHECK(settings.sai && settings.yang_dir);
    FUZZ_CHECK(settings.control || settings.n_problems);
    settings_fini(&settings);
}

/* The same text as a config file. */
static void
try_config_file(const uint8_t *data, size_t size)
{
    struct settings settings;
    struct err err = {0};

    settings_init(&settings);
    if (settings_parse(&settings, (const char *)data, size, "file", &err)) {
        FUZZ_CHECK(strncmp(err.reason, "file:", 5) == 0);
    }
    settings_fini(&settings);
}

static void
try_words(int argc, char **argv, const struct options_surroundings *around)
{
    struct options options;
    struct err err = {0};

    if (options_parse(argc, argv, around, &options, &err)) {
        FUZZ_CHECK(err.status == ST_INVALID && err.reason[0]);
    } else {
        options.config = "/dev/null";
        try_settings(&options);
    }
    options_fini(&options);
}

static void
try_options(char *text)
{
    static char name[] = "orchd";
    char *argv[MAX_WORDS + 2] = {name};
    const struct options_surroundings surroundings[] = {
        {0, NULL, NULL, NULL},
        {1000, "/run/user/1000", NULL, NULL},
        {1000, text, NULL, NULL},
        /* The words are the environment, too. */
        {1000, "/run/user/1000", NULL, (const char *const *)argv}};
    int argc = 1;

    for (char *word = strtok(text, "\n"); word && argc <= MAX_WORDS;
         word = strtok(NULL, "\n")) {
        argv[argc++] = word;
    }
    for (size_t i = 0; i < sizeof surroundings / sizeof *surroundings; i++) {
        try_words(argc, argv, &surroundings[i]);
    }
    /* The environment alone. */
    try_words(1, argv, &surroundings[3]);
}

static void
try_endpoint(const char *text)
{
    struct endpoint endpoint, again;
    struct err err = {0};
    char written[ENDPOINT_TEXT_SIZE], wanted[64];

    if (endpoint_parse(text, &endpoint, &err)) {
        FUZZ_CHECK(err.reason[0]);
    } else {
        endpoint_format(&endpoint, written);
        FUZZ_CHECK(endpoint_parse(written, &again, &err) == ST_OK);
        FUZZ_CHECK(endpoint.kind == again.kind && endpoint.port == again.port);
        FUZZ_CHECK(strcmp(endpoint.path, again.path) == 0);
        FUZZ_CHECK(strcmp(endpoint.host, again.host) == 0);
    }
    if (strlen(text) < 32 && notify_lacks(text, wanted, sizeof wanted)) {
        char rest[64];

        FUZZ_CHECK(!notify_lacks(wanted, rest, sizeof rest));
    }
}

static void
try_dbconfig(const uint8_t *data, size_t size)
{
    int fd = memfd_create("database_config", MFD_CLOEXEC);
    struct dbconfig config, before;
    struct err err = {0};
    char path[64];

    orch_assert(fd >= 0);
    orch_assert(write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    memset(&config, 0, sizeof config);
    dbconfig_init(&config);
    before = config;
    if (dbconfig_load(&config, path, &err)) {
        FUZZ_CHECK(err.status == ST_INVALID && err.reason[0]);
        FUZZ_CHECK(memcmp(&config, &before, sizeof config) == 0);
    }
    for (size_t i = 0; i < N_DATABASES; i++) {
        FUZZ_CHECK(config.databases[i].number >= 0 &&
                   config.databases[i].number < 1024);
        FUZZ_CHECK(config.databases[i].separator);
    }
    close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = bytes_text(data, size);

    try_dbconfig(data, size);
    try_config_file(data, size);
    try_endpoint(text);
    try_options(text);
    free(text);
    return 0;
}
