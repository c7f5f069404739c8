import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { narrow, restoreLimits } from '../../../support/git-limits.js';
import { GitLimit } from '#features/git-http/packs/git.limit.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildToken } from '../../../support/builders/token.js';
import { createUser } from '../../../support/builders/user.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { basicHeader, packet, postPack, pushBody, type Login } from '../../../support/git-http.js';
import { until } from '../../../support/until.js';

const ROOT: Login = ['root', ROOT_TOKEN];

let api: TestApi;
let limits: GitLimit;
let path: string;
let projectId: number;
let repositoryPath: string;
let work: WorkingCopy;
let first: string;
let head: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  api = await startApi({ REQUEST_TIMEOUT_MS: '1000' });
  limits = api.app.get(GitLimit, { strict: false });
  const project = await buildProject(api.root);
  path = `/${project.path_with_namespace}.git`;
  projectId = project.id;
  work = await new WorkingCopy().init();
  first = await work.commit({ 'a.txt': 'one' });
  ({ path: repositoryPath } = await seedRepository(api, projectRepository(project.id), work));
  head = await work.commit({ 'b.txt': 'two'.repeat(100_000) });
});
afterAll(async () => {
  work.remove();
  await api.close();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  Object.assign(limits, new GitLimit());
  restoreLimits();
  await nothingLeft();
});

const running = (): Promise<unknown[]> => api.sql('select 1 from running_pushes');
const quarantines = (): string[] =>
  readdirSync(join(repositoryPath, 'objects')).filter((name) => name.startsWith('tmp'));
const refs = (): string => execFileSync('git', ['-C', repositoryPath, 'for-each-ref'], { encoding: 'utf8' });

async function nothingLeft(): Promise<void> {
  await until(async () => (await running()).length === 0 && quarantines().length === 0);
  expect(refs()).not.toContain('evil');
}

interface HalfPush {
  readonly socket: Socket;
  readonly received: () => string;
}

/** Begins a push whose body never ends; of an announced `length`, if that is given. */
function halfPush(bytes: Buffer, service = 'receive', login = ROOT, length?: number): HalfPush {
  const { hostname, port } = new URL(api.url);
  let text = '';
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  const headers = Object.entries(basicHeader(login)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST ${path}/git-${service}-pack HTTP/1.1\r\nHost: x\r\n${headers.join('')}` +
      `Content-Type: application/x-git-${service}-pack-request\r\n${length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`}\r\n\r\n`,
  );
  if (length !== undefined) socket.write(bytes);
  else if (bytes.length > 0) {
    socket.write(`${bytes.length.toString(16)}\r\n`);
    socket.write(bytes);
    socket.write('\r\n');
  }
  return { socket, received: () => text };
}

const isClosed = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;

/** Processes of git that this process has started. */
const children = (): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('receive-pack'))
    .map((line) => Number(line.trim().split(' ', 1)[0]));

describe('pushes that do not end', () => {
  it('are given up when no more data arrives', async () => {
    limits.idleMs = 600;
    const body = pushBody(work, 'refs/heads/evil', head);
    const { socket } = halfPush(body.subarray(0, body.length - 1_000));
    await until(async () => (await running()).length === 1);
    await until(() => isClosed(socket));
    await nothingLeft();
  });

  it('end when their client disconnects', async () => {
    const body = pushBody(work, 'refs/heads/evil', head);
    const { socket } = halfPush(body.subarray(0, body.length - 1_000));
    await until(async () => (await running()).length === 1 && children().length === 1);
    socket.destroy();
    await nothingLeft();
    expect(children()).toEqual([]);
  });

  it('end when git is killed', async () => {
    const body = pushBody(work, 'refs/heads/evil', head);
    const { socket, received } = halfPush(body.subarray(0, body.length - 1_000));
    await until(async () => (await running()).length === 1 && children().length === 1);
    process.kill(children()[0] as number, 'SIGKILL');
    await until(async () => (await running()).length === 0);
    await until(() => received().includes('503') || isClosed(socket));
    // Git had no chance to tidy up.
    execFileSync('git', ['-C', repositoryPath, 'prune', '--expire=now']);
  });

  it('continue if they were accepted before their client disconnected', async () => {
    let isTold = false;
    let letGo = (): void => undefined;
    const wait = new Promise<void>((resolve) => (letGo = resolve));
    api.app.get(DomainEvents, { strict: false }).on(RefsPushed, () => {
      isTold = true;
      return wait;
    });
    const { socket } = halfPush(pushBody(work, 'refs/heads/kept', head));
    await until(() => isTold);
    socket.destroy();
    await sleep(100);
    letGo();
    await nothingLeft();
    expect(refs()).toContain('refs/heads/kept');
    expect(await api.sql('select 1 from repositories where pushed_at is not null')).toHaveLength(1);
  });

  it('are not limited by the request timeout while data arrives', async () => {
    const body = pushBody(work, 'refs/heads/slow', head);
    const { socket, received } = halfPush(body.subarray(0, 100));
    for (let at = 100; at < body.length; at += Math.ceil(body.length / 8)) {
      await sleep(200);
      const part = body.subarray(at, at + Math.ceil(body.length / 8));
      socket.write(`${part.length.toString(16)}\r\n`);
      socket.write(part);
      socket.write('\r\n');
    }
    socket.write('0\r\n\r\n');
    await until(() => received().includes('ok refs/heads/slow'));
    expect(received()).toContain('200 OK');
  });

  it('occupy no slot until they send data', async () => {
    narrow('pack', { width: 1, share: 1, waitMs: 300 });
    halfPush(Buffer.alloc(0));
    halfPush(Buffer.alloc(0), 'upload');
    await sleep(100);
    expect((await postPack(api, path, 'upload', '0000', ROOT)).status).toBe(200);
  });
});

describe('too many requests at a time', () => {
  it('are told to retry later', async () => {
    narrow('pack', { share: 1, waitMs: 200 });
    const body = pushBody(work, 'refs/heads/evil', head);
    halfPush(body.subarray(0, body.length - 1_000));
    await until(async () => (await running()).length === 1);
    const busy = await postPack(api, path, 'upload', '0000', ROOT);
    expect([busy.status, busy.type, Number(busy.headers.get('retry-after')) > 0]).toEqual([
      503,
      'text/plain; charset=utf-8',
      true,
    ]);
    narrow('pack', { waiting: 0 });
    expect((await postPack(api, path, 'upload', '0000', ROOT)).status).toBe(503);
  });
});

describe('users who lose their right while they send a push', () => {
  it.each([
    ['in pieces', 'are blocked', undefined, (user: number) => api.root.post(`/users/${user}/block`)],
    ['at once', 'are blocked', 'length', (user: number) => api.root.post(`/users/${user}/block`)],
    ['in pieces', 'leave', undefined, (user: number) => api.root.delete(`${place()}/members/${user}`)],
    ['at once', 'leave', 'length', (user: number) => api.root.delete(`${place()}/members/${user}`)],
    ['in pieces', 'revoke the token', undefined, (_user: number, token: number) => revoke(token)],
  ] as const)('%s, and %s, change nothing', async (_how, _why, length, lose) => {
    Object.assign(limits, { freshMs: 0 });
    const { id, username } = await createUser(api);
    await buildMember(api, `projects/${projectId}`, id, 30);
    const token = await buildToken(api, id);
    const body = pushBody(work, `refs/heads/late-${id}`, head);
    const login: Login = [username, token.token];
    const begun = halfPush(body.subarray(0, -100), 'receive', login, length && body.length);
    const { socket, received } = begun;
    await (length ? sleep(300) : until(async () => (await running()).length === 1));
    expect((await lose(id, token.id)).status).toBeLessThan(300);
    socket.write(length ? body.subarray(-100) : chunkOf(body.subarray(-100)));
    if (!length) socket.write('0\r\n\r\n');
    await until(() => /HTTP\/1.1 4|(ng|ok) refs/.test(received()));
    expect(received()).not.toContain('ok refs');
    expect(refs()).not.toContain(`late-${id}`);
  });

  it('fetch nothing either', async () => {
    Object.assign(limits, { freshMs: 0 });
    const { id, username } = await createUser(api);
    await buildMember(api, `projects/${projectId}`, id, 30);
    const { token } = await buildToken(api, id);
    const body = Buffer.from(`${packet(`want ${first}\n`)}0000${packet('done\n')}`);
    const login: Login = [username, token];
    const { socket, received } = halfPush(body.subarray(0, -5), 'upload', login, body.length);
    await sleep(300);
    expect((await api.root.post(`/users/${id}/block`)).status).toBeLessThan(300);
    socket.write(body.subarray(-5));
    await until(() => received().includes('HTTP/1.1'));
    expect(received()).toContain('HTTP/1.1 401');
  });

  const place = (): string => `/projects/${projectId}`;
  const revoke = (token: number): ReturnType<TestApi['root']['delete']> =>
    api.root.delete(`/personal_access_tokens/${token}`);
  const chunkOf = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
});
