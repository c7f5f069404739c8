import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEPT_LIMITS } from '#core/repositories/git/kept/kept-gits.js';
import { WorkingCopy } from '../support/git.js';
import { treeBomb } from '../support/git-bombs.js';
import { Installation, type Member } from '../support/installation.js';
import { ROOT_TOKEN } from '../support/processes.js';
import { until } from '../support/until.js';

const CONNECTIONS = 32;
const SECONDS = 20;

let installation: Installation;
let member: Member;
const work = new WorkingCopy();
const [bomb, subst, quiet] = ['bomb', 'subst', 'quiet'];

/** Creates a public project and pushes the content of the working copy. */
async function publish(name: string): Promise<void> {
  await member.client.post('/projects', { name, visibility: 'public' });
  const url = `${member.url.replace('http://', `http://root:${ROOT_TOKEN}@`)}/root/${name}.git`;
  execFileSync('git', ['push', '-q', '-f', url, 'HEAD:refs/heads/main'], { cwd: work.path });
}

beforeAll(async () => {
  installation = await Installation.create();
  member = await installation.start('all');
  await work.init();
  await work.commit({ 'a.txt': 'a' });
  await publish(quiet);
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`s${index}`, '$Format:%B$'.repeat(10)]),
  );
  await work.commit({ ...many, '.gitattributes': '* export-subst\n' }, 'm'.repeat(100_000));
  await publish(subst);
  await treeBomb(work, 9);
  await publish(bomb);
});
afterAll(async () => {
  work.remove();
  await installation.close();
});

/** Memory in bytes and number of the git processes for repositories of the installation. */
function gits(): { count: number; bytes: number } {
  let [count, bytes] = [0, 0];
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes('GIT_CONFIG_KEY_0=safe.directory')) continue;
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(member.dataDir)) continue;
      const kilobytes = Number(
        /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0,
      );
      if (kilobytes > 0) [count, bytes] = [count + 1, bytes + kilobytes * 1024];
    } catch {
      // It has ended meanwhile.
    }
  }
  return { count, bytes };
}

const paths = [
  `/api/v4/projects/root%2F${bomb}/repository/tree?recursive=true&per_page=1`,
  `/api/v4/projects/root%2F${bomb}/repository/archive.tar`,
  `/api/v4/projects/root%2F${subst}/repository/archive.tar`,
  `/api/v4/projects/root%2F${bomb}/repository/tree?recursive=true&pagination=keyset&page_token=commit.bjA`,
];

/** A connection that requests bombs one after another and reads nothing. */
function attack(number: number): Socket {
  const { hostname, port } = new URL(member.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET ${paths[number % paths.length]} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

/** A read of a repository that nobody attacks: its milliseconds, and its status. */
async function read(): Promise<{ readonly ms: number; readonly status: number }> {
  const began = Date.now();
  const { status } = await member.client.get(`/projects/root%2F${quiet}/repository/tree`);
  return { ms: Date.now() - began, status };
}

it('git bombs do not affect the reads, clones and memory of others, and leave no process behind', async () => {
  // What the machine takes for it without an attack: a slow one is not the fault of the bombs.
  let alone = 0;
  for (let round = 0; round < 20; round += 1) alone = Math.max(alone, (await read()).ms);
  let attackers = Array.from({ length: CONNECTIONS }, (_, index) => attack(index));
  const times: number[] = [];
  const failures: number[] = [];
  let most = 0;
  const end = Date.now() + SECONDS * 1000;
  const watch = setInterval(() => (most = Math.max(most, gits().bytes)), 200);
  let round = 0;
  while (Date.now() < end) {
    const { ms, status } = await read();
    times.push(ms);
    if (status !== 200) failures.push(status);
    round += 1;
    if (round % 5 === 0) {
      const refs = await fetch(`${member.url}/root/${quiet}.git/info/refs?service=git-receive-pack`, {
        headers: { Authorization: `Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}` },
      });
      if (refs.status !== 200) failures.push(refs.status);
      await refs.arrayBuffer();
      // They disconnect and connect again.
      for (const socket of attackers) socket.destroy();
      attackers = attackers.map((_, index) => attack(index + round));
    }
    await sleep(50);
  }
  clearInterval(watch);
  for (const socket of attackers) socket.destroy();
  // One process per repository is kept for a while, until it is idle.
  await until(() => gits().count === 0, KEPT_LIMITS.idleMs + 4_000);
  times.sort((a, b) => a - b);
  const slowest = times[Math.floor(times.length * 0.99)];
  process.stdout.write(
    `reads ${times.length}, alone at most ${alone} ms, median ${times[times.length >> 1]} ms, p99 ${slowest} ms, git at most ${Math.round(most / 2 ** 20)} MiB\n`,
  );
  expect(failures).toEqual([]);
  expect(slowest).toBeLessThan(1_000 + 20 * alone);
  expect(most).toBeLessThan(2 ** 30);
});

it('clients that send four bytes occupy no slot', async () => {
  const { hostname, port } = new URL(member.url);
  const sockets = Array.from({ length: CONNECTIONS }, (_, index) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const service = index % 2 === 0 ? 'upload' : 'receive';
    socket.write(
      `POST /root/${quiet}.git/git-${service}-pack HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-git-${service}-pack-request\r\n` +
        `Authorization: Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}\r\nContent-Length: 1000\r\n\r\n0032`,
    );
    return socket;
  });
  await sleep(1_000);
  const target = `${work.path}/clone`;
  execFileSync('git', ['clone', '-q', `${member.url}/root/${quiet}.git`, target]);
  expect(readFileSync(`${target}/a.txt`, 'utf8')).toBe('a');
  for (const socket of sockets) socket.destroy();
});
