// SPDX-License-Identifier: Apache-2.0

// Wires the page: the streams, the model of the buffer, and the view that the
// address names: "#port/Ethernet0".

import { Stream } from "./connection.js";
import { onTheme, setTheme, startTheme, currentTheme } from "./colours.js";
import { make, setText } from "./elements.js";
import { count } from "./format.js";
import { Frames } from "./frames.js";
import { Intervals, recordPauses } from "./intervals.js";
import { LIVE_NAMES, LIVE_VALUES, Live } from "./live.js";
import { Recent, recordLive } from "./recent.js";
import { recordStorms } from "./storms.js";
import { BufferView } from "./buffer.js";
import { ConfigurationView } from "./configuration.js";
import { OverviewView } from "./overview.js";
import { PortView } from "./port.js";
import { TryView } from "./try.js";
import { WatchdogView } from "./watchdog.js";

const STATUS = "show/status";
const WATCHDOG = "show/watchdog";
const SLOW_MS = 1000;

const VIEWS = [
  ["overview", "Overview", OverviewView],
  ["buffer", "Buffer", BufferView],
  ["port", "Port", PortView],
  ["configuration", "Configuration", ConfigurationView],
  ["watchdog", "Watchdog", WatchdogView],
  ["try", "Try it", TryView],
];

// What views work with.
const page = {
  live: new Live(),
  recent: new Recent(),
  pauses: new Intervals(),
  storms: new Intervals(),
  answers: new Map(), // Of topics: the newest answer.
  canWrite: false,
  ranges: {}, // Of the numbers of asic commands: {verb: {name: [min, max]}}.
  isConnected: false,

  data: (topic) => page.answers.get(topic)?.data ?? null,
  status: () => page.data(STATUS),
  watchdog: () => page.data(WATCHDOG)?.watchdog ?? [],
  // "Try it" is only for a simulated switch behind a Unix socket.
  canTry: () => page.canWrite && page.status()?.switch?.simulated === true,
  // Goes to a view; 'what' is a port or row.
  link: (view, what = "") =>
    `#${view}${what ? "/" + encodeURIComponent(what) : ""}`,
  open: (view, what) => {
    location.hash = page.link(view, what);
  },
  follow: () => follow(),
  intervalMs: () => frames.intervalMs,
  redraw: () => frames.request(),
};

let masks = { sent: [], received: [] };
let view = null;
const made = new Map();
const links = new Map();
const byId = (id) => document.getElementById(id);

function tick(now) {
  recordLive(page.recent, page.live, now);
  recordPauses(page.pauses, page.live, masks, now);
}

function takeLive(topic, answer, now) {
  if (answer.exit !== 0) {
    page.live.forget();
  } else if (topic === LIVE_NAMES) {
    page.live.takeNames(answer.data);
  } else if (page.live.takeValues(answer.data)) {
    tick(now);
  }
}

function takeAnswer(topic, answer) {
  const now = Date.now();

  page.answers.set(topic, answer);
  if (topic === LIVE_NAMES || topic === LIVE_VALUES) {
    takeLive(topic, answer, now);
  } else if (topic === WATCHDOG) {
    recordStorms(page.storms, page.watchdog(), now);
  }
  view?.take?.(topic, answer);
  frames.request();
}

// 'isWanted': the page itself has disconnected, as nobody looks at it.
function setConnected(connected, isWanted) {
  if (connected === page.isConnected) {
    return;
  }
  const now = Date.now();

  page.isConnected = connected;
  if (!connected) {
    page.recent.gap(now);
    page.pauses.endAll(now);
    page.storms.endAll(now);
    masks = { sent: [], received: [] };
    page.isLost = !isWanted;
  }
  showState();
  frames.request();
}

// Another "started" is another orchd, whose counters began anew; another "page"
// is one with other files, to whose answers these do not fit.
function takeHello(data) {
  if (page.build && page.build !== data.page) {
    location.reload();
    return;
  }
  page.build = data.page;
  view?.resumed?.();
  page.canWrite = Boolean(data.writing);
  page.ranges = data.asic ?? {};
  if (page.started && page.started !== data.started) {
    view?.connected?.();
  }
  page.started = data.started;
  showViews();
}

const stream = new Stream({
  hello: takeHello,
  answer: takeAnswer,
  state: setConnected,
  cost: (ms) => frames.addEvent(ms),
});
const frames = new Frames(draw, follow);

// Asks for what the view shows; all but the buffer, and what the view draws as
// often, once in a second.
function follow() {
  const fast = view?.fastTopics?.() ?? [];

  stream.follow([[LIVE_VALUES, frames.intervalMs],
    ...fast.map((topic) => [topic, frames.intervalMs]),
    ...[LIVE_NAMES, STATUS, WATCHDOG, ...(view?.topics?.() ?? [])].filter(
      (topic) => !fast.includes(topic)).map((topic) => [topic, SLOW_MS])]);
}

function showState() {
  const state = byId("state");
  const lost = byId("lost");
  const text = page.isConnected ? `live, every ${frames.intervalMs} ms`
    : page.isLost ? "connection lost" : "connecting";

  setText(state, text);
  state.className = `state ${page.isConnected ? "live" : "off"}`;
  lost.hidden = page.isConnected || !page.isLost;
  setText(lost, lost.hidden ? ""
    : "Connection lost: orchd does not answer. Trying again; all values " +
      "are the last ones known.");
}

function showWhere() {
  const status = page.status();
  const chip = status?.switch?.chip;

  setText(byId("where"), !status ? ""
    : `${chip || "no chip"}${status.switch?.simulated ? ", simulated" : ""}, ` +
      count(page.live.ports.length, "port"));
}

function showViews() {
  for (const [name, link] of links) {
    link.hidden = name === "try" && !page.canTry();
    if (name === view?.name) {
      link.setAttribute("aria-current", "page");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

function draw() {
  const now = Date.now();

  showState();
  showWhere();
  showViews();
  view?.draw(now);
}

// What a person typed need not be encoded.
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function route() {
  const [name, what = ""] = location.hash.slice(1).split("/");
  const [key, title, View] = VIEWS.find(([known]) => known === name) ??
    VIEWS[0];

  if (name === "main") {
    byId("main").focus();
    return;
  }
  if (!made.has(key)) {
    made.set(key, new View(page));
  }
  view = made.get(key);
  view.name = key;
  document.title = `${title} - orchd`;
  byId("main").replaceChildren(view.element);
  view.show?.(decode(what));
  follow();
  frames.request();
}

function start() {
  startTheme();
  byId("theme").value = currentTheme();
  byId("theme").addEventListener("change",
    (event) => setTheme(event.target.value));
  onTheme(() => frames.request());
  for (const [name, title] of VIEWS) {
    links.set(name,
      make("a", { href: `#${name}`, hidden: name === "try" }, title));
  }
  byId("views").append(...links.values());
  addEventListener("hashchange", route);
  addEventListener("resize", () => frames.request());
  // Time-lines move on while nothing changes.
  setInterval(() => document.hidden || frames.request(), SLOW_MS);
  route();
}

start();
