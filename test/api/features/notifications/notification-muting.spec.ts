import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

/** What mails are about, with the routes that read and remove it. */
interface Subject {
  readonly type: string;
  readonly id: number;
  readonly title: string;
  readonly path: string;
}

const ONE_CLICK = 'List-Unsubscribe=One-Click';

describe('links in mails that end them', () => {
  let api: TestApi;
  let project: CodeProject;
  let groupId: number;
  let serial = 0;
  beforeAll(async () => {
    api = await borrowApi();
    groupId = (await buildGroup(api, { visibility: 'private' })).id;
    project = await buildCodeProject(
      api,
      async (work) => {
        await work.git('checkout', '--quiet', '-b', 'more');
        await work.commit({ more: 'x' }, 'More');
        await work.git('checkout', '--quiet', 'main');
      },
      { namespace_id: groupId, visibility: 'private' },
    );
  });
  afterAll(() => api.close());

  async function reader(): Promise<CreatedUser> {
    const user = await createUser(api);
    await buildMember(api, `groups/${groupId}`, user.id, 30);
    return user;
  }
  /** One of each kind of which mails tell and which can be muted. */
  async function subjects(): Promise<Subject[]> {
    const title = `secret ${(serial += 1)}`;
    const own = `/projects/${project.id}`;
    const branch = `more-${serial}`;
    await api.root.post(`${own}/repository/branches`, { branch, ref: 'more' });
    const made = async (type: string, at: string, body: object): Promise<Subject> => {
      const { body: record, status } = await api.root.post<{ id: number; iid: number }>(at, {
        title,
        ...body,
      });
      expect([type, status]).toEqual([type, 201]);
      return { type, id: record.id, title, path: `${at}/${record.iid}` };
    };
    return [
      await made('Issue', `${own}/issues`, {}),
      await made('MergeRequest', `${own}/merge_requests`, {
        source_branch: branch,
        target_branch: 'main',
      }),
      await made('Epic', `/groups/${groupId}/epics`, {}),
    ];
  }
  /** The path in a mail that was sent to the user. */
  async function mailed(userId: number, type: string, id: number | null): Promise<string> {
    const key = randomBytes(16).toString('hex');
    await api.sql(
      `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, target_type, target_id, project_id)
       values ($1, $1, '{}', $2, $3, $4, $5)`,
      [key, userId, type, id, type === 'Epic' ? null : project.id],
    );
    return `/-/sent_notifications/${key}/unsubscribe`;
  }
  const click = async (path: string): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${api.url}${path}?force=true`, {
      method: 'POST',
      body: ONE_CLICK,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    return { status: answer.status, text: await answer.text() };
  };
  const said = (userId: number, { type, id }: Subject): Promise<object[]> =>
    api.sql(
      'select subscribed from subscriptions where user_id = $1 and target_type = $2 and target_id = $3',
      [userId, type, id],
    );
  const MUTED = [{ subscribed: false }];

  it('work for every kind, more than once, and for their reader alone', async () => {
    const [one, other] = [await reader(), await reader()];
    for (const subject of await subjects()) {
      const path = await mailed(one.id, subject.type, subject.id);
      await other.client.post(`${subject.path}/subscribe`);
      for (const round of [1, 2]) {
        expect([round, (await click(path)).status]).toEqual([round, 200]);
        expect(await said(one.id, subject)).toEqual(MUTED);
      }
      const shown = async ({ client }: CreatedUser): Promise<unknown> =>
        (await client.get<{ subscribed: boolean }>(subject.path)).body.subscribed;
      // Epics have no route to subscribe.
      const maySubscribe = subject.type !== 'Epic';
      expect([await shown(one), await shown(other)]).toEqual([false, maySubscribe]);
      if (!maySubscribe) continue;
      // Who subscribes again is written to again, until the link is used once more.
      expect((await one.client.post(`${subject.path}/subscribe`)).status).toBe(201);
      expect(await shown(one)).toBe(true);
      await click(path);
      expect(await shown(one)).toBe(false);
    }
  });

  it('mute at once if their reader opens them, and ask everybody else', async () => {
    const [one, other] = [await reader(), await reader()];
    const [own, foreign] = [await buildBrowser(api, one.id), await buildBrowser(api, other.id)];
    for (const subject of await subjects()) {
      const path = await mailed(one.id, subject.type, subject.id);
      for (const { status, text } of [await api.anonymous.get(path), await foreign.get(path)])
        expect([status, text.includes('<form'), text.includes(subject.title)]).toEqual([200, true, false]);
      await fetch(`${api.url}${path}`, { method: 'HEAD' });
      expect(await said(one.id, subject)).toEqual([]);
      for (const round of [1, 2]) {
        const { status, text } = await own.get(path);
        expect([round, status, text.includes(subject.title)]).toEqual([round, 200, false]);
        expect(await said(one.id, subject)).toEqual(MUTED);
      }
      expect(await said(other.id, subject)).toEqual([]);
    }
  });

  it('still mute for readers who have lost their rights, and tell them nothing', async () => {
    const [left, blocked] = [await reader(), await reader()];
    const all = await subjects();
    await api.root.delete(`/groups/${groupId}/members/${left.id}`);
    await api.root.post(`/users/${blocked.id}/block`);
    for (const subject of all)
      for (const { id } of [left, blocked]) {
        const { status, text } = await click(await mailed(id, subject.type, subject.id));
        expect([status, text.includes(subject.title)]).toEqual([200, false]);
        expect(await said(id, subject)).toEqual(MUTED);
      }
  });

  it('leave nothing behind of what is gone', async () => {
    const one = await reader();
    const own = await buildBrowser(api, one.id);
    for (const subject of await subjects()) {
      const path = await mailed(one.id, subject.type, subject.id);
      expect((await api.root.delete(subject.path)).status).toBe(204);
      expect([(await api.anonymous.get(path)).status, (await own.get(path)).status]).toEqual([200, 200]);
      expect((await click(path)).status).toBe(200);
      expect([subject.type, await said(one.id, subject)]).toEqual([subject.type, []]);
    }
    const [issue] = await subjects();
    const path = await mailed(one.id, 'Issue', issue?.id ?? 0);
    await api.root.delete(`/users/${one.id}?hard_delete=true`);
    await until(async () => (await click(path)).status === 404);
    expect((await api.anonymous.get(path)).status).toBe(404);
  });

  it('are for one mail that can be muted: no other key is accepted', async () => {
    const one = await reader();
    const pipeline = await mailed(one.id, 'Pipeline', 1);
    const known = (await mailed(one.id, 'Issue', 1)).split('/')[3] ?? '';
    const forged = ['0'.repeat(32), known.toUpperCase(), known.slice(1), `${known}0`, `${known}%00`, '%27'];
    const keys = forged.filter((key) => key !== known);
    for (const path of [pipeline, ...keys.map((key) => `/-/sent_notifications/${key}/unsubscribe`)]) {
      const answers = [(await click(path)).status, (await api.anonymous.get(path)).status];
      expect([path, answers.filter((status) => status !== 404 && status !== 400)]).toEqual([path, []]);
    }
  });
});
