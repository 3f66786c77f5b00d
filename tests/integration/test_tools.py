# SPDX-License-Identifier: Apache-2.0
"""The command-line tools of SONiC find what they need, and what they change
takes effect (sonic_tools.py)."""

import json
import unittest

from harness import (APPL_DB, CONFIG_DB, COUNTERS_DB, STATE_DB, VENDOR,
                     asic_objects, needs_packets, needs_sai, wait_until)
from sonic_tools import Tools, ToolError
from test_counters import (CONFIG, FLEX_COUNTER_DB, GROUPS, POOL, TABLES,
                           Counters, group_rows)

# A lossless class that pauses soon, and one that marks and drops.
TRAFFIC = {
    **CONFIG,
    POOL: {**CONFIG[POOL], "mode": "static"},
    "BUFFER_PROFILE|in": {"pool": "ingress_lossless_pool", "size": "0",
                          "static_th": "1000000"},
    "BUFFER_PROFILE|lossless": {
        "pool": "ingress_lossless_pool", "size": "2048", "xon": "2048",
        "xoff": "10240", "static_th": "4096"},
    "BUFFER_PG|Ethernet0|3": {"profile": "lossless"},
    "BUFFER_QUEUE|Ethernet4|0-7": {"profile": "out"},
    "DSCP_TO_TC_MAP|m": {"3": "3", "5": "5"},
    "TC_TO_PRIORITY_GROUP_MAP|m": {"3": "3", "5": "0"},
    "TC_TO_QUEUE_MAP|m": {"3": "3", "5": "5"},
    "PORT_QOS_MAP|Ethernet0": {"pfc_enable": "3", "dscp_to_tc_map": "m",
                               "tc_to_pg_map": "m"},
    "PORT_QOS_MAP|Ethernet4": {"pfc_enable": "3", "tc_to_queue_map": "m",
                               "dscp_to_tc_map": "m"},
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE": {"default_dynamic_th": "0"},
    "WRED_PROFILE|AZURE_LOSSLESS": {
        "green_min_threshold": "1000", "green_max_threshold": "2000",
        "green_drop_probability": "100", "wred_green_enable": "true",
        "ecn": "ecn_all"},
    "DEVICE_NEIGHBOR|Ethernet0": {"name": "host", "port": "eth0"},
    "DEVICE_NEIGHBOR|Ethernet4": {"name": "spine", "port": "eth1"},
}


class ToolsTest(Counters):

    def start_tools(self, config):
        client = self.start({row: fields for row, fields in config.items()
                             if not row.startswith("DEVICE_NEIGHBOR")})
        for row, fields in config.items():
            if row.startswith("DEVICE_NEIGHBOR"):
                self.write(client, row, **fields)
        return client, Tools(client)

    def send(self, dscp, count, size=500):
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "dscp": dscp, "size": size, "count": count})


@needs_packets
class Counted(ToolsTest):

    def test_nothing_is_missing_from_the_start(self):
        _, tools = self.start_tools({**TRAFFIC, **group_rows()})
        names = {"Ethernet0", "Ethernet4"}

        def complete(table):
            """Every port is there, and nothing is N/A."""
            def walk(value):
                if isinstance(value, dict):
                    return all(map(walk, value.values()))
                if isinstance(value, list):
                    return all(map(walk, value))
                return value is not None
            return set(table) == names and walk(table)

        wait_until(lambda: complete(tools.pfcstat()), "pfcstat")
        wait_until(lambda: complete(tools.portstat()), "portstat")
        wait_until(lambda: complete(tools.pg_drop()), "pg-drop")
        # Trims are not counted: that is N/A, and the rest is there.
        wait_until(lambda: complete({
            port: {queue: row[:4] for queue, row in queues.items()}
            for port, queues in tools.queuestat().items()}), "queuestat")
        wait_until(lambda: complete(tools.wredstat()), "wredstat")
        for table in TABLES:
            for kind in Tools.PG_WATERMARKS:
                wait_until(lambda k=kind, o=table: complete(
                    tools.watermarkstat(k, o)), f"watermarkstat {kind}")
            wait_until(lambda o=table: complete(
                tools.watermarkstat("q_shared_uni", o)), "watermarkstat")
            for kind in ("q_shared_multi", "q_shared_all"):
                self.assertEqual(set(tools.watermarkstat(kind, table)), names)
            wait_until(lambda o=table: None not in tools.watermarkstat(
                "buffer_pool", o).values(), "watermarkstat buffer_pool")
            self.assertEqual(set(tools.watermarkstat("headroom_pool", table)),
                             {"ingress_lossless_pool"})
        self.assertEqual({queue[:2] for queue in
                          tools.queuestat()["Ethernet0"]}, {"UC", "MC"})
        self.assertEqual(set(tools.wred_capable().values()), {True})

    def wait_status(self, tools, expected, what):
        try:
            wait_until(lambda: tools.interfaces_status() == expected, what)
        except AssertionError:
            self.assertEqual(tools.interfaces_status(), expected)

    def test_ports_are_shown_where_nobody_else_does(self):
        config = {**CONFIG}
        expected = {}
        for number, (name, alias) in enumerate((("Ethernet0", "etp1"),
                                                ("Ethernet4", "etp2"))):
            row = {**CONFIG["PORT|" + name], "alias": alias, "mtu": "9100",
                   "admin_status": "down" if number else "up"}
            config["PORT|" + name] = row
            expected[name] = {
                "alias": alias, "lanes": row["lanes"], "speed": row["speed"],
                "mtu": "9100", "fec": row.get("fec"),
                "admin_status": row["admin_status"],
                "oper_status": "down" if number else "up"}
        client = self.start(config, "--set", "audit_seconds=1")
        tools = Tools(client)
        self.wait_status(tools, expected, "as configured, with links")
        client.on(CONFIG_DB, "HSET", "PORT|Ethernet4", "admin_status", "up")
        client.on(CONFIG_DB, "HDEL", "PORT|Ethernet4", "alias")
        expected["Ethernet4"].update(admin_status="up", oper_status="up",
                                     alias=None)
        self.wait_status(tools, expected, "changes show")
        # What others remove comes back, and a port that is gone goes.
        client.on(APPL_DB, "DEL", "PORT_TABLE:Ethernet0")
        client.on(APPL_DB, "HSET", "PORT_TABLE:Ethernet8", "written_by",
                  "orchd", "oper_status", "up")
        self.wait_status(tools, expected, "an audit repairs it")
        # portsyncd starts: the rows are its own from now on.
        client.on(APPL_DB, "HSET", "PORT_TABLE:PortConfigDone", "count", "2")
        wait_until(lambda: client.hash(APPL_DB, "PORT_TABLE:Ethernet4").get(
            "written_by") is None, "orchd notices")
        client.on(CONFIG_DB, "HSET", "PORT|Ethernet4", "admin_status", "down")
        wait_until(lambda: client.hash(STATE_DB, "PORT_TABLE|Ethernet4")[
            "netdev_oper_status"] == "down", "the link is down")
        self.assertEqual(tools.interfaces_status(), expected)
        # So it is after a restart.
        self.stop_orchd()
        client.on(APPL_DB, "DEL", "PORT_TABLE:Ethernet4")
        status = "ORCHD_STATUS|PORT|Ethernet4"
        client.on(STATE_DB, "DEL", status)
        self.start_orchd("--set", "audit_seconds=1")
        wait_until(lambda: client.hash(STATE_DB, status), "orchd has started")
        client.on(STATE_DB, "DEL", status)
        wait_until(lambda: client.hash(STATE_DB, status), "an audit is over")
        del expected["Ethernet4"]
        self.assertEqual(tools.interfaces_status(), expected)
        self.stop_orchd()

    def test_sizes_of_packets(self):
        _, tools = self.start_tools({**TRAFFIC, **group_rows()})
        sizes = {"64": 60, "128_TO_255": 124, "1024_TO_1518": 1514,
                 "1519_TO_2047": 1515, "4096_TO_9216": 9000}
        for count, size in enumerate(sizes.values(), start=1):
            self.send(0, count, size)
        self.asic("settle")
        total = sum(range(len(sizes) + 1))
        wait_until(lambda: tools.portstat()["Ethernet4"][
            "IF_OUT_UCAST_PKTS"] == total, "all have come out")
        shown = wait_until(lambda: (lambda now: now if now["Ethernet0"][
            "IF_IN_UCAST_PKTS"] == total else None)(tools.portstat()), "and in")
        counts = {size: count for count, size in enumerate(sizes, start=1)}
        for port, way in (("Ethernet0", "IN"), ("Ethernet4", "OUT")):
            for size in Tools.PORT_SIZES:
                self.assertEqual(
                    shown[port][f"ETHER_{way}_PKTS_{size}_OCTETS"],
                    counts.get(size, 0), (port, size))
        self.assertEqual(shown["Ethernet0"]["ETHER_RX_OVERSIZE_PKTS"], 9)
        self.assertEqual(shown["Ethernet4"]["ETHER_TX_OVERSIZE_PKTS"], 9)
        self.assertEqual(shown["Ethernet4"]["IF_OUT_MULTICAST_PKTS"], 0)
        self.assertEqual(shown["Ethernet4"]["IF_OUT_BROADCAST_PKTS"], 0)

    def test_numbers_are_those_of_the_traffic(self):
        client, tools = self.start_tools({
            **TRAFFIC, **group_rows(), "QUEUE|Ethernet4|5": {
                "wred_profile": "AZURE_LOSSLESS"}})
        wait_until(lambda: 0 in tools.pfcstat()["Ethernet0"]["TX"],
                   "it is counted")
        self.asic("block", ports=["Ethernet4"])
        self.send(3, 100)
        self.send(5, 10)
        wait_until(lambda: tools.pfcstat()["Ethernet0"]["TX"][3] > 0,
                   "pfcstat: pause frames were sent")
        self.assertEqual(tools.pfcstat()["Ethernet0"]["TX"][4], 0)
        wait_until(lambda: tools.pg_drop()["Ethernet0"][3] > 0,
                   "pg-drop: the headroom was too small")
        for kind, port, index in (("pg_headroom", "Ethernet0", 3),
                                  ("pg_shared", "Ethernet0", 3),
                                  ("q_shared_uni", "Ethernet4", 3)):
            mark = wait_until(lambda k=kind, p=port, i=index:
                              tools.watermarkstat(k)[p][i], kind)
            self.assertEqual(tools.watermarkstat(kind, "PERSISTENT")[port][
                index], mark)
        for kind in Tools.POOL_WATERMARKS:
            wait_until(lambda k=kind: tools.watermarkstat(k)[
                "ingress_lossless_pool"], kind)
        self.asic("unblock", ports=["Ethernet4"])
        self.asic("settle")
        drops = tools.pg_drop()["Ethernet0"][3]
        self.assertEqual(set(tools.pg_drop(tools.pg_drop_clear())["Ethernet0"]),
                         {0})
        wait_until(lambda: tools.queuestat()["Ethernet4"]["UC3"][0] ==
                   100 - drops, "queuestat: what was not dropped came out")
        [packets, size] = tools.queuestat()["Ethernet4"]["UC3"][:2]
        self.assertEqual(size, packets * 500)
        self.check_reasons(client, drops)
        # Traffic without ECN is dropped where it would have been marked.
        wait_until(lambda: tools.wredstat()["Ethernet4"]["UC5"][0] > 0,
                   "wredstat")
        self.assertEqual(tools.wredstat()["Ethernet4"]["UC3"][0], 0)
        # Clearing: only the named kind, in the named table.
        wait_until(lambda: self.row(
            client, self.map(client, "COUNTERS_PG_NAME_MAP")["Ethernet0:3"])[
                Tools.PG_WATERMARKS["pg_shared"]] == "0", "all is over")
        for kind in Tools.WATERMARKS:
            tools.watermarkstat_clear(kind)
        for kind in Tools.WATERMARKS:
            def total(table, kind=kind):
                values = tools.watermarkstat(kind, table).values()
                return sum(sum(filter(None, value))
                           if isinstance(value, list) else value
                           for value in values)

            wait_until(lambda t=total: t("USER") == 0, f"{kind} is cleared")
            self.assertEqual(total("PERSISTENT") > 0,
                             kind not in ("q_shared_multi", "q_shared_all"))

    def check_reasons(self, client, drops):
        """Checks the drop reasons of Ethernet0 and Ethernet4."""
        def reasons(port):
            prefix = "SOFTASIC_PORT_STAT_DROP_"
            oid = self.map(client, "COUNTERS_PORT_NAME_MAP")[port]
            return {name[len(prefix):-len("_PKTS")]: int(value) for name, value
                    in self.row(client, oid).items() if name.startswith(prefix)}

        wait_until(lambda: reasons("Ethernet0") == {"HEADROOM": drops},
                   "the headroom was used up")
        wait_until(lambda: set(reasons("Ethernet4")) == {"WRED"},
                   "early detection dropped")
        shown = self.control("show", "drops")["data"]["drops"]
        self.assertEqual({(row["port"], row["reason"]) for row in shown
                          if row["packets"]},
                         {("Ethernet0", "headroom"), ("Ethernet4", "wred")})
        self.assertEqual(
            [row["packets"] for row in self.control(
                "show", "drops", name="Ethernet0")["data"]["drops"]
             if row["packets"]], [drops])

    def test_a_storm_is_in_the_history(self):
        _, tools = self.start_tools({**TRAFFIC, **group_rows()})
        wait_until(lambda: 0 in tools.pfcstat()["Ethernet4"]["RX"],
                   "it is counted")
        self.assertEqual(tools.pfcstat_history()["Ethernet4"][3][:2], (0, 0))
        self.asic("storm", port="Ethernet4", priorities="3")
        self.asic("run", ns=5000000)
        wait_until(lambda: tools.pfcstat()["Ethernet4"]["RX"][3] > 0,
                   "pfcstat: frames come")
        [_, paused, recent, when] = wait_until(
            lambda: (lambda h: h if h[2] else None)(
                tools.pfcstat_history()["Ethernet4"][3]),
            "and the history has them")
        self.assertGreaterEqual(paused, recent)
        self.assertGreater(when, 1.7e15)
        self.assertEqual(tools.pfcstat_history()["Ethernet4"][4],
                         (0, 0, None, None))


class Paused(ToolsTest):
    """pfc and pfcwd."""

    CONFIG = {
        **TRAFFIC,
        "DEVICE_METADATA|localhost": {"hwsku": "example",
                                      "default_pfcwd_status": "enable"},
        "PORT_QOS_MAP|Ethernet4": {**TRAFFIC["PORT_QOS_MAP|Ethernet4"],
                                   "pfcwd_sw_enable": "3,4"},
    }

    def plan(self, client):
        """What FLEX_COUNTER_DB says of the watchdog: {object: row}."""
        names = {oid: name for kind in ("PORT", "QUEUE") for name, oid in
                 self.map(client, f"COUNTERS_{kind}_NAME_MAP").items()}
        prefix = "FLEX_COUNTER_TABLE:PFC_WD:"
        return {names.get(key[len(prefix):], key): row for key, row in
                client.hashes(FLEX_COUNTER_DB, prefix + "*").items()}

    def group(self, client):
        return client.hash(FLEX_COUNTER_DB, "FLEX_COUNTER_GROUP_TABLE:PFC_WD")

    @needs_sai
    def test_pfcwd_starts_stops_and_is_described(self):
        client, tools = self.start_tools(self.CONFIG)
        self.assertEqual(self.plan(client), {})
        tools.pfcwd_start_default()
        # Ethernet0 names no queue that is to be watched.
        self.wait_state(client, "PFC_WD|Ethernet4", "applied")
        self.wait_state(client, "PFC_WD|Ethernet0", "waiting")
        self.assertEqual(set(tools.pfcwd_config()),
                         {"GLOBAL", "Ethernet0", "Ethernet4"})
        wait_until(lambda: tools.pfcwd_stats(empty=True)["Ethernet4:3"] ==
                   ["operational"] + 5 * ["0/0"], "it is watched")
        self.assertFalse(tools.pfcwd_check_storm())
        wait_until(lambda: set(self.plan(client)) == {
            "Ethernet4", "Ethernet4:3", "Ethernet4:4"}, "it is described")
        ports = self.plan(client)["Ethernet4"]["PORT_COUNTER_ID_LIST"]
        self.assertEqual({name[:len("SAI_PORT_STAT_PFC_3")] for name in
                          ports.split(",")},
                         {"SAI_PORT_STAT_PFC_3", "SAI_PORT_STAT_PFC_4"})
        self.assertIn("SAI_QUEUE_STAT_PACKETS", self.plan(client)[
            "Ethernet4:3"]["QUEUE_COUNTER_ID_LIST"])
        self.assertEqual(self.group(client), {
            "POLL_INTERVAL": "200", "STATS_MODE": "STATS_MODE_READ",
            "FLEX_COUNTER_STATUS": "enable"})
        tools.pfcwd_interval(300)
        tools.pfc_priority("Ethernet4", 4, True)
        self.write(client, "PORT_QOS_MAP|Ethernet4", pfcwd_sw_enable="3")
        wait_until(lambda: set(self.plan(client)) == {
            "Ethernet4", "Ethernet4:3"} and self.group(client)[
                "POLL_INTERVAL"] == "300", "that changes")
        # All is written again to an empty Redis.
        client.on(FLEX_COUNTER_DB, "FLUSHDB")
        wait_until(lambda: set(self.plan(client)) == {
            "Ethernet4", "Ethernet4:3"}, "it is described again")
        tools.pfcwd_counter_poll("disable")
        self.wait_state(client, "PFC_WD|Ethernet4", "waiting")
        status = self.status(client, "PFC_WD|Ethernet4")
        self.assertEqual((status["code"], status["field"]),
                         ("polling-disabled", "FLEX_COUNTER_STATUS"))
        wait_until(lambda: self.plan(client) == {} and self.group(client)[
            "FLEX_COUNTER_STATUS"] == "disable", "nothing is polled")
        tools.pfcwd_counter_poll("enable")
        self.wait_state(client, "PFC_WD|Ethernet4", "applied")
        if VENDOR == "softasic":
            self.asic("run", ns=500000000)  # It is polled by that clock.
        wait_until(lambda: self.plan(client), "it is polled again")
        tools.pfcwd_stop(["Ethernet0", "Ethernet4"])
        wait_until(lambda: self.plan(client) == {} and tools.pfcwd_stats(
            empty=True)["Ethernet4:3"][0] == "N/A", "not watched")

    @needs_packets
    def test_pfc_changes_priorities_and_pfcwd_shows_storms(self):
        client, tools = self.start_tools(self.CONFIG)
        oid = self.map(client, "COUNTERS_PORT_NAME_MAP")["Ethernet4"]

        def mask(name="PRIORITY_FLOW_CONTROL"):
            return asic_objects(client)[oid][1].get("SAI_PORT_ATTR_" + name)

        tools.pfc_priority("Ethernet4", 4, True)
        wait_until(lambda: mask() == "24", "both have flow control")
        tools.pfc_priority("Ethernet4", 4, False)
        tools.pfc_priority("Ethernet4", 3, False)
        wait_until(lambda: mask() == "0", "none has")
        self.wait_state(client, "PORT_QOS_MAP|Ethernet4", "applied")
        tools.pfc_priority("Ethernet4", 3, True)
        tools.pfc_asymmetric("Ethernet4", True)
        wait_until(lambda: (mask("PRIORITY_FLOW_CONTROL_TX"),
                            mask("PRIORITY_FLOW_CONTROL_RX")) == ("8", "255"),
                   "it is asymmetric")
        tools.pfc_asymmetric("Ethernet4", False)
        wait_until(lambda: mask() == "8", "it is not")
        tools.pfcwd_start(["Ethernet4"], 200, action="forward")
        wait_until(lambda: tools.pfcwd_stats(empty=True)["Ethernet4:3"][0] ==
                   "operational", "it is watched")
        self.asic("storm", port="Ethernet4", priorities="3")
        self.asic("run", ns=5000000)
        self.send(3, 20)

        def stormed():
            self.asic("run", ns=100000000)
            return tools.pfcwd_check_storm()

        wait_until(stormed, "there is a storm")
        self.assertEqual(tools.pfcwd_stats()["Ethernet4:3"][:2],
                         ["stormed", "1/0"])


class Configured(ToolsTest):

    def asic_values(self, client, kind, name):
        """The values of an attribute of all objects of a type."""
        return {row[name] for of, row in asic_objects(client).values()
                if of == "SAI_OBJECT_TYPE_" + kind and name in row}

    def events(self, client, table):
        return [event["new"] for event in map(json.loads, client.on(
            STATE_DB, "LRANGE", "ORCHD_EVENTS", 0, -1))
                if event["table"] == table]

    def test_mmuconfig_changes_and_buffershow_shows(self):
        client, tools = self.start_tools(TRAFFIC)
        self.assertEqual(set(tools.mmuconfig()["BUFFER_PROFILE"]),
                         {"in", "out", "lossless"})
        self.assertEqual(set(tools.buffershow()["BUFFER_POOL"]),
                         {"egress", "ingress_lossless_pool"})
        self.assertEqual(set(tools.buffershow()["BUFFER_PROFILE"]),
                         {"in", "out", "lossless"})
        for profile, field, value, attribute, wanted in (
                ("out", "dynamic_th", -3, "SHARED_DYNAMIC_TH", "-3"),
                ("lossless", "static_th", 8192, "SHARED_STATIC_TH", "8192")):
            tools.mmuconfig_set(profile, field, value)
            wait_until(lambda a=attribute, w=wanted: w in self.asic_values(
                client, "BUFFER_PROFILE", "SAI_BUFFER_PROFILE_ATTR_" + a),
                       "the switch has it")
            wait_until(lambda p=profile, f=field, v=value: tools.buffershow()[
                "BUFFER_PROFILE"][p][f] == str(v), "and is shown")
        # The tool allows 8, which no switch has: the row says so.
        tools.mmuconfig_set("out", "dynamic_th", 8)
        self.wait_state(client, "BUFFER_PROFILE|out", "rejected")
        status = self.status(client, "BUFFER_PROFILE|out")
        self.assertEqual((status["code"], status["field"], status["allowed"]),
                         ("range", "dynamic_th", "-8..7"))
        self.assertEqual(tools.buffershow()["BUFFER_PROFILE"]["out"][
            "dynamic_th"], "-3")
        tools.mmuconfig_set("out", "dynamic_th", 0)
        self.wait_state(client, "BUFFER_PROFILE|out", "applied")
        with self.assertRaises(ToolError):
            tools.mmuconfig_set("out", "static_th", 1)

    def test_ecnconfig_writes_field_by_field(self):
        client, tools = self.start_tools(TRAFFIC)
        row = "WRED_PROFILE|AZURE_LOSSLESS"
        before = len(self.events(client, "WRED_PROFILE"))
        # On the way the minimum is above the maximum, up and down.
        for low, high in ((300000, 400000), (1000, 2000), (500000, 600000)):
            tools.ecnconfig_set("AZURE_LOSSLESS", gmax=high, gmin=low,
                                ymax=high, ymin=low, rmax=high, rmin=low,
                                gdrop=5, ydrop=6, rdrop=7)
            for color, drop in (("GREEN", 5), ("YELLOW", 6), ("RED", 7)):
                for name, value in (("MIN_THRESHOLD", low),
                                    ("MAX_THRESHOLD", high),
                                    ("DROP_PROBABILITY", drop)):
                    wait_until(
                        lambda n=f"SAI_WRED_ATTR_{color}_{name}", v=value:
                        self.asic_values(client, "WRED", n) == {str(v)},
                        f"{color} {name} is {value}")
            self.wait_state(client, row, "applied")
        self.assertNotIn("rejected",
                         self.events(client, "WRED_PROFILE")[:-before])

    def test_ecnconfig_switches_queues(self):
        client, tools = self.start_tools({
            **TRAFFIC, "SCHEDULER|s": {"type": "DWRR", "weight": "5"},
            "QUEUE|Ethernet4|4": {"scheduler": "s"}})
        queues = {f"{port}|{queue}" for port in ("Ethernet0", "Ethernet4")
                  for queue in (3, 4)}

        def marked():
            """Places whose queue has a WRED profile on the ASIC."""
            names = {oid: name.replace(":", "|") for name, oid in
                     self.map(client, "COUNTERS_QUEUE_NAME_MAP").items()}
            return {names[oid] for oid, (kind, row) in
                    asic_objects(client).items()
                    if kind == "SAI_OBJECT_TYPE_QUEUE" and row.get(
                        "SAI_QUEUE_ATTR_WRED_PROFILE_ID",
                        "oid:0x0") != "oid:0x0"}

        self.assertEqual(tools.ecnconfig_queues([3, 4]),
                         dict.fromkeys(queues, False))
        tools.ecnconfig_queues([3, 4], True)
        wait_until(lambda: marked() == queues, "ECN is on")
        self.assertEqual(tools.ecnconfig_queues([3, 4]),
                         dict.fromkeys(queues, True))
        tools.ecnconfig_queues([4], False)
        wait_until(lambda: marked() == {q for q in queues if q[-1] == "3"},
                   "ECN is off")
        # What else was in the row is there still.
        self.wait_state(client, "QUEUE|Ethernet4|4", "applied")
        self.assertEqual(tools.table("QUEUE"), {
            "Ethernet0|3": {"wred_profile": "AZURE_LOSSLESS"},
            "Ethernet4|3": {"wred_profile": "AZURE_LOSSLESS"},
            "Ethernet4|4": {"scheduler": "s"}})
        self.wait_state(client, "QUEUE|Ethernet0|4", None)

    @needs_sai
    def test_counterpoll_switches_and_times_groups(self):
        client, tools = self.start_tools(CONFIG)

        def plan(group):
            row = client.hash(FLEX_COUNTER_DB,
                              "FLEX_COUNTER_GROUP_TABLE:" + GROUPS[group])
            return row["POLL_INTERVAL"], row["FLEX_COUNTER_STATUS"]

        self.assertEqual(plan("QUEUE"), ("10000", "disable"))
        for what, groups in Tools.COUNTERPOLL.items():
            tools.counterpoll(what, interval=1500)
            tools.counterpoll(what, status="enable")
            for group in groups:
                wait_until(lambda g=group: plan(g) == ("1500", "enable"),
                           f"{what} is on")
                wait_until(lambda g=group: client.keys(
                    FLEX_COUNTER_DB, f"FLEX_COUNTER_TABLE:{GROUPS[g]}:*"),
                           f"{group} is described")
                self.assertEqual(tools.counterpoll_show()[group],
                                 ("1500", "enable"))
        tools.counterpoll("watermark", status="disable")
        for group in Tools.COUNTERPOLL["watermark"]:
            wait_until(lambda g=group: plan(g) == ("1500", "disable"),
                       f"{group} is off")
        self.assertEqual(plan("PG_DROP"), ("1500", "enable"))
        tools.watermarkcfg(60)
        self.wait_state(client, "WATERMARK_TABLE|TELEMETRY_INTERVAL",
                        "applied")


class Nonsense(ToolsTest):
    """A mistyped command gets an error, and changes nothing."""

    ROWS = (
        ("FLEX_COUNTER_TABLE|QUEUE", {"POLL_INTERVAL": "soon"}, "type"),
        ("FLEX_COUNTER_TABLE|QUEUE", {"POLL_INTERVAL": "-1"}, "range"),
        ("FLEX_COUNTER_TABLE|QUEUE", {"POLL_INTERVAL": "0"}, "range"),
        ("FLEX_COUNTER_TABLE|QUEUE", {"POLL_INTERVAL": "1e3"}, "type"),
        ("FLEX_COUNTER_TABLE|QUEUE", {"POLL_INTERVAL": ""}, "type"),
        ("FLEX_COUNTER_TABLE|QUEUE", {"POLL_INTERVAL": "99999999999999999999"},
         "range"),
        ("FLEX_COUNTER_TABLE|QUEUE", {"FLEX_COUNTER_STATUS": "ENABLE"}, "enum"),
        ("FLEX_COUNTER_TABLE|QUEUE", {"BULK_CHUNK_SIZE": "all"}, "type"),
        ("WATERMARK_TABLE|TELEMETRY_INTERVAL", {"interval": "0"}, "range"),
        ("WATERMARK_TABLE|TELEMETRY_INTERVAL", {"interval": "-5"}, "range"),
        ("WATERMARK_TABLE|TELEMETRY_INTERVAL", {"interval": "2m"}, "type"),
    )

    @needs_sai
    def test_rows(self):
        client, tools = self.start_tools({
            **CONFIG, **group_rows("5000", groups=("QUEUE",)),
            "WATERMARK_TABLE|TELEMETRY_INTERVAL": {"interval": "30"}})
        key = "FLEX_COUNTER_GROUP_TABLE:QUEUE_STAT_COUNTER"
        plan = client.hash(FLEX_COUNTER_DB, key)
        for row, wrong, code in self.ROWS:
            [(field, value)] = wrong.items()
            before = client.hash(CONFIG_DB, row)
            self.write(client, row, **wrong)
            self.wait_state(client, row, "rejected")
            status = self.status(client, row)
            self.assertEqual((status["code"], status["field"],
                              status.get("value", "")), (code, field, value))
            self.assertTrue(status["remedy"])
            self.assertTrue(status["allowed"])
            self.assertEqual(client.hash(FLEX_COUNTER_DB, key), plan)
            tools.set_entry(*row.split("|"), before)
            self.wait_state(client, row, "applied")
        for row in ("FLEX_COUNTER_TABLE|QUEUES", "FLEX_COUNTER_TABLE|queue",
                    "WATERMARK_TABLE|INTERVAL", "FLEX_COUNTER_TABLE|"):
            self.write(client, row, POLL_INTERVAL="1000")
            status = wait_until(lambda r=row: self.status(client, r),
                                f"{row} is answered")
            self.assertIn(status["state"], ("rejected", "unsupported"))
            self.assertTrue(status["reason"])

    @needs_sai
    def test_requests_to_clear(self):
        client, _ = self.start_tools({**CONFIG, **group_rows()})
        for number, message in enumerate((
                "", "USER", "[]", "[\"USER\"]", "{}", "null", "[null, null]",
                "[\"USER\", \"PG_SHARED\"", "[\"user\", \"PG_SHARED\"]",
                "[\"USER\", \"pg_shared\"]", "[\"USER\", \"Ethernet0\"]",
                "[\"USER\", 7]", "[\"PERIODIC\", \"PG_SHARED\"]",
                "[" * 5000, "[\"USER\", \"" + "x" * 100000 + "\"]", "\0\1\2")):
            client("PUBLISH", "WATERMARK_CLEAR_REQUEST", message)
            # A good one behind it is heard, and once.
            client("PUBLISH", "WATERMARK_CLEAR_REQUEST", json.dumps(
                [("USER", "PERSISTENT")[number % 2], "Q_SHARED_ALL"]))
        wait_until(lambda: set(client.hash(COUNTERS_DB, "WATERMARK_LAST_RESET_TIME")) ==
                   {"USER:Q_SHARED_ALL", "PERSISTENT:Q_SHARED_ALL"},
                   "only what is a request is done")
        self.wait_log("watermark-request")
        self.assertIn("PG_HEADROOM", self.log_text())
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()
