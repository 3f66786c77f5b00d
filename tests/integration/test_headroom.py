# SPDX-License-Identifier: Apache-2.0
"""orchctl headroom plan, without a daemon, and what its rows are worth."""

import json
import os
import subprocess
import unittest

from harness import LIBSAI, ORCHD, SOURCE, wait_until
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
                (("--model", "nosuch", "1x100G@5m"), "nosuch"),
                (("--platform", "nosuch", "1x100G@5m"), "barefoot, vs or"),
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

    def test_rows_follow_from_a_lookup_table(self):
        table = self.write("lookup.ini", "100000 5m 1248 2288 165568 0 2288\n")
        path = self.write("plan.json", json.dumps(
            self.without_lossless_groups()))
        words = ("config", "plan", path, "--sai", LIBSAI, "--chips", CHIPS,
                 "--yang-dir", os.path.join(SOURCE, "schemas"))
        for options, groups in (((), 0), (("--lookup", table), 64)):
            plan = self.data(*words, *options)
            self.assertEqual(plan["resources"]["after"]["lossless_pgs"], groups)
        out = self.run_ctl(*words, "--lookup", self.write("bad.ini", "1 2\n"))
        self.assertEqual(out.returncode, USAGE)
        self.assertIn("bad.ini:1: expected speed", out.stderr)

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
        out = subprocess.run(
            [ORCHD, "--set", "lookup_file=/nonexistent/x", "--redis",
             "unix:/nonexistent", "--sai", LIBSAI, "--control",
             os.path.join(self.directory, "c.sock"), "--yang-dir",
             os.path.join(SOURCE, "schemas")],
            capture_output=True, text=True, timeout=60)
        self.assertNotEqual(out.returncode, 0)
        self.assertIn("/nonexistent/x", out.stderr)

    def test_no_rows_for_what_does_not_fit(self):
        rows = os.path.join(self.directory, "rows.json")
        out = self.run_ctl(*self.words("--model", "th", "--emit", rows,
                                       "32x100G@300m"))
        self.assertEqual(out.returncode, NO)
        self.assertIn("does not fit", out.stderr)
        self.assertFalse(os.path.exists(rows))
        out = self.run_ctl(*self.words("--emit", "/nonexistent/rows",
                                       "1x100G@5m"))
        self.assertEqual(out.returncode, NO)
        self.assertIn("/nonexistent/rows", out.stderr)


if __name__ == "__main__":
    unittest.main()
