import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImportFolderService } from '#features/bulk-imports/engine/records/files/import-folder.service.js';
import { LATE, SourceBusy } from '#features/bulk-imports/source/source-errors.js';
import { MembersStep } from '#features/bulk-imports/steps/members/members.step.js';
import { ImportSweepService } from '#features/bulk-imports/watch/import-sweep.service.js';
import { EngineWorld, labelLines, type Row } from '../../../support/bulk-imports/engine-world.js';

// Data that a run gets from a slow source is kept for the next run, and others get their turn in between.
let world: EngineWorld;
beforeAll(async () => {
  world = await EngineWorld.start();
});
afterAll(() => world.close());
beforeEach(() => {
  world.reset();
  world.limits.retriesOfKind = 2;
  world.source.files.set('group labels', [labelLines('a', 'b')]);
});

const late = (): SourceBusy => new SourceBusy('The response takes too long', LATE, 0);

async function lastRelation(importId: number): Promise<Row & { readonly entity: number }> {
  const [entity] = await world.entities(importId);
  const relation = (await world.relations((entity as Row).id)).at(-1) as Row;
  return { ...relation, entity: (entity as Row).id };
}

describe('a slow source', () => {
  it('is not given up while data arrives, however long that takes, and is resumed where it stopped', async () => {
    const found: string[] = [];
    world.source.before = (call, file) => {
      if (!call.startsWith('download')) return;
      found.push(existsSync(file) ? readFileSync(file, 'utf8') : '-');
      if (found.length > 6) return;
      appendFileSync(file, 'x');
      writeFileSync(`${file}.etag`, '"one"');
      throw late();
    };
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect(found).toEqual(['-', 'x', 'xx', 'xxx', 'xxxx', 'xxxxx', 'xxxxxx']);
    expect(await lastRelation(id)).toMatchObject({ imported_count: 2, retries: { turns: 0 } });
    expect(readdirSync(world.get(ImportFolderService).root)).toEqual([]);
  });

  it('gets longer turns if nothing can be kept, and a limited number of the longest ones', async () => {
    Object.assign(world.limits, { turnMs: 60_000, longestTurnMs: 200_000 });
    const minutes: number[] = [];
    world.source.before = (call, _file, withinMs) => {
      if (!call.startsWith('download')) return;
      minutes.push(Math.ceil(withinMs / 60_000));
      throw late();
    };
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ has_failures: true });
    // The longest as often as a busy source is retried.
    expect(minutes).toEqual([1, 2, 4, 4, 4]);
    const { entity } = await lastRelation(id);
    expect(await world.failures(entity)).toEqual([
      expect.objectContaining({
        exception_class: 'SourceBusy',
        exception_message: 'The response takes too long',
      }),
    ]);
  });

  it('lets other relations run between two files', async () => {
    world.limits.turnMs = 1;
    world.source.files.set(
      'group labels',
      ['a', 'b', 'c'].map((title) => labelLines(title)),
    );
    world.source.batched.add('labels');
    world.labels.pauseMs = 5;
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect(world.source.calls.filter((call) => call.startsWith('download'))).toEqual([
      'download labels 1',
      'download labels 2',
      'download labels 3',
    ]);
    expect(world.source.calls.filter((call) => call.startsWith('status')).length).toBeGreaterThan(1);
    expect(await lastRelation(id)).toMatchObject({ imported_count: 3, fetched_count: 3 });
  });

  it('lets other relations run while it is asked for users, each of whom it is asked for once', async () => {
    Object.assign(world.limits, { turnMs: 60, usersAtOnce: 1 });
    const ids = Array.from({ length: 12 }, (_, at) => at + 1);
    const lines = ids.map((id) => JSON.stringify({ title: `l${id}`, color: '#112233', author_id: id }));
    world.source.files.set('group labels', [lines.map((line) => `${line}\n`).join('')]);
    for (const id of ids) world.source.users.set(id, { id, username: `user-${id}` });
    world.source.before = async (call) => {
      if (call.startsWith('get /users/')) await sleep(20);
    };
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect(world.source.calls.filter((call) => call.startsWith('download')).length).toBeGreaterThan(2);
    expect(world.source.calls.filter((call) => call.startsWith('get /users/'))).toHaveLength(ids.length);
    expect(await lastRelation(id)).toMatchObject({ imported_count: 12, fetched_count: 12 });
  });

  it('lets other relations run between the pages of a list', async () => {
    world.limits.turnMs = 40;
    const path = '/groups/7000/members';
    world.source.lists.set(path, [[{ id: 1 }], [{ id: 2 }], [{ id: 3 }], [{ id: 4 }]]);
    world.source.before = async (call) => {
      if (call.startsWith('pages')) await sleep(30);
    };
    world.pipelines = [];
    world.steps.push(world.step('members', 1, (run) => world.get(MembersStep).run(run)));
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect(world.source.calls.filter((call) => call === `pages ${path}`).length).toBeGreaterThan(4);
    expect(await lastRelation(id)).toMatchObject({ fetched_count: 4 });
  });

  it('leaves no partial files behind unless they are resumed', async () => {
    const { root } = world.get(ImportFolderService);
    const { relationId } = await world.relation();
    const old = [`${relationId}-partial`, '999999-partial'].map((name) => join(root, name));
    for (const path of old) {
      mkdirSync(path, { recursive: true });
      utimesSync(path, new Date(0), new Date(0));
    }
    await world.get(ImportSweepService).run(new AbortController().signal);
    expect(old.map((path) => existsSync(path))).toEqual([true, false]);
  });
});
