// SPDX-License-Identifier: Apache-2.0

// The tables of a port, with the columns of orchctl.

import { Table, make } from "./elements.js";
import { number, text } from "./format.js";

function stat(title, name) {
  return { title, numeric: true, cell: (item) => number(item.stats?.[name]) };
}

// A number of picoseconds, in nanoseconds.
function nanoseconds(title, name) {
  return { title, numeric: true, cell: (item) => {
    const ps = item.stats?.[name];
    return number(ps === undefined ? ps : Math.floor(ps / 1000));
  } };
}

function member(title, name) {
  return { title, numeric: true, cell: (item) => number(item[name]) };
}

function place(item) {
  return item.index === undefined ? item.name : `${item.name}|${item.index}`;
}

export function queueTable() {
  return new Table("Queues of the port", [
    { title: "QUEUE", cell: place },
    stat("USED (B)", "curr_occupancy_bytes"),
    stat("LIMIT (B)", "limit_bytes"),
    stat("PEAK SHARED (B)", "shared_watermark_bytes"),
    stat("SENT", "packets"),
    nanoseconds("P50 DELAY (ns)", "p50_delay_ps"),
    nanoseconds("P99 DELAY (ns)", "p99_delay_ps"),
    stat("PEAK DELAY (ns)", "delay_watermark_ns"),
    stat("MARKS", "wred_ecn_marked_packets"),
    stat("DROPS", "dropped_packets"),
    { title: "PROFILE", cell: (item) => text(item.profile) },
    { title: "SCHEDULER", cell: (item) => text(item.scheduler) },
    { title: "WRED", cell: (item) => text(item.wred) },
  ], { key: place, empty: "No queue of this port has a profile." });
}

export function pauseTable() {
  return new Table("Pauses since the start", [
    { title: "PRIORITY", cell: (item) => String(item.priority) },
    { title: "DIRECTION", cell: (item) => item.direction },
    member("FRAMES", "frames"),
    member("PAUSED (us)", "paused_us"),
    member("PAUSES", "pauses"),
    member("LONGEST (us)", "longest_us"),
    member("SHARE (ppm)", "share_ppm"),
  ], { key: (item) => `${item.priority} ${item.direction}`,
    empty: "No priority was paused, and none paused its peer." });
}

export function dropTable() {
  return new Table("Drops by reason", [
    { title: "REASON", cell: (item) => item.reason },
    member("PACKETS", "packets"),
  ], { key: (item) => item.reason, empty: "This port dropped nothing." });
}

export function watermarkTable() {
  return new Table("Watermarks of the port", [
    { title: "OF", cell: place },
    { title: "KIND", cell: (item) => item.kind },
    { title: "CLASS", cell: (item) => item.class },
    member("LAST (B)", "last"),
    { title: "USER (B)", numeric: true, cell: (item) => kept(item, "user") },
    { title: "PERSISTENT (B)", numeric: true,
      cell: (item) => kept(item, "persistent") },
    { title: "PERIODIC (B)", numeric: true,
      cell: (item) => kept(item, "periodic") },
  ], { key: (item) => `${item.kind} ${place(item)} ${item.class}`,
    empty: "All watermarks are 0." });
}

// orchd keeps a watermark only if it polls its group.
function kept(item, name) {
  return item.not_polled
    ? make("span", { title: `the group ${item.not_polled} is not polled` }, "-")
    : number(item[name]);
}
