# SPDX-License-Identifier: Apache-2.0
"""Which packet makes a lossless group pause its sender, and how many more fit?

Block an egress port, fill the buffer with one lossless class, and look where
PFC fires and where the first packet is lost.  Each number follows from the
configuration and from how the chip accounts for buffers.
"""

from pathlib import Path

import pytest

CONFIG = Path(__file__).with_name("lossless-4x.config_db.json")
OBJECTS = ("pg Ethernet0|3", "queue Ethernet4|3", "port Ethernet0")


@pytest.mark.chips("TH", "TD3")
def test_first_pause(switch, chip):
    device = switch(chip, CONFIG, ports=4)
    cell = device.number("cell_bytes")  # A packet of 64 bytes takes one.
    profile = device.row("BUFFER_PROFILE|pg_lossless")
    pool = device.row("BUFFER_POOL|ingress_lossless_pool")
    reserved = -(-int(profile["size"]) // cell)
    headroom = int(profile["xoff"]) // cell
    # What groups share: the pool, in each partition of the chip; on some chips
    # less what is reserved for the two groups of each of the four ports.
    shared = (int(pool["size"]) // cell - device.number("shared_minus_pg_min") *
              4 * 2 * reserved) // device.number("partitions")
    # The smallest u with u >= (shared - u) / 8, rounded down.
    pause_at = reserved + (shared - 8) // 9 + 1

    device.block("Ethernet4")
    start = device.snapshot("start", *OBJECTS)
    device.send("Ethernet0", "Ethernet4", until="xoff", dscp=3)
    paused = device.snapshot("paused", *OBJECTS)
    device.expect("pg Ethernet0|3", packets=pause_at, vs=start)
    device.expect("pg Ethernet0|3", headroom_bytes=0, dropped_packets=0)
    device.expect_pfc("Ethernet0", 3, state="xoff")

    device.send("Ethernet0", "Ethernet4", until="drop", dscp=3)
    device.snapshot("full", *OBJECTS)
    device.expect("pg Ethernet0|3", packets=headroom + 1, vs=paused)
    device.expect("pg Ethernet0|3", headroom_bytes=headroom * cell,
                  dropped_packets=1)

    device.unblock("Ethernet4")
    device.settle()
    device.snapshot("drained", *OBJECTS)
    device.expect_rx("Ethernet4", pause_at + headroom,
                     where={"dscp": 3, "queue": 3})
    device.expect_pfc("Ethernet0", 3, state="xon")
