import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { registerRunner, requestJob } from '../../../support/builders/runner.js';
import { createUser } from '../../../support/builders/user.js';
import type { Answer } from '../../../support/client.js';
import { JobQueue } from '../../../support/job-queue.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let root: BuiltGroup;
let group: BuiltGroup;
let sibling: BuiltGroup;
let outside: BuiltGroup;
let code: CodeProject;

beforeAll(async () => {
  api = await borrowApi();
  [root, outside] = [await buildGroup(api), await buildGroup(api)];
  [group, sibling] = [
    await buildGroup(api, { parent_id: root.id }),
    await buildGroup(api, { parent_id: root.id }),
  ];
  code = await buildCodeProject(api, undefined, { namespace_id: group.id });
  await api.sql('update projects set empty_repo = false where id = $1', [code.id]);
});
afterAll(() => api.close());

const set = async (id: number, values: object): Promise<void> => {
  expect((await api.root.put(`/groups/${id}`, values)).status).toBe(200);
};

describe('prevent_forking_outside_group', () => {
  let serial = 0;
  const fork = (values: object = {}): Promise<Answer> =>
    api.root.post(`/projects/${code.id}/fork`, {
      path: `fork-${(serial += 1)}`,
      name: `fork-${serial}`,
      ...values,
    });
  const statuses = async (): Promise<number[]> => {
    const answers = [
      await fork(),
      await fork({ namespace_id: outside.id }),
      await fork({ namespace_id: sibling.id }),
      await fork({ namespace_id: group.id }),
    ];
    return answers.map(({ status }) => status);
  };

  it('keeps forks within the group with the setting, which may be any parent group of the project', async () => {
    expect(await statuses()).toEqual([201, 201, 201, 201]);
    await set(root.id, { prevent_forking_outside_group: true });
    expect(await statuses()).toEqual([403, 403, 201, 201]);
    const [left] = await api.sql<{ count: number }>(
      'select count(*)::int as count from projects where name = $1',
      [`fork-${serial - 3}`],
    );
    expect(left?.count).toBe(0);
    await set(group.id, { prevent_forking_outside_group: true });
    expect(await statuses()).toEqual([403, 403, 403, 201]);
    // Settings that a lower plan lacks are not enforced.
    await api.root.put('/application/settings', { license_plan: 'free' });
    const free = await statuses();
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    expect(free).toEqual([201, 201, 201, 201]);
    for (const { id } of [root, group]) await set(id, { prevent_forking_outside_group: false });
    expect((await fork()).status).toBe(201);
  });
});

describe('prevent_sharing_groups_outside_hierarchy', () => {
  const share = async (place: string, id: number): Promise<number> =>
    (await api.root.post(`${place}/share`, { group_id: id, group_access: 20 })).status;
  const unshare = async (place: string, id: number): Promise<void> => {
    expect((await api.root.delete(`${place}/share/${id}`)).status).toBe(204);
  };

  it('prevents sharing of a tree with groups outside of it', async () => {
    const project = `/projects/${code.id}`;
    for (const place of [project, `/groups/${group.id}`]) {
      expect(await share(place, outside.id)).toBe(201);
      await unshare(place, outside.id);
      await set(root.id, { prevent_sharing_groups_outside_hierarchy: true });
      expect([await share(place, outside.id), await share(place, sibling.id)]).toEqual([404, 201]);
      await unshare(place, sibling.id);
      await set(root.id, { prevent_sharing_groups_outside_hierarchy: false });
    }
    // Personal projects are in no group that could have the setting.
    const owner = await api.root.post<{ id: number }>('/projects', { name: 'of-root' });
    await buildMember(api, `groups/${outside.id}`, 1, 50).catch(() => undefined);
    expect(await share(`/projects/${owner.body.id}`, outside.id)).toBe(201);
  });
});

describe('shared_runners_setting', () => {
  it('excludes projects from the runners of the instance, unless they may override it and do', async () => {
    const queue = await JobQueue.build(api);
    const shared = await registerRunner(api, 'instance');
    const works = async (): Promise<boolean[]> => {
      await queue.clear();
      await queue.wait();
      const lists = [`/projects/${queue.code.id}/runners`, `/groups/${queue.group}/runners`];
      const shown = await Promise.all(lists.map((path) => api.root.get<{ id: number }[]>(path)));
      const taken = (await requestJob(api, shared)).status === 201;
      return [taken, ...shown.map(({ body }) => body.some(({ id }) => id === shared.id))];
    };
    expect(await works()).toEqual([true, true, true]);
    await set(queue.group, { shared_runners_setting: 'disabled_and_overridable' });
    expect(await works()).toEqual([false, false, true]);
    await api.root.put(`/projects/${queue.code.id}`, { shared_runners_enabled: true });
    expect(await works()).toEqual([true, true, true]);
    await set(queue.group, { shared_runners_setting: 'disabled_and_unoverridable' });
    expect(await works()).toEqual([false, false, false]);
    await set(queue.group, { shared_runners_setting: 'enabled' });
    expect(await works()).toEqual([true, true, true]);
  });
});

describe('mentions_disabled', () => {
  it('prevents mentions of a group, or of groups below, from notifying its members', async () => {
    const member = await createUser(api);
    await buildMember(api, `groups/${sibling.id}`, member.id, 20);
    await buildMember(api, `projects/${code.id}`, member.id, 20);
    const called = async (): Promise<boolean> => {
      const { body } = await api.root.post<{ iid: number }>(`/projects/${code.id}/issues`, {
        title: 'Look',
        description: `@${sibling.full_path}`,
      });
      const path = `/projects/${code.id}/issues/${body.iid}/participants`;
      const people = await api.root.get<{ id: number }[]>(path);
      return people.body.some(({ id }) => id === member.id);
    };
    expect(await called()).toBe(true);
    await set(root.id, { mentions_disabled: true });
    expect(await called()).toBe(false);
    await set(root.id, { mentions_disabled: false });
    expect(await called()).toBe(true);
  });
});

describe('monitor_access_level', () => {
  it('disables alerts and errors, for users and for tools', async () => {
    const project = `/projects/${code.id}`;
    const integration = await api.root.post<{ url: string; token: string }>(
      `${project}/alert_management/integrations`,
      { name: 'Tool', active: true },
    );
    expect(integration.status).toBe(201);
    const statuses = async (): Promise<number[]> => {
      const sent = await fetch(integration.body.url.replace(/^https?:\/\/[^/]+/, api.url), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${integration.body.token}` },
        body: JSON.stringify({ title: 'Down' }),
      });
      const seen = await Promise.all([
        api.root.get(`${project}/alert_management_alerts`),
        api.root.get(`${project}/error_tracking/settings`),
      ]);
      return [sent.status, ...seen.map(({ status }) => status)];
    };
    const open = await statuses();
    expect(open.slice(0, 2)).toEqual([200, 200]);
    await api.root.put(project, { monitor_access_level: 'disabled' });
    expect(await statuses()).toEqual([403, 403, 403]);
    await api.root.put(project, { monitor_access_level: 'enabled' });
    expect(await statuses()).toEqual(open);
  });
});

describe('emails_disabled of groups and emails_enabled of projects', () => {
  it('prevent mails about events there', async () => {
    const mailed = async (): Promise<unknown> => {
      const path = `/projects/${code.id}/notification_settings/preview?event=new_issue`;
      return (await code.developer.get(path)).body['would_notify_mentioned'];
    };
    const switches = [
      (isOff: boolean) => set(root.id, { emails_disabled: isOff }),
      (isOff: boolean) => api.root.put(`/projects/${code.id}`, { emails_enabled: !isOff }),
    ];
    expect(await mailed()).toBe(true);
    for (const turn of switches) {
      await turn(true);
      expect(await mailed()).toBe(false);
      await turn(false);
      expect(await mailed()).toBe(true);
    }
  });
});
