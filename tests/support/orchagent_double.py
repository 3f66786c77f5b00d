#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for orchagent, syncd and a switch, as far as buffers and QoS go.

It consumes the buffer tables of APPL_DB as orchagent does, reads ports and QoS
tables from CONFIG_DB, and writes ASIC_DB and the name maps of COUNTERS_DB as
syncd and orchagent do.  Nothing happens by itself: each step() does what is
due, so a test decides what is late.  With a seed, a step may do only a part of
it, write the fields of a row one by one, refuse what it was asked for, or
restart.

    orchagent_double.py SOCKET [SEED]

makes a step whenever something has changed on the Redis at SOCKET, until its
parent ends.  If Redis is gone, it waits for the next one, and writes there what
its switch has.
"""

import contextlib
import os
import random
import re
import select
import sys

APPL_DB, ASIC_DB, COUNTERS_DB, CONFIG_DB, STATE_DB = 0, 1, 2, 4, 6
APPL_STATE_DB = 14
FLEX_COUNTER_DB = 5

TABLES = ["BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE",
          "BUFFER_PORT_INGRESS_PROFILE_LIST",
          "BUFFER_PORT_EGRESS_PROFILE_LIST"]

TYPES = {"SWITCH": 0x21, "PORT": 0x01, "QUEUE": 0x15, "WRED": 0x13,
         "QOS_MAP": 0x14, "SCHEDULER": 0x16, "SCHEDULER_GROUP": 0x17,
         "BUFFER_POOL": 0x18, "BUFFER_PROFILE": 0x19,
         "INGRESS_PRIORITY_GROUP": 0x1a}

N_PGS, N_QUEUES = 8, 10

# How long it waits for something to happen.
IDLE_S = 0.2

# What Redis announces of a key of CONFIG_DB.
CHANGED = re.compile(b"__keyspace@%d__:([^\r]*)\r\n" % CONFIG_DB)

# Field -> attribute, for numbers.
POOL = {"size": "SIZE", "xoff": "XOFF_SIZE"}
PROFILE = {"size": "RESERVED_BUFFER_SIZE", "xon": "XON_TH",
           "xon_offset": "XON_OFFSET_TH", "xoff": "XOFF_TH",
           "dynamic_th": "SHARED_DYNAMIC_TH", "static_th": "SHARED_STATIC_TH"}
SCHEDULER = {"weight": "SCHEDULING_WEIGHT", "cir": "MIN_BANDWIDTH_RATE",
             "cbs": "MIN_BANDWIDTH_BURST_RATE", "pir": "MAX_BANDWIDTH_RATE",
             "pbs": "MAX_BANDWIDTH_BURST_RATE"}

# Table -> type of the map, member of its key, member of its value, attribute
# of the port.
MAPS = {
    "DSCP_TO_TC_MAP": ("DSCP_TO_TC", "dscp", "tc", "QOS_DSCP_TO_TC_MAP"),
    "DOT1P_TO_TC_MAP": ("DOT1P_TO_TC", "dot1p", "tc", "QOS_DOT1P_TO_TC_MAP"),
    "TC_TO_QUEUE_MAP": ("TC_TO_QUEUE", "tc", "qidx", "QOS_TC_TO_QUEUE_MAP"),
    "TC_TO_PRIORITY_GROUP_MAP": ("TC_TO_PRIORITY_GROUP", "tc", "pg",
                                 "QOS_TC_TO_PRIORITY_GROUP_MAP"),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": (
        "PFC_PRIORITY_TO_PRIORITY_GROUP", "prio", "pg",
        "QOS_PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
    "MAP_PFC_PRIORITY_TO_QUEUE": (
        "PFC_PRIORITY_TO_QUEUE", "prio", "qidx",
        "QOS_PFC_PRIORITY_TO_QUEUE_MAP"),
    "MPLS_TC_TO_TC_MAP": ("MPLS_EXP_TO_TC", "mpls_exp", "tc",
                          "QOS_MPLS_EXP_TO_TC_MAP"),
    "TC_TO_DSCP_MAP": ("TC_AND_COLOR_TO_DSCP", "tc", "dscp",
                       "QOS_TC_AND_COLOR_TO_DSCP_MAP"),
    "TC_TO_DOT1P_MAP": ("TC_AND_COLOR_TO_DOT1P", "tc", "dot1p",
                        "QOS_TC_AND_COLOR_TO_DOT1P_MAP"),
    "DSCP_TO_FC_MAP": ("DSCP_TO_FORWARDING_CLASS", "dscp", "fc",
                       "QOS_DSCP_TO_FORWARDING_CLASS_MAP"),
    "EXP_TO_FC_MAP": ("MPLS_EXP_TO_FORWARDING_CLASS", "mpls_exp", "fc",
                      "QOS_MPLS_EXP_TO_FORWARDING_CLASS_MAP"),
}
MAP_FIELDS = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP", "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "mpls_tc_to_tc_map": "MPLS_TC_TO_TC_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP", "tc_to_dot1p_map": "TC_TO_DOT1P_MAP",
    "dscp_to_fc_map": "DSCP_TO_FC_MAP", "exp_to_fc_map": "EXP_TO_FC_MAP"}

# Field, what it belongs to, its attribute, what it names.
QUEUE_FIELDS = [
    ("scheduler", "SCHEDULER_GROUP", "SCHEDULER_PROFILE_ID", "SCHEDULER"),
    ("wred_profile", "QUEUE", "WRED_PROFILE_ID", "WRED_PROFILE")]

PARAMS = ["color", "dot1p", "dscp", "fc", "mpls_exp", "pg", "prio", "qidx",
          "tc"]

# What orchagent does with a key, as one step: it clears the row if it was
# deleted, and adds the pending fields.  Returns keys; the caller reads the
# rows.
CONSUME = """
local t = ARGV[1]
local keys = redis.call('SPOP', t .. '_KEY_SET', 1000)
for _, key in ipairs(keys) do
  local pending, row = '_' .. t .. ':' .. key, t .. ':' .. key
  if redis.call('SREM', t .. '_DEL_SET', key) > 0 then
    redis.call('DEL', row)
  end
  local fields = redis.call('HGETALL', pending)
  for i = 1, #fields, 2 do
    redis.call('HSET', row, fields[i], fields[i + 1])
  end
  redis.call('DEL', pending)
end
return keys
"""


# What syncd does with its queues of requests: it takes up to 128 of them, oldest
# first, and sets or removes the rows.
SERVE = """
local t = ARGV[1]
local queue = t .. '_KEY_VALUE_OP_QUEUE'
local items = redis.call('LRANGE', queue, -384, -1)
redis.call('LTRIM', queue, 0, -385)
for i = #items, 3, -3 do
  local key, value, op = t .. ':' .. items[i], items[i - 1], items[i - 2]
  if op == 'SSET' then
    local fields = cjson.decode(value)
    for k = 1, #fields, 2 do
      redis.call('HSET', key, fields[k], fields[k + 1])
    end
  elseif op == 'DDEL' and value == '{}' then
    redis.call('DEL', key)
  else
    return redis.error_reply('bad request ' .. op .. ' ' .. value)
  end
end
return #items
"""

# The lists of counters, and the types of the objects that have them.
LISTS = {"PORT_COUNTER_ID_LIST": "PORT", "QUEUE_COUNTER_ID_LIST": "QUEUE",
         "PG_COUNTER_ID_LIST": "INGRESS_PRIORITY_GROUP",
         "BUFFER_POOL_COUNTER_ID_LIST": "BUFFER_POOL"}


def bare(name):
    """The name in a reference, "[TABLE|name]" in old files."""
    return name.strip("[]").rpartition("|")[2]


def map_params(**values):
    """The JSON of the parameters of one side of an entry of a map."""
    texts = [f'"{name}":"SAI_PACKET_COLOR_GREEN"' if name == "color" else
             f'"{name}":{values.get(name, 0)}' for name in PARAMS]
    return "{" + ",".join(texts) + "}"


def map_text(key, value, fields):
    entries = ['{"key":' + map_params(**{key: int(name)}) + ',"value":' +
               map_params(**{value: int(number)}) + "}"
               for name, number in fields.items() if name.isdigit()]
    return ('{"count":%d,"list":[%s]}' % (len(entries), ",".join(entries)))


def indexes(text):
    """3-4 -> 3, 4."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def places(key):
    """Ethernet0,Ethernet4|3-4 -> Ethernet0:3, Ethernet0:4 ...; none if it is
    something else."""
    names, _, numbers = key.partition("|")
    try:
        return [f"{name}:{i}" for name in names.split(",")
                for i in indexes(numbers)]
    except ValueError:
        return []


class Refused(Exception):
    """What was asked for cannot be done now."""


class Double:
    """One orchagent with its switch; 'client' is a client of Redis as in
    harness.py."""

    def __init__(self, client, ports, seed=None, n_queues=N_QUEUES):
        self.client = client
        self.ports = ports
        self.random = random.Random(seed) if seed is not None else None
        self.n_queues = n_queues
        self.counter = 0
        self.rows = {}       # vid -> (type, {attribute: value})
        self.blank = set()   # Those that were created without attributes.
        self.names = {}      # (table, name) -> vid
        self.unwritten = []  # Commands for ASIC_DB that are late.
        self.bound = set()   # What rows of QoS set: (kind, name, attribute).
        self.tasks = {}      # (table, key) -> fields, or None: delete.
        self.refusals = 0    # How many more requests are refused.
        self.read = {}       # Tables of CONFIG_DB, since the last look().
        self.counted = {}    # (vid, counter) -> value; others are 0.
        self.lacking = set()  # Counters that the switch does not have.
        self.listens = False  # The owner says what has changed in them.

    # ASIC_DB.

    def key(self, vid):
        return f"ASIC_STATE:SAI_OBJECT_TYPE_{self.rows[vid][0]}:{vid}"

    def create(self, kind, attributes):
        if self.refusals > 0:
            self.refusals -= 1
            raise Refused()
        self.counter += 1
        vid = f"oid:0x{TYPES[kind] << 48 | self.counter:x}"
        self.rows[vid] = (kind, {})
        if attributes:
            for name, value in attributes.items():
                self.put(vid, name, value)
        else:
            self.blank.add(vid)
            self.unwritten.append(("HSET", self.key(vid), "NULL", "NULL"))
        return vid

    def put(self, vid, name, value):
        kind, row = self.rows[vid]
        if row.get(name) != value:
            row[name] = value
            self.unwritten.append(
                ("HSET", self.key(vid), f"SAI_{kind}_ATTR_{name}", value))

    def set(self, vid, name, value):
        if self.rows[vid][1].get(name, "oid:0x0") == value:
            return
        if self.refusals > 0:
            self.refusals -= 1
            raise Refused()
        self.put(vid, name, value)

    def remove(self, vid):
        self.unwritten.append(("DEL", self.key(vid)))
        del self.rows[vid]

    def users(self, vid):
        return [user for user, (_, row) in self.rows.items()
                for value in row.values()
                if vid in value.partition(":")[2].split(",") or value == vid]

    def write(self, most=None):
        """Writes what is late, or the first 'most' commands of it."""
        now, self.unwritten = (self.unwritten[:most],
                               self.unwritten[most:] if most else [])
        if now:
            self.client.pipeline([("SELECT", ASIC_DB)] + now)

    # The life of the switch.

    def boot(self):
        """Creates the switch and its ports."""
        self.names["SWITCH", ""] = self.create("SWITCH", {})
        self.create_ports(self.ports)
        self.write_limits()
        self.write()

    def resume(self):
        """Writes all that the switch has, into a Redis that may lack it or have
        more, and what CONFIG_DB has now in addition."""
        self.unwritten.clear()
        there = self.client.keys(ASIC_DB, "ASIC_STATE:*")
        rows = [("HSET", self.key(vid), f"SAI_{kind}_ATTR_{name}", value)
                for vid, (kind, row) in self.rows.items()
                for name, value in row.items()]
        rows += [("HSET", self.key(vid), "NULL", "NULL")
                 for vid in self.blank & self.rows.keys()]
        self.client.pipeline(
            [("SELECT", ASIC_DB), ("MULTI",)] +
            [("DEL", key) for key in there] + rows + [("EXEC",)])
        pools = [("HSET", "COUNTERS_BUFFER_POOL_NAME_MAP", name, vid)
                 for (kind, name), vid in self.names.items()
                 if kind == "BUFFER_POOL"]
        self.client.pipeline([("SELECT", COUNTERS_DB)] + pools)
        self.name_ports(self.ports)
        self.write_limits()
        for table, held in self.read.items():
            held.update(self.config_rows(table))

    def write_limits(self):
        """What orchagent says of the switch as a whole."""
        self.client.pipeline([
            ("SELECT", STATE_DB), ("HSET", "BUFFER_MAX_PARAM_TABLE|global",
                                   "mmu_size", 32 << 20),
            ("SELECT", APPL_DB), ("HSET", "PORT_TABLE:PortInitDone", "lanes",
                                  "0")])

    def parts(self):
        """What each port has: (kind, how many, hash of their names)."""
        return (("INGRESS_PRIORITY_GROUP", N_PGS, "COUNTERS_PG_NAME_MAP"),
                ("QUEUE", self.n_queues, "COUNTERS_QUEUE_NAME_MAP"),
                ("SCHEDULER_GROUP", self.n_queues, None))

    def create_ports(self, ports):
        """Creates ports with all that they have."""
        for name in ports:
            self.names["PORT", name] = self.create("PORT", {})
            for kind, n, _ in self.parts():
                for i in range(n):
                    self.names[kind, f"{name}:{i}"] = self.create(kind, {})
        self.name_ports(ports)

    def name_ports(self, ports):
        """Writes which objects belong to ports, and their limits."""
        named, on_chip, limits = [], [], []
        for name, row in ports.items():
            port = self.names["PORT", name]
            real = "oid:0x1" + port[-6:]
            named.append(("HSET", "COUNTERS_PORT_NAME_MAP", name, port))
            on_chip.append(("HSET", "RIDTOVID", real, port))
            on_chip += [("HSET", "LANES", lane, real)
                        for lane in row["lanes"].split(",")]
            for kind, n, hash_name in self.parts():
                if hash_name:
                    named += [("HSET", hash_name, f"{name}:{i}",
                               self.names[kind, f"{name}:{i}"])
                              for i in range(n)]
            limits.append(("HSET", f"BUFFER_MAX_PARAM_TABLE|{name}",
                           "max_priority_groups", N_PGS, "max_queues",
                           self.n_queues))
        self.client.pipeline([("SELECT", COUNTERS_DB)] + named +
                             [("SELECT", ASIC_DB)] + on_chip +
                             [("SELECT", STATE_DB)] + limits)

    def look(self):
        """Reads CONFIG_DB again, when it is needed."""
        self.read = {}

    def changed(self, key):
        """Reads a key of CONFIG_DB that has changed."""
        table, _, name = key.partition("|")
        rows = self.read.get(table)
        if rows is None:
            return
        for row in self.client.hashes_of(CONFIG_DB, [key]).values():
            if row:
                rows[name] = row
            else:
                rows.pop(name, None)

    def follow_ports(self):
        """Creates ports that CONFIG_DB has got, and removes those without a
        row, once their buffers are gone."""
        if not self.listens:
            self.look()
        rows = self.config("PORT")
        new = {name: row for name, row in rows.items()
               if name not in self.ports and "lanes" in row}
        for name in [name for name in self.ports if name not in rows]:
            self.remove_port(name)
        if new:
            self.ports |= new
            self.create_ports(new)

    def remove_port(self, port):
        """Removes a port and its parts, unless a part is bound."""
        parts = [(kind, name) for kind, name in self.names
                 if name == port or name.startswith(port + ":")]
        if any(value not in ("oid:0x0", "0:null") for part in parts
               if part[0] != "PORT"
               for value in self.rows[self.names[part]][1].values()):
            return
        for part in parts:
            self.remove(self.names.pop(part))
        del self.ports[port]
        commands = [("SELECT", COUNTERS_DB),
                    ("HDEL", "COUNTERS_PORT_NAME_MAP", port)]
        for kind, name in parts:
            if kind != "PORT":
                commands += [("HDEL", "COUNTERS_PG_NAME_MAP", name),
                             ("HDEL", "COUNTERS_QUEUE_NAME_MAP", name)]
        self.client.pipeline(commands)

    def restart(self, cold=False):
        """orchagent restarts: what it had created is gone, and it does not read
        again what was published.  'cold': syncd restarts as well, and all ids
        are new."""
        self.refusals = 0
        self.tasks.clear()
        self.unwritten.clear()
        if cold:
            for number in (APPL_DB, ASIC_DB, COUNTERS_DB):
                self.client.on(number, "FLUSHDB")
            self.rows.clear()
            self.names.clear()
            self.counter += 1000
            self.boot()
            return
        for vid, (kind, row) in list(self.rows.items()):
            if kind in ("BUFFER_POOL", "BUFFER_PROFILE", "QOS_MAP", "WRED",
                        "SCHEDULER"):
                self.remove(vid)
            elif row:
                self.unwritten.append(("HDEL", self.key(vid), *[
                    f"SAI_{kind}_ATTR_{name}" for name in row]))
                self.unwritten.append(("HSET", self.key(vid), "NULL", "NULL"))
                row.clear()
        self.names = {name: vid for name, vid in self.names.items()
                      if vid in self.rows}
        self.client.on(COUNTERS_DB, "DEL", "COUNTERS_BUFFER_POOL_NAME_MAP")
        self.write()

    # Buffers.

    def consume(self):
        for table in TABLES:
            keys = self.client.on(APPL_DB, "EVAL", CONSUME, 0, table + "_TABLE")
            for key in keys:
                row = self.client.hash(APPL_DB, f"{table}_TABLE:{key}")
                self.tasks[table, key] = row or None

    def apply_pool(self, key, row):
        vid = self.names.get(("BUFFER_POOL", key))
        if row is None:
            if vid:
                if self.users(vid):
                    raise Refused()
                self.remove(vid)
                del self.names["BUFFER_POOL", key]
                self.client.on(COUNTERS_DB, "HDEL",
                               "COUNTERS_BUFFER_POOL_NAME_MAP", key)
            return
        values = {attribute: row[field] for field, attribute in POOL.items()
                  if field in row}
        if vid:
            for name, value in values.items():
                self.set(vid, name, value)
            return
        values["TYPE"] = "SAI_BUFFER_POOL_TYPE_" + row["type"].upper()
        values["THRESHOLD_MODE"] = ("SAI_BUFFER_POOL_THRESHOLD_MODE_" +
                                    row["mode"].upper())
        vid = self.names["BUFFER_POOL", key] = self.create("BUFFER_POOL",
                                                           values)
        self.client.on(COUNTERS_DB, "HSET", "COUNTERS_BUFFER_POOL_NAME_MAP",
                       key, vid)

    def apply_profile(self, key, row):
        vid = self.names.get(("BUFFER_PROFILE", key))
        if row is None:
            if vid:
                if self.users(vid):
                    raise Refused()
                self.remove(vid)
                del self.names["BUFFER_PROFILE", key]
            return
        values = {attribute: row[field] for field, attribute in PROFILE.items()
                  if field in row}
        if vid:
            for name, value in values.items():
                self.set(vid, name, value)
            return
        values["POOL_ID"] = self.find("BUFFER_POOL", row["pool"])
        if "packet_discard_action" in row:
            action = {"drop": "DROP", "trim": "DROP_AND_TRIM"}
            values["PACKET_ADMISSION_FAIL_ACTION"] = (
                "SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_" +
                action[row["packet_discard_action"]])
        mode = "STATIC" if "static_th" in row else "DYNAMIC"
        values["THRESHOLD_MODE"] = "SAI_BUFFER_PROFILE_THRESHOLD_MODE_" + mode
        self.names["BUFFER_PROFILE", key] = self.create("BUFFER_PROFILE",
                                                        values)

    def find(self, table, name):
        vid = self.names.get((table, bare(name)))
        if not vid:
            raise Refused()
        return vid

    def apply_binding(self, table, key, row):
        names, _, numbers = key.partition(":")
        kind, attribute = {
            "BUFFER_PG": ("INGRESS_PRIORITY_GROUP", "BUFFER_PROFILE"),
            "BUFFER_QUEUE": ("QUEUE", "BUFFER_PROFILE_ID")}[table]
        profile = (self.find("BUFFER_PROFILE", row["profile"]) if row
                   else "oid:0x0")
        for name in names.split(","):
            for i in indexes(numbers):
                self.set(self.find(kind, f"{name}:{i}"), attribute, profile)

    def apply_list(self, table, key, row):
        attribute = ("QOS_INGRESS_BUFFER_PROFILE_LIST" if "INGRESS" in table
                     else "QOS_EGRESS_BUFFER_PROFILE_LIST")
        value = "0:null"
        if row:
            vids = [self.find("BUFFER_PROFILE", name)
                    for name in row["profile_list"].split(",")]
            value = f"{len(vids)}:{','.join(vids)}"
        for name in key.split(","):
            self.set(self.find("PORT", name), attribute, value)

    def apply(self, table, key, row):
        if table == "BUFFER_POOL":
            self.apply_pool(key, row)
        elif table == "BUFFER_PROFILE":
            self.apply_profile(key, row)
        elif table in ("BUFFER_PG", "BUFFER_QUEUE"):
            self.apply_binding(table, key, row)
        else:
            self.apply_list(table, key, row)

    def answer(self, table, key, row):
        """orchagent answers little: that a pool or profile with xoff is
        applied."""
        if table in ("BUFFER_POOL", "BUFFER_PROFILE"):
            name = f"{table}_TABLE:{key}"
            if row and "xoff" in row:
                self.client.on(APPL_STATE_DB, "HSET", name, "xoff", row["xoff"])
            elif not row:
                self.client.on(APPL_STATE_DB, "DEL", name)

    # QoS and ports, from CONFIG_DB.

    def make(self, kind, table, name, values):
        """Creates what a row of CONFIG_DB defines, or changes it."""
        vid = self.names.get((table, name))
        if vid:
            for attribute, value in values.items():
                self.set(vid, attribute, value)
        else:
            self.names[table, name] = self.create(kind, values)

    def config(self, table):
        """The rows of a table of CONFIG_DB."""
        if table not in self.read:
            self.read[table] = self.config_rows(table)
        return self.read[table]

    def config_rows(self, table):
        """Reads a table of CONFIG_DB, without keys that are no hashes."""
        return {key.partition("|")[2]: row for key, row in
                self.client.hashes(CONFIG_DB, table + "|*").items()}

    def definitions(self):
        """The objects that rows of CONFIG_DB define: (table, name, kind,
        a function that returns the attributes)."""
        for table, (kind, key, value, _) in MAPS.items():
            for name, row in self.config(table).items():
                yield table, name, "QOS_MAP", lambda k=kind, e=key, v=value, r=row: {
                    "TYPE": "SAI_QOS_MAP_TYPE_" + k,
                    "MAP_TO_VALUE_LIST": map_text(e, v, r)}
        for name, row in self.config("SCHEDULER").items():
            yield "SCHEDULER", name, "SCHEDULER", lambda r=row: self.scheduler(r)
        for name, row in self.config("WRED_PROFILE").items():
            yield "WRED_PROFILE", name, "WRED", lambda r=row: self.wred(r)

    def apply_definitions(self):
        """Creates what rows define, changes it, and removes what has no row and
        no user.  A row that makes no sense is left alone."""
        there = set()
        for table, name, kind, attributes in self.definitions():
            there.add((table, name))
            with contextlib.suppress(Refused, KeyError, ValueError):
                self.make(kind, table, name, attributes())
        for table, name in list(self.names):
            if ((table in MAPS or table in ("SCHEDULER", "WRED_PROFILE")) and
                    (table, name) not in there and
                    not self.users(self.names[table, name])):
                self.remove(self.names.pop((table, name)))

    @staticmethod
    def scheduler(row):
        values = {attribute: row[field]
                  for field, attribute in SCHEDULER.items() if field in row}
        if "type" in row:
            values["SCHEDULING_TYPE"] = "SAI_SCHEDULING_TYPE_" + row["type"]
        if "meter_type" in row:
            values["METER_TYPE"] = "SAI_METER_TYPE_" + row["meter_type"].upper()
        return values

    @staticmethod
    def wred(row):
        values = {"WEIGHT": "0"}
        for colour in ("green", "yellow", "red"):
            enabled = row.get(f"wred_{colour}_enable")
            if enabled is not None:
                values[f"{colour.upper()}_ENABLE"] = enabled
                if enabled == "true":
                    values[f"{colour.upper()}_DROP_PROBABILITY"] = row.get(
                        f"{colour}_drop_probability", "100")
            for field in ("min_threshold", "max_threshold", "drop_probability"):
                if f"{colour}_{field}" in row:
                    values[f"{colour}_{field}".upper()] = row[
                        f"{colour}_{field}"]
        if "ecn" in row:
            values["ECN_MARK_MODE"] = row["ecn"].replace(
                "ecn_", "SAI_ECN_MARK_MODE_").upper()
        return values

    def apply_ports(self):
        for name, row in self.config("PORT").items():
            port = self.names.get(("PORT", name))
            if not port:
                continue
            self.set(port, "ADMIN_STATE",
                     "true" if row.get("admin_status") == "up" else "false")
            if "speed" in row:
                self.set(port, "SPEED", row["speed"])
            if "mtu" in row:
                self.set(port, "MTU", str(int(row["mtu"]) + 22))

    def bindings(self):
        """What rows of QoS bind: (kind, name, attribute, a function that
        returns the value)."""
        for names, row in self.config("PORT_QOS_MAP").items():
            for name in names.split(","):
                kind, name = (("SWITCH", "") if name == "global" else
                              ("PORT", name))
                for field, table in MAP_FIELDS.items():
                    if field in row:
                        yield (kind, name, MAPS[table][3],
                               lambda t=table, n=row[field]: self.find(t, n))
                if "pfc_enable" in row:
                    yield (kind, name, "PRIORITY_FLOW_CONTROL",
                           lambda n=row["pfc_enable"]: str(sum(
                               1 << int(i) for i in n.split(",") if i)))
        for key, row in self.config("QUEUE").items():
            for place in places(key):
                for field, kind, attribute, table in QUEUE_FIELDS:
                    if field in row:
                        yield (kind, place, attribute,
                               lambda t=table, n=row[field]: self.find(t, n))

    def apply_bindings(self):
        """Binds what rows name, and unbinds what they no longer do."""
        wanted = set()
        for kind, name, attribute, value in self.bindings():
            wanted.add((kind, name, attribute))
            with contextlib.suppress(Refused, ValueError):
                self.set(self.find(kind, name), attribute, value())
        for kind, name, attribute in self.bound - wanted:
            if (kind, name) in self.names:
                self.put(self.names[kind, name], attribute, "0" if attribute ==
                         "PRIORITY_FLOW_CONTROL" else "oid:0x0")
        self.bound = wanted

    # Counters.

    def serve(self):
        """Takes all requests for groups of counters."""
        for table in ("FLEX_COUNTER_GROUP_TABLE", "FLEX_COUNTER_TABLE"):
            while self.client.on(FLEX_COUNTER_DB, "EVAL", SERVE, 0, table):
                pass

    def poll(self):
        """Reads the counters of all enabled groups, once.  A reading of an
        object fails as a whole if the switch lacks one of its counters."""
        self.serve()
        prefix = "FLEX_COUNTER_GROUP_TABLE:"
        enabled = {key[len(prefix):] for key, row in self.client.hashes(
                       FLEX_COUNTER_DB, prefix + "*").items()
                   if row.get("FLEX_COUNTER_STATUS") == "enable"}
        commands = [("SELECT", COUNTERS_DB)]
        for key, row in self.client.hashes(FLEX_COUNTER_DB,
                                           "FLEX_COUNTER_TABLE:*").items():
            group, _, vid = key.partition(":")[2].partition(":")
            names = [name for field, kind in LISTS.items() if field in row and
                     vid in self.rows and self.rows[vid][0] == kind
                     for name in row[field].split(",")]
            if group in enabled and names and not self.lacking & set(names):
                commands.append(
                    ("HSET", "COUNTERS:" + vid) + tuple(
                        text for name in names for text in (
                            name, str(self.counted.get((vid, name), 0)))))
        self.client.pipeline(commands)

    # Steps.

    def work(self):
        """Does all that can be done now."""
        if not self.listens:
            self.look()
        self.consume()
        tasks = sorted(self.tasks, key=lambda task: TABLES.index(task[0]))
        if self.random:
            self.random.shuffle(tasks)
        for task in tasks * 3:
            if task in self.tasks:
                try:
                    self.apply(*task, self.tasks[task])
                    self.answer(*task, self.tasks[task])
                    del self.tasks[task]
                except Refused:
                    pass
        for apply in (self.apply_definitions, self.apply_ports,
                      self.apply_bindings):
            with contextlib.suppress(Refused):
                apply()

    def step(self):
        """Does all that is due; with a seed, a part of it, or something that
        goes wrong.  Returns whether nothing is left."""
        if not self.random:
            self.work()
            self.write()
            return not self.tasks
        dice = self.random.random()
        if dice < 0.01:
            self.restart(cold=self.random.random() < 0.3)
        elif dice < 0.05:
            self.refusals = self.random.randrange(1, 8)
        elif dice < 0.55:
            self.work()
        self.write(self.random.randrange(1, 40))
        return not self.tasks and not self.unwritten

    def calm(self):
        """From now on, nothing goes wrong."""
        self.random = None
        self.refusals = 0

    def has(self, kind, attributes):
        """Whether the switch has an object with these attributes."""
        return any(kind == other and attributes.items() <= row.items()
                   for other, row in self.rows.values())


def news(listener):
    """The keys of CONFIG_DB that have changed since the last call, after a
    while without news or at once."""
    select.select([listener.socket], [], [], IDLE_S)
    heard = b""
    while (select.select([listener.socket], [], [], 0)[0] or
           heard and not heard.endswith(b"\r\n")):
        part = listener.socket.recv(1 << 16)
        if not part:
            raise ConnectionError
        heard += part
    return [key.decode(errors="replace")
            for key in dict.fromkeys(CHANGED.findall(heard))]


def follow(double, client, listener):
    """Lives with one Redis, until that ends."""
    for pattern in ("*_TABLE_CHANNEL@*", f"__keyspace@{CONFIG_DB}__:*"):
        listener("PSUBSCRIBE", pattern)
    double.client = client
    if double.rows:
        double.resume()
    else:
        double.boot()
    while True:
        double.follow_ports()
        double.step()
        for key in news(listener):
            double.changed(key)


def main():
    sys.path.insert(0, sys.path[0] + "/../integration")
    from harness import connect
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else None
    double = Double(None, {}, seed)
    double.listens = True
    parent = os.getppid()
    while os.getppid() == parent:
        with contextlib.suppress(ConnectionError, BrokenPipeError), \
                contextlib.closing(connect(sys.argv[1])) as client, \
                contextlib.closing(connect(sys.argv[1])) as listener:
            follow(double, client, listener)


if __name__ == "__main__":
    main()
