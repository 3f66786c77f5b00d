/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchd/page/verb_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* Cuts the path into noun and verb. */
static enum st
cut(struct verb_path *verb)
{
    char *slash = strchr(verb->path, '/');

    if (!slash || slash == verb->path || !slash[1] || strchr(slash + 1, '/')) {
        return ST_INVALID;
    }
    *slash = '\0';
    verb->texts.noun = verb->path;
    verb->texts.verb = slash + 1;
    return http_query_decode(verb->path) && http_query_decode(slash + 1)
               ? ST_OK
               : ST_INVALID;
}

enum st
verb_path_parse(const char *path, const char *query, struct verb_path *verb)
{
    enum st st;

    memset(verb, 0, sizeof *verb);
    verb->path = check_strdup(path);
    st = http_query_parse(query, &verb->query);
    verb->arguments = check_calloc(verb->query.n + 1, sizeof *verb->arguments);
    for (size_t i = 0; i < verb->query.n; i++) {
        verb->arguments[i] = (struct argument_text){verb->query.pairs[i].name,
                                                    verb->query.pairs[i].value};
    }
    verb->texts.arguments = verb->arguments;
    verb->texts.n_arguments = verb->query.n;
    return st ? st : cut(verb);
}

void
verb_path_fini(struct verb_path *verb)
{
    free(verb->path);
    free(verb->arguments);
    http_query_fini(&verb->query);
    memset(verb, 0, sizeof *verb);
}
