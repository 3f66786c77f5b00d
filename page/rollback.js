// SPDX-License-Identifier: Apache-2.0

// Restores CONFIG_DB to a generation: first what would change, then a second
// button that does it.  Only for those whom orchd lets change things.

import { ask, change, reasonOf } from "./api.js";
import { Table, labelled, make, select, setOptions, setText }
  from "./elements.js";
import { count } from "./format.js";
import { fieldText } from "./row.js";

export class Rollback {
  constructor(page) {
    this.page = page;
    this.generation = select([], { onchange: () => this.reset() });
    this.note = make("p", { class: "note", role: "status" });
    this.now = make("button", { type: "button", class: "primary",
      disabled: true, onclick: () => this.carryOut() }, "Roll back now");
    this.changes = new Table("What a rollback changes", [
      { title: "ROW", cell: (item) => item.row },
      { title: "NOW", look: "long",
        cell: (item) => fieldText(item.before, item.after) },
      { title: "THEN", look: "long",
        cell: (item) => fieldText(item.after, item.before) },
    ], { key: (item) => item.row, empty: "" });
    this.element = make("div", { hidden: true },
      make("h3", {}, "Roll back"),
      make("div", { class: "form" },
        labelled("To generation", this.generation),
        make("button", { type: "button", onclick: () => this.plan() },
          "Show what changes"), this.now),
      this.note, this.changes.element);
    this.changes.element.hidden = true;
  }

  // 'options' are the generations there are.
  update(options) {
    this.element.hidden = !this.page.canWrite || options.length < 2;
    setOptions(this.generation, options);
  }

  reset() {
    this.now.disabled = true;
    this.changes.element.hidden = true;
    setText(this.note, "");
  }

  async plan() {
    const answer = await ask("config", "rollback-plan",
      { generation: this.generation.value });
    const changes = answer.data?.changes;

    this.now.disabled = !changes?.length;
    this.changes.element.hidden = !changes?.length;
    this.changes.update(changes ?? []);
    setText(this.note, changes
      ? `${count(changes.length, "row")} would change.` : reasonOf(answer));
  }

  async carryOut() {
    this.reset();
    setText(this.note, "Rolling back.");
    const answer = await change("config", "rollback",
      { generation: this.generation.value, yes: true });

    setText(this.note, answer.exit === 0
      ? `${count(answer.data.rows_written, "row")} written, ` +
        `${count(answer.data.rows_removed, "row")} removed.`
      : reasonOf(answer));
  }
}
