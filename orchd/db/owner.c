/* SPDX-License-Identifier: Apache-2.0 */

/* Claims, renews and releases the lock with two scripts. */

#include <config.h>

#include "orchd/db/owner.h"

#include <hiredis/hiredis.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/db/link.h"
#include "orchd/db/refusals.h"
#include "process/log.h"
#include "process/loop.h"
#include "process/process_id.h"
#include "process/wallclock.h"

/* Arguments: id, time to live in ms, the id that may be replaced ("*": any),
 * channel, then the hash.  Answers with the time to live and hash of another
 * holder, or with an empty list: the lock is ours. */
static const char claim_script[] =
    "local id = redis.call('HGET', KEYS[1], 'id')\n"
    "if id and id ~= ARGV[1] and ARGV[3] ~= '*' and ARGV[3] ~= id then\n"
    "  local holder = redis.call('HGETALL', KEYS[1])\n"
    "  table.insert(holder, 1, tostring(redis.call('PTTL', KEYS[1])))\n"
    "  return holder\n"
    "end\n"
    "if id ~= ARGV[1] then\n"
    "  redis.call('DEL', KEYS[1])\n"
    "  redis.call('HSET', KEYS[1], unpack(ARGV, 5))\n"
    "  redis.call('PUBLISH', ARGV[4], ARGV[1])\n"
    "end\n"
    "redis.call('PEXPIRE', KEYS[1], ARGV[2])\n"
    "return {}\n";

static const char release_script[] =
    "if redis.call('HGET', KEYS[1], 'id') == ARGV[1] then\n"
    "  redis.call('DEL', KEYS[1])\n"
    "end\n";

/* How long after its expiry orchd looks for a lock again. */
#define MARGIN_MS 50

struct owner {
    struct loop *loop;
    struct log *log;
    struct owner_options options;
    struct owner_listener listener;
    struct link *link; /* NULL: not connected. */
    struct timer timer;
    char id[PROCESS_ID_SIZE];
    char since[WALLCLOCK_SIZE];
    bool held;      /* This process has held the lock. */
    bool confirmed; /* ... and does on this connection. */
    bool waited;    /* A holder that cannot be seen had time to renew. */
    bool warned;    /* The log says that the script is refused. */
};

/* A holder of the lock, as its hash describes it.  The strings are borrowed. */
struct holder {
    const char *id, *host, *pid, *control, *since;
    long long ttl_ms; /* Negative: it does not expire. */
};

static void on_claimed(void *owner_, redisReply *reply);

/* Sends the claim; replaces the lock of 'replaced', "" for none. */
static void
claim(struct owner *owner, const char *replaced)
{
    struct link_args args = {0};
    char ttl[32], pid[32], host[65] = "";
    const char *control = owner->options.control;

    if (gethostname(host, sizeof host)) {
        host[0] = '\0';
    }
    host[sizeof host - 1] = '\0';
    text_format(ttl, sizeof ttl, "%" PRId64, OWNER_TTL_NS / 1000000);
    text_format(pid, sizeof pid, "%ld", (long)getpid());
    const char *const words[] = {
        "EVAL",    claim_script, "1",       OWNER_KEY,
        owner->id, ttl,          replaced,  OWNER_CHANNEL,
        "id",      owner->id,    "host",    host,
        "pid",     pid,          "control", control ? control : "",
        "since",   owner->since};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        link_arg(&args, words[i]);
    }
    link_send_args(owner->link, owner->options.database, &args, on_claimed,
                   owner);
    link_args_fini(&args);
}

static void
set_timer(struct owner *owner, int64_t delay_ns)
{
    timeline_set(loop_timeline(owner->loop), &owner->timer,
                 loop_now(owner->loop) + delay_ns);
}

static void
on_timer(struct timer *timer, int64_t when)
{
    (void)when;
    owner_renew(timer->owner);
}

/* This process holds the lock, or works without it. */
static void
confirm(struct owner *owner)
{
    set_timer(owner, OWNER_RENEW_NS);
    owner->waited = false;
    if (!owner->confirmed) {
        owner->confirmed = true;
        owner->listener.held(owner->listener.context);
    }
}

/* Reads the answer about another holder. */
static void
read_holder(const redisReply *reply, struct holder *holder)
{
    const struct {
        const char *name;
        const char **value;
    } fields[] = {{"id", &holder->id},
                  {"host", &holder->host},
                  {"pid", &holder->pid},
                  {"control", &holder->control},
                  {"since", &holder->since}};

    *holder = (struct holder){"", "?", "?", "", "?", -1};
    if (reply->element[0]->str) {
        holder->ttl_ms = strtoll(reply->element[0]->str, NULL, 10);
    }
    for (size_t i = 1; i + 1 < reply->elements; i += 2) {
        const char *name = reply->element[i]->str;
        const char *value = reply->element[i + 1]->str;

        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
            if (name && value && !strcmp(name, fields[k].name)) {
                *fields[k].value = value;
            }
        }
    }
}

/* Reports that 'holder' has the lock.  The listener detaches the link. */
static void
refuse(struct owner *owner, const struct holder *holder)
{
    char who[192];
    struct err err;

    text_format(who, sizeof who,
                "process %s on host %s, since %s, control socket %s",
                holder->pid, holder->host, holder->since,
                *holder->control ? holder->control : "unknown");
    if (owner->held) {
        err_set(&err, ST_BUSY, "owner-lost",
                "another orchd has taken %s over: %s; this one stops, so that "
                "only one writes",
                owner->options.name, who);
        err_set_remedy(&err, "decide which of the two is to run, and end the "
                             "other");
    } else {
        err_set(&err, ST_BUSY, "owner-held", "another orchd works on %s: %s",
                owner->options.name, who);
        err_set_remedy(&err, "end it first, or use another Redis; "
                             "--force-owner takes Redis over from it, and it "
                             "then stops");
    }
    owner->held = false;
    owner->listener.lost(owner->listener.context, &err);
}

/* Another process has the lock. */
static void
meet(struct owner *owner, const struct holder *holder)
{
    const enum process_life life = process_id_life(holder->id);
    /* Who holds it set no more; Redis may answer anything. */
    const long long wait_ms = holder->ttl_ms < OWNER_TTL_NS / 1000000
                                  ? holder->ttl_ms
                                  : OWNER_TTL_NS / 1000000;

    if (life == PROCESS_ENDED) {
        log_write(owner->log, LOG_INFO, "owner-ended", owner->options.name,
                  "process %s, which had the lock, has ended; orchd takes the "
                  "lock",
                  holder->pid);
        claim(owner, holder->id);
    } else if (life == PROCESS_UNKNOWN && !owner->held && !owner->waited &&
               holder->ttl_ms > 0) {
        owner->waited = true;
        log_write(owner->log, LOG_WARN, "owner-wait", owner->options.name,
                  "process %s on host %s has the lock; orchd waits %lld ms "
                  "for it to be renewed or to expire",
                  holder->pid, holder->host, wait_ms);
        set_timer(owner, (wait_ms + MARGIN_MS) * 1000000);
    } else {
        refuse(owner, holder);
    }
}

/* The answer to a claim. */
static void
on_claimed(void *owner_, redisReply *reply)
{
    struct owner *owner = owner_;
    struct holder holder;

    if (!reply || !owner->link) {
        return;
    }
    if (reply->type == REDIS_REPLY_ARRAY && !reply->elements) {
        owner->held = true;
        owner->options.force = false;
        owner->warned = false;
        confirm(owner);
    } else if (reply->type == REDIS_REPLY_ARRAY) {
        read_holder(reply, &holder);
        meet(owner, &holder);
    } else if (reply->str && refusals_is_loading(reply->str)) {
        owner->listener.loading(owner->listener.context, reply->str);
    } else {
        if (!owner->warned) {
            owner->warned = true;
            log_write(owner->log, LOG_WARN, "owner-unlocked",
                      owner->options.name,
                      "Redis refuses the lock (%s); orchd works without it, so "
                      "make sure that no other orchd uses this Redis",
                      reply->str ? reply->str : "unexpected answer");
        }
        confirm(owner);
    }
}

struct owner *
owner_create(struct loop *loop, struct log *log,
             const struct owner_options *options,
             const struct owner_listener *listener)
{
    struct owner *owner = check_calloc(1, sizeof *owner);

    owner->loop = loop;
    owner->log = log;
    owner->options = *options;
    owner->listener = *listener;
    owner->timer.fire = on_timer;
    owner->timer.owner = owner;
    process_id_own(owner->id);
    wallclock_format(loop_wall(loop), owner->since);
    return owner;
}

void
owner_destroy(struct owner *owner)
{
    if (owner) {
        timeline_cancel(loop_timeline(owner->loop), &owner->timer);
        free(owner);
    }
}

void
owner_attach(struct owner *owner, struct link *link)
{
    owner->link = link;
    owner->confirmed = false;
    owner->waited = false;
    timeline_cancel(loop_timeline(owner->loop), &owner->timer);
    owner_renew(owner);
}

void
owner_renew(struct owner *owner)
{
    if (owner->link) {
        claim(owner, owner->options.force ? "*" : "");
    }
}

void
owner_release(struct owner *owner)
{
    struct link_args args = {0};
    const char *const words[] = {"EVAL", release_script, "1", OWNER_KEY,
                                 owner->id};

    if (!owner->link || !owner->held) {
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        link_arg(&args, words[i]);
    }
    link_send_args(owner->link, owner->options.database, &args, NULL, NULL);
    link_args_fini(&args);
    owner->held = false;
}
