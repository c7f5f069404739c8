import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let work: WorkingCopy;
let sha: string;
let projectId: number;
let repository: OpenRepository;

beforeAll(async () => {
  api = await borrowApi();
  work = await new WorkingCopy().init();
  await work.commit({ a: '1' });
  sha = await work.commit({ a: '2' });
  await work.git('branch', 'topic/x');
  await work.git('tag', 'v1');
});
afterAll(async () => {
  work.remove();
  await api.close();
});

const createProject = async (): Promise<number> =>
  (await api.root.post<{ id: number }>('/projects', { name: `deployed-${randomUUID()}` })).body.id;

beforeEach(async () => {
  projectId = await createProject();
  repository = await seedRepository(api, projectRepository(projectId), work);
});

interface Answer {
  readonly status: number;
  readonly body: {
    readonly id: number;
    readonly iid: number;
    readonly sha: string;
    readonly environment: { readonly id: number };
  };
}

const deploy = (more: object = {}): Promise<Answer> =>
  api.root.post(`/projects/${projectId}/deployments`, {
    ...{ environment: 'production', ref: 'main', tag: false, status: 'success', sha },
    ...more,
  });

const refs = (): Promise<string> =>
  work.git(
    '--git-dir',
    repository.path,
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/environments/',
  );

const problem = (body: object): object => ({ status: 400, body: { message: body } });
const NO_COMMIT = { sha: ['The commit does not exist'] };
const NO_REF = { ref: ['The branch or tag does not exist'] };

describe('a new deployment', () => {
  it.each(['main', 'topic/x', 'v1'])('accepts the branch or tag %s', async (ref) => {
    expect(await deploy({ ref })).toMatchObject({ status: 201, body: { sha, ref } });
  });

  it('stores the full id of the commit', async () => {
    expect(await deploy({ sha: sha.slice(0, 10).toUpperCase() })).toMatchObject({
      status: 201,
      body: { sha },
    });
  });

  it('is looked up in a repository that appeared after the last deployment', async () => {
    projectId = await createProject();
    const unknown = 'e'.repeat(40);
    for (const environment of ['production', 'staging'])
      expect(await deploy({ environment, sha: unknown })).toMatchObject({ status: 201 });
    repository = await seedRepository(api, projectRepository(projectId), work);
    expect(await deploy({ environment: 'later', sha: unknown })).toMatchObject(problem(NO_COMMIT));
    const made = await deploy({ sha: sha.slice(0, 10) });
    expect(made).toMatchObject({ status: 201, body: { iid: 3, sha } });
    const { body } = await api.root.get<{ name: string }[]>(`/projects/${projectId}/environments`);
    expect(body.map(({ name }) => name)).toEqual(['production', 'staging']);
    await until(async () => (await refs()).includes(`deployments/3 ${sha}`));
  });

  it('refuses all values that are not in the repository at once', async () => {
    const tree = await work.git('rev-parse', 'main^{tree}');
    for (const wrong of [
      'f'.repeat(40),
      'main',
      'HEAD',
      `${sha}~1`,
      '--all',
      '0'.repeat(40),
      tree,
      `${sha}\nx`,
    ])
      expect(await deploy({ sha: wrong })).toMatchObject(problem(NO_COMMIT));
    const described = `v1-2-g${sha.slice(0, 8)}`;
    for (const wrong of [
      'topic',
      'nowhere',
      'HEAD',
      sha,
      'refs/heads/main',
      '-x',
      'main\n',
      'main^',
      described,
    ])
      expect(await deploy({ ref: wrong })).toMatchObject(problem(NO_REF));
    expect(await deploy({ sha: 'f'.repeat(40), ref: 'x' })).toMatchObject(
      problem({ ...NO_COMMIT, ...NO_REF }),
    );
    expect(await api.sql('select 1 from environments where project_id = $1', [projectId])).toEqual([]);
  });

  it('is not checked against the repository in a project without repository data', async () => {
    projectId = await createProject();
    expect(await deploy({ sha: 'E'.repeat(40), ref: 'any' })).toMatchObject({ status: 201 });
    await api.app.get(RepositoriesService, { strict: false }).ensure(projectRepository(projectId));
    expect(await deploy({ sha: 'd'.repeat(40), ref: 'any' })).toMatchObject({ status: 201 });
    expect(await deploy({ sha: 'd'.repeat(39), ref: 'a..b' })).toMatchObject(
      problem({ ...NO_COMMIT, ...NO_REF }),
    );
  });

  it('does not look into the repository of another project', async () => {
    const other = projectId;
    projectId = await createProject();
    const stranger = await new WorkingCopy().init();
    await stranger.commit({ other: '1' }, 'Other');
    await seedRepository(api, projectRepository(projectId), stranger);
    expect(await deploy()).toMatchObject(problem(NO_COMMIT));
    projectId = other;
    stranger.remove();
  });
});

describe('the commit of a deployment', () => {
  it('is kept by a hidden ref as long as the deployment exists', async () => {
    const { body } = await deploy({ status: 'failed' });
    const ref = `refs/environments/production/deployments/${body.iid}`;
    await until(async () => (await refs()) === `${ref} ${sha}`);
    await api.root.put(`/projects/${projectId}/deployments/${body.id}`, { status: 'canceled' });
    expect(await refs()).toBe(`${ref} ${sha}`);
    expect(await work.git('--git-dir', repository.path, 'rev-list', '-1', ref)).toBe(sha);
    expect((await api.root.delete(`/projects/${projectId}/deployments/${body.id}`)).status).toBe(200);
    await until(async () => (await refs()) === '');
  });

  it('is released with its environment, while others are kept', async () => {
    const { body } = await deploy();
    await deploy({ ref: 'v1' });
    const { body: staying } = await deploy({ environment: 'Test env' });
    await until(async () => (await refs()).split('\n').length === 3);
    const environment = `/projects/${projectId}/environments/${body.environment.id}`;
    await api.root.post(`${environment}/stop`);
    expect((await api.root.delete(environment)).status).toBe(204);
    await until(async () => (await refs()).split('\n').length === 1);
    expect(await refs()).toMatch(
      new RegExp(`^refs/environments/test-env-[a-z0-9]{6}/deployments/${staying.iid} `),
    );
  });

  it('is kept later if the repository is being moved', async () => {
    await api.sql('update projects set repository_read_only = true where id = $1', [projectId]);
    expect((await deploy()).status).toBe(201);
    const later = `select id from background_jobs where name = 'deployments.refresh_refs' and run_at > now() + interval '5 seconds'`;
    await until(async () => (await api.sql(later)).length === 1);
    expect(await refs()).toBe('');
    await api.sql('update projects set repository_read_only = false where id = $1', [projectId]);
    await api.sql(`update background_jobs set run_at = now() where name = 'deployments.refresh_refs'`);
    await until(async () => (await refs()) !== '');
    await until(async () => (await api.sql('select 1 from running_pushes')).length === 0);
  });
});
