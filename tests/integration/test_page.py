# SPDX-License-Identifier: Apache-2.0
"""The live page, in a real browser.

What it shows must be what orchctl says; it must survive a restart of orchd; and
everybody must be able to use it.  With ORCHD_TEST_PICTURES=yes, as in make
check-full, pictures of the views stay in the build directory, as
tests/integration/page-*.png."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import Browser, Relay, missing
from harness import (BUILD, CONFIG_DB, REMOTE, SOURCE, VENDOR, System,
                     as_commands, free_port, not_beside, rows_of, wait_until)

setUpModule = not_beside("the page has no traffic to show")

if missing() or REMOTE or VENDOR != "softasic":
    print("skipped: " + (missing() or "the page is tried on softasic"))
    sys.exit(77)

LEAF = rows_of(os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json"))
PROFILE = "BUFFER_PROFILE|pg_lossless_100000_5m_profile"
VIEWS = ("overview", "buffer", "port/Ethernet0", "configuration/" + PROFILE,
         "watchdog", "try")
CHARTS = "/usr/share/javascript/dygraphs/dygraph.min.js"


def number(value):
    """As the page writes it; "-" if it is not known."""
    return "-" if value is None else f"{value:,}"


def many_ports(n):
    """A switch of 'n' ports whose priorities 3 and 4 are lossless."""
    rows = {key: fields for key, fields in LEAF.items()
            if key.split("|")[0] not in ("PORT", "PORT_QOS_MAP", "BUFFER_PG",
                                         "BUFFER_QUEUE", "DEVICE_METADATA")}
    for i in range(n):
        port = f"Ethernet{i}"
        rows["PORT|" + port] = {"lanes": str(i + 1), "speed": "100000",
                                "admin_status": "up"}
        rows["PORT_QOS_MAP|" + port] = LEAF["PORT_QOS_MAP|Ethernet0"]
        rows[f"BUFFER_PG|{port}|3-4"] = LEAF["BUFFER_PG|Ethernet0|3-4"]
        rows[f"BUFFER_QUEUE|{port}|3-4"] = LEAF["BUFFER_QUEUE|Ethernet0|3-4"]
    return rows


class Page(System):

    @classmethod
    def setUpClass(cls):
        cls.browser_directory = tempfile.mkdtemp(prefix="orchd-browser-")
        cls.addClassCleanup(shutil.rmtree, cls.browser_directory,
                            ignore_errors=True)
        cls.browser = Browser(cls.browser_directory)
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        super().setUp()
        self.http = os.path.join(self.directory, "http.sock")
        self.page = os.path.join(SOURCE, "page")
        self.relay = Relay(self.http)
        self.addCleanup(self.relay.close)
        self.browser.resize(1280, 800)
        self.browser.prefer("light")

    def tearDown(self):
        # The page is not to ask an orchd that has gone: what the console says
        # of that can come as late as in the next test.
        self.browser.leave()
        super().tearDown()

    def serve(self, config=None, http=None):
        """Starts orchd with a configuration, and opens the page."""
        config = config or LEAF
        self.redis_client = self.start_redis()
        self.redis_client.pipeline(
            as_commands(config) + [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.run_orchd(http)
        self.wait_applied(self.redis_client, config)
        self.url = f"http://127.0.0.1:{http or self.relay.port}/"
        self.browser.open(self.url)
        self.wait_live()

    def run_orchd(self, http=None):
        self.start_orchd(
            "--http", str(http or "unix:" + self.http),
            "--set", "storm_detection=software",
            "--state-dir", os.path.join(self.directory, "state"),
            "--set", "page_dir=" + self.page)

    def wait_live(self):
        self.browser.shows("#state", "live")
        self.browser.shows("#where", "port")
        self.browser.until("return !document.getElementById('where')"
                           ".textContent.includes(' 0 ports')",
                           "the ports are there")

    def orchctl(self, *words):
        """The JSON that orchctl prints."""
        done = subprocess.run(
            [os.path.join(BUILD, "orchctl", "orchctl"), "--control",
             os.path.join(self.directory, "control.sock"), *words, "--json"],
            check=False, capture_output=True, text=True)
        return json.loads(done.stdout)

    def asic(self, verb, **arguments):
        answer = self.control("asic", verb, **arguments)
        self.assertEqual(answer["exit"], 0, answer)
        return answer.get("data")

    def fill(self, size=1024, dscp=3):
        """Blocks Ethernet4, and sends to it until XOFF."""
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "size": size, "dscp": dscp, "until": "xoff",
                             "count": 1000000})

    def quiet(self):
        """No error in the console, and no request left this host."""
        self.assertEqual(self.browser.complaints(), [])
        self.assertLessEqual(self.browser.hosts(), {self.url.split("/")[2]})

    # What it shows.

    def test_numbers_are_those_of_orchctl(self):
        self.serve()
        self.fill()
        self.browser.view("buffer")
        self.browser.shows(".badge", "XOFF")
        self.assert_pools()
        self.assert_pgs()
        self.browser.view("port/Ethernet4")
        self.assert_queues("Ethernet4")
        self.browser.view("overview")
        rows = self.orchctl("show", "status")["rows"]
        self.browser.until("return document.querySelector("
                           "'[data-state=applied]')?.textContent === "
                           "arguments[0]", "the rows are counted",
                           number(rows["applied"]))
        self.assert_curves()
        self.quiet()

    def assert_curves(self):
        if os.path.exists(CHARTS):
            self.browser.view("buffer")
            self.browser.until(
                "return document.querySelectorAll('.chart canvas').length",
                "there is a curve")
            self.browser.shows(".chart-legend", "ingress_lossless_pool")

    def assert_pools(self):
        for pool in self.orchctl("show", "pools")["pools"]:
            stats = pool["stats"]
            wanted = {"shared": stats["shared_bytes"],
                      "headroom": stats["headroom_bytes"],
                      "guaranteed": stats["used_bytes"] -
                      stats["shared_bytes"] - stats["headroom_bytes"],
                      "peak": stats["watermark_bytes"]}
            for name, value in wanted.items():
                self.browser.shows(
                    f"[data-pool='{pool['name']}'] [data-value={name}]",
                    number(value))

    def assert_pgs(self):
        shown = self.browser.table("Lossless PGs against their thresholds")
        pgs = {f"{pg['name']}|{pg['index']}": pg["stats"]
               for pg in self.orchctl("show", "pgs")["pgs"]}
        self.assertEqual(next(iter(shown)), "Ethernet0|3")
        for name, row in shown.items():
            stats = pgs[name]
            self.assertEqual(row["USED (B)"],
                             number(stats["curr_occupancy_bytes"]), name)
            self.assertEqual(row["DROPS"], number(stats["dropped_packets"]))
            self.assertEqual(row["PFC"], "XOFF" if stats["xoff"] else "xon")
        full = pgs["Ethernet0|3"]
        self.assertEqual(shown["Ethernet0|3"]["XOFF AT (B)"],
                         number(full["reserved_bytes"] + full["limit_bytes"]))

    def assert_queues(self, port):
        queues = {f"{queue['name']}|{queue['index']}": queue["stats"]
                  for queue in self.orchctl("show", "queues", port)["queues"]}
        shown = self.browser.filled("Queues of the port")
        self.assertEqual(sorted(shown), sorted(queues))
        for name, row in shown.items():
            for title, stat in (("USED (B)", "curr_occupancy_bytes"),
                                ("SENT", "packets"),
                                ("PEAK SHARED (B)", "shared_watermark_bytes"),
                                ("DROPS", "dropped_packets")):
                self.assertEqual(row[title], number(queues[name][stat]), name)

    def test_a_pause_is_seen_while_it_lasts(self):
        self.serve()
        self.browser.view("port/Ethernet0")
        self.browser.shows("main h1", "Ethernet0")
        self.browser.shows("main dl", "Speed100G")  # The first answers are here.
        self.fill()
        self.browser.shows(".badge", "XOFF")
        self.assertIn("every 100 ms", self.browser.text("#state"))
        self.asic("unblock", ports=["Ethernet4"])
        self.asic("settle")
        self.browser.lacks(".badge", "the pause is over")
        self.browser.js("for (const d of document.querySelectorAll('details'))"
                        " { d.open = true; }")
        self.assert_pauses()
        # Pauses that begin and end between two looks.
        for _ in range(3):
            self.fill()
            self.asic("unblock", ports=["Ethernet4"])
            self.asic("settle")
        self.assert_pauses()
        self.quiet()

    def assert_pauses(self):
        """The page has seen all pause frames that the switch has sent, and when:
        the clock of the switch stands still while a priority is paused here."""
        pause, = (pause for pause in self.orchctl(
            "show", "pauses", "Ethernet0")["pauses"] if pause["frames"])
        self.assertEqual((pause["priority"], pause["direction"]), (3, "sent"))

        def rows():
            return self.browser.table(
                "Pauses over the last minute as a table").values()

        wait_until(lambda: pause["frames"] == sum(
            int(row["FRAMES"]) for row in rows() if row["FRAMES"] != "-"),
            f"{pause['frames']} pause frames are listed")
        self.assertEqual({row["PRIORITY"] for row in rows()},
                         {"3, pauses peer"})
        self.assertNotIn("now", [row["TO"] for row in rows()])

    def test_a_rejected_row_shows_its_reason(self):
        self.serve()
        before = wait_until(self.generations, "the history has the rows")
        self.redis_client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "42")
        self.browser.view("overview")
        self.browser.shows("main", 'dynamic_th is "42", which is out of range')
        self.browser.shows(".alarms", "1 row rejected")
        self.browser.click(".alarms a", "1 row rejected")
        self.browser.shows("main dl", "rejected (range)")
        self.browser.shows("[data-fact=Allowed]", "-8..7")
        self.browser.shows("[data-fact=Origin]", "written into CONFIG_DB")
        sai = self.browser.table("What the row became in SAI")
        self.assertEqual(sai[f"{PROFILE} SHARED_DYNAMIC_TH"]["FOUND"], "-3")
        self.assertEqual(len(self.browser.filled(
            "Generations of the configuration", before + 1)), before + 1)
        self.browser.click("button", "Find its changes")
        changes = self.browser.filled("Changes of the row")
        self.assertEqual(next(iter(changes.values()))["AFTER"], "dynamic_th=42")
        self.browser.screenshot("rejected")
        self.roll_back()
        self.quiet()

    def test_a_row_is_shown_as_it_is_now(self):
        """Also when it changes without any row changing its state."""
        self.serve()
        self.browser.view("configuration/" + PROFILE)
        for value in ("-2", "-1"):
            self.redis_client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th",
                                 value)
            self.shows_field("dynamic_th", value)
        for value in ("42", "43"):
            self.redis_client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th",
                                 value)
            self.browser.shows("main dl", f'dynamic_th is "{value}"')
        # What is compared at first is the newest change.
        newest = self.orchctl("config", "history")["generations"][:2]
        self.browser.until("""
            const value = (name) => [...document.querySelectorAll("select")]
              .find((s) => s.labels[0]?.textContent === name).value;
            return value("From") === arguments[0] &&
              value("To") === arguments[1];
            """, "the newest generations are chosen",
            *(str(item["generation"]) for item in reversed(newest)))
        self.quiet()

    def shows_field(self, field, value):
        """Waits until the row on the page has this field in force."""
        wait_until(lambda: self.browser.table("Fields in force").get(
            field, {}).get("VALUE") == value, f"{field} is {value}")

    def test_a_port_that_is_not_there(self):
        """A link to it shows nothing of another port."""
        self.serve()
        self.browser.view("port/Ethernet0")
        self.browser.shows("main dl", "hundredGigE1/1")
        self.browser.js("location.hash = 'port/Ethernet999'")
        self.browser.shows(".heads .note",
                           "There is no port Ethernet999 on the ASIC")
        self.assertFalse(self.browser.js(
            "return [...document.querySelectorAll('main .panel')].some("
            "(e) => e.checkVisibility())"))
        self.browser.js("location.hash = 'port/Ethernet4'")
        self.browser.shows("main dl", "hundredGigE1/2")
        self.quiet()

    def generations(self):
        """How many there are, when all rows are in one of them; else 0."""
        history = self.orchctl("config", "history")
        return 0 if history["rows_since"] else len(history["generations"])

    def roll_back(self):
        """To the generation before the newest, which undoes the mistake."""
        self.browser.js("""
            const found = [...document.querySelectorAll("select")].find(
              (s) => s.labels[0]?.textContent === "To generation");
            found.selectedIndex = 1;
            """)
        self.browser.click("button", "Show what changes")
        self.browser.shows("main", "1 row would change")
        self.browser.click("button", "Roll back now")
        self.browser.shows("main", "1 row written, 0 rows removed")
        self.browser.shows("main dl", "applied")

    def test_a_storm_is_seen_from_begin_to_end(self):
        qos = {**LEAF["PORT_QOS_MAP|Ethernet0"], "pfcwd_sw_enable": "3,4"}
        self.serve({**LEAF, "PORT_QOS_MAP|Ethernet0": qos,
                    "PFC_WD|Ethernet0": {"detection_time": "200",
                                         "restoration_time": "400",
                                         "action": "drop"}})
        self.browser.view("watchdog")
        self.browser.shows("main", "2 queues watched")
        self.asic("storm", port="Ethernet0", priorities="3")
        self.asic("run", ns=5 * 10**6)
        self.asic("send", **{"from": "Ethernet4", "to": "Ethernet0", "dscp": 3,
                             "count": 50})
        self.asic("run", ns=240 * 10**6)
        self.browser.shows(".badge", "stormed")
        self.browser.screenshot("storm")
        self.asic("storm", port="Ethernet0", priorities="none")
        self.asic("run", ns=1000 * 10**6)
        self.browser.shows("tr[data-key^='Ethernet0|3 ']", "drop")
        self.browser.lacks(".badge", "it is over")
        storm, = self.browser.table("Storms that this page has seen").values()
        self.assertEqual(storm["QUEUE"], "Ethernet0|3")
        self.assertNotIn("not yet", storm.values())
        self.quiet()

    # How it survives.

    def test_a_restart_of_orchd_is_survived(self):
        self.serve()
        self.browser.view("buffer")
        self.kill_orchd()
        self.browser.shows("#lost", "Connection lost")
        self.browser.screenshot("lost")
        os.unlink(self.http)
        self.run_orchd()
        self.wait_live()
        self.browser.until("return document.getElementById('lost').hidden",
                           "it is back")
        self.fill()
        self.browser.shows(".badge", "XOFF")
        self.assert_upgraded()
        self.quiet()

    def assert_upgraded(self):
        """A tab that is open when orchd comes back with other files loads
        them, and shows the same view."""
        self.page = os.path.join(self.directory, "page")
        shutil.copytree(os.path.join(SOURCE, "page"), self.page)
        with open(os.path.join(self.page, "page.css"), "a",
                  encoding="utf-8") as file:
            file.write("main { --upgraded: yes; }\n")
        self.kill_orchd()
        os.unlink(self.http)
        self.browser.shows("#lost", "Connection lost")
        self.browser.js("window.isOld = true")
        self.run_orchd()
        wait_until(self.is_upgraded, "the page is another one")
        self.wait_live()
        self.browser.shows("nav a[aria-current]", "Buffer")
        self.browser.complaints()  # That orchd was away.

    def is_upgraded(self):
        return self.browser.js(
            "return !window.isOld && getComputedStyle(document.querySelector("
            "'main')).getPropertyValue('--upgraded') === 'yes'")

    def test_nobody_looks(self):
        """A hidden tab has no connection; it goes on when it is seen again."""
        self.serve()
        hide = ("Object.defineProperty(document, 'hidden', {configurable: true,"
                " get: () => arguments[0]});"
                "document.dispatchEvent(new Event('visibilitychange'))")
        self.browser.js(hide, True)
        self.browser.shows("#state", "connecting")
        self.assertTrue(self.browser.js(
            "return document.getElementById('lost').hidden"))
        self.browser.js(hide, False)
        self.wait_live()
        self.assert_modules()
        self.quiet()

    def assert_modules(self):
        """Changes are applied as documented, and a slow browser asks less."""
        self.assertEqual(self.browser.js("""
            const {applyDelta} = await import("/page/delta.js");
            const old = {a: 1, b: {c: [1, 2, 3], d: 4}, e: [1], f: null};
            return applyDelta(old, {a: 2, b: {c: {1: 7}, d: null},
                                    e: {"=": [1, 2]}, g: {"=": {h: 1}}});
            """), {"a": 2, "b": {"c": [1, 7, 3]}, "e": [1, 2], "f": None,
                   "g": {"h": 1}})
        self.assertEqual(self.browser.js("""
            const {Frames} = await import("/page/frames.js");
            const asked = [];
            const frames = new Frames(() => {}, () =>
              asked.push(frames.intervalMs));
            for (let i = 0; i < 12; i++) { frames.addEvent(80); frames.run(); }
            for (let i = 0; i < 150; i++) { frames.run(); }
            return asked;
            """), [200, 100])
        self.assert_pause_windows()

    def assert_pause_windows(self):
        """Counters between two answers become shares of windows."""
        self.assertEqual(self.browser.js("""
            const {PauseWindows, joinWindows} =
              await import("/page/pause_windows.js");
            const windows = new PauseWindows();
            const answer = (us, n, timeUs, frames = 2 * n) => ({
              time_ns: timeUs === null ? null : 1000 * timeUs,
              pauses: [{ port: "E", priority: 3, direction: "received", frames,
                paused_us: us, pauses: n }] });
            const first = answer(0, 0, 0);
            windows.take(first, 1000, 100);
            // An answer is changed in place.
            Object.assign(first.pauses[0], answer(25, 2, 100).pauses[0]);
            windows.take({ ...first, time_ns: 1e5 }, 1100, 100); // A quarter.
            windows.take(answer(75, 3, 200), 1200, 100);   // A half.
            windows.take(answer(175, 3, 300), 1300, 100);  // Throughout.
            windows.take(answer(275, 5, 400), 2000, 100);  // Twice again.
            windows.take(answer(0, 0, 500), 2100, 100);    // Cleared.
            windows.take(answer(0, 0, 600), 2200, 100);
            windows.forget();
            windows.take(answer(50, 1, 700), 2300, 100);   // A gap before.
            windows.take(answer(50, 1, null), 2400, 100);  // Real time.
            windows.take(answer(25050, 2, null), 2500, 100);
            windows.take(answer(25050, 2, null, 6), 3000, 100); // Below 1 us.
            return joinWindows(windows.get("E|3 received"));
            """), [
                {"begin": 1000, "end": 1200, "us": 75, "n": 3, "frames": 6,
                 "share": 0.375},
                {"begin": 1900, "end": 2000, "us": 100, "n": 2, "frames": 4,
                 "share": 1},
                {"begin": 2400, "end": 2500, "us": 25000, "n": 1, "frames": 2,
                 "share": 0.25},
                {"begin": 2900, "end": 3000, "us": 0, "n": 0, "frames": 2,
                 "share": 0}])

    def test_over_tcp_it_only_reads(self):
        self.serve(http=free_port())
        shown = self.browser.js("return [...document.querySelectorAll("
                                "'nav a')].filter((a) => a.checkVisibility())"
                                ".map((a) => a.textContent)")
        self.assertEqual(shown, ["Overview", "Buffer", "Port", "Configuration",
                                 "Watchdog"])
        self.browser.view("try")
        self.browser.shows("main", "Experiments need a simulated switch")
        self.assert_theme()
        self.quiet()
        self.assert_without_curves()

    def assert_without_curves(self):
        """A machine without dygraphs shows the rest."""
        self.browser.cdp("Network.enable")
        self.browser.cdp("Network.setBlockedURLs", urls=["*/dygraph*"])
        self.browser.open(self.url + "#buffer")
        self.browser.shows("main", "Curves need dygraphs")
        self.browser.shows("main", "ingress_lossless_pool")
        self.browser.cdp("Network.setBlockedURLs", urls=[])

    def assert_theme(self):
        """It can be chosen, and is remembered."""
        background = "return getComputedStyle(document.body).backgroundColor"
        light = self.browser.js(background)
        self.browser.js("const s = document.getElementById('theme'); "
                        "s.value = 'dark'; s.dispatchEvent(new Event('change'))")
        dark = self.browser.js(background)
        self.assertNotEqual(light, dark)
        self.browser.open(self.url)
        self.wait_live()
        self.assertEqual(self.browser.js(background), dark)
        self.browser.js("localStorage.clear()")

    def test_an_experiment_step_by_step(self):
        self.serve()
        self.browser.view("try")
        self.browser.until(
            "return document.querySelectorAll('main select')[1]?.value",
            "there are ports")
        for text in ("asic block", "reached true", "sent 50",
                     "asic settle: transmitted"):
            self.browser.click(".primary")
            self.browser.shows(".log", text)
            if text == "sent 50":
                self.browser.shows(".badge", "XOFF")
                self.browser.screenshot("try")
        self.quiet()

    # Who can use it.

    def test_every_view_is_for_everybody(self):
        self.serve(many_ports(8))
        self.fill()
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            for view in VIEWS:
                with self.subTest(view=view, scheme=scheme):
                    self.look(view, scheme)
        self.browser.resize(390, 844, mobile=True)
        for view in VIEWS:
            with self.subTest(view=view, phone=True):
                self.browser.view(view)
                self.assertLessEqual(self.browser.js(
                    "return document.documentElement.scrollWidth"), 390)
                self.browser.screenshot(view.split("/", maxsplit=1)[0] + "-phone")
        self.quiet()

    def look(self, view, scheme):
        self.browser.view(view)
        self.browser.until(
            "return document.querySelector('main').textContent.trim() !== ''",
            "the view is there")
        self.assertEqual(self.browser.faint(), [])
        self.assertEqual(self.browser.js(
            "return ['header', 'nav', 'main', 'h1'].filter((name) =>"
            " document.querySelectorAll(name).length !== 1)"), [])
        self.browser.screenshot(
            f"{view.split('/', maxsplit=1)[0]}-{scheme}")
        if scheme == "light":
            self.assertEqual(self.browser.nameless(), [])
            self.all_reached()

    def all_reached(self):
        """What arrives while Tab is pressed is reached the next time."""
        unreached = []

        def reached():
            unreached[:] = self.browser.unreached()
            return not unreached

        wait_until(reached, unreached)

    def test_514_ports(self):
        self.serve(many_ports(514))
        # All files and the first answers, on the way to the browser.
        self.browser.shows("main", "Rows by state")
        self.assertLess(self.relay.n_bytes, 300000)
        self.fill()
        self.browser.view("buffer")
        self.browser.shows("#where", "514 ports")
        self.browser.shows(".badge", "XOFF")
        self.browser.js(
            "const map = document.querySelector('[role=application]');"
            "map.dispatchEvent("
            "new KeyboardEvent('keydown', {key: 'ArrowRight'}))")
        self.browser.shows("main", "Ethernet1, priority 0")
        self.browser.screenshot("514-ports")
        self.quiet()


if __name__ == "__main__":
    unittest.main()
