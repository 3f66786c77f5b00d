# SPDX-License-Identifier: Apache-2.0
"""The configurations of nginx and stunnel in the how-tos, between programs that
run: only paths, ports and names of hosts are replaced."""

import base64
import http.client
import os
import re
import shutil
import ssl
import subprocess
import unittest

from harness import (BESIDE, CONFIG_DB, PATIENCE_S, SOURCE, STATE_DB, System,
                     free_port, once, wait_until)

ROW = "BUFFER_POOL|pool"
FIELDS = {"type": "ingress", "mode": "dynamic", "size": "1048576"}
HOST = "redis.example.net"


def block(page, first):
    """The indented block of how-to 'page' that begins with line 'first'."""
    with open(os.path.join(SOURCE, "docs", "howto", page),
              encoding="utf-8") as file:
        text = file.read()
    found = re.search(rf"^    {re.escape(first)}\n(?:    .*\n|\n(?=    ))*",
                      text, re.M)
    return re.sub("^    ", "", found[0], flags=re.M)


def needs(*programs):
    missing = [one for one in programs if not shutil.which(one)]
    return unittest.skipIf(missing, f"no {', '.join(missing)}")


class Proxy(System):

    def setUp(self):
        super().setUp()
        self.started = []

    def tearDown(self):
        for process in self.started:
            process.terminate()
            process.wait()
        super().tearDown()

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def run_proxy(self, *words):
        with open(self.path("proxy.log"), "ab") as log:
            self.started.append(subprocess.Popen(words, stdout=log, stderr=log))

    def openssl(self, *words):
        return subprocess.run(["openssl", *words], check=True, timeout=PATIENCE_S,
                              capture_output=True, text=True,
                              cwd=self.directory).stdout

    def certificate(self, name, host):
        """Writes NAME.pem, which is its own authority, and NAME.key."""
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt",
                     "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                     "-subj", f"/CN={host}", "-addext",
                     f"subjectAltName=DNS:{host}", "-keyout", f"{name}.key",
                     "-out", f"{name}.pem")


@once
@needs("nginx", "openssl")
class Nginx(Proxy):
    """The reverse proxy of monitor.md, with the page of look-at-a-switch.md."""

    def serve(self):
        port = free_port()
        server = block("monitor.md", "server {")
        page = block("look-at-a-switch.md", "location / {")
        self.certificate("leaf1", "leaf1.example.net")
        self.write("htpasswd", "viewer:" + self.openssl("passwd", "-apr1",
                                                        "secret"))
        for there, here in (
                ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
                ("/etc/ssl/leaf1.pem", self.path("leaf1.pem")),
                ("/etc/ssl/private/leaf1.key", self.path("leaf1.key")),
                ("/etc/nginx/orchd.htpasswd", self.path("htpasswd"))):
            self.assertIn(there, server)
            server = server.replace(there, here)
        server = server.rstrip().removesuffix("}") + page + "}\n"
        server = server.replace("/run/orchd/http.sock", self.path("http.sock"))
        folders = "".join(
            f"{kind}_temp_path {self.path(kind)};\n" for kind in (
                "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # Its workers may open the socket and the passwords as they are.
        config = self.write("nginx.conf", (
            "daemon off;\nuser root;\n" if os.geteuid() == 0
            else "daemon off;\n") +
            f"pid {self.path('nginx.pid')};\nerror_log stderr;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{folders}{server}}}\n")
        self.run_proxy("nginx", "-p", self.directory, "-c", config)
        self.address = ("127.0.0.1", port)

    def connect(self):
        """A connection to who has the certificate; its name is elsewhere."""
        context = ssl.create_default_context(cafile=self.path("leaf1.pem"))
        context.check_hostname = False
        return http.client.HTTPSConnection(*self.address, timeout=PATIENCE_S,
                                           context=context)

    def get(self, target, password=None, method="GET"):
        connection = self.connect()
        headers = {"Host": "leaf1.example.net"}
        if password:
            headers["Authorization"] = "Basic " + base64.b64encode(
                f"viewer:{password}".encode()).decode()
        try:
            connection.request(method, target, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def answers(self):
        try:
            return self.get("/healthz")
        except OSError:
            return None

    def test_only_who_logs_in_sees_the_switch(self):
        self.start_redis()
        self.start_orchd("--set", "http=unix:" + self.path("http.sock"),
                         "--set", "page_dir=" + os.path.join(SOURCE, "page"))
        self.wait_log("redis-up")
        self.serve()
        wait_until(self.answers, "nginx answers")
        for password in (None, "guess"):
            self.assertEqual(self.get("/metrics", password)[0], 401)
            self.assertEqual(self.get("/", password)[0], 401)
        status, text = self.get("/metrics", "secret")
        self.assertEqual(status, 200)
        self.assertIn("\norchd_rows", text)
        self.assertEqual(self.get("/healthz", "secret")[0], 200)
        status, text = self.get("/", "secret")
        self.assertEqual(status, 200)
        self.assertIn("<html", text)
        status, text = self.get("/api/show/status", "secret")
        self.assertEqual(status, 200)
        self.assertIn('"exit"', text)
        self.stop_orchd()

    def test_events_are_not_kept_back(self):
        self.start_redis()
        self.start_orchd("--set", "http=unix:" + self.path("http.sock"),
                         "--set", "page_dir=" + os.path.join(SOURCE, "page"))
        self.wait_log("redis-up")
        self.serve()
        wait_until(self.answers, "nginx answers")
        connection = self.connect()
        connection.request("GET", "/events?topic=show/status", headers={
            "Authorization": "Basic " + base64.b64encode(
                b"viewer:secret").decode()})
        answer = connection.getresponse()
        self.assertEqual(answer.getheader("Content-Type"), "text/event-stream")
        seen = [answer.readline() for _ in range(3)]
        self.assertIn(b"event: hello\n", seen)
        connection.close()
        self.stop_orchd()


@once
@needs("stunnel4", "openssl")
class Stunnel(Proxy):
    """Redis that speaks TLS, by the stunnel of redis-login.md."""

    def redis_with_tls(self, name):
        """Starts a Redis whose certificate has 'name'; orchd and Redis trust
        each other's."""
        self.certificate("redis", name)
        self.certificate("leaf1", "leaf1.example.net")
        port = free_port()
        client = self.start_redis(
            "--notify-keyspace-events", "AKE", "--tls-port", str(port),
            "--tls-auth-clients", "yes",
            "--tls-cert-file", self.path("redis.pem"),
            "--tls-key-file", self.path("redis.key"),
            "--tls-ca-cert-file", self.path("leaf1.pem"))
        return client, port

    def tunnel(self, port):
        """Starts stunnel towards 'port', and returns its own."""
        own = free_port()
        config = block("redis-login.md", "client      = yes")
        for there, here in (
                ("127.0.0.1:6390", f"127.0.0.1:{own}"),
                ("redis.example.net:6380", f"127.0.0.1:{port}"),
                ("/etc/orchd/ca.pem", self.path("redis.pem")),
                ("/etc/orchd/leaf1.pem", self.path("leaf1.pem")),
                ("/etc/orchd/leaf1.key", self.path("leaf1.key"))):
            self.assertIn(there, config)
            config = config.replace(there, here)
        self.run_proxy("stunnel4", self.write(
            "stunnel.conf", "foreground = yes\npid =\n" + config))
        return own

    def test_rows_go_through_tls(self):
        client, port = self.redis_with_tls(HOST)
        client.on(CONFIG_DB, "HSET", ROW, *sum(FIELDS.items(), ()))
        if BESIDE:  # It has a way of its own to the same Redis.
            self.start_double()
        self.start_orchd(redis=f"tcp:127.0.0.1:{self.tunnel(port)}")
        self.wait_state(client, ROW, "applied")
        self.assertIn("addr=127.0.0.1", client("CLIENT", "LIST"))
        self.stop_orchd()

    def test_another_redis_is_not_trusted(self):
        client, port = self.redis_with_tls("else.example.net")
        own = self.tunnel(port)
        self.start_orchd(redis=f"tcp:127.0.0.1:{own}")
        wait_until(lambda: "redis-lost" in self.log_text(), "orchd is refused")
        self.assertEqual(client.keys(STATE_DB, "*"), [])
        with open(self.path("proxy.log"), encoding="utf-8") as file:
            self.assertIn("CERT: Subject checks failed", file.read())
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()
