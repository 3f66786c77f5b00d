/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_SETTINGS_H
#define ORCHD_DAEMON_SETTINGS_H

/* The configuration of the daemon itself: what may be said in its config file,
 * and for single keys by --set KEY=VALUE, which has the last word.
 *
 * The file has a line "key = value" per setting.  Blanks around both are
 * ignored, as are empty lines and those that begin with '#'; a value has no
 * quotes.  A key that is not known, a value that is not allowed and a key that
 * is there twice are errors with file and line: a daemon that starts with half
 * of its settings would be worse than one that does not start.
 *
 * Which settings there are is one table, from which come this struct, parsing
 * and the help. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

struct arena;

/* Types of values: what a member is, and how its text is read.
 *   FLAG    bool          true, yes, on, false, no or off
 *   NUMBER  int64_t       decimal, from 'low' to 'high'
 *   WORD    unsigned int  one of the words in 'high', separated by '|'; the
 *                         member counts them from 0
 *   PATH    const char *  any text that is not empty; NULL: not set */

/* X(member, TYPE, default, low, high, help).  The key is the member's name. */
#define SETTINGS_LIST(X)                                                       \
    X(strict, FLAG, false, 0, 0, "reject rows with fields that are not known") \
    X(audit_seconds, NUMBER, 60, 1, 86400,                                     \
      "read CONFIG_DB completely so often, in seconds")                        \
    X(allow_disruptive, FLAG, false, 0, 0,                                     \
      "where the ASIC has no room for a second one of an object that\n"        \
      "has to be replaced, remove the first, unbinding its users")             \
    X(input, WORD, 0, 0, "config_db|appl_db",                                  \
      "where the buffer tables are read: in CONFIG_DB, or in APPL_DB,\n"       \
      "where another program pushes them")                                     \
    X(scheduler_target, WORD, 0, 0, "group|queue",                             \
      "where this switch takes the schedulers of QUEUE rows: at the\n"         \
      "scheduler group of a queue, or at the queue itself")                    \
    X(lookup_file, PATH, 0, 0, 0,                                              \
      "table of lossless profiles by speed and cable\n"                        \
      "(" DOCDIR "/explanation/derive.md)")                                    \
    X(writeback, FLAG, false, 0, 0,                                            \
      "write the rows that follow from lookup_file into CONFIG_DB too")        \
    X(asic_table, PATH, 0, 0, 0,                                               \
      "parameters of the chip for the dynamic buffer model\n"                  \
      "(" DOCDIR "/explanation/derive.md); else those of the chip's\n"         \
      "description")                                                           \
    X(zero_profiles, PATH, 0, 0, 0,                                            \
      "what ports get that are shut, in the dynamic buffer model\n"            \
      "(" DOCDIR "/explanation/derive.md); else their profiles are\n"          \
      "only unbound")                                                          \
    X(metrics_port, NUMBER, 0, 0, 65535,                                       \
      "port of 127.0.0.1 at which /metrics is served for Prometheus;\n"        \
      "0: not at all")                                                         \
    X(drift_seconds, NUMBER, 300, 1, 86400,                                    \
      "read the whole ASIC back so often, in seconds")                         \
    X(repair, WORD, 1, 0, "off|report|on",                                     \
      "what is done about drift, that is, what somebody else changed on\n"     \
      "the ASIC: nothing, not even looking; telling of it in STATE_DB;\n"      \
      "or setting it again")                                                   \
    X(platform, WORD, 0, 0, "device|mellanox|barefoot|vs|generic",             \
      "whose rules; device: as DEVICE_METADATA says")                          \
    X(storm_detection, WORD, 0, 0, "hardware|software",                        \
      "who detects PFC storms: the switch itself where it can, or orchd")      \
    X(storm_rule, WORD, 0, 0,                                                  \
      "offered|mellanox|vs|marvell-teralynx|broadcom|cisco-8000|exact|"        \
      "duration|stalled|status",                                               \
      "by which counters PFC storms are detected\n"                            \
      "(" DOCDIR "/explanation/watchdog.md);\n"                                \
      "offered: the best that the switch has")

#define SETTINGS_TYPE_FLAG   bool
#define SETTINGS_TYPE_NUMBER int64_t
#define SETTINGS_TYPE_WORD   unsigned int
#define SETTINGS_TYPE_PATH   const char *

struct settings {
#define X(member, type, initial, low, high, help) SETTINGS_TYPE_##type member;
    SETTINGS_LIST(X)
#undef X
    struct arena *texts; /* Owns what paths point to. */
};

/* Gives '*settings' the defaults. */
void settings_init(struct settings *settings);

/* Frees what 'settings' owns. */
void settings_fini(struct settings *settings);

/* Sets one key; 'value' is copied.  ST_INVALID, with what would be allowed in
 * 'err', leaves 'settings' alone. */
enum st settings_set(struct settings *settings, const char *key,
                     const char *value, struct err *err) ST_WARN_UNUSED;

/* Sets "KEY=VALUE", as settings_set(). */
enum st settings_set_pair(struct settings *settings, const char *pair,
                          struct err *err) ST_WARN_UNUSED;

/* Reads 'length' bytes of a file that messages call 'origin'.  ST_INVALID: the
 * reason in 'err' begins with "ORIGIN:LINE:"; 'settings' may have been changed
 * in part, and is of no use. */
enum st settings_parse(struct settings *settings, const char *text,
                       size_t length, const char *origin,
                       struct err *err) ST_WARN_UNUSED;

/* Reads the file 'path' like settings_parse().  ST_NOT_FOUND, ST_IO: it cannot
 * be read. */
enum st settings_load(struct settings *settings, const char *path,
                      struct err *err) ST_WARN_UNUSED;

/* Prints all keys, what they may be, and their defaults. */
void settings_help(FILE *stream);

#endif /* orchd/daemon/settings.h */
