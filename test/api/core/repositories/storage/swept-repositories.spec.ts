import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Transactions } from '#kernel/database/transactions.js';
import { LeftOvers } from '#kernel/disk/left-overs.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { git } from '#core/repositories/git/git.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { leftBehind, sweepRepository } from '#core/repositories/storages/left-behind.js';
import { SweepRepositoriesJob } from '#core/repositories/storages/sweep-repositories.job.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildProject } from '../../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../../support/git.js';
import { makeUnremovable, removeUnremovable } from '../../../../support/unremovable.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
let work: WorkingCopy;
let path: string;
let id: number;

const HOUR_MS = 3_600_000;
const OBJECT = 'objects/tmp_objdir-in-1/aa/b';
const OURS = ['HEAD.lock', 'config.lock', 'objects/info/commit-graph.lock', OBJECT, 'packed-refs.lock'];
const LOCKS = [...OURS, 'packed-refs.new', 'refs/heads/a/deep.lock', 'refs/heads/main.lock'];
const KEPT = ['objects/pack/tmp_pack_1', 'objects/aa/tmp_obj_1'];

beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent' });
  work = await new WorkingCopy().init();
  await work.commit({ 'a.txt': '1' });
  id = (await buildProject(api.root)).id;
  path = (await seedRepository(api, projectRepository(id), work)).path;
  await git(path, ['update-ref', 'refs/heads/packed', 'refs/heads/main']);
  await git(path, ['pack-refs', '--all']);
  for (const name of [...LOCKS, ...KEPT]) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), '');
  }
});
afterAll(async () => {
  work.remove();
  await api.close();
});

describe('leftovers of killed git processes in repositories', () => {
  it('are kept while they may be in use', async () => {
    const { app } = api;
    await app.get(Transactions).run((tx) => app.get(Jobs).enqueue(tx, SweepRepositoriesJob, {}));
    const jobs = (): Promise<unknown[]> =>
      api.sql(
        `select 1 from background_jobs where name = 'repositories.sweep' and state in ('pending', 'handed', 'running')`,
      );
    await until(async () => (await jobs()).length === 0);
    for (const name of LOCKS) expect([name, existsSync(join(path, name))]).toEqual([name, true]);
    const answer = await api.root.post(`/projects/${id}/repository/branches`, {
      branch: 'a/deep',
      ref: 'main',
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it('no longer block a ref after an hour', async () => {
    const soon = Date.now() + HOUR_MS + 60_000;
    const locks = LOCKS.filter((name) => name !== OBJECT).sort();
    expect(await leftBehind(path, soon)).toEqual(locks);
    const stuck = join(path, 'refs/heads/stuck.lock');
    makeUnremovable(stuck);
    const told: string[] = [];
    const leftOvers = new LeftOvers({ warn: (line: string) => told.push(line) });
    try {
      expect(await sweepRepository(path, leftOvers, soon)).toEqual(locks);
      expect(await sweepRepository(path, leftOvers, soon)).toEqual([]);
      expect(told).toEqual([expect.stringContaining(`${stuck} cannot be removed`)]);
    } finally {
      removeUnremovable(stuck);
    }
    for (const name of LOCKS) expect([name, existsSync(join(path, name))]).toEqual([name, name === OBJECT]);
    const answer = await api.root.post(`/projects/${id}/repository/branches`, {
      branch: 'a/deep',
      ref: 'main',
    });
    expect(answer.status).toBe(201);
    const removed = await api.root.delete(`/projects/${id}/repository/branches/packed`);
    expect([removed.status, removed.text]).toEqual([204, '']);
  });

  it('are removed when they are older than the longest push, and nothing else is', async () => {
    const later = Date.now() + 24 * HOUR_MS + 60_000;
    expect(await sweepRepository(path, new LeftOvers({ warn: () => undefined }), later)).toEqual([
      dirname(dirname(OBJECT)),
    ]);
    for (const name of KEPT) expect([name, existsSync(join(path, name))]).toEqual([name, true]);
  });

  it('are packs too, which git does not remove itself, or only with a clean-up', async () => {
    const unfinished = KEPT[0] as string;
    const repacked = ['pack', 'idx'].map((end) => `objects/pack/.tmp-4711-pack-${'a'.repeat(40)}.${end}`);
    for (const name of repacked) writeFileSync(join(path, name), '');
    const after = (days: number): Promise<string[]> =>
      sweepRepository(
        path,
        new LeftOvers({ warn: () => undefined }),
        Date.now() + days * 24 * HOUR_MS + 60_000,
      );
    expect(await after(0.5)).toEqual([]);
    expect(await after(1)).toEqual(repacked.toSorted());
    expect(await after(13)).toEqual([]);
    expect(await after(14)).toEqual([unfinished]);
    const packs = readdirSync(join(path, 'objects/pack'));
    expect(packs.filter((name) => !/^pack-[0-9a-f]{40}\.(pack|idx|rev|bitmap)$/.test(name))).toEqual([]);
  });
});
