import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseCommands, type CommandMeaning } from './parse-commands.js';

const KNOWN = new Set(['close', 'label', 'title']);
const meaningOf = (name: string): CommandMeaning => {
  if (KNOWN.has(name)) return 'command';
  return name === 'shrug' ? { text: '¯\\＿(ツ)＿/¯' } : null;
};
const parse = (text: string): [string, string[]] => {
  const parsed = parseCommands(text, meaningOf);
  return [parsed.text, parsed.commands.map(({ name, argument }) => `${name}(${argument})`)];
};

describe('commands in a text', () => {
  it('are limited to a hundred, near the beginning', () => {
    expect(parse('/close\n'.repeat(100))[1]).toHaveLength(100);
    expect(() => parse('/close\n'.repeat(101))).toThrow('at most 100 commands');
    const far = `${'x\n'.repeat(60_000)}/close`;
    expect(parse(`/label a\n${far}`)).toEqual([far, ['label(a)']]);
    expect(parse(far)).toEqual([far, []]);
  });

  it('are lines that start with a slash and a known name, in any case', () => {
    expect(parse('/close')).toEqual(['', ['close()']]);
    expect(parse('Done.\n\n/CLOSE  \r\n/label ~a  ~"b c" \nBye\n')).toEqual([
      'Done.\n\nBye',
      ['close()', 'label(~a  ~"b c")'],
    ]);
    expect(parse('/title /close')).toEqual(['', ['title(/close)']]);
  });

  it('are not found after other text, and leave such a text unchanged', () => {
    const texts = [
      ' /close ',
      'text /close',
      '/closed',
      '/close.',
      '/close/label',
      '//close',
      '/',
      '/unknown x',
      '> /close',
      '- /close',
      ' ',
    ];
    expect(texts.map(parse)).toEqual(texts.map((text) => [text, []]));
  });

  it('are not found in code, comments and quoted blocks', () => {
    const texts = [
      '```\n/close\n```',
      '~~~ruby\n/close\n```\n/close\n~~~',
      '```\n/close',
      'See `code\n/close\n` there',
      '<!--\n/close\n-->',
      'A <!-- b\n\n```\n/close\n--> c',
      'x <!-- a --> y <!--\n/close\n--> z',
      '>>>\n/close\n>>>',
      'a <!-- \n\n--> b <!--\n\n/close\n-->',
      'a <!--\n\n--> `b\n/close\n`',
    ];
    expect(texts.map(parse)).toEqual(texts.map((text) => [text, []]));
  });

  it('are found next to unterminated blocks', () => {
    expect(parse('a ` b\n/close')).toEqual(['a ` b', ['close()']]);
    expect(parse('a ` b\n\n/close\n`')).toEqual(['a ` b\n\n`', ['close()']]);
    expect(parse('<!-- a\n/close')).toEqual(['<!-- a', ['close()']]);
    expect(parse('>>>\n/close')).toEqual(['>>>', ['close()']]);
    expect(parse('```\na\n```\n/close\n--> b')).toEqual(['```\na\n```\n--> b', ['close()']]);
    expect(parse('``` a `b` ```\n/close')).toEqual(['``` a `b` ```', ['close()']]);
    expect(parse('`<!--`\n/close\n-->')).toEqual(['`<!--`\n-->', ['close()']]);
  });

  it('are replaced if they stand for text', () => {
    expect(parse('a\n/shrug well\n/close\n/shrug')).toEqual([
      'a\nwell ¯\\＿(ツ)＿/¯\n¯\\＿(ツ)＿/¯',
      ['close()'],
    ]);
  });

  it('equal those of the reference implementation', () => {
    const piece = fc.constantFrom(
      '/close',
      '/label ~a',
      'text',
      '',
      '```',
      '~~~',
      '`',
      '``',
      '<!--',
      '-->',
      '>>>',
      'a `b` c',
      'a ` b',
      '``` x',
      'a <!-- b',
      'c --> d',
      '/close ` x',
      '--> `',
    );
    const texts = fc.array(fc.tuple(piece, fc.constantFrom('\n', '\n', '\n\n', ' ')), { maxLength: 14 });
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.map(([one, end]) => one + end).join('');
        expect(parseCommands(text, meaningOf).commands.map(({ name }) => name)).toEqual(plainly(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('take time proportional to the text, whatever it contains', () => {
    const count = 60_000;
    const texts = [
      '/unknown\n'.repeat(count),
      '<!-- '.repeat(count),
      '<!--\n'.repeat(count),
      '<!-- a --> '.repeat(count),
      '<!--\n\n-->'.repeat(count),
      '>>>\n'.repeat(count),
      '```\n/close\n```\n'.repeat(count / 4),
      Array.from({ length: 1_200 }, (_, at) => '`'.repeat(at)).join(' \n'),
      '` \n'.repeat(count),
      `${' '.repeat(count * 5)}\n/close`,
      `/close${' '.repeat(count * 5)}x`,
    ].map((text) => `${text}\n/label`);
    const started = performance.now();
    for (const text of texts) parseCommands(text, meaningOf);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

/**
 * Reference implementation: reads one element after another from the rest of the text, and searches each end
 * again.
 */
function plainly(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  // The current paragraph: a code span ends within it.
  let paragraph = '';
  let isLineStart = true;
  while (rest !== '') {
    if (paragraph === '') {
      const block = blockLength(rest);
      if (block > 0) {
        rest = rest.slice(block);
        continue;
      }
      paragraph = paragraphOf(rest);
    }
    if (isLineStart) {
      const [line = ''] = rest.split('\n');
      const name = /^\/([a-z]+)(?:[ \t]|$)/.exec(line.trimEnd())?.[1];
      if (name !== undefined && KNOWN.has(name)) found.push(name);
    }
    const run = /^`+/.exec(rest)?.[0];
    const comment = rest.startsWith('<!--') ? rest.indexOf('-->', 4) + 3 : 0;
    const length = comment > 3 ? comment : run === undefined ? 1 : spanLength(paragraph, run);
    isLineStart = rest[length - 1] === '\n';
    rest = rest.slice(length);
    // A comment may extend beyond the paragraph, into the middle of a line.
    paragraph = length > paragraph.length ? paragraphOf(rest) : paragraph.slice(length);
  }
  return found;
}

/** Returns the length of a block or empty line at the start of a text; 0 for none. */
function blockLength(rest: string): number {
  const lines = rest.split('\n');
  const [first = ''] = lines;
  const lengthOf = (count: number): number =>
    Math.min(
      rest.length,
      lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0),
    );
  const fence = fenceOf(first);
  if (fence !== null) {
    const end = lines.findIndex(
      (line, at) => at > 0 && new RegExp(`^ {0,3}${fence}[${fence[0] ?? ''}]*\\s*$`).test(line),
    );
    return end < 0 ? rest.length : lengthOf(end + 1);
  }
  if (first.trimEnd() === '>>>') {
    const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '>>>');
    if (end > 0) return lengthOf(end + 1);
  }
  return first.trim() === '' ? lengthOf(1) : 0;
}

function fenceOf(line: string): string | null {
  const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return mark === '' || (mark.startsWith('`') && info.includes('`')) ? null : mark;
}

/** Returns the lines up to an empty one or a block; always at least the first. */
function paragraphOf(rest: string): string {
  const lines = rest.split('\n');
  let end = 1;
  while (end < lines.length) {
    const line = lines[end] as string;
    if (line.trim() === '' || fenceOf(line) !== null || line.trimEnd() === '>>>') break;
    end += 1;
  }
  const length = lines.slice(0, end).reduce((sum, line) => sum + line.length + 1, 0);
  return rest.slice(0, length);
}

/** Returns the length of the code span that a run of backticks starts, or of the run if it is not closed. */
function spanLength(paragraph: string, run: string): number {
  const others = [...paragraph.slice(run.length).matchAll(/`+/g)];
  const end = others.find(([other]) => other.length === run.length);
  return end ? run.length + end.index + run.length : run.length;
}
