import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runGit } from '../git-world.js';
import { median } from '../load.js';
import type { Figures } from '../report.js';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const PUSHES = 30;
const WARM_UP = 3;
/** Work after the response of one side must not slow down the other one. */
const PAUSE_MS = 300;

/** URL to which a client pushes, and its git options. */
export interface Pushing {
  readonly url: string;
  readonly options?: readonly string[];
}

let number = 0;

/** Makes a commit in a work tree. */
function commitOne(workTree: string): void {
  number += 1;
  writeFileSync(join(workTree, 'pushed.txt'), `${number}\n`);
  runGit(['-C', workTree, 'add', '.']);
  runGit(['-C', workTree, ...AUTHOR, 'commit', '--quiet', '-m', `Push ${number}`]);
}

/** Commits a change, and pushes it. */
export function pushOneCommit(workTree: string, url: string): void {
  commitOne(workTree);
  runGit(['-C', workTree, 'push', '--quiet', url, 'HEAD:main']);
}

/** Pushes of the same commits to a branch on both sides, in turns, also of who comes first. */
export async function pushesInTurns(workTree: string, branch: string, own: Pushing, theirs: Pushing): Promise<Figures> {
  const [ownMs, theirMs]: [number[], number[]] = [[], []];
  const sides = [
    { ...own, walls: ownMs },
    { ...theirs, walls: theirMs },
  ];
  for (let push = -WARM_UP; push < PUSHES; push += 1) {
    commitOne(workTree);
    for (const { url, options = [], walls } of push % 2 === 0 ? sides : sides.toReversed()) {
      const begun = performance.now();
      runGit(['-C', workTree, ...options, 'push', '--quiet', url, `HEAD:refs/heads/${branch}`]);
      if (push >= 0) walls.push(performance.now() - begun);
      await sleep(PAUSE_MS);
    }
  }
  const [peerWallMs, productWallMs] = [median(theirMs), median(ownMs)];
  return {
    ...{ peerWallMs, productWallMs, ratio: productWallMs / peerWallMs },
    medianOfRatios: median(ownMs.map((wall, index) => wall / (theirMs[index] ?? wall))),
    ...{ fastestPeerMs: Math.min(...theirMs), fastestProductMs: Math.min(...ownMs), loadAverage: loadavg()[0] },
  };
}
