import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface SnippetBody {
  readonly id: number;
  readonly title: string;
}

let api: TestApi;
/** Members by their level, and a user who is not a member. */
const people = new Map<number, CreatedUser>();
let projectId: number;

const person = (level: number): ApiClient => {
  const found = people.get(level);
  if (!found) throw new Error(`Nobody has ${level}`);
  return found.client;
};

beforeAll(async () => {
  api = await borrowApi();
  for (const level of [0, 10, 20, 30, 40]) people.set(level, await createUser(api));
});
afterAll(() => api.close());

beforeEach(async () => {
  projectId = await project('private');
});

/** Creates a project with users of all roles. */
async function project(visibility: string): Promise<number> {
  const { id } = await buildProject(api.root, { visibility });
  for (const [level, { id: userId }] of people)
    if (level > 0) await api.root.post(`/projects/${id}/members`, { user_id: userId, access_level: level });
  return id;
}

const post = (
  client: ApiClient,
  values: object = {},
  id: number | string = projectId,
): Promise<Answer<SnippetBody>> =>
  client.post(`/projects/${id}/snippets`, {
    title: 'A',
    files: [{ file_path: 'a.txt', content: 'one' }],
    visibility: 'private',
    ...values,
  });

async function make(client: ApiClient, values: object = {}): Promise<number> {
  const { status, text, body } = await post(client, values);
  if (status !== 201) throw new Error(`Snippet not created: ${status} ${text}`);
  return body.id;
}

const statuses = (call: (client: ApiClient) => Promise<Answer>): Promise<number[]> =>
  Promise.all(
    [api.anonymous, ...[0, 10, 20, 30, 40].map(person), api.root].map(
      async (client) => (await call(client)).status,
    ),
  );

describe('snippets of a project', () => {
  it('have URLs below the project', async () => {
    const { path_with_namespace: path } = (await api.root.get(`/projects/${projectId}`)).body;
    const { status, body } = await post(person(20));
    expect(status).toBe(201);
    const web = `http://forgeplane.test/${String(path)}`;
    const raw = `http://forgeplane.test/api/v4/projects/${projectId}/snippets/${body.id}`;
    expect(body).toMatchObject({
      project_id: projectId,
      web_url: `${web}/-/snippets/${body.id}`,
      raw_url: `${raw}/raw`,
      http_url_to_repo: `${web}/snippets/${body.id}.git`,
      ssh_url_to_repo: null,
      files: [{ path: 'a.txt', raw_url: `${raw}/files/main/a.txt/raw` }],
    });
    expect((await person(10).get(`/projects/${projectId}/snippets/${body.id}`)).body).toEqual(body);
    expect((await person(10).get(`/snippets/${body.id}`)).body).toEqual(body);
    expect((await person(10).get<SnippetBody[]>(`/projects/${projectId}/snippets`)).body).toEqual([body]);
    expect((await person(10).get(`/projects/${projectId}/snippets/${body.id}/raw`)).text).toBe('one');
    expect(
      (await person(10).get(`/projects/${projectId}/snippets/${body.id}/files/main/a.txt/raw`)).text,
    ).toBe('one');
  });

  it('are created by Reporters, and changed by their author and Maintainers', async () => {
    expect(await statuses((client) => post(client))).toEqual([401, 404, 403, 201, 201, 201, 201]);
    const id = await make(person(20));
    const path = `/projects/${projectId}/snippets/${id}`;
    expect(await statuses((client) => client.put(path, { title: 'B' }))).toEqual([
      401, 404, 403, 200, 403, 200, 200,
    ]);
    expect(await statuses((client) => client.put(`/snippets/${id}`, { title: 'C' }))).toEqual([
      401, 404, 403, 200, 403, 200, 200,
    ]);
    expect((await person(30).delete(path)).status).toBe(403);
    expect((await person(20).put(path, { content: 'two' })).status).toBe(200);
    expect((await person(40).delete(path)).status).toBe(204);
    expect((await person(40).get(path)).body).toEqual({ message: '404 Snippet Not Found' });
  });

  it('can no longer be changed by an author who left the project', async () => {
    projectId = await project('public');
    const id = await make(person(20), { visibility: 'public' });
    const hidden = await make(person(20));
    await api.root.delete(`/projects/${projectId}/members/${people.get(20)?.id}`);
    expect((await person(20).put(`/projects/${projectId}/snippets/${id}`, { title: 'B' })).status).toBe(403);
    expect((await person(20).put(`/snippets/${id}`, { title: 'B' })).status).toBe(403);
    expect((await person(20).delete(`/snippets/${id}`)).status).toBe(403);
    expect((await person(20).get(`/snippets/${hidden}`)).status).toBe(200);
  });

  it('are visible according to project and snippet', async () => {
    const open = await project('public');
    const seen = new Map<string, number[]>();
    for (const id of [projectId, open])
      for (const visibility of ['private', 'internal', 'public']) {
        const made = (await post(person(30), { visibility }, id)).body.id;
        const direct = await statuses((client) => client.get(`/projects/${id}/snippets/${made}`));
        expect(await statuses((client) => client.get(`/snippets/${made}/raw`))).toEqual(direct);
        seen.set(`${id === open ? 'public' : 'private'} ${visibility}`, direct);
      }
    const members = [200, 200, 200, 200, 200];
    expect(Object.fromEntries(seen)).toEqual({
      'private private': [404, 404, ...members],
      'private internal': [404, 404, ...members],
      'private public': [404, 404, ...members],
      'public private': [404, 404, ...members],
      'public internal': [404, 200, ...members],
      'public public': [200, 200, ...members],
    });
    const listed = async (client: ApiClient): Promise<number> =>
      (await client.get<SnippetBody[]>(`/projects/${open}/snippets`)).body.length;
    expect(await Promise.all([listed(api.anonymous), listed(person(0)), listed(person(10))])).toEqual([
      1, 2, 3,
    ]);
    const mine = async (client: ApiClient): Promise<number> =>
      (await client.get<{ project_id: number }[]>('/snippets/all')).body.filter((one) =>
        [projectId, open].includes(one.project_id),
      ).length;
    expect(await Promise.all([mine(person(0)), mine(person(10)), mine(api.root)])).toEqual([2, 6, 6]);
    expect((await api.anonymous.get<SnippetBody[]>('/snippets/public')).body).toEqual([]);
  });

  it('are not accessible if the project has disabled them', async () => {
    projectId = await project('public');
    const id = await make(person(30), { visibility: 'public' });
    await api.root.put(`/projects/${projectId}`, { snippets_access_level: 'private' });
    const path = `/projects/${projectId}/snippets`;
    expect(await statuses((client) => client.get(path))).toEqual([401, 403, 200, 200, 200, 200, 200]);
    expect(await statuses((client) => client.get(`/snippets/${id}`))).toEqual([
      404, 404, 200, 200, 200, 200, 200,
    ]);
    await api.root.put(`/projects/${projectId}`, { snippets_access_level: 'disabled' });
    expect(await statuses((client) => client.get(path))).toEqual([401, 403, 403, 403, 403, 403, 403]);
    expect((await person(30).get(`/snippets/${id}`)).status).toBe(404);
    expect((await person(30).put(`/snippets/${id}`, { title: 'B' })).status).toBe(404);
    expect((await person(30).get<SnippetBody[]>('/snippets')).body.map((one) => one.id)).not.toContain(id);
    expect((await person(30).get<SnippetBody[]>('/snippets/all')).body.map((one) => one.id)).not.toContain(
      id,
    );
    expect((await post(person(30))).status).toBe(403);
  });

  it('cannot be changed while the project is archived', async () => {
    const id = await make(person(30));
    await api.root.post(`/projects/${projectId}/archive`);
    expect((await post(person(30))).status).toBe(403);
    expect((await person(30).put(`/projects/${projectId}/snippets/${id}`, { title: 'B' })).status).toBe(403);
    expect((await person(30).put(`/snippets/${id}`, { title: 'B' })).status).toBe(403);
    expect((await person(30).get(`/snippets/${id}`)).status).toBe(200);
  });

  it('are found only through their own project', async () => {
    const id = await make(person(30));
    const other = (await buildProject(person(0))).id;
    const personal = (
      await person(0).post<SnippetBody>('/snippets', { title: 'P', file_name: 'a', content: 'b' })
    ).body.id;
    const through = `/projects/${other}/snippets`;
    for (const client of [person(0), api.root])
      for (const wrong of [id, personal]) {
        const answers = await Promise.all([
          client.get(`${through}/${wrong}`),
          client.get(`${through}/${wrong}/raw`),
          client.get(`${through}/${wrong}/files/main/a.txt/raw`),
          client.put(`${through}/${wrong}`, { title: 'Mine' }),
          client.delete(`${through}/${wrong}`),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
      }
    expect((await api.root.get(`${through}/${id}/user_agent_detail`)).status).toBe(404);
    expect((await api.root.get(`/projects/${projectId}/snippets/${id}/user_agent_detail`)).status).toBe(200);
    expect((await person(40).get(`/projects/${projectId}/snippets/${id}/user_agent_detail`)).status).toBe(
      403,
    );
  });
});
