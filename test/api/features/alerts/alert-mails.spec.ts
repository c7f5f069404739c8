import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { DeliverAlertMailJob } from '#features/alerts/mails/deliver-alert-mail.job.js';
import { alertmanagerBody, AlertDesk } from '../../../support/alert-desk.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { addUser, type AddedUser } from '../../../support/builders/instance.js';
import { buildMember } from '../../../support/builders/member.js';
import { Notified } from '../../../support/notified.js';
import { until } from '../../../support/until.js';

describe('mails about alerts', () => {
  let api: TestApi;
  let inbox: Notified;
  let desk: AlertDesk;
  const people = new Map<string, AddedUser>();
  const idOf = (name: string): number => people.get(name)?.id ?? 0;
  const open = (values: object = {}): Promise<AlertDesk> =>
    AlertDesk.open(api, { send_email: true, ...values });
  const deliver = (alertIds: readonly number[], userId: number, projectId = desk.project.id): Promise<void> =>
    api.app.get(Transactions).run((tx) => {
      const payload = { userId, projectId, alertIds, further: 0, at: new Date().toISOString() };
      return api.app.get(Jobs).enqueue(tx, DeliverAlertMailJob, payload);
    });

  beforeAll(async () => {
    inbox = await Notified.start();
    api = await startApi({ SMTP_URL: inbox.url, MAIL_FROM: 'Forge <noreply@forge.test>' });
    // The owner of the projects receives none of these mails.
    await api.root.put('/notification_settings', { level: 'disabled' });
    for (const name of ['direct', 'above', 'invited', 'developer', 'silent', 'elsewhere'])
      people.set(name, await addUser(api, name));
    const group = await buildGroup(api);
    const others = await buildGroup(api);
    await buildMember(api, `groups/${group.id}`, idOf('above'), 50);
    await buildMember(api, `groups/${others.id}`, idOf('invited'), 40);
    desk = await AlertDesk.open(api, { send_email: true }, { name: 'shop', namespace_id: group.id });
    await api.root.post(`/projects/${desk.project.id}/share`, { group_id: others.id, group_access: 40 });
    for (const [name, level] of [
      ['direct', 40],
      ['silent', 40],
      ['developer', 30],
    ] as const)
      await buildMember(api, `projects/${desk.project.id}`, idOf(name), level);
    await api
      .as(people.get('silent')?.token ?? '')
      .put(`/projects/${desk.project.id}/notification_settings`, { level: 'disabled' });
  });
  afterAll(async () => {
    await api.close();
    await inbox.close();
  });
  beforeEach(() => inbox.mails(api));

  it('are sent to the maintainers of the project, for new and resolved alerts', async () => {
    const payload = {
      title: 'Disk <full>',
      description: 'Less than *1* & falling',
      severity: 'high',
      hosts: ['a.test'],
      fingerprint: 'disk',
      start_time: '2026-03-04T05:06:07Z',
    };
    const [iid] = await desk.send(payload);
    const mails = await inbox.mails(api);
    expect(mails.map(({ to }) => to)).toEqual(['above', 'direct', 'invited']);
    const [mail] = mails;
    expect(mail?.header('Subject')).toBe('shop | Alert: Disk <full>');
    expect(mail?.header('X-GitLab-Project-Id')).toBe(String(desk.project.id));
    expect(mail?.header('X-GitLab-Alert-IID')).toBe(String(iid));
    expect(mail?.header('Auto-Submitted')).toBe('auto-generated');
    for (const part of [
      'Severity: high',
      'Start time: 2026-03-04 05:06:07 UTC',
      'Less than *1* & falling',
      'Less than *1* &amp; falling',
      `http://forgeplane.test/-/projects/${desk.project.id}/alerts/${iid}`,
      '>Disk &lt;full&gt;</a>',
    ])
      expect(mail?.content).toContain(part);
    await desk.send(payload);
    expect(await inbox.readers(api)).toEqual([]);
    await desk.send({ ...payload, end_time: '2026-03-04T06:00:00Z' });
    const [over] = await inbox.mails(api);
    expect(over?.header('Subject')).toBe('shop | Resolved alert: Disk <full>');
    expect(over?.content).toContain('End time: 2026-03-04 06:00:00 UTC');
  });

  it('are not sent for acknowledged or ignored alerts, or for actions of users', async () => {
    const other = await open();
    await buildMember(api, `projects/${other.project.id}`, idOf('direct'), 40);
    const [iid = 0] = await other.send({ title: 'Known', fingerprint: 'known' });
    expect(await inbox.readers(api)).toEqual(['direct']);
    for (const status of ['acknowledged', 'ignored', 'resolved']) {
      await other.setStatus(iid, status);
      if (status !== 'resolved') await other.send({ title: 'Known', fingerprint: 'known' });
      expect([status, await inbox.readers(api)]).toEqual([status, []]);
    }
    // A user acknowledges it between the event and the mail.
    const [late = 0] = await other.send({ title: 'Late', fingerprint: 'late' });
    expect(await inbox.readers(api)).toEqual(['direct']);
    await other.setStatus(late, 'acknowledged');
    await deliver([await other.idOf(late)], idOf('direct'), other.project.id);
    expect(await inbox.readers(api)).toEqual([]);
  });

  it('are sent only if the integration enables them and the project does not disable mails', async () => {
    const quiet = await open({ send_email: false });
    await buildMember(api, `projects/${quiet.project.id}`, idOf('direct'), 40);
    await quiet.send({ title: 'Nobody asked' });
    expect(await inbox.readers(api)).toEqual([]);
    await quiet.change({ send_email: true });
    await api.root.put(`/projects/${quiet.project.id}`, { emails_disabled: true });
    await quiet.send({ title: 'Switched off' });
    expect(await inbox.readers(api)).toEqual([]);
  });

  it('never reach users who may not read alerts at the time of sending', async () => {
    const [iid = 0] = await desk.send({ title: 'Secret' });
    await inbox.mails(api);
    const id = await desk.idOf(iid);
    for (const name of ['developer', 'elsewhere', 'silent']) await deliver([id], idOf(name));
    expect(await inbox.readers(api)).toEqual([]);
    const other = await open();
    await buildMember(api, `projects/${other.project.id}`, idOf('elsewhere'), 40);
    // An alert of another project is not mailed, whatever enqueues it.
    await deliver([id], idOf('elsewhere'), other.project.id);
    expect(await inbox.readers(api)).toEqual([]);
    await api.root.delete(`/projects/${other.project.id}/members/${idOf('elsewhere')}`);
    const [mine = 0] = await other.send({ title: 'Theirs no more' });
    await deliver([await other.idOf(mine)], idOf('elsewhere'), other.project.id);
    expect(await inbox.readers(api)).toEqual([]);
  });

  it('report several alerts in one mail', async () => {
    const other = await open({ type: 'prometheus' });
    await buildMember(api, `projects/${other.project.id}`, idOf('direct'), 40);
    const items = Array.from({ length: 30 }, (_, number) => ({
      fingerprint: `f${number}`,
      annotations: { title: `Number ${number}.` },
    }));
    await other.send(alertmanagerBody(...items));
    const mails = await inbox.mails(api);
    expect(mails.map((mail) => [mail.to, mail.header('Subject')])).toEqual([
      ['direct', `${other.project.name} | 30 alerts`],
    ]);
    expect(mails[0]?.content).toContain('Alert: Number 19.');
    expect(mails[0]?.content).not.toContain('Alert: Number 20.');
    expect(mails[0]?.content).toContain('And 10 more.');
  });

  it('are delayed and combined after too many', async () => {
    const other = await open();
    await buildMember(api, `projects/${other.project.id}`, idOf('direct'), 40);
    const limiter = api.app.get(RateLimiter);
    for (let mail = 0; mail < 5; mail += 1) await limiter.hit('alert_mails', String(other.project.id), 5, 4);
    await other.send({ title: 'One' });
    const waits = async (): Promise<boolean> => {
      const rows = await api.sql(
        `select 1 from background_jobs where name = 'notifications.gather-alerts' and state = 'pending' and run_at > now() + interval '1 second'`,
      );
      return rows.length > 0;
    };
    await until(waits);
    await other.send({ title: 'Two' });
    const mails = await inbox.mails(api);
    expect(mails.map((mail) => mail.header('Subject'))).toEqual([`${other.project.name} | 2 alerts`]);
    expect(await api.sql('select 1 from alert_notices where project_id = $1', [other.project.id])).toEqual(
      [],
    );
  });
});
