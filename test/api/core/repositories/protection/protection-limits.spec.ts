import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { borrowApi } from '../../../../support/shared-api.js';

const LIMIT = 100;

interface Entry {
  readonly id: number;
}

describe('the number of those who are named in a protection', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let members: { id: number }[];

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
    await api.sql(
      `insert into users (username, name, email, confirmed_at)
       select 'named' || i, 'Named', 'named' || i || '@example.com', now() from generate_series(1, $1::int) i`,
      [LIMIT + 1],
    );
    members = await api.sql<{ id: number }>(`select id from users where username like 'named%' order by id`);
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level)
       select 'Project', $1::bigint, id, 30 from users where username like 'named%'`,
      [team.projectId],
    );
  });
  afterAll(() => api.close());

  it.each(['deploy_access_levels', 'approval_rules'] as const)(
    'of an environment is limited in %s, however many requests add them',
    async (list) => {
      const path = `/projects/${team.projectId}/protected_environments`;
      const name = list.replaceAll('_', '-');
      const levels = [{ access_level: 40 }];
      const made = await team.maintainer.post(path, { name, deploy_access_levels: levels });
      expect(made.status).toBe(201);
      const add = (count: number): ReturnType<typeof team.maintainer.put> =>
        team.maintainer.put(`${path}/${name}`, { [list]: Array(count).fill({ user_id: members[0]?.id }) });
      const first = list === 'approval_rules' ? LIMIT : LIMIT - 1;
      expect((await add(first)).status).toBe(200);
      const refused = await add(1);
      const words = list === 'approval_rules' ? 'Approval rules' : 'Deploy access levels';
      expect([refused.status, refused.body]).toEqual([
        422,
        { message: [`${words} is too long (maximum is 100 entries)`] },
      ]);
      const found = await team.maintainer.get<Record<string, Entry[]>>(`${path}/${name}`);
      expect(found.body[list]).toHaveLength(LIMIT);
      const [last] = found.body[list]?.slice(-1) ?? [];
      const swapped = [{ id: last?.id, _destroy: true }, { user_id: members[1]?.id }];
      expect((await team.maintainer.put(`${path}/${name}`, { [list]: swapped })).status).toBe(200);
    },
  );

  it('of a branch is limited for each right', async () => {
    const path = `/projects/${team.projectId}/protected_branches`;
    const allowed = members.slice(0, LIMIT).map(({ id }) => ({ user_id: id }));
    const made = await team.maintainer.post(path, { name: 'main', allowed_to_push: allowed });
    expect(made.status).toBe(201);
    const one = { allowed_to_push: [{ user_id: members[LIMIT]?.id }] };
    const refused = await team.maintainer.send('PATCH', `${path}/main`, one);
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { allowed_to_push: ['has too many items (maximum is 100)'] } },
    ]);
    const found = await team.maintainer.get<{ push_access_levels: Entry[] }>(`${path}/main`);
    expect(found.body.push_access_levels).toHaveLength(LIMIT);
  });
});

describe('the number of protections of a project', () => {
  let api: TestApi;
  let team: ProjectTeam;
  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it.each([
    ['branch', 'branches'],
    ['tag', 'tags'],
  ])('is limited for each %s, also if they are added at the same time', async (type, list) => {
    await api.sql(
      `insert into protected_refs (project_id, ref_type, name)
        select $1, $2, 'ref-' || i from generate_series(1, 1000 - 1 - (
          select count(*)::int from protected_refs where project_id = $1 and ref_type = $2)) i`,
      [team.projectId, type],
    );
    const path = `/projects/${team.projectId}/protected_${list}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => team.maintainer.post(path, { name: `new-${at}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});
