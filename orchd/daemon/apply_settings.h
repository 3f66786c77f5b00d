/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_APPLY_SETTINGS_H
#define ORCHD_DAEMON_APPLY_SETTINGS_H

/* Applies settings to the agent, in the daemon and in a dry run. */

#include "base/status.h"

struct agent;
struct dynamic_state_chip;
struct settings;
struct shipped_lookups;
struct storm_rule;

/* Applies 'settings', the files that they name, and the lookup tables that are
 * shipped in 'chips' (the directory of chip files) to 'agent', which has no
 * rows yet.  ('strict' is an argument of agent_create().)  If they name an ASIC
 * table, stores it in '*parameters' as well, which then override the
 * description of the chip.  Fails as lookup_file_read(),
 * lookup_file_read_llr(), lookup_file_read_shipped(), asic_file_read() and
 * zero_file_read() do. */
enum st settings_apply(const struct settings *settings, const char *chips,
                       struct agent *agent,
                       struct dynamic_state_chip *parameters,
                       struct err *err) ST_WARN_UNUSED;

/* The same, with '*shipped' instead of reading the shipped tables; the agent
 * takes them, which leaves '*shipped' empty if it succeeds. */
enum st settings_apply_shipped(const struct settings *settings,
                               struct shipped_lookups *shipped,
                               struct agent *agent,
                               struct dynamic_state_chip *parameters,
                               struct err *err) ST_WARN_UNUSED;

/* Reads the lookup table, the ASIC table and the zero profiles that 'settings'
 * name again.  Passes the lookup table and the zero profiles to 'agent', and
 * stores the ASIC table in '*parameters'; changes nothing if one of the files
 * is invalid. */
enum st settings_read_files(const struct settings *settings,
                            struct agent *agent,
                            struct dynamic_state_chip *parameters,
                            struct err *err) ST_WARN_UNUSED;

/* Returns the rule that detects PFC storms; NULL: the best one that the switch
 * offers. */
const struct storm_rule *settings_storm_rule(const struct settings *settings);

#endif /* orchd/daemon/apply_settings.h */
