#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the manual pages and the completion of all programs.

    manual.py --version VERSION --source DIR --out DIR JSON... -- PAGE...

Each JSON is what "PROGRAM --help-json" prints: the tables of options and verbs
that --help shows, too.  The pages about file formats come from the documents in
docs/reference.  PAGE is each file that is expected (orchd.8, bash/orchctl); it
is an error if another one is made, or one is missing, so that the Makefile
lists all of them.  The output depends on nothing but the input: the date is
that of SOURCE_DATE_EPOCH, else that of the newest release in CHANGELOG.md.
"""

import argparse
import datetime
import json
import os
import re
import sys
import textwrap

# Pages about files: the document, the sentence after the name, what uses it.
FORMATS = {
    'orchd-breakpoint.5': ('breakpoints.md', 'breakpoint scenarios',
                           ['orchctl-breakpoint(1)']),
    'orchd-chip.5': ('chips.md', 'descriptions of switch chips',
                     ['softasicd(8)', 'orchctl-headroom(1)']),
    'orchd-schema.5': ('schema.md', 'tables of CONFIG_DB that orchd reads',
                       ['orchd(8)', 'orchctl-config(1)']),
    'orchlab-scenario.5': ('orchlab-scenario.md', 'scenarios of fabrics',
                           ['orchlab(1)']),
}
# Other pages that a document is, for links.
PAGES = {'settings.md': 'orchd.conf(5)', 'breakpoints.md':
         'orchd-breakpoint(5)', 'chips.md': 'orchd-chip(5)', 'schema.md':
         'orchd-schema(5)', 'orchlab-scenario.md': 'orchlab-scenario(5)',
         'orchlab.md': 'orchlab(1)', 'softasicd.md': 'softasicd(8)'}
NAMES = {'orchd': 'control plane for the buffers and QoS of a switch',
         'softasicd': 'software switch as a process',
         'saihostd': 'SAI library of a vendor as a process',
         'softasic-thriftd': 'Thrift interface of QoS suites for softasicd'}
WIDTH = 78


# Text to roff.

def escape(text, code=False):
    """Text as roff shows it; in code a dash is a minus sign."""
    text = text.replace('\\', '\\e')
    if code:
        text = text.replace('-', '\\-')
    text = text.replace('^', '\\(ha').replace('~', '\\(ti')
    text = text.replace('`', '\\(ga').replace("'", '\\(aq')
    return ''.join(c if ord(c) < 128 else '\\[u%04X]' % ord(c) for c in text)


INLINE = re.compile(r'``(.+?)``|`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|'
                    r'\[([^\]]+)\]\(([^)\s]+)\)|\\([|*_`\\])')


def inline(text):
    """A paragraph of a document with its fonts."""
    out, at = [], 0
    for match in INLINE.finditer(text):
        out.append(escape(text[at:match.start()]))
        double, code, strong, mild, label, target, literal = match.groups()
        if double or code:
            out.append('\\fB%s\\fR' % escape(double or code, True))
        elif strong:
            out.append('\\fB%s\\fR' % escape(strong))
        elif mild:
            out.append('\\fI%s\\fR' % escape(mild))
        elif label:
            page = PAGES.get(os.path.basename(target.split('#')[0]))
            out.append(inline(label))
            if page and page.split('(')[0] != label.strip('`'):
                out.append(' (\\fB%s\\fR)' % escape(page, True))
        else:
            out.append(escape(literal))
        at = match.end()
    out.append(escape(text[at:]))
    return ''.join(out)


def wrap(text):
    """Lines of roff that are short; none is a request by accident."""
    lines = []
    # A sentence ends a line, so that roff sets the right space after it.
    for sentence in re.split(r'(?<=[a-z)\]][.!?]) (?=[A-Z\\])', text):
        lines += textwrap.wrap(sentence, WIDTH, break_long_words=False,
                               break_on_hyphens=False)
    return [('\\&' + line if line[:1] in ".'" else line) for line in lines]


def code_block(lines):
    body = [escape(line.rstrip(), True) for line in lines]
    return (['.PP', '.RS 4', '.nf', '.ft CB'] +
            ['\\&' + line if line[:1] in ".'" else line for line in body] +
            ['.ft', '.fi', '.RE'])


# Documents to roff.

def cells(line):
    parts = re.split(r'(?<!\\)\|', line.strip())
    return [cell.strip().replace('\\|', '|') for cell in parts[1:-1]]


def table(rows):
    """A table as a list of terms: the first column is the term, the others
    follow with the names of their columns."""
    head, out = rows[0], []
    for row in rows[2:]:
        out += ['.TP'] + [' '.join(wrap(inline(row[0] or '-')))]
        texts = []
        for name, cell in list(zip(head, row))[1:]:
            if not cell:
                continue
            last = len(head) == 2 or (name == head[-1] != 'default')
            texts.append(cell if last else '*%s:* %s;' % (name, cell))
        body = wrap(inline(' '.join(texts)))
        out += body if body else ['\\&']
    return out


class Document:
    """A document in Markdown, as far as ours use it."""

    def __init__(self, text):
        self.lines = text.split('\n')
        self.out = []
        self.fresh = True  # Just behind a heading: no paragraph macro.

    def paragraph(self, lines):
        if not self.fresh:
            self.out.append('.PP')
        self.out += wrap(inline(' '.join(line.strip() for line in lines)))
        self.fresh = False

    def heading(self, line):
        level = len(line) - len(line.lstrip('#'))
        title = escape(line.lstrip('# ').replace('`', ''))
        self.out.append('.SH %s' % title.upper() if level == 2
                        else '.SS %s' % title)
        self.fresh = True

    def item(self, mark, lines):
        self.out += ['.IP %s 4' % mark]
        self.out += wrap(inline(' '.join(line.strip() for line in lines)))
        self.fresh = False

    def take(self, start, more):
        """The lines from 'start' as long as 'more' says so."""
        end = start + 1
        while end < len(self.lines) and more(self.lines[end]):
            end += 1
        return self.lines[start:end], end

    def convert(self):
        i, lines = 0, self.lines
        while i < len(lines):
            line = lines[i]
            number = re.match(r'(\d+)\. (.*)', line)
            if not line.strip():
                i += 1
            elif line.startswith('# '):  # The title is that of the page.
                i += 1
            elif line.startswith('#'):
                self.heading(line)
                i += 1
            elif line.startswith('```'):
                block, i = self.take(i, lambda l: not l.startswith('```'))
                self.out += code_block(block[1:])
                self.fresh, i = False, i + 1
            elif line.startswith('    '):
                block, i = self.take(i, lambda l: l.startswith('    ') or not l)
                while not block[-1]:
                    block.pop()
                self.out += code_block([l[4:] for l in block])
                self.fresh = False
            elif line.startswith('|'):
                block, i = self.take(i, lambda l: l.startswith('|'))
                self.out += table([cells(l) for l in block])
                self.fresh = False
            elif line.startswith('- ') or number:
                block, i = self.take(i, lambda l: l.startswith('  ') and
                                     l.strip())
                self.item('\\(bu' if not number else number.group(1) + '.',
                          [number.group(2) if number else line[2:]] +
                          block[1:])
            else:
                block, i = self.take(i, lambda l: l.strip() and
                                     not re.match(r'[#|]|- |\d+\. |```', l))
                self.paragraph(block)
        return self.out


# Pages.

class Writer:
    def __init__(self, options):
        self.options = options
        self.made = []
        self.date = release_date(options.source)

    def write(self, name, text):
        path = os.path.join(self.options.out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        self.made.append(name)

    def page(self, name, purpose, body, see):
        base, section = name.rsplit('.', 1)
        manual = {'1': 'User Commands', '5': 'File Formats',
                  '8': 'System Administration'}[section]
        head = ['.\\" Made from the tables of the programs and docs/reference.',
                '.TH %s %s %s "orchd %s" "%s"' % (
                    escape(base.upper(), True), section, self.date,
                    self.options.version, manual),
                '.SH NAME', '%s \\- %s' % (escape(base, True),
                                           escape(purpose))]
        see = sorted({one for one in see if one != '%s(%s)' % (base, section)})
        tail = ['.SH SEE ALSO'] + [
            '.BR %s (%s)%s' % (escape(one.split('(')[0], True),
                               one.split('(')[1][:-1],
                               ' ,' if one != see[-1] else '') for one in see]
        self.write(name, '\n'.join(tidy(head + body + tail)) + '\n')


def tidy(lines):
    """Without blanks at ends of lines, and paragraph macros after headings."""
    lines = [line.rstrip() for line in lines]
    return [line for i, line in enumerate(lines)
            if line != '.PP' or not lines[i - 1].startswith(('.SH', '.SS'))]


def release_date(source):
    epoch = os.environ.get('SOURCE_DATE_EPOCH')
    if epoch:
        when = datetime.datetime.fromtimestamp(int(epoch),
                                               datetime.timezone.utc)
        return when.strftime('%Y-%m-%d')
    with open(os.path.join(source, 'CHANGELOG.md'), encoding='utf-8') as file:
        return max(re.findall(r'^## .*(\d{4}-\d\d-\d\d)', file.read(), re.M))


def joined(text):
    """The lines of a help text as one paragraph."""
    return ' '.join(line.strip() for line in text.split('\n')).strip()


def option_entry(name, value, text, letter=None):
    term = '\\fB%s\\fR' % escape('--' + name, True)
    if letter:
        term = '\\fB%s\\fR, %s' % (escape(letter, True), term)
    if value:
        term += ' \\fI%s\\fR' % escape(value, True)
    return ['.TP', term] + wrap(escape(text[:1].upper() + text[1:]) + '.')


def option_list(options):
    out = []
    for option in options:
        out += option_entry(option['name'], option['value'],
                            joined(option['help']), option.get('letter'))
    return out


def details(text):
    """More help of a verb: paragraphs, examples, lines with their layout."""
    out, kept = [], []

    def flush():
        if kept:
            out.extend(['.PP'] + wrap(escape(' '.join(kept))))
            kept.clear()

    for line in (text or '').rstrip('\n').split('\n'):
        if line.startswith('Example') and ': ' in line:
            flush()
            out.extend(['.PP', escape(line.split(': ', 1)[0]) + ':'])
            out.extend(code_block([line.split(': ', 1)[1]]))
        elif line.startswith('  '):
            flush()
            out.extend(code_block([line[2:]]))
        elif line:
            kept.append(line)
    flush()
    return out


def exits(manual):
    out = ['.SH EXIT STATUS']
    for one in manual['exits']:
        out += ['.TP', '.B %d' % one['code']]
        out += wrap(escape(one['meaning'].capitalize() + '.'))
    return out


def synopsis(program, verb):
    words = [program] + [verb[k] for k in ('noun', 'verb') if verb[k]]
    line = '.B ' + escape(' '.join(words), True)
    rest = ('[\\fIOPTION\\fR]...' if verb['options'] else '')
    operands = escape(verb['operands'], True)
    return [line, ' '.join(part for part in (rest, operands) if part)] \
        if rest or operands else [line]


def verb_pages(writer, manual):
    """orchctl.1 and a page for each noun; or one page with all verbs."""
    program, verbs = manual['program'], manual['verbs']
    nouns = list(dict.fromkeys(v['noun'] for v in verbs if v['noun']))
    pages = ['%s-%s(1)' % (program, noun) for noun in nouns]
    see = {'orchctl': ['orchd(8)', 'orchd.conf(5)'],
           'orchlab': ['orchlab-scenario(5)']}[program]
    body = ['.SH SYNOPSIS', '.B ' + program,
            escape(manual['usage'], True), '.SH DESCRIPTION']
    if nouns:
        body += wrap('A command is a noun and a verb. Both may be shortened to '
                     'a unique beginning. The page of each noun describes its '
                     'verbs and their options.')
        for noun in nouns:
            body += ['.SS ' + escape(noun, True)]
            for verb in (v for v in verbs if v['noun'] == noun):
                body += ['.TP', '\\fB%s\\fR %s' % (
                    escape('%s %s' % (noun, verb['verb']), True),
                    escape(verb['operands'], True))]
                body += wrap(escape(verb['summary'] + '.'))
    else:
        for verb in verbs:
            body += verb_section(verb)
    body += ['.SH OPTIONS OF EVERY COMMAND'] + option_list(manual['options'])
    body += exits(manual)
    writer.page(program + '.1', manual['purpose'], body, see + pages)
    for noun in nouns:
        mine = [v for v in verbs if v['noun'] == noun]
        body = ['.SH SYNOPSIS']
        for verb in mine:
            body += (['.br'] if verb is not mine[0] else []) + \
                synopsis(program, verb)
        body += ['.SH DESCRIPTION'] + wrap(
            'The options of every command, such as \\fB\\-\\-json\\fR, are in '
            '\\fB%s\\fR(1).' % program)
        for verb in mine:
            body += verb_section(verb)
        body += exits(manual)
        writer.page('%s-%s.1' % (program, noun),
                    'the commands "%s %s ..."' % (program, noun), body,
                    see + pages + [program + '(1)'])


def verb_section(verb):
    name = ' '.join(w for w in (verb['noun'], verb['verb'], verb['operands'])
                    if w)
    out = ['.SS ' + escape(name, True)] + wrap(escape(verb['summary'] + '.'))
    out += details(verb['details'])
    return out + option_list(verb['options'])


def daemon_page(writer, manual):
    program = manual['program']
    variables = manual['variables']
    body = ['.SH SYNOPSIS', '.B ' + program, escape(manual['usage']),
            '.SH DESCRIPTION'] + wrap(escape(manual['purpose']))
    body += ['.SH OPTIONS'] + option_list(manual['options'])
    if 'settings' in manual:
        body += ['.SS Settings'] + wrap(
            'Each setting is an option, a line of the configuration file and a '
            'variable of the environment; see \\fBorchd.conf\\fR(5).')
        for row in manual['settings']:
            body += option_entry(row['key'].replace('_', '-'),
                                 None if row['flag'] else row['allowed'],
                                 joined(row['help']))
    body += ['.SH ENVIRONMENT', '.TP', '.BI %s_ NAME' % variables]
    body += wrap('Overrides the line of the configuration file, and is '
                 'overridden by the option, of this name in lower case, '
                 'with \\(dq_\\(dq for \\(dq\\-\\(dq.')
    body += ['.TP', '.B %s_CONFIG' % variables] + wrap(
        'The configuration file.')
    if program == 'orchd':
        body += ['.SH SIGNALS', '.TP', '.B SIGHUP'] + wrap(
            'Reads the configuration file, and the files that it names, '
            'again.') + ['.TP', '.BR SIGTERM ", " SIGINT'] + wrap(
            'Ends orchd. A switch in another process keeps its '
            'configuration.')
        body += ['.SH EXIT STATUS', '.TP', '.B 0'] + wrap(
            'orchd was ended by a signal.') + ['.TP', '.B 1'] + wrap(
            'It cannot start, or another orchd has taken Redis over.') + [
            '.TP', '.B 2'] + wrap('An option or a setting is wrong.')
    see = {'orchd': ['orchd.conf(5)', 'orchctl(1)', 'softasicd(8)',
                     'saihostd(8)', 'orchd-schema(5)'],
           'softasicd': ['orchd(8)', 'orchd-chip(5)', 'saihostd(8)'],
           'saihostd': ['orchd(8)', 'softasicd(8)'],
           'softasic-thriftd': ['orchd(8)', 'softasicd(8)']}[program]
    writer.page(program + '.8', NAMES[program], body, see)


def settings_page(writer, manual):
    """orchd.conf.5: the settings, then what the document says besides."""
    with open(os.path.join(writer.options.source, 'docs/reference/settings.md'),
              encoding='utf-8') as file:
        text = file.read()
    before, after = re.split(r'(?m)^\| setting \|.*\n(?:\|.*\n)+', text)
    body = ['.SH DESCRIPTION'] + Document(before).convert()
    body += ['.SH SETTINGS']
    for row in manual['settings']:
        body += ['.TP', '\\fB%s\\fR = \\fI%s\\fR' % (
            escape(row['key'], True), escape(row['allowed'], True))]
        help_text = joined(row['help'])
        body += wrap(escape('%s. Default: %s.%s' % (
            help_text[:1].upper() + help_text[1:], row['default'] or 'none',
            '' if row['reload'] else ' A change needs a restart.')))
    body += Document(after).convert()
    writer.page('orchd.conf.5', 'configuration file of orchd', body,
                ['orchd(8)', 'orchctl-config-file(1)', 'orchctl-show(1)'])


def format_pages(writer):
    for name, (source, purpose, see) in FORMATS.items():
        path = os.path.join(writer.options.source, 'docs/reference', source)
        with open(path, encoding='utf-8') as file:
            body = Document(file.read()).convert()
        first = next((i for i, line in enumerate(body)
                      if line.startswith('.SH')), len(body))
        if first:
            body = ['.SH DESCRIPTION'] + body
        writer.page(name, purpose, body, see)


# Completion.

BASH_CLIENT = '''# Completion of %(program)s for bash.
# The program knows what can follow; "@file" and "@dir" mean names of files.
_%(program)s()
{
    local -a words=()
    local cur=${COMP_WORDS[COMP_CWORD]} line word glue= quoted= i
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == '=' && ${#words[@]} -gt 0 && ${words[-1]} == --* ]]; then
            words[-1]+='='
            glue=yes
            continue
        fi
        word=${word#[\\'\\"]}
        word=${word%%[\\'\\"]}
        if [[ $glue ]]; then
            words[-1]+=$word
            glue=
        else
            words+=("$word")
        fi
    done
    [[ $cur == '=' ]] && cur=
    [[ $cur == [\\'\\"]* ]] && quoted=yes
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        @file | @dir)
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
                COMPREPLY+=("$word")
            done < <(compgen "-${line:1:1}" -- "${cur#[\\'\\"]}")
            ;;
        *)
            [[ $line == *= ]] && compopt -o nospace 2>/dev/null
            [[ $quoted ]] || printf -v line %%q "$line"
            COMPREPLY+=("$line")
            ;;
        esac
    done < <("$1" --complete "${words[@]}" 2>/dev/null)
}
complete -F _%(program)s %(program)s
'''

ZSH_CLIENT = '''#compdef %(program)s
# Completion of %(program)s for zsh.
# The program knows what can follow; "@file" and "@dir" mean names of files.
local -a lines plain
local line
lines=("${(@f)$(${words[1]} --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
for line in $lines; do
    case $line in
    @file) _files ;;
    @dir) _files -/ ;;
    *=) compadd -S '' -- "$line" ;;
    *) plain+=("$line") ;;
    esac
done
[[ -n $plain ]] && compadd -- $plain
return 0
'''


def choices(value):
    """The words that a value may be; none if it is free."""
    words = (value or '').split('|')
    return words if len(words) > 1 and all(
        re.fullmatch(r'[a-z0-9_-]+', word) for word in words) else []


def is_file(value):
    return value in ('FILE', 'DIR', 'PATH', 'SOCKET', 'LIBRARY')


def daemon_options(manual):
    """Name, value and help of all options."""
    rows = [(o['name'], o['value'], joined(o['help']))
            for o in manual['options']]
    for row in manual.get('settings', ()):
        rows.append((row['key'].replace('_', '-'),
                     None if row['flag'] else row['allowed'],
                     joined(row['help'])))
    return rows


def bash_daemon(manual):
    rows, cases = daemon_options(manual), []
    for name, value, _ in rows:
        if choices(value):
            cases.append('    --%s)\n        COMPREPLY=($(compgen -W "%s" -- '
                         '"$cur"))\n        return\n        ;;'
                         % (name, ' '.join(choices(value))))
    files = [name for name, value, _ in rows if is_file(value)]
    free = [name for name, value, _ in rows
            if value and not is_file(value) and not choices(value)]
    cases.append('    %s)\n        compopt -o filenames 2>/dev/null\n'
                 '        COMPREPLY=($(compgen -f -- "$cur"))\n'
                 '        return\n        ;;'
                 % ' | '.join('--' + name for name in files))
    if free:
        cases.append('    %s)\n        return\n        ;;'
                     % ' | '.join('--' + name for name in free))
    return '''# Completion of %(program)s for bash.
_%(program)s()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $cur == '=' ]]; then
        cur=
    elif [[ $prev == '=' ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    case $prev in
%(cases)s
    esac
    COMPREPLY=($(compgen -W "%(options)s" -- "$cur"))
}
complete -F _%(program)s %(program)s
''' % {'program': manual['program'], 'cases': '\n'.join(cases),
       'options': ' '.join('--' + name for name, _, _ in rows)}


def zsh_daemon(manual):
    specs = []
    for name, value, text in daemon_options(manual):
        text = re.sub(r"[\[\]:'\\]", ' ', text)
        spec = '--%s[%s]' % (name, text)
        if value:
            words = choices(value)
            action = ('(%s)' % ' '.join(words) if words else
                      '_files' if is_file(value) else ' ')
            spec = '%s:%s:%s' % (spec, re.sub(r"[:'|]", ' ', value), action)
        specs.append("    '*%s'" % spec)
    return ('#compdef %s\n# Completion of %s for zsh.\n_arguments \\\n%s\n' %
            (manual['program'], manual['program'], ' \\\n'.join(specs)))


def completion(writer, manual):
    program = manual['program']
    if 'verbs' in manual:
        writer.write('bash/' + program, BASH_CLIENT % manual)
        writer.write('zsh/_' + program, ZSH_CLIENT % manual)
    else:
        writer.write('bash/' + program, bash_daemon(manual))
        writer.write('zsh/_' + program, zsh_daemon(manual))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--version', required=True)
    parser.add_argument('--source', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('json', nargs='+')
    arguments = sys.argv[1:]
    expected = arguments[arguments.index('--') + 1:]
    writer = Writer(parser.parse_args(arguments[:arguments.index('--')]))
    for path in writer.options.json:
        with open(path, encoding='utf-8') as file:
            manual = json.load(file)
        completion(writer, manual)
        if 'verbs' in manual:
            verb_pages(writer, manual)
        else:
            daemon_page(writer, manual)
        if 'settings' in manual:
            settings_page(writer, manual)
    format_pages(writer)
    for name in sorted(set(writer.made) ^ set(expected)):
        print('%s: %s' % (name, 'not listed in docs/man/automake.mk'
                          if name in writer.made else 'not made'),
              file=sys.stderr)
    sys.exit(set(writer.made) != set(expected))


if __name__ == '__main__':
    main()
