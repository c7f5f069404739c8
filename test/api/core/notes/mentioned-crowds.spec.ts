import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVERYBODY } from '#core/notes/participants/mentions.service.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';

const USERS = 20_000;
const MEMBERS = 2_000;
/** The owner of the group. */
const ROOT = 1;

interface Plan {
  readonly 'Shared Hit Blocks': number;
}

describe('mentions of many users', () => {
  let api: TestApi;
  let group: BuiltGroup;
  let path: string;
  let projectId: number;
  beforeAll(async () => {
    api = await startApi();
    group = await buildGroup(api);
    const project = await buildProject(api.root, { namespace_id: group.id });
    projectId = project.id;
    path = `/projects/${project.id}/issues/${(await buildIssue(api.root, project.id)).iid}/notes`;
    await api.sql(
      `insert into users (username, name, email, confirmed_at)
       select 'many-' || n, 'Many', 'many-' || n || '@example.com', now() from generate_series(1, ${USERS}) n`,
    );
    await api.sql(
      `insert into members (user_id, source_type, source_id, access_level)
       select id, case when id % 2 = 0 then 'Namespace' else 'Project' end, case when id % 2 = 0 then $1::bigint else $2 end, 30
       from users where username like 'many-%' order by id desc limit ${MEMBERS}`,
      [group.id, project.id],
    );
    await api.sql('analyze');
  });
  afterAll(() => api.close());

  const mentioned = async (body: string): Promise<number> => {
    const { status, body: note } = await api.root.post<{ id: number }>(path, { body });
    expect(status).toBe(201);
    return (await api.sql('select 1 from mentions where note_id = $1', [note.id])).length;
  };

  it('read the members, not all users of the instance', async () => {
    expect(await mentioned('@all')).toBe(MEMBERS + ROOT);
    expect(await mentioned(`@${group.path}`)).toBe(MEMBERS / 2 + ROOT);
    const [plan] = await api.sql<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${EVERYBODY}`,
      [projectId, null],
    );
    // Four pages for each of them; the search of all users read a hundred times as many.
    expect(plan?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(10 * MEMBERS);
  });
});
