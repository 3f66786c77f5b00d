# SPDX-License-Identifier: Apache-2.0
"""The live page in Firefox ESR: each view loads, its console is silent, and
its numbers are those of orchctl.

test_page.py, in Chromium, tries much more; this shows that nothing depends on
that browser.  make check-full runs it."""

import os
import shutil
import sys
import tempfile
import unittest

from firefox import FIREFOX, Firefox
from harness import REMOTE, SOURCE, VENDOR, System, as_commands, free_port, \
    not_beside, rows_of, wait_until

setUpModule = not_beside("the page has no traffic to show")

if not FIREFOX or REMOTE or VENDOR != "softasic":
    print("skipped: " + ("the page is tried on softasic" if FIREFOX else
                         "Firefox is not installed (firefox-esr)"))
    sys.exit(77)

LEAF = rows_of(os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json"))

# What is there when a view is complete.
VIEWS = {
    "overview": "[data-state=applied]",
    "buffer": "[data-pool='ingress_lossless_pool'] [data-value=shared]",
    "port/Ethernet0": "main table tbody tr",
    "configuration/BUFFER_POOL|ingress_lossless_pool": "[data-fact=Origin]",
    "watchdog": "main .panel",
    "try": "main p",
}


class InFirefox(System):

    def setUp(self):
        super().setUp()
        profile = tempfile.mkdtemp(prefix="orchd-firefox-")
        self.addCleanup(shutil.rmtree, profile, ignore_errors=True)
        self.browser = Firefox(profile)
        self.addCleanup(self.browser.quit)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        client = self.start_redis()
        client.pipeline(as_commands(LEAF) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd("--http", str(port), "--set",
                         "page_dir=" + os.path.join(SOURCE, "page"))
        self.wait_applied(client, LEAF)

    def text(self, selector):
        return self.browser.js("return document.querySelector(arguments[0])"
                               "?.textContent ?? null", selector)

    def test_every_view(self):
        print("Firefox", self.browser.version)
        self.browser.open(self.url)
        wait_until(lambda: "live" in self.text("#state"), "the page is live")
        for answer in (
                self.control("asic", "block", ports=["Ethernet4"]),
                self.control("asic", "send", **{
                    "from": "Ethernet0", "to": "Ethernet4", "size": 1024,
                    "dscp": 3, "until": "xoff", "count": 1000000})):
            self.assertEqual(answer["exit"], 0, answer)
        for view, selector in VIEWS.items():
            with self.subTest(view=view):
                self.browser.js("location.hash = arguments[0]", view)
                wait_until(lambda view=view: self.browser.js(
                    "return document.querySelector('nav a[aria-current]')"
                    "?.hash") in ("#" + view.split("/")[0], None),
                    "it is the view")
                wait_until(lambda selector=selector: self.text(selector),
                           f"{selector} has a text")
                self.assertEqual(self.browser.complaints(self.url), [])
        self.browser.js("location.hash = 'buffer'")
        wait_until(lambda: self.text(".badge") == "XOFF", "the PG is paused")
        pools = self.control("show", "pools")["data"]["pools"]
        used = {pool["name"]: pool["stats"]["shared_bytes"] for pool in pools}
        self.assertGreater(used["ingress_lossless_pool"], 0)
        wait_until(lambda: self.text(VIEWS["buffer"]) ==
                   f"{used['ingress_lossless_pool']:,}", "the pool is filled")
        self.assertEqual(self.browser.complaints(self.url), [])
        # A fault would be seen.
        self.browser.js(
            "document.body.setAttribute('style', 'color: red')")
        wait_until(lambda: "style" in str(self.browser.complaints(self.url)),
                   "an inline style is an error")


if __name__ == "__main__":
    unittest.main()
