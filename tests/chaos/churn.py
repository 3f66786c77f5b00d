# SPDX-License-Identifier: Apache-2.0
"""Random writes to CONFIG_DB, valid and not, as commands of Redis.

Each batch depends on the generator of random numbers only, not on what the
database holds: a seed names the same writes each time."""

PORTS = 8
SPARE = 6
LOSSLESS = "pg_lossless_100000_5m_profile"
POOLS = ("ingress_lossless_pool", "egress_lossless_pool", "egress_lossy_pool",
         "spare_pool")
PROFILES = (LOSSLESS, "egress_lossless_profile", "egress_lossy_profile",
            *(f"spare{i}" for i in range(SPARE)))
MAPS = ("AZURE", "other", "missing")
RANGES = ("0", "1", "3-4", "3", "4", "5-6", "7")


def pick(random, good, bad, share=0.1):
    """One of 'good', and now and then one of 'bad'."""
    return random.choice(bad if random.random() < share else good)


def a_port(random):
    return f"Ethernet{4 * random.randrange(PORTS)}"


def profile(random):
    return f"BUFFER_PROFILE|{random.choice(PROFILES)}", {
        "pool": pick(random, POOLS, ("missing", "")),
        "size": pick(random, ("0", "1248", "3328", "9216"), ("-1", "much")),
        "dynamic_th": pick(random, ("-7", "-2", "0", "1", "3"), ("42", "x"))}


def pool(random):
    return f"BUFFER_POOL|{random.choice(POOLS)}", {
        "type": pick(random, ("ingress", "egress"), ("sideways",), 0.05),
        "mode": pick(random, ("dynamic", "static"), ("sometimes",), 0.05),
        "size": pick(random, ("4000000", "9000000", "12000000"), ("x", ""))}


def group(random):
    return f"BUFFER_PG|{a_port(random)}|{random.choice(RANGES)}", {
        "profile": pick(random, PROFILES + ("NULL",), ("missing",))}


def queue(random):
    return f"BUFFER_QUEUE|{a_port(random)}|{random.choice(RANGES)}", {
        "profile": pick(random, PROFILES, ("missing",))}


def scheduling(random):
    row = {"scheduler": pick(random, ("s0", "s1", "s2"), ("missing",))}
    if random.random() < 0.5:
        row["wred_profile"] = pick(random, ("w0", "w1"), ("missing",))
    return f"QUEUE|{a_port(random)}|{random.choice(RANGES)}", row


def scheduler(random):
    return f"SCHEDULER|s{random.randrange(3)}", {
        "type": pick(random, ("DWRR", "WRR", "STRICT"), ("FAIR",)),
        "weight": pick(random, ("1", "20", "100"), ("0", "1000"))}


def wred(random):
    return f"WRED_PROFILE|w{random.randrange(2)}", {
        "wred_green_enable": "true", "ecn": "ecn_all",
        "green_min_threshold": pick(random, ("10000", "100000"), ("x",)),
        "green_max_threshold": pick(random, ("200000", "400000"), ("1",)),
        "green_drop_probability": pick(random, ("5", "100"), ("101",))}


def dscp_map(random):
    return f"DSCP_TO_TC_MAP|{random.choice(MAPS[:2])}", {
        str(random.randrange(64)): pick(random, ("0", "1", "3", "4", "7"),
                                        ("8", "x"))}


def port_map(random):
    return f"PORT_QOS_MAP|{a_port(random)}", {
        "dscp_to_tc_map": random.choice(MAPS),
        "pfc_enable": pick(random, ("", "3", "3,4", "4"), ("9", "x"))}


def port(random):
    return f"PORT|{a_port(random)}", {
        "admin_status": pick(random, ("up", "down"), ("sideways",)),
        "mtu": pick(random, ("1500", "9100"), ("1",))}


def speed(random):
    return f"PORT|{a_port(random)}", {
        "speed": pick(random, ("40000", "100000"), ("12345",))}


def cable(random):
    return "CABLE_LENGTH|AZURE", {
        a_port(random): pick(random, ("5m", "40m", "300m"), ("long",))}


def watchdog(random):
    return f"PFC_WD|{a_port(random)}", {
        "action": pick(random, ("drop", "forward", "alert"), ("shout",)),
        "detection_time": pick(random, ("200", "1000"), ("1",)),
        "restoration_time": "400"}


def profile_list(random):
    side = random.choice(("INGRESS", "EGRESS"))
    return f"BUFFER_PORT_{side}_PROFILE_LIST|{a_port(random)}", {
        "profile_list": pick(random, (
            "egress_lossless_profile,egress_lossy_profile",
            "egress_lossless_profile", LOSSLESS), ("missing", ","))}


def counters(random):
    return f"FLEX_COUNTER_TABLE|{random.choice(('PORT', 'QUEUE', 'PFCWD'))}", {
        "FLEX_COUNTER_STATUS": random.choice(("enable", "disable")),
        "POLL_INTERVAL": pick(random, ("1000", "2000"), ("1", "x"))}


def stranger(random):
    return f"OTHER_TABLE|{random.randrange(3)}", {"x": str(random.random())}


MAKERS = (profile, profile, pool, group, group, queue, queue, scheduling,
          scheduling, scheduler, wred, dscp_map, port_map, port_map, port,
          speed, cable, watchdog, profile_list, counters, stranger)


def command(random):
    """One write: fields of a row, a new row in its place, fewer fields, or no row."""
    key, fields = random.choice(MAKERS)(random)
    kind = random.random()
    words = [word for pair in fields.items() for word in pair]
    # Ports stay, or hardly a row would ever be applied.
    if kind < 0.15 and not key.startswith(("PORT|", "CABLE_LENGTH|")):
        return [("DEL", key)]
    if kind < 0.2:
        return [("HDEL", key, *fields)]
    if kind < 0.25 and not key.startswith("PORT|"):
        return [("DEL", key), ("HSET", key, *words)]
    return [("HSET", key, *words)]


def batch(random, most):
    """Up to 'most' writes."""
    return [word for _ in range(random.randint(1, most))
            for word in command(random)]
