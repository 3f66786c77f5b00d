# SPDX-License-Identifier: Apache-2.0
"""The dynamic buffer model through a real Redis: what follows from speed and
cable, what is explained of it, and that no change leaves a lossless group
without its headroom on the way."""

import json
import os
import re
import signal
import unittest

from harness import (BESIDE, APPL_DB, CONFIG_DB, COUNTERS_DB, PROFILES, SOURCE,
                     STATE_DB, as_commands, asic_objects, needs_packets,
                     needs_sai, wait_until)
from sonic_tools import ToolError, Tools
from test_cli import DONE, NO, Cli

ASIC_TABLE = [
    {"ASIC_TABLE:VS-ASIC": {
        "cell_size": "128", "pipeline_latency": "18", "mac_phy_delay": "0.8",
        "peer_response_time": "3.8"}, "OP": "SET"}]

ZERO_PROFILES = [
    {"BUFFER_POOL_TABLE:ingress_zero_pool": {
        "type": "ingress", "mode": "static", "size": "0"}, "OP": "SET"},
    {"BUFFER_PROFILE_TABLE:ingress_lossy_pg_zero_profile": {
        "pool": "ingress_zero_pool", "size": "0", "static_th": "0"},
     "OP": "SET"},
    {"BUFFER_PROFILE_TABLE:egress_lossy_zero_profile": {
        "pool": "egress_lossy_pool", "size": "0", "dynamic_th": "-8"},
     "OP": "SET"},
    {"control_fields": {
        "pgs_to_apply_zero_profile": "0",
        "ingress_zero_profile": "ingress_lossy_pg_zero_profile"},
     "OP": "SET"}]

# More than two groups of 5 m, less than two of 300 m.
PORT_LIMIT = 300000

DEVICE = "DEVICE_METADATA|localhost"
DEFAULTS = "DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE"
POOL = "BUFFER_POOL|ingress_lossless_pool"
CABLES = "CABLE_LENGTH|AZURE"
GROUP = "BUFFER_PG|Ethernet0|3-4"
P5 = "pg_lossless_100000_5m_profile"

PORTS = [f"Ethernet{4 * i}" for i in range(4)]

CONFIG = {
    DEVICE: {"buffer_model": "dynamic", "platform": "x86_64-kvm_x86_64-r0"},
    DEFAULTS: {"default_dynamic_th": "0"},
    POOL: {"type": "ingress", "mode": "dynamic"},
    "BUFFER_POOL|egress_lossy_pool": {"type": "egress", "mode": "dynamic"},
    "BUFFER_PROFILE|ingress_lossy_profile": {
        "pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
    "BUFFER_PROFILE|egress_lossy_profile": {
        "pool": "egress_lossy_pool", "size": "9216", "dynamic_th": "7"},
    CABLES: {port: "5m" for port in PORTS},
    **{f"PORT|{port}": {
        "lanes": ",".join(str(4 * i + lane) for lane in range(1, 5)),
        "speed": "100000", "admin_status": "up"}
       for i, port in enumerate(PORTS)},
    **{f"BUFFER_PG|{port}|3-4": {"profile": "NULL"} for port in PORTS},
    **{f"BUFFER_PG|{port}|0": {"profile": "ingress_lossy_profile"}
       for port in PORTS},
    **{f"BUFFER_QUEUE|{port}|0-2": {"profile": "egress_lossy_profile"}
       for port in PORTS},
}


class Dynamic(Cli):
    MODEL = "limited"

    def setUp(self):
        super().setUp()
        self.record = os.path.join(self.directory, "sai.record")
        chips = os.path.join(self.directory, "chips")
        os.mkdir(chips)
        with open(os.path.join(SOURCE, "chips", "generic.yaml"),
                  encoding="utf-8") as file:
            text = file.read()
        text = text.replace("name: generic", "name: limited").replace(
            "headroom_params:\n",
            f"headroom_params:\n  max_headroom_size: {PORT_LIMIT}\n")
        with open(os.path.join(chips, "limited.yaml"), "w",
                  encoding="utf-8") as file:
            file.write(text)
        self.usual = PROFILES["softasic"]
        PROFILES["softasic"] = ["SOFTASIC_MODEL_DIR=" + chips]

    def tearDown(self):
        PROFILES["softasic"] = self.usual
        super().tearDown()

    def options(self):
        return ["--record", self.record,
                "--set", "asic_table=" + self.write(
                    "asic.json", json.dumps(ASIC_TABLE)),
                "--set", "zero_profiles=" + self.write(
                    "zero.json", json.dumps(ZERO_PROFILES))]

    def begin(self):
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd(*self.options())
        self.wait_applied(client, CONFIG)
        return client

    # SONiC's tools for this model.

    def test_qos_reload_finds_nothing_left_and_everything_again(self):
        client = self.begin()
        tools = Tools(client)
        self.assertTrue(tools.qos_left())
        tools.qos_clear()
        wait_until(lambda: not tools.qos_left(), "APPL_DB is cleared")
        client.pipeline(as_commands(CONFIG))
        self.wait_applied(client, CONFIG)
        self.assertTrue(tools.qos_left())
        self.stop_orchd()

    def test_config_buffer_adds_sets_and_removes_profiles(self):
        client = self.begin()
        tools = Tools(client)
        tools.buffer_profile("add", "fixed", xon=19456, xoff=20480, size=39936,
                             dynamic_th=1)
        tools.buffer_profile("add", "computed", dynamic_th=2)
        for name in ("fixed", "computed"):
            self.wait_state(client, "BUFFER_PROFILE|" + name, "applied")
        tools.buffer_profile("set", "fixed", xoff=30720)
        wait_until(lambda: tools.buffershow()["BUFFER_PROFILE"]["fixed"][
            "xoff"] == "30720", "the profile is set")
        self.write_row(client, GROUP, profile="fixed")
        with self.assertRaises(ToolError):
            tools.buffer_profile("remove", "fixed")
        self.write_row(client, GROUP, profile="NULL")
        tools.buffer_profile("remove", "fixed")
        self.wait_state(client, "BUFFER_PROFILE|fixed", None)
        wait_until(lambda: "fixed" not in tools.buffershow()["BUFFER_PROFILE"],
                   "the profile is removed")
        with self.assertRaises(ToolError):
            tools.shared_headroom_pool_size(1 << 40)
        tools.shared_headroom_pool_size(1000000)
        wait_until(lambda: tools.buffershow()["BUFFER_POOL"][
            "ingress_lossless_pool"].get("xoff"), "the pool has headroom")
        self.wait_applied(client, CONFIG)
        self.stop_orchd()

    # What there is on the switch.

    def write_row(self, client, row, **fields):
        client.on(CONFIG_DB, "HSET", row,
                  *[word for pair in fields.items() for word in pair])

    def sync(self, code=DONE):
        self.ctl("config", "sync", code=code)

    def profiles(self, client):
        """The lossless profiles in ASIC_DB, by their xoff: (xon, size)."""
        prefix = "SAI_BUFFER_PROFILE_ATTR_"
        return {int(row[prefix + "XOFF_TH"]):
                (int(row[prefix + "XON_TH"]),
                 int(row[prefix + "RESERVED_BUFFER_SIZE"]))
                for kind, row in asic_objects(client).values()
                if kind == "SAI_OBJECT_TYPE_BUFFER_PROFILE" and
                int(row.get(prefix + "XOFF_TH", 0))}

    def expect(self, client, profiles, shared, code=DONE):
        """ASIC_DB has these lossless profiles {xoff: (xon, size)}, and a shared
        headroom of 'shared' bytes; APPL_DB and STATE_DB say the same."""
        self.sync(code)
        self.assertEqual(self.profiles(client), profiles)
        pools = [row for kind, row in asic_objects(client).values()
                 if kind == "SAI_OBJECT_TYPE_BUFFER_POOL"]
        self.assertEqual(max(int(row.get("SAI_BUFFER_POOL_ATTR_XOFF_SIZE", 0))
                             for row in pools), shared)
        for database, separator in ((APPL_DB, ":"), (STATE_DB, "|")):
            rows = client.hashes(database,
                                 f"BUFFER_PROFILE_TABLE{separator}pg_lossless*")
            self.assertEqual({int(row["xoff"]): (int(row["xon"]),
                                                 int(row["size"]))
                              for row in rows.values()}, profiles)
            pool = client.hash(
                database, f"BUFFER_POOL_TABLE{separator}ingress_lossless_pool")
            self.assertEqual(int(pool["xoff"]), shared)
            self.assertIn(int(pool["size"]),
                          {int(row["SAI_BUFFER_POOL_ATTR_SIZE"])
                           for row in pools})

    def finish(self):
        """The switch has what was wanted, and never lacked headroom."""
        if BESIDE:  # Another program makes the changes, when it likes.
            wait_until(lambda: self.run_ctl("config", "diff").returncode == 0,
                       "the switch has what is wanted")
        self.assertEqual(self.data("config", "diff")["differences"], [])
        self.stop_orchd()
        if BESIDE:
            return  # orchagent orders the changes.
        with open(self.record, encoding="utf-8") as file:
            watch = Watch(self)
            for line in file:
                watch.call(line)
        self.assertGreater(watch.checks, 0)

    def test_changes_are_followed(self):
        client = self.begin()
        private = {72704: (18432, 91136)}
        self.expect(client, private, 0)
        self.write_row(client, CABLES, Ethernet4="40m")
        self.expect(client, {**private, 81920: (18432, 100352)}, 0)
        self.write_row(client, "PORT|Ethernet4", speed="40000")
        self.expect(client, {**private, 40960: (18432, 59392)}, 0)
        self.write_row(client, CABLES, Ethernet4="5m")
        self.write_row(client, "PORT|Ethernet4", speed="100000")
        self.expect(client, private, 0)
        # 8 groups of 72704, less what each of 4 ports has of its own.
        shared = 8 * 72704 - 4 * 10240
        self.write_row(client, DEFAULTS, over_subscribe_ratio="2")
        self.expect(client, {72704: (18432, 18432)}, shared // 2)
        self.write_row(client, DEFAULTS, over_subscribe_ratio="4")
        self.expect(client, {72704: (18432, 18432)}, shared // 4)
        self.write_row(client, POOL, xoff="800000")
        self.expect(client, {72704: (18432, 18432)}, 800000)
        self.write_row(client, DEFAULTS, over_subscribe_ratio="0")
        self.expect(client, {72704: (18432, 18432)}, 800000)
        client.on(CONFIG_DB, "HDEL", POOL, "xoff")
        self.expect(client, private, 0)
        self.write_row(client, "LOSSLESS_TRAFFIC_PATTERN|AZURE", mtu="9100",
                       small_packet_percentage="100")
        self.expect(client, {72704 + 8192: (18432, 91136 + 8192)}, 0)
        client.on(CONFIG_DB, "DEL", "LOSSLESS_TRAFFIC_PATTERN|AZURE")
        self.expect(client, private, 0)
        self.finish()

    def test_one_field_overrides_a_computed_profile(self):
        client = self.begin()
        row = "BUFFER_PROFILE|" + P5
        name = "SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH"

        def alphas():
            return {held[name] for kind, held in asic_objects(client).values()
                    if kind == "SAI_OBJECT_TYPE_BUFFER_PROFILE" and
                    int(held.get("SAI_BUFFER_PROFILE_ATTR_XOFF_TH", 0))}

        self.sync()
        before = self.profiles(client)
        self.assertEqual(alphas(), {"0"})
        self.write_row(client, row, dynamic_th="-2")
        self.sync()
        self.assertEqual(self.status(client, row)["origin"], "user+auto")
        self.assertEqual(alphas(), {"-2"})
        self.assertEqual(self.profiles(client), before)
        client.on(CONFIG_DB, "DEL", row)
        self.sync()
        self.assertEqual(self.status(client, row)["origin"], "auto")
        self.assertEqual(alphas(), {"0"})
        self.assertEqual(self.profiles(client), before)

    @needs_sai
    def test_a_port_limit_is_kept_until_there_is_room(self):
        client = self.begin()
        self.write_row(client, CABLES, Ethernet0="300m")
        self.wait_state(client, GROUP, "waiting")
        status = self.status(client, GROUP)
        self.assertEqual(status["code"], "headroom-exceeded")
        longest = int(re.search("at most ([0-9]+) m", status["remedy"])[1])
        explained = client.hash(STATE_DB, "ORCHD_BUFFER_EXPLAIN|Ethernet0")
        self.assertEqual(explained["longest_cable"], f"{longest}m")
        self.assertEqual(explained["headroom_limit"], str(PORT_LIMIT))
        self.expect(client, {72704: (18432, 91136)}, 0, code=NO)
        self.write_row(client, CABLES, Ethernet0=f"{longest + 1}m")
        self.sync()
        self.wait_state(client, GROUP, "waiting")
        self.write_row(client, CABLES, Ethernet0=f"{longest}m")
        self.wait_state(client, GROUP, "applied")
        self.write_row(client, CABLES, Ethernet0="300m")
        self.wait_state(client, GROUP, "waiting")
        # Shared headroom makes room for all of it.
        self.write_row(client, DEFAULTS, over_subscribe_ratio="2")
        self.wait_state(client, GROUP, "applied")
        self.expect(client, {72704: (18432, 18432), 147456: (18432, 18432)},
                    (6 * 72704 + 2 * 147456 - 4 * 10240) // 2)
        # But it cannot be given up while the port needs it.
        self.write_row(client, DEFAULTS, over_subscribe_ratio="0")
        long = "BUFFER_PROFILE|pg_lossless_100000_300m_profile"
        self.wait_state(client, long, "waiting")
        self.write_row(client, CABLES, Ethernet0="5m")
        self.expect(client, {72704: (18432, 91136)}, 0)
        self.finish()

    def test_a_port_that_is_shut_reserves_nothing(self):
        client = self.begin()
        pools = {pool["name"]: pool["size"]
                 for pool in self.data("show", "pools")["pools"]}
        before = client.hashes(APPL_DB, "BUFFER_*")
        self.write_row(client, "PORT|Ethernet0", admin_status="down")
        self.sync()
        self.assertEqual(self.reserved(client, "Ethernet0"), 0)
        self.assertGreater(self.reserved(client, "Ethernet4"), 2 * 91136)
        shut = client.hashes(APPL_DB, "BUFFER_*")
        self.assertEqual(shut["BUFFER_PG_TABLE:Ethernet0:0"],
                         {"profile": "ingress_lossy_pg_zero_profile"})
        self.assertEqual(shut["BUFFER_QUEUE_TABLE:Ethernet0:0-2"],
                         {"profile": "egress_lossy_zero_profile"})
        self.assertNotIn("BUFFER_PG_TABLE:Ethernet0:3-4", shut)
        self.assertIn("BUFFER_PROFILE_TABLE:egress_lossy_zero_profile", shut)
        self.assertEqual(client.hash(STATE_DB,
                                     "ORCHD_BUFFER_EXPLAIN|Ethernet0"), {})
        # Groups, queues, and what a port that is up takes for itself.
        more = 2 * 91136 + 18432 + 3 * 9216 + 18432 + 10240
        for pool in self.data("show", "pools")["pools"]:
            if pool["name"] in pools:
                self.assertAlmostEqual(pool["size"] - pools[pool["name"]], more,
                                       delta=128)
        self.write_row(client, "PORT|Ethernet0", admin_status="up")
        self.sync()
        self.assertEqual(client.hashes(APPL_DB, "BUFFER_*"), before)
        self.assertGreater(self.reserved(client, "Ethernet0"), 2 * 91136)
        self.finish()

    def reserved(self, client, port):
        """The bytes that groups and queues of a port reserve, by ASIC_DB."""
        objects = asic_objects(client)
        total = 0
        for kind, name, attribute in (
                ("PG", "INGRESS_PRIORITY_GROUP",
                 "INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"),
                ("QUEUE", "QUEUE", "QUEUE_ATTR_BUFFER_PROFILE_ID")):
            places = client.hash(2, f"COUNTERS_{kind}_NAME_MAP")
            oids = [oid for place, oid in places.items()
                    if place.startswith(port + ":")]
            self.assertTrue(oids)
            for oid in oids:
                row = objects.get(oid, (name, {}))[1]
                profile = row.get("SAI_" + attribute, "oid:0x0")
                if profile != "oid:0x0":
                    total += int(objects[profile][1][
                        "SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE"])
        return total

    @needs_packets
    def test_the_chip_shares_what_a_shut_port_had(self):
        client = self.begin()
        # So that only guarantees change what is shared.
        self.write_row(client, POOL, size="100000000")
        self.sync()

        def shared():
            stats = self.data("asic", "snapshot", "pool",
                              "ingress_lossless_pool")
            return find_stats(stats)["shared_size_bytes"]

        before = shared()
        self.write_row(client, "PORT|Ethernet0", admin_status="down")
        self.sync()
        self.assertEqual(shared() - before, 2 * 91136)
        self.write_row(client, "PORT|Ethernet0", admin_status="up")
        self.sync()
        self.assertEqual(shared(), before)
        self.finish()

    def test_the_model_changes_at_run_time(self):
        client = self.begin()
        self.write_row(client, DEVICE, buffer_model="traditional")
        self.wait_state(client, GROUP, "waiting")
        self.assertEqual(self.status(client, GROUP)["code"],
                         "needs-dynamic-model")
        # What there is stays, until rows say what they want instead.
        self.assertEqual(self.profiles(client), {72704: (18432, 91136)})
        self.assertEqual(client.hashes(STATE_DB, "ORCHD_*_EXPLAIN|*"), {})
        self.write_row(client, DEVICE, buffer_model="dynamic")
        self.wait_state(client, GROUP, "applied")
        self.expect(client, {72704: (18432, 91136)}, 0)
        self.finish()

    @needs_sai
    def test_numbers_are_explained(self):
        client = self.begin()
        self.sync()
        port = client.hash(STATE_DB, "ORCHD_BUFFER_EXPLAIN|Ethernet4")
        self.assertEqual(
            {name: value for name, value in port.items()
             if not name.startswith("term_")},
            {"effective_speed": "100000", "cable": "5m", "mtu": "9100",
             "profile": P5, "xon": "18432", "xoff": "72704", "size": "91136",
             "headroom_used": str(4096 + 18432 + 20480 + 18432 + 2 * 91136),
             "headroom_limit": str(PORT_LIMIT), "longest_cable": "115m"})
        self.assertEqual(port["term_pause_quanta"],
                         "394 (IEEE 802.3 annex 31B)")
        self.assertEqual(port["term_peer"], "25216 bytes = pause_quanta * 64")
        self.assertEqual(port["term_cable_length"], "5 m (CABLE_LENGTH)")
        self.assertEqual(port["term_size"],
                         "91136 bytes = roundup(xon + xoff, 1024)")
        pool = client.hash(STATE_DB, "ORCHD_POOL_EXPLAIN|ingress_lossless_pool")
        value = {name[5:]: int(text.split()[0]) for name, text in pool.items()
                 if name.startswith("term_")}
        self.assertEqual(value["profiles"], 8 * 91136 + 12 * 9216)
        self.assertEqual(value["memory"] - value["occupied"],
                         int(pool["size"]) + (value["memory"] -
                                              value["occupied"]) % 128)
        # What was asked is not what is in force.
        self.write_row(client, "BUFFER_POOL|egress_lossy_pool", percentage="40")
        self.sync()
        self.assertEqual(
            set(client.hash(APPL_DB, "BUFFER_POOL_TABLE:egress_lossy_pool")),
            {"type", "mode", "size"})
        # It is kept up to date, and goes with what it explains.
        self.write_row(client, CABLES, Ethernet4="40m")
        self.sync()
        self.assertEqual(client.hash(
            STATE_DB, "ORCHD_BUFFER_EXPLAIN|Ethernet4")["cable"], "40m")
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet4|3-4")
        self.sync()
        self.assertEqual(client.hash(
            STATE_DB, "ORCHD_BUFFER_EXPLAIN|Ethernet4"), {})
        # What an earlier run left behind goes, what Redis lost comes back.
        client.on(STATE_DB, "DEL", "ORCHD_BUFFER_EXPLAIN|Ethernet8")
        client.on(STATE_DB, "HSET", "ORCHD_BUFFER_EXPLAIN|Gone", "cable", "5m")
        client.on(STATE_DB, "HSET", "ORCHD_POOL_EXPLAIN|gone", "size", "5")
        self.kill_orchd()
        self.start_orchd(*self.options())
        wait_until(lambda: client.keys(STATE_DB, "ORCHD_*_EXPLAIN|*") == [
            "ORCHD_BUFFER_EXPLAIN|Ethernet0",
            "ORCHD_BUFFER_EXPLAIN|Ethernet12",
            "ORCHD_BUFFER_EXPLAIN|Ethernet8",
            "ORCHD_POOL_EXPLAIN|egress_lossy_pool",
            "ORCHD_POOL_EXPLAIN|ingress_lossless_pool"], "explained again")
        self.stop_orchd()

    def test_the_asic_table_is_read_again_when_asked(self):
        client = self.begin()
        slower = json.loads(json.dumps(ASIC_TABLE))
        slower[0]["ASIC_TABLE:VS-ASIC"]["pipeline_latency"] = "20"
        path = self.write("asic.json", "[")
        self.orchd_process.send_signal(signal.SIGHUP)
        self.wait_log("stays in force")
        self.assertIn(path, self.log_text())
        self.expect(client, {72704: (18432, 91136)}, 0)
        self.write("asic.json", json.dumps(slower))
        self.orchd_process.send_signal(signal.SIGHUP)
        self.wait_log("files-read")
        self.expect(client, {72704: (20480, 93184)}, 0)
        self.assertEqual(client.hash(
            STATE_DB, "ORCHD_BUFFER_EXPLAIN|Ethernet0")["size"], "93184")
        self.finish()

    def test_zero_profiles_are_read_again_when_asked(self):
        client = self.begin()
        down = {"lanes": "1,2,3,4", "speed": "100000", "admin_status": "down"}
        self.write_row(client, "PORT|Ethernet0", **down)
        wait_until(lambda: self.has_zero(client, 0), "it is shut")
        self.write("zero.json", json.dumps(ZERO_PROFILES[:-1] + [
            {"control_fields": {
                "pgs_to_apply_zero_profile": "1",
                "ingress_zero_profile": "ingress_lossy_pg_zero_profile"},
             "OP": "SET"}]))
        self.orchd_process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.has_zero(client, 1) and
                   not self.has_zero(client, 0), "another group has it")
        self.write("zero.json", "[]")
        self.orchd_process.send_signal(signal.SIGHUP)
        self.wait_log("stays in force")
        self.sync()
        self.assertTrue(self.has_zero(client, 1))
        self.finish()

    PROFILE = "SAI_BUFFER_PROFILE_ATTR_"
    GROUP_ATTRIBUTE = "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"

    def has_zero(self, client, index):
        """Whether a group of Ethernet0 has the zero profile."""
        objects = asic_objects(client)
        oid = client.hash(COUNTERS_DB, "COUNTERS_PG_NAME_MAP").get(
            f"Ethernet0:{index}")
        profile = objects.get(oid, ("", {}))[1].get(self.GROUP_ATTRIBUTE)
        attributes = objects.get(profile, ("", {}))[1]
        return attributes.get(self.PROFILE + "SHARED_STATIC_TH") == "0"

    # The rows ASIC_TABLE and PERIPHERAL_TABLE of STATE_DB.

    OWN = "ORCHD_ASIC|global"
    CHIP = "ASIC_TABLE|VS-ASIC"

    def pool_size(self, client):
        self.sync()
        return int(client.hash(
            STATE_DB, "BUFFER_POOL_TABLE|ingress_lossless_pool")["size"])

    def wait_own(self, client, **fields):
        wait_until(lambda: fields.items() <= client.hash(
            STATE_DB, self.OWN).items(), f"{self.OWN} has {fields}")

    def test_the_chip_is_published_and_its_row_followed(self):
        client = self.begin()
        self.wait_own(client, source="file", row="VS-ASIC", state="applied")
        self.assertEqual(client.hash(STATE_DB, self.CHIP), {
            "cell_size": "128", "pipeline_latency": "18",
            "mac_phy_delay": "0.8", "peer_response_time": "3.8",
            "port_reserved_shp": "0", "port_max_shp": "0"})
        pool = self.pool_size(client)
        client.on(STATE_DB, "HSET", self.CHIP, "pipeline_latency", "20")
        self.wait_own(client, source="row", pipeline_latency="20")
        self.expect(client, {72704: (20480, 93184)}, 0)
        self.assertLess(self.pool_size(client), pool)
        client.on(STATE_DB, "HSET", "PERIPHERAL_TABLE|BOX",
                  "gearbox_delay", "400")
        client.on(STATE_DB, "HSET", "PORT_PERIPHERAL_TABLE|global",
                  "gearbox_model", "BOX")
        self.wait_own(client, gearbox_model="BOX")
        self.expect(client, {92160: (20480, 112640)}, 0)

        # A message about another row does not undo it; a removal does.
        client.on(STATE_DB, "FLUSHDB")
        wait_until(lambda: client.hash(STATE_DB, self.CHIP).get(
            "pipeline_latency") == "20", "the row is there again")
        self.expect(client, {92160: (20480, 112640)}, 0)
        client.on(STATE_DB, "DEL", self.CHIP, "PERIPHERAL_TABLE|BOX",
                  "PORT_PERIPHERAL_TABLE|global")
        self.wait_own(client, source="file", pipeline_latency="18")
        self.expect(client, {72704: (18432, 91136)}, 0)
        self.assertEqual(client.hash(
            STATE_DB, self.CHIP)["pipeline_latency"], "18")
        self.finish()

    def test_a_wrong_row_of_the_chip_is_refused(self):
        client = self.begin()
        for fields, reason in (
                (("cell_size", "0"),
                 "cell_size = '0' is not a number in 1..65536"),
                (("cell_size", "128", "mac_phy_delay", "-1"),
                 "mac_phy_delay = '-1' is not a number in 0..1000000")):
            client.on(STATE_DB, "HSET", self.CHIP, *fields)
            wait_until(lambda: reason in client.hash(
                STATE_DB, self.OWN).get("reason", ""), reason)
            self.wait_log(reason)
            self.refuse(1, re.escape(reason), "config", "status")
            self.expect(client, {72704: (18432, 91136)}, 0)
        client.on(STATE_DB, "HSET", self.CHIP, "mac_phy_delay", "0.8",
                  "pipeline_latency", "20")
        self.wait_own(client, state="applied", source="row")
        self.ctl("config", "sync")
        self.expect(client, {72704: (20480, 93184)}, 0)

        # A second chip is one too many, unless the first is orchd's own.
        client.on(STATE_DB, "HSET", "ASIC_TABLE|X", "cell_size", "128")
        wait_until(lambda: "1 row, found 2" in client.hash(
            STATE_DB, self.OWN).get("reason", ""), "two are refused")
        self.finish()

    THEIRS = ("HSET", "ASIC_TABLE|THEIRS", "cell_size", "128",
              "pipeline_latency", "20", "mac_phy_delay", "0.8",
              "peer_response_time", "3.8")

    def test_a_row_deleted_during_a_read_stays_deleted(self):
        """SIGHUP starts a read of STATE_DB; whether the notification of the
        deletion arrives before, in or after that read makes no difference."""
        client = self.begin()
        self.wait_own(client, source="file", row="VS-ASIC")
        for _ in range(8):
            client.on(STATE_DB, *self.THEIRS)
            self.wait_own(client, source="row", row="THEIRS")
            for _ in range(20):
                self.orchd_process.send_signal(signal.SIGHUP)
                client.hash(STATE_DB, self.OWN)
            client.on(STATE_DB, "DEL", "ASIC_TABLE|THEIRS")
            for _ in range(20):
                self.orchd_process.send_signal(signal.SIGHUP)
                client.hash(STATE_DB, self.OWN)
            self.wait_own(client, source="file", row="VS-ASIC")
        self.finish()

    def test_a_row_of_a_user_overrides_the_file(self):
        client = self.start_redis()
        client.on(STATE_DB, *self.THEIRS)
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd(*self.options())
        self.wait_applied(client, CONFIG)
        self.wait_own(client, source="row", row="THEIRS")
        self.expect(client, {72704: (20480, 93184)}, 0)
        self.assertEqual(client.keys(STATE_DB, "ASIC_TABLE|*"),
                         ["ASIC_TABLE|THEIRS"])
        with open(self.record, encoding="utf-8") as record:
            self.assertNotIn("RESERVED_BUFFER_SIZE=91136", record.read())
        self.orchd_process.send_signal(signal.SIGHUP)
        self.wait_log("THEIRS in STATE_DB overrides this file")
        client.on(STATE_DB, "DEL", "ASIC_TABLE|THEIRS")
        self.wait_own(client, source="file", row="VS-ASIC")
        self.expect(client, {72704: (18432, 91136)}, 0)

        # What an earlier run wrote is not configuration of a user.
        self.kill_orchd()
        slower = json.loads(json.dumps(ASIC_TABLE))
        slower[0]["ASIC_TABLE:OTHER"] = slower[0].pop("ASIC_TABLE:VS-ASIC")
        slower[0]["ASIC_TABLE:OTHER"]["pipeline_latency"] = "20"
        options = self.options()
        self.write("asic.json", json.dumps(slower))
        self.start_orchd(*options)
        self.wait_own(client, source="file", row="OTHER")
        wait_until(lambda: client.keys(STATE_DB, "ASIC_TABLE|*") ==
                   ["ASIC_TABLE|OTHER"], "the row of the earlier run is gone")
        self.wait_applied(client, CONFIG)
        self.expect(client, {72704: (20480, 93184)}, 0)
        self.finish()

    def test_wrong_files_are_refused_at_the_start(self):
        for setting, text, reason in (
                ("zero_profiles", "[]", "has no zero profile"),
                ("asic_table", "[]", "ASIC_TABLE must have exactly 1 row, found 0")):
            self.start_redis()
            path = self.write("wrong.json", text)
            self.start_orchd("--set", f"{setting}={path}")
            self.assertEqual(self.orchd_process.wait(30), 2)
            self.assertIn(reason, self.log_text())
            self.kill_redis()


def find_stats(answer):
    """The first object called "stats" in an answer."""
    if isinstance(answer, dict):
        if "stats" in answer:
            return answer["stats"]
        answer = list(answer.values())
    if isinstance(answer, list):
        for item in answer:
            found = find_stats(item)
            if found:
                return found
    return None


class Watch:
    """Follows a record of SAI calls, and looks after each at every lossless
    priority group of a port that is up."""

    PROFILE = "SAI_BUFFER_PROFILE_ATTR_"
    GROUP = "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"

    def __init__(self, test):
        self.test = test
        self.objects = {}
        self.port_of = {}
        self.checks = 0

    def call(self, line):
        if line.startswith("#") or " => SAI_STATUS_SUCCESS" not in line:
            return
        asked, answered = line.split(" => ")
        words, answers = asked.split()[1:], answered.split()[1:]
        if words[0] == "get":
            self.learn(words[2], answers)
            return
        if words[0] == "get_many":
            for oid, answer in zip(words[3::3], answers):
                self.learn(oid, [answer])
            return
        self.change(words, [word for word in answers
                            if word.startswith("oid:")])
        self.check(line)

    def learn(self, oid, answers):
        for answer in answers:
            name, _, value = answer.partition("=")
            if name == "SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST":
                for group in re.findall("oid:0x[0-9a-f]+", value):
                    self.port_of[group] = oid

    def change(self, words, oids):
        operation = words[0]
        if operation == "create":
            self.set(oids[0], words[2:])
        elif operation == "create_many":
            parts = " ".join(words[3:]).split("#")[1:]
            for oid, part in zip(oids, parts):
                self.set(oid, part.split()[1:])
        elif operation == "set":
            self.set(words[2], words[3:])
        elif operation == "set_many":
            for oid, pair in zip(words[3::2], words[4::2]):
                self.set(oid, [pair])
        elif operation in ("remove", "remove_many"):
            for oid in words[2:]:
                self.objects.pop(oid, None)

    def set(self, oid, pairs):
        self.objects.setdefault(oid, {}).update(
            pair.split("=", 1) for pair in pairs)

    def number(self, oid, name):
        return int(self.objects[oid].get(name, 0))

    def check(self, line):
        for group, port in self.port_of.items():
            profile = self.objects.get(group, {}).get(self.GROUP, "oid:0x0")
            up = self.objects.get(port, {}).get("SAI_PORT_ATTR_ADMIN_STATE")
            lossless = (profile != "oid:0x0" and
                        self.number(profile, self.PROFILE + "XOFF_TH") > 0)
            was = self.objects.setdefault(group, {})
            if was.get("lossless") and not lossless:
                self.test.assertNotEqual(up, "true", f"{group}: {line}")
            was["lossless"] = lossless
            if lossless:
                pool = self.objects[profile][self.PROFILE + "POOL_ID"]
                shared = self.number(pool, "SAI_BUFFER_POOL_ATTR_XOFF_SIZE")
                need = self.number(profile, self.PROFILE + "XON_TH")
                if not shared:
                    need += self.number(profile, self.PROFILE + "XOFF_TH")
                self.test.assertGreaterEqual(self.number(
                    profile, self.PROFILE + "RESERVED_BUFFER_SIZE"), need, line)
                self.checks += 1


if __name__ == "__main__":
    unittest.main()
