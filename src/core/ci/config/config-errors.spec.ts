import { describe, expect, it } from '@jest/globals';
import { errorsOf, type CompileOptions } from '../../../../test/support/compile-config.js';

describe('errors of a configuration', () => {
  it.each<[string, string | RegExp, CompileOptions?]>([
    ['', 'Please provide content of .gitlab-ci.yml'],
    ['[]', 'Invalid configuration format'],
    ['.a: {}', 'jobs config should contain at least one visible job'],
    ['build: {}', 'jobs:build config should implement the script:, run:, or trigger: keyword'],
    ['a: 1', 'jobs:a config should be a hash'],
    ['a: { script: x, foo: 1, bar: 2 }', 'jobs:a config contains unknown keys: foo, bar'],
    [
      'stages: [build, test]\nbuild: { script: x, stage: deploy }',
      'build job: chosen stage deploy does not exist; available stages are .pre, build, test, .post',
    ],
    [
      'a: { script: { b: c } }',
      'jobs:a:script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    ['a: [', /^\(<unknown>\): .* line \d+ column \d+$/],
    ['include: x.yml\na: { script: x }', 'Local file `x.yml` does not exist!'],
    ['include: x.txt\na: { script: x }', 'Included file `x.txt` does not have YAML extension!'],
    [
      'include: x.yml\na: { script: x }',
      'Included file `x.yml` includes itself: x.yml -> x.yml',
      { files: { 'x.yml': 'include: /x.yml' } },
    ],
    [
      'include: { project: a/b, file: c }\na: { script: x }',
      'include: `project` is not supported: only files of the same repository (`local`) can be included',
    ],
    [
      'include: https://x.org/a.yml\na: { script: x }',
      'include: `remote` is not supported: only files of the same repository (`local`) can be included',
    ],
    ['a: { extends: .b, script: x }', 'a: unknown keys in `extends` (.b)'],
    [
      'a: { extends: b, script: x }\nb: { extends: a, script: x }',
      'a: circular dependency detected in `extends`',
    ],
    [
      `a0: { script: x }\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: { extends: a${i} }`)
        .reverse()
        .join('\n')}`,
      'a1: nesting too deep in `extends`',
    ],
    ['a: { script: !reference [.b, c] }', '!reference [".b","c"] could not be found'],
    ['a: { script: [!reference [a, script]] }', '!reference ["a","script"] is part of a circular chain'],
    ['a: { script: x, needs: [b] }', 'a job: undefined need: b'],
    [
      'a: { script: x, needs: [b] }\nb: { script: x, stage: deploy }',
      'a job: need b is not defined in current or prior stages',
    ],
    [
      'a: { script: x, needs: [b] }\nb: { script: x, rules: [] }',
      /^'a' job needs 'b' job, but 'b' does not exist in the pipeline/,
    ],
    [
      'a: { script: x, needs: [b] }\nb: { script: x, needs: [a] }',
      'The pipeline has circular dependencies: a, b, a',
    ],
    ['a: { script: x, needs: [{ project: x/y, job: z }] }', /only jobs of the same pipeline can be needed/],
    [
      'a: { script: x, dependencies: [b] }\nb: { script: x }',
      'a job: dependency b is not defined in current or prior stages',
    ],
    ['a: { script: x, environment: { name: x, on_stop: b } }', 'a job: on_stop job b is not defined'],
    [
      'a: { script: x, environment: { name: x, on_stop: b } }\nb: { script: x, environment: x }',
      'a job: on_stop job b needs to have action stop defined',
    ],
    ['a: { trigger: g/p }', /only child pipelines of the same project/],
    ['a: { trigger: { include: x.yml }, script: x }', 'jobs:a config contains unknown keys: script'],
    ['a: { script: x, parallel: 201 }', 'jobs:a:parallel config must be less than or equal to 200'],
    [
      'a: { script: x, parallel: { matrix: [{ A: [1, 2, 3, 4, 5, 6], B: [1, 2, 3, 4, 5, 6], C: [1, 2, 3, 4, 5, 6] }] } }',
      'jobs:a:parallel:matrix config generates too many jobs (maximum is 200)',
    ],
    ['a: { script: x, retry: 3 }', 'jobs:a:retry max must be less than or equal to 2'],
    ['a: { script: x, timeout: soon }', 'jobs:a timeout should be a duration'],
    ['a: { script: x, when: delayed }', 'jobs:a start in should be a duration'],
    ['a: { script: x, timeout: 99999999 years }', 'jobs:a timeout should be a duration'],
    ['a: { script: x, timeout: 32 days }', 'jobs:a timeout should not exceed the limit'],
    [
      'a: { script: x, artifacts: { paths: [b], expire_in: 20000 years } }',
      'jobs:a:artifacts expire in should be a duration',
    ],
    [
      `a: { script: x, artifacts: { paths: [b], expire_in: ${'9'.repeat(40)} } }`,
      'jobs:a:artifacts expire in should be a duration',
    ],
    [
      'a: { script: x, environment: { name: b, auto_stop_in: 20000 years } }',
      'jobs:a:environment auto stop in should be a duration',
    ],
    ['a: { script: x, parallel: 1e300 }', 'jobs:a:parallel should be an integer or a hash'],
    [
      'a: { script: x, parallel: 9007199254740991 }',
      'jobs:a:parallel config must be less than or equal to 200',
    ],
    ['a: { script: x, retry: -9007199254740991 }', 'jobs:a:retry max must be greater than or equal to 0'],
    [
      'a: { script: x, allow_failure: { exit_codes: [9007199254740992] } }',
      'jobs:a:allow_failure exit codes should be an array of integers or an integer',
    ],
    [
      'a: { script: x, allow_failure: { exit_codes: [9007199254740991] } }',
      'jobs:a:allow_failure exit codes should be an array of integers or an integer',
    ],
    [
      'a: { script: x, when: sometimes }',
      'jobs:a when should be one of: on_success, on_failure, always, manual, delayed, never',
    ],
    ['a: { script: x, rules: [{ if: "$A ==" }] }', 'jobs:a:rules:rule if invalid expression syntax'],
    ['a: { script: x, rules: [{ if: "$A =~ /(/" }] }', 'jobs:a:rules:rule if invalid expression syntax'],
    ['a: { script: x, rules: [{ foo: 1 }] }', 'jobs:a:rules:rule config contains unknown keys: foo'],
    [
      'a: { script: x, rules: [{ changes: { paths: [x], compare_to: gone } }] }',
      'rules:changes:compare_to is not a valid ref',
    ],
    [
      'a: { script: x, rules: [], only: [main] }',
      'jobs:a config key may not be used with `rules`: only, except, start_in',
    ],
    [
      'a: { script: x, cache: { key: a/b } }',
      'jobs:a:cache:key config cannot contain the "/" character or its URI-encoded form',
    ],
    ['a: { script: x, environment: /x }', /^jobs:a:environment name can contain only letters/],
    ['a: { script: x, artifacts: { expire_in: soon } }', 'jobs:a:artifacts expire in should be a duration'],
    [
      'a: { script: x, variables: { "B-C": 1 } }',
      'jobs:a:variables config has an invalid variable name: B-C',
    ],
    ['a: { script: "x\\0" }', '(<unknown>): control characters are not allowed'],
    ['"a\\ud800": { script: x }', '(<unknown>): control characters are not allowed'],
    [
      'a: { script: x, parallel: 2 }\na 1/2: { script: x }',
      'a 1/2 job: the pipeline has several jobs of this name',
    ],
    [
      'image: x\ndefault: { image: y }\na: { script: x }',
      'image is defined in top-level and `default:` entry',
    ],
  ])('of %j: %s', async (text, expected, ...[options]) => {
    const matching = typeof expected === 'string' ? expected : expect.stringMatching(expected);
    expect(await errorsOf(text, options)).toContainEqual(matching);
  });

  it('are all reported at once', async () => {
    expect(
      await errorsOf('a: {}\nb: { script: x, foo: 1, retry: 9 }\nc: { script: x, stage: s, needs: [d] }'),
    ).toHaveLength(5);
  });
});
