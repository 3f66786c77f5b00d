// SPDX-License-Identifier: Apache-2.0

// Numbers and names, as orchctl prints them.

const NONE = "-";

// 17039360 as "17,039,360"; "-" if it is not known.
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return NONE;
  }
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function bytes(value) {
  const text = number(value);

  return text === NONE ? text : `${text} B`;
}

// Returns 'value' in the unit in which it is below 1000, or in the last one.
function scaled(value, units) {
  let unit = 0;
  let rest = value;

  while (Math.abs(rest) >= 1000 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  const isExact = unit === 0 || rest >= 100 || rest % 1 === 0;
  return `${isExact ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
}

// For axes and tight places: "17.0 MB".
export function shortBytes(value) {
  return scaled(value, ["B", "kB", "MB", "GB"]);
}

// Bits per second: "99.8 Gb/s".
export function rate(bps) {
  return scaled(bps, ["b/s", "kb/s", "Mb/s", "Gb/s", "Tb/s"]);
}

export function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : NONE;
}

// A speed in Mb/s: "100G".
export function speed(mbps) {
  return mbps && mbps % 1000 === 0 ? `${mbps / 1000}G` : `${mbps ?? NONE}M`;
}

// A mask of priorities: "3,4".
export function priorities(mask) {
  const list = [];

  for (let i = 0; i < 8; i++) {
    if (mask & (1 << i)) {
      list.push(i);
    }
  }
  return list.join(",") || NONE;
}

// Seconds: "2 d 3 h", "4 min 5 s".
export function duration(seconds) {
  const parts = [[86400, "d"], [3600, "h"], [60, "min"]];

  for (let i = 0; i < parts.length; i++) {
    const [size, unit] = parts[i];
    const [rest, restUnit] = parts[i + 1] ?? [1, "s"];

    if (seconds >= size) {
      return `${Math.floor(seconds / size)} ${unit} ` +
        `${Math.floor((seconds % size) / rest)} ${restUnit}`;
    }
  }
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds)} s`;
}

// A time of this browser: "14:03:27.4".
export function clock(ms) {
  const time = new Date(ms);
  const two = (value) => String(value).padStart(2, "0");

  return `${two(time.getHours())}:${two(time.getMinutes())}:` +
    `${two(time.getSeconds())}.${Math.floor(time.getMilliseconds() / 100)}`;
}

// "1 row", "2 rows".
export function count(n, one, many = one + "s") {
  return `${number(n)} ${n === 1 ? one : many}`;
}

export function text(value) {
  return value === null || value === undefined || value === ""
    ? NONE : String(value);
}
