import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { TestApi } from '../../../../support/api.js';
import { buildMember } from '../../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { borrowApi } from '../../../../support/shared-api.js';
import {
  exportRecords,
  handmadeTarget,
  importRecords,
  offered,
} from '../../../../support/transfer-target.js';

interface Made {
  readonly id: number;
  readonly iid: number;
}

describe('imports into a group or project of other users', () => {
  let api: TestApi;
  let importer: CreatedUser;
  let victim: CreatedUser;
  let corp: number;
  let team: number;
  let project: number;
  let secret: number;
  let open: Made;
  let hidden: Made;

  const make = async (path: string, body: object): Promise<Made> => {
    const answer = await api.root.post<Made>(path, body);
    expect([answer.status, answer.body]).toMatchObject([201, { id: expect.any(Number) }]);
    return answer.body;
  };
  const target = (importerId = importer.id): ReturnType<typeof handmadeTarget> =>
    handmadeTarget({
      of: 'project',
      ownerId: project,
      importerId,
      users: new Map([[7, victim.id]]),
    });

  beforeAll(async () => {
    api = await borrowApi();
    [importer, victim] = [await createUser(api), await createUser(api)];
    corp = (await make('/groups', { name: 'corp', path: 'corp', visibility: 'private' })).id;
    team = (await make('/groups', { name: 'team', path: 'team', parent_id: corp, visibility: 'private' })).id;
    project = (await make('/projects', { name: 'p', namespace_id: team })).id;
    secret = (await make('/projects', { name: 'secret', namespace_id: corp })).id;
    open = await make(`/groups/${corp}/epics`, { title: 'Plans' });
    hidden = await make(`/groups/${corp}/epics`, { title: 'Layoffs', confidential: true });
    await buildMember(api, `groups/${team}`, importer.id, Role.Maintainer);
    await buildMember(api, `groups/${corp}`, victim.id, Role.Owner);
  });
  afterAll(() => api.close());

  it('add issues only to epics that the importer may change, and reveal no others', async () => {
    const issue = (iid: number, epic: object): object => ({
      id: iid,
      iid,
      title: `i${iid}`,
      author_id: 7,
      epic_issue: { epic },
    });
    const records = [
      issue(1, { iid: open.iid, title: 'Plans' }),
      issue(2, { id: open.id, iid: open.iid, title: 'Plans' }),
      { ...issue(3, { iid: hidden.iid, title: 'Layoffs' }), confidential: true },
      issue(4, { iid: 99, title: 'Nothing' }),
    ] as Record<string, unknown>[];
    const strange = target();
    await importRecords(api, strange, 'issues', records);
    expect(await api.sql('select 1 from epic_issues')).toEqual([]);
    expect(new Set(strange.problems.map(({ message }) => message.replace(/^.*" /, '')))).toEqual(
      new Set(['is not among the epics of the groups above']),
    );
    expect(strange.problems).toHaveLength(4);
    await buildMember(api, `groups/${corp}`, importer.id, Role.Guest);
    await importRecords(api, target(), 'issues', [
      issue(5, { iid: open.iid, title: 'Plans' }),
      { ...issue(6, { iid: hidden.iid, title: 'Layoffs' }), confidential: true },
    ] as Record<string, unknown>[]);
    expect(await api.sql('select epic_id from epic_issues')).toEqual([{ epic_id: open.id }]);
    await api.root.delete(`/groups/${corp}/members/${importer.id}`);
  });

  it('name epics of ancestor groups only if the importer can see them', async () => {
    const issue = await make(`/projects/${project}/issues`, {
      title: 'Part of it',
      confidential: true,
      epic_id: hidden.id,
    });
    const epicOf = async (readerId: number): Promise<unknown> =>
      (await exportRecords(api, 'project', 'issues', project, readerId)).find(({ id }) => id === issue.id)?.[
        'epic_issue'
      ];
    expect(await epicOf(victim.id)).toMatchObject({ epic: { title: 'Layoffs' } });
    expect(await epicOf(1)).toMatchObject({ epic: { title: 'Layoffs' } });
    expect(await epicOf(importer.id)).toBeNull();
  });

  it('close no issue that the importer cannot see, whoever the author is', async () => {
    const issue = await make(`/projects/${secret}/issues`, { title: 'Secret' });
    const own = await make(`/projects/${project}/issues`, { title: 'Own' });
    const record = {
      iid: 1,
      title: 'x',
      description: `Closes corp/secret#${issue.iid}, closes #${own.iid}`,
      author_id: 7,
    };
    const [id] = await importRecords(api, target(), 'merge_requests', [
      { ...record, source_branch: 'a', target_branch: 'b', state: 'opened' },
    ]);
    expect(
      await api.sql('select issue_id from merge_requests_closing_issues where merge_request_id = $1', [id]),
    ).toEqual([{ issue_id: own.id }]);
  });

  it('subscribe no one to labels of parent groups', async () => {
    const label = await make(`/groups/${corp}/labels`, { name: 'bug', color: '#112233' });
    const group = handmadeTarget({
      of: 'group',
      ownerId: team,
      users: new Map([[7, victim.id]]),
    });
    const subscriptions = [{ user_id: 7, subscribed: true }];
    await importRecords(api, group, 'labels', [
      { title: 'bug', subscriptions },
      { title: 'own', subscriptions },
    ]);
    const rows = await api.sql<{ target_id: number }>(
      `select target_id from subscriptions where target_type = 'Label'`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.target_id).not.toBe(label.id);
  });

  it.each([
    ['merge_requests', { source_branch: 'a', target_branch: 'b', title: 't' }],
    ['ci_pipelines', { sha: 'a'.repeat(40), ref: 'main' }],
    ['deployments', { sha: 'a'.repeat(40), ref: 'main', environment: { name: 'production' } }],
  ])('refuse the last possible number of %s', (relation, record) => {
    const { pipeline } = offered(api, 'project', relation);
    expect(() => pipeline.transform({ ...record, iid: 2 ** 31 }, target())).toThrow(RecordRefused);
    expect(() => pipeline.transform({ ...record, iid: 5 }, target())).not.toThrow();
  });

  it.each(['--upload-pack=x', 'a..b', 'a b', 'x\ny'])('refuse a pipeline for %j', (ref) => {
    const { pipeline } = offered(api, 'project', 'ci_pipelines');
    expect(() => pipeline.transform({ iid: 1, sha: 'a'.repeat(40), ref }, target())).toThrow(RecordRefused);
  });
});
