/* SPDX-License-Identifier: Apache-2.0 */

/* Passes settings to the agent. */

#include <config.h>

#include "orchd/daemon/apply_settings.h"

#include "orchd/daemon/settings.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/llr_lookup.h"
#include "orchd/derive/pg_profile_lookup.h"
#include "orchd/derive/platform.h"
#include "orchd/derive/shipped_lookups.h"
#include "orchd/derive/zero_profiles.h"
#include "orchd/files/asic_file.h"
#include "orchd/files/lookup_file.h"
#include "orchd/files/zero_file.h"
#include "orchd/reconcile/agent.h"
#include "orchd/watchdog/detection/storm_rule.h"

/* Names the setting 'key' in the remedy of 'err', which its file has caused. */
static enum st
name_setting(enum st status, const char *key, struct err *err)
{
    if (status && !*err->remedy) {
        err_set_remedy(err, "correct the file, or the setting %s", key);
    }
    return status;
}

/* Reads the lookup tables that 'settings' name. */
static enum st
read_lookups(const struct settings *settings, struct pg_profile_lookup *lookup,
             struct llr_lookup *llr, struct err *err)
{
    enum st status = ST_OK;

    if (settings->lookup_file) {
        status =
            name_setting(lookup_file_read(settings->lookup_file, lookup, err),
                         "lookup_file", err);
    }
    if (!status && settings->llr_lookup_file) {
        status = name_setting(
            lookup_file_read_llr(settings->llr_lookup_file, llr, err),
            "llr_lookup_file", err);
    }
    return status;
}

enum st
settings_read_files(const struct settings *settings, struct agent *agent,
                    struct dynamic_state_chip *parameters, struct err *err)
{
    struct pg_profile_lookup lookup = {0};
    struct llr_lookup llr = {0};
    struct zero_profiles zeros = {0};
    struct dynamic_state_chip chip = {0};
    enum st status = read_lookups(settings, &lookup, &llr, err);

    if (!status && settings->asic_table) {
        status = name_setting(asic_file_read(settings->asic_table, &chip, err),
                              "asic_table", err);
    }
    if (!status && settings->zero_profiles) {
        status =
            name_setting(zero_file_read(settings->zero_profiles, &zeros, err),
                         "zero_profiles", err);
    }
    if (!status && settings->lookup_file) {
        agent_set_lookup(agent, &lookup);
    }
    if (!status && settings->llr_lookup_file) {
        agent_set_llr_lookup(agent, &llr);
    }
    if (!status && settings->asic_table) {
        *parameters = chip;
    }
    if (!status && settings->zero_profiles) {
        agent_set_zeros(agent, &zeros);
    }
    pg_profile_lookup_fini(&lookup);
    llr_lookup_fini(&llr);
    zero_profiles_fini(&zeros);
    return status;
}

enum st
settings_apply_shipped(const struct settings *settings,
                       struct shipped_lookups *shipped, struct agent *agent,
                       struct dynamic_state_chip *parameters, struct err *err)
{
    enum st status;

    agent_allow_disruptive(agent, settings->allow_disruptive);
    agent_set_scheduler_target(agent, settings->scheduler_target ==
                                          SETTINGS_SCHEDULER_TARGET_QUEUE);
    if (settings->platform != SETTINGS_PLATFORM_DEVICE) {
        agent_set_platform(agent,
                           platform_find(settings_word(settings, "platform")));
    }
    status = settings_read_files(settings, agent, parameters, err);
    if (!status) {
        agent_set_shipped(agent, shipped);
    }
    if (!status && settings->asic_table) {
        agent_set_chip(agent, parameters);
    }
    return status;
}

enum st
settings_apply(const struct settings *settings, const char *chips,
               struct agent *agent, struct dynamic_state_chip *parameters,
               struct err *err)
{
    struct shipped_lookups shipped = {0};
    enum st status = lookup_file_read_shipped(chips, &shipped, err);

    status = status ? status
                    : settings_apply_shipped(settings, &shipped, agent,
                                             parameters, err);
    shipped_lookups_fini(&shipped);
    return status;
}

const struct storm_rule *
settings_storm_rule(const struct settings *settings)
{
    return settings->storm_rule == SETTINGS_STORM_RULE_OFFERED
               ? NULL
               : storm_rule_find(settings_word(settings, "storm_rule"));
}
