// SPDX-License-Identifier: Apache-2.0

// Storms of the PFC watchdog: the queues that it watches, a time-line, and what
// each storm did.

import { Table, make, panel } from "./elements.js";
import { clock, count, duration, number, text } from "./format.js";
import { queueName } from "./storms.js";
import { TimeLine } from "./time_line.js";

const LINES = 24;

function ms(value) {
  return value === null || value === undefined ? "-" : number(value);
}

function state(queue) {
  return queue.state === "stormed"
    ? make("span", { class: "badge bad" }, "stormed") : queue.state;
}

export class WatchdogView {
  constructor(page) {
    this.page = page;
    this.timeLine = new TimeLine("Storms over the last five minutes",
      { what: "QUEUE", empty: "No storm was seen since the page was opened." });
    this.timeLine.spanS = 300;
    this.makeQueues();
    this.makeStorms();
    this.quiet = make("p", { class: "note" },
      "No storm was seen since the page was opened.");
    this.element = make("div", { class: "view" },
      make("h1", { class: "hidden" }, "Watchdog"),
      panel("Storms over the last five minutes", { width: "wide" },
        this.quiet, this.timeLine.element),
      panel("Storms seen", { width: "wide" }, this.storms.element),
      panel("Watched queues", { width: "wide" }, this.queues.element));
  }

  makeQueues() {
    this.queues = new Table("Queues that the PFC watchdog watches", [
      { title: "QUEUE", cell: (queue) => make("a",
        { href: this.page.link("port", queue.port) }, queueName(queue)) },
      { title: "STATE", cell: state },
      { title: "DETECTED BY", cell: (queue) => queue.detects },
      { title: "ACTION", cell: (queue) => queue.action },
      { title: "DETECTION (ms)", numeric: true,
        cell: (queue) => ms(queue.detection_ms) },
      { title: "RESTORATION (ms)", numeric: true,
        cell: (queue) => ms(queue.restoration_ms) },
      { title: "STORMS", numeric: true,
        cell: (queue) => number(queue.detected) },
      { title: "OVER", numeric: true, cell: (queue) => number(queue.restored) },
      { title: "TX DROPPED", numeric: true,
        cell: (queue) => number(queue.tx_dropped) },
      { title: "RX DROPPED", numeric: true,
        cell: (queue) => number(queue.rx_dropped) },
    ], { key: queueName, limit: 128,
      empty: "No queue is watched: add a row PFC_WD|PORT and set " +
        "pfcwd_sw_enable in the PORT_QOS_MAP row of the port." });
  }

  makeStorms() {
    this.storms = new Table("Storms that this page has seen", [
      { title: "QUEUE", cell: (storm) => storm.name },
      { title: "DETECTED AT", cell: (storm) => clock(storm.begin) },
      { title: "RESTORED AT", cell: (storm) => (storm.end === null ? "not yet"
        : storm.cut ? "unknown: connection lost" : clock(storm.end)) },
      { title: "LASTED", numeric: true, cell: (storm) =>
        duration(((storm.end ?? storm.now) - storm.begin) / 1000) },
      { title: "ACTION", cell: (storm) => text(storm.detail?.action) },
      { title: "TX DROPPED", numeric: true,
        cell: (storm) => number(storm.after?.txDropped) },
      { title: "RX DROPPED", numeric: true,
        cell: (storm) => number(storm.after?.rxDropped) },
    ], { key: (storm) => `${storm.name} ${storm.begin}`, limit: 100,
      empty: "No storm was seen since the page was opened. STORMS below " +
        "counts those before." });
  }

  draw(now) {
    const queues = this.page.watchdog();
    const storms = this.page.storms.all();
    const names = [...new Set(storms.map((storm) => storm.name))];
    const lines = names.slice(0, LINES).map((name) => ({ name, label: name,
      colour: "bad", intervals: this.page.storms.get(name) }));

    this.queues.update(queues.toSorted((a, b) =>
      (b.state === "stormed") - (a.state === "stormed")));
    this.storms.update(storms.map((storm) => ({ ...storm, now })));
    this.quiet.hidden = lines.length > 0;
    this.timeLine.element.hidden = lines.length === 0;
    if (lines.length > 0) {
      this.timeLine.draw(lines, now);
    }
    this.quiet.textContent = queues.length
      ? `${count(queues.length, "queue")} watched; no storm was seen since ` +
        "the page was opened."
      : "No queue is watched.";
  }
}
