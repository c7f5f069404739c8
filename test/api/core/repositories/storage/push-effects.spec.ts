import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { DefaultBranchChanged } from '#core/projects/default-branch-changed.event.js';
import { git } from '#core/repositories/git/git.js';
import { MeasureRepositoryJob } from '#core/repositories/measure/measure-repository.job.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { pushRefs, WorkingCopy } from '../../../../support/git.js';
import { untilBlocking, untilIdle } from '../../../../support/lock-waits.js';
import { until } from '../../../../support/until.js';

interface Project {
  readonly id: number;
  readonly default_branch: string;
  readonly empty_repo: boolean;
  readonly last_activity_at: string;
  readonly readme_url: string | null;
  readonly statistics?: { readonly commit_count: number; readonly repository_size: number };
}

let api: TestApi;
let work: WorkingCopy;
let first: string;
let second: string;
let projectId: number;
let heard: RefsPushed[];
let isBranchRefused = false;

beforeAll(async () => {
  api = await startApi();
  api.app.get(DomainEvents).on(RefsPushed, (event) => void heard.push(event));
  api.app.get(DomainEvents).on(DefaultBranchChanged, () => {
    if (isBranchRefused) throw new Error('Refused by the test');
  });
  work = await new WorkingCopy().init();
  first = await work.commit({ 'a.py': 'print(1)\n' }, 'First');
  const files = {
    'README.md': '# Web\n',
    'readme.txt': 'Web\n',
    'src/a.ts': 'x'.repeat(300),
    'a.py': 'y'.repeat(100),
  };
  second = await work.commit({ ...files, 'vendor/b.c': 'z'.repeat(900) }, 'Second');
});
afterAll(async () => {
  work.remove();
  await api.close();
});

beforeEach(async () => {
  heard = [];
  isBranchRefused = false;
  const { body } = await api.root.post<Project>('/projects', { name: `pushed-${randomUUID()}` });
  projectId = body.id;
});

const project = async (): Promise<Project> =>
  (await api.root.get<Project>(`/projects/${projectId}?statistics=true`)).body;

const push = (...changes: readonly RefChange[]): Promise<OpenRepository> =>
  pushRefs(api, projectRepository(projectId), work, changes);

const created = (branch: string, after: string): RefChange => ({
  ref: `refs/heads/${branch}`,
  before: NO_OBJECT,
  after,
});

const head = (path: string): Promise<string> => work.git('--git-dir', path, 'symbolic-ref', 'HEAD');

describe('the first push', () => {
  it('makes the configured branch the default one, protects it and marks the project as not empty', async () => {
    await api.sql(`update projects set last_activity_at = now() - interval '1 day' where id = $1`, [
      projectId,
    ]);
    expect(await project()).toMatchObject({ default_branch: 'main', empty_repo: true });
    const { path } = await push(created('a', first), created('main', first));
    const after = await project();
    expect(after).toMatchObject({ default_branch: 'main', empty_repo: false });
    expect(Date.now() - Date.parse(after.last_activity_at)).toBeLessThan(60_000);
    expect(await head(path)).toBe('refs/heads/main');
    const names = await api.sql('select name from protected_refs where project_id = $1', [projectId]);
    expect(names).toEqual([{ name: 'main' }]);
  });

  it('uses the first branch if the configured one is not pushed, and keeps it', async () => {
    const { path } = await push(created('topic/x', first), created('other', first));
    expect(await project()).toMatchObject({ default_branch: 'topic/x', empty_repo: false });
    expect(await head(path)).toBe('refs/heads/topic/x');
    await push(created('main', first));
    expect(await project()).toMatchObject({ default_branch: 'topic/x' });
    expect(await api.sql('select 1 from protected_refs where project_id = $1', [projectId])).toHaveLength(1);
  });

  it('leaves the project empty if it contains only tags', async () => {
    await push({ ref: 'refs/tags/v1', before: NO_OBJECT, after: first });
    expect(await project()).toMatchObject({ default_branch: 'main', empty_repo: true });
  });
});

describe('a push', () => {
  it('is reported with data about its commits', async () => {
    await push(created('main', first));
    await push({ ref: 'refs/heads/main', before: first, after: second }, created('topic', second));
    expect(heard.map(({ payloads }) => payloads)).toMatchObject([
      [
        {
          action: 'created',
          ref: 'main',
          commit_from: null,
          commit_to: first,
          commit_count: 1,
          commit_title: 'First',
        },
      ],
      [
        {
          action: 'pushed',
          ref: 'main',
          commit_from: first,
          commit_to: second,
          commit_count: 1,
          commit_title: 'Second',
        },
        { action: 'created', ref: 'topic', commit_count: 0, commit_title: 'Second' },
      ],
    ]);
  });
});

describe('measurements of a project', () => {
  const enqueue = (repositoryId: number): Promise<unknown> =>
    api.app
      .get(Transactions)
      .run((tx) => api.app.get(Jobs).enqueue(tx, MeasureRepositoryJob, { repositoryId }));

  it('follow its default branch: commits, size, readme, languages', async () => {
    await push(created('main', second), created('old', first));
    await until(async () => (await project()).statistics?.commit_count === 2);
    const { readme_url: readme, statistics } = await project();
    expect(readme).toMatch(/\/-\/blob\/main\/README\.md$/);
    expect(statistics?.repository_size).toBeGreaterThan(0);
    const languages = (): Promise<string> =>
      api.root.get(`/projects/${projectId}/languages`).then(({ body }) => JSON.stringify(body));
    expect(await languages()).toBe('{"TypeScript":75,"Python":25}');

    await api.root.put(`/projects/${projectId}`, { default_branch: 'old' });
    await until(async () => (await project()).statistics?.commit_count === 1);
    expect(await project()).toMatchObject({ readme_url: null, default_branch: 'old' });
    expect(await languages()).toBe('{"Python":100}');
  });

  it('wait for the end of a push without holding what it needs', async () => {
    const { id } = await push(created('main', second));
    await until(async () => (await project()).statistics?.commit_count === 2);
    await untilIdle(api);
    await api.sql(`update projects set languages = '{}' where id = $1`, [projectId]);
    await api.app.get(DataSource).transaction(async (tx) => {
      await tx.query('select 1 from projects where id = $1 for no key update', [projectId]);
      await enqueue(id);
      await untilBlocking(api, tx);
      await tx.query(`set local lock_timeout = '500ms'`);
      await tx.query('update repositories set pushed_at = now() where id = $1', [id]);
    });
    await until(
      async () => (await api.root.get(`/projects/${projectId}/languages`)).body['Python'] !== undefined,
    );
  });

  it('include packing once there are many packs, but not while it is moved', async () => {
    const { path, id } = await push(created('main', second));
    for (let count = 0; count < 31; count += 1) {
      const input = `blob\ndata <<E\n${count}\nE\nblob\ndata <<E\n-${count}\nE\n`;
      await git(path, ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet'], { input });
    }
    const packs = (): number =>
      readdirSync(join(path, 'objects/pack')).filter((name) => name.endsWith('.pack')).length;
    const measured = `select 1 from background_jobs where name = 'repositories.measure'`;
    const measure = async (): Promise<void> => {
      await enqueue(id);
      await until(async () => (await api.sql(measured)).length === 0);
    };
    await api.sql('update projects set repository_read_only = true where id = $1', [projectId]);
    await measure();
    expect(packs()).toBe(31);
    await api.sql('update projects set repository_read_only = false where id = $1', [projectId]);
    await measure();
    expect(packs()).toBe(1);
    expect(await work.git('--git-dir', path, 'rev-parse', 'main')).toBe(second);
    expect(await api.sql('select 1 from running_pushes')).toEqual([]);
  });
});

describe('PUT default_branch', () => {
  const change = (branch: string): Promise<{ status: number; body: unknown }> =>
    api.root.put(`/projects/${projectId}`, { default_branch: branch });

  it('changes HEAD, and refuses a missing branch', async () => {
    const { path } = await push(created('main', first), created('next', first));
    expect(await change('next')).toMatchObject({ status: 200, body: { default_branch: 'next' } });
    expect(await head(path)).toBe('refs/heads/next');
    const problem = { message: { default_branch: ['does not exist in the repository'] } };
    expect(await change('nowhere')).toMatchObject({ status: 400, body: problem });
    expect(await change('nex')).toMatchObject({ status: 400, body: problem });
    expect(await project()).toMatchObject({ default_branch: 'next' });
    expect(await head(path)).toBe('refs/heads/next');
  });

  it('keeps HEAD if the change is rolled back', async () => {
    const { path } = await push(created('main', first), created('next', first));
    isBranchRefused = true;
    expect(await change('next')).toMatchObject({ status: 500 });
    expect(await project()).toMatchObject({ default_branch: 'main' });
    expect(await head(path)).toBe('refs/heads/main');
  });

  it('changes HEAD later if the process was lost after the commit', async () => {
    const { path } = await push(created('main', first), created('next', first));
    await api.sql(`update projects set default_branch = 'next' where id = $1`, [projectId]);
    expect(await head(path)).toBe('refs/heads/main');
    await push(created('third', first));
    await until(async () => (await head(path)) === 'refs/heads/next');
  });

  it('accepts any name while there is no branch', async () => {
    expect(await change('trunk')).toMatchObject({ status: 200 });
    expect(await change('a/.b')).toMatchObject({ status: 400 });
    const empty = await api.app
      .get(RepositoriesService, { strict: false })
      .ensure(projectRepository(projectId));
    expect(await change('later')).toMatchObject({ status: 200 });
    expect(await head(empty.path)).toBe('refs/heads/later');
  });

  it('waits for the end of a move', async () => {
    await push(created('main', first), created('next', first));
    await api.sql('update projects set repository_read_only = true where id = $1', [projectId]);
    expect(await change('next')).toMatchObject({
      status: 400,
      body: { message: 'The repository is temporarily read-only. Please try again later.' },
    });
    expect(await project()).toMatchObject({ default_branch: 'main' });
  });
});
