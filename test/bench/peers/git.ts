import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cloneAgain, cloneAnew, makeRepository, runGit } from '../git-world.js';
import type { GitBench } from '../git.js';
import { wholeTreeMicroseconds } from '../load.js';
import { NGINX_LOGIN, startNginx, type Nginx } from '../nginx.js';
import type { Report } from '../report.js';
import type { Server } from '../servers.js';
import { inTurns, type Side, type Turns } from '../sides.js';
import { pushesInTurns, pushOneCommit, type Pushing } from './pushes.js';
import { API_HEADERS, ROOT_TOKEN } from './root.js';

const COMMITS = 2_000;

/** One server for the same repository. */
interface Host {
  readonly url: string;
  readonly cpu: () => number;
  readonly workTree: string;
}

const times = (count: number, work: (time: number) => void): Promise<void> => {
  for (let time = 0; time < count; time += 1) work(time);
  return Promise.resolve();
};

const AUTHORIZATION = { authorization: `Basic ${Buffer.from(`root:${ROOT_TOKEN}`).toString('base64')}`, 'git-protocol': 'version=2' };

const advertisements = (host: Host): Side => ({
  cpu: host.cpu,
  work: async (count) => {
    const { origin, pathname } = new URL(host.url);
    for (let time = 0; time < count; time += 1) {
      const answer = await fetch(`${origin}${pathname}/info/refs?service=git-upload-pack`, { headers: AUTHORIZATION });
      if (!answer.ok) throw new Error(`info/refs: ${answer.status}`);
      await answer.arrayBuffer();
    }
  },
});

const pushes = (host: Host): Side => ({
  cpu: host.cpu,
  work: (count) => times(count, () => pushOneCommit(host.workTree, host.url)),
});

const clones = (host: Host, clone: (url: string, target: string) => void, target: string): Side => ({
  cpu: host.cpu,
  work: (count) => times(count, () => clone(host.url, target)),
});

/** The same repository on both sides, and a clone of each to push from. */
async function createHosts({ folder, postgresPid }: GitBench, product: Server, nginx: Nginx, repositories: string): Promise<{ own: Host; theirs: Host }> {
  const source = join(folder, 'peer-source.git');
  makeRepository(source, COMMITS);
  const answer = await fetch(`${product.url}/api/v4/projects`, { method: 'POST', headers: API_HEADERS, body: JSON.stringify({ name: 'peer' }) });
  const { path_with_namespace: path } = (await answer.json()) as { path_with_namespace: string };
  const own = `${product.url.replace('//', `//root:${ROOT_TOKEN}@`)}/${path}.git`;
  runGit(['--git-dir', source, 'push', '--quiet', own, 'main']);
  runGit(['clone', '--quiet', '--bare', source, join(repositories, 'peer.git')]);
  const host = (name: string, url: string, cpu: () => number): Host => {
    const workTree = join(folder, name);
    runGit(['clone', '--quiet', url, workTree]);
    return { url, cpu, workTree };
  };
  return {
    own: host('own', own, () => wholeTreeMicroseconds(product.pid) + wholeTreeMicroseconds(postgresPid)),
    theirs: host('theirs', `${nginx.url}/git/peer.git`, () => nginx.pids.reduce((sum, pid) => sum + wholeTreeMicroseconds(pid), nginx.gitMicroseconds())),
  };
}

/**
 * Measures the time that a client waits for one push. The peer requires no credentials, or does so as the
 * service does: by refusing the first request.
 */
async function measurePushWalls(report: Report, own: Host, guarded: string, open: string): Promise<void> {
  const { origin, pathname } = new URL(own.url);
  const header = ['-c', `http.extraHeader=Authorization: ${AUTHORIZATION.authorization}`];
  const kinds: readonly (readonly [string, Pushing, Pushing])[] = [
    ['only the service asks for credentials', { url: own.url }, { url: open }],
    ['both ask for credentials', { url: own.url }, { url: guarded }],
    ['credentials come unasked', { url: `${origin}${pathname}`, options: header }, { url: open }],
  ];
  for (const [index, [what, ours, theirs]] of kinds.entries())
    report.add('push of one commit: what its client waits for', {
      what,
      ...(await pushesInTurns(own.workTree, `walls-${index}`, ours, theirs)),
    });
}

/** Advertisements, pushes of one commit and clones compared with nginx with `git http-backend`. */
export async function measureGitPeer(report: Report, bench: GitBench, product: Server): Promise<void> {
  const repositories = join(bench.folder, 'peer-repositories');
  mkdirSync(repositories);
  const nginx = await startNginx(bench.folder, bench.folder, repositories);
  if (!nginx) {
    report.note('peers: nginx or fcgiwrap is missing here (packages nginx-light and fcgiwrap): git was not compared.');
    return;
  }
  try {
    const { own, theirs } = await createHosts(bench, product, nginx, repositories);
    const rounds = bench.isQuick ? 3 : 7;
    const target = join(bench.folder, 'peer-clone');
    // The background work after a push ends within a few seconds, and is included.
    const kinds: readonly (readonly [string, (host: Host) => Side, Turns])[] = [
      ['info/refs', advertisements, { rounds, times: 50 }],
      ['push of one commit', pushes, { rounds, times: 5, settleMs: 3_000 }],
      [`clone of ${COMMITS.toLocaleString('en')} commits`, (host) => clones(host, cloneAnew, target), { rounds, times: 2 }],
      ['the same clone again within 30 s', (host) => clones(host, cloneAgain, target), { rounds, times: 2 }],
    ];
    for (const [what, sideOf, turns] of kinds) {
      const { own: cost, theirs: reference } = await inTurns(sideOf(own), sideOf(theirs), turns);
      report.add('beside nginx with git http-backend', {
        what,
        peerCpuMs: reference?.cpu,
        productCpuMs: cost.cpu,
        ratio: cost.cpu / (reference?.cpu ?? 1),
        peerWallMs: reference?.wall,
        productWallMs: cost.wall,
      });
    }
    await measurePushWalls(report, own, `${nginx.url.replace('//', `//${NGINX_LOGIN}@`)}/guarded/peer.git`, `${nginx.url}/direct/peer.git`);
  } finally {
    await nginx.stop();
  }
}
