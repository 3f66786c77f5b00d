# SPDX-License-Identifier: Apache-2.0
"""The history of CONFIG_DB: orchctl config history, comment, rollback, save."""

import json
import os
import pty
import stat
import subprocess
import unittest

from harness import (CONFIG_DB, PATIENCE_S, asic_picture, once, rows_of,
                     wait_until)
from test_cli import EXAMPLE, HERMETIC, NO, ORCHCTL, USAGE, Cli

PROFILE = "BUFFER_PROFILE|egress_lossy_profile"


class History(Cli):

    def start_with_state(self, *options):
        self.state = os.path.join(self.directory, "state")
        os.makedirs(self.state, exist_ok=True)
        self.start_orchd("--state-dir", self.state, *options)
        wait_until(self.listens, "orchd listens")

    def entries(self):
        return self.data("config", "history")["generations"]

    def generations(self):
        return [entry["generation"] for entry in self.entries()]

    def begin(self):
        client = self.start_redis()
        self.start_with_state()
        self.ctl("config", "load", EXAMPLE, "--wait")
        return client

    def change(self, client, *fields, row=PROFILE):
        client.on(CONFIG_DB, "HSET", row, *fields)
        self.ctl("config", "sync")

    def many_profiles(self, n, size="0"):
        """A configuration with as many; a chip has room for 1,024."""
        return {"BUFFER_PROFILE": {
            f"p{i}": {"pool": "egress_lossy_pool", "size": size,
                      "dynamic_th": "3"} for i in range(n)}}


class Rollback(History):

    def test_back_to_what_was(self):
        client = self.begin()
        first = self.generations()[0]
        rows = client.hashes(CONFIG_DB, "*|*")
        picture = asic_picture(client)
        self.change(client, "dynamic_th", "-3", "colour", "green")
        self.change(client, "type", "egress", "mode", "dynamic", "size", "4096",
                    row="BUFFER_POOL|another")
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet0|3-4")
        self.ctl("config", "sync")
        self.change(client, "answer", "42", row="OTHER_TABLE|x")
        self.assertNotEqual(asic_picture(client), picture)

        data = self.data("config", "rollback", str(first))
        self.assertEqual(data["rows_written"], 2)
        self.assertEqual(data["rows_removed"], 1)
        self.assertEqual(data["counts"]["applied"], 2)
        rows["OTHER_TABLE|x"] = {"answer": "42"}
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), rows)
        self.ctl("config", "sync")
        self.assertEqual(asic_picture(client), picture)
        # That was a change like any other: it can be taken back as well.
        newest, second = self.entries()[:2]
        self.assertEqual(newest["comment"], f"rollback to generation {first}")
        self.ctl("config", "rollback", str(second["generation"]))
        self.assertEqual(client.hash(CONFIG_DB, PROFILE)["colour"], "green")
        self.ctl("config", "rollback", str(newest["generation"]))
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), rows)
        self.assertEqual(asic_picture(client), picture)
        self.assertEqual(len(self.generations()), 7)

    def test_it_survives_orchd(self):
        client = self.begin()
        first = self.generations()[0]
        self.change(client, "dynamic_th", "-3")
        last = self.generations()[0]
        self.ctl("config", "comment", "the last one")
        self.kill_orchd()
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "-4")
        self.start_with_state()
        self.ctl("config", "sync")
        wait_until(lambda: self.generations()[0] > last, "a new generation")
        self.assertEqual(self.entries()[1]["comment"], "the last one")
        self.ctl("config", "rollback", str(last))
        self.assertEqual(client.hash(CONFIG_DB, PROFILE)["dynamic_th"], "-3")
        self.ctl("config", "rollback", str(first))
        self.assertEqual(client.hash(CONFIG_DB, PROFILE)["dynamic_th"], "3")

    def test_a_rollback_that_removes_many_rows_has_to_be_confirmed(self):
        client = self.begin()
        first = str(self.generations()[0])
        rows = client.hashes(CONFIG_DB, "*|*")
        self.load(self.many_profiles(11), "--wait")
        last = str(self.generations()[0])
        self.refuse(NO, f"generation {first} removes 11 rows", "config",
                    "rollback", first)
        self.refuse(NO, "--dry-run; then confirm with --yes", "config",
                    "rollback", first)
        refused = self.data("config", "rollback", first, code=NO)
        self.assertEqual((refused["rows_written"], refused["rows_removed"]),
                         (0, 11))
        self.assertIn("BUFFER_PROFILE|p0", client.hashes(CONFIG_DB, "*|*"))
        # The confirmation is for removals only.
        self.ctl("config", "rollback", first, "--yes")
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), rows)
        self.ctl("config", "rollback", last)
        # On a terminal it is a question.
        for answer, left in ("n", 11), ("y", 0):
            self.assertIn("This removes 11 rows.",
                          self.answer(answer, "config", "rollback", first))
            self.assertEqual(len(client.keys(CONFIG_DB, "BUFFER_PROFILE|p[0-9]*")),
                             left)

    def answer(self, answer, *words):
        """What orchctl prints on a terminal, where it is given an answer."""
        terminal, side = pty.openpty()
        try:
            with subprocess.Popen(
                    [ORCHCTL, "--control", self.control, *words], stdin=side,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                    text=True) as process:
                os.write(terminal, answer.encode() + b"\n")
                return process.communicate(timeout=PATIENCE_S)[0]
        finally:
            os.close(terminal)
            os.close(side)

    @once
    def test_a_dry_run_shows_rows_and_calls_and_changes_nothing(self):
        client = self.begin()
        first = str(self.generations()[0])
        self.change(client, "dynamic_th", "-3")
        rows = client.hashes(CONFIG_DB, "*|*")
        picture = asic_picture(client)
        shown = self.data("config", "rollback", first, "--dry-run", *HERMETIC)
        [change] = shown["changes"]
        self.assertEqual(change["row"], PROFILE)
        self.assertEqual((change["before"]["dynamic_th"],
                          change["after"]["dynamic_th"]), ("-3", "3"))
        [call] = shown["plan"]["calls"]
        self.assertEqual((call["op"], call["object"], call["attributes"]),
                         ("set", PROFILE, {"SHARED_DYNAMIC_TH": "3"}))
        text = self.ctl("config", "rollback", first, "--dry-run", *HERMETIC)
        self.assertIn(f"~ {PROFILE}\n    - dynamic_th -3\n    + dynamic_th 3",
                      text)
        self.assertIn("1 SAI call:", text)
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), rows)
        self.assertEqual(asic_picture(client), picture)
        self.refuse(NO, "generation 999999 is not in the history", "config",
                    "rollback", "999999", "--dry-run")

    def test_what_cannot_be(self):
        self.begin()
        self.refuse(NO, "generation 999999 is not in the history", "config",
                    "rollback", "999999")
        self.refuse(USAGE, "'last' is not a generation number", "config", "rollback",
                    "last")
        self.refuse(USAGE, "needs GENERATION", "config", "rollback")

    def test_without_a_state_directory(self):
        self.start()
        self.refuse(NO, "keeps no history", "config", "history")
        self.refuse(NO, "keeps no history", "config", "comment", "x")
        self.refuse(NO, "keeps no history", "config", "history", "diff", "1")
        self.refuse(NO, "--state-dir", "config", "rollback", "1")
        self.refuse(NO, "--state-dir", "config", "load", EXAMPLE, "--comment",
                    "x")


class Generations(History):

    @once
    def test_a_damaged_history_does_not_stop_the_start(self):
        client = self.begin()
        self.kill_orchd()
        path = os.path.join(self.state, "history.jsonl")
        with open(path, "a", encoding="utf-8") as file:
            file.write("{damaged}\n")
        with open(path, "rb") as file:
            damaged = file.read()
        self.start_with_state()
        self.wait_log("WARN history-set-aside " + self.state)
        with open(path + ".bad-1", "rb") as file:
            self.assertEqual(file.read(), damaged)
        text = self.ctl("status")
        self.assertRegex(text, r"History +.*history.jsonl:\d+: this is not a "
                         r"line of a history; the file is now .*bad-1, and a "
                         r"new history has begun")
        self.change(client, "dynamic_th", "-3")
        self.assertTrue(self.generations())
        self.stop_orchd()

        # Where there can be no file, there is no history.
        with open(os.path.join(self.directory, "file"), "w",
                  encoding="utf-8") as file:
            file.write("x")
        self.start_orchd("--state-dir", os.path.join(self.directory, "file"))
        wait_until(self.listens, "orchd listens")
        self.assertIn("Not a directory", self.ctl("status"))
        self.refuse(NO, "Not a directory; orchd keeps no history", "config",
                    "history")
        self.stop_orchd()

    def test_one_load_is_one_generation(self):
        self.start_redis()
        self.start_with_state()
        n = 900
        for i, options in enumerate([["--wait"], []], 1):
            config = json.load(open(EXAMPLE, encoding="utf-8"))
            config["BUFFER_PROFILE"].update(
                self.many_profiles(n, str(i))["BUFFER_PROFILE"])
            config["SCHEDULER"] = {f"s{j}": {"type": "DWRR", "weight": str(i)}
                                   for j in range(n)}
            self.load(config, "--comment", f"load {i}", *options)
            entries = wait_until(lambda: self.entries()[i - 1:] and
                                 self.entries(), "the generation")
            self.assertEqual(len(entries), i)
            self.assertEqual(entries[0]["comment"], f"load {i}")
            summary = entries[0]["summary"].split(", ")
            if i == 1:
                self.assertIn("PORT 32 added", summary)
                self.assertIn(f"SCHEDULER {n} added", summary)
            else:
                self.assertEqual(summary, [f"BUFFER_PROFILE {n} changed",
                                           f"SCHEDULER {n} changed"])

    def test_what_changes_before_a_load_is_a_generation_of_its_own(self):
        client = self.begin()
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "-1")

        def is_read():
            """It may have become a generation meanwhile."""
            history = self.data("config", "history")
            return history["rows_since"] or len(history["generations"]) == 2

        wait_until(is_read, "orchd has read the row")
        # What is not settled when a load begins belongs to it.
        wait_until(lambda: "SHARED_DYNAMIC_TH=-1" in str(asic_picture(client)),
                   "the switch has the value")
        self.wait_state(client, PROFILE, "applied")
        self.load(self.many_profiles(20), "--wait")
        self.assertEqual([entry["summary"] for entry in self.entries()[:2]],
                         ["BUFFER_PROFILE 20 added",
                          "BUFFER_PROFILE 1 changed"])

    def test_a_burst_of_writes_is_one_generation_once_it_is_quiet(self):
        client = self.begin()
        commands = [("SELECT", CONFIG_DB), ("DEL", "BUFFER_PG|Ethernet0|3-4")]
        for i in range(20):
            commands += [("HSET", PROFILE, "dynamic_th", f"-{i % 7 + 1}"),
                         ("HSET", f"SCHEDULER|s{i}", "type", "STRICT")]
        client.pipeline(commands)
        entries = wait_until(lambda: self.entries()[1:] and self.entries(),
                             "a generation without a sync")
        self.assertEqual(len(entries), 2)
        self.assertEqual(entries[0]["summary"],
                         "BUFFER_PG 1 removed, BUFFER_PROFILE 1 changed, "
                         "SCHEDULER 20 added")
        self.assertEqual(entries[0]["rows_changed"], 22)
        self.assertIn("SCHEDULER 20 added", self.ctl("config", "history"))

    def test_a_change_without_a_plan_is_a_generation(self):
        client = self.begin()
        self.change(client, "colour", "green")
        self.assertEqual(self.entries()[0]["summary"],
                         "BUFFER_PROFILE 1 changed")
        # A row that is written as it was is none.
        self.change(client, "colour", "green")
        self.assertEqual(len(self.entries()), 2)

    def test_a_load_whose_client_is_killed_is_whole_or_nothing(self):
        client = self.begin()
        path = self.write("many.json", json.dumps(self.many_profiles(900)))
        process = subprocess.Popen([ORCHCTL, "--control", self.control,
                                    "config", "load", path, "--wait"],
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        wait_until(lambda: process.poll() is not None or
                   client.keys(CONFIG_DB, "BUFFER_PROFILE|p899"),
                   "the load is written")
        process.kill()
        process.wait()
        entries = wait_until(lambda: self.entries()[1:] and self.entries(),
                             "its generation")
        self.assertEqual([entry["summary"] for entry in entries[:-1]],
                         ["BUFFER_PROFILE 900 added"])

    def test_the_difference_of_two_generations(self):
        client = self.begin()
        self.change(client, "dynamic_th", "-3", "colour", "green")
        self.change(client, "dynamic_th", "-4")
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet0|3-4")
        self.ctl("config", "sync")
        third, second, first = [str(g) for g in self.generations()[1:]]
        text = self.ctl("config", "history", "diff", second)
        self.assertEqual(text,
                         "- BUFFER_PG|Ethernet0|3-4\n"
                         "    - profile pg_lossless_100000_5m_profile\n"
                         f"~ {PROFILE}\n"
                         "    - dynamic_th -3\n    + dynamic_th -4\n")
        text = self.ctl("config", "history", "diff", third, first)
        self.assertEqual(text, f"~ {PROFILE}\n"
                         "    - colour green\n    - dynamic_th -4\n"
                         "    + dynamic_th 3\n")
        self.assertEqual(self.ctl("config", "history", "diff", first, first),
                         "No row differs.\n")
        # What is no generation yet counts as well.
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "-5")
        wait_until(lambda: "dynamic_th -5" in
                   self.ctl("config", "history", "diff", third),
                   "orchd has read the row")
        self.refuse(NO, "not in the history", "config", "history", "diff", "99999")
        self.refuse(USAGE, "'diff N .M.'", "config", "history", "show", "1")
        self.refuse(USAGE, "'x' is not a generation number", "config",
                    "history", "diff", "x")

    def test_comments(self):
        client = self.begin()
        [first] = self.generations()
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "-1")
        # The newest generation has what was written before.
        self.ctl("config", "comment", "wär's gut?")
        self.ctl("config", "comment", str(first), "the example")
        entries = self.entries()
        self.assertEqual([entry["comment"] for entry in entries],
                         ["wär's gut?", "the example"])
        self.ctl("config", "comment", "better")
        self.assertEqual(self.entries()[0]["comment"], "better")
        self.assertIn("better", self.ctl("config", "history"))
        self.refuse(NO, "generation 4711 is not in the history", "config",
                    "comment", "4711", "x")
        self.refuse(USAGE, "'x' is not a generation number", "config",
                    "comment", "x", "4711")
        self.refuse(USAGE, "1001 bytes, more than 1000", "config", "comment",
                    "x" * 1001)


class Save(History):

    def save(self, *options):
        path = os.path.join(self.directory, "saved.json")
        text = self.ctl("config", "save", path, *options)
        with open(path, encoding="utf-8") as file:
            return text, json.load(file), path

    def test_what_is_saved_is_what_was_loaded(self):
        client = self.start_example()
        client.on(CONFIG_DB, "HSET", "OTHER_TABLE|a|b", "answer", "42",
                  "list@", "x,y")
        text, tables, path = self.save()
        with open(EXAMPLE, encoding="utf-8") as file:
            loaded = json.load(file)
        loaded["OTHER_TABLE"] = {"a|b": {"answer": "42", "list": ["x", "y"]}}
        self.assertEqual(tables, loaded)
        self.assertEqual(text, f"Saved {len(rows_of(EXAMPLE)) + 1} rows to "
                         f"{path}.\n")
        rows = client.hashes(CONFIG_DB, "*|*")
        self.ctl("config", "load", path, "--replace", "--wait")
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), rows)

    def test_rows_that_are_not_in_force_are_left_out_and_named(self):
        client = self.start_example()
        before = client.hash(CONFIG_DB, PROFILE)
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "99")
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|bad", "type", "sideways")
        client.on(CONFIG_DB, "HSET", "BUFFER_QUEUE|Ethernet0|7", "profile",
                  "missing")
        self.ctl("config", "sync", code=NO)
        text, tables, _ = self.save()
        self.assertEqual(tables["BUFFER_PROFILE"][PROFILE.split("|")[1]],
                         before)
        self.assertNotIn("bad", tables["BUFFER_POOL"])
        self.assertNotIn("Ethernet0|7", tables["BUFFER_QUEUE"])
        self.assertIn("Left out: BUFFER_POOL|bad, because it is rejected (",
                      text)
        self.assertIn("Left out: BUFFER_QUEUE|Ethernet0|7, because it is "
                      "waiting", text)
        self.assertRegex(text, rf"Saved {PROFILE.replace('|', '.')} .*with the "
                         "content in force")

    def test_what_cannot_be_written(self):
        self.start_example()
        missing = os.path.join(self.directory, "missing", "file")
        self.refuse(NO, f"{missing} cannot be written: No such file or "
                    "directory", "config", "save", missing)

    def test_a_pipe_and_a_link_stay_what_they_are(self):
        self.start_example()
        _, tables, path = self.save()
        pipe = os.path.join(self.directory, "pipe")
        os.mkfifo(pipe)
        read = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
        self.addCleanup(read.wait)
        self.addCleanup(read.kill)
        # A file is renamed over the old one, which would end a pipe or device.
        self.ctl("config", "save", pipe)
        self.assertEqual(json.loads(read.communicate(timeout=PATIENCE_S)[0]),
                         tables)
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        os.truncate(path, 0)
        link = os.path.join(self.directory, "link")
        os.symlink(path, link)
        self.ctl("config", "save", link)
        self.assertTrue(os.path.islink(link))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file), tables)


if __name__ == "__main__":
    unittest.main()
