import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync, readdirSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Role } from '#kernel/access/roles.js';
import { buildCommit } from '#core/repositories/git/build-commit.js';
import { findCommit } from '#core/repositories/git/commit-log.js';
import { resolveCommit } from '#core/repositories/git/resolve.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { RepositoryWritesService } from '#core/repositories/pushes/repository-writes.service.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
let projectId: number;

beforeAll(async () => {
  api = await startApi();
  projectId = (await api.root.post<{ id: number }>('/projects', { name: 'code' })).body.id;
});
afterAll(() => api.close());

const root = { userId: 1, role: Role.Admin, via: 'api' } as const;
const ada = { name: 'Ada\n<x>', email: 'ada@example.com' };

/** Makes a ref with a first commit. */
async function firstCommit(ref: string, before = NO_OBJECT): Promise<string> {
  const repositories = api.app.get(RepositoriesService, { strict: false });
  const repository = await repositories.ensure(projectRepository(projectId));
  const [change] = await api.app
    .get(RepositoryWritesService, { strict: false })
    .change(repository, root, async (quarantine) => {
      const changes = [{ path: 'docs/a.txt', content: Buffer.from('one\n') }];
      const commit = { parents: [], changes, message: 'First\n\nlong', author: ada, committer: ada };
      const after = await buildCommit(await quarantine.directory(), commit);
      return [{ ref, before, after }];
    });
  return change?.after ?? '';
}

describe('writing to a repository', () => {
  it('creates commits and refs, and leaves no running push behind', async () => {
    const id = await firstCommit('refs/heads/main');
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(projectRepository(projectId));
    expect(await resolveCommit(path, 'main')).toBe(id);
    expect(await resolveCommit(path, id.slice(0, 10))).toBe(id);
    expect(await resolveCommit(path, 'main..main')).toBeNull();
    expect(await resolveCommit(path, '--all')).toBeNull();
    expect(await findCommit(path, id)).toMatchObject({ title: 'First', authorName: 'Adax', parentIds: [] });
    expect(await findCommit(path, 'f'.repeat(40))).toBeNull();
    expect(await api.sql('select 1 from running_pushes')).toEqual([]);
    expect(await api.sql('select 1 from repositories where pushed_at is not null')).toHaveLength(1);
  });

  it('refuses if the branch is not what the caller has seen', async () => {
    await expect(firstCommit('refs/heads/main')).rejects.toMatchObject({ status: 409 });
    expect(await api.sql('select 1 from running_pushes')).toEqual([]);
  });

  it('does not take the name of a branch for a message of the disk', async () => {
    await firstCommit('refs/heads/quota');
    await expect(firstCommit('refs/heads/quota')).rejects.toMatchObject({ status: 409 });
  });

  it('refuses while the repository is moved, and for refs of the service itself', async () => {
    await expect(firstCommit('refs/environments/x')).rejects.toMatchObject({
      body: { message: expect.stringContaining('cannot be changed') as unknown as string },
    });
    await api.sql('update projects set repository_read_only = true where id = $1', [projectId]);
    await expect(firstCommit('refs/heads/other')).rejects.toMatchObject({
      body: { message: 'The repository is temporarily read-only. Please try again later.' },
    });
    await api.sql('update projects set repository_read_only = false where id = $1', [projectId]);
  });

  it.each([
    ['by the system clock, while the machine was suspended', -31_000, 0],
    ['by the monotonic one, while the system clock was set back', 3_600_000, -31_000],
  ])('refuses if accepting took so long that the push may be lost: %s', async (_, wallMs, steadyMs) => {
    const running = api.app.get(RunningPushesService, { strict: false });
    const repository = await api.app
      .get(RepositoriesService, { strict: false })
      .ensure(projectRepository(projectId));
    const push = (await running.begin(repository, 1)) as string;
    const [now, steady] = [Date.now(), performance.now()];
    const clocks = [
      jest.spyOn(Date, 'now').mockImplementationOnce(() => now + wallMs),
      jest.spyOn(performance, 'now').mockImplementationOnce(() => steady + steadyMs),
    ];
    expect(await running.accept(push, [])).toBe(false);
    for (const clock of clocks) clock.mockRestore();
    await running.cancel(push);
  });

  it('creates no new repository in place of one whose disk is missing', async () => {
    const ref = projectRepository(projectId);
    const repositories = api.app.get(RepositoriesService, { strict: false });
    const folder = api.app.get(StoragesService, { strict: false }).folder('default');
    await repositories.ensure(ref);
    await api.sql('update repositories set size_bytes = 1000 where owner_id = $1', [projectId]);
    renameSync(folder, `${folder}.away`);
    try {
      await expect(repositories.ensure(ref)).rejects.toMatchObject({ status: 503 });
      mkdirSync(folder);
      await expect(repositories.ensure(ref)).rejects.toMatchObject({ status: 503 });
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      renameSync(`${folder}.away`, folder);
    }
    // What was found about the storage is used for a moment.
    await until(() =>
      repositories.ensure(ref).then(
        () => true,
        () => false,
      ),
    );
    expect(existsSync((await repositories.ensure(ref)).path)).toBe(true);
  });

  it('returns 503, and stores no push, if the disk does not accept a ref', async () => {
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(projectRepository(projectId));
    // No one can create a file there, not even root: as on a disk that is full or read-only.
    const folder = join(path, 'refs/heads/broken');
    symlinkSync('/sys/kernel', folder);
    await expect(firstCommit('refs/heads/broken/below')).rejects.toMatchObject({ status: 503 });
    rmSync(folder);
    expect(await api.sql('select 1 from running_pushes')).toEqual([]);
  });
});
