/* SPDX-License-Identifier: Apache-2.0 */

/* Chooses among the shipped configurations. */

#include <config.h>

#include "lab/builder/switch_default.h"

#include <string.h>

#include "base/text.h"

/* As lab/configs/generate.py has them. */
static const struct switch_default all[] = {
    {"star-32x100g", "th", 32, 100000, 5},
    {"t0-32x100g", "th", 32, 100000, 40},
    {"rh-36x100g", "j2c+", 36, 100000, 100000},
    {"t1-64x100g", "th2", 64, 100000, 300},
    {"star-128x100g", "th3", 128, 100000, 5},
    {"star-256x100g", "generic", 256, 100000, 300},
    {"t0-32x40g", "td2", 32, 40000, 40},
    {"t1-64x40g", "th2", 64, 40000, 300},
    {"t1-64x400g", "th5", 64, 400000, 300},
};

enum { N_ALL = sizeof all / sizeof *all };

const struct switch_default *
switch_default_all(size_t *n)
{
    *n = N_ALL;
    return all;
}

const struct switch_default *
switch_default_find(const char *name)
{
    for (size_t i = 0; i < N_ALL; i++) {
        if (!strcmp(all[i].name, name)) {
            return &all[i];
        }
    }
    return NULL;
}

/* Returns whether 'a' is a better choice than 'b' for 'cable_m'. */
static bool
is_better(const struct switch_default *a, const struct switch_default *b,
          uint32_t cable_m)
{
    const bool a_fits = a->cable_m >= cable_m;
    const bool b_fits = b->cable_m >= cable_m;

    if (a_fits != b_fits) {
        return a_fits;
    }
    if (!a_fits && a->cable_m != b->cable_m) {
        return a->cable_m > b->cable_m;
    }
    return a->n_ports != b->n_ports ? a->n_ports < b->n_ports
                                    : a->cable_m < b->cable_m;
}

/* Reports that no configuration has 'n_ports' ports of 'speed_mbps'. */
static enum st
fail(uint32_t n_ports, uint32_t speed_mbps, struct err *err)
{
    struct text allowed = {0};
    uint32_t most = 0;
    enum st st;

    for (size_t i = 0; i < N_ALL; i++) {
        if (all[i].speed_mbps == speed_mbps && all[i].n_ports > most) {
            most = all[i].n_ports;
        }
        if (i == 0 || all[i].speed_mbps != all[i - 1].speed_mbps) {
            text_addf(&allowed, "%s%u Mb/s", i ? ", " : "", all[i].speed_mbps);
        }
    }
    st = most ? err_set(err, ST_NOT_FOUND, "switch-default",
                        "no shipped configuration has %u ports of %u Mb/s; the "
                        "most is %u",
                        n_ports, speed_mbps, most)
              : err_set(err, ST_NOT_FOUND, "switch-default",
                        "no shipped configuration has ports of %u Mb/s; there "
                        "are %s",
                        speed_mbps, text_string(&allowed));
    err_set_remedy(err, "name a config_db.json for the role of the switch");
    text_fini(&allowed);
    return st;
}

enum st
switch_default_choose(uint32_t n_ports, uint32_t speed_mbps, uint32_t cable_m,
                      const struct switch_default **chosen, bool *is_short,
                      struct err *err)
{
    const struct switch_default *best = NULL;

    for (size_t i = 0; i < N_ALL; i++) {
        if (all[i].speed_mbps == speed_mbps && all[i].n_ports >= n_ports &&
            (!best || is_better(&all[i], best, cable_m))) {
            best = &all[i];
        }
    }
    if (!best) {
        return fail(n_ports, speed_mbps, err);
    }
    *chosen = best;
    *is_short = best->cable_m < cable_m;
    return ST_OK;
}
