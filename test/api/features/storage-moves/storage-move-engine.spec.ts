import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository, wikiRepository } from '#core/repositories/repository-ref.js';
import { CleanUpStep } from '#features/storage-moves/engine/cleanup/clean-up.step.js';
import { MoveTimings } from '#features/storage-moves/engine/run/move-timings.js';
import { MOVE_STEPS, type MoveStep } from '../../../support/move-steps.js';
import { StorageWorld } from '../../../support/storage-world.js';
import { until } from '../../../support/until.js';

let world: StorageWorld;
beforeAll(async () => {
  world = await StorageWorld.start();
});
afterAll(() => world.close());

const refsOf = (path: string): string =>
  execFileSync('git', ['-C', path, 'for-each-ref', '--format=%(refname) %(objectname) %(*objectname)'], {
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' },
  }).toString();

afterEach(() => world.watchSteps(() => undefined));

describe('a move', () => {
  it('moves code and wiki with all refs and HEAD to the other storage, and back', async () => {
    const id = await world.filledProject('there-and-back');
    const [code, wiki] = [projectRepository(id), wikiRepository('Project', id)];
    const before = world.path('default', code);
    execFileSync('git', ['-C', before, 'symbolic-ref', 'HEAD', 'refs/heads/other']);
    execFileSync('git', ['-C', before, 'config', 'core.sshCommand', 'touch /tmp/never']);
    mkdirSync(join(before, 'hooks'), { recursive: true });
    writeFileSync(join(before, 'hooks/post-update'), '#!/bin/sh\n', { mode: 0o755 });
    const refs = refsOf(before);
    expect(refs).toContain('refs/environments/production/deployments/1');
    const scheduled = await world.schedule(id);
    expect(scheduled).toMatchObject({ state: 'scheduled', source_storage_name: 'default' });
    expect(await world.ended(scheduled.id)).toMatchObject({
      state: 'finished',
      error_message: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      progress: { repositories_done: 2, repositories_total: 2 },
    });
    const { progress } = await world.find(scheduled.id);
    expect(progress['bytes_done']).toBeGreaterThan(0);
    expect(progress['bytes_done']).toBe(progress['bytes_total']);
    const moved = world.path('second', code);
    expect(refsOf(moved)).toBe(refs);
    expect(execFileSync('git', ['-C', moved, 'symbolic-ref', 'HEAD']).toString()).toBe('refs/heads/other\n');
    expect(execFileSync('git', ['-C', moved, 'fsck', '--full', '--strict']).toString()).toBe('');
    expect(readdirSync(moved)).not.toContain('hooks');
    expect(execFileSync('git', ['-C', moved, 'config', '--list', '--local']).toString()).not.toContain(
      'sshcommand',
    );
    expect([code, wiki].map((ref) => existsSync(world.path('default', ref)))).toEqual([false, false]);
    expect(await world.placeOf(id)).toEqual({ storage: 'second', readOnly: false });
    expect(world.remains()).toEqual([]);
    expect((await world.ended((await world.schedule(id, 'default')).id)).state).toBe('finished');
    expect(refsOf(before)).toBe(refs);
    expect(existsSync(moved)).toBe(false);
  });

  it('finishes if nothing has been pushed, and fails if the repository is missing', async () => {
    const empty = await world.project('never-pushed');
    expect(await world.ended((await world.schedule(empty)).id)).toMatchObject({
      state: 'finished',
      digest: null,
    });
    const missing = await world.filledProject('missing');
    rmSync(world.path('default', projectRepository(missing)), { recursive: true });
    expect(await world.ended((await world.schedule(missing)).id)).toMatchObject({
      state: 'failed',
      error_message: `The project repository is not available: ${world.path('default', projectRepository(missing))}`,
    });
    expect(await world.placeOf(missing)).toEqual({ storage: 'default', readOnly: false });
  });

  it('changes only the database if both storages are the same folder', async () => {
    const id = await world.filledProject('same-folder');
    const path = world.path('default', projectRepository(id));
    const refs = refsOf(path);
    expect(await world.ended((await world.schedule(id, 'same')).id)).toMatchObject({
      state: 'finished',
      progress: { bytes_done: 0 },
    });
    expect(await world.placeOf(id)).toEqual({ storage: 'same', readOnly: false });
    expect(refsOf(path)).toBe(refs);
  });

  it('continues if its run is lost after any of its steps', async () => {
    await world.api.root.put('/application/settings', { repository_move_concurrency_per_storage: 100 });
    const lostAfter = new Map<number, MoveStep>();
    const losses: MoveStep[] = [];
    world.watchSteps(async (step, moveId) => {
      await until(() => lostAfter.has(moveId));
      if (lostAfter.get(moveId) !== step || losses.includes(step)) return;
      losses.push(step);
      throw new Error('The connection to the database is lost');
    });
    const cases = await Promise.all(
      MOVE_STEPS.map(async (step) => {
        const id = await world.filledProject(`lost-${step}`);
        const refs = refsOf(world.path('default', projectRepository(id)));
        const move = await world.schedule(id);
        lostAfter.set(move.id, step);
        return { id, refs, moveId: move.id };
      }),
    );
    for (const { id, refs, moveId } of cases) {
      expect(await world.ended(moveId)).toMatchObject({ state: 'finished', error_message: null });
      expect(await world.placeOf(id)).toEqual({ storage: 'second', readOnly: false });
      expect(refsOf(world.path('second', projectRepository(id)))).toBe(refs);
      expect(existsSync(world.path('default', projectRepository(id)))).toBe(false);
    }
    await until(
      async () =>
        (await world.api.sql(`select 1 from background_jobs where name like 'storage-moves.run'`)).length ===
        0,
    );
    expect(losses.sort()).toEqual([...MOVE_STEPS].sort());
    expect(world.remains()).toEqual([]);
    await world.api.root.put('/application/settings', { repository_move_concurrency_per_storage: 2 });
  });
});

describe('a move that fails', () => {
  const untouched = async (id: number, refs: string): Promise<void> => {
    expect(await world.placeOf(id)).toEqual({ storage: 'default', readOnly: false });
    expect(refsOf(world.path('default', projectRepository(id)))).toBe(refs);
    expect(existsSync(world.path('second', projectRepository(id)))).toBe(false);
    expect(world.remains()).toEqual([]);
  };

  it('fails if a pack or an object is damaged, and leaves the source unchanged', async () => {
    const id = await world.filledProject('broken');
    const path = world.path('default', projectRepository(id));
    const refs = refsOf(path);
    const blob = execFileSync('git', ['-C', path, 'rev-parse', 'main:b.txt']).toString().trim();
    const file = join(path, 'objects', blob.slice(0, 2), blob.slice(2));
    rmSync(file);
    writeFileSync(file, 'nothing of the kind');
    const first = await world.ended((await world.schedule(id)).id);
    expect(first).toMatchObject({ state: 'failed', digest: null });
    expect(first.error_message).toContain('is broken');
    await untouched(id, refs);
    rmSync(file);
    const second = await world.ended((await world.schedule(id)).id);
    expect(second.error_message).toContain('The project repository is incomplete');
    await untouched(id, refs);
  });

  it('fails when the refs of the copy or the source change during the move', async () => {
    const id = await world.filledProject('changed');
    const path = world.path('default', projectRepository(id));
    world.watchSteps((step) => {
      if (step === 'verified') execFileSync('git', ['-C', path, 'update-ref', 'refs/heads/late', 'main']);
    });
    const { state, error_message: text } = await world.ended((await world.schedule(id)).id);
    expect(state).toBe('failed');
    expect(text).toMatch(/^Failed to verify project repository checksum from [0-9a-f]{64} to [0-9a-f]{64}$/);
    await untouched(id, refsOf(path));
  });

  it('fails if a push takes too long, and can be scheduled again', async () => {
    const id = await world.filledProject('pushed-to');
    const timings = world.api.app.get(MoveTimings, { strict: false });
    Object.assign(timings, { pushWaitMs: 300, pushPollMs: 50 });
    await world.api.sql(
      `insert into running_pushes (id, repository_id) select gen_random_uuid(), id from repositories
       where owner_type = 'Project' and owner_id = $1 and kind = 'wiki'`,
      [id],
    );
    const refs = refsOf(world.path('default', projectRepository(id)));
    const first = await world.ended((await world.schedule(id)).id);
    expect(first.error_message).toBe('Timeout waiting for wiki repository pushes');
    await untouched(id, refs);
    await world.api.sql(`update running_pushes set heartbeat_at = now() - interval '31 seconds'`);
    Object.assign(timings, new MoveTimings());
    expect((await world.ended((await world.schedule(id)).id)).state).toBe('finished');
    expect(await world.api.sql('select 1 from running_pushes')).toEqual([]);
  });

  it('fails if something else is at the destination, and keeps that', async () => {
    const id = await world.filledProject('occupied');
    const place = world.path('second', projectRepository(id));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'precious'), '');
    const { state, error_message: text } = await world.ended((await world.schedule(id)).id);
    expect([state, text]).toEqual(['failed', expect.stringContaining('Something else is in the place')]);
    expect(readdirSync(place)).toEqual(['precious']);
    expect(await world.placeOf(id)).toEqual({ storage: 'default', readOnly: false });
  });

  it('fails when the destination cannot be written to', async () => {
    const id = await world.filledProject('unwritable');
    const blocked = join(world.folder, 'b', '+moves');
    rmSync(blocked, { recursive: true, force: true });
    mkdirSync(dirname(blocked), { recursive: true });
    writeFileSync(blocked, 'a file where a folder must be');
    const { state } = await world.ended((await world.schedule(id)).id);
    rmSync(blocked);
    expect(state).toBe('failed');
    await untouched(id, refsOf(world.path('default', projectRepository(id))));
  });

  it('fails cleanly when the project is deleted meanwhile', async () => {
    const id = await world.filledProject('deleted');
    world.watchSteps(async (step) => {
      if (step === 'verified') await world.api.root.delete(`/projects/${id}`);
    });
    const { id: moveId } = await world.schedule(id);
    expect(await world.ended(moveId)).toMatchObject({
      state: 'failed',
      error_message: 'The project has been removed',
    });
    const paths = ['default', 'second'].map((storage) => world.path(storage, projectRepository(id)));
    await until(() => !paths.some((path) => existsSync(path)));
    expect(await world.find(moveId)).toMatchObject({ project: null });
  });
});

it('a move keeps the new storage if the old copy cannot be removed, and the next move removes it', async () => {
  const id = await world.filledProject('stays');
  const cleaning = world.api.app.get(CleanUpStep, { strict: false });
  const run = cleaning.run.bind(cleaning);
  cleaning.run = () =>
    Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'rename' }));
  const { id: moveId } = await world.schedule(id);
  expect(await world.ended(moveId)).toMatchObject({ state: 'cleanup failed', error_message: 'EACCES' });
  cleaning.run = run;
  expect(await world.placeOf(id)).toEqual({ storage: 'second', readOnly: false });
  expect(existsSync(world.path('default', projectRepository(id)))).toBe(true);
  expect((await world.ended((await world.schedule(id, 'default')).id)).state).toBe('finished');
  expect(existsSync(world.path('second', projectRepository(id)))).toBe(false);
});

it('a move prevents pushes to the old copy by clients that opened the repository before', async () => {
  const id = await world.filledProject('opened-before');
  const repositories = world.api.app.get(RepositoriesService, { strict: false });
  const pushes = world.api.app.get(RunningPushesService, { strict: false });
  const before = await repositories.open(projectRepository(id));
  expect((await world.ended((await world.schedule(id)).id)).state).toBe('finished');
  expect(await pushes.begin(before, 1)).toBeNull();
  const push = await pushes.begin(await repositories.open(projectRepository(id)), 1);
  expect(push).not.toBeNull();
  await pushes.cancel(push as string);
});

it('a move removes nothing from the source while a copy is not in place', async () => {
  const id = await world.filledProject('gone-copy');
  const [source, place] = ['default', 'second'].map((name) => world.path(name, projectRepository(id)));
  world.watchSteps((step) => {
    if (step === 'replicated') renameSync(place as string, `${place}.away`);
  });
  expect(await world.ended((await world.schedule(id)).id)).toMatchObject({
    state: 'cleanup failed',
    error_message: `The copy of the project repository is not in its place: ${place}`,
  });
  expect(refsOf(source as string)).toContain('refs/heads/other');
  expect(await world.placeOf(id)).toEqual({ storage: 'second', readOnly: false });
  world.watchSteps(() => undefined);
  expect(await world.ended((await world.schedule(id, 'default')).id)).toMatchObject({
    state: 'failed',
    error_message: `The project repository is missing, but there is a copy of it at ${source}`,
  });
  expect(refsOf(source as string)).toContain('refs/heads/other');
  renameSync(`${place}.away`, place as string);
  expect((await world.ended((await world.schedule(id, 'default')).id)).state).toBe('finished');
});

it('a move keeps commits that were pushed to the old copy after the switch', async () => {
  const id = await world.filledProject('late');
  const path = world.path('default', projectRepository(id));
  world.watchSteps((step) => {
    if (step === 'replicated') execFileSync('git', ['-C', path, 'update-ref', 'refs/heads/late', 'main']);
  });
  const { state, error_message: text } = await world.ended((await world.schedule(id)).id);
  expect(state).toBe('cleanup failed');
  const kept = /it is kept at (.+)$/.exec(text ?? '')?.[1] ?? '';
  expect(refsOf(kept)).toContain('refs/heads/late');
  rmSync(kept, { recursive: true });
});
