import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { borrowApi } from '../../../support/shared-api.js';

const MILLION = 1_000_000;
const ISSUES = 20;

describe('lists with long records', () => {
  let api: TestApi;
  let path: string;
  beforeAll(async () => {
    api = await borrowApi();
    const { id } = await buildProject(api.root);
    path = `/projects/${id}/issues`;
    const first = await api.root.post<{ id: number }>(path, { title: 'Long' });
    await api.sql(`update issues set description = repeat('x', ${MILLION}) where id = $1`, [first.body.id]);
    await api.sql(
      `insert into issues (project_id, iid, title, author_id, description)
        select project_id, n, title, author_id, description from issues, generate_series(2, ${ISSUES}) n where id = $1`,
      [first.body.id],
    );
  });
  afterAll(() => api.close());

  it.each(['?', '?search=Long&in=title&'])(
    '%s are refused if they exceed the limit of a request',
    async (query) => {
      const all = `${path}${query}per_page=100`;
      const others = Array.from({ length: 20 }, () => api.root.get('/user'));
      const refused = await api.root.get(all);
      expect([refused.status, refused.body]).toEqual([
        422,
        { message: '422 Unprocessable Entity - the records take more than 16 MiB, ask for fewer at a time' },
      ]);
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array(20).fill(200));
      const some = await api.root.get<{ description: string }[]>(`${path}${query}per_page=10`);
      expect(some.body.map(({ description }) => description.length)).toEqual(Array(10).fill(MILLION));
      expect((await api.root.get(all)).status).toBe(422);
    },
  );
});
