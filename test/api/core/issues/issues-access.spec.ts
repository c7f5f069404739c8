import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestApi } from '../../../support/api.js';
import { addGroup, addUser } from '../../../support/builders/instance.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { runs } from '../../../support/runs.js';

let api: TestApi;
let team: ProjectTeam;
let open: ProjectTeam;

beforeAll(async () => {
  api = await borrowApi();
  [team, open] = [await buildProjectTeam(api), await buildProjectTeam(api, 'public')];
});
afterAll(() => api.close());

const at = ({ projectId }: ProjectTeam, iid: number): string => `/projects/${projectId}/issues/${iid}`;

describe('permissions on issues', () => {
  it('hide confidential issues from guests and others, but not from participants', async () => {
    const hidden = await buildIssue(open.reporter, open.projectId, { confidential: 'y' });
    for (const client of [open.guest, open.stranger, api.anonymous]) {
      expect((await client.get(at(open, hidden.iid))).body).toEqual({ message: '404 Issue Not Found' });
      const list = await client.get<{ iid: number }[]>(`/projects/${open.projectId}/issues`);
      expect(list.body.map(({ iid }) => iid)).not.toContain(hidden.iid);
    }
    const own = await buildIssue(open.stranger, open.projectId, { confidential: true });
    expect((await open.stranger.get(at(open, own.iid))).status).toBe(200);
    const strangerId = (await open.stranger.get('/user')).body['id'];
    await open.reporter.put(at(open, hidden.iid), { assignee_ids: [strangerId] });
    expect((await open.stranger.get(at(open, hidden.iid))).status).toBe(200);
  });

  it('let other users create issues in public projects and change their own, but not plan them', async () => {
    const own = await buildIssue(open.stranger, open.projectId, { labels: 'x', due_date: '2030-01-01' });
    expect(own).toMatchObject({ labels: [], due_date: null });
    const changed = await open.stranger.put(at(open, own.iid), {
      title: 'Mine',
      confidential: true,
      labels: 'y',
    });
    expect(changed.body).toMatchObject({ title: 'Mine', confidential: false, labels: [] });
    const others = await buildIssue(open.reporter, open.projectId);
    expect((await open.stranger.put(at(open, others.iid), { title: 'Mine' })).status).toBe(403);
    expect((await open.stranger.put(at(open, own.iid), { state_event: 'close' })).body['state']).toBe(
      'closed',
    );
    expect((await api.anonymous.post(`/projects/${open.projectId}/issues`, { title: 'x' })).status).toBe(401);
  });

  it('end if issues are limited to members, disabled or archived', async () => {
    const { projectId } = open;
    const own = await buildIssue(open.stranger, projectId);
    const create = async (client: ApiClient): Promise<number> =>
      (await client.post(`/projects/${projectId}/issues`, { title: 'x' })).status;
    await api.root.put(`/projects/${projectId}`, { issues_access_level: 'private' });
    expect([await create(open.stranger), await create(open.guest)]).toEqual([403, 201]);
    expect((await open.stranger.get(at(open, own.iid))).status).toBe(403);
    expect((await open.stranger.get('/issues?scope=created_by_me')).body).not.toContainEqual(
      expect.objectContaining({ id: own.id }),
    );
    await api.root.put(`/projects/${projectId}`, { issues_access_level: 'disabled' });
    expect(await create(open.maintainer)).toBe(403);
    await api.root.put(`/projects/${projectId}`, { issues_access_level: 'enabled' });
    await api.root.post(`/projects/${projectId}/archive`);
    expect([await create(open.maintainer), (await open.guest.get(at(open, own.iid))).status]).toEqual([
      403, 200,
    ]);
    await api.root.post(`/projects/${projectId}/unarchive`);
  });

  it('let only owners remove an issue, unless it was changed in the meantime', async () => {
    const { iid, id } = await buildIssue(team.reporter, team.projectId);
    expect((await team.maintainer.delete(at(team, iid))).status).toBe(403);
    expect((await team.stranger.delete(at(team, iid))).status).toBe(404);
    const early = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await api.root.delete(at(team, iid), early)).status).toBe(412);
    expect((await api.root.delete(at(team, iid))).status).toBe(204);
    for (const number of [iid, id + 1_000_000]) {
      expect((await api.root.delete(at(team, number))).status).toBe(404);
      expect((await team.reporter.put(at(team, number), { title: 'x' })).status).toBe(404);
    }
  });

  it('show an issue by id only to administrators', async () => {
    const { id } = await buildIssue(team.reporter, team.projectId);
    expect((await api.root.get(`/issues/${id}`)).body['id']).toBe(id);
    expect((await team.maintainer.get(`/issues/${id}`)).status).toBe(403);
    expect((await api.root.get('/issues/999999')).body).toEqual({ message: '404 Issue Not Found' });
  });

  it('end with the membership, and assignments are removed on request', async () => {
    const guestId = (await team.guest.get('/user')).body['id'] as number;
    const { iid } = await buildIssue(team.reporter, team.projectId, { assignee_ids: [guestId] });
    const members = `/projects/${team.projectId}/members`;
    await api.root.delete(`${members}/${guestId}?unassign_issuables=true`);
    expect((await team.reporter.get(at(team, iid))).body['assignees']).toEqual([]);
    await api.root.post(members, { user_id: guestId, access_level: 10 });
  });
});

interface World {
  readonly projects: readonly { id: number; visibility: string; level: string; archived: boolean }[];
  readonly issues: readonly {
    id: number;
    project: number;
    confidential: boolean;
    closed: boolean;
    author: number;
    assignee: number;
  }[];
  /** Role by user and project. */
  readonly roles: readonly number[][];
  /** Role by user in the group of all projects but the first, which is elsewhere. */
  readonly above: readonly number[];
}

const USERS = 4;
const world = fc.record({
  projects: fc.array(
    fc.record({
      visibility: fc.constantFrom('private', 'internal', 'public'),
      level: fc.constantFrom('enabled', 'private', 'disabled'),
      archived: fc.boolean(),
    }),
    { minLength: 3, maxLength: 5 },
  ),
  issues: fc.array(
    fc.record({
      project: fc.nat(4),
      confidential: fc.boolean(),
      closed: fc.boolean(),
      author: fc.nat(USERS - 1),
      assignee: fc.nat(USERS - 1),
    }),
    { minLength: 8, maxLength: 16 },
  ),
  roles: fc.array(fc.array(fc.constantFrom(0, 0, 10, 20, 30), { minLength: 5, maxLength: 5 }), {
    minLength: USERS,
    maxLength: USERS,
  }),
  above: fc.array(fc.constantFrom(0, 0, 10, 20), { minLength: USERS, maxLength: USERS }),
});

const AWAY = 0;

/**
 * The rules of planning.md, written down independently. Users 0 to 2 are plain, 3 is external; null is
 * anonymous.
 */
function mayRead(made: World, issue: World['issues'][number], user: number | null): boolean {
  const project = made.projects[issue.project];
  if (!project || project.level === 'disabled') return false;
  const above = user === null || issue.project === AWAY ? 0 : (made.above[user] ?? 0);
  const role = user === null ? 0 : Math.max(above, made.roles[user]?.[issue.project] ?? 0);
  const isOpen =
    project.visibility === 'public' || (project.visibility === 'internal' && user !== null && user !== 3);
  if (!(role >= 10 || (isOpen && project.level !== 'private'))) return false;
  const takesPart = user !== null && (issue.author === user || issue.assignee === user);
  return !issue.confidential || role >= 20 || takesPart;
}

it('apply equally to lists, totals and single issues, for any caller', async () => {
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      serial += 1;
      const groupId = await addGroup(api, `world-${serial}`, 'public');
      const awayId = await addGroup(api, `away-${serial}`, 'public');
      const [epic] = await api.sql<{ id: number }>(
        `insert into epics (group_id, iid, author_id, title) values ($1, 1, 1, 'Epic') returning id`,
        [groupId],
      );
      const users = await Promise.all(
        Array.from({ length: USERS }, (_, index) => addUser(api, `w${serial}-${index}`)),
      );
      await api.sql('update users set external = true where id = $1', [users[3]?.id]);
      await api.sql(
        `insert into members (source_type, source_id, user_id, access_level)
         select 'Namespace', $1, user_id, role from unnest($2::bigint[], $3::int[]) as m (user_id, role) where role > 0`,
        [groupId, users.map(({ id }) => id), drawn.above],
      );
      const projects: World['projects'][number][] = [];
      for (const [index, project] of drawn.projects.entries()) {
        const path = `${index === AWAY ? 'away' : 'world'}-${serial}/p${index}`;
        const [row] = await api.sql<{ id: number }>(
          `insert into projects (namespace_id, creator_id, name, path, full_path, full_name, visibility, archived, settings)
           values ($1, 1, $2, $2, $3, $3, $4, $5, jsonb_build_object('issues_access_level', $6::text)) returning id`,
          [
            index === AWAY ? awayId : groupId,
            `p${index}`,
            path,
            project.visibility,
            project.archived,
            project.level,
          ],
        );
        projects.push({ ...project, id: row?.id ?? 0 });
        await api.sql(
          `insert into members (source_type, source_id, user_id, access_level)
           select 'Project', $1, user_id, role from unnest($2::bigint[], $3::int[]) as m (user_id, role) where role > 0`,
          [row?.id, users.map(({ id }) => id), drawn.roles.map((roles) => roles[index])],
        );
      }
      const issues: World['issues'][number][] = [];
      for (const [index, issue] of drawn.issues.entries()) {
        const project = projects[issue.project];
        if (!project) continue;
        const [row] = await api.sql<{ id: number }>(
          `insert into issues (project_id, iid, author_id, title, confidential, state) values ($1, $2, $3, 'x', $4, $5) returning id`,
          [
            project.id,
            index + 1,
            users[issue.author]?.id,
            issue.confidential,
            issue.closed ? 'closed' : 'opened',
          ],
        );
        issues.push({ ...issue, id: row?.id ?? 0 });
        await api.sql('insert into issue_assignees (issue_id, user_id) values ($1, $2)', [
          row?.id,
          users[issue.assignee]?.id,
        ]);
        await api.sql(
          'insert into epic_issues (epic_id, issue_id, relative_position) values ($1, $2::bigint, $2::bigint)',
          [epic?.id, row?.id],
        );
      }
      await api.sql(
        `insert into internal_ids (project_id, usage, last_value, live_count, open_count)
         select project_id, 'issues', max(iid), count(*), count(*) filter (where state = 'opened') from issues
           where project_id = any($1) group by project_id`,
        [projects.map(({ id }) => id)],
      );
      const made: World = { projects, issues, roles: drawn.roles, above: drawn.above };
      for (const user of [null, 0, 1, 3]) {
        const client = user === null ? api.anonymous : api.as(users[user]?.token ?? '');
        const readable = issues.filter((issue) => mayRead(made, issue, user));
        const list = async (path: string): Promise<number[]> => {
          const answer = await client.get<{ id: number }[]>(
            `${path}${path.includes('?') ? '&' : '?'}per_page=100`,
          );
          return answer.body.map(({ id }) => id).sort((one, other) => one - other);
        };
        const ids = (of: readonly World['issues'][number][]): number[] => of.map(({ id }) => id);
        const total = async (path: string): Promise<string | null> =>
          (await client.get(`${path}per_page=1`)).headers.get('x-total');
        const near = readable.filter((issue) => issue.project !== AWAY);
        expect(await list(`/groups/${groupId}/issues?non_archived=false`)).toEqual(ids(near));
        const live = near.filter((issue) => projects[issue.project]?.archived === false);
        expect(await list(`/groups/${groupId}/issues`)).toEqual(ids(live));
        expect(await total(`/groups/${groupId}/issues?`)).toBe(`${live.length}`);
        for (const [state, closed] of [['opened', false] as const, ['closed', true] as const])
          expect(await total(`/groups/${groupId}/issues?state=${state}&`)).toBe(
            `${live.filter((issue) => issue.closed === closed).length}`,
          );
        const all = await list('/issues?scope=all&non_archived=false');
        expect(all.filter((id) => issues.some((issue) => issue.id === id))).toEqual(ids(readable));
        if (user === null) continue;
        expect(await list(`/groups/${groupId}/epics/1/issues`)).toEqual(ids(readable));
        expect(await total(`/groups/${groupId}/epics/1/issues?`)).toBe(`${readable.length}`);
        expect(
          await list(`/groups/${groupId}/epics/1/issues?pagination=keyset&order_by=id&sort=desc`),
        ).toEqual(ids(readable));
        const assigned = readable.filter((issue) => issue.assignee === user);
        expect(await list('/issues?scope=assigned_to_me&non_archived=false')).toEqual(ids(assigned));
        const written = readable.filter((issue) => issue.author === user);
        for (const [scope, theirs] of [
          ['assigned_to_me', assigned] as const,
          ['created_by_me', written] as const,
          [`all&assignee_id=${users[user]?.id}`, assigned] as const,
          [`all&author_id=${users[user]?.id}`, written] as const,
        ]) {
          const unarchived = theirs.filter((issue) => projects[issue.project]?.archived === false);
          expect(await list(`/issues?scope=${scope}&non_archived=false`)).toEqual(ids(theirs));
          expect(await list(`/issues?scope=${scope}`)).toEqual(ids(unarchived));
          const open = unarchived.filter((issue) => !issue.closed);
          expect(await list(`/issues?scope=${scope}&state=opened`)).toEqual(ids(open));
          if (theirs.length > 0)
            expect(await total(`/issues?scope=${scope}&non_archived=false&`)).toBe(`${theirs.length}`);
          if (unarchived.length > 0)
            expect(await total(`/issues?scope=${scope}&`)).toBe(`${unarchived.length}`);
        }
        const others = readable.filter((issue) => issue.assignee === (user + 1) % USERS);
        const other = users[(user + 1) % USERS]?.id;
        expect(await list(`/issues?scope=all&assignee_id=${other}&non_archived=false`)).toEqual(ids(others));
        const othersNear = others.filter((issue) => issue.project !== AWAY);
        const ofOther = `/groups/${groupId}/issues?assignee_id=${other}&non_archived=false`;
        expect(await list(ofOther)).toEqual(ids(othersNear));
        if (othersNear.length > 0) expect(await total(`${ofOther}&`)).toBe(`${othersNear.length}`);
      }
      await api.sql('delete from issues');
    }),
    { numRuns: runs(12) },
  );
});
