# SPDX-License-Identifier: Apache-2.0
"""What lies between orchd and a libsai: records, replay, faults, figures."""

import json
import os
import re
import resource
import subprocess
import unittest

from harness import (CONFIG_DB, LIBSAI, SOURCE, VENDOR, needs_packets,
                     not_beside, once, wait_until)
from test_cli import EXAMPLE, NO, UNREACHABLE, USAGE, Cli

setUpModule = not_beside("it is about SAI calls")

POOL = "BUFFER_POOL|late_pool"
POOL_ROW = {"size": "4096", "type": "egress", "mode": "dynamic"}


class SaiTools(Cli):

    def setUp(self):
        super().setUp()
        self.record = os.path.join(self.directory, "sai.record")

    def start_recording(self, *options):
        self.client_ = self.start_redis()
        self.start_orchd("--record", self.record, *options)
        wait_until(self.listens, "orchd listens")
        return self.client_

    def lines(self, path=None):
        with open(path or self.record, encoding="utf-8") as file:
            return file.read().splitlines()

    def replay(self, *options, code=0, path=None):
        return self.data("sai", "replay", path or self.record, *options,
                         code=code)

    def set_row(self, client, row, fields):
        client.on(CONFIG_DB, "HSET", row,
                  *[word for pair in fields.items() for word in pair])


class Records(SaiTools):

    def test_a_record_replays_on_a_fresh_switch_without_difference(self):
        self.start_recording()
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.client_.on(CONFIG_DB, "DEL", "WRED_PROFILE|AZURE_LOSSLESS")
        self.ctl("config", "sync")
        self.stop_orchd()
        head = self.lines()[:6]
        self.assertEqual(head[0], "# orchd SAI record 1")
        self.assertIn("# library " + LIBSAI, head)
        replayed = self.replay()
        self.assertFalse(replayed["differs"])
        self.assertEqual(replayed["skipped"], 0)
        self.assertEqual(replayed["calls"], len(
            [line for line in self.lines() if not line.startswith("#")]))
        self.assertGreater(replayed["calls"], 20)
        self.assertIn("gave the same result",
                      self.ctl("sai", "replay", self.record))

    def test_a_replay_with_a_fault_names_the_first_difference(self):
        self.start_recording()
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.stop_orchd()
        rules = self.write("faults.json", json.dumps(
            [{"op": "create", "type": "buffer_profile", "nth": 2,
              "status": "insufficient_resources"}]))
        found = self.replay("--sai-faults", rules, code=NO)
        self.assertTrue(found["differs"])
        self.assertEqual(found["what"], "status of object 1")
        self.assertEqual(found["recorded"], "SAI_STATUS_SUCCESS")
        self.assertEqual(found["found"], "SAI_STATUS_INSUFFICIENT_RESOURCES")
        creates = [n for n, line in enumerate(self.lines(), 1)
                   if " create_many SAI_OBJECT_TYPE_BUFFER_PROFILE " in line]
        self.assertEqual(found["place"], f"{self.record}:{creates[0]}")
        output = self.ctl("sai", "replay", self.record, "--sai-faults", rules,
                          code=NO)
        self.assertIn("status of object 1 differs", output)
        self.assertIn("SAI_STATUS_INSUFFICIENT_RESOURCES", output)

    def test_another_chip_is_another_answer(self):
        self.start_recording()
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.stop_orchd()
        found = self.replay("--profile", "SOFTASIC_MODEL=generic", code=NO)
        self.assertTrue(found["differs"])

    def test_kill_leaves_a_record_that_replays_up_to_its_end(self):
        self.start_recording()
        self.ctl("config", "load", EXAMPLE)
        wait_until(lambda: os.path.exists(self.record) and
                   len(self.lines()) > 20, "some calls were recorded")
        self.kill_orchd()
        replayed = self.replay()
        self.assertFalse(replayed["differs"])
        self.assertGreater(replayed["calls"], 10)
        # And whatever byte it was cut at.
        with open(self.record, "rb") as file:
            whole = file.read()
        for cut in range(len(whole) - 150, len(whole), 13):
            with open(self.record, "wb") as file:
                file.write(whole[:cut])
            self.assertFalse(self.replay()["differs"])

    def test_a_restart_keeps_the_record_of_before(self):
        self.start_recording()
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.kill_orchd()
        before = self.lines()
        self.start_orchd("--record", self.record)
        wait_until(lambda: os.path.exists(self.record + ".1"), "a new record")
        self.assertEqual(self.lines(self.record + ".1"), before)
        wait_until(self.listens, "orchd listens")
        self.refuse(USAGE, "start orchd with --state-dir", "sai", "trace",
                    "on", "x")
        self.stop_orchd()

    @once
    def test_a_trace_that_cannot_be_written_is_a_failure(self):
        self.start_redis()
        # Python ignores SIGXFSZ, and so does orchd now: writes beyond the
        # limit fail as on a full disk.
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command("--state-dir", self.directory), stderr=log,
                restore_signals=False)
        wait_until(self.listens, "orchd listens")
        self.ctl("config", "load", EXAMPLE, "--wait")
        resource.prlimit(self.orchd_process.pid, resource.RLIMIT_FSIZE,
                         (16384, 16384))
        for state in (["on", "trace"], ["off"]):
            self.refuse(NO, "trace lacks the last calls; it could not be "
                            "written: File too large", "sai", "trace", *state)
        self.assertIn("File too large", self.data("sai", "trace")["error"])

    def test_trace_can_be_switched(self):
        self.start_redis()
        self.start_orchd("--state-dir", self.directory)
        wait_until(self.listens, "orchd listens")
        self.ctl("config", "load", EXAMPLE, "--wait")
        trace = os.path.join(self.directory, "trace")
        self.assertIn("Not recording", self.ctl("sai", "trace"))
        self.refuse(USAGE, "no file", "sai", "trace", "on")
        self.refuse(USAGE, "allowed: on, off", "sai", "trace", "maybe")
        self.assertIn("Recording to " + trace,
                      self.ctl("sai", "trace", "on", "trace"))
        client = self.client()
        self.set_row(client, POOL, POOL_ROW)
        self.wait_state(client, POOL, "applied")
        self.assertIn("Not recording", self.ctl("sai", "trace", "off"))
        size = os.path.getsize(trace)
        self.assertTrue([line for line in self.lines(trace) if re.search(
            r" create SAI_OBJECT_TYPE_BUFFER_POOL .*"
            r"SAI_BUFFER_POOL_ATTR_SIZE=4096 .*"
            r"=> SAI_STATUS_SUCCESS oid:0x\w+ [\d.]+us$", line)])
        client.on(CONFIG_DB, "DEL", POOL)
        self.ctl("config", "sync")
        self.assertEqual(os.path.getsize(trace), size)
        # A trace that began late knows what was there all the same.
        self.assertFalse(self.replay(path=trace)["differs"])
        self.assertTrue([line for line in self.lines(trace) if
                         " snapshot SAI_OBJECT_TYPE_BUFFER_PROFILE " in line])
        self.ctl("sai", "trace", "on", trace)
        self.set_row(client, "BUFFER_PROFILE|egress_lossy_profile",
                     {"dynamic_th": "1"})
        self.ctl("config", "sync")
        self.ctl("sai", "trace", "off")
        self.assertTrue([line for line in self.lines(trace) if
                         " set SAI_OBJECT_TYPE_BUFFER_PROFILE " in line])
        self.assertFalse(self.replay(path=trace)["differs"])
        self.assertTrue(self.data("sai", "trace", "on")["recording"])
        self.assertTrue(os.path.exists(trace + ".1"))
        # Only there.
        for path in ("/tmp/x", "../x", "x/y", ".", "..",
                     self.directory + "/../x", self.directory + "x"):
            self.refuse(USAGE, "only to files in its state directory", "sai",
                        "trace", "on", path)
        precious = self.write("precious", "not a record\n")
        self.refuse(NO, "is not a SAI record", "sai", "trace", "on", precious)
        self.assertEqual(self.lines(precious), ["not a record"])
        self.assertFalse(self.data("sai", "trace")["recording"])
        self.stop_orchd()

    def test_what_is_no_record_is_refused(self):
        path = self.write("junk", "hello\n")
        self.refuse(USAGE, "is not a SAI record", "sai", "replay", path)
        self.refuse(NO, "cannot read", "sai", "replay", path + "x")
        head = "# orchd SAI record 1\n# begun X part 1\n"
        path = self.write("nolib", head)
        self.refuse(USAGE, "use --sai", "sai", "replay", path)
        head += "# profile SOFTASIC_MODEL_DIR=" + os.path.join(
            SOURCE, "chips") + "\n"
        path = self.write("bad", head + "S dance a => b 1us\n")
        self.refuse(NO, "expected an operation, found 'dance'", "sai",
                    "replay", path, "--sai", LIBSAI)
        path = self.write("part", head.replace("part 1", "part 2"))
        self.refuse(NO, r"part\.1", "sai", "replay", path)


class Faults(SaiTools):

    def test_a_fault_fails_a_row_which_recovers_when_it_is_cleared(self):
        self.start_example()
        client = self.client()
        output = self.data("sai", "fault", "add", "--op", "create", "--type",
                           "buffer_pool", "--status", "insufficient_resources")
        self.assertEqual(output, {"id": 1})
        self.set_row(client, POOL, POOL_ROW)
        self.wait_state(client, POOL, "failed")
        status = self.status(client, POOL)
        self.assertEqual(status["code"],
                         "sai:SAI_STATUS_INSUFFICIENT_RESOURCES")
        [rule] = self.data("sai", "fault", "list")["faults"]
        self.assertEqual(rule["type"], "SAI_OBJECT_TYPE_BUFFER_POOL")
        self.assertGreaterEqual(rule["strikes"], 1)
        self.assertIn("SAI_OBJECT_TYPE_BUFFER_POOL",
                      self.ctl("sai", "fault", "list"))
        self.ctl("sai", "fault", "clear", "1")
        self.wait_state(client, POOL, "applied")
        self.assertIn("no fault rules", self.ctl("sai", "fault", "list"))
        self.refuse(NO, "there is no fault rule 1", "sai", "fault", "clear", "1")
        self.stop_orchd()

    def test_a_masked_attribute_is_unsupported(self):
        rules = self.write("faults.json", json.dumps(
            [{"type": "buffer_pool", "attribute": "xoff_size",
              "unsupported": True}]))
        client = self.start_redis()
        self.start_orchd("--sai-faults", rules)
        wait_until(self.listens, "orchd listens")
        self.ctl("config", "load", EXAMPLE, "--wait", code=NO)
        row = "BUFFER_POOL|ingress_lossless_pool"
        self.wait_state(client, row, "unsupported")
        status = self.status(client, row)
        self.assertEqual((status["code"], status["field"]),
                         ("sai:SAI_STATUS_ATTR_NOT_SUPPORTED_3", "xoff"))
        self.wait_state(client, "BUFFER_POOL|egress_lossless_pool", "applied")
        self.stop_orchd()

    def test_bad_rules_say_what_is_wrong_and_where(self):
        path = self.write("faults.json",
                          '[{"status": "failure"},\n {"typo": 1}]')
        self.start_redis()
        self.start_orchd("--sai-faults", path)
        self.assertEqual(self.orchd_process.wait(30), 2)
        self.assertIn(f"{path}: rule 2: a rule has no field 'typo'",
                      self.log_text())
        path = self.write("faults.json", '[{"status": "failure"},\n {')
        self.start_orchd("--sai-faults", path)
        self.assertEqual(self.orchd_process.wait(30), 2)
        self.assertIn(path + ":2:", self.log_text())

    def test_bad_faults_are_refused_at_the_socket(self):
        self.start_example()
        self.refuse(USAGE, "'status'", "sai", "fault", "add", "--status", "x")
        self.refuse(USAGE, "'type'", "sai", "fault", "add", "--type", "x",
                    "--status", "failure")
        self.refuse(USAGE, "needs status", "sai", "fault", "add")
        self.refuse(USAGE, "only sai fault add", "sai", "fault", "list",
                    "--status", "failure")
        self.refuse(USAGE, "an id, a number", "sai", "fault", "clear", "x")
        self.assertEqual(self.data("sai", "fault", "list"), {"faults": []})
        self.stop_orchd()

    def test_without_a_switch_or_a_daemon_they_say_so(self):
        self.refuse(UNREACHABLE, ".", "sai", "fault", "list")
        self.start()
        for words in (("sai", "trace"), ("sai", "fault", "list"),
                      ("show", "sai-stats")):
            self.refuse(NO, ".", *words)


class Figures(SaiTools):

    def test_calls_failures_and_latencies_are_counted(self):
        self.start_example()
        stats = self.data("show", "sai-stats")
        lines = {(s["type"], s["op"]): s for s in stats["sai_stats"]}
        pools = lines["SAI_OBJECT_TYPE_BUFFER_POOL", "create_many"]
        self.assertEqual((pools["calls"], pools["failures"]), (1, 0))
        for line in stats["sai_stats"]:
            self.assertLessEqual(line["p50_ns"], line["p99_ns"])
            self.assertLessEqual(line["p99_ns"], line["max_ns"])
            self.assertLessEqual(line["max_ns"], line["total_ns"])
        self.assertEqual(stats["refused"], 0)
        output = self.ctl("show", "sai-stats")
        self.assertRegex(output, r"BUFFER_POOL +create_many +1 +0 ")

        # A delay shows, and so does a failure.
        client = self.client()
        self.ctl("sai", "fault", "add", "--type", "buffer_pool", "--op",
                 "create", "--nth", "1", "--delay_us", "20000", "--status",
                 "table_full")
        self.set_row(client, POOL, POOL_ROW)
        self.wait_state(client, POOL, "applied")
        lines = {(s["type"], s["op"]): s
                 for s in self.data("show", "sai-stats")["sai_stats"]}
        pools = lines["SAI_OBJECT_TYPE_BUFFER_POOL", "create"]
        self.assertEqual((pools["calls"], pools["failures"]), (2, 1))
        self.assertGreaterEqual(pools["max_ns"], 20000000)
        self.stop_orchd()


del Cli
class Gaps(SaiTools):

    def gaps(self, *words):
        return {(g["type"], g["attribute"]): g["objects"]
                for g in self.data("show", "sai-gaps", *words)["sai_gaps"]}

    @needs_packets
    def test_nothing_that_orchd_sets_is_without_effect(self):
        self.start_example()
        self.assertEqual(self.gaps(), {})
        self.assertIn("Nothing without effect", self.ctl("show", "sai-gaps"))
        every = self.gaps("--all")
        self.assertEqual(set(every.values()), {0})
        self.assertIn(("SAI_OBJECT_TYPE_MIRROR_SESSION", None), every)
        self.assertIn(("SAI_OBJECT_TYPE_PORT", "SAI_PORT_ATTR_FEC_MODE"),
                      every)
        self.stop_orchd()

    @unittest.skipIf(VENDOR == "softasic", "softasic knows them")
    def test_those_of_a_vendor_are_not_known(self):
        self.start_example()
        self.refuse(NO, "not known", "show", "sai-gaps")
        self.stop_orchd()


class Differences(SaiTools):

    def test_a_switch_that_holds_what_is_meant_has_none(self):
        self.start()
        self.refuse(NO, "no switch yet", "config", "diff")
        self.ctl("config", "load", EXAMPLE, "--wait")
        data = self.data("config", "diff")
        self.assertEqual(data["differences"], [])
        # 32 ports with 7 attributes, 96 groups, 224 queues, and the rest.
        self.assertGreater(data["compared"], 500)
        self.assertRegex(self.ctl("config", "diff"), r"^Attributes compared: "
                         r"\d+, different: 0\.\n$")

    def test_what_cannot_be_read_is_named(self):
        self.start()
        self.ctl("config", "load", EXAMPLE, "--wait")
        compared = self.data("config", "diff")["compared"]
        self.ctl("sai", "fault", "add", "--op", "get", "--type",
                 "buffer_profile", "--attribute", "pool_id", "--status",
                 "not_implemented")
        data = self.data("config", "diff")
        self.assertEqual([data["differences"], len(data["unread"])], [[], 1])
        unread = data["unread"][0]
        self.assertEqual(unread["attribute"], "POOL_ID")
        self.assertGreater(unread["objects"], 2)
        self.assertEqual(unread["status"], "SAI_STATUS_NOT_IMPLEMENTED")
        self.assertEqual(data["compared"], compared - unread["objects"])
        self.assertRegex(self.ctl("config", "diff"),
                         r"cannot read it \(SAI_STATUS_NOT_IMPLEMENTED\): "
                         r"POOL_ID of \d+ objects, for example BUFFER_PROFILE")

    def test_what_was_refused_differs(self):
        client = self.start()
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.ctl("sai", "fault", "add", "--op", "set", "--type",
                 "buffer_profile", "--status", "failure")
        profile = "BUFFER_PROFILE|egress_lossy_profile"
        self.set_row(client, profile, {"dynamic_th": "-5"})
        self.ctl("config", "sync", code=NO)
        self.assertEqual(self.data("config", "diff", code=NO)["differences"], [
            {"object": profile, "attribute": "SHARED_DYNAMIC_TH",
             "intended": "-5", "found": "3",
             "refused": "SAI_STATUS_FAILURE"}])
        text = self.ctl("config", "diff", code=NO)
        self.assertIn("different: 1.", text)
        self.assertIn(profile, text)


class Explanations(SaiTools):

    def explain(self, row):
        return self.data("config", "explain", row)

    def test_a_row_attribute_by_attribute(self):
        client = self.start()
        self.ctl("config", "load", EXAMPLE, "--wait")
        row = self.explain("BUFFER_QUEUE|Ethernet0|3-4")
        self.assertEqual([o["object"] for o in row["objects"]],
                         ["BUFFER_QUEUE|Ethernet0|3",
                          "BUFFER_QUEUE|Ethernet0|4"])
        self.assertEqual(row["status"]["state"], "applied")
        profile = "BUFFER_PROFILE|egress_lossless_profile"
        self.assertEqual(row["objects"][0]["attributes"], [
            {"attribute": "BUFFER_PROFILE_ID", "field": "profile",
             "intended": profile, "found": profile}])
        self.assertRegex(row["objects"][0]["oid"], "^oid:0x")

        # A more specific row takes one of the places.
        self.set_row(client, "BUFFER_QUEUE|Ethernet0|3",
                     {"profile": "egress_lossy_profile"})
        self.ctl("config", "sync")
        row = self.explain("BUFFER_QUEUE|Ethernet0|3-4")
        self.assertEqual(row["objects"][0]["shadowed_by"],
                         "BUFFER_QUEUE|Ethernet0|3")
        self.assertNotIn("intended", row["objects"][0]["attributes"][0])
        self.assertEqual(row["objects"][0]["attributes"][0]["found"],
                         "BUFFER_PROFILE|egress_lossy_profile")
        self.assertNotIn("shadowed_by", row["objects"][1])

    def test_a_row_that_waits(self):
        client = self.start()
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.set_row(client, "BUFFER_PROFILE|new",
                     {"pool": "nowhere", "size": "1", "dynamic_th": "1"})
        self.ctl("config", "sync", code=NO)
        row = self.explain("BUFFER_PROFILE|new")
        self.assertEqual(row["status"]["state"], "waiting")
        self.assertIsNone(row["objects"][0]["oid"])
        self.assertEqual(row["objects"][0]["waits_for"], "BUFFER_POOL|nowhere")
        text = self.ctl("config", "explain", "BUFFER_PROFILE|new")
        self.assertIn("BUFFER_PROFILE|new: waiting (missing-ref)", text)
        self.assertIn("not on the ASIC", text)
        self.assertIn("waits for BUFFER_POOL|nowhere", text)

    def test_what_is_not_there(self):
        self.start()
        self.refuse(NO, "has no row PORT|nowhere", "config", "explain",
                    "PORT|nowhere")
        self.refuse(USAGE, "PORT is a table; name a row", "config", "explain",
                    "PORT")
        self.refuse(USAGE, "there is no table", "config", "explain", "X|y")
        self.refuse(USAGE, "needs", "config", "explain")


if __name__ == "__main__":
    unittest.main()
