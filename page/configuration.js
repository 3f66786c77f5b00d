// SPDX-License-Identifier: Apache-2.0

// The rows in force: what each says, where it came from, what it became in SAI,
// and how it changed; and what two generations differ in.

import { ask, reasonOf } from "./api.js";
import { labelled, make, panel, select, setOptions, setText }
  from "./elements.js";
import { number } from "./format.js";
import { HISTORY, HistoryPanel } from "./history.js";
import { RowPanel } from "./row.js";

const SHOWN = 300;
const ROWS = "config/status";

// Returns ["TABLE|KEY", ...] of the tables of a config_db.json, sorted as
// people count.
function rowNames(tables) {
  const order = new Intl.Collator("en", { numeric: true });

  return Object.entries(tables).flatMap(([table, rows]) =>
    Object.keys(rows).map((key) => `${table}|${key}`)).sort(order.compare);
}

export class ConfigurationView {
  constructor(page) {
    this.page = page;
    this.names = [];
    this.selected = "";
    this.makePick();
    this.row = new RowPanel(page);
    this.history = new HistoryPanel(page);
    this.element = make("div", { class: "view" },
      make("h1", { class: "hidden" }, "Configuration"),
      make("div", { class: "split" },
        panel("Rows", {}, this.form, this.note, this.pick),
        make("div", { class: "right" }, this.row.element)),
      this.history.element);
  }

  makePick() {
    this.table = select([["", "all tables"]], { onchange: () => this.list() });
    this.filter = make("input", { type: "search", placeholder: "part of a name",
      oninput: () => this.list() });
    this.state = select([["", "any state"], ["trouble", "not applied"]],
      { onchange: () => this.list() });
    this.form = make("div", { class: "form" }, labelled("Table", this.table),
      labelled("State", this.state), labelled("Name", this.filter));
    this.note = make("p", { class: "note", role: "status" });
    this.pick = make("ul", { class: "pick" });
  }

  topics() {
    return [ROWS, HISTORY];
  }

  show(name) {
    this.selected = name || this.selected;
    this.isNew = true;
    this.load();
    this.row.show(this.selected);
  }

  connected() {
    this.show("");
  }

  // A row that was applied and is again, with other fields, changes nothing in
  // the answer about rows, but the history.
  take(topic, answer) {
    if (topic !== HISTORY && topic !== ROWS) {
      return;
    }
    if (topic === HISTORY) {
      this.history.update(answer);
    }
    const key = JSON.stringify([ROWS, HISTORY].map(
      (name) => this.page.data(name)));

    if (key !== this.seen) {
      this.seen = key;
      this.load();
      this.row.show(this.selected);
    }
  }

  async load() {
    const answer = await ask("config", "save", { all: true });

    if (!answer.data?.tables) {
      setText(this.note, reasonOf(answer));
      return;
    }
    // Rows that are refused altogether are in force nowhere.
    const names = new Set(rowNames(answer.data.tables));
    for (const row of this.page.data(ROWS)?.rows ?? []) {
      names.add(`${row.table}|${row.key}`);
    }
    this.names = [...names];
    const tables = [...new Set(this.names.map((name) => name.split("|")[0]))];
    setOptions(this.table,
      [["", "all tables"], ...tables.sort().map((table) => [table, table])]);
    this.list();
  }

  wanted(states) {
    const part = this.filter.value.trim().toLowerCase();

    return this.names.filter((name) =>
      (!this.table.value || name.startsWith(`${this.table.value}|`)) &&
      (!this.state.value || states.has(name)) &&
      (!part || name.toLowerCase().includes(part)));
  }

  list() {
    const states = new Map((this.page.data(ROWS)?.rows ?? []).map(
      (row) => [`${row.table}|${row.key}`, row.state]));
    const wanted = this.wanted(states);

    setText(this.note, wanted.length > SHOWN
      ? `${SHOWN} of ${number(wanted.length)} rows are shown.`
      : `${number(wanted.length)} of ${number(this.names.length)} rows.`);
    this.pick.replaceChildren(...wanted.slice(0, SHOWN).map((name) =>
      make("li", {}, make("a", {
        href: this.page.link("configuration", name),
        "aria-current": name === this.selected ? "true" : null,
      }, make("span", { class: "mono" }, name),
      states.has(name)
        ? make("span", { class: "bad" }, states.get(name)) : ""))));
    this.reveal();
  }

  // Scrolls the list, but not the page, to a row that was just chosen.
  reveal() {
    const current = this.pick.querySelector("[aria-current]");

    if (this.isNew && current) {
      this.isNew = false;
      this.pick.scrollTop = current.offsetTop - this.pick.offsetTop - 60;
    }
  }

  draw() {}
}
