/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_SETTINGS_H
#define ORCHD_DAEMON_SETTINGS_H

/* The configuration of the daemon itself, from its config file and from
 * --set KEY=VALUE, which overrides the file.
 *
 * The file has a line "key = value" per setting.  Blanks around both are
 * ignored, as are empty lines and those that begin with '#'; a value has no
 * quotes.  An unknown key, an invalid value and a key that is set twice are
 * errors with file and line: a daemon that starts with half of its settings
 * would be worse than one that does not start.
 *
 * SETTINGS_LIST below is the only list of settings.  The struct, the parser and
 * "orchd --help" come from it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

struct arena;

/* Types of values: what a member is, and how its text is read.
 *   FLAG    bool          true, yes, on, false, no or off
 *   NUMBER  int64_t       decimal, from 'low' to 'high'
 *   WORD    unsigned int  one of the words of the list 'high'; the member is
 *                         its enumerator
 *   PATH    const char *  any text that is not empty; NULL: not set */

/* The words of each WORD setting: W(ENUMERATOR, word). */
#define SETTINGS_INPUT_LIST(W)                                                 \
    W(SETTINGS_INPUT_CONFIG_DB, "config_db")                                   \
    W(SETTINGS_INPUT_APPL_DB, "appl_db")
#define SETTINGS_SCHEDULER_TARGET_LIST(W)                                      \
    W(SETTINGS_SCHEDULER_TARGET_GROUP, "group")                                \
    W(SETTINGS_SCHEDULER_TARGET_QUEUE, "queue")
#define SETTINGS_REPAIR_LIST(W)                                                \
    W(SETTINGS_REPAIR_OFF, "off")                                              \
    W(SETTINGS_REPAIR_REPORT, "report")                                        \
    W(SETTINGS_REPAIR_ON, "on")
#define SETTINGS_PLATFORM_LIST(W)                                              \
    W(SETTINGS_PLATFORM_DEVICE, "device")                                      \
    W(SETTINGS_PLATFORM_MELLANOX, "mellanox")                                  \
    W(SETTINGS_PLATFORM_BAREFOOT, "barefoot")                                  \
    W(SETTINGS_PLATFORM_VS, "vs")                                              \
    W(SETTINGS_PLATFORM_GENERIC, "generic")
#define SETTINGS_STORM_DETECTION_LIST(W)                                       \
    W(SETTINGS_STORM_DETECTION_HARDWARE, "hardware")                           \
    W(SETTINGS_STORM_DETECTION_SOFTWARE, "software")
#define SETTINGS_STORM_RULE_LIST(W)                                            \
    W(SETTINGS_STORM_RULE_OFFERED, "offered")                                  \
    W(SETTINGS_STORM_RULE_MELLANOX, "mellanox")                                \
    W(SETTINGS_STORM_RULE_VS, "vs")                                            \
    W(SETTINGS_STORM_RULE_MARVELL_TERALYNX, "marvell-teralynx")                \
    W(SETTINGS_STORM_RULE_BROADCOM, "broadcom")                                \
    W(SETTINGS_STORM_RULE_CISCO_8000, "cisco-8000")                            \
    W(SETTINGS_STORM_RULE_EXACT, "exact")                                      \
    W(SETTINGS_STORM_RULE_DURATION, "duration")                                \
    W(SETTINGS_STORM_RULE_STALLED, "stalled")                                  \
    W(SETTINGS_STORM_RULE_STATUS, "status")

#define SETTINGS_ENUMERATOR(enumerator, word) enumerator,
enum settings_input { SETTINGS_INPUT_LIST(SETTINGS_ENUMERATOR) };
enum settings_scheduler_target {
    SETTINGS_SCHEDULER_TARGET_LIST(SETTINGS_ENUMERATOR)
};
enum settings_repair { SETTINGS_REPAIR_LIST(SETTINGS_ENUMERATOR) };
enum settings_platform { SETTINGS_PLATFORM_LIST(SETTINGS_ENUMERATOR) };
enum settings_storm_detection {
    SETTINGS_STORM_DETECTION_LIST(SETTINGS_ENUMERATOR)
};
enum settings_storm_rule { SETTINGS_STORM_RULE_LIST(SETTINGS_ENUMERATOR) };
#undef SETTINGS_ENUMERATOR

/* X(member, TYPE, default, low, high, help).  The key is the member's name. */
#define SETTINGS_LIST(X)                                                       \
    X(strict, FLAG, false, 0, 0, "reject rows with unknown fields")            \
    X(audit_seconds, NUMBER, 60, 1, 86400,                                     \
      "read all of CONFIG_DB again after this many seconds")                   \
    X(allow_disruptive, FLAG, false, 0, 0,                                     \
      "if an object has to be replaced and the ASIC has no room for a\n"       \
      "second one, unbind its users and remove the old one\n"                  \
      "first")                                                                 \
    X(input, WORD, SETTINGS_INPUT_CONFIG_DB, 0, SETTINGS_INPUT_LIST,           \
      "read the buffer tables from CONFIG_DB, or from APPL_DB, where\n"        \
      "another program writes them")                                           \
    X(scheduler_target, WORD, SETTINGS_SCHEDULER_TARGET_GROUP, 0,              \
      SETTINGS_SCHEDULER_TARGET_LIST,                                          \
      "apply the scheduler of a QUEUE row to the scheduler group of the\n"     \
      "queue, or to the queue itself, as this switch requires")                \
    X(lookup_file, PATH, 0, 0, 0,                                              \
      "read lossless profiles by speed and cable length from this file\n"      \
      "instead of the table that orchd has for the hwsku, if any\n"            \
      "(" DOCDIR "/explanation/derive.md)")                                    \
    X(writeback, FLAG, false, 0, 0,                                            \
      "write the rows derived from lookup_file to CONFIG_DB as well")          \
    X(asic_table, PATH, 0, 0, 0,                                               \
      "read the chip parameters of the dynamic buffer model from this\n"       \
      "file instead of the chip's description\n(" DOCDIR                       \
      "/explanation/derive.md)")                                               \
    X(zero_profiles, PATH, 0, 0, 0,                                            \
      "apply the zero profiles in this file to ports that are shut down,\n"    \
      "in the dynamic buffer model; without it, orchd only unbinds\n"          \
      "their profiles (" DOCDIR "/explanation/derive.md)")                     \
    X(http, PATH, 0, 0, 0,                                                     \
      "serve /metrics for Prometheus, and /healthz, at PORT of 127.0.0.1,\n"   \
      "ADDRESS:PORT, [IPV6]:PORT or unix:PATH; default: do not serve")         \
    X(http_group, PATH, 0, 0, 0,                                               \
      "let this group connect to the Unix socket of http (default:\n"          \
      "control_group)")                                                        \
    X(metrics_port, NUMBER, 0, 0, 65535,                                       \
      "the same as http with a port; 0: not set")                              \
    X(control_group, PATH, 0, 0, 0,                                            \
      "let this group connect to the control socket and change anything\n"     \
      "(default: orchd, if it exists, else the group of orchd)")               \
    X(view_group, PATH, 0, 0, 0,                                               \
      "let this group connect to the socket for viewers (default:\n"           \
      "orchd-view, if it exists, else the group of orchd)")                    \
    X(view_socket, PATH, 0, 0, 0,                                              \
      "listen for viewers, who change nothing, on this socket (default:\n"     \
      "view.sock beside control.sock)")                                        \
    X(redis_user, PATH, 0, 0, 0,                                               \
      "log in to Redis as this user of its ACL (default: the default\n"        \
      "user)")                                                                 \
    X(redis_password_file, PATH, 0, 0, 0,                                      \
      "log in to Redis with the password in the first line of this file,\n"    \
      "which is read for each connection; default: do not log in")             \
    X(drift_seconds, NUMBER, 300, 1, 86400,                                    \
      "read the whole ASIC back after this many seconds")                      \
    X(repair, WORD, SETTINGS_REPAIR_REPORT, 0, SETTINGS_REPAIR_LIST,           \
      "drift, which is what others have changed on the ASIC: do not look\n"    \
      "for it, report it in STATE_DB, or set the ASIC again")                  \
    X(platform, WORD, SETTINGS_PLATFORM_DEVICE, 0, SETTINGS_PLATFORM_LIST,     \
      "apply the rules of this platform; device: the one that\n"               \
      "DEVICE_METADATA names")                                                 \
    X(storm_detection, WORD, SETTINGS_STORM_DETECTION_HARDWARE, 0,             \
      SETTINGS_STORM_DETECTION_LIST,                                           \
      "detect PFC storms in the switch where it supports that, or always\n"    \
      "in orchd")                                                              \
    X(storm_rule, WORD, SETTINGS_STORM_RULE_OFFERED, 0,                        \
      SETTINGS_STORM_RULE_LIST,                                                \
      "detect PFC storms by these counters\n"                                  \
      "(" DOCDIR "/explanation/watchdog.md);\n"                                \
      "offered: the best ones that the switch offers")

#define SETTINGS_TYPE_FLAG   bool
#define SETTINGS_TYPE_NUMBER int64_t
#define SETTINGS_TYPE_WORD   unsigned int
#define SETTINGS_TYPE_PATH   const char *

struct settings {
#define X(member, type, initial, low, high, help) SETTINGS_TYPE_##type member;
    SETTINGS_LIST(X)
#undef X
    struct arena *texts; /* Owns what the paths point to. */
};

/* Sets '*settings' to the defaults. */
void settings_init(struct settings *settings);

/* Frees what 'settings' owns. */
void settings_fini(struct settings *settings);

/* Sets one key; 'value' is copied.  On ST_INVALID 'settings' is unchanged, and
 * 'err' says what is allowed. */
enum st settings_set(struct settings *settings, const char *key,
                     const char *value, struct err *err) ST_WARN_UNUSED;

/* Sets "KEY=VALUE" like settings_set(). */
enum st settings_set_pair(struct settings *settings, const char *pair,
                          struct err *err) ST_WARN_UNUSED;

/* Reads 'length' bytes of a file that messages call 'origin'.  ST_INVALID: the
 * reason in 'err' begins with "ORIGIN:LINE:", and 'settings', which may have
 * been changed in part, must not be used. */
enum st settings_parse(struct settings *settings, const char *text,
                       size_t length, const char *origin,
                       struct err *err) ST_WARN_UNUSED;

/* Reads the file 'path' like settings_parse().  ST_NOT_FOUND, ST_IO: it cannot
 * be read. */
enum st settings_load(struct settings *settings, const char *path,
                      struct err *err) ST_WARN_UNUSED;

/* Returns the word that the WORD setting 'key' has; static. */
const char *settings_word(const struct settings *settings, const char *key);

/* Calls 'visit' with each setting that has a value, as text, in the order of
 * SETTINGS_LIST. */
void settings_each(const struct settings *settings,
                   void (*visit)(void *context, const char *key,
                                 const char *value),
                   void *context);

/* Prints each setting: "  KEY = ALLOWED", then its help, indented, with the
 * default in parentheses at the end. */
void settings_help(FILE *stream);

#endif /* orchd/daemon/settings.h */
