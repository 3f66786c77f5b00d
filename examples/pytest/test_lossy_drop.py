# SPDX-License-Identifier: Apache-2.0
"""Which packet does a lossy queue drop first, with one and with two busy queues?

With a dynamic threshold a queue may have alpha times what is free of the pool:
the second one finds less.
"""

from pathlib import Path

CONFIG = Path(__file__).with_name("lossless-4x.config_db.json")
OBJECTS = ("queue Ethernet4|1", "queue Ethernet8|1", "pg Ethernet0|0",
           "port Ethernet0")


def test_lossy_drop(switch):
    device = switch("TD3", CONFIG, ports=4)
    cell = device.number("cell_bytes")
    reserved = -(-int(device.row("BUFFER_PROFILE|egress_lossy")["size"]) // cell)
    pool = (int(device.row("BUFFER_POOL|egress_lossy_pool")["size"]) // cell +
            device.number("egress_lag_cells"))
    # alpha is 1: a queue may share u cells while u < pool - u, of what is left.
    one = -(-pool // 2)
    two = -(-(pool - one) // 2)

    device.block("Ethernet4", "Ethernet8")
    start = device.snapshot("start", *OBJECTS)
    device.send("Ethernet0", "Ethernet4", until="drop")
    first = device.snapshot("first", *OBJECTS)
    device.expect("queue Ethernet4|1", curr_occupancy_cells=reserved + one,
                  dropped_packets=1)
    device.expect("pg Ethernet0|0", dropped_packets=0)

    device.send("Ethernet0", "Ethernet8", until="drop")
    device.snapshot("second", *OBJECTS)
    device.expect("queue Ethernet8|1", curr_occupancy_cells=reserved + two)
    device.expect("queue Ethernet4|1", dropped_packets=0, vs=first)
    device.expect_pfc("Ethernet0", range(8), frames="stable", vs=start)

    device.unblock("Ethernet4", "Ethernet8")
    device.settle()
    device.expect_rx("Ethernet4", reserved + one, where={"queue": 1})
