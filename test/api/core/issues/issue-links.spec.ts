import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { createUser } from '../../../support/builders/user.js';
import { buildToken } from '../../../support/builders/token.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Link {
  readonly id: number;
  readonly source_issue: BuiltIssue;
  readonly target_issue: BuiltIssue;
  readonly link_type: string;
}

interface Related extends BuiltIssue {
  readonly issue_link_id: number;
  readonly link_type: string;
}

let api: TestApi;
let team: ProjectTeam;
let other: ProjectTeam;

beforeAll(async () => {
  api = await borrowApi();
  [team, other] = [await buildProjectTeam(api), await buildProjectTeam(api)];
});
afterAll(() => api.close());

const pathOf = ({ project_id: id, iid }: BuiltIssue): string => `/projects/${id}/issues/${iid}`;

const linked = (
  client: ApiClient,
  from: BuiltIssue,
  to: BuiltIssue,
  values: object = {},
): Promise<Answer<Link>> =>
  client.post<Link>(`${pathOf(from)}/links`, {
    target_project_id: to.project_id,
    target_issue_iid: to.iid,
    ...values,
  });

const related = async (client: ApiClient, issue: BuiltIssue): Promise<[number, string][]> => {
  const { status, text, body } = await client.get<Related[]>(`${pathOf(issue)}/links`);
  if (status !== 200) throw new Error(`No list: ${status} ${text}`);
  return body.map(({ id, link_type: type }) => [id, type]);
};

const three = async (client = team.reporter): Promise<[BuiltIssue, BuiltIssue, BuiltIssue]> => [
  await buildIssue(client, team.projectId),
  await buildIssue(client, team.projectId),
  await buildIssue(client, team.projectId),
];

describe('links between issues', () => {
  it('are created, shown on both issues and removed', async () => {
    const [one, two, blocked] = await three();
    const made = await linked(team.reporter, one, two);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      source_issue: { id: one.id },
      target_issue: { id: two.id },
      link_type: 'relates_to',
    });
    const blocks = await linked(team.reporter, one, blocked, { link_type: 'blocks' });
    expect(blocks.body.link_type).toBe('blocks');
    expect(await related(team.guest, one)).toEqual([
      [two.id, 'relates_to'],
      [blocked.id, 'blocks'],
    ]);
    expect(await related(team.guest, two)).toEqual([[one.id, 'relates_to']]);
    expect(await related(team.guest, blocked)).toEqual([[one.id, 'is_blocked_by']]);
    const [shown] = (await team.guest.get<Related[]>(`${pathOf(blocked)}/links`)).body;
    expect(shown).toMatchObject({
      issue_link_id: blocks.body.id,
      title: one.title,
      labels: [],
      link_created_at: expect.stringMatching(/Z$/) as unknown,
      link_updated_at: expect.stringMatching(/Z$/) as unknown,
    });
    const single = `${pathOf(blocked)}/links/${blocks.body.id}`;
    expect((await team.guest.get(single)).body).toMatchObject({
      id: blocks.body.id,
      source_issue: { id: one.id },
      link_type: 'blocks',
    });
    const removed = await team.reporter.delete(single);
    expect([removed.status, removed.body]).toMatchObject([200, { id: blocks.body.id }]);
    expect((await team.reporter.delete(single)).body).toEqual({ message: '404 Issue Link Not Found' });
    expect(await related(team.guest, blocked)).toEqual([]);
    const notes = await team.guest.get<{ body: string }[]>(`${pathOf(blocked)}/notes?sort=asc`);
    expect(notes.body.map(({ body }) => body)).toEqual([
      `marked this issue as blocked by #${one.iid}`,
      `removed the relation with #${one.iid}`,
    ]);
  });

  it('are limited to one between two issues, and none from an issue to itself', async () => {
    const [one, two] = await three();
    expect((await linked(team.reporter, one, two, { link_type: 'is_blocked_by' })).status).toBe(201);
    expect(await related(team.guest, two)).toEqual([[one.id, 'blocks']]);
    for (const again of [linked(team.reporter, one, two), linked(team.reporter, two, one)]) {
      const { status, body } = await again;
      expect([status, body]).toEqual([409, { message: 'Issue(s) already assigned' }]);
    }
    expect((await linked(team.reporter, one, one)).status).toBe(422);
    const fresh = await three();
    const made = await Promise.all([
      linked(team.reporter, fresh[0], fresh[1]),
      linked(team.developer, fresh[1], fresh[0]),
    ]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('require permission to change both issues', async () => {
    const [one, two] = await three();
    const [mine, also] = await three(team.guest);
    expect((await linked(team.guest, one, two)).status).toBe(403);
    expect((await linked(team.guest, mine, one)).status).toBe(403);
    const made = await linked(team.guest, mine, also);
    expect(made.status).toBe(201);
    const between = await linked(team.reporter, mine, one);
    expect((await team.guest.delete(`${pathOf(mine)}/links/${between.body.id}`)).status).toBe(403);
    expect((await team.stranger.get(`${pathOf(one)}/links`)).status).toBe(404);
    expect((await api.anonymous.get(`${pathOf(one)}/links`)).status).toBe(401);
    const elsewhere = await buildIssue(other.reporter, other.projectId);
    expect((await linked(team.reporter, one, elsewhere)).body).toEqual({ message: '404 Project Not Found' });
  });

  it('reveal nothing about issues that the caller may not read', async () => {
    const [one, open] = await three();
    const secret = await buildIssue(team.reporter, team.projectId, { confidential: true });
    const elsewhere = await buildIssue(other.reporter, other.projectId);
    await linked(team.reporter, one, open);
    const hidden = await linked(team.reporter, one, secret);
    const path = { target_project_id: other.path };
    expect((await linked(api.root, one, elsewhere, path)).status).toBe(201);
    expect(await related(api.root, one)).toHaveLength(3);
    expect(await related(team.guest, one)).toEqual([[open.id, 'relates_to']]);
    expect((await team.guest.get(`${pathOf(one)}/links`)).headers.get('x-total')).toBe('1');
    expect((await team.guest.get(`${pathOf(one)}/links/${hidden.body.id}`)).status).toBe(404);
    const mine = await buildIssue(team.guest, team.projectId);
    expect((await linked(team.guest, mine, secret)).body).toEqual({ message: '404 Issue Not Found' });
    const notes = await team.guest.get<{ body: string }[]>(`${pathOf(one)}/notes?sort=asc`);
    expect(notes.body.map(({ body }) => body)).toEqual([
      `marked this issue as related to #${open.iid}`,
      'marked this issue as related to another issue',
      'marked this issue as related to another issue',
    ]);
  });

  it('give administrators without admin mode no access to more issues', async () => {
    const [open, hidden] = [await buildProjectTeam(api, 'public'), await buildProjectTeam(api)];
    const { id: adminId } = await createUser(api, { admin: true });
    const admin = api.as((await buildToken(api, adminId, { scopes: ['api'] })).token);
    const [mine, near, secret, further] = [
      await buildIssue(admin, open.projectId),
      await buildIssue(admin, open.projectId),
      await buildIssue(hidden.reporter, hidden.projectId),
      await buildIssue(hidden.reporter, hidden.projectId),
    ];
    const made = await linked(admin, mine, secret);
    expect(made.status).toBe(201);
    await api.root.put('/application/settings', { admin_mode: true });
    const answers = await Promise.all([
      linked(admin, mine, near),
      linked(admin, mine, further),
      admin.get(`${pathOf(mine)}/links/${made.body.id}`),
    ]);
    await api.root.put('/application/settings', { admin_mode: false });
    expect(answers.map(({ status }) => status)).toEqual([201, 404, 404]);
  });

  it('that block require the premium plan', async () => {
    const [one, two] = await three();
    await api.sql(`update application_settings set license_plan = 'free', version = version + 1`);
    const blocks = await linked(team.reporter, one, two, { link_type: 'blocks' });
    const relates = await linked(team.reporter, one, two);
    await api.sql(`update application_settings set license_plan = 'ultimate', version = version + 1`);
    expect([blocks.status, relates.status]).toEqual([403, 201]);
  });

  it('are moved with an issue, and removed with it', async () => {
    const [one, two, gone] = await three();
    await linked(api.root, one, two, { link_type: 'blocks' });
    await linked(api.root, gone, one);
    const moved = await api.root.post<BuiltIssue>(`${pathOf(one)}/move`, { to_project_id: other.projectId });
    expect(await related(api.root, two)).toEqual([[moved.body.id, 'is_blocked_by']]);
    expect(await related(api.root, one)).toEqual([]);
    await api.root.delete(pathOf(gone));
    expect(await related(api.root, moved.body)).toEqual([[two.id, 'blocks']]);
  });

  it.each([
    [{ target_project_id: undefined }, 400, '400 (Bad request) "target_project_id" not given'],
    [{ target_issue_iid: undefined }, 400, '400 (Bad request) "target_issue_iid" not given'],
    [{ target_issue_iid: 'x' }, 400, { target_issue_iid: ['is invalid'] }],
    [{ link_type: 'precedes' }, 400, { link_type: ['does not have a valid value'] }],
    [{ target_issue_iid: 99_999 }, 404, '404 Issue Not Found'],
    [{ target_project_id: 99_999 }, 404, '404 Project Not Found'],
    [{ target_project_id: 'no/where' }, 404, '404 Project Not Found'],
  ])('refuse %j', async (values, status, message) => {
    const [one, two] = await three();
    const answer = await linked(team.reporter, one, two, values);
    expect([answer.status, answer.body]).toEqual([status, { message }]);
  });
});
