import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logger } from '#kernel/log/logger.js';
import { startApi, ROOT_TOKEN, type TestApi } from '../support/api.js';
import { upload, zipOf } from '../support/builders/artifacts.js';
import { buildProject } from '../support/builders/project.js';
import { WorkingCopy } from '../support/git.js';
import { gitUrl } from '../support/git-http.js';
import { JobDesk } from '../support/job-desk.js';
import { makeSmallDisk, type SmallDisk } from '../support/small-disk.js';

const SIZE = 3 * 1024 * 1024;
const LOGIN = ['root', ROOT_TOKEN] as const;
const { TMPDIR } = process.env;

let api: TestApi;
let folder: string;
let disk: SmallDisk;
let desk: JobDesk;
let work: WorkingCopy;
let project: { readonly id: number; readonly path_with_namespace: string };
let snippet: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-full-'));
  work = await new WorkingCopy().init();
  disk = makeSmallDisk(join(folder, 'disk'), process.pid);
  disk.grow();
  mkdirSync(join(folder, 'disk/tmp'));
  process.env['TMPDIR'] = join(folder, 'disk/tmp');
  api = await startApi({ LOG_LEVEL: 'silent', DATA_DIR: join(folder, 'disk') });
  project = await buildProject(api.root);
  desk = await JobDesk.build(api);
  const first = [{ action: 'create', file_path: 'a.txt', content: 'one' }];
  const commit = { branch: 'main', commit_message: 'm', actions: first };
  expect((await api.root.post(`/projects/${project.id}/repository/commits`, commit)).status).toBe(201);
  expect((await api.root.post(`/projects/${project.id}/wikis`, { title: 'home', content: 'x' })).status).toBe(
    201,
  );
  const files = [{ file_path: 'a.txt', content: 'one' }];
  const made = { title: 'S', visibility: 'private', files };
  snippet = (await api.root.post<{ id: number }>(`/projects/${project.id}/snippets`, made)).body.id;
});
afterAll(async () => {
  process.env['TMPDIR'] = TMPDIR;
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  work.remove();
  await api.close();
  disk.remove();
  rmSync(folder, { recursive: true, force: true });
});

type Ask = () => Promise<{ status: number; headers: Headers }>;

const base64 = (): string => randomBytes(SIZE).toString('base64');
const form = (): FormData => {
  const body = new FormData();
  body.append('file', new Blob([randomBytes(SIZE)]), 'a.bin');
  return body;
};
const send = (path: string, method: string, body: FormData | Buffer): ReturnType<Ask> =>
  fetch(`${api.url}/api/v4/projects/${project.id}${path}`, {
    method,
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
    body: body instanceof FormData ? body : new Uint8Array(body),
  });

let round = 0;
/** All routes that write client data. */
const asks: Readonly<Record<string, Ask>> = {
  package: () => send(`/packages/generic/p/1.0/f${round}.bin`, 'PUT', randomBytes(SIZE)),
  attachment: () => send('/wikis/attachments', 'POST', form()),
  commit: () =>
    api.root.post(`/projects/${project.id}/repository/commits`, {
      branch: 'main',
      commit_message: 'm',
      actions: [{ action: 'create', file_path: `f${round}`, content: base64(), encoding: 'base64' }],
    }),
  file: () =>
    api.root.post(`/projects/${project.id}/repository/files/g${round}`, {
      branch: 'main',
      commit_message: 'm',
      content: base64(),
    }),
  snippet: () =>
    api.root.put(`/projects/${project.id}/snippets/${snippet}`, {
      files: [{ action: 'update', file_path: 'a.txt', content: base64() }],
    }),
  'new snippet': () =>
    api.root.post(`/projects/${project.id}/snippets`, {
      title: 'N',
      visibility: 'private',
      files: [{ file_path: 'a.txt', content: base64() }],
    }),
  artifact: async () => {
    const job = await desk.run();
    return upload(api, job.id, job.token, await zipOf({ a: randomBytes(SIZE).toString('base64') }));
  },
};

const filesOf = (): string[] =>
  readdirSync(join(folder, 'disk'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /tmp_|\/\.tmp/.test(`${entry.parentPath}/${entry.name}`))
    .map((entry) => `${entry.parentPath}/${entry.name}`);

describe('a disk that rejects writes', () => {
  it('is reported by 503 and one log line per minute, and leaves nothing behind', async () => {
    disk.shrink();
    const told = jest.spyOn(logger, 'error').mockImplementation(() => undefined);
    for (const [name, ask] of Object.entries(asks)) {
      const { status, headers } = await ask();
      expect([name, status, headers.get('Retry-After')]).toEqual([name, 503, expect.stringMatching(/^\d+$/)]);
    }
    await work.commit({ 'big.bin': base64() }, 'Big');
    const pushed = await work.run([
      'push',
      '--quiet',
      gitUrl(api, `/${project.path_with_namespace}.git`, LOGIN),
      'main:big',
    ]);
    expect(pushed.code).not.toBe(0);
    const lines = told.mock.calls.filter(([, text]) => text === 'The disk rejects writes');
    expect(lines).toHaveLength(1);
    told.mockRestore();
    expect(filesOf()).toEqual([]);
    disk.grow();
    round += 1;
    for (const [name, ask] of Object.entries(asks)) {
      const { status } = await ask();
      expect([name, status]).toEqual([name, expect.any(Number)]);
      expect([200, 201]).toContain(status);
    }
    expect(
      await work.run([
        'push',
        '--quiet',
        gitUrl(api, `/${project.path_with_namespace}.git`, LOGIN),
        'main:big',
      ]),
    ).toMatchObject({ code: 0 });
  });
});
