import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GitLimit } from '#features/git-http/packs/git.limit.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { metrics } from '#kernel/log/metrics.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { basicHeader, gitUrl, packet, postPack, type Login } from '../../../support/git-http.js';
import { restoreLimits } from '../../../support/git-limits.js';
import { until } from '../../../support/until.js';

const ROOT: Login = ['root', ROOT_TOKEN];
const V2 = { 'Git-Protocol': 'version=2' };
const MEBIBYTE = 1024 * 1024;
const NO_BLOBS = 'filter blob:none';

/** More than the system buffers for a client that does not read: that may be 36 MB. */
const LARGE_MIB = 64;
const STEP_MIB = 16;

let large: WorkingCopy;
beforeAll(async () => {
  large = await filled(LARGE_MIB);
});
afterAll(() => large.remove());

/** A working copy with that many bytes, which git neither compresses nor compares: that would take it many seconds. */
async function filled(mebibytes: number): Promise<WorkingCopy> {
  const work = await new WorkingCopy().init();
  await work.git('config', 'core.compression', '0');
  await work.git('config', 'core.bigFileThreshold', '1m');
  for (let left = mebibytes; left > 0; left -= STEP_MIB)
    await work.commit({
      [`${left}.txt`]: randomBytes((Math.min(STEP_MIB, left) * MEBIBYTE) / 2).toString('hex'),
    });
  return work;
}

async function shared(): Promise<number> {
  const said = await metrics.getSingleMetricAsString('git_shared_packs_total');
  return Number(/^git_shared_packs_total (\d+)/m.exec(said)?.[1]);
}

/** Processes of git that this process has started for clones. */
const packers = (): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('upload-pack'))
    .map((line) => Number(line.trim().split(' ', 1)[0]));

/** The request of a clone of one commit. */
const fetchRequest = (id: string, agent = 'test', ...more: string[]): string =>
  packet('command=fetch') +
  packet(`agent=${agent}`) +
  packet('object-format=sha1') +
  '0001' +
  ['ofs-delta', 'include-tag', ...more, `want ${id}`, 'done'].map((line) => packet(`${line}\n`)).join('') +
  '0000';

class World {
  readonly copies: WorkingCopy[] = [];
  readonly sockets: Socket[] = [];
  limits!: GitLimit;
  head = '';

  private constructor(
    readonly api: TestApi,
    readonly work: WorkingCopy,
  ) {}

  static async start(env: Record<string, string>, work: WorkingCopy): Promise<World> {
    const api = await startApi(env);
    const { id } = await buildProject(api.root, { path: 'shared' });
    const world = new World(api, work);
    world.limits = api.app.get(GitLimit, { strict: false });
    world.head = await work.git('rev-parse', 'HEAD');
    await seedRepository(api, projectRepository(id), work);
    return world;
  }

  get path(): string {
    return '/root/shared.git';
  }

  tidy(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
    for (const copy of this.copies.splice(0)) copy.remove();
    Object.assign(this.limits, new GitLimit());
    restoreLimits();
  }

  async close(): Promise<void> {
    this.tidy();
    await this.api.close();
  }

  async clone(...options: string[]): Promise<string> {
    const copy = new WorkingCopy();
    this.copies.push(copy);
    await copy.git('clone', '--quiet', '--no-checkout', ...options, gitUrl(this.api, this.path, ROOT), '.');
    await copy.git('fsck', '--connectivity-only');
    return copy.git('rev-parse', 'HEAD');
  }

  /** Sends the request, and does not read the response until told to. */
  ask(body: string): { socket: Socket; received: () => Buffer } {
    const { hostname, port } = new URL(this.api.url);
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    const headers = Object.entries({ ...basicHeader(ROOT), ...V2 }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(
      `POST ${this.path}/git-upload-pack HTTP/1.1\r\nHost: x\r\n${headers.join('')}` +
        `Content-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.pause();
    socket.on('data', (piece: Buffer) => pieces.push(piece)).pause();
    return { socket, received: () => Buffer.concat(pieces) };
  }
}

const isClosed = (socket: Socket): boolean => socket.destroyed || socket.readableEnded;
const isWhole = (bytes: Buffer): boolean => bytes.subarray(-11).toString('latin1') === '0000\r\n0\r\n\r\n';

describe('identical simultaneous clones', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({}, await filled(8));
  });
  afterEach(() => world.tidy());
  afterAll(async () => {
    world.work.remove();
    await world.close();
  });

  it('share one pack process', async () => {
    const before = await shared();
    const heads = await Promise.all(Array.from({ length: 8 }, () => world.clone()));
    expect(new Set(heads)).toEqual(new Set([world.head]));
    // The first may be past its start before another arrives: then the pack of that one is shared.
    expect((await shared()) - before).toBeGreaterThanOrEqual(6);
    expect(packers()).toEqual([]);
  });

  it('reuse the pack of an earlier clone for a while', async () => {
    await world.clone();
    const before = await shared();
    await world.clone();
    await world.clone();
    expect((await shared()) - before).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ['histories of different lengths', ['--depth', '1'], ['--depth', '2']],
    ['with blobs and without', ['--filter=blob:none'], ['--filter=blob:limit=1k']],
    ['of protocol 0', ['-c', 'protocol.version=0'], ['-c', 'protocol.version=0']],
  ])('share nothing when they differ: %s', async (_name, one, other) => {
    const before = await shared();
    await Promise.all([world.clone(...one), world.clone(...other)]);
    expect((await shared()) - before).toBe(0);
  });

  it('include commits that were pushed in between', async () => {
    const same = fetchRequest(world.head, 'pushed', NO_BLOBS);
    const first = await postPack(world.api, world.path, 'upload', same, ROOT, V2);
    const before = await shared();
    await world.work.git('tag', '-a', '-m', 'One', 'one');
    await world.work.git('push', '--quiet', gitUrl(world.api, world.path, ROOT), 'one');
    const second = await postPack(world.api, world.path, 'upload', same, ROOT, V2);
    expect([first.status, second.status, await shared()]).toEqual([200, 200, before]);
    expect(second.text.length).not.toBe(first.text.length);
    const head = await world.work.commit({ 'new.txt': 'new' });
    await world.work.git('push', '--quiet', gitUrl(world.api, world.path, ROOT), 'HEAD:main');
    expect(await world.clone()).toBe(head);
    world.head = head;
  });

  it('are each authorized separately', async () => {
    const body = fetchRequest(world.head, 'rights', NO_BLOBS);
    const ask = async (login: Login | null): Promise<number> =>
      (await postPack(world.api, world.path, 'upload', body, login, V2)).status;
    expect([await ask(ROOT), await ask(ROOT), await ask(ROOT)]).toEqual([200, 200, 200]);
    const before = await shared();
    expect([await ask(null), await ask(['root', 'wrong'])]).toEqual([401, 401]);
    expect(await shared()).toBe(before);
    expect(await ask(ROOT)).toBe(200);
    expect(await shared()).toBe(before + 1);
  });
});

describe('clients that do not read', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({}, large);
  });
  afterEach(() => world.tidy());
  afterAll(() => world.close());

  it('do not delay others', async () => {
    const body = fetchRequest(world.head, 'unread');
    const lazy = world.ask(body);
    const same = await Promise.all(
      Array.from({ length: 3 }, () => postPack(world.api, world.path, 'upload', body, ROOT, V2)),
    );
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(same.map((reply) => reply.text.length)).size).toBe(1);
    expect(isClosed(lazy.socket)).toBe(false);
    lazy.socket.resume();
    await until(() => isWhole(lazy.received()));
  });

  it('are disconnected, and git is stopped when no reader is left', async () => {
    world.limits.idleMs = 500;
    const lazy = world.ask(fetchRequest(world.head, 'idle'));
    await until(() => packers().length === 1);
    // The system continues for a while to buffer data that is not read.
    await until(() => packers().length === 0);
    lazy.socket.resume();
    await until(() => isClosed(lazy.socket));
    expect(isWhole(lazy.received())).toBe(false);
  });

  it('do not treat a killed pack as complete', async () => {
    const lazy = world.ask(fetchRequest(world.head, 'killed'));
    await until(() => packers().length === 1);
    await sleep(500);
    for (const pid of packers()) process.kill(-pid, 'SIGKILL');
    lazy.socket.resume();
    await until(() => isClosed(lazy.socket));
    expect(isWhole(lazy.received())).toBe(false);
    expect(
      (await postPack(world.api, world.path, 'upload', fetchRequest(world.head, 'killed'), ROOT, V2)).status,
    ).toBe(200);
  });
});

describe('without disk space for packs', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ PACK_CACHE_MB: '1' }, large);
  });
  afterEach(() => world.tidy());
  afterAll(() => world.close());

  it('all clones are complete', async () => {
    const heads = await Promise.all([world.clone(), world.clone(), world.clone()]);
    expect(new Set(heads)).toEqual(new Set([world.head]));
  });

  it('a client that does not read delays others only for a while', async () => {
    // The other client shares the event loop with the service, and must not count as stalled.
    Object.assign(world.limits, { stalledMs: 3_000, idleMs: 20_000 });
    const body = fetchRequest(world.head, 'stalled');
    const lazy = world.ask(body);
    const reply = await postPack(world.api, world.path, 'upload', body, ROOT, V2);
    expect(reply.status).toBe(200);
    await until(() => packers().length === 0);
    lazy.socket.resume();
    await until(() => isClosed(lazy.socket));
  });

  it('all clones are cut off when git is killed', async () => {
    const body = fetchRequest(world.head, 'cut');
    const before = await shared();
    const lazy = [world.ask(body), world.ask(body), world.ask(body)];
    await until(() => packers().length >= 1);
    await sleep(500);
    for (const pid of packers()) process.kill(-pid, 'SIGKILL');
    for (const { socket } of lazy) socket.resume();
    await until(() => lazy.every(({ socket }) => isClosed(socket)));
    expect(lazy.map(({ received }) => isWhole(received()))).toEqual([false, false, false]);
    expect((await shared()) - before).toBeGreaterThanOrEqual(1);
  });
});

describe('with sharing disabled', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ PACK_CACHE_MB: '0' }, large);
  });
  afterEach(() => world.tidy());
  afterAll(() => world.close());

  it('each clone has its own pack process', async () => {
    const before = await shared();
    await Promise.all([world.clone('--filter=blob:none'), world.clone('--filter=blob:none')]);
    await world.clone('--filter=blob:none');
    expect(await shared()).toBe(before);
  });
});
