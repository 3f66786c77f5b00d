# SPDX-License-Identifier: Apache-2.0
"""orchctl headroom plan, without a daemon, and what its rows are worth."""

import json
import os
import re
import shutil
import subprocess
import unittest

from harness import (CONFIG_DB, LIBSAI, ORCHD, PATIENCE_S, SOURCE, needs_sai,
                     once, wait_until)
from test_cli import DONE, EXAMPLE, NO, USAGE, Cli

CHIPS = os.path.join(SOURCE, "chips")


class Headroom(Cli):

    def words(self, *words):
        return ("headroom", "plan", "--chips", CHIPS, *words)

    def answer(self, *words, code=DONE):
        return self.data(*self.words(*words), code=code)

    def test_what_does_not_fit_is_no(self):
        private = self.answer("--model", "th", "32x100G@300m", code=NO)
        self.assertFalse(private["fits"])
        self.assertLess(private["private"]["left_bytes"], 0)
        self.assertEqual(private["min_ratio"], 2)
        self.assertNotIn("kmin_bytes", private)
        shared = self.answer("--model", "th", "--ratio", "2", "32x100G@300m")
        self.assertTrue(shared["fits"])
        self.assertEqual(shared["groups"][0]["paused_at_once"], 8)

    def test_a_longer_region_than_the_chip_is_deep(self):
        regional = self.answer("--model", "th", "--ratio", "64", "2x100G@40km",
                               "30x100G@5m", code=NO)
        self.assertIsNone(regional["min_ratio"])
        self.assertEqual(regional["groups"][0]["round_trip_ns"], 404040)
        terms = {term["name"]: term["value"]
                 for term in regional["groups"][0]["terms"]}
        self.assertEqual(terms["cable"], "5050505.050")
        self.assertEqual(terms["peer"], "25216")
        text = self.ctl(*self.words("--model", "th", "--ratio", "64",
                                    "2x100G@40km"), code=NO)
        self.assertIn("A shared headroom pool does not fit either", text)
        self.assertIn("The plan does not fit.", text)

    def test_the_table_has_the_numbers_of_the_json(self):
        words = ("--model", "th", "--ratio", "4", "--congested", "16",
                 "32x100G@300m")
        answer = self.answer(*words)
        text = self.ctl(*self.words(*words))
        for number in ("pfc_bytes", "kmin_bytes", "pool_size_bytes",
                       "pool_xoff_bytes", "shared_limit_bytes"):
            self.assertIn("{:,}".format(answer[number]), text)

    def test_the_vendors_table_is_compared_and_why_it_differs(self):
        path = os.path.join(self.directory, "lookup.ini")
        with open(path, "w", encoding="utf-8") as file:
            file.write("100000 5m 1248 2288 170000 0\n"
                       "100000 105m 1248 2288 200000 0\n"
                       "25000 5m 1248 2288 60000 0\n")
        words = ("--model", "th", "--lookup", path, "1x100G@5m", "1x100G@105m",
                 "1x100G@40m", "1x25G@5m")
        groups = self.answer(*words)["groups"]
        for group, vendor in zip(groups, (170000, 200000, None, 60000)):
            self.assertEqual(group.get("vendor_xoff_bytes"), vendor)
            if vendor:
                more = 100 * (group["xoff_bytes"] - vendor) / vendor
                self.assertLessEqual(
                    abs(group["over_vendor_percent"] - more), 0.5)
        self.assertNotIn("over_vendor_percent", groups[2])
        text = self.ctl(*self.words(*words))
        for group in groups[:2]:
            self.assertIn(
                "Vendor: at 100000 Mb/s and %d m the formula has xoff %s, and "
                "the lookup table %s (%+d %%)." % (
                    group["cable_m"], format(group["xoff_bytes"], ","),
                    format(group["vendor_xoff_bytes"], ","),
                    group["over_vendor_percent"]), text)
        # 30,000 bytes in 100 m; light takes 10.1 ns for a metre and back.
        self.assertRegex(text, r"holds 126 bytes in both directions, the "
                         r"formula\n  reserves \d+ bytes and the table 300: "
                         r"\d+\.\d and 2\.3 bytes")
        self.assertRegex(text, r"At 0 m the formula reserves [\d,]+ bytes and "
                         r"the table 168,500:")
        self.assertIn("no entry for speed 100000 Mb/s and cable 40m", text)
        self.assertIn("one length at 25000 Mb/s", text)
        self.refuse(USAGE, "nowhere", *self.words(
            "--model", "th", "--lookup", "/nowhere", "1x100G@5m"))

    def test_the_shipped_table_of_the_chip_is_compared(self):
        words = ("--model", "th", "1x100G@5m", "1x100G@300m")
        groups = self.answer(*words)["groups"]
        [hwsku] = {group["vendor_hwsku"] for group in groups}
        # The formula is below the table on short cables, above it on long ones.
        self.assertLess(groups[0]["over_vendor_percent"], 0)
        self.assertGreater(groups[1]["over_vendor_percent"], 0)
        self.assertIn("the lookup table of " + hwsku + " ",
                      self.ctl(*self.words(*words)))
        # The generic chip is in no switch.
        self.assertNotIn("Vendor", self.ctl(*self.words(
            "--model", "generic", "1x100G@5m")))

    def test_what_a_formula_leaves_out_is_a_warning(self):
        words = ("--model", "spc1", "1x10G@40m", "--mtu", "1500")
        text = self.ctl(*self.words(*words))
        self.assertIn("Warning: at 10000 Mb/s and 40 m", text)
        self.assertIn("of which the chip takes 9120 for itself", text)
        self.assertIn("The plan fits.", text)
        group = self.answer(*words)["groups"][0]
        self.assertLess(group["usable_xoff_bytes"], group["needed_any_bytes"])
        self.assertNotIn("Warning", self.ctl(*self.words(*words, "--ratio",
                                                         "2")))
        self.assertIn("burst of packets of 60 bytes", self.ctl(
            *self.words("--model", "th", "1x100G@300m", "--small-packets",
                        "0")))

    def test_wrong_questions_are_usage(self):
        for words, why in (
                (("32x100G",), "[Nx]SPEED[/LANES]@LENGTH"),
                (("32x100G@5",), "a length like 5m or 40km"),
                (("32x100X@5m",), "a number of Mb/s"),
                (("32x100@300m",), "the speed 100 has no unit (did you mean "
                 "100G?)\n  allowed: like 100G or 100M\n  remedy: write 100G "
                 "for Gb/s, or 100M for Mb/s"),
                (("1x1600@5m",), "did you mean 1600G?"),
                (("--model", "nosuch", "1x100G@5m"), "nosuch"),
                (("--platform", "nosuch", "1x100G@5m"), "barefoot, vs, generic"),
                (("--priorities", "3,8", "1x100G@5m"), "3,4"),
                (("--ratio", "-1", "1x100G@5m"), "0..65535"),
                (("--model", "th", "129x100G@5m"), "at most 128 ports"),
                ((), "needs"),
                (("--congested", "0", "1x100G@5m"), "1..65535")):
            out = self.run_ctl(*self.words(*words))
            self.assertEqual(out.returncode, USAGE, words)
            self.assertIn(why, out.stderr)

    def test_a_wrong_word_is_reported_before_missing_chips(self):
        for words, why in (
                (("nonsense",), "[Nx]SPEED[/LANES]@LENGTH"),
                (("--priorities", "9", "1x100G@5m"), "3,4"),
                (("1x100G@5m",), "/nowhere")):
            out = self.run_ctl("headroom", "plan", "--chips", "/nowhere",
                               *words)
            self.assertEqual(out.returncode, USAGE, words)
            self.assertIn(why, out.stderr)

    def test_rows_are_accepted_and_fit(self):
        rows = os.path.join(self.directory, "rows.json")
        self.ctl(*self.words("--model", "th", "--ratio", "4", "--emit", rows,
                             "32x100G@300m"))
        with open(rows, encoding="utf-8") as file:
            config = json.load(file)
        self.assertEqual(len(config["BUFFER_PG"]), 32)
        config["PORT"] = {
            "Ethernet%d" % (4 * i):
                {"lanes": ",".join(str(4 * i + j + 1) for j in range(4)),
                 "speed": "100000"} for i in range(32)}
        config["DEVICE_METADATA"] = {"localhost": {"hwsku": "Arista-7060CX-32S"}}
        path = self.write("plan.json", json.dumps(config))
        plan = self.data("config", "plan", path, "--sai", LIBSAI, "--chips",
                         CHIPS, "--yang-dir", os.path.join(SOURCE, "schemas"))
        self.assertEqual(plan["violations"], [])
        after = plan["resources"]["after"]
        self.assertEqual(after["lossless_pgs"], 64)
        # 89 cells for each group.
        self.assertEqual(after["ingress_reserved_bytes"], 64 * 89 * 208)

    def test_pools_that_take_memory_fit_with_the_guarantees(self):
        # The chip subtracts headroom and guarantees from the size of the pool,
        # and reserves them beside it as well.
        rows = os.path.join(self.directory, "rows.json")
        words = self.words("--model", "th6", "--emit", rows)
        self.ctl(*words, "--ratio", "4", "128x800G@5m")
        with open(rows, encoding="utf-8") as file:
            config = json.load(file)
        config["PORT"] = {
            "Ethernet%d" % (8 * i):
                {"lanes": ",".join(str(8 * i + j + 1) for j in range(8)),
                 "speed": "800000"} for i in range(128)}
        config["DEVICE_METADATA"] = {"localhost": {"hwsku": "M2-W6950-1"}}
        path = self.write("plan.json", json.dumps(config))
        plan = self.data("config", "plan", path, "--sai", LIBSAI, "--chips",
                         CHIPS, "--yang-dir", os.path.join(SOURCE, "schemas"))
        self.assertEqual(plan["counts"]["failed"], 0)
        self.assertEqual(plan["resources"]["after"]["lossless_pgs"], 256)
        self.assertNotIn("pool-exceeds-memory",
                         [finding["code"] for finding in
                          plan["lint"]["findings"]])
        # It fits the memory once, but not twice.
        self.assertIn("does not fit",
                      self.run_ctl(*words, "128x800G@40m").stderr)

    def without_lossless_groups(self):
        """The example as SONiC delivers it: cables instead of profiles."""
        with open(EXAMPLE, encoding="utf-8") as file:
            config = json.load(file)
        del config["BUFFER_PROFILE"]["pg_lossless_100000_5m_profile"]
        config["BUFFER_PG"] = {key: row for key, row
                               in config["BUFFER_PG"].items()
                               if not key.endswith("|3-4")}
        config["CABLE_LENGTH"] = {"AZURE": {port: "5m"
                                            for port in config["PORT"]}}
        return config

    def of_unknown_hwsku(self):
        config = self.without_lossless_groups()
        config["DEVICE_METADATA"]["localhost"]["hwsku"] = "Unheard-Of-1"
        return config

    def test_rows_follow_from_a_lookup_table(self):
        table = self.write("lookup.ini", "100000 5m 1248 2288 165568 0 2288\n")
        path = self.write("plan.json", json.dumps(self.of_unknown_hwsku()))
        words = ("config", "plan", path, "--sai", LIBSAI, "--chips", CHIPS,
                 "--yang-dir", os.path.join(SOURCE, "schemas"))
        for options, groups in (((), 0), (("--lookup", table), 64)):
            plan = self.data(*words, *options)
            self.assertEqual(plan["resources"]["after"]["lossless_pgs"], groups)
        out = self.run_ctl(*words, "--lookup", self.write("bad.ini", "1 2\n"))
        self.assertEqual(out.returncode, USAGE)
        self.assertIn("bad.ini:1: expected speed", out.stderr)

    @once
    def test_the_shipped_table_of_the_hwsku_is_used(self):
        """The same in a dry run and in orchd, which says so once."""
        config = self.without_lossless_groups()
        path = self.write("plan.json", json.dumps(config))
        plan = self.data("config", "plan", path, "--sai", LIBSAI, "--chips",
                         CHIPS, "--yang-dir", os.path.join(SOURCE, "schemas"))
        self.assertEqual(plan["resources"]["after"]["lossless_pgs"], 64)
        # 32 rows of BUFFER_PG and a profile.
        self.assertEqual(plan["derived"]["applied"], 33)
        self.assertNotIn("lossless_gap", plan)
        client = self.start()
        loaded = self.load(config, "--wait")
        self.assertEqual(loaded["derived"]["applied"], 33)
        self.assertEqual(self.log_text().count("lookup-shipped "), 1)
        row = "BUFFER_PROFILE|pg_lossless_100000_5m_profile"
        explained = self.data("config", "explain", row)
        self.assertEqual(explained["fields"]["xoff"], "165568")
        self.assertEqual(explained["from"], "the lookup table that orchd has "
                         "for hwsku Celestica-DX010-C32")
        self.assertIn("Derived from the lookup table that orchd has",
                      self.ctl("config", "explain", row))
        # The user tunes one field.
        client.on(CONFIG_DB, "HSET", row, "dynamic_th", "-2")
        self.ctl("config", "sync")
        text = self.ctl("config", "explain", row)
        self.assertRegex(text, r"applied, generation \d+, origin user\+auto\n")
        self.assertRegex(text, r" SHARED_DYNAMIC_TH +dynamic_th +-2 +-2 ")
        self.assertRegex(text, r" XOFF_TH +xoff +165568 +165568 ")
        self.assertIn("Celestica-DX010-C32, except the fields that CONFIG_DB "
                      "has.", text)

    @once
    @needs_sai
    def test_pfc_without_any_lossless_group_is_said_in_one_line(self):
        config = self.of_unknown_hwsku()
        self.start()
        loaded = self.load(config, "--wait")
        self.assertEqual(loaded["lossless_gap"]["priorities"], "3,4")
        self.assertEqual(loaded["lossless_gap"]["ports"], 32)
        line = ("PFC is enabled for 3,4 on 32 ports, and no lossless priority "
                "group exists: no lookup_file is set, and orchd has no lookup "
                "table for hwsku Unheard-Of-1.\n  Remedy: ")
        self.assertIn(line, self.ctl("config", "status"))
        path = self.write("plan.json", json.dumps(config))
        self.assertIn(line, self.ctl(
            "config", "plan", path, "--model", "th", "--sai", LIBSAI,
            "--chips", CHIPS, "--yang-dir", os.path.join(SOURCE, "schemas")))
        del config["CABLE_LENGTH"]
        config["DEVICE_METADATA"] = self.without_lossless_groups()[
            "DEVICE_METADATA"]
        loaded = self.load(config, "--wait", "--replace", code=NO)
        self.assertIn("CABLE_LENGTH", loaded["lossless_gap"]["reason"])

    @once
    def test_a_load_counts_derived_rows_that_wait(self):
        """They do not change the exit code, because no row of the file is
        wrong."""
        config = self.without_lossless_groups()
        config["CABLE_LENGTH"]["AZURE"]["Ethernet0"] = "7m"
        self.start()
        loaded = self.load(config, "--wait")
        self.assertEqual((loaded["derived"]["applied"],
                          loaded["derived"]["waiting"]), (32, 1))
        self.assertIn("Derived rows: 32 applied, 1 waiting.", self.ctl(
            "config", "load", os.path.join(self.directory, "config.json"),
            "--wait"))
        self.assertEqual([(row["key"], row["code"]) for row in loaded["rows"]
                          if row["origin"] == "auto"],
                         [("Ethernet0|3-4", "no-lookup")])

    def test_derived_rows_are_shown(self):
        table = self.write("lookup.ini", "100000 5m 1248 2288 165568 0 2288\n")
        config = self.without_lossless_groups()
        config["CABLE_LENGTH"]["AZURE"]["Ethernet0"] = "7m"
        self.start_redis()
        self.start_orchd("--set", "lookup_file=" + table)
        wait_until(self.listens, "orchd listens")
        self.load(config, "--wait")
        row = self.data("config", "status", "BUFFER_PG|Ethernet4|3-4")
        self.assertEqual(row["rows"][0]["origin"], "auto")
        self.assertEqual(row["rows"][0]["fields"],
                         {"profile": "pg_lossless_100000_5m_profile"})
        missing = self.data("config", "status", "BUFFER_PG|Ethernet0|3-4",
                            code=NO)["rows"][0]
        self.assertEqual((missing["state"], missing["code"]),
                         ("waiting", "no-lookup"))
        self.assertEqual(missing["allowed"], "5m")

    def test_a_wrong_lookup_table_is_reported_at_the_start(self):
        missing = os.path.join(self.directory, "missing")
        out = subprocess.run(
            [ORCHD, "--set", "lookup_file=" + missing, "--redis",
             "unix:" + missing, "--sai", LIBSAI, "--control",
             os.path.join(self.directory, "c.sock"), "--yang-dir",
             os.path.join(SOURCE, "schemas")],
            capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertNotEqual(out.returncode, 0)
        self.assertIn(missing, out.stderr)

    def test_headroom_against_the_cable_is_drawn(self):
        words = self.words("--model", "th", "16x100G@300m", "8x40G@40m")
        text = self.ctl(*words, "--plot")
        for lanes in ("100G, 4 lanes", "40G, 4 lanes"):
            self.assertEqual(text.count(lanes), 1)
        rows = [int(row.replace(",", "")) for row in
                re.findall(r"^ +\d+ m .*?([0-9,]+)$", text, re.MULTILINE)]
        self.assertEqual(len(rows), 20)
        self.assertEqual(rows[:10], sorted(rows[:10]))
        for length in (0, 300):
            answer = self.answer("--model", "th", f"1x100G@{length}m")
            self.assertEqual(rows[length // 50],
                             answer["groups"][0]["xoff_bytes"])
        self.refuse(USAGE, r"'x.gif' is no format of pictures\n.*\.svg", *words,
                    "--plot", "x.gif")
        if shutil.which("gnuplot"):
            name = os.path.join(self.directory, "headroom.svg")
            self.assertTrue(self.ctl(*words, "--plot", name)
                            .endswith(f"\n{name}\n"))
            with open(name, encoding="utf-8") as file:
                self.assertIn("40G, 4 lanes: xoff by the formula", file.read())
            self.data(*words, "--plot", name)

    def test_credits_are_compared_with_pauses(self):
        words = ("headroom", "credits", "400G@300m", "1600G@2km")
        text = self.ctl(*words)
        answer = self.data(*words)
        self.assertEqual([link["cable_m"] for link in answer], [300, 2000])
        for link in answer:
            # What is on the cable there and back decides, twice with PFC.
            on_cable = 2 * 5 * link["cable_m"] * link["speed_mbps"] / 8000
            for name in ("pfc_headroom_bytes", "credit_bytes"):
                self.assertGreater(link[name], on_cable * 1536 / 1538)
            self.assertEqual(link["pfc_full_rate_bytes"],
                             2 * link["pfc_headroom_bytes"])
            self.assertGreater(link["pfc_headroom_bytes"],
                               link["credit_bytes"])
            for name in ("pfc_headroom_bytes", "credit_bytes"):
                self.assertIn("{:,}".format(link[name]), text)
        near = self.data("headroom", "credits", "400G@300m", "--spacing",
                         "800", "--peer-response", "1")[0]
        self.assertLess(near["credit_bytes"], answer[0]["credit_bytes"])
        self.assertLess(near["pfc_headroom_bytes"],
                        answer[0]["pfc_headroom_bytes"])
        self.refuse(USAGE, "write a speed and a cable like 400G@300m",
                    "headroom", "credits", "4x400G@300m")
        self.refuse(USAGE, "remedy: write a speed and a cable like 100G@300m",
                    "headroom", "credits", "400G")
        self.refuse(USAGE, "--frame must be a whole number in 64..9216 BYTES, "
                    "not '0'", *words, "--frame", "0")
        self.refuse(USAGE, "'x.gif' is no format of pictures", *words,
                    "--plot", "x.gif")
        if shutil.which("gnuplot"):
            name = os.path.join(self.directory, "credits.svg")
            self.ctl(*words, "--plot", name)
            with open(name, encoding="utf-8") as file:
                self.assertIn("1600 Gb/s, credits at full rate", file.read())

    def test_a_window_of_retry_arrives_after_the_pause(self):
        words = ("headroom", "plan", "--model", "th5", "--small-packets", "0",
                 "4x400G@500m")
        plain, same, large = (
            self.answer(*words[2:], *more)["groups"][0]["xoff_bytes"]
            for more in ((), ("--llr", "100000"), ("--llr", "2000000")))
        self.assertEqual(plain, same)
        self.assertGreaterEqual(large, 2000000 + 1024)
        self.assertLess(large, 2000000 + 4096)
        self.refuse(USAGE, "--llr", *self.words(*words[2:]), "--llr", "0")

    def test_no_rows_for_what_does_not_fit(self):
        rows = os.path.join(self.directory, "rows.json")
        out = self.run_ctl(*self.words("--model", "th", "--emit", rows,
                                       "32x100G@300m"))
        self.assertEqual(out.returncode, NO)
        self.assertIn("does not fit", out.stderr)
        self.assertFalse(os.path.exists(rows))
        rows = os.path.join(self.directory, "missing", "rows")
        out = self.run_ctl(*self.words("--emit", rows, "1x100G@5m"))
        self.assertEqual(out.returncode, NO)
        self.assertIn(rows, out.stderr)


if __name__ == "__main__":
    unittest.main()
