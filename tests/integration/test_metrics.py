# SPDX-License-Identifier: Apache-2.0
"""/metrics, as Prometheus reads it."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

from harness import (PATIENCE_S, SOURCE, free_port, needs_packets, needs_sai,
                     wait_until)
from test_counters import CONFIG, Counters, as_commands, group_rows

EXAMPLES = os.path.join(SOURCE, "examples", "prometheus")
needs_promtool = unittest.skipUnless(
    shutil.which("promtool"), "promtool (Debian: prometheus) is not installed")
needs_prometheus = unittest.skipUnless(
    shutil.which("prometheus"), "prometheus is not installed")


class Metrics(Counters):

    def serve(self, config):
        """Starts orchd, and waits until all is applied."""
        client = self.start_redis()
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.port = free_port()
        self.start_orchd("--set", f"metrics_port={self.port}")
        self.wait_applied(client, config)
        return client

    def get(self, path="/metrics", method="GET"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.headers, answer.read().decode()

    def samples(self):
        """{series: value}."""
        return dict(line.rsplit(" ", 1) for line in self.get()[1].splitlines()
                    if not line.startswith("#"))

    @needs_packets
    def test_what_is_counted_is_reported(self):
        self.serve({**CONFIG, **group_rows()})
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "size": 200, "count": 10})
        self.asic("settle")
        sent = 'orchd_queue_packets_total{port="Ethernet4",queue="0",' \
               'type="unicast"}'
        found = wait_until(
            lambda: (lambda s: s if sent in s else None)(self.samples()),
            "packets are counted")
        self.assertEqual(found[sent], "10")
        self.assertEqual(found['orchd_rows{state="applied"}'],
                         str(len(CONFIG) + len(group_rows())))
        self.assertEqual(found['orchd_rows{state="failed"}'], "0")
        self.assertEqual(found["orchd_redis_up"], "1")
        self.assertEqual(found["orchd_drifted_objects"], "0")
        self.assertEqual(found['orchd_pool_headroom_size_bytes'
                               '{pool="ingress_lossless_pool"}'], "1000000")
        self.assertEqual(found['orchd_poll_interval_seconds{group="PORT"}'],
                         "0.1")
        self.assertGreater(int(found["orchd_plan_duration_seconds_count"]), 0)
        self.assertGreater(float(found["orchd_start_time_seconds"]), 1.7e9)
        # Unused objects have no metrics, except ports and pools.
        self.assertEqual([name for name in found if name.startswith(
            "orchd_queue_packets_total")], [sent])
        self.assertEqual(found['orchd_port_receive_errors_total'
                               '{port="Ethernet0"}'], "0")
        self.stop_orchd()

    @needs_packets
    def test_drops_have_reasons(self):
        client = self.serve({**CONFIG, **group_rows()})
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "size": 200, "count": 10})
        self.write(client, "PORT|Ethernet4", admin_status="down")
        series = 'orchd_port_drops_total{port="Ethernet4",reason="admin-down"}'
        wait_until(lambda: self.samples().get(series) == "10",
                   "what was queued was lost with the port")
        self.assertEqual([name for name in self.samples() if name.startswith(
            "orchd_port_drops_total")], [series])

    @needs_packets
    def test_headroom_that_is_used_has_a_size(self):
        self.serve({**CONFIG, **group_rows(), "BUFFER_PROFILE|in": {
            "pool": "ingress_lossless_pool", "size": "1000", "xon": "0",
            "xoff": "100000", "dynamic_th": "-8"}})
        place = '_bytes{port="Ethernet0",pg="0"}'
        size = "orchd_pg_headroom_size" + place
        used = "orchd_pg_headroom_watermark" + place
        self.assertNotIn(size, self.samples())
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "size": 200, "count": 400})
        found = wait_until(
            lambda: (lambda s: s if used in s else None)(self.samples()),
            "headroom is used")
        self.assertEqual(found[size], "100000")
        self.assertIn(int(found[used]), range(1, 100001))

    @needs_packets
    def test_a_storm_from_the_wire_to_the_page(self):
        client = self.serve({**CONFIG, **group_rows(), "PORT_QOS_MAP|Ethernet4": {
            "pfc_enable": "3"}})
        oid = self.map(client, "COUNTERS_PORT_NAME_MAP")["Ethernet4"]
        self.wait_fields(client, oid, ["SAI_PORT_STAT_PFC_3_RX_PKTS"])
        labels = '{port="Ethernet4",priority="3",direction="received"'

        def value(name, more=""):
            text = self.samples().get(f"orchd_port_{name}{labels}{more}}}")
            return text and float(text)

        marked = ',estimated="false"'
        self.assertIsNone(value("pause_seconds_total", marked))
        # Frames every 20 us, each for 335 us at 100G, for 5 ms; then none.
        self.asic("storm", port="Ethernet4", priorities="3", count=250)
        self.asic("run", ns=10000000)
        wait_until(lambda: value("pauses_total", marked) == 1,
                   "one pause is over")
        frames = "SAI_PORT_STAT_PFC_3_RX_PKTS"
        ends = "SAI_PORT_STAT_PFC_3_ON2OFF_RX_PKTS"
        paused = "SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION_US"
        row = wait_until(lambda: (lambda r: r if r[ends] == "1" else None)(
            self.row(client, oid)), "it is in the row")
        self.assertEqual(row[frames], "250")
        # From the first frame on until the last one has passed.
        self.assertIn(int(row[paused]), range(5310, 5330))
        self.assertEqual(row["SAI_PORT_STAT_PFC_4_RX_PKTS"], "0")
        seconds = int(row[paused]) / 1e6
        self.assertEqual(value("pfc_frames_total"), 250)
        self.assertEqual(value("pause_seconds_total", marked), seconds)
        self.assertEqual(value("pause_longest_seconds", marked), seconds)
        self.assertTrue(0 <= value("pause_ratio", marked) <= 1)
        buckets = [(bound, value("pause_duration_seconds_bucket",
                                 f'{marked},le="{bound}"'))
                   for bound in ("0.001", "0.01", "+Inf")]
        self.assertEqual(buckets, [("0.001", 0), ("0.01", 1), ("+Inf", 1)])
        self.assertEqual(value("pause_duration_seconds_sum", marked), seconds)
        # orchctl shows the same.
        [pause] = [p for p in self.control(
            "show", "pauses", name="Ethernet4")["data"]["pauses"]
                   if p["direction"] == "received" and p["pauses"]]
        self.assertEqual((pause["paused_us"], pause["longest_us"],
                          pause["frames"]),
                         (int(row[paused]), int(row[paused]), 250))
        self.assertEqual(pause["histogram"], [0, 0, 0, 1, 0, 0, 0])
        self.assertIn("EST_PORT_STAT_PFC_3_RECENT_PAUSE_TIMESTAMP",
                      self.row(client, oid))

    @needs_packets
    def test_a_storm_that_the_watchdog_handles_is_reported(self):
        self.serve({**CONFIG, "PORT_QOS_MAP|Ethernet4": {
            "pfc_enable": "0", "pfcwd_sw_enable": "0"}, "PFC_WD|Ethernet4": {
                "action": "drop", "detection_time": "200",
                "restoration_time": "200"}})
        self.assertEqual(self.samples()["orchd_switch_up"], "1")

        def storms():
            found = self.samples()
            return [found.get(f'orchd_pfc_{name}{{port="Ethernet4",queue="0"}}')
                    for name in ("storm_active", "storms_total")]

        self.assertEqual(storms(), [None, None])
        self.asic("storm", port="Ethernet4", priorities="0")
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "size": 200, "count": 10})
        self.asic("run", ns=500000000)
        wait_until(lambda: storms() == ["1", "1"], "a storm is reported")
        self.asic("storm", port="Ethernet4", priorities="none")
        self.asic("run", ns=1000000000)
        wait_until(lambda: storms() == ["0", "1"], "it is over")

    @needs_promtool
    @needs_sai
    def test_promtool_has_nothing_to_say(self):
        self.serve({**CONFIG, **group_rows()})
        wait_until(lambda: any(name.startswith("orchd_pool_watermark")
                               for name in self.samples()), "all is counted")
        check = subprocess.run(["promtool", "check", "metrics"],
                               input=self.get()[1], capture_output=True,
                               text=True, check=False)
        self.assertEqual((check.returncode, check.stdout, check.stderr),
                         (0, "", ""))

    @needs_promtool
    @needs_sai
    def test_examples_are_good(self):
        subprocess.run(["promtool", "check", "config",
                        os.path.join(EXAMPLES, "prometheus.yml")],
                       check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(EXAMPLES, "alerts.yml"),
                  encoding="utf-8") as file:
            used = file.read()
        self.serve({**CONFIG, **group_rows()})
        # Each metric that an alert is about is one that there is.
        families = {line.split()[2] for line in self.get()[1].splitlines()
                    if line.startswith("# TYPE")}
        for word in set(used.replace("{", " ").replace("[", " ").replace(
                "(", " ").split()):
            if word.startswith("orchd_"):
                self.assertIn(word, families)

    @needs_promtool
    def test_expressions_of_the_dashboard_are_good(self):
        path = os.path.join(SOURCE, "examples", "grafana", "orchd.json")
        with open(path, encoding="utf-8") as file:
            board = json.load(file)
        rules = [target["expr"] for panel in board["panels"]
                 for target in panel.get("targets", ())]
        self.assertGreater(len(rules), 20)
        for name, value in (("$__rate_interval", "1m"), ("$instance", ".*"),
                            ("$port", ".*"), ("$lossless", "3|4")):
            rules = [rule.replace(name, value) for rule in rules]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            json.dump({"groups": [{"name": "board", "rules": [
                {"record": f"r{i}", "expr": rule}
                for i, rule in enumerate(rules)]}]}, file)
            file.flush()
            check = subprocess.run(["promtool", "check", "rules", file.name],
                                   capture_output=True, text=True, check=False)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    @needs_promtool
    def test_alerts_fire(self):
        place = 'port="Ethernet0"'
        series = {
            "PfcStorm": [(f'orchd_pfc_storm_active{{{place},queue="3"}}',
                          "0 0 1")],
            "PausedAllTheTime": [
                (f'orchd_port_pause_ratio{{{place},priority="3",'
                 'direction="received",estimated="false"}', "0 1 1")],
            "HeadroomNearlyFull": [
                (f'orchd_pg_headroom_watermark_bytes{{{place},pg="3"}}',
                 "_ _ 81"),
                (f'orchd_pg_headroom_size_bytes{{{place},pg="3"}}',
                 "_ _ 100")],
            "SharedHeadroomNearlyFull": [
                ('orchd_pool_headroom_watermark_bytes{pool="p"}', "0 0 81"),
                ('orchd_pool_headroom_size_bytes{pool="p"}', "100x2")],
            "LosslessDrop": [
                (f'orchd_pg_dropped_packets_total{{{place},pg="3"}}',
                 "_ _ 1")],
            "RowNotApplied": [('orchd_rows{state="failed"}', "1x7")],
            "Drift": [("orchd_drifted_objects", "0 1 1")],
            "SwitchAway": [("orchd_switch_up", "1 0 0")],
            "RedisAway": [("orchd_redis_up", "1 0 0")],
            "OrchdAway": [('up{job="orchd"}', "1 0 0")],
        }
        tests = [{
            "interval": "1m",
            "input_series": [{"series": s, "values": v} for s, v in lines],
            "promql_expr_test": [{
                "expr": f'count(ALERTS{{alertname="{name}",'
                        'alertstate="firing"})',
                "eval_time": "7m" if "Row" in name else "2m",
                "exp_samples": [{"labels": "{}", "value": 1}]}],
        } for name, lines in series.items()]
        path = os.path.join(self.directory, "tests.yml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"rule_files": [os.path.join(EXAMPLES, "alerts.yml")],
                       "tests": tests}, file)  # YAML, too.
        run = subprocess.run(["promtool", "test", "rules", path],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_only_this_is_served(self):
        self.serve(CONFIG)
        headers, page = self.get()
        self.assertEqual(headers["Content-Type"],
                         "text/plain; version=0.0.4; charset=utf-8")
        self.assertTrue(page.endswith("\n"))
        self.assertIn('href="/metrics"', self.get("/")[1])
        self.assertEqual(self.get("/metrics", "HEAD")[1], "")
        for path, method, status in (("/etc/passwd", "GET", 404),
                                     ("/metrics/../x", "GET", 404),
                                     ("/metrics", "POST", 403),
                                     ("/metrics", "DELETE", 501)):
            with self.assertRaises(urllib.error.HTTPError) as refusal:
                self.get(path, method)
            self.assertEqual(refusal.exception.code, status)
            refusal.exception.close()
        # Half a request and malformed ones have no effect.
        for words in (b"GET /metrics HTTP/1.1\r\n", b"\0\xff\n\n" * 100,
                      b"GET /" + b"x" * 20000):
            with socket.create_connection(("127.0.0.1", self.port)) as other:
                other.sendall(words)
        self.assertEqual(self.samples()["orchd_redis_up"], "1")
        self.stop_orchd()

    def test_a_port_that_is_taken_is_an_error(self):
        client = self.start_redis()
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            self.start_orchd("--set",
                             f"metrics_port={taken.getsockname()[1]}")
            self.assertEqual(self.orchd_process.wait(PATIENCE_S), 1)
        self.assertIn("--http ADDRESS:PORT", self.log_text())
        self.assertEqual(client("PING"), "PONG")

    def test_pages_of_others_are_kept_out(self):
        self.serve(CONFIG)

        def status(**headers):
            request = urllib.request.Request(
                f"http://127.0.0.1:{self.port}/metrics", headers=headers)
            try:
                with urllib.request.urlopen(request) as answer:
                    return answer.status
            except urllib.error.HTTPError as refusal:
                refusal.close()
                return refusal.code

        self.assertEqual(status(), 200)
        self.assertEqual(status(Host="localhost"), 200)
        self.assertEqual(status(Host="evil.example"), 421)
        self.assertEqual(status(Origin="http://evil.example"), 403)
        self.assertEqual(status(Origin=f"http://127.0.0.1:{self.port}"), 200)
        headers, _ = self.get()
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertFalse([name for name in headers
                          if name.lower().startswith("access-control")])

    def test_health(self):
        self.serve(CONFIG)
        self.assertEqual(self.get("/healthz")[1], "redis: up\nswitch: up\n")
        self.kill_redis()

        def ill():
            try:
                self.get("/healthz")
                return None
            except urllib.error.HTTPError as refusal:
                with refusal:
                    return refusal.code, refusal.read().decode()

        code, page = wait_until(ill, "Redis is missed")
        self.assertEqual(code, 503)
        self.assertIn("switch: up", page)

    def test_on_a_unix_socket(self):
        self.start_redis()
        path = os.path.join(self.directory, "http.sock")
        self.start_orchd("--http", "unix:" + path)
        wait_until(lambda: os.path.exists(path), "it listens")
        self.assertEqual(os.stat(path).st_mode & 0o7777, 0o660)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
            connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: any\r\n\r\n")
            with connection.makefile("rb") as file:
                self.assertEqual(file.readline(), b"HTTP/1.1 200 OK\r\n")
        self.stop_orchd()
        self.assertFalse(os.path.exists(path))

    def test_addresses_that_cannot_be(self):
        for options, reason in (
                (["--http", "switch.example:80"], "names are not resolved"),
                (["--http", "1", "--set", "metrics_port=2"], "alias of http"),
                (["--http", "unix:x", "--set", "http_group=no-such-group"],
                 "there is no group")):
            self.start_orchd(*options, redis="unix:/nowhere")
            self.assertEqual(self.orchd_process.wait(PATIENCE_S), 2)
            self.assertIn(reason, self.log_text())

    def test_addresses_that_cannot_be_had(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            # 192.0.2.0/24 is for documentation; no machine has it.
            for address, code, reason, remedy in (
                    (f"127.0.0.1:{port}", 1, "Address already in use",
                     "stop what listens there (ss -ltnp), or choose another"),
                    ("192.0.2.1:9478", 1, "Cannot assign requested address",
                     "choose an address of this machine")):
                self.start_orchd("--http", address, redis="unix:/nowhere")
                self.assertEqual(self.orchd_process.wait(PATIENCE_S), code)
                self.assertIn(f"cannot serve http://{address}: {reason}",
                              self.log_text())
                self.assertIn("remedy: " + remedy, self.log_text())

    @needs_prometheus
    @needs_sai
    def test_prometheus_scrapes(self):
        self.serve({**CONFIG, **group_rows()})
        web = free_port()
        with open(os.path.join(EXAMPLES, "prometheus.yml"),
                  encoding="utf-8") as file:
            config = file.read()
        self.assertIn("127.0.0.1:9478", config)
        shutil.copy(os.path.join(EXAMPLES, "alerts.yml"), self.directory)
        path = os.path.join(self.directory, "prometheus.yml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(config.replace("127.0.0.1:9478",
                                      f"127.0.0.1:{self.port}")
                       .replace("15s", "1s"))
        with open(os.path.join(self.directory, "prometheus.log"),
                  "wb") as log:
            process = subprocess.Popen(
                ["prometheus", "--config.file", path, "--storage.tsdb.path",
                 os.path.join(self.directory, "tsdb"),
                 f"--web.listen-address=127.0.0.1:{web}"],
                stdout=log, stderr=log)
        try:
            self.check_prometheus(web)
        finally:
            process.terminate()
            process.wait(PATIENCE_S)

    def check_prometheus(self, web):
        def ask(path, **query):
            try:
                with urllib.request.urlopen(
                        f"http://127.0.0.1:{web}/api/v1/{path}?" +
                        urllib.parse.urlencode(query),
                        timeout=PATIENCE_S) as answer:
                    return json.load(answer)["data"]
            except OSError:
                return None

        def value(query):
            data = ask("query", query=query)
            return data["result"][0]["value"][1] \
                if data and data["result"] else None

        wait_until(lambda: value("orchd_redis_up") == "1", "it is scraped")
        self.assertEqual(value('up{job="orchd"}'), "1")
        self.assertEqual(value("count(orchd_port_receive_bytes_total)"), "2")
        rules = wait_until(
            lambda: (lambda groups: groups if groups and all(
                rule["health"] == "ok" for rule in groups[0]["rules"])
                else None)((ask("rules") or {}).get("groups")),
            "all rules are evaluated")
        self.assertEqual({rule["state"] for rule in rules[0]["rules"]},
                         {"inactive"})


if __name__ == "__main__":
    unittest.main()
