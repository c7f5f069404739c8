import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { addPerson, PASSWORD, type Person } from '../../../support/builders/person.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { addSecondFactor } from '../../../support/builders/second-factor.js';
import { buildToken } from '../../../support/builders/token.js';
import { askRefs } from '../../../support/git-http.js';
import type { PageClient } from '../../../support/page-client.js';
import { borrowApi } from '../../../support/shared-api.js';

const SET_UP = '/-/profile/two_factor_auth';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

let count = 0;
const someone = async (): Promise<{ person: Person; browser: PageClient }> => {
  const person = await addPerson(api, `grouped-${(count += 1)}`);
  return { person, browser: await buildBrowser(api, person.id) };
};
/** Turns the requirement of two-factor authentication of a group on or off. */
async function demand(groupId: number, isOn: boolean, hours = 48): Promise<void> {
  const values = { require_two_factor_authentication: isOn, two_factor_grace_period: hours };
  expect((await api.root.put(`/groups/${groupId}`, values)).status).toBe(200);
}
/** Pretends that the group and its members have been subject to the requirement for that long. */
async function past(groupId: number, hours: number): Promise<void> {
  const ago = `now() - make_interval(hours => ${hours})`;
  await api.sql(`update namespaces set second_factor_asked_at = ${ago} where id = $1`, [groupId]);
  await api.sql(`update members set created_at = ${ago}`);
  await api.sql(
    `update users set two_factor_grace_started_at = ${ago} where two_factor_grace_started_at is not null`,
  );
}
const onApi = async (browser: PageClient): Promise<number> => (await browser.get('/api/v4/version')).status;

describe('a group that requires two-factor authentication', () => {
  it('gives only its members a grace period, and then redirects them to the setup', async () => {
    const group = await buildGroup(api);
    const { person, browser } = await someone();
    const stranger = await someone();
    await buildMember(api, `groups/${group.id}`, person.id, 30);
    expect((await browser.get('/-/profile')).text).not.toContain('must use two-factor');
    await demand(group.id, true, 24);
    const page = await browser.get('/-/profile');
    expect([page.status, page.text.includes('Your account must use two-factor')]).toEqual([200, true]);
    expect(await onApi(browser)).toBe(200);
    await past(group.id, 23);
    expect(await onApi(browser)).toBe(200);
    await past(group.id, 24);
    expect(await onApi(browser)).toBe(403);
    expect((await browser.get('/-/profile')).location).toBe(SET_UP);
    expect((await browser.get(SET_UP)).text).toContain('Please set it up before you continue.');
    expect(await onApi(stranger.browser)).toBe(200);
    expect((await stranger.browser.get('/-/profile')).text).not.toContain('must use two-factor');
    // Tokens need no second factor, as with the requirement of the instance.
    const { token } = await buildToken(api, person.id);
    expect((await api.as(token).get('/user')).status).toBe(200);
    await addSecondFactor(api, person.id);
    const fresh = await buildBrowser(api, person.id);
    expect(await onApi(fresh)).toBe(200);
    expect((await fresh.get(SET_UP)).text).toContain('Your account must use two-factor authentication');
  });

  it('starts the grace period again when it is turned on again, and for later members', async () => {
    const group = await buildGroup(api);
    const { person, browser } = await someone();
    await buildMember(api, `groups/${group.id}`, person.id, 30);
    await demand(group.id, true, 1);
    await onApi(browser);
    await past(group.id, 2);
    expect(await onApi(browser)).toBe(403);
    await demand(group.id, false);
    expect(await onApi(browser)).toBe(200);
    await demand(group.id, true, 1);
    expect(await onApi(browser)).toBe(200);
    await past(group.id, 2);
    expect(await onApi(browser)).toBe(403);
    await api.root.delete(`/groups/${group.id}/members/${person.id}`);
    expect(await onApi(browser)).toBe(200);
    await buildMember(api, `groups/${group.id}`, person.id, 30);
    expect(await onApi(browser)).toBe(200);
    // Other changes of the group do not restart the grace period.
    await past(group.id, 2);
    expect((await api.root.put(`/groups/${group.id}`, { description: 'x' })).status).toBe(200);
    expect(await onApi(browser)).toBe(403);
  });

  it('applies to members of descendant, parent and invited groups, not of single projects', async () => {
    const above = await buildGroup(api);
    const group = await buildGroup(api, { parent_id: above.id });
    const below = await buildGroup(api, { parent_id: group.id });
    const invited = await buildGroup(api);
    expect(
      (await api.root.post(`/groups/${group.id}/share`, { group_id: invited.id, group_access: 20 })).status,
    ).toBe(201);
    const project = await api.root.post<{ id: number }>('/projects', { name: 'p', namespace_id: group.id });
    await demand(group.id, true, 0);
    for (const [place, status] of [
      [`groups/${above.id}`, 403],
      [`groups/${below.id}`, 403],
      [`groups/${invited.id}`, 403],
      [`projects/${project.body.id}`, 200],
    ] as const) {
      const { person, browser } = await someone();
      await buildMember(api, place, person.id, 30);
      expect([place, await onApi(browser)]).toEqual([place, status]);
    }
  });

  it('applies the strictest of several requirements, including that of the instance', async () => {
    const [slow, fast] = [await buildGroup(api), await buildGroup(api)];
    const { person, browser } = await someone();
    for (const { id } of [slow, fast]) await buildMember(api, `groups/${id}`, person.id, 10);
    await demand(slow.id, true, 100_000);
    expect(await onApi(browser)).toBe(200);
    await demand(fast.id, true, 0);
    expect(await onApi(browser)).toBe(403);
    await demand(fast.id, false);
    expect(await onApi(browser)).toBe(200);
    const instance = (isOn: boolean): Promise<unknown> =>
      api.root.put('/application/settings', {
        require_two_factor_authentication: isOn,
        two_factor_grace_period: 0,
      });
    await instance(true);
    expect(await onApi(browser)).toBe(403);
    await instance(false);
    expect(await onApi(browser)).toBe(200);
  });

  it('prevents passwords alone from working for tokens and git', async () => {
    const group = await buildGroup(api);
    const { person } = await someone();
    await buildMember(api, `groups/${group.id}`, person.id, 40);
    await api.root.post('/projects', {
      name: 'code',
      path: 'code',
      namespace_id: group.id,
      initialize_with_readme: true,
    });
    const fetched = async (): Promise<number> =>
      (await askRefs(api, `/${group.full_path}/code.git`, 'upload', [person.username, PASSWORD])).status;
    const grant = async (): Promise<number> => {
      const form = new URLSearchParams({
        grant_type: 'password',
        username: person.username,
        password: PASSWORD,
      });
      return (await fetch(`${api.url}/oauth/token`, { method: 'POST', body: form })).status;
    };
    expect(await grant()).toBe(200);
    expect(await fetched()).toBe(200);
    await demand(group.id, true);
    expect(await grant()).toBe(400);
    expect(await fetched()).toBe(401);
  });

  it('leaves passwords unchecked there: they are neither counted nor confirmed, and each is audited', async () => {
    const group = await buildGroup(api);
    const { person } = await someone();
    await buildMember(api, `groups/${group.id}`, person.id, 40);
    await api.root.post('/projects', { path: 'unchecked', namespace_id: group.id });
    await demand(group.id, true);
    await api.sql('update users set failed_attempts = 3 where id = $1', [person.id]);
    const tries: readonly ((password: string) => Promise<unknown>)[] = [
      (password) => {
        const form = { grant_type: 'password', username: person.username, password };
        return fetch(`${api.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
      },
      (password) => askRefs(api, `/${group.full_path}/unchecked.git`, 'upload', [person.username, password]),
    ];
    const audited = async (): Promise<number> => {
      const text = `select 1 from audit_events where entity_type = 'User' and entity_id = $1
        and details->>'custom_message' = 'Failed to sign in with a password'`;
      return (await api.sql(text, [person.id])).length;
    };
    let count = 0;
    for (const attempt of tries)
      for (const password of [PASSWORD, 'wrong']) {
        await attempt(password);
        expect([password, await audited()]).toEqual([password, (count += 1)]);
        const rows = await api.sql('select failed_attempts from users where id = $1', [person.id]);
        expect(rows).toEqual([{ failed_attempts: 3 }]);
      }
  });
});
