/* SPDX-License-Identifier: Apache-2.0 */

/* Judges the fields of a row that the schema accepts one by one. */

#include <config.h>

#include "orchd/translate/llr_row.h"

#include <stdbool.h>
#include <string.h>

#include "orchd/intent/intent.h"

static bool
field_is(const struct row *row, const char *name, const char *value)
{
    const char *text = row_field(row, name);

    return text && !strcmp(text, value);
}

enum st
llr_row_check(const struct row *row, struct err *err)
{
    const char *field =
        field_is(row, "llr_remote", "enabled") ? "llr_remote" : "llr_local";

    if (row->table != TABLE_LLR_PORT) {
        return ST_OK;
    }
    if (field_is(row, "llr_mode", "dynamic")) {
        err_set(err, ST_UNSUPPORTED, "llr-mode",
                "this version does not agree with the neighbour on link-level "
                "retry");
        err_set_field(err, "llr_mode", "dynamic", "static");
        err_set_remedy(err, "set llr_mode to static, and llr_local and "
                            "llr_remote at both ends of the link");
        return ST_UNSUPPORTED;
    }
    if (field_is(row, field, "enabled") && !row_field(row, "llr_profile")) {
        err_set(err, ST_NOT_FOUND, "no-llr-profile",
                "%s is enabled, and the row names no profile", field);
        err_set_field(err, "llr_profile", "", "the name of an LLR_PROFILE");
        err_set_remedy(err, "set llr_profile to the name of an LLR_PROFILE");
        return ST_NOT_FOUND;
    }
    return ST_OK;
}
