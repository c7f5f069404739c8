import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

const GLOBAL = '/notification_settings';
const EVENTS = [
  'new_release',
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'issue_due',
  'new_merge_request',
  'push_to_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'change_reviewer_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
  'moved_project',
  'merge_when_pipeline_succeeds',
];

let api: TestApi;
let jane: CreatedUser;
let project: BuiltProject;
let group: { id: number; full_path: string };
let ofProject: string;
let ofGroup: string;
beforeAll(async () => {
  api = await borrowApi();
  jane = await createUser(api);
  group = await buildGroup(api, { visibility: 'public' });
  project = await buildProject(api.root, { visibility: 'public', namespace_id: group.id });
  ofProject = `/projects/${project.id}${GLOBAL}`;
  ofGroup = `/groups/${group.id}${GLOBAL}`;
});
afterAll(async () => {
  await api.close();
});

interface Setting {
  level: string;
  notification_email: string;
  events?: Record<string, boolean>;
}
const read = async (path = GLOBAL, user = jane): Promise<Setting> =>
  (await user.client.get<Setting>(path)).body;

const plan = (license_plan: string): Promise<unknown> =>
  api.root.put('/application/settings', { license_plan });

describe('notification settings', () => {
  it('start with the defaults, and reading them creates no row', async () => {
    expect(await read()).toEqual({
      level: 'participating',
      notification_email: `${jane.username}@example.com`,
    });
    expect(await read(ofProject)).toEqual({ level: 'global' });
    expect(await read(ofGroup)).toEqual({ level: 'global' });
    expect(await api.sql('select 1 from notification_settings')).toEqual([]);
  });

  it('cannot inherit from above globally', async () => {
    const refused = await jane.client.put(GLOBAL, { level: 'global', new_note: true });
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { level: ['does not have a valid value'] } },
    ]);
    expect(await api.sql('select 1 from notification_settings')).toEqual([]);
  });

  it('are for signed-in users who can see the group or project', async () => {
    const hidden = await buildProject(api.root);
    const closed = await buildGroup(api, { visibility: 'private' });
    for (const path of [GLOBAL, ofProject, ofGroup])
      expect([(await api.anonymous.get(path)).status, (await api.anonymous.put(path, {})).status]).toEqual([
        401, 401,
      ]);
    expect(await jane.client.get(`/projects/${hidden.id}${GLOBAL}`)).toMatchObject({
      status: 404,
      body: { message: '404 Project Not Found' },
    });
    expect(await jane.client.put(`/groups/${closed.id}${GLOBAL}`, { level: 'watch' })).toMatchObject({
      status: 404,
      body: { message: '404 Group Not Found' },
    });
  });

  it('list all events in order if the level is custom', async () => {
    const path = `/projects/${encodeURIComponent(project.path_with_namespace)}${GLOBAL}`;
    const answer = await jane.client.put<Setting>(`${path}?level=custom&new_note=true`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.events ?? {})).toEqual(EVENTS);
    const on = Object.entries(answer.body.events ?? {}).filter(([, isOn]) => isOn);
    expect(on.map(([name]) => name)).toEqual([
      'new_note',
      'failed_pipeline',
      'fixed_pipeline',
      'moved_project',
    ]);
    expect(await read(ofProject)).toEqual(answer.body);
  });

  it('keep events that are set at another level until the level is custom', async () => {
    await jane.client.put(ofGroup, { level: 'watch', close_issue: true });
    expect((await jane.client.put(ofGroup, { failed_pipeline: false })).body).toEqual({ level: 'watch' });
    const { body } = await jane.client.put<Setting>(ofGroup, { level: 'custom' });
    expect(body.events).toMatchObject({ close_issue: true, failed_pipeline: false, fixed_pipeline: true });
    expect((await jane.client.put<Setting>(ofGroup, {})).body).toEqual(body);
  });

  it('include epics on the ultimate plan, only in groups and globally', async () => {
    const user = await createUser(api);
    const params = { level: 'custom', new_epic: true };
    await plan('premium');
    expect((await user.client.put<Setting>(ofGroup, params)).body.events).not.toHaveProperty('new_epic');
    await plan('ultimate');
    expect((await user.client.get<Setting>(ofGroup)).body.events).toHaveProperty('new_epic', false);
    expect((await user.client.put<Setting>(ofGroup, params)).body.events).toHaveProperty('new_epic', true);
    expect((await user.client.put<Setting>(GLOBAL, params)).body.events).toHaveProperty('new_epic', true);
    expect((await user.client.put<Setting>(ofProject, params)).body.events).not.toHaveProperty('new_epic');
    await plan('premium');
    expect((await user.client.get<Setting>(GLOBAL)).body.events).not.toHaveProperty('new_epic');
  });

  it('refuse unknown values, in the usual form', async () => {
    const bad = await jane.client.put(GLOBAL, { level: 'loud', new_note: 'maybe', close_issue: ['true'] });
    expect([bad.status, bad.body]).toEqual([
      400,
      {
        message: {
          level: ['does not have a valid value'],
          new_note: ['is invalid'],
          close_issue: ['is invalid'],
        },
      },
    ]);
  });

  it('lose no change of many simultaneous ones', async () => {
    const user = await createUser(api);
    const switched = EVENTS.slice(0, 12);
    const answers = await Promise.all(
      switched.map((name) => user.client.put(ofProject, { level: 'custom', [name]: true })),
    );
    expect(answers.map(({ status }) => status)).toEqual(switched.map(() => 200));
    const { events } = await read(ofProject, user);
    expect(switched.every((name) => events?.[name])).toBe(true);
  });
});

describe('the address for mails', () => {
  it('must be confirmed by the user, or nothing is changed', async () => {
    const own = `second.${jane.username}@example.com`;
    const unconfirmed = `third.${jane.username}@example.com`;
    await api.root.post(`/users/${jane.id}/emails`, { email: own, skip_confirmation: true });
    await jane.client.post('/user/emails', { email: unconfirmed });
    const good = await jane.client.put(GLOBAL, { level: 'watch', notification_email: own.toUpperCase() });
    expect([good.status, good.body]).toEqual([200, { level: 'watch', notification_email: own }]);
    for (const email of [unconfirmed, 'admin@example.com', 'nonsense']) {
      const refused = await jane.client.put(GLOBAL, { level: 'mention', notification_email: email });
      expect([refused.status, refused.body]).toEqual([
        400,
        { message: { notification_email: ['must be an email you have verified'] } },
      ]);
    }
    expect(await read()).toEqual({ level: 'watch', notification_email: own });
    const back = await jane.client.put<Setting>(GLOBAL, { notification_email: '' });
    expect(back.body.notification_email).toBe(`${jane.username}@example.com`);
  });

  it('is reset when the address is removed, but not when it becomes the primary one', async () => {
    const user = await createUser(api);
    const [first, second] = [`${user.username}@example.com`, `other.${user.username}@example.com`];
    const email = { email: second, skip_confirmation: true };
    const { body } = await api.root.post<{ id: number }>(`/users/${user.id}/emails`, email);
    await user.client.put(GLOBAL, { notification_email: second });
    await api.sql(
      `insert into notification_settings (user_id, source_type, source_id, notification_email) values ($1, 'Namespace', $2, $3)`,
      [user.id, group.id, second],
    );
    const stored = (): Promise<unknown[]> =>
      api.sql('select notification_email from notification_settings where user_id = $1 order by id', [
        user.id,
      ]);
    await swap(user.id, body.id, second, first);
    expect(await stored()).toEqual([{ notification_email: second }, { notification_email: second }]);
    await swap(user.id, body.id, first, second);
    await api.root.delete(`/users/${user.id}/emails/${body.id}`);
    expect(await stored()).toEqual([{ notification_email: null }, { notification_email: null }]);
    expect((await read(GLOBAL, user)).notification_email).toBe(first);
  });

  /** Changes the primary address, in one transaction. */
  const swap = (userId: number, emailId: number, first: string, further: string): Promise<unknown> =>
    api.sql(`do $$ begin
      update user_emails set email = '${further}' where id = ${emailId};
      update users set email = '${first}' where id = ${userId};
    end $$`);
});

describe('settings of a group or project', () => {
  it('are deleted with it, and with the membership', async () => {
    const user = await createUser(api);
    const gone = await buildProject(api.root, { visibility: 'public' });
    await user.client.put(`/projects/${gone.id}${GLOBAL}`, { level: 'watch' });
    await api.root.post(`/projects/${project.id}/members`, { user_id: user.id, access_level: 30 });
    await user.client.put(ofProject, { level: 'watch' });
    await api.root.delete(`/projects/${project.id}/members/${user.id}`);
    expect(await read(ofProject, user)).toEqual({ level: 'global' });
    await api.sql('delete from projects where id = $1', [gone.id]);
    expect(await api.sql('select 1 from notification_settings where user_id = $1', [user.id])).toEqual([]);
  });
});

describe('the preview', () => {
  interface Preview {
    would_notify: boolean;
    level: string;
    source: string;
    would_notify_participant: boolean;
    would_notify_mentioned: boolean;
  }
  const ask = async (user: CreatedUser, path: string, event: string): Promise<unknown[]> => {
    const { body } = await user.client.get<Preview>(`${path}/preview?event=${event}`);
    return [
      body.would_notify,
      body.level,
      body.source,
      body.would_notify_participant,
      body.would_notify_mentioned,
    ];
  };

  it('shows which setting applies, and which mails are sent', async () => {
    const user = await createUser(api);
    expect(await ask(user, ofProject, 'new_note')).toEqual([false, 'participating', 'global', true, true]);
    expect(await ask(user, ofProject, 'failed_pipeline')).toEqual([
      true,
      'participating',
      'global',
      true,
      true,
    ]);
    await user.client.put(GLOBAL, { level: 'watch' });
    expect(await ask(user, GLOBAL, 'new_issue')).toEqual([true, 'watch', 'global', true, true]);
    expect(await ask(user, ofProject, 'new_issue')).toEqual([false, 'watch', 'global', true, true]);
    await user.client.put(ofGroup, { level: 'watch' });
    expect(await ask(user, ofProject, 'new_issue')).toEqual([true, 'watch', 'group', true, true]);
    expect(await ask(user, ofProject, 'issue_due')).toEqual([false, 'watch', 'group', false, false]);
    await user.client.put(ofProject, { level: 'custom', issue_due: true });
    expect(await ask(user, ofProject, 'issue_due')).toEqual([true, 'custom', 'project', true, true]);
    expect(await ask(user, ofProject, 'new_issue')).toEqual([false, 'custom', 'project', true, true]);
    await user.client.put(ofProject, { level: 'disabled' });
    expect(await ask(user, ofProject, 'new_issue')).toEqual([false, 'disabled', 'project', false, false]);
  });

  it('requires a valid event, and a signed-in user', async () => {
    expect((await jane.client.get(`${GLOBAL}/preview`)).body).toEqual({
      message: '400 (Bad request) "event" not given',
    });
    expect((await jane.client.get(`${ofProject}/preview?event=new_epic`)).status).toBe(400);
    expect((await api.anonymous.get(`${ofProject}/preview?event=new_note`)).status).toBe(401);
  });
});
