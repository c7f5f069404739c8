import { describe, expect, it } from '@jest/globals';
import {
  compile,
  indent,
  jobOf,
  namesOf,
  pipelineOf,
  variable,
  type CompileOptions,
} from '../../../../test/support/compile-config.js';

describe('compileConfig', () => {
  it('returns jobs in stages, with everything they inherit', async () => {
    const pipeline = await pipelineOf(`
stages: [one, two, .post]
default: { image: { name: node, entrypoint: [sh] }, tags: [a], retry: 1, timeout: 1h 30m, interruptible: true }
variables: { A: 1, B: yes, C: { value: x, description: about, expand: false }, D: 3.10 }
before_script: [prepare]
.hidden: { nonsense: true }
build:
  stage: two
  variables: { A: own }
  script: [a, [b, [c]]]
clean: { stage: .post, script: rm, inherit: { default: [tags], variables: [B] } }
`);
    expect(pipeline.stages).toEqual(['.pre', 'one', 'two', '.post']);
    const [build, clean] = pipeline.jobs;
    expect(build).toMatchObject({
      kind: 'build',
      name: 'build',
      stage: 'two',
      stageIndex: 2,
      when: 'on_success',
      allowFailure: false,
      tagList: ['a'],
      definition: {
        beforeScript: ['prepare'],
        script: ['a', 'b', 'c'],
        image: { name: 'node', entrypoint: ['sh'], pullPolicy: null },
        retry: { max: 1, when: ['always'] },
        timeout: 5_400,
        interruptible: true,
        needs: null,
        dependencies: null,
      },
    });
    expect(build?.definition.variables).toEqual([
      variable('A', 'own'),
      variable('B', 'true'),
      { ...variable('C', 'x'), raw: true },
      variable('D', '3.10'),
    ]);
    expect(clean).toMatchObject({
      stageIndex: 3,
      tagList: ['a'],
      definition: { image: null, timeout: null, beforeScript: [] },
    });
    expect(clean?.definition.variables).toEqual([variable('B', 'true')]);
  });

  it('supports the keywords of a job', async () => {
    const job = await jobOf(
      `
services: [redis, { name: pg, alias: db, command: [x], variables: { P: 1 } }]
artifacts:
  { name: n, paths: [a, b], exclude: [c], untracked: true, when: always, expire_in: 1 week, expose_as: e, public: false,
    reports: { junit: j.xml, dotenv: [d.env], coverage_report: { coverage_format: cobertura, path: c.xml } } }
cache: [{ key: { files: [lock], prefix: p }, paths: [x], policy: pull, when: always, fallback_keys: [f] }, { paths: [y] }]
environment: { name: review/$CI_COMMIT_REF_NAME, url: http://x, deployment_tier: testing, auto_stop_in: 1 day }
allow_failure: { exit_codes: [3, 4] }
retry: { max: 2, when: script_failure }
coverage: /\\d+%/
resource_group: production
hooks: { pre_get_sources_script: echo }
release: { tag_name: x }
secrets: {}
id_tokens: {}
pages: true`,
      { files: { lock: 'content' } },
    );
    expect(job).toMatchObject({ allowFailure: false });
    expect(job.definition).toMatchObject({
      services: [
        { name: 'redis', alias: null },
        { name: 'pg', alias: 'db', command: ['x'], variables: { P: '1' } },
      ],
      artifacts: {
        name: 'n',
        paths: ['a', 'b'],
        exclude: ['c'],
        untracked: true,
        when: 'always',
        expireIn: '1 week',
        exposeAs: 'e',
        public: false,
        reports: { junit: ['j.xml'], dotenv: ['d.env'], cobertura: ['c.xml'] },
      },
      cache: [
        {
          key: expect.stringMatching(/^p-[0-9a-f]{40}$/),
          policy: 'pull',
          when: 'always',
          fallbackKeys: ['f'],
        },
        { key: 'default', policy: 'pull-push' },
      ],
      environment: {
        name: 'review/$CI_COMMIT_REF_NAME',
        action: 'start',
        deploymentTier: 'testing',
        autoStopIn: '1 day',
      },
      allowFailureExitCodes: [3, 4],
      retry: { max: 2, when: ['script_failure'] },
      coverage: '\\d+%',
      resourceGroup: 'production',
      preGetSourcesScript: ['echo'],
    });
  });

  it.each([
    ['when: manual', { when: 'manual', allowFailure: true }],
    ['when: manual\nallow_failure: false', { when: 'manual', allowFailure: false }],
    ['rules: [{ when: manual }]', { when: 'manual', allowFailure: false }],
    ['rules: [{ when: manual, allow_failure: true }]', { when: 'manual', allowFailure: true }],
    ['when: delayed\nstart_in: 5 minutes', { when: 'delayed', definition: { startIn: 300 } }],
    ['rules: [{ when: delayed, start_in: 10 }]', { when: 'delayed', definition: { startIn: 10 } }],
    ['when: on_failure', { when: 'on_failure', allowFailure: false }],
    ['when: always\nrules: [{ if: "null" }, { if: $CI }]', { when: 'always' }],
    [
      'rules: [{ variables: { X: rule } }]\nvariables: { X: job }',
      { definition: { variables: [variable('X', 'rule')] } },
    ],
  ])('supports a job with %j', async (body, expected) => {
    expect(await jobOf(body, { variables: { CI: 'true' } })).toMatchObject(expected);
  });

  it('expands parallel jobs, and resolves references to them', async () => {
    const { jobs } = await pipelineOf(`
a: { script: x, parallel: 2 }
b: { script: x, parallel: { matrix: [{ OS: [linux, mac], V: 1 }, { OS: bsd }] } }
c: { script: x, dependencies: [a], needs: [a, { job: b, artifacts: false, parallel: { matrix: [{ OS: mac, V: 1 }] } }, { job: none, optional: true }] }
`);
    expect(jobs.map(({ name }) => name)).toEqual([
      'a 1/2',
      'a 2/2',
      'b: [linux, 1]',
      'b: [mac, 1]',
      'b: [bsd]',
      'c',
    ]);
    expect(jobs[3]?.definition).toMatchObject({
      parallel: { index: 2, total: 3 },
      variables: [variable('OS', 'mac'), variable('V', '1')],
    });
    expect(jobs[5]?.definition).toMatchObject({
      dependencies: ['a 1/2', 'a 2/2'],
      needs: [
        { job: 'a 1/2', artifacts: true, optional: false },
        { job: 'a 2/2', artifacts: true, optional: false },
        { job: 'b: [mac, 1]', artifacts: false, optional: false },
      ],
    });
  });

  it('starts child pipelines', async () => {
    const { jobs } = await pipelineOf(`
gen: { stage: build, script: x }
one: { trigger: { include: child.yml, strategy: depend, forward: { pipeline_variables: true } }, variables: { A: b } }
two: { trigger: { include: [{ artifact: c.yml, job: gen }, { local: /x.yml }] } }
`);
    expect(jobs[1]).toMatchObject({
      kind: 'bridge',
      definition: {
        trigger: {
          include: ['child.yml'],
          depend: true,
          forwardYamlVariables: true,
          forwardPipelineVariables: true,
        },
      },
    });
    expect(jobs[2]).toMatchObject({
      definition: {
        trigger: {
          include: ['/x.yml'],
          includeArtifacts: [{ job: 'gen', artifact: 'c.yml' }],
          depend: false,
        },
      },
    });
  });

  it('resolves anchors, merge keys, extends, references and includes', async () => {
    const files = {
      'ci/a.yml':
        'include: [/ci/more/*.yml]\nvariables: { A: a, B: a }\n.base: { script: base, tags: [x], variables: { K: 1, L: 1 } }',
      'ci/more/b.yml': 'variables: { B: b, C: b }',
    };
    const { jobs } = await pipelineOf(
      `
include: [{ local: ci/$DIR.yml }, { local: never.yml, rules: [{ if: $DIR == "b" }] }]
variables: { A: own }
.anchor: &anchor { image: alpine, script: anchored }
.other: { extends: .base, variables: { L: 2 } }
.lines: { before: [one, two] }
x: { <<: *anchor, script: mine }
y: { extends: [.other], script: [!reference [.lines, before], three] }
`,
      { files, variables: { DIR: 'a' } },
    );
    expect(jobs[0]?.definition).toMatchObject({ image: { name: 'alpine' }, script: ['mine'] });
    expect(jobs[0]?.definition.variables).toEqual([
      variable('B', 'a'),
      variable('C', 'b'),
      variable('A', 'own'),
    ]);
    expect(jobs[1]).toMatchObject({ tagList: ['x'], definition: { script: ['one', 'two', 'three'] } });
    expect(jobs[1]?.definition.variables.slice(3)).toEqual([variable('K', '1'), variable('L', '2')]);
  });

  it('follows the workflow rules', async () => {
    const text =
      'workflow: { name: "For $WHO", rules: [{ if: $NO, when: never }, { if: $YES, variables: { WHO: rule } }] }\na: { script: echo }';
    expect(await compile(text)).toEqual({ kind: 'none', reason: 'workflow' });
    expect(await compile(text, { variables: { NO: '1', YES: '1' } })).toEqual({
      kind: 'none',
      reason: 'workflow',
    });
    const pipeline = await pipelineOf(text, { variables: { YES: '1' } });
    expect([pipeline.name, pipeline.jobs[0]?.definition.variables]).toEqual([
      'For rule',
      [variable('WHO', 'rule')],
    ]);
    expect(await compile('a: { script: x, stage: .pre }')).toEqual({ kind: 'none', reason: 'no jobs' });
    expect((await pipelineOf('a: { script: x, rules: [{ when: always }] }')).warnings).toHaveLength(1);
  });
});

describe('the inclusion of a job', () => {
  it.each<[string, CompileOptions, boolean]>([
    ['rules: [{ changes: [src/**/*] }]', { changed: ['src/a/b.c'] }, true],
    ['rules: [{ changes: [src/**/*] }]', { changed: ['docs/a'] }, false],
    ['rules: [{ changes: [src/**/*] }]', { changed: null }, true],
    ['rules: [{ changes: { paths: ["*.{md,txt}"], compare_to: main } }]', { changed: ['a.txt'] }, true],
    ['rules: [{ exists: [$DIR/x.?] }]', { files: { 'd/x.y': '' }, variables: { DIR: 'd' } }, true],
    ['rules: [{ exists: [x.y] }]', { files: { 'd/x.y': '' } }, false],
    ['rules: [{ if: $A, when: never }, {}]', { variables: { A: '1' } }, false],
    ['rules: [{ if: $A, when: never }, {}]', {}, true],
    ['rules: []', {}, false],
    ['when: never', {}, false],
    ['only: [main]', {}, true],
    ['only: [tags]', {}, false],
    ['only: [tags]', { tag: true }, true],
    ['only: [branches]', { tag: true }, false],
    ['only: [/^MA.n$/i]', {}, true],
    ['only: [/^x/, web]', { source: 'web' }, true],
    ['only: [pushes]', {}, true],
    ['only: [schedules]', {}, false],
    ['only: [merge_requests]', { source: 'merge_request_event' }, true],
    ['only: [api]\nexcept: [main]', { source: 'api' }, false],
    ['except: [branches]', {}, false],
    ['except: { variables: [$A == "1"] }', { variables: { A: '1' } }, false],
    ['only: { variables: [$A] }', {}, false],
    ['only: { changes: [a] }', { changed: ['a'] }, true],
    ['only: { changes: [a] }', { changed: ['b'] }, false],
    ['only: ["main@g/p"]', { variables: { CI_PROJECT_PATH: 'g/p' } }, true],
    ['only: ["main@g/q"]', { variables: { CI_PROJECT_PATH: 'g/p' } }, false],
    ['only: ["/^m/@g/p"]', { variables: { CI_PROJECT_PATH: 'g/p' } }, true],
  ])('%j with %j: %s', async (body, options, expected) => {
    expect(
      await namesOf(`other: { script: x, rules: [{}] }\njob:\n  script: x\n${indent(body)}`, options),
    ).toEqual(expected ? ['other', 'job'] : ['other']);
  });
});
