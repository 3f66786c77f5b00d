# SPDX-License-Identifier: Apache-2.0
"""How many packets are marked below Kmin, between Kmin and Kmax, and above?"""

from pathlib import Path

CONFIG = Path(__file__).with_name("lossless-4x.config_db.json")
CELL = 256  # Of this chip; a packet of 64 bytes takes one.
CURVE = {
    "WRED_PROFILE|marking": {
        "wred_green_enable": True, "ecn": "ecn_all",
        "green_min_threshold": 1000 * CELL, "green_max_threshold": 2000 * CELL,
        "green_drop_probability": 50},
    "QUEUE|Ethernet4|3": {"wred_profile": "marking"}}
QUEUE = "queue Ethernet4|3"


def test_ecn_marks(switch):
    device = switch("TD3", [CONFIG, CURVE], ports=4)
    device.trace("Ethernet4")
    start = device.snapshot("start", QUEUE, "port Ethernet4")

    def burst(n):
        """What a packet leaves behind in the queue decides whether it is marked,
        on chips that mark at dequeue as this one does."""
        device.block("Ethernet4")
        device.send("Ethernet0", "Ethernet4", n, dscp=3, ecn=2)
        device.unblock("Ethernet4")
        device.settle()
        return device.snapshot(f"after_{n}", QUEUE, "port Ethernet4")

    kmin, kmax, above = burst(1000), burst(2000), burst(2100)
    device.expect(QUEUE, wred_ecn_marked_packets=0, at=kmin, vs=start)
    # The probability rises to 50 %: a quarter of the second 1,000 is marked.
    device.expect(QUEUE, wred_ecn_marked_packets=250, at=kmax, vs=kmin,
                  margin=60)
    # And all of the 100 beyond.
    device.expect(QUEUE, wred_ecn_marked_packets=350, at=above, vs=kmax,
                  margin=60)
    device.expect(QUEUE, dropped_packets=0)
    device.expect_rx("Ethernet4", 2100, vs=kmax)
    device.expect_rx("Ethernet4", 1000, where={"ecn": 2}, first=1000, vs=start)
