# SPDX-License-Identifier: Apache-2.0
"""A peer that pauses a queue without end: the PFC watchdog drops what waits for it,
and restores the queue when the storm is over."""

from pathlib import Path

CONFIG = Path(__file__).with_name("lossless-4x.config_db.json")
WATCHDOG = {
    "PFC_WD|GLOBAL": {"POLL_INTERVAL": 100},
    "PFC_WD|Ethernet4": {"action": "drop", "detection_time": 200,
                         "restoration_time": 200},
    "PORT_QOS_MAP|Ethernet4": {"pfcwd_sw_enable": "3,4"}}
STORMED, CALM = "queue Ethernet4|3", "queue Ethernet4|4"


def test_pfc_watchdog(switch):
    device = switch("TD3", [CONFIG, WATCHDOG], ports=4)

    device.run(ms=100)
    device.storm("Ethernet4", prios=[3], interval_us=100)
    device.run(us=100)
    device.send("Ethernet0", "Ethernet4", 10, dscp=3)
    device.snapshot("stormed", STORMED, CALM)
    device.expect(STORMED, curr_occupancy_cells=10)
    device.until(STORMED, stormed=1, limit_us=400_000, step_us=10_000)
    detected = device.snapshot("detected", STORMED, CALM)

    device.send("Ethernet0", "Ethernet4", 7, dscp=3)
    device.send("Ethernet0", "Ethernet4", 5, dscp=4)
    device.settle()
    device.snapshot("dropped", STORMED, CALM)
    device.expect(STORMED, dropped_packets=7, vs=detected)
    device.expect(CALM, dropped_packets=0)

    device.stop(storms="Ethernet4")
    device.until(STORMED, stormed=0, limit_us=400_000, step_us=10_000)
    restored = device.snapshot("restored", STORMED, CALM)
    device.expect(STORMED, storm_deadlock_restored=1,
                  storm_tx_dropped_packets=7)
    device.send("Ethernet0", "Ethernet4", 3, dscp=3)
    device.settle()
    device.snapshot("after", STORMED, CALM)
    device.expect(STORMED, packets=3, vs=restored)
