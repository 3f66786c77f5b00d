/* SPDX-License-Identifier: Apache-2.0 */

/* Looks at PORT_QOS_MAP, BUFFER_PG and the profiles that it binds. */

#include <config.h>

#include "orchd/report/lossless_gap.h"

#include <stdlib.h>
#include <string.h>

#include "base/pfc.h"
#include "base/text.h"
#include "orchd/derive/derive.h"
#include "orchd/reconcile/agent.h"

/* Adds a row of PORT_QOS_MAP that is in force. */
static void
add_map(struct lossless_gap *gap, const struct row_status *status)
{
    const char *list = row_status_field(status, "pfc_enable");

    if (!list || !*list) {
        return;
    }
    gap->n_ports++;
    for (const char *c = status->key; *c; c++) {
        gap->n_ports += *c == ',';
    }
    for (; *list; list++) {
        if (*list >= '0' && *list < '0' + PFC_N_PRIORITIES) {
            gap->priorities |= 1u << (*list - '0');
        }
    }
}

/* Adds a row of BUFFER_PG that is in force.  In the dynamic model each of its
 * fields may name a profile. */
static void
add_group(struct lossless_gap *gap, struct agent *agent,
          const struct row_status *status)
{
    for (size_t i = 0; i < status->n_fields && !gap->has_group; i++) {
        const struct row *profile =
            agent_row(agent, TABLE_BUFFER_PROFILE, status->fields[i].value);
        const char *xoff = profile ? row_field(profile, "xoff") : NULL;

        gap->has_group = xoff && strcmp(xoff, "0") != 0;
    }
}

void
lossless_gap_add(struct lossless_gap *gap, struct agent *agent,
                 const struct row_status *status)
{
    const bool in_force = status->state == ROW_STATE_APPLIED ||
                          status->state == ROW_STATE_SHADOWED;

    switch (status->table) {
    case TABLE_PORT_QOS_MAP:
        if (in_force) {
            add_map(gap, status);
        }
        break;
    case TABLE_BUFFER_PG:
        if (in_force) {
            add_group(gap, agent, status);
        } else if (!gap->has_err && *status->err.code &&
                   !strcmp(status->origin, "auto")) {
            gap->has_err = true;
            gap->err = status->err;
        }
        break;
    case TABLE_CABLE_LENGTH:
        gap->n_cables++;
        break;
    default:
        break;
    }
}

/* Says in 'err' why nothing is derived. */
static void
explain(const struct lossless_gap *gap, const struct agent *agent,
        struct err *err)
{
    static const char write_rows[] =
        "write rows of BUFFER_PG that bind a profile with xoff";
    struct derive_lookup lookup;

    agent_get_lookup(agent, &lookup);
    if (gap->has_err) {
        *err = gap->err;
    } else if (lookup.dynamic) {
        err_set(err, ST_NOT_FOUND, "", "no row of BUFFER_PG asks for one");
        err_set_remedy(err, "write rows of BUFFER_PG with profile NULL");
    } else if (!lookup.n) {
        err_set(err, ST_NOT_FOUND, "",
                *lookup.hwsku
                    ? "no lookup_file is set, and orchd has no lookup table "
                      "for hwsku %s"
                    : "no lookup_file is set, and DEVICE_METADATA names no "
                      "hwsku%s",
                lookup.hwsku);
        err_set_remedy(err,
                       "start orchd with --set lookup_file=FILE (orchctl "
                       "config plan: --lookup FILE), or %s",
                       write_rows);
    } else if (!gap->n_cables) {
        err_set(err, ST_NOT_FOUND, "",
                "no row CABLE_LENGTH says how long the "
                "cables are");
        err_set_remedy(err, "write CABLE_LENGTH|AZURE with a length for each "
                            "port, such as 40m");
    } else {
        err_set(err, ST_NOT_FOUND, "",
                "no profile that rows of BUFFER_PG bind has xoff");
        err_set_remedy(err, "%s", write_rows);
    }
}

json_t *
lossless_gap_json(const struct lossless_gap *gap, const struct agent *agent)
{
    struct text priorities = {0};
    struct err err = {0};
    json_t *json;

    if (!gap->n_ports || !gap->priorities || gap->has_group) {
        return NULL;
    }
    for (unsigned int i = 0; i < PFC_N_PRIORITIES; i++) {
        if (gap->priorities >> i & 1) {
            text_addf(&priorities, "%s%u", priorities.length ? "," : "", i);
        }
    }
    explain(gap, agent, &err);
    json = json_pack(
        "{s:s, s:I, s:s, s:s}", "priorities", text_string(&priorities), "ports",
        (json_int_t)gap->n_ports, "reason", err.reason, "remedy", err.remedy);
    text_fini(&priorities);
    return json;
}
