#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the twin's TCP with that of the Linux kernel, round by round.

A sender and a receiver are in two network namespaces. The sender is behind a
port of softasicd, whose time is not slowed down. What leaves the switch by
another port, this program hands to the receiver some time later, except chosen
segments, which it loses; and what the receiver sends, to the switch.
tests/bench/trace_tcp does the same with the twin. Compared are,
for each round trip, the segments that the sender sends, those it sends again,
and its congestion window (`ss -ti` for the kernel).

What differs on purpose:
- The kernel reduces its window proportionally while it recovers (RFC 6937), the
  twin waits for the pipe (RFC 6675); so in these round trips only the set of
  repeated segments is compared.
- The twin has neither HyStart nor F-RTO. They are off meanwhile: F-RTO in the
  namespaces, HyStart, a parameter of the module, for the whole machine.
- After a timeout the kernel's CUBIC grows by 5 % per round trip, which RFC 9438
  does not have; there the comparison ends with slow start.

Usage: linux_tcp.py TRACE_TCP, with top_srcdir and top_builddir in the
environment. Needs root; ends with 77 if something is missing.
"""
import fcntl
import heapq
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ['ORCHD_TEST_REMOTE'] = 'yes'
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'integration')]
import test_ports  # noqa: E402  (the path is set above)

SEGMENTS, MSS = 400, 1460
# Of means over round trips, and of each: the kernel's cubic grows in steps of two
# segments.
MEAN = 0.1
EACH = {'reno': 0.1, 'cubic': 0.15}
# A busy machine hands frames over late, and rounds run into each other. Runs in
# which that was seen are repeated and do not count as attempts.
ATTEMPTS, BUSY, LATE = 4, 20, 0.2       # LATE of the delay.
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454ca, 2, 0x1000
MACS = ['02:00:00:00:00:01', '02:00:00:00:00:0a']

# Congestion control, delay in each direction in ms, and segments lost, by their
# number in sending.
CASES = {
    'slow start, reno': ('reno', 40, []),
    'slow start, cubic': ('cubic', 20, []),
    'one loss, reno': ('reno', 40, [50]),
    'one loss, cubic': ('cubic', 20, [25]),
    'three losses, reno': ('reno', 40, [50, 52, 55]),
    'three losses, cubic': ('cubic', 20, [25, 26, 29]),
    'timeout, reno': ('reno', 40, list(range(31, 72))),
    'timeout, cubic': ('cubic', 20, list(range(31, 72))),
}

RECEIVER = '''
import socket
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 20)
s.bind(('10.99.0.2', 5001))
s.listen(1)
print('ready', flush=True)
c, _ = s.accept()
while c.recv(1 << 20):
    pass
c.sendall(b'x')
'''
SENDER = '''
import json, re, socket, subprocess, sys, threading, time
s = socket.socket()
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, sys.argv[1].encode())
s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 << 20)
s.connect(('10.99.0.2', 5001))
rows, done = [], threading.Event()
def look():
    while not done.is_set():
        start = time.monotonic()
        text = subprocess.run(['ss', '-tinH', 'dport', '=', '5001'],
                              capture_output=True, text=True).stdout
        found = re.search(r' cwnd:(\\d+)', text)
        if found:
            rows.append((start, time.monotonic(), int(found.group(1))))
thread = threading.Thread(target=look)
thread.start()
s.sendall(b'x' * int(sys.argv[2]))
s.shutdown(socket.SHUT_WR)
s.recv(1)
done.set()
thread.join()
print(json.dumps(rows))
'''


def command(*words):
    subprocess.run(words, check=True)


class NoHystart:
    """Switches HyStart off, and back again."""

    PATH = '/sys/module/tcp_cubic/parameters/hystart'

    def __enter__(self):
        with open(self.PATH, encoding='ascii') as file:
            self.value = file.read()
        self.write('0')

    def __exit__(self, *_):
        self.write(self.value)

    def write(self, value):
        with open(self.PATH, 'w', encoding='ascii') as file:
            file.write(value)


class Switch(test_ports.Switch):
    """softasicd in real time, with a namespace behind each of three ports."""

    def runTest(self):
        """Nothing: this is no test."""

    def __enter__(self):
        test_ports.DILATION = 1
        self.setUp()
        try:
            self.begin()
        except BaseException:
            self.tearDown()
            raise
        return self

    def __exit__(self, *_):
        self.tearDown()


def configure(run, interface, own, other):
    """Prepares an interface, by 'run' in its namespace, to reach the other."""
    for words in (
            ['sysctl', '-qw', 'net.ipv4.tcp_timestamps=0',
             'net.ipv4.tcp_no_metrics_save=1', 'net.ipv4.tcp_frto=0'],
            ['ip', 'link', 'set', interface, 'address', MACS[own], 'mtu',
             '1500', 'txqueuelen', '10000', 'up'],
            ['ip', 'addr', 'replace', f'10.99.0.{own + 1}/24', 'dev',
             interface],
            ['ip', 'neigh', 'replace', f'10.99.0.{other + 1}', 'lladdr',
             MACS[other], 'dev', interface]):
        run(*words)


class Ends:
    """The sender, behind the switch, and the receiver, behind a TAP whose frames
    this program gets. 'fds' are where it gets what each has sent."""

    def __init__(self, switch):
        self.switch = switch
        self.name = f'orchd-tcp-{os.getpid()}'

    def __enter__(self):
        tap = f'tcp{os.getpid() % 100000}'
        command('ip', 'netns', 'add', self.name)
        fd = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(fd, TUNSETIFF, struct.pack('16sH22x', tap.encode(),
                                               IFF_TAP | IFF_NO_PI))
        command('ip', 'link', 'set', tap, 'netns', self.name)
        command('ip', 'netns', 'exec', self.name, 'sysctl', '-qw',
                'net.ipv6.conf.all.disable_ipv6=1')
        configure(self.switch.hosts[0].run, test_ports.PORTS[0], 0, 1)
        configure(lambda *words: command('ip', 'netns', 'exec', self.name,
                                         *words), tap, 1, 0)
        self.wire = test_ports.Wire(self.switch.hosts[1], test_ports.PORTS[1])
        self.fds = [self.wire.socket.fileno(), fd]
        return self

    def start(self, i, text, *words):
        name = self.name if i else self.switch.hosts[0].name
        return subprocess.Popen(
            ['ip', 'netns', 'exec', name, sys.executable, '-c', text,
             *words], stdout=subprocess.PIPE, text=True)

    def __exit__(self, *_):
        self.wire.close()
        os.close(self.fds[1])
        subprocess.run(['ip', 'netns', 'del', self.name], check=False)


class Sender:
    """What the sender has sent, read from its frames."""

    def __init__(self, lost):
        self.lost = set(lost)
        self.first = None
        self.next = 0
        self.rows = []

    def loses(self, frame):
        """Notes a frame of the sender; returns whether it is to be lost."""
        if frame[12:14] != b'\x08\x00' or frame[23] != 6:
            return False
        header = 14 + (frame[14] & 15) * 4
        sequence, = struct.unpack('!I', frame[header + 4:header + 8])
        length = (struct.unpack('!H', frame[16:18])[0] + 14 - header -
                  (frame[header + 12] >> 4) * 4)
        if frame[header + 13] & 2:
            self.first = sequence + 1
        if self.first is None or length <= 0:
            return False
        position = (sequence - self.first) & 0xffffffff
        self.rows.append((time.monotonic(), position // MSS,
                          position < self.next))
        self.next = max(self.next, position + length)
        return len(self.rows) in self.lost


def kernel(switch, control, delay_ms, lost):
    """The segments of the kernel: (ms, number, whether again, window); how many
    its receiver has got, and acknowledgements it has sent; and by how much of
    the delay a frame was late."""
    with Ends(switch) as ends:
        receiver = ends.start(1, RECEIVER)
        receiver.stdout.readline()
        program = ends.start(0, SENDER, control, str(SEGMENTS * MSS))
        sender, waiting, n, n_acks, late = Sender(lost), [], 0, 0, 0
        while program.poll() is None:
            while waiting and waiting[0][0] <= time.monotonic():
                due, _, to, frame = heapq.heappop(waiting)
                os.write(ends.fds[to], frame)
                late = max(late, time.monotonic() - due)
            left = waiting[0][0] - time.monotonic() if waiting else 0.05
            for fd in select.select(ends.fds, [], [], max(0, left))[0]:
                end = ends.fds.index(fd)
                frame = os.read(fd, 2048)
                n_acks += end == 1 and frame[12:14] == b'\x08\x00'
                if end == 1 or not sender.loses(frame):
                    heapq.heappush(waiting, (time.monotonic() + delay_ms / 1e3, n,
                                             1 - end, frame))
                    n += 1
        samples = json.loads(program.stdout.read())
        receiver.terminate()
        receiver.wait()
    rows = []
    start = sender.rows[0][0]
    for i, (when, number, again) in enumerate(sender.rows):
        until = sender.rows[i + 1][0] if i + 1 < len(sender.rows) else 1e99
        windows = [window for begin, end, window in samples
                   if when <= begin and end < until]
        rows.append(((when - start) * 1e3, number, again,
                     windows[-1] if windows else None))
    return rows, (len(rows) - len(lost), n_acks), late * 1e3 / delay_ms


def twin(program, control, delay_ms, lost):
    text = subprocess.run(
        [program, control, str(SEGMENTS), str(delay_ms),
         *map(str, lost)], capture_output=True, text=True, check=True).stdout
    return [(row['ms'], row['segment'], row['again'], row['cwnd'])
            for row in map(json.loads, text.splitlines())]


def rounds(rows, delay_ms):
    """Groups rows by round trips: (segments, those sent again, window)."""
    found, last = [], None
    for ms, number, again, window in rows:
        if last is None or ms - last > 0.6 * delay_ms:
            found.append([0, [], None])
        last = ms
        found[-1][0] += 1
        if again:
            found[-1][1].append(number)
        if window is not None:
            found[-1][2] = window
    return found


def are_near(a, b, tolerance):
    """Within the tolerance, and always within one segment."""
    return abs(a - b) <= max(tolerance * max(a, b), 1)


def compare_rounds(control, pairs):
    """Returns what differs between pairs of round trips."""
    wrong = []
    for what, k in ('segments', 0), ('window', 2):
        known = [(their[k], our[k]) for their, our in pairs
                 if their[k] is not None]
        wrong += [f'{what} {their} and {our}' for their, our in known
                  if not are_near(their, our, EACH[control])]
        means = [sum(side) / len(known) for side in zip(*known)]
        if means and not are_near(*means, MEAN):
            wrong.append(f'mean of {what} {means[0]:.1f} and {means[1]:.1f}')
    return wrong


def compare(control, theirs, ours, lost):
    """Returns what differs."""
    wrong = []
    repeated = [sorted({number for _, again, _ in side for number in again})
                for side in (theirs, ours)]
    if repeated[0] != repeated[1]:
        wrong.append(f'sent again: {repeated[0]} and {repeated[1]}')
    if not lost:
        head = min(len(theirs), len(ours)) - 1
        pairs = list(zip(theirs[:head], ours[:head]))
    else:
        # The round trips before the loss is repaired, and after.
        cut = [next(i for i, (_, again, _) in enumerate(side) if again)
               for side in (theirs, ours)]
        ends = [max(i for i, (_, again, _) in enumerate(side) if again) + 1
                for side in (theirs, ours)]
        if cut[0] != cut[1]:
            wrong.append(f'first repetition in round trip {cut[0] + 1} and '
                         f'{cut[1] + 1}')
        # In recovery the twin needs up to one round trip more (RFC 6675).
        after = [side[end:-1] for side, end in zip((theirs, ours), ends)]
        while after[1] and after[0] and after[1][0][0] < after[0][0][0]:
            after[1].pop(0)
        pairs = list(zip(theirs[:cut[0]], ours[:cut[1]])) + \
            list(zip(*after))
        if len(lost) > 10:  # After a timeout nothing is proportional.
            n = -1 if control == 'reno' else ends[0]
            pairs = list(zip(theirs[:n], ours[:n]))
    return wrong + compare_rounds(control, pairs), len(pairs)


def missing():
    """Returns what this machine lacks."""
    needs = {
        'root': os.geteuid() == 0,
        '/dev/net/tun': os.path.exists('/dev/net/tun'),
        'ip and ss (package iproute2)':
            shutil.which('ip') and shutil.which('ss'),
        'a kernel with tcp_cubic (modprobe tcp_cubic)':
            os.path.exists(NoHystart.PATH),
    }
    return [name for name, is_there in needs.items() if not is_there]


def compare_all(switch, program):
    """Compares and prints all cases; returns whether any differs."""
    failed = False
    for name, (control, delay_ms, lost) in CASES.items():
        ours = rounds(twin(program, control, delay_ms, lost), delay_ms)
        wrong = ['not tried']
        attempt = busy = 0
        while wrong and attempt < ATTEMPTS and busy < BUSY:
            with NoHystart():
                theirs, acks, late = kernel(switch, control, delay_ms, lost)
                theirs = rounds(theirs, delay_ms)
            wrong, n = compare(control, theirs, ours, lost)
            attempt += late <= LATE
            busy += late > LATE
        print(f'{name}: {n} round trips compared, '
              f'{"; ".join(wrong) or "equal"}, attempt {attempt}, '
              f'{busy} times too busy')
        print(f'  its receiver got {acks[0]} segments, and sent {acks[1]} '
              'acknowledgements')
        for title, side in (('kernel', theirs), ('twin', ours)):
            print(f'  {title:6}', ' '.join(
                f'{count}{f"(again {len(again)})" if again else ""}/{window}'
                for count, again, window in side))
        if wrong and busy == BUSY:
            print('linux_tcp: this machine is too busy to compare')
            sys.exit(77)
        failed |= bool(wrong)
    return failed


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: linux_tcp.py TRACE_TCP')
    lacks = missing()
    if lacks:
        print('linux_tcp: skipped, this needs', ', '.join(lacks))
        sys.exit(77)
    test_ports.skip_without_rights()
    with Switch() as switch:
        sys.exit(compare_all(switch, sys.argv[1]))


if __name__ == '__main__':
    main()
