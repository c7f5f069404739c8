import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#kernel/config/config.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { TellResourceTokenExpiryProcessor } from '#core/resource-tokens/expiry/tell-resource-token-expiry.processor.js';
import { TellTokenExpiryProcessor } from '#core/tokens/expiry/tell-token-expiry.processor.js';
import { TellExpiredKeysProcessor } from '#core/users/keys/tell-expired-keys.processor.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import { buildProject } from '../../../../support/builders/project.js';
import { addPerson, PASSWORD, type Person } from '../../../../support/builders/person.js';
import { addProtected, atSecondStep, giveCode } from '../../../../support/builders/second-factor.js';
import { MailFolder } from '../../../../support/mail.js';
import { PageClient } from '../../../../support/page-client.js';
import { until } from '../../../../support/until.js';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK/baC3p4qFdrF/+l2Qci482XWRlzCYSoW6siBLXpgie';
const CONTEXT = { signal: new AbortController().signal } as JobContext;

/** Mails that are sent regardless of notification settings (`planning.md` 2.3), here as files. */
describe('notices of an account', () => {
  let api: TestApi;
  let mails: MailFolder;
  let people = 0;

  beforeAll(async () => {
    api = await startApi({ TRUSTED_PROXIES: '127.0.0.1' });
    mails = new MailFolder(api.app.get(Config).DATA_DIR);
    await api.root.put('/application/settings', { throttle_protected_paths_enabled: false });
  });
  afterAll(() => api.close());

  const person = async (): Promise<Person> => addPerson(api, `told-${(people += 1)}`);
  const settled = (): Promise<unknown> =>
    until(async () => {
      const text = `select 1 from background_jobs where name = 'mail.send' and state in ('pending', 'handed', 'running')`;
      return (await api.sql(text)).length === 0;
    });
  const subjects = async ({ username }: Person): Promise<string[]> => {
    await settled();
    return mails.to(`${username}@example.com`).map((mail) => /^Subject: (.*?)\r?$/m.exec(mail)?.[1] ?? '');
  };
  const last = ({ username }: Person): string => mails.to(`${username}@example.com`).at(-1) ?? '';

  it('report tokens that are created, replaced and revoked, at any level', async () => {
    const owner = await person();
    const client = api.as(owner.token);
    await client.put('/notification_settings', { level: 'disabled' });
    const path = `/users/${owner.id}/personal_access_tokens`;
    const values = { name: 'ci <b>', scopes: ['api'] };
    const { body: made } = await api.root.post<{ id: number }>(path, values);
    expect(await subjects(owner)).toEqual(['An access token was created']);
    expect(last(owner)).toContain(
      `token named "ci <b>" has just been created for your account ${owner.username}`,
    );
    expect(last(owner)).toContain('ci &lt;b&gt;');
    expect(last(owner)).not.toMatch(/https?:|unsubscribe/i);
    expect(last(owner)).toContain('X-Auto-Response-Suppress: All');
    const { body: next } = await client.post<{ id: number }>(`/personal_access_tokens/${made.id}/rotate`);
    expect((await subjects(owner)).at(-1)).toBe('An access token was replaced');
    await client.delete(`/personal_access_tokens/${next.id}`);
    expect((await subjects(owner)).at(-1)).toBe('An access token was revoked');
    expect(last(owner)).not.toContain('glpat-');
    await api.root.post(`/users/${owner.id}/impersonation_tokens`, values);
    expect(await subjects(owner)).toHaveLength(3);
  });

  it('report tokens that expire within a week, and expired ones, once each', async () => {
    const owner = await person();
    const add = (name: string, days: number, more = 'false, false'): Promise<unknown> =>
      api.sql(
        `insert into personal_access_tokens (user_id, name, digest, scopes, expires_at, revoked, impersonation)
         values ($1, $2::text, sha256($2::text::bytea), '{api}', (now() at time zone 'utc')::date + $3::int, ${more})`,
        [owner.id, name, days],
      );
    await add('soon', 7);
    await add('sooner', 1);
    await add('later', 8);
    await add('today', 0);
    await add('long-ago', -8);
    await add('revoked', 3, 'true, false');
    await add('of-others', 3, 'false, true');
    const job = api.app.get(TellTokenExpiryProcessor, { strict: false });
    for (let time = 0; time < 2; time += 1) await job.process({}, CONTEXT);
    expect((await subjects(owner)).sort()).toEqual([
      'Your access tokens have expired',
      'Your access tokens will expire in 7 days or less',
    ]);
    const texts = mails.to(`${owner.username}@example.com`).join('\n');
    expect(texts).toContain('have expired: "today".');
    expect(texts).toContain('expire within seven days: "soon", "sooner".');
    await api.sql(`update personal_access_tokens set expires_at = current_date - 1 where name = 'sooner'`);
    await job.process({}, CONTEXT);
    expect(await subjects(owner)).toHaveLength(3);
    expect(last(owner)).toContain('have expired: "sooner".');
  });

  it('report expiring tokens of a project to its Owners and Maintainers, and of a group to its Owners, once each', async () => {
    const group = await buildGroup(api);
    const invited = await buildGroup(api);
    const project = await buildProject(api.root, { namespace_id: group.id });
    const roles = {
      above: 50,
      groupMaintainer: 40,
      maintainer: 40,
      developer: 30,
      blocked: 40,
      unconfirmed: 40,
    };
    const who = new Map<string, Person>();
    for (const [name, level] of Object.entries({ ...roles, left: 40, invited: 40 })) {
      const one = await person();
      who.set(name, one);
      const place = /above|group/.test(name) ? `groups/${group.id}` : `projects/${project.id}`;
      await buildMember(api, name === 'invited' ? `groups/${invited.id}` : place, one.id, level);
    }
    const idOf = (name: string): number => who.get(name)?.id ?? 0;
    await api.root.post(`/projects/${project.id}/share`, { group_id: invited.id, group_access: 40 });
    await api.root.post(`/users/${idOf('blocked')}/block`);
    await api.sql('update users set confirmed_at = null where id = $1', [idOf('unconfirmed')]);
    await api.root.delete(`/projects/${project.id}/members/${idOf('left')}`);
    const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const addTo = async (place: string, name: string): Promise<void> => {
      const values = { name, scopes: ['api'], access_level: 20, expires_at: soon };
      expect((await api.root.post(`/${place}/access_tokens`, values)).status).toBe(201);
    };
    await addTo(`projects/${project.id}`, 'release <b>');
    await addTo(`projects/${project.id}`, 'nightly');
    await addTo(`groups/${group.id}`, 'audit');
    const before = new Map<string, number>();
    for (const [name, one] of who) before.set(name, (await subjects(one)).length);
    const told = async (): Promise<Record<string, string[]>> => {
      const all = await Promise.all(
        [...who].map(async ([name, one]) => [name, (await subjects(one)).slice(before.get(name))] as const),
      );
      return Object.fromEntries(all.filter(([, found]) => found.length > 0));
    };
    await api.app.get(TellTokenExpiryProcessor, { strict: false }).process({}, CONTEXT);
    expect(await told()).toEqual({});
    const job = api.app.get(TellResourceTokenExpiryProcessor, { strict: false });
    for (let time = 0; time < 2; time += 1) await job.process({}, CONTEXT);
    const notice = 'Access tokens will expire in 7 days or less';
    expect(await told()).toEqual({
      above: [notice, notice],
      groupMaintainer: [notice],
      maintainer: [notice],
      invited: [notice],
    });
    const maintainer = who.get('maintainer') as Person;
    expect(last(maintainer)).toContain(
      `the following access tokens of the project ${project.path_with_namespace} on Forgeplane expire within seven days: "release <b>", "nightly".`,
    );
    expect(last(maintainer)).toContain('release &lt;b&gt;');
    expect(mails.to(`${who.get('above')?.username}@example.com`).join()).toContain(
      `the following access tokens of the group ${group.full_path} on Forgeplane expire within seven days: "audit".`,
    );
    await api.sql(`update personal_access_tokens set expires_at = current_date where name = 'nightly'`);
    for (let time = 0; time < 2; time += 1) await job.process({}, CONTEXT);
    expect((await told())['maintainer']).toEqual([notice, 'Access tokens have expired']);
    expect(last(maintainer)).toContain('have expired: "nightly".');
    expect((await told())['developer']).toBeUndefined();
  });

  it('report SSH keys that are added and that expire', async () => {
    const owner = await person();
    await api.as(owner.token).post('/user/keys', { title: 'laptop', key: KEY });
    expect(await subjects(owner)).toEqual(['An SSH key was added']);
    expect(last(owner)).toContain('the SSH key "laptop" (');
    const job = api.app.get(TellExpiredKeysProcessor, { strict: false });
    await job.process({}, CONTEXT);
    expect(await subjects(owner)).toHaveLength(1);
    await api.sql(`update ssh_keys set expires_at = now() - interval '1 hour' where user_id = $1`, [
      owner.id,
    ]);
    for (let time = 0; time < 2; time += 1) await job.process({}, CONTEXT);
    expect(await subjects(owner)).toEqual(['An SSH key was added', 'Your SSH keys have expired']);
  });

  it('report a new address to the primary one, whether confirmed or not', async () => {
    const owner = await person();
    await api.as(owner.token).post('/user/emails', { email: 'another@example.com' });
    const confirmed = { email: 'third@example.com', skip_confirmation: true };
    await api.root.post(`/users/${owner.id}/emails`, confirmed);
    expect(await subjects(owner)).toEqual(['An e-mail address was added', 'An e-mail address was added']);
    expect(last(owner)).toContain('the address third@example.com has just been added');
  });

  it('report wrong codes after the correct password, and the removal of the second factor', async () => {
    const owner = await addProtected(api, 'protected');
    const before = (await subjects(owner)).length;
    await giveCode(await atSecondStep(api, owner), '0'.repeat(24));
    await api.root.send('PATCH', `/users/${owner.id}/disable_two_factor`);
    expect((await subjects(owner)).slice(before)).toEqual([
      'A wrong two-factor code was entered',
      'Two-factor authentication was disabled',
    ]);
  });

  it('report sign-ins from new locations', async () => {
    const owner = await person();
    const signIn = async (address: string): Promise<number> => {
      const browser = new PageClient(api.url);
      await browser.get('/users/sign_in');
      const fields = { 'user[login]': owner.username, 'user[password]': PASSWORD };
      const reply = await browser.submit('/users/sign_in', fields, { 'X-Forwarded-For': address });
      expect(reply.status).toBe(303);
      return (await subjects(owner)).length;
    };
    expect(await signIn('192.0.2.1')).toBe(0);
    expect(await signIn('192.0.2.1')).toBe(0);
    expect(await signIn('192.0.2.2')).toBe(1);
    expect(last(owner)).toContain('from a new location: 192.0.2.2, 2');
    expect(await signIn('192.0.2.1')).toBe(1);
    expect(await signIn('2001:db8::1')).toBe(2);
    // Another address of the same network.
    expect(await signIn('2001:db8::2')).toBe(2);
  });

  it('are not sent to users who are blocked or have no confirmed address', async () => {
    const [blocked, unconfirmed] = [await person(), await person()];
    await api.root.post(`/users/${blocked.id}/block`);
    await api.sql('update users set confirmed_at = null where id = $1', [unconfirmed.id]);
    for (const { id } of [blocked, unconfirmed])
      await api.root.post(`/users/${id}/personal_access_tokens`, { name: 'n', scopes: ['api'] });
    expect([await subjects(blocked), await subjects(unconfirmed)]).toEqual([[], []]);
  });
});
