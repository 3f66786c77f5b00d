# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium for tests of the page, and questions about what it shows.

The browser cannot speak to a Unix socket, so Relay is what "ssh -L" is for
people: a TCP port on loopback whose connections end at that socket.
"""

import base64
import os
import shutil
import socket
import subprocess
import sys
import threading

from harness import BUILD, PATIENCE_S

# Pictures take a third of the CPU of these tests: make check-full has them.
PICTURES = os.environ.get("ORCHD_TEST_PICTURES") == "yes"
DEBIAN_PYTHON = "/usr/bin/python3"
CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    # python3-selenium is installed for Debian's own Python.
    if sys.executable != DEBIAN_PYTHON and subprocess.run(
            [DEBIAN_PYTHON, "-c", "import selenium"], check=False,
            stderr=subprocess.DEVNULL).returncode == 0:
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON] + sys.argv)
    webdriver = None


def missing():
    """What keeps the page from being tested here; "" if nothing does."""
    if not webdriver:
        return "selenium is not installed (python3-selenium)"
    if not CHROMIUM or not DRIVER:
        return "Chromium is not installed (chromium, chromium-driver)"
    return ""


class Relay:
    """Connects a TCP port of loopback with a Unix socket.

    Chromium opens connections before it needs them, which orchd closes when no
    request comes; one that is closed while its request is on the way would be
    an error in the console.  So orchd sees a connection only with a request."""

    def __init__(self, path):
        self.path = path
        self.n_bytes = 0  # Sent to the browser.
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,),
                             daemon=True).start()

    def serve(self, client):
        server = socket.socket(socket.AF_UNIX)
        try:
            first = client.recv(65536)
            if first:
                server.connect(self.path)
                server.sendall(first)
        except OSError as error:
            print(f"the relay at {self.port}: {error} for "
                  f"{first.splitlines()[:1]}", file=sys.stderr)
            first = b""
        if not first:
            client.close()
            server.close()
            return
        back = threading.Thread(target=self.answer, args=(server, client, first),
                                daemon=True)
        back.start()
        self.copy(client, server)
        back.join()
        client.close()
        server.close()

    def answer(self, server, client, request):
        """Copies the answer; says so if there is none."""
        n, why = self.copy(server, client, self.count)
        if not n:
            line = request.split(b"\r\n")[0].decode()
            print(f"the relay: nothing came for {line}: {why}", file=sys.stderr)

    def count(self, n):
        self.n_bytes += n

    @staticmethod
    def copy(source, target, count=lambda n: None):
        """Returns how much was copied, and why it ended."""
        n, why = 0, "end"
        try:
            while data := source.recv(65536):
                n += len(data)
                count(len(data))
                target.sendall(data)
        except OSError as error:
            why = error
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        return n, why

    def close(self):
        # close() alone does not wake accept(), which would take one more.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


# The colours of text with too little contrast to what is behind it: WCAG 2.1,
# 1.4.3.  What is disabled is exempt.
CONTRAST = """
const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92
  : ((c + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) +
  0.0722 * part(b);
const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
function back(element) {
  for (; element; element = element.parentElement) {
    const colour = numbers(getComputedStyle(element).backgroundColor);
    if (colour.length < 4 || colour[3] === 1) { return colour.slice(0, 3); }
  }
  throw new Error("nothing is behind the text");
}
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || element.closest(":disabled, .hidden") ||
      !element.checkVisibility()) { continue; }
  const [a, b] = [numbers(getComputedStyle(element).color), back(element)]
    .map(light).sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) {
    found.push(`${ratio.toFixed(2)} ${walker.currentNode.data.slice(0, 40)}`);
  }
}
return found;
"""

# Waits in the browser, which knows when the page changes, rather than asking it
# again and again from here.  What is no change of the document, as the value of
# a control, is looked at ten times a second.
UNTIL = """
const [condition, patience, ...rest] = arguments;
const test = new Function(condition);
return new Promise((done, failed) => {
  let observer, timer, limit;
  const look = (isLast) => {
    let answer;
    try { answer = test(...rest); } catch (error) { failed(error); }
    if (answer || isLast) {
      observer.disconnect();
      clearInterval(timer);
      clearTimeout(limit);
      done(answer);
    }
  };
  observer = new MutationObserver(() => look(false));
  observer.observe(document, { attributes: true, characterData: true,
    childList: true, subtree: true });
  timer = setInterval(() => look(false), 100);
  limit = setTimeout(() => look(true), patience);
  look(false);
});
"""

# The rows of a table by their keys, as {title: text}.
TABLE = """
const table = [...document.querySelectorAll("table")].find(
  (t) => t.caption.textContent === arguments[0]);
const titles = [...(table?.tHead.rows[0].cells ?? [])].map(
  (cell) => cell.textContent);
const rows = Object.fromEntries([...(table?.tBodies[0].rows ?? [])].map(
  (row) => [row.dataset.key, Object.fromEntries(
    [...row.cells].map((cell, i) => [titles[i], cell.textContent]))]));
"""

# What the keyboard must reach.
CONTROLS = """
return [...document.querySelectorAll(
  'a[href], button, input, select, summary, [tabindex="0"]')].filter(
  (e) => !e.disabled && e.checkVisibility());
"""

WATCH_FOCUS = """
window.focused = new Set();
window.unseen = [];
document.addEventListener("focusin", (event) => {
  focused.add(event.target);
  if (getComputedStyle(event.target).outlineStyle === "none") {
    unseen.push(event.target.outerHTML.slice(0, 80));
  }
});
"""


class Browser:
    """One Chromium, which tests share, as starting it takes seconds."""

    def __init__(self, directory):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        # Root has no sandbox; tests visit only pages of this tree.  A page that
        # was left must end, and its requests with it: kept for "back", it would
        # say in the next test that its orchd is gone.
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-background-networking", "--no-first-run",
                     "--disable-component-update", "--disable-sync",
                     "--disable-features=BackForwardCache",
                     f"--user-data-dir={directory}"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_script_timeout(2 * PATIENCE_S)
        # Without a window the page has the focus only now and then.
        self.cdp("Emulation.setFocusEmulationEnabled", enabled=True)
        self.resize(1280, 800)

    def quit(self):
        self.driver.quit()

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def resize(self, width, height, mobile=False):
        self.width = width
        self.cdp("Emulation.setDeviceMetricsOverride", width=width,
                 height=height, deviceScaleFactor=1, mobile=mobile)

    def prefer(self, scheme):
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])

    def leave(self):
        """Leaves the page, so that it asks for nothing any more."""
        self.driver.get("about:blank")

    def open(self, url):
        """Opens a page, and forgets what was said before."""
        self.leave()
        self.complaints()
        self.driver.get(url)

    def until(self, condition, what, *arguments):
        """Waits until a script returns something true; returns that."""
        answer = self.js(UNTIL, condition, PATIENCE_S * 1000, *arguments)
        if not answer:
            raise AssertionError(f"not within {PATIENCE_S} s: {what}")
        return answer

    def view(self, name):
        """Goes to a view: "port/Ethernet0"."""
        self.js("location.hash = arguments[0]", name)
        title = name.split("/", maxsplit=1)[0]
        self.until("return document.querySelector('nav a[aria-current]')"
                   "?.hash === arguments[0]", f"the view is {title}",
                   "#" + title)

    def text(self, selector):
        """The text of the first such element; None if there is none."""
        return self.js("return document.querySelector(arguments[0])"
                       "?.textContent ?? null", selector)

    def click(self, selector, text=""):
        """Clicks the first such element with this text, when it is there."""
        self.until(
            "const found = [...document.querySelectorAll(arguments[0])].find("
            "(e) => e.textContent.includes(arguments[1]) && !e.disabled);"
            "found?.click(); return Boolean(found);",
            f"there is {selector} {text}", selector, text)

    def shows(self, selector, text):
        try:
            self.until("return document.querySelector(arguments[0])"
                       "?.textContent.includes(arguments[1])",
                       f"{selector} shows '{text}'", selector, text)
        except AssertionError as error:
            raise AssertionError(f"{error}; there is: {self.text(selector)}; "
                                 f"{self.text('main')}") from error

    def lacks(self, selector, what):
        """Waits until no such element has a text."""
        self.until("return !document.querySelector(arguments[0])?.textContent",
                   what, selector)

    def table(self, caption):
        """The rows of a table by their keys, as {title: text}."""
        return self.js(TABLE + "return rows;", caption)

    def filled(self, caption, n=1):
        """The same of a table that has, or is to have, so many rows."""
        return self.until(
            TABLE + "return Object.keys(rows).length >= arguments[1] && rows;",
            f"'{caption}' has {n} rows", caption, n)

    def screenshot(self, name):
        """Keeps a picture of the whole page in the build directory, if pictures
        are wanted."""
        if not PICTURES:
            return
        self.js("return new Promise((done) => requestAnimationFrame("
                "() => requestAnimationFrame(done)))")
        height = self.js("return document.documentElement.scrollHeight")
        picture = self.cdp("Page.captureScreenshot", captureBeyondViewport=True,
                           clip={"x": 0, "y": 0, "width": self.width,
                                 "height": min(height, 3000), "scale": 1})
        path = os.path.join(BUILD, "tests", "integration", f"page-{name}.png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def complaints(self):
        """What the console says since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def hosts(self):
        """The hosts that the page has asked for anything."""
        return set(self.js("return performance.getEntriesByType('resource')"
                           ".map((entry) => new URL(entry.name).host)"))

    def nameless(self):
        """Controls and pictures that the browser's accessibility tree gives no
        name, and tables without heads."""
        named = ("application", "button", "checkbox", "combobox", "image",
                 "link", "log", "region", "searchbox", "spinbutton", "table",
                 "textbox")
        found = []
        for node in self.cdp("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value")
            if not node.get("ignored") and role in named and \
                    not node.get("name", {}).get("value"):
                found.append(role)
        return found

    def unreached(self):
        """Controls that Tab does not reach, and those that do not show it."""
        self.js("window.focused || (" + "() => {" + WATCH_FOCUS + "})();"
                "focused.clear(); document.activeElement.blur();"
                "document.querySelector('.skip').focus();")
        n = self.js("return (() => {" + CONTROLS + "})().length")
        ActionChains(self.driver, duration=0).send_keys(
            Keys.TAB * n).perform()
        found = self.js("return (() => {" + CONTROLS + "})().filter((e) => "
                        "!focused.has(e)).map((e) => e.outerHTML.slice(0, 90))"
                        ".concat(unseen)")
        self.js("document.activeElement.blur()")
        return found

    def faint(self):
        """Text with too little contrast."""
        return self.js(CONTRAST)
