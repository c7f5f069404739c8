import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import type { Answer } from '../../../support/client.js';
import { until } from '../../../support/until.js';

interface Item {
  readonly id: number;
  readonly name: string;
  readonly version: string;
  readonly file_name: string;
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const BINARY = { 'Content-Type': 'application/octet-stream' };

describe('generic packages', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix = '', project = team.projectId): string => `/projects/${project}/packages${suffix}`;
  const file = (name: string, of = 'tool/1.0.0', project = team.projectId): string =>
    at(`/generic/${of}/${name}`, project);
  const put = (
    path: string,
    content: string,
    headers: Record<string, string> = BINARY,
  ): Promise<Answer<Item>> => team.developer.send<Item>('PUT', path, content, headers);
  const list = async (query = ''): Promise<Item[]> => (await team.reporter.get<Item[]>(at(query))).body;
  const size = async (): Promise<number> => {
    const sql = 'select packages_size as size from project_statistics where project_id = $1';
    const [row] = await api.sql<{ size: number }>(sql, [team.projectId]);
    return row?.size ?? 0;
  };
  const objects = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of api.app.get(ObjectStorage).list())
      if (key.startsWith('packages/')) keys.push(key);
    return keys;
  };
  const due = (): Promise<object[]> =>
    api.sql(`select 1 from object_claims where object_key like 'packages/%' and due_at <= now()`);

  beforeAll(async () => {
    api = await startApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('are published and downloaded, in whole and in part', async () => {
    const published = await put(file('tool.tar.gz'), 'hello world');
    expect([published.status, published.body]).toEqual([201, { message: '201 Created' }]);
    const answer = await team.reporter.get(file('tool.tar.gz'));
    expect([answer.status, answer.text]).toEqual([200, 'hello world']);
    const digest = Buffer.from(sha256('hello world'), 'hex').toString('base64');
    for (const [name, value] of Object.entries({
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'content-disposition': expect.stringContaining('attachment; filename="tool.tar.gz"'),
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${sha256('hello world')}"`,
      digest: `sha-256=${digest}`,
    }))
      expect([name, answer.headers.get(name)]).toEqual([name, value]);
    const part = await team.reporter.get(file('tool.tar.gz'), { Range: 'bytes=6-' });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
      206,
      'world',
      'bytes 6-10/11',
    ]);
    expect((await team.reporter.get(file('tool.tar.gz'), { Range: 'bytes=11-' })).status).toBe(416);
    const known = { 'If-None-Match': answer.headers.get('etag') ?? '' };
    expect((await team.reporter.get(file('tool.tar.gz'), known)).status).toBe(304);
    const head = await team.reporter.send('HEAD', file('tool.tar.gz'));
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, '11', '']);
    for (const path of [file('other'), file('tool.tar.gz', 'tool/2'), file('tool.tar.gz', 'other/1.0.0')])
      expect((await team.reporter.get(path)).body).toEqual({ message: '404 Package File Not Found' });
  });

  it('keep every file, and serve the newest', async () => {
    const answer = await put(`${file('tool.tar.gz')}?select=package_file`, 'second');
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ file_name: 'tool.tar.gz', size: 6, file_sha256: sha256('second') });
    expect((await team.reporter.get(file('tool.tar.gz'))).text).toBe('second');
    await put(file('empty'), '');
    expect((await team.reporter.get(file('empty'))).text).toBe('');

    const [found] = await list();
    const id = found?.id ?? 0;
    expect(found).toMatchObject({
      name: 'tool',
      version: '1.0.0',
      package_type: 'generic',
      status: 'default',
    });
    const files = await team.reporter.get<Item[]>(at(`/${id}/package_files`));
    expect(files.body.map((one) => one.file_name)).toEqual(['tool.tar.gz', 'tool.tar.gz', 'empty']);
    expect(files.headers.get('x-total')).toBe('3');
    expect(await size()).toBe(17);

    const newest = files.body[1]?.id ?? 0;
    expect((await team.developer.delete(at(`/${id}/package_files/${newest}`))).status).toBe(403);
    expect((await team.maintainer.delete(at(`/999999/package_files/${newest}`))).status).toBe(404);
    const removed = await team.maintainer.delete(at(`/${id}/package_files/${newest}`));
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await team.reporter.get(file('tool.tar.gz'))).text).toBe('hello world');
    expect(await size()).toBe(11);
    expect(await due()).toHaveLength(1);
  });

  it('accept the file of a form, as some clients send it', async () => {
    const form = new FormData();
    form.set('file', new Blob(['from a form']), 'ignored name.txt');
    const response = await fetch(`${api.url}/api/v4${file('form.txt', 'form/1')}`, {
      method: 'PUT',
      headers: { 'PRIVATE-TOKEN': 'glpat-root-token-of-tests-0001' },
      body: form,
    });
    expect(response.status).toBe(201);
    expect((await team.reporter.get(file('form.txt', 'form/1'))).text).toBe('from a form');
  });

  it('require plain names', async () => {
    for (const [path, name] of [
      [file('a%2Fb'), 'file_name'],
      [file('..%2F..%2Fetc'), 'file_name'],
      [file('a..b'), 'file_name'],
      [file('a%0d%0ab'), 'file_name'],
      [file('b%C3%A4r'), 'file_name'],
      [file('x', 'a b/1'), 'package_name'],
      [file('x', 'tool/1..2'), 'package_version'],
      [file('x', 'tool/%2e%2e%2f'), 'package_version'],
    ] as const) {
      const answer = await put(path, 'x');
      expect([path, answer.status, answer.body]).toEqual([
        path,
        400,
        { message: { [name]: ['is invalid'] } },
      ]);
    }
    for (const name of ['a'.repeat(256), 'a%00b']) expect((await put(file(name), 'x')).status).toBe(400);
    expect((await put(`${file('x')}?status=odd`, 'x')).body).toEqual({
      message: { status: ['does not have a valid value'] },
    });
  });

  it('are limited in size, and leave nothing behind on failure', async () => {
    const before = await objects();
    await api.root.put('/application/plan_limits', {
      plan_name: 'default',
      generic_packages_max_file_size: 100_000,
    });
    expect((await put(file('big'), 'x'.repeat(200_000))).status).toBe(413);
    const chunked = (abort: boolean): Promise<number> =>
      new Promise((resolve) => {
        const headers = { 'PRIVATE-TOKEN': 'glpat-root-token-of-tests-0001', ...BINARY };
        const client = request(`${api.url}/api/v4${file('big')}`, { method: 'PUT', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        client.on('error', () => resolve(0));
        client.write('x'.repeat(50_000), () => (abort ? client.destroy() : client.end('x'.repeat(60_000))));
      });
    expect(await chunked(false)).toBe(413);
    expect(await chunked(true)).toBe(0);
    await until(async () => {
      const open = `select 1 from object_claims where object_key like 'packages/%' and due_at > now()`;
      return (await api.sql(open)).length === 0;
    });
    expect((await team.reporter.get(file('big'))).status).toBe(404);
    expect(await objects()).toEqual(before);
    await api.root.put('/application/plan_limits', {
      plan_name: 'default',
      generic_packages_max_file_size: 0,
    });
    expect((await put(file('big'), 'x'.repeat(200_000))).status).toBe(201);
    await api.root.put('/application/plan_limits', {
      plan_name: 'default',
      generic_packages_max_file_size: 5_368_709_120,
    });
  });

  it('published at once belong to one package', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(file(`part${index}`, 'race/1'), `part ${index}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const found = await list('?package_name=race');
    expect(found).toHaveLength(1);
    expect(await team.reporter.get(at(`/${found[0]?.id ?? 0}/package_files`))).toMatchObject({
      body: { length: 8 },
    });
  });

  it('are listed by filter and order, hidden ones on request', async () => {
    await put(file('x', 'zeta/3'), 'x');
    await put(file('x', 'alpha/9'), 'x');
    await put(file('x', 'alpha/8'), 'x');
    await put(`${file('x', 'secret/1')}?status=hidden`, 'x');
    const names = async (query: string): Promise<string[]> =>
      (await list(query)).map(({ name, version }) => `${name}/${version}`);
    expect(await names('?order_by=name&sort=desc&per_page=1')).toEqual(['zeta/3']);
    expect(await names('?order_by=version&sort=desc&package_name=ALPHA')).toEqual(['alpha/9', 'alpha/8']);
    expect(await names('?order_by=type&package_name=alpha')).toEqual(['alpha/9', 'alpha/8']);
    expect(await names('?package_version=8')).toEqual(['alpha/8']);
    expect(await names('?package_name=%25')).toEqual([]);
    expect(await names('?status=hidden&include_versionless=true&package_type=generic')).toEqual(['secret/1']);
    expect(await names('?package_type=npm')).toEqual([]);
    expect((await team.reporter.get(file('x', 'secret/1'))).text).toBe('x');
    for (const query of ['?order_by=size', '?sort=up', '?package_type=exe', '?status=gone'])
      expect((await team.reporter.get(at(query))).status).toBe(400);

    const walked: string[] = [];
    let next = at('?pagination=keyset&order_by=id&sort=desc&per_page=2');
    while (next !== '') {
      const page = await team.reporter.get<Item[]>(next);
      walked.push(...page.body.map(({ name, version }) => `${name}/${version}`));
      next = (/<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '').replace(
        /^.*(?=\/api)/,
        '',
      );
    }
    expect(walked).toEqual((await names('?per_page=100')).reverse());

    const [alpha] = await list('?package_version=9');
    const found = await team.reporter.get(at(`/${alpha?.id ?? 0}`));
    expect(found.body).toMatchObject({
      name: 'alpha',
      versions: [{ version: '8' }],
      _links: { web_path: `/${team.path}/-/packages/${alpha?.id ?? 0}` },
    });
  });

  it('include the pipelines of the jobs that published them', async () => {
    const runs = [];
    for (let index = 0; index < 3; index += 1) {
      const pipeline = await buildPipeline(api, team.projectId);
      const { token } = await buildRunningJob(api, pipeline);
      runs.push(pipeline.id);
      const answer = await api.anonymous.send('PUT', file(`log${index}`, 'built/1'), 'x', {
        'JOB-TOKEN': token,
        ...BINARY,
      });
      expect(answer.status).toBe(201);
      const again = await api.anonymous.send('PUT', file(`log${index}`, 'built/1'), 'y', {
        'JOB-TOKEN': token,
        ...BINARY,
      });
      expect(again.status).toBe(201);
      expect((await api.anonymous.get(file(`log${index}`, 'built/1'), { 'JOB-TOKEN': token })).text).toBe(
        'y',
      );
      const [creator] = await api.sql(`select 1 from packages where name = 'built' and creator_id = 1`);
      expect(creator).toBeDefined();
    }
    const [found] = await list('?package_name=built');
    const path = at(`/${found?.id ?? 0}/pipelines`);
    const all = await team.reporter.get<Item[]>(path);
    expect(all.body.map(({ id }) => id)).toEqual([...runs].reverse());
    expect(all.body[0]).toMatchObject({ project_id: team.projectId, ref: 'main', source: 'push' });
    const first = await team.reporter.get<Item[]>(
      `${path}?pagination=keyset&order_by=id&sort=desc&per_page=2`,
    );
    expect(first.body.map(({ id }) => id)).toEqual([runs[2], runs[1]]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toContain('cursor=');
    const second = await team.reporter.get<Item[]>(next.replace(/^.*(?=\/api)/, ''));
    expect([second.body.map(({ id }) => id), second.headers.get('link')]).toEqual([[runs[0]], null]);
    expect((await team.reporter.get(`${path}?pagination=keyset`)).status).toBe(400);
    expect((await team.reporter.get(`${path}?pagination=keyset&order_by=ref&sort=asc`)).status).toBe(405);
    // Removing a pipeline removes its link.
    await api.sql('delete from ci_pipelines where id = $1', [runs[0]]);
    expect((await team.reporter.get<Item[]>(path)).body).toHaveLength(2);
  });

  it('are removed with their content', async () => {
    const [found] = await list('?package_name=tool');
    const before = { 'If-Unmodified-Since': new Date(0).toUTCString() };
    expect((await team.maintainer.delete(at(`/${found?.id ?? 0}`), before)).status).toBe(412);
    const content = randomBytes(100).toString('hex');
    await put(file('last'), content);
    const total = await size();
    expect((await team.maintainer.delete(at(`/${found?.id ?? 0}`))).status).toBe(204);
    expect((await team.reporter.get(file('last'))).status).toBe(404);
    expect(await size()).toBe(total - 11 - 200_000 - 200);
    const kept = await api.sql('select object_key from package_files');
    const gone = await due();
    expect(kept.length + gone.length).toBeGreaterThanOrEqual((await objects()).length);
    await api.sql('delete from projects where id = $1', [team.projectId]);
    expect(await api.sql('select 1 from package_files where project_id = $1', [team.projectId])).toEqual([]);
    expect(await due()).not.toHaveLength(0);
  });
});
