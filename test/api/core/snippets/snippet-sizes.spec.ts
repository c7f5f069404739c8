import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { until } from '../../../support/until.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Sizes {
  readonly snippets_size: number;
  readonly storage_size: number;
}

let api: TestApi;
let groupId: number;
let projectId: number;

beforeAll(async () => {
  api = await borrowApi();
  groupId = (await buildGroup(api)).id;
  projectId = (await buildProject(api.root, { namespace_id: groupId })).id;
});
afterAll(() => api.close());

const sizes = async (): Promise<Sizes> =>
  (await api.root.get<{ statistics: Sizes }>(`/projects/${projectId}?statistics=true`)).body.statistics;

const addSnippet = async (): Promise<number> =>
  (
    await api.root.post<{ id: number }>(`/projects/${projectId}/snippets`, {
      title: 'A',
      file_name: 'a.txt',
      content: 'one',
      visibility: 'private',
    })
  ).body.id;

const sizeOf = async (id: number): Promise<number> => {
  const [row] = await api.sql<{ size: number }>(
    `select size_bytes::int as size from repositories where owner_type = 'Snippet' and owner_id = $1`,
    [id],
  );
  return row?.size ?? 0;
};

it('adds up the snippets of a project, without those that are removed', async () => {
  const first = await addSnippet();
  const second = await addSnippet();
  await until(async () => (await sizeOf(first)) > 0 && (await sizeOf(second)) > 0);
  const firstSize = await sizeOf(first);
  const secondSize = await sizeOf(second);
  expect(await sizes()).toMatchObject({
    snippets_size: firstSize + secondSize,
    storage_size: firstSize + secondSize,
  });
  const { body } = await api.root.get<{ id: number; statistics: Sizes }[]>('/groups?statistics=true');
  expect(body.find(({ id }) => id === groupId)?.statistics.snippets_size).toBe(firstSize + secondSize);
  expect((await api.root.delete(`/projects/${projectId}/snippets/${first}`)).status).toBe(204);
  expect((await sizes()).snippets_size).toBe(secondSize);
});

it('adds up those that were measured before as soon as one changes', async () => {
  const before = await sizes();
  expect(before.snippets_size).toBeGreaterThan(0);
  await api.sql('delete from project_statistics where project_id = $1', [projectId]);
  const added = await addSnippet();
  await until(async () => (await sizeOf(added)) > 0);
  expect((await sizes()).snippets_size).toBe(before.snippets_size + (await sizeOf(added)));
});
