/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_VERB_PATH_H
#define ORCHD_PAGE_VERB_PATH_H

/* A verb with its arguments, as the path of a URL and its query:
 * "show/ports?name=Ethernet0". */

#include "base/status.h"
#include "orchd/control/command.h"
#include "orchd/http/http_query.h"

struct verb_path {
    struct command_texts texts; /* Points into the other members. */
    char *path;
    struct http_query query;
    struct argument_text *arguments;
};

/* Parses a path, which is percent-encoded, and a query (http_query.h); copies
 * both.  ST_INVALID: the path is not "NOUN/VERB", or the query is none.  End
 * '*verb' with verb_path_fini() in any case. */
enum st verb_path_parse(const char *path, const char *query,
                        struct verb_path *verb) ST_WARN_UNUSED;
void verb_path_fini(struct verb_path *verb);

#endif /* orchd/page/verb_path.h */
