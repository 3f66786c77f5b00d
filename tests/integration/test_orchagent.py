# SPDX-License-Identifier: Apache-2.0
"""output=orchagent: orchd in the place of buffermgrd, beside a stand-in for
orchagent, syncd and the switch (tests/support/orchagent_double.py).

ORCHAGENT_SEEDS=n runs the first n orders of delays, failures and restarts;
ORCHAGENT_SEED=n runs only that one.
"""

import concurrent.futures
import glob
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import unittest

from harness import (APPL_DB, ASIC_DB, CONFIG_DB, COUNTERS_DB, ORCHD,
                     PATIENCE_S, SOURCE, STATE_DB, System, as_commands,
                     asic_picture, not_beside, once, rows_of, wait_until)

from test_cli import HERMETIC, ORCHCTL
from test_dynamic import ASIC_TABLE, CONFIG as DYNAMIC

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from orchagent_double import TABLES, Double, bare  # noqa: E402

setUpModule = not_beside("it is in this mode already")

EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
GIVEN = os.path.join(SOURCE, "..", "shared", "data", "config_db")

N_PORTS = 4

# A switch of few ports on which nothing is derived, so that each row says all.
SMALL = {
    "DEVICE_METADATA|localhost": {"hwsku": "none", "hostname": "small"},
    **{f"PORT|Ethernet{4 * i}": {
        "lanes": ",".join(str(4 * i + k + 1) for k in range(4)),
        "speed": "100000", "mtu": "9100", "admin_status": "up"}
       for i in range(N_PORTS)},
    "BUFFER_POOL|in": {"type": "ingress", "mode": "dynamic",
                       "size": "10000000"},
    "BUFFER_POOL|out": {"type": "egress", "mode": "dynamic",
                        "size": "10000000"},
    "BUFFER_PROFILE|lossless": {"pool": "in", "size": "1248", "xon": "2288",
                                "xoff": "35776", "dynamic_th": "0"},
    "BUFFER_PROFILE|lossy": {"pool": "in", "size": "0", "dynamic_th": "3"},
    "BUFFER_PROFILE|q": {"pool": "out", "size": "1518", "dynamic_th": "3"},
    "DSCP_TO_TC_MAP|AZURE": {"3": "3", "4": "4", "8": "0"},
    "SCHEDULER|scheduler.0": {"type": "DWRR", "weight": "14"},
    "WRED_PROFILE|AZURE": {
        "wred_green_enable": "true", "green_min_threshold": "250000",
        "green_max_threshold": "2097152", "green_drop_probability": "5",
        "ecn": "ecn_all"},
}
for port in range(N_PORTS):
    name = f"Ethernet{4 * port}"
    SMALL |= {
        f"BUFFER_PG|{name}|0": {"profile": "lossy"},
        f"BUFFER_PG|{name}|3-4": {"profile": "lossless"},
        f"BUFFER_QUEUE|{name}|0-2": {"profile": "q"},
        f"BUFFER_PORT_INGRESS_PROFILE_LIST|{name}":
            {"profile_list": "lossless,lossy"},
        f"BUFFER_PORT_EGRESS_PROFILE_LIST|{name}": {"profile_list": "q"},
        f"PORT_QOS_MAP|{name}": {"dscp_to_tc_map": "AZURE",
                                 "pfc_enable": "3,4"},
        f"QUEUE|{name}|3": {"scheduler": "scheduler.0",
                            "wred_profile": "AZURE"},
    }

# The keys that orchd may write; everything else is another program's.
OWNED = {
    APPL_DB: re.compile("_?(%s)_TABLE(_KEY_SET|_DEL_SET|:.*)" %
                        "|".join(TABLES)),
    STATE_DB: re.compile(r"ORCHD_.*|BUFFER_(POOL|PROFILE)_TABLE\|.*"),
    5: re.compile("FLEX_COUNTER_(GROUP_)?TABLE"
                  "(_KEY_VALUE_OP_QUEUE|:ORCHD_.*)"),
}


def ports_of(config):
    return {key.partition("|")[2]: row for key, row in config.items()
            if key.startswith("PORT|")}


def of_buffermgrd(config, lookup):
    """What buffermgrd publishes for a configuration of the traditional model,
    worked out from its rows: references without brackets, and the lossless
    profile of the vendor's table for the speed and cable of each port that is
    up and has pfc_enable."""
    rows = {}
    for row, fields in config.items():
        if row.partition("|")[0] in TABLES:
            rows[row.replace("|", ":")] = {
                name: ",".join(map(bare, value.split(",")))
                if name in ("pool", "profile", "profile_list") else value
                for name, value in fields.items()}
    cables = {port: cable for row, fields in config.items()
              if row.startswith("CABLE_LENGTH|")
              for port, cable in fields.items()}
    for port, cable in cables.items():
        speed = config["PORT|" + port]["speed"]
        found = lookup.get(f"{speed}|{cable}")
        if (found and config["PORT|" + port]["admin_status"] == "up" and
                "pfc_enable" in config.get("PORT_QOS_MAP|" + port, {})):
            name = f"pg_lossless_{speed}_{cable}_profile"
            rows[f"BUFFER_PG:{port}:3-4"] = {"profile": name}
            rows["BUFFER_PROFILE:" + name] = {
                "pool": "ingress_lossless_pool",
                **{"dynamic_th" if key == "threshold" else key: value
                   for key, value in found.items()}}
    return rows


@once
class HowTo(System):
    """What docs/howto/on-sonic.md shows."""

    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "docs", "howto", "on-sonic.md"),
                  encoding="utf-8") as file:
            self.page = file.read()

    def block(self, first):
        """The lines of the code block that begins with 'first'."""
        lines = self.page.splitlines()
        start = next(i for i, line in enumerate(lines)
                     if line.strip().startswith(first))
        indent = lines[start][:-len(lines[start].lstrip())]
        block = itertools.takewhile(
            lambda line: not line or line.startswith(indent), lines[start:])
        return textwrap.dedent("\n".join(block)) + "\n"

    @unittest.skipUnless(shutil.which("systemd-analyze"),
                         "systemd-analyze is not installed")
    def test_the_unit_is_valid(self):
        paths = [os.path.join(self.directory, name + ".service")
                 for name in ("swss", "orchd-stops-buffermgrd")]
        for path, text in zip(paths, (
                "[Service]\nExecStart=/bin/true\n",
                self.block("[Unit]"))):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.assertIn("WantedBy=swss.service", text)
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", *paths],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        # It may also complain about units of this machine.
        self.assertNotIn("orchd-stops-buffermgrd", done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(paths[1], "a", encoding="utf-8") as file:
            file.write("[Service]\nKind=oneshot\n")
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", *paths],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertIn("Kind", done.stderr)

    def test_settings_and_options_are_accepted(self):
        path = os.path.join(self.directory, "orchd.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.block("output = orchagent"))
        command = self.block("docker run -d").replace("\\\n", " ").split()
        options = command[command.index("orchd:0.1.0") + 1:]
        self.assertIn("output=orchagent", options)
        for words in (["--config", path], options):
            done = subprocess.run(
                [ORCHD, "--yang-dir", os.path.join(SOURCE, "schemas"), *words,
                 "--check-config"], capture_output=True, text=True, timeout=PATIENCE_S,
                check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_commands_of_orchctl(self):
        """Each one on the page, beside the stand-in."""
        client = self.start_redis()
        client.pipeline(as_commands(rows_of(EXAMPLE)) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_double()
        self.wait_double()
        self.start_orchd_only("--set", "output=orchagent")
        self.wait_log("switch-seen")
        commands = re.findall(r"^ +orchctl (.*)$", self.page, re.M)
        self.assertGreaterEqual(len(commands), 7)
        for command in dict.fromkeys(commands):
            words = command.replace("/etc/sonic/config_db.json",
                                    EXAMPLE).split()
            offline = words[0] == "twin" or EXAMPLE in words
            done = subprocess.run(
                [ORCHCTL, "--control", os.path.join(
                    self.directory, "control.sock"), *words,
                 *(HERMETIC if offline else ())], capture_output=True,
                text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)


class Beside(System):
    """What tests beside the stand-in need."""

    def fill(self, client, config):
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])

    def begin(self, config, *options, seed=None, boot=True, n_queues=10):
        """Starts Redis with 'config', a switch, and orchd."""
        client = self.start_redis()
        self.fill(client, config)
        double = Double(client, ports_of(config), seed, n_queues)
        if boot:
            double.boot()
        self.start_orchd_only("--set", "output=orchagent", *options)
        return client, double

    def sync(self):
        """Waits until orchd has seen what was written before, and judged: the
        first turn learns that a row has changed, the second one what it is.
        orchagent makes steps of its own only in step()."""
        for _ in range(3):
            self.control("config", "sync", seconds=0)

    def states(self, client):
        return {key.partition("|")[2]: row for key, row in
                client.hashes(STATE_DB, "ORCHD_STATUS|*").items()}

    def wait_all(self, client, double, config, but=()):
        """Steps until all rows of 'config' are applied."""
        rows = [row for row in config if "|" in row and row not in but]

        def step():
            double.step()
            states = self.states(client)
            return all(states.get(row, {}).get("state") == "applied"
                       for row in rows)
        try:
            wait_until(step, "all rows are applied")
        except AssertionError as error:
            states = self.states(client)
            raise AssertionError(f"{error}: " + str(
                {row: states.get(row) for row in rows
                 if states.get(row, {}).get("state") != "applied"})) from error

    def consumed(self, client):
        """The fields of each row of APPL_DB after the double has taken it."""
        return {key: client.hash(APPL_DB, key) for table in TABLES
                for key in client.keys(APPL_DB, table + "_TABLE:*")}

    def foreign(self, client):
        """All keys of all databases but those that orchd owns."""
        found = {}
        for number in (APPL_DB, ASIC_DB, COUNTERS_DB, STATE_DB, 5, 14):
            owned = OWNED.get(number)
            for key in client.keys(number, "*"):
                if not (owned and owned.fullmatch(key)):
                    kind = client.on(number, "TYPE", key)
                    found[number, key] = (
                        client.hash(number, key) if kind == "hash" else
                        client.on(number, "DUMP", key))
        return found


@once
class Orchagent(Beside):

    # What is published.

    def pending(self, client):
        """What producers have left: {key: fields, or None for a removal}."""
        rows = {}
        for table in TABLES:
            for key in client.on(APPL_DB, "SMEMBERS", table + "_TABLE_KEY_SET"):
                row = client.hash(APPL_DB, f"_{table}_TABLE:{key}")
                rows[f"{table}:{key}"] = row or None
        return rows

    def test_a_producer_of_all_tables(self):
        client, double = self.begin(SMALL, boot=False)
        expected = {row.replace("|", ":", 1).replace("|", ":"): fields
                    for row, fields in SMALL.items()
                    if row.partition("|")[0] in TABLES}
        wait_until(lambda: self.pending(client) == expected,
                   "all rows are published")
        self.assertEqual(client.keys(APPL_DB, "BUFFER_*_TABLE:*"), [])
        wait_until(lambda: self.status(client, "PORT|Ethernet0").get(
            "code") == "no-switch", "orchd waits for a switch")
        double.boot()
        self.wait_all(client, double, SMALL)

    def watch(self, client):
        """Records the commands that reach Redis from here on; returns a
        function that ends that and returns those of orchd's producer."""
        monitor = self.client()
        monitor("MONITOR")

        def finish():
            client("ECHO", "the end")
            lines = []
            while True:
                line = monitor.read()
                words = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
                if words[:2] == ["ECHO", "the end"]:
                    return lines
                lines.append(words)
        return finish

    def test_only_changes_each_in_one_step(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        finish = self.watch(client)
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|lossless", "xoff", "40000")
        self.sync()
        commands = finish()
        first = commands.index(["SADD", "BUFFER_PROFILE_TABLE_KEY_SET",
                                "lossless"])
        self.assertEqual(commands[first - 1], ["MULTI"])
        self.assertEqual(commands[first + 1][:2],
                         ["HSET", "_BUFFER_PROFILE_TABLE:lossless"])
        self.assertEqual(commands[first + 2:first + 4], [
            ["PUBLISH", "BUFFER_PROFILE_TABLE_CHANNEL@0", "G"], ["EXEC"]])
        self.assertEqual(self.order(commands),
                         [("BUFFER_PROFILE", "lossless")])
        self.assertEqual(
            self.status(client, "BUFFER_PROFILE|lossless")["state"], "waiting")
        self.wait_all(client, double, SMALL)
        self.assertTrue(double.has("BUFFER_PROFILE", {"XOFF_TH": "40000"}))

    def order(self, commands):
        """The tables and keys that were published, in order; once each, as
        orchd publishes again what the double leaves alone."""
        rows = [(words[1].replace("_TABLE_KEY_SET", ""), words[2])
                for words in commands
                if words[0] == "SADD" and words[1].endswith("KEY_SET")]
        return list(dict.fromkeys(rows))

    def test_all_of_a_headroom_changes_at_once(self):
        """orchagent may make the changes in any order: none waits for another
        to be confirmed."""
        client, double = self.begin(SMALL)
        for fields in ({"size": "40000"},
                       {"size": "60000", "xon": "4000", "xoff": "50000"},
                       {"size": "30000", "xon": "2000", "xoff": "20000"}):
            client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|lossless", *[
                word for pair in fields.items() for word in pair])
            self.wait_all(client, double, SMALL)

    def test_both_bounds_of_a_pair_change_at_once(self):
        """A minimum above the maximum of before, and the way back."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        for low, high in ((3000000, 4000000), (1000, 2000)):
            client.pipeline([
                ("SELECT", CONFIG_DB),
                ("HSET", "WRED_PROFILE|AZURE", "green_min_threshold", low,
                 "green_max_threshold", high),
                ("HSET", "SCHEDULER|scheduler.0", "cir", low, "pir", high)])
            self.sync()
            self.wait_all(client, double, SMALL)
            self.assertTrue(double.has("WRED", {
                "GREEN_MIN_THRESHOLD": str(low),
                "GREEN_MAX_THRESHOLD": str(high)}))

    def test_a_redis_that_announces_nothing(self):
        """And orchd may not make it: the switch is read again and again."""
        client = self.start_redis("--notify-keyspace-events", "")
        client("ACL", "SETUSER", "default", "-config")
        self.fill(client, SMALL)
        double = Double(client, ports_of(SMALL))
        double.boot()
        self.start_orchd_only("--set", "output=orchagent",
                              "--set", "audit_seconds=3600")
        self.wait_all(client, double, SMALL)
        for size in ("9000000", "8000000"):
            client.on(CONFIG_DB, "HSET", "BUFFER_POOL|in", "size", size)
            self.sync()
            self.wait_all(client, double, SMALL)
            self.assertTrue(double.has("BUFFER_POOL", {"SIZE": size}))
        self.assertNotIn("redis-missing", self.log_text())

    def test_reductions_come_before_increases(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        finish = self.watch(client)
        client.pipeline([
            ("SELECT", CONFIG_DB), ("MULTI",),
            ("HSET", "BUFFER_PROFILE|lossless", "size", "4000"),
            ("HSET", "BUFFER_PROFILE|q", "size", "1000"),
            ("HSET", "BUFFER_POOL|in", "size", "9000000"),
            ("HSET", "BUFFER_POOL|out", "size", "11000000"),
            ("HSET", "BUFFER_PROFILE|new", "pool", "in", "size", "10",
             "dynamic_th", "1"),
            ("HSET", "BUFFER_PG|Ethernet0|0", "profile", "new"), ("EXEC",)])
        self.sync()
        self.assertEqual(self.order(finish())[:6], [
            ("BUFFER_PROFILE", "q"), ("BUFFER_POOL", "out"),
            ("BUFFER_PROFILE", "new"), ("BUFFER_PG", "Ethernet0:0"),
            ("BUFFER_PROFILE", "lossless"), ("BUFFER_POOL", "in")])

    def test_removals_come_after_referrers(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        finish = self.watch(client)
        gone = [row for row in SMALL if "lossy" in SMALL[row].values()]
        client.pipeline([("SELECT", CONFIG_DB), ("MULTI",)] + [
            ("HSET", f"BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet{4 * i}",
             "profile_list", "lossless") for i in range(N_PORTS)] +
            [("DEL", "BUFFER_PROFILE|lossy", *gone), ("EXEC",)])
        rest = {row: fields for row, fields in SMALL.items()
                if row not in gone and row != "BUFFER_PROFILE|lossy"}
        wait_until(lambda: (double.step(), self.status(
            client, "BUFFER_PROFILE|lossy") == {})[1], "lossy is gone")
        order = self.order(finish())
        self.assertEqual(order[-1], ("BUFFER_PROFILE", "lossy"))
        self.assertEqual(set(order[:-1]), {
            ("BUFFER_PG", f"Ethernet{4 * i}:0") for i in range(N_PORTS)} | {
            ("BUFFER_PORT_INGRESS_PROFILE_LIST", f"Ethernet{4 * i}")
            for i in range(N_PORTS)})
        self.wait_all(client, double, rest)
        self.assertFalse(double.has("BUFFER_PROFILE",
                                    {"RESERVED_BUFFER_SIZE": "0"}))

    def test_a_dropped_headroom_is_published_as_zero(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|in", "xoff", "1000")
        wait_until(lambda: (double.step(), double.has(
            "BUFFER_POOL", {"XOFF_SIZE": "1000"}))[1], "there is a headroom")
        client.on(CONFIG_DB, "HDEL", "BUFFER_POOL|in", "xoff")
        wait_until(lambda: (double.step(), double.has(
            "BUFFER_POOL", {"XOFF_SIZE": "0"}))[1], "it is given up")
        self.wait_all(client, double, SMALL)

    def test_rows_of_a_predecessor(self):
        """What buffermgrd has published stays if it is right, and goes if no
        row asks for it."""
        client = self.start_redis()
        self.fill(client, SMALL)
        client.pipeline([("SELECT", APPL_DB), ("HSET", "BUFFER_POOL_TABLE:old",
                         "type", "ingress", "mode", "dynamic", "size", "1"),
                         ("HSET", "BUFFER_POOL_TABLE:in", *[
                             word for pair in SMALL["BUFFER_POOL|in"].items()
                             for word in pair])])
        self.start_orchd_only("--set", "output=orchagent")
        rows = wait_until(
            lambda: (lambda rows: rows if "BUFFER_POOL:old" in rows else None)(
                self.pending(client)), "the old row is removed")
        self.assertIsNone(rows["BUFFER_POOL:old"])
        self.assertNotIn("BUFFER_POOL:in", rows)
        self.assertIn("BUFFER_POOL:out", rows)

    def test_rows_that_a_predecessor_left_pending(self):
        """What orchagent has not taken yet counts as published: it stays if
        it is right, and is replaced or removed if not."""
        client = self.start_redis()
        self.fill(client, SMALL)

        def words(fields):
            return [word for pair in fields.items() for word in pair]
        lossless = SMALL["BUFFER_PROFILE|lossless"]
        pool = SMALL["BUFFER_POOL|in"]
        client.pipeline([
            ("SELECT", APPL_DB),
            # Right.
            ("SADD", "BUFFER_POOL_TABLE_KEY_SET", "in"),
            ("HSET", "_BUFFER_POOL_TABLE:in", *words(pool)),
            # Right until orchagent takes what is pending.
            ("HSET", "BUFFER_PROFILE_TABLE:lossless", *words(lossless)),
            ("SADD", "BUFFER_PROFILE_TABLE_KEY_SET", "lossless"),
            ("HSET", "_BUFFER_PROFILE_TABLE:lossless", "xoff", "1"),
            # Right until orchagent removes it.
            ("HSET", "BUFFER_PROFILE_TABLE:q",
             *words(SMALL["BUFFER_PROFILE|q"])),
            ("SADD", "BUFFER_PROFILE_TABLE_KEY_SET", "q"),
            ("SADD", "BUFFER_PROFILE_TABLE_DEL_SET", "q"),
            # Not wanted.
            ("SADD", "BUFFER_POOL_TABLE_KEY_SET", "old"),
            ("HSET", "_BUFFER_POOL_TABLE:old", *words(pool))])
        finish = self.watch(client)
        self.start_orchd_only("--set", "output=orchagent")
        wait_until(lambda: self.pending(client).get("BUFFER_POOL:old", 0) is
                   None, "the row that is not wanted is removed")
        self.sync()
        self.assertNotIn(("BUFFER_POOL", "in"), self.order(finish()))
        self.assertIn("4 rows of a previous producer", self.log_text())
        double = Double(client, ports_of(SMALL))
        double.boot()
        self.wait_all(client, double, SMALL)
        expected = {row.replace("|", "_TABLE:", 1).replace("|", ":"): fields
                    for row, fields in SMALL.items()
                    if row.partition("|")[0] in TABLES}
        self.assertEqual(self.consumed(client), expected)

    def test_a_flush_while_the_switch_is_read(self):
        """What was read before a flush, or is read late, does not stay."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        for _ in range(5):
            client.on(STATE_DB, "DEL", "BUFFER_MAX_PARAM_TABLE|Ethernet0")
            double.restart(cold=True)
            client.on(COUNTERS_DB, "FLUSHDB")
            client.on(ASIC_DB, "FLUSHDB")
            double.restart(cold=True)
        self.sync()
        # Of what was flushed, nothing counts.
        for row in ("BUFFER_POOL|in", "BUFFER_PROFILE|lossless",
                    "DSCP_TO_TC_MAP|AZURE", "PORT_QOS_MAP|Ethernet0",
                    "BUFFER_PORT_EGRESS_PROFILE_LIST|Ethernet0"):
            self.assertEqual(self.status(client, row)["state"], "waiting", row)
        self.wait_all(client, double, SMALL)

    def test_nothing_of_others_is_written(self):
        client = self.start_redis()
        self.fill(client, SMALL)
        double = Double(client, ports_of(SMALL))
        double.boot()
        client.on(COUNTERS_DB, "HSET", "COUNTERS:oid:0x1", "SAI_X", "7")
        for name in ("VIDTORID", "RIDTOVID", "HIDDEN", "COLDVIDS", "LANES"):
            client.on(ASIC_DB, "HSET", name, "left", "by syncd")
        client.on(STATE_DB, "HSET", "PORT_TABLE|Ethernet0", "state", "ok")
        client.on(APPL_DB, "HSET", "PORT_TABLE:Ethernet0", "speed", "1")
        before = self.foreign(client)
        self.start_orchd_only("--set", "output=orchagent")
        wait_until(lambda: self.pending(client), "rows are published")
        wait_until(lambda: self.status(client, "PORT|Ethernet0"),
                   "rows are judged")
        self.sync()
        self.assertEqual(self.foreign(client), before)
        self.wait_all(client, double, SMALL)
        for name in ("VIDTORID", "RIDTOVID", "HIDDEN", "COLDVIDS", "LANES"):
            self.assertEqual(client.hash(ASIC_DB, name).get("left"),
                             "by syncd")
        self.stop_orchd()

    # What is judged.

    def test_configurations(self):
        """All rows of a configuration are applied, but those on which others
        act, and nothing differs."""
        config = rows_of(EXAMPLE)
        config["PFC_WD|Ethernet0"] = {"action": "drop", "detection_time": "400",
                                      "restoration_time": "400"}
        left = [row for row in config if row.partition("|")[0] in (
            "PFC_WD", "FLEX_COUNTER_TABLE", "WATERMARK_TABLE")]
        client, double = self.begin(config)
        self.wait_all(client, double, config, but=left)
        for row in left:
            status = self.status(client, row)
            self.assertEqual((status["state"], status["code"]),
                             ("unsupported", "other-owner"), row)
        self.assertEqual(self.control("config", "diff")["data"]["differences"],
                         [])

    # The dynamic buffer model.

    def begin_dynamic(self, **port):
        """A switch of the dynamic model; Ethernet0 also has the fields
        'port'."""
        config = {row: dict(fields) for row, fields in DYNAMIC.items()}
        config["PORT|Ethernet0"] |= port
        path = os.path.join(self.directory, "asic.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(ASIC_TABLE, file)
        client, double = self.begin(config, "--set", "asic_table=" + path,
                                    boot=False)
        return client, double, config

    def published(self, client, table, key):
        """What a row of APPL_DB says once orchagent has taken it."""
        return (client.hash(APPL_DB, f"{table}_TABLE:{key}") |
                client.hash(APPL_DB, f"_{table}_TABLE:{key}"))

    def test_the_dynamic_model(self):
        client, double, config = self.begin_dynamic()
        double.boot()
        self.wait_all(client, double, config)
        self.assertEqual(self.published(client, "BUFFER_PG", "Ethernet0:3-4"),
                         {"profile": "pg_lossless_100000_5m_profile"})
        self.assertEqual(
            self.published(client, "BUFFER_PROFILE",
                           "pg_lossless_100000_5m_profile"),
            {"pool": "ingress_lossless_pool", "xon": "18432", "xoff": "72704",
             "size": "91136", "dynamic_th": "0"})
        size = int(self.published(client, "BUFFER_POOL",
                                  "ingress_lossless_pool")["size"])
        # A longer cable: another profile, and less for the pool to share.
        client.on(CONFIG_DB, "HSET", "CABLE_LENGTH|AZURE", "Ethernet4", "40m")
        wait_until(lambda: (double.step(), self.published(
            client, "BUFFER_PG", "Ethernet4:3-4"))[1] == {
                "profile": "pg_lossless_100000_40m_profile"}, "40 m")
        self.wait_all(client, double, config)
        self.assertLess(int(self.published(
            client, "BUFFER_POOL", "ingress_lossless_pool")["size"]), size)
        # A profile that nothing uses goes.
        client.on(CONFIG_DB, "HSET", "CABLE_LENGTH|AZURE", "Ethernet4", "5m")
        wait_until(lambda: (double.step(), self.published(
            client, "BUFFER_PROFILE", "pg_lossless_100000_40m_profile"))[1] ==
            {}, "the profile of 40 m is gone")
        # A port that is shut reserves nothing.
        client.on(CONFIG_DB, "HSET", "PORT|Ethernet4", "admin_status", "down")
        wait_until(lambda: (double.step(), self.published(
            client, "BUFFER_PG", "Ethernet4:3-4"))[1] == {}, "it is shut")
        client.on(CONFIG_DB, "HSET", "PORT|Ethernet4", "admin_status", "up")
        wait_until(lambda: (double.step(), int(self.published(
            client, "BUFFER_POOL", "ingress_lossless_pool")["size"]) == size)[1],
            "the pool is as before")
        self.wait_all(client, double, config)
        picture = asic_picture(client)
        double.restart(cold=True)
        self.sync()
        self.wait_all(client, double, config)
        self.assertEqual(asic_picture(client), picture)

    def test_a_headroom_that_a_port_cannot_have(self):
        """The limit is the one in BUFFER_MAX_PARAM_TABLE."""
        client, double, config = self.begin_dynamic()
        double.boot()
        client.on(STATE_DB, "HSET", "BUFFER_MAX_PARAM_TABLE|Ethernet0",
                  "max_headroom_size", "300000")
        self.wait_log("redis-up")
        self.stop_orchd()
        self.start_orchd_only("--set", "output=orchagent", "--set",
                              "asic_table=" + os.path.join(self.directory,
                                                           "asic.json"))
        self.wait_all(client, double, config)
        client.on(CONFIG_DB, "HSET", "CABLE_LENGTH|AZURE", "Ethernet0", "300m",
                  "Ethernet4", "300m")
        row = "BUFFER_PG|Ethernet%d|3-4"
        wait_until(lambda: (double.step(), self.published(
            client, "BUFFER_PG", "Ethernet4:3-4"))[1] == {
                "profile": "pg_lossless_100000_300m_profile"},
            "the port without a limit gets it")
        self.wait_state(client, row % 0, "waiting")
        status = self.status(client, row % 0)
        self.assertEqual(status["code"], "headroom-exceeded", status)
        self.assertEqual(self.published(client, "BUFFER_PG", "Ethernet0:3-4"),
                         {"profile": "pg_lossless_100000_5m_profile"})

    def test_speeds_that_a_port_negotiates(self):
        """The lossless profile is that of the highest speed that the port
        supports, as STATE_DB says."""
        client, double, _ = self.begin_dynamic(autoneg="on", speed="10000")
        client.on(STATE_DB, "HSET", "PORT_TABLE|Ethernet0", "state", "ok",
                  "supported_speeds", "40000,50000,25000")
        double.boot()
        wait_until(lambda: (double.step(), self.published(
            client, "BUFFER_PG", "Ethernet0:3-4"))[1] == {
                "profile": "pg_lossless_50000_5m_profile"},
            "the profile of 50 Gb/s is published")

    def test_limits_that_come_late(self):
        """Rows are not judged before the limits of ports are known: a group
        that a port does not have is reported."""
        client = self.start_redis()
        self.fill(client, SMALL)
        double = Double(client, ports_of(SMALL))
        double.boot()
        client.on(STATE_DB, "HSET", "kept", *[word for pair in client.hash(
            STATE_DB, "BUFFER_MAX_PARAM_TABLE|Ethernet0").items()
            for word in pair])
        client.on(STATE_DB, "DEL", "BUFFER_MAX_PARAM_TABLE|Ethernet0")
        self.start_orchd_only("--set", "output=orchagent")
        wait_until(lambda: self.pending(client), "rows are published")
        self.assertNotIn("switch-seen", self.log_text())
        client.on(STATE_DB, "RENAME", "kept",
                  "BUFFER_MAX_PARAM_TABLE|Ethernet0")
        self.wait_log("switch-seen")
        self.wait_all(client, double, SMALL)

    def test_an_incomplete_configuration_removes_nothing(self):
        """Until CONFIG_DB_INITIALIZED, rows are published, but those of a
        predecessor stay."""
        client = self.start_redis()
        client.pipeline(as_commands(SMALL))
        old = ["type", "ingress", "mode", "dynamic", "size", "1"]
        client.on(APPL_DB, "HSET", "BUFFER_POOL_TABLE:old", *old)
        double = Double(client, ports_of(SMALL))
        double.boot()
        self.start_orchd_only("--set", "output=orchagent")
        self.wait_all(client, double, SMALL)
        self.assertIn("BUFFER_POOL_TABLE:old", self.consumed(client))
        client.on(CONFIG_DB, "SET", "CONFIG_DB_INITIALIZED", "1")
        wait_until(lambda: (double.step(), "BUFFER_POOL_TABLE:old" not in
                            self.consumed(client))[1], "the old row is gone")

    def test_the_watchdog_of_orchagent(self):
        """Its state is shown; rows of PFC_WD stay with it."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        self.assertEqual(self.control("show", "watchdog")["data"],
                         {"watchdog": []})
        queue = "COUNTERS:" + double.names["QUEUE", "Ethernet4:3"]
        client.on(COUNTERS_DB, "HSET", "COUNTERS:" +
                  double.names["QUEUE", "Ethernet4:0"], "SAI_X", "1")
        client.on(COUNTERS_DB, "HSET", queue, "PFC_WD_STATUS", "stormed",
                  "PFC_WD_ACTION", "drop", "PFC_WD_DETECTION_TIME", "200000",
                  "PFC_WD_RESTORATION_TIME", "400000",
                  "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED", "2",
                  "PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED", "1",
                  "PFC_WD_QUEUE_STATS_TX_DROPPED_PACKETS", "17")
        expected = {
            "port": "Ethernet4", "index": 3, "state": "stormed",
            "detects": "orchagent", "action": "drop", "detection_ms": 200,
            "restoration_ms": 400, "detected": 2, "restored": 1,
            "tx_dropped": 17}
        for asked in ({}, {"name": "Ethernet4"}, {"name": "Ethernet4|3"}):
            self.assertEqual(self.control("show", "watchdog", **asked)["data"],
                             {"watchdog": [expected]})
        for asked in ("Ethernet0", "Ethernet4|4"):
            answer = self.control("show", "watchdog", name=asked)
            self.assertEqual(answer["error"]["code"], "no-object", answer)
        # Without counters of queues, or with something else in their place,
        # nobody knows which queue is which.
        client.on(COUNTERS_DB, "DEL", "COUNTERS_QUEUE_NAME_MAP")
        for _ in range(2):
            for asked in ({}, {"name": "Ethernet4"}):
                answer = self.control("show", "watchdog", **asked)
                self.assertEqual(answer["exit"], 1, answer)
                self.assertIn("COUNTERS_QUEUE_NAME_MAP in COUNTERS_DB names no "
                              "queue", answer["error"]["reason"])
                self.assertIn("counterpoll queue enable",
                              answer["error"]["remedy"])
            client.on(COUNTERS_DB, "SET", "COUNTERS_QUEUE_NAME_MAP", "x")

    def test_counters_of_a_redis_that_goes_away(self):
        """What is read there ends with an error, and does not wait."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        os.kill(self.redis_process.pid, signal.SIGSTOP)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answers = [pool.submit(self.control, *verb) for verb in (
                ("show", "watchdog"), ("twin", "watermarks"))]
            self.assertEqual(self.control("show", "status")["exit"], 0)
            self.kill_redis()
        for answer in map(concurrent.futures.Future.result, answers):
            self.assertEqual((answer["exit"], answer["error"]["code"]),
                             (1, "redis-lost"), answer)

    def test_the_twin_of_a_switch(self):
        """orchctl twin check compares what the twin says of the rows in force
        with the watermarks that syncd has polled."""
        config = rows_of(EXAMPLE)
        client, double = self.begin(config)
        self.wait_all(client, double, config)
        client.on(COUNTERS_DB, "HSET", "USER_WATERMARKS:" + double.names[
            "INGRESS_PRIORITY_GROUP", "Ethernet0:3"],
            "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES", "230000",
            "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES", "0")
        client.on(COUNTERS_DB, "HSET", "USER_WATERMARKS:" + double.names[
            "QUEUE", "Ethernet4:0"], "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES",
            "1000000")
        result = subprocess.run(
            [ORCHCTL, "--control", os.path.join(self.directory, "control.sock"),
             "--json", "twin", "check", *HERMETIC], capture_output=True,
            text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        data = json.loads(result.stdout)
        self.assertEqual(len(data["classes"][0]["ports"]), 32)
        # 324,803 bytes, of which 6 cells are guaranteed; 8 cells a packet.
        self.assertEqual([(peak["object"], peak["percent"])
                          for peak in data["live"]["peaks"]],
                         [("PG Ethernet0|3", 70), ("Queue Ethernet4|0", 48)])

    def test_derived_rows(self):
        """The lossless profile of a cable, from the table of the hwsku."""
        config = dict(SMALL)
        del config["BUFFER_PG|Ethernet0|3-4"]
        config["DEVICE_METADATA|localhost"] = {"hwsku": "ACS-MSN2700"}
        config["CABLE_LENGTH|AZURE"] = {"Ethernet0": "300m"}
        config["BUFFER_POOL|ingress_lossless_pool"] = SMALL["BUFFER_POOL|in"]
        client, double = self.begin(config)
        derived = ["BUFFER_PG|Ethernet0|3-4",
                   "BUFFER_PROFILE|pg_lossless_100000_300m_profile"]
        self.wait_all(client, double, list(config) + derived)
        row = client.hash(APPL_DB, "BUFFER_PG_TABLE:Ethernet0:3-4")
        self.assertEqual(row, {"profile": "pg_lossless_100000_300m_profile"})
        profile = client.hash(
            APPL_DB, "BUFFER_PROFILE_TABLE:pg_lossless_100000_300m_profile")
        self.assertEqual(profile["pool"], "ingress_lossless_pool")
        client.on(CONFIG_DB, "HSET", "CABLE_LENGTH|AZURE", "Ethernet0", "0m")
        wait_until(lambda: (double.step(), not client.hash(
            APPL_DB, "BUFFER_PG_TABLE:Ethernet0:3-4"))[1],
            "nothing is lossless without a cable")
        wait_until(lambda: (double.step(), not self.status(
            client, derived[1]))[1], "the profile is gone")

    @unittest.skipUnless(os.path.isdir(GIVEN), "no given configurations here")
    def test_what_buffermgrd_would_publish(self):
        """APPL_DB is complete without orchagent, and has the rows that
        buffermgrd makes of the given configurations, no other and none
        different."""
        paths = glob.glob(os.path.join(GIVEN, "*.config_db.json"))
        self.assertEqual(len(paths), 7)
        for path in sorted(paths):
            config = rows_of(path)
            with open(path.replace(".config_db.", ".pg_lookup."),
                      encoding="utf-8") as file:
                expected = of_buffermgrd(config, json.load(file))
            client = self.start_redis()
            self.fill(client, config)
            self.start_orchd_only("--set", "output=orchagent")
            try:
                wait_until(lambda c=client, rows=expected: self.pending(
                    c) == rows, path)
            except AssertionError as error:
                found = self.pending(client)
                raise AssertionError(f"{error}: " + str([
                    (key, expected.get(key), found.get(key))
                    for key in sorted({*expected, *found})
                    if expected.get(key) != found.get(key)])) from error
            self.sync()
            self.assertEqual(self.pending(client), expected, path)
            self.stop_orchd()
            self.kill_redis()

    @unittest.skipUnless(os.path.isdir(GIVEN), "no given configurations here")
    def test_a_given_configuration(self):
        path = os.path.join(GIVEN, "Force10-S6000-t1.config_db.json")
        config = rows_of(path)
        client, double = self.begin(config)
        wait_until(lambda: (double.step(), self.states(client))[1],
                   "rows are judged")
        self.sync()
        states = self.states(client)
        self.wait_all(client, double, states, but=[
            row for row in states
            if states[row].get("code") == "other-owner"])

    def test_a_row_waits_and_says_for_what(self):
        client, double = self.begin(SMALL)
        self.wait_state(client, "BUFFER_POOL|in", "waiting")
        status = self.status(client, "BUFFER_POOL|in")
        self.assertEqual(status["code"], "unconfirmed")
        self.assertIn("COUNTERS_BUFFER_POOL_NAME_MAP", status["reason"])
        status = self.status(client, "BUFFER_PG|Ethernet0|3-4")
        self.assertEqual(status["state"], "waiting")
        self.assertEqual(status["blocked_by"], "BUFFER_PROFILE|lossless")
        self.wait_all(client, double, SMALL)

    def test_a_row_that_is_not_applied_fails(self):
        client, double = self.begin(SMALL, "--set", "confirm_seconds=1")
        self.wait_all(client, double, SMALL)
        double.refusals = 1000000
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|lossless", "xoff", "40000")
        wait_until(lambda: (double.step(), self.status(
            client, "BUFFER_PROFILE|lossless")["state"] == "failed")[1],
            "the row has failed")
        status = self.status(client, "BUFFER_PROFILE|lossless")
        self.assertEqual(status["code"], "not-applied")
        self.assertIn("SAI_BUFFER_PROFILE_ATTR_XOFF_TH is 35776 in ASIC_DB "
                      "instead of 40000", status["reason"])
        self.assertIn("orchagent", status["remedy"])
        double.refusals = 0
        self.wait_all(client, double, SMALL)

    def test_commands_wait_for_the_evidence(self):
        """Until ASIC_DB has it, or the time of the call is up."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)

        def orchctl(*words):
            return subprocess.Popen(
                [ORCHCTL, "--control", os.path.join(
                    self.directory, "control.sock"), *words],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

        def end(process):
            """Steps until orchctl has ended; what it says, and its exit code.
            """
            wait_until(lambda: (double.step(), process.poll() is not None)[1],
                       "orchctl ends")
            with process.stdout:
                return process.stdout.read(), process.returncode

        path = os.path.join(self.directory, "new.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"BUFFER_PROFILE": {"lossless": {"xoff": "40000"}}}, file)
        loading = orchctl("config", "load", path, "--wait")
        wait_until(lambda: self.pending(client), "the row is published")
        self.assertIsNone(loading.poll())
        self.assertIn("1 applied", end(loading)[0])
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|lossless", "xoff", "41000")
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet0|0")
        text, code = end(orchctl("config", "sync"))
        self.assertEqual((text, code), ("Rows: 40 applied.\n", 0))
        # orchagent does nothing: orchd gives up first.
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|lossless", "xoff", "42000")
        with orchctl("--timeout", "1", "config", "sync") as waiting:
            text = waiting.stdout.read()
        self.assertEqual(waiting.returncode, 1)
        self.assertIn("BUFFER_PROFILE|lossless: waiting (unconfirmed)", text)
        self.assertIn("XOFF_TH is 41000 in ASIC_DB instead of 42000", text)
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet4|0")
        self.sync()
        status = self.status(client, "BUFFER_PG|Ethernet4|0")
        self.assertEqual((status["state"], status["code"]),
                         ("pending-delete", "unconfirmed"))
        self.assertIn("instead of oid:0x0", status["reason"])

    def test_what_is_not_known_is_not_zero(self):
        """Without counters in COUNTERS_DB, none are shown."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)

        def ask(verb, **arguments):
            return self.control("show", verb, **arguments)["data"]

        for verb in ("pools", "pgs", "queues"):
            self.assertTrue(ask(verb)[verb])
            for item in ask(verb)[verb]:
                self.assertEqual(item["stats"], {}, verb)
        for port in ask("ports", stats=True)["ports"]:
            self.assertEqual(port.get("stats", {}), {})
        for pause in ask("pauses")["pauses"]:
            self.assertIsNone(pause["frames"])
        # And says so, with what would change that.
        for verb, remedy in (("pools", "watermark"), ("pgs", "pg-drop"),
                             ("queues", "queue"), ("watermarks", "watermark")):
            self.assertIn(f"counterpoll {remedy} enable",
                          ask(verb)["uncounted"])
        self.assertIn("counterpoll port enable",
                      ask("ports", stats=True)["uncounted"])
        self.assertNotIn("uncounted", ask("ports"))
        self.assertEqual(ask("watermarks")["watermarks"], [])
        self.assertEqual(ask("drops"), {"drops": []})
        live = ask("live")["values"]
        for kind in ("pools", "pgs", "queues"):
            self.assertTrue(live[kind])
            for name, column in live[kind].items():
                self.assertEqual({*column}, {None}, (kind, name))

        def show(verb):
            return subprocess.run(
                [ORCHCTL, "--control",
                 os.path.join(self.directory, "control.sock"), "show", verb],
                capture_output=True, text=True, timeout=PATIENCE_S, check=True).stdout

        self.assertIn("COUNTERS_DB has no counters of these objects: "
                      "counterpoll queue enable.\n", show("queues"))
        text = show("buffer")
        self.assertIn("in, ingress: unknown", text)
        self.assertIn("What 8 of 8 lossless PGs hold is unknown.", text)
        self.assertNotRegex(text, r"\b0 bytes|empty")

    def test_counters_of_syncd(self):
        """What syncd has polled is shown as if orchd had."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)

        def count(table, kind, name, *fields):
            client.on(COUNTERS_DB, "HSET",
                      f"{table}:{double.names[kind, name]}", *fields)

        def ask(verb, **arguments):
            answer = self.control("show", verb, **arguments)["data"]
            self.assertNotIn("uncounted", answer)
            return answer[verb]

        group, pool = "INGRESS_PRIORITY_GROUP", "BUFFER_POOL"
        pg = "SAI_INGRESS_PRIORITY_GROUP_STAT_"
        count("COUNTERS", "PORT", "Ethernet4", "SAI_PORT_STAT_IF_IN_OCTETS",
              "7", "SAI_PORT_STAT_IF_IN_DISCARDS", "x", "SAI_X", "8")
        count("COUNTERS", "QUEUE", "Ethernet4:3", "SAI_QUEUE_STAT_PACKETS",
              "18446744073709551615", "SAI_QUEUE_STAT_DROPPED_PACKETS", "9")
        count("COUNTERS", group, "Ethernet4:3", pg + "DROPPED_PACKETS", "0",
              pg + "SHARED_WATERMARK_BYTES", "100")
        count("COUNTERS", pool, "in", "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES",
              "500")
        for table, value in (("USER", "300"), ("PERSISTENT", "400")):
            count(table + "_WATERMARKS", group, "Ethernet4:3",
                  pg + "SHARED_WATERMARK_BYTES", value,
                  pg + "XOFF_ROOM_WATERMARK_BYTES", "1" + value)
        self.assertEqual(
            {port["name"]: port["stats"] for port in ask("ports", stats=True)
             if port["stats"]}, {"Ethernet4": {"if_in_octets": 7}})
        for verb, expected in (
                ("queues", {"dropped_packets": 9}),
                ("pgs", {"dropped_packets": 0, "shared_watermark_bytes": 100})):
            for asked in ({}, {"name": "Ethernet4|3"}):
                self.assertEqual(
                    [(place["name"], place["index"], place["stats"])
                     for place in ask(verb, **asked) if place["stats"]],
                    [("Ethernet4", 3, expected)])
        self.assertEqual(
            [(pool["name"], pool["stats"]) for pool in ask("pools")
             if pool["stats"]], [("in", {"watermark_bytes": 500})])
        shared = {"name": "Ethernet4", "kind": "pg", "index": 3,
                  "class": "shared", "last": 100, "user": 300,
                  "persistent": 400, "periodic": None}
        headroom = {**shared, "class": "headroom", "last": None, "user": 1300,
                    "persistent": 1400}
        other = {**headroom, "name": "Ethernet12", "index": 0}
        count("USER_WATERMARKS", group, "Ethernet12:0",
              pg + "XOFF_ROOM_WATERMARK_BYTES", "1300")
        other["persistent"] = None
        of_pool = {"name": "in", "kind": "pool", "class": "shared",
                   "last": 500, "user": None, "persistent": None,
                   "periodic": None}
        for asked, expected in (
                ({}, [shared, headroom, other, of_pool]),
                ({"name": "Ethernet4"}, [shared, headroom]),
                ({"name": "Ethernet4|3"}, [shared, headroom]),
                ({"name": "in"}, [of_pool])):
            self.assertEqual(ask("watermarks", **asked), expected)
        for asked in ("Ethernet0", "Ethernet4|4", "inn"):
            answer = self.control("show", "watermarks", name=asked)
            self.assertEqual(answer["error"]["code"], "no-object", answer)

    def test_an_answer_of_orchagent(self):
        """It is no confirmation, but is shown while ASIC_DB differs."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|lossless", "xoff", "40000")
        wait_until(lambda: self.pending(client), "the row is published")
        double.work()  # syncd is late.
        self.sync()
        status = self.status(client, "BUFFER_PROFILE|lossless")
        self.assertEqual(status["state"], "waiting")
        self.assertIn("the last answer of orchagent, in APPL_STATE_DB, is that "
                      "xoff 40000 is applied", status["reason"])
        self.wait_all(client, double, SMALL)

    def test_a_partial_row_is_no_confirmation(self):
        client, double = self.begin(SMALL)
        wait_until(lambda: self.pending(client), "rows are published")
        self.sync()
        for _ in range(3):
            double.work()
        late, double.unwritten = double.unwritten, []
        written = 0
        profile = next(vid for vid, (kind, row) in double.rows.items()
                       if row.get("XOFF_TH") == "35776")
        for command in late:
            client.on(ASIC_DB, *command)
            if profile in command[1]:
                written += 1
                self.sync()
                row = client.hash(ASIC_DB, command[1])
                complete = len(row) == 6 and "NULL" not in row
                state = self.status(client, "BUFFER_PROFILE|lossless")["state"]
                self.assertEqual(state == "applied", complete, row)
        self.assertEqual(written, 6)
        self.wait_all(client, double, SMALL)

    def test_without_names_of_groups(self):
        """Without counters of groups, nobody knows which row is which."""
        client = self.start_redis()
        self.fill(client, SMALL)
        double = Double(client, ports_of(SMALL))
        double.boot()
        client.on(COUNTERS_DB, "RENAME", "COUNTERS_PG_NAME_MAP", "hidden")
        self.start_orchd_only("--set", "output=orchagent")
        hidden = [row for row in SMALL if row.startswith("BUFFER_PG")]
        self.wait_all(client, double, SMALL, but=hidden)
        self.sync()
        status = self.status(client, "BUFFER_PG|Ethernet0|3-4")
        self.assertEqual(status.get("state"), "waiting")
        self.assertIn("counterpoll pg-drop enable", status["reason"])
        client.on(COUNTERS_DB, "RENAME", "hidden", "COUNTERS_PG_NAME_MAP")
        self.wait_all(client, double, SMALL)

    def test_somebody_changes_the_switch(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        vid = double.names["BUFFER_PROFILE", "q"]
        double.put(vid, "RESERVED_BUFFER_SIZE", "7")
        double.write()
        self.sync()
        status = self.status(client, "BUFFER_PROFILE|q")
        self.assertEqual(status["state"], "waiting")
        self.assertIn("RESERVED_BUFFER_SIZE is 7", status["reason"])
        # orchd publishes the row again, and orchagent applies it.
        self.wait_all(client, double, SMALL)

    # Restarts.

    def test_a_restart_of_orchagent(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        picture = asic_picture(client)
        double.restart()
        self.sync()
        self.assertEqual(self.status(client, "BUFFER_POOL|in")["state"],
                         "waiting")
        self.wait_all(client, double, SMALL)
        self.assertEqual(asic_picture(client), picture)

    def test_a_restart_of_everything_below(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        picture = asic_picture(client)
        double.restart(cold=True)
        self.sync()
        self.wait_all(client, double, SMALL)
        self.assertEqual(asic_picture(client), picture)

    def test_a_restart_of_orchd(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        self.stop_orchd()
        finish = self.watch(client)
        self.start_orchd_only("--set", "output=orchagent")
        wait_until(lambda: "switch-seen" in self.log_text(), "orchd is back")
        self.sync()
        self.assertEqual(self.order(finish()), [])
        states = self.states(client)
        for row in SMALL:
            self.assertEqual(states[row]["state"], "applied", row)

    def test_ports_that_come_and_go(self):
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        picture = asic_picture(client)
        new = {"PORT|Ethernet16": {"lanes": "17,18,19,20", "speed": "100000",
                                   "mtu": "9100", "admin_status": "up"},
               "BUFFER_PG|Ethernet16|3-4": {"profile": "lossless"},
               "BUFFER_QUEUE|Ethernet16|0-2": {"profile": "q"}}
        client.pipeline(as_commands(new))
        # orchagent is late: the rows are published, and wait for it.
        self.wait_state(client, "BUFFER_PG|Ethernet16|3-4", "waiting")
        self.assertEqual(self.pending(client)["BUFFER_PG:Ethernet16:3-4"],
                         {"profile": "lossless"})
        double.follow_ports()
        self.wait_all(client, double, {**SMALL, **new})
        client.pipeline([("SELECT", CONFIG_DB), ("DEL", *new)])
        wait_until(lambda: (double.follow_ports(), double.step(),
                            not any(row in self.states(client)
                                    for row in new))[2], "the port is gone")
        self.wait_all(client, double, SMALL)
        self.assertEqual(asic_picture(client), picture)

    # Chaos.

    def is_true(self, asic, names, config, row):
        """Whether ASIC_DB has what a row of the small configuration says,
        worked out here from the row alone."""
        table, _, key = row.partition("|")
        fields = config[row]

        def profile_is(vid, name):
            kind, found = asic.get(vid, (None, {}))
            wanted = config.get("BUFFER_PROFILE|" + name)
            if kind != "SAI_OBJECT_TYPE_BUFFER_PROFILE" or wanted is None:
                return False
            prefix = "SAI_BUFFER_PROFILE_ATTR_"
            pairs = {"size": "RESERVED_BUFFER_SIZE", "xon": "XON_TH",
                     "xoff": "XOFF_TH", "dynamic_th": "SHARED_DYNAMIC_TH"}
            return (found.get(prefix + "POOL_ID") == names[COUNTERS_POOLS].get(
                wanted["pool"]) and all(
                    found.get(prefix + attribute, "0") == wanted.get(field, "0")
                    for field, attribute in pairs.items()))

        if table == "BUFFER_POOL":
            found = asic.get(names[COUNTERS_POOLS].get(key), (0, {}))[1]
            return found.get("SAI_BUFFER_POOL_ATTR_SIZE") == fields["size"]
        if table == "BUFFER_PROFILE":
            return any(profile_is(vid, key) for vid in asic)
        port, _, index = key.partition("|")
        if table in ("BUFFER_PG", "BUFFER_QUEUE"):
            group = table == "BUFFER_PG"
            attribute = ("SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"
                         if group else "SAI_QUEUE_ATTR_BUFFER_PROFILE_ID")
            names_here = names[COUNTERS_PGS if group else COUNTERS_QUEUES]
            first, _, last = index.partition("-")
            return all(profile_is(
                asic.get(names_here.get(f"{port}:{i}"), (0, {}))[1].get(
                    attribute), fields["profile"])
                for i in range(int(first), int(last or first) + 1))
        if table.startswith("BUFFER_PORT"):
            attribute = ("SAI_PORT_ATTR_QOS_%s_BUFFER_PROFILE_LIST" %
                         ("INGRESS" if "INGRESS" in table else "EGRESS"))
            vids = asic.get(names[COUNTERS_PORTS].get(port), (0, {}))[1].get(
                attribute, "0:null").partition(":")[2].split(",")
            wanted = fields["profile_list"].split(",")
            return len(vids) == len(wanted) and all(map(profile_is, vids,
                                                        wanted))
        return True

    def check_truth(self, client, config, what):
        """Each row that is said to be applied is."""
        asic = {key.split(":", 2)[2]: (key.split(":")[1], row) for key, row in
                client.hashes(ASIC_DB, "ASIC_STATE:*").items()}
        names = {key: client.hash(COUNTERS_DB, key) for key in (
            COUNTERS_PORTS, COUNTERS_PGS, COUNTERS_QUEUES, COUNTERS_POOLS)}
        for row, status in self.states(client).items():
            if row in config and status["state"] == "applied":
                self.assertTrue(self.is_true(asic, names, config, row),
                                f"{what}: {row} is not applied")

    def change(self, dice, config):
        """One change of the configuration: commands, and the new one."""
        new = {row: dict(fields) for row, fields in config.items()}
        port = f"Ethernet{4 * dice.randrange(N_PORTS)}"
        kind = dice.randrange(6)
        if kind == 0:
            new["BUFFER_PROFILE|lossless"]["xoff"] = str(
                dice.randrange(30000, 50000))
        elif kind == 1:
            new["BUFFER_POOL|in"]["size"] = str(dice.randrange(9, 12) * 10**6)
        elif kind == 2:
            new[f"BUFFER_PG|{port}|3-4"] = {
                "profile": dice.choice(["lossless", "lossy"])}
        elif kind == 3 and not new.pop(f"BUFFER_PG|{port}|6", None):
            new[f"BUFFER_PG|{port}|6"] = {"profile": "lossy"}
        elif kind == 4 and not new.pop(f"BUFFER_QUEUE|{port}|6", None):
            new[f"BUFFER_QUEUE|{port}|6"] = {"profile": "q"}
        elif kind == 5:
            new["BUFFER_PROFILE|q"]["dynamic_th"] = str(dice.randrange(-4, 4))
        commands = [("DEL", row) for row in config if row not in new] + [
            ("HSET", row, *[word for pair in fields.items() for word in pair])
            for row, fields in new.items() if config.get(row) != fields]
        return commands, new

    def chaos(self, client, seed):
        dice = random.Random(seed)
        config = {row: dict(fields) for row, fields in SMALL.items()}
        double = Double(client, ports_of(config), seed)
        double.boot()
        for i in range(60):
            if dice.random() < 0.3:
                commands, config = self.change(dice, config)
                client.pipeline([("SELECT", CONFIG_DB), ("MULTI",)] +
                                commands + [("EXEC",)])
            double.step()
            self.sync()
            self.check_truth(client, config, f"seed {seed}, step {i}")
        double.calm()
        self.wait_all(client, double, config)
        self.check_truth(client, config, f"seed {seed}, at the end")
        states = self.states(client)
        self.assertEqual({row for row in states
                          if row.partition("|")[0] in TABLES},
                         {row for row in config
                          if row.partition("|")[0] in TABLES})
        return config, self.picture(client)

    @staticmethod
    def picture(client):
        """ASIC_DB without ids, and without bindings to nothing, which a row may
        have or lack."""
        nothing = re.compile(r"(, )?\w+=(oid:0x0|0:null|NULL)(?=[,}])")
        return sorted(nothing.sub("", text).replace("{, ", "{")
                      for text in asic_picture(client))

    def test_chaos(self):
        """No row is said to be applied that is not, none waits forever, and
        the end is that of a switch on which nothing went wrong."""
        seeds = range(int(os.environ.get("ORCHAGENT_SEEDS", "3")))
        if "ORCHAGENT_SEED" in os.environ:
            seeds = [int(os.environ["ORCHAGENT_SEED"])]
        for seed in seeds:
            client = self.start_redis()
            self.fill(client, SMALL)
            self.start_orchd_only("--set", "output=orchagent")
            self.wait_log("redis-up")
            config, picture = self.chaos(client, seed)
            client("FLUSHALL")
            self.fill(client, config)
            double = Double(client, ports_of(config))
            double.boot()
            self.sync()
            self.wait_all(client, double, config)
            self.assertEqual(self.picture(client), picture, f"seed {seed}")
            self.stop_orchd()
            client.close()
            self.clients.remove(client)
            self.kill_redis()


COUNTERS_PORTS = "COUNTERS_PORT_NAME_MAP"
COUNTERS_PGS = "COUNTERS_PG_NAME_MAP"
COUNTERS_QUEUES = "COUNTERS_QUEUE_NAME_MAP"
COUNTERS_POOLS = "COUNTERS_BUFFER_POOL_NAME_MAP"


if __name__ == "__main__":
    unittest.main()
