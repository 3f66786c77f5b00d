// SPDX-License-Identifier: Apache-2.0

// What needs attention, as a list, from what the show commands answer.

import { count, number } from "./format.js";

const ROW_STATES = [
  ["rejected", "alarm", "rejected by orchd"],
  ["failed", "alarm", "refused by the switch"],
  ["unsupported", "warning", "not supported by this switch"],
  ["waiting", "warning", "waiting for something else"],
];

// With a link to the first of 'rows', the rows that are not applied.
function rowAlarms(counts, rows) {
  return ROW_STATES.filter(([state]) => counts?.[state] > 0).map(
    ([state, level, what]) => {
      const first = rows?.find((row) => row.state === state);

      return { level, view: first && "configuration",
        what: first && `${first.table}|${first.key}`,
        text: `${count(counts[state], "row")} ${what}` };
    });
}

// Drops of lossless PGs, of which there should be none.
function lossAlarms(live) {
  const { drops, port } = live.pgs;
  const found = [];

  for (let i = 0; i < port.length; i++) {
    if (live.isLossless(i) && drops[i] > 0) {
      found.push({ level: "alarm", view: "port", what: live.ports[port[i]],
        text: `lossless PG ${live.pgName(i)} dropped ` +
          count(drops[i], "packet") });
    }
  }
  return found.length <= 5 ? found : [{ level: "alarm", view: "buffer",
    text: `${number(found.length)} lossless PGs dropped packets` }];
}

function statusAlarms(status) {
  const found = [];

  if (status.trouble) {
    found.push({ level: "alarm", text: status.trouble });
  }
  if (status.redis && !status.redis.up) {
    found.push({ level: "alarm", text: `Redis is not connected: ` +
      `${status.redis.reason || status.redis.endpoint}` });
  }
  if (status.switch?.warning) {
    found.push({ level: "warning", text: status.switch.warning });
  }
  if (status.last_error) {
    found.push({ level: "warning", text: `last error: ${status.last_error}` });
  }
  if (status.hold) {
    found.push({ level: "note", text: `removals wait: ${status.hold}` });
  }
  return found;
}

// Returns [{level, text, view, what}], the gravest first.  'rows', 'gap' and
// 'differences' may be undefined: not known yet.
export function findAlarms({ status, rows, live, gap, differences }) {
  const found = status ? statusAlarms(status) : [];

  found.push(...rowAlarms(status?.rows, rows));
  if (status?.watchdog?.stormed > 0) {
    found.push({ level: "alarm", view: "watchdog",
      text: `${count(status.watchdog.stormed, "queue")} in a PFC storm` });
  }
  if (gap) {
    found.push({ level: "alarm", text: `${gap.reason}; ${gap.remedy}` });
  }
  found.push(...lossAlarms(live));
  if (differences > 0) {
    found.push({ level: "alarm", text: `the ASIC differs from CONFIG_DB in ` +
      count(differences, "attribute") });
  }
  const order = ["alarm", "warning", "note"];
  return found.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}
