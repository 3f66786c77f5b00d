# SPDX-License-Identifier: Apache-2.0
"""What the command-line tools of SONiC do with Redis, without the printing.

SONiC's own tools are not packaged outside of its images.  Each function here
stands for one of them: it reads the same keys and fields in the same order,
takes the same shortcuts (indexing one map by what another one has, converting
without asking), and raises ToolError where the tool would end with a traceback
or exit(1).  What is printed as N/A is None here.

Those that change something write CONFIG_DB the way these tools do, field by
field or row by row, and never talk to orchd.
"""

import json

APPL_DB, COUNTERS_DB, CONFIG_DB, STATE_DB = 0, 2, 4, 6

QUEUE_TYPES = {"SAI_QUEUE_TYPE_UNICAST": "UC", "SAI_QUEUE_TYPE_MULTICAST": "MC",
               "SAI_QUEUE_TYPE_UNICAST_VOQ": "VOQ", "SAI_QUEUE_TYPE_ALL": "ALL"}
# watermarkstat does not know virtual output queues.
SHARED_TYPES = ("UC", "MC", "ALL")


class ToolError(Exception):
    """The tool ends here."""


class Tools:
    """The tools, on a connection to Redis ('client' of harness.py)."""

    def __init__(self, client):
        self.client = client

    # As a connector of swsscommon answers.

    def get_all(self, number, key):
        return self.client.hash(number, key)

    def get(self, number, key, field):
        return self.client.on(number, "HGET", key, field)

    def map(self, name):
        """A name map; the tools end without it."""
        found = self.get_all(COUNTERS_DB, name)
        if not found:
            raise ToolError(f"{name} is empty!")
        return found

    def numbers(self, oid, names, table="COUNTERS"):
        """Fields of a row; the tools subtract what they remember."""
        found = {}
        for name in names:
            text = self.get(COUNTERS_DB, f"{table}:{oid}", name)
            found[name] = None if text is None else int(text)
        return found

    # As ConfigDBConnector writes.

    def mod_entry(self, table, key, fields):
        """Merges fields into a row; None removes the row."""
        row = f"{table}|{key}"
        if fields is None:
            self.client.on(CONFIG_DB, "DEL", row)
        else:
            self.client.on(CONFIG_DB, "HSET", row, *self.words(fields))

    def set_entry(self, table, key, fields):
        """Replaces a row: first what it has, then without what it had."""
        row = f"{table}|{key}"
        if not fields:
            fields = {"NULL": "NULL"}
        old = self.get_all(CONFIG_DB, row)
        self.client.on(CONFIG_DB, "HSET", row, *self.words(fields))
        for name in old:
            if name not in fields:
                self.client.on(CONFIG_DB, "HDEL", row, name)

    @staticmethod
    def words(fields):
        return [str(word) for pair in fields.items() for word in pair]

    def table(self, table, number=CONFIG_DB):
        """{key without the table: row}."""
        return {key.split("|", 1)[1]: row for key, row in
                self.client.hashes(number, table + "|*").items()}

    # Ports, queues, priority groups and pools by their maps.

    def ports(self, kind="PORT"):
        return self.map(f"COUNTERS_{kind}_NAME_MAP")

    def places(self, kind, voq=False):
        """{port: [(name, oid)]} of queues or priority groups."""
        names = {oid: name for name, oid in self.ports(
            "SYSTEM_PORT" if voq else "PORT").items()}
        places = {name: [] for name in names.values()}
        for name, oid in self.map("COUNTERS_%s_NAME_MAP" % (
                "VOQ" if voq else kind)).items():
            port = self.get(COUNTERS_DB, f"COUNTERS_{kind}_PORT_MAP", oid)
            if port is None:
                raise ToolError(f"Port is not available! {oid}")
            if port not in names:
                raise ToolError(f"KeyError: {port}")
            places[names[port]].append((name, oid))
        return places

    def index(self, kind, oid):
        text = self.get(COUNTERS_DB, f"COUNTERS_{kind}_INDEX_MAP", oid)
        if text is None:
            raise ToolError(f"no index: {oid}")
        return int(text)

    def queue_type(self, oid):
        text = self.get(COUNTERS_DB, "COUNTERS_QUEUE_TYPE_MAP", oid)
        if text not in QUEUE_TYPES:
            raise ToolError(f"Queue Type is invalid: {oid} {text}")
        return QUEUE_TYPES[text]

    # Tools that show counters.

    def pfcstat(self):
        """{port: {"RX": [by priority], "TX": [...]}}."""
        shown = {}
        for way in ("RX", "TX"):
            for port, oid in self.ports().items():
                row = self.numbers(oid, [f"SAI_PORT_STAT_PFC_{n}_{way}_PKTS"
                                         for n in range(8)])
                shown.setdefault(port, {})[way] = list(row.values())
        return shown

    def pfcstat_history(self):
        """{port: [by priority: (transitions, total us, recent us, when us)]}.
        Where the switch does not count, what was estimated is taken."""
        shown = {}
        for port, oid in self.ports().items():
            shown[port] = []
            for n in range(8):
                found = []
                for name in ("ON2OFF_RX_PKTS", "RX_PAUSE_DURATION_US"):
                    values = self.numbers(oid, [
                        f"{source}_PORT_STAT_PFC_{n}_{name}"
                        for source in ("SAI", "EST")])
                    found.append(next((value for value in values.values()
                                       if value is not None), None))
                found += self.numbers(oid, [
                    f"EST_PORT_STAT_PFC_{n}_RECENT_PAUSE_{name}"
                    for name in ("TIME_US", "TIMESTAMP")]).values()
                shown[port].append(tuple(found))
        return shown

    def interfaces_status(self):
        """{port: {field: text or None}} of intfutil and portstat."""
        shown = {}
        for key in self.client.keys(APPL_DB, "PORT_TABLE:Ethernet*"):
            name = key.split(":", 1)[1]
            row = shown[name] = {field: self.get(APPL_DB, key, field)
                                 for field in ("alias", "lanes", "speed", "mtu",
                                               "fec", "admin_status",
                                               "oper_status")}
            if row["oper_status"] == "up":
                for field in ("speed", "fec"):
                    row[field] = self.get(STATE_DB, "PORT_TABLE|" + name,
                                          field) or row[field]
        return shown

    PORT_SIZES = ["64", "65_TO_127", "128_TO_255", "256_TO_511",
                  "512_TO_1023", "1024_TO_1518", "1519_TO_2047",
                  "2048_TO_4095", "4096_TO_9216", "9217_TO_16383"]

    def portstat(self):
        """{port: {name of the counter: number}} of -a and -l."""
        names = [f"IF_{way}_{what}" for way in ("IN", "OUT") for what in (
            "OCTETS", "UCAST_PKTS", "NON_UCAST_PKTS", "MULTICAST_PKTS",
            "BROADCAST_PKTS", "DISCARDS", "ERRORS")]
        names += [f"ETHER_{way}_PKTS_{size}_OCTETS" for way in ("IN", "OUT")
                  for size in self.PORT_SIZES]
        names += ["ETHER_RX_OVERSIZE_PKTS", "ETHER_TX_OVERSIZE_PKTS",
                  "ETHER_STATS_UNDERSIZE_PKTS", "ETHER_STATS_FRAGMENTS",
                  "ETHER_STATS_JABBERS"]
        return {port: {name[len("SAI_PORT_STAT_"):]: number
                       for name, number in self.numbers(oid, [
                           "SAI_PORT_STAT_" + name for name in names]).items()}
                for port, oid in self.ports().items()}

    def queue_counters(self, names, voq=False):
        """{port: {"UC3": [counters]}}."""
        shown = {}
        for port, queues in self.places("QUEUE", voq).items():
            shown[port] = {}
            for _, oid in queues:
                index = self.index("QUEUE", oid)
                label = f"{self.queue_type(oid)}{index}"
                shown[port][label] = list(self.numbers(oid, names).values())
            if len(shown[port]) != len(queues):
                raise ToolError(f"{port}: one queue hides another")
        return shown

    def queuestat(self, voq=False):
        return self.queue_counters([
            "SAI_QUEUE_STAT_PACKETS", "SAI_QUEUE_STAT_BYTES",
            "SAI_QUEUE_STAT_DROPPED_PACKETS", "SAI_QUEUE_STAT_DROPPED_BYTES",
            *(["SAI_QUEUE_STAT_CREDIT_WD_DELETED_PACKETS"] if voq else [
                "SAI_QUEUE_STAT_TRIM_PACKETS", "SAI_QUEUE_STAT_TX_TRIM_PACKETS",
                "SAI_QUEUE_STAT_DROPPED_TRIM_PACKETS"])], voq)

    def wredstat(self):
        return self.queue_counters([
            "SAI_QUEUE_STAT_WRED_DROPPED_PACKETS",
            "SAI_QUEUE_STAT_WRED_DROPPED_BYTES",
            "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS",
            "SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES"])

    PG_DROPS = "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS"

    def pg_drop(self, checkpoint=None):
        """{port: [drops by priority group]}, since 'checkpoint'."""
        shown = {}
        for port, groups in self.places("PG").items():
            columns = {}
            for _, oid in groups:
                value = self.numbers(oid, [self.PG_DROPS])[self.PG_DROPS]
                if checkpoint and value is not None:
                    value -= checkpoint["COUNTERS:" + oid]
                columns[self.index("PG", oid)] = value
            shown[port] = [columns[i] for i in range(len(groups))]
        return shown

    def pg_drop_clear(self):
        """What it keeps in a file: by row, so ids must outlive orchd."""
        return {"COUNTERS:" + oid: self.numbers(oid, [self.PG_DROPS])[
            self.PG_DROPS] or 0 for groups in self.places("PG").values()
                for _, oid in groups}

    PG_WATERMARKS = {
        "pg_headroom":
            "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES",
        "pg_shared": "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"}
    QUEUE_WATERMARKS = {"q_shared_uni": "UC", "q_shared_multi": "MC",
                        "q_shared_all": "ALL"}
    POOL_WATERMARKS = {
        "buffer_pool": "SAI_BUFFER_POOL_STAT_WATERMARK_BYTES",
        "headroom_pool": "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES"}
    WATERMARKS = [*PG_WATERMARKS, *QUEUE_WATERMARKS, *POOL_WATERMARKS]

    def rows_of_places(self, kind, places, name, table):
        """{port: [by place]}.  The columns are made from the names that the
        first port has, and found by the indexes."""
        some = next(iter(places.values()))
        first = min((int(place.split(":")[1]) for place, _ in some), default=0)
        shown = {}
        for port, own in places.items():
            columns = dict.fromkeys(range(first, first + len(some)))
            for _, oid in own:
                index = self.index(kind, oid)
                if index not in columns:
                    raise ToolError(f"KeyError: {index}")
                columns[index] = self.numbers(oid, [name], table)[name]
            shown[port] = list(columns.values())
        return shown

    def watermarkstat(self, kind, table="USER"):
        """{port: [by queue or group]} or {pool: watermark}."""
        table = table + "_WATERMARKS"
        # It wants all of them whatever it is asked for.
        maps = [self.ports(), self.places("QUEUE"), self.places("PG"),
                self.map("COUNTERS_BUFFER_POOL_NAME_MAP")]
        if kind in self.POOL_WATERMARKS:
            name = self.POOL_WATERMARKS[kind]
            return {pool: self.numbers(oid, [name], table)[name]
                    for pool, oid in maps[3].items()
                    if kind == "buffer_pool" or "ingress_lossless_pool" in pool}
        if kind in self.PG_WATERMARKS:
            return self.rows_of_places("PG", maps[2],
                                       self.PG_WATERMARKS[kind], table)
        for places in maps[1].values():
            for _, oid in places:
                if self.queue_type(oid) not in SHARED_TYPES:
                    raise ToolError(f"Queue Type is invalid: {oid}")
        wanted = self.QUEUE_WATERMARKS[kind]
        return self.rows_of_places(
            "QUEUE", {port: [place for place in places
                             if self.queue_type(place[1]) == wanted]
                      for port, places in maps[1].items()},
            "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", table)

    def watermarkstat_clear(self, kind, table="USER"):
        self.client.on(APPL_DB, "PUBLISH", "WATERMARK_CLEAR_REQUEST",
                       json.dumps([table, kind.upper()]))

    # Buffers.

    def mmuconfig(self):
        """CONFIG_DB as it is."""
        return {table: self.table(table) for table in (
            "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "BUFFER_POOL",
            "BUFFER_PROFILE")}

    def mmuconfig_set(self, profile, field, value):
        row = self.table("BUFFER_PROFILE").get(profile)
        if row is None:
            raise ToolError(f"profile {profile} does not exist!")
        if field != "packet_discard_action" and field not in row:
            raise ToolError(f"{field} is not of profile {profile}")
        if field == "dynamic_th" and not -8 <= value <= 8:
            raise ToolError("alpha value range: -8 to 8")
        self.mod_entry("BUFFER_PROFILE", profile, {field: value})

    def buffershow(self):
        """{table prefix: {name: row}} of STATE_DB."""
        shown = {}
        for prefix in ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "BUFFER_POOL",
                       "BUFFER_PROFILE"):
            for key in self.client.keys(STATE_DB, prefix + "*"):
                parts = key.split("|")
                if len(parts) < 2:
                    raise ToolError(f"IndexError: {key}")
                rows = shown.setdefault(prefix, {})
                if parts[1] in rows:
                    raise ToolError(f"{key} hides another")
                rows[parts[1]] = self.get_all(STATE_DB, key)
        return shown

    def dynamic(self):
        """'config buffer' ends without the dynamic buffer model."""
        device = self.get_all(CONFIG_DB, "DEVICE_METADATA|localhost")
        if device.get("buffer_model") != "dynamic":
            raise ToolError("the dynamic buffer model is not enabled")

    def buffer_profile(self, verb, profile, **given):
        """config buffer profile add|set|remove."""
        self.dynamic()
        old = self.table("BUFFER_PROFILE").get(profile)
        if (old is None) != (verb == "add"):
            raise ToolError(f"{profile} exists" if old else
                            f"{profile} does not exist")
        if verb == "remove":
            for key, row in self.table("BUFFER_PG").items():
                if row.get("profile") == profile:
                    raise ToolError(f"{profile} is referenced by {key}")
            self.mod_entry("BUFFER_PROFILE", profile, None)
            return
        row = {"pool": "ingress_lossless_pool", **(old or {}), **given}
        if row["pool"] not in self.table("BUFFER_POOL"):
            raise ToolError(f"{row['pool']} does not exist")
        if not {"xon", "xoff", "size"} & set(row):
            row["headroom_type"] = "dynamic"
            if "dynamic_th" not in row:
                raise ToolError("dynamic_th is needed")
        self.set_entry("BUFFER_PROFILE", profile, row)

    def shared_headroom_pool_size(self, size):
        """config buffer shared_headroom_pool size."""
        self.dynamic()
        limit = self.get(STATE_DB, "BUFFER_MAX_PARAM_TABLE|global", "mmu_size")
        if limit and size > int(limit):
            raise ToolError("more than the size of the memory")
        self.mod_entry("BUFFER_POOL", "ingress_lossless_pool", {"xoff": size})

    # What 'config qos clear' and 'config qos reload' delete, in this order.
    QOS_TABLES = (
        "PORT_QOS_MAP", "QUEUE", "TC_TO_PRIORITY_GROUP_MAP",
        "MAP_PFC_PRIORITY_TO_QUEUE", "TC_TO_QUEUE_MAP", "DSCP_TO_TC_MAP",
        "MPLS_TC_TO_TC_MAP", "SCHEDULER", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
        "WRED_PROFILE", "CABLE_LENGTH", "BUFFER_PG", "BUFFER_QUEUE",
        "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST",
        "BUFFER_PROFILE", "BUFFER_POOL", "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
        "LOSSLESS_TRAFFIC_PATTERN")

    def qos_clear(self):
        for table in self.QOS_TABLES:
            for key in self.table(table):
                self.mod_entry(table, key, None)

    def qos_left(self):
        """The keys for whose end 'config qos reload' waits."""
        return [key for pattern in ("BUFFER_*_TABLE:*", "BUFFER_*_SET")
                for key in self.client.keys(APPL_DB, pattern)]

    # ECN.

    ECN_FIELDS = {"gmax": "green_max_threshold", "gmin": "green_min_threshold",
                  "ymax": "yellow_max_threshold",
                  "ymin": "yellow_min_threshold",
                  "rmax": "red_max_threshold", "rmin": "red_min_threshold",
                  "gdrop": "green_drop_probability",
                  "ydrop": "yellow_drop_probability",
                  "rdrop": "red_drop_probability"}

    def ecnconfig(self):
        return self.table("WRED_PROFILE")

    def ecnconfig_set(self, profile, **values):
        """One write for each option, in this order whatever is meant."""
        if profile not in self.ecnconfig():
            raise ToolError(f"profile {profile} does not exist!")
        for option, field in self.ECN_FIELDS.items():
            if option in values:
                self.mod_entry("WRED_PROFILE", profile,
                               {field: values[option]})

    def ecnconfig_queues(self, queues, enable=None):
        """Switches ECN on queues of all ports with a neighbor, or tells
        whether it is on: {"port|queue": bool}."""
        shown = {}
        for port in self.table("DEVICE_NEIGHBOR"):
            for queue in queues:
                key = f"{port}|{queue}"
                row = self.get_all(CONFIG_DB, f"QUEUE|{key}")
                if enable is True:
                    row["wred_profile"] = "AZURE_LOSSLESS"
                elif enable is False:
                    row.pop("wred_profile", None)
                if enable is not None:
                    if row:
                        self.set_entry("QUEUE", key, row)
                    else:
                        self.mod_entry("QUEUE", key, None)
                shown[key] = row.get("wred_profile") == "AZURE_LOSSLESS"
        return shown

    # Polling.

    COUNTERPOLL = {"port": ["PORT"], "queue": ["QUEUE"],
                   "port-buffer-drop": ["PORT_BUFFER_DROP"],
                   "pg-drop": ["PG_DROP"],
                   "watermark": ["QUEUE_WATERMARK", "PG_WATERMARK",
                                 "BUFFER_POOL_WATERMARK"],
                   "wredqueue": ["WRED_ECN_QUEUE"],
                   "wredport": ["WRED_ECN_PORT"]}

    def counterpoll(self, what, interval=None, status=None):
        for group in self.COUNTERPOLL[what]:
            if interval is not None:
                self.mod_entry("FLEX_COUNTER_TABLE", group,
                               {"POLL_INTERVAL": interval})
            if status is not None:
                self.mod_entry("FLEX_COUNTER_TABLE", group,
                               {"FLEX_COUNTER_STATUS": status})

    def counterpoll_show(self):
        """{group: (interval or "default (...)", status)}."""
        return {group: (row.get("POLL_INTERVAL", "default"),
                        row["FLEX_COUNTER_STATUS"])
                for group, row in self.table("FLEX_COUNTER_TABLE").items()
                if "FLEX_COUNTER_STATUS" in row}

    def wred_capable(self):
        """{counter: whether the switch has it}, asked for before early
        detection is shown."""
        return {f"{place}_{name}": self.get(
            STATE_DB, f"{place}_COUNTER_CAPABILITIES|WRED_ECN_{place}_{name}",
            "isSupported") == "true"
                for place, names in (
                    ("QUEUE", ("ECN_MARKED_PKT_COUNTER",
                               "ECN_MARKED_BYTE_COUNTER",
                               "WRED_DROPPED_PKT_COUNTER",
                               "WRED_DROPPED_BYTE_COUNTER")),
                    ("PORT", ("WRED_GREEN_DROP_COUNTER",
                              "WRED_YELLOW_DROP_COUNTER",
                              "WRED_RED_DROP_COUNTER",
                              "WRED_TOTAL_DROP_COUNTER")))
                for name in names}

    def watermarkcfg(self, interval):
        self.mod_entry("WATERMARK_TABLE", "TELEMETRY_INTERVAL",
                       {"interval": interval})

    # PFC and its watchdog.

    def pfc_priority(self, port, priority, enable):
        """Adds a priority to those of a port, or takes it out."""
        row = self.get_all(CONFIG_DB, f"PORT_QOS_MAP|{port}")
        if not row:
            raise ToolError(f"Cannot find interface {port}")
        found = set(row["pfc_enable"].split(",")) - {""}
        found = found | {str(priority)} if enable else found - {str(priority)}
        self.mod_entry("PORT_QOS_MAP", port,
                       {"pfc_enable": ",".join(sorted(found))})

    def pfc_asymmetric(self, port, enable):
        self.mod_entry("PORT", port, {"pfc_asym": "on" if enable else "off"})

    PFCWD_STATS = [
        ("DEADLOCK_DETECTED", "DEADLOCK_RESTORED"),
        ("TX_PACKETS", "TX_DROPPED_PACKETS"),
        ("RX_PACKETS", "RX_DROPPED_PACKETS"),
        ("TX_PACKETS_LAST", "TX_DROPPED_PACKETS_LAST"),
        ("RX_PACKETS_LAST", "RX_DROPPED_PACKETS_LAST")]

    def pfcwd_stats(self, empty=False):
        """{queue: [status, "a/b" ...]} of those with something to tell."""
        shown = {}
        for queue, oid in self.get_all(
                COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP").items():
            row = self.get_all(COUNTERS_DB, "COUNTERS:" + oid)
            pairs = ["/".join(row.get("PFC_WD_QUEUE_STATS_" + name, "0")
                              for name in names) for names in self.PFCWD_STATS]
            if empty or pairs != ["0/0"] * len(pairs):
                shown[queue] = [row.get("PFC_WD_STATUS", "N/A"), *pairs]
        return shown

    def pfcwd_check_storm(self):
        """Whether it would exit 1."""
        return "stormed" in {row[0] for row in
                             self.pfcwd_stats(empty=True).values()}

    def pfcwd_config(self):
        """{port: row} of ports that the switch has."""
        return {port: row for port, row in self.table("PFC_WD").items()
                if port == "GLOBAL" or port in self.ports()}

    def pfcwd_start(self, ports, detection, restoration=None, **fields):
        for port in ports:
            if "pfc_enable" not in self.get_all(CONFIG_DB,
                                                f"PORT_QOS_MAP|{port}"):
                continue
            self.mod_entry("PFC_WD", port, None)
            self.set_entry("PFC_WD", port, {
                "action": "drop", "detection_time": detection,
                "restoration_time": restoration or 2 * detection, **fields})

    def pfcwd_start_default(self):
        """On all ports with a neighbor, if the device is to have it."""
        device = self.get_all(CONFIG_DB, "DEVICE_METADATA|localhost")
        if device.get("default_pfcwd_status", "").lower() != "enable":
            return
        factor = max(1, (len(self.table("PORT")) - 1) // 32 + 1)
        self.pfcwd_start(sorted(self.table("DEVICE_NEIGHBOR")), 200 * factor,
                         200 * factor)
        self.mod_entry("PFC_WD", "GLOBAL", {"POLL_INTERVAL": 200 * factor})

    def pfcwd_stop(self, ports):
        for port in ports:
            self.mod_entry("PFC_WD", port, None)

    def pfcwd_interval(self, milliseconds):
        self.mod_entry("PFC_WD", "GLOBAL", {"POLL_INTERVAL": milliseconds})

    def pfcwd_big_red_switch(self, status):
        self.mod_entry("PFC_WD", "GLOBAL", {"BIG_RED_SWITCH": status})

    def pfcwd_counter_poll(self, status):
        self.mod_entry("FLEX_COUNTER_TABLE", "PFCWD",
                       {"FLEX_COUNTER_STATUS": status})
