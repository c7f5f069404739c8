import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addNotificationsSql } from '../../../../src/features/notifications/mails/jobs/add-notifications.sql.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { Notified } from '../../../support/notified.js';

describe('the limit of mails to a user', () => {
  let api: TestApi;
  let inbox: Notified;
  let reader: AddedUser;
  let group: BuiltGroup;
  let project: BuiltProject;

  beforeAll(async () => {
    inbox = await Notified.start();
    api = await startApi({ SMTP_URL: inbox.url, MAIL_FROM: 'Forge <noreply@forge.test>' });
    reader = await addUser(api, 'reader');
    group = await buildGroup(api);
    project = await buildProject(api.root, { namespace_id: group.id });
    await buildMember(api, `groups/${group.id}`, reader.id, 30);
    await api.as(reader.token).put('/notification_settings', { level: 'watch' });
  });
  afterAll(async () => {
    await api.close();
    await inbox.close();
  });
  beforeEach(async () => {
    await inbox.mails(api);
    await api.sql('delete from sent_notifications');
  });

  const fill = (
    column: 'project_id' | 'group_id',
    id: number,
    hours: number,
    { userId = reader.id, count = 1_000, event = {} } = {},
  ): Promise<unknown> => {
    const name = `${column} ${id} ${hours} ${userId}`;
    return api.sql(
      `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, target_type, ${column}, created_at)
       select md5(n || '${name}'), n || '${name}', $5, $1, 'Issue', $2, now() - make_interval(hours => $3)
       from generate_series(1, $4) n`,
      [userId, id, hours, count, event],
    );
  };
  const aboutIssue = async ({ id }: BuiltProject): Promise<string[]> => {
    await buildIssue(api.root, id, {});
    return inbox.readers(api);
  };
  const aboutEpic = async ({ id }: BuiltGroup): Promise<string[]> => {
    expect((await api.root.post(`/groups/${id}/epics`, { title: 'An epic' })).status).toBe(201);
    return inbox.readers(api);
  };

  it('is a thousand in a day about each project or group', async () => {
    const other = await buildProject(api.root, { namespace_id: group.id });
    const below = await buildGroup(api, { parent_id: group.id });
    await fill('project_id', project.id, 25);
    await fill('group_id', group.id, 25);
    expect([await aboutIssue(project), await aboutEpic(group)]).toEqual([['reader'], ['reader']]);
    await fill('project_id', project.id, 23);
    expect([await aboutIssue(project), await aboutIssue(other)]).toEqual([[], ['reader']]);
    expect(await aboutEpic(group)).toEqual(['reader']);
    await fill('group_id', group.id, 23);
    expect([await aboutEpic(group), await aboutEpic(below)]).toEqual([[], ['reader']]);
    expect(await aboutIssue(other)).toEqual(['reader']);
  });

  it('leaves room for others if all mails are about the actions of one user', async () => {
    const eve = await addUser(api, 'eve');
    await buildMember(api, `projects/${project.id}`, eve.id, 30);
    await fill('project_id', project.id, 1, { count: 800, event: { actorId: eve.id } });
    const create = async (token: string): Promise<string[]> => {
      await buildIssue(api.as(token), project.id, { description: '@reader' });
      return inbox.readers(api);
    };
    expect(await create(eve.token)).toEqual([]);
    expect(await aboutIssue(project)).toEqual(['reader']);
    await fill('project_id', project.id, 2, { count: 200 });
    expect(await aboutIssue(project)).toEqual([]);
  });

  it('allows one mail a day about being mentioned in the same description', async () => {
    const issue = await buildIssue(api.root, project.id, { description: 'Nobody' });
    const path = `/projects/${project.id}/issues/${issue.iid}`;
    await inbox.mails(api);
    const mention = async (text: string): Promise<string[]> => {
      for (const description of [text, 'Nobody'])
        expect((await api.root.put(path, { description })).status).toBe(200);
      return inbox.readers(api);
    };
    expect(await mention('@reader, see')).toEqual(['reader']);
    expect(await mention('@reader, see again')).toEqual([]);
    await api.sql(`update sent_notifications set created_at = created_at - interval '25 hours'`);
    expect(await mention('@reader, once more')).toEqual(['reader']);
  });

  it('costs no more where users have had many mails, or others have many today', async () => {
    const count = 20_000;
    await fill('group_id', group.id, 24 * 30, { count });
    await fill('project_id', project.id, 24 * 60, { count });
    await fill('project_id', project.id, 1, { count, userId: 1 });
    await api.sql('analyze sent_notifications');
    const recipients = JSON.stringify([{ key: 'k', user_id: reader.id, reason: null }]);
    for (const isOfProject of [true, false]) {
      const values = ['e', '{}', 'Issue', 1, isOfProject ? project.id : null, isOfProject ? null : group.id];
      const rows = await api.sql<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers, costs off, timing off) ${addNotificationsSql(isOfProject)}`,
        [...values, recipients],
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const scan = plan.slice(plan.indexOf('on sent_notifications s'));
      const pages = Number(/Buffers: shared hit=(\d+)/.exec(scan)?.[1]);
      expect([isOfProject, pages < 10 || plan]).toEqual([isOfProject, true]);
    }
  });
});
