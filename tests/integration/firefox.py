# SPDX-License-Identifier: Apache-2.0
"""A headless Firefox for tests of the page.

Debian has Firefox ESR but not geckodriver, so this speaks Firefox's own
protocol for tests, Marionette: JSON over a TCP connection on loopback, each
message with its length before it.
"""

import json
import os
import shutil
import socket
import subprocess

from harness import PATIENCE_S, wait_until

FIREFOX = shutil.which("firefox-esr")

# Its own errands would be requests that leave this host.
PREFERENCES = {
    "marionette.port": 0,  # Any that is free.
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "browser.newtabpage.enabled": False,
    "browser.region.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.startup.page": 0,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "",
}

# Errors and warnings of the console: of scripts, rejected promises, style sheets
# and the policy of the page.
COMPLAINTS = """
const found = [];
for (const message of Services.console.getMessageArray()) {
  if (message instanceof Ci.nsIScriptError &&
      message.sourceName.startsWith(arguments[0])) {
    found.push(`${message.sourceName}:${message.lineNumber}: ` +
      message.errorMessage);
  }
}
Services.console.reset();
return found;
"""


class Firefox:
    """One Firefox with a profile of its own in 'directory'."""

    def __init__(self, directory):
        with open(os.path.join(directory, "user.js"), "w",
                  encoding="utf-8") as file:
            for name, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(name)}, "
                           f"{json.dumps(value)});\n")
        with open(os.path.join(directory, "firefox.log"), "wb") as log:
            self.process = subprocess.Popen(
                [FIREFOX, "--headless", "--marionette", "--no-remote",
                 "--remote-allow-system-access", "--profile", directory],
                env={**os.environ, "HOME": directory},
                stdout=log, stderr=subprocess.STDOUT)
        self.socket = None
        self.n_commands = 0
        try:
            self.connect(os.path.join(directory, "MarionetteActivePort"))
        except BaseException:
            self.quit()
            raise

    def connect(self, path):
        def port():
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    return file.read()
            if self.process.poll() is not None:
                raise AssertionError(
                    f"Firefox has ended: {self.process.returncode}")
            return None

        self.socket = socket.create_connection(
            ("127.0.0.1", int(wait_until(port, "Firefox listens"))),
            2 * PATIENCE_S)
        self.file = self.socket.makefile("rb")
        self.read()  # What it is.
        self.version = self.command("WebDriver:NewSession")["capabilities"][
            "browserVersion"]

    def read(self):
        length = b""
        while (byte := self.file.read(1)) != b":":
            if not byte:
                raise ConnectionError("Firefox has closed the connection")
            length += byte
        return json.loads(self.file.read(int(length)))

    def command(self, name, **arguments):
        self.n_commands += 1
        data = json.dumps([0, self.n_commands, name, arguments]).encode()
        self.socket.sendall(b"%d:%s" % (len(data), data))
        _, number, error, answer = self.read()
        if error or number != self.n_commands:
            raise AssertionError(f"{name}: {error}")
        return answer

    def js(self, script, *arguments):
        return self.command("WebDriver:ExecuteScript", script=script,
                            args=list(arguments))["value"]

    def open(self, url):
        self.command("WebDriver:Navigate", url=url)

    def complaints(self, url):
        """What the console says of files below 'url' since the last call."""
        self.command("Marionette:SetContext", value="chrome")
        found = self.js(COMPLAINTS, url)
        self.command("Marionette:SetContext", value="content")
        return found

    def quit(self):
        if self.socket:
            self.file.close()
            self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
