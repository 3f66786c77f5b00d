/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_APPLY_SETTINGS_H
#define ORCHD_DAEMON_APPLY_SETTINGS_H

/* What settings mean for the agent, in the daemon and in a dry run. */

#include "base/status.h"

struct agent;
struct dynamic_state_chip;
struct settings;
struct storm_rule;

/* Gives 'agent', which has no rows yet, what 'settings' say, files that these
 * name included.  (Whether it is strict was said at its creation.)  If they
 * name an ASIC table, that is in '*parameters' as well, which are then known:
 * the description of the chip is not asked for them.  Fails as
 * lookup_file_read(), asic_file_read() and zero_file_read() do. */
enum st settings_apply(const struct settings *settings, struct agent *agent,
                       struct dynamic_state_chip *parameters,
                       struct err *err) ST_WARN_UNUSED;

/* Reads the lookup table, the ASIC table and the zero profiles that 'settings'
 * name once more; hands them on, all or, if one is wrong, none, but for the
 * ASIC table: that is in '*parameters'. */
enum st settings_read_files(const struct settings *settings,
                            struct agent *agent,
                            struct dynamic_state_chip *parameters,
                            struct err *err) ST_WARN_UNUSED;

/* Returns the rule by which PFC storms are to be told; NULL: what the switch
 * offers decides. */
const struct storm_rule *settings_storm_rule(const struct settings *settings);

#endif /* orchd/daemon/apply_settings.h */
