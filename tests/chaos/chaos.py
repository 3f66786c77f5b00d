#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks a running orchd and what it depends on, and compares the end with an
orchd that has seen none of it.

    chaos.py [--minutes N] [--rounds N] [--seed S] [--events KIND,...] [--keep DIR]

A round has a seed of its own.  It starts a Redis, softasicd and orchd, writes
a configuration, and then mixes random writes (churn.py) with events: processes
are killed or stopped, connections stall or are cut, disks fill up, Redis
refuses writes or loses data, the time of day jumps.  At the end everything
runs again, and within 30 s

  - the status of each row, the objects in ASIC_DB, and the names in the maps of
    COUNTERS_DB are those of a fresh orchd with the same CONFIG_DB,
  - what the ASIC holds, read back, is what orchd has set ("config diff"),
  - and another orchd that starts on this switch finds nothing to do.

Rounds have the seeds S, S + 1, ...  Without --seed they continue where the last
call in the same directory ended (chaos.next).  A round that fails leaves its
directory, with logs and the record of SAI calls, in DIR/SEED (chaos.failed).

Writes and events depend on the seed alone; how they meet in time does not, so a
failure may need its seed more than once:  chaos.py --seed S --rounds 20 --same
"""

import argparse
import collections
import glob
import os
import random
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "integration"))
os.environ["ORCHD_TEST_REMOTE"] = "yes"
# pylint: disable=wrong-import-position
import churn  # noqa: E402  (the path is set above)
import harness  # noqa: E402
from harness import (ASIC_DB, CONFIG_DB, COUNTERS_DB, STATE_DB,  # noqa: E402
                     as_commands, asic_objects, rows_of)

EXAMPLE = os.path.join(harness.SOURCE, "examples",
                       "leaf-32x100g.config_db.json")
ADOPTED = re.compile(r"switch-adopted .* created (\d+), set (\d+) and removed "
                     r"(\d+)")
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
DEADLINE_S = 20

# Lets time pass while processes are stopped: that is what is tried here.
NEVER = threading.Event()

# Fields of a status that tell of the past.
HISTORY = ("updated", "generation", "attempts")


class Failure(Exception):
    """The end of a round is not what it should be."""


class Proxy(threading.Thread):
    """Stands between orchd and Redis, and can stall or cut all connections."""

    def __init__(self, path, target):
        super().__init__(daemon=True)
        self.target = target
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(64)
        self.peers = {}
        self.stalled = False
        self.ended = False
        self.cut_asked = False

    def forget(self, end):
        other = self.peers.pop(end, None)
        self.peers.pop(other, None)
        for side in (end, other):
            if side:
                side.close()

    def accept(self):
        client, _ = self.listener.accept()
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self.target)
        except OSError:
            client.close()
            server.close()
            return
        self.peers[client], self.peers[server] = server, client

    def pass_on(self, end):
        try:
            data = end.recv(65536)
            if data:
                self.peers[end].sendall(data)
        except OSError:
            data = b""
        if not data:
            self.forget(end)

    def run(self):
        while not self.ended:
            if self.cut_asked:
                self.cut_asked = False
                for end in list(self.peers):
                    self.forget(end)
            if self.stalled:
                NEVER.wait(0.01)
                continue
            ready, _, _ = select.select([self.listener, *self.peers], [], [],
                                        0.05)
            for end in ready:
                if end is self.listener:
                    self.accept()
                elif end in self.peers:
                    self.pass_on(end)

    def end(self):
        self.ended = True
        self.join()
        for end in list(self.peers):
            self.forget(end)
        self.listener.close()


def defaults():
    """Each attribute with its default, as ASIC_DB shows it, from the tables of
    the SAI headers."""
    found = set()
    for path in glob.glob(os.path.join(harness.SOURCE, "sai", "include",
                                       "object", "*.def")):
        with open(path, encoding="utf-8") as file:
            rows = file.read().split("SAI_ATTR(")[1:]
        for row in rows:
            value = re.search(r"\bDEFAULT\((\w+)\)", row)
            if value:
                found.add((row.split(",")[0], value[1]))
    return found


# What orchd resets is as if nobody had ever set it.
DEFAULTS = defaults()


def picture(objects):
    """What the objects of ASIC_DB are, without their ids: lines, sorted.  What
    an attribute is by default may have been set or not."""
    def telling(row):
        return sorted((key, value) for key, value in row.items()
                      if value not in ("oid:0x0", "0:null", "NULL")
                      and (key, value) not in DEFAULTS)

    def name(oid):
        kind, row = objects.get(oid, ("?", {}))
        own = ", ".join(f"{key}={value}" for key, value in telling(row)
                        if "oid:" not in value)
        return f"{kind}{{{own}}}"

    lines = []
    for kind, row in objects.values():
        words = [f"{key}=" + re.sub("oid:0x[0-9a-f]+",
                                    lambda oid: name(oid[0]), value)
                 for key, value in telling(row)]
        if words:
            lines.append(f"{kind} " + ", ".join(words))
    return sorted(lines)


class Bench(harness.System):
    """The processes of a round: a Redis that keeps its data, softasicd, and
    orchd, which reaches Redis through a proxy."""

    MODEL = None
    HWSKU = "Celestica-DX010-C32"

    def runTest(self):  # unittest wants one; rounds are no tests of it.
        pass

    def __init__(self, chaotic):
        super().__init__()
        self.chaotic = chaotic
        self.directory = None
        self.proxy = None

    def open(self):
        self.setUp()
        self.record = os.path.join(self.directory, "sai.record")
        self.clock = os.path.join(self.directory, "clock")
        self.jump(0)

    def close(self):
        if self.proxy:
            self.proxy.end()
        for process in (self.orchd_process, self.redis_process,
                        self.host_process):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        for client in self.clients:
            client.close()

    # Redis.

    def begin_redis(self):
        self.redis_process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket,
             "--save", "", "--appendonly", "yes", "--appendfsync", "no",
             "--dir", self.directory, "--notify-keyspace-events", "AKE"],
            stdout=subprocess.DEVNULL, restore_signals=False)
        client = self.client()
        if self.chaotic and not self.proxy:
            path = os.path.join(self.directory, "proxy.sock")
            self.proxy = Proxy(path, self.socket)
            self.proxy.start()
        return client

    # orchd.

    def environment(self):
        environment = dict(os.environ)
        if self.chaotic and os.path.exists(FAKETIME):
            environment.update({
                "LD_PRELOAD": FAKETIME, "DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_TIMESTAMP_FILE": self.clock,
                "FAKETIME_CACHE_DURATION": "1"})
        return environment

    def jump(self, seconds):
        """Sets the time of day of orchd to so much from the real one."""
        with open(self.clock + ".new", "w", encoding="ascii") as file:
            file.write(f"{seconds:+d}s\n")
        os.rename(self.clock + ".new", self.clock)

    def begin_orchd(self):
        options = ["--set", "audit_seconds=2", "--set", "drift_seconds=5",
                   "--set", "repair=on"]
        redis = None
        if self.chaotic:
            options += ["--state-dir", self.directory, "--record", self.record]
            redis = "unix:" + os.path.join(self.directory, "proxy.sock")
        command = self.command(*options, redis=redis, remote=self.chaotic)
        self.n_logs = getattr(self, "n_logs", 0) + 1
        self.log = os.path.join(self.directory, f"orchd.{self.n_logs}.log")
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                command, stderr=log, env=self.environment(),
                restore_signals=False)

    def ask(self, noun, verb, **arguments):
        """An answer of orchd, None while it does not serve."""
        try:
            return self.control(noun, verb, **arguments)
        except (OSError, ValueError):
            return None

    def check_alive(self):
        for name, process in (("orchd", self.orchd_process),
                              ("softasicd", self.host_process)):
            if process and process.poll() is not None:
                raise Failure(f"{name} has ended with {process.returncode}")

    # What there is to compare.

    def view(self, client):
        """What orchd has published: statuses, objects, names."""
        statuses = {
            key: {name: value for name, value in row.items()
                  if name not in HISTORY}
            for key, row in client.hashes(STATE_DB, "ORCHD_STATUS|*").items()}
        names = {key: sorted(row) for key, row in client.hashes(
            COUNTERS_DB, "COUNTERS_*_MAP").items()}
        objects = asic_objects(client)
        port_oids = client.hash(COUNTERS_DB, "COUNTERS_PORT_NAME_MAP").values()
        return {"status": statuses, "ASIC_DB": picture(objects),
                "names": names,
                "unknown ports": sorted(set(port_oids) - set(objects))}


def named(what, counts):
    """The first few of several objects, equal ones only once."""
    lines = [f"{what}: {n} x {x}" for x, n in counts.most_common(6)]
    if len(counts) > 6:
        lines.append(f"{what}: and {len(counts) - 6} other kinds")
    return lines


def difference(wanted, found):
    """Says where two views differ; "" if they do not."""
    lines = []
    for part, value in wanted.items():
        other = found[part]
        if value == other:
            continue
        if isinstance(value, dict):
            for key in sorted(set(value) | set(other)):
                if value.get(key) != other.get(key):
                    lines.append(f"{part} {key}: fresh {value.get(key)}, "
                                 f"found {other.get(key)}")
        else:
            wanted_of, found_of = map(collections.Counter, (value, other))
            lines += named(f"{part}: only fresh", wanted_of - found_of)
            lines += named(f"{part}: only found", found_of - wanted_of)
    return "\n".join(line[:600] for line in lines[:24])


# Events: each takes a round and leaves everything running.

def kill_orchd(this):
    this.bench.orchd_process.kill()
    this.bench.orchd_process.wait()
    this.n_kills += 1
    this.churn(10)
    this.bench.begin_orchd()


def end_orchd(this):
    this.bench.orchd_process.send_signal(signal.SIGTERM)
    status = this.bench.orchd_process.wait(DEADLINE_S)
    # Before it has started, it has no handler of signals.
    if status and (status != -signal.SIGTERM
                   or "started" in this.bench.log_text()):
        raise Failure(f"orchd ends with {status} after SIGTERM")
    this.churn(10)
    this.bench.begin_orchd()


def kill_redis(this):
    this.bench.redis_process.kill()
    this.bench.redis_process.wait()
    this.n_kills += 1
    this.pause(0.3)
    this.client = this.bench.begin_redis()


def kill_host(this):
    this.n_kills += 1
    this.bench.start_host()


def stop(name):
    """Stops a process for a while."""
    def event(this):
        process = getattr(this.bench, name)
        process.send_signal(signal.SIGSTOP)
        if name != "redis_process":
            this.churn(30)
        this.pause(1.5)
        process.send_signal(signal.SIGCONT)
    return event


def stall(this):
    this.bench.proxy.stalled = True
    this.churn(30)
    this.pause(1.5)
    this.bench.proxy.stalled = False


def stall_long(this):
    """So long that orchd gives the connection up."""
    this.bench.proxy.stalled = True
    this.churn(30)
    NEVER.wait(6.5)
    this.bench.proxy.stalled = False


def cut(this):
    this.bench.proxy.cut_asked = True


def fill_disk(this):
    """No file of orchd or Redis may grow, for a while."""
    pids = [this.bench.orchd_process.pid, this.bench.redis_process.pid]
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE,
                         (4096, resource.RLIM_INFINITY))
    this.churn(20)
    this.pause(0.5)
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
    # Redis may have lost writes that it had accepted: what counts is what it
    # has now.


def fill_memory(this):
    this.client("CONFIG", "SET", "maxmemory", "1")
    this.churn(20)
    this.pause(0.5)
    this.client("CONFIG", "SET", "maxmemory", "0")


def jump_clock(this):
    this.bench.jump(this.random.choice((-86400, -30, 30, 86400, 4000000)))
    this.churn(10)


def lose_answers(this):
    for number, pattern in ((STATE_DB, "ORCHD_STATUS|*"),
                            (ASIC_DB, "ASIC_STATE:*")):
        for key in this.client.keys(number, pattern)[::7]:
            this.client.on(number, "DEL", key)


def flush_others(this):
    for number in (STATE_DB, ASIC_DB, COUNTERS_DB):
        this.client.on(number, "FLUSHDB")


def flush_all(this):
    """Empties Redis, and writes its configuration again."""
    rows = this.rows_now()
    this.client("FLUSHALL")
    this.pause(0.3)
    this.write(as_commands(rows)[1:])
    this.write([("SET", "CONFIG_DB_INITIALIZED", "1")])


def silence(this):
    this.client("CONFIG", "SET", "notify-keyspace-events", "")
    this.churn(20)
    this.pause(0.2)


EVENTS = {
    "kill-orchd": (4, kill_orchd), "end-orchd": (2, end_orchd),
    "kill-redis": (2, kill_redis), "kill-host": (1, kill_host),
    "stop-orchd": (1, stop("orchd_process")),
    "stop-redis": (1, stop("redis_process")),
    "stop-host": (1, stop("host_process")),
    "stall": (1, stall), "stall-long": (0.2, stall_long), "cut": (2, cut),
    "fill-disk": (1, fill_disk), "fill-memory": (1, fill_memory),
    "jump-clock": (1, jump_clock), "lose-answers": (1, lose_answers),
    "flush-others": (1, flush_others), "flush-all": (0.5, flush_all),
    "silence": (1, silence),
}


class Round:
    """One round with one seed."""

    def __init__(self, seed, kinds):
        self.seed = seed
        self.random = random.Random(seed)
        self.kinds = kinds
        self.n_kills = 0
        self.done = []
        self.bench = Bench(True)
        self.fresh = Bench(False)
        self.client = None

    def write(self, commands):
        """Writes to CONFIG_DB; Redis may refuse, or be away."""
        try:
            self.client.pipeline([("SELECT", CONFIG_DB)] + commands)
        except harness.RedisError:
            pass

    def churn(self, most):
        self.write(churn.batch(self.random, most))

    def pause(self, most):
        NEVER.wait(self.random.uniform(0, most))

    def rows_now(self):
        rows = {}
        for key in self.client.keys(CONFIG_DB, "*|*"):
            rows[key] = self.client.hash(CONFIG_DB, key)
        return rows

    def begin(self):
        self.bench.open()
        self.client = self.bench.begin_redis()
        self.bench.start_host()
        rows = rows_of(EXAMPLE)
        self.write(as_commands(rows)[1:] +
                   [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.bench.begin_orchd()

    def storm(self):
        """Events and writes, mixed."""
        names = list(self.kinds)
        weights = [EVENTS[name][0] for name in names]
        for _ in range(self.random.randint(3, 8)):
            for _ in range(self.random.randint(0, 4)):
                self.churn(self.random.choice((1, 5, 40)))
                self.pause(0.15)
            name = self.random.choices(names, weights)[0]
            self.done.append(name)
            EVENTS[name][1](self)
            self.bench.check_alive()

    def begin_fresh(self, rows):
        """Starts an orchd that sees only the end."""
        self.fresh.open()
        client = self.fresh.begin_redis()
        client.pipeline(as_commands(rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.fresh.begin_orchd()
        harness.wait_until(lambda: self.fresh.ask("config", "sync"),
                           "a fresh orchd")
        return client

    def await_equal(self, client, what):
        """Waits until both orchds have published the same."""
        deadline = time.monotonic() + DEADLINE_S
        while True:
            self.bench.check_alive()
            self.bench.ask("config", "sync")
            self.fresh.ask("config", "sync")
            text = difference(self.fresh.view(client),
                              self.bench.view(self.client))
            if not text:
                return
            if time.monotonic() > deadline:
                raise Failure(f"{what}:\n{text}")
            NEVER.wait(0.1)

    def unapplied(self, client):
        """Rows of CONFIG_DB that the fresh orchd has not applied, and those
        that keep it from applying derived rows.  A row whose object others
        still use is not at fault, if there is another one."""
        self.fresh.ask("config", "sync")
        statuses = {key.split("|", 1)[1]: row for key, row in client.hashes(
            STATE_DB, "ORCHD_STATUS|*").items()}
        rows = [key for key, row in statuses.items()
                if row.get("state") not in ("applied", "shadowed")]
        seen, found, in_use = set(rows), [], []
        for row in rows:  # It grows.
            status = statuses.get(row, {})
            if client.on(CONFIG_DB, "EXISTS", row):
                (in_use if status.get("code") == "in-use"
                 else found).append(row)
                continue
            new = set(status.get("blocked_by", "").split(",")) - seen
            seen |= new
            rows += sorted(new)
        return found or in_use

    def complete(self, client):
        """Makes a configuration of which all is applied: of a rejected row stays
        in force what it was before, and a removed one while others use it,
        which a fresh orchd does not know."""
        rows, begin = self.rows_now(), rows_of(EXAMPLE)
        missing = as_commands({
            row: {name: value for name, value in fields.items()
                  if name not in rows.get(row, {})}
            for row, fields in begin.items()
            if row not in rows or row.startswith("PORT|")
            and set(fields) - set(rows[row])})
        for redis in (client, self.client):
            redis.pipeline(missing)
        while True:
            rows = self.unapplied(client)
            if not rows:
                return
            # First to what they were in the beginning; if they are: away.
            commands = [("DEL", row) for row in rows] + as_commands(
                {row: begin.pop(row) for row in rows if row in begin})
            for redis in (client, self.client):
                redis.pipeline([("SELECT", CONFIG_DB)] + commands)

    def check_asic(self):
        """What the ASIC holds is what orchd has set, if it was accepted."""
        answer = self.bench.ask("config", "diff")
        found = answer and [item for item in answer["data"]["differences"]
                            if "refused" not in item]
        if found != []:
            raise Failure(f"config diff: {str(found or answer)[:2000]}")

    def check_restart(self):
        """The next orchd finds nothing to do."""
        self.bench.orchd_process.kill()
        self.bench.orchd_process.wait()
        self.n_kills += 1
        self.bench.begin_orchd()
        adopted = harness.wait_until(
            lambda: ADOPTED.search(self.bench.log_text()),
            "the next orchd has taken the switch over")
        if set(adopted.groups()) != {"0"}:
            raise Failure("the next orchd " + adopted.group().split(" ", 1)[1])

    def settle(self):
        self.bench.jump(0)
        self.client("CONFIG", "SET", "notify-keyspace-events", "AKE")
        self.write([("SET", "CONFIG_DB_INITIALIZED", "1")])

    def run(self):
        try:
            self.begin()
            self.storm()
            self.settle()
            client = self.begin_fresh(self.rows_now())
            self.complete(client)
            self.await_equal(client, "after the storm")
            self.check_asic()
            self.check_restart()
            self.await_equal(client, "after a last restart")
        finally:
            self.bench.close()
            if self.fresh.directory:
                self.fresh.close()
                shutil.rmtree(self.fresh.directory, ignore_errors=True)

    def keep(self, directory, why):
        """Leaves what there is of a failed round."""
        place = os.path.join(directory, str(self.seed))
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(
            self.bench.directory, place,
            ignore=lambda top, names: [
                name for name in names if name.endswith(".sock")])
        with open(os.path.join(place, "why"), "w", encoding="utf-8") as file:
            file.write(f"seed {self.seed}: {', '.join(self.done)}\n{why}\n")
        return place


def run_round(seed, kinds, keep):
    """Runs one round.  Returns its kills, and whether it is good."""
    begun = time.monotonic()
    this = Round(seed, kinds)
    why = None
    try:
        this.run()
    except (Failure, AssertionError, OSError, harness.RedisError) as error:
        why = f"{type(error).__name__}: {error}"
    took = time.monotonic() - begun
    print(f"seed {seed} {'FAILED' if why else 'good'} {took:.1f} s: "
          f"{', '.join(this.done)}", flush=True)
    if why:
        print(why, flush=True)
        print("kept in " + this.keep(keep, why), flush=True)
    shutil.rmtree(this.bench.directory, ignore_errors=True)
    return this.n_kills, not why


def options():
    parser = argparse.ArgumentParser(description="Breaks a running orchd.")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--same", action="store_true",
                        help="each round has the same seed")
    parser.add_argument("--events", default=",".join(EVENTS),
                        help="only these, of: " + ", ".join(EVENTS))
    parser.add_argument("--keep", default="chaos.failed")
    chosen = parser.parse_args()
    chosen.kinds = [name for name in chosen.events.split(",") if name]
    for name in chosen.kinds:
        if name not in EVENTS:
            parser.error(f"there is no event '{name}'; there are: "
                         + ", ".join(EVENTS))
    return chosen


def main():
    chosen = options()
    seed = chosen.seed
    # So that the processes of a round end with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    if seed is None:
        seed = 1
        if os.path.exists("chaos.next"):
            with open("chaos.next", encoding="ascii") as file:
                seed = int(file.read())
    end = time.monotonic() + chosen.minutes * 60
    n_rounds = n_kills = n_bad = 0
    while (n_rounds < chosen.rounds if chosen.rounds
           else n_rounds == 0 or time.monotonic() < end):
        kills, good = run_round(seed, chosen.kinds, chosen.keep)
        n_rounds += 1
        n_kills += kills
        n_bad += not good
        if not chosen.same:
            seed += 1
            with open("chaos.next", "w", encoding="ascii") as file:
                file.write(str(seed))
    print(f"{n_rounds} round{'s' * (n_rounds != 1)}, {n_kills} kills, "
          f"{n_bad} with a difference; the next seed is {seed}")
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
