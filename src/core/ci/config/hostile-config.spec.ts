import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { compile, errorsOf, pipelineOf } from '../../../../test/support/compile-config.js';

describe('hostile configurations', () => {
  const many = (length: number, part: (index: number) => string): string =>
    Array.from({ length }, (_, index) => part(index)).join('');
  const laughs = `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${many(12, (i) => `a${i + 1}: &a${i + 1} [${many(10, () => `*a${i},`)}]\n`)}`;
  const nested =
    '.a0: { script: [x] }\n' +
    many(9, (i) => `.a${i + 1}: { script: [${many(50, () => `!reference [.a${i}, script],`)}] }\n`);
  it.each<[string, string]>([
    ['aliases of aliases', `${laughs}job: { script: x }`],
    ['references to references', `${nested}job: { script: !reference [.a9, script] }`],
    [
      'merge keys',
      `a: &a { ${many(5_000, (i) => `k${i}: 1,`)} }\n${many(2_000, (i) => `b${i}: { <<: *a }\n`)}`,
    ],
    [
      'a template for every job',
      `.t: { script: x, variables: { ${many(5_000, (i) => `K${i}: 1,`)} } }\n${many(900, (i) => `b${i}: { extends: .t }\n`)}`,
    ],
    [
      'variables for every job',
      `variables: { ${many(5_000, (i) => `K${i}: 1,`)} }\n${many(900, (i) => `b${i}: { script: x }\n`)}`,
    ],
    ['depth in brackets', `a: ${'['.repeat(200_000)}`],
    ['depth in lines', many(1_500, (i) => `${' '.repeat(i)}a:\n`)],
    ['a long chain of aliases', `a0: &a0 [x]\n${many(20_000, (i) => `a${i + 1}: &a${i + 1} [*a${i}]\n`)}`],
    ['too much text', `a: { script: ${'x'.repeat(1_100_000)} }`],
    ['large copies', `a: { script: ${'x'.repeat(500_000)}, parallel: 200 }`],
    ['too many jobs', many(1_001, (i) => `a${i}: { script: x }\n`)],
    ['too many copies', many(6, (i) => `a${i}: { script: x, parallel: 200 }\n`)],
    ['too many keys', many(120_000, (i) => `a${i}: 1\n`).slice(0, 1_000_000)],
    ['too many errors', many(900, (i) => `a${i}: { script: { } }\n`)],
  ])('%s: are refused quickly', async (_, text) => {
    const start = process.cpuUsage();
    const compiled = await compile(text);
    expect(compiled.kind).toBe('invalid');
    // Against work proportional to the expanded text, which takes minutes; CPU time, as the machine may be busy.
    expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
  });

  it('cannot merge the same hash endlessly', async () => {
    const text = `a: &a { ${many(20_000, (i) => `k${i}: 1,`)} }\nb: { <<: [${many(60_000, () => '*a,')}] }`;
    expect(await errorsOf(text)).toEqual(['The parsed YAML is too big']);
  });

  it('cannot include files endlessly', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`f${i}.yml`, `include: [f${i + 1}.yml, f${i + 1}.yml]`]),
    );
    expect(await errorsOf('include: f0.yml\na: { script: x }', { files })).toContain(
      'Maximum of 150 nested includes are allowed!',
    );
  });

  it('cannot use much time with expressions, globs and variables', async () => {
    const files = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${'a'.repeat(60)}${i}`, '']));
    const variables = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`V${i}`, `$V${i + 1}$V${i + 1}$V${i + 1}`]),
    );
    const start = process.cpuUsage();
    await compile(
      many(
        200,
        (i) =>
          `j${i}: { script: x, rules: [{ exists: ["${'*a'.repeat(30)}b${i}"] }, { if: '$V0 =~ /^(a|a?)+$/ || $V${i} == "x"' }] }\n`,
      ),
      { files, variables },
    );
    // CPU time of this process, so that other load on the machine does not count.
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(8_000);
  });

  it('handle keys that are properties of all objects', async () => {
    const { jobs } = await pipelineOf(
      '__proto__: { script: x, variables: { __proto__: a, constructor: b } }\nconstructor: { script: x, extends: __proto__ }',
    );
    expect(jobs.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
    expect(jobs[0]?.definition.variables.map(({ key }) => key)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['script']).toBeUndefined();
    expect(await errorsOf('a: { script: x, toString: 1, extends: valueOf }')).toEqual([
      'a: unknown keys in `extends` (valueOf)',
    ]);
  });

  const keywords = [
    'script',
    'stage',
    'needs',
    'rules',
    'only',
    'except',
    'when',
    'cache',
    'image',
    'services',
    'artifacts',
    'trigger',
    'parallel',
    'environment',
    'retry',
    'allow_failure',
    'variables',
    'inherit',
    'extends',
    'include',
    'stages',
    'default',
    'workflow',
    'if',
    'changes',
    'exists',
    'name',
    'key',
    'files',
    'reports',
    'matrix',
    'a',
    '<<',
  ];
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(null, true, 0, 1, 3, 'a', '$A', '/a/', 'manual', 'delayed', '', '.a'),
      fc.string(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keywords), fc.string({ maxLength: 5 })), tie('value'), {
        maxKeys: 4,
      }),
    ),
  })).value;

  it('never throw, whatever values they contain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...keywords), value, { maxKeys: 6 }),
        value,
        async (root, job) => {
          const compiled = await compile(
            stringify({ ...root, job: { script: 'x', ...(typeof job === 'object' ? job : {}) } }),
          );
          expect(['pipeline', 'invalid', 'none']).toContain(compiled.kind);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never throw, whatever their text is', async () => {
    const text = fc.array(
      fc.constantFrom(
        'a',
        'script',
        ': ',
        '\n',
        ' ',
        '  ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        ',',
        '&a ',
        '*a ',
        '!reference ',
        '<<',
        '"',
        "'",
        '#',
        '|',
        '>',
        '---',
        '? ',
        '%',
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        expect(['pipeline', 'invalid', 'none']).toContain((await compile(parts.join(''))).kind);
      }),
      { numRuns: 1_000 },
    );
  });
});
