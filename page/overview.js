// SPDX-License-Identifier: Apache-2.0

// The first view: what orchd is and works on, what needs attention, rows by
// state with their reasons, drift, findings of lint.

import { ask, reasonOf } from "./api.js";
import { findAlarms } from "./alarms.js";
import { Facts, Table, make, panel, setText } from "./elements.js";
import { clock, count, duration, number, text } from "./format.js";

const ROWS = "config/status";

const STATES = [
  ["applied", "good"], ["waiting", "warn"], ["rejected", "bad"],
  ["failed", "bad"], ["unsupported", "warn"], ["shadowed", ""],
  ["pending-delete", ""],
];

function rowName(row) {
  return `${row.table}|${row.key}`;
}

export class OverviewView {
  constructor(page) {
    this.page = page;
    this.facts = new Facts();
    this.alarms = make("ul", { class: "alarms" });
    this.tiles = make("div", { class: "tiles" });
    this.makeRows();
    this.makeDrift();
    this.makeLint();
    this.element = make("div", { class: "view" },
      make("h1", { class: "hidden" }, "Overview"),
      panel("Alarms", {}, this.alarms),
      panel("Switch and orchd", {}, this.facts.element),
      panel("Rows by state", { width: "wide" }, this.tiles, this.rows.element),
      this.driftPanel, this.lintPanel);
  }

  makeRows() {
    this.rows = new Table("Rows that are not applied, and why", [
      { title: "ROW", cell: (row) => this.rowLink(rowName(row)) },
      { title: "STATE", cell: (row) => row.state },
      { title: "WHY", cell: (row) => text(row.reason) },
      { title: "REMEDY", cell: (row) => text(row.remedy) },
    ], { key: rowName, stacks: true, empty: "All rows are applied without a warning." });
  }

  makeDrift() {
    this.driftNote = make("p", { class: "note", role: "status" });
    this.drift = new Table("Where the ASIC differs from CONFIG_DB", [
      { title: "OBJECT", look: "long", cell: (item) => item.object },
      { title: "ATTRIBUTE", cell: (item) => item.attribute },
      { title: "INTENDED", cell: (item) => text(item.intended) },
      { title: "FOUND", cell: (item) => text(item.found) },
    ], { key: (item) => `${item.object} ${item.attribute}`, empty: "" });
    const again = make("button", { type: "button",
      onclick: () => this.compare() }, "Compare again");
    this.driftPanel = panel("Drift", { width: "narrow", tools: [again] },
      this.driftNote, this.drift.element);
    this.drift.element.hidden = true;
  }

  makeLint() {
    this.lint = new Table("Findings of lint", [
      { title: "ROW", cell: (item) => this.findingRow(item) },
      { title: "LEVEL", cell: (item) => item.level },
      { title: "WHY", cell: (item) => item.reason },
      { title: "REMEDY", cell: (item) => text(item.remedy) },
    ], { key: (item) => `${item.code} ${item.row}`, stacks: true,
      empty: "Lint finds nothing." });
    const again = make("button", { type: "button",
      onclick: () => this.runLint() }, "Check again");
    this.lintPanel = panel("Findings of lint",
      { width: "broad", tools: [again] }, this.lint.element);
  }

  rowLink(name) {
    return make("a", { href: this.page.link("configuration", name) }, name);
  }

  findingRow(item) {
    const link = this.rowLink(item.row);

    return item.n_more > 0 ? make("span", {}, link, ` and ${item.n_more} more`)
      : link;
  }

  topics() {
    return [ROWS];
  }

  show() {
    this.compare();
    this.runLint();
  }

  // orchd is there again.
  connected() {
    this.show();
  }

  // Reads the ASIC back: costs calls of SAI, so it is done on demand.
  async compare() {
    const answer = await ask("config", "diff");
    const found = answer.data?.differences;

    if (!found) {
      setText(this.driftNote, reasonOf(answer));
      return;
    }
    this.differences = found.length;
    setText(this.driftNote,
      `${count(answer.data.compared, "attribute")} compared at ` +
      `${clock(Date.now())}: ${found.length ? count(found.length, "difference")
        : "the ASIC is as intended."}`);
    this.drift.element.hidden = found.length === 0;
    this.drift.update(found);
    this.page.redraw();
  }

  async runLint() {
    const answer = await ask("config", "lint");

    this.lint.empty = answer.data ? "Lint finds nothing." : reasonOf(answer);
    this.lint.update(answer.data?.findings ?? []);
  }

  draw() {
    const status = this.page.status();
    const rows = this.page.data(ROWS);

    this.drawAlarms(status, rows);
    if (status) {
      this.facts.update(this.factsOf(status));
      this.drawTiles(status.rows ?? {});
    }
    this.rows.update(rows?.rows ?? []);
  }

  factsOf(status) {
    const sw = status.switch ?? {};
    const redis = status.redis ?? {};

    return [
      ["Chip", sw.chip ? `${sw.chip} (${sw.chosen})` : "unknown"],
      ["Switch", sw.simulated ? "simulated (softasic)" : text(sw.library)],
      ["Ports", number(this.page.live.ports.length)],
      ["orchd", `${status.version}, process ${status.pid}`],
      ["Up for", duration(status.uptime_seconds ?? 0)],
      ["Redis", redis.up ? `connected, ${redis.endpoint}` : "not connected"],
      ["PFC watchdog", status.watchdog?.queues
        ? `${count(status.watchdog.queues, "queue")}, ` +
          `${status.watchdog.stormed} in a storm` : "watches no queue"],
      ["System calls", text(status.seccomp)],
      ["History", status.history ?? ""],
    ];
  }

  drawAlarms(status, rows) {
    const found = findAlarms({ status, live: this.page.live, rows: rows?.rows,
      gap: rows?.lossless_gap, differences: this.differences });
    const key = JSON.stringify([Boolean(status), found]);

    if (key === this.alarmKey) {
      return;
    }
    this.alarmKey = key;
    this.alarms.replaceChildren(...(found.length ? found : [{
      level: status ? "good" : "note",
      text: status ? "Nothing needs attention." : "Waiting for orchd.",
    }]).map((alarm) => this.alarmItem(alarm)));
  }

  alarmItem({ level, text: said, view, what }) {
    const words = { alarm: ["bad", "ALARM"], warning: ["warn", "WARNING"],
      note: ["", "NOTE"], good: ["good", "OK"] };
    const [look, word] = words[level];
    const content = view
      ? make("a", { href: this.page.link(view, what) }, said)
      : make("span", {}, said);

    return make("li", {},
      make("span", { class: `level ${look}` }, word), content);
  }

  drawTiles(rows) {
    const key = JSON.stringify(rows);

    if (key === this.tileKey) {
      return;
    }
    this.tileKey = key;
    this.tiles.replaceChildren(...STATES.map(([state, look]) => make("div",
      { class: `tile ${rows[state] > 0 ? look : ""}` },
      make("b", { "data-state": state }, number(rows[state])),
      make("span", {}, state))));
  }
}
