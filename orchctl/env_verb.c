/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "orchctl/env_verb.h"

#include <stdio.h>

#include "orchctl/member.h"
#include "orchctl/verb.h"

/* For sh in the namespaces, with the directory of Redis and then the command as
 * arguments.  No single quotes.
 *
 * Where the system has no /var/run/redis, /var/run is replaced, because only
 * root may create it there; then a directory that was below it is mounted
 * again.  socat ends with the shell, and so with the command, whatever ends
 * it. */
static const char script[] =
    "dir=$1\n"
    "shift\n"
    "if [ ! -d /var/run/redis ]; then\n"
    "    mount --bind \"$dir\" /mnt\n"
    "    mount -t tmpfs tmpfs /var/run\n"
    "    mkdir -p /var/run/redis \"$dir\"\n"
    "    mount --bind /mnt \"$dir\"\n"
    "fi\n"
    "mount --bind \"$dir\" /var/run/redis\n"
    "if command -v socat >/dev/null && command -v ip >/dev/null; then\n"
    "    ip link set lo up\n"
    "    setpriv --pdeathsig TERM socat "
    "TCP4-LISTEN:6379,bind=127.0.0.1,reuseaddr,fork "
    "UNIX-CONNECT:/var/run/redis/redis.sock &\n"
    "    until socat -u OPEN:/dev/null TCP4:127.0.0.1:6379 2>/dev/null; do\n"
    "        kill -0 $!\n"
    "        sleep 0.02\n"
    "    done\n"
    "else\n"
    "    echo \"sonic_run: socat or ip is not installed: tools that connect to "
    "Redis by TCP will fail\" >&2\n"
    "fi\n"
    "exec \"$@\"\n";

/* The words before the script. */
static const char *const words[] = {
    "unshare", "--map-root-user", "--mount", "--net", "sh", "-ec"};

/* Prints 'text' as one word of a shell. */
static void
print_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else {
            putchar(*text);
        }
    }
    putchar('\'');
}

/* Prints "export NAME='value'". */
static void
print_variable(const char *name, const char *value)
{
    printf("export %s=", name);
    print_quoted(value);
    putchar('\n');
}

/* Adds "run" to the data of the reply. */
static void
add_run(json_t *data)
{
    json_t *run = json_array();

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        json_array_append_new(run, json_string(words[i]));
    }
    json_array_append_new(run, json_string(script));
    json_array_append_new(run, json_string("sonic_run"));
    json_array_append(run, json_object_get(data, "directory"));
    json_object_set_new(data, "run", run);
}

static void
show(const struct invocation *invocation, json_t *data)
{
    if (invocation->json) {
        if (json_object_get(data, "directory")) {
            add_run(data);
        }
        verb_print_json(data);
        return;
    }
    print_variable("SONIC_REDIS_DIR", member_text(data, "directory"));
    print_variable("SONIC_REDIS_SOCKET", member_text(data, "socket"));
    print_variable("SONIC_DATABASE_CONFIG",
                   member_text(data, "database_config"));
    printf("sonic_run() {\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        printf("%s%s", i ? " " : "    ", words[i]);
    }
    putchar(' ');
    print_quoted(script);
    printf(" sonic_run \"$SONIC_REDIS_DIR\" \"$@\"\n}\n"
           "# sonic_run COMMAND... runs COMMAND on this Redis, for example: "
           "sonic_run sonic-db-cli PING\n");
}

int
env_verb_run(struct invocation *invocation)
{
    return verb_ask(invocation, show);
}
