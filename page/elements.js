// SPDX-License-Identifier: Apache-2.0

// Makes and updates elements of the page.

// Returns a new element: make("a", {href: "#port"}, "text", child).  Names that
// begin with "on" are listeners.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);

  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Sets the text of 'element' if it is another, so that nothing is laid out
// again in vain.
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

let lastId = 0;

export function newId(prefix) {
  lastId++;
  return `${prefix}-${lastId}`;
}

// Returns a panel with a title: a section that its heading names.  'tools' are
// controls next to the title; 'width' is "narrow", "broad", "wide", or "" for
// half the page.
export function panel(title, { width = "", tools = [] } = {}, ...children) {
  const id = newId("title");
  const head = make("div", { class: "panel-head" },
    make("h2", { id }, title), ...tools);

  return make("section",
    { class: `panel ${width}`, "aria-labelledby": id },
    head, ...children);
}

// Returns a control with its label, as one element.
export function labelled(text, control) {
  control.id = control.id || newId("control");
  return make("span", { class: "labelled" },
    make("label", { for: control.id }, text), control);
}

export function select(options, attributes = {}) {
  return make("select", attributes,
    ...options.map(([value, text]) => make("option", { value }, text)));
}

// Replaces the options of 'element' if they differ, and keeps the choice.
export function setOptions(element, options) {
  const signature = JSON.stringify(options);

  if (element.dataset.signature === signature) {
    return;
  }
  const { value } = element;
  element.replaceChildren(
    ...options.map(([name, text]) => make("option", { value: name }, text)));
  element.dataset.signature = signature;
  if (options.some(([name]) => name === value)) {
    element.value = value;
  }
}

// A list of names and values.
export class Facts {
  constructor() {
    this.element = make("dl", { class: "facts" });
    this.values = new Map();
  }

  // 'facts' are [name, text or element]; those without a value are left out.
  update(facts) {
    const shown = facts.filter(([, value]) => value !== null && value !== "");
    const names = shown.map(([name]) => name).join("\n");

    if (names !== this.names) {
      this.names = names;
      this.values.clear();
      this.element.replaceChildren();
      for (const [name] of shown) {
        const value = make("dd", { "data-fact": name });

        this.values.set(name, value);
        this.element.append(make("div", {}, make("dt", {}, name), value));
      }
    }
    for (const [name, value] of shown) {
      fill(this.values.get(name), value);
    }
  }
}

// Fills a cell with a text, or with an element that says the same as before by
// the same key.
function fill(cell, value) {
  if (!(value instanceof Node)) {
    setText(cell, String(value));
  } else if (!cell.firstChild?.isEqualNode?.(value)) {
    cell.replaceChildren(value);
  }
}

// A table of items whose rows are reused.  A column is
// {title, numeric, look, cell(item)}: 'look' is a class of page.css.
// 'key(item)' identifies a row.  With 'stacks' the cells of a row are below one
// another on a phone.
export class Table {
  constructor(caption, columns,
    { key, empty = "none", limit = 200, stacks = false } = {}) {
    this.columns = columns;
    this.key = key;
    this.limit = limit;
    this.rows = new Map();
    this.body = make("tbody");
    this.note = make("p", { class: "note" }, empty);
    this.empty = empty;
    this.table = make("table", { class: stacks ? "stacks" : null },
      make("caption", { class: "hidden" }, caption),
      make("thead", {}, make("tr", {}, ...columns.map((column) =>
        make("th", { scope: "col", class: column.numeric ? "numeric" : null },
          column.title)))),
      this.body);
    this.scroll = make("div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      this.table);
    this.element = make("div", {}, this.scroll, this.note);
  }

  newRow(key) {
    const cells = this.columns.map((column, i) => make(i ? "td" : "th", {
      class: column.numeric ? "numeric" : column.look,
      scope: i ? null : "row", "data-title": column.title,
    }));

    return { cells, element: make("tr", { "data-key": key }, ...cells) };
  }

  updateRow(row, item) {
    this.columns.forEach((column, i) => fill(row.cells[i], column.cell(item)));
  }

  update(items) {
    const shown = items.slice(0, this.limit);
    const seen = new Set();
    let before = null;

    for (const item of shown) {
      const key = String(this.key(item));
      const row = this.rows.get(key) ?? this.newRow(key);

      this.rows.set(key, row);
      seen.add(key);
      this.updateRow(row, item);
      if (row.element.previousSibling !== before ||
          row.element.parentNode !== this.body) {
        this.body.insertBefore(row.element,
          before ? before.nextSibling : this.body.firstChild);
      }
      before = row.element;
    }
    for (const [key, row] of this.rows) {
      if (!seen.has(key)) {
        row.element.remove();
        this.rows.delete(key);
      }
    }
    this.updateNote(items.length, shown.length);
  }

  updateNote(total, shown) {
    this.scroll.hidden = total === 0;
    this.note.hidden = total > 0 && total === shown;
    setText(this.note, total === 0 ? this.empty
      : `${shown} of ${total} rows are shown.`);
  }
}
