// SPDX-License-Identifier: Apache-2.0

// One port: what it is, rates, occupancy, queues, PGs, pauses, drops by reason,
// watermarks.

import { Chart } from "./chart.js";
import { Facts, labelled, make, panel, select, setOptions, setText }
  from "./elements.js";
import { number, priorities, rate, shortBytes, speed, text } from "./format.js";
import { pauseName } from "./intervals.js";
import { PauseWindows } from "./pause_windows.js";
import { PgBars } from "./pg_bars.js";
import { dropTable, pauseTable, queueTable, watermarkTable }
  from "./port_tables.js";
import { Recent } from "./recent.js";
import { TimeLine } from "./time_line.js";

const SPAN_MS = 120 * 1000;
const CHART_EVERY_MS = 250;

const TOPICS = {
  ports: (name) => `show/ports?name=${name}&stats=true`,
  queues: (name) => `show/queues?name=${name}`,
  pauses: (name) => `show/pauses?name=${name}`,
  drops: (name) => `show/drops?name=${name}`,
  watermarks: (name) => `show/watermarks?name=${name}`,
};

const LEGEND = "Full bars: paused each time that the page looked. Lower or " +
  "striped: paused for a part of the time between two looks, as the switch " +
  "counts it; the height is that part.";
const DIRECTIONS = [["sent", "bad", "pauses peer"],
  ["received", "headroom", "paused by peer"]];

const PALETTE = ["accent", "good", "warn", "shared", "headroom", "guaranteed",
  "bad", "muted"];

export class PortView {
  constructor(page) {
    this.page = page;
    this.port = null;
    this.rates = new Recent();
    this.facts = new Facts();
    this.windows = new PauseWindows();
    this.choice = select([],
      { onchange: () => page.open("port", this.choice.value) });
    this.title = make("h1", {}, "Port");
    this.empty = make("p", { class: "note", role: "status" });
    this.makeParts();
    this.element = make("div", { class: "view" },
      make("div", { class: "heads" }, this.title,
        labelled("Port", this.choice), this.empty),
      ...this.parts);
  }

  makeParts() {
    this.occupancy = new Chart("Occupancy of the port", shortBytes);
    this.rateChart = new Chart("Rates of the port", rate);
    this.pgs = new PgBars(this.page, "PGs of the port");
    this.queues = queueTable();
    this.pauses = pauseTable();
    this.drops = dropTable();
    this.watermarks = watermarkTable();
    this.timeLine = new TimeLine("Pauses over the last minute", {
      what: "PRIORITY", windows: true,
      empty: "No pause was seen since the page was opened." });
    this.quiet = make("p", { class: "note" });
    this.parts = [
      panel("Port", {}, this.facts.element),
      panel("Rates", {}, this.rateChart.element),
      panel("Priority groups", { width: "wide" }, this.pgs.element),
      panel("Queues", { width: "wide" }, this.queues.element),
      panel("Occupancy of PGs and queues", {}, this.occupancy.element),
      panel("Pauses over the last minute", {}, this.timeLine.element,
        this.quiet, make("p", { class: "note" }, LEGEND)),
      panel("Pauses since the start", {}, this.pauses.element),
      panel("Drops by reason", {}, this.drops.element),
      panel("Watermarks", { width: "wide" }, this.watermarks.element),
    ];
  }

  // A stream of answers begins.
  resumed() {
    this.windows.forget();
  }

  show(name) {
    const port = name || this.port;

    this.windows.forget();
    if (port !== this.port) {
      this.port = port;
      this.rates.forget();
      this.before = null;
      this.perS = null;
    }
  }

  connected() {
    this.before = null;
  }

  topics() {
    const name = encodeURIComponent(this.port ?? "");

    return this.port ? Object.values(TOPICS).map((topic) => topic(name)) : [];
  }

  // Those that it asks for as often as the buffer.
  fastTopics() {
    return this.port ? [TOPICS.pauses(encodeURIComponent(this.port))] : [];
  }

  // The answer of one of its topics.
  answer(kind) {
    return this.page.data(TOPICS[kind](encodeURIComponent(this.port)));
  }

  take(topic, answer) {
    if (this.port && answer.data &&
        topic === TOPICS.ports(encodeURIComponent(this.port))) {
      this.addRates(answer.data.ports?.[0]?.stats ?? {});
    }
    if (this.port && answer.data?.pauses &&
        topic === TOPICS.pauses(encodeURIComponent(this.port))) {
      this.windows.take(answer.data, Date.now(), this.page.intervalMs());
    }
  }

  // Rates from two readings of the counters.
  addRates(stats) {
    const now = Date.now();
    const bits = [stats.if_in_octets, stats.if_out_octets].map(
      (octets) => 8 * (octets ?? 0));
    const { before } = this;

    this.before = { now, bits };
    if (before && now > before.now) {
      const perS = bits.map((value, i) =>
        Math.max(0, value - before.bits[i]) * 1000 / (now - before.now));

      this.rates.begin(now);
      this.rates.add("in", perS[0]);
      this.rates.add("out", perS[1]);
      this.perS = perS;
    }
  }

  // Takes the first port until one is chosen.
  choose() {
    const { ports } = this.page.live;

    setOptions(this.choice, ports.map((port) => [port, port]));
    if (!this.port && ports.length > 0) {
      this.show(ports[0]);
      this.page.follow();
    }
    this.choice.value = this.port ?? "";
    this.isThere = ports.includes(this.port);
    this.empty.hidden = !this.page.live.known || this.isThere;
    setText(this.empty, this.empty.hidden ? "" : ports.length === 0
      ? "There are no ports on the ASIC: load a configuration with PORT rows."
      : `There is no port ${this.port} on the ASIC: choose another.`);
    for (const part of this.parts) {
      part.hidden = !this.isThere;
    }
  }

  draw(now) {
    this.choose();
    setText(this.title, this.port ?? "Port");
    if (!this.isThere) {
      return;
    }
    this.drawFacts();
    this.drawTables();
    this.drawPauses(now);
    if (now - (this.drawnAt ?? 0) >= CHART_EVERY_MS) {
      this.drawnAt = now;
      this.drawCharts(now);
    }
  }

  drawFacts() {
    const port = this.answer("ports")?.ports?.[0];

    if (!port) {
      this.facts.update([]);
      return;
    }
    this.facts.update([
      ["Speed", speed(port.speed)],
      ["Admin, oper", `${port.admin ? "up" : "down"}, ${text(port.oper)}`],
      ["Transmits", port.tx_enabled === false
        ? make("span", { class: "bad" }, "blocked") : "on"],
      ["PFC", `priorities ${priorities(port.pfc_mask)}`],
      ["Lanes", (port.lanes ?? []).join(",")],
      ["Max frame", `${text(port.mtu)} B`],
      ["Alias", text(port.configured?.alias)],
      ["Description", text(port.configured?.description)],
      ["DSCP map", text(port.dscp_to_tc_map)],
      ["In now", this.perS ? rate(this.perS[0]) : "-"],
      ["Out now", this.perS ? rate(this.perS[1]) : "-"],
      ["Frames dropped in, out", `${number(port.stats?.rx_dropped)}, ` +
        number(port.stats?.tx_dropped)],
    ]);
  }

  drawTables() {
    this.pgs.draw(this.page.live, (item) => item.port === this.port);
    this.queues.update(this.answer("queues")?.queues ?? []);
    this.pauses.update((this.answer("pauses")?.pauses ?? []).filter(
      (pause) => pause.frames > 0 || pause.paused_us > 0));
    this.drops.update((this.answer("drops")?.drops ?? []).filter(
      (drop) => drop.packets > 0));
    this.watermarks.update((this.answer("watermarks")?.watermarks ?? []).filter(
      (mark) => mark.last > 0 || mark.user > 0 || mark.persistent > 0));
  }

  // Lines for the priorities with PFC, and those that were paused.
  drawPauses(now) {
    const mask = this.answer("ports")?.ports?.[0]?.pfc_mask ?? 0;
    const lines = [];

    for (let i = 0; i < 8; i++) {
      for (const [direction, look, what] of DIRECTIONS) {
        const name = pauseName(this.port, i, direction);
        const intervals = this.page.pauses.get(name);
        const windows = this.windows.get(name);

        if (mask & (1 << i) || intervals.length + windows.length > 0) {
          lines.push({ name: `${i}, ${what}`, label: `${i} ${what}`,
            colour: look, intervals, windows });
        }
      }
    }
    setText(this.quiet, lines.length ? "" : "PFC is off at this port.");
    this.timeLine.draw(lines, now);
  }

  drawCharts(now) {
    const { recent, isConnected } = this.page;
    const names = [...recent.series.keys()].filter((name) =>
      ["pg", "queue"].some((kind) => name.startsWith(`${kind} ${this.port}|`)));
    const shown = names.length ? names : [`pg ${this.port}|0 used`];

    const from = now - SPAN_MS;

    this.occupancy.draw({ from, to: now,
      names: shown.map((name) => this.curveTitle(name)),
      colours: shown.map((name, i) => (name.endsWith("xoff") ? "bad"
        : PALETTE[i % PALETTE.length])),
      rows: recent.rows(shown, from, now, isConnected) });
    this.rateChart.draw({ from, to: now, names: ["in (b/s)", "out (b/s)"],
      colours: ["accent", "headroom"],
      rows: this.rates.rows(["in", "out"], from, now, isConnected) });
  }

  curveTitle(name) {
    return name.replace(`${this.port}|`, "").replace(" used", "")
      .replace("xoff", "XOFF at").replace("pg", "PG");
  }
}
