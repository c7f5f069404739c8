import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { buildToken } from '../../../support/builders/token.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { allRead, mentionsOf } from '../../../support/mentions.js';
import { readsDuring } from '../../../support/watched-reads.js';

const MANY = 2_000;

let api: TestApi;
let web: BuiltProject;
let secret: BuiltProject;
let reader: CreatedUser;

beforeAll(async () => {
  api = await startApi();
  web = await buildProject(api.root, { visibility: 'public' });
  secret = await buildProject(api.root, { visibility: 'private' });
  reader = await createUser(api);
});
afterAll(() => api.close());

/** Mentions an issue in thousands of issues of a project. */
async function mentionOften(targetId: number, project: BuiltProject): Promise<void> {
  for (const statement of [
    `insert into issues (project_id, iid, title) select $2, 10000 + n, $1::text || $3::text from generate_series(1, ${MANY}) n`,
    `insert into notes (noteable_type, noteable_id, project_id, discussion_id, body, system, system_action)
     select 'Issue', $1, $3, 'd' || id, 'mentioned in issue #' || iid, true, 'cross_reference' from issues where project_id = $2 and iid > 10000`,
    `insert into note_sources (note_id, target_type, target_id, source_type, source_id, is_mention)
     select n.id, 'Issue', $1, 'Issue', i.id, true from issues i join notes n on n.discussion_id = 'd' || i.id
     where i.project_id = $2 and i.iid > 10000 and n.project_id = $3`,
  ])
    await api.sql(statement, [targetId, project.id, web.id]);
}

it('reads notes with thousands of sources in as many statements as without, and counts those that the reader can read', async () => {
  const plain = await buildIssue(reader.client, web.id);
  const named = await buildIssue(reader.client, web.id);
  for (const project of [web, secret]) await mentionOften(named.id, project);
  await api.sql('analyze notes, note_sources, issues');
  const statements = async (iid: number, list: string): Promise<[number, string | null, number]> => {
    let found: [number, string | null] = [0, null];
    const reads = await readsDuring(api, async () => {
      const path = `/projects/${web.id}/issues/${iid}/${list}?per_page=100`;
      const { body, headers } = await reader.client.get<unknown[]>(path);
      found = [body.length, headers.get('x-total')];
    });
    return [...found, reads.length];
  };
  await reader.client.post(`/projects/${web.id}/issues/${plain.iid}/notes`, { body: 'Alone' });
  for (const list of ['notes', 'discussions']) {
    const [one, , without] = await statements(plain.iid, list);
    const [hundred, total, withMany] = await statements(named.iid, list);
    expect([one, hundred, total]).toEqual([1, 100, String(MANY)]);
    // If a page is not full, the rest need not be counted.
    expect(withMany).toBeLessThanOrEqual(without + 1);
  }
});

it('writes no notes for administrators without admin mode on objects that they could not read otherwise', async () => {
  const hidden = await buildIssue(api.root, secret.id);
  const other = await createUser(api, { admin: true });
  const scoped = api.as((await buildToken(api, 1, { scopes: ['api', 'admin_mode'] })).token);
  const text = `${secret.path_with_namespace}#${hidden.iid}`;
  await api.root.put('/application/settings', { admin_mode: true });
  try {
    await buildIssue(other.client, web.id, { description: text });
    await allRead(api);
  } finally {
    await scoped.put('/application/settings', { admin_mode: false });
  }
  const path = `/projects/${secret.id}/issues/${hidden.iid}`;
  expect(await mentionsOf(api, api.root, path)).toEqual([]);
  await buildIssue(other.client, web.id, { description: text });
  expect(await mentionsOf(api, api.root, path)).toHaveLength(1);
});
