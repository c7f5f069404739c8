import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientWorld } from '../support/gitbeaker.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** As in the pages of the API document. */
interface MadeIntegration {
  readonly url: string;
  readonly token: string;
}

describe('alerts through gitbeaker', () => {
  let world: ClientWorld;
  let projectId: number;
  let iid: number;

  beforeAll(async () => {
    world = await startClientWorld();
    projectId = (await world.root.Projects.create({ name: 'Web' })).id;
    const { body } = await world.plain.post<MadeIntegration>(
      `/projects/${projectId}/alert_management/integrations`,
      { name: 'Monitoring', type: 'http' },
    );
    const { pathname } = new URL(body.url);
    const response = await fetch(world.product.url + pathname, {
      method: 'POST',
      headers: { Authorization: `Bearer ${body.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'Disk full', severity: 'high' }),
    });
    expect(response.status).toBe(200);
    const [taken] = (await response.json()) as { iid: number; title: string }[];
    expect(taken).toEqual({ iid: 1, title: 'Disk full' });
    iid = taken?.iid ?? 0;
  });
  afterAll(() => world.close());

  it('adds, lists, changes and removes metric images', async () => {
    const { AlertManagement } = world.root;
    const added = await AlertManagement.uploadMetricImage(
      projectId,
      iid,
      { content: new Blob([PNG]), filename: 'load.png' },
      { url: 'https://grafana.example.com/d/1', urlText: 'Load' },
    );
    expect(added).toEqual({
      id: expect.any(Number),
      created_at: expect.any(String),
      filename: 'load.png',
      file_path: expect.stringMatching(/^\/.*\/file$/),
      url: 'https://grafana.example.com/d/1',
      url_text: 'Load',
    });
    expect(await AlertManagement.allMetricImages(projectId, iid)).toEqual([added]);
    const served = await world.plain.get(added.file_path);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
    const changed = await AlertManagement.editMetricImage(projectId, iid, added.id, {
      urlText: 'Load of db-1',
    });
    expect(changed).toEqual({ ...added, url_text: 'Load of db-1' });
    await AlertManagement.removeMetricImage(projectId, iid, added.id);
    expect(await AlertManagement.allMetricImages(projectId, iid)).toEqual([]);
  });

  it('reports refused payloads', async () => {
    const { AlertManagement } = world.root;
    expect(await refusal(AlertManagement.allMetricImages(projectId, 99))).toEqual([
      404,
      '404 Alert Not Found',
    ]);
    expect(await refusal(AlertManagement.removeMetricImage(projectId, iid, 99))).toEqual([
      404,
      '404 Metric Image Not Found',
    ]);
    const page = { content: new Blob(['<html>']), filename: 'page.html' };
    expect((await refusal(AlertManagement.uploadMetricImage(projectId, iid, page)))[0]).toBe(400);
  });
});
