import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { insertAlert } from '../../../support/builders/alert-rows.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { GIF, sendImage, type ImageForm } from '../../../support/metric-images.js';
import { until } from '../../../support/until.js';

interface Image {
  readonly id: number;
  readonly created_at: string;
  readonly filename: string;
  readonly file_path: string;
  readonly url: string | null;
  readonly url_text: string | null;
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('metric images of alerts', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let iid: number;

  const at = (suffix: string | number = '', alert = iid, project = team.projectId): string =>
    `/projects/${project}/alert_management_alerts/${alert}/metric_images${suffix === '' ? '' : `/${suffix}`}`;

  const upload = <T = Image>(client: ApiClient, form: ImageForm = {}, path = at()): Promise<Answer<T>> =>
    sendImage<T>(client, path, form);
  const objects = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of api.app.get(ObjectStorage).list('alert-images/')) keys.push(key);
    return keys;
  };
  const openClaims = (): Promise<object[]> =>
    api.sql(`select 1 from object_claims where object_key like 'alert-images/%' and due_at > now()`);
  const removeObjects = (): Promise<void> =>
    api.app
      .get(RemoveObjectsProcessor, { strict: false })
      .process({}, { signal: new AbortController().signal } as never);

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api);
    iid = await insertAlert(api, team.projectId);
  });
  afterAll(() => api.close());

  it('are added, listed, changed, served and removed', async () => {
    expect((await team.developer.get(at())).body).toEqual([]);
    const fields = { url: 'https://grafana.example.com/d/1?a=b', url_text: 'Load & more' };
    const added = await upload(team.developer, { fields });
    expect(added.status).toBe(201);
    const { id } = added.body;
    expect(added.body).toEqual({
      id: expect.any(Number),
      created_at: expect.any(String),
      filename: 'load.gif',
      file_path: `/api/v4${at(`${id}/file`)}`,
      ...fields,
    });
    const listed = await team.developer.get<Image[]>(at());
    expect(listed.body).toEqual([added.body]);
    expect(listed.headers.get('x-total')).toBe('1');
    expect(await openClaims()).toEqual([]);

    const changed = await team.developer.put<Image>(at(id), { url: 'http://a.example', url_text: '' });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...added.body, url: 'http://a.example', url_text: null },
    ]);
    expect((await team.developer.put<Image>(at(id), { url: null })).body.url).toBeNull();

    const served = await team.developer.get(added.body.file_path);
    expect([served.status, served.text]).toEqual([200, GIF]);
    for (const [name, value] of Object.entries({
      'content-type': 'image/gif',
      'content-length': '7',
      'content-disposition': expect.stringMatching(/^attachment; filename="load.gif"/),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      etag: `"${createHash('sha256').update(GIF).digest('hex')}"`,
    }))
      expect([name, served.headers.get(name)]).toEqual([name, value]);
    const known = { 'If-None-Match': served.headers.get('etag') ?? '' };
    expect((await team.developer.get(added.body.file_path, known)).status).toBe(304);
    expect((await team.developer.get(added.body.file_path, { Range: 'bytes=3-5' })).text).toBe('89a');

    expect(await objects()).toHaveLength(1);
    expect((await team.developer.delete(at(id))).status).toBe(204);
    for (const path of [added.body.file_path, at(`${id}/file`)])
      expect((await team.developer.get(path)).body).toEqual({ message: '404 Metric Image Not Found' });
    expect((await team.developer.delete(at(id))).body).toEqual({ message: '404 Metric Image Not Found' });
    await removeObjects();
    expect(await objects()).toEqual([]);
  });

  it('come from unmodified forms with binary content', async () => {
    const form = new FormData();
    form.set('file', new Blob([PNG], { type: 'image/png' }), 'Bär ☂ "1".png');
    form.set('url_text', 'Bär');
    const response = await fetch(`${api.url}/api/v4${at()}`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
      body: form,
    });
    expect(response.status).toBe(201);
    const image = (await response.json()) as Image;
    expect(image.url_text).toBe('Bär');
    const served = await fetch(`${api.url}${image.file_path}`, { headers: { 'PRIVATE-TOKEN': ROOT_TOKEN } });
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await served.arrayBuffer())).toEqual(PNG);
    expect((await team.developer.get<Image[]>(at())).body.map(({ filename }) => filename)).toEqual([
      image.filename,
    ]);
    await team.developer.delete(at(image.id));
  });

  it('must be images', async () => {
    const problem = { message: { file: ['is not an image of a supported type'] } };
    for (const form of [
      { name: 'a.svg', content: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>' },
      { name: 'a.gif', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      { name: 'a.html', content: `${GIF}<script>alert(1)</script>` },
      { name: 'gif', content: GIF },
      { name: 'a.gif', content: '' },
      { name: 'a.gif.exe', content: GIF },
    ]) {
      const answer = await upload<object>(team.developer, form);
      expect([form.name, answer.status, answer.body]).toEqual([form.name, 400, problem]);
    }
    const missing = { message: '400 (Bad request) "file" not given' };
    expect((await upload<object>(team.developer, { field: 'image' })).body).toEqual(missing);
    expect((await upload<object>(team.developer, { name: '' })).body).toEqual(missing);
    expect((await team.developer.post(at(), { file: 'x', 'file.path': '/etc/passwd' })).body).toEqual(
      missing,
    );
    const large = await upload(team.developer, { content: GIF + 'x'.repeat(10 * 1024 * 1024) });
    expect([large.status, large.body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
    expect((await team.developer.get(at())).body).toEqual([]);
    expect(await openClaims()).toEqual([]);
  });

  it('have no path characters in their names', async () => {
    const long = `${'x'.repeat(300)}.gif`;
    for (const [form, filename] of [
      [{ name: '../../etc/load.gif' }, 'load.gif'],
      [{ name: 'a%00b.gif' }, 'a%00b.gif'],
      [{ encodedName: 'a%00%0d%0ab%7f%e2%98%82.gif' }, 'ab☂.gif'],
      [{ encodedName: '..%2f..%2fetc%2fload.gif' }, 'load.gif'],
      [{ name: long }, long.slice(-255)],
    ] as const) {
      const { status, body } = await upload(team.developer, form);
      expect([form, status, body.filename]).toEqual([form, 201, filename]);
      const served = await team.developer.get(body.file_path);
      expect(served.headers.get('content-disposition')).toContain(`filename="`);
      await team.developer.delete(at(body.id));
    }
    expect((await objects()).every((key) => /^alert-images\/\d+\/[0-9a-f]{32}$/.test(key))).toBe(true);
  });

  it('can link only to web addresses', async () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '/relative',
      'ftp://a.example',
      'https://name:word@a.example',
      'java\tscript:alert(1)',
    ]) {
      const problem = { message: { url: ['must be a valid URL'] } };
      const answer = await upload<object>(team.developer, { fields: { url } });
      expect([url, answer.status, answer.body]).toEqual([url, 400, problem]);
    }
    const tooLong = { fields: { url: `https://a.example/${'x'.repeat(255)}`, url_text: 'x'.repeat(129) } };
    expect((await upload<object>(team.developer, tooLong)).body).toEqual({
      message: {
        url: ['is too long (maximum is 255 characters)'],
        url_text: ['is too long (maximum is 128 characters)'],
      },
    });
    const { body } = await upload(team.developer, { fields: { url: ' ', url_text: '' } });
    expect(body).toMatchObject({ url: null, url_text: null });
    const camel = await upload(team.developer, { fields: { urlText: 'Load' } });
    expect(camel.body.url_text).toBe('Load');
    await team.developer.delete(at(camel.body.id));
    expect((await team.developer.put(at(body.id), { url: 'javascript:alert(1)' })).status).toBe(400);
    expect((await team.developer.put(at(body.id), {})).body).toEqual({
      message: { base: ['at least one parameter must be provided'] },
    });
    await team.developer.delete(at(body.id));
  });

  it('are only for Developers, and found only below their own alert and project', async () => {
    const open = await buildProjectTeam(api, 'public');
    const other = await insertAlert(api, open.projectId);
    const { body: image } = await upload(open.developer, {}, at('', other, open.projectId));
    const path = (suffix: string | number = ''): string => at(suffix, other, open.projectId);
    for (const client of [open.reporter, open.guest, open.stranger]) {
      expect((await client.get(path())).status).toBe(403);
      expect((await client.get(path(`${image.id}/file`))).status).toBe(403);
      expect((await client.put(path(image.id), { url_text: 'x' })).status).toBe(403);
      expect((await client.delete(path(image.id))).status).toBe(403);
      expect((await upload(client, {}, path())).status).toBe(403);
    }
    expect((await api.anonymous.get(image.file_path)).status).toBe(401);

    const second = await insertAlert(api, open.projectId);
    for (const [client, alert, project] of [
      [team.developer, iid, team.projectId],
      [open.developer, second, open.projectId],
    ] as const) {
      const foreign = { message: '404 Metric Image Not Found' };
      const place = at(image.id, alert, project);
      expect((await client.get(`${place}/file`)).body).toEqual(foreign);
      expect((await client.put(place, { url_text: 'x' })).body).toEqual(foreign);
      expect((await client.delete(place)).body).toEqual(foreign);
    }
    const none = { message: '404 Alert Not Found' };
    expect((await open.developer.get(at('', 999, open.projectId))).body).toEqual(none);
    expect((await upload<object>(open.developer, {}, at('', 999, open.projectId))).body).toEqual(none);
    expect((await open.developer.get<Image[]>(path())).body).toEqual([image]);

    await api.sql('update projects set archived = true where id = $1', [open.projectId]);
    expect((await upload(open.maintainer, {}, path())).status).toBe(403);
    expect((await open.maintainer.put(path(image.id), { url_text: 'x' })).status).toBe(403);
    expect((await open.maintainer.delete(path(image.id))).status).toBe(403);
    expect((await open.developer.get(image.file_path)).status).toBe(200);
  });

  it('are limited to a hundred, even with many simultaneous requests', async () => {
    const busy = await insertAlert(api, team.projectId);
    await api.sql(
      `insert into alert_metric_images (alert_id, filename, object_key, content_type, size, sha256)
       select a.id, 'x.gif', 'alert-images/none/' || n, 'image/gif', 1, '' from alerts a, generate_series(1, 97) n
       where a.project_id = $1 and a.iid = $2`,
      [team.projectId, busy],
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => upload<object>(team.developer, {}, at('', busy))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({
      message: { base: ['an alert can have at most 100 images'] },
    });
    expect(await openClaims()).toEqual([]);
    await api.sql('delete from alert_metric_images');
  });

  it('leave nothing behind when an upload is cut off', async () => {
    const target = `${api.url}/api/v4${at()}`;
    const headers = {
      'PRIVATE-TOKEN': ROOT_TOKEN,
      'Content-Type': 'multipart/form-data; boundary=edge',
    };
    await new Promise<void>((resolve) => {
      const client = request(target, { method: 'POST', headers });
      client.on('error', () => resolve());
      const head = '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\n\r\n';
      client.write(`${head}${GIF}${'x'.repeat(50_000)}`, () => client.destroy());
    });
    await removeObjects();
    await until(async () => (await openClaims()).length === 0);
    expect((await team.developer.get(at())).body).toEqual([]);
    expect(await objects()).toEqual([]);
  });

  it('are deleted with their alert, including their content', async () => {
    const { projectId, developer } = await buildProjectTeam(api);
    const alert = await insertAlert(api, projectId);
    for (let count = 0; count < 3; count += 1)
      expect((await upload(developer, {}, at('', alert, projectId))).status).toBe(201);
    expect(await objects()).toHaveLength(3);
    await api.sql('delete from projects where id = $1', [projectId]);
    await removeObjects();
    expect(await objects()).toEqual([]);
  });

  it('are not found if their content is lost', async () => {
    const { body } = await upload(team.developer);
    await api.app.get(ObjectStorage).deleteMany(await objects());
    expect((await team.developer.get(body.file_path)).body).toEqual({
      message: '404 Metric Image Not Found',
    });
  });
});
