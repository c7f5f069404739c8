import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../support/api.js';
import { buildProject, type BuiltProject } from '../support/builders/project.js';
import { registrationToken } from '../support/builders/runner.js';
import { WorkingCopy } from '../support/git.js';
import { gitUrl } from '../support/git-http.js';
import { TestRunner } from '../support/runner/runner.js';
import { borrowApi } from '../support/shared-api.js';
import { until } from '../support/until.js';

const CONFIG = `
stages: [build, test]

variables:
  GREETING: hello
  SENTENCE: $GREETING world

build:
  stage: build
  before_script:
    - echo "before $CI_JOB_NAME"
  script:
    - mkdir out
    - echo "$SENTENCE of $CI_COMMIT_REF_NAME" > out/sentence.txt
    - git rev-parse HEAD > out/sha.txt
    - echo "token $CI_JOB_TOKEN"
  after_script:
    - echo "after $CI_JOB_STATUS"
    - exit 9
  artifacts:
    paths: [out/]
    expire_in: 1 week

shaky:
  stage: test
  script:
    - echo about to fail
    - exit 3
    - echo never here
  allow_failure: true

test:
  stage: test
  coverage: '/covered (\\d+)%/'
  script:
    - test "$(cat out/sentence.txt)" = "hello world of main"
    - test "$(cat out/sha.txt)" = "$CI_COMMIT_SHA"
    - test "$SECRET" = s3cret-value
    - echo "the secret is $SECRET"
    - echo "covered 77% of it"

slow:
  stage: test
  when: manual
  script:
    - echo started
    - sleep 60
`;

interface JobSeen {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly coverage: number | null;
  readonly failure_reason: string | null;
}

describe('a runner that knows only the protocol', () => {
  let api: TestApi;
  let project: BuiltProject;
  let runner: TestRunner;
  let work: WorkingCopy;

  beforeAll(async () => {
    api = await borrowApi();
    project = await buildProject(api.root);
    const token = await registrationToken(api, { project: project.id });
    runner = await TestRunner.register(api.url, token, { cloneUrl: api.url });
    work = await new WorkingCopy().init();
    const variable = { key: 'SECRET', value: 's3cret-value', masked: true };
    expect((await api.root.post(`/projects/${project.id}/variables`, variable)).status).toBe(201);
  });
  afterAll(async () => {
    work.remove();
    await api.close();
  });

  const at = (path: string): string => `/projects/${project.id}${path}`;
  const pipeline = async (): Promise<{ id: number; status: string } | undefined> =>
    (await api.root.get<{ id: number; status: string }[]>(at('/pipelines'))).body[0];
  const jobs = async (): Promise<Map<string, JobSeen>> => {
    const { body } = await api.root.get<JobSeen[]>(at('/jobs'));
    return new Map(body.map((job) => [job.name, job]));
  };
  const traceOf = async (id: number | undefined): Promise<string> =>
    (await api.root.get(at(`/jobs/${id ?? 0}/trace`))).text;

  it('runs pushed pipelines: stages, artifacts between them, allowed failures', async () => {
    await work.commit({ '.gitlab-ci.yml': CONFIG, 'README.md': 'hi' }, 'First');
    const url = gitUrl(api, `/${project.path_with_namespace}.git`, ['root', ROOT_TOKEN]);
    await work.git('push', '--quiet', url, 'main');
    const results = await runner.runUntil(async () => (await pipeline())?.status === 'success');
    expect(results.map(({ job, state, exitCode }) => [job.job_info.name, state, exitCode])).toEqual([
      ['build', 'success', 0],
      ['shaky', 'failed', 3],
      ['test', 'success', 0],
    ]);
    const seen = await jobs();
    expect([...seen.values()].map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'build success',
      'shaky failed',
      'slow manual',
      'test success',
    ]);
    expect(seen.get('shaky')?.failure_reason).toBe('script_failure');
    const built = await traceOf(seen.get('build')?.id);
    expect(built).toMatch(/before build\n[^]*token \[MASKED\]\n[^]*after success\n/);
    expect(await traceOf(seen.get('test')?.id)).toContain('the secret is [MASKED]\n');
    const failed = await traceOf(seen.get('shaky')?.id);
    expect([failed.includes('about to fail'), failed.includes('\nnever here')]).toEqual([true, false]);
    await until(async () => (await jobs()).get('test')?.coverage === 77);
    const file = await api.root.get(at('/jobs/artifacts/main/raw/out/sentence.txt?job=build'));
    expect([file.status, file.text]).toEqual([200, 'hello world of main\n']);
  });

  it('stops a job that a user cancels', async () => {
    const slow = (await jobs()).get('slow');
    expect((await api.root.post(at(`/jobs/${slow?.id ?? 0}/play`))).status).toBe(200);
    const running = runner.runUntil(async () => (await jobs()).get('slow')?.status === 'canceled');
    await until(async () => (await traceOf(slow?.id)).includes('started'));
    expect((await api.root.post(at(`/jobs/${slow?.id ?? 0}/cancel`))).status).toBe(201);
    const results = await running;
    expect(results.map(({ job, state }) => [job.job_info.name, state])).toEqual([['slow', 'aborted']]);
    expect((await pipeline())?.status).toMatch(/canceled|success/);
  });
});
