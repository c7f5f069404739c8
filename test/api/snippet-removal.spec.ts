import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { Transactions } from '#kernel/database/transactions.js';
import { Repositories } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { RemoveSnippets } from '#core/snippets/remove-snippets.js';
import { startApi, type TestApi } from '../support/api.js';
import { buildProject } from '../support/builders/project.js';
import { createUser, type CreatedUser } from '../support/builders/user.js';

let api: TestApi;
let ada: CreatedUser;

beforeAll(async () => {
  api = await startApi();
  ada = await createUser(api);
});
afterAll(() => api.close());

const get = <T>(type: new (...args: never[]) => T): T => api.app.get(type, { strict: false });

const given = { title: 'A', file_name: 'a.txt', content: 'one' };

const make = async (): Promise<number> => (await ada.client.post<{ id: number }>('/snippets', given)).body.id;

const pathOf = async (id: number): Promise<string> =>
  (await get(Repositories).open(snippetRepository(id))).path;

describe('snippets that go', () => {
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

  it('go with their author, and with their project', async () => {
    const bob = await createUser(api);
    const project = await buildProject(api.root);
    await api.root.post(`/projects/${project.id}/members`, { user_id: bob.id, access_level: 30 });
    const personal = (await bob.client.post<{ id: number }>('/snippets', given)).body.id;
    const within = (await bob.client.post<{ id: number }>(`/projects/${project.id}/snippets`, given)).body.id;
    const others = (await api.root.post<{ id: number }>(`/projects/${project.id}/snippets`, given)).body.id;
    const paths = await Promise.all([personal, within, others].map(pathOf));
    expect((await api.root.delete(`/users/${bob.id}`)).status).toBe(204);
    await gone(personal, paths[0] ?? '');
    await gone(within, paths[1] ?? '');
    expect((await api.root.get(`/snippets/${others}`)).status).toBe(200);
    expect((await api.root.delete(`/projects/${project.id}`)).status).toBe(202);
    await gone(others, paths[2] ?? '');
  });

  it('are also those that were never finished', async () => {
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
    const { path } = await get(Repositories).ensure(snippetRepository(old));
    expect(await get(Transactions).run((tx) => get(RemoveSnippets).removeUnfinished(tx))).toBe(1);
    await gone(old, path);
    expect(await api.sql('select 1 from snippets where id = any($1)', [[young, finished]])).toHaveLength(2);
  });
});
