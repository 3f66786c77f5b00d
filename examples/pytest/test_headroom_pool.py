# SPDX-License-Identifier: Apache-2.0
"""What happens when all senders that were paused use their headroom at once, and
the pool of it has room for only some?

Two ports with two lossless groups each share a headroom pool for two and a half
groups: the last one loses packets, although its own limit is not reached.
"""

from pathlib import Path

CONFIG = Path(__file__).with_name("lossless-4x.config_db.json")
ROOM = 39936 * 5 // 2
GROUPS = [(port, prio) for port in ("Ethernet0", "Ethernet4")
          for prio in (3, 4)]
OBJECTS = [*(f"pg {port}|{prio}" for port, prio in GROUPS),
           "pool ingress_lossless_pool"]


def test_headroom_pool(switch):
    device = switch("TD3", [CONFIG, {
        "BUFFER_POOL|ingress_lossless_pool": {"xoff": ROOM}}], ports=4)
    cell = device.number("cell_bytes")

    device.block("Ethernet12")
    for port, prio in GROUPS:
        device.send(port, "Ethernet12", until="xoff", dscp=prio)
    device.snapshot("paused", *OBJECTS)
    for port, prio in GROUPS:
        device.send(port, "Ethernet12", 100, dscp=prio)
    device.snapshot("filled", *OBJECTS)
    device.expect("pool ingress_lossless_pool",
                  headroom_bytes=ROOM // cell * cell)
    device.expect("pg Ethernet4|3", dropped_packets=0)
    device.expect("pg Ethernet4|4", dropped_packets=400 - ROOM // cell)

    device.unblock("Ethernet12")
    device.settle()
    device.snapshot("drained", *OBJECTS)
    device.expect("pool ingress_lossless_pool", headroom_bytes=0)
