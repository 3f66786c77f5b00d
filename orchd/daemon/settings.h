/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_SETTINGS_H
#define ORCHD_DAEMON_SETTINGS_H

/* The configuration of the daemon itself.
 *
 * SETTINGS_LIST below is the only list of settings.  A setting "audit_seconds"
 * is at once
 *   - a line of the configuration file:  audit_seconds = 5
 *   - a variable of the environment:     ORCHD_AUDIT_SECONDS=5
 *   - an option of the command line:     --audit-seconds 5
 * and a later one of these overrides an earlier one.  The struct, the parser,
 * "orchd --help", the sample file, the manual pages and "orchctl show settings"
 * come from the list.
 *
 * The file has a line "key = value" per setting.  Blanks around both are
 * ignored, as are empty lines and those that begin with '#'; a value has no
 * quotes.  An unknown key, an invalid value and a key that is set twice are
 * errors with file and line: a daemon that starts with half of its settings
 * would be worse than one that does not start.  All errors are collected, so
 * that an operator repairs a file at once. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "process/log.h"

struct arena;
struct loader_pair;

/* Types of values: what a member is, and how its text is read.
 *   FLAG    bool          true, yes, on, false, no or off; as an option, the
 *                         name alone stands for true
 *   NUMBER  int64_t       decimal, from 'low' to 'high'
 *   WORD    unsigned int  one of the words of the list 'high'; the member is
 *                         its enumerator
 *   PATH    const char *  any text that is not empty; NULL: not set.  'high' is
 *                         its placeholder in help, 0: "PATH"
 *   PAIRS   struct settings_pairs  KEY=VALUE; may be repeated, in one value
 *                         with blanks between pairs.  A later value of a key
 *                         replaces an earlier one */

/* The words of each WORD setting: W(ENUMERATOR, word). */
#define SETTINGS_INPUT_LIST(W)                                                 \
    W(SETTINGS_INPUT_CONFIG_DB, "config_db")                                   \
    W(SETTINGS_INPUT_APPL_DB, "appl_db")
#define SETTINGS_OUTPUT_LIST(W)                                                \
    W(SETTINGS_OUTPUT_SAI, "sai")                                              \
    W(SETTINGS_OUTPUT_ORCHAGENT, "orchagent")
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
#define SETTINGS_SECCOMP_LIST(W)                                               \
    W(SETTINGS_SECCOMP_AUTO, "auto")                                           \
    W(SETTINGS_SECCOMP_OFF, "off")
/* The enumerators are those of enum log_level. */
#define SETTINGS_LOG_LEVEL_LIST(W)                                             \
    W(LOG_ERROR, "error")                                                      \
    W(LOG_WARN, "warn")                                                        \
    W(LOG_INFO, "info")                                                        \
    W(LOG_DEBUG, "debug")

#define SETTINGS_ENUMERATOR(enumerator, word) enumerator,
enum settings_input { SETTINGS_INPUT_LIST(SETTINGS_ENUMERATOR) };
enum settings_output { SETTINGS_OUTPUT_LIST(SETTINGS_ENUMERATOR) };
enum settings_scheduler_target {
    SETTINGS_SCHEDULER_TARGET_LIST(SETTINGS_ENUMERATOR)
};
enum settings_repair { SETTINGS_REPAIR_LIST(SETTINGS_ENUMERATOR) };
enum settings_platform { SETTINGS_PLATFORM_LIST(SETTINGS_ENUMERATOR) };
enum settings_storm_detection {
    SETTINGS_STORM_DETECTION_LIST(SETTINGS_ENUMERATOR)
};
enum settings_seccomp { SETTINGS_SECCOMP_LIST(SETTINGS_ENUMERATOR) };
enum settings_storm_rule { SETTINGS_STORM_RULE_LIST(SETTINGS_ENUMERATOR) };
#undef SETTINGS_ENUMERATOR

/* Where SONiC keeps its database_config.json. */
#define SETTINGS_DATABASE_CONFIG "/var/run/redis/sonic-db/database_config.json"

/* X(member, TYPE, default, low, high, help).  The key is the member's name. */
#define SETTINGS_LIST(X)                                                       \
    X(redis, PATH, 0, 0, "ADDRESS",                                            \
      "connect to unix:PATH or tcp:HOST:PORT, or start a private\n"            \
      "redis-server with spawn[:DIR]; none: the address in the database\n"     \
      "config, else unix:/var/run/redis/redis.sock")                           \
    X(database_config, PATH, 0, 0, "FILE",                                     \
      "read numbers and separators of the databases from this\n"               \
      "database_config.json; none:\n" SETTINGS_DATABASE_CONFIG                 \
      ",\nif it exists")                                                       \
    X(force_owner, FLAG, false, 0, 0,                                          \
      "take Redis over from another orchd that works on it and does not\n"     \
      "end; that one then stops")                                              \
    X(sai, PATH, PKGLIBDIR "/libsai-softasic.so", 0, "LIBRARY",                \
      "load the SAI of the switch from this library")                          \
    X(sai_unversioned, FLAG, false, 0, 0,                                      \
      "accept a libsai that does not report its release, as 1.9.0")            \
    X(profile, PAIRS, 0, 0, "KEY=VALUE",                                       \
      "add a SAI profile entry, for example SOFTASIC_MODEL=td2;\n"             \
      "may be repeated")                                                       \
    X(record, PATH, 0, 0, "FILE",                                              \
      "record all SAI calls in this file; see orchctl sai replay")             \
    X(sai_faults, PATH, 0, 0, "FILE",                                          \
      "make SAI calls fail by the rules in this file, for tests")              \
    X(user, PATH, 0, 0, "NAME[:GROUP]",                                        \
      "run as this user, which only root can ask for: read files and\n"        \
      "create sockets as that user; none: the user that starts orchd")         \
    X(control, PATH, 0, 0, "SOCKET",                                           \
      "listen for orchctl on this socket; none: for root\n"                    \
      "/run/orchd/control.sock, else $XDG_RUNTIME_DIR/orchd.sock")             \
    X(state_dir, PATH, 0, 0, "DIR",                                            \
      "keep the history of CONFIG_DB in this directory, for orchctl\n"         \
      "config rollback; none: keep no history")                                \
    X(yang_dir, PATH, PKGDATADIR "/yang", 0, "DIR",                            \
      "read the YANG modules of CONFIG_DB from this directory")                \
    X(log_level, WORD, LOG_INFO, 0, SETTINGS_LOG_LEVEL_LIST,                   \
      "log lines of this level and worse; see also orchctl log level")         \
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
    X(output, WORD, SETTINGS_OUTPUT_SAI, 0, SETTINGS_OUTPUT_LIST,              \
      "sai: drive the library of the setting sai; orchagent: publish the\n"    \
      "buffer tables in APPL_DB, in the place of buffermgrd, and judge by\n"   \
      "ASIC_DB (" DOCDIR "/howto/on-sonic.md)")                                \
    X(confirm_seconds, NUMBER, 30, 1, 3600,                                    \
      "with output=orchagent: a row that ASIC_DB does not confirm within\n"    \
      "this many seconds has failed")                                          \
    X(poll_seconds, NUMBER, 1, 0, 3600,                                        \
      "with output=orchagent: how often syncd is to read counters that\n"      \
      "nobody else lets it read, such as what queues hold, in seconds; 0:\n"   \
      "not at all")                                                            \
    X(scheduler_target, WORD, SETTINGS_SCHEDULER_TARGET_GROUP, 0,              \
      SETTINGS_SCHEDULER_TARGET_LIST,                                          \
      "apply the scheduler of a QUEUE row to the scheduler group of the\n"     \
      "queue, or to the queue itself, as this switch requires")                \
    X(lookup_file, PATH, 0, 0, "FILE",                                         \
      "read lossless profiles by speed and cable length from this file\n"      \
      "instead of the table that orchd has for the hwsku, if any\n"            \
      "(" DOCDIR "/explanation/derive.md)")                                    \
    X(llr_lookup_file, PATH, 0, 0, "FILE",                                     \
      "give ports with link-level retry that name no profile the one that\n"   \
      "this file has for their speed and cable length\n"                       \
      "(" DOCDIR "/explanation/derive.md)")                                    \
    X(writeback, FLAG, false, 0, 0,                                            \
      "write the rows derived from lookup_file to CONFIG_DB as well")          \
    X(asic_table, PATH, 0, 0, "FILE",                                          \
      "read the chip parameters of the dynamic buffer model from this\n"       \
      "file instead of the chip's description\n(" DOCDIR                       \
      "/explanation/derive.md)")                                               \
    X(zero_profiles, PATH, 0, 0, "FILE",                                       \
      "apply the zero profiles in this file to ports that are shut down,\n"    \
      "in the dynamic buffer model; without it, orchd only unbinds\n"          \
      "their profiles (" DOCDIR "/explanation/derive.md)")                     \
    X(http, PATH, 0, 0, "ADDRESS",                                             \
      "serve the live page, /metrics and /healthz at PORT of 127.0.0.1,\n"     \
      "ADDRESS:PORT, [IPV6]:PORT or unix:PATH; none: do not serve")            \
    X(http_group, PATH, 0, 0, "GROUP",                                         \
      "let this group connect to the Unix socket of http; none: the\n"         \
      "one of control_group")                                                  \
    X(page_dir, PATH, PKGDATADIR "/page", 0, "DIR",                            \
      "serve the live page from the files in this directory")                  \
    X(metrics_port, NUMBER, 0, 0, 65535,                                       \
      "the same as http with a port; 0: not set")                              \
    X(control_group, PATH, 0, 0, "GROUP",                                      \
      "let this group connect to the control socket and change anything;\n"    \
      "none: orchd, if it exists, else the group of the process")              \
    X(view_group, PATH, 0, 0, "GROUP",                                         \
      "let this group connect to the socket for viewers; none:\n"              \
      "orchd-view, if it exists, else the group of the process")               \
    X(view_socket, PATH, 0, 0, "SOCKET",                                       \
      "listen for viewers, who change nothing, on this socket; none:\n"        \
      "view.sock beside control.sock")                                         \
    X(redis_user, PATH, 0, 0, "USER",                                          \
      "log in to Redis as this user of its ACL; none: the default\n"           \
      "user")                                                                  \
    X(redis_password_file, PATH, 0, 0, "FILE",                                 \
      "log in to Redis with the password in the first line of this file,\n"    \
      "which is read for each connection; none: do not log in")                \
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
      "offered: the best ones that the switch offers")                         \
    X(compat, FLAG, false, 0, 0,                                               \
      "publish in ASIC_DB also what syncd keeps there beside the objects:\n"   \
      "VIDTORID, RIDTOVID, HIDDEN, COLDVIDS and LANES, for tools and\n"        \
      "tests that read them")                                                  \
    X(seccomp, WORD, SETTINGS_SECCOMP_AUTO, 0, SETTINGS_SECCOMP_LIST,          \
      "auto: let the kernel limit the system calls of orchd, unless a\n"       \
      "vendor's libsai is in its process; off: do not\n"                       \
      "(" DOCDIR "/explanation/security.md)")

/* X(member): the settings that a running orchd takes over when it reads the
 * file again.  The others need a restart. */
#define SETTINGS_RELOADED_LIST(X)                                              \
    X(log_level)                                                               \
    X(audit_seconds)                                                           \
    X(allow_disruptive)                                                        \
    X(drift_seconds)                                                           \
    X(repair)                                                                  \
    X(lookup_file)                                                             \
    X(llr_lookup_file)                                                         \
    X(asic_table)                                                              \
    X(zero_profiles)

/* Where a value comes from, in ascending precedence. */
enum settings_origin {
    SETTINGS_FROM_DEFAULT,
    SETTINGS_FROM_FILE,
    SETTINGS_FROM_ENVIRONMENT,
    SETTINGS_FROM_OPTION,
};

struct settings_source {
    enum settings_origin origin;
    const char *name;  /* The file, the variable, the option; else NULL. */
    unsigned int line; /* Of the file, from 1. */
};

/* The values of a PAIRS setting. */
struct settings_pairs {
    struct loader_pair *list; /* sai/loader/loader.h */
    struct settings_source *sources;
    size_t n;
};

#define SETTINGS_TYPE_FLAG   bool
#define SETTINGS_TYPE_NUMBER int64_t
#define SETTINGS_TYPE_WORD   unsigned int
#define SETTINGS_TYPE_PATH   const char *
#define SETTINGS_TYPE_PAIRS  struct settings_pairs

enum settings_index {
#define X(member, type, initial, low, high, help) SETTINGS_INDEX_##member,
    SETTINGS_LIST(X)
#undef X
        N_SETTINGS
};

struct settings {
#define X(member, type, initial, low, high, help) SETTINGS_TYPE_##type member;
    SETTINGS_LIST(X)
#undef X
    struct settings_source sources[N_SETTINGS];
    const char *file;     /* The file that was read; NULL: none. */
    struct err *problems; /* All errors so far, with their places; and, of
                           * ST_UNSUPPORTED, warnings. */
    size_t n_problems;
    struct arena *texts; /* Owns all texts and lists but 'problems'. */
};

/* Sets '*settings' to the defaults. */
void settings_init(struct settings *settings);

/* Frees what 'settings' owns. */
void settings_fini(struct settings *settings);

/* Sets one key; 'value' and the name in 'source' are copied.  On ST_INVALID the
 * value is unchanged, and 'err' says what is allowed, without the place. */
enum st settings_assign(struct settings *settings, const char *key,
                        const char *value, const struct settings_source *source,
                        struct err *err) ST_WARN_UNUSED;

/* The same for a value of the command line of another program. */
enum st settings_set(struct settings *settings, const char *key,
                     const char *value, struct err *err) ST_WARN_UNUSED;

/* Sets "KEY=VALUE" like settings_assign(); 'source' may be NULL, as for
 * settings_set(). */
enum st settings_set_pair(struct settings *settings, const char *pair,
                          const struct settings_source *source,
                          struct err *err) ST_WARN_UNUSED;

/* Adds 'err' to the problems of 'settings'.  Its reason begins with the place,
 * if 'source' is not NULL. */
void settings_complain(struct settings *settings,
                       const struct settings_source *source,
                       const struct err *err);

/* Copies the first error among the problems from number 'first' to 'err', and
 * returns its status; ST_OK: there are only warnings. */
enum st settings_problem(const struct settings *settings, size_t first,
                         struct err *err) ST_WARN_UNUSED;

/* Reads 'length' bytes of a file that messages call 'origin'.  All lines are
 * read.  ST_INVALID: the problems have the errors, and 'err' the first one,
 * whose reason begins with "ORIGIN:LINE:"; 'settings', which may have been
 * changed in part, must not be used. */
enum st settings_parse(struct settings *settings, const char *text,
                       size_t length, const char *origin,
                       struct err *err) ST_WARN_UNUSED;

/* Reads the file 'path' like settings_parse().  ST_NOT_FOUND, ST_IO: it cannot
 * be read. */
enum st settings_load(struct settings *settings, const char *path,
                      struct err *err) ST_WARN_UNUSED;

/* Reads the variables ORCHD_KEY of 'environment', "NAME=VALUE", which ends with
 * NULL.  Errors are added to the problems.  A variable that begins
 * with ORCHD_, is no setting and looks like a misspelt one is a warning. */
void settings_read_environment(struct settings *settings,
                               const char *const *environment);

/* Sets the member of 'key' to a default that depends on the surroundings,
 * unless it has a value. */
void settings_set_default(struct settings *settings, const char *key,
                          const char *value);

/* Returns the word that the WORD setting 'key' has; static. */
const char *settings_word(const struct settings *settings, const char *key);

/* One setting for people.  The texts are valid during the visit. */
struct settings_row {
    const char *key;
    const char *value;   /* NULL: none.  A secret is masked. */
    const char *initial; /* The default; NULL: none. */
    const char *allowed; /* "true|false", "1..86400", "PATH". */
    const char *help;    /* Lines that are separated by '\n'. */
    bool flag, repeated; /* The option needs no value; may be repeated. */
    bool reloaded;       /* A running orchd takes a new value over. */
    enum settings_index index;
    struct settings_source source;
};

typedef void settings_visit_fn(void *context, const struct settings_row *row);

/* Calls 'visit' with each setting, in the order of SETTINGS_LIST: once for each
 * pair of PAIRS, and once with no value if there is none. */
void settings_each(const struct settings *settings, settings_visit_fn *visit,
                   void *context);

/* Returns whether a setting has different values in 'a' and 'b'. */
bool settings_differ(const struct settings *a, const struct settings *b,
                     enum settings_index index);

/* Copies the value and the source of a setting, one of SETTINGS_RELOADED_LIST,
 * from 'from'. */
void settings_copy(struct settings *to, const struct settings *from,
                   enum settings_index index);

/* Returns whether a running orchd takes a new value of the setting over. */
bool settings_is_reloaded(enum settings_index index);

/* Returns the key of a setting; static. */
const char *settings_key(enum settings_index index);

#endif /* orchd/daemon/settings.h */
