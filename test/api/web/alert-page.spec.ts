import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertDesk } from '../../support/alert-desk.js';
import type { TestApi } from '../../support/api.js';
import { addGroup, addProject } from '../../support/builders/instance.js';
import { buildBrowser } from '../../support/builders/session.js';
import { createUser } from '../../support/builders/user.js';
import { PageClient } from '../../support/page-client.js';
import { borrowApi } from '../../support/shared-api.js';
import { textOf } from '../../support/storage-move-pages.js';

const HOSTILE = `<img src=x onerror=alert(1)>"'</script><script>alert(1)</script>`;

describe('the page of an alert', () => {
  let api: TestApi;
  let project: number;
  beforeAll(async () => {
    api = await borrowApi();
    project = await addProject(api, await addGroup(api, 'shop'), 'shop/web');
  });
  afterAll(() => api.close());

  const page = (iid: number | string): string => `/-/projects/${project}/alerts/${iid}`;
  async function addAlert(payload: object): Promise<number> {
    const path = `/projects/${project}/alert_management/integrations`;
    const { id } = (await api.root.post<{ id: number }>(path, { name: 'Monitoring' })).body;
    const [taken] = (await api.root.post<{ iid: number }[]>(`${path}/${id}/test`, payload)).body;
    return taken?.iid ?? 0;
  }

  it('shows its attributes, and the payload, as text', async () => {
    const iid = await addAlert({
      title: `Disk ${HOSTILE}`,
      description: HOSTILE,
      severity: 'high',
      hosts: ['db1', 'db2'],
      start_time: '2026-03-04T05:06:07Z',
      rack: { row: 'seven' },
    });
    const answer = await (await buildBrowser(api, 1)).get(page(iid));
    expect([answer.status, answer.text.includes('<img'), answer.text.includes('<script>alert')]).toEqual([
      200,
      false,
      false,
    ]);
    const shown = textOf(answer.text);
    for (const part of [
      'Triggered',
      'high',
      '2026-03-04 05:06:07 UTC',
      'db1, db2',
      '&quot;row&quot;: &quot;seven&quot;',
    ])
      expect(shown).toContain(part);
  });

  it('is only for Developers', async () => {
    const iid = await addAlert({ title: 'Disk' });
    for (const [level, expected] of [
      [30, 200],
      [20, 403],
      [0, 404],
    ] as const) {
      const user = await createUser(api);
      if (level > 0)
        await api.root.post(`/projects/${project}/members`, { user_id: user.id, access_level: level });
      const browser = await buildBrowser(api, user.id);
      expect([level, (await browser.get(page(iid))).status]).toEqual([level, expected]);
    }
    expect((await new PageClient(api.url).get(page(iid))).location).toContain('/users/sign_in');
    const root = await buildBrowser(api, 1);
    expect([(await root.get(page(999))).status, (await root.get(page('x'))).status]).toEqual([404, 400]);
  });

  it('is the target of the link of its incident', async () => {
    const desk = await AlertDesk.open(api, { create_incident: true });
    const [iid] = await desk.send({ title: 'Down' });
    const [incident] = await desk.incidents();
    const [, link = ''] = /\*\*Alert:\*\* <([^>]+)>/.exec(incident?.description ?? '') ?? [];
    expect(new URL(link).pathname).toBe(`/-/projects/${desk.project.id}/alerts/${iid}`);
    const { status, text } = await (await buildBrowser(api, 1)).get(new URL(link).pathname);
    expect([status, textOf(text).includes('Down')]).toEqual([200, true]);
  });
});
