// SPDX-License-Identifier: Apache-2.0

// One row of CONFIG_DB: its fields, its status, its SAI objects, how numbers of
// it were derived, and its changes.

import { ask, reasonOf } from "./api.js";
import { Facts, Table, make, panel } from "./elements.js";
import { number, text } from "./format.js";

// So many generations are searched for changes of a row.
const GENERATIONS = 12;

const ORIGINS = {
  user: "written into CONFIG_DB",
  derived: "derived by orchd",
};

// The fields of a row, of which only those that another version does not have
// in the same way.
function fieldText(fields, other) {
  return fields ? Object.entries(fields).filter(
    ([name, value]) => other?.[name] !== value).map(
    ([name, value]) => `${name}=${value}`).join(", ") || "-" : "no row";
}

export class RowPanel {
  constructor(page) {
    this.page = page;
    this.name = "";
    this.status = new Facts();
    this.makeTables();
    this.body = make("div", {});
    this.title = make("p", { class: "mono" });
    this.historyButton = make("button", { type: "button",
      onclick: () => this.findChanges() }, "Find its changes");
    this.element = make("div", {},
      panel("Row", {}, this.title, this.body));
    this.sayNone("Choose a row.");
  }

  makeTables() {
    this.fields = new Table("Fields in force", [
      { title: "FIELD", cell: ([name]) => name },
      { title: "VALUE", cell: ([, value]) => value },
    ], { key: ([name]) => name, empty: "The row has no fields." });
    this.objects = new Table("What the row became in SAI", [
      { title: "OBJECT", look: "long", cell: (item) => item.label },
      { title: "ATTRIBUTE", cell: (item) => text(item.attribute) },
      { title: "FIELD", cell: (item) => text(item.field) },
      { title: "INTENDED", look: "long", cell: (item) => text(item.intended) },
      { title: "FOUND", look: "long", cell: (item) => this.found(item) },
    ], { key: (item) => `${item.object} ${item.attribute}`,
      empty: "The row sets nothing on the ASIC." });
    this.derived = new Table("How numbers were derived", [
      { title: "TERM", cell: (term) => term.name },
      { title: "VALUE", numeric: true, cell: (term) => term.value },
      { title: "UNIT", cell: (term) => text(term.unit) },
      { title: "FORMULA", cell: (term) => text(term.formula) },
      { title: "SOURCE", cell: (term) => text(term.source) },
    ], { key: (term) => `${term.port} ${term.name}`, empty: "" });
    this.changes = new Table("Changes of the row", [
      { title: "GENERATION", cell: (item) => String(item.generation) },
      { title: "TIME", look: "time", cell: (item) => item.time },
      { title: "BEFORE", look: "long",
        cell: (item) => fieldText(item.before, item.after) },
      { title: "AFTER", look: "long",
        cell: (item) => fieldText(item.after, item.before) },
    ], { key: (item) => item.generation, empty: "" });
  }

  found(item) {
    const value = text(item.found);

    return item.found !== undefined && item.found !== item.intended
      ? make("span", { class: "bad" }, value) : value;
  }

  sayNone(reason) {
    this.title.textContent = this.name;
    this.body.replaceChildren(make("p", { class: "note" }, reason));
  }

  async show(name) {
    if (!name) {
      return;
    }
    this.name = name;
    const [explained, stated] = await Promise.all([
      ask("config", "explain", { row: name }),
      ask("config", "status", { row: name })]);
    if (name !== this.name) {
      return;
    }
    const status = explained.data?.status ?? stated.data?.rows?.[0];
    if (!explained.data && !status) {
      this.sayNone(reasonOf(explained));
      return;
    }
    this.fill(name, explained.data ?? {}, status ?? {});
  }

  fill(name, data, status) {
    const terms = (data.derived ?? []).flatMap((item) => item.terms.map(
      (term) => ({ ...term, port: item.port })));

    this.title.textContent = name;
    this.fillStatus(data, status);
    this.fields.update(Object.entries(data.fields ?? {}));
    this.objects.update(this.attributes(data.objects ?? []));
    this.derived.update(terms);
    if (name !== this.changesOf) {
      this.changesOf = name;
      this.changes.empty = "";
      this.changes.update([]);
    }
    this.body.replaceChildren(
      make("h3", {}, "Status and origin"), this.status.element,
      make("h3", {}, "Fields in force"), this.fields.element,
      make("h3", {}, "In SAI"), this.objects.element,
      ...(terms.length
        ? [make("h3", {}, "Derived"), this.derived.element] : []),
      make("h3", {}, "Changes"), this.historyButton, this.changes.element);
  }

  fillStatus(data, status) {
    const look = status.state === "applied" ? "good" : "bad";

    this.status.update([
      ["State", make("span", { class: look },
        status.state + (status.code ? ` (${status.code})` : ""))],
      ["Origin", data.from ? `derived by ${data.from}`
        : ORIGINS[status.origin] ?? text(status.origin)],
      ["Generation", number(status.generation)],
      ["Why", status.reason ?? ""],
      ["Field", status.field ?? ""],
      ["Value", status.value ?? ""],
      ["Allowed", status.allowed ?? ""],
      ["Remedy", status.remedy ?? ""],
      ["Waits for", status.blocked_by ?? ""],
    ]);
  }

  attributes(objects) {
    return objects.flatMap((object) => (object.attributes ?? []).map(
      (attribute, i) => ({ ...attribute, object: object.object,
        label: i > 0 ? "" : object.object +
          (object.shadowed_by ? ` (shadowed by ${object.shadowed_by})` : "") +
          (object.waits_for ? ` (waits for ${object.waits_for})` : "") })));
  }

  // Compares generations pairwise: a question for each, so on demand.
  async findChanges() {
    const { name } = this;
    const answer = await ask("config", "history");
    const generations = (answer.data?.generations ?? []).slice(0,
      GENERATIONS + 1);
    const found = [];

    if (!answer.data) {
      this.changes.empty = reasonOf(answer);
    }
    for (let i = 0; i + 1 < generations.length; i++) {
      const [after, before] = [generations[i], generations[i + 1]];
      const diff = await ask("config", "history-diff",
        { from: before.generation, to: after.generation });
      const change = diff.data?.changes?.find((item) => item.row === name);

      if (change) {
        found.push({ generation: after.generation, time: after.time,
          ...change });
      }
    }
    if (name === this.name) {
      this.changes.empty = answer.data
        ? `No change in the last ${generations.length} generations.`
        : this.changes.empty;
      this.changes.update(found);
    }
  }
}

export { fieldText };
