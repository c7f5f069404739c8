import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CiVariable } from '../../jobs/definition/job-definition.js';
import { expandVariables, valuesOf } from '../expand.js';
import { evaluate } from './evaluate.js';
import { parseExpression, type Expression, type Operand } from './expression.js';
import { readGlob } from './glob.js';

const values = (entries: Readonly<Record<string, string>>, raw = false): ReadonlyMap<string, CiVariable> =>
  valuesOf(Object.entries(entries).map(([key, value]) => ({ key, value, public: true, masked: false, raw })));

describe('expressions', () => {
  it.each([
    ['$A', true],
    ['$B', false],
    ['$EMPTY', false],
    ['"text"', true],
    ['null', false],
    ['$A == "a"', true],
    ["$A == 'a'", true],
    ['${A}=="b"', false],
    ['$A != "b"', true],
    ['$B == null', true],
    ['$EMPTY == null', false],
    ['$EMPTY == ""', true],
    ['null == $B', true],
    ['$A == $C', true],
    ['$REF =~ /^feature\\//', true],
    ['$REF =~ /^FEATURE/', false],
    ['$REF =~ /^FEATURE/i', true],
    ['$REF !~ /x$/', false],
    ['$REF =~ $PATTERN', true],
    ['$REF =~ $A', false],
    ['$REF !~ $A', true],
    ['$B =~ /a/', false],
    ['$B && $B || $A', true],
    ['$A || $B && $B', true],
    ['($A || $B) && $B', false],
    ['$A && ($B || ($A == "a" && $REF))', true],
  ])('%s is %s', (text, expected) => {
    const expression = parseExpression(text);
    const known = values({ A: 'a', C: '$A', EMPTY: '', REF: 'feature/x', PATTERN: '/^fea.*x$/' });
    expect(expression && evaluate(expression, known)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '$',
    '$A ==',
    '== $A',
    '$A = "a"',
    '$A == "a',
    '($A',
    '$A)',
    '()',
    '$A $B',
    '$A && ',
    '/a/',
    '/a/ == $A',
    '$A == /a/',
    '$A =~ null',
    '$A =~ /(/',
    '$A =~ /a{1001}/',
    '!$A',
    'true',
    '$A == 1',
    '('.repeat(60) + '$A' + ')'.repeat(60),
    '$A &&'.repeat(600) + '$A',
  ])('%j is not valid', (text) => {
    expect(parseExpression(text)).toBeNull();
  });

  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,5}$/);
  const variable = name.map((text): Operand => ({ kind: 'variable', text }));
  const text = fc.stringMatching(/^[^"\0\r\n]{0,6}$/).map((one): Operand => ({ kind: 'string', text: one }));
  const plain = fc.oneof(variable, text, fc.constant<Operand>({ kind: 'null' }));
  const pattern = fc
    .constantFrom('/a/', '/^a\\/b$/i', '/[a-z]+/')
    .map((one): Operand => ({ kind: 'pattern', text: one }));
  const expressions = fc.letrec<{ one: Expression }>((tie) => ({
    one: fc.oneof(
      { maxDepth: 4 },
      plain.map((value): Expression => ({ kind: 'value', value })),
      fc.record({
        kind: fc.constant('compare' as const),
        sign: fc.constantFrom('==' as const, '!=' as const),
        left: plain,
        right: plain,
      }),
      fc.record({
        kind: fc.constant('compare' as const),
        sign: fc.constantFrom('=~' as const, '!~' as const),
        left: plain,
        right: fc.oneof(pattern, variable, text),
      }),
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        left: tie('one'),
        right: tie('one'),
      }),
    ),
  })).one;
  const written = (operand: Operand): string =>
    operand.kind === 'null'
      ? 'null'
      : operand.kind === 'variable'
        ? `$${operand.text}`
        : operand.kind === 'string'
          ? `"${operand.text}"`
          : operand.text;
  const print = (one: Expression): string =>
    one.kind === 'value'
      ? written(one.value)
      : one.kind === 'compare'
        ? `${written(one.left)} ${one.sign} ${written(one.right)}`
        : `(${print(one.left)}) ${one.kind === 'and' ? '&&' : '||'} (${print(one.right)})`;

  it('are read as they are written', () => {
    fc.assert(fc.property(expressions, (one) => expect(parseExpression(print(one))).toEqual(one)));
  });

  it('never throw', () => {
    const parts = fc.array(
      fc.constantFrom(
        '$A',
        '${A}',
        '"a"',
        'null',
        '/a/',
        '/(/',
        '(',
        ')',
        '&&',
        '||',
        '==',
        '!=',
        '=~',
        '!~',
        ' ',
        '$',
        '/',
        '"',
        '\\',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          parts.map((list) => list.join('')),
        ),
        (one) => {
          const expression = parseExpression(one);
          if (expression) expect(typeof evaluate(expression, values({ A: '/(/' }))).toBe('boolean');
        },
      ),
    );
  });
});

describe('variables in texts', () => {
  it.each([
    ['$A-${B}-%A%', 'a-a!-a'],
    ['$$A $NONE.', '$A .'],
    ['100%, %NONE%', '100%, %NONE%'],
    ['$X', '$X'],
    ['a$', 'a$'],
  ])('%s becomes %s', (text, expected) => {
    expect(expandVariables(text, values({ A: 'a', B: '$A!', X: '$Y', Y: '$X' }))).toBe(expected);
  });

  it('remain unchanged in raw variables', () => {
    expect(expandVariables('$B', values({ A: 'a', B: '$A' }, true))).toBe('$A');
  });

  it('end, and do not grow without end', () => {
    const key = fc.constantFrom('A', 'B', 'C');
    const content = fc.array(
      fc.oneof(fc.constantFrom('$A', '$B', '${C}', '$NONE'), fc.string({ maxLength: 5 })),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(fc.dictionary(key, content), content, (entries, text) => {
        const known = values(
          Object.fromEntries(Object.entries(entries).map(([one, parts]) => [one, parts.join('')])),
        );
        expect(expandVariables(text.join(''), known).length).toBeLessThanOrEqual(16_384);
      }),
    );
    const bomb = values(
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`V${i}`, `$V${i + 1}`.repeat(100)])),
    );
    expect(expandVariables('$V0'.repeat(100), bomb).length).toBeLessThanOrEqual(16_384);
  });
});

describe('globs', () => {
  it.each([
    ['*.md', 'a.md', true],
    ['*.md', 'b/a.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'b/c/a.md', true],
    ['src/**/*', 'src/a', true],
    ['src/**/*', 'srca', false],
    ['**/*', '.hidden/x', true],
    ['a?c', 'a/c', false],
    ['[a-c]x', 'bx', true],
    ['[!a]x', 'ax', false],
    ['{a,b/*}.c', 'b/x.c', true],
    ['a.c', 'abc', false],
    ['\\*', '*', true],
    ['(a|b)', 'a', false],
    ['[', '[', true],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(readGlob(glob)?.matches(path)).toBe(expected);
  });
});
