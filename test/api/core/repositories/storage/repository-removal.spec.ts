import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Transactions } from '#kernel/database/transactions.js';
import { Role } from '#kernel/access/roles.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { RepositoryWritesService } from '#core/repositories/pushes/repository-writes.service.js';
import { RepositoryRemovalService } from '#core/repositories/removal/repository-removal.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import {
  projectRepository,
  relativePath,
  snippetRepository,
  wikiRepository,
  type RepositoryRef,
} from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { seedRepository, WorkingCopy } from '../../../../support/git.js';
import { makeUnremovable, removeUnremovable } from '../../../../support/unremovable.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
let folder: string;
let work: WorkingCopy;
let commit: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-removal-'));
  api = await startApi({ REPOSITORY_STORAGES: `default=${folder}/default,second=${folder}/second` });
  work = await new WorkingCopy().init();
  commit = await work.commit({ a: '1' });
});
afterAll(async () => {
  work.remove();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const seed = (ref: RepositoryRef): Promise<{ id: number; path: string }> => seedRepository(api, ref, work);

async function create(kind: 'projects' | 'groups', more: object = {}): Promise<number> {
  const name = `removed-${randomUUID()}`;
  return (await api.root.post<{ id: number }>(`/${kind}`, { name, path: name, ...more })).body.id;
}

async function createSnippet(projectId: number): Promise<number> {
  const insert = `insert into snippets (project_id, author_id, title, visibility) values ($1, 1, 'a', 'private') returning id`;
  const [row] = await api.sql<{ id: number }>(insert, [projectId]);
  return (row as { id: number }).id;
}

/** All entries on all storages that start with the digest of an owner. */
function foldersOf(ref: RepositoryRef): string[] {
  return ['default', 'second'].flatMap((storage) => {
    const parent = join(folder, storage, dirname(relativePath(ref)));
    const digest = basename(relativePath(ref)).split('.')[0] as string;
    return existsSync(parent) ? readdirSync(parent).filter((name) => name.startsWith(digest)) : [];
  });
}

const gone = (...refs: RepositoryRef[]): Promise<unknown> =>
  until(async () => {
    const rows = await Promise.all(
      refs.map(({ ownerType, ownerId }) =>
        api.sql('select 1 from repositories where owner_type = $1 and owner_id = $2', [ownerType, ownerId]),
      ),
    );
    return rows.flat().length === 0 && refs.flatMap(foldersOf).length === 0;
  });

describe('repositories of removed owners', () => {
  it('are removed with a project: code, wiki, snippets and copies on every storage', async () => {
    const id = await create('projects');
    const other = await seed(projectRepository(await create('projects')));
    const refs = [
      projectRepository(id),
      wikiRepository('Project', id),
      snippetRepository(await createSnippet(id)),
    ];
    for (const ref of refs) await seed(ref);
    const copy = join(folder, 'second', relativePath(projectRepository(id)));
    mkdirSync(`${copy}.${randomUUID()}.new`, { recursive: true });
    mkdirSync(copy);
    expect(foldersOf(projectRepository(id))).toHaveLength(4);
    expect((await api.root.delete(`/projects/${id}`)).status).toBe(202);
    await gone(...refs);
    expect(await api.sql('select 1 from snippets where project_id = $1', [id])).toEqual([]);
    expect(existsSync(other.path)).toBe(true);
  });

  it('are removed with a group, including its wiki and its descendants', async () => {
    const id = await create('groups');
    const projectId = await create('projects', { namespace_id: id });
    const refs = [
      wikiRepository('Group', id),
      projectRepository(projectId),
      snippetRepository(await createSnippet(projectId)),
    ];
    for (const ref of refs) await seed(ref);
    expect((await api.root.delete(`/groups/${id}`)).status).toBe(202);
    await gone(...refs);
  });

  it('are removed with the projects of a user', async () => {
    const username = `u${randomUUID().slice(0, 8)}`;
    const user = { username, name: 'U', email: `${username}@example.com`, password: 'correct horse battery' };
    const userId = (await api.root.post<{ id: number }>('/users', { ...user, skip_confirmation: true })).body
      .id;
    const { body } = await api.root.post<{ id: number }>(`/projects/user/${userId}`, { name: 'own' });
    const ref = projectRepository(body.id);
    await seed(ref);
    expect((await api.root.delete(`/users/${userId}`)).status).toBe(204);
    await gone(ref);
  });

  it('are removed again if they were being moved', async () => {
    const id = await create('projects');
    await seed(projectRepository(id));
    await api.sql('update projects set repository_read_only = true where id = $1', [id]);
    await api.root.delete(`/projects/${id}`);
    await gone(projectRepository(id));
    const later = `select payload from background_jobs where name = 'repositories.remove' and run_at > now() + interval '10 minutes'`;
    expect(await api.sql(later)).toEqual([
      { payload: { ownerId: id, ownerType: 'Project', identities: [expect.any(String)] } },
    ]);
  });
});

describe('a repository that cannot be removed', () => {
  it('does not keep the others of its owner', async () => {
    const id = await create('projects');
    const refs = [projectRepository(id), wikiRepository('Project', id)];
    for (const ref of refs) await seed(ref);
    const parent = join(folder, 'default', dirname(relativePath(projectRepository(id))));
    const digest = basename(relativePath(projectRepository(id)), '.git');
    const stuck = Array.from({ length: 4 }, () => join(parent, `${digest}.${randomUUID()}.removed`));
    for (const path of stuck) makeUnremovable(path);
    expect((await api.root.delete(`/projects/${id}`)).status).toBe(202);
    await until(() => foldersOf(projectRepository(id)).length === stuck.length);
    expect(foldersOf(projectRepository(id)).every((name) => name.endsWith('.removed'))).toBe(true);
    for (const name of foldersOf(projectRepository(id))) removeUnremovable(join(parent, name));
  });
});

describe('a push that runs while its project is removed', () => {
  it('is refused before it changes anything', async () => {
    const id = await create('projects');
    const repository = await api.app
      .get(RepositoriesService, { strict: false })
      .ensure(projectRepository(id));
    const change = api.app
      .get(RepositoryWritesService, { strict: false })
      .change(repository, { userId: 1, role: Role.Admin, via: 'git' }, async () => {
        await api.root.delete(`/projects/${id}`);
        await gone(projectRepository(id));
        return [{ ref: 'refs/heads/main', before: NO_OBJECT, after: commit }];
      });
    await expect(change).rejects.toMatchObject({ status: 404 });
    expect(foldersOf(projectRepository(id))).toEqual([]);
    expect(await api.sql('select 1 from running_pushes')).toEqual([]);
  });

  it('cannot start once the project is removed', async () => {
    const id = await create('projects');
    const repositories = api.app.get(RepositoriesService, { strict: false });
    await repositories.ensure(projectRepository(id));
    await api.root.delete(`/projects/${id}`);
    await gone(projectRepository(id));
    await until(async () => (await api.sql('select 1 from projects where id = $1', [id])).length === 0);
    await expect(repositories.ensure(projectRepository(id))).rejects.toMatchObject({ status: 404 });
    expect(foldersOf(projectRepository(id))).toEqual([]);
  });
});

describe('RepositoryRemovalService', () => {
  it('keeps folders whose owner still exists', async () => {
    const id = await create('projects');
    const { path } = await seed(projectRepository(id));
    await api.app
      .get(Transactions)
      .run((tx) => api.app.get(RepositoryRemovalService, { strict: false }).remove(tx, 'Project', id));
    const tried = `select 1 from background_jobs where name = 'repositories.remove' and attempt > 0 and payload @> $1`;
    const payload = JSON.stringify({ ownerType: 'Project', ownerId: id });
    await until(async () => (await api.sql(tried, [payload])).length > 0);
    expect(existsSync(path)).toBe(true);
  });
});
