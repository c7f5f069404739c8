import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { HeadFollowingService } from '#core/repositories/effects/head-following.service.js';
import { GIT_KINDS, type GitKind } from '#core/repositories/git/processes/git-kinds.js';
import { takeSlot, type TakenSlot } from '#core/repositories/git/processes/git-slots.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { pushRefs, WorkingCopy } from '../../../support/git.js';
import { untilBlocking, untilIdle } from '../../../support/lock-waits.js';
import { until } from '../../../support/until.js';

interface Project {
  readonly id: number;
  readonly default_branch: string;
  readonly empty_repo: boolean;
  readonly readme_url: string | null;
}

let api: TestApi;
let work: WorkingCopy;
let commit: string;
let id: number;

beforeAll(async () => {
  api = await startApi();
  work = await new WorkingCopy().init();
  commit = await work.commit({ 'README.md': '# Web\n' }, 'First');
});
afterAll(async () => {
  work.remove();
  await api.close();
});

beforeEach(async () => {
  id = (await api.root.post<Project>('/projects', { name: `slow-${randomUUID()}` })).body.id;
});

const repository = (): Promise<OpenRepository> =>
  api.app.get(RepositoriesService, { strict: false }).ensure(projectRepository(id));

const project = async (): Promise<Project> => (await api.root.get<Project>(`/projects/${id}`)).body;

const push = (...branches: readonly string[]): Promise<OpenRepository> =>
  pushRefs(
    api,
    projectRepository(id),
    work,
    branches.map((branch) => ({ ref: `refs/heads/${branch}`, before: NO_OBJECT, after: commit })),
  );

const head = (path: string): Promise<string> => work.git('--git-dir', path, 'symbolic-ref', 'HEAD');

/** Takes all places of these kinds: whoever needs git waits until they are given back. */
const hold = (...kinds: readonly GitKind[]): Promise<TakenSlot[]> =>
  Promise.all(
    kinds.flatMap((kind) =>
      Array.from({ length: GIT_KINDS[kind].width }, (_, n) => takeSlot(kind, `/held/${n}`)),
    ),
  );

const giveBack = (held: readonly TakenSlot[]): void => held.forEach(({ release }) => release());

const untilWaitedFor = (held: readonly TakenSlot[]): Promise<number> =>
  until(() => held.some((place) => place.isWaitedFor()));

/** Another change of the project is answered. */
const expectChangeable = async (): Promise<void> =>
  expect((await api.root.put(`/projects/${id}`, { description: 'Meanwhile' })).status).toBe(200);

/** Begins a write, and does `meanwhile` while it waits for the lock of the project. */
async function locked<T>(
  begin: () => Promise<T>,
  meanwhile: (tx: EntityManager) => Promise<unknown>,
): Promise<{ readonly written: Promise<T> }> {
  await repository();
  return api.app.get(DataSource).transaction(async (tx) => {
    // As pushes that begin do.
    await tx.query('select 1 from projects where id = $1 for share', [id]);
    const written = begin();
    await untilBlocking(api, tx);
    await meanwhile(tx);
    return { written };
  });
}

describe('the first push', () => {
  it('is recorded without git, as the project is locked then', async () => {
    const actions = [{ action: 'create', file_path: 'README.md', content: '# Web' }];
    const commits = { branch: 'main', commit_message: 'First', actions };
    let held: TakenSlot[] = [];
    const { written: pushed } = await locked(
      () => api.root.post(`/projects/${id}/repository/commits`, commits),
      async () => void (held = await hold('read', 'walk', 'background')),
    );
    try {
      await until(async () => !(await project()).empty_repo);
      await expectChangeable();
    } finally {
      giveBack(held);
    }
    expect((await pushed).status).toBe(201);
    const readme = expect.stringMatching(/\/-\/blob\/main\/README\.md$/);
    expect(await project()).toMatchObject({ default_branch: 'main', empty_repo: false, readme_url: readme });
  });

  it.each([
    ['other', 'other', 'the one configured meanwhile'],
    ['nowhere', 'first', 'the first, as the one configured meanwhile is not there'],
  ])('makes of a default branch changed to %s the default branch %s: %s', async (configured, chosen) => {
    const change = 'update projects set default_branch = $2 where id = $1';
    const { written: pushed } = await locked(
      () => push('first', 'other'),
      (tx) => tx.query(change, [id, configured]),
    );
    const { path } = await pushed;
    expect(await project()).toMatchObject({ default_branch: chosen, empty_repo: false });
    expect(await head(path)).toBe(`refs/heads/${chosen}`);
    const names = await api.sql('select name from protected_refs where project_id = $1', [id]);
    expect(names).toEqual([{ name: chosen }]);
    await until(async () => (await project()).readme_url?.endsWith(`/blob/${chosen}/README.md`) === true);
  });
});

describe('a change of the default branch', () => {
  it('holds up nothing else of the project while git looks for the branch', async () => {
    const { path } = await push('main', 'next');
    const held = await hold('read');
    const changing = api.root.put(`/projects/${id}`, { default_branch: 'next' });
    try {
      await untilWaitedFor(held);
      await expectChangeable();
    } finally {
      giveBack(held);
    }
    expect(await changing).toMatchObject({ status: 200, body: { default_branch: 'next' } });
    expect(await head(path)).toBe('refs/heads/next');
  });

  it('is refused if the first push was recorded since git found no branch', async () => {
    const { path } = await repository();
    const { written: changing } = await locked(
      () => api.root.put(`/projects/${id}`, { default_branch: 'nowhere' }),
      async (tx) => {
        await work.git('push', '--quiet', path, 'HEAD:refs/heads/main');
        await tx.query('update projects set empty_repo = false where id = $1', [id]);
      },
    );
    const problem = { message: { default_branch: ['does not exist in the repository'] } };
    expect(await changing).toMatchObject({ status: 400, body: problem });
    expect(await project()).toMatchObject({ default_branch: 'main' });
  });

  it('needs no git if it names the present one', async () => {
    await push('main');
    const held = await hold('read');
    try {
      expect(await api.root.put(`/projects/${id}`, { default_branch: 'main' })).toMatchObject({
        status: 200,
      });
    } finally {
      giveBack(held);
    }
  });
});

describe('HEAD', () => {
  const setBranch = (branch: string) =>
    api.sql('update projects set default_branch = $2 where id = $1', [id, branch]);

  async function followed(meanwhile: () => Promise<unknown>): Promise<string> {
    const pushed = await push('main', 'next');
    await untilIdle(api);
    await setBranch('next');
    const held = await hold('background');
    const following = api.app.get(HeadFollowingService, { strict: false }).follow(pushed);
    try {
      await untilWaitedFor(held);
      await meanwhile();
    } finally {
      giveBack(held);
      await following;
    }
    return head(pushed.path);
  }

  it('holds up nothing else of the project while git looks for the branch', async () => {
    expect(await followed(expectChangeable)).toBe('refs/heads/next');
  });

  it('holds up nothing else of the project while git sets it, and follows a change meanwhile', async () => {
    const pushed = await push('main', 'next');
    await untilIdle(api);
    await setBranch('next');
    let held: TakenSlot[] = [];
    const { following } = await api.app.get(DataSource).transaction(async (tx) => {
      await tx.query('select 1 from projects where id = $1 for update', [id]);
      const begun = api.app.get(HeadFollowingService, { strict: false }).follow(pushed);
      await untilBlocking(api, tx);
      held = await hold('background');
      return { following: begun };
    });
    try {
      await untilWaitedFor(held);
      await expectChangeable();
      await setBranch('main');
    } finally {
      giveBack(held);
      await following;
    }
    expect(await head(pushed.path)).toBe('refs/heads/main');
  });

  it('is left to the next change of the default branch', async () => {
    expect(await followed(() => setBranch('main'))).toBe('refs/heads/main');
  });
});
