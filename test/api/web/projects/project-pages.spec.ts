import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { ESCAPED_NAME, HOSTILE_NAME } from '../../../support/applications.js';
import { addGroup, addMember, addProject, addUser } from '../../../support/builders/instance.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { PageClient, type PageReply } from '../../../support/page-client.js';
import { borrowApi } from '../../../support/shared-api.js';

const PAGE = '/-/projects';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

const linksOf = ({ text }: PageReply): string[] =>
  [...text.matchAll(/href="(\/-\/projects\/[^"]*)"/g)].map(([, link]) => link ?? '');

describe('the page of projects', () => {
  it('links to what the user may see in their projects', async () => {
    const user = await addUser(api, 'jane');
    const group = await addGroup(api, 'shop', 'public');
    const [web, backend, docs, hidden, gone] = [
      await addProject(api, group, 'shop/web'),
      await addProject(api, group, 'shop/backend'),
      await addProject(api, group, 'shop/docs'),
      await addProject(api, group, 'shop/hidden'),
      await addProject(api, group, 'shop/gone'),
    ];
    for (const [project, level] of [
      [web, 20],
      [backend, 30],
      [docs, 10],
      [gone, 40],
    ])
      await addMember(api, 'Project', project ?? 0, user.id, level ?? 0);
    await api.sql('update projects set pending_delete = true where id = $1', [gone]);
    await api.sql('update projects set full_name = $2 where id = $1', [web, HOSTILE_NAME]);
    const browser = await buildBrowser(api, user.id);
    const page = await browser.get(PAGE);
    expect(page.status).toBe(200);
    expect(linksOf(page)).toEqual([
      `${PAGE}/${backend}/error_tracking`,
      `${PAGE}/${backend}/alert_integrations`,
      `${PAGE}/${web}/error_tracking`,
    ]);
    expect([page.text.includes(ESCAPED_NAME), page.text.includes('<script>alert')]).toEqual([true, false]);
    expect(hidden).toBeGreaterThan(0);
    for (const link of linksOf(page)) expect([link, (await browser.get(link)).status]).toEqual([link, 200]);
    expect(linksOf(await browser.get(`${PAGE}?per_page=1&page=2`))).toEqual([
      `${PAGE}/${web}/error_tracking`,
    ]);
  });

  it('is empty for users without projects, and requires a sign-in', async () => {
    const { id } = await addUser(api, 'lonely');
    const page = await (await buildBrowser(api, id)).get(PAGE);
    expect([linksOf(page), page.text.includes('You are not a member of any project.')]).toEqual([[], true]);
    expect((await new PageClient(api.url).get(PAGE)).location).toBe('/users/sign_in');
  });
});
