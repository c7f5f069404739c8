import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunLost } from '#kernel/queue/job-processor.js';
import type { MoveRun } from '../run/move-run.js';
import { discardAsides, removeStaging, takeAway } from './set-aside.js';

let storage: string;
let path: string;
beforeEach(() => {
  storage = mkdtempSync(join(tmpdir(), 'forgeplane-aside-'));
  path = join(storage, 'x.git');
  mkdirSync(path);
  writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
});
afterEach(() => rmSync(storage, { recursive: true, force: true }));

/** Creates a run that loses its move before its `lostAt`-th confirmation. */
function runOf(id: number, lostAt = Infinity): MoveRun {
  let asked = 0;
  const confirm = (): Promise<void> =>
    (asked += 1) >= lostAt ? Promise.reject(new RunLost(1)) : Promise.resolve();
  return { move: { id }, context: { runToken: `token-${id}` }, confirm } as unknown as MoveRun;
}

const moves = (): string[] => readdirSync(join(storage, '+moves'));

describe('setting a repository aside', () => {
  it('removes it, and returns whether it existed', async () => {
    expect(await takeAway(runOf(7), storage, path)).toBe(true);
    expect(await takeAway(runOf(7), storage, path)).toBe(false);
    expect(readdirSync(storage)).toEqual(['+moves']);
    expect(moves()).toEqual([]);
  });

  it('changes nothing if the run has lost its move', async () => {
    await expect(takeAway(runOf(7, 1), storage, path)).rejects.toThrow(RunLost);
    expect(readdirSync(path)).toEqual(['HEAD']);
  });

  it('restores it if the run loses its move in between', async () => {
    await expect(takeAway(runOf(7, 2), storage, path)).rejects.toThrow(RunLost);
    expect(readdirSync(path)).toEqual(['HEAD']);
    expect(moves()).toEqual([]);
  });

  it('keeps repositories that it cannot remove, for the next run', async () => {
    const refuse = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(takeAway(runOf(7), storage, path, refuse)).rejects.toThrow('no');
    expect(moves()).toEqual(['7-token-7.old-x.git']);
    const seen: string[] = [];
    const look = (aside: string): Promise<void> => Promise.resolve(void seen.push(aside));
    await discardAsides(runOf(70), storage, 'x.git', look);
    expect(seen).toEqual([]);
    await discardAsides(runOf(7), storage, 'x.git', look);
    expect(seen).toEqual([join(storage, '+moves/7-token-7.old-x.git')]);
    expect(moves()).toEqual([]);
  });
});

it('removes only the folders of one move', async () => {
  for (const name of ['7-a', '7-b', '70-a', 'kept-7-x.git'])
    mkdirSync(join(storage, '+moves', name), { recursive: true });
  await removeStaging(runOf(7), storage);
  expect(moves().sort()).toEqual(['70-a', 'kept-7-x.git']);
});
