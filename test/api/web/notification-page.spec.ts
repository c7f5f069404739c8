import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../support/builders/group.js';
import { buildProject, type BuiltProject } from '../../support/builders/project.js';
import { buildBrowser } from '../../support/builders/session.js';
import { createUser, type CreatedUser } from '../../support/builders/user.js';
import { PageClient, type PageReply } from '../../support/page-client.js';
import { borrowApi } from '../../support/shared-api.js';

const PAGE = '/-/profile/notifications';

let api: TestApi;
let jane: CreatedUser;
let browser: PageClient;
let group: BuiltGroup;
let project: BuiltProject;
let hidden: BuiltProject;
beforeAll(async () => {
  api = await borrowApi();
  jane = await createUser(api);
  group = await buildGroup(api, { name: 'Forge people', visibility: 'private' });
  project = await buildProject(api.root, { namespace_id: group.id });
  hidden = await buildProject(api.root, { name: 'hidden-from-jane' });
  await api.root.post(`/groups/${group.id}/members`, { user_id: jane.id, access_level: 20 });
  await api.root.post(`/projects/${project.id}/members`, { user_id: jane.id, access_level: 30 });
  browser = await buildBrowser(api, jane.id);
});
afterAll(async () => {
  await api.close();
});

const stored = async (path = ''): Promise<unknown> =>
  (await jane.client.get(`${path}/notification_settings`)).body;
const send = async (
  path: string,
  fields: Record<string, string> | [string, string][],
): Promise<PageReply> => {
  await browser.get(PAGE);
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  return browser.submit(path, [['_method', 'put'], ...pairs]);
};

describe('the page of notifications', () => {
  it('is only for users who have signed in', async () => {
    for (const path of [PAGE, `${PAGE}/groups`, `${PAGE}/projects/${project.id}`])
      expect((await new PageClient(api.url).get(path)).location).toBe('/users/sign_in');
  });

  it('shows the global settings, and the groups and projects of the user', async () => {
    const { status, text } = await browser.get(PAGE);
    expect(status).toBe(200);
    expect(text).toMatch(/value="participating"[^>]*checked/);
    expect(text).toContain('Forge people');
    expect(text).toContain(`Level of Forge people / ${project.name}`);
    expect(text).not.toContain('hidden-from-jane');
    const { body: own } = await jane.client.post<BuiltProject>('/projects', { name: 'a-project-of-her-own' });
    const all = await browser.get(`${PAGE}/projects`);
    expect([all.text.includes(project.name), all.text.includes(own.name)]).toEqual([true, true]);
  });

  it('saves the global settings, and events if the level is custom', async () => {
    const address = `desk.${jane.username}@example.com`;
    await api.root.post(`/users/${jane.id}/emails`, { email: address, skip_confirmation: true });
    const reply = await send(PAGE, {
      level: 'custom',
      notification_email: address,
      notified_of_own_activity: '1',
    });
    expect([reply.status, reply.location]).toEqual([303, PAGE]);
    expect(await stored()).toMatchObject({ level: 'custom', notification_email: address });
    expect((await browser.get(PAGE)).text).toMatch(/value="failed_pipeline"[^>]*checked/);
    await send(PAGE, [
      ['level', 'custom'],
      ['with_events', '1'],
      ['events[]', 'new_note'],
      ['events[]', 'close_issue'],
      ['notified_of_own_activity', '1'],
    ]);
    expect(await stored()).toMatchObject({
      notification_email: address,
      events: { new_note: true, close_issue: true, failed_pipeline: false },
    });
    const kept = await api.sql(
      'select notified_of_own_activity from notification_settings where source_type is null',
    );
    expect(kept).toEqual([{ notified_of_own_activity: true }]);
  });

  it('shows errors next to the form, and saves nothing then', async () => {
    const before = await stored();
    const foreign = await send(PAGE, { level: 'watch', notification_email: 'admin@example.com' });
    expect(foreign.status).toBe(422);
    expect(foreign.text).toContain('Notification email must be an email you have verified');
    const select = /<select\s+id="f-notification_email"[^>]*>/.exec(foreign.text)?.[0];
    expect(select).toContain('f-notification_email-error');
    expect(select).toContain('aria-invalid="true"');
    const unknown = await send(PAGE, { level: 'loud' });
    expect(unknown.status).toBe(422);
    expect(unknown.text).toContain('Level does not have a valid value');
    expect(await stored()).toEqual(before);
  });

  it('keeps the other choices next to an error', async () => {
    const { location } = await send(`${PAGE}/groups/${group.id}`, { level: 'participating' });
    expect(location).toBe(PAGE);
    for (const path of [PAGE, `${PAGE}/groups/${group.id}`]) {
      const { status, text } = await send(path, [
        ['level', 'custom'],
        ['with_events', '1'],
        ['events[]', 'issue_due'],
        ['notification_email', 'admin@example.com'],
        ['notified_of_own_activity', '1'],
      ]);
      expect([path, status]).toEqual([path, 422]);
      expect(text).toMatch(/value="custom"[^>]*checked/);
      expect(text).toMatch(/value="issue_due"[^>]*checked/);
      expect(text).not.toMatch(/value="(failed_pipeline|new_note)"[^>]*checked/);
      expect(text).toMatch(/id="f-notification_email"[^>]*aria-invalid="true"/);
      if (path === PAGE) expect(text).toMatch(/name="notified_of_own_activity"[^>]*checked/);
    }
    expect(await stored(`/groups/${group.id}`)).toEqual({ level: 'participating' });
  });

  it('saves the level of a project, and leads to its events where the level is custom', async () => {
    const path = `${PAGE}/projects/${project.id}`;
    expect((await send(path, { level: 'mention' })).location).toBe(PAGE);
    expect(await stored(`/projects/${project.id}`)).toEqual({ level: 'mention' });
    expect((await send(path, { level: 'custom' })).location).toBe(path);
    expect((await browser.get(path)).text).not.toContain('new_epic');
    await send(path, [
      ['level', 'custom'],
      ['with_events', '1'],
      ['events[]', 'issue_due'],
    ]);
    expect(await stored(`/projects/${project.id}`)).toMatchObject({
      events: { issue_due: true, moved_project: false },
    });
  });

  it('lets a project and a group follow the level above again', async () => {
    for (const [kind, id] of [
      ['projects', project.id],
      ['groups', group.id],
    ] as const) {
      await send(`${PAGE}/${kind}/${id}`, { level: 'mention' });
      const reply = await send(`${PAGE}/${kind}/${id}`, { level: 'global' });
      expect([reply.status, await stored(`/${kind}/${id}`)]).toEqual([303, { level: 'global' }]);
    }
    expect((await send(PAGE, { level: 'global' })).status).toBe(422);
  });

  it('sets a separate address for a group', async () => {
    const address = `${jane.username}@example.com`;
    await send(`${PAGE}/groups/${group.id}`, { level: 'watch', notification_email: address });
    expect((await browser.get(`${PAGE}/groups/${group.id}`)).text).toContain(`value="${address}" selected`);
    expect(await stored(`/groups/${group.id}`)).toEqual({ level: 'watch' });
  });

  it('hides groups and projects that the user cannot see, even if they once could', async () => {
    const text = `insert into notification_settings (user_id, source_type, source_id, level) values ($1, 'Project', $2, 'watch')`;
    await api.sql(text, [jane.id, hidden.id]);
    for (const path of [PAGE, `${PAGE}/projects`])
      expect((await browser.get(path)).text).not.toContain('hidden-from-jane');
    const reply = await send(`${PAGE}/projects/${hidden.id}`, { level: 'custom' });
    expect([reply.status, (await browser.get(`${PAGE}/projects/${hidden.id}`)).status]).toEqual([404, 404]);
    expect((await browser.get(`${PAGE}/users/1`)).status).not.toBe(200);
  });

  it('requires the token of the form', async () => {
    const reply = await browser.submit(PAGE, { _method: 'put', level: 'watch', authenticity_token: 'x' });
    expect(reply.status).toBe(422);
  });
});
