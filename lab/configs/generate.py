#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the configurations in this folder.

  lab/configs/generate.py ORCHCTL [CHIPS [FOLDER]]

Pools and lossless profiles are those that `orchctl headroom plan` computes for
the chip, the ports and their cables; the rest is the same for all: priorities
3 and 4 are lossless, DSCP, traffic class, priority group and queue are equal,
lossless queues share the link by DWRR with the lossy ones, queue 6 (congestion
notifications) has strict priority.  ECN marks from 1 KB of queue per Gb/s of
the port, all packets from 4 KB per Gb/s, and up to 20 % in between: DCQCN acts
long before PFC, which the plan places higher.  There are no rows of
CABLE_LENGTH, from which orchd would choose lossless profiles itself.
"""
import json
import os
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
LOSSLESS = '3-4'

# Name, chip, hwsku, type of the box, ports, Gb/s, lanes, first lane, cable,
# ratio of the shared headroom pool (0: private).
BOXES = [
    ('star-32x100g', 'th', 'Celestica-DX010-C32', 'ToRRouter',
     32, 100, 4, 1, '5m', 2),
    ('star-128x100g', 'th3', 'Accton-AS9716-32D', 'ToRRouter',
     128, 100, 2, 1, '5m', 0),
    ('t0-32x100g', 'th', 'Celestica-DX010-C32', 'ToRRouter',
     32, 100, 4, 1, '40m', 2),
    ('t1-64x100g', 'th2', 'Arista-7260CX3-C64', 'LeafRouter',
     64, 100, 4, 1, '300m', 2),
    ('t0-32x40g', 'td2', 'Force10-S6000', 'ToRRouter',
     32, 40, 4, 1, '40m', 0),
    ('t1-64x400g', 'th5', 'Arista-7060X6-64PE', 'LeafRouter',
     64, 400, 4, 1, '300m', 0),
    ('star-256x100g', 'generic', 'generic', 'ToRRouter',
     256, 100, 1, 1, '300m', 0),
    ('t1-64x40g', 'th2', 'Arista-7260CX3-Q64', 'LeafRouter',
     64, 40, 4, 1, '300m', 1),
    ('rh-36x100g', 'j2c+', 'Nokia-IXR7250E-36x100G', 'SpineRouter',
     36, 100, 4, None, '100km', 0),
    ('chassis-32x100g', 'jr2-chassis', 'JR2-Chassis-4x8x100G', 'SpineRouter',
     32, 100, 2, 1, '300m', 0),
]

# The same box with each of these chips, for the comparison of buffers (A42).
BOXES += [('box-32x40g-' + chip, chip, hwsku, 'ToRRouter',
           32, 40, 4, None, '40m', 0)
          for chip, hwsku in (
              ('td2', 'Force10-S6000'), ('th', 'Celestica-DX010-C32'),
              ('spc1', 'ACS-MSN2700'), ('td3', 'Accton-AS7726-32X'),
              ('spc2', 'ACS-MSN3700'), ('th2', 'Arista-7260CX3-Q64'),
              ('spc3', 'ACS-MSN4700'), ('th3', 'Accton-AS9716-32D'),
              ('tofino2', 'newport'), ('th5', 'Arista-7060X6-64PE'),
              ('spc4', 'ACS-SN5600'), ('th6', 'NH-4210'))]



def plan(orchctl, chips, box):
    """Returns the rows of `orchctl headroom plan`."""
    _, chip, _, _, n, speed, lanes, _, cable, ratio = box
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'rows.json')
        subprocess.run(
            [orchctl, 'headroom', 'plan', '--chips', chips, '--model', chip,
             '--ratio', str(ratio), '--emit', path,
             '%dx%dG/%d@%s' % (n, speed, lanes, cable)],
            check=True, stdout=subprocess.DEVNULL)
        with open(path, encoding='utf-8') as file:
            return json.load(file)


def chip_value(chips, chip, key, otherwise=None):
    """Returns the value of a key of a chip file."""
    with open(os.path.join(chips, chip + '.yaml'), encoding='utf-8') as file:
        for line in file:
            if line.startswith(key + ':'):
                return line.split()[1]
    return otherwise


def ports(box, first_lane):
    """Returns the rows of PORT."""
    _, _, _, _, n, speed, lanes, _, _, _ = box
    rows = {}
    for i in range(n):
        first = first_lane + i * lanes
        rows['Ethernet%d' % (i * lanes)] = {
            'alias': 'etp%d' % (i + 1),
            'lanes': ','.join(str(first + l) for l in range(lanes)),
            'index': str(i + 1),
            'speed': str(speed * 1000),
            'mtu': '9100',
            'admin_status': 'up',
        }
    return rows


def configuration(orchctl, chips, box):
    """Returns the tables of one box."""
    name, chip, hwsku, kind, n, speed, _, first_lane, _, _ = box
    rows = plan(orchctl, chips, box)
    if first_lane is None:
        first_lane = int(chip_value(chips, chip, 'first_lane'))
    memory = int(chip_value(chips, chip, 'memory_bytes'))
    names = ports(box, first_lane)
    every = ','.join(names)
    pools = rows['BUFFER_POOL']
    profiles = rows['BUFFER_PROFILE']
    lossless, = [row for row in profiles if row.startswith('pg_lossless')]
    # The plan rounds a pool up to partitions of whole cells.
    pool = pools['ingress_lossless_pool']
    size = min(int(pool['size']), memory)
    if chip_value(chips, chip, 'pools_reserve', 'false') == 'true':
        size = min(size, memory - int(pool['xoff'])
                   - 2 * n * int(profiles[lossless]['size']))
    pool['size'] = str(size)
    pools['egress_lossy_pool'] = {
        'type': 'egress', 'mode': 'dynamic', 'size': str(size)}
    profiles['ingress_lossy_profile'] = {
        'pool': 'ingress_lossless_pool', 'size': '0',
        'static_th': str(memory)}
    profiles['egress_lossy_profile'] = {
        'pool': 'egress_lossy_pool', 'size': '1664', 'dynamic_th': '3'}
    same = {str(i): str(i) for i in range(8)}
    dscp = {str(i): str(i) if i < 8 else '1' for i in range(64)}
    dscp['48'] = '6'
    return {
        'DEVICE_METADATA': {'localhost': {
            'hostname': name, 'hwsku': hwsku, 'type': kind,
            'buffer_model': 'traditional'}},
        'PORT': names,
        'BUFFER_POOL': pools,
        'BUFFER_PROFILE': profiles,
        'BUFFER_PG': {
            every + '|0': {'profile': 'ingress_lossy_profile'},
            every + '|' + LOSSLESS: {'profile': lossless}},
        'BUFFER_QUEUE': {
            every + '|0-2': {'profile': 'egress_lossy_profile'},
            every + '|' + LOSSLESS: {'profile': 'egress_lossless_profile'},
            every + '|5-7': {'profile': 'egress_lossy_profile'}},
        'DSCP_TO_TC_MAP': {'AZURE': dscp},
        'TC_TO_QUEUE_MAP': {'AZURE': same},
        'TC_TO_PRIORITY_GROUP_MAP': {'AZURE': {
            tc: tc if tc in ('3', '4') else '0' for tc in same}},
        'PFC_PRIORITY_TO_PRIORITY_GROUP_MAP': {'AZURE': {
            '3': '3', '4': '4'}},
        'MAP_PFC_PRIORITY_TO_QUEUE': {'AZURE': same},
        'SCHEDULER': {
            'scheduler.0': {'type': 'DWRR', 'weight': '14'},
            'scheduler.1': {'type': 'DWRR', 'weight': '15'},
            'scheduler.strict': {'type': 'STRICT'}},
        'WRED_PROFILE': {'AZURE_LOSSLESS': {
            'ecn': 'ecn_all',
            'wred_green_enable': 'true',
            'green_min_threshold': str(speed * 1000),
            'green_max_threshold': str(speed * 4000),
            'green_drop_probability': '20'}},
        'QUEUE': {
            every + '|0-2': {'scheduler': 'scheduler.0'},
            every + '|' + LOSSLESS: {'scheduler': 'scheduler.1',
                                     'wred_profile': 'AZURE_LOSSLESS'},
            every + '|5': {'scheduler': 'scheduler.0'},
            every + '|6': {'scheduler': 'scheduler.strict'}},
        'PORT_QOS_MAP': {every: {
            'dscp_to_tc_map': 'AZURE', 'tc_to_queue_map': 'AZURE',
            'tc_to_pg_map': 'AZURE', 'pfc_to_pg_map': 'AZURE',
            'pfc_to_queue_map': 'AZURE', 'pfc_enable': '3,4'}},
    }


def main():
    """Writes all files."""
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    chips = sys.argv[2] if len(sys.argv) > 2 else os.path.join(
        FOLDER, '..', '..', 'chips')
    folder = sys.argv[3] if len(sys.argv) > 3 else FOLDER
    for box in BOXES:
        tables = configuration(sys.argv[1], chips, box)
        path = os.path.join(folder, box[0] + '.json')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(tables, file, indent=1)
            file.write('\n')
        print(path)


if __name__ == '__main__':
    main()
