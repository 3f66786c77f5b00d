#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab papers: how the scenarios of published experiments stand."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')
DONE, NO, USAGE, UNREACHABLE = 0, 1, 2, 3


class Papers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='orchlab-papers')
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {
            **os.environ, 'COLUMNS': '200',
            'ORCHLAB_RESULTS': f'{self.folder}/results',
            'ORCHLAB_CHIPS': f'{SOURCE}/chips',
            'ORCHLAB_CONFIGS': f'{SOURCE}/lab/configs',
            'ORCHLAB_FIGURES': f'{SOURCE}/lab/figs',
            'ORCHLAB_NICS': f'{SOURCE}/nics',
            'ORCHLAB_YANG_DIR': f'{SOURCE}/schemas'}

    def lab(self, *words, code=DONE):
        """Runs orchlab; returns what it prints."""
        run = subprocess.run([f'{BUILD}/orchlab/orchlab', *words],
                             env=self.environment, text=True, check=False,
                             capture_output=True)
        self.assertEqual(run.returncode, code, f'{words}: {run.stderr}')
        return run.stdout + run.stderr

    def run_file(self, text, *words, code=DONE):
        path = f'{self.folder}/x.yaml'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        self.lab('run', path, *words, '--quiet', code=code)

    def papers(self, *words, code=DONE):
        return json.loads(self.lab('--json', 'papers', '--scenarios',
                                   f'{self.folder}/papers', *words, code=code))

    def test_papers_are_what_their_runs_have_come_to(self):
        text = ('name: small\nrow: B6\nabout: a test\nseed: 1..2\n'
                'assumptions: [the first, the second]\n'
                'fabric: {star: {hosts: 4, rate: 40G}}\n'
                'traffic:\n'
                '  - {rc: {pattern: incast, from: all, to: h-0-0, size: 9KB}}\n'
                'stop: 1ms\n'
                'expect:\n'
                '  - {name: all end, metric: count(flow.fct), is: 3}\n'
                '  - {metric: max(flow.fct), max: 1ns, report: true}\n'
                '  - {metric: max(flow.fct), oracle: incast, tol: 50%}\n')
        path = f'{self.folder}/papers/b6/small.yaml'
        os.makedirs(os.path.dirname(path))

        def write(content):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(content)

        def find(code=DONE):
            rows = {row['row']: row for row in self.papers(code=code)}
            self.assertEqual(rows['D9']['scenarios'], [])
            scenario, = rows['B6']['scenarios']
            return scenario

        write(text)
        scenario = find()
        self.assertEqual((scenario['verdict'], scenario['runs'],
                          scenario['complete']), ('not-run', 2, 0))
        self.assertEqual(scenario['assumptions'], ['the first', 'the second'])
        self.assertEqual([line['target'] for line in scenario['expectations']],
                         ['3', 'at most 1 ns', 'deviation from oracle incast'])
        self.run_file(text, '--set', 'stop=2ms')
        self.assertEqual(find()['verdict'], 'not-run')  # Another scenario.
        self.run_file(text, '--only', '0')
        scenario = find()
        self.assertEqual((scenario['verdict'], scenario['complete']),
                         ('partial', 1))
        self.run_file(text)
        scenario = find()
        self.assertEqual(scenario['verdict'], 'deviates')
        ended, late, theory = scenario['expectations']
        # A share, whatever the unit of the metric is.
        self.assertEqual(theory['unit'], '')
        self.assertGreater(theory['least'], 1e-4)
        self.assertEqual((ended['text'], ended['verdicts'], ended['passed'],
                          ended['least'], ended['greatest']),
                         ('all end', 2, 2, 3, 3))
        self.assertEqual((late['report'], late['passed'], late['unit'],
                          late['target']), (True, 0, 's', 'at most 1 ns'))
        self.assertRegex(self.lab('papers', 'b6', '--scenarios',
                                  f'{self.folder}/papers'),
                         r'(?s)deviates +0/2 .*Assumptions:\n  the first\n')
        wrong = text.replace('is: 3', 'is: 4')
        write(wrong)
        self.assertEqual(find()['verdict'], 'not-run')
        self.run_file(wrong, code=NO)
        self.assertEqual(find(code=NO)['verdict'], 'FAIL')
        write(wrong.replace('stop: 1ms', 'stopp: 1ms'))
        for words, code, pattern in (
                (['--scenarios', f'{self.folder}/papers'], USAGE,
                 "no key 'stopp'"),
                (['B66'], USAGE, "there is no row 'B66'"),
                (['--scenarios', f'{self.folder}/nothing'], UNREACHABLE,
                 'cannot read folder')):
            self.assertIn(pattern, self.lab('papers', *words, code=code))

    def test_a_page_that_cannot_be_written(self):
        """Nothing is read before: there are no scenarios."""
        for path, reason in ((self.folder, 'Is a directory'),
                             (f'{self.folder}/no/x.html', 'No such file')):
            answer = self.lab('papers', '--html', path, '--scenarios',
                              f'{self.folder}/nothing', code=UNREACHABLE)
            self.assertIn(f"cannot write '{path}': {reason}", answer)
            self.assertIn('--html FILE', answer)

    def page(self, *words, code=DONE):
        path = f'{self.folder}/papers.html'
        self.lab('papers', '--html', path, *words, code=code)
        with open(path, encoding='utf-8') as file:
            page = file.read()
        return page, dict(re.findall(
            r'(?s)<section id="(\w+)">(.*?)</section>', page))

    def test_the_page_of_papers_is_complete_and_alone(self):
        page, sections = self.page('--scenarios',
                                   f'{SOURCE}/lab/scenarios')
        rows = ([f'A{i}' for i in range(1, 46)] +
                [f'B{i}' for i in range(1, 8)] +
                [f'C{i}' for i in range(1, 11)] +
                [f'D{i}' for i in range(1, 13)])
        self.assertEqual(list(sections), rows)
        built = {row['row']: row['scenarios'] for row in json.loads(self.lab(
            '--json', 'papers', '--scenarios', f'{SOURCE}/lab/scenarios'))}
        for row, text in sections.items():
            if built[row]:
                self.assertEqual(text.count('Assumptions'), len(built[row]))
                self.assertIn(': not-run.', text)
            else:
                self.assertIn('<p>not built</p>', text)
        # Nothing is fetched: links lead to the page itself.
        self.assertEqual(
            [link for link in re.findall(
                r'(?:src|href)="?([^" >]*)|url\(([^)]*)|<script', page)
             if not link[0].startswith('#')], [])

    def test_templates_name_scenarios(self):
        names = set()
        for path in glob.glob(f'{SOURCE}/lab/scenarios/*/*.yaml'):
            with open(path, encoding='utf-8') as file:
                names.update(re.findall(r'(?m)^name: (.*)', file.read()))
        named = set()
        for path in glob.glob(f'{SOURCE}/lab/figs/*.gp'):
            with open(path, encoding='utf-8') as file:
                for words in re.findall(r'(?m)^# of: (.*)', file.read()):
                    named.update(words.split())
        self.assertIn('a36-fence', named)
        self.assertEqual(named - names, set())

    @unittest.skipUnless(shutil.which('gnuplot'), 'gnuplot is not installed')
    def test_the_page_of_papers_has_figures_of_runs(self):
        text = ('name: %s\nrow: %s\nabout: <a & b>\n'
                'fabric: {star: {hosts: 4, rate: 40G}}\n'
                'traffic:\n'
                '  - {rc: {pattern: incast, from: all, to: h-0-0, size: 9KB}}\n'
                'stop: 1ms\n'
                '%sexpect:\n'
                '  - {name: "figure: time", metric: max(flow.fct), max: 1s}\n')
        for name, row, sweep in (
                ('alone', 'A4', ''),
                ('swept', 'A16', 'sweep: {stop: [999us, 1ms, 2ms]}\n'),
                ('a39-loopback', 'A17', '')):
            path = f'{self.folder}/papers/x/{name}.yaml'
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text % (name, row, sweep))
            self.run_file(text % (name, row, sweep))
        page, sections = self.page('--scenarios', f'{self.folder}/papers')
        self.assertIn('&lt;a &amp; b&gt;', page)
        figures = {row: text[text.index('<svg'):text.index('</svg>')]
                   for row, text in sections.items() if '<svg' in text}
        # Of expectations, of the sweep in order, and expectations again, as no
        # port was paused.
        self.assertEqual(list(figures), ['A4', 'A16', 'A17'])
        self.assertIn('In how many runs', figures['A4'])
        self.assertIn('by the value of the sweep', figures['A16'])
        ticks = re.findall(r'<text>.*?>([0-9]+[um]s)<', figures['A16'])
        self.assertEqual(ticks, ['999us', '1ms', '2ms'])
        self.assertIn('In how many runs', figures['A17'])
        # A figure that would fill the page is named on it.
        folder = f'{self.folder}/figs'
        shutil.copytree(f'{SOURCE}/lab/figs', folder)
        with open(f'{folder}/huge.gp', 'w', encoding='utf-8') as file:
            file.write(
                '# figure: Many points\n# of: alone\n# source: runs\n'
                "# data dots: WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL\n"
                "#   SELECT i + 1 FROM n WHERE i < 20000)\n"
                "#   SELECT 'all', i, i * 7919 % 10007 FROM n\n"
                'plot dots index 0 using 1:2 with points\n')
        _, large = self.page('--scenarios', f'{self.folder}/papers',
                             '--figures', folder)
        self.assertIn('<p>Figure huge is too large for this page; ',
                      large['A4'])
        self.assertIn('In how many runs', large['A4'])
        self.assertLess(len(large['A4']), 60000)
        for text in sections.values():
            self.assertNotIn('too large', text)
        # A hundred rows stay below 5 MB.
        self.assertLess(max(map(len, figures.values())), 50000)


if __name__ == '__main__':
    unittest.main()
