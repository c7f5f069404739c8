import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface Body {
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly merged_yaml: string | null;
  readonly jobs?: readonly { readonly name: string; readonly stage: string; readonly when: string }[];
}

const CONFIG = `include: more.yml
.base: { script: [echo] }
build: { extends: .base, stage: build }
ship: { script: ship, stage: deploy, rules: [{ if: $CI_COMMIT_BRANCH == "release", when: manual }] }
`;

let api: TestApi;
let code: CodeProject;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  code = await buildCodeProject(api, (work) =>
    work.commit({ '.gitlab-ci.yml': CONFIG, 'more.yml': 'variables: { A: "1" }\n' }, 'Configure'),
  );
  path = `/projects/${code.id}/ci/lint`;
});
afterAll(async () => {
  code.work.remove();
  await api.close();
});

describe('linting a configuration', () => {
  it('reads the file of a commit with all its includes', async () => {
    const { status, body } = await code.reporter.get<Body>(`${path}?include_jobs=true`);
    expect([status, body.valid, body.errors]).toEqual([200, true, []]);
    expect(body.merged_yaml).toMatch(/^---\nvariables:\n {2}A: "1"\n/);
    expect(body.merged_yaml).not.toContain('include');
    expect(body.jobs).toMatchObject([
      { name: 'build', stage: 'build', when: 'on_success' },
      { name: 'ship' },
    ]);
  });

  it('lists the jobs that a push would create', async () => {
    const { body } = await code.developer.get<Body>(`${path}?include_jobs=true&dry_run=true`);
    expect([body.valid, body.jobs?.map(({ name }) => name)]).toEqual([true, ['build']]);
    const none = await code.developer.post<Body>(path, {
      content: 'a: { script: x, only: [tags] }',
      dry_run: true,
    });
    expect(none.body).toMatchObject({
      valid: false,
      errors: [expect.stringContaining('Pipeline will not run')],
    });
    const gone = await code.developer.post<Body>(path, {
      content: 'a: { script: x }',
      dry_run: true,
      ref: 'gone',
    });
    expect(gone.body).toMatchObject({ valid: false, errors: ['Reference not found'] });
  });

  it('hides protected variables from users who may not run pipelines on the branch', async () => {
    const root = `/projects/${code.id}`;
    await code.maintainer.post(`${root}/variables`, { key: 'SECRET', value: 'abcdefgh', protected: true });
    await code.maintainer.post(`${root}/protected_branches`, { name: 'main', push_access_level: 40 });
    const asked = { content: 'a: { script: x, rules: [{ if: $SECRET =~ /^a/ }] }', dry_run: true };
    const [known, unknown] = [
      await code.maintainer.post<Body>(path, asked),
      await code.developer.post<Body>(path, asked),
    ];
    expect(known.body.valid).toBe(true);
    expect(unknown.body.errors).toEqual([expect.stringContaining('You do not have sufficient permission')]);
    const ofCommit = await code.developer.get<Body>(`${path}?dry_run=true&include_jobs=true`);
    expect(ofCommit.body.errors).toEqual(unknown.body.errors);
  });

  it('reports the errors of a configuration', async () => {
    const { status, body } = await code.developer.post<Body>(path, {
      content: 'include: gone.yml\nbuild: {}',
    });
    expect([status, body]).toEqual([
      200,
      { valid: false, errors: ['Local file `gone.yml` does not exist!'], warnings: [], merged_yaml: null },
    ]);
    const wrong = await code.developer.post<Body>(path, { content: 'build: {}' });
    expect(wrong.body.errors).toEqual([
      'jobs:build config should implement the script:, run:, or trigger: keyword',
    ]);
    const empty = await code.developer.post<Body>(path, { content: '' });
    expect(empty.body.errors).toEqual(['Please provide content of .gitlab-ci.yml']);
  });

  it('refuses short texts with long results', async () => {
    const steps = `default: { before_script: [${'x'.repeat(100_000)}] }`;
    const jobs = Array.from({ length: 200 }, (_, at) => `job${at}: { script: x }`);
    const lines = `&lines [${'x,'.repeat(1_000)}]`;
    const deep = `job: { script: x }\n.lines: ${lines}\n.deep: ${'['.repeat(80)}${'*lines ,'.repeat(250)}${']'.repeat(80)}`;
    const answer = { message: '422 Unprocessable Entity - its result takes more than 16 MB' };
    const all = { content: [steps, ...jobs].join('\n'), include_jobs: true };
    for (const asked of [all, { content: deep }])
      expect(await code.developer.post(path, asked)).toMatchObject({ status: 422, body: answer });
    const { body } = await code.developer.post<Body>(path, { ...all, include_jobs: false });
    expect([body.valid, body.errors]).toEqual([true, []]);
  });

  it('compares the commit with a limited number of others', async () => {
    const head = await code.work.git('rev-parse', 'HEAD');
    const refs = Array.from({ length: 100 }, (_, at) => (at < 30 ? head.slice(0, 8 + at) : `gone-${at}`));
    const job = (ref: string, at: number): string =>
      `job${at}: { script: x, rules: [{ changes: { paths: [a], compare_to: "${ref}" } }, {}] }`;
    const errorsOf = async (compared: readonly string[]): Promise<readonly string[]> => {
      const content = compared.map(job).join('\n');
      return (await code.maintainer.post<Body>(path, { content, dry_run: true })).body.errors;
    };
    expect(await errorsOf(refs.slice(0, 30))).toEqual([]);
    expect(await errorsOf(refs)).toEqual(['rules:changes:compare_to is not a valid ref']);
    expect(await errorsOf([...refs, ...refs, 'one-more'])).toContain(
      'rules:changes:compare_to has too many refs (maximum is 100)',
    );
  });

  it('reads a limited number of files for cache keys', async () => {
    const job = (name: string): string =>
      `${name}: { script: x, cache: [${[0, 1, 2, 3].map((at) => `{ key: { files: [${name}/${at}, ${at}/${name}] }, paths: [x] }`).join()}] }`;
    const errorsOf = async (jobs: number): Promise<readonly string[]> => {
      const content = Array.from({ length: jobs }, (_, at) => job(`job${at}`)).join('\n');
      return (await code.maintainer.post<Body>(path, { content, dry_run: true })).body.errors;
    };
    expect(await errorsOf(2)).toEqual([]);
    expect(await errorsOf(126)).toEqual([
      'The configuration reads too many files (maximum is 1000, or 67108864 bytes)',
    ]);
  });

  it('refuses callers without access, and invalid parameters', async () => {
    const statuses = await Promise.all([
      code.reporter.post(path, { content: 'a: { script: x }' }),
      code.guest.get(path),
      code.reporter.get(`${path}?dry_run=true`),
      code.developer.get(`${path}?content_ref=gone`),
      code.developer.post(path, {}),
      code.developer.post(path, { content: ['a'] }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 404, 400, 400]);
  });
});
