/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CASE_STORE_H
#define ORCHD_ORCHCTL_CASE_STORE_H

/* Keeps results of cases in a folder, so that none is carried out twice:
 * "breakpoint run --keep FOLDER".
 *
 * The result of a case (case_runner.h) is in the file "KEY.json".  The key is a
 * digest of what it follows from: the files of the scenario (parser_digest()),
 * the variant, the parameters and the repetition, all chip files, and the
 * version of orchctl.  A file is written whole or not at all, so what a killed
 * process leaves is right. */

#include <jansson.h>
#include <stdint.h>

#include "base/status.h"

struct case_list_item;
struct case_store;
struct invocation;

enum { CASE_STORE_KEY_SIZE = 17 };

/* Opens the folder that --keep names, which is created, and stores it in
 * '*store'; NULL: there is no such option.  ST_IO: it cannot be created, or
 * chip files cannot be read. */
enum st case_store_open(const struct invocation *invocation,
                        struct case_store **store,
                        struct err *err) ST_WARN_UNUSED;

/* Frees 'store'.  Accepts NULL. */
void case_store_close(struct case_store *store);

/* Stores the key of 'one' in 'key'.  Fails as parser_digest() does. */
enum st case_store_key(struct case_store *store,
                       const struct case_list_item *one,
                       char key[CASE_STORE_KEY_SIZE],
                       struct err *err) ST_WARN_UNUSED;

/* Returns the result that is kept of 'one', which the caller releases; NULL:
 * none. */
json_t *case_store_load(struct case_store *store,
                        const struct case_list_item *one);

/* Keeps 'result' of 'one'.  ST_IO: it cannot be written. */
enum st case_store_save(struct case_store *store,
                        const struct case_list_item *one, const json_t *result,
                        struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/case_store.h */
