// SPDX-License-Identifier: Apache-2.0

// The theme, and its colours for canvases.  page.css has the colours, as custom
// properties; a canvas needs them as numbers.

const KEY = "orchd-theme";
let cache = new Map();
const listeners = [];

export function currentTheme() {
  return document.documentElement.dataset.theme ?? "system";
}

function changed() {
  cache = new Map();
  listeners.forEach((listener) => listener());
}

// Calls 'listener' when the colours are others.
export function onTheme(listener) {
  listeners.push(listener);
}

// Sets "light", "dark" or "system", and remembers it.
export function setTheme(theme) {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = theme;
  }
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage it holds until the page is closed.
  }
  changed();
}

export function startTheme() {
  let theme = "system";

  try {
    theme = localStorage.getItem(KEY) ?? "system";
  } catch {
    // As above.
  }
  setTheme(["light", "dark"].includes(theme) ? theme : "system");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
    changed);
}

// Returns the value of a custom property that is a colour: "rgb(1, 2, 3)".
export function colour(name) {
  if (!cache.has(name)) {
    const probe = document.createElement("span");

    probe.className = "probe";
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    cache.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return cache.get(name);
}

function channels(name) {
  return colour(name).match(/[\d.]+/g).slice(0, 3).map(Number);
}

// Returns 'n' colours from one to another.
export function scale(from, to, n) {
  const key = `${from} ${to} ${n}`;

  if (!cache.has(key)) {
    const a = channels(from);
    const b = channels(to);

    cache.set(key, Array.from({ length: n }, (_, i) => {
      const part = i / (n - 1);
      const mixed = a.map((value, k) =>
        Math.round(value + part * (b[k] - value)));

      return `rgb(${mixed.join(", ")})`;
    }));
  }
  return cache.get(key);
}
