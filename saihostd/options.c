/* SPDX-License-Identifier: Apache-2.0 */

/* The options of saihostd and of softasicd. */

#include <config.h>

#include "saihostd/options.h"

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/parse.h"
#include "process/conf_file.h"
#include "saihostd/clock.h"
#include "saihostd/option_table.h"
#include "saihostd/sonic_files.h"
#include "vendors/softasic/softasic.h"

/* X(ID, name, argument, help): of both programs, then of one. */
#define OPTION_LIST(X)                                                         \
    X(SOCKET, "socket", "PATH",                                                \
      "listen for clients on this socket (mode 0660); required")               \
    X(GROUP, "group", "NAME",                                                  \
      "let this group connect and change the switch (default: orchd, if it\n"  \
      "exists, else the group of this process)")                               \
    X(VIEW_GROUP, "view-group", "NAME",                                        \
      "let this group connect and read, on a socket beside that of --socket\n" \
      "(NAME-view.sock beside NAME.sock; default: orchd-view, if it exists,\n" \
      "else the group of this process)")                                       \
    X(USER, "user", "NAME[:GROUP]",                                            \
      "run as this user, which only root can ask for: read files and\n"        \
      "create the sockets as that user (default: the user that starts\n"       \
      "this program)")                                                         \
    OPTION_LIBRARY(X)                                                          \
    X(PROFILE, "profile", "KEY=VALUE",                                         \
      "add an entry to the library's profile; may be repeated")                \
    X(CALL_TIMEOUT, "call-timeout", "SECONDS",                                 \
      "end the process if one call of the library takes longer\n"              \
      "(0 to 86400; default: 60; 0: never), so that clients notice and\n"      \
      "its supervisor restarts it")                                            \
    X(RESCUE, "rescue", NULL,                                                  \
      "let a second client change the switch without the knowledge of the\n"   \
      "client that owns it, to repair or to test something by hand\n"          \
      "(orchctl sai call --rescue)")                                           \
    X(SECCOMP, "seccomp", "auto|off",                                          \
      "auto: let the kernel limit the system calls of this process, unless\n"  \
      "the library is a vendor's; off: do not (default: auto)")                \
    X(LOG_LEVEL, "log-level", "LEVEL",                                         \
      "log lines of this level and worse: error, warn, info or debug\n"        \
      "(default: info)")                                                       \
    X(CONFIG, "config", "FILE",                                                \
      "read options from this file, one line \"name = value\" each\n"          \
      "(" VARIABLES "_CONFIG); an environment variable such as\n" VARIABLES    \
      "_SOCKET overrides a line")                                              \
    X(JSON, "json", NULL, "print JSON, with --version")                        \
    X(HELP, "help", NULL, "print this help")                                   \
    X(VERSION, "version", NULL, "print the version, and those of libraries")

#ifdef SOFTASICD
#define VARIABLES "SOFTASICD"
#define PURPOSE   "Runs the software switch for clients on a socket."
#define OPTION_LIBRARY(X)                                                      \
    X(MODEL, "model", "NAME",                                                  \
      "simulate this chip, a file of " PKGDATADIR "/chips;\n"                  \
      "required unless the profile has SOFTASIC_MODEL or SONIC_HWSKU")         \
    X(SAI, "sai", "LIBRARY",                                                   \
      "load the library of the switch from here (default:\n" PKGLIBDIR         \
      "/libsai-softasic.so)")                                                  \
    X(TAP, "tap", "PREFIX",                                                    \
      "create a TAP device for each port, named PREFIX and a number\n"         \
      "(Ethernet0, Ethernet4, ...), and follow the real clock")                \
    X(BIND, "bind", "PORT=INTERFACE",                                          \
      "use this interface as the port; may be repeated")                       \
    X(NETNS, "netns", "NAME",                                                  \
      "create or find these interfaces in this network namespace")             \
    X(HOST_NETNS, "host-netns", "NAME",                                        \
      "create host interfaces in this network namespace (default: that\n"      \
      "of softasicd)")                                                         \
    X(TAP_QUEUE, "tap-queue", "N",                                             \
      "let N frames wait at a TAP until they are read, and the kernel drop\n"  \
      "further ones (1 to 100000; default: 10000)")                            \
    X(NAMES, "names", "FILE",                                                  \
      "take the names of ports from this config_db.json or\n"                  \
      "port_config.ini, by their lanes")                                       \
    X(LANEMAP, "lanemap", "FILE",                                              \
      "bind the interfaces in this lanemap.ini of SONiC to the ports with\n"   \
      "their lanes: a line \"eth1:29,30,31,32\" for each")                     \
    X(SAI_PROFILE, "sai-profile", "FILE",                                      \
      "add the entries of this sai.profile to the profile, unless they\n"      \
      "are there already; SOFTASIC_SOCKET is the default of --socket,\n"       \
      "SAI_VS_INTERFACE_LANE_MAP_FILE that of --lanemap")                      \
    X(DILATION, "dilation", "N",                                               \
      "run the switch N times slower than the real clock\n"                    \
      "(1 to 1000000; default: 1000, so a port of 100 Gb/s carries\n"          \
      "100 Mb/s); without --dilation, --tap and --bind, time advances\n"       \
      "only when a client asks for it")                                        \
    X(LINE_DILATION, "line-dilation", "N",                                     \
      "make frames and pause quanta last N times longer (1 to 1000), as on\n"  \
      "lines N times slower, while shapers, policers and watchdogs keep the\n" \
      "real clock (--dilation 1, unless that is given)")                       \
    X(FCS, "fcs", "PORTS",                                                     \
      "let each packet from these ports take its FCS, 4 bytes, in the\n"       \
      "buffer, too: all, or numbers of first lanes, as 0,4 for Ethernet0\n"    \
      "and Ethernet4 (default: none)")
#else
#define VARIABLES "SAIHOSTD"
#define PURPOSE   "Runs the SAI library of a vendor for clients on a socket."
#define OPTION_LIBRARY(X)                                                      \
    X(SAI, "sai", "LIBRARY", "load this libsai; required")                     \
    X(SAI_UNVERSIONED, "sai-unversioned", NULL,                                \
      "treat a libsai that does not report its release as 1.9.0")
#endif

enum option_id {
#define X(member, name, argument, help) OPTION_##member,
    OPTION_LIST(X)
#undef X
        N_OPTIONS,
};

static const struct option_row rows[] = {
#define X(member, name, argument, help) {name, argument, help},
    OPTION_LIST(X)
#undef X
};

static const struct option_table table = {PROGRAM, PURPOSE,   VARIABLES,
                                          rows,    N_OPTIONS, OPTION_CONFIG};

int
options_complain(const struct err *err)
{
    return option_table_complain(&table, err);
}

/* Adds an entry to the profile. */
static void
add_profile(struct options *options, char *key, const char *value)
{
    const size_t n = options->library.n_profile;

    options->profile =
        check_realloc(options->profile, (n + 1) * sizeof *options->profile);
    options->profile[n] = (struct loader_pair){key, value};
    options->library.profile = options->profile;
    options->library.n_profile = n + 1;
}

/* Splits "KEY=VALUE". */
static bool
parse_profile(struct options *options, const char *argument)
{
    const char *equals = strchr(argument, '=');
    char *key;

    if (!equals || equals == argument) {
        return false;
    }
    key = check_strdup(argument);
    key[equals - argument] = '\0';
    add_profile(options, key, equals + 1);
    return true;
}

#ifdef SOFTASICD
/* Splits "PORT=INTERFACE". */
static bool
parse_bound(struct options *options, const char *argument)
{
    const char *equals = strchr(argument, '=');
    const size_t n = options->ports.n_bound;
    char *port;

    if (!equals || equals == argument || !equals[1]) {
        return false;
    }
    port = check_strdup(argument);
    port[equals - argument] = '\0';
    options->bound =
        check_realloc(options->bound, (n + 1) * sizeof *options->bound);
    options->bound[n] = (struct ports_bound){port, equals + 1, 0};
    options->ports.bound = options->bound;
    options->ports.n_bound = n + 1;
    return true;
}

/* Takes an option of this program only. */
static bool
take_own(struct options *options, int id, const char *argument)
{
    uint64_t number;

    switch (id) {
    case OPTION_MODEL:
        add_profile(options, check_strdup("SOFTASIC_MODEL"), argument);
        return *argument != '\0';
    case OPTION_TAP:
        options->ports.tap_prefix = argument;
        return true;
    case OPTION_BIND:
        return parse_bound(options, argument);
    case OPTION_NETNS:
        options->ports.namespace = argument;
        return true;
    case OPTION_HOST_NETNS:
        options->ports.host_namespace = argument;
        return true;
    case OPTION_NAMES:
        options->ports.names = argument;
        return true;
    case OPTION_LINE_DILATION:
        if (parse_u64(argument, 1, SOFTASIC_LINE_DILATION_MAX, &number)) {
            return false;
        }
        options->ports.line_dilation = true;
        add_profile(options, check_strdup("SOFTASIC_LINE_DILATION"), argument);
        return true;
    case OPTION_FCS:
        add_profile(options, check_strdup("SOFTASIC_FCS"), argument);
        return *argument != '\0';
    case OPTION_LANEMAP:
        options->ports.lanemap = argument;
        return true;
    case OPTION_SAI_PROFILE:
        options->sai_profile = argument;
        return true;
    case OPTION_TAP_QUEUE:
        if (parse_u64(argument, 1, PORTS_TAP_QUEUE_MAX, &number)) {
            return false;
        }
        options->ports.tap_queue = (uint32_t)number;
        return true;
    default:
        if (parse_u64(argument, 1, CLOCK_DILATION_MAX, &number)) {
            return false;
        }
        options->ports.dilation = (uint32_t)number;
        return true;
    }
}
#else
/* Takes an option of this program only: a flag. */
static bool
take_own(struct options *options, int id, const char *argument)
{
    (void)id;
    (void)argument;
    options->library.allow_unversioned = true;
    return true;
}
#endif

/* Takes a flag of both programs. */
static void
take_flag(struct options *options, int id)
{
    switch (id) {
    case OPTION_RESCUE:
        options->rescue = true;
        break;
    case OPTION_JSON:
        options->json = true;
        break;
    case OPTION_HELP:
        options->help = true;
        break;
    default:
        options->version = true;
    }
}

/* An option_take_fn. */
static bool
take(void *options_, int id, const char *argument)
{
    struct options *options = options_;
    uint64_t number;

    switch (id) {
    case OPTION_SOCKET:
        options->sockets.path = argument;
        return true;
    case OPTION_GROUP:
        options->sockets.group = argument;
        return getgrnam(argument) != NULL;
    case OPTION_VIEW_GROUP:
        options->sockets.view_group = argument;
        return getgrnam(argument) != NULL;
    case OPTION_USER:
        options->user = argument;
        return true;
    case OPTION_SAI:
        options->library.path = argument;
        return true;
    case OPTION_PROFILE:
        return parse_profile(options, argument);
    case OPTION_CALL_TIMEOUT:
        if (parse_u64(argument, 0, 86400, &number)) {
            return false;
        }
        options->call_timeout_s = (uint32_t)number;
        return true;
    case OPTION_SECCOMP:
        options->unconfined = !strcmp(argument, "off");
        return options->unconfined || !strcmp(argument, "auto");
    case OPTION_LOG_LEVEL:
        return log_level_find(argument, &options->log_level);
    case OPTION_CONFIG: /* config_words_init() has read it. */
        return true;
    case OPTION_RESCUE:
    case OPTION_JSON:
    case OPTION_HELP:
    case OPTION_VERSION:
        take_flag(options, id);
        return true;
    default:
        return take_own(options, id, argument);
    }
}

#ifdef SOFTASICD
/* Returns whether the profile has 'key'. */
static bool
has_key(const struct options *options, const char *key)
{
    for (size_t i = 0; i < options->library.n_profile; i++) {
        if (!strcmp(options->profile[i].key, key)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the profile names a chip. */
static bool
has_model(const struct options *options)
{
    return has_key(options, "SOFTASIC_MODEL") ||
           has_key(options, "SONIC_HWSKU");
}

/* The lines of a sai.profile that are read. */
struct profile_file {
    struct options *options;
    struct err *err; /* The first error. */
};

/* A conf_file_fn. */
static void
take_profile_line(void *file_, unsigned int line, const char *key,
                  const char *value)
{
    const struct profile_file *file = file_;
    struct options *options = file->options;
    const char *kept;

    if (!key) {
        if (!file->err->status) {
            err_set(file->err, ST_INVALID, "sai-profile",
                    "%s:%u: a line is KEY=VALUE, not '%.60s'",
                    options->sai_profile, line, value ? value : "");
        }
        return;
    }
    kept = arena_strdup(options->words.arena, value);
    if (!strcmp(key, "SOFTASIC_SOCKET")) {
        /* That of this process, not of a switch that it is a client of. */
        options->sockets.path =
            options->sockets.path ? options->sockets.path : kept;
    } else if (!strcmp(key, "SAI_VS_INTERFACE_LANE_MAP_FILE")) {
        options->ports.lanemap =
            options->ports.lanemap ? options->ports.lanemap : kept;
    } else if (!has_key(options, key)) {
        add_profile(options, check_strdup(key), kept);
    }
}

/* Adds the entries of --sai-profile. */
static enum st
read_sai_profile(struct options *options, struct err *err)
{
    struct profile_file file = {options, err};
    enum st status;
    size_t length;
    char *text;

    if (!options->sai_profile) {
        return ST_OK;
    }
    status = sonic_file_read("--sai-profile", options->sai_profile, &text,
                             &length, err);
    if (status != ST_OK) {
        return status;
    }
    conf_file_parse(text, length, take_profile_line, &file);
    free(text);
    return err->status;
}

/* Adds the bindings of --lanemap. */
static enum st
read_lanemap(struct options *options, struct err *err)
{
    size_t n = options->ports.n_bound;
    struct sonic_ports ports;
    enum st status;

    if (!options->ports.lanemap) {
        return ST_OK;
    }
    status = sonic_lanemap_read(options->ports.lanemap, &ports, err);
    if (status != ST_OK) {
        return status;
    }
    options->bound =
        check_realloc(options->bound, (n + ports.n) * sizeof *options->bound);
    for (size_t i = 0; i < ports.n; i++) {
        options->bound[n++] = (struct ports_bound){
            .interface = arena_strdup(options->words.arena, ports.rows[i].name),
            .lane = ports.rows[i].lanes[0]};
    }
    options->ports.bound = options->bound;
    options->ports.n_bound = n;
    sonic_ports_fini(&ports);
    return ST_OK;
}
#endif

/* Reads the files that options name; an error is reported. */
static bool
read_files(struct options *options)
{
    struct err err = {0};

#ifdef SOFTASICD
    if (read_sai_profile(options, &err) != ST_OK ||
        read_lanemap(options, &err) != ST_OK) {
        (void)options_complain(&err);
        return false;
    }
#endif
    (void)options;
    (void)err;
    return true;
}

/* Reports a missing option; returns whether there is one. */
static bool
is_incomplete(const struct options *options)
{
    if (!options->sockets.path) {
        fputs(PROGRAM ": --socket PATH is required\n", stderr);
    } else if (!options->library.path) {
        fputs(PROGRAM ": --sai LIBRARY is required\n", stderr);
#ifdef SOFTASICD
    } else if (!has_model(options)) {
        fputs(PROGRAM ": --model NAME is required\n", stderr);
#endif
    } else {
        return false;
    }
    fputs(PROGRAM ": see " PROGRAM " --help\n", stderr);
    return true;
}

/* Reports that there is no such group. */
static void
complain_group(int id, const char *name, const char *origin)
{
    fprintf(stderr,
            PROGRAM ": %s%s--%s: there is no group '%s'\n"
                    "  remedy: create it: sudo groupadd --system %s; or leave "
                    "the option out\n",
            origin ? origin : "", origin ? ": " : "", rows[id].name, name,
            name);
}

/* An option_complain_fn. */
static void
complain_value(int id, const char *value, const char *origin)
{
    if (id == OPTION_GROUP || id == OPTION_VIEW_GROUP) {
        complain_group(id, value, origin);
        return;
    }
    option_table_complain_value(&table, id, value, origin);
}

bool
options_parse(struct options *options, int argc, char **argv)
{
    *options = (struct options){.library.pass_on = true,
                                .log_level = LOG_INFO,
                                .call_timeout_s = 60,
                                .sockets = {.group = "orchd",
                                            .has_viewers = true,
                                            .view_group = "orchd-view"}};
#ifdef SOFTASICD
    options->library.path = PKGLIBDIR "/libsai-softasic.so";
#endif
    if (!option_table_parse(&table, argc, argv, &options->words, take,
                            complain_value, options)) {
        return false;
    }
    if (options->json && !options->version) {
        fputs(PROGRAM ": --json goes with --version only\n", stderr);
        return false;
    }
    return options->help || options->version ||
           (read_files(options) && !is_incomplete(options));
}

void
options_fini(struct options *options)
{
    for (size_t i = 0; i < options->library.n_profile; i++) {
        free((void *)(uintptr_t)options->profile[i].key); /* Ours. */
    }
    free(options->profile);
    for (size_t i = 0; i < options->ports.n_bound; i++) {
        free((void *)(uintptr_t)options->bound[i].port);
    }
    free(options->bound);
    config_words_fini(&options->words);
}

void
options_print_manual(void)
{
    option_table_print_manual(&table);
}

void
options_print_help(void)
{
    option_table_print_help(&table);
}
