#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What softasicd does with real interfaces.

    bench_ports.py        (root; part of "make bench")

Needs top_srcdir and top_builddir in the environment.  Prints one JSON object
per line:

  frames_per_s   through two TAP ports, tcpreplay as fast as it can, 64 and 1500
                 bytes; with sender and switch on one core, and on one each
  frame_cpu      time of softasicd on its core for each of these
  shaped         what TCP gets through ports of 10 and 1 Gb/s that are not slowed
                 down, frames of 9,100 bytes, in megabits per second
  restart        from the start of an orchd, after the last was killed, until it
                 has found that the switch is as wanted; under traffic, of which
                 nothing may be lost; 32 and 514 ports with all tables, median
                 of 5.  CONFIG_DB says that it is complete, as SONiC's does;
                 without that word orchd waits for 0.5 s of quiet
  restart_cpu    what orchd and softasicd need for that
  idle_cpu       of softasicd, in percent of a core, with so many TAP ports up

On a machine without root it says so and ends well."""

import json
import os
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ["ORCHD_TEST_REMOTE"] = "yes"
sys.path[:0] = [HERE, os.path.join(HERE, "..", "integration")]
import bench_tables  # noqa: E402  (the path is set above)
import harness  # noqa: E402
import test_ports  # noqa: E402
from namespaces import skip_without_rights  # noqa: E402
from scapy.all import wrpcap  # noqa: E402

N_FRAMES = 100000
N_RESTARTS = 5
PAUSE_S = 0.001  # Between frames: the sender shall not be what is measured.
IDLE_S = 4
ADOPTED = " 0 were created, 0 set and 0 removed"


def say(bench, params, value, unit):
    print(json.dumps({"bench": bench, "params": params, "value": value,
                      "unit": unit}), flush=True)


class Bench(test_ports.Switch):
    """A switch with as many TAP ports as a configuration has."""

    MODEL = "generic"
    HWSKU = None

    def runTest(self):
        """Nothing: this is no test."""

    def begin_with(self, rows, dilation):
        test_ports.DILATION = dilation
        self.rows = rows
        self.redis = self.start_redis()
        self.redis.pipeline(harness.as_commands(rows))
        self.redis.on(harness.CONFIG_DB, "SET", "CONFIG_DB_INITIALIZED", "1")
        names = os.path.join(self.directory, "config_db.json")
        with open(names, "w", encoding="utf-8") as file:
            json.dump({"PORT": {key.split("|")[1]: row
                                for key, row in rows.items()
                                if key.startswith("PORT|")}}, file)
        self.start_host("--tap", "Ethernet", "--names", names)
        self.start_orchd_only()
        self.wait_applied(self.redis, rows)
        for host, port in zip(self.hosts[:2], ("Ethernet0", "Ethernet1")):
            host.take(port, self.panel)
        harness.wait_until(lambda: all(
            self.port(f"Ethernet{i}")["oper"] == "up" for i in (0, 1)),
            "the ports are up")
        self.wires = [test_ports.Wire(self.hosts[i], f"Ethernet{i}")
                      for i in (0, 1)]
        # The switch shall know where the receiver is.
        self.wires[1].send(test_ports.frame(1, 0))
        self.wires[0].wait(lambda frames: frames, "a frame")

    def packets(self, host, port, what):
        text = host.run("cat", f"/sys/class/net/{port}/statistics/{what}")
        return int(text)

    def cpu_ticks(self, process=None):
        path = f"/proc/{(process or self.host_process).pid}/stat"
        with open(path, encoding="ascii") as file:
            return sum(map(int, file.read().split()[13:15]))

    def frames(self, size, cores):
        """Frames per second that come out, of those sent."""
        path = os.path.join(self.directory, f"{size}.pcap")
        wrpcap(path, [test_ports.frame(0, 1, size=size)] * 1000)
        os.sched_setaffinity(self.host_process.pid, {0})
        before = self.packets(self.hosts[1], "Ethernet1", "rx_packets")
        ticks = self.cpu_ticks()
        begin = time.monotonic()
        self.hosts[0].run("taskset", "-c", str(cores - 1), "tcpreplay", "-q",
                          "-K", "--topspeed", "--loop",
                          str(N_FRAMES // 1000), "-i", "Ethernet0", path)
        last, n = time.monotonic(), 0
        while time.monotonic() < last + 0.2:
            now = self.packets(self.hosts[1], "Ethernet1", "rx_packets")
            if now - before > n:
                last, n = time.monotonic(), now - before
        say("frames_per_s", {"bytes": size, "cores": cores},
            round(n / (last - begin)), "1/s")
        cpu_s = (self.cpu_ticks() - ticks) / os.sysconf("SC_CLK_TCK")
        say("frame_cpu", {"bytes": size, "cores": cores},
            round(1e6 * cpu_s / n, 2), "us")

    def shaped(self, mbps):
        """Megabits per second between ports of such a speed."""
        ports = ("Ethernet0", "Ethernet1")
        for port in ports:
            self.redis.on(harness.CONFIG_DB, "HSET", "PORT|" + port, "speed",
                          str(mbps))
        harness.wait_until(lambda: all(
            self.state_row(port).get("speed") == str(mbps) for port in ports),
            "the speed is there")
        server = self.hosts[1].start("iperf3", "-s", "-1", "--forceflush")
        self.programs.append(server)
        while "listening" not in server.stdout.readline():
            pass
        report = json.loads(self.hosts[0].run(
            "iperf3", "-c", "10.0.0.2", "-t", "5", "-O", "1", "-J"))
        say("shaped", {"speed": mbps}, round(
            report["end"]["sum_received"]["bits_per_second"] / 1e6), "Mb/s")

    def restart_once(self):
        """Seconds until a new orchd has found that nothing is to be done, those
        of the processors, and the frames that passed meanwhile."""
        wires, n, pause = self.wires, 0, threading.Event()
        wires[1].take()
        self.kill_orchd()
        ticks = self.cpu_ticks()
        begin = time.monotonic()
        self.start_orchd_only()
        while ADOPTED not in self.log_text():
            wires[0].send(test_ports.frame(0, 1, mark=n & 0xffff))
            n += 1
            wires[1].poll()
            pause.wait(PAUSE_S)
        took = time.monotonic() - begin
        ticks = self.cpu_ticks() - ticks + self.cpu_ticks(self.orchd_process)
        wires[1].wait(lambda frames: len(frames) >= n, "all frames")
        return took, ticks / os.sysconf("SC_CLK_TCK"), n

    def restart(self, n_ports):
        runs = [self.restart_once() for _ in range(N_RESTARTS)]
        took, cpu_s, frames = (sorted(column) for column in zip(*runs))
        params = {"ports": n_ports, "rows": len(self.rows)}
        say("restart", {**params, "frames": sum(frames), "lost": 0},
            round(took[N_RESTARTS // 2], 3), "s")
        say("restart_cpu", params, round(cpu_s[N_RESTARTS // 2], 3), "s")

    def idle(self, n_ports):
        self.kill_orchd()
        before = self.cpu_ticks()
        threading.Event().wait(IDLE_S)
        share = (self.cpu_ticks() - before) / os.sysconf("SC_CLK_TCK") / IDLE_S
        say("idle_cpu", {"ports": n_ports}, round(100 * share, 2), "%")


def main():
    skip_without_rights("iperf3", "taskset", "tcpreplay")
    for n_ports in (32, 514):
        bench = Bench()
        bench.setUp()
        try:
            begin = time.monotonic()
            # 100G need not be slowed down to show what the machine can.
            bench.begin_with(bench_tables.intent(n_ports), 1)
            say("start", {"ports": n_ports},
                round(time.monotonic() - begin, 2), "s")
            if n_ports == 32:
                for size in (64, 1500):
                    for cores in (1, 2):
                        bench.frames(size, cores)
                for i in (0, 1):
                    bench.hosts[i].ip("addr", "add", f"10.0.0.{i + 1}/24",
                                      "dev", f"Ethernet{i}")
                for mbps in (10000, 1000):
                    bench.shaped(mbps)
            bench.restart(n_ports)
            bench.idle(n_ports)
        finally:
            bench.tearDown()


if __name__ == "__main__":
    main()
