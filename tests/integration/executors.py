# SPDX-License-Identifier: Apache-2.0
"""Machines for tests of executors: an sshd on the loopback address, and a Slurm
of two nodes."""
import os
import shutil
import socket
import subprocess

SOURCE = os.environ.get('top_srcdir', '.')

HAS_SSHD = os.path.exists('/usr/sbin/sshd') and os.geteuid() == 0
HAS_SLURM = shutil.which('slurmctld') is not None and os.geteuid() == 0


def start_sshd(test, folder):
    """Starts a server for 'test', with its keys in 'folder', and returns the
    command that reaches it."""
    keys = {name: f'{folder}/{name}' for name in ('host', 'user')}
    for path in keys.values():
        subprocess.check_call(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '',
                               '-f', path])
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
    os.makedirs('/run/sshd', exist_ok=True)
    options = [f'ListenAddress=127.0.0.1:{port}', f'HostKey={keys["host"]}',
               f'AuthorizedKeysFile={keys["user"]}.pub', 'StrictModes=no',
               'UsePAM=no', 'PidFile=none', 'PermitRootLogin=yes']
    server = subprocess.Popen(
        ['/usr/sbin/sshd', '-D', '-e', '-f', '/dev/null',
         *(word for option in options for word in ('-o', option))],
        stderr=subprocess.PIPE, text=True)
    test.addCleanup(server.stderr.close)
    test.addCleanup(server.wait)
    test.addCleanup(server.kill)
    test.assertRegex(server.stderr.readline(), 'listening')
    return (f'ssh -F none -i {keys["user"]} -p {port} -o BatchMode=yes '
            f'-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null '
            f'-o LogLevel=ERROR 127.0.0.1')


def with_slurm(folder):
    """The words before a command that is to run beside a Slurm, whose files are
    in 'folder', which it creates."""
    return ['unshare', '--net', 'sh', f'{SOURCE}/tests/support/with_slurm.sh',
            folder]
