// SPDX-License-Identifier: Apache-2.0

// Storms as intervals, from what the PFC watchdog says about its queues.

export function queueName(queue) {
  return `${queue.port}|${queue.index}`;
}

export function recordStorms(intervals, queues, now) {
  for (const queue of queues) {
    intervals.set(queueName(queue), queue.state === "stormed", now,
      { action: queue.action, txDropped: queue.last_tx_dropped,
        rxDropped: queue.last_rx_dropped });
  }
}
