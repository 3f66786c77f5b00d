// SPDX-License-Identifier: Apache-2.0

// The generations of CONFIG_DB, and what two of them differ in.

import { ask, reasonOf } from "./api.js";
import { Table, labelled, make, panel, select, setOptions, setText }
  from "./elements.js";
import { count, number, text } from "./format.js";
import { Rollback } from "./rollback.js";
import { fieldText } from "./row.js";

export const HISTORY = "config/history";

export class HistoryPanel {
  constructor(page) {
    this.page = page;
    this.generations = new Table("Generations of the configuration", [
      { title: "GENERATION", cell: (item) => String(item.generation) },
      { title: "TIME", look: "time", cell: (item) => item.time },
      { title: "ROWS", numeric: true,
        cell: (item) => number(item.rows_changed) },
      { title: "SUMMARY", look: "summary", cell: (item) => text(item.summary) },
      { title: "COMMENT", cell: (item) => text(item.comment) },
    ], { key: (item) => item.generation, limit: 50,
      empty: "There are no generations yet." });
    this.diff = new Table("What the generations differ in", [
      { title: "ROW", cell: (item) => make("a",
        { href: page.link("configuration", item.row) }, item.row) },
      { title: "BEFORE", cell: (item) => fieldText(item.before, item.after) },
      { title: "AFTER", cell: (item) => fieldText(item.after, item.before) },
    ], { key: (item) => item.row, empty: "" });
    this.rollback = new Rollback(page);
    this.from = select([], { onchange: () => this.chosen() });
    this.to = select([], { onchange: () => this.chosen() });
    this.note = make("p", { class: "note", role: "status" });
    this.form = make("div", { class: "form" },
      labelled("From", this.from), labelled("To", this.to),
      make("button", { type: "button", onclick: () => this.compare() },
        "Compare"));
    this.element = panel("History", { width: "wide" }, this.generations.element,
      this.form, this.note, this.diff.element, this.rollback.element);
    this.diff.element.hidden = true;
  }

  // Shows the answer of the topic HISTORY.
  update(answer) {
    const list = answer.data?.generations ?? [];
    const options = list.map(({ generation }) =>
      [String(generation), String(generation)]);

    if (!answer.data) {
      this.generations.empty = reasonOf(answer);
    }
    this.generations.update(list);
    this.form.hidden = list.length < 2;
    setOptions(this.from, options);
    setOptions(this.to, options);
    this.rollback.update(options);
    // The newest change, until somebody chooses.
    if (!this.isChosen && list.length > 1) {
      this.from.value = options[1][0];
      this.to.value = options[0][0];
    }
  }

  chosen() {
    this.isChosen = true;
  }

  async compare() {
    this.chosen();
    const answer = await ask("config", "history-diff",
      { from: this.from.value, to: this.to.value });
    const changes = answer.data?.changes;

    setText(this.note, changes
      ? `${count(changes.length, "row")} differ between generation ` +
        `${this.from.value} and ${this.to.value}.` : reasonOf(answer));
    this.diff.element.hidden = !changes?.length;
    this.diff.update(changes ?? []);
  }
}
