import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { PruneUnfinishedSnippetsProcessor } from '#core/snippets/writes/prune-unfinished-snippets.processor.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';

let api: TestApi;
let ada: CreatedUser;

const second = mkdtempSync(join(tmpdir(), 'forgeplane-second-'));

beforeAll(async () => {
  api = await startApi({ REPOSITORY_STORAGES: `default=${join(second, 'default')},second=${second}` });
  ada = await createUser(api);
});
afterAll(async () => {
  await api.close();
  rmSync(second, { recursive: true, force: true });
});

const get = <T>(type: new (...args: never[]) => T): T => api.app.get(type, { strict: false });

const given = { title: 'A', file_name: 'a.txt', content: 'one' };

const make = async (): Promise<number> => (await ada.client.post<{ id: number }>('/snippets', given)).body.id;

const pathOf = async (id: number): Promise<string> =>
  (await get(RepositoriesService).open(snippetRepository(id))).path;

describe('snippets that are removed', () => {
  const gone = async (id: number, path: string): Promise<void> => {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const rows = await api.sql(
        `select 1 from snippets where id = $1 union all select 1 from repositories where owner_type = 'Snippet' and owner_id = $1`,
        [id],
      );
      if (rows.length === 0 && !existsSync(path)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`Snippet ${id} is still there`);
  };

  it('take their repository with them', async () => {
    const id = await make();
    const path = await pathOf(id);
    expect(existsSync(path)).toBe(true);
    expect((await ada.client.delete(`/snippets/${id}`)).status).toBe(204);
    await gone(id, path);
  });

  it('are removed with their author, but stay in their project until it is removed', async () => {
    const bob = await createUser(api);
    const eve = await createUser(api);
    const project = await buildProject(api.root);
    const made: number[] = [];
    for (const { id: userId, client } of [bob, eve]) {
      await api.root.post(`/projects/${project.id}/members`, { user_id: userId, access_level: 30 });
      for (const path of ['/snippets', `/projects/${project.id}/snippets`])
        made.push((await client.post<{ id: number }>(path, given)).body.id);
    }
    const paths = await Promise.all(made.map(pathOf));
    expect((await api.root.delete(`/users/${bob.id}`)).status).toBe(204);
    expect((await api.root.delete(`/users/${eve.id}?hard_delete=true`)).status).toBe(204);
    for (const index of [0, 2, 3]) await gone(made[index] ?? 0, paths[index] ?? '');
    const kept = await api.root.get(`/projects/${project.id}/snippets/${made[1]}`);
    expect(kept.body).toMatchObject({ author: { username: 'ghost' }, file_name: 'a.txt' });
    expect((await api.root.get(`/snippets/${made[1]}/raw`)).text).toBe('one');
    expect((await api.root.delete(`/projects/${project.id}`)).status).toBe(202);
    await gone(made[1] ?? 0, paths[1] ?? '');
  });

  it('are stored according to the weights of the storages', async () => {
    await api.root.put('/application/settings', {
      repository_storages_weighted: { default: 0, second: 100 },
    });
    const id = await make();
    expect((await api.root.get(`/snippets/${id}`)).body).toMatchObject({ repository_storage: 'second' });
    const path = await pathOf(id);
    expect(path.startsWith(join(second, '@snippets'))).toBe(true);
    expect((await api.root.get('/snippets/all?repository_storage=second')).body).toHaveLength(1);
    expect((await ada.client.delete(`/snippets/${id}`)).status).toBe(204);
    await gone(id, path);
  });

  it('include those that were never finished', async () => {
    const unfinished = async (age: string): Promise<number> => {
      const [row] = await api.sql<{ id: number }>(
        `insert into snippets (author_id, title, visibility, created_at) values ($1, 'x', 'private', now() - $2::interval) returning id`,
        [ada.id, age],
      );
      return row?.id ?? 0;
    };
    const [old, young] = [await unfinished('2 hours'), await unfinished('1 minute')];
    const finished = await make();
    await api.sql(`update snippets set created_at = now() - interval '2 hours' where id = $1`, [finished]);
    const { path } = await get(RepositoriesService).ensure(snippetRepository(old));
    const context = { signal: new AbortController().signal } as JobContext;
    await get(PruneUnfinishedSnippetsProcessor).process({}, context);
    await gone(old, path);
    expect(await api.sql('select 1 from snippets where id = any($1)', [[young, finished]])).toHaveLength(2);
  });
});
