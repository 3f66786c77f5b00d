/* SPDX-License-Identifier: Apache-2.0 */

/* Finds out versions at run time.
 *
 * A library is asked for a symbol rather than linked, so that one table serves
 * all programs: what a program has not loaded is not listed.  A library without
 * a function that returns its version has it in the name of its file. */

#include <config.h>

#include "process/version.h"

#include <dlfcn.h>
#include <sai.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "version_commit.h"

#define DIGITS__(number) #number
#define DIGITS(number)   DIGITS__(number)
#define SAI_RELEASE                                                            \
    DIGITS(SAI_MAJOR) "." DIGITS(SAI_MINOR) "." DIGITS(SAI_REVISION)

typedef const char *version_fn(void);

static const struct library {
    const char *name, *built;
    const char *symbol;  /* Any that it exports. */
    const char *version; /* A version_fn; NULL: there is none. */
} libraries[] = {
    {"hiredis", BUILT_HIREDIS, "redisAsyncFree", NULL},
    {"jansson", BUILT_JANSSON, "json_object", "jansson_version_str"},
    {"libevent", BUILT_EVENT, "event_base_new", "event_get_version"},
    {"libfyaml", BUILT_FYAML, "fy_document_destroy", "fy_library_version"},
    {"libnl", BUILT_NL, "nl_connect", NULL},
    {"libseccomp", BUILT_SECCOMP, "seccomp_init", NULL},
    {"libyang", BUILT_YANG, "ly_ctx_new", NULL},
    {"smartcols", BUILT_SMARTCOLS, "scols_new_table", NULL},
    {"sqlite", BUILT_SQLITE, "sqlite3_open_v2", "sqlite3_libversion"},
    {"zlib", BUILT_ZLIB, "deflateInit2_", "zlibVersion"},
};

const char *
version_commit(void)
{
    return VERSION_COMMIT;
}

/* Writes the version that is loaded to 'buffer'.  Returns false if the library
 * is not. */
static bool
find_running(const struct library *library, char *buffer, size_t size)
{
    void *symbol = dlsym(RTLD_DEFAULT, library->symbol);
    void *asked =
        library->version ? dlsym(RTLD_DEFAULT, library->version) : NULL;
    version_fn *get;
    Dl_info info;
    char *path;

    if (!symbol) {
        return false;
    }
    if (asked) {
        memcpy(&get, &asked, sizeof get);
        text_copy(buffer, size, get());
        return true;
    }
    path = dladdr(symbol, &info) ? realpath(info.dli_fname, NULL) : NULL;
    if (path && strrchr(path, '/')) {
        text_copy(buffer, size, strrchr(path, '/') + 1);
    } else {
        text_copy(buffer, size, "unknown");
    }
    free(path);
    return true;
}

void
version_add_json(struct text *text, const char *program)
{
    bool first = true;

    text_addf(text,
              "{\"program\": \"%s\", \"version\": \"%s\", \"commit\": \"%s\", "
              "\"sai\": \"%s\", \"libraries\": [",
              program, PACKAGE_VERSION, version_commit(), SAI_RELEASE);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        char running[128];

        if (find_running(&libraries[i], running, sizeof running)) {
            text_addf(text,
                      "%s{\"name\": \"%s\", \"built\": \"%s\", \"running\": ",
                      first ? "" : ", ", libraries[i].name, libraries[i].built);
            text_add_json(text, running);
            text_add(text, "}");
            first = false;
        }
    }
    text_add(text, "]}");
}

void
version_print(const char *program, bool json)
{
    struct text text = {0};

    if (json) {
        version_add_json(&text, program);
        puts(text_string(&text));
        text_fini(&text);
        return;
    }
    printf("%s %s\ncommit %s\nSAI %s\n", program, PACKAGE_VERSION,
           version_commit(), SAI_RELEASE);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        char running[128];

        if (find_running(&libraries[i], running, sizeof running)) {
            printf("%s %s (built with %s)\n", libraries[i].name, running,
                   libraries[i].built);
        }
    }
}
