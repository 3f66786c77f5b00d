# SPDX-License-Identifier: Apache-2.0
"""Options of softasicd about what frames take, of time and of the buffer,
behind orchd.  Times are those of the switch."""

import os
import subprocess
import unittest

from harness import (BUILD, CHIPS, COUNTERS_DB, LIBSAI, PATIENCE_S, REMOTE,
                     SOURCE, VENDOR, System, as_commands, not_beside, rows_of,
                     wait_until)

setUpModule = not_beside("it is about the host of a libsai")

SOFTASICD = os.path.join(BUILD, "saihostd", "softasicd")
REMOTE_LIBSAI = os.path.join(BUILD, ".libs", "libsai-remote.so")
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
N_FRAMES, SIZE = 1000, 1500
CELL, N_HELD = 208, 100
# With FCS, preamble and gap, at 100 Gb/s.
FRAME_PS = (SIZE + 24) * 80


class Host(System):
    def command(self, *options, redis=None, remote=True):
        return super().command(*options, redis=redis, remote=remote)

    def start(self, *options):
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
                 "--model", "th", "--profile", *CHIPS, *options], stderr=log)
        wait_until(lambda: "host-ready" in self.host_text(), "there is a chip")
        client = self.start_redis()
        config = rows_of(EXAMPLE)
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd_only()
        self.wait_applied(client, config)

    def ask(self, verb, **arguments):
        answer = self.control("asic", verb, **arguments)
        self.assertEqual(answer["exit"], 0, answer)
        return answer.get("data")

    def end(self):
        self.stop_orchd()
        self.kill_host()
        self.kill_redis()

    def check_refused(self, words, said):
        run = subprocess.run(
            [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
             "--model", "th", "--profile", *CHIPS, *words],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(said, run.stderr)


@unittest.skipIf(VENDOR != "softasic" or REMOTE, "tried once, on softasicd")
class Lines(Host):
    def now(self):
        return self.ask("run", ns=0)["now_ps"]

    def measure(self, dilation):
        """How long frames take from one port to another, back to back; and
        where a blocked port makes the sender pause."""
        self.start("--profile", f"SOFTASIC_LINE_DILATION={dilation}")
        way = {"from": "Ethernet0", "to": "Ethernet4", "dscp": 3}
        before = self.now()
        self.ask("send", count=N_FRAMES, size=SIZE, **way)
        received = self.now()
        self.ask("block", ports=["Ethernet4"])
        paused = self.ask("send", count=100000, size=64, until="xoff", **way)
        self.end()
        return received - before, paused["sent"]

    def test_frames_take_longer_and_thresholds_stay(self):
        usual, paused = self.measure(1)
        self.assertGreaterEqual(usual, N_FRAMES * FRAME_PS)
        slower, paused_slower = self.measure(50)
        # The fixed part of the way, which stays, is less than a frame of it.
        self.assertGreaterEqual(slower, 50 * N_FRAMES * FRAME_PS)
        self.assertLess(abs(slower - 50 * usual), 50 * FRAME_PS)
        self.assertEqual(paused, paused_slower)

    def test_the_option_starts_a_clock(self):
        self.start("--line-dilation", "50")
        before = self.now()
        wait_until(lambda: self.now() > before + 10**9, "a millisecond passes")
        sent = self.now()
        self.ask("send", count=N_FRAMES, size=SIZE, dscp=3,
                 **{"from": "Ethernet0", "to": "Ethernet4"})
        self.assertGreaterEqual(self.now() - sent, 50 * N_FRAMES * FRAME_PS)
        self.stop_orchd()

    def test_what_is_wrong_is_refused(self):
        for words, said in (
                (("--line-dilation", "0"), "1 to 1000"),
                (("--line-dilation", "1001"), "1 to 1000"),
                (("--line-dilation", "x"), "1 to 1000"),
                (("--profile", "SOFTASIC_LINE_DILATION=5000"),
                 "SOFTASIC_LINE_DILATION=5000 is not a number from 1 to 1000")):
            with self.subTest(words):
                self.check_refused(words, said)


@unittest.skipIf(VENDOR != "softasic" or REMOTE, "tried once, on softasicd")
class Fcs(Host):
    def held(self, *options):
        """The bytes that packets of exactly a cell take which enter by
        Ethernet0 and by Ethernet8."""
        self.start(*options)
        self.ask("block", ports=["Ethernet4"])
        held = []
        for port in ("Ethernet0", "Ethernet8"):
            self.ask("send", count=N_HELD, size=CELL, dscp=3,
                     **{"from": port, "to": "Ethernet4"})
            group = {"kind": "pg", "name": port, "index": 3}
            stats = self.ask("snapshot",
                             objects=[group])["objects"][0]["stats"]
            held.append(stats["reserved_bytes"] + stats["shared_bytes"])
        self.end()
        return held

    def test_ports_differ(self):
        once = N_HELD * CELL
        self.assertEqual(self.held(), [once, once])
        self.assertEqual(self.held("--fcs", "all"), [2 * once, 2 * once])
        self.assertEqual(self.held("--fcs", "4,8"), [once, 2 * once])

    def test_what_is_wrong_is_refused(self):
        self.check_refused(("--fcs", "Ethernet0"),
                           "SOFTASIC_FCS=Ethernet0 is neither all nor a list "
                           "of ports")
        self.check_refused(("--fcs", "4,9999"), "names port 9999, and the lanes "
                           "of th, counted from 0, end at 131")


@unittest.skipIf(VENDOR != "softasic" or REMOTE, "tried once, on softasicd")
class Gaps(Host):
    FEC = {"type": "SAI_OBJECT_TYPE_PORT",
           "attribute": "SAI_PORT_ATTR_FEC_MODE", "objects": 1}

    def call(self, *words):
        done = subprocess.run(
            [os.path.join(BUILD, "orchctl", "orchctl"), "sai", "call",
             "--host", self.host_socket, "--sai", REMOTE_LIBSAI, "--rescue",
             *words], capture_output=True, text=True, timeout=PATIENCE_S,
            check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_another_client_sets_without_effect_is_told(self):
        self.start("--rescue")
        answer = self.control("show", "sai-gaps")
        self.assertEqual(answer["data"], {"sai_gaps": []})
        port = self.client().hash(COUNTERS_DB,
                                  "COUNTERS_PORT_NAME_MAP")["Ethernet0"]
        for mode in ("RS", "NONE", "RS"):
            self.call("set", "SAI_OBJECT_TYPE_PORT", port,
                      f"SAI_PORT_ATTR_FEC_MODE=SAI_PORT_FEC_MODE_{mode}")
        answer = self.control("show", "sai-gaps")
        self.assertEqual(answer["data"], {"sai_gaps": [self.FEC]})
        said = "NOTICE: SAI_PORT_ATTR_FEC_MODE is accepted, but not simulated"
        self.assertEqual(self.host_text().count(said), 1)
        self.end()


if __name__ == "__main__":
    unittest.main()
