# SPDX-License-Identifier: Apache-2.0
"""The verbs of breakpoint scenarios, on the switch behind an orchd.

Each method is the step of the same name in docs/reference/breakpoints.md, with
its arguments.  Objects are named as there: "pg Ethernet0|3".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from .claims import Claim, Expected
from .client import Client
from .errors import CommandError, ExpectationError, OrchdError
from .frames import COUNTED, FrameLog, Mark, check_where
from .names import KINDS, ObjectName, nearest, parse_object

__all__ = ["Bench", "Counters", "Rows", "Sent", "Snapshot"]

Counters: TypeAlias = "dict[str, int]"
Rows: TypeAlias = "Mapping[str, Mapping[str, Any] | None]"
Way: TypeAlias = ("Literal['tx_enable', 'port_scheduler', 'queue_scheduler', "
                  "'queue_pir']")

# Per request: some milliseconds of work of orchd each.
FRAMES_PER_REQUEST = 20_000
NS_PER_REQUEST = 10_000_000
DEFAULT_CABLE_M = 5
U64 = (1 << 64) - 1
I64_MAX = (1 << 63) - 1
SHOWN_MAX = 12  # Lines of a failure about what has changed, and of steps.


@dataclass(frozen=True)
class Sent:
    """What became of packets: how many were sent, and of these dropped; whether
    the condition was met; whether their priority group pauses its sender now;
    and the traffic class, group and queue that they used."""

    sent: int
    dropped_ingress: int
    dropped_egress: int
    reached: bool
    xoff: bool
    tc: int
    pg: int
    queue: int


@dataclass(frozen=True)
class Snapshot:
    """All counters of the switch, or of some objects, at one moment.

    ``snapshot["pg Ethernet0|3"]["dropped_packets"]`` is a counter, and
    ``later - earlier`` what has changed, as Bench.diff() returns it.
    """

    name: str
    counters: Mapping[str, Counters]
    frames: Mapping[str, Mark] = field(default_factory=dict, repr=False)

    def __getitem__(self, name: str) -> Counters:
        key = str(parse_object(name))
        if key not in self.counters:
            raise KeyError(f"snapshot '{self.name}' has no '{key}'"
                           f"{nearest(key, self.counters)}")
        return self.counters[key]

    def __sub__(self, earlier: Snapshot) -> dict[str, Counters]:
        return changes(earlier.counters, self.counters)


def changes(before: Mapping[str, Counters],
            after: Mapping[str, Counters]) -> dict[str, Counters]:
    """The counters that differ, with their difference, by object."""
    found = {}
    for key, counters in after.items():
        old = before.get(key, {})
        changed = {name: value - old.get(name, 0)
                   for name, value in counters.items()
                   if value != old.get(name, 0)}
        if changed:
            found[key] = changed
    return found


def bits(numbers: Sequence[int], what: str, end: int) -> int:
    """A mask of 'numbers', which are below 'end'."""
    for number in numbers:
        if not 0 <= number < end:
            raise ValueError(f"{what} are 0 to {end - 1}, not {number}")
    return sum(1 << number for number in set(numbers))


def listed(names: str | Sequence[str]) -> list[str]:
    """One name, or several."""
    return [names] if isinstance(names, str) else list(names)


def look_of(size: int, dscp: int, ecn: int, pcp: int | None, vlan: int,
            ttl: int, ip_id: int, not_ip: bool) -> dict[str, Any]:
    """The properties of frames as orchd expects them."""
    return {"size": size, "dscp": dscp, "ecn": ecn, "ttl": ttl, "ip_id": ip_id,
            "tag": pcp is not None or vlan > 0, "vlan": vlan, "pcp": pcp or 0,
            "not_ip": not_ip}


class Bench:
    """A switch under test, behind 'client'.

    Only one client at a time may have the bench of an orchd.  Closing the
    client undoes what the bench has done, except to counters.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.steps: list[str] = []
        facts = client.breakpoint_begin()
        self.chip: str = facts.get("chip", "")
        self._logs: dict[str, FrameLog] = {}
        self._last: dict[str, Counters] = {}
        self._names: list[ObjectName] = []
        self._created: list[ObjectName] = []
        self._discard_frames()

    # Facts.

    def fact(self, name: str) -> str:
        """A parameter of the chip, as $chip.NAME in scenarios."""
        facts: dict[str, str] = self.client.asic_chip()
        if name not in facts:
            raise KeyError(f"the chip has no '{name}'{nearest(name, facts)}")
        return facts[name]

    def number(self, name: str) -> int:
        """The same as a number: ``number("cell_bytes")``."""
        return int(self.fact(name))

    def row(self, key: str) -> dict[str, str]:
        """A row in force, configured or derived, as $row(KEY) in scenarios."""
        fields: dict[str, str] = self.client.config_row(row=key)["fields"]
        return fields

    @property
    def ports(self) -> list[str]:
        """The ports, by name."""
        return [port["name"] for port in self.client.show_ports()["ports"]]

    # Traffic and time.

    def block(self, *ports: str, by: Way = "tx_enable",
              queues: Sequence[int] | None = None) -> None:
        """Stops transmission of ports; 'queues' are those that 'by' limits, by
        default 0 to 7."""
        self._block("block", ports, by, queues, True)

    def unblock(self, *ports: str, by: Way = "tx_enable",
                queues: Sequence[int] | None = None) -> None:
        """Resumes transmission of ports."""
        self._block("unblock", ports, by, queues, False)

    def _block(self, verb: str, ports: Sequence[str], by: Way,
               queues: Sequence[int] | None, blocked: bool) -> None:
        if not ports:
            raise ValueError(f"{verb} needs a port")
        by_queue = by in ("queue_scheduler", "queue_pir")
        if queues is not None and not by_queue:
            raise ValueError("queues needs by='queue_scheduler' or "
                             "by='queue_pir'")
        mask = bits(queues if queues is not None else range(8), "queues", 32)
        with self._step(f"{verb} {', '.join(ports)}"):
            for port in ports:
                self.client.breakpoint_block(
                    port=port, way=by, queues=mask if by_queue else 0,
                    blocked=blocked)

    def send(self, from_: str, to: str, n: int | None = None, *,
             until: Literal["xoff", "drop", "xon"] | None = None,
             limit: int = 1_000_000, size: int = 64, dscp: int = 0,
             ecn: int = 0, pcp: int | None = None, vlan: int = 0,
             ip_id: int = 0, ttl: int = 64, not_ip: bool = False,
             flows: int = 1) -> Sent:
        """Sends 'n' packets, or until something happens, 'limit' at most.  It
        is an error if it does not happen."""
        if (n is None) == (until is None):
            raise ValueError("send needs either n or until")
        if until and flows > 1:
            raise ValueError("several flows need n, not until")
        arguments = {"from": from_, "to": to, "until": until or "count",
                     "flows": flows, **look_of(size, dscp, ecn, pcp, vlan, ttl,
                                               ip_id, not_ip)}
        how = f"until {until}" if until else f"{n} times"
        with self._step(f"send {from_} to {to}, {size} B, DSCP {dscp}, {how}"):
            sent = self._send(arguments, limit if n is None else n, flows > 1)
            self.steps[-1] += f": {sent.sent:,} sent"
            for where in ("ingress", "egress"):
                dropped = getattr(sent, f"dropped_{where}")
                self.steps[-1] += (f", {dropped:,} dropped at {where}"
                                   if dropped else "")
            if not sent.reached:
                raise self._failure(
                    f"{until} within {limit:,} packets", "it did not happen",
                    self._path(from_, to, dscp, sent))
        return sent

    def _send(self, arguments: dict[str, Any], n: int, whole: bool) -> Sent:
        """Several flows are one request, as the number of a packet decides to
        which it belongs."""
        most = n if whole else FRAMES_PER_REQUEST
        total = dropped_ingress = dropped_egress = 0
        while True:
            count = min(n - total, most)
            data = self.client.call("breakpoint", "send",
                                    {**arguments, "count": count})
            total += data["sent"]
            dropped_ingress += data["dropped_ingress"]
            dropped_egress += data["dropped_egress"]
            if total >= n or not data["sent"] or (
                    arguments["until"] != "count" and data["reached"]):
                return Sent(total, dropped_ingress, dropped_egress,
                            data["reached"], data["xoff"], data["tc"],
                            data["pg"], data["queue"])

    def _path(self, from_: str, to: str, dscp: int, sent: Sent) -> list[str]:
        """Where packets went, for one that did not do what was expected."""
        pg = self.read(f"pg {from_}|{sent.pg}")
        kind = {0: ", lossy", 1: ", lossless"}.get(pg.get("lossless", -1), "")
        lines = [f"  DSCP {dscp} -> TC {sent.tc} -> PG {from_}|{sent.pg}{kind}"
                 f", queue {to}|{sent.queue}"]
        if sent.dropped_ingress:
            lines.append(f"  {sent.dropped_ingress:,} dropped at ingress")
        if sent.dropped_egress:
            wred = self.read(f"queue {to}|{sent.queue}").get("wred_dropped", 0)
            lines.append(f"  {sent.dropped_egress:,} dropped at egress" +
                         (f", {wred:,} in this queue by WRED so far"
                          if wred else ""))
        return lines

    def settle(self) -> None:
        """Waits until everything that can leave has left."""
        with self._step("settle"):
            self.client.breakpoint_settle()

    def run(self, *, s: int = 0, ms: int = 0, us: int = 0, ns: int = 0) -> None:
        """Lets that much time of the switch pass."""
        total = ((s * 1000 + ms) * 1000 + us) * 1000 + ns
        if total < 0:
            raise ValueError("time does not run backwards")
        with self._step(f"run {total:,} ns"):
            self._run(total)

    def _run(self, ns: int) -> None:
        while True:
            part = min(ns, NS_PER_REQUEST)
            self.client.breakpoint_run(ns=part)
            ns -= part
            if not ns:
                return

    def until(self, condition: Callable[[], bool] | str, *, limit_us: int,
              step_us: int = 10, vs: Snapshot | None = None, margin: int = 0,
              **claims: Claim) -> int:
        """Lets time pass, 'step_us' at a time, until 'condition' returns True,
        or the counters of that object are as 'claims' say (the step
        wait_until).  Fails after 'limit_us'.  Returns the microseconds."""
        if limit_us < 1 or step_us < 1:
            raise ValueError("limit_us and step_us are at least 1")
        name = parse_object(condition) if isinstance(condition, str) else None
        what = self._claim_text(name, claims) if name else "the condition holds"
        with self._step(f"until {what}"):
            waited = 0
            while True:
                if callable(condition):
                    wrong = [] if condition() else [what]
                else:
                    wrong = self._judge(str(name), self.read(condition), claims,
                                        vs, margin)
                if not wrong:
                    self.steps[-1] += f": after {waited} us"
                    return waited
                if waited >= limit_us:
                    raise self._failure(f"{what} within {limit_us:,} us",
                                        "it is not so", wrong)
                self._run(step_us * 1000)
                waited += step_us

    # Peers.

    def peer(self, port: str, *, obeys: Sequence[int] = (),
             obeys_global: bool = False, response_ns: int = 0,
             cable: int | None = None, hosts: int = 0) -> None:
        """Sets what is at the other end of the cable of 'port'; its cable is
        'cable' metres long, by default what CABLE_LENGTH says."""
        with self._step(f"peer {port}"):
            self.client.breakpoint_peer(
                port=port, obeys=bits(obeys, "priorities", 8),
                obeys_global=obeys_global, response_ns=response_ns, hosts=hosts,
                cable=self._cable(port) if cable is None else cable)
            self._create("peer", port)

    def _cable(self, port: str) -> int:
        try:
            text = self.row("CABLE_LENGTH|AZURE").get(port, "")
        except CommandError:
            text = ""
        return int(text[:-1]) if text[:-1].isdigit() else DEFAULT_CABLE_M

    def flow(self, name: str, from_: str, to: str, *, percent: int = 0,
             permille: int = 0, mbps: int = 0, n: int = 0, delay_us: int = 0,
             delay_ns: int = 0, pattern: Literal["constant", "burst", "on_off",
                                                 "poisson"] = "constant",
             burst: int = 0, on_us: int = 0, off_us: int = 0,
             prio: int | None = None, size: int = 64, dscp: int = 0,
             ecn: int = 0, pcp: int | None = None, vlan: int = 0, ttl: int = 64,
             ip_id: int = 0, not_ip: bool = False) -> None:
        """Lets the peer of 'from_' send to that of 'to' while time passes: at
        line rate, or 'percent', 'permille' or 'mbps'; 'n' frames, or until
        stop()."""
        rates = sum(map(bool, (percent, permille, mbps)))
        if rates > 1:
            raise ValueError("a flow takes only one of percent, permille and "
                             "mbps")
        if (pattern == "burst") != bool(burst) or (
                pattern == "burst" and (not off_us or rates)) or (
                pattern == "on_off" and not (on_us and off_us)) or (
                pattern == "poisson" and not rates):
            raise ValueError("pattern burst needs burst and off_us and has no "
                             "rate; on_off needs on_us and off_us; poisson "
                             "needs a rate")
        with self._step(f"flow {name} from {from_} to {to}"):
            self.client.call("breakpoint", "flow", {
                "name": name, "from": from_, "to": to, "pattern": pattern,
                "rate_ppm": percent * 10_000 + permille * 1000,
                "rate_bps": mbps * 1_000_000, "count": n, "burst": burst,
                "delay_ns": delay_us * 1000 + delay_ns, "on_ns": on_us * 1000,
                "off_ns": off_us * 1000,
                "prio": (dscp if dscp < 8 else 0) if prio is None else prio,
                **look_of(size, dscp, ecn, pcp, vlan, ttl, ip_id, not_ip)})
            self._create("flow", name)

    def storm(self, port: str, *, prios: Sequence[int] | None = None,
              cev: int | None = None, global_: bool = False,
              quanta: int = 65535, interval_us: int = 0, interval_ns: int = 0,
              n: int = 0, duration_us: int = 0,
              zero_src_mac: bool = False) -> None:
        """Lets the peer of 'port' send pause frames: of 'prios', with the
        class-enable vector 'cev', or 802.3x ('global_'); 'n' of them, for
        'duration_us', or until stop()."""
        if (prios is not None) + (cev is not None) + global_ != 1:
            raise ValueError("storm needs one of prios, cev and global_")
        if n and duration_us:
            raise ValueError("storm takes n or duration_us, not both")
        interval = interval_us * 1000 + interval_ns or 10_000
        if duration_us:
            n = (duration_us * 1000 - 1) // interval + 1
        mask = cev or 0 if prios is None else bits(prios, "priorities", 8)
        with self._step(f"storm at {port}"):
            self.client.call("breakpoint", "storm", {
                "port": port, "global": global_, "priorities": mask,
                "quanta": quanta, "interval_ns": interval, "count": n,
                "zero_src_mac": zero_src_mac})

    def stop(self, *flows: str, storms: str | Sequence[str] = ()) -> None:
        """Stops flows, and the storms of ports."""
        ports = listed(storms)
        if not flows and not ports:
            raise ValueError("stop needs names of flows, or storms")
        with self._step(f"stop {', '.join((*flows, *ports))}"):
            for flow in flows:
                self.client.breakpoint_flow_stop(name=flow)
            for port in ports:
                self.client.breakpoint_storm_stop(port=port)

    # Configuration.

    def cfg(self, rows: Rows, *, expect: str = "applied") -> None:
        """Writes rows "TABLE|key" of CONFIG_DB on top of those there are, and
        checks orchd's answer: a state of "config status" or its code.  A field
        that is None, or a row, is removed."""
        with self._step(f"cfg {', '.join(rows)}"):
            self._configure(rows, "add", expect)

    def _configure(self, rows: Rows, mode: Literal["add", "all"],
                   expect: str = "applied") -> None:
        answers = self.client.breakpoint_configure(
            rows={key: None if fields is None else row_texts(fields)
                  for key, fields in rows.items()}, mode=mode)
        wrong = [f"  {key}: {describe_answer(answer)}"
                 for key, answer in answers.items()
                 if rows.get(key) is not None and
                 expect not in (answer.get("state"), answer.get("code"))]
        self._names = []
        if wrong:
            raise self._failure(f"all rows {expect}", f"{len(wrong)} not",
                                wrong, since="")

    def sai(self, obj: str, attr: str, value: str | int | bool) -> None:
        """Sets one SAI attribute: ``sai("port Ethernet0", "PKT_TX_ENABLE",
        False)``."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        name = parse_object(obj)
        with self._step(f"sai {name} {attr} {text}"):
            self.client.breakpoint_set(object=name.request(), attribute=attr,
                                       value=text)

    # Counters.

    def read(self, obj: str) -> Counters:
        """All counters of an object now."""
        name = parse_object(obj)
        return self._read([name])[str(name)]

    def snapshot(self, name: str, *objects: str) -> Snapshot:
        """Keeps the counters of all objects, or of 'objects', and which frames
        have left the ports (the step snap).  Counters that change later are
        reported since the newest snapshot."""
        with self._step(f"snapshot {name}"):
            names = [parse_object(obj) for obj in objects] or self._all()
            counters = self._read(names)
            for port in {one.name for one in names if one.kind == "port"}:
                self._receive(port)
            self._last = {**self._last, **counters}
            return Snapshot(name, counters, {
                port: log.mark() for port, log in self._logs.items()})

    def diff(self, before: Snapshot, after: Snapshot | None = None
             ) -> dict[str, Counters]:
        """What has changed since 'before', until 'after' or now: the
        differences of counters, by object."""
        if after:
            return after - before
        names = [parse_object(key) for key in before.counters]
        return changes(before.counters, self._read(names))

    def clear_wm(self, *objects: str) -> None:
        """Resets the watermarks of objects to their present fill."""
        names = [parse_object(obj) for obj in objects]
        with self._step(f"clear_wm {', '.join(map(str, names))}"):
            self.client.breakpoint_clear(objects=[one.request()
                                                  for one in names])

    def _read(self, names: Sequence[ObjectName]) -> dict[str, Counters]:
        data = self.client.breakpoint_read(objects=[one.request()
                                                    for one in names])
        return {str(name): {stat: value & U64 for stat, value in stats.items()}
                for name, stats in zip(names, data, strict=True)}

    def _all(self) -> list[ObjectName]:
        """All objects of the switch."""
        if not self._names:
            self._names = [ObjectName("port", port) for port in self.ports]
            for kind, answer in (
                    ("pg", self.client.show_pgs(all=True)["pgs"]),
                    ("queue", self.client.show_queues(all=True)["queues"])):
                self._names += [ObjectName(kind, one["name"], one["index"])
                                for one in answer]
            self._names += [ObjectName("pool", one["name"])
                            for one in self.client.show_pools()["pools"]]
        return self._names + self._created

    def _create(self, kind: str, name: str) -> None:
        if (made := ObjectName(kind, name)) not in self._created:
            self._created.append(made)

    # Expectations.

    def expect(self, obj: str, *, vs: Snapshot | None = None,
               at: Snapshot | None = None, margin: int = 0,
               **claims: Claim) -> None:
        """Claims about counters of an object, now or 'at' a snapshot, minus
        their values in the snapshot 'vs':

            expect("pg Ethernet0|3", packets=1561, shared_bytes="> 0", vs=start)

        A claim is a number, (lowest, highest), a comparison or a trend
        (claims.py); 'margin' allows that much more on either side.  A failure
        names all that do not hold, and what else has changed."""
        if not claims:
            raise ValueError("expect needs a counter: "
                             "expect(\"pg Ethernet0|3\", dropped_packets=0)")
        self._expect(obj, claims, vs, at, margin)

    def _expect(self, obj: str, claims: Mapping[str, Claim],
                vs: Snapshot | None = None, at: Snapshot | None = None,
                margin: int = 0) -> None:
        name = parse_object(obj)
        with self._step(f"expect {self._claim_text(name, claims, vs, at)}"):
            counters = at[obj] if at else self.read(obj)
            wrong = self._judge(str(name), counters, claims, vs, margin)
            if wrong:
                raise ExpectationError("\n".join(
                    [f"step {len(self.steps)}: {self.steps[-1]}", *wrong,
                     *self._changed(name, vs, counters), *self._history()]))

    def _claim_text(self, name: ObjectName, claims: Mapping[str, Claim],
                    vs: Snapshot | None = None, at: Snapshot | None = None
                    ) -> str:
        return (f"{name} " + ", ".join(f"{stat} {Expected(claim).text}"
                                       for stat, claim in claims.items()) +
                (f" since {vs.name}" if vs else "") +
                (f" at {at.name}" if at else ""))

    @staticmethod
    def _judge(key: str, counters: Counters, claims: Mapping[str, Claim],
               vs: Snapshot | None, margin: int) -> list[str]:
        """The claims that do not hold, in words."""
        wrong = []
        for stat, claim in claims.items():
            expected = Expected(claim, margin)
            if stat not in counters:
                raise KeyError(f"{key} has no counter '{stat}'"
                               f"{nearest(stat, counters)}")
            if expected.trend and not vs:
                raise ValueError(f"'{claim}' needs vs, the snapshot to compare "
                                 "with")
            value = min(counters[stat], I64_MAX)
            value -= min(vs[key].get(stat, 0), I64_MAX) if vs else 0
            if not expected.holds(value):
                wrong.append(f"  {stat}: expected {expected.text}, found "
                             f"{value} ({expected.missed_by(value)})")
        return wrong

    def expect_pfc(self, port: str, prio: int | Sequence[int], *,
                   state: Literal["xoff", "xon"] | None = None,
                   frames: Literal["increasing", "stable"] | None = None,
                   vs: Snapshot | None = None) -> None:
        """Whether the port asks its peer to pause a priority, or several; or
        whether it has sent pause frames since the snapshot 'vs'."""
        if (state is None and frames is None) or (frames is None) != (vs is None):
            raise ValueError("expect_pfc needs state, or frames together with "
                             "vs")
        prios = [prio] if isinstance(prio, int) else list(prio)
        if not prios:
            raise ValueError("expect_pfc needs a priority")
        bits(prios, "priorities", 8)
        if state:
            self._expect(f"port {port}", {f"pfc_{one}_xoff": int(
                state == "xoff") for one in prios})
        if frames:
            self._expect(f"port {port}", {
                f"pfc_{one}_tx_pkts": "> 0" if frames == "increasing" else 0
                for one in prios}, vs)

    def trace(self, *ports: str) -> None:
        """Records the order and all headers of the frames that leave ports from
        now on, for expect_rx()."""
        with self._step(f"trace {', '.join(ports)}"):
            for port in ports:
                self._receive(port)
                self.client.breakpoint_trace(port=port)
                self._logs[port] = FrameLog(True)

    def received(self, port: str, where: Mapping[str, int] | None = None, *,
                 vs: Snapshot | None = None, first: int | None = None,
                 last: int | None = None) -> int:
        """How many frames that 'where' selects have left 'port' since the bench
        began, or since 'vs': {"dscp": 3, "queue": 3, "ce": 1}; of a traced port
        also "ecn", "pcp", "vlan", "ip_id" and "size", and among the 'first' or
        'last' so many."""
        check_where(where or {})
        log = self._receive(port)
        if not log.traced and (first or last or
                               set(where or {}) - set(COUNTED)):
            raise ValueError(f"{port} is not traced: only "
                             f"{', '.join(COUNTED)} of its frames are known; "
                             f"call trace('{port}') before they leave")
        return log.count(where or {}, self._mark(port, vs), first, last)

    def expect_rx(self, port: str, n: Claim | None = None, *,
                  where: Mapping[str, int] | None = None,
                  permille: Claim | None = None,
                  of: Mapping[str, int] | None = None,
                  order: Sequence[Mapping[str, int]] | None = None,
                  first: int | None = None, last: int | None = None,
                  vs: Snapshot | None = None, margin: int = 0) -> None:
        """Claims about the frames that have left 'port', see received(): their
        number; or the share per thousand of those that 'of' selects; or that
        none of an earlier item of 'order' leaves after one of a later item."""
        if sum(one is not None for one in (n, permille, order)) != 1:
            raise ValueError("expect_rx checks either n, or permille, or order")
        if first and last:
            raise ValueError("expect_rx takes first or last, not both")
        if of is not None and permille is None:
            raise ValueError("of needs permille")
        if order is not None and (where or first or last or margin):
            raise ValueError("order takes no where, first, last or margin")
        claim: Claim = 0 if order is not None else (
            n if n is not None else permille if permille is not None else 0)
        expected = Expected(claim, margin)
        what = f"frames out of port {port} {dict(where or {})}"
        with self._step(f"expect {what} {expected.text}"):
            if order is not None:
                for item in order:
                    check_where(item)
                self.received(port, first=1)  # It has to be traced.
                value = self._logs[port].disorder(order, self._mark(port, vs))
            else:
                both = {**(of or {}), **(where or {})}
                value = self.received(port, both, vs=vs, first=first, last=last)
            if permille is not None:
                total = self.received(port, of, vs=vs, first=first, last=last)
                value = (1000 * value + total // 2) // total if total else 0
            if not expected.holds(value):
                raise self._failure(f"{expected.text}", f"{value}", [
                    f"  {n} of {look}" for look, n in
                    self._logs[port].looks.items()][:SHOWN_MAX])

    def _mark(self, port: str, vs: Snapshot | None) -> Mark | None:
        return vs.frames.get(port) if vs else None

    def _receive(self, port: str) -> FrameLog:
        rows = self.client.breakpoint_received(port=port)
        log = self._logs.setdefault(port, FrameLog(False))
        log.add(rows)
        return log

    def _discard_frames(self) -> None:
        """Frames that left before the bench began do not count."""
        try:
            for port in self.ports:
                self.client.breakpoint_received(port=port)
        except CommandError:
            pass  # No ports yet, or a switch that cannot tell.

    # Failures.

    @contextmanager
    def _step(self, text: str) -> Iterator[None]:
        """A step that is reported if a later one fails."""
        __tracebackhide__ = True
        self.steps.append(text)
        try:
            yield
        except OrchdError as error:
            error.add_note(f"in step {len(self.steps)}: {text}")
            raise

    def _failure(self, expected: str, found: str, lines: Sequence[str], *,
                 since: str | None = None) -> ExpectationError:
        return ExpectationError("\n".join([
            f"step {len(self.steps)}: {self.steps[-1]}",
            f"  expected {expected}; {found}", *lines,
            *([] if since == "" else self._changed(None, None, {})),
            *self._history()]))

    def _changed(self, name: ObjectName | None, vs: Snapshot | None,
                 counters: Counters) -> list[str]:
        """What has changed since 'vs' or the newest snapshots: the object in
        question, then others."""
        before = vs.counters if vs else self._last
        after = self._read([parse_object(key) for key in before])
        if str(name) in before:
            after[str(name)] = counters
        found = changes(before, after)
        keys = sorted(found, key=lambda key: (key != str(name),
                                              list(KINDS).index(key.split()[0])))
        lines = []
        for key in keys[:SHOWN_MAX]:
            lines.append(f"    {key}: " + ", ".join(
                f"{stat} {change:+,}" for stat, change in found[key].items()))
        if lines:
            since = vs.name if vs else "the snapshots"
            lines.insert(0, f"  changed since {since}:")
        if len(keys) > SHOWN_MAX:
            lines.append(f"    and {len(keys) - SHOWN_MAX} more objects")
        return lines

    def _history(self) -> list[str]:
        steps = list(enumerate(self.steps, 1))[-SHOWN_MAX - 1:-1]
        return ["  steps before:"] + [f"    {number:3} {text}"
                                      for number, text in steps] if steps else []


def row_texts(fields: Mapping[str, Any]) -> dict[str, str | None]:
    """The fields of a row as CONFIG_DB has them: a list is NAME@, joined by
    commas, as SONiC's tools store it."""
    texts: dict[str, str | None] = {}
    for name, value in fields.items():
        if isinstance(value, (list, tuple)):
            texts[name + "@"] = ",".join(map(str, value))
        elif value is None:
            texts[name] = None
        else:
            texts[name] = str(value).lower() if isinstance(value, bool) \
                else str(value)
    return texts


def describe_answer(answer: Mapping[str, str]) -> str:
    """orchd's answer to a row, in words."""
    code = f" ({answer['code']})" if answer.get("code") else ""
    reason = f": {answer['reason']}" if answer.get("reason") else ""
    return f"{answer.get('state') or 'unknown'}{code}{reason}"
