#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab publishes a switch of a fabric in Redis: its numbers are those of the
run, orchctl reads them, and nothing can be changed."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import (APPL_DB, BUILD, CONFIG_DB, COUNTERS_DB, PATIENCE_S,
                     STATE_DB, connect, is_running, once, wait_until)

# Three tiers of buffers that fill: t1-0 carries two incasts, and one of its
# links is slower.
SCENARIO = """
name: published
seed: 1
fabric:
  clos: {t0: 2, t1: 1, hosts: 4, rate: 100G}
hosts: {default: {dcqcn: off}}
traffic:
  - {name: load, rc: {pattern: incast, from: 'h-0-*', to: h-1-0, size: 2MB}}
  - {name: lossy, priority: 0,
     raw: {pattern: incast, from: [h-1-1, h-1-2], to: h-0-0}}
stop: 2ms
stop_when_done: false
"""
# It listens when orchd has listened for a while and was refused.
SLOW_REDIS = """#!/usr/bin/env python3
import os, socket, sys
sys.path.insert(0, os.environ['HARNESS'])
from harness import wait_until
socket.socket(socket.AF_UNIX).bind('redis.sock')
def log():
    with open('orchd.log', encoding='utf-8') as file:
        return file.read()
wait_until(lambda: os.path.exists('control.sock') and 'refused' in log(),
           'orchd has listened and was refused')
real = os.environ['REAL_REDIS']
os.execv(real, [real, *sys.argv[1:]])
"""
QUEUE, PG, POOL = ('SAI_QUEUE_STAT_', 'SAI_INGRESS_PRIORITY_GROUP_STAT_',
                   'SAI_BUFFER_POOL_STAT_')


@once
class Publish(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='orchlab')
        self.addCleanup(shutil.rmtree, self.folder)
        # Nothing else: in its build tree orchlab finds its files.
        self.environment = {key: value for key, value in os.environ.items()
                            if not key.startswith('ORCHLAB_')}
        self.path = f'{self.folder}/published.yaml'
        with open(self.path, 'w', encoding='utf-8') as file:
            file.write(SCENARIO)

    def start(self, *words):
        """A run whose answers are read line by line."""
        process = subprocess.Popen(
            [f'{BUILD}/orchlab/orchlab', '--results', f'{self.folder}/r',
             'run', self.path, '--quiet', *words], env=self.environment,
            text=True, bufsize=1, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        return process

    def private(self):
        return ('--redis', f'spawn:{self.folder}/redis')

    def answer(self, process, word):
        """The lines up to the first that has 'word'."""
        lines = ''
        for line in process.stdout:
            lines += line
            if word in line:
                return lines
            if 'orchlab: ' in line: # It waits for another command.
                break
        raise AssertionError(f'no line with {word!r}: {lines}')

    def say(self, process, command):
        process.stdin.write(command + '\n')

    def end(self, process, *commands):
        """What it prints until its end."""
        for command in commands:
            self.say(process, command)
        process.stdin.close()
        rest = process.stdout.read()
        process.wait(PATIENCE_S)
        return rest

    def redis(self, path='redis/redis.sock'):
        client = connect(f'{self.folder}/{path}')
        self.addCleanup(client.close)
        return client

    def orchctl(self, *words):
        return subprocess.run(
            [f'{BUILD}/orchctl/orchctl', '--control',
             f'{self.folder}/redis/control.sock', '--json', *words],
            capture_output=True, text=True)

    def results(self, what):
        run = subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', f'{self.folder}/r',
             '--json', 'show', 'last', what], capture_output=True, text=True,
            env=self.environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    @staticmethod
    def counters(redis):
        """COUNTERS_DB by names: {"Ethernet0:3": {counter: number}} of queues
        and priority groups, likewise of ports and pools."""
        found = {}
        rows = redis.hashes(COUNTERS_DB, 'COUNTERS:*')
        for kind in ('PORT', 'QUEUE', 'PG', 'BUFFER_POOL'):
            names = redis.hash(COUNTERS_DB, f'COUNTERS_{kind}_NAME_MAP')
            found[kind] = {
                name: {key: int(value)
                       for key, value in rows[f'COUNTERS:{oid}'].items()
                       if value.isdigit()} for name, oid in names.items()}
        return found

    def compare(self, kind, published, recorded):
        """Each published object has the recorded values, or zeros."""
        self.assertTrue(recorded, kind)
        self.assertLessEqual(set(recorded), set(published), kind)
        names = {name for row in recorded.values() for name in row}
        for object_, row in published.items():
            self.assertEqual({name: row[name] for name in names},
                             {name: recorded.get(object_, {}).get(name, 0)
                              for name in names}, f'{kind} {object_}')

    def check_equal(self, switch, published):
        """Compares COUNTERS_DB with what the run has recorded at its end."""
        ports, groups, pools, queues = {}, {}, {}, {}
        of_port = {'tx_bytes': 'IF_OUT_OCTETS', 'rx_bytes': 'IF_IN_OCTETS',
                   'tx_packets': 'IF_OUT_UCAST_PKTS',
                   'rx_packets': 'IF_IN_UCAST_PKTS'}
        of_group = {'pg_packets': 'PACKETS', 'pg_bytes': 'BYTES',
                    'pg_dropped_packets': 'DROPPED_PACKETS',
                    'pg_shared_peak_bytes': 'SHARED_WATERMARK_BYTES',
                    'pg_headroom_peak_bytes': 'XOFF_ROOM_WATERMARK_BYTES'}
        of_pool = {'shared_peak_bytes': 'WATERMARK_BYTES',
                   'headroom_peak_bytes': 'XOFF_ROOM_WATERMARK_BYTES'}
        for row in self.results('counters'):
            name, value = row['name'], row['value']
            port, priority = row['port'], row['priority']
            if row['node'] != switch:
                continue
            if name in of_port:
                ports.setdefault(port, {})[
                    'SAI_PORT_STAT_' + of_port[name]] = value
            elif name.startswith('pfc_'):
                ports.setdefault(port, {})[
                    f'SAI_PORT_STAT_PFC_{priority}_{name[4:].upper()}_PKTS'
                ] = value
            elif name in of_group and name not in ('pg_packets', 'pg_bytes'):
                groups.setdefault(f'{port}:{priority}', {})[
                    PG + of_group[name]] = value
            elif '.' in name and name.split('.')[1] in of_pool:
                pool, what = name.split('.')
                pools.setdefault(pool, {})[POOL + of_pool[what]] = value
        for row in self.results('queues'):
            if row['node'] == switch:
                queues[f"{row['port']}:{row['priority']}"] = {
                    QUEUE + 'PACKETS': row['packets'],
                    QUEUE + 'BYTES': row['bytes'],
                    QUEUE + 'DROPPED_PACKETS': row['dropped'],
                    QUEUE + 'WRED_ECN_MARKED_PACKETS': row['marked']}
        self.compare('port', published['PORT'], ports)
        self.compare('PG', published['PG'], groups)
        self.compare('pool', published['BUFFER_POOL'], pools)
        self.compare('queue', published['QUEUE'], queues)

    def test_counters_are_those_of_the_run(self):
        process = self.start('--break', '100us', '--break', '900us',
                             '--publish', 't0-1', *self.private())
        self.answer(process, 'show queues')
        first = self.counters(self.redis())
        self.say(process, 'continue')
        self.assertIn('at 900.000000 us', self.answer(process, 'show queues'))
        redis = self.redis()
        published = self.counters(redis)
        snapshot = redis.hash(STATE_DB, 'ORCHLAB|snapshot')
        self.assertEqual(snapshot, {'switch': 't0-1', 'virtual_ps': '900000000',
                                    'scenario': 'published, seed 1'})
        self.end(process, 'quit')
        self.check_equal('t0-1', published)
        # It was another moment before, and nothing was cleared since.
        sent = [sum(row[QUEUE + 'PACKETS'] for row in counters['QUEUE']
                    .values()) for counters in (first, published)]
        self.assertLess(0, sent[0])
        self.assertLess(sent[0], sent[1])

    def test_reading_changes_nothing(self):
        process = self.start('--break', '100us')
        undisturbed = self.end(process, 'continue 300us', 'continue')
        process = self.start('--break', '100us', '--again', *self.private())
        self.answer(process, 'is reached')
        self.say(process, 'publish t1-0')
        self.answer(process, 'show queues')
        self.assertRegex(self.orchctl('show', 'queues').stdout,
                         r'"packets": [1-9]')
        self.assertEqual(self.orchctl('asic', 'clear', 'pg', 'Ethernet0|3')
                         .returncode, 1)
        disturbed = self.end(process, 'continue 300us', 'continue')
        self.assertEqual(disturbed.split('Hash ')[1][:16],
                         undisturbed.split('Hash ')[1][:16])

    def test_it_looks_like_a_box(self):
        process = self.start('--break', '100us', '--publish', 't0-0',
                             *self.private())
        self.answer(process, 'show queues')
        redis = self.redis()
        self.assertTrue(redis.keys(CONFIG_DB, 'PORT|*'))
        self.assertTrue(redis.keys(APPL_DB, 'BUFFER_POOL_TABLE:*'))
        states = {row['state']
                  for row in redis.hashes(STATE_DB, 'ORCHD_STATUS|*').values()}
        self.assertEqual(states, {'applied'})
        self.assertEqual(self.orchctl('config', 'diff').returncode, 0)
        # The configuration is the one in force, also after a change.
        row = 'BUFFER_PROFILE|pg_lossless_100000_40m_profile'
        self.say(process, f'set t0-0 {row} dynamic_th -3')
        self.answer(process, 'show queues')
        redis = self.redis()
        self.assertEqual(redis.hash(CONFIG_DB, row)['dynamic_th'], '-3')
        self.assertEqual(self.orchctl('config', 'diff').returncode, 0)
        # A change from there is refused, with a reason.
        redis.on(CONFIG_DB, 'HSET', 'BUFFER_PROFILE|egress_lossy_profile',
                 'dynamic_th', '1')
        self.assertEqual(self.orchctl('config', 'sync').returncode, 1)
        self.assertEqual(redis.hash(STATE_DB, 'ORCHD_STATUS|BUFFER_PROFILE|'
                                    'egress_lossy_profile')['state'],
                         'unsupported')
        self.end(process, 'quit')

    def test_a_redis_that_does_not_listen_yet_is_waited_for(self):
        """Its socket file exists before it listens."""
        with open(f'{self.folder}/redis-server', 'w', encoding='utf-8') as file:
            file.write(SLOW_REDIS)
        os.chmod(file.name, 0o755)
        self.environment.update(
            PATH=f'{self.folder}:{os.environ["PATH"]}',
            HARNESS=os.path.dirname(os.path.abspath(__file__)),
            REAL_REDIS=shutil.which('redis-server'))
        process = self.start('--break', '100us', '--publish', 't0-0',
                             *self.private())
        self.answer(process, 'show queues')
        self.assertTrue(self.redis().keys(CONFIG_DB, 'PORT|*'))
        self.end(process, 'quit')

    def test_everything_ends_with_the_run(self):
        process = self.start('--break', '100us', '--publish', 't0-0',
                             *self.private())
        self.answer(process, 'show queues')
        pid = self.redis().on(STATE_DB, 'INFO', 'server')
        pid = int(pid.split('process_id:')[1].split()[0])
        process.kill()
        wait_until(lambda: not is_running(pid), 'Redis has ended, too')
        self.end(self.start('--break', '100us', '--publish', 't0-0',
                            *self.private()), 'publish off', 'quit')
        self.assertLessEqual(set(os.listdir(f'{self.folder}/redis')),
                             {'redis.log'})

    def test_a_temporary_directory_is_removed(self):
        runtime = f'{self.folder}/runtime'
        os.mkdir(runtime)
        self.environment['XDG_RUNTIME_DIR'] = runtime
        process = self.start('--break', '100us', '--publish', 't0-0')
        self.assertIn(f'redis-cli -s {runtime}/orchlab-',
                      self.answer(process, 'show queues'))
        self.assertEqual(len(os.listdir(runtime)), 1)
        self.end(process, 'publish off', 'quit')
        self.assertEqual(os.listdir(runtime), [])

    def test_the_log_that_a_message_names_is_there(self):
        runtime = f'{self.folder}/runtime'
        os.mkdir(runtime)
        self.environment.update(XDG_RUNTIME_DIR=runtime, PATH='/nowhere')
        out = self.end(self.start('--break', '100us', '--publish', 't0-0'),
                       'quit')
        log = re.search('remedy: read (.*/orchd.log)', out)
        self.assertTrue(log, out)
        with open(log[1], encoding='utf-8') as file:
            self.assertIn('redis-server', file.read())

    def test_mistakes(self):
        process = self.start('--break', '100us', *self.private())
        out = self.end(process, 'publish', 'publish t0-2', 'publish off',
                       'quit')
        self.assertIn("publish needs the name of a switch", out)
        self.assertIn("no switch 't0-2' (did you mean 't0-0'?)", out)
        for words, pattern in (
                (('--break', '1us', '--redis', 'x:y'),
                 "'x:y' is not an address of Redis"),
                (('--break', '1us', '--publish', 't0-9'), "no switch 't0-9'"),
                (('--publish', 't0-0'), 'remedy: add --break')):
            self.assertRegex(self.end(self.start(*words)), pattern)

    def foreign(self):
        """A Redis of the test, and the words for it."""
        server = subprocess.Popen(
            ['redis-server', '--port', '0', '--unixsocket',
             f'{self.folder}/other.sock', '--save', '', '--dir', self.folder,
             '--notify-keyspace-events', 'AKE'], stdout=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        return (self.redis('other.sock'),
                ('--redis', f'unix:{self.folder}/other.sock'))

    def test_orchd_finds_all_rows_at_once(self):
        # With ports, but without the hwsku it would create another switch.
        _, where = self.foreign()
        monitor = subprocess.Popen(
            ['redis-cli', '-s', f'{self.folder}/other.sock', 'MONITOR'],
            text=True, stdout=subprocess.PIPE)
        self.addCleanup(monitor.stdout.close)
        self.addCleanup(monitor.wait)
        self.addCleanup(monitor.kill)
        self.assertEqual(monitor.stdout.readline(), 'OK\n')
        process = self.start('--break', '100us', '--publish', 't0-0', *where)
        self.answer(process, 'show queues')
        self.end(process, 'quit')
        written = []
        for line in monitor.stdout:
            if '"EXEC"' in line:
                break
            self.assertNotIn('"HGETALL"', line)
            written += re.findall(r'"HSET" "([A-Z_]+)\|', line)
        self.assertEqual(written[written.index('DEVICE_METADATA') - 1],
                         'ORCHLAB')
        self.assertIn('PORT', written)

    def test_a_foreign_redis_is_left_alone(self):
        redis, where = self.foreign()
        redis.on(CONFIG_DB, 'HSET', 'PORT|Ethernet0', 'speed', '1')
        out = self.end(self.start('--break', '100us', *where),
                       'publish t0-0', 'quit')
        self.assertIn('has 1 key in CONFIG_DB that no run of orchlab', out)
        self.assertEqual(redis.keys(CONFIG_DB, '*'), ['PORT|Ethernet0'])
        # Whichever database of SONiC has it.
        for number, name in ((0, 'APPL_DB'), (14, 'APPL_STATE_DB')):
            redis('FLUSHALL')
            redis.on(number, 'SET', 'mine', '1')
            out = self.end(self.start('--break', '100us', *where),
                           'publish t0-0', 'quit')
            self.assertIn(f'has 1 key in {name} that no run of orchlab', out)
            self.assertEqual(redis.keys(number, '*'), ['mine'])
        # An empty one is used, and used again.
        redis('FLUSHALL')
        for name in ('t0-0', 't1-0'):
            process = self.start('--break', '100us', '--publish', name,
                                 '--again', *where)
            self.answer(process, 'show queues')
            self.assertEqual(
                redis.hash(STATE_DB, 'ORCHLAB|snapshot')['switch'], name)
            self.end(process, 'quit')


if __name__ == '__main__':
    unittest.main()
