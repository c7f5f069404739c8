import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNED } from '#kernel/temporary/temporary-files.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { wikiRepository } from '#core/repositories/repository-ref.js';
import { git } from '#core/repositories/git/git.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';
import { type TestApi, ROOT_TOKEN } from '../../../support/api.js';

interface Attachment {
  readonly file_name: string;
  readonly file_path: string;
  readonly branch: string;
  readonly link: { readonly url: string; readonly markdown: string };
  readonly message?: unknown;
}

let api: TestApi;
let projectId: number;
let groupId: number;

beforeAll(async () => {
  api = await borrowApi();
  projectId = (await api.root.post<{ id: number }>('/projects', { name: 'wiki' })).body.id;
  groupId = (await api.root.post<{ id: number }>('/groups', { name: 'g', path: 'g' })).body.id;
});
afterAll(() => api.close());

type Fields = Readonly<Record<string, string | { readonly name: string; readonly content: Buffer }>>;

async function attach(
  source: string,
  fields: Fields,
  token = ROOT_TOKEN,
): Promise<{ status: number; body: Attachment }> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields))
    if (typeof value === 'string') form.set(key, value);
    else form.set(key, new Blob([new Uint8Array(value.content)]), value.name);
  const response = await fetch(`${api.url}/api/v4${source}/wikis/attachments`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': token },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Attachment };
}

const leftovers = (): string[] =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith(OWNED))
    .flatMap((name) => readdirSync(join(tmpdir(), name)))
    .filter((name) => name.startsWith('upload-'));
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 13, 10]);

describe('attachments of wikis', () => {
  it.each(['Project', 'Group'] as const)('of a %s are committed as they are sent', async (type) => {
    const id = type === 'Project' ? projectId : groupId;
    const source = type === 'Project' ? `/projects/${id}` : `/groups/${id}`;
    const { status, body } = await attach(source, { file: { name: 'dk.png', content: png } });
    expect(status).toBe(201);
    const path = expect.stringMatching(/^uploads\/[0-9a-f]{32}\/dk\.png$/) as unknown as string;
    expect(body).toEqual({
      file_name: 'dk.png',
      file_path: path,
      branch: 'main',
      link: { url: body.file_path, markdown: `![dk](${body.file_path})` },
    });
    const repository = await api.app
      .get(RepositoriesService, { strict: false })
      .open(wikiRepository(type, id));
    const stored = await git(repository.path, ['cat-file', 'blob', `refs/heads/main:${body.file_path}`]);
    expect(stored.equals(png)).toBe(true);
    expect((await api.root.get(`${source}/wikis`)).body).toEqual([]);
  });

  it('are images only if their names say so, and have names that links can contain', async () => {
    const names: [string, string][] = [
      ['notes.txt', 'notes.txt'],
      ['my file (1).zip', 'my_file__1_.zip'],
      ['../../etc/passwd', 'passwd'],
      ['.gitattributes', '_.gitattributes'],
      ['.git', '_.git'],
      ['--all', '--all'],
      ['ü](x).md', '___x_.md'],
    ];
    for (const [name, stored] of names) {
      const { status, body } = await attach(`/projects/${projectId}`, { file: { name, content: png } });
      expect([status, body.file_name]).toEqual([201, stored]);
      expect(body.link.markdown).toBe(`[${stored}](${body.link.url})`);
    }
    const long = await attach(`/projects/${projectId}`, {
      file: { name: `${'x'.repeat(5000)}.gif`, content: png },
    });
    expect(long.body.file_name).toMatch(/^x{196}\.gif$/);
  });

  it('are committed to an existing branch, and refused for a missing one', async () => {
    const file = { name: 'a.txt', content: Buffer.from('a') };
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(wikiRepository('Project', projectId));
    await git(path, ['branch', 'other', 'main']);
    const source = `/projects/${projectId}`;
    expect((await attach(source, { branch: 'other', file })).body.branch).toBe('other');
    expect((await attach(source, { file, branch: 'main' })).body.branch).toBe('main');
    for (const branch of ['missing', '--all', 'a..b', 'a b', 'x'.repeat(2000)]) {
      const { status, body } = await attach(source, { branch, file });
      expect([status, body.message]).toEqual([400, { branch: [expect.any(String)] }]);
    }
  });

  it('are refused without a file, if malformed, and if too large', async () => {
    const source = `/projects/${projectId}`;
    const missing = { message: '400 (Bad request) "file" not given' };
    for (const fields of [
      { branch: 'main' },
      { file: 'text' },
      { other: { name: 'a', content: png } },
    ] as Fields[])
      expect(await attach(source, fields)).toEqual({ status: 400, body: missing });
    expect((await api.root.post(`${source}/wikis/attachments`, { file: 'x' })).body).toEqual(missing);
    const send = (type: string, body: string) =>
      api.root.send('POST', `${source}/wikis/attachments`, body, { 'Content-Type': type });
    expect((await send('multipart/form-data', 'x')).status).toBe(400);
    expect((await send('multipart/form-data; boundary=b', '--b\r\nnonsense')).status).toBe(400);
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf';
    expect((await send('multipart/form-data; boundary=b', cut)).status).toBe(400);
    const large = { name: 'large.bin', content: Buffer.alloc(10 * 1024 * 1024 + 1) };
    expect((await attach(source, { file: large })).status).toBe(413);
    expect(leftovers()).toEqual([]);
  });

  it('are cut off if they do not declare their length, and leave nothing behind if their sender disconnects', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const send = (body: ReadableStream, signal?: AbortSignal) =>
      fetch(`${api.url}/api/v4/projects/${projectId}/wikis/attachments`, {
        method: 'POST',
        headers: { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'multipart/form-data; boundary=b' },
        body,
        duplex: 'half',
        ...(signal ? { signal } : {}),
      });
    const tooLong = new ReadableStream({
      start: (stream) => {
        stream.enqueue(Buffer.from(head));
        for (let megabyte = 0; megabyte < 10; megabyte += 1) stream.enqueue(Buffer.alloc(1024 * 1024));
        stream.enqueue(Buffer.from('more\r\n--b--\r\n'));
        stream.close();
      },
    });
    expect((await send(tooLong)).status).toBe(413);
    const leaving = new AbortController();
    const endless = new ReadableStream({
      start: (stream) => {
        stream.enqueue(Buffer.from(`${head}half`));
      },
    });
    const left = send(endless, leaving.signal);
    await until(() => leftovers().length > 0);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until(() => leftovers().length === 0);
  });

  it('can have the maximum size', async () => {
    const content = Buffer.alloc(10 * 1024 * 1024, 7);
    expect((await attach(`/projects/${projectId}`, { file: { name: 'a.bin', content } })).status).toBe(201);
    expect(leftovers()).toEqual([]);
  });

  it('require write permission before a byte is read', async () => {
    expect((await attach('/projects/999999', { file: { name: 'a', content: png } })).status).toBe(404);
    expect(
      (await attach(`/projects/${projectId}`, { file: { name: 'a', content: png } }, 'wrong')).status,
    ).toBe(401);
    await api.sql('update projects set repository_read_only = true where id = $1', [projectId]);
    const moving = await attach(`/projects/${projectId}`, { file: { name: 'a', content: png } });
    await api.sql('update projects set repository_read_only = false where id = $1', [projectId]);
    expect([moving.status, moving.body.message]).toEqual([
      400,
      'The repository is temporarily read-only. Please try again later.',
    ]);
    expect(leftovers()).toEqual([]);
  });
});
