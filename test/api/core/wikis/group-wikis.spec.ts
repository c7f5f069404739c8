import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { wikiRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let folder: string;
let dora: CreatedUser;
let gus: CreatedUser;
let sam: CreatedUser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-group-wikis-'));
  api = await startApi({ REPOSITORY_STORAGES: `default=${folder}/a,second=${folder}/b` });
  dora = await createUser(api);
  gus = await createUser(api);
  sam = await createUser(api);
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const weigh = (weights: Record<string, number>) =>
  api.root.put('/application/settings', { repository_storages_weighted: weights });

async function makeGroup(values: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const { id } = await buildGroup(api, values);
  await buildMember(api, `groups/${id}`, dora.id, 30);
  await buildMember(api, `groups/${id}`, gus.id, 10);
  return id;
}

const storageOf = async (id: number): Promise<string | undefined> =>
  (
    await api.sql<{ repository_storage: string }>('select repository_storage from namespaces where id = $1', [
      id,
    ])
  )[0]?.repository_storage;

const page = { title: 'Team rules', content: '*be kind*' };

describe('the wiki of a group', () => {
  it('has pages that are created, read, rendered, listed, changed and removed', async () => {
    const wikis = `/groups/${await makeGroup()}/wikis`;
    expect((await gus.client.get(wikis)).body).toEqual([]);
    const created = await dora.client.post(wikis, page);
    const record = {
      format: 'markdown',
      slug: 'Team-rules',
      title: 'Team rules',
      encoding: 'UTF-8',
      content: '*be kind*',
    };
    expect(created).toMatchObject({ status: 201, body: record });
    expect((await gus.client.get(`${wikis}/Team-rules`)).body).toEqual(record);
    expect((await gus.client.get(`${wikis}/Team-rules?render_html=true`)).body).toEqual({
      ...record,
      content: '<p><em>be kind</em></p>\n',
    });
    expect((await gus.client.get(`${wikis}?with_content=true`)).body).toEqual([record]);
    expect((await dora.client.put(`${wikis}/Team-rules`, { title: 'a/b' })).body).toMatchObject({
      slug: 'a/b',
    });
    expect((await dora.client.delete(`${wikis}/a%2Fb`)).status).toBe(204);
    expect((await gus.client.get(wikis)).body).toEqual([]);
    expect((await dora.client.get(`${wikis}/a%2Fb`)).body).toEqual({
      message: '404 Wiki Page Not Found',
    });
  });

  it('is readable for members or users who can see the group, and writable for Developers', async () => {
    const open = await makeGroup({ visibility: 'public' });
    const closed = await makeGroup();
    for (const id of [open, closed]) await dora.client.post(`/groups/${id}/wikis`, page);
    const read = async ({ client }: { client: CreatedUser['client'] }, id: number): Promise<number> =>
      (await client.get(`/groups/${id}/wikis/Team-rules`)).status;
    const anyone = { client: api.anonymous };
    expect([await read(anyone, open), await read(sam, open), await read(gus, open)]).toEqual([200, 200, 200]);
    expect([await read(anyone, closed), await read(sam, closed), await read(gus, closed)]).toEqual([
      404, 404, 200,
    ]);
    for (const [client, id, status] of [
      [gus.client, closed, 403],
      [sam.client, closed, 404],
      [sam.client, open, 403],
      [api.anonymous, open, 401],
    ] as const) {
      const wikis = `/groups/${id}/wikis`;
      expect((await client.post(wikis, { title: 'x', content: 'x' })).status).toBe(status);
      expect((await client.put(`${wikis}/Team-rules`, { content: 'x' })).status).toBe(status);
      expect((await client.delete(`${wikis}/Team-rules`)).status).toBe(status);
      expect((await client.post(`${wikis}/attachments`)).status).toBe(status);
    }
    await api.root.put(`/groups/${open}`, { wiki_access_level: 'private' });
    expect([await read(anyone, open), await read(sam, open), await read(gus, open)]).toEqual([401, 403, 200]);
    await api.root.put(`/groups/${open}`, { wiki_access_level: 'disabled' });
    expect([await read(anyone, open), await read(dora, open)]).toEqual([401, 403]);
  });

  it('requires the premium plan', async () => {
    const wikis = `/groups/${await makeGroup()}/wikis`;
    await api.root.put('/application/settings', { license_plan: 'free' });
    try {
      for (const answer of [await dora.client.get(wikis), await dora.client.post(wikis, page)])
        expect(answer).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
    } finally {
      await api.root.put('/application/settings', { license_plan: 'ultimate' });
    }
  });

  it('is separate from that of a project with the same id, and of another group', async () => {
    const [mine, other] = [await makeGroup(), await makeGroup()];
    await dora.client.post(`/groups/${mine}/wikis`, page);
    expect((await dora.client.get(`/groups/${other}/wikis/Team-rules`)).status).toBe(404);
    expect((await api.root.get(`/projects/${mine}/wikis/Team-rules`)).status).toBe(404);
  });
});

describe('the storage of the wiki of a group', () => {
  it('is selected by weight when the wiki is created, and stays', async () => {
    const id = await makeGroup();
    expect(await storageOf(id)).toBe('default');
    await weigh({ default: 0, second: 100 });
    await Promise.all(
      [1, 2, 3].map((n) => dora.client.post(`/groups/${id}/wikis`, { title: `p${n}`, content: 'x' })),
    );
    expect(await storageOf(id)).toBe('second');
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(wikiRepository('Group', id));
    expect(path.startsWith(join(folder, 'b'))).toBe(true);
    await weigh({ default: 100, second: 0 });
    await dora.client.post(`/groups/${id}/wikis`, { title: 'p4', content: 'x' });
    expect(await storageOf(id)).toBe('second');
    expect((await dora.client.get<unknown[]>(`/groups/${id}/wikis`)).body).toHaveLength(4);
  });

  it('is the one that the group was moved to before', async () => {
    const id = await makeGroup();
    await api.sql(`update namespaces set repository_storage = 'second' where id = $1`, [id]);
    await weigh({ default: 100, second: 0 });
    await dora.client.post(`/groups/${id}/wikis`, page);
    expect(await storageOf(id)).toBe('second');
  });

  it('does not change while the group is moved', async () => {
    const id = await makeGroup();
    await api.sql('update namespaces set repository_read_only = true where id = $1', [id]);
    await weigh({ default: 0, second: 100 });
    expect(await dora.client.post(`/groups/${id}/wikis`, page)).toMatchObject({
      status: 400,
      body: { message: 'The repository is temporarily read-only. Please try again later.' },
    });
    expect(await storageOf(id)).toBe('default');
  });

  it('is empty once the group is deleted', async () => {
    const id = await makeGroup();
    await dora.client.post(`/groups/${id}/wikis`, page);
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(wikiRepository('Group', id));
    expect(existsSync(path)).toBe(true);
    expect((await api.root.delete(`/groups/${id}`)).status).toBe(202);
    await until(() => !existsSync(path));
    expect(
      await api.sql(`select 1 from repositories where owner_type = 'Group' and owner_id = $1`, [id]),
    ).toEqual([]);
  });
});
